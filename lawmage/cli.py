"""The command line: it reads what was asked, asks, and prints. Exit code 0 whatever the verdict, 2 on bad input.

Only typer is imported at the start; each command imports the rest when it runs, so that `--help` and a first look-up
of a card are quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import __version__, cli_cards, cli_import, graphs
from .cli_audit import audit, audit_report
from .cli_what_if import Tapped, With, Without, which_land

if TYPE_CHECKING:
    from .model.situation import Document

app = typer.Typer(
    name="lawmage",
    help="The exact mana and legality oracle for Magic: The Gathering.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)

You = Annotated[str, typer.Option("--you", metavar="CARDS", help="What you control: names and counts, after commas.")]
Opponent = Annotated[
    list[str] | None,
    typer.Option("--opponent", metavar="CARDS", help="What an opponent controls; once for each opponent."),
]
Hand = Annotated[str, typer.Option("--hand", metavar="CARDS", help="The cards in your hand.")]
Graveyard = Annotated[str, typer.Option("--graveyard", metavar="CARDS", help="The cards in your graveyard.")]
Pool = Annotated[str, typer.Option("--pool", metavar="MANA", help='Mana in your pool, such as "{R}{G}".')]
Life = Annotated[int | None, typer.Option("--life", metavar="N", help="Your life total (20).")]
X = Annotated[str | None, typer.Option("--x", metavar="N|max", help="The value of X, or max for the greatest.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"lawmage {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


@app.command()
def ask(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A situation with its questions; - for standard input.")],
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """Answer the questions of a file: YAML or JSON, a situation with `query` or `queries`."""
    from .cli_what_if import edited, edits_of
    from .document import read_file

    _print_answers(edited(read_file(file), edits_of(without, with_, tapped)), as_json)


@app.command("could-produce")
def could_produce(
    permanent: Annotated[str, typer.Argument(metavar="NAME", help="One of the permanents.")],
    you: You = "",
    opponent: Opponent = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """Every type of mana that a permanent could produce (CR 106.7)."""
    _one_liner(
        {"kind": "could_produce", "permanent": permanent}, as_json, (without, with_, tapped), you=you, opponent=opponent
    )


@app.command()
def outcomes(
    permanent: Annotated[str, typer.Argument(metavar="NAME", help="One of the permanents.")],
    you: You = "",
    opponent: Opponent = None,
    ability: Annotated[int | None, typer.Option("--ability", metavar="N", help="Only this ability.")] = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """Everything that the mana of a permanent's mana abilities could be."""
    query = {"kind": "outcomes", "permanent": permanent, "ability": ability}
    _one_liner(query, as_json, (without, with_, tapped), you=you, opponent=opponent)


@app.command("can-pay")
def can_pay(
    cost: Annotated[str, typer.Argument(metavar="COST", help='A mana cost, such as "{2}{U}{U}".')],
    you: You = "",
    opponent: Opponent = None,
    hand: Hand = "",
    graveyard: Graveyard = "",
    pool: Pool = "",
    life: Life = None,
    x: X = None,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="COST", help="A cost that must be payable afterwards.")
    ] = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """Can this cost be paid now?"""
    query = {"kind": "can_pay", "cost": cost, "x": _x(x), "keep": keep}
    board = {"you": you, "opponent": opponent, "hand": hand, "graveyard": graveyard, "pool": pool, "life": life}
    _one_liner(query, as_json, (without, with_, tapped), **board)


@app.command()
def mana(
    you: You = "",
    opponent: Opponent = None,
    hand: Hand = "",
    pool: Pool = "",
    life: Life = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="List at most N pools (1000).")] = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """The pools of mana that you could assemble now."""
    query = {"kind": "mana", "limit": limit}
    _one_liner(query, as_json, (without, with_, tapped), you=you, opponent=opponent, hand=hand, pool=pool, life=life)


@app.command("can-cast")
def can_cast(
    card: Annotated[str, typer.Argument(metavar="CARD", help="A card; it is put into your hand if no zone has it.")],
    you: You = "",
    opponent: Opponent = None,
    hand: Hand = "",
    graveyard: Graveyard = "",
    pool: Pool = "",
    life: Life = None,
    zone: Annotated[str | None, typer.Option("--zone", help="Where it is cast from (hand).")] = None,
    x: X = None,
    using: Annotated[
        list[str] | None, typer.Option("--using", metavar="WORD", help="kicker, flashback, convoke and the like.")
    ] = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """May this card be cast now: timing, prohibitions, total cost and payment?"""
    query = {"kind": "can_cast", "card": card, "zone": zone, "x": _x(x), "using": using or None}
    board = {"you": you, "opponent": opponent, "hand": hand, "graveyard": graveyard, "pool": pool, "life": life}
    _one_liner(query, as_json, (without, with_, tapped), **board)


@app.command("can-activate")
def can_activate(
    permanent: Annotated[str, typer.Argument(metavar="NAME", help="One of your permanents.")],
    you: You = "",
    opponent: Opponent = None,
    ability: Annotated[str | None, typer.Option("--ability", metavar="N|TEXT", help="Its number, or text (1).")] = None,
    hand: Hand = "",
    graveyard: Graveyard = "",
    pool: Pool = "",
    life: Life = None,
    x: X = None,
    without: Without = None,
    with_: With = None,
    tapped: Tapped = None,
    as_json: Json = False,
) -> None:
    """May an activated ability of a permanent be activated now?"""
    number = int(ability) if ability is not None and ability.isdigit() else ability
    query = {"kind": "can_activate", "permanent": permanent, "ability": number, "x": _x(x)}
    board = {"you": you, "opponent": opponent, "hand": hand, "graveyard": graveyard, "pool": pool, "life": life}
    _one_liner(query, as_json, (without, with_, tapped), **board)


app.command("audit")(audit)
app.command("audit-report")(audit_report)
app.add_typer(cli_import.app, name="import", help="Read files of Forge and XMage, and lists of decks.")
app.command("which-land")(which_land)
app.command("graph")(graphs.command)
app.add_typer(cli_cards.app, name="cards", help="The card library: look cards up, build and update it.")


@app.command()
def schema(as_json: Json = False) -> None:
    """Print the JSON Schema of situations, questions, cases and answers."""
    del as_json  # it is JSON either way
    from .model.situation import schema as json_schema
    from .wire import to_json

    print(to_json(json_schema()))


# --- asking and printing --------------------------------------------------------------------------------------------


def _x(written: str | None) -> int | str | None:
    return int(written) if written is not None and written.isdigit() else written


Options = tuple[list[str] | None, list[str] | None, list[str] | None]


def _one_liner(
    query: dict[str, Any], as_json: bool, options: Options, *, opponent: Sequence[str] | None, **board: Any
) -> None:
    from .cli_what_if import edited, edits_of
    from .document import board_lines, build_document

    asked = {key: value for key, value in query.items() if value is not None}
    given = {key: value for key, value in board.items() if value is not None}
    document = build_document(asked, opponent=tuple(opponent or ()), beginnings=True, **given)
    edits = edits_of(*options)
    document = edited(document, edits)
    if not as_json:
        from .words import describe_action

        for line in board_lines(document):
            print(line)
        for edit in edits:
            print(f"What if: {describe_action(edit)}")
    _print_answers(document, as_json, repeat=True)


def _print_answers(document: Document, as_json: bool, repeat: bool = False) -> None:
    """`repeat`: JSON answers say what was asked, since short forms were filled in."""
    from .api import answers

    if not as_json:
        for number, reply in enumerate(answers(document)):
            print(reply if not number else f"\n{reply}")
        return
    import msgspec

    from .wire import to_json

    replies = [reply.wire() for reply in answers(document)]
    if repeat:
        situation, query = msgspec.to_builtins((document.situation, document.queries[0]))
        replies[0]["asked"] = {"situation": situation, "query": query}
    print(to_json(replies[0] if document.single else replies))


# --- the entry point ------------------------------------------------------------------------------------------------

# The exception of all usage errors; older versions of typer take it from click, newer ones bring their own.
_USAGE_ERROR: Any = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


INTERRUPTED = 130  # the exit code that shells know


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code. What the user got wrong is one line on standard error."""
    try:
        result = app(list(arguments), prog_name="lawmage", standalone_mode=False)
        sys.stdout.flush()
        return _interrupted() if result == INTERRUPTED else int(result or 0)
    except _USAGE_ERROR as bad:
        return _complain(bad.format_message())
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except OSError as bad:
        return _complain(f"{bad.filename}: {bad.strerror}" if bad.filename else str(bad))
    except Exception as bad:
        code = _code_of(bad)
        if code is None:
            raise
        return _complain(str(bad), code)


# Errors of this package that quote what somebody wrote (2), and that say what failed outside of it (1). They are known
# by name: importing all of their homes would take longer than most answers.
_CODES = {
    "FormatError": 2,
    "ManaError": 2,
    "CardNameError": 2,
    "LibraryError": 2,
    "RecordError": 2,
    "TruthError": 2,
    "UpdateError": 1,
}


def _code_of(error: Exception) -> int | None:
    """The exit code for an error; None for a fault of ours, which keeps its traceback."""
    own = (kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith(f"{__package__}."))
    return next((_CODES[name] for name in own if name in _CODES), None)


def _interrupted() -> int:
    return _complain("interrupted", INTERRUPTED)


def _complain(why: str, code: int = 2) -> int:
    print(f"lawmage: {' '.join(why.split())}", file=sys.stderr)
    return code
