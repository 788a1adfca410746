"""How: a plan as sentences that a person can follow at the table.

`line_in_words` needs the plan alone: what is tapped or given up, what that makes, what each cost is paid with.
`how` adds what the board tells: which replacement effect changes the mana when, and why that order is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..model.abilities import Activated
from ..model.characteristics import View
from ..model.evaluate import Context
from ..model.game import Unknown
from ..model.mana import ManaError, parse_mana
from ..model.replacement_graph import Change, changes, event_text, start_of
from .answer import Reason

Step = Mapping[str, Any]


def line_in_words(plan: Sequence[Step]) -> list[str]:
    """Each step of a plan as a sentence."""
    return [step_in_words(step) for step in plan]


def step_in_words(step: Step) -> str:
    if "activate" in step and "produces" in step:
        return _activation(step)
    if "pay" in step:
        return _payment(step)
    for verb in ("cast", "activate", "play_land"):
        if verb in step:
            return _announcement(verb, step)
    return "; ".join(f"{key.replace('_', ' ')} {_shown(value)}" for key, value in step.items())


def _announcement(verb: str, step: Step) -> str:
    """`cast Cryptic Command, total cost {1}{U}{U}{U}, with kicker`"""
    what = f"ability {step.get('ability', 1)} of {step[verb]}" if verb == "activate" else str(step[verb])
    said = [f"{'play' if verb == 'play_land' else verb} {what}"]
    if "x" in step:
        said.append(f"X = {step['x']}")
    if step.get("targets"):
        said.append(f"targeting {listed(step['targets'])}")
    if step.get("using"):
        said.append(f"with {listed(map(_way, step['using']))}")
    if "total_cost" in step:
        said.append(f"total cost {step['total_cost'] or '{0}'}")
    return ", ".join(said)


def _way(way: Any) -> str:
    return f"the alternative cost of {way['alternative']}" if isinstance(way, Mapping) else str(way)


def _activation(step: Step) -> str:
    """`tap Mystic Gate (ability 2), paying {U} from Island, for {W}{U}`; what mana pays is told as it is paid."""
    oid, paid = step["activate"], dict(step.get("with", {}))
    tapped = list(paid.pop("tap", ()))
    start = f"tap {oid}" if oid in tapped else f"activate {oid}"
    if oid in tapped:
        tapped.remove(oid)
    if step.get("ability", 1) != 1:
        start += f" (ability {step['ability']})"
    if step.get("x") is not None:
        start += f" with X = {step['x']}"
    parts = [start, *_costs({**({"tap": tapped} if tapped else {}), **paid})]
    parts += [f"{key} {_shown(choice)}" for key, choice in step.get("choices", {}).items()]
    sentence = ", ".join(parts) + f"{',' if len(parts) > 1 else ''} for {mana(step['produces'])}"
    if step.get("order"):
        sentence += f" (changed by {', then by '.join(in_runs(step['order']))})"
    for extra in step.get("triggered", ()):
        sentence += f"; {extra['source']} adds {mana(extra['adds'])}"
    return sentence


def _payment(step: Step) -> str:
    """`pay {U}{U} with {U} from Island and {U} from Mystic Gate`"""
    paid = dict(step.get("with", {}))
    sources = [_from(part) for part in paid.pop("mana", ())]
    times = f" {step['n']} times" if "n" in step else ""
    if step["pay"] == "other":
        return f"pay the rest: {listed(_costs(paid)) or 'nothing'}"
    return ", ".join([f"pay {step['pay']}{times}" + (f" with {listed(sources)}" if sources else ""), *_costs(paid)])


def _from(part: Step) -> str:
    return mana(part["mana"]) + (f" from {part['from']}" if "from" in part else "")


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
    "convoke": "tapping for convoke",
    "improvise": "tapping for improvise",
    "waterbend": "tapping for waterbend",
    "delve": "exiling for delve",
}


def _costs(costs: Step) -> Iterator[str]:
    for key, paid in costs.items():
        match key:
            case "mana":
                yield f"paying {listed(_from(part) for part in paid)}"
            case "life":
                yield f"paying {paid} life"
            case "counters_removed":
                yield from (f"removing {_some(n, f'{kind} counter')} from {oid}" for oid, kind, n in paid)
            case "counters_put":
                yield from (f"putting {_some(n, f'{kind} counter')} on {oid}" for oid, kind, n in paid)
            case "player_counters":
                yield f"paying {listed(_some(n, f'{kind} counter') for kind, n in paid)}"
            case _:
                yield f"{_GERUNDS.get(key, key.replace('_', ' '))} {_shown(paid)}"


def base(oid: str) -> str:
    """The name in an id: `Forest` of `Forest#3`."""
    return oid.partition("#")[0]


def in_runs(ids: Iterable[str]) -> list[str]:
    """Ids with those of one name that follow each other told together: `10 Nyxbloom Ancient`."""
    runs = [(name, list(some)) for name, some in groupby(ids, key=base)]
    return [some[0] if len(some) == 1 else f"{len(some)} {name}" for name, some in runs]


def _some(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def mana(amount: Any) -> str:
    """Mana for reading: `{G}{G}`, or `531441 {G}` where symbols would be too many."""
    if isinstance(amount, str):
        return amount or "no mana"
    return " + ".join(f"{n} {{{type_}}}" for type_, n in amount.items()) or "no mana"


def listed(items: Iterable[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`"""
    words = list(items)
    return f" {word} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return listed(map(_shown, value)) or "nothing"
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_shown(part)}" for key, part in value.items())
    return str(value)


# --- with the board ---------------------------------------------------------------------------------------------------


def how(view: View, player: str, plan: Sequence[Step]) -> tuple[Reason, ...]:
    """The plan as reasons, a step each, and the order of the replacement effects of each activation that has some."""
    found: list[Reason] = []
    for step in plan:
        found.append(Reason("step", _rule(step), _object(step), step_in_words(step)))
        if step.get("order") and (ordered := _ordered(view, player, step)) is not None:
            found.append(ordered)
    return tuple(dict.fromkeys(found))


def _rule(step: Step) -> str:
    if "pay" in step:
        return "601.2h"
    if "activate" in step:
        return "605.3b" if "produces" in step else "602.2"
    return "601.2a" if "cast" in step else ""


def _object(step: Step) -> tuple[str, ...]:
    named = step.get("activate") or step.get("cast")
    return (named,) if isinstance(named, str) else ()


def _ordered(view: View, player: str, step: Step) -> Reason | None:
    """Which effect changes the mana when, and why that may be; nothing where there is no other way."""
    oid, order = step["activate"], tuple(step["order"])
    try:
        done = _changes(view, player, step)
    except (Unknown, ManaError, KeyError):
        done = None
    if done is None:
        text = f"{oid}: its mana is changed by {', then by '.join(in_runs(order))}, as its controller chooses"
        return Reason("ordered", "616.1", (oid, *order), text)
    if len({base(source) for change in done for source in (change.source, *change.others)}) < 2:
        return None
    return Reason("ordered", "616.1", (oid, *order), f"{oid}: {order_in_words(done)}")


def _changes(view: View, player: str, step: Step) -> tuple[Change, ...] | None:
    oid = step["activate"]
    if oid not in view.game.objects:
        return None
    has = next((h for h in view.abilities(oid) if h.number == step.get("ability", 1)), None)
    if has is None or not isinstance(has.ability, Activated):
        return None
    start = start_of(view, oid, has.ability, Context(view, source=oid, you=player, x=step.get("x")))
    return changes(start, step["order"], parse_mana(step["produces"]))


def order_in_words(done: Sequence[Change]) -> str:
    """`{G} becomes {G}{G} by Mana Reflection, then {C} by Damping Sphere, which can be applied only now (616.2)`"""
    parts = []
    for _, some in groupby(done, key=lambda change: (base(change.source), change.newly)):
        run = list(some)
        new = ", which can be applied only now (616.2)" if run[0].newly else ""
        parts.append(f"{event_text(run[-1].after)} by {in_runs(c.source for c in run)[0]}{new}")
    several = any({base(other) for other in c.others} - {base(c.source)} for c in done)
    last = "; where several could be applied, its controller chooses which is next (616.1e)" if several else ""
    return f"{event_text(done[0].before)} becomes {', then '.join(parts)}{last}"
