"""The public format as data: situations, what_if edits and actions, exactly as files write them.

Every structure is strict: a key that is not listed here is an error. What a key means is in docs/format.md; how the
structures become a Game is in setup.py, and how files are read is in documents.py. Defaults are left out when a
structure is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .game import STEPS

Natural: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
Step: TypeAlias = Literal[
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
]
ZoneName: TypeAlias = Literal["battlefield", "stack", "hand", "graveyard", "exile", "library", "command"]
ManaForm: TypeAlias = str | dict[str, Natural]

Path: TypeAlias = tuple[str | int, ...]


class Lines(dict[Path, int]):
    """The line of every path of a document, as far as they are known."""


DEEPEST = 60  # no document is nested deeper


class FormatError(ValueError):
    """A document that cannot be read or asked: what is wrong, in which file and line, under which key.

    `text` is the reason alone; `str()` is one line with everything that is known.
    """

    def __init__(self, text: str, where: str = "", line: int | None = None, path: Path = ()) -> None:
        super().__init__(text, where, line, path)
        self.text = text
        self.where = where
        self.line = line
        self.path = path

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.where, self.line) if part not in ("", None))
        if not self.where and self.line is not None:
            place = f"line {self.line}"
        shown = ": ".join(part for part in (place, key_path(self.path), self.text) if part)
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown)  # always one line

    def placed(self, where: str, line: int | None) -> FormatError:
        """The same error with its place, where it has none yet."""
        return FormatError(self.text, self.where or where, self.line if self.line is not None else line, self.path)


def key_path(path: Path) -> str:
    """A path as people write it: `players.alice.battlefield[2].card`; list items count from 1."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part + 1}]"
        else:
            out += f".{part}" if out else part
    return out


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all structures of the format."""


def one_verb(form: Form, verbs: Mapping[str, tuple[str, ...]], always: tuple[str, ...] = ()) -> None:
    """Exactly one of these keys stands in the structure, and beside it only keys that go with it."""
    defaults = zip(form.__struct_fields__, form.__struct_defaults__, strict=True)
    stated = [field for field, default in defaults if _stated(getattr(form, field), default)]
    used = [f for f in stated if f in verbs]
    if len(used) != 1:
        what = f"one of {', '.join(verbs)} is needed" if not used else f"{' and '.join(used)} exclude each other"
        raise FormatError(what)
    for key in stated:
        if key not in (used[0], *verbs[used[0]], *always):
            goes = ", ".join((*verbs[used[0]], *always)) or "nothing"
            raise FormatError(f"{key.rstrip('_')} does not go with {used[0]}; with it may stand {goes}")


def _stated(value: Any, default: Any) -> bool:
    if not isinstance(default, str | int | tuple | type(None) | UnsetType):
        return bool(value)  # made by a factory: an empty list or mapping
    return value is not UNSET and value != default


# --- cards ----------------------------------------------------------------------------------------------------------


class InlineCard(Form, kw_only=True):
    """A card that is written out, in Scryfall's field names."""

    name: str = ""  # of a card with faces it may be left out
    mana_cost: str | None = None
    type_line: str = ""
    oracle_text: str = ""
    power: str | int | None = None
    toughness: str | int | None = None
    loyalty: str | int | None = None
    defense: str | int | None = None
    colors: tuple[str, ...] | None = None
    color_indicator: tuple[str, ...] | None = None
    color_identity: tuple[str, ...] | None = None
    layout: str | None = None
    card_faces: tuple[InlineFace, ...] | None = None


class InlineFace(Form, kw_only=True):
    """One face of a card that is written out."""

    name: str
    mana_cost: str | None = None
    type_line: str = ""
    oracle_text: str = ""
    power: str | int | None = None
    toughness: str | int | None = None
    loyalty: str | int | None = None
    defense: str | int | None = None
    colors: tuple[str, ...] | None = None
    color_indicator: tuple[str, ...] | None = None


CardName: TypeAlias = str | InlineCard


class Choices(Form, kw_only=True):
    """Choices that were made for an object; null says that none was ever made (CR 607.2d)."""

    color: str | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    name: str | UnsetType | None = UNSET
    number: int | UnsetType | None = UNSET
    player: str | UnsetType | None = UNSET
    mode: str | int | UnsetType | None = UNSET


class CardForm(Form, kw_only=True):
    """A card in any zone. The keys of permanents are in PermanentForm."""

    card: CardName | UnsetType = UNSET
    emblem: str | UnsetType = UNSET  # in the command zone: the emblem that this card makes (114)
    id: str | None = None
    face: str | None = None
    owner: str | None = None
    counters: dict[str, Natural] = {}
    chosen: Choices = Choices()
    imprinted: tuple[CardName, ...] = ()
    noted: str | int | tuple[str, ...] = ()
    face_down: bool = False
    timestamp: float | None = None
    commander: bool = False
    casts: Natural = 0
    entered: Literal["this_turn"] | None = None  # into a graveyard, for "if it was put there this turn"


class PermanentForm(Form, kw_only=True):
    """A permanent (110)."""

    card: CardName
    id: str | None = None
    tapped: bool = False
    sick: bool = False
    counters: dict[str, Natural] = {}
    attached_to: str | None = None
    attacking: str | None = None
    blocking: str | tuple[str, ...] = ()
    damage: Natural = 0
    chosen: Choices = Choices()
    imprinted: tuple[CardName, ...] = ()
    noted: str | int | tuple[str, ...] = ()
    face: str | None = None
    face_down: bool = False
    phased_out: bool = False
    owner: str | None = None
    copy_of: CardName | None = None
    timestamp: float | None = None
    entered: Literal["this_turn"] | None = None
    goaded_by: tuple[str, ...] = ()
    activated: tuple[Positive, ...] = ()
    token: bool = False
    x: Natural | None = None
    commander: bool = False
    casts: Natural = 0


# --- players, turn, stack, effects ----------------------------------------------------------------------------------


class PoolForm(Form, kw_only=True):
    """Some mana in a pool, with what matters about it (106.6, 107.4h)."""

    mana: ManaForm
    only: str | dict[str, Any] | None = None  # words; or, as answers write it, the structure that words compile to
    snow: bool = False
    source: str | None = None
    riders: tuple[str, ...] = ()


class PlayerForm(Form, kw_only=True, dict=True):
    """One player. A zone that is not written is empty; a library and another player's hand are unknown then."""

    life: int = 20
    battlefield: tuple[str | PermanentForm, ...] = ()
    hand: Natural | tuple[str | CardForm, ...] | None = None
    graveyard: tuple[str | CardForm, ...] = ()
    exile: tuple[str | CardForm, ...] = ()
    command: tuple[str | CardForm, ...] = ()
    library: Natural | tuple[str | CardForm, ...] | None = None
    mana_pool: str | dict[str, Natural] | tuple[PoolForm, ...] = ""
    lands_played: Natural = 0
    cast_this_turn: tuple[CardName, ...] = ()
    this_turn: dict[str, int | bool] = {}
    counters: dict[str, Natural] = {}
    starting_life: int = 20

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones in the order in which they were written: default ids are numbered in it."""
        return self.__dict__.get("zones_as_written", ZONES_OF_PLAYERS)


# What `this_turn` may hold: numbers of this turn's history, and the standing of a player.
# fmt: off
HISTORY = (
    "life_lost", "life_gained", "drawn", "discarded", "cycled", "sacrificed", "spells_cast", "lands_played",
    "creatures_died", "creatures_attacked", "attacked", "attacked_this_step", "opponents_attacked",
    "opponents_damaged", "crimes", "descended", "drew_from_empty", "speed",
    "monarch", "initiative", "citys_blessing", "max_speed", "completed_dungeon", "day", "night", "delirium",
    "miracle", "madness",
)
# fmt: on

ZONES_OF_PLAYERS = ("battlefield", "hand", "graveyard", "exile", "command", "library")


class DuringForm(Form, kw_only=True):
    """What costs are being paid for right now (601.2g-h)."""

    cast: str | UnsetType = UNSET
    activate: str | UnsetType = UNSET
    ability: Positive = 1


class TurnForm(Form, kw_only=True):
    """Whose turn and which step it is, and who has priority."""

    active: str | None = None
    step: Step = "main1"
    priority: str | UnsetType | None = UNSET
    number: Positive = 1
    during: DuringForm | None = None


class StackForm(Form, kw_only=True):
    """A spell, or an ability by its text, on the stack."""

    card: CardName | UnsetType = UNSET
    ability: str | UnsetType = UNSET
    controller: str | None = None
    id: str | None = None
    owner: str | None = None
    source: str | None = None
    face: str | None = None
    x: Natural | None = None
    targets: tuple[str, ...] = ()
    choices: dict[str, Any] = {}
    from_zone: ZoneName | None = None


class EffectForm(Form, kw_only=True):
    """An effect that goes on applying with no permanent: what a card's spell or ability leaves behind, or a text."""

    card: CardName | UnsetType = UNSET
    text: str | UnsetType = UNSET
    controller: str | None = None
    ability: Positive | None = None
    targets: tuple[str, ...] = ()
    chosen: Choices = Choices()
    x: Natural | None = None
    timestamp: float | None = None
    id: str | None = None


class Situation(Form, kw_only=True):
    """A whole situation."""

    players: Annotated[dict[str, PlayerForm], Meta(min_length=1)]
    you: str | None = None
    turn: TurnForm = TurnForm()
    stack: tuple[StackForm | str, ...] = ()
    effects: tuple[EffectForm, ...] = ()

    @property
    def asker(self) -> str:
        return self.you if self.you is not None else next(iter(self.players))


# --- edits ----------------------------------------------------------------------------------------------------------


class Edit(Form, kw_only=True):
    """One change of a situation, made before a question is asked: exactly one of remove, add, tap, untap, set."""

    remove: str | UnsetType = UNSET
    add: str | PermanentForm | UnsetType = UNSET
    to: str | None = None
    zone: ZoneName = "battlefield"
    tap: str | UnsetType = UNSET
    untap: str | UnsetType = UNSET
    set: dict[str, Any] | UnsetType = UNSET
    id: str | None = None

    @property
    def verb(self) -> str:
        return next((v for v in EDIT_VERBS if getattr(self, v) is not UNSET), "")

    def __post_init__(self) -> None:
        one_verb(self, EDIT_KEYS)
        if self.set is not UNSET and self.id is None:
            raise FormatError("id is missing: set changes the object with that id")


# Each verb with the keys that may stand beside it.
EDIT_KEYS: dict[str, tuple[str, ...]] = {
    "remove": (),
    "add": ("to", "zone"),
    "tap": (),
    "untap": (),
    "set": ("id",),
}
EDIT_VERBS = tuple(EDIT_KEYS)

assert Step.__args__ == STEPS  # the literal and the list that rooms use are one list
