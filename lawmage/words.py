"""Actions, edits, numbers and values in words. No rules here; the steps of plans are told in solver/telling.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .solver.telling import listed

Written = Mapping[str, Any]  # a step, an action or an edit as format.md writes it


# --- numbers and values -----------------------------------------------------------------------------------------------


def numbered(n: int, noun: str) -> str:
    """`2 taps`, `1 permanent lost`, `3 life`"""
    if n == 1 or noun in ("life", "damage"):
        return f"{n} {noun}"
    word, space, rest = noun.partition(" ") if noun.endswith(" lost") else (noun, "", "")
    return f"{n} {word}s{space}{rest}"


def value(it: Any) -> str:
    """Any value of an answer in one line."""
    if isinstance(it, str):
        return it
    if isinstance(it, list | tuple):
        return ", ".join(map(value, it)) or "nothing"
    if isinstance(it, Mapping):
        return "; ".join(f"{key} {value(part)}" for key, part in it.items())
    return "none" if it is None else str(it)


# --- actions and edits ----------------------------------------------------------------------------------------------


def describe_action(action: Written) -> str:
    """An action, an edit or a state-based action: its verb with its object, then what goes with it."""
    for verb, phrase in _VERBS.items():
        if verb in action:
            rest = {key: part for key, part in action.items() if key not in (verb, "who", *_SAID_WITH.get(verb, ()))}
            return ", ".join([phrase(action), *_circumstances(rest)])
    return ", ".join(f"{key.replace('_', ' ')} {value(part)}" for key, part in action.items())


def _circumstances(rest: Written) -> Iterator[str]:
    cause, source = rest.get("cause"), rest.get("source")
    if cause or source:
        what = {"cost": "a cost", "effect": "an effect", "cleanup": "the cleanup step"}.get(str(cause), "something")
        yield f"for {what}" + (f" of {source}" if source else "")
    for key, part in rest.items():
        if key not in ("cause", "source") and part not in (False, None):
            yield f"{key.replace('_', ' ')} {value(part)}"


def _attack(action: Written) -> str:
    return f"attack with {listed(f'{a} ({d})' for a, d in action['attack'].items()) or 'nothing'}"


def _block(action: Written) -> str:
    return f"block {listed(f'{value(a)} with {b}' for b, a in action['block'].items()) or 'nothing'}"


def _put(action: Written) -> str:
    how = " transformed" if action.get("transformed") else ""
    return f"put {value(action['put_onto_battlefield'])} onto the battlefield{how}"


def _add(edit: Written) -> str:
    return f"add {value(edit['add'])}" + (f" to {edit['to']}" if edit.get("to") else "")


def _set(edit: Written) -> str:
    return f"set {value(edit['set'])}" + (f" of {edit['id']}" if edit.get("id") else "")


def _plain(verb: str, before: str, after: str = "") -> Callable[[Written], str]:
    return lambda action: f"{before} {value(action[verb])}{after}"


# Keys that the phrase of a verb says already.
_SAID_WITH = {
    "activate": ("ability",),
    "put_onto_battlefield": ("transformed",),
    "add": ("to",),
    "set": ("id",),
}

_VERBS: dict[str, Callable[[Written], str]] = {
    "cast": _plain("cast", "cast"),
    "activate": lambda action: f"activate ability {action.get('ability', 1)} of {action['activate']}",
    "play_land": _plain("play_land", "play"),
    "tap": _plain("tap", "tap"),
    "untap": _plain("untap", "untap"),
    "sacrifice": _plain("sacrifice", "sacrifice"),
    "discard": _plain("discard", "discard"),
    "pay_life": _plain("pay_life", "pay", " life"),
    "transform": _plain("transform", "transform"),
    "put_onto_battlefield": _put,
    "untap_step": _plain("untap_step", "untap in the untap step:"),
    "attack": _attack,
    "block": _block,
    "remove": _plain("remove", "remove"),
    "add": _add,
    "set": _set,
    "destroy": _plain("destroy", "destroy"),
    "to_graveyard": _plain("to_graveyard", "put", " into the graveyard"),
    "keep_one": _plain("keep_one", "keep one of"),
    "loses": _plain("loses", "the game is lost by"),
}
