"""What a run leaves behind: JSON, a table for the terminal, the marks that were set, and a comparison with another run.
The page with plots is in page.py."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from .measure import Figure

GROWTH_PARTS = ("whole", "compile and solve", "layers", "plan")
# What the exponent of compile and solve is to stay under, by whether permanents are alike.
GROWTH_MARKS = {"alike": 0.1, "distinct": 1.5}


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run: the machine's unit, and the figures in the order in which they were measured."""

    version: str
    quick: bool
    unit_seconds: float
    figures: tuple[Figure, ...]
    python: str = ""
    ortools: str = ""
    machine: str = ""
    unit_spread: tuple[float, float] = (0.0, 0.0)

    def suites(self) -> dict[str, list[Figure]]:
        found: dict[str, list[Figure]] = {}
        for figure in self.figures:
            found.setdefault(figure.suite, []).append(figure)
        return found


def save(run: Run, path: Path) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")


def load(path: Path) -> Run:
    return msgspec.json.decode(path.read_bytes(), type=Run)


def wrong(run: Run) -> list[Figure]:
    """Figures whose answer is not the right one: a benchmark of wrong answers measures nothing."""
    return [f for f in run.figures if f.note.startswith("WRONG")]


# --- the marks --------------------------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """Something that was set as a goal. `wanted`: at most that."""

    what: str
    wanted: float
    got: float

    @property
    def met(self) -> bool:
        return self.got <= self.wanted


NEW, BEST = "whole: a verdict on a new board", "whole: the best plan on a new board"
FURTHER = "whole: a further question on a compiled board"
TEN_POOLS = "10 Reflecting Pools with a Forest"


def marks(run: Run) -> list[Mark]:
    """The goals that figures of this run bear on, and what was reached."""
    ratios = {(f.suite, f.case, f.n): f.ratio for f in run.figures if f.ratio is not None and f.who == "lawmage"}
    found = []
    for case, wanted in ((NEW, 20), (f"{NEW}, no", 20), (BEST, 60), (FURTHER, 5), (f"{FURTHER}, no", 5)):
        few, many = ratios.get(("stages", case, 20)), ratios.get(("stages", case, 200))
        name = case.removeprefix("whole: ")
        if few is not None:
            found.append(Mark(f"20 permanents, {name}: multiples of an empty solve", wanted, few))
        if few is not None and many is not None:
            found.append(Mark(f"200 permanents, {name}: times as much as 20", 3, many / few))
    pools = ratios.get(("freezes", TEN_POOLS, None))
    if pools is not None:
        found.append(Mark("ten Reflecting Pools and a Forest: multiples of an empty solve", 30, pools))
    return [*found, *_marks_of_growth(run)]


def _marks_of_growth(run: Run) -> Iterator[Mark]:
    """Of each sort of family the one that grows most."""
    worst: dict[str, Figure] = {}
    for f in run.figures:
        if f.suite == "growth" and f.who == "compile and solve":
            worst[f.note] = max(worst.get(f.note, f), f, key=exponent_of)
    for sort, f in worst.items():
        what = f"exponent of compile and solve in permanents that are {sort}, the worst: {f.case}"
        yield Mark(what, GROWTH_MARKS[sort], exponent_of(f))


def exponent_of(figure: Figure) -> float:
    return float(figure.says.removeprefix("n^"))


# --- the terminal -----------------------------------------------------------------------------------------------------


def table(run: Run) -> str:
    low, high = (1e6 * seconds for seconds in run.unit_spread)
    unit = f": {1e6 * run.unit_seconds:.0f} µs here, mostly {low:.0f} to {high:.0f}" if run.unit_seconds else ""
    lines = [f"one unit is an empty CP-SAT solve{unit}"]
    for suite, figures in run.suites().items():
        lines += ["", suite.upper()]
        if suite == "growth":
            lines += _growth(figures)
            continue
        lines.append(f"{'case':64} {'who':28} {'n':>5} {'median':>9} {'quartiles':>17}  says")
        lines += [_row(f) for f in figures]
    if found := marks(run):
        lines += ["", "MARKS", f"{'':96} {'wanted':>8} {'got':>8}"]
        lines += [f"{m.what[:96]:96} {m.wanted:>8g} {m.got:>8.2f}  {'met' if m.met else 'MISSED'}" for m in found]
    return "\n".join(lines)


def _row(f: Figure) -> str:
    n = "" if f.n is None else str(f.n)
    middle = "" if f.ratio is None else f"{f.ratio:.1f}x"
    spread = "" if f.low is None or f.high is None else f"{f.low:.1f} - {f.high:.1f}"
    note = f"  ({f.note})" if f.note else ""
    return f"{f.case[:64]:64} {f.who[:28]:28} {n:>5} {middle:>9} {spread:>17}  {f.says}{note}"


def grown(figures: list[Figure]) -> dict[str, dict[str, Figure]]:
    """Fitted exponents by case and part."""
    found: dict[str, dict[str, Figure]] = {}
    for f in figures:
        found.setdefault(f.case, {})[f.who] = f
    return found


def _growth(figures: list[Figure]) -> Iterator[str]:
    yield f"{'exponents fitted to':64}" + "".join(f"{part:>19}" for part in GROWTH_PARTS)
    for case, parts in grown(figures).items():
        says = "".join(f"{parts[part].says if part in parts else '':>19}" for part in GROWTH_PARTS)
        yield f"{case[:64]:64}{says}  {judged(parts)}"


def judged(parts: dict[str, Figure]) -> str:
    """Whether the exponent of compile and solve is as low as is wanted."""
    core = parts.get("compile and solve")
    if core is None:
        return ""
    mark = GROWTH_MARKS[core.note]
    return f"at most {mark:g}" if exponent_of(core) <= mark else f"MORE than {mark:g}"


# A change that is worth a line. Medians of one machine drift by a tenth from run to run, all of them together.
CHANGE = 1.25


def compared(run: Run, before: Run) -> str:
    """How much slower or faster each figure is than in a saved run, most changed first: what neither the spreads nor
    the drift of a machine explain."""
    known = {f.key: f for f in before.figures}
    pairs = [(f, old) for f in run.figures if f.ratio and (old := known.get(f.key)) is not None and old.ratio]
    lines = [f"compared with a run of {before.version}:"]
    if pairs:
        middle = median(_change(f, old) for f, old in pairs)
        lines[0] += f" {len(pairs)} figures are {middle:.2f} of what they were (the median)"
    for f, old in sorted(pairs, key=lambda pair: -abs(log(_change(*pair)))):
        assert f.low is not None and f.high is not None and old.low is not None and old.high is not None
        apart = f.low > old.high or f.high < old.low
        if apart and not 1 / CHANGE < _change(f, old) < CHANGE:
            lines.append(f"  {f.key}: {old.ratio:.1f}x -> {f.ratio:.1f}x ({_change(f, old):.2f} of what it was)")
    if run.quick == before.quick and run.suites().keys() == before.suites().keys():
        lost = [f.key for f in before.figures if f.key not in {f.key for f in run.figures}]
        lines += [f"  {key}: no longer measured" for key in lost]
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing that the spreads do not explain"])


def _change(figure: Figure, old: Figure) -> float:
    return (figure.ratio or 1) / (old.ratio or 1)
