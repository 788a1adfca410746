"""Oracle text to abilities: every line of a card is modelled, irrelevant, or unread with what it could touch."""

from __future__ import annotations

from collections.abc import Iterable

from ..abilities import SUBJECTS, Line

__all__ = ["compile_lines", "compile_text"]


def compile_lines(
    name: str, type_line: str, text: str, *, full_name: str = "", layout: str = "normal", sized: bool = False
) -> tuple[Line, ...]:
    """One Line for each printed line of a face's text, numbered from 1. `sized`: a power is printed on it. Reads any
    text without an error."""
    from .faces import read_face

    return read_face(name, type_line, text, full_name, sized)


def compile_text(text: str, known_names: Iterable[str] = ()) -> tuple[Line, ...]:
    """Free text, such as an effect or an ability in words; `known_names` are names or ids that may stand in it for
    objects, and become descriptions by name."""
    from .faces import read_text

    try:
        return read_text(text, tuple(known_names))
    except RecursionError:
        return (Line(1, "unread", (), SUBJECTS),)
