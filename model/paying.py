"""Paying the parts of a cost that are not mana, on a concrete game (118, 601.2h, 701).

`Paying` says which objects and how much; `pay` checks it against the parts of a total cost and carries it out;
`ways_of_paying` lists every Paying for small boards (the reference solver enumerates with it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import msgspec

from .abilities import (
    CostPart,
    Discard,
    Exert,
    ExileCost,
    Filter,
    GameRule,
    Loyalty,
    ManaPart,
    Mill,
    MoveCost,
    OneOf,
    PayLife,
    PayPlayerCounters,
    PutCounters,
    RemoveCounters,
    ReturnToHand,
    Reveal,
    Sacrifice,
    Static,
    TapOthers,
    TapSelf,
    Unread,
    UntapOthers,
    UntapSelf,
)
from .characteristics import View, view_of
from .crewing import contribution
from .evaluate import Context, amount, matches, objects_like
from .game import Game, GameZone, Obj, Player, Unknown
from .parties import effects
from .printed import base_of
from .production import counters_put
from .timing import cost_part_refusal, payers


class CannotPay(Exception):
    """This payment is not legal; says why, with the rule."""

    def __init__(self, text: str, rule: str = "118.3") -> None:
        super().__init__(text)
        self.text = text
        self.rule = rule


class Paying(msgspec.Struct, frozen=True, omit_defaults=True):
    """A concrete payment of everything that is not mana: ids of objects, amounts. `counters_removed` and
    `counters_put` are (object, kind, number)."""

    life: int = 0
    tap: tuple[str, ...] = ()
    untap: tuple[str, ...] = ()
    sacrifice: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    exile: tuple[str, ...] = ()
    to_hand: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    reveal: tuple[str, ...] = ()
    counters_removed: tuple[tuple[str, str, int], ...] = ()
    counters_put: tuple[tuple[str, str, int], ...] = ()
    player_counters: tuple[tuple[str, int], ...] = ()
    mill: int = 0

    def plus(self, other: Paying) -> Paying:
        if other == NOTHING:
            return self
        if self == NOTHING:
            return other
        return Paying(*(getattr(self, f) + getattr(other, f) for f in self.__struct_fields__))


NOTHING = Paying()


def with_objects(fields: Mapping[str, Iterable[str]]) -> Paying:
    """A payment with just these objects, by field: {"tap": ids, "sacrifice": ids}."""
    return msgspec.structs.replace(NOTHING, **{field: tuple(ids) for field, ids in fields.items()})


def ways_of_paying(
    view: View, player: str, source: str, parts: Sequence[CostPart], ctx: Context, *, mana_ability: bool = False
) -> Iterator[Paying]:
    """Every way to pay these parts with concrete objects, each once; mana parts are left out.

    `source` is the object whose ability or which as a spell is paid for. An object serves at most one part, except
    that what is tapped for one part may be sacrificed or moved for another (the order of paying is free, 601.2h).
    """
    others = [p for p in parts if not isinstance(p, ManaPart)]
    options = [list(_ways_of_part(view, player, source, p, ctx, mana_ability)) for p in others]
    for choice in product(*options):
        whole = NOTHING
        for one in choice:
            whole = whole.plus(one)
        if consistent(whole):
            yield whole


def consistent(paying: Paying) -> bool:
    """No object tapped twice, none leaving twice (118.10: one payment serves one purpose)."""
    leaves = (*paying.sacrifice, *paying.discard, *paying.exile, *paying.to_hand, *paying.moved)
    tapped = (*paying.tap, *paying.untap)
    return len(set(leaves)) == len(leaves) and len(set(tapped)) == len(tapped)


def _ways_of_part(
    view: View, player: str, source: str, part: CostPart, ctx: Context, mana_ability: bool
) -> Iterator[Paying]:
    if cost_part_refusal(view, player, part, source, mana_ability=mana_ability, x=ctx.x) is not None:
        return
    match part:
        case TapSelf():
            if not view.game.objects[source].tapped:
                yield Paying(tap=(source,))
        case UntapSelf():
            if view.game.objects[source].tapped:
                yield Paying(untap=(source,))
        case PayLife(n):
            yield Paying(life=amount(n, ctx))
        case PayPlayerCounters(kind, n):
            cost = amount(n, ctx)
            yield Paying(player_counters=((kind, cost),)) if cost else NOTHING
        case RemoveCounters(kind, n, from_):
            cost = amount(n, ctx)
            if not cost:
                yield NOTHING
                return
            for oid in objects_like(from_, ctx):
                for k in _counter_kinds(view.game.objects[oid], kind):
                    yield Paying(counters_removed=((oid, k, cost),))
        case PutCounters(kind, n, on):
            for oid in objects_like(on, ctx):
                # An effect may change how many there are, down to none: the cost is paid all the same (118.11).
                put = counters_put(view, oid, kind, amount(n, ctx), cost=True)
                yield Paying(counters_put=((oid, kind, put),)) if put else NOTHING
        case Loyalty(n):
            yield _loyalty(source, n)
        case Mill(n):
            yield Paying(mill=amount(n, ctx))
        case Exert():
            yield NOTHING
        case OneOf(options):
            for option in options:
                yield from ways_of_paying(view, player, source, option, ctx, mana_ability=mana_ability)
        case Unread():
            raise Unknown("a cost was not understood", "not_understood", (source,))
        case _:
            yield from _ways_with_objects(view, player, source, part, ctx, mana_ability)


def _loyalty(source: str, n: int) -> Paying:
    """606.4: a loyalty symbol whose X is settled."""
    if n >= 0:
        return Paying(counters_put=((source, "loyalty", n),)) if n else NOTHING
    return Paying(counters_removed=((source, "loyalty", -n),))


def _counter_kinds(obj: Obj, kind: str) -> list[str]:
    return [kind] if kind else [k for k, _ in obj.counters]


def _ways_with_objects(
    view: View, player: str, source: str, part: CostPart, ctx: Context, mana_ability: bool
) -> Iterator[Paying]:
    candidates, field = candidates_for(view, player, source, part, ctx, mana_ability)
    if isinstance(part, TapOthers) and part.total_power is not None:
        for size in range(1, len(candidates) + 1):
            for chosen in combinations(candidates, size):
                if sum(contribution(view, c, part.deed) for c in chosen) >= part.total_power:
                    yield Paying(tap=chosen)
        return
    if isinstance(part, ExileCost) and (part.total_mana_value is not None or part.distinct):
        raise Unknown("costs that exile by total mana value are not enumerated", "not_modelled", (source,))
    if isinstance(part, Discard) and part.whole_hand:
        yield Paying(discard=tuple(candidates))
        return
    for chosen in combinations(candidates, amount(part.n, ctx)):  # type: ignore[attr-defined]
        yield with_objects({field: chosen})


FIELD_OF_PART: dict[type, str] = {
    Sacrifice: "sacrifice",
    TapOthers: "tap",
    UntapOthers: "untap",
    Discard: "discard",
    ExileCost: "exile",
    ReturnToHand: "to_hand",
    MoveCost: "moved",
    Reveal: "reveal",
}


def candidates_for(
    view: View, player: str, source: str, part: CostPart, ctx: Context, mana_ability: bool
) -> tuple[tuple[str, ...], str]:
    """The objects that may pay this part for the player now, and the field of Paying that names them."""
    return payers(view, player, part, source, mana_ability=mana_ability, x=ctx.x), FIELD_OF_PART[type(part)]


def pay(
    view: View,
    player: str,
    source: str,
    parts: Sequence[CostPart],
    paying: Paying,
    ctx: Context,
    *,
    mana_ability: bool = False,
) -> Game:
    """The game after this payment; raises CannotPay when it does not pay exactly these parts legally."""
    if not consistent(paying):
        raise CannotPay("one object would serve two payments", "118.10")
    # No counters at all are a payment of nothing.
    left = msgspec.structs.replace(paying, counters_removed=tuple(r for r in paying.counters_removed if r[2]))
    for part in sorted((p for p in parts if not isinstance(p, ManaPart)), key=_choosiness):
        left = _take(view, player, source, part, left, ctx, mana_ability)
    if left != NOTHING:
        raise CannotPay(f"more is paid than the cost asks for: {msgspec.to_builtins(left)}")
    return carry_out(view.game, player, paying)


def _choosiness(part: CostPart) -> int:
    """Parts that name exactly one object first, so that they find it; the others take from what remains."""
    fixed = isinstance(part, TapSelf | UntapSelf | PayLife | Mill) or getattr(getattr(part, "what", None), "me", False)
    return 0 if fixed else 1


def _take(
    view: View, player: str, source: str, part: CostPart, left: Paying, ctx: Context, mana_ability: bool
) -> Paying:
    """What remains of a payment after the share of one part; the first share that fits is taken."""
    for share in _shares(view, player, source, part, left, ctx, mana_ability):
        return _less(left, share)
    raise CannotPay(f"the payment does not cover {type(part).__name__} of {source}")


def _shares(
    view: View, player: str, source: str, part: CostPart, left: Paying, ctx: Context, mana_ability: bool
) -> Iterator[Paying]:
    field = FIELD_OF_PART.get(type(part))
    if field is None or (isinstance(part, TapOthers) and part.total_power is not None):
        for way in _ways_of_part(view, player, source, part, ctx, mana_ability):
            if _within(way, left):
                yield way
        return
    candidates, field = candidates_for(view, player, source, part, ctx, mana_ability)
    offered = [oid for oid in getattr(left, field) if oid in candidates]
    if isinstance(part, ExileCost) and part.total_mana_value is not None:
        yield from _evidence(view, offered, amount(part.total_mana_value, ctx))
        return
    whole = isinstance(part, Discard) and part.whole_hand
    n = len(candidates) if whole else amount(part.n, ctx)  # type: ignore[attr-defined]
    for chosen in combinations(offered, n):
        yield with_objects({field: chosen})


def _evidence(view: View, offered: Sequence[str], least: int) -> Iterator[Paying]:
    """701.59a: any number of cards with that total mana value or more; the most first, as little else wants them."""
    for size in range(len(offered), -1, -1):
        for chosen in combinations(offered, size):
            if sum(view.of(oid).mana_value for oid in chosen) >= least:
                yield Paying(exile=chosen)


def _within(share: Paying, whole: Paying) -> bool:
    try:
        _less(whole, share)
    except ValueError:
        return False
    return True


def _less(whole: Paying, share: Paying) -> Paying:
    """`whole` without `share`; ValueError when it does not contain it."""
    rest: dict[str, object] = {}
    for field in whole.__struct_fields__:
        have, take = getattr(whole, field), getattr(share, field)
        if isinstance(have, int):
            if have < take:
                raise ValueError(field)
            rest[field] = have - take
        else:
            remaining = list(have)
            for item in take:
                remaining.remove(item)
            rest[field] = tuple(remaining)
    return msgspec.structs.replace(NOTHING, **rest)


def carry_out(game: Game, player: str, paying: Paying) -> Game:
    """The game after the payment, legality aside; CannotPay when a resource is not there (118.3)."""
    who = game.players[player]
    if paying.life:
        if who.life < paying.life:
            raise CannotPay(f"{player} has {who.life} life and would pay {paying.life}", "119.4")
        who = who.but(life=who.life - paying.life)
    for kind, n in paying.player_counters:
        if who.count(kind) < n:
            raise CannotPay(f"{player} has fewer than {n} {kind} counters")
        have = dict(who.counters)
        have[kind] -= n
        who = who.but(counters=tuple(sorted((k, m) for k, m in have.items() if m)))
    if paying.mill:
        who = _mill(who, paying.mill)
    changed = _changed_objects(game, paying)
    after = game.put_player(who).put(*changed.values())
    return leave(after, sacrificed=(*paying.sacrifice, *paying.discard), exiled=paying.exile, to_hand=paying.to_hand)


def _mill(who: Player, n: int) -> Player:
    if who.library_size is None:
        raise Unknown("how many cards are in the library is not stated")
    if who.library_size < n:
        raise CannotPay(f"the library holds fewer than {n} cards")
    return who.but(library_size=who.library_size - n)


def _changed_objects(game: Game, paying: Paying) -> dict[str, Obj]:
    changed: dict[str, Obj] = {}

    def now(oid: str) -> Obj:
        return changed.get(oid) or game.objects[oid]

    for oid in paying.tap:
        if now(oid).tapped:
            raise CannotPay(f"{oid} is tapped already", "701.26")
        changed[oid] = now(oid).but(tapped=True)
    for oid in paying.untap:
        if not now(oid).tapped:
            raise CannotPay(f"{oid} is not tapped", "701.26")
        stunned = now(oid).count("stun") > 0
        # 122.1d: it would untap, so a stun counter is removed instead; the cost is paid all the same (118.11).
        changed[oid] = now(oid).with_counters("stun", -1) if stunned else now(oid).but(tapped=False)
    for oid, kind, n in paying.counters_removed:
        if now(oid).count(kind) < n:
            raise CannotPay(f"{oid} has fewer than {n} {kind} counters")
        changed[oid] = now(oid).with_counters(kind, -n)
    for oid, kind, n in paying.counters_put:
        changed[oid] = now(oid).with_counters(kind, n)
    return changed


def leave(game: Game, sacrificed: Sequence[str] = (), exiled: Sequence[str] = (), to_hand: Sequence[str] = ()) -> Game:
    """Objects change zones: new objects with nothing of the old ones (400.7); tokens cease to matter (111.7). What
    was attached to them stays where it is until state-based actions are performed."""
    moved: list[Obj] = []
    gone: list[str] = []
    elsewhere = kept_out(game, sacrificed)
    zones: tuple[tuple[GameZone, Sequence[str]], ...] = (
        ("graveyard", [i for i in sacrificed if i not in elsewhere]),
        ("exile", (*exiled, *elsewhere)),
        ("hand", to_hand),
    )
    for zone, ids in zones:
        for oid in ids:
            old = game.objects[oid]
            if old.token:
                gone.append(oid)
            else:
                moved.append(
                    Obj(
                        id=oid,
                        card=old.card,
                        zone=zone,
                        controller=old.owner,
                        owner=old.owner,
                        commander=old.commander,
                        casts=old.casts,
                        timestamp=old.timestamp,
                    )
                )
    return game.put(*moved).without(gone)


def kept_out(game: Game, ids: Sequence[str], *, doubtful: bool = True) -> tuple[str, ...]:
    """614.6: which of these are put somewhere else as they would be put into a graveyard. `doubtful`: those as well of
    which that can't be told, so that nothing rests on their being there."""
    cards = [i for i in ids if not game.objects[i].token]
    rules = (o for o in game.objects.values() if o.zone in ("battlefield", "effect") and base_of(o).has_statics)
    if not cards or not any(_keeps_out(h.ability) for o in rules for h in base_of(o).abilities):
        return ()
    found = [(a, e, c) for a, e, c in effects(view_of(game), GameRule) if e.what == "goes_elsewhere"]
    return tuple(
        i
        for i in cards
        if any(_is_about(e.like, i, c, doubtful) for a, e, c in found if doubtful or a.condition is None)
    )


def _keeps_out(ability: object) -> bool:
    return isinstance(ability, Static) and any(
        isinstance(e, GameRule) and e.what == "goes_elsewhere" for e in ability.effects
    )


def _is_about(what: Filter | None, oid: str, context: Context, doubtful: bool) -> bool:
    if what is None:
        return doubtful
    try:
        return matches(msgspec.structs.replace(what, zone="any") if doubtful else what, oid, context)
    except Unknown:
        return doubtful
