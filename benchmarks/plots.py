"""Plots as SVG text: lines over n, bars, and bars of stacked parts. Colors are classes s0 to s8 of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from .measure import Figure

COLORS = 9
TIMES = "multiples of an empty solve"
TOP = 14


def key_of(series: Sequence[tuple[str, int, str]]) -> str:
    """A key for several plots: (name, its place in the order of colors, "dashed" or "")."""
    items = [f'<span><i class="s{at % COLORS} {style}"></i>{escape(name)}</span>' for name, at, style in series]
    return f'<div class="key">{"".join(items)}</div>'


class Scale:
    """Logarithmic, from `low` to `high`, on pixels from `start` to `end`."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = log10(low), log10(high)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        part = (log10(value) - self.low) / ((self.high - self.low) or 1)
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Powers of ten, with 2 and 5 of each where there would be few."""
        powers = range(floor(self.low), ceil(self.high) + 1)
        steps = (1, 2, 5) if self.high - self.low < 1.7 else (1,)
        every = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in every if self.low - 1e-9 <= log10(tick) <= self.high + 1e-9]


def lines(points: Sequence[tuple[Figure, str, bool]], order: Sequence[str], across: str) -> str:
    """Figures over n, each with its series and whether its line is dashed. `order` gives the colors."""
    width, height, left, bottom, top = 360, 250, 52, 40, TOP
    measured = [(f, who, dashed) for f, who, dashed in points if f.n and f.ratio]
    if not measured:
        return ""
    ns = sorted({f.n for f, *_ in points if f.n})
    highs = [f.high or f.ratio or 1 for f, *_ in measured]
    x = Scale(ns[0], max(ns[-1], ns[0] * 1.01), left + 8, width - 14)
    y = Scale(min(1.0, *(f.ratio or 1 for f, *_ in measured)), max(highs) * 1.5, height - bottom, top)
    parts = [_text(13, (height - bottom + top) / 2, TIMES, turn=True), _text((left + width) / 2, height - 6, across)]
    for tick in y.ticks():
        parts.append(f'<line class="grid" x1="{left}" x2="{width - 8}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    last = -99.0
    for n in ns:
        parts.append(
            f'<line class="grid" x1="{x(n):.1f}" x2="{x(n):.1f}" y1="{height - bottom}" y2="{height - bottom + 4}"/>'
        )
        if x(n) - last > 24:
            parts.append(_text(x(n), height - bottom + 16, f"{n:g}"))
            last = x(n)
    crosses: Counter[int] = Counter()
    for who in order:
        for dashed in (False, True):
            some = sorted((f for f, name, d in points if name == who and d == dashed and f.n), key=lambda f: f.n or 0)
            parts.append(_series(some, order.index(who) % COLORS, dashed, x, y, crosses))
    label = "; ".join(dict.fromkeys(who for _, who, _ in measured))
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}: time by n">{"".join(parts)}</svg>'
    )


def _series(figures: Sequence[Figure], color: int, dashed: bool, x: Scale, y: Scale, crosses: Counter[int]) -> str:
    """`crosses`: how many of them stand at the top already, by n."""
    found = [f for f in figures if f.ratio]
    path = " ".join(f"{x(f.n or 1):.1f},{y(f.ratio or 1):.1f}" for f in found)
    dash = ' stroke-dasharray="5 3"' if dashed else ""
    parts = [f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-width="2"{dash}/>'] if found else []
    for f in figures:
        at = x(f.n or 1)
        if not f.ratio:  # gave up
            cross = f"M{at - 3 - 10 * crosses[f.n or 1]:.1f} {TOP - 3}l6 6m0 -6l-6 6"
            crosses[f.n or 1] += 1
            parts.append(f'<path d="{cross}" stroke="currentColor" stroke-width="2"><title>{_told(f)}</title></path>')
            continue
        hollow = "var(--wash)" if "wrong" in f.note.lower() else "currentColor"
        whisker = f'x1="{at:.1f}" x2="{at:.1f}" y1="{y(f.low or f.ratio):.1f}" y2="{y(f.high or f.ratio):.1f}"'
        parts.append(f'<line {whisker} stroke="currentColor"/>')
        dot = f'cx="{at:.1f}" cy="{y(f.ratio):.1f}" r="3" fill="{hollow}" stroke="currentColor"'
        parts.append(f"<circle {dot}><title>{_told(f)}</title></circle>")
    return f'<g class="s{color}">{"".join(parts)}</g>'


def _told(f: Figure) -> str:
    ratio = f"{f.ratio:.1f}" if f.ratio else "no figure"
    n = f", n = {f.n}" if f.n else ""
    return escape(f"{f.who}{n}: {ratio}, {f.says} {f.note}".strip())


def _text(x: float, y: float, text: str, *, turn: bool = False) -> str:
    turned = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if turn else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{turned}>{escape(text)}</text>'


def bars(figures: Sequence[Figure]) -> str:
    """A bar for each figure on a logarithmic scale, with its quartiles."""
    step, left, width, top = 22, 330, 900, 8
    height = top + step * len(figures) + 40
    low = min(1.0, *(f.ratio or 1 for f in figures))
    x = Scale(low, max(10.0, *(f.high or 1 for f in figures)) * 1.3, left, width - 50)
    bottom = height - 36
    parts = [_text((left + width) / 2, height - 4, TIMES)]
    for tick in x.ticks():
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{top}" y2="{bottom}"/>')
        parts.append(_text(x(tick), bottom + 15, f"{tick:g}"))
    for i, f in enumerate(figures):
        y = top + step * i
        end, ratio = x(f.ratio or low), f.ratio or low
        name = f.case if f.who == "lawmage" else f"{f.case}, {f.who}"
        short = name if len(name) <= 48 else f"{name[:47]}…"
        label = f'<text class="name" x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(short)}'
        box = f'x="{left}" y="{y + 4}" width="{max(end - left, 1):.1f}" height="{step - 8}" rx="2" opacity=".75"'
        parts += [
            f"{label}<title>{escape(name)}</title></text>",
            f'<g class="s0"><rect {box} fill="currentColor"><title>{_told(f)}</title></rect></g>',
            f'<text x="{end + 6:.1f}" y="{y + 15}">{ratio:.{0 if ratio >= 10 else 1}f}</text>',
        ]
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="time by case">{"".join(parts)}</svg>'


def stacked(groups: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> str:
    """A bar for each group, made of its parts."""
    step, left, width, top = 30, 330, 900, 8
    height = top + step * len(groups) + 40
    most = max(sum(parts.values()) for parts in groups.values()) * 1.08
    bottom = height - 36
    texts = [_text((left + width) / 2, height - 4, TIMES)]
    unit = 10 ** floor(log10(most))
    ticks = [unit * k for k in range(int(most / unit) + 1)]

    def x(value: float) -> float:
        return left + value / most * (width - left - 20)

    for tick in ticks:
        texts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{top}" y2="{bottom}"/>')
        texts.append(_text(x(tick), bottom + 15, f"{tick:g}"))
    for i, (group, parts) in enumerate(groups.items()):
        y, at = top + step * i, 0.0
        texts.append(f'<text class="name" x="{left - 8}" y="{y + 19}" text-anchor="end">{escape(group)}</text>')
        for name in names:
            value = parts.get(name, 0.0)
            texts.append(
                f'<g class="s{names.index(name) % COLORS}"><rect x="{x(at):.1f}" y="{y + 5}" height="{step - 10}" '
                f'width="{max(x(at + value) - x(at), 0):.1f}" fill="currentColor"><title>{escape(name)}: {value:.1f}'
                "</title></rect></g>"
            )
            at += value
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="stages by question">{"".join(texts)}</svg>'
