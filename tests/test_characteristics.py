"""Layers, dependency, and what objects are where they are (CR 613, 305.6-7, 712)."""

from __future__ import annotations

import random
import time
from typing import Any

import msgspec
import pytest

from lawmage.model import abilities as ab
from lawmage.model.abilities import Activated, Filter, GrantAbilities, Keyword, LandTypes, LoseAbilities, SetTypes
from lawmage.model.characteristics import View, view_of
from lawmage.model.game import Obj, Unknown
from lawmage.model.layers import LOOKS_THE_SAME, TELLS_APART, Layers
from lawmage.model.printed import base_of
from tests.boards import card, face, faces, game, grant, static, tap

CREATURES = Filter(types=("Creature",))
LANDS = Filter(types=("Land",))
NONBASIC = Filter(types=("Land",), not_supertypes=("Basic",))
MY_LANDS = Filter(types=("Land",), controller="you")
OTHER_ENCHANTMENTS = Filter(types=("Enchantment",), not_subtypes=("Aura",), me=False)
MY_NONTOKENS = Filter(types=("Creature",), token=False, controller="you")
SWAMPS = Filter(types=("Land",), subtypes=("Swamp",))
IDLE_ARTIFACTS = Filter(types=("Artifact",), not_types=("Creature",))
ITS_VALUE = ab.Stat("mana_value", "that")
HOST = Filter(ref="host")

CARDS = {
    c.name: c
    for c in (
        card("Blood Moon", "Enchantment", static(LandTypes(NONBASIC, ("Mountain",)))),
        card("Magus of the Moon", "Creature — Human", static(LandTypes(NONBASIC, ("Mountain",))), pt="2/2"),
        card("Urborg", "Legendary Land", static(LandTypes(LANDS, ("Swamp",), keep=True))),
        card("Blood Sun", "Enchantment", static(LoseAbilities(LANDS, but_mana=True))),
        card(
            "Dryad of the Grove", "Enchantment Creature", static(LandTypes(MY_LANDS, keep=True, every=True)), pt="2/4"
        ),
        card(
            "Conversion",
            "Enchantment",
            static(LandTypes(Filter(types=("Land",), subtypes=("Mountain",)), ("Plains",))),
        ),
        card(
            "Humility",
            "Enchantment",
            static(LoseAbilities(CREATURES), ab.PowerToughness(CREATURES, "set", 1, 1)),
        ),
        card(
            "Opalescence",
            "Enchantment",
            static(
                SetTypes(OTHER_ENCHANTMENTS, types=("Creature",)),
                ab.PowerToughness(OTHER_ENCHANTMENTS, "set", ITS_VALUE, ITS_VALUE),
            ),
            cost="{2}{W}{W}",
        ),
        card(
            "Ashaya",
            "Legendary Creature — Elemental",
            static(
                SetTypes(MY_NONTOKENS, types=("Land",)),
                LandTypes(MY_NONTOKENS, ("Forest",), keep=True),
            ),
            pt="*/*",
            cost="{3}{G}{G}",
        ),
        card(
            "Imprisoned in the Moon",
            "Enchantment — Aura",
            static(
                SetTypes(HOST, types=("Land",), keep=False),
                ab.SetColors(HOST, ""),
                GrantAbilities(HOST, (tap("{C}"),)),
                LoseAbilities(HOST),
            ),
        ),
        card(
            "Song of the Dryads",
            "Enchantment — Aura",
            static(SetTypes(HOST, types=("Land",), keep=False), LandTypes(HOST, ("Forest",)), ab.SetColors(HOST, "")),
        ),
        card(
            "Mycosynth Lattice",
            "Artifact",
            static(SetTypes(Filter(), types=("Artifact",)), ab.SetColors(Filter(zone="any"), "")),
            cost="{6}",
        ),
        card(
            "Painter's Servant",
            "Artifact Creature — Scarecrow",
            static(ab.SetColors(Filter(zone="any"), keep=True, chosen=True)),
            pt="1/3",
            cost="{2}",
        ),
        card(
            "Kormus Bell",
            "Artifact",
            static(
                SetTypes(SWAMPS, types=("Creature",)),
                ab.SetColors(SWAMPS, "B"),
                ab.PowerToughness(SWAMPS, "set", 1, 1),
            ),
        ),
        card("Chromatic Lantern", "Artifact", grant(MY_LANDS, tap("any")), tap("any"), cost="{3}"),
        card("Cryptolith Rite", "Enchantment", grant(Filter(types=("Creature",), controller="you"), tap("any"))),
        card(
            "March of the Machines",
            "Enchantment",
            static(
                SetTypes(IDLE_ARTIFACTS, types=("Creature",)),
                ab.PowerToughness(IDLE_ARTIFACTS, "set", ITS_VALUE, ITS_VALUE),
            ),
        ),
        card(
            "Glorious Anthem",
            "Enchantment",
            static(ab.PowerToughness(Filter(types=("Creature",), controller="you"), "modify", 1, 1)),
        ),
        card("Hexplate", "Enchantment — Aura", static(ab.Control(HOST))),
        card("Dryad Arbor", "Land Creature — Forest Dryad", pt="1/1", colors="G"),
        card("Reflecting Pool", "Land", tap("any")),
    )
}


def view(*battlefield: Any, **more: Any) -> View:
    return view_of(game({"alice": battlefield}, cards=CARDS, **more))


def made(v: View, object_id: str) -> list[str]:
    """The mana of the object's activated abilities, in their order."""
    return [getattr(h.ability.effects[0].what, "mana", "any") for h in v.abilities(object_id) if h.number]  # type: ignore[union-attr]


def test_printed() -> None:
    v = view("Adarkar Wastes", "Llanowar Elves", "Bayou")
    assert [h.number for h in v.abilities("Adarkar Wastes")] == [1, 2]
    assert made(v, "Bayou") == ["{B}", "{G}"]
    elves = v.of("Llanowar Elves")
    assert (elves.power, elves.toughness, elves.mana_value, elves.colors) == (1, 1, 1, "G")
    assert elves.is_a("Druid") and not elves.is_a("Land")


def test_equal_objects_share_their_characteristics() -> None:
    v = view("Forest", "Forest")
    assert v.of("Forest") is v.of("Forest#2")


def test_blood_moon_makes_nonbasic_lands_mountains_and_nothing_else() -> None:
    v = view("Bayou", "Adarkar Wastes", "Forest", "Blood Moon")
    assert made(v, "Bayou") == ["{R}"]
    assert v.of("Adarkar Wastes").subtypes == ("Mountain",)
    assert made(v, "Forest") == ["{G}"]


@pytest.mark.parametrize("order", [("Urborg", "Blood Moon"), ("Blood Moon", "Urborg")])
def test_urborg_under_blood_moon_is_a_mountain(order: tuple[str, ...]) -> None:
    v = view("Forest", *order)
    assert v.of("Urborg").subtypes == ("Mountain",)
    assert made(v, "Urborg") == ["{R}"]
    assert made(v, "Forest") == ["{G}"]


def test_blood_sun_is_too_late_for_urborg() -> None:
    v = view("Forest", "Urborg", "Blood Sun")
    assert made(v, "Forest") == ["{B}", "{G}"]
    assert made(v, "Urborg") == ["{B}"]
    assert len(v.abilities("Urborg")) == 1


def test_dryad_and_blood_moon_go_by_timestamp() -> None:
    late = view("Bayou", "Blood Moon", "Dryad of the Grove")
    assert made(late, "Bayou") == ["{W}", "{U}", "{B}", "{R}", "{G}"]
    early = view("Bayou", "Dryad of the Grove", "Blood Moon")
    assert made(early, "Bayou") == ["{R}"]


@pytest.mark.parametrize("order", [("Conversion", "Blood Moon"), ("Blood Moon", "Conversion")])
def test_conversion_depends_on_blood_moon(order: tuple[str, ...]) -> None:
    v = view("Bayou", "Mountain", *order)
    assert made(v, "Bayou") == ["{W}"]
    assert made(v, "Mountain") == ["{W}"]


def test_granted_abilities_survive_blood_moon_and_come_last() -> None:
    v = view("Chromatic Lantern", "Bayou", "Blood Moon")
    assert made(v, "Bayou") == ["{R}", "any"]
    assert [h.origin for h in v.abilities("Bayou")] == ["land", "Chromatic Lantern"]
    assert [h.number for h in v.abilities("Bayou")] == [1, 2]


def test_humility_alone() -> None:
    v = view("Llanowar Elves", "Dryad Arbor", "Humility")
    assert v.abilities("Llanowar Elves") == ()
    assert (v.of("Llanowar Elves").power, v.of("Dryad Arbor").toughness) == (1, 1)
    assert v.abilities("Dryad Arbor") == ()


def test_a_later_grant_survives_humility_and_an_earlier_one_does_not() -> None:
    assert made(view("Grizzly Bears", "Humility", "Cryptolith Rite"), "Grizzly Bears") == ["any"]
    assert made(view("Grizzly Bears", "Cryptolith Rite", "Humility"), "Grizzly Bears") == []


@pytest.mark.parametrize(("order", "size"), [(("Opalescence", "Humility"), 1), (("Humility", "Opalescence"), 4)])
def test_opalescence_and_humility(order: tuple[str, ...], size: int) -> None:
    """Humility loses its own ability in layer 6 and goes on in layer 7 (613.6); the later timestamp sets its size."""
    cards = {**CARDS, "Humility": card("Humility", "Enchantment", CARDS["Humility"].faces[0].lines[0].abilities[0],
                                       cost="{2}{W}{W}")}  # fmt: skip
    v = view_of(game({"alice": ["Serra Angel", *order]}, cards=cards))
    assert v.of("Serra Angel").power == 1
    humility = v.of("Humility")
    assert "Creature" in humility.types and humility.abilities == ()
    assert humility.power == size


def test_ashaya_makes_forests_that_keep_their_abilities() -> None:
    v = view("Llanowar Elves", {"card": "Grizzly Bears", "token": True}, "Ashaya")
    assert made(v, "Llanowar Elves") == ["{G}", "{G}"]
    assert v.of("Llanowar Elves").is_a("Land")
    assert not v.of("Grizzly Bears").is_a("Land")
    assert made(v, "Ashaya") == ["{G}"]


@pytest.mark.parametrize("order", [("Ashaya", "Blood Moon"), ("Blood Moon", "Ashaya")])
def test_blood_moon_depends_on_ashaya(order: tuple[str, ...]) -> None:
    """Ashaya makes nonbasic lands, so Blood Moon waits; Ashaya's effect has applied by then."""
    v = view("Llanowar Elves", *order)
    assert made(v, "Llanowar Elves") == ["{R}"]
    assert v.of("Llanowar Elves").types == ("Creature", "Land")


def test_imprisoned_in_the_moon() -> None:
    v = view("Llanowar Elves", "Forest", {"card": "Imprisoned in the Moon", "attached_to": "Llanowar Elves"})
    elves = v.of("Llanowar Elves")
    assert (elves.types, elves.subtypes, elves.colors, elves.power) == (("Land",), (), "", None)
    assert made(v, "Llanowar Elves") == ["{C}"]
    on_land = view("Forest", {"card": "Imprisoned in the Moon", "attached_to": "Forest"})
    assert made(on_land, "Forest") == ["{C}"]
    assert on_land.of("Forest").subtypes == ("Forest",)


def test_song_of_the_dryads() -> None:
    v = view("Sol Ring", {"card": "Song of the Dryads", "attached_to": "Sol Ring"})
    assert v.of("Sol Ring").types == ("Land",)
    assert made(v, "Sol Ring") == ["{G}"]


def test_mycosynth_lattice_reaches_cards_everywhere() -> None:
    v = view("Forest", "Serra Angel", "Mycosynth Lattice", hand={"alice": ["Opt"]})
    assert v.of("Forest").types == ("Land", "Artifact")
    assert v.of("Serra Angel").colors == v.of("Opt").colors == ""
    assert v.of("Opt").types == ("Instant",)


def test_painters_servant() -> None:
    v = view("Forest", {"card": "Painter's Servant", "chosen": {"color": "U"}}, hand={"alice": ["Serra Angel"]})
    assert v.of("Forest").colors == "U"
    assert v.of("Serra Angel").colors == "WU"
    assert v.spell("Serra Angel").seen.colors == "WU"


def test_a_choice_that_is_not_stated_makes_colors_unknown_and_nothing_else() -> None:
    v = view("Forest", "Painter's Servant")
    with pytest.raises(Unknown, match="Painter's Servant"):
        _ = v.of("Forest").colors
    assert v.of("Forest").types == ("Land",)
    assert v.of("Forest").is_a("Forest") and not v.of("Forest").is_a("Swamp")
    assert made(v, "Forest") == ["{G}"]


def test_kormus_bell_with_urborg_and_counters() -> None:
    v = view({"card": "Forest", "counters": {"+1/+1": 2}}, "Urborg", "Kormus Bell")
    forest = v.of("Forest")
    assert (forest.types, forest.colors, forest.power, forest.toughness) == (("Land", "Creature"), "B", 3, 3)
    assert made(v, "Forest") == ["{B}", "{G}"]


def test_an_effect_goes_on_to_the_same_objects_in_later_layers() -> None:
    """March of the Machines: noncreature artifacts get their size although they are creatures by then."""
    v = view("Sol Ring", "Darksteel Ingot", "March of the Machines")
    assert (v.of("Sol Ring").power, v.of("Darksteel Ingot").power) == (1, 3)


def test_control_and_anthems() -> None:
    g = game(
        {
            "alice": [{"card": "Hexplate", "attached_to": "Grizzly Bears"}, "Glorious Anthem"],
            "bob": ["Grizzly Bears", "Grizzly Bears"],
        },
        cards=CARDS,
    )
    v = view_of(g)
    assert v.of("Grizzly Bears").controller == "alice"
    assert (v.of("Grizzly Bears").power, v.of("Grizzly Bears#2").power) == (3, 2)


def test_defining_abilities_work_in_every_zone() -> None:
    creatures = ab.Count(Filter(types=("Creature",), controller="you"))
    define = ab.Static((ab.PowerToughness(Filter(me=True), "define", creatures, creatures),), defining=True)
    ooze = card("Ooze", "Creature — Ooze", define, pt="*/*")
    v = view("Grizzly Bears", ooze, hand={"alice": [ooze]})
    assert (v.of("Ooze").power, v.of("Ooze#2").power) == (2, 2)
    with_anthem = view("Grizzly Bears", ooze, "Glorious Anthem")
    assert with_anthem.of("Ooze").power == 3
    assert view("Grizzly Bears", ooze, "Humility").of("Ooze").power == 1


def test_a_star_that_nothing_defines_is_unknown() -> None:
    v = view(card("Mystery", "Creature — Ooze", pt="*/*"))
    assert v.of("Mystery").types == ("Creature",)
    with pytest.raises(Unknown):
        _ = v.of("Mystery").power
    with pytest.raises(Unknown):
        v.stat("Mystery", "power")


def test_flying_for_all_and_a_creature_that_cant_have_it() -> None:
    archetype = card(
        "Archetype",
        "Enchantment Creature",
        grant(Filter(types=("Creature",), controller="you"), keywords=("flying",)),
        static(
            LoseAbilities(Filter(types=("Creature",), controller="opponents"), keywords=("flying",), cant_have=True)
        ),
        pt="3/2",
    )
    g = game({"alice": [archetype, "Grizzly Bears"], "bob": ["Serra Angel", archetype]})
    v = view_of(g)
    assert "flying" not in v.of("Grizzly Bears").keywords
    assert "flying" not in v.of("Serra Angel").keywords


def test_loops_of_dependency_go_by_timestamp() -> None:
    """Each makes the other's objects: all Islands are Plains, all Plains are Islands and Forests stay."""
    a = card("A", "Enchantment", static(LandTypes(Filter(types=("Land",), subtypes=("Island",)), ("Plains",))))
    b = card("B", "Enchantment", static(LandTypes(Filter(types=("Land",), subtypes=("Plains",)), ("Island",))))
    assert view("Island", "Plains", a, b).of("Plains").subtypes == ("Island",)
    assert view("Island", "Plains", a, b).of("Island").subtypes == ("Island",)
    assert view("Island", "Plains", b, a).of("Island").subtypes == ("Plains",)


def test_granted_effects_apply_in_their_turn() -> None:
    """A lord's ability that is itself granted works in layers 6 and 7."""
    lord = ab.Static((ab.PowerToughness(Filter(types=("Creature",), me=False), "modify", 1, 1),))
    teacher = card("Teacher", "Enchantment", grant(Filter(types=("Creature",), subtypes=("Bear",)), lord))
    v = view("Grizzly Bears", "Grizzly Bears", "Llanowar Elves", teacher)
    assert v.of("Llanowar Elves").power == 3
    assert v.of("Grizzly Bears").power == 3


def test_copies() -> None:
    elves = {"card": "Serra Angel", "copy_of": game({"alice": ["Llanowar Elves"]}).objects["Llanowar Elves"].card}
    v = view(elves)
    copied = v.of("Serra Angel")
    assert (copied.name, copied.power) == ("Llanowar Elves", 1)
    assert made(v, "Serra Angel") == ["{G}"]


def test_text_changes() -> None:
    hack = card("Hack", "Enchantment — Aura", static(ab.ChangeText(HOST, "Forest", "Island")))
    walker = card(
        "Walker", "Creature", static(LandTypes(LANDS, ("Forest",), keep=True)), Keyword("forestwalk"), pt="1/1"
    )
    v = view("Mountain", walker, {"card": hack, "attached_to": "Walker"})
    assert made(v, "Mountain") == ["{U}", "{R}"]


def test_faces() -> None:
    front = face("Front", "Creature — Human", cost="{2}{U}", pt="1/2")
    transform = faces("Front // Back", "transform", front, face("Back", "Planeswalker — Jace", colors="U", loyalty="5"))
    v = view({"card": transform, "face": 1, "counters": {"loyalty": 4}}, hand={"alice": [transform]})
    up = v.of("Front // Back")
    assert (up.name, up.mana_value, up.loyalty, up.mana_cost) == ("Back", 3, 4, None)
    assert v.of("Front // Back#2").name == "Front"
    copied = view({"card": "Grizzly Bears", "copy_of": transform, "copy_face": 1})
    assert copied.of("Grizzly Bears").mana_value == 0


def test_both_halves_of_a_card_with_aftermath_count_off_the_stack() -> None:
    halves = face("Rise", "Sorcery", cost="{1}{U}"), face("Fall", "Instant", cost="{4}{G}")
    seen = view(graveyard={"alice": [faces("Rise // Fall", "aftermath", *halves)]}).of("Rise // Fall")
    assert (seen.mana_value, set(seen.colors), set(seen.types)) == (7, {"U", "G"}, {"Sorcery", "Instant"})


def test_a_room_has_what_its_unlocked_doors_say() -> None:
    pool = face("Pool", "Enchantment — Room", tap("{U}"), cost="{U}")
    room = faces("Pool // Hall", "split", pool, face("Hall", "Enchantment — Room", cost="{4}{G}"))
    left, right, both, neither = (
        view({"card": room, **more}).of("Pool // Hall")
        for more in ({}, {"face": 1}, {"noted": ("unlocked",)}, {"noted": ("locked",)})
    )
    assert (left.name, left.mana_value, len(left.abilities)) == ("Pool", 1, 1)
    assert (right.name, right.mana_value, len(right.abilities)) == ("Hall", 5, 0)
    assert (both.mana_value, both.colors, len(both.abilities)) == (6, "UG", 1)
    assert (neither.name, neither.mana_value, neither.abilities, neither.subtypes) == ("", 0, (), ("Room",))


def test_split_cards_and_announced_x() -> None:
    split = faces("Fire // Ice", "split", face("Fire", "Instant", cost="{1}{R}"), face("Ice", "Instant", cost="{1}{U}"))
    ball = card("Ball", "Sorcery", cost="{X}{X}{R}")
    v = view(hand={"alice": [split, ball]})
    assert (v.of("Fire // Ice").mana_value, v.of("Fire // Ice").colors) == (4, "UR")
    ice = v.spell("Fire // Ice", face=1)
    assert (ice.seen.name, ice.seen.mana_value) == ("Ice", 2)
    assert v.spell("Fire // Ice", fused=True).seen.mana_value == 4
    assert (v.of("Ball").mana_value, v.spell("Ball", x=3).seen.mana_value) == (1, 7)


def test_face_down_permanents_are_plain_creatures() -> None:
    v = view({"card": "Serra Angel", "face_down": True, "counters": {"flying": 1}})
    angel = v.of("Serra Angel")
    assert (angel.name, angel.power, angel.colors, angel.mana_value) == ("", 2, "", 0)
    assert angel.keywords == {"flying"}


def test_statics_come_from_abilities_that_are_still_there() -> None:
    orb = card("Orb", "Artifact", static(ab.UntapCap(LANDS, 1), condition=ab.Is("self", Filter(tapped=False))))
    tower = card("Tower", "Land", static(ab.MaxHandSize("none")), tap("{C}"))
    assert [a.source for a in view(orb).statics(ab.UntapCap)] == ["Orb"]
    assert view({"card": orb, "tapped": True}).statics(ab.UntapCap) == ()
    assert len(view(tower).statics((ab.MaxHandSize, ab.UntapCap))) == 1
    assert view(tower, "Blood Moon").statics(ab.MaxHandSize) == ()


def test_emblems_and_effects_function_where_they_are() -> None:
    emblem = card("Emblem", "", static(ab.MaxHandSize("none")))
    tide = card("Tide", "", ab.Triggered("tapped_for_mana", LANDS))
    v = view("Forest", command={"alice": [emblem]}, effects={"bob": [tide]})
    assert [a.you for a in v.statics(ab.MaxHandSize)] == ["alice"]
    assert [(source, you) for source, you, _, _ in v.triggers()] == [("Tide", "bob")]
    commander = card("General", "Legendary Creature", static(ab.MaxHandSize("none")))
    assert view(command={"alice": [commander]}).statics(ab.MaxHandSize) == ()


def test_after_a_small_change_nothing_is_computed_again() -> None:
    g = game({"alice": ["Forest", "Bayou", "Blood Moon"]}, cards=CARDS)
    v = view_of(g)
    tapped = g.put(g.objects["Forest"].but(tapped=True))
    after = v.after(tapped)
    assert after.of("Bayou") is v.of("Bayou") and after.game is tapped
    gone = v.after(tapped.without(["Blood Moon"]))
    assert gone.of("Bayou").subtypes == ("Swamp", "Forest")
    bears = card("Watcher", "Creature", grant(Filter(types=("Land",), tapped=True), Keyword("watched")), pt="1/1")
    g = game({"alice": ["Forest", bears]})
    v = view_of(g)
    assert "watched" in v.after(g.put(g.objects["Forest"].but(tapped=True))).of("Forest").keywords


def test_big_boards_are_quick() -> None:
    plain = game({"alice": ["Forest", "Llanowar Elves"] * 100}, cards=CARDS)
    moons = game({"alice": ["Forest", "Bayou", "Llanowar Elves"] * 66 + ["Blood Moon", "Urborg"]}, cards=CARDS)

    def seconds(g: Any) -> float:
        start = time.perf_counter()
        v = view_of(g)
        for i in g.objects:
            v.abilities(i)
        return time.perf_counter() - start

    assert min(seconds(plain) for _ in range(5)) < 0.02
    assert min(seconds(moons) for _ in range(5)) < 0.05


def test_activated_abilities_alone_have_numbers() -> None:
    mixed = card("Mixed", "Land", Keyword("indestructible"), tap("{C}"), ab.Triggered("enters"), tap("{G}"))
    assert [h.number for h in view(mixed).abilities("Mixed")] == [0, 1, 0, 2]
    assert all(isinstance(h.ability, Activated) == bool(h.number) for h in view(mixed).abilities("Mixed"))


def test_an_effect_of_a_permanents_ability_is_about_that_permanent() -> None:
    """Treetop Village's ability has resolved: its effect says "this land"."""
    wakes = static(
        SetTypes(Filter(me=True), types=("Creature",), subtypes=("Ape",)),
        ab.PowerToughness(Filter(me=True), "set", 3, 3),
    )
    village = card("Village", "Land", tap("{G}"))
    effect = card("Village", "", wakes)
    v = view_of(game({"alice": ["Forest", village]}, effects={"alice": [effect]}))
    assert v.of("Village").power == 3 and v.of("Village").types == ("Land", "Creature")
    assert v.of("Forest").types == ("Land",)
    two = view_of(game({"alice": [village, village, "Forest"]}, effects={"alice": [{"card": effect, "id": "woken"}]}))
    assert two.of("Forest").types == ("Land",)
    with pytest.raises(Unknown, match="Village"):
        _ = two.of("Village").types
    named = {"card": effect, "id": "woken", "source": "Village#2"}
    sure = view_of(game({"alice": [village, village]}, effects={"alice": [named]}))
    assert (sure.of("Village").power, sure.of("Village#2").power) == (None, 3)


def test_an_effect_leaves_alone_what_came_later() -> None:
    all_forests = card("Grow", "", static(LandTypes(LANDS, ("Forest",), keep=True)))
    g = game(
        {"alice": ["Island", {"card": "Island", "timestamp": 9.0}]},
        effects={"alice": [{"card": all_forests, "timestamp": 5.0}]},
    )
    assert made(view_of(g), "Island") == ["{U}", "{G}"]
    assert made(view_of(g), "Island#2") == ["{U}"]


def test_targets_of_an_effect() -> None:
    dawn = card("Dawn", "", static(LandTypes(Filter(ref="target"), ("Plains",))))
    g = game({"alice": ["Island", "Island"]}, effects={"alice": [{"card": dawn, "targets": ("Island#2",)}]})
    assert [made(view_of(g), i) for i in ("Island", "Island#2")] == [["{U}"], ["{W}"]]
    silent = view_of(game({"alice": ["Island"]}, effects={"alice": [dawn]}))
    with pytest.raises(Unknown, match="target"):
        silent.abilities("Island")


def test_a_chosen_basic_land_type_is_set_like_any_other() -> None:
    mirage = card("Mirage", "Enchantment — Aura", static(SetTypes(HOST, keep=False, keep_types=True, chosen_type=True)))
    on = {"card": mirage, "attached_to": "Adarkar Wastes", "chosen": {"type": "Forest"}}
    assert made(view("Adarkar Wastes", on), "Adarkar Wastes") == ["{G}"]
    silent = view("Adarkar Wastes", {"card": mirage, "attached_to": "Adarkar Wastes"})
    with pytest.raises(Unknown, match="type"):
        silent.abilities("Adarkar Wastes")


def test_every_field_of_an_object_is_thought_of() -> None:
    """Equal objects share their computation: a new field must be put into one of the two lists."""
    assert sorted(TELLS_APART + LOOKS_THE_SAME) == sorted(Obj.__struct_fields__)


def test_a_face_that_the_data_lacks_is_unknown() -> None:
    missing = faces("Known // Lost", "transform", face("Known", "Land"), ab.Face(name="Lost", missing=True))
    v = view({"card": missing, "face": 1})
    with pytest.raises(Unknown, match="Lost"):
        _ = v.of("Known // Lost").types
    assert view(missing).of("Known // Lost").types == ("Land",)


def test_a_creature_type_that_is_not_stated_leaves_mana_abilities_alone() -> None:
    conspiracy = card("Plot", "Enchantment", static(SetTypes(CREATURES, keep=False, keep_types=True, chosen_type=True)))
    v = view("Llanowar Elves", conspiracy)
    assert made(v, "Llanowar Elves") == ["{G}"]
    with pytest.raises(Unknown, match="type"):
        _ = v.of("Llanowar Elves").subtypes


def test_land_types_added_in_doubt_put_abilities_in_doubt() -> None:
    perhaps = static(LandTypes(LANDS, ("Island",), keep=True), condition=ab.Compare(ab.HandSize("opponents"), ">", 0))
    v = view("Forest", card("Perhaps", "Enchantment", perhaps))
    with pytest.raises(Unknown, match="hand"):
        v.abilities("Forest")
    assert v.of("Forest").types == ("Land",)


def test_spells_with_defining_abilities_count_the_board() -> None:
    lands = ab.Count(MY_LANDS)
    define = ab.Static((ab.PowerToughness(Filter(me=True), "define", lands, lands),), defining=True)
    v = view("Forest", "Forest", hand={"alice": [card("Grower", "Creature", define, pt="*/*", cost="{G}")]})
    assert v.spell("Grower").seen.power == 2


class Slow(Layers):
    """The layers without shortcuts: every object alone, every pair of effects tried."""

    def _key(self, o: Obj, base: Any) -> tuple[Any, ...]:
        return (o.id,)

    def _possible(self, pending: list[Any]) -> dict[int, list[int]]:
        return {a: [b for b in range(len(pending)) if b != a] for a in range(len(pending))}


EFFECTS = [
    name
    for name, c in CARDS.items()
    if any(isinstance(a, ab.Static) for line in c.faces[0].lines for a in line.abilities)
]
OTHERS = [
    "Forest",
    "Bayou",
    "Llanowar Elves",
    "Sol Ring",
    "Dryad Arbor",
    "Ornithopter",
    "Serra Angel",
    "Adarkar Wastes",
]


@pytest.mark.parametrize("seed", range(60))
def test_shortcuts_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    names = [rng.choice(OTHERS) for _ in range(6)] * 2 + rng.sample(EFFECTS, rng.randint(2, 6))
    rng.shuffle(names)
    board: list[Any] = []
    for name in names:
        more: dict[str, Any] = {"tapped": rng.random() < 0.3}
        if name == "Painter's Servant":
            more["chosen"] = {"color": rng.choice("WUBRG")}
        if "Aura" in getattr(CARDS.get(name), "faces", [ab.Face("")])[0].subtypes:
            more["attached_to"] = rng.choice([n for n in names if n in OTHERS])
        board.append({"card": name, **more})
    g = game({"alice": board[::2], "bob": board[1::2]}, cards=CARDS)
    v = view_of(g)
    slow = Slow(v, [o for o in g.objects.values() if base_of(o).layered]).run()
    for i in g.objects:
        assert msgspec.structs.replace(v.seen(i), unsure={}) == msgspec.structs.replace(slow[i], unsure={}), (i, names)


@pytest.mark.parametrize("seed", range(20))
def test_a_view_after_changes_is_the_view_of_the_new_game(seed: int) -> None:
    rng = random.Random(seed)
    names = [rng.choice(OTHERS) for _ in range(6)] + rng.sample([e for e in EFFECTS if "Servant" not in e], 2)
    g = game({"alice": names}, cards=CARDS)
    v = view_of(g)
    for _ in range(6):
        i = rng.choice(list(g.objects))
        change = rng.randrange(4)
        if change == 0:
            g = g.put(g.objects[i].but(tapped=not g.objects[i].tapped))
        elif change == 1:
            g = g.put(g.objects[i].with_counters(rng.choice(("+1/+1", "charge")), 1))
        elif change == 2:
            g = g.without([i]) if len(g.objects) > 4 else g
        else:
            g = g.put_player(g.players["alice"].but(life=rng.randrange(20)))
        v = v.after(g)
        fresh = view_of(g)
        assert {j: v.seen(j) for j in g.objects} == {j: fresh.seen(j) for j in g.objects}


def test_abilities_for_the_powerful_are_in_doubt_only_where_layer_7_matters() -> None:
    herald = card(
        "Herald",
        "Enchantment",
        grant(Filter(types=("Creature",), bounds=(ab.Bound("power", ">=", 2),)), keywords=("haste",)),
    )
    v = view("Grizzly Bears", "Llanowar Elves", "Ornithopter", herald, "Glorious Anthem")
    assert "haste" in v.of("Grizzly Bears").keywords
    assert "haste" not in v.of("Ornithopter").keywords
    with pytest.raises(Unknown, match="layer 7"):
        _ = v.of("Llanowar Elves").keywords
    assert v.of("Llanowar Elves").power == 2


def test_a_choice_made_in_the_upkeep_lasts_for_the_turn() -> None:
    """Hall of Gemstone: the stated color tells that the trigger of this turn has resolved."""
    effect = ab.ProductionReplacement(LANDS, only_types="WUBRG", makes=ab.ChosenColor())
    hall = card("Hall", "Enchantment", ab.Triggered("upkeep", effects=(ab.Become((ab.Static((effect,)),)),)))
    red = view({"card": hall, "chosen": {"color": "R"}}).statics(ab.ProductionReplacement)
    assert [(a.source, a.condition) for a in red] == [("Hall", None)]
    assert view({"card": hall, "chosen": {"color": None}}).statics(ab.ProductionReplacement) == ()
    (silent,) = view(hall).statics(ab.ProductionReplacement)
    assert silent.condition is not None
