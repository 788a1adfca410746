"""Text that hangs on something that no situation states: what is understood of it, and what stays unknown."""

from __future__ import annotations

import pytest

from lawmage.model.abilities import (
    Activated,
    AllOf,
    AlternativeCost,
    Become,
    Bound,
    Calc,
    Card,
    Compare,
    Count,
    CounterReplacement,
    Discard,
    Do,
    EntersWith,
    ExileCost,
    Face,
    Filter,
    GameRule,
    GrantAbilities,
    Is,
    Keyword,
    Life,
    Line,
    NotStated,
    OfPlayers,
    Party,
    Permission,
    PowerToughness,
    Prohibit,
    SpellAbility,
    Static,
    Status,
    Target,
    Triggered,
    TriggersAgain,
    Unsettled,
    X,
)
from lawmage.model.characteristics import view_of
from lawmage.model.evaluate import Context, SpellInfo, amount, matches
from lawmage.model.game import Game, Obj, Player, TurnState, Unknown
from lawmage.model.oracle import compile_lines
from lawmage.model.state_based import state_based_actions
from lawmage.model.targeting import assigned, choices_of_targets

CREATURE = Filter(types=("Creature",))
ME = Filter(me=True)


def line(text: str, type_line: str = "Creature — Golem") -> Line:
    (found,) = compile_lines("Zed", type_line, text)
    return found


def static(text: str) -> Static:
    found = line(text)
    (ability,) = found.abilities
    assert found.status == "modelled" and isinstance(ability, Static)
    return ability


def targets(text: str) -> tuple[Target, ...]:
    (ability,) = line(text, "Sorcery").abilities
    assert isinstance(ability, SpellAbility)
    return ability.targets


def test_another_target_is_another_than_those_before() -> None:
    mine = Filter(subtypes=("Wall",), controller="you")
    assert targets("Target Wall you control fights another target creature.") == (
        Target(mine),
        Target(CREATURE, apart=True),
    )
    assert targets("Zed deals 2 damage to any target and 1 damage to any other target.") == (
        Target(any_target=True),
        Target(any_target=True, apart=True),
    )


def test_a_description_that_is_not_stated_narrows() -> None:
    (target,) = targets("Destroy target Wall that was dealt damage this turn.")
    assert target.what == Filter(subtypes=("Wall",), unstated=True)
    (target,) = targets("Counter target activated or triggered ability from a Wall source.")
    assert target.what == Filter(zone="stack", ability="only", unstated=True)
    # Another kind after the words that are not read would widen it.
    assert line("Destroy target planeswalker that was counted this turn or tapped artifact.", "Instant").subjects


def test_targets_of_a_reflexive_trigger_are_its_own() -> None:
    (ability,) = line("{T}: Put a coin counter on Zed. When you do, destroy target creature.").abilities
    assert isinstance(ability, Activated) and not ability.targets


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (
            "Zed gets +1/+1 as long as an opponent has eight or more cards in their graveyard.",
            Compare(OfPlayers("greatest", Count(Filter(zone="graveyard", owner="you"))), ">=", 8),
        ),
        (
            "As long as an opponent has 10 or less life, Zed has flying.",
            Compare(OfPlayers("least", Life()), "<=", 10),
        ),
        ("As long as you've surveilled this turn, Zed has flying.", Status("not_stated")),
        (
            "Zed can't be blocked as long as it's attacking alone.",
            AllOf(
                (
                    Is("self", Filter(zone="any", attacking=True)),
                    Compare(Count(Filter(types=("Creature",), attacking=True)), "==", 1),
                )
            ),
        ),
    ],
)
def test_conditions(text: str, condition: object) -> None:
    assert static(text).condition == condition


def test_a_condition_about_its_own_place_is_not_read() -> None:
    assert line("As long as Zed isn't on the battlefield, it's a 1/1 Insect creature.").status == "unread"


def test_sizes_that_are_not_stated() -> None:
    assert static("Zed gets +1/+0 for each result stored on it.").effects == (
        PowerToughness(ME, "modify", NotStated(), 0),
    )
    ability = static("Zed's power and toughness are each equal to the life paid as it entered.")
    assert ability.effects == (PowerToughness(ME, "define", NotStated(), NotStated()),)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        (
            "If one or more +1/+1 counters would be put on a Wall you control, that many plus one +1/+1 counters "
            "are put on it instead.",
            CounterReplacement(Filter(subtypes=("Wall",), controller="you"), "+1/+1", plus=1, costs=True),
        ),
        (
            "If an effect would put one or more counters on a Wall you control, it puts twice that many of those "
            "counters on that permanent instead.",
            CounterReplacement(Filter(subtypes=("Wall",), controller="you"), factor=2),
        ),
        (
            "If a Wall an opponent controls would die, exile it instead.",
            GameRule("goes_elsewhere", "any", Filter(subtypes=("Wall",), controller="opponents")),
        ),
        (
            "Zed can't be the target of white spells or abilities from white sources.",
            Prohibit("target", ME, by=Filter(zone="any", colors="W")),
        ),
        (
            "Zed can't be the target of Aura spells.",
            Prohibit("target", ME, by=Filter(zone="any", subtypes=("Aura",)), by_kind="spells"),
        ),
    ],
)
def test_static_effects(text: str, effect: object) -> None:
    assert static(text).effects == (effect,)


def test_what_a_copy_may_differ_in() -> None:
    (ability,) = line(
        "You may have Zed enter as a copy of any creature on the battlefield, except it's an artifact."
    ).abilities
    assert ability == EntersWith(copy_of=CREATURE, excepted=("types", "subtypes", "supertypes"))


# --- in a game --------------------------------------------------------------------------------------------------------


def permanent(name: str, who: str = "alice", *abilities: Static, damage: int = 0) -> Obj:
    face = Face(
        name,
        types=("Creature",),
        power="2",
        toughness="2",
        lines=(Line(1, "modelled", abilities),) if abilities else (),
    )
    return Obj(id=name, card=Card(name, (face,)), zone="battlefield", controller=who, owner=who, damage=damage)


def game(*objects: Obj, **lives: int) -> Game:
    players = {n: Player(name=n, life=lives.get(n, 20)) for n in ("alice", "bob", "carol")}
    return Game("alice", players, {o.id: o for o in objects}, TurnState(active="alice"))


def test_amounts_over_players() -> None:
    context = Context(view_of(game(bob=7, carol=30)), source=None, you="alice")
    assert amount(OfPlayers("least", Life()), context) == 7
    assert amount(OfPlayers("greatest", Life()), context) == 30
    with pytest.raises(Unknown):
        amount(NotStated(), context)


def test_what_does_not_fit_otherwise_is_certain() -> None:
    context = Context(view_of(game(permanent("Bears"))), source=None, you="alice")
    assert not matches(Filter(types=("Land",), unstated=True), "Bears", context)
    with pytest.raises(Unknown):
        matches(Filter(types=("Creature",), unstated=True), "Bears", context)


def test_targets_apart_need_two_objects() -> None:
    wanted = (Target(CREATURE), Target(CREATURE, apart=True))
    for names, possible in ((("Bears",), False), (("Bears", "Lions"), True)):
        view = view_of(game(*(permanent(n) for n in names)))
        card = Card("Spell", (Face("Spell", types=("Sorcery",)),))
        spell = Obj(id="spell", card=card, zone="hand", controller="alice", owner="alice")
        info = SpellInfo(obj=spell, seen=view.of("Bears"))
        context = Context(view, source=None, you="alice")
        assert bool(list(choices_of_targets(view, "alice", info, wanted, context))) is possible
        assert assigned(view, "alice", info, wanted, names * (1 if possible else 2), context) is possible


def test_dying_otherwise_leaves_only_those_that_die_unknown() -> None:
    rest = Static((GameRule("dies_otherwise", "any", Filter(types=("Creature",), controller="opponents")),))
    assert state_based_actions(game(permanent("Void", "alice", rest, damage=2)))
    with pytest.raises(Unknown):
        state_based_actions(game(permanent("Void", "alice", rest), permanent("Bears", "bob", damage=2)))


def test_a_life_total_below_the_starting_one() -> None:
    start = Life(what="starting")
    found = static("As long as your life total is less than your starting life total, this creature has flying.")
    assert found.condition == Compare(Life(), "<", start)
    found = static("As long as your life total is greater than or equal to your starting life total, Zed has flying.")
    assert found.condition == Compare(Life(), ">=", start)
    found = static("As long as your life total is less than or equal to half your starting life total, Zed has flying.")
    assert found.condition == Compare(Life(), "<=", Calc("half_down", (start,)))


def test_what_is_owned_is_more_than_the_permanents() -> None:
    assert line("Commanders you own have disguise. Their disguise cost is equal to their mana cost.").status == "unread"


def test_abilities_of_a_chosen_card_are_not_just_keywords() -> None:
    found = static("Zed has all activated and triggered abilities of the last chosen card.")
    assert found.effects == (Unsettled(ME, ("abilities",)),)


def test_a_protection_from_what_was_chosen_for_another_object_stays_in_words() -> None:
    found = static("You and creatures you control have protection from the chosen card type.")
    assert isinstance(given := found.effects[1], GrantAbilities)
    assert [a.name for a in given.abilities if isinstance(a, Keyword)] == [
        "protection from the chosen card type",
        "protection",
    ]


def test_colors_of_a_protection() -> None:
    found = line("Protection from white, blue, and red").abilities
    assert found == tuple(Keyword("protection", what=Filter(zone="any", colors=c)) for c in "WUR")


def test_cards_that_each_player_exiled() -> None:
    found = static(
        "Each player may look at cards they exiled with Zed, and they may play lands and cast spells from "
        "among those cards."
    )
    (effect,) = found.effects
    assert isinstance(effect, Permission) and effect.spells is not None and effect.lands is not None
    assert effect.spells.unstated and effect.lands.unstated


def test_cards_with_foretell_of_their_own_are_not_given_it() -> None:
    abilities = line(
        "Each nonland card in your hand without foretell has foretell. Its foretell cost is equal to its mana cost "
        "reduced by {2}."
    ).abilities
    assert isinstance(elsewhere := abilities[1], Static) and isinstance(cost := elsewhere.effects[0], AlternativeCost)
    assert cost.spells == Filter(zone="stack", foretold=True, owner="you", not_keyword="foretell")


def test_things_that_have_to_go_together_are_not_any_things() -> None:
    """Cards "with the same name", or with a total of X: a number of cards alone does not say which."""
    (discarding,) = line("Discard two artifact cards with the same name: Scry 1.").abilities
    assert isinstance(discarding, Activated)
    assert discarding.cost == (Discard(Filter(zone="hand", types=("Artifact",), unstated=True), 2),)
    (exiling,) = line("{T}, Exile one or more other lands you control with total mana value X: Scry 1.").abilities
    assert isinstance(exiling, Activated)
    lands = Filter(types=("Land",), controller="you", me=False, unstated=True)
    assert exiling.cost[1:] == (ExileCost(lands, 0, total_mana_value=Calc("max", (X(), 1))),)


def test_bounds_behind_a_list_of_targets_hold_for_each() -> None:
    bound = (Bound("mana_value", "<=", X()),)
    found = targets(
        "You may cast up to one target artifact card and/or up to one target land card from your graveyard each with "
        "mana value X or less without paying their mana costs."
    )
    expected = [Filter(zone="graveyard", types=(t,), owner="you", bounds=bound) for t in ("Artifact", "Land")]
    assert [t.what for t in found] == expected
    (several,) = targets(
        "Return from your graveyard to the battlefield any number of target artifact cards that each have a different "
        "mana value X or less."
    )
    assert several.what == Filter(zone="graveyard", types=("Artifact",), owner="you", bounds=bound, unstated=True)
    assert targets("Exile target face-up exiled card.") == (Target(Filter(zone="exile", face_down=False)),)


def test_abilities_that_trigger_again_under_a_condition() -> None:
    full = static(
        "As long as you have a full party, if an ability of a land you control triggers, that ability triggers an "
        "additional time."
    )
    assert full.effects == (TriggersAgain(Filter(types=("Land",), controller="you")),)
    assert full.condition == Compare(Party(), "==", 4)


def test_damage_from_some_sources_only_is_in_doubt() -> None:
    elsewhere = static(
        "As long as Zed is untapped, all damage that would be dealt to you by artifacts is dealt to Zed instead."
    )
    assert elsewhere.effects == (GameRule("damage_otherwise"),)
    assert elsewhere.condition == Is("self", Filter(zone="any", tapped=False))


def test_what_a_spell_sets_up_is_no_ability_of_the_spell() -> None:
    (ability,) = line("When you next cast a creature spell this turn, copy that spell.", "Sorcery").abilities
    assert isinstance(ability, SpellAbility)
    (effect,) = ability.effects
    assert isinstance(effect, Become)
    (trigger,) = effect.abilities
    assert isinstance(trigger, Triggered) and trigger.effects == (Do("copy"),)


def test_the_object_itself_in_a_graveyard() -> None:
    text = "{1}: Return Zed to the battlefield. Activate only if Zed is in your graveyard and its power is 2 or less."
    (ability,) = line(text).abilities
    assert isinstance(ability, Activated) and ability.zone == "graveyard"
    (condition,) = ability.conditions
    assert isinstance(condition, AllOf)
    assert condition.of[0] == Compare(Count(Filter(zone="graveyard", me=True)), ">=", 1)


def test_of_two_events_the_one_that_costs_can_bring_about_counts() -> None:
    for text, event in (
        ("Whenever Zed deals combat damage to a player or dies, draw a card.", "dies_other"),
        ("Whenever Zed enters or deals combat damage to a player, draw a card.", "enters_other"),
        ("Whenever you roll the planar die, draw two cards.", "other"),
    ):
        (ability,) = line(text).abilities
        assert isinstance(ability, Triggered) and ability.event == event


def test_what_was_not_cast_may_not_enter() -> None:
    mine = line("If Zed would enter and it wasn't cast or no mana was spent to cast it, exile it instead.")
    assert mine.abilities == (EntersWith(unread=True),)
    any_of_them = line("If a nontoken creature would enter and it wasn't cast, exile it instead.")
    lands = Filter(all_types=("Creature", "Land"), token=False)
    assert any_of_them.abilities == (EntersWith(what=lands, unread=True),)


def test_giving_another_counter_is_putting_one() -> None:
    text = "{T}: For each kind of counter on target land, give that land another counter of that kind."
    (ability,) = line(text).abilities
    assert isinstance(ability, Activated) and ability.effects[0] == Do("counters")
