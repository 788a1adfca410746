"""Questions asked before are not solved again, and a board is not built again for its next question.

    situation, question -> as written -> in canonical form -> in the file of answers -> solved

Two questions are the same as written when their strict structures are: the order of keys, defaults that are written
out and remarks make no difference. Answers are also found by the canonical form (canonical.py). What a process
remembers is bounded; the least recently used goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from .answer import Answer

if TYPE_CHECKING:
    from ..model.cards import Library
    from .cache import Store

MOST_ANSWERS = 10_000
MOST_GAMES = 64
# What may come out otherwise the next time: a limit of time, or a fault of ours.
PASSING = frozenset({"time_limit", "internal"})

T = TypeVar("T")


class Recent(Generic[T]):
    """The values used last, by key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[bytes, T] = OrderedDict()

    def find(self, key: bytes) -> T | None:
        """The value of this key, if it is there."""
        value = self.values.get(key)
        if value is not None:
            self.values.move_to_end(key)
        return value

    def keep(self, key: bytes, value: T) -> None:
        self.values[key] = value
        if len(self.values) > self.most:
            self.values.popitem(last=False)

    def get(self, key: bytes, make: Callable[[], T], keep: Callable[[T], bool] = lambda value: True) -> T:
        """The value of this key; made, and kept if it may be, when it is not there."""
        if key in self.values:
            self.values.move_to_end(key)
            return self.values[key]
        value = make()
        if keep(value):
            self.keep(key, value)
        return value


class Memo:
    """Asks questions about situations, with one library. `key` tells the question asked last from all others."""

    def __init__(self, library: Library, store: Store | None = None) -> None:
        self.library = library
        self.store = store
        self.answers: Recent[tuple[Answer, bytes]] = Recent(MOST_ANSWERS)
        self.forms: Recent[bytes] = Recent(MOST_ANSWERS)
        self.games: Recent[Any] = Recent(MOST_GAMES)
        self.boards: Recent[Any] = Recent(MOST_GAMES)  # in canonical form
        self.repeats: Recent[Any] = Recent(MOST_ANSWERS)  # what the audit keeps of whole cases
        self.key = b""

    def ask(self, situation: Any, question: Any, explain: bool) -> Answer:
        """The answer to a question about a situation. Raises FormatError."""
        board = _digest(situation, _written_order(situation))
        key = _digest(board, question, explain)
        found = self.answers.get(key, lambda: self._find(key, board, situation, question, explain), _may_be_kept)
        answer, self.key = found
        return answer

    def _find(self, key: bytes, board: bytes, situation: Any, question: Any, explain: bool) -> tuple[Answer, bytes]:
        from ..model.situation import apply_edits, build_game, resolve_question
        from .ask import ask
        from .canonical import canonical_form

        game = self.games.get(board, lambda: build_game(situation, self.library))
        words = explain and question.explain
        edited = apply_edits(game, question.what_if, self.library)
        plain = msgspec.structs.replace(question, what_if=())
        form = canonical_form(edited, resolve_question(plain, edited, self.library), words)
        if form is None:
            solved = self._stored(key, lambda: ask(game, question, self.library, explain=explain))
            return answer_from(solved), key

        def solve() -> Answer:
            renamed = self.boards.get(form.board, form.renamed_game)
            return ask(renamed, form.renamed_question(), self.library, explain=words)

        solved = self.forms.get(form.key, lambda: self._stored(form.key, solve), _keeps)
        return answer_from(form.named(solved)), form.key

    def _stored(self, key: bytes, solve: Callable[[], Answer]) -> bytes:
        """The answer as JSON, out of the file where it is there."""
        if self.store is not None and (stored := self.store.get(key)) is not None:
            return stored
        answer = solve()
        solved = msgspec.json.encode(answer)
        if self.store is not None and _passes_not(answer):
            self.store.put(key, solved)
        return solved


def answer_from(solved: bytes) -> Answer:
    return msgspec.json.decode(solved, type=Answer)


def _passes_not(answer: Answer) -> bool:
    return not any(reason.code in PASSING for reason in answer.because)


def _may_be_kept(found: tuple[Answer, bytes]) -> bool:
    return _passes_not(found[0])


def _keeps(solved: bytes) -> bool:
    return _passes_not(answer_from(solved))


def _digest(*parts: Any) -> bytes:
    return blake2b(msgspec.msgpack.encode(parts), digest_size=16).digest()


def _written_order(situation: Any) -> list[tuple[str, ...]]:
    """Default ids are numbered in written order, which the structures alone do not tell."""
    return [player.zones for player in situation.players.values()]
