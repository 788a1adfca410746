"""The search for the greatest payable X."""

from __future__ import annotations

import pytest

import lawmage
from lawmage.solver.payment import Decision
from lawmage.solver.x_value import greatest_x


@pytest.mark.parametrize("most", [0, 1, 2, 3, 7, 8, 80, 1000])
def test_the_greatest_x(most: int) -> None:
    assert greatest_x(lambda x, best: Decision("yes" if x <= most else "no"))[0] == most


@pytest.mark.parametrize(("most", "expected"), [(3, 3), (4, 3), (9, 9), (10, 9), (1, 1)])
def test_values_that_may_not_be_announced(most: int, expected: int) -> None:
    def ask(x: int, best: bool) -> Decision | None:
        return Decision("yes" if x <= most else "no") if x % 2 else None

    x, decision = greatest_x(ask)
    assert (x, decision.verdict) == (expected, "yes")


def test_nothing_is_payable() -> None:
    x, decision = greatest_x(lambda x, best: Decision("no"))
    assert (x, decision.verdict) == (0, "no")
    assert greatest_x(lambda x, best: None)[1].verdict == "no"


def test_an_unknown_stops_the_search() -> None:
    assert greatest_x(lambda x, best: Decision("yes" if x < 5 else "unknown"))[1].verdict == "unknown"


# --- what X may be as it is announced (107.3) -------------------------------------------------------------------------

HELM = {
    "name": "Some Helm",
    "type_line": "Artifact",
    "oracle_text": "{X}, {T}: Target opponent mills X cards. X can't be 0.",
}
SPARK = {
    "name": "Some Spark",
    "mana_cost": "{X}{R}",
    "type_line": "Sorcery",
    "oracle_text": "X can't be greater than the number of players in the game.\nDraw X cards.",
}
TABLE = {
    "name": "Some Table",
    "type_line": "Artifact",
    "oracle_text": "{X}, {T}: Draw two cards. X is the number of cards in an opponent's hand.",
}


def _asked(query: dict[str, object], lands: int, **players: object) -> dict[str, object]:
    alice = {"battlefield": [{"card": HELM}, {"card": TABLE}, f"{lands} Mountain"], "hand": [{"card": SPARK}]}
    return lawmage.ask({"players": {"alice": alice, "bob": {}, **players}, "query": query}).wire()


def test_x_is_no_less_than_the_text_allows() -> None:
    activate = {"kind": "can_activate", "permanent": "Some Helm"}
    assert _asked({**activate, "x": 0}, 1)["verdict"] == "no"
    assert _asked(activate, 1)["verdict"] == "yes"
    assert _asked({**activate, "x": "max"}, 3)["x"] == 3


def test_x_is_no_greater_than_the_text_allows() -> None:
    cast = {"kind": "can_cast", "card": "Some Spark"}
    assert _asked({**cast, "x": 2}, 4)["verdict"] == "yes"
    assert _asked({**cast, "x": 3}, 4)["verdict"] == "no"
    assert _asked({**cast, "x": "max"}, 9)["x"] == 2
    assert _asked({**cast, "x": "max"}, 9, carol={})["x"] == 3


def test_an_opponent_is_one_of_them() -> None:
    query = {"kind": "can_activate", "permanent": "Some Table"}
    assert _asked(query, 2, bob={"hand": 3})["verdict"] == "no"
    assert _asked(query, 2, bob={"hand": 3}, carol={"hand": 2})["verdict"] == "yes"
