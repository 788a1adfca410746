"""Walking over structures of card text: every part of one, and the structure with some parts made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def parts_of(node: Any) -> Iterator[Any]:
    """Every structure inside a structure or a tuple of such, itself first, in the order of the text."""
    if isinstance(node, tuple):
        for item in node:
            yield from parts_of(item)
    elif isinstance(node, msgspec.Struct):
        yield node
        for field in node.__struct_fields__:
            value = getattr(node, field)
            if isinstance(value, tuple | msgspec.Struct):
                yield from parts_of(value)


# What structures contain, by their identity: they are immutable, and those of cards live as long as the process.
_contained: dict[tuple[int, object], tuple[object, bool]] = {}
MOST_CONTAINED = 50_000


def mentions(node: Any, kind: type, **fields: object) -> bool:
    """Whether a structure of this kind occurs in the structure (with these values in its fields)."""
    if fields:
        parts = (part for part in parts_of(node) if isinstance(part, kind))
        return any(all(getattr(part, f) == value for f, value in fields.items()) for part in parts)
    return _contains(node, kind, lambda part: isinstance(part, kind))


def refers_to(node: Any, ref: str) -> bool:
    """Whether a reference such as "that" occurs in the structure."""
    return _contains(node, ref, lambda part: any(getattr(part, f) == ref for f in part.__struct_fields__))


def _contains(node: Any, what: object, test: Callable[[Any], bool]) -> bool:
    key = (id(node), what)
    found = _contained.get(key)
    if found is None or found[0] is not node:
        if len(_contained) >= MOST_CONTAINED:
            _contained.clear()
        # The node is kept, so that its identity stays its own.
        found = _contained[key] = (node, any(test(part) for part in parts_of(node)))
    return found[1]


def rebuilt(node: T, change: Callable[[Any], Any]) -> T:
    """The structure with `change` made to every structure in it, the innermost first; what does not change is the same
    object as before."""
    if isinstance(node, tuple):
        parts = tuple(rebuilt(part, change) for part in node)
        return parts if any(a is not b for a, b in zip(parts, node, strict=True)) else node  # type: ignore[return-value]
    if not isinstance(node, msgspec.Struct):
        return node
    fields: dict[str, Any] = {}
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if isinstance(value, tuple | msgspec.Struct) and (new := rebuilt(value, change)) is not value:
            fields[field] = new
    return change(msgspec.structs.replace(node, **fields) if fields else node)
