"""Documents for the faces: read from where users have them, or built from the short forms of the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .model.situation import Document, FormatError, check_document, read_document

if TYPE_CHECKING:
    from .model.cards import Library

# A board: "Forest, 2 Mystic Gate", or a list of what format.md allows in a zone.
Items: TypeAlias = str | list[str | dict[str, Any]]

YOU = "you"

_COUNTERS = re.compile(r"(\d+) (\S+)(?: counters?)?")


# --- reading --------------------------------------------------------------------------------------------------------


def read(document: Mapping[str, Any] | Path | str) -> Document:
    """A document from a mapping, a path, or (a string of several lines) its text."""
    if isinstance(document, Mapping):
        return check_document(document)
    if isinstance(document, str) and "\n" in document:
        return read_document(document)
    return read_file(str(document))


def read_file(path: str) -> Document:
    """A document from a file, or from standard input for "-"."""
    if path == "-":
        return read_document(sys.stdin.buffer.read(), "standard input")
    return read_document(Path(path).read_bytes(), path)


# --- short forms ----------------------------------------------------------------------------------------------------


def build_document(
    query: Mapping[str, Any],
    *,
    you: Items = "",
    opponent: Items | tuple[Items, ...] = (),
    hand: Items = "",
    graveyard: Items = "",
    pool: str = "",
    life: int | None = None,
    beginnings: bool = False,
) -> Document:
    """A document with one question about a board in short form. With `beginnings`, the beginning of just one name is
    taken for the name."""
    from .model.cards import default_library

    short = _Short(default_library(), beginnings)
    opponents = opponent if isinstance(opponent, tuple) else (opponent,)
    boards = [short.items(board) for board in opponents or ("",)]
    zones = {"battlefield": short.items(you), "hand": short.items(hand), "graveyard": short.items(graveyard)}
    query = short.query(query, zones, [item for board in (zones["battlefield"], *boards) for item in board])
    players: dict[str, dict[str, Any]] = {YOU: {**zones, "mana_pool": pool}}
    if life is not None:
        players[YOU]["life"] = life
    for number, board in enumerate(boards, 1):
        players["opponent" if number == 1 else f"opponent {number}"] = {"battlefield": board}
    return check_document({"situation": {"players": players}, "query": query})


class _Short:
    """Turns short forms into what format.md has."""

    def __init__(self, library: Library, beginnings: bool) -> None:
        self.library = library
        self.beginnings = beginnings

    def items(self, items: Items) -> list[Any]:
        """The items of one zone; a note behind a name says what is special about it: "Forest (tapped)"."""
        if not isinstance(items, str):
            return list(items)
        out: list[Any] = []
        for item in self.library.split_list(items, beginnings=self.beginnings):
            name = item.found.name
            if item.note:
                out += [{"card": name, **self._note(item.note, name)}] * item.count
            else:
                out.append(name if item.count == 1 else f"{item.count} {name}")
        return out

    def _note(self, note: str, name: str) -> dict[str, Any]:
        """`tapped`, `sick`, and counters such as `2 charge`."""
        out: dict[str, Any] = {}
        counters = dict((kind, int(n)) for n, kind in _COUNTERS.findall(note))
        for word in _COUNTERS.sub("", note).split():
            if word not in ("tapped", "sick"):
                raise FormatError(
                    f"{word!r} after {name}: in parentheses may stand tapped, sick, and 2 charge counters"
                )
            out[word] = True
        return {**out, "counters": counters} if counters else out

    def query(self, query: Mapping[str, Any], zones: dict[str, list[Any]], permanents: list[Any]) -> dict[str, Any]:
        """The question with whole names. A card to be cast that stands nowhere is put into the hand."""
        query = dict(query)
        if "permanent" in query:
            query["permanent"] = self._permanent(query["permanent"], permanents)
        if isinstance(query.get("card"), str):
            card = query["card"] = self._name(query["card"])
            zone = query.get("zone", "hand")
            if zone in zones and card not in map(self._card_of, zones[zone]):
                zones[zone].append(card)
        return query

    def _permanent(self, written: str, permanents: list[Any]) -> str:
        """The id of a permanent: its name, or (with beginnings) what only its name begins with, and its number."""
        from .model.cards.names import key_of

        ids = [item["id"] for item in permanents if isinstance(item, Mapping) and "id" in item]
        if written in ids:
            return written
        names = list(dict.fromkeys(map(self._card_of, permanents)))
        name, hash_, number = written.partition("#")
        key = key_of(name)
        found = [n for n in names if key_of(n) == key]
        if not found and self.beginnings:
            found = [n for n in names if key_of(n).startswith(key)]
        if len(found) != 1:
            there = ", ".join(found or names) or "nothing"
            raise FormatError(f"no permanent is {written!r}; on the battlefield: {there}")
        return found[0] + hash_ + number

    def _card_of(self, item: Any) -> str:
        """The name of an item of a zone, without its count."""
        if isinstance(item, Mapping):
            card = item.get("card", "")
            return card if isinstance(card, str) else str(card.get("name", ""))
        count, _, name = item.partition(" ")
        return name if count.isdigit() and name and item not in self.library else item

    def _name(self, written: str) -> str:
        find = self.library.find_beginning if self.beginnings else self.library.find
        return find(written).name


def board_lines(document: Document) -> Iterator[str]:
    """The board of a document in short form: what was understood, in one line for each zone."""
    for name, player in document.situation.players.items():
        for zone in ("battlefield", "hand", "graveyard"):
            if items := getattr(player, zone):
                where = name if zone == "battlefield" else f"{name} ({zone})"
                runs = [(text, len(list(run))) for text, run in groupby(map(_shown, items))]
                shown = [text if count == 1 else f"{count} {text}" for text, count in runs]
                yield f"{where[0].upper()}{where[1:]}: {', '.join(shown)}"


def _shown(item: Any) -> str:
    if isinstance(item, str):
        return item
    name = item.card if isinstance(item.card, str) else item.card.name
    notes = [note for note in ("tapped", "sick") if getattr(item, note, False)]
    notes += [f"{n} {kind}" for kind, n in item.counters.items()]
    return f"{name} ({' '.join(notes)})" if notes else name
