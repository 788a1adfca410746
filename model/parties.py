"""The contexts in which the words of effects and abilities are read (109.5), and whom an unstated target must be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .abilities import Filter, Who
from .characteristics import View
from .evaluate import Context, holds, players_of
from .game import Active, Obj, Unknown

Effect = TypeVar("Effect")


def effects(view: View, kind: type[Effect]) -> Iterator[tuple[Active, Effect, Context]]:
    """The static effects of one kind that apply now, each with the context of its words."""
    for active in view.statics(kind):
        effect = active.effect
        if isinstance(effect, kind):
            yield active, effect, context_of(view, active)


def context_of(view: View, active: Active) -> Context:
    """The context of a static effect. What a resolved effect says of "that creature" is its target. A target that was
    not written down and can only have been one player (its controller has just one opponent) was that player."""
    source = view.game.objects.get(active.source)
    context = Context(view, source=active.source, you=active.you)
    if source is None or source.zone != "effect":
        return context
    if source.targets:
        objects = [t for t in source.targets if t not in view.game.players]
        return context.but(that=objects[0]) if len(objects) == 1 else context
    others = view.game.opponents(active.you)
    return context.but(targets=others) if len(others) == 1 else context


def context_about(view: View, o: Obj) -> Context:
    """The context of an object's own abilities."""
    return Context(view, source=o.id, you=view.of(o.id).controller)


def is_player(who: Who, player: str, context: Context) -> bool:
    """Whether `player` is (one of) those whom `who` means there."""
    if who == "target":
        demand_target(context)
    return player in players_of(who, context)


def demand_target(context: Context) -> None:
    """Raises Unknown where a player is spoken of as a target that nobody stated."""
    if not any(t in context.view.game.players for t in _targets(context)):
        raise _not_stated("the player", context)


def demand_known(what: Filter, context: Context, *, back_then: bool = True) -> None:
    """Raises Unknown where a description speaks of something that nobody stated: a target, the object of a trigger
    that has resolved, the permanent whose ability it was, or (`back_then`) what was fighting as it resolved."""
    if "target" in (what.controller, what.owner):
        demand_target(context)
    if what.ref == "target" and not any(t not in context.view.game.players for t in _targets(context)):
        raise _not_stated("the target", context)
    source = context.source_object()
    if source is not None and source.zone == "effect":
        if (what.me and len(context.stands_for() or ()) != 1) or (what.ref == "that" and context.that is None):
            raise _not_stated("the permanent", context)
        if back_then and (what.attacking is not None or what.blocking is not None):
            raise _not_stated("the fight", context)
    for part in (*what.any_of, *what.none_of):
        demand_known(part, context, back_then=back_then)


def _targets(context: Context) -> tuple[str, ...]:
    source = context.source_object()
    return context.targets or (source.targets if source is not None else ())


def _not_stated(what: str, context: Context) -> Unknown:
    source = context.source or ""
    return Unknown(f"{what} that the effect of {source} is about is not stated", objects=(source,))


def in_force(active: Active, context: Context, about: str | None = None) -> bool:
    """Whether a condition that was left open holds; asked last, since it may raise Unknown. "It" in the condition is
    the object that the effect is about, or else the source of the effect."""
    if active.condition is None:
        return True
    return holds(active.condition, context.but(that=about or context.that or active.source))
