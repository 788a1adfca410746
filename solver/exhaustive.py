"""The reference: every line of mana abilities on a small board, by brute force over the referee's own steps.

It shares no code with the net and the levels: only states and `replay`. Every state that can be reached is visited
once for the best way to reach it, and from each the final cost is paid in every way. Used to check the solver, never
to answer a question.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from ..model.abilities import Activated, TapSelf, UntapSelf, is_mana_ability
from ..model.characteristics import View, view_of
from ..model.evaluate import Context
from ..model.game import Game, Has, ManaKind, Player
from ..model.paying import CannotPay, ways_of_paying
from ..model.production import Reflection, activation_outcomes
from ..model.replay import (
    Activate,
    Bill,
    Illegal,
    Spent,
    Units,
    carry_out_effect,
    covers,
    mark_activated,
    pay_activation,
    take_mana,
)
from ..model.spending import Purpose, may_spend, slots, spending
from ..model.timing import activation_refusals
from ..model.total_cost import total_activation_cost

Rank = tuple[int, int, int, int, int]


class TooLarge(Exception):
    """More states than the reference is willing to visit."""


def best_payment(game: Game, player: str, bill: Bill, *, most_states: int = 20_000) -> Rank | None:
    """The rank (format.md: lost, counters, life and damage, floating, taps) of the best payment of a bill without
    other parts; None when there is none. Raises TooLarge."""
    best: Rank | None = None
    for view, spent in reachable(game, player, most_states):
        found = _pay_from_pool(view, player, bill, spent)
        if found is not None and (best is None or found < best):
            best = found
    return best


def reachable(game: Game, player: str, most_states: int) -> Iterator[tuple[View, Spent]]:
    """Every state that mana abilities lead to, with the cheapest way to it (floating mana is a matter of the state)."""
    ticket = count()
    start = view_of(_plain_pool(game, player))
    queue: list[tuple[tuple[int, ...], int, View, Spent]] = [(_cost(Spent()), next(ticket), start, Spent())]
    done: set[object] = set()
    while queue:
        _, _, view, spent = heapq.heappop(queue)
        key = state_key(view.game, player)
        if key in done:
            continue
        done.add(key)
        if len(done) > most_states:
            raise TooLarge
        yield view, spent
        for later, more in successors(view, player, spent):
            plain = later.after(_plain_pool(later.game, player))
            heapq.heappush(queue, (_cost(more), next(ticket), plain, more))


def _cost(spent: Spent) -> tuple[int, ...]:
    return spent.permanents_lost + spent.cards_lost, spent.counters, spent.life + spent.damage, spent.taps


def _plain_pool(game: Game, player: str) -> Game:
    """The game with mana told apart only by what matters (not by its source), so that equal states are equal."""
    who = game.players[player]
    plain = who.but(pool=())
    for kind, n in who.pool:
        plain = plain.add_mana(ManaKind(kind.type, kind.only, kind.snow), n)
    return game.put_player(plain)


def state_key(game: Game, player: str) -> object:
    """Two states with equal keys have the same future: equal objects are interchangeable."""
    objects = sorted(
        repr((o.card.name, o.zone, o.tapped, o.counters, o.activated, o.attached_to, o.sick, o.chosen, o.controller))
        for o in game.objects.values()
    )
    who: Player = game.players[player]
    return tuple(objects), who.pool, who.life, who.counters


def successors(view: View, player: str, spent: Spent) -> Iterator[tuple[View, Spent]]:
    """Every state after one activation of a mana ability, with every payment and outcome. Of objects that are alike
    only the first is tried: the others lead to equal states."""
    tried: set[object] = set()
    named = {o.attached_to for o in view.game.objects.values()}
    for oid, obj in view.game.objects.items():
        if obj.zone not in ("battlefield", "hand", "graveyard") or obj.phased_out:
            continue
        alike = oid if oid in named or obj.attached_to else (obj.but(id="", timestamp=0), view.abilities(oid))
        if alike in tried:
            continue
        tried.add(alike)
        # {T} needs an untapped permanent and {Q} a tapped one (107.5-6): looked at first, as most are tapped soon.
        impossible = TapSelf if obj.tapped else UntapSelf
        for has in view.abilities(oid):
            ability = has.ability
            if not isinstance(ability, Activated) or not is_mana_ability(ability):
                continue
            if not any(isinstance(part, impossible) for part in ability.cost):
                yield from _activations(view, player, oid, has, spent)


def _activations(view: View, player: str, oid: str, has: Has, spent: Spent) -> Iterator[tuple[View, Spent]]:
    before = bool(activation_refusals(view, player, oid, has, during_payment=True))
    if before and activation_refusals(view, player, oid, has, during_payment=False):
        return
    ctx = Context(view, source=oid, you=player)
    for cost, parts in total_activation_cost(view, player, oid, has, None):
        for units in _mana_for(view, player, oid, cost):
            for paying in ways_of_paying(view, player, oid, parts, ctx, mana_ability=True):
                step = Activate(id=oid, number=has.number, mana=units, paying=paying, before=before)
                yield from _outcomes(view, player, step, has, spent)


def _outcomes(view: View, player: str, step: Activate, has: Has, spent: Spent) -> Iterator[tuple[View, Spent]]:
    """The states after one paid activation: one for each outcome that its effect can have."""
    try:
        game, ctx, more = pay_activation(view, player, step, has, spent)
    except (Illegal, CannotPay):
        return
    after = view.after(mark_activated(game, step.id, step.number))
    ability = has.ability
    assert isinstance(ability, Activated)
    ctx = ctx.but(view=after)
    for outcome in activation_outcomes(after, step.id, ability, ctx, Reflection(after).look):
        yield carry_out_effect(after, player, step.id, ability, outcome, ctx, more)


def _mana_for(view: View, player: str, oid: str, cost) -> Iterator[Units]:
    purpose = Purpose("ability", source=oid, has_c="{C}" in cost.symbols, for_mana=True)
    how = spending(view, player, purpose)
    yield from _units(view, player, purpose, slots(cost, how), how)


def _units(view: View, player: str, purpose: Purpose, wanted, how) -> Iterator[Units]:
    pool = [(k, n) for k, n in view.game.players[player].pool if may_spend(k.only, purpose, view, player)]
    least = sum(min(way.n for way in slot.ways) * slot.n for slot in wanted)
    most = sum(max(way.n for way in slot.ways) * slot.n for slot in wanted)
    for n in range(least, min(most, sum(m for _, m in pool)) + 1):
        for units in _amounts_of(pool, n):
            if covers(wanted, units, how) is not None:
                yield units


def _amounts_of(pool: list[tuple[ManaKind, int]], n: int) -> Iterator[Units]:
    """Every way to take `n` mana out of the pool, by kinds."""
    if not n:
        yield ()
        return
    if not pool:
        return
    (kind, most), *others = pool
    for m in range(min(most, n), -1, -1):
        for rest in _amounts_of(others, n - m):
            yield ((kind, m), *rest) if m else rest


def _pay_from_pool(view: View, player: str, bill: Bill, spent: Spent) -> Rank | None:
    """The best rank of paying the bill's mana from this pool."""
    how = spending(view, player, bill.purpose)
    wanted = bill.slots(how)
    best: Rank | None = None
    total = sum(n for _, n in view.game.players[player].pool)
    for units in _units(view, player, bill.purpose, wanted, how):
        life = covers(wanted, units, how)
        who = view.game.players[player]
        if life is None or (life and who.life < life):
            continue
        take_mana(view.game, player, units)
        lost, counters, hurt, taps = _cost(spent)
        rank = (lost, counters, hurt + life, total - sum(n for _, n in units), taps)
        if best is None or rank < best:
            best = rank
    return best


