"""How much of the cards is understood: figures by subject, and what stands in the lines that are not.

The library holds no sentences, so whatever needs the words of lines reads the card data again.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ..abilities import SUBJECTS, Card, Face
from . import records
from .facts import mana_abilities, own_grants
from .library import Library, default_library
from .records import PLAYED_TYPES, RawFace

WORDS_SHOWN = 40
SAMPLE = 300


class Figures(msgspec.Struct):
    """Counts over a library. `subjects` counts unread lines by subject, with the direction where it is known."""

    cards: int = 0
    real: int = 0
    tokens: int = 0
    missing_faces: int = 0
    lines: Counter[str] = msgspec.field(default_factory=Counter)
    subjects: Counter[str] = msgspec.field(default_factory=Counter)
    unread_cards: int = 0  # real cards with an unread line that touches some subject
    unread_by_subject: Counter[str] = msgspec.field(default_factory=Counter)  # real cards
    makers: int = 0  # real cards with a mana ability
    unread_makers: int = 0  # of those: with an unread line that touches mana production


def figures(library: Library | None = None) -> Figures:
    """All figures of a library."""
    out = Figures()
    for card in (library or default_library()).cards():
        _count(card, out)
    return out


def _count(card: Card, out: Figures) -> None:
    out.cards += 1
    out.tokens += card.layout == "token"
    out.missing_faces += sum(face.missing for face in card.faces)
    faces = [face for face in card.faces if not face.missing]
    touched: set[str] = set()
    for face in faces:
        for line in face.lines:
            out.lines[line.status] += 1
            if line.status == "unread":
                out.subjects.update(line.subjects)
                touched.update(s.lstrip("+-") for s in line.subjects)
    if not is_real(card):
        return
    out.real += 1
    out.unread_cards += bool(touched)
    out.unread_by_subject.update(touched)
    if any(mana_abilities(face) or own_grants(face) for face in faces):
        out.makers += 1
        out.unread_makers += "mana" in touched


def is_real(card: Card) -> bool:
    """A card that games are played with: no token, plane, scheme or the like, and no rebalanced digital one."""
    types = set(card.faces[0].types)
    return card.layout != "token" and not card.name.startswith("A-") and bool(types) and types <= PLAYED_TYPES


def coverage(library: Library | None = None, paths: Iterable[Path | str] = ()) -> Iterator[str]:
    """The lines to print: figures and, with the card data at `paths`, the commonest words and openings of unread
    lines."""
    library = library or default_library()
    found = figures(library)
    yield from _said(found, library)
    files = list(paths)
    if files:
        yield from _unread_words(library, files)


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.2f}%)" if whole else "0"


def _said(f: Figures, library: Library) -> Iterator[str]:
    header = library.header
    made = ", ".join(f"{m.kind}{' of ' + m.date if m.date else ''} ({m.cards} cards)" for m in header.made_of)
    yield f"library {library.where}: {made}"
    yield f"cards {f.cards} · real cards {f.real} · tokens {f.tokens} · faces without data {f.missing_faces}"
    total = f.lines.total()
    yield "lines " + " · ".join(f"{s} {_share(f.lines[s], total)}" for s in ("modelled", "irrelevant", "unread"))
    yield f"real cards with an unread line that touches any subject: {_share(f.unread_cards, f.real)}"
    yield (
        f"cards with a mana ability: {f.makers}; of these with an unread line that touches mana: "
        f"{_share(f.unread_makers, f.makers)}"
    )
    yield "unread lines and real cards by subject (+ may add, - may take away):"
    for subject in SUBJECTS:
        lines = [f"{s}{subject} {f.subjects[s + subject]}" for s in ("", "+", "-") if f.subjects[s + subject]]
        yield f"  {subject:<12} cards {_share(f.unread_by_subject[subject], f.real):<16} lines {', '.join(lines) or 0}"


# --- with the words of the card data --------------------------------------------------------------------------------


def _faces(library: Library, paths: Iterable[Path | str]) -> Iterator[tuple[Card, Face, RawFace]]:
    """Every face of the library with its text."""
    sources = [records.read_source(path) for path in paths]
    for record in records.merge(sources):
        if record.name not in library:
            continue
        card = library.find(record.name).card
        texts = {raw.name: raw for raw in record.faces}
        for face in card.faces:
            raw = texts.get(face.name)
            if raw is not None and not raw.missing and not face.missing:
                yield card, face, raw


def lines_of(library: Library, paths: Iterable[Path | str], status: str) -> Iterator[tuple[Card, str, int, str]]:
    """Every line of a status: card, face, number, text."""
    for card, face, raw in _faces(library, paths):
        texts = raw.text.splitlines()
        for line in face.lines:
            if line.status == status and line.n <= len(texts):
                yield card, face.name, line.n, texts[line.n - 1]


_REMINDER = re.compile(r"\([^()]*\)")
_TOKEN = re.compile(r"\{[^{}]+\}|[\w'’+/-]+")


def plain_words(text: str, name: str = "") -> list[str]:
    """The words of a line without reminder text, with numbers and names of the card taken out."""
    short = name.split(",")[0]
    for own in (name, short):
        if own:
            text = text.replace(own, "~")
    found = [w.lower() for w in _TOKEN.findall(_REMINDER.sub("", text))]
    return [re.sub(r"\d+", "N", w) for w in found]


def _unread_words(library: Library, paths: list[Path | str]) -> Iterator[str]:
    unread, others, openings = Counter[str](), Counter[str](), Counter[str]()
    for card, face, raw in _faces(library, paths):
        if not is_real(card):
            continue
        texts = raw.text.splitlines()
        for line in face.lines:
            words = plain_words(texts[line.n - 1], face.name) if line.n <= len(texts) else []
            (unread if line.status == "unread" else others).update(set(words))
            if line.status == "unread":
                openings[" ".join(words[:4])] += 1
    yield "commonest words of unread lines (lines, and the share of all lines with that word that is unread):"
    telling = [w for w in unread if unread[w] >= 5 and unread[w] > others[w] / 2]
    for word in sorted(telling, key=lambda w: (-unread[w], w))[:WORDS_SHOWN]:
        yield f"  {unread[word]:>5} {100 * unread[word] / (unread[word] + others[word]):>4.0f}% {word}"
    yield "commonest openings of unread lines:"
    for opening, count in sorted(openings.items(), key=lambda item: (-item[1], item[0]))[:WORDS_SHOWN]:
        yield f"  {count:>5} {opening}"


def irrelevant_sample(
    paths: Iterable[Path | str], library: Library | None = None, count: int = SAMPLE, seed: int = 1
) -> Iterator[str]:
    """A seeded random sample of lines classed as irrelevant, for reading by fresh eyes: `card | line | text`."""
    found = sorted(
        (f"{face} | {number} | {text}", is_real(card))
        for card, face, number, text in lines_of(library or default_library(), paths, "irrelevant")
    )
    real = [line for line, is_one in found if is_one]
    yield from random.Random(seed).sample(real, min(count, len(real)))
