"""What mana may be spent on, and as what (106.6, 118.14, 609.4b): decided here for solver and referee alike."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from .abilities import SpendAs, SpendOnly
from .characteristics import View
from .evaluate import Context, SpellInfo, holds, matches, matches_spell, players_of
from .game import ManaKind
from .mana import TYPES, Cost, Way, ways_to_pay
from .timing import life_refusal


class Purpose(NamedTuple):
    """What a cost is paid for: casting a spell, activating an ability of `source`, or neither (a cost asked for as
    something resolves). `keyword` is that of the ability or of the way of casting; `has_x`, `has_c`: the cost
    contains {X}, or {C}."""

    kind: Literal["none", "spell", "ability"] = "none"
    spell: SpellInfo | None = None
    source: str | None = None
    keyword: str = ""
    has_x: bool = False
    has_c: bool = False
    for_mana: bool = False  # the ability is a mana ability


def purpose_of_cost(cost: Cost) -> Purpose:
    """The purpose of a bare cost, for which no spending context is stated."""
    return Purpose(has_x=cost.x > 0, has_c=any("C" in s for s in cost.symbols))


def may_spend(only: SpendOnly | None, purpose: Purpose, view: View, player: str) -> bool:
    """Whether mana with this restriction may be spent on the purpose at all."""
    if only is None:
        return True
    ctx = Context(view, source=purpose.source, you=player)
    fits = _fits(only, purpose, ctx)
    if only.forbid:
        return not fits
    # A bare "not for generic costs" restricts symbols, not purposes.
    limited = bool(only.spells or only.abilities or only.purposes)
    return fits if limited else True


def _fits(only: SpendOnly, purpose: Purpose, ctx: Context) -> bool:
    if purpose.spell is not None and any(matches_spell(f, purpose.spell, ctx) for f in only.spells):
        return True
    if purpose.kind == "ability":
        if "ability" in only.purposes:
            return True
        if purpose.source is not None and any(matches(f, purpose.source, ctx) for f in only.abilities):
            return True
    if purpose.keyword and purpose.keyword in only.purposes:
        return True
    return (purpose.has_x and "x" in only.purposes) or (purpose.has_c and "c" in only.purposes)


class Spending(NamedTuple):
    """How one player may spend mana on one purpose: as which types each type of mana counts, and which symbols
    life may pay instead (K'rrik)."""

    counts_as: tuple[str, ...]  # for each of TYPES, the letters it may pay for
    life_symbols: frozenset[str] = frozenset()
    no_life: bool = False  # an effect forbids paying life for this (119.8)
    snow_as: tuple[str, ...] = ()  # the same for mana of snow sources, where that may pay for more

    def pays(self, kind: ManaKind, way: Way, generic: bool) -> bool:
        """Whether one mana of the kind can be one unit of this way to pay a symbol (107.4)."""
        if way.snow and not kind.snow:
            return False
        if generic and kind.only is not None and kind.only.not_generic:
            return False
        if way.types == TYPES:
            return True
        counts = self.snow_as if kind.snow and self.snow_as else self.counts_as
        return any(t in way.types for t in counts[TYPES.index(kind.type)])


_AS_USUAL = Spending(tuple(TYPES))
_AS_LIFE_REFUSED = Spending(tuple(TYPES), no_life=True)


def spending(view: View, player: str, purpose: Purpose) -> Spending:
    """The permissions that apply to the player for the purpose (118.14): they change how a cost may be paid, not the
    cost and not the mana."""
    permissions = view.statics(SpendAs)
    refusal = life_refusal(view, player, spell_or_ability=purpose.kind != "none", mana_ability=purpose.for_mana)
    if not permissions:
        return _AS_LIFE_REFUSED if refusal is not None else _AS_USUAL
    counts = {t: {t} for t in TYPES}
    snow: set[str] = set()
    life: set[str] = set()
    colorless_rest: set[str] | None = None
    for active in permissions:
        effect = active.effect
        assert isinstance(effect, SpendAs)
        if not _is_for(effect, active.you, player, purpose, view, active.source):
            continue
        if active.condition is not None:
            ctx = Context(view, source=active.source, you=active.you, spell=purpose.spell)
            if not holds(active.condition, ctx):  # left open; it may raise Unknown
                continue
        if effect.life_for:
            life.add(effect.life_for)
            continue
        if effect.snow:
            snow |= set(effect.as_types)
            continue
        for t in effect.types:
            counts[t] |= set(effect.as_types)
        if effect.others_colorless:
            rest = {t for t in TYPES if t not in effect.types}
            colorless_rest = rest if colorless_rest is None else colorless_rest & rest
    for t in colorless_rest or ():
        counts[t] = {"C"}
    usual = tuple("".join(sorted(counts[t])) for t in TYPES)
    of_snow = tuple("".join(sorted(counts[t] | snow)) for t in TYPES) if snow else ()
    return Spending(usual, frozenset(life), refusal is not None, of_snow)


def _is_for(effect: SpendAs, you: str, player: str, purpose: Purpose, view: View, source: str) -> bool:
    ctx = Context(view, source=source, you=you)
    if player not in players_of(effect.who, ctx):
        return False
    if effect.anything:
        return True
    if purpose.spell is not None and effect.spells is not None and matches_spell(effect.spells, purpose.spell, ctx):
        return True
    on_ability = purpose.kind == "ability" and purpose.source is not None and effect.abilities is not None
    return on_ability and matches(effect.abilities, purpose.source, ctx)  # type: ignore[arg-type]


class Slot(NamedTuple):
    """One symbol of a cost that has to be paid, `n` times over, and the ways to pay each."""

    symbol: str
    n: int
    ways: tuple[Way, ...]

    def is_generic(self, way: Way) -> bool:
        """Whether this way pays a generic cost (a numeral, or the numeric half of a hybrid symbol): restrictions
        such as "can't be spent to pay generic mana costs" look at that."""
        return way.types == TYPES and not way.snow


@lru_cache(10_000)
def slots(cost: Cost, how: Spending, x_mana: int = 0) -> tuple[Slot, ...]:
    """The symbols of a cost whose X is settled, equal ones together; generic mana is one slot of single units.
    `x_mana` of it is what {X} asks for: a slot of its own, where a limit speaks of it."""
    found = [Slot(s, cost.symbols.count(s), _ways(s, how)) for s in dict.fromkeys(cost.symbols)]
    if cost.generic > x_mana:
        found.append(Slot("{1}", cost.generic - x_mana, (Way(TYPES),)))
    if x_mana:
        found.append(Slot("{X}", x_mana, (Way(TYPES),)))
    return tuple(found)


def _ways(symbol: str, how: Spending) -> tuple[Way, ...]:
    ways = ways_to_pay(symbol)
    # A hybrid symbol announced as {B} is a {B} that life may pay too (601.2b before 601.2h).
    if any(f"{{{way.types}}}" in how.life_symbols for way in ways) and not any(way.life for way in ways):
        ways = (*ways, Way("", 0, life=2))
    return tuple(way for way in ways if not way.life) if how.no_life else ways
