"""Bulleted lines: modes of spells and abilities (700.2), and abilities behind a word that was chosen (614.12)."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from ..abilities import SUBJECTS, Activated, Chosen, CostPart, Mode, SpellAbility, Triggered, Unread
from .effects import Read, adds_mana, read_effects
from .lines import Found, Kind, announced, not_lasting, read_cost, read_line, under
from .subjects import understood_words
from .text import small_starts

# Bullets as cards print them: plain ones, and those of spree, whose mark is their cost.
_BULLET = re.compile(r"^(?:•|\+ (?=\{))\s*")
_COST_FIRST = re.compile(r"^((?:\{[^{}]+\})+) — (.+)$")
_NAMED = re.compile(r"^([A-Z][\w'’ !?,.-]{0,40}?) — (.+)$")
_CHOOSE = re.compile(
    r"\bchooses? (one or both|one or more|up to (?:one|two|three|four)|any number|one|two|three|four|five|both)\b"
)
_ANCHORS = re.compile(r"^as ~ enters, choose (.+?) or (.+?)\.?$")
_LEAST = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "both": 2}


class Printed(NamedTuple):
    """A printed line, as it stands and as the grammar reads it."""

    raw: str
    normal: str


def is_bullet(raw: str) -> bool:
    return _BULLET.match(raw) is not None


def read_group(header: Printed, found: Found, bullets: list[Printed], kind: Kind) -> list[Found]:
    """The line before the bullets, as it was read, with the bullets below it: what each of the lines means now. A word
    that is not known may change anything here too."""
    read = _read_group(header, found, bullets, kind)
    for n, line in enumerate((header, *bullets)):
        if not read[n].unread and not understood_words(_NAME_OF_MODE.sub("", line.normal)):
            read[n] = msgspec.structs.replace(read[n], unread=SUBJECTS, irrelevant=False)
    return read


# The name of a mode, or the words of an anchor, which mean nothing by themselves.
_NAME_OF_MODE = re.compile(r"^[•+] [^—.:,\"]{1,45} — ")


def _read_group(header: Printed, found: Found, bullets: list[Printed], kind: Kind) -> list[Found]:
    anchors = _ANCHORS.match(header.normal)
    if anchors is not None:
        return [anchored(header, found), *(anchored_line(b, kind) for b in bullets)]
    if kind.spell or header.normal.rstrip(".") in ("spree", "tiered"):
        return spell_modes(header, found, bullets)
    ability = found.abilities[-1] if found.abilities else None
    if isinstance(ability, Activated):
        return activated_modes(header, found, ability, bullets)
    if re.match(r"^(?:when|whenever|at|[IVX]+(?:, [IVX]+)* — )", header.normal) or isinstance(ability, Triggered):
        # What a trigger may do waits on the stack, whichever mode it is.
        return [found, *(Found(irrelevant=True) for _ in bullets)]
    return [found, *(read_line(b.normal, kind) for b in bullets)]


def choice(header: str, modes: int) -> tuple[int, int]:
    """How many modes: the least and the most; where more may be chosen in some case, the least stays."""
    said = _CHOOSE.search(header)
    word = said.group(1) if said is not None else "one"
    more = modes if re.search(r"choose (?:both|any number|two|one or more)(?: of them)? instead", header) else 0
    if word == "one or both":
        return (1, 2)
    if word == "one or more":
        return (1, modes)
    if word == "any number":
        return (0, modes)
    if word.startswith("up to "):
        return (0, _LEAST[word.removeprefix("up to ")])
    return (_LEAST[word], max(_LEAST[word], more))


def mode_of(bullet: Printed) -> tuple[Mode, Read]:
    """One mode: its cost where it has one, its targets, its effects."""
    text = _BULLET.sub("", bullet.raw)
    text = bullet.normal.removeprefix("• ").removeprefix("+ ") if text else ""
    cost: tuple[CostPart, ...] = ()
    priced = _COST_FIRST.match(text)
    if priced is None and (named := _NAMED.match(text)) is not None:
        text = small_starts(named.group(2))
        priced = _COST_FIRST.match(text)
    if priced is not None:
        cost, text = read_cost(priced.group(1)), small_starts(priced.group(2))
    read = read_effects(text)
    return Mode(read.effects, read.targets, cost), read


def spell_modes(header: Printed, found: Found, bullets: list[Printed]) -> list[Found]:
    """A modal spell is one spell ability, on the line that says how many to choose."""
    modes = [mode_of(b) for b in bullets]
    name = header.normal.rstrip(".")
    number = (1, len(modes)) if name == "spree" else (1, 1) if name == "tiered" else choice(header.normal, len(modes))
    if name not in ("spree", "tiered") and not _CHOOSE.search(header.normal):
        return [Found(found.abilities, ("permission",)), *(Found(irrelevant=True) for _ in bullets)]
    spell = SpellAbility(modes=tuple(m for m, _ in modes), choose=number)
    before = tuple(a for a in found.abilities if not (isinstance(a, SpellAbility) and _says_nothing(a)))
    understood = all(Unread() not in m.effects and Unread() not in m.cost for m, _ in modes)
    if number[1] > 1 and any(t.apart for m, _ in modes for t in m.targets):
        understood = False  # another target than those of its own mode, of which several may be chosen
    whole = Found((*before, spell), () if understood else ("permission",))
    return [whole, *(Found(irrelevant=True) for _ in bullets)]


def _says_nothing(ability: SpellAbility) -> bool:
    """Whether a header says nothing of casting the spell."""
    return not ability.targets and not ability.timing and not ability.announced


def activated_modes(header: Printed, found: Found, ability: Activated, bullets: list[Printed]) -> list[Found]:
    """An activated ability with modes. A mode that could add mana would make it a mana ability: that is not read."""
    modes = [mode_of(b) for b in bullets]
    least = next((r for r in (announced(b.normal) for b in bullets) if r is not None), ability.announced)
    changed = msgspec.structs.replace(ability, modes=tuple(m for m, _ in modes), announced=least)
    limits = [read.limit for _, read in modes]
    if limits[0] and all(one == limits[0] for one in limits):
        changed = msgspec.structs.replace(changed, **limits[0])  # what every mode says of activating the ability
    elif any(limits):
        found = msgspec.structs.replace(found, unread=(*found.unread, "permission"))
    mana = any(adds_mana(read) or any(re.search(r"\badds?\b", t) for t in read.others) for _, read in modes)
    lasting = any(not not_lasting(read) for _, read in modes)
    unread = tuple(dict.fromkeys((*found.unread, *(("mana",) if mana else ()))))
    whole = Found((*found.abilities[:-1], changed), unread, irrelevant=found.irrelevant and not lasting)
    return [whole, *(Found(irrelevant=True) for _ in bullets)]


def anchored(header: Printed, found: Found) -> Found:
    """The choice as it enters: what was chosen is the object's mode."""
    from ..abilities import EntersWith

    return Found((EntersWith(choose=("mode",)),))


def anchored_line(bullet: Printed, kind: Kind) -> Found:
    """ "• Khans — …": the ability, as long as that word was chosen."""
    text = _BULLET.sub("", bullet.raw)
    named = _NAMED.match(text)
    if named is None:
        return read_line(bullet.normal, kind)
    word = named.group(1)
    body = bullet.normal.removeprefix("• ").removeprefix(f"{word} — ").removeprefix(f"{word.lower()} — ")
    return under(read_line(small_starts(body), kind), Chosen("mode", word))
