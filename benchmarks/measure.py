"""Times as multiples of solving an empty CP-SAT model, measured right beside what is timed.

The machine's speed and its load drift, so a time by itself says little. Times are processor times. Every single run
stands between two blocks of empty solves and is divided by the mean of their medians; the first solves of a block are
thrown away, as they pay for what the run before did to the processor's caches (the very first takes twice as long).
A figure is the median of such ratios, with their quartiles.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import msgspec

# Empty solves of a block: thrown away, and measured.
WARM, SOLVES = 3, 7


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One measured figure. `ratio`: times an empty solve (the median), between the quartiles `low` and `high`."""

    suite: str
    case: str
    who: str = "lawmage"
    n: int | None = None
    says: str = ""  # the verdict or the count that came out
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    seconds: float | None = None
    note: str = ""

    @property
    def key(self) -> str:
        return "/".join(str(part) for part in (self.suite, self.case, self.who, self.n) if part is not None)


# What a run of watched work took, part by part, in seconds.
Parts = Mapping[str, float]


class Meter:
    """Measures ratios; `most` seconds are spent on one figure at most, after at least `least` runs."""

    def __init__(self, *, least: int = 3, runs: int = 15, most: float = 1.0) -> None:
        self.least, self.runs, self.most = least, runs, most
        self._empty = empty_solve()
        self.units: list[float] = []
        for _ in range(50):
            self._empty()

    def unit(self) -> float:
        """The time of an empty solve now."""
        for _ in range(WARM):
            self._empty()
        now = median(timed(self._empty)[0] for _ in range(SOLVES))
        self.units.append(now)
        return now

    def busy(self) -> float:
        """How many seconds pass for one second of the processor, as others use it, too."""
        wall, own = perf_counter(), process_time()
        while process_time() - own < 0.03:
            self._empty()
        return max(1.0, (perf_counter() - wall) / (process_time() - own))

    def figure(self, work: Callable[[], Any], *, warm: bool = True, **about: Any) -> Figure:
        """Runs the work again and again; `about` are the fields of the figure. `warm`: once before, unmeasured."""
        return self.figures(lambda: {"": timed(work)[0]}, warm=warm, **about)[""]

    def figures(self, work: Callable[[], Parts], *, warm: bool = True, **about: Any) -> dict[str, Figure]:
        """The same for work that says what each part of it took: a figure for each."""
        start = perf_counter()
        ratios: list[dict[str, float]] = []
        times: list[Parts] = []
        before = self.unit()
        if warm:
            first = work()
            if sum(first.values()) > self.most:  # too slow to be done again: what the first run took is the figure
                unit = (before + self.unit()) / 2
                return {part: _figure([spent / unit], [spent], about) for part, spent in first.items()}
        gc.freeze()  # the collector does not go through what is kept: a card library has many objects
        before = self.unit()
        spent: Parts = {}
        while len(ratios) < self.runs and (len(ratios) < self.least or perf_counter() - start < self.most):
            if sum(spent.values()) > self.most:
                break
            spent = work()
            after = self.unit()
            ratios.append({part: 2 * seconds / (before + after) for part, seconds in spent.items()})
            times.append(spent)
            before = after
        return {part: _figure([r[part] for r in ratios], [t[part] for t in times], about) for part in ratios[0]}

    def each(self, works: Sequence[Callable[[], Any]], **about: Any) -> Figure:
        """Runs each of these once; the spread is that of all of them."""
        ratios, times = [], []
        gc.freeze()
        before = self.unit()
        for work in works:
            spent, _ = timed(work)
            after = self.unit()
            ratios.append(2 * spent / (before + after))
            times.append(spent)
            before = after
        return _figure(ratios, times, about)


def settle() -> None:
    """Garbage of the suite before is not collected within the next one."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _figure(ratios: Sequence[float], times: Sequence[float], about: dict[str, Any]) -> Figure:
    low, high = spread(ratios)
    return Figure(ratio=median(ratios), low=low, high=high, runs=len(ratios), seconds=median(times), **about)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time that it took: what else runs on the machine does not count."""
    start = process_time()
    result = work()
    return process_time() - start, result


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The quartiles."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = quantiles(values, n=4, method="inclusive")
    return first, third


def empty_solve() -> Callable[[], Any]:
    """Solving an empty model by the public interface of ortools with one worker; the model is built beforehand."""
    from ortools.sat.python import cp_model

    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return lambda: solver.solve(model)


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The growth exponent e of y = c * n^e, by least squares on logarithms; None with fewer than three sizes."""
    from math import log

    logs = [(log(n), log(y)) for n, y in points if n > 0 and y > 0]
    if len({x for x, _ in logs}) < 3:
        return None
    mx = sum(x for x, _ in logs) / len(logs)
    my = sum(y for _, y in logs) / len(logs)
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)
