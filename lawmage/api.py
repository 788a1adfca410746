"""Questions in one line each, and the answers as objects that feel like the values they hold.

    >>> import lawmage
    >>> "G" in lawmage.could_produce("Reflecting Pool", you="Reflecting Pool, Forest")
    True

A board is written as on the command line ("Forest, 2 Mystic Gate") or as a list of what `format.md` allows on a
battlefield. `ask` takes a whole document: a situation with its questions. `Board` keeps a situation for many questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

import msgspec

from .document import Items, build_document, read
from .model.situation import Document, FormatError
from .solver.answer import Answer, Reason, UnreadLine, Verdict
from .wire import to_json, to_text


class Reply:
    """An answer together with its question.

    `reply.verdict`, `reply.because`, and every value of the answer by its name (`reply.types`, `reply.plan`). It is
    true for yes and false for no; where the verdict is neither, asking for truth is an error, so that an unknown is
    never taken for an answer. It contains and counts what its main value does, and prints as text.
    """

    def __init__(self, answer: Answer, query: Mapping[str, Any]) -> None:
        self.answer = answer
        self.query = query

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict

    @property
    def because(self) -> tuple[Reason, ...]:
        return self.answer.because

    @property
    def rules(self) -> tuple[str, ...]:
        return self.answer.rules

    @property
    def unread(self) -> tuple[UnreadLine, ...]:
        return self.answer.unread

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["answer"].values if "answer" in self.__dict__ else {}
        if name in values:
            return values[name]
        has = ", ".join(values) or "no values"
        raise AttributeError(
            f"an answer with the verdict {self.__dict__.get('answer') and self.verdict} has {has}, not {name!r}"
        )

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.answer.values]

    def __bool__(self) -> bool:
        if self.verdict in ("yes", "no"):
            return self.verdict == "yes"
        raise ValueError(f"the verdict is {self.verdict}, which is neither yes nor no; compare .verdict instead")

    def _members(self) -> Sequence[Any]:
        name = _MEMBERS.get(self.query["kind"])
        if name is None or name not in self.answer.values:
            raise TypeError(f"the answer to {self.query['kind']} with the verdict {self.verdict} holds no members")
        return self.answer.values[name]

    def __contains__(self, member: object) -> bool:
        return member in self._members()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members())

    def __len__(self) -> int:
        return len(self._members())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reply) and (self.answer, self.query) == (other.answer, other.query)

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (values are lists and dicts)

    def __repr__(self) -> str:
        shown = [f"{k}={v!r}" for k, v in self.answer.values.items() if isinstance(v, str | int) or _short(v)]
        return f"<{self.query['kind']}: {', '.join([self.verdict, *shown])}>"

    def __str__(self) -> str:
        return to_text(self.answer, self.query)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .graphs import answer_html

        return answer_html(self)

    def wire(self) -> dict[str, Any]:
        """The answer as JSON would give it back."""
        return msgspec.json.decode(msgspec.json.encode(self.answer.wire()))

    def to_json(self) -> str:
        return to_json(self.wire())


# What an answer contains, where it is a collection.
_MEMBERS = {"could_produce": "types", "outcomes": "outcomes", "mana": "maximal", "usable": "usable"}


def _short(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 10 and all(isinstance(part, str) for part in value)


# --- documents ------------------------------------------------------------------------------------------------------


def ask(document: Mapping[str, Any] | Path | str) -> Reply | list[Reply]:
    """Answers the question of a document (a list of answers for `queries`).

    The document is a mapping, the path of a file, or (a string of several lines) YAML or JSON.
    """
    asked = read(document)
    replies = list(answers(asked))
    return replies[0] if asked.single else replies


def answers(document: Document) -> Iterator[Reply]:
    """Each question of a document with its answer, one after the other."""
    from .model.documents import located

    if not document.queries:
        raise FormatError("there is no question: write query or queries beside the situation", document.where)
    board = Board(document)
    for number, question in enumerate(document.queries):
        try:
            yield board.reply(question)
        except FormatError as error:
            prefix = ("query",) if document.single else ("queries", number)
            raise located(error, document.where, document.lines, prefix) from None


class Board:
    """A situation that is read once and asked many questions: what was found out about it is kept between them.

        >>> board = lawmage.Board({"players": {"me": {"battlefield": ["Forest", "2 Mystic Gate"]}, "you": {}}})
        >>> board.ask({"kind": "can_pay", "cost": "{U}{U}"}, explain=False)
        <can_pay: no>

    The situation is a mapping, the path of a file, or (a string of several lines) YAML or JSON; a whole document's own
    questions are left out of account. Raises FormatError.
    """

    def __init__(self, situation: Mapping[str, Any] | Document | Path | str) -> None:
        from .model.cards import default_library

        document = situation if isinstance(situation, Document) else read(situation)
        self._library = default_library()
        self._game = document.game(self._library)

    def ask(self, query: Mapping[str, Any], *, explain: bool = True) -> Reply:
        """The answer to one question, a mapping as format.md has it. Without `explain` it is quicker and gives no
        reasons beyond the bare one."""
        from .model.situation import read_query

        return self.reply(read_query(query), explain=explain)

    def reply(self, question: Any, *, explain: bool = True) -> Reply:
        """The answer to a question that was read already."""
        from .solver.ask import ask

        return Reply(ask(self._game, question, self._library, explain=explain), msgspec.to_builtins(question))


# --- one-liners -----------------------------------------------------------------------------------------------------


class Around(TypedDict, total=False):
    """What every one-liner takes beside `you`, the permanents you control."""

    opponent: Items | tuple[Items, ...]  # one board, or a tuple with one for each opponent
    hand: Items
    graveyard: Items
    pool: str
    life: int


def could_produce(permanent: str, you: Items = "", **board: Unpack[Around]) -> Reply:
    """Every type of mana that the permanent could produce (CR 106.7)."""
    return _one({"kind": "could_produce", "permanent": permanent}, you, board)


def outcomes(permanent: str, you: Items = "", *, ability: int | None = None, **board: Unpack[Around]) -> Reply:
    """Everything that the mana of this permanent's mana abilities could be."""
    return _one({"kind": "outcomes", "permanent": permanent, "ability": ability}, you, board)


def mana(you: Items = "", *, limit: int | None = None, **board: Unpack[Around]) -> Reply:
    """The pools that you could assemble now."""
    return _one({"kind": "mana", "player": "you", "limit": limit}, you, board)


def can_pay(
    cost: str,
    you: Items = "",
    *,
    x: int | Literal["max"] | None = None,
    keep: str | None = None,
    **board: Unpack[Around],
) -> Reply:
    """Whether this cost can be paid now; `keep` is a cost that must be payable afterwards."""
    return _one({"kind": "can_pay", "cost": cost, "x": x, "keep": keep}, you, board)


def can_cast(
    card: str,
    you: Items = "",
    *,
    zone: str | None = None,
    x: int | Literal["max"] | None = None,
    using: Sequence[str] | None = None,
    **board: Unpack[Around],
) -> Reply:
    """Whether the card may be cast now. It is put into your hand where no zone holds it yet."""
    return _one({"kind": "can_cast", "card": card, "zone": zone, "x": x, "using": using}, you, board)


def can_activate(
    permanent: str,
    you: Items = "",
    *,
    ability: int | str | None = None,
    x: int | Literal["max"] | None = None,
    **board: Unpack[Around],
) -> Reply:
    """Whether an ability of the permanent (by number or by its text) may be activated now."""
    return _one({"kind": "can_activate", "permanent": permanent, "ability": ability, "x": x}, you, board)


Query: TypeAlias = dict[str, Any]


def _one(query: Query, you: Items, board: Around) -> Reply:
    document = build_document({k: v for k, v in query.items() if v is not None}, you=you, **board)
    return next(answers(document))
