"""How the time grows with the board: a new board from the game on (characteristics, net, decision, referee).

Every family has a question that can be paid and one that cannot, as both are different work. Fitted exponents are in
the number n of the family; permanents that are alike are one class, so most families should hardly grow at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .boards import BASICS, DUALS, Board, ask, board, can_pay, game_of, symbols
from .measure import Figure, Meter, exponent

# A question on a board of a family: either a cost, or a whole query.
Question = str | dict[str, Any]


class Family(NamedTuple):
    name: str
    make: Callable[[int], tuple[Board, Question, Question]]  # the board, a question with yes, one with no
    sizes: tuple[int, ...]
    quick: tuple[int, ...]
    distinct: bool = False  # n counts kinds of permanents, not permanents that are alike


def duals(n: int) -> tuple[Board, Question, Question]:
    half = n // 2
    return board(f"{n} Tundra"), symbols(W=half, U=n - half), symbols(W=half, U=n - half + 1)


def cycle(n: int) -> tuple[Board, Question, Question]:
    """n lands of the ten-dual cycle, as many kinds as there are."""
    lands = [DUALS[i % 10] for i in range(n)]
    every = dict.fromkeys("WUBRG", n // 5)
    return board(*lands), symbols(**every), symbols(**{**every, "C": 1})


def any_color(n: int) -> tuple[Board, Question, Question]:
    return board(f"{n} Birds of Paradise"), symbols(**dict.fromkeys("WUBRG", n // 5)), symbols(W=n, U=1)


def filters(n: int) -> tuple[Board, Question, Question]:
    """One mana goes through n filter lands one after the other and is one more each time."""
    return board(f"{n} Mystic Gate", "Island"), symbols(W=n + 1), symbols(W=n + 2)


def dry_filters(n: int) -> tuple[Board, Question, Question]:
    """Filter lands without a first mana make {C} only."""
    return board(f"{n} Mystic Gate"), symbols(C=n), symbols(W=1)


def cataracts(n: int) -> tuple[Board, Question, Question]:
    """All the mana as {W}: k of the Cataracts turn everything else into it, the others make {C} for them."""
    lands = [f"{n} {basic}" for basic in BASICS]
    most = most_white(n)
    return board(f"{n} Cascading Cataracts", *lands), symbols(W=most), symbols(W=most + 1)


def most_white(n: int) -> int:
    return 6 * n - (5 * n + 5) // 6


def convoke(n: int) -> tuple[Board, Question, Question]:
    """Siege Wurm by creatures alone; artifact creatures have no color for its {G}{G}."""
    return (
        board(f"{n} Grizzly Bears", hand=("Siege Wurm", "Stoke the Flames")),
        {"kind": "can_cast", "card": "Siege Wurm"},
        {"kind": "can_cast", "card": "Stoke the Flames"},
    )


def replacements(n: int) -> tuple[Board, Question, Question]:
    most = 3**n
    return board(f"{n} Nyxbloom Ancient", "Forest"), f"{{{most - 1}}}{{G}}", f"{{{most}}}{{G}}"


def lookers(n: int) -> tuple[Board, Question, Question]:
    return board(f"{n} Reflecting Pool", "Forest"), symbols(G=n + 1), symbols(U=1)


def modifiers(n: int) -> tuple[Board, Question, Question]:
    return (
        board(f"{n} Sphere of Resistance", f"{n + 1} Mountain", hand=("Lightning Bolt", "Lava Spike", "Shock")),
        {"kind": "can_cast", "card": "Lightning Bolt"},
        {"kind": "can_cast", "card": "Lightning Bolt", "keep": "{R}"},
    )


def type_changers(n: int) -> tuple[Board, Question, Question]:
    """Effects on land types, of which each kind depends on another."""
    changers = ("Urborg, Tomb of Yawgmoth", "Blood Moon", "Dryad of the Ilysian Grove", "Prismatic Omen")
    return board(*(changers[i % 4] for i in range(n)), "3 Forest"), "{G}{G}", "{C}{C}{C}{C}{C}{C}{C}{C}{C}{C}{C}{C}"


def distinct_lands(n: int) -> tuple[Board, Question, Question]:
    """n permanents, half of them different from each other in their counters."""
    lands = [{"card": DUALS[i % 10], "counters": {"charge": 1 + i // 10}} for i in range(n)]
    every = dict.fromkeys("WUBRG", n // 5)
    return board(*lands), symbols(**every), symbols(**{**every, "C": 1})


FAMILIES = (
    Family("two-color lands, all alike", duals, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("lands of the ten-dual cycle", cycle, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("sources of any color", any_color, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("filter lands in a row", filters, (2, 5, 10, 20, 40), (2, 5, 10)),
    Family("filter lands without a first mana", dry_filters, (5, 10, 20, 40, 80), (5, 20, 80)),
    Family("Cascading Cataracts and n of each basic", cataracts, (5, 10, 20, 50, 100), (5, 20, 50)),
    Family("creatures that convoke", convoke, (10, 50, 200, 500, 1000), (10, 100, 500)),
    Family("replacement effects on one event", replacements, (1, 2, 4, 6, 8, 10, 12), (1, 4, 12)),
    Family("lands that look at each other", lookers, (5, 10, 20, 50, 100, 200), (5, 20, 100)),
    Family("cost modifiers", modifiers, (1, 5, 10, 20, 50), (1, 5, 20)),
    Family("type changers with dependencies", type_changers, (2, 4, 8, 16), (2, 4, 8), distinct=True),
    Family("distinct dual lands", distinct_lands, (10, 20, 40, 80), (10, 20, 40), distinct=True),
)


def work_of(some: Board, question: Question) -> Callable[[], str]:
    """A new board's verdict: the game is there, what was compiled for it is not."""
    game = game_of(some)
    if isinstance(question, str):
        return lambda: can_pay(game, question)
    return lambda: ask(some, game, question).verdict


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    for family in FAMILIES:
        points: dict[str, list[tuple[float, float]]] = {"yes": [], "no": []}
        for n in family.quick if quick else family.sizes:
            some, feasible, infeasible = family.make(n)
            for wanted, question in (("yes", feasible), ("no", infeasible)):
                work = work_of(some, question)
                says = work()
                note = "" if says == wanted else f"WRONG: {wanted} is right"
                about = {"suite": "scaling", "case": f"{family.name}: {wanted}", "n": n, "says": says, "note": note}
                figure = meter.figure(work, **about)
                points[wanted].append((n, figure.ratio or 0))
                yield figure
        for wanted, found in points.items():
            grows = exponent(found)
            if grows is not None:
                note = "kinds" if family.distinct else ""
                yield Figure(suite="growth", case=f"{family.name}: {wanted}", says=f"n^{grows:.2f}", note=note)
