"""Triggered abilities: on mana (106.12a, 605.1b) as structures, all others as events that go on the stack."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import AddMana, Condition, Count, Filter, Triggered
from .amounts import ForEach
from .conditions import NOT_STATED, pick_condition
from .effects import Other, Read, read_values
from .engine import NotUnderstood, meaning, parse_one, pick
from .mana_effects import Adds, Amounted, Letters, finish
from .nouns import Text, but


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
    parts = [part for value in values for part in (value, *added_too(value))]
    if any(isinstance(p, Other) and _KEPT.match(p) for p in parts):
        parts = [msgspec.structs.replace(p, keeps=True) if isinstance(p, AddMana) else p for p in parts]
    return Happens(read_values(tuple(parts)))


_KEPT = re.compile(r"^until end of (?:turn|combat), you don't lose this mana as ")


# Sentences that add mana among other things, or only under some condition.
_ADDED = (
    re.compile(r"^(if |otherwise)(?:[^,\"]+)?, ((?:you )?adds? [^\"]+)$"),
    re.compile(r"^()[^\"]*?,? (?:and|then) ((?:you )?adds? [^\"]+)$"),
    re.compile(r"^()((?:you )?adds? [^\"]+?),? and (?!spend )[a-z][^\"]+$"),
)


def added_too(sentence: Any) -> tuple[Any, ...]:
    """The mana of a sentence that no rule reads as a whole. What it hangs on is not stated."""
    if not isinstance(sentence, Other):
        return ()
    for pattern in _ADDED:
        found = pattern.match(sentence)
        made = None if found is None else parse_one("add_mana", found[2])
        if found is not None and isinstance(made, AddMana):
            return (msgspec.structs.replace(made, only_if=NOT_STATED) if found[1] else made,)
    return ()


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


_ADDING = re.compile(r"\badds?\b|\bproduces?\b[^.]*\b(?:additional|extra)\b")


@meaning("mana_trigger_line", "other_trigger_line")
def trigger_line(text: str, values: list[Any]) -> Triggered:
    event = pick(values, Event)
    happens = pick(values, Happens)
    assert event is not None and happens is not None
    if event.name in ("tapped_for_mana", "mana_added") and any(_ADDING.search(t) for t in happens.read.others):
        raise NotUnderstood("mana that is added in some way")
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


class Either(str):
    """The event that is one of two: "enters or attacks"."""


@meaning("trigger_two")
def trigger_two(text: str, _: list[Any]) -> Either:
    return Either("enters_or_" + text.rsplit(" ", 1)[-1])


@meaning("trigger_object")
def trigger_object(text: str, values: list[Any]) -> Event:
    """An event of one kind of object: it enters, dies, attacks, blocks."""
    what = pick(values, Filter)
    if text.endswith(" under your control") and what is not None:
        what = but(what, controller="you")
    either = pick(values, Either)
    if either is not None:
        return Event(str(either), what)
    name = next(n for n in ("enter", "die", "attack", "block") if re.search(rf" {n}s?(?: |$)", text))
    return Event(name + "s", what)


@meaning("trigger_cast")
def trigger_cast(text: str, values: list[Any]) -> Event:
    who = "you" if text.startswith("whenever you") else "opponents" if "opponent" in text else "any"
    return Event("cast", pick(values, Filter), who)


# Kinds of other events, by words; "cast_this" is of the spell itself.
_KINDS = (
    ("cast_this", r"^when you cast (?:or cycle )?~"),
    ("cast_other", r"(?<!who )\bcasts?\b|\bcop(?:y|ies)\b"),
    # Of two events, the one that a spell or its costs can bring about.
    ("enters_other", r"\benters? (?:the battlefield )?or (?:deals|attacks|blocks)\b"),
    ("dies_other", r"\b(?:combat damage|attacks|blocks)\b[^,]*,? or (?:dies|is put into a graveyard from)\b"),
    ("combat_damage", r"\bcombat damage\b"),
    ("attacks_other", r"\battacks?\b"),
    ("blocks_other", r"\bblock(?:s|ed)?\b"),
    ("enters_other", r"\benter(?:s|ed)?\b|\bonto the battlefield\b"),
    ("dies_other", r"\bdies?\b(?! roll)(?<!planar die)|\bfrom the battlefield\b"),
    ("leaves_battlefield", r"\bleaves?\b"),
    ("sacrifice", r"\bsacrific"),
    ("discard", r"\bdiscard|\bcycles?\b"),
    ("draws", r"\bdraws?\b"),
    ("damage", r"\bdamage\b"),
    ("life", r"\blife\b"),
    ("face_up", r"\bface up\b"),
    ("transforms", r"\btransforms?\b"),
    ("target", r"\bthe target of\b|\btargets\b"),
    ("step", r"^at "),
)


@meaning("trigger_event")
def trigger_event(text: str, values: list[Any]) -> Event:
    """Any other event, by no more than its kind: its ability goes on the stack (603.3)."""
    named = pick(values, Event)
    if named is not None:
        return named
    kind = next((name for name, words in _KINDS if re.search(words, text)), "other")
    return Event(kind, Filter(me=True) if re.match(r"^when(?:ever)? ~ ", text) else None)
