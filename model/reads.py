"""What a structure of card text looks at, so that what cannot have changed need not be computed again.

Aspects of objects are those of the tests in `evaluate.py` (types, subtypes, supertypes, colors, names, control, owner,
abilities, cost, power, toughness, tapped, combat, counters, attached, status, chosen). Aspects of the game: objects
(which there are), life, pool, history, turn, players, event (what only the event of the moment tells).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import abilities as ab
from .evaluate import ASPECT_OF, aspects_of
from .structures import parts_of

_SHARED = {
    "type": "types",
    "color": "colors",
    "name": "names",
    "creature_type": "subtypes",
    "land_type": "subtypes",
    "mana_value": "cost",
}
_NODES: dict[type, tuple[str, ...]] = {
    ab.X: ("event",),
    ab.Count: ("objects",),
    ab.GainAbilities: ("objects", "abilities", "linked"),
    ab.Devotion: ("objects", "cost", "control", "chosen"),
    ab.Counters: ("counters",),
    ab.PlayerCounters: ("players",),
    ab.Life: ("life",),
    ab.HandSize: ("objects",),
    ab.ThisTurn: ("history",),
    ab.ChosenNumber: ("chosen",),
    ab.Party: ("objects", "types", "subtypes", "control"),
    ab.PoolTotal: ("pool",),
    ab.LinkedCount: ("linked",),
    ab.Targets: ("event",),
    ab.Among: ("objects",),
    ab.Turn: ("turn",),
    ab.Chosen: ("chosen",),
    ab.ChosenColor: ("chosen",),
    ab.Status: ("history", "players", "objects"),
    ab.Paid: ("event",),
}
_EVENT_REFS = ("that", "spell")
_known: dict[int, tuple[Any, frozenset[str]]] = {}
MOST_KNOWN = 50_000


def reads(node: Any) -> frozenset[str]:
    """The aspects that the structure looks at, its parts included."""
    found = _known.get(id(node))
    if found is None:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        aspects = frozenset(aspect for part in parts_of(node) for aspect in _own(part))
        found = _known[id(node)] = (node, aspects)
    return found[1]


def _own(node: ab.Node) -> Iterator[str]:
    yield from _NODES.get(type(node), ())
    if isinstance(node, ab.Filter):
        yield from (a for a in aspects_of(node) if a != "any")
        yield from (_SHARED[word] for word in node.shares)
        yield from _reference(node.ref)
    elif isinstance(node, ab.Bound | ab.Stat):
        yield from ("power", "toughness") if node.stat == "power+toughness" else (ASPECT_OF[node.stat],)
    elif isinstance(node, ab.Among):
        yield ASPECT_OF[node.what]
    if isinstance(node, ab.Stat):
        yield from _reference(node.of)
    elif isinstance(node, ab.Is):
        yield from _reference(node.ref)
    elif isinstance(node, ab.Counters):
        yield from _reference(node.on)
        if node.among is not None:
            yield "objects"


def _reference(ref: str | None) -> Iterator[str]:
    if ref == "host":
        yield "attached"
    elif ref in _EVENT_REFS:
        yield "event"
