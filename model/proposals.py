"""What is proposed for a spell or an ability, as plain data: announcements with their total cost (601.2b-f, 602.2b).

Rooms before this one say what may be proposed (`casting.py`, `activating.py`), rooms after it whether it can be paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from .abilities import (
    CostChange,
    CostPart,
    Filter,
    Loyalty,
    ManaLimit,
    ManaPart,
    Node,
    PayLife,
    PayPlayerCounters,
    RemoveCounters,
    Stat,
    Target,
    Targets,
    X,
    XRange,
)
from .characteristics import View
from .evaluate import Context, SpellInfo, amount, objects_like
from .game import Unknown
from .mana import Cost, parse_cost
from .spending import Purpose
from .structures import mentions, parts_of
from .targeting import legal_targets
from .timing import (
    Refusal,
    loyalty_timing,
    payers,
)

# What pays for part of a mana cost without being mana (702.51, 702.126, 702.66, 701.67, 702.132).
SubstituteKind = Literal["convoke", "improvise", "delve", "waterbend", "assist"]
SUBSTITUTES: tuple[SubstituteKind, ...] = ("convoke", "improvise", "delve", "waterbend", "assist")


class Substitute(NamedTuple):
    """Objects of which each may pay one generic mana of the total cost, by being tapped or (delve) exiled; with
    `colors`, or one mana of a color that it has. `most`: at most so many. For assist another player pays."""

    kind: SubstituteKind
    what: Filter | None = None
    colors: bool = False
    most: int | None = None


BY_KEYWORD: dict[str, Substitute] = {
    "convoke": Substitute("convoke", Filter(types=("Creature",), controller="you", tapped=False), colors=True),
    "improvise": Substitute("improvise", Filter(types=("Artifact",), controller="you", tapped=False)),
    "delve": Substitute("delve", Filter(zone="graveyard", owner="you")),
    "assist": Substitute("assist"),
}
WATERBEND = Filter(types=("Artifact", "Creature"), controller="you", tapped=False)


class Limit(NamedTuple):
    """What mana alone may pay, with the object whose text says so."""

    limit: ManaLimit
    source: str


class Proposal(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One complete set of announcements and its total cost (601.2b-f).

    `label` is what `using` would name. `mana` is the whole mana cost with X announced; `x_mana` of it is what {X} asks
    for. `parts` is the rest, amounts worked out, life announced for Phyrexian symbols included. Filters in `parts`
    and `substitutes` are read with the object `source` and the player `player` as "you", in `view`: the game while
    costs are paid, a spell being on the stack (601.2a).
    """

    view: View
    player: str
    source: str
    mana: Cost
    parts: tuple[CostPart, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    limits: tuple[Limit, ...] = ()
    purpose: Purpose
    label: tuple[str, ...] = ()
    offered_by: str = ""  # the card that offers the alternative cost
    x: int | None = None
    x_mana: int = 0
    targets: tuple[str, ...] = ()
    modes: tuple[int, ...] = ()
    face: int = 0
    number: int = 0  # of the activated ability
    notes: tuple[Refusal, ...] = ()  # which changes made the total cost

    @property
    def spell(self) -> SpellInfo | None:
        return self.purpose.spell


class Proposals:
    """The proposals for one spell or ability.

    Without X there is one set of them, `with_x(None)`. With X (`has_x`) there is one for each value from 0, of which
    `x_most` is the greatest that anything but mana allows (None: no bound). An empty set has its `refusals`. What could
    not be told about other ways is in `doubts`: a yes by one of the proposals stands, a no does not.
    """

    def __init__(
        self, view: View, ways: Sequence[Way], refusals: Iterable[Refusal] = (), doubts: Iterable[Unknown] = ()
    ) -> None:
        self.view = view  # of the first way
        self._ways = tuple(ways)
        self._refusals: dict[Refusal, None] = dict.fromkeys(refusals)
        self._doubts = tuple(doubts)
        self._doubts_at: dict[int | None, list[Unknown]] = {}
        self._made: dict[int | None, tuple[Proposal, ...]] = {}

    @property
    def has_x(self) -> bool:
        return any(way.has_x for way in self._ways)

    @property
    def x_most(self) -> int | None:
        bounds = [way.x_most() for way in self._ways if way.has_x]
        return None if not bounds or None in bounds else max(b for b in bounds if b is not None)

    @property
    def x_default(self) -> int | None:
        """The X that is announced where none is asked for: the least that may be; None where there is none."""
        return min((way.x_least() for way in self._ways if way.has_x), default=None)

    @property
    def x_compares(self) -> bool:
        return any(way.x_compares() for way in self._ways if way.has_x)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Why what was asked for so far is not there."""
        return tuple(self._refusals)

    @property
    def doubts(self) -> tuple[Unknown, ...]:
        """What would have to be known before what was asked for so far can be denied."""
        return (*self._doubts, *(doubt for doubts in self._doubts_at.values() for doubt in doubts))

    def with_x(self, x: int | None) -> tuple[Proposal, ...]:
        """The proposals with this X; without an X in any cost, those that there are. Raises Unknown when there is
        none for sure and one in doubt."""
        if x not in self._made:
            self._made[x] = undominated(self._make(x))
        doubts = (*self._doubts, *self._doubts_at[x])
        if doubts and not self._made[x]:
            raise doubts[0]
        return self._made[x]

    def _make(self, x: int | None) -> list[Proposal]:
        found: list[Proposal] = []
        doubts = self._doubts_at.setdefault(x, [])
        for way in self._ways:
            try:
                found += way.proposals(x)
                doubts += way.doubts
            except Refused as refused:
                self._refusals.update(dict.fromkeys(refused.refusals))
            except Unknown as unknown:
                doubts.append(unknown)
        return found


class Refused(Exception):
    def __init__(self, *refusals: Refusal) -> None:
        super().__init__(refusals)
        self.refusals = refusals


class Way:
    """One way to cast or activate; `proposals` raises Refused where it can't be. `doubts`: what could make it cheaper
    than the proposals say, and is not stated."""

    has_x = False

    def __init__(self) -> None:
        self.doubts: list[Unknown] = []

    def proposals(self, x: int | None) -> list[Proposal]:
        raise NotImplementedError

    def x_most(self) -> int | None:
        return None

    def x_least(self) -> int:
        return 0

    def x_compares(self) -> bool:
        """Whether X is compared with numbers of objects: then a greater X may do where a smaller one does not."""
        return False


def compares_with_x(nodes: object) -> bool:
    """Whether one of the descriptions compares a number of an object with X ("mana value X")."""
    return any(isinstance(part, Filter) and mentions(part.bounds, X) for part in parts_of(nodes))


def check_range(ranges: Sequence[XRange | None], x: int | None, ctx: Context) -> None:
    """Raises Refused for an X that may not be announced (107.3)."""
    for one in ranges:
        if one is None or x is None:
            continue
        subject = (ctx.source,) if ctx.source else ()
        if x < one.least:
            raise Refused(Refusal("rule", "107.3", subject, f"X can't be less than {one.least}"))
        if one.most is not None and x > (most := amount(one.most, ctx)):
            raise Refused(Refusal("rule", "107.3", subject, f"X can't be greater than {most}"))


def undominated(found: list[Proposal]) -> tuple[Proposal, ...]:
    """Without those that cost at least what another of the same label costs, and differ in nothing else that pays."""
    kept: list[Proposal] = []
    for one in found:
        if not any(_as_good(other, one) for other in kept):
            kept = [other for other in kept if not _as_good(one, other)]
            kept.append(one)
    return tuple(kept)


def _as_good(one: Proposal, other: Proposal) -> bool:
    same = (one.label, one.parts, one.substitutes, one.limits, one.face, one.x, one.offered_by)
    if same != (other.label, other.parts, other.substitutes, other.limits, other.face, other.x, other.offered_by):
        return False
    fewer = not (Counter(one.mana.symbols) - Counter(other.mana.symbols))
    return fewer and one.mana.generic <= other.mana.generic and one.x_mana == other.x_mana


# --- X --------------------------------------------------------------------------------------------------------------


def has_x(part: CostPart) -> bool:
    """Whether an announced X occurs in the part."""
    return has_x_symbol(part) or mentions(part, X) or (isinstance(part, Loyalty) and part.x)


def has_x_symbol(part: CostPart) -> bool:
    return isinstance(part, ManaPart) and parse_cost(part.cost).x > 0


def x_bound(view: View, player: str, part: CostPart, source: str) -> int | None:
    """The greatest X that the part allows; None when it sets no bound of its own."""
    who, obj = view.game.players[player], view.game.objects[source]
    if isinstance(part, PayLife):
        return who.life if isinstance(part.n, X) else None
    if isinstance(part, PayPlayerCounters):
        return who.count(part.kind) if isinstance(part.n, X) else None
    if isinstance(part, Loyalty):
        return obj.count("loyalty") + part.n + loyalty_timing(view, player, source).cost if part.x else None
    if isinstance(part, RemoveCounters):
        ctx = Context(view, source=source, you=player)
        ids = objects_like(part.from_, ctx) if not any(isinstance(b.value, Node) for b in part.from_.bounds) else []
        return sum(view.game.objects[i].count(part.kind) for i in ids) if isinstance(part.n, X) else None
    what = getattr(part, "what", None)
    if isinstance(getattr(part, "n", None), X) and isinstance(what, Filter) and not what.bounds:
        return len(payers(view, player, part, source))
    return None


def x_bound_of_targets(view: View, player: str, info: SpellInfo, targets: Sequence[Target], ctx: Context) -> int | None:
    """The greatest number of targets there could be, where X of them are needed."""
    bounds = [
        len(legal_targets(view, player, info, t, ctx))
        for t in targets
        if isinstance(t.least, X) and not mentions(t.what, X)
    ]
    return min(bounds, default=None)


def sees_targets(node: object) -> bool:
    """Whether a structure looks at what a spell or ability targets."""
    return any(_sees_targets(part) for part in parts_of(node))


def _sees_targets(part: object) -> bool:
    if isinstance(part, CostChange):
        return part.per_target or part.targets is not None
    if isinstance(part, Filter):
        return part.targets is not None or bool(part.targets_player) or part.ref == "target"
    return isinstance(part, Targets) or (isinstance(part, Stat) and part.of == "target")
