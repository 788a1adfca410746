"""How many sources of a color a deck needs, by exact chances over exact payments, against Frank Karsten's tables.

The tables are those of his article of 2022 (How Many Sources Do You Need to Consistently Cast Your Spells?), which he
simulated with five million games a cell, that is to ± 0.03 %. His program (MTG-Math, HowManySources2022Update.py)
states what the article assumes, and here it is computed without simulating:

- A deck of 40, 60, 80 or 99 cards has 17, 25, 35 or 41 lands. Each is untapped, makes one mana, and is a source of the
  color or is not. Nothing else makes mana.
- You are on the play. With 99 cards (multiplayer Commander) you draw on turn 1 nevertheless.
- London mulligan: of seven cards, keep 2 to 5 lands; of six and of five, 2 to 4; four are kept whatever they are. Go
  to six by putting a spell on the bottom with four or more spells, else a land; to five by two spells with four or
  more, a land and a spell with three, else two lands; to four by three spells with four or more, a land and two spells
  with three, two lands and a spell with two, else three lands. Lands that are no sources go first.
- With 99 cards, before that, a free mulligan of seven cards without 3 to 5 lands.
- A spell of mana value N is cast on turn N. Only games count in which N lands have been drawn by then; whether each
  land drop was hit in time is not asked.
- Consistently: in at least 89 + N percent of those games.

Every hand and every draw is counted by the hypergeometric distribution, in whole numbers. Whether the lands can pay
is asked of lawmage once for each set of lands: Tundras are the sources and Underground Seas are not, so that every
land has a choice.

The article has no tables for gold costs. For some of them the least number of dual lands is given here by the same
rules, in decks of 60 cards whose other lands are basic lands in equal numbers, with and without colorless lands. To
count the sources of each color by themselves, as people do, counts a dual land twice; the exact payment does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from math import comb
from typing import NamedTuple

from lawmage.importers.decks import Deck as List
from lawmage.importers.draws import Question, chances
from lawmage.model.cards import default_library

from .boards import Board, board, can_pay, game_of, net_of, pay
from .measure import Figure, Meter

Counts = tuple[int, ...]  # how many there are of each kind of land; where spells count, too, they come last

# The sources that the article gives for a cost, in the order of the sizes. (The numbers for 40, 60 and 99 cards were
# compared with two copies of the tables, those for 80 cards with one.)
SIZES = (40, 60, 80, 99)
LANDS = {40: 17, 60: 25, 80: 35, 99: 41}
TABLE = {
    "C": (9, 14, 19, 19), "1C": (9, 13, 18, 19), "2C": (8, 12, 16, 18), "3C": (7, 10, 15, 16),
    "4C": (6, 9, 14, 15), "5C": (6, 9, 12, 14),
    "CC": (14, 21, 28, 30), "1CC": (12, 18, 25, 28), "2CC": (11, 16, 23, 26), "3CC": (10, 15, 20, 23),
    "4CC": (9, 13, 19, 22), "5CC": (8, 12, 17, 20),
    "CCC": (16, 23, 32, 36), "1CCC": (14, 21, 29, 33), "2CCC": (13, 19, 26, 30), "3CCC": (11, 17, 24, 28),
    "4CCC": (10, 16, 22, 26),
    "CCCC": (17, 24, 34, 39), "1CCCC": (15, 22, 31, 36),
}  # fmt: skip
SOURCE, OTHER = "Tundra", "Underground Sea"


class Stage(NamedTuple):
    """One hand that is looked at: how many cards are kept of seven, and with how many lands."""

    cards: int
    least: int
    most: int


FREE = Stage(7, 3, 5)
LONDON = (Stage(7, 2, 5), Stage(6, 2, 4), Stage(5, 2, 4), Stage(4, 0, 7))


class Deck(NamedTuple):
    """Lands by kind, and spells. `groups`: kinds, the least wanted first, as lands are put on the bottom."""

    lands: Counts
    spells: int
    groups: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return sum(self.lands) + self.spells

    @property
    def stages(self) -> tuple[Stage, ...]:
        return (FREE, *LONDON) if self.size == 99 else LONDON

    def draws(self, turn: int) -> int:
        """Cards drawn up to a turn, on the play."""
        return turn if self.size == 99 else turn - 1


class Chances(NamedTuple):
    """Of the games with enough lands: in which part the cost can be paid, and in which part there are sources enough
    of each color by itself."""

    pays: Fraction
    by_color: Fraction


# --- drawing ----------------------------------------------------------------------------------------------------------


@cache
def draws_of(counts: Counts, n: int) -> tuple[tuple[Counts, int], ...]:
    """Every choice of n cards of these kinds, and in how many ways it can be drawn."""
    if len(counts) == 1:
        return (((n,), comb(counts[0], n)),) if n <= counts[0] else ()
    return tuple(
        ((first, *rest), comb(counts[0], first) * ways)
        for first in range(min(counts[0], n) + 1)
        for rest, ways in draws_of(counts[1:], n - first)
    )


def kept(hand: Counts, stage: Stage, groups: Sequence[Sequence[int]]) -> Counts | None:
    """The lands of seven cards that are kept at this stage; None for a mulligan."""
    *lands, spells = hand
    away = 7 - stage.cards
    # So many lands go that three are left, if there are spells enough to put away instead.
    lands_away = 0 if spells > 3 else min(away, 4 - spells) if spells else away
    for _ in range(lands_away if away else 0):
        group = next(group for group in groups if any(lands[i] for i in group))
        lands[max(group, key=lambda i: lands[i])] -= 1
    return tuple(lands) if stage.least <= sum(lands) <= stage.most else None


def chances_of(deck: Deck, turn: int, pays: Callable[[Counts], bool], by_color: Callable[[Counts], bool]) -> Chances:
    """Exactly: hand by hand, draw by draw."""
    counts = (*deck.lands, deck.spells)
    all_hands = draws_of(counts, 7)
    total, later = comb(deck.size, 7), comb(deck.size - 7, deck.draws(turn))
    goes_on, enough, good, colors = Fraction(1), Fraction(0), Fraction(0), Fraction(0)
    for stage in deck.stages:
        mulligans = 0
        sums = [0, 0, 0]
        for hand, ways in all_hands:
            lands = kept(hand, stage, deck.groups)
            if lands is None:
                mulligans += ways
                continue
            library = tuple(a - b for a, b in zip(counts, hand, strict=True))
            for drawn, more in draws_of(library, deck.draws(turn)):
                have = tuple(a + b for a, b in zip(lands, drawn, strict=False))
                if sum(have) < turn:
                    continue
                weight = ways * more
                sums[0] += weight
                sums[1] += weight * pays(have)
                sums[2] += weight * by_color(have)
        part = goes_on / (total * later)
        enough, good, colors = enough + part * sums[0], good + part * sums[1], colors + part * sums[2]
        goes_on *= Fraction(mulligans, total)
    return Chances(good / enough, colors / enough)


# --- paying -----------------------------------------------------------------------------------------------------------


class Payments:
    """What lands can pay, asked of lawmage once for each set of lands and cost."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.known: dict[tuple[Counts, str], bool] = {}
        self.nets: dict[Counts, object] = {}

    def can(self, lands: Counts, cost: str) -> bool:
        known = self.known.get((lands, cost))
        if known is None:
            known = self.known[lands, cost] = self._ask(lands, cost)
        return known

    def board(self, lands: Counts) -> Board:
        return board(*(f"{n} {name}" for n, name in zip(lands, self.names, strict=True) if n))

    def _ask(self, lands: Counts, cost: str) -> bool:
        if lands not in self.nets:
            self.nets[lands] = net_of(game_of(self.board(lands)))
        verdict = pay(self.nets[lands], cost).verdict  # type: ignore[arg-type]
        assert verdict in ("yes", "no"), (lands, cost, verdict)
        return verdict == "yes"


def threshold(turn: int) -> Fraction:
    return Fraction(89 + turn, 100)


# --- costs of one color -----------------------------------------------------------------------------------------------


def cost_of(written: str) -> tuple[str, int, int]:
    """(the cost with white for the color, the turn, how many sources at least) of `1CC`."""
    colored = written.count("C")
    generic = int(written.rstrip("C") or 0)
    return (f"{{{generic}}}" if generic else "") + "{W}" * colored, generic + colored, colored


def one_color(written: str, size: int, sources: int, payments: Payments) -> Fraction:
    cost, turn, colored = cost_of(written)
    deck = Deck((LANDS[size] - sources, sources), size - LANDS[size], ((0,), (1,)))
    return chances_of(deck, turn, lambda lands: payments.can(lands, cost), lambda lands: lands[-1] >= colored).pays


def needed(written: str, size: int, start: int, payments: Payments) -> tuple[int, Fraction]:
    """The least number of sources that is consistent, looked for from `start` on, and its chance."""
    wanted = threshold(cost_of(written)[1])
    n = start
    found = one_color(written, size, n, payments)
    while found < wanted and n < LANDS[size]:
        n, found = n + 1, one_color(written, size, n + 1, payments)
    while n > 1 and (fewer := one_color(written, size, n - 1, payments)) >= wanted:
        n, found = n - 1, fewer
    return n, found


def _cells(sizes: Sequence[int], payments: Payments) -> Iterator[Figure]:
    agree = 0
    for size in sizes:
        for written, row in TABLE.items():
            published = row[SIZES.index(size)]
            n, chance = needed(written, size, published, payments)
            agree += n == published
            note = "as published" if n == published else _difference(written, size, published, payments)
            says = f"{n} sources, {_percent(chance)}"
            turn = cost_of(written)[1]
            yield Figure(
                suite="karsten", case=f"{size} cards, {LANDS[size]} lands: {written}", n=turn, says=says, note=note
            )
    says = f"{agree} of {len(sizes) * len(TABLE)} cells as published"
    yield Figure(suite="karsten", case="agreement with the tables", says=says)


def _difference(written: str, size: int, published: int, payments: Payments) -> str:
    there = one_color(written, size, published, payments)
    wanted = threshold(cost_of(written)[1])
    return f"published {published}: {_percent(there)} there, {_percent(wanted)} wanted"


def _percent(chance: Fraction) -> str:
    return f"{float(100 * chance):.2f} %"


# --- gold costs -------------------------------------------------------------------------------------------------------


class Gold(NamedTuple):
    """A gold cost, and lands as (name, what it makes): those in the middle in equal numbers, then as many of each dual
    land as are needed. `colorless`: so many Wastes."""

    cost: str
    basics: tuple[tuple[str, str], ...]
    duals: tuple[tuple[str, str], ...]
    colorless: int = 0

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        return (("Wastes", "C"), *self.basics, *self.duals)

    @property
    def most(self) -> int:
        return (LANDS[60] - self.colorless) // len(self.duals)

    def deck(self, duals: int) -> Deck:
        others = LANDS[60] - self.colorless - duals * len(self.duals)
        n = len(self.basics)
        lands = (self.colorless, *(others // n + (i < others % n) for i in range(n)), *(duals for _ in self.duals))
        basics, both = range(1, n + 1), range(n + 1, len(lands))
        return Deck(lands, 60 - LANDS[60], ((0,), tuple(basics), tuple(both)))

    def by_color(self, lands: Counts) -> bool:
        made = [(types, n) for (_, types), n in zip(self.kinds, lands, strict=True)]
        return all(sum(n for types, n in made if t in types) >= self.cost.count(t) for t in "WUB")

    def chances(self, payments: Payments, duals: int) -> Chances:
        pays = partial(payments.can, cost=self.cost)
        return chances_of(self.deck(duals), turn_of(self.cost), pays, self.by_color)


def two(cost: str, colorless: int = 0) -> Gold:
    return Gold(cost, (("Plains", "W"), ("Island", "U")), (("Tundra", "WU"),), colorless)


def three(cost: str) -> Gold:
    duals = (("Tundra", "WU"), ("Underground Sea", "UB"), ("Scrubland", "WB"))
    return Gold(cost, (("Plains", "W"), ("Island", "U"), ("Swamp", "B")), duals)


GOLD = (
    *map(two, ("{W}{U}", "{1}{W}{U}", "{W}{W}{U}{U}", "{2}{W}{W}{U}")),
    *(two(cost, 3) for cost in ("{W}{U}", "{1}{W}{U}", "{W}{W}{U}{U}")),
    *map(three, ("{W}{U}{B}", "{1}{W}{U}{B}")),
)
QUICK = (GOLD[0], GOLD[4])


def turn_of(cost: str) -> int:
    symbols = cost.strip("{}").split("}{")
    return sum(int(s) if s.isdigit() else 1 for s in symbols)


def least(chance: Callable[[int], Fraction], wanted: Fraction, most: int) -> int | None:
    """The least number of dual lands with which the chance is reached; it grows with them."""
    low, high = 0, most
    if chance(high) < wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= wanted else (middle + 1, high)
    return low


def _gold(asked: Sequence[Gold], payments: dict[tuple[str, ...], Payments]) -> Iterator[Figure]:
    for gold in asked:
        names = tuple(name for name, _ in gold.kinds)
        found = cache(partial(gold.chances, payments.setdefault(names, Payments(names))))
        says, note = _least_duals(gold, found)
        yield Figure(suite="karsten", case=_told(gold), n=turn_of(gold.cost), says=says, note=note)


def _told(gold: Gold) -> str:
    others = f", {gold.colorless} of them Wastes" if gold.colorless else ""
    return f"60 cards, 25 lands{others}, {len(gold.basics)} colors: {gold.cost}"


def _least_duals(gold: Gold, found: Callable[[int], Chances]) -> tuple[str, str]:
    wanted = threshold(turn_of(gold.cost))
    exact = least(lambda n: found(n).pays, wanted, gold.most)
    counted = least(lambda n: found(n).by_color, wanted, gold.most)
    if exact is None or counted is None:
        return f"never: {_percent(found(gold.most).pays)} with {gold.most}", ""
    each = "dual lands" if len(gold.duals) == 1 else "of each dual land"
    note = f"sources counted by color say {counted}: {_percent(found(counted).by_color)}"
    really = found(counted).pays
    if really != found(counted).by_color:
        note += f", really {_percent(really)}"
    return f"{exact} {each}, {_percent(found(exact).pays)}", note


# --- the suite --------------------------------------------------------------------------------------------------------


def of_the_importer(spells: str, lands: dict[str, int], n: int) -> float:
    """What `lawmage import deck --cast CARD --lands N` says of n lands of a deck."""
    library = default_library()
    deck = List(Counter(lands), Counter(), Counter(), Counter())
    return chances(deck, Question(spells, lands=n), library).yes


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    payments = {(OTHER, SOURCE): Payments((OTHER, SOURCE))}
    yield from _cells((60, 99) if quick else SIZES, payments[OTHER, SOURCE])
    yield from _gold(QUICK if quick else GOLD, payments)
    # A card of a real deck by the importer, against the hypergeometric distribution by hand.
    lands = {"Plains": 9, "Island": 8, "Tundra": 8}
    chance = of_the_importer("Geist of Saint Traft", lands, 3)
    right = 1 - (comb(9, 3) + comb(8, 3)) / comb(25, 3)
    note = "" if abs(chance - right) < 1e-9 else f"WRONG: {100 * right:.2f} % is right"
    case = "three lands of 9 Plains, 8 Islands, 8 Tundras: Geist of Saint Traft"
    yield Figure(suite="karsten", case=case, who="lawmage import deck", says=f"{100 * chance:.2f} %", note=note)
    asked = [(those, *key) for those in payments.values() for key in those.known]
    some = asked[:: max(1, len(asked) // (30 if quick else 200))]
    works = [partial(can_pay, game_of(those.board(lands)), cost) for those, lands, cost in some]
    note = f"{len(asked)} different questions in all"
    yield meter.each(works, suite="karsten", case="one payment, a new board each", n=len(some), note=note)
