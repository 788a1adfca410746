"""The coverability set of a mana net, by Karp and Miller's tree (Parallel Program Schemata, 1969).

Where something can be activated again and again, counting tokens bounds no line and levels prove no "no". The tree is
finite and exact: a marking that covers one of its ancestors shows a loop, and the places that grew become unlimited;
a marking that is covered by another one adds nothing, as more never hurts (the net has no inhibitor arcs). Only for
nets with one world and without abilities that read the pool, and only up to a number of markings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from .mana_net import Demand, Net, Transition

UNLIMITED = 10**12
MOST_MARKINGS = 4000
MOST_CHOICES = 400


class Marking(NamedTuple):
    """Objects by place, mana by kind, life. An amount of UNLIMITED stays so whatever is taken from it."""

    places: tuple[int, ...]
    mana: tuple[int, ...]
    life: int

    def covers(self, other: Marking) -> bool:
        return (
            self.life >= other.life
            and all(a >= b for a, b in zip(self.mana, other.mana, strict=True))
            and all(a >= b for a, b in zip(self.places, other.places, strict=True))
        )


class _Node(NamedTuple):
    marking: Marking
    parent: _Node | None


def coverability_set(net: Net) -> tuple[Marking, ...] | None:
    """The maximal markings of the net, UNLIMITED where they grow without bound; None when it is too large."""
    if len(net.worlds) > 1 or any(t.doubles for t in net.transitions):
        return None
    if any(comb(n + len(kinds) - 1, n) > MOST_CHOICES for t in net.transitions for n, kinds in t.free):
        return None
    payers = [net.payers(d) for d in net.demands]
    root = _Node(Marking(tuple(net.marking), tuple(net.pool), net.life), None)
    maximal: list[Marking] = [root.marking]
    queue = [root]
    for node in queue:
        if not any(m == node.marking for m in maximal):
            continue  # a larger marking was found meanwhile: whatever follows from this one follows from that
        for t in net.transitions:
            for after in _fire(net, node.marking, t, payers):
                grown = _accelerate(node, after)
                if any(m.covers(grown) for m in maximal):
                    continue
                maximal = [m for m in maximal if not grown.covers(m)]
                maximal.append(grown)
                queue.append(_Node(grown, node))
        if len(queue) > MOST_MARKINGS:
            return None
    return tuple(maximal)


def _accelerate(node: _Node, after: Marking) -> Marking:
    """What grew since an ancestor that it covers can grow for ever."""
    ancestor: _Node | None = node
    places, mana, life = list(after.places), list(after.mana), after.life
    while ancestor is not None:
        before = ancestor.marking
        if Marking(tuple(places), tuple(mana), life).covers(before):
            places = [UNLIMITED if a > b else a for a, b in zip(places, before.places, strict=True)]
            mana = [UNLIMITED if a > b else a for a, b in zip(mana, before.mana, strict=True)]
            life = UNLIMITED if life > before.life else life
        ancestor = ancestor.parent
    return Marking(tuple(places), tuple(mana), life)


def _less(have: int, n: int) -> int:
    return have if have >= UNLIMITED else have - n


def _fire(
    net: Net, marking: Marking, t: Transition, payers: Sequence[dict[tuple[int, int], tuple[int, ...]]]
) -> Iterator[Marking]:
    """Every marking after one firing: every way to pay its mana, every free choice."""
    if any(marking.places[p] < n for p, n in t.takes.items()) or marking.life < t.life:
        return
    for places, n, besides in t.reads:
        own = sum(t.takes.get(p, 0) for p in places) if besides else 0
        if sum(marking.places[p] for p in places) < n + own:
            return
    places = list(marking.places)
    for p, n in t.takes.items():
        places[p] = _less(places[p], n)
    for p, n in t.gives.items():
        places[p] = min(UNLIMITED, places[p] + n)
    for mana, life in _payments(net, marking, t, payers):
        if life + t.life > marking.life:
            continue
        rest = _less(marking.life, life + t.life + t.damage)
        for made in _choices(net, t):
            total = tuple(min(UNLIMITED, a + b) for a, b in zip(mana, made, strict=True))
            yield Marking(tuple(places), total, rest)


def _payments(
    net: Net, marking: Marking, t: Transition, payers: Sequence[dict[tuple[int, int], tuple[int, ...]]]
) -> Iterator[tuple[tuple[int, ...], int]]:
    if t.demand < 0:
        yield marking.mana, 0
        return
    demand = net.demands[t.demand]
    seen: set[tuple[tuple[int, ...], int]] = set()
    for mana, life in _pay_slots(demand, payers[t.demand], 0, marking.mana):
        if (mana, life) not in seen:
            seen.add((mana, life))
            yield mana, life


def _pay_slots(
    demand: Demand, payers: dict[tuple[int, int], tuple[int, ...]], s: int, mana: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], int]]:
    if s == len(demand.slots):
        yield mana, 0
        return
    slot = demand.slots[s]
    for ways in combinations_with_replacement(range(len(slot.ways)), slot.n):
        for rest in _pay_ways(demand, payers, s, ways, mana):
            life = sum(slot.ways[w].life for w in ways)
            for final, more in _pay_slots(demand, payers, s + 1, rest):
                yield final, life + more


def _pay_ways(
    demand: Demand,
    payers: dict[tuple[int, int], tuple[int, ...]],
    s: int,
    ways: tuple[int, ...],
    mana: tuple[int, ...],
) -> Iterator[tuple[int, ...]]:
    if not ways:
        yield mana
        return
    w = ways[0]
    n = demand.slots[s].ways[w].n
    usable = [k for k in payers[s, w] if mana[k]]
    for chosen in combinations_with_replacement(usable, n):
        rest = list(mana)
        for k in chosen:
            rest[k] = _less(rest[k], 1)
        if min(rest, default=0) >= 0:
            yield from _pay_ways(demand, payers, s, ways[1:], tuple(rest))


def _choices(net: Net, t: Transition) -> Iterator[tuple[int, ...]]:
    """What the firing makes, for every free choice."""
    base = [0] * len(net.kinds)
    for k, n in t.makes.items():
        base[k] += n
    yield from _free(tuple(base), t.free)


def _free(made: tuple[int, ...], free: Sequence[tuple[int, tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
    if not free:
        yield made
        return
    n, kinds = free[0]
    for chosen in combinations_with_replacement(kinds, n):
        more = list(made)
        for k in chosen:
            more[k] += 1
        yield from _free(tuple(more), free[1:])
