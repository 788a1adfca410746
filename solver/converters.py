"""Maximal pools of boards on which mana abilities cost mana, by exploring what can be reached.

Abilities that cost no mana come first, as no other one can help them: their components are explored apart and summed
(independent.py). From every sum that no other covers, the rest are activated in every order. What is reached is
compared at the end. Exact where it is not too large; the solver finds the pools one by one where it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb

from ..model.spending import Slot
from .independent import MOST_CHOICES, MOST_MARKINGS, Vector, add, components, maximal_of, places_of
from .levels import cap_of, moving_places
from .mana_net import Net, Transition

MOST_SUMS = 2000
MOST_STATES = 40_000


def pools_of_converters(net: Net, part_of: dict[int, int], size: int) -> tuple[Vector, ...] | None:
    """The maximal vectors over the parts, or None when the net is not of that kind or too large for this."""
    if not _is_explorable(net):
        return None
    late = _late(net)
    early = [t for i, t in enumerate(net.transitions) if i not in late]
    search = _Search(net, [net.transitions[i] for i in sorted(late)])
    starts = search.sums(early)
    reached = search.closure(starts) if starts is not None else None
    if reached is None:
        return None
    vectors = set()
    for mana in {state[len(search.places) :] for state in reached}:
        vector = [0] * size
        for kind, part in part_of.items():
            vector[part] += mana[kind]
        vectors.add(tuple(vector))
    return _maximal(vectors)


def _is_explorable(net: Net) -> bool:
    """Nothing depends on how many permanents are left, nothing reads the pool, life does not run out, and choices
    are few."""
    if len(net.worlds) > 1 or any(t.doubles for t in net.transitions):
        return False
    if any(way.life for d in net.demands for slot in d.slots for way in slot.ways):
        return False
    if any(comb(n + len(kinds) - 1, n) > MOST_CHOICES for t in net.transitions for n, kinds in t.free):
        return False
    moving = moving_places(net)
    if any(p in moving for t in net.transitions for places, _, _ in t.reads for p in places):
        return False
    return not any(t.life for t in net.transitions) or net.life > sum(
        cap_of(net, t) * (t.life + t.damage) for t in net.transitions if t.life or t.damage
    )


def _late(net: Net) -> set[int]:
    """Transitions that cost mana, and those that need what one of these gives."""
    late = {i for i, t in enumerate(net.transitions) if t.demand >= 0}
    while True:
        given = {p for i in late for p in net.transitions[i].gives}
        more = {i for i, t in enumerate(net.transitions) if i not in late and not given.isdisjoint(t.takes)}
        if not more:
            return late
        late |= more


class _Search:
    """States are vectors: what is left in the places that late transitions take from, then the mana of every kind."""

    def __init__(self, net: Net, late: Sequence[Transition]) -> None:
        self.net = net
        self.places = sorted({p for t in late for p in t.takes})
        self.at = {p: i for i, p in enumerate(self.places)}
        self.steps = [(t, self._change(t), list(self._made(t))) for t in late]
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
            if reached is None or len(total) * len(reached) > 20 * MOST_SUMS:
                return None
            total = _maximal({add(one, other) for one in total for other in reached})
            if len(total) > MOST_SUMS:
                return None
        return total

    def _component(self, group: Sequence[Transition]) -> tuple[Vector, ...] | None:
        net = self.net
        places = sorted({p for t in group for p in places_of(t)})
        at = {p: i for i, p in enumerate(places)}
        kinds = len(net.kinds)
        steps = [(_change(t, at, len(places)), _needs(t, at), list(self._made(t))) for t in group]
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
        return _maximal({(*(s[i] if i >= 0 else 0 for i in keep), *s[len(places) :]) for s in seen})

    def closure(self, starts: Sequence[Vector]) -> set[Vector] | None:
        """Everything that late transitions reach from there; None where that is too much."""
        seen = set(starts)
        queue = deque(starts)
        width = len(self.places)
        while queue:
            state = queue.popleft()
            for t, (change, needs), made in self.steps:
                if any(state[i] < n for i, n in needs):
                    continue
                moved = add(state[:width], change)
                for paid in self._paid(t, state[width:]):
                    for mana in made:
                        after = (*moved, *add(paid, mana))
                        if after not in seen:
                            seen.add(after)
                            queue.append(after)
                if len(seen) > MOST_STATES:
                    return None
        return seen

    def _change(self, t: Transition) -> tuple[Vector, list[tuple[int, int]]]:
        return _change(t, self.at, len(self.places)), _needs(t, self.at)

    def _made(self, t: Transition) -> Iterator[Vector]:
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


def _maximal(vectors: set[Vector]) -> tuple[Vector, ...]:
    """As maximal_of, for many of them."""
    if len(vectors) < 500:
        return maximal_of(vectors)
    import numpy as np

    rows = np.array(sorted(vectors, key=lambda v: (-sum(v), v)), dtype=np.int32)
    kept = np.empty_like(rows)
    n = 0
    for row in rows:
        if not n or not (kept[:n] >= row).all(axis=1).any():
            kept[n] = row
            n += 1
    return tuple(tuple(int(x) for x in row) for row in kept[:n])
