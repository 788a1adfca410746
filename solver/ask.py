"""One question as files ask it: `what_if` edits are made, names are fitted to the game, and a `flip` is looked for."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec

from ..model.situation import Edit, FormatError, apply_edits, check_edits, resolve_question
from .answer import Answer
from .queries import answer

if TYPE_CHECKING:
    from ..model.cards import Library
    from ..model.game import Game

OTHER_WAY = {"yes": "no", "no": "yes"}


def ask(game: Game, question: Any, library: Library, *, explain: bool = True) -> Answer:
    """The answer to a question about a game. Raises FormatError where it names what is not there."""
    explain = explain and question.explain
    game = apply_edits(game, question.what_if, library)
    found = answer(game, resolve_question(question, game, library), explain=explain)
    if question.flip is None or found.verdict not in OTHER_WAY:
        return found
    check_edits(game, question.flip.allow, library)
    flips = [[msgspec.to_builtins(edit) for edit in edits] for edits in _flips(game, question, library, found)]
    return msgspec.structs.replace(found, values={**found.values, "flips": flips})


def _flips(game: Game, question: Any, library: Library, found: Answer) -> list[tuple[Edit, ...]]:
    """The smallest sets of the allowed edits that turn the verdict around: all of the least size, by trying them."""
    wanted = OTHER_WAY[found.verdict]
    for size in range(1, question.flip.most + 1):
        sets = combinations(question.flip.allow, size)
        if flips := [edits for edits in sets if _verdict(game, edits, question, library) == wanted]:
            return flips
    return []


def _verdict(game: Game, edits: tuple[Edit, ...], question: Any, library: Library) -> str:
    try:
        edited = apply_edits(game, edits, library)
        return answer(edited, resolve_question(question, edited, library), explain=False).verdict
    except FormatError:
        return "unknown"  # the edits exclude each other, or take away what the question is about
