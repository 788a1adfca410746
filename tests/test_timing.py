"""What may be begun at all, and what can't be paid with."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lawmage.model.abilities import (
    Activated,
    Compare,
    Count,
    Do,
    GameRule,
    HasteLike,
    Keyword,
    Loyalty,
    LoyaltyRule,
    PayLife,
    Permission,
    Prohibit,
    PutCounters,
    Sacrifice,
    TapSelf,
    UntapSelf,
)
from lawmage.model.abilities import Filter as F
from lawmage.model.characteristics import view_of
from lawmage.model.game import Game, Unknown
from lawmage.model.timing import (
    activation_refusals,
    cost_part_refusal,
    instant_refusal,
    land_refusals,
    payers,
    sorcery_refusal,
)

from .boards import CARDS, Written, card, game, grant, static, tap


def refusals(g: Game, oid: str, number: int = 1, player: str = "alice", **more: Any) -> list[str]:
    """Codes of what stands against activating the ability."""
    view = view_of(g)
    has = next(h for h in view.abilities(oid) if h.number == number)
    return [r.code for r in activation_refusals(view, player, oid, has, **more)]


def at(g: Game, **turn: Any) -> Game:
    return msgspec.structs.replace(g, turn=msgspec.structs.replace(g.turn, **turn))


def with_spell(g: Game, spell: Written = "Opt", player: str = "bob") -> Game:
    """The game with a spell on the stack."""
    o = next(iter(game({player: [spell]}).objects.values())).but(zone="stack", id="spell", controller=player)
    return msgspec.structs.replace(g, objects={**g.objects, "spell": o}, stack=("spell",))


ALONE = {"alice": ["Forest"]}


def test_priority_and_sorcery_timing() -> None:
    main = game(ALONE)
    assert sorcery_refusal(view_of(main), "alice") is None
    assert instant_refusal(view_of(main), "bob") is not None
    for other in (at(main, step="upkeep"), at(main, active="bob"), with_spell(main), at(main, priority="bob")):
        assert sorcery_refusal(view_of(other), "alice") is not None
    assert instant_refusal(view_of(at(main, priority=None)), "alice") is not None
    assert instant_refusal(view_of(at(main, during_cast="spell")), "alice") is not None


# --- summoning sickness ---------------------------------------------------------------------------------------------

NEW_ELF = {"card": "Llanowar Elves", "sick": True}
BOOTS = card("Fast Land", "Land", static(HasteLike(F(types=("Creature",), controller="you"))))


@pytest.mark.parametrize(
    ("board", "codes"),
    [
        ([NEW_ELF], ["sick"]),
        ([NEW_ELF, card("Fast", "Enchantment", grant(F(types=("Creature",)), keywords=("haste",)))], []),
        ([NEW_ELF, BOOTS], []),
        ([{"card": "Llanowar Elves"}], []),
    ],
)
def test_summoning_sickness(board: list[Written], codes: list[str]) -> None:
    assert refusals(game({"alice": board}), "Llanowar Elves") == codes


def test_sickness_is_for_creatures_and_for_their_own_symbols() -> None:
    land_creature = card("Arbor", "Land Creature — Forest Dryad", pt="1/1")
    assert refusals(game({"alice": [{"card": land_creature, "sick": True}]}), "Arbor") == ["sick"]
    assert refusals(game({"alice": [{"card": "Sol Ring", "sick": True}]}), "Sol Ring") == []
    untapper = card("Untapper", "Creature", Activated((UntapSelf(),), (Do("draw"),)))
    no_symbol = card("Wall", "Creature", Activated((PutCounters("-0/-1"),), (Do("draw"),)))
    assert refusals(game({"alice": [{"card": untapper, "sick": True}]}), "Untapper") == ["sick"]
    assert refusals(game({"alice": [{"card": no_symbol, "sick": True}]}), "Wall") == []


# --- limits, conditions, who and when -------------------------------------------------------------------------------


def test_limits_conditions_and_zones() -> None:
    once = card("Once", "Artifact", Activated((), (Do("draw"),), limit=1))
    assert refusals(game({"alice": [once]}), "Once") == []
    assert refusals(game({"alice": [{"card": once, "activated": (1,)}]}), "Once") == ["cannot_activate"]
    three = Compare(Count(F(types=("Artifact",), controller="you")), ">=", 2)
    needy = card("Needy", "Artifact", Activated((TapSelf(),), (Do("draw"),), conditions=(three,)))
    assert refusals(game({"alice": [needy]}), "Needy") == ["cannot_activate"]
    assert refusals(game({"alice": [needy, "Sol Ring"]}), "Needy") == []
    cycler = card("Cycler", "Creature", Activated((), (Do("draw"),), zone="hand", keyword="cycling"))
    assert refusals(game({"alice": [cycler]}), "Cycler") == ["cannot_activate"]
    assert refusals(game(ALONE, hand={"alice": [cycler]}), "Cycler") == []


def test_who_may_activate() -> None:
    g = at(game({"alice": ["Sol Ring"], "bob": []}), priority="bob")
    assert refusals(g, "Sol Ring", player="bob") == ["cannot_activate"]
    open_to_all = card("Public", "Artifact", Activated((TapSelf(),), (Do("draw"),), who="any"))
    assert refusals(at(game({"alice": [open_to_all]}), priority="bob"), "Public", player="bob") == []


def test_during_payment_only_mana_abilities() -> None:
    draw = card("Drawer", "Artifact", Activated((TapSelf(),), (Do("draw"),)))
    slow = card("Slow", "Artifact", msgspec.structs.replace(tap("{G}"), timing="instant"))
    g = game({"alice": [draw, slow, "Sol Ring"]})
    assert refusals(g, "Drawer", during_payment=True) == ["timing"]
    assert refusals(g, "Slow", during_payment=True) == ["timing"]
    assert refusals(g, "Slow") == []
    assert refusals(at(g, priority="bob"), "Sol Ring", during_payment=True) == []
    assert refusals(at(g, priority="bob"), "Sol Ring") == ["timing"]


def test_split_second_leaves_mana_abilities() -> None:
    draw = card("Drawer", "Artifact", Activated((TapSelf(),), (Do("draw"),)))
    g = with_spell(game({"alice": [draw, "Sol Ring"]}), card("Shock", "Instant", Keyword("split second"), cost="{R}"))
    assert refusals(g, "Drawer") == ["prohibited"]
    assert refusals(g, "Sol Ring") == []


# --- loyalty --------------------------------------------------------------------------------------------------------

WALKER = card("Walker", "Planeswalker", Activated((Loyalty(1),), (Do("draw"),)), loyalty="4")


def test_loyalty_abilities() -> None:
    used = {"card": WALKER, "activated": (1,)}
    oath = static(LoyaltyRule(F(types=("Planeswalker",), controller="you"), per_turn=2))
    veil = static(LoyaltyRule(F(types=("Planeswalker",), controller="you"), extra=1))
    soon = static(LoyaltyRule(F(types=("Planeswalker",), controller="you"), instant=True))
    assert refusals(game({"alice": [WALKER]}), "Walker") == []
    assert refusals(game({"alice": [used]}), "Walker") == ["cannot_activate"]
    assert refusals(game({"alice": [used, card("Oath", "Enchantment", oath)]}), "Walker") == []
    assert refusals(game({"alice": [used, card("Veil", "Artifact", veil)]}), "Walker") == []
    assert refusals(at(game({"alice": [WALKER]}), step="end"), "Walker") == ["timing"]
    fast = game({"alice": [WALKER, card("Soon", "Artifact", soon)]})
    assert refusals(at(fast, active="bob", step="upkeep"), "Walker") == []
    two_oaths = game({"alice": [{"card": WALKER, "activated": (1, 1)}, card("Oath", "Enchantment", oath, oath)]})
    assert refusals(two_oaths, "Walker") == ["cannot_activate"]  # not cumulative


# --- prohibitions ---------------------------------------------------------------------------------------------------


def test_activation_is_forbidden_with_and_without_mana_abilities() -> None:
    stony = card("Stony", "Enchantment", static(Prohibit("activate", F(types=("Artifact",)))))
    needle = card(
        "Needle", "Artifact", static(Prohibit("activate", F(zone="any", names=("Sol Ring",)), mana_abilities=False))
    )
    assert refusals(game({"alice": ["Sol Ring"], "bob": [stony]}), "Sol Ring") == ["prohibited"]
    assert refusals(game({"alice": ["Sol Ring"], "bob": [needle]}), "Sol Ring") == []
    linvala = card("Silencer", "Creature", static(Prohibit("activate", F(types=("Creature",), controller="opponents"))))
    assert refusals(game({"alice": ["Llanowar Elves", "Sol Ring"], "bob": [linvala]}), "Llanowar Elves") == [
        "prohibited"
    ]
    assert refusals(game({"alice": ["Llanowar Elves", linvala]}), "Llanowar Elves") == []


def cannot_pay(board: list[Written], part: Any, source: str = "Forest", **more: Any) -> bool:
    view = view_of(game({"alice": ["Forest", "Treasure", "Grizzly Bears", "Sol Ring", *board]}))
    return cost_part_refusal(view, "alice", part, source, **more) is not None


def test_life_that_cannot_be_paid() -> None:
    angel = card("Angel", "Creature", static(Prohibit("pay_life", as_cost=True)))
    sylex = card("Sylex", "Artifact", static(Prohibit("pay_life", as_cost=True, mana_ability_costs=False)))
    emperion = card("Emperion", "Artifact Creature", static(GameRule("life_total_cant_change")))
    for board in ([angel], [emperion], [card("Deathless", "Creature", static(Prohibit("lose_life", who="you")))]):
        assert cannot_pay(board, PayLife(1))
        assert cannot_pay(board, PayLife(1), mana_ability=True)
        assert not cannot_pay(board, PayLife(0))  # 119.4b
    assert cannot_pay([sylex], PayLife(1))
    assert not cannot_pay([sylex], PayLife(1), mana_ability=True)


def test_what_cannot_be_sacrificed_or_have_counters() -> None:
    yasharn = card("Boar", "Creature", static(Prohibit("sacrifice", F(not_types=("Land",)), as_cost=True)))
    assert cannot_pay([yasharn], Sacrifice(F(me=True)), "Treasure")
    assert not cannot_pay([yasharn], Sacrifice(F(me=True)), "Forest")
    view = view_of(game({"alice": ["Forest", "Treasure", "Grizzly Bears", yasharn], "bob": ["Forest"]}))
    assert payers(view, "alice", Sacrifice(F(types=("Land", "Creature"))), "Treasure") == ("Forest",)
    solemn = card("Solemn", "Enchantment", static(Prohibit("put_counters", F(types=("Creature",)))))
    assert cannot_pay([solemn], PutCounters("-1/-1"), "Grizzly Bears")
    assert not cannot_pay([solemn], PutCounters("charge"), "Sol Ring")


def test_what_an_opponent_cannot_cause_binds_no_cost() -> None:
    tamiyo = card("Guardian", "Creature", static(Prohibit("sacrifice", F(controller="you"), caused_by="opponents")))
    assert not cannot_pay([tamiyo], Sacrifice(F(me=True)), "Treasure")


# --- lands ----------------------------------------------------------------------------------------------------------


def land_codes(g: Game, oid: str = "Forest", player: str = "alice") -> list[str]:
    return [r.code for r in land_refusals(view_of(g), player, oid)]


def test_playing_lands() -> None:
    hand = {"alice": ["Forest"]}
    played = {"alice": {"lands_played": 1}}
    explore = card("Explorer", "Creature", static(Permission(extra_land_drops=1)))
    assert land_codes(game({"alice": []}, hand=hand)) == []
    assert land_codes(game({"alice": []}, hand=hand, players=played)) == ["prohibited"]
    assert land_codes(game({"alice": [explore]}, hand=hand, players=played)) == []
    assert land_codes(with_spell(game({"alice": []}, hand=hand))) == ["timing"]
    assert land_codes(game({"alice": []}, graveyard=hand)) == ["prohibited"]
    crucible = card(
        "Crucible", "Artifact", static(Permission(lands=F(zone="any", types=("Land",)), zones=("graveyard",)))
    )
    assert land_codes(game({"alice": [crucible]}, graveyard=hand)) == []
    assert land_codes(game({"alice": [crucible]}, graveyard={"bob": ["Forest"]})) == ["prohibited"]


def test_playing_lands_that_others_own() -> None:
    lands = F(zone="any", types=("Land",), counter="stash")
    thief = card("Thief", "Creature", static(Permission(lands=lands, zones=("exile",))))
    theirs = {"bob": [{"card": "Forest", "counters": {"stash": 1}}]}
    assert land_codes(game({"alice": [thief]}, exile=theirs)) == []
    assert land_codes(game({"alice": []}, exile=theirs)) == ["prohibited"]
    milled = F(zone="any", types=("Land",), unstated=True)
    digger = card("Digger", "Creature", static(Permission(lands=milled, zones=("graveyard",))))
    with pytest.raises(Unknown):
        land_codes(game({"alice": [digger]}, graveyard={"bob": ["Forest"]}))


def test_a_permission_for_a_spell_or_a_land_once_each_turn() -> None:
    either = Permission(
        F(zone="stack", types=("Creature",)), F(zone="any", types=("Land",)), ("graveyard",), once_each_turn=True
    )
    paragon = card("Paragon", "Creature", static(either))
    dead = {"alice": ["Forest"]}
    assert land_codes(game({"alice": [paragon]}, graveyard=dead)) == []
    cast = {"alice": {"cast_this_turn": (CARDS["Grizzly Bears"],)}}
    with pytest.raises(Unknown):
        land_codes(game({"alice": [paragon]}, graveyard=dead, players=cast))
