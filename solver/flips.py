"""The smallest sets of allowed edits that turn a verdict around, all of the least size (format.md: `flip`).

Edits may help and hurt at once (a land added is also a land that something counts), so nothing but the answer on the
edited board decides; sets are tried in order of size. Edits that are written alike are tried once and told for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, TypeVar

from .answer import Reason

Edit = TypeVar("Edit")

OTHER_WAY = {"yes": "no", "no": "yes"}

# More sets than this are not tried; the answer says so.
MOST_SETS = 5000


class Flips(NamedTuple):
    """The sets that turn the verdict, and what is to be said about those that could not be judged."""

    found: tuple[tuple[Any, ...], ...]
    notes: tuple[Reason, ...] = ()


def flips(allowed: Sequence[Edit], most: int, wanted: str, verdict: Callable[[tuple[Edit, ...]], str]) -> Flips:
    """The least sets of `allowed`, of no more than `most` edits, with which the verdict is the one that is wanted."""
    known: dict[tuple[str, ...], str] = {}
    doubtful = 0

    def asked(edits: tuple[Edit, ...]) -> str:
        key = tuple(sorted(map(repr, edits)))
        if key not in known:
            known[key] = verdict(edits)
        return known[key]

    tried = 0
    for size in range(1, min(most, len(allowed)) + 1):
        tried += comb(len(allowed), size)
        if tried > MOST_SETS:
            text = f"sets of {size} of the allowed edits were not tried: there are {comb(len(allowed), size)}"
            return Flips((), (Reason("time_limit", text=text), *_doubts(doubtful)))
        found = []
        for edits in combinations(allowed, size):
            said = asked(edits)
            doubtful += said == "unknown"
            if said == wanted:
                found.append(edits)
        if found:
            return Flips(tuple(found), tuple(_doubts(doubtful)))
    return Flips((), tuple(_doubts(doubtful)))


def _doubts(n: int) -> Iterator[Reason]:
    if n:
        yield Reason("not_stated", text=f"{n} {'set' if n == 1 else 'sets'} of the allowed edits could not be judged")
