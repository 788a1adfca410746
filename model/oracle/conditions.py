"""Conditions: what must be so for an effect to apply or an ability to be activated."""

from __future__ import annotations

import re
from typing import Any, Literal

from ..abilities import (
    AllOf,
    Among,
    AnyOf,
    Calc,
    Compare,
    Condition,
    Count,
    Counters,
    Filter,
    HandSize,
    Is,
    Life,
    LinkedCount,
    Not,
    OfPlayers,
    Paid,
    Party,
    PlayerCounters,
    PoolTotal,
    Status,
    ThisTurn,
    Turn,
)
from .amounts import Reference, ThatMany
from .engine import NotUnderstood, meaning, pick, pick_all
from .nouns import Comparison, Patch, Text, but, color_after, merge, status
from .subjects import understood_words

_CONDITIONS = (AllOf, AnyOf, Compare, Is, Not, Paid, Status, Turn)


class Who(str):
    """A player reference, as a value of its own."""


def pick_condition(values: list[Any] | tuple[Any, ...]) -> Condition | None:
    return pick(values, *_CONDITIONS)


@meaning("condition_list")
def condition_list(text: str, values: list[Any]) -> Condition:
    """ "A and B", "A or B"."""
    parts = pick_all(values, *_CONDITIONS)
    return AnyOf(parts) if pick(values, Joiner) == " or " else AllOf(parts)


class Joiner(str):
    """The word between the last two conditions of a list."""


@meaning("cond_joiner")
def cond_joiner(text: str, _: list[Any]) -> Joiner:
    return Joiner(text)


@meaning("total_power")
def total_power(_: str, values: list[Any]) -> Compare:
    creatures = Filter(types=("Creature",), controller="you")
    return compare(Among("total", "power", creatures), pick(values, Comparison))


@meaning("cast_from_hand")
def cast_from_hand(text: str, _: list[Any]) -> Condition:
    if text.endswith("hand"):
        return Is("self", Filter(zone="any", from_zone="hand"))
    return Paid("cast")


@meaning("attacked_this_turn")
def attacked_this_turn(_: str, __: list[Any]) -> Condition:
    attacking = Is("self", Filter(zone="any", attacking=True))
    return AnyOf((attacking, Is("self", Filter(zone="any", noted="attacked"))))


@meaning("your_commander_here")
def your_commander_here(_: str, __: list[Any]) -> Compare:
    return compare(Count(Filter(commander=True, owner="you")), None)


@meaning("cards_exiled_with")
def cards_exiled_with(_: str, values: list[Any]) -> Compare:
    return compare(LinkedCount(), pick(values, Comparison))


@meaning("unspent_enough")
def unspent_enough(_: str, values: list[Any]) -> Compare:
    return compare(PoolTotal(), pick(values, Comparison))


@meaning("card_exiled")
def card_exiled(_: str, values: list[Any]) -> Compare:
    if (said := pick(values, Compare)) is not None:
        return said
    return Compare(LinkedCount(), ">=", 1)


@meaning("entered_this_turn")
def entered_this_turn(text: str, _: list[Any]) -> Is:
    return Is("self" if text.startswith("~") else "that", Filter(zone="any", entered_this_turn=True))


@meaning("turn_condition")
def turn_condition(text: str, _: list[Any]) -> Condition:
    if "that player's" in text:
        return Not(Turn("that"))
    return Turn("you" if text == "it's your turn" else "opponents")


@meaning("during_turn")
def during_turn(text: str, _: list[Any]) -> Turn:
    return Turn("you" if text.endswith("your turn") else "opponents")


@meaning("controller_word")
def controller_word(text: str, _: list[Any]) -> Who:
    fixed = {"you control": "you", "that player controls": "that", "they control": "that", "a player controls": "any"}
    fixed |= {"an opponent controls": "opponent", "any opponent controls": "opponent"}
    if text in ("defending player controls", "each opponent controls"):
        raise NotUnderstood(text)
    return Who(fixed.get(text, "opponents"))


@meaning("count_exact_more", "count_more_than", "count_number")
def count_word(text: str, values: list[Any]) -> Comparison:
    n = values[0]
    if isinstance(n, ThatMany):
        raise NotUnderstood(text)
    if text.startswith("exactly"):
        op = "=="
    elif text.startswith("more than"):
        op = ">"
    elif text.startswith("fewer than"):
        op = "<"
    else:
        op = "<=" if text.endswith((" fewer", " less")) else ">="
    return Comparison((op, n))


def compare(left: Any, how: Comparison | None) -> Compare:
    op, right = how if how is not None else (">=", 1)
    return Compare(left, op, right)


@meaning("counted_noun")
def counted_noun(_: str, values: list[Any]) -> Compare:
    what = pick(values, Filter)
    assert what is not None
    return compare(Count(what), pick(values, Comparison))


@meaning("control_condition")
def control_condition(_: str, values: list[Any]) -> Condition:
    who = pick(values, Who)
    said = pick_condition(values)
    assert said is not None and who is not None
    return controlled_by(said, str(who))


def controlled_by(condition: Condition, who: str) -> Condition:
    if isinstance(condition, AllOf):
        return AllOf(tuple(controlled_by(c, who) for c in condition.of))
    assert isinstance(condition, Compare)
    left = condition.left
    if who == "opponent" and isinstance(left, Count) and (condition.op, condition.right) != (">=", 1):
        return Compare(_of_one_opponent(left, condition.op), condition.op, condition.right)
    who = "opponents" if who == "opponent" else who
    if isinstance(left, Count):
        return Compare(Count(but(left.of, controller=who)), condition.op, condition.right)
    if isinstance(left, Among):
        return Compare(Among(left.how, left.what, but(left.of, controller=who)), condition.op, condition.right)
    raise NotUnderstood("control of that")


def _of_one_opponent(count: Count, op: str) -> OfPlayers:
    """How many the opponent controls for whom "an opponent controls … or more" holds most easily."""
    if op == "==":
        raise NotUnderstood("exactly as many")
    how: Literal["greatest", "least"] = "greatest" if op in (">=", ">") else "least"
    return OfPlayers(how, Count(but(count.of, controller="you")), "opponents")


@meaning("control_both")
def control_both(_: str, values: list[Any]) -> AllOf:
    return AllOf(tuple(compare(Count(merge([p])), None) for p in pick_all(values, Patch)))


@meaning("card_name_single")
def card_name_single(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("control_named_pair")
def control_named_pair(_: str, values: list[Any]) -> AllOf:
    names = (Filter(types=("Creature",), names=(str(t),)) for t in pick_all(values, Text))
    return AllOf(tuple(compare(Count(f), None) for f in names))


@meaning("control_none")
def control_none(text: str, values: list[Any]) -> Compare:
    what = pick(values, Filter)
    assert what is not None
    who = str(pick(values, Who) or "you")
    if who == "opponent":
        return Compare(_of_one_opponent(Count(what), "<"), "==", 0)
    return Compare(Count(but(what, controller=who)), "==", 0)


@meaning("control_least_total")
def control_least_total(_: str, values: list[Any]) -> Compare:
    return compare(Among("total", "power", Filter(types=("Creature",))), pick(values, Comparison))


@meaning("control_same_name")
def control_same_name(text: str, values: list[Any]) -> Condition:
    """N objects of one name: an object of which, with itself, there are N that share its name."""
    what = pick(values, Filter)
    n = values[0]
    assert what is not None
    return Compare(SameName(what), ">=", n)


def SameName(what: Filter) -> Any:
    return Among("greatest", "names", what)


@meaning("graveyard_condition", "there_are", "there_are_kinds")
def graveyard_condition(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    if said is None:
        what = pick(values, Filter, Among) or Among("different", "types", Filter(zone="graveyard", owner="you"))
        return compare(Count(what) if isinstance(what, Filter) else what, pick(values, Comparison))
    assert isinstance(said, Compare)
    if not isinstance(said.left, Count):
        return said
    if said.left.of.me:
        # The object itself, wherever the words before would look for it.
        where = "graveyard" if text.endswith("graveyard") else "exile"
        return Compare(Count(but(said.left.of, zone=where)), said.op, said.right)
    if text.endswith("your graveyard") and said.left.of.zone == "any":
        return Compare(Count(but(said.left.of, zone="graveyard", owner="you")), said.op, said.right)
    if said.left.of.zone == "any" and not said.left.of.any_of:
        raise NotUnderstood("no zone")
    return said


@meaning("card_kinds")
def card_kinds(text: str, _: list[Any]) -> Among | None:
    where = Filter(zone="graveyard", owner="you" if "your" in text else "any")
    return Among("different", "mana_value" if text.startswith("mana values") else "types", where)


@meaning("counters_on", "has_counter")
def counters_on(text: str, values: list[Any]) -> Compare:
    kind = str(pick(values, Text) or "")
    how = pick(values, Comparison)
    if " has no " in text or text.startswith("there are no "):
        how = Comparison(("==", 0))
    ref = pick(values, Reference)
    what = pick(values, Filter)
    if ref is not None:
        return compare(Counters(kind, on=str(ref)), how)  # type: ignore[arg-type]
    return compare(Counters(kind) if what is None or what.me else Counters(kind, among=what), how)


class Subject(str):
    """The Ref that an "is" clause is about."""


@meaning("is_subject")
def is_subject(text: str, values: list[Any]) -> Subject:
    if pick(values, Filter) is not None or "player" in text:
        raise NotUnderstood(text)
    if text in ("~", "it"):
        return Subject("self" if text == "~" else "that")
    return Subject("host" if text.startswith(("enchanted", "equipped")) else "that")


class Verb(str):
    pass


@meaning("is_verb")
def is_verb(text: str, _: list[Any]) -> Verb:
    return Verb(text.strip())


@meaning("is_status")
def is_status(text: str, _: list[Any]) -> Patch:
    if text in ("monstrous", "renowned", "saddled", "suspected", "harnessed"):
        return Patch(noted=text)
    if text == "your commander":
        return Patch(commander=True, owner="you")
    if text in ("modified", "historic"):
        return Patch(**{text: True})
    if text == "snow":
        return Patch(supertypes=("Snow",))
    return status(text, [])


@meaning("is_color")
def is_color(text: str, _: list[Any]) -> Patch:
    found = pick([merge([color_after(text, [])])], Filter) if text not in _COLOR_LETTERS else None
    return Patch(colors=_COLOR_LETTERS[text]) if found is None else Patch(color_count=text)


_COLOR_LETTERS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


@meaning("is_bounds")
def is_bounds(_: str, values: list[Any]) -> Patch:
    from .nouns import with_number_bound as with_numbers

    return with_numbers("", values)


@meaning("is_condition")
def is_condition(_: str, values: list[Any]) -> Condition:
    subject = pick(values, Subject)
    verb = pick(values, Verb)
    like = pick(values, Filter)
    patch = pick(values, Patch)
    keyword = pick(values, Text)
    assert subject is not None and verb is not None
    has = verb.startswith("has")
    if keyword is not None and patch is None and like is None:
        if not has:
            raise NotUnderstood("is a keyword")
        like = Filter(keyword=str(keyword))
    elif patch is not None:
        if has and not patch.get("bounds") and "any_of" not in patch:
            raise NotUnderstood("has a status")
        like = merge([patch])
    elif has:
        raise NotUnderstood("has a thing")
    if like is None or like.me is not None or like.ref is not None:
        raise NotUnderstood("is itself")
    out = Is(str(subject), but(like, zone="any"))  # type: ignore[arg-type]
    return Not(out) if "not" in verb or "n't" in verb else out


@meaning("life_condition")
def life_condition(text: str, values: list[Any]) -> Condition:
    if text.startswith(("an opponent has ", "a player has ")):
        how = pick(values, Comparison)
        if how is None:
            raise NotUnderstood(text)
        # Some player of several: the one with the most life, or with the least.
        raise NotUnderstood(text)
    if "more than your starting" in text or text.startswith(("you have more life", "an opponent has more")):
        raise NotUnderstood(text)
    return compare(Life(), pick(values, Comparison))


@meaning("hand_condition")
def hand_condition(text: str, values: list[Any]) -> Condition:
    if text == "you have no cards in hand":
        return Compare(HandSize(), "==", 0)
    if text.startswith("you have "):
        how = pick(values, Comparison)
        return Compare(HandSize(), "==", values[0]) if how is None else compare(HandSize(), how)
    raise NotUnderstood(text)


NOT_STATED = Status("not_stated")  # what situations have no words for: nobody can tell whether it is so
_HISTORY: dict[str, Condition] = {
    "you played a land this turn": Compare(ThisTurn("lands_played"), ">=", 1),
    "you've played a land this turn": Compare(ThisTurn("lands_played"), ">=", 1),
    "a creature died this turn": Compare(ThisTurn("creatures_died", "any"), ">=", 1),
    "you gained life this turn": Compare(ThisTurn("life_gained"), ">=", 1),
    "you've gained life this turn": Compare(ThisTurn("life_gained"), ">=", 1),
    "you lost life this turn": Compare(ThisTurn("life_lost"), ">=", 1),
    "an opponent lost life this turn": Compare(ThisTurn("life_lost", "opponents"), ">=", 1),
    "you've cast another spell this turn": Compare(ThisTurn("spells_cast"), ">=", 1),
    "you've cast a spell this turn": Compare(ThisTurn("spells_cast"), ">=", 1),
    "you haven't cast a spell this turn": Compare(ThisTurn("spells_cast"), "==", 0),
    "you've discarded a card this turn": Compare(ThisTurn("discarded"), ">=", 1),
    "you attacked this turn": Compare(ThisTurn("attacked"), ">=", 1),
    "you attacked with a creature this turn": Compare(ThisTurn("attacked"), ">=", 1),
    "you've committed a crime this turn": Compare(ThisTurn("crimes"), ">=", 1),
    "you descended this turn": Compare(ThisTurn("descended"), ">=", 1),
}


@meaning("history_condition")
def history_condition(text: str, values: list[Any]) -> Condition:
    if text in _HISTORY:
        return _HISTORY[text]
    how = pick(values, Comparison)
    if how is not None and "spells" in text:
        return compare(ThisTurn("spells_cast"), how)
    if how is not None and "drawn" in text:
        return compare(ThisTurn("drawn"), how)
    return NOT_STATED


_STATUS = {
    "you've completed a dungeon": Status("completed_dungeon"),
    "you have the initiative": Status("initiative"),
    "you're the monarch": Status("monarch"),
    "an opponent is the monarch": Status("monarch", "opponents"),
    "you have the city's blessing": Status("citys_blessing"),
    "you have max speed": Status("max_speed"),
    "you're at max speed": Status("max_speed"),
    "it's night": Status("night"),
    "it's day": Status("day"),
}


@meaning("status_condition")
def status_condition(text: str, _: list[Any]) -> Condition:
    if text == "you don't have the city's blessing":
        return Not(Status("citys_blessing"))
    if text not in _STATUS:
        raise NotUnderstood(text)
    return _STATUS[text]


@meaning("amount_compare")
def amount_compare(_: str, values: list[Any]) -> Compare:
    left = values[0]
    if isinstance(left, (int, ThatMany, Comparison)):
        raise NotUnderstood("no amount")
    return compare(left, pick(values, Comparison))


@meaning("paid_condition")
def paid_condition(text: str, _: list[Any]) -> Paid:
    if text.startswith("evidence"):
        return Paid("collect evidence")
    return Paid("bargain" if text.endswith("bargained") else "kicker")


# --- several players --------------------------------------------------------------------------------------------------


@meaning("compare_who")
def compare_who(text: str, _: list[Any]) -> Who:
    return Who("opponents" if text.endswith("opponent") else "any")


def of_some_player(of: Any, how: Comparison, who: str) -> Compare:
    """Whether some player has so much: the greatest or the least of them tells."""
    op, n = how
    if op not in (">=", ">", "<=", "<") or isinstance(n, ThatMany):
        raise NotUnderstood("of which player")
    return Compare(OfPlayers("greatest" if op.startswith(">") else "least", of, who), op, n)  # type: ignore[arg-type]


@meaning("opponent_graveyard", "opponent_life", "opponent_hand", "opponent_poison", "opponent_history")
def opponent_has(text: str, values: list[Any]) -> Compare:
    who = str(pick(values, Who))
    how = pick(values, Comparison)
    if how is not None and how[0] == "==" and " exactly " not in text:
        how = Comparison((">=", how[1]))
    if text.endswith("graveyard"):
        of: Any = Count(Filter(zone="graveyard", owner="you"))
    elif text.endswith(" life"):
        of = Life()
    elif text.endswith("in hand"):
        of, how = HandSize(), Comparison(("<=", 0)) if how is None else how
    elif "poison" in text:
        of, how = PlayerCounters("poison"), how or Comparison((">=", 1))
    else:
        of, how = ThisTurn("drawn" if " cards " in text else "spells_cast"), how or Comparison((">=", 1))
    assert how is not None
    return of_some_player(of, how, who)


@meaning("more_by")
def more_by(_: str, values: list[Any]) -> Comparison:
    return Comparison((">=", values[0]))


@meaning("more_than_you")
def more_than_you(_: str, values: list[Any]) -> Compare:
    what, who, by = pick(values, Filter), str(pick(values, Who)), pick(values, Comparison)
    assert what is not None
    mine = Count(but(what, controller="you"))
    theirs = OfPlayers("greatest", mine, who)  # type: ignore[arg-type]
    return Compare(theirs, ">", mine) if by is None else Compare(theirs, ">=", Calc("+", (mine, by[1])))


@meaning("more_than_each")
def more_than_each(text: str, values: list[Any]) -> Compare:
    what = pick(values, Filter)
    mine = HandSize() if what is None else Count(but(what, controller="you"))
    return Compare(mine, ">", OfPlayers("greatest", mine))


@meaning("no_opponent")
def no_opponent(text: str, values: list[Any]) -> Compare:
    what = pick(values, Filter)
    assert what is not None
    return Compare(Count(what if "player" in text else but(what, controller="opponents")), "==", 0)


@meaning("any_controls")
def any_controls(text: str, values: list[Any]) -> Compare:
    what = pick(values, Filter)
    assert what is not None
    return Compare(Count(what if "player" in text else but(what, controller="opponents")), ">=", 1)


@meaning("none_there", "you_have_there")
def of_cards(text: str, values: list[Any]) -> Compare:
    """Cards in a hand, a graveyard or exile: "you have no land cards in hand"."""
    said, what = pick_condition(values), pick(values, Filter)
    if isinstance(said, Compare) and isinstance(said.left, Count):
        op, n, what = said.op, said.right, said.left.of
    else:
        op, n = "==", 0
    if what is None:
        raise NotUnderstood(text)
    if text.endswith((" in hand", " in your hand")) and what.zone in ("any", "hand"):
        what = but(what, zone="hand", owner="you")
    if what.zone not in ("hand", "graveyard", "exile", "library"):
        raise NotUnderstood(text)
    return Compare(Count(what), op, n)  # type: ignore[arg-type]


@meaning("life_above_start")
def life_above_start(_: str, values: list[Any]) -> Compare:
    if not values:
        return Compare(Life(), ">", Life(what="starting"))
    return Compare(Life(), ">=", Calc("+", (Life(what="starting"), values[0])))


@meaning("alone")
def alone(text: str, _: list[Any]) -> AllOf:
    """506.5: it is the only attacker."""
    ref = "host" if text.startswith(("enchanted", "equipped")) else "that" if text.startswith("it") else "self"
    one = Compare(Count(Filter(types=("Creature",), attacking=True)), "==", 1)
    return AllOf((Is(ref, Filter(zone="any", attacking=True)), one))  # type: ignore[arg-type]


@meaning("on_battlefield")
def on_battlefield(text: str, values: list[Any]) -> Condition:
    said = pick_condition(values)
    assert isinstance(said, Compare) and isinstance(said.left, Count)
    if said.left.of.me or said.left.of.ref is not None or said.left.of.zone != "battlefield":
        raise NotUnderstood(text)
    return said


@meaning("other_aura")
def other_aura(_: str, __: list[Any]) -> AllOf:
    others = Filter(subtypes=("Aura",), attached_to="host", none_of=(Filter(me=True),))
    return AllOf((Is("host", Filter(zone="any")), Compare(Count(others), ">=", 1)))


@meaning("enchanted_by")
def enchanted_by(text: str, values: list[Any]) -> AllOf:
    auras = Filter(subtypes=("Aura",), attached_to="self")
    return AllOf((Is("self", Filter(zone="any")), compare(Count(auras), pick(values, Comparison))))


@meaning("enchanted_equipped")
def enchanted_equipped(_: str, __: list[Any]) -> AllOf:
    kinds = (Filter(subtypes=(kind,), attached_to="self") for kind in ("Aura", "Equipment"))
    return AllOf((Compare(Counters(""), ">=", 1), *(Compare(Count(kind), ">=", 1) for kind in kinds)))


@meaning("full_party")
def full_party(_: str, __: list[Any]) -> Compare:
    return Compare(Party(), "==", 4)


@meaning("open_condition")
def open_condition(text: str, _: list[Any]) -> Condition:
    """A condition that no structure says: whatever rests on it is unknown."""
    if not understood_words(text) or (text.startswith("~") and _PLACE.search(text)):
        raise NotUnderstood(text)  # of the object's own place: such an ability works elsewhere too (113.6)
    return spoken_of(text, NOT_STATED)


_PLACE = re.compile(
    r"on the battlefield|in (?:your|a|an|the|its|any|their) |command zone|on the stack|exile|library|hand\b"
)


def spoken_of(text: str, condition: Condition) -> Condition:
    """The condition with the object that it speaks of, which "it" is afterwards."""
    if text.startswith(("enchanted ", "equipped ")):
        return AllOf((Is("host", Filter(zone="any")), condition))
    return AllOf((Is("self", Filter(zone="any")), condition)) if "~" in text else condition


@meaning("stated_nowhere", "you_do")
def stated_nowhere(text: str, _: list[Any]) -> Condition:
    if not understood_words(text):
        raise NotUnderstood(text)
    if text.endswith("paired with another creature"):
        others = Filter(types=("Creature",), controller="you", me=False)
        return AllOf((Compare(Count(others), ">=", 1), NOT_STATED))
    return spoken_of(text, NOT_STATED)


@meaning("attached_condition")
def attached_condition(_: str, __: list[Any]) -> Is:
    return Is("host", Filter(types=("Creature",)))
