"""What may be proposed for a spell, and what it then costs (601.2a-f).

`proposals_cast` answers with `Proposals`: every complete set of announcements that is legal now and that no other one
beats, each with its total cost. Nothing is paid here, and no mana is counted. Announcements that only make a spell
dearer are left out unless they are asked for (`using`).

    routes     what is cast: which face, for its mana cost or for which alternative cost, by whose leave  (`routes.py`)
    additional costs, modes and targets of each route, as far as they change what it costs   (601.2b-d)
    totals     (601.2f), from `total_cost.py`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import msgspec

from .abilities import (
    AdditionalCost,
    Condition,
    CostChange,
    CostPart,
    Filter,
    Keyword,
    LeastCost,
    ManaLimit,
    ManaPart,
    Mode,
    Paid,
    Permission,
    Prohibit,
    Sacrifice,
    SpellAbility,
    Static,
    TapOthers,
    Target,
    ThisTurn,
    XRange,
)
from .activating import proposals_activate as proposals_activate
from .characteristics import View, view_of
from .evaluate import Context, Seen, SpellInfo, amount, holds, matches_spell, objects_like, players_of
from .game import Characteristics, Game, Obj, Unknown
from .mana import Cost, parse_cost
from .proposals import (
    BY_KEYWORD,
    SUBSTITUTES,
    WATERBEND,
    Limit,
    Proposal,
    Proposals,
    Refused,
    Substitute,
    Way,
    check_range,
    compares_with_x,
    has_x,
    has_x_symbol,
    sees_targets,
    x_bound,
    x_bound_of_targets,
)
from .routes import Route, Version, as_cast, of_others, open_holds, own_effects, plain_info, routes, versions
from .spending import Purpose
from .structures import mentions
from .targeting import assigned, choices_of_targets
from .timing import (
    Refusal,
    cost_part_refusal,
    instant_refusal,
    payers,
    prohibitions,
    refusals_of,
    sorcery_refusal,
    split_second_refusal,
)
from .total_cost import (
    Change,
    Effects,
    Settled,
    applied,
    own_cost,
    own_statics,
    seen_from,
    settle_all,
    with_changes,
)


class Asked(NamedTuple):
    """`using`, taken apart."""

    names: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None


def asked_for(using: Iterable[object], targets: Sequence[str] | None) -> Asked:
    names: list[str] = []
    alternatives: list[str] = []
    for one in using or ():
        if isinstance(one, str):
            names.append(one.lower())
        else:
            alternatives.append(one["alternative"] if isinstance(one, dict) else one.alternative)  # type: ignore[attr-defined]
    return Asked(tuple(names), tuple(alternatives), tuple(targets) if targets else None)


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
    """What `player` may propose for casting the card now (601.2a-f). `oid` is its id, or the name of a face that one
    of the player's cards in the zone has: then it is cast as that face. `face`: only as that face."""
    found = find_card(view.game, player, oid, zone)
    if found is None:
        return Proposals(view, (), (Refusal("prohibited", "601.3", (), f"{oid} is not in the zone {zone}"),))
    obj, named = found
    oid, face = obj.id, named if face is None else face
    asked = asked_for(using, targets)
    ways: list[Cast] = []
    refusals: list[Refusal] = []
    doubts: list[Unknown] = []
    shown = view
    for version in versions(view, player, obj, face, doubts):
        shown = version.view
        try:
            ways += _ways_of(view, version, player, obj, asked, refusals, doubts)
        except Unknown as unknown:
            doubts.append(unknown)
    if len(asked.alternatives) + sum(1 for n in asked.names if n in _keywords_of(ways)) > 1:
        return Proposals(shown, (), (Refusal("rule", "118.9a", (oid,), "only one alternative cost may be paid"),))
    ways = [way for way in ways if way.is_asked_for()]
    if not ways and not refusals:
        refusals.append(Refusal("prohibited", "601.2b", (oid,), f"{oid} can't be cast in the way asked for"))
    return Proposals(ways[0].version.view if ways else shown, ways, refusals, doubts)


def find_card(game: Game, player: str, named: str, zone: str) -> tuple[Obj, int | None] | None:
    """The card in the zone that an id means, or a face's name together with which face it is. A card that is written by
    a face's name has that name for its id, and means the card as that face."""
    if named in game.objects:
        obj = game.objects[named]
        name = named.partition("#")[0]
        written = (n for n, side in enumerate(obj.card.faces) if len(obj.card.faces) > 1 and side.name == name)
        return (obj, next(written, None)) if obj.zone == zone else None
    there = sorted(game.in_zone(zone), key=lambda o: o.owner != player)
    for obj in there:
        if obj.card.name == named:
            return obj, None
        for n, side in enumerate(obj.card.faces):
            if side.name == named:
                return obj, n
    return None


def _ways_of(
    view: View,
    version: Version,
    player: str,
    obj: Obj,
    asked: Asked,
    refusals: list[Refusal],
    doubts: list[Unknown],
) -> list[Cast]:
    """Every route for one version; why there is none goes to `refusals`."""
    if "Land" in version.seen.types and not version.face_down:
        refusals.append(Refusal("prohibited", "305.9", (obj.id,), f"{obj.id} is a land and can't be cast"))
        return []
    found = list(routes(view, version, player, obj, doubts))
    if not found:
        refusals.append(Refusal("prohibited", "601.3", (obj.id,), f"nothing lets {player} cast {obj.id} from there"))
    return [Cast(view, version, player, obj, route, asked) for route in found]


def _keywords_of(ways: Sequence[Cast]) -> set[str]:
    return {way.route.keyword for way in ways if way.route.is_alternative and way.route.keyword}


# --- one way to cast ------------------------------------------------------------------------------------------------


# A cost that may be paid any number of times and reduces the total by as much is tried up to so many times.
MOST_TIMES = 12


class Extra(NamedTuple):
    """An optional additional cost, taken `times` times."""

    cost: AdditionalCost
    ctx: Context
    times: int = 1


class Cast(Way):
    """Casting one version of the card by one route."""

    def __init__(self, view: View, version: Version, player: str, obj: Obj, route: Route, asked: Asked) -> None:
        super().__init__()
        self.before, self.version, self.player, self.obj = view, version, player, obj
        self.view, self.route, self.asked = version.view, route, asked
        self.seen = as_cast(version.seen, route)
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
        return any(has_x(part) for part in self._parts_for_x())

    def _parts_for_x(self) -> tuple[CostPart, ...]:
        """What will be paid as far as it was asked for: where an X may stand."""
        base = self._base() or ()
        extras = [extra.cost.cost for extra in self._extras() if not extra.cost.optional or self._wants(extra.cost)]
        return (*base, *(part for cost in extras for part in cost))

    def x_most(self) -> int | None:
        info = self._info(0, (), ())
        parts = [part for part in self._parts_for_x() if has_x(part)]
        bounds = [x_bound(self.view, self.player, part, self.obj.id) for part in parts]
        bounds += [self._target_bound(ability, info) for ability in spell_abilities(self.seen)]
        bounds += [amount(r.most, self._ctx(info)) for r in self._ranges() if r is not None and r.most is not None]
        known = [b for b in bounds if b is not None]
        return min(known) if known else None

    def x_least(self) -> int:
        return max((r.least for r in self._ranges() if r is not None), default=0)

    def x_compares(self) -> bool:
        return compares_with_x((*self._parts_for_x(), *spell_abilities(self.seen)))

    def _ranges(self) -> tuple[XRange | None, ...]:
        return tuple(ability.announced for ability in spell_abilities(self.seen))

    def _target_bound(self, ability: SpellAbility, info: SpellInfo) -> int | None:
        return x_bound_of_targets(self.view, self.player, info, ability.targets, self._ctx(info))

    def _base(self) -> tuple[CostPart, ...] | None:
        """The mana cost or the alternative cost (118.9); None: there is no mana cost to pay (118.6)."""
        mana = _mana_part(self.seen)
        if self.route.cost is None:
            return mana
        whole: list[CostPart] = []
        for part in self.route.cost:
            if isinstance(part, ManaPart) and part.own:
                if mana is None:
                    return None
                whole += _lowered(mana, part)
            else:
                whole.append(part)
        return tuple(whole)

    # the proposals

    def proposals(self, x: int | None) -> list[Proposal]:
        if x and not self.has_x:
            raise Refused(Refusal("rule", "107.3b", (self.obj.id,), "there is no X to announce in this cost"))
        if self.has_x and x is None:
            x = self.x_least()
        if self.has_x:
            check_range(self._ranges(), x, self._ctx(self._info(x, (), ())))
        if not self.has_x and self.seen.mana_cost is not None and self.seen.mana_cost.x:
            x = 0  # 107.3b
        found: list[Proposal] = []
        refusals: dict[Refusal, None] = {}
        for extras in self._choices_of_extras(x):
            try:
                found += self._with_extras(x, extras)
            except Refused as refused:
                refusals.update(dict.fromkeys(refused.refusals))
        if not found:
            raise Refused(*refusals)
        return found

    def _info(self, x: int | None, paid: tuple[str, ...], targets: tuple[str, ...]) -> SpellInfo:
        seen = self.seen
        if x and seen.mana_cost is not None and seen.mana_cost.x:
            seen = msgspec.structs.replace(seen, mana_value=seen.mana_value + x * seen.mana_cost.x)
        names = (*paid, *self.route.label)
        return msgspec.structs.replace(plain_info(self.version, self.obj), seen=seen, x=x, paid=names, targets=targets)

    def _ctx(self, info: SpellInfo) -> Context:
        return Context(self.view, source=self.obj.id, you=self.player, x=info.x, targets=info.targets, spell=info)

    def _with_extras(self, x: int | None, extras: tuple[Extra, ...]) -> list[Proposal]:
        paid = tuple(name for e in extras for name in [_name(e.cost)] * e.times if e.cost.optional)
        if any(e.cost.least_x > (x or 0) for e in extras) or self.route.least_x > (x or 0):
            raise Refused(Refusal("rule", "107.3", (self.obj.id,), "X can't be 0 in this cost"))
        info = self._info(x, paid, ())
        refusals = self._refusals(info, extras)
        if refusals:
            raise Refused(*refusals)
        found: list[Proposal] = []
        failed: dict[Refusal, None] = {}
        for modes, wanted, costs in self._choices_of_modes(paid):
            try:
                for targets in self._choices_of_targets(info, wanted, extras):
                    found += self._priced(self._info(x, paid, targets), extras, costs, modes, failed)
            except Refused as refused:
                failed.update(dict.fromkeys(refused.refusals))
        if not found:
            raise Refused(*failed)
        return found

    # may it be begun

    def _refusals(self, info: SpellInfo, extras: tuple[Extra, ...]) -> tuple[Refusal, ...]:
        if self.before.game.turn.during_cast == self.obj.id:
            return ()  # it was begun already, and is not judged again (601.5)
        return refusals_of(
            lambda: self._timing(info, extras),
            lambda: split_second_refusal(self.before),
            lambda: forbidden_cast(self.before, self.player, info, self._own_prohibitions(info)),
            lambda: self._own_timing(info),
        )

    def _timing(self, info: SpellInfo, extras: tuple[Extra, ...]) -> Refusal | None:
        """117.1a, 307.1: any time an instant could be cast only with the type, flash, or a permission."""
        soon = "Instant" in info.seen.types or "flash" in info.seen.keywords or self.route.timing == "flash"
        soon = soon or any(e.cost.timing == "flash" for e in extras)
        if self.route.timing != "sorcery" and (soon or self._flash_permitted(info)):
            return instant_refusal(self.before, self.player)
        return sorcery_refusal(self.before, self.player)

    def _flash_permitted(self, info: SpellInfo) -> bool:
        """601.3b: an effect lets the spell be cast as though it had flash."""
        for effect, ctx, condition in of_others(self.before, info, Permission):
            if not effect.flash or effect.spells is None or self.player not in players_of(effect.who, ctx):
                continue
            if effect.zones and self.obj.zone not in effect.zones:
                continue
            if matches_spell(effect.spells, info, ctx) and open_holds(condition, ctx):
                return True
        if self.version.face_down:
            return False  # it has no abilities of its own (708.2a)
        own = own_effects(self.before, self.version, self.obj.id, self.player, info, Permission)
        return any(effect.flash and open_holds(condition, ctx) for effect, ctx, condition in own)

    def _own_prohibitions(self, info: SpellInfo) -> list[tuple[Prohibit, Context, Condition | None]]:
        return own_effects(self.before, self.version, self.obj.id, self.player, info, Prohibit)

    def _own_timing(self, info: SpellInfo) -> Refusal | None:
        """What the spell itself says about when it may be cast, and 205.4e for legendary ones."""
        ctx = Context(self.before, source=self.obj.id, you=self.player, spell=info)
        for ability in spell_abilities(info.seen):
            if ability.timing is not None and not holds(ability.timing, ctx):
                return Refusal("timing", "601.3", (self.obj.id,), f"{self.obj.id} may not be cast at this time")
        if "Legendary" in info.seen.supertypes and {"Instant", "Sorcery"} & set(info.seen.types):
            legends = Filter(types=("Creature", "Planeswalker"), supertypes=("Legendary",), controller="you")
            if not objects_like(legends, ctx):
                return Refusal("prohibited", "205.4e", (self.obj.id,), "no legendary creature or planeswalker")
        return None

    # additional costs

    def _extras(self) -> list[Extra]:
        """Every additional cost of this spell (118.8), its own and those of effects."""
        info = plain_info(self.version, self.obj)
        found: list[tuple[AdditionalCost, Context]] = []
        found += [(e, c) for e, c in own_statics(self.view, self.player, self.obj.id, info, (AdditionalCost,))]  # type: ignore[misc]
        for effect, ctx, condition in of_others(self.view, info, AdditionalCost):
            if self.player not in players_of(effect.who, ctx) or not matches_spell(effect.spells, info, ctx):
                continue
            if open_holds(condition, ctx):
                found.append((effect, ctx))
        return [Extra(effect, ctx) for effect, ctx in found]

    def _wants(self, cost: AdditionalCost) -> bool:
        return bool(_names(cost) & set(self.asked.names))

    def _choices_of_extras(self, x: int | None) -> Iterator[tuple[Extra, ...]]:
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
            raise Refused(Refusal("rule", "601.2b", (self.obj.id,), f"{self.obj.id} offers no {name}"))

    def _names_of_route(self) -> set[str]:
        names = {name.lower() for name in self.route.label}
        names |= {s for s in SUBSTITUTES if s in self.seen.keywords}
        return names

    def _times(self, extra: Extra, needed: Counter[str]) -> tuple[int, ...]:
        wanted = max((needed[name] for name in _names(extra.cost)), default=0)
        if extra.cost.many and not wanted and self._reduces(extra.cost):
            return tuple(range(self._most_times(extra.cost) + 1))
        if extra.cost.many:
            return (wanted,) if wanted else (0,)
        return (0, 1) if wanted or self._could_help(extra.cost) else (0,)

    def _reduces(self, cost: AdditionalCost) -> bool:
        return bool(cost.reduces) and cost.reduces != "victim"

    def _most_times(self, cost: AdditionalCost) -> int:
        """How often it could be paid: as there are objects, and not more often than it could reduce anything."""
        least = min(len(payers(self.view, self.player, part, self.obj.id)) for part in cost.cost)
        return min(least, MOST_TIMES)

    def _could_help(self, cost: AdditionalCost) -> bool:
        if cost.reduces or cost.timing:
            return True
        statics = (h.ability for h in self.seen.abilities if isinstance(h.ability, Static))
        return any(mentions(static, Paid) for static in statics)

    def _covers(self, chosen: tuple[Extra, ...], needed: Counter[str]) -> bool:
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
        for ability in spell_abilities(self.seen):
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
        self, info: SpellInfo, wanted: tuple[Target, ...], extras: tuple[Extra, ...]
    ) -> Iterator[tuple[str, ...]]:
        ctx = self._ctx(info)
        told = any(t.when == Paid("cleave") for t in wanted)
        wanted = tuple(t for t in wanted if t.when is None or holds(t.when, ctx))
        if self.asked.targets is not None:
            if not assigned(self.view, self.player, info, wanted, self.asked.targets, ctx):
                raise Refused(Refusal("no_target", "601.2c", self.asked.targets, "these are not legal targets for it"))
            yield self.asked.targets
            return
        sign = self._signature(info) if self._looks_at_targets(extras) else None
        some = False
        for targets in choices_of_targets(self.view, self.player, info, wanted, ctx, sign):
            some = True
            yield targets
        if some:
            return
        if self.route.keyword == "cleave" and not told:
            raise Unknown("what a spell targets when it is cleaved is not modelled", "not_modelled", (self.obj.id,))
        raise Refused(Refusal("no_target", "601.2c", (self.obj.id,), f"there is no legal target for {self.obj.id}"))

    def _looks_at_targets(self, extras: tuple[Extra, ...]) -> bool:
        effects = [active.effect for active in self.view.statics(CostChange)]
        statics = [h.ability for h in self.seen.abilities if isinstance(h.ability, Static)]
        return any(e.cost.per_target for e in extras) or any(sees_targets(one) for one in (*effects, *statics))

    def _signature(self, info: SpellInfo):
        def sign(target: str) -> object:
            return self._effects(msgspec.structs.replace(info, targets=(target,)))

        return sign

    # the price

    def _effects(self, info: SpellInfo) -> Effects:
        own = own_statics(self.view, self.player, self.obj.id, info, (CostChange, LeastCost), self.doubts)
        return applied(self.view, self.player, info, own, info.paid, self.doubts)

    def _priced(
        self,
        info: SpellInfo,
        extras: tuple[Extra, ...],
        mode_costs: tuple[CostPart, ...],
        modes: tuple[int, ...],
        failed: dict[Refusal, None],
    ) -> list[Proposal]:
        """The total costs with these announcements."""
        ctx = self._ctx(info)
        base = self._base()
        if base is None:
            raise Refused(
                Refusal("no_mana_cost", "118.6", (self.obj.id,), f"{self.obj.id} has no mana cost to be paid")
            )
        effects = self._effects(info)
        own = [e for e in extras if e.ctx.source == self.obj.id]
        parts = (*base, *self.route.extra, *mode_costs, *effects.parts)
        parts += tuple(p for e in own for p in e.cost.cost * self._repeats(e, info))
        found: list[Proposal] = []
        for whole, more in self._reduced(parts, extras, ctx):
            changed = effects._replace(changes=effects.changes + more)
            for settled in self._with_foreign(settle_all(whole, ctx), extras, info):
                for total in with_changes(settled, changed, ctx):
                    proposal = self._proposal(info, total, changed, extras, modes)
                    stops = self._unpayable(proposal)
                    if stops:
                        failed.update(dict.fromkeys(stops))
                    else:
                        found.append(proposal)
        return found

    def _with_foreign(
        self, wholes: tuple[Settled, ...], extras: tuple[Extra, ...], info: SpellInfo
    ) -> tuple[Settled, ...]:
        """With the additional costs of other objects: their words are read from where those stand (splice)."""
        for extra in extras:
            if extra.ctx.source == self.obj.id:
                continue
            ctx = extra.ctx.but(spell=info, x=info.x)
            options = settle_all(extra.cost.cost * self._repeats(extra, info), ctx)
            wholes = tuple(one.plus(seen_from(option, ctx.source or "")) for one in wholes for option in options)
        return wholes

    def _repeats(self, extra: Extra, info: SpellInfo) -> int:
        return max(0, len(info.targets) - 1) if extra.cost.per_target else extra.times

    def _reduced(
        self, parts: tuple[CostPart, ...], extras: tuple[Extra, ...], ctx: Context
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
        at = next((i for i, part in enumerate(parts) if isinstance(part, Sacrifice)), len(parts))
        if at == len(parts):  # an explanation asks what would be if nothing had to be sacrificed
            yield parts, more
            return
        part = parts[at]
        assert isinstance(part, Sacrifice)
        classes: dict[Cost, list[str]] = {}
        for oid in payers(self.view, self.player, part, self.obj.id, x=ctx.x):
            seen = self.view.of(oid)
            whole = (seen.mana_cost or Cost()).with_x(0)
            less = Cost(seen.mana_value) if by == "victim_mana_value" else whole
            classes.setdefault(less, []).append(oid)
        if not classes:
            raise Refused(Refusal("cost_unpayable", "118.3", (self.obj.id,), "there is nothing to sacrifice for it"))
        for less, ids in classes.items():
            chosen = msgspec.structs.replace(part, what=Filter(ids=tuple(ids)))
            yield (*parts[:at], chosen, *parts[at + 1 :]), (*more, Change(False, less, source=self.obj.id))

    def _proposal(
        self, info: SpellInfo, total: Settled, effects: Effects, extras: tuple[Extra, ...], modes: tuple[int, ...]
    ) -> Proposal:
        substitutes = [BY_KEYWORD[s] for s in SUBSTITUTES if s in info.seen.keywords and s in BY_KEYWORD]
        if total.waterbend:
            substitutes.append(Substitute("waterbend", WATERBEND, most=total.waterbend))
        purpose = Purpose(
            "spell",
            spell=info,
            source=self.obj.id,
            keyword=self.route.keyword,
            has_x=self._contains_x(extras),
            has_c=any("C" in s for s in total.mana.symbols),
        )
        return Proposal(
            view=self.view,
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

    def _contains_x(self, extras: tuple[Extra, ...]) -> bool:
        """Whether {X} stands in what is paid, be it 0."""
        base = self._base()
        return any(has_x_symbol(p) for p in (*(base or ()), *(p for e in extras for p in e.cost.cost)))

    def _limits(self, info: SpellInfo) -> tuple[Limit, ...]:
        """601.2h: what mana alone may be spent on this spell."""
        own = own_statics(self.view, self.player, self.obj.id, info, (ManaLimit,))
        found = [Limit(effect, self.obj.id) for effect, _ in own if isinstance(effect, ManaLimit)]
        for effect, ctx, condition in of_others(self.view, info, ManaLimit):
            if matches_spell(effect.spells, info, ctx) and open_holds(condition, ctx):
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


def spell_abilities(seen: Seen) -> list[SpellAbility]:
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


def _lowered(mana: tuple[CostPart, ...], part: ManaPart) -> tuple[CostPart, ...]:
    """The mana cost as the alternative cost that it is, reduced where that says so."""
    if not part.minus:
        return mana
    return tuple(ManaPart(str(own_cost(parse_cost(m.cost), part))) if isinstance(m, ManaPart) else m for m in mana)


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


def _reductions_of(extra: Extra) -> tuple[Change, ...]:
    """What paying an additional cost takes off, when the text says how much (Defilers reduce colored mana only)."""
    if not extra.cost.reduces or extra.cost.reduces == "victim":
        return ()
    amount_ = parse_cost(extra.cost.reduces)
    amount_ = amount_._replace(generic=amount_.generic * extra.times, symbols=amount_.symbols * extra.times)
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


def forbidden_cast(
    before: View, player: str, info: SpellInfo, own: Sequence[tuple[Prohibit, Context, Condition | None]] = ()
) -> Refusal | None:
    """101.2, 601.3: an effect that says that this spell can't be cast, judged with all choices made (601.3a)."""
    effects: list[tuple[Prohibit, Context, Condition | None]] = [
        (e, c.but(spell=info), active.condition)
        for active, e, c in prohibitions(before, "cast", player)
        if active.source != info.obj.id
    ]
    effects += [one for one in own if one[0].action == "cast" and player in players_of(one[0].who, one[1])]
    doubt: Unknown | None = None
    for effect, ctx, condition in effects:
        try:
            if _forbids(before, player, info, effect, ctx, condition):
                return Refusal("prohibited", "101.2", (ctx.source or "",), f"{ctx.source} forbids casting it")
        except Unknown as unknown:
            doubt = unknown
    if doubt is not None:
        raise doubt
    return None


def _forbids(
    before: View, player: str, info: SpellInfo, effect: Prohibit, ctx: Context, condition: Condition | None
) -> bool:
    if effect.timing == "sorcery" and sorcery_refusal(before, player) is None:
        return False
    if not matches_spell(effect.what, info, ctx) or not open_holds(condition, ctx):
        return False
    if effect.limit and _cast_so_far(before, player, effect, ctx) < effect.limit:
        return False
    if effect.unless:
        raise Unknown(f"{ctx.source} asks for a cost to cast spells", "not_modelled", (ctx.source or "",))
    return True


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
