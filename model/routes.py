"""What a card may be cast as, from where, by whose leave and for which base cost (601.2a-b, 118.9, 709-720).

A *version* is a spell that the card may become: a face, both halves fused, face down. A *route* is one base cost for
it, the mana cost or one alternative cost, together with the permission that lets it be cast from where the card is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import msgspec

from .abilities import (
    AlternativeCost,
    Condition,
    CostPart,
    Filter,
    GameRule,
    ManaPart,
    PayLife,
    Permission,
    Static,
)
from .characteristics import View, fused_card, view_of
from .evaluate import Context, SpellInfo, holds, matches_spell, players_of
from .game import Characteristics, Game, Has, Obj, Unknown
from .mana import parse_cost
from .parties import context_of
from .proposals import Limit
from .timing import (
    demand_unused,
    on_top,
    reachable,
)

_E = TypeVar("_E")
# Layouts whose every face may be cast as it is (709.3, 712.11b, 715.3).
_CASTABLE_FACES = ("split", "aftermath", "modal_dfc", "adventure", "omen")
# Alternative costs that are for a card in hand alone (702.185a, 702.94a).
_FROM_HAND_ONLY = ("warp", "miracle")
# What was put into exile for these is cast on a later turn (702.143a, 702.170d).
_ON_A_LATER_TURN = ("foretell", "plot")


class Version(NamedTuple):
    """A spell that the card may become: the view with it on the stack, and what it is there."""

    view: View
    seen: Characteristics
    face: int
    fused: bool = False
    face_down: bool = False


def versions(view: View, player: str, obj: Obj, face: int | None, doubts: list[Unknown]) -> list[Version]:
    """The spells that the card may become (709.3, 712.11, 715.3, 708.4). What can't be told about one goes to
    `doubts`."""
    found: list[Version] = []
    for n in _castable_faces(obj):
        if face is None or n == face:
            found += _known(doubts, lambda n=n: on_stack(view, player, obj, n))
    if face is None and obj.card.layout == "split" and obj.zone == "hand":
        fused = _known(doubts, lambda: on_stack(view, player, obj, 0, fused=True))
        found += [one for one in fused if "fuse" in one.seen.keywords]
    for first in _known(doubts, lambda: on_stack(view, player, obj, 0)):
        own = [alternative for alternative, _, _ in own_effects(view, first, obj.id, player, None, AlternativeCost)]
        if any(alternative.face_down for alternative in own):
            found.append(on_stack(view, player, obj, 0, face_down=True))
        if any(alternative.back_face for alternative in own):
            found += _known(doubts, lambda: on_stack(view, player, obj, 1))
    return found


def _known(doubts: list[Unknown], make: Callable[[], Version]) -> list[Version]:
    try:
        return [make()]
    except Unknown as unknown:
        if unknown.text not in [d.text for d in doubts]:
            doubts.append(unknown)
        return []


def _castable_faces(obj: Obj) -> range:
    several = obj.card.layout in _CASTABLE_FACES
    return range(len(obj.card.faces) if several else 1)


def on_stack(view: View, player: str, obj: Obj, face: int, *, face_down: bool = False, fused: bool = False) -> Version:
    """601.2a: the card on top of the stack; X counts as 0 until it is announced."""
    spell = obj.but(zone="stack", controller=player, face=face, face_down=face_down, from_zone=obj.zone, x=0)
    if fused:
        spell = spell.but(card=fused_card(obj.card))
    after = view_of(_with_spell(view.game, spell))
    return Version(after, after.of(obj.id), face, fused, face_down)


def _with_spell(game: Game, spell: Obj) -> Game:
    there = game.put(spell)
    return msgspec.structs.replace(there, stack=(*there.stack, spell.id))


# --- routes: for which cost, by whose leave -------------------------------------------------------------------------


class Route(NamedTuple):
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
    least_x: int = 0


def routes(view: View, version: Version, player: str, obj: Obj, doubts: list[Unknown]) -> Iterator[Route]:
    """Every base cost that the spell may be cast for from where the card is; what can't be told goes to `doubts`."""
    leaves = list(_leaves(view, version, player, obj, doubts))
    if not version.face_down and not _needs_alternative(version, obj):
        for leave in leaves:
            if leave.only_for:
                continue
            yield Route(label=leave.label, keyword=leave.keyword, extra=leave.extra, offered_by=leave.offered_by)
    for effect, ctx, own, by in _alternatives(view, version, player, obj, leaves, doubts):
        if effect.once_each_turn:
            demand_unused(version.view, player, effect.spells, ctx, land=False)
        name = _name_of(effect, ctx, own, version.view)
        limits = (Limit(effect.only, obj.id),) if effect.only is not None else ()
        for leave in by:
            yield Route(
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
                least_x=effect.least_x,
            )


def _needs_alternative(version: Version, obj: Obj) -> bool:
    """Whether this face can be cast by an alternative cost only: a back face that is no face of its own."""
    return version.face == 1 and obj.card.layout not in _CASTABLE_FACES


class Leave(NamedTuple):
    """What lets the player cast the card from the zone where it is."""

    label: tuple[str, ...] = ()
    keyword: str = ""
    extra: tuple[CostPart, ...] = ()
    offered_by: str = ""
    only_for: str = ""  # a keyword whose alternative cost has to be paid


def _leaves(view: View, version: Version, player: str, obj: Obj, doubts: list[Unknown]) -> Iterator[Leave]:
    """601.3, 903.8: from hand, from the command zone, or by a permission."""
    seen, mine = version.seen, obj.owner == player
    aftermath = "aftermath" in seen.keywords or _has_own_permission(view, version, obj, player, "aftermath")
    if obj.zone == "hand" and mine and not aftermath and not version.fused:
        yield Leave()
    if obj.zone == "hand" and mine and version.fused:
        yield Leave(label=("fuse",))
    if obj.zone == "command" and mine and obj.commander:
        tax: tuple[CostPart, ...] = (ManaPart("{2}", repeat=obj.casts),) if obj.casts else ()
        rules = own_effects(view, version, obj.id, player, None, GameRule) if tax else []
        if any(rule.what == "tax_in_life" for rule, _, _ in rules):
            tax = (PayLife(2 * obj.casts),)
        yield Leave(extra=tax)
    if obj.zone == "exile" and mine and version.face == 0 and _is_on_adventure(obj):
        yield Leave()
    yield from _permitted(view, version, player, obj, doubts)


def _is_on_adventure(obj: Obj) -> bool:
    return obj.card.layout in ("adventure", "omen") and any(
        word in obj.noted for word in ("adventure", "on an adventure")
    )


def _has_own_permission(view: View, version: Version, obj: Obj, player: str, name: str) -> bool:
    return any(p.name == name for p, _, _ in own_effects(view, version, obj.id, player, None, Permission))


def _permitted(view: View, version: Version, player: str, obj: Obj, doubts: list[Unknown]) -> Iterator[Leave]:
    """Permissions of effects to cast this from where it is; those of other objects read in the game before. What
    can't be told about one goes to `doubts`."""
    info = plain_info(version, obj)
    for effect, ctx, condition in (
        *of_others(view, info, Permission),
        *own_effects(view, version, obj.id, player, info, Permission),
    ):
        try:
            if not _permits(effect, ctx, condition, view, player, obj, info):
                continue
        except Unknown as unknown:
            doubts.append(unknown)
            continue
        label = (effect.name,) if effect.name else ()
        offered = view.of(ctx.source).name if ctx.source in view.game.objects else ""  # type: ignore[arg-type]
        yield Leave(label, effect.name, effect.also_pay, offered, effect.only_for)


def _permits(
    effect: Permission,
    ctx: Context,
    condition: Condition | None,
    view: View,
    player: str,
    obj: Obj,
    info: SpellInfo,
) -> bool:
    if effect.spells is None or obj.zone not in effect.zones or (effect.flash and not effect.zones):
        return False
    if player not in players_of(effect.who, ctx) or not reachable(view, player, obj, effect.spells, ctx):
        return False
    if effect.your_turn_only and view.game.turn.active != player:
        return False
    if not matches_spell(effect.spells, info, ctx) or not open_holds(condition, ctx):
        return False
    if effect.once_each_turn:
        demand_unused(view, player, effect.spells, ctx, land=effect.lands is not None)
    return True


def _alternatives(
    view: View, version: Version, player: str, obj: Obj, leaves: list[Leave], doubts: list[Unknown]
) -> Iterator[tuple[AlternativeCost, Context, bool, list[Leave]]]:
    """Alternative costs that the player could choose for this spell (118.9): whether they are its own, and by whose
    leave. What the situation may be silent about is looked at last."""
    info = plain_info(version, obj)
    found = [(e, c, o, True) for e, c, o in own_effects(view, version, obj.id, player, info, AlternativeCost)]
    if obj.zone != "library" or on_top(view, obj):
        found += [(e, c, o, False) for e, c, o in of_others(version.view, info, AlternativeCost)]
    for effect, ctx, condition, own in found:
        if effect.face_down != version.face_down or (effect.back_face and version.face != 1):
            continue
        if effect.name in _ON_A_LATER_TURN and obj.zone == "exile" and obj.entered_this_turn:
            continue
        try:
            by = _offered_by(effect, ctx, condition, own, player, (view, obj), info, leaves)
        except Unknown as unknown:
            doubts.append(unknown)
            continue
        if by:
            yield effect, ctx, own, by


def _offered_by(
    effect: AlternativeCost,
    ctx: Context,
    condition: Condition | None,
    own: bool,
    player: str,
    before: tuple[View, Obj],
    info: SpellInfo,
    leaves: list[Leave],
) -> list[Leave]:
    """By whose leave the spell may be cast for this cost: none when the cost is not offered for it now. `before`: where
    the card is and is seen before it is a spell."""
    view, obj = before
    if player not in players_of(effect.who, ctx) or not matches_spell(effect.spells, info, ctx):
        return []
    by = _leaves_for(effect, own, obj.zone, [one for one in leaves if not one.only_for])
    if obj.zone in effect.zones and obj.zone != "hand":
        # What a card says of a zone is said to its owner; what others say of it, to whom it is within reach.
        mine = obj.owner == player if own else reachable(view, player, obj, effect.spells, ctx)
        by = by if mine else []
    if own and effect.name:
        by += [one for one in leaves if one.only_for == effect.name]
    return by if by and open_holds(condition, ctx) and open_holds(effect.condition, ctx) else []


def of_others(view: View, info: SpellInfo, kind: type[_E]) -> list[tuple[_E, Context, Condition | None]]:
    """Effects of this kind that are not the spell's own, each with its context and a condition left open."""
    return [
        (active.effect, context_of(view, active).but(spell=info), active.condition)
        for active in view.statics(kind)
        if isinstance(active.effect, kind) and active.source != info.obj.id
    ]


def open_holds(condition: Condition | None, ctx: Context) -> bool:
    return condition is None or holds(condition, ctx)


def _leaves_for(effect: AlternativeCost, own: bool, zone: str, leaves: list[Leave]) -> list[Leave]:
    """By which permissions the spell may be cast for this cost. A keyword that names a zone other than the hand lets
    it be cast from there by itself; a cost that names none goes with every permission."""
    if zone in effect.zones and zone != "hand":
        return [Leave()]
    everywhere = "any" in effect.zones or (own and effect.zones == ("hand",) and effect.name not in _FROM_HAND_ONLY)
    return leaves if everywhere or zone in effect.zones else []


def _name_of(effect: AlternativeCost, ctx: Context, own: bool, view: View) -> str:
    """The card that offers the cost: what `{alternative: …}` names."""
    if ctx.source is None or ctx.source not in view.game.objects:
        return effect.name
    o = view.game.objects[ctx.source]
    return o.card.name if own or o.zone == "effect" else (view.of(ctx.source).name or o.card.name)


def own_effects(
    view: View, version: Version, oid: str, player: str, info: SpellInfo | None, kind: type[_E]
) -> list[tuple[_E, Context, Condition | None]]:
    """Static effects of this kind of the card itself: what it has where it is (so granted ones count) and what it
    has on the stack; each with its context and the condition of its ability. Where each face is a spell of its own,
    what is printed counts for its own face only."""
    found: dict[tuple[_E, Condition | None], Context] = {}
    each_its_own = view.game.objects[oid].card.layout in _CASTABLE_FACES
    for looked in (view, version.view):
        ctx = Context(looked, source=oid, you=player, spell=info)
        for has in looked.of(oid).abilities:
            ability = has.ability
            if not isinstance(ability, Static) or (each_its_own and looked is view and has.origin == "printed"):
                continue
            for effect in _of_kind(ability, kind):
                if _about_itself(effect, ability) and not (looked is not view and _lost_there(view, oid, effect, has)):
                    found.setdefault((effect, ability.condition), ctx)
    if version.face_down:
        ctx = Context(view, source=oid, you=player, spell=info)
        for effect in _printed(version, oid, kind):
            found.setdefault((effect, None), ctx)
    return [(effect, ctx, condition) for (effect, condition), ctx in found.items()]


def _lost_there(view: View, oid: str, effect: object, has: Has) -> bool:
    """113.6, 702.34a: what lets a card be cast from the zone where it is does so only while the card has it there. A
    face that is none there, the second half of a card with aftermath, has what the card has."""
    obj = view.game.objects[oid]
    if obj.zone == "hand" or has.origin != "printed" or obj.zone not in getattr(effect, "zones", ()):
        return False
    if obj.face_down:
        return False  # foretold (702.143): what it says is hidden there, but its owner may cast it
    there = view.of(oid).abilities
    if obj.card.layout in _CASTABLE_FACES:
        return not there and any(line.abilities for line in obj.card.faces[0].lines)
    return all(one.ability != has.ability for one in there)


def _about_itself(effect: object, ability: Static) -> bool:
    about = getattr(effect, "spells", None) or getattr(effect, "what", None)
    return ability.zone in ("stack", "any") or (isinstance(about, Filter) and about.me is True)


def _printed(version: Version, oid: str, kind: type[_E]) -> list[_E]:
    """708.4a: what lets a card be cast face down is read on the card."""
    face = version.view.game.objects[oid].card.faces[0]
    statics = (a for line in face.lines for a in line.abilities if isinstance(a, Static))
    return [e for a in statics for e in _of_kind(a, kind)]


def _of_kind(ability: Static, kind: type[_E]) -> list[_E]:
    effects: tuple[object, ...] = ability.effects
    return [effect for effect in effects if isinstance(effect, kind)]


def plain_info(version: Version, obj: Obj, **changes: object) -> SpellInfo:
    foretold = obj.zone == "exile" and (obj.face_down or "foretold" in obj.noted)
    return SpellInfo(
        obj=version.view.game.objects[obj.id],
        seen=version.seen,
        from_zone=obj.zone,
        foretold=foretold,
        **changes,  # type: ignore[arg-type]
    )


def as_cast(seen: Characteristics, route: Route) -> Characteristics:
    """What the spell is when it is cast in a way that changes it: bestowed (702.103b), as a prototype (718.3)."""
    if route.keyword == "bestow":
        types = tuple(t for t in seen.types if t != "Creature")
        return msgspec.structs.replace(seen, types=types, subtypes=("Aura",))
    if route.keyword == "prototype" and route.cost is not None:
        cost = next((parse_cost(p.cost) for p in route.cost if isinstance(p, ManaPart)), None)
        if cost is not None:
            return msgspec.structs.replace(seen, mana_cost=cost, mana_value=cost.mana_value, colors=cost.colors)
    return seen
