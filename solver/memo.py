"""Questions asked before are not solved again, and a board is not built again for its next question.

Two questions are the same when their strict structures are: the order of keys, defaults that are written out and
remarks make no difference. What a process remembers is bounded; the least recently used goes first.
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

    def get(self, key: bytes, make: Callable[[], T], keep: Callable[[T], bool] = lambda value: True) -> T:
        """The value of this key; made, and kept if it may be, when it is not there."""
        if key in self.values:
            self.values.move_to_end(key)
            return self.values[key]
        value = make()
        if keep(value):
            self.values[key] = value
            if len(self.values) > self.most:
                self.values.popitem(last=False)
        return value


class Memo:
    """Asks questions about situations, with one library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.answers: Recent[Answer] = Recent(MOST_ANSWERS)
        self.games: Recent[Any] = Recent(MOST_GAMES)

    def ask(self, situation: Any, question: Any, explain: bool) -> Answer:
        """The answer to a question about a situation. Raises FormatError."""
        board = _digest(situation, _written_order(situation))
        key = _digest(board, question, explain)
        return self.answers.get(key, lambda: self._solve(board, situation, question, explain), _may_be_kept)

    def _solve(self, board: bytes, situation: Any, question: Any, explain: bool) -> Answer:
        from ..model.situation import build_game
        from .ask import ask

        game = self.games.get(board, lambda: build_game(situation, self.library))
        return ask(game, question, self.library, explain=explain)


def _may_be_kept(answer: Answer) -> bool:
    return not any(reason.code in PASSING for reason in answer.because)


def _digest(*parts: Any) -> bytes:
    return blake2b(msgspec.msgpack.encode(parts), digest_size=16).digest()


def _written_order(situation: Any) -> list[tuple[str, ...]]:
    """Default ids are numbered in written order, which the structures alone do not tell."""
    return [player.zones for player in situation.players.values()]
