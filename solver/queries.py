"""The kinds of question, each with the function that answers it.

`answer` is the one door: whatever happens behind it, an Answer comes out. What the situation does not state, what is
not modelled and what the solver could not finish become `unknown` with that reason; a fault of ours becomes `unknown`
with the code `internal`, so that one broken question never takes others with it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..model.game import Game, Unknown
from .answer import Answer, Reason

# kind of question -> (module of this package, function). Imported when first asked, so that answers which need no
# solver never load one. Each function takes (game, question, explain) and returns an Answer.
ANSWERED_BY: dict[str, tuple[str, str]] = {
    "could_produce": ("producing", "could_produce"),
    "outcomes": ("producing", "outcomes"),
    "legal": ("acting", "legal"),
    "untaps": ("untapping", "untaps"),
    "max_hand_size": ("acting", "max_hand_size"),
    "state_based": ("acting", "state_based"),
    "characteristics": ("acting", "characteristics"),
}


def answer(game: Game, question: Any, *, explain: bool = True) -> Answer:
    """Answers one question (one of the structures of model.situation) about a game."""
    kind = question.kind
    if kind not in ANSWERED_BY:
        return not_supported(kind)
    module, name = ANSWERED_BY[kind]
    function: Callable[[Game, Any, bool], Answer] = getattr(import_module(f".{module}", __package__), name)
    try:
        return function(game, question, explain)
    except Unknown as unknown:
        return Answer("unknown", because=(Reason(unknown.code, objects=unknown.objects, text=unknown.text),))


def not_supported(kind: str) -> Answer:
    return Answer("unknown", because=(Reason("not_supported", text=f"questions of kind {kind} are not answered yet"),))
