"""lawmage: the exact mana and legality oracle for Magic: The Gathering.

    >>> import lawmage
    >>> lawmage.could_produce("Reflecting Pool", you="Reflecting Pool, Forest")
    <could_produce: known, types=['G']>

Everything is loaded when it is first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api import Board, Reply, ask, can_activate, can_cast, can_pay, could_produce, mana, outcomes
    from .graphs import graph
    from .model.situation import FormatError
    from .solver.answer import Answer

# Public name -> the module that has it.
_HOMES = {
    "Answer": "solver.answer",
    "FormatError": "model.situation",
    "graph": "graphs",
    **dict.fromkeys(
        ("Board", "Reply", "ask", "can_activate", "can_cast", "can_pay", "could_produce", "mana", "outcomes"), "api"
    ),
}

__all__ = [
    "Answer",
    "Board",
    "FormatError",
    "Reply",
    "ask",
    "can_activate",
    "can_cast",
    "can_pay",
    "could_produce",
    "graph",
    "mana",
    "outcomes",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
