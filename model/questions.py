"""The kinds of question as files write them, actions, and lines; cases; the one JSON Schema of the format."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .forms import CardName, Edit, Form, FormatError, Natural, Positive, Situation, ZoneName, one_verb
from .mana import ManaError, parse_cost

Limit: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
XValue: TypeAlias = Natural | Literal["max"] | None


def check_cost(text: str | None, *path: str) -> None:
    """A cost must be readable as soon as a document is read."""
    if text is not None:
        try:
            parse_cost(text)
        except ManaError as error:
            raise FormatError(str(error), path=path) from None


class Flip(Form, kw_only=True):
    """Asks for the smallest sets of these edits that turn the verdict around."""

    allow: tuple[Edit, ...]
    most: Positive = 2


class Query(Form, kw_only=True, tag_field="kind"):
    """What every question may carry."""

    what_if: tuple[Edit, ...] = ()
    flip: Flip | None = None
    explain: bool = True
    lucky: bool = False

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class CouldProduce(Query, kw_only=True, tag="could_produce"):
    """Every type of mana that the permanent could produce (106.7)."""

    permanent: str


class Outcomes(Query, kw_only=True, tag="outcomes"):
    """Everything that a mana ability's mana could be, as if its costs had been paid."""

    permanent: str
    ability: Positive | None = None


class ManaNow(Query, kw_only=True, tag="mana"):
    """The pools that the player could assemble now."""

    player: str | None = None
    limit: Limit = 1000


class Purpose(Form, kw_only=True):
    """What mana is spent for: casting a card or activating an ability."""

    cast: CardName | UnsetType = UNSET
    activate: str | UnsetType = UNSET
    ability: Positive = 1
    zone: ZoneName | None = None  # of the card

    def __post_init__(self) -> None:
        one_verb(self, {"cast": ("zone",), "activate": ("ability", "zone")})


class CanPay(Query, kw_only=True, tag="can_pay"):
    """Can this cost be paid now?"""

    cost: str
    for_: Purpose | None = msgspec.field(default=None, name="for")
    x: XValue = None
    keep: str | None = None
    player: str | None = None
    cause: Literal["cost", "effect"] | None = None  # effect: the cost is asked for while something resolves

    def __post_init__(self) -> None:
        check_cost(self.cost, "cost")
        check_cost(self.keep, "keep")


class UsingAlternative(Form, kw_only=True):
    """An alternative cost that another card offers (118.9)."""

    alternative: str


class CanCast(Query, kw_only=True, tag="can_cast"):
    """May this card be cast now: timing, prohibitions, total cost, payment?"""

    card: CardName
    zone: ZoneName = "hand"
    x: XValue = None
    using: tuple[str | UsingAlternative, ...] | None = None
    targets: tuple[str, ...] | None = None
    keep: str | None = None
    player: str | None = None

    def __post_init__(self) -> None:
        check_cost(self.keep, "keep")


class CanCastAll(Query, kw_only=True, tag="can_cast_all"):
    """Can all of these be cast this step, in some order?"""

    cards: tuple[CardName, ...]
    player: str | None = None


class CanActivate(Query, kw_only=True, tag="can_activate"):
    """May this ability be activated now?"""

    permanent: str | None = None
    card: CardName | None = None
    zone: ZoneName | None = None
    ability: Positive | str = 1
    x: XValue = None
    targets: tuple[str, ...] | None = None
    keep: str | None = None
    player: str | None = None

    def __post_init__(self) -> None:
        if (self.permanent is None) == (self.card is None):
            raise FormatError("say either permanent, or card and zone")
        if self.permanent is not None and self.zone not in (None, "battlefield"):
            raise FormatError(f"a permanent is on the battlefield, not in {self.zone}", path=("zone",))
        check_cost(self.keep, "keep")


class Usable(Query, kw_only=True, tag="usable"):
    """Which permanents occur in some way of paying: a cost as in can_pay, or a card as in can_cast."""

    cost: str | None = None
    for_: Purpose | None = msgspec.field(default=None, name="for")
    x: XValue = None
    keep: str | None = None
    card: CardName | None = None
    zone: ZoneName = "hand"
    using: tuple[str | UsingAlternative, ...] | None = None
    targets: tuple[str, ...] | None = None
    player: str | None = None
    cause: Literal["cost", "effect"] | None = None

    def __post_init__(self) -> None:
        if (self.cost is None) == (self.card is None):
            raise FormatError("say either cost, or card")
        check_cost(self.cost, "cost")
        check_cost(self.keep, "keep")


class Pays(Form, kw_only=True):
    """What one mana of a step pays: a symbol, of what."""

    symbol: str
    for_: str | dict[str, Any] | None = msgspec.field(default=None, name="for")


class Added(Form, kw_only=True):
    """Mana that a triggered mana ability added."""

    source: str
    adds: str | dict[str, int]


class StepForm(Form, kw_only=True):
    """One step of a line or plan: exactly one of activate, cast, pay, play_land."""

    activate: str | UnsetType = UNSET
    cast: CardName | UnsetType = UNSET
    pay: str | UnsetType = UNSET
    play_land: CardName | UnsetType = UNSET
    n: Positive = 1  # of pay: that many times the symbol
    ability: Positive | None = None
    zone: ZoneName | None = None
    x: Natural | None = None
    using: tuple[str | UsingAlternative, ...] = ()
    targets: tuple[str, ...] = ()
    produces: str | dict[str, int] | None = None
    choices: dict[str, Any] = msgspec.field(default_factory=dict)
    order: tuple[str, ...] = ()
    triggered: tuple[Added, ...] = ()
    pays: tuple[Pays, ...] = ()
    with_: dict[str, Any] = msgspec.field(default_factory=dict, name="with")
    phase: Literal["before", "during"] | None = None
    total_cost: str | None = None
    for_: str | dict[str, Any] | None = msgspec.field(default=None, name="for")
    who: str | None = None  # another player, who helps to pay (702.132)

    @property
    def verb(self) -> str:
        return next((v for v in STEP_VERBS if getattr(self, v) is not UNSET), "")

    def __post_init__(self) -> None:
        one_verb(self, STEP_KEYS)


_MAKING = ("choices", "order", "triggered", "with_", "phase", "for_", "who")
_ANNOUNCED = ("x", "using", "targets", "total_cost", "pays")
# Each kind of step with the keys that may stand beside it.
STEP_KEYS: dict[str, tuple[str, ...]] = {
    "activate": ("ability", "zone", "produces", *_ANNOUNCED, *_MAKING),
    "cast": ("zone", *_ANNOUNCED, *_MAKING),
    "pay": ("n", "pays", *_MAKING),
    "play_land": ("zone",),
}
STEP_VERBS = tuple(STEP_KEYS)


class Check(Query, kw_only=True, tag="check"):
    """Is this line legal, step by step?"""

    line: tuple[StepForm, ...]
    player: str | None = None


class Action(Form, kw_only=True):
    """One action: exactly one of ACTION_VERBS, and the keys that go with it."""

    cast: CardName | UnsetType = UNSET
    activate: str | UnsetType = UNSET
    play_land: CardName | UnsetType = UNSET
    tap: str | UnsetType = UNSET
    untap: str | UnsetType = UNSET
    sacrifice: str | UnsetType = UNSET
    discard: CardName | UnsetType = UNSET
    pay_life: Natural | UnsetType = UNSET
    transform: str | UnsetType = UNSET
    put_onto_battlefield: CardName | UnsetType = UNSET
    untap_step: tuple[str, ...] | UnsetType = UNSET
    attack: dict[str, str] | UnsetType = UNSET
    block: dict[str, str | tuple[str, ...]] | UnsetType = UNSET
    who: str | None = None
    ability: Positive | str = 1
    zone: ZoneName | None = None
    x: Natural | None = None
    using: tuple[str | UsingAlternative, ...] | None = None
    targets: tuple[str, ...] | None = None
    cause: Literal["cost", "effect", "cleanup"] | None = None
    source: str | None = None
    transformed: bool = False

    @property
    def verb(self) -> str:
        return next((v for v in ACTION_VERBS if getattr(self, v) is not UNSET), "")

    def __post_init__(self) -> None:
        one_verb(self, ACTION_KEYS, ("who",))


# Each verb with the other keys that may stand beside it (and `who`).
ACTION_KEYS: dict[str, tuple[str, ...]] = {
    "cast": ("zone", "x", "using", "targets"),
    "activate": ("ability", "x", "targets", "zone"),
    "play_land": ("zone",),
    "tap": ("cause", "source"),
    "untap": ("cause", "source"),
    "sacrifice": ("cause", "source"),
    "discard": ("cause", "source"),
    "pay_life": ("cause", "source"),
    "transform": ("cause", "source"),
    "put_onto_battlefield": ("transformed", "zone", "cause", "source"),
    "untap_step": (),
    "attack": (),
    "block": (),
}
ACTION_VERBS = tuple(ACTION_KEYS)


class Legal(Query, kw_only=True, tag="legal"):
    """Is this action legal?"""

    action: Action


class HandSizeOf(Query, kw_only=True, tag="max_hand_size"):
    """The player's maximum hand size (402.2)."""

    player: str | None = None


class Untaps(Query, kw_only=True, tag="untaps"):
    """What untaps in that player's untap step (502.3)."""

    player: str | None = None


class StateBased(Query, kw_only=True, tag="state_based"):
    """The state-based actions performed now (704)."""


class CharacteristicsOf(Query, kw_only=True, tag="characteristics"):
    """What an object is right now, after all layers (613)."""

    object: str
    zone: ZoneName | None = None


Question: TypeAlias = Union[  # noqa: UP007
    CouldProduce,
    Outcomes,
    ManaNow,
    CanPay,
    CanCast,
    CanCastAll,
    CanActivate,
    Usable,
    Check,
    Legal,
    HandSizeOf,
    Untaps,
    StateBased,
    CharacteristicsOf,
]

QUESTIONS: dict[str, type[Query]] = {str(q.__struct_config__.tag): q for q in Question.__args__}


class Case(Form, kw_only=True):
    """One case of an audit. `rule` and `sure` are remarks for people."""

    id: str
    situation: Situation
    query: Question
    expect: dict[str, Any] | UnsetType = UNSET
    source: str | None = None
    note: str | None = None
    rule: str | tuple[str, ...] | None = None
    sure: str | None = None


# What `expect` may name: the verdict and the values that answers have beside it.
# fmt: off
EXPECT_KEYS: tuple[str, ...] = (
    "verdict", "types", "outcomes", "maximal", "count", "must", "may", "stays", "usable", "actions", "x", "size",
    "total_cost", "at", "spent", "unbounded", "flips", "restricted", "name", "subtypes", "supertypes", "colors",
    "mana_value", "power", "toughness", "loyalty", "abilities", "color_identity", "because", "rules", "unread",
    "plan", "after", "witnesses", "how",
)
# fmt: on


class AnswerForm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an answer holds, beside its verdict by the kind of question; for the JSON Schema."""

    verdict: Literal["yes", "no", "known", "unknown"]
    types: list[str] | UnsetType = UNSET
    witnesses: dict[str, list[dict[str, Any]]] | UnsetType = UNSET
    outcomes: list[str | dict[str, int]] | UnsetType = UNSET
    how: dict[str, Any] | UnsetType = UNSET
    maximal: list[str | dict[str, int]] | UnsetType = UNSET
    count: int | Literal["more"] | UnsetType = UNSET
    restricted: list[Any] | UnsetType = UNSET
    unbounded: dict[str, Any] | UnsetType = UNSET
    plan: list[StepForm] | UnsetType = UNSET
    spent: dict[str, Any] | UnsetType = UNSET
    x: int | Literal["unbounded"] | UnsetType = UNSET
    total_cost: str | UnsetType = UNSET
    usable: list[str] | UnsetType = UNSET
    at: int | UnsetType = UNSET
    after: dict[str, Any] | UnsetType = UNSET
    size: int | Literal["none"] | UnsetType = UNSET
    must: list[str] | UnsetType = UNSET
    may: list[str] | UnsetType = UNSET
    stays: list[str] | UnsetType = UNSET
    actions: list[dict[str, Any]] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    supertypes: list[str] | UnsetType = UNSET
    subtypes: list[str] | UnsetType = UNSET
    colors: list[str] | UnsetType = UNSET
    color_identity: list[str] | UnsetType = UNSET
    mana_value: int | UnsetType = UNSET
    power: int | UnsetType | None = UNSET
    toughness: int | UnsetType | None = UNSET
    loyalty: int | UnsetType | None = UNSET
    abilities: list[dict[str, Any]] | UnsetType = UNSET
    flips: list[list[Edit]] | UnsetType = UNSET
    because: list[dict[str, Any]]
    rules: list[str]
    unread: list[dict[str, Any]] | UnsetType = UNSET
