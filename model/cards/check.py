"""The library against truth: files that say what cards do, from other sources.

Five kinds of file are known by their rows: mana abilities, replacements of produced mana, triggers on or for mana,
cost changes, granted abilities. A row agrees when the card says the same; it differs when the card says something
else; it is unread when it differs and a line that could have said it was not understood.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from .. import abilities as a
from . import facts, truth
from .facts import Facts
from .library import CardNameError, Library, default_library
from .records import BASIC_LAND_TYPES

Outcome = str  # "agree", "differ" or "unread"


class TruthError(ValueError):
    """A file that is no truth file; the message names the line."""


class Verdict(msgspec.Struct, frozen=True):
    """What was found about one row."""

    name: str
    outcome: Outcome
    text: str = ""  # the difference


class Tally(msgspec.Struct):
    """How many rows there were of each outcome."""

    rows: int = 0
    agree: int = 0
    differ: int = 0
    unread: int = 0

    def add(self, verdict: Verdict) -> None:
        self.rows += 1
        setattr(self, verdict.outcome, getattr(self, verdict.outcome) + 1)

    def __str__(self) -> str:
        percent = 100 * self.agree / self.rows if self.rows else 100.0
        return f"rows {self.rows} · agree {self.agree} ({percent:.1f}%) · differ {self.differ} · unread {self.unread}"


def check(path: Path | str, library: Library | None = None) -> Iterator[str]:
    """The lines to print for a truth file: every difference, and the tally last. Raises TruthError."""
    tally = Tally()
    for verdict in check_rows(read_rows(path), library):
        tally.add(verdict)
        if verdict.outcome != "agree":
            yield f"{verdict.outcome:<7} {verdict.name}: {verdict.text}"
    yield str(tally)


def read_rows(path: Path | str) -> list[dict[str, Any]]:
    """The rows of a truth file, one JSON object a line."""
    rows = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TruthError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise TruthError(f"{path}, line {number} is not JSON: {error}") from None
        if not isinstance(row, dict) or not isinstance(row.get("name"), str) or not truth.kind_of(row):
            raise TruthError(f"{path}, line {number} is no row of a truth file")
        rows.append(row)
    return rows


def check_rows(rows: Iterable[Mapping[str, Any]], library: Library | None = None) -> Iterator[Verdict]:
    """A verdict for each row. Rows that are mere candidates, not compared sources, are left out. Where a card has
    several rows, each has to be another of its abilities."""
    library = library or default_library()
    offers: dict[tuple[str, str], list[Facts]] = {}
    for row in rows:
        if row.get("src") != "oracle" or truth.kind_of(row) != "cost":
            yield check_row(row, library, offers)


def check_row(
    row: Mapping[str, Any], library: Library, offers: dict[tuple[str, str], list[Facts]] | None = None
) -> Verdict:
    """The verdict on one row; `offers` keeps what earlier rows of the same cards left over."""
    try:
        found = library.find(str(row["name"]))
    except CardNameError as error:
        return Verdict(str(row["name"]), "differ", str(error))
    face = found.card.faces[found.face]
    kind = truth.kind_of(row)
    comparison = _KINDS[kind]
    offered = (offers if offers is not None else {}).setdefault((kind, face.name), comparison.offer(face))
    try:
        difference, lacking = comparison.compare(row, offered)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        return Verdict(face.name, "differ", f"the row cannot be read: {type(error).__name__}: {error}")
    if not difference:
        return Verdict(face.name, "agree")
    unread = lacking and facts.touched_by_unread(face, *comparison.subjects)
    unread = unread or (lacking and kind != "mana" and facts.leaves_open(face))
    return Verdict(face.name, "unread" if unread else "differ", difference)


def same(one: Any, other: Any) -> bool:
    """Equal facts. In descriptions "Merfolk" and "Merfolk creature" are the same, and so are "enchanted land" and
    what the object is attached to (which its "Enchant land" limits)."""
    if one == other or not isinstance(one, frozenset) or not isinstance(other, frozenset):
        return one == other
    if any(host in one and host in other for host in ("host", *truth.HOSTS)):
        return one ^ other <= _HOST_WORDS
    return one ^ other == {"creature"} and bool(one & other & subtypes())


_HOST_WORDS = {"land", "creature", "artifact", "permanent", *(land.lower() for land in BASIC_LAND_TYPES)}


@lru_cache(maxsize=1)
def subtypes() -> frozenset[str]:
    """Every subtype on a card of the library, in lower case."""
    return frozenset(s.lower() for card in default_library().cards() for face in card.faces for s in face.subtypes)


def say(value: Any) -> str:
    """Facts in short."""
    if isinstance(value, frozenset):
        shown = sorted(say(v) for v in value)
        return "{" + ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "") + "}"
    if isinstance(value, tuple):
        return "(" + " ".join(say(v) for v in value) + ")"
    return str(value)


def _difference(wanted: Facts, offered: list[Facts]) -> str:
    """ "" when one of those offered is the same (and is taken away); else what differs, with both sides."""
    for n, one in enumerate(offered):
        if all(same(one.get(k), v) for k, v in wanted.items()):
            del offered[n]
            return ""
    if not offered:
        return f"expected {_said([wanted])}; the library has none"
    one = min(offered, key=lambda o: len(_unequal(wanted, o)))
    return "; ".join(f"{k}: expected {say(wanted[k])}, library {say(one.get(k))}" for k in _unequal(wanted, one))


def _unequal(wanted: Facts, one: Facts) -> list[str]:
    return [key for key, value in wanted.items() if not same(one.get(key), value)]


def _said(many: list[Facts]) -> str:
    return " | ".join(", ".join(f"{k} {say(v)}" for k, v in one.items()) for one in many) or "none"


# --- the five kinds -------------------------------------------------------------------------------------------------


def compare_mana(row: Mapping[str, Any], offered: list[Facts]) -> Comparison:
    """The same number of mana abilities, and each with the same cost, product, amount and restrictedness. Those that
    a card gives to itself may be among them (level symbols, stations)."""
    wanted = [truth.ability_facts(x) for x in row["abilities"]]
    printed = [o for o in offered if not o["granted"]]
    best = _unmatched(wanted, printed)
    if best.text and len(printed) < len(offered):
        whole = _unmatched(wanted, offered)
        best = whole if not whole.text else best
    return best


def _unmatched(wanted: list[Facts], offered: list[Facts]) -> Comparison:
    left, missing = list(offered), []
    for one in wanted:
        if _difference(one, left):
            missing.append(one)
    if not missing and not left:
        return AGREED
    lacking = bool(missing) and all(o["unread"] for o in left)
    if len(wanted) == len(offered):
        return Comparison("; ".join(_difference(m, list(left)) for m in missing), lacking)
    counts = f"expected {len(wanted)} mana abilities, library {len(offered)}"
    return Comparison(f"{counts}; missing: {_said(missing)}; more: {_said(left)}", lacking)


def offer_mana(face: a.Face) -> list[Facts]:
    """The mana abilities of a face, printed, intrinsic and given by the face to itself."""
    printed = [{**truth.library_ability_facts(x), "granted": False} for x in facts.mana_abilities(face)]
    granted = [{**truth.library_ability_facts(x), "granted": True} for x in facts.own_grants(face)]
    return printed + granted


def _one_by_one(read: Callable[[Mapping[str, Any]], list[Facts]]) -> Compare:
    """Every part of the row has to be one of those offered."""

    def compare(row: Mapping[str, Any], offered: list[Facts]) -> Comparison:
        wanted = read(row)
        lacking = all(_is_lacking(one, offered) for one in wanted)
        return Comparison("; ".join(filter(None, (_difference(one, offered) for one in wanted))), lacking)

    return compare


def compare_trigger(row: Mapping[str, Any], offered: list[Facts]) -> Comparison:
    """The row is one of the card's triggers; an event that the library just calls "other" may be any but on mana."""
    (wanted,) = truth.trigger_facts(row)
    for n, one in enumerate(offered):
        if isinstance(one["produces"], tuple) and one["produces"][0] == "instead":
            offered[n] = {**one, "produces": one["produces"][1]}  # rows of triggers give what is usual
    # Rows of triggers may or may not count what the mana cannot be spent on as a restriction.
    for n, one in enumerate(offered):
        if one["restricted"] == "forbidden":
            offered[n] = {**one, "restricted": wanted.get("restricted", False)}
    if wanted["event"] in _UNNAMED or wanted["event"] not in facts.EVENTS:
        for n, one in enumerate(offered):
            if isinstance(one["event"], str) and one["event"] not in facts.EVENTS:
                offered[n] = {**one, "event": wanted["event"]}
    lacking = _is_lacking(wanted, offered)
    return Comparison(_difference(wanted, offered), lacking)


# Events that the library has no names for.
_UNNAMED = ("damage", "main", "discard", "sacrific", "transform", "face")


def _is_lacking(wanted: Facts, offered: list[Facts]) -> bool:
    """Whether nothing that is offered comes near: then a line that was not understood may be what is missing."""
    return all(len(_unequal(wanted, one)) > 1 for one in offered)


def compare_grant(row: Mapping[str, Any], offered: list[Facts]) -> Comparison:
    """The row is one of the abilities that the card gives or that its tokens have."""
    (wanted,) = truth.grant_facts(row)
    if str(row["grantee"]).lower() in _PRONOUNS and "token" in wanted["to"]:
        wanted["kind"] = "token"  # "Those tokens have …" is about tokens, whatever the row calls it
    fitting = [{**one, "to": wanted["to"]} if _goes_to(one, row, wanted["to"]) else one for one in offered]
    return Comparison(_difference(wanted, fitting), _is_lacking(wanted, fitting))


_PRONOUNS = {"it", "they", "those tokens"}


def _goes_to(one: Facts, row: Mapping[str, Any], words: frozenset[str]) -> bool:
    """Whether what gets the ability is what the row's piece of a sentence speaks of."""
    if one["kind"] == "token":
        return "token" in words or str(row["grantee"]).lower() in _PRONOUNS
    return one["to"] <= words or (one["emblem"] and "emblem" in words)


class Comparison(NamedTuple):
    """What differs ("" for nothing), and whether a line that was not understood could be what is missing."""

    text: str
    lacking: bool


AGREED = Comparison("", False)
Compare = Callable[[Mapping[str, Any], list[Facts]], Comparison]


class Kind(NamedTuple):
    """How one kind of truth is compared, and which subjects the unread line that is missing would touch."""

    compare: Compare
    offer: Callable[[a.Face], list[Facts]]
    subjects: tuple[str, ...]


_KINDS: dict[str, Kind] = {
    "mana": Kind(compare_mana, offer_mana, ("mana",)),
    "replacement": Kind(_one_by_one(truth.replacement_facts), facts.replacement_facts, ("mana",)),
    "trigger": Kind(compare_trigger, facts.trigger_facts, ("mana",)),
    "cost": Kind(_one_by_one(truth.cost_change_facts), facts.cost_change_facts, ("cost",)),
    "grant": Kind(compare_grant, facts.grant_facts, ("mana", "types")),
}
