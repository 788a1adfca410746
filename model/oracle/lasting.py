"""Effects of resolutions that change untap steps, hand size, land plays or one combat for a while (611.2)."""

from __future__ import annotations

from typing import Any, Literal

from ..abilities import (
    AttackRule,
    Become,
    CostChange,
    DontUntap,
    Filter,
    LoyaltyRule,
    MaxHandSize,
    Permission,
    SkipStep,
    Static,
    StaticEffect,
    Target,
    Who,
)
from .cost_changes import Word, caster_and_spells
from .costs import Symbols
from .effects import Lasts, Subject
from .engine import NotUnderstood, meaning, pick
from .untap import HandChange, Players

NEXT = "next_untap_step"
ANY_NUMBER = 999  # lands: more than anybody holds


def _lasts(effect: StaticEffect, until: str, *targets: Target | None) -> Lasts:
    return Lasts(Become((Static((effect,)),), until), tuple(t for t in targets if t is not None))  # type: ignore[arg-type]


def _player_of(what: Filter, text: str) -> Target | None:
    """The player whom the description targets ("creatures target opponent controls")."""
    parts = (what, *what.any_of)
    if not any("target" in (p.controller, p.owner) for p in parts):
        return None
    return Target(players="opponents" if "target opponent" in text else "any")


@meaning("next_subject", "combat_subject")
def next_subject(_: str, values: list[Any]) -> Subject:
    """ "They" and "those creatures" are the targets that were spoken of before."""
    return pick(values, Subject) or Subject(Filter(ref="target"))


@meaning("next_untap")
def next_untap(text: str, values: list[Any]) -> Lasts:
    subject = pick(values, Subject)
    assert subject is not None
    if "during target player's" in text:
        return _lasts(DontUntap(subject.what, "target"), NEXT, subject.target, Target(players="any"))
    return _lasts(DontUntap(subject.what), NEXT, subject.target, _player_of(subject.what, text))


@meaning("tapped_next_untap")
def tapped_next_untap(_: str, values: list[Any]) -> Lasts:
    target = pick(values, Target)
    if target is not None and target.what is None:
        raise NotUnderstood("what is tapped")
    return _lasts(DontUntap(Filter(ref="target")), NEXT, target)


@meaning("stays_while")
def stays_while(text: str, values: list[Any]) -> Lasts:
    """It lasts as long as something stays as it is: a situation lists the effect while that is so."""
    subject = pick(values, Subject)
    assert subject is not None
    return _lasts(DontUntap(subject.what), "forever", subject.target, _player_of(subject.what, text))


class Skipping(str):
    """Who skips the step."""


@meaning("skip_yours")
def skip_yours(_: str, __: list[Any]) -> Skipping:
    return Skipping("you")


@meaning("skip_player")
def skip_player(text: str, values: list[Any]) -> tuple[Any, ...]:
    target = pick(values, Target)
    words: dict[str, Who] = {"each opponent": "opponents", "each player": "any", "you": "you", "that player": "that"}
    return (Skipping("target"), target) if target is not None else (Skipping(words[text]),)


@meaning("skip_next_untap")
def skip_next_untap(_: str, values: list[Any]) -> Lasts:
    said = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
    who = pick(said, Skipping)
    if who is None or who == "that":
        raise NotUnderstood("which player")
    return _lasts(SkipStep("untap", str(who)), NEXT, pick(said, Target))  # type: ignore[arg-type]


@meaning("hand_size_for")
def hand_size_for(text: str, values: list[Any]) -> Lasts:
    change, who = pick(values, HandChange), pick(values, Players)
    assert change is not None and who is not None
    how, n = change
    until = "your_next_turn" if text.endswith("next turn") else "forever"
    return _lasts(MaxHandSize(how, n, str(who)), until)  # type: ignore[arg-type]


@meaning("any_lands")
def any_lands(_: str, __: list[Any]) -> int:
    return ANY_NUMBER


@meaning("more_lands_now")
def more_lands_now(_: str, values: list[Any]) -> Lasts:
    n = pick(values, int)
    if n is None:
        raise NotUnderstood("how many")
    return _lasts(Permission(extra_land_drops=n), "end_of_turn")


@meaning("costs_now")
def costs_now(_: str, values: list[Any]) -> Lasts:
    """ "Artifact spells you cast this turn cost {1} less to cast"."""
    what, symbols, way = pick(values, Filter), pick(values, Symbols), pick(values, Word)
    assert what is not None and symbols is not None
    if "X" in symbols:
        raise NotUnderstood("X")
    who, spells = caster_and_spells(what)
    how: Literal["more", "less"] = "more" if way == "more" else "less"
    return _lasts(CostChange(how, str(symbols), spells=spells, who=who), "end_of_turn")


@meaning("loyalty_once_more")
def loyalty_once_more(_: str, values: list[Any]) -> Lasts:
    """Each resolution allows one more activation (606.3)."""
    return _lasts(LoyaltyRule(values[0], extra=1), "end_of_turn")


@meaning("loyalty_twice_now")
def loyalty_twice_now(_: str, values: list[Any]) -> Lasts:
    return _lasts(LoyaltyRule(values[0], per_turn=2), "end_of_turn")


class Deed(str):
    """What a creature must do: the kind of AttackRule."""


@meaning("attack_now")
def attack_now(_: str, __: list[Any]) -> Deed:
    return Deed("must_attack")


@meaning("block_now")
def block_now(_: str, __: list[Any]) -> Deed:
    return Deed("must_block")


@meaning("be_blocked_now")
def be_blocked_now(_: str, __: list[Any]) -> Deed:
    return Deed("must_be_blocked")


@meaning("this_combat")
def this_combat(text: str, values: list[Any]) -> Lasts:
    subject, deed = pick(values, Subject), pick(values, Deed)
    assert subject is not None and deed is not None
    rule = AttackRule(str(deed), subject.what)
    return _lasts(rule, "end_of_turn", subject.target, _player_of(subject.what, text))
