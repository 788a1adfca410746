"""Lines that were read as modelled or irrelevant although their words speak of something that no structure says.

A second opinion on the compiler by much cruder means: each suspicion is a pattern of words and the structures of which
one has to be there. What it finds is to be looked at; it decides nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .. import abilities as a
from ..structures import parts_of
from .coverage import _faces, is_real
from .library import Library, default_library


class Suspicion(NamedTuple):
    """Words, and what should have come of them."""

    name: str
    words: re.Pattern[str]
    expected: tuple[type, ...]


def _suspicion(name: str, words: str, *expected: type) -> Suspicion:
    return Suspicion(name, re.compile(words, re.IGNORECASE), (*expected, a.Unread))


_STATICS = (a.Static, a.Become, a.Emblem)

SUSPICIONS = (
    _suspicion("adds mana", r"\badds?\b[^.]*(?:\bmana\b|\{[WUBRGC]\})", a.AddMana, a.ProductionReplacement),
    _suspicion("mana is replaced", r"produces?\b[^.]*\binstead", a.ProductionReplacement, a.AddMana),
    _suspicion("tapped for mana", r"tap(?:s|ped)?\b[^.]*\bfor mana", a.Triggered, a.ProductionReplacement, *_STATICS),
    _suspicion(
        "cost change",
        r"\bcosts?\b[^.]*\b(?:more|less) to (?:cast|activate)",
        *(a.CostChange, a.LeastCost, a.AdditionalCost, a.AlternativeCost),
    ),
    _suspicion("additional cost", r"as an additional cost", a.AdditionalCost, a.CostChange, a.Permission),
    _suspicion("alternative cost", r"rather than (?:pay )?(?:this|its|their|that)[^.]*mana cost", a.AlternativeCost),
    _suspicion("may spend as though", r"spend mana[^.]*as though", a.SpendAs, a.Permission, a.AlternativeCost),
    _suspicion("spend only", r"spend (?:this mana )?only|can't be spent", a.SpendOnly, a.ManaLimit),
    _suspicion("can't cast", r"can't (?:cast|play)\b", a.Prohibit, a.SpellAbility),
    _suspicion("can't activate", r"abilities[^.]*can't be activated", a.Prohibit, a.Become),
    _suspicion("sorcery timing", r"only any time they could cast a sorcery", a.Prohibit),
    _suspicion("activate only", r"^[^\"]*activate (?:this ability )?only", a.Activated),
    _suspicion("doesn't untap", r"(?:doesn't|don't) untap during", a.DontUntap, a.Become),
    _suspicion("untap limit", r"can't untap more than", a.UntapCap),
    _suspicion("hand size", r"maximum hand size", a.MaxHandSize, a.Become),
    _suspicion("more lands", r"play (?:an|two|three|any number of) additional lands?", a.Permission, a.Become),
    _suspicion(
        "grants an ability", r"\b(?:has|have|gains?) [^.]*\"[^\"]*:", a.GrantAbilities, a.Become, a.Do, a.Emblem
    ),
    _suspicion("loses abilities", r"loses? all (?:other )?abilities", a.LoseAbilities, a.Become),
    _suspicion(
        "land types",
        r"(?:are|is|becomes?) (?:an? )?(?:Plains|Islands?|Swamps?|Mountains?|Forests?)\b",
        *(a.LandTypes, a.Become, a.SetTypes, a.Is, a.Compare),
    ),
    _suspicion("enters tapped", r"^(?!when).*enters? (?:the battlefield )?tapped", a.EntersWith, a.Do, a.Static),
    _suspicion("attack restriction", r"can't attack\b", a.AttackRule, a.Prohibit, a.Become),
    _suspicion("block restriction", r"can't block\b|can't be blocked", a.AttackRule, a.Prohibit, a.Become, a.Keyword),
    _suspicion("must attack", r"attacks? each (?:combat|turn) if able", a.AttackRule, a.Become),
    _suspicion("copy", r"enters? as a copy|may have .* enter as a copy", a.EntersWith, a.Copy),
    _suspicion("can't sacrifice", r"can't cause you to|can't be sacrificed", a.Prohibit),
    _suspicion("flash", r"as though (?:it|they) had flash", a.Permission, a.AlternativeCost, a.AdditionalCost),
    _suspicion("lose the game", r"can't lose the game|don't lose the game", a.Prohibit, a.GameRule, a.Become),
)


class Suspect(NamedTuple):
    """A line that a suspicion is about."""

    suspicion: str
    card: str
    line: int
    status: str
    text: str


_REMINDER = re.compile(r"\([^()]*\)")


_ON_MANA = re.compile(r"\bfor mana\b", re.IGNORECASE)


def _only_resolves(line: a.Line) -> bool:
    """Whether all that the line does, it does by something that waits on the stack or is still to resolve."""
    kinds = (a.Triggered, a.SpellAbility)
    lasts = any(isinstance(node, a.Do) and node.what == "lasting" for node in parts_of(line.abilities))
    return lasts or (bool(line.abilities) and all(isinstance(ability, kinds) for ability in line.abilities))


def suspects(paths: Iterable[Path | str], library: Library | None = None) -> Iterator[Suspect]:
    """Every suspect line of the real cards whose text is in the card data at `paths`."""
    for card, face, raw in _faces(library or default_library(), paths):
        if not is_real(card):
            continue
        texts = raw.text.splitlines()
        for line in face.lines:
            if line.status == "unread" or line.n > len(texts):
                continue
            text = _REMINDER.sub("", texts[line.n - 1])
            if _only_resolves(line) and not _ON_MANA.search(text):
                continue
            found = tuple(type(node) for node in parts_of(line.abilities))
            for suspicion in SUSPICIONS:
                if suspicion.words.search(text) and not any(kind in found for kind in suspicion.expected):
                    yield Suspect(suspicion.name, face.name, line.n, line.status, text)


def report(paths: Iterable[Path | str], library: Library | None = None, each: int = 12) -> Iterator[str]:
    """The lines to print: how many suspects of each kind, with some of them."""
    found = list(suspects(paths, library))
    counts = Counter(s.suspicion for s in found)
    for name, count in counts.most_common():
        yield f"{count:>5} {name}"
        for s in [s for s in found if s.suspicion == name][:each]:
            yield f"        {s.status[:4]} {s.card} {s.line}: {s.text}"
    yield f"suspects {len(found)}"
