"""One question as files ask it: `what_if` edits are made, names are fitted to the game, and a `flip` is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ..model.situation import Edit, FormatError, apply_edits, check_edits, resolve_question
from .answer import Answer
from .flips import OTHER_WAY, flips
from .queries import answer

if TYPE_CHECKING:
    from ..model.cards import Library
    from ..model.game import Game


def ask(game: Game, question: Any, library: Library, *, explain: bool = True) -> Answer:
    """The answer to a question about a game. Raises FormatError where it names what is not there."""
    explain = explain and question.explain
    game = apply_edits(game, question.what_if, library)
    found = answer(game, resolve_question(question, game, library), explain=explain)
    if question.flip is None or found.verdict not in OTHER_WAY:
        return found
    check_edits(game, question.flip.allow, library)
    wanted = OTHER_WAY[found.verdict]
    turned = flips(
        question.flip.allow, question.flip.most, wanted, lambda edits: _verdict(game, edits, question, library)
    )
    written = [[msgspec.to_builtins(edit) for edit in edits] for edits in turned.found]
    because = (*found.because, *turned.notes)
    return msgspec.structs.replace(found, values={**found.values, "flips": written}, because=because)


def _verdict(game: Game, edits: tuple[Edit, ...], question: Any, library: Library) -> str:
    try:
        edited = apply_edits(game, edits, library)
        return answer(edited, resolve_question(question, edited, library), explain=False).verdict
    except FormatError:
        return "unknown"  # the edits exclude each other, or take away what the question is about
