"""Paying as a CP-SAT model: the state equation of the mana net, in levels.

In a *strict* model with L levels the inputs of a level come from the marking before it, so that its firings can be
carried out in any order: a solution is a line of play, and L = the number of firings is exact. In a *relaxed* model
(L = 1) inputs may come from the level itself: only the state equation has to hold, and every consumed kind of mana
must be reachable inside the support of the solution (ranks). No relaxed solution means no line: strict proves a yes,
relaxed proves a no. One integer variable stands for all activations that are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .coverability import Marking
from .cpsat import LARGEST, Linear, Model, Solved, solve
from .final_cost import Payable
from .mana_net import Demand, Net, Transition

# Firings of one transition in one level where nothing bounds it (converters without {T}): more need more levels.
UNBOUNDED_FIRINGS = 64
# And in the relaxation, which has to stay above every line.
UNBOUNDED_IN_ALL = 10**6


class Flow(NamedTuple):
    """The variables of one demand at one level: mana of a kind that pays a way of a slot, and how often each way."""

    demand: Demand
    mana: dict[tuple[int, int, int], int]  # (slot, way, kind) -> variable
    ways: dict[tuple[int, int], Linear]  # (slot, way) -> how many symbols are paid like that


class Level(NamedTuple):
    """One level: firings by transition (index into net.transitions), free choices, flows by demand, and what an
    ability that reads the pool adds."""

    firings: dict[int, int]
    free: dict[tuple[int, int, int], int]  # (transition, part, kind) -> variable
    flows: dict[int, Flow]
    added: dict[tuple[int, int], int]  # (transition, kind) -> variable


class FinalFlow(NamedTuple):
    """A final cost in the model: its flow, objects by (share, source), and stand-ins by (stand-in, use)."""

    payable: Payable
    flow: Flow
    objects: dict[tuple[int, int], int]
    stand_ins: dict[tuple[int, int], int]


class Levels:
    """The model of a question on a net; `objective` holds the five terms of the best payment, first ones first."""

    def __init__(
        self,
        net: Net,
        finals: Sequence[Payable],
        levels: int,
        *,
        relaxed: bool = False,
        start: Marking | None = None,
        ranks: bool = True,
    ) -> None:
        """`levels`: of every phase; there is one phase more than there can be uses of abilities that read the pool.
        `start`: another marking than that of the board. Without `ranks` a relaxed model is the state equation alone."""
        self.net = net
        self.model = Model()
        self.relaxed = relaxed
        self.places = [Linear(n) for n in (start.places if start is not None else net.marking)]
        self.mana = [Linear(n) for n in (start.mana if start is not None else net.pool)]
        self.life = Linear(start.life if start is not None else net.life)
        self.levels: list[Level] = []
        self.finals: list[FinalFlow] = []
        unbounded = UNBOUNDED_IN_ALL if relaxed else UNBOUNDED_FIRINGS
        self._caps = [cap_of(net, t, unbounded) for t in net.transitions]
        self._payers = [net.payers(d) for d in net.demands]
        self._moving = moving_places(net)
        self._class_of_place = {p: c for c in net.classes for p in (c.u, c.t) if p >= 0}
        readers = {(t.cls.index, t.number): t for t in net.transitions if t.doubles}
        reading = sum(cap_of(net, t) for t in readers.values())
        for phase in range(reading + 1):
            for _ in range(levels):
                self.add_level(reads_pool=False)
            if phase < reading:
                self.add_level(reads_pool=True)
        self._pay(finals)
        if relaxed and ranks and not reading:
            self._ranks()
        self.terms = self._terms()

    # levels -----------------------------------------------------------------------------------------------------

    def usable(self, i: int) -> bool:
        """Whether a transition may be used in the level that is being added."""
        return True

    def add_level(self, *, reads_pool: bool = False) -> None:
        """A level of activations, or one for a single use of an ability that reads the pool."""
        model, net = self.model, self.net
        firings = {
            i: model.var(0, 1 if reads_pool else self._caps[i])
            for i, t in enumerate(net.transitions)
            if self._caps[i] > 0 and bool(t.doubles) == reads_pool and self.usable(i)
        }
        if reads_pool:
            model.between(Linear(0, dict.fromkeys(firings.values(), 1)), None, 1)
        free: dict[tuple[int, int, int], int] = {}
        level = Level(firings, free, {}, {})
        taken = [Linear() for _ in self.places]
        given = [Linear() for _ in self.places]
        made = [Linear() for _ in self.mana]
        for i, x in firings.items():
            t = net.transitions[i]
            for p, n in t.takes.items():
                taken[p].add_var(x, n)
            for p, n in t.gives.items():
                given[p].add_var(x, n)
            for k, n in t.makes.items():
                made[k].add_var(x, min(n, LARGEST))
            for part, (n, kinds) in enumerate(t.free):
                self._choose_freely(level, i, part, x, n, kinds, made)
        used = self._flows(level)
        self._double(level, used, made)
        self._life(level)
        self._worlds(level)
        if not self.relaxed:
            self._reads(level, taken)
        self._advance(taken, given, made, used)
        self.levels.append(level)

    def _choose_freely(
        self, level: Level, i: int, part: int, x: int, n: int, kinds: tuple[int, ...], made: list[Linear]
    ) -> None:
        """`n` mana for each firing, each of any of these kinds. Sums of free choices over equal activations are all
        the sums there are: any split of n*x into kinds can be dealt out, n to each. (Nothing else looks at the
        choice: where a replacement or trigger does, every outcome is a transition of its own.)"""
        total = Linear().add_var(x, -n)
        for kind in kinds:
            y = self.model.var(0, self._caps[i] * n)
            level.free[i, part, kind] = y
            total.add_var(y)
            made[kind].add_var(y)
        self.model.between(total, 0, 0)

    def _double(self, level: Level, used: list[Linear], made: list[Linear]) -> None:
        """An ability that reads the pool is alone in its level, which splits the line into phases: it adds
        `doubles` times what its own cost leaves of every type, as mana without restriction."""
        net, model = self.net, self.model
        for i, x in level.firings.items():
            factor = net.transitions[i].doubles
            if not factor:
                continue
            for k, kind in enumerate(net.kinds):
                if kind.only is not None or kind.snow or kind.tag is not None:
                    continue
                left = Linear()
                for same, other in enumerate(net.kinds):
                    if other.type == kind.type:
                        left.add(self.mana[same]).add(used[same], -1)
                extra = model.var(0, factor * self._upper(left))
                level.added[i, k] = extra
                model.between(Linear().add(left, factor).add_var(extra, -1), 0, 0, when=(x,))
                model.between(Linear().add_var(extra), 0, 0, when=(-x - 1,))
                made[k].add_var(extra)

    def _flows(self, level: Level) -> list[Linear]:
        """The mana that pays for the activations of this level."""
        used = [Linear() for _ in self.mana]
        by_demand: dict[int, Linear] = {}
        for i, x in level.firings.items():
            demand = self.net.transitions[i].demand
            if demand >= 0:
                by_demand.setdefault(demand, Linear()).add_var(x)
        for d, firings in by_demand.items():
            bound = sum(self._caps[i] for i in level.firings if self.net.transitions[i].demand == d)
            level.flows[d] = self._flow(self.net.demands[d], self._payers[d], firings, bound, used)
        return used

    def _flow(
        self,
        demand: Demand,
        payers: dict[tuple[int, int], tuple[int, ...]],
        times: Linear,
        bound: int,
        used: list[Linear],
        helped: dict[tuple[int, int], Linear] | None = None,
    ) -> Flow:
        """Mana for `times` payments of a demand: flows are summed over equal payments, since symbols are paid one by
        one and any sum can be dealt out. The life that ways take is taken from the marking. `helped`: units that
        are paid without mana (convoke and its kin)."""
        flow = Flow(demand, {}, {})
        for s, slot in enumerate(demand.slots):
            total = Linear().add(times, -slot.n)
            for w, way in enumerate(slot.ways):
                most = slot.n * bound
                count = self._count_of_way(slot.ways, times, slot.n, most)
                flow.ways[s, w] = count
                total.add(count)
                if way.life:
                    self.life.add(count, -way.life)
                if not way.n:
                    continue
                supply = Linear().add(count, -way.n)
                if helped and (s, w) in helped:
                    supply.add(helped[s, w])
                for kind in payers[s, w]:
                    y = self.model.var(0, way.n * most)
                    flow.mana[s, w, kind] = y
                    supply.add_var(y)
                    used[kind].add_var(y)
                self.model.between(supply, 0, 0)
            if len(slot.ways) > 1:
                self.model.between(total, 0, 0)
        return flow

    def _count_of_way(self, ways: Sequence[object], times: Linear, n: int, most: int) -> Linear:
        if len(ways) == 1:
            return Linear().add(times, n)
        return Linear().add_var(self.model.var(0, most))

    def _life(self, level: Level) -> None:
        """Life can be paid only while there is as much (119.4); damage may bring it below zero (704.4)."""
        net = self.net
        paying = [(i, x) for i, x in level.firings.items() if net.transitions[i].life]
        hurting = [(i, x) for i, x in level.firings.items() if net.transitions[i].damage]
        lives_in_flows = any(way.life for f in level.flows.values() for slot in f.demand.slots for way in slot.ways)
        for i, x in paying:
            self.life.add_var(x, -net.transitions[i].life)
        if self.relaxed:
            # Damage can come after every payment of life, so it bounds none.
            if paying or lives_in_flows:
                self.model.between(self.life, 0, None)
            for i, x in hurting:
                self.life.add_var(x, -net.transitions[i].damage)
            return
        for i, x in hurting:
            self.life.add_var(x, -net.transitions[i].damage)
        if not paying and not lives_in_flows:
            return
        if not hurting and not self._hurt_before():
            self.model.between(self.life, 0, None)
            return
        for i, x in paying:
            some = self._some(x)
            del i
            self.model.between(self.life, 0, None, when=(some,))

    def _hurt_before(self) -> bool:
        return any(self.net.transitions[i].damage for level in self.levels for i in level.firings)

    def _some(self, x: int) -> int:
        """A Boolean that is true whenever the variable is at least 1."""
        low, high = self.model.range_of(x)
        if high == 1 and low == 0:
            return x
        some = self.model.var(0, 1)
        self.model.between(Linear().add_var(x).add_var(some, -high), None, 0)
        return some

    def _worlds(self, level: Level) -> None:
        """One world a level: its transitions see the board with just so many watched permanents. At most one of those
        leaves in a level, so every firing of the level (that one last) happens in the same world."""
        net = self.net
        if len(net.worlds) == 1 or self.relaxed:
            return
        chosen = [self.model.var(0, 1) for _ in net.worlds]
        self.model.between(Linear(0, dict.fromkeys(chosen, 1)), 1, 1)
        for i, x in level.firings.items():
            some = chosen[net.transitions[i].world]
            self.model.between(Linear().add_var(x).add_var(some, -self._caps[i]), None, 0)
        for w, world in enumerate(net.worlds):
            for group, left in zip(net.watched, world.left, strict=True):
                here = Linear()
                for cls in group:
                    here.add(self.places[cls.u]).add(self.places[cls.t])
                self.model.between(here, left, left, when=(chosen[w],))
        leaving = Linear()
        watched = {p for group in net.watched for cls in group for p in (cls.u, cls.t)}
        for i, x in level.firings.items():
            t = net.transitions[i]
            lost = sum(n for p, n in t.takes.items() if p in watched) - sum(
                n for p, n in t.gives.items() if p in watched
            )
            if lost > 0:
                leaving.add_var(x)
        self.model.between(leaving, None, 1)

    def _reads(self, level: Level, taken: list[Linear]) -> None:
        """What is read has to be there even if everything else in the level goes first."""
        for i, x in level.firings.items():
            t = self.net.transitions[i]
            for places, n, besides in t.reads:
                if not any(p in self._moving for p in places):
                    continue
                left = Linear()
                for p in places:
                    left.add(self.places[p]).add(taken[p], -1)
                    if not besides:  # it may be among what its own cost takes
                        left.add_var(x, t.takes.get(p, 0))
                for j, y in level.firings.items():  # what only moves within the places is still there
                    if j != i:
                        back = sum(self.net.transitions[j].gives.get(p, 0) for p in places)
                        if back:
                            left.add_var(y, min(back, sum(self.net.transitions[j].takes.get(p, 0) for p in places)))
                self.model.between(left, n, None, when=(self._some(x),))

    def _advance(
        self, taken: list[Linear], given: list[Linear], made: list[Linear], used: list[Linear]
    ) -> None:
        """Inputs come from the marking before (strict) or from the level as well (relaxed); then the new marking."""
        for marking, minus, plus in ((self.places, taken, given), (self.mana, used, made)):
            for p, now in enumerate(marking):
                if not minus[p].terms and not plus[p].terms:
                    continue
                after = now.copy().add(minus[p], -1)
                if minus[p].terms and not self.relaxed:
                    self.model.between(after, 0, None)
                after.add(plus[p])
                if minus[p].terms and self.relaxed:
                    self.model.between(after, 0, None)
                marking[p] = self._named(after)

    def _named(self, expression: Linear) -> Linear:
        """A long expression gets a variable of its own, so that later levels stay short."""
        if len(expression.terms) <= 12 or self.relaxed:
            return expression
        var = self.model.var(0, self._upper(expression))
        self.model.between(expression.copy().add_var(var, -1), 0, 0)
        return Linear().add_var(var)

    # the end ----------------------------------------------------------------------------------------------------

    def _pay(self, finals: Sequence[Payable]) -> None:
        """The final costs are paid from what is there after the last activation."""
        used = [Linear() for _ in self.mana]
        taken = [Linear() for _ in self.places]
        given = [Linear() for _ in self.places]
        before = self.life.copy()
        for final in finals:
            self.life.add(-final.life)
            objects = self._shares(final, taken, given)
            stand_ins, helped = self._stand_ins(final, taken, given)
            flow = self._flow(final.demand, final.payers, Linear(1), 1, used, helped)
            self.finals.append(FinalFlow(final, flow, objects, stand_ins))
        for k, minus in enumerate(used):
            if minus.terms:
                self.mana[k] = self.mana[k].copy().add(minus, -1)
                self.model.between(self.mana[k], 0, None)
        for p, minus in enumerate(taken):
            if not minus.terms and not given[p].terms:
                continue
            self.places[p] = self.places[p].copy().add(minus, -1).add(given[p])
            if minus.terms:
                self.model.between(self.places[p].copy(), 0, None)
        self._life_at_the_end(before)

    def _shares(self, final: Payable, taken: list[Linear], given: list[Linear]) -> dict[tuple[int, int], int]:
        """Objects for the parts that are not mana. What is tapped for one part may leave for another (601.2h)."""
        found: dict[tuple[int, int], int] = {}
        for i, share in enumerate(final.shares):
            total = Linear()
            for j, (place, weight) in enumerate(share.sources):
                x = self.model.var(0, self._most_in(place))
                found[i, j] = x
                total.add_var(x, weight)
                taken[place].add_var(x)
                to = self._after_field(share.field, place)
                if to is not None:
                    given[to].add_var(x)
            self.model.between(total, share.n, None if share.at_least else share.n)
        return found

    def _stand_ins(
        self, final: Payable, taken: list[Linear], given: list[Linear]
    ) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], Linear]]:
        """Objects that pay in place of mana, and what they pay by (slot, way)."""
        found: dict[tuple[int, int], int] = {}
        helped: dict[tuple[int, int], Linear] = {}
        for i, stand_in in enumerate(final.stand_ins):
            whole = Linear()
            for j, (place, s, w) in enumerate(stand_in.uses):
                x = self.model.var(0, self._most_in(place))
                found[i, j] = x
                whole.add_var(x)
                taken[place].add_var(x)
                to = self._after_field(stand_in.field, place)
                if to is not None:
                    given[to].add_var(x)
                helped.setdefault((s, w), Linear()).add_var(x)
            if stand_in.most is not None:
                self.model.between(whole, None, stand_in.most)
        return found, helped

    def _most_in(self, place: int) -> int:
        """No more than this can ever be in the place: the members of its class, or what it starts with."""
        cls = self._class_of_place.get(place)
        return cls.size if cls is not None else self.net.marking[place]

    def _after_field(self, field: str, place: int) -> int | None:
        cls = self._class_of_place.get(place)
        if cls is None:
            return None
        return {"tap": cls.t, "untap": cls.u, "reveal": place}.get(field)

    def _life_at_the_end(self, before: Linear) -> None:
        """Life that the final costs take has to be there, whatever damage was dealt before (119.4)."""
        paid = before.copy().add(self.life, -1)
        if paid.constant > 0:
            self.model.between(self.life, 0, None)
        elif any(paid.terms.values()):
            some = self.model.var(0, 1)
            most = sum(max(0, c) * self.model.range_of(v)[1] for v, c in paid.terms.items())
            self.model.between(paid.copy().add_var(some, -max(1, most)), None, 0)
            self.model.between(self.life, 0, None, when=(some,))

    def _ranks(self) -> None:
        """Every kind of mana that is consumed is reachable in the support of the solution: ranks give a time of first
        arrival to each kind and a time of first firing to each demand. A real line has such times, so without them
        the answer is a sound no."""
        net, model = self.net, self.model
        level = self.levels[0]
        if not level.flows:
            return
        count = len(net.kinds) + len(net.demands) + 1
        time_of_kind = [model.var(0, 0) if net.pool[k] else model.var(0, count) for k in range(len(net.kinds))]
        time_of_demand = {d: model.var(0, count) for d in level.flows}
        makers: dict[int, list[tuple[int, int | None]]] = {}
        for i, x in level.firings.items():
            t = net.transitions[i]
            for k in t.makes:
                makers.setdefault(k, []).append((x, t.demand))
            for part, (_n, kinds) in enumerate(t.free):
                for k in kinds:
                    makers.setdefault(k, []).append((level.free[i, part, k], t.demand))
        for d, flow in level.flows.items():
            self._first_firing(flow, time_of_kind, time_of_demand[d])
        consumed = {k for flow in (*level.flows.values(),) for (_, _, k) in flow.mana}
        for k in consumed:
            if net.pool[k]:
                continue
            self._first_arrival(level, k, makers.get(k, []), time_of_kind[k], time_of_demand)

    def _first_firing(self, flow: Flow, time_of_kind: list[int], when: int) -> None:
        """The first activation of a demand spends, for every symbol, mana of a kind that arrived before it."""
        by_slot: dict[int, list[tuple[int, int]]] = {}
        for (s, _w, k), y in flow.mana.items():
            by_slot.setdefault(s, []).append((k, y))
        for s, sources in by_slot.items():
            slot = flow.demand.slots[s]
            supports = []
            for k, y in sources:
                support = self.model.var(0, 1)
                self.model.between(Linear().add_var(y), 1, None, when=(support,))
                earlier = Linear().add_var(when).add_var(time_of_kind[k], -1)
                self.model.between(earlier, 1, None, when=(support,))
                supports.append(support)
            idle = self.model.var(0, 1)  # nothing of this slot is paid with mana
            paid = Linear()
            for _, y in sources:
                paid.add_var(y)
            self.model.between(paid, None, 0, when=(idle,))
            self.model.any_of((*supports, idle))
            del slot

    def _first_arrival(
        self, level: Level, k: int, makers: list[tuple[int, int | None]], when: int, time_of_demand: dict[int, int]
    ) -> None:
        """A consumed kind was made before by something that fires, and that fired no earlier than its demand."""
        supports = []
        for x, demand in makers:
            support = self.model.var(0, 1)
            self.model.between(Linear().add_var(x), 1, None, when=(support,))
            if demand is not None and demand in time_of_demand:
                later = Linear().add_var(when).add_var(time_of_demand[demand], -1)
                self.model.between(later, 0, None, when=(support,))
            supports.append(support)
        idle = self.model.var(0, 1)
        spent = Linear()
        for flow in level.flows.values():
            for (_s, _w, kind), y in flow.mana.items():
                if kind == k:
                    spent.add_var(y)
        self.model.between(spent, None, 0, when=(idle,))
        self.model.any_of((*supports, idle))

    # the best payment ---------------------------------------------------------------------------------------------

    def _terms(self) -> list[tuple[Linear, int]]:
        """What `spent` counts, in the order of format.md, each with an upper bound: permanents and cards lost;
        counters; life and damage; mana left over; permanents tapped."""
        lost, counters, hurt, taps = Linear(), Linear(), Linear(), Linear()
        for level in self.levels:
            for i, x in level.firings.items():
                t = self.net.transitions[i]
                lost.add_var(x, t.permanents + t.cards)
                counters.add_var(x, t.counters)
                hurt.add_var(x, t.life + t.damage)
                taps.add_var(x, t.taps)
            for flow in level.flows.values():
                self._add_life(flow, hurt)
        for final in self.finals:
            self._add_life(final.flow, hurt)
            hurt.add(final.payable.life)
            self._add_objects(final, lost, counters, taps)
        floating = Linear()
        for amount in self.mana:
            floating.add(amount)
        return [(term, self._upper(term)) for term in (lost, counters, hurt, floating, taps)]

    def _add_life(self, flow: Flow, hurt: Linear) -> None:
        for (s, w), count in flow.ways.items():
            life = flow.demand.slots[s].ways[w].life
            if life:
                hurt.add(count, life)

    def _add_objects(self, final: FinalFlow, lost: Linear, counters: Linear, taps: Linear) -> None:
        for (i, _), x in final.objects.items():
            field = final.payable.shares[i].field
            if field == "tap":
                taps.add_var(x)
            elif field == "counters":
                counters.add_var(x)
            elif field in ("sacrifice", "exile", "to_hand", "discard", "moved"):
                lost.add_var(x)
        for (i, _), x in final.stand_ins.items():
            (taps if final.payable.stand_ins[i].field == "tap" else lost).add_var(x)

    def _upper(self, expression: Linear) -> int:
        total = expression.constant
        for var, coefficient in expression.terms.items():
            low, high = self.model.range_of(var)
            total += coefficient * (high if coefficient > 0 else low)
        return max(total, 0)

    def weighted(self) -> Linear | None:
        """The five terms in one objective, or None when the numbers are too large for that."""
        whole, weight = Linear(), 1
        for term, most in reversed(self.terms):
            if most and weight * (most + 1) > 2**58:
                return None
            whole.add(term, weight)
            weight *= most + 1
        return whole if self._magnitude(whole) < 2**60 else None

    def _magnitude(self, expression: Linear) -> int:
        """What CP-SAT looks at before it refuses a sum as too large for 64 bits."""
        ranges = ((c, *self.model.range_of(v)) for v, c in expression.terms.items())
        return sum(abs(c) * max(abs(low), abs(high)) for c, low, high in ranges)

    def solve(self, *, best: bool, limit: float) -> Solved:
        """Solves for some line, or for the best one."""
        if not best:
            return solve(self.model, limit=limit)
        whole = self.weighted()
        if whole is not None:
            self.model.minimize(whole)
            return solve(self.model, limit=limit)
        solved = None
        for term, _ in self.terms:
            self.model.minimize(term)
            solved = solve(self.model, limit=limit)
            if solved.status != "optimal":
                return solved
            self.model.between(term.copy(), None, solved.value(term))
        assert solved is not None
        return solved


def cap_of(net: Net, t: Transition, unbounded: int = UNBOUNDED_FIRINGS) -> int:
    """How often a transition could fire at all: bounded by what it takes, where nothing gives that back."""
    renewed = _renewed(net)
    caps = [net.marking[p] // n for p, n in t.takes.items() if p not in renewed]
    if t.life:
        caps.append(max(0, net.life) // t.life)
    return min(caps, default=unbounded)


def _renewed(net: Net) -> set[int]:
    """Places that some transition puts something into."""
    found = getattr(net, "_renewed", None)
    if found is None:
        found = {p for t in net.transitions for p in t.gives}
        net._renewed = found  # type: ignore[attr-defined]
    return found


def moving_places(net: Net) -> set[int]:
    """Places of classes whose members can leave: for others, being there needs no constraint."""
    gone = {m.place for t in net.transitions for m in t.moves if m.to is None}
    return {p for cls in net.classes for p in (cls.u, cls.t) if cls.u in gone or cls.t in gone}


def firings_left(net: Net, limit: float = 2.0) -> int | None:
    """A bound on the length of any line, None where none is known.

    Every activation takes tokens; where nothing gives those back, counting them is enough. Otherwise the state
    equation bounds the sum of firings, as every line satisfies it; a sum that only the caps hold down is no bound.
    """
    counted = _tokens(net)
    if counted is not None:
        return counted
    model = Levels(net, [], 1, relaxed=True)
    total = Linear()
    for level in model.levels:
        for x in level.firings.values():
            total.add_var(x)
    model.model.maximize(total)
    solved = solve(model.model, limit=limit)
    if solved.status != "optimal":
        return None
    return value if (value := solved.value(total)) < UNBOUNDED_IN_ALL else None


def _tokens(net: Net) -> int | None:
    """The tokens that activations can take for good ({T} moves untapped to tapped, which is no giving back)."""
    back = {p for t in net.transitions for p in t.gives if net.place_names[p][0] != "tapped"}
    total = 0
    for p, n in enumerate(net.marking):
        name = net.place_names[p][0]
        if name == "tapped":
            total += n + net.marking[p - 1] if any(p in t.takes for t in net.transitions) else 0
        else:
            total += n
    for t in net.transitions:
        if any(p not in back for p in t.takes):
            continue
        if not t.life:
            return None
        total += max(0, net.life) // t.life
    return total
