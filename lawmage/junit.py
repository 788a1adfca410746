"""A JUnit report of an audit: what is wrong fails, what is broken is an error, what is unknown or disputed is skipped.

The counts stand at the beginning of the file, so the cases are kept in a temporary file until all are there.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Protocol
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from .solver.audit import Judged

_TAGS = {"wrong": "failure", "error": "error", "unknown": "skipped"}


class Report(Protocol):
    def add(self, judged: Judged, disputed: bool) -> None: ...
    def finish(self) -> None: ...
    def close(self) -> None: ...


def open_report(path: str | None) -> Report:
    return _Nothing() if path is None else _File(Path(path))


class _Nothing:
    def add(self, judged: Judged, disputed: bool) -> None:
        pass

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class _File:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"")  # what cannot be written is told before the work
        self.cases = TemporaryFile()  # noqa: SIM115 (closed by close)
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def add(self, judged: Judged, disputed: bool) -> None:
        tag = "skipped" if disputed and judged.result != "right" else _TAGS.get(judged.result, "")
        self.counts[tag] += 1
        self.seconds += judged.seconds
        self.cases.write(_case(judged, tag).encode("utf-8", "xmlcharrefreplace"))

    def finish(self) -> None:
        self.cases.seek(0)
        with self.path.open("wb") as file:
            file.write(self._head().encode())
            shutil.copyfileobj(self.cases, file)
            file.write(b"</testsuite></testsuites>\n")

    def _head(self) -> str:
        n = self.counts
        counts = f'tests="{n.total()}" failures="{n["failure"]}" errors="{n["error"]}" skipped="{n["skipped"]}"'
        suite = f'{counts} time="{self.seconds:.3f}"'
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {suite}><testsuite name="lawmage" {suite}>\n'

    def close(self) -> None:
        self.cases.close()


def _case(judged: Judged, tag: str) -> str:
    name = _printable(judged.id or judged.place)
    opened = f"<testcase classname={quoteattr(_printable(judged.kind))} name={quoteattr(name)}"
    opened += f' time="{judged.seconds:.3f}"'
    if not tag:
        return f"{opened}/>\n"
    details = [_printable(detail) for detail in judged.details] or [judged.result]
    text = escape("\n".join([judged.place, *details]))
    return f"{opened}><{tag} message={quoteattr(details[0])}>{text}</{tag}></testcase>\n"


def _printable(text: str) -> str:
    """XML 1.0 has no control characters, not even escaped."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)
