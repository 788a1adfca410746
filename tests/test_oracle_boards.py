"""Text read, and what it then means on a board: sizes, types everywhere, crewing, combat, losing, targets."""

from __future__ import annotations

from typing import Any

import pytest

import lawmage
from lawmage.model.abilities import (
    Activated,
    AttackRule,
    Calc,
    EntersWith,
    Filter,
    GameRule,
    GrantAbilities,
    MaxHandSize,
    MustTarget,
    PowerToughness,
    SetTypes,
    Static,
    StaticEffect,
    Unsettled,
)
from lawmage.model.oracle import compile_lines

ME = Filter(me=True)
HOST = Filter(ref="host")
CREATURES = Filter(types=("Creature",))


def statics(text: str, type_line: str = "Creature — Golem") -> tuple[Static, ...]:
    (line,) = compile_lines("Zed", type_line, text)
    assert line.status == "modelled", (line.status, line.subjects)
    return tuple(a for a in line.abilities if isinstance(a, Static))


def effects(text: str, type_line: str = "Creature — Golem") -> tuple[StaticEffect, ...]:
    return tuple(e for static in statics(text, type_line) for e in static.effects)


def status(text: str, type_line: str = "Creature — Golem") -> str:
    return compile_lines("Zed", type_line, text)[0].status


def card(text: str = "", name: str = "Zed", type_line: str = "Creature — Golem", size: str = "2/2") -> dict[str, Any]:
    power, _, toughness = size.partition("/")
    numbers = {"power": power, "toughness": toughness} if "Creature" in type_line or "Vehicle" in type_line else {}
    return {"name": name, "type_line": type_line, "oracle_text": text, **numbers}


def there(text: str = "", **more: Any) -> dict[str, Any]:
    """A permanent with this text."""
    words = {k: more.pop(k) for k in ("name", "type_line", "size") if k in more}
    return {"card": card(text, **words), **more}


def ask(query: dict[str, Any], mine: list[Any], theirs: list[Any] | None = None, **alice: Any) -> dict[str, Any]:
    more = {k: alice.pop(k) for k in ("turn",) if k in alice}
    players = {"alice": {"battlefield": mine, **alice}, "bob": {"battlefield": theirs or []}}
    reply = lawmage.ask({"situation": {"players": players, **more}, "query": query})
    assert isinstance(reply, lawmage.Reply)
    return reply.wire()


def size_of(name: str, mine: list[Any], **alice: Any) -> tuple[int, int] | str:
    found = ask({"kind": "characteristics", "object": name}, mine, **alice)
    return (found["power"], found["toughness"]) if found["verdict"] == "known" else found["verdict"]


# --- sizes ----------------------------------------------------------------------------------------------------------


def test_a_size_instead_of_another() -> None:
    text = "This creature gets +1/+0. It gets +3/+3 instead as long as you control a Swamp."
    assert size_of("Zed", [there(text)]) == (3, 2)
    assert size_of("Zed", [there(text), "Swamp"]) == (5, 5)


def test_the_only_creature() -> None:
    text = "As long as you control exactly one creature, that creature gets +2/+0 and has flying."
    witch = there(text, name="Vow", type_line="Enchantment")
    assert size_of("Zed", [witch, there()]) == (4, 2)
    assert size_of("Zed", [witch, there(), there(name="Yod")]) == (2, 2)


def test_sizes_of_two_and_two_amounts() -> None:
    both = "Zed and enchanted creature each get +1/+1 for each Forest you control and +0/+1 for each Swamp you control."
    first, second = effects(both, "Enchantment Creature — Elf")
    assert isinstance(first, PowerToughness) and first.what.any_of == (ME, HOST) == second.what.any_of  # type: ignore[union-attr]
    halves = "This creature gets +X/+Y, where X is the number of Forests you control, and Y is half the number of "
    halves += "Forests you control, rounded up."
    assert size_of("Zed", [there(halves), "3 Forest"]) == (5, 4)
    assert status("Up to two target creatures each get +1/+0 until end of turn.", "Instant") != "modelled"


def test_what_sets_values_under_a_condition_defines_nothing() -> None:
    text = "During your turn, Zed's power and toughness are each equal to the number of Forests you control. "
    text += "During turns other than yours, Zed's power and toughness are each 1."
    assert [s.defining for s in statics(text)] == [False, False]
    zed = there(text, size="*/*")
    assert size_of("Zed", [zed, "3 Forest"]) == (3, 3)
    assert size_of("Zed", [zed, "3 Forest"], turn={"active": "bob", "step": "main1"}) == (1, 1)


def test_what_no_amount_says_leaves_the_size_unknown() -> None:
    assert size_of("Zed", [there("This creature gets +X/+X, where X is the number of Golems that you ever met.")]) == (
        "unknown"
    )
    open_ended = "Zed's power is equal to the last chosen number and its toughness is equal to 9 minus that number."
    assert status(open_ended) == "modelled"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As long as another Aura is attached to enchanted creature, it has flying.", HOST),
        (
            "As long as Zed is enchanted by two or more Auras, it has base power and toughness 5/5 and reach.",
            ME,
        ),
        ("As long as Zed has four or more charge counters on her, she has flying.", ME),
        ("As long as enchanted artifact isn't a creature, it's a 2/2 artifact creature.", HOST),
        ("As long as you've sacrificed a Golem this turn and Zed is tapped, Zed has flying.", ME),
    ],
)
def test_it_is_what_the_condition_speaks_of(text: str, expected: Filter) -> None:
    assert all(getattr(e, "what", None) == expected for e in effects(text))


def test_each_of_several_things_has_its_own_condition() -> None:
    text = "This creature gets +0/+2 as long as you control a Plains, has flying as long as you control an Island, and "
    text += "has haste as long as you control a Mountain."
    assert size_of("Zed", [there(text), "Plains"]) == (2, 4)
    assert size_of("Zed", [there(text), "Island"]) == (2, 2)
    assert len(statics(text)) == 3


# --- types ----------------------------------------------------------------------------------------------------------


def test_types_that_the_object_gives_itself_are_there_in_every_zone() -> None:
    every = card("Zed is every creature type.", type_line="Creature — Golem")
    found = ask({"kind": "characteristics", "object": "Zed"}, [], hand=[{"card": every}])
    assert "Goblin" in found["subtypes"]
    colorless = ask({"kind": "characteristics", "object": "Zed"}, [], hand=[{"card": card("Zed is colorless.")}])
    assert colorless["colors"] == []
    (nonbasic,) = statics("This land is every nonbasic land type.", "Land")
    assert nonbasic.defining and "Desert" in nonbasic.effects[0].subtypes  # type: ignore[union-attr]


def test_what_a_card_is_off_the_battlefield() -> None:
    text = "As long as Zed isn't on the battlefield, it's a 3/1 Goblin creature in addition to its other types."
    zed = card(text, type_line="Legendary Planeswalker — Zed")
    off = ask({"kind": "characteristics", "object": "Zed"}, [], graveyard=[{"card": zed}])
    assert (off["types"], off["power"], off["toughness"]) == (["Planeswalker", "Creature"], 3, 1)
    on = ask({"kind": "characteristics", "object": "Zed"}, [{"card": zed, "counters": {"loyalty": 2}}])
    assert (on["types"], on["power"], on["loyalty"]) == (["Planeswalker"], None, 2)
    only_creatures = there(
        "{T}: Add one mana of any color. Spend this mana only to cast a creature spell.", name="Yod", type_line="Land"
    )
    spell = {"card": {**zed, "mana_cost": "{G}"}}
    assert ask({"kind": "can_cast", "card": "Zed"}, [only_creatures], hand=[spell])["verdict"] == "yes"


def test_lost_types() -> None:
    assert effects("Creatures lose all creature types.") == (SetTypes(CREATURES, lose_creature_types=True),)
    assert effects("All lands are no longer snow.") == (SetTypes(Filter(types=("Land",)), lose_supertypes=("Snow",)),)
    clone = there("Zed isn't legendary if it's a token.", type_line="Legendary Creature — Golem", token=True)
    assert ask({"kind": "characteristics", "object": "Zed"}, [clone])["supertypes"] == []
    found = ask(
        {"kind": "characteristics", "object": "Zed"},
        [there(), there("Creatures lose all creature types.", name="Vow", type_line="Enchantment")],
    )
    assert found["subtypes"] == []


def test_cards_that_are_not_on_the_battlefield() -> None:
    vow = there(
        "Lands you control and land cards you own that aren't on the battlefield are Deserts in addition to their "
        "other types.",
        name="Vow",
        type_line="Enchantment",
    )
    in_hand = ask({"kind": "characteristics", "object": "Forest"}, [vow], hand=["Forest"])
    assert in_hand["subtypes"] == ["Forest", "Desert"]


def test_unsettled_abilities_are_unknown_and_nothing_else() -> None:
    vow = there("Golems you control have each of the chosen abilities.", name="Vow", type_line="Enchantment")
    assert ask({"kind": "characteristics", "object": "Zed"}, [vow, there()])["verdict"] == "unknown"
    assert size_of("Elf", [vow, there(), there(name="Elf", type_line="Creature — Elf")]) == (2, 2)
    drone = there("{T}: Add {G}.")
    assert ask({"kind": "can_pay", "cost": "{G}"}, [vow, drone])["verdict"] == "yes"
    assert ask({"kind": "can_pay", "cost": "{G}"}, [vow, {**drone, "sick": True}])["verdict"] == "unknown"
    tap_flier = {"kind": "can_activate", "permanent": "Yod", "ability": 1, "targets": ["Zed"]}
    yod = there("{0}: Destroy target creature with flying.", name="Yod", type_line="Artifact")
    assert ask(tap_flier, [vow, yod, there()])["verdict"] == "unknown"
    assert ask(tap_flier, [yod, there()])["verdict"] == "no"


# --- crewing --------------------------------------------------------------------------------------------------------

CREW = {"kind": "can_activate", "permanent": "Cart", "ability": 1}


def cart(text: str = "Crew 3") -> dict[str, Any]:
    return there(text, name="Cart", type_line="Artifact — Vehicle", size="4/4")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("", "no"),
        ("This creature crews Vehicles as though its power were 7 greater.", "yes"),
        ("This creature saddles Mounts as though its power were 7 greater.", "no"),
        ("This creature crews Vehicles and saddles Mounts using its toughness rather than its power.", "yes"),
        ("Each creature you control crews Vehicles and stations permanents as though its power were 1 greater.", "yes"),
    ],
)
def test_crewing(text: str, verdict: str) -> None:
    assert ask(CREW, [cart(), there(text, size="2/5")])["verdict"] == verdict


def test_who_cannot_crew() -> None:
    ban = there(
        "Golems can't attack, block, or crew Vehicles.",
        name="Vow",
        type_line="Enchantment",
    )
    assert ask(CREW, [cart("Crew 1"), there()])["verdict"] == "yes"
    assert ask(CREW, [cart("Crew 1"), there(), ban])["verdict"] == "no"


def test_crewing_at_another_cost() -> None:
    text = "Crew 3\nYou may remove a charge counter from an artifact you control rather than pay Cart's crew cost."
    charged = there(name="Yod", type_line="Artifact", counters={"charge": 1})
    assert ask(CREW, [cart(text)])["verdict"] == "no"
    assert ask(CREW, [cart(text), charged])["verdict"] == "yes"


# --- combat ---------------------------------------------------------------------------------------------------------


def attack(mine: list[Any], theirs: list[Any] | None = None, **declared: str) -> str:
    query = {"kind": "legal", "action": {"attack": declared}}
    return ask(query, mine, theirs, turn={"active": "alice", "step": "attackers"})["verdict"]


def block(mine: list[Any], attackers: list[Any], **declared: str) -> str:
    query = {"kind": "legal", "action": {"block": declared}}
    return ask(query, mine, attackers, turn={"active": "bob", "step": "blockers"})["verdict"]


def test_attacking_along() -> None:
    follower = there("If a creature you control attacks, Zed also attacks if able.")
    other = there(name="Yod")
    assert attack([follower, other]) == "yes"
    assert attack([follower, other], Yod="bob") == "no"
    assert attack([follower, other], Yod="bob", Zed="bob") == "yes"
    assert attack([follower, other], Zed="bob") == "yes"
    assert attack([{**follower, "tapped": True}, other], Yod="bob") == "yes"
    limit = there("No more than three creatures can attack each combat.", name="Vow", type_line="Enchantment")
    assert attack([follower, other, limit], Yod="bob") == "unknown"


def test_all_attack_if_it_does() -> None:
    leader = there("If this creature attacks, all Golems you control attack if able.")
    assert attack([leader, there(name="Yod")], Yod="bob") == "yes"
    assert attack([leader, there(name="Yod")], Zed="bob") == "no"
    assert attack([leader, there(name="Yod")], Yod="bob", Zed="bob") == "yes"


def test_somebody_attacks() -> None:
    text = "Each opponent must attack with at least one creature each combat if able."
    assert attack([there()], [there(text, name="Vow", type_line="Enchantment")]) == "no"
    assert attack([there()], [there(text, name="Vow", type_line="Enchantment")], Zed="bob") == "yes"
    assert attack([], [there(text, name="Vow", type_line="Enchantment")]) == "yes"


def test_attacks_on_one_planeswalker() -> None:
    walker = there(
        "No more than one creature can attack Zed each combat.",
        type_line="Planeswalker — Zed",
        counters={"loyalty": 3},
    )
    two = [there(name="Yod"), there(name="Waw")]
    assert attack(two, [walker], Yod="Zed", Waw="Zed") == "no"
    assert attack(two, [walker], Yod="Zed", Waw="bob") == "yes"


def test_lures() -> None:
    attacker = there("All Walls able to block this creature do so.", attacking="alice")
    wall, elf = there(name="Yod", type_line="Creature — Wall"), there(name="Elf", type_line="Creature — Elf")
    assert block([wall, elf], [attacker]) == "no"
    assert block([wall, elf], [attacker], Yod="Zed") == "yes"
    (rule,) = effects("As long as you control a Forest, all creatures able to block Zed do so.")
    assert rule == AttackRule("lure", ME)
    lure = "Enchanted creature has flying, and all creatures able to block it do so."
    assert effects(lure, "Enchantment — Aura") == (
        GrantAbilities(HOST, keywords=("flying",)),
        AttackRule("lure", HOST),
    )


def test_must_be_blocked_by_one_of_a_kind() -> None:
    attacker = there("This creature must be blocked by a Wall if able.", attacking="alice")
    wall, elf = there(name="Yod", type_line="Creature — Wall"), there(name="Elf", type_line="Creature — Elf")
    assert block([wall, elf], [attacker], Elf="Zed") == "no"
    assert block([wall, elf], [attacker], Yod="Zed") == "yes"
    assert block([elf], [attacker]) == "yes"


def test_blocking_while_tapped_and_more() -> None:
    attacker = there(name="Yod", attacking="alice")
    tapped = there(tapped=True)
    vow = there("Tapped creatures can block as though they were untapped.", name="Vow")
    assert block([tapped], [attacker], Zed="Yod") == "no"
    assert block([tapped, vow], [attacker], Zed="Yod") == "yes"
    (more,) = effects("This creature can block an additional creature each combat for each Aura attached to it.")
    assert isinstance(more, AttackRule) and more.kind == "block_more" and not isinstance(more.times, int)


# --- rules of the game, targets, entering ---------------------------------------------------------------------------


def test_losing_in_another_way() -> None:
    text = "If you would lose the game, instead exile Zed and your life total becomes 3."
    assert effects(text) == (GameRule("loses_otherwise"),)
    assert ask({"kind": "state_based"}, [there(text)], life=0)["verdict"] == "unknown"
    assert ask({"kind": "state_based"}, [there(text)], life=1)["actions"] == []


def test_the_legend_rule_for_two() -> None:
    text = 'If there are exactly two permanents named Zed on the battlefield, the "legend rule" doesn\'t apply to them.'
    zed = there(text, type_line="Legendary Creature — Golem")
    assert ask({"kind": "state_based"}, [zed, zed])["actions"] == []
    assert len(ask({"kind": "state_based"}, [zed, zed, zed])["actions"]) == 1


def test_what_must_be_a_target() -> None:
    text = "While an opponent is choosing targets as part of casting a spell they control or activating an ability "
    text += "they control, that player must choose at least one Golem on the battlefield if able."
    assert effects(text) == (MustTarget(Filter(subtypes=("Golem",))),)
    theirs = [there(text), there(name="Elf", type_line="Creature — Elf")]
    shock = {"card": {**card("Destroy target creature.", name="Zap", type_line="Instant"), "mana_cost": "{R}"}}

    def cast(targets: list[str], board: list[Any]) -> str:
        query = {"kind": "can_cast", "card": "Zap", "targets": targets}
        return ask(query, ["Mountain"], board, hand=[shock])["verdict"]

    assert (cast(["Elf"], theirs), cast(["Zed"], theirs), cast(["Elf"], theirs[1:])) == ("no", "yes", "yes")


@pytest.mark.parametrize(
    "text",
    [
        "This creature enters with a charge counter on it for each Elf and Golem card exiled with it.",
        "Zed enters with a +1/+1 counter on it for each Elf you own and a +1/+1 counter on it for each Wall you own.",
        "Golems you control enter as a copy of this creature.",
        "For each kind of counter on Zed, each other Golem you control enters with a counter of that kind on it.",
        "As long as Zed is untapped, all damage that would be dealt to you by Golems is dealt to Zed instead.",
        "As long as you control a Golem, if you would draw a card, you may instead scry 2.",
        "While voting, you get an additional vote.",
    ],
)
def test_what_happens_otherwise_or_has_happened(text: str) -> None:
    assert status(text) == "irrelevant"


@pytest.mark.parametrize(
    "text",
    [
        "As long as you control a Golem, if a Golem would die, exile it instead.",
        "As long as you control a Golem, if you would tap a land for mana, it produces {G} instead.",
        "1 — Sacrifice this artifact and you lose 9 life.",
        "As long as you control a Golem, if one or more charge counters would be put on Zed, scry 1 instead.",
    ],
)
def test_what_is_not_irrelevant(text: str) -> None:
    assert status(text) != "irrelevant"


def test_names_of_abilities() -> None:
    for word in ("Nitro-9", "Zed's Breath", "... Throw", "10,000 Needles", "I. AM. TALKING!"):
        assert status(f"{word} — This creature has flying.") == "modelled", word


def test_entering_tapped_with_counters() -> None:
    (line,) = compile_lines("Zed", "Artifact", "This artifact enters tapped and with nine charge counters on it.")
    assert line.abilities == (EntersWith(tapped=True, counters="charge", n=9),)


# --- what is told in words that no structure has ---------------------------------------------------------------------


def test_whom_to_attack_and_how_to_block_may_be_unknown() -> None:
    text = "Zed attacks an opponent with the most life among your opponents each combat if able."
    assert effects(text) == (AttackRule("unclear_attack", ME),)
    assert attack([there(text)], Zed="bob") == "unknown"
    assert attack([there()], [there(text)], Zed="bob") == "yes"
    many = there("Zed must be blocked by exactly one creature if able.", attacking="alice")
    assert block([there(name="Yod")], [many], Yod="Zed") == "unknown"


def test_destroying_what_has_umbra_armor_on_it() -> None:
    umbra = there("Enchant creature\nUmbra armor", name="Umbra", type_line="Enchantment — Aura", attached_to="Zed")
    hurt = there(damage=2)
    assert ask({"kind": "state_based"}, [hurt])["actions"] == [{"destroy": "Zed"}]
    assert ask({"kind": "state_based"}, [hurt, umbra])["verdict"] == "unknown"


def test_losing_life_to_damage() -> None:
    assert effects("As long as you control a Golem, damage doesn't cause you to lose life.") == (
        GameRule("damage_no_loss"),
    )


@pytest.mark.parametrize(
    ("text", "aspects"),
    [
        ("Enchanted creature has all names of nonlegendary creature cards in addition to its name.", ("names",)),
        ("Snow lands of the first chosen type are the second chosen type.", ("subtypes", "abilities")),
        (
            "As an artifact you control enters, it becomes a 3/3 Golem creature in addition to its other types.",
            ("types", "subtypes", "power", "toughness"),
        ),
    ],
)
def test_changes_that_nothing_says(text: str, aspects: tuple[str, ...]) -> None:
    (effect,) = effects(text)
    assert isinstance(effect, Unsettled) and effect.aspects == aspects


def test_keywords_with_amounts_of_their_own() -> None:
    (card_in_graveyard,) = statics("Each Golem card in your graveyard has encore {X}, where X is its mana value.")
    (granted,) = card_in_graveyard.effects
    assert isinstance(granted, GrantAbilities) and isinstance(granted.abilities[0], Activated)
    (hand,) = effects("Each opponent's maximum hand size is equal to seven minus the number of those card types.")
    assert isinstance(hand, MaxHandSize) and isinstance(hand.n, Calc)
    assert status("Ward—Get five charge counters and sing a song.") == "modelled"


# --- what a Saga has gained by its chapters ---

CHAPTERS = 'I — This Saga gains "{T}: Add {R}."\nII, III — This Saga gains "{1}, {T}: Draw a card."\nIV — Draw a card.'


def saga(lore: int) -> dict[str, Any]:
    return there(CHAPTERS, name="Zed Saga", type_line="Enchantment Land — Saga", counters={"lore": lore})


@pytest.mark.parametrize(("lore", "types"), [(0, ""), (1, "R"), (2, "R")])
def test_a_saga_has_what_its_chapters_gave_it(lore: int, types: str) -> None:
    made = ask({"kind": "could_produce", "permanent": "Zed Saga"}, [saga(lore)])
    assert (made["verdict"], made["types"]) == ("known", list(types))
    second = {"kind": "can_activate", "permanent": "Zed Saga", "ability": 2}
    assert ask(second, [saga(lore), "Forest"])["verdict"] == ("yes" if lore == 2 else "no")


def test_a_chapter_on_the_stack_has_not_given_it_yet() -> None:
    wait = [{"ability": "Draw a card.", "source": "Zed Saga"}]
    situation = {"players": {"alice": {"battlefield": [saga(1)]}, "bob": {}}, "stack": wait}
    reply = lawmage.ask({"situation": situation, "query": {"kind": "can_pay", "cost": "{R}"}})
    assert isinstance(reply, lawmage.Reply)
    assert reply.wire()["verdict"] == "unknown"


def test_what_a_chapter_gave_is_no_rules_text_that_a_land_type_takes() -> None:
    moon = there("Nonbasic lands are Mountains.", type_line="Enchantment")
    made = ask({"kind": "can_activate", "permanent": "Zed Saga", "ability": 3}, [saga(2), "Forest"], [moon])
    assert made["verdict"] == "yes"
    assert ask({"kind": "state_based"}, [saga(4)], [moon])["actions"] == []


# --- damage that a mana ability deals ---

PAIN = "{T}: Add {C}{C}. This artifact deals 2 damage to you."


@pytest.mark.parametrize(
    ("text", "whose", "damage"),
    [
        ("Prevent all damage that would be dealt to you.", "mine", 0),
        ("Prevent all damage that would be dealt to you.", "theirs", 2),
        ("If damage would be dealt to you, put that many wound counters on this creature instead.", "mine", 0),
        ("If a source would deal damage to a permanent or player, it deals double that damage instead.", "theirs", 4),
        ("If a source you control would deal damage to a player, it deals triple that damage instead.", "mine", 6),
        ("If a source you control would deal damage to a player, it deals triple that damage instead.", "theirs", 2),
        ("All damage that would be dealt to you is dealt to this creature instead.", "mine", 0),
        ("If a source would deal damage to you, it deals double that damage to you instead.", "theirs", 2),
    ],
)
def test_damage_of_a_mana_ability_as_it_is_changed(text: str, whose: str, damage: int) -> None:
    other = there(text, name="Yod")
    mine = [there(PAIN, type_line="Artifact"), *([other] if whose == "mine" else [])]
    found = ask({"kind": "can_pay", "cost": "{2}"}, mine, [other] if whose == "theirs" else [])
    assert (found["verdict"], found["spent"].get("damage", 0)) == ("yes", damage)


def test_a_keyword_under_an_unknown_condition_doubts_nothing_else() -> None:
    zed = there("{T}: Add {G}.\nAs long as you've sacrificed a Golem this turn, Zed has haste and hexproof.")
    assert ask({"kind": "can_pay", "cost": "{G}"}, [zed])["verdict"] == "yes"
    assert ask({"kind": "can_pay", "cost": "{G}"}, [{**zed, "sick": True}])["verdict"] == "unknown"
    assert ask({"kind": "characteristics", "object": "Zed"}, [zed])["verdict"] == "unknown"
    spell = {"card": {**card("Destroy target creature.", name="Zap", type_line="Instant"), "mana_cost": "{R}"}}
    aimed = {"kind": "can_cast", "card": "Zap", "targets": ["Zed"]}
    assert ask(aimed, ["Mountain"], [zed], hand=[spell])["verdict"] == "unknown"
