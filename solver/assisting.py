"""Assist (702.132a): before the total cost is paid, one other player may pay any amount of its generic mana.

What another player may do counts as available. The player who is asked activates mana abilities first, so each of the
others is asked for the most generic mana that they could pay here, and the caster pays the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..model.game import Unknown
from ..model.mana import Cost
from ..model.proposals import Proposal
from ..model.replay import Bill
from .mana_net import compile_net
from .payment import decide


class Assisted(NamedTuple):
    """What is left of a proposal's mana after `by` paid `n` generic mana of it."""

    by: str
    n: int
    mana: Cost
    x_mana: int


def may_be_assisted(proposal: Proposal) -> bool:
    return bool(proposal.mana.generic) and any(s.kind == "assist" for s in proposal.substitutes)


def assisted(proposal: Proposal) -> Iterator[Assisted]:
    """For each other player who could pay some of the generic mana: as much as they could. Raises Unknown, after the
    others, where that could not be told of one."""
    if not may_be_assisted(proposal):
        return
    doubt: Unknown | None = None
    for name in proposal.view.game.players:
        if name == proposal.player:
            continue
        try:
            n = _most(proposal, name)
        except Unknown as unknown:
            doubt = unknown
            continue
        if n:
            mana = proposal.mana._replace(generic=proposal.mana.generic - n)
            yield Assisted(name, n, mana, max(0, proposal.x_mana - n))
    if doubt is not None:
        raise doubt


def _most(proposal: Proposal, name: str) -> int:
    """The most generic mana of this cost that the player could pay."""
    game = proposal.view.game
    net = compile_net(game, name, before=False, view=proposal.view)
    low, high = 0, proposal.mana.generic
    while low < high:
        middle = (low + high + 1) // 2
        found = decide(net, [Bill(Cost(middle), proposal.purpose)], best=False)
        if found.verdict == "unknown":
            raise found.why or Unknown("what another player could pay is not known", "not_modelled")
        low, high = (middle, high) if found.verdict == "yes" else (low, middle - 1)
    return low
