"""Total costs (601.2f): the arithmetic, and the effects that apply."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from lawmage.model.abilities import Activated, CostChange, Count, Do, Loyalty, LoyaltyRule, ManaPart, OneOf, PayLife
from lawmage.model.abilities import Filter as F
from lawmage.model.characteristics import view_of
from lawmage.model.game import Game
from lawmage.model.mana import Cost, parse_cost
from lawmage.model.total_cost import Change, Total, total_activation_cost, totals

from .boards import card, game, static


def less(amount: str, floor: int = 0, colored_only: bool = False) -> Change:
    return Change(False, parse_cost(amount), floor, colored_only)


def more(amount: str) -> Change:
    return Change(True, parse_cost(amount))


def shown(base: str, *changes: Change, least: int = 0) -> set[str]:
    """Each total cost as text, with the life that was announced."""
    return {f"{t.mana}" + (f" {t.life} life" if t.life else "") for t in totals(parse_cost(base), changes, least)}


@pytest.mark.parametrize(
    ("base", "changes", "expected"),
    [
        ("{2}{W}", (less("{1}"),), "{1}{W}"),
        ("{W}{W}", (less("{3}"),), "{W}{W}"),  # generic takes off generic only (118.7a)
        ("{2}{W}", (less("{W}"),), "{2}"),
        ("{2}{W}", (less("{U}"),), "{1}{W}"),  # nothing blue: generic instead (118.7b)
        ("{2}{W}", (less("{W}{W}{W}"),), "{0}"),  # the excess too (118.7c)
        ("{2}{W}", (less("{W}{W}", colored_only=True),), "{2}"),
        ("{2}{C}", (less("{C}{C}"),), "{1}"),
        ("{2}{S}", (less("{3}"),), "{S}"),  # generic reductions leave {S} alone
        ("{2}{W}", (less("{S}"),), "{1}{W}"),  # 118.7g
        ("{2}{W}", (less("{W/P}"),), "{2}"),  # 118.7f
        ("{R}", (more("{1}"), less("{1}")), "{R}"),  # increases first
        ("{1}", (less("{2}", floor=1), less("{1}")), "{0}"),  # the best order
        ("{1}", (less("{2}", floor=1),), "{1}"),
        ("{4}{R}", (less("{9}", floor=2),), "{1}{R}"),
    ],
)
def test_reductions(base: str, changes: tuple[Change, ...], expected: str) -> None:
    assert shown(base, *changes) == {expected}
    for order in permutations(changes):
        assert shown(base, *order) == {expected}


def test_a_choice_that_changes_nothing_stays_open() -> None:
    assert shown("{1}{W/U}{B/P}", more("{1}")) == {"{2}{B/P}{W/U}"}


def test_hybrid_symbols_are_announced_before_reductions() -> None:
    assert shown("{R/W}{R/W}{R/W}", less("{B}{R}", colored_only=True)) == {"{R}{R}", "{W}{R}", "{W}{W}"}
    assert shown("{2/W}", less("{1}")) == {"{1}", "{W}"}


def test_a_half_of_a_hybrid_reduction_is_chosen() -> None:
    assert shown("{1}{W}{U}", less("{W/U}")) == {"{1}{W}", "{1}{U}"}


def test_a_least_total_sees_announced_phyrexian_symbols() -> None:
    assert shown("{1}{B/P}{B/P}", least=3) == {"{1}{B}{B}", "{2}{B} 2 life", "{3} 4 life"}
    assert shown("{6}{B}", least=3) == {"{6}{B}"}
    assert shown("{R}", more("{1}"), least=3) == {"{2}{R}"}
    assert shown("{1}{S}", less("{1}"), least=3) == {"{2}{S}"}


def test_totals_that_are_beaten_are_left_out() -> None:
    assert totals(parse_cost("{2/W}"), (), 3) == (Total(parse_cost("{3}")), Total(parse_cost("{2}{W}")))


def _reduced_in_order(cost: Cost, order: tuple[Change, ...]) -> tuple[int, tuple[str, ...]]:
    """118.7 word by word, one reduction after the other: generic mana, and the other symbols."""
    generic, symbols = cost.generic, list(cost.symbols)
    for change in order:
        spill = change.amount.generic
        for symbol in change.amount.symbols:
            if generic + len(symbols) <= change.floor:
                break
            if symbol in symbols:
                symbols.remove(symbol)
            else:
                spill += not change.colored_only
        room = max(0, generic + len(symbols) - change.floor)
        generic -= min(spill, generic, room)
    return generic, tuple(symbols)


def test_no_order_of_reductions_is_better() -> None:
    rng = random.Random(601)
    for _ in range(300):
        base = Cost(rng.randrange(5), 0, tuple(sorted(rng.choices(("{R}", "{W}"), k=rng.randrange(4)))))
        changes = tuple(
            less(rng.choice(("{1}", "{2}", "{W}", "{R}{R}", "{W}{R}")), colored_only=rng.random() < 0.3)
            if rng.random() < 0.6
            else less(rng.choice(("{1}", "{2}")), floor=rng.randrange(1, 3))
            for _ in range(rng.randrange(4))
        )
        (found,) = totals(base, changes)
        every = [_reduced_in_order(base, order) for order in permutations(changes)]
        assert (found.mana.generic, len(found.mana.symbols)) == min((g, len(s)) for g, s in every), (base, changes)


# --- abilities ------------------------------------------------------------------------------------------------------


def costs_of(g: Game, oid: str, number: int = 1, player: str = "alice", x: int | None = None) -> set[str]:
    view = view_of(g)
    has = next(h for h in view.abilities(oid) if h.number == number)
    return {str(mana) for mana, _ in total_activation_cost(view, player, oid, has, x)}


BLADE = card("Blade", "Artifact — Equipment", Activated((ManaPart("{3}"),), (Do("attach"),), keyword="equip"))
SMITH = card("Smith", "Creature", static(CostChange("less", "{1}", abilities=F(not_types=("Land",)), keyword="equip")))
TAX = card("Tax", "Artifact", static(CostChange("more", "{2}", abilities=F(zone="any"), no_mana_abilities=True)))
THRIFT = card("Thrift", "Creature", static(CostChange("less", "{2}", abilities=F(), who="you", floor=1)))


def test_changes_of_activation_costs() -> None:
    assert costs_of(game({"alice": [BLADE]}), "Blade") == {"{3}"}
    assert costs_of(game({"alice": [BLADE, SMITH]}), "Blade") == {"{2}"}
    assert costs_of(game({"alice": [BLADE, SMITH, SMITH, THRIFT]}), "Blade") == {"{0}"}
    assert costs_of(game({"alice": [BLADE], "bob": [THRIFT]}), "Blade") == {"{3}"}
    assert costs_of(game({"alice": [BLADE], "bob": [TAX]}), "Blade") == {"{5}"}


def test_mana_abilities_may_be_excepted() -> None:
    assert costs_of(game({"alice": ["Gruul Signet", TAX]}), "Gruul Signet") == {"{1}"}


def test_a_reduction_that_counts_of_one_ability() -> None:
    per_elf = CostChange("less", "{1}", times=Count(F(subtypes=("Elf",), controller="you")))
    channel = Activated((ManaPart("{2}{G}"),), (Do("destroy"),), zone="hand", changes=(per_elf,))
    g = game({"alice": ["Llanowar Elves"]}, hand={"alice": [card("Channeler", "Land", channel)]})
    assert costs_of(g, "Channeler") == {"{1}{G}"}


def test_a_choice_in_a_cost_gives_several_totals() -> None:
    either = Activated((OneOf(((ManaPart("{2}"),), (PayLife(3),))),), (Do("draw"),))
    view = view_of(game({"alice": [card("Either", "Artifact", either)]}))
    found = total_activation_cost(view, "alice", "Either", view.abilities("Either")[0])
    assert [(str(mana), parts) for mana, parts in found] == [("{2}", ()), ("{0}", (PayLife(3),))]


def test_x_is_announced_before_reductions() -> None:
    pump = card("Pump", "Creature", Activated((ManaPart("{X}{B}"),), (Do("pump"),)))
    assert costs_of(game({"alice": [pump, THRIFT]}), "Pump", x=5) == {"{3}{B}"}
    assert costs_of(game({"alice": [pump, THRIFT]}), "Pump", x=1) == {"{B}"}


def test_loyalty_symbols_are_combined() -> None:
    walker = card("Walker", "Planeswalker", Activated((Loyalty(-8),), (Do("win"),)), loyalty="4")
    carth = card("Steward", "Creature", static(LoyaltyRule(F(types=("Planeswalker",), controller="you"), cost=1)))
    view = view_of(game({"alice": [walker, carth, carth]}))
    ((mana, parts),) = total_activation_cost(view, "alice", "Walker", view.abilities("Walker")[0])
    assert (str(mana), parts) == ("{0}", (Loyalty(-6),))
