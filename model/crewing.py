"""What a tapped creature contributes to crewing a Vehicle or saddling a Mount (702.122, 702.171)."""

from __future__ import annotations

from .abilities import CrewPower
from .characteristics import View
from .evaluate import matches
from .parties import effects, in_force


def contribution(view: View, creature: str, deed: str) -> int:
    """Its power, or what an effect says counts in place of that (702.122d); never less than nothing."""
    stat, more = "power", 0
    if deed:
        for active, effect, context in effects(view, CrewPower):
            if deed in effect.deeds and matches(effect.what, creature, context) and in_force(active, context, creature):
                more += effect.plus
                stat = "toughness" if effect.toughness else stat
    return max(0, (view.stat(creature, stat) or 0) + more)
