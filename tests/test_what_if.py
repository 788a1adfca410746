"""What if: edits on the command line, flips, and the lands of a deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import lawmage
from lawmage.cli import run
from lawmage.solver.flips import MOST_SETS, flips


def flipped(cost: str, allow: list[Any], *you: Any, most: int = 2) -> list[list[Any]]:
    query = {"kind": "can_pay", "cost": cost, "flip": {"allow": allow, "most": most}}
    reply = lawmage.ask({"situation": {"players": {"you": {"battlefield": list(you)}}}, "query": query})
    assert isinstance(reply, lawmage.Reply)
    return reply.wire()["flips"]


def test_all_least_sets_turn_the_verdict() -> None:
    allow = [{"untap": "Island"}, {"add": "Forest"}, {"add": "Island"}]
    tapped = {"card": "Island", "tapped": True}
    assert flipped("{U}", allow, tapped) == [[{"untap": "Island"}], [{"add": "Island"}]]
    assert flipped("{U}{U}", allow, tapped) == [[{"untap": "Island"}, {"add": "Island"}]]


def test_a_yes_is_turned_too() -> None:
    assert flipped("{U}", [{"tap": "Island"}, {"remove": "Forest"}], "Island", "Forest") == [[{"tap": "Island"}]]


def test_nothing_turns_it() -> None:
    assert flipped("{U}", [{"add": "Forest"}], "Forest") == []


def test_edits_that_hurt_are_no_obstacle() -> None:
    """A set is judged by the answer on its own board: more edits are not always better."""
    assert flipped("{G}", [{"add": "Contamination"}, {"remove": "Contamination"}], "Forest", "Contamination") == [
        [{"remove": "Contamination"}]
    ]


def test_what_cannot_be_judged_is_said() -> None:
    found = flips(["a", "b"], 1, "yes", lambda edits: "unknown" if edits == ("a",) else "yes")
    assert found.found == (("b",),)
    assert [note.code for note in found.notes] == ["not_stated"]


def test_too_many_sets_are_not_tried() -> None:
    found = flips(list(range(200)), 3, "yes", lambda _: "no")
    assert (found.found, [note.code for note in found.notes]) == ((), ["time_limit"])
    assert MOST_SETS < 200 * 199 // 2


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["can-pay", "{G}", "--you", "Forest, Contamination"], "No"),
        (["can-pay", "{G}", "--you", "Forest, Contamination", "--without", "Contamination"], "Yes"),
        (["can-pay", "{G}{G}", "--you", "Forest", "--with", "Mana Reflection"], "Yes"),
        (["can-pay", "{G}", "--you", "Forest", "--tapped", "Forest"], "No"),
        (["can-pay", "{U}{U}", "--you", "Forest", "--with", "2 Island"], "Yes"),
    ],
)
def test_edits_on_the_command_line(arguments: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    assert f"\n{answer}: " in capsys.readouterr().out


def test_an_edit_of_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["can-pay", "{G}", "--you", "Forest", "--without", "Fforest"]) == 2
    assert "Fforest" in capsys.readouterr().err


def test_which_land(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("Deck\n4 Plains\n2x Island (ABC) 12\n1 Savannah\n1 Wrath of God\n", "utf-8")
    command = ["which-land", "Wrath of God", "--you", "Plains, Island, Forest", "--deck", str(deck), "--json"]
    assert run(command) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found == {"castable": "no", "lands": [["Plains"], ["Savannah"]], "if_untapped": []}


def test_lands_that_enter_tapped_do_not_help(capsys: pytest.CaptureFixture[str]) -> None:
    deck = "Azorius Chancery, Glacial Fortress"
    assert run(["which-land", "Divination", "--you", "2 Plains", "--deck", deck, "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found == {"castable": "no", "lands": [["Glacial Fortress"]], "if_untapped": ["Glacial Fortress"]}
