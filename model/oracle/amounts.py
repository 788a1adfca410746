"""Amounts: numbers, counts of objects, numbers of one object, sums of those."""

from __future__ import annotations

from typing import Any

from ..abilities import (
    Among,
    Calc,
    ChosenNumber,
    Count,
    Counters,
    Devotion,
    Filter,
    HandSize,
    Life,
    LinkedCount,
    OfPlayers,
    Party,
    PlayerCount,
    PlayerCounters,
    PoolTotal,
    Stat,
    ThisTurn,
    X,
)
from . import words
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Patch, Text, but


class Reference(str):
    """A Ref, as a value of its own."""


class ThatMany(str):
    """ "That many", which only the sentence around it can explain."""


class ForEach(tuple[Any, ...]):
    """The amount after "for each"."""


class WhereX(tuple[Any, ...]):
    """What X is, where the text says so itself."""


class EqualTo(tuple[Any, ...]):
    """The amount after "equal to"."""


def known(amount: Any) -> Any:
    """The amount, which must not be a number that only another sentence tells."""
    if isinstance(amount, ThatMany):
        raise NotUnderstood(amount)
    return amount


@meaning("number")
def number(text: str, _: list[Any]) -> int:
    return words.number(text)


@meaning("x_word")
def x_word(_: str, __: list[Any]) -> X:
    return X()


@meaning("that_many")
def that_many(text: str, _: list[Any]) -> ThatMany:
    return ThatMany(text)


@meaning("for_each")
def for_each(_: str, values: list[Any]) -> ForEach:
    return ForEach((values[0],))


@meaning("where_x")
def where_x(_: str, values: list[Any]) -> WhereX:
    known(values[0])
    return WhereX((values[0],))


@meaning("equal_to")
def equal_to(_: str, values: list[Any]) -> EqualTo:
    known(values[0])
    return EqualTo((values[0],))


@meaning("each_nouns")
def each_nouns(_: str, values: list[Any]) -> Count | Among:
    return count_of(values[0])


def count_of(what: Filter) -> Count:
    """Objects that are no cards of a zone count only where they are described by more than "card"."""
    if what.zone == "any" and not what.any_of:
        raise NotUnderstood("cards of no zone")
    if what.ref is not None or what.me:
        raise NotUnderstood("one object is no count")
    return Count(what)


@meaning("each_counter", "number_counters")
def each_counter(_: str, values: list[Any]) -> Counters:
    kind = str(pick(values, Text) or "")
    ref = pick(values, Reference)
    if ref is not None:
        return Counters(kind, on=str(ref))  # type: ignore[arg-type]
    what = pick(values, Filter)
    if what is not None and what.me:
        return Counters(kind)
    return Counters(kind, among=what)


@meaning("each_removed", "number_removed")
def each_removed(_: str, __: list[Any]) -> X:
    """The counters removed as the cost: their number was chosen with it, like an X."""
    return X()


@meaning("each_color_among", "number_colors")
def each_color_among(_: str, values: list[Any]) -> Among:
    return Among("different", "colors", values[0])


@meaning("each_different", "number_different")
def each_different(text: str, values: list[Any]) -> Among:
    kinds = {"power": "power", "mana value": "mana_value", "name": "names", "creature type": "creature_types"}
    kinds |= {"basic land type": "basic_land_types", "card type": "types"}
    what = next(v for k, v in kinds.items() if text.removeprefix("different ").startswith(k))
    return Among("different", what, values[0])  # type: ignore[arg-type]


@meaning("each_card_type")
def each_card_type(_: str, __: list[Any]) -> Among:
    return Among("different", "types", Filter(zone="graveyard"))


@meaning("each_player")
def each_player(text: str, _: list[Any]) -> PlayerCount:
    return PlayerCount("any" if text.startswith("player") else "opponents")


@meaning("each_own_color")
def each_own_color(text: str, _: list[Any]) -> Stat:
    return Stat("colors", of="that" if "its" in text else "self")


@meaning("each_linked", "number_linked")
def each_linked(text: str, _: list[Any]) -> LinkedCount:
    if text.startswith("creature"):
        raise NotUnderstood(text)
    return LinkedCount()


@meaning("each_unspent")
def each_unspent(_: str, values: list[Any]) -> PoolTotal:
    color = pick(values, Patch)
    return PoolTotal(color["colors"] if color else "")


@meaning("each_same_name")
def each_same_name(_: str, __: list[Any]) -> Count:
    return Count(Filter(zone="graveyard", owner="you", shares=("name",), shares_with="spell"))


@meaning("each_player_counter")
def each_player_counter(text: str, _: list[Any]) -> PlayerCounters:
    return PlayerCounters(text.split(" ")[0], "opponents" if text.endswith("opponents have") else "you")


@meaning("each_in_hand")
def each_in_hand(_: str, __: list[Any]) -> HandSize:
    """The opponent is a target of the spell or ability (115.1)."""
    return HandSize("target")


@meaning("each_opponent_losing")
def each_opponent_losing(_: str, __: list[Any]) -> OfPlayers:
    return OfPlayers("how_many", ThisTurn("life_lost"))


@meaning("each_drawn")
def each_drawn(_: str, __: list[Any]) -> ThisTurn:
    return ThisTurn("drawn")


@meaning("greatest_commander")
def greatest_commander(_: str, __: list[Any]) -> Among:
    places = (Filter(), Filter(zone="command"))
    return Among("greatest", "mana_value", Filter(zone="any", commander=True, owner="you", any_of=places))


@meaning("greatest_of_one")
def greatest_of_one(text: str, values: list[Any]) -> OfPlayers:
    """Of one opponent, the one who has most."""
    what = values[0]
    if not text.endswith("an opponent controls") or what.controller != "opponents":
        raise NotUnderstood(text)
    return OfPlayers("greatest", Count(but(what, controller="you")))


@meaning("target_stat")
def target_stat(text: str, _: list[Any]) -> Stat:
    return Stat(_stat(text.removeprefix("the ")), of="target")  # type: ignore[arg-type]


@meaning("greatest_sharing")
def greatest_sharing(_: str, values: list[Any]) -> Among:
    return Among("greatest", "creature_types", values[0])


@meaning("each_party", "number_party")
def each_party(_: str, __: list[Any]) -> Party:
    return Party()


@meaning("number_opponents")
def number_opponents(text: str, __: list[Any]) -> PlayerCount:
    return PlayerCount("any" if text.startswith("players") else "opponents")


@meaning("sum")
def sum_(text: str, values: list[Any]) -> Calc:
    left, right = values
    return Calc("+" if " plus " in text else "-", (left, right))


@meaning("product")
def product(text: str, values: list[Any]) -> Calc:
    if text.startswith("half"):
        return Calc("half_down" if text.endswith("down") else "half_up", (values[0],))
    return Calc("*", (2 if text.startswith("twice") else 3, values[0]))


@meaning("number_of")
def number_of(_: str, values: list[Any]) -> Any:
    return count_of(values[0]) if isinstance(values[0], Filter) else values[0]


@meaning("total_of")
def total_of(text: str, values: list[Any]) -> Among:
    return Among("total", _stat(text), values[0])  # type: ignore[arg-type]


@meaning("greatest")
def greatest(text: str, values: list[Any]) -> Among:
    return Among("greatest", _stat(text), values[0])  # type: ignore[arg-type]


def _stat(text: str) -> str:
    head = text.split(" of ")[0].split(" among ")[0]
    return next(s for s in ("power", "toughness", "mana value", "loyalty") if s in head).replace(" ", "_")


@meaning("reference", "reference_possessive")
def reference(text: str, _: list[Any]) -> Reference:
    if text.startswith(("~", "this")):
        return Reference("self")
    if text in ("it", "its"):
        return Reference("that")
    if text.startswith(("enchanted", "equipped", "fortified")):
        return Reference("host")
    if text.startswith("the exiled"):
        return Reference("linked")
    if "player" in text:
        raise NotUnderstood(text)
    return Reference("spell" if "spell" in text else "that")


@meaning("stat_of")
def stat_of(text: str, values: list[Any]) -> Stat:
    stat = next(s for s in ("power", "toughness", "mana value", "loyalty") if text.endswith(s))
    return Stat(stat.replace(" ", "_"), of=str(values[0]))  # type: ignore[arg-type]


@meaning("devotion")
def devotion(_: str, values: list[Any]) -> Devotion:
    colors = pick_all(values, Patch)
    if not colors:
        return Devotion(chosen=True)
    return Devotion(words.in_color_order("".join(c["colors"] for c in colors)))


@meaning("life_total")
def life_total(text: str, _: list[Any]) -> Life:
    return Life("you", "starting" if "starting" in text else "total")


@meaning("hand_size")
def hand_size(text: str, _: list[Any]) -> HandSize:
    return HandSize("any" if " all players'" in text else "chosen" if "chosen" in text else "you")


@meaning("player_counters")
def player_counters(text: str, _: list[Any]) -> PlayerCounters:
    return PlayerCounters("energy" if "{E}" in text else text.removeprefix("the number of ").split(" ")[0])


@meaning("this_turn_number")
def this_turn_number(text: str, _: list[Any]) -> ThisTurn:
    if "opponents" in text:
        return ThisTurn("life_lost", "opponents")
    if "drawn" in text:
        return ThisTurn("drawn")
    if "died" in text:
        return ThisTurn("creatures_died", "any")
    if "spells" in text:
        return ThisTurn("spells_cast")
    return ThisTurn("life_gained" if "gained" in text else "life_lost")


@meaning("chosen_number")
def chosen_number(_: str, __: list[Any]) -> ChosenNumber:
    return ChosenNumber()
