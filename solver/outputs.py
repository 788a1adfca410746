"""Where verdict records go: a file that an interrupted audit goes on with, so that it has each case exactly once.

Records are appended in the order of the input, each in one write. Beside an unfinished output stands a journal that
says which audit is writing it. Started again, the same audit takes the whole records that are there as done, cuts off
a torn one and goes on behind them; another audit begins anew. Parquet cannot be appended to: its records are
collected as lines and packed at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from ..model.situation import FormatError

UNFINISHED = ".unfinished"
_ROWS_AT_A_TIME = 10_000


class Output(Protocol):
    """What takes records. `before` are those of an earlier start; `finish` says that all are there."""

    def before(self) -> Iterator[bytes]: ...
    def write(self, record: bytes) -> None: ...
    def finish(self) -> None: ...
    def close(self) -> None: ...


def open_output(path: str | None, about: Any) -> Output:
    """The output of the audit that `about` describes (JSON-ready data). Raises OSError and FormatError."""
    if path is None:
        return _Nowhere()
    if path == "-" or (Path(path).exists() and not Path(path).is_file()):
        return _Stream(os.dup(1) if path == "-" else os.open(path, os.O_WRONLY))
    if Path(path).suffix == ".parquet":
        pyarrow_for(path)
        return _ParquetFile(Path(path), about)
    return _LinesFile(Path(path), Path(path), about)


def _write_all(fd: int, data: bytes) -> None:
    """Nothing is buffered: what was written stays there when this process is killed."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


class _Nowhere:
    def before(self) -> Iterator[bytes]:
        return iter(())

    def write(self, record: bytes) -> None:
        pass

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Stream(_Nowhere):
    """A pipe or a device: it cannot be gone on with."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def write(self, record: bytes) -> None:
        _write_all(self.fd, record + b"\n")

    def close(self) -> None:
        os.close(self.fd)


class _LinesFile:
    """Records as lines of `records`; the journal stands beside `path`."""

    def __init__(self, path: Path, records: Path, about: Any) -> None:
        self.path = path
        self.records = records
        self.journal = path.with_name(path.name + UNFINISHED)
        self.lock = locked(self.journal, str(path))
        self.fd = -1
        try:
            self._open(msgspec.json.encode(about))
        except BaseException:
            self.close()
            raise

    def _open(self, about: bytes) -> None:
        same = os.pread(self.lock, len(about) + 1, 0) == about
        self.fd = os.open(self.records, os.O_RDWR | os.O_CREAT, 0o666)
        self.size = _whole_lines(self.fd) if same else 0
        if not same:
            # In this order: whenever this stops, no journal says that old records belong to this audit.
            os.ftruncate(self.lock, 0)
            os.ftruncate(self.fd, 0)
            _write_all(self.lock, about)
        os.ftruncate(self.fd, self.size)
        os.lseek(self.fd, 0, os.SEEK_END)

    def before(self) -> Iterator[bytes]:
        left = self.size
        with open(self.records, "rb") as file:
            while left > 0:
                line = file.readline()
                left -= len(line)
                yield line

    def write(self, record: bytes) -> None:
        _write_all(self.fd, record + b"\n")

    def finish(self) -> None:
        os.fsync(self.fd)
        self.journal.unlink(missing_ok=True)

    def close(self) -> None:
        for fd in (self.fd, self.lock):
            if fd >= 0:
                with suppress(OSError):
                    os.close(fd)
        self.fd = self.lock = -1


def locked(journal: Path, output: str) -> int:
    """The open journal, which no other audit writes at the same time."""
    fd = os.open(journal, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        import fcntl
    except ImportError:  # not on this system
        return fd
    try:
        # Not flock: workers would inherit that one, and hold it for a moment longer than an audit that was killed.
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise FormatError("another audit is writing this output", output) from None
    return fd


def _whole_lines(fd: int) -> int:
    """The size of a file without the torn line at its end."""
    size = os.fstat(fd).st_size
    while size:
        start = max(0, size - 65_536)
        found = os.pread(fd, size - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        size = start
    return 0


# --- Parquet --------------------------------------------------------------------------------------------------------


def pyarrow_for(path: str) -> Any:
    """pyarrow, which this path needs. Raises FormatError."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise FormatError('Parquet needs pyarrow: install "lawmage[parquet]"', path) from None
    return pyarrow


class _ParquetFile(_LinesFile):
    """One row for each record; the answer and what was expected are JSON in text."""

    def __init__(self, path: Path, about: Any) -> None:
        super().__init__(path, path.with_name(f"{path.name}{UNFINISHED}.jsonl"), about)

    def finish(self) -> None:
        packed = self.path.with_name(f"{self.path.name}{UNFINISHED}.packed")
        self.size = os.fstat(self.fd).st_size
        pack(self.before(), packed)
        os.replace(packed, self.path)
        super().finish()
        self.records.unlink(missing_ok=True)


_COLUMNS = ("id", "result", "kind", "verdict", "answer", "expect", "error", "file")


def pack(records: Iterable[bytes], path: Path) -> None:
    """Writes records as rows."""
    arrow = pyarrow_for(str(path))
    schema = arrow.schema([*((name, arrow.string()) for name in _COLUMNS), ("line", arrow.int64())])
    rows: list[dict[str, Any]] = []
    with arrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for record in records:
            rows.append(_row(record))
            if len(rows) >= _ROWS_AT_A_TIME:
                writer.write_table(arrow.Table.from_pylist(rows, schema))
                rows.clear()
        writer.write_table(arrow.Table.from_pylist(rows, schema))


def _row(record: bytes) -> dict[str, Any]:
    found = msgspec.json.decode(record)
    answer, expect = found.get("answer"), found.get("expect")
    return {
        **{key: found.get(key) for key in ("id", "result", "kind", "error", "line", "file")},
        "verdict": answer["verdict"] if answer else None,
        "answer": None if answer is None else msgspec.json.encode(answer).decode(),
        "expect": None if expect is None else msgspec.json.encode(expect).decode(),
    }


def rows_of(path: str, source: IO[bytes] | None = None, start: int = 0) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file behind the first `start`, a batch at a time; `source`: the file, where it is open."""
    pyarrow_for(path)
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(source or path) as file:
            groups, start = _behind(start, [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)])
            for batch in file.iter_batches(_ROWS_AT_A_TIME // 10, row_groups=groups):
                if batch.num_rows > start:
                    yield from batch.slice(start).to_pylist()
                start = max(0, start - batch.num_rows)
    except ValueError as bad:  # what pyarrow raises for files that are not Parquet
        raise FormatError(str(bad), path) from None


def _behind(start: int, sizes: list[int]) -> tuple[list[int], int]:
    """The row groups from the one in which that row is, and how many rows of it stand before."""
    for n, size in enumerate(sizes):
        if start < size:
            return list(range(n, len(sizes))), start
        start -= size
    return [], 0


def count_rows(path: str, source: IO[bytes]) -> int:
    """How many rows a Parquet file has."""
    pyarrow_for(path)
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(source) as file:
        return file.metadata.num_rows
