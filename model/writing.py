"""A Game is written as a situation again, and edits are made to it.

What is written reads back to an equal game: ids and timestamps stand only where the defaults of
the format would give others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from .abilities import Card
from .forms import (
    ZONES_OF_PLAYERS,
    CardForm,
    Edit,
    EffectForm,
    FormatError,
    InlineCard,
    Path,
    PermanentForm,
    PlayerForm,
    StackForm,
)
from .game import Chosen, Game, ManaKind, Obj, Player
from .lookup import Library, did_you_mean, resolve
from .mana import NO_MANA, mana_of
from .setup import TIMED, UNCLEAR, WRITTEN_CARDS, WRITTEN_ONLY, Builder
from .strict import strict

Written = dict[str, Any]

_NUMBER = re.compile(r"#\d+$")


def write_situation(game: Game) -> Written:
    """The situation of a game as plain data, ready for JSON."""
    return _Writer(game).situation()


class _Writer:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.order = list(self.in_written_order())
        self.named = self.explicit_ids()
        self.clock = 0

    def situation(self) -> Written:
        game = self.game
        out: Written = {"players": {name: self.player(p) for name, p in game.players.items()}}
        if game.you != next(iter(game.players)):
            out["you"] = game.you
        out["turn"] = self.turn()
        if game.stack:
            out["stack"] = [self.stack_item(game.objects[i]) for i in game.stack]
        effects = [self.effect(o) for o in self.order if o.zone == "effect"]
        if effects:
            out["effects"] = effects
        return out

    # the order of a document, and the ids that it gives

    def in_written_order(self) -> Iterator[Obj]:
        game = self.game
        by_place: dict[tuple[str, str], list[Obj]] = {}
        for o in game.objects.values():
            by_place.setdefault((_holder(o), o.zone), []).append(o)
        for player in game.players:
            for zone in ZONES_OF_PLAYERS:
                yield from by_place.get((player, zone), ())
        yield from (game.objects[i] for i in game.stack)
        yield from (o for o in game.objects.values() if o.zone == "effect" and not self.is_unclear(o))

    def is_unclear(self, o: Obj) -> bool:
        """What stands for something unclear elsewhere is made again when that is read."""
        return self.game.written.get(o.id) == UNCLEAR

    def default_name(self, o: Obj) -> str:
        if o.zone == "stack" and o.card.layout == "ability":
            return "ability"
        if o.zone == "effect" and isinstance(form := self.game.written.get(o.id), EffectForm):
            return "effect" if isinstance(form.text, str) else o.card.name
        if isinstance(form := self.game.written.get(o.id), InlineCard | CardForm):
            return o.card.name
        return _name_in(o)

    def explicit_ids(self) -> set[str]:
        """The ids that must be written, since the defaults would give others."""
        explicit: set[str] = set()
        while True:
            taken = set(explicit) | set(self.game.players)
            counts: dict[str, int] = {}
            wrong = set()
            for o in self.order:
                if o.id not in explicit:
                    id_ = _next_id(self.default_name(o), counts, taken)
                    if id_ != o.id:
                        wrong.add(o.id)
            if not wrong:
                return explicit
            explicit |= wrong

    # players

    def player(self, p: Player) -> Written:
        out: Written = {}
        _put(out, "life", p.life, 20)
        for zone in ZONES_OF_PLAYERS:
            items = self.zone(p, zone)
            if items is not None:
                out[zone] = items
        if p.pool:
            out["mana_pool"] = self.pool(p.pool)
        _put(out, "lands_played", p.lands_played, 0)
        _put(out, "cast_this_turn", [self.card(c) for c in p.cast_this_turn], [])
        _put(out, "this_turn", dict(p.this_turn), {})
        _put(out, "counters", dict(p.counters), {})
        _put(out, "starting_life", p.starting_life, 20)
        return out

    def zone(self, p: Player, zone: str) -> list[Any] | int | None:
        items = _grouped([self.item(o) for o in self.order if o.zone == zone and _holder(o) == p.name])
        if zone == "hand" and not p.hand_known:
            return p.hand_size
        if zone == "library" and not items:
            return p.library_size
        stated = bool(items) or (zone == "hand" and p.name != self.game.you)
        return items if stated else None

    def pool(self, pool: Sequence[tuple[ManaKind, int]]) -> Any:
        parts: dict[ManaKind, Any] = {}
        for kind, n in pool:
            same = kind._replace(type="")
            parts[same] = parts.get(same, NO_MANA).plus(mana_of(kind.type, n))
        if list(parts) == [ManaKind("")]:
            return parts[ManaKind("")].wire()
        return [self.pool_part(kind, mana.wire()) for kind, mana in parts.items()]

    def pool_part(self, kind: ManaKind, mana: Any) -> Written:
        out: Written = {"mana": mana}
        if kind.only is not None:
            words = self.game.written.get(WRITTEN_ONLY, {}).get(repr(kind.only))
            out["only"] = words or msgspec.to_builtins(kind.only)
        _put(out, "snow", kind.snow, False)
        _put(out, "source", kind.source, None)
        _put(out, "riders", list(kind.riders), [])
        return out

    # objects

    def item(self, o: Obj) -> str | Written:
        out = self.object(o, o.id in self.named)
        if list(out) == ["card"] and isinstance(out["card"], str):
            return out["card"]
        return out

    def object(self, o: Obj, with_id: bool) -> Written:
        """A permanent or card as a mapping; the timestamp stands where the written order would give another."""
        out: Written = {}
        form = self.game.written.get(o.id)
        if isinstance(form, CardForm):
            out["emblem"] = form.emblem
        else:
            out |= self.card_and_face(o)
        if with_id:
            out["id"] = o.id
        self.timestamp(out, o)
        self.state(out, o)
        return out

    def state(self, out: Written, o: Obj) -> None:
        for key in ("tapped", "sick", "damage", "attached_to", "attacking", "face_down", "phased_out", "token", "x"):
            _put(out, key, getattr(o, key), _DEFAULTS[key])
        for key in ("commander", "casts"):
            _put(out, key, getattr(o, key), _DEFAULTS[key])
        for key in ("blocking", "noted", "goaded_by", "activated"):
            _put(out, key, list(getattr(o, key)), [])
        _put(out, "counters", dict(o.counters), {})
        _put(out, "owner", o.owner, o.controller)
        _put(out, "chosen", _chosen(o.chosen), {})
        _put(out, "imprinted", [self.card(c) for c in o.imprinted], [])
        _put(out, "entered", "this_turn" if o.entered_this_turn else None, None)
        if o.copy_of is not None:
            out["copy_of"] = self.card(o.copy_of, o.copy_of.faces[o.copy_face].name if o.copy_face else "")

    def timestamp(self, out: Written, o: Obj) -> None:
        if o.zone in TIMED:
            self.clock += 1
        default = self.clock if o.zone in TIMED else 0
        if o.timestamp != default:
            out["timestamp"] = int(o.timestamp) if float(o.timestamp).is_integer() else o.timestamp

    def card_and_face(self, o: Obj) -> Written:
        """The card by the name that its id comes from, and the face where that name means another one."""
        form = self.game.written.get(o.id)
        written = _name_in(o)
        face = next((n for n, face in enumerate(o.card.faces) if face.name == written != o.card.name), 0)
        out: Written = {
            "card": msgspec.to_builtins(form) if isinstance(form, InlineCard) else self.card(o.card, written)
        }
        if o.face != (0 if isinstance(form, InlineCard) else face):
            out["face"] = o.card.faces[o.face].name
        return out

    def card(self, card: Card, name: str = "") -> Any:
        inline = self.game.written.get(WRITTEN_CARDS, {}).get(card.name)
        if inline is not None:
            return msgspec.to_builtins(inline)
        return name or card.name

    # stack, effects, turn

    def stack_item(self, o: Obj) -> Written:
        form = self.game.written.get(o.id)
        out: Written = {}
        if isinstance(form, StackForm):
            out["ability"] = form.ability
        elif o.card.layout == "ability":
            out["ability"] = o.card.name
        else:
            out |= self.card_and_face(o)
        out["controller"] = o.controller
        if o.id in self.named:
            out["id"] = o.id
        _put(out, "owner", o.owner, o.controller)
        for key in ("x", "source", "from_zone"):
            _put(out, key, getattr(o, key), None)
        _put(out, "targets", list(o.targets), [])
        choices = _chosen(o.chosen)
        _put(choices, "modes", list(o.modes), [])
        _put(out, "choices", choices, {})
        return out

    def effect(self, o: Obj) -> Written:
        form = self.game.written.get(o.id)
        source = form if isinstance(form, EffectForm) else EffectForm(text=o.card.name)
        out: Written = {"controller": o.controller, **msgspec.to_builtins(source)}
        if o.id in self.named:
            out["id"] = o.id
        self.timestamp(out, o)
        _put(out, "targets", list(o.targets), [])
        _put(out, "chosen", _chosen(o.chosen), {})
        _put(out, "x", o.x, None)
        return out

    def turn(self) -> Written:
        turn = self.game.turn
        out: Written = {"active": turn.active, "step": turn.step, "priority": turn.priority}
        _put(out, "number", turn.number, 1)
        if turn.during_cast is not None:
            out["during"] = {"cast": turn.during_cast}
        if turn.during_activate is not None:
            out["during"] = {"activate": turn.during_activate[0], "ability": turn.during_activate[1]}
        return out


_DEFAULTS = dict(zip(PermanentForm.__struct_fields__[1:], PermanentForm.__struct_defaults__, strict=True))


def _put(out: Written, key: str, value: Any, default: Any) -> None:
    if value != default:
        out[key] = value


def _holder(o: Obj) -> str:
    """The player under whom an object is written."""
    return o.controller


def _name_in(o: Obj) -> str:
    """The name that an object's default id comes from: that of a face, or the card's."""
    base = _NUMBER.sub("", o.id)
    return base if any(base == face.name for face in o.card.faces) else o.card.name


def _next_id(name: str, counts: dict[str, int], taken: set[str]) -> str:
    while True:
        counts[name] = n = counts.get(name, 0) + 1
        id_ = name if n == 1 else f"{name}#{n}"
        if id_ not in taken:
            taken.add(id_)
            return id_


def _grouped(items: Iterable[str | Written]) -> list[Any]:
    """Equal short forms in a row are written with their count."""
    out: list[Any] = []
    counts: list[int] = []
    for item in items:
        if out and isinstance(item, str) and out[-1] == item:
            counts[-1] += 1
        else:
            out.append(item)
            counts.append(1)
    return [f"{n} {item}" if n > 1 else item for n, item in zip(counts, out, strict=True)]


def _chosen(chosen: Chosen) -> Written:
    stated = {key: getattr(chosen, key) for key in chosen.__struct_fields__}
    return {key: value for key, value in stated.items() if value is not msgspec.UNSET}


# --- edits ----------------------------------------------------------------------------------------------------------


def apply_edits(game: Game, edits: Sequence[Edit], library: Library) -> Game:
    """The game after these edits, one after the other; ids stay what they were. Raises FormatError."""
    for n, edit in enumerate(edits):
        try:
            game = _edited(game, edit, library)
        except FormatError as error:
            raise FormatError(error.text, error.where, error.line, ("what_if", n, *error.path)) from None
    return game


def check_edits(game: Game, edits: Sequence[Edit], library: Library, path: Path = ("flip", "allow")) -> None:
    """Raises FormatError where one of these edits cannot be made by itself."""
    for n, edit in enumerate(edits):
        try:
            _edited(game, edit, library)
        except FormatError as error:
            raise FormatError(error.text, error.where, error.line, (*path, n, *error.path)) from None


def _edited(game: Game, edit: Edit, library: Library) -> Game:
    match edit.verb:
        case "remove":
            return remove(game, _object(game, str(edit.remove), "remove").id)
        case "tap":
            return game.put(_permanent(game, str(edit.tap), "tap").but(tapped=True))
        case "untap":
            return game.put(_permanent(game, str(edit.untap), "untap").but(tapped=False))
        case "add":
            return _added(game, edit, library)
    return _set(game, edit, library)


def _object(game: Game, ref: str, key: str, among: Iterable[Obj] | None = None) -> Obj:
    pool = list(game.objects.values() if among is None else among)
    found = resolve(ref, pool)
    if found is None:
        near = did_you_mean(ref, [o.id for o in pool])
        raise FormatError(f"nothing here has the id {ref!r}{near}", path=(key,))
    return found


def _permanent(game: Game, ref: str, key: str) -> Obj:
    return _object(game, ref, key, [o for o in game.objects.values() if o.zone == "battlefield"])


def remove(game: Game, id_: str) -> Game:
    """The game without an object. Auras on it go as well (704.5m), Equipment and the like stay behind (704.5n)."""
    gone = {id_}
    while True:
        auras = {o.id for o in game.objects.values() if o.attached_to in gone and "Aura" in o.printed.subtypes}
        if auras <= gone:
            break
        gone |= auras
    left = game.without(gone)
    changed = []
    for o in left.objects.values():
        changes: dict[str, Any] = {}
        if o.attached_to in gone:
            changes["attached_to"] = None
        if o.attacking in gone:
            changes["attacking"] = None
        if gone.intersection(o.blocking):
            changes["blocking"] = tuple(b for b in o.blocking if b not in gone)
        if gone.intersection(o.targets):
            changes["targets"] = tuple(t for t in o.targets if t not in gone)
        if o.source in gone:
            changes["source"] = None
        if changes:
            changed.append(o.but(**changes))
    stack = tuple(i for i in left.stack if i not in gone)
    written = {key: form for key, form in left.written.items() if key not in gone}
    return msgspec.structs.replace(left.put(*changed), stack=stack, written=written)


def _added(game: Game, edit: Edit, library: Library) -> Game:
    player = _player(game, edit.to, "to")
    builder = Builder.going_on(game, library)
    item: Any = edit.add
    if edit.zone == "stack":
        raise FormatError("what is on the stack is written in stack, not added", path=("zone",))
    if edit.zone != "battlefield" and isinstance(item, PermanentForm):
        item = strict(msgspec.to_builtins(item), CardForm, ("add",))
    with builder.at("add"):
        if isinstance(getattr(item, "id", None), str):
            builder.reserve(item.id, "id")
        builder.zone_item(player, edit.zone, item, ())
    return _built(game, builder)


def _player(game: Game, name: str | None, key: str) -> str:
    if name is None:
        return game.you
    if name not in game.players:
        known = f"; the players are {', '.join(game.players)}"
        raise FormatError(f"unknown player {name!r}{did_you_mean(name, game.players, known)}", path=(key,))
    return name


def _built(game: Game, builder: Builder, order: Sequence[str] | None = None) -> Game:
    builder.check_references()
    objects = {i: builder.objects[i] for i in order} if order else builder.objects
    return msgspec.structs.replace(game, objects=objects, written=builder.written, lots=(), apart=())


def _set(game: Game, edit: Edit, library: Library) -> Game:
    ref, changes = str(edit.id), edit.set
    assert isinstance(changes, Mapping)
    if ref in game.players and ref not in game.objects:
        return _set_player(game, ref, changes, library)
    o = _object(game, ref, "id", [o for o in game.objects.values() if o.zone in ZONES_OF_PLAYERS])
    if "id" in changes:
        raise FormatError("an id cannot be changed", path=("set", "id"))
    base = _Writer(game).object(o, with_id=True) | {"timestamp": o.timestamp}
    form_type = PermanentForm if o.zone == "battlefield" else CardForm
    form = strict({**base, **changes}, form_type, ("set",))
    builder = Builder.going_on(game, library)
    del builder.objects[o.id]
    if "card" in changes:
        builder.written.pop(o.id, None)
    with builder.at("set"):
        builder.zone_item(o.controller, o.zone, form, ())
    return _built(game, builder, list(game.objects))


def _set_player(game: Game, name: str, changes: Mapping[str, Any], library: Library) -> Game:
    for key in changes:
        if key in ZONES_OF_PLAYERS and not isinstance(changes[key], int):
            raise FormatError("zones are changed with add and remove", path=("set", key))
    writer = _Writer(game)
    base = {key: value for key, value in writer.player(game.players[name]).items() if key not in ZONES_OF_PLAYERS}
    form = strict({**base, **changes}, PlayerForm, ("set",))
    builder = Builder.going_on(game, library)
    with builder.at("set"):
        new = builder.build_player(name, form)
    gone = [i for i, form in game.written.items() if form == UNCLEAR and game.objects[i].controller == name]
    for i in gone:
        builder.objects.pop(i)
        builder.written.pop(i)
        builder.taken.discard(i)
    builder.show_what_is_unclear()
    old = game.players[name]
    kept = {} if "hand" in changes else {"hand_known": old.hand_known, "hand_size": old.hand_size}
    kept |= {} if "library" in changes else {"library_size": old.library_size}
    return _built(game, builder).put_player(new.but(**kept))
