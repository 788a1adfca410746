"""A situation as a mana net: places (what can be spent), transitions (activations of mana abilities), a marking.

Paying is coverability in a Petri net (design in docs/design.md). *Places* are the untapped and the tapped members of
every class of identical permanents, cards in hand and graveyard, counters, uses of limited abilities; mana kinds (a
type, what it may be spent on, whether it is snow) are kept apart, because costs may take any fitting kind. A
*transition* is one activation of one ability by any member of a class, with one way to pay its cost and one outcome;
its replacement effects and triggered mana abilities are folded in. What is the same for the rules is one class and one
integer variable, however often it stands on the board.

Worlds: where a permanent that a payment can remove is read by something here (its static ability, a count of
creatures …), the net is compiled once for each number of them that may be left, and every transition belongs to one
such world. Boards without such a permanent have one world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from ..model import abilities as ab
from ..model.abilities import Activated, Filter, is_mana_ability
from ..model.alike import likeness, named_ids
from ..model.characteristics import View, view_of
from ..model.damage import life_taken
from ..model.evaluate import Context, amount, matches, objects_like
from ..model.game import Game, Has, ManaKind, Obj, Unknown
from ..model.mana import Cost, Mana, mana_of
from ..model.paying import FIELD_OF_PART, Paying, carry_out, with_objects
from ..model.plain import Form, is_quiet, row_on
from ..model.production import Outcome, Packet, activation_outcomes, counters_put, reflection_of
from ..model.replay import UNNOTICED, kinds_of, resolving_context, unnoticed
from ..model.spending import Purpose, Slot, Spending, may_spend, slots, spending
from ..model.structures import mentions, parts_of
from ..model.timing import activation_refusals, cost_part_refusal, object_refusal
from ..model.total_cost import total_activation_cost

# More ways to pay one cost, or more worlds, than this are not compiled; the answer says so.
MOST_VARIANTS = 3000
MOST_WORLDS = 128
MOST_X = 60
# In a transition's payment, the object whose ability it is, whichever member of the class that turns out to be.
ITSELF = ""
NOTHING_PAID = Paying()


_Asked = TypeVar("_Asked")
_Found = TypeVar("_Found")


def _remembered(function: Callable[[_Asked], _Found]) -> Callable[[_Asked], _Found]:
    """What a structure of card text contains is found once (their hashes are kept, and they never change)."""
    return cast("Callable[[_Asked], _Found]", lru_cache(50_000)(function))


class Kind(NamedTuple):
    """A kind of mana as far as paying can tell it apart: ManaKind without riders. `tag` names a source only where the
    final cost limits what sources its mana may come from."""

    type: str
    only: ab.SpendOnly | None = None
    snow: bool = False
    tag: str | None = None


class Class(msgspec.Struct):
    """Permanents or cards that no rule and no effect here can tell apart; `u` and `t` are the places of its untapped
    and tapped members (cards have only `u`). `ids`: untapped ones first."""

    index: int
    ids: tuple[str, ...]
    untapped: int
    tapped: int
    u: int
    t: int
    zone: str
    card: ab.Card

    @property
    def size(self) -> int:
        return len(self.ids)


class Move(NamedTuple):
    """Part of a payment: `n` objects from a place go to another (None: they leave the net). `field` of Paying."""

    field: str
    place: int
    n: int
    to: int | None


class Demand(NamedTuple):
    """A mana cost inside the net: its slots, and for every way of every slot the kinds that may pay it."""

    cost: Cost
    purpose: Purpose
    how: Spending
    slots: tuple[Slot, ...]


class Transition(msgspec.Struct, kw_only=True):
    """One activation. `takes` and `gives` are per place, `makes` per kind of mana, `free`: (n, kinds) mana each of
    any of these kinds. `reads`: so many must stand in these places together (with True: besides what it takes
    itself). `moves_itself`: the object whose ability it is, is the one that a move names. `before`: only with
    priority."""

    cls: Class
    number: int
    x: int | None = None
    takes: dict[int, int]
    gives: dict[int, int]
    reads: tuple[tuple[tuple[int, ...], int, bool], ...] = ()
    demand: int  # index into Net.demands; -1: no mana in its cost
    makes: dict[int, int]
    free: tuple[tuple[int, tuple[int, ...]], ...]
    life: int = 0
    damage: int = 0
    taps: int
    permanents: int = 0
    cards: int = 0
    counters: int = 0
    limit: int = 0  # activations each turn by one object; 0: any number
    before: bool = False
    moves: tuple[Move, ...]
    paying: Paying = NOTHING_PAID  # what is paid beside objects: life, counters …
    outcome: Outcome
    taps_itself: bool = False
    moves_itself: bool = False
    world: int = 0
    doubles: int = 0  # it reads the pool: adds so many times what is left of it (Doubling Cube), without restriction


class World(NamedTuple):
    """How many members of each watched group of classes are left while these transitions may be used."""

    left: tuple[int, ...]


class Net:
    """The compiled net for one player. `doubts` say why a no could be wrong (what was left out)."""

    def __init__(
        self, game: Game, player: str, view: View, *, before: bool, alone: frozenset[str] = frozenset()
    ) -> None:
        self.game = game
        self.alone = alone
        self.tags: Callable[[str], str | None] = _no_tag
        self.player = player
        self.view = view
        self.before = before
        self.marking: list[int] = []  # initial, by place
        self.place_names: list[tuple[object, ...]] = []
        self._places: dict[tuple[object, ...], int] = {}
        self.kinds: list[Kind] = []
        self._kinds: dict[Kind, int] = {}
        self.pool: list[int] = []  # initial mana, by kind
        self.classes: list[Class] = []
        self.class_of: dict[str, Class] = {}
        self.demands: list[Demand] = []
        self._demands: dict[object, int] = {}
        self.transitions: list[Transition] = []
        self.worlds: list[World] = [World(())]
        self.watched: tuple[tuple[Class, ...], ...] = ()
        self.doubts: list[Unknown] = []
        self.life = game.players[player].life
        self.quiet = is_quiet(view)
        self.supply: tuple[Any] | None = None  # see certificates.py
        self.gains: tuple[Any] | None = None
        self.plain: tuple[list[Any], list[Any]] | None = None  # see plain_flow.py

    # places and kinds -------------------------------------------------------------------------------------------

    def place(self, *name: object, start: int = 0) -> int:
        """The index of a place, made with that initial marking when it is new."""
        if name not in self._places:
            self._places[name] = len(self.marking)
            self.place_names.append(name)
            self.marking.append(start)
        return self._places[name]

    def kind(self, type_: str, only: ab.SpendOnly | None, snow: bool, source: str | None = None) -> int:
        key = Kind(type_, only, snow, self.tags(source) if source is not None else None)
        if key not in self._kinds:
            self._kinds[key] = len(self.kinds)
            self.kinds.append(key)
            self.pool.append(0)
        return self._kinds[key]

    def demand(self, cost: Cost, purpose: Purpose) -> int:
        """The index of a mana cost paid for a purpose; equal ones share their flows."""
        how = spending(self.view, self.player, purpose)
        # What the purpose allows is all that matters of it: the restricted kinds that exist are asked one by one.
        key = (cost, how, purpose.kind, purpose.source if self._restricted() else None, purpose.keyword)
        if key not in self._demands:
            self._demands[key] = len(self.demands)
            self.demands.append(Demand(cost, purpose, how, slots(cost, how)))
        return self._demands[key]

    def _restricted(self) -> bool:
        return any(k.only is not None for k in self.kinds)

    def payers(self, demand: Demand) -> dict[tuple[int, int], tuple[int, ...]]:
        """(slot, way) -> the kinds of mana that may pay it."""
        usable = [i for i, k in enumerate(self.kinds) if self._may_spend(k, demand.purpose)]
        found = {}
        for s, slot in enumerate(demand.slots):
            for w, way in enumerate(slot.ways):
                generic = slot.is_generic(way)
                found[s, w] = tuple(i for i in usable if demand.how.pays(ManaKind(*self.kinds[i][:3]), way, generic))
        return found

    def _may_spend(self, kind: Kind, purpose: Purpose) -> bool:
        """Where it is not stated what this mana may be spent on, a way of paying without it is still a yes."""
        try:
            return may_spend(kind.only, purpose, self.view, self.player)
        except Unknown as unknown:
            self.doubts.append(unknown)
            return False


def _no_tag(source: str) -> None:
    """Where no limit speaks of sources, mana is the same whatever made it."""


def compile_net(
    game: Game,
    player: str,
    *,
    before: bool = True,
    view: View | None = None,
    alone: Iterable[str] = (),
    tags: Callable[[str], str | None] = _no_tag,
) -> Net:
    """The mana net of everything that the player could do to make mana now.

    `before`: whether the player still has priority, so that abilities which need it may be used (605.3a). `alone`:
    objects that the final cost names, and which are classes of their own for that. `tags`: see Kind.
    """
    net = Net(game, player, view or view_of(game), before=before, alone=frozenset(alone))
    net.tags = tags
    for kind, n in game.players[player].pool:  # one kind may come from several sources
        net.pool[net.kind(kind.type, kind.only, kind.snow, kind.source)] += n
    classify(net)
    compile_world(net, net.view, 0)
    split_worlds(net)
    net.doubts.extend(unwatched_reads(net))
    if any(t.doubles for t in net.transitions):
        for type_ in dict.fromkeys(kind.type for kind in net.kinds):
            net.kind(type_, None, False)  # what is added carries no restriction (106.6)
    return net


def with_pool(net: Net, game: Game) -> Net:
    """The net of a game that differs in the player's pool alone. Not for nets in which an ability reads the pool."""
    other = copy(net)
    other.game, other.view = game, net.view.after(game)
    for field in ("marking", "place_names", "_places", "kinds", "_kinds", "demands", "_demands", "doubts"):
        setattr(other, field, copy(getattr(net, field)))
    other.supply = other.plain = None  # what was found out about another pool
    other.pool = [0] * len(net.kinds)
    for kind, n in game.players[net.player].pool:
        other.pool[other.kind(kind.type, kind.only, kind.snow, kind.source)] += n
    return other


def net_of(game: Game, player: str, *, before: bool, view: View | None = None, alone: Iterable[str] = ()) -> Net:
    """The same net, compiled once for all questions about one board. Nobody may change it, but for adding places and
    kinds of mana that a cost speaks of."""
    view = view or view_of(game)
    key = (Net, player, before, frozenset(alone))
    net = view.memo.get(key)
    if net is None:
        net = view.memo[key] = compile_net(game, player, before=before, view=view, alone=alone)
    return net


# --- classes ----------------------------------------------------------------------------------------------------------


def classify(net: Net) -> None:
    """Groups the player's permanents and cards into classes of what nothing can tell apart."""
    objects, player = net.game.objects, net.player
    lots = net.view.lots()
    named = named_ids(net.game, lots) | net.alone
    reached = _reached(net.view, player)
    groups: dict[object, tuple[list[str], list[str]]] = {}
    for lot in lots:
        obj = objects[lot[0]]
        if obj.phased_out or obj.zone not in ("battlefield", "hand", "graveyard"):
            continue
        if obj.zone == "battlefield":
            if net.view.of(obj.id).controller != player and obj.id not in reached:
                continue
        elif obj.owner != player:
            continue
        limited = _has_limited_ability(net.view, obj)
        each = [(i,) for i in lot] if limited or not named.isdisjoint(lot) else [lot]
        for ids in each:
            alone = limited or ids[0] in named
            untapped, tapped = groups.setdefault(class_key(net.view, objects[ids[0]], alone), ([], []))
            (tapped if obj.tapped else untapped).extend(ids)
    for untapped, tapped in groups.values():
        add_class(net, untapped, tapped)


def _has_limited_ability(view: View, obj: Obj) -> bool:
    """Whether it has a mana ability that may be activated so many times: a use that is left is left to that object
    alone, and goes with it (602.5b)."""
    if obj.zone != "battlefield":
        return False
    return any(_is_limited(has.ability) for has in view.abilities(obj.id) if isinstance(has.ability, Activated))


@_remembered
def _is_limited(ability: Activated) -> bool:
    return (ability.limit > 0 or ability.once) and is_mana_ability(ability)


def _reached(view: View, player: str) -> set[str]:
    """Others' permanents that matter for the player's mana: any player may activate them, or a cost untaps them."""
    found: set[str] = set()
    for lot in view.lots():
        obj = view.game.objects[lot[0]]
        if obj.zone != "battlefield" or obj.phased_out:
            continue
        for has in view.abilities(obj.id):
            if not isinstance(has.ability, Activated) or not _may_reach(has.ability):
                continue
            if has.ability.who == "any":
                found.update(lot)
            if view.of(obj.id).controller == player and is_mana_ability(has.ability):
                for oid in lot:
                    found.update(_untapped_by(view, player, oid, has.ability.cost))
    return found


@_remembered
def _may_reach(ability: Activated) -> bool:
    return ability.who == "any" or any(isinstance(part, ab.UntapOthers) for part in ability.cost)


def _untapped_by(view: View, player: str, oid: str, cost: Sequence[ab.CostPart]) -> Iterator[str]:
    ctx = Context(view, source=oid, you=player)
    for part in cost:
        if isinstance(part, ab.UntapOthers):
            yield from objects_like(msgspec.structs.replace(part.what, tapped=None), ctx)


def add_class(net: Net, untapped: Sequence[str], tapped: Sequence[str] = ()) -> None:
    ids = (*untapped, *tapped)
    first = net.game.objects[ids[0]]
    index = len(net.classes)
    permanent = first.zone == "battlefield"
    u = net.place("untapped" if permanent else first.zone, index, start=len(untapped))
    t = net.place("tapped", index, start=len(tapped)) if permanent else -1
    cls = Class(index, ids, len(untapped), len(tapped), u, t, first.zone, first.card)
    net.classes.append(cls)
    net.class_of.update(dict.fromkeys(ids, cls))


def class_key(view: View, obj: Obj, alone: bool) -> object:
    """What has to be equal for two objects to be one class."""
    if alone or (obj.counters and obj.zone == "battlefield"):
        return obj.id
    return likeness(view, obj)


# --- transitions ------------------------------------------------------------------------------------------------------


def compile_world(net: Net, view: View, world: int) -> None:
    """Adds the transitions of every class as the board is in `view`."""
    look = reflection_of(view).look
    for cls in net.classes:
        objects = view.game.objects
        first = next((oid for oid in cls.ids if oid in objects and objects[oid].zone == cls.zone), None)
        if first is None:
            continue
        for has in view.abilities(first):
            ability = has.ability
            if isinstance(ability, Activated) and is_mana_ability(ability):
                try:
                    _add_transitions(net, view, cls, first, has, look, world)
                except Unknown as unknown:
                    net.doubts.append(unknown)


def _add_transitions(net: Net, view: View, cls: Class, oid: str, has: Has, look: Any, world: int) -> None:
    ability = has.ability
    assert isinstance(ability, Activated)
    if any(isinstance(e, ab.Become) and not unnoticed(e) for e in ability.effects):
        raise Unknown(f"what an ability of {oid} leaves behind is not modelled", "not_modelled", (oid,))
    if net.quiet and view is net.view and (form := row_on(view, net.player).form(oid, has)) is not None:
        net.transitions.extend(_plain_transitions(net, cls, oid, has, form, world))
        return
    for x in _x_values(view, oid, ability, net):
        refusals = activation_refusals(view, net.player, oid, has, during_payment=True, x=x)
        instant_only = False
        if refusals and net.before:
            refusals = activation_refusals(view, net.player, oid, has, during_payment=False, x=x)
            instant_only = True
        if refusals:
            continue
        for cost, parts in total_activation_cost(view, net.player, oid, has, x):
            for variant in _variants(net, view, cls, oid, has, parts, x):
                for transition in _outcomes(net, view, cls, oid, has, cost, variant, x, look):
                    transition.before = instant_only
                    transition.world = world
                    net.transitions.append(transition)


def _plain_transitions(net: Net, cls: Class, oid: str, has: Has, form: Form, world: int) -> Iterator[Transition]:
    """The transitions of an ability that looks at nothing but itself: {T} and perhaps mana for a fixed outcome."""
    demand = _demand_of(net, oid, form.cost)
    moves = (Move("tap", cls.u, 1, cls.t),)
    for outcome in merged(form.outcomes):
        made = Outcome(tuple(Packet(p.mana, oid, p.only, p.riders, p.free, p.types) for p in outcome.made))
        makes: dict[int, int] = {}
        free: list[tuple[int, tuple[int, ...]]] = []
        for packet in made.made:
            _add_packet(net, net.view, packet, makes, free)
        yield Transition(
            cls=cls,
            number=has.number,
            takes={cls.u: 1},
            gives={cls.t: 1},
            demand=demand,
            makes=makes,
            free=tuple(free),
            taps=1,
            moves=moves,
            outcome=made,
            taps_itself=True,
            world=world,
        )


def _demand_of(net: Net, oid: str, cost: Cost) -> int:
    if cost == Cost():
        return -1
    return net.demand(cost, Purpose("ability", source=oid, has_c="{C}" in cost.symbols, for_mana=True))


def _x_values(view: View, oid: str, ability: Activated, net: Net) -> Sequence[int | None]:
    """The values of X worth announcing: bounded by what the cost can take it from."""
    if not mentions(ability.cost, ab.X) and not any(
        isinstance(p, ab.ManaPart) and "X" in p.cost for p in ability.cost
    ):
        return (None,)
    bounds = [_x_bound(view, oid, part, net) for part in ability.cost]
    known = [b for b in bounds if b is not None]
    if not known:
        net.doubts.append(Unknown(f"X of {oid} may be larger than {MOST_X}", "not_modelled", (oid,)))
    return range(min([*known, MOST_X]) + 1)


def _x_bound(view: View, oid: str, part: ab.CostPart, net: Net) -> int | None:
    game = view.game
    if isinstance(part, ab.RemoveCounters) and isinstance(part.n, ab.X):
        ids = objects_like(part.from_, Context(view, source=oid, you=net.player))
        return max((game.objects[i].count(part.kind) for i in ids), default=0)
    if isinstance(part, ab.PayLife) and isinstance(part.n, ab.X):
        return max(net.life, 0)
    if isinstance(part, ab.PayPlayerCounters) and isinstance(part.n, ab.X):
        return game.players[net.player].count(part.kind)
    what = getattr(part, "what", None)
    if isinstance(what, Filter) and isinstance(getattr(part, "n", None), ab.X):
        return len(objects_like(msgspec.structs.replace(what, tapped=None), Context(view, source=oid, you=net.player)))
    return None


class Variant(NamedTuple):
    """One way to pay everything of an activation's cost that is not mana, in terms of places."""

    moves: tuple[Move, ...] = ()
    paying: Paying = Paying()
    taps_itself: bool = False
    itself: int | None = None  # the place that the source leaves from as its own cost
    another: bool = False  # what is taken must be other objects than the source


def _variants(
    net: Net, view: View, cls: Class, oid: str, has: Has, parts: Sequence[ab.CostPart], x: int | None
) -> Iterator[Variant]:
    """Every way to pay the parts, by classes."""
    ctx = Context(view, source=oid, you=net.player, x=x)
    options: list[list[Variant]] = []
    for part in parts:
        if isinstance(part, ab.ManaPart):
            continue
        if cost_part_refusal(view, net.player, part, oid, mana_ability=True, x=x) is not None:
            return
        options.append(list(_part_variants(net, view, cls, oid, part, ctx)))
    size = 1
    for option in options:
        size *= len(option)
    if size > MOST_VARIANTS:
        raise Unknown(f"{oid} has too many ways to pay its cost", "not_modelled", (oid,))
    for choice in product(*options):
        moves = tuple(m for v in choice for m in v.moves)
        paying = Paying()
        for v in choice:
            paying = paying.plus(v.paying)
        taps_itself = any(v.taps_itself for v in choice)
        itself = next((v.itself for v in choice if v.itself is not None), None)
        if taps_itself and itself is not None and itself == cls.u and cls.t >= 0:
            continue  # once tapped for the cost it leaves from among the tapped ones
        yield Variant(moves, paying, taps_itself, itself, any(v.another for v in choice))


def _part_variants(
    net: Net, view: View, cls: Class, oid: str, part: ab.CostPart, ctx: Context
) -> Iterator[Variant]:
    match part:
        case ab.TapSelf():
            yield Variant((Move("tap", cls.u, 1, cls.t),), taps_itself=True)
        case ab.UntapSelf():
            if view.game.objects[oid].count("stun"):
                raise Unknown("untapping with stun counters while paying is not modelled", "not_modelled", (oid,))
            yield Variant((Move("untap", cls.t, 1, cls.u),), itself=cls.t)
        case ab.PayLife(n):
            yield Variant(paying=Paying(life=amount(n, ctx)))
        case ab.PayPlayerCounters(kind, n):
            place = net.place("player", kind, start=net.game.players[net.player].count(kind))
            count = amount(n, ctx)
            yield Variant((Move("player_counters", place, count, None),), Paying(player_counters=((kind, count),)))
        case ab.RemoveCounters(kind, n, from_, spread):
            if spread:
                raise Unknown("removing counters from several objects is not modelled", "not_modelled", (oid,))
            for target in objects_like(from_, ctx):
                obj = net.game.objects[target]
                for k in [kind] if kind else [k for k, _ in obj.counters]:
                    place = net.place("counters", target, k, start=obj.count(k))
                    count = amount(n, ctx)
                    removed = Paying(counters_removed=((ITSELF if from_.me else target, k, count),))
                    yield Variant((Move("counters", place, count, None),), removed)
        case ab.PutCounters(kind, n, on):
            for target in objects_like(on, ctx):
                name = ITSELF if on.me else target
                put = counters_put(view, target, kind, amount(n, ctx), cost=True)
                yield Variant(paying=Paying(counters_put=((name, kind, put),) if put else ()))
        case ab.Mill(n):
            size = net.game.players[net.player].library_size
            if size is None:
                raise Unknown("how many cards are in the library is not stated", "not_stated", (oid,))
            place = net.place("library", start=size)
            yield Variant((Move("mill", place, amount(n, ctx), None),), Paying(mill=amount(n, ctx)))
        case ab.Exert():
            yield Variant()
        case ab.OneOf(options):
            for option in options:
                has = Has(Activated(option), 0, "")
                yield from _variants(net, view, cls, oid, has, option, ctx.x)
        case ab.Unread():
            raise Unknown(f"a cost of {oid} was not understood", "not_understood", (oid,))
        case _:
            yield from _object_variants(net, view, cls, oid, part, ctx)


ACTION = {"sacrifice": "sacrifice", "tap": "tap", "untap": "untap", "discard": "discard"}


def _object_variants(
    net: Net, view: View, cls: Class, oid: str, part: ab.CostPart, ctx: Context
) -> Iterator[Variant]:
    field = FIELD_OF_PART[type(part)]
    if getattr(part, "total_power", None) is not None or getattr(part, "total_mana_value", None) is not None:
        raise Unknown(f"a cost of {oid} asks for a total", "not_modelled", (oid,))
    if getattr(part, "random", False):
        raise Unknown("a random discard can't be relied on", "not_stated", (oid,))
    what: Filter = part.what  # type: ignore[attr-defined]
    # Whether an object is tapped is a matter of places, not of the description.
    found = objects_like(msgspec.structs.replace(what, tapped=None), ctx)
    usable = [
        i
        for i in found
        if i in net.class_of
        and (net.game.objects[i].zone != "battlefield" or field == "untap" or view.of(i).controller == net.player)
        and (field not in ACTION or object_refusal(view, net.player, i, ACTION[field], mana_ability=True) is None)
    ]
    if what.me:
        usable = [i for i in usable if i == oid]
    classes = list({net.class_of[i].index: net.class_of[i] for i in usable}.values())
    sources = [(c, place) for c in classes for place in places_for(field, c, what)]
    n = len(usable) if getattr(part, "whole_hand", False) else amount(part.n, ctx)  # type: ignore[attr-defined]
    if n > 1 and len(sources) ** n > MOST_VARIANTS * 50 and len(sources) > 1:
        raise Unknown(f"{oid} has too many ways to pay its cost", "not_modelled", (oid,))
    for chosen in combinations_with_replacement(sources, n):
        moves = []
        for (c, place), m in Counter((c.index, place) for c, place in chosen).items():
            moves.append(Move(field, place, m, _destination(net, field, net.classes[c], place)))
        itself = moves[0].place if what.me and moves else None
        yield Variant(tuple(moves), itself=itself, another=what.me is False)


def places_for(field: str, cls: Class, what: Filter) -> list[int]:
    if cls.zone != "battlefield":
        return [cls.u]
    if field == "tap":
        return [cls.u]
    if field == "untap":
        return [cls.t]
    if what.tapped is not None:
        return [cls.t if what.tapped else cls.u]
    return [cls.u, cls.t]


def _destination(net: Net, field: str, cls: Class, place: int) -> int | None:
    if field == "tap":
        return cls.t
    if field == "untap":
        return cls.u
    if field == "reveal":
        return place
    return None


def _outcomes(
    net: Net,
    view: View,
    cls: Class,
    oid: str,
    has: Has,
    cost: Cost,
    variant: Variant,
    x: int | None,
    look: Any,
) -> Iterator[Transition]:
    """The transitions of one way of paying: one for each outcome of the activation."""
    ability = has.ability
    assert isinstance(ability, Activated)
    after, ctx = _after_paying(net, view, cls, oid, variant, x)
    looking = look if after is view else reflection_of(after).look
    demand = _demand_of(net, oid, cost)
    damage = sum(
        life_taken(e, after, net.player, ctx)
        for e in ability.effects
        if isinstance(e, ab.Damage | ab.LoseLife) and e.to in ("you", "controller")
    )
    takes, gives, reads = _arcs(net, cls, variant, has, ability)
    lost = [m for m in variant.moves if m.field in ("sacrifice", "exile", "to_hand", "discard", "moved")]
    on_battlefield = {p for c in net.classes if c.zone == "battlefield" for p in (c.u, c.t)} if lost else set[int]()
    permanents = sum(m.n for m in lost if m.place in on_battlefield)
    cards = sum(m.n for m in lost) - permanents
    taps = sum(m.n for m in variant.moves if m.field == "tap")
    counters = sum(n for _, _, n in variant.paying.counters_removed)
    doubles = any(isinstance(e, ab.AddMana) and isinstance(e.what, ab.SameAsLost) for e in ability.effects)
    factor = _factor(after, oid, ability, ctx, looking) if doubles else 0
    outcomes = [Outcome(())] if doubles else activation_outcomes(after, oid, ability, ctx, looking, listed=False)
    for outcome in merged(outcomes):
        makes: dict[int, int] = {}
        free: list[tuple[int, tuple[int, ...]]] = []
        for packet in (*outcome.made, *outcome.triggered):
            _add_packet(net, after, packet, makes, free)
        yield Transition(
            cls=cls,
            number=has.number,
            x=x,
            takes=takes,
            gives=gives,
            reads=reads,
            demand=demand,
            makes=makes,
            free=tuple(free),
            life=variant.paying.life,
            damage=damage,
            taps=taps,
            permanents=permanents,
            cards=cards,
            counters=counters,
            limit=1 if ability.once else ability.limit,
            before=False,
            moves=variant.moves,
            paying=variant.paying,
            outcome=outcome,
            taps_itself=variant.taps_itself,
            moves_itself=variant.itself is not None,
            doubles=factor,
        )


def _factor(view: View, oid: str, ability: Activated, ctx: Context, look: Any) -> int:
    """How many times the pool an ability that reads it adds, replacement effects included; the same for every pool,
    or it is not modelled."""
    found = set()
    for sample in (Mana(1, 1, 1, 1, 1, 1), Mana(1, 2, 3, 4, 5, 6)):
        who = view.game.players[ctx.you].but(pool=())
        for t, n in sample.items():
            who = who.add_mana(ManaKind(t), n)
        full = view.after(view.game.put_player(who))
        outcomes = activation_outcomes(full, oid, ability, ctx.but(view=full), look)
        for outcome in outcomes:
            times = outcome.mana.W
            if outcome.triggered or outcome.mana != sample.times(times):
                raise Unknown(f"what changes the mana of {oid} as it reads the pool is not modelled", "not_modelled")
            found.add(times)
    if len(found) != 1:
        raise Unknown(f"what changes the mana of {oid} as it reads the pool is not modelled", "not_modelled", (oid,))
    return found.pop()


def merged(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes that put the same mana into the pool are one; the first stands for them."""
    if len(outcomes) == 1:
        return list(outcomes)
    found: dict[object, Outcome] = {}
    for outcome in outcomes:
        content = Counter()
        for p in (*outcome.made, *outcome.triggered):
            content[(p.only, p.source if p.only else "", p.mana, p.free, p.types)] += 1
        found.setdefault(frozenset(content.items()), outcome)
    return list(found.values())


def _add_packet(
    net: Net, view: View, packet: Packet, makes: dict[int, int], free: list[tuple[int, tuple[int, ...]]]
) -> None:
    for kind, n in kinds_of(view, packet):
        index = net.kind(kind.type, kind.only, kind.snow, packet.source)
        makes[index] = makes.get(index, 0) + n
    if packet.free:
        kinds = (k for t in packet.types for k, _ in kinds_of(view, packet._replace(mana=mana_of(t), free=0)))
        free.append((packet.free, tuple(net.kind(k.type, k.only, k.snow, packet.source) for k in kinds)))


def _one(type_: str):
    from ..model.mana import mana_of

    return mana_of(type_)


def _after_paying(net: Net, view: View, cls: Class, oid: str, variant: Variant, x: int | None) -> tuple[View, Context]:
    """The board on which the effect resolves: its cost is paid by then (608.2h speaks of what left)."""
    ctx = Context(view, source=oid, you=net.player, x=x)
    moving = [m for m in variant.moves if m.field not in ("tap", "untap", "player_counters", "counters", "mill")]
    others = [m for m in variant.moves if m.field in ("tap", "untap")]
    if not moving and len(others) <= 1:
        return view, ctx
    paying = sample_payment(net, variant.moves, oid, variant.taps_itself, view.game)
    ctx = resolving_context(view, ctx, paying)
    if not moving:
        return view, ctx
    gone = with_objects({f: getattr(paying, f) for f in ("sacrifice", "exile", "to_hand", "discard", "moved")})
    after = view.after(carry_out(view.game, net.player, gone))
    return after, ctx.but(view=after)


def sample_payment(net: Net, moves: Sequence[Move], oid: str, taps_itself: bool, game: Game) -> Paying:
    """Concrete objects for the moves: any members of the classes, the source itself for its own {T}."""
    used: dict[str, set[str]] = {}
    fields: dict[str, list[str]] = {}
    owner = {p: c for c in net.classes for p in (c.u, c.t) if p >= 0}
    for move in moves:
        if move.place not in owner:
            continue
        cls = owner[move.place]
        taken = used.setdefault(move.field, set())
        first = [oid] if oid in cls.ids and (taps_itself and move.field == "tap") else []
        pool = [*first, *(i for i in reversed(cls.ids) if i not in first and i in game.objects)]
        if not first and oid in pool and len(pool) > 1 and move.field != "tap":
            pool = [i for i in pool if i != oid] + [oid]
        chosen = [i for i in pool if i not in taken][: move.n]
        taken.update(chosen)
        fields.setdefault(move.field, []).extend(chosen)
    return with_objects(fields)


def by_member(paying: Paying, source: str) -> Paying:
    """A transition's payment as this member of its class makes it."""

    def named(counters: tuple[tuple[str, str, int], ...]) -> tuple[tuple[str, str, int], ...]:
        return tuple((source if oid == ITSELF else oid, kind, n) for oid, kind, n in counters)

    return msgspec.structs.replace(
        paying, counters_removed=named(paying.counters_removed), counters_put=named(paying.counters_put)
    )


def _arcs(
    net: Net, cls: Class, variant: Variant, has: Has, ability: Activated
) -> tuple[dict[int, int], dict[int, int], tuple[tuple[tuple[int, ...], int, bool], ...]]:
    """What the activation takes from and gives to places, and what has to be there besides."""
    takes: dict[int, int] = {}
    gives: dict[int, int] = {}
    for move in variant.moves:
        takes[move.place] = takes.get(move.place, 0) + move.n
        if move.to is not None:
            gives[move.to] = gives.get(move.to, 0) + move.n
    if variant.taps_itself and not variant.another and takes.get(cls.t, 0) and gives.get(cls.t, 0):
        # {T} and then sacrificed as the rest of the cost: the object that it taps may be the one that goes.
        takes[cls.t] -= 1
        gives[cls.t] -= 1
    takes, gives = _positive(takes), _positive(gives)
    limit = 1 if ability.once else ability.limit
    if limit:
        used = sum(net.game.objects[i].activated.count(has.number) for i in cls.ids)
        uses = net.place("uses", cls.index, has.number, start=max(0, limit * cls.size - used))
        takes[uses] = takes.get(uses, 0) + 1
    here = tuple(p for p in (cls.u, cls.t) if p >= 0)
    if variant.taps_itself or variant.itself is not None:
        return takes, gives, ()  # taking it is reading it
    return takes, gives, ((here, 1, variant.another),)


def _positive(arcs: dict[int, int]) -> dict[int, int]:
    return {p: n for p, n in arcs.items() if n > 0}


# --- worlds -----------------------------------------------------------------------------------------------------------


def split_worlds(net: Net) -> None:
    """Compiles the net again for every number of watched permanents that may be left."""
    leaving = removable(net)
    if not leaving:
        return
    groups = watched_groups(net, leaving)
    if not groups:
        return
    net.watched = tuple(groups)
    sizes = [sum(c.size for c in group) for group in groups]
    count = 1
    for size in sizes:
        count *= size + 1
    if count > MOST_WORLDS:
        net.doubts.append(Unknown("too many things could change while paying", "not_modelled"))
        return
    net.worlds = []
    net.transitions = []
    for left in product(*(range(size, -1, -1) for size in sizes)):
        gone = [
            oid
            for group, keep in zip(groups, left, strict=True)
            for oid in [i for c in group for i in c.ids][keep:]
        ]
        world = len(net.worlds)
        net.worlds.append(World(left))
        compile_world(net, view_of(net.game.without(gone)) if gone else net.view, world)


def removable(net: Net) -> list[Class]:
    """Classes of permanents that some activation could remove from the battlefield."""
    moves = (m for t in net.transitions for m in t.moves)
    places = {m.place for m in moves if m.field in ("sacrifice", "exile", "to_hand", "moved")}
    return [c for c in net.classes if c.zone == "battlefield" and (c.u in places or c.t in places)]


def watched_groups(net: Net, leaving: Sequence[Class]) -> list[tuple[Class, ...]]:
    """Those that something here reads; classes that every reader counts alike are watched together."""
    filters = list(read_filters(net))
    groups: dict[object, list[Class]] = {}
    for cls in leaving:
        oid = cls.ids[0]
        signature = tuple(_reads(net, f, source, you, oid) for f, source, you in filters)
        acts = _acts_on_others(net.view, oid)
        if acts:
            groups[cls.index] = [cls]
        elif any(signature):
            groups.setdefault(signature, []).append(cls)
    return [tuple(g) for g in groups.values()]


def _reads(net: Net, f: Filter | ab.Devotion, source: str, you: str, oid: str) -> object:
    ctx = Context(net.view, source=source, you=you)
    if isinstance(f, ab.Devotion):
        chars = net.view.of(oid)
        if chars.controller != you or chars.mana_cost is None:
            return False
        return tuple(s for s in chars.mana_cost.symbols if set(s) & set("WUBRG"))
    try:
        return matches(f, oid, ctx)
    except Unknown:
        return True


def unwatched_reads(net: Net) -> Iterator[Unknown]:
    """What something here reads and a payment could change without a world of its own: then a no may be wrong (a
    yes is not, as the referee runs the line). Tapped states, cards in hand and graveyard, counters, life."""
    if not net.transitions:
        return
    moved = {m.field for t in net.transitions for m in t.moves}
    changes = {
        "hand": any(t.cards for t in net.transitions),
        "graveyard": bool(moved & {"sacrifice", "discard", "exile"}),
        "counters": "counters" in moved or any(t.paying.counters_put for t in net.transitions),
        "life": any(t.life or t.damage for t in net.transitions),
        "tapped": True,
    }
    for oid, aspect in read_aspects(net):
        if changes[aspect]:
            yield Unknown(f"{oid} looks at what changes while paying ({aspect})", "not_modelled", (oid,))


def read_aspects(net: Net) -> Iterator[tuple[str, str]]:
    """(object, aspect) for every amount and condition of an ability here that reads more than who is there."""
    for oid, *_ in net.view.lots():
        obj = net.view.game.objects[oid]
        if obj.zone not in ("battlefield", "effect", "command") or obj.phased_out:
            continue
        for has in net.view.abilities(oid):
            for aspect in _aspects_of(has.ability):
                yield oid, aspect


@_remembered
def _aspects_of(ability: ab.Ability) -> tuple[str, ...]:
    read: object = None
    if isinstance(ability, Activated) and is_mana_ability(ability):
        read = (ability.effects, ability.conditions)
    elif isinstance(ability, ab.Triggered) and is_mana_ability(ability):
        read = (ability.effects, ability.condition)
    elif isinstance(ability, ab.Static) and not all(isinstance(e, UNNOTICED) for e in ability.effects):
        read = ability.condition
    return tuple(dict.fromkeys(aspect for part in parts_of(read) for aspect in _aspects(part)))


def _aspects(part: object) -> Iterator[str]:
    match part:
        case ab.HandSize():
            yield "hand"
        case ab.Life():
            yield "life"
        case ab.Counters():
            yield "counters"
        case Filter(tapped=tapped, zone=zone):
            if tapped is not None:
                yield "tapped"
            if zone in ("hand", "graveyard"):
                yield zone


def read_filters(net: Net) -> Iterator[tuple[Filter | ab.Devotion, str, str]]:
    """Descriptions of objects that amounts, conditions and lookers here count, with the source that reads them."""
    view = net.view
    for lot in view.lots():
        obj = view.game.objects[lot[0]]
        if obj.zone not in ("battlefield", "effect", "command") or obj.phased_out:
            continue
        you = view.of(obj.id).controller
        for has in view.abilities(obj.id):
            for f in _counted_in(has.ability):
                for oid in lot:
                    yield f, oid, you


@_remembered
def _counted_in(ability: ab.Ability) -> tuple[Filter | ab.Devotion, ...]:
    return tuple(counted for part in parts_of(ability) for counted in _counted(part))


def _counted(part: object) -> Iterator[Filter | ab.Devotion]:
    match part:
        case ab.Count(of) | ab.Among(of=of):
            yield of
        case ab.Devotion():
            yield part
        case ab.Counters(among=Filter() as among):
            yield among
        case ab.CouldProduce(what) | ab.ColorsAmong(what):
            yield what
        case ab.Party():
            yield Filter(types=("Creature",), controller="you")


def _acts_on_others(view: View, oid: str) -> bool:
    """Whether the object has a static or triggered mana ability that could matter to another object or a player."""
    for has in view.abilities(oid):
        ability = has.ability
        if isinstance(ability, ab.Triggered) and ability.event in ("tapped_for_mana", "mana_added"):
            return ability.what is None or not ability.what.me
        if isinstance(ability, ab.Static) and ability.zone == "battlefield":
            for effect in ability.effects:
                what = getattr(effect, "what", None)
                itself = isinstance(what, Filter) and what.me is True
                if not itself and not isinstance(effect, UNNOTICED):
                    return True
    return False
