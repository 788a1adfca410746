"""Permissions: casting at instant speed or from other zones, more lands, haste; and when a spell may be cast."""

from __future__ import annotations

import re
from typing import Any

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
    Stat,
    Static,
    StaticEffect,
    Status,
    Turn,
    Who,
    Zone,
)
from .conditions import pick_condition
from .cost_changes import Found, both, caster_and_spells
from .costs import COST_PARTS, Symbols
from .engine import NotUnderstood, meaning, parse, pick, pick_all
from .keyword_costs import SPELL
from .nouns import Patch, but, merge
from .prohibitions import COMBAT

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
    return Turn("opponents", ("end",))


@meaning("permission")
def permission(_: str, values: list[Any]) -> Found:
    effects = next(v for v in values if isinstance(v, Allowed))
    once = pick(values, Once)
    if once is not None:
        effects = tuple(_once(e, str(once)) for e in effects)
    condition: Condition | None = None
    for said in values:
        if not isinstance(said, (Allowed, Once)):
            condition = both(condition, said)
    own = any(_of_itself(e) for e in effects)
    return Found((Static(tuple(effects), condition, zone="stack" if own else "battlefield"),))


def _once(effect: StaticEffect, said: str) -> StaticEffect:
    if not isinstance(effect, Permission):
        raise NotUnderstood("once")
    return Permission(
        effect.spells,
        effect.lands,
        effect.zones,
        effect.who,
        effect.flash,
        effect.top_of_library,
        True,
        "your turns" in said,
        also_pay=effect.also_pay,
    )


def _of_itself(effect: StaticEffect) -> bool:
    spells = getattr(effect, "spells", None)
    return spells is not None and bool(spells.me)


@meaning("perm_who")
def perm_who(text: str, _: list[Any]) -> Actor:
    return Actor("you" if text.startswith("you") else "any")


def actor(values: list[Any]) -> Who:
    return str(pick(values, Actor))  # type: ignore[return-value]


def any_spells(what: Filter) -> Filter:
    who, spells = caster_and_spells(what)
    if who != "any":
        raise NotUnderstood("cast by")
    return spells


@meaning("perm_flash")
def perm_flash(_: str, values: list[Any]) -> Allowed:
    what = pick(values, Filter)
    assert what is not None
    return Allowed((Permission(any_spells(what), who=actor(values), flash=True),))


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
    return Allowed((AdditionalCost(cost, optional=True, name="flash", timing="flash"),))


class Place(str):
    pass


@meaning("perm_zone", "perm_source")
def perm_zone(text: str, _: list[Any]) -> Place:
    if text == "the top of your library":
        return Place("library")
    return Place(text.removeprefix("your "))


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
    return Extra(pick_all(found[0], *COST_PARTS))


@meaning("perm_self_from")
def perm_self_from(_: str, values: list[Any]) -> Allowed:
    zone: Zone = str(pick(values, Place))  # type: ignore[assignment]
    effects: list[StaticEffect] = [Permission(SPELL, zones=(zone,), also_pay=tuple(pick(values, Extra) or ()))]
    if pick(values, ElsewhereNot) is not None:
        effects.append(Prohibit("cast", but(SPELL, not_from_zone=zone)))
    return Allowed(effects)


@meaning("perm_self_instead")
def perm_self_instead(_: str, values: list[Any]) -> Allowed:
    zone: Zone = str(pick(values, Place))  # type: ignore[assignment]
    if zone == "hand":
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
    what = values[0]
    if text.startswith("play lands and cast ") or text.startswith("play a land and cast "):
        return Things((any_spells(what), Filter(zone="any", types=("Land",))))
    if text.startswith("cast "):
        return Things((any_spells(what), None))
    if what.types != ("Land",) and not _land_subtypes(what):
        raise NotUnderstood(text)
    return Things((None, what))


def _land_subtypes(what: Filter) -> bool:
    lands = ("Plains", "Island", "Swamp", "Mountain", "Forest", "Desert", "Cave", "Gate", "Town")
    return bool(what.subtypes) and all(s in lands for s in what.subtypes)


@meaning("perm_pay_life")
def perm_pay_life(_: str, __: list[Any]) -> PayLife:
    return PayLife(Stat("mana_value", "spell"))


def _zone(spells: Filter | None, lands: Filter | None, said: Place | None) -> Zone:
    """Where the things are played from; a noun phrase takes "from your graveyard" for itself."""
    zones = {f.from_zone for f in (spells, lands) if f is not None and f.from_zone is not None}
    if said is not None:
        zones.add(str(said))  # type: ignore[arg-type]
    if len(zones) != 1:
        raise NotUnderstood("from where")
    return zones.pop()  # type: ignore[return-value]


@meaning("perm_play")
def perm_play(text: str, values: list[Any]) -> Allowed:
    spells, lands = next(v for v in values if isinstance(v, Things))
    zone = _zone(spells, lands, pick(values, Place))
    spells, lands = (but(f, from_zone=None) if f is not None else None for f in (spells, lands))
    top = zone == "library"
    who = actor(values)
    life = pick(values, PayLife)
    if life is None:
        extra = tuple(pick(values, Extra) or ())
        if extra and lands is not None:
            raise NotUnderstood("an additional cost of a land")
        effects = [Permission(spells, lands, (zone,), who, top_of_library=top, also_pay=extra)]
        if pick(values, AlsoFlash) is not None:
            effects.append(Permission(spells, None, (zone,), who, flash=True, top_of_library=top))
        return Allowed(effects)
    if spells is None:
        raise NotUnderstood("life for no spells")
    # The only way to cast them from there, so it is the alternative cost alone that lets them be cast.
    land = (Permission(None, lands, (zone,), who, top_of_library=top),) if lands else ()
    return Allowed((*land, AlternativeCost((life,), spells, who, zones=(zone,))))


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
