"""Answers on their way out: JSON as format.md has it, and text that a player can follow. No rules here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from .solver.answer import CODES, Answer, Reason, UnreadLine

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
    lines += [f"  because {_reason(reason)}" for reason in answer.because]
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
    return _can(_and(query["cards"]), "all be cast this step")


def _activate(query: Query) -> tuple[str, str]:
    ability = query.get("ability", 1)
    which = f"ability {ability}" if isinstance(ability, int) else f"the ability {ability!r}"
    return _can(f"{which} of {query.get('permanent') or query.get('card')}", "be activated")


def _legal(query: Query) -> tuple[str, str]:
    action = describe_action(query["action"])
    return f"to {action} is legal", f"to {action} is not legal"


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
            return f"{query['permanent']} could produce {_or([f'{{{t}}}' for t in values['types']]) or 'no mana'}."
        case "outcomes":
            return f"{query['permanent']} adds {_or([mana(m) for m in values['outcomes']]) or 'no mana'}."
        case "max_hand_size":
            return f"Maximum hand size: {values['size']}."
        case "usable":
            return f"Can be used: {', '.join(values['usable']) or 'nothing'}."
        case "state_based":
            return "State-based actions:" if values["actions"] else "No state-based action is performed."
        case "mana":
            return "Mana that could be had:"
        case "untaps":
            return "In that untap step:"
        case "characteristics":
            return f"{query['object']} is now:"
        case kind:
            return f"{kind}:"


# --- values ---------------------------------------------------------------------------------------------------------


def _values(answer: Answer, kind: str) -> Iterator[str]:
    values = answer.values
    if kind == "mana":
        yield from _pools(values)
    elif kind in ("untaps", "characteristics"):
        yield from (f"  {key.replace('_', ' ')}: {_value(value)}" for key, value in values.items())
    elif kind == "state_based":
        yield from (f"  {describe_action(action)}" for action in values.get("actions", ()))
    if "unbounded" in values:
        types = _and([f"{{{t}}}" for t in values["unbounded"]["types"]])
        yield f"  as much {types} as wanted, with this loop:"
        yield from _plan(values["unbounded"].get("loop") or ())
    if "at" in values:
        yield f"  the first bad step is number {values['at']}"
    for flip in values.get("flips", ()):
        yield f"  it would be the other way with: {_and([describe_action(edit) for edit in flip])}"


def _pools(values: Mapping[str, Any]) -> Iterator[str]:
    for pool in values.get("maximal", ()):
        yield f"  {mana(pool)}"
    for pool in values.get("restricted", ()):
        yield f"  {_value(pool)}"
    if values.get("count") == "more":
        yield "  and more"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) or "nothing"
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_value(part)}" for key, part in value.items())
    return "none" if value is None else str(value)


def mana(amount: str | Mapping[str, int]) -> str:
    """Mana for reading: `{G}{G}`, and `531441 {G}` where symbols would be too many."""
    if isinstance(amount, str):
        return amount or "no mana"
    return " + ".join(f"{n} {{{type_}}}" for type_, n in amount.items()) or "no mana"


# --- plans ----------------------------------------------------------------------------------------------------------


def _plan(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Numbered lines. Where some steps come before the total cost is locked in, the two phases are headed."""
    phased = any(step.get("phase") == "before" for step in steps)
    phase = None
    for number, step in enumerate(steps, 1):
        if phased and step.get("phase", "during") != phase:
            phase = step.get("phase", "during")
            yield "  first, with priority:" if phase == "before" else "  then, while paying:"
        yield f"  {number}. {describe_step(step)}"


def describe_step(step: Mapping[str, Any]) -> str:
    """One step of a plan in a sentence that a player can follow."""
    if "activate" in step:
        return _activation(step)
    if "pay" in step:
        sources = [_from(part) for part in step.get("with", {}).get("mana", ())]
        others = _costs({k: v for k, v in step.get("with", {}).items() if k != "mana"})
        times = f" {step['n']} times" if "n" in step else ""
        return ", ".join([f"pay {step['pay']}{times}" + (f" with {_and(sources)}" if sources else ""), *others])
    return describe_action(step)


def _activation(step: Mapping[str, Any]) -> str:
    """`tap Mystic Gate (ability 2), paying {U} from Island, for {W}{U}`"""
    name, costs = step["activate"], dict(step.get("with", {}))
    tapped = list(costs.pop("tap", ()))
    sentence = f"activate {name}"
    if name in tapped:
        tapped.remove(name)
        sentence = f"tap {name}"
    if step.get("ability", 1) != 1:
        sentence += f" (ability {step['ability']})"
    if step.get("x") is not None:
        sentence += f" with X = {step['x']}"
    parts = [*_costs({**({"tap": tapped} if tapped else {}), **costs})]
    parts += [f"{key} {_value(choice)}" for key, choice in step.get("choices", {}).items()]
    sentence = ", ".join([sentence, *parts])
    if "produces" in step:
        sentence += f"{',' if parts else ''} for {mana(step['produces'])}"
    if step.get("order"):
        sentence += f" (changed by {', then by '.join(step['order'])})"
    return sentence + "".join(f"; {extra['source']} adds {mana(extra['adds'])}" for extra in step.get("triggered", ()))


def _costs(costs: Mapping[str, Any]) -> Iterator[str]:
    for key, value in costs.items():
        if key == "mana":
            yield f"paying {_and(_from(part) for part in value)}"
        elif key == "life":
            yield f"paying {value} life"
        elif key in ("counters_removed", "counters_put"):
            verb, at = ("removing", "from") if key == "counters_removed" else ("putting", "on")
            yield from (f"{verb} {_number(n, f'{kind} counter')} {at} {id_}" for id_, kind, n in value)
        elif key == "player_counters":
            yield f"paying {_and(_number(n, f'{kind} counter') for kind, n in value)}"
        else:
            yield f"{_GERUNDS.get(key, key.replace('_', ' '))} {_value(value)}"


_GERUNDS = {
    "tap": "tapping",
    "untap": "untapping",
    "sacrifice": "sacrificing",
    "discard": "discarding",
    "exile": "exiling",
    "return": "returning to hand",
    "move": "moving",
    "reveal": "revealing",
    "mill": "milling",
}


def _from(part: Mapping[str, Any]) -> str:
    return mana(part["mana"]) + (f" from {part['from']}" if "from" in part else "")


def describe_action(action: Mapping[str, Any]) -> str:
    """An action, edit or step as words: its keys in written order."""
    return ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in action.items())


def _spent(spent: Mapping[str, Any]) -> Iterator[str]:
    amounts = {key: value for key in _SPENT if isinstance(value := spent.get(key), int) and value}
    costs = [_number(value, _SPENT[key]) for key, value in amounts.items()]
    if spent.get("floating"):
        costs.append(f"{mana(spent['floating'])} left over")
    if costs:
        yield f"  it takes {_and(costs)}"


_SPENT = {
    "taps": "tap",
    "permanents_lost": "permanent lost",
    "cards_lost": "card lost",
    "counters": "counter",
    "life": "life",
    "damage": "damage",
}


def _number(n: int, noun: str) -> str:
    """`2 taps`, `1 permanent lost`, `3 life`"""
    if n == 1 or noun in ("life", "damage"):
        return f"{n} {noun}"
    word, space, rest = noun.partition(" ") if noun.endswith(" lost") else (noun, "", "")
    return f"{n} {word}s{space}{rest}"


# --- reasons --------------------------------------------------------------------------------------------------------


def _reason(reason: Reason) -> str:
    words = reason.text or CODES.get(reason.code, reason.code)
    if not reason.text and reason.objects:
        words += f": {', '.join(reason.objects)}"
    return f"{words} [CR {reason.rule}]" if reason.rule else words


def _unread(line: UnreadLine) -> str:
    return f"{line.card}, line {line.line} ({', '.join(line.subjects)})" + (f": {line.text}" if line.text else "")


def _and(items: Iterable[str]) -> str:
    return _joined(list(items), "and")


def _or(items: Iterable[str]) -> str:
    return _joined(list(items), "or")


def _joined(items: list[str], word: str) -> str:
    return f" {word} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
