"""The Oracle compiler: short templates of the game, what they become, and that nothing unknown passes as known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.model.abilities import (
    SUBJECTS,
    Activated,
    AddMana,
    AnyMana,
    AttackRule,
    Become,
    Bound,
    ChosenColor,
    ColorsAmong,
    CommanderColors,
    Compare,
    CouldProduce,
    Count,
    Counters,
    Damage,
    Devotion,
    Discard,
    Do,
    Emblem,
    EntersWith,
    ExileCost,
    Filter,
    Fixed,
    GrantAbilities,
    Is,
    Keyword,
    LandTypes,
    Line,
    LoseAbilities,
    Loyalty,
    ManaPart,
    Not,
    OneOfMana,
    PayLife,
    PowerToughness,
    Produced,
    ProductionReplacement,
    RemoveCounters,
    Sacrifice,
    SetColors,
    SetTypes,
    SpendAs,
    SpendOnly,
    Stat,
    Static,
    TapOthers,
    TapSelf,
    Target,
    Triggered,
    Turn,
    Unread,
    X,
)
from lawmage.model.oracle import compile_lines, compile_text

CREATURES = Filter(types=("Creature",), controller="you")
LANDS = Filter(types=("Land",), controller="you")


def line(text: str, type_line: str = "Artifact") -> Line:
    return compile_lines("Test Object", type_line, text)[0]


def ability(text: str, type_line: str = "Artifact"):
    found = line(text, type_line)
    assert found.status == "modelled", (text, found)
    assert len(found.abilities) == 1, found.abilities
    return found.abilities[0]


def adds(text: str) -> AddMana:
    """The one AddMana of "{T}: …"."""
    made = ability("{T}: " + text)
    assert isinstance(made, Activated) and made.cost == (TapSelf(),)
    (effect,) = [e for e in made.effects if isinstance(e, AddMana)]
    return effect


# --- mana -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what", "amount"),
    [
        ("Add {G}.", Fixed("{G}"), 1),
        ("Add {C}{C}.", Fixed("{C}{C}"), 1),
        ("Add six {G}.", Fixed("{G}"), 6),
        ("Add {W} or {U}.", OneOfMana(("{W}", "{U}")), 1),
        ("Add {R}, {G}, or {W}.", OneOfMana(("{R}", "{G}", "{W}")), 1),
        ("Add {W}{W}, {W}{U}, or {U}{U}.", OneOfMana(("{W}{W}", "{W}{U}", "{U}{U}")), 1),
        ("Add one mana of any color.", AnyMana(), 1),
        ("Add three mana of any one color.", AnyMana(), 3),
        ("Add two mana in any combination of colors.", AnyMana(how="each"), 2),
        ("Add two mana in any combination of {R} and/or {G}.", AnyMana("RG", how="each"), 2),
        ("Add two mana of different colors.", AnyMana(how="different"), 2),
        ("Add {C} for each charge counter on this artifact.", Fixed("{C}"), Counters("charge")),
        ("Add {G} for each creature you control.", Fixed("{G}"), Count(CREATURES)),
        ("Add an amount of {G} equal to this artifact's power.", Fixed("{G}"), Stat("power")),
        ("Add an amount of {G} equal to your devotion to green.", Fixed("{G}"), Devotion("G")),
        ("Add one mana of the chosen color.", ChosenColor(), 1),
        ("Add {W} or one mana of the chosen color.", ChosenColor(also="W"), 1),
        ("Add one mana of any color in your commander's color identity.", CommanderColors(), 1),
        ("Add one mana of any type that a land you control could produce.", CouldProduce(LANDS), 1),
    ],
)
def test_what_a_mana_ability_adds(text: str, what: object, amount: object) -> None:
    made = adds(text)
    assert (made.what, made.amount) == (what, amount)


def test_a_color_chosen_on_resolution_and_its_devotion() -> None:
    made = adds("Choose a color. Add X mana of that color, where X is your devotion to that color.")
    assert (made.what, made.amount) == (AnyMana(), Devotion(chosen=True))


def test_each_color_among_permanents() -> None:
    made = adds("For each color among permanents you control, add one mana of that color.")
    assert made.what == ColorsAmong(Filter(controller="you"), how="each")


def test_instead_inside_the_effect() -> None:
    made = adds("Add {C}. If you control five or more lands, add {C}{C} instead.")
    (instead,) = made.instead_if
    assert instead.condition == Compare(Count(LANDS), ">=", 5)
    assert instead.what == Fixed("{C}{C}")


def test_damage_belongs_to_the_ability() -> None:
    made = ability("{T}: Add {W} or {U}. This land deals 4 damage to you.", "Land")
    assert made.effects == (AddMana(OneOfMana(("{W}", "{U}"))), Damage(4))


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("Spend this mana only to cast a Wall spell.", SpendOnly((Filter(zone="stack", subtypes=("Wall",)),))),
        ("Spend this mana only to activate abilities.", SpendOnly(purposes=("ability",))),
        ("Spend this mana only on costs that include {X}.", SpendOnly(purposes=("x",))),
        ("That mana can't be spent to pay generic mana costs.", SpendOnly(forbid=True, not_generic=True)),
        (
            "Spend this mana only to cast Wall spells or activate abilities of Walls.",
            SpendOnly((Filter(zone="stack", subtypes=("Wall",)),), (Filter(zone="any", subtypes=("Wall",)),)),
        ),
    ],
)
def test_what_mana_may_be_spent_on(text: str, only: SpendOnly) -> None:
    assert adds("Add {C}. " + text).only == only


def test_a_restriction_that_is_not_read_makes_the_line_unread() -> None:
    found = line("{T}: Add {C}. Spend this mana only on Tuesdays.")
    assert found.status == "unread" and found.abilities


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Activate only as an instant.", {"timing": "instant"}),
        ("Activate only once each turn.", {"limit": 1}),
        ("Activate only during your turn and only twice each turn.", {"limit": 2, "conditions": (Turn("you"),)}),
        (
            "Activate only if you control a Swamp.",
            {"conditions": (Compare(Count(Filter(subtypes=("Swamp",), controller="you")), ">=", 1),)},
        ),
        ("Any player may activate this ability.", {"who": "any"}),
    ],
)
def test_restrictions_on_activating(text: str, fields: dict[str, object]) -> None:
    made = ability("{T}: Add {C}. " + text)
    assert {k: getattr(made, k) for k in fields} == fields


# --- costs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("{2}{W/U}, {T}", (ManaPart("{2}{W/U}"), TapSelf())),
        ("{T}, Sacrifice this artifact", (TapSelf(), Sacrifice(Filter(me=True)))),
        ("Sacrifice two Goblins", (Sacrifice(Filter(subtypes=("Goblin",)), 2),)),
        ("{T}, Pay 3 life", (TapSelf(), PayLife(3))),
        ("Remove X storage counters from this artifact", (RemoveCounters("storage", X()),)),
        ("Discard your hand", (Discard(whole_hand=True),)),
        (
            "Tap an untapped blue creature you control",
            (TapOthers(Filter(types=("Creature",), colors="U", controller="you", tapped=False)),),
        ),
        ("Exile this card from your hand", (ExileCost(Filter(zone="hand", me=True)),)),
    ],
)
def test_costs(text: str, cost: tuple[object, ...]) -> None:
    assert ability(text + ": Add {C}.").cost == cost


def test_a_cost_that_is_not_read_keeps_the_ability_and_its_number() -> None:
    found = line("Applaud: Draw a card.")
    (made,) = found.abilities
    assert isinstance(made, Activated) and made.cost == (Unread(),)
    assert found.status == "unread"


# --- abilities that use the stack, spells ---------------------------------------------------------------------------


def test_an_ability_that_makes_no_mana_is_irrelevant_but_there() -> None:
    found = line("{2}, {T}: Draw a card.")
    assert found.status == "irrelevant"
    assert found.abilities == (Activated((ManaPart("{2}"), TapSelf()), (Do("draw"),)),)


def test_targets_are_told_apart() -> None:
    (made,) = line("{T}: Destroy another target nonland permanent an opponent controls.").abilities
    what = Filter(not_types=("Land",), controller="opponents", me=False)
    assert isinstance(made, Activated) and made.targets == (Target(what),)


def test_a_loyalty_ability_that_adds_mana() -> None:
    (made,) = line("[+1]: Add {R}{R}.", "Planeswalker").abilities
    assert isinstance(made, Activated) and made.cost == (Loyalty(1),)


def test_what_a_spell_leaves_behind() -> None:
    made = ability("Until end of turn, whenever a player taps an Island for mana, that player adds {U}.", "Instant")
    (effect,) = made.effects
    assert isinstance(effect, Become) and isinstance(effect.abilities[0], Triggered)


def test_what_lasts_in_part_is_not_the_whole() -> None:
    found = line("Until end of turn, lands you control are Plains and you juggle. Draw a card.", "Instant")
    assert not any(isinstance(e, Become) for a in found.abilities for e in a.effects)


def test_an_emblem() -> None:
    found = line("[-7]: You get an emblem with \"Lands you control have '{T}: Add {R}.'\"", "Planeswalker")
    emblem = found.abilities[-1]
    assert isinstance(emblem, Emblem) and isinstance(emblem.abilities[0], Static)


# --- triggers, replacements -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what", "to", "made"),
    [
        (
            "Whenever enchanted land is tapped for mana, its controller adds {G}.",
            Filter(ref="host"),
            "controller",
            Fixed("{G}"),
        ),
        (
            "Whenever you tap a Swamp for mana, add an additional {W}.",
            Filter(subtypes=("Swamp",)),
            "you",
            Fixed("{W}"),
        ),
        (
            "Whenever a player taps a Mountain for mana, that player adds one mana of any type that land produced.",
            Filter(subtypes=("Mountain",)),
            "that",
            Produced(),
        ),
    ],
)
def test_triggered_mana_abilities(text: str, what: Filter, to: str, made: object) -> None:
    trigger = ability(text)
    assert isinstance(trigger, Triggered)
    assert (trigger.event, trigger.what) == ("tapped_for_mana", what)
    (effect,) = trigger.effects
    assert isinstance(effect, AddMana) and (effect.what, effect.to) == (made, to)


def test_any_other_trigger_is_irrelevant() -> None:
    found = line("When this artifact enters, draw a card.")
    assert found.status == "irrelevant" and isinstance(found.abilities[0], Triggered)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        (
            "If you tap an artifact for mana, it produces three times as much of that mana instead.",
            ProductionReplacement(Filter(types=("Artifact",)), tapper="you", factor=3),
        ),
        (
            "If a land is tapped for three or more mana, it produces {U} instead of any other type and amount.",
            ProductionReplacement(least=3, makes=Fixed("{U}"), amount=1),
        ),
        (
            "If a Swamp is tapped for mana, it produces colorless mana instead of any other type.",
            ProductionReplacement(Filter(subtypes=("Swamp",)), makes=Fixed("{C}")),
        ),
    ],
)
def test_production_replacements(text: str, effect: ProductionReplacement) -> None:
    assert ability(text) == Static((effect,))


# --- statics --------------------------------------------------------------------------------------------------------

NONBASIC = Filter(types=("Land",), not_supertypes=("Basic",))
SIX_OF_A_COLOR = Activated((TapSelf(),), (AddMana(AnyMana(), 6),))


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("Nonbasic lands are Mountains.", (LandTypes(NONBASIC, ("Mountain",)),)),
        (
            "Each land is a Mountain in addition to its other land types.",
            (LandTypes(Filter(types=("Land",)), ("Mountain",), keep=True),),
        ),
        (
            "Lands your opponents control are every basic land type in addition to their other types.",
            (LandTypes(Filter(types=("Land",), controller="opponents"), keep=True, every=True),),
        ),
        ("Enchanted land is an Island.", (LandTypes(Filter(ref="host"), ("Island",)),)),
        (
            "All lands are artifacts in addition to their other types.",
            (SetTypes(Filter(types=("Land",)), ("Artifact",)),),
        ),
        ('Lands you control have "{T}: Add six mana of any one color."', (GrantAbilities(LANDS, (SIX_OF_A_COLOR,)),)),
        (
            "All creatures lose all abilities and have base power and toughness 3/4.",
            (
                LoseAbilities(Filter(types=("Creature",))),
                PowerToughness(Filter(types=("Creature",)), "set", 3, 4),
            ),
        ),
        (
            "Creatures you control get +1/+1 and have haste.",
            (PowerToughness(CREATURES, "modify", 1, 1), GrantAbilities(CREATURES, (), ("haste",))),
        ),
        (
            "Enchanted permanent is a colorless Mountain land.",
            (
                SetTypes(Filter(ref="host"), ("Land",), keep=False),
                LandTypes(Filter(ref="host"), ("Mountain",)),
                SetColors(Filter(ref="host")),
            ),
        ),
        ("You may spend green mana as though it were blue mana.", (SpendAs("U", "G", anything=True),)),
    ],
)
def test_continuous_effects(text: str, effects: tuple[object, ...]) -> None:
    assert ability(text) == Static(effects)  # type: ignore[arg-type]


def test_a_condition_and_its_pronoun() -> None:
    made = line("Enchanted creature gets +4/+1 as long as it's white. Otherwise, it gets -1/-4.").abilities
    first, second = made
    assert isinstance(first, Static) and isinstance(second, Static)
    assert second.condition == Not(first.condition)  # type: ignore[arg-type]
    assert second.effects == (PowerToughness(Filter(ref="host"), "modify", -1, -4),)


def test_other_is_other_than_the_object_affected() -> None:
    made = ability("Enchanted creature gets +1/+1 for each other Wall you control.")
    (effect,) = made.effects
    assert isinstance(effect, PowerToughness)
    what = Filter(subtypes=("Wall",), controller="you", none_of=(Filter(zone="any", ref="host"),))
    assert effect.power == Count(what)


def test_where_an_ability_functions() -> None:
    (made,) = line("{7}{U}{B}: Return this card from your graveyard to your hand.", "Creature").abilities
    assert isinstance(made, Activated) and made.zone == "graveyard"


def test_it_without_a_target_is_the_object_itself() -> None:
    (made,) = line("{3}: It becomes an artifact creature until end of turn.").abilities
    (effect,) = made.effects
    assert isinstance(effect, Become) and effect.abilities[0].effects[0].what == Filter(me=True)


def test_it_after_a_sentence_about_the_object_itself() -> None:
    (_, second) = ability("Discard a card: Untap ~. It can't be blocked this turn.").effects
    assert isinstance(second, Become)
    assert second.abilities == (Static((AttackRule("cant_be_blocked", Filter(me=True)),)),)


def test_numbers_of_one_object_are_not_those_of_the_source() -> None:
    (effect,) = ability("{1}: Each creature with toughness greater than its power can't block this turn.").effects
    assert isinstance(effect, Become)
    larger = Bound("toughness", ">", Stat("power", "that"))
    assert effect.abilities == (Static((AttackRule("cant_block", Filter(types=("Creature",), bounds=(larger,))),)),)


def test_the_host_by_its_subtype() -> None:
    found = ability("Enchanted Wall can attack as though it didn't have defender.")
    assert found == Static((AttackRule("no_defender", Filter(ref="host")),))


def test_what_tokens_are_able_to_do() -> None:
    (made,) = line('{T}: Create a 1/1 green Elf creature token. It has "{T}: Add {G}."').abilities
    (effect,) = made.effects
    assert isinstance(effect, Do) and effect.abilities == (Activated((TapSelf(),), (AddMana(Fixed("{G}")),)),)


def test_a_characteristic_defining_ability() -> None:
    made = ability("Test Object's power and toughness are each equal to the number of lands you control.", "Creature")
    assert isinstance(made, Static) and made.defining


def test_how_it_enters() -> None:
    assert ability("This land enters tapped.", "Land") == EntersWith(tapped=True)
    assert ability("As this land enters, choose a color.", "Land") == EntersWith(choose=("color",))


# --- triggers ---------------------------------------------------------------------------------------------------------


def triggered(text: str) -> Triggered:
    (found,) = line(text, "Creature").abilities
    assert isinstance(found, Triggered)
    return found


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("When this creature enters", "enters"),
        ("Whenever a land enters the battlefield under your control", "enters"),
        ("Whenever this creature enters or attacks", "enters_or_attacks"),
        ("When you cast this spell", "cast_this"),
        ("Whenever you cast your first spell each turn", "cast_other"),
        ("Whenever you cast or copy an instant or sorcery spell", "cast_other"),
        ("Whenever you cast a spell", "cast"),
        ("Whenever one or more creatures you control attack", "attacks_other"),
        ("Whenever this creature deals combat damage to a player", "combat_damage"),
        ("Whenever you sacrifice an artifact", "sacrifice"),
        ("Whenever you discard a card", "discard"),
        ("Whenever you gain life", "life"),
        ("Whenever you draw a card", "draws"),
    ],
)
def test_events_by_their_kind(event: str, name: str) -> None:
    assert triggered(event + ", add {R}.").event == name


@pytest.mark.parametrize(
    "text",
    [
        "put a +1/+1 counter on this creature and add {R}.",
        "add {R} and put a +1/+1 counter on this creature.",
        "draw a card, then add {R}.",
        "draw a card. If it's the second time, add {R}.",
        "draw a card. Otherwise, add {R}.",
    ],
)
def test_mana_that_a_trigger_adds_among_other_things(text: str) -> None:
    made = [e for e in triggered("Whenever you sacrifice an artifact, " + text).effects if isinstance(e, AddMana)]
    assert [e.what for e in made] == [Fixed("{R}")]
    assert (made[0].only_if is not None) == ("If" in text or "Otherwise" in text)


def test_mana_of_triggers_with_restrictions() -> None:
    (made,) = triggered(
        "At the beginning of your upkeep, add {C}{C}. You can't spend this mana to cast spells."
    ).effects
    assert isinstance(made, AddMana) and made.only == SpendOnly((Filter(zone="stack"),), forbid=True)
    text = "At the beginning of each player's upkeep, that player adds {G}. "
    (made,) = triggered(text + "Until end of turn, they don't lose this mana as steps and phases end.").effects
    assert isinstance(made, AddMana) and made.keeps


def test_it_in_a_restriction_is_the_object_itself() -> None:
    (made,) = line("{2}: Draw a card. Activate only if it has no charge counters on it.").abilities
    assert isinstance(made, Activated) and made.conditions == (Compare(Counters("charge"), "==", 0),)


@pytest.mark.parametrize(
    "text",
    [
        "Enchanted land is a 7/7 Wall creature. It's still a land.",
        "Lands you control are 7/7 creatures. They're still lands.",
        "{7}: This land becomes a 7/7 Wall creature until end of turn. It's still a Desert land.",
    ],
)
def test_what_is_still_a_land_keeps_its_types(text: str) -> None:
    (found,) = line(text, "Land").abilities
    inner = found if isinstance(found, Static) else found.effects[0].abilities[0]
    assert inner.effects[0].types == ("Creature",) and inner.effects[0].keep


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("{T}: Add {G} to your mana pool.", "{T}: Add {G}."),
        ("Test Object enters the battlefield tapped.", "Test Object enters tapped."),
        ("As Test Object enters the battlefield, choose a color.", "As Test Object enters, choose a color."),
        (
            "Test Object enters the battlefield with a charge counter on it.",
            "Test Object enters with a charge counter on it.",
        ),
        (
            "Spells with converted mana cost 6 or greater cost {2} less to cast.",
            "Spells with mana value 6 or greater cost {2} less to cast.",
        ),
    ],
)
def test_words_of_older_printings(older: str, newer: str) -> None:
    assert line(older) == line(newer) and line(older).status == "modelled"


def test_a_trigger_on_mana_that_adds_in_ways_not_read_is_unread() -> None:
    found = line("Whenever a Forest is tapped for mana, its controller adds {G} as often as they like.", "Enchantment")
    assert found.status == "unread" and "mana" in found.subjects


@pytest.mark.parametrize(
    ("where", "zone", "conditions"),
    [
        ("in your graveyard", "graveyard", ()),
        ("in your hand", "hand", ()),
        ("suspended", "exile", (Compare(Counters("time"), ">=", 1),)),
    ],
)
def test_from_where_alone_it_can_be_activated(where: str, zone: str, conditions: tuple[object, ...]) -> None:
    (made,) = line(f"{{2}}: Draw a card. Activate only if this card is {where}.", "Creature").abilities
    assert isinstance(made, Activated) and (made.zone, made.conditions) == (zone, conditions)


@pytest.mark.parametrize(
    ("does", "zone"),
    [
        ("Return this card and target land card from your graveyard to the battlefield", "graveyard"),
        ("Put this card from exile onto the battlefield", "exile"),
        ("Return this card from your graveyard to your hand", "graveyard"),
        ("Return this creature to its owner's hand", "battlefield"),
    ],
)
def test_what_moves_itself_works_where_it_is(does: str, zone: str) -> None:
    (made,) = line(f"{{2}}: {does}.", "Creature").abilities
    assert isinstance(made, Activated) and made.zone == zone


@pytest.mark.parametrize(
    ("word", "kinds"),
    [("enchanted", ("Aura",)), ("equipped", ("Equipment",)), ("enchanted or equipped", ("Aura", "Equipment"))],
)
def test_enchanted_is_not_equipped(word: str, kinds: tuple[str, ...]) -> None:
    if len(kinds) == 1:
        made = ability(f"As long as this creature is {word}, it has flying.", "Creature")
        assert isinstance(made, Static) and made.condition == Is("self", Filter(zone="any", attached_by=kinds))  # type: ignore[arg-type]
    made = ability(f"Creatures you control that are {word} get +1/+1.", "Enchantment")
    assert isinstance(made, Static)
    (effect,) = made.effects
    assert effect.what.attached_by == kinds  # type: ignore[union-attr]


def test_attacking_you() -> None:
    made = ability("Creatures attacking you get -1/-0.", "Enchantment")
    assert isinstance(made, Static)
    (effect,) = made.effects
    assert effect.what == Filter(types=("Creature",), attacking=True, attacked="you")  # type: ignore[union-attr]


# --- noun phrases, in costs where they stand alone ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("noun", "what"),
    [
        ("an artifact creature", Filter(all_types=("Artifact", "Creature"))),
        ("an artifact or creature", Filter(types=("Artifact", "Creature"))),
        ("a nontoken artifact", Filter(types=("Artifact",), token=False)),
        ("another creature", Filter(types=("Creature",), me=False)),
        ("a creature with power 4 or greater", Filter(types=("Creature",), bounds=(Bound("power", ">=", 4),))),
        ("a creature of the chosen type", Filter(types=("Creature",), chosen=("type",))),
        (
            "a black or artifact creature",
            Filter(
                types=("Creature",), any_of=(Filter(zone="any", colors="B"), Filter(zone="any", types=("Artifact",)))
            ),
        ),
    ],
)
def test_descriptions(noun: str, what: Filter) -> None:
    assert ability(f"Sacrifice {noun}: Add {{C}}.").cost == (Sacrifice(what),)


# --- whole faces, free text -----------------------------------------------------------------------------------------


def test_lines_are_numbered_and_reminders_are_irrelevant() -> None:
    lines = compile_lines("Test Land", "Land — Plains Island", "({T}: Add {W} or {U}.)\nFlying")
    assert [(x.n, x.status) for x in lines] == [(1, "irrelevant"), (2, "modelled")]
    assert lines[1].abilities == (Keyword("flying"),)


def test_the_own_name_is_the_object_itself() -> None:
    lines = compile_lines("Testa, the Object", "Legendary Creature — Elf", "Sacrifice Testa: Add {G}.")
    assert lines[0].abilities[0].cost == (Sacrifice(Filter(me=True)),)  # type: ignore[union-attr]


def test_levels_put_conditions_on_what_is_below_them() -> None:
    text = "LEVEL 1-4\n1/2\n{T}: Add {G}{G}."
    made = compile_lines("Test Leveler", "Creature — Elf", text, layout="leveler")[2].abilities[0]
    assert isinstance(made, Static) and made.condition is not None and isinstance(made.effects[0], GrantAbilities)


def test_stations_hold_for_all_lines_below_them_and_the_last_makes_a_creature() -> None:
    text = "Station\n2+ | {T}: Add {G}.\n8+ | Flying\nThis Spacecraft gets +1/+0."
    lines = compile_lines("Test Ship", "Artifact — Spacecraft", text, sized=True)
    assert [a.condition for line in lines[2:] for a in line.abilities if isinstance(a, Static)] == [
        Compare(Counters("charge"), ">=", 8)
    ] * 3
    effects = [e for a in lines[2].abilities if isinstance(a, Static) for e in a.effects]
    assert SetTypes(Filter(me=True), types=("Creature",), keep=True) in effects


def test_names_in_free_text() -> None:
    text = "If Tundra is tapped for mana, it produces colorless mana instead of white mana."
    (found,) = compile_text(text, ("Tundra",))
    effect = ProductionReplacement(Filter(names=("Tundra",)), only_types="W", makes=Fixed("{C}"))
    assert found.abilities == (Static((effect,)),)


def test_no_text_no_lines() -> None:
    assert compile_lines("Test Object", "Artifact", "") == ()


# --- what is not known never passes as known ------------------------------------------------------------------------

TEMPLATES = (
    "{T}: Add {G}.",
    "{1}, {T}: Add {W}{U}.",
    "{T}: Add one mana of any color. Activate only if you control an artifact.",
    "{T}: Add {C}. Spend this mana only to cast Wall spells.",
    "Lands you control are Plains.",
    "Creatures you control have haste.",
    "Flying",
    "Enchant creature",
    "When this creature enters, draw a card.",
    "Whenever you tap a Forest for mana, add an additional {R}.",
    "{7}: This creature gets +2/+3 until end of turn.",
    "Destroy target creature.",
    "If a land is tapped for mana, it produces {U} instead of any other type.",
    "Creature spells you cast cost {6} less to cast.",
    "Creatures can't attack.",
    "As this land enters, choose a color.",
    "You have no maximum hand size.",
    "Choose one —",
)
UNKNOWN = ("zorblax", "frumious", "quuxify", "Snarkle", "bandersnatch's")


@given(
    st.sampled_from(TEMPLATES), st.sampled_from(UNKNOWN), st.integers(0, 12), st.sampled_from(["Artifact", "Instant"])
)
@settings(max_examples=150, deadline=None)
def test_unknown_words_are_never_understood(text: str, word: str, place: int, type_line: str) -> None:
    words = text.split(" ")
    words.insert(min(place, len(words)), word)
    found = line(" ".join(words), type_line)
    assert found.status == "unread", found
    assert found.subjects


PIECES = [w for t in TEMPLATES for w in t.split(" ")] + [
    "(",
    ")",
    '"',
    "«",
    ".",
    "—",
    "•",
    "{X}",
    "{",
    "}",
    "~",
    "\n",
    "X",
    "it",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from(["Artifact", "Instant", "Land — Forest"]))
@settings(max_examples=200, deadline=None)
def test_no_text_stops_the_compiler(words: list[str], type_line: str) -> None:
    for found in compile_lines("Test Object", type_line, " ".join(words)):
        assert found.status in ("modelled", "irrelevant", "unread")
        assert set(s.strip("+-") for s in found.subjects) <= set(SUBJECTS)
    compile_text(" ".join(words), ("Forest",))


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_characters_at_all(text: str) -> None:
    compile_lines("Test Object", "Artifact", text)
    compile_text(text)


def test_where_several_kinds_of_cards_are_is_said_of_all_of_them() -> None:
    text = "Return target Dragon card or land card from your graveyard to your hand."
    (line,) = compile_lines("Zed", "Sorcery", text)
    (spell,) = line.abilities
    what = spell.targets[0].what  # type: ignore[union-attr]
    assert what is not None and (what.zone, what.owner, len(what.any_of)) == ("graveyard", "you", 2)
    assert all(f.from_zone is None for f in what.any_of)
