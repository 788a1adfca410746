"""What may be proposed for a spell or an ability, and what it then costs (601.2a-f, 602.2a-b).

`proposals_cast` and `proposals_activate` answer with `Proposals`: every complete set of announcements that is legal now
and that no other one beats, each with its total cost. Nothing is paid here, and no mana is counted. Announcements that
only make a spell dearer are left out unless they are asked for (`using`).

    ways       what is cast: which face, for its mana cost or for which alternative cost, by whose permission (118.9)
    additional costs, modes and targets of each way, as far as they change what it costs      (601.2b-d)
    totals     (601.2f), from `total_cost.py`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Literal, NamedTuple, TypeVar

import msgspec

from .abilities import (
    Activated,
    AdditionalCost,
    AlternativeCost,
    Condition,
    CostChange,
    CostPart,
    Filter,
    Keyword,
    LeastCost,
    Loyalty,
    ManaLimit,
    ManaPart,
    Mode,
    Node,
    Paid,
    PayLife,
    PayPlayerCounters,
    Permission,
    Prohibit,
    RemoveCounters,
    Sacrifice,
    SpellAbility,
    Stat,
    Static,
    StaticEffect,
    TapOthers,
    Target,
    Targets,
    ThisTurn,
    X,
)
from .characteristics import View, fused_card, view_of
from .evaluate import Context, SpellInfo, amount, holds, matches_spell, objects_like, players_of
from .game import Characteristics, Game, Has, Obj, Unknown
from .mana import Cost, parse_cost
from .parties import context_of
from .printed import INSETS
from .spending import Purpose
from .targeting import assigned, choices_of_targets, legal_targets
from .timing import (
    Refusal,
    activation_refusals,
    cost_part_refusal,
    instant_refusal,
    loyalty_timing,
    on_top,
    payers,
    prohibitions,
    sorcery_refusal,
    split_second_refusal,
)
from .total_cost import (
    Change,
    Effects,
    Settled,
    activation_costs,
    applied,
    mentions,
    own_statics,
    settle_all,
    with_changes,
)

_E = TypeVar("_E")
# What pays for part of a mana cost without being mana (702.51, 702.126, 702.66, 701.67, 702.132).
SubstituteKind = Literal["convoke", "improvise", "delve", "waterbend", "assist"]
SUBSTITUTES: tuple[SubstituteKind, ...] = ("convoke", "improvise", "delve", "waterbend", "assist")
# Layouts whose every face may be cast as it is (709.3, 712.11b, 715.3).
_CASTABLE_FACES = ("split", "modal_dfc", *INSETS)
# Alternative costs that are for a card in hand alone (702.185a, 702.94a).
_FROM_HAND_ONLY = ("warp", "miracle")


class Substitute(NamedTuple):
    """Objects of which each may pay one generic mana of the total cost, by being tapped or (delve) exiled; with
    `colors`, or one mana of a color that it has. `most`: at most so many. For assist another player pays."""

    kind: SubstituteKind
    what: Filter | None = None
    colors: bool = False
    most: int | None = None


_SUBSTITUTES: dict[str, Substitute] = {
    "convoke": Substitute("convoke", Filter(types=("Creature",), controller="you", tapped=False), colors=True),
    "improvise": Substitute("improvise", Filter(types=("Artifact",), controller="you", tapped=False)),
    "delve": Substitute("delve", Filter(zone="graveyard", owner="you")),
    "assist": Substitute("assist"),
}
_WATERBEND = Filter(types=("Artifact", "Creature"), controller="you", tapped=False)


class Limit(NamedTuple):
    """What mana alone may pay, with the object whose text says so."""

    limit: ManaLimit
    source: str


class Proposal(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One complete set of announcements and its total cost (601.2b-f).

    `label` is what `using` would name. `mana` is the whole mana cost with X announced; `x_mana` of it is what {X} asks
    for. `parts` is the rest, amounts worked out, life announced for Phyrexian symbols included. Filters in `parts`
    and `substitutes` are read with the object `source` and the player `player` as "you".
    """

    player: str
    source: str
    mana: Cost
    parts: tuple[CostPart, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    limits: tuple[Limit, ...] = ()
    purpose: Purpose
    label: tuple[str, ...] = ()
    offered_by: str = ""  # the card that offers the alternative cost
    x: int | None = None
    x_mana: int = 0
    targets: tuple[str, ...] = ()
    modes: tuple[int, ...] = ()
    face: int = 0
    number: int = 0  # of the activated ability
    notes: tuple[Refusal, ...] = ()  # which changes made the total cost

    @property
    def spell(self) -> SpellInfo | None:
        return self.purpose.spell


class Proposals:
    """The proposals for one spell or ability. `view` is the game in which costs are paid: with the spell on the stack.

    Without X there is one set of them, `with_x(None)`. With X (`has_x`) there is one for each value from 0, of which
    `x_most` is the greatest that anything but mana allows (None: no bound). An empty set has its `refusals`.
    """

    def __init__(self, view: View, ways: Sequence[_Way], refusals: Iterable[Refusal] = ()) -> None:
        self.view = view
        self._ways = tuple(ways)
        self._refusals: dict[Refusal, None] = dict.fromkeys(refusals)
        self._made: dict[int | None, tuple[Proposal, ...]] = {}

    @property
    def has_x(self) -> bool:
        return any(way.has_x for way in self._ways)

    @property
    def x_most(self) -> int | None:
        bounds = [way.x_most() for way in self._ways if way.has_x]
        return None if not bounds or None in bounds else max(b for b in bounds if b is not None)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Why what was asked for so far is not there."""
        return tuple(self._refusals)

    def with_x(self, x: int | None) -> tuple[Proposal, ...]:
        """The proposals with this X; without an X in any cost, those that there are."""
        if x not in self._made:
            found: list[Proposal] = []
            for way in self._ways:
                try:
                    found += way.proposals(x)
                except _Refused as refused:
                    self._refusals.update(dict.fromkeys(refused.refusals))
            self._made[x] = _undominated(found)
        return self._made[x]


class _Refused(Exception):
    def __init__(self, *refusals: Refusal) -> None:
        super().__init__(refusals)
        self.refusals = refusals


class _Way:
    """One way to cast or activate; `proposals` raises _Refused where it can't be."""

    has_x = False

    def proposals(self, x: int | None) -> list[Proposal]:
        raise NotImplementedError

    def x_most(self) -> int | None:
        return None


def _undominated(found: list[Proposal]) -> tuple[Proposal, ...]:
    """Without those that cost at least what another of the same label costs, and differ in nothing else that pays."""
    kept: list[Proposal] = []
    for one in found:
        if not any(_as_good(other, one) for other in kept):
            kept = [other for other in kept if not _as_good(one, other)]
            kept.append(one)
    return tuple(kept)


def _as_good(one: Proposal, other: Proposal) -> bool:
    same = (one.label, one.parts, one.substitutes, one.limits, one.face, one.x, one.offered_by)
    if same != (other.label, other.parts, other.substitutes, other.limits, other.face, other.x, other.offered_by):
        return False
    fewer = not (Counter(one.mana.symbols) - Counter(other.mana.symbols))
    return fewer and one.mana.generic <= other.mana.generic and one.x_mana == other.x_mana


# --- what the question asks for -------------------------------------------------------------------------------------


class _Asked(NamedTuple):
    """`using`, taken apart."""

    names: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None


def _asked(using: Iterable[object], targets: Sequence[str] | None) -> _Asked:
    names: list[str] = []
    alternatives: list[str] = []
    for one in using or ():
        if isinstance(one, str):
            names.append(one.lower())
        else:
            alternatives.append(one["alternative"] if isinstance(one, dict) else one.alternative)  # type: ignore[attr-defined]
    return _Asked(tuple(names), tuple(alternatives), tuple(targets) if targets else None)


# --- casting --------------------------------------------------------------------------------------------------------


class _Version(NamedTuple):
    """A spell that the card may become: the view with it on the stack, and what it is there."""

    view: View
    seen: Characteristics
    face: int
    fused: bool = False
    face_down: bool = False


def proposals_cast(
    view: View,
    player: str,
    oid: str,
    *,
    zone: str = "hand",
    using: Iterable[object] = (),
    targets: Sequence[str] | None = None,
    face: int | None = None,
) -> Proposals:
    """What `player` may propose for casting the card now (601.2a-f). `face`: only as that face."""
    obj = view.game.objects[oid]
    if obj.zone != zone:
        return Proposals(view, (), (Refusal("prohibited", "601.3", (oid,), f"{oid} is not in that zone"),))
    asked = _asked(using, targets)
    ways: list[_Cast] = []
    refusals: list[Refusal] = []
    shown = view
    for version in _versions(view, player, obj, face):
        shown = version.view
        if "Land" in version.seen.types and not version.face_down:
            refusals.append(Refusal("prohibited", "305.9", (oid,), f"{oid} is a land and can't be cast"))
            continue
        found = list(_routes(view, version, player, obj))
        if not found:
            refusals.append(Refusal("prohibited", "601.3", (oid,), f"nothing lets {player} cast {oid} from there"))
        ways += [_Cast(view, version, player, obj, route, asked) for route in found]
    if len(asked.alternatives) + sum(1 for n in asked.names if n in _keywords_of(ways)) > 1:
        return Proposals(shown, (), (Refusal("rule", "118.9a", (oid,), "only one alternative cost may be paid"),))
    ways = [way for way in ways if way.is_asked_for()]
    if not ways and not refusals:
        refusals.append(Refusal("prohibited", "601.2b", (oid,), f"{oid} can't be cast in the way asked for"))
    return Proposals(ways[0].version.view if ways else shown, ways, refusals)


def _keywords_of(ways: Sequence[_Cast]) -> set[str]:
    return {way.route.keyword for way in ways if way.route.is_alternative and way.route.keyword}


def _versions(view: View, player: str, obj: Obj, face: int | None) -> Iterator[_Version]:
    """The spells that the card may become (709.3, 712.11, 715.3, 708.4)."""
    for n in _castable_faces(obj):
        if face is None or n == face:
            yield _on_stack(view, player, obj, n)
    first = _on_stack(view, player, obj, 0)
    if face is None and obj.card.layout == "split" and obj.zone == "hand":
        fused = _on_stack(view, player, obj, 0, fused=True)
        if "fuse" in fused.seen.keywords:
            yield fused
    own = [alternative for alternative, _, _ in _own(view, first, obj.id, player, None, AlternativeCost)]
    if any(alternative.face_down for alternative in own):
        yield _on_stack(view, player, obj, 0, face_down=True)
    if any(alternative.back_face for alternative in own):
        yield _on_stack(view, player, obj, 1)


def _castable_faces(obj: Obj) -> range:
    several = obj.card.layout in _CASTABLE_FACES
    return range(len(obj.card.faces) if several else 1)


def _on_stack(
    view: View, player: str, obj: Obj, face: int, *, face_down: bool = False, fused: bool = False
) -> _Version:
    """601.2a: the card on top of the stack; X counts as 0 until it is announced."""
    spell = obj.but(zone="stack", controller=player, face=face, face_down=face_down, from_zone=obj.zone, x=0)
    if fused:
        spell = spell.but(card=fused_card(obj.card))
    after = view_of(_with_spell(view.game, spell))
    return _Version(after, after.of(obj.id), face, fused, face_down)


def _with_spell(game: Game, spell: Obj) -> Game:
    there = game.put(spell)
    return Game(there.you, there.players, there.objects, there.turn, (*there.stack, spell.id))


# --- routes: for which cost, by whose leave -------------------------------------------------------------------------


class _Route(NamedTuple):
    """The base of a total cost: the mana cost (`cost` None) or one alternative cost, with what comes along."""

    cost: tuple[CostPart, ...] | None = None
    label: tuple[str, ...] = ()
    keyword: str = ""
    offered_by: str = ""
    offered_id: str = ""  # the object that offers the cost
    is_alternative: bool = False
    extra: tuple[CostPart, ...] = ()  # of the permission: an additional cost
    timing: str = ""
    reduce_by: str = ""
    limits: tuple[Limit, ...] = ()


def _routes(view: View, version: _Version, player: str, obj: Obj) -> Iterator[_Route]:
    """Every base cost that the spell may be cast for from where the card is."""
    leaves = list(_leaves(view, version, player, obj))
    if not version.face_down and not _needs_alternative(version, obj):
        for leave in leaves:
            yield _Route(label=leave.label, keyword=leave.keyword, extra=leave.extra, offered_by=leave.offered_by)
    for effect, ctx, own, by in _alternatives(view, version, player, obj, leaves):
        if effect.once_each_turn:
            _demand_unused(version.view, player, effect.spells, ctx)
        name = _name_of(effect, ctx, own, version.view)
        limits = (Limit(effect.only, obj.id),) if effect.only is not None else ()
        for leave in by:
            yield _Route(
                cost=effect.cost,
                label=(*leave.label, effect.name or name),
                keyword=effect.name,
                offered_by=name,
                offered_id=ctx.source or "",
                is_alternative=True,
                extra=leave.extra,
                timing=effect.timing,
                reduce_by=effect.reduce_by,
                limits=limits,
            )


def _needs_alternative(version: _Version, obj: Obj) -> bool:
    """Whether this face can be cast by an alternative cost only: a back face that is no face of its own."""
    return version.face == 1 and obj.card.layout not in _CASTABLE_FACES


class _Leave(NamedTuple):
    """What lets the player cast the card from the zone where it is."""

    label: tuple[str, ...] = ()
    keyword: str = ""
    extra: tuple[CostPart, ...] = ()
    offered_by: str = ""


def _leaves(view: View, version: _Version, player: str, obj: Obj) -> Iterator[_Leave]:
    """601.3, 903.8: from hand, from the command zone, or by a permission."""
    seen, mine = version.seen, obj.owner == player
    aftermath = "aftermath" in seen.keywords or _has_own_permission(view, version, obj, player, "aftermath")
    if obj.zone == "hand" and mine and not aftermath and not version.fused:
        yield _Leave()
    if obj.zone == "hand" and mine and version.fused:
        yield _Leave(label=("fuse",))
    if obj.zone == "command" and mine and obj.commander:
        tax = (ManaPart("{2}", repeat=obj.casts),) if obj.casts else ()
        yield _Leave(extra=tax)
    if obj.zone == "exile" and mine and version.face == 0 and _is_on_adventure(obj):
        yield _Leave()
    yield from _permitted(view, version, player, obj)


def _is_on_adventure(obj: Obj) -> bool:
    return obj.card.layout in INSETS and any(word in obj.noted for word in ("adventure", "on an adventure"))


def _has_own_permission(view: View, version: _Version, obj: Obj, player: str, name: str) -> bool:
    return any(p.name == name for p, _, _ in _own(view, version, obj.id, player, None, Permission))


def _permitted(view: View, version: _Version, player: str, obj: Obj) -> Iterator[_Leave]:
    """Permissions of effects to cast this from where it is; those of other objects read in the game before."""
    info = _plain_info(version, obj)
    for effect, ctx, condition in (
        *_of_others(view, info, Permission),
        *_own(view, version, obj.id, player, info, Permission),
    ):
        if effect.spells is None or obj.zone not in effect.zones or (effect.flash and not effect.zones):
            continue
        if player not in players_of(effect.who, ctx) or not _is_reachable(view, player, obj, effect.spells, ctx):
            continue
        if effect.your_turn_only and view.game.turn.active != player:
            continue
        if not matches_spell(effect.spells, info, ctx) or not _holds(condition, ctx):
            continue
        if effect.once_each_turn:
            _demand_unused(view, player, effect.spells, ctx)
        label = (effect.name,) if effect.name else ()
        offered = view.of(ctx.source).name if ctx.source in view.game.objects else ""  # type: ignore[arg-type]
        yield _Leave(label, effect.name, effect.also_pay, offered)


def _is_reachable(view: View, player: str, obj: Obj, spells: Filter, ctx: Context) -> bool:
    """A permission for a library means its top card; for a zone of one's own, unless it names another's."""
    if obj.zone == "library" and not on_top(view, obj):
        return False
    if spells.owner != "any":
        return obj.owner in players_of(spells.owner, ctx)
    return obj.owner == player or obj.zone in ("exile", "command")


def _demand_unused(view: View, player: str, like: Filter | None, ctx: Context) -> None:
    """Raises Unknown where a permission for once each turn may have been used by a spell cast this turn."""
    if like is not None and amount(ThisTurn("spells_cast", "you", of=_anywhere(like)), ctx.but(you=player)):
        raise Unknown(f"whether {ctx.source} was used this turn is not stated", objects=(ctx.source or "",))


def _anywhere(like: Filter) -> Filter:
    """The description without the zone it was cast from, which is not known of spells cast before."""
    return msgspec.structs.replace(like, from_zone=None, not_from_zone=None, zone="any")


def _alternatives(
    view: View, version: _Version, player: str, obj: Obj, leaves: list[_Leave]
) -> Iterator[tuple[AlternativeCost, Context, bool, list[_Leave]]]:
    """Alternative costs that the player could choose for this spell (118.9): whether they are its own, and by whose
    leave. What the situation may be silent about is looked at last."""
    info = _plain_info(version, obj)
    found = [(e, c, o, True) for e, c, o in _own(view, version, obj.id, player, info, AlternativeCost)]
    if obj.zone != "library" or on_top(view, obj):
        found += [(e, c, o, False) for e, c, o in _of_others(version.view, info, AlternativeCost)]
    for effect, ctx, condition, own in found:
        if effect.face_down != version.face_down or (effect.back_face and version.face != 1):
            continue
        if player not in players_of(effect.who, ctx) or not matches_spell(effect.spells, info, ctx):
            continue
        by = _leaves_for(effect, own, obj.zone, leaves)
        if by and _holds(condition, ctx) and _holds(effect.condition, ctx):
            yield effect, ctx, own, by


def _of_others(view: View, info: SpellInfo, kind: type[_E]) -> list[tuple[_E, Context, Condition | None]]:
    """Effects of this kind that are not the spell's own, each with its context and a condition left open."""
    return [
        (active.effect, context_of(view, active).but(spell=info), active.condition)
        for active in view.statics(kind)
        if isinstance(active.effect, kind) and active.source != info.obj.id
    ]


def _holds(condition: Condition | None, ctx: Context) -> bool:
    return condition is None or holds(condition, ctx)


def _offered(effect: AlternativeCost, ctx: Context, player: str) -> bool:
    return player in players_of(effect.who, ctx) and (effect.condition is None or holds(effect.condition, ctx))


def _leaves_for(effect: AlternativeCost, own: bool, zone: str, leaves: list[_Leave]) -> list[_Leave]:
    """By which permissions the spell may be cast for this cost. A keyword that names a zone other than the hand lets
    it be cast from there by itself; a cost that names none goes with every permission."""
    if zone in effect.zones and zone != "hand":
        return [_Leave()]
    everywhere = "any" in effect.zones or (own and effect.zones == ("hand",) and effect.name not in _FROM_HAND_ONLY)
    return leaves if everywhere or zone in effect.zones else []


def _name_of(effect: AlternativeCost, ctx: Context, own: bool, view: View) -> str:
    """The card that offers the cost: what `{alternative: …}` names."""
    if ctx.source is None or ctx.source not in view.game.objects:
        return effect.name
    o = view.game.objects[ctx.source]
    return o.card.name if own or o.zone == "effect" else (view.of(ctx.source).name or o.card.name)


def _own(
    view: View, version: _Version, oid: str, player: str, info: SpellInfo | None, kind: type[_E]
) -> list[tuple[_E, Context, Condition | None]]:
    """Static effects of this kind of the card itself: what it has where it is (so granted ones count) and what it
    has on the stack; each with its context and the condition of its ability."""
    found: dict[tuple[_E, Condition | None], Context] = {}
    for looked in (view, version.view):
        ctx = Context(looked, source=oid, you=player, spell=info)
        for has in looked.of(oid).abilities:
            ability = has.ability
            if not isinstance(ability, Static):
                continue
            for effect in ability.effects:
                if isinstance(effect, kind) and _about_itself(effect, ability):
                    found.setdefault((effect, ability.condition), ctx)
    if version.face_down:
        ctx = Context(view, source=oid, you=player, spell=info)
        for effect in _printed(version, oid, kind):
            found.setdefault((effect, None), ctx)
    return [(effect, ctx, condition) for (effect, condition), ctx in found.items()]


def _about_itself(effect: StaticEffect, ability: Static) -> bool:
    about = getattr(effect, "spells", None) or getattr(effect, "what", None)
    return ability.zone in ("stack", "any") or (isinstance(about, Filter) and about.me is True)


def _printed(version: _Version, oid: str, kind: type[_E]) -> list[_E]:
    """708.4a: what lets a card be cast face down is read on the card."""
    face = version.view.game.objects[oid].card.faces[0]
    statics = (a for line in face.lines for a in line.abilities if isinstance(a, Static))
    return [e for a in statics for e in a.effects if isinstance(e, kind)]


def _plain_info(version: _Version, obj: Obj, **changes: object) -> SpellInfo:
    foretold = obj.zone == "exile" and (obj.face_down or "foretold" in obj.noted)
    return SpellInfo(
        obj=version.view.game.objects[obj.id],
        seen=version.seen,
        from_zone=obj.zone,
        foretold=foretold,
        **changes,  # type: ignore[arg-type]
    )


# --- one way to cast ------------------------------------------------------------------------------------------------


class _Extra(NamedTuple):
    """An optional additional cost, taken `times` times."""

    cost: AdditionalCost
    ctx: Context
    times: int = 1


class _Cast(_Way):
    """Casting one version of the card by one route."""

    def __init__(self, view: View, version: _Version, player: str, obj: Obj, route: _Route, asked: _Asked) -> None:
        self.before, self.version, self.player, self.obj = view, version, player, obj
        self.view, self.route, self.asked = version.view, route, asked
        self.seen = _as_cast(version.seen, route)
        self.has_x = self._x_is_free()

    # what is asked for

    def is_asked_for(self) -> bool:
        """Whether the alternative costs that `using` names are those of this route."""
        route = self.route
        if self.asked.alternatives:
            return route.is_alternative and self._is_named(self.asked.alternatives[0])
        wanted = set(self.asked.names) & _ALTERNATIVE_NAMES
        return not wanted or wanted <= {name.lower() for name in route.label}

    def _is_named(self, name: str) -> bool:
        offered = self.route.offered_by
        names = {offered, *offered.split(" // "), self.route.keyword, self.route.offered_id}
        return name.casefold() in {n.casefold() for n in names}

    # X

    def _x_is_free(self) -> bool:
        """107.3a-b: X is announced if the cost to be paid contains it."""
        base = (self.route.cost if self.route.cost is not None else _mana_part(self.seen)) or ()
        extras = [extra.cost.cost for extra in self._extras() if not extra.cost.optional or self._wants(extra.cost)]
        return any(_has_x(part) for part in (*base, *(p for cost in extras for p in cost)))

    def x_most(self) -> int | None:
        info = self._info(0, (), ())
        parts = [*(self.route.cost or ()), *(p for e in self._extras() for p in e.cost.cost)]
        bounds = [_x_bound(self.view, self.player, part, self.obj.id) for part in parts if _has_x(part)]
        bounds += [self._target_bound(ability, info) for ability in _spell_abilities(self.seen)]
        known = [b for b in bounds if b is not None]
        return min(known) if known else None

    def _target_bound(self, ability: SpellAbility, info: SpellInfo) -> int | None:
        return _x_bound_of_targets(self.view, self.player, info, ability.targets, self._ctx(info))

    # the proposals

    def proposals(self, x: int | None) -> list[Proposal]:
        if x and not self.has_x:
            raise _Refused(Refusal("rule", "107.3b", (self.obj.id,), "there is no X to announce in this cost"))
        if self.has_x and x is None:
            x = 0
        if not self.has_x and self.seen.mana_cost is not None and self.seen.mana_cost.x:
            x = 0  # 107.3b
        found: list[Proposal] = []
        refusals: dict[Refusal, None] = {}
        for extras in self._choices_of_extras(x):
            try:
                found += self._with_extras(x, extras)
            except _Refused as refused:
                refusals.update(dict.fromkeys(refused.refusals))
        if not found:
            raise _Refused(*refusals)
        return found

    def _info(self, x: int | None, paid: tuple[str, ...], targets: tuple[str, ...]) -> SpellInfo:
        seen = self.seen
        if x and seen.mana_cost is not None and seen.mana_cost.x:
            seen = msgspec.structs.replace(seen, mana_value=seen.mana_value + x * seen.mana_cost.x)
        names = (*paid, *self.route.label)
        return msgspec.structs.replace(_plain_info(self.version, self.obj), seen=seen, x=x, paid=names, targets=targets)

    def _ctx(self, info: SpellInfo) -> Context:
        return Context(self.view, source=self.obj.id, you=self.player, x=info.x, targets=info.targets, spell=info)

    def _with_extras(self, x: int | None, extras: tuple[_Extra, ...]) -> list[Proposal]:
        paid = tuple(name for e in extras for name in [_name(e.cost)] * e.times if e.cost.optional)
        info = self._info(x, paid, ())
        refusals = self._refusals(info, extras)
        if refusals:
            raise _Refused(*refusals)
        found: list[Proposal] = []
        failed: dict[Refusal, None] = {}
        for modes, wanted, costs in self._choices_of_modes(paid):
            try:
                for targets in self._choices_of_targets(info, wanted, extras):
                    found += self._priced(self._info(x, paid, targets), extras, costs, modes, failed)
            except _Refused as refused:
                failed.update(dict.fromkeys(refused.refusals))
        if not found:
            raise _Refused(*failed)
        return found

    # may it be begun

    def _refusals(self, info: SpellInfo, extras: tuple[_Extra, ...]) -> list[Refusal]:
        found: list[Refusal] = []
        if self.before.game.turn.during_cast == self.obj.id:
            return []  # it was begun already, and is not judged again (601.5)
        late = self._timing(info, extras)
        if late is not None:
            found.append(late)
        silent = split_second_refusal(self.before)
        if silent is not None:
            found.append(silent)
        found += forbidden_casts(self.before, self.player, info, self._own_prohibitions(info))
        own = self._own_timing(info)
        if own is not None:
            found.append(own)
        return found

    def _timing(self, info: SpellInfo, extras: tuple[_Extra, ...]) -> Refusal | None:
        """117.1a, 307.1: any time an instant could be cast only with the type, flash, or a permission."""
        soon = "Instant" in info.seen.types or "flash" in info.seen.keywords or self.route.timing == "flash"
        soon = soon or any(e.cost.timing == "flash" for e in extras)
        if self.route.timing != "sorcery" and (soon or self._flash_permitted(info)):
            return instant_refusal(self.before, self.player)
        return sorcery_refusal(self.before, self.player)

    def _flash_permitted(self, info: SpellInfo) -> bool:
        """601.3b: an effect lets the spell be cast as though it had flash."""
        for effect, ctx, condition in _of_others(self.before, info, Permission):
            if not effect.flash or effect.spells is None or self.player not in players_of(effect.who, ctx):
                continue
            if effect.zones and self.obj.zone not in effect.zones:
                continue
            if matches_spell(effect.spells, info, ctx) and _holds(condition, ctx):
                return True
        own = _own(self.before, self.version, self.obj.id, self.player, info, Permission)
        return any(effect.flash and _holds(condition, ctx) for effect, ctx, condition in own)

    def _own_prohibitions(self, info: SpellInfo) -> list[tuple[Prohibit, Context, Condition | None]]:
        return _own(self.before, self.version, self.obj.id, self.player, info, Prohibit)

    def _own_timing(self, info: SpellInfo) -> Refusal | None:
        """What the spell itself says about when it may be cast, and 205.4e for legendary ones."""
        ctx = Context(self.before, source=self.obj.id, you=self.player, spell=info)
        for ability in _spell_abilities(info.seen):
            if ability.timing is not None and not holds(ability.timing, ctx):
                return Refusal("timing", "601.3", (self.obj.id,), f"{self.obj.id} may not be cast at this time")
        if "Legendary" in info.seen.supertypes and {"Instant", "Sorcery"} & set(info.seen.types):
            legends = Filter(types=("Creature", "Planeswalker"), supertypes=("Legendary",), controller="you")
            if not objects_like(legends, ctx):
                return Refusal("prohibited", "205.4e", (self.obj.id,), "no legendary creature or planeswalker")
        return None

    # additional costs

    def _extras(self) -> list[_Extra]:
        """Every additional cost of this spell (118.8), its own and those of effects."""
        info = _plain_info(self.version, self.obj)
        found: list[tuple[AdditionalCost, Context]] = []
        found += [(e, c) for e, c in own_statics(self.view, self.player, self.obj.id, info, (AdditionalCost,))]  # type: ignore[misc]
        for effect, ctx, condition in _of_others(self.view, info, AdditionalCost):
            if self.player not in players_of(effect.who, ctx) or not matches_spell(effect.spells, info, ctx):
                continue
            if _holds(condition, ctx):
                found.append((effect, ctx))
        return [_Extra(effect, ctx) for effect, ctx in found]

    def _wants(self, cost: AdditionalCost) -> bool:
        return bool(_names(cost) & set(self.asked.names))

    def _choices_of_extras(self, x: int | None) -> Iterator[tuple[_Extra, ...]]:
        """Which additional costs are announced: all that must be, those that are asked for, and of the others those
        that could make the spell cheaper or let it be cast."""
        every = self._extras()
        forced = tuple(e for e in every if not e.cost.optional)
        optional = [e for e in every if e.cost.optional]
        needed = Counter(n for n in self.asked.names if n not in self._names_of_route())
        options = [self._times(e, needed) for e in optional]
        possible = False
        for times in product(*options):
            chosen = tuple(e._replace(times=n) for e, n in zip(optional, times, strict=True) if n)
            if self._covers(chosen, needed):
                possible = True
                yield forced + chosen
        if not possible:
            name = next(iter(needed))
            raise _Refused(Refusal("rule", "601.2b", (self.obj.id,), f"{self.obj.id} offers no {name}"))

    def _names_of_route(self) -> set[str]:
        names = {name.lower() for name in self.route.label}
        names |= {s for s in SUBSTITUTES if s in self.seen.keywords}
        return names

    def _times(self, extra: _Extra, needed: Counter[str]) -> tuple[int, ...]:
        wanted = max((needed[name] for name in _names(extra.cost)), default=0)
        if extra.cost.many:
            return (wanted,) if wanted else (0,)
        return (0, 1) if wanted or self._could_help(extra.cost) else (0,)

    def _could_help(self, cost: AdditionalCost) -> bool:
        if cost.reduces or cost.timing:
            return True
        statics = (h.ability for h in self.seen.abilities if isinstance(h.ability, Static))
        return any(mentions(static, Paid) for static in statics)

    def _covers(self, chosen: tuple[_Extra, ...], needed: Counter[str]) -> bool:
        have: Counter[str] = Counter()
        for extra in chosen:
            have.update({name: extra.times for name in _names(extra.cost)})
        return all(have[name] >= n for name, n in needed.items())

    # modes and targets

    def _choices_of_modes(
        self, paid: tuple[str, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[Target, ...], tuple[CostPart, ...]]]:
        """Modes with their targets and their costs (700.2), the fewest that may be chosen."""
        fixed = list(self._implied_targets())
        modal: list[tuple[SpellAbility, int]] = []
        for ability in _spell_abilities(self.seen):
            if self.route.keyword == "overload":
                continue  # 702.96b: "target" is read as "each"
            fixed += ability.targets
            if ability.modes:
                modal.append((ability, self._number_of_modes(ability, paid)))
        choices = [list(combinations(range(len(a.modes)), n)) for a, n in modal]
        for picks in product(*choices):
            modes: list[Mode] = [a.modes[i] for (a, _), pick in zip(modal, picks, strict=True) for i in pick]
            targets = (*fixed, *(t for mode in modes for t in mode.targets))
            numbers = tuple(i + 1 for pick in picks for i in pick)
            yield numbers, targets, tuple(part for mode in modes for part in mode.cost)

    def _number_of_modes(self, ability: SpellAbility, paid: tuple[str, ...]) -> int:
        if "entwine" in paid:
            return len(ability.modes)
        return min(len(ability.modes), ability.choose[0] + paid.count("escalate"))

    def _implied_targets(self) -> Iterator[Target]:
        """Targets that rules give a spell: Auras (303.4a), mutating creatures (702.140a), awaken (702.113b)."""
        if self.route.keyword == "mutate":
            yield Target(Filter(types=("Creature",), not_subtypes=("Human",), owner="you"))
        elif self.route.keyword == "bestow":
            yield Target(Filter(types=("Creature",)))
        elif "Aura" in self.seen.subtypes and not self.version.face_down:
            yield from _enchant_targets(self.seen, self.obj.id)
        if self.route.keyword == "awaken":
            yield Target(Filter(types=("Land",), controller="you"))

    def _choices_of_targets(
        self, info: SpellInfo, wanted: tuple[Target, ...], extras: tuple[_Extra, ...]
    ) -> Iterator[tuple[str, ...]]:
        ctx = self._ctx(info)
        if self.asked.targets is not None:
            if not assigned(self.view, self.player, info, wanted, self.asked.targets, ctx):
                raise _Refused(Refusal("no_target", "601.2c", self.asked.targets, "these are not legal targets for it"))
            yield self.asked.targets
            return
        sign = self._signature(info) if self._looks_at_targets(extras) else None
        some = False
        for targets in choices_of_targets(self.view, self.player, info, wanted, ctx, sign):
            some = True
            yield targets
        if some:
            return
        if self.route.keyword == "cleave":
            raise Unknown("what a spell targets when it is cleaved is not modelled", "not_modelled", (self.obj.id,))
        raise _Refused(Refusal("no_target", "601.2c", (self.obj.id,), f"there is no legal target for {self.obj.id}"))

    def _looks_at_targets(self, extras: tuple[_Extra, ...]) -> bool:
        effects = [active.effect for active in self.view.statics(CostChange)]
        statics = [h.ability for h in self.seen.abilities if isinstance(h.ability, Static)]
        return any(e.cost.per_target for e in extras) or any(_sees_targets(one) for one in (*effects, *statics))

    def _signature(self, info: SpellInfo):
        def sign(target: str) -> object:
            return self._effects(msgspec.structs.replace(info, targets=(target,)))

        return sign

    # the price

    def _effects(self, info: SpellInfo) -> Effects:
        own = own_statics(self.view, self.player, self.obj.id, info, (CostChange, LeastCost))
        return applied(self.view, self.player, info, own, info.paid)

    def _priced(
        self,
        info: SpellInfo,
        extras: tuple[_Extra, ...],
        mode_costs: tuple[CostPart, ...],
        modes: tuple[int, ...],
        failed: dict[Refusal, None],
    ) -> list[Proposal]:
        """The total costs with these announcements."""
        ctx = self._ctx(info)
        base = self.route.cost if self.route.cost is not None else _mana_part(self.seen)
        if base is None:
            raise _Refused(
                Refusal("no_mana_cost", "118.6", (self.obj.id,), f"{self.obj.id} has no mana cost to be paid")
            )
        effects = self._effects(info)
        parts = (*base, *self.route.extra, *mode_costs, *effects.parts)
        parts += tuple(p for e in extras for p in e.cost.cost * self._repeats(e, info))
        found: list[Proposal] = []
        for whole, more in self._reduced(parts, extras, ctx):
            changed = effects._replace(changes=effects.changes + more)
            for settled in settle_all(whole, ctx):
                for total in with_changes(settled, changed, ctx):
                    proposal = self._proposal(info, total, changed, extras, modes)
                    stops = self._unpayable(proposal)
                    if stops:
                        failed.update(dict.fromkeys(stops))
                    else:
                        found.append(proposal)
        return found

    def _repeats(self, extra: _Extra, info: SpellInfo) -> int:
        return max(0, len(info.targets) - 1) if extra.cost.per_target else extra.times

    def _reduced(
        self, parts: tuple[CostPart, ...], extras: tuple[_Extra, ...], ctx: Context
    ) -> Iterator[tuple[tuple[CostPart, ...], tuple[Change, ...]]]:
        """Parts and reductions for each thing that a cost is reduced by: the creature sacrificed for emerge or
        offering, the one tapped for harmonize, life paid to a Defiler."""
        more = tuple(c for e in extras for c in _reductions_of(e))
        victims = self.route.reduce_by or next((e.cost.reduces for e in extras if e.cost.reduces == "victim"), "")
        if not victims:
            yield parts, more
        elif victims == "tapped_power":
            yield parts, more
            yield from self._with_tapped(parts, more)
        else:
            yield from self._with_victim(parts, more, victims, ctx)

    def _with_tapped(
        self, parts: tuple[CostPart, ...], more: tuple[Change, ...]
    ) -> Iterator[tuple[tuple[CostPart, ...], tuple[Change, ...]]]:
        """702.180a: an untapped creature may be tapped to take its power off the generic cost."""
        part = TapOthers(Filter(types=("Creature",), controller="you"))
        by_power: dict[int, list[str]] = {}
        for oid in payers(self.view, self.player, part, self.obj.id):
            by_power.setdefault(self.view.of(oid).power or 0, []).append(oid)
        for power, ids in by_power.items():
            if power > 0:
                tap = TapOthers(Filter(ids=tuple(ids)))
                yield (*parts, tap), (*more, Change(False, Cost(power), source=self.obj.id))

    def _with_victim(
        self, parts: tuple[CostPart, ...], more: tuple[Change, ...], by: str, ctx: Context
    ) -> Iterator[tuple[tuple[CostPart, ...], tuple[Change, ...]]]:
        """702.119a, 702.48b: the total is reduced by what the sacrificed permanent cost."""
        at = next(i for i, part in enumerate(parts) if isinstance(part, Sacrifice))
        part = parts[at]
        assert isinstance(part, Sacrifice)
        classes: dict[Cost, list[str]] = {}
        for oid in payers(self.view, self.player, part, self.obj.id, x=ctx.x):
            seen = self.view.of(oid)
            whole = (seen.mana_cost or Cost()).with_x(0)
            less = Cost(seen.mana_value) if by == "victim_mana_value" else whole
            classes.setdefault(less, []).append(oid)
        if not classes:
            raise _Refused(Refusal("cost_unpayable", "118.3", (self.obj.id,), "there is nothing to sacrifice for it"))
        for less, ids in classes.items():
            chosen = msgspec.structs.replace(part, what=Filter(ids=tuple(ids)))
            yield (*parts[:at], chosen, *parts[at + 1 :]), (*more, Change(False, less, source=self.obj.id))

    def _proposal(
        self, info: SpellInfo, total: Settled, effects: Effects, extras: tuple[_Extra, ...], modes: tuple[int, ...]
    ) -> Proposal:
        substitutes = [_SUBSTITUTES[s] for s in SUBSTITUTES if s in info.seen.keywords and s in _SUBSTITUTES]
        if total.waterbend:
            substitutes.append(Substitute("waterbend", _WATERBEND, most=total.waterbend))
        purpose = Purpose(
            "spell",
            spell=info,
            source=self.obj.id,
            keyword=self.route.keyword,
            has_x=self._contains_x(extras),
            has_c=any("C" in s for s in total.mana.symbols),
        )
        return Proposal(
            player=self.player,
            source=self.obj.id,
            mana=total.mana,
            parts=total.parts,
            substitutes=tuple(substitutes),
            limits=(*self._limits(info), *self.route.limits),
            purpose=purpose,
            label=info.paid,
            offered_by=self.route.offered_by,
            x=info.x,
            x_mana=total.x_mana,
            targets=info.targets,
            modes=modes,
            face=self.version.face,
            notes=_notes(effects),
        )

    def _contains_x(self, extras: tuple[_Extra, ...]) -> bool:
        """Whether {X} stands in what is paid, be it 0."""
        base = self.route.cost if self.route.cost is not None else _mana_part(self.seen)
        return any(_has_x_symbol(p) for p in (*(base or ()), *(p for e in extras for p in e.cost.cost)))

    def _limits(self, info: SpellInfo) -> tuple[Limit, ...]:
        """601.2h: what mana alone may be spent on this spell."""
        own = own_statics(self.view, self.player, self.obj.id, info, (ManaLimit,))
        found = [Limit(effect, self.obj.id) for effect, _ in own if isinstance(effect, ManaLimit)]
        for effect, ctx, condition in _of_others(self.view, info, ManaLimit):
            if matches_spell(effect.spells, info, ctx) and _holds(condition, ctx):
                found.append(Limit(effect, ctx.source or ""))
        return tuple(found)

    def _unpayable(self, proposal: Proposal) -> list[Refusal]:
        stops = (cost_part_refusal(self.view, self.player, p, self.obj.id, x=proposal.x) for p in proposal.parts)
        return [r for r in stops if r is not None]


# Names in `using` that are alternative costs or permissions wherever they occur; the rest are additional costs.
_ALTERNATIVE_NAMES = frozenset(
    [
        *("flashback", "overload", "evoke", "emerge", "escape", "retrace", "jump-start", "foretell", "madness"),
        *("spectacle", "prowl", "surge", "dash", "blitz", "bestow", "mutate", "cleave", "suspend", "plot", "warp"),
        *("harmonize", "morph", "megamorph", "disguise", "disturb", "aftermath", "fuse", "prototype", "awaken"),
        *("miracle", "impending", "freerunning", "mayhem", "sneak", "ninjutsu", "web-slinging"),
    ]
)


def _as_cast(seen: Characteristics, route: _Route) -> Characteristics:
    """What the spell is when it is cast in a way that changes it: bestowed (702.103b), as a prototype (718.3)."""
    if route.keyword == "bestow":
        types = tuple(t for t in seen.types if t != "Creature")
        return msgspec.structs.replace(seen, types=types, subtypes=("Aura",))
    if route.keyword == "prototype" and route.cost is not None:
        cost = next((parse_cost(p.cost) for p in route.cost if isinstance(p, ManaPart)), None)
        if cost is not None:
            return msgspec.structs.replace(seen, mana_cost=cost, mana_value=cost.mana_value, colors=cost.colors)
    return seen


def _spell_abilities(seen: Characteristics) -> list[SpellAbility]:
    return [h.ability for h in seen.abilities if isinstance(h.ability, SpellAbility)]


def _enchant_targets(seen: Characteristics, oid: str) -> Iterator[Target]:
    for has in seen.abilities:
        ability = has.ability
        if isinstance(ability, Keyword) and ability.name == "enchant" and ability.what is not None:
            player = ability.what.zone == "any"  # so an Aura that enchants players is written
            yield Target(players=ability.what.controller) if player else Target(ability.what)
            return
        if isinstance(ability, SpellAbility) and ability.targets:
            return  # it says so itself
    raise Unknown(f"what {oid} enchants was not understood", "not_understood", (oid,))


def _mana_part(seen: Characteristics) -> tuple[CostPart, ...] | None:
    return None if seen.mana_cost is None else (ManaPart(str(seen.mana_cost)),)


def _name(cost: AdditionalCost) -> str:
    return cost.name or "additional"


def _names(cost: AdditionalCost) -> set[str]:
    """What `using` may call it."""
    names = {_name(cost).lower(), _name(cost).lower().split(" ")[0]}
    if any(isinstance(part, ManaPart) and part.waterbend for part in cost.cost):
        names.add("waterbend")
    return names


def _reductions_of(extra: _Extra) -> tuple[Change, ...]:
    """What paying an additional cost takes off, when the text says how much (Defilers reduce colored mana only)."""
    if not extra.cost.reduces or extra.cost.reduces == "victim":
        return ()
    amount_ = parse_cost(extra.cost.reduces)
    return (Change(False, amount_, colored_only=not amount_.generic, source=extra.ctx.source or ""),)


def _notes(effects: Effects) -> tuple[Refusal, ...]:
    found = []
    for change in effects.changes:
        if change.amount != Cost():
            word = "more" if change.more else "less"
            found.append(Refusal("applies", "601.2f", (change.source,), f"{change.source}: {change.amount} {word}"))
    if effects.least:
        found.append(Refusal("applies", "601.2f", (), f"at least {effects.least} mana"))
    return tuple(found)


# --- prohibitions ---------------------------------------------------------------------------------------------------


def forbidden_casts(
    before: View, player: str, info: SpellInfo, own: Sequence[tuple[Prohibit, Context, Condition | None]] = ()
) -> list[Refusal]:
    """101.2, 601.3: effects that say that this spell can't be cast, judged with all choices made (601.3a)."""
    found: list[Refusal] = []
    effects: list[tuple[Prohibit, Context, Condition | None]] = [
        (e, c.but(spell=info), active.condition)
        for active, e, c in prohibitions(before, "cast", player)
        if active.source != info.obj.id
    ]
    effects += [one for one in own if one[0].action == "cast" and player in players_of(one[0].who, one[1])]
    for effect, ctx, condition in effects:
        if effect.timing == "sorcery" and sorcery_refusal(before, player) is None:
            continue
        if not matches_spell(effect.what, info, ctx) or not _holds(condition, ctx):
            continue
        if effect.limit and _cast_so_far(before, player, effect, ctx) < effect.limit:
            continue
        if effect.unless:
            raise Unknown(f"{ctx.source} asks for a cost to cast spells", "not_modelled", (ctx.source or "",))
        source = ctx.source or ""
        found.append(Refusal("prohibited", "101.2", (source,), f"{source} forbids casting it"))
    return found


def _cast_so_far(view: View, player: str, effect: Prohibit, ctx: Context) -> int:
    """Spells like these that the player has cast this turn. An effect that a spell left behind ("only one more spell")
    counts from that spell on."""
    who = view.game.players[player]
    source = view.game.objects.get(ctx.source or "")
    if source is not None and source.zone == "effect":
        names = [card.name for card in who.cast_this_turn]
        if source.card.name in names:
            after = len(names) - names[::-1].index(source.card.name)
            later = view_of(view.game.put_player(who.but(cast_this_turn=who.cast_this_turn[after:])))
            ctx = ctx.but(view=later)
    like = msgspec.structs.replace(effect.what, from_zone=None, not_from_zone=None)
    return amount(ThisTurn("spells_cast", "you", of=like), ctx.but(you=player))


# --- X --------------------------------------------------------------------------------------------------------------


def _has_x(part: CostPart) -> bool:
    """Whether an announced X occurs in the part."""
    return _has_x_symbol(part) or mentions(part, X) or (isinstance(part, Loyalty) and part.x)


def _has_x_symbol(part: CostPart) -> bool:
    return isinstance(part, ManaPart) and parse_cost(part.cost).x > 0


def _x_bound(view: View, player: str, part: CostPart, source: str) -> int | None:
    """The greatest X that the part allows; None when it sets no bound of its own."""
    who, obj = view.game.players[player], view.game.objects[source]
    if isinstance(part, PayLife):
        return who.life if isinstance(part.n, X) else None
    if isinstance(part, PayPlayerCounters):
        return who.count(part.kind) if isinstance(part.n, X) else None
    if isinstance(part, Loyalty):
        return obj.count("loyalty") + part.n + loyalty_timing(view, player, source).cost if part.x else None
    if isinstance(part, RemoveCounters):
        ctx = Context(view, source=source, you=player)
        ids = objects_like(part.from_, ctx) if not any(isinstance(b.value, Node) for b in part.from_.bounds) else []
        return sum(view.game.objects[i].count(part.kind) for i in ids) if isinstance(part.n, X) else None
    what = getattr(part, "what", None)
    if isinstance(getattr(part, "n", None), X) and isinstance(what, Filter) and not what.bounds:
        return len(payers(view, player, part, source))
    return None


def _x_bound_of_targets(
    view: View, player: str, info: SpellInfo, targets: Sequence[Target], ctx: Context
) -> int | None:
    """The greatest number of targets there could be, where X of them are needed."""
    bounds = [
        len(legal_targets(view, player, info, t, ctx))
        for t in targets
        if isinstance(t.least, X) and not mentions(t.what, X)
    ]
    return min(bounds, default=None)


def _sees_targets(node: object) -> bool:
    """Whether a structure looks at what a spell or ability targets."""
    if isinstance(node, Targets):
        return True
    if isinstance(node, CostChange) and (node.per_target or node.targets is not None):
        return True
    if isinstance(node, Filter) and (node.targets is not None or node.ref == "target"):
        return True
    if isinstance(node, Stat) and node.of == "target":
        return True
    if isinstance(node, Node):
        return any(_sees_targets(getattr(node, f)) for f in node.__struct_fields__)
    return isinstance(node, tuple) and any(_sees_targets(one) for one in node)


# --- activating -----------------------------------------------------------------------------------------------------


def ability_number(view: View, oid: str, number: int) -> Has | None:
    """The activated ability with this number that the object has now (format.md)."""
    return next((h for h in view.of(oid).abilities if h.number == number), None)


def proposals_activate(
    view: View, player: str, oid: str, number: int, *, targets: Sequence[str] | None = None
) -> Proposals:
    """What `player` may propose for activating the ability now (602.2)."""
    has = ability_number(view, oid, number)
    if has is None:
        return Proposals(
            view, (), (Refusal("cannot_activate", "602.1", (oid,), f"{oid} has no activated ability {number} now"),)
        )
    return Proposals(view, (_Activation(view, player, oid, has, tuple(targets) if targets else None),))


class _Activation(_Way):
    def __init__(self, view: View, player: str, oid: str, has: Has, targets: tuple[str, ...] | None) -> None:
        assert isinstance(has.ability, Activated)
        self.view, self.player, self.oid, self.has, self.targets = view, player, oid, has, targets
        self.ability = has.ability
        self.has_x = any(_has_x(part) for part in self.ability.cost)

    def _info(self, x: int | None, targets: tuple[str, ...] = ()) -> SpellInfo:
        obj, seen = self.view.game.objects[self.oid], self.view.of(self.oid)
        return SpellInfo(obj=obj, seen=seen, x=x, targets=targets, ability=self.ability)

    def _ctx(self, info: SpellInfo) -> Context:
        return Context(self.view, source=self.oid, you=self.player, x=info.x, targets=info.targets, spell=info)

    def x_most(self) -> int | None:
        info = self._info(0)
        bounds = [_x_bound(self.view, self.player, p, self.oid) for p in self.ability.cost if _has_x(p)]
        bounds.append(_x_bound_of_targets(self.view, self.player, info, self.ability.targets, self._ctx(info)))
        known = [b for b in bounds if b is not None]
        return min(known) if known else None

    def proposals(self, x: int | None) -> list[Proposal]:
        if x and not self.has_x:
            raise _Refused(Refusal("rule", "107.3", (self.oid,), "there is no X to announce in this cost"))
        if self.has_x and x is None:
            x = 0
        turn = self.view.game.turn
        during = turn.during_cast is not None or turn.during_activate not in (None, (self.oid, self.has.number))
        begun = turn.during_activate == (self.oid, self.has.number)
        if not begun:
            refusals = activation_refusals(self.view, self.player, self.oid, self.has, during_payment=during, x=x)
            if refusals:
                raise _Refused(*refusals)
        found: list[Proposal] = []
        failed: dict[Refusal, None] = {}
        for modes, wanted, costs in self._modes():
            try:
                for targets in self._choices(self._info(x), wanted):
                    found += self._priced(self._info(x, targets), costs, modes, failed)
            except _Refused as refused:
                failed.update(dict.fromkeys(refused.refusals))
        if not found:
            raise _Refused(*failed)
        return found

    def _modes(self) -> Iterator[tuple[tuple[int, ...], tuple[Target, ...], tuple[CostPart, ...]]]:
        if not self.ability.modes:
            yield (), self.ability.targets, ()
        for n, mode in enumerate(self.ability.modes, start=1):
            yield (n,), (*self.ability.targets, *mode.targets), mode.cost

    def _choices(self, info: SpellInfo, wanted: tuple[Target, ...]) -> Iterator[tuple[str, ...]]:
        ctx = self._ctx(info)
        if self.targets is not None:
            if not assigned(self.view, self.player, info, wanted, self.targets, ctx):
                raise _Refused(Refusal("no_target", "602.2b", self.targets, "these are not legal targets for it"))
            yield self.targets
            return
        effects = [active.effect for active in self.view.statics(CostChange)]
        sees = any(_sees_targets(one) for one in (*effects, *self.ability.changes))
        sign = self._signature(info) if sees else None
        some = False
        for targets in choices_of_targets(self.view, self.player, info, wanted, ctx, sign):
            some = True
            yield targets
        if not some:
            raise _Refused(Refusal("no_target", "602.2b", (self.oid,), f"there is no legal target for {self.oid}"))

    def _signature(self, info: SpellInfo):
        def sign(target: str) -> object:
            return activation_costs(self.view, self.player, self.oid, self.has, info.x, (target,))

        return sign

    def _priced(
        self, info: SpellInfo, costs: tuple[CostPart, ...], modes: tuple[int, ...], failed: dict[Refusal, None]
    ) -> list[Proposal]:
        if costs:
            raise Unknown("costs of an ability's modes", "not_modelled", (self.oid,))
        found: list[Proposal] = []
        for total in activation_costs(self.view, self.player, self.oid, self.has, info.x, info.targets):
            stops = [self._refusal(part, info.x) for part in total.parts]
            if any(stops):
                failed.update(dict.fromkeys(r for r in stops if r is not None))
                continue
            found.append(self._proposal(info, total, modes))
        return found

    def _refusal(self, part: CostPart, x: int | None) -> Refusal | None:
        from .abilities import is_mana_ability

        return cost_part_refusal(
            self.view, self.player, part, self.oid, mana_ability=is_mana_ability(self.ability), x=x
        )

    def _proposal(self, info: SpellInfo, total: Settled, modes: tuple[int, ...]) -> Proposal:
        purpose = Purpose(
            "ability",
            spell=None,
            source=self.oid,
            keyword=self.ability.keyword,
            has_x=any(_has_x_symbol(p) for p in self.ability.cost),
            has_c=any("C" in s for s in total.mana.symbols),
        )
        substitutes = (Substitute("waterbend", _WATERBEND, most=total.waterbend),) if total.waterbend else ()
        limits = (Limit(self.ability.only, self.oid),) if self.ability.only is not None else ()
        return Proposal(
            player=self.player,
            source=self.oid,
            mana=total.mana,
            parts=total.parts,
            substitutes=substitutes,
            limits=limits,
            purpose=purpose,
            x=info.x,
            x_mana=total.x_mana,
            targets=info.targets,
            modes=modes,
            number=self.has.number,
        )
