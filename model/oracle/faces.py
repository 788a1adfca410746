"""The lines of a whole face, with what only their neighbours tell: levels, modes, chapters (711, 700.2, 714)."""

from __future__ import annotations

import re

from ..abilities import SUBJECTS, Line
from . import text as texts
from .lines import Found, Kind, as_line, read_line


def read_face(name: str, type_line: str, text: str, full_name: str, layout: str) -> tuple[Line, ...]:
    names = texts.own_names(name, type_line, full_name)
    kind = Kind(spell=bool(re.search(r"\b(?:Instant|Sorcery)\b", type_line)))
    return tuple(
        safe_line(n, printed, names, (), kind) for n, printed in enumerate(texts.printed_lines(text), start=1)
    )


def read_text(text: str, known: tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(
        safe_line(n, printed, (), known, Kind()) for n, printed in enumerate(texts.printed_lines(text), start=1)
    )


def safe_line(n: int, printed: str, names: list[str] | tuple[str, ...], known: tuple[str, ...], kind: Kind) -> Line:
    """A line; one that is too deep or too long to read touches everything."""
    if len(printed) > 5000:
        return Line(n, "unread", (), SUBJECTS)
    try:
        normal = texts.normalise(printed, names, known)
        return as_line(n, read_line(normal, kind) if normal else Found(irrelevant=True))
    except RecursionError:
        return Line(n, "unread", (), SUBJECTS)
