"""Rows of truth files read as facts of the same form as those of `facts.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from . import facts
from .facts import Facts, fixed_outcomes, free_outcomes, mana_cost_fact, one_of

KINDS = ("mana", "replacement", "trigger", "cost", "grant")


def kind_of(row: Mapping[str, Any]) -> str:
    """Which of the five kinds of truth this row is; "" for none."""
    for key, kind in (("abilities", "mana"), ("tapper", "replacement"), ("trigger", "trigger"), ("mode", "cost")):
        if key in row:
            return kind
    return "grant" if "grantee" in row else ""


# --- costs ----------------------------------------------------------------------------------------------------------

_COUNTERS = {"p1p1": "+1/+1", "m1m1": "-1/-1", "p0p1": "+0/+1", "m0m1": "-0/-1"}
_PART = re.compile(r"(\w+)\((.*)\)")


def cost_facts(parts: list[str]) -> frozenset[Any]:
    """A cost such as ["{1}", "T", "Sac(x,goat)"]."""
    out: list[Any] = []
    mana = "".join(p for p in parts if p.startswith("{"))
    if mana:
        out.append(mana_cost_fact(mana))
    out += [_cost_fact(p) for p in parts if not p.startswith("{")]
    return frozenset(out)


def _cost_fact(part: str) -> Any:
    if part in ("T", "Q", "Forage"):
        return {"T": ("tap",), "Q": ("untap",), "Forage": FORAGE}[part]
    found = _PART.fullmatch(part)
    if not found:
        return (part.lower(),)
    name, inner = found.group(1), found.group(2)
    first, comma, rest = inner.partition(",")
    n: Any = 1
    what = inner
    if comma or first.isdigit():
        n = int(first) if first.isdigit() else "X"
        what = rest
    return _named_cost(name.lower(), n, what)


FORAGE = (
    "one of",
    frozenset(
        {
            frozenset({("exile", "graveyard", 3, frozenset())}),
            frozenset({("sac", 1, frozenset({"food"}))}),
        }
    ),
)  # fmt: skip (701.61)


def _named_cost(name: str, n: Any, what: str) -> Any:
    words = _cost_words(what)
    match name:
        case "sac":
            return ("sac", n, words)
        case "paylife":
            return ("life", n)
        case "payenergy":
            return ("energy", n)
        case "removecounter":
            return ("remove counter", n, _COUNTERS.get(what, what))
        case "putcounter" | "addcounter":
            return ("put counter", n, _COUNTERS.get(what, what))
        case "tapother":
            return ("tap other", n, words)
        case "untapother":
            return ("untap other", n, words)
        case "discard":
            return ("discard", "hand") if what == "hand" else ("discard", n, words)
        case "exile" | "exilefromhand" | "exilefromgraveyard":
            place = name.removeprefix("exilefrom").replace("exile", "battlefield")
            return ("exile", place, n, words)
        case "return" | "returntohand":
            return ("return", n, words)
        case "collectevidence" | "mill" | "reveal":
            return ({"collectevidence": "collect evidence"}.get(name, name), n)
        case "exert":
            return ("exert",)
    return (name, n, words)


_CONDENSED = {"namedwood": "wood", "oppctrl": "opponent", "youctrl": ""}
_PLAIN = {"permanent", "card", "a", "an", "or", "your", "from", ""}


def _cost_words(what: str) -> frozenset[str]:
    """ "creature.other" and "artifact or creature" as the words of `facts.cost_words`."""
    found = set()
    for word in re.split(r"[.+ ]+", what.lower()):
        word = _CONDENSED.get(word, word)
        if word not in _PLAIN:
            found.add(singular(word))
    return frozenset(found) - _PLAIN


def singular(word: str) -> str:
    """The singular of a noun as card text writes it."""
    irregular = {"elves": "elf", "dwarves": "dwarf", "wolves": "wolf", "allies": "ally", "plains": "plains"}
    irregular |= {
        "werewolves": "werewolf",
        "mercenaries": "mercenary",
        "sorceries": "sorcery",
        "treasuries": "treasury",
    }
    irregular |= {"locus": "locus", "octopus": "octopus", "phoenix": "phoenix", "sphinx": "sphinx"}
    if word in irregular:
        return irregular[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        return word[:-1]
    return word


# --- products -------------------------------------------------------------------------------------------------------


def product_facts(row: Mapping[str, Any]) -> Facts:
    """Product, amount and restriction of one ability."""
    amount = _amount(row)
    times = amount if isinstance(amount, int) else 1
    restricted = (
        row["restricted"] if "restricted" in row else bool(row.get("restriction") or row.get("restriction_norm"))
    )
    produces = row.get("produces")
    if produces is None:
        return {"produces": None, "amount": None, "restricted": False}
    product = _product(produces, times, isinstance(amount, int))
    return {"produces": product, "amount": 1 if isinstance(amount, int) else amount, "restricted": restricted}


def _amount(row: Mapping[str, Any]) -> Any:
    amount = row.get("amount", 1)
    if isinstance(amount, int):
        return amount
    if amount == "X" or "removed this way" in str(row.get("amount_of", "")) or "X" in str(row.get("amount_of", "")):
        return "X"
    return "counted"


def _product(produces: Mapping[str, Any], times: int, exact: bool) -> Any:
    match produces:
        case {"fixed": str(symbols)}:
            return fixed_outcomes(symbols, times)
        case {"any_color": n}:
            return one_of((f"{{{c}}}" for c in "WUBRG"), times * (n if isinstance(n, int) else 1))
        case {"combo": list(types)}:
            free = free_outcomes("".join(types), times, bool(produces.get("distinct")))
            return free if exact else ("free", free)
        case {"choice": list(types)} if "chosen" in types:
            return ("chosen", "".join(t for t in types if t != "chosen"), times)
        case {"choice": list(types)}:
            return one_of((f"{{{t}}}" for t in types), times)
        case {"options": list(options)}:
            return one_of(options, times)
        case {"chosen": _}:
            return ("chosen", "", times)
        case {"commander": _}:
            return ("commander", times)
        case {"reflected": dict(how)}:
            return _reflected(how, times)
        case {"special": "instead", "base": base, "instead": other}:
            return ("instead", _product(base, times, exact), (_instead(other),))
        case {"special": "each_color_among", "valid": valid}:
            return ("among", "each", _sides(valid), times)
        case {"special": "double unspent mana of each type"}:
            return ("doubled",)
    return ("special", str(dict(produces)))


def _instead(other: Mapping[str, Any]) -> Any:
    return _product({k: v for k, v in other.items() if k in ("fixed", "any_color", "reflected", "combo")},
                    other.get("amount", 1), True)  # fmt: skip


def _reflected(how: Mapping[str, Any], times: int) -> Any:
    valid = str(how.get("valid", ""))
    if valid == "produced by that tap":
        return ("produced", times)
    if how.get("property") == "Produce":
        return ("could produce", how.get("what"), _sides(valid), times)
    if "exiled" in valid:
        return ("colors of", "linked", times)
    if "~" in valid:
        return ("colors of", "self", times)
    return ("among", "one", _sides(valid), times)


def _sides(valid: str) -> frozenset[str]:
    found = set()
    if "YouCtrl" in valid:
        found.add("you")
    if "OppCtrl" in valid:
        found.add("opponent")
    if "Defined" in valid:
        found.add("that")
    return frozenset(found)


def ability_facts(row: Mapping[str, Any]) -> Facts:
    """One activated mana ability of a `mana_truth` row."""
    return {"cost": cost_facts(row["cost"]), **product_facts(row)}


def library_ability_facts(ability: Any) -> Facts:
    """The same of one ability out of the library."""
    return {"cost": facts.cost_facts(ability.cost), **facts.product_facts(ability.effects)}
