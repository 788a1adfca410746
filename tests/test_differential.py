"""The solver against the brute-force reference on random boards of real cards.

Random cards almost never combine, so every board holds at least one of the things that break naive models: a sacrifice
outlet, a converter of two or more mana, a counting source, a pair of replacement effects, restricted mana, an untap
cost. `pytest -m long` runs a hundred thousand boards; here a few hundred.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawmage.model.cards import default_library
from lawmage.model.forms import FormatError
from lawmage.model.game import Unknown
from lawmage.model.mana import parse_cost
from lawmage.model.replay import Bill
from lawmage.model.setup import build_game
from lawmage.model.situation import Situation
from lawmage.model.spending import purpose_of_cost
from lawmage.solver.exhaustive import TooLarge, best_payment
from lawmage.solver.mana_net import compile_net
from lawmage.solver.payment import decide, rank

PLAIN = ["Forest", "Island", "Plains", "Swamp", "Mountain", "Wastes", "Tundra", "Taiga", "Adarkar Wastes"]
PLAIN += ["City of Brass"]
PLAIN += ["Sol Ring", "Llanowar Elves", "Birds of Paradise", "Izzet Boilerworks", "Mana Confluence", "Grizzly Bears"]
PLAIN += ["Ornithopter", "Leatherback Baloth", "Simian Spirit Guide", "Lotus Petal", "Dryad Arbor", "Ancient Tomb"]
TRICKY = {
    "outlet": ["Ashnod's Altar", "Phyrexian Altar", "Krark-Clan Ironworks", "Phyrexian Tower", "Blood Pet"],
    "converter": ["Gruul Signet", "Mystic Gate", "Manaforge Cinder", "Shire Scarecrow", "Skycloud Expanse"],
    "counting": ["Gaea's Cradle", "Nykthos, Shrine to Nyx", "Elvish Archdruid", "Priest of Titania", "Cabal Coffers"],
    "replacement": ["Mana Reflection", "Contamination", "Damping Sphere", "Nyxbloom Ancient", "Virtue of Strength"],
    "restricted": ["Ancient Ziggurat", "Eldrazi Temple", "Cavern of Souls", "Cultivator Drone"],
    "untap": ["Pili-Pala", "Devoted Druid"],
    "trigger": ["Mana Flare", "Mirari's Wake", "Kinnan, Bonder Prodigy", "Caged Sun", "Wild Growth"],
    "static": ["Blood Moon", "Urborg, Tomb of Yawgmoth", "Chromatic Lantern", "Cryptolith Rite", "Magus of the Moon"],
    "rock": ["Thran Dynamo", "Dimir Aqueduct", "Worn Powerstone", "Sol Ring", "Temple of the False God", "Gruul Turf"],
    "tapper": ["Springleaf Drum", "Heritage Druid", "Birchlore Rangers", "Relic of Legends", "Paradise Mantle"],
}
# Boards with more states than this are skipped by the reference.
MOST_STATES = int(os.environ.get("LAWMAGE_STATES", "300"))
SYMBOLS = ["{W}", "{U}", "{B}", "{R}", "{G}", "{C}", "{1}", "{2}", "{W/U}", "{R/P}", "{2/G}", "{3}"]


def permanent(name: str, rng: random.Random) -> dict[str, object]:
    out: dict[str, object] = {"card": name}
    if rng.random() < 0.15:
        out["tapped"] = True
    if rng.random() < 0.1:
        out["sick"] = True
    if name in ("Cavern of Souls",):
        out["chosen"] = {"type": "Elf"}
    if name == "Caged Sun":
        out["chosen"] = {"color": "white"}
    return out


def random_board(rng: random.Random) -> tuple[list[object], str]:
    """A small board with something tricky on it, and a cost. Mostly very small: faults show on few permanents, and
    the reference visits a hundred of such boards in the time that it takes for one large one."""
    kinds = rng.sample(sorted(TRICKY), rng.choice([1, 1, 2]))
    names = [rng.choice(TRICKY[k]) for k in kinds]
    names += [rng.choice(PLAIN) for _ in range(rng.choice([1, 1, 1, 2, 2, 2, 3, 4]))]
    if rng.random() < 0.2:
        names.append(rng.choice(names))
    board = [permanent(n, rng) for n in names]
    for p in board:
        if p["card"] in ("Wild Growth", "Paradise Mantle"):
            host = "Forest" if p["card"] == "Wild Growth" else "Grizzly Bears"
            board.append({"card": host, "id": "host"})
            p["attached_to"] = "host"
            break
    # What is written alike is compiled once (Game.lots).
    items: list[object] = [p["card"] if len(p) == 1 else p for p in board]
    cost = "".join(rng.choice(SYMBOLS) for _ in range(rng.randint(1, 4)))
    return items, cost


def mismatch(board: list[object], cost: str, life: int = 4, most_states: int = MOST_STATES) -> str | None:
    """What is wrong between solver and reference on this board, None when they agree or one of them gives up."""
    import msgspec

    situation = msgspec.convert({"players": {"alice": {"life": life, "battlefield": board}, "bob": {}}}, Situation)
    game = build_game(situation, default_library())
    bill = Bill(parse_cost(cost), purpose_of_cost(parse_cost(cost)))
    try:
        net = compile_net(game, "alice")
        decision = decide(net, [bill])
        wanted = best_payment(game, "alice", bill, most_states=most_states)
    except (TooLarge, Unknown):
        return None
    if decision.verdict == "unknown":
        assert decision.why is not None
        return f"internal: {decision.why.text}" if decision.why.code == "internal" else None
    if (decision.verdict == "yes") != (wanted is not None):
        return f"solver {decision.verdict}, reference {wanted}"
    if decision.payment is not None and decision.payment.optimal and rank(decision.payment.spent) != wanted:
        return f"solver pays {rank(decision.payment.spent)}, reference {wanted}"
    return None


def shrink(board: list[object], cost: str) -> tuple[list[object], str]:
    """The smallest board with a mismatch that leaving things out of this one leads to."""
    smaller = True
    while smaller:
        smaller = False
        for i in range(len(board)):
            less = board[:i] + board[i + 1 :]
            try:
                if mismatch(less, cost) is not None:
                    board, smaller = less, True
                    break
            except FormatError:  # attached to nothing, and the like
                continue
    return board, cost


def check(seed: int) -> None:
    board, cost = random_board(random.Random(seed))
    found = mismatch(board, cost)
    if found is not None:
        board, cost = shrink(board, cost)
        pytest.fail(f"seed {seed}: {mismatch(board, cost)} on {board} for {cost}")


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(st.integers(0, 10**9))
def test_random_boards_agree_with_the_reference(seed: int) -> None:
    check(seed)


@pytest.mark.long
def test_many_random_boards() -> None:
    first = int(os.environ.get("LAWMAGE_FIRST_SEED", "0"))
    for seed in range(first, first + int(os.environ.get("LAWMAGE_BOARDS", "100000"))):
        check(seed)
