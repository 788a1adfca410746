"""Exact counts of fixed boards, reached twice: by CP-SAT enumeration of the levels model, and by the reference.

What is counted, for one player with mana abilities only:

- pools: the distinct amounts of mana by type that can stand in the pool;
- maximal: those of them that no other one covers, as the answer to `mana` has them;
- outcomes: the distinct mana that one activation from the start can leave in the pool;
- payments: the distinct states (which permanents are untapped, tapped or gone; mana left over) after paying a cost.

The files in benchmarks/counts hold the boards and the numbers, as perft files do for chess engines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from lawmage.model.characteristics import View, view_of
from lawmage.model.game import Game
from lawmage.model.mana import TYPES, Mana, parse_cost
from lawmage.model.replay import Bill, Spent, Units, covers
from lawmage.model.spending import Purpose, slots, spending
from lawmage.solver.cpsat import Linear, solve
from lawmage.solver.exhaustive import reachable, successors
from lawmage.solver.final_cost import payables
from lawmage.solver.levels import Levels, firings_left
from lawmage.solver.mana_net import Net
from lawmage.solver.pools import maximal

from .boards import YOU, Board, game_of, net_of
from .measure import Figure, Meter

FILES = Path(__file__).parent / "counts"
MOST_STATES = 20_000
MOST_QUICK = 20  # boards with more pools are left out of a quick run
Vector = tuple[int, ...]


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One board of a file: what is counted on it, and the right numbers."""

    board: tuple[Any, ...]
    pools: int | None = None
    maximal: int | None = None
    outcomes: int | None = None
    cost: str = ""
    payments: int | None = None


def cases() -> Iterator[tuple[str, Case]]:
    for path in sorted(FILES.glob("*.json")):
        listed = msgspec.json.decode(path.read_bytes(), type=dict[str, Case])
        yield from ((f"{path.stem}: {name}", case) for name, case in listed.items())


# --- by CP-SAT --------------------------------------------------------------------------------------------------------


def enumerated(levels: Levels, amounts: list[Linear]) -> set[Vector]:
    """Every vector of values that these amounts take in a solution: solve, forbid what was found, solve again."""
    found: set[Vector] = set()
    model = levels.model
    while True:
        solved = solve(model)
        if not solved.found:
            assert solved.status == "infeasible", solved.status
            return found
        vector = tuple(solved.value(amount) for amount in amounts)
        found.add(vector)
        other = []
        for amount, n in zip(amounts, vector, strict=True):
            less, more = model.var(0, 1), model.var(0, 1)
            model.between(amount.copy(), None, n - 1, when=(less,))
            model.between(amount.copy(), n + 1, None, when=(more,))
            other += [less, more]
        model.any_of(other)


def exact_levels(net: Net) -> int:
    """So many levels that the strict model has every line."""
    most = firings_left(net)
    assert most is not None, "a board whose lines have no bound cannot be counted"
    return max(most, 1)


def by_type(net: Net, levels: Levels) -> list[Linear]:
    amounts = [Linear() for _ in TYPES]
    for kind, amount in zip(net.kinds, levels.mana, strict=True):
        amounts[TYPES.index(kind.type)].add(amount)
    return amounts


def objects_of(net: Net, levels: Levels) -> list[Linear]:
    """How many permanents of each name are untapped, and how many are tapped."""
    amounts: dict[tuple[str, str], Linear] = {}
    for cls in net.classes:
        if cls.zone == "battlefield":
            amounts.setdefault((cls.card.name, "untapped"), Linear()).add(levels.places[cls.u])
            amounts.setdefault((cls.card.name, "tapped"), Linear()).add(levels.places[cls.t])
    return list(amounts.values())


def pools_by_solver(game: Game) -> int:
    net = net_of(game)
    levels = Levels(net, [], exact_levels(net))
    return len(enumerated(levels, by_type(net, levels)))


def maximal_by_solver(game: Game) -> int:
    return len(maximal(net_of(game), lambda kind: True, MOST_STATES).found)


def outcomes_by_solver(game: Game) -> int:
    net = net_of(game)
    levels = Levels(net, [], 1)
    firings = Linear()
    for x in levels.levels[0].firings.values():
        firings.add_var(x)
    levels.model.between(firings, 1, 1)
    return len(enumerated(levels, by_type(net, levels)))


def payments_by_solver(game: Game, cost: str) -> int:
    net = net_of(game)
    found: set[Vector] = set()
    for final in payables(net, net.view, Bill(parse_cost(cost), Purpose())):
        levels = Levels(net, [final], exact_levels(net))
        found |= enumerated(levels, [*by_type(net, levels), *objects_of(net, levels)])
    return len(found)


# --- by the reference -------------------------------------------------------------------------------------------------


def pool_of(view: View) -> Vector:
    mana = Counter()
    for kind, n in view.game.players[YOU].pool:
        mana[kind.type] += n
    return tuple(mana[t] for t in TYPES)


def pools_by_reference(game: Game) -> int:
    return len({pool_of(view) for view, _ in reachable(game, YOU, MOST_STATES)})


def maximal_by_reference(game: Game) -> int:
    pools = {Mana(*pool_of(view)) for view, _ in reachable(game, YOU, MOST_STATES)}
    return sum(not any(other != pool and other.covers(pool) for other in pools) for pool in pools)


def outcomes_by_reference(game: Game) -> int:
    return len({pool_of(later) for later, _ in successors(view_of(game), YOU, Spent())})


def shares(pool: Units, n: int) -> Iterator[Units]:
    """Every choice of `n` mana out of a pool (costs here have no life and no {2/W} in them)."""
    kinds = [kind for kind, _ in pool]
    for counts in product(*(range(min(n, have) + 1) for _, have in pool)):
        if sum(counts) == n:
            yield tuple((kind, some) for kind, some in zip(kinds, counts, strict=True) if some)


def payments_by_reference(game: Game, cost: str) -> int:
    bill = Bill(parse_cost(cost), Purpose())
    found = set()
    for view, _ in reachable(game, YOU, MOST_STATES):
        how = spending(view, YOU, bill.purpose)
        wanted = slots(bill.cost, how)
        objects = Counter((o.card.name, o.tapped) for o in view.game.objects.values() if o.zone == "battlefield")
        for units in shares(view.game.players[YOU].pool, bill.cost.mana_value):
            if covers(wanted, units, how) is None:
                continue
            used = Counter()
            for kind, n in units:
                used[kind.type] += n
            left = tuple(n - used[t] for t, n in zip(TYPES, pool_of(view), strict=True))
            found.add((left, frozenset(objects.items())))
    return len(found)


# --- the suite --------------------------------------------------------------------------------------------------------

Count = Callable[[Game], int]


def counts_of(case: Case) -> Iterator[tuple[str, int, Count, Count]]:
    """(what, the right number, by CP-SAT, by the reference)."""
    if case.pools is not None:
        yield "pools", case.pools, pools_by_solver, pools_by_reference
    if case.maximal is not None:
        yield "maximal pools", case.maximal, maximal_by_solver, maximal_by_reference
    if case.outcomes is not None:
        yield "outcomes", case.outcomes, outcomes_by_solver, outcomes_by_reference
    if case.payments is not None:
        cost = case.cost
        yield (
            f"payments of {cost}",
            case.payments,
            lambda game: payments_by_solver(game, cost),
            lambda game: payments_by_reference(game, cost),
        )


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    """Both ways on every board; a note says where a number is not the right one."""
    for name, case in cases():
        if quick and (case.pools or 0) > MOST_QUICK:
            continue
        game = game_of(Board(case.board))
        for what, right, by_solver, by_reference in counts_of(case):
            for who, count in (("lawmage", by_solver), ("the reference", by_reference)):
                got: list[int] = []
                work = partial(_keep, got, count, game)
                figure = meter.figure(work, warm=False, suite="counts", case=f"{name}, {what}", who=who)
                note = "" if set(got) == {right} else f"WRONG: {right} is right"
                yield msgspec.structs.replace(figure, says=str(got[0]), note=note)


def _keep(got: list[int], count: Count, game: Game) -> None:
    got.append(count(game))
