"""Lists of decks: as Arena, MTGO (text and `.dek`) and people write them.

    4 Lightning Bolt        4x Lightning Bolt        4 Lightning Bolt (M10) 146        SB: 2 Pyroblast

Words such as Deck, Commander and Sideboard begin a section, as does a first empty line, after which MTGO has the
sideboard.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from ..model.cards import Library
from .common import Notes, bad, known_name

_SECTIONS = {
    "deck": "main", "main": "main", "maindeck": "main", "main deck": "main", "mainboard": "main",
    "sideboard": "sideboard", "side": "sideboard", "commander": "commander", "commanders": "commander",
    "companion": "companion", "maybeboard": "maybeboard", "about": "about",
}  # fmt: skip
_CARD = re.compile(r"(?:(\d+)\s*[xX]?\s+)?(.+?)")
# What sites write behind a name: (M10) 146, [M10], <showcase>, (F), *F*, #!tag …
_PRINTING = re.compile(r"\s*(?:<[^>]*>|\[[A-Za-z0-9_]{2,6}\]|\([A-Z0-9_]{1,6}\)(?:\s+[\w★-]+)?|\*F\*|\^[^^]*\^)$")
_KIND = re.compile(r"(?:(?:creatures?|lands?|spells?|instants?|sorcer(?:y|ies)|artifacts?|enchantments?|"
                   r"planeswalkers?|other spells|battles?)\s*(?:\(\d+\))?:?)", re.IGNORECASE)  # fmt: skip
_DEK = re.compile(r"<Cards\b([^>]*)/?>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


class Deck(NamedTuple):
    """A deck: how many there are of each card."""

    main: Counter[str]
    sideboard: Counter[str]
    commander: Counter[str]
    companion: Counter[str]
    left_out: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.main.total()


def read_deck(text: str, library: Library, where: str = "") -> Deck:
    """The deck of a list. Raises FormatError where a line names no card."""
    reader = _Reader(library, where)
    if "<Deck" in text:
        reader.dek(text)
    else:
        reader.lines(text)
    if not reader.cards["main"] and not reader.cards["commander"]:
        raise bad(where, 1, "there is no card in this list")
    main, sideboard, commander, companion = (reader.cards[key] for key in Deck._fields[:4])
    return Deck(main, sideboard, commander, companion, reader.notes.texts())


class _Reader:
    def __init__(self, library: Library, where: str) -> None:
        self.library = library
        self.where = where
        self.notes = Notes()
        self.cards: dict[str, Counter[str]] = {key: Counter() for key in (*Deck._fields[:4], "maybeboard")}

    def lines(self, text: str) -> None:
        section, named = "main", False
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            word = line.rstrip(":").lower().removeprefix("//").strip()
            word = re.sub(r"\s*\(\d+\)$", "", word)
            if word in _SECTIONS:
                section, named = _SECTIONS[word], True
            elif not line:
                if not named and section == "main" and self.cards["main"]:
                    section = "sideboard"  # of MTGO
                elif named and section in ("commander", "companion"):
                    section = "main"
            elif line.startswith(("#", "//")):
                continue
            elif section == "about" or line.lower().startswith("name "):
                self.notes.add(line)
            else:
                self.line(number, line, section)

    def line(self, number: int, line: str, section: str) -> None:
        if line.upper().startswith("SB:"):
            section, line = "sideboard", line[3:].strip()
        found = _CARD.fullmatch(line)
        assert found is not None
        count, written = int(found[1] or 1), found[2]
        name, plain = written, _PRINTING.sub("", written)
        while (known := known_name(self.library, name)) is None and plain != name:
            name, plain = plain, _PRINTING.sub("", plain)
        if known is not None:
            if name != written:
                self.notes.add("which printing a card is")
            self.cards[section][known] += count
            return
        if _KIND.fullmatch(line):
            return  # a heading such as "Creatures (12)"
        raise bad(self.where, number, f"unknown card {written!r}")

    def dek(self, text: str) -> None:
        import html

        for found in _DEK.finditer(text):
            told = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(found[1])}
            number = text.count("\n", 0, found.start()) + 1
            section = "sideboard" if told.get("Sideboard") == "true" else "main"
            self.line(number, f"{told.get('Quantity', '1')} {told.get('Name', '')}", section)
