"""Printed text made ready for the grammar: one form for everything that means the same.

Reminder text goes (207.2a); the object's own name and "this creature" become `~` (201.5); ability words go (207.2c);
a word that is capitalised only because it starts a sentence or a cost gets its small letter back, so that the capital
letters that stay are those of subtypes and names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial

from . import words

_REMINDER = re.compile(r"\s*\([^()]*\)")
_THIS = re.compile(
    r"\b[Tt]his (?:land|creature|artifact|permanent|enchantment|token|card|spell|planeswalker|battle|"
    r"Aura|Equipment|Vehicle|Saga|Class|Case|Room|Siege|Fortification|Mount|Spacecraft|Attraction|Contraption|"
    r"Treasure|Food|Clue|Background|Shrine|Curse|Cartouche|Rune|Planet|Gold|Powerstone|Map|Junk|Blood|Omenpath|"
    r"conspiracy|door|emblem)\b(?! type)"
)
# Ability words and the like that name an ability without changing it: words in front of a dash.
_ABILITY_WORD = re.compile(
    r"^(?:• )?(?:[A-Z]|~(?:'s)?(?=[ -])|\.\.\. [A-Z]|\d[\d,]+ [A-Z])[A-Za-zÀ-ɏ'’~\- ,.!?]{0,40}(?:[ -]\d)? — (?=\S)"
)
# Words before a dash that are no ability words: they say when or how the ability works.
_MEANT = (
    "Companion",
    "Exhaust",
    "Boast",
    "Power-up",
    "Forecast",
    "Channel",
    "Max speed",
    "Solved",
    "To solve",
    "Renew",
    "Partner",
    "Visit",
    "Prize",
)
_OWN_COST = re.compile(
    r"\b(flashback|escape|harmonize|unearth|embalm|encore|replicate|blitz|emerge|scavenge|madness|miracle|foretell|mayhem|"
    r"spectacle|disguise)( until end of turn)?\. (?:the|its|their) \1 cost is equal to "
    r"(?:its|their|that card's|the card's) mana cost(?: plus ([^.]+)| (?:reduced by|minus) (\{\d+\}))?"
)
# One verb for two objects is two costs: "discard an Island card and another card".
_AND_ANOTHER = re.compile(r"\b(sacrifice|discard|exile) ([^.,:]+?) and another (?!target\b)")
# Words of older printings, for what is said in fewer or other words now.
_OLDER = (
    (re.compile(r" to (?:your|their|his or her|that player's|its controller's) mana pool\b"), ""),
    (re.compile(r"(?<=~ enters) the battlefield\b"), ""),
    (re.compile(r"\bconverted mana cost(s?)\b"), r"mana value\1"),
)
# What an object has while it is harnessed, where that is a trigger, which waits on the stack in any case.
_HARNESSED = re.compile(r"^∞ — (?=(?:When|Whenever|At) )")
_QUOTE_END = re.compile(r"\.\"(?=$|[.,]| [A-Z])")
# An ability in quotation marks inside another one has single marks.
_INNER_QUOTE = re.compile(r"((?:have|has|with|and) )'([^']*(?:~'s[^']*)*)'")
_START = re.compile(r"(^|[.:!] |• |[\"«]|— |—|\[?[+−-]?\d+\]?: |, (?:and )?|' |; )([A-Z][\w'’-]*)")


def printed_lines(text: str) -> list[str]:
    """The printed lines of a face's text."""
    return text.split("\n") if text else []


def own_names(name: str, type_line: str, full_name: str = "") -> list[str]:
    """What the object may be called in its own text, longest first (201.5a-c)."""
    names: list[str] = []
    for whole in (name.removeprefix("A-"), *full_name.split(" // ")):
        if not whole:
            continue
        names.append(whole)
        if "Legendary" in type_line or "Planeswalker" in type_line:
            names.extend(_short_names(whole))
    return sorted(dict.fromkeys(n for n in names if n), key=len, reverse=True)


# First words that texts use in their own sense too, so that alone they do not name the object.
_COMMON = frozenset(
    [
        "the",
        "a",
        "an",
        "lord",
        "lady",
        "king",
        "queen",
        "captain",
        "sir",
        "general",
        "doctor",
        "mr.",
        "red",
        "blue",
        "green",
        "black",
        "white",
        "gold",
        "all",
        "each",
        "every",
        "when",
        "whenever",
        "at",
        "if",
        "other",
        "target",
        "your",
        "you",
        "creature",
        "land",
        "artifact",
        "enchantment",
        "spell",
        "token",
        "first",
        "second",
        "last",
        "dark",
        "light",
        "old",
        "young",
        "great",
        "grand",
        "high",
        "master",
        "mother",
        "father",
        "sister",
        "brother",
        "mind",
        "time",
        "war",
        "life",
        "death",
        "fire",
        "water",
        "storm",
        "sky",
        "sea",
        "commander",
        "player",
        "opponent",
        "combat",
        "damage",
        "mana",
        "card",
        "cards",
        "night",
        "day",
        "turn",
        "step",
        "end",
    ]
)


def _short_names(name: str) -> list[str]:
    short = [name.split(",")[0], re.sub(r" [IVXL]+$", "", name)]
    head = re.split(r" (?:of|the|from|in|to|and) |, ", name)[0]
    short.append(head)
    first = head.split(" ")[0]
    common = first.lower() in _COMMON
    if not common and words.subtype(first) is None:
        short.append(first)
    return [s for s in short if len(s) > 2 and s not in ("The",) and not s.endswith("'s")]


@lru_cache(maxsize=256)
def _names_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<![\w'’])(?:" + "|".join(re.escape(n) for n in names) + r")(?![\w-])(?! planeswalker)")


def without_reminder(text: str) -> str:
    """The text without parentheses; nested ones too."""
    previous = ""
    while previous != text:
        previous, text = text, _REMINDER.sub("", text)
    return text.strip()


def normalise(line: str, names: Iterable[str] = (), known: Iterable[str] = ()) -> str:
    """One line in the form that the grammar reads. `names`: the object's own; `known`: names of other objects."""
    text = without_reminder(line.replace("’", "'").replace("−", "-").replace("–", "-"))
    names = tuple(names)
    if names:
        pattern = _names_pattern(names)
        parts = text.split('"')
        # Inside quotation marks the name means the object that grants the ability, not the one that has it.
        parts = [pattern.sub(partial(_own_name, "⟦granter⟧" if i % 2 else "~"), p) for i, p in enumerate(parts)]
        text = '"'.join(parts)
    known = tuple(sorted(known, key=len, reverse=True))
    if known:
        text = _names_pattern(known).sub(_known_name, text)
    text = _THIS.sub("~", text)
    for older, newer in _OLDER:
        text = older.sub(newer, text)
    text = _INNER_QUOTE.sub(r"\1«\2»", text).replace(".»", "»").replace(',"', '",')
    text = _drop_ability_word(_HARNESSED.sub("", text))
    text = _QUOTE_END.sub(lambda m: '"' if m.end() < len(text) and text[m.end()] in ".," else '".', text)
    text = re.sub(r"\.\"$", '".', text).replace('."', '"')
    text = small_starts(text)
    # An ability of a permanent works on the battlefield anyway (113.6).
    text = re.sub(r"^as long as ~ is on the battlefield, it (?=has|gets)", "~ ", text)
    text = re.sub(r"^(as long as there are \w+ or more cards exiled with ~, )it (?=gets|has)", r"\1~ ", text)
    text = re.sub(r"^as long as ~ is on the battlefield, ", "", text)
    text = _OWN_COST.sub(_own_cost, text)
    text = _AND_ANOTHER.sub(r"\1 \2 and \1 another ", text)
    return re.sub(r"\s+", " ", text).strip()


def _own_name(mark: str, found: re.Match[str]) -> str:
    """The mark of the object's own name; a name that is a creature type means that where it stands as one."""
    if words.subtype(found.group()) is not None and re.match(r" creatures?\b", found.string[found.end() :]):
        return found.group()
    return mark


def _known_name(found: re.Match[str]) -> str:
    """A name made sure to be one; "a Forest" is any land of that type, whatever the names."""
    before = found.string[: found.start()]
    if words.subtype(found.group()) is not None and re.search(r"\b(?:an?|another|each|all|other) $", before):
        return found.group()
    return f"⟨{found.group()}⟩"


def _own_cost(found: re.Match[str]) -> str:
    """A keyword whose cost a sentence of its own gives, as if that were printed behind it."""
    keyword, lasting, more = found.group(1), found.group(2) or "", found.group(3)
    if (less := found.group(4)) is not None:
        return f"{keyword}—⟦cost⟧ minus {less}{lasting}"
    return f"{keyword}—⟦cost⟧{', ' + more if more else ''}{lasting}"


def _drop_ability_word(text: str) -> str:
    found = _ABILITY_WORD.match(text)
    if found is None or found.group().startswith(_MEANT):
        return text
    if re.match(r"^(?:[IVX]+(?:, [IVX]+)*) — ", text):
        return text
    return text[found.end() :]


def small_starts(text: str) -> str:
    """Gives sentence starts their small letter, but not subtypes and names."""
    return _START.sub(lambda m: m.group(1) + _small(m.group(2), m.group(1)), text)


def _small(word: str, before: str) -> str:
    if (len(word) == 1 and word != "A") or re.fullmatch(r"[IVX]+", word):
        return word
    if before.startswith(",") and word.lower() not in COST_VERBS:
        return word
    if words.subtype(word) is not None and word.lower() not in COST_VERBS:
        return word
    return word[0].lower() + word[1:]


COST_VERBS = frozenset(
    [
        "sacrifice",
        "pay",
        "discard",
        "tap",
        "untap",
        "remove",
        "exile",
        "return",
        "put",
        "mill",
        "reveal",
        "exert",
        "collect",
        "blight",
        "forage",
        "behold",
        "waterbend",
        "choose",
        "roll",
        "unattach",
        "flying",
        "haste",
        "vigilance",
        "trample",
        "deathtouch",
        "lifelink",
        "menace",
        "reach",
        "defender",
        "flash",
        "hexproof",
        "indestructible",
    ]
)
