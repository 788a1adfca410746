"""Maximal pools of boards on which mana abilities cost mana, by exploring what can be reached.

Abilities that cost no mana and depend on nothing that the others change come first: their components are explored
apart and summed (independent.py). From every sum that no other covers, the rest are activated in every order. What is
reached is compared at the end. Exact where it is not too large; the solver finds the pools one by one where it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from ..model.spending import Slot
from .independent import MOST_CHOICES, MOST_MARKINGS, Vector, add, components, has_life_enough, maximal_of, places_of
from .levels import moving_places
from .mana_net import Net, Transition

MOST_SUMS = 6000
MOST_STATES = 40_000


def pools_of_converters(net: Net, part_of: dict[int, int], size: int) -> tuple[Vector, ...] | None:
    """The maximal vectors over the parts, or None when the net is not of that kind or too large for this."""
    if not _is_explorable(net):
        return None
    steps = _steps(net)
    late = _late(net, steps)
    search = _Search(net, [step for i, step in enumerate(steps) if i in late])
    starts = search.sums([step.transition for i, step in enumerate(steps) if i not in late])
    reached = search.closure(starts) if starts is not None else None
    if reached is None:
        return None
    vectors = set()
    for mana in {state[len(search.places) :] for state in reached}:
        vector = [0] * size
        for kind, part in part_of.items():
            vector[part] += mana[kind]
        vectors.add(tuple(vector))
    return maximal_of(vectors)


def _is_explorable(net: Net) -> bool:
    """Nothing reads the pool, life does not run out, and choices are few."""
    if any(t.doubles for t in net.transitions):
        return False
    if any(way.life for d in net.demands for slot in d.slots for way in slot.ways):
        return False
    if any(comb(n + len(kinds) - 1, n) > MOST_CHOICES for t in net.transitions for n, kinds in t.free):
        return False
    return has_life_enough(net)


class _Step(NamedTuple):
    """A transition, and the worlds in which it may be used; None: in all of them."""

    transition: Transition
    worlds: frozenset[int] | None


def _steps(net: Net) -> list[_Step]:
    """Every transition once, whatever the worlds in which it is the same."""
    worlds: dict[object, set[int]] = {}
    first: dict[object, Transition] = {}
    for t in net.transitions:
        arcs = (frozenset(t.takes.items()), frozenset(t.gives.items()), frozenset(t.makes.items()), t.reads)
        key = (t.cls.index, t.number, t.x, t.demand, t.free, *arcs)
        first.setdefault(key, t)
        worlds.setdefault(key, set()).add(t.world)
    everywhere = len(net.worlds)
    return [_Step(t, None if len(worlds[k]) == everywhere else frozenset(worlds[k])) for k, t in first.items()]


def _late(net: Net, steps: Sequence[_Step]) -> set[int]:
    """Steps that cost mana, that move or look at what is watched or may leave, and those that need what one of these
    gives or take what one of these looks at."""
    watched = {p for group in net.watched for cls in group for p in (cls.u, cls.t)}
    moving = moving_places(net)

    def is_late(step: _Step) -> bool:
        t = step.transition
        moved = {*t.takes, *t.gives}
        reads = {p for places, _, _ in t.reads for p in places}
        return t.demand >= 0 or step.worlds is not None or not moved.isdisjoint(watched) or bool(reads & moving)

    late = {i for i, step in enumerate(steps) if is_late(step)}
    while True:
        given = {p for i in late for p in steps[i].transition.gives}
        given |= {p for i in late for places, _, _ in steps[i].transition.reads for p in places}
        more = {i for i, one in enumerate(steps) if i not in late and not given.isdisjoint(one.transition.takes)}
        if not more:
            return late
        late |= more


class _Search:
    """States are vectors: what is left in the places that late transitions take from, then the mana of every kind."""

    def __init__(self, net: Net, late: Sequence[_Step]) -> None:
        self.net = net
        self.watched = [[p for cls in group for p in (cls.u, cls.t)] for group in net.watched]
        moving = moving_places(net)
        reads = (places for one in late for places, _, _ in one.transition.reads if not moving.isdisjoint(places))
        seen = {p for group in (*self.watched, *reads) for p in group}
        self.places = sorted({p for one in late for p in one.transition.takes} | seen)
        self.at = {p: i for i, p in enumerate(self.places)}
        self.steps = [_Firing(one, self) for one in late]
        self.payers = [net.payers(d) for d in net.demands]
        self.spends: dict[tuple[int, Vector], list[Vector]] = {}

    def sums(self, early: Sequence[Transition]) -> tuple[Vector, ...] | None:
        """What early transitions can come to, over all components; None where that is too much."""
        groups = components(early)
        touched = {p for group in groups for t in group for p in places_of(t)}
        rest = tuple(0 if p in touched else self.net.marking[p] for p in self.places)
        total: tuple[Vector, ...] = ((*rest, *self.net.pool),)
        for group in groups:
            reached = self._component(group)
            if reached is None or len(total) * len(reached) > 10 * MOST_SUMS:
                return None
            total = maximal_of({add(one, other) for one in total for other in reached})
            if len(total) > MOST_SUMS:
                return None
        return total

    def _component(self, group: Sequence[Transition]) -> tuple[Vector, ...] | None:
        net = self.net
        places = sorted({p for t in group for p in places_of(t)})
        at = {p: i for i, p in enumerate(places)}
        kinds = len(net.kinds)
        steps = [(_change(t, at, len(places)), _needs(t, at), list(self.made_by(t))) for t in group]
        first = (*(net.marking[p] for p in places), *(0,) * kinds)
        seen = {first}
        queue = deque([first])
        while queue:
            state = queue.popleft()
            for change, needs, made in steps:
                if any(state[i] < n for i, n in needs):
                    continue
                moved = add(state[: len(places)], change)
                for mana in made:
                    after = (*moved, *add(state[len(places) :], mana))
                    if after not in seen:
                        seen.add(after)
                        queue.append(after)
            if len(seen) > MOST_MARKINGS:
                return None
        keep = [at.get(p, -1) for p in self.places]
        return maximal_of({(*(s[i] if i >= 0 else 0 for i in keep), *s[len(places) :]) for s in seen})

    def closure(self, starts: Sequence[Vector]) -> set[Vector] | None:
        """Everything that late transitions reach from there; None where that is too much."""
        seen = set(starts)
        queue = deque(starts)
        width = len(self.places)
        while queue:
            state = queue.popleft()
            world = self._world(state)
            for firing in self.steps:
                if not firing.is_possible(state, world):
                    continue
                moved = add(state[:width], firing.change)
                for paid in self._paid(firing.transition, state[width:]):
                    for mana in firing.made:
                        after = (*moved, *add(paid, mana))
                        if after not in seen:
                            seen.add(after)
                            queue.append(after)
                if len(seen) > MOST_STATES:
                    return None
        return seen

    def _world(self, state: Vector) -> int:
        """Which of the worlds it is: how many of each watched group are left."""
        if len(self.net.worlds) == 1:
            return 0
        left = tuple(sum(state[self.at[p]] for p in group) for group in self.watched)
        return next(w for w, world in enumerate(self.net.worlds) if world.left == left)

    def made_by(self, t: Transition) -> Iterator[Vector]:
        """What one firing can make, by kinds."""
        base = [0] * len(self.net.kinds)
        for kind, n in t.makes.items():
            base[kind] += n
        amounts = {tuple(base)}
        for n, kinds in t.free:
            picks = [self._counted(pick) for pick in combinations_with_replacement(kinds, n)]
            amounts = {add(amount, pick) for amount in amounts for pick in picks}
        yield from sorted(amounts)

    def _counted(self, kinds: Sequence[int]) -> Vector:
        vector = [0] * len(self.net.kinds)
        for kind in kinds:
            vector[kind] += 1
        return tuple(vector)

    def _paid(self, t: Transition, mana: Vector) -> list[Vector]:
        """What can be left of this mana once the demand is paid, in every way."""
        if t.demand < 0:
            return [mana]
        key = (t.demand, mana)
        if key not in self.spends:
            left = {mana}
            for s, slot in enumerate(self.net.demands[t.demand].slots):
                for _ in range(slot.n):
                    left = {rest for some in left for rest in self._one_symbol(t.demand, s, slot, some)}
            self.spends[key] = sorted(left)
        return self.spends[key]

    def _one_symbol(self, demand: int, s: int, slot: Slot, mana: Vector) -> Iterator[Vector]:
        for w, way in enumerate(slot.ways):
            for pick in combinations_with_replacement(self.payers[demand][s, w], way.n):
                rest = list(mana)
                for kind in pick:
                    rest[kind] -= 1
                if min(rest, default=0) >= 0:
                    yield tuple(rest)


class _Firing:
    """A late transition as a step between states."""

    def __init__(self, step: _Step, search: _Search) -> None:
        t = self.transition = step.transition
        at = search.at
        self.worlds = step.worlds
        self.change = _change(t, at, len(search.places))
        self.needs = _needs(t, at)
        self.made = list(search.made_by(t))
        # What is read has to be there; with True besides what it takes itself.
        self.reads = [
            ([at[p] for p in places], n + (sum(t.takes.get(p, 0) for p in places) if besides else 0))
            for places, n, besides in t.reads
            if all(p in at for p in places)
        ]

    def is_possible(self, state: Vector, world: int) -> bool:
        if self.worlds is not None and world not in self.worlds:
            return False
        if any(state[i] < n for i, n in self.needs):
            return False
        return all(sum(state[i] for i in places) >= n for places, n in self.reads)


def _change(t: Transition, at: dict[int, int], size: int) -> Vector:
    change = [0] * size
    for p, n in t.takes.items():
        change[at[p]] -= n
    for p, n in t.gives.items():
        if p in at:
            change[at[p]] += n
    return tuple(change)


def _needs(t: Transition, at: dict[int, int]) -> list[tuple[int, int]]:
    return [(at[p], n) for p, n in t.takes.items()]
