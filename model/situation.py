"""The public format: read it, make a game of it, write it again. What it says is in docs/format.md.

document text -> documents.py -> Situation, questions (forms.py, questions.py) -> setup.py -> Game
"""

from __future__ import annotations

from .asking import resolve_question
from .documents import (
    Document,
    check_document,
    read_case,
    read_document,
    read_query,
    read_situation,
    schema,
)
from .forms import Edit, FormatError, PermanentForm, PlayerForm, Situation
from .questions import QUESTIONS, Case, Query
from .setup import build_game
from .writing import apply_edits, check_edits, write_situation

__all__ = [
    "QUESTIONS",
    "Case",
    "Document",
    "Edit",
    "FormatError",
    "PermanentForm",
    "PlayerForm",
    "Query",
    "Situation",
    "apply_edits",
    "build_game",
    "check_document",
    "check_edits",
    "read_case",
    "read_document",
    "read_query",
    "read_situation",
    "resolve_question",
    "schema",
    "write_situation",
]
