"""Static abilities: continuous effects by layer, and what happens as the object enters (604, 613, 614.1)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import (
    Ability,
    AllOf,
    Calc,
    Compare,
    Condition,
    Control,
    Count,
    Counters,
    CrewPower,
    DontUntap,
    EntersWith,
    Filter,
    GainAbilities,
    GameRule,
    GrantAbilities,
    HasteLike,
    Is,
    KeepMana,
    Keyword,
    LandTypes,
    LoseAbilities,
    MustTarget,
    Not,
    NotStated,
    PowerToughness,
    SetColors,
    SetTypes,
    SpendAs,
    Static,
    StaticEffect,
    Turn,
    Unsettled,
    X,
)
from ..subtypes import BASIC_LAND_TYPES, LAND_TYPES
from . import words
from .amounts import EqualTo, ForEach, WhereX, known
from .conditions import NOT_STATED, pick_condition
from .costs import COST_PARTS
from .effects import Still, still
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Patch, Text, but, common_zone, merge, referring
from .subjects import understood_words

NONBASIC_LAND_TYPES = tuple(sorted(LAND_TYPES - BASIC_LAND_TYPES))
EVERYWHERE = Filter(zone="any")


class Quoted(tuple[Ability, ...]):
    """The abilities that stand in quotation marks."""


class Effects(tuple[StaticEffect, ...]):
    """Static effects with the subject filled in."""


class Makes(msgspec.Struct, frozen=True):
    """A predicate: static effects that still lack their subject."""

    effects: tuple[StaticEffect, ...]


class Pronoun(str):
    """ "It", which the condition or the sentence before explains."""


SUBJECT = Filter(names=("\0subject",))


@meaning("quoted_text", "quoted_inner")
def quoted_text(text: str, _: list[Any]) -> Quoted:
    from .lines import read_line
    from .text import small_starts

    # The full stop before the closing mark was taken off with it.
    found = read_line(small_starts(text).rstrip(".") + ".")
    if found.unread:
        raise NotUnderstood(text)
    return Quoted(found.abilities)


@meaning("pronoun", "short_subject")
def pronoun(text: str, _: list[Any]) -> Pronoun:
    return Pronoun(text)


@meaning("all_zones")
def all_zones(_: str, __: list[Any]) -> Filter:
    return EVERYWHERE


@meaning("noun_phrase_all")
def noun_phrase_all(text: str, values: list[Any]) -> Filter:
    if text.startswith("~ and "):
        return Filter(any_of=(Filter(me=True), values[0]))
    return values[0]


@meaning("self_and_host")
def self_and_host(_: str, values: list[Any]) -> Filter:
    return Filter(any_of=(Filter(me=True), values[0]))


@meaning("many_nouns")
def many_nouns(_: str, values: list[Any]) -> Filter:
    parts = pick_all(values, Filter)
    return Filter(zone=common_zone(parts), any_of=parts)


# --- predicates -------------------------------------------------------------------------------------------------------


def _signed(text: str, values: list[Any]) -> Any:
    """One half of "+2/-X", times what "for each" counts."""
    each = pick(values, ForEach)
    where = pick(values, WhereX)
    if text.endswith("Y"):
        where = pick(values, WhereY)
        if where is None:
            raise NotUnderstood("what Y is")
    if text.endswith(("X", "Y")):
        amount: Any = where[0] if where is not None else X()
        return amount if text.startswith("+") else Calc("-", (0, amount))
    n = int(text)
    if each is None or n == 0:
        return n
    return each[0] if n == 1 else Calc("*", (n, each[0]))


@meaning("pt_change", "pt_value")
def pt(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("lose_land_types")
def lose_land_types(_: str, __: list[Any]) -> Makes:
    return Makes((LandTypes(SUBJECT), LoseAbilities(SUBJECT)))


@meaning("size_words")
def size_words(text: str, _: list[Any]) -> None:
    if not understood_words(text):
        raise NotUnderstood(text)


@meaning("pt_open")
def pt_open(text: str, _: list[Any]) -> Makes:
    """ "+1/+0 for each …", of something that situations do not state."""
    power, toughness = (None if half.strip("+-") == "0" else NotStated() for half in text.split("/"))
    return Makes((PowerToughness(SUBJECT, "modify", power or 0, toughness or 0),))


class WhereY(tuple[Any, ...]):
    """The amount that Y is."""


@meaning("where_y")
def where_y(_: str, values: list[Any]) -> WhereY:
    return WhereY((known(values[0]),))


@meaning("assigns")
def assigns(_: str, __: list[Any]) -> Makes:
    """Which damage is dealt comes after everything that questions ask about."""
    return Makes(())


@meaning("during_end_step")
def during_end_step(_: str, __: list[Any]) -> Turn:
    return Turn("you", ("end",))


@meaning("others_exiled")
def others_exiled(text: str, values: list[Any]) -> Filter:
    return but(merge(pick_all(values, Patch)), zone="exile", linked=True)


@meaning("others_in_exile")
def others_in_exile(text: str, values: list[Any]) -> Filter:
    return Filter(zone="exile", owner="you" if "you own" in text else "any", counter=str(pick(values, Text)))


@meaning("others_of")
def others_of(text: str, values: list[Any]) -> Filter:
    if text.startswith("the top card"):
        return Filter(zone="library", owner="you")
    if text.startswith("the exiled card"):
        return Filter(zone="exile", linked=True)
    what = values[0]
    if what.ref is not None or what.me or what.zone == "any":
        raise NotUnderstood(text)
    return what


@meaning("others_limit")
def others_limit(_: str, __: list[Any]) -> int:
    return 1


@meaning("have_others")
def have_others(text: str, values: list[Any]) -> Makes:
    """Activated abilities of other objects (613.1f)."""
    of = pick(values, Filter)
    assert of is not None
    excepted = "loyalty" if "except for loyalty" in text else "mana" if "except mana" in text else ""
    limit = pick(values, int) or 0
    return Makes((GainAbilities(SUBJECT, of, " and triggered " in text, excepted, limit),))


@meaning("top_card_abilities")
def top_card_abilities(_: str, values: list[Any]) -> Static:
    what = values[0]
    cards = but(what, zone="library", any_of=tuple(but(f, zone="any") for f in what.any_of))
    return Static((GainAbilities(Filter(me=True), cards),))


@meaning("chosen_keywords", "chosen_landwalk")
def chosen_keywords(_: str, __: list[Any]) -> Makes:
    """Keywords that were chosen, of which no situation says which."""
    return Makes((Unsettled(SUBJECT, ("keywords",)),))


@meaning("chosen_abilities")
def chosen_abilities(_: str, __: list[Any]) -> Makes:
    """Abilities of a card that was chosen, of which no situation says which: mana abilities may be among them."""
    return Makes((Unsettled(SUBJECT, ("abilities",)),))


@meaning("every_land")
def every_land(text: str, _: list[Any]) -> Makes:
    nonbasic = SetTypes(SUBJECT, subtypes=NONBASIC_LAND_TYPES)
    return Makes((nonbasic,) if "nonbasic" in text else (nonbasic, LandTypes(SUBJECT, keep=True, every=True)))


@meaning("if_commander_color")
def if_commander_color(_: str, __: list[Any]) -> Static:
    """Wherever it is; the color is chosen before the game."""
    mine = Is("self", Filter(zone="any", commander=True, owner="you"))
    return Static((SetColors(Filter(zone="any", me=True), chosen=True),), mine, zone="any")


@meaning("landwalks")
def landwalks(_: str, __: list[Any]) -> Any:
    return Several(
        Static(
            (GrantAbilities(Filter(me=True), keywords=(f"{kind.lower()}walk",)),),
            Compare(Count(Filter(types=("Land",), subtypes=(kind,), controller="you")), ">=", 1),
        )
        for kind in words.BASIC_LAND_TYPES
    )


class Several(tuple[Ability, ...]):
    """Several static abilities of one sentence."""


class When(msgspec.Struct, frozen=True):
    """What is so under a condition."""

    made: Makes
    condition: Any


@meaning("when_item")
def when_item(text: str, values: list[Any]) -> When:
    made, have = pick(values, Makes), pick(values, Have)
    condition = pick_condition(values)
    if condition is None or (made is None) == (have is None):
        raise NotUnderstood(text)
    return When(Makes((grant(tuple(have)),)) if have is not None else made, condition)  # type: ignore[arg-type]


@meaning("each_when")
def each_when(text: str, values: list[Any]) -> Several:
    subject = pick(values, Filter)
    if subject is None or (subject.zone == "any" and subject.ref == "that"):
        raise NotUnderstood(text)
    out = []
    for item in pick_all(values, When):
        effects = about(item.made.effects, subject)
        out.append(Static(tuple(effects), of_subject(item.condition, effects)))
    return Several(out)


@meaning("kicked_with")
def kicked_with(_: str, values: list[Any]) -> Several:
    """Whether it was kicked as it was cast, nothing says of a permanent."""
    given = pick(values, Quoted)
    assert given is not None
    given_then = Static((GrantAbilities(Filter(me=True), tuple(given)),), NOT_STATED)
    return Several((EntersWith(unread=True), given_then))


@meaning("chosen_type_given")
def chosen_type_given(_: str, __: list[Any]) -> Makes:
    return Makes((SetTypes(SUBJECT, chosen_type=True),))


@meaning("lose_creature_types")
def lose_creature_types(_: str, __: list[Any]) -> Makes:
    return Makes((SetTypes(SUBJECT, lose_creature_types=True),))


@meaning("no_longer")
def no_longer(text: str, _: list[Any]) -> Makes:
    return Makes((SetTypes(SUBJECT, lose_supertypes=(text.rsplit(" ", 1)[1].capitalize(),)),))


@meaning("base_pt_and")
def base_pt_and(_: str, values: list[Any]) -> Makes:
    base = pick(values, Makes)
    assert base is not None
    return Makes((grant(tuple(a for item in pick_all(values, Have) for a in item)), *base.effects))


@meaning("get_pt", "get_more")
def get_pt(_: str, values: list[Any]) -> Makes:
    opened = pick(values, Makes)
    if opened is not None:
        return opened
    power, toughness = (_signed(half, values) for half in str(pick(values, Text)).split("/"))
    return Makes((PowerToughness(SUBJECT, "modify", power, toughness),))


def _base(values: list[Any]) -> PowerToughness:
    equal = pick(values, EqualTo)
    if equal is not None:
        return PowerToughness(SUBJECT, "set", equal[0], equal[0])
    where = pick(values, WhereX)
    halves = str(pick(values, Text)).split("/")
    power, toughness = ((where[0] if where else X()) if h == "X" else int(h) for h in halves)
    return PowerToughness(SUBJECT, "set", power, toughness)


@meaning("base_pt")
def base_pt(text: str, values: list[Any]) -> Makes:
    if "base power and toughness" in text or "and base toughness each" in text:
        return Makes((_base(values),))
    if "base power" in text:
        return Makes((PowerToughness(SUBJECT, "set", values[0], None),))
    return Makes((PowerToughness(SUBJECT, "set", None, values[0]),))


@meaning("with_pt")
def with_pt(_: str, values: list[Any]) -> PowerToughness:
    return _base(values)


class Have(tuple[Ability, ...]):
    """Abilities of one item of a list after "has"."""


@meaning("have_item")
def have_item(_: str, values: list[Any]) -> Have:
    return Have(a for v in values if isinstance(v, tuple) for a in v)


@meaning("have_list", "with_abilities", "with_and")
def have_list(text: str, values: list[Any]) -> Any:
    granted = grant(tuple(a for item in pick_all(values, Have) for a in item))
    return granted if text.startswith(("with", "and")) else Makes((granted,))


def grant(abilities: tuple[Ability, ...]) -> GrantAbilities:
    """Keywords that are no more than a name are granted by name, everything else as abilities."""
    plain = tuple(a.name for a in abilities if isinstance(a, Keyword) and a == Keyword(a.name))
    rest = tuple(a for a in abilities if not (isinstance(a, Keyword) and a == Keyword(a.name)))
    return GrantAbilities(SUBJECT, rest, plain)


@meaning("lose_all")
def lose_all(_: str, __: list[Any]) -> LoseAbilities:
    return LoseAbilities(SUBJECT)


@meaning("lose_all_but")
def lose_all_but(_: str, __: list[Any]) -> LoseAbilities:
    return LoseAbilities(SUBJECT, but_mana=True)


@meaning("lose_keyword")
def lose_keyword(_: str, values: list[Any]) -> LoseAbilities:
    return LoseAbilities(SUBJECT, keywords=(str(values[0]),))


@meaning("lose_list")
def lose_list(text: str, values: list[Any]) -> Makes:
    lost = pick_all(values, LoseAbilities)
    if "can't have or gain" in text:
        if len({e.keywords for e in lost}) != 1:
            raise NotUnderstood(text)
        return Makes((msgspec.structs.replace(lost[0], cant_have=True),))
    if text.startswith("can't have"):
        lost = tuple(msgspec.structs.replace(e, cant_have=True) for e in lost)
    return Makes(lost)


class TypePart(dict[str, Any]):
    """What a type phrase says: types, subtypes, supertypes, colors, every, chosen."""


@meaning("every_basic")
def every_basic(_: str, __: list[Any]) -> TypePart:
    return TypePart(every=True)


@meaning("every_creature")
def every_creature(_: str, __: list[Any]) -> TypePart:
    return TypePart(all_creature_types=True)


@meaning("chosen_types")
def chosen_types(text: str, _: list[Any]) -> TypePart:
    if "land" in text:
        return TypePart(chosen_land=True)
    return TypePart(chosen_type=True)


@meaning("type_supertype")
def type_supertype(text: str, _: list[Any]) -> TypePart:
    if text == "nonbasic":
        raise NotUnderstood(text)
    return TypePart(supertypes=(text.capitalize(),))


@meaning("type_token")
def type_token(text: str, _: list[Any]) -> TypePart:
    raise NotUnderstood(text)


@meaning("type_color_word")
def type_color_word(text: str, _: list[Any]) -> TypePart:
    return TypePart(colors=words.COLOR_WORDS.get(text, ""))


@meaning("type_words")
def type_words(_: str, values: list[Any]) -> TypePart:
    out = TypePart(types=(), subtypes=(), supertypes=())
    size = pick(values, Text)
    if size is not None:
        out["size"] = str(size)
    for part in values:
        if isinstance(part, (Patch, TypePart)):
            for key, value in part.items():
                out[key] = out.get(key, value[:0]) + value
    return out


@meaning("keep_what")
def keep_what(text: str, _: list[Any]) -> Text:
    return Text("keep " + text)


class Keeps(str):
    """What an object keeps when its types change: "types", "colors" …"""


@meaning("type_keep")
def type_keep(text: str, values: list[Any]) -> Keeps:
    return Keeps(str(pick(values, Text) or "keep types"))


@meaning("with_every")
def with_every(_: str, __: list[Any]) -> SetTypes:
    return SetTypes(SUBJECT, keep=True, all_creature_types=True)


@meaning("loses_other", "loses_by_and")
def loses_other(text: str, _: list[Any]) -> LoseAbilities | None:
    return LoseAbilities(SUBJECT) if "abilities" in text else None


@meaning("type_verb", "short_verb")
def type_verb(text: str, _: list[Any]) -> Text:
    return Text("not" if "n't" in text else "still" if "still" in text else "also" if "also" in text else "is")


@meaning("with_named")
def with_named(_: str, values: list[Any]) -> Named:
    return Named(str(pick(values, Text)))


class Named(str):
    """The name that something gets."""


@meaning("short_change")
def short_change(text: str, values: list[Any]) -> Makes:
    """ "It's a land", "they're black"."""
    said = pick(values, TypePart)
    return type_change(text, values) if said is not None and "types" in said else either_change(text, values)


def either_change(text: str, values: list[Any]) -> Makes:
    said = pick(values, TypePart)
    if said is not None and ("chosen" in said or set(said) == {"colors"}):
        return color_change(text, values)
    return type_change(text, values)


@meaning("type_change")
def type_change(text: str, values: list[Any]) -> Makes:
    """A change of types, in the layers that it belongs to (613.1d-g): types, then colors, abilities, size."""
    verb = str(pick(values, Text))
    said = pick(values, TypePart)
    if said is None or verb == "still":
        raise NotUnderstood(text)
    keeps = "keep types" if verb == "also" else str(pick(values, Keeps) or "")
    if verb == "not":
        if set(said) - {"types", "subtypes", "supertypes"} or said["subtypes"]:
            raise NotUnderstood(text)
        return Makes((SetTypes(SUBJECT, lose_types=said["types"], lose_supertypes=said["supertypes"]),))
    effects = [*type_effects(said, keeps), *pick_all(values, SetTypes)]
    name = pick(values, Named)
    if name is not None:
        effects.append(SetTypes(SUBJECT, name=str(name)))
    if "colors" in said:
        effects.append(SetColors(SUBJECT, words.in_color_order(said["colors"]), keep="colors" in keeps))
    lost = pick(values, LoseAbilities)
    if lost is not None:
        effects.append(lost)
    effects.extend(pick_all(values, GrantAbilities))
    more = tuple(a for item in pick_all(values, Have) for a in item)
    if more:
        effects.append(grant(more))
    if "size" in said:
        effects.append(_base([Text(said["size"]), *pick_all(values, WhereX)]))
    effects.extend(pick_all(values, PowerToughness))
    return Makes(tuple(effects))


def type_effects(said: TypePart, keeps: str) -> tuple[StaticEffect, ...]:
    """205.1a-b, 305.7: what replaces types, what adds to them, and what land types do to abilities."""
    keep = "types" in keeps
    if said.get("every"):
        return (LandTypes(SUBJECT, keep=keep, every=True),)
    if said.get("chosen_land"):
        return (LandTypes(SUBJECT, keep=keep, chosen=True),)
    if said.get("all_creature_types"):
        return (SetTypes(SUBJECT, keep=True, all_creature_types=True),)
    if said.get("chosen_type"):
        return (SetTypes(SUBJECT, keep=keep, chosen_type=True, keep_types=True),)
    types, subtypes, supertypes = said["types"], said["subtypes"], said["supertypes"]
    lands = tuple(s for s in subtypes if s in words.BASIC_LAND_TYPES)
    others = tuple(s for s in subtypes if s not in lands)
    out: list[StaticEffect] = []
    if types or others or supertypes:
        out.append(_set_types(types, others, supertypes, keep))
    if lands:
        out.append(LandTypes(SUBJECT, lands, keep=keep))
    return tuple(out)


def _set_types(types: tuple[str, ...], subtypes: tuple[str, ...], supertypes: tuple[str, ...], keep: bool) -> SetTypes:
    if keep:
        return SetTypes(SUBJECT, types, subtypes, supertypes)
    if not types and not subtypes:
        return SetTypes(SUBJECT, supertypes=supertypes)
    # 205.1b: "a Frog" alone, and "a Frog artifact creature", replace creature types and leave the card types.
    keeps_types = not types or set(types) == {"Artifact", "Creature"}
    return SetTypes(SUBJECT, types, subtypes, supertypes, keep=False, keep_types=keeps_types)


@meaning("color_said")
def color_said(text: str, values: list[Any]) -> TypePart:
    if text == "the chosen color":
        return TypePart(chosen=True)
    if text == "all colors":
        return TypePart(colors="WUBRG")
    return TypePart(colors="".join(p["colors"] for p in pick_all(values, TypePart)))


@meaning("color_change")
def color_change(text: str, values: list[Any]) -> Makes:
    said = pick(values, TypePart)
    assert said is not None
    if str(pick(values, Text)) != "is":
        raise NotUnderstood(text)
    keep = "in addition to" in text
    if said.get("chosen"):
        return Makes((SetColors(SUBJECT, keep=keep, chosen=True),))
    return Makes((SetColors(SUBJECT, words.in_color_order(said["colors"]), keep=keep),))


@meaning("name_change")
def name_change(_: str, values: list[Any]) -> Makes:
    return Makes((SetTypes(SUBJECT, name=str(pick(values, Text))),))


@meaning("untap_part")
def untap_part(text: str, _: list[Any]) -> Makes:
    return Makes((DontUntap(SUBJECT, who="you" if "your untap step" in text else "any"),))


# --- parts ------------------------------------------------------------------------------------------------------------


def about(effects: tuple[StaticEffect, ...], subject: Filter) -> Effects:
    """The effects with their subject filled in."""
    to = "self" if subject == Filter(me=True) else "host" if subject == Filter(ref="host") else "that"
    if subject.zone == "battlefield" and subject.owner == "you" and any(_of_spells(e) for e in effects):
        raise NotUnderstood("a cost of spells, of what is owned rather than of permanents")
    return Effects(
        msgspec.structs.replace(referring_amounts(e, to), what=subject) if getattr(e, "what", None) == SUBJECT else e
        for e in effects
    )


def _of_spells(effect: StaticEffect) -> bool:
    """Whether it gives abilities that only spells have a use for."""
    return isinstance(effect, GrantAbilities) and any(
        isinstance(a, Static) and a.zone == "stack" for a in effect.abilities
    )


def referring_amounts(effect: StaticEffect, to: str) -> StaticEffect:
    """ "It" in an amount is the object affected, and "other" is other than that; where that is one known object, by
    its own reference."""
    if not isinstance(effect, PowerToughness):
        return effect
    power, toughness = (others_than(referring(n, to), to) for n in (effect.power, effect.toughness))
    return msgspec.structs.replace(effect, power=power, toughness=toughness)


def others_than(node: Any, to: str) -> Any:
    """Descriptions of "other" objects, where another object than the source of the effect is spoken of."""
    if isinstance(node, tuple):
        return tuple(others_than(n, to) for n in node)
    if to == "self" or not isinstance(node, msgspec.Struct):
        return node
    changes = {f: others_than(getattr(node, f), to) for f in node.__struct_fields__}
    if isinstance(node, Filter) and node.me is False:
        changes |= {"me": None, "none_of": (*node.none_of, Filter(zone="any", ref=to))}  # type: ignore[arg-type]
    return msgspec.structs.replace(node, **changes)


def per_object(condition: Condition, part: Any) -> Effects | None:
    """A condition about each of several objects is part of their description."""
    is_not = isinstance(condition, Not)
    inner = condition.of if isinstance(condition, Not) else condition
    if not isinstance(part, Effects) or not isinstance(inner, Is) or inner.ref != "that":
        return None
    out: list[StaticEffect] = []
    for effect in part:
        what = getattr(effect, "what", None)
        if not isinstance(what, Filter) or what.me or what.ref is not None or (what.any_of and not is_not):
            return None
        new = but(what, none_of=(*what.none_of, inner.like)) if is_not else but(what, any_of=(inner.like,))
        out.append(msgspec.structs.replace(effect, what=new))
    return Effects(out)


def of_subject(condition: Condition, part: Any) -> Condition:
    """A condition after the effect: "it" in it is what the effect is about, which must be one object."""
    if referring(condition, "self") == condition and others_than(condition, "host") == condition:
        return condition
    subjects = [getattr(e, "what", None) for e in part] if isinstance(part, (Effects, Pending)) else []
    if all(what in (Filter(me=True), SUBJECT) for what in subjects):
        return referring(condition, "self")
    if all(what == Filter(ref="host") for what in subjects):
        return others_than(referring(condition, "host"), "host")
    raise NotUnderstood("a condition of each")


class TheRest(msgspec.Struct, frozen=True):
    """It loses whatever the sentence does not give it."""


@meaning("lose_the_rest")
def lose_the_rest(_: str, __: list[Any]) -> TheRest:
    return TheRest()


@meaning("both_paired")
def both_paired(_: str, __: list[Any]) -> Filter:
    """702.95: the creature and the one that it is paired with, which no situation states."""
    other = Filter(types=("Creature",), controller="you", me=False, unstated=True)
    return Filter(any_of=(Filter(me=True), other))


@meaning("predicates", "short_predicates")
def predicates(_: str, values: list[Any]) -> Makes:
    effects = tuple(e for m in pick_all(values, Makes) for e in m.effects)
    if pick(values, TheRest) is None:
        return Makes(effects)
    bare = (msgspec.structs.replace(e, keep_types=False) if isinstance(e, SetTypes) else e for e in effects)
    return Makes((LoseAbilities(SUBJECT), *bare))


@meaning("subject_part", "pronoun_part")
def subject_part(text: str, values: list[Any]) -> Any:
    subject, made = values
    if isinstance(subject, Pronoun):
        return Pending(made.effects)
    if subject.zone == "any" and subject.ref == "that":
        raise NotUnderstood(text)
    return about(made.effects, subject)


class Pending(tuple[StaticEffect, ...]):
    """Effects on something that "it" stands for."""


@meaning("defined_stat")
def defined_stat(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("defines_pt")
def defines_pt(_: str, values: list[Any]) -> Effects:
    whole = pick(values, Effects)
    if whole is not None:
        return whole
    equal = pick(values, EqualTo)
    assert equal is not None
    return _defined(str(pick(values, Text)), equal[0])


@meaning("defines_open")
def defines_open(_: str, values: list[Any]) -> Effects:
    return _defined(str(pick(values, Text)), NotStated())


@meaning("defined_number")
def defined_number(_: str, values: list[Any]) -> Effects:
    return _defined("power and toughness", values[0])


@meaning("defines_two")
def defines_two(text: str, _: list[Any]) -> Effects:
    """Two amounts that no structure says."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return _defined("power and toughness", NotStated())


@meaning("only_one")
def only_one(_: str, values: list[Any]) -> Static:
    """What the only creature that you control is or has."""
    mine = Filter(types=("Creature",), controller="you")
    made = pick(values, Makes)
    assert made is not None
    return Static(tuple(about(made.effects, mine)), Compare(Count(mine), "==", 1))


@meaning("open_sizes")
def open_sizes(text: str, _: list[Any]) -> Makes:
    """A size that later sentences say in words."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return Makes((PowerToughness(SUBJECT, "modify", NotStated(), NotStated()),))


@meaning("exiled_numbers")
def exiled_numbers(_: str, __: list[Any]) -> Makes:
    return Makes((Unsettled(SUBJECT, ("subtypes", "power", "toughness")),))


@meaning("all_names")
def all_names(_: str, __: list[Any]) -> Makes:
    return Makes((Unsettled(SUBJECT, ("names",)),))


@meaning("becomes_entering")
def becomes_entering(_: str, values: list[Any]) -> Static:
    """What was made of permanents as they entered: which of them entered after this one, nothing says."""
    what = pick(values, Filter)
    if what is None:
        raise NotUnderstood("what enters")
    return Static((Unsettled(what, ("types", "subtypes", "power", "toughness")),))


@meaning("chosen_lands")
def chosen_lands(_: str, values: list[Any]) -> Static:
    """Two choices, of which situations have room for one."""
    return Static((Unsettled(values[0], ("subtypes", "abilities")),))


@meaning("must_target")
def must_target(_: str, values: list[Any]) -> Static:
    return Static((MustTarget(values[0]),))


@meaning("elsewhere")
def elsewhere(text: str, values: list[Any]) -> Static:
    """What the card is wherever it is no permanent."""
    made = pick(values, Makes)
    assert made is not None
    effects = tuple(about(made.effects, Filter(me=True)))
    if not all((isinstance(e, SetTypes) and e.keep) or isinstance(e, PowerToughness) for e in effects):
        raise NotUnderstood(text)
    return Static(effects, off_battlefield=True)


class Deeds(tuple[str, ...]):
    """What creatures do with their power."""


@meaning("crew_deed")
def crew_deed(text: str, _: list[Any]) -> Text:
    return Text("crew" if text.startswith("crew") else "saddle" if text.startswith("saddle") else "station")


@meaning("crew_deeds")
def crew_deeds(_: str, values: list[Any]) -> Deeds:
    return Deeds(str(v) for v in values)


@meaning("crew_more")
def crew_more(_: str, values: list[Any]) -> int:
    return values[0]


@meaning("crew_who")
def crew_who(_: str, values: list[Any]) -> Filter:
    return values[0]


@meaning("crews")
def crews(_: str, values: list[Any]) -> Static:
    what, deeds, plus = pick(values, Filter), pick(values, Deeds), pick(values, int)
    assert what is not None and deeds is not None
    return Static((CrewPower(what, tuple(deeds), plus or 0, plus is None),))


@meaning("during_while")
def during_while(_: str, values: list[Any]) -> AllOf:
    return AllOf(tuple(values))


def _defined(stat: str, n: Any) -> Effects:
    power = n if "power" in stat else None
    toughness = n if "toughness" in stat else None
    return Effects((PowerToughness(Filter(me=True), "define", power, toughness),))


@meaning("control_part")
def control_part(_: str, values: list[Any]) -> Effects:
    return Effects((Control(values[0]),))


@meaning("spender")
def spender(text: str, _: list[Any]) -> Text:
    return Text("you" if text.startswith("you") else "any")


@meaning("spent_mana")
def spent_mana(text: str, values: list[Any]) -> SpentMana:
    if text.startswith("snow"):
        raise NotUnderstood(text)
    patch = pick(values, Patch)
    return SpentMana(patch["colors"] if patch else "WUBRGC")


class SpentMana(str):
    """The types of mana that may be spent as though they were others."""


@meaning("spend_purpose")
def spend_purpose(text: str, values: list[Any]) -> Purpose:
    if text.endswith("costs of ~'s abilities") or text.endswith("those abilities"):
        return Purpose(abilities=Filter(me=True))
    what = pick(values, Filter)
    assert what is not None
    if " or to activate abilities of " in text:
        spells, things = pick_all(values, Filter)
        if spells.zone != "stack" or things.zone != "battlefield":
            raise NotUnderstood(text)
        return Purpose(spells=spells, abilities=things)
    if text.startswith(" to cast"):
        if what.zone != "stack" and not what.any_of:
            raise NotUnderstood(text)
        return Purpose(spells=what)
    return Purpose(abilities=but(what, zone="any") if what.zone == "battlefield" and not what.me else what)


class Purpose(dict[str, Any]):
    """What mana may be spent on in that way."""


@meaning("spend_others")
def spend_others(_: str, __: list[Any]) -> Purpose:
    return Purpose(others_colorless=True, anything=True)


@meaning("spend_part")
def spend_part(text: str, values: list[Any]) -> Effects:
    if text.startswith("for each"):
        return Effects((SpendAs(as_types="", types="", life_for="{B}", anything=True),))
    if text.endswith("activate ~'s abilities"):
        return Effects((SpendAs("WUBRGC" if " type " in text else "WUBRG", abilities=Filter(me=True)),))
    if text.startswith("mana of any") or " can spend mana of any type" in text:
        what = pick(values, Filter)
        if what is None or (what.zone != "stack" and not what.me):
            raise NotUnderstood(text)
        types = "WUBRGC" if " type " in text else "WUBRG"
        who = "any" if text.startswith("players") else "you"
        return Effects((SpendAs(as_types=types, who=who, spells=but(what, zone="stack")),))
    fields: dict[str, Any] = {}
    for purpose in pick_all(values, Purpose):
        fields |= purpose
    if not fields:
        fields["anything"] = True
    color = pick([v for v in values if isinstance(v, Patch)], Patch)
    as_types = color["colors"] if color else "WUBRGC" if "any type" in text else "WUBRG"
    types = pick(values, SpentMana)
    return Effects((SpendAs(as_types, str(types), who=str(pick(values, Text)), **fields),))  # type: ignore[arg-type]


@meaning("keep_mana")
def keep_mana(text: str, values: list[Any]) -> Effects:
    color = pick(values, Patch)
    if text.startswith("if you would"):
        return Effects((GameRule("unspent_mana_becomes", detail_like(color)),))  # type: ignore[arg-type]
    types = color["colors"] if color else "WUBRGC"
    return Effects((KeepMana(types, "you" if text.startswith("you") else "any"),))


def detail_like(color: Patch | None) -> str:
    return "you"


@meaning("legend_rule")
def legend_rule(_: str, values: list[Any]) -> Effects:
    if pick(values, Text) is not None:  # "them": those of its own name, whoever controls them
        return Effects((GameRule("no_legend_rule", "any", Filter(shares=("name",))),))
    return Effects((GameRule("no_legend_rule", "any" if not values else "you", pick(values, Filter)),))


@meaning("legend_them")
def legend_them(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("haste_like")
def haste_like(_: str, values: list[Any]) -> Effects:
    return Effects((HasteLike(values[0]),))


# --- sentences --------------------------------------------------------------------------------------------------------


@meaning("static_sentence")
def static_sentence(text: str, values: list[Any]) -> Any:
    """One static ability, or what happens as the object enters."""
    whole = pick(values, Static, Several)
    if whole is not None:
        if len(values) > 1:
            raise NotUnderstood(text)
        return whole
    entering = pick_all(values, EntersWith)
    if entering:
        condition = pick_condition(values)
        if len(values) != len(entering) + (condition is not None):
            raise NotUnderstood(text)
        if condition is not None:
            entering = tuple(msgspec.structs.replace(e, condition=condition) for e in entering)
        return entering if len(entering) > 1 else entering[0]
    condition = pick_condition(values)
    if condition is not None and values[0] is not condition:
        found = per_object(condition, values[0])
        if found is not None:
            values = [found, *values[1:]]
            condition = None
        else:
            condition = of_subject(condition, values[0])
    effects: list[StaticEffect] = []
    in_graveyard = pick(values, Graveyard)
    if in_graveyard is not None:
        values = [v for v in values if v is not in_graveyard]
    follows = pick_all(values, Follow)
    for part in values:
        if isinstance(part, Pending):
            subject = subject_of(condition) if in_graveyard is None else Filter(zone="graveyard", me=True)
            effects.extend(about(tuple(part), subject))
        elif isinstance(part, Effects):
            effects.extend(part)
    if pick(values, Still) is not None:
        effects = list(still(tuple(effects)))
    same = pick(values, Same)
    if same is not None:
        effects = [widened(e, same) for e in effects]
    if not effects:
        raise NotUnderstood(text)
    if condition is not None and all(getattr(e, "what", None) == Filter(ref="host") for e in effects):
        condition = others_than(condition, "host")
    if condition is not None:
        # 604.3a: what sets values only under a condition is no characteristic-defining ability.
        effects = [_set_then(e) for e in effects]
    if follows:
        return with_follows(tuple(effects), condition, follows)
    defining = condition is None and all(_defines(e) for e in effects)
    return Static(tuple(effects), condition, zone="graveyard" if in_graveyard else "battlefield", defining=defining)


def _set_then(effect: StaticEffect) -> StaticEffect:
    if isinstance(effect, PowerToughness) and effect.how == "define":
        return msgspec.structs.replace(effect, how="set")
    return effect


def _defines(effect: StaticEffect) -> bool:
    """604.3: it defines colors, subtypes, power or toughness of the object itself, in every zone."""
    if isinstance(effect, PowerToughness):
        return effect.how == "define"
    if getattr(effect, "what", None) != Filter(me=True):
        return False
    if isinstance(effect, SetTypes):
        bare = msgspec.structs.replace(effect, subtypes=(), all_creature_types=False)
        return bare == SetTypes(Filter(me=True)) and bare != effect
    if isinstance(effect, LandTypes):
        return effect.keep and not effect.chosen
    return isinstance(effect, SetColors) and not effect.chosen


def with_follows(effects: tuple[StaticEffect, ...], condition: Any, follows: tuple[Follow, ...]) -> tuple[Static, ...]:
    """The first sentence and the later ones as static abilities; "instead" of a size, only the later one holds."""
    later = [following(f, list(effects), condition) for f in follows]
    for follow, static in zip(follows, later, strict=True):
        if follow.instead:
            sizes = all(isinstance(e, PowerToughness) and e.how == "modify" for e in (*effects, *static.effects))
            if static.condition is None or not sizes or len(follows) > 1:
                raise NotUnderstood("instead of what")
            without = Not(static.condition)
            first = without if condition is None else AllOf((condition, without))
            second = static.condition if condition is None else AllOf((condition, static.condition))
            return Static(effects, first), msgspec.structs.replace(static, condition=second)
    return (Static(effects, condition), *later)


class Follow(msgspec.Struct, frozen=True):
    """A later sentence about the same subject."""

    part: Any
    condition: Any = None
    otherwise: bool = False
    instead: bool = False


class InsteadOf(str):
    """A later size replaces the first one."""


@meaning("follow_instead")
def follow_instead(text: str, _: list[Any]) -> InsteadOf:
    return InsteadOf(text)


class Otherwise(str):
    """The opposite of the condition of the sentence before."""


@meaning("follow_otherwise")
def follow_otherwise(text: str, _: list[Any]) -> Otherwise:
    return Otherwise(text)


@meaning("static_follow")
def static_follow(text: str, values: list[Any]) -> Follow:
    part = pick(values, Pending)
    condition = pick_condition(values)
    said = 1 + sum(v is not None for v in (condition, pick(values, Otherwise), pick(values, InsteadOf)))
    if part is None or len(values) != said:
        raise NotUnderstood(text)
    return Follow(part, condition, pick(values, Otherwise) is not None, pick(values, InsteadOf) is not None)


def following(follow: Follow, before: list[StaticEffect], condition: Condition | None) -> Static:
    """The later sentence as a static ability: about the subject of the one before."""
    named = (getattr(e, "what", None) for e in before)
    subjects = list(dict.fromkeys(what for what in named if isinstance(what, Filter)))
    if len(subjects) != 1:
        raise NotUnderstood("what it is")
    effects = about(tuple(follow.part), subjects.pop())
    own = None if follow.condition is None else of_subject(follow.condition, effects)
    if follow.otherwise:
        if condition is None or own is not None:
            raise NotUnderstood("otherwise")
        own = Not(condition)
    return Static(tuple(effects), own)


class Same(tuple[Filter, ...]):
    """What "the same is true for"."""


def widened(effect: StaticEffect, same: Same) -> StaticEffect:
    """The effect on these objects as well, in whatever zone they are."""
    what = getattr(effect, "what", None)
    if not isinstance(what, Filter):
        raise NotUnderstood("the same of what")
    return msgspec.structs.replace(effect, what=Filter(zone="any", any_of=(what, *same)))


@meaning("same_noun")
def same_noun(text: str, values: list[Any]) -> Filter:
    what = values[0]
    if text.endswith("on the battlefield") and Filter() not in what.none_of:
        return but(what, none_of=(*what.none_of, Filter()))
    return what


@meaning("same_is_true")
def same_is_true(_: str, values: list[Any]) -> Same:
    return Same(pick_all(values, Filter))


class Graveyard(str):
    """ "As long as this card is in your graveyard": where the ability functions (113.6b)."""


@meaning("in_graveyard", "in_graveyard_too")
def in_graveyard(text: str, _: list[Any]) -> Graveyard:
    return Graveyard(text)


def subject_of(condition: Any) -> Filter:
    """What "it" means after a condition: the object that the condition is about."""
    if isinstance(condition, Not):
        return subject_of(condition.of)
    if isinstance(condition, AllOf) and isinstance(condition.of[0], (Is, AllOf)):
        return subject_of(condition.of[0])
    if isinstance(condition, AllOf) and isinstance(condition.of[0], Turn):
        return subject_of(AllOf(condition.of[1:]) if len(condition.of) > 2 else condition.of[-1])
    if isinstance(condition, Is) and condition.ref in ("self", "host"):
        return Filter(me=True) if condition.ref == "self" else Filter(ref="host")
    if isinstance(condition, Compare) and isinstance(condition.left, Counters) and condition.left.among is None:
        if condition.left.on not in ("self", "host"):
            raise NotUnderstood("what it is")
        return Filter(me=True) if condition.left.on == "self" else Filter(ref="host")
    if condition is None or isinstance(condition, Turn):
        return Filter(me=True)
    raise NotUnderstood("what it is")


# --- entering ---------------------------------------------------------------------------------------------------------


@meaning("enters_tapped")
def enters_tapped(text: str, values: list[Any]) -> EntersWith:
    condition = pick_condition(values)
    if condition is not None and " unless " in text:
        condition = Not(condition)
    return EntersWith(tapped=True, condition=condition)


@meaning("enters_tapped_with")
def enters_tapped_with(_: str, values: list[Any]) -> EntersWith:
    n = pick(values, int, X)
    if n is None:
        return EntersWith(tapped=True, choose=tuple(str(t) for t in pick_all(values, Text)))
    return EntersWith(tapped=True, counters=str(pick(values, Text) or ""), n=n)


@meaning("enters_choice")
def enters_choice(text: str, _: list[Any]) -> Text:
    if text.startswith("a color") or text == "two colors":
        return Text("color")
    if "land type" in text:
        return Text("type")
    if "name" in text:
        return Text("name")
    if text in ("an opponent", "a player"):
        return Text("player")
    if text in ("a creature type", "a card type"):
        return Text("type")
    return Text("number" if text == "a number" else "mode")


@meaning("enters_choose")
def enters_choose(_: str, values: list[Any]) -> EntersWith:
    return EntersWith(choose=tuple(str(t) for t in pick_all(values, Text)))


@meaning("enters_counters")
def enters_counters(_: str, values: list[Any]) -> EntersWith:
    n = pick(values, ForEach, WhereX, EqualTo)
    amount: Any = n[0] if n is not None else pick(values, int, X)
    return EntersWith(counters=str(pick(values, Text) or ""), n=1 if amount is None else amount)


@meaning("enters_pay")
def enters_pay(_: str, values: list[Any]) -> EntersWith:
    cost = values[0]
    if not isinstance(cost, tuple):
        raise NotUnderstood("no cost")
    return EntersWith(tapped=True, unless=tuple(p for p in cost if isinstance(p, COST_PARTS)))


@meaning("static_unless")
def static_unless(_: str, values: list[Any]) -> Not:
    return Not(values[0])


@meaning("defines_plus")
def defines_plus(_: str, values: list[Any]) -> Effects:
    equal = pick(values, EqualTo)
    assert equal is not None
    plus = Calc("+", (equal[0], values[-1]))
    return Effects((PowerToughness(Filter(me=True), "define", equal[0], plus),))


@meaning("enters_more")
def enters_more(text: str, values: list[Any]) -> EntersWith:
    if not understood_words(text):
        raise NotUnderstood(text)
    return EntersWith(unread=True, what=values[0])


@meaning("enters_others")
def enters_others(text: str, values: list[Any]) -> EntersWith:
    if "untapped" in text:
        return EntersWith(unread=True, what=values[0])
    return EntersWith(tapped=True, what=values[0])


@meaning("enters_unread")
def enters_unread(text: str, _: list[Any]) -> EntersWith:
    """Entering happened before a situation starts; what it was like matters only to what is cast from now on."""
    if not understood_words(text) or "{T}: add" in text:
        raise NotUnderstood(text)
    return EntersWith(unread=True)


@meaning("enters_copy")
def enters_copy(text: str, values: list[Any]) -> EntersWith:
    """With an exception, how the copy differs from what it copies is not read."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return EntersWith(tapped=" enter tapped " in text, copy_of=values[0], excepted=excepted(text))


def excepted(text: str) -> tuple[str, ...]:
    """What the exception of a copy could touch, by its words."""
    _, found, words_ = text.partition(", except ")
    if not found:
        return ()
    out = ["types", "subtypes", "supertypes"]
    # A trigger that it has besides waits on the stack, and changes nothing that it copied.
    words_ = re.sub(r"\bhas \"(?:when|whenever|at) (?:(?!\badds?\b)[^\"])*\"", "", words_)
    if re.search(r"\"|\b(?:has|have|gains?|abilit|lose)", words_):
        out.append("abilities")
    if re.search(r"\b(?:white|blue|black|red|green|colou?rs?|colorless)\b", words_):
        out.append("colors")
    if re.search(r"\d/\d|\bpower\b|\btoughness\b", words_):
        out += ["power", "toughness"]
    return tuple(out)
