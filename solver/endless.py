"""Whether no X is too great: a loop makes mana without bound, {X} may be paid with it, and the rest stays payable.

After one round of the loop every place holds at least what it held where the loop began, so further rounds only add
mana. When the cost with X = 0 can be paid on the board after one round, it can be paid after any number of them, and
what the other rounds have made pays {X}.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model.replay import Bill
from .final_cost import Payable, payables
from .loops import find_loop
from .mana_net import Net, net_of
from .payment import decide

Bills = Callable[[int], Sequence[Bill]]

# The X that the plan of such an answer shows.
SHOWN = 8


def endless(net: Net, bills: Bills) -> bool:
    """Whether the bills can be paid for every X: `bills(x)` are those for one, the first of which has the {X}."""
    found = (find_loop(net, kinds) for p in payables(net, net.view, bills(1)[0]) if (kinds := _pay_x(p)))
    loop = next((one for one in found if one is not None), None)
    if loop is None:
        return False
    later, _ = loop.after(net.game, net.player, 1)
    after = net_of(later, net.player, before=net.before, alone=net.alone)
    return decide(after, bills(0), best=False).verdict == "yes"


def _pay_x(payable: Payable) -> set[int]:
    """The kinds of mana that may pay all generic mana of the cost, {X} included."""
    slots = payable.demand.slots
    generic = [(s, w) for s, slot in enumerate(slots) for w, way in enumerate(slot.ways) if slot.is_generic(way)]
    return set.intersection(*(set(payable.payers[at]) for at in generic)) if generic else set()
