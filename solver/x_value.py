"""The greatest payable X: doubling, then halving the gap (paying for a smaller X is never harder)."""

from __future__ import annotations

from collections.abc import Callable

from .payment import Decision

MOST_X = 2**20


def greatest_x(ask: Callable[[int, bool], Decision]) -> tuple[int, Decision]:
    """`ask(x, best)` decides one X. Returns the greatest X that is a yes, with its best decision; 0 with a no when not
    even that can be paid."""
    low, high = 0, 1
    if ask(0, False).verdict != "yes":
        return 0, ask(0, True)
    while high <= MOST_X:
        decision = ask(high, False)
        if decision.verdict == "unknown":
            return high, decision
        if decision.verdict == "no":
            break
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        decision = ask(middle, False)
        if decision.verdict == "unknown":
            return middle, decision
        low, high = (middle, high) if decision.verdict == "yes" else (low, middle)
    return low, ask(low, True)
