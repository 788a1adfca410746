"""What changes how much damage is dealt to a player (614, 615)."""

from __future__ import annotations

from typing import Any

from ..abilities import Filter, GameRule
from .engine import NotUnderstood, meaning
from .nouns import Text
from .statics import Effects
from .subjects import understood_words


@meaning("damage_prevented", "damage_elsewhere")
def damage_prevented(text: str, _: list[Any]) -> Effects:
    if not understood_words(text):
        raise NotUnderstood(text)
    return Effects((GameRule("damage_prevented", "any" if "a player" in text else "you"),))


@meaning("damage_source")
def damage_source(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("damage_multiplied")
def damage_multiplied(text: str, values: list[Any]) -> Effects:
    mine = Filter(controller="you") if str(values[0]).endswith("you control") else None
    name = "damage_doubled" if " double " in text else "damage_tripled"
    return Effects((GameRule(name, "you" if " damage to you," in text else "any", mine),))


@meaning("damage_otherwise")
def damage_otherwise(_: str, __: list[Any]) -> Effects:
    return Effects((GameRule("damage_otherwise"),))
