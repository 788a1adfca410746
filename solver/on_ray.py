"""The pool of an audit on a Ray cluster: chunks of cases become tasks, and a lost one is run again elsewhere.

The audit itself stays where it was started. It reads, hands out chunks as far as there are processors for them, and
writes the records in their order, so that an output is gone on with as on one machine, and has each case exactly once
whatever happens to the nodes.
"""

from __future__ import annotations

from typing import Any

from ..model.situation import FormatError
from .audit import Judged, Work, died, judge_chunk
from .cache import program_print
from .inputs import Line

RETRIES = 5  # of a task whose process or node is gone, before its chunk is halved


class RayPool:
    """Judges chunks on the cluster with that address ("auto": the one of this machine)."""

    def __init__(self, address: str, work: Work) -> None:
        self.ray = _ray(address)
        self.work = work
        self.task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(_judge_there)
        self.program = program_print()

    @property
    def processes(self) -> int:
        """The processors that the cluster has now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def submit(self, chunk: list[Line]) -> Any:
        return self.task.remote(chunk, self.work, self.program)

    def result(self, chunk: list[Line], future: Any) -> list[Judged]:
        """Raises FormatError where the nodes have another program or library."""
        gone = self.ray.exceptions
        try:
            return self.ray.get(future)
        except gone.RayTaskError as failed:
            raise FormatError(str(failed.cause)) from None
        except gone.RayError:  # its process or node died, again and again
            if len(chunk) == 1:
                return [died(chunk[0])]
        halves = chunk[: len(chunk) // 2], chunk[len(chunk) // 2 :]
        futures = [self.submit(half) for half in halves]
        return [judged for half, future in zip(halves, futures, strict=True) for judged in self.result(half, future)]

    def close(self) -> None:
        self.ray.shutdown()


def _ray(address: str) -> Any:
    try:
        import ray  # pyright: ignore[reportMissingImports]
        import ray.exceptions  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise FormatError('--ray needs Ray: install "lawmage[ray]"') from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except ConnectionError as bad:
        raise FormatError(f"no Ray cluster at {address}: {bad}") from None
    return ray


def _judge_there(chunk: list[Line], work: Work, program: bytes) -> list[Judged]:
    if program_print() != program:
        raise ValueError("a node of the cluster has another version of lawmage, or another card library")
    return judge_chunk(chunk, work)
