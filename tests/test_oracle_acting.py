"""Reading text about untap steps, hand size, rules of the game and combat."""

from __future__ import annotations

import pytest

from lawmage.model.abilities import (
    Ability,
    AlsoUntaps,
    AnyOf,
    AttackRule,
    Become,
    Do,
    DontUntap,
    Filter,
    GameRule,
    MaxHandSize,
    Permission,
    Prohibit,
    SkipStep,
    SpellAbility,
    Static,
    StaticEffect,
    Status,
    Target,
    Triggered,
    UntapCap,
)
from lawmage.model.oracle import compile_lines, compile_text

GOBLINS = Filter(subtypes=("Goblin",))
ME = Filter(me=True)


def static(text: str) -> tuple[StaticEffect, ...]:
    (line,) = compile_lines("Zed", "Artifact Creature — Golem", text)
    assert line.status == "modelled"
    return tuple(e for a in line.abilities if isinstance(a, Static) for e in a.effects)


def started(text: str) -> tuple[Ability, ...]:
    """What a spell with this text leaves behind."""
    (line,) = compile_lines("Zed", "Sorcery", text)
    effects = [e for a in line.abilities for e in getattr(a, "effects", ())]
    return tuple(a for e in effects if isinstance(e, Become) for a in e.abilities)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("Goblins don't untap during their controllers' untap steps.", DontUntap(GOBLINS)),
        ("Players can't untap more than three Goblins during their untap steps.", UntapCap(GOBLINS, 3)),
        (
            "Your opponents can't untap more than one Goblin during their untap steps.",
            UntapCap(GOBLINS, 1, "opponents"),
        ),
        (
            "Untap all Goblins you control during each opponent's untap step.",
            AlsoUntaps(Filter(subtypes=("Goblin",), controller="you")),
        ),
        ("Your opponents skip their untap steps.", SkipStep("untap", "opponents")),
        ("Your opponents' maximum hand size is reduced by three.", MaxHandSize("minus", 3, "opponents")),
        ("Goblins can't transform.", Prohibit("transform", GOBLINS)),
        ("Players don't lose the game for having 0 or less life.", GameRule("no_loss_for_life", "any")),
        ("This creature can't attack its owner.", AttackRule("cant_attack", ME, who="owner")),
        (
            "This creature can't attack unless defending player controls a Goblin.",
            AttackRule("cant_attack", ME, unless_defender=GOBLINS),
        ),
        (
            "This creature can't be blocked as long as defending player controls a Goblin.",
            AttackRule("cant_be_blocked", ME, if_defender=GOBLINS),
        ),
    ],
)
def test_static_sentences(text: str, effect: StaticEffect) -> None:
    assert static(text) == (effect,)


def test_it_in_a_condition_is_the_subject() -> None:
    (line,) = compile_lines(
        "Zed", "Creature", "This creature can't attack unless it has two or more fish counters on it."
    )
    (ability,) = line.abilities
    assert isinstance(ability, Static)
    assert "that" not in str(ability.condition)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("Goblins target player controls don't untap during their next untap step.", DontUntap),
        ("Tap target Goblin. That Goblin doesn't untap during its controller's next untap step.", DontUntap),
        ("Tap target Goblin, and it doesn't untap during its controller's next untap step.", DontUntap),
        ("Target player skips their next untap step.", SkipStep),
        ("Each player has no maximum hand size for the rest of the game.", MaxHandSize),
        ("You may play two additional lands this turn.", Permission),
        ("Target Goblin blocks this turn if able.", AttackRule),
    ],
)
def test_what_spells_leave_behind(text: str, effect: type) -> None:
    (ability,) = started(text)
    assert isinstance(ability, Static)
    assert [type(e) for e in ability.effects] == [effect]


def test_an_effect_in_words_applies_already() -> None:
    (line,) = compile_text("Bert doesn't untap during its controller's next untap step.", ("Bert",))
    assert line.abilities == (Static((DontUntap(Filter(names=("Bert",))),)),)


def test_chapters_keep_their_number() -> None:
    lines = compile_lines("Zed", "Enchantment — Saga", "I, II — Draw a card.\nIII — Draw two cards.")
    assert [a.least for line in lines for a in line.abilities if isinstance(a, Triggered)] == [2, 3]


def test_adjectives_and_keywords_of_one_alternative() -> None:
    (rule,) = static("This creature can't be blocked except by Goblins and/or creatures with reach.")
    assert isinstance(rule, AttackRule)
    assert rule.by is not None
    goblins, reach = rule.by.none_of[0].any_of
    assert (goblins.keyword, reach.keyword) == ("", "reach")


def test_named_like_the_card_itself() -> None:
    (rule,) = static("Other creatures named Zed can't attack.")
    assert isinstance(rule, AttackRule)
    assert rule.what.shares == ("name",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Draw two cards and create a Treasure token.", ["draw", "create"]),
        ("Draw three cards, then discard two cards.", ["draw"]),
        ("Draw a card, then discard two cards.", ["draw", "discard"]),
        ("Each player discards their hand, then draws six cards.", ["other", "discard"]),
        ("Each player draws four cards, then discards four cards at random.", ["other", "discard"]),
        ("Target player discards two cards.", ["other"]),
        ("Target player creates a Treasure token.", ["other", "create"]),
        ("Draw a card, then that player sacrifices a creature.", ["draw"]),
        ("Put two +1/+1 counters on target creature and untap it.", ["put", "untap"]),
    ],
)
def test_every_action_of_a_sentence_that_can_matter_later_is_told(text: str, words: list[str]) -> None:
    (line,) = compile_lines("Zed", "Sorcery", text)
    (spell,) = line.abilities
    assert isinstance(spell, SpellAbility)
    assert [e.what for e in spell.effects if isinstance(e, Do)] == words


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Goblins target player controls get -3/-0 until end of turn.", (Target(players="any"),)),
        ("Until end of turn, Goblins target opponent controls lose reach.", (Target(players="opponents"),)),
        ("All Forests target player controls become 1/2 creatures until end of turn.", (Target(players="any"),)),
        ('Goblins you control gain "{T}: Target player draws a card." until end of turn.', ()),
    ],
)
def test_a_player_whose_objects_change_is_a_target(text: str, targets: tuple[Target, ...]) -> None:
    (line,) = compile_lines("Zed", "Sorcery", text)
    (spell,) = line.abilities
    assert isinstance(spell, SpellAbility)
    assert spell.targets == targets


@pytest.mark.parametrize(
    "text",
    [
        "If you control a Goblin, creatures can't attack this turn.",
        "If you control three or more Forests, creatures you control gain reach until end of turn.",
    ],
)
def test_what_was_so_as_it_resolved_may_be_so_no_more(text: str) -> None:
    (ability,) = started(text)
    assert isinstance(ability, Static)
    assert isinstance(ability.condition, AnyOf)
    assert ability.condition.of[-1] == Status("not_stated")
