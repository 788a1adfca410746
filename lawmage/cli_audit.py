"""The command `lawmage audit`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from .solver.audit import Disputed, Judged, Tally, Work
    from .solver.inputs import Line
    from .solver.outputs import Output


def audit(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT...", help="JSON Lines (also .gz, .zst), Parquet, a folder of documents, or -."),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the verdicts there (.jsonl, .parquet; a folder with --ray)."
        ),
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
    ray: Annotated[
        str, typer.Option("--ray", metavar="ADDRESS", help="Judge on a Ray cluster (auto: the one of this machine).")
    ] = "",
    cache: Annotated[
        str | None,
        typer.Option("--cache", metavar="FILE", help="Keep answers there, for the next audit with the same library."),
    ] = None,
    limit: Annotated[
        float,
        typer.Option(
            "--limit", metavar="SECONDS", min=0, help="The last resort for one case: processor time (60; 0: none)."
        ),
    ] = 60,
    memory: Annotated[
        int, typer.Option("--memory", metavar="MB", min=0, help="What each process may use (no limit of ours).")
    ] = 0,
    junit: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report, as CI reads it.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the counts as JSON, all else to standard error.")
    ] = False,
) -> None:
    """Judge cases: every answer against what the case expects.

    Prints each mismatch and ends with the counts. Exits with 1 when something is wrong or broken. Interrupted and
    started again with the same command, it goes on where it was.
    """
    from .junit import open_report
    from .solver.audit import Limits, Tally, Work

    _spare_inputs(inputs, output, junit, cache)
    tally = Tally(_read_disputed(disputed), slowest)
    aside = sys.stderr if as_json else sys.stdout
    work = Work(explain, Limits(limit, memory * 1_000_000), cache or "")
    with ExitStack() as stack:
        if ray:
            found = _on_cluster(ray, inputs, output, work, processes, stack)
        else:
            found = _here(inputs, output, work, processes, stack)
        report = stack.enter_context(closing(open_report(junit)))
        bar = stack.enter_context(_progress(inputs))
        told = False
        for judged, before in found:
            if tally.before and not before and not told:
                told = True
                if sys.stderr.isatty():
                    bar.say(f"going on after {tally.before} cases that were judged before", sys.stderr)
            tally.add(judged, before)
            report.add(judged, judged.id in tally.disputed)
            bar.advance(judged, tally)
            if not before and (judged.result in ("wrong", "error") or (show_unknown and judged.result == "unknown")):
                bar.say(_shown(judged, tally), aside)
        report.finish()
    _print_end(tally, by_kind, as_json)
    raise typer.Exit(1 if tally.failed else 0)


def audit_report(
    verdicts: Annotated[
        list[str],
        typer.Argument(metavar="VERDICTS...", help="What `lawmage audit --output` wrote, a folder of parts, or -."),
    ],
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write one page with plots, which needs nothing else.")
    ] = None,
    compare: Annotated[
        str | None, typer.Option("--compare", metavar="EARLIER", help="Begin with what has changed since these.")
    ] = None,
    most: Annotated[int, typer.Option("--most", metavar="N", min=1, help="Rows of each table (15).")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="Print all rows as JSON.")] = False,
) -> None:
    """Sum up what an audit found: by kind, verdict, reason, card and rule, worst first."""
    from .report import print_summary, summed_up, to_html
    from .solver.inputs import records_of
    from .wire import to_json

    _spare_inputs([*verdicts, *filter(None, [compare])], html)
    with ExitStack() as stack:
        before = records_of([compare], stack) if compare is not None else None
        summary = summed_up(records_of(verdicts, stack), before)
    if html is not None:
        Path(html).write_text(to_html(summary, f"Audit: {', '.join(verdicts)}", max(most, 50)), "utf-8")
    if as_json:
        print(to_json(summary.wire()))
    else:
        print_summary(summary, most, None if sys.stdout.isatty() else 160)


def _here(
    inputs: list[str], output: str | None, work: Work, processes: int | None, stack: ExitStack
) -> Iterator[tuple[Judged, bool]]:
    """Cases that are judged by processes of this machine, and whether they were judged before."""
    from .solver.audit import judge_all
    from .solver.inputs import lines_of
    from .solver.outputs import open_output

    lines = lines_of(inputs, stack)
    records = stack.enter_context(closing(open_output(output, _about(inputs, work))))

    def found() -> Iterator[tuple[Judged, bool]]:
        for judged in _recalled(records, lines):
            yield judged, True
        for judged in judge_all(lines, processes=processes, work=work, isolated=True):
            records.write(judged.record)
            yield judged, False
        records.finish()

    return found()


def _on_cluster(
    ray: str, inputs: list[str], output: str | None, work: Work, processes: int | None, stack: ExitStack
) -> Iterator[tuple[Judged, bool]]:
    """The same by the machines of a cluster, which read and write by themselves."""
    from .model.situation import FormatError
    from .solver.on_ray import Cluster
    from .solver.parts import Parts

    if "-" in (*inputs, output):
        raise FormatError("with --ray, inputs are files that all machines see, and the output is a folder")
    about = _about(inputs, work)
    cluster = stack.enter_context(closing(Cluster(ray, processes)))
    parts = None if output is None else stack.enter_context(closing(Parts(output, about, cluster.processors)))

    def found() -> Iterator[tuple[Judged, bool]]:
        for one in cluster.audit(inputs, parts, work):
            for judged in one.judged:
                yield judged, one.before
        if parts is not None:
            parts.finish()

    return found()


def _recalled(records: Output, lines: Iterator[Line]) -> Iterator[Judged]:
    """The cases that an interrupted audit has judged. Raises FormatError where they are not those of the input."""
    from .model.situation import FormatError
    from .solver.audit import OtherOutput, recalled

    try:
        for record in records.before():
            line = next(lines, None)
            if line is None:
                raise OtherOutput("it has more records than the input has cases")
            yield recalled(record, line)
    except OtherOutput as other:
        raise FormatError(
            f"the unfinished output is not that of this input (remove it to begin anew): {other}"
        ) from None


def _about(inputs: list[str], work: Work) -> dict[str, Any]:
    """What makes two audits the same, so that one goes on with the output of the other."""
    from .solver.cache import program_print

    files = [_looks(path) for path in inputs if path != "-"]
    return {"program": program_print().hex(), "inputs": inputs, "files": files, "work": list(work[:2])}


def _looks(path: str) -> list[Any]:
    """A file by its place, size and date; a folder by those of all that is read in it."""
    from .solver.blocks import looks_of
    from .solver.inputs import DOCUMENTS, TABLES, files_in

    if Path(path).is_dir():
        return [looks_of(str(inner)) for inner in files_in(Path(path), (*DOCUMENTS, *TABLES))]
    return looks_of(path)


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


def _spare_inputs(inputs: list[str], *outputs: str | None) -> None:
    """Opening an output empties it, so it must be none of the inputs."""
    from .model.situation import FormatError

    for output in outputs:
        if output and output != "-" and Path(output).resolve() in [Path(path).resolve() for path in inputs]:
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
    if tally.asked:
        about = "" if tally.distinct.exact else "about "
        print(f"different questions {about}{tally.distinct.count()} of {tally.asked}")
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


class _NoBar:
    """What shows how far an audit is where nobody looks."""

    def advance(self, judged: Judged, tally: Tally) -> None:
        pass

    def say(self, text: str, file: TextIO) -> None:
        print(text, file=file)


class _Bar(_NoBar):
    """A bar with rate and time left. It is redrawn when a case arrives, never by a thread of its own: the worker
    processes are forked, and threads do not go well with that."""

    def __init__(self, bar: Progress, total: int | None, in_cases: bool) -> None:
        self.bar = bar
        self.in_cases = in_cases
        self.task = bar.add_task("", total=total)
        self.clock = _Clock()

    def advance(self, judged: Judged, tally: Tally) -> None:
        self.bar.update(self.task, advance=1 if self.in_cases else judged.size)
        if self.clock.due():
            rate = (tally.cases - tally.before) / self.clock.seconds
            self.bar.update(self.task, description=f"{tally.cases:,} cases, {rate:,.0f}/s", refresh=True)

    def say(self, text: str, file: TextIO) -> None:
        """Above the bar, where both go to the terminal."""
        if file.isatty():
            self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=file)


@contextmanager
def _progress(inputs: Iterable[str]) -> Iterator[_NoBar]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield _NoBar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    total, in_cases = _size_of([Path(path) for path in inputs])
    left = (TimeRemainingColumn(), TextColumn("left")) if total is not None else ()
    columns = (BarColumn(), TextColumn("{task.description} ·"), TimeElapsedColumn(), *left)
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,  # what goes to a file stays there
        redirect_stderr=False,
    )
    with bar:
        yield _Bar(bar, total, in_cases)


def _size_of(paths: list[Path]) -> tuple[int | None, bool]:
    """How much there is to do, in bytes or in cases; None where files do not tell."""
    from .solver.outputs import count_rows

    if not all(path.is_file() for path in paths):
        return None, False
    if all(path.suffix == ".parquet" for path in paths):
        try:
            return sum(count_rows(str(path), path.open("rb")) for path in paths), True
        except Exception:  # a damaged file raises whatever pyarrow likes, and is told of when it is read
            return None, True
    if any(path.suffix in (".gz", ".zst", ".parquet") for path in paths):
        return None, False
    return sum(path.stat().st_size for path in paths), False


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
