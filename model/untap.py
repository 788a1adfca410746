"""The untap step: what untaps, what stays tapped, and where the player has a choice (502).

`untap_step` gathers the facts and chooses nothing: which permanents would untap, which may be left tapped, which
effects cap their number. What follows from caps that overlap is a small combinatorial question, answered in the
solver from these facts.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from .abilities import AlsoUntaps, DontUntap, Prohibit, SkipStep, UntapCap, UntapChosen
from .characteristics import View, view_of
from .evaluate import matches
from .game import Game, Obj, TurnState
from .parties import demand_known, effects, in_force, is_player


class Stays(NamedTuple):
    """A tapped permanent that does not untap, with the source of the effect that keeps it ("" for a stun counter)."""

    id: str
    source: str
    why: str  # "effect", "cant", "stun", "type"


class Cap(NamedTuple):
    """No more than `n` of these can untap (502.3)."""

    source: str
    n: int
    members: frozenset[str]


class TypeChoice(NamedTuple):
    """One of these sets is chosen, and nothing of the active player's outside of it untaps."""

    source: str
    options: tuple[tuple[str, frozenset[str]], ...]  # card type -> candidates that have it


class UntapStep(NamedTuple):
    """The facts of one player's untap step. `candidates` would untap, `optional` ones only if their controller
    wants; `stunned` ones count as untapping for caps, but a counter is removed instead (122.1d)."""

    player: str
    skipped_by: str | None = None
    candidates: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    stunned: frozenset[str] = frozenset()
    stays: tuple[Stays, ...] = ()
    caps: tuple[Cap, ...] = ()
    choices: tuple[TypeChoice, ...] = ()
    helped: tuple[tuple[str, str], ...] = ()  # permanent of another player, the effect that untaps it


def untap_step(game: Game, player: str) -> UntapStep:
    """What the rules and effects say about `player`'s untap step, as if it were beginning now."""
    before = _at_untap_step(game, player)
    view = view_of(before)
    skipped = _skipped_by(view, player)
    if skipped is not None:
        # What other players' permanents would have done in the step is lost with it (614.10a).
        helped = {i for i, _ in _helped(view, player)}
        tapped = (o for o in _tapped(before) if view.of(o.id).controller == player or o.id in helped)
        return UntapStep(player, skipped, stays=tuple(Stays(o.id, skipped, "skipped") for o in tapped))
    return _facts(view_of(_after_phasing(before, player)), player)


def _at_untap_step(game: Game, player: str) -> Game:
    turn = TurnState(active=player, step="untap", priority=None, number=game.turn.number)
    return msgspec.structs.replace(game, turn=turn)


def _tapped(game: Game) -> tuple[Obj, ...]:
    return tuple(o for o in game.in_zone("battlefield") if o.tapped)


def _skipped_by(view: View, player: str) -> str | None:
    """614.10: the source of an effect that makes the player skip the step."""
    for active, effect, context in effects(view, SkipStep):
        if effect.step == "untap" and is_player(effect.who, player, context) and in_force(active, context):
            return active.source
    return None


def _after_phasing(game: Game, player: str) -> Game:
    """502.1: permanents with phasing phase out as phased-out ones phase in; what is attached goes along (702.26g)."""
    view = view_of(game)
    permanents = [o for o in game.objects.values() if o.zone == "battlefield"]
    away = {o.id for o in permanents if o.phased_out}
    comes = {o.id for o in permanents if o.phased_out and o.controller == player and o.attached_to not in away}
    goes = {
        o.id for o in permanents if not o.phased_out and o.controller == player and "phasing" in view.of(o.id).keywords
    }
    if not comes and not goes:
        return game
    comes, goes = _with_attached(permanents, comes, away), _with_attached(permanents, goes, None)
    return game.put(*(o.but(phased_out=o.id in goes) for o in permanents if o.id in comes or o.id in goes))


def _with_attached(permanents: list[Obj], moved: set[str], only: set[str] | None) -> set[str]:
    """These and everything attached to them, directly or through others (out of `only`, where that is given)."""
    while True:
        more = {o.id for o in permanents if o.attached_to in moved and (only is None or o.id in only)} - moved
        if not more:
            return moved
        moved = moved | more


def _facts(view: View, player: str) -> UntapStep:
    own = [o for o in _tapped(view.game) if view.of(o.id).controller == player]
    helped = _helped(view, player)
    keeping = {o.id: _kept(view, player, o) for o in own}
    stays = [s for s in keeping.values() if s is not None and s.why != "may"]
    optional = frozenset(s.id for s in keeping.values() if s is not None and s.why == "may")
    kept = {s.id for s in stays}
    candidates = [o for o in own if o.id not in kept]
    others = [view.game.objects[i] for i, _ in helped]
    cant = [s for o in (*candidates, *others) if (s := _cant_untap(view, o)) is not None]
    blocked = {s.id for s in cant}
    candidates = [o for o in candidates if o.id not in blocked]
    others = [o for o in others if o.id not in blocked]
    capped = frozenset(o.id for o in candidates)
    return UntapStep(
        player=player,
        candidates=tuple(o.id for o in (*candidates, *others)),
        optional=optional - blocked,
        stunned=frozenset(o.id for o in (*candidates, *others) if o.count("stun")),
        stays=(*stays, *cant),
        caps=_caps(view, player, capped),
        choices=_choices(view, player, capped),
        helped=tuple((i, s) for i, s in helped if i not in blocked),
    )


def _kept(view: View, player: str, o: Obj) -> Stays | None:
    """The effect that keeps a permanent of the active player tapped, or lets them leave it tapped ("may")."""
    may = None
    for active, effect, context in effects(view, DontUntap):
        if not is_player(effect.who, player, context):
            continue
        demand_known(effect.what, context)
        if not matches(effect.what, o.id, context) or not in_force(active, context, o.id):
            continue
        if not effect.optional:
            return Stays(o.id, active.source, "effect")
        may = Stays(o.id, active.source, "may")
    return may


def _cant_untap(view: View, o: Obj) -> Stays | None:
    for active, effect, context in effects(view, Prohibit):
        if effect.action != "untap" or effect.unless or not matches(effect.what, o.id, context):
            continue
        if in_force(active, context, o.id):
            return Stays(o.id, active.source, "cant")
    return None


def _helped(view: View, player: str) -> tuple[tuple[str, str], ...]:
    """Permanents of other players that effects such as Seedborn Muse's untap during this step."""
    found: dict[str, str] = {}
    for active, effect, context in effects(view, AlsoUntaps):
        if not is_player(effect.during, player, context) or not in_force(active, context):
            continue
        for o in _tapped(view.game):
            if view.of(o.id).controller != player and matches(effect.what, o.id, context):
                found.setdefault(o.id, active.source)
    return tuple(found.items())


def _caps(view: View, player: str, candidates: frozenset[str]) -> tuple[Cap, ...]:
    """Caps bind what the active player untaps, not what effects of other players untap in the same step."""
    caps = []
    for active, effect, context in effects(view, UntapCap):
        if is_player(effect.who, player, context):
            members = {i for i in candidates if matches(effect.what, i, context)}
            if members and in_force(active, context):
                caps.append(Cap(active.source, effect.n, frozenset(members)))
    return tuple(caps)


def _choices(view: View, player: str, candidates: frozenset[str]) -> tuple[TypeChoice, ...]:
    found = []
    for active, effect, context in effects(view, UntapChosen):
        if candidates and is_player(effect.who, player, context) and in_force(active, context):
            options = tuple((t, frozenset(i for i in candidates if t in view.of(i).types)) for t in effect.types)
            found.append(TypeChoice(active.source, options))
    return tuple(found)
