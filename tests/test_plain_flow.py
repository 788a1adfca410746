"""Matchings of plain sources: each is a line that the referee accepts, and only where the solver says yes."""

from __future__ import annotations

import random

import pytest

from lawmage.model.mana import parse_cost
from lawmage.model.replay import Bill
from lawmage.model.spending import Purpose
from lawmage.solver.final_cost import payables
from lawmage.solver.payment import decide
from lawmage.solver.plain_flow import plain_payment
from tests.test_certificates import SYMBOLS, net_of

CARDS = ("Forest", "Island", "Tundra", "Taiga", "Birds of Paradise", "Bayou", "Savannah", "Mystic Gate", "Sol Ring")
CARDS += ("Ancient Ziggurat", "Reflecting Pool", "Snow-Covered Island", "Damping Sphere")


def has_matching(permanents: tuple[str, ...], cost: str) -> bool:
    net = net_of(*permanents)
    return any(plain_payment(net, f) is not None for f in payables(net, net.view, Bill(parse_cost(cost), Purpose())))


def test_a_source_moves_to_another_symbol() -> None:
    assert has_matching(("Tundra", "Bayou", "Savannah"), "{W}{U}{B}")
    assert has_matching(("2 Taiga", "Savannah", "Bayou"), "{R}{R}{W}{B}")
    assert not has_matching(("2 Taiga", "Savannah"), "{R}{W}{W}")


@pytest.mark.parametrize("seed", range(80))
def test_the_quick_verdict_is_the_whole_one(seed: int) -> None:
    rng = random.Random(seed)
    net = net_of(*rng.choices(CARDS, k=rng.randint(1, 8)), pool=rng.choice(["", "{G}", "{U}{U}"]))
    cost = "".join(rng.choices((*SYMBOLS, "{S}"), k=rng.randint(1, 6)))
    bill = Bill(parse_cost(cost), Purpose())
    assert decide(net, [bill], best=False).verdict == decide(net, [bill], best=True).verdict
