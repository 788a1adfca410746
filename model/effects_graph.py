"""Which effect applies to what, depends on what, gives what and feeds what: a graph to look at, which chooses nothing.

Nodes are ids of objects (`kind="object"`) and effects, written `id: Effect` (`kind="effect"`). Arcs, by `kind`:

    makes       from an object to the effect of one of its abilities
    applies to  from an effect to an object that it changes (`layer`), or whose mana it would replace
    depends on  from an effect to one that it waited for (613.8), with the `layer`
    grants      from an effect to an object to which it gives abilities
    feeds       from an object that makes mana to a mana ability that costs mana, or to one that asks what that
                object could produce (106.7)

Loops are found by `loops`: lands that ask each other what they could produce, filters that feed each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import abilities as ab
from .abilities import Activated, AddMana, CouldProduce, ManaPart, ProductionReplacement, Triggered, is_mana_ability
from .characteristics import View, view_of
from .evaluate import Context, objects_like
from .game import Game, Has, Unknown

if TYPE_CHECKING:
    import networkx as nx


def effects_graph(game: Game) -> nx.MultiDiGraph:
    """The graph of effects and objects of a game."""
    import networkx as nx

    view = view_of(game)
    graph = nx.MultiDiGraph()
    for o in game.objects.values():
        if not o.phased_out:
            graph.add_node(o.id, kind="object", zone=o.zone)
    for start, end, kind, more in _arcs(view):
        for node in (start, end):
            if node not in graph:
                graph.add_node(node, kind="effect" if ": " in node else "object")
        graph.add_edge(start, end, kind=kind, **more)
    return graph


def loops(graph: nx.MultiDiGraph, kind: str = "feeds") -> list[list[str]]:
    """The simple cycles of the arcs of one kind."""
    import networkx as nx

    part = nx.DiGraph((u, v) for u, v, k in graph.edges(data="kind") if k == kind)
    return sorted(sorted(cycle) for cycle in nx.simple_cycles(part))


Arc = tuple[str, str, str, dict[str, Any]]


def _arcs(view: View) -> Iterator[Arc]:
    yield from _layer_arcs(view)
    yield from _other_arcs(view)
    yield from _mana_arcs(view)


def effect_node(source: str, effect: object) -> str:
    """How the graph names an effect."""
    return f"{source}: {type(effect).__name__}"


def _layer_arcs(view: View) -> Iterator[Arc]:
    if view.layers is None:
        return
    applied = view.layers.applied
    for one in applied:
        node = effect_node(one.source, one.effect)
        yield one.source, node, "makes", {}
        for i in one.objects:
            kind = "grants" if isinstance(one.effect, ab.GrantAbilities) else "applies to"
            yield node, i, kind, {"layer": _number(one.layer)}
        for other in one.depends_on:
            for effect in {effect_node(other, a.effect) for a in applied if (a.source, a.layer) == (other, one.layer)}:
                yield node, effect, "depends on", {"layer": _number(one.layer)}


def _number(layer: int) -> str:
    """The layer as 613.4 names it: "4", "7b"."""
    return f"7{'abcd'[layer - 71]}" if layer > 7 else str(layer)


def _other_arcs(view: View) -> Iterator[Arc]:
    """Effects outside of the layers that look at objects: who is meant is what their `what` describes."""
    for active in view.statics(object):
        node = effect_node(active.source, active.effect)
        yield active.source, node, "makes", {}
        what = getattr(active.effect, "what", None)
        if not isinstance(what, ab.Filter):
            continue
        try:
            named = objects_like(what, Context(view, active.source, active.you))
        except Unknown:
            continue
        more = {"layer": "mana"} if isinstance(active.effect, ProductionReplacement) else {}
        for i in named:
            yield node, i, "applies to", more


def _mana_arcs(view: View) -> Iterator[Arc]:
    makers: dict[str, list[str]] = {}
    abilities: list[tuple[str, str, Has]] = []
    for i in view.zone_ids("battlefield"):
        seen = view.seen(i)
        mine = [h for h in seen.abilities if _makes_mana(h)]
        if mine:
            makers.setdefault(seen.controller, []).append(i)
            abilities.extend((i, seen.controller, h) for h in mine)
    for i, you, has in abilities:
        if isinstance(has.ability, Activated) and any(isinstance(part, ManaPart) for part in has.ability.cost):
            for maker in makers[you]:
                yield maker, i, "feeds", {"ability": has.number}
        for what in _asked(has):
            for maker in _objects(view, what, i, you):
                yield maker, i, "feeds", {"ability": has.number}


def _makes_mana(has: Has) -> bool:
    return isinstance(has.ability, Activated | Triggered) and is_mana_ability(has.ability)


def _asked(has: Has) -> Iterator[ab.Filter]:
    effects = has.ability.effects if isinstance(has.ability, Activated | Triggered) else ()
    for effect in effects:
        if isinstance(effect, AddMana) and isinstance(effect.what, CouldProduce):
            yield effect.what.what


def _objects(view: View, what: ab.Filter, source: str, you: str) -> list[str]:
    try:
        return objects_like(what, Context(view, source, you))
    except Unknown:
        return []
