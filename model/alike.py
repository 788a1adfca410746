"""Which objects nothing in the game can tell apart: what holds for one of them holds for the others.

Two objects are alike when they are equal in everything but id and timestamp, are the same after all layers, and no
other object names either of them. Exchanging them maps the game onto itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from .abilities import Filter
from .game import Game, Obj
from .structures import parts_of

if TYPE_CHECKING:
    from .characteristics import View

_fields = attrgetter(*(f for f in Obj.__struct_fields__ if f not in ("id", "timestamp", "tapped")))


def likeness(view: View, obj: Obj) -> tuple[object, ...]:
    """Equal for objects that are alike but for being tapped, as long as nobody names them."""
    seen = view.seen(obj.id)
    unsure = obj.id if seen.unsure else None
    return (_fields(obj), seen.abilities, seen.types, seen.subtypes, seen.colors, seen.controller, seen.power, unsure)


Lots = Sequence[tuple[str, ...]]


def lots_of(game: Game) -> Lots:
    """All objects, those together that are known to differ in id and timestamp alone (Game.lots)."""
    if not game.lots:
        return [(oid,) for oid in game.objects]
    if not game.apart:
        return game.lots
    apart = set(game.apart)
    rest = (lot if apart.isdisjoint(lot) else tuple(i for i in lot if i not in apart) for lot in game.lots)
    return [*(lot for lot in rest if lot), *((oid,) for oid in dict.fromkeys(game.apart) if oid in game.objects)]


def named_ids(game: Game, lots: Lots | None = None) -> set[str]:
    """Objects that others name: hosts, targets, attackers that are blocked, objects of effects."""
    named: set[str] = set()
    objects = game.objects
    for obj in objects.values() if lots is None else (objects[lot[0]] for lot in lots):
        if obj.attached_to:
            named.add(obj.attached_to)
        if obj.attacking:
            named.add(obj.attacking)
        if obj.source:
            named.add(obj.source)
        if obj.targets or obj.blocking:
            named.update(obj.targets, obj.blocking)
        if obj.zone == "effect":
            named.update(oid for part in parts_of(obj.card) if isinstance(part, Filter) for oid in part.ids)
    return named
