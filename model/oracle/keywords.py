"""Keyword lines: the keyword, what is printed after it, and the abilities that it stands for (702)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import (
    Ability,
    Activated,
    AdditionalCost,
    AlternativeCost,
    CostChange,
    CostPart,
    Filter,
    Keyword,
    ManaPart,
    OneOf,
    PayPlayerCounters,
    Permission,
    Stat,
    Static,
    X,
)
from .amounts import WhereX
from .cost_changes import Found, own_cost
from .costs import Symbols
from .effects import Limit, joined
from .engine import NotUnderstood, meaning, parse_one, pick, pick_all
from .keyword_costs import BARE, BUILDERS, SPELL, Printed, build
from .nouns import Patch, but, merge
from .subjects import understood_words


class Name(str):
    """The keyword."""


class Paid(tuple[CostPart, ...]):
    """The cost that is printed after a keyword."""


class Item(tuple[Ability, ...]):
    """What one keyword of the line stands for."""


@meaning("keyword_line")
def keyword_line(_: str, values: list[Any]) -> Found:
    return Found(a for item in pick_all(values, Item) for a in item)


@meaning("kw_mana")
def kw_mana(_: str, values: list[Any]) -> Paid:
    return Paid((ManaPart(str(values[0])),))


@meaning("kw_mana_or")
def kw_mana_or(_: str, values: list[Any]) -> Paid:
    return Paid((OneOf(tuple((ManaPart(str(s)),) for s in pick_all(values, Symbols))),))


@meaning("kw_paid")
def kw_paid(_: str, values: list[Any]) -> Paid:
    return Paid(values[0])


@meaning("kw_cost_name")
def kw_cost_name(text: str, _: list[Any]) -> Name:
    if text.endswith("cycling") and text != "cycling":
        return Name("typecycling")
    return Name(text)


@meaning("kw_cost")
def kw_cost(text: str, values: list[Any]) -> Item:
    (name, *_), paid = pick_all(values, Name), pick(values, Paid)
    assert paid is not None
    if name not in BUILDERS:
        raise NotUnderstood(name)
    built = build(name, Printed(tuple(paid)))
    if "X can't be 0" in text:
        built = tuple(_with_least_x(a) for a in built)
    if (change := pick(values, Static)) is not None:
        if name != "flashback":
            raise NotUnderstood("what costs less")
        built = (*built, change)
    if pick(values, TurnedCheaper) is not None and name not in ("disguise", "morph", "megamorph"):
        raise NotUnderstood("what costs less")
    return noted(built, values)


def _with_least_x(ability: Ability) -> Ability:
    if not isinstance(ability, Static) or not all(
        isinstance(e, AdditionalCost | AlternativeCost) for e in ability.effects
    ):
        raise NotUnderstood("a least X")
    effects = tuple(msgspec.structs.replace(e, least_x=1) for e in ability.effects)
    return msgspec.structs.replace(ability, effects=effects)


class TurnedCheaper(str):
    """What is said of the cost to turn a permanent face up, which is no cost of the spell."""


@meaning("kw_turned_cheaper")
def kw_turned_cheaper(text: str, _: list[Any]) -> TurnedCheaper:
    return TurnedCheaper(text)


@meaning("kw_if_x")
def kw_if_x(text: str, _: list[Any]) -> Name:
    return Name(text)


@meaning("kw_cast_cheaper")
def kw_cast_cheaper(_: str, values: list[Any]) -> Static:
    """ "This spell costs {X} less to cast this way": for the keyword's cost alone."""
    where = pick(values, WhereX)
    if where is None:
        raise NotUnderstood("how much")
    change = CostChange("less", "{1}", where[0], SPELL, keyword="flashback")
    return Static((change,), zone="stack")


def noted(abilities: tuple[Ability, ...], values: list[Any]) -> Item:
    """The activated ability with what the sentences after the keyword say of it."""
    notes = joined(pick_all(values, Limit))
    if not notes:
        return Item(abilities)
    if len(abilities) != 1 or not isinstance(abilities[0], Activated) or set(notes) & {"timing", "who"}:
        raise NotUnderstood("a note on a keyword")
    return Item((msgspec.structs.replace(abilities[0], **notes),))


@meaning("kw_own_cost")
def kw_own_cost(text: str, values: list[Any]) -> Any:
    return own_cost(text, values)


@meaning("kw_kickers")
def kw_kickers(_: str, values: list[Any]) -> Item:
    """702.33b: two kicker costs, each of which may be paid or not."""
    return Item(a for s in pick_all(values, Symbols) for a in build("kicker", Printed((ManaPart(str(s)),))))


@meaning("kw_numbered_cost")
def kw_numbered_cost(text: str, values: list[Any]) -> Item:
    """ "Suspend 4—{U}" and "reinforce 2—{1}{W}": the number does not change what is paid; an X is that of the cost."""
    cost = next(v for v in values if type(v) is tuple)
    n = pick(values, int, X)
    return Item(build(text.split(" ")[0], Printed(cost, n if n is not None else 1)))


@meaning("kw_number")
def kw_number(text: str, values: list[Any]) -> Item:
    name = text.split(". ")[0].rsplit(" ", 1)[0]
    n = values[0]
    if name in BUILDERS:
        if not isinstance(n, int):
            raise NotUnderstood(text)
        return noted(build(name, Printed(n=n)), values)
    if pick(values, Limit) is not None:
        raise NotUnderstood(text)
    return Item((Keyword(name, n),))


@meaning("kw_firebending")
def kw_firebending(text: str, values: list[Any]) -> Item:
    where = pick(values, WhereX)
    if where is None:
        raise NotUnderstood(text)
    return Item(build("firebending", Printed(n=where[0])))


@meaning("kw_by_value")
def kw_by_value(text: str, _: list[Any]) -> Item:
    """A cost that is the mana value of the card that has the keyword."""
    cost = ManaPart("{1}", repeat=Stat("mana_value", "self"))
    return Item(build(text.split(" ")[0], Printed((cost,))))


@meaning("kw_casualty_x")
def kw_casualty_x(_: str, __: list[Any]) -> Item:
    """702.153: X is chosen as the creature is, whatever its power."""
    return Item(build("casualty", Printed(n=0)))


@meaning("kw_devour_x")
def kw_devour_x(text: str, _: list[Any]) -> Item:
    """What it enters with (702.82)."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return Item((Keyword("devour"),))


@meaning("kw_where_x")
def kw_where_x(text: str, _: list[Any]) -> Item:
    """Of triggers and damage: the number does not matter to any of our questions."""
    return Item((Keyword(text.split(" ")[0], X()),))


@meaning("kw_reconfigure_or")
def kw_reconfigure_or(_: str, values: list[Any]) -> Item:
    mana, energy = pick(values, Symbols), pick(values, int)
    assert energy is not None
    either = OneOf(((ManaPart(str(mana)),), (PayPlayerCounters("energy", energy),)))
    return Item(build("reconfigure", Printed((either,))))


@meaning("kw_equip")
def kw_equip(_: str, values: list[Any]) -> Item:
    what, paid = pick(values, Filter), pick(values, Paid)
    if what is None or paid is None:
        raise NotUnderstood("equip what")
    return noted(build("equip", Printed(tuple(paid), what=what)), values)


@meaning("kw_emerge")
def kw_emerge(_: str, values: list[Any]) -> Item:
    return Item(build("emerge", Printed((ManaPart(str(pick(values, Symbols))),), what=pick(values, Filter))))


@meaning("kw_splice")
def kw_splice(_: str, values: list[Any]) -> Item:
    paid = pick(values, Paid)
    assert paid is not None
    return Item(build("splice", Printed(tuple(paid), what=pick(values, Filter))))


@meaning("kw_offering_what")
def kw_offering_what(_: str, values: list[Any]) -> Filter:
    return merge(pick_all(values, Patch))


@meaning("kw_offering")
def kw_offering(_: str, values: list[Any]) -> Item:
    return Item(build("offering", Printed(what=values[0])))


@meaning("kw_affinity_what")
def kw_affinity_what(text: str, values: list[Any]) -> Filter:
    return Filter(historic=True) if text.startswith("historic") else values[0]


@meaning("kw_affinity")
def kw_affinity(_: str, values: list[Any]) -> Item:
    return Item(build("affinity", Printed(what=values[0])))


@meaning("kw_craft_count")
def kw_craft_count(text: str, values: list[Any]) -> int:
    if text.endswith(" or more"):
        return 4 if text.startswith("four") else 1
    return values[0]


@meaning("kw_craft_nonlands")
def kw_craft_nonlands(text: str, _: list[Any]) -> Filter:
    return Filter(not_types=("Land",), unstated=True if " with " in text else None)


@meaning("kw_craft")
def kw_craft(text: str, values: list[Any]) -> Item:
    """702.167: one such material, or as many as are named; "one or more" is one at least."""
    cost = (ManaPart(str(pick(values, Symbols))),)
    what = pick(values, Filter)
    if " that " in text:
        raise NotUnderstood(text)
    return Item(build("craft", Printed(cost, pick(values, int) or 1, what)))


@meaning("kw_prototype")
def kw_prototype(_: str, values: list[Any]) -> Item:
    return Item(build("prototype", Printed((ManaPart(str(values[0])),))))


@meaning("kw_gift")
def kw_gift(_: str, __: list[Any]) -> Item:
    return Item(build("gift"))


@meaning("kw_companion")
def kw_companion(_: str, __: list[Any]) -> Item:
    return Item(build("companion"))


@meaning("kw_quality_name")
def kw_quality_name(text: str, _: list[Any]) -> Name:
    return Name(text.strip().removesuffix(" an").removesuffix(" a").rstrip("—"))


@meaning("kw_quality_what")
def kw_quality_what(text: str, _: list[Any]) -> str:
    return text


@meaning("kw_quality")
def kw_quality(_: str, values: list[Any]) -> Item:
    name = str(pick(values, Name))
    said = values[1] if len(values) > 1 else ""
    if name == "enchant":
        return Item((Keyword("enchant", what=_enchanted(said)),))
    if name in ("protection from", "hexproof from"):
        return Item(warded(name, said))
    return Item((Keyword(f"{name} {said}"),))


def warded(name: str, said: str) -> tuple[Keyword, ...]:
    """Protection (702.16) and hexproof (702.11d) from each quality. Words that are not understood stay as words, with
    a protection from nobody knows what beside them."""
    short = name.removesuffix(" from") if name.startswith("protection") else name
    out: list[Keyword] = []
    for quality in _qualities(said):
        what = quality_filter(quality)
        if what is not None:
            out.append(Keyword(short, what=what))
        else:
            out.extend(
                (Keyword(f"{name} {quality}"), Keyword(short)) if short != name else (Keyword(f"{name} {quality}"),)
            )
    return tuple(out)


def _qualities(said: str) -> list[str]:
    """The qualities of a list that repeats "from", or of a list of colors."""
    colors = re.split(r",? and |, ", said)
    return colors if set(colors) <= _COLORS.keys() else re.split(r",? and from |, from | and from ", said)


_COLORS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def quality_filter(quality: str) -> Filter | None:
    """Objects with the quality that a protection names."""
    if quality in _COLORS:
        return Filter(zone="any", colors=_COLORS[quality])
    if quality in ("each color", "all colors"):
        return Filter(zone="any", colors="WUBRG")
    if quality in ("colored spells", "spells that are one or more colors"):
        return Filter(zone="stack", colors="WUBRG")
    if quality in ("multicolored", "monocolored", "colorless"):
        return Filter(zone="any", color_count=quality)  # type: ignore[arg-type]
    if quality == "everything":
        return Filter(zone="any")
    if quality in ("your opponents", "each of your opponents", "opponents"):
        return Filter(zone="any", controller="opponents")
    what = parse_one("nouns", quality)
    if isinstance(what, Filter) and what.ref is None and what.me is None and not what.chosen:
        return but(what, zone="any", any_of=tuple(but(f, zone="any") for f in what.any_of))
    return None


def _enchanted(said: str) -> Filter:
    """What an Aura may be attached to; for a player, an empty description of no zone (702.5d)."""
    if said in ("player", "opponent"):
        return Filter(zone="any", controller="any" if said == "player" else "opponents")
    what = parse_one("nouns", said)
    if not isinstance(what, Filter):
        raise NotUnderstood(said)
    if what.zone == "any":
        raise NotUnderstood(said)
    return what


_SAME = {"totem armor": "umbra armor", "snow landwalk": "landwalk"}


@meaning("kw_mayhem_land")
def kw_mayhem_land(_: str, __: list[Any]) -> Item:
    """Mayhem without a cost is that of a land, which is played from the graveyard if it was discarded this turn."""
    land = Filter(zone="graveyard", me=True, noted="discarded this turn")
    return Item((Static((Permission(lands=land, zones=("graveyard",)),), zone="graveyard"),))


@meaning("kw_bare")
def kw_bare(text: str, _: list[Any]) -> Item:
    if text in BUILDERS or text in BARE:
        return Item(build(text))
    return Item((Keyword(_SAME.get(text, text)),))
