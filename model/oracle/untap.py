"""Untap steps, skipped steps, maximum hand size and loyalty rules."""

from __future__ import annotations

import re
from typing import Any

from ..abilities import (
    AlsoUntaps,
    Among,
    Calc,
    Condition,
    DontUntap,
    EntersWith,
    Filter,
    GameRule,
    GrantAbilities,
    Is,
    LoyaltyRule,
    MaxHandSize,
    Not,
    SkipStep,
    Static,
    StaticEffect,
    UntapCap,
    UntapChosen,
    Who,
)
from .amounts import EqualTo, ThatMany
from .conditions import pick_condition
from .cost_changes import Found, known
from .engine import NotUnderstood, meaning, pick
from .nouns import but, referring


class Players(str):
    pass


def _static(effect: StaticEffect, condition: Condition | None) -> Found:
    return Found((Static((effect,), condition),))


@meaning("untap_condition")
def untap_condition(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    assert said is not None
    return Not(said) if text.startswith(" unless ") else said


@meaning("untap_whose")
def untap_whose(text: str, _: list[Any]) -> Players:
    return Players(text)


@meaning("dont_untap")
def dont_untap(_: str, values: list[Any]) -> Found:
    """502.3. An untap step is that of whoever controls the permanent, unless the words say "your" of others' things."""
    what, whose = pick(values, Filter), pick(values, Players)
    assert what is not None and whose is not None
    if whose.startswith("your") and not (what.me or what.ref == "host" or what.controller == "you"):
        raise NotUnderstood(whose)
    who: Who = "you" if whose.startswith("your") and what.ref == "host" else "any"
    conditions = [v for v in values if v is not what and v is not whose]
    if len(conditions) > 1:
        raise NotUnderstood("two conditions")
    to = "self" if what == Filter(me=True) else "host" if what == Filter(ref="host") else "that"
    return _static(DontUntap(what, who), referring(conditions[0], to) if conditions else None)


@meaning("not_to_untap")
def not_to_untap(_: str, values: list[Any]) -> Found:
    return _static(DontUntap(pick(values, Filter) or Filter(me=True), optional=True), None)


@meaning("untap_players")
def untap_players(text: str, _: list[Any]) -> Players:
    fixed = {"you": "you", "your opponents": "opponents", "each opponent": "opponents"}
    return Players(fixed.get(text, "any"))


@meaning("untap_cap")
def untap_cap(_: str, values: list[Any]) -> Found:
    n, what = pick(values, int), pick(values, Filter)
    if n is None or what is None:
        raise NotUnderstood("how many")
    return _static(UntapCap(what, n, str(pick(values, Players))), pick_condition(values))  # type: ignore[arg-type]


@meaning("also_what")
def also_what(_: str, values: list[Any]) -> Filter:
    return values[0] if values else Filter(me=True)


@meaning("also_untaps")
def also_untaps(_: str, values: list[Any]) -> Found:
    what = pick(values, Filter)
    assert what is not None
    if what.controller not in ("you",) and not what.me and what.ref != "host":
        raise NotUnderstood("whose")
    return _static(AlsoUntaps(what), pick_condition(values))


@meaning("would_untap")
def would_untap(text: str, values: list[Any]) -> Found:
    """Something else happens instead of untapping: it stays tapped."""
    what, whose = pick(values, Filter), pick(values, Players)
    if what is None or whose is None or (whose.startswith("your") and what.controller != "you" and not what.me):
        raise NotUnderstood(text)
    return _static(DontUntap(what), None)


@meaning("skip_step")
def skip_step(text: str, _: list[Any]) -> Found:
    step = next(s for s in ("untap", "draw", "upkeep") if s in text)
    who: Who = "any" if text.startswith(("players", "each player")) else "opponents" if "opponents" in text else "you"
    return _static(SkipStep(step, who), None)


# --- maximum hand size ----------------------------------------------------------------------------------------------

_HAND_OWNERS: dict[str, Who] = {
    "your": "you",
    "you": "you",
    "players": "any",
    "each player": "any",
    "each player's": "any",
    "each opponent's": "opponents",
    "your opponents'": "opponents",
    "each opponent": "opponents",
    "your opponents": "opponents",
    "the chosen player's": "chosen",
}


class HandChange(tuple[Any, ...]):
    pass


@meaning("hand_who")
def hand_who(text: str, _: list[Any]) -> Players:
    return Players(_HAND_OWNERS[text])


@meaning("hand_none")
def hand_none(_: str, __: list[Any]) -> HandChange:
    return HandChange(("none", 0))


@meaning("hand_set", "hand_more", "hand_less")
def hand_set(text: str, values: list[Any]) -> HandChange:
    how = "plus" if "increased" in text else "minus" if "reduced" in text else "set"
    n = values[0][0] if isinstance(values[0], EqualTo) else values[0]
    if isinstance(n, ThatMany):
        raise NotUnderstood(text)
    return HandChange((how, known(n)))


@meaning("hand_less_types")
def hand_less_types(_: str, values: list[Any]) -> EqualTo:
    """Those of which the condition before speaks: card types among cards in your graveyard."""
    kinds = Among("different", "types", Filter(zone="graveyard", owner="you"))
    return EqualTo((Calc("-", (values[0], kinds)),))


@meaning("hand_size_rule")
def hand_size_rule(_: str, values: list[Any]) -> Found:
    how, n = next(v for v in values if isinstance(v, HandChange))
    who = pick(values, Players)
    return _static(MaxHandSize(how, n, str(who)), pick_condition(values))  # type: ignore[arg-type]


# --- loyalty --------------------------------------------------------------------------------------------------------


@meaning("spells_cascade")
def spells_cascade(_: str, __: list[Any]) -> Found:
    """What spells trigger as they are cast has no part in whether they may be cast."""
    return _static(GameRule("spells_trigger_as_cast"), None)


@meaning("player_keyword")
def player_keyword(text: str, values: list[Any]) -> Found:
    """702.11c, 702.18b: of a player."""
    word = "shroud" if "shroud" in text else "hexproof"
    what, condition = pick(values, Filter), pick_condition(values)
    if what is not None:
        return Found((Static((GameRule(word), GrantAbilities(what, keywords=(word,))), condition),))
    return _static(GameRule(word, "any" if re.search(r"\bplayers? ha", text) else "you"), condition)


@meaning("hands_revealed")
def hands_revealed(text: str, _: list[Any]) -> Found:
    who: Who = (
        "opponents" if text.startswith("your opp") else "any" if text.startswith(("players", "each player")) else "you"
    )
    return _static(GameRule("hand_revealed", who), None)


@meaning("untap_chosen")
def untap_chosen(_: str, __: list[Any]) -> Found:
    return _static(UntapChosen(("Artifact", "Creature", "Land")), Is("self", Filter(zone="any", tapped=False)))


@meaning("stays_tapped")
def stays_tapped(_: str, __: list[Any]) -> Found:
    return Found((EntersWith(tapped=True), Static((DontUntap(Filter(me=True)),))))


@meaning("loyalty_twice")
def loyalty_twice(text: str, values: list[Any]) -> Found:
    if "this turn" in text:
        raise NotUnderstood(text)
    return _static(LoyaltyRule(values[0], per_turn=2), None)


@meaning("loyalty_instant")
def loyalty_instant(_: str, values: list[Any]) -> Found:
    what = pick(values, Filter) or Filter(me=True)
    return _static(LoyaltyRule(what, instant=True), pick_condition(values))


@meaning("no_legend_rule")
def no_legend_rule(_: str, values: list[Any]) -> Found:
    what = pick(values, Filter)
    if what is not None and what.controller == "you":
        return _static(GameRule("no_legend_rule", "you", but(what, controller="any")), None)
    return _static(GameRule("no_legend_rule", "any", what), None)
