"""The card library: `default_library().find("Forest")`, and cards written out in a situation (`card_from_fields`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..abilities import Card
from .library import (
    AmbiguousCard,
    CardNameError,
    Found,
    Item,
    Library,
    LibraryError,
    UnknownCard,
    default_library,
    library_path,
)

__all__ = [
    "AmbiguousCard",
    "CardNameError",
    "Found",
    "Item",
    "Library",
    "LibraryError",
    "UnknownCard",
    "card_from_fields",
    "default_library",
    "library_path",
]


def card_from_fields(fields: Mapping[str, Any]) -> Card:
    """A card from Scryfall's field names (name, mana_cost, type_line, oracle_text, …, card_faces), its text compiled.

    Raises RecordError (a ValueError), which names the field that is wrong.
    """
    from .build import compile_record
    from .records import record_from_fields

    return compile_record(record_from_fields(fields))
