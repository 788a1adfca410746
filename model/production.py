"""What mana an ability makes: choices, replacement effects in every order, triggered mana abilities, "could produce".

One resolution is one production event (106.12b). It starts as every mana that the effect could add (`base`), then
replacement effects change it: the nodes of a graph are (the event as it stands, how often each effect was used), an
arc applies one applicable effect (616.1; applicability is checked again at every node, each effect once, 614.5).
Equal nodes merge, and effects that are alike count as one effect with a number, so thirty Nyxbloom Ancients are a path
of thirty arcs and not 30! orders. What no effect applies to any more is an outcome.

"Could produce" (106.7) is the least fixed point of one monotone step over everything that is looked at: types that
only support each other do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import NamedTuple, TypeGuard

import msgspec

from .abilities import (
    Activated,
    AddMana,
    Amount,
    AnyMana,
    ChosenColor,
    ColorsAmong,
    ColorsOf,
    CommanderColors,
    CouldProduce,
    CounterReplacement,
    Damage,
    Devotion,
    Do,
    Filter,
    Fixed,
    LoseLife,
    ManaSpec,
    NotedMana,
    OfCost,
    OneOfMana,
    Produced,
    ProductionReplacement,
    SameAsLost,
    SpendOnly,
    TapSelf,
    Triggered,
    TriggersAgain,
    Unread,
    UpTo,
    X,
    is_mana_ability,
)
from .alike import likeness, named_ids
from .characteristics import View
from .evaluate import NOTHING_GONE, Context, Gone, amount, holds, matches, objects_like, players_of
from .game import Active, Has, Unknown
from .mana import COLORS, NO_MANA, TYPES, Mana, mana_of, parse_mana
from .structures import mentions, refers_to

# More free choices than this are never listed one by one; a net keeps them as one flow instead.
MOST_LISTED = 20_000


class Packet(NamedTuple):
    """Mana added by one source with one restriction. Beside `mana`, `free` more, each of any type in `types`."""

    mana: Mana
    source: str
    only: SpendOnly | None = None
    riders: tuple[str, ...] = ()
    free: int = 0
    types: str = ""

    @property
    def total(self) -> int:
        return self.mana.total + self.free


class Outcome(NamedTuple):
    """One way an activation can turn out: the mana it makes, after replacement effects in the order named (ids of
    their sources), and what triggered mana abilities add for the same player."""

    made: tuple[Packet, ...]
    order: tuple[str, ...] = ()
    triggered: tuple[Packet, ...] = ()

    @property
    def mana(self) -> Mana:
        """The mana of the ability itself, without triggers and free choices."""
        return sum_mana(p.mana for p in self.made)


def sum_mana(parts: Iterable[Mana]) -> Mana:
    total = NO_MANA
    for part in parts:
        total = total.plus(part)
    return total


# --- what an effect could add, before anything replaces it ------------------------------------------------------------

# Objects as they last existed, by id (608.2h).
Memory = Mapping[str, Gone]

# Types that something like a filter could produce, as far as it is known now: the lookers' view of the fixed point.
Looker = Callable[[Filter, Context], str]


class Alternative(NamedTuple):
    """One choice while adding mana: fixed mana, and `free` mana each of any type in `types`."""

    mana: Mana
    free: int = 0
    types: str = ""


def alternatives(spec: ManaSpec, n: int, ctx: Context, look: Looker, produced: Mana = NO_MANA) -> list[Alternative]:
    """Every mana that adding `n` of `spec` could be; [] when the type is undefined (106.5: no mana, never C)."""
    if n <= 0:
        return []
    match spec:
        case Fixed(mana):
            return [Alternative(parse_mana(mana).times(n))]
        case OneOfMana(options):
            return [Alternative(parse_mana(o).times(n)) for o in options]
        case AnyMana(types, how):
            return _of_types(types, n, how)
        case ChosenColor(also):
            return _of_types(chosen_colors(ctx) + also, n, "one")
        case CommanderColors(how):
            return _of_types(commander_identity(ctx), n, how)
        case CouldProduce(what, domain, how):
            return _of_types(_colors_only(look(what, ctx), domain), n, how)
        case Produced(domain):
            return _of_types(_colors_only(produced.types(), domain), n, "one")
        case ColorsAmong(what, how):
            colors = colors_among(what, ctx)
            if how == "each":
                return [Alternative(Mana(*(n if t in colors else 0 for t in TYPES)))] if colors else []
            return _of_types(colors, n, "one")
        case ColorsOf(ref, how):
            return _of_types(ctx.colors_of(ref), n, how)
        case OfCost():
            raise Unknown("mana of the symbols of a mana cost is not modelled", "not_modelled")
        case NotedMana():
            noted = ctx.view.game.objects[ctx.source].noted if ctx.source else ()
            return [Alternative(parse_mana(m).times(n)) for m in noted[:1]]
        case SameAsLost():
            pool = sum_mana(mana_of(kind.type, m) for kind, m in ctx.view.game.players[ctx.you].pool)
            return [Alternative(pool.times(n))] if pool.total else []
    raise TypeError(f"no rule for {type(spec).__name__}")


def _of_types(types: str, n: int, how: str) -> list[Alternative]:
    types = "".join(t for t in TYPES if t in types)
    if not types:
        return []
    if how == "each" and n > 1 and len(types) > 1:
        return [Alternative(NO_MANA, n, types)]
    if how == "different":
        return [Alternative(sum_mana(mana_of(t) for t in pick)) for pick in combinations(types, min(n, len(types)))]
    return [Alternative(mana_of(t, n)) for t in types]


def _colors_only(types: str, domain: str) -> str:
    return types if domain == "type" else "".join(t for t in types if t in COLORS)


def chosen_colors(ctx: Context) -> str:
    """The color chosen for the source, "" when none was ever made (106.5); Unknown when it is not stated."""
    return ctx.chosen("color") or ""


def commander_identity(ctx: Context) -> str:
    """Union of the identities of the player's commanders (903.4); "" without one (903.4f)."""
    commanders = (o for o in ctx.view.game.objects.values() if o.commander and o.owner == ctx.you)
    identity = {c for o in commanders for c in o.card.identity}
    return "".join(c for c in COLORS if c in identity)


def colors_among(what: Filter, ctx: Context) -> str:
    have: set[str] = set()
    for oid in objects_like(what, ctx):
        seen = ctx.view.seen(oid)
        if "colors" in seen.unsure:
            raise seen.unsure["colors"]
        have.update(seen.colors)
    return "".join(c for c in COLORS if c in have)


def base_events(
    effects: Sequence[object], ctx: Context, look: Looker, listed: bool, restricted: bool = True
) -> list[tuple[Packet, ...]]:
    """Every event that the effects' mana could be before replacement: a list of packets for each. An effect that
    adds nothing (106.5) leaves no packet. With `listed`, free choices are written out one by one. Without
    `restricted`, what the mana may be spent on does not matter, stated or not."""
    source = ctx.source or ""
    per_effect: list[list[Packet]] = []
    for effect in effects:
        if isinstance(effect, Unread):
            raise Unknown("an effect of the ability was not understood", "not_understood", (source,))
        if not isinstance(effect, AddMana) or (effect.only_if is not None and not holds(effect.only_if, ctx)):
            continue
        spec, n = chosen_spec(effect, ctx)
        found = _counted_alternatives(spec, n, ctx, look)
        if listed:
            found = [Alternative(m) for a in found for m in write_out(a)]
        if found:
            only = resolve_choices(effect.only, ctx) if restricted else None
            packets = [Packet(a.mana, source, only, effect.riders, a.free, a.types) for a in found]
            per_effect.append(list(dict.fromkeys(packets)))
    return [tuple(choice) for choice in product(*per_effect)] if per_effect else []


def _counted_alternatives(spec: ManaSpec, n: Amount, ctx: Context, look: Looker) -> list[Alternative]:
    if isinstance(n, Devotion) and n.chosen and isinstance(spec, AnyMana):
        # "Choose a color. Add an amount of that color equal to your devotion to it": the amount follows the choice.
        per_color = ((c, amount(Devotion(c), ctx)) for c in spec.types if c in COLORS)
        return [Alternative(mana_of(c, m)) for c, m in per_color if m > 0]
    if isinstance(n, UpTo):
        return [a for k in range(1, amount(n.most, ctx) + 1) for a in alternatives(spec, k, ctx, look)]
    return alternatives(spec, amount(n, ctx), ctx, look)


def may_add_nothing(effects: Sequence[object], ctx: Context) -> bool:
    """Whether a choice that is open as the ability resolves may come to no mana: a color of devotion 0, none of "up
    to" so many."""
    adding = [e for e in effects if isinstance(e, AddMana) and (e.only_if is None or holds(e.only_if, ctx))]
    return bool(adding) and all(_may_be_none(*chosen_spec(effect, ctx), ctx) for effect in adding)


def _may_be_none(spec: ManaSpec, n: Amount, ctx: Context) -> bool:
    if isinstance(n, Devotion) and n.chosen and isinstance(spec, AnyMana):
        return any(amount(Devotion(c), ctx) == 0 for c in spec.types if c in COLORS)
    return isinstance(n, UpTo) or amount(n, ctx) <= 0


def resolve_choices(only: SpendOnly | None, ctx: Context) -> SpendOnly | None:
    """The restriction with the choices of its source written in, as mana outlives its source (106.6)."""
    if only is None or not any(f.chosen for f in (*only.spells, *only.abilities)):
        return only
    return msgspec.structs.replace(
        only,
        spells=tuple(_resolve_filter(f, ctx) for f in only.spells),
        abilities=tuple(_resolve_filter(f, ctx) for f in only.abilities),
    )


def _resolve_filter(what: Filter, ctx: Context) -> Filter:
    changes: dict[str, object] = {"chosen": ()}
    for choice in what.chosen:
        value = ctx.chosen(choice)
        if choice == "type":
            changes["subtypes"] = (value,) if value else ("(no type was chosen)",)
        elif choice == "color":
            changes["colors"] = value or "(none)"
        elif choice == "name":
            changes["names"] = (value,) if value else ("(no name was chosen)",)
        else:
            return what
    return msgspec.structs.replace(what, **changes)


def chosen_spec(effect: AddMana, ctx: Context) -> tuple[ManaSpec, Amount]:
    """What the effect adds here: the first "instead" inside it whose condition holds (616.1a), else what it says."""
    for instead in effect.instead_if:
        if holds(instead.condition, ctx):
            # "… three mana of that type instead": the type is chosen as the effect says, only the amount is another.
            same = isinstance(instead.what, Produced)
            return (effect.what if same else instead.what), instead.amount
    return effect.what, effect.amount


def write_out(alternative: Alternative) -> Iterator[Mana]:
    """The single amounts of mana that an alternative stands for."""
    if not alternative.free:
        yield alternative.mana
        return
    n, types = alternative.free, alternative.types
    if _combinations(n, len(types)) > MOST_LISTED:
        raise Unknown(f"{n} mana in any combination are too many to list", "not_modelled")
    for pick in combinations_with_replacement(types, n):
        yield sum_mana([alternative.mana, *(mana_of(t, pick.count(t)) for t in dict.fromkeys(pick))])


def _combinations(n: int, k: int) -> int:
    result = 1
    for i in range(1, k):
        result = result * (n + i) // i
    return result


# --- replacement effects --------------------------------------------------------------------------------------------


class Replacing(NamedTuple):
    """Replacement effects that are alike, and the ids of their sources; one of them is used per application."""

    effect: ProductionReplacement
    sources: tuple[str, ...]
    you: str
    ctx: Context


def replacements_for(
    view: View, oid: str, tapper: str, tapping: bool, gone: Memory = NOTHING_GONE
) -> tuple[Replacing, ...]:
    """The effects that look at mana which `tapper` makes with the object (`tapping`: by a {T} ability, 106.12); the
    object may be `gone`, sacrificed for the cost, and is then looked at as it last was (608.2h)."""
    groups: dict[tuple[object, ...], list[Active]] = {}
    for active in view.statics(ProductionReplacement):
        effect = active.effect
        assert isinstance(effect, ProductionReplacement)
        if effect.event == "tapped_for_mana" and not tapping:
            continue
        if effect.tapper == "you" and active.you != tapper:
            continue
        if effect.tapper in ("opponent", "opponents") and active.you == tapper:
            continue
        ctx = Context(view, source=active.source, you=active.you, gone=gone)
        if not matches(effect.what, oid, ctx) or (effect.condition is not None and not holds(effect.condition, ctx)):
            continue
        if active.condition is not None and not holds(active.condition, ctx):
            continue  # a condition left open, which may raise Unknown
        # A choice made for the source (Hall of Gemstone) is part of what the effect does.
        choice = view.game.objects[active.source].chosen if isinstance(effect.makes, ChosenColor) else None
        groups.setdefault((effect, active.you, choice), []).append(active)
    return tuple(
        Replacing(key[0], tuple(a.source for a in group), key[1], Context(view, source=group[0].source, you=key[1]))  # type: ignore[arg-type]
        for key, group in groups.items()
    )


def applies(effect: ProductionReplacement, event: tuple[Packet, ...]) -> bool:
    """Whether it has something to replace in the event as it stands: no mana is no event (106.12b)."""
    total = sum(p.total for p in event)
    if total == 0 or total < effect.least:
        return False
    if not effect.only_types:
        return True
    return any(set(p.mana.types() + (p.types if p.free else "")) & set(effect.only_types) for p in event)


def apply(effect: ProductionReplacement, event: tuple[Packet, ...], made: Mana | None) -> tuple[Packet, ...]:
    """The event after one application; `made` is one mana of the new type where the effect changes types.

    "Instead of any other type and amount" sets the whole event (one packet, 614.6); "instead of any other type" keeps
    amounts and packets; a factor multiplies, so every copy keeps restriction and riders (106.6a).
    """
    if effect.amount is not None and made is not None:
        first = event[0]
        return (first._replace(mana=made.times(effect.amount), free=0, types=""),)
    touched = effect.only_types or TYPES
    changed = []
    for packet in event:
        mana = packet.mana
        if made is not None:
            moved = sum(n for t, n in mana.items() if t in touched)
            kept = Mana(*(0 if t in touched else n for t, n in zip(TYPES, mana, strict=True)))
            mana = kept.plus(made.times(moved))
        changed.append(packet._replace(mana=mana.times(effect.factor)))
    return tuple(changed)


def outcomes_of_event(
    event: tuple[Packet, ...], effects: tuple[Replacing, ...], look: Looker
) -> dict[tuple[Packet, ...], tuple[str, ...]]:
    """Every final event, each with one order of replacement effects that leads to it (ids of the sources)."""
    if not effects or sum(p.total for p in event) == 0:
        return {event: ()}
    start = (event, (0,) * len(effects))
    order: dict[tuple[tuple[Packet, ...], tuple[int, ...]], tuple[str, ...]] = {start: ()}
    final: dict[tuple[Packet, ...], tuple[str, ...]] = {}
    queue = [start]
    for node in queue:
        now, used = node
        usable = [i for i, r in enumerate(effects) if used[i] < len(r.sources) and applies(r.effect, now)]
        if not usable:
            final.setdefault(now, order[node])
        for i in usable:
            replacing = effects[i]
            spent = (*used[:i], used[i] + 1, *used[i + 1 :])
            for after in results_of(replacing, now, look):
                following = (after, spent)
                if following not in order:
                    order[following] = (*order[node], replacing.sources[used[i]])
                    queue.append(following)
    return final


def results_of(replacing: Replacing, event: tuple[Packet, ...], look: Looker) -> list[tuple[Packet, ...]]:
    effect = replacing.effect
    found: list[tuple[Packet, ...]]
    if effect.makes is None:
        found = [apply(effect, event, None)]
    else:
        made = alternatives(effect.makes, 1, replacing.ctx, look)
        # An undefined type (106.5) replaces the mana by no mana.
        found = [apply(effect, event, a.mana) for a in made] if made else [()]
    return [*found, event] if effect.optional else found


# --- one activation -------------------------------------------------------------------------------------------------


def is_tapping(ability: object) -> bool:
    """Whether activating it is tapping the permanent for mana (106.12): a mana ability with {T} in its cost."""
    if not isinstance(ability, Activated) or not is_mana_ability(ability):
        return False
    return any(isinstance(part, TapSelf) for part in ability.cost)


def events(
    view: View,
    oid: str,
    ability: Activated | Triggered,
    ctx: Context,
    look: Looker,
    *,
    listed: bool = True,
    restricted: bool = True,
) -> dict[tuple[Packet, ...], tuple[str, ...]]:
    """Every final production event of the ability, with an order for each; {} when it makes no mana.

    `listed`: write free choices ("in any combination") out. Otherwise they stay free where no effect touches them.
    `restricted`: see base_events.
    """
    ctx = after_own_counters(oid, ability, ctx)
    effects = replacements_for(view, oid, ctx.you, is_tapping(ability), ctx.gone) if known(view, oid, ctx.gone) else ()
    found: dict[tuple[Packet, ...], tuple[str, ...]] = {}
    for event in base_events(ability.effects, ctx, look, listed or bool(effects), restricted):
        for final, order in outcomes_of_event(event, effects, look).items():
            if sum(p.total for p in final):
                found.setdefault(final, order)
    return found


def after_own_counters(oid: str, ability: Activated | Triggered, ctx: Context) -> Context:
    """What an effect puts on its own permanent before it adds mana is there as the mana is counted (608.2c)."""
    view = ctx.view
    for effect in ability.effects:
        if isinstance(effect, AddMana):
            break
        if puts_on_itself(effect) and isinstance(view, View) and oid in view.game.objects:
            n = counters_put(view, oid, effect.detail, amount(effect.n, ctx))
            view = view.after(view.game.put(view.game.objects[oid].with_counters(effect.detail, n)))
            ctx = ctx.but(view=view)
    return ctx


def counters_put(view: View, oid: str, kind: str, n: int, *, cost: bool = False) -> int:
    """How many counters an effect, or a `cost`, puts where it would put `n` (614.1a, 118.11); the order of unlike
    replacements matters and is the choice of the permanent's controller, so it is not modelled."""
    found = [e for e in counter_replacements(view, oid, kind) if e.costs or not cost]
    halves = sum(e.half for e in found)
    factor, plus = prod(e.factor for e in found), sum(e.plus for e in found)
    if (factor > 1) + bool(plus) + bool(halves) > 1 or halves > 1:
        raise Unknown("several effects change how many counters are put", "not_modelled", (oid,))
    if halves:
        return n // 2
    return max(0, n * factor + plus) if n else 0


def counter_replacements(view: View, oid: str, kind: str) -> Iterator[CounterReplacement]:
    """The effects that change how many counters of a kind the permanent's controller puts on it."""
    for active in view.statics(CounterReplacement):
        effect = active.effect
        assert isinstance(effect, CounterReplacement)
        ctx = Context(view, source=active.source, you=active.you)
        if effect.counter and effect.counter != kind:
            continue
        if view.of(oid).controller in players_of(effect.who, ctx) and matches(effect.what, oid, ctx):
            yield effect


def puts_on_itself(effect: object) -> TypeGuard[Do]:
    """Whether the effect puts counters of a known kind on the permanent whose ability it is."""
    if not isinstance(effect, Do) or effect.what != "counters" or not effect.detail:
        return False
    return effect.objects is not None and bool(effect.objects.me)


def activation_outcomes(
    view: View, oid: str, ability: Activated, ctx: Context, look: Looker, *, listed: bool = True
) -> list[Outcome]:
    """Every outcome of the activation for the player `ctx.you`, triggered mana abilities included. When it makes no
    mana at all there is one outcome, an empty one."""
    if any(isinstance(e, AddMana) and e.unless for e in ability.effects):
        raise Unknown("whether a player pays as the ability resolves is not known", "not_modelled", (oid,))
    triggers = mana_triggers(view, oid, ctx.you, is_tapping(ability), ctx.gone)
    # Whether a trigger looks at what was produced: then free choices have to be written out.
    curious = any(_looks_at_product(t) for _, _, t in triggers)
    found = []
    for made, order in events(view, oid, ability, ctx, look, listed=listed or curious).items():
        for added in _added(view, oid, made, triggers, look, ctx):
            found.append(Outcome(made, order, added))
    return found or [Outcome(())]


def known(view: View, oid: str, gone: Memory) -> bool:
    return oid in view.game.objects or oid in gone


def mana_triggers(
    view: View, oid: str, tapper: str, tapping: bool, gone: Memory = NOTHING_GONE
) -> list[tuple[str, str, Triggered]]:
    """Triggered mana abilities (605.1b) that trigger as an ability of the object adds mana for the player, or as it
    is tapped for mana: (source, its controller, ability)."""
    events_now = ("tapped_for_mana", "mana_added") if tapping else ("mana_added",)
    found = []
    for source, you, trigger, _has in view.triggers():
        if trigger.event not in events_now or not is_mana_ability(trigger):
            continue
        if (trigger.who == "you" and you != tapper) or (trigger.who in ("opponent", "opponents") and you == tapper):
            continue
        ctx = Context(view, source=source, you=you, that=oid, that_player=tapper, gone=gone)
        if trigger.what is None or matches(trigger.what, oid, ctx):
            found.append((source, you, trigger))
    again = view.statics(TriggersAgain) if found else ()
    return [one for one in found for _ in range(1 + _more_times(again, view, one[0]))]


def _more_times(again: Iterable[Active], view: View, source: str) -> int:
    """How many more times the object's abilities trigger (603.2d)."""
    times = 0
    for active in again:
        effect = active.effect
        assert isinstance(effect, TriggersAgain)
        if source in view.game.objects:
            times += matches(effect.what, source, Context(view, source=active.source, you=active.you))
    return times


def _looks_at_product(trigger: Triggered) -> bool:
    added = (e.what for e in trigger.effects if isinstance(e, AddMana))
    return bool(trigger.of_type) or any(isinstance(what, Produced) for what in added)


def _added(
    view: View,
    oid: str,
    made: tuple[Packet, ...],
    triggers: list[tuple[str, str, Triggered]],
    look: Looker,
    ctx: Context,
) -> list[tuple[Packet, ...]]:
    """Every combination of what the triggers add for the activating player (605.4a)."""
    produced = sum_mana(p.mana for p in made)
    choices: list[list[Packet]] = []
    for source, you, trigger in triggers:
        inner = Context(view, source=source, you=you, that=oid, that_player=ctx.you, gone=ctx.gone)
        if not _triggers_on(trigger, produced, inner):
            continue
        for effect in trigger.effects:
            if not isinstance(effect, AddMana) or _recipient(effect.to, you, inner) != ctx.you:
                continue
            spec, n = chosen_spec(effect, inner)
            found = [
                Packet(m, source, effect.only, effect.riders)
                for a in alternatives(spec, amount(n, inner), inner, look, produced)
                for m in write_out(a)
            ]
            found = _replaced_addition(view, source, found, ctx.you, look)
            if found:
                choices.append([*found, Packet(NO_MANA, source)] if trigger.optional else found)
    return [tuple(c) for c in product(*choices)]


def _replaced_addition(view: View, source: str, found: list[Packet], player: str, look: Looker) -> list[Packet]:
    """Mana added by a trigger is not mana of a tapped permanent: only "would add" replacements see it."""
    effects = replacements_for(view, source, player, tapping=False) if source in view.game.objects else ()
    if not effects:
        return list(dict.fromkeys(found))
    finals = (event for p in found for event in outcomes_of_event((p,), effects, look))
    return list(dict.fromkeys(p for event in finals for p in event))


def _triggers_on(trigger: Triggered, produced: Mana, ctx: Context) -> bool:
    """106.12a: it looks at the result after replacements, and only when mana was produced."""
    if produced.total == 0 or produced.total < trigger.least:
        return False
    wanted = chosen_colors(ctx) if trigger.of_type == "chosen" else trigger.of_type
    if trigger.of_type and not set(wanted) & set(produced.types()):
        return False
    return trigger.condition is None or holds(trigger.condition, ctx)


def _recipient(to: str, you: str, ctx: Context) -> str | None:
    """The player who gets the mana of a trigger whose controller is `you`."""
    if to == "you":
        return you
    if to == "that":
        return ctx.that_player
    if to == "controller":
        tapped = ctx.object(ctx.that) if ctx.that is not None else None
        return tapped[1].controller if tapped is not None else None
    if to == "active":
        return ctx.view.game.turn.active
    return None


# --- could produce (106.7) ------------------------------------------------------------------------------------------


class Reflection:
    """The least fixed point of "could produce" over one View, computed as far as it is asked for.

    `types[id]` holds what is known so far. A round evaluates every object that is waited for with the types found up
    to now; as the step is monotone (a looker adds one mana of a type that something else has), the first round that
    adds nothing is the least fixed point. Types that support only each other are never added.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.types: dict[str, str] = {}
        self._settled: set[str] = set()
        self._asked: set[str] = set()
        self._running = False
        self._stand_ins: dict[str, str] | None = None

    def of(self, oid: str) -> str:
        """The types of mana that the object could produce, in the order WUBRGC."""
        oid = self.stand_in(oid)
        self._settle([oid])
        return self.types[oid]

    def look(self, what: Filter, ctx: Context) -> str:
        """The types that something like `what` could produce: what a Reflecting Pool may choose from."""
        gone = ctx.gone.get(ctx.ref(what.ref) or "") if what.ref is not None else None
        if gone is not None and isinstance(gone.board, View):
            # What was sacrificed for the cost is looked at as it last was, among what was there then (608.2h).
            return Reflection(gone.board).of(gone.obj.id)
        ids = dict.fromkeys(map(self.stand_in, self._lookees(what, ctx)))
        if not self._running:
            self._settle(ids)
        have = "".join(self._found(oid) for oid in ids)
        return "".join(t for t in TYPES if t in have)

    def stand_in(self, oid: str) -> str:
        """The first of the permanents that are alike: they could all produce the same."""
        if self._stand_ins is None:
            first: dict[object, str] = {}
            self._stand_ins = {}
            objects, lots = self.view.game.objects, self.view.lots()
            named = named_ids(self.view.game, lots)
            for lot in lots:
                o = objects[lot[0]]
                if o.zone == "battlefield" and not o.phased_out and named.isdisjoint(lot):
                    one = first.setdefault((likeness(self.view, o), o.tapped), o.id)
                    self._stand_ins.update(dict.fromkeys(lot, one))
        return self._stand_ins.get(oid, oid)

    def _lookees(self, what: Filter, ctx: Context) -> list[str]:
        if what.ref is not None:
            return [oid] if (oid := ctx.ref(what.ref)) is not None else []
        return objects_like(what, ctx)

    def _found(self, oid: str) -> str:
        if oid not in self._settled and not self._is_constant(oid):
            self._asked.add(oid)
        return self.types.get(oid, "")

    def _is_constant(self, oid: str) -> bool:
        """Whether what it could produce does not depend on anything else; then that is settled at once."""
        constant = None if self.view.statics(ProductionReplacement) else constant_types(self.view.abilities(oid))
        if constant is None:
            return False
        self.types[oid] = constant
        self._settled.add(oid)
        return True

    def _settle(self, ids: Iterable[str]) -> None:
        wanted = {oid for oid in ids if oid not in self._settled and not self._is_constant(oid)}
        if not wanted:
            return
        self._running = True
        try:
            while True:
                self._asked = set()
                before = {oid: self.types.get(oid) for oid in wanted}
                for oid in wanted:
                    self.types[oid] = self._step(oid)
                unseen = self._asked - wanted
                wanted |= unseen
                if not unseen and before == {oid: self.types[oid] for oid in wanted}:
                    break
        finally:
            self._running = False
        self._settled |= wanted

    def _step(self, oid: str) -> str:
        have = {t for event in imagined_events(self.view, oid, self.look) for p in event for t in _types_in(p)}
        return "".join(t for t in TYPES if t in have)


@lru_cache(20_000)
def constant_types(abilities: tuple[Has, ...]) -> str | None:
    """What these abilities could add where nothing replaces mana, if that is the same on every board; else None."""
    have = ""
    for has in abilities:
        ability = has.ability
        if not isinstance(ability, Activated | Triggered) or not any(isinstance(e, AddMana) for e in ability.effects):
            continue
        if isinstance(ability, Triggered) or ability.targets or ability.modes or ability.zone == "any":
            return None
        if ability.zone != "battlefield":
            continue  # it does not count (see imagined_events)
        for effect in ability.effects:
            types = _constant_types(effect)
            if types is None:
                return None
            have += types
    return "".join(t for t in TYPES if t in have)


def _constant_types(effect: object) -> str | None:
    if isinstance(effect, Damage | LoseLife):
        return ""
    if not isinstance(effect, AddMana) or not isinstance(effect.amount, int) or effect.amount < 1:
        return None
    if effect.only_if is not None or effect.instead_if or effect.unless:
        return None
    match effect.what:
        case Fixed(mana):
            return parse_mana(mana).types()
        case OneOfMana(options):
            return "".join(parse_mana(option).types() for option in options)
        case AnyMana(types):
            return types
    return None


def reflection_of(view: View) -> Reflection:
    """What could be produced on this board, shared by all who ask about it."""
    found = view.memo.get(Reflection)
    if found is None:
        found = view.memo[Reflection] = Reflection(view)
    return found


def _types_in(packet: Packet) -> str:
    return packet.mana.types() + (packet.types if packet.free else "")


def imagined_events(view: View, oid: str, look: Looker) -> Mapping[tuple[Packet, ...], tuple[str, ...]]:
    """106.7: every ability that the object has, as if each resolved now: costs and activation limits are ignored,
    conditions inside the effect and intervening ifs are checked, abilities of other objects do not count."""
    found: dict[tuple[Packet, ...], tuple[str, ...]] = {}
    controller = view.of(oid).controller
    for has in view.abilities(oid):
        ability = has.ability
        if not isinstance(ability, Activated | Triggered):
            continue
        if isinstance(ability, Activated) and ability.zone != "battlefield":
            continue  # an ability that functions only in another zone does not count on the battlefield
        if not any(isinstance(e, AddMana) for e in ability.effects):
            continue
        for ctx in imagined_contexts(view, oid, ability, controller):
            if isinstance(ability, Triggered) and ability.condition is not None and not holds(ability.condition, ctx):
                continue
            # Only types are asked for: amounts matter on the way, restrictions and riders never.
            for event, order in events(view, oid, ability, ctx, look, listed=False, restricted=False).items():
                found.setdefault(event, order)
    return found


def imagined_contexts(view: View, oid: str, ability: Activated | Triggered, controller: str) -> Iterator[Context]:
    """The contexts to imagine a resolution in: an X may be any number as costs are ignored (one and two stand for
    them: no replacement looks at more), an object that a cost would name is any that it could be, as is a target."""
    xs: tuple[int | None, ...] = (1, 2) if mentions(ability, X) else (None,)
    if ability.targets:
        first = ability.targets[0]
        if first.what is None:
            targets: list[str | None] = [None]
        else:
            targets = list(objects_like(first.what, Context(view, source=oid, you=controller)))
        # Without a legal target the ability could not resolve, so it does not count (a default; no ruling is known).
        for target in targets:
            for x in xs:
                yield Context(view, source=oid, you=controller, x=x, targets=(target,) if target else ())
        return
    for that in that_choices(view, oid, ability, controller):
        for x in xs:
            yield Context(view, source=oid, you=controller, x=x, that=that)


def that_choices(view: View, oid: str, ability: Activated | Triggered, controller: str) -> Sequence[str | None]:
    """The objects that "the sacrificed creature" and the like could mean, when the effect asks for one."""
    if not isinstance(ability, Activated) or not any(refers_to(ability.effects, ref) for ref in ("that", "linked")):
        return (None,)
    ctx = Context(view, source=oid, you=controller)
    for part in ability.cost:
        what = getattr(part, "what", None)
        if isinstance(what, Filter):
            return objects_like(what, ctx)
    return (None,)


def activated_mana_abilities(view: View, oid: str) -> list[Has]:
    """The activated mana abilities that the object has now (605.1a)."""
    return [h for h in view.abilities(oid) if isinstance(h.ability, Activated) and is_mana_ability(h.ability)]
