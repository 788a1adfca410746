"""Boards of real cards with answers that rules and rulings settle: every file of cases, and one test for each case.

`acting.jsonl` is about untapping, hand size, state-based and single actions, and combat; `rulings.jsonl` goes by topic
and rule; `more.jsonl` has boards that once found a fault; `judge.jsonl` is what a judge would ask, kind by kind;
`engines.jsonl` is what engines of the game were reported to get wrong, or test themselves by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from lawmage.model.cards.build import grammar_print
from lawmage.model.cards.library import read_header, shipped_path
from lawmage.solver.audit import Line, judge

FOLDER = Path(__file__).parent / "cases"


def cases() -> Iterator[Any]:
    for file in ("acting", "rulings", "more", "judge", "engines"):
        for case in (FOLDER / f"{file}.jsonl").read_bytes().splitlines():
            name = str(json.loads(case)["id"])
            yield pytest.param(case, id=name if name.startswith(file) else f"{file}/{name}")


@lru_cache(maxsize=1)
def _library_is_older() -> bool:
    """Whether the shipped library was made before the compiler changed: it may read some cards worse."""
    return read_header(shipped_path()).grammar != grammar_print()


@pytest.mark.parametrize("case", list(cases()))
def test_case(case: bytes) -> None:
    judged = judge(Line(1, case))
    if judged.result != "right" and _library_is_older():
        pytest.skip("the shipped library is older than the compiler")
    assert judged.result == "right", judged.details
