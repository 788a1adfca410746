"""What if: edits on the command line, and the lands of a deck that would make a card castable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from .model.cards import Library
    from .model.situation import Document

Without = Annotated[
    list[str] | None, typer.Option("--without", metavar="ID", help="What if this were not there? Can be repeated.")
]
With = Annotated[
    list[str] | None, typer.Option("--with", metavar="CARDS", help="What if you controlled these as well?")
]
Tapped = Annotated[
    list[str] | None, typer.Option("--tapped", metavar="ID", help="What if this were tapped? Can be repeated.")
]


def edits_of(
    without: Sequence[str] | None, with_: Sequence[str] | None, tapped: Sequence[str] | None
) -> list[dict[str, Any]]:
    """The edits that the three options ask for, as format.md writes them."""
    from .model.cards import default_library

    items = [item for cards in with_ or () for item in default_library().split_list(cards, beginnings=True)]
    return [
        *({"remove": name} for name in without or ()),
        *({"add": item.found.name} for item in items for _ in range(item.count)),
        *({"tap": name} for name in tapped or ()),
    ]


def edited(document: Document, edits: Iterable[dict[str, Any]]) -> Document:
    """The document whose questions make these edits first."""
    import msgspec

    from .model.situation import Edit

    more = tuple(Edit(**edit) for edit in edits)
    queries = tuple(msgspec.structs.replace(q, what_if=(*q.what_if, *more)) for q in document.queries)
    return msgspec.structs.replace(document, queries=queries)


# --- which land -------------------------------------------------------------------------------------------------------


def which_land(
    card: Annotated[str, typer.Argument(metavar="CARD", help="The card that is to be cast.")],
    deck: Annotated[str, typer.Option("--deck", metavar="FILE|CARDS", help="A deck list, one card a line, or cards.")],
    you: Annotated[str, typer.Option("--you", metavar="CARDS", help="What you control.")] = "",
    opponent: Annotated[
        list[str] | None, typer.Option("--opponent", metavar="CARDS", help="What an opponent controls.")
    ] = None,
    hand: Annotated[str, typer.Option("--hand", metavar="CARDS", help="The cards in your hand.")] = "",
    pool: Annotated[str, typer.Option("--pool", metavar="MANA", help="Mana in your pool.")] = "",
    life: Annotated[int | None, typer.Option("--life", metavar="N", help="Your life total (20).")] = None,
    most: Annotated[int, typer.Option("--most", metavar="N", help="With up to so many more lands (1).")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Which land of a deck would make this card castable? Lands that enter tapped come tapped."""
    from .api import answers
    from .document import build_document
    from .wire import to_json

    allow, doubtful = _land_drops(deck, most)
    query = {"kind": "can_cast", "card": card, "flip": {"allow": allow, "most": most}}
    board: dict[str, Any] = {"you": you, "hand": hand, "pool": pool, **({"life": life} if life is not None else {})}
    document = build_document(query, opponent=tuple(opponent or ()), beginnings=True, **board)
    reply = next(answers(document))
    flips = reply.answer.values.get("flips", ()) if reply.verdict == "no" else ()
    sets = list(dict.fromkeys(tuple(sorted(_name(edit) for edit in edits)) for edits in flips))
    if as_json:
        untapped = sorted({name for lands in sets for name in lands} & doubtful)
        print(to_json({"castable": reply.verdict, "lands": sets, "if_untapped": untapped}))
        return
    if reply.verdict != "no":
        print(reply)
        return
    print(str(reply).partition("\n")[0])
    for lands in sets:
        notes = [name for name in lands if name in doubtful]
        note = f" (if {' and '.join(notes)} can enter untapped)" if notes else ""
        print(f"  with {' and '.join(lands)}{note}")
    if not sets:
        print(f"  no {'land' if most == 1 else f'{most} lands'} of the deck would change that")
    for reason in reply.because:
        if not sets or reason.code == "time_limit":
            print(f"  because {reason.text}")


def _name(edit: dict[str, Any]) -> str:
    added = edit["add"]
    return added if isinstance(added, str) else added["card"]


def _land_drops(deck: str, most: int) -> tuple[list[dict[str, Any]], set[str]]:
    """An edit for each land of the deck, as often as it can be played, and those that may or may not enter tapped."""
    from .model.abilities import EntersWith, abilities_of
    from .model.cards import default_library

    library = default_library()
    allow: list[dict[str, Any]] = []
    doubtful: set[str] = set()
    for name, count in _names(deck, library).items():
        card = library.find(name).card
        face = next((face for face in card.faces if "Land" in face.types), None)
        if face is None:
            continue
        entering = [a for a in abilities_of(face.lines) if isinstance(a, EntersWith) and a.tapped and a.what is None]
        always = any(a.condition is None and not a.unless for a in entering)
        if entering and not always:
            doubtful.add(face.name)
        edit = {"add": {"card": face.name, "tapped": True} if always else face.name}
        allow += [edit] * min(count, most)
    return allow, doubtful


def _names(deck: str, library: Library) -> Counter[str]:
    """The cards of a deck list: `4 Island` on a line, comments and headings aside; or a list after commas."""
    path = Path(deck)
    found: Counter[str] = Counter()
    if not path.is_file():
        for item in library.split_list(deck, beginnings=True):
            found[item.found.name] += item.count
        return found
    for line in path.read_text("utf-8").splitlines():
        text = line.split("#")[0].split(" (")[0].strip()
        count, _, rest = text.partition(" ")
        number = count.rstrip("x")
        name = rest.strip() if number.isdigit() else text
        if name and name.lower().rstrip(":") not in _HEADINGS:
            found[library.find(name).name] += int(number) if number.isdigit() else 1
    return found


_HEADINGS = ("deck", "sideboard", "commander", "companion", "main", "maindeck")
