"""Several spells in one step: one line for all of them, in an order that works."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from lawmage.model.abilities import CostChange, Counters, Do, Static, Triggered
from lawmage.model.abilities import Filter as F
from lawmage.model.asking import resolve_question
from lawmage.model.cards import default_library
from lawmage.model.casting import proposals_cast
from lawmage.model.characteristics import view_of
from lawmage.model.documents import read_case
from lawmage.model.game import Game, Unknown
from lawmage.model.proposals import Proposal
from lawmage.model.questions import CanCastAll, Check, StepForm
from lawmage.model.replay import Bill, Illegal, Spent, pay_bill
from lawmage.model.resolving import resolved, with_cast
from lawmage.model.setup import build_game
from lawmage.solver.casting import bill_of
from lawmage.solver.exhaustive import TooLarge, reachable
from lawmage.solver.queries import answer
from lawmage.solver.readings import from_pool

from .boards import card
from .boards import game as small


def asked(alice: dict[str, Any], query: dict[str, Any], bob: dict[str, Any] | None = None) -> tuple[Game, Any]:
    case = read_case(
        json.dumps({"id": "t", "situation": {"players": {"alice": alice, "bob": bob or {}}}, "query": query})
    )
    game = build_game(case.situation, default_library())
    return game, resolve_question(case.query, game, default_library())


def can_cast_all(battlefield: list[Any], hand: list[Any], *cards: str, **more: Any) -> dict[str, Any]:
    game, question = asked(
        {"battlefield": battlefield, "hand": hand}, {"kind": "can_cast_all", "cards": list(cards or hand)}, **more
    )
    return answer(game, question).wire()


def order(found: dict[str, Any]) -> list[str]:
    return [step["cast"] for step in found["plan"] if "cast" in step]


# --- a reference: every line of mana abilities and payments, spell by spell ------------------------------------------


def brute(game: Game, player: str, cards: tuple[str, ...], most_states: int) -> bool:
    """Whether all of the cards can be cast: every state between the spells, every way to pay out of the pool."""
    if not cards:
        return True
    for n, one in enumerate(cards):
        rest = cards[:n] + cards[n + 1 :]
        proposals = proposals_cast(view_of(game), player, one)
        for proposal in proposals.with_x(0 if proposals.has_x else None):
            for view, _ in reachable(proposal.view.game, player, most_states):
                for after in _paid(view.game, player, proposal):
                    for result in resolved(game, proposal, with_cast(proposal, after)):
                        if any(d.adds or d.takes for d in result.doubts) and rest:
                            raise TooLarge
                        if brute(result.game, player, rest, most_states):
                            return True
    return False


def _paid(game: Game, player: str, proposal: Proposal) -> list[Game]:
    bill: Bill = bill_of(proposal)
    view = view_of(game)
    if bill.parts or bill.substitutes:
        raise TooLarge
    found = {}
    try:
        for payments in from_pool(view, player, bill):
            after, _ = pay_bill(view, view, player, bill, payments, Spent())
            found[after.players[player].pool] = after
    except Illegal:
        pass
    return list(found.values())


BOARD = ["Forest", "Mountain", "Swamp", "Island", "Sol Ring", "Llanowar Elves", "Gruul Signet", "City of Brass"]
BOARD += ["Ashnod's Altar", "Ornithopter", "Mana Reflection", "Lotus Petal", "Ancient Ziggurat", "Damping Sphere"]
HAND = ["Sol Ring", "Llanowar Elves", "Grizzly Bears", "Dark Ritual", "Burning-Tree Emissary", "Lotus Petal"]
HAND += ["Gruul Signet", "Lightning Bolt", "Ornithopter", "Wurmcoil Engine", "Damping Sphere", "Blood Moon"]


def mismatch(seed: int) -> str | None:
    rng = random.Random(seed)
    board = [rng.choice(BOARD) for _ in range(rng.randint(1, 4))]
    hand = rng.sample(HAND, rng.choice([2, 2, 3]))
    game, question = asked({"battlefield": board, "hand": hand}, {"kind": "can_cast_all", "cards": hand})
    found = answer(game, question).wire()
    try:
        wanted = brute(game, "alice", question.cards, 300)
    except (TooLarge, Unknown):
        return None
    if found["verdict"] == "unknown":
        code = found["because"][0]["code"]
        return f"internal: {found['because'][0]}" if code == "internal" else None
    if (found["verdict"] == "yes") != wanted:
        return f"{board} {hand}: {found['verdict']}, the reference says {wanted}"
    return None


@pytest.mark.parametrize("seed", [*range(40), 2056, 2075, 2213])
def test_random_hands_agree_with_the_reference(seed: int) -> None:
    assert mismatch(seed) is None


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_each_source_goes_where_it_is_needed() -> None:
    found = can_cast_all(["Llanowar Elves", "Island", "City of Brass"], ["Grizzly Bears", "Lightning Bolt"])
    assert found["verdict"] == "yes"
    assert found["spent"]["taps"] == 3


def test_what_a_spell_adds_pays_for_the_next_one() -> None:
    found = can_cast_all(["Swamp", "3 Forest"], ["Wurmcoil Engine", "Dark Ritual"])
    assert found["verdict"] == "yes"
    assert order(found) == ["Dark Ritual", "Wurmcoil Engine"]
    assert can_cast_all(["Swamp", "2 Forest"], ["Wurmcoil Engine", "Dark Ritual"])["verdict"] == "no"


def test_what_enters_may_be_used() -> None:
    found = can_cast_all(["Forest"], ["Pithing Needle", "Sol Ring"])
    assert found["verdict"] == "yes"
    assert order(found) == ["Sol Ring", "Pithing Needle"]
    assert found["spent"]["floating"] == "{C}"


def test_a_creature_that_enters_is_sick() -> None:
    assert can_cast_all(["Forest"], ["Llanowar Elves", "Pithing Needle"])["verdict"] == "no"


def test_a_creature_that_enters_may_be_sacrificed() -> None:
    found = can_cast_all(["Ashnod's Altar", "2 Forest", "2 Ornithopter"], ["Wurmcoil Engine", "Grizzly Bears"])
    assert found["verdict"] == "yes"
    assert found["spent"]["permanents_lost"] == 3
    assert (
        can_cast_all(["Ashnod's Altar", "Forest", "2 Ornithopter"], ["Wurmcoil Engine", "Grizzly Bears"])["verdict"]
        == "no"
    )


def test_a_trigger_on_entering_adds_mana() -> None:
    found = can_cast_all(["Forest", "Mountain"], ["Grizzly Bears", "Burning-Tree Emissary"])
    assert order(found) == ["Burning-Tree Emissary", "Grizzly Bears"]


CASTER = card(
    "Caster",
    "Creature",
    Triggered(
        "cast", F(zone="stack", types=("Creature",)), "you", effects=(Do("counters", F(me=True), detail="+1/+1"),)
    ),
    Static((CostChange("less", "{1}", Counters("+1/+1"), F(zone="stack", types=("Creature",)), who="you"),)),
    pt="1/1",
)


@pytest.mark.parametrize(("lands", "verdict"), [(3, "yes"), (2, "no")])
def test_a_counter_from_the_first_cast_makes_the_second_cheaper(lands: int, verdict: str) -> None:
    bears = [{"card": "Grizzly Bears"}, {"card": "Grizzly Bears"}]
    board = small({"alice": [CASTER, *["Forest"] * lands]}, hand={"alice": bears})
    found = answer(board, CanCastAll(cards=("Grizzly Bears", "Grizzly Bears#2"), player="alice"))
    assert found.verdict == verdict


def test_limits_on_spells_count_those_before() -> None:
    bob = {"battlefield": ["Ethersworn Canonist"]}
    hand = ["Grizzly Bears", "Llanowar Elves"]
    found = can_cast_all(["4 Forest"], hand, bob=bob)
    assert found["verdict"] == "no"
    assert "Ethersworn Canonist" in found["because"][0]["objects"]
    assert can_cast_all(["4 Forest"], ["Grizzly Bears", "Sol Ring"], bob=bob)["verdict"] == "yes"


def test_one_that_forbids_it_and_could_leave_is_no_certain_no() -> None:
    board = ["Ethersworn Canonist", "Ashnod's Altar", "4 Forest"]
    assert can_cast_all(board, ["Grizzly Bears", "Llanowar Elves"])["verdict"] == "unknown"


def test_a_permanent_that_changes_mana_changes_it_only_afterwards() -> None:
    """Blood Moon can be cast with the blue mana that it will take away, but Opt only before it."""
    found = can_cast_all(["Tundra", "3 Mountain"], ["Blood Moon", "Opt"])
    assert found["verdict"] == "yes"


def test_a_card_that_is_not_there_and_an_empty_list() -> None:
    assert can_cast_all(["4 Forest"], [], "Grizzly Bears")["verdict"] == "no"
    assert can_cast_all(["Forest"], ["Forest"], "Forest")["verdict"] == "no"


def test_every_plan_is_accepted_step_by_step() -> None:
    for board, hand in (
        (["Swamp", "3 Forest"], ["Wurmcoil Engine", "Dark Ritual"]),
        (["Forest"], ["Pithing Needle", "Sol Ring"]),
        (["Ashnod's Altar", "2 Forest", "2 Ornithopter"], ["Wurmcoil Engine", "Grizzly Bears"]),
        (["3 Forest"], ["Grizzly Bears", "Llanowar Elves"]),
    ):
        found = can_cast_all(board, hand)
        line = msgspec.convert(found["plan"], tuple[StepForm, ...])
        game, _ = asked({"battlefield": board, "hand": hand}, {"kind": "can_cast_all", "cards": hand})
        checked = answer(game, resolve_question(Check(line=line), game, default_library())).wire()
        assert checked["verdict"] == "yes", checked
        assert checked["spent"] == found["spent"]


@pytest.mark.parametrize("theirs", ["Kismet", "Manglehorn"])
def test_what_another_permanent_says_of_entering_counts(theirs: str) -> None:
    board, hand = ["Forest"], ["Sol Ring", "Mind Stone"]
    assert can_cast_all(board, hand)["verdict"] == "yes"
    assert can_cast_all(board, hand, bob={"battlefield": [theirs]})["verdict"] == "no"
    assert can_cast_all(board, hand, bob={"battlefield": ["Authority of the Consuls"]})["verdict"] == "yes"


# --- triggers whose events are known by their kind only -------------------------------------------------------------


def text_card(name: str, text: str, cost: str = "") -> dict[str, Any]:
    numbers = {"power": "1", "toughness": "1"}
    return {"card": {"name": name, "mana_cost": cost, "type_line": "Creature — Elf", "oracle_text": text, **numbers}}


RED = ["Lightning Bolt", "Shock"]


@pytest.mark.parametrize(
    "text",
    [
        "Whenever you cast your first spell each turn, add {G}{G}{G}.",
        "Whenever you cast or copy an instant or sorcery spell, create a Treasure token.",
        "Whenever this creature is dealt damage, add {R}.",
        "When this creature dies, add {R}.",
    ],
)
def test_what_might_trigger_leaves_no_certain_no(text: str) -> None:
    found = can_cast_all([text_card("Zed", text), "Mountain"], RED, bob={"battlefield": ["Grizzly Bears"]})
    assert found["verdict"] == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "Whenever you cast your first spell each turn, you gain 1 life.",
        "Whenever this creature attacks, add {R}{R}.",
        "When this creature dies, each opponent loses 1 life.",
    ],
)
def test_what_cannot_help_leaves_a_no(text: str) -> None:
    found = can_cast_all([text_card("Zed", text), "Mountain"], RED, bob={"battlefield": ["Grizzly Bears"]})
    assert found["verdict"] == "no"


def test_mana_among_other_things() -> None:
    zed = text_card("Zed", "Whenever you cast a spell, add {R} and put a +1/+1 counter on this creature.")
    assert can_cast_all([zed, "Mountain"], RED)["verdict"] == "yes"


@pytest.mark.parametrize(("counters", "verdict"), [(3, "no"), (1, "yes")])
def test_an_intervening_if_of_a_cast_trigger(counters: int, verdict: str) -> None:
    """603.4: with three counters nothing happens."""
    text = "Whenever you cast a spell, if this creature has fewer than three +1/+1 counters on it, add {R}."
    zed = text_card("Zed", text) | {"counters": {"+1/+1": counters}}
    assert can_cast_all([zed, "Mountain"], RED)["verdict"] == verdict


def test_a_trigger_of_the_spell_itself() -> None:
    zed = text_card("Zed", "When you cast this spell, add {G}.", "{R}")
    assert can_cast_all(["Mountain"], [zed, "Llanowar Elves"], "Zed", "Llanowar Elves")["verdict"] == "yes"


def test_damage_for_each_spell_may_end_the_game() -> None:
    text = "Whenever a player casts a spell with mana value 2 or less, this creature deals 2 damage to that player."
    for life, verdict in ((2, "unknown"), (5, "yes")):
        alice = {"life": life, "battlefield": ["Forest", "Mountain"], "hand": ["Llanowar Elves", "Memnite"]}
        query = {"kind": "can_cast_all", "cards": ["Llanowar Elves", "Memnite"]}
        game, question = asked(alice, query, {"battlefield": [text_card("Zed", text)]})
        assert answer(game, question).verdict == verdict


@pytest.mark.parametrize(("spell", "verdict"), [("Grizzly Bears", "no"), ("Wall of Blossoms", "yes")])
def test_its_power_is_that_of_the_spell(spell: str, verdict: str) -> None:
    zed = text_card("Zed", "Each creature spell you cast with toughness greater than its power costs {2} less to cast.")
    assert can_cast_all([zed, "Forest"], [spell])["verdict"] == verdict


DOUBLED = "If a source would deal damage to a player, it deals double that damage instead."
FLOOR = "damage that would reduce your life total to less than 1 reduces it to 1 instead."
TOMB = "{T}: Add {C}{C}. This artifact deals 2 damage to you."


@pytest.mark.parametrize(
    ("life", "more", "verdict"),
    [
        (3, [], "yes"),
        (2, [], "no"),  # 704.5a: there is no second spell for who has no life left
        (2, ["2 Forest"], "yes"),  # the first is paid for without pain, and the last one may hurt
        (2, [text_card("Wall", "You don't lose the game for having 0 or less life.")], "yes"),
        (2, [text_card("Wall", "Prevent all damage that would be dealt to you.")], "yes"),
        (4, [text_card("Wall", DOUBLED)], "no"),
        (2, [text_card("Wall", "If a source would deal damage to you, prevent 3 of that damage.")], "unknown"),
        (2, [text_card("Wall", f"If you control a creature, {FLOOR}")], "unknown"),
    ],
)
def test_who_has_no_life_left_casts_no_further_spell(life: int, more: list[Any], verdict: str) -> None:
    tombs = [text_card("Tomb 1", TOMB), text_card("Tomb 2", TOMB)]
    hand = [text_card("One", "", "{2}"), text_card("Two", "", "{2}")]
    alice = {"life": life, "battlefield": [*tombs, *more], "hand": hand}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": ["One", "Two"]})
    assert answer(game, question).verdict == verdict


def sorcery(name: str, text: str, cost: str) -> dict[str, Any]:
    return {"card": {"name": name, "mana_cost": cost, "type_line": "Sorcery", "oracle_text": text}}


@pytest.mark.parametrize(
    "text",
    [
        "Investigate.",
        "Proliferate.",
        "Manifest the top card of your library.",
        "Amass Orcs 1.",
        "Draw a card, then investigate.",
        "Add {R} for each creature destroyed this way.",
    ],
)
def test_what_may_help_to_pay_for_the_next_spell_leaves_no_sure_no(text: str) -> None:
    helps = sorcery("Helps", text, "{1}")
    two = text_card("Two", "", "{2}")
    alice = {"battlefield": ["2 Forest"], "hand": [helps, two]}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": ["Helps", "Two"]})
    assert answer(game, question).verdict == "unknown"


def test_a_second_rite_counts_the_first() -> None:
    text = "Add {R}{R}, then add {R} for each card named Rite in each graveyard."
    rite = sorcery("Rite", text, "{R}")
    last = text_card("Last", "", "{R}{R}{R}{R}")
    alice = {"battlefield": ["Mountain"], "hand": [rite, rite, last]}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": ["Rite", "Rite", "Last"]})
    assert answer(game, question).verdict == "yes"


@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        ("Zed deals 3 damage to any target.", "unknown"),  # which may be an opponent
        ("Each opponent loses 1 life.", "unknown"),
        ("Scry 1.", "no"),
        ("Draw a card.", "no"),
    ],
)
def test_what_a_spell_does_may_make_the_next_one_cheap(first: str, verdict: str) -> None:
    cheap = sorcery("Cheap", "Spectacle {R}\nDraw a card.", "{4}{R}")
    alice = {"battlefield": ["2 Mountain"], "hand": [sorcery("Zed", first, "{R}"), cheap]}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": ["Zed", "Cheap"]})
    assert answer(game, question).verdict == verdict


@pytest.mark.parametrize(
    ("trigger", "verdict"),
    [
        ("When you cast a spell, sacrifice this creature.", "unknown"),
        ("When you cast a spell, return this creature to its owner's hand.", "unknown"),
        ("Whenever you cast a spell, you may sacrifice this creature.", "yes"),
    ],
)
def test_an_own_trigger_that_has_to_takes_what_the_next_spell_needs(trigger: str, verdict: str) -> None:
    helper = text_card("Helper", trigger)
    rite = sorcery("Rite", "Add {R}{R}{R}.", "{1}{R}")
    last = sorcery("Last", "Convoke\nScry 1.", "{2}{R}{R}")
    alice = {"battlefield": [helper, "2 Mountain"], "hand": [rite, last]}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": ["Rite", "Last"]})
    assert answer(game, question).verdict == verdict


@pytest.mark.parametrize(
    ("life", "board", "verdict"),
    [
        (1, ["2 City of Brass"], "unknown"),
        (2, ["2 City of Brass"], "yes"),
        (1, ["2 City of Brass", "Glacial Chasm"], "yes"),
        (1, ["2 Island", "Manabarbs"], "unknown"),
        (3, ["2 Island", "Manabarbs"], "yes"),
    ],
)
def test_damage_that_tapping_triggers_may_take_the_last_life_before_the_next_spell(
    life: int, board: list[Any], verdict: str
) -> None:
    hand = ["Ponder", "Preordain"]
    alice = {"battlefield": board, "hand": hand, "life": life}
    game, question = asked(alice, {"kind": "can_cast_all", "cards": hand})
    assert answer(game, question).verdict == verdict
