"""The compiler on mutated text; `pytest -m long` for minutes, see `fuzz_oracle`."""

from __future__ import annotations

import os
import time

import pytest

from .fuzz_oracle import at_random


def test_some_mutated_texts() -> None:
    for seed in range(60):
        at_random(seed)


@pytest.mark.long
def test_many_mutated_texts() -> None:
    """LAWMAGE_FIRST_SEED and LAWMAGE_FUZZ_SECONDS say where to begin and for how long."""
    seed = int(os.environ.get("LAWMAGE_FIRST_SEED", "0"))
    end = time.monotonic() + float(os.environ.get("LAWMAGE_FUZZ_SECONDS", "300"))
    while time.monotonic() < end:
        try:
            at_random(seed)
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error
        seed += 1
