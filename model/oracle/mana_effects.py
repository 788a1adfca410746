"""Mana that effects add: AddMana with its kind, amount, restrictions and riders (106)."""

from __future__ import annotations

from typing import Any

import msgspec

from ..abilities import (
    AddMana,
    AnyMana,
    Calc,
    ChosenColor,
    ColorsAmong,
    ColorsOf,
    CommanderColors,
    Condition,
    CouldProduce,
    Count,
    Do,
    Filter,
    Fixed,
    Instead,
    ManaSpec,
    NotedMana,
    NotStated,
    OfCost,
    OneOfMana,
    Produced,
    SameAsLost,
    SpendOnly,
    ThisTurn,
    UpTo,
    X,
)
from ..mana import parse_mana
from .amounts import EqualTo, ForEach, ThatMany, WhereX
from .conditions import pick_condition
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Patch, Text, but

SPECS = (
    AnyMana,
    ChosenColor,
    ColorsAmong,
    ColorsOf,
    CommanderColors,
    CouldProduce,
    Fixed,
    NotedMana,
    OfCost,
    OneOfMana,
    Produced,
    SameAsLost,
)


class Letters(str):
    """Symbols of mana that is made, in the order WUBRGC."""


class Amounted(msgspec.Struct, frozen=True):
    """Mana and how much of it: what stands between "add" and the end of the clause."""

    what: ManaSpec
    amount: Any = 1
    more: AddMana | None = None


class Tail(dict[str, Any]):
    """Fields of an AddMana that a later sentence sets."""


@meaning("mana_letters")
def mana_letters(text: str, _: list[Any]) -> Letters:
    return Letters(str(parse_mana(text)))


def amount_in(values: list[Any] | tuple[Any, ...]) -> Any:
    """The amount that a clause states: "for each …", "equal to …", "X, where X is …", or a number."""
    multiplied = pick(values, ForEach, EqualTo)
    if multiplied is not None:
        base = pick(values, int)
        if base not in (None, 1):
            return Calc("*", (base, multiplied[0]))
        return multiplied[0]
    explained = pick(values, WhereX)
    stated = pick(values, int, X)
    if explained is not None:
        if not isinstance(stated, X):
            raise NotUnderstood("where X, without X")
        return explained[0]
    if pick(values, ThatMany) is not None:
        raise NotUnderstood("that many")
    return 1 if stated is None else stated


@meaning("any_one")
def any_one(_: str, values: list[Any]) -> ManaSpec:
    return values[0]


@meaning("add_symbols_choice")
def add_symbols_choice(_: str, values: list[Any]) -> Amounted:
    letters = pick_all(values, Letters)
    other = pick(values, AnyMana, ChosenColor)
    each = pick(values, ForEach)
    amount = each[0] if each is not None else 1
    if isinstance(other, ChosenColor):
        if any(len(parse_mana(s).types()) != 1 or parse_mana(s).total != 1 for s in letters):
            raise NotUnderstood("more than one mana")
        return Amounted(ChosenColor(also="".join(parse_mana(s).types() for s in letters)), amount)
    if other is not None:
        types = "".join(parse_mana(s).types() for s in letters) + other.types
        return Amounted(AnyMana("".join(t for t in "WUBRGC" if t in types)), amount)
    if len(letters) == 1:
        return Amounted(Fixed(str(letters[0])), amount)
    return Amounted(OneOfMana(tuple(str(s) for s in letters)), amount)


@meaning("for_each_lost")
def for_each_lost(_: str, __: list[Any]) -> ForEach:
    return ForEach((ThisTurn("life_lost", "opponents"),))


@meaning("add_symbols_for_each", "add_symbols_times", "add_equal", "add_x_equal")
def add_symbols(_: str, values: list[Any]) -> Amounted:
    return Amounted(Fixed(str(pick(values, Letters))), amount_in(values))


@meaning("combination_of")
def combination_of(text: str, values: list[Any]) -> AnyMana | ColorsOf:
    letters = pick_all(values, Letters)
    if text == "its colors":
        return ColorsOf("that", how="each")
    if not letters:
        return AnyMana(how="each")
    if any(parse_mana(s).total != 1 for s in letters):
        raise NotUnderstood(text)
    types = "".join(parse_mana(s).types() for s in letters)
    return AnyMana("".join(t for t in "WUBRGC" if t in types), how="each")


@meaning("add_x_combination", "add_any", "add_noted")
def add_any(text: str, values: list[Any]) -> Amounted:
    spec = pick(values, *SPECS)
    if spec is None:
        if "and amount" in text:
            return Amounted(NotedMana(), 1)
        return Amounted(NotedMana(), amount_in(values))
    amount = amount_in(values)
    if isinstance(spec, AnyMana) and spec.how == "different" and not isinstance(amount, int):
        raise NotUnderstood(text)
    return Amounted(spec, amount)


@meaning("any_colors")
def any_colors(text: str, values: list[Any]) -> AnyMana:
    if text.startswith("any of "):
        raise NotUnderstood(text)
    if "type" in text:
        return AnyMana("WUBRGC")
    return AnyMana(how="different" if text == "different colors" else "one")


@meaning("nouns_singular")
def nouns_singular(text: str, values: list[Any]) -> Filter:
    if text in ("the sacrificed land", "that land"):
        return Filter(zone="any", ref="that")
    return values[0]


@meaning("add_could_produce")
def add_could_produce(text: str, values: list[Any]) -> Amounted:
    what = pick(values, Filter)
    assert what is not None
    if text.endswith(("type that land could produce", "color that land could produce")):
        what = Filter(zone="any", ref="that")  # "type that land could …" leaves out one of two thats
    domain = "color" if " color that " in text else "type"
    return Amounted(CouldProduce(what, domain), amount_in(values))


@meaning("add_among")
def add_among(_: str, values: list[Any]) -> Amounted:
    what = pick(values, Filter)
    assert what is not None
    return Amounted(ColorsAmong(what), amount_in(values))


@meaning("add_among_exiled")
def add_among_exiled(_: str, values: list[Any]) -> Amounted:
    return Amounted(ColorsOf("linked"), amount_in(values))


@meaning("add_own_colors")
def add_own_colors(_: str, values: list[Any]) -> Amounted:
    return Amounted(ColorsOf("self"), amount_in(values))


@meaning("add_commander")
def add_commander(_: str, values: list[Any]) -> Amounted:
    return Amounted(CommanderColors(), amount_in(values))


@meaning("chosen_color")
def chosen_color(_: str, __: list[Any]) -> ChosenColor:
    return ChosenColor()


@meaning("add_chosen")
def add_chosen(_: str, values: list[Any]) -> Amounted:
    return Amounted(ChosenColor(), amount_in(values))


@meaning("add_that_type")
def add_that_type(text: str, values: list[Any]) -> Amounted:
    return Amounted(Produced("color" if "any color" in text else "type"), amount_in(values))


@meaning("add_that_much", "add_lost", "add_player", "add_each_player")
def not_yet(text: str, values: list[Any]) -> Any:
    if text.startswith(("choose a player", "a player of", "each player")):
        said = pick(values, Amounted)
        assert said is not None
        return finish(said, values, to="any" if text.startswith("each player") else "chosen")
    if text.startswith(("that much", "twice that much")):
        spec = pick(values, *SPECS) or Fixed(str(pick(values, Letters)))
        return Amounted(spec, Calc("*", (2, X())) if text.startswith("twice") else X())
    raise NotUnderstood(text)


@meaning("add_revealed")
def add_revealed(text: str, values: list[Any]) -> AddMana:
    """As many of the cards in hand as the player likes."""
    what = pick(values, Filter)
    if what is None or what.zone not in ("any", "hand"):
        raise NotUnderstood(text)
    cards = but(what, zone="hand", owner="you", from_zone=None)
    return finish(Amounted(Fixed(str(pick(values, Letters))), UpTo(Count(cards))), values)


@meaning("add_double")
def add_double(_: str, __: list[Any]) -> AddMana:
    return AddMana(SameAsLost())


@meaning("add_x_choice")
def add_x_choice(_: str, values: list[Any]) -> Amounted:
    return Amounted(OneOfMana(tuple(str(s) for s in pick_all(values, Letters))), pick_where(values))


def pick_where(values: list[Any]) -> Any:
    where = pick(values, WhereX)
    if where is None:
        raise NotUnderstood("X")
    return where[0]


class Then(msgspec.Struct, frozen=True):
    more: Amounted


@meaning("add_then")
def add_then(_: str, values: list[Any]) -> Then:
    return Then(Amounted(Fixed(str(pick(values, Letters))), amount_in(values)))


@meaning("add_plain")
def add_plain(text: str, values: list[Any]) -> Any:
    said = pick(values, Amounted)
    assert said is not None
    if isinstance(said.what, ChosenColor) and said.amount is None:
        raise NotUnderstood(text)
    return finish(said, values)


def finish(said: Amounted, values: list[Any], to: str = "you") -> Any:
    fields: dict[str, Any] = {"what": said.what, "amount": said.amount, "to": to}
    for tail in pick_all(values, Tail):
        for key, value in tail.items():
            fields[key] = fields[key] + value if key in fields and isinstance(value, tuple) else value
    where = pick([v for v in values if isinstance(v, WhereX)], WhereX)
    if where is not None and isinstance(said.amount, X):
        fields["amount"] = where[0]
    other = pick(values, InsteadOfIt)
    if other is not None:
        instead = Fixed(other.more.letters) if other.more.letters else said.what
        fields["instead_if"] = (Instead(other.condition, instead, other.more.amount),)
    made = AddMana(**fields)
    then = pick(values, Then)
    if then is None:
        return made
    if then.more.what == made.what and isinstance(made.amount, int):
        return msgspec.structs.replace(made, amount=Calc("+", (made.amount, then.more.amount)))
    return Adds((made, AddMana(then.more.what, then.more.amount, to=made.to, only=made.only)))


class Adds(tuple[Any, ...]):
    """Several effects of one sentence."""


@meaning("add_choose_color")
def add_choose_color(text: str, values: list[Any]) -> AddMana:
    """ "Choose a color" as the ability resolves, and then mana of that color, is any one color."""
    said = pick(values, Amounted)
    assert said is not None
    if not isinstance(said.what, ChosenColor):
        raise NotUnderstood(text)
    unless = pick(values, Unless)
    made = finish(Amounted(AnyMana(), said.amount), values)
    return made if unless is None else msgspec.structs.replace(made, unless=unless.cost)


class Unless(msgspec.Struct, frozen=True):
    """What any player may pay so that no mana is added."""

    cost: tuple[Any, ...]


@meaning("instead_of_pay")
def instead_of_pay(text: str, values: list[Any]) -> Unless:
    if not isinstance(values[0], tuple):
        raise NotUnderstood(text)
    return Unless(values[0])


@meaning("add_parley")
def add_parley(_: str, values: list[Any]) -> Adds:
    """What the players will reveal is not stated."""
    return Adds((AddMana(Fixed(str(pick(values, Letters))), NotStated()), Do("gain", n=NotStated())))


@meaning("add_crafted")
def add_crafted(_: str, __: list[Any]) -> AddMana:
    return AddMana(ColorsAmong(Filter(zone="exile", unstated=True), how="each"))


@meaning("add_milled")
def add_milled(_: str, __: list[Any]) -> AddMana:
    return AddMana(OfCost("linked"))


@meaning("add_cost_mana")
def add_cost_mana(_: str, __: list[Any]) -> Amounted:
    return Amounted(OfCost("host", whole=True))


@meaning("add_choose_color_of")
def add_choose_color_of(_: str, values: list[Any]) -> AddMana:
    what = pick(values, Filter)
    assert what is not None
    return finish(Amounted(ColorsAmong(what), 1), values)


@meaning("add_color_among")
def add_color_among(_: str, values: list[Any]) -> AddMana:
    what = pick(values, Filter)
    assert what is not None
    return finish(Amounted(ColorsAmong(what, how="each"), 1), values)


@meaning("tail_where")
def tail_where(_: str, values: list[Any]) -> WhereX:
    return values[0]


@meaning("tail_if_instead")
def tail_if_instead(_: str, values: list[Any]) -> Tail:
    condition = pick_condition(values)
    said = pick(values, Amounted)
    assert condition is not None and said is not None
    return Tail(instead_if=(Instead(condition, said.what, said.amount),))


class MoreOfIt(msgspec.Struct, frozen=True):
    amount: Any
    letters: str = ""


@meaning("add_amount_more")
def add_amount_more(_: str, values: list[Any]) -> MoreOfIt:
    return MoreOfIt(values[0], str(pick(values, Letters) or ""))


class InsteadOfIt(msgspec.Struct, frozen=True):
    condition: Condition
    more: MoreOfIt


@meaning("tail_instead")
def tail_instead(_: str, values: list[Any]) -> InsteadOfIt:
    condition = pick_condition(values)
    more = pick(values, MoreOfIt)
    assert condition is not None and more is not None
    return InsteadOfIt(condition, more)


@meaning("tail_only_if")
def tail_only_if(_: str, values: list[Any]) -> Tail:
    return Tail(only_if=pick_condition(values))


@meaning("tail_keeps")
def tail_keeps(_: str, __: list[Any]) -> Tail:
    return Tail(keeps=True)


# --- what the mana may be spent on ------------------------------------------------------------------------------------


class Spend(msgspec.Struct, frozen=True):
    spells: tuple[Filter, ...] = ()
    abilities: tuple[Filter, ...] = ()
    purposes: tuple[str, ...] = ()


def _spell(what: Filter) -> Filter:
    return what if what.zone == "stack" else but(what, zone="stack")


@meaning("your_commander")
def your_commander(_: str, __: list[Any]) -> Filter:
    return Filter(zone="stack", commander=True, owner="you")


@meaning("last_exiled")
def last_exiled(_: str, __: list[Any]) -> Filter:
    """Of several cards that were exiled with an object, which was the last is not stated."""
    return Filter(zone="stack", unstated=True)


@meaning("spell_noun")
def spell_noun(text: str, values: list[Any]) -> Filter:
    patch = pick(values, Patch)
    what = pick(values, Filter)
    assert what is not None
    if what.zone not in ("stack",) and not what.any_of:
        raise NotUnderstood(text)
    return but(what, **patch) if patch else what


@meaning("spend_cast")
def spend_cast(_: str, values: list[Any]) -> Spend:
    return Spend(spells=tuple(_spell(f) for f in pick_all(values, Filter)))


@meaning("spend_activate")
def spend_activate(_: str, values: list[Any]) -> Spend:
    of = pick_all(values, Filter)
    if not of:
        return Spend(purposes=("ability",))
    return Spend(abilities=tuple(but(f, zone="any") if f.zone == "battlefield" else f for f in of))


@meaning("spend_x")
def spend_x(_: str, __: list[Any]) -> Spend:
    return Spend(purposes=("x",))


@meaning("spend_c")
def spend_c(_: str, __: list[Any]) -> Spend:
    return Spend(purposes=("c",))


_PURPOSES = {
    "cumulative upkeep": "cumulative upkeep",
    "equip": "equip",
    "cycling": "cycling",
    "morph": "morph",
    "unlock": "unlock",
    "face up": "face up",
    "Class level": "class level",
    "level up": "level up",
    "foretell": "foretell",
    "eternalize": "eternalize",
    "disturb": "disturb",
    "unearth": "unearth",
    "ninjutsu": "ninjutsu",
    "saddle": "saddle",
    "crew": "crew",
    "station": "station",
    "waterbend": "waterbend",
    "power-up": "power-up",
    "outlast": "outlast",
}


@meaning("spend_keyword")
def spend_keyword(text: str, _: list[Any]) -> Spend:
    if "graveyard" in text:
        return Spend(abilities=(Filter(zone="graveyard", owner="you"),))
    found = tuple(v for k, v in _PURPOSES.items() if k in text)
    return Spend(purposes=("embalm", *found) if "embalm" in text else found[:1])


@meaning("tail_spend_only")
def tail_spend_only(text: str, values: list[Any]) -> Tail:
    parts = pick_all(values, Spend)
    only = SpendOnly(
        spells=tuple(f for p in parts for f in p.spells),
        abilities=tuple(f for p in parts for f in p.abilities),
        purposes=tuple(w for p in parts for w in p.purposes),
    )
    riders: tuple[str, ...] = ("uncounterable",) if "can't be countered" in text else ()
    return Tail(only=only, riders=riders) if riders else Tail(only=only)


@meaning("cant_spend_cast")
def cant_spend_cast(_: str, values: list[Any]) -> Tail:
    return Tail(only=SpendOnly(spells=tuple(_spell(f) for f in pick_all(values, Filter)), forbid=True))


@meaning("cant_spend_generic")
def cant_spend_generic(_: str, __: list[Any]) -> Tail:
    return Tail(only=SpendOnly(forbid=True, not_generic=True))


@meaning("rider_text")
def rider_text(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("tail_rider")
def tail_rider(text: str, values: list[Any]) -> Tail:
    """What spending the mana brings about: it never limits the spending (106.6)."""
    from .subjects import understood_words

    if not understood_words(text):
        raise NotUnderstood(text)
    for sign, name in (("countered", "uncounterable"), ("haste", "haste"), ("scry", "scry"), ("counter", "counters")):
        if sign in text:
            return Tail(riders=(name,))
    return Tail(riders=("other",))


ADDS = (AddMana, Adds)
