"""Answers on their way out: JSON as format.md has it, and text that a player can follow. No rules here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from .solver.answer import CODES, Answer, Reason, UnreadLine
from .solver.telling import listed, mana, step_in_words
from .words import describe_action, numbered, value

Query = Mapping[str, Any]  # a question as format.md writes it


def to_json(value: Any) -> str:
    """One JSON document, indented for people; programs do not mind."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def to_text(answer: Answer, query: Query) -> str:
    """The verdict, then the plan as numbered lines (or the values), then the reasons with their rules."""
    lines = [headline(answer, query)]
    lines += _values(answer, query["kind"])
    lines += _plan(answer.values.get("plan") or ())
    lines += _spent(answer.values.get("spent") or {})
    said = {"step"} | ({"not_understood"} if answer.unread else set())  # by the plan, and by the lines below
    lines += [f"  because {_reason(reason)}" for reason in answer.because if reason.code not in said]
    lines += [f"  not understood: {_unread(line)}" for line in answer.unread]
    return "\n".join(lines)


# --- the verdict in one line ----------------------------------------------------------------------------------------


def headline(answer: Answer, query: Query) -> str:
    """The question answered in one sentence."""
    subject = _SUBJECTS.get(query["kind"], _default_subject)(query)
    if answer.verdict == "unknown":
        return f"Unknown {'whether ' if subject[1] else ''}{subject[0]}."
    if answer.verdict == "known":
        return _known(answer, query)
    sentence = subject[0] if answer.verdict == "yes" else subject[1]
    return f"{answer.verdict.capitalize()}: {sentence}{_details(answer)}."


def _details(answer: Answer) -> str:
    parts = []
    if "total_cost" in answer.values:
        parts.append(f"total cost {answer.values['total_cost'] or '{0}'}")
    if answer.values.get("x") is not None:
        parts.append(f"X = {answer.values['x']}")
    return f" ({', '.join(parts)})" if parts else ""


def _can(subject: str, done: str) -> tuple[str, str]:
    return f"{subject} can {done}", f"{subject} cannot {done}"


def _default_subject(query: Query) -> tuple[str, str]:
    return _can(f"this ({query['kind']})", "be done")


def _cast_all(query: Query) -> tuple[str, str]:
    return _can(listed(query["cards"]), "all be cast this step")


def _activate(query: Query) -> tuple[str, str]:
    ability = query.get("ability", 1)
    which = f"ability {ability}" if isinstance(ability, int) else f"the ability {ability!r}"
    return _can(f"{which} of {query.get('permanent') or query.get('card')}", "be activated")


def _legal(query: Query) -> tuple[str, str]:
    who, action = query["action"].get("who") or "you", describe_action(query["action"])
    return f"{who} may {action}", f"{who} may not {action}"


_SUBJECTS: dict[str, Callable[[Query], tuple[str, str]]] = {
    "can_pay": lambda q: _can(q["cost"] or "{0}", "be paid"),
    "can_cast": lambda q: _can(q["card"], "be cast"),
    "can_cast_all": _cast_all,
    "can_activate": _activate,
    "check": lambda q: ("this line is legal", "this line is not legal"),
    "legal": _legal,
    "could_produce": lambda q: (f"what {q['permanent']} could produce", ""),
    "outcomes": lambda q: (f"what {q['permanent']} adds", ""),
    "mana": lambda q: (f"what mana {q.get('player') or 'you'} could have", ""),
    "usable": lambda q: ("what can be used to pay", ""),
    "max_hand_size": lambda q: ("the maximum hand size", ""),
    "untaps": lambda q: ("what untaps", ""),
    "state_based": lambda q: ("which state-based actions are performed", ""),
    "characteristics": lambda q: (f"what {q['object']} is", ""),
}


def _known(answer: Answer, query: Query) -> str:
    values = answer.values
    match query["kind"]:
        case "could_produce":
            types = listed([f"{{{type_}}}" for type_ in values["types"]], "or")
            return f"{query['permanent']} could produce {types or 'no mana'}."
        case "outcomes":
            return f"{query['permanent']} adds {listed(map(mana, values['outcomes']), 'or') or 'no mana'}."
        case "max_hand_size":
            return f"Maximum hand size: {values['size']}."
        case "usable":
            return f"Can be used: {', '.join(values['usable']) or 'nothing'}."
        case "state_based":
            return "State-based actions:" if values["actions"] else "No state-based action is performed."
        case "mana":
            return "Mana that could be had:"
        case "untaps":
            return "In that untap step:" if any(values.get(key) for key in _UNTAPS) else "Nothing untaps."
        case "characteristics":
            return f"{query['object']} is now:"
        case kind:
            return f"{kind}:"


# --- values ---------------------------------------------------------------------------------------------------------


def _values(answer: Answer, kind: str) -> Iterator[str]:
    values = answer.values
    if kind == "mana":
        yield from _pools(values)
    elif kind == "untaps":
        yield from (f"  {_UNTAPS[key]}: {value(ids)}" for key, ids in values.items() if ids and key in _UNTAPS)
    elif kind == "characteristics":
        yield from _characteristics(values)
    elif kind == "state_based":
        yield from (f"  {describe_action(action)}" for action in values.get("actions", ()))
    if "unbounded" in values:
        types = listed([f"{{{t}}}" for t in values["unbounded"]["types"]])
        yield f"  as much {types} as wanted, with this loop:"
        yield from _plan(values["unbounded"].get("loop") or ())
    if "at" in values:
        yield f"  the first bad step is number {values['at']}"
    for flip in values.get("flips", ()):
        yield f"  it would be the other way with: {listed([describe_action(edit) for edit in flip])}"


_UNTAPS = {"must": "untaps", "may": "may untap, as far as allowed", "stays": "stays tapped"}


def _characteristics(values: Mapping[str, Any]) -> Iterator[str]:
    for key, it in values.items():
        if key != "abilities" and it not in (None, [], ()):
            yield f"  {key.replace('_', ' ')}: {value(it)}"
    for ability in values.get("abilities", ()):
        modelled = "" if ability.get("modelled") else " (not modelled)"
        yield f"  line {ability.get('line')}: {ability.get('text')}{modelled}"


def _pools(values: Mapping[str, Any]) -> Iterator[str]:
    for pool in values.get("maximal", ()):
        yield f"  {mana(pool)}"
    for pool in values.get("restricted", ()):
        yield f"  {value(pool)}"
    if values.get("count") == "more":
        yield "  and more"


# --- plans ----------------------------------------------------------------------------------------------------------


def _plan(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Numbered lines. Where some steps come before the total cost is locked in, the two phases are headed."""
    phased = any(step.get("phase") == "before" for step in steps)
    phase = None
    for number, step in enumerate(steps, 1):
        if phased and step.get("phase", "during") != phase:
            phase = step.get("phase", "during")
            yield "  first, with priority:" if phase == "before" else "  then, while paying:"
        yield f"  {number}. {step_in_words(step)}"


def _spent(spent: Mapping[str, Any]) -> Iterator[str]:
    amounts = {key: value for key in _SPENT if isinstance(value := spent.get(key), int) and value}
    costs = [numbered(value, _SPENT[key]) for key, value in amounts.items()]
    if spent.get("floating"):
        costs.append(f"{mana(spent['floating'])} left over")
    if costs:
        yield f"  it takes {listed(costs)}"


_SPENT = {
    "taps": "tap",
    "permanents_lost": "permanent lost",
    "cards_lost": "card lost",
    "counters": "counter",
    "life": "life",
    "damage": "damage",
}


# --- reasons --------------------------------------------------------------------------------------------------------


def _reason(reason: Reason) -> str:
    words = reason.text or CODES.get(reason.code, reason.code)
    if not reason.text and reason.objects:
        words += f": {', '.join(reason.objects)}"
    return f"{words} [CR {reason.rule}]" if reason.rule else words


def _unread(line: UnreadLine) -> str:
    return f"{line.card}, line {line.line} ({', '.join(line.subjects)})" + (f": {line.text}" if line.text else "")
