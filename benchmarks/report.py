"""What a run leaves behind: JSON, a table for the terminal, and one HTML page with plots that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import log10
from pathlib import Path

import msgspec

from .measure import Figure

COLORS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5")


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run: the machine's unit, and the figures in the order in which they were measured."""

    version: str
    quick: bool
    unit_seconds: float
    figures: tuple[Figure, ...]
    python: str = ""
    ortools: str = ""


def save(run: Run, path: Path) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")


def load(path: Path) -> Run:
    return msgspec.json.decode(path.read_bytes(), type=Run)


def wrong(run: Run) -> list[Figure]:
    """Figures whose answer is not the right one: a benchmark of wrong answers measures nothing."""
    return [f for f in run.figures if f.note.startswith("WRONG")]


# --- the terminal -----------------------------------------------------------------------------------------------------


def table(run: Run) -> str:
    lines = [f"one unit is an empty CP-SAT solve: {1e6 * run.unit_seconds:.0f} µs here"]
    suite = ""
    for f in run.figures:
        if f.suite != suite:
            suite = f.suite
            lines += ["", suite.upper(), f"{'case':64} {'who':28} {'n':>5} {'median':>9} {'quartiles':>17}  says"]
        lines.append(_row(f))
    return "\n".join(lines)


def _row(f: Figure) -> str:
    n = "" if f.n is None else str(f.n)
    median = "" if f.ratio is None else f"{f.ratio:.1f}x"
    spread = "" if f.low is None or f.high is None else f"{f.low:.1f} - {f.high:.1f}"
    note = f"  ({f.note})" if f.note else ""
    return f"{f.case[:64]:64} {f.who[:28]:28} {n:>5} {median:>9} {spread:>17}  {f.says}{note}"


def compared(run: Run, before: Run) -> str:
    """How much slower or faster each figure is than in a saved run; only what the spreads do not explain."""
    known = {f.key: f for f in before.figures}
    lines = [f"compared with a run of {before.version}:"]
    for f in run.figures:
        old = known.get(f.key)
        if old is None or not old.ratio or not f.ratio:
            continue
        assert f.low is not None and f.high is not None and old.low is not None and old.high is not None
        if f.low > old.high or f.high < old.low:
            lines.append(f"  {f.key}: {old.ratio:.1f}x -> {f.ratio:.1f}x ({f.ratio / old.ratio:.2f} of what it was)")
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing that the spreads do not explain"])


# --- the page ---------------------------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .6rem .2rem 0;
border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(21rem, 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: .6rem; }
figcaption { font-weight: 600; } svg text { fill: currentColor; font: 11px system-ui, sans-serif; }
.key { font-size: 12px; } .key span { margin-right: .9rem; white-space: nowrap; } .bad { color: #d33; }
"""


def page(run: Run) -> str:
    body = [
        "<h1>Benchmarks of lawmage</h1>",
        f"<p>Version {escape(run.version)}, Python {escape(run.python)}, ortools {escape(run.ortools)}"
        f"{', a quick run' if run.quick else ''}. Every figure is a multiple of solving an empty CP-SAT model, measured"
        f" right beside it ({1e6 * run.unit_seconds:.0f} µs in this run): the median, and the quartiles.</p>",
    ]
    if bad := wrong(run):
        body.append(f'<p class="bad">{len(bad)} answers are wrong.</p>')
    for suite in dict.fromkeys(f.suite for f in run.figures):
        figures = [f for f in run.figures if f.suite == suite]
        body.append(f"<h2>{escape(suite)}</h2>")
        if plots := list(_plots(figures)):
            body.append(f'<div class="plots">{"".join(plots)}</div>')
        body.append(_table(figures))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Benchmarks of lawmage</title><style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _table(figures: Sequence[Figure]) -> str:
    head = "<tr><th>case<th>who<th class=n>n<th class=n>median<th class=n>quartiles<th>says<th></tr>"
    rows = []
    for f in figures:
        median = "" if f.ratio is None else f"{f.ratio:.1f}"
        spread = "" if f.low is None or f.high is None else f"{f.low:.1f} – {f.high:.1f}"
        bad = " class=bad" if f.note.startswith("WRONG") else ""
        rows.append(
            f"<tr><td>{escape(f.case)}<td>{escape(f.who)}<td class=n>{'' if f.n is None else f.n}<td class=n>{median}"
            f"<td class=n>{spread}<td>{escape(f.says)}<td{bad}>{escape(f.note)}</tr>"
        )
    return f"<table>{head}{''.join(rows)}</table>"


def _plots(figures: Iterable[Figure]) -> Iterable[str]:
    """One plot for each case that was measured at several sizes; yes and no of one family share theirs."""
    groups: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for f in figures:
        if f.n is None or f.ratio is None:
            continue
        name, _, verdict = f.case.rpartition(": ")
        several = verdict in ("yes", "no")
        series = f"{f.who}, {verdict}" if several else f.who
        groups.setdefault(name if several else f.case, {}).setdefault(series, []).append((f.n, f.ratio))
    for name, series in groups.items():
        if any(len(points) > 1 for points in series.values()):
            yield f"<figure><figcaption>{escape(name)}</figcaption>{_svg(series)}</figure>"


def _svg(series: dict[str, list[tuple[float, float]]]) -> str:
    """Logarithmic in both directions, so that a straight line is a power of n and its slope the exponent."""
    width, height, left, bottom = 340, 220, 46, 26
    xs = [log10(x) for points in series.values() for x, _ in points]
    ys = [log10(y) for points in series.values() for _, y in points]
    x0, x1, y0, y1 = min(xs), max(xs), min(0.0, *ys), max(ys) + 0.1

    def at(x: float, y: float) -> tuple[float, float]:
        across = left + (log10(x) - x0) / ((x1 - x0) or 1) * (width - left - 10)
        return across, height - bottom - (log10(y) - y0) / ((y1 - y0) or 1) * (height - bottom - 10)

    parts = []
    for power in range(int(y0), int(y1) + 1):
        _, y = at(10**x0, 10**power)
        parts.append(f'<line x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#8884"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10**power:g}x</text>')
    for n in sorted({x for points in series.values() for x, _ in points}):
        x, _ = at(n, 10**y0)
        parts.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{n:g}</text>')
    key = []
    for i, (name, points) in enumerate(series.items()):
        color = COLORS[i % len(COLORS)]
        dash = ' stroke-dasharray="5 3"' if name.endswith(", no") else ""
        line = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in sorted(points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        dots = (at(x, y) for x, y in points)
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{color}"/>' for x, y in dots]
        key.append(f'<span style="color:{color}">{"╌" if dash else "━"} {escape(name)}</span>')
    box = f'viewBox="0 0 {width} {height}" role="img" aria-label="time as a multiple of an empty solve, by n"'
    return f'<svg {box}>{"".join(parts)}</svg><div class="key">{"".join(key)}</div>'
