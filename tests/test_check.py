"""Lines step by step: what plans say, what people leave out, and the first bad step."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from lawmage.model.asking import resolve_question
from lawmage.model.cards import default_library
from lawmage.model.documents import read_case
from lawmage.model.questions import CanPay, Check, StepForm
from lawmage.model.setup import build_game
from lawmage.model.situation import Situation
from lawmage.solver.queries import answer

from .test_differential import random_board


def asked(alice: dict[str, Any], query: dict[str, Any], bob: dict[str, Any] | None = None) -> dict[str, Any]:
    case = read_case(
        json.dumps({"id": "t", "situation": {"players": {"alice": alice, "bob": bob or {}}}, "query": query})
    )
    game = build_game(case.situation, default_library())
    return answer(game, resolve_question(case.query, game, default_library())).wire()


def check(battlefield: list[Any], hand: list[Any], *line: dict[str, Any], **alice: Any) -> dict[str, Any]:
    return asked({"battlefield": battlefield, "hand": hand, **alice}, {"kind": "check", "line": list(line)})


def tap(oid: str, **more: Any) -> dict[str, Any]:
    return {"activate": oid, **more}


CAST_BEARS = {"cast": "Grizzly Bears"}
PAY_BEARS = {"pay": "{1}{G}"}


# --- plans ------------------------------------------------------------------------------------------------------------

QUESTIONS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"battlefield": ["2 Forest"], "hand": ["Grizzly Bears"]}, {"kind": "can_cast", "card": "Grizzly Bears"}),
    ({"battlefield": ["Gruul Signet", "Forest"]}, {"kind": "can_pay", "cost": "{R}{G}"}),
    (
        {"battlefield": ["Ancient Ziggurat", "Forest"], "hand": ["Grizzly Bears"]},
        {"kind": "can_cast", "card": "Grizzly Bears"},
    ),
    (
        {"battlefield": ["Eldrazi Temple"], "hand": ["Eldrazi Mimic"]},
        {"kind": "can_pay", "cost": "{2}", "for": {"cast": "Eldrazi Mimic"}},
    ),
    ({"battlefield": ["Doubling Cube", "5 Forest"]}, {"kind": "can_pay", "cost": "{4}"}),
    ({"battlefield": ["Ashnod's Altar", "2 Grizzly Bears"]}, {"kind": "can_pay", "cost": "{4}"}),
    ({"battlefield": ["Forest"], "life": 4}, {"kind": "can_pay", "cost": "{R/P}{G}"}),
    ({"battlefield": ["Lion's Eye Diamond"], "hand": ["Opt"]}, {"kind": "can_pay", "cost": "{B}{B}"}),
    ({"battlefield": ["4 Mountain"], "hand": ["Fireball"]}, {"kind": "can_cast", "card": "Fireball", "x": 3}),
    ({"battlefield": ["Springleaf Drum", "Grizzly Bears"]}, {"kind": "can_pay", "cost": "{U}"}),
    ({"battlefield": ["2 Pithing Needle", "Wall of Roots"]}, {"kind": "can_pay", "cost": "{G}"}),
    ({"battlefield": ["Walking Ballista", "4 Forest"]}, {"kind": "can_activate", "permanent": "Walking Ballista"}),
]


@pytest.mark.parametrize(("alice", "query"), QUESTIONS, ids=[str(n) for n in range(len(QUESTIONS))])
def test_plans_are_accepted(alice: dict[str, Any], query: dict[str, Any]) -> None:
    found = asked(alice, query)
    assert found["verdict"] == "yes", found
    checked = asked(alice, {"kind": "check", "line": found["plan"]})
    assert checked["verdict"] == "yes", checked
    assert checked["spent"] == found["spent"]


@pytest.mark.parametrize("seed", range(60))
def test_plans_of_random_boards_are_accepted_with_and_without_details(seed: int) -> None:
    board, cost = random_board(random.Random(seed))
    situation = msgspec.convert({"players": {"alice": {"life": 4, "battlefield": board}, "bob": {}}}, Situation)
    game = build_game(situation, default_library())
    found = answer(game, CanPay(cost=cost, player="alice"), explain=False).wire()
    if found["verdict"] != "yes":
        return
    line = msgspec.convert(json.loads(json.dumps(found["plan"])), tuple[StepForm, ...])
    checked = answer(game, Check(line=line, player="alice")).wire()
    assert (checked["verdict"], checked["spent"]) == ("yes", found["spent"])
    bare = [msgspec.structs.replace(s, with_={}, produces=None, triggered=(), order=(), phase=None) for s in line]
    assert answer(game, Check(line=tuple(bare), player="alice")).verdict == "yes"


def test_another_players_help_is_part_of_the_line() -> None:
    alice = {"battlefield": ["2 Plains", "Forest"], "hand": ["Play of the Game"]}
    bob = {"battlefield": ["3 Forest", "Sol Ring"]}
    found = asked(alice, {"kind": "can_cast", "card": "Play of the Game"}, bob)
    assert found["verdict"] == "yes"
    assert [s for s in found["plan"] if s.get("who") == "bob" and "activate" in s]
    assert asked(alice, {"kind": "check", "line": found["plan"]}, bob)["verdict"] == "yes"
    spell, *rest = found["plan"]
    assert asked(alice, {"kind": "check", "line": [*rest, spell]}, bob)["verdict"] == "no"


def test_another_player_pays_generic_mana_alone() -> None:
    alice = {"mana_pool": "{W}", "hand": ["Play of the Game"]}
    assert (
        asked(alice, {"kind": "can_cast", "card": "Play of the Game"}, {"mana_pool": "{W}{W}{W}{W}{W}{W}{W}"})[
            "verdict"
        ]
        == "no"
    )


# --- what people write ------------------------------------------------------------------------------------------------


def test_details_may_be_left_out() -> None:
    assert check(["2 Forest"], ["Grizzly Bears"], tap("Forest"), tap("Forest#2"), CAST_BEARS)["verdict"] == "yes"
    line = CAST_BEARS, tap("Forest"), tap("Forest#2"), PAY_BEARS
    assert check(["2 Forest"], ["Grizzly Bears"], *line)["verdict"] == "yes"
    assert check(["Ashnod's Altar", "Grizzly Bears"], [], tap("Ashnod's Altar"), {"pay": "{2}"})["verdict"] == "yes"


def test_later_steps_say_what_earlier_ones_left_open() -> None:
    board = ["2 City of Brass"]
    line = tap("City of Brass"), tap("City of Brass#2"), {"pay": "{U}"}, {"pay": "{R}"}
    assert check(board, [], *line)["verdict"] == "yes"


def test_a_land_is_played_and_used() -> None:
    line = {"play_land": "Forest#3"}, tap("Forest#3"), {"pay": "{G}"}
    found = check(["2 Forest"], ["Forest"], *line)
    assert found["verdict"] == "yes"
    assert found["after"]["players"]["alice"]["lands_played"] == 1
    assert check(["2 Forest"], ["Forest"], *line, lands_played=1)["at"] == 1


def test_a_spell_resolves_before_what_it_left_is_used() -> None:
    line = tap("Forest"), {"cast": "Sol Ring"}, {"pay": "{1}"}, tap("Sol Ring"), {"pay": "{2}"}
    assert check(["Forest"], ["Sol Ring"], *line)["verdict"] == "yes"


def test_the_line_leads_to_a_situation() -> None:
    found = check(["2 Forest"], ["Grizzly Bears"], CAST_BEARS, tap("Forest"), tap("Forest#2"), PAY_BEARS)
    after = found["after"]
    assert [item["card"] for item in after["stack"]] == ["Grizzly Bears"]
    assert after["players"]["alice"]["cast_this_turn"] == ["Grizzly Bears"]
    assert build_game(msgspec.convert(after, Situation), default_library()).objects["Forest"].tapped


# --- bad steps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "code", "line"),
    [
        (3, "cost_unpayable", (CAST_BEARS, tap("Forest"), tap("Forest"), PAY_BEARS)),
        (3, "not_payable", (CAST_BEARS, tap("Forest"), PAY_BEARS)),
        (3, "not_payable", (CAST_BEARS, tap("Forest"), {"pay": "{G}"})),
        (1, "not_payable", (CAST_BEARS,)),
        (1, "sum", ({**CAST_BEARS, "total_cost": "{G}"}, tap("Forest"), {"pay": "{G}"})),
        (1, "produces_nothing", (tap("Forest", produces="{U}"),)),
        (2, "cannot_activate", (tap("Forest"), tap("Grizzly Bears"))),
        (1, "cost_unpayable", (tap("Forest", **{"with": {"tap": ["Forest#2"]}}),)),
        (1, "cost_unpayable", (tap("Forest", **{"with": {"life": 1}}),)),
        (1, "cost_unpayable", (tap("Forest", **{"with": {"money": 1}}),)),
        (1, "rule", ({"pay": "{Q!}"},)),
        (1, "rule", ({"pay": "other"},)),
        (4, "rule", (CAST_BEARS, tap("Forest"), tap("Forest#2"), {"pay": "{G}{G}"})),
        (2, "timing", (CAST_BEARS, tap("Forest", phase="before"))),
        (1, "cost_unpayable", ({"pay": "{1}", "who": "bob"},)),
    ],
)
def test_the_first_bad_step(at: int, code: str, line: tuple[dict[str, Any], ...]) -> None:
    found = check(["2 Forest"], ["Grizzly Bears"], *line)
    assert (found["verdict"], found["at"]) == ("no", at), found
    assert found["because"][0]["code"] == code
    assert found["because"][0]["rule"]


def test_restricted_mana_is_no_payment_for_anything_else() -> None:
    board = ["Ancient Ziggurat"]
    line = {"cast": "Lightning Bolt", "targets": ["bob"]}, tap("Ancient Ziggurat", produces="{R}"), {"pay": "{R}"}
    found = check(board, ["Lightning Bolt"], *line)
    assert (found["at"], found["because"][0]["code"]) == (3, "restricted")


def test_the_order_of_activations_counts() -> None:
    line = tap("Gruul Signet"), tap("Forest"), {"pay": "{R}{G}"}
    assert check(["Gruul Signet", "Forest"], [], *line)["at"] == 1


def test_a_sick_creature_does_not_tap() -> None:
    found = check([{"card": "Llanowar Elves", "sick": True}], [], tap("Llanowar Elves"))
    assert (found["at"], found["rules"]) == (1, ["302.6"])


def test_many_open_choices_are_decided() -> None:
    cities = ["City of Brass", *(f"City of Brass#{n}" for n in range(2, 6))]
    line = [*(tap(c) for c in cities), {"pay": "{W}{U}{B}{R}{G}{G}"}]
    assert check(["5 City of Brass"], [], *line)["at"] == 6
    assert check(["5 City of Brass"], [], *line[:-1], {"pay": "{W}{U}{B}{R}{R}"})["verdict"] == "yes"


def test_an_empty_line_is_legal_and_huge_numbers_are_read() -> None:
    assert check(["Forest"], [])["verdict"] == "yes"
    assert check(["Forest"], [], {"pay": "{99999999999}"})["at"] == 1
    assert check(["Forest"], [], {"pay": "{G}", "n": 10**9})["at"] == 1


# --- replacement effects, and abilities that use the stack ------------------------------------------------------------


def test_the_order_that_a_step_says_leads_to_its_mana() -> None:
    board = ["Forest", "Mana Reflection", "Mana Reflection"]

    def judged(order: list[str], produces: str, opp: list[Any]) -> dict[str, Any]:
        step = {**tap("Forest"), "order": order, "produces": produces}
        return asked({"battlefield": board}, {"kind": "check", "line": [step]}, {"battlefield": opp})

    both = ["Mana Reflection", "Mana Reflection#2"]
    assert judged(both, "{G}{G}{G}{G}", [])["verdict"] == "yes"
    assert judged(both[::-1], "{G}{G}{G}{G}", [])["verdict"] == "yes"
    assert judged(["Contamination", *both], "{B}{B}{B}{B}", ["Contamination"])["verdict"] == "yes"
    assert judged([*both, "Contamination"], "{B}", ["Contamination"])["verdict"] == "yes"
    assert judged([*both, "Contamination"], "{B}{B}{B}{B}", ["Contamination"])["at"] == 1
    assert judged(both[:1], "{G}{G}{G}{G}", [])["at"] == 1
    assert judged(both[:1] * 2, "{G}{G}{G}{G}", [])["at"] == 1
    assert judged(["Forest", *both], "{G}{G}{G}{G}", [])["at"] == 1


def test_an_activated_ability_is_on_the_stack_until_it_resolves() -> None:
    line = [{"activate": "Prodigal Sorcerer", "ability": 1, "targets": ["bob"]}]
    found = asked({"battlefield": ["Prodigal Sorcerer", "Forest"]}, {"kind": "check", "line": line})
    assert found["verdict"] == "yes"
    assert [item["source"] for item in found["after"]["stack"]] == ["Prodigal Sorcerer"]
    again = asked({}, {"kind": "can_cast", "card": "Llanowar Elves"})
    assert again["verdict"] == "no"


def test_an_ability_resolves_before_what_needs_that() -> None:
    board = ["Jaya Ballard", "Forest"]
    jaya = {"activate": "Jaya Ballard", "ability": 1, "total_cost": "{0}"}
    board[0] = {"card": "Jaya Ballard", "counters": {"loyalty": 5}}  # type: ignore[call-overload]
    line = [jaya, {"cast": "Pyretic Ritual"}, {"pay": "{1}{R}"}]
    found = asked({"battlefield": board, "hand": ["Pyretic Ritual"]}, {"kind": "check", "line": line})
    assert found["verdict"] == "yes"
    assert not [item for item in found["after"]["stack"] if "ability" in item]
