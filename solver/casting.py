"""Answers to `can_cast` and `can_activate`, and what a cost is for.

model/casting.py proposes: every complete set of announcements with its total cost. Here each is paid, and the best
payment of any proposal is the answer.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from ..model.characteristics import View
from ..model.spending import Purpose


def purpose_of(view: View, player: str, asked: Any, bare: Purpose) -> Purpose:
    """What a cost is paid for, as `for` states it: casting that card, or activating that ability."""
    if asked.cast is not UNSET:
        return bare._replace(kind="spell", spell=view.spell(asked.cast, controller=player))
    if asked.activate is not UNSET:
        has = next((h for h in view.abilities(asked.activate) if h.number == asked.ability), None)
        keyword = getattr(has.ability, "keyword", "") if has is not None else ""
        return bare._replace(kind="ability", source=asked.activate, keyword=keyword)
    return bare
