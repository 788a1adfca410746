"""Paying an ability's mana cost from the pool as it stands, in every way: for abilities that read the pool."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..model.characteristics import View
from ..model.game import Has, ManaKind
from ..model.replay import Units, covers
from ..model.spending import Purpose, may_spend, slots, spending
from ..model.total_cost import total_activation_cost


def payments_from_pool(view: View, player: str, oid: str, has: Has) -> Iterator[Units]:
    """Every choice of mana in the pool that pays the ability's total mana cost exactly."""
    seen: set[tuple[tuple[ManaKind, int], ...]] = set()
    pool = [kind for kind, n in view.game.players[player].pool for _ in range(n)]
    for cost, _parts in total_activation_cost(view, player, oid, has, None):
        purpose = Purpose("ability", source=oid, has_c="{C}" in cost.symbols, for_mana=True)
        usable = [k for k in pool if may_spend(k.only, purpose, view, player)]
        how = spending(view, player, purpose)
        for chosen in combinations(usable, cost.least_mana):
            units = tuple((k, chosen.count(k)) for k in dict.fromkeys(chosen))
            if units not in seen and covers(slots(cost, how), units, how) is not None:
                seen.add(units)
                yield units
