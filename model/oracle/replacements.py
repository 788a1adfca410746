"""Replacement effects on mana production: what mana is touched, and what it becomes (106.12b, 614.1a)."""

from __future__ import annotations

from typing import Any

import msgspec

from ..abilities import (
    AnyMana,
    ChosenColor,
    Filter,
    Fixed,
    ManaSpec,
    ProductionReplacement,
    Static,
    Target,
)
from .engine import NotUnderstood, meaning, pick, pick_all
from .mana_effects import Letters
from .nouns import Patch


class Event(msgspec.Struct, frozen=True):
    """Tapping something for mana: what, by whom, for how much at least."""

    what: Filter
    tapper: str = "any"
    least: int = 1
    target: Target | None = None


class Outcome(dict[str, Any]):
    """Fields of the replacement that say what the mana becomes."""


class Kind(msgspec.Struct, frozen=True):
    what: ManaSpec
    one: bool = False


class Least(int):
    """The least amount that the event must produce."""


@meaning("event_least")
def event_least(_: str, values: list[Any]) -> Least:
    return Least(values[0])


@meaning("production_target")
def production_target(_: str, values: list[Any]) -> Target:
    return values[0]


@meaning("event_you_tap", "event_player_taps", "event_is_tapped")
def tapped_event(text: str, values: list[Any]) -> Event:
    least = pick(values, Least)
    target = pick(values, Target)
    what = Filter(ref="target") if target is not None else pick(values, Filter)
    if what is None:
        raise NotUnderstood(text)
    tapper = "you" if text.startswith("you") else "opponents" if text.startswith("an opponent") else "any"
    return Event(what, tapper, int(least) if least else 1, target)


@meaning("times_as_much")
def times_as_much(text: str, values: list[Any]) -> Outcome:
    return Outcome(factor=2 if text.startswith("twice") else 3 if text.startswith("three") else values[0])


@meaning("production_kind")
def production_kind(text: str, values: list[Any]) -> Kind:
    letters = pick(values, Letters)
    if letters is not None:
        if len(letters) != 3:
            raise NotUnderstood(text)
        return Kind(Fixed(str(letters)), one=True)
    if text == "colorless mana":
        return Kind(Fixed("{C}"))
    if "of your choice" in text:
        return Kind(AnyMana(), one=text.startswith("one"))
    if "chosen" in text:
        return Kind(ChosenColor())
    color = pick(values, Patch)
    assert color is not None
    return Kind(Fixed("{" + color["colors"] + "}"))


@meaning("production_old")
def production_old(text: str, values: list[Any]) -> Outcome:
    color = pick(values, Patch)
    if color is not None:
        return Outcome(only_types=color["colors"])
    if text in ("any other color", "colored mana"):
        return Outcome(only_types="WUBRG")
    return Outcome(amount=1) if text.endswith("amount") else Outcome()


@meaning("produces_instead")
def produces_instead(_: str, values: list[Any]) -> Outcome:
    kind = pick(values, Kind)
    assert kind is not None
    return Outcome(makes=kind.what, **(pick(values, Outcome) or {}))


@meaning("produces_letters", "produces_that")
def produces_letters(text: str, values: list[Any]) -> Outcome:
    raise NotUnderstood(text)


class Replaces(msgspec.Struct, frozen=True):
    """A production replacement, with the target that it names if it is an effect of something that resolved."""

    effects: tuple[ProductionReplacement, ...]
    target: Target | None = None


@meaning("production_if")
def production_if(_: str, values: list[Any]) -> Replaces:
    event = pick(values, Event)
    outcome = pick(values, Outcome)
    assert event is not None and outcome is not None
    effect = ProductionReplacement(event.what, event.tapper, least=event.least, **outcome)  # type: ignore[arg-type]
    return Replaces((effect,), event.target)


@meaning("map_item")
def map_item(_: str, values: list[Any]) -> ProductionReplacement:
    what = pick(values, Filter)
    assert what is not None
    return ProductionReplacement(what, makes=Fixed(str(pick(values, Letters))))


@meaning("production_map")
def production_map(_: str, values: list[Any]) -> Replaces:
    return Replaces(pick_all(values, ProductionReplacement))


@meaning("production_spells")
def production_spells(_: str, values: list[Any]) -> Replaces:
    color = pick(values, Patch)
    assert color is not None
    makes = Fixed("{" + color["colors"] + "}")
    mine = Filter(zone="any", controller="you")
    effect = ProductionReplacement(mine, "you", event="would_add_mana", only_types="WUBRG", makes=makes)
    return Replaces((effect,))


@meaning("production_any")
def production_any(_: str, __: list[Any]) -> Replaces:
    return Replaces((ProductionReplacement(Filter(zone="any"), event="would_add_mana", everyone=True),))


@meaning("production_lands")
def production_lands(text: str, values: list[Any]) -> Replaces:
    what = pick(values, Filter)
    kind = pick(values, Kind)
    assert what is not None and kind is not None
    only = "WUBRG" if text.rstrip(".").endswith("color") else ""
    return Replaces((ProductionReplacement(what, only_types=only, makes=kind.what),))


@meaning("production_sentence")
def production_sentence(_: str, values: list[Any]) -> Any:
    replaces = values[0]
    if replaces.target is not None:
        return replaces
    return Static(replaces.effects)
