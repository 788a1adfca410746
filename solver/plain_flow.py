"""A yes without a solver: plain sources matched with the symbols of a cost, by augmenting paths over classes.

Only permanents that each give one mana for {T}, and mana in the pool, are looked at. A matching becomes a line, which
the referee runs like any other; where there is none, or the cost asks for more than mana, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .final_cost import Payable
from .mana_net import Net, Transition


class Source(NamedTuple):
    """So many of a class (or of a kind of mana in the pool), and the transition for each kind; None: it is there."""

    n: int
    kinds: dict[int, int | None]


class Share(NamedTuple):
    """So much mana of a kind from a source for one way of a slot."""

    source: int
    kind: int
    slot: int
    n: int


def plain_shares(net: Net, final: Payable) -> tuple[list[Source], list[Share]] | None:
    """A matching that pays the whole cost, or None."""
    if final.stand_ins or final.shares or final.life or final.fixed != type(final.fixed)():
        return None
    slots = final.demand.slots
    if not all(way.n == 1 and not way.life for slot in slots for way in slot.ways):
        return None
    allowed = [{k for w in range(len(slot.ways)) for k in final.payers[s, w]} for s, slot in enumerate(slots)]
    sources = plain_sources(net)
    matching = _Matching(sources, allowed)
    order = sorted(range(len(slots)), key=lambda s: len(allowed[s]))
    if not all(matching.serve(s, slots[s].n) for s in order):
        return None
    return sources, [Share(j, k, s, n) for (j, s, k), n in matching.used.items() if n]


def plain_sources(net: Net) -> list[Source]:
    """Sources with few kinds first, as those can do least else; kept with the net."""
    if net.plain is None:
        net.plain = _plain_sources(net)
    return net.plain


def _plain_sources(net: Net) -> list[Source]:
    sources = [Source(n, {k: None}) for k, n in enumerate(net.pool) if n]
    by_class: dict[int, dict[int, int | None]] = {}
    for i, t in enumerate(net.transitions):
        for k in _one_mana(t):
            by_class.setdefault(t.cls.index, {}).setdefault(k, i)
    sources += [Source(net.marking[net.classes[c].u], kinds) for c, kinds in by_class.items()]
    return sorted((s for s in sources if s.n), key=lambda s: len(s.kinds))


def _one_mana(t: Transition) -> tuple[int, ...]:
    """The kinds of which a plain transition makes just one mana."""
    costs = t.demand >= 0 or t.life or t.damage or t.permanents or t.cards or t.counters or t.reads or t.before
    if costs or t.doubles or not t.taps_itself or t.takes != {t.cls.u: 1}:
        return ()
    if not t.free and sum(t.makes.values()) == 1:
        return tuple(t.makes)
    if not any(t.makes.values()) and len(t.free) == 1 and t.free[0][0] == 1:
        return t.free[0][1]
    return ()


class _Matching:
    def __init__(self, sources: Sequence[Source], allowed: Sequence[set[int]]) -> None:
        self.sources = sources
        self.allowed = allowed
        self.left = [source.n for source in sources]
        self.used: dict[tuple[int, int, int], int] = {}  # (source, slot, kind) -> how much

    def serve(self, slot: int, n: int) -> bool:
        """Finds `n` mana for a slot: what is idle first, then by moving others."""
        for j, source in enumerate(self.sources):
            kind = self._kind(source, slot)
            some = min(n, self.left[j]) if kind is not None else 0
            if kind is not None and some:
                self._use(j, slot, kind, some)
                self.left[j] -= some
                n -= some
        while n and self._augment(slot, {slot}):
            n -= 1
        return not n

    def _kind(self, source: Source, slot: int) -> int | None:
        return next((k for k in source.kinds if k in self.allowed[slot]), None)

    def _use(self, j: int, slot: int, kind: int, n: int) -> None:
        self.used[j, slot, kind] = self.used.get((j, slot, kind), 0) + n

    def _augment(self, slot: int, seen: set[int]) -> bool:
        """One mana more for a slot; a source in use may leave its slot when that finds another."""
        for j, source in enumerate(self.sources):
            kind = self._kind(source, slot)
            if kind is not None and self.left[j]:
                self._use(j, slot, kind, 1)
                self.left[j] -= 1
                return True
        for (j, other, old), n in list(self.used.items()):
            kind = self._kind(self.sources[j], slot)
            if not n or other in seen or kind is None:
                continue
            if self._augment(other, seen | {other}):
                self.used[j, other, old] -= 1
                self._use(j, slot, kind, 1)
                return True
        return False
