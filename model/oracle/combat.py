"""Rules about attacking and blocking, and the sentences that bind them to other rules about the same permanent."""

from __future__ import annotations

from typing import Any

import msgspec

from ..abilities import (
    AttackRule,
    Bound,
    Compare,
    Condition,
    Count,
    DontUntap,
    Filter,
    ManaPart,
    Not,
    PlayerCounters,
    Prohibit,
    Stat,
    Static,
    StaticEffect,
    Status,
)
from .amounts import ForEach, WhereX
from .conditions import pick_condition
from .cost_changes import Found, both, known
from .costs import Symbols
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import but
from .prohibitions import Player
from .statics import SUBJECT, Effects, Makes, of_subject
from .subjects import understood_words
from .untap import Players

NOBODY_LIKE = 99  # any number of creatures


class Rule(tuple[Any, ...]):
    """What a predicate says: (kind of effect, fields), to be said of a subject."""


class Whom(str):
    """Who is attacked."""


def rule(kind: str, **fields: Any) -> Rule:
    return Rule((kind, tuple(fields.items())))


class Rules(tuple[Rule, ...]):
    """Several things that one predicate says."""


def said_of(what: Filter, rules: tuple[Rule, ...]) -> tuple[StaticEffect, ...]:
    """The effects that predicates are when they are said of these objects."""
    return tuple(_effect(kind, dict(fields), what) for kind, fields in rules)


def _effect(kind: str, fields: dict[str, Any], what: Filter) -> StaticEffect:
    if kind == "activate" or kind == "sacrifice":
        return Prohibit(kind, what, **fields)
    if kind == "dont_untap":
        return DontUntap(what, **fields)
    return AttackRule(kind, what, **fields)


@meaning("cp_must_attack")
def cp_must_attack(_: str, __: list[Any]) -> Rules:
    return Rules((rule("must_attack"),))


@meaning("cp_must_block")
def cp_must_block(_: str, __: list[Any]) -> Rules:
    return Rules((rule("must_block"),))


@meaning("cp_must_both")
def cp_must_both(_: str, __: list[Any]) -> Rules:
    return Rules((rule("must_attack"), rule("must_block")))


@meaning("cp_goaded")
def cp_goaded(_: str, __: list[Any]) -> Rules:
    """701.15b: it attacks, and a player other than the one who goads it, if able."""
    return Rules((rule("must_attack"), rule("must_attack_other", who="you")))


@meaning("cp_not_alone")
def cp_not_alone(text: str, _: list[Any]) -> Rules:
    return Rules(rule(f"cant_{deed}_alone") for deed in ("attack", "block") if deed in text)


@meaning("cp_only_alone")
def cp_only_alone(_: str, __: list[Any]) -> Rules:
    return Rules((rule("only_alone"),))


@meaning("cp_cant_attack_or_block")
def cp_cant_attack_or_block(_: str, __: list[Any]) -> Rules:
    return Rules((rule("cant_attack"), rule("cant_block")))


@meaning("cp_whom", "cp_who_attack")
def cp_whom(text: str, _: list[Any]) -> Whom:
    return Whom(text)


def _whom(values: list[Any]) -> dict[str, Any]:
    whom = pick(values, Whom)
    if whom is None:
        return {}
    who = "owner" if "its owner" in whom else "you"
    return {"who": who, "planeswalkers": True} if "planeswalkers" in whom else {"who": who}


@meaning("cp_cant_attack")
def cp_cant_attack(_: str, values: list[Any]) -> Rules:
    return Rules((rule("cant_attack", **_whom(values)),))


@meaning("cp_cant_block_or_be")
def cp_cant_block_or_be(text: str, values: list[Any]) -> Rules:
    by = values[0]
    if " or be " in text:
        return Rules((rule("cant_block", by=by), rule("cant_be_blocked", by=by)))
    return Rules((rule("cant_block"), rule("cant_be_blocked", by=by)))


@meaning("cp_cant_block")
def cp_cant_block(text: str, values: list[Any]) -> Rules:
    if text.endswith(" it"):
        return Rules((rule("cant_block", by=Filter(me=True)),))
    return Rules((rule("cant_block", by=pick(values, Filter)),))


def other_than(what: Filter) -> Filter:
    """Creatures that are not like this."""
    return Filter(types=("Creature",), none_of=(what,))


@meaning("cp_except_count")
def cp_except_count(_: str, values: list[Any]) -> Rules:
    if not isinstance(values[0], int):
        raise NotUnderstood("how many")
    return Rules((rule("min_blockers", n=values[0]),))


@meaning("cp_more_than")
def cp_more_than(_: str, values: list[Any]) -> Rules:
    if not isinstance(values[0], int):
        raise NotUnderstood("how many")
    return Rules((rule("max_blockers", n=values[0]),))


@meaning("cp_except")
def cp_except(_: str, values: list[Any]) -> Rules:
    return Rules((rule("cant_be_blocked", by=other_than(values[0])),))


@meaning("cp_by")
def cp_by(_: str, values: list[Any]) -> Rules:
    return Rules((rule("cant_be_blocked", by=values[0]),))


@meaning("cp_cant_be_blocked")
def cp_cant_be_blocked(_: str, values: list[Any]) -> Rules:
    return values[0] if values else Rules((rule("cant_be_blocked"),))


@meaning("cp_block_only")
def cp_block_only(_: str, values: list[Any]) -> Rules:
    return Rules((rule("cant_block", by=other_than(values[0])),))


@meaning("cp_block_more")
def cp_block_more(_: str, values: list[Any]) -> Rules:
    return Rules((rule("block_more", n=pick(values, int) or 1),))


@meaning("cp_block_any")
def cp_block_any(_: str, __: list[Any]) -> Rules:
    return Rules((rule("block_more", n=NOBODY_LIKE),))


@meaning("cp_must_be_blocked")
def cp_must_be_blocked(_: str, __: list[Any]) -> Rules:
    return Rules((rule("must_be_blocked"),))


@meaning("cp_lured")
def cp_lured(_: str, __: list[Any]) -> Rules:
    return Rules((rule("lure"),))


@meaning("cp_must_be_blocked_by")
def cp_must_be_blocked_by(_: str, values: list[Any]) -> Rules:
    return Rules((rule("must_be_blocked", by=pick(values, Filter)),))


@meaning("cp_blocked_by_many")
def cp_blocked_by_many(_: str, __: list[Any]) -> Rules:
    """A requirement that several blocks obey together."""
    return Rules((rule("unclear_block"),))


@meaning("combat_unclear_how")
def combat_unclear_how(text: str, _: list[Any]) -> None:
    if not understood_words(text):
        raise NotUnderstood(text)


@meaning("combat_unclear")
def combat_unclear(_: str, values: list[Any]) -> Found:
    """A requirement to attack somebody whom no structure names."""
    what = pick(values, Filter)
    assert what is not None
    return Found((Static((AttackRule("unclear_attack", what),), _when(values, what)),))


@meaning("combat_chooses")
def combat_chooses(_: str, __: list[Any]) -> Found:
    return Found((Static((AttackRule("unclear_block", Filter(types=("Creature",))),)),))


@meaning("cp_block_more_each")
def cp_block_more_each(_: str, values: list[Any]) -> Rules:
    each = pick(values, ForEach)
    assert each is not None
    return Rules((rule("block_more", times=known(each[0])),))


@meaning("cp_block_many")
def cp_block_many(_: str, __: list[Any]) -> Rules:
    return Rules((rule("block_more", n=99),))


@meaning("cp_no_defender")
def cp_no_defender(_: str, __: list[Any]) -> Rules:
    return Rules((rule("no_defender"),))


@meaning("cp_abilities")
def cp_abilities(_: str, values: list[Any]) -> Rules:
    return Rules((rule("activate", mana_abilities=pick(values, Player) is None),))


@meaning("cp_unsacrificed")
def cp_unsacrificed(_: str, __: list[Any]) -> Rules:
    return Rules((rule("sacrifice"),))


@meaning("cp_no_untap")
def cp_no_untap(_: str, values: list[Any]) -> Rules:
    whose = pick(values, Players)
    if whose is None or whose.startswith("your"):
        raise NotUnderstood("whose untap step")
    return Rules((rule("dont_untap"),))


@meaning("cp_crew")
def cp_crew(_: str, __: list[Any]) -> Rules:
    raise NotUnderstood("crewing")


@meaning("combat_made")
def combat_made(_: str, values: list[Any]) -> Makes:
    """The same predicate among others that say what a permanent is or has."""
    return Makes(said_of(SUBJECT, values[0]))


@meaning("combat_predicates")
def combat_predicates(_: str, values: list[Any]) -> Rules:
    return Rules(r for rules in pick_all(values, Rules) for r in rules)


@meaning("combat_condition")
def combat_condition(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    assert said is not None
    return Not(said) if text.startswith(" unless ") else said


@meaning("combat_subject_sentence")
def combat_subject_sentence(text: str, values: list[Any]) -> Found:
    what, rules = pick(values, Filter), pick(values, Rules)
    assert what is not None and rules is not None
    condition: Condition | None = None
    for said in values:
        if said is not what and said is not rules:
            condition = both(condition, said)
    if what.zone != "battlefield":
        raise NotUnderstood("no permanents")
    if condition is not None and len(rules) > 1 and "unless" in text and not _one_thought(rules):
        raise NotUnderstood("what the condition is about")
    effects = said_of(what, rules)
    if condition is not None:
        condition = of_subject(condition, Effects(effects))
    return Found((Static(effects, condition),))


def _one_thought(rules: Rules) -> bool:
    return {kind for kind, _ in rules} <= {"cant_attack", "cant_block"}


# --- whole sentences ------------------------------------------------------------------------------------------------


@meaning("combat_crew")
def combat_crew(text: str, values: list[Any]) -> Found:
    what = pick(values, Filter)
    assert what is not None
    rules = [rule("cant_attack"), rule("cant_block")]
    if "activated abilities" in text:
        rules.append(rule("activate", mana_abilities=pick(values, Player) is None))
    crew = Prohibit("crew", what)
    return Found((Static((*said_of(what, tuple(rules)), crew)),))


@meaning("combat_defender")
def combat_defender(text: str, values: list[Any]) -> Found:
    """What depends on the permanents of whoever is attacked (508.5)."""
    what, theirs = pick_all(values, Filter)
    if theirs.controller != "any" or theirs.zone != "battlefield":
        raise NotUnderstood(text)
    kind = "cant_be_blocked" if " be blocked " in text else "cant_attack"
    if " unless " in text:
        return Found((Static((AttackRule(kind, what, unless_defender=theirs),)),))
    return Found((Static((AttackRule(kind, what, if_defender=theirs),)),))


@meaning("combat_tax")
def combat_tax(text: str, values: list[Any]) -> Found:
    what = pick(values, Filter)
    assert what is not None
    symbols, where = str(pick(values, Symbols)), pick(values, WhereX)
    if ("X" in symbols) != (where is not None) or (where is not None and symbols != "{X}"):
        raise NotUnderstood("the tax")
    part = ManaPart(symbols) if where is None else ManaPart("{1}", repeat=known(where[0]))
    condition = pick_condition(values)
    if " can't block unless" in text:
        return Found((Static((AttackRule("block_tax", what, cost=(part,)),), condition),))
    return Found((Static((AttackRule("attack_tax", what, cost=(part,), **_whom(values)),), condition),))


@meaning("combat_except")
def combat_except(_: str, values: list[Any]) -> Found:
    but_not, what = pick_all(values, Filter)
    return Found((Static((AttackRule("cant_attack", but(what, none_of=(*what.none_of, but_not))),)),))


@meaning("combat_tax_one")
def combat_tax_one(text: str, values: list[Any]) -> Found:
    what = pick(values, Filter)
    assert what is not None
    each = pick(values, ForEach)
    cost = (ManaPart(str(pick(values, Symbols)), repeat=1 if each is None else known(each[0])),)
    effects: tuple[StaticEffect, ...] = (AttackRule("attack_tax", what, cost=cost),)
    if " or block unless" in text:
        effects = (*effects, AttackRule("block_tax", what, cost=cost))
    return Found((Static(effects),))


class Lured(msgspec.Struct, frozen=True):
    """Which creatures have to block."""

    by: Filter


@meaning("combat_lured")
def combat_lured(_: str, values: list[Any]) -> Lured:
    return Lured(values[0])


@meaning("combat_lure")
def combat_lure(_: str, values: list[Any]) -> Found:
    what, lured = pick(values, Filter), pick(values, Lured)
    assert what is not None and lured is not None
    by = None if lured.by == Filter(types=("Creature",)) else lured.by
    return Found((Static((AttackRule("lure", what, by=by),), _when(values, what)),))


def _when(values: list[Any], what: Filter) -> Condition | None:
    """The condition in front of a sentence, which may speak of what the sentence is about."""
    said = pick_condition(values)
    return None if said is None else of_subject(said, Effects((AttackRule("lure", what),)))


@meaning("combat_along_who")
def combat_along_who(text: str, values: list[Any]) -> Lured:
    """All of the attacking player's creatures of that kind: only these can attack."""
    if text == "all creatures that opponent controls":
        return Lured(Filter(types=("Creature",), controller="opponents"))
    return Lured(values[0])


@meaning("combat_along")
def combat_along(text: str, values: list[Any]) -> Found:
    """508.1d: creatures that attack if another one does."""
    first, along = pick(values, Filter), pick(values, Lured)
    assert first is not None and along is not None
    if first.zone != "battlefield" or along.by.zone != "battlefield":
        raise NotUnderstood(text)
    return Found((Static((AttackRule("attack_along", along.by, by=first),)),))


@meaning("combat_some")
def combat_some(text: str, _: list[Any]) -> Found:
    theirs = Filter(types=("Creature",), controller="opponents")
    if "attack you" in text:
        return Found((Static((AttackRule("someone_attacks", theirs, who="you", planeswalkers=True),)),))
    return Found((Static((AttackRule("someone_attacks", theirs),)),))


@meaning("combat_tapped_block")
def combat_tapped_block(text: str, _: list[Any]) -> Found:
    what = Filter(types=("Creature",), controller="you" if "you control" in text else "any")
    return Found((Static((AttackRule("tapped_block", what),)),))


@meaning("combat_most_at")
def combat_most_at(_: str, values: list[Any]) -> Found:
    if not isinstance(values[0], int):
        raise NotUnderstood("how many")
    rule_ = AttackRule("most_attackers", Filter(types=("Creature",)), n=values[0], defended=Filter(me=True))
    return Found((Static((rule_,)),))


@meaning("combat_most")
def combat_most(text: str, values: list[Any]) -> Found:
    n = pick(values, int)
    if n is None:
        raise NotUnderstood(text)
    if " can attack" in text:
        effect = AttackRule("most_attackers", Filter(types=("Creature",)), n=n, **_whom(values))
    else:
        effect = AttackRule("most_blockers", Filter(types=("Creature",)), n=n)
    return Found((Static((effect,), _when(values, Filter(me=True))),))


@meaning("combat_cant_block_with")
def combat_cant_block_with(text: str, values: list[Any]) -> Found:
    who = pick(values, Player)
    assert who is not None
    parity = "even" if " even " in text else "odd"
    what = Filter(types=("Creature",), controller=str(who), parity=parity)  # type: ignore[arg-type]
    return Found((Static((AttackRule("cant_block", what),)),))


@meaning("combat_smaller")
def combat_smaller(text: str, _: list[Any]) -> Found:
    weak = Filter(types=("Creature",), bounds=(Bound("power", "<" if "less" in text else ">", Stat("power")),))
    return Found((Static((AttackRule("cant_block", weak, by=Filter(me=True)),)),))


@meaning("company_greater")
def company_greater(_: str, __: list[Any]) -> Rules:
    return Rules((rule("along", by=Filter(types=("Creature",), bounds=(Bound("power", ">", Stat("power", "that")),))),))


@meaning("company_others")
def company_others(_: str, values: list[Any]) -> Rules:
    if not isinstance(values[0], int):
        raise NotUnderstood("how many")
    return Rules((rule("along", n=values[0]),))


@meaning("company_like")
def company_like(text: str, values: list[Any]) -> Rules:
    if values[0].me or values[0].zone != "battlefield":
        raise NotUnderstood(text)
    return Rules((rule("along", by=values[0]),))


@meaning("combat_company")
def combat_company(text: str, values: list[Any]) -> Found:
    """508.1c, 509.1b: what can do it only along with another creature."""
    what, company = pick(values, Filter), pick(values, Rules)
    assert what is not None and company is not None
    deed = "attack" if " can't attack " in text else "block"
    return Found((Static((AttackRule(f"{deed}s_along", what, **dict(company[0][1])),)),))


@meaning("defender_poisoned")
def defender_poisoned(_: str, __: list[Any]) -> Condition:
    return Compare(PlayerCounters("poison", "that"), ">=", 1)


@meaning("defender_monarch")
def defender_monarch(_: str, __: list[Any]) -> Condition:
    return Status("monarch", "that")


@meaning("defender_graveyard")
def defender_graveyard(_: str, values: list[Any]) -> Condition:
    return Compare(Count(Filter(zone="graveyard", owner="that")), ">=", known(values[0]))


@meaning("defender_fewer")
def defender_fewer(text: str, values: list[Any]) -> Condition:
    what = values[0]
    if what.controller != "any" or what.zone != "battlefield":
        raise NotUnderstood(text)
    return Compare(Count(but(what, controller="you")), ">", Count(but(what, controller="that")))


@meaning("combat_defender_is")
def combat_defender_is(text: str, values: list[Any]) -> Found:
    """508.5, 509.1b: what depends on the player who is attacked, or on the one who attacks."""
    what = pick(values, Filter)
    condition = pick_condition(values)
    assert what is not None and condition is not None
    if " can't block " in text and " attacking player" not in text:
        raise NotUnderstood(text)
    kind = "cant_attack" if " can't attack " in text else "cant_block"
    return Found((Static((AttackRule(kind, what, unless_they=condition),)),))


@meaning("combat_by_all")
def combat_by_all(_: str, values: list[Any]) -> Found:
    return Found((Static((AttackRule("blocked_by_all", values[0]),)),))
