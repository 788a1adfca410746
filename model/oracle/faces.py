"""The lines of a whole face, with what only their neighbours tell: modes, levels, chapters (700.2, 711, 714, 716)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from ..abilities import (
    SUBJECTS,
    Ability,
    Activated,
    AllOf,
    Become,
    Compare,
    Condition,
    CostPart,
    Counters,
    Filter,
    GrantAbilities,
    Is,
    Line,
    OneOf,
    RemoveCounters,
    SetTypes,
    SpellAbility,
    Static,
    StaticEffect,
    Status,
    Triggered,
)
from . import text as texts
from . import words
from .effects import read_effects
from .lines import Found, Kind, as_line, read_line, under
from .modes import Printed, is_bullet, read_group
from .subjects import understood_words

Names = list[str] | tuple[str, ...]


def read_face(name: str, type_line: str, text: str, full_name: str, sized: bool) -> tuple[Line, ...]:
    names = texts.own_names(name, type_line, full_name)
    kind = Kind(spell=bool(re.search(r"\b(?:Instant|Sorcery)\b", type_line)))
    found = read_lines(text, names, (), kind)
    if re.search(r"^Station\b", text, re.MULTILINE):
        found = stationed(text, found, creature=sized and "Creature" not in type_line)
    return numbered(found)


def read_text(text: str, known: tuple[str, ...]) -> tuple[Line, ...]:
    """Free text. A sentence that is no ability by itself may be what a resolution leaves behind (611.2)."""
    found = read_lines(text, (), known, Kind())
    for n, raw in enumerate(texts.printed_lines(text)):
        if found[n].unread:
            found[n] = started(safe_normal(raw, (), known)) or found[n]
    return numbered(found)


def started(text: str) -> Found | None:
    """The abilities that effects in words start, if that is all they do."""
    effects = read_effects(text).effects
    if not effects or not all(isinstance(e, Become) for e in effects):
        return None
    return Found(tuple(a for e in effects if isinstance(e, Become) for a in e.abilities))


def numbered(found: list[Found]) -> tuple[Line, ...]:
    return tuple(as_line(n, f) for n, f in enumerate(found, start=1))


def read_lines(text: str, names: Names, known: tuple[str, ...], kind: Kind) -> list[Found]:
    """Every printed line, read with the lines around it."""
    printed = [Printed(raw, safe_normal(raw, names, known)) for raw in texts.printed_lines(text)]
    found: list[Found] = []
    for group in groups(printed):
        found.extend(safe_group(group, kind))
    return added_instead(printed, crewed_otherwise(printed, levelled(printed, found)), kind)


def groups(printed: list[Printed]) -> Iterator[list[Printed]]:
    """A line and the bullets that follow it."""
    group: list[Printed] = []
    for line in printed:
        if group and not is_bullet(line.raw):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def safe_normal(raw: str, names: Names, known: tuple[str, ...]) -> str:
    return "" if len(raw) > 5000 else texts.normalise(raw, names, known)


def safe_group(group: list[Printed], kind: Kind) -> list[Found]:
    """A line with its bullets; one that is too deep or too long to read touches everything."""
    header, *bullets = group
    try:
        found = safe_line(header, kind)
        return read_group(header, found, bullets, kind) if bullets else [found]
    except RecursionError:
        return [Found(unread=SUBJECTS) for _ in group]


_CHAPTER = re.compile(r"^(?:[IVX]+, )*([IVX]+) — .+$")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def roman(numeral: str) -> int:
    return _ROMAN.index(numeral) + 1 if numeral in _ROMAN else 0


def safe_line(line: Printed, kind: Kind) -> Found:
    if len(line.raw) > 5000:
        return Found(unread=SUBJECTS)
    if not line.normal:
        return Found(irrelevant=True)
    if (chapter := _CHAPTER.match(line.raw)) is not None:
        # 714.2: a chapter is a triggered ability, and waits on the stack like any that does not trigger on mana.
        read = read_effects(texts.small_starts(re.sub(r"^[IVX, ]+ — ", "", line.normal)))
        ability = Triggered(
            "chapter", Filter(me=True), effects=read.effects, targets=read.targets, least=roman(chapter.group(1))
        )
        if not understood_words(line.normal):
            return Found((ability,), SUBJECTS)
        gained = gained_by_chapter(roman(line.raw.split(" ")[0].strip(",")), ability)
        return Found((ability, *gained), irrelevant=not gained)
    return read_line(line.normal, kind)


def gained_by_chapter(n: int, chapter: Triggered) -> tuple[Static, ...]:
    """What a Saga gains by a chapter for as long as it is there; its lore counters tell that the chapter triggered."""
    since = AllOf((Compare(Counters("lore"), ">=", n), Status("chapters_resolved")))
    return tuple(
        Static(static.effects, condition=since)
        for effect in chapter.effects
        if isinstance(effect, Become) and effect.until == "forever" and not chapter.targets
        for static in effect.abilities
        if isinstance(static, Static) and all(_gives_itself(e) for e in static.effects)
    )


def _gives_itself(effect: StaticEffect) -> bool:
    if not isinstance(effect, GrantAbilities) or effect.what != Filter(me=True):
        return False
    return bool(effect.abilities or effect.keywords)


_ADD_INSTEAD = re.compile(r"^(?:[a-z ]+ — )?add ((?:\{[WUBRGC]\})+) instead if ([^.]+)\.$", re.IGNORECASE)


def added_instead(printed: list[Printed], found: list[Found], kind: Kind) -> list[Found]:
    """A line of a spell by which it adds other mana than the line above says, under a condition: as one sentence."""
    for n in range(1, len(printed) if kind.spell else 0):
        instead = _ADD_INSTEAD.match(printed[n].normal)
        if instead is None or not printed[n - 1].normal.lower().startswith("add "):
            continue
        mana, condition = instead.groups()
        both = read_line(f"{{T}}: {printed[n - 1].normal} if {condition}, add {mana} instead.", Kind())
        if both.unread or len(both.abilities) != 1 or not isinstance(both.abilities[0], Activated):
            continue
        found[n - 1] = Found((SpellAbility(both.abilities[0].effects),))
        found[n] = Found(irrelevant=True)
    return found


_CREW_INSTEAD = re.compile(
    r"^you may remove an? (\w+) counter from an? (\w+) you control rather than pay ~'s crew cost\.?$"
)


def crewed_otherwise(printed: list[Printed], found: list[Found]) -> list[Found]:
    """A line that gives another way to pay for the crew ability of another line (118.9)."""
    for n, line in enumerate(printed):
        other = _CREW_INSTEAD.match(line.normal)
        kind = None if other is None else words.card_type(other.group(2))
        if other is None or kind is None:
            continue
        cost = RemoveCounters(other.group(1), from_=Filter(types=(kind,), controller="you"))
        found = [msgspec.structs.replace(f, abilities=tuple(_crew_by(a, cost) for a in f.abilities)) for f in found]
        found[n] = Found(irrelevant=True)
    return found


def _crew_by(ability: Ability, cost: CostPart) -> Ability:
    if not isinstance(ability, Activated) or ability.keyword != "crew":
        return ability
    return msgspec.structs.replace(ability, cost=(OneOf((ability.cost, (cost,))),))


# --- levels (711, 716) ------------------------------------------------------------------------------------------------

_LEVELER = re.compile(r"^LEVEL (\d+)(?:-(\d+)|\+)$")
_SIZE = re.compile(r"^[\d*]+/[\d*]+$")
_CLASS = re.compile(r"^(?:\{[^{}]+\})+: Level (\d+)(?: \(.*\))?$")
_SOLVED = re.compile(r"^Solved — ")


def levelled(printed: list[Printed], found: list[Found]) -> list[Found]:
    """Lines below a level symbol or bar, and those of a solved case, hold only then."""
    out: list[Found] = []
    condition: Condition | None = None
    for line, read in zip(printed, found, strict=True):
        level, reached = _LEVELER.match(line.raw), _CLASS.match(line.raw)
        if level is not None:
            condition = at_level(int(level.group(1)), level.group(2))
            out.append(Found(irrelevant=True))
        elif condition is not None and _SIZE.match(line.raw):
            out.append(sized(line.raw, condition))
        elif reached is not None:
            out.append(level_ability(read, int(reached.group(1))))
            condition = at_level(int(reached.group(1)), None)
        elif _SOLVED.match(line.raw):
            out.append(under(read_line(texts.small_starts(line.normal.split(" — ", 1)[1])), SOLVED))
        else:
            out.append(read if condition is None else under(read, condition))
    return out


_STATION = re.compile(r"^(\d+)\+ \| ")


def stationed(text: str, found: list[Found], *, creature: bool) -> list[Found]:
    """721.2: what stands below a station symbol holds as that does, while there are enough charge counters; at the
    last of them a permanent with a printed power is a creature besides."""
    out: list[Found] = []
    condition: Condition | None = None
    for raw, read in zip(texts.printed_lines(text), found, strict=True):
        reached = _STATION.match(raw)
        if reached is not None:
            condition = Compare(Counters("charge"), ">=", int(reached.group(1)))
            out.append(read)
        else:
            out.append(read if condition is None else under(read, condition))
    if condition is not None and creature:
        last = max(n for n, raw in enumerate(texts.printed_lines(text)) if _STATION.match(raw))
        becomes = Static((SetTypes(Filter(me=True), types=("Creature",), keep=True),), condition)
        out[last] = msgspec.structs.replace(out[last], abilities=(*out[last].abilities, becomes), irrelevant=False)
    return out


SOLVED = Is("self", Filter(zone="any", noted="solved"))


def at_level(least: int, most: str | None) -> Condition:
    from ..abilities import AllOf

    low = Compare(Counters("level"), ">=", least)
    return low if most is None else AllOf((low, Compare(Counters("level"), "<=", int(most))))


def sized(raw: str, condition: Condition) -> Found:
    """711.4: base power and toughness while the level is in that range."""
    from ..abilities import PowerToughness, Static

    if "*" in raw:
        return Found(unread=("types",))
    power, toughness = (int(n) for n in raw.split("/"))
    return Found((Static((PowerToughness(Filter(me=True), "set", power, toughness),), condition),))


def level_ability(read: Found, level: int) -> Found:
    """716.2a: at sorcery timing, from the level before. A Class is at level 1 to begin with."""
    before = Compare(Counters("level"), "==", level - 1) if level > 2 else Compare(Counters("level"), "<=", 1)
    abilities = tuple(
        msgspec.structs.replace(a, timing="sorcery", conditions=(*a.conditions, before), keyword="level")
        if isinstance(a, Activated)
        else a
        for a in read.abilities
    )
    return msgspec.structs.replace(read, abilities=abilities)
