"""Single game actions and whether they are legal: tapping, sacrificing, discarding, paying life, faces (701, 712).

An action is asked for by a cost that the player pays, by an effect of something that resolves, or by a rule (the
cleanup discard). Each function returns a Ruling: legal or not, with the facts it rests on. Nothing is searched here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .abilities import (
    Activated,
    AdditionalCost,
    AlternativeCost,
    CostPart,
    Discard,
    Face,
    Filter,
    OneOf,
    PayLife,
    Sacrifice,
    Static,
    TapOthers,
    TapSelf,
    Unread,
    UntapOthers,
    UntapSelf,
    is_mana_ability,
)
from .characteristics import View
from .evaluate import Context, matches
from .game import Obj, Unknown
from .hand_size import max_hand_size, must_discard
from .parties import in_force, is_player
from .state_based import may_be_attached
from .timing import Refusal, life_refusal, object_refusal, prohibitions, sickness_refusal

PERMANENT_TYPES = frozenset({"Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker"})
DOUBLE_FACED = frozenset({"transform", "modal_dfc", "double_faced_token", "reversible_card"})


class Ruling(NamedTuple):
    """Whether an action is legal, and the facts that it rests on. `certain`: whatever any card says."""

    legal: bool
    facts: tuple[Refusal, ...]
    certain: bool = False


class Cause(NamedTuple):
    """What asks for the action: `kind` is cost, effect or cleanup (None: not stated); `source` an object's id, or a
    player who controls the unnamed spell or ability."""

    kind: str | None = None
    source: str | None = None


def no(code: str, rule: str, objects: Sequence[str] = (), text: str = "") -> Ruling:
    return Ruling(False, (Refusal(code, rule, tuple(objects), text),))


def never(code: str, rule: str, objects: Sequence[str] = (), text: str = "") -> Ruling:
    """A no that no card text could turn."""
    return no(code, rule, objects, text)._replace(certain=True)


def yes(rule: str, objects: Sequence[str] = (), text: str = "") -> Ruling:
    return Ruling(True, (Refusal("permitted", rule, tuple(objects), text),))


# --- what asks for it -----------------------------------------------------------------------------------------------


def cause_controller(view: View, cause: Cause, player: str) -> str:
    """Whose spell or ability asks for the action; raises Unknown if the situation does not say."""
    if cause.source is None:
        raise Unknown("which spell or ability asks for this is not stated")
    if cause.source in view.game.players:
        return cause.source
    source = view.game.objects.get(cause.source)
    if source is None:
        raise Unknown(f"{cause.source} is not here", objects=(cause.source,))
    return view.of(source.id).controller if source.zone == "battlefield" else source.controller


def prevented(view: View, player: str, action: str, o: str | None, cause: Cause) -> Refusal | None:
    """An effect that says that such a spell or ability can't cause this (Tamiyo, Collector of Tales; Sigarda)."""
    for active, effect, context in prohibitions(view, action, player):
        if effect.caused_by is None or (o is not None and not matches(effect.what, o, context)):
            continue
        if not in_force(active, context, o):
            continue
        if is_player(effect.caused_by, cause_controller(view, cause, player), context):
            text = f"{active.source}: spells and abilities of {effect.caused_by} can't cause {player} to {action}"
            return Refusal("prohibited", "101.2", (active.source, *((o,) if o else ())), text)
    return None


def _either(player: str, cause: Cause, judge: dict[str, Ruling]) -> Ruling:
    """An action whose cause is not stated: judged if every cause leads to the same, else not known."""
    rulings = list(judge.values())
    if all(r.legal == rulings[0].legal for r in rulings):
        return rulings[0]
    raise Unknown(f"whether {player} does this as a cost or because of an effect is not stated")


# --- costs of the source --------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """One cost of the source that asks for such an action, and whether it is a mana ability's."""

    part: CostPart
    mana_ability: bool


def asked_costs(view: View, source: str | None, kinds: tuple[type, ...]) -> tuple[Asked, ...]:
    """The costs of an object's activated abilities and of casting it that ask for such an action."""
    if source is None or source not in view.game.objects:
        return ()
    return tuple(a for a in _all_costs(view, source) if isinstance(a.part, kinds))


def _all_costs(view: View, source: str) -> Iterator[Asked]:
    for has in view.abilities(source):
        ability = has.ability
        if isinstance(ability, Activated):
            yield from (Asked(p, is_mana_ability(ability)) for p in _flat(ability.cost))
        elif isinstance(ability, Static):
            for effect in ability.effects:
                if isinstance(effect, (AdditionalCost, AlternativeCost)):
                    yield from (Asked(p, False) for p in _flat(effect.cost))


def _flat(parts: Iterable[CostPart]) -> Iterator[CostPart]:
    for part in parts:
        if isinstance(part, OneOf):
            for option in part.options:
                yield from _flat(option)
        else:
            yield part


def _fitting(view: View, player: str, source: str, asked: Sequence[Asked], oid: str) -> tuple[Asked, ...]:
    context = Context(view, source=source, you=player)
    return tuple(
        a for a in asked if isinstance(what := getattr(a.part, "what", None), Filter) and matches(what, oid, context)
    )


def _cost_refusal(view: View, player: str, oid: str, action: str, asked: Sequence[Asked]) -> Refusal | None:
    """Why the object can't be used for any of these costs; with none known, it must not matter whose cost it is."""
    kinds = {a.mana_ability for a in asked} or {True, False}
    refusals = [object_refusal(view, player, oid, action, mana_ability=kind) for kind in sorted(kinds)]
    if asked:
        return None if any(r is None for r in refusals) else refusals[0]
    if len({r is None for r in refusals}) > 1:
        raise Unknown("whether a mana ability asks for this is not stated", objects=(oid,))
    return refusals[0]


# --- tapping and untapping (701.26) ---------------------------------------------------------------------------------


def tap(view: View, player: str, oid: str, cause: Cause) -> Ruling:
    """Only an untapped permanent can be tapped; {T} of a summoning sick creature can't be paid (302.6)."""
    o = view.game.objects[oid]
    if o.zone != "battlefield" or o.phased_out:
        return never("rule", "701.26a", (oid,), f"{oid} is not on the battlefield")
    if o.tapped:
        return never("tapped", "701.26a", (oid,), f"{oid} is tapped already")
    return _turned(view, player, oid, cause, "tap", (TapSelf,), (TapOthers,))


def untap(view: View, player: str, oid: str, cause: Cause) -> Ruling:
    """Only a tapped permanent can be untapped. With a stun counter it may be done too: a counter is removed instead
    (122.1d), and a cost that asked for it is paid (118.11)."""
    o = view.game.objects[oid]
    if o.zone != "battlefield" or o.phased_out:
        return never("rule", "701.26b", (oid,), f"{oid} is not on the battlefield")
    if not o.tapped:
        return never("rule", "701.26b", (oid,), f"{oid} is not tapped")
    ruling = _turned(view, player, oid, cause, "untap", (UntapSelf,), (UntapOthers,))
    if ruling.legal and o.count("stun"):
        return yes("122.1d", (oid,), f"a stun counter is removed from {oid} instead of untapping it")
    return ruling


def _turned(
    view: View, player: str, oid: str, cause: Cause, action: str, symbol: tuple[type, ...], others: tuple[type, ...]
) -> Ruling:
    sick = sickness_refusal(view, oid, (symbol[0](),))
    if sick is not None and cause.source is None and cause.kind != "effect" and asked_costs(view, oid, symbol):
        raise Unknown(f"whether {oid} is {action}ped for its own cost, being summoning sick, is not stated")
    if cause.kind != "cost":
        refusal = object_refusal(view, player, oid, action, spell_or_ability=False)
        return Ruling(False, (refusal,)) if refusal else yes("701.26", (oid,), f"{oid} can be {action}ped")
    if view.of(oid).controller != player:
        return no("cost_unpayable", "118.3", (oid,), f"{player} does not control {oid}")
    refusal = object_refusal(view, player, oid, action)
    if refusal is None and cause.source == oid and not _asked_otherwise(view, player, oid, others):
        refusal = sick
    return Ruling(False, (refusal,)) if refusal else yes("701.26", (oid,), f"{oid} can be {action}ped as a cost")


def _asked_otherwise(view: View, player: str, oid: str, others: tuple[type, ...]) -> bool:
    """Whether a cost of the object lets it be tapped or untapped without {T} or {Q}: sickness is about the symbols."""
    return bool(_fitting(view, player, oid, asked_costs(view, oid, others), oid))


# --- sacrificing (701.21) -------------------------------------------------------------------------------------------


def sacrifice(view: View, player: str, oid: str, cause: Cause) -> Ruling:
    """A player sacrifices only what they control; effects can forbid it, or forbid that others cause it."""
    o = view.game.objects[oid]
    if o.zone != "battlefield" or o.phased_out:
        return never("rule", "701.21a", (oid,), f"{oid} is not on the battlefield")
    if view.of(oid).controller != player:
        return no("rule", "701.21a", (oid,), f"{player} does not control {oid}")
    if cause.kind == "cost":
        return _as_cost(view, player, oid, "sacrifice", (Sacrifice,), cause)
    if cause.kind == "effect":
        return _because_of_effect(view, player, oid, "sacrifice", cause)
    return _either(player, cause, {k: sacrifice(view, player, oid, cause._replace(kind=k)) for k in ("cost", "effect")})


def _as_cost(view: View, player: str, oid: str, action: str, kinds: tuple[type, ...], cause: Cause) -> Ruling:
    asked = asked_costs(view, cause.source, kinds)
    if asked and cause.source is not None:
        fitting = _fitting(view, player, cause.source, asked, oid)
        if not fitting and not asked_costs(view, cause.source, (Unread,)):
            return no("cost_unpayable", "118.3", (oid, cause.source), f"no cost of {cause.source} asks for {oid}")
        asked = fitting or asked
    refusal = _cost_refusal(view, player, oid, action, asked)
    if refusal is not None:
        return Ruling(False, (refusal,))
    return yes("118.3", (oid,), f"{player} may {action} {oid} as a cost: nobody else's spell or ability causes it")


def _because_of_effect(view: View, player: str, oid: str, action: str, cause: Cause) -> Ruling:
    refusal = object_refusal(view, player, oid, action, spell_or_ability=False) or prevented(
        view, player, action, oid, cause
    )
    if refusal is not None:
        return Ruling(False, (refusal,))
    return yes("608.2d", (oid,), f"nothing stops an effect from making {player} {action} {oid}")


# --- discarding (701.9) ---------------------------------------------------------------------------------------------


def discard(view: View, player: str, oid: str, cause: Cause) -> Ruling:
    """Cards are discarded from their owner's hand; in the cleanup step only down to the maximum hand size (514.1)."""
    o = view.game.objects[oid]
    if o.zone != "hand" or o.owner != player:
        return never("rule", "701.9a", (oid,), f"{oid} is not in {player}'s hand")
    if cause.kind == "cleanup":
        return _cleanup(view, player)
    if cause.kind == "cost":
        return _as_cost(view, player, oid, "discard", (Discard,), cause)
    if cause.kind == "effect":
        return _because_of_effect(view, player, oid, "discard", cause)
    return _either(player, cause, {k: discard(view, player, oid, cause._replace(kind=k)) for k in ("cost", "effect")})


def _cleanup(view: View, player: str) -> Ruling:
    turn = view.game.turn
    if turn.step != "cleanup" or turn.active != player:
        text = f"only the active player, {turn.active}, discards in the cleanup step; the step is {turn.step}"
        return never("timing", "514.1", (), text)
    size = max_hand_size(view.game, player).size
    if size is None:
        return no("rule", "514.1", (), f"{player} has no maximum hand size")
    if not view.game.players[player].hand_known:
        raise Unknown(f"{player}'s hand is not known")
    if must_discard(view.game, player) == 0:
        return no("rule", "514.1", (), f"{player} holds no more than {size} cards")
    return yes("514.1", (), f"{player} holds more than {size} cards: discarding is a turn-based action")


# --- life (119) -----------------------------------------------------------------------------------------------------


def pay_life(view: View, player: str, n: int, cause: Cause) -> Ruling:
    """Life can be paid down to exactly 0 (119.4); 0 life can always be paid (119.4b)."""
    life = view.game.players[player].life
    if n == 0:
        return yes("119.4b", (), "0 life can always be paid")
    if life < n:
        return never("no_life", "119.4", (), f"{player} has {life} life")
    if cause.kind is None:
        return _either(
            player, cause, {k: pay_life(view, player, n, Cause(k, cause.source)) for k in ("cost", "effect")}
        )
    if cause.kind == "effect":
        refusal = life_refusal(view, player, spell_or_ability=False)
    else:
        refusal = _life_cost_refusal(view, player, asked_costs(view, cause.source, (PayLife,)))
    return Ruling(False, (refusal,)) if refusal else yes("119.4", (), f"{player} has {life} life and may pay {n}")


def _life_cost_refusal(view: View, player: str, asked: Sequence[Asked]) -> Refusal | None:
    kinds = {a.mana_ability for a in asked} or {True, False}
    refusals = [life_refusal(view, player, mana_ability=kind) for kind in sorted(kinds)]
    if not asked and len({r is None for r in refusals}) > 1:
        raise Unknown("whether a mana ability asks for this life is not stated")
    return None if any(r is None for r in refusals) else refusals[0]


# --- faces (701.27, 712) --------------------------------------------------------------------------------------------


def demand_types(o: Obj, face: Face) -> None:
    """Raises Unknown for a face that the library knows by name only."""
    if face.missing:
        raise Unknown(f"what {face.name} is is not in the library", "not_understood", (o.id,))


def transform(view: View, oid: str) -> Ruling:
    """Only a permanent that is represented by a double-faced card or token can transform (712.9), and only into a
    face that can be on the battlefield (712.10)."""
    o = view.game.objects[oid]
    if o.zone != "battlefield" or o.phased_out:
        return never("rule", "701.27a", (oid,), f"{oid} is not on the battlefield")
    if not is_double_faced(o):
        return never("rule", "712.9", (oid,), f"{oid} is not double-faced")
    if o.face_down:
        return never("rule", "712.15a", (oid,), f"{oid} is face down")
    into = o.card.faces[1 - o.face]
    demand_types(o, into)
    if not PERMANENT_TYPES.intersection(into.types):
        return never("rule", "712.10", (oid,), f"{into.name} is no permanent")
    for keyword in ("daybound", "nightbound"):
        if keyword in view.of(oid).keywords:
            return no("prohibited", "702.145", (oid,), f"{oid} has {keyword}: only that can transform it")
    refusal = object_refusal(view, view.of(oid).controller, oid, "transform", spell_or_ability=False)
    return Ruling(False, (refusal,)) if refusal else yes("701.27a", (oid,), f"{oid} becomes {into.name}")


def is_double_faced(o: Obj) -> bool:
    """712.1; meld cards are left out, since they neither transform nor enter transformed (712.4c)."""
    return len(o.card.faces) == 2 and o.card.layout in DOUBLE_FACED


def put_onto_battlefield(view: View, player: str, oid: str, transformed: bool) -> Ruling:
    """A card that cannot enter that way stays where it is (712.14)."""
    o = view.game.objects[oid]
    if o.zone == "battlefield":
        return never("rule", "712.14", (oid,), f"{oid} is on the battlefield already")
    if transformed and o.card.layout == "meld":
        raise Unknown("a meld card that is told to enter transformed is not modelled", "not_modelled", (oid,))
    if transformed and not is_double_faced(o):
        return never("rule", "712.14a", (oid,), f"{oid} is not double-faced and stays where it is")
    front = o.card.faces[0]
    if o.card.layout == "modal_dfc" and not PERMANENT_TYPES.intersection(front.types):
        return never(
            "rule", "712.14b", (oid,), f"the front face {front.name} is no permanent: the card stays where it is"
        )
    face = o.card.faces[1] if transformed else front
    demand_types(o, face)
    if not PERMANENT_TYPES.intersection(face.types):
        return never("rule", "712.13a" if transformed else "304.4", (oid,), f"{face.name} is no permanent and stays")
    refusal = object_refusal(view, player, oid, "enter", spell_or_ability=False)
    if refusal is not None:
        return Ruling(False, (refusal,))
    if "Aura" in face.subtypes and not _can_enchant_something(view, o):
        return no("rule", "303.4g", (oid,), f"there is nothing that {oid} could enchant")
    return yes("712.14a" if transformed else "712.14", (oid,), f"it enters as {face.name}")


def _can_enchant_something(view: View, o: Obj) -> bool:
    hosts = [*view.game.players, *(p.id for p in view.game.in_zone("battlefield"))]
    return any(may_be_attached(view, o, host) for host in hosts)
