"""Questions about boards of real cards, with answers that the rules and rulings settle; by topic and rule number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawmage.solver.audit import Line, judge

CASES = (Path(__file__).parent / "cases" / "rulings.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.loads(case)["id"])
def test_case(case: bytes) -> None:
    judged = judge(Line(1, case))
    assert judged.result == "right", judged.details
