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
_SOME = re.compile(r"(?:x|y|any)(?:>=\d+)?|all", re.IGNORECASE)


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
    first, _, rest = inner.partition(",")
    n: Any = 1
    what = inner
    if first.isdigit() or _SOME.fullmatch(first):
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


_CONDENSED = {"oppctrl": "opponent", "youctrl": "", "another": "other"}
_PLAIN = {"permanent", "card", "a", "an", "or", "your", "from", ""}


def _cost_words(what: str) -> frozenset[str]:
    """ "creature.other" and "artifact or creature" as the words of `facts.cost_words`."""
    found = set()
    for word in re.split(r"[.+,; ]+", what.lower()):
        word = re.sub(r"^!", "non", re.sub(r"^named(?=.)", "", _CONDENSED.get(word, word)))
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
    said = f"{amount} {row.get('amount_of', '')}"
    if amount == "X" or any(word in said for word in ("removed this way", "that much", "X")):
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
        case {"special": str(words)} if "noted" in words:
            return ("noted", times)
        case {"special": "each_color_among", "valid": valid}:
            return ("among", "each", _sides(valid), times)
        case {"special": "double unspent mana of each type"}:
            return ("doubled",)
        case {"special": "one per colored mana symbol in milled card cost"}:
            return ("of cost", "linked", False)
        case {"special": "three mana in any combination of its colors"}:
            return ("colors of, freely", 3)
        case {"special": "mana equal to enchanted permanent's mana cost"}:
            return ("of cost", "host", True)
    if found := _SYMBOLS.match(str(produces.get("special", ""))):
        return fixed_outcomes(found.group(), times)
    return ("special", str(dict(produces)))


_SYMBOLS = re.compile(r"(?:\{[WUBRGC]\})+(?=[.'\"]*$| at the beginning)")


def _instead(other: Mapping[str, Any]) -> Any:
    known = ("fixed", "any_color", "reflected", "combo", "choice", "options", "chosen", "commander")
    return _product({k: v for k, v in other.items() if k in known}, other.get("amount", 1), True)


def _reflected(how: Mapping[str, Any], times: int) -> Any:
    valid = str(how.get("valid", ""))
    if valid == "produced by that tap":
        return ("produced", times)
    if how.get("property") == "Produce":
        return ("could produce", how.get("what"), _sides(valid), times)
    if re.search("exiled|imprint", valid, re.IGNORECASE):
        return ("colors of", "linked", times)
    if "~" in valid:
        return ("colors of", "self", times)
    return ("among", "one", _sides(valid), times)


def _sides(valid: str) -> frozenset[str]:
    found = set()
    if re.search(r"YouCtrl|YouOwn|\byou control\b|\byour\b", valid):
        found.add("you")
    if re.search(r"OppCtrl|OppOwn|\bopponents? controls?\b", valid):
        found.add("opponent")
    if "Defined" in valid or "sacrificed" in valid:
        found.add("that")
    return frozenset(found)


def ability_facts(row: Mapping[str, Any]) -> Facts:
    """One activated mana ability of a `mana_truth` row."""
    return {"cost": cost_facts(row["cost"]), **product_facts(row)}


def library_ability_facts(ability: Any) -> Facts:
    """The same of one ability out of the library."""
    return {
        "cost": facts.cost_facts(ability.cost),
        **facts.product_facts(ability.effects),
        "unread": facts.has_unread(ability),
    }


# --- descriptions in words ------------------------------------------------------------------------------------------

_STOP_WORDS = """a an the is are be was it its that those they them of for to from in on or and any each another all
and/or with by as have has gain gains control controls controlled own owns card cards permanent permanents mana tap
taps tapped add adds while you're can ability abilities player"""
_STOP = frozenset(_STOP_WORDS.split())
_SAME = {
    "enchanted": "host", "equipped": "host", "fortified": "host", "~": "self", "your": "you",
    "opponents": "opponent",
    "opponent's": "opponent", "player's": "", "attachedby": "host", "enchantedby": "host", "youctrl": "you",
    "oppctrl": "opponent", "youown": "you", "inzonegraveyard": "graveyard",
    "chosentype": "chosen", "namedcard": "chosen", "self": "self",
}  # fmt: skip
HOSTS = ("enchanted", "equipped", "fortified")
_WORD = re.compile(r"[A-Za-z~][A-Za-z'’/~-]*|\{[A-Z0-9/]+\}|[+-]?\d+")


def words_of(text: str, *ignore: str) -> frozenset[str]:
    """A description in free text as a set of words, comparable with `facts.words_of`; it keeps how something is
    attached ("enchanted")."""
    found = set()
    for word in _WORD.findall(text):
        word = word.lower()
        word = word if word in HOSTS else _SAME.get(word, word)
        if word and word not in _STOP and word not in ignore:
            found.add(singular(word))
    return frozenset(found)


_COMPARISON = re.compile(r"(cmc|power|toughness)(GE|LE|GT|LT|EQ)(\d+)")
_SIGNS = {"GE": ">=", "LE": "<=", "GT": ">", "LT": "<", "EQ": "=="}
_STATS = {"cmc": "mana_value", "power": "power", "toughness": "toughness"}


def valid_words(valid: str) -> frozenset[str]:
    """A description such as "Creature.Red,Creature.cmcGE6" as words."""
    found: set[str] = set()
    for word in re.split(r"[.,+]", valid):
        compared = _COMPARISON.fullmatch(word)
        if compared:
            stat, sign, number = compared.groups()
            found.add(f"{_STATS[stat]}{_SIGNS[sign]}{number}")
            continue
        word = word.lower().removeprefix("with")
        found.add(_VALID.get(word, _SAME.get(word, word)))
    return frozenset(found) - {"", "card", "permanent"}


# What descriptions of that kind have other words for; "" for what `facts.words_of` has none for.
_VALID = {
    "facedown": "face_down",
    "multicolor": "multicolored",
    "monocolor": "monocolored",
    "sharescreaturetypewith": "shares creature_type",
    "youdontctrl": "nonyou",
    "iscommander": "commander",
    "player": "",
    "wascastfromgraveyard": "",
    "wasdealtdamagethisturn": "",
}


# --- the other kinds ------------------------------------------------------------------------------------------------

_MAP = re.compile(r"(\w+)->\w")


def replacement_facts(row: Mapping[str, Any]) -> list[Facts]:
    """One row of `replacement_truth`; a map of several types is as many facts."""
    event = {
        "event": row["event"],
        "tapper": row["tapper"],
        "amount": str(row["amount"]),
        "duration": row.get("duration", ""),
        "source": row.get("source", ""),
        "condition": bool(row.get("condition")),
        "touches": {"white mana only": "W", "any other color": "color", None: ""}.get(
            row.get("replaces"), str(row.get("replaces"))
        ),
    }
    if row["type"] == "map":
        subjects = frozenset(w.lower() for w in _MAP.findall(row["subject"]))
        if subjects != frozenset(k.lower() for k in row["map"]):
            return [{**event, "subject": "two that contradict each other", "type": "map"}]
        return [{**event, "subject": frozenset({k.lower()}), "type": f"{{{v}}}"} for k, v in row["map"].items()]
    subject = words_of(row["subject"], "you", "spells", "colored")
    if row["event"] == "would_add_mana" and "colored mana" in row["subject"]:
        event["touches"] = "color"
    return [{**event, "subject": subject, "type": row["type"]}]


def trigger_facts(row: Mapping[str, Any]) -> list[Facts]:
    """One row of `trigger_truth`."""
    products = product_facts(row)
    event = str(row["event"])
    out: Facts = {
        "trigger": row["trigger"],
        "event": words_of(event, "same", "name", "color")
        if row["trigger"] == "tapped_for_mana"
        else facts.event_class(event),
        "mana ability": row["mana_ability"],
        "produces": products["produces"],
        "amount": "counted" if products["amount"] == "X" else products["amount"],
    }
    if "causes you to add" in event:  # "a land's ability causes you to add one or more mana of the chosen color"
        out |= {"trigger": "tapped_for_mana", "event": frozenset({"land", "you", "chosen"})}
    if row.get("produces") is not None:
        out["recipient"] = {"its controller": "controller", "that player": "that"}.get(
            row["recipient"], row["recipient"]
        )
        out["restricted"] = "restriction" in row
        out["keeps"] = bool(row.get("persistent"))
    return [out]


_SPELL_KEYWORD = re.compile(r"(?:Spell|Activated)\.([A-Z][a-z]+)")


def cost_change_facts(row: Mapping[str, Any]) -> list[Facts]:
    """One row of `cost_truth` that compares sources; "any" may be spells and abilities, or a keyword's costs."""
    named = _SPELL_KEYWORD.fullmatch(row.get("ValidSpell", ""))
    keyword = named.group(1).lower() if named else ""
    what = _CHANGED.get(row["what"], (row["what"],))
    if keyword:
        what = ("keyword",)
    valid = valid_words(row["valid"])
    if row["what"] == "morphdown":
        valid |= {"face_down"}
    who = _caster(str(row["who"]))
    if "spell" in what and who == "any" and "you" in valid:  # a spell is controlled by who casts it
        who, valid = "you", valid - {"you"}
    if row.get("NonActivatorTurn"):
        valid |= {"nonactive"}
    mine = row["valid"] == "Card.Self"
    if mine != row["self"] or (keyword and row["what"] != "any"):
        return [{"valid": "two that contradict each other"}]
    out = []
    for one in what:
        fact: Facts = {
            "mode": row["mode"],
            "what": one,
            "valid": valid,
            "amount": _change(row["amount"]),
            "keyword": keyword,
            "targets": valid_words(row["ValidTarget"]) if row.get("ValidTarget") else frozenset(),
        }
        if row.get("Relative"):
            del fact["targets"]  # the target's description stands in a part of the source that rows do not have
        fact["who"] = who
        if row["what"] == "nonmanaability":
            fact["mana abilities"] = False
        out.append(fact)
    return out


_CHANGED = {"nonmanaability": ("ability",), "any": ("spell", "ability"), "morphdown": ("spell",)}


def _caster(who: str) -> str:
    low = who.lower().removeprefix("player.")
    return {"player": "any", "opponent": "opponents", "isremembered": "that"}.get(low, low)


def _change(amount: Any) -> Any:
    """A number or symbols; "counted" for what has to be counted (Count$…)."""
    text = str(amount)
    if by_target := re.fullmatch(r"Count\$Compare \w+ GE1\.(\d+)\.0", text):
        return by_target.group(1)
    if text.startswith("Min"):
        return text[3:]
    if "$" in text:
        return "counted"
    return text.strip("{}") if re.fullmatch(r"\{\d+\}", text) else text


def grant_facts(row: Mapping[str, Any]) -> list[Facts]:
    """One row of `grant_truth`: the ability, what gets it, and how long it is there. The source gives what gets it
    as a piece of a sentence: all its words, of which the description's are some."""
    # Where the source could not cut a cost out of its sentence, it ends with the cost.
    cost = cost_facts(["T" if p.startswith("?") and p.endswith("{T}") else p for p in row["cost"]])
    to = words_of(str(row["grantee"]))
    to = to - set(HOSTS) | ({"host"} if to & set(HOSTS) else set())
    return [{"kind": row["kind"], "to": to, "cost": cost, **product_facts(row), "duration": row["dur"]}]
