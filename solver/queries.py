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
from ..model.unread import ACTING, MAKING, PAYING, could_add, could_take, unread_in
from .answer import Answer, Reason, UnreadLine

# kind of question -> (module of this package, function). Imported when first asked, so that answers which need no
# solver never load one. Each function takes (game, question, explain) and returns an Answer.
ANSWERED_BY: dict[str, tuple[str, str]] = {
    "could_produce": ("producing", "could_produce"),
    "outcomes": ("producing", "outcomes"),
    "mana": ("pools", "mana"),
    "can_pay": ("can_pay", "can_pay"),
    "can_cast": ("casting", "can_cast"),
    "can_activate": ("casting", "can_activate"),
    "can_cast_all": ("casting_all", "can_cast_all"),
    "check": ("checking", "check"),
    "usable": ("usable", "usable"),
    "legal": ("acting", "legal"),
    "untaps": ("untapping", "untaps"),
    "max_hand_size": ("acting", "max_hand_size"),
    "state_based": ("acting", "state_based"),
    "characteristics": ("acting", "characteristics"),
}


def answer(game: Game, question: Any, *, explain: bool = True) -> Answer:
    """Answers one question (one of the structures of model.questions) about a game."""
    kind = question.kind
    if kind not in ANSWERED_BY:
        return not_supported(kind)
    module, name = ANSWERED_BY[kind]
    function: Callable[[Game, Any, bool], Answer] = getattr(import_module(f".{module}", __package__), name)
    try:
        found = function(game, question, explain)
    except Unknown as unknown:
        found = Answer("unknown", because=(Reason(unknown.code, objects=unknown.objects, text=unknown.text),))
    return with_unread(game, question, found)


# The subjects of card text that each kind of question rests on. Kinds that are not here look themselves (unread.py).
SUBJECTS: dict[str, tuple[str, ...]] = {
    "could_produce": MAKING,
    "outcomes": MAKING,
    "mana": PAYING,
    "can_pay": PAYING,
    "usable": PAYING,
    "check": PAYING,
    "can_cast": ACTING,
    "can_cast_all": ACTING,
    "can_activate": ACTING,
}


def with_unread(game: Game, question: Any, found: Answer) -> Answer:
    """The answer with the card text that was not understood; where that could change the verdict, it is unknown."""
    subjects = SUBJECTS.get(question.kind, ())
    lines = unread_in(game, subjects, also=_asked_about(game, question))
    if not lines:
        return found
    unread = tuple(UnreadLine(u.card, u.line, u.subjects) for u in lines)
    if found.verdict == "unknown":
        return Answer("unknown", found.values, found.because, unread)
    matter = could_take(lines) if found.verdict == "yes" else could_add(lines) if found.verdict == "no" else lines
    if not matter:
        return Answer(found.verdict, found.values, found.because, unread)
    texts = "; ".join(f"line {u.line} of {u.card}" for u in matter)
    reason = Reason("not_understood", objects=tuple(u.object for u in matter), text=f"not understood: {texts}")
    return Answer("unknown", {}, (reason,), unread)


def _asked_about(game: Game, question: Any) -> tuple[str, ...]:
    """The card that the question is about, wherever it is."""
    named = [getattr(question, key, None) for key in ("card", "permanent", "object")]
    return tuple(n for n in named if isinstance(n, str) and n in game.objects)


def not_supported(kind: str) -> Answer:
    return Answer("unknown", because=(Reason("not_supported", text=f"questions of kind {kind} are not answered yet"),))
