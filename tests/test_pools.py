"""Maximal pools: what is summed over independent abilities is what the solver finds one by one."""

from __future__ import annotations

import random

import pytest

from lawmage.model.cards import default_library
from lawmage.model.situation import build_game, read_situation
from lawmage.solver import pools
from lawmage.solver.independent import components, maximal_of
from lawmage.solver.mana_net import Net, compile_net

CARDS = ["Forest", "Tundra", "Adarkar Wastes", "Izzet Boilerworks", "Birds of Paradise", "Sol Ring", "Gemstone Mine"]
CARDS += ["Springleaf Drum", "Heritage Druid", "Ashnod's Altar", "Grizzly Bears", "Llanowar Elves", "Lotus Petal"]


def net_of(seed: int) -> Net:
    rng = random.Random(seed)
    board: list[object] = [rng.choice(CARDS) for _ in range(rng.randint(2, 5))]
    board.append({"card": "Gemstone Mine", "counters": {"mining": 2}})
    situation = read_situation({"players": {"alice": {"battlefield": board}, "bob": {}}})
    return compile_net(build_game(situation, default_library()), "alice")


@pytest.mark.parametrize("seed", range(12))
def test_sums_are_what_the_solver_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    net = net_of(seed)
    summed = pools.maximal(net, lambda _: True, 1000)
    monkeypatch.setattr(pools, "pools_of_independent", lambda *_: None)
    searched = pools.maximal(net, lambda _: True, 1000)
    assert summed.complete and searched.complete
    assert summed.found == searched.found


def test_what_shares_a_permanent_is_one_component() -> None:
    situation = read_situation({"players": {"alice": {"battlefield": ["2 Forest", "Ancient Spring"]}, "bob": {}}})
    net = compile_net(build_game(situation, default_library()), "alice")
    assert sorted(len(c) for c in components(net.transitions)) == [1, 2]


def test_only_what_nothing_covers_is_maximal() -> None:
    assert set(maximal_of([(1, 0), (2, 0), (0, 1), (1, 1)])) == {(2, 0), (1, 1)}


CONVERTERS = ["Mystic Gate", "Energy Refractor", "Shire Scarecrow", "Farrelite Priest", "Gruul Signet"]
CONVERTERS += ["Unknown Shores", "Hydro-Channeler", "Castle Garenbrig", "Springleaf Drum", "Phyrexian Lens"]
CONVERTERS += ["School of the Unseen"]


@pytest.mark.parametrize("seed", [1, 3, 6, 8, 10, 11])
def test_what_is_explored_is_what_the_solver_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    some = [rng.choice(CONVERTERS) for _ in range(rng.randint(1, 2))]
    board = ["Forest", rng.choice(CARDS), rng.choice(CARDS), *some]
    situation = read_situation({"players": {"alice": {"battlefield": board, "mana_pool": "{R}"}, "bob": {}}})
    net = compile_net(build_game(situation, default_library()), "alice")
    explored = pools.maximal(net, lambda _: True, 1000)
    monkeypatch.setattr(pools, "pools_of_converters", lambda *_: None)
    monkeypatch.setattr(pools, "pools_of_independent", lambda *_: None)
    searched = pools.maximal(net, lambda _: True, 1000)
    if searched.complete:
        assert explored.found == searched.found


@pytest.mark.parametrize(
    "board",
    [
        ["Phyrexian Altar", "Blood Pet", "Shire Scarecrow", "Forest"],  # it filters before it is sacrificed
        ["Ashnod's Altar", "Elvish Archdruid", "Orochi Leafcaller"],  # what is counted can leave
    ],
)
def test_what_can_leave_is_explored_as_well(board: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    situation = read_situation({"players": {"alice": {"battlefield": board}, "bob": {}}})
    net = compile_net(build_game(situation, default_library()), "alice")
    assert pools.pools_of_converters(net, {i: i for i in range(len(net.kinds))}, len(net.kinds)) is not None
    explored = pools.maximal(net, lambda _: True, 1000)
    monkeypatch.setattr(pools, "pools_of_converters", lambda *_: None)
    monkeypatch.setattr(pools, "pools_of_independent", lambda *_: None)
    assert explored.found == pools.maximal(net, lambda _: True, 1000).found


MANY = ["4 City of Brass", "4 Mana Confluence", "3 Birds of Paradise", "Shivan Reef", "Sol Ring", "Lotus Petal"]


@pytest.mark.parametrize("board", [MANY[:2], MANY[1:4], MANY[2:], ["2 Command Tower", *MANY[1:3]], ["3 Vivid Creek"]])
def test_where_there_are_more_than_the_limit_as_many_maximal_ones_are_listed(board: list[str]) -> None:
    situation = {"players": {"alice": {"battlefield": board}, "bob": {}}}
    net = compile_net(build_game(read_situation(situation), default_library()), "alice")
    whole = pools.maximal(net, lambda _: True, 5000)
    assert whole.complete
    for limit in (1, 3, 20):
        some = pools.maximal(net, lambda _: True, limit)
        assert some.complete is (len(whole.found) <= limit)
        assert set(some.found) <= set(whole.found)
        assert len(set(some.found)) == min(limit, len(whole.found))


def test_life_counts_only_where_it_could_run_out() -> None:
    def found(life: int) -> pools.Pools:
        situation = {"players": {"alice": {"battlefield": ["3 Mana Confluence"], "life": life}, "bob": {}}}
        net = compile_net(build_game(read_situation(situation), default_library()), "alice")
        return pools.maximal(net, lambda _: True, 1000)

    assert [max(map(sum, found(life).found)) for life in (1, 3, 20)] == [1, 3, 3]


def test_twenty_lands_for_any_color_are_answered_at_once() -> None:
    lands = ["10 City of Brass", "10 Mana Confluence"]
    situation = {"players": {"alice": {"battlefield": lands, "life": 40}, "bob": {}}}
    net = compile_net(build_game(read_situation(situation), default_library()), "alice")
    some = pools.maximal(net, lambda _: True, 1000)
    assert (len(some.found), some.complete) == (1000, False)
    assert {sum(v) for v in some.found} == {20}
