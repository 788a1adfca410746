"""Whether a cost can be paid, and how best: the decision, and the line of play as evidence.

The relaxation proves a no; a strict model in 1, 2, 4 … levels proves a yes; with as many levels as there can be
firings it is exact. The best payment is proven when its value meets the relaxation's bound, or when the levels are
exact. Every line is run by the referee before it leaves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Literal, NamedTuple

import msgspec

from ..model.game import Game, ManaKind, Unknown
from ..model.mana import Mana, mana_of
from ..model.paying import Paying, with_objects
from ..model.production import Outcome, Packet
from ..model.replay import Activate, Bill, Illegal, PayParts, PaySymbol, Spent, Step, Units, run
from .certificates import is_best, plainly_too_little
from .coverability import Marking, coverability_set
from .cpsat import Solved
from .final_cost import Payable, payables
from .levels import FinalFlow, Flow, Levels, firings_left
from .mana_net import Net, Transition, by_member, compile_net
from .plain_flow import Share, plain_payment

# The number of levels is doubled up to this; a line that needs more is not found, and the answer is unknown.
MOST_LEVELS = 32
# The same where nothing bounds the length of a line; then loops are looked for.
MOST_UNBOUNDED = 8
# The longest line that repeats a loop.
MOST_STEPS = 2000
LIMIT = 20.0


class Payment(NamedTuple):
    """A payment: steps that the referee has run, what they cost, and whether nothing better exists."""

    steps: tuple[Step, ...]
    spent: Spent
    optimal: bool
    after: Game


class Decision(NamedTuple):
    verdict: Literal["yes", "no", "unknown"]
    payment: Payment | None = None
    why: Unknown | None = None


def decide(net: Net, bills: Sequence[Bill], *, best: bool = True, limit: float = LIMIT) -> Decision:
    """Whether all bills can be paid, one after the other, from one line of activations."""
    decisions = [
        _decide(net, finals, best, limit) for finals in product(*(list(payables(net, net.view, b)) for b in bills))
    ]
    if not decisions:
        return _no(net)
    yes = [d for d in decisions if d.verdict == "yes"]
    if yes:
        return min(yes, key=lambda d: rank(d.payment.spent))  # type: ignore[union-attr]
    return next((d for d in decisions if d.verdict == "unknown"), decisions[0])


def rank(spent: Spent) -> tuple[int, ...]:
    """The order of format.md: what is lost, counters, life and damage, mana left over, permanents tapped."""
    lost = spent.permanents_lost + spent.cards_lost
    return lost, spent.counters, spent.life + spent.damage, spent.floating.total, spent.taps


def _decide(net: Net, finals: Sequence[Payable], best: bool, limit: float) -> Decision:
    plain = _plainly(net, finals, best)
    if plain is not None:
        return Decision("yes", plain)
    if plainly_too_little(net, finals):
        return _no(net)
    reading = any(t.doubles for t in net.transitions)
    least: list[int] | None = None
    # The state equation alone is smaller; ranks matter only where its solution has no order.
    for ranks in (False, True) if any(t.demand >= 0 for t in net.transitions) and not reading else (False,):
        relaxed = Levels(net, finals, 1, relaxed=True, ranks=ranks)
        bound = relaxed.solve(best=best and not reading, limit=limit)
        if bound.status == "infeasible":
            return _no(net)
        least = [bound.value(term) for term, _ in relaxed.terms] if bound.status == "optimal" and best else None
        if not reading and len(net.worlds) == 1 and (bound.status == "optimal" or not best):
            # Nothing is better than what the relaxation found; where that can be put in order, it is the answer.
            realised = _realised(net, relaxed, bound, finals)
            # What really happened is compared: a firing that the line could do without may have been left out of it.
            if realised is not None and (not best or list(rank(realised.spent)) == least):
                return Decision("yes", realised._replace(optimal=best))
    search = Search(net, finals, best, limit, least)
    exact: int | None = 1
    levels = 1
    while True:
        done = search.at(levels)
        if done is not None:
            return done
        if levels == 1:
            exact = firings_left(net)
        if exact is not None and levels >= exact:
            return search.exhausted()
        most = MOST_LEVELS if exact is not None else MOST_UNBOUNDED
        if levels >= most:
            return search.given_up() if exact is not None else _with_loop(net, finals, search)
        levels = min(levels * 2, most, exact or most)


def _realised(net: Net, relaxed: Levels, bound: Solved, finals: Sequence[Payable]) -> Payment | None:
    """The relaxation's solution as a line that the referee has accepted; None when no order was found. That proves
    nothing: a strict model may still find one."""
    if not bound.found:
        return None
    line = Line(net, relaxed, bound)
    try:
        activations = line.in_some_order()
        if activations is None:
            return None
        return _referee(net, line, activations, relaxed)
    except Illegal:
        return None


class Search:
    """The search for a line, level by level: the best one so far, and what would prove it best."""

    def __init__(
        self, net: Net, finals: Sequence[Payable], best: bool, limit: float, least: list[int] | None
    ) -> None:
        self.net, self.finals, self.best, self.limit, self.least = net, finals, best, limit, least
        self.found: Payment | None = None
        self.value: list[int] | None = None
        self.why: Unknown | None = None

    def at(self, levels: int) -> Decision | None:
        """Tries so many levels; a decision when that settles it."""
        model = Levels(self.net, self.finals, levels)
        solved = model.solve(best=self.best, limit=self.limit)
        if solved.status == "unknown":
            self.why = self.why or TIME_LIMIT
            return self.given_up()
        if not solved.found:
            return None
        value = [solved.value(term) for term, _ in model.terms]
        if self.value is None or value < self.value:
            try:
                self.found, self.value = run_solution(self.net, model, solved, self.finals), value
            except Illegal as illegal:
                # A fault of the net, never a yes: more levels may still find a line that is one.
                text = f"a line that the referee refuses: {illegal.text}"
                self.why = Unknown(text, "internal", illegal.objects)
        if self.found is not None and (not self.best or self.value == self.least):
            return self.exhausted()
        return None

    def exhausted(self) -> Decision:
        """Nothing better exists."""
        if self.found is not None:
            return Decision("yes", self.found._replace(optimal=self.best and self.why is None))
        return _no(self.net) if self.why is None else Decision("unknown", why=self.why)

    def given_up(self) -> Decision:
        if self.found is not None:
            return Decision("yes", self.found)
        return Decision("unknown", why=self.why or TIME_LIMIT)


NOT_SOLVED = Solved("unknown", [], 0.0, 0.0)
TIME_LIMIT = Unknown("the solver did not finish within its limit", "time_limit")


def _with_loop(net: Net, finals: Sequence[Payable], search: Search) -> Decision:
    """Where no line is bounded: the coverability set proves a no, and for a yes the question is asked again after
    enough rounds of a loop."""
    from .loops import find_loop

    if search.found is not None:
        return search.given_up()
    covered = coverability_set(net)
    if covered is not None and not any(_payable_from(net, finals, marking) for marking in covered):
        return search.exhausted()
    loop = find_loop(net)
    if loop is None:
        return search.given_up()
    need = sum(slot.n * max(way.n for way in slot.ways) for f in finals for slot in f.demand.slots)
    rounds = need // min(loop.gain.values()) + 2
    if rounds * len(loop.loop) > MOST_STEPS:
        return search.given_up()
    game, line = loop.after(net.game, net.player, rounds)
    view = net.view.after(game)
    later = compile_net(game, net.player, before=net.before, view=view, alone=net.alone, tags=net.tags)
    decision = decide(later, [f.bill for f in finals], best=False, limit=search.limit)
    if decision.payment is None:
        return search.given_up()
    result = run(net.game, net.player, (*line, *decision.payment.steps), finals[0].bill if finals else None)
    return Decision("yes", Payment((*line, *decision.payment.steps), result.spent, False, result.game))


def _payable_from(net: Net, finals: Sequence[Payable], marking: Marking) -> bool:
    """Whether the final costs can be paid from a marking without any further activation."""
    return Levels(net, finals, 0, start=marking).solve(best=False, limit=LIMIT).status != "infeasible"


def _no(net: Net) -> Decision:
    """A no, unless something was left out of the net that might have paid."""
    if net.doubts:
        return Decision("unknown", why=net.doubts[0])
    return Decision("no")


# --- from a solution to a line ----------------------------------------------------------------------------------------


def run_solution(net: Net, model: Levels, solved: Solved, finals: Sequence[Payable]) -> Payment:
    """The solution as a line that the referee has accepted; Illegal when it has not."""
    line = Line(net, model, solved)
    return _referee(net, line, line.activations(), model)


def _referee(net: Net, line: Line, activations: Sequence[Activate], model: Levels) -> Payment:
    """The line with the payments of the final costs, run by the referee."""
    finals = [final.payable for final in model.finals]
    payments = [line.pay(final) for final in model.finals]
    steps = (*activations, *(payments[0] if payments else ()))
    first = result = run(net.game, net.player, steps, finals[0].bill if finals else None)
    for final, pays in zip(finals[1:], payments[1:], strict=True):
        result = run(result.game, net.player, pays, final.bill)
    return Payment(steps, first.spent, False, first.game)


def _plainly(net: Net, finals: Sequence[Payable], best: bool) -> Payment | None:
    """A payment from plain sources alone that the referee has accepted; with `best` only one that is provably best."""
    found = plain_payment(net, finals[0], few_taps=best) if len(finals) == 1 else None
    if found is None:
        return None
    if best and not is_best(net, finals, Spent(taps=found.taps)):
        return None  # whatever else it costs
    line = Line(net)
    activations = [
        line.activate_for(index, share.kind)
        for share in found.shares
        if (index := found.sources[share.source].kinds[share.kind]) is not None
        for _ in range(share.n)
    ]
    activations += [line.activate_rock(index) for index in found.rocks]
    steps = (*activations, *line.pay_shares(finals[0], found.shares))
    try:
        result = run(net.game, net.player, steps, finals[0].bill)
    except Illegal:
        return None
    if best and not is_best(net, finals, result.spent):
        return None
    return Payment(steps, result.spent, best, result.game)


class Line:
    """Deals the numbers of a solution out to concrete objects and units of mana."""

    def __init__(self, net: Net, model: Levels | None = None, solved: Solved = NOT_SOLVED) -> None:
        self.net = net
        self.levels = model.levels if model is not None else []
        self.solved = solved
        self.members: list[deque[str]] = [deque() for _ in net.marking]
        for cls in net.classes:
            self.members[cls.u].extend(cls.ids[: cls.untapped])
            if cls.t >= 0:
                self.members[cls.t].extend(cls.ids[cls.untapped :])
        self.used: dict[tuple[str, int], int] = {}
        self.watched = {p for group in net.watched for cls in group for p in (cls.u, cls.t)}
        self.wanted: set[int] = set()  # kinds of mana that activations wait for; free choices are those first
        for obj in net.game.objects.values():
            for number in obj.activated:
                self.used[obj.id, number] = self.used.get((obj.id, number), 0) + 1
        self.units: dict[int, deque[list]] = {k: deque() for k in range(len(net.kinds))}
        for kind, n in net.game.players[net.player].pool:
            index = net.kind(kind.type, kind.only, kind.snow, kind.source)
            self.units[index].append([kind, n])

    def activations(self) -> list[Activate]:
        """All activations in an order that the rules allow: level by level; what leaves goes last in its level."""
        steps: list[Activate] = []
        for level in self.levels:
            free = {key: self.solved.values[var] for key, var in level.free.items()}
            purses = {d: _Purse(flow, self.solved) for d, flow in level.flows.items()}
            firing = [
                (self.net.transitions[i], i) for i, x in level.firings.items() for _ in range(self.solved.values[x])
            ]
            firing.sort(key=lambda f: (self._ends_world(f[0]), f[0].permanents > 0, f[0].moves_itself))
            for transition, index in firing:
                mana = self._spend(purses[transition.demand]) if transition.demand >= 0 else ()
                step = self._activate(transition, index, mana, free)
                if transition.doubles:
                    added = {k: self.solved.values[v] for (i, k), v in level.added.items() if i == index}
                    step = self._doubled(step, added)
                steps.append(step)
        return _phases(steps)

    def _ends_world(self, t: Transition) -> bool:
        """Whether something that others read leaves by it: what a level does in its world comes before."""
        return any(move.to is None and move.place in self.watched for move in t.moves)

    def in_some_order(self) -> list[Activate] | None:
        """The activations of a model that has no order of its own, each as soon as what it takes is there; None where
        that leaves some over. What leaves waits until nothing else can go on."""
        level = self.levels[0]
        free = {key: self.solved.values[var] for key, var in level.free.items()}
        purses = {d: _Purse(flow, self.solved) for d, flow in level.flows.items()}
        waiting = [[self.solved.values[x], i] for i, x in level.firings.items() if self.solved.values[x]]
        if sum(n for n, _ in waiting) > MOST_STEPS:
            return None  # where loops are possible, nothing keeps the numbers of the relaxation small
        wanted = self.wanted = {k for purse in purses.values() for k in purse.kinds()}
        waiting.sort(key=lambda w: self._haste(self.net.transitions[w[1]], wanted))
        marking = list(self.net.marking)
        steps: list[Activate] = []
        while waiting:
            for entry in waiting:
                some = False
                while entry[0] and (step := self._next(entry[1], purses, marking, free)) is not None:
                    steps.append(step)
                    entry[0] -= 1
                    some = True
                if some:
                    break
            else:
                return None
            waiting = [entry for entry in waiting if entry[0]]
        return _phases(steps)

    def _haste(self, t: Transition, wanted: set[int]) -> tuple[bool, bool, bool, int]:
        """What takes nothing first, then what makes most of the mana that other activations wait for."""
        made = sum(n for k, n in t.makes.items() if k in wanted)
        made += sum(n for n, kinds in t.free if not wanted.isdisjoint(kinds))
        return t.permanents > 0, t.moves_itself, t.demand >= 0, -made

    def _next(
        self, index: int, purses: dict[int, _Purse], marking: list[int], free: dict[tuple[int, int, int], int]
    ) -> Activate | None:
        """One firing of a transition, if everything that it takes is there now."""
        t = self.net.transitions[index]
        if any(marking[p] < n for p, n in t.takes.items()):
            return None
        if any(sum(marking[p] - besides * t.takes.get(p, 0) for p in places) < n for places, n, besides in t.reads):
            return None  # the object whose ability it is has left
        mana: Units = ()
        if t.demand >= 0:
            picked = purses[t.demand].pick(lambda kind: sum(n for _, n in self.units[kind]))
            if picked is None:
                return None
            mana = _together([unit for kind in picked for unit in self._take(kind, 1)])
        for p, n in t.takes.items():
            marking[p] -= n
        for p, n in t.gives.items():
            marking[p] += n
        return self._activate(t, index, mana, free)

    def activate_for(self, index: int, kind: int) -> Activate:
        """One firing of a transition that makes one mana, of this kind."""
        t = self.net.transitions[index]
        if len(t.outcome.made) == 1 and not t.outcome.triggered and not t.outcome.order:
            return self._tap(t, kind)
        free = {(index, part, k): int(k == kind) for part, (_, kinds) in enumerate(t.free) for k in kinds}
        return self._activate(t, index, (), free)

    def activate_rock(self, index: int) -> Activate:
        """One firing of a transition without choices that takes nothing but {T}."""
        return self._activate(self.net.transitions[index], index, (), {})

    def _tap(self, t: Transition, kind: int) -> Activate:
        """The same where {T} is all that happens besides (plain_flow.py)."""
        source = self.members[t.cls.u].popleft()
        self.members[t.cls.t].appendleft(source)
        packet = _from(t.outcome.made[0], t, source)
        if packet.free:
            packet = packet._replace(mana=mana_of(self.net.kinds[kind].type), free=0, types="")
        made = ManaKind(self.net.kinds[kind].type, packet.only, self._is_snow(packet), packet.source, packet.riders)
        self.units[kind].append([made, 1])
        return Activate(id=source, number=t.number, paying=Paying(tap=(source,)), outcome=Outcome((packet,)))

    def pay_shares(self, final: Payable, shares: Sequence[Share]) -> list[PaySymbol]:
        """The payment of a cost whose symbols all take one mana."""
        paid: dict[tuple[int, int], list[tuple[ManaKind, int]]] = {}
        for share in shares:
            ways = range(len(final.demand.slots[share.slot].ways))
            w = next(w for w in ways if share.kind in final.payers[share.slot, w])
            paid.setdefault((share.slot, w), []).extend(self._take(share.kind, share.n))
        return [
            PaySymbol(symbol=final.demand.slots[s].symbol, n=sum(n for _, n in units), way=w, mana=_together(units))
            for (s, w), units in paid.items()
        ]

    def _activate(self, t: Transition, index: int, mana: Units, free: dict[tuple[int, int, int], int]) -> Activate:
        paying, source = self._objects(t)
        made = [_from(p, t, source) for p in t.outcome.made]
        triggered = [_from(p, t, source) for p in t.outcome.triggered]
        parts = iter(range(len(t.free)))
        made = [self._settle(p, index, parts, free, t) for p in made]
        triggered = [self._settle(p, index, parts, free, t) for p in triggered]
        outcome = Outcome(tuple(made), t.outcome.order, tuple(triggered))
        for packet in (*made, *triggered):
            is_snow = self._is_snow(packet)
            for type_, n in packet.mana.items():
                # What an effect made snow is so no more where it lies after it was sacrificed for this.
                snow = is_snow and self.net.kind(type_, packet.only, True, packet.source) in self.units
                kind = ManaKind(type_, packet.only, snow, packet.source, packet.riders)
                self.units[self.net.kind(type_, packet.only, snow, packet.source)].append([kind, n])
        return Activate(
            id=source, number=t.number, mana=mana, paying=paying, outcome=outcome, x=t.x, before=t.before
        )

    def _doubled(self, step: Activate, added: dict[int, int]) -> Activate:
        """What an ability that reads the pool added, by the solution."""
        mana = Mana()
        for k, n in added.items():
            type_ = self.net.kinds[k].type
            mana = mana.plus(mana_of(type_, n))
            if n:
                self.units[k].append([ManaKind(type_, None, False, step.id), n])
        made = (Packet(mana, step.id),) if mana.total else ()
        return msgspec.structs.replace(step, outcome=Outcome(made))

    def _is_snow(self, packet: Packet) -> bool:
        return packet.source in self.net.game.objects and "Snow" in self.net.view.of(packet.source).supertypes

    def _objects(self, t: Transition) -> tuple[Paying, str]:
        """Concrete objects for one firing: those that it takes, and the object whose ability it is."""
        fields: dict[str, list[str]] = {}
        cls = t.cls
        source: str | None = None
        moves = sorted(t.moves, key=lambda m: m.field not in ("tap", "untap"))
        own = {p for p in (cls.u, cls.t) if p >= 0}
        for move in moves:
            if self.net.place_names[move.place][0] in ("counters", "player", "uses", "library"):
                continue
            for _ in range(move.n):
                if source is not None and t.moves_itself and move.place in own and source in self.members[move.place]:
                    self.members[move.place].remove(source)
                    chosen = source
                elif t.taps_itself and source is None and move.field == "tap" and move.place == cls.u:
                    chosen = source = self.members[move.place].popleft()
                else:
                    chosen = self.members[move.place].popleft()
                    if t.moves_itself and source is None and move.place in own:
                        source = chosen
                fields.setdefault(move.field, []).append(chosen)
                if move.to is not None:
                    # Those that were tapped last are taken first: the source that may be sacrificed with it.
                    self.members[move.to].appendleft(chosen)
        if source is None:
            taken = {i for ids in fields.values() for i in ids}
            here = [i for p in sorted(own) for i in self.members[p]]
            free = [i for i in here if not t.limit or self.used.get((i, t.number), 0) < t.limit]
            staying = next((i for i in free if i not in taken), None)
            source = staying or next((i for i in taken if i in cls.ids), None)
            if source is None:
                text = f"no {cls.ids[0]} is left that could activate its ability again"
                raise Illegal(text, "602.5b", "cannot_activate", cls.ids)
        self.used[source, t.number] = self.used.get((source, t.number), 0) + 1
        objects = with_objects(fields)
        return objects.plus(by_member(t.paying, source)), source

    def _settle(
        self, packet: Packet, index: int, parts: Iterator[int], free: dict[tuple[int, int, int], int], t: Transition
    ) -> Packet:
        """The free choices of a packet, taken from what the solution chose for all firings together."""
        if not packet.free:
            return packet
        part = next(parts)
        n, kinds = t.free[part]
        mana = packet.mana
        for k in sorted(kinds, key=lambda k: k not in self.wanted):
            take = min(n, free[index, part, k])
            free[index, part, k] -= take
            n -= take
            mana = mana.plus(mana_of(self.net.kinds[k].type, take))
        return packet._replace(mana=mana, free=0, types="")

    def _spend(self, purse: _Purse) -> Units:
        """The mana for one activation: for every symbol a way and units that the solution set aside for it."""
        taken: list[tuple[ManaKind, int]] = []
        for s, slot in enumerate(purse.flow.demand.slots):
            for _ in range(slot.n):
                w = purse.next_way(s)
                for k in purse.next_kinds(s, w, slot.ways[w].n):
                    taken.extend(self._take(k, 1))
        return _together(taken)

    def _take(self, kind: int, n: int) -> list[tuple[ManaKind, int]]:
        """`n` units of a kind, oldest first."""
        taken = []
        queue = self.units[kind]
        while n:
            head = queue[0]
            some = min(n, head[1])
            taken.append((head[0], some))
            head[1] -= some
            n -= some
            if not head[1]:
                queue.popleft()
        return taken

    def pay(self, final: FinalFlow) -> list[PaySymbol | PayParts]:
        """The payment of a final cost: a step for every symbol and way, then one for everything that is not mana.
        What stands in for mana goes first, as it may leave for another part afterwards."""
        steps: list[PaySymbol | PayParts] = self._stand_ins(final)
        flow = final.flow
        for s, slot in enumerate(flow.demand.slots):
            for w, way in enumerate(slot.ways):
                units: list[tuple[ManaKind, int]] = []
                for (s2, w2, k), var in flow.mana.items():
                    if (s2, w2) == (s, w) and self.solved.values[var]:
                        units.extend(self._take(k, self.solved.values[var]))
                paid = sum(n for _, n in units)
                count = self.solved.value(flow.ways[s, w]) if way.life else paid // way.n
                if count:
                    life = way.life * count
                    steps.append(PaySymbol(symbol=slot.symbol, n=count, way=w, mana=_together(units), life=life))
        parts = self._parts(final)
        if parts != Paying():
            steps.append(PayParts(paying=parts))
        return steps

    def _stand_ins(self, final: FinalFlow) -> list[PaySymbol | PayParts]:
        steps: list[PaySymbol | PayParts] = []
        for (i, j), var in final.stand_ins.items():
            stand_in = final.payable.stand_ins[i]
            place, s, w = stand_in.uses[j]
            slot = final.flow.demand.slots[s]
            n = self.solved.values[var]
            if n:
                ids = tuple(self._move(stand_in.field, place) for _ in range(n))
                way = slot.ways[w]
                steps.append(PaySymbol(symbol=slot.symbol, n=n // way.n, way=w, by=stand_in.kind, objects=ids))
        return steps

    def _parts(self, final: FinalFlow) -> Paying:
        payable = final.payable
        paying = payable.fixed.plus(Paying(life=payable.life))
        in_order = sorted(final.objects, key=lambda key: payable.shares[key[0]].field not in ("tap", "untap"))
        for i, j in in_order:
            share = payable.shares[i]
            n = self.solved.values[final.objects[i, j]]
            place = share.sources[j][0]
            if not n:
                continue
            if share.field == "counters":
                _, target, kind = self.net.place_names[place]
                paying = paying.plus(Paying(counters_removed=((str(target), str(kind), n),)))
            elif share.field == "player_counters":
                paying = paying.plus(Paying(player_counters=((str(self.net.place_names[place][1]), n),)))
            elif share.field == "mill":
                paying = paying.plus(Paying(mill=n))
            else:
                ids = tuple(self._move(share.field, place) for _ in range(n))
                paying = paying.plus(with_objects({share.field: ids}))
        return paying

    def _move(self, field: str, place: int) -> str:
        """One object out of a place, to where the payment leaves it."""
        chosen = self.members[place].popleft()
        cls = next(c for c in self.net.classes if place in (c.u, c.t))
        to = {"tap": cls.t, "untap": cls.u, "reveal": place}.get(field)
        if to is not None:
            self.members[to].append(chosen)
        return chosen


def _phases(steps: list[Activate]) -> list[Activate]:
    """What comes before a step that needs priority is done with priority, too."""
    last = max((i for i, s in enumerate(steps) if s.before), default=-1)
    return [msgspec.structs.replace(s, before=True) if i <= last else s for i, s in enumerate(steps)]


class _Purse:
    """What a solution set aside for one demand at one level, dealt out payment by payment."""

    def __init__(self, flow: Flow, solved: Solved) -> None:
        self.flow = flow
        self._ways = {key: solved.value(count) for key, count in flow.ways.items()}
        self._mana = {key: solved.values[var] for key, var in flow.mana.items()}

    def kinds(self) -> set[int]:
        """The kinds of mana that are set aside here."""
        return {key[2] for key, n in self._mana.items() if n}

    def pick(self, there: Callable[[int], int]) -> list[int] | None:
        """The kinds of mana for one payment out of what is there now, taken from the purse; None when some is not."""
        ways, mana = dict(self._ways), dict(self._mana)
        taken: dict[int, int] = {}
        for s, slot in enumerate(self.flow.demand.slots):
            for _ in range(slot.n):
                for w, way in enumerate(slot.ways):
                    if ways[s, w] and self._pick_way(s, w, way.n, mana, taken, there):
                        ways[s, w] -= 1
                        break
                else:
                    return None
        self._ways, self._mana = ways, mana
        return [kind for kind, n in taken.items() for _ in range(n)]

    def _pick_way(
        self, s: int, w: int, n: int, mana: dict[tuple[int, int, int], int], taken: dict[int, int], there: Callable
    ) -> bool:
        """Takes `n` mana for one way, or nothing."""
        found: dict[tuple[int, int, int], int] = {}
        for key, left in mana.items():
            if key[:2] != (s, w) or not left or n <= 0:
                continue
            some = min(n, left, there(key[2]) - taken.get(key[2], 0))
            if some > 0:
                found[key] = some
                n -= some
        if n > 0:
            return False
        for key, some in found.items():
            mana[key] -= some
            taken[key[2]] = taken.get(key[2], 0) + some
        return True

    def next_way(self, s: int) -> int:
        w = next(w for (s2, w), n in self._ways.items() if s2 == s and n)
        self._ways[s, w] -= 1
        return w

    def next_kinds(self, s: int, w: int, n: int) -> list[int]:
        kinds = []
        for _ in range(n):
            key = next(k for k, m in self._mana.items() if k[:2] == (s, w) and m)
            self._mana[key] -= 1
            kinds.append(key[2])
        return kinds


def _from(packet: Packet, t: Transition, source: str) -> Packet:
    """The packet as this member of the class makes it."""
    return packet._replace(source=source) if packet.source in t.cls.ids else packet


def _together(units: Sequence[tuple[ManaKind, int]]) -> Units:
    found: dict[ManaKind, int] = {}
    for kind, n in units:
        found[kind] = found.get(kind, 0) + n
    return tuple(found.items())


def total_mana(units: Units) -> Mana:
    total = Mana()
    for kind, n in units:
        total = total.plus(mana_of(kind.type, n))
    return total
