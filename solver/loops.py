"""Unbounded mana: a reachable marking from which a loop leads to one that covers it, with more mana (Karp-Miller).

Looked for only where something could be activated again and again: abilities that untap, or whose cost is mana alone.
The loop is run by the referee twice before it counts.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from ..model.game import Game
from ..model.mana import TYPES
from ..model.replay import Activate, Illegal, run
from .coverability import UNLIMITED, coverability_set
from .cpsat import Linear
from .levels import Levels, firings_left
from .lines import wire_line
from .mana_net import Net
from .payment import LIMIT, Line

# (levels of the stem, levels of the loop): what is tried, shortest first.
SHAPES = ((0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 4))


class Loop(NamedTuple):
    """A stem that leads to the loop, the loop, and what each round adds; `kinds`: all kinds that can grow without
    bound, of which the loop shown may add only some."""

    stem: tuple[Activate, ...]
    loop: tuple[Activate, ...]
    kinds: frozenset[int]
    gain: dict[int, int]

    def wire(self, net: Net) -> dict[str, Any]:
        free = [k for k in self.kinds if net.kinds[k].only is None]
        letters = {net.kinds[k].type for k in free or self.kinds}
        return {
            "types": [t for t in TYPES if t in letters],
            "stem": wire_line(self.stem, ""),
            "loop": wire_line(self.loop, ""),
        }

    def after(self, game: Game, player: str, rounds: int) -> tuple[Game, tuple[Activate, ...]]:
        """The game after the stem and so many rounds, and the line that leads there."""
        line = (*self.stem, *(self.loop * rounds))
        return run(game, player, line).game, line


def find_loop(net: Net, wanted: Collection[int] | None = None) -> Loop | None:
    """A loop that makes unbounded mana of as many kinds as possible, or None where none is found; with `wanted`, one
    that makes mana of some of these kinds."""
    if firings_left(net) is not None:
        return None
    covered = coverability_set(net)
    if covered is not None and not any(n >= UNLIMITED for marking in covered for n in marking.mana):
        return None
    grows = frozenset(k for m in covered or () for k, n in enumerate(m.mana) if n >= UNLIMITED)
    for stem, rounds in SHAPES:
        found = _search(net, stem, rounds, wanted)
        if found is not None:
            return found._replace(kinds=found.kinds | grows)
    return None


def _search(net: Net, stem: int, rounds: int, wanted: Collection[int] | None) -> Loop | None:
    """A loop of this shape that adds to as many kinds as it can, every one of them by some round."""
    model = Levels(net, [], stem)
    start_places = [p.copy() for p in model.places]
    start_mana = [m.copy() for m in model.mana]
    start_life = model.life.copy()
    for _ in range(rounds):
        model.add_level()
    for now, then in zip(model.places, start_places, strict=True):
        model.model.between(now.copy().add(then, -1), 0, None)
    model.model.between(model.life.copy().add(start_life, -1), 0, None)
    grows = []
    for now, then in zip(model.mana, start_mana, strict=True):
        difference = now.copy().add(then, -1)
        model.model.between(difference, 0, None)
        more = model.model.var(0, 1)
        model.model.between(difference.copy(), 1, None, when=(more,))
        grows.append(more)
    model.model.any_of([g for k, g in enumerate(grows) if wanted is None or k in wanted])
    model.model.maximize(Linear(0, dict.fromkeys(grows, 1)))
    solved = model.solve(best=False, limit=LIMIT / 4)
    if not solved.found:
        return None
    line = Line(net, model, solved)
    counts = [sum(solved.values[x] for x in level.firings.values()) for level in model.levels]
    steps = line.activations()
    cut = sum(counts[:stem])
    head, body = tuple(steps[:cut]), tuple(steps[cut:])
    gain = {
        k: solved.value(now) - solved.value(then)
        for k, (now, then) in enumerate(zip(model.mana, start_mana, strict=True))
        if solved.value(now) > solved.value(then)
    }
    try:
        run(net.game, net.player, [*head, *body, *body])
    except Illegal:
        return None
    return Loop(head, body, frozenset(gain), gain)
