"""Answers to `can_pay`: can this cost be paid now, and how."""

from __future__ import annotations

from typing import Any

import msgspec

from ..model.characteristics import View, view_of
from ..model.game import Game
from ..model.mana import Cost, parse_cost
from ..model.replay import Bill
from ..model.spending import Purpose, purpose_of_cost
from .answer import Answer, Reason
from .casting import purpose_of
from .endless import SHOWN, endless
from .lines import wire_line
from .mana_net import Net, net_of
from .payment import Decision, decide
from .x_value import greatest_x


def can_pay(game: Game, question: Any, explain: bool) -> Answer:
    """Answers with the best plan, or with why not."""
    player = question.player or game.you
    cost = parse_cost(question.cost)
    asked = purpose(view_of(game), player, question, cost)
    game = being_cast(game, question)
    net = net_of(game, player, before=game.turn.priority == player and not _during(game))
    keep = [Bill(parse_cost(question.keep), Purpose())] if question.keep else []

    def bills(x: int) -> list[Bill]:
        return [Bill(cost.with_x(x), asked), *keep]

    def ask(x: int, best: bool) -> Decision:
        return decide(net, bills(x), best=best)

    if question.x == "max" and cost.x and endless(net, bills):
        return _without_bound(net, ask(SHOWN, False), cost, question)
    if question.x == "max":
        x, decision = greatest_x(ask)
    else:
        x = question.x or 0
        decision = ask(x, True)
    if decision.verdict == "no" and explain:
        reasons = _why_not(game, question, player, cost, x, asked)
        return Answer("no", {"x": x} if cost.x else {}, reasons or _cannot(cost.with_x(x)))
    found = answer_of(net, decision, cost.with_x(x), question, x if cost.x else None)
    return with_line(net.view, player, found) if explain else found


def _without_bound(net: Net, decision: Decision, cost: Cost, question: Any) -> Answer:
    """Any X can be paid; the plan is for one."""
    shown = answer_of(net, decision, cost.with_x(SHOWN), question, SHOWN)
    if shown.verdict == "yes":
        return msgspec.structs.replace(shown, values={**shown.values, "x": "unbounded"})
    return shown


def with_line(view: View, player: str, found: Answer) -> Answer:
    """A yes with its plan in words."""
    if found.verdict != "yes":
        return found
    from .telling import how

    return msgspec.structs.replace(found, because=(*found.because, *how(view, player, found.values["plan"])))


def being_cast(game: Game, question: Any) -> Game:
    """The game with the spell that is paid for on the stack (601.2a): it is no card in hand that could pay."""
    if question.for_ is None or question.for_.cast is msgspec.UNSET or question.for_.cast not in game.objects:
        return game
    card = game.objects[question.for_.cast]
    return game if card.zone == "stack" else game.put(card.but(zone="stack", from_zone=card.zone))


def _why_not(
    game: Game, question: Any, player: str, cost: Cost, x: int, asked: Purpose
) -> tuple[Reason, ...] | None:
    """The facts that rule the payment out."""
    from .explain import Asked, Nets, why_not

    before = game.turn.priority == player and not _during(game)
    nets = Nets(player, before)
    keep = [Bill(parse_cost(question.keep), Purpose())] if question.keep else []

    def possible(other: Game) -> bool | None:
        net = nets.of(other)
        verdict = decide(net, [Bill(cost.with_x(x), asked), *keep], best=False).verdict
        return None if verdict == "unknown" else verdict == "yes"

    whole = cost.with_x(x).plus(parse_cost(question.keep)) if question.keep else cost.with_x(x)
    return why_not(game, Asked(player, possible, whole, asked, before=before))


def _cannot(cost: Cost) -> tuple[Reason, ...]:
    return (Reason("not_payable", "118.3", (), f"no way to pay {cost}"),)


def _during(game: Game) -> bool:
    return game.turn.during_cast is not None or game.turn.during_activate is not None


def purpose(view: View, player: str, question: Any, cost: Cost) -> Purpose:
    """What the cost is for, as the question states it (default: no spending context)."""
    bare = purpose_of_cost(cost)
    if question.for_ is None:
        return bare
    return purpose_of(view, player, question.for_, bare)


def _said_for(question: Any) -> object:
    """What the cost is for, as the steps of a plan say it: restricted mana may depend on that."""
    if question.for_ is not None:
        return msgspec.to_builtins(question.for_)
    return question.cost if "X" in question.cost else None


def answer_of(net: Net, decision: Decision, cost: Cost, question: Any, x: int | None) -> Answer:
    """The decision in the words of format.md."""
    values: dict[str, Any] = {}
    if x is not None:
        values["x"] = x
    if decision.verdict == "unknown":
        why = decision.why
        assert why is not None
        return Answer("unknown", {}, (Reason(why.code, objects=why.objects, text=why.text),))
    if decision.verdict == "no":
        return Answer("no", values, _cannot(cost))
    payment = decision.payment
    assert payment is not None
    values |= {"plan": wire_line(payment.steps, str(cost), _said_for(question)), "spent": payment.spent.wire()}
    return Answer("yes", values, (Reason("payable", "118.3", (), f"{cost} can be paid"),))
