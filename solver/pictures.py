"""Pictures of a question as data: what is drawn, with which words; how it is drawn is lawmage/drawing.py's affair.

Three of them: the effects (who acts on whom, in which layer, loops marked), the replacement effects of one production
event with the path that was taken, and the mana net of a question with what its plan uses. What is alike is one box
with a count, and only what bears on the question is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model import abilities as ab
from ..model.characteristics import View, view_of
from ..model.effects_graph import effects_graph
from ..model.evaluate import Context
from ..model.game import Game, Unknown
from ..model.mana import ManaError, parse_cost, parse_mana
from ..model.production import activated_mana_abilities
from ..model.replacement_graph import Change, Node, Start, changes, replacement_graph, start_of
from .answer import Answer
from .mana_net import Class, Net, compile_net
from .telling import base

if TYPE_CHECKING:
    import networkx as nx


class Box(NamedTuple):
    """A node: its lines of text, what kind it is, how many things alike it stands for, and whether it is used."""

    id: str
    lines: tuple[str, ...]
    kind: str = "object"
    many: int = 1
    used: bool = False


class Link(NamedTuple):
    """An arc with its words. `used`: on the path that was taken; `loop`: part of a loop."""

    start: str
    end: str
    label: str = ""
    kind: str = ""
    used: bool = False
    loop: bool = False


class Picture(NamedTuple):
    title: str
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    note: str = ""

    def __bool__(self) -> bool:
        return bool(self.boxes)


NOTHING = Picture("", (), ())


def pictures(game: Game, question: Any, answer: Answer) -> dict[str, Picture]:
    """Those of the three that there is something to draw for, by name: effects, replacement, net. What rests on
    something not known is not drawn."""
    drawn = {
        "effects": lambda: effects_picture(game, question),
        "replacement": lambda: replacement_picture(game, question, answer),
        "net": lambda: net_picture(game, question, answer) if question.kind not in _NO_NET else NOTHING,
    }
    found: dict[str, Picture] = {}
    for name, draw in drawn.items():
        with suppress(Unknown):
            if picture := draw():
                found[name] = picture
    return found


# --- effects ----------------------------------------------------------------------------------------------------------

# Effects that no question about mana and permission notices.
_QUIET = (ab.PowerToughness, ab.AttackRule, ab.MaxHandSize, ab.DontUntap, ab.UntapCap, ab.AlsoUntaps, ab.SkipStep)
# Questions that no mana bears on.
_NO_NET = ("characteristics", "untaps", "max_hand_size", "state_based")
# Questions for which every effect matters.
_ALL_EFFECTS = ("characteristics", "untaps", "max_hand_size", "legal", "state_based")


def effects_picture(game: Game, question: Any) -> Picture:
    """The graph of effects_graph.py without objects that nothing happens to. An effect is told with its source."""
    import networkx as nx

    graph = _telling(view_of(game), effects_graph(game), question.kind in _ALL_EFFECTS)
    asked = getattr(question, "object", None)
    if asked in graph:
        graph = graph.subgraph({asked, *nx.ancestors(graph, asked)}).copy()
    _leave_out_plain_feeding(graph)
    idle = [n for n, effect in graph.nodes(data="effect") if not effect and not graph.in_degree(n)]
    graph.remove_nodes_from(idle)  # what is said of a source is said in the boxes of its effects
    graph.remove_nodes_from(list(nx.isolates(graph)))
    groups = _alike(graph)
    looping = _in_loops(graph)
    members: dict[str, list[str]] = {}
    for node, group in groups.items():
        members.setdefault(group, []).append(node)
    boxes = tuple(_group_box(graph, group, nodes) for group, nodes in members.items())
    links: dict[tuple[str, str, str], Link] = {}
    for u, v, kind in graph.edges(data="kind"):
        label = kind if kind == "depends on" else ""
        links[groups[u], groups[v], kind] = Link(groups[u], groups[v], label, kind, loop=(u, v, kind) in looping)
    feeding = any(link.kind == "feeds" for link in links.values())
    note = ("Dashed: feeds. " if feeding else "") + ("Loops are drawn in red." if looping else "")
    return Picture("Effects", boxes, tuple(links.values()), note)


def _telling(view: View, graph: nx.MultiDiGraph, everything: bool) -> nx.MultiDiGraph:
    """Objects and effects, an effect of one source in one layer being a node; arcs from objects to their effects, from
    effects to what they change, between effects that wait for each other, and of what feeds what."""
    import networkx as nx

    out = nx.MultiDiGraph()
    layers = _layers(graph)
    makes_mana = {i for i in view.zone_ids("battlefield") if activated_mana_abilities(view, i)}
    out.add_nodes_from((n for n, kind in graph.nodes(data="kind") if kind == "object"), effect="")
    for u, v, data in graph.edges(data=True):
        kind, layer = data["kind"], data.get("layer")
        if kind == "makes" or (layer == "mana" and v not in makes_mana):
            continue
        ends = [_effect_node(n, layer, layers) if graph.nodes[n]["kind"] == "effect" else (n, "") for n in (u, v)]
        if not everything and any(effect.partition(" (")[0] in _QUIET_WORDS for _, effect in ends):
            continue
        for node, effect in ends:
            if effect and node not in out:
                out.add_node(node, effect=effect)
                source = node.rpartition(": ")[0]
                if source in out:
                    out.add_edge(source, node, key="makes", kind="makes", label="")
        label = "" if kind in ("grants", "applies to") else kind
        out.add_edge(ends[0][0], ends[1][0], key=kind, kind=kind, label=label)
    return out


def _layers(graph: nx.MultiDiGraph) -> dict[str, str]:
    """The layer of each effect that has just one."""
    found: dict[str, set[str]] = {}
    for u, _, layer in graph.edges(data="layer"):
        if graph.nodes[u]["kind"] == "effect":
            found.setdefault(u, set()).add(layer or "")
    return {node: next(iter(some)) for node, some in found.items() if len(some) == 1}


def _effect_node(node: str, layer: str | None, layers: Mapping[str, str]) -> tuple[str, str]:
    """(name, words) of an effect in a layer."""
    source, _, name = node.rpartition(": ")
    where = layer or layers.get(node, "")
    words = _spaced(name) + (f" (layer {where})" if where not in ("", "mana") else "")
    return f"{source}: {words}", words


def _leave_out_plain_feeding(graph: nx.MultiDiGraph) -> None:
    """What a land could feed is in the mana net; here it is told where converters and lookers feed each other."""
    import networkx as nx

    feeding = nx.DiGraph((u, v) for u, v, k in graph.edges(data="kind") if k == "feeds")
    in_cycle = {frozenset(c) for c in nx.strongly_connected_components(feeding) if len(c) > 1}
    for u, v, key, kind in list(graph.edges(keys=True, data="kind")):
        if kind == "feeds" and (u == v or not any(u in c and v in c for c in in_cycle)):
            graph.remove_edge(u, v, key)


# More names than this in one box are counted.
_MOST_NAMES = 8


def _group_box(graph: nx.MultiDiGraph, group: str, nodes: Sequence[str]) -> Box:
    effect = graph.nodes[group]["effect"]
    if effect:
        return Box(group, (base(group.rpartition(": ")[0]), effect), "effect", len(nodes))
    counts = Counter(base(node) for node in nodes)
    if len(counts) == 1:
        return Box(group, (base(group),), "object", len(nodes))
    lines = [f"{n} × {name}" if n > 1 else name for name, n in counts.items()]
    more = [f"and {len(lines) - _MOST_NAMES + 1} more"] if len(lines) > _MOST_NAMES else []
    return Box(group, (*lines[: _MOST_NAMES - len(more)], *more))


def _spaced(name: str) -> str:
    """`production replacement` for ProductionReplacement."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


_QUIET_WORDS = {_spaced(kind.__name__) for kind in _QUIET}


def _alike(graph: nx.MultiDiGraph) -> dict[str, str]:
    """Node -> its group: nodes that have the same arcs to the same groups (color refinement); those that act on others
    have the same name, too."""
    acts = {u for u, _ in graph.edges()}
    color: dict[str, Hashable] = {n: _name(n, graph.nodes[n]["effect"]) if n in acts else "" for n in graph}
    for _ in range(len(graph)):
        refined: dict[str, Hashable] = {}
        for n in graph:
            out = frozenset((d["kind"], d["label"], color[v]) for _, v, d in graph.out_edges(n, data=True))
            into = frozenset((d["kind"], d["label"], color[u]) for u, _, d in graph.in_edges(n, data=True))
            refined[n] = (color[n], out, into)
        number = {value: i for i, value in enumerate(dict.fromkeys(refined.values()))}
        now: dict[str, Hashable] = {n: number[refined[n]] for n in graph}
        done = len(set(now.values())) == len(set(color.values()))
        color = now
        if done:
            break
    first: dict[Hashable, str] = {}
    return {n: first.setdefault(color[n], n) for n in graph}


def _name(node: str, effect: str) -> str:
    return f"{base(node.rpartition(': ')[0])}: {effect}" if effect else base(node)


def _in_loops(graph: nx.MultiDiGraph) -> set[tuple[str, str, str]]:
    """Arcs of one kind that lie on a loop of that kind."""
    import networkx as nx

    found = set()
    for kind in ("feeds", "depends on"):
        part = nx.DiGraph((u, v) for u, v, k in graph.edges(data="kind") if k == kind)
        for component in nx.strongly_connected_components(part):
            inside = part.subgraph(component)
            if len(component) > 1 or nx.number_of_selfloops(inside):
                found |= {(u, v, kind) for u, v in inside.edges}
    return found


# --- the replacement effects of one event -----------------------------------------------------------------------------


class _Event(NamedTuple):
    """An activation whose production event is drawn, and the order that was taken."""

    oid: str
    start: Start
    path: tuple[Change, ...]


def replacement_picture(game: Game, question: Any, answer: Answer) -> Picture:
    view = view_of(game)
    player = getattr(question, "player", None) or game.you
    found = _event(view, player, question, answer)
    if found is None:
        return Picture("Replacement effects", (), ())
    graph = replacement_graph(found.start)
    nodes, arcs = _walk(graph, found.path)
    ids = {node: f"e{i}" for i, node in enumerate(graph)}
    boxes = []
    for node, data in graph.nodes(data=True):
        last = "what it starts as" if data["start"] else "final" if data["final"] else ""
        lines = tuple(text for text in (data["event"], last) if text)
        boxes.append(Box(ids[node], lines, "final" if data["final"] else "event", used=node in nodes))
    links: dict[tuple[str, str, str], Link] = {}
    for u, v, data in graph.edges(data=True):
        used = (u, v, data["source"]) in arcs
        key = (ids[u], ids[v], base(data["source"]))
        if key not in links or used:
            links[key] = Link(ids[u], ids[v], base(data["source"]), "replaces", used)
    note = "Only part of it is drawn." if graph.graph["cut"] else ""
    return Picture(f"Replacement effects on the mana of {found.oid}", tuple(boxes), tuple(links.values()), note)


def _walk(graph: nx.MultiDiGraph, path: Sequence[Change]) -> tuple[set[Node], set[tuple[Node, Node, str]]]:
    """The nodes and arcs that a path takes through the graph."""
    nodes: set[Node] = set()
    arcs: set[tuple[Node, Node, str]] = set()
    now = next((n for n, d in graph.nodes(data=True) if path and d["start"] and n.event == path[0].before), None)
    for change in path:
        if now is None:
            break
        nodes.add(now)
        after = (v for _, v, d in graph.out_edges(now, data=True) if d["source"] == change.source)
        later = next((v for v in after if v.event == change.after), None)
        if later is not None:
            arcs.add((now, later, change.source))
            nodes.add(later)
        now = later
    return nodes, arcs


def _event(view: View, player: str, question: Any, answer: Answer) -> _Event | None:
    """The first activation of the plan that something replaces; else the permanent asked about; else any source."""
    for step in answer.values.get("plan", ()):
        if step.get("order") and step["activate"] in view.game.objects:
            found = _of_ability(view, player, step["activate"], step.get("ability"), step)
            if found is not None:
                return found
    asked = getattr(question, "permanent", None)
    mine = [i for i in view.zone_ids("battlefield") if view.seen(i).controller == player]
    for oid in [asked] if asked in view.game.objects else mine:
        assert oid is not None
        how = [*answer.values.get("witnesses", {}).values()]
        step = next((s for steps in how for s in steps if s.get("order")), None) if oid == asked else None
        found = _of_ability(view, view.seen(oid).controller, oid, None, step)
        if found is not None:
            return found
    return None


def _of_ability(view: View, player: str, oid: str, number: int | None, step: Mapping[str, Any] | None) -> _Event | None:
    for has in activated_mana_abilities(view, oid):
        if number is not None and has.number != number:
            continue
        assert isinstance(has.ability, ab.Activated)
        try:
            start = start_of(view, oid, has.ability, Context(view, source=oid, you=player))
            if not start.effects or not start.events:
                continue
            path = changes(start, step["order"], parse_mana(step["produces"])) if step else None
        except (Unknown, ManaError):
            continue
        return _Event(oid, start, path or ())
    return None


# --- the mana net -----------------------------------------------------------------------------------------------------


def net_picture(game: Game, question: Any, answer: Answer) -> Picture:
    """What can be activated, the kinds of mana, and the cost: left to right, with what the plan uses."""
    player = getattr(question, "player", None) or game.you
    net = compile_net(game, player, before=game.turn.priority == player)
    cost = answer.values.get("total_cost") or getattr(question, "cost", None)
    plan = answer.values.get("plan", ())
    return _NetDrawing(net, _Use(net, plan), cost).picture()


class _Use:
    """What a plan uses: how often each ability of a class, the types it makes, the types that pay."""

    def __init__(self, net: Net, plan: Sequence[Mapping[str, Any]]) -> None:
        self.times: Counter[tuple[int, int]] = Counter()
        self.makes: set[tuple[tuple[int, int], str]] = set()
        self.feeds: set[tuple[str, tuple[int, int]]] = set()
        self.pays: set[str] = set()
        for step in plan:
            paid = step.get("with", {})
            types = {t for part in paid.get("mana", ()) for t in _types(part["mana"])}
            if "produces" in step and step["activate"] in net.class_of:
                key = (net.class_of[step["activate"]].index, step.get("ability", 1))
                self.times[key] += 1
                made = [step["produces"], *(extra["adds"] for extra in step.get("triggered", ()))]
                self.makes |= {(key, t) for mana in made for t in _types(mana)}
                self.feeds |= {(t, key) for t in types}
            elif "pay" in step:
                self.pays |= types


def _types(mana: str | Mapping[str, int]) -> set[str]:
    return {t for t in mana if t in "WUBRGC"}


Key = tuple[int, int]  # an ability of a class: (index of the class, number)


class _NetDrawing:
    def __init__(self, net: Net, use: _Use, cost: str | None) -> None:
        self.net = net
        self.use = use
        self.cost = cost
        self.boxes: dict[str, Box] = {}
        self.links: dict[tuple[str, str, str], Link] = {}
        self.makes: dict[Key, set[int]] = {}
        self.eats: dict[Key, set[str]] = {}
        self.takes: dict[Key, set[int]] = {}
        for t in net.transitions:
            if t.world:
                continue
            key = (t.cls.index, t.number)
            self.makes.setdefault(key, set()).update(t.makes, (k for _, some in t.free for k in some))
            own = {t.cls.u, t.cls.t}
            self.takes.setdefault(key, set()).update(m.place for m in t.moves if m.place not in own)
            if t.demand >= 0:
                self.eats.setdefault(key, set()).add(str(net.demands[t.demand].cost))

    def picture(self) -> Picture:
        for group in self._alike():
            self._box_of(group)
        for k, n in enumerate(self.net.pool):
            if n:
                self.boxes["pool"] = Box("pool", ("mana pool",))
                self._link("pool", self._kind(k), f"{n}×", used=self.net.kinds[k].type in self.use.pays)
        self._final()
        self._prune()
        note = "Dashed: mana that pays for an ability." if any(k.kind == "feeds" for k in self.links.values()) else ""
        return Picture("Mana net", tuple(self.boxes.values()), tuple(self.links.values()), note)

    def _alike(self) -> list[list[int]]:
        """Classes that can do the same: of one name, or (where the plan uses none of them, and what they do costs
        nothing) of any."""
        numbers: dict[int, list[Key]] = {}
        for key in self.makes:
            numbers.setdefault(key[0], []).append(key)
        groups: dict[object, list[int]] = {}
        for index, keys in numbers.items():
            costly = any(self.eats.get(key) or self.takes[key] for key in keys)
            named = costly or any(self.use.times[key] for key in keys)
            free = frozenset(k for key in keys if not self.eats.get(key) for k in self.makes[key])
            what = tuple((key[1], self._signature(key)) for key in keys if self.eats.get(key) or self.takes[key])
            name = base(self.net.classes[index].ids[0]) if named else ""
            groups.setdefault((name, free, what), []).append(index)
        return list(groups.values())

    def _signature(self, key: Key) -> object:
        return frozenset(self.makes[key]), frozenset(self.eats.get(key, ()))

    def _box_of(self, group: list[int]) -> None:
        """The box of these classes. What costs mana has a box of its own beside what is free."""
        keys = [key for key in self.makes if key[0] in group]
        costly = [key for key in keys if self.eats.get(key)]
        free = [key for key in keys if not self.eats.get(key)]
        name = f"c{group[0]}"
        lines = self._words(free or costly)
        self.boxes[name] = self._titled(name, [self.net.classes[i] for i in group], lines, free or costly)
        if free:
            self._arcs(name, free)
            for number in dict.fromkeys(number for _, number in costly):
                some = [key for key in costly if key[1] == number]
                own = f"t{group[0]}.{number}"
                count = sum(self.use.times[key] for key in some)
                self.boxes[own] = Box(own, (f"ability {number}", *self._words(some)), "transition", used=count > 0)
                self._link(name, own, used=count > 0)
                self._arcs(own, some)
        else:
            self._arcs(name, costly)

    def _words(self, keys: Sequence[Key]) -> list[str]:
        """What the abilities cost, and how often the plan uses them."""
        lines = []
        costs = sorted({cost for key in keys for cost in self.eats.get(key, ())})
        if costs:
            lines.append(f"costs {' or '.join(costs)}")
        places = {p for key in keys for p in self.takes[key]}
        taken = {base(c.ids[0]): None for c in self.net.classes if {c.u, c.t} & places}
        if taken:
            lines.append(f"takes {next(iter(taken))}" if len(taken) == 1 else f"takes one of {len(taken)} others")
        count = sum(self.use.times[key] for key in keys)
        return [*lines, f"used {count}×"] if count else lines

    def _titled(self, name: str, classes: Sequence[Class], more: Sequence[str], keys: Sequence[Key]) -> Box:
        """The names with their numbers, and what is said besides."""
        counts: Counter[str] = Counter()
        for cls in classes:
            counts[base(cls.ids[0])] += cls.size
        size, tapped = sum(counts.values()), sum(cls.tapped for cls in classes)
        state = [] if not tapped else ["tapped" if tapped == size else f"{tapped} tapped"]
        used = any(self.use.times[key] for key in keys)
        if len(counts) == 1:
            return Box(name, (next(iter(counts)), *state, *more), "object", size, used)
        lines = [f"{n} × {one}" if n > 1 else one for one, n in counts.items()]
        rest = [f"and {len(lines) - _MOST_NAMES + 1} more"] if len(lines) > _MOST_NAMES else []
        return Box(name, (*lines[: _MOST_NAMES - len(rest)], *rest, *state, *more), used=used)

    def _arcs(self, name: str, keys: Sequence[Key]) -> None:
        """To what the abilities make; from what pays for them, where the plan does or not just any mana can."""
        for k in sorted({k for key in keys for k in self.makes[key]}):
            made = any((key, self.net.kinds[k].type) in self.use.makes for key in keys)
            self._link(name, self._kind(k), used=made)
        for cost in sorted({cost for key in keys for cost in self.eats.get(key, ())}):
            picky = not parse_cost(cost).generic
            for k in self._payers(cost):
                fed = any((self.net.kinds[k].type, key) in self.use.feeds for key in keys)
                if fed or picky:
                    self._link(self._kind(k), name, kind="feeds", used=fed)

    def _kind(self, k: int) -> str:
        kind = self.net.kinds[k]
        words = [f"{{{kind.type}}}"] + (["snow"] if kind.snow else []) + (["restricted"] if kind.only else [])
        name = f"k{k}"
        self.boxes.setdefault(name, Box(name, (" ".join(words),), "mana"))
        return name

    def _payers(self, cost: str) -> list[int]:
        demand = next((d for d in self.net.demands if str(d.cost) == cost), None)
        return sorted({k for kinds in self.net.payers(demand).values() for k in kinds}) if demand else []

    def _final(self) -> None:
        """The cost, and the kinds of mana that may pay some symbol of it."""
        if self.cost is None:
            return
        cost = parse_cost(self.cost)
        self.boxes["cost"] = Box("cost", ("the cost", str(cost)), "cost" if self.use.pays else "unpaid")
        letters = {c for symbol in cost.symbols for c in symbol if c in "WUBRGC"}
        open_to_all = bool(cost.generic or cost.x or any(s[1:2].isdigit() or s == "{S}" for s in cost.symbols))
        for k, kind in enumerate(self.net.kinds):
            if f"k{k}" in self.boxes and (open_to_all or kind.type in letters):
                self._link(f"k{k}", "cost", used=kind.type in self.use.pays)

    def _link(self, start: str, end: str, label: str = "", kind: str = "", used: bool = False) -> None:
        self.links[start, end, label] = Link(start, end, label, kind, used)

    def _prune(self) -> None:
        """Only what can reach the cost bears on the question."""
        if "cost" not in self.boxes:
            return
        into: dict[str, set[str]] = {}
        for link in self.links.values():
            into.setdefault(link.end, set()).add(link.start)
        keep, stack = {"cost"}, ["cost"]
        while stack:
            for before in into.get(stack.pop(), ()):
                if before not in keep:
                    keep.add(before)
                    stack.append(before)
        self.boxes = {name: box for name, box in self.boxes.items() if name in keep}
        self.links = {k: link for k, link in self.links.items() if {link.start, link.end} <= keep}


def described(picture: Picture) -> Iterable[str]:
    """Each arc of a picture as a line of text, for tests and screen readers."""
    titles = {box.id: " / ".join(box.lines) + (f" ×{box.many}" if box.many > 1 else "") for box in picture.boxes}
    for link in picture.links:
        label = f" [{link.label}]" if link.label else ""
        yield f"{titles[link.start]} -> {titles[link.end]}{label}{' *' if link.used else ''}{' (loop)' * link.loop}"
