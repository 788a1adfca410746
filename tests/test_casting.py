"""What may be proposed for a spell or an ability, and what it then costs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import lawmage
from lawmage.model.abilities import (
    Activated,
    AdditionalCost,
    AlternativeCost,
    CostChange,
    Count,
    Discard,
    Do,
    ExileCost,
    Keyword,
    LeastCost,
    Loyalty,
    ManaLimit,
    ManaPart,
    Mode,
    Paid,
    PayLife,
    Permission,
    Prohibit,
    RemoveCounters,
    Sacrifice,
    SpellAbility,
    Stat,
    Static,
    TapOthers,
    Target,
    Targets,
    Turn,
    X,
)
from lawmage.model.abilities import Filter as F
from lawmage.model.casting import proposals_activate, proposals_cast
from lawmage.model.characteristics import view_of
from lawmage.model.game import Game, Unknown
from lawmage.model.proposals import Proposals

from .boards import Written, card, face, faces, game, static

SPELL = F(zone="stack")
ME = F(zone="stack", me=True)
CREATURE = F(types=("Creature",))


def own(*effects: Any, **more: Any) -> Static:
    """An ability of a spell about itself."""
    return Static(effects, zone="stack", **more)


def cast(g: Game, oid: str, **how: Any) -> Proposals:
    return proposals_cast(view_of(g), "alice", oid, **how)


def costs(g: Game, oid: str, x: int | None = None, **how: Any) -> set[str]:
    """The total mana costs of everything that may be proposed."""
    return {str(p.mana) for p in cast(g, oid, **how).with_x(x)}


def refused(found: Proposals, x: int | None = None) -> list[str]:
    assert found.with_x(x) == ()
    return [r.rule for r in found.refusals]


def hand(*cards: Written, board: tuple[Written, ...] = (), bob: tuple[Written, ...] = (), **more: Any) -> Game:
    return game({"alice": board, "bob": bob}, hand={"alice": cards}, **more)


def at(g: Game, **turn: Any) -> Game:
    return msgspec.structs.replace(g, turn=msgspec.structs.replace(g.turn, **turn))


BOLT = card("Bolt", "Instant", SpellAbility(targets=(Target(any_target=True),)), cost="{R}")
BLAZE = card("Blaze", "Sorcery", SpellAbility(targets=(Target(any_target=True),)), cost="{X}{R}")
THALIA = card("Thalia", "Creature", static(CostChange("more", "{1}", spells=F(zone="stack", not_types=("Creature",)))))
SPHERE = card("Sphere", "Artifact", static(LeastCost(3, while_untapped=True)))
FREE = card("Free", "Enchantment", static(AlternativeCost((), SPELL, name="", zones=("hand",))))


# --- mana cost, X, no mana cost -------------------------------------------------------------------------------------


def test_the_mana_cost_with_changes() -> None:
    assert costs(hand(BOLT), "Bolt") == {"{R}"}
    assert costs(hand(BOLT, board=(THALIA,)), "Bolt") == {"{1}{R}"}
    assert costs(hand(BOLT, board=(THALIA, SPHERE)), "Bolt") == {"{2}{R}"}
    assert costs(hand(BOLT, board=(THALIA, {"card": SPHERE, "tapped": True})), "Bolt") == {"{1}{R}"}


def test_x() -> None:
    found = cast(hand(BLAZE), "Blaze")
    assert found.has_x and found.x_most is None
    assert [str(p.mana) for p in found.with_x(4)] == ["{4}{R}"]
    assert [p.x_mana for p in found.with_x(4)] == [4]
    assert refused(cast(hand(BOLT), "Bolt"), 2) == ["107.3b"]


def test_x_is_zero_without_paying_the_mana_cost() -> None:
    found = cast(hand(BLAZE, board=(FREE,)), "Blaze")
    assert {(str(p.mana), p.x) for p in found.with_x(0)} == {("{R}", 0), ("{0}", 0)}
    assert [str(p.mana) for p in found.with_x(2)] == ["{2}{R}"]


def test_x_of_a_cost_that_is_not_mana() -> None:
    deluge = card("Deluge", "Sorcery", own(AdditionalCost((PayLife(X()),), ME)), cost="{2}{B}")
    found = cast(hand(deluge), "Deluge")
    assert (found.has_x, found.x_most) == (True, 20)
    assert [(str(p.mana), p.parts) for p in found.with_x(7)] == [("{2}{B}", (PayLife(7),))]


def test_no_mana_cost() -> None:
    vision = card("Vision", "Sorcery")
    assert refused(cast(hand(vision), "Vision")) == ["118.6"]
    assert refused(cast(hand(vision, board=(THALIA,)), "Vision")) == ["118.6"]
    assert costs(hand(vision, board=(FREE, THALIA)), "Vision") == {"{1}"}


# --- alternative costs ----------------------------------------------------------------------------------------------

PITCH = card(
    "Pitch",
    "Instant",
    own(AlternativeCost((PayLife(1), ExileCost(F(zone="hand", colors="U", owner="you"))), ME)),
    cost="{3}{U}{U}",
)


def test_at_most_one_alternative_cost() -> None:
    g = hand(PITCH, board=(FREE,))
    assert costs(g, "Pitch") == {"{3}{U}{U}", "{0}"}
    assert {p.offered_by for p in cast(g, "Pitch").with_x(None)} == {"", "Free", "Pitch"}
    named = cast(g, "Pitch", using=[{"alternative": "Pitch"}]).with_x(None)
    assert [p.parts[0] for p in named] == [PayLife(1)]
    assert refused(cast(g, "Pitch", using=[{"alternative": "Free"}, {"alternative": "Pitch"}])) == ["118.9a"]


def test_flashback_and_its_zone() -> None:
    again = card(
        "Again",
        "Sorcery",
        own(AlternativeCost((ManaPart("{4}{R}"),), ME, name="flashback", zones=("graveyard",))),
        cost="{R}",
    )
    assert costs(hand(again), "Again") == {"{R}"}
    grave = game({"alice": []}, graveyard={"alice": [again]})
    assert costs(grave, "Again", zone="graveyard") == {"{4}{R}"}
    assert costs(grave, "Again", zone="graveyard", using=["flashback"]) == {"{4}{R}"}
    assert refused(cast(hand(again), "Again", using=["flashback"])) == ["601.2b"]
    assert refused(cast(grave, "Again", zone="hand")) == ["601.3"]


def test_free_spells_from_hand_only() -> None:
    agenda = card("Agenda", "Enchantment", static(Permission(spells=SPELL, zones=("graveyard",))))
    g = game({"alice": [FREE, agenda]}, graveyard={"alice": ["Grizzly Bears"]})
    assert costs(g, "Grizzly Bears", zone="graveyard") == {"{1}{G}"}
    assert refused(
        cast(game({"alice": [FREE]}, graveyard={"alice": ["Grizzly Bears"]}), "Grizzly Bears", zone="graveyard")
    )


def test_emerge_is_reduced_by_the_victim() -> None:
    fiend = card(
        "Fiend",
        "Creature",
        own(
            AlternativeCost(
                (ManaPart("{5}{U}{U}"), Sacrifice(CREATURE)), ME, name="emerge", reduce_by="victim_mana_value"
            )
        ),
        cost="{8}",
    )
    g = hand(fiend, board=("Llanowar Elves", "Grizzly Bears", "Grizzly Bears"))
    found = cast(g, "Fiend", using=["emerge"]).with_x(None)
    victims = {str(p.mana): next(s.what.ids for s in p.parts if isinstance(s, Sacrifice)) for p in found}
    assert victims == {"{4}{U}{U}": ("Llanowar Elves",), "{3}{U}{U}": ("Grizzly Bears", "Grizzly Bears#2")}
    assert costs(hand(fiend, board=(SPHERE,)), "Fiend") == {"{8}"}


def test_harmonize_may_tap_a_creature() -> None:
    ride = card(
        "Ride",
        "Sorcery",
        own(
            AlternativeCost((ManaPart("{4}{R}"),), ME, name="harmonize", zones=("graveyard",), reduce_by="tapped_power")
        ),
        cost="{R}",
    )
    g = game({"alice": ["Llanowar Elves", "Serra Angel"]}, graveyard={"alice": [ride]})
    assert costs(g, "Ride", zone="graveyard") == {"{4}{R}", "{3}{R}", "{R}"}


def test_cast_face_down() -> None:
    walker = card(
        "Walker", "Creature", own(AlternativeCost((ManaPart("{3}"),), ME, name="morph", face_down=True)), cost="{4}{G}"
    )
    even = card("Even", "Creature", static(Prohibit("cast", F(zone="any", parity="even"), who="opponents")))
    cheap = card("Cheap", "Artifact", static(CostChange("less", "{1}", spells=F(zone="stack", types=("Creature",)))))
    assert costs(hand(walker, board=(cheap,)), "Walker") == {"{3}{G}", "{2}"}
    assert costs(hand(walker, bob=(even,)), "Walker") == {"{4}{G}"}  # face down its mana value is 0
    land = card("Cavern", "Land", own(AlternativeCost((ManaPart("{3}"),), ME, name="morph", face_down=True)))
    assert costs(hand(land), "Cavern", using=["morph"]) == {"{3}"}


# --- additional costs -----------------------------------------------------------------------------------------------


def test_kicker_is_asked_for() -> None:
    kicked = card(
        "Kicked", "Creature", own(AdditionalCost((ManaPart("{B}"),), ME, optional=True, name="kicker")), cost="{B}{B}"
    )
    assert costs(hand(kicked), "Kicked") == {"{B}{B}"}
    assert costs(hand(kicked), "Kicked", using=["kicker"]) == {"{B}{B}{B}"}
    assert refused(cast(hand(BOLT), "Bolt", using=["kicker"])) == ["601.2b"]
    many = card(
        "Many",
        "Creature",
        own(AdditionalCost((ManaPart("{1}"),), ME, optional=True, many=True, name="multikicker")),
        cost="{G}",
    )
    assert costs(hand(many), "Many", using=["multikicker"] * 3) == {"{3}{G}"}


def test_additional_costs_are_due_for_free_spells() -> None:
    blast = card("Blast", "Instant", own(AdditionalCost((Sacrifice(F(types=("Artifact",))),), ME)), cost="{1}{R}")
    (free,) = (p for p in cast(hand(blast, board=(FREE,)), "Blast").with_x(None) if p.offered_by)
    assert free.parts == (Sacrifice(F(types=("Artifact",))),)


def test_an_optional_cost_that_makes_the_spell_cheaper_is_considered() -> None:
    bargain = card(
        "Bargain",
        "Sorcery",
        own(AdditionalCost((Sacrifice(F(types=("Artifact",))),), ME, optional=True, name="bargain")),
        own(CostChange("less", "{3}", spells=ME), condition=Paid("bargain")),
        cost="{4}{B}",
    )
    assert costs(hand(bargain), "Bargain") == {"{4}{B}", "{1}{B}"}
    defiler = card(
        "Defiler",
        "Creature",
        static(AdditionalCost((PayLife(2),), F(zone="stack", colors="G"), who="you", optional=True, reduces="{G}")),
    )
    found = cast(hand("Llanowar Elves", board=(defiler,)), "Llanowar Elves").with_x(None)
    assert {(str(p.mana), p.parts) for p in found} == {("{G}", ()), ("{0}", (PayLife(2),))}


def test_retrace_and_the_card_itself_pays_nothing() -> None:
    crime = card(
        "Crime",
        "Sorcery",
        own(
            Permission(
                spells=ME, zones=("graveyard",), also_pay=(Discard(F(zone="hand", types=("Land",))),), name="retrace"
            )
        ),
        cost="{B}",
    )
    g = game({"alice": []}, graveyard={"alice": [crime]}, hand={"alice": ["Swamp"]})
    (found,) = cast(g, "Crime", zone="graveyard").with_x(None)
    assert (str(found.mana), found.label) == ("{B}", ("retrace",))
    assert found.parts == (Discard(F(zone="hand", types=("Land",), owner="you")),)
    # The spell is on the stack while its costs are paid.
    assert cast(hand(PITCH), "Pitch").view.game.objects["Pitch"].zone == "stack"


def test_commander_tax() -> None:
    king = {"card": "Serra Angel", "commander": True, "casts": 2}
    assert costs(game({"alice": []}, command={"alice": [king]}), "Serra Angel", zone="command") == {"{7}{W}{W}"}
    stray = game({"alice": []}, command={"alice": ["Serra Angel"]})
    assert refused(cast(stray, "Serra Angel", zone="command")) == ["601.3"]


# --- ways to pay, limits on mana ------------------------------------------------------------------------------------


def test_substitutes_and_limits() -> None:
    hogaak = card(
        "Hogaak",
        "Creature",
        own(ManaLimit(no_mana=True)),
        Keyword("convoke"),
        Keyword("delve"),
        own(Permission(spells=ME, zones=("graveyard",))),
        cost="{5}{B/G}{B/G}",
    )
    (found,) = cast(game({"alice": []}, graveyard={"alice": [hogaak]}), "Hogaak", zone="graveyard").with_x(None)
    assert [s.kind for s in found.substitutes] == ["convoke", "delve"]
    assert [limit.limit.no_mana for limit in found.limits] == [True]


def test_waterbend_pays_its_own_part() -> None:
    revival = card(
        "Revival",
        "Sorcery",
        own(AdditionalCost((ManaPart("{6}", waterbend=True),), ME, optional=True)),
        cost="{1}{U}{U}",
    )
    (found,) = cast(hand(revival), "Revival", using=["waterbend"]).with_x(None)
    assert (str(found.mana), [s.most for s in found.substitutes]) == ("{7}{U}{U}", [6])
    assert costs(hand(revival), "Revival") == {"{1}{U}{U}"}


# --- timing and prohibitions ----------------------------------------------------------------------------------------


def test_flash_and_sorcery_timing() -> None:
    theirs = {"active": "bob"}
    anticipation = card("Anticipation", "Enchantment", static(Permission(spells=SPELL, flash=True)))
    teferi = card("Teferi", "Planeswalker", static(Prohibit("cast", SPELL, who="opponents", timing="sorcery")))
    assert costs(at(hand(BOLT), **theirs), "Bolt") == {"{R}"}
    assert refused(cast(at(hand("Grizzly Bears"), **theirs), "Grizzly Bears")) == ["307.1"]
    assert costs(at(hand("Grizzly Bears", board=(anticipation,)), **theirs), "Grizzly Bears") == {"{1}{G}"}
    assert refused(cast(at(hand(BOLT, bob=(teferi,)), **theirs), "Bolt")) == ["101.2"]
    assert costs(hand(BOLT, bob=(teferi,)), "Bolt") == {"{R}"}


def test_only_at_a_time_that_the_spell_names() -> None:
    panic = card("Panic", "Instant", SpellAbility(timing=Turn(steps=("combat_begin", "attackers"))), cost="{R}")
    assert refused(cast(hand(panic), "Panic")) == ["601.3"]
    assert costs(at(hand(panic), step="attackers"), "Panic") == {"{R}"}


def test_quality_based_prohibitions_see_x() -> None:
    winnower = card("Winnower", "Creature", static(Prohibit("cast", F(zone="any", parity="even"), who="opponents")))
    found = cast(hand(BLAZE, bob=(winnower,)), "Blaze")
    assert [bool(found.with_x(n)) for n in range(4)] == [True, False, True, False]


def test_one_spell_each_turn_and_by_zone() -> None:
    rule = card("Rule", "Enchantment", static(Prohibit("cast", SPELL, limit=1)))
    magistrate = card(
        "Magistrate", "Creature", static(Prohibit("cast", F(zone="any", not_from_zone="hand"), who="opponents"))
    )
    before = {"alice": {"cast_this_turn": (BOLT,)}}
    assert costs(hand(BOLT, board=(rule,)), "Bolt") == {"{R}"}
    assert refused(cast(hand(BOLT, board=(rule,), players=before), "Bolt")) == ["101.2"]
    king = {"card": "Serra Angel", "commander": True}
    g = game({"alice": [], "bob": [magistrate]}, command={"alice": [king]}, hand={"alice": [BOLT]})
    assert refused(cast(g, "Serra Angel", zone="command")) == ["101.2"]
    assert costs(g, "Bolt") == {"{R}"}


def test_legendary_sorceries() -> None:
    ruin = card("Ruin", "Legendary Sorcery", cost="{4}{W}")
    legend = card("Legend", "Legendary Creature")
    assert refused(cast(hand(ruin, bob=(legend,)), "Ruin")) == ["205.4e"]
    assert costs(hand(ruin, board=(legend,)), "Ruin") == {"{4}{W}"}


# --- targets --------------------------------------------------------------------------------------------------------


def test_a_target_must_be_legal() -> None:
    blade = card(
        "Blade", "Instant", SpellAbility(targets=(Target(F(types=("Creature",), not_colors="B")),)), cost="{1}{B}"
    )
    assert refused(cast(hand(blade), "Blade")) == ["601.2c"]
    assert costs(hand(blade, bob=("Grizzly Bears",)), "Blade") == {"{1}{B}"}
    for shield in ("hexproof", "shroud", "protection from black"):
        guarded = card("Guarded", "Creature", Keyword(shield), cost="{W}")
        assert refused(cast(hand(blade, bob=(guarded,)), "Blade")) == ["601.2c"]
    mine = card("Mine", "Creature", Keyword("hexproof"), cost="{W}")
    assert costs(hand(blade, board=(mine,)), "Blade") == {"{1}{B}"}
    assert refused(cast(hand(blade, bob=("Grizzly Bears", "Forest")), "Blade", targets=("Forest",))) == ["601.2c"]


def test_a_spell_does_not_target_itself() -> None:
    counter = card("Counter", "Instant", SpellAbility(targets=(Target(SPELL),)), cost="{U}{U}")
    assert refused(cast(hand(counter), "Counter")) == ["601.2c"]


def test_costs_that_look_at_targets() -> None:
    fame = card(
        "Fame",
        "Instant",
        SpellAbility(targets=(Target(CREATURE),)),
        own(CostChange("less", "{2}", spells=F(zone="stack", me=True, targets=F(supertypes=("Legendary",))))),
        cost="{3}{B}",
    )
    legend = card("Legend", "Legendary Creature")
    assert costs(hand(fame, bob=("Grizzly Bears", "Grizzly Bears")), "Fame") == {"{3}{B}"}
    assert costs(hand(fame, bob=("Grizzly Bears", legend)), "Fame") == {"{1}{B}"}
    assert costs(hand(fame, bob=("Grizzly Bears", legend)), "Fame", targets=("Grizzly Bears",)) == {"{3}{B}"}
    boreal = card(
        "Boreal",
        "Creature",
        static(CostChange("more", "{2}", spells=F(zone="stack", targets=F(me=True)), who="opponents")),
    )
    assert costs(hand(BOLT, bob=(boreal,)), "Bolt", targets=("Boreal",)) == {"{2}{R}"}
    assert costs(hand(BOLT, bob=(boreal,)), "Bolt") == {"{R}"}


def test_a_reduction_for_each_target() -> None:
    swine = card("Swine", "Sorcery", SpellAbility(targets=(Target(CREATURE, least=X(), most=X()),)), cost="{X}{U}{U}")
    mage = card("Mage", "Creature", static(CostChange("less", "{1}", times=Targets(CREATURE), spells=SPELL, who="you")))
    found = cast(hand(swine, board=(mage, "Grizzly Bears", "Grizzly Bears")), "Swine")
    assert found.x_most == 3
    assert [str(p.mana) for p in found.with_x(3)] == ["{U}{U}"]
    assert refused(found, 4) == ["601.2c"]


def test_modes() -> None:
    modal = SpellAbility(
        modes=(
            Mode(targets=(Target(CREATURE),)),
            Mode(cost=(ManaPart("{1}"),)),
            Mode(targets=(Target(F(types=("Land",))),)),
        )
    )
    charm = card(
        "Charm",
        "Instant",
        modal,
        own(AdditionalCost((ManaPart("{2}"),), ME, optional=True, name="entwine")),
        cost="{G}",
    )
    assert costs(hand(charm), "Charm") == {"{1}{G}"}
    assert costs(hand(charm, board=("Forest",)), "Charm") == {"{G}"}
    assert refused(cast(hand(charm, board=("Forest",)), "Charm", using=["entwine"])) == ["601.2c"]
    assert costs(hand(charm, board=("Forest", "Llanowar Elves")), "Charm", using=["entwine"]) == {"{3}{G}"}


def test_auras_and_bestow() -> None:
    ward = card("Ward", "Enchantment — Aura", Keyword("enchant", what=CREATURE), cost="{W}")
    curse = card("Curse", "Enchantment — Aura", Keyword("enchant", what=F(zone="any")), cost="{B}")
    assert refused(cast(hand(ward), "Ward")) == ["601.2c"]
    assert costs(hand(ward, board=("Ornithopter",)), "Ward") == {"{W}"}
    assert costs(hand(curse), "Curse") == {"{B}"}
    with pytest.raises(Unknown):
        costs(hand(card("Odd", "Enchantment — Aura", cost="{W}")), "Odd")
    satyr = card(
        "Satyr", "Enchantment Creature", own(AlternativeCost((ManaPart("{3}{G}"),), ME, name="bestow")), cost="{G}"
    )
    assert costs(hand(satyr), "Satyr") == {"{G}"}
    assert costs(hand(satyr, board=("Ornithopter",)), "Satyr") == {"{G}", "{3}{G}"}


# --- faces and zones ------------------------------------------------------------------------------------------------


def test_halves_and_fuse() -> None:
    wear = face("Wear", "Instant", Keyword("fuse"), cost="{1}{R}")
    tear = face("Tear", "Instant", Keyword("fuse"), cost="{W}")
    split = faces("Wear // Tear", "split", wear, tear)
    even = card("Even", "Creature", static(Prohibit("cast", F(zone="any", parity="even"), who="opponents")))
    assert costs(hand(split), "Wear // Tear") == {"{1}{R}", "{W}", "{1}{W}{R}"}
    assert costs(hand(split, bob=(even,)), "Wear // Tear") == {"{W}", "{1}{W}{R}"}
    assert costs(hand(split), "Wear // Tear", using=["fuse"]) == {"{1}{W}{R}"}
    assert costs(hand(split), "Wear // Tear", face=1) == {"{W}"}
    assert costs(hand(split), "Wear") == {"{1}{R}"}


def test_lands_are_not_cast() -> None:
    mammoth = face("Mammoth", "Creature", cost="{1}{G}{G}")
    valley = face("Valley", "Land")
    assert costs(hand(faces("Mammoth // Valley", "modal_dfc", mammoth, valley)), "Mammoth // Valley") == {"{1}{G}{G}"}
    assert refused(cast(hand("Forest"), "Forest")) == ["305.9"]


def test_adventures() -> None:
    giant = faces(
        "Giant // Stomp", "adventure", face("Giant", "Creature", cost="{2}{R}"), face("Stomp", "Instant", cost="{1}{R}")
    )
    away = {"card": giant, "noted": ("on an adventure",)}
    assert costs(hand(giant), "Giant // Stomp") == {"{2}{R}", "{1}{R}"}
    assert costs(at(hand(giant), active="bob"), "Giant // Stomp") == {"{1}{R}"}
    assert costs(game({"alice": []}, exile={"alice": [away]}), "Giant // Stomp", zone="exile") == {"{2}{R}"}
    assert refused(cast(game({"alice": []}, exile={"alice": [giant]}), "Giant // Stomp", zone="exile"))


def test_a_back_face_by_disturb() -> None:
    back = face("Ghost", "Creature — Spirit", colors="U")
    disturb = own(AlternativeCost((ManaPart("{1}{U}"),), ME, name="disturb", zones=("graveyard",), back_face=True))
    dweller = faces("Dweller // Ghost", "transform", face("Dweller", "Creature", disturb, cost="{U}"), back)
    assert costs(hand(dweller), "Dweller // Ghost") == {"{U}"}
    g = game({"alice": []}, graveyard={"alice": [dweller]})
    found = cast(g, "Dweller // Ghost", zone="graveyard")
    assert [(str(p.mana), p.face) for p in found.with_x(None)] == [("{1}{U}", 1)]


def test_the_top_of_the_library_for_life() -> None:
    citadel = card(
        "Citadel",
        "Artifact",
        static(AlternativeCost((PayLife(Stat("mana_value", "spell")),), SPELL, zones=("library",))),
    )
    g = game({"alice": [citadel]})
    cards = [o.but(zone="library") for o in game({"alice": ["Serra Angel", "Grizzly Bears"]}).objects.values()]
    g = g.put(*cards)
    (found,) = cast(g, "Serra Angel", zone="library").with_x(None)
    assert (str(found.mana), found.parts) == ("{0}", (PayLife(5),))
    assert refused(cast(g, "Grizzly Bears", zone="library"))


# --- abilities ------------------------------------------------------------------------------------------------------


def activate(g: Game, oid: str, number: int = 1, **how: Any) -> Proposals:
    return proposals_activate(view_of(g), "alice", oid, number, **how)


def test_activating() -> None:
    crew = Activated((TapOthers(CREATURE, total_power=2),), (Do("crew"),), keyword="crew")
    chariot = card("Chariot", "Artifact — Vehicle", crew)
    (found,) = activate(game({"alice": [chariot]}), "Chariot").with_x(None)
    assert found.parts == (TapOthers(CREATURE, total_power=2),)
    assert found.purpose.keyword == "crew"
    assert refused(activate(game({"alice": [chariot]}), "Chariot", 2)) == ["602.1"]


def test_targets_of_abilities() -> None:
    equip = Activated(
        (ManaPart("{2}"),), (Do("attach"),), (Target(F(types=("Creature",), controller="you")),), timing="sorcery"
    )
    axe = card("Axe", "Artifact — Equipment", equip)
    assert refused(activate(game({"alice": [axe], "bob": ["Ornithopter"]}), "Axe")) == ["602.2b"]
    assert len(activate(game({"alice": [axe, "Ornithopter"]}), "Axe").with_x(None)) == 1


def test_x_of_abilities() -> None:
    candelabra = Activated((ManaPart("{X}"),), (Do("untap"),), (Target(F(types=("Land",)), least=X(), most=X()),))
    g = game({"alice": [card("Candelabra", "Artifact", candelabra), "Forest", "Forest"]})
    found = activate(g, "Candelabra")
    assert (found.has_x, found.x_most) == (True, 2)
    assert [(str(p.mana), len(p.targets)) for p in found.with_x(2)] == [("{2}", 2)]
    ugin = card("Ugin", "Planeswalker", Activated((Loyalty(x=True),), (Do("exile"),)), loyalty="7")
    found = activate(game({"alice": [{"card": ugin, "counters": {"loyalty": 3}}]}), "Ugin")
    assert (found.x_most, found.with_x(3)[0].parts) == (3, (Loyalty(-3),))


def test_costs_that_cannot_be_paid_refuse() -> None:
    angel = card("Angel", "Creature", static(Prohibit("pay_life", as_cost=True)))
    griselbrand = card("Demon", "Creature", Activated((PayLife(7),), (Do("draw"),)))
    assert refused(activate(game({"alice": [griselbrand], "bob": [angel]}), "Demon")) == ["118.3"]


def test_counters_bound_x() -> None:
    battery = card("Battery", "Artifact", Activated((RemoveCounters("charge", X()),), (Do("draw"),)))
    found = activate(game({"alice": [{"card": battery, "counters": {"charge": 4}}]}), "Battery")
    assert found.x_most == 4


def test_affinity_counts_before_costs_are_paid() -> None:
    artifacts = F(types=("Artifact",), controller="you")
    enforcer = card("Enforcer", "Artifact Creature", own(CostChange("less", "{1}", Count(artifacts), ME)), cost="{7}")
    assert costs(hand(enforcer, board=("Sol Ring", "Treasure", "Ornithopter")), "Enforcer") == {"{4}"}


def test_what_triggers_on_a_sacrifice_ends_sorcery_timing() -> None:
    """Ghoultree costs less for a creature card in the graveyard, if the sacrifice comes before it is proposed."""
    board = ["Phyrexian Altar", "Grizzly Bears", "5 Forest"]
    alice = {"battlefield": board, "hand": ["Ghoultree"], "graveyard": ["Bear Cub"]}
    for other, verdict in (("Doomed Traveler", "yes"), ("Blood Artist", "no")):
        players = {"alice": alice, "bob": {"battlefield": [other]}}
        assert lawmage.ask({"players": players, "query": {"kind": "can_cast", "card": "Ghoultree"}}).verdict == verdict


def test_what_was_foretold_or_plotted_is_cast_on_a_later_turn() -> None:
    for exiled in (
        {"card": "Behold the Multiverse", "face_down": True},
        {"card": "Behold the Multiverse", "noted": "foretold"},
        {"card": "Slickshot Show-Off", "noted": "plotted"},
    ):
        for entered, verdict in ((None, "yes"), ("this_turn", "no")):
            alice = {"battlefield": ["2 Island"], "exile": [{**exiled, "entered": entered}]}
            query = {"kind": "can_cast", "card": exiled["card"], "zone": "exile"}
            assert lawmage.ask({"players": {"alice": alice, "bob": {}}, "query": query}).verdict == verdict


@pytest.mark.parametrize(
    ("hand", "asked", "mana", "verdict"),
    [
        ("Tear", "Tear", "{1}{R}", "no"),  # that pays for Wear, the other half
        ("Tear", "Tear", "{W}", "yes"),
        ("Wear", "Wear", "{W}", "no"),
        ("Wear", "Wear // Tear", "{W}", "yes"),
        ("Wear // Tear", "Tear", "{R}{R}", "no"),
        ("Brazen Borrower", "Brazen Borrower", "{U}{U}", "no"),
        ("Brazen Borrower", "Brazen Borrower // Petty Theft", "{U}{U}", "yes"),
    ],
)
def test_a_card_that_is_written_by_a_face_means_that_face(hand: str, asked: str, mana: str, verdict: str) -> None:
    """A face's name means the card as that face (format.md), in a zone as in a question."""
    opponent = {"battlefield": ["Sol Ring", "Honor of the Pure"]}
    players = {"you": {"hand": [hand], "mana_pool": mana.replace("{1}", "{C}")}, "opponent": opponent}
    answer = lawmage.ask({"situation": {"players": players}, "query": {"kind": "can_cast", "card": asked}})
    assert isinstance(answer, lawmage.Reply) and answer.verdict == verdict


@pytest.mark.parametrize(
    ("board", "verdict"),
    [
        (["Lotus Petal"], "yes"),
        (["Lotus Petal", "Rest in Peace"], "no"),
        (["Lotus Petal", "Void Maw"], "yes"),
        (["Blood Pet"], "yes"),
        (["Blood Pet", "Void Maw"], "no"),
        (["Swamp"], "no"),
        ([{"card": "Lotus Petal", "token": True}], "no"),
    ],
)
def test_a_card_that_was_sacrificed_for_mana_pays_for_delve(board: list[Any], verdict: str) -> None:
    """601.2g-h: what mana abilities put into the graveyard is there as costs are paid, unless it goes elsewhere."""
    players = {"alice": {"battlefield": ["Swamp"] * 5 + board, "hand": ["Gurmag Angler"]}, "bob": {}}
    answer = lawmage.ask({"players": players, "query": {"kind": "can_cast", "card": "Gurmag Angler"}})
    assert isinstance(answer, lawmage.Reply) and answer.verdict == verdict


@pytest.mark.parametrize(("land", "verdict"), [("Lotus Petal", "yes"), ("Forest", "no")])
def test_a_card_that_was_sacrificed_for_mana_pays_for_escape(land: str, verdict: str) -> None:
    alice = {"battlefield": ["Forest", "Forest", "Island", land]}
    alice["graveyard"] = ["Uro, Titan of Nature's Wrath", *["Plains"] * 4]
    query = {"kind": "can_cast", "card": "Uro, Titan of Nature's Wrath", "zone": "graveyard"}
    answer = lawmage.ask({"players": {"alice": alice, "bob": {}}, "query": query})
    assert isinstance(answer, lawmage.Reply) and answer.verdict == verdict


def test_what_a_card_says_of_its_zone_is_for_its_owner() -> None:
    again = AlternativeCost((ManaPart("{1}"),), ME, name="flashback", zones=("graveyard",))
    later = AlternativeCost((ManaPart("{1}"),), F(zone="stack", me=True), name="foretell", zones=("exile",))
    echo = card("Echo Spell", "Sorcery", own(again), own(later), cost="{R}")
    helper = card("Helper", "Enchantment", static(AlternativeCost((), SPELL, zones=("hand", "graveyard"))))
    mine, theirs = {"alice": [echo]}, {"bob": [echo]}
    assert cast(game({"alice": []}, graveyard=mine), "Echo Spell", zone="graveyard").with_x(None)
    assert refused(cast(game({"alice": [helper]}, graveyard=theirs), "Echo Spell", zone="graveyard"))
    assert cast(game({"alice": []}, exile=mine), "Echo Spell", zone="exile").with_x(None)
    assert refused(cast(game({"alice": [helper]}, exile=theirs), "Echo Spell", zone="exile"))


@pytest.mark.parametrize(("lands", "verdict"), [("5 Swamp", "unknown"), ("4 Swamp", "no"), ("6 Swamp", "yes")])
def test_what_a_mana_ability_mills_may_be_delved(lands: str, verdict: str) -> None:
    """601.2g-h: it is in the graveyard as costs are paid; which card it is, nobody knows. Millikin makes one mana."""
    you = {"battlefield": [lands, "Millikin"], "hand": ["Gurmag Angler"], "library": 40}
    situation = {"players": {"you": you, "opponent": {}}}
    answer = lawmage.ask({"situation": situation, "query": {"kind": "can_cast", "card": "Gurmag Angler"}})
    assert isinstance(answer, lawmage.Reply) and answer.verdict == verdict
