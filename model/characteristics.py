"""What every object is right now, after all layers (CR 613), and which static and triggered abilities function.

A `View` is a game with its characteristics. Where no continuous effect touches an object, its characteristics are
those of its card in the zone where it is (`printed.py`) with its counters, computed when asked for and shared by all
objects alike; otherwise `layers.py` has applied the effects.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, cast

import msgspec

from . import abilities as ab
from .abilities import Condition, Static, StaticEffect, Triggered
from .alike import Lots, lots_of, named_ids
from .evaluate import Context, Doubt, SpellInfo, amount, holds
from .game import Active, Characteristics, Game, Has, Obj, Player, Unknown
from .layers import Layers
from .printed import (
    KEYWORD_COUNTERS,
    POWER_COUNTER,
    Base,
    base_of,
    characteristics,
    functions,
    lasting_statics,
    layer_of,
    printed_characteristics,
    shared_characteristics,
)
from .reads import reads


class _Recent(threading.local):
    """The views made last in this thread (views fill themselves as they are asked, so threads share none)."""

    def __init__(self) -> None:
        self.views: OrderedDict[int, View] = OrderedDict()


_recent = _Recent()
MOST_RECENT = 16


def view_of(game: Game) -> View:
    """The game with what its objects are. Games never change: one seen lately is not computed again."""
    views = _recent.views
    view = views.get(id(game))
    if view is None or view.game is not game:
        view = views[id(game)] = View(game)
        if len(views) > MOST_RECENT:
            views.popitem(last=False)
    else:
        views.move_to_end(id(game))
    return view


class View:
    """A game together with what each of its objects is. Immutable from outside; answers are kept once computed."""

    __slots__ = (
        "_aspects",
        "_attached",
        "_firsts",
        "_known",
        "_lots",
        "_plain",
        "_statics",
        "_stats",
        "_triggers",
        "_zones",
        "game",
        "layers",
        "memo",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[str, Characteristics] = {}
        self._plain: dict[str, Characteristics] = {}
        self._attached: dict[str, list[str]] | None = None
        self._aspects: dict[str, frozenset[str]] = {}
        self._statics: dict[Any, tuple[Active, ...]] = {}
        self._triggers: tuple[tuple[str, str, Triggered, Has], ...] | None = None
        self._zones: dict[str, list[str]] = {}
        self.memo: dict[object, Any] = {}  # what other rooms have found out about just this game
        self._lots: Lots | None = None
        self._firsts: dict[str, str] | None = None
        sources = self._scan(lots_of(game))
        self.layers = Layers(self, sources) if sources else None
        if self.layers is not None:
            self._known = self.layers.run()
            if self.layers.looks_ahead():
                self._look_ahead(sources)

    def _scan(self, lots: Lots) -> list[Obj]:
        """The objects with a static ability that changes characteristics."""
        objects = self.game.objects
        sources = []
        for lot in lots:
            o = objects[lot[0]]
            base = base_of(o)
            if base.layered and not o.phased_out and any(functions(s, o, base) for s in base.layered):
                sources.extend(objects[i] for i in lot)
        return sources

    def _alike(self, lots: Lots) -> Lots:
        """The lots, but without what another object names, and what its own ability may set apart, in them: where no
        effect changes characteristics, nothing can tell the members of such a lot apart."""
        objects = self.game.objects
        named = named_ids(self.game, lots)
        found: list[tuple[str, ...]] = []
        for lot in lots:
            if len(lot) > 1 and (base_of(objects[lot[0]]).defining or not named.isdisjoint(lot)):
                found.extend((i,) for i in lot)
            else:
                found.append(lot)
        return found

    def lots(self) -> Lots:
        """All objects, those together that nothing can tell apart: what holds for the first holds for the others of its
        lot. It is there to save work; like objects may be in different lots."""
        if self._lots is None:
            layered = self.layers is not None
            self._lots = [(i,) for i in self.game.objects] if layered else self._alike(lots_of(self.game))
        return self._lots

    def firsts(self) -> Mapping[str, str] | None:
        """The first of its lot by the id of each object, where lots are known and some have several members."""
        if self._firsts is None and self._lots is not None:
            many = len(self._lots) < len(self.game.objects)
            self._firsts = {i: lot[0] for lot in self._lots for i in lot} if many else {}
        return self._firsts or None

    def _look_ahead(self, sources: list[Obj]) -> None:
        """Some effect before layer 7 looks at power or toughness. The rules do not say in so many words whether it sees
        the final ones, so what comes out the same either way is answered, and the rest is in doubt."""
        again = Layers(self, sources, self._known).run()
        for i, seen in again.items():
            before = self._known[i]
            different = {a for f, a in _ASPECT_OF_FIELD.items() if getattr(seen, f) != getattr(before, f)}
            if different:
                unknown = Unknown(f"an effect on {i} looks at power or toughness before layer 7", "not_modelled", (i,))
                self._known[i] = msgspec.structs.replace(
                    before, unsure={**before.unsure, **dict.fromkeys(different, unknown)}
                )

    # --- objects --------------------------------------------------------------------------------------------------

    def of(self, object_id: str) -> Characteristics:
        """What the object is. Looking at something of it that rests on what the situation does not state, or that is
        not modelled, raises Unknown."""
        found = self._known.get(object_id)
        if found is None:
            found = self.seen(object_id)
        return cast(Characteristics, Guarded(found)) if found.unsure else found

    def seen(self, object_id: str) -> Characteristics:
        """The same without raising: what is not sure is named in `unsure`."""
        found = self._known.get(object_id)
        if found is None:
            found = self._known[object_id] = self.plain(object_id)
        return found

    def stat(self, object_id: str, stat: str) -> int | None:
        """Power, toughness, loyalty or mana value of the object, None if it has none; Unknown if it is not known."""
        return getattr(self.of(object_id), stat)

    def abilities(self, object_id: str) -> tuple[Has, ...]:
        """The abilities that the object has now, activated ones numbered as format.md says: printed ones, those of
        basic land types, granted ones by timestamp."""
        return self.of(object_id).abilities

    def plain(self, object_id: str) -> Characteristics:
        """What the object is by itself: its copiable values, its own defining abilities and its counters."""
        found = self._plain.get(object_id)
        if found is None:
            o = self.game.objects[object_id]
            base = base_of(o)
            if not base.defining:
                return shared_characteristics(o, base)
            # Set first: a defining ability that counts may look at its own object.
            self._plain[object_id] = printed_characteristics(o)
            found = self._plain[object_id] = self._defined(o, base)
        return found

    def _defined(self, o: Obj, base: Base) -> Characteristics:
        """7a: power and toughness by a characteristic-defining ability (604.3), in every zone."""
        if o.zone == "battlefield" and "Creature" not in base.types:
            return self._plain[o.id]
        ctx = Context(self, o.id, o.controller, that=o.id)
        power, toughness, unsure = base.power, base.toughness, dict(base.unsure)
        for effect in base.defining:
            for stat in ("power", "toughness"):
                value = getattr(effect, stat)
                if value is None:
                    continue
                try:
                    number = amount(value, ctx)
                except Unknown as unknown:
                    unsure[stat] = unknown
                    continue
                if stat == "power":
                    power = number
                else:
                    toughness = number
        return characteristics(o, base, power=power, toughness=toughness, unsure=unsure)

    def zone_ids(self, zone: str) -> Sequence[str]:
        """Ids of the objects in a zone, in written order; "any": of all that are objects of the game."""
        if zone == "any":
            return [i for z, ids in self._by_zone().items() if z != "effect" for i in ids]
        return self._by_zone().get(zone, ())

    def zones(self) -> Sequence[str]:
        """The zones in which there are objects."""
        return list(self._by_zone())

    def _by_zone(self) -> Mapping[str, list[str]]:
        zones = self._zones
        if not zones:
            for o in self.game.objects.values():
                if not o.phased_out:
                    zones.setdefault(o.zone, []).append(o.id)
        return zones

    def attached(self, object_id: str) -> Sequence[str]:
        """What is attached to the object or player (301.5, 303.4)."""
        if self._attached is None:
            self._attached = {}
            for i in self.zone_ids("battlefield"):
                host = self.game.objects[i].attached_to
                if host is not None:
                    self._attached.setdefault(host, []).append(i)
        return self._attached.get(object_id, ())

    # --- abilities that function ----------------------------------------------------------------------------------

    def statics(self, kind: type | tuple[type, ...]) -> tuple[Active, ...]:
        """The static effects of this kind that apply now, by timestamp of their sources. They come from abilities that
        their sources have after all layers, that function in the zones where those are, and whose conditions hold; a
        condition that only the event can settle, or that is unknown, is left in `Active.condition`."""
        found = self._statics.get(kind)
        if found is None:
            if not self._statics:
                self._collect()
            kinds = kind if isinstance(kind, tuple) else (kind,)
            found = self._statics[kind] = tuple(a for a in self._statics[""] if isinstance(a.effect, kinds))
        return found

    def statics_of(self, object_id: str, kind: type | tuple[type, ...], zone: str | None = None) -> list[Active]:
        """Those of one object only, as if it were in `zone`: a spell's own cost changes while it is still in hand."""
        o = self.game.objects[object_id]
        where = o if zone is None or zone == o.zone else o.but(zone=zone)
        return [a for a in self._statics_from(where) if isinstance(a.effect, kind)]

    def _collect(self) -> None:
        objects = self.game.objects
        acting = [
            objects[i]
            for lot in self.lots()
            if not (o := objects[lot[0]]).phased_out and self._may_act(o)
            for i in lot
        ]
        order = [o for o in acting if o.zone != "library"]
        library = [o for o in acting if o.zone == "library" and base_of(o).has_statics]
        order.sort(key=lambda o: o.timestamp)
        self._statics[""] = tuple(a for o in (*order, *library) for a in self._statics_from(o))

    def _may_act(self, o: Obj) -> bool:
        return base_of(o).has_statics or (self.layers is not None and o.id in self._known)

    def _statics_from(self, o: Obj) -> Iterator[Active]:
        base = base_of(o)
        seen = self.seen(o.id)
        if not base.has_statics and seen.abilities is base.abilities:
            return
        doubt = seen.unsure.get("abilities")
        for has in seen.abilities:
            static = has.ability
            if not isinstance(static, Static):
                yield from self._chosen_for_the_turn(o, seen.controller, has)
                continue
            if not functions(static, o, base):
                continue
            effects = [e for e in static.effects if not layer_of(e)]
            if effects:
                yield from self._active(o, seen.controller, static, effects, doubt)

    def _chosen_for_the_turn(self, o: Obj, you: str, has: Has) -> Iterator[Active]:
        """What a triggered ability has started for the rest of this turn by a choice made in the upkeep: a choice that
        is stated tells that it has resolved. Without one it is in doubt, unless the upkeep is still to come."""
        if self.game.turn.step == "untap" or o.zone != "battlefield":
            return
        for static in lasting_statics(has.ability):
            if "chosen" not in reads(static):
                continue
            made = [v for f in o.chosen.__struct_fields__ if (v := getattr(o.chosen, f)) is not msgspec.UNSET]
            if made and all(v is None for v in made):
                continue
            condition: Any = static.condition if made else Doubt(f"the choice made for {o.id} is not stated")
            for effect in static.effects:
                if not layer_of(effect):
                    yield Active(o.id, you, effect, condition)

    def _active(
        self, o: Obj, you: str, static: Static, effects: list[StaticEffect], doubt: Unknown | None
    ) -> Iterator[Active]:
        condition: Any = static.condition
        if doubt is not None:
            condition = Doubt(doubt.text)
        elif condition is not None and "event" not in reads(condition):
            try:
                if not holds(condition, Context(self, o.id, you)):
                    return
                condition = None
            except Unknown:
                pass  # whoever asks about the effect will be told
        for effect in effects:
            yield Active(o.id, you, effect, condition)

    def triggers(self) -> tuple[tuple[str, str, Triggered, Has], ...]:
        """Triggered abilities that function now, of permanents, emblems and effects: (source, you, ability, Has).
        Where it is not known whether the source has its abilities, the condition of the ability is in doubt."""
        if self._triggers is None:
            self._triggers = tuple(self._find_triggers())
        return self._triggers

    def _find_triggers(self) -> Iterator[tuple[str, str, Triggered, Has]]:
        layered = self.layers is not None
        zones = ("battlefield", "command", "effect")
        lots = [lot for lot in self.lots() if (o := self.game.objects[lot[0]]).zone in zones and not o.phased_out]
        lots.sort(key=lambda lot: zones.index(self.game.objects[lot[0]].zone))
        for lot in lots:
            o = self.game.objects[lot[0]]
            base = base_of(o)
            if o.zone == "command" and base.types:
                continue  # a commander is no permanent; 113.6 lets few triggers function there
            if not layered and not base.has_triggers:
                continue
            for i in lot:
                seen = self.seen(i)
                doubt = seen.unsure.get("abilities")
                for has in seen.abilities:
                    trigger = has.ability
                    if isinstance(trigger, Triggered):
                        if doubt is not None:
                            trigger = msgspec.structs.replace(trigger, condition=cast(Condition, Doubt(doubt.text)))
                        yield i, seen.controller, trigger, has

    # --- another game --------------------------------------------------------------------------------------------

    def after(self, game: Game, changed: frozenset[str] | None = None) -> View:
        """The view of a game that came out of this one; what is provably the same is not computed again. `changed`:
        the aspects in which it differs, where the caller knows them (the values of _FIELD_ASPECTS)."""
        if game is self.game:
            return self
        changed = _changes(self.game, game) if changed is None else changed
        if changed is None or changed & self._looked_at():
            return View(game)
        view = View.__new__(View)
        view.game = game
        view.memo = {}
        view._known, view._plain, view._zones = self._known, self._plain, self._zones
        view._lots = view._firsts = None
        view._attached, view._triggers, view.layers = self._attached, self._triggers, self.layers
        view._aspects = self._aspects
        view._statics = self._statics if not changed & self._conditions_look_at() else {}
        return view

    def rests_on(self, aspects: frozenset[str]) -> bool:
        """Whether what some object is could change with these aspects of the game."""
        return bool(aspects & self._looked_at())

    def _looked_at(self) -> frozenset[str]:
        """The aspects that characteristics rest on, beside which objects there are."""
        found = self._aspects.get("all")
        if found is None:
            looked = self.layers.looked_at if self.layers is not None else frozenset[str]()
            defining = (base_of(self.game.objects[lot[0]]).defining for lot in self.lots())
            found = self._aspects["all"] = looked.union(*(reads(d) for d in defining if d))
        return found

    def _conditions_look_at(self) -> frozenset[str]:
        """The aspects that the conditions of other static abilities look at."""
        found = self._aspects.get("conditions")
        if found is None:
            found = self._aspects["conditions"] = frozenset(self._read_conditions())
        return found

    def _read_conditions(self) -> Iterator[str]:
        for i, *_ in self.lots():
            if self.layers is None and not base_of(self.game.objects[i]).has_statics:
                continue
            for has in self.seen(i).abilities:
                if isinstance(has.ability, Static) and has.ability.condition is not None:
                    yield from reads(has.ability.condition)
                elif any(True for _ in lasting_statics(has.ability)):
                    yield "turn"

    def spell(
        self,
        object_id: str,
        *,
        face: int = 0,
        fused: bool = False,
        face_down: bool = False,
        x: int | None = None,
        paid: tuple[str, ...] = (),
        targets: tuple[str, ...] = (),
        controller: str | None = None,
    ) -> SpellInfo:
        """The card as the spell that it becomes with these choices (601.2b): the chosen face or half, X in its mana
        value (202.3e), and the effects that reach spells."""
        o = self.game.objects[object_id]
        who = controller or o.controller
        on_stack = o.but(
            zone="stack", face=face, face_down=face_down, x=x, from_zone=o.zone, controller=who, targets=targets
        )
        if fused:
            on_stack = on_stack.but(card=fused_card(o.card), face=0)
        if base_of(on_stack).defining or (self.layers is not None and self.layers.reaches("stack")):
            seen = View(self.game.put(on_stack)).seen(object_id)
        else:
            seen = printed_characteristics(on_stack)
        return SpellInfo(obj=on_stack, seen=seen, from_zone=o.zone, paid=paid, x=x, targets=targets)


class Guarded:
    """Characteristics of which something is not known: looking at that raises Unknown."""

    __slots__ = ("_seen",)

    def __init__(self, seen: Characteristics) -> None:
        self._seen = seen

    def __getattr__(self, name: str) -> Any:
        unsure = self._seen.unsure
        unknown = unsure.get(_ASPECT_OF_FIELD.get(name, "")) or (unsure.get("keywords") if name == "keywords" else None)
        if unknown is not None:
            raise unknown
        return getattr(self._seen, name)

    def is_a(self, word: str) -> bool:
        """Whether it has this card type, subtype or supertype, if that is known."""
        doubt = None
        for aspect in ("types", "subtypes", "supertypes"):
            if aspect in self._seen.unsure:
                doubt = self._seen.unsure[aspect]
            elif word in getattr(self._seen, aspect):
                return True
        if doubt is not None:
            raise doubt
        return False


_ASPECT_OF_FIELD = {
    "name": "names",
    "supertypes": "supertypes",
    "types": "types",
    "subtypes": "subtypes",
    "colors": "colors",
    "mana_cost": "cost",
    "mana_value": "cost",
    "power": "power",
    "toughness": "toughness",
    "controller": "control",
    "keywords": "abilities",
    "abilities": "abilities",
}


# --- differences between games --------------------------------------------------------------------------------------

# The aspect that each field of an object belongs to; a field that is not here makes everything count as changed.
_FIELD_ASPECTS: Mapping[str, str] = {
    "tapped": "tapped",
    "sick": "sick",
    "damage": "damage",
    "activated": "activated",
    "attacking": "combat",
    "blocking": "combat",
    "goaded_by": "goaded",
    "casts": "casts",
}
_PLAYER_ASPECTS: Mapping[str, str] = {
    "life": "life",
    "pool": "pool",
    "lands_played": "history",
    "cast_this_turn": "history",
    "this_turn": "history",
    "counters": "players",
}


_OBJ_FIELDS = attrgetter(*Obj.__struct_fields__)
_PLAYER_FIELDS = attrgetter(*Player.__struct_fields__)


def _changes(old: Game, new: Game) -> frozenset[str] | None:
    """The aspects in which two games differ; None if they differ in more than aspects."""
    found = set[str]()
    if old.turn != new.turn:
        found.add("turn")
    if old.objects is not new.objects:
        if old.objects.keys() != new.objects.keys():
            return None
        for i, o in new.objects.items():
            before = old.objects[i]
            if before is not o and not _add_changes(before, o, _FIELD_ASPECTS, found):
                return None
    if old.players is not new.players:
        for name, p in new.players.items():
            before = old.players[name]
            if before is not p and not _add_changes(before, p, _PLAYER_ASPECTS, found):
                return None
    return frozenset(found)


def _add_changes(old: Obj | Player, new: Obj | Player, aspects: Mapping[str, str], found: set[str]) -> bool:
    get = _OBJ_FIELDS if isinstance(new, Obj) else _PLAYER_FIELDS
    for field, a, b in zip(new.__struct_fields__, get(old), get(new), strict=True):
        if a is b or (field not in ("card", "copy_of", "imprinted") and a == b):
            continue
        if field == "counters" and isinstance(new, Obj) and _harmless(old.counters, new.counters):
            found.add("counters")
        elif field in aspects:
            found.add(aspects[field])
        else:
            return False
    return True


def _harmless(old: tuple[tuple[str, int], ...], new: tuple[tuple[str, int], ...]) -> bool:
    """Whether the counters that changed mean nothing to characteristics by themselves."""
    kinds = {kind for kind, _ in set(old) ^ set(new)}
    return not any(k in KEYWORD_COUNTERS or k == "loyalty" or POWER_COUNTER.fullmatch(k) for k in kinds)


def fused_card(card: ab.Card) -> ab.Card:
    """A split card cast fused has the characteristics of both halves (702.102c)."""
    left, right = card.faces[:2]
    both = base_of(Obj(id="", card=card, zone="hand", controller="", owner=""))
    cost = None if both.mana_cost is None else str(both.mana_cost)
    face = msgspec.structs.replace(
        left, name=both.name, mana_cost=cost, types=both.types, colors=both.colors, lines=left.lines + right.lines
    )
    return ab.Card(name=card.name, faces=(face,), layout="normal", identity=card.identity)
