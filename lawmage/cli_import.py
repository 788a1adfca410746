"""The commands `lawmage import …`: files of other programs become documents, and decks are asked what they can cast."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from .importers.common import Imported
    from .importers.draws import Chances

app = typer.Typer(no_args_is_help=False)

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files, or - for standard input.")]
Cases = Annotated[bool, typer.Option("--cases", help="Print cases for `lawmage audit`, one for each question.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON rather than YAML.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 where something could not be taken over.")]


@app.command()
def forge(files: Files, cases: Cases = False, as_json: Json = False, strict: Strict = False) -> None:
    """Import puzzles of Forge and the states that its developer mode saves.

    The questions are which mana there could be, and whether each card in hand can be cast.
    """
    from .importers.common import read_text
    from .importers.forge import read_forge
    from .model.cards import default_library

    library = default_library()
    _print((file, read_forge(read_text(file), library, file)) for file in files)(cases, as_json, strict)


@app.command()
def xmage(
    files: Files,
    group: Annotated[str, typer.Option("--group", metavar="NAME", help="Which group of lines (the first).")] = "",
    cases: Cases = False,
    as_json: Json = False,
    strict: Strict = False,
) -> None:
    """Import XMage's init notation: lines such as battlefield:Human:Forest:2."""
    from .importers.common import read_text
    from .importers.xmage import read_xmage
    from .model.cards import default_library

    library = default_library()
    _print((file, read_xmage(read_text(file), library, file, group)) for file in files)(cases, as_json, strict)


@app.command()
def deck(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A list of a deck: Arena, MTGO or plain; - is allowed.")],
    card: Annotated[str | None, typer.Option("--cast", metavar="CARD", help="Which draws can cast this card?")] = None,
    lands: Annotated[
        int | None, typer.Option("--lands", metavar="N", min=0, help="N lands of the deck, whatever else is drawn.")
    ] = None,
    hand: Annotated[int, typer.Option("--hand", metavar="N", min=1, help="Opening hands of N cards (7).")] = 7,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="At most N of the lands in hand are played.")
    ] = None,
    any_hand: Annotated[bool, typer.Option("--any-hand", help="Count hands without the card, too.")] = False,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, help="Where there are more kinds of hand, deal N (20000).")
    ] = 20_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the hands that are dealt.")] = 1,
    show: Annotated[int, typer.Option("--show", metavar="N", min=0, help="List the N likeliest kinds (5).")] = 5,
    as_json: Json = False,
) -> None:
    """Read a list of a deck; with --cast, say which opening hands or lands of it can cast a card."""
    from .importers.common import known_name, read_text
    from .importers.decks import read_deck
    from .importers.draws import Question, chances
    from .model.cards import default_library
    from .model.situation import FormatError
    from .wire import to_json

    library = default_library()
    found = read_deck(read_text(file), library, file)
    _tell(file, found.left_out)
    if card is None:
        parts = {key: dict(getattr(found, key)) for key in found._fields[:4] if getattr(found, key)}
        if as_json:
            print(to_json(parts))
            return
        for key, cards in parts.items():
            print(f"{key} {sum(cards.values())}")
            for name, n in cards.items():
                print(f"  {n} {name}")
        return
    whole = known_name(library, card) or library.find_beginning(card).card.name
    if lands is None and not any_hand and not found.main[whole] and not found.commander[whole]:
        raise FormatError(f"the deck has no {whole}: say --lands or --any-hand", file)
    asked = Question(whole, lands, hand, turn, not any_hand)
    _print_chances(chances(found, asked, library, most=most, seed=seed), asked, show, as_json)


# --- printing -------------------------------------------------------------------------------------------------------


class _print:
    """Prints what was imported from each file, in one of the forms."""

    def __init__(self, imported: Iterable[tuple[str, Imported]]) -> None:
        self.imported = imported

    def __call__(self, cases: bool, as_json: bool, strict: bool) -> None:
        told = False
        for number, (file, one) in enumerate(self.imported):
            told |= _tell(file, one.left_out)
            if cases:
                self.cases(file, one)
            else:
                self.document(one, number, as_json)
        if strict and told:
            raise typer.Exit(1)

    def cases(self, file: str, one: Imported) -> None:
        from pathlib import Path

        import msgspec

        name = "stdin" if file == "-" else Path(file).stem
        for number, query in enumerate(_questions(one), 1):
            case = {"id": f"{name}#{number}", "situation": one.situation, "query": query}
            print(msgspec.json.encode(case | ({"source": one.source} if one.source else {})).decode())

    def document(self, one: Imported, number: int, as_json: bool) -> None:
        from .wire import to_json

        document = one.document(_questions(one))
        if as_json:
            print(to_json(document))
            return
        import yaml

        print("---\n" if number else "", end="")
        print(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120), end="")


def _questions(one: Imported) -> list[dict[str, Any]]:
    from .importers.common import questions_about

    you = one.situation.get("you") or next(iter(one.situation["players"]))
    return questions_about(one.situation, you)


def _tell(file: str, left_out: tuple[str, ...]) -> bool:
    """What was not taken over; whether there was something that could matter."""
    for text in left_out:
        print(f"{file}: not taken over: {text}", file=sys.stderr)
    return any(not text.startswith("which printing") for text in left_out)


def _print_chances(found: Chances, asked: Any, show: int, as_json: bool) -> None:
    from .wire import to_json

    kinds = [{"lands": dict(lands), "chance": chance, "verdict": verdict} for lands, chance, verdict in found.kinds]
    if as_json:
        shares = {"yes": found.yes, "no": found.no, "unknown": found.unknown, "exact": found.exact}
        shares |= {"targets_assumed": True} if found.targets_assumed else {}
        print(to_json({"card": asked.card, **shares, "counted": found.counted, "kinds": kinds}))
        return
    drawn = f"{asked.lands} lands" if asked.lands is not None else f"opening hands of {asked.hand} cards"
    how = f"exact, {found.counted} kinds" if found.exact else f"{found.counted} dealt, ± {100 * found.error:.2f} %"
    print(f"{asked.card}, {drawn} ({how}):")
    for word, share in (("can be cast", found.yes), ("cannot be cast", found.no), ("unknown", found.unknown)):
        if share or word == "can be cast":
            print(f"  {word:15} {100 * share:6.2f} %")
    if found.targets_assumed:
        print("  what it targets is taken to be there")
    for text in found.why_unknown[:3]:
        print(f"  unknown because {text}")
    for kind in kinds[:show]:
        lands = ", ".join(f"{n} {name}" if n > 1 else name for name, n in kind["lands"].items()) or "no land"
        print(f"  {100 * kind['chance']:6.2f} %  {kind['verdict']:7}  {lands}")
