"""Text about what may be cast, activated and paid, read, and what it then means on a board."""

from __future__ import annotations

from typing import Any

import pytest

import lawmage
from lawmage.model.abilities import (
    AbilityAlternative,
    AbilityTiming,
    AlternativeCost,
    CostChange,
    Filter,
    GainAbilities,
    MoreActivations,
    Paid,
    Permission,
    SpellAbility,
    SpendAs,
    Static,
    StaticEffect,
)
from lawmage.model.oracle import compile_lines

ME = Filter(me=True)
CREATURES = Filter(types=("Creature",))


def effects(text: str, type_line: str = "Creature — Golem") -> tuple[StaticEffect, ...]:
    (line,) = compile_lines("Zed", type_line, text)
    assert line.status == "modelled", (line.status, line.subjects)
    return tuple(e for a in line.abilities if isinstance(a, Static) for e in a.effects)


def effect(text: str, type_line: str = "Creature — Golem") -> StaticEffect:
    (only,) = effects(text, type_line)
    return only


def status(text: str, type_line: str = "Creature — Golem") -> str:
    return compile_lines("Zed", type_line, text)[0].status


def card(text: str = "", name: str = "Zed", type_line: str = "Creature — Golem", cost: str = "") -> dict[str, Any]:
    numbers = {"power": "2", "toughness": "2"} if "Creature" in type_line else {}
    return {
        "name": name,
        "type_line": type_line,
        "oracle_text": text,
        **({"mana_cost": cost} if cost else {}),
        **numbers,
    }


def there(text: str = "", **more: Any) -> dict[str, Any]:
    """An object with this text."""
    words = {k: more.pop(k) for k in ("name", "type_line", "cost") if k in more}
    return {"card": card(text, **words), **more}


def vow(text: str, **more: Any) -> dict[str, Any]:
    return there(text, name="Vow", type_line="Enchantment", **more)


def zap(text: str = "Destroy target creature.", cost: str = "{R}") -> dict[str, Any]:
    return there(text, name="Zap", type_line="Instant", cost=cost)


def ask(query: dict[str, Any], mine: list[Any], theirs: list[Any] | None = None, **alice: Any) -> dict[str, Any]:
    more = {k: alice.pop(k) for k in ("turn",) if k in alice}
    bob = {k: alice.pop("bob_" + k) for k in ("life",) if "bob_" + k in alice}
    players = {"alice": {"battlefield": mine, **alice}, "bob": {"battlefield": theirs or [], **bob}}
    reply = lawmage.ask({"situation": {"players": players, **more}, "query": query})
    assert isinstance(reply, lawmage.Reply)
    return reply.wire()


def casts(name: str, mine: list[Any], theirs: list[Any] | None = None, **more: Any) -> str:
    query = {"kind": "can_cast", "card": name}
    query |= {k: more.pop(k) for k in ("zone", "targets", "using", "x") if k in more}
    return ask(query, mine, theirs, **more)["verdict"]


def activates(name: str, ability: int | str, mine: list[Any], theirs: list[Any] | None = None, **more: Any) -> str:
    query = {"kind": "can_activate", "permanent": name, "ability": ability}
    return ask(query, mine, theirs, **more)["verdict"]


def pays(cost: str, mine: list[Any], theirs: list[Any] | None = None, **more: Any) -> str:
    return ask({"kind": "can_pay", "cost": cost}, mine, theirs, **more)["verdict"]


# --- activated abilities of other objects ----------------------------------------------------------------------------

ELF = there("{T}: Add {G}.", name="Elf", type_line="Creature — Elf")
IDOL = "As long as Zed is on the battlefield, it has all activated abilities of all creature cards in all graveyards."


def test_the_abilities_of_cards_in_graveyards() -> None:
    assert effect(IDOL) == GainAbilities(ME, Filter(zone="graveyard", types=("Creature",)))
    assert pays("{G}", [there(IDOL)]) == "no"
    assert pays("{G}", [there(IDOL)], graveyard=[ELF]) == "yes"
    assert pays("{G}{G}", [there(IDOL)], graveyard=[ELF]) == "no"
    assert pays("{G}", [{**there(IDOL), "sick": True}], graveyard=[ELF]) == "no"


def test_the_abilities_of_what_was_exiled_with_it() -> None:
    text = "Zed has all activated abilities of all creature cards exiled with it."
    assert pays("{G}", [there(text)], exile=[ELF]) == "unknown"
    assert pays("{G}", [{**there(text), "imprinted": ["Llanowar Elves"]}]) == "yes"
    assert pays("{R}", [{**there(text), "imprinted": ["Llanowar Elves"]}]) == "no"


def test_other_abilities_than_mana_abilities() -> None:
    text = "Zed has all activated abilities of lands you control except mana abilities."
    assert pays("{G}", [there(text), {"card": "Forest", "tapped": True}]) == "no"


# --- abilities: costs, times, how often -------------------------------------------------------------------------------

BLADE = there("Equip {3}", name="Blade", type_line="Artifact — Equipment")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("", "no"),
        ("You may pay {0} rather than pay the equip cost of the first equip ability you activate each turn.", "yes"),
        ("You may pay {2} rather than pay the cycling cost of the first card you cycle each turn.", "no"),
    ],
)
def test_other_costs_of_equip_abilities(text: str, verdict: str) -> None:
    assert activates("Blade", 1, [BLADE, there(), vow(text)]) == verdict
    if text:
        assert isinstance(effect(text, "Enchantment"), AbilityAlternative)


def test_equip_at_instant_speed() -> None:
    text = "You may activate equip abilities any time you could cast an instant."
    assert effect(text, "Enchantment") == AbilityTiming("equip")
    board = [BLADE, there(), "3 Wastes"]
    their_turn = {"active": "bob", "step": "main1"}
    assert activates("Blade", 1, board, turn=their_turn) == "no"
    assert activates("Blade", 1, [*board, vow(text)], turn=their_turn) == "yes"


def test_more_activations() -> None:
    text = "You may activate exhaust abilities as though they haven't been activated."
    assert effect(text, "Enchantment") == MoreActivations("exhaust", 1)
    used = there("Exhaust — {1}: Draw a card.", activated=[1])
    assert activates("Zed", 1, ["Wastes", used]) != "yes"
    assert activates("Zed", 1, ["Wastes", used, vow(text)]) != "no"


def test_abilities_that_cannot_be_activated() -> None:
    text = "Enchanted creature can't attack or block, and its activated abilities with {T} in their costs can't be "
    text += "activated."
    aura = there(text, name="Vow", type_line="Enchantment — Aura", attached_to="Zed")
    both = there("{T}: Draw a card.\n{1}: Draw a card.")
    assert activates("Zed", 1, ["Wastes", both, aura]) == "no"
    assert activates("Zed", 2, ["Wastes", both, aura]) == "yes"


# --- costs of spells --------------------------------------------------------------------------------------------------


def test_several_objects_under_one_verb_are_all_of_them() -> None:
    spell = zap("As an additional cost to cast this spell, sacrifice a Forest and a Plains.\nDraw a card.")
    assert casts("Zap", ["Mountain", "Forest", "Plains"], hand=[spell]) == "yes"
    assert casts("Zap", ["Mountain", "Forest"], hand=[spell]) == "no"


def test_a_reduction_by_what_is_not_stated_doubts_only_a_no() -> None:
    spell = zap("This spell costs {1} less to cast if an opponent surveilled this turn.\nDraw a card.", "{2}{R}")
    assert casts("Zap", ["2 Wastes", "Mountain"], hand=[spell]) == "yes"
    assert casts("Zap", ["Wastes", "Mountain"], hand=[spell]) == "unknown"


def test_mana_abilities_that_cost_more() -> None:
    text = "Mana abilities of Forests cost an additional 1 life to activate."
    (change,) = effects(text, "Enchantment")
    assert isinstance(change, CostChange) and change.only_mana_abilities
    assert pays("{G}", ["Forest", vow(text)], life=3) == "yes"


def test_an_X_that_is_at_most_so_much() -> None:
    text = "As an additional cost to cast this spell, pay X life. X can't be greater than 2.\nDraw a card."
    assert casts("Zap", ["Mountain"], hand=[zap(text)], x=2, life=9) == "yes"
    assert casts("Zap", ["Mountain"], hand=[zap(text)], x=3, life=9) == "no"


def test_life_for_others_in_place_of_the_mana_cost() -> None:
    text = "If you control a Forest, rather than pay this spell's mana cost, you may have an opponent gain 3 life.\n"
    spell = zap(text + "Draw a card.", "{2}{G}")
    assert casts("Zap", [{"card": "Forest", "tapped": True}], hand=[spell]) == "yes"
    assert casts("Zap", [], hand=[spell]) == "no"
    ban = vow("Players can't gain life.")
    assert casts("Zap", [{"card": "Forest", "tapped": True}, ban], hand=[spell]) == "no"


def test_discarding_in_place_of_mana_costs() -> None:
    text = "Rather than pay the mana cost for a spell, its controller may discard a card that shares a color with that "
    text += "spell."
    red = there(name="Yod", cost="{R}")
    assert casts("Zap", [vow(text)], hand=[zap(cost="{4}{R}"), red], theirs=[there()]) == "yes"
    assert casts("Zap", [vow(text)], hand=[zap(cost="{4}{R}"), "Forest"], theirs=[there()]) == "no"


# --- what may be cast, and from where ---------------------------------------------------------------------------------


def test_cards_that_were_exiled_with_it() -> None:
    text = "During your turn, you may cast spells from among cards exiled with Zed."
    (allowed,) = effects(text)
    assert isinstance(allowed, Permission) and allowed.spells is not None and allowed.spells.linked
    elf = {"card": "Llanowar Elves"}
    exiled = {"exile": [elf], "zone": "exile"}
    assert casts("Llanowar Elves", ["Forest", there(text)], **exiled) == "unknown"
    known = {**there(text), "imprinted": ["Llanowar Elves"]}
    assert casts("Llanowar Elves", ["Forest", known], **exiled) == "yes"
    other = {**there(text), "imprinted": ["Grizzly Bears"]}
    assert casts("Llanowar Elves", ["Forest", other], **exiled) == "no"


def test_from_the_graveyard_using_an_ability_of_its_own() -> None:
    text = "You may cast creature spells from your graveyard using their blitz abilities."
    (allowed,) = effects(text)
    assert isinstance(allowed, Permission) and (allowed.zones, allowed.only_for) == (("graveyard",), "blitz")
    fast = there("Blitz {1}{R}", name="Yod", cost="{4}{R}")
    mine = ["Mountain", "Wastes", there(text)]
    assert casts("Yod", mine, graveyard=[fast], zone="graveyard") == "yes"
    assert casts("Yod", mine[:2], graveyard=[fast], zone="graveyard") == "no"
    plain = there("Haste", name="Yod", cost="{R}")
    assert casts("Yod", mine, graveyard=[plain], zone="graveyard") == "no"


def test_snow_mana_of_any_color() -> None:
    text = "You may cast spells from among cards exiled with Zed, and you may spend mana from snow sources as though "
    text += "it were mana of any color to cast those spells."
    assert any(isinstance(e, SpendAs) and e.snow for e in effects(text))
    known = {**there(text), "imprinted": ["Llanowar Elves"]}
    exiled = {"exile": ["Llanowar Elves"], "zone": "exile"}
    assert casts("Llanowar Elves", [known, "Snow-Covered Island"], **exiled) == "yes"
    assert casts("Llanowar Elves", [known, "Island"], **exiled) == "no"


def test_what_a_spell_lets_cast_as_it_resolves_is_no_permission() -> None:
    line = "You may cast a spell with mana value 7 or less from your hand without paying its mana cost."
    (found,) = compile_lines("Zed", "Sorcery", line)
    assert not any(isinstance(a, Static) and a.effects for a in found.abilities)


def test_the_bracketed_text_is_there_unless_cleave_was_paid() -> None:
    (found,) = compile_lines("Zap", "Instant", "Destroy target [attacking] creature.")
    (ability,) = found.abilities
    assert isinstance(ability, SpellAbility)
    narrow, wide = ability.targets
    assert (narrow.what, wide.what) == (Filter(types=("Creature",), attacking=True), CREATURES)
    assert wide.when == Paid("cleave")


def test_only_at_some_time_of_combat() -> None:
    spell = zap("Cast this spell only during combat before blockers are declared.\nDraw a card.")
    turn = {"active": "alice", "step": "attackers"}
    assert casts("Zap", ["Mountain"], hand=[spell], turn=turn) == "yes"
    assert casts("Zap", ["Mountain"], hand=[spell], turn={**turn, "step": "main1"}) == "no"


# --- players and objects that are warded ------------------------------------------------------------------------------


def test_targets_despite_hexproof() -> None:
    text = "Creatures your opponents control with hexproof can be the targets of spells and abilities you control as "
    text += "though they didn't have hexproof."
    warded = there("Hexproof")
    assert casts("Zap", ["Mountain"], [warded], hand=[zap()]) == "no"
    assert casts("Zap", ["Mountain", vow(text)], [warded], hand=[zap()]) == "yes"


def test_a_player_with_protection() -> None:
    ward = vow("You have protection from red.")
    bolt = zap("Zap deals 3 damage to target player.")
    assert casts("Zap", ["Mountain"], [ward], hand=[bolt], targets=["bob"]) == "no"
    blue = zap("Zap deals 3 damage to target player.", "{U}")
    assert casts("Zap", ["Island"], [ward], hand=[blue], targets=["bob"]) == "yes"


def test_what_cannot_be_enchanted_loses_its_auras() -> None:
    text = "This creature can't be enchanted."
    aura = there("Enchant creature", name="Vow", type_line="Enchantment — Aura", attached_to="Zed")
    assert len(ask({"kind": "state_based"}, [there(text), aura])["actions"]) == 1
    assert ask({"kind": "state_based"}, [there(), aura])["actions"] == []


# --- combat -----------------------------------------------------------------------------------------------------------


def test_blocking_despite_landwalk() -> None:
    text = "Creatures with swampwalk can be blocked as though they didn't have swampwalk."
    attacker = there("Swampwalk", attacking="alice")
    query = {"kind": "legal", "action": {"block": {"Yod": "Zed"}}}
    turn = {"active": "bob", "step": "blockers"}
    mine = [there(name="Yod"), "Swamp"]
    assert ask(query, mine, [attacker], turn=turn)["verdict"] == "no"
    assert ask(query, [*mine, vow(text)], [attacker], turn=turn)["verdict"] == "yes"


def test_attacking_as_though_with_haste() -> None:
    text = "Creatures you control can attack as though they had haste."
    query = {"kind": "legal", "action": {"attack": {"Zed": "bob"}}}
    turn = {"active": "alice", "step": "attackers"}
    sick = {**there("{T}: Draw a card."), "sick": True}
    assert ask(query, [sick], turn=turn)["verdict"] == "no"
    assert ask(query, [sick, vow(text)], turn=turn)["verdict"] == "yes"
    assert activates("Zed", 1, [sick, vow(text)]) == "no"


# --- what says nothing about any of this ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Combat damage can't be prevented.", "You can't get poison counters."])
def test_what_no_question_asks_about(text: str) -> None:
    assert status(text, "Enchantment") != "unread"


@pytest.mark.parametrize(
    "text",
    [
        "Zed has some activated abilities of all creatures.",
        "You may cast spells from your graveyard using their songs.",
        "You may sing rather than pay equip costs.",
        "Spells cost {1} less to cast unless Zed sings.",
        "Creatures can't attack unless their controller sings.",
    ],
)
def test_what_is_not_read(text: str) -> None:
    assert status(text) == "unread"


# --- more of permissions and costs ------------------------------------------------------------------------------------


def test_life_in_place_of_the_mana_cost_once_each_turn() -> None:
    text = "Once during each of your turns, you may cast a spell from your hand by paying life equal to its mana value "
    text += "rather than paying its mana cost."
    (allowed,) = effects(text, "Enchantment")
    assert isinstance(allowed, AlternativeCost) and allowed.once_each_turn
    big = there("Haste", name="Yod", cost="{4}{R}")
    assert casts("Yod", [vow(text)], hand=[big], life=6) == "yes"
    assert casts("Yod", [vow(text)], hand=[big], life=4) == "no"
    assert casts("Yod", [], hand=[big], life=6) == "no"


def test_two_sentences_that_and_joins() -> None:
    text = "During your turn, creatures you control have haste and equip abilities you activate cost {1} less to "
    text += "activate."
    assert [type(e).__name__ for e in effects(text)] == ["GrantAbilities", "CostChange"]
    board = [BLADE, there(), "2 Wastes", vow(text)]
    assert activates("Blade", 1, board) == "yes"
    # A condition at the end may be about both.
    joined = "Creatures you control have haste and equip abilities you activate cost {1} less to activate as long as "
    assert status(joined + "Zed is tapped.") == "unread"


def test_all_the_cards_that_it_was_crafted_from() -> None:
    text = "Zed has each activated ability of the exiled cards used to craft it. You may activate each of those "
    text += "abilities only once each turn."
    assert effect(text) == GainAbilities(ME, Filter(zone="exile", linked=True), limit=1)


@pytest.mark.parametrize("text", ["Devour land 3", "Craft with four or more nonlands {3}", "Flash"])
def test_keywords_of_a_kind(text: str) -> None:
    assert status(text) != "unread"


def test_where_the_cards_are_is_said_once() -> None:
    both = compile_lines("Zed", "Artifact", "Exile an Elf card and a Goblin card from your graveyard: Draw a card.")
    (found,) = both[0].abilities
    assert len(getattr(found, "cost", ())) == 2


def test_any_number_of_counters_may_be_none() -> None:
    text = "{T}, Remove any number of charge counters from Zed: Add {U}, then add an additional {U} for each charge "
    text += "counter removed this way."
    found = ask({"kind": "usable", "cost": "{1}{U}"}, [there(text, type_line="Artifact"), "Island"])
    assert (found["verdict"], found["usable"]) == ("known", ["Zed", "Island"])
    assert pays("{U}{U}{U}", [{**there(text, type_line="Artifact"), "counters": {"charge": 2}}]) == "yes"
