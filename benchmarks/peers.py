"""Other ways to decide the same question in the same run, each on what it can express.

The common ground is plain sources: permanents that each give one mana of a free choice. There everybody can be asked.
Filter lands, whose cost is paid by other lands, are for those that can be given an order; what cannot be said to a
peer is named at the end of the suite. A peer that is not installed is named, too; one that takes longer than its share
of time on one size is not asked about larger ones. Every answer is compared with the right one: a peer that is wrong
is wrong in its row.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import count, product
from math import prod
from time import perf_counter
from typing import Any, NamedTuple

from lawmage.model.mana import TYPES
from lawmage.solver.exhaustive import reachable

from .boards import YOU, board, can_pay, game_of
from .counts import pool_of
from .measure import Figure, Meter
from .scaling import any_color, cycle, dry_filters, duals, filters

MOST, MOST_QUICK = 0.5, 0.2  # seconds for one question; above, larger ones are not asked
TYPES_OF = {
    "Tundra": "WU", "Underground Sea": "UB", "Badlands": "BR", "Taiga": "RG", "Savannah": "WG", "Scrubland": "WB",
    "Volcanic Island": "UR", "Bayou": "BG", "Plateau": "WR", "Tropical Island": "UG", "Birds of Paradise": "WUBRG",
    "Island": "U",
}  # fmt: skip
FILTERS = {"Mystic Gate": "WU"}  # {W/U} and {T} for two of these types, or {T} for {C}

# Choices and states that the enumerations look at within about that time.
MOST_CHOICES, MOST_STATES = 300_000, 150_000


class Missing(Exception):
    """The peer is not installed."""


class TooSlow(Exception):
    """The peer did not decide within its time."""


class CannotSay(Exception):
    """The peer has no way to express the question."""


class Question(NamedTuple):
    """Plain sources and filter lands as the types of each, and the mana wanted of each type."""

    names: tuple[str, ...]
    sources: tuple[str, ...]
    filters: tuple[str, ...]
    cost: str
    seconds: float = MOST

    @property
    def wanted(self) -> dict[str, int]:
        return dict(Counter(self.cost.strip("{}").split("}{")))

    def plain(self) -> tuple[str, ...]:
        if self.filters:
            raise CannotSay("filter lands")
        return self.sources


def question_of(permanents: tuple[str, ...], cost: str, seconds: float = MOST) -> Question:
    counted = (item.split(" ", 1) if item[0].isdigit() else ("1", item) for item in permanents)
    names = tuple(name for n, name in counted for _ in range(int(n)))
    plain = tuple(TYPES_OF[name] for name in names if name not in FILTERS)
    return Question(names, plain, tuple(FILTERS[name] for name in names if name in FILTERS), cost, seconds)


# --- enumerations and flows -------------------------------------------------------------------------------------------


def naive(q: Question) -> bool:
    """Every choice of every source."""
    wanted = Counter(q.wanted)
    if prod(map(len, q.plain())) > MOST_CHOICES:
        raise TooSlow
    return any(not wanted - Counter(choice) for choice in product(*q.sources))


def depth_first(q: Question) -> bool:
    """One source after the other, remembering what was still wanted."""
    sources, wanted = q.plain(), q.wanted
    order = tuple(sorted(wanted))
    states = count()

    @lru_cache(None)
    def rest(i: int, left: tuple[int, ...]) -> bool:
        if next(states) > MOST_STATES:
            raise TooSlow
        if not any(left):
            return True
        if sum(left) > len(sources) - i:
            return False
        useful = [k for k, t in enumerate(order) if left[k] and t in sources[i]]
        return any(rest(i + 1, (*left[:k], left[k] - 1, *left[k + 1 :])) for k in useful) or rest(i + 1, left)

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * len(sources) + 1_000))
    return rest(0, tuple(wanted[t] for t in order))


def reference(q: Question) -> bool:
    """Our own brute force: every line of activations, run by the referee."""
    wanted, until = Counter(q.wanted), perf_counter() + q.seconds
    for view, _ in reachable(game_of(board(*q.names)), YOU, MOST_STATES):
        if not wanted - Counter(dict(zip(TYPES, pool_of(view), strict=True))):
            return True
        if perf_counter() > until:
            raise TooSlow
    return False


def flow(q: Question) -> bool:
    """networkx: maximum flow, sources that are alike together."""
    import networkx as nx

    graph = nx.DiGraph()
    for types, n in Counter(q.plain()).items():
        graph.add_edge("s", types, capacity=n)
        for t in types:
            graph.add_edge(types, ("type", t), capacity=n)
    wanted = q.wanted
    for t, n in wanted.items():
        graph.add_edge(("type", t), "t", capacity=n)
    if any(("type", t) not in graph or not graph.pred["type", t] for t in wanted):
        return False
    return nx.maximum_flow_value(graph, "s", "t") == sum(wanted.values())


# --- solvers: the model that one writes first, land by land -----------------------------------------------------------


class Rows:
    """Whole numbers from 0 to an upper bound each, and linear rows that are at least something."""

    def __init__(self) -> None:
        self.upper: list[int] = []
        self.rows: list[tuple[list[tuple[int, int]], int]] = []

    def var(self, upper: int = 1) -> int:
        self.upper.append(upper)
        return len(self.upper) - 1

    def at_least(self, terms: list[tuple[int, int]], least: int) -> None:
        self.rows.append((terms, least))

    def equal(self, terms: list[tuple[int, int]], value: int) -> None:
        self.at_least(terms, value)
        self.at_least([(x, -a) for x, a in terms], -value)


def rows_of(q: Question) -> Rows | None:
    """One variable for each source and type; for filter lands one for each pair of a land and a filter that it pays
    for, and a place in the order. None where a type that is wanted cannot be made at all."""
    rows = Rows()
    made: list[dict[str, int]] = []  # by land: what it makes of each type
    places: list[int | None] = []
    for types in q.sources:
        chosen = {t: rows.var() for t in types if t in q.wanted or q.filters}
        if len(chosen) > 1:
            rows.at_least([(x, -1) for x in chosen.values()], -1)
        made.append(chosen)
        places.append(None)
    firing = []
    colorless = []
    for types in q.filters:
        fires, c = rows.var(), rows.var()
        rows.at_least([(fires, -1), (c, -1)], -1)
        out = {t: rows.var(2) for t in types}
        rows.equal([(fires, -2), *((x, 1) for x in out.values())], 0)
        made.append(out)
        places.append(rows.var(len(q.filters)))
        firing.append((len(made) - 1, fires))
        colorless.append(c)
    final = [{t: [(x, 1)] for t, x in out.items()} for out in made]
    for j, fires in firing:
        paid = []
        for p, out in enumerate(made):
            arcs = [(t, rows.var()) for t in out if p != j and t in q.filters[j - len(q.sources)]]
            for t, a in arcs:
                final[p][t].append((a, -1))
                paid.append((a, 1))
                if places[p] is not None:  # what pays comes first
                    rows.at_least([(places[j], 1), (places[p], -1), (a, -len(q.filters) - 1)], -len(q.filters))  # type: ignore[list-item]
        rows.equal([(fires, -1), *paid], 0)
    for some in final:
        for terms in some.values():
            if len(terms) > 1:
                rows.at_least(terms, 0)
    for t, n in q.wanted.items():
        terms = [(c, 1) for c in colorless] if t == "C" else [term for some in final for term in some.get(t, ())]
        if not terms:
            return None
        rows.at_least(terms, n)
    return rows


def highs(q: Question) -> bool:
    """HiGHS, a mixed-integer solver."""
    try:
        import highspy
    except ImportError:
        raise Missing("highspy") from None
    rows = rows_of(q)
    if rows is None:
        return False
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("time_limit", q.seconds)
    for x, upper in enumerate(rows.upper):
        h.addVar(0, upper)
        h.changeColIntegrality(x, highspy.HighsVarType.kInteger)
    for terms, least in rows.rows:
        h.addRow(least, highspy.kHighsInf, len(terms), [x for x, _ in terms], [a for _, a in terms])
    h.run()
    status = h.getModelStatus()
    if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible):
        raise TooSlow
    return status == highspy.HighsModelStatus.kOptimal


def z3(q: Question) -> bool:
    """Z3: pseudo-Boolean rows, and integer arithmetic where a variable has more than two values."""
    try:
        import z3 as solver
    except ImportError:
        raise Missing("z3-solver") from None
    rows = rows_of(q)
    if rows is None:
        return False
    s = solver.Solver()
    s.set("timeout", int(1000 * q.seconds))
    variables: list[Any] = [
        solver.Bool(f"b{x}") if upper == 1 else solver.Int(f"i{x}") for x, upper in enumerate(rows.upper)
    ]
    numbers: list[Any] = [solver.If(v, 1, 0) if solver.is_bool(v) else v for v in variables]
    for x, upper in enumerate(rows.upper):
        if upper > 1:
            s.add(variables[x] >= 0, variables[x] <= upper)
    for terms, least in rows.rows:
        if all(rows.upper[x] == 1 for x, _ in terms):
            s.add(solver.PbGe([(variables[x], a) for x, a in terms], least))
        else:
            total: Any = solver.Sum([a * numbers[x] for x, a in terms])
            s.add(total >= least)
    status = s.check()
    if status == solver.unknown:
        raise TooSlow
    return status == solver.sat


def one_variable_per_land(q: Question) -> bool:
    """CP-SAT by its public interface."""
    from ortools.sat.python import cp_model

    rows = rows_of(q)
    if rows is None:
        return False
    model = cp_model.CpModel()
    variables = [model.new_bool_var("") if upper == 1 else model.new_int_var(0, upper, "") for upper in rows.upper]
    for terms, least in rows.rows:
        model.add(sum(a * variables[x] for x, a in terms) >= least)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = q.seconds
    status = solver.solve(model)
    if status == cp_model.UNKNOWN:
        raise TooSlow
    return status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


# --- another engine ---------------------------------------------------------------------------------------------------

MTG_TYPES = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}


def asked_of_python_mtg(names: tuple[str, ...], cost: str) -> bool:
    """python-mtg's plan of the sources to tap for a cost. Its state of the board is built beforehand."""
    driver, state = _mtg_state(names)
    symbols = Counter(cost.strip("{}").split("}{"))
    generic = sum(int(s) * n for s, n in symbols.items() if s.isdigit())
    pips = {MTG_TYPES[s]: n for s, n in symbols.items() if not s.isdigit()}
    return driver.mana_plan(state, YOU, pips, generic) is not None


@lru_cache(64)
def _mtg_state(names: tuple[str, ...]) -> tuple[Any, Any]:
    try:
        from mtg import bridge_to_engine, driver  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise Missing("python-mtg") from None
    return driver, bridge_to_engine.make_state({YOU: {"battlefield": list(names)}, "opponent": {}})


def python_mtg(q: Question) -> bool:
    return asked_of_python_mtg(q.names, q.cost)


PEERS: dict[str, Callable[[Question], bool]] = {
    "naive enumeration": naive,
    "memoised depth-first search": depth_first,
    "our brute-force reference": reference,
    "networkx maximum flow": flow,
    "HiGHS": highs,
    "Z3": z3,
    "CP-SAT, one variable per land": one_variable_per_land,
    "python-mtg": python_mtg,
}
PLAIN, QUICK_PLAIN = (5, 10, 20, 40, 80, 160, 320), (10, 40)
FILTERED, QUICK_FILTERED = (2, 5, 10, 20, 40), (2, 10)
FAMILIES = (
    ("two-color lands", duals, PLAIN, QUICK_PLAIN),
    ("the ten-dual cycle", cycle, PLAIN, QUICK_PLAIN),
    ("any color", any_color, PLAIN, QUICK_PLAIN),
    ("filter lands in a row", filters, FILTERED, QUICK_FILTERED),
    ("filter lands without a first mana", dry_filters, FILTERED, QUICK_FILTERED),
)


class Asked:
    """Who is still asked, and why others are not."""

    def __init__(self) -> None:
        self.missing: dict[str, str] = {}
        for who, peer in PEERS.items():  # what has to be imported is imported now
            try:
                peer(question_of(("Tundra",), "{W}"))
            except Missing as absent:
                self.missing[who] = f"{absent} is not installed"
        self.cannot: dict[str, dict[str, None]] = {}
        self.given_up: set[tuple[str, str]] = set()

    def figure(self, who: str, q: Question, wanted: str, meter: Meter, about: dict[str, Any]) -> Figure | None:
        peer, case = PEERS[who], about["case"]
        if who in self.missing or (who, case) in self.given_up:
            return None
        try:
            start = perf_counter()
            says = "yes" if peer(q) else "no"
            if perf_counter() - start > q.seconds:
                self.given_up.add((who, case))
            note = "" if says == wanted else f"wrong, {wanted} is right"
            return meter.figure(partial(peer, q), who=who, says=says, note=note, **about)
        except CannotSay as what:
            self.cannot.setdefault(who, {})[str(what)] = None
            return None
        except TooSlow:
            self.given_up.add((who, case))
            return Figure(who=who, says="gives up", note="not decided within its time", **about)

    def others(self) -> Iterator[Figure]:
        for who, why in self.missing.items():
            yield Figure(suite="peers", case="not asked", who=who, note=why)
        for who, what in self.cannot.items():
            yield Figure(suite="peers", case="not asked", who=who, note=f"cannot express {', '.join(what)}")


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    asked = Asked()
    for name, make, sizes, fewer in FAMILIES:
        for n in fewer if quick else sizes:
            some, feasible, infeasible = make(n)
            game = game_of(some)
            seconds = MOST_QUICK if quick else meter.busy() * MOST  # the solvers' limits are in passing time
            for wanted, cost in (("yes", feasible), ("no", infeasible)):
                assert isinstance(cost, str)
                about = {"suite": "peers", "case": f"{name}: {wanted}", "n": n}
                says = can_pay(game, cost)
                note = "" if says == wanted else f"WRONG: {wanted} is right"
                yield meter.figure(partial(can_pay, game, cost), says=says, note=note, **about)
                q = question_of(some.permanents, cost, seconds)
                yield from (f for who in PEERS if (f := asked.figure(who, q, wanted, meter, about)) is not None)
    yield from asked.others()
