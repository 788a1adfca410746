"""Single game actions: what a player may tap, sacrifice, discard, pay, transform, put onto the battlefield, play."""

from __future__ import annotations

import pytest

from lawmage.model.abilities import (
    Ability,
    Activated,
    AddMana,
    Card,
    Discard,
    Face,
    Filter,
    Fixed,
    Keyword,
    Line,
    MaxHandSize,
    PayLife,
    Permission,
    Prohibit,
    Sacrifice,
    Static,
    TapOthers,
    TapSelf,
    UntapCap,
)
from lawmage.model.game import Game, Obj, Player, TurnState
from lawmage.model.questions import Action, Legal
from lawmage.solver.queries import answer


def card(name: str, *types: str, abilities: tuple[Ability, ...] = (), **face: object) -> Card:
    line = Line(n=1, status="modelled", abilities=abilities)
    stats = {"power": "2", "toughness": "2"} if "Creature" in types else {}
    return Card(name=name, faces=(Face(**{"name": name, "types": types, "lines": (line,), **stats, **face}),))  # type: ignore[arg-type]


def thing(c: Card, id: str = "", who: str = "alice", **more: object) -> Obj:
    return Obj(**{"id": id or c.name, "card": c, "zone": "battlefield", "controller": who, "owner": who, **more})  # type: ignore[arg-type]


BEARS = card("Bears", "Creature")
FOREST = card("Forest", "Land", subtypes=("Forest",), supertypes=("Basic",))
CREATURE = Filter(types=("Creature",))
LANDS = Filter(zone="any", types=("Land",))
TURN = TurnState(active="alice", priority="alice")


def verdict(*objects: Obj, turn: TurnState = TURN, life: int = 20, lands: int = 0, **action: object) -> str:
    players = {"alice": Player(name="alice", life=life, lands_played=lands), "bob": Player(name="bob")}
    game = Game("alice", players, {o.id: o for o in objects}, turn)
    return answer(game, Legal(action=Action(**action))).verdict  # type: ignore[arg-type]


# --- tapping and untapping ------------------------------------------------------------------------------------------


def test_only_untapped_permanents_tap_and_tapped_ones_untap() -> None:
    assert verdict(thing(BEARS), tap="Bears") == "yes"
    assert verdict(thing(BEARS, tapped=True), tap="Bears") == "no"
    assert verdict(thing(BEARS), untap="Bears") == "no"
    assert verdict(thing(BEARS, tapped=True), untap="Bears") == "yes"
    assert verdict(thing(BEARS, tapped=True, counters=(("stun", 1),)), untap="Bears") == "yes"


def test_sickness_is_about_the_tap_symbol() -> None:
    dork = card("Dork", "Creature", abilities=(Activated((TapSelf(),), (AddMana(Fixed("{G}")),)),))
    drum = card("Drum", "Artifact", abilities=(Activated((TapSelf(), TapOthers(CREATURE)), (AddMana(Fixed("{G}")),)),))
    assert verdict(thing(dork, sick=True), tap="Dork", cause="cost", source="Dork") == "no"
    assert verdict(thing(dork), tap="Dork", cause="cost", source="Dork") == "yes"
    assert verdict(thing(dork, sick=True), thing(drum), tap="Dork", cause="cost", source="Drum") == "yes"
    assert verdict(thing(drum, sick=True), tap="Drum", cause="cost", source="Drum") == "yes"
    assert verdict(thing(dork, sick=True), tap="Dork", cause="effect") == "yes"
    assert verdict(thing(dork, sick=True), tap="Dork") == "unknown"
    assert verdict(thing(BEARS, sick=True), tap="Bears") == "yes"


# --- sacrificing and discarding -------------------------------------------------------------------------------------

OPPONENTS_CANT = (
    Prohibit("sacrifice", who="you", caused_by="opponents"),
    Prohibit("discard", who="you", caused_by="opponents"),
)
COLLECTOR = card("Collector", "Planeswalker", abilities=(Static(OPPONENTS_CANT),))
ALTAR = card("Altar", "Artifact", abilities=(Activated((Sacrifice(CREATURE),), (AddMana(Fixed("{C}{C}")),)),))


def test_a_player_sacrifices_only_what_they_control() -> None:
    assert verdict(thing(BEARS, who="bob"), sacrifice="Bears", cause="effect", source="alice") == "no"
    assert verdict(thing(BEARS), sacrifice="Bears", cause="effect", source="bob") == "yes"


def test_what_opponents_cannot_cause() -> None:
    board = thing(COLLECTOR), thing(BEARS), thing(ALTAR), thing(card("Mogis", "Creature"), who="bob")
    assert verdict(*board, sacrifice="Bears", cause="effect", source="bob") == "no"
    assert verdict(*board, sacrifice="Bears", cause="effect", source="Mogis") == "no"
    assert verdict(*board, sacrifice="Bears", cause="effect", source="alice") == "yes"
    assert verdict(*board, sacrifice="Bears", cause="cost", source="Altar") == "yes"
    hand = thing(FOREST, zone="hand")
    assert verdict(*board, hand, discard="Forest", cause="effect", source="bob") == "no"
    assert verdict(*board, hand, discard="Forest", cause="cost", source="alice") == "yes"


def test_without_a_source_it_is_unknown_whose_effect_it_is() -> None:
    assert verdict(thing(COLLECTOR), thing(BEARS), sacrifice="Bears", cause="effect") == "unknown"
    assert verdict(thing(BEARS), sacrifice="Bears", cause="effect") == "yes"
    assert verdict(thing(BEARS), sacrifice="Bears") == "yes"


def test_a_cost_must_ask_for_it() -> None:
    assert verdict(thing(FOREST), thing(ALTAR), sacrifice="Forest", cause="cost", source="Altar") == "no"


def test_costs_that_cannot_be_paid_with_creatures() -> None:
    angel = card("Angel", "Creature", abilities=(Static((Prohibit("sacrifice", what=CREATURE, as_cost=True),)),))
    board = thing(angel, who="bob"), thing(BEARS), thing(ALTAR), thing(FOREST)
    assert verdict(*board, sacrifice="Bears", cause="cost", source="Altar") == "no"
    assert verdict(*board, sacrifice="Bears", cause="effect", source="alice") == "yes"
    assert verdict(*board, sacrifice="Forest", cause="cost", source="alice") == "yes"


def test_costs_of_mana_abilities_may_be_excepted() -> None:
    sylex = card(
        "Sylex", "Artifact", abilities=(Static((Prohibit("pay_life", as_cost=True, mana_ability_costs=False),)),)
    )
    confluence = card("Confluence", "Land", abilities=(Activated((TapSelf(), PayLife(1)), (AddMana(Fixed("{G}")),)),))
    fetch = card("Fetch", "Land", abilities=(Activated((TapSelf(), PayLife(1)), ()),))
    board = thing(sylex, who="bob"), thing(confluence), thing(fetch)
    assert verdict(*board, pay_life=1, cause="cost", source="Confluence") == "yes"
    assert verdict(*board, pay_life=1, cause="cost", source="Fetch") == "no"
    assert verdict(*board, pay_life=1, cause="effect", source="bob") == "yes"
    assert verdict(*board, pay_life=1, cause="cost") == "unknown"


def test_cant_be_sacrificed() -> None:
    rope = card("Rope", "Artifact", abilities=(Static((Prohibit("sacrifice", what=Filter(me=True)),)),))
    for cause in ("cost", "effect"):
        assert verdict(thing(rope), sacrifice="Rope", cause=cause, source="alice") == "no"


def test_the_cleanup_discard() -> None:
    hand = [thing(FOREST, f"f{n}", zone="hand") for n in range(8)]
    cleanup = TurnState(active="alice", step="cleanup")
    tower = thing(card("Tower", "Land", abilities=(Static((MaxHandSize("none"),)),)))
    assert verdict(*hand, turn=cleanup, discard="f0", cause="cleanup") == "yes"
    assert verdict(*hand, thing(COLLECTOR), turn=cleanup, discard="f0", cause="cleanup") == "yes"
    assert verdict(*hand[1:], turn=cleanup, discard="f1", cause="cleanup") == "no"
    assert verdict(*hand, tower, turn=cleanup, discard="f0", cause="cleanup") == "no"
    assert verdict(*hand, turn=TurnState(active="bob", step="cleanup"), discard="f0", cause="cleanup") == "no"
    assert verdict(*hand, discard="f0", cause="cleanup") == "no"


def test_discarding_a_card_that_is_not_in_hand() -> None:
    assert verdict(thing(FOREST), discard="Forest", cause="effect", source="alice") == "no"


def test_a_discard_cost_must_fit() -> None:
    what = Filter(zone="hand", types=("Land",))
    mox = card("Mox", "Artifact", abilities=(Activated((Discard(what),), ()),))
    hand = thing(FOREST, zone="hand"), thing(BEARS, zone="hand")
    assert verdict(thing(mox), *hand, discard="Forest", cause="cost", source="Mox") == "yes"
    assert verdict(thing(mox), *hand, discard="Bears", cause="cost", source="Mox") == "no"


# --- life -----------------------------------------------------------------------------------------------------------


def test_life_can_be_paid_down_to_zero() -> None:
    assert verdict(life=3, pay_life=3, cause="cost") == "yes"
    assert verdict(life=3, pay_life=4, cause="cost") == "no"
    assert verdict(life=-2, pay_life=0, cause="cost") == "yes"
    assert verdict(life=-2, pay_life=1, cause="effect", source="bob") == "no"


# --- faces ----------------------------------------------------------------------------------------------------------


def double(front: str, back: str, layout: str = "transform", *abilities: Ability) -> Card:
    lines = (Line(n=1, status="modelled", abilities=abilities),)
    faces = (Face(name="Front", types=(front,), lines=lines), Face(name="Back", types=(back,)))
    return Card(name="Front // Back", faces=faces, layout=layout)


@pytest.mark.parametrize(
    ("front", "back", "layout", "expected"),
    [
        ("Creature", "Planeswalker", "transform", "yes"),
        ("Battle", "Sorcery", "transform", "no"),
        ("Creature", "Land", "modal_dfc", "yes"),
        ("Creature", "Creature", "meld", "no"),
        ("Creature", "Creature", "flip", "no"),
    ],
)
def test_transforming(front: str, back: str, layout: str, expected: str) -> None:
    assert verdict(thing(double(front, back, layout)), transform="Front // Back") == expected


def test_single_faced_and_face_down_permanents_do_not_transform() -> None:
    assert verdict(thing(BEARS, copy_of=double("Creature", "Creature")), transform="Bears") == "no"
    assert verdict(thing(double("Creature", "Creature"), face_down=True), transform="Front") == "no"
    bound = double("Creature", "Creature", "transform", Keyword("daybound"))
    assert verdict(thing(bound), transform="Front") == "no"


@pytest.mark.parametrize(
    ("front", "back", "layout", "transformed", "expected"),
    [
        ("Creature", "Creature", "transform", True, "yes"),
        ("Battle", "Sorcery", "transform", True, "no"),
        ("Battle", "Sorcery", "transform", False, "yes"),
        ("Sorcery", "Land", "modal_dfc", False, "no"),
        ("Sorcery", "Land", "modal_dfc", True, "no"),
        ("Instant", "Instant", "normal", False, "no"),
    ],
)
def test_putting_onto_the_battlefield(front: str, back: str, layout: str, transformed: bool, expected: str) -> None:
    held = thing(double(front, back, layout), zone="hand")
    assert verdict(held, put_onto_battlefield="Front // Back", transformed=transformed) == expected


def test_a_single_faced_card_cannot_enter_transformed() -> None:
    clone = thing(BEARS, "Clone", zone="exile")
    assert verdict(clone, put_onto_battlefield="Clone", transformed=True) == "no"
    assert verdict(clone, put_onto_battlefield="Clone", transformed=False) == "yes"


def test_what_cannot_enter() -> None:
    cage = card(
        "Cage", "Artifact", abilities=(Static((Prohibit("enter", Filter(zone="graveyard", types=("Creature",))),)),)
    )
    assert verdict(thing(cage), thing(BEARS, zone="graveyard"), put_onto_battlefield="Bears") == "no"
    assert verdict(thing(cage), thing(BEARS, zone="hand"), put_onto_battlefield="Bears") == "yes"


def test_an_aura_needs_something_to_enchant() -> None:
    aura = card("Aura", "Enchantment", subtypes=("Aura",), abilities=(Keyword("enchant", what=CREATURE),))
    assert verdict(thing(aura, zone="hand"), put_onto_battlefield="Aura") == "no"
    assert verdict(thing(aura, zone="hand"), thing(BEARS), put_onto_battlefield="Aura") == "yes"


# --- lands ----------------------------------------------------------------------------------------------------------


def test_playing_lands() -> None:
    held = thing(FOREST, zone="hand")
    exploration = thing(card("Exploration", "Enchantment", abilities=(Static((Permission(extra_land_drops=1),)),)))
    assert verdict(held, play_land="Forest") == "yes"
    assert verdict(held, lands=1, play_land="Forest") == "no"
    assert verdict(held, exploration, lands=1, play_land="Forest") == "yes"
    assert verdict(held, exploration, lands=2, play_land="Forest") == "no"
    assert verdict(held, turn=TurnState(active="bob", priority="alice"), play_land="Forest") == "no"
    assert verdict(held, turn=TurnState(active="alice", step="upkeep", priority="alice"), play_land="Forest") == "no"
    assert verdict(thing(FOREST, zone="graveyard"), play_land="Forest") == "no"
    assert verdict(thing(BEARS, zone="hand"), play_land="Bears") == "no"
    back = thing(double("Creature", "Land", "modal_dfc"), zone="hand")
    assert verdict(back, play_land="Back") == "yes"
    dispute = thing(card("Dispute", "Enchantment", abilities=(Static((Prohibit("play_land", LANDS),)),)))
    assert verdict(held, dispute, play_land="Forest") == "no"
    assert verdict(back, dispute, play_land="Back") == "no"


# --- the untap step -------------------------------------------------------------------------------------------------


def test_the_untap_step_as_one_choice() -> None:
    orb = thing(card("Orb", "Artifact", abilities=(Static((UntapCap(Filter(types=("Land",)), 1),)),)))
    lands = [thing(FOREST, f"f{n}", tapped=True) for n in range(2)]
    step = TurnState(active="alice", step="untap")
    assert verdict(orb, *lands, turn=step, untap_step=("f0",)) == "yes"
    assert verdict(orb, *lands, turn=step, untap_step=("f0", "f1")) == "no"
    assert verdict(orb, *lands, turn=step, untap_step=()) == "no"
    assert verdict(orb, *lands, untap_step=("f0",)) == "no"
