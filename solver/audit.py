"""Many cases, one verdict record each: the answers compared with what the cases expect.

    lines -> chunks -> a pool of processes -> records, in the order of the input

Nothing is kept but counts, so memory stays flat however long the input is. A case that cannot be read or asked gets
a record that says why, and the rest get theirs.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import blake2b
from heapq import nlargest
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Literal, NamedTuple

import msgspec

from .answer import CODES, Answer, Reason
from .compare import ExpectError, Mismatch, differences, expected_unknown
from .inputs import Line
from .memo import PASSING, Memo

Result = Literal["right", "wrong", "unknown", "unchecked", "error"]
RESULTS: tuple[Result, ...] = ("right", "wrong", "unknown", "unchecked", "error")

# Chunks grow with the input: short files spread over all processes, long ones cost few messages.
SMALLEST_CHUNK, LARGEST_CHUNK = 8, 256
CHUNKS_AHEAD = 3  # for each process, waiting or being worked on


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verdict record as format.md has it."""

    id: str | None
    result: Result
    answer: dict[str, Any] | None = None
    expect: dict[str, Any] | None = None
    error: str | None = None
    kind: str = ""  # of the question, as far as it could be read
    # Where the case stood: in records that are written, always the last two.
    line: int | None = None
    file: str | None = None  # where there are several


class OtherOutput(ValueError):
    """A record that was written before does not belong to its case."""


class Limits(NamedTuple):
    """The last resort against a case that would stop an audit; the solver's own limits are deterministic and lower."""

    seconds: float = 0  # of the processor, for each case; 0: no limit
    memory: int = 0  # of each process, in bytes


NO_LIMITS = Limits()


class Work(NamedTuple):
    """What the workers of an audit are told."""

    explain: bool = False
    limits: Limits = NO_LIMITS
    cache: str = ""  # a file of answers


ANSWERS_ONLY = Work()


class Overtime(BaseException):
    """A case took longer than its last resort. No `except Exception` on its way takes it for something else."""


class Judged(NamedTuple):
    """One case after judging: what is counted, what is written, and what a person is shown."""

    place: str
    size: int  # of the line, in bytes
    id: str
    kind: str
    result: Result
    record: bytes
    details: tuple[str, ...] = ()  # expected and actual; of an error or an unknown: why
    codes: tuple[str, ...] = ()  # of an unknown: those of its reasons
    seconds: float = 0.0
    question: int | None = None  # the same for questions that are the same; None where nothing was asked


# --- one case -------------------------------------------------------------------------------------------------------


def judge(line: Line, explain: bool = False) -> Judged:
    """The verdict on one case. Whatever is wrong with it becomes an error record with the reason and the line."""
    if line.error:
        return _error(line, _Glimpse(), line.error)
    begins = _ID_FIRST.match(line.data)
    if begins is None or ask is not _ORACLE:
        return _judge(line, explain)
    remembered = memo(_Asked.file)
    key = blake2b(line.data[begins.end() :], digest_size=16, salt=b"words" if explain else b"").digest()
    if (repeated := remembered.repeats.find(key)) is not None:
        return _repeated(line, begins[1], *repeated)
    judged = _judge(line, explain)
    if judged.result != "error" and not any(code in judged.record for code in _PASSING):
        rest = judged.record[len(_HEAD) + len(msgspec.json.encode(judged.id)) : -len(_where(line))]
        remembered.repeats.keep(key, (judged, rest, _Asked.last))
    return judged


# A case that is the same but for its id, byte by byte, has the same record but for that and its place.
_ID_FIRST = re.compile(rb'\s*\{\s*"id"\s*:\s*("[^"\\\x00-\x1f]*")')
_HEAD = b'{"id":'
_PASSING = tuple(b'"%s"' % code.encode() for code in PASSING)


def _repeated(line: Line, written_id: bytes, like: Judged, rest: bytes, question: int | None) -> Judged:
    _Asked.last = question
    try:
        id_ = msgspec.json.decode(written_id, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _judge(line, False)  # it becomes an error
    record = b"".join((_HEAD, msgspec.json.encode(id_), rest, _where(line)))
    return Judged(line.place, len(line.data), id_, like.kind, like.result, record, like.details, like.codes)


def _judge(line: Line, explain: bool) -> Judged:
    from ..model.situation import FormatError, read_case

    try:
        case = read_case(line.data)
        expect = None if case.expect is msgspec.UNSET else case.expect
        glimpse = _Glimpse(case.id, case.query.kind, expect)
        return _judged(line, glimpse, ask(case.situation, case.query, explain=explain))
    except (FormatError, ExpectError) as bad:
        return _error(line, _glimpse(line.data), str(bad))
    except MemoryError:
        return _error(line, _glimpse(line.data), "MemoryError: it needs more memory than a process may use")
    except Exception as fault:  # one broken case never takes the others with it
        return _error(line, _glimpse(line.data), f"a fault of lawmage itself: {type(fault).__name__}: {fault}")


def _judged(line: Line, case: _Glimpse, answer: Answer) -> Judged:
    actuals = answer.wire()
    wrong = differences(case.expect, actuals) if case.expect is not None else []
    result = _result(case.expect, answer.verdict, bool(wrong))
    record = Record(case.id, result, actuals, case.expect, kind=case.kind)
    judged = _told(line.place, record, _encoded(record, line), wrong)
    return judged._replace(size=len(line.data))


def _encoded(record: Record, line: Line) -> bytes:
    return msgspec.json.encode(record)[:-1] + _where(line)


def _where(line: Line) -> bytes:
    """The end of a record: the place of its case."""
    file = b',"file":' + msgspec.json.encode(line.file) if line.file else b""
    return b',"line":%d%b}' % (line.number, file)


def _told(place: str, record: Record, encoded: bytes, wrong: list[Mismatch]) -> Judged:
    """What a record with an answer tells."""
    answer = record.answer or {}
    unknown = record.result == "unknown"
    codes = tuple(dict.fromkeys(reason["code"] for reason in answer["because"])) if unknown else ()
    details = _details(record.result, answer, wrong)
    return Judged(place, 0, record.id or "", record.kind, record.result, encoded, details, codes)


def recalled(encoded: bytes, line: Line | None = None) -> Judged:
    """A case that was judged before, from its record. Raises OtherOutput where that is no record, or not of this
    line."""
    try:
        record = msgspec.json.decode(encoded, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as bad:
        raise OtherOutput(f"a line that is no record: {bad}") from None
    id_ = _glimpse(line.data).id if line is not None and not line.error else None
    if line is not None and (record.id, record.line) != (id_, line.number):
        raise OtherOutput(f"it has {record.id!r} in the place of {id_!r} ({line.place})")
    place = Line(record.line or 0, b"", record.file or "").place
    return _of_record(record, place, encoded.rstrip(b"\n"))._replace(size=len(line.data) if line is not None else 0)


def _of_record(record: Record, place: str, encoded: bytes) -> Judged:
    if record.result == "error":
        why = (record.error or "").removeprefix(f"{place}: ")
        return Judged(place, 0, record.id or "", record.kind, "error", encoded, (why,))
    wrong = differences(record.expect, record.answer or {}) if record.result == "wrong" and record.expect else []
    return _told(place, record, encoded, wrong)


def _details(result: Result, answer: Mapping[str, Any], wrong: list[Mismatch]) -> tuple[str, ...]:
    reasons = [_words(reason) for reason in answer["because"][:3]]
    if result == "unknown":
        unread = answer.get("unread", ())
        return (*reasons, *(f"not understood: {line['card']}, line {line['line']}" for line in unread))
    if result == "wrong":
        compared = [f"{key}: expected {show(wanted)}, got {show(actual)}" for key, wanted, actual in wrong]
        return (*compared, *(f"because {reason}" for reason in reasons))
    return ()


@cache
def memo(file: str = "") -> Memo:
    """What this process remembers, with the library in use, and with a file of answers if there is one."""
    from ..model.cards import default_library
    from .cache import Store, program_print

    return Memo(default_library(), Store(file, program_print()) if file else None)


class _Asked:
    """The file of answers that is used, and the question asked last."""

    file = ""
    last: int | None = None


def ask(situation: Any, query: Any, *, explain: bool) -> Answer:
    """The answer to one question about a situation; a question that was asked before is not solved again."""
    remembered = memo(_Asked.file)
    answer = remembered.ask(situation, query, explain)
    _Asked.last = int.from_bytes(remembered.key[:8])
    return answer


_ORACLE = ask


def _words(reason: Mapping[str, str]) -> str:
    return reason.get("text") or CODES.get(reason["code"], reason["code"])


def _result(expect: Mapping[str, Any] | None, verdict: str, differs: bool) -> Result:
    if expect is None:
        return "unchecked"
    if verdict == "unknown" and not expected_unknown(expect):
        return "unknown"
    return "wrong" if differs else "right"


class _Glimpse(NamedTuple):
    """What a verdict says about its case; of a broken one, as much of it as can be read."""

    id: str | None = None
    kind: str = "unreadable"
    expect: dict[str, Any] | None = None


def _glimpse(data: bytes) -> _Glimpse:
    try:
        case = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Glimpse()
    if not isinstance(case, dict):
        return _Glimpse()
    case_id, query, expect = case.get("id"), case.get("query"), case.get("expect")
    kind = query.get("kind") if isinstance(query, dict) else None
    return _Glimpse(
        case_id if isinstance(case_id, str) else None,
        kind if isinstance(kind, str) else "unreadable",
        expect if isinstance(expect, dict) else None,
    )


def _error(line: Line, glimpse: _Glimpse, why: str) -> Judged:
    told = f"{line.place}: {why}"
    record = Record(glimpse.id, "error", None, glimpse.expect, told, glimpse.kind)
    encoded = _encoded(record, line)
    return Judged(line.place, len(line.data), glimpse.id or "", glimpse.kind, "error", encoded, (why,))


def show(value: Any) -> str:
    """A value as people compare it: JSON, and "nothing" for a key that the answer does not have."""
    return "nothing" if value is None else msgspec.json.encode(value).decode()


# --- many cases -----------------------------------------------------------------------------------------------------


def judge_all(
    lines: Iterable[Line], *, processes: int | None = None, work: Work = ANSWERS_ONLY, isolated: bool = False
) -> Iterator[Judged]:
    """Judges cases in their order, in a pool of processes (default: one for each core) unless there are few. With
    `isolated` no case is judged in this process, which then outlives whatever a case may do."""
    processes = processes or cores()
    chunks = _chunks(lines)
    start = list(islice(chunks, 2))
    chunks = chain(start, chunks)
    if not isolated and (processes == 1 or len(start) < 2):
        for chunk in chunks:
            yield from judge_chunk(chunk, work)
        return
    with closing(Pool(processes if len(start) > 1 else 1, work)) as pool:
        yield from _in_pool(chunks, pool)


def cores() -> int:
    """The cores that this process may use; some systems only tell how many there are."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    lines = iter(lines)
    seen = 0
    while chunk := list(islice(lines, min(max(SMALLEST_CHUNK, seen // 64), LARGEST_CHUNK))):
        seen += len(chunk)
        yield chunk


def _in_pool(chunks: Iterator[list[Line]], pool: Pool) -> Iterator[Judged]:
    """At most some chunks for each process are read ahead, and their records leave in the order of the input."""
    waiting: deque[tuple[list[Line], Future[list[Judged]]]] = deque()
    for chunk in chunks:
        waiting.append((chunk, pool.submit(chunk)))
        if len(waiting) >= pool.processes * CHUNKS_AHEAD:
            yield from pool.result(*waiting.popleft())
    while waiting:
        yield from pool.result(*waiting.popleft())


# How a chunk is lost: its process died, or had no memory left to take it or to hand over what was found.
_LOST = (BrokenProcessPool, MemoryError)


class Pool:
    """A process pool that survives the death of a worker: a chunk that was lost is judged again in a process of its
    own, and halved as long as it dies, so that only the case which kills its worker is an error. `start`: how
    processes are made (default: as this system does it)."""

    def __init__(self, processes: int, work: Work, start: str | None = None) -> None:
        self.processes = processes
        self.work = work
        self.context = get_context(start)
        self.begun = 0  # chunks whose results nobody has taken
        self.executor = self._workers(processes)

    def judge(self, lines: Iterable[Line]) -> Iterator[Judged]:
        """Judges cases in their order; the processes stay, with all that they remember."""
        return _in_pool(_chunks(lines), self)

    def submit(self, chunk: list[Line]) -> Future[list[Judged]]:
        self.begun += 1
        try:
            return self.executor.submit(judge_chunk, chunk, self.work)
        except BrokenProcessPool:
            self.executor = self._workers(self.processes)
            return self.executor.submit(judge_chunk, chunk, self.work)

    def result(self, chunk: list[Line], future: Future[list[Judged]]) -> list[Judged]:
        try:
            found = future.result()
        except _LOST:
            found = self._again(chunk)
        self.begun -= 1
        return found

    def _again(self, chunk: list[Line]) -> list[Judged]:
        with self._workers(1) as executor:
            try:
                return executor.submit(judge_chunk, chunk, self.work).result()
            except _LOST:
                pass
        if len(chunk) == 1:
            return [_error(chunk[0], _glimpse(chunk[0].data), "the process that worked on this case died")]
        half = len(chunk) // 2
        return self._again(chunk[:half]) + self._again(chunk[half:])

    def _workers(self, processes: int) -> ProcessPoolExecutor:
        told = (self.work.limits.memory, os.getpid())
        return ProcessPoolExecutor(processes, self.context, initializer=_start_worker, initargs=told)

    def close(self) -> None:
        """Nobody waits for what was begun: after an interruption it would be thrown away."""
        if self.begun:
            for worker in list((getattr(self.executor, "_processes", None) or {}).values()):
                worker.terminate()
        # Waited for: a pool that is still ending when the interpreter does complains.
        self.executor.shutdown(wait=True, cancel_futures=True)


def _start_worker(memory: int, owner: int) -> None:
    """Ctrl-C is for the owner, which then stops the pool. A worker does not outlive its owner, and where memory
    runs out it goes first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(), owner), daemon=True).start()
    with suppress(OSError, ValueError):  # just Linux has it
        Path("/proc/self/oom_score_adj").write_text("1000")
    if memory:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _end_with(parent: int, owner: int) -> None:
    """An owner that was killed cannot say so, and its workers would wait for ever. Where workers come from a server,
    that one is their parent; it waits for them in turn, so the owner is looked for by its number."""
    while os.getppid() == parent and (parent == owner or _runs(owner)):
        sleep(0.5)
    os._exit(1)


def _runs(process: int) -> bool:
    """What has ended and is not waited for yet (a zombie) runs no more."""
    with suppress(OSError):  # just Linux tells
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(errors="replace")
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        pass
    return True


def judge_chunk(chunk: list[Line], work: Work) -> list[Judged]:
    _Asked.file = work.cache
    with _clock(work.limits.seconds) as ring_after:
        return [_timed(line, work, ring_after) for line in chunk]


def _timed(line: Line, work: Work, ring_after: Callable[[float], None]) -> Judged:
    start = perf_counter()
    _Asked.last = None
    try:
        ring_after(work.limits.seconds)
        judged = judge(line, work.explain)
        ring_after(0)
    except Overtime:
        judged = _overtime(line)
    return judged._replace(seconds=perf_counter() - start, question=_Asked.last)


def _overtime(line: Line) -> Judged:
    memo.cache_clear()  # what was being made may be half made
    reason = Reason("time_limit", text="it took longer than the last resort allows")
    return _judged(line, _glimpse(line.data), Answer("unknown", because=(reason,)))


# What else runs on the machine does not count, unless a case waits for something that never comes.
PATIENCE = 10


@contextmanager
def _clock(seconds: float) -> Iterator[Callable[[float], None]]:
    """Gives what sets the clock: after so many seconds of the processor, Overtime is raised."""
    main = threading.current_thread() is threading.main_thread()
    if not (seconds and main and hasattr(signal, "setitimer")):
        yield lambda seconds: None
        return

    def ring(number: int, frame: object) -> None:
        raise Overtime

    def ring_after(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)

    before = {number: signal.signal(number, ring) for number in (signal.SIGPROF, signal.SIGALRM)}
    try:
        yield ring_after
    finally:
        ring_after(0)
        for number, handler in before.items():
            signal.signal(number, handler)


# --- the tally ------------------------------------------------------------------------------------------------------


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case whose expectation we hold to be wrong: the rule that says so, and why."""

    id: str
    rule: str
    reason: str


def read_disputed(text: str) -> dict[str, Disputed]:
    """The disputed cases by id, out of a YAML list of {id, rule, reason}. Raises ValueError."""
    import yaml

    try:
        # rule numbers such as 601.2 would be floats: scalars stay as they are written
        listed = msgspec.convert(yaml.load(text, yaml.BaseLoader) or [], list[Disputed])
    except (yaml.YAMLError, msgspec.ValidationError) as bad:
        raise ValueError(f"a list of {{id, rule, reason}} is needed: {' '.join(str(bad).split())}") from None
    return {case.id: case for case in listed}


class Distinct:
    """How many different numbers there were: exactly as long as they are not too many, then from the smallest ones
    (they are spread evenly, so their density tells), within about half a percent."""

    MOST = 50_000

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.limit = 2**64  # smaller ones are kept
        self.exact = True

    def add(self, number: int) -> None:
        if number >= self.limit:
            return
        self.kept.add(number)
        if len(self.kept) >= 2 * self.MOST:
            smallest = sorted(self.kept)[: self.MOST]
            self.limit = smallest[-1] + 1
            self.kept = set(smallest)
            self.exact = False

    def count(self) -> int:
        return round(len(self.kept) * (2**64 / self.limit))


class Tally:
    """Counts of results by kind of question, and the slowest cases. Disputed ones are counted apart, whatever their
    result."""

    def __init__(self, disputed: Mapping[str, Disputed], slowest: int = 0) -> None:
        self.disputed = disputed
        self.most_slow = slowest
        self.distinct = Distinct()
        self.asked = 0  # questions that were answered now
        self.before = 0  # cases that an interrupted audit had judged
        self.slowest: list[tuple[float, str, str]] = []  # seconds, id, kind
        self.by_kind: dict[str, Counter[str]] = {}
        self.reasons: Counter[tuple[str, str]] = Counter()  # (kind, code) of unknown answers
        self.disputed_results: dict[str, Result] = {}

    def add(self, judged: Judged, before: bool = False) -> None:
        self.before += before
        if judged.question is not None:
            self.asked += 1
            self.distinct.add(judged.question)
        if self.most_slow and not before:
            slow = (judged.seconds, judged.id or judged.place, judged.kind)
            self.slowest = nlargest(self.most_slow, [*self.slowest, slow])
        if judged.id in self.disputed:
            self.disputed_results[judged.id] = judged.result
            return
        self.by_kind.setdefault(judged.kind, Counter())[judged.result] += 1
        for code in judged.codes[:1]:
            self.reasons[judged.kind, code] += 1

    def counts(self) -> Counter[str]:
        return sum(self.by_kind.values(), Counter())

    @property
    def cases(self) -> int:
        return self.counts().total() + len(self.disputed_results)

    @property
    def failed(self) -> bool:
        """Whether something is wrong or broken."""
        counts = self.counts()
        return bool(counts["wrong"] or counts["error"])

    def summary(self) -> str:
        n = self.counts()
        parts = {"cases": self.cases, "right": n["right"], "wrong": n["wrong"], "unknown": n["unknown"]}
        return " · ".join(f"{name} {count}" for name, count in {**parts, "errors": n["error"]}.items())

    def wire(self) -> dict[str, Any]:
        counts = self.counts()
        return {
            "cases": self.cases,
            **{result: counts[result] for result in RESULTS},
            "asked": self.asked,
            "distinct": self.distinct.count(),
            "disputed": dict(self.disputed_results),
            "by_kind": {kind: dict(results) for kind, results in sorted(self.by_kind.items())},
            "unknown_because": [
                {"kind": kind, "code": code, "cases": n} for (kind, code), n in self.reasons.most_common()
            ],
        }
