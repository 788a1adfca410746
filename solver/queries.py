"""The kinds of question, each with the function that answers it.

`answer` is the one door: whatever happens behind it, an Answer comes out. What the situation does not state, what is
not modelled and what the solver could not finish become `unknown` with that reason; a fault of ours becomes `unknown`
with the code `internal`, so that one broken question never takes others with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ..model.game import Game, Unknown
from ..model.unread import ACTING, MAKING, PAYING, UnreadText, could_add, could_take, unread_in
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
    lines = unread_in(game, SUBJECTS.get(kind, ()), also=_asked_about(game, question))
    if lines and kind in OF_VALUES:
        return _not_understood(lines, lines)  # whatever the value would be
    found = _answered(game, question, explain and not lines)
    if lines and explain and found.verdict in ("yes", "no") and not _matter(lines, found.verdict):
        found = _answered(game, question, True)
    return with_unread(found, lines)


def _answered(game: Game, question: Any, explain: bool) -> Answer:
    module, name = ANSWERED_BY[question.kind]
    function: Callable[[Game, Any, bool], Answer] = getattr(import_module(f".{module}", __package__), name)
    try:
        return function(game, question, explain)
    except Unknown as unknown:
        return Answer("unknown", because=(Reason(unknown.code, objects=unknown.objects, text=unknown.text),))


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


# Questions about a value: any line that could bear on it makes the answer unknown.
OF_VALUES = ("could_produce", "outcomes", "mana")


def with_unread(found: Answer, lines: Sequence[UnreadText]) -> Answer:
    """The answer with the card text that was not understood; where that could change the verdict, it is unknown."""
    if not lines:
        return found
    matter = () if found.verdict == "unknown" else _matter(lines, found.verdict)
    if matter:
        return _not_understood(lines, matter)
    return Answer(found.verdict, found.values, found.because, _as_lines(lines))


def _matter(lines: Sequence[UnreadText], verdict: str) -> Sequence[UnreadText]:
    """The lines that could turn the verdict around."""
    return could_take(lines) if verdict == "yes" else could_add(lines) if verdict == "no" else lines


def _not_understood(lines: Sequence[UnreadText], matter: Sequence[UnreadText]) -> Answer:
    texts = "; ".join(f"line {u.line} of {u.card}" for u in matter)
    reason = Reason("not_understood", objects=tuple(u.object for u in matter), text=f"not understood: {texts}")
    return Answer("unknown", {}, (reason,), _as_lines(lines))


def _as_lines(lines: Sequence[UnreadText]) -> tuple[UnreadLine, ...]:
    return tuple(UnreadLine(u.card, u.line, u.subjects) for u in lines)


def _asked_about(game: Game, question: Any) -> tuple[str, ...]:
    """The card that the question is about, wherever it is."""
    named = [getattr(question, key, None) for key in ("card", "permanent", "object")]
    return tuple(n for n in named if isinstance(n, str) and n in game.objects)


def not_supported(kind: str) -> Answer:
    return Answer("unknown", because=(Reason("not_supported", text=f"questions of kind {kind} are not answered yet"),))
