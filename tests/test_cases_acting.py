"""Boards of real cards with right answers about untapping, hand size, state-based and single actions, and combat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawmage.solver.audit import Line, judge

CASES = (Path(__file__).parent / "cases" / "acting.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.loads(case)["id"].removeprefix("acting/"))
def test_case(case: bytes) -> None:
    judged = judge(Line(1, case))
    assert judged.result == "right", judged.details
