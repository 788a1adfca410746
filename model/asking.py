"""A question is fitted to its game: players and ids must exist, names become ids, defaults are filled in.

After `resolve_question` every permanent, target, source and player of a question is exactly an id or a player's name
of the game, and every card is the id of an object in the zone that the question names; or the name of a face, where
that was asked about; or a whole card name, where no such object is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from .forms import CardName, FormatError, InlineCard, Path
from .game import Game, Obj
from .lookup import Library, did_you_mean, is_known, joined_name, look_up, resolve, unknown_card
from .questions import (
    Action,
    CanActivate,
    CanCast,
    CanCastAll,
    CanPay,
    CharacteristicsOf,
    Check,
    CouldProduce,
    HandSizeOf,
    Legal,
    ManaNow,
    Outcomes,
    Purpose,
    Query,
    StepForm,
    Untaps,
    Usable,
)

Q = TypeVar("Q", bound=Query)

# Zones in which cards are looked for when a question names none, likeliest first.
PLAYED_FROM = ("hand", "command", "graveyard", "exile", "library", "stack")


def resolve_question(question: Q, game: Game, library: Library) -> Q:
    """The question with ids and players of this game. Raises FormatError for what is not there."""
    return _Fitting(game, library).question(question)


class _Fitting:
    def __init__(self, game: Game, library: Library) -> None:
        self.game = game
        self.library = library

    def question(self, q: Q) -> Q:
        changes: dict[str, Any] = {}
        match q:
            case CouldProduce() | Outcomes():
                changes["permanent"] = self.permanent(q.permanent, "permanent")
            case ManaNow() | HandSizeOf() | Untaps():
                changes["player"] = self.player(q.player, "player")
            case CanPay():
                changes["player"] = self.player(q.player, "player")
                changes["for_"] = self.purpose(q.for_, changes["player"])
            case CanCast():
                changes |= self.casting(q)
            case CanCastAll():
                changes |= self.casting_all(q)
            case CanActivate():
                changes |= self.activating(q)
            case Usable():
                changes |= self.using(q)
            case Check():
                changes["player"] = self.player(q.player, "player")
                changes["line"] = tuple(self.step(s, changes["player"], ("line", n)) for n, s in enumerate(q.line))
            case Legal():
                changes["action"] = self.action(q.action)
            case CharacteristicsOf():
                changes["object"] = self.object(q.object, q.zone, "object")
        return msgspec.structs.replace(q, **changes) if changes else q

    # players and objects

    def player(self, name: str | None, *path: str | int) -> str:
        if name is None:
            return self.game.you
        if name in self.game.players:
            return name
        known = f"; the players are {', '.join(self.game.players)}"
        raise FormatError(f"unknown player {name!r}{did_you_mean(name, self.game.players, known)}", path=path)

    def find(self, ref: str, among: Iterable[Obj], what: str, *path: str | int) -> str:
        pool = list(among)
        found = resolve(ref, pool)
        if found is None:
            near = did_you_mean(ref, [o.id for o in pool])
            raise FormatError(f"no {what} {ref!r} is here{near}", path=path)
        return found.id

    def permanent(self, ref: str, *path: str | int) -> str:
        on_battlefield = [o for o in self.game.objects.values() if o.zone == "battlefield"]
        return self.find(ref, on_battlefield, "permanent", *path)

    def object(self, ref: str, zone: str | None, *path: str | int) -> str:
        """An id, or a card's name; with the zone where it could be meant twice."""
        objects = [o for o in self.game.objects.values() if zone in (None, o.zone)]
        exact = ref in self.game.objects and (zone is None or self.game.objects[ref].zone == zone)
        same = [] if exact else _named(ref, objects)
        if len(same) > 1 and not _alike(same):
            zones = " and ".join(dict.fromkeys(o.zone for o in same))
            hint = f" in {zones}: say the zone, or its id" if " and " in zones else ": say its id"
            raise FormatError(f"{ref!r} could be {len(same)} objects{hint}", path=path)
        if same:
            return same[0].id
        return self.find(ref, objects, "object" if zone is None else f"object in {zone}:", *path)

    def thing(self, ref: str, *path: str | int) -> str:
        """An id of any object, or a player's name."""
        if ref in self.game.players and ref not in self.game.objects:
            return ref
        objects = list(self.game.objects.values())
        found = resolve(ref, objects)
        if found is None:
            near = did_you_mean(ref, [*self.game.objects, *self.game.players])
            raise FormatError(f"nothing here has the id {ref!r}{near}", path=path)
        return found.id

    def things(self, refs: Sequence[str] | None, *path: str | int) -> tuple[str, ...] | None:
        return None if refs is None else tuple(self.thing(ref, *path, n) for n, ref in enumerate(refs))

    # cards

    def card(self, name: CardName, zones: Sequence[str], player: str, taken: set[str], *path: str | int) -> CardName:
        """The id of a card in one of these zones that is not taken yet; else the whole name of a card."""
        if isinstance(name, InlineCard):
            return name
        for zone in zones:
            there = [o for o in self.game.objects.values() if o.zone == zone and o.id not in taken]
            mine = [o for o in there if player in (o.controller, o.owner)]
            for o in _named(name, mine) or _named(name, there):
                taken.add(o.id)
                return _face_named(name, o) or o.id
        return self.card_elsewhere(name, taken, *path)

    def card_elsewhere(self, name: str, taken: set[str], *path: str | int) -> str:
        if name in taken:
            return name
        found = look_up(self.library, name)
        if found is not None:
            whole = found.card.name
            return found.card.faces[found.face].name if found.face else whole
        same = _named(name, self.game.objects.values())
        if same:
            return same[0].card.name
        near = did_you_mean(name, [o.id for o in self.game.objects.values()])
        raise FormatError(f"unknown card {name!r}{near}" if near else unknown_card(self.library, name), path=path)

    # kinds

    def purpose(self, purpose: Purpose | None, player: str) -> Purpose | None:
        if purpose is None:
            return None
        changes: dict[str, Any] = {}
        if purpose.cast is not UNSET:
            zones = (purpose.zone,) if purpose.zone else PLAYED_FROM
            changes["cast"] = self.card(purpose.cast, zones, player, set(), "for", "cast")  # type: ignore[arg-type]
        if purpose.activate is not UNSET:
            zone = purpose.zone or self.zone_of(str(purpose.activate))
            changes["activate"] = self.object(str(purpose.activate), zone, "for", "activate")
        return msgspec.structs.replace(purpose, **changes)

    def zone_of(self, ref: str) -> str | None:
        """What is activated is a permanent where one is meant at all."""
        on_battlefield = [o for o in self.game.objects.values() if o.zone == "battlefield"]
        return "battlefield" if resolve(ref, on_battlefield) else None

    def casting(self, q: CanCast) -> dict[str, Any]:
        player = self.player(q.player, "player")
        return {
            "player": player,
            "card": self.card(q.card, (q.zone,), player, set(), "card"),
            "using": self.offers(q.using, "using"),
            "targets": self.things(q.targets, "targets"),
        }

    def casting_all(self, q: CanCastAll) -> dict[str, Any]:
        player = self.player(q.player, "player")
        taken: set[str] = set()
        cards = []
        for n, card in enumerate(q.cards):
            try:
                cards.append(self.card(card, PLAYED_FROM, player, taken, "cards", n))
            except FormatError:
                whole = joined_name(str(card), q.cards, lambda name: is_known(self.library, name))
                if whole is None:
                    raise
                raise FormatError(f'{whole!r} is one card: quote it, "{whole}"', path=("cards", n)) from None
        return {"player": player, "cards": tuple(cards)}

    def activating(self, q: CanActivate) -> dict[str, Any]:
        player = self.player(q.player, "player")
        changes = {"player": player, "targets": self.things(q.targets, "targets")}
        if q.permanent is not None:
            return changes | {"permanent": self.permanent(q.permanent, "permanent")}
        zones = (q.zone,) if q.zone else PLAYED_FROM
        assert q.card is not None
        return changes | {"card": self.card(q.card, zones, player, set(), "card")}

    def using(self, q: Usable) -> dict[str, Any]:
        player = self.player(q.player, "player")
        changes: dict[str, Any] = {"player": player, "for_": self.purpose(q.for_, player)}
        if q.card is not None:
            changes["card"] = self.card(q.card, (q.zone,), player, set(), "card")
            changes["using"] = self.offers(q.using, "using")
            changes["targets"] = self.things(q.targets, "targets")
        return changes

    def offers(self, using: Sequence[Any] | None, *path: str | int) -> tuple[Any, ...] | None:
        """Alternative costs that other cards offer are named by those cards' ids."""
        if using is None:
            return None
        out = []
        for n, way in enumerate(using):
            if not isinstance(way, str):
                same = _named(way.alternative, self.game.objects.values())
                if not same and look_up(self.library, way.alternative) is None:
                    near = did_you_mean(way.alternative, self.game.objects)
                    raise FormatError(f"nothing here is {way.alternative!r}{near}", path=(*path, n, "alternative"))
                way = msgspec.structs.replace(way, alternative=same[0].id if same else way.alternative)
            out.append(way)
        return tuple(out)

    def step(self, step: StepForm, player: str, path: Path) -> StepForm:
        changes: dict[str, Any] = {}
        if step.activate is not UNSET:
            zone = step.zone or self.zone_of(str(step.activate))
            changes["activate"] = self.object(str(step.activate), zone, *path, "activate")
        for verb in ("cast", "play_land"):
            card = getattr(step, verb)
            if card is not UNSET:
                zones = (step.zone,) if step.zone else PLAYED_FROM
                changes[verb] = self.card(card, zones, player, set(), *path, verb)
        if step.targets:
            changes["targets"] = self.things(step.targets, *path, "targets")
        return msgspec.structs.replace(step, **changes)

    def action(self, action: Action) -> Action:
        who = self.player(action.who, "action", "who")
        changes: dict[str, Any] = {"who": who, "targets": self.things(action.targets, "action", "targets")}
        verb = action.verb
        value = getattr(action, verb)
        here = ("action", verb)
        if action.source is not None:
            changes["source"] = self.thing(action.source, "action", "source")
        if verb in ("tap", "untap", "sacrifice", "transform"):
            changes[verb] = self.permanent(value, *here)
        elif verb == "activate":
            changes[verb] = self.object(value, action.zone or self.zone_of(value), *here)
        elif verb in ("cast", "play_land", "put_onto_battlefield"):
            zones = (action.zone,) if action.zone else PLAYED_FROM
            changes[verb] = self.card(value, zones, who, set(), *here)
        elif verb == "discard":
            changes[verb] = self.card(value, ("hand",), who, set(), *here)
        elif verb == "untap_step":
            changes[verb] = tuple(self.permanent(ref, *here, n) for n, ref in enumerate(value))
        elif verb == "attack":
            changes[verb] = {self.permanent(a, *here, a): self.thing(d, *here, a) for a, d in value.items()}
        elif verb == "block":
            changes[verb] = {self.permanent(b, *here, b): self.blocked(a, *here, b) for b, a in value.items()}
        if action.using is not None:
            changes["using"] = self.offers(action.using, "action", "using")
        return msgspec.structs.replace(action, **changes)

    def blocked(self, attackers: str | tuple[str, ...], *path: str | int) -> tuple[str, ...]:
        refs = (attackers,) if isinstance(attackers, str) else attackers
        return tuple(self.permanent(ref, *path) for ref in refs)


def _face_named(name: str, o: Obj) -> str | None:
    """The name of the face that is meant, where it is not the card (or the object) that is named: a face's name means
    the card as that face. The whole name means the card as any of them, also where it is written by one."""
    from .cards.names import key_of

    if name == o.id or len(o.card.faces) == 1 or key_of(name) == key_of(o.id):
        return None
    if key_of(name) == key_of(o.card.name):
        return o.card.name
    return next((face.name for face in o.card.faces if key_of(face.name) == key_of(name)), None)


def _named(ref: str, objects: Iterable[Obj]) -> list[Obj]:
    """The object with that id, else those of that name (of the card or a face)."""
    from .cards.names import key_of

    found = list(objects)
    exact = [o for o in found if o.id == ref]
    if exact:
        return exact
    key = key_of(ref)
    return [
        o for o in found if key in (key_of(o.id), key_of(o.card.name), *(key_of(face.name) for face in o.card.faces))
    ]


def _alike(objects: Sequence[Obj]) -> bool:
    """Whether it does not matter which of these is meant: equal but for id and timestamp, in one hidden zone."""
    first = objects[0].but(id="", timestamp=0)
    return objects[0].zone not in ("battlefield", "stack") and all(o.but(id="", timestamp=0) == first for o in objects)
