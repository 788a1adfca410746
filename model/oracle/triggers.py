"""Triggered abilities: on mana (106.12a, 605.1b) as structures, all others as events that go on the stack."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import AddMana, Condition, Filter, Triggered
from .conditions import pick_condition
from .effects import Read, read_values
from .engine import NotUnderstood, meaning, pick, pick_all
from .mana_effects import Adds, Amounted, Letters, finish
from .nouns import Text


class Event(msgspec.Struct, frozen=True):
    """What a trigger waits for."""

    name: str
    what: Filter | None = None
    who: str = "any"
    of_type: str = ""
    condition: Condition | None = None


class May(str):
    """ "You may" in front of what happens."""


class Happens(msgspec.Struct, frozen=True):
    read: Read


@meaning("tapper")
def tapper(text: str, _: list[Any]) -> Text:
    if text == "enchanted player":
        raise NotUnderstood(text)
    return Text({"you": "you", "a player": "any", "an opponent": "opponents"}[text])


class TappedFor(str):
    """The types of mana that the trigger looks for; "" for any, "chosen" for the chosen color."""


@meaning("tapped_for")
def tapped_for(text: str, values: list[Any]) -> TappedFor:
    letters = pick(values, Letters)
    if letters is not None:
        return TappedFor(str(letters).strip("{}"))
    return TappedFor("chosen" if text.endswith("chosen color") else "")


@meaning("trigger_taps")
def trigger_taps(_: str, values: list[Any]) -> Event:
    what = pick(values, Filter)
    return Event("tapped_for_mana", what, str(pick(values, Text)), str(pick(values, TappedFor)), pick_condition(values))


@meaning("same_name_land")
def same_name_land(_: str, __: list[Any]) -> Filter:
    return Filter(types=("Land",), shares=("name",), shares_with="linked")


@meaning("trigger_is_tapped")
def trigger_is_tapped(_: str, values: list[Any]) -> Event:
    return Event("tapped_for_mana", pick(values, Filter), "any", str(pick(values, TappedFor) or ""))


@meaning("trigger_causes")
def trigger_causes(_: str, __: list[Any]) -> Event:
    return Event("mana_added", Filter(types=("Land",)), "you", "chosen")


@meaning("trigger_spends")
def trigger_spends(_: str, values: list[Any]) -> Event:
    return Event("mana_spent", values[0], "you")


@meaning("trigger_may")
def trigger_may(text: str, _: list[Any]) -> May:
    return May(text)


@meaning("trigger_effects")
def trigger_effects(_: str, values: list[Any]) -> Happens:
    return Happens(read_values(tuple(values)))


@meaning("trigger_adder")
def trigger_adder(text: str, _: list[Any]) -> Text:
    whose = {"that player": "that", "its controller": "controller", "they": "that"}
    return Text(next((w for start, w in whose.items() if text.startswith(start)), "you"))


@meaning("trigger_adds")
def trigger_adds(_: str, values: list[Any]) -> AddMana | Adds:
    said = pick(values, Amounted)
    assert said is not None
    return finish(said, values, to=str(pick(values, Text)))


@meaning("mana_trigger_line", "other_trigger_line")
def trigger_line(_: str, values: list[Any]) -> Triggered:
    event = pick(values, Event)
    happens = pick(values, Happens)
    assert event is not None and happens is not None
    conditions = tuple(c for c in (event.condition, pick_condition(values)) if c is not None)
    if len(conditions) > 1:
        raise NotUnderstood("two conditions")
    return Triggered(
        event.name,
        event.what,
        event.who,  # type: ignore[arg-type]
        event.of_type,
        conditions[0] if conditions else None,
        happens.read.effects,
        happens.read.targets,
        optional=pick(values, May) is not None,
    )


_EVENTS = (
    (re.compile(r"^when(?:ever)? (?:~|it) (?:enters|dies|attacks)$"), ""),
    (re.compile(r"^at the beginning of "), "step"),
)
_NAMES = ("enters", "dies", "attacks", "blocks", "casts", "cast", "upkeep", "end step", "draw", "discard", "sacrifice")


@meaning("trigger_event")
def trigger_event(text: str, _: list[Any]) -> Event:
    """Any other event, by the word for it: its ability goes on the stack and cannot act while a cost is paid."""
    name = next((n for n in _NAMES if re.search(rf"\b{n}\b", text)), "other")
    what = Filter(me=True) if re.match(r"^when(?:ever)? ~ ", text) else None
    return Event(name.replace(" ", "_"), what)


_ = (pick_all,)
