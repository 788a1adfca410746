"""How much damage is dealt, as what prevents, redirects or multiplies it has it (120.4, 614, 615)."""

from __future__ import annotations

from .abilities import Damage, GameRule, LoseLife
from .characteristics import View
from .evaluate import Context, amount
from .parties import effects, in_force, is_player

_TIMES = {"damage_prevented": 0, "damage_doubled": 2, "damage_tripled": 3}


def life_taken(effect: Damage | LoseLife, view: View, player: str, ctx: Context) -> int:
    """What the effect takes from the player's life total. Raises Unknown."""
    n = amount(effect.n, ctx)
    if not n or isinstance(effect, LoseLife):
        return n
    for active, rule, context in effects(view, GameRule):
        times = _TIMES.get(rule.what)
        if times is None or not is_player(rule.who, player, context):
            continue
        if (rule.like is None or context.you == ctx.you) and in_force(active, context):
            n *= times
    return n
