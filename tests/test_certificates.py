"""Certificates say no only where the solver does, and say it where the numbers show it."""

from __future__ import annotations

import random

import pytest

from lawmage.model.cards import default_library
from lawmage.model.mana import parse_cost
from lawmage.model.replay import Bill
from lawmage.model.situation import build_game, check_document
from lawmage.model.spending import Purpose
from lawmage.solver.certificates import is_best, plainly_too_little
from lawmage.solver.final_cost import payables
from lawmage.solver.levels import Levels
from lawmage.solver.mana_net import Net, compile_net
from lawmage.solver.payment import decide, rank

CARDS = ("Forest", "Island", "Tundra", "Taiga", "Birds of Paradise", "Sol Ring", "Mystic Gate", "Gruul Signet")
CARDS += ("Cascading Cataracts", "Ancient Tomb", "Lotus Petal", "Mana Reflection", "Damping Sphere", "Powerstone Shard")
SYMBOLS = ("{W}", "{U}", "{R}", "{G}", "{C}", "{1}", "{W/U}", "{2/G}", "{R/P}")


def net_of(*permanents: str, pool: str = "") -> Net:
    players = {"you": {"battlefield": list(permanents), "mana_pool": pool}, "opponent": {}}
    document = check_document({"situation": {"players": players}, "query": {"kind": "can_pay", "cost": "{1}"}})
    return compile_net(build_game(document.situation, default_library()), "you")


def certified(net: Net, cost: str) -> bool:
    bills = payables(net, net.view, Bill(parse_cost(cost), Purpose()))
    return all(plainly_too_little(net, [final]) for final in bills)


@pytest.mark.parametrize(
    ("permanents", "cost", "certain"),
    [
        (("3 Forest",), "{4}", True),
        (("3 Forest",), "{U}", True),
        (("2 Tundra", "Forest"), "{W}{U}{U}", True),
        (("2 Tundra", "Forest"), "{W}{U}{G}", False),
        (("20 Mystic Gate", "Forest"), "{W}{U}", False),  # more than their numbers show
        (("Pili-Pala", "Forest"), "{U}{U}", False),  # it untaps itself
        (("Ashnod's Altar", "Grizzly Bears"), "{9}", False),  # no tapping bounds it
    ],
)
def test_what_numbers_show(permanents: tuple[str, ...], cost: str, certain: bool) -> None:
    assert certified(net_of(*permanents), cost) is certain


def test_the_pool_counts() -> None:
    net = net_of("Forest", pool="{U}{U}")
    assert not certified(net, "{U}{U}{G}")
    assert certified(net, "{U}{U}{U}")


@pytest.mark.parametrize("seed", range(60))
def test_the_relaxation_agrees(seed: int) -> None:
    rng = random.Random(seed)
    net = net_of(*rng.choices(CARDS, k=rng.randint(1, 6)))
    for _ in range(6):
        cost = "".join(sorted(rng.choices(SYMBOLS, k=rng.randint(1, 6))))
        for final in payables(net, net.view, Bill(parse_cost(cost), Purpose())):
            if plainly_too_little(net, [final]):
                assert Levels(net, [final], 1, relaxed=True).solve(best=False, limit=10).status == "infeasible", cost


@pytest.mark.parametrize("seed", range(60))
def test_a_payment_that_numbers_call_best_is_the_best(seed: int) -> None:
    rng = random.Random(seed)
    net = net_of(*rng.choices(CARDS, k=rng.randint(1, 6)), pool=rng.choice(("", "{G}", "{U}{C}")))
    cost = "".join(rng.choices(SYMBOLS[:6], k=rng.randint(1, 4)))
    finals = list(payables(net, net.view, Bill(parse_cost(cost), Purpose())))
    decision = decide(net, [finals[0].bill], best=True)
    plain = decide(net, [finals[0].bill], best=False)
    if plain.payment is not None and is_best(net, finals, plain.payment.spent):
        solved = Levels(net, finals, 1, relaxed=True)
        bound = solved.solve(best=True, limit=10)
        assert [bound.value(term) for term, _ in solved.terms] == list(rank(plain.payment.spent))
    if decision.payment is not None and plain.payment is not None:
        assert rank(decision.payment.spent) <= rank(plain.payment.spent)


def test_numbers_show_the_best_payment_of_plain_lands() -> None:
    net = net_of("3 Forest", "2 Tundra")
    finals = list(payables(net, net.view, Bill(parse_cost("{1}{G}{U}"), Purpose())))
    found = decide(net, [finals[0].bill], best=False).payment
    assert found is not None
    assert is_best(net, finals, found.spent)
    assert not is_best(net, finals, found.spent._replace(taps=4))
    assert not is_best(net, finals, found.spent._replace(life=1))
    rocks = net_of("3 Forest", "2 Tundra", "Sol Ring")
    assert not is_best(rocks, list(payables(rocks, rocks.view, finals[0].bill)), found.spent)
