"""An audit on a Ray cluster, with Ray Data: a dataset of blocks, which machines read, judge and write by themselves.

    inputs -> blocks (counted by a first pass) -> on each machine: read, judge, write a part -> what was found

Only what was found comes back to where the audit was started: counts and remarks, no cases and no records. A task of
Ray keeps one process for judging, with its library and all that it remembers, from block to block; whatever a case
does to that process, the task lives on and says so. When a task or its machine is lost, Ray runs it again, and a part
that is there already is taken as it is.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from ..model.situation import FormatError
from .audit import Judged, Pool, Work, recalled
from .blocks import Block, blocks, lines_in, lines_of_block, surveys
from .cache import program_print
from .parts import Folder, Parts, records_in, write_part

MOST_TASKS = 2_000  # a task has several blocks where there are more


class Job(NamedTuple):
    """What each machine is told."""

    work: Work
    program: bytes
    folder: Folder | None  # where the parts go


class Found(NamedTuple):
    """What was found in a block; `before`: by an audit that was interrupted."""

    judged: list[Judged]
    before: bool


class Cluster:
    """The Ray cluster with that address ("auto": the one of this machine). `most`: of its processors, all if None."""

    def __init__(self, address: str, most: int | None = None) -> None:
        self.ray = _ray(address)
        self.most = most
        self.processors = most or max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def audit(self, inputs: Sequence[str], parts: Parts | None, work: Work) -> Iterator[Found]:
        """What is found, block by block. Raises FormatError where a machine cannot read or write, or has another
        program or library."""
        spread = parts.spread if parts is not None else self.processors
        parted = surveys(inputs, spread)
        counts = [int(_told(row["lines"])) for row in self._run(_count, parted)]
        job = Job(work, program_print(), parts.folder if parts is not None else None)
        for row in self._run(_audit, blocks(parted, counts, spread), job=job):
            yield _told(row["found"])

    def _run(self, function: Any, some: Sequence[Block], **told: Any) -> Iterator[dict[str, Any]]:
        """A row for each block, in their order."""
        if not some:
            return
        items = [{"block": msgspec.msgpack.encode(block)} for block in some]
        data = self.ray.data.from_items(items, override_num_blocks=min(len(items), MOST_TASKS))
        gone = self.ray.exceptions
        try:
            yield from data.map_batches(function, batch_size=1, fn_kwargs=told, concurrency=self.most).iter_rows()
        except gone.RayError as failed:
            raise FormatError(f"the Ray cluster: {failed}") from None

    def close(self) -> None:
        self.ray.shutdown()


def _ray(address: str) -> Any:
    try:
        import ray  # pyright: ignore[reportMissingImports]
        import ray.data  # pyright: ignore[reportMissingImports]
        import ray.exceptions  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise FormatError('--ray needs Ray: install "lawmage[ray]"') from None
    warnings.filterwarnings("ignore", module="ray")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except ConnectionError as bad:
        raise FormatError(f"no Ray cluster at {address}: {bad}") from None
    _quiet(ray)
    return ray


def _quiet(ray: Any) -> None:
    """The audit has a bar of its own."""
    import logging

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    for name in ("ray.data", "ray"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _told(found: bytes) -> Any:
    what = pickle.loads(found)
    if isinstance(what, str):
        raise FormatError(what)
    return what


# --- on the machines ------------------------------------------------------------------------------------------------


def _block(batch: dict[str, Any]) -> Block:
    return msgspec.msgpack.decode(bytes(batch["block"][0]), type=Block)


def _count(batch: dict[str, Any]) -> dict[str, Any]:
    return {"lines": [_or_why_not(lines_in, _block(batch))]}


def _audit(batch: dict[str, Any], job: Job) -> dict[str, Any]:
    if program_print() != job.program:
        other = "a machine of the cluster has another version of lawmage, or another card library"
        return {"found": [pickle.dumps(other)]}
    return {"found": [_or_why_not(_found, _block(batch), job)]}


def _or_why_not(function: Any, *arguments: Any) -> bytes:
    """What comes of it, or a text: Ray would tell of an exception without saying what it was."""
    try:
        return pickle.dumps(function(*arguments))
    except (OSError, FormatError) as bad:
        return pickle.dumps(str(bad))


def _found(block: Block, job: Job) -> Found:
    folder = job.folder
    if folder is None:
        return Found([_light(judged) for judged in _pool(job.work).judge(lines_of_block(block))], False)
    name = folder.part(block.number)
    records = records_in(folder, name)
    if records is not None:
        return Found([_light(recalled(record)) for record in records], True)
    kept: list[Judged] = []

    def records_as_judged() -> Iterator[bytes]:
        for judged in _pool(job.work).judge(lines_of_block(block)):
            kept.append(_light(judged))
            yield judged.record

    write_part(folder, name, records_as_judged())
    return Found(kept, False)


def _light(judged: Judged) -> Judged:
    return judged._replace(record=b"")


@cache
def _pool(work: Work) -> Pool:
    """The process that judges for this one. It is not forked: a task of Ray has threads."""
    return Pool(1, work, "forkserver")
