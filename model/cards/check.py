"""The library against truth: files that say what cards do, from other sources.

Five kinds of file are known by their rows: mana abilities, replacements of produced mana, triggers on or for mana,
cost changes, granted abilities. A row agrees when the card says the same; it differs when the card says something
else; it is unread when it differs and a line that could have said it was not understood.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from .. import abilities as a
from . import facts, truth
from .facts import Facts
from .library import CardNameError, Found, Library, default_library

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
    """A verdict for each row. Rows that are mere candidates, not compared sources, are left out."""
    library = library or default_library()
    for row in rows:
        if row.get("src") == "oracle" and truth.kind_of(row) == "cost":
            continue
        yield check_row(row, library)


def check_row(row: Mapping[str, Any], library: Library) -> Verdict:
    """The verdict on one row."""
    try:
        found = _find(row, library)
    except CardNameError as error:
        return Verdict(str(row["name"]), "differ", str(error))
    face = found.card.faces[found.face]
    compare, subjects = _COMPARE[truth.kind_of(row)]
    try:
        difference = compare(row, face)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        return Verdict(str(row["name"]), "differ", f"the row cannot be read: {type(error).__name__}: {error}")
    if difference is None:
        return Verdict(face.name, "agree")
    return Verdict(face.name, "unread" if facts.touched_by_unread(face, *subjects) else "differ", difference)


def _find(row: Mapping[str, Any], library: Library) -> Found:
    """The card of the row, as the face that it names."""
    return library.find(str(row["name"]))


def nearest(wanted: Facts, offered: list[Facts]) -> tuple[str, ...]:
    """In which facts the nearest of those offered differs from what is wanted: none, when one is the same."""
    best: tuple[str, ...] | None = None
    for one in offered:
        differing = tuple(key for key in wanted if one.get(key) != wanted[key])
        if best is None or len(differing) < len(best):
            best = differing
    return tuple(wanted) if best is None else best


def say(value: Any) -> str:
    """Facts in short."""
    if isinstance(value, frozenset):
        shown = sorted(say(v) for v in value)
        return "{" + ", ".join(shown[:8]) + (", …" if len(shown) > 8 else "") + "}"
    if isinstance(value, tuple):
        return "(" + " ".join(say(v) for v in value) + ")"
    return str(value)


def _differing(wanted: Facts, offered: list[Facts]) -> str | None:
    """None when one of those offered is the same; else what differs, with both sides."""
    best = nearest(wanted, offered)
    if offered and not best:
        return None
    if not offered:
        return f"expected {', '.join(f'{k} {say(v)}' for k, v in wanted.items())}; the library has none"
    one = min(offered, key=lambda o: sum(o.get(k) != v for k, v in wanted.items()))
    return "; ".join(f"{k}: expected {say(wanted[k])}, library {say(one.get(k))}" for k in best)


# --- mana abilities -------------------------------------------------------------------------------------------------


def compare_mana(row: Mapping[str, Any], face: a.Face) -> str | None:
    """The same number of mana abilities, and each with the same cost, product, amount and restrictedness."""
    wanted = [truth.ability_facts(x) for x in row["abilities"]]
    printed = facts.mana_abilities(face)
    difference = _unmatched(wanted, printed)
    if difference is not None and (granted := facts.own_grants(face)):
        with_granted = _unmatched(wanted, printed + granted)
        return with_granted if with_granted is None else difference
    return difference


def _unmatched(wanted: list[Facts], abilities: list[a.Activated]) -> str | None:
    left = [truth.library_ability_facts(x) for x in abilities]
    missing = []
    for one in wanted:
        if one in left:
            left.remove(one)
        else:
            missing.append(one)
    if not missing and not left:
        return None
    if len(wanted) != len(abilities):
        counts = f"expected {len(wanted)} mana abilities, library {len(abilities)}"
        return f"{counts}; missing: {_said(missing)}; more: {_said(left)}"
    return "; ".join(filter(None, (_differing(m, left) for m in missing)))


def _said(many: list[Facts]) -> str:
    return " | ".join(", ".join(f"{k} {say(v)}" for k, v in one.items()) for one in many) or "none"


Compare = Callable[[Mapping[str, Any], a.Face], str | None]

_COMPARE: dict[str, tuple[Compare, tuple[str, ...]]] = {
    "mana": (compare_mana, ("mana",)),
}
