"""What importers share: documents out of other programs' files, and what those say that the format cannot hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..model.cards import Library
from ..model.situation import FormatError


class Imported(NamedTuple):
    """A situation as plain data, remarks about it, and what could not be taken over, in words."""

    situation: dict[str, Any]
    id: str = ""
    source: str = ""
    note: str = ""
    left_out: tuple[str, ...] = ()

    def document(self, queries: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
        """The document of the format."""
        remarks = {"id": self.id, "source": self.source, "note": self.note}
        asked = list(queries)
        return {
            **{key: text for key, text in remarks.items() if text},
            "situation": self.situation,
            **({"queries": asked} if asked else {}),
        }


class Notes:
    """What could not be taken over: each thing once, with how often it was met."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, text: str) -> None:
        self.counts[text] += 1

    def texts(self) -> tuple[str, ...]:
        return tuple(text if n == 1 else f"{text} ({n} times)" for text, n in self.counts.items())


def read_text(path: str) -> str:
    """The text of a file, or of standard input. Other programs do not always write UTF-8."""
    import sys

    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def known_name(library: Library, name: str) -> str | None:
    """The name under which the library has a card, however the two halves of a split card are joined."""
    for written in (name, " // ".join(part.strip() for part in name.replace("//", "/").split("/"))):
        try:
            found = library.find(written)
        except (LookupError, ValueError):
            continue
        whole = found.face == 0 and found.card.layout in ("normal", "split")
        return found.card.name if whole else found.card.faces[found.face].name
    return None


def unknown_card(name: str) -> dict[str, Any]:
    """A card that the library lacks: whatever rests on it is unknown."""
    return {"name": name, "type_line": "Enchantment", "oracle_text": "The text of this card is not known."}


def mana_of(text: str) -> str:
    """Mana as other programs write it (`R R G`, `RRG`, `{R}{G}`), as the format does. Raises ValueError."""
    symbols = re.sub(r"[\s{},]", "", text.upper())
    if wrong := set(symbols) - set("WUBRGC"):
        raise ValueError(f"{text!r} is no mana: {', '.join(sorted(wrong))}")
    return "".join(f"{{{symbol}}}" for symbol in symbols)


def whole_number(text: str) -> int:
    """Raises ValueError, in words."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{text!r} is no whole number") from None


def unclear_effect(text: str, controller: str) -> dict[str, Any]:
    """Something that applies and cannot be said in the format: whatever it could touch is unknown."""
    return {"text": f"Not taken over: {text}", "controller": controller}


def counted(items: Iterable[Any]) -> list[Any]:
    """Equal names in a row with their count."""
    out: list[Any] = []
    for item, n in _runs(items):
        out += [f"{n} {item}"] if isinstance(item, str) and n > 1 else [item] * n
    return out


def _runs(items: Iterable[Any]) -> Iterator[tuple[Any, int]]:
    last: Any = None
    n = 0
    for item in items:
        if n and item == last:
            n += 1
            continue
        if n:
            yield last, n
        last, n = item, 1
    if n:
        yield last, n


def questions_about(situation: dict[str, Any], player: str) -> list[dict[str, Any]]:
    """What mana there could be, and whether each different card in hand can be cast."""
    hand = situation["players"][player].get("hand", [])
    names = dict.fromkeys(_card_in(item) for item in hand) if isinstance(hand, list) else {}
    return [{"kind": "mana"}, *({"kind": "can_cast", "card": name} for name in names)]


def _card_in(item: Any) -> str:
    """The name of a card as a zone has it, or its id where it has one."""
    if isinstance(item, str):
        count, _, name = item.partition(" ")
        return name if count.isdigit() and name else item
    card = item.get("card", item)
    return item.get("id") or (card if isinstance(card, str) else card["name"])


def bad(path: str, line: int, text: str) -> FormatError:
    return FormatError(text, path, line)
