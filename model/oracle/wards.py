"""Wards of players, what may be attached, timing of abilities, and other rules that stand alone (702.11, 702.16)."""

from __future__ import annotations

from typing import Any

import msgspec

from ..abilities import (
    AbilityTiming,
    AllOf,
    AttackRule,
    Compare,
    Condition,
    Count,
    Counters,
    Filter,
    GameRule,
    GrantAbilities,
    Is,
    Keyword,
    LinkedCount,
    MoreActivations,
    Permission,
    Prohibit,
    SkipStep,
    SpendAs,
    Static,
    StaticEffect,
    ThisTurn,
    Unsettled,
)
from .conditions import NOT_STATED, pick_condition
from .cost_changes import Found, both, caster_and_spells, spells_cast_by
from .engine import NotUnderstood, meaning, pick, pick_all
from .keyword_costs import SPELL
from .keywords import quality_filter
from .nouns import Patch, Text, but
from .statics import SUBJECT, Have, Makes, about, grant
from .subjects import understood_words

HOST = Filter(ref="host")


class Wards(tuple[StaticEffect, ...]):
    """The effects of one sentence, whose condition is still to be added."""


class Whole(tuple[Any, ...]):
    """The abilities of one sentence."""


@meaning("ward_sentence")
def ward_sentence(_: str, values: list[Any]) -> Found:
    condition: Condition | None = None
    for said in values:
        if not isinstance(said, (Wards, Whole)):
            condition = both(condition, said)
    whole = pick(values, Whole)
    if whole is not None:
        if condition is not None:
            raise NotUnderstood("a condition of several abilities")
        return Found(whole)
    effects = tuple(e for wards in pick_all(values, Wards) for e in wards)
    if not effects:
        raise NotUnderstood("nothing")
    return Found((Static(effects, condition),))


@meaning("ward_when", "ward_when_after")
def ward_when(_: str, values: list[Any]) -> Condition | None:
    return pick_condition(values)


# --- players --------------------------------------------------------------------------------------------------------


@meaning("ward_quality")
def ward_quality(text: str, _: list[Any]) -> Text:
    return Text(text)


def _quality(text: str) -> Filter:
    if text.startswith("the chosen card "):
        return Filter(zone="any", chosen=("name" if text.endswith("name") else "card_type",))
    what = quality_filter(text)
    if what is None:
        raise NotUnderstood(text)
    return what


@meaning("ward_player_protection")
def ward_player_protection(_: str, values: list[Any]) -> Wards:
    """702.16: of a player, and of permanents along with them."""
    said = str(pick(values, Text))
    what, others = _quality(said), pick(values, Filter)
    rule = GameRule("player_protection", "you", what)
    if others is None:
        return Wards((rule,))
    given: tuple[Keyword, ...] = (Keyword("protection", what=what),)
    if what.chosen:
        # What was chosen for this object is not looked up from the others: it stays in words, which nobody can tell.
        given = (Keyword(f"protection from {said}"), Keyword("protection"))
    return Wards((rule, GrantAbilities(others, given)))


@meaning("ward_both")
def ward_both(_: str, values: list[Any]) -> Wards:
    return Wards((GameRule("hexproof"), GrantAbilities(values[0], keywords=("hexproof",))))


@meaning("ward_despite")
def ward_despite(text: str, values: list[Any]) -> Wards:
    """Targets as though they didn't have hexproof (702.11)."""
    who = "you" if " you control as though" in text else "any"
    what = but(values[0], keyword="")
    rules = [GameRule("despite_hexproof", who, what)]
    if text.startswith("your opponents and"):
        rules.append(GameRule("despite_player_hexproof", who))
    return Wards(rules)


# --- attaching ------------------------------------------------------------------------------------------------------


@meaning("ward_cant_target")
def ward_cant_target(_: str, __: list[Any]) -> Makes:
    return Makes((Prohibit("target", SUBJECT, by=Filter(zone="any"), by_kind="spells"),))


@meaning("ward_cant_attach")
def ward_cant_attach(text: str, _: list[Any]) -> Makes:
    deed = "be_enchanted" if "enchanted" in text else "be_equipped"
    return Makes((Prohibit(deed, SUBJECT, by=Filter(zone="any", me=False) if "other" in text else None),))


@meaning("ward_cant_untap")
def ward_cant_untap(_: str, __: list[Any]) -> Makes:
    return Makes((Prohibit("untap", SUBJECT),))


@meaning("ward_cant_counters")
def ward_cant_counters(_: str, __: list[Any]) -> Makes:
    return Makes((Prohibit("put_counters", SUBJECT),))


@meaning("ward_cant_suspect")
def ward_cant_suspect(_: str, __: list[Any]) -> Makes:
    return Makes((Prohibit("suspect", SUBJECT),))


@meaning("ward_host")
def ward_host(text: str, values: list[Any]) -> Wards:
    what = pick(values, Filter) or Filter(me=True)
    made = pick_all(values, Makes)
    if not all(isinstance(e, StaticEffect) for m in made for e in m.effects):
        raise NotUnderstood(text)
    return Wards(about(tuple(e for m in made for e in m.effects), what))


@meaning("ward_attached_only")
def ward_attached_only(_: str, values: list[Any]) -> Wards:
    others = Filter(none_of=(values[0],))
    return Wards((Prohibit("be_equipped", others, by=Filter(zone="any", me=True)),))


# --- abilities ------------------------------------------------------------------------------------------------------


@meaning("ward_equip_any_time")
def ward_equip_any_time(_: str, __: list[Any]) -> Wards:
    return Wards((AbilityTiming("equip"),))


@meaning("ward_again")
def ward_again(text: str, values: list[Any]) -> Any:
    if values:
        return Wards((MoreActivations("power-up", 1, values[0]),))
    return Wards((MoreActivations("exhaust", 1),))


_INERT: dict[str, tuple[StaticEffect, ...]] = {
    "players can't cycle cards": (Prohibit("activate", Filter(zone="hand"), keyword="cycling"),),
    "permanents can't phase in": (Prohibit("phase_in", Filter()),),
    "lands can't enter the battlefield": (Prohibit("enter", Filter(zone="any", types=("Land",))),),
    "creatures you control can't be goaded": (Prohibit("goad", Filter(types=("Creature",), controller="you")),),
    "you can't get poison counters": (Prohibit("get_counters", who="you"),),
    "permanents your opponents control can't be turned face up": (
        Prohibit("turn_face_up", Filter(controller="opponents")),
    ),
    "it can't be turned face up": (Prohibit("turn_face_up", HOST),),
    "each opponent can't venture into the dungeon more than once each turn": (
        Prohibit("venture", who="opponents", limit=1),
    ),
    "players can't lose the game or win the game": (Prohibit("lose_game"), Prohibit("win_game")),
    "you can't lose the game and opponents can't win the game": (
        Prohibit("lose_game", who="you"),
        Prohibit("win_game", who="opponents"),
    ),
    "a player losing unspent mana causes that player to lose that much life": (GameRule("mana_burn", "any"),),
    "the first card you foretell each turn costs {0} to foretell": (GameRule("first_foretell_free"),),
    # No question is asked while a player searches.
    "while you're searching your library, you may cast ~ from your library": (GameRule("cast_while_searching"),),
    "triggered abilities you control can't cause you to sacrifice or exile creature tokens you control": (
        Prohibit("be_sacrificed_by_triggers", Filter(token=True, types=("Creature",), controller="you")),
    ),
    "stun counters can't be removed from permanents your opponents control": (
        Prohibit("remove_counters", Filter(controller="opponents"), counter="stun"),
    ),
    "skip your upkeep step": (SkipStep("upkeep", "you"),),
}


@meaning("ward_inert")
def ward_inert(text: str, _: list[Any]) -> Any:
    if text.startswith("rather than pay"):
        return Whole((Static((GameRule("tax_in_life"),), zone="any"),))  # 903.8, changed by the card itself
    return Wards(_INERT[text])


@meaning("ward_counters")
def ward_counters(_: str, values: list[Any]) -> Wards:
    return Wards((Prohibit("put_counters", values[0], counter=str(pick(values, Text))),))


@meaning("ward_most_counters")
def ward_most_counters(_: str, values: list[Any]) -> Whole:
    kind, most = str(pick(values, Text)), pick(values, int)
    full = Compare(Counters(kind), ">=", most)  # type: ignore[arg-type]
    return Whole((Static((Prohibit("put_counters", Filter(me=True), counter=kind),), full),))


# --- spells as they are cast ------------------------------------------------------------------------------------------


@meaning("ward_first_has")
def ward_first_has(_: str, values: list[Any]) -> Whole:
    """For the first of its kind in a turn: while none was cast this turn, that is any such spell."""
    spells, have = spells_cast_by("you", values[0]), pick(values, Have)
    if have is None:
        raise NotUnderstood("has what")
    none_yet = Compare(ThisTurn("spells_cast", "you", None if spells == Filter(zone="stack") else spells), "==", 0)
    given = about((grant(tuple(have)),), but(spells, controller="you"))
    return Whole((Static(tuple(given), none_yet),))


@meaning("ward_as_cast")
def ward_as_cast(_: str, values: list[Any]) -> Wards:
    spells, have = spells_cast_by("you", values[0]), pick(values, Have)
    if have is None:
        raise NotUnderstood("gain what")
    return Wards(about((grant(tuple(have)),), but(spells, controller="you")))


@meaning("ward_first_flash")
def ward_first_flash(_: str, values: list[Any]) -> Whole:
    spells = spells_cast_by("you", values[0])
    none_yet = Compare(ThisTurn("spells_cast", "you", spells), "==", 0)
    return Whole((Static((Permission(spells, flash=True),), none_yet),))


@meaning("ward_untargetable_now")
def ward_untargetable_now(text: str, _: list[Any]) -> Whole:
    """601.2c: what the spell itself says that its target can't be."""
    untapped = Filter(types=("Creature",) if " creature " in text else (), tapped=False)
    return Whole((Static((Prohibit("target", untapped, by=SPELL, by_kind="spells"),), zone="stack"),))


# --- one keyword for each that another has ---------------------------------------------------------------------------


@meaning("ward_keyword")
def ward_keyword(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("ward_holder")
def ward_holder(text: str, values: list[Any]) -> Filter:
    return Filter(me=True) if text == "~" else values[0]


class Place(str):
    """Where the other objects are."""


@meaning("ward_marked")
def ward_marked(_: str, values: list[Any]) -> Filter:
    return Filter(zone="exile", types=("Creature",), counter=str(values[0]))


@meaning("ward_place")
def ward_place(_: str, values: list[Any]) -> Any:
    return Marked(values[0]) if values else Place("linked")


class Marked(msgspec.Struct, frozen=True):
    what: Filter


@meaning("ward_place_with", "ward_place_rest")
def ward_place_part(text: str, _: list[Any]) -> Place:
    return Place(text)


_OF_A_KIND = ("landwalk", "protection", "protection from any color")


@meaning("ward_alike")
def ward_alike(text: str, values: list[Any]) -> Whole:
    holder, marked = pick(values, Filter), pick(values, Marked)
    assert holder is not None
    places, words = pick_all(values, Place), [str(w) for w in pick_all(values, Text)]
    if words[0] != words[1]:
        raise NotUnderstood(text)
    found = tuple(
        Static((_given(word, holder),), _where(word.removesuffix(" from any color"), places, marked))
        for word in dict.fromkeys(words)
    )
    return Whole(found)


def _given(word: str, holder: Filter) -> StaticEffect:
    """Which landwalk or protection it is, no text says."""
    return Unsettled(holder, ("abilities",)) if word in _OF_A_KIND else GrantAbilities(holder, keywords=(word,))


def _where(word: str, places: tuple[Place, ...], marked: Marked | None) -> Condition:
    """That something there has the keyword."""
    if marked is not None:
        return Compare(Count(but(marked.what, keyword=word)), ">=", 1)
    if "linked" in places or any("delve" in place for place in places):
        return AllOf((Compare(LinkedCount(), ">=", 1), NOT_STATED))
    if any("graveyard" in place for place in places):
        return Compare(Count(Filter(zone="graveyard", types=("Creature",), keyword=word)), ">=", 1)
    theirs = Filter(types=("Creature",), controller="opponents", keyword=word)
    return Compare(Count(but(theirs, none_of=(Filter(zone="any", shares=("name",)),))), ">=", 1)


# --- single prohibitions ----------------------------------------------------------------------------------------------


class OfColor(msgspec.Struct, frozen=True):
    """A keyword for those of a color."""

    keyword: str
    color: str


@meaning("ward_color")
def ward_color(_: str, values: list[Any]) -> OfColor:
    patch = pick(values, Patch)
    assert patch is not None
    return OfColor(str(pick(values, Text)), patch["colors"])


@meaning("ward_by_color")
def ward_by_color(_: str, values: list[Any]) -> Wards:
    what = pick(values, Filter)
    if what is None or what.colors:
        raise NotUnderstood("whose color")
    each = pick_all(values, OfColor)
    return Wards(GrantAbilities(but(what, colors=one.color), keywords=(one.keyword,)) for one in each)


@meaning("ward_found")
def ward_found(_: str, __: list[Any]) -> Wards:
    """Which cards in exile were found in a search, situations do not state."""
    cards = Filter(zone="stack", owner="opponents", unstated=True)
    lands = Filter(zone="any", types=("Land",), owner="opponents", unstated=True)
    permission = Permission(cards, lands, ("exile",))
    return Wards((permission, SpendAs(spells=but(cards, from_zone="exile"))))


@meaning("ward_defender")
def ward_defender(_: str, __: list[Any]) -> Wards:
    """Which opponent is attacked, descriptions of players do not say."""
    return Wards((Prohibit("cast", Filter(zone="stack", unstated=True), "opponents"),))


@meaning("ward_names")
def ward_names(_: str, __: list[Any]) -> Wards:
    """Of two names that were chosen, situations hold one."""
    lands = Filter(zone="any", types=("Land",), not_supertypes=("Basic",), unstated=True)
    return Wards((Prohibit("cast", Filter(zone="stack", unstated=True)), Prohibit("play_land", lands)))


@meaning("ward_host_controller")
def ward_host_controller(_: str, values: list[Any]) -> Wards:
    who, spells = caster_and_spells(values[0])
    if who != "any":
        raise NotUnderstood("whose")
    return Wards((Prohibit("cast", spells, "of_host"),))


@meaning("ward_ignored")
def ward_ignored(text: str, _: list[Any]) -> Whole:
    """Whether the effect is being ignored, no situation states."""
    if not understood_words(text):
        raise NotUnderstood(text)
    rules = (AttackRule("cant_attack", HOST), AttackRule("cant_block", HOST), Prohibit("activate", HOST))
    return Whole((Static(rules, AllOf((Is("host", Filter(zone="any")), NOT_STATED))),))


@meaning("ward_search")
def ward_search(text: str, _: list[Any]) -> Wards:
    return Wards((Prohibit("search", who="opponents" if text.startswith("spells") else "any"),))
