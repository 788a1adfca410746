"""Lists of decks: as Arena, MTGO (text, `.csv` and `.dek`), Cockatrice (`.cod`) and people write them.

    4 Lightning Bolt        4x Lightning Bolt        4 Lightning Bolt (M10) 146        SB: 2 Pyroblast

Words such as Deck, Commander and Sideboard begin a section. Where none does, the cards behind the last empty line are
the sideboard, as MTGO writes it, if they are no more than a sideboard may have.
"""

from __future__ import annotations

import csv
import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..model.cards import Library
from .common import Notes, bad, known_name

_SECTIONS = {
    "deck": "main", "main": "main", "maindeck": "main", "main deck": "main", "mainboard": "main",
    "sideboard": "sideboard", "side": "sideboard", "commander": "commander", "commanders": "commander",
    "companion": "companion", "about": "about",
}  # fmt: skip
# Sections of what is not in the deck; what stands there need not be a card.
_ASIDE = {
    "maybeboard", "maybe", "considering", "acquireboard", "wishlist", "tokens", "tokens & extras", "attractions",
    "stickers", "contraptions", "planes", "schemes", "conspiracies",
}  # fmt: skip
_CARD = re.compile(r"(?:(\d+)\s*[xX]?\s+)?(.+?)")
_COUNT_LAST = re.compile(r"(.+?)\s+[xX](\d+)")
# What sites write behind a name: (M10) 146, (GRN:263), [M10:146], [Removal{top}], <showcase>, *F*, #!tag, ^label^ …
_PRINTING = re.compile(
    r"\s*(?:<[^>]*>|\[[^\]]*\]|\([A-Za-z0-9_]{1,6}(?::[\w★-]+)?\)(?:\s+[\w★-]+)?(?:\s+[FE])?|\*\w+\*|\^[^^]*\^|#!?\w+)$"
)
_REMARK = re.compile(r"\s+(?://|#).*$")
_MAYBE = re.compile(r"\[(?:Maybeboard|Considering)\b[^\]]*\]|\{noDeck\}", re.IGNORECASE)
_KIND = re.compile(r"(?:(?:creatures?|lands?|spells?|instants?|sorcer(?:y|ies)|artifacts?|enchantments?|"
                   r"planeswalkers?|other spells|battles?)\s*(?:\(\d+\))?:?)", re.IGNORECASE)  # fmt: skip
_TAG = re.compile(r"<(/?)(Cards|card|zone|Deck|cockatrice_deck)\b([^>]*?)/?>")
_ATTRIBUTE = re.compile(r"""(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
SIDEBOARD = 15  # cards, in formats that limit it (100.4a)
MOST_CARDS = 10_000


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
    text = text.removeprefix("\ufeff")
    if "<Deck" in text or "<cockatrice_deck" in text:
        reader.tags(text)
    elif _is_csv(text):
        reader.rows(text)
    else:
        reader.lines(text)
    if not reader.cards["main"] and not reader.cards["commander"]:
        raise bad(where, 1, "there is no card in this list")
    main, sideboard, commander, companion = (+reader.cards[key] for key in Deck._fields[:4])
    return Deck(main, sideboard, commander, companion, reader.notes.texts())


class _Reader:
    def __init__(self, library: Library, where: str) -> None:
        self.library = library
        self.where = where
        self.notes = Notes()
        self.cards: dict[str, Counter[str]] = {key: Counter() for key in Deck._fields[:4]}
        self.total = 0

    # text

    def lines(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines()]
        last = _begins_sideboard(lines)
        section, named = "main", False
        for number, line in enumerate(lines, 1):
            word = _section_word(line)
            if last is not None and number == last:
                section = "sideboard"
                self.notes.add("that there is a sideboard: the cards behind the last empty line are taken for it")
            if word in _SECTIONS or word in _ASIDE:
                section, named = _SECTIONS.get(word, word), True
            elif not line:
                if named and section in ("commander", "companion"):
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
        if section in _ASIDE or _MAYBE.search(line):
            self.notes.add(f"what is not in the deck ({section if section in _ASIDE else 'maybeboard'}): {line}")
            return
        for count, written in _readings(line):
            if (name := self.named(written)) is not None:
                self.put(number, section if "*CMDR*" not in line else "commander", name, count)
                return
        if _KIND.fullmatch(line):
            return  # a heading such as "Creatures (12)"
        if not line[0].isdigit() and not self.total:
            self.notes.add(f"the title {line!r}")
            return
        raise bad(self.where, number, f"unknown card {next(_readings(line))[1]!r}")

    def named(self, written: str) -> str | None:
        """The card that is meant, whatever is said of its printing."""
        name = written
        while (known := known_name(self.library, name)) is None:
            printing = _PRINTING.search(name)
            if printing is None or not printing.start():
                return None
            name = name[: printing.start()]
        if name != written:
            self.notes.add("which printing a card is")
        return known

    def put(self, number: int, section: str, name: str, count: int) -> None:
        self.total += count
        if self.total > MOST_CARDS:
            raise bad(self.where, number, f"a deck has at most {MOST_CARDS:,} cards here")
        self.cards[section][name] += count

    # files of programs

    def tags(self, text: str) -> None:
        """Of MTGO (`Cards` with what they are) and of Cockatrice (`card` in `zone`)."""
        zone = ""
        for found in _TAG.finditer(text):
            told = {key: html.unescape(one or other) for key, one, other in _ATTRIBUTE.findall(found[3])}
            number = text.count("\n", 0, found.start()) + 1
            if found[2] == "zone":
                zone = "" if found[1] else told.get("name", "")
            elif found[2] in ("Cards", "card") and not found[1]:
                side = told.get("Sideboard", "").lower() == "true" or zone == "side"
                section = "tokens" if zone == "tokens" else "sideboard" if side else "main"
                self.said(
                    number,
                    section,
                    told.get("Name", told.get("name", "")),
                    told.get("Quantity", told.get("number", "1")),
                )

    def rows(self, text: str) -> None:
        reader = csv.DictReader(text.splitlines())
        for row in reader:
            told = {
                key.strip().lower(): (value or "").strip()
                for key, value in row.items()
                if isinstance(key, str) and not isinstance(value, list)
            }
            name = told.get("card name") or told.get("name") or told.get("card") or ""
            side = told.get("sideboarded", told.get("sideboard", "")).lower() in ("yes", "true", "1")
            section = "sideboard" if side or told.get("section", "").lower() == "sideboard" else "main"
            self.said(
                reader.line_num, section, name, told.get("quantity") or told.get("count") or told.get("qty") or "1"
            )

    def said(self, number: int, section: str, name: str, count: str) -> None:
        if not count.strip().isdecimal():
            raise bad(self.where, number, f"{count!r} is no number of cards")
        self.line(number, f"{count.strip()} {name}", section)


def _readings(line: str) -> Iterator[tuple[int, str]]:
    """How many of which card a line could mean, the likeliest first."""
    for text in dict.fromkeys((line, _REMARK.sub("", line))):
        found = _CARD.fullmatch(text)
        assert found is not None
        yield int(found[1] or 1), found[2]
        if found := _COUNT_LAST.fullmatch(text):
            yield int(found[2]), found[1]
        yield 1, text  # "1996 World Champion"


def _section_word(line: str) -> str:
    word = line.lower().removeprefix("//").strip().rstrip(":").strip()
    return re.sub(r"\s*\(\d+\)$", "", word).rstrip(":")


def _begins_sideboard(lines: list[str]) -> int | None:
    """The number of the line that begins a sideboard which nothing but an empty line sets off."""
    for line in lines:
        word = _section_word(line)
        if word in _SECTIONS or word in _ASIDE or line.upper().startswith("SB:") or _KIND.fullmatch(line):
            return None
    blocks = list(_blocks(lines))
    if len(blocks) < 2:
        return None
    sizes = [sum(max(n for n, _ in _readings(line)) for line in block) for _, block in blocks]
    small = sizes[-1] <= SIDEBOARD and (len(blocks) == 2 or sum(sizes[:-1]) >= 40)
    return blocks[-1][0] if small and sum(sizes[:-1]) > sizes[-1] else None


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """What stands between empty lines: the number of its first line, and the lines that may be cards."""
    block: list[str] = []
    start = 0
    for number, line in enumerate([*lines, ""], 1):
        if line:
            start = start if block else number
            block.append(line)
        elif block:
            if any(not line.startswith(("#", "//")) for line in block):
                yield start, [line for line in block if not line.startswith(("#", "//"))]
            block = []


def _is_csv(text: str) -> bool:
    head = {word.strip().strip('"').lower() for word in text.strip().partition("\n")[0].split(",")}
    return bool(head & {"quantity", "count", "qty"}) and bool(head & {"card name", "name", "card"})
