"""May it be begun at all: casting, activating, playing a land, paying with a thing (601.3, 602.5, 305.2, 614.17b).

Each question is answered with the refusals that stand against it, none when it may be done. What it then costs is
`total_cost.py`, what is proposed `casting.py`; whether it can be paid is the solver's question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from .abilities import (
    AbilityTiming,
    Activated,
    Card,
    CostPart,
    Discard,
    ExileCost,
    Filter,
    GameRule,
    HasteLike,
    Loyalty,
    LoyaltyRule,
    MoreActivations,
    MoveCost,
    OneOf,
    PayLife,
    Permission,
    Prohibit,
    PutCounters,
    ReturnToHand,
    Sacrifice,
    TapOthers,
    TapSelf,
    ThisTurn,
    UntapOthers,
    UntapSelf,
    is_mana_ability,
)
from .characteristics import View
from .evaluate import Context, amount, holds, matches, objects_like, players_of
from .game import Active, Has, Obj, Unknown
from .parties import context_of, in_force

SORCERY_STEPS = ("main1", "main2")


class Refusal(NamedTuple):
    """Why something may not be done: a code of the closed list, the rule, the objects it rests on, the words."""

    code: str
    rule: str
    objects: tuple[str, ...] = ()
    text: str = ""


Check = Callable[[], "Refusal | None"]


def refusals_of(*checks: Check) -> tuple[Refusal, ...]:
    """Everything that stands against it. A check that rests on something not stated is Unknown only where no other
    one refuses anyway."""
    found: list[Refusal] = []
    doubt: Unknown | None = None
    for check in checks:
        try:
            refusal = check()
        except Unknown as unknown:
            doubt = unknown
            continue
        if refusal is not None:
            found.append(refusal)
    if not found and doubt is not None:
        raise doubt
    return tuple(found)


# --- time and priority ----------------------------------------------------------------------------------------------


def instant_refusal(view: View, player: str) -> Refusal | None:
    """117.1: spells and abilities need priority."""
    turn = view.game.turn
    if turn.priority == player and turn.during_cast is None and turn.during_activate is None:
        return None
    return Refusal("timing", "117.1a", text=f"{player} does not have priority")


def sorcery_refusal(view: View, player: str) -> Refusal | None:
    """307.1, 117.1a: with priority, in an own main phase, while the stack is empty."""
    turn = view.game.turn
    if (late := instant_refusal(view, player)) is not None:
        return late
    if turn.active != player:
        return Refusal("timing", "307.1", text=f"it is the turn of {turn.active}")
    if turn.step not in SORCERY_STEPS:
        return Refusal("timing", "307.1", text=f"the step is {turn.step}, not a main phase")
    if view.game.stack:
        return Refusal("timing", "307.1", view.game.stack, "the stack is not empty")
    return None


def split_second_refusal(view: View) -> Refusal | None:
    """702.61a: nothing but mana abilities and special actions while such a spell is on the stack."""
    for oid in view.game.stack:
        if oid in view.game.objects and "split second" in view.of(oid).keywords:
            return Refusal("prohibited", "702.61a", (oid,), f"{oid} has split second")
    return None


# --- prohibitions ---------------------------------------------------------------------------------------------------


def prohibitions(view: View, action: str, player: str) -> Iterator[tuple[Active, Prohibit, Context]]:
    """The effects that may stop `player` from this action, whatever it is done with."""
    for active in view.statics(Prohibit):
        effect = active.effect
        if not isinstance(effect, Prohibit) or effect.action != action:
            continue
        ctx = context_of(view, active)
        if player in players_of(effect.who, ctx):
            yield active, effect, ctx


def forbidden_activation(view: View, player: str, oid: str, ability: Activated) -> Refusal | None:
    """101.2, 602.5: an effect that says that this ability can't be activated."""
    mana = is_mana_ability(ability)
    for active, effect, ctx in prohibitions(view, "activate", player):
        if mana and not effect.mana_abilities:
            continue
        if (effect.but_loyalty and is_loyalty(ability)) or (effect.tap_symbol and not has_tap_symbol(ability.cost)):
            continue
        if effect.keyword and effect.keyword != ability.keyword and not _is_loyalty_word(effect.keyword, ability):
            continue
        if effect.timing == "sorcery" and sorcery_refusal(view, player) is None:
            continue
        if matches(effect.what, oid, ctx) and in_force(active, ctx):
            return Refusal("prohibited", "602.5", (active.source, oid), f"{active.source} forbids it")
    return None


def _is_loyalty_word(keyword: str, ability: Activated) -> bool:
    return keyword == "loyalty" and is_loyalty(ability)


def life_refusal(
    view: View, player: str, *, spell_or_ability: bool = True, mana_ability: bool = False
) -> Refusal | None:
    """119.8, 118.3: whether the player can pay more than 0 life, for a spell, an ability, or (with
    `spell_or_ability` false) a cost that is asked for while something resolves."""
    for action, rule in (("pay_life", "118.3"), ("lose_life", "119.8")):
        for active, effect, ctx in prohibitions(view, action, player):
            if effect.as_cost and not spell_or_ability:
                continue
            if mana_ability and not effect.mana_ability_costs:
                continue
            if not in_force(active, ctx):
                continue
            return Refusal("cost_unpayable", rule, (active.source,), f"{active.source}: {player} can't pay life")
    for active in view.statics(GameRule):
        effect = active.effect
        if not isinstance(effect, GameRule) or effect.what not in ("life_total_cant_change", "life_cant_change"):
            continue
        ctx = context_of(view, active)
        if player in players_of(effect.who, ctx) and in_force(active, ctx):
            return Refusal("cost_unpayable", "119.8", (active.source,), f"{player}'s life total can't change")
    return None


def object_refusal(
    view: View,
    player: str,
    oid: str,
    action: str,
    *,
    spell_or_ability: bool = True,
    mana_ability: bool = False,
    counter: str = "",
) -> Refusal | None:
    """Whether `player` can do this with the object as a cost (614.17b): "sacrifice", "tap", "untap", "discard",
    "put_counters", "leave_graveyard" …."""
    for active, effect, ctx in prohibitions(view, action, player):
        if effect.caused_by is not None:
            continue  # what another player's spell or ability would cause; an own cost is no such thing
        if effect.counter and effect.counter != counter:
            continue
        if effect.as_cost and not spell_or_ability:
            continue
        if mana_ability and not effect.mana_ability_costs:
            continue
        if matches(effect.what, oid, ctx) and in_force(active, ctx):
            return Refusal("cost_unpayable", "614.17b", (active.source, oid), f"{active.source}: can't {action} {oid}")
    return None


# --- summoning sickness, loyalty, limits ----------------------------------------------------------------------------


def has_tap_symbol(cost: tuple[CostPart, ...]) -> bool:
    """Whether {T} or {Q} stands in the cost (107.5, 107.6)."""
    return any(
        isinstance(part, (TapSelf, UntapSelf))
        or (isinstance(part, OneOf) and all(has_tap_symbol(option) for option in part.options))
        for part in cost
    )


def sickness_refusal(view: View, oid: str, cost: tuple[CostPart, ...]) -> Refusal | None:
    """302.6: {T} and {Q} of a creature that its controller has not had since their turn began."""
    obj = view.game.objects[oid]
    if not obj.sick or obj.zone != "battlefield" or not has_tap_symbol(cost):
        return None
    now = view.of(oid)
    if "Creature" not in now.types or "haste" in now.keywords:
        return None
    for active in view.statics(HasteLike):
        ctx = context_of(view, active)
        if isinstance(active.effect, HasteLike) and matches(active.effect.what, oid, ctx) and in_force(active, ctx):
            return None
    return Refusal("sick", "302.6", (oid,), f"{oid} came under its controller's control this turn")


def is_loyalty(ability: Activated) -> bool:
    """606.1: a loyalty symbol stands in its cost."""
    return any(isinstance(part, Loyalty) for part in ability.cost)


class LoyaltyTiming(NamedTuple):
    """606.3 as effects have changed it for one permanent."""

    per_turn: int = 1
    instant: bool = False
    cost: int = 0


def loyalty_timing(view: View, player: str, oid: str) -> LoyaltyTiming:
    """How often and when loyalty abilities of this permanent may be activated, and what is added to their cost."""
    per_turn, extra, instant, cost = 1, 0, False, 0
    for active in view.statics(LoyaltyRule):
        rule = active.effect
        if not isinstance(rule, LoyaltyRule) or active.you != player:
            continue
        ctx = context_of(view, active)
        if not matches(rule.what, oid, ctx) or not in_force(active, ctx):
            continue
        per_turn, extra = max(per_turn, rule.per_turn), extra + rule.extra
        instant, cost = instant or rule.instant, cost + rule.cost
    return LoyaltyTiming(per_turn + extra, instant, cost)


def loyalty_refusal(view: View, player: str, oid: str) -> Refusal | None:
    """606.3: an own permanent, at sorcery timing, once each turn whoever did it."""
    if view.of(oid).controller != player:
        return Refusal("cannot_activate", "606.3", (oid,), f"{player} does not control {oid}")
    rule = loyalty_timing(view, player, oid)
    late = instant_refusal(view, player) if rule.instant else sorcery_refusal(view, player)
    if late is not None:
        return late._replace(rule="606.3")
    if _loyalty_activations(view, oid) >= rule.per_turn:
        return Refusal("cannot_activate", "606.3", (oid,), f"a loyalty ability of {oid} was activated this turn")
    return None


def _loyalty_activations(view: View, oid: str) -> int:
    """How many loyalty abilities of the permanent were activated this turn. A number that now belongs to another
    kind of ability counts only where another face may have been up."""
    obj = view.game.objects[oid]
    now = {h.number: h.ability for h in view.of(oid).abilities if h.number}
    several = len(obj.card.faces) > 1
    return sum(1 for n in obj.activated if several or n not in now or is_loyalty(now[n]))  # type: ignore[arg-type]


def limit_refusal(view: View, oid: str, has: Has) -> Refusal | None:
    """602.5b: "activate only once each turn", and exhaust."""
    ability = has.ability
    assert isinstance(ability, Activated)
    limit = 1 if ability.once else ability.limit
    if limit and view.game.objects[oid].activated.count(has.number) >= limit:
        limit += _more_activations(view, oid, ability)
    if limit and view.game.objects[oid].activated.count(has.number) >= limit:
        return Refusal("cannot_activate", "602.5b", (oid,), f"{oid}: ability {has.number} was activated already")
    return None


def _more_activations(view: View, oid: str, ability: Activated) -> int:
    """How many more times effects let it be activated."""
    more = 0
    for active in view.statics(MoreActivations):
        effect = active.effect
        assert isinstance(effect, MoreActivations)
        ctx = context_of(view, active)
        if effect.keyword != ability.keyword or view.of(oid).controller not in players_of(effect.who, ctx):
            continue
        if matches(effect.abilities, oid, ctx) and in_force(active, ctx):
            more += effect.extra
    return more


# --- activating -----------------------------------------------------------------------------------------------------


def activation_refusals(
    view: View, player: str, oid: str, has: Has, *, during_payment: bool = False, x: int | None = None
) -> tuple[Refusal, ...]:
    """Every reason why `player` can't begin to activate the ability now (602.5, 605.3a); costs are not looked at,
    but for the sickness of {T} and {Q}. `during_payment`: while a cost is being paid, when only mana abilities that
    need no priority may be."""
    ability = has.ability
    assert isinstance(ability, Activated)
    obj = view.game.objects[oid]
    return refusals_of(
        lambda: _zone_refusal(obj, ability),
        lambda: _activator_refusal(view, player, oid, ability),
        lambda: _time_refusal(view, player, oid, ability, during_payment),
        lambda: limit_refusal(view, oid, has),
        lambda: sickness_refusal(view, oid, ability.cost),
        lambda: forbidden_activation(view, player, oid, ability),
        lambda: _condition_refusal(view, player, oid, ability, x),
    )


def _zone_refusal(obj: Obj, ability: Activated) -> Refusal | None:
    if ability.zone in ("any", obj.zone):
        return None
    return Refusal("cannot_activate", "113.6", (obj.id,), f"the ability functions in the {ability.zone} zone")


def _activator_refusal(view: View, player: str, oid: str, ability: Activated) -> Refusal | None:
    """602.2: its controller, or outside of battlefield and stack its owner, unless the ability says otherwise."""
    obj = view.game.objects[oid]
    you = view.of(oid).controller if obj.zone == "battlefield" else obj.owner
    if player in players_of(ability.who, Context(view, source=oid, you=you)):
        return None
    return Refusal("cannot_activate", "602.2", (oid,), f"{player} may not activate abilities of {oid}")


def _time_refusal(view: View, player: str, oid: str, ability: Activated, during_payment: bool) -> Refusal | None:
    mana = is_mana_ability(ability)
    if during_payment:
        if mana and not ability.timing:
            return None
        return Refusal("timing", "605.3a", (oid,), "only mana abilities may be activated while a cost is paid")
    if is_loyalty(ability):
        if (late := loyalty_refusal(view, player, oid)) is not None:
            return late
    elif ability.timing == "sorcery":
        late = sorcery_refusal(view, player)
        if late is not None and _may_be_instant(view, player, oid, ability):
            late = instant_refusal(view, player)
    else:
        late = instant_refusal(view, player)
    if late is not None:
        return late._replace(objects=(*late.objects, oid))
    return None if mana else split_second_refusal(view)


def _may_be_instant(view: View, player: str, oid: str, ability: Activated) -> bool:
    """Whether an effect lets it be activated whenever an instant could be cast."""
    for active in view.statics(AbilityTiming):
        effect = active.effect
        assert isinstance(effect, AbilityTiming)
        ctx = context_of(view, active)
        if effect.keyword not in ("", ability.keyword) or player not in players_of(effect.who, ctx):
            continue
        if matches(effect.abilities, oid, ctx) and in_force(active, ctx):
            return True
    return False


def _condition_refusal(view: View, player: str, oid: str, ability: Activated, x: int | None) -> Refusal | None:
    ctx = Context(view, source=oid, you=player, x=x)
    for condition in ability.conditions:
        if not holds(condition, ctx):
            return Refusal("cannot_activate", "602.5b", (oid,), f"{oid}: the condition of its ability does not hold")
    return None


# --- parts of costs -------------------------------------------------------------------------------------------------

# What is done with the objects that pay a part, as prohibitions call it.
_ACTIONS: dict[type, str] = {
    TapSelf: "tap",
    UntapSelf: "untap",
    TapOthers: "tap",
    UntapOthers: "untap",
    Sacrifice: "sacrifice",
    Discard: "discard",
    PutCounters: "put_counters",
}


def cost_part_refusal(
    view: View,
    player: str,
    part: CostPart,
    source: str,
    oid: str | None = None,
    *,
    mana_ability: bool = False,
    x: int | None = None,
) -> Refusal | None:
    """Why this part can't be paid whatever else happens: an effect forbids what it asks for (614.17b, 118.3).

    `oid` is an object that would pay it (sacrificed, tapped …); without it only what is fixed by the part itself is
    looked at. Whether there is enough to pay with is not asked here, see `payers`.
    """
    if isinstance(part, PayLife):
        if amount(part.n, Context(view, source=source, you=player, x=x)) <= 0:  # 119.4b: always possible
            return None
        return life_refusal(view, player, mana_ability=mana_ability)
    if isinstance(part, Loyalty):
        gains = part.n > 0 and not part.x
        if not gains:
            return None
        return object_refusal(view, player, source, "put_counters", mana_ability=mana_ability, counter="loyalty")
    action = _ACTIONS.get(type(part))
    if action is None:
        return None
    payer = oid if oid is not None else _fixed_payer(part, source)
    if payer is None:
        return None
    if isinstance(part, TapOthers) and part.deed:
        refusal = object_refusal(view, player, payer, part.deed, mana_ability=mana_ability)
        if refusal is not None:
            return refusal
    counter = part.kind if isinstance(part, PutCounters) else ""
    return object_refusal(view, player, payer, action, mana_ability=mana_ability, counter=counter)


def _fixed_payer(part: CostPart, source: str) -> str | None:
    """The object that alone can pay the part: the source itself."""
    if isinstance(part, (TapSelf, UntapSelf)):
        return source
    what = part.on if isinstance(part, PutCounters) else getattr(part, "what", None)
    return source if isinstance(what, Filter) and what.me else None


def payers(
    view: View, player: str, part: CostPart, source: str, *, mana_ability: bool = False, x: int | None = None
) -> tuple[str, ...]:
    """The ids of the objects that may pay this part as things stand, prohibitions considered (but not what else they
    are needed for): permanents to sacrifice, tap or return, cards to discard or exile."""
    ctx = Context(view, source=source, you=player, x=x)
    return tuple(
        oid
        for oid in objects_like(_paid_with(part), ctx)
        if _is_own(view, player, oid, part)
        and _tappable(view, oid, part)
        and cost_part_refusal(view, player, part, source, oid, mana_ability=mana_ability) is None
        and _may_leave(view, player, oid)
    )


def _paid_with(part: CostPart) -> Filter:
    if isinstance(part, PutCounters):
        return part.on
    what = getattr(part, "what", None)
    if not isinstance(what, Filter):
        raise Unknown(f"no objects pay {type(part).__name__}", "internal")
    return of_payer(what)


def of_payer(what: Filter) -> Filter:
    """The description of what pays a cost: cards in hand and library are the payer's own, said or not."""
    if what.zone in ("hand", "library") and what.owner == "any":
        return msgspec.structs.replace(what, owner="you")
    return what


def _is_own(view: View, player: str, oid: str, part: CostPart) -> bool:
    """Sacrificed, tapped and returned permanents are the payer's own (701.21a); cards in hand and graveyard too."""
    obj = view.game.objects[oid]
    if obj.zone == "battlefield":
        theirs = view.of(oid).controller == player
        return theirs or not isinstance(part, (Sacrifice, TapOthers, ReturnToHand))
    if isinstance(part, (Discard, ExileCost, MoveCost)) and obj.zone in ("hand", "library"):
        return obj.owner == player
    return True


def _tappable(view: View, oid: str, part: CostPart) -> bool:
    """701.26: only untapped permanents can be tapped, only tapped ones untapped."""
    tapped = view.game.objects[oid].tapped
    return not (tapped and isinstance(part, TapOthers)) and (tapped or not isinstance(part, UntapOthers))


def _may_leave(view: View, player: str, oid: str) -> bool:
    if view.game.objects[oid].zone != "graveyard":
        return True
    return object_refusal(view, player, oid, "leave_graveyard") is None


# --- lands ----------------------------------------------------------------------------------------------------------


def land_plays(view: View, player: str) -> int:
    """305.2: how many lands the player may play this turn in all."""
    extra = 0
    for active in view.statics(Permission):
        effect = active.effect
        if not isinstance(effect, Permission) or not effect.extra_land_drops:
            continue
        ctx = context_of(view, active)
        if player in players_of(effect.who, ctx) and in_force(active, ctx):
            extra += effect.extra_land_drops
    return 1 + extra


def land_refusals(view: View, player: str, oid: str) -> tuple[Refusal, ...]:
    """116.2a, 305.1-4: why the player can't play this land now."""
    obj = view.game.objects[oid]
    found: list[Refusal | None] = []
    late = sorcery_refusal(view, player)
    found.append(late._replace(rule="305.1") if late else None)
    if view.game.turn.active != player:
        found.append(Refusal("timing", "305.3", text=f"it is the turn of {view.game.turn.active}"))
    played, most = view.game.players[player].lands_played, land_plays(view, player)
    if played >= most:
        found.append(Refusal("prohibited", "305.2", text=f"{player} has played {played} of {most} lands this turn"))
    if "Land" not in view.of(oid).types and not _has_land_face(obj.card):
        found.append(Refusal("prohibited", "305.1", (oid,), f"{oid} is no land"))
    for active, effect, ctx in prohibitions(view, "play_land", player):
        if effect.limit and played < effect.limit:
            continue
        if matches(effect.what, oid, ctx) and in_force(active, ctx):
            found.append(Refusal("prohibited", "101.2", (active.source, oid), f"{active.source} forbids it"))
    if not land_zone_permitted(view, player, obj):
        found.append(Refusal("prohibited", "305.1", (oid,), f"nothing lets {player} play lands from there"))
    return tuple(r for r in found if r is not None)


def _has_land_face(card: Card) -> bool:
    return card.layout == "modal_dfc" and any("Land" in face.types for face in card.faces)


def land_zone_permitted(view: View, player: str, obj: Obj) -> bool:
    """Lands are played from hand, or from where an effect lets them be."""
    if obj.zone == "hand":
        return obj.owner == player
    for active in view.statics(Permission):
        effect = active.effect
        if not isinstance(effect, Permission) or effect.lands is None or obj.zone not in effect.zones:
            continue
        ctx = context_of(view, active)
        if player not in players_of(effect.who, ctx) or (effect.your_turn_only and view.game.turn.active != player):
            continue
        if not reachable(view, player, obj, effect.lands, ctx):
            continue
        if matches(effect.lands, obj.id, ctx) and in_force(active, ctx):
            if effect.once_each_turn:
                demand_unused(view, player, effect.spells, ctx, land=True)
            return True
    return False


def demand_unused(view: View, player: str, spells: Filter | None, ctx: Context, *, land: bool) -> None:
    """Raises Unknown where a permission for once each turn may have been used by a spell cast this turn, or by a land
    that was played where it is one for lands too."""
    used = bool(land and view.game.players[player].lands_played)
    if spells is not None and not used:
        # From which zone spells were cast before is not known.
        like = msgspec.structs.replace(spells, from_zone=None, not_from_zone=None, zone="any")
        used = bool(amount(ThisTurn("spells_cast", "you", of=like), ctx.but(you=player)))
    if used:
        raise Unknown(f"whether {ctx.source} was used this turn is not stated", objects=(ctx.source or "",))


def reachable(view: View, player: str, obj: Obj, what: Filter, ctx: Context) -> bool:
    """A permission for a library means its top card; for a zone of one's own, unless it names another's. One for
    cards out of several graveyards is known by what is not stated of them."""
    if obj.zone == "library" and not on_top(view, obj):
        return False
    if what.owner != "any":
        return obj.owner in players_of(what.owner, ctx)
    return obj.owner == player or obj.zone in ("exile", "command") or (obj.zone == "graveyard" and bool(what.unstated))


def on_top(view: View, obj: Obj) -> bool:
    """Whether the card is the top one of its owner's library, as far as it is known."""
    first = next(view.game.in_zone("library", obj.owner), None)
    return first is not None and first.id == obj.id
