"""Answers to `usable`: which permanents occur in some way of paying.

A way of paying is a line of mana abilities that pays the whole cost and wastes nothing: some mana of every activation
in it is spent, on the cost or on another of its activations. A permanent occurs in it when one of its abilities is
activated, or when it is tapped, untapped, sacrificed or moved as part of a cost (convoke and its kin included).

For one permanent at a time: it is made a class of its own, its mana is told apart, and the model of the payment must
use it. Permanents that nothing can tell apart share the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from ..model.casting import proposals_cast
from ..model.characteristics import View, view_of
from ..model.game import Game, Unknown
from ..model.mana import parse_cost
from ..model.replay import Bill, Illegal
from ..model.spending import Purpose, purpose_of_cost
from .answer import Answer, Reason
from .assist import may_be_helped
from .can_pay import can_pay
from .casting import bill_of, can_cast, fed_doubt, fuelled, price_may_change, purpose_of
from .cpsat import Linear
from .final_cost import Payable, payables
from .levels import FinalFlow, Levels, firings_left
from .mana_net import Net, Transition, compile_net
from .payment import run_solution

MOST_LEVELS = 16
LIMIT = 5.0
_LEAVING = ("tap", "untap", "sacrifice", "exile", "to_hand", "moved")


class Cost(NamedTuple):
    """One thing that could be paid: the view in which it is, and its bills (the first is the cost itself). `before`:
    whether abilities may be used that need priority."""

    view: View
    bills: tuple[Bill, ...]
    before: bool = False


def usable(game: Game, question: Any, explain: bool) -> Answer:
    """Answers with the ids of all permanents that occur in some way of paying."""
    player = question.player or game.you
    found = _all_found(game, player, question)
    fed, there = fuelled(view_of(game), player) if question.cost is None else ((), game)
    if fed and any(i in game.objects and i not in found for i in _all_found(there, player, question)):
        raise fed_doubt(fed)
    order = [i for i in game.objects if i in found]
    text = f"{len(order)} permanents occur in some way of paying" if order else "nothing occurs in a way of paying"
    return Answer("known", {"usable": order}, (Reason("payable" if order else "not_payable", "601.2g", (), text),))


def _all_found(game: Game, player: str, question: Any) -> dict[str, None]:
    found: dict[str, None] = {}
    for cost in list(_costs(game, player, question)):
        for ids in _classes(cost, player):
            new = [i for i in ids if i not in found]
            if new and _occurs(cost, player, new[0]):
                found.update(dict.fromkeys(new))
    return found


def _costs(game: Game, player: str, question: Any) -> Iterator[Cost]:
    keep = (Bill(parse_cost(question.keep), Purpose()),) if question.keep else ()
    x = _greatest(game, question) if question.x == "max" else question.x
    if question.cost is not None:
        view = view_of(game)
        cost = parse_cost(question.cost)
        bare = purpose_of_cost(cost)
        purpose = bare if question.for_ is None else purpose_of(view, player, question.for_, bare)
        turn = game.turn
        before = turn.priority == player and turn.during_cast is None and turn.during_activate is None
        yield Cost(view, (Bill(cost.with_x(x or 0), purpose), *keep), before)
        return
    using = question.using or ()
    proposals = proposals_cast(
        view_of(game), player, question.card, zone=question.zone, using=using, targets=question.targets
    )
    made = proposals.with_x(proposals.x_default if x is None else x)
    for doubt in proposals.doubts:
        raise doubt
    if made and any(t.before for t in compile_net(game, player).transitions):
        raise Unknown("abilities that are activated before a spell is cast", "not_modelled")
    for proposal in made:
        if may_be_helped(proposal):
            raise Unknown("which permanents another player could help with", "not_modelled", (proposal.source,))
        if price_may_change(proposal) and _may_lose(proposal.view, player):
            raise Unknown("what leaves while mana is made could change the cost", "not_modelled", (proposal.source,))
        yield Cost(proposal.view, (bill_of(proposal), *keep))


def _greatest(game: Game, question: Any) -> int:
    answer = (can_pay if question.cost is not None else can_cast)(game, question, False)
    if answer.verdict == "unknown":
        raise Unknown("the greatest X is not known", "not_modelled")
    x = answer.values.get("x", 0)
    if not isinstance(x, int):
        raise Unknown("X is not bounded", "not_modelled")
    return x


def _may_lose(view: View, player: str) -> bool:
    return any(t.permanents or t.cards for t in compile_net(view.game, player, view=view).transitions)


def _classes(cost: Cost, player: str) -> Iterator[list[str]]:
    """Permanents that the player could use, those together that nothing tells apart."""
    net = compile_net(cost.view.game, player, view=cost.view, before=cost.before)
    for cls in net.classes:
        if cls.zone == "battlefield":
            for ids in (cls.ids[: cls.untapped], cls.ids[cls.untapped :]):
                if ids:
                    yield list(ids)


def _occurs(cost: Cost, player: str, oid: str) -> bool:
    """Whether the permanent occurs in some way of paying. Raises Unknown where that was not found out."""
    view = cost.view
    alone = {oid, *(b.source for b in cost.bills if b.source in view.game.objects)}

    def tag(source: str) -> str | None:
        return source if source == oid else None

    net = compile_net(view.game, player, before=cost.before, view=view, alone=alone, tags=tag)
    options = [list(payables(net, view, bill)) for bill in cost.bills]
    doubt: Unknown | None = None
    for finals in product(*options):
        try:
            if _found(net, finals, oid):
                return True
        except Unknown as unknown:
            doubt = unknown
    if doubt is not None:
        raise doubt
    return False


def _found(net: Net, finals: Sequence[Payable], oid: str) -> bool:
    if not Using(net, finals, 1, oid, relaxed=True).solve(best=False, limit=LIMIT).found:
        if net.doubts:
            raise net.doubts[0]
        return False
    exact = firings_left(net)
    levels = 1
    while True:
        model = Using(net, finals, levels, oid)
        solved = model.solve(best=False, limit=LIMIT)
        if solved.status == "unknown":
            raise Unknown("the solver did not finish within its limit", "time_limit", (oid,))
        if solved.found:
            try:
                run_solution(net, model, solved, finals)
            except Illegal as illegal:
                raise Unknown(f"a line that the referee refuses: {illegal.text}", "internal", (oid,)) from None
            return True
        if exact is not None and levels >= exact:
            if net.doubts:
                raise net.doubts[0]
            return False
        if levels >= MOST_LEVELS:
            raise Unknown("a longer line might use it", "time_limit", (oid,))
        levels *= 2


class Using(Levels):
    """A payment that uses one permanent and wastes no activation."""

    def __init__(self, net: Net, finals: Sequence[Payable], levels: int, oid: str, *, relaxed: bool = False) -> None:
        super().__init__(net, finals, levels, relaxed=relaxed)
        cls = net.class_of[oid]
        self.own = {p for p in (cls.u, cls.t) if p >= 0}
        self._spent = self._mana_spent(self.finals)
        self._wastes_nothing()
        self._uses(oid)

    def _mana_spent(self, finals: Sequence[FinalFlow]) -> list[Linear]:
        """By kind, what is spent on activations and on these costs."""
        spent = [Linear() for _ in self.net.kinds]
        flows = [flow for level in self.levels for flow in level.flows.values()]
        for flow in (*flows, *(final.flow for final in finals)):
            for (_, _, kind), var in flow.mana.items():
                spent[kind].add_var(var)
        return spent

    def _kinds_of(self, t: Transition) -> frozenset[int]:
        return frozenset([*t.makes, *(k for _, kinds in t.free for k in kinds)])

    def _wastes_nothing(self) -> None:
        """Every activation has mana that is spent, each its own: for every set of kinds that some activation makes
        from, at least as much of them is spent as there are activations that make no others."""
        firings: dict[frozenset[int], Linear] = {}
        for level in self.levels:
            for i, x in level.firings.items():
                t = self.net.transitions[i]
                if not t.doubles:
                    firings.setdefault(self._kinds_of(t), Linear()).add_var(x)
        sets = {*firings, frozenset().union(*firings)} if firings else set()
        for kinds in sets:
            enough = Linear()
            for kind in kinds:
                enough.add(self._spent[kind])
            for others, count in firings.items():
                if others <= kinds:
                    enough.add(count, -1)
            self.model.between(enough, 0, None)

    def _uses(self, oid: str) -> None:
        """It is activated and its mana spent, or it is part of a cost (that of `keep` apart)."""
        uses = Linear()
        own = self.net.class_of[oid]
        for level in self.levels:
            for i, x in level.firings.items():
                t = self.net.transitions[i]
                # Its own mana may go to what is kept back alone: then it is not used, and what is spent tells.
                through_mana = own is t.cls and len(self.finals) > 1
                if not through_mana and (own is t.cls or any(p in self.own for p in t.takes)):
                    uses.add_var(x)
        if len(self.finals) > 1:
            for kind, spent in zip(self.net.kinds, self._mana_spent(self.finals[:1]), strict=True):
                if kind.tag == oid:
                    uses.add(spent)
        final = self.finals[0]
        for (i, j), x in final.objects.items():
            if final.payable.shares[i].field in _LEAVING and final.payable.shares[i].sources[j][0] in self.own:
                uses.add_var(x)
        for (i, j), x in final.stand_ins.items():
            if final.payable.stand_ins[i].uses[j][0] in self.own:
                uses.add_var(x)
        self.model.between(uses, 1, None)
