"""What numbers alone show, without a solver: that a cost can't be paid, and that a payment can't be better.

A no is Hall's condition over the subsets of the six types.

For every set of types there is a bound on how much mana of these types there can ever be: what is in the pool, and for
every untapped permanent the most that one activation of it makes of them, as if its mana cost nothing. Symbols that
only such mana pays, and which are more than that, cannot be paid. The bound holds where every activation taps its own
permanent and nothing untaps one; elsewhere no certificate is given. It proves a no and never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model.mana import TYPES
from ..model.replay import Spent
from .final_cost import Payable
from .mana_net import Net, Transition

_BIT = {t: 1 << i for i, t in enumerate(TYPES)}


def plainly_too_little(net: Net, finals: Sequence[Payable]) -> bool:
    """Whether the final costs together ask for more mana of some types than there can ever be."""
    wanted: dict[int, int] = {}
    for final in finals:
        if final.stand_ins:
            return False  # what pays in place of mana is no mana
        for s, slot in enumerate(final.demand.slots):
            if any(way.life or not way.n for way in slot.ways):
                continue
            kinds = (k for w in range(len(slot.ways)) for k in final.payers[s, w])
            types = _types(net, kinds)
            wanted[types] = wanted.get(types, 0) + slot.n * min(way.n for way in slot.ways)
    supply = _supply(net) if wanted else None
    if supply is None:
        return False
    # A smallest violating set is a union of such types: others only add to the supply.
    unions = {0}
    for types in wanted:
        unions |= {types | union for union in unions}
    return any(sum(n for types, n in wanted.items() if types | union == union) > supply.of(union) for union in unions)


def _types(net: Net, kinds: Iterable[int]) -> int:
    found = 0
    for k in kinds:
        found |= _BIT[net.kinds[k].type]
    return found


def _supply(net: Net) -> Supply | None:
    """The bounds of this net; None where activations are not bounded by tapping. Kept with the net."""
    if net.supply is None:
        net.supply = (Supply(net) if _is_bounded_by_tapping(net) else None,)
    return net.supply[0]


def _is_bounded_by_tapping(net: Net) -> bool:
    untapped = {cls.u for cls in net.classes}
    return all(
        t.taps_itself and t.takes.get(t.cls.u, 0) >= 1 and not t.doubles and untapped.isdisjoint(t.gives)
        for t in net.transitions
    )


class Supply:
    """The most mana of a set of types that there can ever be, each set worked out when it is asked for."""

    def __init__(self, net: Net) -> None:
        self._pool = [(_BIT[kind.type], n) for kind, n in zip(net.kinds, net.pool, strict=True) if n]
        by_class: dict[int, set[tuple[tuple[int, int], ...]]] = {}
        for t in net.transitions:
            by_class.setdefault(t.cls.index, set()).add(_made(net, t))
        alike: dict[frozenset[tuple[tuple[int, int], ...]], int] = {}
        for i, made in by_class.items():  # however different classes are, many make the same
            alike[frozenset(made)] = alike.get(frozenset(made), 0) + net.marking[net.classes[i].u]
        self._classes = [(untapped, made) for made, untapped in alike.items()]
        self._ones = {one for made in alike for one in made}
        self._known: dict[int, int] = {}

    def of(self, subset: int) -> int:
        found = self._known.get(subset)
        if found is None:
            found = sum(n for types, n in self._pool if types & subset)
            worth = {one: sum(n for types, n in one if types & subset) for one in self._ones}
            for untapped, made in self._classes:
                found += untapped * max(map(worth.__getitem__, made))
            self._known[subset] = found
        return found


def _made(net: Net, t: Transition) -> tuple[tuple[int, int], ...]:
    """What one activation makes: (types that it may be of, how much)."""
    fixed = ((_BIT[net.kinds[k].type], n) for k, n in t.makes.items())
    return (*fixed, *((_types(net, kinds), n) for n, kinds in t.free))


def is_best(net: Net, finals: Sequence[Payable], spent: Spent) -> bool:
    """Whether numbers alone show that a payment is the best one: it loses nothing, leaves no mana, and taps as few
    permanents as could ever make so much. It says yes or nothing."""
    lost = spent.permanents_lost, spent.cards_lost, spent.counters, spent.life, spent.damage, spent.floating.total
    if any(lost) or len(net.worlds) > 1:
        return False
    wanted = sum(slot.n * min(way.n for way in slot.ways) for final in finals for slot in final.demand.slots)
    return spent.taps == fewest_taps(net, wanted - sum(net.pool))


def fewest_taps(net: Net, wanted: int) -> int | None:
    """A lower bound on what has to be tapped for so much mana by payments that lose nothing else; None where
    activations are not bounded by tapping. Each activation adds what it makes less what it costs."""
    if net.gains is None:
        net.gains = (_gains(net),)
    gains = net.gains[0]
    if gains is None:
        return None
    taps = 0
    for made, n in gains:
        if wanted <= 0:
            break
        some = min(n, -(-wanted // made))
        taps += some
        wanted -= some * made
    return taps


def _gains(net: Net) -> list[tuple[int, int]] | None:
    """How much mana one activation can add at most, and how many permanents of the class there are, most first."""
    untapped = {cls.u for cls in net.classes}
    most: dict[int, int] = {}
    for t in net.transitions:
        if t.permanents or t.cards or t.counters or t.life or t.damage:
            continue  # a payment with it loses something
        if not t.taps_itself or t.doubles or not untapped.isdisjoint(t.gives):
            return None
        made = sum(t.makes.values()) + sum(n for n, _ in t.free)
        if t.demand >= 0:
            made -= sum(slot.n * min(way.n for way in slot.ways) for slot in net.demands[t.demand].slots)
        most[t.cls.index] = max(most.get(t.cls.index, 0), made)
    return sorted(((made, net.marking[net.classes[i].u]) for i, made in most.items() if made > 0), reverse=True)
