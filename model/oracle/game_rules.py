"""Rules of the game that a card changes, for questions about state-based actions and transforming."""

from __future__ import annotations

from typing import Any

from ..abilities import Filter, GameRule, MaxHandSize, Prohibit, Static, StaticEffect, Who
from .conditions import pick_condition
from .cost_changes import Found
from .engine import meaning, pick_all


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


@meaning("lethal_by_power")
def lethal_by_power(_: str, values: list[Any]) -> Changes:
    (what,) = pick_all(values, Filter)
    return Changes((GameRule("lethal_by_power", "any", what),))


@meaning("cant_transform")
def cant_transform(_: str, values: list[Any]) -> Changes:
    (what,) = pick_all(values, Filter)
    return Changes((Prohibit("transform", what),))
