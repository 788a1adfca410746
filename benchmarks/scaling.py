"""How the time grows with the board: a new board from the game on (characteristics, net, decision, referee).

Every family has a question that can be paid and one that cannot, as both are different work. Each is measured whole,
and its compiling and solving alone: those work on classes of permanents that are alike, so they should hardly grow
with such, while the plan names every permanent that it taps. Fitted exponents are in the number n of the family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from msgspec.structs import replace

from lawmage.model.game import Game

from .boards import BASICS, DUALS, Board, anew, ask_on, board, game_of, net_of, pay, symbols
from .measure import Figure, Meter, exponent
from .watch import Watch, watching

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


def filters_on_basics(n: int) -> tuple[Board, Question, Question]:
    """Each of n filter lands makes {W}{W} out of {U}; two that make {C} leave n - 2, and two {U} that stay blue."""
    return board(f"{n} Mystic Gate", f"{n} Island"), symbols(W=2 * n - 4, C=2), symbols(W=2 * n - 3, C=2)


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
    """n lands that differ in what they make: one mana of a choice of types, then two of it, then three."""
    lands = [_land(i) for i in range(n)]
    white = sum(max(words.count("{W}") for words in land["card"]["oracle_text"].split()) for land in lands)
    return board(*lands), symbols(**dict.fromkeys("WUBRGC", n // 10)), symbols(W=white + 1)


def _land(i: int) -> dict[str, Any]:
    choices = [types for k in (2, 3, 4, 5) for types in combinations("WUBRGC", k)]
    amount, at = divmod(i, len(choices))
    *first, last = (f"{{{t}}}" * (amount + 1) for t in choices[at])
    text = f"{{T}}: Add {', '.join(first)}{',' if len(first) > 1 else ''} or {last}."
    return {"card": {"name": f"Land {i + 1}", "type_line": "Land", "oracle_text": text}}


# The cycles of ten, guild by guild: what filters, what converts, what hurts, what needs nothing.
CYCLES = (
    ("Mystic Gate", "Sunken Ruins", "Graven Cairns", "Fire-Lit Thicket", "Wooded Bastion", "Fetid Heath",
     "Cascade Bluffs", "Twilight Mire", "Rugged Prairie", "Flooded Grove"),
    ("Azorius Signet", "Dimir Signet", "Rakdos Signet", "Gruul Signet", "Selesnya Signet", "Orzhov Signet",
     "Izzet Signet", "Golgari Signet", "Boros Signet", "Simic Signet"),
    ("Adarkar Wastes", "Underground River", "Sulfurous Springs", "Karplusan Forest", "Brushland", "Caves of Koilos",
     "Shivan Reef", "Llanowar Wastes", "Battlefield Forge", "Yavimaya Coast"),
    ("Talisman of Progress", "Talisman of Dominance", "Talisman of Indulgence", "Talisman of Impulse",
     "Talisman of Unity", "Talisman of Hierarchy", "Talisman of Creativity", "Talisman of Resilience",
     "Talisman of Conviction", "Talisman of Curiosity"),
    DUALS,
)  # fmt: skip


GUILDS = ("WU", "UB", "BR", "RG", "GW", "WB", "UR", "BG", "RW", "GU")


def distinct_converters(n: int) -> tuple[Board, Question, Question]:
    """n different permanents of five cycles, in turn: two mana of either color of a guild from five of them, or one
    {C} more than there are permanents that make it."""
    names = [CYCLES[i % 5][i // 5] for i in range(n)]
    colored = Counter("".join(2 * guild for guild in GUILDS[: n // 5]))
    colorless = sum(name not in CYCLES[1] and name not in DUALS for name in names)
    return board(*names), symbols(**colored), symbols(C=colorless + 1)


FAMILIES = (
    Family("two-color lands, all alike", duals, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("lands of the ten-dual cycle", cycle, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("sources of any color", any_color, (10, 20, 50, 100, 200, 400), (10, 40, 200)),
    Family("filter lands in a row", filters, (2, 5, 10, 20, 40), (2, 5, 10)),
    Family("filter lands on as many basics", filters_on_basics, (5, 10, 20, 40, 80), (5, 10, 40)),
    Family("filter lands without a first mana", dry_filters, (5, 10, 20, 40, 80), (5, 20, 80)),
    Family("Cascading Cataracts and n of each basic", cataracts, (5, 10, 20, 50, 100), (5, 20, 50)),
    Family("creatures that convoke", convoke, (10, 50, 200, 500, 1000), (10, 100, 500)),
    Family("replacement effects on one event", replacements, (1, 2, 4, 6, 8, 10, 12), (1, 4, 12)),
    Family("lands that look at each other", lookers, (5, 10, 20, 50, 100, 200), (5, 20, 100)),
    Family("cost modifiers", modifiers, (1, 5, 10, 20, 50), (1, 5, 20)),
    Family("type changers with dependencies", type_changers, (2, 4, 8, 16, 32), (2, 4, 8), distinct=True),
    Family("distinct lands", distinct_lands, (10, 20, 40, 80, 160), (10, 20, 80), distinct=True),
    Family("distinct filters, signets, talismans, lands", distinct_converters, (10, 20, 30, 40, 50), (10, 20, 30),
           distinct=True),
)  # fmt: skip

WHOLE, CORE = "whole", "compile and solve"


def work_of(some: Board, question: Question) -> tuple[Game, Callable[[Game], str]]:
    """The game that is asked about, and the question on it."""
    if isinstance(question, str):
        return game_of(some), lambda game: pay(net_of(game), question).verdict
    return game_of(some), lambda game: ask_on(some, game, question).verdict


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    for family in FAMILIES:
        points: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for n in family.quick if quick else family.sizes:
            some, feasible, infeasible = family.make(n)
            for wanted, question in (("yes", feasible), ("no", infeasible)):
                for part, figure in _measured(meter, family, n, some, question, wanted).items():
                    points.setdefault((wanted, part), []).append((n, figure.ratio or 0))
                    if part in (WHOLE, CORE):
                        yield figure
        yield from _growth(family, points)


def _measured(meter: Meter, family: Family, n: int, some: Board, question: Question, wanted: str) -> dict[str, Figure]:
    game, work = work_of(some, question)
    says = work(anew(game))  # also imports what is imported when it is first needed
    note = "" if says == wanted else f"WRONG: {wanted} is right"

    def parts(watch: Watch) -> dict[str, float]:
        spent = watch.stages_of(game, work)
        return {WHOLE: sum(spent.values()), CORE: spent["compile"] + spent["solve"], **spent}

    about = {"suite": "scaling", "case": f"{family.name}: {wanted}", "n": n, "says": says, "note": note}
    with watching() as watch:
        figures = meter.figures(lambda: parts(watch), **about)
    return {part: replace(figure, who=part) for part, figure in figures.items()}


def _growth(family: Family, points: dict[tuple[str, str], list[tuple[float, float]]]) -> Iterator[Figure]:
    for wanted in ("yes", "no"):
        for part in (WHOLE, CORE, "layers", "plan"):
            grows = exponent(points[wanted, part])
            if grows is not None and (part, wanted) != ("plan", "no"):
                case, note = f"{family.name}: {wanted}", "distinct" if family.distinct else "alike"
                yield Figure(suite="growth", case=case, who=part, says=f"n^{grows:.2f}", note=note)
