"""Other ways to decide the same question in the same run, each on what it can express.

The common ground is plain sources: permanents that each give one mana of a free choice. There everybody can be asked;
the filter lands are for those that can be given cycles. A peer that is not installed is said, not fatal; one that
takes longer than its share of time on one size is not asked about larger ones. Every answer is compared with ours.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count, product
from math import prod
from time import perf_counter
from typing import Any, NamedTuple

from .boards import can_pay, game_of
from .measure import Figure, Meter
from .scaling import any_color, cycle, duals

MOST = 0.5  # seconds for one question; above, larger ones are not asked
TYPES_OF = {
    "Tundra": "WU", "Underground Sea": "UB", "Badlands": "BR", "Taiga": "RG", "Savannah": "WG", "Scrubland": "WB",
    "Volcanic Island": "UR", "Bayou": "BG", "Plateau": "WR", "Tropical Island": "UG", "Birds of Paradise": "WUBRG",
}  # fmt: skip


# Choices and states that the enumerations look at within about that time.
MOST_CHOICES, MOST_STATES = 300_000, 150_000


class Missing(Exception):
    """The peer is not installed."""


class TooSlow(Exception):
    """The peer did not decide within its time."""


class Question(NamedTuple):
    """Plain sources as the types of each, and the mana wanted of each type."""

    sources: tuple[str, ...]
    wanted: dict[str, int]


def question_of(permanents: tuple[str, ...], cost: str) -> Question:
    sources: list[str] = []
    for item in permanents:
        count, _, name = item.partition(" ") if item[0].isdigit() else ("1", "", item)
        sources += [TYPES_OF[name]] * int(count)
    return Question(tuple(sources), dict(Counter(cost.strip("{}").split("}{"))))


# --- the peers --------------------------------------------------------------------------------------------------------


def naive(q: Question) -> bool:
    """Every choice of every source."""
    wanted = Counter(q.wanted)
    if prod(map(len, q.sources)) > MOST_CHOICES:
        raise TooSlow
    return any(not wanted - Counter(choice) for choice in product(*q.sources))


def depth_first(q: Question) -> bool:
    """One source after the other, remembering what was still wanted."""
    order = tuple(sorted(q.wanted))
    states = count()

    @lru_cache(None)
    def rest(i: int, left: tuple[int, ...]) -> bool:
        if next(states) > MOST_STATES:
            raise TooSlow
        if not any(left):
            return True
        if sum(left) > len(q.sources) - i:
            return False
        useful = [k for k, t in enumerate(order) if left[k] and t in q.sources[i]]
        return any(rest(i + 1, (*left[:k], left[k] - 1, *left[k + 1 :])) for k in useful) or rest(i + 1, left)

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * len(q.sources) + 1_000))
    return rest(0, tuple(q.wanted[t] for t in order))


def flow(q: Question) -> bool:
    """networkx: maximum flow, sources that are alike together."""
    import networkx as nx

    graph = nx.DiGraph()
    for types, n in Counter(q.sources).items():
        graph.add_edge("s", types, capacity=n)
        for t in types:
            graph.add_edge(types, ("type", t), capacity=n)
    for t, n in q.wanted.items():
        graph.add_edge(("type", t), "t", capacity=n)
    return nx.maximum_flow_value(graph, "s", "t") == sum(q.wanted.values())


def highs(q: Question) -> bool:
    """HiGHS: one binary variable for each source and type."""
    try:
        import highspy
    except ImportError:
        raise Missing("highspy") from None
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("time_limit", MOST)
    made: dict[str, list[Any]] = {}
    for types in q.sources:
        chosen: list[tuple[str, Any]] = [(t, h.addBinary()) for t in types if t in q.wanted]
        if chosen:
            h.addConstr(h.qsum(x for _, x in chosen) <= 1)
        for t, x in chosen:
            made.setdefault(t, []).append(x)
    for t, n in q.wanted.items():
        if len(made.get(t, ())) < n:
            return False
        h.addConstr(h.qsum(made[t]) >= n)
    h.run()
    status = h.getModelStatus()
    if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible):
        raise TooSlow
    return status == highspy.HighsModelStatus.kOptimal


def z3(q: Question) -> bool:
    """Z3: one pseudo-Boolean variable for each source and type."""
    try:
        import z3 as solver
    except ImportError:
        raise Missing("z3-solver") from None
    s = solver.Solver()
    s.set("timeout", int(1000 * MOST))
    made: dict[str, list[Any]] = {}
    for i, types in enumerate(q.sources):
        chosen = {t: solver.Bool(f"{i}{t}") for t in types if t in q.wanted}
        if chosen:
            s.add(solver.AtMost(*chosen.values(), 1))
        for t, x in chosen.items():
            made.setdefault(t, []).append(x)
    for t, n in q.wanted.items():
        if len(made.get(t, ())) < n:
            return False
        s.add(solver.AtLeast(*made[t], n))
    status = s.check()
    if status == solver.unknown:
        raise TooSlow
    return status == solver.sat


def one_variable_per_land(q: Question) -> bool:
    """CP-SAT by its public interface, one Boolean for each source and type: the model that one writes first."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    made: dict[str, list[Any]] = {}
    for types in q.sources:
        chosen = {t: model.new_bool_var("") for t in types if t in q.wanted}
        model.add_at_most_one(chosen.values())
        for t, x in chosen.items():
            made.setdefault(t, []).append(x)
    for t, n in q.wanted.items():
        model.add(sum(made.get(t, ())) >= n)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = MOST
    status = solver.solve(model)
    if status == cp_model.UNKNOWN:
        raise TooSlow
    return status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def python_mtg(q: Question) -> bool:
    """python-mtg's engine, where a release of it offers one that can be asked from outside."""
    try:
        from mtg.mana import can_pay as asked  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise Missing("python-mtg (with an engine that can be asked)") from None
    return bool(asked(list(q.sources), q.wanted))


PEERS: dict[str, Callable[[Question], bool]] = {
    "naive enumeration": naive,
    "memoised depth-first search": depth_first,
    "networkx maximum flow": flow,
    "HiGHS": highs,
    "Z3": z3,
    "CP-SAT, one variable per land": one_variable_per_land,
    "python-mtg": python_mtg,
}
FAMILIES = (("two-color lands", duals), ("the ten-dual cycle", cycle), ("any color", any_color))


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    missing: dict[str, str] = {}
    for name, make in FAMILIES:
        given_up: set[str] = set()
        for n in (10, 40) if quick else (5, 10, 20, 40, 80, 160, 320):
            some, feasible, infeasible = make(n)
            game = game_of(some)
            for wanted, cost in (("yes", feasible), ("no", infeasible)):
                assert isinstance(cost, str)
                about = {"suite": "peers", "case": f"{name}: {wanted}", "n": n}
                says = can_pay(game, cost)
                yield meter.figure(lambda game=game, cost=cost: can_pay(game, cost), says=says, **about)
                question = question_of(some.permanents, cost)
                for who, peer in PEERS.items():
                    if who in given_up or who in missing:
                        continue
                    try:
                        start = perf_counter()
                        says = "yes" if peer(question) else "no"
                        if perf_counter() - start > MOST:
                            given_up.add(who)
                    except Missing as absent:
                        missing[who] = str(absent)
                        continue
                    except TooSlow:
                        given_up.add(who)
                        yield Figure(who=who, says="gives up", note=f"more than {MOST} s", **about)
                        continue
                    note = "" if says == wanted else f"WRONG: {wanted} is right"
                    work = lambda peer=peer, question=question: peer(question)  # noqa: E731
                    yield meter.figure(work, warm=True, who=who, says=says, note=note, **about)
    for who, package in missing.items():
        yield Figure(suite="peers", case="not asked", who=who, note=f"{package} is not installed")
