"""Mana abilities that look at nothing but themselves: "{T}: Add {G}", "{W/U}, {T}: Add two mana of any color".

On a board where no effect here reaches mana abilities, costs or mana, such an ability costs and makes the same
whatever else is there and however often it was done: it is read once (by the general rules), and a row of activations
is carried out without looking at the board again. Only what surely is like that is plain; everything else goes the
general way, so nothing is refused here.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from . import abilities as ab
from .abilities import Activated, AddMana, ManaPart, TapSelf
from .characteristics import View
from .evaluate import Context
from .game import Has
from .mana import TYPES, Cost
from .production import Looker, Outcome, Packet, activation_outcomes, reflection_of
from .reads import reads
from .total_cost import total_activation_cost

# Static effects that neither mana abilities nor mana nor what costs are paid with can notice.
_HARMLESS = (
    ab.AttackRule,
    ab.MaxHandSize,
    ab.UntapCap,
    ab.DontUntap,
    ab.AlsoUntaps,
    ab.SkipStep,
    ab.LeastCost,
    ab.AdditionalCost,
    ab.AlternativeCost,
    ab.Permission,
)
_HARMLESS_ACTIONS = ("cast", "play_land", "attack", "block", "be_blocked", "draw", "search", "target", "be_countered")
_SPECS = (ab.Fixed, ab.OneOfMana, ab.AnyMana)
_TOUCHED = frozenset({"tapped", "pool", "activated"})


class Form(NamedTuple):
    """A plain ability: the mana in its cost (the rest is {T}), and what it can make, by the source named ""."""

    cost: Cost
    outcomes: tuple[Outcome, ...]

    def allows(self, outcome: Outcome, source: str) -> bool:
        """Whether the activation can turn out like this."""
        return not outcome.triggered and any(
            len(one.made) == len(outcome.made)
            and all(_is(packet, free, source) for packet, free in zip(outcome.made, one.made, strict=True))
            for one in self.outcomes
        )


def _is(packet: Packet, free: Packet, source: str) -> bool:
    if packet.source != source or packet.free or (packet.only, packet.riders) != (free.only, free.riders):
        return False
    if not free.free:
        return packet.mana == free.mana
    more = [(t, n - m) for t, n, m in zip(TYPES, packet.mana, free.mana, strict=True)]
    return all(n == 0 or (n > 0 and t in free.types) for t, n in more) and sum(n for _, n in more) == free.free


def is_quiet(view: View) -> bool:
    """Whether nothing on this board reaches mana abilities, their costs, or mana: no static effect, no trigger on
    tapping or mana, and no continuous effect that looks at tapped permanents or pools."""
    found = view.memo.get(is_quiet)
    if found is None:
        found = view.memo[is_quiet] = _is_quiet(view)
    return found


def _is_quiet(view: View) -> bool:
    if not all(_is_harmless(active.effect) for active in view.statics(object)):
        return False
    if any("tap" in trigger.event or "mana" in trigger.event for _, _, trigger, _ in view.triggers()):
        return False
    return view.layers is None or not view.rests_on(_TOUCHED)


def _is_harmless(effect: object) -> bool:
    if isinstance(effect, ab.CostChange):
        return effect.abilities is None  # of spells only (601.2f)
    if isinstance(effect, ab.Prohibit):
        return effect.action in _HARMLESS_ACTIONS
    return isinstance(effect, _HARMLESS)


_FORMS: dict[int, tuple[object, Form | None]] = {}
_MOST_FORMS = 20_000


def form_of(view: View, player: str, oid: str, has: Has) -> Form | None:
    """The form of a plain ability of the player's untapped permanent on a quiet board; None where it is not plain.
    Kept by the ability, as it depends on nothing else."""
    obj = view.game.objects[oid]
    if obj.zone != "battlefield" or obj.phased_out or obj.sick or view.of(oid).controller != player:
        return None
    known = _FORMS.get(id(has.ability))
    if known is None or known[0] is not has.ability:
        if len(_FORMS) >= _MOST_FORMS:
            _FORMS.clear()
        known = _FORMS[id(has.ability)] = (has.ability, _read(view, player, oid, has))
    return known[1]


class Row:
    """Plain activations one after the other, by one player on one quiet board. While they tap permanents and make
    mana, what their permanents are and what anything could produce stays what it was at the start of the row."""

    def __init__(self, view: View, player: str) -> None:
        self.view, self.player = view, player
        self._reflection = reflection_of(view)
        self._looking: dict[tuple[int, str], Form | None] = {}
        self._steady: bool | None = None

    def form(self, oid: str, has: Has) -> Form | None:
        """The form of the ability, which may also look at what others could produce (106.7)."""
        form = form_of(self.view, self.player, oid, has)
        if form is not None or not _looks_at_others(has.ability) or not self._owned(oid) or not self._is_steady():
            return form
        key = (id(has.ability), self._reflection.stand_in(oid))
        if key not in self._looking:
            self._looking[key] = _form(self.view, self.player, oid, has, self._reflection.look)
        return self._looking[key]

    def _owned(self, oid: str) -> bool:
        obj = self.view.game.objects[oid]
        usable = obj.zone == "battlefield" and not obj.phased_out and not obj.sick
        return usable and self.view.of(oid).controller == self.player

    def _is_steady(self) -> bool:
        """Whether no ability here looks at tapped permanents or pools, so that nothing could produce other mana."""
        if self._steady is None:
            objects, lots = self.view.game.objects, self.view.lots()
            permanents = (i for i, *_ in lots if objects[i].zone == "battlefield" and not objects[i].phased_out)
            has = (h for oid in permanents for h in self.view.abilities(oid))
            self._steady = not any(reads(h.ability) & _TOUCHED for h in has)
        return self._steady


def row_on(view: View, player: str) -> Row:
    """What is known about rows on this board, kept with its view."""
    found = view.memo.get((Row, player))
    if found is None:
        found = view.memo[Row, player] = Row(view, player)
    return found


def _looks_at_others(ability: object) -> bool:
    return isinstance(ability, Activated) and _is_simple(ability, (*_SPECS, ab.CouldProduce))


def _read(view: View, player: str, oid: str, has: Has) -> Form | None:
    ability = has.ability
    if not isinstance(ability, Activated) or not _is_simple(ability, _SPECS):
        return None
    return _form(view, player, oid, has, lambda what, ctx: "")


def _form(view: View, player: str, oid: str, has: Has, look: Looker) -> Form | None:
    ability = has.ability
    assert isinstance(ability, Activated)
    totals = total_activation_cost(view, player, oid, has)
    if len(totals) != 1 or totals[0][1] != (TapSelf(),):
        return None
    ctx = Context(view, source=oid, you=player)
    found = activation_outcomes(view, oid, ability, ctx, look, listed=False)
    unnamed = (Outcome(tuple(p._replace(source="") for p in one.made)) for one in found)
    return Form(totals[0][0], tuple(unnamed))


def _is_simple(ability: Activated, specs: tuple[type, ...]) -> bool:
    """{T} and perhaps mana for a fixed amount of mana described like this, and nothing else said."""
    if msgspec.structs.replace(ability, cost=(), effects=()) != Activated(()):
        return False
    parts = [p for p in ability.cost if p != TapSelf()]
    if len(parts) == len(ability.cost) or not all(isinstance(p, ManaPart) and p == ManaPart(p.cost) for p in parts):
        return False
    if any(isinstance(p, ManaPart) and "X" in p.cost for p in parts):
        return False
    return bool(ability.effects) and all(
        isinstance(e, AddMana) and isinstance(e.what, specs) and _is_fixed(e) for e in ability.effects
    )


def _is_fixed(effect: AddMana) -> bool:
    said = AddMana(effect.what, effect.amount, only=effect.only, riders=effect.riders)
    chosen = effect.only is not None and any(f.chosen for f in (*effect.only.spells, *effect.only.abilities))
    return isinstance(effect.amount, int) and effect == said and not chosen
