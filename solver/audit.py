"""Many cases, one verdict record each: the answers compared with what the cases expect.

    lines -> chunks -> a pool of processes -> records, in the order of the input

Nothing is kept but counts, so memory stays flat however long the input is. A case that cannot be read or asked gets
a record that says why, and the rest get theirs.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from heapq import nlargest
from itertools import chain, islice
from time import perf_counter
from typing import Any, Literal, NamedTuple

import msgspec

from .answer import CODES, Answer
from .compare import ExpectError, Mismatch, expected_unknown, mismatches
from .inputs import Line
from .memo import Memo

Result = Literal["right", "wrong", "unknown", "unchecked", "error"]
RESULTS: tuple[Result, ...] = ("right", "wrong", "unknown", "unchecked", "error")

# Chunks grow with the input: short files spread over all processes, long ones cost few messages.
SMALLEST_CHUNK, LARGEST_CHUNK = 8, 256
CHUNKS_AHEAD = 3  # for each process, waiting or being worked on


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A verdict record as format.md has it. An error has the number of its line, too."""

    id: str | None
    result: Result
    answer: dict[str, Any] | None = None
    expect: dict[str, Any] | None = None
    error: str | None = None
    line: int | None = None


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


# --- one case -------------------------------------------------------------------------------------------------------


def judge(line: Line, explain: bool = False) -> Judged:
    """The verdict on one case. Whatever is wrong with it becomes an error record with the reason and the line."""
    from ..model.situation import FormatError, read_case

    if line.error:
        return _error(line, _Glimpse(), line.error)
    try:
        case = read_case(line.data)
        answer = ask(case.situation, case.query, explain=explain)
        expect = None if case.expect is msgspec.UNSET else case.expect
        return _judged(line, _Glimpse(case.id, case.query.kind, expect), answer)
    except (FormatError, ExpectError) as bad:
        return _error(line, _glimpse(line.data), str(bad))
    except Exception as fault:  # one broken case never takes the others with it
        return _error(line, _glimpse(line.data), f"a fault of lawmage itself: {type(fault).__name__}: {fault}")


def _judged(line: Line, case: _Glimpse, answer: Answer) -> Judged:
    wrong = mismatches(case.expect, answer) if case.expect is not None else []
    result = _result(case.expect, answer, bool(wrong))
    record = msgspec.json.encode(Record(case.id, result, answer.wire(), case.expect))
    codes = tuple(dict.fromkeys(reason.code for reason in answer.because)) if result == "unknown" else ()
    details = _details(result, answer, wrong)
    return Judged(line.place, len(line.data), case.id or "", case.kind, result, record, details, codes)


def _details(result: Result, answer: Answer, wrong: list[Mismatch]) -> tuple[str, ...]:
    reasons = [reason.text or CODES.get(reason.code, reason.code) for reason in answer.because[:3]]
    if result == "unknown":
        return (*reasons, *(f"not understood: {unread.card}, line {unread.line}" for unread in answer.unread))
    if result == "wrong":
        compared = [f"{key}: expected {show(wanted)}, got {show(actual)}" for key, wanted, actual in wrong]
        return (*compared, *(f"because {reason}" for reason in reasons))
    return ()


@cache
def memo() -> Memo:
    """What this process remembers, with the library in use."""
    from ..model.cards import default_library

    return Memo(default_library())


def ask(situation: Any, query: Any, *, explain: bool) -> Answer:
    """The answer to one question about a situation; a question that was asked before is not solved again."""
    return memo().ask(situation, query, explain)


def _result(expect: Mapping[str, Any] | None, answer: Answer, differs: bool) -> Result:
    if expect is None:
        return "unchecked"
    if answer.verdict == "unknown" and not expected_unknown(expect):
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
    record = Record(glimpse.id, "error", expect=glimpse.expect, error=f"{line.place}: {why}", line=line.number)
    encoded = msgspec.json.encode(record)
    return Judged(line.place, len(line.data), glimpse.id or "", glimpse.kind, "error", encoded, (why,))


def show(value: Any) -> str:
    """A value as people compare it: JSON, and "nothing" for a key that the answer does not have."""
    return "nothing" if value is None else msgspec.json.encode(value).decode()


# --- many cases -----------------------------------------------------------------------------------------------------


def judge_all(lines: Iterable[Line], *, processes: int | None = None, explain: bool = False) -> Iterator[Judged]:
    """Judges cases in their order, in a pool of processes (default: one for each core) unless there are few."""
    processes = processes or cores()
    chunks = _chunks(lines)
    start = list(islice(chunks, 2))
    chunks = chain(start, chunks)
    if processes == 1 or len(start) < 2:
        for chunk in chunks:
            yield from _judge_chunk(chunk, explain)
    else:
        yield from _in_pool(chunks, processes, explain)


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


def _in_pool(chunks: Iterator[list[Line]], processes: int, explain: bool) -> Iterator[Judged]:
    """At most some chunks for each process are read ahead, and their records leave in the order of the input."""
    pool = _Pool(processes, explain)
    waiting: deque[tuple[list[Line], Future[list[Judged]]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, pool.submit(chunk)))
            if len(waiting) >= processes * CHUNKS_AHEAD:
                yield from pool.result(*waiting.popleft())
        while waiting:
            yield from pool.result(*waiting.popleft())
    finally:
        pool.close()


class _Pool:
    """A process pool that survives the death of a worker: a chunk that was lost is judged again in a process of its
    own, and halved as long as it dies, so that only the case which kills its worker is an error."""

    def __init__(self, processes: int, explain: bool) -> None:
        self.processes = processes
        self.explain = explain
        self.executor = _workers(processes)

    def submit(self, chunk: list[Line]) -> Future[list[Judged]]:
        try:
            return self.executor.submit(_judge_chunk, chunk, self.explain)
        except BrokenProcessPool:
            self.executor = _workers(self.processes)
            return self.executor.submit(_judge_chunk, chunk, self.explain)

    def result(self, chunk: list[Line], future: Future[list[Judged]]) -> list[Judged]:
        try:
            return future.result()
        except BrokenProcessPool:
            return self._again(chunk)

    def _again(self, chunk: list[Line]) -> list[Judged]:
        with _workers(1) as executor:
            try:
                return executor.submit(_judge_chunk, chunk, self.explain).result()
            except BrokenProcessPool:
                pass
        if len(chunk) == 1:
            return [_error(chunk[0], _glimpse(chunk[0].data), "the process that worked on this case died")]
        half = len(chunk) // 2
        return self._again(chunk[:half]) + self._again(chunk[half:])

    def close(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)


def _workers(processes: int) -> Executor:
    return ProcessPoolExecutor(processes, initializer=_quiet_worker)


def _quiet_worker() -> None:
    """Ctrl-C is for the parent, which then stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_chunk(chunk: list[Line], explain: bool) -> list[Judged]:
    return [_timed(line, explain) for line in chunk]


def _timed(line: Line, explain: bool) -> Judged:
    start = perf_counter()
    return judge(line, explain)._replace(seconds=perf_counter() - start)


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


class Tally:
    """Counts of results by kind of question, and the slowest cases. Disputed ones are counted apart, whatever their
    result."""

    def __init__(self, disputed: Mapping[str, Disputed], slowest: int = 0) -> None:
        self.disputed = disputed
        self.most_slow = slowest
        self.slowest: list[tuple[float, str, str]] = []  # seconds, id, kind
        self.by_kind: dict[str, Counter[str]] = {}
        self.reasons: Counter[tuple[str, str]] = Counter()  # (kind, code) of unknown answers
        self.disputed_results: dict[str, Result] = {}

    def add(self, judged: Judged) -> None:
        if self.most_slow:
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
            "disputed": dict(self.disputed_results),
            "by_kind": {kind: dict(results) for kind, results in sorted(self.by_kind.items())},
            "unknown_because": [
                {"kind": kind, "code": code, "cases": n} for (kind, code), n in self.reasons.most_common()
            ],
        }
