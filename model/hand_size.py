"""Maximum hand size, and what the cleanup step makes its player discard (402.2, 514.1, 613.11)."""

from __future__ import annotations

from typing import NamedTuple

from .abilities import MaxHandSize
from .characteristics import View, view_of
from .evaluate import Context, amount
from .game import Active, Game
from .parties import effects, in_force, is_player

STARTING_SIZE = 7


class HandSizeStep(NamedTuple):
    """One effect in timestamp order, and the size after it (None: no maximum)."""

    source: str
    how: str
    n: int
    size: int | None


class MaximumHandSize(NamedTuple):
    """`size` is None for no maximum."""

    size: int | None
    steps: tuple[HandSizeStep, ...]


def max_hand_size(game: Game, player: str) -> MaximumHandSize:
    """Effects change the maximum in timestamp order (613.11): one that sets it or takes it away overwrites what came
    before, one that adds or subtracts does nothing where there is no maximum. A size below zero is zero."""
    view = view_of(game)
    size: int | None = STARTING_SIZE
    steps = []
    for active, effect, context in sorted(_effects(view, player), key=lambda found: _timestamp(view, found[0])):
        n = 0 if effect.how == "none" else amount(effect.n, context)
        size = _after(size, effect.how, n)
        steps.append(HandSizeStep(active.source, effect.how, n, size))
    return MaximumHandSize(None if size is None else max(size, 0), tuple(steps))


def must_discard(game: Game, player: str) -> int:
    """How many cards the player discards in their cleanup step (514.1)."""
    size = max_hand_size(game, player).size
    held = sum(1 for _ in game.in_zone("hand", player))
    return 0 if size is None else max(held - size, 0)


def _effects(view: View, player: str) -> list[tuple[Active, MaxHandSize, Context]]:
    return [
        (active, effect, context)
        for active, effect, context in effects(view, MaxHandSize)
        if is_player(effect.who, player, context) and in_force(active, context)
    ]


def _after(size: int | None, how: str, n: int) -> int | None:
    if how == "none":
        return None
    if how == "set":
        return n
    if size is None:
        return None
    return size + n if how == "plus" else size - n


def _timestamp(view: View, active: Active) -> float:
    """613.7a: a static ability that another effect grants starts when the later of the two did."""
    times = [view.game.objects[active.source].timestamp]
    for has in view.abilities(active.source):
        given = getattr(has.ability, "effects", ())
        if active.effect in given and has.origin in view.game.objects:
            times.append(view.game.objects[has.origin].timestamp)
    return max(times)
