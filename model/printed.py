"""What is printed on a card, as it counts where the card is (CR 202.3, 208, 305.6, 708-712, 715).

Computed once for each card and way of being (front, back, copy of a back face, both halves, face down …) and shared
by all objects: `base_of` is on the way of every question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .abilities import (
    Ability,
    Activated,
    AdditionalCost,
    AddMana,
    AlternativeCost,
    Become,
    Card,
    ChangeText,
    Control,
    Copy,
    Emblem,
    EntersWith,
    Face,
    Fixed,
    GainAbilities,
    GrantAbilities,
    Keyword,
    LandTypes,
    LoseAbilities,
    PowerToughness,
    SetColors,
    SetTypes,
    SpellAbility,
    Static,
    TapSelf,
    Triggered,
    Unsettled,
)
from .game import Characteristics, Has, Obj, Unknown
from .mana import COLORS, Cost, ManaError, parse_cost
from .subtypes import BASIC_LANDS, CREATURE_TYPES

# The layer of each effect (613.1), sublayers of power and toughness as 71 to 74 (613.4).
LAYERS: dict[type, int] = {
    Copy: 1,
    Control: 2,
    ChangeText: 3,
    SetTypes: 4,
    LandTypes: 4,
    SetColors: 5,
    GrantAbilities: 6,
    GainAbilities: 6,
    LoseAbilities: 6,
    PowerToughness: 7,
}
_SUBLAYERS = {"define": 71, "set": 72, "modify": 73, "switch": 74}
_OF_ASPECT = {"names": 4, "types": 4, "subtypes": 4, "supertypes": 4, "colors": 5, "abilities": 6, "keywords": 6}
_OF_ASPECT |= {"power": 73, "toughness": 73}
ORDER = (1, 2, 3, 4, 5, 6, 71, 72, 73, 74)

# 122.1b: counters that give a keyword.
KEYWORD_COUNTERS = frozenset(
    (
        "deathtouch",
        "decayed",
        "double strike",
        "exalted",
        "first strike",
        "flying",
        "haste",
        "hexproof",
        "indestructible",
        "lifelink",
        "menace",
        "reach",
        "shadow",
        "trample",
        "vigilance",
    )
)
POWER_COUNTER = re.compile(r"([+-]\d+)/([+-]\d+)")
# What may be unknown of an object: the aspects that `unsure` names.
ASPECTS = ("types", "subtypes", "supertypes", "colors", "cost", "abilities", "power", "toughness")
# Layouts whose second face is an alternative to cast, not a side of the permanent (715, 720).
INSETS = ("adventure", "omen", "prepare")
ONE_MANA = {
    land: Activated(cost=(TapSelf(),), effects=(AddMana(Fixed(f"{{{color}}}")),))
    for land, color in zip(BASIC_LANDS, COLORS, strict=True)
}


def layer_of(effect: object) -> int:
    """The layer in which the effect applies; 0 for effects that are none of characteristics or control (613.11)."""
    if isinstance(effect, Unsettled):
        return min(_OF_ASPECT[aspect] for aspect in effect.aspects)
    layer = LAYERS.get(type(effect), 0)
    return _SUBLAYERS[effect.how] if isinstance(effect, PowerToughness) else layer


class Entry(NamedTuple):
    """An ability that an object has while layers are applied, with the timestamp of what gave it."""

    has: Has
    timestamp: float = 0


class Base:
    """The copiable values of an object (707.2), with what is looked up often: its static abilities by kind."""

    __slots__ = (
        "abilities",
        "card",
        "colors",
        "defining",
        "elsewhere",
        "entries",
        "has_statics",
        "has_triggers",
        "keywords",
        "layered",
        "loyalty",
        "mana_cost",
        "mana_value",
        "name",
        "power",
        "shared",
        "subtypes",
        "supertypes",
        "toughness",
        "types",
        "unsure",
        "variant",
    )

    def __init__(self, card: Card | None, faces: tuple[Face, ...], abilities: Iterable[tuple[Ability, int]]) -> None:
        self.card = card  # kept alive: bases are found by the identity of the card
        self.name = " // ".join(f.name for f in faces)
        self.supertypes = _union(f.supertypes for f in faces)
        self.types = _union(f.types for f in faces)
        self.subtypes = _union(f.subtypes for f in faces)
        self.colors = "".join(c for c in COLORS if any(c in f.colors for f in faces))
        self.unsure: dict[str, Unknown] = {}
        self.mana_cost = self._cost(faces)
        self.mana_value = self.mana_cost.mana_value if self.mana_cost is not None else 0
        self.power = _number(faces[0].power)
        self.toughness = _number(faces[0].toughness)
        self.loyalty = _number(faces[0].loyalty)
        self.entries = tuple(Entry(Has(a, 0, "printed", line)) for a, line in abilities)
        self.elsewhere: Base | None = None  # what it is off the battlefield, if that is something else
        self._define()
        self._index(faces[0])
        self.shared: dict[Any, Characteristics] = {}

    def _cost(self, faces: tuple[Face, ...]) -> Cost | None:
        costs = []
        for face in faces:
            try:
                costs.append(None if face.mana_cost is None else parse_cost(face.mana_cost))
            except ManaError as error:
                self.unsure["cost"] = Unknown(f"the mana cost of {face.name}: {error}", "not_modelled")
        known = [c for c in costs if c is not None]
        total = known[0] if known else None
        for cost in known[1:]:
            total = total.plus(cost) if total is not None else cost
        return total

    def _define(self) -> None:
        """Characteristic-defining abilities of types and colors (604.3) apply before anything else in their layers."""
        for has, _ in self.entries:
            a = has.ability
            if isinstance(a, Keyword) and a.name == "devoid":
                self.colors = ""
            elif isinstance(a, Keyword) and a.name == "changeling":
                self.subtypes = _union((self.subtypes, tuple(sorted(CREATURE_TYPES))))
            elif isinstance(a, Static) and a.defining:
                self._apply_definition(a)

    def _apply_definition(self, static: Static) -> None:
        for effect in static.effects:
            if isinstance(effect, PowerToughness) and isinstance(effect.power, int) and effect.how == "set":
                self.power, self.toughness = effect.power, _fixed(effect.toughness)
            elif isinstance(effect, SetColors) and not effect.chosen:
                letters = effect.colors + (self.colors if effect.keep else "")
                self.colors = "".join(c for c in COLORS if c in letters)
            elif isinstance(effect, SetTypes):
                more = tuple(sorted(CREATURE_TYPES)) if effect.all_creature_types else effect.subtypes
                self.subtypes = _union((self.subtypes if effect.keep else (), more))
                self.types = _union((self.types, effect.types))
            elif isinstance(effect, LandTypes) and not effect.chosen:
                more = BASIC_LANDS if effect.every else effect.types
                self.subtypes = _union((self.subtypes, more))

    def take_elsewhere(self) -> None:
        """Makes this the base of the card off the battlefield, where it says that it is something else there."""
        for has, _ in self.entries:
            if isinstance(has.ability, Static) and has.ability.off_battlefield:
                self._apply_definition(has.ability)

    def _index(self, face: Face) -> None:
        statics = [e.has.ability for e in self.entries if isinstance(e.has.ability, Static)]
        self.defining = tuple(
            e for s in statics if s.defining for e in s.effects if isinstance(e, PowerToughness) and e.how == "define"
        )
        self.layered = tuple(
            s for s in statics if not (s.defining or s.off_battlefield) and any(layer_of(e) for e in s.effects)
        )
        self.has_statics = any(not layer_of(e) for s in statics for e in s.effects) or any(
            True for e in self.entries for _ in lasting_statics(e.has.ability)
        )
        self.has_triggers = any(isinstance(e.has.ability, Triggered) for e in self.entries)
        self.keywords = frozenset(keyword_names(e.has.ability for e in self.entries))
        self.abilities = numbered((*self.entries, *land_entries(self.types, self.subtypes)))
        for stat, printed in (("power", face.power), ("toughness", face.toughness)):
            if printed and getattr(self, stat) is None:
                self._star(face, stat)

    def _star(self, face: Face, stat: str) -> None:
        """208.2a: what no ability defines is 0; but an ability that was not understood may define it."""
        if any(getattr(e, stat) is not None for e in self.defining):
            return
        self.unsure[stat] = Unknown(f"the {stat} of {face.name} is not understood", "not_understood")


def _fixed(n: object) -> int | None:
    return n if isinstance(n, int) else None


def _union(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for part in parts for word in part))


def _number(printed: str) -> int | None:
    """A printed power, toughness or loyalty; None where there is none, or where it varies ("*", "1+*", "X")."""
    return int(printed) if re.fullmatch(r"[+-]?\d+", printed) else None


# Keywords that are compiled to what a spell costs: it has them all the same (flashback, kicker).
_NAMED_COSTS = (AdditionalCost, AlternativeCost)


def keyword_names(abilities: Iterable[Ability]) -> Iterable[str]:
    """The names of keyword abilities, those of keywords that are activated abilities included (cycling, equip)."""
    for a in abilities:
        if isinstance(a, Keyword):
            yield a.name.lower()
        elif isinstance(a, Activated) and a.keyword:
            yield a.keyword.lower()
        elif isinstance(a, Static):
            named = (e for e in a.effects if isinstance(e, _NAMED_COSTS) and e.name)
            yield from (e.name for e in named if e.spells and e.spells.me)


def land_entries(types: tuple[str, ...], subtypes: tuple[str, ...]) -> list[Entry]:
    """305.6: the intrinsic mana abilities of basic land types, in the order W U B R G."""
    if "Land" not in types:
        return []
    return [Entry(Has(ONE_MANA[land], 0, "land")) for land in BASIC_LANDS if land in subtypes]


def numbered(entries: Iterable[Entry]) -> tuple[Has, ...]:
    """The abilities with their public numbers: activated ones count from 1, others have 0."""
    out = []
    number = 0
    for has, _ in entries:
        if isinstance(has.ability, Activated):
            number += 1
            out.append(has._replace(number=number))
        else:
            out.append(has)
    return tuple(out)


def lasting_statics(ability: Ability) -> Iterator[Static]:
    """Static abilities that a triggered ability of the upkeep starts for the rest of the turn."""
    if isinstance(ability, Triggered) and ability.event == "upkeep":
        for effect in ability.effects:
            if isinstance(effect, Become) and effect.until == "end_of_turn":
                yield from (a for a in effect.abilities if isinstance(a, Static))


def functions(static: Static, o: Obj, base: Base) -> bool:
    """113.6: whether the ability functions in the zone where the object is; defining abilities
    everywhere (604.3); emblems and effects are nowhere else."""
    if static.off_battlefield:
        return False  # it is part of what the card is there, see `Base.elsewhere`
    return (
        static.defining
        or static.zone in (o.zone, "any")
        or o.zone == "effect"
        or (o.zone == "command" and not base.types)
    )


# --- which base an object has ---------------------------------------------------------------------------------------

_bases: dict[tuple[int, str], Base] = {}
MOST_BASES = 20_000
_FACE_UP = ("battlefield", "stack")


def base_of(o: Obj) -> Base:
    """The copiable values of the object where it is now."""
    if o.face_down and o.zone != "command":
        return FACE_DOWN if o.zone in _FACE_UP else HIDDEN
    card, variant = _variant(o)
    base = base_of_card(card, variant)
    return base if base.elsewhere is None or o.zone == "battlefield" else base.elsewhere


def base_of_card(card: Card, variant: str) -> Base:
    """The base for a card in a way of being: "0", "1" … that face up; "copy 1": of a copy of it; "whole": both halves;
    "effect": the abilities that an emblem or a resolved effect consists of."""
    key = (id(card), variant)
    base = _bases.get(key)
    if base is None:
        if len(_bases) >= MOST_BASES:
            _bases.clear()
        base = _bases[key] = _make(card, variant)
        base.variant = variant
        if any(isinstance(e.has.ability, Static) and e.has.ability.off_battlefield for e in base.entries):
            base.elsewhere = _make(card, variant)
            base.elsewhere.variant = variant
            base.elsewhere.take_elsewhere()
    return base


def _variant(o: Obj) -> tuple[Card, str]:
    zone = o.zone
    if zone == "battlefield":
        if o.copy_of is not None:
            return o.copy_of, _copied(o.copy_of, o.copy_face) + _excepted(o)
        if o.card.layout == "split" and o.noted:
            return o.card, "whole" if "unlocked" in o.noted else "none" if "locked" in o.noted else str(o.face)
        return o.card, "0" if o.face == 0 or o.card.layout in INSETS else str(o.face)
    if zone == "stack":
        return o.card, str(o.face)
    if zone == "effect" or (zone == "command" and not o.card.faces[0].types):
        return o.card, "effect"
    # 709.4: both halves together, as long as neither is on the stack or the battlefield.
    return o.card, "whole" if o.card.layout in ("split", "aftermath") and len(o.card.faces) > 1 else "0"


def _excepted(o: Obj) -> str:
    """What the object's own exception may have changed of the copy (707.9b), which was not read; "" for nothing."""
    abilities = (a for face in o.card.faces for line in face.lines for a in line.abilities)
    aspects = {x for a in abilities if isinstance(a, EntersWith) for x in a.excepted}
    return "".join(f"?{x}" for x in sorted(aspects)) if o.card is not o.copy_of else ""


def _copied(card: Card, face: int) -> str:
    """A copy of a back face has mana value 0 (202.3b), of a melded permanent too (202.3c)."""
    if card.layout in INSETS:
        return "0"
    return f"copy {face}" if face or card.layout == "meld" else "0"


def copiable(base: Base) -> Base:
    """The base that a copy of an object with this base has: of a back face with mana value 0 (202.3b)."""
    if base.card is None or not base.variant.isdigit():
        return base
    return base_of_card(base.card, _copied(base.card, int(base.variant)))


def _make(card: Card, variant: str) -> Base:
    if variant == "effect":
        base = Base(card, (card.faces[0],), [(a, 0) for a in _lasting(card)])
        base.power = base.toughness = base.loyalty = None
        return base
    if "?" in variant:
        plain, *aspects = variant.split("?")
        base = _make(card, plain)
        unknown = Unknown(f"how the copy differs from {card.name} is not modelled", "not_modelled")
        base.unsure = {**dict.fromkeys(aspects, unknown), **base.unsure}
        return base
    if variant == "none":  # 709.5: no door of the Room is unlocked
        first = card.faces[0]
        return Base(card, (Face(name="", supertypes=first.supertypes, types=first.types, subtypes=first.subtypes),), [])
    if variant == "whole":
        return Base(card, card.faces, [(a, line.n) for f in card.faces for line in f.lines for a in line.abilities])
    copied = variant.startswith("copy ")
    face = int(variant.removeprefix("copy "))
    base = _of_face(card, face)
    if copied:
        base.unsure.pop("cost", None)
    elif face and card.layout in ("transform", "flip"):
        _take_front_cost(base, card, face)
    return base


def _of_face(card: Card, index: int) -> Base:
    face = card.faces[index]
    base = Base(card, (face,), [(a, line.n) for line in face.lines for a in line.abilities])
    if face.missing:
        unknown = Unknown(f"the card data has only the name of {face.name}", "not_understood")
        base.unsure = dict.fromkeys(ASPECTS, unknown)
    if card.layout == "meld" and face.mana_cost is None and "Land" not in face.types:
        base.unsure["cost"] = Unknown(f"the mana value of {face.name} is that of its two parts", "not_modelled")
    return base


def _take_front_cost(base: Base, card: Card, face: int) -> None:
    """A back face has its front's mana value (202.3b); a flipped permanent keeps cost and colors (710.1c)."""
    front = base_of_card(card, "0")
    base.mana_value = front.mana_value
    if card.layout == "flip":
        base.mana_cost, base.colors = front.mana_cost, front.colors


def _lasting(card: Card) -> list[Ability]:
    """What goes on applying of a card that stands for an effect or an emblem: the emblem's abilities, or what its
    spell ability leaves behind; else all that is written on it."""
    written = [a for line in card.faces[0].lines for a in line.abilities]
    emblem = [inner for a in written if isinstance(a, Emblem) for inner in a.abilities]
    if emblem:
        return emblem
    left = [inner for a in written for e in _effects(a) if isinstance(e, Become) for inner in e.abilities]
    return left or [a for a in written if not isinstance(a, SpellAbility)]


def _effects(a: Ability) -> tuple[object, ...]:
    return a.effects if isinstance(a, SpellAbility) else ()


# 708.2a: a face-down permanent or spell is a 2/2 creature with nothing else; 406.3: elsewhere nothing is known of it.
FACE_DOWN = Base(None, (Face(name="", types=("Creature",), power="2", toughness="2"),), ())
HIDDEN = Base(None, (Face(name=""),), ())


# --- one object by itself -------------------------------------------------------------------------------------------


def printed_characteristics(o: Obj) -> Characteristics:
    """What the object is without any effect and without abilities that count: its copiable values and counters."""
    return shared_characteristics(o, base_of(o))


def shared_characteristics(o: Obj, base: Base) -> Characteristics:
    """The characteristics of the base with the object's counters, one instance for all objects alike."""
    key = (o.controller, o.zone, o.counters, o.x if o.zone == "stack" else None)
    found = base.shared.get(key)
    if found is None:
        if len(base.shared) >= 512:
            base.shared.clear()
        found = base.shared[key] = characteristics(o, base, power=base.power, toughness=base.toughness)
    return found


def characteristics(
    o: Obj, base: Base, *, power: int | None, toughness: int | None, unsure: dict[str, Unknown] | None = None
) -> Characteristics:
    """The base as an object without continuous effects, with these numbers before counters."""
    unsure = base.unsure if unsure is None else unsure
    abilities, keywords = base.abilities, base.keywords
    granted = counter_keywords(o)
    if granted:
        abilities = numbered((*(Entry(h) for h in abilities), *granted))
        keywords = keywords | frozenset(keyword_names(e.has.ability for e in granted))
    power, toughness = with_counters(o, base.types, power, toughness, unsure)
    return Characteristics(
        name=base.name,
        supertypes=base.supertypes,
        types=base.types,
        subtypes=base.subtypes,
        colors=base.colors,
        mana_cost=base.mana_cost,
        mana_value=mana_value(o, base),
        power=power,
        toughness=toughness,
        loyalty=loyalty(o, base),
        controller=o.controller,
        keywords=keywords,
        abilities=abilities,
        unsure=unsure,
    )


def mana_value(o: Obj, base: Base) -> int:
    """202.3e: on the stack X is what was announced, elsewhere 0."""
    if o.zone == "stack" and o.x and base.mana_cost is not None:
        return base.mana_value + base.mana_cost.x * o.x
    return base.mana_value


def loyalty(o: Obj, base: Base) -> int | None:
    """306.5c: on the battlefield loyalty is the number of loyalty counters."""
    return loyalty_as(o, base.types) if o.zone == "battlefield" else base.loyalty


def loyalty_as(o: Obj, types: tuple[str, ...]) -> int | None:
    return o.count("loyalty") if "Planeswalker" in types else None


def counter_keywords(o: Obj) -> list[Entry]:
    """122.1b: keyword counters."""
    return [Entry(Has(Keyword(kind), 0, o.id), o.timestamp) for kind, n in o.counters if n and kind in KEYWORD_COUNTERS]


def with_counters(
    o: Obj, types: tuple[str, ...], power: int | None, toughness: int | None, unsure: Mapping[str, Unknown]
) -> tuple[int | None, int | None]:
    """7c: power and toughness with +1/+1, -1/-1 and such counters; permanents that are no creatures have neither
    (208.3). A number that varies and that nothing defines is 0 (208.2a)."""
    if "Creature" not in types and (o.zone == "battlefield" or (power is None and toughness is None)):
        return None, None
    more = counter_changes(o) if o.counters and o.zone == "battlefield" else (0, 0)
    return (
        None if "power" in unsure else (power or 0) + more[0],
        None if "toughness" in unsure else (toughness or 0) + more[1],
    )


def counter_changes(o: Obj) -> tuple[int, int]:
    """What the object's counters add to power and toughness (122.1a)."""
    changes = [(int(m[1]) * n, int(m[2]) * n) for kind, n in o.counters if (m := POWER_COUNTER.fullmatch(kind))]
    return sum(p for p, _ in changes), sum(t for _, t in changes)
