"""One HTML page of a run, with plots, that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from .measure import Figure
from .plots import COLORS, bars, key_of, lines, stacked
from .report import GROWTH_PARTS, Run, grown, judged, marks, wrong

ABOUT = {
    "counts": "Exact counts of fixed boards, reached by CP-SAT enumeration and by the brute-force reference. Both have "
    "to reach the number in the file.",
    "stages": "One question on 20 and on 200 permanents, stage by stage, and what part of the whole each stage is.",
    "freezes": "Boards on which other programs are reported to freeze, and hard ones of our own: the whole answer with "
    "its best plan.",
    "scaling": "A verdict on a new board as the board grows, whole, and its compiling and solving alone. Both axes are "
    "logarithmic: a straight line is a power of n, and its slope the exponent.",
    "growth": "Exponents fitted by least squares on logarithms. What compiles and solves works on classes of "
    "permanents that are alike; the plan names every permanent that it taps.",
    "peers": "The same question by other means. Hollow marks are wrong answers, crosses at the top are peers that gave "
    "up. Most peers decide that one question only; ours includes the rules and a plan that was replayed.",
    "xmage": "The boards of XMage's own test of mana options: every maximal pool. Then those pools as costs.",
    "karsten": "How many sources of a color a deck needs so that at least 89 + N percent of the games with N lands on "
    "turn N can pay a cost of mana value N, by exact chances over exact payments.",
    "audits": "Whole audits against what was promised of them.",
    "bulk": "Random small boards, from their JSON lines on, in one process.",
}
STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1d21; --soft: #5d616b; --line: #d9dbe1; --wash: #f5f6f8;
--good: #11743c; --bad: #b3261e; --s0: #2456c4; --s1: #c2410c; --s2: #0f7b6c; --s3: #8b3fb5; --s4: #a16207;
--s5: #be185d; --s6: #4b5563; --s7: #4d7c0f; --s8: #111318; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171b; --ink: #e6e7ea; --soft: #a3a7b2; --line: #34363e;
--wash: #1f2126; --good: #5fd08c; --bad: #ff8a80; --s0: #82aaff; --s1: #ffa066; --s2: #4fd1be; --s3: #d2a0ff;
--s4: #e9c46a; --s5: #ff8fbd; --s6: #9aa1ae; --s7: #a9d86e; --s8: #ffffff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 74rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 3rem 0 .2rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
p { margin: .3rem 0 .8rem; max-width: 46rem; color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: .3rem .9rem; margin: .8rem 0; } a { color: var(--s0); }
.wide { overflow-x: auto; margin: .6rem 0 1.2rem; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
td, th { text-align: left; padding: .22rem .8rem .22rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
overflow-wrap: break-word; } th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
details { margin: .8rem 0; } summary { cursor: pointer; color: var(--soft); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; background: var(--wash); border-radius: 8px; padding: .7rem .7rem .4rem; }
figure.full { grid-column: 1 / -1; } figcaption { font-weight: 600; font-size: 14px; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
svg .grid { stroke: var(--line); } svg .name { fill: var(--ink); }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: 13px; margin: .6rem 0; }
.key i { display: inline-block; width: 1.4rem; border-top: 3px solid; vertical-align: middle; margin-right: .35rem; }
.key i.dashed { border-top-style: dashed; }
"""
STYLE += "".join(f".s{i} {{ color: var(--s{i}); }} " for i in range(COLORS))


def page(run: Run) -> str:
    suites = run.suites()
    unit, (low, high) = run.unit_seconds, run.unit_spread
    versions = (("lawmage", run.version), ("Python", run.python), ("ortools", run.ortools), ("", run.machine))
    about = ", ".join(f"{name} {value}".strip() for name, value in versions if value)
    body = [
        "<h1>Benchmarks of lawmage</h1>",
        f"<p>{escape(about)}{', a quick run' if run.quick else ''}. Every time is a multiple of solving an empty "
        f"CP-SAT model, measured right before and after it: {1e6 * unit:.0f} µs in this run, mostly {1e6 * low:.0f} to "
        f"{1e6 * high:.0f}. Figures are medians with quartiles.</p>",
        f"<nav>{''.join(f'<a href=#{name}>{name}</a>' for name in suites)}</nav>",
    ]
    if bad := wrong(run):
        body.append(f'<p class="bad">{len(bad)} answers are wrong.</p>')
    body += _marks(run)
    for name, figures in suites.items():
        body.append(f'<section id="{name}"><h2>{name.capitalize()}</h2><p>{escape(ABOUT.get(name, ""))}</p>')
        body += SECTIONS.get(name, _plain)(figures)
        body.append("</section>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Benchmarks of lawmage</title><style>{STYLE}</style></head><body><main>{''.join(body)}</main></body>"
        "</html>\n"
    )


def _marks(run: Run) -> Iterator[str]:
    rows = [
        f"<tr><td>{escape(m.what)}<td class=n>{m.wanted:g}<td class=n>{m.got:.2f}"
        f'<td class="{"good" if m.met else "bad"}">{"met" if m.met else "missed"}'
        for m in marks(run)
    ]
    if rows:
        yield f"<h2>Marks</h2>{_wide('<tr><th>what is wanted<th class=n>at most<th class=n>reached<th>', rows)}"


def _wide(head: str, rows: Iterable[str]) -> str:
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div>'


# --- sections ---------------------------------------------------------------------------------------------------------


def _plain(figures: Sequence[Figure]) -> Iterator[str]:
    yield _table(figures, folded=len(figures) > 30)


def _table(figures: Sequence[Figure], *, folded: bool) -> str:
    head = "<tr><th>case<th>who<th class=n>n<th class=n>median<th class=n>quartiles<th>says<th>"
    rows = []
    for f in figures:
        median = "" if f.ratio is None else f"{f.ratio:.1f}"
        spread = "" if f.low is None or f.high is None else f"{f.low:.1f} – {f.high:.1f}"
        bad = ' class="bad"' if f.note.startswith("WRONG") else ""
        rows.append(
            f"<tr><td>{escape(f.case)}<td>{escape(f.who)}<td class=n>{'' if f.n is None else f.n}<td class=n>{median}"
            f"<td class=n>{spread}<td>{escape(f.says)}<td{bad}>{escape(f.note)}"
        )
    found = _wide(head, rows)
    return f"<details><summary>{len(rows)} figures</summary>{found}</details>" if folded else found


def _figure(caption: str, svg: str, *, full: bool = False) -> str:
    return f"<figure{' class=full' if full else ''}><figcaption>{escape(caption)}</figcaption>{svg}</figure>"


def _stages(figures: Sequence[Figure]) -> Iterator[str]:
    parts = [f for f in figures if f.case.startswith("parts of ")]
    if parts:
        names = list(dict.fromkeys(f.who for f in parts))
        groups: dict[str, dict[str, float]] = {}
        for f in parts:
            groups.setdefault(f"{f.case.removeprefix('parts of ')}, {f.n} permanents", {})[f.who] = f.ratio or 0
        yield key_of([(name, i, "") for i, name in enumerate(names)])
        yield f'<div class="plots">{_figure("Stages of a question", stacked(groups, names), full=True)}</div>'
    yield _table([f for f in figures if f not in parts], folded=False)


def _bars(figures: Sequence[Figure]) -> Iterator[str]:
    measured = [f for f in figures if f.ratio is not None]
    yield f'<div class="plots">{_figure("Time of the whole answer", bars(measured), full=True)}</div>'
    yield _table(figures, folded=True)


def _xmage(figures: Sequence[Figure]) -> Iterator[str]:
    yield from _bars(figures)
    for f in figures:
        if f.case == "the pools as costs":
            yield f"<p>{escape(f'{f.case}, {f.who}: {f.says or f.note}')}.</p>"


def _scaling(figures: Sequence[Figure]) -> Iterator[str]:
    """One plot for each family; colors are what is measured, and lines are dashed where the answer is no."""
    order = list(dict.fromkeys(f.who for f in figures))
    styles = (("yes", ""), ("no", "dashed"))
    yield key_of([(f"{who}, {says}", i, style) for i, who in enumerate(order) for says, style in styles])
    groups: dict[str, list[tuple[Figure, str, bool]]] = {}
    for f in figures:
        name, _, verdict = f.case.rpartition(": ")
        groups.setdefault(name, []).append((f, f.who, verdict == "no"))
    plots = [_figure(name, lines(some, order, "n")) for name, some in groups.items()]
    yield f'<div class="plots">{"".join(plots)}</div>'
    yield _table(figures, folded=True)


def _peers(figures: Sequence[Figure]) -> Iterator[str]:
    asked = [f for f in figures if f.n is not None]
    order = list(dict.fromkeys(f.who for f in asked))
    yield key_of([(who, i, "") for i, who in enumerate(order)])
    groups: dict[str, list[tuple[Figure, str, bool]]] = {}
    for f in asked:
        groups.setdefault(f.case, []).append((f, f.who, False))
    plots = [_figure(name, lines(some, order, "n")) for name, some in groups.items()]
    yield f'<div class="plots">{"".join(plots)}</div>'
    for f in figures:
        if f.n is None:
            yield f"<p>{escape(f.who)}: {escape(f.note)}.</p>"
    yield _table(asked, folded=True)


def _growth(figures: Sequence[Figure]) -> Iterator[str]:
    head = "<tr><th>family" + "".join(f"<th class=n>{part}" for part in GROWTH_PARTS) + "<th>"
    rows = []
    for case, parts in grown(list(figures)).items():
        cells = "".join(f"<td class=n>{escape(parts[p].says) if p in parts else ''}" for p in GROWTH_PARTS)
        note = judged(parts)
        style = "bad" if note.startswith("MORE") else "good"
        rows.append(f'<tr><td>{escape(case)}{cells}<td class="{style}">{escape(note)}')
    yield _wide(head, rows)


_CELL = re.compile(r"(\d+) cards, (\d+) lands: (\w+)")


def _karsten(figures: Sequence[Figure]) -> Iterator[str]:
    """The tables as tables: what was computed, and what was published where that differs."""
    cells: dict[str, dict[str, Figure]] = {}
    others = []
    for f in figures:
        found = _CELL.fullmatch(f.case)
        if found is None:
            others.append(f)
        else:
            cells.setdefault(found[3], {})[f"{found[1]} cards, {found[2]} lands"] = f
    decks = list(dict.fromkeys(deck for row in cells.values() for deck in row))
    head = "<tr><th>cost" + "".join(f"<th class=n>{deck}" for deck in decks)
    rows = [f"<tr><td>{cost}" + "".join(_cell(row[deck]) for deck in decks) for cost, row in cells.items()]
    yield _wide(head, rows)
    yield from _plain(others)


def _cell(f: Figure) -> str:
    sources, _, chance = f.says.partition(" sources, ")
    differs = not f.note.startswith("as published")
    more = f'<br><span class="bad">{escape(f.note)}</span>' if differs else ""
    return f"<td class=n>{escape(sources)} <small>({escape(chance)})</small>{more}"


SECTIONS = {
    "stages": _stages,
    "freezes": _bars,
    "scaling": _scaling,
    "growth": _growth,
    "peers": _peers,
    "xmage": _xmage,
    "karsten": _karsten,
}
