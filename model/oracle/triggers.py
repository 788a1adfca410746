"""Triggered abilities: on mana (106.12a, 605.1b) as structures, all others as events that go on the stack."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import AddMana, Condition, Count, Filter, Triggered
from .amounts import ForEach
from .conditions import pick_condition
from .effects import Read, read_values
from .engine import NotUnderstood, meaning, pick
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
    whose = {"the active player": "active", "that player": "that", "its controller": "controller", "they": "that"}
    return Text(next((w for start, w in whose.items() if text.startswith(start)), "you"))


@meaning("trigger_adds")
def trigger_adds(_: str, values: list[Any]) -> AddMana | Adds:
    said = pick(values, Amounted)
    assert said is not None
    each = pick(values, ForEach)
    if each is not None:
        said = Amounted(said.what, each[0])
    return finish(said, values, to=str(pick(values, Text)))


@meaning("same_name_each")
def same_name_each(_: str, __: list[Any]) -> ForEach:
    that = Filter(zone="any", ref="that")
    like = Filter(types=("Land",), controller="you", shares=("name",), shares_with="that", none_of=(that,))
    return ForEach((Count(like),))


@meaning("mana_trigger_line", "other_trigger_line")
def trigger_line(text: str, values: list[Any]) -> Triggered:
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
        happens.read.effects if happens.read.targets else of_that(happens.read.effects),
        happens.read.targets,
        optional=pick(values, May) is not None or " may add " in text,
    )


def of_that(node: Any) -> Any:
    """ "That land" in a trigger is the object of its event, not a target."""
    if isinstance(node, tuple):
        return tuple(of_that(n) for n in node)
    if not isinstance(node, msgspec.Struct):
        return node
    if isinstance(node, Filter) and node.ref == "target":
        return msgspec.structs.replace(node, ref="that")
    return msgspec.structs.replace(node, **{f: of_that(getattr(node, f)) for f in node.__struct_fields__})


# Steps that triggers wait for, by the words after "at the beginning of".
_STEPS = {
    "your upkeep": ("upkeep", "you"),
    "each upkeep": ("upkeep", "any"),
    "each player's upkeep": ("upkeep", "any"),
    "each opponent's upkeep": ("upkeep", "opponents"),
    "your draw step": ("draw", "you"),
    "each player's draw step": ("draw", "any"),
    "your first main phase": ("main1", "you"),
    "your precombat main phase": ("main1", "you"),
    "each player's first main phase": ("main1", "any"),
    "each of your main phases": ("main", "you"),
    "each postcombat main phase": ("main2", "any"),
    "each of your postcombat main phases": ("main2", "you"),
    "combat on your turn": ("combat_begin", "you"),
    "each combat": ("combat_begin", "any"),
    "your end step": ("end", "you"),
    "each end step": ("end", "any"),
}


@meaning("trigger_step")
def trigger_step(text: str, _: list[Any]) -> Event:
    step, who = _STEPS.get(text.removeprefix("at the beginning of "), ("other", "any"))
    return Event(step, None, who)


@meaning("trigger_object")
def trigger_object(text: str, values: list[Any]) -> Event:
    """An event of one kind of object: it enters, dies, attacks, blocks."""
    name = next(n for n in ("enter", "die", "attack", "block") if re.search(rf" {n}s?(?: |$)", text))
    return Event(name + "s", pick(values, Filter))


@meaning("trigger_cast")
def trigger_cast(text: str, values: list[Any]) -> Event:
    who = "you" if text.startswith("whenever you") else "opponents" if "opponent" in text else "any"
    return Event("cast", pick(values, Filter), who)


@meaning("trigger_event")
def trigger_event(text: str, values: list[Any]) -> Event:
    """Any other event, by no more than "other": its ability goes on the stack (603.3)."""
    return pick(values, Event) or Event("other", Filter(me=True) if re.match(r"^when(?:ever)? ~ ", text) else None)
