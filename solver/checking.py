"""Answers to `check`: is this line legal, step by step.

A line is read as the referee's steps (model/replay.py). What a step leaves out (which mana pays, what is sacrificed,
which of several total costs is meant) is filled in wherever some way to do so makes the whole line legal: a search,
depth first, over what each step could mean. What a step says has to be true. The first bad step is the one that no
reading of the steps before it makes legal; steps are counted from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from ..model.abilities import Activated, is_mana_ability
from ..model.activating import proposals_activate
from ..model.asking import PLAYED_FROM
from ..model.casting import find_card, proposals_cast
from ..model.characteristics import View, view_of
from ..model.evaluate import Context
from ..model.game import Game, Has, Unknown
from ..model.mana import TYPES, Cost, ManaError, Way, parse_cost
from ..model.paying import CannotPay, leave, ways_of_paying
from ..model.production import Outcome, Reflection, activation_outcomes, sum_mana
from ..model.proposals import Proposal, Proposals
from ..model.questions import Purpose as PurposeForm
from ..model.questions import StepForm
from ..model.replay import (
    Activate,
    Bill,
    Illegal,
    PayParts,
    PaySymbol,
    Spent,
    Units,
    ability_of,
    activate,
    mark_activated,
    pay_activation,
    pay_bill,
)
from ..model.resolving import Doubt, landed, on_stack, resolved, resolved_ability, with_cast
from ..model.spending import Purpose, Slot, purpose_of_cost, slots, spending
from ..model.state_based import loses_without_life, state_based_actions
from ..model.timing import activation_refusals, land_refusals
from ..model.total_cost import total_activation_cost
from ..model.writing import write_situation
from .answer import Answer, Reason
from .assist import may_be_helped, without
from .casting import bill_of, purpose_of
from .casting_all import damage_of_taps
from .readings import (
    Words,
    from_pool,
    mana_said,
    mana_text,
    matching_ways,
    payments_of,
    units_that_cover,
    words_of,
)

# More readings of one line than this are not tried.
MOST_READINGS = 2000


class Pending(NamedTuple):
    """A cost that is being paid: what was proposed (None: a bare cost), in which game, and the payments so far.
    `start` is the board on which limits on the source of mana are read."""

    bill: Bill
    start: View
    proposal: Proposal | None = None
    before: Game | None = None
    payments: tuple[PaySymbol | PayParts, ...] = ()
    helper: str | None = None  # who assists (702.132a)


class State(NamedTuple):
    """Where a line has led to. `unresolved`: a spell or ability that was paid for and may resolve, with the game in
    which it was proposed. `doubts`: what was not carried out on the way. `over`: the player has lost."""

    view: View
    spent: Spent = Spent()
    pending: Pending | None = None
    unresolved: tuple[Proposal, Game] | None = None
    doubts: tuple[Doubt, ...] = ()
    over: str = ""


def check(game: Game, question: Any, explain: bool) -> Answer:
    """Answers with the situation that the line leads to, or with the first bad step and why."""
    checker = Checker(game, question.player or game.you, question.line)
    try:
        return checker.answer()
    except RecursionError:
        return Answer("unknown", {}, (Reason("not_modelled", text="the line is nested too deeply"),))


class Checker:
    def __init__(self, game: Game, player: str, line: Sequence[StepForm]) -> None:
        self.game, self.player, self.line = game, player, tuple(line)
        self.words: list[Words] = []
        self.bad_at = 0
        self.bad: Illegal | None = None
        self.unknown: Unknown | None = None
        self.doubt: Doubt | None = None
        turn = game.turn
        self.during = turn.during_cast is not None or turn.during_activate is not None

    # the search

    def answer(self) -> Answer:
        for n, step in enumerate(self.line):
            try:
                self.words.append(words_of(step))
            except Illegal as illegal:
                self.failed(n, illegal)
                self.line = self.line[:n]
                readable = self._reach(n)
                if readable is not None:
                    self.bad_at, self.bad = n, illegal
                return self._no()
        final = self._reach(len(self.line) + 1)
        return self._yes(final) if final is not None else self._no()

    def _reach(self, steps: int) -> State | None:
        """A state after so many steps (one more than there are: the last cost is paid in full)."""
        level: list[Iterator[State]] = [iter([State(view_of(self.game))])]
        tried = 0
        seen: set[object] = set()
        by_source = any(source for words in self.words for _, source in words.mana or ())
        while level:
            state = next(level[-1], None)
            if state is None:
                level.pop()
                continue
            n = len(level) - 1
            if n == steps:
                return state
            if tried >= len(self.line):  # the first reading is straight on, and most lines need no other
                key = (n, _key(state, by_source))
                if key in seen:
                    continue
                seen.add(key)
            tried += 1
            if tried > MOST_READINGS + 20 * len(self.line):
                self.unknown = Unknown("the line leaves out too much: too many readings", "time_limit")
                return None
            level.append(self._after(n, state))
        return None

    def _after(self, n: int, state: State) -> Iterator[State]:
        """The states that step `n` leads to; where there is none, why goes to `bad`."""
        try:
            if state.over:
                raise Illegal(f"{self.player} has lost the game: {state.over}", "104.3")
            if n == len(self.line):
                yield from self._settled(state)
            else:
                yield from self._step(self.line[n], self.words[n], state, n)
        except Illegal as illegal:
            self.failed(n, illegal)
        except CannotPay as cannot:
            self.failed(n, Illegal(cannot.text, cannot.rule, "cost_unpayable"))
        except Unknown as unknown:
            self.unknown = unknown

    def failed(self, n: int, illegal: Illegal) -> None:
        if self.bad is None or n > self.bad_at:
            self.bad_at, self.bad = n, illegal

    def _each(self, n: int, readings: Iterable[Any], act: Any) -> Iterator[State]:
        """The states that those readings lead to which are legal."""
        remaining = iter(readings)
        while True:
            try:
                reading = next(remaining, None)
                if reading is None:
                    return
                yield act(reading)
            except Illegal as illegal:
                self.failed(n, illegal)
            except CannotPay as cannot:
                self.failed(n, Illegal(cannot.text, cannot.rule, "cost_unpayable"))

    # the answers

    def _yes(self, state: State) -> Answer:
        hurting = next((d for d in state.doubts if d.takes), None)
        if hurting is not None:
            return Answer("unknown", {}, (Reason("not_modelled", "", hurting.objects, hurting.text),))
        values = {"after": write_situation(state.view.game), "spent": _spent(state, self.player).wire()}
        return Answer("yes", values, (Reason("permitted", "601.2", (), "every step is legal"),))

    def _no(self) -> Answer:
        if self.unknown is not None:
            why = self.unknown
            return Answer("unknown", {}, (Reason(why.code, objects=why.objects, text=why.text),))
        if self.doubt is not None:
            return Answer("unknown", {}, (Reason("not_modelled", "", self.doubt.objects, self.doubt.text),))
        bad = self.bad
        assert bad is not None
        # What is missing at the end is missing after the last step.
        at = (
            min(self.bad_at, max(len(self.line) - 1, 0))
            if self.words and self.bad_at >= len(self.words)
            else self.bad_at
        )
        return Answer("no", {"at": at + 1}, (Reason(bad.code, bad.rule, bad.objects, bad.text),))

    # steps

    def _step(self, step: StepForm, words: Words, state: State, n: int) -> Iterator[State]:
        if step.verb == "pay":
            yield from self._pay(step, words, state, n)
        elif step.verb == "activate" and not self._announces(step, state):
            yield from self._activate(step, words, state, n)
        else:
            for settled in self._at_rest(state):
                yield from self._begin(step, settled, n)

    def _announces(self, step: StepForm, state: State) -> bool:
        """Whether an activation is the one that the line pays for, rather than of a mana ability on the way."""
        if step.total_cost is not None:
            return True
        has = _has(state.view, str(step.activate), step.ability or 1)
        return has is not None and isinstance(has.ability, Activated) and not is_mana_ability(has.ability)

    def _at_rest(self, state: State) -> Iterator[State]:
        """With the cost before it paid in full; then with the spell or ability resolved, or still on the stack."""
        for settled in self._settled(state):
            yield from self._resolutions(settled)
            yield settled

    def _resolutions(self, state: State) -> Iterator[State]:
        if state.unresolved is None:
            return
        proposal, before = state.unresolved
        now = state.view.game
        old = before.objects
        tapped = [o.id for o in now.in_zone("battlefield") if o.tapped and o.id in old and not old[o.id].tapped]
        taken = damage_of_taps(now, self.player, tapped)
        if taken and taken >= now.players[self.player].life and loses_without_life(now, self.player):
            raise Unknown("whether damage that tapping triggers leaves any life", "not_modelled")
        results = resolved_ability(proposal, now) if proposal.spell is None else resolved(before, proposal, now)
        for result in results:
            if any(d.adds for d in result.doubts):
                self.doubt = next(d for d in result.doubts if d.adds)
            doubts = (*state.doubts, *result.doubts)
            yield state._replace(view=view_of(result.game), unresolved=None, doubts=doubts)

    # activating mana abilities

    def _activate(self, step: StepForm, words: Words, state: State, n: int) -> Iterator[State]:
        """A mana ability: while a cost is being paid, or with priority."""
        if self._payer(step, state) != self.player:
            yield from self._activations(step, words, state, n, before=False)
            return
        before = self._is_before(step, state, n)
        if state.pending is not None:
            if not state.pending.payments:
                try:
                    yield from self._activations(step, words, state, n, before=False)
                except (Illegal, CannotPay) as fault:
                    if step.phase == "during" or self.during:
                        raise
                    self.failed(n, fault if isinstance(fault, Illegal) else Illegal(fault.text, fault.rule))
            if state.pending.payments or (step.phase != "during" and not self.during):
                # Something new begins: the cost before it is settled, and this is a step with priority.
                for settled in self._at_rest(state):
                    yield from self._activations(step, words, settled, n, before=True)
            return
        for start in (*self._resolutions(state), state):
            yield from self._activations(step, words, start, n, before=before)

    def _payer(self, step: StepForm, state: State) -> str:
        """Whose step it is: the player's, or that of another player who assists."""
        who = step.who or self.player
        if who == self.player:
            return who
        pending = state.pending
        if who not in self.game.players:
            raise Illegal(f"there is no player {who}", "102.1")
        if pending is None or pending.proposal is None or not may_be_helped(pending.proposal):
            raise Illegal(f"{who} can't help to pay here", "702.132a", "cost_unpayable")
        if pending.helper not in (None, who):
            raise Illegal(f"{pending.helper} helps already", "702.132a", "cost_unpayable")
        return who

    def _is_before(self, step: StepForm, state: State, n: int) -> bool:
        if state.pending is not None and not state.pending.payments:
            if step.phase == "before":
                raise Illegal("once something is announced, abilities are activated while paying", "601.2g", "timing")
            return False
        announced_later = any(self._announces(s, state) for s in self.line[n + 1 :] if s.verb in ("activate",)) or any(
            s.verb in ("cast", "play_land") for s in self.line[n + 1 :]
        )
        before = step.phase == "before" or announced_later
        if before and self.during:
            raise Illegal("costs are being paid, and nobody has priority", "605.3a", "timing")
        if before and self.game.turn.priority != self.player:
            raise Illegal(f"{self.player} does not have priority", "605.3a", "timing")
        return before

    def _activations(self, step: StepForm, words: Words, state: State, n: int, *, before: bool) -> Iterator[State]:
        oid = str(step.activate)
        numbers = [step.ability] if step.ability else _mana_numbers(state.view, oid)
        if not numbers:
            raise Illegal(f"{oid} has no mana ability now", "602.2", "cannot_activate", (oid,))
        for number in numbers:
            readings = self._readings(step, words, state, oid, number, before)
            yield from self._each(n, readings, lambda one: self._activated(state, step, one))

    def _activated(self, state: State, step: StepForm, reading: Activate) -> State:
        if (who := step.who or self.player) != self.player:
            view, _ = activate(state.view, who, reading, Spent())
            assert state.pending is not None
            return state._replace(view=view, pending=state.pending._replace(helper=who))
        view, spent = activate(state.view, self.player, reading, state.spent)
        after = state._replace(view=view, spent=spent)
        return _with_state_based(after, self.player) if reading.before else after

    def _readings(
        self, step: StepForm, words: Words, state: State, oid: str, number: int, before: bool
    ) -> Iterator[Activate]:
        """The exact activations that the step could mean, likeliest first. Raises Illegal where there is none."""
        view, player = state.view, step.who or self.player
        has = ability_of(view, oid, number)
        ability = has.ability
        assert isinstance(ability, Activated)
        if not is_mana_ability(ability):
            raise Illegal(f"ability {number} of {oid} is no mana ability", "605.1a", objects=(oid,))
        refusals = activation_refusals(view, player, oid, has, during_payment=not before, x=step.x)
        if refusals and step.phase is None and not before and self._has_priority(state):
            before = True
            refusals = activation_refusals(view, player, oid, has, during_payment=False, x=step.x)
        for refusal in refusals:
            raise Illegal(refusal.text, refusal.rule, refusal.code, refusal.objects)
        some = False
        why = Illegal(f"ability {number} of {oid} can't be paid for like that", "118.3", "cost_unpayable", (oid,))
        for draft in self._drafts(words, view, player, oid, number, has, step.x, before):
            try:
                game, ctx, _ = pay_activation(view, player, draft, has, Spent())
            except Illegal as illegal:
                why = illegal
                continue
            after = view.after(game)
            look = Reflection(after).look
            why = Illegal(f"{oid} can't make {mana_text(step.produces)} here", "106.12", "produces_nothing", (oid,))
            for outcome in activation_outcomes(after, oid, ability, ctx.but(view=after), look):
                if not _is_said(outcome, step):
                    continue
                if step.order and not _is_order(after, oid, ability, ctx.but(view=after), step.order, outcome):
                    text = f"{oid}: {', then '.join(step.order)} is no order of the effects that leads to this mana"
                    why = Illegal(text, "616.1", "replaced", (oid, *step.order))
                    continue
                some = True
                yield msgspec.structs.replace(draft, outcome=outcome)
        if not some:
            raise why

    def _has_priority(self, state: State) -> bool:
        return state.pending is None and not self.during and self.game.turn.priority == self.player

    def _drafts(
        self, words: Words, view: View, player: str, oid: str, number: int, has: Has, x: int | None, before: bool
    ) -> Iterator[Activate]:
        """The activation with every way to pay for it that the step allows."""
        ctx = Context(view, source=oid, you=player, x=x)
        for cost, parts in total_activation_cost(view, player, oid, has, x):
            purpose = Purpose("ability", source=oid, has_c="{C}" in cost.symbols, for_mana=True)
            how = spending(view, player, purpose)
            for units in units_that_cover(view, player, purpose, slots(cost, how), how, words.mana):
                said = Activate(id=oid, number=number, mana=units, paying=words.paying, x=x, before=before)
                yield said
                ways = ways_of_paying(view, player, oid, parts, ctx, mana_ability=True)
                for way in matching_ways(ways, words.paying):
                    if way != words.paying:
                        yield msgspec.structs.replace(said, paying=way)

    # announcing, and playing lands

    def _begin(self, step: StepForm, state: State, n: int) -> Iterator[State]:
        if step.who not in (None, self.player):
            raise Illegal(f"the line is {self.player}'s", "601.2", "rule")
        if step.verb == "play_land":
            yield from self._land(str(step.play_land), state)
            return
        before = state.view.game
        wanted = _cost_said(step)
        proposals = self._proposals(step, state)
        x = step.x if step.x is not None else proposals.x_default
        made = proposals.with_x(x)
        self.unknown = self.unknown or next(iter(proposals.doubts), None)
        if not made:
            refusal = next(iter(proposals.refusals), None)
            if refusal is None:
                raise Illegal("it can't be proposed", "601.2")
            raise Illegal(refusal.text, refusal.rule, refusal.code, refusal.objects)
        fitting = [p for p in made if wanted is None or p.mana == wanted]
        if not fitting:
            costs = ", ".join(sorted({str(p.mana) for p in made}))
            raise Illegal(f"the total cost is {costs}, not {step.total_cost}", "601.2f", "sum", (made[0].source,))
        for proposal in fitting:
            start = View(proposal.view.game)
            pending = Pending(bill_of(proposal), start, proposal, before)
            yield state._replace(view=start, pending=pending, unresolved=None)

    def _proposals(self, step: StepForm, state: State) -> Proposals:
        view = state.view
        targets = step.targets or None
        if step.verb == "activate":
            oid, number = str(step.activate), step.ability or 1
            if oid not in view.game.objects:
                raise Illegal(f"there is no {oid} here", "602.2")
            return proposals_activate(view, self.player, oid, number, targets=targets)
        if not isinstance(step.cast, str):
            raise Illegal("this card is in no zone from which it could be cast", "601.3", "prohibited")
        zones = (step.zone,) if step.zone else PLAYED_FROM
        zone = next((z for z in zones if find_card(view.game, self.player, step.cast, z) is not None), zones[0])
        return proposals_cast(view, self.player, step.cast, zone=zone, using=step.using, targets=targets)

    def _land(self, card: str, state: State) -> Iterator[State]:
        """The land on the battlefield, for each choice as it enters; what triggers on that has resolved."""
        view = state.view
        if card not in view.game.objects:
            raise Illegal(f"there is no {card} here", "305.1")
        for refusal in land_refusals(view, self.player, card):
            raise Illegal(refusal.text, refusal.rule, refusal.code, refusal.objects)
        old = view.game.objects[card]
        who = view.game.players[self.player]
        newest = max((o.timestamp for o in view.game.objects.values()), default=0)
        face = next((i for i, f in enumerate(old.card.faces) if "Land" in f.types), 0)
        land = old.but(
            zone="battlefield",
            controller=self.player,
            face=face,
            timestamp=newest + 1,
            sick=True,
            entered_this_turn=True,
        )
        game = view.game.put(land).put_player(who.but(lands_played=who.lands_played + 1))
        for result in landed(view.game, game, self.player, card):
            if any(d.adds for d in result.doubts):
                self.doubt = next(d for d in result.doubts if d.adds)
            yield state._replace(view=view_of(result.game), doubts=(*state.doubts, *result.doubts))

    # paying

    def _pay(self, step: StepForm, words: Words, state: State, n: int) -> Iterator[State]:
        if self._payer(step, state) != self.player:
            yield from self._help(step, words, state, n)
            return
        pending = state.pending or self._bare(state, n)
        state = state._replace(pending=pending)
        if words.other:
            payments = (*pending.payments, PayParts(paying=words.paying))
            if not pending.bill.parts:
                raise Illegal("the cost has no other parts", "601.2h")
            yield state._replace(pending=pending._replace(payments=payments))
            return
        view = state.view
        how = spending(view, self.player, pending.bill.purpose)
        due = pending.bill.slots(how)
        used = tuple(unit for p in pending.payments if isinstance(p, PaySymbol) for unit in p.mana)
        apart = bool(pending.bill.limits)
        readings = payments_of(view, self.player, pending.bill.purpose, how, due, words, used, apart)
        yield from self._each(n, readings, lambda some: self._paid(state, pending, some))

    def _paid(self, state: State, pending: Pending, some: tuple[PaySymbol, ...]) -> State:
        """With some more payments, which have to be right as far as they go."""
        payments = (*pending.payments, *some)
        mana_only = pending.bill._replace(parts=())
        symbols = [p for p in payments if isinstance(p, PaySymbol)]
        try:
            pay_bill(state.view, pending.start, self.player, mana_only, symbols, Spent())
        except Illegal as illegal:
            if illegal.code != "not_payable":  # more of it may be paid by the steps after this one
                raise
        return state._replace(pending=pending._replace(payments=payments))

    def _help(self, step: StepForm, words: Words, state: State, n: int) -> Iterator[State]:
        """Another player pays a part of the generic mana (702.132a)."""
        pending, who = state.pending, str(step.who)
        assert pending is not None
        bill = pending.bill
        due = [Slot("{1}", bill.cost.generic, (Way(TYPES),))]
        readings = payments_of(state.view, who, bill.purpose, spending(state.view, who, bill.purpose), due, words)

        def paid(some: tuple[PaySymbol, ...]) -> State:
            many = sum(p.n for p in some)
            if many > bill.cost.generic:
                raise Illegal(f"only {bill.cost.generic} generic mana is to be paid", "702.132a")
            share = Bill(Cost(generic=many), bill.purpose)
            game, _ = pay_bill(state.view, pending.start, who, share, some, Spent())
            return state._replace(view=View(game), pending=pending._replace(bill=without(bill, many), helper=who))

        yield from self._each(n, readings, paid)

    def _bare(self, state: State, n: int) -> Pending:
        """The cost of a line that does not say what it is for: what it pays from here on."""
        due: Counter[str] = Counter()
        for step, words in zip(self.line[n:], self.words[n:], strict=False):
            if step.verb != "pay":
                break
            due.update(dict(words.symbols))
        generic = f"{{{due.pop('{1}', 0)}}}"
        cost = parse_cost(generic + "".join(symbol * many for symbol, many in due.items()))
        return Pending(Bill(cost, self._purpose(self.line[n], state.view, cost)), state.view)

    def _purpose(self, step: StepForm, view: View, cost: Cost) -> Purpose:
        """What a bare cost is for: `for` names a spell or an ability, or says the cost as it was asked for."""
        if isinstance(step.for_, str):
            try:
                return purpose_of_cost(parse_cost(step.for_))
            except ManaError:
                return purpose_of_cost(cost)
        bare = purpose_of_cost(cost)
        if step.for_ is None:
            return bare
        try:
            asked = msgspec.convert(step.for_, PurposeForm)
        except (msgspec.ValidationError, ValueError) as wrong:
            raise Illegal(f"for: {wrong}", "601.2h") from None
        if asked.cast is not UNSET and asked.cast not in view.game.objects:
            raise Illegal(f"there is no {asked.cast} here", "601.2h")
        return purpose_of(view, self.player, asked, bare)

    def _settled(self, state: State) -> Iterator[State]:
        """With the cost that is being paid, if any, paid in full (601.2h)."""
        pending = state.pending
        if pending is None:
            yield state
            return
        for payments in self._complete(state, pending):
            yield self._finish(state, pending, payments)

    def _complete(self, state: State, pending: Pending) -> Iterator[tuple[PaySymbol | PayParts, ...]]:
        """The payments, and what the line leaves out of them where it says nothing at all about it."""
        bill = pending.bill
        symbols: list[tuple[PaySymbol | PayParts, ...]] = [pending.payments]
        if not any(isinstance(p, PaySymbol) for p in pending.payments) and bill.cost != Cost():
            symbols = [(*more, *pending.payments) for more in from_pool(state.view, self.player, bill)]
            if not symbols:
                raise Illegal(f"{bill.cost} is not paid", "118.3", "not_payable")
        said = any(isinstance(p, PayParts) for p in pending.payments)
        source = bill.source or ""
        ctx = Context(state.view, source=source, you=self.player, x=bill.x, spell=bill.purpose.spell)
        for payments in symbols:
            if said or not bill.parts:
                yield payments
                continue
            mana = bill.purpose.for_mana
            for way in ways_of_paying(state.view, self.player, source, bill.parts, ctx, mana_ability=mana):
                yield (*payments, PayParts(paying=way))

    def _finish(self, state: State, pending: Pending, payments: tuple[PaySymbol | PayParts, ...]) -> State:
        game, spent = pay_bill(state.view, pending.start, self.player, pending.bill, payments, state.spent)
        proposal = pending.proposal
        unresolved = state.unresolved
        if proposal is not None and proposal.spell is not None:
            game = with_cast(proposal, game)
            assert pending.before is not None
            unresolved = (proposal, pending.before)
        elif proposal is not None:
            game = on_stack(proposal, mark_activated(game, proposal.source, proposal.number))
            assert pending.before is not None
            unresolved = (proposal, pending.before)
        return state._replace(view=view_of(game), spent=spent, pending=None, unresolved=unresolved)


# --- small questions --------------------------------------------------------------------------------------------------


def _key(state: State, by_source: bool) -> object:
    """States with equal keys go on alike. Where no step says from which source mana comes, sources do not matter
    (what limits a cost to some sources apart)."""
    pending = state.pending
    paid: object = None
    if pending is not None:
        by_source = by_source or bool(pending.bill.limits)
        payments = [
            (p.symbol, p.n, p.way, p.objects, _amounts(p.mana, by_source)) if isinstance(p, PaySymbol) else p
            for p in pending.payments
        ]
        paid = (tuple(payments), pending.bill.cost, pending.proposal)
    game = state.view.game
    pools = []
    for who in game.players.values():
        pools.append((_amounts(who.pool, by_source), who.life, who.counters, who.library_size, who.cast_this_turn))
    objects = tuple(game.objects.values())
    return paid, tuple(pools), objects, game.stack, state.unresolved and state.unresolved[0], state.over


def _amounts(units: Units, by_source: bool) -> frozenset[tuple[object, int]]:
    found: Counter[object] = Counter()
    for kind, n in units:
        found[kind if by_source else (kind.type, kind.only, kind.snow)] += n
    return frozenset(found.items())


def _spent(state: State, player: str) -> Spent:
    from ..model.mana import mana_of

    pool = state.view.game.players[player].pool
    return state.spent._replace(floating=sum_mana(mana_of(k.type, n) for k, n in pool))


def _has(view: View, oid: str, number: int) -> Has | None:
    if oid not in view.game.objects:
        return None
    return next((h for h in view.abilities(oid) if h.number == number), None)


def _mana_numbers(view: View, oid: str) -> list[int]:
    if oid not in view.game.objects:
        raise Illegal(f"there is no {oid} here", "602.2")
    found = (h for h in view.abilities(oid) if isinstance(h.ability, Activated) and is_mana_ability(h.ability))
    return [h.number for h in found]


def _cost_said(step: StepForm) -> Cost | None:
    if step.total_cost is None:
        return None
    try:
        return parse_cost(step.total_cost)
    except ManaError as error:
        raise Illegal(str(error), "601.2f", "sum") from None


def _is_said(outcome: Outcome, step: StepForm) -> bool:
    """Whether an outcome is the one that the step claims, as far as it claims one."""
    made = sum_mana(p.mana for p in outcome.made)
    added = [(p.source, p.mana) for p in outcome.triggered]
    if step.triggered:
        said = [(t.source, mana_said(t.adds)) for t in step.triggered]
        if sorted(map(repr, said)) != sorted(map(repr, added)):
            return False
    if step.produces is None:
        return True
    claimed = mana_said(step.produces)
    whole = made.plus(sum_mana(mana for _, mana in added))
    return claimed == made or (not step.triggered and claimed == whole)


def _is_order(view: View, oid: str, ability: Activated, ctx: Context, said: Sequence[str], outcome: Outcome) -> bool:
    """Whether replacement effects applied in this order lead to the outcome. Of effects alike, each is applied once
    (614.5), whichever comes first."""
    from ..model.replacement_graph import changes, start_of

    start = start_of(view, oid, ability, ctx)
    alike = {source: replacing.sources for replacing in start.effects for source in replacing.sources}
    if len(set(said)) < len(said) or not alike.keys() >= set(said):
        return False
    turns = {sources: iter(sources) for sources in alike.values()}
    order = [next(turns[alike[source]]) for source in said]
    return changes(start, order, sum_mana(p.mana for p in outcome.made)) is not None


def _with_state_based(state: State, player: str) -> State:
    """State-based actions are performed as a player would get priority (704.3)."""
    for _ in range(20):
        actions = state_based_actions(state.view.game)
        if not actions:
            return state
        game = state.view.game
        for action in actions:
            if action.kind == "loses":
                if player in action.objects:
                    return state._replace(over=action.why)
            elif action.kind in ("destroy", "to_graveyard", "sacrifice"):
                game = leave(game, sacrificed=[i for i in action.objects if i in game.objects])
            else:
                raise Unknown(f"the state-based action {action.kind} in a line", "not_modelled", action.objects)
        if game is state.view.game:
            return state
        state = state._replace(view=view_of(game))
    return state
