"""A game as the rules rooms see it: objects with their cards, players, turn. Immutable; changes make a new Game.

`situation.py` reads the public format and builds a Game; `characteristics.py` adds what every object is right now
(a View); everything else reads those two. An object that is no permanent but goes on applying (an effect of a spell
that has resolved, an emblem) is an object too, in the zone "effect" or "command", whose card holds its abilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from .abilities import Ability, Card, Condition, Face, SpendOnly, StaticEffect
from .mana import Cost

GameZone = Literal["battlefield", "stack", "hand", "graveyard", "exile", "library", "command", "effect"]

STEPS = (
    "untap",
    "upkeep",
    "draw",
    "main1",
    "combat_begin",
    "attackers",
    "blockers",
    "damage",
    "combat_end",
    "main2",
    "end",
    "cleanup",
)

# After so many changes it is no longer kept which of the other objects are alike (Game.lots).
MOST_APART = 64


class Unknown(Exception):
    """The answer rests on something that the situation does not state, or that is not modelled; says what.

    `code` is one of the answer codes; `objects` are the ids that it is about.
    """

    def __init__(self, text: str, code: str = "not_stated", objects: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.objects = objects


class Chosen(msgspec.Struct, frozen=True):
    """Choices made for an object. A field that is UNSET was not stated; None means that none was ever made."""

    color: str | msgspec.UnsetType | None = msgspec.UNSET  # a letter
    type: str | msgspec.UnsetType | None = msgspec.UNSET
    name: str | msgspec.UnsetType | None = msgspec.UNSET
    number: int | msgspec.UnsetType | None = msgspec.UNSET
    player: str | msgspec.UnsetType | None = msgspec.UNSET
    mode: str | msgspec.UnsetType | None = msgspec.UNSET


NO_CHOICES = Chosen()


class Obj(msgspec.Struct, frozen=True, kw_only=True):
    """One object of the game. `counters` and the like are sorted tuples so that equal objects compare equal."""

    id: str
    card: Card
    zone: GameZone
    controller: str
    owner: str
    face: int = 0  # which face is up
    timestamp: float = 0
    tapped: bool = False
    sick: bool = False  # came under its controller's control since their turn began (302.6)
    counters: tuple[tuple[str, int], ...] = ()
    attached_to: str | None = None  # an object's id, or a player's name
    attacking: str | None = None
    blocking: tuple[str, ...] = ()
    damage: int = 0
    chosen: Chosen = NO_CHOICES
    imprinted: tuple[Card, ...] = ()
    noted: tuple[str, ...] = ()
    face_down: bool = False
    phased_out: bool = False
    copy_of: Card | None = None
    copy_face: int = 0
    entered_this_turn: bool = False
    goaded_by: tuple[str, ...] = ()
    activated: tuple[int, ...] = ()  # ability numbers activated this turn
    token: bool = False
    x: int | None = None  # of the spell that became it, or of this spell
    commander: bool = False
    casts: int = 0  # times cast from the command zone
    targets: tuple[str, ...] = ()  # of a spell, ability or effect
    modes: tuple[int, ...] = ()
    from_zone: str | None = None  # of a spell: where it was cast from
    source: str | None = None  # of an ability on the stack, or an effect

    def count(self, kind: str) -> int:
        """Counters of one kind, or of all kinds for ""."""
        return sum(n for k, n in self.counters if not kind or k == kind)

    @property
    def printed(self) -> Face:
        """The face whose characteristics count here (712.8): front faces alone off battlefield and stack."""
        if self.zone == "battlefield" and self.copy_of is not None:
            return self.copy_of.faces[self.copy_face]
        if self.zone in ("battlefield", "stack"):
            return self.card.faces[self.face]
        return self.card.faces[self.face if self.card.layout in ("split", "adventure") else 0]

    def but(self, **changes: object) -> Obj:
        return msgspec.structs.replace(self, **changes)

    def with_counters(self, kind: str, change: int) -> Obj:
        have = dict(self.counters)
        have[kind] = have.get(kind, 0) + change
        return self.but(counters=tuple(sorted((k, n) for k, n in have.items() if n)))


class ManaKind(NamedTuple):
    """What matters about mana in a pool: its type, what it may be spent on, whether it is snow, and its source."""

    type: str
    only: SpendOnly | None = None
    snow: bool = False
    source: str | None = None
    riders: tuple[str, ...] = ()


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player. `pool` maps kinds of mana to amounts, sorted. `this_turn` holds what the situation states of
    this turn's history; what it does not name did not happen."""

    name: str
    life: int = 20
    pool: tuple[tuple[ManaKind, int], ...] = ()
    lands_played: int = 0
    cast_this_turn: tuple[Card, ...] = ()
    this_turn: tuple[tuple[str, int], ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    library_size: int | None = None  # None: unknown
    hand_known: bool = True
    hand_size: int | None = None  # of a hand that is not known: how many cards, if that is stated
    starting_life: int = 20

    def but(self, **changes: object) -> Player:
        return msgspec.structs.replace(self, **changes)

    def count(self, kind: str) -> int:
        return sum(n for k, n in self.counters if k == kind)

    def history(self, key: str) -> int:
        return sum(n for k, n in self.this_turn if k == key)

    def add_mana(self, kind: ManaKind, n: int) -> Player:
        """The player with `n` more of that mana (fewer, when negative); none is not kept in the pool."""
        have = dict(self.pool)
        have[kind] = have.get(kind, 0) + n
        return self.with_pool(have)

    def with_pool(self, pool: Mapping[ManaKind, int]) -> Player:
        """The player with just this mana."""
        return self.but(pool=tuple(sorted(((k, m) for k, m in pool.items() if m), key=_pool_order)))


def _pool_order(unit: tuple[ManaKind, int]) -> tuple[object, ...]:
    """Some fixed order, so that equal pools are equal tuples."""
    kind = unit[0]
    only = repr(kind.only) if kind.only is not None else ""
    return kind.type, kind.source or "", kind.snow, only, kind.riders


class TurnState(msgspec.Struct, frozen=True):
    """Whose turn and step it is, who has priority, and what is being paid for (`during`) if anything."""

    active: str
    step: str = "main1"
    priority: str | None = None
    number: int = 1
    during_cast: str | None = None  # id of the card being cast
    during_activate: tuple[str, int] | None = None


class Game(msgspec.Struct, frozen=True, eq=False):
    """The whole game. `objects` keeps the written order; `stack` lists ids, bottom first. Games are equal whatever is
    known about their lots."""

    you: str
    players: Mapping[str, Player]  # in turn order
    objects: Mapping[str, Obj]
    turn: TurnState
    stack: tuple[str, ...] = ()
    # How the situation wrote what no library holds (inline cards, emblems, effects), by object id: to write it again.
    written: Mapping[str, Any] = {}
    # All objects, those together that were written alike and differ in id and timestamp alone; () if that is not known.
    # It saves looking at each of a hundred Forests. `apart`: what has changed since, and is like nothing else.
    lots: tuple[tuple[str, ...], ...] = ()
    apart: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._told() == other._told()

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (mappings have none)

    def _told(self) -> tuple[object, ...]:
        return self.you, self.players, self.objects, self.turn, self.stack, self.written

    def opponents(self, of: str) -> tuple[str, ...]:
        return tuple(p for p in self.players if p != of)

    def in_zone(self, zone: str, player: str | None = None) -> Iterator[Obj]:
        """Objects in a zone; on the battlefield and the stack `player` controls them, elsewhere owns them. Phased-out
        permanents are treated as though they did not exist (702.26)."""
        shared = zone in ("battlefield", "stack", "effect")
        for o in self.objects.values():
            if o.zone != zone or o.phased_out:
                continue
            if player is None or player == (o.controller if shared else o.owner):
                yield o

    def put(self, *changed: Obj) -> Game:
        """The game with these objects in place of those with the same ids (or added)."""
        objects = dict(self.objects)
        for o in changed:
            objects[o.id] = o
        return self._with(objects, [o.id for o in changed])

    def without(self, ids: Iterable[str]) -> Game:
        gone = set(ids)
        kept = {k: o for k, o in self.objects.items() if k not in gone}
        return self._with(kept, gone)

    def _with(self, objects: Mapping[str, Obj], changed: Iterable[str]) -> Game:
        lots, apart = self.lots, self.apart
        if lots:
            apart = (*apart, *changed)
            lots, apart = (lots, apart) if len(apart) <= MOST_APART else ((), ())
        return Game(self.you, self.players, objects, self.turn, self.stack, self.written, lots, apart)

    def put_player(self, player: Player) -> Game:
        players = {**self.players, player.name: player}
        return Game(self.you, players, self.objects, self.turn, self.stack, self.written, self.lots, self.apart)


class Has(NamedTuple):
    """One ability that an object has now. `number`: 1-based over its activated abilities (format.md), 0 for others.
    `origin` is "printed", "land" (305.6) or the id of the object whose effect grants it. `line`: of the card."""

    ability: Ability
    number: int
    origin: str
    line: int = 0


class Characteristics(msgspec.Struct, frozen=True):
    """What an object is after all layers (613). `keywords` are lower-case names."""

    name: str
    supertypes: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    colors: str
    mana_cost: Cost | None
    mana_value: int
    power: int | None
    toughness: int | None
    loyalty: int | None
    controller: str
    keywords: frozenset[str]
    abilities: tuple[Has, ...]
    # Aspects ("types", "colors", "abilities", "control", "power", …) that rest on something not stated, and on what.
    unsure: Mapping[str, Unknown] = {}

    def is_a(self, word: str) -> bool:
        """Whether it has this card type, subtype or supertype."""
        return word in self.types or word in self.subtypes or word in self.supertypes


class Active(NamedTuple):
    """A static effect that applies now: its source's id, who "you" is in it, and the effect. `condition`: what must
    hold besides and cannot be told without the event, or rests on something not stated; None if it surely applies."""

    source: str
    you: str
    effect: StaticEffect
    condition: Condition | None = None
