"""Boards on which other programs are reported to freeze or to give out, and the boards that we set ourselves.

Each is asked as a user would: from the game on to the answer with its best plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .boards import BASICS, Board, ask, board, game_of, symbols
from .measure import Figure, Meter
from .scaling import most_white

# A board of 20 permanents as they stand in a game, and the same ten times over.
TWENTY = (
    "4 Forest",
    "3 Island",
    "2 Plains",
    "2 Tundra",
    "Tropical Island",
    "Llanowar Elves",
    "Birds of Paradise",
    "Sol Ring",
    "2 Mystic Gate",
    "Reflecting Pool",
    "Command Tower",
    "Grizzly Bears",
)
_COUNTED = (item.split(" ", 1) if item[0].isdigit() else ("1", item) for item in TWENTY)
TWO_HUNDRED = tuple(f"{10 * int(n)} {name}" for n, name in _COUNTED)
RAMP = (
    "Kinnan, Bonder Prodigy",
    "Nyxbloom Ancient",
    "Bloom Tender",
    "Grim Monolith",
    "Sol Ring",
    "Birds of Paradise",
    "Llanowar Elves",
    "Reflecting Pool",
    "Command Tower",
    "Gaea's Cradle",
    *("Forest", "Island", "Tropical Island") * 5,
)
FIVE_MODIFIERS = (
    "Thalia, Guardian of Thraben",
    "Sphere of Resistance",
    "Helm of Awakening",
    "Goblin Electromancer",
    "Trinisphere",
    *("Mountain", "Volcanic Island", "Steam Vents", "Island") * 5,
)


FIFTY = board("50 Cascading Cataracts", *(f"50 {basic}" for basic in BASICS))


class Freeze(NamedTuple):
    name: str
    board: Board
    query: dict[str, Any]
    verdict: str
    slow: bool = False  # left out of a quick run
    peer: str = ""


def cost(text: str, **more: Any) -> dict[str, Any]:
    return {"kind": "can_pay", "cost": text, **more}


FREEZES = (
    Freeze("20 permanents", board(*TWENTY), cost("{3}{W}{U}{U}{G}"), "yes"),
    Freeze("20 permanents, not payable", board(*TWENTY), cost(symbols(W=12)), "no"),
    Freeze("200 permanents", board(*TWO_HUNDRED), cost("{3}{W}{U}{U}{G}"), "yes"),
    Freeze("25 permanents with Kinnan, Nyxbloom Ancient, Bloom Tender, Grim Monolith", board(*RAMP), cost("{9}{G}{U}"),
           "yes"),
    Freeze("12 lands under Dryad of the Ilysian Grove",
           board("Dryad of the Ilysian Grove", *("Forest", "Wastes", "Mountain", "Plains") * 3), cost(symbols(U=12)),
           "yes"),
    Freeze("500 creatures and a spell with convoke in hand", board("500 Grizzly Bears", hand=("Siege Wurm",)),
           {"kind": "can_cast", "card": "Siege Wurm"}, "yes"),
    Freeze("300 replacement effects", board("300 Nyxbloom Ancient", "Forest"), cost("{80}{G}"), "yes"),
    Freeze("50 Cascading Cataracts with 50 of each basic", FIFTY,
           cost(symbols(W=most_white(50))), "yes", peer="XMage, n = 7: 40 s"),
    Freeze("the same, one too many", FIFTY,
           cost(symbols(W=most_white(50) + 1)), "no"),
    Freeze("20 filter lands with no first mana", board("20 Mystic Gate"), cost("{W}"), "no"),
    Freeze("10 Reflecting Pools with a Forest", board("10 Reflecting Pool", "Forest"), cost(symbols(G=11)), "yes",
           peer="XMage: 79 s"),
    Freeze("casting with five cost modifiers, 25 permanents", board(*FIVE_MODIFIERS, hand=("Lightning Bolt",)),
           {"kind": "can_cast", "card": "Lightning Bolt"}, "yes"),
    Freeze("the greatest X, 80", board("81 Mountain", hand=("Fireball",)),
           {"kind": "can_cast", "card": "Fireball", "x": "max"}, "yes"),
)  # fmt: skip


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    for freeze in FREEZES:
        if quick and freeze.slow:
            continue
        game = game_of(freeze.board)

        def work(freeze: Freeze = freeze, game: Any = game) -> str:
            return ask(freeze.board, game, freeze.query).verdict

        says = work()
        note = freeze.peer if says == freeze.verdict else f"WRONG: {freeze.verdict} is right"
        yield meter.figure(work, suite="freezes", case=freeze.name, says=says, note=note)
