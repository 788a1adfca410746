"""Assist: another player pays any part of the generic mana in the total cost (702.132a).

Paying less is never harder, for the caster as for the helper. So the least part that the caster can do without is
found first; whoever can pay for that part may be the one who helps. The helper activates mana abilities of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..model.game import Unknown
from ..model.mana import Cost
from ..model.proposals import Proposal
from ..model.replay import Activate, Bill, Illegal, PayParts, PaySymbol, Step, run
from .mana_net import compile_net
from .payment import Decision, decide


class Help(NamedTuple):
    """What another player does: the activations and payments of that player."""

    player: str
    steps: tuple[Step, ...]

    @property
    def activations(self) -> tuple[Activate, ...]:
        return tuple(s for s in self.steps if isinstance(s, Activate))

    @property
    def payments(self) -> tuple[PaySymbol | PayParts, ...]:
        return tuple(s for s in self.steps if not isinstance(s, Activate))


def may_be_helped(proposal: Proposal) -> bool:
    return bool(proposal.mana.generic) and any(s.kind == "assist" for s in proposal.substitutes)


def without(bill: Bill, n: int) -> Bill:
    """The bill without so much of its generic mana."""
    generic = bill.cost.generic - n
    return bill._replace(cost=bill.cost._replace(generic=generic), x_mana=min(bill.x_mana, generic))


def helped(
    proposal: Proposal, bill: Bill, pays: Callable[[Bill, bool], Decision], best: bool
) -> tuple[Decision, Help | None]:
    """The decision for a cost that the caster can't pay alone. `pays(bill, best)` decides what the caster can pay."""
    low, high = 0, bill.cost.generic
    decision = pays(without(bill, high), False)
    if decision.verdict != "yes":
        return decision, None
    while high - low > 1:
        middle = (low + high) // 2
        verdict = pays(without(bill, middle), False).verdict
        if verdict == "unknown":
            return Decision("unknown", why=Unknown("how much help is needed", "time_limit")), None
        low, high = (low, middle) if verdict == "yes" else (middle, high)
    decision = pays(without(bill, high), best)
    unknown: Unknown | None = None
    for other in proposal.view.game.opponents(proposal.player):
        found = _by(other, high, proposal, decision)
        if isinstance(found, Help):
            return decision, found
        unknown = unknown or found
    return (Decision("no"), None) if unknown is None else (Decision("unknown", why=unknown), None)


def _by(player: str, n: int, proposal: Proposal, decision: Decision) -> Help | Unknown | None:
    """The player's line for `n` generic mana; None where there is none."""
    game = proposal.view.game
    share = Bill(Cost(generic=n), proposal.purpose)
    try:
        found = decide(compile_net(game, player, before=False, view=proposal.view), [share])
    except Unknown as unknown:
        return unknown
    if found.payment is None:
        return found.why if found.verdict == "unknown" else None
    assert decision.payment is not None
    try:
        run(decision.payment.after, player, found.payment.steps, share)
    except Illegal as illegal:
        return Unknown(f"both together: {illegal.text}", "not_modelled", illegal.objects)
    return Help(player, found.payment.steps)


def split(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Activations, then payments."""
    return [s for s in steps if isinstance(s, Activate)], [s for s in steps if not isinstance(s, Activate)]
