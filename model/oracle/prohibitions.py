"""Prohibitions: what players can't do, and what objects can't be used for (101.2)."""

from __future__ import annotations

from typing import Any

import msgspec

from ..abilities import (
    AttackRule,
    Become,
    Bound,
    Condition,
    Count,
    Filter,
    Not,
    Prohibit,
    Static,
    StaticEffect,
    Target,
    Turn,
    Who,
    Zone,
)
from .conditions import pick_condition
from .cost_changes import Found, both, caster_and_spells
from .engine import NotUnderstood, meaning, pick, pick_all
from .keyword_costs import SPELL
from .nouns import Patch, but, merge
from .subjects import understood_words

COMBAT = ("combat_begin", "attackers", "blockers", "damage", "combat_end")


class Player(str):
    """Who can't."""


class Ban(tuple[StaticEffect, ...]):
    """The prohibitions of one clause."""


class Spells(tuple[Filter]):
    """Spells in a form that plain noun phrases do not have."""


_PLAYERS: dict[str, Who] = {
    "enchanted player": "host",
    "your opponents": "opponents",
    "each opponent": "opponents",
    "opponents": "opponents",
    "an opponent": "opponents",
    "players": "any",
    "each player": "any",
    "a player": "any",
    "you": "you",
    "the chosen player": "chosen",
}


@meaning("ban_some")
def ban_some(text: str, _: list[Any]) -> Unsure:
    if not understood_words(text):
        raise NotUnderstood(text)
    return Unsure(text)


class Unsure(str):
    """Some of the opponents; which, is not stated."""


@meaning("ban_who")
def ban_who(text: str, values: list[Any]) -> Player:
    return Player("some" if values else _PLAYERS[text])


def of_some(effect: Prohibit) -> Prohibit:
    """What only some opponents can't do, nobody can tell of any of them."""
    if effect.who != "some":  # type: ignore[comparison-overlap]
        return effect
    return msgspec.structs.replace(effect, who="opponents", what=but(effect.what, unstated=True))


@meaning("ban_some_attack")
def ban_some_attack(_: str, __: list[Any]) -> Ban:
    attackers = Filter(types=("Creature",), controller="opponents", unstated=True)
    return Ban((AttackRule("cant_attack", attackers),))


def who_of(values: list[Any]) -> Who:
    who = pick(values, Player)
    assert who is not None
    return str(who)  # type: ignore[return-value]


@meaning("ban_when")
def ban_when(text: str, values: list[Any]) -> Condition | None:
    return pick_condition(values) or Turn(steps=COMBAT)


@meaning("ban_when_after")
def ban_when_after(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    if said is None:
        return Turn(steps=COMBAT)
    return Not(said) if text.startswith(" unless ") else said


@meaning("prohibition_sentence")
def prohibition(_: str, values: list[Any]) -> Found:
    effects = tuple(of_some(e) if isinstance(e, Prohibit) else e for ban in pick_all(values, Ban) for e in ban)
    condition: Condition | None = None
    for said in values:
        if not isinstance(said, Ban):
            condition = both(condition, said)
    own = [isinstance(e, Prohibit) and e.what.me is True and e.what.zone == "stack" for e in effects]
    if any(own) and not all(own):
        raise NotUnderstood("this spell and others")
    return Found((Static(effects, condition, zone="stack" if own[0] else "battlefield"),))


@meaning("ban_early")
def ban_early(_: str, __: list[Any]) -> Turn:
    return Turn("you", early=3)


# --- casting --------------------------------------------------------------------------------------------------------


@meaning("ban_spells")
def ban_spells(_: str, values: list[Any]) -> Spells:
    said = values[0]
    if isinstance(said, Spells):
        return said
    who, spells = caster_and_spells(said)
    if who != "any":
        raise NotUnderstood("cast by")
    return Spells((spells,))


@meaning("ban_even")
def ban_even(text: str, _: list[Any]) -> Spells:
    return Spells((Filter(zone="stack", parity="even" if " even " in text else "odd"),))


@meaning("ban_same_name")
def ban_same_name(_: str, __: list[Any]) -> Spells:
    return Spells((Filter(zone="stack", shares=("name",), shares_with="linked"),))


@meaning("ban_anywhere_else")
def ban_anywhere_else(_: str, __: list[Any]) -> Spells:
    return Spells((Filter(zone="stack", not_from_zone="hand"),))


@meaning("ban_from_zones")
def ban_from_zones(text: str, _: list[Any]) -> Spells:
    named = {"graveyards": "graveyard", "libraries": "library", "exile": "exile"}
    zones = tuple(z for word, z in named.items() if word in text)
    if text.startswith("noncreature "):
        places = tuple(Filter(zone="stack", from_zone=z) for z in zones)  # type: ignore[arg-type]
        return Spells((Filter(zone="stack", not_types=("Creature",), any_of=places),))
    if len(zones) == 1:
        return Spells((Filter(zone="stack", from_zone=zones[0]),))  # type: ignore[arg-type]
    return Spells((Filter(zone="stack", any_of=tuple(Filter(zone="stack", from_zone=z) for z in zones)),))  # type: ignore[arg-type]


@meaning("ban_latest_color")
def ban_latest_color(_: str, __: list[Any]) -> Spells:
    return Spells((Filter(zone="stack", shares=("color",), shares_with="latest"),))


@meaning("ban_lands_count")
def ban_lands_count(text: str, _: list[Any]) -> Spells:
    lands = Count(Filter(types=("Land",), controller="that"))
    not_types = ("Creature",) if text.startswith("noncreature") else ()
    return Spells((Filter(zone="stack", not_types=not_types, bounds=(Bound("mana_value", ">", lands),)),))


def spells_of(values: list[Any]) -> Filter:
    found = pick(values, Spells)
    if found is not None:
        return found[0]
    what = pick(values, Filter)
    if what is None:
        raise NotUnderstood("no spells")
    who, spells = caster_and_spells(what)
    if who != "any":
        raise NotUnderstood("cast by")
    return spells


@meaning("ban_cast")
def ban_cast(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("cast", spells_of(values), who_of(values)),))


@meaning("ban_be_cast")
def ban_be_cast(_: str, values: list[Any]) -> Ban:
    who, spells = caster_and_spells(values[0])
    return Ban((Prohibit("cast", spells, who),))


@meaning("ban_cast_self")
def ban_cast_self(_: str, __: list[Any]) -> Ban:
    return Ban((Prohibit("cast", SPELL, "any"),))


@meaning("ban_more_than", "ban_at_most")
def ban_more_than(_: str, values: list[Any]) -> Ban:
    limit = pick(values, int)
    if limit is None:
        raise NotUnderstood("how many")
    return Ban((Prohibit("cast", spells_of(values), who_of(values), limit=limit),))


@meaning("ban_own_turn")
def ban_own_turn(text: str, values: list[Any]) -> Ban:
    who = who_of(values)
    if who == "you" and text.endswith("your turn"):
        others = Filter(zone="stack", none_of=(Filter(zone="stack", controller="active"),))
        return Ban((Prohibit("cast", others, "you"),))
    if who == "any" and text.endswith("their own turns"):
        others = Filter(zone="stack", none_of=(Filter(zone="stack", controller="active"),))
        spells = Prohibit("cast", others, "any")
        if "activate abilities" not in text:
            return Ban((spells,))
        # Whoever's turn it is not may activate nothing, whatever has the ability.
        return Ban((spells, Prohibit("activate", who="nonactive")))
    raise NotUnderstood(text)


@meaning("ban_loyalty")
def ban_loyalty(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("activate", who=who_of(values), keyword="loyalty"),))


@meaning("ban_from_graves")
def ban_from_graves(_: str, values: list[Any]) -> Ban:
    who, there = who_of(values), Filter(zone="graveyard")
    return Ban((Prohibit("cast", Filter(zone="stack", from_zone="graveyard"), who), Prohibit("activate", there, who)))


@meaning("ban_only_sorcery")
def ban_only_sorcery(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("cast", Filter(zone="stack"), who_of(values), timing="sorcery"),))


@meaning("ban_already_cast")
def ban_already_cast(text: str, values: list[Any]) -> Ban:
    first, second = pick_all(values, Filter)
    if but(first, zone="stack") != but(second, zone="stack"):
        raise NotUnderstood(text)
    return Ban((Prohibit("cast", but(first, zone="stack"), "any", limit=1),))


@meaning("ban_cast_or_activate")
def ban_cast_or_activate(text: str, values: list[Any]) -> Ban:
    who = who_of(values)
    objects = pick(values, Filter) or Filter(zone="any")
    mana = not text.endswith("aren't mana abilities")
    return Ban((Prohibit("cast", spells_of(values), who), Prohibit("activate", objects, who, mana_abilities=mana)))


# --- activating -----------------------------------------------------------------------------------------------------


@meaning("ban_abilities")
def ban_abilities(text: str, values: list[Any]) -> Filter:
    if text == "its activated abilities":
        return Filter(ref="that")
    return values[0]


@meaning("ban_unless_mana")
def ban_unless_mana(_: str, __: list[Any]) -> Player:
    return Player("mana")


@meaning("ban_activate")
def ban_activate(_: str, values: list[Any]) -> Ban:
    mana = pick(values, Player) is None
    what = pick(values, Filter)
    assert what is not None
    return Ban((Prohibit("activate", what, mana_abilities=mana),))


@meaning("ban_player_activate")
def ban_player_activate(text: str, values: list[Any]) -> Ban:
    mana = "mana abilities" not in text
    what = pick(values, Filter) or Filter(zone="any")
    loyalty = text.endswith("or loyalty abilities")
    return Ban((Prohibit("activate", what, who_of(values), mana_abilities=mana, but_loyalty=loyalty),))


# --- paying, sacrificing, lands and more ----------------------------------------------------------------------------


@meaning("ban_pay")
def ban_pay(text: str, values: list[Any]) -> Ban:
    who, what = who_of(values), pick(values, Filter)
    mana = not text.endswith("aren't mana abilities")
    life = Prohibit("pay_life", who=who, as_cost=True, mana_ability_costs=mana)
    if what is None:
        return Ban((life,))
    return Ban((life, Prohibit("sacrifice", what, who, as_cost=True, mana_ability_costs=mana)))


@meaning("ban_deed")
def ban_deed(text: str, values: list[Any]) -> Prohibit:
    deed = text.split(" ")[0]
    what = values[0]
    if deed == "discard":
        if what != Filter(zone="any"):
            raise NotUnderstood(text)
        what = Filter(zone="hand")
    return Prohibit(deed, what, "you", caused_by="opponents")


@meaning("ban_caused")
def ban_caused(_: str, values: list[Any]) -> Ban:
    return Ban(pick_all(values, Prohibit))


@meaning("ban_sacrificed")
def ban_sacrificed(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("sacrifice", values[0]),))


@meaning("ban_lands")
def ban_lands(text: str, values: list[Any]) -> Ban:
    who = who_of(values) if values else "any"
    if text.startswith("lands with"):
        return Ban((Prohibit("play_land", Filter(zone="any", types=("Land",), chosen=("name",))),))
    what = Filter(zone="graveyard" if "graveyards" in text else "any", types=("Land",))
    if "additional" in text:
        return Ban((Prohibit("play_land", what, who, limit=1),))
    return Ban((Prohibit("play_land", what, who),))


@meaning("ban_play_or_cast")
def ban_play_or_cast(_: str, values: list[Any]) -> Ban:
    who = who_of(values)
    land = Prohibit("play_land", Filter(zone="hand", types=("Land",)), who)
    return Ban((land, Prohibit("cast", Filter(zone="stack", from_zone="hand"), who)))


@meaning("ban_search")
def ban_search(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("search", who=who_of(values)),))


@meaning("ban_gain_life")
def ban_gain_life(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("gain_life", who=who_of(values)),))


@meaning("ban_life")
def ban_life(text: str, _: list[Any]) -> Ban:
    who: Who = "any" if text.startswith("players") else "you"
    lose = Prohibit("lose_life", who=who)
    return Ban((lose, Prohibit("gain_life", who=who)) if "change" in text else (lose,))


@meaning("ban_untapping")
def ban_untapping(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("untap", values[0]),))


@meaning("ban_entering")
def ban_entering(text: str, _: list[Any]) -> Ban:
    what = Filter(zone="any", types=("Creature",)) if text.startswith("creature") else Filter(zone="any")
    if text.startswith("nonland"):
        what = Filter(zone="any", not_types=("Land",))
    zones: tuple[Zone, ...] = ("graveyard", "library") if " libraries " in text else ("graveyard",)
    return Ban(tuple(Prohibit("enter", but(what, zone=zone)) for zone in zones))


@meaning("lasting_only_more")
def lasting_only_more(_: str, values: list[Any]) -> Any:
    """It counts from when it is said: the rules rooms count from the spell that said it."""
    from .effects import Lasts

    if not isinstance(values[0], int):
        raise NotUnderstood("how many")
    return Lasts(Become((Static((Prohibit("cast", Filter(zone="stack"), "you", limit=values[0]),)),)), ())


@meaning("lasting_next")
def lasting_next(_: str, values: list[Any]) -> Any:
    from .effects import Lasts

    return Lasts(Become(tuple(values[0])), ())


@meaning("lasting_cast")
def lasting_cast(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("cast", spells_of(values), "target"),))


@meaning("lasting_lands")
def lasting_lands(_: str, __: list[Any]) -> Ban:
    return Ban((Prohibit("play_land", Filter(zone="any", types=("Land",)), "target"),))


@meaning("lasting_target_ban")
def lasting_target_ban(_: str, values: list[Any]) -> Any:
    from .effects import Lasts

    target, ban = pick(values, Target), pick(values, Ban)
    if target is None or ban is None or target.players is None or target.what is not None:
        raise NotUnderstood("no player")
    return Lasts(Become((Static(tuple(ban)),)), (target,))


@meaning("ban_lose")
def ban_lose(text: str, _: list[Any]) -> Ban:
    lose = Prohibit("lose_game", who="you")
    return Ban((lose, Prohibit("win_game", who="opponents")) if "win" in text else (lose,))


@meaning("ban_countered")
def ban_countered(text: str, values: list[Any]) -> Ban:
    what = values[0]
    if what.me:
        what = SPELL
    if what.zone != "stack":
        raise NotUnderstood(text)
    return Ban((Prohibit("be_copied" if "copied" in text else "be_countered", what),))


@meaning("ban_counters")
def ban_counters(_: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("put_counters", values[0]),))


class By(msgspec.Struct, frozen=True):
    """What may not target: sources like this, as spells, as abilities or both."""

    what: Filter
    kind: str = ""


@meaning("by_kind")
def by_kind(text: str, values: list[Any]) -> Filter:
    patch = pick(values, Patch)
    assert patch is not None
    if text.startswith("non") and set(patch) == {"colors"}:
        return Filter(zone="any", not_colors=patch["colors"])
    return merge([Patch(zone="any"), patch])


@meaning("by_both")
def by_both(text: str, values: list[Any]) -> By:
    spells, abilities = values
    if spells != abilities:
        raise NotUnderstood(text)
    return By(spells)


@meaning("by_spells")
def by_spells(text: str, values: list[Any]) -> By:
    what = pick(values, Filter)
    if what is not None and (what.zone != "stack" or what.controller not in ("any", "opponents")):
        raise NotUnderstood(text)
    return By(but(what, zone="any") if what is not None else Filter(zone="any"), "spells")


@meaning("by_abilities")
def by_abilities(_: str, values: list[Any]) -> By:
    return By(pick(values, Filter) or Filter(zone="any"), "abilities")


@meaning("ban_target_by")
def ban_target_by(text: str, values: list[Any]) -> Ban:
    what, by = pick(values, Filter), pick(values, By)
    assert what is not None and by is not None
    who: Who = "opponents" if text.endswith("your opponents control") else "any"
    return Ban((Prohibit("target", what, who, by=by.what, by_kind=by.kind),))  # type: ignore[arg-type]


@meaning("ban_target_all")
def ban_target(text: str, values: list[Any]) -> Ban:
    return Ban((Prohibit("target", values[0], "opponents" if text.endswith("your opponents control") else "any"),))


@meaning("ban_draw")
def ban_draw(text: str, values: list[Any]) -> Ban:
    if text.endswith(" or gain life"):
        return Ban((Prohibit("draw", who=who_of(values)), Prohibit("gain_life", who=who_of(values))))
    return Ban((Prohibit("draw", who=who_of(values), limit=1 if "more than one" in text else 0),))
