"""The replacement effects of one production event as a graph, and the one path that an order of them takes (616.1).

Nodes are (the event as it stands, how often each effect was used), as in `production.outcomes_of_event`; an arc applies
one effect. For pictures and for words: what each effect does to the event, which others could have been applied at
that moment, and which could not be applied before (616.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .abilities import Activated
from .characteristics import View
from .evaluate import Context
from .mana import Mana
from .production import (
    Looker,
    Packet,
    Reflection,
    Replacing,
    after_own_counters,
    applies,
    base_events,
    is_tapping,
    known,
    replacements_for,
    results_of,
    sum_mana,
)

if TYPE_CHECKING:
    import networkx as nx

Event = tuple[Packet, ...]

# A picture of more events than this cannot be read.
MOST_NODES = 400


class Node(NamedTuple):
    """An event as it stands, with how often each effect (or group of effects alike) was used."""

    event: Event
    used: tuple[int, ...]


class Change(NamedTuple):
    """One application: whose effect, the event before and after, the other effects that could have been applied then,
    and whether this one could not have been applied to the event as it was at the start (616.2)."""

    source: str
    before: Event
    after: Event
    others: tuple[str, ...]
    newly: bool


class Start(NamedTuple):
    """What an activation's mana is before anything replaces it, and the effects that may."""

    events: tuple[Event, ...]
    effects: tuple[Replacing, ...]
    look: Looker


def start_of(view: View, oid: str, ability: Activated, ctx: Context) -> Start:
    """The events that resolving the ability starts with (106.12b)."""
    look = Reflection(view).look
    ctx = after_own_counters(oid, ability, ctx)
    tapping = is_tapping(ability)
    effects = replacements_for(view, oid, ctx.you, tapping, ctx.gone) if known(view, oid, ctx.gone) else ()
    return Start(tuple(base_events(ability.effects, ctx, look, bool(effects))), effects, look)


def usable(node: Node, effects: Sequence[Replacing]) -> list[int]:
    """The effects that are applicable at the node, each once (614.5)."""
    return [i for i, r in enumerate(effects) if node.used[i] < len(r.sources) and applies(r.effect, node.event)]


def following(node: Node, start: Start) -> Iterator[tuple[str, Node]]:
    """The source of each applicable effect with every node that it leads to."""
    for i in usable(node, start.effects):
        used = (*node.used[:i], node.used[i] + 1, *node.used[i + 1 :])
        for after in results_of(start.effects[i], node.event, start.look):
            yield start.effects[i].sources[node.used[i]], Node(after, used)


def total(event: Event) -> Mana:
    return sum_mana(p.mana for p in event)


def event_text(event: Event) -> str:
    """`{G}{G}`, `3 of {W}, {U}`, `no mana`"""
    free = [f"{p.free} of any of {', '.join(f'{{{t}}}' for t in p.types)}" for p in event if p.free]
    fixed = (
        str(total(event)) if total(event).total <= 12 else ", ".join(f"{n} {{{t}}}" for t, n in total(event).items())
    )
    return " and ".join(part for part in (fixed, *free) if part) or "no mana"


def changes(start: Start, order: Sequence[str], made: Mana) -> tuple[Change, ...] | None:
    """What the effects of this order do, one after the other, until the mana `made` is left and nothing applies."""
    for event in start.events:
        first = Node(event, (0,) * len(start.effects))
        at_first = {s for i in usable(first, start.effects) for s in start.effects[i].sources}
        found = _follow(first, start, order, made, at_first)
        if found is not None:
            return found
    return None


def _follow(
    node: Node, start: Start, order: Sequence[str], made: Mana, at_first: set[str]
) -> tuple[Change, ...] | None:
    if not order:
        done = not usable(node, start.effects) and (total(node.event) == made or any(p.free for p in node.event))
        return () if done else None
    for source, after in following(node, start):
        if source != order[0]:
            continue
        rest = _follow(after, start, order[1:], made, at_first)
        if rest is not None:
            others = dict.fromkeys(s for s, _ in following(node, start) if s != source)
            return (Change(source, node.event, after.event, tuple(others), source not in at_first), *rest)
    return None


def replacement_graph(start: Start) -> nx.MultiDiGraph:
    """The whole graph. Nodes have `event` (text), `start` and `final`; arcs have the `source` of the effect. An event
    with more nodes than can be looked at is cut off, which `cut` of the graph tells."""
    import networkx as nx

    graph = nx.MultiDiGraph(cut=False)
    queue = [Node(event, (0,) * len(start.effects)) for event in start.events]
    for node in queue:
        graph.add_node(node, event=event_text(node.event), start=True, final=not usable(node, start.effects))
    for node in queue:
        for source, after in following(node, start):
            if after not in graph:
                if len(graph) >= MOST_NODES:
                    graph.graph["cut"] = True
                    continue
                final = not usable(after, start.effects)
                graph.add_node(after, event=event_text(after.event), start=False, final=final)
                queue.append(after)
            graph.add_edge(node, after, source=source)
    return graph
