"""601.2f: the total cost of a spell or an activated ability (602.2b).

    total = (mana cost or one alternative cost) + additional costs + increases - reductions, not below {0},
            and then the effects that set a least total (Trinisphere)

The first half of this file is arithmetic on mana costs and knows no game: what was announced for hybrid and Phyrexian
symbols (601.2b, 118.13a) comes first, because reductions and Trinisphere see the announced cost. The second half finds
the effects that apply. A payer chooses announcements and the order of reductions, so a total is a set of costs of which
none is better than another in every way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

import msgspec

from .abilities import (
    AbilityAlternative,
    Activated,
    Bound,
    Condition,
    CostChange,
    CostPart,
    Discard,
    Filter,
    LeastCost,
    Loyalty,
    ManaPart,
    Node,
    OneOf,
    PayLife,
    Static,
    StaticEffect,
    ThisTurn,
    Unread,
    X,
    is_mana_ability,
)
from .characteristics import View
from .evaluate import Context, SpellInfo, amount, holds, matches, matches_spell, players_of
from .game import Has, Unknown
from .mana import TYPES, Cost, order_symbols, parse_cost, ways_to_pay
from .parties import context_of, in_force
from .timing import is_loyalty, loyalty_timing, of_payer

# More announcements than this are not a real card; they would only make the answer slow.
_MOST_ANNOUNCEMENTS = 4096


class Change(NamedTuple):
    """One increase or reduction as it applies to this cost; `amount` is multiplied out already. `floor`: the
    reduction can't take the mana in the cost below that. `source`: the object whose effect it is."""

    more: bool
    amount: Cost
    floor: int = 0
    colored_only: bool = False
    source: str = ""


class Total(NamedTuple):
    """A total mana cost with the life that was announced for Phyrexian symbols."""

    mana: Cost
    life: int = 0


def totals(base: Cost, changes: Iterable[Change], least: int = 0) -> tuple[Total, ...]:
    """Every total mana cost that announcements and the best order of reductions lead to, without dominated ones.

    `base` holds the mana cost or alternative cost and all additional mana, with X announced. Symbols whose choice
    changes nothing here stay as they are: whoever pays may still choose. `least` is Trinisphere's number.
    """
    changes = tuple(changes)
    reductions = [c for c in changes if not c.more]
    raised = base
    for change in changes:
        if change.more:
            raised = raised.plus(change.amount)
    found: dict[Total, None] = {}
    for announced in announcements(raised, reductions, least):
        for amounts in _chosen_halves(reductions):
            reduced = announced.mana
            for change in amounts:
                reduced = _reduce(reduced, change)
            missing = max(0, least - _mana_in(reduced))
            found[Total(reduced._replace(generic=reduced.generic + missing), announced.life)] = None
    return _undominated(found)


def announcements(cost: Cost, reductions: Sequence[Change], least: int = 0) -> tuple[Total, ...]:
    """The cost after 601.2b: symbols that a reduction or a least total could tell apart are replaced by each of their
    alternatives in turn (118.13a); the others are kept."""
    kept: list[str] = []
    open_: Counter[str] = Counter()
    touched = _letters(reductions)
    counting = least > 0 or any(c.floor for c in reductions)
    for symbol in cost.symbols:
        if _must_announce(symbol, touched, counting):
            open_[symbol] += 1
        else:
            kept.append(symbol)
    if not open_:
        return (Total(cost),)
    choices = [list(combinations_with_replacement(_alternatives(s), n)) for s, n in open_.items()]
    found: dict[Total, None] = {}
    for n, picks in enumerate(product(*choices)):
        if n > _MOST_ANNOUNCEMENTS:
            raise Unknown("too many hybrid symbols in one cost", "not_modelled")
        generic, life, symbols = cost.generic, 0, list(kept)
        for more_generic, more_life, letter in (alternative for pick in picks for alternative in pick):
            generic, life = generic + more_generic, life + more_life
            symbols += [letter] if letter else []
        found[Total(Cost(generic, cost.x, order_symbols(symbols)), life)] = None
    return tuple(found)


def _letters(reductions: Sequence[Change]) -> str:
    """Types whose symbols the reductions could take off, and "1" when they could take off generic mana."""
    letters = "".join(t for t in TYPES if any(t in s for c in reductions for s in c.amount.symbols))
    spills = any(c.amount.generic or (c.amount.symbols and not c.colored_only) for c in reductions)
    return letters + ("1" if spills else "")


def _must_announce(symbol: str, touched: str, counting: bool) -> bool:
    inner = symbol[1:-1]
    if "/" not in inner:
        return False
    halves = inner.split("/")
    if any(h in touched for h in halves if h in TYPES):
        return True
    if any(h.isdigit() for h in halves):
        return "1" in touched or counting
    return "P" in halves and counting


def _alternatives(symbol: str) -> list[tuple[int, int, str]]:
    """(generic mana, life, symbol) of each way that a hybrid or Phyrexian symbol may be announced."""
    found = []
    for way in ways_to_pay(symbol):
        if way.life:
            found.append((0, way.life, ""))
        elif len(way.types) > 1:
            found.append((way.n, 0, ""))
        else:
            found.append((0, 0, "{" + way.types + "}"))
    return found


def _chosen_halves(reductions: Sequence[Change]) -> list[tuple[Change, ...]]:
    """The reductions in the best order, for each choice of a half of a hybrid symbol in them (118.7e).

    Reductions with a floor go first, for they take off most while the cost is high; then those of colored mana only,
    for what the others do not find of a color takes off generic mana instead. Nothing else depends on the order.
    Phyrexian symbols count as their color (118.7f), snow as generic (118.7g).
    """
    ordered = sorted(reductions, key=lambda c: (-c.floor, not c.colored_only))
    options = []
    for change in ordered:
        halves = [[h for h in s[1:-1].split("/") if h != "P"] for s in change.amount.symbols]
        picks = list(dict.fromkeys(tuple(sorted(p)) for p in product(*halves)))
        options.append([_with_halves(change, pick) for pick in picks])
    return [tuple(choice) for choice in product(*options)]


def _with_halves(change: Change, halves: tuple[str, ...]) -> Change:
    generic = change.amount.generic + sum(int(h) for h in halves if h.isdigit()) + halves.count("S")
    symbols = order_symbols("{" + h + "}" for h in halves if h in TYPES)
    return change._replace(amount=Cost(generic, 0, symbols))


def _reduce(cost: Cost, change: Change) -> Cost:
    """One reduction applied (118.7): what finds no symbol of its type takes off generic mana (b-d), unless the effect
    reduces only colored mana; generic takes off generic only (a)."""
    room = _mana_in(cost) - change.floor if change.floor else _mana_in(cost)
    generic, symbols = cost.generic, list(cost.symbols)
    spill = change.amount.generic
    for symbol in change.amount.symbols:
        if symbol in symbols:
            if room > 0:
                symbols.remove(symbol)
                room -= 1
        elif not change.colored_only:
            spill += 1
    off = max(0, min(spill, generic, room))
    return Cost(generic - off, cost.x, tuple(symbols))


def _mana_in(cost: Cost) -> int:
    """How many mana there are in an announced cost."""
    return cost.generic + len(cost.symbols)


def _undominated(found: Iterable[Total]) -> tuple[Total, ...]:
    every = tuple(found)
    return tuple(t for t in every if not any(other is not t and _better(other, t) for other in every))


def _better(one: Total, other: Total) -> bool:
    """Whether `one` asks for no more than `other` in every way."""
    if one.life > other.life or one.mana.generic > other.mana.generic:
        return False
    return not (Counter(one.mana.symbols) - Counter(other.mana.symbols)) and one != other


# --- the effects that apply -----------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """The parts of a cost with every amount worked out: mana, how much generic of it is a waterbend cost (701.67),
    how much of it the announced {X} asks for, and what is not mana."""

    mana: Cost = Cost()
    parts: tuple[CostPart, ...] = ()
    waterbend: int = 0
    x_mana: int = 0

    def plus(self, other: Settled) -> Settled:
        return Settled(
            self.mana.plus(other.mana),
            self.parts + other.parts,
            self.waterbend + other.waterbend,
            self.x_mana + other.x_mana,
        )


NO_COST = Settled()


def settle_all(parts: Iterable[CostPart], ctx: Context) -> tuple[Settled, ...]:
    """Every cost that the parts come to, one for each choice among alternatives ("pay {3} or discard a card")."""
    found = (NO_COST,)
    for part in parts:
        if isinstance(part, OneOf):
            options = tuple(s for option in part.options for s in settle_all(option, ctx))
        else:
            options = (settle(part, ctx),)
        found = tuple(one.plus(option) for one in found for option in options)
    return found


def seen_from(cost: Settled, source: str) -> Settled:
    """A cost whose "this object" is the source, as others may read it."""
    return cost._replace(parts=tuple(_seen_from(part, source) for part in cost.parts))


def _seen_from(part: CostPart, source: str) -> CostPart:
    changes = {}
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if isinstance(value, Filter) and value.me is not None:
            here = Filter(zone="any", ids=(source,))
            ids = {"ids": (source,)} if value.me else {"none_of": (*value.none_of, here)}
            changes[field] = msgspec.structs.replace(value, me=None, **ids)
    return msgspec.structs.replace(part, **changes) if changes else part


def settle(part: CostPart, ctx: Context) -> Settled:
    """One part with its amounts worked out; Unknown when it was not understood."""
    if isinstance(part, Unread):
        raise Unknown("a part of the cost was not understood", "not_understood", (ctx.source,) if ctx.source else ())
    if isinstance(part, ManaPart):
        times = max(0, amount(part.repeat, ctx))
        cost = own_cost(_own_mana_cost(ctx), part) if part.own else parse_cost(part.cost)
        x = amount(X(), ctx) if cost.x else 0
        n = cost.x * x * times
        mana = Cost((cost.generic + cost.x * x) * times, 0, order_symbols(cost.symbols * times))
        return Settled(mana, waterbend=mana.generic if part.waterbend else 0, x_mana=n)
    if isinstance(part, Loyalty) and part.x:
        return Settled(parts=(Loyalty(part.n - amount(X(), ctx)),))
    return Settled(parts=(_with_numbers(part, ctx),))


def own_cost(cost: Cost, part: ManaPart) -> Cost:
    """A cost that is a mana cost, or that reduced by something (118.7)."""
    return _reduce(cost, Change(False, parse_cost(part.minus))) if part.minus else cost


def _own_mana_cost(ctx: Context) -> Cost:
    """The mana cost of the card whose ability it is ("its unearth cost is equal to its mana cost")."""
    found = ctx.object(ctx.source) if ctx.source is not None else None
    if found is None or found[1].mana_cost is None:
        raise Unknown("a cost is a mana cost that is not there", "not_modelled", (ctx.source,) if ctx.source else ())
    return found[1].mana_cost


def _with_numbers(part: CostPart, ctx: Context) -> CostPart:
    """The part with numbers in place of amounts and of bounds in its description."""
    changes: dict[str, object] = {}
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if field in ("n", "total_mana_value") and isinstance(value, Node):
            changes[field] = max(0, amount(value, ctx))  # type: ignore[arg-type]
        elif isinstance(value, Filter):
            settled = of_payer(_of_spell(_with_bounds(value, ctx), ctx))
            if settled is not value:
                changes[field] = settled
    return msgspec.structs.replace(part, **changes) if changes else part


def _of_spell(what: Filter, ctx: Context) -> Filter:
    """A spell that shares something with what pays is the source of the cost itself (conspire)."""
    if what.shares_with != "spell" or ctx.spell is None or ctx.spell.ability is not None:
        return what
    return msgspec.structs.replace(what, shares_with="self")


def _with_bounds(what: Filter, ctx: Context) -> Filter:
    if not any(isinstance(b.value, Node) for b in what.bounds):
        return what
    return msgspec.structs.replace(what, bounds=tuple(Bound(b.stat, b.op, amount(b.value, ctx)) for b in what.bounds))


_Optional = tuple[Change, tuple[CostPart, ...]]


class Effects(NamedTuple):
    """The cost changes that apply: those that must, and those that the payer may pay for (Defilers), each with the
    cost for it. `parts` are additions that are not mana."""

    changes: tuple[Change, ...] = ()
    optional: tuple[_Optional, ...] = ()
    parts: tuple[CostPart, ...] = ()
    least: int = 0


def applied(
    view: View,
    player: str,
    info: SpellInfo,
    own: Sequence[tuple[StaticEffect, Context]] = (),
    keywords: Sequence[str] = (),
    doubts: list[Unknown] | None = None,
) -> Effects:
    """The cost changes that apply to this spell or ability as `player` casts or activates it (601.2f). A reduction that
    rests on something not stated is left out and goes to `doubts`, where those are asked for.

    `own`: static effects of the spell itself, which function while it is on the stack (113.6). `keywords`: what the
    costs being paid are called ("flashback"), for effects that change just those.
    """
    changes: list[Change] = []
    optional: list[_Optional] = []
    parts: list[CostPart] = []
    least = 0
    for effect, ctx, condition in (*_others(view, info), *((e, c, None) for e, c in own)):
        if isinstance(effect, LeastCost):
            n = _least(view, effect, info, ctx)
            least = max(least, n if n and _holds(condition, ctx) else 0)
        elif isinstance(effect, CostChange):
            try:
                if not _applies(view, player, effect, info, ctx, keywords) or not _holds(condition, ctx):
                    continue
                change = _change(effect, info, ctx)
            except Unknown as unknown:
                _doubt(effect, unknown, doubts)
                continue
            if effect.pay:
                optional.append((change, effect.pay))
            else:
                changes.append(change)
                parts += effect.also
    return Effects(tuple(changes), tuple(optional), tuple(parts), least)


def _doubt(effect: StaticEffect, unknown: Unknown, doubts: list[Unknown] | None) -> None:
    """Without a reduction the cost is what it is at most; any other change that is not known leaves it unknown."""
    if doubts is None or not isinstance(effect, CostChange) or effect.how == "more":
        raise unknown
    if unknown.text not in [d.text for d in doubts]:
        doubts.append(unknown)


def _holds(condition: Condition | None, ctx: Context) -> bool:
    return condition is None or holds(condition, ctx)


def _others(view: View, info: SpellInfo) -> list[tuple[StaticEffect, Context, Condition | None]]:
    """Effects of everything but the spell itself, with conditions that were left open."""
    found: list[tuple[StaticEffect, Context, Condition | None]] = []
    for kind in (CostChange, LeastCost):
        for active in view.statics(kind):
            if active.source != info.obj.id or info.ability is not None:
                found.append((active.effect, context_of(view, active).but(spell=info), active.condition))
    return found


def _applies(
    view: View, player: str, effect: CostChange, info: SpellInfo, ctx: Context, keywords: Sequence[str]
) -> bool:
    if info.ability is None:
        like, words = effect.spells, tuple(keywords)
    else:
        like, words = effect.abilities, (info.ability.keyword, "loyalty" if is_loyalty(info.ability) else "")
    if like is None or (effect.keyword and effect.keyword not in words):
        return False
    if effect.only_mana_abilities and (info.ability is None or not is_mana_ability(info.ability)):
        return False
    if effect.no_mana_abilities and info.ability is not None and is_mana_ability(info.ability):
        return False
    if player not in players_of(effect.who, ctx) or not matches_spell(like, info, ctx):
        return False
    if effect.targets is not None and not any(matches(effect.targets, t, ctx) for t in info.targets):
        return False
    if effect.first_each_turn and not _is_first(view, player, like, ctx):
        return False
    return _holds(effect.condition, ctx)


def _is_first(view: View, player: str, like: Filter, ctx: Context) -> bool:
    """Whether no spell like this was cast by the player this turn before."""
    return amount(ThisTurn("spells_cast", "you", of=like), ctx.but(you=player)) == 0


def _change(effect: CostChange, info: SpellInfo, ctx: Context) -> Change:
    # "For each artifact its controller controls": the spell's controller.
    times = max(0, amount(effect.times, ctx.but(that=info.obj.id)))
    if effect.per_target:
        times *= max(0, len(info.targets) - 1)
    cost = parse_cost(effect.amount) if effect.amount else Cost()
    if cost.x:
        raise Unknown("a cost change by {X}", "not_modelled", (ctx.source,) if ctx.source else ())
    mana = Cost(cost.generic * times, 0, order_symbols(cost.symbols * times))
    return Change(effect.how == "more", mana, effect.floor, effect.colored_only, ctx.source or "")


def _least(view: View, effect: LeastCost, info: SpellInfo, ctx: Context) -> int:
    """Trinisphere; 0 when it does not apply."""
    if info.ability is not None or not matches_spell(effect.spells, info, ctx):
        return 0
    if effect.while_untapped and ctx.source is not None and view.game.objects[ctx.source].tapped:
        return 0
    return effect.n


# --- abilities ------------------------------------------------------------------------------------------------------


def total_activation_cost(
    view: View, player: str, oid: str, has: Has, x: int | None = None, targets: tuple[str, ...] = ()
) -> tuple[tuple[Cost, tuple[CostPart, ...]], ...]:
    """602.2b: every total cost of activating the ability, as mana and what is not mana; more than one where the
    payer has a choice that reductions can tell apart. Life announced for Phyrexian symbols is a PayLife part."""
    return tuple((c.mana, c.parts) for c in activation_costs(view, player, oid, has, x, targets))


def activation_costs(
    view: View,
    player: str,
    oid: str,
    has: Has,
    x: int | None = None,
    targets: tuple[str, ...] = (),
    doubts: list[Unknown] | None = None,
) -> tuple[Settled, ...]:
    """The same, with the shares of the cost that have rules of their own; `doubts` as for `applied`."""
    ability = has.ability
    assert isinstance(ability, Activated)
    info = SpellInfo(obj=view.game.objects[oid], seen=view.of(oid), x=x, targets=targets, ability=ability)
    ctx = Context(view, source=oid, you=player, x=x, targets=targets, spell=info)
    effects = applied(view, player, info, own_changes(view, player, oid, info, doubts), doubts=doubts)
    own: list[Change] = []
    for change in ability.changes:
        try:
            if _own_applies(change, info, ctx):
                own.append(_change(change, info, ctx))
        except Unknown as unknown:
            _doubt(change, unknown, doubts)
    effects = effects._replace(changes=(*effects.changes, *own))
    added = loyalty_timing(view, player, oid).cost if is_loyalty(ability) else 0
    found: dict[Settled, None] = {}
    for cost in (ability.cost, *_instead(view, player, oid, ability, doubts)):
        for base in settle_all((*cost, *effects.parts), ctx):
            for total in with_changes(base, effects, ctx):
                found[total._replace(parts=_one_loyalty(total.parts, added))] = None
    return tuple(found)


def _instead(
    view: View, player: str, oid: str, ability: Activated, doubts: list[Unknown] | None
) -> Iterator[tuple[CostPart, ...]]:
    """118.9: what may be paid in place of the cost that the ability's keyword gives it."""
    for active in view.statics(AbilityAlternative) if ability.keyword else ():
        effect = active.effect
        assert isinstance(effect, AbilityAlternative)
        ctx = context_of(view, active)
        if effect.keyword != ability.keyword or player not in players_of(effect.who, ctx):
            continue
        try:
            offered = matches(effect.abilities, oid, ctx) and in_force(active, ctx)
            if offered and not (effect.first_each_turn and _was_activated(view, player, ability.keyword)):
                yield (*effect.cost, *(p for p in ability.cost if isinstance(p, Discard) and p.what.me))
        except Unknown as unknown:
            if doubts is None:
                raise
            doubts.append(unknown)


def _was_activated(view: View, player: str, keyword: str) -> bool:
    """Whether the player has activated an ability of this keyword this turn, as far as that is stated."""
    if keyword == "cycling":
        if view.game.players[player].history("cycled"):
            return True
        if view.game.players[player].history("discarded"):
            raise Unknown(f"whether {player} has cycled a card this turn is not stated")
        return False
    for oid in view.game.objects:
        now = {h.number: h.ability for h in view.of(oid).abilities if h.number}
        if any(getattr(now.get(n), "keyword", "") == keyword for n in view.game.objects[oid].activated):
            return True
    return False


def _own_applies(change: CostChange, info: SpellInfo, ctx: Context) -> bool:
    if change.targets is not None and not any(matches(change.targets, t, ctx) for t in info.targets):
        return False
    return _holds(change.condition, ctx)


def _one_loyalty(parts: tuple[CostPart, ...], added: int) -> tuple[CostPart, ...]:
    """606.5: all loyalty symbols in a cost are combined into one before it is paid."""
    symbols = [part for part in parts if isinstance(part, Loyalty)]
    if not symbols:
        return parts
    rest = tuple(part for part in parts if not isinstance(part, Loyalty))
    return (Loyalty(sum(part.n for part in symbols) + added), *rest)


def own_changes(
    view: View, player: str, oid: str, info: SpellInfo, doubts: list[Unknown] | None = None
) -> list[tuple[StaticEffect, Context]]:
    """Cost changes that a card outside of the battlefield makes to its own abilities (channel, cycling); those of
    permanents are among the effects that apply anyway."""
    if view.game.objects[oid].zone == "battlefield":
        return []
    return own_statics(view, player, oid, info, (CostChange,), doubts)


def own_statics(
    view: View,
    player: str,
    oid: str,
    info: SpellInfo | None,
    kinds: tuple[type, ...],
    doubts: list[Unknown] | None = None,
) -> list[tuple[StaticEffect, Context]]:
    """Static effects of the object's own abilities that speak of itself, while their conditions hold; `doubts` as for
    `applied`."""
    ctx = Context(view, source=oid, you=player, spell=info, x=info.x if info else None)
    ctx = ctx.but(targets=info.targets) if info is not None and info.targets else ctx
    found: list[tuple[StaticEffect, Context]] = []
    for has in view.of(oid).abilities:
        ability = has.ability
        if not isinstance(ability, Static) or not any(isinstance(e, kinds) for e in ability.effects):
            continue
        effects = [e for e in ability.effects if isinstance(e, kinds) and _of_itself(e, ability)]
        try:
            if effects and (ability.condition is None or holds(ability.condition, ctx)):
                found += [(e, ctx) for e in effects]
        except Unknown as unknown:
            for effect in effects:
                _doubt(effect, unknown, doubts)
    return found


def _of_itself(effect: StaticEffect, ability: Static) -> bool:
    """Whether the effect is about the very object: "this spell costs less"."""
    if ability.zone in ("stack", "any"):
        return True
    about = getattr(effect, "spells", None) or getattr(effect, "abilities", None) or getattr(effect, "what", None)
    return isinstance(about, Filter) and about.me is True


def with_changes(base: Settled, effects: Effects, ctx: Context) -> list[Settled]:
    """The settled cost after all changes, for each choice of the payer."""
    found: list[Settled] = []
    for chosen in _subsets(effects.optional):
        extra = settle_all([part for _, pay in chosen for part in pay], ctx)
        changes = (*effects.changes, *(change for change, _ in chosen))
        for addition in extra:
            whole = base.plus(addition)
            for total in totals(whole.mana, changes, effects.least):
                parts = whole.parts + ((PayLife(total.life),) if total.life else ())
                found.append(Settled(total.mana, parts, min(whole.waterbend, total.mana.generic), whole.x_mana))
    return found


def _subsets(options: Sequence[_Optional]) -> list[tuple[_Optional, ...]]:
    return [subset for n in range(len(options) + 1) for subset in combinations(options, n)]
