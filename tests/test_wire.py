"""Answers in words: the verdict in a sentence, plans that can be followed, reasons with their rules."""

from __future__ import annotations

from typing import Any

import pytest

from lawmage.solver.answer import Answer, Reason, UnreadLine
from lawmage.solver.telling import mana, step_in_words
from lawmage.wire import headline, to_text
from lawmage.words import describe_action

PAY: dict[str, Any] = {"kind": "can_pay", "cost": "{G}"}


@pytest.mark.parametrize(
    ("query", "answer", "sentence"),
    [
        (PAY, Answer("yes"), "Yes: {G} can be paid."),
        (PAY, Answer("no"), "No: {G} cannot be paid."),
        (PAY, Answer("unknown"), "Unknown whether {G} can be paid."),
        ({"kind": "can_pay", "cost": "{X}"}, Answer("yes", {"x": 4}), "Yes: {X} can be paid (X = 4)."),
        (
            {"kind": "can_cast", "card": "Opt"},
            Answer("yes", {"total_cost": "{U}"}),
            "Yes: Opt can be cast (total cost {U}).",
        ),
        ({"kind": "can_cast_all", "cards": ["Opt"]}, Answer("no"), "No: Opt cannot all be cast this step."),
        (
            {"kind": "can_activate", "permanent": "Sol Ring"},
            Answer("no"),
            "No: ability 1 of Sol Ring cannot be activated.",
        ),
        ({"kind": "legal", "action": {"tap": "Forest"}}, Answer("yes"), "Yes: you may tap Forest."),
        (
            {"kind": "legal", "action": {"sacrifice": "Bear", "cause": "effect", "source": "Edict", "who": "bob"}},
            Answer("no"),
            "No: bob may not sacrifice Bear, for an effect of Edict.",
        ),
        ({"kind": "could_produce", "permanent": "A"}, Answer("known", {"types": []}), "A could produce no mana."),
        (
            {"kind": "could_produce", "permanent": "A"},
            Answer("known", {"types": ["W", "U", "C"]}),
            "A could produce {W}, {U} or {C}.",
        ),
        ({"kind": "could_produce", "permanent": "A"}, Answer("unknown"), "Unknown what A could produce."),
        ({"kind": "outcomes", "permanent": "A"}, Answer("known", {"outcomes": [""]}), "A adds no mana."),
        ({"kind": "max_hand_size"}, Answer("known", {"size": 7}), "Maximum hand size: 7."),
        ({"kind": "check", "line": []}, Answer("no", {"at": 2}), "No: this line is not legal."),
        ({"kind": "state_based"}, Answer("known", {"actions": []}), "No state-based action is performed."),
    ],
)
def test_the_verdict_is_a_sentence(query: dict[str, Any], answer: Answer, sentence: str) -> None:
    assert headline(answer, query) == sentence


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"activate": "Island", "ability": 1, "produces": "{U}", "with": {"tap": ["Island"]}}, "tap Island for {U}"),
        (
            {
                "activate": "Gate",
                "ability": 2,
                "produces": "{W}{U}",
                "with": {"tap": ["Gate"], "mana": [{"mana": "{U}", "from": "Island"}]},
            },
            "tap Gate (ability 2), paying {U} from Island, for {W}{U}",
        ),
        (
            {"activate": "Altar", "ability": 1, "produces": "{C}{C}", "with": {"sacrifice": ["Bear"]}},
            "activate Altar, sacrificing Bear, for {C}{C}",
        ),
        (
            {"activate": "Drum", "ability": 1, "produces": "{G}", "with": {"tap": ["Drum", "Bear"], "life": 1}},
            "tap Drum, tapping Bear, paying 1 life, for {G}",
        ),
        (
            {
                "activate": "Mine",
                "ability": 1,
                "produces": "{G}",
                "with": {"tap": ["Mine"], "counters_removed": [["Mine", "mining", 2]]},
            },
            "tap Mine, removing 2 mining counters from Mine, for {G}",
        ),
        (
            {
                "activate": "Forest",
                "ability": 1,
                "produces": {"G": 81},
                "with": {"tap": ["Forest"]},
                "order": ["Reflection", "Sphere"],
                "triggered": [{"source": "Wild Growth", "adds": "{G}"}],
            },
            "tap Forest for 81 {G} (changed by Reflection, then by Sphere); Wild Growth adds {G}",
        ),
        ({"pay": "{G}", "with": {"mana": [{"mana": "{G}", "from": "Forest"}]}}, "pay {G} with {G} from Forest"),
        ({"pay": "{W/P}", "with": {"life": 2}}, "pay {W/P}, paying 2 life"),
        ({"cast": "Opt"}, "cast Opt"),
    ],
)
def test_a_step_is_a_sentence(step: dict[str, Any], sentence: str) -> None:
    assert step_in_words(step) == sentence


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"attack": {"Bear": "bob", "Elf": "Jace"}}, "attack with Bear (bob) and Elf (Jace)"),
        ({"block": {"Wall": ["Bear", "Elf"]}}, "block Bear, Elf with Wall"),
        ({"block": {}}, "block nothing"),
        ({"activate": "Jace", "ability": 2}, "activate ability 2 of Jace"),
        ({"put_onto_battlefield": "Tamiyo", "transformed": True}, "put Tamiyo onto the battlefield transformed"),
        ({"add": "Island", "to": "alice"}, "add Island to alice"),
        ({"set": {"life": 3}, "id": "bob"}, "set life 3 of bob"),
        ({"discard": "Opt", "cause": "cleanup"}, "discard Opt, for the cleanup step"),
    ],
)
def test_an_action_in_words(action: dict[str, Any], words: str) -> None:
    assert describe_action(action) == words


def test_no_mana_is_said() -> None:
    assert (mana(""), mana({}), mana({"W": 50, "G": 1})) == ("no mana", "no mana", "50 {W} + 1 {G}")


def test_the_whole_answer() -> None:
    steps = [
        {"activate": "Altar", "ability": 1, "produces": "{C}{C}", "with": {"sacrifice": ["Bear"]}, "phase": "before"},
        {"activate": "Forest", "ability": 1, "produces": "{G}", "with": {"tap": ["Forest"]}, "phase": "during"},
        {"pay": "{G}", "with": {"mana": [{"mana": "{G}", "from": "Forest"}]}},
    ]
    spent = {"taps": 1, "permanents_lost": 1, "life": 0, "floating": "{C}{C}"}
    reasons = (Reason("payable", "118.3", text="it can be paid"), Reason("tapped", objects=("A", "B")))
    answer = Answer("yes", {"plan": steps, "spent": spent}, reasons, (UnreadLine("Odd Card", 2, ("-cost",)),))
    assert to_text(answer, PAY).splitlines() == [
        "Yes: {G} can be paid.",
        "  first, with priority:",
        "  1. activate Altar, sacrificing Bear, for {C}{C}",
        "  then, while paying:",
        "  2. tap Forest for {G}",
        "  3. pay {G} with {G} from Forest",
        "  it takes 1 tap, 1 permanent lost and {C}{C} left over",
        "  because it can be paid [CR 118.3]",
        "  because the permanent is tapped: A, B",
        "  not understood: Odd Card, line 2 (-cost)",
    ]


def test_untapping_names_what_untaps_and_what_stays() -> None:
    answer = Answer("known", {"must": ["Forest"], "may": [], "stays": ["Bear"]})
    text = to_text(answer, {"kind": "untaps"})
    assert text.splitlines() == ["In that untap step:", "  untaps: Forest", "  stays tapped: Bear"]
    assert to_text(Answer("known", {"must": [], "may": [], "stays": []}), {"kind": "untaps"}) == "Nothing untaps."


def test_unbounded_mana_names_its_loop() -> None:
    loop = [{"activate": "Pili-Pala", "ability": 2, "produces": "{G}", "with": {"untap": ["Pili-Pala"]}}]
    answer = Answer("known", {"maximal": [], "unbounded": {"types": ["G"], "stem": [], "loop": loop}})
    assert to_text(answer, {"kind": "mana"}).splitlines() == [
        "Mana that could be had:",
        "  as much {G} as wanted, with this loop:",
        "  1. activate Pili-Pala (ability 2), untapping Pili-Pala, for {G}",
    ]
