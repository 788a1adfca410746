"""More about attacking and blocking: as though something were not so, taxes of other forms, what is not stated."""

from __future__ import annotations

from typing import Any

from ..abilities import (
    AllOf,
    AttackRule,
    Bound,
    Compare,
    Condition,
    CostPart,
    Filter,
    Is,
    ManaPart,
    Not,
    PayLife,
    PlayerCount,
    Prohibit,
    Stat,
    Static,
    StaticEffect,
)
from .amounts import ForEach
from .conditions import NOT_STATED, pick_condition
from .cost_changes import Found, known
from .costs import Symbols
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Text, but, referring
from .statics import Effects, Makes, about, of_subject
from .subjects import understood_words

CREATURES = Filter(types=("Creature",))
HOST = Filter(ref="host")
SELF = Filter(me=True)


class Fights(tuple[StaticEffect, ...]):
    """The rules of one sentence."""


class Whole(tuple[Any, ...]):
    """The abilities of one sentence."""


@meaning("fight_sentence")
def fight_sentence(_: str, values: list[Any]) -> Found:
    conditions = [v for v in values if not isinstance(v, Fights | Whole)]
    if len(conditions) > 1:
        raise NotUnderstood("two conditions")
    condition: Condition | None = conditions[0] if conditions else None
    whole = pick(values, Whole)
    if whole is not None:
        if condition is not None:
            raise NotUnderstood("a condition of several abilities")
        return Found(whole)
    (effects,) = pick_all(values, Fights)
    if condition is not None:
        condition = of_subject(condition, Effects(effects))
    return Found((Static(tuple(effects), condition),))


@meaning("fight_when", "fight_condition")
def fight_when(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    if said is None:
        raise NotUnderstood(text)
    return Not(said) if text.startswith(" unless ") else said


@meaning("fight_evasion")
def fight_evasion(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("fight_despite")
def fight_despite(text: str, values: list[Any]) -> Fights:
    """702.14, 702.28: who can block it although it has the ability."""
    whats = pick_all(values, Filter)
    evasion = str(pick(values, Text) or "landwalk")
    attackers = but(whats[-1], keyword="") if whats[-1].keyword == evasion else whats[-1]
    if attackers != CREATURES:
        raise NotUnderstood(text)
    by = whats[0] if " can block " in text else None
    return Fights((AttackRule("despite", CREATURES, by=by, keyword=evasion),))


@meaning("fight_host_despite")
def fight_host_despite(text: str, values: list[Any]) -> Fights:
    made = pick_all(values, Makes)
    if not all(isinstance(e, StaticEffect) for m in made for e in m.effects):
        raise NotUnderstood(text)
    rule = AttackRule("despite", CREATURES, by=HOST, keyword=str(pick(values, Text)))
    return Fights((*about(tuple(e for m in made for e in m.effects), HOST), rule))


@meaning("fight_as_reach")
def fight_as_reach(_: str, values: list[Any]) -> Fights:
    blocker, attackers = values
    return Fights((AttackRule("despite", attackers, by=blocker, keyword="flying"),))


@meaning("fight_whom")
def fight_whom(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("fight_haste")
def fight_haste(_: str, values: list[Any]) -> Fights:
    what = pick(values, Filter)
    assert what is not None
    if pick(values, Text) is None:
        return Fights((AttackRule("as_haste", what),))
    return Fights((AttackRule("as_haste", what, who="opponents", planeswalkers=True),))


@meaning("fight_defender_it")
def fight_defender_it(_: str, __: list[Any]) -> Fights:
    """ "It" is the object that the condition before this speaks of."""
    return Fights((AttackRule("no_defender", SELF),))


@meaning("fight_last_turn")
def fight_last_turn(_: str, values: list[Any]) -> Fights:
    return Fights((AttackRule("no_defender", but(values[0], unstated=True)),))


# --- costs ----------------------------------------------------------------------------------------------------------


def _mana(values: list[Any]) -> tuple[CostPart, ...]:
    symbols = str(pick(values, Symbols))
    if "X" in symbols:
        raise NotUnderstood("X")
    each = pick(values, ForEach)
    return (ManaPart(symbols, repeat=1 if each is None else referring(known(each[0]), "self")),)


@meaning("fight_block_what")
def fight_block_what(_: str, values: list[Any]) -> Filter:
    return values[0]


@meaning("fight_tax_you")
def fight_tax_you(text: str, values: list[Any]) -> Fights:
    cost, what = _mana(values), pick(values, Filter)
    if what is not None:
        return Fights((AttackRule("block_tax", SELF, by=what, cost=cost),))
    attack = AttackRule("attack_tax", SELF, cost=cost)
    if text.startswith("~ can't attack or block"):
        return Fights((attack, AttackRule("block_tax", SELF, cost=cost)))
    return Fights((attack,))


@meaning("fight_tax_block")
def fight_tax_block(_: str, values: list[Any]) -> Fights:
    what, by = pick_all(values, Filter)
    n = next(v for v in values if not isinstance(v, Filter))
    return Fights((AttackRule("block_tax", what, by=by, cost=(PayLife(known(n)),)),))


@meaning("fight_tax_each")
def fight_tax_each(_: str, values: list[Any]) -> Fights:
    return Fights((AttackRule("block_tax", CREATURES, by=pick(values, Filter), cost=_mana(values)),))


@meaning("fight_tax_planeswalkers")
def fight_tax_planeswalkers(_: str, values: list[Any]) -> Fights:
    own = Filter(types=("Planeswalker",), controller="you")
    what = pick(values, Filter)
    assert what is not None
    return Fights((AttackRule("attack_tax", what, cost=_mana(values), defended=own),))


# --- restrictions -----------------------------------------------------------------------------------------------------


@meaning("fight_transform")
def fight_transform(text: str, values: list[Any]) -> Fights:
    what = values[0]
    rules = (AttackRule("cant_attack", what), AttackRule("cant_block", what), Prohibit("transform", what))
    return Fights((*rules, Prohibit("activate", what)) if text.endswith("activated") else rules)


@meaning("fight_attack_or_block")
def fight_attack_or_block(_: str, values: list[Any]) -> Fights:
    what, by = values
    return Fights((AttackRule("cant_attack", what, who="you"), AttackRule("cant_block", what, by=by)))


@meaning("fight_by_if")
def fight_by_if(text: str, values: list[Any]) -> Fights:
    what, by, theirs = values
    if theirs.controller != "any" or theirs.zone != "battlefield":
        raise NotUnderstood(text)
    return Fights((AttackRule("cant_be_blocked", what, by=by, if_defender=theirs),))


@meaning("fight_twice")
def fight_twice(_: str, __: list[Any]) -> Whole:
    """Whom it attacked before in the turn, only that it did is stated."""
    before = AllOf((Is("self", Filter(zone="any", noted="attacked")), NOT_STATED))
    return Whole((Static((AttackRule("cant_attack", SELF),), before),))


@meaning("fight_extra", "fight_any_player", "fight_attacked_before")
def fight_unclear(text: str, _: list[Any]) -> Fights:
    if not understood_words(text):
        raise NotUnderstood(text)
    what = SELF if text.startswith("~") else CREATURES
    return Fights((AttackRule("cant_attack", but(what, unstated=True)),))


@meaning("fight_direction")
def fight_direction(_: str, __: list[Any]) -> Whole:
    """Of two players, each is the nearest to the other in either direction."""
    several = Compare(PlayerCount(), ">=", 2)
    return Whole((Static((AttackRule("cant_attack", but(CREATURES, unstated=True)),), several),))


@meaning("fight_stronger")
def fight_stronger(_: str, __: list[Any]) -> Fights:
    stronger = but(CREATURES, bounds=(Bound("power", ">=", Stat("toughness", "host")),))
    return Fights((AttackRule("cant_block", HOST, by=stronger),))


@meaning("fight_tap_costs")
def fight_tap_costs(_: str, values: list[Any]) -> Fights:
    what = values[0]
    tapping = Prohibit("activate", what, tap_symbol=True)
    return Fights((AttackRule("cant_attack", what), AttackRule("cant_block", what), tapping))
