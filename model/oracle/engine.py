"""The grammar of Oracle text: all `*.peg` files of this folder as one PEG, and what its rules mean.

Each room pairs a grammar file with a module of *meanings*. A meaning belongs to one rule of the grammar and takes the
matched text and the values of everything below it; a rule without a meaning passes the values of its parts on. So the
grammar can be cut freely into small rules, and optional parts simply leave no value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any, TypeAlias, TypeVar

from parsimonious.exceptions import ParseError
from parsimonious.grammar import Grammar
from parsimonious.nodes import Node

Meaning: TypeAlias = Callable[[str, list[Any]], Any]
T = TypeVar("T")

# Modules that give meanings; every *.peg file beside them is read.
ROOMS = (
    "nouns",
    "amounts",
    "conditions",
    "costs",
    "mana_effects",
    "effects",
    "lasting",
    "triggers",
    "replacements",
    "statics",
    "keywords",
    "cost_changes",
    "prohibitions",
    "permissions",
    "untap",
    "game_rules",
    "combat",
    "wards",
    "fights",
    "damages",
)

# A meaning that stumbles over odd words has not understood them: no text may stop the compiler.
_FAILURES = (
    ParseError,
    RecursionError,
    AssertionError,
    ArithmeticError,
    LookupError,
    StopIteration,
    TypeError,
    ValueError,
)
_MEANINGS: dict[str, Meaning] = {}
_SCANNERS: dict[str, Callable[[str, int], int | None]] = {}


def meaning(*rules: str) -> Callable[[Meaning], Meaning]:
    """Registers a function as the meaning of these grammar rules."""

    def register(function: Meaning) -> Meaning:
        for rule in rules:
            _MEANINGS[rule] = function
        return function

    return register


def scanner(rule: str) -> Callable[[Callable[[str, int], int | None]], Callable[[str, int], int | None]]:
    """Registers a grammar rule that is a table look-up: a function from text and position to the end, or None."""

    def register(function: Callable[[str, int], int | None]) -> Callable[[str, int], int | None]:
        _SCANNERS[rule] = function
        return function

    return register


def pick(values: Sequence[Any], *kinds: type[T]) -> T | None:
    """The first value that is of one of these types."""
    return next((v for v in values if isinstance(v, kinds)), None)


def pick_all(values: Sequence[Any], *kinds: type[T]) -> tuple[T, ...]:
    """All values of these types, in order."""
    return tuple(v for v in values if isinstance(v, kinds))


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    """The whole grammar, compiled on first use."""
    folder = files(__package__ or "")
    here = {entry.name for entry in folder.iterdir()}
    for room in ROOMS:
        if f"{room}.py" in here:
            import_module(f".{room}", __package__)
    text = "\n".join((folder / name).read_text("utf-8") for name in sorted(here) if name.endswith(".peg"))
    made = Grammar(text, **_SCANNERS)
    for rule in _MEANINGS:
        # A rule that is only another rule's name takes that name, and its meaning would never be asked.
        if made[rule].name != rule:
            raise ValueError(f"rule {rule} is an alias of {made[rule].name}: give it a part of its own")
    return made


@lru_cache(maxsize=200_000)
def parse(rule: str, text: str) -> tuple[Any, ...] | None:
    """The values of `text` read as `rule`, all of it; None when it is not of that form."""
    expression = grammar()[rule]
    try:
        tree = expression.parse(text)
        return tuple(_values(tree))
    except _FAILURES:
        return None


def parse_one(rule: str, text: str) -> Any:
    """The one value of `text` read as `rule`, or None."""
    values = parse(rule, text)
    return values[0] if values and len(values) == 1 else None


def match_prefix(rule: str, text: str, at: int = 0) -> tuple[tuple[Any, ...], int] | None:
    """The values of the longest reading of `rule` that starts at `at`, and where it ends."""
    expression = grammar()[rule]
    try:
        tree = expression.match(text, at)
        return tuple(_values(tree)), tree.end
    except _FAILURES:
        return None


class NotUnderstood(ValueError):
    """Raised by a meaning when words that fit the grammar make no sense together; the text is not read then."""


def _values(node: Node) -> list[Any]:
    below: list[Any] = []
    for child in node.children:
        below.extend(_values(child))
    name = node.expr_name
    function = _MEANINGS.get(name) if name else None
    if function is None:
        return below
    value = function(node.full_text[node.start : node.end], below)
    return [] if value is None else [value]
