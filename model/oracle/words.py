"""Word tables: card types, subtypes with their plurals, colors, numbers."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

CARD_TYPES = (
    "Artifact",
    "Battle",
    "Creature",
    "Enchantment",
    "Instant",
    "Kindred",
    "Land",
    "Planeswalker",
    "Sorcery",
)
SUPERTYPES = ("Basic", "Legendary", "Snow", "World", "Ongoing")
BASIC_LAND_TYPES = ("Plains", "Island", "Swamp", "Mountain", "Forest")
COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}
COLORS = "WUBRG"
NUMBERS = {
    word: n
    for n, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"a": 1, "an": 1, "twice": 2, "thrice": 3, "fifty": 50}

_IRREGULAR = {
    "Elves": "Elf",
    "Dwarves": "Dwarf",
    "Wolves": "Wolf",
    "Werewolves": "Werewolf",
    "Mice": "Mouse",
    "Oxen": "Ox",
    "Geese": "Goose",
    "Children": "Child",
    "Fungi": "Fungus",
    "Sphinges": "Sphinx",
    "Thieves": "Thief",
    "Cyclopes": "Cyclops",
    "Octopi": "Octopus",
    "Foxes": "Fox",
    "Loci": "Locus",
    "Heroes": "Hero",
    "Pegasi": "Pegasus",
    "Mercenaries": "Mercenary",
    "Allies": "Ally",
    "Faeries": "Faerie",
}


def singulars(word: str) -> tuple[str, ...]:
    """What a word may be the plural of, itself first."""
    forms = [word]
    if word in _IRREGULAR:
        forms.append(_IRREGULAR[word])
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s"):
        forms.append(word[:-1])
    return tuple(forms)


@lru_cache(maxsize=1)
def subtypes() -> frozenset[str]:
    """All subtypes that cards have, as type lines write them."""
    text = (files(__package__ or "") / "subtypes.txt").read_text("utf-8")
    return frozenset(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@lru_cache(maxsize=4096)
def subtype(word: str) -> str | None:
    """The subtype that a word means, in singular or plural; None for any other word."""
    return next((s for s in singulars(word) if s in subtypes()), None)


_WORD = re.compile(
    r"(?:Time Lords?\b|Power-Plants?\b|Assembly-Workers?\b|[A-Z][\w]*(?:['’]\w+)?(?<!['’]s)|Urza's|Bolas's)"
    r"(?![\w'’-])"
)


def subtype_at(text: str, at: int) -> int | None:
    """Where the subtype that stands at this place ends."""
    found = _WORD.match(text, at)
    if found is None or subtype(found.group()) is None:
        return None
    return found.end()


def card_type(word: str) -> str | None:
    """The card type that a word means, in singular or plural ("sorceries")."""
    return next((s for s in singulars(word.capitalize()) if s in CARD_TYPES), None)


def number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def in_color_order(letters: str) -> str:
    return "".join(c for c in "WUBRGC" if c in letters)
