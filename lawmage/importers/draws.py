"""Which lands, or which opening hands, of a deck can cast a card: every combination once, weighted by its chance.

Hands that have the same lands are the same here, so a deck of sixty cards has a few thousand kinds of hand at most;
each set of lands is asked about once. Where there are too many kinds, hands are dealt at random instead, and the
result says so.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from typing import Any, NamedTuple

from ..model.cards import Library
from ..solver.answer import Answer
from ..solver.memo import Memo
from .decks import Deck

Lands = tuple[tuple[str, int], ...]


class Chances(NamedTuple):
    """How often the verdicts are yes, no and unknown, in parts of one. `kinds`: of lands, the likeliest first."""

    yes: float
    no: float
    unknown: float
    exact: bool
    counted: int  # kinds of hand, or hands dealt
    kinds: tuple[tuple[Lands, float, str], ...]
    why_unknown: tuple[str, ...] = ()
    targets_assumed: bool = False  # nothing there could be targeted, so whether its cost can be paid decided

    @property
    def error(self) -> float:
        """Of a sample: the standard error of `yes`."""
        return 0.0 if self.exact else sqrt(self.yes * (1 - self.yes) / self.counted)


class Question(NamedTuple):
    """`lands`: exactly that many lands are drawn from those of the deck. Otherwise `hand` cards are drawn from the
    deck, one of them the card itself if it `holds` it, and at most `turn` of the lands among them are played."""

    card: str
    lands: int | None = None
    hand: int = 7
    turn: int | None = None
    holds: bool = True


MOST_KINDS = 20_000


def chances(deck: Deck, question: Question, library: Library, *, most: int = MOST_KINDS, seed: int = 1) -> Chances:
    """How likely it is that the card can be cast with such lands, all of them untapped and nothing else there."""
    table = _Table(deck, question, library)
    dealt = table.every(most)
    exact = dealt is not None
    weights: Counter[Lands] = Counter(dict(dealt) if dealt is not None else table.sample(most, random.Random(seed)))
    total = weights.total()
    if not total:
        return Chances(0.0, 0.0, 0.0, exact, 0, ())
    verdicts = {lands: table.verdict(lands) for lands in weights}
    share = Counter[str]()
    for lands, weight in weights.items():
        share[verdicts[lands]] += weight
    kinds = tuple((lands, weight / total, verdicts[lands]) for lands, weight in weights.most_common())
    parts = (share["yes"] / total, share["no"] / total, share["unknown"] / total)
    return Chances(*parts, exact, len(weights) if exact else total, kinds, tuple(table.reasons), table.targets_assumed)


class _Table:
    def __init__(self, deck: Deck, question: Question, library: Library) -> None:
        self.deck = deck
        self.library = library
        self.question = question
        self.lands = {name: n for name, n in sorted(deck.main.items()) if _is_land(library, name)}
        self.memo = Memo(library)
        self.known: dict[Lands, str] = {}
        self.reasons: dict[str, None] = {}
        self.targets_assumed = False
        self.copies = deck.main[question.card] if question.card not in self.lands else 0
        self.drawn = question.lands if question.lands is not None else question.hand

    # which lands are drawn

    def every(self, most: int) -> Iterator[tuple[Lands, int]] | None:
        """Each kind of lands with its weight; None where there are too many."""
        names = len(self.lands)
        least = self.drawn if self.question.lands is not None else 0
        if sum(comb(names + n - 1, n) if names else n == 0 for n in range(least, self.drawn + 1)) > most:
            return None
        return self._every(least)

    def _every(self, least: int) -> Iterator[tuple[Lands, int]]:
        for n in range(least, self.drawn + 1):
            for some in combinations_with_replacement(self.lands, n):
                lands = _lands(some)
                weight = prod(comb(self.lands[name], k) for name, k in lands) * self.others(self.drawn - n)
                if weight:
                    yield lands, weight

    def others(self, n: int) -> int:
        """In how many ways the rest of the hand can be drawn, with the card in it where that is asked for."""
        if self.question.lands is not None:
            return 1
        rest = self.deck.size - sum(self.lands.values())
        without = comb(rest - self.copies, n) if self.question.holds and self.copies else 0
        return comb(rest, n) - without

    def sample(self, hands: int, chance: random.Random) -> dict[Lands, int]:
        cards = list((Counter(self.lands) if self.question.lands is not None else self.deck.main).elements())
        holds = self.question.holds and self.copies and self.question.lands is None
        counts: Counter[Lands] = Counter()
        if len(cards) < self.drawn:
            return counts
        while counts.total() < hands:
            hand = chance.sample(cards, self.drawn)
            if not holds or self.question.card in hand:
                counts[_lands(card for card in hand if card in self.lands)] += 1
        return counts

    # what they can do

    def verdict(self, lands: Lands) -> str:
        """Yes if some of them that can be played are enough; unknown only where none is a yes."""
        most = self.question.turn
        number = sum(n for _, n in lands)
        if most is None or number <= most or self.question.lands is not None:
            return self.ask(lands)
        found = {self.ask(_lands(some)) for some in _some_of(dict(lands), most)}
        return next(verdict for verdict in ("yes", "unknown", "no") if verdict in found)

    def ask(self, lands: Lands) -> str:
        if lands not in self.known:
            self.known[lands] = self._ask(lands)
        return self.known[lands]

    def _ask(self, lands: Lands) -> str:
        you: dict[str, Any] = {"battlefield": [f"{n} {name}" for name, n in lands], "hand": [self.question.card]}
        if self.deck.commander:
            you["command"] = [{"card": name, "commander": True} for name in self.deck.commander]
            if self.question.card in self.deck.commander:
                you["hand"] = []
        zone = "hand" if you["hand"] else "command"
        answer = self._answer(you, {"kind": "can_cast", "card": self.question.card, "zone": zone})
        if any(reason.code == "no_target" for reason in answer.because):
            self.targets_assumed = True
            return self._payable(you, zone)
        return answer.verdict

    def _payable(self, you: dict[str, Any], zone: str) -> str:
        """Whether the cost of one of its faces can be paid: there is nothing on these boards that it could target."""
        faces = self.library.find(self.question.card).card.faces
        costs = [str(face.mana_cost) for face in faces if face.mana_cost is not None]
        purpose = {"cast": self.question.card, "zone": zone}
        asked = ({"kind": "can_pay", "cost": c, "for": purpose} | ({"x": 0} if "{X}" in c else {}) for c in costs)
        found = {self._answer(you, query).verdict for query in asked}
        return next((verdict for verdict in ("yes", "unknown") if verdict in found), "no")

    def _answer(self, you: dict[str, Any], query: dict[str, Any]) -> Answer:
        from ..model.situation import read_query, read_situation

        answer = self.memo.ask(read_situation({"players": {"you": you, "opponent": {}}}), read_query(query), False)
        if answer.verdict == "unknown":
            self.reasons |= dict.fromkeys(reason.text or reason.code for reason in answer.because)
        return answer


def _lands(names: Any) -> Lands:
    return tuple(sorted(Counter(names).items()))


def _some_of(lands: Mapping[str, int], n: int) -> Iterator[list[str]]:
    """Each choice of n of these lands once."""
    for some in combinations_with_replacement(sorted(lands), n):
        if all(k <= lands[name] for name, k in Counter(some).items()):
            yield list(some)


def _is_land(library: Library, name: str) -> bool:
    return "Land" in library.find(name).card.faces[0].types
