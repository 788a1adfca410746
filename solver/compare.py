"""Whether an answer is what a case expects: only the keys that the case names are compared, each by its meaning.

Sets are compared without order, mana by content whatever the order of its symbols, of `spent` the numbers that are
given. A key that no answer has, or a value that cannot be read, is a fault of the case (`ExpectError`), never a match.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from ..model.mana import ManaError, parse_cost, parse_mana
from .answer import Answer


class ExpectError(ValueError):
    """What a case expects cannot be compared: an unknown key, or a value of the wrong kind."""


class Mismatch(NamedTuple):
    """One key whose value is not the expected one."""

    key: str
    expected: Any
    actual: Any


def mismatches(expect: Mapping[str, Any], answer: Answer) -> list[Mismatch]:
    """The expected keys that the answer does not meet, in the order of the case. Raises ExpectError."""
    return differences(expect, answer.wire())


def differences(expect: Mapping[str, Any], actuals: Mapping[str, Any]) -> list[Mismatch]:
    """The same for an answer that is data already."""
    found = []
    for key, wanted in expect.items():
        actual = actuals.get(key)
        if not _rule(key)(wanted, actual):
            found.append(Mismatch(key, wanted, actual))
    return found


def expected_unknown(expect: Mapping[str, Any]) -> bool:
    """Whether the case says that the question cannot be answered from what the situation states."""
    return expect.get("verdict") == "unknown"


Meets = Callable[[Any, Any], bool]


def _rule(key: str) -> Meets:
    if key not in _RULES:
        raise ExpectError(f"expect: no answer has the key {key!r}{_nearest(key)}")

    def meets(wanted: Any, actual: Any) -> bool:
        try:
            return _RULES[key](wanted, actual)
        except (ManaError, TypeError, ValueError, AttributeError) as bad:
            raise ExpectError(f"expect: cannot compare {key}: {bad}") from None

    return meets


def _nearest(key: str) -> str:
    from rapidfuzz import process

    best = process.extractOne(key, list(_RULES), score_cutoff=60)
    return f"; did you mean {best[0]!r}?" if best else ""


def _equal(wanted: Any, actual: Any) -> bool:
    return type(wanted) is type(actual) and wanted == actual


def _set(read: Callable[[Any], Hashable]) -> Meets:
    def meets(wanted: Any, actual: Any) -> bool:
        if not isinstance(wanted, list):
            raise ExpectError(f"a list is needed, not {wanted!r}")
        return actual is not None and {read(w) for w in wanted} == {read(a) for a in actual}

    return meets


def _frozen(value: Any) -> Hashable:
    """Any JSON value as something that compares without the order of keys and lists."""
    if isinstance(value, Mapping):
        return frozenset((k, _frozen(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return frozenset(_frozen(v) for v in value)
    return value


def _cost(wanted: Any, actual: Any) -> bool:
    return actual is not None and parse_cost(wanted) == parse_cost(actual)


def _spent(wanted: Any, actual: Any) -> bool:
    if actual is None:
        return False
    return all(_spent_part(key, number, actual) for key, number in wanted.items())


def _spent_part(key: str, wanted: Any, actual: Mapping[str, Any]) -> bool:
    if key == "floating":
        return parse_mana(wanted) == parse_mana(actual.get(key, ""))
    if key not in _SPENT:
        raise ExpectError(f"spent has no {key!r}; it has {', '.join(_SPENT)}, floating")
    return wanted == actual.get(key, 0)


def _unbounded(wanted: Any, actual: Any) -> bool:
    """`true` is met when the key is there, `false` when it is not; a mapping names the types that grow."""
    if isinstance(wanted, bool):
        return wanted == bool(actual)
    return bool(actual) and set(wanted["types"]) == set(actual["types"])


_SPENT = ("taps", "permanents_lost", "cards_lost", "counters", "life", "damage")
_names, _mana, _any_order = _set(lambda name: name), _set(parse_mana), _set(_frozen)

_RULES: dict[str, Meets] = {
    "verdict": _equal,
    # sets of names
    "types": _names,
    "must": _names,
    "may": _names,
    "stays": _names,
    "usable": _names,
    "subtypes": _names,
    "supertypes": _names,
    "colors": _names,
    "color_identity": _names,
    # sets of amounts of mana
    "outcomes": _mana,
    "maximal": _mana,
    # sets of edits, actions and pools
    "actions": _any_order,
    "flips": _any_order,
    "restricted": _any_order,
    "because": _any_order,
    "unread": _any_order,
    "rules": _names,
    # single values
    "x": _equal,
    "size": _equal,
    "at": _equal,
    "count": _equal,
    "name": _equal,
    "mana_value": _equal,
    "power": _equal,
    "toughness": _equal,
    "loyalty": _equal,
    "abilities": _equal,
    "plan": _equal,
    "after": _equal,
    "witnesses": _equal,
    "how": _equal,
    "total_cost": _cost,
    "spent": _spent,
    "unbounded": _unbounded,
}
