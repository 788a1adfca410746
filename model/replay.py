"""The referee: runs one line step by step under the rules. No search, and no solver anywhere near.

A line is a list of steps: activations of mana abilities, each with its exact payment and outcome, and payments of
symbols of the final cost. `run` raises Illegal at the first step that the rules do not allow, naming it; otherwise it
returns the game that the line leads to and what was spent on the way, counted from what really happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from .abilities import (
    Activated,
    AlsoUntaps,
    AttackRule,
    Become,
    CostPart,
    Damage,
    DontUntap,
    LoseLife,
    LoyaltyRule,
    MaxHandSize,
    SkipStep,
    SpendOnly,
    Static,
    UntapCap,
    UntapChosen,
    is_mana_ability,
)
from .characteristics import View, view_of
from .damage import life_taken
from .evaluate import Context, Gone, amount, matches
from .game import Game, Has, ManaKind
from .mana import TYPES, Cost, Mana, Way, mana_of
from .paying import CannotPay, Paying, carry_out, pay
from .plain import Row, is_quiet, row_on
from .production import Outcome, Packet, activation_outcomes, counters_put, puts_on_itself, reflection_of, sum_mana
from .proposals import Limit, Substitute
from .spending import Purpose, Slot, Spending, may_spend, slots, spending
from .timing import activation_refusals
from .total_cost import total_activation_cost

Units = tuple[tuple[ManaKind, int], ...]

# Static effects that nothing in a payment can notice.
UNNOTICED = (AttackRule, MaxHandSize, DontUntap, UntapCap, UntapChosen, AlsoUntaps, SkipStep, LoyaltyRule)


class Illegal(Exception):
    """A step that the rules do not allow: which one (from 0), why, and the rule."""

    def __init__(self, text: str, rule: str = "", code: str = "rule", objects: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text, self.rule, self.code, self.objects = text, rule, code, objects
        self.at: int | None = None


class Activate(msgspec.Struct, frozen=True, kw_only=True):
    """Activate a mana ability. `mana` pays the mana in its cost, `paying` the rest; `outcome` is what it is claimed
    to make; `that`: the object that the effect speaks of ("the sacrificed creature"). `before`: with priority."""

    id: str
    number: int
    mana: Units = ()
    paying: Paying = Paying()
    outcome: Outcome = Outcome(())
    x: int | None = None
    before: bool = False


class PaySymbol(msgspec.Struct, frozen=True, kw_only=True):
    """Pay `n` symbols of the final cost in one of their ways: with mana, with life, or (`by`: convoke, improvise,
    waterbend, delve) with objects that are tapped or exiled, one for each symbol."""

    symbol: str
    n: int = 1
    way: int = 0  # index into the ways of the slot
    mana: Units = ()
    life: int = 0
    by: str = ""
    objects: tuple[str, ...] = ()


class PayParts(msgspec.Struct, frozen=True, kw_only=True):
    """Pay everything of the final cost that is not mana."""

    paying: Paying


Step = Activate | PaySymbol | PayParts


class Spent(NamedTuple):
    """What a line costs, by the names of format.md."""

    taps: int = 0
    permanents_lost: int = 0
    cards_lost: int = 0
    counters: int = 0
    life: int = 0
    damage: int = 0
    floating: Mana = Mana()

    def wire(self) -> dict[str, object]:
        return {**self._asdict(), "floating": self.floating.wire()}


class Bill(NamedTuple):
    """What the line has to pay in the end, and for what: mana, other `parts` (read with `source` as the object and
    its X), objects that may stand in for mana (`substitutes`), and what mana alone may be spent (`limits`)."""

    cost: Cost
    purpose: Purpose
    source: str | None = None
    parts: tuple[CostPart, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    limits: tuple[Limit, ...] = ()
    x: int | None = None
    x_mana: int = 0

    def slots(self, how: Spending) -> tuple[Slot, ...]:
        on_x = any(limit.limit.on_x for limit in self.limits)
        return slots(self.cost, how, self.x_mana if on_x else 0)


class Result(NamedTuple):
    game: Game
    spent: Spent


def run(game: Game, player: str, steps: Sequence[Step], bill: Bill | None = None) -> Result:
    """Runs the line; raises Illegal (with `at`). With a bill, all of it has to be paid, after the last activation."""
    spent = Spent()
    view = view_of(game)
    activations = [s for s in steps if isinstance(s, Activate)]
    payments = [s for s in steps if not isinstance(s, Activate)]
    if list(steps) != [*activations, *payments]:
        raise _at(Illegal("mana abilities are activated before costs are paid", "601.2g"), len(activations))
    at = 0
    while at < len(activations):
        view, spent, done = run_plain(view, player, activations[at:], spent)
        at += done
        if at == len(activations):
            break
        try:
            view, spent = activate(view, player, activations[at], spent)
        except Illegal as illegal:
            raise _at(illegal, at) from None
        at += 1
    if bill is not None:
        try:
            after, spent = pay_bill(view, view_of(game), player, bill, payments, spent)
        except Illegal as illegal:
            raise _at(illegal, len(activations)) from None
        view = view.after(after)
    pool = view.game.players[player].pool
    return Result(view.game, spent._replace(floating=sum_mana(mana_of(k.type, n) for k, n in pool)))


def _at(illegal: Illegal, at: int) -> Illegal:
    if illegal.at is None:
        illegal.at = at
    return illegal


# --- rows of plain activations ----------------------------------------------------------------------------------------


# What a row of plain activations changes, in the words of View.after.
PLAINLY_CHANGED = frozenset({"tapped", "activated", "pool"})


def run_plain(view: View, player: str, steps: Sequence[Activate], spent: Spent) -> tuple[View, Spent, int]:
    """Carries out the first steps as far as they are plain (plain.py), all at once: how many there were. It accepts
    only; what is not plain, or not right, is left to the general rules."""
    if not steps or not is_quiet(view):
        return view, spent, 0
    row = row_on(view, player)
    objects = dict(view.game.objects)
    who = view.game.players[player]
    pool = dict(who.pool)
    done = 0
    for step in steps:
        obj = objects.get(step.id)
        if obj is None or obj.tapped or not _plainly(row, step, pool):
            break
        objects[step.id] = obj.but(tapped=True, activated=(*obj.activated, step.number))
        for kind, n in step.mana:
            pool[kind] -= n
        for packet in step.outcome.made:
            for kind, n in kinds_of(view, packet):
                pool[kind] = pool.get(kind, 0) + n
        done += 1
    if not done:
        return view, spent, 0
    game = view.game
    after = Game(game.you, game.players, objects, game.turn, game.stack, game.written)
    after = after.put_player(who.with_pool(pool))
    return view.after(after, PLAINLY_CHANGED), spent._replace(taps=spent.taps + done), done


def _plainly(row: Row, step: Activate, pool: Mapping[ManaKind, int]) -> bool:
    """Whether the step is one activation of a plain ability, paid with {T} and unrestricted mana that is there."""
    if step.before or step.x is not None or step.paying != Paying(tap=(step.id,)):
        return False
    view, player = row.view, row.player
    has = next((h for h in view.abilities(step.id) if h.number == step.number), None)
    form = row.form(step.id, has) if has is not None else None
    if form is None or not form.allows(step.outcome, step.id):
        return False
    if form.cost == Cost() or not step.mana:
        return form.cost == Cost() and not step.mana
    there = all(kind.only is None and pool.get(kind, 0) >= n for kind, n in step.mana)
    how = spending(view, player, Purpose("ability", source=step.id, for_mana=True))
    return there and len(dict(step.mana)) == len(step.mana) and covers(slots(form.cost, how), step.mana, how) == 0


# --- activating a mana ability (602.2, 605) ---------------------------------------------------------------------------


def ability_of(view: View, oid: str, number: int) -> Has:
    """The object's activated ability of that number; Illegal when it has none now."""
    if oid not in view.game.objects:
        raise Illegal(f"there is no {oid} here", "602.2")
    for has in view.abilities(oid):
        if has.number == number and isinstance(has.ability, Activated):
            return has
    raise Illegal(f"{oid} has no activated ability number {number} now", "602.2", objects=(oid,))


def activate(view: View, player: str, step: Activate, spent: Spent) -> tuple[View, Spent]:
    """The game after one activation of a mana ability, paid and resolved (605.3b)."""
    has = ability_of(view, step.id, step.number)
    ability = has.ability
    assert isinstance(ability, Activated)
    if not is_mana_ability(ability):
        raise Illegal(f"ability {step.number} of {step.id} is no mana ability", "605.1a", objects=(step.id,))
    for refusal in activation_refusals(view, player, step.id, has, during_payment=not step.before, x=step.x):
        raise Illegal(refusal.text, refusal.rule, refusal.code, refusal.objects)
    paid, ctx, spent = pay_activation(view, player, step, has, spent)
    after = view.after(mark_activated(paid, step.id, step.number))
    return resolve(after, player, step, ability, ctx, spent)


def pay_activation(view: View, player: str, step: Activate, has: Has, spent: Spent) -> tuple[Game, Context, Spent]:
    """The game after the activation's total cost was paid, and the context in which its effect resolves."""
    ctx = Context(view, source=step.id, you=player, x=step.x)
    why = ""
    for cost, parts in total_activation_cost(view, player, step.id, has, step.x):
        purpose = Purpose("ability", source=step.id, has_c="{C}" in cost.symbols, for_mana=True)
        how = spending(view, player, purpose)
        life = covers(slots(cost, how), step.mana, how)
        if life is None:
            why = f"the mana does not pay {cost}"
            continue
        usable = (may_spend(kind.only, purpose, view, player) for kind, _ in step.mana)
        if not all(usable):
            why = "the mana may not be spent on this ability"
            continue
        try:
            game = take_mana(view.game, player, step.mana)
            view_paid = view.after(game)
            after = pay(view_paid, player, step.id, parts, step.paying, ctx, mana_ability=True)
        except CannotPay as cannot:
            raise Illegal(cannot.text, cannot.rule, "cost_unpayable", (step.id,)) from None
        if life:
            after = _lose(after, player, life)
        return after, resolving_context(view, ctx, step.paying), count_spent(view, step.paying, spent, life)
    raise Illegal(f"{why}: ability {step.number} of {step.id}", "118.3", "cost_unpayable", (step.id,))


def resolving_context(view: View, ctx: Context, paying: Paying) -> Context:
    """Objects that left as the cost was paid are remembered as they last were (608.2h); the first of them, or what
    was tapped or untapped, is the object that the effect speaks of."""
    left = (*paying.sacrifice, *paying.exile, *paying.discard, *paying.to_hand)
    gone = {oid: Gone(view.game.objects[oid], view.of(oid), view) for oid in left}
    named = [oid for oid in (*left, *paying.tap, *paying.untap, *paying.reveal) if oid != ctx.source] or list(left)
    return ctx.but(gone=gone, that=named[0] if named else None)


def covers(cost_slots: tuple[Slot, ...], mana: Units, how: Spending) -> int | None:
    """The least life that has to be paid beside exactly this mana to pay these slots; None when it can't be done.

    A small exact search: the costs of abilities have a handful of symbols.
    """
    units = [ManaKind(*kind[:3]) for kind, n in mana for _ in range(n)]  # nothing else of it matters here
    wanted = [slot for slot in cost_slots for _ in range(slot.n)]
    if not _fits_in_number(wanted, len(units)):
        return None

    def search(slot_index: int, left: tuple[ManaKind, ...]) -> int | None:
        if slot_index == len(wanted):
            return 0 if not left else None
        slot = wanted[slot_index]
        best: int | None = None
        for way in slot.ways:
            for rest in _take_units(left, way.n, lambda k, w=way: how.pays(k, w, slot.is_generic(w))):
                more = search(slot_index + 1, rest)
                if more is not None and (best is None or more + way.life < best):
                    best = more + way.life
                    if not best:
                        return 0  # none is less
        return best

    return search(0, tuple(units))


def _fits_in_number(wanted: Sequence[Slot], n: int) -> bool:
    least = sum(min((way.n for way in slot.ways), default=0) for slot in wanted)
    most = sum(max((way.n for way in slot.ways), default=0) for slot in wanted)
    return least <= n <= most


def _take_units(units: tuple[ManaKind, ...], n: int, fits) -> Iterable[tuple[ManaKind, ...]]:
    if n == 0:
        yield units
        return
    tried: set[ManaKind] = set()
    for i, unit in enumerate(units):
        if unit in tried or not fits(unit):
            continue
        tried.add(unit)
        yield from _take_units((*units[:i], *units[i + 1 :]), n - 1, fits)


def take_mana(game: Game, player: str, mana: Units) -> Game:
    """The game with this mana taken from the pool; Illegal when it is not there."""
    who = game.players[player]
    have = dict(who.pool)
    for kind, n in mana:
        if have.get(kind, 0) < n:
            raise Illegal(f"there is not so much {{{kind.type}}} in the pool", "106.4")
        have[kind] -= n
    return game.put_player(who.with_pool(have))


def mark_activated(game: Game, oid: str, number: int) -> Game:
    """An activation counts for limits each turn (602.5b) as long as the object is the same one."""
    obj = game.objects.get(oid)
    if obj is None or obj.zone != "battlefield":
        return game
    return game.put(obj.but(activated=(*obj.activated, number)))


def resolve(
    view: View, player: str, step: Activate, ability: Activated, ctx: Context, spent: Spent
) -> tuple[View, Spent]:
    """The effect: the claimed outcome has to be one of those that the rules allow here."""
    ctx = ctx.but(view=view)
    possible = activation_outcomes(view, step.id, ability, ctx, reflection_of(view).look)
    claimed = [content(p) for p in (*step.outcome.made, *step.outcome.triggered)]
    for outcome in possible:
        if sorted(map(repr, claimed)) == sorted(repr(content(p)) for p in (*outcome.made, *outcome.triggered)):
            break
    else:
        raise Illegal(f"{step.id} can't make {describe(step.outcome)} here", "106.12", "produces_nothing", (step.id,))
    return carry_out_effect(view, player, step.id, ability, step.outcome, ctx, spent)


def carry_out_effect(
    view: View, player: str, oid: str, ability: Activated, outcome: Outcome, ctx: Context, spent: Spent
) -> tuple[View, Spent]:
    """The game after the ability's effect, with an outcome that the rules allow."""
    who = view.game.players[player]
    for packet in (*outcome.made, *outcome.triggered):
        for kind, n in kinds_of(view, packet):
            who = who.add_mana(kind, n)
    game = view.game.put_player(who)
    for effect in ability.effects:
        if isinstance(effect, Damage | LoseLife) and effect.to in ("you", "controller"):
            n = life_taken(effect, view, player, ctx)
            game = _lose(game, player, n)
            spent = spent._replace(damage=spent.damage + n)
        elif puts_on_itself(effect) and oid in game.objects:
            n = counters_put(view, oid, effect.detail, amount(effect.n, ctx))
            game = game.put(game.objects[oid].with_counters(effect.detail, n))
        elif isinstance(effect, Become) and not unnoticed(effect):
            raise Illegal("what the ability leaves behind is not modelled", "611.2", "not_modelled", (oid,))
    return view.after(game), spent


def unnoticed(effect: Become) -> bool:
    """Whether nothing that is done while paying can notice what the effect leaves behind: untap steps, combat and
    hand sizes come later."""
    return all(
        isinstance(ability, Static) and all(isinstance(e, UNNOTICED) for e in ability.effects)
        for ability in effect.abilities
    )


def content(packet: Packet) -> tuple[Mana, str, SpendOnly | None]:
    """What makes two packets the same mana: amounts, source and restriction."""
    return packet.mana, packet.source, packet.only


def describe(outcome: Outcome) -> str:
    text = str(sum_mana(p.mana for p in (*outcome.made, *outcome.triggered)))
    return text or "no mana"


def kinds_of(view: View, packet: Packet) -> Units:
    """The units that a packet puts into the pool: snow if its source is snow (107.4h), or was as it was sacrificed."""
    snow = packet.source in view.game.objects and "Snow" in view.of(packet.source).supertypes
    return tuple(
        (ManaKind(t, packet.only, snow, packet.source, packet.riders), n) for t, n in packet.mana.items() if n
    )


def _lose(game: Game, player: str, n: int) -> Game:
    who = game.players[player]
    return game.put_player(who.but(life=who.life - n))


def count_spent(view: View, paying: Paying, spent: Spent, life: int = 0) -> Spent:
    """What one payment adds to the account. What leaves the battlefield is a permanent lost, other cards are cards
    lost; a permanent that is tapped and then lost counts as both."""
    objects = view.game.objects
    lost = (*paying.sacrifice, *paying.exile, *paying.to_hand, *paying.discard, *paying.moved)
    permanents = sum(1 for oid in lost if objects[oid].zone == "battlefield")
    return spent._replace(
        taps=spent.taps + len(paying.tap),
        permanents_lost=spent.permanents_lost + permanents,
        cards_lost=spent.cards_lost + len(lost) - permanents,
        counters=spent.counters + sum(n for _, _, n in paying.counters_removed),
        life=spent.life + paying.life + life,
    )


# --- paying the final cost (601.2h) -----------------------------------------------------------------------------------


def pay_bill(
    view: View, start: View, player: str, bill: Bill, payments: Sequence[PaySymbol | PayParts], spent: Spent
) -> tuple[Game, Spent]:
    """The game after the whole bill was paid by these payments, no more and no less. `start` is the board before the
    line, on which limits on the source of mana are read (106.3)."""
    how = spending(view, player, bill.purpose)
    due = {slot.symbol: slot for slot in bill.slots(how)}
    left = {symbol: slot.n for symbol, slot in due.items()}
    game, life = view.game, 0
    parts = Paying()
    for payment in payments:
        if isinstance(payment, PayParts):
            parts = parts.plus(payment.paying)
            continue
        slot = due.get(payment.symbol)
        if slot is None or left[payment.symbol] < payment.n:
            raise Illegal(f"{payment.symbol} is not in the cost (any more)", "601.2h")
        left[payment.symbol] -= payment.n
        if payment.by:
            game, spent = _substitute(view.after(game), player, payment, slot, bill, spent)
            continue
        life += _pay_symbol(view, start, player, payment, slot, how, bill)
        game = take_mana(game, player, payment.mana)
    missing = [symbol for symbol, n in left.items() if n]
    if missing:
        raise Illegal(f"not paid: {' '.join(missing)}", "118.3", "not_payable")
    who = game.players[player]
    if life and who.life < life:
        raise Illegal(f"{player} has {who.life} life and would pay {life}", "119.4", "no_life")
    game = _lose(game, player, life)
    return _pay_parts(view.after(game), player, bill, parts, spent._replace(life=spent.life + life))


def _pay_symbol(
    view: View, start: View, player: str, payment: PaySymbol, slot: Slot, how: Spending, bill: Bill
) -> int:
    """Checks one payment with mana or life; returns the life that it takes."""
    way = slot.ways[payment.way]
    if sum(n for _, n in payment.mana) != way.n * payment.n or payment.life != way.life * payment.n:
        raise Illegal(f"{payment.symbol} is not paid by that", "107.4")
    for kind, _ in payment.mana:
        if not may_spend(kind.only, bill.purpose, view, player):
            raise Illegal(f"{{{kind.type}}} from {kind.source} may not be spent on this", "106.6", "restricted")
        if not how.pays(kind, way, slot.is_generic(way)):
            raise Illegal(f"{{{kind.type}}} does not pay {payment.symbol}", "107.4", "color_missing")
        if not within_limits(start, player, bill, slot, kind.type, kind.source):
            raise Illegal(f"mana from {kind.source} may not be spent on this", "601.2h", "restricted")
    return payment.life


def within_limits(view: View, player: str, bill: Bill, slot: Slot, type_: str, source: str | None) -> bool:
    """Whether what limits the mana for this cost ("spend only …") allows such mana from that source (601.2h)."""
    for limit, of in bill.limits:
        if limit.on_x and slot.symbol != "{X}":
            continue
        ctx = Context(view, source=of, you=player, x=bill.x)
        types = (ctx.chosen("color") or "") if limit.chosen else limit.types
        if limit.no_mana or type_ not in types:
            return False
        if limit.source is None:
            continue
        if source is None or source not in view.game.objects or not matches(limit.source, source, ctx):
            return False
    return True


def _substitute(
    view: View, player: str, payment: PaySymbol, slot: Slot, bill: Bill, spent: Spent
) -> tuple[Game, Spent]:
    """Objects that pay for symbols in place of mana: tapped (convoke, improvise, waterbend) or exiled (delve)."""
    way = slot.ways[payment.way]
    found = next((s for s in bill.substitutes if s.kind == payment.by), None)
    if found is None or found.what is None or len(payment.objects) != payment.n * way.n:
        raise Illegal(f"{payment.symbol} can't be paid by {payment.by}", "601.2h")
    ctx = Context(view, source=bill.source, you=player, x=bill.x)
    for oid in payment.objects:
        if not matches(found.what, oid, ctx):
            raise Illegal(f"{oid} can't be used to {payment.by}", "601.2h", objects=(oid,))
        if not stands_in(found, way, view.of(oid).colors):
            raise Illegal(f"{oid} does not pay {payment.symbol}", "601.2h", objects=(oid,))
    exiled = payment.by == "delve"
    paying = Paying(exile=payment.objects) if exiled else Paying(tap=payment.objects)
    try:
        return carry_out(view.game, player, paying), count_spent(view, paying, spent)
    except CannotPay as cannot:
        raise Illegal(cannot.text, cannot.rule, "cost_unpayable") from None


def stands_in(substitute: Substitute, way: Way, colors: str) -> bool:
    """Whether an object may pay one unit of this way: generic mana, or mana of a color it has (702.51a)."""
    if not way.n or way.snow:
        return False
    return way.types == TYPES or (substitute.colors and bool(set(way.types) & set(colors)))


def _pay_parts(view: View, player: str, bill: Bill, paying: Paying, spent: Spent) -> tuple[Game, Spent]:
    """Everything that is not mana, as one payment."""
    if not bill.parts:
        if paying != Paying():
            raise Illegal("the cost has no other parts", "601.2h")
        return view.game, spent
    source = bill.source or ""
    ctx = Context(view, source=source, you=player, x=bill.x, spell=bill.purpose.spell)
    try:
        game = pay(view, player, source, bill.parts, paying, ctx, mana_ability=bill.purpose.for_mana)
    except CannotPay as cannot:
        raise Illegal(cannot.text, cannot.rule, "cost_unpayable", (source,)) from None
    return game, count_spent(view, paying, spent)
