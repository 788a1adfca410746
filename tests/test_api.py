"""The Python API: questions in one line, and answers that behave like the values they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lawmage

BOARD: dict[str, Any] = {"players": {"alice": {"battlefield": ["Forest"]}, "bob": {}}}


def ask(query: dict[str, Any], situation: dict[str, Any] = BOARD) -> lawmage.Reply:
    reply = lawmage.ask({"situation": situation, "query": query})
    assert isinstance(reply, lawmage.Reply)
    return reply


# --- one-liners -----------------------------------------------------------------------------------------------------


def test_what_could_be_produced_is_a_container() -> None:
    answer = lawmage.could_produce("Reflecting Pool", you="Reflecting Pool, Forest", opponent="Island")
    assert answer.verdict == "known"
    assert "G" in answer and "U" not in answer
    assert "G" in answer.types
    assert list(answer) == ["G"] and len(answer) == 1
    assert repr(answer) == "<could_produce: known, types=['G']>"
    assert str(answer).startswith("Reflecting Pool could produce {G}.")


def test_yes_is_true_and_no_is_false() -> None:
    assert lawmage.can_pay("{G}", you="Forest")
    assert not lawmage.can_pay("{U}", you="Forest")


def test_an_unknown_is_never_taken_for_an_answer() -> None:
    answer = lawmage.can_pay("{G}", you=["Forest", {"card": STRANGE}])
    assert answer.verdict == "unknown"
    with pytest.raises(ValueError, match="unknown"):
        bool(answer)
    with pytest.raises(ValueError, match="known"):
        bool(lawmage.could_produce("Forest", you="Forest"))


def test_a_board_is_read_once_and_asked_often() -> None:
    board = lawmage.Board({**BOARD, "you": "alice"})
    assert board.ask({"kind": "can_pay", "cost": "{G}"})
    assert not board.ask({"kind": "can_pay", "cost": "{U}"}, explain=False)
    assert board.ask({"kind": "could_produce", "permanent": "Forest"}).types == ["G"]
    why = board.ask({"kind": "can_pay", "cost": "{U}"})
    assert [reason.code for reason in why.because] == ["nothing_makes"]
    with pytest.raises(lawmage.FormatError, match="cost"):
        board.ask({"kind": "can_pay", "costs": "{U}"})


def test_a_board_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps({"situation": BOARD, "query": {"kind": "can_pay", "cost": "{U}"}}))
    board = lawmage.Board(file)
    assert board.ask({"kind": "can_pay", "cost": "{G}", "player": "alice"})


STRANGE = {
    "name": "Strange Device",
    "type_line": "Artifact",
    "oracle_text": "Mana that would be added is added in another way than usual, twice on Sundays.",
}


def test_a_board_may_be_a_list_of_what_files_allow() -> None:
    assert lawmage.can_pay("{G}{G}", you=["2 Forest"])
    assert not lawmage.can_pay("{G}{G}", you=["Forest", {"card": "Forest", "tapped": True}])


def test_there_may_be_several_opponents() -> None:
    answer = lawmage.could_produce("Exotic Orchard", you="Exotic Orchard", opponent=("Swamp", "Plains"))
    assert answer.types == ["W", "B"]


def test_pool_life_and_x() -> None:
    assert lawmage.can_pay("{R}{G}", pool="{R}{G}")
    assert lawmage.can_pay("{W/P}", life=3)
    assert not lawmage.can_pay("{W/P}", life=1)
    assert lawmage.can_pay("{X}{G}", you="4 Forest", x="max").x == 3


def test_other_questions_have_their_functions() -> None:
    assert set(lawmage.outcomes("Adarkar Wastes", you="Adarkar Wastes")) == {"{W}", "{U}", "{C}"}
    nykthos = "Nykthos, Shrine to Nyx"
    assert set(lawmage.outcomes(nykthos, you=f"{nykthos}; Kalonian Tusker")) == {"", "{C}", "{G}{G}"}
    assert lawmage.mana(you="Forest").verdict in ("known", "unknown")
    assert lawmage.can_cast("Llanowar Elves", you="Forest").verdict in ("yes", "unknown")
    assert lawmage.can_activate("Forest", you="Forest").verdict in ("yes", "unknown")


def test_names_must_be_whole_in_programs() -> None:
    with pytest.raises(ValueError, match="Refl"):
        lawmage.could_produce("Reflecting Pool", you="Refl")


def test_a_value_that_is_not_there_says_what_is() -> None:
    answer = lawmage.can_pay("{G}", you="Forest")
    with pytest.raises(AttributeError, match=r"plan.*'types'"):
        _ = answer.types
    with pytest.raises(TypeError, match="can_pay"):
        _ = "G" in answer
    assert "plan" in dir(answer)


# --- documents ------------------------------------------------------------------------------------------------------


def test_a_document_is_a_mapping_a_path_or_text(tmp_path: Path) -> None:
    document = {"situation": BOARD, "query": {"kind": "can_pay", "cost": "{G}"}}
    path = tmp_path / "board.json"
    path.write_text(json.dumps(document))
    replies = [lawmage.ask(d) for d in (document, path, str(path), json.dumps(document, indent=1))]
    assert all(reply == replies[0] for reply in replies)


def test_several_questions_get_a_list() -> None:
    queries = [{"kind": "can_pay", "cost": cost} for cost in ("{G}", "{U}")]
    replies = lawmage.ask({"situation": BOARD, "queries": queries})
    assert isinstance(replies, list)
    assert [reply.verdict for reply in replies] == ["yes", "no"]


def test_an_answer_goes_out_as_the_format_has_it() -> None:
    reply = ask({"kind": "can_pay", "cost": "{G}"})
    assert json.loads(reply.to_json()) == reply.wire()
    assert reply.wire()["rules"] == list(reply.rules)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"kind": "could_produce", "permanent": "Sol Ring"}, r"query.permanent: .*'Sol Ring'"),
        ({"kind": "mana", "player": "carol"}, r"query.player: .*'carol'"),
        ({"kind": "can_pay", "cost": "{G}", "what_if": [{"tap": "Island"}]}, r"what_if\[1\].*'Island'"),
    ],
)
def test_what_is_not_there_is_an_error_with_its_place(query: dict[str, Any], says: str) -> None:
    with pytest.raises(lawmage.FormatError, match=says):
        ask(query)


# --- what_if and flip -----------------------------------------------------------------------------------------------


def test_what_if_edits_are_made_first() -> None:
    assert not ask({"kind": "can_pay", "cost": "{G}", "what_if": [{"tap": "Forest"}]})
    assert ask({"kind": "can_pay", "cost": "{G}{U}", "what_if": [{"add": "Island", "to": "alice"}]})
    answer = ask(
        {"kind": "could_produce", "permanent": "Island", "what_if": [{"add": "Island", "to": "alice"}]},
    )
    assert answer.types == ["U"]


def test_flips_are_all_the_smallest_sets_of_edits_that_turn_the_verdict() -> None:
    allow: list[dict[str, Any]] = [
        {"add": "Island", "to": "alice"},
        {"add": "Swamp", "to": "alice"},
        {"tap": "Forest"},
        {"add": "Mox Sapphire", "to": "alice"},
    ]
    no = ask({"kind": "can_pay", "cost": "{U}", "flip": {"allow": allow}})
    assert (no.verdict, no.flips) == ("no", [[allow[0]], [allow[3]]])
    both = ask({"kind": "can_pay", "cost": "{U}{B}", "flip": {"allow": allow}})
    assert both.flips == [[allow[0], allow[1]], [allow[1], allow[3]]]
    none = ask({"kind": "can_pay", "cost": "{U}{B}", "flip": {"allow": allow, "most": 1}})
    assert none.flips == []
    yes = ask({"kind": "can_pay", "cost": "{G}", "flip": {"allow": allow}})
    assert (yes.verdict, yes.flips) == ("yes", [[{"tap": "Forest"}]])


def test_edits_that_exclude_each_other_are_no_flip() -> None:
    allow = [{"remove": "Forest"}, {"untap": "Forest"}]
    answer = ask({"kind": "can_pay", "cost": "{U}", "flip": {"allow": allow}})
    assert answer.flips == []
