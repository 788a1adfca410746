"""Answers to `mana`: the Pareto-maximal pools that a player could assemble now, without enumerating payments.

Maximal pools are found one by one: the largest pool that no pool found so far covers is maximal; when there is none,
all are found. The strict model finds them, the relaxation proves that none is missing (or more levels are tried).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..model.abilities import SpendOnly
from ..model.game import Game, Unknown
from ..model.mana import Mana, mana_of
from ..model.replay import Illegal, run
from .answer import Answer, Reason
from .converters import pools_of_converters
from .coverability import Marking, coverability_set
from .cpsat import Linear, Solved
from .independent import pools_of_independent
from .levels import Levels, firings_left
from .loops import Loop, find_loop
from .mana_net import Net, net_of
from .payment import LIMIT, MOST_LEVELS, MOST_UNBOUNDED, Line

MOST_SECONDS = 60.0  # for all pools that the solver finds one by one

Vector = tuple[int, ...]


class Pools(NamedTuple):
    """Pareto-maximal vectors over `parts` (type, restriction, snow), and whether these are all."""

    parts: tuple[tuple[str, SpendOnly | None, bool], ...]
    found: tuple[Vector, ...]
    complete: bool


def mana(game: Game, question: Any, explain: bool) -> Answer:
    """The maximal pools of unrestricted mana, those with restricted mana apart, and what is unbounded."""
    player = question.player or game.you
    before = game.turn.priority == player and game.turn.during_cast is None
    net = net_of(game, player, before=before)
    if net.doubts:
        raise net.doubts[0]
    loop = find_loop(net)
    unbounded = loop.kinds if loop is not None else frozenset()
    free = maximal(net, lambda i: net.kinds[i].only is None and i not in unbounded, question.limit, loop)
    values: dict[str, Any] = {
        "maximal": [_mana(free, v).wire() for v in free.found],
        "count": len(free.found) if free.complete else "more",
    }
    if any(k.only is not None for k in net.kinds):
        whole = maximal(net, lambda i: i not in unbounded, question.limit, loop)
        some = [v for v in whole.found if any(n and p[1] is not None for n, p in zip(v, whole.parts, strict=True))]
        values["restricted"] = [_restricted(whole, v) for v in some]
    if loop is not None:
        values["unbounded"] = loop.wire(net)
    if not free.complete and len(free.found) < question.limit:
        raise Unknown("the solver did not finish within its limit", "time_limit")
    text = f"{values['count']} maximal pools"
    return Answer("known", values, (Reason("produces", "106.4", (), text),))


def _mana(pools: Pools, vector: Vector) -> Mana:
    total = Mana()
    for n, (type_, _, _) in zip(vector, pools.parts, strict=True):
        total = total.plus(mana_of(type_, n))
    return total


def _restricted(pools: Pools, vector: Vector) -> dict[str, Any]:
    """One pool with restricted mana: the free part, and each restricted part with its restriction in words."""
    from ..model.cards.render import words

    free = Mana()
    parts: dict[SpendOnly, Mana] = {}
    for n, (type_, only, _) in zip(vector, pools.parts, strict=True):
        if only is None:
            free = free.plus(mana_of(type_, n))
        elif n:
            parts[only] = parts.get(only, Mana()).plus(mana_of(type_, n))
    return {
        "mana": free.wire(),
        "restricted": [{"mana": m.wire(), "only": words(only)} for only, m in parts.items()],
    }


def maximal(net: Net, counts: Callable[[int], bool], limit: int, loop: Loop | None = None) -> Pools:
    """The maximal vectors over the kinds of mana that count; snow mana is told apart from other mana."""
    kinds = [i for i in range(len(net.kinds)) if counts(i)]
    parts = tuple(dict.fromkeys((net.kinds[i].type, net.kinds[i].only, net.kinds[i].snow) for i in kinds))
    part_of = {i: parts.index((net.kinds[i].type, net.kinds[i].only, net.kinds[i].snow)) for i in kinds}
    if loop is None and (independent := pools_of_independent(net, part_of, len(parts), limit)) is not None:
        return Pools(parts, _sorted(independent)[:limit], len(independent) <= limit)
    if loop is None and (explored := pools_of_converters(net, part_of, len(parts))) is not None:
        return Pools(parts, _sorted(explored)[:limit], len(explored) <= limit)
    found: list[Vector] = []
    exact: int | None = None
    levels = 1
    until = time.monotonic() + MOST_SECONDS
    while True:
        done = _grow(net, part_of, len(parts), levels, found, limit, until)
        found = [v for v in found if not any(_covers(w, v) and w != v for w in found)]
        if not done:
            return Pools(parts, _sorted(found), False)
        if levels == 1:
            exact = firings_left(net)
            covered = coverability_set(net) if exact is None else None
            if covered is not None:
                return Pools(parts, _of_markings(covered, part_of, len(parts)), True)
        if _nothing_more(net, part_of, len(parts), found):
            return Pools(parts, _sorted(found), True)
        if exact is not None and levels >= exact:
            return Pools(parts, _sorted(found), True)
        most = MOST_LEVELS if exact is not None else MOST_UNBOUNDED
        if levels >= most:
            return Pools(parts, _sorted(found), loop is not None)
        levels = min(levels * 2, most, exact or most)


def _of_markings(covered: Sequence[Marking], part_of: dict[int, int], size: int) -> tuple[Vector, ...]:
    """The maximal pools, read off a coverability set; the kinds that are unlimited in one of them do not count."""
    vectors = []
    for marking in covered:
        vector = [0] * size
        for kind, part in part_of.items():
            vector[part] += marking.mana[kind]
        vectors.append(tuple(vector))
    return _sorted([v for v in vectors if not any(_covers(w, v) and w != v for w in vectors)])


def _sorted(found: Sequence[Vector]) -> tuple[Vector, ...]:
    return tuple(sorted(dict.fromkeys(found), reverse=True))


def _covers(one: Vector, other: Vector) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))


def _grow(
    net: Net, part_of: dict[int, int], size: int, levels: int, found: list[Vector], limit: int, until: float
) -> bool:
    """Adds the maximal pools of lines with so many levels; False when the limit (of pools or time) was met."""
    while len(found) < limit and time.monotonic() < until:
        model = Levels(net, [], levels)
        solved, amounts = _largest_uncovered(model, part_of, size, found)
        if solved.status == "infeasible":
            return True
        if not solved.found:
            return False
        vector = tuple(solved.value(amount) for amount in amounts)
        try:
            run(net.game, net.player, Line(net, model, solved).activations())
        except Illegal as illegal:
            raise Unknown(f"a line that the referee refuses: {illegal.text}", "internal") from None
        found.append(vector)
    return False


def _nothing_more(net: Net, part_of: dict[int, int], size: int, found: Sequence[Vector]) -> bool:
    """Whether not even the relaxation has a pool that none of those found covers."""
    model = Levels(net, [], 1, relaxed=True)
    _uncovered(model, part_of, size, found)
    return model.solve(best=False, limit=1.0).status == "infeasible"


def _largest_uncovered(
    model: Levels, part_of: dict[int, int], size: int, found: Sequence[Vector]
) -> tuple[Solved, list[Linear]]:
    """The pool with most mana that no found pool covers; it is maximal, as a larger one would be uncovered too."""
    amounts = _uncovered(model, part_of, size, found)
    total = Linear()
    for amount in amounts:
        total.add(amount)
    model.model.maximize(total)
    return model.solve(best=False, limit=LIMIT), amounts


def _uncovered(model: Levels, part_of: dict[int, int], size: int, found: Sequence[Vector]) -> list[Linear]:
    """Demands a pool that none of those found covers; returns its amounts by part."""
    amounts = [Linear() for _ in range(size)]
    for kind, part in part_of.items():
        amounts[part].add(model.mana[kind])
    for vector in found:
        more = []
        for amount, n in zip(amounts, vector, strict=True):
            above = model.model.var(0, 1)
            model.model.between(amount.copy(), n + 1, None, when=(above,))
            more.append(above)
        if not more:
            break
        model.model.any_of(more)
    if found and not size:
        model.model.between(Linear(1), 0, 0)
    return amounts
