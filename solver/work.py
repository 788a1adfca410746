"""A clock for limits that are the same on every machine: the deterministic time of all solving in this process."""

from __future__ import annotations


class _Work:
    done = 0.0


def work_done() -> float:
    """How much has been solved so far, roughly in seconds on a slow machine."""
    return _Work.done


def add_work(units: float) -> None:
    _Work.done += units
