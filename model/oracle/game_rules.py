"""Rules of the game that a card changes, for questions about state-based actions and transforming."""

from __future__ import annotations

import re
from typing import Any

from ..abilities import CounterReplacement, Filter, GameRule, MaxHandSize, Prohibit, Static, StaticEffect, Who
from .conditions import pick_condition
from .cost_changes import Found
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Text, but
from .subjects import understood_words


class Changes(tuple[StaticEffect, ...]):
    """The static effects of one sentence, whose condition is still to be added."""


@meaning("changed_rule")
def changed_rule(_: str, values: list[Any]) -> Found:
    effects = tuple(e for changes in pick_all(values, Changes) for e in changes)
    return Found((Static(effects, pick_condition(values)),))


def _no_loss(text: str) -> GameRule:
    who: Who = "any" if text.startswith("players") else "you"
    return GameRule("no_loss_for_drawing" if "library" in text else "no_loss_for_life", who)


@meaning("no_loss")
def no_loss(text: str, _: list[Any]) -> Changes:
    return Changes((_no_loss(text),))


@meaning("no_maximum_and_no_loss")
def no_maximum_and_no_loss(text: str, _: list[Any]) -> Changes:
    rule = _no_loss(text)
    return Changes((MaxHandSize("none", who=rule.who), rule))


@meaning("opponents_cant_lose")
def opponents_cant_lose(_: str, __: list[Any]) -> Changes:
    return Changes((Prohibit("lose_game", who="opponents"), Prohibit("win_game", who="you")))


@meaning("loses_otherwise")
def loses_otherwise(text: str, _: list[Any]) -> Changes:
    if not understood_words(text):
        raise NotUnderstood(text)
    return Changes((GameRule("loses_otherwise"),))


@meaning("no_damage_loss")
def no_damage_loss(_: str, __: list[Any]) -> Changes:
    return Changes((GameRule("damage_no_loss"),))


@meaning("dies_two")
def dies_two(_: str, values: list[Any]) -> Changes:
    """Of what is on the battlefield, the first half speaks."""
    return Changes((GameRule("goes_elsewhere", "any", but(values[0], zone="battlefield")),))


@meaning("lethal_by_power")
def lethal_by_power(_: str, values: list[Any]) -> Changes:
    (what,) = pick_all(values, Filter)
    return Changes((GameRule("lethal_by_power", "any", what),))


@meaning("cant_transform")
def cant_transform(_: str, values: list[Any]) -> Changes:
    (what,) = pick_all(values, Filter)
    return Changes((Prohibit("transform", what),))


# --- dying ------------------------------------------------------------------------------------------------------------


@meaning("dying_card")
def dying_card(text: str, _: list[Any]) -> Filter:
    if "permanent" in text:
        return Filter(colors="BR" if "black" in text else "WU")
    if "didn't control" in text:
        return Filter(token=False, none_of=(Filter(controller="you"),))
    return Filter() if "token" in text else Filter(token=False)


@meaning("dying_put")
def dying_put(text: str, _: list[Any]) -> Text:
    return Text("opponents" if "opponent's" in text else "you" if " your " in text else "any")


@meaning("dies_rest")
def dies_rest(text: str, _: list[Any]) -> None:
    if not understood_words(text):
        raise NotUnderstood(text)


@meaning("dies_rule")
def dies_rule(text: str, values: list[Any]) -> Changes:
    whole = pick(values, Changes)
    if whole is not None:
        return whole
    what = pick(values, Filter)
    owner = str(pick([v for v in values if isinstance(v, Text)], Text) or "any")
    if what is None or (what.zone not in ("battlefield", "any") and not what.me):
        raise NotUnderstood(text)
    if owner != "any":
        if what.owner != "any":
            raise NotUnderstood(text)
        what = but(what, owner=owner)
    rule = "goes_elsewhere" if _ELSEWHERE.search(text) else "dies_otherwise"
    return Changes((GameRule(rule, "any", but(what, zone="battlefield")),))


# It leaves the battlefield all the same: only where it goes is another place.
_ELSEWHERE = re.compile(
    r", (?:instead )?(?:exile|reveal ~ and shuffle|shuffle it|put it on|return it to its owner's hand"
    r"|that card is revealed)"
)


# --- counters ---------------------------------------------------------------------------------------------------------


@meaning("counters_what")
def counters_what(text: str, values: list[Any]) -> Filter:
    return pick(values, Filter) or Filter()


class Putting(dict[str, Any]):
    """Fields of a CounterReplacement."""


@meaning("counters_effect", "counters_you", "counters_passive")
def counters_event(text: str, values: list[Any]) -> Putting:
    what = pick(values, Filter)
    if what is None or what.zone != "battlefield":
        raise NotUnderstood(text)
    who = "you" if text.startswith("you ") else "opponents" if text.startswith("an opponent") else "any"
    return Putting(what=what, counter=str(pick(values, Text) or ""), costs=not text.startswith("an effect"), who=who)


@meaning("counters_more")
def counters_more(text: str, values: list[Any]) -> Putting:
    if not isinstance(values[0], int):
        raise NotUnderstood(text)
    return Putting(plus=values[0])


@meaning("counters_minus")
def counters_minus(_: str, __: list[Any]) -> Putting:
    return Putting(plus=-1)


@meaning("counters_kinds")
def counters_kinds(_: str, __: list[Any]) -> None:
    """What kinds they are was said before."""


@meaning("counters_change")
def counters_change(text: str, values: list[Any]) -> Putting:
    if text.startswith("twice"):
        return Putting(factor=2)
    return Putting(half=True) if text.startswith("half") else values[0]


@meaning("counters_rule")
def counters_rule(_: str, values: list[Any]) -> Changes:
    fields: dict[str, Any] = {}
    for putting in pick_all(values, Putting):
        fields |= putting
    return Changes((CounterReplacement(**fields),))


@meaning("no_counters")
def no_counters(_: str, __: list[Any]) -> Changes:
    return Changes((Prohibit("get_counters"),))
