"""Cost changes, least costs, additional and alternative costs, and what mana may pay a spell (601.2b, 601.2f-h)."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from ..abilities import (
    Ability,
    AbilityAlternative,
    AdditionalCost,
    AllOf,
    AlternativeCost,
    Amount,
    AnyOf,
    Bound,
    Calc,
    Compare,
    Condition,
    CostChange,
    CostPart,
    Count,
    ExileCost,
    Filter,
    GrantAbilities,
    Is,
    LeastCost,
    LoyaltyRule,
    ManaLimit,
    ManaPart,
    NotStated,
    OneOf,
    Paid,
    PayLife,
    Permission,
    PlayerCounters,
    Reveal,
    Sacrifice,
    SpellAbility,
    Stat,
    Static,
    StaticEffect,
    Status,
    TapOthers,
    Targets,
    ThisTurn,
    Turn,
    Who,
    X,
    XRange,
)
from ..mana import parse_cost
from .amounts import ForEach, ThatMany, WhereX
from .conditions import NOT_STATED, pick_condition
from .costs import COST_PARTS, Symbols
from .engine import NotUnderstood, meaning, pick, pick_all
from .keyword_costs import SPELL, Printed, build
from .nouns import Patch, but, merge
from .subjects import understood_words
from .words import NUMBERS, in_color_order


class Fields(dict[str, Any]):
    """Fields of a cost change that a part of its sentence sets."""


class Word(str):
    """A word that the meaning of the sentence looks at."""


class Found(tuple[Ability, ...]):
    """The abilities that a sentence is."""


def static(effect: StaticEffect, condition: Condition | None = None, *, of_spell: bool = False) -> Static:
    """A static ability; one about the spell itself works on the stack (113.6d)."""
    return Static((effect,), condition, zone="stack" if of_spell else "battlefield")


def both(first: Condition | None, second: Condition | None) -> Condition | None:
    if first is None or second is None:
        return first or second
    return AllOf((first, second))


def caster_and_spells(what: Filter) -> tuple[Who, Filter]:
    """Who casts the spells that the words describe, and the description without that.

    A caster that stands only after the last of several kinds of spells is meant for all of them.
    """
    if what.any_of and what.zone == "stack" and what.controller == "any":
        casters: set[Who] = {f.controller for f in what.any_of if f.controller != "any"}
        if len(casters) > 1 or (casters and what.any_of[-1].controller == "any"):
            raise NotUnderstood("several casters")
        kinds = tuple(but(f, controller="any") for f in what.any_of)
        caster: Who = casters.pop() if casters else "any"
        return caster, but(what, any_of=kinds)
    if what.me and what.zone == "battlefield":
        return "any", SPELL
    if what.zone != "stack":
        raise NotUnderstood("no spells")
    return what.controller, but(what, controller="any")


def spells_cast_by(caster: Who, what: Filter) -> Filter:
    """The spells that the words describe, where they say this caster."""
    who, spells = caster_and_spells(what)
    if who != caster:
        raise NotUnderstood("cast by another")
    return spells


# --- the parts of a cost change -------------------------------------------------------------------------------------


@meaning("loyalty_size", "cost_way", "keyword_ability_word", "ability_actor", "may")
def word(text: str, _: list[Any]) -> Word:
    return Word(text)


@meaning("cost_size")
def cost_size(_: str, values: list[Any]) -> Fields:
    symbols = pick(values, Symbols)
    return Fields(amount=str(symbols if symbols is not None else pick(values, Word)))


@meaning("cost_if_paid")
def cost_if_paid(text: str, _: list[Any]) -> Fields:
    return Fields(when=Paid("bargain" if text.endswith("bargained") else "kicker"))


@meaning("cost_if_attacked")
def cost_if_attacked(_: str, __: list[Any]) -> Fields:
    """Whom a creature attacks is no part of a description; where none attacks, none does so."""
    attacking = Compare(Count(Filter(types=("Creature",), attacking=True)), ">=", 1)
    return Fields(when=AllOf((attacking, NOT_STATED)))


@meaning("cost_in_step")
def cost_in_step(_: str, __: list[Any]) -> Fields:
    return Fields(when=Turn("you", ("end",)))


@meaning("cost_if_enough")
def cost_if_enough(_: str, values: list[Any]) -> Fields:
    n, what = values
    return Fields(when=Compare(Targets(what), ">=", NUMBERS[str(n)]))


@meaning("cost_several")
def cost_several(text: str, _: list[Any]) -> Word:
    return Word(text)


@meaning("cost_per_color")
def cost_per_color(_: str, __: list[Any]) -> Fields:
    return Fields(times=Stat("colors", of="target"))


@meaning("cost_open", "cost_where_open")
def cost_open(text: str, _: list[Any]) -> Fields:
    """When or how much less it costs is told in words that no situation has an answer to."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return Fields(when=NOT_STATED) if text.startswith("if ") else Fields(times=NotStated(), open=True)


@meaning("cost_life")
def cost_life(text: str, values: list[Any]) -> Fields:
    """More that is no mana."""
    parts = next((tuple(v) for v in values if type(v) is tuple), None)
    if parts is None:
        n = next(v for v in values if not isinstance(v, str))
        if isinstance(n, X):
            raise NotUnderstood(text)
        parts = (PayLife(Calc("*", (n, Targets())) if text.endswith("for each target") else n),)
    return Fields(amount="", also=parts, way="more")


@meaning("special_action")
def special_action(text: str, _: list[Any]) -> Fields:
    """Special actions (116.2) are no spells and no abilities: no other cost is meant."""
    names = {"plotting": "plotting", "foretelling": "foretelling", "unlock": "unlocking", "all": "turning face up"}
    return Fields(spells=Filter(zone="stack"), keyword=names[text.split(" ")[0]])


@meaning("your_commander_spell")
def your_commander_spell(_: str, __: list[Any]) -> Fields:
    return Fields(spells=Filter(zone="stack", commander=True, owner="you"))


@meaning("mana_abilities_of")
def mana_abilities_of(_: str, values: list[Any]) -> Fields:
    return Fields(abilities=values[0], only_mana_abilities=True)


@meaning("cost_most")
def cost_most(_: str, values: list[Any]) -> Fields:
    most = parse_cost(str(pick(values, Symbols)))
    if most.symbols or most.x:
        raise NotUnderstood("a most that is not generic")
    return Fields(most=most.generic)


@meaning("cost_at_it")
def cost_at_it(_: str, values: list[Any]) -> Found:
    """Of a spell on the stack, about the spells that target it."""
    at_it = Filter(zone="stack", targets=Filter(zone="stack", me=True))
    return Found((static(CostChange("more", str(pick(values, Symbols)), spells=at_it), of_spell=True),))


@meaning("loyalty_cost")
def loyalty_cost(_: str, values: list[Any]) -> Found:
    """606.5: what is added to a loyalty cost is put together with it."""
    more = int(values[0].strip("[]"))
    return Found((static(LoyaltyRule(Filter(types=("Planeswalker",)), cost=more)),))


@meaning("behold", "behold_or_reveal")
def behold(text: str, values: list[Any]) -> CostPart:
    """701.4: a permanent of one's own is chosen, or a card is revealed from hand; nothing happens to either."""
    what = values[-1]
    if what.zone not in ("battlefield",) or what.controller not in ("any", "you"):
        raise NotUnderstood("behold")
    own = but(what, controller="you")
    either = Filter(zone="any", any_of=(own, but(what, zone="hand", controller="any", owner="you")))
    n = pick(values, int) or 1
    return ExileCost(either, n) if text.endswith(" and exile it") else Reveal(either, n)


@meaning("history_spell")
def history_spell(_: str, values: list[Any]) -> Condition:
    who, spells = caster_and_spells(values[0])
    if who != "any":
        raise NotUnderstood("cast by")
    return Compare(ThisTurn("spells_cast", "you", _spells_or_none(but(spells, me=None))), ">=", 1)


@meaning("history_gained")
def history_gained(_: str, values: list[Any]) -> Condition:
    return Compare(ThisTurn("life_gained"), ">=", known(values[0]))


_OPPONENTS_DID = {
    "an opponent gained life this turn": ThisTurn("life_gained", "opponents"),
    "an opponent searched their library this turn": ThisTurn("searched", "opponents"),
    "you've sacrificed a permanent this turn": ThisTurn("sacrificed"),
}


@meaning("history_more")
def history_more(text: str, values: list[Any]) -> Condition:
    return values[0] if values else Compare(_OPPONENTS_DID[text], ">=", 1)


@meaning("behold_chosen")
def behold_chosen(_: str, values: list[Any]) -> CostPart:
    """So many of one type."""
    either = (Filter(types=("Creature",), controller="you"), Filter(zone="hand", types=("Creature",), owner="you"))
    return Reveal(Filter(zone="any", any_of=either, unstated=True), values[0])


@meaning("choose_or_reveal")
def choose_or_reveal(_: str, __: list[Any]) -> CostPart:
    either = (Filter(types=("Creature",), controller="you"), Filter(zone="hand", types=("Creature",), owner="you"))
    return Reveal(Filter(zone="any", any_of=either))


@meaning("x_most")
def x_most(_: str, values: list[Any]) -> SpellAbility:
    """The most that X may be as it is announced."""
    return SpellAbility(announced=XRange(most=known(values[0])))


@meaning("spells_more")
def spells_more(_: str, values: list[Any]) -> Found:
    """As much mana as the player likes, which buys nothing that is asked about."""
    who, spells = caster_and_spells(values[0])
    if who != "any":
        raise NotUnderstood("whose")
    more = AdditionalCost((ManaPart("{1}"),), spells, "you", optional=True, many=True, name="pay mana")
    return Found((static(more),))


@meaning("behold_or_exiled")
def behold_or_exiled(_: str, __: list[Any]) -> CostPart:
    there = Filter(types=("Creature",), controller="you")
    warped = Filter(zone="exile", types=("Creature",), owner="you", unstated=True)
    return Reveal(Filter(zone="any", any_of=(there, warped)))


@meaning("behold_cost")
def behold_cost(_: str, values: list[Any]) -> tuple[CostPart, ...]:
    return (values[0],)


@meaning("cost_per_target")
def cost_per_target(_: str, __: list[Any]) -> Fields:
    return Fields(per_target=True)


@meaning("cost_per_own_target")
def cost_per_own_target(_: str, values: list[Any]) -> Fields:
    return Fields(times=Targets(pick(values, Filter)))


@meaning("cost_if_targets")
def cost_if_targets(_: str, values: list[Any]) -> Fields:
    return Fields(if_targets=values[0])


@meaning("cost_not_own_turn")
def cost_not_own_turn(_: str, __: list[Any]) -> Fields:
    return Fields(not_of="active")


@meaning("cost_unless_mana")
def cost_unless_mana(_: str, __: list[Any]) -> Fields:
    return Fields(no_mana_abilities=True)


@meaning("cost_per_cast")
def cost_per_cast(text: str, _: list[Any]) -> Fields:
    """ "That player" is whoever casts the spell, who will control it; without those words anybody's spells count."""
    return Fields(times=ThisTurn("spells_cast", "controller" if "that player" in text else "any"))


_HAPPENED: dict[str, ThisTurn] = {
    "creature that died": ThisTurn("creatures_died", "any"),
    "creature that attacked": ThisTurn("creatures_attacked", "any"),
    "creature you attacked with": ThisTurn("creatures_attacked"),
    "card you've drawn": ThisTurn("drawn"),
    "card your opponents have drawn": ThisTurn("drawn", "opponents"),
    "1 life you gained": ThisTurn("life_gained"),
    "1 life you've gained": ThisTurn("life_gained"),
    "1 life your opponents have lost": ThisTurn("life_lost", "opponents"),
    "card you've cycled or discarded": ThisTurn("discarded"),
    "card you've discarded": ThisTurn("discarded"),
    "permanent sacrificed": ThisTurn("sacrificed", "any"),
    "opponent you attacked": ThisTurn("opponents_attacked"),
    "opponent who was dealt damage": ThisTurn("opponents_damaged"),
    "spell your opponents have cast": ThisTurn("spells_cast", "opponents"),
}


@meaning("cost_happened")
def cost_happened(text: str, values: list[Any]) -> Fields:
    """Something counted over this turn. Cycling a card is discarding it."""
    if text in _HAPPENED:
        return Fields(times=_HAPPENED[text])
    who, spells = caster_and_spells(values[0])
    if who not in ("any", "you"):
        raise NotUnderstood(text)
    return Fields(times=ThisTurn("spells_cast", "you", _spells_or_none(but(spells, me=None))))


@meaning("cost_per_counters")
def cost_per_counters(text: str, _: list[Any]) -> Fields:
    return Fields(times=PlayerCounters(text.split(" ")[2]))


@meaning("cost_floor")
def cost_floor(_: str, values: list[Any]) -> Fields:
    if not isinstance(values[0], int):
        raise NotUnderstood("floor")
    return Fields(floor=values[0])


@meaning("cost_colored_only")
def cost_colored_only(_: str, __: list[Any]) -> Fields:
    return Fields(colored_only=True)


# --- the subject of a cost change -----------------------------------------------------------------------------------

_ACTORS: dict[str, Who] = {
    "you activate": "you",
    "you pay": "you",
    "your opponents activate": "opponents",
    "your opponents pay": "opponents",
}


@meaning("this_ability")
def this_ability(_: str, __: list[Any]) -> Fields:
    return Fields(this_ability=True)


@meaning("own_equip")
def own_equip(_: str, values: list[Any]) -> Fields:
    return Fields(abilities=Filter(me=True), keyword=str(values[0]).lower())


# A cost that is no activated ability's: paid for a spell, or as a special action.
_SPELL_KEYWORDS = ("buyback", "dash", "blitz", "kicker", "flashback", "foretell", "morph")


@meaning("paid_each_more")
def paid_each_more(_: str, values: list[Any]) -> MoreLess:
    """And as much less for each that was sacrificed this turn before."""
    kinds = merge(pick_all(values, Patch))
    return MoreLess(str(pick(values, Symbols)), kinds)


class MoreLess(NamedTuple):
    amount: str
    of: Filter


@meaning("keyword_abilities")
def keyword_abilities(text: str, values: list[Any]) -> Fields:
    name, *rest = pick_all(values, Word)
    keyword = str(name).lower()
    who = _ACTORS[str(rest[0])] if rest else "any"
    said = pick(values, Filter)
    if keyword in _SPELL_KEYWORDS:
        if said is not None:
            raise NotUnderstood(text)
        return Fields(spells=Filter(zone="stack"), who=who, keyword=keyword)
    if " that target " in text:
        return Fields(abilities=Filter(zone="any"), targets=said, who=who, keyword=keyword)
    return Fields(abilities=said or Filter(zone="any"), who=who, keyword=keyword)


@meaning("loyalty_of")
def loyalty_of(_: str, values: list[Any]) -> Fields:
    actor, what = pick(values, Word), pick(values, Filter)
    who = _ACTORS[str(actor)] if actor is not None else "any"
    return Fields(abilities=what or Filter(types=("Planeswalker",)), who=who, keyword="loyalty")


@meaning("host_possessive")
def host_possessive(_: str, __: list[Any]) -> Filter:
    return Filter(ref="host")


@meaning("possessive_abilities")
def possessive_abilities(_: str, values: list[Any]) -> Fields:
    return Fields(abilities=values[0])


@meaning("spells_elsewhere")
def spells_elsewhere(text: str, _: list[Any]) -> Filter:
    zones = (Filter(zone="stack", from_zone="graveyard"), Filter(zone="stack", from_zone="exile"))
    return Filter(zone="stack", controller="you" if " you " in text else "opponents", any_of=zones)


@meaning("abilities_of")
def abilities_of(text: str, values: list[Any]) -> Fields:
    actor, what = pick(values, Word), pick(values, Filter)
    if actor is None:
        assert what is not None
        return Fields(abilities=but(what, targets=None), targets=what.targets)
    no_mana = text.endswith("aren't mana abilities")
    return Fields(abilities=Filter(zone="any"), targets=what, who=_ACTORS[str(actor)], no_mana_abilities=no_mana)


@meaning("activated_abilities")
def activated_abilities(_: str, __: list[Any]) -> Fields:
    return Fields(abilities=Filter(zone="any"))


@meaning("spells_subject")
def spells_subject(text: str, values: list[Any]) -> Fields:
    who, spells = caster_and_spells(values[0])
    out = Fields(spells=spells, who=who)
    if text.endswith(" during your turn"):
        out["when"] = Turn("you")
    return out


@meaning("each_spell")
def each_spell(_: str, __: list[Any]) -> Fields:
    return Fields(spells=Filter(zone="stack"))


@meaning("nth_spell")
def nth_spell(text: str, values: list[Any]) -> Fields:
    who, spells = caster_and_spells(values[0])
    if text.endswith("each opponent casts each turn"):
        who = "opponents"
    if who == "any":
        raise NotUnderstood(text)
    out = Fields(spells=spells, who=who)
    if text.endswith("during each of your turns"):
        out["when"] = Turn("you")
    if text.startswith("the first "):
        out["first_each_turn"] = True
    elif who == "you":
        out["when"] = Compare(ThisTurn("spells_cast", "you", _spells_or_none(spells)), "==", 1)
    else:
        raise NotUnderstood(text)
    return out


def _spells_or_none(spells: Filter) -> Filter | None:
    return None if spells == Filter(zone="stack") else spells


# --- the sentence ---------------------------------------------------------------------------------------------------


class Change(tuple[Any, ...]):
    """One cost change with its condition: (effect, condition, is it about the spell itself, about this ability)."""


_SPECIAL = ("plotting", "foretelling", "unlocking", "turning face up")


class Again(tuple[Any, ...]):
    """The same spell once more: what else is said of its cost."""


@meaning("cost_again")
def cost_again(text: str, values: list[Any]) -> Again:
    return Again(values)


@meaning("cost_change")
def cost_change(text: str, values: list[Any]) -> Change:
    fields = Fields()
    condition: Condition | None = pick_condition(values)
    for part in pick_all(values, Fields):
        if "times" in part and "times" in fields:
            raise NotUnderstood("for each twice")
        condition = both(condition, part.get("when"))
        fields.update(part)
    fields.pop("when", None)
    way = fields.pop("way", "") or next(w for w in pick_all(values, Word) if w in ("more", "less"))
    if fields.pop("open", False):
        fields["amount"] = fields["amount"].replace("{X}", "{1}")
    fields.update(_times(fields, pick(values, ForEach), pick(values, WhereX)))
    _place_targets(fields)
    if isinstance(condition, Is) and condition.ref == "that" and "spells" in fields:
        # "… if it has mutate" is about the spell.
        if fields["spells"].any_of:
            raise NotUnderstood("it")
        fields["spells"], condition = but(fields["spells"], any_of=(condition.like,)), None
    if fields.pop("not_of", None):
        others = Filter(zone="stack", controller="active")
        fields["spells"] = but(fields["spells"], none_of=(*fields["spells"].none_of, others))
    this_ability_only = fields.pop("this_ability", False)
    if fields.get("keyword") in _SPECIAL and (condition is not None or "times" in fields):
        raise NotUnderstood("a special action")
    if fields["amount"].startswith("["):
        return Change((_loyalty_change(fields, way), condition, False, False))
    return Change(
        (
            CostChange("more" if way == "more" else "less", **fields),
            condition,
            fields.get("spells") == SPELL,
            this_ability_only,
        )
    )


def _times(fields: Fields, each: ForEach | None, where: WhereX | None) -> dict[str, Any]:
    """How often the amount applies: "for each …", or as {X} where the text says what X is."""
    if where is not None:
        if each is not None or fields["amount"] != "{X}" or "times" in fields:
            raise NotUnderstood("where X")
        return {"amount": "{1}", "times": known(where[0])}
    if "{X}" in fields["amount"]:
        raise NotUnderstood("X")
    if each is not None:
        if "times" in fields:
            raise NotUnderstood("for each twice")
        return {"times": known(each[0])}
    return {}


def known(amount: Any) -> Amount:
    """An amount that rests on nothing but the game."""
    if isinstance(amount, (ThatMany, X)):
        raise NotUnderstood("that many")
    return amount


def _place_targets(fields: Fields) -> None:
    """ "If it targets …" belongs to the description of the spell, or to the change of an ability's cost."""
    targets = fields.pop("if_targets", None)
    if targets is None:
        return
    if "spells" in fields:
        fields["spells"] = but(fields["spells"], targets=targets)
    else:
        fields["targets"] = targets


def _loyalty_change(fields: Fields, way: str) -> StaticEffect:
    """An additional [+1] in the cost of loyalty abilities (606.5)."""
    if fields.get("keyword") != "loyalty" or fields.get("who") != "you":
        raise NotUnderstood("loyalty")
    return LoyaltyRule(fields["abilities"], cost=int(fields["amount"].strip("[]")))


@meaning("cost_changes")
def cost_changes(_: str, values: list[Any]) -> Found:
    changes = pick_all(values, Change)
    for again in pick_all(values, Again):
        if not all(of_spell for _effect, _when, of_spell, _ability in changes):
            raise NotUnderstood("whose cost")
        changes += (cost_change("", [Fields(spells=SPELL), *again]),)
    notes = Fields()
    for note in pick_all(values, Fields):
        notes.update(note)
    when = pick_condition(values)
    if notes and len(changes) > 1:
        raise NotUnderstood("a note on several changes")
    found = tuple(_ability(change, notes, when) for change in changes)
    if pick(values, Word) == "eminence":
        # 207.2c: it works in the command zone as well as on the battlefield.
        found += tuple(msgspec.structs.replace(a, zone="command") for a in found)
    return Found(found)


@meaning("cost_eminence")
def cost_eminence(_: str, __: list[Any]) -> Word:
    return Word("eminence")


@meaning("cost_once")
def cost_once(_: str, __: list[Any]) -> Word:
    return Word("once")


def _ability(change: Change, notes: Fields, when: Condition | None) -> Ability:
    effect, condition, of_spell, this_ability_only = change
    if this_ability_only:
        raise NotUnderstood("an ability's own cost stands with that ability")
    if notes:
        effect = _with_notes(effect, notes)
    of_spell = of_spell or (isinstance(effect, CostChange) and effect.spells is not None and bool(effect.spells.me))
    return static(effect, both(when, condition), of_spell=of_spell)


def _with_notes(effect: StaticEffect, notes: Fields) -> StaticEffect:
    most = notes.pop("most", None)
    if most is not None:
        if not isinstance(effect, CostChange) or effect.amount != "{1}":
            raise NotUnderstood("a most")
        effect = msgspec.structs.replace(effect, times=Calc("min", (effect.times, most)))
    return msgspec.structs.replace(effect, **notes)


@meaning("own_cost")
def own_cost(_: str, values: list[Any]) -> dict[str, Any]:
    """ "This ability costs … less": a change that stands with the ability."""
    from .effects import Limit

    effect, condition, _spell, this_ability_only = next(v for v in values if isinstance(v, Change))
    if not this_ability_only:
        raise NotUnderstood("a sentence about other costs")
    notes = pick(values, Fields) or Fields()
    return Limit(changes=(msgspec.structs.replace(effect, condition=condition, **notes),))


@meaning("least_cost")
def least_cost(text: str, values: list[Any]) -> Found:
    first, second = values
    if first != second or not isinstance(first, int):
        raise NotUnderstood(text)
    return Found((static(LeastCost(first, while_untapped="untapped" in text)),))


# --- the next spell ---------------------------------------------------------------------------------------------------


@meaning("next_has", "next_flash")
def next_has(text: str, _: list[Any]) -> Word:
    return Word(text)


@meaning("next_body")
def next_body(_: str, values: list[Any]) -> Found:
    """For one spell only. Which is the next can be told while no such spell was cast this turn."""
    who, spells = caster_and_spells(values[0])
    if who != "you":
        raise NotUnderstood("the next spell of another")
    none_yet = Compare(ThisTurn("spells_cast", "you", _spells_or_none(spells)), "==", 0)
    condition = AnyOf((none_yet, Status("next_spell")))
    symbols, said = pick(values, Symbols), pick(values, Word)
    if symbols is not None:
        if "X" in symbols:
            raise NotUnderstood("X")
        effect: StaticEffect = CostChange("less", str(symbols), spells=spells, who="you")
    elif said == "can be cast as though it had flash":
        effect = Permission(spells, flash=True)
    else:
        granted = str(said).removeprefix("has ")
        spells = but(spells, controller="you")
        if granted == "affinity for artifacts":
            effect = GrantAbilities(spells, build("affinity"))
        else:
            effect = GrantAbilities(spells, keywords=(granted,))
    return Found((static(effect, condition),))


# --- additional costs -----------------------------------------------------------------------------------------------


class Option(tuple[CostPart, ...]):
    """One of several costs of which one is paid."""


@meaning("costs_option")
def costs_option(_: str, values: list[Any]) -> Option:
    return Option(pick_all(values, *COST_PARTS))


@meaning("or_costs")
def or_costs(_: str, values: list[Any]) -> tuple[CostPart, ...]:
    return (OneOf(tuple(tuple(o) for o in pick_all(values, Option))),)


@meaning("this_spell")
def this_spell(_: str, __: list[Any]) -> None:
    return None


@meaning("additional_cost")
def additional_cost(text: str, values: list[Any]) -> Found:
    cost = next(v for v in values if type(v) is tuple)
    least_x = 1 if "X can't be 0" in text else 0
    optional = pick(values, Word) is not None
    name = optional_name(text) if optional else ""
    less = pick(values, PaidLess)
    many = text.rstrip(".").endswith("any number of times") or (less is not None and less.each)
    if (many or less) and not optional:
        raise NotUnderstood(text)
    if less is not None and less.each:
        cost = (one_of_any_number(cost),)
    reduces = less.amount if less is not None else ""
    extra = AdditionalCost(cost, optional=optional, many=many, name=name, reduces=reduces, least_x=least_x)
    if (most := pick(values, SpellAbility)) is not None:
        return Found((static(extra, of_spell=True), most))
    if less is not None and less.before is not None:
        before = ThisTurn("sacrificed", "you", less.before)
        change = CostChange("less", less.amount, before, SPELL)
        return Found((static(extra, of_spell=True), static(change, of_spell=True)))
    return Found((static(extra, of_spell=True),))


class PaidLess(NamedTuple):
    """How much less the spell costs if an additional cost was paid, or for each object that paid it."""

    amount: str
    each: bool
    before: Filter | None = None  # as much less for each of these that was sacrificed this turn before


@meaning("paid_less")
def paid_less(text: str, values: list[Any]) -> PaidLess:
    amount, more = str(pick(values, Symbols)), pick(values, MoreLess)
    if more is not None and more.amount != amount:
        raise NotUnderstood(text)
    return PaidLess(amount, " for each " in text, more.of if more is not None else None)


def one_of_any_number(cost: tuple[CostPart, ...]) -> CostPart:
    """ "Sacrifice any number of creatures" as a cost that may be paid any number of times: one creature each time."""
    if len(cost) != 1 or not isinstance(cost[0], Sacrifice | ExileCost | TapOthers) or not isinstance(cost[0].n, X):
        raise NotUnderstood("any number of what")
    return msgspec.structs.replace(cost[0], n=1)


def optional_name(text: str) -> str:
    """What players call an optional cost that has no keyword: its verb ("waterbend", "collect evidence")."""
    said = text.split("you may ")[1]
    return "collect evidence" if said.startswith("collect evidence") else said.split(" ")[0]


@meaning("spells_additional")
def spells_additional(_: str, values: list[Any]) -> Found:
    """The Defilers: life paid as the spell is cast takes a colored mana off."""
    who, spells = caster_and_spells(values[0])
    cost = next(v for v in values if type(v) is tuple)
    off = pick(values, Symbols)
    return Found(
        (static(AdditionalCost(cost, spells, "you", optional=True, name="pay life", reduces=str(off))),)
        if who == "any"
        else ()
    )


# --- alternative costs ----------------------------------------------------------------------------------------------


@meaning("alternative_of")
def alternative_of(text: str, values: list[Any]) -> Fields:
    if not values:
        if text.endswith("mana costs"):
            raise NotUnderstood(text)
        return Fields(spells=SPELL)
    _, spells = caster_and_spells(values[0])
    where = pick(values, WhereX)
    if where is not None and isinstance(where[0], Stat) and where[0] == Stat("mana_value", "spell"):
        return Fields(spells=spells, x=where[0])
    if where is not None:
        spells = but(spells, bounds=tuple(_bound_with(b, known(where[0])) for b in spells.bounds))
    if any(isinstance(b.value, X) for b in spells.bounds):
        raise NotUnderstood("X")
    return Fields(spells=spells)


def _bound_with(bound: Bound, amount: Amount) -> Bound:
    return msgspec.structs.replace(bound, value=amount) if isinstance(bound.value, X) else bound


@meaning("spend_limit")
def spend_limit(_: str, values: list[Any]) -> ManaLimit:
    return ManaLimit(source=values[0])


@meaning("alternative_plain")
def alternative_cost(_: str, values: list[Any]) -> Found:
    cost = next(v for v in values if type(v) is tuple)
    spells = pick(values, Fields)
    assert spells is not None
    if "x" in spells and cost == (ManaPart("{X}"),):
        cost = (ManaPart("{1}", spells["x"]),)
    if any(isinstance(p, ManaPart) and "{X}" in p.cost for p in cost):
        raise NotUnderstood("X in an alternative cost")
    if sum(pick_condition([v]) is not None for v in values) > 1:
        raise NotUnderstood("two conditions")
    of_spell = spells["spells"] == SPELL
    effect = AlternativeCost(
        cost,
        spells["spells"],
        zones=("hand",) if of_spell else ("any",),
        condition=pick_condition(values),
        only=pick(values, ManaLimit),
        once_each_turn=pick(values, Word) == "once",
    )
    return Found((static(effect, of_spell=of_spell),))


@meaning("free_flash")
def free_flash(_: str, __: list[Any]) -> Word:
    return Word("flash")


@meaning("free_what")
def free_what(_: str, values: list[Any]) -> Fields:
    return Fields(spells=values[0] if values else SPELL)


@meaning("free_cast")
def free_cast(text: str, values: list[Any]) -> Found:
    """Without paying its mana cost (118.9): an alternative cost of nothing."""
    fields = pick(values, Fields)
    assert fields is not None
    spells = fields["spells"]
    zone = "hand"
    if spells != SPELL:
        if text.rstrip(".").endswith("its mana cost"):
            raise NotUnderstood("one spell, as something resolves")
        zone = spells.from_zone or "hand"
        spells = but(spells, from_zone=None)
        _, spells = caster_and_spells(spells)
    effect = AlternativeCost(
        (),
        spells,
        "any" if "any player may" in text else "you",
        zones=(zone,),
        condition=pick_condition(values),
        timing="flash" if pick(values, Word) is not None else "",
    )
    return Found((static(effect, of_spell=spells == SPELL),))


# --- instead of an ability's cost, and other forms --------------------------------------------------------------------


@meaning("ability_cost_keyword")
def ability_cost_keyword(text: str, _: list[Any]) -> Word:
    return Word(text)


@meaning("ability_cost_first")
def ability_cost_first(text: str, _: list[Any]) -> Fields:
    return Fields(first_each_turn=True, **({"when": Turn("you")} if text.endswith("of your turns") else {}))


@meaning("ability_cost_of")
def ability_cost_of(text: str, values: list[Any]) -> Fields:
    keyword = str(pick(values, Word))
    if text.startswith("~'s ") or keyword == "crew":
        if not text.startswith("~'s "):
            raise NotUnderstood(text)
        return Fields(keyword=keyword, abilities=Filter(me=True))
    return Fields(keyword=keyword, **(pick(values, Fields) or {}))


@meaning("ability_instead")
def ability_instead(_: str, values: list[Any]) -> Found:
    cost = next(v for v in values if type(v) is tuple)
    fields = pick(values, Fields)
    assert fields is not None
    condition = both(pick_condition(values), fields.pop("when", None))
    return Found((static(AbilityAlternative(cost, **fields), condition),))


@meaning("whose_spells")
def whose_spells(_: str, values: list[Any]) -> Found:
    who, spells = caster_and_spells(pick(values, Filter) or Filter())
    if who != "any":
        raise NotUnderstood("whose")
    cost = next(v for v in values if type(v) is tuple)
    shared = tuple(_of_that_spell(part) for part in cost)
    return Found((static(AlternativeCost(shared, spells, "any", zones=("any",))),))


def _of_that_spell(part: CostPart) -> CostPart:
    what = getattr(part, "what", None)
    if not isinstance(what, Filter) or what.shares_with != "that":
        return part
    return msgspec.structs.replace(part, what=but(what, shares_with="spell"))


@meaning("opponents_gain")
def opponents_gain(text: str, values: list[Any]) -> Found:
    """A cost that is paid by somebody else's gain of life: it can't be where nobody can gain any (118.3, 119.7)."""
    there = Compare(Count(but(pick(values, Filter) or Filter(), controller="you")), ">=", 1)
    gain = Status("can_gain_life", "opponents" if "each other player" in text else "opponent")
    return Found((static(AlternativeCost((), condition=AllOf((there, gain))), of_spell=True),))


@meaning("to_cast_it")
def to_cast_it(text: str, values: list[Any]) -> Found:
    cost = (ManaPart(str(pick(values, Symbols))),)
    if "bracketed" in text:
        return Found(build("cleave", Printed(cost)))
    return Found((static(AlternativeCost(cost, condition=pick_condition(values)), of_spell=True),))


@meaning("first_free")
def first_free(_: str, __: list[Any]) -> Found:
    none_yet = Compare(ThisTurn("spells_cast", "active"), "==", 0)
    effect = AlternativeCost((), Filter(zone="stack"), "active", zones=("any",), condition=none_yet)
    return Found((static(effect),))


# --- what mana pays -------------------------------------------------------------------------------------------------


@meaning("limit_none")
def limit_none(_: str, __: list[Any]) -> Found:
    return Found((static(ManaLimit(no_mana=True), of_spell=True),))


@meaning("limit_source")
def limit_source(_: str, values: list[Any]) -> Found:
    return Found((static(ManaLimit(source=values[0]), of_spell=True),))


@meaning("limit_x", "limit_color")
def limit_color(text: str, values: list[Any]) -> Found:
    patches = pick_all(values, Patch)
    types = in_color_order("".join(p["colors"] for p in patches)) if patches else "WUBRG"
    return Found((static(ManaLimit(types=types, on_x=" on X" in text), of_spell=True),))
