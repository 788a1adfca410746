"""Card text that was not understood: which lines in a situation could bear on a question, and which way.

Each subject of an unread line says "+" (it may only add possibilities), "-" (it may only take some away) or neither
(it may do both). An answer stands when such lines could only push it further the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .game import Game, Obj

# What each kind of question rests on.
MAKING = ("mana", "types")
PAYING = ("mana", "types", "cost", "permission", "sacrifice")
ACTING = ("mana", "types", "cost", "permission", "sacrifice")


class UnreadText(NamedTuple):
    """A line that was not understood: the card, the line's number, the subjects that it could touch."""

    card: str
    line: int
    subjects: tuple[str, ...]
    object: str


def unread_in(game: Game, subjects: Iterable[str], also: Iterable[str] = ()) -> tuple[UnreadText, ...]:
    """The unread lines of everything that acts (permanents, effects, emblems) and of the objects in `also`, as far
    as they touch one of the subjects."""
    wanted = frozenset(subjects)
    extra = frozenset(also)
    found = []
    for obj in game.objects.values():
        if obj.phased_out or not (obj.zone in ("battlefield", "effect", "command") or obj.id in extra):
            continue
        for n, line_subjects in _unread_lines(obj):
            touched = tuple(s for s in line_subjects if s.lstrip("+-") in wanted)
            if touched:
                found.append(UnreadText(obj.printed.name, n, touched, obj.id))
    return tuple(dict.fromkeys(found))


def _unread_lines(obj: Obj) -> Iterator[tuple[int, tuple[str, ...]]]:
    for line in obj.printed.lines:
        if line.status == "unread":
            yield line.n, line.subjects


def could_add(lines: Iterable[UnreadText]) -> tuple[UnreadText, ...]:
    """Those that could turn a no into a yes."""
    return tuple(u for u in lines if any(not s.startswith("-") for s in u.subjects))


def could_take(lines: Iterable[UnreadText]) -> tuple[UnreadText, ...]:
    """Those that could turn a yes into a no."""
    return tuple(u for u in lines if any(not s.startswith("+") for s in u.subjects))
