"""Maximum hand size by timestamp, and the discard of the cleanup step (402.2, 514.1, 613.11)."""

from __future__ import annotations

import pytest

from lawmage.model.abilities import (
    Ability,
    Calc,
    Card,
    Counters,
    Face,
    Filter,
    GrantAbilities,
    Line,
    LoseAbilities,
    MaxHandSize,
    Static,
)
from lawmage.model.game import Chosen, Game, Obj, Player, TurnState, Unknown
from lawmage.model.hand_size import max_hand_size, must_discard


def effect(
    *abilities: Ability, id: str, at: float, who: str = "alice", zone: str = "battlefield", **more: object
) -> Obj:
    line = Line(n=1, status="modelled", abilities=abilities)
    types = ("Enchantment",) if zone == "battlefield" else ()
    c = Card(name=id, faces=(Face(name=id, types=types, lines=(line,)),))
    return Obj(id=id, card=c, zone=zone, controller=who, owner=who, timestamp=at, **more)  # type: ignore[arg-type]


def rule(how: str, n: object = 0, who: str = "you") -> Static:
    return Static((MaxHandSize(how, n, who),))  # type: ignore[arg-type]


def size(*objects: Obj, player: str = "alice") -> int | None:
    return max_hand_size(game(*objects), player).size


def game(*objects: Obj, cards: int = 0, known: bool = True) -> Game:
    players = {name: Player(name=name, hand_known=known) for name in ("alice", "bob")}
    blank = Card(name="Card", faces=(Face(name="Card", types=("Land",)),))
    hand = [Obj(id=f"c{n}", card=blank, zone="hand", controller="alice", owner="alice") for n in range(cards)]
    return Game("alice", players, {o.id: o for o in (*objects, *hand)}, TurnState(active="alice", step="cleanup"))


def test_seven_by_default() -> None:
    assert size() == 7


def test_the_latest_setter_wins() -> None:
    tower, two = effect(rule("none"), id="tower", at=1), effect(rule("set", 2), id="two", at=2)
    assert size(tower, two) == 2
    assert size(effect(rule("set", 2), id="two", at=1), effect(rule("none"), id="tower", at=2)) is None


def test_changes_apply_in_timestamp_order_and_do_nothing_without_a_maximum() -> None:
    less = effect(rule("minus", 7, "opponents"), id="less", at=1, who="bob")
    four = effect(rule("set", 4), id="four", at=2)
    assert size(less) == 0
    assert size(less, four) == 4
    assert size(effect(rule("set", 4), id="four", at=0), less) == 0
    assert size(effect(rule("none"), id="none", at=0), less) is None
    assert size(less, player="bob") == 7


def test_a_negative_size_is_zero_only_at_the_end() -> None:
    less, more = effect(rule("minus", 9), id="less", at=1), effect(rule("plus", 3), id="more", at=2)
    assert size(less, more) == 1


def test_emblems_and_lasting_effects_count_by_their_own_timestamps() -> None:
    emblem = effect(rule("none"), id="emblem", at=1, zone="command")
    lasting = effect(rule("none"), id="lasting", at=3, zone="effect")
    five = effect(rule("set", 5), id="five", at=2)
    assert size(emblem, five) == 5
    assert size(five, lasting) is None


def test_a_counting_size() -> None:
    oil = effect(rule("set", Counters("hour")), id="oil", at=1, counters=(("hour", 3),))
    assert size(oil) == 3
    assert size(effect(rule("set", Calc("-", (7, 4)), "opponents"), id="winter", at=1, who="bob")) == 3


def test_an_ability_that_is_lost_does_nothing() -> None:
    tower = effect(rule("none"), id="tower", at=1)
    blanket = effect(Static((LoseAbilities(Filter(me=False)),)), id="blanket", at=2)
    assert size(tower, blanket) == 7


def test_a_granted_ability_is_as_new_as_what_grants_it() -> None:
    host = effect(id="host", at=1)
    five = effect(rule("set", 5), id="five", at=2)
    rage = effect(Static((GrantAbilities(Filter(ref="host"), (rule("none"),)),)), id="rage", at=3, attached_to="host")
    assert size(host, five, rage) is None


def test_a_chosen_player() -> None:
    rack = Static((MaxHandSize("set", 4, "chosen"),))
    assert size(effect(rack, id="rack", at=1, who="bob", chosen=Chosen(player="alice"))) == 4
    assert size(effect(rack, id="rack", at=1, who="bob", chosen=Chosen(player="bob"))) == 7
    with pytest.raises(Unknown):
        size(effect(rack, id="rack", at=1, who="bob"))


def test_the_cleanup_discard() -> None:
    assert must_discard(game(cards=9), "alice") == 2
    assert must_discard(game(cards=7), "alice") == 0
    assert must_discard(game(effect(rule("none"), id="tower", at=1), cards=9), "alice") == 0
