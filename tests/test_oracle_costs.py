"""Costs, permissions, prohibitions, untapping and combat in card text: templates of the game, read to structures."""

from __future__ import annotations

import pytest

from lawmage.model.abilities import (
    Ability,
    Activated,
    AdditionalCost,
    AllOf,
    AlsoUntaps,
    AlternativeCost,
    AnyOf,
    AttackRule,
    Become,
    Bound,
    Compare,
    Condition,
    CostChange,
    Count,
    Discard,
    DontUntap,
    ExileCost,
    Filter,
    GameRule,
    HasteLike,
    Is,
    Keyword,
    LeastCost,
    LoyaltyRule,
    ManaLimit,
    ManaPart,
    MaxHandSize,
    Mode,
    Not,
    OneOf,
    Paid,
    PayLife,
    Permission,
    Prohibit,
    ReturnToHand,
    Sacrifice,
    SkipStep,
    SpellAbility,
    Static,
    StaticEffect,
    Status,
    TapOthers,
    Target,
    Targets,
    ThisTurn,
    Turn,
    UntapCap,
)
from lawmage.model.oracle.effects import targets_of
from lawmage.model.oracle.faces import read_face
from lawmage.model.oracle.lines import Found, Kind, read_line
from lawmage.model.oracle.text import normalise

SPELL = Filter(zone="stack", me=True)
SPELLS = Filter(zone="stack")
WALL_SPELLS = Filter(zone="stack", subtypes=("Wall",))
CREATURES = Filter(types=("Creature",))
TAPPED = Filter(types=("Creature",), tapped=True)


def read(text: str, *, spell: bool = False) -> Found:
    return read_line(normalise(text), Kind(spell=spell))


def abilities(text: str, *, spell: bool = False) -> tuple[Ability, ...]:
    found = read(text, spell=spell)
    assert not found.unread, found
    return found.abilities


def static(text: str) -> Static:
    (ability,) = abilities(text)
    assert isinstance(ability, Static)
    return ability


def effect(text: str) -> StaticEffect:
    """The one effect of a static ability without a condition."""
    ability = static(text)
    assert ability.condition is None
    (only,) = ability.effects
    return only


def condition(text: str) -> Condition | None:
    return static(text).condition


# --- keywords ---------------------------------------------------------------------------------------------------------


def test_optional_costs_are_additional() -> None:
    assert effect("Kicker {3}") == AdditionalCost((ManaPart("{3}"),), optional=True, name="kicker")
    assert effect("Multikicker {1}{W}") == AdditionalCost(
        (ManaPart("{1}{W}"),), optional=True, many=True, name="multikicker"
    )
    assert effect("Kicker—Sacrifice a land.") == AdditionalCost(
        (Sacrifice(Filter(types=("Land",))),), optional=True, name="kicker"
    )
    strong = Filter(types=("Creature",), bounds=(Bound("power", ">=", 2),))
    assert effect("Casualty 2") == AdditionalCost((Sacrifice(strong),), optional=True, name="casualty")


def test_two_kicker_costs_are_two() -> None:
    assert len(abilities("Kicker {R} and/or {1}{W}")) == 2


def test_a_keyword_on_a_spell_is_no_effect() -> None:
    (ability,) = abilities("Escalate—Discard a card.", spell=True)
    assert isinstance(ability, Static)
    assert effect("Buyback {3}") == AdditionalCost((ManaPart("{3}"),), optional=True, name="buyback")


def test_alternative_costs_name_their_zones() -> None:
    assert effect("Flashback {3}{R}") == AlternativeCost((ManaPart("{3}{R}"),), name="flashback", zones=("graveyard",))
    assert effect("Evoke—Exile a white card from your hand.") == AlternativeCost(
        (ExileCost(Filter(zone="hand", colors="W", owner="you")),), name="evoke"
    )
    assert effect("Madness—{2}{B}, Pay 8 life.") == AlternativeCost(
        (ManaPart("{2}{B}"), PayLife(8)),
        name="madness",
        zones=("exile",),
        condition=effect("Madness {R}").condition,  # type: ignore[union-attr]
        timing="flash",
    )


def test_morph_is_cast_face_down_for_three() -> None:
    static_, keyword = abilities("Morph {2}{U}")
    assert isinstance(static_, Static) and static_.effects == (
        AlternativeCost((ManaPart("{3}"),), name="morph", face_down=True),
    )
    assert keyword == Keyword("morph", None, (ManaPart("{2}{U}"),))


def test_emerge_takes_a_creature() -> None:
    assert effect("Emerge {5}{U}{U}") == AlternativeCost(
        (ManaPart("{5}{U}{U}"), Sacrifice(CREATURES)), name="emerge", reduce_by="victim_mana_value"
    )


def test_activated_keywords() -> None:
    (cycling,) = abilities("Cycling {2}")
    assert isinstance(cycling, Activated)
    assert cycling.cost == (ManaPart("{2}"), Discard(Filter(zone="hand", me=True)))
    assert (cycling.zone, cycling.keyword) == ("hand", "cycling")
    (typed,) = abilities("Basic landcycling {1}{G}")
    assert isinstance(typed, Activated) and typed.keyword == "cycling"
    (equip,) = abilities("Equip legendary creature {3}")
    assert isinstance(equip, Activated)
    assert equip.targets == (Target(Filter(types=("Creature",), supertypes=("Legendary",), controller="you")),)
    (crew,) = abilities("Crew 3")
    assert isinstance(crew, Activated)
    others = Filter(types=("Creature",), controller="you", me=False)
    assert crew.cost == (TapOthers(others, 0, total_power=3, deed="crew"),)


def test_ninjutsu_returns_an_unblocked_attacker() -> None:
    (ninjutsu,) = abilities("Ninjutsu {1}{U}")
    assert isinstance(ninjutsu, Activated) and ninjutsu.zone == "hand"
    unblocked = Filter(types=("Creature",), controller="you", unblocked=True)
    assert ninjutsu.cost == (ManaPart("{1}{U}"), ReturnToHand(unblocked))


def test_affinity_is_a_reduction() -> None:
    counted = Count(Filter(types=("Artifact",), controller="you"))
    assert effect("Affinity for artifacts") == CostChange("less", "{1}", counted, SPELL)


def test_several_keywords_on_a_line() -> None:
    assert abilities("Convoke, delve") == (Keyword("convoke"), Keyword("delve"))
    assert abilities("Flying, protection from red and from white") == (
        Keyword("flying"),
        Keyword("protection", what=Filter(zone="any", colors="R")),
        Keyword("protection", what=Filter(zone="any", colors="W")),
    )


def test_prefixes_of_activated_abilities_limit_them() -> None:
    (exhaust,) = abilities("Exhaust — {1}{U}: Draw a card.")
    assert isinstance(exhaust, Activated) and exhaust.once
    (forecast,) = abilities("Forecast — {W}, Reveal this card from your hand: You gain 1 life.")
    assert isinstance(forecast, Activated)
    assert (forecast.limit, forecast.conditions, forecast.zone) == (1, (Turn("you", ("upkeep",)),), "hand")
    (power_up,) = abilities("Power-up — {4}{G}: Draw a card.")
    assert isinstance(power_up, Activated) and power_up.once
    (change,) = power_up.changes  # by its own mana cost in the turn it enters: by how much is not modelled
    entered = Is("self", Filter(zone="any", entered_this_turn=True))
    assert change.condition == AllOf((entered, Status("not_stated")))


# --- costs of spells and abilities ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Spells cost {1} less to cast.", CostChange("less", "{1}", spells=SPELLS)),
        (
            "Noncreature spells cost {1} more to cast.",
            CostChange("more", "{1}", spells=Filter(zone="stack", not_types=("Creature",))),
        ),
        (
            "Instant and sorcery spells you cast cost {4} less to cast.",
            CostChange("less", "{4}", spells=Filter(zone="stack", types=("Instant", "Sorcery")), who="you"),
        ),
        (
            "Spells your opponents cast that target this creature cost {6} more to cast.",
            CostChange("more", "{6}", spells=Filter(zone="stack", targets=Filter(me=True)), who="opponents"),
        ),
        (
            "This spell costs {4} less to cast for each creature on the battlefield.",
            CostChange("less", "{4}", Count(CREATURES), SPELL),
        ),
        (
            "This spell costs {5} more to cast for each target beyond the first.",
            CostChange("more", "{5}", spells=SPELL, per_target=True),
        ),
        (
            "This spell costs {6} less to cast if it targets a tapped creature.",
            CostChange("less", "{6}", spells=Filter(zone="stack", me=True, targets=TAPPED)),
        ),
        (
            "The first creature spell you cast each turn costs {5} less to cast.",
            CostChange(
                "less", "{5}", spells=Filter(zone="stack", types=("Creature",)), who="you", first_each_turn=True
            ),
        ),
        (
            "Each spell a player casts costs {3} more to cast for each other spell that player has cast this turn.",
            CostChange("more", "{3}", ThisTurn("spells_cast", "controller"), SPELLS),
        ),
        (
            "This spell costs {2} less to cast for each other spell cast this turn.",
            CostChange("less", "{2}", ThisTurn("spells_cast", "any"), Filter(zone="stack", me=True)),
        ),
        (
            "Each instant and sorcery spell you cast costs {3} less to cast for each creature it targets.",
            CostChange(
                "less", "{3}", Targets(CREATURES), Filter(zone="stack", types=("Instant", "Sorcery")), who="you"
            ),
        ),
        ("Cycling abilities you activate cost {4} less to activate.",
         CostChange("less", "{4}", abilities=Filter(zone="any"), who="you", keyword="cycling")),
        (
            "Activated abilities cost {5} more to activate unless they're mana abilities.",
            CostChange("more", "{5}", abilities=Filter(zone="any"), no_mana_abilities=True),
        ),
        (
            "Activated abilities of creatures cost {3} less to activate. "
            "This effect can't reduce the mana in that cost to less than two mana.",
            CostChange("less", "{3}", abilities=CREATURES, floor=2),
        ),
        (
            "Minotaur spells you cast cost {G}{W} less to cast. "
            "This effect reduces only the amount of colored mana that player pays.",
            CostChange(
                "less", "{G}{W}", spells=Filter(zone="stack", subtypes=("Minotaur",)), who="you", colored_only=True
            ),
        ),
    ],
)  # fmt: skip
def test_cost_changes(text: str, expected: CostChange) -> None:
    assert effect(text) == expected


def test_a_caster_after_the_last_kind_of_spell_is_meant_for_all() -> None:
    change = effect("White spells and black spells you cast cost {4} less to cast.")
    assert isinstance(change, CostChange) and change.who == "you" and change.spells is not None
    assert change.spells.any_of == (Filter(zone="stack", colors="W"), Filter(zone="stack", colors="B"))


def test_conditions_of_cost_changes() -> None:
    wizards = Compare(Count(Filter(subtypes=("Wizard",), controller="you")), ">=", 1)
    assert condition("This spell costs {6} less to cast if you control a Wizard.") == wizards
    assert condition("During your turn, spells your opponents cast cost {1} more to cast.") == Turn("you")


def test_an_ability_may_change_its_own_cost() -> None:
    (ability,) = abilities(
        "{5}, {T}: Draw a card. This ability costs {3} less to activate for each Island you control."
    )
    assert isinstance(ability, Activated)
    islands = Count(Filter(subtypes=("Island",), controller="you"))
    assert ability.changes == (CostChange("less", "{3}", islands),)
    assert "cost" in read("{5}: Draw a card. This ability costs {1} less to activate for each frob.").unread


def test_the_next_spell_is_the_first_of_its_kind() -> None:
    """Which spell is the next can be told only while none like it was cast this turn."""
    next_one = static("The next creature spell you cast this turn costs {2} less to cast.")
    assert next_one.effects == (CostChange("less", "{2}", spells=Filter(zone="stack", types=("Creature",)), who="you"),)
    assert isinstance(next_one.condition, AnyOf)


def test_least_costs() -> None:
    text = (
        "As long as this artifact is untapped, "
        "each spell that would cost less than five mana to cast costs five mana to cast."
    )
    assert effect(text) == LeastCost(5, while_untapped=True)


def test_additional_costs() -> None:
    assert effect("As an additional cost to cast this spell, sacrifice three creatures.") == AdditionalCost(
        (Sacrifice(CREATURES, 3),)
    )
    assert effect("As an additional cost to cast this spell, you may waterbend {9}.") == AdditionalCost(
        (ManaPart("{9}", waterbend=True),), optional=True, name="waterbend"
    )
    assert effect("As an additional cost to cast this spell, discard a card or pay {7}.") == AdditionalCost(
        (OneOf(((Discard(),), (ManaPart("{7}"),))),)
    )


def test_alternative_costs_of_spells() -> None:
    assert effect("You may pay {W}{W}{B}{B} rather than pay this spell's mana cost.") == AlternativeCost(
        (ManaPart("{W}{W}{B}{B}"),)
    )
    assert effect("You may pay {W}{W}{B}{B} rather than pay the mana cost for spells you cast.") == AlternativeCost(
        (ManaPart("{W}{W}{B}{B}"),), SPELLS, zones=("any",)
    )
    wall = effect("You may cast Wall spells from your hand without paying their mana costs.")
    assert wall == AlternativeCost((), WALL_SPELLS)
    free = effect("If you control a Wall, you may cast this spell without paying its mana cost.")
    assert isinstance(free, AlternativeCost) and free.cost == () and free.condition is not None


def test_what_mana_may_be_spent() -> None:
    assert effect("You can't spend mana to cast this spell.") == ManaLimit(no_mana=True)
    assert effect("Spend only mana produced by artifacts to cast this spell.") == ManaLimit(
        source=Filter(types=("Artifact",))
    )
    assert effect("Spend only black mana on X.") == ManaLimit(types="B", on_x=True)


# --- prohibitions and permissions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Players can't cast spells.", Prohibit("cast", SPELLS)),
        (
            "Opponents can't cast spells with odd mana values.",
            Prohibit("cast", Filter(zone="stack", parity="odd"), "opponents"),
        ),
        (
            "Opponents can't cast spells from anywhere other than their hands.",
            Prohibit("cast", Filter(zone="stack", not_from_zone="hand"), "opponents"),
        ),
        ("Each player can't cast more than four spells each turn.", Prohibit("cast", SPELLS, limit=4)),
        (
            "Spells with the chosen name can't be cast.",
            Prohibit("cast", Filter(zone="stack", chosen=("name",))),
        ),
        (
            "Opponents can cast spells only any time they could cast a sorcery.",
            Prohibit("cast", SPELLS, "opponents", timing="sorcery"),
        ),
        (
            "Activated abilities of enchantments can't be activated.",
            Prohibit("activate", Filter(types=("Enchantment",))),
        ),
        (
            "Activated abilities of sources of the chosen color can't be activated unless they're mana abilities.",
            Prohibit("activate", Filter(zone="any", chosen=("color",)), mana_abilities=False),
        ),
        ("Players can't play lands.", Prohibit("play_land", Filter(zone="any", types=("Land",)))),
        ("This spell can't be countered.", Prohibit("be_countered", SPELL)),
    ],
)
def test_prohibitions(text: str, expected: Prohibit) -> None:
    assert effect(text) == expected


def test_what_cannot_be_paid() -> None:
    both = static("Players can't pay life or sacrifice Walls to cast spells or activate abilities.")
    assert both.effects == (
        Prohibit("pay_life", as_cost=True),
        Prohibit("sacrifice", Filter(subtypes=("Wall",)), as_cost=True),
    )
    life = effect("Opponents can't pay life to cast spells or to activate abilities that aren't mana abilities.")
    assert life == Prohibit("pay_life", who="opponents", as_cost=True, mana_ability_costs=False)


def test_what_opponents_cannot_cause() -> None:
    text = "Spells and abilities your opponents control can't cause you to discard cards or sacrifice Walls."
    assert static(text).effects == (
        Prohibit("discard", Filter(zone="hand"), "you", caused_by="opponents"),
        Prohibit("sacrifice", Filter(subtypes=("Wall",)), "you", caused_by="opponents"),
    )


def test_turns_limit_prohibitions() -> None:
    assert condition("Your opponents can't cast Wall spells during your turn.") == Turn("you")
    both = static("During your turn, your opponents can't cast spells or activate abilities of artifacts.")
    assert both.condition == Turn("you") and len(both.effects) == 2


def test_permissions() -> None:
    assert effect("You may cast Wall spells as though they had flash.") == Permission(WALL_SPELLS, flash=True)
    assert effect("You may play four additional lands on each of your turns.") == Permission(extra_land_drops=4)
    assert effect("You may play lands from your graveyard.") == Permission(
        lands=Filter(zone="any", types=("Land",)), zones=("graveyard",)
    )
    top = effect("You may play lands and cast Wall spells from the top of your library.")
    assert top == Permission(WALL_SPELLS, Filter(zone="any", types=("Land",)), ("library",), top_of_library=True)
    once = effect("Once during each of your turns, you may cast a Wall spell from your graveyard.")
    assert once == Permission(WALL_SPELLS, zones=("graveyard",), once_each_turn=True, your_turn_only=True)


def test_paying_more_for_flash_is_an_additional_cost() -> None:
    assert effect("You may cast this spell as though it had flash if you pay {7} more to cast it.") == AdditionalCost(
        (ManaPart("{7}"),), optional=True, name="as though it had flash", timing="flash"
    )


def test_times_for_casting() -> None:
    (only,) = abilities("Cast this spell only during combat, before blockers are declared.", spell=True)
    assert only == SpellAbility(timing=Turn(steps=("combat_begin", "attackers")))


def test_as_though_creatures_had_haste() -> None:
    text = "You may activate abilities of Walls you control as though those creatures had haste."
    assert effect(text) == HasteLike(Filter(subtypes=("Wall",), controller="you"))


# --- untapping, hand size, loyalty ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This enchantment doesn't untap during your untap step.", DontUntap(Filter(me=True))),
        (
            "Nonsnow lands don't untap during their controllers' untap steps.",
            DontUntap(Filter(types=("Land",), not_supertypes=("Snow",))),
        ),
        (
            "You may choose not to untap this enchantment during your untap step.",
            DontUntap(Filter(me=True), optional=True),
        ),
        (
            "Players can't untap more than four creatures during their untap steps.",
            UntapCap(CREATURES, 4),
        ),
        (
            "Untap all Walls you control during each other player's untap step.",
            AlsoUntaps(Filter(subtypes=("Wall",), controller="you")),
        ),
        ("Players skip their untap steps.", SkipStep("untap")),
        ("Skip your draw step.", SkipStep("draw", "you")),
        ("You have no maximum hand size.", MaxHandSize("none")),
        ("Your maximum hand size is five.", MaxHandSize("set", 5)),
        ("Each opponent's maximum hand size is reduced by six.", MaxHandSize("minus", 6, "opponents")),
        ("You have hexproof.", GameRule("hexproof")),
        (
            "Planeswalkers' loyalty abilities you activate cost an additional [+2] to activate.",
            LoyaltyRule(Filter(types=("Planeswalker",)), cost=2),
        ),
    ],
)
def test_other_rules(text: str, expected: StaticEffect) -> None:
    assert effect(text) == expected


# --- combat -----------------------------------------------------------------------------------------------------------


def test_attacking_and_blocking() -> None:
    me = Filter(me=True)
    assert effect("This creature can't block.") == AttackRule("cant_block", me)
    assert effect("This creature attacks each combat if able.") == AttackRule("must_attack", me)
    assert effect("This creature can't be blocked by Walls.") == AttackRule(
        "cant_be_blocked", me, by=Filter(subtypes=("Wall",))
    )
    assert effect("This creature can't be blocked except by two or more creatures.") == AttackRule(
        "min_blockers", me, n=2
    )
    assert effect("No more than four creatures can attack each combat.") == AttackRule("most_attackers", CREATURES, n=4)
    assert effect("All creatures able to block enchanted permanent do so.") == AttackRule("lure", Filter(ref="host"))


def test_an_attack_tax() -> None:
    tax = "unless their controller pays {2} for each creature they control that's attacking you."
    text = f"Creatures can't attack you {tax}"
    assert effect(text) == AttackRule("attack_tax", CREATURES, who="you", cost=(ManaPart("{2}"),))


def test_several_things_said_of_one_permanent() -> None:
    held = static("Equipped creature can't attack or block, and its activated abilities can't be activated.")
    host = Filter(ref="host")
    assert held.effects == (AttackRule("cant_attack", host), AttackRule("cant_block", host), Prohibit("activate", host))


def test_unless_turns_a_condition_round() -> None:
    assert isinstance(condition("This creature can't attack or block unless you control a Swamp."), Not)


# --- targets and modes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~ deals 3 damage to any target", [Target(any_target=True)]),
        ("target player draws a card", [Target(players="any")]),
        ("look at target player's hand", [Target(players="any")]),
        ("tap up to two target creatures", [Target(CREATURES, least=0, most=2)]),
        ("counter target creature spell", [Target(Filter(zone="stack", types=("Creature",)))]),
        (
            "return target creature card from your graveyard to your hand",
            [Target(Filter(zone="graveyard", types=("Creature",), owner="you"))],
        ),
        (
            "~ deals 4 damage to target player or planeswalker",
            [Target(Filter(types=("Planeswalker",)), players="any")],
        ),
        ("target creature's owner draws a card", [Target(CREATURES)]),
        ("spells that target this creature cost more", []),
        ("destroy target frobnicator", None),
    ],
)
def test_targets(text: str, expected: list[Target] | None) -> None:
    assert targets_of(text) == expected


def lines(text: str, type_line: str = "Instant") -> list[tuple[str, tuple[Ability, ...]]]:
    return [(line.status, line.abilities) for line in read_face("Frob", type_line, text, "Frob", False)]


def test_modes_are_one_spell_ability() -> None:
    (_, (spell,)), *bullets = lines("Choose one —\n• Draw a card.\n• Destroy target creature.")
    assert isinstance(spell, SpellAbility) and spell.choose == (1, 1)
    assert [mode.targets for mode in spell.modes] == [(), (Target(CREATURES),)]
    assert [status for status, _ in bullets] == ["irrelevant", "irrelevant"]


def test_modes_may_have_costs() -> None:
    (_, (keyword, spell)), *_ = lines("Spree\n+ {1} — Draw a card.\n+ {2}{W} — You gain 3 life.")
    assert keyword == Keyword("spree")
    assert isinstance(spell, SpellAbility) and spell.choose == (1, 2)
    assert [m.cost for m in spell.modes if isinstance(m, Mode)] == [(ManaPart("{1}"),), (ManaPart("{2}{W}"),)]


def test_a_chosen_word_conditions_its_ability() -> None:
    choice = "As this enchantment enters, choose Knob or Nob."
    text = f"{choice}\n• Knob — Players can't play lands.\n• Nob — Skip your draw step."
    _, (_, (lands,)), _ = lines(text, "Enchantment")
    assert isinstance(lands, Static) and lands.condition is not None


def test_class_levels() -> None:
    (_, (first,)), (_, (level,)), (_, (second,)) = lines(
        "Skip your draw step.\n{1}{W}: Level 2\nPlayers can't play lands.", "Enchantment — Class"
    )
    assert isinstance(first, Static) and first.condition is None
    assert isinstance(level, Activated) and level.timing == "sorcery"
    assert isinstance(second, Static) and second.condition is not None


def test_targets_of_an_optional_cost() -> None:
    text = "Draw a card. If this spell was kicked, destroy target creature."
    (spell,) = abilities(text, spell=True)
    assert isinstance(spell, SpellAbility)
    assert spell.targets == (Target(CREATURES, when=Paid("kicker")),)


def test_what_only_creatures_have_is_said_of_creatures() -> None:
    (target,) = targets_of("destroy target artifact or creature with flying") or []
    assert target.what == Filter(
        any_of=(Filter(zone="any", types=("Artifact",)), Filter(zone="any", types=("Creature",), keyword="flying"))
    )
    assert targets_of("destroy target creature that frobbed this turn") is None


def test_what_resolves_may_forbid_for_a_turn() -> None:
    (spell,) = abilities("Target player can't cast spells this turn.", spell=True)
    assert isinstance(spell, SpellAbility) and spell.targets == (Target(players="any"),)
    assert spell.effects == (Become((Static((Prohibit("cast", SPELLS, "target"),)),)),)


@pytest.mark.parametrize(
    "text",
    [
        "Spells you cast cost {1} less to cast for each frob.",
        "Your opponents can't cast frobbed spells.",
        "Flashback {3}{R}. This spell costs {1} less to cast this way if you frob.",
        "As an additional cost to cast this spell, frob a creature.",
        "Frobs don't untap during their controllers' untap steps.",
        "You may frob rather than pay this spell's mana cost.",
    ],
)
@pytest.mark.parametrize("spell", [True, False])
def test_what_is_not_understood_is_unread(text: str, spell: bool) -> None:
    assert read(text, spell=spell).unread


def test_it_in_a_cost_change_is_the_spell() -> None:
    (found,) = abilities("Each creature spell you cast costs {1} less to cast if it has flying.")
    assert isinstance(found, Static) and found.condition is None
    (change,) = found.effects
    flying = (Filter(zone="any", keyword="flying"),)
    assert isinstance(change, CostChange) and change.spells is not None and change.spells.any_of == flying


def test_what_every_mode_says_of_activating_holds_for_the_ability() -> None:
    only = "Spend only white mana on X."
    text = f"{{X}}, {{T}}: Choose one —\n• Draw X cards. {only}\n• You gain X life. {only}"
    line, *_ = read_face("Some Cleric", "Creature", text, "", False)
    (ability,) = line.abilities
    assert isinstance(ability, Activated) and ability.only == ManaLimit(types="W", on_x=True)
