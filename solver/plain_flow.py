"""A yes without a solver: plain sources matched with the symbols of a cost, by augmenting paths over classes.

Only permanents that give mana for {T}, and mana in the pool, are looked at. First permanents that give one mana each;
for the best payment also those that give more, the largest first, as long as all their mana can be spent. A matching
becomes a line, which the referee runs like any other; where there is none, or the cost asks for more than mana, nothing
is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .final_cost import Payable
from .mana_net import Net, Transition


class Source(NamedTuple):
    """So many of a class (or of a kind of mana in the pool), and the transition for each kind; None: it is there."""

    n: int
    kinds: dict[int, int | None]
    cls: int = -1


class Rock(NamedTuple):
    """Members of a class that give two or more mana, always the same: what each makes, by kind."""

    n: int
    makes: dict[int, int]
    transition: int
    cls: int

    @property
    def total(self) -> int:
        return sum(self.makes.values())


class Plain(NamedTuple):
    """A payment: how the symbols are paid, from which sources, and the transitions that fire besides."""

    sources: list[Source]
    shares: list[Share]
    rocks: list[int]

    @property
    def taps(self) -> int:
        plain = sum(s.n for s in self.shares if self.sources[s.source].kinds[s.kind] is not None)
        return plain + len(self.rocks)


class Share(NamedTuple):
    """So much mana of a kind from a source for one way of a slot."""

    source: int
    kind: int
    slot: int
    n: int


def plain_payment(net: Net, final: Payable, *, few_taps: bool = False) -> Plain | None:
    """A matching that pays the whole cost, or None. `few_taps`: from what gives much mana at once as far as that can be
    spent on the cost."""
    if final.stand_ins or final.shares or final.life or final.fixed != type(final.fixed)():
        return None
    slots = final.demand.slots
    if not all(way.n == 1 and not way.life for slot in slots for way in slot.ways):
        return None
    allowed = [{k for w in range(len(slot.ways)) for k in final.payers[s, w]} for s, slot in enumerate(slots)]
    sources, rocks = plain_sources(net)
    order = sorted(range(len(slots)), key=lambda s: len(allowed[s]))
    wanted = {s: slots[s].n for s in order}
    for chosen in _choices(rocks, sum(wanted.values()) - sum(net.pool)) if few_taps else ((),):
        found = _paid(_with_rocks(sources, chosen), allowed, wanted)
        if found is not None:
            return Plain(*found, [rock.transition for rock in chosen])
    return None


def _paid(
    sources: list[Source], allowed: Sequence[set[int]], wanted: Mapping[int, int]
) -> tuple[list[Source], list[Share]] | None:
    """The shares of a matching that spends all mana of the rocks."""
    matching = _Matching(sources, allowed)
    if not all(matching.serve(s, n) for s, n in wanted.items()):
        return None
    shares, used_up = matching.shares()
    return (sources, shares) if used_up else None


def _choices(rocks: Sequence[Rock], room: int) -> Iterator[tuple[Rock, ...]]:
    """The rocks to use, as many as there is room for, largest first; then fewer and fewer of them."""
    chosen: list[Rock] = []
    for rock in rocks:
        used = sum(1 for one in chosen if one.cls == rock.cls)
        for _ in range(min(rock.n - used, room // rock.total)):
            chosen.append(rock)
            room -= rock.total
    for n in range(len(chosen), -1, -1):
        yield tuple(chosen[:n])


# The class of a source that stands for the mana of rocks, which are used in any case.
_ROCK = -2


def _with_rocks(sources: list[Source], chosen: Sequence[Rock]) -> list[Source]:
    """The sources when these rocks are used: their mana is there, and they are not."""
    if not chosen:
        return sources
    made: dict[int, int] = {}
    gone: dict[int, int] = {}
    for rock in chosen:
        gone[rock.cls] = gone.get(rock.cls, 0) + 1
        for k, n in rock.makes.items():
            made[k] = made.get(k, 0) + n
    left = [source._replace(n=source.n - gone.get(source.cls, 0)) for source in sources]
    return [*(Source(n, {k: None}, _ROCK) for k, n in made.items()), *(source for source in left if source.n)]


def plain_sources(net: Net) -> tuple[list[Source], list[Rock]]:
    """What gives one mana: the pool, then sources with few kinds, as those can do least else. And what gives more, the
    most first. Kept with the net."""
    if net.plain is None:
        net.plain = _plain_sources(net), _rocks(net)
    return net.plain


def _plain_sources(net: Net) -> list[Source]:
    pool = [Source(n, {k: None}) for k, n in enumerate(net.pool) if n]
    by_class: dict[int, dict[int, int | None]] = {}
    for i, t in enumerate(net.transitions):
        for k in _one_mana(t):
            by_class.setdefault(t.cls.index, {}).setdefault(k, i)
    sources = (Source(net.marking[net.classes[c].u], kinds, c) for c, kinds in by_class.items())
    return pool + sorted((s for s in sources if s.n), key=lambda s: len(s.kinds))


def _rocks(net: Net) -> list[Rock]:
    rocks = [
        Rock(net.marking[t.cls.u], t.makes, i, t.cls.index)
        for i, t in enumerate(net.transitions)
        if not t.free and sum(t.makes.values()) > 1 and _only_taps(t) and net.marking[t.cls.u]
    ]
    return sorted(rocks, key=lambda rock: -rock.total)


def _only_taps(t: Transition) -> bool:
    """Whether {T} is all that the activation takes, and mana all that comes of it."""
    costs = t.demand >= 0 or t.life or t.damage or t.permanents or t.cards or t.counters or t.reads or t.before
    return not costs and not t.doubles and t.taps_itself and t.takes == {t.cls.u: 1}


def _one_mana(t: Transition) -> tuple[int, ...]:
    """The kinds of which a plain transition makes just one mana."""
    if not _only_taps(t):
        return ()
    if not t.free and sum(t.makes.values()) == 1:
        return tuple(t.makes)
    if not any(t.makes.values()) and len(t.free) == 1 and t.free[0][0] == 1:
        return t.free[0][1]
    return ()


class _Matching:
    """A flow from sources to slots. Sources that can pay for the same slots are one group, so that it stays small
    however many there are."""

    def __init__(self, sources: Sequence[Source], allowed: Sequence[set[int]]) -> None:
        self.sources = sources
        # The kind with which each source pays for each slot.
        self.kinds = [[next((k for k in source.kinds if k in some), None) for some in allowed] for source in sources]
        groups: dict[tuple[bool, ...], list[int]] = {}
        for j, kinds in enumerate(self.kinds):
            groups.setdefault(tuple(k is not None for k in kinds), []).append(j)
        self.pays = list(groups)
        self.members = list(groups.values())
        self.left = [sum(sources[j].n for j in members) for members in self.members]
        self.flow = [[0] * len(allowed) for _ in self.members]

    def serve(self, slot: int, n: int) -> bool:
        """Finds `n` mana for a slot: what is idle first, then by moving others."""
        for g, pays in enumerate(self.pays):
            some = min(n, self.left[g]) if pays[slot] else 0
            self.flow[g][slot] += some
            self.left[g] -= some
            n -= some
        while n:
            found = self._augment(slot, n)
            if not found:
                return False
            n -= found
        return True

    def _augment(self, slot: int, n: int) -> int:
        """More mana for a slot, along a shortest path: what it takes over finds its mana elsewhere. How much it was."""
        taken_from: dict[int, tuple[int, int]] = {}  # a slot that gives up some of a group, and the slot that takes it
        queue = [slot]
        for s in queue:
            for g, pays in enumerate(self.pays):
                if not pays[s]:
                    continue
                if self.left[g]:
                    return self._shift(g, s, taken_from, min(n, self.left[g]))
                for other, used in enumerate(self.flow[g]):
                    if used and other != slot and other not in taken_from:
                        taken_from[other] = (s, g)
                        queue.append(other)
        return 0

    def _shift(self, idle: int, s: int, taken_from: dict[int, tuple[int, int]], n: int) -> int:
        path = []
        at = s
        while at in taken_from:
            to, g = taken_from[at]
            path.append((at, to, g))
            n = min(n, self.flow[g][at])
            at = to
        self.left[idle] -= n
        self.flow[idle][s] += n
        for at, to, g in path:
            self.flow[g][at] -= n
            self.flow[g][to] += n
        return n

    def shares(self) -> tuple[list[Share], bool]:
        """The flow of each group dealt out to its sources, the first first; and whether rocks were used up."""
        found = []
        used_up = True
        for members, flow in zip(self.members, self.flow, strict=True):
            left = [[j, self.sources[j].n] for j in reversed(members)]
            for s, n in enumerate(flow):
                while n:
                    j, some = left[-1][0], min(n, left[-1][1])
                    kind = self.kinds[j][s]
                    assert kind is not None
                    found.append(Share(j, kind, s, some))
                    n -= some
                    left[-1][1] -= some
                    if not left[-1][1]:
                        left.pop()
            used_up = used_up and not any(self.sources[j].cls == _ROCK for j, _ in left)
        return found, used_up
