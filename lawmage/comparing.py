"""What has changed from one audit to the next: verdict records of both, case by case.

Of the earlier records a few bytes are kept for each case, so a million of them take some hundred megabytes. Witnesses
(plans, and reasons in words) are not compared: of several good ones either may be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

# Of an answer: ways to do it, and what it says about itself.
_WITNESSES = frozenset({"verdict", "plan", "witnesses", "how", "because", "rules", "unread", "after"})


class _Kept(NamedTuple):
    """What is kept of an earlier record."""

    result: str
    verdict: str
    values: bytes


class Change(NamedTuple):
    """How a case differs from what it was: its result (`right → wrong`) or its answer (`yes → no`)."""

    table: str
    name: str


class Earlier:
    """The records of an earlier audit. A case is found by its id, or where it has none by its line; of several with
    one id the first is the first again."""

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self.kept: dict[bytes, _Kept] = {}
        self.seen: Counter[bytes] = Counter()
        self.texts: dict[str, str] = {}
        for record in records:
            self.kept[self._key(record)] = self._keep(record)
        self.seen.clear()

    def changes(self, record: Mapping[str, Any]) -> Iterator[Change]:
        """How this record differs from the one of the same case."""
        before, now = self.kept.pop(self._key(record), None), self._keep(record)
        if before is None:
            yield Change("by_change", f"new: {now.result}")
            return
        if before.result != now.result:
            yield Change("by_change", f"{before.result} → {now.result}")
        if before.verdict != now.verdict:
            yield Change("by_answer", f"{before.verdict} → {now.verdict}")
        elif before.values != now.values:
            yield Change("by_answer", f"{now.verdict}, with other values")

    def gone(self) -> Counter[str]:
        """The results of those cases that are not there any more."""
        return Counter(kept.result for kept in self.kept.values())

    def _key(self, record: Mapping[str, Any]) -> bytes:
        case = record.get("id") or [record.get("file"), record.get("line")]
        name = blake2b(msgspec.json.encode(case), digest_size=12).digest()
        self.seen[name] += 1
        return name + self.seen[name].to_bytes(4, "big") if self.seen[name] > 1 else name

    def _keep(self, record: Mapping[str, Any]) -> _Kept:
        answer = record.get("answer") or {}
        values = {key: _unordered(part) for key, part in answer.items() if key not in _WITNESSES}
        result, verdict = str(record.get("result")), str(answer.get("verdict", "error"))
        digest = blake2b(msgspec.json.encode(values, order="sorted"), digest_size=8).digest() if values else b""
        return _Kept(self.texts.setdefault(result, result), self.texts.setdefault(verdict, verdict), digest)


def _unordered(value: Any) -> Any:
    """The value without the order of its lists."""
    if isinstance(value, dict):
        return {key: _unordered(part) for key, part in value.items()}
    return sorted(map(_unordered, value), key=repr) if isinstance(value, list) else value
