"""Costs: what is paid to activate an ability, to cast a spell, or as a tax (118)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

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
    NotStated,
    OneOf,
    PayLife,
    PayPlayerCounters,
    PlayerCount,
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
from .amounts import ForEach, known
from .engine import NotUnderstood, meaning, parse, pick, pick_all
from .nouns import Patch, Text, but, merge
from .subjects import understood_words

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
    split = each_with_its_verb(text)
    if split != text:
        found = None if _OR_ELSE.search(text) else parse("costs", split)
        if not found:
            raise NotUnderstood(text)
        return found[0]
    parts = tuple(pick_all(values, *COST_PARTS))
    for verb in _ALL_OF.findall(text):
        if verb != "sacrifice":
            raise NotUnderstood(text)
        parts = tuple(_every_one(part) if isinstance(part, Sacrifice) else part for part in parts)
    if not parts and pick(values, NoPart) is None:
        raise NotUnderstood(text)
    return parts


_ONE_VERB = re.compile(
    r"\b(sacrifice|discard|exile|tap) ((?:~|an? |another |one |two |three |four )[^,:]*?)(?:, and |, | and )"
    r"(?=(?:~|an? |another |one |two |three |four |thirteen |any number of )(?!more\b))"
)


def each_with_its_verb(text: str) -> str:
    """One verb for several objects is several costs: "sacrifice a red creature and a blue creature". Where all of
    them come from a graveyard, that is said once."""
    previous = ""
    while previous != text and (found := _ONE_VERB.search(text)) is not None:
        previous, rest = text, text[found.end() :]
        if re.search(r",? or (?:an? |another )", rest.split(" and ")[0]) or re.search(r" or an? ", found.group(2)):
            break
        there = " from your graveyard" if rest.endswith(" from your graveyard") else ""
        text = f"{text[: found.start()]}{found.group(1)} {found.group(2)}{there}, {found.group(1)} {rest}"
    return text


_OR_ELSE = re.compile(r" or (?:pay|sacrifice|discard|exile|tap|return|reveal)\b")
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
def own_mana_cost(_: str, values: list[Any]) -> ManaPart:
    return ManaPart("{0}", own=True, minus=str(values[0]) if values else "")


@meaning("mana_many")
def mana_many(text: str, values: list[Any]) -> ManaPart:
    return ManaPart(text.rsplit(" ", 1)[1] * values[0])


@meaning("sacrifice_half")
def sacrifice_half(text: str, values: list[Any]) -> Sacrifice:
    what = but(what_of(values), controller="you")
    return Sacrifice(_own(what), Calc("half_up" if text.endswith("up") else "half_down", (Count(what),)))


@meaning("energy_alone")
def energy_alone(_: str, values: list[Any]) -> PayPlayerCounters:
    return PayPlayerCounters("energy", values[0])


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


@meaning("sacrifice_what", "tap_noun")
def passing(text: str, values: list[Any]) -> Any:
    return Filter(me=True) if text in ("~", "it") else values[0] if len(values) == 1 else Several(values)


class Several(list[Any]):
    """Values that stay together."""


@meaning("sacrifice")
def sacrifice(_: str, values: list[Any]) -> Sacrifice:
    if (half := pick(values, Sacrifice)) is not None:
        return half
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


@meaning("pay_life_each")
def pay_life_each(_: str, values: list[Any]) -> Calc:
    each = pick(values, ForEach)
    if each is None or not isinstance(values[0], int):
        raise NotUnderstood("life for each")
    return Calc("*", (values[0], each[0]))


@meaning("pay_life_equal")
def pay_life_equal(text: str, values: list[Any]) -> Any:
    """As much life as something that is counted; what no amount says is not stated."""
    if values:
        return values[0][0]
    if not understood_words(text):
        raise NotUnderstood(text)
    return NotStated()


@meaning("counted_mana")
def counted_mana(_: str, values: list[Any]) -> ManaPart:
    symbols, each = pick(values, Symbols), pick(values, ForEach)
    if symbols is None or each is None or "X" in symbols:
        raise NotUnderstood("mana for each")
    return ManaPart(str(symbols), repeat=known(each[0]))


class NoPart(str):
    """A choice that is made as the cost is paid, with which nothing is paid."""


@meaning("no_part")
def no_part(text: str, _: list[Any]) -> NoPart:
    if not understood_words(text):
        raise NotUnderstood(text)
    return NoPart(text)


@meaning("tap_way")
def tap_way(_: str, values: list[Any]) -> Way:
    return Way((ManaPart(str(values[0])), TapSelf()))


class Way(tuple[CostPart, ...]):
    """One of two whole costs."""


@meaning("tap_either")
def tap_either(_: str, values: list[Any]) -> OneOf:
    return OneOf(tuple(tuple(way) for way in pick_all(values, Way)))


@meaning("counters_one")
def counters_one(_: str, values: list[Any]) -> RemoveCounters:
    return RemoveCounters(str(pick(values, Text)), how_many(values))


@meaning("counters_either")
def counters_either(_: str, values: list[Any]) -> OneOf:
    """Counters of either kind, from one object."""
    what = what_of(values)
    return OneOf(tuple((msgspec.structs.replace(c, from_=what),) for c in pick_all(values, RemoveCounters)))


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
    if text.startswith("tap enchanted "):
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
    if text.endswith("you drew this turn"):
        return Discard(Filter(zone="hand", unstated=True))
    if text == "discard ~":
        return Discard(Filter(zone="hand", me=True))
    what = what_of(values)
    if what.zone not in ("any", "hand"):
        raise NotUnderstood(text)
    if text.endswith((" with the same name", " that share a color", " that share a creature type")):
        what = but(what, unstated=True)  # which of the cards may go together is not modelled
    return Discard(but(what, zone="hand", owner="any"), how_many(values), random=text.endswith(" at random"))


@meaning("exile_top_kind")
def exile_top_kind(_: str, values: list[Any]) -> Filter:
    return merge(pick_all(values, Patch))


@meaning("exile_top")
def exile_top(_: str, values: list[Any]) -> ExileCost:
    """The top card (of a kind) of the graveyard: there is one when there is any."""
    what = pick(values, Filter) or Filter()
    return ExileCost(but(what, zone="graveyard", owner="you"), how_many(values))


class Total(str):
    """Words after what is exiled that say something of all of it together."""


@meaning("exile_total", "single_graveyard")
def exile_total(text: str, _: list[Any]) -> Total:
    return Total(text)


@meaning("exile_equal")
def exile_equal(_: str, values: list[Any]) -> ExileCost:
    what = what_of(values)
    if what.from_zone != "graveyard":
        raise NotUnderstood("exile from elsewhere")
    return ExileCost(but(what, from_zone=None, zone="graveyard", owner="you"), PlayerCount())


@meaning("exile_self")
def exile_self(text: str, _: list[Any]) -> ExileCost:
    zone = "hand" if "hand" in text else "graveyard" if "graveyard" in text else "battlefield"
    return ExileCost(Filter(zone=zone, me=True))


@meaning("exile_cost")
def exile_cost(text: str, values: list[Any]) -> CostPart:
    own = pick(values, ExileCost)
    if own is not None:
        return own
    total = pick(values, Total)
    if text.startswith("exile the top"):
        return ExileCost(Filter(zone="library", owner="you"), how_many(values))
    what = what_of(values)
    if what.from_zone is not None:
        what = but(what, from_zone=None, zone=what.from_zone, owner="you")
    if total is not None:
        # Which of the cards may go together is not modelled.
        what = but(what, unstated=True, zone="graveyard" if "graveyard" in total else what.zone)
        if total.endswith(" X"):
            # X is no number of objects, and one of them is exiled at least.
            return ExileCost(what, 0, total_mana_value=Calc("max", (X(), 1)))
    if text.endswith(" face up") and not what.face_down:
        raise NotUnderstood(text)
    if what.zone == "any":
        raise NotUnderstood(text)
    return ExileCost(what, how_many(values))


@meaning("return_self")
def return_self(_: str, __: list[Any]) -> ReturnToHand:
    return ReturnToHand(Filter(me=True))


@meaning("return_cost")
def return_cost(_: str, values: list[Any]) -> ReturnToHand:
    if (own := pick(values, ReturnToHand)) is not None:
        return own
    return ReturnToHand(what_of(values), how_many(values))


@meaning("move_from_exile")
def move_from_exile(text: str, _: list[Any]) -> MoveCost:
    """A card that was exiled before; which cards were exiled with the object is not stated."""
    if "opponent" in text:
        return MoveCost(Filter(zone="exile", owner="opponents"), "graveyard")
    return MoveCost(Filter(zone="any", unstated=True), "graveyard")


@meaning("move_cost")
def move_cost(text: str, values: list[Any]) -> MoveCost:
    if (own := pick(values, MoveCost)) is not None:
        return own
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


@meaning("reveal_chosen")
def reveal_chosen(_: str, __: list[Any]) -> Reveal:
    """What was chosen in secret, which no situation states."""
    return Reveal(Filter(zone="any", unstated=True))


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
