"""Costs: what is paid to activate an ability, to cast a spell, or as a tax (118)."""

from __future__ import annotations

import re
from typing import Any

from ..abilities import (
    Calc,
    CostPart,
    Count,
    Discard,
    Exert,
    ExileCost,
    Filter,
    HandSize,
    Loyalty,
    ManaPart,
    Mill,
    MoveCost,
    OneOf,
    PayLife,
    PayPlayerCounters,
    PutCounters,
    RemoveCounters,
    ReturnToHand,
    Reveal,
    Sacrifice,
    TapOthers,
    TapSelf,
    UntapOthers,
    UntapSelf,
    X,
)
from ..abilities import Life as LifeTotal
from ..mana import ManaError, parse_cost
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Text, but

COST_PARTS = (
    ManaPart,
    TapSelf,
    UntapSelf,
    Sacrifice,
    PayLife,
    PayPlayerCounters,
    RemoveCounters,
    PutCounters,
    TapOthers,
    UntapOthers,
    Discard,
    ExileCost,
    ReturnToHand,
    MoveCost,
    Mill,
    Reveal,
    Loyalty,
    Exert,
    OneOf,
)


class Symbols(str):
    """Mana symbols as written."""


@meaning("costs")
def costs(text: str, values: list[Any]) -> tuple[CostPart, ...]:
    parts = tuple(pick_all(values, *COST_PARTS))
    for verb in _ALL_OF.findall(text):
        if verb != "sacrifice":
            raise NotUnderstood(text)
        parts = tuple(_every_one(part) if isinstance(part, Sacrifice) else part for part in parts)
    return parts


_ALL_OF = re.compile(r"\b(sacrifice|discard|exile|tap|untap|return) (?:all|each) ")


def _every_one(part: Sacrifice) -> Sacrifice:
    """As many as there are, be it none."""
    return Sacrifice(part.what, Count(but(part.what, controller="you")))


@meaning("mana_symbols")
def mana_symbols(text: str, _: list[Any]) -> Symbols:
    try:
        parse_cost(text)
    except ManaError as e:
        raise NotUnderstood(text) from e
    return Symbols(text)


@meaning("mana_cost", "mana_cost_alone")
def mana_cost(_: str, values: list[Any]) -> ManaPart:
    return ManaPart(str(pick(values, Symbols)))


@meaning("own_mana_cost")
def own_mana_cost(_: str, __: list[Any]) -> ManaPart:
    return ManaPart("{0}", own=True)


@meaning("waterbend")
def waterbend(_: str, values: list[Any]) -> ManaPart:
    return ManaPart(str(pick(values, Symbols)), waterbend=True)


@meaning("tap_self")
def tap_self(_: str, __: list[Any]) -> TapSelf:
    return TapSelf()


@meaning("untap_self")
def untap_self(_: str, __: list[Any]) -> UntapSelf:
    return UntapSelf()


@meaning("loyalty")
def loyalty(text: str, _: list[Any]) -> Loyalty:
    inner = text.strip("[]")
    if inner.endswith("X"):
        return Loyalty(x=True)
    return Loyalty(int(inner))


class AtLeast(tuple[Any, ...]):
    """One or more, two or more: a number the payer chooses, from this one up."""


@meaning("any_number")
def any_number(_: str, __: list[Any]) -> X:
    return X()


@meaning("one_or_more")
def one_or_more(text: str, _: list[Any]) -> Calc:
    least = {"one": 1, "two": 2, "three": 3}[text.split(" ")[0]]
    return Calc("max", (X(), least))


def how_many(values: list[Any], default: int = 1) -> Any:
    return pick(values, int, X, Calc) if pick(values, int, X, Calc) is not None else default


def what_of(values: list[Any], **defaults: Any) -> Filter:
    what = pick(values, Filter)
    if what is None:
        raise NotUnderstood("no object")
    return but(what, **defaults) if defaults else what


def at_cost(what: Filter) -> Filter:
    """As the payer may choose: costs are paid with objects that the words describe, never with targets."""
    if what.ref in ("target",):
        raise NotUnderstood("a target in a cost")
    return what


@meaning("sacrifice_what", "tap_noun")
def passing(text: str, values: list[Any]) -> Any:
    return Filter(me=True) if text in ("~", "it") else values[0] if len(values) == 1 else Several(values)


class Several(list[Any]):
    """Values that stay together."""


@meaning("sacrifice")
def sacrifice(_: str, values: list[Any]) -> Sacrifice:
    values = values[0] if values and isinstance(values[0], Several) else values
    return Sacrifice(_own(what_of(values)), how_many(values))


def _own(what: Filter) -> Filter:
    """ "You control" adds nothing where only the payer's own objects can be used (701.21, 701.9)."""
    return but(what, controller="any") if what.controller == "you" else what


@meaning("pay_life")
def pay_life(text: str, values: list[Any]) -> PayLife:
    if text.startswith("pay half"):
        return PayLife(Calc("half_up", (LifeTotal(),)))
    if "any amount" in text:
        return PayLife(X())
    return PayLife(values[-1])


@meaning("energy")
def energy(text: str, _: list[Any]) -> int:
    return text.count("{E}")


@meaning("pay_counters")
def pay_counters(text: str, values: list[Any]) -> PayPlayerCounters:
    return PayPlayerCounters("energy", X() if "any amount" in text else values[0] if values else X())


@meaning("remove_counters")
def remove_counters(text: str, values: list[Any]) -> RemoveCounters:
    kind = str(pick(values, Text) or "")
    what = what_of(values)
    if text.startswith("remove all "):
        from ..abilities import Counters

        return RemoveCounters(kind, Counters(kind), what)
    return RemoveCounters(kind, how_many(values), what, spread=" from among " in text)


@meaning("put_counters")
def put_counters(_: str, values: list[Any]) -> PutCounters:
    return PutCounters(str(pick(values, Text)), how_many(values), what_of(values))


@meaning("tap_others")
def tap_others(text: str, values: list[Any]) -> TapOthers:
    if text == "tap enchanted creature":
        return TapOthers(Filter(ref="host", tapped=False))
    what = what_of(values, tapped=False)
    if text.startswith("tap another") or "other untapped" in text:
        what = but(what, me=False)
    if "total power" in text:
        return TapOthers(what, 0, total_power=how_many(values))
    return TapOthers(what, how_many(values))


@meaning("untap_others")
def untap_others(_: str, values: list[Any]) -> UntapOthers:
    return UntapOthers(what_of(values, tapped=True), how_many(values))


@meaning("discard")
def discard(text: str, values: list[Any]) -> Discard:
    if text == "discard your hand":
        return Discard(whole_hand=True)
    if text == "discard ~":
        return Discard(Filter(zone="hand", me=True))
    what = what_of(values)
    if what.zone not in ("any", "hand"):
        raise NotUnderstood(text)
    return Discard(but(what, zone="hand", owner="any"), how_many(values), random=text.endswith(" at random"))


@meaning("exile_self")
def exile_self(text: str, _: list[Any]) -> ExileCost:
    zone = "hand" if "hand" in text else "graveyard" if "graveyard" in text else "battlefield"
    return ExileCost(Filter(zone=zone, me=True))


@meaning("exile_cost")
def exile_cost(text: str, values: list[Any]) -> CostPart:
    own = pick(values, ExileCost)
    if own is not None:
        return own
    if text.startswith("exile the top"):
        return ExileCost(Filter(zone="library", owner="you"), how_many(values))
    what = what_of(values)
    if what.from_zone is not None:
        what = but(what, from_zone=None, zone=what.from_zone, owner="you")
    if what.zone == "any":
        raise NotUnderstood(text)
    return ExileCost(what, how_many(values))


@meaning("return_cost")
def return_cost(_: str, values: list[Any]) -> ReturnToHand:
    return ReturnToHand(what_of(values), how_many(values))


@meaning("move_cost")
def move_cost(text: str, values: list[Any]) -> MoveCost:
    what = what_of(values)
    if what.from_zone is not None:
        what = but(what, from_zone=None, zone=what.from_zone, owner="you")
    if what.zone == "any":
        raise NotUnderstood(text)
    return MoveCost(what, "library" if text.endswith("library") else "graveyard", how_many(values))


@meaning("mill")
def mill(_: str, values: list[Any]) -> Mill:
    return Mill(how_many(values))


@meaning("reveal_hand")
def reveal_hand(_: str, __: list[Any]) -> Reveal:
    return Reveal(Filter(zone="hand"), HandSize())


@meaning("reveal")
def reveal(_: str, values: list[Any]) -> Reveal:
    whole = pick(values, Reveal)
    if whole is not None:
        return whole
    what = what_of(values)
    if what.me:
        return Reveal(Filter(zone="hand", me=True))
    if what.zone not in ("any", "hand"):
        raise NotUnderstood("reveal from elsewhere")
    return Reveal(but(what, zone="hand", from_zone=None), how_many(values))


@meaning("exert")
def exert(_: str, __: list[Any]) -> Exert:
    return Exert()


@meaning("collect")
def collect(_: str, values: list[Any]) -> ExileCost:
    return ExileCost(Filter(zone="graveyard", owner="you"), 0, total_mana_value=values[0])


@meaning("blight_cost")
def blight_cost(_: str, values: list[Any]) -> PutCounters:
    return PutCounters("-1/-1", values[0], Filter(types=("Creature",), controller="you"))


@meaning("forage")
def forage(_: str, __: list[Any]) -> OneOf:
    graveyard = ExileCost(Filter(zone="graveyard", owner="you"), 3)
    return OneOf(((graveyard,), (Sacrifice(Filter(subtypes=("Food",))),)))


@meaning("or_cost")
def or_cost(_: str, values: list[Any]) -> OneOf:
    return OneOf(tuple((p,) for p in pick_all(values, *COST_PARTS)))
