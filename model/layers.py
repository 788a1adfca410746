"""Continuous effects applied in their layers, with timestamps and dependency (CR 613).

For each layer: gather the parts of effects that apply in it; while some are left, find which depend on which by
trying (613.8a: apply one for a moment and see whether another exists, affects or does something else), apply the
earliest that depends on none, look again (613.8c). What has started to apply goes on in later layers, to the same
objects, even if its ability is gone by then (613.6).

Objects that no effect can tell apart are computed once (`Work` stands for all its `members`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from . import abilities as ab
from .abilities import Activated, Filter, Keyword, Static, StaticEffect, Triggered, is_mana_ability
from .evaluate import Context, Seen, amount, fits, holds, players_of
from .game import Characteristics, Game, Has, Obj, Unknown
from .mana import COLORS
from .printed import (
    ORDER,
    Base,
    Entry,
    base_of,
    copiable,
    counter_changes,
    counter_keywords,
    functions,
    keyword_names,
    land_entries,
    layer_of,
    loyalty,
    loyalty_as,
    mana_value,
    numbered,
    printed_characteristics,
)
from .reads import reads
from .subtypes import BASIC_LAND_TYPES, BASIC_LANDS, CREATURE_TYPES, LAND_TYPES, LISTED, OF_CARD_TYPE

if TYPE_CHECKING:
    from .characteristics import View

# What each kind of effect can change about an object (see `_writes`).
WRITES: dict[type, frozenset[str]] = {
    ab.Copy: frozenset(
        ("names", "types", "subtypes", "supertypes", "colors", "cost", "abilities", "lost", "power", "toughness")
    ),
    ab.Control: frozenset({"control"}),
    ab.ChangeText: frozenset({"subtypes", "abilities", "lost"}),
    ab.SetTypes: frozenset({"types", "subtypes", "supertypes", "names"}),
    ab.LandTypes: frozenset({"types", "subtypes", "abilities", "lost"}),
    ab.SetColors: frozenset({"colors"}),
    ab.GrantAbilities: frozenset({"abilities"}),
    ab.GainAbilities: frozenset({"abilities"}),
    ab.LoseAbilities: frozenset({"abilities", "lost"}),
    ab.PowerToughness: frozenset({"power", "toughness"}),
}
# The fields of objects in which those must agree that one Work stands for; the others no description looks at, or
# `base_of` and `_pointed_at` see to them.
TELLS_APART = (
    "zone",
    "controller",
    "owner",
    "tapped",
    "counters",
    "attacking",
    "token",
    "face_down",
    "entered_this_turn",
    "goaded_by",
    "noted",
    "commander",
    "x",
    "from_zone",
    "targets",
)
LOOKS_THE_SAME = (
    "id",
    "card",
    "face",
    "timestamp",
    "sick",
    "attached_to",
    "blocking",
    "damage",
    "chosen",
    "imprinted",
    "phased_out",
    "copy_of",
    "copy_face",
    "activated",
    "casts",
    "modes",
    "source",
)
_SAVED = (
    "base",
    "name",
    "supertypes",
    "types",
    "subtypes",
    "colors",
    "mana_cost",
    "mana_value",
    "power",
    "toughness",
    "loyalty",
    "controller",
    "entries",
    "unsure",
    "cant_have",
    "changed",
)


class Work:
    """An object on its way through the layers; it can be looked at like finished characteristics."""

    __slots__ = (*_SAVED, "members", "obj")

    def __init__(self, o: Obj, base: Base) -> None:
        self.obj = o
        self.members: list[str] = []
        self.controller = o.controller
        self.cant_have: frozenset[str] = frozenset()
        self.changed = False
        self.become(base)

    def become(self, base: Base) -> None:
        """Takes the copiable values of the base (707.2)."""
        self.base = base
        self.name, self.mana_cost, self.colors = base.name, base.mana_cost, base.colors
        self.supertypes, self.types, self.subtypes = base.supertypes, base.types, base.subtypes
        self.mana_value = mana_value(self.obj, base)
        self.power, self.toughness = base.power, base.toughness
        self.loyalty = loyalty(self.obj, base)
        self.entries: tuple[Entry, ...] = base.entries
        self.unsure: dict[str, Unknown] = base.unsure

    def save(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field) for field in _SAVED)

    def restore(self, saved: tuple[Any, ...]) -> None:
        for field, value in zip(_SAVED, saved, strict=True):
            setattr(self, field, value)

    def doubt(self, aspects: Iterable[str], unknown: Unknown) -> None:
        """Marks aspects as resting on something not stated."""
        self.unsure = {**dict.fromkeys(aspects, unknown), **self.unsure}
        self.changed = True

    @property
    def keywords(self) -> frozenset[str]:
        return frozenset(keyword_names(e.has.ability for e in self.entries))

    @property
    def abilities(self) -> tuple[Has, ...]:
        return tuple(e.has for e in self.entries)


class Unit(NamedTuple):
    """The parts of one effect that apply in one layer."""

    work: Work
    entry: Entry
    static: Static
    parts: tuple[StaticEffect, ...]
    timestamp: float

    @property
    def key(self) -> tuple[str, int]:
        return self.work.obj.id, id(self.entry)


class Affected(NamedTuple):
    """Objects that a part applies to: surely, and perhaps (for the reason given)."""

    sure: tuple[Work, ...]
    perhaps: tuple[tuple[Work, Unknown], ...] = ()


class Applied(NamedTuple):
    """For the effects graph: one effect applied in a layer to objects, after those that it depends on."""

    layer: int
    source: str
    effect: StaticEffect
    objects: tuple[str, ...]
    depends_on: tuple[str, ...]


class Layers:
    """The layers over one game. `run` gives the characteristics of every object that an effect could reach."""

    def __init__(
        self, view: View, sources: Sequence[Obj], numbers: Mapping[str, Characteristics] | None = None
    ) -> None:
        """`numbers`: the power and toughness that layers 1 to 6 look at, in place of the copiable ones."""
        self.view = view
        self.numbers = numbers
        self.game: Game = view.game
        self.works: list[Work] = []
        self.work_of: dict[str, Work] = {}
        self.started: dict[tuple[str, int], list[tuple[Filter, Affected]]] = {}
        self.applied: list[Applied] = []
        self._waited: dict[tuple[str, int], set[str]] = {}
        self._zones = self._zones_reached(sources)
        self._limited = any(o.zone == "effect" for o in sources)
        self._sort(sources)
        self._sources = list(self._find_sources(self.works))
        statics = [s for _, _, s in self._sources]
        self.looked_at = frozenset[str]().union(*(reads(s) for s in statics)) | {"objects"}

    # --- what a looker needs --------------------------------------------------------------------------------------

    def seen(self, object_id: str) -> Seen:
        return self.work_of.get(object_id) or self.view.plain(object_id)

    def zone_ids(self, zone: str) -> Sequence[str]:
        return self.view.zone_ids(zone)

    def attached(self, object_id: str) -> Sequence[str]:
        return self.view.attached(object_id)

    def firsts(self) -> None:
        """What objects are is being found out: no two are known to be alike."""

    def reaches(self, zone: str) -> bool:
        """Whether some effect reaches objects in this zone."""
        return zone in self._zones or "any" in self._zones

    # --- sorting objects ------------------------------------------------------------------------------------------

    def _zones_reached(self, sources: Sequence[Obj]) -> frozenset[str]:
        zones = {"battlefield"}
        for o in sources:
            for static in base_of(o).layered:
                zones.update(_zones_of(static))
        if "any" in zones:
            zones.update(self.view.zones())
        return frozenset(zones)

    def _sort(self, sources: Sequence[Obj]) -> None:
        """One Work for all objects that no filter can tell apart; those that a text can point at stand alone."""
        alone = self._pointed_at(sources)
        shared: dict[Any, Work] = {}
        objects = self.game.objects
        for zone in self.view.zones():
            reached = zone in self._zones
            for i in self.view.zone_ids(zone):
                if not reached and i not in alone:
                    continue
                o = objects[i]
                base = base_of(o)
                key = i if i in alone else self._key(o, base)
                work = shared.get(key)
                if work is None:
                    work = shared[key] = Work(o, base)
                    self.works.append(work)
                work.members.append(i)
                self.work_of[i] = work

    def _pointed_at(self, sources: Sequence[Obj]) -> set[str]:
        if any(_may_give_effects(e) for o in sources for s in base_of(o).layered for e in s.effects):
            return set(self.game.objects)  # whatever is given an effect of its own stands alone
        alone = {o.id for o in sources}
        for o in sources:
            alone.update(o.targets)
            alone.update(Context(self, o.id, o.controller).stands_for() or ())
            alone.update(i for s in base_of(o).layered for i in _ids_in(s))
        for i in self.view.zone_ids("battlefield"):
            o = self.game.objects[i]
            if o.attached_to is not None:
                alone.update((i, o.attached_to))
            if o.blocking:
                alone.update((i, *o.blocking))
        return alone

    def _key(self, o: Obj, base: Base) -> tuple[Any, ...]:
        if base.defining:
            return (o.id,)
        return (
            id(base),
            *(getattr(o, field) for field in TELLS_APART),
            o.timestamp if self._limited else None,
        )

    def _find_sources(self, works: Iterable[Work]) -> Iterator[tuple[Work, Entry, Static]]:
        """Static abilities with effects that apply in layers; a work with one of these stands for one object."""
        for work in works:
            for entry in work.entries:
                static = entry.has.ability
                if isinstance(static, Static) and _parts(static) and functions(static, work.obj, work.base):
                    yield work, entry, static

    # --- the layers -----------------------------------------------------------------------------------------------

    def run(self) -> dict[str, Characteristics]:
        if self.numbers is not None:
            self._take_numbers(self.numbers)
        for layer in ORDER:
            if layer == 71 and self.numbers is not None:
                for work in self.works:
                    work.power, work.toughness = work.base.power, work.base.toughness
            self._run_layer(layer)
            if layer in (1, 3):
                self._sources = list(self._find_sources(self.works))
            elif layer == 4:
                self._give_land_abilities()
            elif layer == 73:
                self._add_counters()
        out: dict[str, Characteristics] = {}
        for work in self.works:
            finished = self._finish(work)
            for i in work.members:
                out[i] = finished
        return out

    def _take_numbers(self, numbers: Mapping[str, Characteristics]) -> None:
        for work in self.works:
            seen = numbers[work.members[0]]
            work.power, work.toughness = seen.power, seen.toughness

    def looks_ahead(self) -> bool:
        """Whether an effect before layer 7 looks at power or toughness, which are not settled by then."""
        return any(
            not NUMBERS.isdisjoint(_targets_read(part)) or not NUMBERS.isdisjoint(reads(static.condition))
            for _, _, static in self._sources
            for layer, parts in _parts(static).items()
            if layer < 71
            for part in parts
        )

    def _units(self, layer: int, done: set[tuple[str, int]]) -> list[Unit]:
        units = []
        for work, entry, static in self._sources:
            parts = _parts(static).get(layer, ())
            if parts and (work.obj.id, id(entry)) not in done:
                units.append(Unit(work, entry, static, parts, max(entry.timestamp, work.obj.timestamp)))
        # 613.3: characteristic-defining abilities first.
        units.sort(key=lambda u: (not u.static.defining, u.timestamp))
        return units

    def _run_layer(self, layer: int) -> None:
        done: set[tuple[str, int]] = set()
        pending = self._units(layer, done)
        entangled = bool(self._possible(pending))
        while pending:
            unit = self._next(pending) if entangled else pending[0]
            done.add(unit.key)
            if self._apply(unit, layer):
                pending = self._units(layer, done)
                entangled = bool(self._possible(pending))
            else:
                pending.remove(unit)

    def _next(self, pending: list[Unit]) -> Unit:
        """The effect to apply next: the earliest of those that depend on none still to be applied, where a loop of
        dependencies counts as none (613.8b)."""
        if len(pending) == 1 or pending[0].static.defining:
            return pending[0]
        depends = self._dependencies(pending)
        for b, found in depends.items():
            self._waited.setdefault(pending[b].key, set()).update(pending[a].work.obj.id for a in found)
        free = next((k for k in range(len(pending)) if k not in depends), None)
        if depends and _has_loop(depends, len(pending)):
            free = min(_free_with_loops(depends, len(pending)))
        return pending[free or 0]

    def _dependencies(self, pending: list[Unit]) -> dict[int, set[int]]:
        """For each effect that depends on others (613.8a) the indices of those."""
        pairs = self._possible(pending)
        if not pairs:
            return {}
        found: dict[int, set[int]] = {}
        before = {b: self._signature(pending[b]) for bs in pairs.values() for b in bs}
        for a, bs in pairs.items():
            unit = pending[a]
            if not self._exists(unit, sure=False):
                continue
            undo = [(w, w.save()) for w in self._all_affected(unit)]
            self._perform(unit, self._affected_by_parts(unit))
            for b in bs:
                if self._signature(pending[b]) != before[b]:
                    found.setdefault(b, set()).add(a)
            for work, saved in undo:
                work.restore(saved)
        return found

    def _possible(self, pending: list[Unit]) -> dict[int, list[int]]:
        """Pairs where the one writes what the other reads; no other pair can depend."""
        out: dict[int, list[int]] = {}
        for a, unit in enumerate(pending):
            writes = frozenset[str]().union(*(_writes(p) for p in unit.parts))
            takes = "lost" in writes
            reached: set[int] | None = None
            for b, other in enumerate(pending):
                if a == b:
                    continue
                if writes & self._reads(other):
                    out.setdefault(a, []).append(b)
                elif takes and other.key not in self.started:
                    if reached is None:
                        reached = {id(w) for w in self._all_affected(unit)}
                    if id(other.work) in reached:
                        out.setdefault(a, []).append(b)
        return out

    def _reads(self, unit: Unit) -> frozenset[str]:
        """What decides whether the unit exists, what it applies to and what it does."""
        locked = self.started.get(unit.key)
        if locked is None:
            return reads(unit.parts) | reads(unit.static.condition)
        return frozenset[str]().union(*(_amounts_read(p) for p in unit.parts))

    def _signature(self, unit: Unit) -> Any:
        """Existence, what it applies to, and what it does there, in a form to compare."""
        try:
            exists = self._exists(unit)
        except Unknown:
            exists = None
        if exists is False:
            return None
        parts = []
        for part, affected in zip(unit.parts, self._affected_by_parts(unit), strict=True):
            to = frozenset(id(w) for w in affected.sure), frozenset(id(w) for w, _ in affected.perhaps)
            parts.append((to, self._details(unit, part, affected)))
        return exists, unit.work.controller, tuple(parts)

    def _details(self, unit: Unit, part: StaticEffect, affected: Affected) -> Any:
        if isinstance(part, ab.Copy):
            named = self.context(unit).ref(part.of)
            return id(self.work_of[named].base) if named in self.work_of else None
        if isinstance(part, ab.GainAbilities):
            return self._gained(unit, part, affected)
        if not isinstance(part, ab.PowerToughness) or (isinstance(part.power, int) and isinstance(part.toughness, int)):
            return None
        out = []
        for work in affected.sure:
            try:
                out.append(self.power_toughness(unit, part, work))
            except Unknown as unknown:
                out.append(unknown.text)
        return tuple(out)

    def _gained(self, unit: Unit, part: ab.GainAbilities, affected: Affected) -> Any:
        try:
            return tuple(tuple(id(a) for a in abilities_of_others(self, unit, part, work)) for work in affected.sure)
        except Unknown as unknown:
            return unknown.text

    # --- one effect -----------------------------------------------------------------------------------------------

    def context(self, unit: Unit, that: Work | None = None) -> Context:
        return Context(
            self, unit.work.obj.id, unit.work.controller, x=unit.work.obj.x, that=that.members[0] if that else None
        )

    def _exists(self, unit: Unit, sure: bool = True) -> bool:
        """Whether the effect applies: it has started to (613.6), or its ability is there and its condition holds."""
        if unit.key in self.started:
            return True
        if not any(e is unit.entry for e in unit.work.entries):
            return False
        if (unknown := unit.work.unsure.get("abilities")) is not None and sure:
            raise unknown
        if unit.static.condition is None:
            return True
        try:
            return holds(unit.static.condition, self.context(unit))
        except Unknown:
            if sure:
                raise
            return True

    def _all_affected(self, unit: Unit) -> list[Work]:
        found = {id(w): w for a in self._affected_by_parts(unit) for w in (*a.sure, *(w for w, _ in a.perhaps))}
        return list(found.values())

    def _affected_by_parts(self, unit: Unit) -> list[Affected]:
        """What each part applies to; all are looked up before any is applied, since they are one effect."""
        locked = self.started.get(unit.key, ())
        fresh: list[tuple[Filter, Affected]] = []
        out = []
        for part in unit.parts:
            what: Filter = part.what  # type: ignore[union-attr]
            found = next((a for f, a in (*locked, *fresh) if f is what or f == what), None)
            if found is None:
                found = self._matching(what, unit)
                fresh.append((what, found))
            out.append(found)
        return out

    def _matching(self, what: Filter, unit: Unit) -> Affected:
        ctx = self.context(unit)
        sure: list[Work] = []
        perhaps: list[tuple[Work, Unknown]] = []
        for work in self._candidates(what, ctx):
            if self._came_later(work, unit):
                continue
            try:
                if fits(what, work.obj, work, ctx):
                    sure.append(work)
            except Unknown as unknown:
                perhaps.append((work, unknown))
        return Affected(tuple(sure), tuple(perhaps))

    def _came_later(self, work: Work, unit: Unit) -> bool:
        """611.2c: what a resolved spell or ability changes is fixed as it begins; what came later is left alone."""
        return unit.work.obj.zone == "effect" and work.obj.timestamp > unit.work.obj.timestamp

    def _candidates(self, what: Filter, ctx: Context) -> Iterable[Work]:
        if what.me:
            stand_ins = ctx.stands_for()
            ids: Sequence[str] = ((ctx.source,) if ctx.source else ()) if stand_ins is None else stand_ins
        elif what.ids:
            ids = what.ids
        elif what.ref == "target" and (stated := self.game.objects[ctx.source or ""].targets):
            ids = stated
        elif what.ref not in (None, "target"):
            named = ctx.ref(what.ref)
            ids = (named,) if named is not None else ()
        elif what.zone == "any":
            return [w for w in self.works if w.obj.zone != "effect"]
        else:
            return [w for w in self.works if w.obj.zone == what.zone]
        named = [self.work_of[i] for i in ids if i in self.work_of]
        return [w for w in named if what.zone in (w.obj.zone, "any")]

    def _apply(self, unit: Unit, layer: int) -> bool:
        """Applies the unit for good; true if some object may have gained or lost a static ability by it."""
        try:
            if not self._exists(unit):
                return False
            doubt = None
        except Unknown as unknown:
            doubt = unknown
        affected = self._affected_by_parts(unit)
        if doubt is not None:
            for part, found in zip(unit.parts, affected, strict=True):
                for work in (*found.sure, *(w for w, _ in found.perhaps)):
                    work.doubt(_in_doubt(part, work), doubt)
            return False
        locked = self.started.setdefault(unit.key, [])
        for part, found in zip(unit.parts, affected, strict=True):
            what: Filter = part.what  # type: ignore[union-attr]
            if not any(f == what for f, _ in locked):
                locked.append((what, found))
            objects = tuple(i for w in found.sure for i in w.members)
            waited = tuple(sorted(self._waited.get(unit.key, ())))
            self.applied.append(Applied(layer, unit.work.obj.id, part, objects, waited))
        self._perform(unit, affected)
        return self._after(unit)

    def _after(self, unit: Unit) -> bool:
        if not any(_may_give_effects(part) for part in unit.parts):
            return False
        self._sources = list(self._find_sources(self.works))
        return True

    def _perform(self, unit: Unit, affected: Sequence[Affected]) -> None:
        # "Loses all abilities and has …" is one effect: what it gives is not lost again.
        steps = sorted(zip(unit.parts, affected, strict=True), key=lambda step: isinstance(step[0], ab.GrantAbilities))
        for part, found in steps:
            act = _ACTS[type(part)]
            for work in found.sure:
                work.changed = True
                try:
                    act(self, unit, part, work)
                except Unknown as unknown:
                    work.doubt(_in_doubt(part, work), unknown)
            for work, unknown in found.perhaps:
                work.doubt(_in_doubt(part, work), unknown)

    def _give_land_abilities(self) -> None:
        """305.6: after the types are known, lands have the mana abilities of their basic land types."""
        for work in self.works:
            if "Land" in work.types:
                work.entries = (*work.entries, *land_entries(work.types, work.subtypes))
            granted = counter_keywords(work.obj)
            if granted:
                work.entries = (*work.entries, *granted)

    def _add_counters(self) -> None:
        """7c: +1/+1 counters and the like."""
        for work in self.works:
            if work.obj.counters and work.obj.zone == "battlefield":
                power, toughness = counter_changes(work.obj)
                work.power, work.toughness = (work.power or 0) + power, (work.toughness or 0) + toughness

    def power_toughness(self, unit: Unit, part: ab.PowerToughness, work: Work) -> tuple[int | None, int | None]:
        ctx = self.context(unit, that=work)
        return (
            None if part.power is None else amount(part.power, ctx),
            None if part.toughness is None else amount(part.toughness, ctx),
        )

    def _finish(self, work: Work) -> Characteristics:
        if not work.changed:
            return self.view.plain(work.members[0])
        entries = _without(work.entries, work.cant_have) if work.cant_have else work.entries
        own = [e for e in entries if e.has.origin in OWN]
        given = sorted((e for e in entries if e.has.origin not in OWN), key=lambda e: e.timestamp)
        entries = (*own, *given)
        power, toughness = _numbers(work)
        return Characteristics(
            name=work.name,
            supertypes=work.supertypes,
            types=work.types,
            subtypes=work.subtypes,
            colors=work.colors,
            mana_cost=work.mana_cost,
            mana_value=work.mana_value,
            power=power,
            toughness=toughness,
            loyalty=work.loyalty,
            controller=work.controller,
            keywords=frozenset(keyword_names(e.has.ability for e in entries)),
            abilities=numbered(entries),
            unsure=work.unsure,
        )


def _numbers(work: Work) -> tuple[int | None, int | None]:
    """208.2-3: creatures have both numbers, 0 where nothing gives one; other permanents have none."""
    creature = "Creature" in work.types
    if not creature and (work.obj.zone == "battlefield" or (work.power is None and work.toughness is None)):
        return None, None
    return (
        None if "power" in work.unsure else work.power or 0,
        None if "toughness" in work.unsure else work.toughness or 0,
    )


# --- what effects do --------------------------------------------------------------------------------------------------


def _copy(layers: Layers, unit: Unit, part: ab.Copy, work: Work) -> None:
    """707.2; a copy has the values that the other got from copy effects too."""
    named = layers.context(unit).ref(part.of)
    other = layers.work_of.get(named) if named is not None else None
    if other is not None and other is not work:
        work.become(copiable(other.base))


def _control(layers: Layers, unit: Unit, part: ab.Control, work: Work) -> None:
    players = players_of(part.who, layers.context(unit), (work.obj, work))
    if len(players) != 1:
        raise Unknown(f"who controls {work.obj.id} is not stated", objects=(work.obj.id,))
    work.controller = players[0]


def _change_text(layers: Layers, unit: Unit, part: ab.ChangeText, work: Work) -> None:
    """612.2: the words of the type line and of abilities; names and mana symbols stay."""
    work.subtypes = tuple(dict.fromkeys(part.new if word == part.old else word for word in work.subtypes))
    work.entries = tuple(_reworded(e, part.old, part.new) for e in work.entries)


def _reworded(entry: Entry, old: str, new: str) -> Entry:
    ability = _replace_word(entry.has.ability, old, new)
    return entry if ability is entry.has.ability else entry._replace(has=entry.has._replace(ability=ability))


def _replace_word(node: Any, old: str, new: str) -> Any:
    """The structure with one word for another wherever a description or a type says it; itself if it never does."""
    if isinstance(node, str):
        return new if node == old else node
    if isinstance(node, tuple):
        parts = tuple(_replace_word(part, old, new) for part in node)
        return parts if any(a is not b for a, b in zip(parts, node, strict=True)) else node
    if isinstance(node, ab.Node):
        changed = {}
        for field in node.__struct_fields__:
            value = getattr(node, field)
            after = value if field in ("names", "not_names", "name") else _replace_word(value, old, new)
            if after is not value:
                changed[field] = after
        return msgspec.structs.replace(node, **changed) if changed else node
    return node


def _set_types(layers: Layers, unit: Unit, part: ab.SetTypes, work: Work) -> None:
    """205.1: a lost card type takes its subtypes with it; new subtypes replace those of the same kind."""
    new = _new_subtypes(layers, unit, part)
    lost = set(part.lose_types)
    if part.types and not part.keep and not part.keep_types:
        lost.update(t for t in work.types if t not in part.types)
    work.types = _joined((t for t in work.types if t not in lost), part.types)
    gone = {s for t in lost for s in _subtypes_of(t, work.subtypes)}
    gone -= {s for t in work.types for s in _subtypes_of(t, work.subtypes)}
    if part.lose_subtypes:
        gone.update(work.subtypes)
    if part.lose_creature_types:
        gone.update(CREATURE_TYPES.intersection(work.subtypes))
    if new and not part.keep:
        gone.update(s for t in OF_CARD_TYPE for s in _subtypes_of(t, work.subtypes) if OF_CARD_TYPE[t] & set(new))
    if not part.keep and not BASIC_LAND_TYPES.isdisjoint(new):
        _lose_rules_text(work)
    work.subtypes = _joined((s for s in work.subtypes if s not in gone), new)
    work.supertypes = _joined((s for s in work.supertypes if s not in part.lose_supertypes), part.supertypes)
    work.name = part.name or work.name
    if work.obj.zone == "battlefield":
        work.loyalty = loyalty_as(work.obj, work.types)


def _new_subtypes(layers: Layers, unit: Unit, part: ab.SetTypes) -> tuple[str, ...]:
    new = part.subtypes
    if part.all_creature_types:
        new = (*new, *sorted(CREATURE_TYPES))
    if part.chosen_type:
        chosen = layers.context(unit).chosen("type")
        new = (*new, chosen) if chosen else new
    return new


def _subtypes_of(card_type: str, subtypes: tuple[str, ...]) -> Iterator[str]:
    known = OF_CARD_TYPE.get(card_type)
    if known is not None:
        yield from (s for s in subtypes if s in known)
    elif card_type == "Planeswalker":
        yield from (s for s in subtypes if s not in LISTED)


def _joined(*parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for part in parts for word in part))


def _land_types(layers: Layers, unit: Unit, part: ab.LandTypes, work: Work) -> None:
    """305.7: setting a basic land type takes the old land types and the abilities from rules text and copies; what
    other effects give stays, and so do supertypes and subtypes of other card types."""
    new: tuple[str, ...] = BASIC_LANDS if part.every else part.types
    if part.chosen:
        chosen = layers.context(unit).chosen("type")
        if chosen is None:
            return
        new = (*new, chosen)
    if part.keep:
        work.subtypes = _joined(work.subtypes, new)
        return
    work.subtypes = _joined((s for s in work.subtypes if s not in LAND_TYPES), new)
    _lose_rules_text(work)


def _lose_rules_text(work: Work) -> None:
    work.entries = tuple(e for e in work.entries if e.has.origin not in OWN or _came_with_a_chapter(e.has.ability))


def _came_with_a_chapter(ability: object) -> bool:
    """Whether it stands for what a chapter that has resolved gave, which is no rules text."""
    condition = ability.condition if isinstance(ability, Static) else None
    return isinstance(condition, ab.AllOf) and ab.Status("chapters_resolved") in condition.of


def _set_colors(layers: Layers, unit: Unit, part: ab.SetColors, work: Work) -> None:
    letters = part.colors
    if part.chosen:
        chosen = layers.context(unit).chosen("color")
        if chosen is None:
            return
        letters += chosen
    if part.keep:
        letters += work.colors
    work.colors = "".join(c for c in COLORS if c in letters)


def _grant(layers: Layers, unit: Unit, part: ab.GrantAbilities, work: Work) -> None:
    source = unit.work.obj.id
    given = (*part.abilities, *(keyword(word) for word in part.keywords))
    work.entries = (*work.entries, *(Entry(Has(a, 0, source), unit.timestamp) for a in given))


def _gain(layers: Layers, unit: Unit, part: ab.GainAbilities, work: Work) -> None:
    source = unit.work.obj.id
    given = abilities_of_others(layers, unit, part, work)
    if part.limit:
        given = [msgspec.structs.replace(a, limit=part.limit) if isinstance(a, Activated) else a for a in given]
    work.entries = (*work.entries, *(Entry(Has(a, 0, source), unit.timestamp) for a in given))


def abilities_of_others(layers: Layers, unit: Unit, part: ab.GainAbilities, work: Work) -> list[ab.Ability]:
    """The abilities that the object gains, those of the others in their order. The words by which such an ability
    speaks of "this object" are about the one that has it (201.5b)."""
    found: dict[int, ab.Ability] = {}
    for seen in _others_like(layers, unit, part.of, work):
        if (unknown := seen.unsure.get("abilities")) is not None:
            raise unknown
        for has in seen.abilities:
            if _is_gained(part, has.ability):
                found[id(has.ability)] = has.ability
    return list(found.values())


def _is_gained(part: ab.GainAbilities, ability: ab.Ability) -> bool:
    if not isinstance(ability, Activated):
        return part.triggered and isinstance(ability, Triggered)
    if part.but == "mana":
        return not is_mana_ability(ability)
    return part.but != "loyalty" or not any(isinstance(p, ab.Loyalty) for p in ability.cost)


def _others_like(layers: Layers, unit: Unit, of: Filter, work: Work) -> Iterator[Seen]:
    """Everything of the description but the object itself."""
    ctx = layers.context(unit)
    objects = layers.game.objects
    ids = [i for i in layers.zone_ids(of.zone) if i not in work.members or len(work.members) > 1]
    if of.zone == "library":
        ids = _top_of_library(layers, ctx.you, ids)
    if of.linked and (cards := ctx.source_object()) is not None and cards.imprinted:
        bare = msgspec.structs.replace(of, linked=None)
        for card in cards.imprinted:
            zone = "exile" if of.zone == "any" else of.zone
            o = Obj(id=f"exiled {card.name}", card=card, zone=zone, controller=ctx.you, owner=ctx.you)
            if fits(bare, o, seen := printed_characteristics(o), ctx):
                yield seen
        return
    for i in ids:
        if not objects[i].phased_out and fits(of, objects[i], seen := layers.seen(i), ctx):
            yield seen


def _top_of_library(layers: Layers, player: str, ids: Sequence[str]) -> list[str]:
    own = [i for i in ids if layers.game.objects[i].owner == player]
    if not own and layers.game.players[player].library_size != 0:
        raise Unknown(f"the top card of {player}'s library is not stated")
    return own[:1]


@cache
def keyword(word: str) -> Keyword:
    return Keyword(word)


def _lose(layers: Layers, unit: Unit, part: ab.LoseAbilities, work: Work) -> None:
    if part.keywords:
        gone = frozenset(word.lower() for word in part.keywords)
        work.entries = _without(work.entries, gone)
    elif part.but_mana:
        gone = frozenset[str]()
        work.entries = tuple(e for e in work.entries if _is_mana_ability(e))
    else:
        gone = frozenset((EVERYTHING,))
        work.entries = ()
    if part.cant_have:
        work.cant_have |= gone


EVERYTHING = "*"
OWN = ("printed", "land")


def _is_mana_ability(entry: Entry) -> bool:
    return isinstance(entry.has.ability, Activated | Triggered) and is_mana_ability(entry.has.ability)


def _without(entries: tuple[Entry, ...], words: frozenset[str]) -> tuple[Entry, ...]:
    """The entries without keyword abilities of these names, or without any for `EVERYTHING`."""
    if EVERYTHING in words:
        return ()
    return tuple(e for e in entries if words.isdisjoint(keyword_names((e.has.ability,))))


def _power_and_toughness(layers: Layers, unit: Unit, part: ab.PowerToughness, work: Work) -> None:
    if part.how == "switch":
        work.power, work.toughness = work.toughness, work.power
        return
    numbers = layers.power_toughness(unit, part, work)
    for stat, n in zip(("power", "toughness"), numbers, strict=True):
        if n is None:
            continue
        if part.how == "modify":
            n += getattr(work, stat) or 0
        elif stat in work.unsure:
            work.unsure = {k: v for k, v in work.unsure.items() if k != stat}
        setattr(work, stat, n)


def _unsettle(layers: Layers, unit: Unit, part: ab.Unsettled, work: Work) -> None:
    raise Unknown(f"what {unit.work.obj.id} makes of {work.obj.id} is not modelled", "not_modelled", (work.obj.id,))


_ACTS: dict[type, Callable[[Layers, Unit, Any, Work], None]] = {
    ab.Copy: _copy,
    ab.Control: _control,
    ab.ChangeText: _change_text,
    ab.SetTypes: _set_types,
    ab.LandTypes: _land_types,
    ab.SetColors: _set_colors,
    ab.GrantAbilities: _grant,
    ab.GainAbilities: _gain,
    ab.LoseAbilities: _lose,
    ab.PowerToughness: _power_and_toughness,
    ab.Unsettled: _unsettle,
}


# --- what structures say about effects --------------------------------------------------------------------------------

_known_parts: dict[int, tuple[Static, dict[int, tuple[StaticEffect, ...]]]] = {}


def _parts(static: Static) -> dict[int, tuple[StaticEffect, ...]]:
    """The effects of the ability by layer. Of defining abilities only those of power and toughness: the others belong
    to the copiable values (`printed.py`)."""
    found = _known_parts.get(id(static))
    if found is None:
        if len(_known_parts) >= MOST_KNOWN:
            _known_parts.clear()
        parts: dict[int, tuple[StaticEffect, ...]] = {}
        for effect in static.effects:
            layer = layer_of(effect)
            if layer and (layer == 71 or not static.defining):
                parts[layer] = (*parts.get(layer, ()), effect)
        found = _known_parts[id(static)] = (static, parts)
    return found[1]


def _may_give_effects(part: StaticEffect) -> bool:
    """Whether an object may have another effect of its own, for it to apply in turn, after this one."""
    if isinstance(part, ab.GrantAbilities):
        return any(isinstance(a, Static) and any(layer_of(e) for e in a.effects) for a in part.abilities)
    return isinstance(part, ab.Copy | ab.ChangeText)


def _zones_of(static: Static) -> set[str]:
    return {part.what.zone for parts in _parts(static).values() for part in parts}  # type: ignore[union-attr]


def _ids_in(static: Static) -> set[str]:
    return {i for parts in _parts(static).values() for part in parts for i in _filter_ids(part.what)}  # type: ignore[union-attr]


def _filter_ids(f: Filter) -> Iterator[str]:
    yield from f.ids
    for part in (*f.any_of, *f.none_of):
        yield from _filter_ids(part)


NUMBERS = frozenset({"power", "toughness"})


def _targets_read(part: StaticEffect) -> frozenset[str]:
    return reads(part.what)  # type: ignore[union-attr]


_known_writes: dict[int, tuple[StaticEffect, frozenset[str]]] = {}
MOST_KNOWN = 50_000


def _writes(part: StaticEffect) -> frozenset[str]:
    """What the effect can change about an object; "lost": it can take away an ability."""
    found = _known_writes.get(id(part))
    if found is None:
        if len(_known_writes) >= MOST_KNOWN:
            _known_writes.clear()
        found = _known_writes[id(part)] = (part, _find_writes(part))
    return found[1]


def _find_writes(part: StaticEffect) -> frozenset[str]:
    if isinstance(part, ab.LandTypes) and part.keep:
        return frozenset({"subtypes"})
    if isinstance(part, ab.SetTypes):
        return _set_types_writes(part)
    if isinstance(part, ab.Unsettled):
        # Keywords that it may have are looked at as abilities.
        return frozenset(part.aspects) | ({"abilities"} if "keywords" in part.aspects else frozenset())
    return WRITES[type(part)]


def _set_types_writes(part: ab.SetTypes) -> frozenset[str]:
    writes = set[str]()
    if part.types or part.lose_types:
        writes |= {"types"}
    if (
        part.subtypes
        or part.chosen_type
        or part.all_creature_types
        or part.lose_subtypes
        or part.lose_types
        or part.lose_creature_types
    ):
        writes |= {"subtypes"}
    if part.types and not (part.keep or part.keep_types):
        writes |= {"subtypes"}
    if part.supertypes or part.lose_supertypes:
        writes |= {"supertypes"}
    if part.name:
        writes |= {"names"}
    if not part.keep and (part.chosen_type or not BASIC_LAND_TYPES.isdisjoint(part.subtypes)):
        writes |= {"abilities", "lost"}
    return frozenset(writes)


def _in_doubt(part: StaticEffect, work: Work) -> frozenset[str]:
    """The aspects of the object that are unknown if it is unknown whether the effect applies, or how."""
    if isinstance(part, ab.GrantAbilities) and not part.abilities and work.obj.zone == "battlefield":
        return frozenset({"keywords"})  # all else that a permanent has is known
    aspects = frozenset(part.aspects) if isinstance(part, ab.Unsettled) else _writes(part) - {"lost"}
    if "subtypes" in aspects and "Land" in (*work.types, *getattr(part, "types", ())):
        return aspects | {"abilities"}  # basic land types give abilities (305.6)
    return aspects - {"abilities"} if isinstance(part, ab.SetTypes) else aspects


def _amounts_read(part: StaticEffect) -> frozenset[str]:
    if isinstance(part, ab.PowerToughness):
        return frozenset[str]().union(*(reads(a) for a in (part.power, part.toughness) if isinstance(a, ab.Node)))
    return frozenset()


def _has_loop(depends: dict[int, set[int]], n: int) -> bool:
    """Whether some dependencies form a loop: taking away what depends on nothing left does not take away all."""
    left = set(range(n))
    while free := {k for k in left if not (depends.get(k, set()) & left)}:
        left -= free
    return bool(left)


def _free_with_loops(depends: dict[int, set[int]], n: int) -> set[int]:
    """The effects whose dependencies are all inside their own loop: there timestamps decide (613.8b)."""
    import networkx as nx

    graph: Any = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((b, a) for b, found in depends.items() for a in found)
    loops = nx.condensation(graph)
    return {k for loop in loops if loops.out_degree(loop) == 0 for k in loops.nodes[loop]["members"]}
