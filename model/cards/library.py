"""The compiled library: one file with every card as structures, and look-up by name.

The file is a short header, one compressed index of names, and compressed blocks of cards. Opening it reads the file and
the header; a look-up searches the index and decompresses one block, so the first card costs milliseconds.

    magic   b"lawmage\\n"
    uint32  length of the header
    header  msgpack of `Header`
    rest    dictionary for decompression, index, blocks, at the offsets that the header gives

The index has a line for each key: `key TAB place[,place…]`, a place being block * BLOCK + position.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from .. import abilities
from ..abilities import Card
from .names import key_of, squeezed

MAGIC = b"lawmage\n"
FORMAT = 1
BLOCK = 48  # cards in a block
NAME = "cards.lib"
LONGEST_NAME = 160  # no name of a card is longer
MOST_COMMAS = 6  # nor has more commas, the full names of two faces included


class LibraryError(Exception):
    """The library file is missing or damaged, or was written by another version."""


class CardNameError(ValueError):
    """A name that does not mean one card."""


class UnknownCard(CardNameError):
    """No card has this name; `suggestions` are near ones."""

    def __init__(self, name: str, suggestions: tuple[str, ...] = ()) -> None:
        near = f"; did you mean {' or '.join(repr(s) for s in suggestions)}?" if suggestions else ""
        shown = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"
        super().__init__(f"no card is named {shown!r}{near}")
        self.name = name
        self.suggestions = suggestions


class AmbiguousCard(CardNameError):
    """Several cards have this name or, for the beginning of a name, begin like this; `choices` lists them."""

    def __init__(self, name: str, choices: tuple[str, ...]) -> None:
        shown = ", ".join(repr(c) for c in choices[:8]) + (", …" if len(choices) > 8 else "")
        super().__init__(f"{name!r} could be {shown}")
        self.name = name
        self.choices = choices


class Found(NamedTuple):
    """A card, and the number of the face that the name means (0 too when it means the whole card)."""

    card: Card
    face: int

    @property
    def name(self) -> str:
        """The name of the face."""
        return self.card.faces[self.face].name


class Item(msgspec.Struct, frozen=True):
    """One item of a written list of cards: how many of what, and what stands in parentheses behind it."""

    count: int
    name: str
    found: Found
    note: str = ""


class Made(msgspec.Struct, frozen=True):
    """One file that a library was made of."""

    kind: str
    date: str
    cards: int
    sha256: str


class Header(msgspec.Struct, frozen=True):
    """What a library file says about itself. Places are (offset, length) behind the header."""

    format: int
    structures: str  # fingerprint of the structures that it holds
    grammar: str  # fingerprint of the compiler that made it
    version: str  # of lawmage
    made_of: tuple[Made, ...]
    date: str  # of the newest data in it
    cards: int
    dictionary: tuple[int, int]
    index: tuple[int, int]
    blocks: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1)
def _decoder() -> msgspec.msgpack.Decoder[Card]:
    return msgspec.msgpack.Decoder(Card)


@lru_cache(maxsize=1)
def _split() -> msgspec.msgpack.Decoder[list[msgspec.Raw]]:
    return msgspec.msgpack.Decoder(list[msgspec.Raw])


def read_header(path: Path) -> Header:
    """The header alone; raises LibraryError."""
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC) + 4)
            if start[: len(MAGIC)] != MAGIC or len(start) < len(MAGIC) + 4:
                raise LibraryError(f"{path} is no card library")
            return _header(file.read(struct.unpack("<I", start[len(MAGIC) :])[0]), path)
    except OSError as error:
        raise LibraryError(f"cannot read the card library {path}: {error.strerror}") from None


def _header(data: bytes, where: object) -> Header:
    try:
        plain = msgspec.msgpack.decode(data, type=dict)
        if plain.get("format") != FORMAT:
            raise LibraryError(
                f"{where} has format {plain.get('format')}, and this version of lawmage reads format {FORMAT}; "
                "make it again with `lawmage cards build` or `lawmage cards update`"
            )
        return msgspec.msgpack.decode(data, type=Header)
    except msgspec.MsgspecError as error:
        raise LibraryError(f"{where} is damaged: {error}") from None


class Library:
    """Every card that is known, found by name. Cards are decoded when they are asked for, and kept."""

    def __init__(self, data: bytes, where: str = "the card library") -> None:
        if data[: len(MAGIC)] != MAGIC:
            raise LibraryError(f"{where} is no card library")
        start = len(MAGIC) + 4
        length = struct.unpack("<I", data[len(MAGIC) : start])[0]
        self.where = where
        self.header = _header(data[start : start + length], where)
        self._data = data
        self._start = start + length
        self._text: str | None = None
        self._found: dict[str, Found] = {}
        self._cards: dict[int, Card] = {}
        self._raw: dict[int, list[msgspec.Raw]] = {}
        self._zdict = self._part(self.header.dictionary)
        self._index_bytes: bytes | None = None

    @classmethod
    def open(cls, path: Path | str) -> Library:
        try:
            return cls(Path(path).read_bytes(), str(path))
        except OSError as error:
            raise LibraryError(f"cannot read the card library {path}: {error.strerror}") from None

    def __len__(self) -> int:
        return self.header.cards

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._places(key_of(name)))

    def __repr__(self) -> str:
        return f"Library({self.where!r}, {len(self)} cards, data of {self.header.date or 'unknown date'})"

    # --- looking up -------------------------------------------------------------------------------------------------

    def find(self, name: str) -> Found:
        """The card of this name, or of this face's name; raises UnknownCard or AmbiguousCard."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._find(name)
        return found

    def _find(self, name: str) -> Found:
        places = self._places(key_of(name))
        if not places:
            return self._find_otherwise(name)
        matches = [self._face_of(place, name) for place in places]
        if len(matches) > 1:
            exact = [m for m in matches if name.casefold() in (m.card.name.casefold(), m.name.casefold())]
            if len(exact) != 1:
                raise AmbiguousCard(name, tuple(m.card.name for m in matches))
            matches = exact
        return matches[0]

    def _find_otherwise(self, name: str) -> Found:
        """With one slash between halves, or with other word breaks, where that leaves one card."""
        if "/" in name and "//" not in name:
            halved = name.replace("/", " // ")
            if self._places(key_of(halved)):
                return self._find(halved)
        tight = squeezed(key_of(name))
        if len(tight) > 3:
            near = [key for key in self._keys() if len(key) >= len(tight) and squeezed(key) == tight]
            if len(near) == 1 and len(places := self._places(near[0])) == 1:
                return self._face_of(places[0], near[0])
        raise UnknownCard(name, self.suggestions(name))

    def _face_of(self, place: int, name: str) -> Found:
        card, key = self._card(place), key_of(name)
        if key != key_of(card.name):
            for number, face in enumerate(card.faces):
                if key_of(face.name) == key:
                    return Found(card, number)
        return Found(card, 0)

    def suggestions(self, name: str, most: int = 3) -> tuple[str, ...]:
        """Names of cards that look like this one, nearest first."""
        if len(name) > LONGEST_NAME:
            return ()
        from rapidfuzz import fuzz, process

        key = key_of(name)
        near = process.extract(key, self._keys(), scorer=fuzz.ratio, limit=most, score_cutoff=72)
        if not near and len(key) > 3:
            near = process.extract(key, self._keys(), scorer=fuzz.partial_ratio, limit=most, score_cutoff=92)
        best = max((score for _, score, _ in near), default=0)
        return tuple(dict.fromkeys(self._shown(key) for key, score, _ in near if score > best - 8))

    def starts_with(self, prefix: str, most: int | None = None) -> tuple[str, ...]:
        """The names (of cards and faces) that begin like this, sorted; just the one that is exactly this, if any."""
        key = key_of(prefix)
        if self._places(key):
            return (self._shown(key),)
        if not key or len(key) > LONGEST_NAME:
            return ()
        matches = re.finditer(rf"^{re.escape(key)}[^\t\n]*", self._index(), re.MULTILINE)
        keys = [m.group() for m in matches if " // " not in m.group()]
        return tuple(dict.fromkeys(self._shown(k) for k in keys[:most]))

    def find_beginning(self, prefix: str) -> Found:
        """The one card whose name begins like this; raises UnknownCard, or AmbiguousCard with the choices."""
        names = self.starts_with(prefix) or (prefix,)
        if len(names) > 1:
            raise AmbiguousCard(prefix, names)
        return self.find(names[0])

    def _shown(self, key: str) -> str:
        """How the name with this key is written."""
        found = self._face_of(self._places(key)[0], key)
        return found.card.name if " // " in key else found.name

    # --- lists of cards ---------------------------------------------------------------------------------------------

    def split_list(self, text: str, beginnings: bool = False) -> list[Item]:
        """The items of a written list such as `Urborg, Tomb of Yawgmoth, 3 Forest; Sol Ring (tapped)`.

        Commas and semicolons separate items; the longest known name wins where a name contains a comma, and an
        exact name of a card beats a count ("1996 World Champion"). With `beginnings`, the beginning of just one
        name is taken for it. Raises UnknownCard or AmbiguousCard.
        """
        items: list[Item] = []
        for segment in text.split(";"):
            parts = segment.split(",")
            start = 0
            while start < len(parts):
                if not parts[start].strip():
                    start += 1
                    continue
                start, item = self._item_at(parts, start, beginnings)
                items.append(item)
        return items

    def _item_at(self, parts: list[str], start: int, beginnings: bool) -> tuple[int, Item]:
        end, item = self.longest_name_at(parts, start)
        if beginnings:
            longer, begun = self._longest_beginning_at(parts, start, max(end, start + 1))
            end, item = (longer, begun) if begun else (end, item)
        if item is not None:
            return end, item
        count, rest, note = _count_and_note(parts[start].strip())
        # The plain look-up raises, or finds a name that is written with other word breaks.
        found = self.find_beginning(rest) if beginnings else self.find(rest)
        return start + 1, Item(count, found.name, found, note)

    def _longest_beginning_at(self, parts: list[str], start: int, least: int) -> tuple[int, Item | None]:
        """The longest beginning of just one name that goes on behind `least`: "Urborg, Tomb" is not the card Urborg."""
        for end in range(min(len(parts), start + MOST_COMMAS + 1), least, -1):
            count, rest, note = _count_and_note(",".join(parts[start:end]).strip())
            if len(names := self.starts_with(rest)) == 1:
                return end, Item(count, names[0], self.find(names[0]), note)
        return start, None

    def longest_name_at(self, parts: list[str], start: int) -> tuple[int, Item | None]:
        """The longest item that begins at `start` of the parts between commas, and where it ends."""
        for end in range(min(len(parts), start + MOST_COMMAS + 1), start, -1):
            if not parts[end - 1].strip():
                continue
            written = ",".join(parts[start:end]).strip()
            if written in self:
                return end, self._item(1, written)
            count, name, note = _count_and_note(written)
            if name in self:
                return end, self._item(count, name, note)
        return start, None

    def _item(self, count: int, name: str, note: str = "") -> Item:
        """An item with its name as the card writes it."""
        found = self.find(name)
        return Item(count, found.card.name if "//" in name else found.name, found, note)

    # --- the file ---------------------------------------------------------------------------------------------------

    def cards(self) -> Iterator[Card]:
        """Every card, in the order of the file (by name)."""
        for place in range(self.header.cards):
            yield self._card(place)

    def _part(self, place: tuple[int, int]) -> bytes:
        offset, length = place
        return self._data[self._start + offset : self._start + offset + length]

    def _unpacked(self, place: tuple[int, int], zdict: bytes = b"") -> bytes:
        try:
            unpack = zlib.decompressobj(zdict=zdict) if zdict else zlib.decompressobj()
            return unpack.decompress(self._part(place)) + unpack.flush()
        except zlib.error as error:
            raise LibraryError(f"{self.where} is damaged: {error}") from None

    def _index(self) -> str:
        if self._text is None:
            self._text = self._unpacked(self.header.index).decode()
        return self._text

    def _keys(self) -> list[str]:
        return [line.partition("\t")[0] for line in self._index().splitlines()]

    def _places(self, key: str) -> tuple[int, ...]:
        """Where the cards of this key are; a plain search, since making a dictionary of all would take longer."""
        index = self._index()
        start = f"{key}\t"
        at = 0 if index.startswith(start) else index.find("\n" + start) + 1
        if "\n" in key or (at == 0 and not index.startswith(start)):
            return ()
        end = index.find("\n", at)
        return tuple(int(n) for n in index[at + len(start) : end].split(","))

    def _card(self, place: int) -> Card:
        card = self._cards.get(place)
        if card is None:
            block, position = divmod(place, BLOCK)
            if block not in self._raw:
                self._raw[block] = _split().decode(self._unpacked(self.header.blocks[block], self._zdict))
            try:
                card = self._cards[place] = _decoder().decode(self._raw[block][position])
            except msgspec.MsgspecError as error:
                raise LibraryError(f"{self.where} does not fit this version of lawmage: {error}") from None
        return card


_COUNTED = re.compile(r"(\d{1,6})\s*(?:[x×]\s+|\s)\s*(\S.*)", re.DOTALL)
_NOTED = re.compile(r"(.*\S)\s*\(([^()]*)\)", re.DOTALL)


def _count_and_note(written: str) -> tuple[int, str, str]:
    """`3 Forest (tapped)` is (3, "Forest", "tapped")."""
    note = ""
    noted = _NOTED.fullmatch(written)
    if noted:
        written, note = noted.group(1), noted.group(2).strip()
    counted = _COUNTED.fullmatch(written)
    if counted:
        return int(counted.group(1)), counted.group(2).strip(), note
    return 1, written, note


# --- writing --------------------------------------------------------------------------------------------------------


class Names(NamedTuple):
    """The names of one card: its own, its first face's, and those of its other faces."""

    whole: str
    front: str
    others: tuple[str, ...] = ()


def write_library(
    cards: Iterable[tuple[Card, Names]], *, made_of: tuple[Made, ...], structures: str, grammar: str, version: str
) -> bytes:
    """The bytes of a library with these cards: the same for the same cards, whatever their order (by name)."""
    ordered = sorted(cards, key=lambda pair: (key_of(pair[0].name), pair[0].name))
    raw = [msgspec.msgpack.encode(card) for card, _ in ordered]
    blocks = [_list_of(raw[at : at + BLOCK]) for at in range(0, len(raw), BLOCK)]
    zdict = _dictionary(blocks)
    parts = [zdict, zlib.compress(_index_of([names for _, names in ordered]).encode(), 9)]
    parts += [_packed(block, zdict) for block in blocks]
    places, at = [], 0
    for part in parts:
        places.append((at, len(part)))
        at += len(part)
    header = Header(
        format=FORMAT,
        structures=structures,
        grammar=grammar,
        version=version,
        made_of=made_of,
        date=max((m.date for m in made_of), default=""),
        cards=len(ordered),
        dictionary=places[0],
        index=places[1],
        blocks=tuple(places[2:]),
    )
    head = msgspec.msgpack.encode(header)
    return b"".join((MAGIC, struct.pack("<I", len(head)), head, *parts))


def _list_of(items: list[bytes]) -> bytes:
    return msgspec.msgpack.encode([msgspec.Raw(item) for item in items])


def _packed(block: bytes, zdict: bytes) -> bytes:
    pack = zlib.compressobj(9, zdict=zdict)
    return pack.compress(block) + pack.flush()


def _dictionary(blocks: list[bytes]) -> bytes:
    """32 KB taken evenly from all blocks: what deflate may refer back to from the first byte of each block."""
    size = 32 * 1024
    every = max(1, len(blocks) // 64)
    samples = [block[: size // 64] for block in blocks[::every]]
    return b"".join(samples)[:size]


def _index_of(names: list[Names]) -> str:
    """A key leads to the cards of which it is the whole name; else to those whose first face it names; else to those
    of which it names another face (a card that copies a famous spell on its second face does not take its name)."""
    ranked: dict[str, dict[int, list[int]]] = {}
    for place, card in enumerate(names):
        for rank, name in [(0, card.whole), (1, card.front), *((2, n) for n in card.others)]:
            places = ranked.setdefault(key_of(name), {}).setdefault(rank, [])
            if place not in places:
                places.append(place)
    lines = []
    for key in sorted(ranked):
        best = ranked[key][min(ranked[key])]
        lines.append(f"{key}\t{','.join(str(p) for p in best)}\n")
    return "".join(lines)


# --- which library --------------------------------------------------------------------------------------------------


def shipped_path() -> Path:
    return Path(__file__).with_name(NAME)


def user_path() -> Path:
    """Where `cards update` keeps a user's own library."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "lawmage" / NAME


def library_path() -> Path:
    """The library in use: LAWMAGE_LIBRARY, else the user's own if it fits and is newer, else the shipped one."""
    named = os.environ.get("LAWMAGE_LIBRARY")
    if named:
        return Path(named)
    shipped, own = shipped_path(), user_path()
    if not own.exists():
        return shipped
    try:
        mine, theirs = read_header(own), read_header(shipped)
    except LibraryError:
        return shipped
    return own if mine.structures == structures_print() and mine.date > theirs.date else shipped


def structures_print() -> str:
    """A fingerprint of the structures that a library holds: of all their fields, not of the words about them."""
    shapes = []
    for name, value in sorted(vars(abilities).items()):
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            shapes.append(f"{name}({', '.join(value.__struct_fields__)})")
    return short_hash("\n".join(shapes).encode())


def short_hash(data: bytes) -> str:
    """Twelve hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:12]


@lru_cache(maxsize=4)
def _opened(path: Path) -> Library:
    return Library.open(path)


def default_library() -> Library:
    """The library in use, opened once."""
    return _opened(library_path())
