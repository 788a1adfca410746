"""Names: of cards in a library, of objects in a game, and the nearest known one for an error message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from .abilities import Card
from .cards.names import key_of
from .forms import FormatError
from .game import Obj

_COUNTED = re.compile(r"(\d+)\s+(\S.*)")


class Found(NamedTuple):
    """A card, and which face of it was named."""

    card: Card
    face: int


class Library(Protocol):
    """Where cards come from. `find` gives something with `card` and `face`, or None, or raises a LookupError."""

    def find(self, name: str) -> Any: ...


def look_up(library: Library, name: str) -> Found | None:
    """The card of that whole name or face name, or None. An ambiguous name is an error that lists the choices."""
    try:
        found = library.find(name)
    except (LookupError, ValueError) as error:
        if isinstance(error, LookupError) or hasattr(error, "suggestions"):
            return None
        raise FormatError(str(error)) from None
    return None if found is None else Found(found.card, found.face)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like this one, or of which it is a part, if any is."""
    from rapidfuzz import fuzz, process

    words = list(known)
    best = process.extractOne(word, words, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=60)
    if best is None and len(word) > 3:
        best = process.extractOne(word, words, scorer=fuzz.partial_ratio, processor=str.casefold, score_cutoff=90)
    return best[0] if best else None


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of an error message: the nearest known word, or `otherwise`."""
    near = nearest(word, known)
    return f"; did you mean {near!r}?" if near else otherwise


@lru_cache(maxsize=16384)
def is_known(library: Library, name: str) -> bool:
    """Whether the library has a card (or a face) of this name."""
    contains = getattr(library, "__contains__", None)
    if contains is not None:
        return contains(name)
    try:
        return look_up(library, name) is not None
    except FormatError:
        return True  # several cards have it


def unknown_card(library: Library, name: str) -> str:
    """The message about a name that the library lacks."""
    suggest = getattr(library, "suggestions", None)
    near = list(suggest(name)) if suggest else []
    if not near:
        return f"unknown card {name!r}"
    return f"unknown card {name!r}; did you mean {' or '.join(repr(n) for n in near[:3])}?"


def split_count(text: str, is_card: Callable[[str], bool]) -> tuple[int, str]:
    """ "3 Island" is three of them, unless the whole text is a card's name ("1996 World Champion")."""
    match = _COUNTED.fullmatch(text.strip())
    if match is None or is_card(text):
        return 1, text.strip()
    if len(match[1]) > 9:
        raise FormatError(f"{match[1][:12]}… {match[2]}: that is too many")
    return int(match[1]), match[2]


def resolve(ref: str, among: Iterable[Obj]) -> Obj | None:
    """The object with that id; else the only one that the name can mean, whatever its case and accents."""
    found = list(among)
    for o in found:
        if o.id == ref:
            return o
    key = key_of(ref)
    same = [o for o in found if key_of(o.id) == key] or [
        o for o in found if key in (key_of(o.card.name), *(key_of(f.name) for f in o.card.faces))
    ]
    return same[0] if len(same) == 1 else None


def similar(word: str, known: str) -> bool:
    """Whether a word is most likely a slip of the pen for another one."""
    from rapidfuzz import fuzz

    return fuzz.ratio(word, known) >= 80


def joined_name(name: str, neighbours: Sequence[Any], is_card: Callable[[str], bool]) -> str | None:
    """A card's name that list items in a row make when joined by commas: an unquoted comma split it."""
    texts = [n if isinstance(n, str) else None for n in neighbours]
    for at, text in enumerate(texts):
        if text is None or (text != name and split_count(text, is_card)[1] != name):
            continue
        for start in range(max(0, at - 2), at + 1):
            for end in range(max(at + 1, start + 2), min(len(texts), start + 4) + 1):
                parts = [t for t in texts[start:end] if t is not None]
                whole = split_count(", ".join(parts), is_card)[1]
                if len(parts) == end - start and is_card(whole):
                    return whole
    return None
