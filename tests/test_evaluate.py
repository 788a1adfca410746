"""Descriptions, amounts and conditions (CR 700, 107.3, 608.2h)."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from lawmage.model import abilities as ab
from lawmage.model.abilities import AllOf, AnyOf, Bound, Calc, Compare, Count, Filter, Is, Not
from lawmage.model.characteristics import view_of
from lawmage.model.effects_graph import effects_graph, loops
from lawmage.model.evaluate import (
    AMOUNTS,
    CONDITIONS,
    FIELDS,
    Context,
    Gone,
    SpellInfo,
    amount,
    holds,
    matches,
    matches_spell,
    objects_like,
    players_of,
)
from lawmage.model.game import Game, ManaKind, Unknown
from tests.boards import card, face, faces, game, tap

CREATURES = Filter(types=("Creature",))


def context(g: Game, source: str | None = None, you: str = "alice", **more: Any) -> Context:
    return Context(view_of(g), source, you, **more)


def named(f: Filter, g: Game, source: str | None = None, **more: Any) -> list[str]:
    return objects_like(f, context(g, source, **more))


BOARD = game(
    {
        "alice": [
            "Forest",
            {"card": "Bayou", "tapped": True},
            {"card": "Llanowar Elves", "counters": {"+1/+1": 1}},
            "Sol Ring",
            {"card": "Ornithopter", "entered_this_turn": True},
        ],
        "bob": ["Serra Angel", {"card": "Treasure", "token": True}, "Island"],
    },
    hand={"alice": ["Opt", "Serra Angel"]},
    graveyard={"alice": ["Ponder", "Grizzly Bears"], "bob": ["Forest"]},
)


@pytest.mark.parametrize(
    ("f", "ids"),
    [
        (CREATURES, ["Llanowar Elves", "Ornithopter", "Serra Angel"]),
        (Filter(types=("Creature",), controller="you"), ["Llanowar Elves", "Ornithopter"]),
        (Filter(types=("Creature",), controller="opponents"), ["Serra Angel"]),
        (Filter(all_types=("Artifact", "Creature")), ["Ornithopter"]),
        (Filter(types=("Artifact",), not_types=("Creature",)), ["Sol Ring", "Treasure"]),
        (Filter(subtypes=("Forest", "Island")), ["Forest", "Bayou", "Island"]),
        (Filter(types=("Land",), not_supertypes=("Basic",)), ["Bayou"]),
        (Filter(types=("Land",), tapped=True), ["Bayou"]),
        (Filter(color_count="colorless", types=("Creature",)), ["Ornithopter"]),
        (Filter(colors="GW"), ["Llanowar Elves", "Serra Angel"]),
        (Filter(counter="any"), ["Llanowar Elves"]),
        (Filter(counter="+1/+1"), ["Llanowar Elves"]),
        (Filter(modified=True), ["Llanowar Elves"]),
        (Filter(token=True), ["Treasure"]),
        (Filter(entered_this_turn=True), ["Ornithopter"]),
        (Filter(has_mana_ability=True, types=("Creature",)), ["Llanowar Elves"]),
        (Filter(bounds=(Bound("power", ">=", 2),)), ["Llanowar Elves", "Serra Angel"]),
        (Filter(bounds=(Bound("power", "<=", 2),)), ["Llanowar Elves", "Ornithopter"]),
        (Filter(any_of=(Filter(types=("Land",), tapped=True), Filter(names=("Sol Ring",)))), ["Bayou", "Sol Ring"]),
        (Filter(types=("Creature",), none_of=(Filter(colors="W"),)), ["Llanowar Elves", "Ornithopter"]),
        (Filter(zone="graveyard", controller="you"), ["Ponder", "Grizzly Bears"]),
        (Filter(zone="graveyard", owner="opponents"), ["Forest#2"]),
        (
            Filter(zone="graveyard", any_of=(Filter(types=("Sorcery",)), Filter(types=("Land",)))),
            ["Ponder", "Forest#2"],
        ),
        (Filter(zone="hand", owner="you", types=("Creature",)), ["Serra Angel#2"]),
        (
            Filter(
                zone="any",
                any_of=(
                    Filter(types=("Creature",), controller="you"),
                    Filter(zone="graveyard", types=("Creature",), owner="you"),
                ),
            ),
            ["Llanowar Elves", "Ornithopter", "Grizzly Bears"],
        ),
        (Filter(historic=True, types=("Creature",)), ["Ornithopter"]),
    ],
)
def test_descriptions(f: Filter, ids: list[str]) -> None:
    assert named(f, BOARD) == ids


def test_self_other_and_references() -> None:
    assert named(Filter(me=True), BOARD, "Sol Ring") == ["Sol Ring"]
    assert "Sol Ring" not in named(Filter(me=False), BOARD, "Sol Ring")
    aura = card("Growth", "Enchantment — Aura")
    g = game({"alice": ["Forest", {"card": aura, "attached_to": "Forest"}]})
    assert named(Filter(ref="host"), g, "Growth") == ["Forest"]
    assert named(Filter(attached=True), g) == ["Forest"]
    assert named(Filter(attached_by=("Aura",)), g) == ["Forest"]
    assert named(Filter(attached_by=("Equipment", "Fortification")), g) == []
    assert named(Filter(ref="that"), g, that="Forest") == ["Forest"]
    assert holds(Is("host", Filter(subtypes=("Forest",))), context(g, "Growth"))


def test_phased_out_permanents_do_not_exist() -> None:
    g = game({"alice": [{"card": "Serra Angel", "phased_out": True}]})
    assert named(CREATURES, g) == []
    assert not matches(CREATURES, "Serra Angel", context(g))


def test_unknown_only_when_it_matters() -> None:
    g = game({"alice": ["Forest", "Sol Ring"]})
    of_type = Filter(types=("Creature",), chosen=("type",))
    assert not matches(of_type, "Forest", context(g, "Sol Ring"))
    with pytest.raises(Unknown, match="Sol Ring"):
        matches(Filter(chosen=("color",)), "Forest", context(g, "Sol Ring"))
    unknown = Is("self", Filter(chosen=("color",)))
    true = Compare(1, "==", 1)
    assert holds(AnyOf((unknown, true)), context(g, "Sol Ring"))
    assert not holds(AllOf((unknown, Not(true))), context(g, "Sol Ring"))
    with pytest.raises(Unknown):
        holds(AllOf((true, unknown)), context(g, "Sol Ring"))


def test_a_choice_never_made_is_no_choice() -> None:
    g = game({"alice": ["Forest", {"card": "Sol Ring", "chosen": {"color": None}}]})
    ctx = context(g, "Sol Ring")
    assert not matches(Filter(chosen=("color",)), "Forest", ctx)
    assert matches(Filter(not_chosen=("color",)), "Forest", ctx)
    assert not holds(ab.Chosen("color", "G"), ctx)


def test_hidden_hands() -> None:
    g = game({"alice": ["Forest"], "bob": []})
    with pytest.raises(Unknown, match="bob"):
        named(Filter(zone="hand", owner="opponents"), g)
    anywhere = Filter(zone="any", any_of=(Filter(types=("Land",)), Filter(zone="hand", types=("Land",), owner="you")))
    assert named(anywhere, g) == ["Forest"]
    with pytest.raises(Unknown, match="library"):
        named(Filter(zone="library", owner="you"), g)
    with pytest.raises(Unknown):
        amount(ab.HandSize("opponents"), context(g))
    assert amount(ab.HandSize(), context(g)) == 0
    stated = game({"alice": ["Forest"], "bob": []}, players={"bob": {"hand_size": 3}})
    assert amount(ab.HandSize("opponent"), context(stated)) == 3
    assert amount(Count(Filter(zone="hand", owner="opponents")), context(stated)) == 3
    with pytest.raises(Unknown):
        amount(Count(Filter(zone="hand", owner="opponents", types=("Land",))), context(stated))


@pytest.mark.parametrize(
    ("a", "n"),
    [
        (7, 7),
        (Count(CREATURES), 3),
        (Count(Filter(types=("Artifact",), controller="you")), 2),
        (ab.Devotion("G"), 1),
        (ab.Counters("+1/+1", "self"), 1),
        (ab.Stat("power"), 2),
        (ab.Among("greatest", "power", CREATURES), 4),
        (ab.Among("total", "mana_value", CREATURES), 6),
        (ab.Among("different", "types", Filter(zone="graveyard")), 3),
        (ab.Among("different", "basic_land_types", Filter(types=("Land",), controller="you")), 2),
        (ab.Life(), 20),
        (ab.Life("opponents"), 40),
        (ab.HandSize(), 2),
        (ab.PlayerCount(), 1),
        (Calc("half_up", (5,)), 3),
        (Calc("half_down", (5,)), 2),
        (Calc("-", (5, Calc("max", (1, 3)))), 2),
        (Calc("*", (2, Count(CREATURES))), 6),
    ],
)
def test_amounts(a: Any, n: int) -> None:
    players = {"bob": {"life": 40}}
    g = BOARD if not isinstance(a, ab.Life) else game({"alice": [], "bob": []}, players=players)
    assert amount(a, context(g, "Llanowar Elves")) == n


def test_party_counts_each_creature_once() -> None:
    both = card("Both", "Creature — Rogue Wizard", pt="1/1")
    cleric = card("Healer", "Creature — Cleric", pt="1/1")
    assert amount(ab.Party(), context(game({"alice": [both, cleric]}))) == 2
    assert amount(ab.Party(), context(game({"alice": [both, both, cleric]}))) == 3


def test_x_history_and_pool() -> None:
    g = game(
        {"alice": ["Forest"]},
        players={"alice": {"pool": ((ManaKind("G"), 3), (ManaKind("R"), 1)), "this_turn": (("life_lost", 2),),
                           "lands_played": 1}},
    )  # fmt: skip
    assert amount(ab.X(), context(g, "Forest", x=4)) == 4
    with pytest.raises(Unknown):
        amount(ab.X(), context(g, "Forest"))
    assert amount(ab.ThisTurn("life_lost"), context(g)) == 2
    assert amount(ab.ThisTurn("lands_played"), context(g)) == 1
    assert (amount(ab.PoolTotal(), context(g)), amount(ab.PoolTotal("G"), context(g))) == (4, 3)
    opt = card("Opt", "Instant", cost="{U}")
    cast = game({"alice": []}, players={"alice": {"cast_this_turn": (opt,)}})
    assert amount(ab.ThisTurn("spells_cast"), context(cast)) == 1
    assert amount(ab.ThisTurn("spells_cast", of=Filter(types=("Creature",))), context(cast)) == 0


def test_an_object_that_is_gone_counts_as_it_last_was() -> None:
    before = view_of(BOARD)
    after = view_of(BOARD.without(["Llanowar Elves"]))
    gone = {"Llanowar Elves": Gone(BOARD.objects["Llanowar Elves"], before.of("Llanowar Elves"))}
    ctx = Context(after, "Sol Ring", "alice", that="Llanowar Elves", gone=gone)
    assert amount(ab.Stat("power", "that"), ctx) == 2
    assert amount(ab.Counters("", "that"), ctx) == 1
    assert holds(Is("that", CREATURES), ctx)


def test_turns_and_statuses() -> None:
    g = game({"alice": [], "bob": []}, active="bob", step="upkeep", players={"bob": {"this_turn": (("monarch", 1),)}})
    ctx = context(g)
    assert holds(ab.Turn("opponents", ("upkeep",)), ctx)
    assert not holds(ab.Turn("you"), ctx)
    assert holds(ab.Status("monarch", "opponent"), ctx)
    assert not holds(ab.Status("monarch"), ctx)
    with pytest.raises(Unknown, match="frobnicated"):
        holds(ab.Status("frobnicated"), ctx)


def test_spells() -> None:
    ball = card("Ball", "Sorcery", cost="{X}{R}")
    g = game({"alice": []}, hand={"alice": [ball]})
    view = view_of(g)
    spell = view.spell("Ball", x=5, paid=("kicker",), targets=("bob",))
    ctx = Context(view, None, "alice")
    assert matches_spell(Filter(zone="stack", bounds=(Bound("mana_value", "==", 6),)), spell, ctx)
    assert matches_spell(Filter(has_x=True, kicked=True, from_zone="hand"), spell, ctx)
    assert not matches_spell(Filter(types=("Creature",)), spell, ctx)
    assert isinstance(spell, SpellInfo) and holds(ab.Paid("kicker"), ctx.but(spell=spell))
    assert amount(ab.X(), ctx.but(spell=spell)) == 5


def test_a_linked_card() -> None:
    mox = card("Mox", "Artifact", tap("any"))
    elves = face("Elves", "Creature — Elf", cost="{G}", pt="1/1")
    g = game({"alice": [{"card": mox, "imprinted": (faces("Elves", "normal", elves),)}]})
    ctx = context(g, "Mox")
    assert ctx.colors_of("linked") == "G"
    assert holds(Is("linked", Filter(types=("Creature",))), ctx)


def test_players() -> None:
    ctx = context(game({"alice": [], "bob": [], "carol": []}))
    assert players_of("you", ctx) == ("alice",)
    assert players_of("opponents", ctx) == ("bob", "carol")
    assert players_of("any", ctx) == ("alice", "bob", "carol")
    assert players_of("nobody", ctx) == ()


def test_the_graph_of_effects() -> None:
    pool = card("Pool", "Land", ab.Activated((ab.TapSelf(),), (ab.AddMana(ab.CouldProduce(Filter(types=("Land",)))),)))
    moon = card(
        "Moon", "Enchantment", ab.Static((ab.LandTypes(Filter(types=("Land",), names=("Bayou",)), ("Mountain",)),))
    )
    conversion = card(
        "Conversion", "Enchantment", ab.Static((ab.LandTypes(Filter(subtypes=("Mountain",)), ("Plains",)),))
    )
    g = game({"alice": [conversion, moon, "Bayou", pool, pool]})
    graph = effects_graph(g)
    assert ["Pool", "Pool#2"] in loops(graph)
    arcs = {(u, v, k) for u, v, k in graph.edges(data="kind")}
    assert ("Conversion: LandTypes", "Moon: LandTypes", "depends on") in arcs
    assert ("Conversion: LandTypes", "Bayou", "applies to") in arcs


def test_every_structure_has_a_meaning() -> None:
    assert set(Filter.__struct_fields__) - set(FIELDS) == {"zone", "shares_with"}
    assert set(get_args(ab.Amount)) - set(AMOUNTS) == {int}
    assert set(get_args(ab.Condition)) <= set(CONDITIONS)
