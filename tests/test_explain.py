"""Explanations: their facts are irreducible, and their words are kept as snapshots.

`python tests/test_explain.py` writes the snapshots anew: read the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import lawmage
from lawmage.model.cards import default_library
from lawmage.model.situation import build_game, read_query, read_situation, resolve_question
from lawmage.solver import explain
from lawmage.solver.answer import CODES
from lawmage.solver.queries import answer

SNAPSHOTS = Path(__file__).parent / "snapshots" / "explanations.txt"

TAPPED_ISLAND = {"card": "Island", "tapped": True}
SICK_ELVES = {"card": "Llanowar Elves", "sick": True}


def pay(cost: str, *you: Any, **more: Any) -> dict[str, Any]:
    return _document({"kind": "can_pay", "cost": cost}, you, **more)


def cast(card: str, *you: Any, **more: Any) -> dict[str, Any]:
    return _document({"kind": "can_cast", "card": card}, you, **{"hand": [card], **more})


def activate(permanent: str, ability: int, *you: Any, **more: Any) -> dict[str, Any]:
    return _document({"kind": "can_activate", "permanent": permanent, "ability": ability}, you, **more)


def produce(permanent: str, *you: Any, **more: Any) -> dict[str, Any]:
    return _document({"kind": "could_produce", "permanent": permanent}, you, **more)


def _document(
    query: dict[str, Any], you: tuple[Any, ...], opponent: tuple[Any, ...] = (), **more: Any
) -> dict[str, Any]:
    turn = {"turn": more.pop("turn")} if "turn" in more else {}
    players = {"you": {"battlefield": list(you), **more}, "opponent": {"battlefield": list(opponent)}}
    return {"situation": {"players": players, **turn}, "query": query}


NOES: dict[str, dict[str, Any]] = {
    "a color that nothing makes": pay("{U}", "Forest"),
    "a color that only a tapped land makes": pay("{U}", TAPPED_ISLAND, "Forest"),
    "a tapped land that would not be enough": pay("{U}{U}", TAPPED_ISLAND, "Forest"),
    "a land and a sick creature": pay("{G}", SICK_ELVES, {"card": "Forest", "tapped": True}, "Island"),
    "too few of a color": pay("{U}{U}", "Island", "2 Forest"),
    "two colors out of one land": pay("{U}{B}", "Underground Sea", "Forest"),
    "too little mana": pay("{2}{U}", "Island"),
    "nothing at all": pay("{3}"),
    "a filter land that nothing feeds": pay("{U}", "Mystic Gate", "Forest"),
    "two filter lands that nothing feeds": pay("{U}{U}", "2 Mystic Gate", "Forest"),
    "a signet among few lands": pay("{4}", "2 Forest", "Gruul Signet"),
    "mana turned into another type": pay("{G}", "Forest", "Contamination"),
    "two or more mana become colorless": pay("{2}{U}", "Island", "Mountain", "Nyxbloom Ancient", "Damping Sphere"),
    "a land that is a Mountain": pay("{U}", "Tundra", "Blood Moon"),
    "mana for creatures only": cast("Lightning Bolt", "Ancient Ziggurat"),
    "nothing to sacrifice": pay("{R}", "Ashnod's Altar", "Manaforge Cinder"),
    "nothing to count": pay("{G}", "Gaea's Cradle"),
    "a land that looks at others": pay("{U}", "Reflecting Pool", "Forest"),
    "snow mana": pay("{S}", "Forest"),
    "mana in the pool that is too little": pay("{2}{R}", mana_pool="{R}"),
    "life that is too low": pay("{1}{U/P}", "Forest", life=1),
    "a spell that costs more": cast("Llanowar Elves", "Forest", "Sphere of Resistance"),
    "two effects that make it cost more": cast("Grizzly Bears", "3 Forest", "2 Sphere of Resistance"),
    "a spell that costs at least three": cast("Llanowar Elves", "2 Forest", "Trinisphere"),
    "a spell at the wrong time": cast("Grizzly Bears", "2 Forest", turn={"step": "upkeep"}),
    "a spell that is forbidden": cast("Grizzly Bears", "2 Forest", opponent=("Aether Storm",)),
    "a spell that only some mana may pay": cast("Myr Superion", "2 Forest"),
    "a land without counters": pay("{R}", {"card": "Gemstone Mine", "counters": {}}),
    "too little loyalty": activate("Garruk Wildspeaker", 3, {"card": "Garruk Wildspeaker", "counters": {"loyalty": 3}}),
    "an ability of a sick creature": activate("Llanowar Elves", 1, SICK_ELVES),
    "an ability that is forbidden": activate("Sol Ring", 1, "Sol Ring", "Stony Silence"),
    "an ability whose cost cannot be paid": activate("Ashnod's Altar", 1, "Ashnod's Altar"),
}

OTHERS: dict[str, dict[str, Any]] = {
    "a filter land is fed": pay("{W}{W}", "Island", "Mystic Gate"),
    "the order of replacement effects": pay("{C}", "Forest", "Mana Reflection", "Damping Sphere", "Contamination"),
    "many replacement effects alike": pay("{500}", "Forest", "6 Nyxbloom Ancient"),
    "a sacrifice while paying": cast("Wrath of God", "Ashnod's Altar", "5 Grizzly Bears", "2 Plains"),
    "a type that another land could produce": produce("Reflecting Pool", "Reflecting Pool", "Forest"),
    "types that only support each other": produce("Reflecting Pool", "2 Reflecting Pool"),
    "a type that is replaced": produce("Forest", "Forest", "Contamination"),
    "a type that comes of two replacements": produce("Forest", "Forest", "Mana Reflection", "Damping Sphere"),
    "types that a land has lost": produce("Tundra", "Tundra", "Blood Moon"),
    "a count of nothing": produce("Reflecting Pool", "Reflecting Pool", "Gaea's Cradle"),
    "no commander": produce("Command Tower", "Command Tower"),
    "a granted ability": produce("Grizzly Bears", "Grizzly Bears", "Cryptolith Rite"),
}


def replies() -> dict[str, str]:
    return {title: str(lawmage.ask(document)) for title, document in (NOES | OTHERS).items()}


def snapshots() -> dict[str, str]:
    sections = SNAPSHOTS.read_text("utf-8").split("## ")[1:]
    return {title: text.strip() for title, _, text in (section.partition("\n") for section in sections)}


@pytest.mark.parametrize("title", [*NOES, *OTHERS])
def test_an_explanation_reads_as_before(title: str) -> None:
    assert str(lawmage.ask((NOES | OTHERS)[title])) == snapshots()[title]


def asked(document: dict[str, Any]) -> tuple[Any, Any]:
    library = default_library()
    game = build_game(read_situation(document["situation"]), library)
    return game, resolve_question(read_query(document["query"]), game, library)


Seen = list[tuple[Any, explain.Asked]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """What would be explained, which is not explained then."""
    found: Seen = []
    monkeypatch.setattr(explain, "why_not", lambda game, asked: found.append((game, asked)))
    return found


@pytest.mark.parametrize("title", NOES)
def test_each_fact_is_needed(title: str, seen: Seen) -> None:
    game, question = asked(NOES[title])
    assert answer(game, question).verdict == "no"
    _each_fact_is_needed(*seen[0])


TRICKY = (
    "Mystic Gate",
    "Gruul Signet",
    "Ashnod's Altar",
    "Pili-Pala",
    "Mana Reflection",
    "Contamination",
    "Blood Moon",
)
TRICKY += (
    "Damping Sphere",
    "Gaea's Cradle",
    "Ancient Ziggurat",
    "Cryptolith Rite",
    "Reflecting Pool",
    "Phyrexian Tower",
)
PLAIN = ("Forest", "Island", "Tundra", "Sol Ring", "Llanowar Elves", "Grizzly Bears", "Lotus Petal", "Mana Confluence")


@pytest.mark.parametrize("seed", range(40))
def test_each_fact_is_needed_on_random_boards(seed: int, seen: Seen) -> None:
    rng = Random(seed)
    names = [*rng.sample(TRICKY, 2), *rng.choices(PLAIN, k=3)]
    board = [{"card": name, "tapped": rng.random() < 0.2, "sick": rng.random() < 0.2} for name in names]
    cost = "".join(rng.choices(("{W}", "{U}", "{B}", "{G}", "{C}", "{1}", "{2}", "{U/P}", "{2/G}"), k=3))
    game, question = asked(pay(cost, *board, life=2))
    if answer(game, question).verdict == "no":
        _each_fact_is_needed(*seen[0])


def _each_fact_is_needed(board: Any, inner: explain.Asked) -> None:
    """With the facts of the set, and none of the others, it is a no; without any one of them it is a yes."""
    core = explain.core_of(board, inner)
    assert core is not None and core.facts
    plain = [fact for fact in core.others if not fact.both_ways]
    rest = explain.without(board, core.others)
    assert inner.possible(rest) is False
    for fact in core.facts:
        tries = [explain.without(board, [*others, fact]) for others in (core.others, plain)]
        assert any(inner.possible(other) for other in tries), fact.reason


@pytest.mark.parametrize("title", NOES)
def test_a_no_names_reasons_of_the_list(title: str) -> None:
    reply = lawmage.ask(NOES[title])
    assert isinstance(reply, lawmage.Reply)
    assert reply.because and all(reason.code in CODES and reason.text for reason in reply.because)


def test_the_codes_are_documented() -> None:
    page = (Path(__file__).parent.parent / "docs" / "explaining.md").read_text("utf-8")
    rows = [row.split(" | ") for row in page.partition("## Codes")[2].splitlines() if row.startswith("| `")]
    assert {code.strip("| `"): words.strip(" |") for code, words in rows} == CODES


def test_without_explanation_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "why_not", lambda *_: pytest.fail("explained"))
    game, question = asked(pay("{U}", "Forest"))
    assert answer(game, question, explain=False).verdict == "no"


def test_a_fault_while_explaining_loses_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain, "told", lambda *_: 1 / 0)
    game, question = asked(pay("{U}", "Forest"))
    found = answer(game, question)
    assert (found.verdict, [reason.code for reason in found.because]) == ("no", ["not_payable"])


if __name__ == "__main__":
    SNAPSHOTS.write_text("\n\n".join(f"## {title}\n{text}" for title, text in replies().items()) + "\n", "utf-8")


def test_a_fault_of_the_explanation_costs_no_answer_and_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from lawmage.solver import explain

    def broken(*_: object) -> None:
        raise IndexError("broken on purpose")

    monkeypatch.setattr(explain, "core_of", broken)
    assert lawmage.can_pay("{U}", you="Forest").verdict == "no"
    assert "broken on purpose" in caplog.text
