"""What descriptions, amounts and conditions of card text come to in a game as it stands (CR 107.3, 608.2h, 700).

The structures of `abilities.py` say "another untapped creature you control" or "the number of artifacts"; here they
are looked up. A description is compiled once into the few tests that it really makes, cheapest first. Where the
answer rests on something that the situation does not state, `Unknown` is raised, but only if no other test settles
the matter first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from . import abilities as ab
from .abilities import Activated, Amount, Condition, Filter, Triggered, Who, is_mana_ability
from .game import Game, Has, Obj, Player, Unknown
from .mana import COLORS, Cost
from .printed import printed_characteristics
from .subtypes import BASIC_LAND_TYPES, CREATURE_TYPES

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# What a number or a kind of thing belongs to, among the aspects of an object.
ASPECT_OF = {
    "power": "power",
    "toughness": "toughness",
    "mana_value": "cost",
    "colors": "colors",
    "names": "names",
    "types": "types",
    "creature_types": "subtypes",
    "basic_land_types": "subtypes",
    "loyalty": "counters",
}
# Zones whose objects have a controller (109.4); elsewhere the owner stands in for it.
CONTROLLED = ("battlefield", "stack", "effect")


class Seen(Protocol):
    """What a test may look at: `Characteristics`, or an object halfway through the layers."""

    @property
    def name(self) -> str: ...
    @property
    def supertypes(self) -> tuple[str, ...]: ...
    @property
    def types(self) -> tuple[str, ...]: ...
    @property
    def subtypes(self) -> tuple[str, ...]: ...
    @property
    def colors(self) -> str: ...
    @property
    def mana_cost(self) -> Cost | None: ...
    @property
    def mana_value(self) -> int: ...
    @property
    def power(self) -> int | None: ...
    @property
    def toughness(self) -> int | None: ...
    @property
    def loyalty(self) -> int | None: ...
    @property
    def controller(self) -> str: ...
    @property
    def keywords(self) -> frozenset[str]: ...
    @property
    def abilities(self) -> tuple[Has, ...]: ...
    @property
    def unsure(self) -> Mapping[str, Unknown]: ...


class Looker(Protocol):
    """A game together with what its objects are: a View, or the layers while they are being applied."""

    @property
    def game(self) -> Game: ...
    def seen(self, object_id: str) -> Seen: ...
    def zone_ids(self, zone: str) -> Sequence[str]: ...
    def attached(self, object_id: str) -> Sequence[str]: ...
    def firsts(self) -> Mapping[str, str] | None: ...


def _is_card_of(o: Obj, name: str) -> bool:
    card = o.copy_of or o.card
    return card.name == name or any(face.name == name for face in card.faces)


class SpellInfo(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A spell being cast, or an ability being activated, after the choices of 601.2b-c.

    `obj` and `seen` are the card as it is on the stack (mana value with the announced X, the chosen face); for an
    ability they are its source. `paid` names the optional costs that will be paid ("kicker" …).
    """

    obj: Obj
    seen: Seen
    from_zone: str | None = None
    paid: tuple[str, ...] = ()
    x: int | None = None
    targets: tuple[str, ...] = ()
    ability: Activated | None = None
    foretold: bool = False

    @property
    def kicked(self) -> bool:
        """702.33d: with any of its kicker costs paid."""
        return any(name.startswith(("kicker", "multikicker")) for name in self.paid)


class Gone(msgspec.Struct, frozen=True, eq=False):
    """An object as it last existed (608.2h), and the board that it was last part of."""

    obj: Obj
    seen: Seen
    board: Looker | None = None


NOTHING_GONE: Mapping[str, Gone] = {}


class Context(msgspec.Struct, frozen=True, eq=False):
    """From whose eyes, and about which objects, a text speaks: `source` has the ability, `you` controls it.

    `host`: what the source is attached to, if that is not to be looked up. `gone`: objects that the text speaks of as
    they last existed, by id; it goes before what the game holds under that id. Where the text is an effect in a
    layer, `that` is the object affected ("its mana value").
    """

    view: Looker
    source: str | None
    you: str
    x: int | None = None
    that: str | None = None
    that_player: str | None = None
    targets: tuple[str, ...] = ()
    host: str | None = None
    spell: SpellInfo | None = None
    gone: Mapping[str, Gone] = NOTHING_GONE

    def but(self, **changes: Any) -> Context:
        return msgspec.structs.replace(self, **changes)

    def object(self, object_id: str) -> tuple[Obj, Seen] | None:
        """The object and what it is, as it last existed if it is gone; None if nothing is known of it."""
        if self.gone and object_id in self.gone:
            gone = self.gone[object_id]
            return gone.obj, gone.seen
        o = self.view.game.objects.get(object_id)
        return None if o is None else (o, self.view.seen(object_id))

    def ref(self, ref: str) -> str | None:
        """The id of the object that a reference names, None if there is none."""
        if ref == "self":
            return self.me()
        if ref == "host":
            return self.host or self._host()
        if ref == "that":
            return self.that
        if ref == "linked":
            # A card that the ability's own cost put aside; for cards put aside before, see Obj.imprinted.
            return self.that if self.that is not None and self.that in self.gone else None
        if ref == "target":
            return self._target()
        if ref == "spell":
            return self.spell.obj.id if self.spell is not None else None
        return None

    def me(self) -> str | None:
        """The object that "this permanent" means: the source, or for an effect of a resolved ability the permanent that
        had it; Unknown if it is not stated which one that was."""
        found = self.stands_for()
        if found is None:
            return self.source
        if len(found) > 1:
            raise Unknown(f"which {found[0]} the effect is about is not stated", objects=found)
        return found[0] if found else None

    def stands_for(self) -> tuple[str, ...] | None:
        """For an effect without a permanent: the permanents of which it may have been an ability; else None."""
        objects = self.view.game.objects
        o = objects.get(self.source or "")
        if o is None or o.zone != "effect" or self.source in self.gone:
            return None
        if o.source is not None:
            return (o.source,)
        return tuple(i for i in self.view.zone_ids("battlefield") if _is_card_of(objects[i], o.card.name))

    def _host(self) -> str | None:
        if self.source is None:
            return None
        found = self.gone.get(self.source)
        o = found.obj if found is not None else self.view.game.objects.get(self.source)
        return o.attached_to if o is not None else None

    def _target(self) -> str | None:
        return next((t for t in self.all_targets() if t not in self.view.game.players), None)

    def all_targets(self) -> tuple[str, ...]:
        """The targets, by ids and players' names; Unknown if none are stated."""
        o = None if self.targets else self.source_object()
        targets = o.targets if o is not None else self.targets
        if not targets:
            raise Unknown(f"the target of {self.source} is not stated", objects=(self.source,) if self.source else ())
        return targets

    def chosen(self, what: str) -> Any:
        """A choice made for the source: its value, None if none was ever made; Unknown if it is not stated."""
        o = self.source_object()
        if o is None:
            raise Unknown(f"the chosen {what} of an object that is gone is not stated")
        value = getattr(o.chosen, what)
        if value is msgspec.UNSET:
            raise Unknown(f"the {what} chosen for {o.id} is not stated", objects=(o.id,))
        return value

    def colors_of(self, ref: str) -> str:
        """The colors of the object that a reference names; of several cards put aside, all their colors."""
        if ref == "linked" and self.ref(ref) is None:
            return "".join(c for c in COLORS if any(c in card.faces[0].colors for card in self._linked()))
        found = _spoken_of(ref, self)
        if found is None:
            return ""
        if "colors" in found[1].unsure:
            raise found[1].unsure["colors"]
        return found[1].colors

    def _linked(self) -> tuple[ab.Card, ...]:
        o = self.source_object()
        return o.imprinted if o is not None else ()

    def source_object(self) -> Obj | None:
        if self.source is None:
            return None
        found = self.gone.get(self.source)
        return found.obj if found is not None else self.view.game.objects.get(self.source)


# --- players ------------------------------------------------------------------------------------------------------


def players_of(who: Who, ctx: Context, about: tuple[Obj, Seen] | None = None) -> tuple[str, ...]:
    """The players that a player reference names; `about` is the object spoken of, for "controller" and "owner"."""
    if who == "you":
        return (ctx.you,)
    game = ctx.view.game
    if who == "any":
        return tuple(game.players)
    if who in ("opponent", "opponents"):
        return game.opponents(ctx.you)
    if who == "active":
        return (game.turn.active,)
    if who == "nonactive":
        return tuple(p for p in game.players if p != game.turn.active)
    if who == "nobody":
        return ()
    if who == "that":
        return (ctx.that_player,) if ctx.that_player else ()
    if who == "target":
        return tuple(t for t in ctx.all_targets() if t in game.players)
    if who == "chosen":
        player = ctx.chosen("player")
        return (player,) if player else ()
    if who == "host":
        host = ctx.ref("host")
        return (host,) if host is not None and host in game.players else ()
    if who == "of_host":
        found = ctx.object(host) if (host := ctx.ref("host")) is not None else None
        return (controller_of(*found),) if found is not None else ()
    if about is None and (subject := ctx.that or ctx.source) is not None:
        about = ctx.object(subject)
    if about is None:
        return ()
    return (about[0].owner if who == "owner" else controller_of(*about),)


def controller_of(o: Obj, seen: Seen) -> str:
    """Who controls the object, or owns it where objects have no controller (109.4)."""
    return seen.controller if o.zone in CONTROLLED else o.owner


# --- descriptions -------------------------------------------------------------------------------------------------

Check = Callable[[Obj, Seen, Context, "SpellInfo | None"], bool]


class _Plan(msgspec.Struct, frozen=True, eq=False):
    """A compiled description: its tests, and what each of them looks at (see `ASPECTS`)."""

    checks: tuple[Check, ...]
    aspects: tuple[str, ...]
    of: Filter  # kept alive, since plans are found by identity


_plans: dict[int, _Plan] = {}
MOST_PLANS = 50_000


def _plan(f: Filter) -> _Plan:
    plan = _plans.get(id(f))
    if plan is None:
        if len(_plans) >= MOST_PLANS:
            _plans.clear()
        plan = _plans[id(f)] = _compile(f)
    return plan


def aspects_of(f: Filter) -> tuple[str, ...]:
    """What the tests of a description look at, alternatives aside: "types", "tapped", "counters" and so on."""
    return _plan(f).aspects


def matches(f: Filter, object_id: str, ctx: Context) -> bool:
    """Whether the object is like this; raises Unknown when that rests on something not stated."""
    found = ctx.object(object_id)
    return found is not None and _in_zone(f, found[0]) and fits(f, found[0], found[1], ctx, None)


def matches_spell(f: Filter, spell: SpellInfo, ctx: Context) -> bool:
    """Whether the spell (or the source of the ability) being cast or activated is like this, wherever it still is."""
    return fits(f, spell.obj, spell.seen, ctx, spell)


def _in_zone(f: Filter, o: Obj) -> bool:
    if o.phased_out:
        return False
    if f.zone == "any":
        return o.zone != "effect"
    return f.zone == o.zone and (o.zone != "stack" or _spell_or_ability(f, o))


def _spell_or_ability(f: Filter, o: Obj) -> bool:
    """Descriptions of what is on the stack speak of spells, unless they say abilities."""
    return f.ability == "too" or (o.card.layout == "ability") is (f.ability == "only")


def fits(f: Filter, o: Obj, seen: Seen, ctx: Context, spell: SpellInfo | None = None) -> bool:
    """Whether an object that is this now is like that, whatever zone it is in."""
    plan = _plan(f)
    if seen.unsure:
        return _like_unsure(plan, o, seen, ctx, spell)
    doubt = None
    for check in plan.checks:
        try:
            if not check(o, seen, ctx, spell):
                return False
        except Unknown as unknown:
            doubt = unknown
    if doubt is not None:
        raise doubt
    return True


def _like_unsure(plan: _Plan, o: Obj, seen: Seen, ctx: Context, spell: SpellInfo | None) -> bool:
    """The same for an object of which something is not known: tests of the rest may still rule it out."""
    doubt = None
    for check, aspect in zip(plan.checks, plan.aspects, strict=True):
        if aspect in seen.unsure:
            doubt = seen.unsure[aspect]
            continue
        try:
            if not check(o, seen, ctx, spell):
                return False
        except Unknown as unknown:
            doubt = unknown
    if doubt is not None:
        raise doubt
    return True


def objects_like(f: Filter, ctx: Context) -> list[str]:
    """The ids of all objects like this, in written order; raises Unknown if a hidden zone could hold one."""
    if f.ids or f.me or f.ref is not None:
        return [i for i in _named(f, ctx) if matches(f, i, ctx)]
    if f.zone in _MAY_BE_HIDDEN:
        _demand_known(f, ctx)
    view, objects = ctx.view, ctx.view.game.objects
    firsts = view.firsts() if _ALIKE.issuperset(_plan(f).aspects) else None
    if firsts is not None and f.zone != "stack":
        known: dict[str, bool] = {}
        return [i for i in view.zone_ids(f.zone) if _like_first(firsts[i], f, ctx, known)]
    out = []
    for i in view.zone_ids(f.zone):
        o = objects[i]
        if (o.zone != "stack" or _spell_or_ability(f, o)) and fits(f, o, view.seen(i), ctx, None):
            out.append(i)
    return out


# What a description looks at that is the same for all members of a lot, whoever asks (View.lots).
_ALIKE = frozenset({"types", "supertypes", "subtypes", "names", "colors", "tapped", "control", "owner"})


def _like_first(first: str, f: Filter, ctx: Context, known: dict[str, bool]) -> bool:
    """Whether the first of a lot is like this, which then holds for the others."""
    found = known.get(first)
    if found is None:
        found = known[first] = fits(f, ctx.view.game.objects[first], ctx.view.seen(first), ctx, None)
    return found


HIDDEN = ("hand", "library")
_MAY_BE_HIDDEN = (*HIDDEN, "any")


def _named(f: Filter, ctx: Context) -> Sequence[str]:
    """The ids that the description names, one by one."""
    if f.ids:
        return f.ids
    named = ctx.me() if f.me else ctx.ref(f.ref or "self")
    return (named,) if named is not None else ()


def _demand_known(f: Filter, ctx: Context) -> None:
    """Raises Unknown if a hidden zone that the description reaches is not known."""
    if f.zone == "any" and f.any_of:
        for part in f.any_of:
            if not (part.ids or part.me or part.ref is not None):
                _demand_known(part, ctx)
        return
    zones = HIDDEN if f.zone == "any" else (f.zone,)
    if not set(zones).intersection(HIDDEN):
        return
    objects = ctx.view.game.objects
    for name in set(players_of(f.owner, ctx)) & set(players_of(f.controller, ctx)):
        player = ctx.view.game.players[name]
        if "hand" in zones and not player.hand_known:
            raise Unknown(f"{name}'s hand is not known")
        if "library" in zones:
            known = sum(1 for i in ctx.view.zone_ids("library") if objects[i].owner == name)
            if player.library_size != known:
                raise Unknown(f"{name}'s library is not known")


# Per field of a Filter: what its test looks at, and the test for a value. Cheapest and most telling first.
_Make = Callable[[Any, Filter], Check]
FIELDS: dict[str, tuple[str, _Make]] = {}


def _on(aspect: str, field: str) -> Callable[[_Make], _Make]:
    def register(make: _Make) -> _Make:
        FIELDS[field] = (aspect, make)
        return make

    return register


_BLANK = Filter()


def _compile(f: Filter) -> _Plan:
    checks: list[Check] = []
    aspects: list[str] = []
    for field, (aspect, make) in FIELDS.items():
        value = getattr(f, field)
        if value == getattr(_BLANK, field):
            continue
        checks.append(make(value, f))
        aspects.append(aspect)
    return _Plan(tuple(checks), tuple(aspects), f)


@_on("identity", "ids")
def _ids(value: tuple[str, ...], f: Filter) -> Check:
    return lambda o, c, ctx, s: o.id in value


@_on("identity", "me")
def _me(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: _is_me(o, ctx) is value


def _is_me(o: Obj, ctx: Context) -> bool:
    if o.id == ctx.source:
        return True
    found = ctx.stands_for()
    return found is not None and o.id in found and o.id == ctx.me()


@_on("identity", "ref")
def _ref(value: str, f: Filter) -> Check:
    if value == "target":
        return lambda o, c, ctx, s: o.id in ctx.all_targets()
    return lambda o, c, ctx, s: o.id == ctx.ref(value)


@_on("types", "types")
def _types(value: tuple[str, ...], f: Filter) -> Check:
    if len(value) == 1:
        only = value[0]
        return lambda o, c, ctx, s: only in c.types
    want = frozenset(value)
    return lambda o, c, ctx, s: not want.isdisjoint(c.types)


@_on("types", "all_types")
def _all_types(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: want.issubset(c.types)


@_on("types", "not_types")
def _not_types(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: want.isdisjoint(c.types)


@_on("subtypes", "subtypes")
def _subtypes(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: not want.isdisjoint(c.subtypes)


@_on("subtypes", "not_subtypes")
def _not_subtypes(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: want.isdisjoint(c.subtypes)


@_on("supertypes", "supertypes")
def _supertypes(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: want.issubset(c.supertypes)


@_on("supertypes", "not_supertypes")
def _not_supertypes(value: tuple[str, ...], f: Filter) -> Check:
    want = frozenset(value)
    return lambda o, c, ctx, s: want.isdisjoint(c.supertypes)


@_on("control", "controller")
def _controller(value: Who, f: Filter) -> Check:
    if value == "you":
        return lambda o, c, ctx, s: controller_of(o, c) == ctx.you
    if value in ("opponent", "opponents"):
        return lambda o, c, ctx, s: controller_of(o, c) != ctx.you
    return lambda o, c, ctx, s: controller_of(o, c) in players_of(value, ctx)


@_on("owner", "owner")
def _owner(value: Who, f: Filter) -> Check:
    if value in ("opponent", "opponents"):
        return lambda o, c, ctx, s: o.owner != ctx.you
    return lambda o, c, ctx, s: o.owner in players_of(value, ctx)


@_on("tapped", "tapped")
def _tapped(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.tapped is value


@_on("colors", "colors")
def _colors(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: any(letter in c.colors for letter in value)


@_on("colors", "not_colors")
def _not_colors(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: not any(letter in c.colors for letter in value)


_COLOR_COUNTS: dict[str, Callable[[int], bool]] = {
    "colorless": lambda n: n == 0,
    "colored": lambda n: n > 0,
    "monocolored": lambda n: n == 1,
    "multicolored": lambda n: n > 1,
    "all": lambda n: n == len(COLORS),
}


@_on("colors", "color_count")
def _color_count(value: str, f: Filter) -> Check:
    test = _COLOR_COUNTS[value]
    return lambda o, c, ctx, s: test(len(c.colors))


def names_in(name: str) -> list[str]:
    """The names that an object has: a split card, and a spell of both its halves, has those of both (709.4a)."""
    return [name] if " // " not in name else [name, *name.split(" // ")]


@_on("names", "names")
def _names(value: tuple[str, ...], f: Filter) -> Check:
    return lambda o, c, ctx, s: any(name in value for name in names_in(c.name))


@_on("names", "not_names")
def _not_names(value: tuple[str, ...], f: Filter) -> Check:
    return lambda o, c, ctx, s: not any(name in value for name in names_in(c.name))


@_on("combat", "attacking")
def _attacking(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: (o.attacking is not None) is value


@_on("combat", "blocking")
def _blocking(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: bool(o.blocking) is value


@_on("combat", "unblocked")
def _unblocked(value: bool, f: Filter) -> Check:
    """509.1h; whether something blocked it and left is not stated, so only the step tells."""

    def unblocked(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        objects = ctx.view.game.objects
        blocked = any(o.id in objects[i].blocking for i in ctx.view.zone_ids("battlefield"))
        after = ctx.view.game.turn.step in ("blockers", "damage", "combat_end")
        return (o.attacking is not None and after and not blocked) is value

    return unblocked


@_on("status", "noted")
def _noted(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: value in o.noted


@_on("status", "ability")
def _ability(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: True  # `_spell_or_ability` looks at it


@_on("status", "unstated")
def _unstated(value: bool, f: Filter) -> Check:
    """Asked last: whatever else does not fit rules an object out."""

    def unstated(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        raise Unknown(f"what {o.id} would have to be is not stated", objects=(o.id,))

    return unstated


@_on("status", "linked")
def _linked(value: bool, f: Filter) -> Check:
    """607.2a: the cards put aside with an object are stated with it; where none is, nobody can tell of one in exile."""

    def linked(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        source = ctx.source_object()
        cards = source.imprinted if source is not None else ()
        if not cards:
            raise Unknown(f"whether {o.id} was exiled with {ctx.source} is not stated", objects=(o.id,))
        return any(card.name == o.card.name for card in cards) is value

    return linked


@_on("status", "token")
def _token(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.token is value


@_on("status", "commander")
def _commander(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.commander is value


@_on("status", "face_down")
def _face_down(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.face_down is value


@_on("status", "entered_this_turn")
def _entered_this_turn(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.entered_this_turn is value


@_on("status", "adventure")
def _adventure(value: bool, f: Filter) -> Check:
    """715.2: of a permanent, the copied card's layout counts."""
    return lambda o, c, ctx, s: ((o.copy_of or o.card).layout == "adventure") is value


@_on("counters", "counter")
def _counter(value: str, f: Filter) -> Check:
    kind = "" if value == "any" else value
    return lambda o, c, ctx, s: o.count(kind) > 0


@_on("attached", "attached")
def _attached(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: any(_attaches(i, ctx) for i in ctx.view.attached(o.id)) is value


def _attaches(object_id: str, ctx: Context) -> bool:
    return not {"Aura", "Equipment", "Fortification"}.isdisjoint(ctx.view.seen(object_id).subtypes)


@_on("attached", "attached_by")
def _attached_by(value: tuple[str, ...], f: Filter) -> Check:
    kinds = frozenset(value)
    return lambda o, c, ctx, s: any(not kinds.isdisjoint(ctx.view.seen(i).subtypes) for i in ctx.view.attached(o.id))


@_on("combat", "attacked")
def _attacked(value: ab.Who, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.attacking is not None and o.attacking in players_of(value, ctx)


@_on("attached", "attached_to")
def _attached_to(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: o.attached_to is not None and o.attached_to == ctx.ref(value)


@_on("attached", "modified")
def _modified(value: bool, f: Filter) -> Check:
    """700.9"""

    def modified(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        return (bool(o.counters) or any(_modifies(i, c, ctx) for i in ctx.view.attached(o.id))) is value

    return modified


def _modifies(object_id: str, host: Seen, ctx: Context) -> bool:
    seen = ctx.view.seen(object_id)
    return "Equipment" in seen.subtypes or ("Aura" in seen.subtypes and seen.controller == host.controller)


@_on("types", "historic")
def _historic(value: bool, f: Filter) -> Check:
    """700.6"""
    return lambda o, c, ctx, s: ("Artifact" in c.types or "Legendary" in c.supertypes or "Saga" in c.subtypes) is value


@_on("abilities", "keyword")
def _keyword(value: str, f: Filter) -> Check:
    word = value.lower()
    if word in ("landwalk", "protection"):  # any of a kind
        ending = ("walk",) if word == "landwalk" else ()
        return lambda o, c, ctx, s: _sure_of(
            any(k.endswith(ending) if ending else k.startswith(word) for k in c.keywords), c
        )
    return lambda o, c, ctx, s: _sure_of(word in c.keywords, c)


def _sure_of(has: bool, c: Seen) -> bool:
    """Whether it has the keyword; Unknown where it may have some that nobody knows."""
    if not has and "keywords" in c.unsure:
        raise c.unsure["keywords"]
    return has


@_on("abilities", "not_keyword")
def _not_keyword(value: str, f: Filter) -> Check:
    word = value.lower()
    return lambda o, c, ctx, s: not _sure_of(word in c.keywords, c)


@_on("abilities", "has_mana_ability")
def _has_mana_ability(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: any(_makes_mana(h) for h in c.abilities) is value


def _makes_mana(has: Has) -> bool:
    return isinstance(has.ability, Activated | Triggered) and is_mana_ability(has.ability)


@_on("cost", "has_x")
def _has_x(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: (c.mana_cost is not None and c.mana_cost.x > 0) is value


@_on("cost", "parity")
def _parity(value: str, f: Filter) -> Check:
    rest = 0 if value == "even" else 1
    return lambda o, c, ctx, s: c.mana_value % 2 == rest


@_on("cost", "from_zone")
def _from_zone(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: _cast_from(o, s) == value


@_on("cost", "not_from_zone")
def _not_from_zone(value: str, f: Filter) -> Check:
    return lambda o, c, ctx, s: _cast_from(o, s) not in (value, None)


def _cast_from(o: Obj, spell: SpellInfo | None) -> str | None:
    """Where the spell was cast from; a card that is only being considered counts as cast from where it is."""
    if spell is not None and spell.from_zone is not None:
        return spell.from_zone
    if o.zone == "stack" and o.from_zone is None:
        raise Unknown(f"where {o.id} was cast from is not stated", objects=(o.id,))
    return o.from_zone if o.zone == "stack" else o.zone


@_on("cost", "foretold")
def _foretold(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: (s.foretold if s is not None else o.face_down and o.zone == "exile") is value


@_on("cost", "kicked")
def _kicked(value: bool, f: Filter) -> Check:
    def kicked(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        if s is None:
            raise Unknown(f"whether {o.id} was kicked is not stated", objects=(o.id,))
        return s.kicked is value

    return kicked


@_on("cost", "targets_player")
def _targets_player(value: Who | Literal["host"], f: Filter) -> Check:
    def targets(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        meant = (ctx.ref("host"),) if value == "host" else players_of(value, ctx)
        return any(t in meant for t in (s.targets if s is not None else _stated_targets(o, ctx)))

    return targets


@_on("cost", "one_target")
def _one_target(value: bool, f: Filter) -> Check:
    return lambda o, c, ctx, s: (len(s.targets if s is not None else _stated_targets(o, ctx)) == 1) is value


def _stated_targets(o: Obj, ctx: Context) -> tuple[str, ...]:
    """The targets of what is on the stack; where none are stated, it is not known whether it has some."""
    if o.zone == "stack" and not o.targets and o.id != ctx.source and _may_have_targets(o):
        raise Unknown(f"the targets of {o.id} are not stated", objects=(o.id,))
    return o.targets


def _may_have_targets(o: Obj) -> bool:
    if o.card.layout == "ability":
        return True
    abilities = (a for line in o.printed.lines for a in line.abilities if isinstance(a, ab.SpellAbility))
    unread = any(line.status == "unread" for line in o.printed.lines)
    return unread or "Aura" in o.printed.subtypes or any(a.targets or a.modes for a in abilities)


@_on("cost", "targets")
def _targets(value: Filter, f: Filter) -> Check:
    """That a spell targets something like this; targets of a copy of the question are what it names."""

    def targets(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        return any(_is_like_target(value, t, ctx) for t in (s.targets if s is not None else _stated_targets(o, ctx)))

    return targets


def _is_like_target(f: Filter, target: str, ctx: Context) -> bool:
    """A target may be a player: of players only a reference speaks ("enchanted player")."""
    if target in ctx.view.game.players:
        return f.ref is not None and ctx.ref(f.ref) == target
    return matches(f, target, ctx)


_CHOSEN_TESTS: dict[str, Callable[[Any, Obj, Seen], bool]] = {
    "type": lambda v, o, c: any(v.casefold() == t.casefold() for t in (*c.subtypes, *c.types)),
    "card_type": lambda v, o, c: any(v.casefold() == t.casefold() for t in c.types),
    "color": lambda v, o, c: v in c.colors,
    "name": lambda v, o, c: v == c.name or v in names_in(c.name),
    "player": lambda v, o, c: v == controller_of(o, c),
}
_CHOICE_OF = {"type": "type", "card_type": "type", "color": "color", "name": "name", "player": "player"}


@_on("chosen", "chosen")
def _chosen(value: tuple[str, ...], f: Filter) -> Check:
    return lambda o, c, ctx, s: all(_of_choice(what, o, c, ctx) for what in value)


@_on("chosen", "not_chosen")
def _not_chosen(value: tuple[str, ...], f: Filter) -> Check:
    return lambda o, c, ctx, s: not any(_of_choice(what, o, c, ctx) for what in value)


def _of_choice(what: str, o: Obj, seen: Seen, ctx: Context) -> bool:
    choice = ctx.chosen(_CHOICE_OF[what])
    return choice is not None and _CHOSEN_TESTS[what](choice, o, seen)


_SHARED: dict[str, Callable[[Seen], Iterable[Any]]] = {
    "type": lambda c: c.types,
    "color": lambda c: c.colors,
    "name": lambda c: (c.name,) if c.name else (),
    "creature_type": lambda c: CREATURE_TYPES.intersection(c.subtypes),
    "land_type": lambda c: c.subtypes if "Land" in c.types else (),
    "mana_value": lambda c: (c.mana_value,),
}


@_on("shares", "shares")
def _shares(value: tuple[str, ...], f: Filter) -> Check:
    def shares(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        other = _spoken_of(f.shares_with, ctx)
        return other is not None and all(not set(_SHARED[w](c)).isdisjoint(_SHARED[w](other[1])) for w in value)

    return shares


def _spoken_of(ref: str, ctx: Context) -> tuple[Obj, Seen] | None:
    if ref == "spell" and ctx.spell is not None:
        return ctx.spell.obj, ctx.spell.seen
    if ref == "linked" and ctx.ref(ref) is None:
        return _put_aside(ctx)
    if ref == "latest":
        return _latest_spell(ctx)
    named = ctx.ref(ref)
    return None if named is None else ctx.object(named)


def _put_aside(ctx: Context) -> tuple[Obj, Seen] | None:
    """The card that a linked ability of the source put aside, as it is in exile."""
    source = ctx.source_object()
    if source is None or not source.imprinted:
        return None
    card = source.imprinted[0]
    o = Obj(id=f"{source.id}: {card.name}", card=card, zone="exile", controller=source.owner, owner=source.owner)
    return o, printed_characteristics(o)


def _latest_spell(ctx: Context) -> tuple[Obj, Seen] | None:
    """The spell most recently cast this turn, as it is printed; the players' histories are not interwoven."""
    cast = [(p, p.cast_this_turn[-1]) for p in ctx.view.game.players.values() if p.cast_this_turn]
    if len(cast) > 1:
        raise Unknown("which spell was cast last this turn is not stated")
    if not cast:
        return None
    player, card = cast[0]
    o = Obj(id=f"cast {card.name}", card=card, zone="stack", controller=player.name, owner=player.name)
    return o, printed_characteristics(o)


@_on("bounds", "bounds")
def _bounds(value: tuple[ab.Bound, ...], f: Filter) -> Check:
    def within(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        if s is not None and ctx.that_player is None:
            ctx = ctx.but(that_player=c.controller)  # "the lands that player controls": whoever casts the spell
        return all(
            _has_number(b.stat, o, c) and OPERATORS[b.op](_number(b.stat, o, c), _bound(b, o, c, ctx)) for b in value
        )

    return within


def _bound(b: ab.Bound, o: Obj, seen: Seen, ctx: Context) -> int:
    """What the number is compared with; "toughness greater than its power" is about the object itself."""
    own = {b.stat, b.value.stat} == {"power", "toughness"} if isinstance(b.value, ab.Stat) else False
    if isinstance(b.value, ab.Stat) and own and b.value.of == "that":
        return _number(b.value.stat, o, seen)
    return amount(b.value, ctx)


def _has_number(stat: str, o: Obj, seen: Seen) -> bool:
    """208.3, 306.5: without a power an object has none to compare; every object has a mana value and colors."""
    if stat in ("mana_value", "colors") or ASPECT_OF.get(stat) in seen.unsure:
        return True
    return getattr(seen, "toughness" if stat == "power+toughness" else stat) is not None


def _number(stat: str, o: Obj, seen: Seen) -> int:
    """A number of the object; what it does not have counts as 0 (107.1)."""
    if stat == "power+toughness":
        return _number("power", o, seen) + _number("toughness", o, seen)
    if ASPECT_OF[stat] in seen.unsure:
        raise seen.unsure[ASPECT_OF[stat]]
    if stat == "colors":
        return len(seen.colors)
    return getattr(seen, stat) or 0


@_on("any", "any_of")
def _any_of(value: tuple[Filter, ...], f: Filter) -> Check:
    def some(o: Obj, c: Seen, ctx: Context, s: SpellInfo | None) -> bool:
        doubt = None
        for part in value:
            try:
                if _part_zone(part, o, f.zone) and fits(part, o, c, ctx, s):
                    return True
            except Unknown as unknown:
                doubt = unknown
        if doubt is not None:
            raise doubt
        return False

    return some


@_on("any", "none_of")
def _none_of(value: tuple[Filter, ...], f: Filter) -> Check:
    some = _any_of(value, f)
    return lambda o, c, ctx, s: not some(o, c, ctx, s)


def _part_zone(part: Filter, o: Obj, whole: str) -> bool:
    """The zone of an alternative counts where it says one, or where the whole leaves it open; saying none means the
    battlefield there, and elsewhere the zone of the whole."""
    return part.zone in ("any", o.zone) or (part.zone == "battlefield" and whole != "any")


# --- amounts ------------------------------------------------------------------------------------------------------


def amount(a: Amount, ctx: Context) -> int:
    """What the amount comes to now; raises Unknown when that rests on something not stated."""
    if isinstance(a, int):
        return a
    return AMOUNTS[type(a)](a, ctx)


def _x(a: ab.X, ctx: Context) -> int:
    if ctx.x is not None:
        return ctx.x
    if ctx.spell is not None and ctx.spell.x is not None:
        return ctx.spell.x
    o = ctx.source_object()
    if o is not None and o.x is not None:
        return o.x
    raise Unknown("the value of X is not stated", objects=(ctx.source,) if ctx.source else ())


def _count(a: ab.Count, ctx: Context) -> int:
    if a.of.zone in HIDDEN and set(aspects_of(a.of)) <= {"owner", "control"}:
        whose = set(players_of(a.of.owner, ctx)) & set(players_of(a.of.controller, ctx))
        return sum(_cards_in(a.of.zone, ctx.view.game.players[p], ctx) for p in whose)
    return len(objects_like(a.of, ctx))


def _devotion(a: ab.Devotion, ctx: Context) -> int:
    """700.5: mana symbols of those colors among the mana costs of permanents you control, each symbol once."""
    colors = a.colors
    if a.chosen:
        colors += ctx.chosen("color") or ""
    return sum(_devoted(seen.mana_cost, colors) for _, seen in _permanents(ctx, ctx.you))


def _devoted(cost: Cost | None, colors: str) -> int:
    return 0 if cost is None else sum(1 for symbol in cost.symbols if any(c in symbol for c in colors))


def _permanents(ctx: Context, player: str) -> Iterator[tuple[Obj, Seen]]:
    view = ctx.view
    for i in view.zone_ids("battlefield"):
        seen = view.seen(i)
        if seen.controller == player:
            yield view.game.objects[i], seen


def _counters(a: ab.Counters, ctx: Context) -> int:
    if a.among is not None:
        return sum(ctx.view.game.objects[i].count(a.kind) for i in objects_like(a.among, ctx))
    found = _spoken_of(a.on, ctx)
    return 0 if found is None else found[0].count(a.kind)


def _sum_over(who: Who, ctx: Context, value: Callable[[Player], int]) -> int:
    """Over several players: the sum; over "an opponent" the greatest, since one of them has to qualify."""
    values = [value(ctx.view.game.players[p]) for p in players_of(who, ctx)]
    return max(values, default=0) if who == "opponent" else sum(values)


def _player_counters(a: ab.PlayerCounters, ctx: Context) -> int:
    return _sum_over(a.who, ctx, lambda p: p.count(a.kind))


def _stat(a: ab.Stat, ctx: Context) -> int:
    found = _spoken_of(a.of, ctx)
    return 0 if found is None else _number(a.stat, *found)


_AMONG: dict[str, Callable[[Seen], Iterable[Any]]] = {
    "colors": lambda c: c.colors,
    "names": lambda c: (c.name,) if c.name else (),
    "types": lambda c: c.types,
    "creature_types": lambda c: CREATURE_TYPES.intersection(c.subtypes),
    "basic_land_types": lambda c: BASIC_LAND_TYPES.intersection(c.subtypes),
    "mana_value": lambda c: (c.mana_value,),
    "power": lambda c: () if c.power is None else (c.power,),
    "toughness": lambda c: () if c.toughness is None else (c.toughness,),
}


def _among(a: ab.Among, ctx: Context) -> int:
    found = [ctx.object(i) for i in objects_like(a.of, ctx)]
    things = [f for f in found if f is not None]
    for _, seen in things:
        if ASPECT_OF[a.what] in seen.unsure:
            raise seen.unsure[ASPECT_OF[a.what]]
    if a.how == "different":
        return len({value for _, seen in things for value in _AMONG[a.what](seen)})
    if a.what in ("power", "toughness", "mana_value", "colors"):
        numbers = [_number(a.what, *thing) for thing in things]
    else:
        numbers = [len(set(_AMONG[a.what](seen))) for _, seen in things]
    if a.how == "total":
        return sum(numbers)
    return max(numbers, default=0) if a.how == "greatest" else min(numbers, default=0)


def _life(a: ab.Life, ctx: Context) -> int:
    return _sum_over(a.who, ctx, lambda p: p.starting_life if a.what == "starting" else p.life)


def _hand_size(a: ab.HandSize, ctx: Context) -> int:
    return _sum_over(a.who, ctx, lambda p: _cards_in("hand", p, ctx))


def _cards_in(zone: str, player: Player, ctx: Context) -> int:
    """How many cards are in the player's hand or library; that may be stated where the cards are not."""
    if zone == "library":
        if player.library_size is None:
            raise Unknown(f"the size of {player.name}'s library is not known")
        return player.library_size
    if player.hand_known:
        objects = ctx.view.game.objects
        return sum(1 for i in ctx.view.zone_ids("hand") if objects[i].owner == player.name)
    if player.hand_size is None:
        raise Unknown(f"{player.name}'s hand is not known")
    return player.hand_size


def _this_turn(a: ab.ThisTurn, ctx: Context) -> int:
    return _sum_over(a.who, ctx, lambda p: _history(a, p, ctx))


def _history(a: ab.ThisTurn, player: Player, ctx: Context) -> int:
    if a.of is not None and a.what != "spells_cast":
        if n := player.history(a.what):
            raise Unknown(f"how many of the {n} ({a.what}) of {player.name} this turn were like that is not stated")
        return 0
    if a.of is not None:
        return sum(1 for card in player.cast_this_turn if _was_like(a.of, card, player, ctx))
    stated = player.history(a.what)
    if a.what == "spells_cast":
        return max(stated, len(player.cast_this_turn))
    if a.what == "lands_played":
        return max(stated, player.lands_played)
    return stated


def _was_like(f: Filter, card: ab.Card, player: Player, ctx: Context) -> bool:
    """Whether a spell that was cast this turn was like this; only what is printed on it is still known."""
    o = Obj(id=f"cast {card.name}", card=card, zone="stack", controller=player.name, owner=player.name)
    return fits(f, o, printed_characteristics(o), ctx, None)


def _chosen_number(a: ab.ChosenNumber, ctx: Context) -> int:
    o = ctx.source_object()
    if o is not None and o.chosen.number is msgspec.UNSET:
        noted = [int(n) for n in o.noted if n.isdigit()]
        if noted:
            return noted[0]
    return ctx.chosen("number") or 0


def _player_count(a: ab.PlayerCount, ctx: Context) -> int:
    return len(players_of(a.who, ctx))


def _of_players(a: ab.OfPlayers, ctx: Context) -> int:
    values = [amount(a.of, ctx.but(you=p)) for p in players_of(a.who, ctx)]
    if a.how == "how_many":
        return sum(v > 0 for v in values)
    return (max if a.how == "greatest" else min)(values, default=0)


def _not_stated(a: ab.NotStated, ctx: Context) -> int:
    raise Unknown("a number that the text asks for is not stated", objects=(ctx.source,) if ctx.source else ())


_PARTY = ("Cleric", "Rogue", "Warrior", "Wizard")


def _party(a: ab.Party, ctx: Context) -> int:
    """700.8: at most one creature for each of four types, each creature for one of them only."""
    filled = {frozenset[str]()}
    for _, seen in _permanents(ctx, ctx.you):
        roles = [r for r in _PARTY if r in seen.subtypes] if "Creature" in seen.types else []
        filled |= {done | {role} for done in filled for role in roles}
    return max(len(done) for done in filled)


def _pool_total(a: ab.PoolTotal, ctx: Context) -> int:
    pool = ctx.view.game.players[ctx.you].pool
    return sum(n for kind, n in pool if not a.types or kind.type in a.types)


def _linked_count(a: ab.LinkedCount, ctx: Context) -> int:
    o = ctx.source_object()
    return len(o.imprinted) if o is not None else 0


def _up_to(a: ab.UpTo, ctx: Context) -> int:
    raise Unknown("how many are revealed is the player's choice", "not_modelled")


def _number_of_targets(a: ab.Targets, ctx: Context) -> int:
    targets = ctx.spell.targets if ctx.spell is not None else ctx.all_targets()
    return sum(1 for t in targets if a.like is None or _is_like_target(a.like, t, ctx))


def _calc(a: ab.Calc, ctx: Context) -> int:
    values = [amount(part, ctx) for part in a.args]
    if a.op == "+":
        return sum(values)
    if a.op == "-":
        return values[0] - sum(values[1:])
    if a.op == "*":
        product = 1
        for v in values:
            product *= v
        return product
    if a.op in ("max", "min"):
        return max(values) if a.op == "max" else min(values)
    return -(-values[0] // 2) if a.op == "half_up" else values[0] // 2


AMOUNTS: dict[type, Callable[[Any, Context], int]] = {
    ab.X: _x,
    ab.Count: _count,
    ab.Devotion: _devotion,
    ab.Counters: _counters,
    ab.PlayerCounters: _player_counters,
    ab.Stat: _stat,
    ab.Among: _among,
    ab.Life: _life,
    ab.HandSize: _hand_size,
    ab.ThisTurn: _this_turn,
    ab.ChosenNumber: _chosen_number,
    ab.PlayerCount: _player_count,
    ab.OfPlayers: _of_players,
    ab.NotStated: _not_stated,
    ab.Party: _party,
    ab.PoolTotal: _pool_total,
    ab.UpTo: _up_to,
    ab.LinkedCount: _linked_count,
    ab.Targets: _number_of_targets,
    ab.Calc: _calc,
}


# --- conditions ---------------------------------------------------------------------------------------------------


def holds(c: Condition, ctx: Context) -> bool:
    """Whether the condition is true now; raises Unknown when that rests on something not stated."""
    return CONDITIONS[type(c)](c, ctx)


def _compare(c: ab.Compare, ctx: Context) -> bool:
    return OPERATORS[c.op](amount(c.left, ctx), amount(c.right, ctx))


def _is(c: ab.Is, ctx: Context) -> bool:
    """The object may be gone or in another zone; only a zone that the description names is looked at."""
    found = _spoken_of(c.ref, ctx)
    if found is None or found[0].phased_out or not _part_zone(c.like, found[0], ""):
        return False
    return fits(c.like, *found, ctx, ctx.spell if c.ref == "spell" else None)


def _turn(c: ab.Turn, ctx: Context) -> bool:
    turn = ctx.view.game.turn
    meant = (c.whose == "any" or turn.active in players_of(c.whose, ctx)) and (not c.steps or turn.step in c.steps)
    return meant and (not c.early or _is_early(c.early, ctx))


def _is_early(most: int, ctx: Context) -> bool:
    """Whether this is one of the active player's first so many turns: the turns of all players are counted in one
    row, extra turns are not told apart, and the first is what a situation says that says nothing."""
    game = ctx.view.game
    if game.turn.number > most * len(game.players):
        return False
    if 1 < game.turn.number <= most:
        return True
    raise Unknown(f"which of the turns of {game.turn.active} this is, is not stated")


def _chosen_is(c: ab.Chosen, ctx: Context) -> bool:
    value = ctx.chosen(c.what)
    return value is not None and str(value).casefold() == c.value.casefold()


# Designations and the like that a situation writes down when they are there.
STATED = frozenset(
    {
        "monarch",
        "initiative",
        "citys_blessing",
        "max_speed",
        "day",
        "night",
        "ring_bearer",
        "completed_dungeon",
        "madness",
        "miracle",
        "attacked_this_step",
    }
)
_DESIGNATIONS_OF_GAME = frozenset({"day", "night"})


def _status(c: ab.Status, ctx: Context) -> bool:
    game = ctx.view.game
    if c.what == "can_gain_life":
        free = [_can_gain_life(p, ctx) for p in players_of(c.of, ctx)]
        return all(free) if c.of == "opponents" else any(free)
    if c.what == "delirium":
        return any(_delirium(p, ctx) for p in players_of(c.of, ctx))
    if c.what == "chapters_resolved":  # those that a Saga's lore counters tell of, unless they wait on the stack
        if any(game.objects[i].source == ctx.source for i in game.stack):
            raise Unknown(f"what {ctx.source} has on the stack may be a chapter of it")
        return True
    who = game.players if c.what in _DESIGNATIONS_OF_GAME else players_of(c.of, ctx)
    if any(game.players[p].history(c.what) or game.players[p].count(c.what) for p in who):
        return True
    if c.what not in STATED:
        raise Unknown(f"the status {c.what!r} is not modelled", "not_modelled")
    return False


def _can_gain_life(player: str, ctx: Context) -> bool:
    """119.7: whether no effect says that the player can't."""
    from .characteristics import View
    from .parties import in_force
    from .timing import prohibitions

    view = ctx.view
    if not isinstance(view, View):
        raise Unknown(f"whether {player} can gain life is not known here", "not_modelled")
    return not any(in_force(active, its) for active, _, its in prohibitions(view, "gain_life", player))


def _delirium(player: str, ctx: Context) -> bool:
    game = ctx.view.game
    mine = (i for i in ctx.view.zone_ids("graveyard") if game.objects[i].owner == player)
    return len({t for i in mine for t in ctx.view.seen(i).types}) >= 4


def _paid(c: ab.Paid, ctx: Context) -> bool:
    if ctx.spell is None:
        raise Unknown(f"whether {c.what} was paid is not stated", objects=(ctx.source,) if ctx.source else ())
    return any(name == c.what or name.startswith(c.what + " ") for name in ctx.spell.paid)


def _all(c: ab.AllOf, ctx: Context) -> bool:
    return _fold(c.of, ctx, stop=False)


def _any(c: ab.AnyOf, ctx: Context) -> bool:
    return _fold(c.of, ctx, stop=True)


def _fold(parts: tuple[Condition, ...], ctx: Context, stop: bool) -> bool:
    """`stop` if some part is `stop`, else the opposite; a part that is unknown counts only if no other settles it."""
    doubt = None
    for part in parts:
        try:
            if holds(part, ctx) is stop:
                return stop
        except Unknown as unknown:
            doubt = unknown
    if doubt is not None:
        raise doubt
    return not stop


CONDITIONS: dict[type, Callable[[Any, Context], bool]] = {
    ab.Compare: _compare,
    ab.Is: _is,
    ab.Turn: _turn,
    ab.Chosen: _chosen_is,
    ab.Status: _status,
    ab.Paid: _paid,
    ab.Not: lambda c, ctx: not holds(c.of, ctx),
    ab.AllOf: _all,
    ab.AnyOf: _any,
}


class Doubt(ab.Node):
    """A condition of which it is known only that the situation does not settle it."""

    text: str


def _doubtful(c: Doubt, ctx: Context) -> bool:
    raise Unknown(c.text, objects=(ctx.source,) if ctx.source else ())


CONDITIONS[Doubt] = _doubtful
