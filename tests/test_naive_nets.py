"""Boards that break a naive model of paying, each with its right answer and why."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.model.cards import default_library
from lawmage.model.situation import build_game, read_query, read_situation, resolve_question
from lawmage.solver.answer import Answer
from lawmage.solver.queries import answer

MANTLED = [{"card": "Pili-Pala", "id": "pili"}, {"card": "Paradise Mantle", "attached_to": "pili"}]
ORRERY = {"card": "Chromatic Orrery", "tapped": True}
SUN = {"card": "Caged Sun", "chosen": {"color": "white"}}


def ask(board: list[Any], query: dict[str, Any], **player: Any) -> Answer:
    situation = read_situation({"players": {"alice": {"battlefield": board, **player}, "bob": {}}})
    game = build_game(situation, default_library())
    return answer(game, resolve_question(read_query(query), game, default_library()))


def can_pay(board: list[Any], cost: str, **more: Any) -> Answer:
    return ask(board, {"kind": "can_pay", "cost": cost, **more})


@pytest.mark.parametrize(
    ("board", "cost", "verdict"),
    [
        # The sacrifice that funds the Cinder's ability removes the Cinder.
        (["Ashnod's Altar", "Manaforge Cinder"], "{R}", "no"),
        # The Ironworks sacrifices itself; the Signet stays.
        (["Krark-Clan Ironworks", "Gruul Signet"], "{R}", "yes"),
        # Devotion counts what is still there: a Baloth sacrificed for the {2} is three devotion less.
        (["Nykthos, Shrine to Nyx", "Ashnod's Altar", "2 Leatherback Baloth"], "{G}{G}{G}{G}", "no"),
        (["Nykthos, Shrine to Nyx", "Ashnod's Altar", "2 Leatherback Baloth"], "{G}{G}{G}", "yes"),
        # The Moon is sacrificed, then Tundra is an Island again.
        (["Magus of the Moon", "Ashnod's Altar", "Tundra"], "{U}", "yes"),
        # Kinnan sees the Petal sacrificed, and is then sacrificed to the Altar.
        (["Kinnan, Bonder Prodigy", "Ashnod's Altar", "Lotus Petal"], "{3}{G}", "yes"),
        (["Kinnan, Bonder Prodigy", "Ashnod's Altar", "Lotus Petal"], "{4}{G}", "no"),
        # A greedy order taps the wrong thing first.
        (["2 Forest", "Gruul Signet", "Henge of Ramos"], "{R}{U}", "yes"),
        (["Underground Sea", "Mystic Gate"], "{W}{B}", "no"),
        # Filter lands cannot feed each other out of nothing.
        (["20 Mystic Gate"], "{W}", "no"),
        # Greatest power four: Selvala's mana comes after her {G}.
        (["Mountain", "Selvala, Heart of the Wilds", "Leatherback Baloth", ORRERY], "{4}", "yes"),
        # One extra {W} for the Cataracts, however much of it is white.
        (["5 Forest", "Cascading Cataracts", SUN], "{W}{W}{W}{W}{W}", "yes"),
        (["5 Forest", "Cascading Cataracts", SUN], "{W}{W}{W}{W}{W}{W}", "yes"),
        (["5 Forest", "Cascading Cataracts", SUN], "{W}{W}{W}{W}{W}{W}{W}", "no"),
        (["5 Forest", "Cascading Cataracts", SUN], "{W}{W}{U}{U}{U}{U}", "yes"),
        (["5 Forest", "Cascading Cataracts", SUN], "{W}{U}{U}{U}{U}{U}", "no"),
        (["5 Forest", "Cascading Cataracts", SUN], "{U}{U}{U}{U}{U}", "yes"),
        # Doubling Cube once, twice, thrice: 5 left after {3} is doubled, and so on.
        (["8 Wastes", "Doubling Cube"], "{C}" * 10, "yes"),
        (["8 Wastes", "Doubling Cube"], "{C}" * 11, "no"),
        (["8 Wastes", "2 Doubling Cube"], "{C}" * 14, "yes"),
        (["8 Wastes", "2 Doubling Cube"], "{C}" * 15, "no"),
        (["8 Wastes", "3 Doubling Cube"], "{C}" * 22, "yes"),
        (["8 Wastes", "3 Doubling Cube"], "{C}" * 23, "no"),
        # Each Pili-Pala untaps itself; the one that is tapped has to be the one.
        ([{"card": "Pili-Pala", "tapped": True}, "Izzet Boilerworks", "Pili-Pala"], "{B}", "yes"),
        (["Izzet Boilerworks", "Pili-Pala"], "{B}", "no"),
        # Once each turn is once for each Scarecrow: the one that was used is the one to sacrifice.
        (["2 Shire Scarecrow", "Ashnod's Altar", "Wastes"], "{U}{W/U}", "yes"),
        (["Shire Scarecrow", "Ashnod's Altar", "Wastes"], "{U}{W/U}", "no"),
    ],
)
def test_right_answers(board: list[Any], cost: str, verdict: str) -> None:
    assert can_pay(board, cost).verdict == verdict


def test_caged_sun_needs_white_mana() -> None:
    assert can_pay(["5 Forest", "Cascading Cataracts", SUN], "{6}").verdict == "yes"
    assert can_pay(["5 Forest", SUN], "{6}").verdict == "no"


def test_a_powerstone_pays_for_a_signet_whose_mana_casts_a_creature() -> None:
    powerstone = {"card": "Powerstone", "token": True}
    bears = {"kind": "can_cast", "card": "Grizzly Bears"}
    assert ask([powerstone, "Gruul Signet"], bears, hand=["Grizzly Bears"]).verdict == "yes"
    assert ask([powerstone, "Forest"], bears, hand=["Grizzly Bears"]).verdict == "no"


def test_pili_pala_with_a_mantle_and_training_grounds_is_unbounded() -> None:
    board = [*MANTLED, "Training Grounds", "Forest"]
    found = ask(board, {"kind": "mana"})
    assert found.values["unbounded"]["types"] == list("WUBRG")
    assert can_pay(board, "{10}{W}{U}{B}{R}{G}").verdict == "yes"


def test_pili_pala_with_a_mantle_alone_goes_round_without_gain() -> None:
    found = ask([*MANTLED, {"card": "Mountain", "tapped": True}], {"kind": "mana"})
    assert "unbounded" not in found.values
    assert sorted(found.values["maximal"]) == ["{B}", "{G}", "{R}", "{U}", "{W}"]
    assert can_pay([*MANTLED, "Mountain"], "{3}").verdict == "no"


def test_three_adarkar_wastes_have_ten_pools() -> None:
    found = ask(["3 Adarkar Wastes"], {"kind": "mana"})
    assert found.values["count"] == 10


def test_the_best_payment_spares_what_is_dear() -> None:
    spent = can_pay(["Forest", {"card": "Treasure", "token": True}], "{G}").values["spent"]
    assert (spent["permanents_lost"], spent["taps"]) == (0, 1)
    spent = can_pay(["Adarkar Wastes"], "{1}").values["spent"]
    assert spent["damage"] == 0
    spent = can_pay(["Simic Growth Chamber", "Forest", "Island"], "{G}{U}").values["spent"]
    assert (spent["taps"], spent["floating"]) == (1, "")
    spent = can_pay(["Simic Growth Chamber", "Forest"], "{G}").values["spent"]
    assert spent["floating"] == ""


def test_keep_leaves_the_other_cost_payable() -> None:
    board = ["Forest", "Taiga"]
    assert can_pay(board, "{G}", keep="{R}").verdict == "yes"
    assert can_pay(board, "{G}{R}", keep="{1}").verdict == "no"


def test_the_greatest_x() -> None:
    found = can_pay(["5 Forest", "Sol Ring"], "{X}{G}", x="max")
    assert found.values["x"] == 6


def test_sacrificing_before_proposing_lowers_the_cost() -> None:
    """The total cost is locked in as the spell is proposed (601.2f): a Bear that is in the graveyard by then takes
    {1} off. Sacrificed while paying, three of them and the Forest make seven mana for a cost of eight."""
    board = ["3 Grizzly Bears", "Ashnod's Altar", "Forest"]
    found = ask(board, {"kind": "can_cast", "card": "Ghoultree"}, hand=["Ghoultree"])
    assert found.verdict == "yes"
    assert found.values["total_cost"] == "{6}{G}"
    phases = [step["phase"] for step in found.values["plan"] if "phase" in step]
    assert phases.count("before") == 1
    board[0] = "2 Grizzly Bears"
    assert ask(board, {"kind": "can_cast", "card": "Ghoultree"}, hand=["Ghoultree"]).verdict == "no"
