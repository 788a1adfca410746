"""What an audit found, summed up: verdict records by kind, verdict, reason, card and rule, worst first.

records -> Summary (counts alone, so any number of records will do) -> tables -> terminal, or one HTML page
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

import msgspec

from .comparing import Earlier

RESULTS = ("wrong", "error", "unknown", "unchecked", "right")
BAD = ("wrong", "error", "unknown")
EXAMPLES = 3  # ids for each row
MOST_ROWS = 5_000  # of each table; rows that turn up later are counted together
OTHERS = "(others)"


class Row(NamedTuple):
    """One line of a table: how many records of each result there are, and which to look at."""

    name: str
    counts: Counter[str]
    examples: tuple[str, ...]

    @property
    def cases(self) -> int:
        return self.counts.total()


def _how_bad(row: Row) -> tuple[Any, ...]:
    """A wrong yes or no is worse than any other fault."""
    wrong_verdict = row.counts["wrong"] if _IN_PLACE_OF in row.name else 0
    return (-wrong_verdict, *(-row.counts[bad] for bad in BAD), -row.cases, row.name)


_IN_PLACE_OF = " in place of "


class _Rows:
    """The rows of one table while they are counted. A bad record is a better example than a good one."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.examples: dict[str, list[tuple[int, str]]] = {}

    def add(self, name: str, result: str, example: str, always: bool = False) -> None:
        """`always`: good records are worth showing, too."""
        if name not in self.counts and len(self.counts) >= MOST_ROWS:
            name = OTHERS
        self.counts.setdefault(name, Counter())[result] += 1
        kept = self.examples.setdefault(name, [])
        badness = RESULTS.index(result)
        if (always or result in BAD) and (len(kept) < EXAMPLES or badness < kept[-1][0]):
            kept.append((badness, example))
            kept.sort(key=lambda one: one[0])
            del kept[EXAMPLES:]

    def worst_first(self) -> list[Row]:
        rows = [
            Row(name, counts, tuple(example for _, example in self.examples.get(name, ())))
            for name, counts in self.counts.items()
        ]
        return sorted(rows, key=_how_bad)


class Summary:
    """Counts of verdict records. `broken`: lines that are no records. With the records of an `earlier` audit it begins
    with what has changed."""

    def __init__(self, earlier: Earlier | None = None) -> None:
        self.results: Counter[str] = Counter()
        self.broken = 0
        self.earlier = earlier
        self.tables = {name: _Rows() for name in (*(CHANGES if earlier is not None else ()), *TABLES)}

    def add(self, record: Mapping[str, Any]) -> None:
        result = record.get("result")
        if result not in RESULTS:
            self.broken += 1
            return
        self.results[result] += 1
        example = str(record.get("id") or f"line {record.get('line', '?')}")
        for name, names_of in TABLES.items():
            for row in dict.fromkeys(names_of(record)):
                self.tables[name].add(row, result, example)
        for change in self.earlier.changes(record) if self.earlier is not None else ():
            self.tables[change.table].add(change.name, result, example, always=True)

    def finish(self) -> None:
        """All records are there: what is left of the earlier ones is gone."""
        for result, n in self.earlier.gone().items() if self.earlier is not None else ():
            self.tables["by_change"].counts.setdefault(f"gone: {result}", Counter())[result] += n

    @property
    def cases(self) -> int:
        return self.results.total()

    def wire(self) -> dict[str, Any]:
        """The summary as JSON-ready data."""
        tables = {
            name: [{"name": r.name, "cases": r.cases, **_plain(r.counts), "examples": r.examples} for r in rows]
            for name, rows in ((name, table.worst_first()) for name, table in self.tables.items())
        }
        return {"cases": self.cases, **_plain(self.results), "broken": self.broken, **tables}


def _plain(counts: Counter[str]) -> dict[str, int]:
    return {result: counts[result] for result in RESULTS}


def summed_up(lines: Iterable[bytes], before: Iterable[bytes] | None = None) -> Summary:
    """The summary of a file of records; `before`: those of an earlier audit, with which it is compared."""
    summary = Summary(Earlier(record for record in _records(before) if record) if before is not None else None)
    for record in _records(lines):
        summary.add(record)
    summary.finish()
    return summary


def _records(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The records in lines, with an empty one for a line that is none."""
    for line in lines:
        if line.isspace():
            continue
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            record = None
        yield record if isinstance(record, dict) else {}


# --- what a record counts for ---------------------------------------------------------------------------------------


def _kinds(record: Mapping[str, Any]) -> Iterator[str]:
    yield str(record.get("kind") or "(kind not written)")


def _verdicts(record: Mapping[str, Any]) -> Iterator[str]:
    """The verdict, and the expected one where it is another."""
    answer = record.get("answer") or {}
    verdict = answer.get("verdict", "none: error")
    wanted = (record.get("expect") or {}).get("verdict", verdict)
    yield verdict if wanted == verdict or record["result"] == "error" else f"{verdict}{_IN_PLACE_OF}{wanted}"


def _reasons(record: Mapping[str, Any]) -> Iterator[str]:
    """Of an error: its text without what differs from case to case. Of a wrong answer: what was wrong. Of an unknown
    one: the codes, with the words where the code alone says little."""
    result = record["result"]
    if result == "error":
        yield _shape(str(record.get("error", "")))
    elif result == "wrong":
        yield from (f"wrong {key}" for key in _wrong_keys(record))
    elif result == "unknown":
        for reason in _because(record)[:1]:
            text = str(reason.get("text", ""))
            yield f"{reason.get('code')}: {_shape(text)}" if text else str(reason.get("code"))


def _wrong_keys(record: Mapping[str, Any]) -> list[str]:
    from .solver.compare import ExpectError, differences

    expect = record.get("expect") or {}
    try:
        return [key for key, _, _ in differences(expect, record.get("answer") or {})] or list(expect)
    except ExpectError:
        return list(expect)


def _cards(record: Mapping[str, Any]) -> Iterator[str]:
    """The cards whose text was not understood, and those that the reasons of a bad verdict speak of."""
    if record["result"] not in BAD:
        return
    answer = record.get("answer") or {}
    for unread in answer.get("unread", ()):
        yield str(unread.get("card"))
    for reason in _because(record):
        for name in reason.get("objects", ()):
            yield re.sub(r"#\d+$", "", str(name))


def _rules(record: Mapping[str, Any]) -> Iterator[str]:
    for rule in (record.get("answer") or {}).get("rules", ()):
        yield f"CR {rule}"


def _because(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list((record.get("answer") or {}).get("because", ()))


_PLACE = re.compile(r"^(?:line \d+|\S+:\d+): ")
# A quote within a word is an apostrophe.
_DIFFERS = re.compile(r"(?<!\w)'.*?'(?!\w)|\"[^\"]*\"|\{[^}]*\}|\d+")


def _shape(text: str) -> str:
    """A message without its place, and with dots for what it quotes and counts."""
    return _DIFFERS.sub("…", _PLACE.sub("", text))[:160]


# The tables, each with the rows that a record belongs to.
TABLES: dict[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "by_kind": _kinds,
    "by_verdict": _verdicts,
    "by_reason": _reasons,
    "by_card": _cards,
    "by_rule": _rules,
}
CHANGES = ("by_change", "by_answer")  # from an earlier audit
TITLES = {
    "by_change": "Results that have changed",
    "by_answer": "Answers that have changed",
    "by_kind": "Kinds of question",
    "by_verdict": "Verdicts",
    "by_reason": "Why: what is wrong, broken or unknown",
    "by_card": "Cards that wrong and unknown answers speak of",
    "by_rule": "Rules that answers rest on",
}


# --- the terminal ---------------------------------------------------------------------------------------------------


def print_summary(summary: Summary, most: int, width: int | None) -> None:
    """The tables, `most` rows each."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=width)
    if _unchanged(summary):
        console.print(UNCHANGED, "\n")
    for name, rows in _shown(summary, most):
        table = Table(title=TITLES[name], title_justify="left", box=None, header_style="bold", pad_edge=False)
        table.add_column("", overflow="fold")
        for column in ("cases", *RESULTS):
            table.add_column(column, justify="right")
        table.add_column("such as", overflow="fold")
        for row in rows:
            cells = [str(row.counts[result] or "·") for result in RESULTS]
            table.add_row(_markup(row.name), str(row.cases), *cells, _markup(", ".join(row.examples)))
        console.print(table)
        console.print()
    console.print(_told(summary), markup=False, highlight=False)


def _markup(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _shown(summary: Summary, most: int) -> Iterator[tuple[str, list[Row]]]:
    for name, table in summary.tables.items():
        if rows := table.worst_first()[:most]:
            yield name, rows


def _unchanged(summary: Summary) -> bool:
    return summary.earlier is not None and not any(summary.tables[name].counts for name in CHANGES)


UNCHANGED = "Nothing has changed since the earlier audit."


def _told(summary: Summary) -> str:
    parts = [f"cases {summary.cases}", *(f"{result} {summary.results[result]}" for result in RESULTS)]
    if summary.broken:
        parts.append(f"lines that are no records {summary.broken}")
    return " · ".join(parts)


# --- the page -------------------------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; --wrong: #c62828; --error: #8e24aa; --unknown: #ef9b0f; --unchecked: #90a4ae;
  --right: #2e7d32; --line: #8884; }
@media (prefers-color-scheme: dark) {
  :root { --wrong: #ef5350; --error: #ba68c8; --unknown: #ffb74d; --unchecked: #78909c; --right: #66bb6a; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .4rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .2rem .5rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { border-bottom: 2px solid var(--line); } td { border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left; white-space: normal; }
td:first-child { width: 26%; min-width: 11rem; overflow-wrap: break-word; }
td:nth-child(2) { width: 14%; min-width: 7rem; padding-top: .5rem; }
td:last-child { width: 28%; min-width: 14rem; overflow-wrap: anywhere; opacity: .8; font-size: .9em; }
td svg { display: block; } td.none { opacity: .35; } .wrong { color: var(--wrong); font-weight: 600; }
.key span { display: inline-block; margin-right: 1.4rem; } .key i { display: inline-block; width: .8rem;
  height: .8rem; margin-right: .35rem; border-radius: 2px; vertical-align: -1px; } .key small { opacity: .7; }
footer { margin-top: 3rem; opacity: .7; }
"""


def to_html(summary: Summary, title: str, most: int) -> str:
    """One page with everything in it: nothing is loaded from elsewhere."""
    sections = "".join(_section(name, rows) for name, rows in _shown(summary, most))
    key = "".join(
        f'<span><i style="background: var(--{result})"></i>{result} {summary.results[result]:,}'
        f" <small>{_percent(summary.results[result], summary.cases)}</small></span>"
        for result in RESULTS
    )
    broken = f"<p>{summary.broken:,} lines are no records.</p>" if summary.broken else ""
    broken += f"<p>{UNCHANGED}</p>" if _unchanged(summary) else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n<p>{summary.cases:,} cases</p>\n"
        f'{_bar(summary.results, summary.cases, 100, 24)}\n<p class="key">{key}</p>{broken}\n{sections}'
        "<footer>Worst first: wrong answers, then errors, then unknown ones.</footer></body></html>\n"
    )


def _percent(n: int, of: int) -> str:
    return f"{100 * n / of:.1f} %" if of else ""


def _section(name: str, rows: list[Row]) -> str:
    heads = "".join(f"<th>{column}</th>" for column in ("", "", "cases", *RESULTS, "such as"))
    longest = max(row.cases for row in rows)
    body = "".join(_row(row, longest) for row in rows)
    table = f"<table><tr>{heads}</tr>\n{body}</table>"
    return f'<h2>{escape(TITLES[name])}</h2>\n<div class="wide">{table}</div>\n'


def _row(row: Row, longest: int) -> str:
    cells = "".join(_cell(result, row.counts[result]) for result in RESULTS)
    plot = _bar(row.counts, row.cases, 100 * row.cases / longest, 14)
    examples = escape(", ".join(row.examples))
    return f"<tr><td>{escape(row.name)}</td><td>{plot}</td><td>{row.cases:,}</td>{cells}<td>{examples}</td></tr>\n"


def _cell(result: str, n: int) -> str:
    return f'<td class="{result}">{n:,}</td>' if n else '<td class="none">·</td>'


def _bar(counts: Counter[str], cases: int, width: float, height: int) -> str:
    """A bar as wide as there are cases, in the colors of their results."""
    at = 0.0
    parts = []
    for result in RESULTS:
        if part := counts[result]:
            wide = width * part / (cases or 1)
            told = f"<title>{result} {part}</title>"
            color = f'style="fill: var(--{result})"'
            parts.append(f'<rect x="{at:.3f}" y="0" width="{wide:.3f}" height="10" {color}>{told}</rect>')
            at += wide
    box = f'viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {box}>{"".join(parts)}</svg>'
