"""Permissions: casting at instant speed or from other zones, more lands, haste; and when a spell may be cast."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import (
    AdditionalCost,
    AllOf,
    AlternativeCost,
    Condition,
    CostPart,
    Filter,
    HasteLike,
    ManaPart,
    Not,
    PayLife,
    Permission,
    Prohibit,
    SpellAbility,
    SpendAs,
    Stat,
    Static,
    StaticEffect,
    Status,
    Turn,
    Who,
    Zone,
)
from .amounts import ForEach, known
from .conditions import pick_condition
from .cost_changes import Found, both, spells_cast_by
from .costs import COST_PARTS, Symbols
from .engine import NotUnderstood, meaning, parse, pick, pick_all
from .keyword_costs import SPELL
from .nouns import Patch, Text, but, merge, referring
from .prohibitions import COMBAT
from .subjects import understood_words

MANY = 999  # land plays without a limit


class Allowed(tuple[StaticEffect, ...]):
    """The effects of one clause."""


class Actor(str):
    pass


class Once(str):
    pass


@meaning("perm_times")
def perm_times(text: str, _: list[Any]) -> Once:
    return Once(text)


@meaning("perm_when")
def perm_when(text: str, values: list[Any]) -> Any:
    if values:
        return values[0]
    if text.startswith("during each of your turns"):
        return Turn("you")
    if text.startswith("during each player's turn"):
        return None  # the player who may is the active one
    return Turn("opponents", ("end",))


@meaning("permission")
def permission(_: str, values: list[Any]) -> Found:
    effects = next(v for v in values if isinstance(v, Allowed))
    once = pick(values, Once)
    condition: Condition | None = None
    if once is not None:
        effects = tuple(_once(e, str(once)) for e in effects)
        if "your turns" in once and not all(isinstance(e, Permission) for e in effects):
            condition = Turn("you")
    if pick(values, Theirs) is not None:
        effects = tuple(_unstated(e) for e in effects)
    for said in values:
        if not isinstance(said, (Allowed, Once, Theirs)):
            condition = both(condition, said)
    own = any(_of_itself(e) for e in effects)
    return Found((Static(tuple(effects), condition, zone="stack" if own else "battlefield"),))


class Theirs(str):
    """The cards that are spoken of are just those that the player in question exiled."""


@meaning("perm_look_theirs")
def perm_look_theirs(text: str, _: list[Any]) -> Theirs:
    return Theirs(text)


def _unstated(effect: StaticEffect) -> StaticEffect:
    """Situations tell what an object exiled, but not who did it."""
    if not isinstance(effect, Permission) or effect.spells is None or effect.lands is None:
        raise NotUnderstood("cards that they exiled")
    spells, lands = but(effect.spells, unstated=True), but(effect.lands, unstated=True)
    return msgspec.structs.replace(effect, spells=spells, lands=lands)


@meaning("perm_alone")
def perm_alone(text: str, values: list[Any]) -> Found:
    return permission(text, values)


def _once(effect: StaticEffect, said: str) -> StaticEffect:
    if isinstance(effect, SpendAs):
        return effect
    if isinstance(effect, AlternativeCost):
        return msgspec.structs.replace(effect, once_each_turn=True)
    if not isinstance(effect, Permission):
        raise NotUnderstood("once")
    return msgspec.structs.replace(effect, once_each_turn=True, your_turn_only="your turns" in said)


def _of_itself(effect: StaticEffect) -> bool:
    spells = getattr(effect, "spells", None)
    return spells is not None and bool(spells.me)


@meaning("perm_who")
def perm_who(text: str, _: list[Any]) -> Actor:
    if text.startswith("that player"):
        return Actor("active")
    return Actor("you" if text.startswith("you") else "any")


def actor(values: list[Any]) -> Who:
    return str(pick(values, Actor))  # type: ignore[return-value]


@meaning("perm_flash")
def perm_flash(_: str, values: list[Any]) -> Allowed:
    what = pick(values, Filter)
    assert what is not None
    return Allowed((Permission(spells_cast_by("any", what), who=actor(values), flash=True),))


@meaning("perm_flash_self")
def perm_flash_self(_: str, values: list[Any]) -> Allowed:
    targets = pick(values, Filter)
    return Allowed((Permission(but(SPELL, targets=targets) if targets else SPELL, flash=True),))


@meaning("perm_each_type")
def perm_each_type(_: str, __: list[Any]) -> Allowed:
    """One permission for each permanent type, and each may be used once."""
    own = {"zones": ("graveyard",), "once_each_turn": True, "your_turn_only": True}
    kinds = ("Artifact", "Battle", "Creature", "Enchantment", "Planeswalker")
    spells = [Permission(Filter(zone="stack", types=(kind,)), **own) for kind in kinds]  # type: ignore[arg-type]
    land = Permission(lands=Filter(zone="any", types=("Land",)), **own)  # type: ignore[arg-type]
    return Allowed((*spells, land))


@meaning("perm_cards_flash")
def perm_cards_flash(_: str, values: list[Any]) -> Allowed:
    what = merge(pick_all(values, Patch))
    return Allowed((Permission(but(what, zone="stack", owner="you"), who="any", flash=True),))


@meaning("perm_also_flash")
def perm_also_flash(text: str, _: list[Any]) -> AlsoFlash:
    return AlsoFlash(text)


class AlsoFlash(str):
    """The spells that are cast by a permission may be cast at instant speed."""


@meaning("perm_has_flash")
def perm_has_flash(_: str, __: list[Any]) -> Allowed:
    return Allowed((Permission(SPELL, flash=True),))


@meaning("perm_flash_pay")
def perm_flash_pay(_: str, values: list[Any]) -> Allowed:
    cost = (ManaPart(str(pick(values, Symbols))),)
    return Allowed((AdditionalCost(cost, optional=True, name="as though it had flash", timing="flash"),))


@meaning("perm_flash_cost")
def perm_flash_cost(_: str, values: list[Any]) -> Allowed:
    """An additional cost that lets it be cast at instant speed."""
    cost = tuple(pick(values, Extra) or ()) or pick_all(values, *COST_PARTS)
    return Allowed((AdditionalCost(cost, optional=True, name="flash", timing="flash"),))


class Place(msgspec.Struct, frozen=True):
    """A zone to play cards from, and what is said of the cards there."""

    zone: Zone
    said: dict[str, Any] = {}


@meaning("perm_or_top")
def perm_or_top(_: str, __: list[Any]) -> Place:
    """From hand, as said before this, or from the top of the library."""
    return Place("library", {"hand": True})


class Said(dict[str, Any]):
    """What is said of the cards in a place."""


@meaning("perm_using")
def perm_using(text: str, values: list[Any]) -> Allowed:
    """A keyword's alternative cost in place of the mana cost, which then lets it be cast from there too."""
    what = pick(values, Filter)
    spells = SPELL if what is None or what.me else but(spells_cast_by("any", what), from_zone=None)
    return Allowed((Permission(spells, zones=("graveyard",), only_for=str(pick(values, Text))),))


@meaning("perm_keyword")
def perm_keyword(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("perm_if_paid")
def perm_if_paid(_: str, values: list[Any]) -> Allowed:
    symbols, each = pick(values, Symbols), pick(values, ForEach)
    if symbols is None or each is None:
        raise NotUnderstood("more for each")
    return Allowed((Permission(SPELL, zones=("graveyard",), also_pay=(ManaPart(str(symbols), known(each[0])),)),))


@meaning("perm_top_if")
def perm_top_if(_: str, values: list[Any]) -> Allowed:
    """The top card is looked at as the spell that it would be."""
    what = values[0]
    if what.controller != "any":
        raise NotUnderstood("a controlled card")
    spells = but(what, zone="stack", any_of=tuple(but(f, zone="any") for f in what.any_of))
    return Allowed((Permission(spells, zones=("library",), top_of_library=True),))


@meaning("perm_top_self")
def perm_top_self(_: str, __: list[Any]) -> Allowed:
    return Allowed((Permission(SPELL, zones=("library",), top_of_library=True),))


@meaning("perm_top_card")
def perm_top_card(_: str, __: list[Any]) -> Place:
    return Place("library")


@meaning("perm_zone", "perm_source")
def perm_zone(text: str, values: list[Any]) -> Place:
    if values:
        return values[0]
    if text.endswith("or from exile"):
        return Place("any")
    if text == "the top of your library":
        return Place("library")
    return Place(text.removeprefix("your "))  # type: ignore[arg-type]


@meaning("perm_whose")
def perm_whose(text: str, _: list[Any]) -> Said:
    if text == "they don't own":
        return Said(none_of=(Filter(zone="any", owner="active"),))
    return Said(owner="you" if text == "you own" else "opponents")


@meaning("perm_those")
def perm_those(_: str, __: list[Any]) -> Place:
    """The cards that were spoken of before: those exiled with the object."""
    return Place("exile", {"linked": True})


@meaning("perm_linked")
def perm_linked(text: str, values: list[Any]) -> Place:
    said = {"linked": True, **(pick(values, Said) or {})}
    unclear = text.endswith(" this turn") or text.startswith(("cards they ", "cards you exiled"))
    return Place("exile", said | {"unstated": True} if unclear else said)


@meaning("perm_countered")
def perm_countered(text: str, values: list[Any]) -> Place:
    owner = "opponents" if "opponents own" in text else "you" if "you own" in text else "any"
    said = {"counter": str(pick(values, Text)), "owner": owner}
    return Place("exile", said | {"unstated": True} if "you exiled" in text else said)


@meaning("perm_put_there")
def perm_put_there(text: str, _: list[Any]) -> Place:
    if not understood_words(text):
        raise NotUnderstood(text)
    owner = {} if "in graveyards" in text else {"owner": "you"}
    return Place("graveyard", {"unstated": True, **owner})


@meaning("perm_marked")
def perm_marked(_: str, values: list[Any]) -> Place:
    return Place("exile", {"counter": str(pick(values, Text)), "unstated": True})


class ElsewhereNot(str):
    pass


@meaning("perm_nowhere_else")
def perm_nowhere_else(text: str, _: list[Any]) -> ElsewhereNot:
    return ElsewhereNot(text)


_VERBS = {
    "discarding": "discard",
    "exiling": "exile",
    "sacrificing": "sacrifice",
    "paying": "pay",
    "returning": "return",
    "tapping": "tap",
    "removing": "remove",
}


class Extra(tuple[CostPart, ...]):
    pass


@meaning("perm_by")
def perm_by(text: str, _: list[Any]) -> Extra:
    found = parse("costs", re.sub(r"\b(?:" + "|".join(_VERBS) + r")\b", lambda m: _VERBS[m.group()], text))
    if not found:
        raise NotUnderstood(text)
    return Extra(referring(pick_all(found[0], *COST_PARTS), "spell"))


def _place(values: list[Any]) -> Zone:
    place = pick(values, Place)
    assert place is not None
    return place.zone


@meaning("perm_self_from")
def perm_self_from(_: str, values: list[Any]) -> Allowed:
    zone = _place(values)
    zones: tuple[Zone, ...] = ("graveyard", "exile") if zone == "any" else (zone,)
    effects: list[StaticEffect] = [Permission(SPELL, zones=zones, also_pay=tuple(pick(values, Extra) or ()))]
    if pick(values, ElsewhereNot) is not None:
        if zone == "any":
            raise NotUnderstood("nowhere else")
        effects.append(Prohibit("cast", but(SPELL, not_from_zone=zone)))
    return Allowed(effects)


@meaning("perm_self_instead")
def perm_self_instead(_: str, values: list[Any]) -> Allowed:
    zone = _place(values)
    if zone in ("hand", "any"):
        raise NotUnderstood(zone)
    return Allowed((AlternativeCost(tuple(pick(values, Extra) or ()), SPELL, zones=(zone,)),))


class NamedCard(str):
    """The name of one card that an effect is about."""


@meaning("perm_name")
def perm_name(text: str, _: list[Any]) -> NamedCard:
    return NamedCard(text.strip("⟨⟩"))


@meaning("perm_named")
def perm_named(text: str, values: list[Any]) -> Allowed:
    name = str(pick(values, NamedCard))
    spells = Filter(zone="stack", names=(name,))
    zones: tuple[Zone, ...] = ("exile",) if " from exile" in text else ("exile", "graveyard")
    if " without paying " in text:
        cast: StaticEffect = AlternativeCost((), spells, zones=zones)
    else:
        cast = Permission(spells, zones=zones)
    if not text.startswith("you may play"):
        return Allowed((cast,))
    return Allowed((cast, Permission(lands=Filter(zone="any", types=("Land",), names=(name,)), zones=zones)))


class Things(tuple[Any, ...]):
    """Spells and lands that may be played."""


@meaning("perm_lands")
def perm_lands(text: str, values: list[Any]) -> Filter:
    what = values[0]
    if what.zone != "battlefield" or what.controller != "any":
        raise NotUnderstood(text)
    return but(what, zone="any")


@meaning("perm_what")
def perm_what(text: str, values: list[Any]) -> Things:
    if text in ("play cards", "play a card"):
        return Things((Filter(zone="stack"), Filter(zone="any", types=("Land",))))
    if text.endswith("that have a cycling ability"):
        return Things((Filter(zone="stack", keyword="cycling"), None))
    if (two := pick(values, Things)) is not None:
        return two
    what = pick(values, Filter)
    if (place := pick(values, Place)) is not None:
        lands = Filter(zone="any", types=("Land",)) if text.startswith("play") else None
        return Things((Filter(zone="stack"), lands, place))
    assert what is not None
    if text.startswith("play lands and cast ") or text.startswith("play a land and cast "):
        return Things((spells_cast_by("any", what), Filter(zone="any", types=("Land",))))
    if text.startswith("cast "):
        return Things((spells_cast_by("any", what), None))
    if what.types != ("Land",) and not _land_subtypes(what):
        raise NotUnderstood(text)
    return Things((None, what))


def _land_subtypes(what: Filter) -> bool:
    lands = ("Plains", "Island", "Swamp", "Mountain", "Forest", "Desert", "Cave", "Gate", "Town")
    return bool(what.subtypes) and all(s in lands for s in what.subtypes)


@meaning("perm_two")
def perm_two(_: str, values: list[Any]) -> Things:
    lands, spells = values
    if lands.types != ("Land",):
        raise NotUnderstood("no lands")
    lands = but(lands, from_zone=lands.from_zone or spells.from_zone)
    return Things((spells_cast_by("any", spells), lands))


@meaning("perm_cards")
def perm_cards(text: str, values: list[Any]) -> Place:
    said = dict(pick(values, Said) or {})
    counter = pick(values, Text)
    return Place("exile", said | ({"linked": True} if counter is None else {"counter": str(counter)}))


class Tail(str):
    """A word for what is said after a permission."""


@meaning("perm_free", "perm_one", "perm_flash_too")
def perm_tail_word(text: str, _: list[Any]) -> Tail:
    return Tail("free" if "without" in text else "one" if "more than one" in text else "flash")


@meaning("perm_spend_any", "perm_spend_snow")
def perm_spend(text: str, _: list[Any]) -> SpendAs:
    return SpendAs("WUBRGC" if "any type" in text else "WUBRG", snow="snow sources" in text)


@meaning("perm_pay_life", "perm_life_instead")
def perm_pay_life(_: str, __: list[Any]) -> PayLife:
    return PayLife(Stat("mana_value", "spell"))


def _zone(spells: Filter | None, lands: Filter | None, place: Place | None, paid: bool) -> Place:
    """Where the things are played from; a noun phrase takes "from your graveyard" for itself."""
    zones = {f.from_zone for f in (spells, lands) if f is not None and f.from_zone is not None}
    if place is not None and "hand" in place.said:
        if zones != {"hand"}:
            raise NotUnderstood("from where else")
        return place
    if place is None and not zones and paid:
        return Place("any")
    if place is not None:
        zones.add(place.zone)
    if len(zones) != 1:
        raise NotUnderstood("from where")
    return Place(zones.pop(), place.said if place is not None else {})  # type: ignore[arg-type]


@meaning("perm_play")
def perm_play(text: str, values: list[Any]) -> Allowed:
    spells, lands, *said = next(v for v in values if isinstance(v, Things))
    paid = pick(values, Instead)
    place = _zone(spells, lands, said[0] if said else pick(values, Place), paid is not None)
    if (paid is not None or "hand" in place.said) and lands is None and spells is not None:
        return _instead(text, spells, place, tuple(paid or ()), values)
    if place.zone == "hand":
        return _from_hand(text, spells, lands, values)
    spells, lands = (_at(f, place) if f is not None else None for f in (spells, lands))
    top = place.zone == "library"
    who = actor(values)
    tails = pick_all(values, Tail)
    spends = _spends(spells, place, who, pick_all(values, SpendAs))
    life = pick(values, PayLife)
    once = "one" in tails or re.search(r"\bmay (?:cast|play) an? ", text) is not None
    if life is None and "free" not in tails:
        extra = tuple(pick(values, Extra) or ())
        if extra and lands is not None:
            raise NotUnderstood("an additional cost of a land")
        one = Permission(spells, lands, (place.zone,), who, top_of_library=top, once_each_turn=once, also_pay=extra)
        effects: list[StaticEffect] = [one, *spends]
        if pick(values, AlsoFlash) is not None or "flash" in tails:
            effects.append(Permission(spells, None, (place.zone,), who, flash=True, top_of_library=top))
        return Allowed(effects)
    if spells is None or pick(values, Extra) is not None:
        raise NotUnderstood("life for no spells")
    # The only way to cast them from there, so it is the alternative cost alone that lets them be cast.
    land = (Permission(None, lands, (place.zone,), who, top_of_library=top),) if lands else ()
    cost = (life,) if life is not None else ()
    instead = AlternativeCost(cost, spells, who, zones=(place.zone,), once_each_turn=once)
    return Allowed((*land, instead, *spends))


class Instead(tuple[CostPart, ...]):
    """What is paid in place of mana costs."""


@meaning("perm_paid_instead")
def perm_paid_instead(_: str, values: list[Any]) -> Instead:
    return Instead(pick(values, Extra) or ())


def _instead(text: str, spells: Filter, place: Place, cost: tuple[CostPart, ...], values: list[Any]) -> Allowed:
    """Spells that may be cast for another cost, from wherever they may be cast."""
    if (place.zone != "any" and "hand" not in place.said) or (not cost and "free" not in pick_all(values, Tail)):
        raise NotUnderstood(text)
    timing = "flash" if pick(values, AlsoFlash) is not None else ""
    zones: tuple[Zone, ...] = ("hand", "library") if "hand" in place.said else ("any",)
    once = re.search(r"\bmay cast an? ", text) is not None
    what = but(spells, from_zone=None)
    return Allowed((AlternativeCost(cost, what, actor(values), zones=zones, timing=timing, once_each_turn=once),))


def _from_hand(text: str, spells: Filter | None, lands: Filter | None, values: list[Any]) -> Allowed:
    """What may be cast from hand anyway, for another cost."""
    life, tails = pick(values, PayLife), pick_all(values, Tail)
    if spells is None or lands is not None or (life is None and "free" not in tails) or pick(values, Extra):
        raise NotUnderstood("from hand")
    cost = (life,) if life is not None else ()
    timing = "flash" if pick(values, AlsoFlash) is not None else ""
    once = re.search(r"\bmay cast an? ", text) is not None
    effect = AlternativeCost(cost, but(spells, from_zone=None), actor(values), timing=timing, once_each_turn=once)
    return Allowed((effect,))


def _at(what: Filter, place: Place) -> Filter:
    """The description with what is said of the cards where they are."""
    said = dict(place.said)
    if what.counter and "counter" in said:
        raise NotUnderstood("counters twice")
    return but(what, from_zone=None, **{**said, "none_of": (*what.none_of, *said.get("none_of", ()))})


def _spends(spells: Filter | None, place: Place, who: Who, said: tuple[SpendAs, ...]) -> list[StaticEffect]:
    """As what mana may be spent on the spells that are cast that way."""
    if said and spells is None:
        raise NotUnderstood("mana for no spells")
    return [
        msgspec.structs.replace(s, who=who, spells=but(spells, from_zone=place.zone))
        for s in said
        if spells is not None
    ]


@meaning("perm_land_count")
def perm_land_count(text: str, values: list[Any]) -> int:
    n = 1 if text == "an additional" else values[0]
    if not isinstance(n, int):
        raise NotUnderstood(text)
    return n


@meaning("perm_more_lands")
def perm_more_lands(text: str, values: list[Any]) -> Allowed:
    return Allowed((Permission(who="you" if text.startswith("you") else "any", extra_land_drops=values[0]),))


@meaning("perm_any_lands")
def perm_any_lands(_: str, __: list[Any]) -> Allowed:
    return Allowed((Permission(extra_land_drops=MANY),))


@meaning("perm_haste")
def perm_haste(_: str, values: list[Any]) -> Allowed:
    return Allowed((HasteLike(values[0]),))


@meaning("perm_spell_haste")
def perm_spell_haste(_: str, __: list[Any]) -> Allowed:
    return Allowed((HasteLike(Filter(me=True)),))


# --- when a spell may be cast ---------------------------------------------------------------------------------------

_BEFORE_BLOCKS = ("combat_begin", "attackers")
_AFTER_BLOCKS = ("blockers", "damage", "combat_end")
_BEFORE_COMBAT = ("upkeep", "draw", "main1")
_BEFORE_ATTACKS = (*_BEFORE_COMBAT, "combat_begin")
_TIMES: dict[str, Condition] = {
    "during combat": Turn(steps=COMBAT),
    "during combat on your turn": Turn("you", COMBAT),
    "during combat on your turn before blockers are declared": Turn("you", _BEFORE_BLOCKS),
    "before blockers are declared": Turn(steps=(*_BEFORE_ATTACKS, "attackers")),
    "before combat or during combat before blockers are declared": Turn(steps=(*_BEFORE_ATTACKS, "attackers")),
    "during the declare blockers step on an opponent's turn": Turn("opponents", ("blockers",)),
    "during combat on an opponent's turn": Turn("opponents", COMBAT),
    "during combat after blockers are declared": Turn(steps=_AFTER_BLOCKS),
    "during combat before blockers are declared": Turn(steps=_BEFORE_BLOCKS),
    "during combat, before blockers are declared": Turn(steps=_BEFORE_BLOCKS),
    "before the combat damage step": Turn(steps=(*_BEFORE_ATTACKS, "attackers", "blockers")),
    "before combat": Turn(steps=_BEFORE_COMBAT),
    "after combat": Turn(steps=("main2", "end")),
    "before attackers are declared": Turn(steps=_BEFORE_ATTACKS),
    "during the declare attackers step": Turn(steps=("attackers",)),
    "during the declare blockers step": Turn(steps=("blockers",)),
    "during your upkeep": Turn("you", ("upkeep",)),
    "during your turn": Turn("you"),
    "on your own turn": Turn("you"),
    "during your turn, before attackers are declared": Turn("you", _BEFORE_ATTACKS),
    "during your declare attackers step": Turn("you", ("attackers",)),
    "during your declare blockers step": Turn("you", ("blockers",)),
    "during your end step": Turn("you", ("end",)),
    "during an opponent's turn, before attackers are declared": Turn("opponents", _BEFORE_ATTACKS),
    "during an opponent's turn after their upkeep step": Turn(
        "opponents", ("draw", "main1", *COMBAT, "main2", "end", "cleanup")
    ),
    "during an opponent's turn": Turn("opponents"),
    "during an opponent's upkeep": Turn("opponents", ("upkeep",)),
    "during an opponent's declare attackers step": Turn("opponents", ("attackers",)),
}


@meaning("cast_during")
def cast_during(text: str, _: list[Any]) -> Condition:
    return _TIMES[text]


@meaning("cast_if")
def cast_if(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    if said is None:
        return Status("attacked_this_step")
    return Not(said) if text.startswith("unless ") else said


@meaning("cast_only")
def cast_only(_: str, values: list[Any]) -> Found:
    """ "Cast this spell only …": all of it must hold as it is cast."""
    said = tuple(values)
    return Found((SpellAbility(timing=said[0] if len(said) == 1 else AllOf(said)),))
