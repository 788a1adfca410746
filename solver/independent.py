"""Maximal pools of boards whose mana abilities cost no mana: then what does not share a resource is independent.

The net falls into components that share no place. The pools of a component are found by exploring its markings, those
of the board are the sums of one pool of each component, and only what no other sum covers is kept. Exact, and much
faster than asking the solver for one pool after the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from math import comb

from .levels import cap_of
from .mana_net import Net, Transition

Vector = tuple[int, ...]
MOST_MARKINGS = 5000
MOST_CHOICES = 400
MOST_ALIKE = 20_000
MOST_SUMS = 100_000
MANY = 500


def pools_of_independent(net: Net, part_of: dict[int, int], size: int, limit: int) -> tuple[Vector, ...] | None:
    """The maximal vectors over the parts, or None when the net is not of that kind or too large for this. Where there
    are more than the limit, some of them: one more than that."""
    if len(net.worlds) > 1 or any(t.demand >= 0 or t.doubles for t in net.transitions) or not has_life_enough(net):
        return None
    if any(comb(n + len(kinds) - 1, n) > MOST_CHOICES for t in net.transitions for n, kinds in t.free):
        return None
    start = [0] * size
    for kind, part in part_of.items():
        start[part] += net.pool[kind]
    total: tuple[Vector, ...] = (tuple(start),)
    enough = False
    for component in components(net.transitions):
        made = _made_by(net, component, part_of, size)
        if made is None:
            return None
        if enough:
            total = tuple(add(one, _largest(made)[0]) for one in total)
            continue
        if len(total) * len(made) <= MOST_SUMS:
            total = maximal_of(add(one, other) for one in total for other in made)
            if len(total) <= limit:
                continue
            some = _largest(total)
        else:
            some = _some_sums(_largest(total), _largest(made), limit)
        # Sums of the largest vectors are as large as any, so that nothing covers them, whatever else is added.
        if len(some) <= limit:
            return None
        total, enough = tuple(some[: limit + 1]), True
    return total


def _largest(vectors: Sequence[Vector]) -> list[Vector]:
    """Those with the largest sum."""
    most = max(map(sum, vectors))
    return [v for v in vectors if sum(v) == most]


def _some_sums(ones: Sequence[Vector], others: Sequence[Vector], limit: int) -> list[Vector]:
    """More than `limit` different sums, if there are so many."""
    found: dict[Vector, None] = {}
    for one in ones:
        for other in others:
            found[add(one, other)] = None
            if len(found) > limit:
                return list(found)
    return list(found)


def has_life_enough(net: Net) -> bool:
    """Whether life cannot run out, however mana abilities are activated: then it constrains nothing."""
    if not any(t.life for t in net.transitions):
        return True  # damage takes nothing that anything needs
    given = {p for t in net.transitions for p in t.gives}
    lost = 0
    by_place: dict[int, int] = {}
    for t in net.transitions:
        if not t.life and not t.damage:
            continue
        once = next((p for p in t.takes if p not in given), None)
        if once is None:
            lost += cap_of(net, t) * (t.life + t.damage)
        else:
            by_place[once] = max(by_place.get(once, 0), t.life + t.damage)
    return net.life > lost + sum(net.marking[p] * n for p, n in by_place.items())


def components(transitions: Iterable[Transition]) -> list[list[Transition]]:
    """Transitions that share places, together."""
    groups: list[tuple[set[int], list[Transition]]] = []
    for t in transitions:
        places = places_of(t)
        touching = [g for g in groups if g[0] & places]
        merged = (places.union(*(g[0] for g in touching)), [t for g in touching for t in g[1]] + [t])
        groups = [g for g in groups if not g[0] & places] + [merged]
    return [g[1] for g in groups]


def _made_by(
    net: Net, component: Sequence[Transition], part_of: dict[int, int], size: int
) -> tuple[Vector, ...] | None:
    """The maximal amounts that one component can make, over all its reachable markings."""
    alike = _made_by_alike(net, component, part_of, size)
    if alike is not None:
        return alike
    places = sorted({p for t in component for p in places_of(t)})
    at = {p: i for i, p in enumerate(places)}
    steps = [(t, _amounts(t, part_of, size)) for t in component]
    first = (tuple(net.marking[p] for p in places), (0,) * size)
    seen = {first}
    queue = deque([first])
    while queue:
        marking, made = queue.popleft()
        for t, amounts in steps:
            after = _fire(t, marking, at)
            if after is None:
                continue
            for amount in amounts:
                state = (after, add(made, amount))
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
        if len(seen) > MOST_MARKINGS:
            return None
    return maximal_of(made for _, made in seen)


def _made_by_alike(
    net: Net, component: Sequence[Transition], part_of: dict[int, int], size: int
) -> tuple[Vector, ...] | None:
    """The same for permanents that are alike and activated once each: every choice of what each of them makes."""
    (place, need), *more = dict.fromkeys(pair for t in component for pair in t.takes.items()) or [(-1, 0)]
    if more or need != 1 or any(t.reads or place in t.gives for t in component):
        return None
    options = maximal_of(amount for t in component for amount in _amounts(t, part_of, size))
    n = net.marking[place]
    if comb(len(options) + n - 1, n) > MOST_ALIKE:
        return None
    made = {(0,) * size}
    for _ in range(n):
        made = {add(one, option) for one in made for option in options}
    return maximal_of(made)


def places_of(t: Transition) -> set[int]:
    return {*t.takes, *t.gives, *(p for read, _, _ in t.reads for p in read)}


def _fire(t: Transition, marking: Vector, at: dict[int, int]) -> Vector | None:
    if any(marking[at[p]] < n for p, n in t.takes.items()):
        return None
    for places, n, besides in t.reads:
        own = sum(t.takes.get(p, 0) for p in places) if besides else 0
        if sum(marking[at[p]] for p in places) < n + own:
            return None
    after = list(marking)
    for p, n in t.takes.items():
        after[at[p]] -= n
    for p, n in t.gives.items():
        after[at[p]] += n
    return tuple(after)


def _amounts(t: Transition, part_of: dict[int, int], size: int) -> list[Vector]:
    """What one firing can make, by parts; kinds that do not count are left out."""
    base = [0] * size
    for kind, n in t.makes.items():
        if kind in part_of:
            base[part_of[kind]] += n
    amounts = [tuple(base)]
    for n, kinds in t.free:
        chosen = [_counted(pick, part_of, size) for pick in combinations_with_replacement(kinds, n)]
        amounts = [add(amount, pick) for amount in amounts for pick in chosen]
    return list(maximal_of(amounts))


def _counted(kinds: Sequence[int], part_of: dict[int, int], size: int) -> Vector:
    vector = [0] * size
    for kind in kinds:
        if kind in part_of:
            vector[part_of[kind]] += 1
    return tuple(vector)


def add(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def maximal_of(vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """Those that no other one covers, largest sums first, so that each is compared with few."""
    distinct = sorted(set(vectors), key=lambda v: (-sum(v), v))
    if distinct and sum(distinct[0]) == sum(distinct[-1]):
        return tuple(distinct)
    if len(distinct) >= MANY:
        return _maximal_of_many(distinct)
    kept: list[Vector] = []
    for vector in distinct:
        if not any(all(a >= b for a, b in zip(other, vector, strict=True)) for other in kept):
            kept.append(vector)
    return tuple(kept)


def _maximal_of_many(distinct: Sequence[Vector]) -> tuple[Vector, ...]:
    import numpy as np

    rows = np.array(distinct, dtype=np.int32)
    kept = np.empty_like(rows)
    n = 0
    for row in rows:
        if not n or not (kept[:n] >= row).all(axis=1).any():
            kept[n] = row
            n += 1
    return tuple(tuple(int(x) for x in row) for row in kept[:n])
