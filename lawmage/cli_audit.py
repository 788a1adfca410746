"""The command `lawmage audit`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from .solver.audit import Disputed, Judged, Tally


def audit(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="JSON Lines (also .gz, .zst), a folder of documents, or -.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the verdict records to this file.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Put the reasons into the records in words.")] = False,
    disputed: Annotated[
        str | None, typer.Option("--disputed", metavar="FILE", help="YAML list of {id, rule, reason} to count apart.")
    ] = None,
    by_kind: Annotated[bool, typer.Option("--by-kind", help="Add a table by kind of question.")] = False,
    slowest: Annotated[int, typer.Option("--slowest", metavar="N", min=0, help="End with the N slowest cases.")] = 0,
    show_unknown: Annotated[bool, typer.Option("--show-unknown", help="List the unknown cases, too.")] = False,
    processes: Annotated[
        int | None, typer.Option("--processes", metavar="N", min=1, help="How many to use (all cores).")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the counts as JSON, all else to standard error.")
    ] = False,
) -> None:
    """Judge cases: every answer against what the case expects.

    Prints each mismatch and ends with the counts. Exits with 1 when something is wrong or broken.
    """
    from .solver.audit import Tally, judge_all
    from .solver.inputs import lines_of

    _spare_inputs(inputs, output)
    tally = Tally(_read_disputed(disputed), slowest)
    aside = sys.stderr if as_json else sys.stdout
    with ExitStack() as stack:
        lines = lines_of(inputs, stack)
        records = stack.enter_context(open(output, "wb")) if output else None
        advance = stack.enter_context(_progress(inputs))
        for judged in judge_all(lines, processes=processes, explain=explain):
            tally.add(judged)
            if records:
                records.write(judged.record + b"\n")
            advance(judged, tally)
            if judged.result in ("wrong", "error") or (show_unknown and judged.result == "unknown"):
                print(_shown(judged, tally), file=aside)
    _print_end(tally, by_kind, as_json)
    raise typer.Exit(1 if tally.failed else 0)


def _read_disputed(path: str | None) -> dict[str, Disputed]:
    from .model.situation import FormatError
    from .solver.audit import read_disputed

    if path is None:
        return {}
    try:
        return read_disputed(Path(path).read_text("utf-8"))
    except ValueError as bad:
        raise FormatError(str(bad), path) from None


# --- input ----------------------------------------------------------------------------------------------------------


def _spare_inputs(inputs: list[str], output: str | None) -> None:
    """Opening the output empties it, so it must be none of the inputs."""
    from .model.situation import FormatError

    if output and Path(output).resolve() in [Path(path).resolve() for path in inputs]:
        raise FormatError("the output is one of the inputs", output)


# --- output ---------------------------------------------------------------------------------------------------------


def _shown(judged: Judged, tally: Tally) -> str:
    """A case that needs attention: what it is, then expected and actual, or why it could not be answered."""
    head = f"{judged.result} {judged.id or '(no id)'} ({judged.kind}, {judged.place})"
    if judged.id in tally.disputed:
        head = f"disputed, {head}"
    return "\n  ".join([head, *judged.details])


def _print_end(tally: Tally, by_kind: bool, as_json: bool) -> None:
    from .wire import to_json

    if as_json:
        print(to_json(tally.wire()))
        return
    if by_kind:
        _print_table(tally)
    for seconds, case_id, kind in tally.slowest:
        print(f"{seconds:8.3f} s  {case_id} ({kind})")
    if unchecked := tally.counts()["unchecked"]:
        print(f"unchecked {unchecked} (without expect)")
    if tally.disputed_results:
        print(f"disputed {len(tally.disputed_results)}, in none of the other counts:")
    for case_id, result in tally.disputed_results.items():
        case = tally.disputed[case_id]
        print(f"  {case_id}: {result} (CR {case.rule}: {case.reason})")
    print(tally.summary())


def _print_table(tally: Tally) -> None:
    from rich.console import Console
    from rich.table import Table

    from .solver.audit import RESULTS

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("kind")
    for column in ("cases", *RESULTS, "right %", "most often unknown for"):
        table.add_column(column, justify="left" if column.startswith("most") else "right")
    for kind, counts in sorted(tally.by_kind.items()):
        cases = counts.total()
        reasons = [f"{code} {n}" for (k, code), n in tally.reasons.most_common() if k == kind]
        cells = [str(counts[result] or "·") for result in RESULTS]
        table.add_row(kind, str(cases), *cells, f"{100 * counts['right'] / cases:.0f}", ", ".join(reasons[:3]))
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)


@contextmanager
def _progress(inputs: Iterable[str]) -> Iterator[Callable[[Judged, Tally], None]]:
    """A bar with rate and time left on a terminal, nothing elsewhere. It is redrawn when a case arrives, never by a
    thread of its own: the worker processes are forked, and threads do not go well with that."""
    if not sys.stderr.isatty():
        yield lambda judged, tally: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    paths = [Path(path) for path in inputs]
    total = sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=total)
        clock = _Clock()

        def advance(judged: Judged, tally: Tally) -> None:
            bar.update(task, advance=judged.size)
            if clock.due():
                rate = tally.cases / clock.seconds
                bar.update(task, description=f"{tally.cases} cases, {rate:,.0f}/s", refresh=True)

        yield advance


class _Clock:
    """Says at most ten times a second that it is time to draw."""

    def __init__(self) -> None:
        from time import monotonic

        self.now = monotonic
        self.start = self.last = monotonic()

    @property
    def seconds(self) -> float:
        return self.now() - self.start or 1e-9

    def due(self) -> bool:
        if self.now() - self.last < 0.1:
            return False
        self.last = self.now()
        return True
