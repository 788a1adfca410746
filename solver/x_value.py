"""The greatest payable X: doubling, then halving the gap (paying for a smaller X is never harder).

Values that may not be announced at all (an effect forbids spells of even mana value) are gaps in the search: the next
value that may be is asked instead. Where X is compared with numbers of objects ("a card with mana value X"), paying is
no matter of more and less, and every number that could be meant is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model.game import Unknown
from .payment import LIMIT, Decision
from .work import work_done

MOST_X = 2**20
WIDEST_GAP = 3

# `ask(x, best)` decides one X; None: that X may not be announced.
Ask = Callable[[int, bool], Decision | None]


def greatest_x(ask: Ask, numbers: Iterable[int] = ()) -> tuple[int, Decision]:
    """The greatest X that is a yes, with its best decision; 0 with a no when none can be paid. `numbers`: those of
    objects that X is compared with."""
    x, decision = _greatest_from(ask, 0)
    if decision.verdict == "unknown":
        return x, decision
    near = {n + step for n in numbers for step in (-1, 0, 1)}
    for n in sorted((n for n in near if n > x), reverse=True):
        found = ask(n, False)
        if found is not None and found.verdict != "no":
            return _greatest_from(ask, n)
    return x, decision


def _greatest_from(ask: Ask, start: int) -> tuple[int, Decision]:
    low, first = _next(ask, start, start + WIDEST_GAP + 1)
    if first is None or first.verdict != "yes":
        return low, ask(low, True) or Decision("no")
    high = low + 1
    end = work_done() + LIMIT
    while high <= MOST_X:
        if work_done() > end:
            return low, Decision("unknown", why=Unknown("a greater X might be payable", "time_limit"))
        x, decision = _next(ask, high, high + WIDEST_GAP + 1)
        if decision is not None and decision.verdict == "unknown":
            return x, decision
        if decision is None or decision.verdict == "no":
            break
        low, high = x, x * 2
    while high - low > 1:
        x, decision = _next(ask, (low + high) // 2, high)
        if decision is not None and decision.verdict == "unknown":
            return x, decision
        if decision is not None and decision.verdict == "yes":
            low = x
        else:
            high = (low + high) // 2
    return low, ask(low, True) or Decision("no")


def _next(ask: Ask, start: int, stop: int) -> tuple[int, Decision | None]:
    """The first X from `start` that may be announced, with its decision; None if there is none before `stop`."""
    for x in range(start, min(stop, start + WIDEST_GAP + 1)):
        decision = ask(x, False)
        if decision is not None:
            return x, decision
    return start, None
