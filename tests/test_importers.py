"""Files of other programs become situations, and what those say besides is reported."""

from __future__ import annotations

import json
from math import comb, isclose
from pathlib import Path
from typing import Any

import pytest

from lawmage.cli import run
from lawmage.importers.common import Imported, questions_about
from lawmage.importers.decks import Deck, read_deck
from lawmage.importers.draws import Question, chances
from lawmage.importers.forge import read_forge
from lawmage.importers.xmage import read_xmage
from lawmage.model.cards import default_library
from lawmage.model.situation import FormatError, build_game, read_situation

PUZZLE = """\
[metadata]
Name:A test
URL:https://example.org
Goal:Win
Turns:1
[state]
#a remark
ActivePlayer=AI
ActivePhase=COMBAT_DECLARE_BLOCKERS
turn=3
HumanLife=5
AILife=8
humancounters=ENERGY=3,POISON=1
humanhand=Forest|Set:M10; Opt
humanlibrary=
humangraveyard=Ponder;Ponder
humanplay=Forest|Tapped; Forest; Forest; Llanowar Elves|SummonSick|Counters:P1P1=2,M1M1=1|Id:7; Swamp
|Set:DTK
aibattlefield=Utopia Sprawl|Attaching:7|ChosenColor:red; Grizzly Bears|Attacking; Isochron Scepter|Id:9|Imprinting:8;\
 t:Elf Warrior,P:1,T:1,Cost:no cost,Color:G,Types:Creature-Elf-Warrior,Keywords:Flying-Haste,Image:g_1_1;\
 Delver of Secrets|Transformed|Damage:1; Mesmeric Fiend|Id:5|RememberedCards:8;\
 Trespasser's Curse|EnchantingPlayer:human
aiexile=Opt|Id:8|ExiledWith:5
"""


def forge(text: str) -> Imported:
    return read_forge(text, default_library(), "test.pzl")


def game(imported: Imported) -> Any:
    return build_game(read_situation(imported.situation), default_library())


def test_a_puzzle_of_forge() -> None:
    found = forge(PUZZLE)
    human, ai = found.situation["players"].values()
    assert human["battlefield"] == [
        {"card": "Forest", "tapped": True},
        "2 Forest",
        {"card": "Llanowar Elves", "sick": True, "counters": {"+1/+1": 2, "-1/-1": 1}, "id": "7"},
        "Swamp",
    ]
    assert human["hand"] == ["Forest", "Opt"]
    assert (human["library"], human["graveyard"], human["life"]) == (0, ["2 Ponder"], 5)
    assert human["counters"] == {"energy": 3, "poison": 1}
    assert found.situation["turn"] == {"active": "ai", "step": "blockers", "number": 3}
    assert ai["battlefield"][:3] == [
        {"card": "Utopia Sprawl", "chosen": {"color": "red"}, "attached_to": "7"},
        {"card": "Grizzly Bears", "attacking": "human"},
        {"card": "Isochron Scepter", "id": "9", "imprinted": ["Opt"]},
    ]
    token = game(found).objects["Elf Warrior"]
    assert token.token
    assert (token.printed.types, token.printed.subtypes, token.printed.colors) == (
        ("Creature",),
        ("Elf", "Warrior"),
        "G",
    )
    assert ai["battlefield"][4] == {"card": "Delver of Secrets", "face": "back", "damage": 1}
    assert ai["battlefield"][5] == {"card": "Mesmeric Fiend", "id": "5", "imprinted": ["Opt"]}
    assert ai["battlefield"][6]["attached_to"] == "human"
    assert found.left_out == ("which printing a card is (2 times)",)
    assert (found.id, found.source, found.note) == ("A test", "https://example.org", "goal: Win; turns: 1")


def test_a_saved_state_of_forge_needs_no_metadata() -> None:
    found = forge("humanlife=20\nailife=20\nactiveplayer=human\nactivephase=MAIN1\nhumanbattlefield=Forest\naihand=\n")
    assert found.situation["players"]["ai"] == {"life": 20, "hand": []}
    assert game(found).turn.step == "main1"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("humanbattlefield=Forest|Meld", "Forest: Meld"),
        ("humanhand=Forest|Tapped", "Forest in hand: tapped"),
        ("humanbattlefield=Forest|RememberedCards:3", "which no card is"),
        ("aipersistentmana=U U", "does not empty"),
        ("humannumringtemptedyou=2", "humannumringtemptedyou=2"),
        ("humanprecast=Opt:DBDraw", "has resolved Opt:DBDraw"),
        ("humanbattlefield=Forest|ExecuteScript:TrigDraw", "has resolved (TrigDraw)"),
        ("humanbattlefield=No Such Card", "no card 'No Such Card'"),
        ("humanbattlefield=t:c_a_clue_draw", "named by its script"),
        ("humanbattlefield=Forest|ChosenColor:red,blue", "several chosen colors"),
        ("humanbattlefield=Barbarian Class|ClassLevel:3", "ClassLevel:3"),
        ("humanbattlefield=Rancor|Attaching:7", "which no card is"),
        ("humanbattlefield=Forest|NoETBTrigs", "NoETBTrigs"),
        ("a line of no kind", "line 2: a line of no kind"),
    ],
)
def test_what_cannot_be_taken_over_is_reported(line: str, says: str) -> None:
    found = forge(f"humanlife=20\n{line}\n")
    game(found)
    assert says in " ".join(found.left_out)


@pytest.mark.parametrize(
    "line",
    [
        "humanprecast=Opt:DBDraw",
        "humanbattlefield=No Such Card; Forest",
        "humanbattlefield=Forest|ClassLevel:3",
        "humanspeed=2",
        "activephase=DRAW\nactivephaseadvance=MAIN1",
    ],
)
def test_what_is_not_understood_makes_answers_unknown(line: str) -> None:
    from lawmage.model.situation import read_query
    from lawmage.solver.ask import ask

    built = game(forge(f"humanlife=20\n{line}\n"))
    assert ask(built, read_query({"kind": "can_pay", "cost": "{U}"}), default_library()).verdict == "unknown"


def test_an_unknown_card_in_hand_is_not_said_to_be_uncastable() -> None:
    from lawmage.model.situation import read_query
    from lawmage.solver.ask import ask

    built = game(forge("humanlife=20\nhumanhand=No Such Card\n"))
    answer = ask(built, read_query({"kind": "can_cast", "card": "No Such Card"}), default_library())
    assert answer.verdict == "unknown"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("humanlife=many", "test.pzl:1: humanlife"),
        ("humanlife=1\nactivephase=LUNCH", "unknown phase 'LUNCH'"),
        ("humanlife=1\nhumanmanapool=red", "is no mana: D, E"),
        ("humanlife=1\nhumanbattlefield=Forest|Damage:much", "'much' is no whole number"),
        ("a text\nof another kind", "no state of Forge"),
    ],
)
def test_what_is_no_state_is_one_clear_error(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        forge(text)


def test_a_state_that_people_have_touched() -> None:
    """A byte order mark, line ends of Windows, other cases, other players."""
    text = (
        "\ufeffp0life=20\np1life=9\np2life=12\np2play=Forest|tapped|counters:p1p1=2\np0manapool=RG\nactiveplayer=p2\n"
    )
    found = forge(text.replace("\n", "\r\n"))
    assert found.situation["players"] == {
        "human": {"life": 20, "mana_pool": "{R}{G}"},
        "ai": {"life": 9},
        "p2": {"life": 12, "battlefield": [{"card": "Forest", "tapped": True, "counters": {"+1/+1": 2}}]},
    }
    assert game(found).turn.active == "p2"
    assert found.left_out == ()


def test_questions_about_a_puzzle() -> None:
    assert questions_about(forge(PUZZLE).situation, "human") == [
        {"kind": "mana"},
        {"kind": "can_cast", "card": "Forest"},
        {"kind": "can_cast", "card": "Opt"},
    ]


def test_init_notation_of_xmage() -> None:
    text = """\
# a remark
battlefield:computer:Bloodbraid Elf:1
[first]
hand:Human:Circle of Protection: Red:2
battlefield:Human:Forest:2
battlefield:Human:AER-Aether Hub:1
library:Human:Opt
commander:Human:Kenrith, the Returned King:1
life:Human:7
sleeve:Human:blue:1
[second]
battlefield:Human:Island:5
"""
    found = read_xmage(text, default_library())
    human = found.situation["players"]["Human"]
    assert found.situation["you"] == "Human"
    assert human["hand"] == ["2 Circle of Protection: Red"]
    assert human["battlefield"] == ["2 Forest", "Aether Hub"]
    assert (human["library"], human["life"]) == (["Opt"], 7)
    assert human["command"] == [{"card": "Kenrith, the Returned King", "commander": True}]
    assert "sleeve:Human:blue:1" in found.left_out
    assert any("second" in text for text in found.left_out)
    assert len(list(game(found).in_zone("battlefield", "Human"))) == 3
    second = read_xmage(text, default_library(), group="second")
    assert second.situation["players"]["Human"] == {"battlefield": ["5 Island"]}
    with pytest.raises(FormatError, match="groups are first, second"):
        read_xmage(text, default_library(), group="third")
    with pytest.raises(FormatError, match="file:2: expected zone:player:card:amount"):
        read_xmage("hand:Human:Opt:1\nbattlefield", default_library(), "file")


def test_init_notation_of_xmage_that_people_have_touched() -> None:
    text = (
        "\ufeffbattlefield:Human:Forest:2:tapped\nHAND : Human : Fire/Ice\nplane:Human:Eloren Wilds:1\nmana:Human:RR:1"
    )
    found = read_xmage(text.replace("\n", "\r\n"), default_library())
    human = found.situation["players"]["Human"]
    assert human["battlefield"] == [{"tapped": True, "card": "Forest"}] * 2
    assert (human["hand"], human["mana_pool"]) == (["Fire // Ice"], "{R}{R}")
    assert found.left_out == ("plane:Human:Eloren Wilds:1",)
    assert "Eloren Wilds" in found.situation["effects"][0]["text"]
    with pytest.raises(FormatError, match="file:1: 'blue' is no mana"):
        read_xmage("mana:Human:blue", default_library(), "file")
    with pytest.raises(FormatError, match="too many"):
        read_xmage("hand:Human:Opt:99999999", default_library(), "file")


# --- decks ----------------------------------------------------------------------------------------------------------

ARENA = """\
About
Name Test

Commander
1 Kenrith, the Returned King (ELD) 303

Deck
4 Lightning Bolt (M10) 146
2 Wear // Tear (DGM) 135
20 Mountain

Sideboard
2 Pyroblast
"""
MTGO = "4 Lightning Bolt\n2 Wear/Tear\n20 Mountain\n\n2 Pyroblast\n"
PLAIN = (
    "// A deck\nCreatures (0)\n4x Lightning Bolt\n2x Wear // Tear <showcase> [DGM] (F)\nSB: 2 Pyroblast\n20 Mountain\n"
)
DEK = """<?xml version="1.0"?><Deck><Cards CatID="1" Quantity="4" Sideboard="false" Name="Lightning Bolt" />
<Cards Quantity="2" Sideboard="false" Name="Wear/Tear" /><Cards Quantity="20" Sideboard="false" Name="Mountain"/>
<Cards Quantity="2" Sideboard="true" Name="Pyroblast"/></Deck>"""


def deck(text: str) -> Deck:
    return read_deck(text, default_library(), "deck.txt")


@pytest.mark.parametrize("text", [ARENA, MTGO, PLAIN, DEK])
def test_lists_of_a_deck(text: str) -> None:
    found = deck(text)
    assert found.main == {"Lightning Bolt": 4, "Wear // Tear": 2, "Mountain": 20}
    assert found.sideboard == {"Pyroblast": 2}
    assert found.commander == ({"Kenrith, the Returned King": 1} if text == ARENA else {})


def test_an_unknown_card_of_a_deck_is_an_error() -> None:
    with pytest.raises(FormatError, match=r"deck.txt:2: unknown card 'Lightning Blot'"):
        deck("4 Mountain\n4 Lightning Blot\n")


TOUCHED = {
    "a mark and line ends of Windows": "\ufeffDeck\r\n4 Lightning Bolt\r\n\r\nSideboard\r\n2 Pyroblast\r\n",
    "marks of printings": (
        "1 Lightning Bolt *F*\n1 Lightning Bolt (2X2) 117 F\n1 Lightning Bolt (m10) 146 [Removal{top}] ^Have,#3^\n"
        "1 Lightning Bolt (GRN:263) #!removal #burn\nSB:2 Pyroblast (foil)\n"
    ),
    "headings and empty lines": "Creatures (0)\n\nSpells (4)\n4 Lightning Bolt\n\nSideboard (2):\n2 Pyroblast\n",
    "counts at the end, and remarks": "Lightning Bolt x4 // the best\n\n# beside it\nPyroblast x2\n",
    "a title": "My deck\n\nDeck\n4 Lightning Bolt\n\nSIDEBOARD:\n2 Pyroblast\n",
    "what is in no deck": "4 Lightning Bolt\nSB: 2 Pyroblast\nSB: 1 Opt [Maybeboard{noDeck}]\n\nTokens\n1 Goblin\n",
    "a table of MTGO": "Card Name,Quantity,ID #,Sideboarded\nLightning Bolt,4,1,No\nPyroblast,2,2,Yes\n",
    "a file of Cockatrice": (
        "<?xml version='1.0'?><cockatrice_deck version='1'><zone name='main'><card number='4' name='Lightning Bolt'/>"
        "</zone><zone name='side'><card number='2' name='Pyroblast'/></zone></cockatrice_deck>"
    ),
}


@pytest.mark.parametrize("what", TOUCHED)
def test_lists_that_people_have_touched(what: str) -> None:
    found = deck(TOUCHED[what])
    assert found.main == {"Lightning Bolt": 4}
    assert found.sideboard == {"Pyroblast": 2}


def test_nothing_of_a_list_is_dropped_in_silence() -> None:
    told = " ".join(deck("A title\n4 Opt (DOM) 60\n\nMaybeboard\n1 Ponder\n").left_out)
    for word in ("A title", "printing", "1 Ponder"):
        assert word in told


def test_empty_lines_set_off_nothing_but_a_sideboard() -> None:
    by_kind = deck("30 Opt\n10 Ponder\n\n4 Llanowar Elves\n\n16 Island\n")
    assert (by_kind.main.total(), by_kind.sideboard) == (60, {})
    with_sideboard = deck("30 Opt\n10 Ponder\n\n20 Island\n\n15 Pyroblast\n")
    assert (with_sideboard.main.total(), with_sideboard.sideboard) == (60, {"Pyroblast": 15})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("99999999 Mountain", "at most 10,000"),
        ('<Deck><Cards Quantity="x" Name="Mountain"/></Deck>', "'x' is no number"),
        ("4 Opt\nA title in the middle\n", "deck.txt:2: unknown card"),
        ("", "no card"),
    ],
)
def test_what_is_no_list_is_one_clear_error(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        deck(text)


TWO_COLORS = "10 Forest\n7 Island\n4 Mystic Snake\n4 Grizzly Bears\n15 Opt\n"


def test_which_lands_can_cast_a_card_is_counted_exactly() -> None:
    found = chances(deck(TWO_COLORS), Question("Mystic Snake", lands=4), default_library())
    # {1}{G}{U}{U}: two to three Islands among four lands, or all but one
    wanted = sum(comb(7, u) * comb(10, 4 - u) for u in (2, 3)) / comb(17, 4)
    assert found.exact
    assert isclose(found.yes, wanted)
    assert isclose(found.yes + found.no, 1)
    assert sum(chance for _, chance, _ in found.kinds) == pytest.approx(1)


def test_which_opening_hands_can_cast_a_card_is_counted_exactly() -> None:
    found = chances(deck(TWO_COLORS), Question("Grizzly Bears", hand=7, turn=2), default_library())
    holding = comb(40, 7) - comb(36, 7)
    good = 0
    for g in range(1, 8):
        for u in range(8 - g):
            if g + u >= 2:
                rest = 7 - g - u
                good += comb(10, g) * comb(7, u) * (comb(23, rest) - comb(19, rest))
    assert isclose(found.yes, good / holding)


def test_what_could_not_be_targeted_is_a_matter_of_its_cost(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = "10 Forest\n7 Island\n4 Counterspell\n4 Fire // Ice\n15 Opt\n"
    found = chances(deck(text), Question("Counterspell", lands=2), default_library())
    assert found.targets_assumed
    assert isclose(found.yes, comb(7, 2) / comb(17, 2))
    assert not chances(deck(text), Question("Opt", lands=2), default_library()).targets_assumed
    (tmp_path / "deck.txt").write_text(text)
    assert run(["import", "deck", str(tmp_path / "deck.txt"), "--cast", "Counterspell", "--lands", "2"]) == 0
    assert "taken to be there" in capsys.readouterr().out


def test_a_sample_comes_near() -> None:
    library = default_library()
    question = Question("Grizzly Bears", hand=7, turn=2)
    exact = chances(deck(TWO_COLORS), question, library)
    dealt = chances(deck(TWO_COLORS), question, library, most=20)
    more = chances(deck(TWO_COLORS), question._replace(lands=3), library, most=3)
    assert (exact.exact, dealt.exact, more.exact) == (True, False, False)
    assert abs(exact.yes - chances(deck(TWO_COLORS), question, library, most=30, seed=2).yes) < 0.4
    assert (dealt.counted, more.counted) == (20, 3)


# --- the commands ---------------------------------------------------------------------------------------------------


def test_what_is_imported_can_be_asked_and_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = tmp_path / "a.pzl"
    puzzle.write_text("humanlife=5\nhumanhand=Llanowar Elves\nhumanbattlefield=Forest\naibattlefield=Forest|Set:M10\n")
    assert run(["import", "forge", str(puzzle), "--strict"]) == 0
    shown = capsys.readouterr()
    assert "not taken over: which printing a card is" in shown.err
    (tmp_path / "a.yaml").write_text(shown.out)
    assert run(["ask", str(tmp_path / "a.yaml")]) == 0
    assert "Llanowar Elves" in capsys.readouterr().out
    assert run(["import", "forge", str(puzzle), "--cases"]) == 0
    (tmp_path / "cases.jsonl").write_text(capsys.readouterr().out)
    assert run(["audit", str(tmp_path / "cases.jsonl")]) == 0
    assert "cases 2 " in capsys.readouterr().out
    puzzle.write_text("humanlife=5\nhumanstrange=1\n")
    assert run(["import", "forge", str(puzzle), "--strict"]) == 1


def test_a_deck_is_asked_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deck.txt").write_text(TWO_COLORS)
    assert run(["import", "deck", str(tmp_path / "deck.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["main"]["Forest"] == 10
    assert run(["import", "deck", str(tmp_path / "deck.txt"), "--cast", "Mystic Snake", "--lands", "4"]) == 0
    assert "exact" in capsys.readouterr().out
    assert run(["import", "deck", str(tmp_path / "deck.txt"), "--cast", "Ponder"]) == 2
    assert "--any-hand" in capsys.readouterr().err
