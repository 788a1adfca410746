"""The search for the greatest payable X."""

from __future__ import annotations

import pytest

from lawmage.solver.payment import Decision
from lawmage.solver.x_value import greatest_x


@pytest.mark.parametrize("most", [0, 1, 2, 3, 7, 8, 80, 1000])
def test_the_greatest_x(most: int) -> None:
    assert greatest_x(lambda x, best: Decision("yes" if x <= most else "no"))[0] == most


@pytest.mark.parametrize(("most", "expected"), [(3, 3), (4, 3), (9, 9), (10, 9), (1, 1)])
def test_values_that_may_not_be_announced(most: int, expected: int) -> None:
    def ask(x: int, best: bool) -> Decision | None:
        return Decision("yes" if x <= most else "no") if x % 2 else None

    x, decision = greatest_x(ask)
    assert (x, decision.verdict) == (expected, "yes")


def test_nothing_is_payable() -> None:
    x, decision = greatest_x(lambda x, best: Decision("no"))
    assert (x, decision.verdict) == (0, "no")
    assert greatest_x(lambda x, best: None)[1].verdict == "no"


def test_an_unknown_stops_the_search() -> None:
    assert greatest_x(lambda x, best: Decision("yes" if x < 5 else "unknown"))[1].verdict == "unknown"
