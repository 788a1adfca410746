"""Boards of real cards with right answers over every kind of question, and boards that once found a fault."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest

from lawmage.model.cards.build import grammar_print
from lawmage.model.cards.library import read_header, shipped_path
from lawmage.solver.audit import Line, judge

CASES = (Path(__file__).parent / "cases" / "more.jsonl").read_bytes().splitlines()


@lru_cache(maxsize=1)
def _library_is_older() -> bool:
    """Whether the shipped library was made before the compiler changed: it may read some cards worse."""
    return read_header(shipped_path()).grammar != grammar_print()


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.loads(case)["id"].removeprefix("more/"))
def test_case(case: bytes) -> None:
    judged = judge(Line(1, case))
    if judged.result != "right" and _library_is_older():
        pytest.skip("the shipped library is older than the compiler")
    assert judged.result == "right", judged.details
