"""Which objects nothing in the game can tell apart: what holds for one of them holds for the others.

Two objects are alike when they are equal in everything but id and timestamp, are the same after all layers, and no
other object names either of them. Exchanging them maps the game onto itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from .abilities import Filter
from .game import Game, Obj

if TYPE_CHECKING:
    from .characteristics import View

_fields = attrgetter(*(f for f in Obj.__struct_fields__ if f not in ("id", "timestamp", "tapped")))


def likeness(view: View, obj: Obj) -> tuple[object, ...]:
    """Equal for objects that are alike but for being tapped, as long as nobody names them."""
    seen = view.seen(obj.id)
    unsure = obj.id if seen.unsure else None
    return (_fields(obj), seen.abilities, seen.types, seen.subtypes, seen.colors, seen.controller, seen.power, unsure)


def named_ids(game: Game) -> set[str]:
    """Objects that others name: hosts, targets, attackers that are blocked, objects of effects."""
    named: set[str] = set()
    for obj in game.objects.values():
        if obj.attached_to:
            named.add(obj.attached_to)
        if obj.attacking:
            named.add(obj.attacking)
        if obj.source:
            named.add(obj.source)
        if obj.targets or obj.blocking:
            named.update(obj.targets, obj.blocking)
        if obj.zone == "effect":
            named.update(_ids_in(obj.card))
    return named


def _ids_in(node: object) -> Iterator[str]:
    if isinstance(node, Filter):
        yield from node.ids
    if isinstance(node, tuple):
        for item in node:
            yield from _ids_in(item)
    elif isinstance(node, msgspec.Struct):
        for field in node.__struct_fields__:
            yield from _ids_in(getattr(node, field))
