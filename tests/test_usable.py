"""Which permanents occur in some way of paying that wastes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

import lawmage
from lawmage.model.asking import resolve_question
from lawmage.model.cards import default_library
from lawmage.model.documents import read_case
from lawmage.model.setup import build_game
from lawmage.solver.queries import answer


def usable(battlefield: list[Any], *hand: str, **query: Any) -> dict[str, Any]:
    situation = {"players": {"alice": {"battlefield": battlefield, "hand": list(hand)}, "bob": {}}}
    case = read_case(json.dumps({"id": "t", "situation": situation, "query": {"kind": "usable", **query}}))
    game = build_game(case.situation, default_library())
    return answer(game, resolve_question(case.query, game, default_library())).wire()


@pytest.mark.parametrize(
    ("battlefield", "cost", "wanted"),
    [
        (["2 Forest", "Island", "Llanowar Elves"], "{U}", ["Island"]),
        (["2 Forest", "Island"], "{G}", ["Forest", "Forest#2"]),
        (["Forest", "Island", "Gruul Signet"], "{U}", ["Island"]),
        (["Forest", "Island", "Gruul Signet"], "{R}", ["Forest", "Island", "Gruul Signet"]),
        (["Forest", "Mountain"], "{G}{G}", []),
        (["Ashnod's Altar", "Grizzly Bears", "Forest"], "{G}", ["Forest"]),
        (["Ashnod's Altar", "Grizzly Bears", "Forest"], "{2}", ["Ashnod's Altar", "Grizzly Bears", "Forest"]),
        (["Springleaf Drum", "Grizzly Bears", "Forest"], "{R}", ["Springleaf Drum", "Grizzly Bears"]),
        (["Sol Ring", "Mountain", {"card": "Mountain", "tapped": True}], "{1}", ["Sol Ring", "Mountain"]),
        ([], "{0}", []),
    ],
)
def test_what_pays_for_a_cost(battlefield: list[Any], cost: str, wanted: list[str]) -> None:
    found = usable(battlefield, cost=cost)
    assert (found["verdict"], found["usable"]) == ("known", wanted)


def test_restrictions_count() -> None:
    board = ["Ancient Ziggurat", "Mountain", "Forest"]
    assert usable(board, "Lightning Bolt", card="Lightning Bolt")["usable"] == ["Mountain"]
    assert usable(board, "Grizzly Bears", card="Grizzly Bears")["usable"] == board


def test_what_is_kept_back_is_not_usable() -> None:
    board = ["Sol Ring", "Mountain", "Forest"]
    assert usable(board, cost="{1}", keep="{R}")["usable"] == ["Sol Ring", "Forest"]


def test_many_equal_permanents_share_the_answer() -> None:
    found = usable(["50 Forest", "20 Mountain"], cost="{G}{G}")
    assert len(found["usable"]) == 50


def test_what_is_sacrificed_for_mana_may_pay_for_delve() -> None:
    """601.2g-h: in the graveyard the Petal pays the seventh mana, and then every Swamp is of use."""
    players = {"alice": {"battlefield": ["Swamp"] * 5 + ["Lotus Petal"], "hand": ["Gurmag Angler"]}, "bob": {}}
    for query in ({"kind": "usable", "card": "Gurmag Angler"}, {"kind": "can_cast_all", "cards": ["Gurmag Angler"]}):
        answer = lawmage.ask({"players": players, "query": query})
        assert isinstance(answer, lawmage.Reply) and answer.verdict == "unknown"
