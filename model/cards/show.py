"""How a card was understood, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from ..abilities import Card, Face, Line
from .library import Library, default_library
from .render import ability_text

SUBJECT_WORDS = {
    "mana": "producing mana",
    "cost": "costs",
    "permission": "what may be done",
    "types": "types and abilities",
    "untap": "tapping and untapping",
    "sacrifice": "sacrifice and discard",
    "hand_size": "hand size",
    "combat": "combat",
    "state_based": "state-based actions",
}


def show(name: str, library: Library | None = None) -> Iterator[str]:
    """The lines to print for the card of this name (all of its faces). Raises UnknownCard or AmbiguousCard."""
    yield from show_card((library or default_library()).find(name).card)


def show_card(card: Card) -> Iterator[str]:
    """The lines to print for a card."""
    for number, face in enumerate(card.faces):
        if number:
            yield ""
        yield from _face(face)
    if len(card.faces) > 1:
        yield ""
        yield f"Layout: {card.layout}"
    yield f"Color identity: {card.identity or 'none'}"


def _face(face: Face) -> Iterator[str]:
    yield " ".join(w for w in (face.name, face.mana_cost or "") if w)
    if face.missing:
        yield "  Only the name of this face is in the data that the library was made of."
        return
    numbers = f"{face.power}/{face.toughness}" if face.power or face.toughness else face.loyalty or face.defense
    yield "  ".join(w for w in (type_line(face), numbers) if w)
    for line in face.lines:
        yield from _line(line)


def type_line(face: Face) -> str:
    """A type line as cards print it."""
    left = " ".join((*face.supertypes, *face.types))
    return f"{left} — {' '.join(face.subtypes)}" if face.subtypes else left


def _line(line: Line) -> Iterator[str]:
    texts = [ability_text(a) for a in line.abilities]
    if line.status == "unread":
        texts.insert(0, f"could touch {subjects_text(line.subjects)}")
    if line.status == "irrelevant" and not texts:
        texts = ["touches nothing that questions are about"]
    for text in texts or ["no ability"]:
        yield f"  {line.n:>2} {line.status:<10} {text}"


def subjects_text(subjects: tuple[str, ...]) -> str:
    """Subjects of an unread line in words, with the direction where it is known."""
    said = []
    for subject in subjects:
        sign = subject[:1] if subject[:1] in "+-" else ""
        word = SUBJECT_WORDS.get(subject.lstrip("+-"), subject.lstrip("+-"))
        said.append(word + {"+": " (may add)", "-": " (may take away)", "": ""}[sign])
    return ", ".join(said) or "nothing"
