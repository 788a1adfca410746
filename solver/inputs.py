"""Where cases come from: JSON Lines (also compressed), Parquet, standard input, and folders of documents.

Every source becomes lines, one JSON object each, so that all of them are judged alike. Sources are opened before the
first case is judged; what they hold is read as it is needed.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from ..model.documents import load
from ..model.situation import FormatError

DOCUMENTS = (".yaml", ".yml", ".json")
WHOLE = (".yaml", ".yml")  # also where they are named themselves; a file .json may have cases in lines
# What else is read in a folder. Names that begin with _ or . are of those who write the folder.
TABLES = (".jsonl", ".ndjson", ".gz", ".zst", ".parquet")


class Line(NamedTuple):
    """One case as text: its number, from 1, and (where there are several inputs) its file. `error` says why there is
    no case to read."""

    number: int
    data: bytes
    file: str = ""
    error: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}" if self.file else f"line {self.number}"


def lines_of(inputs: list[str], stack: ExitStack) -> Iterator[Line]:
    """The cases of all inputs, which stay open as long as the stack does. Raises OSError for what cannot be opened."""
    several = len(inputs) > 1
    sources = [_opened(path, path if several else "", stack) for path in inputs]
    return (line for source in sources for line in source)


def _opened(path: str, file: str, stack: ExitStack) -> Iterable[Line]:
    if path == "-":
        return numbered(sys.stdin.buffer, file)
    if Path(path).is_dir():
        return of_folder(Path(path))
    if Path(path).suffix in WHOLE:
        stack.enter_context(_open_plain(path))
        return of_document(Path(path), Path(path).name, path)
    if Path(path).suffix == ".parquet":
        stack.enter_context(_open_plain(path))  # what cannot be opened is told now
        return of_parquet(path, file)
    return numbered(stack.enter_context(open_lines(path)), file)


def open_lines(path: str, file: IO[bytes] | None = None) -> IO[bytes]:
    """A file of lines, decompressed; `file`: what is open already, where the path is no path of this machine."""
    return _OPENERS.get(Path(path).suffix, _open_plain)(file or path)


def _open_plain(source: str | IO[bytes]) -> IO[bytes]:
    return open(source, "rb") if isinstance(source, str) else source  # the caller closes it


def _open_gzip(source: str | IO[bytes]) -> IO[bytes]:
    return gzip.open(source, "rb")  # pyright: ignore[reportReturnType]


def _open_zstd(source: str | IO[bytes]) -> IO[bytes]:
    """Python has this from 3.14 on; for older ones there is a package."""
    try:
        from compression import zstd  # pyright: ignore[reportMissingImports]
    except ImportError:
        return _open_zstandard(source)
    return zstd.open(source, "rb")


def _open_zstandard(source: str | IO[bytes]) -> IO[bytes]:
    try:
        import zstandard  # pyright: ignore[reportMissingImports]
    except ImportError:
        needed = 'reading .zst needs Python 3.14 or zstandard: install "lawmage[zstd]"'
        raise FormatError(needed, source if isinstance(source, str) else "") from None
    # Its reader has no lines of its own; a file may hold several frames, as `cat` makes them.
    reader = zstandard.ZstdDecompressor().stream_reader(_open_plain(source), read_across_frames=True)
    return io.BufferedReader(reader, 1 << 16)


_OPENERS: dict[str, Callable[[str | IO[bytes]], IO[bytes]]] = {".gz": _open_gzip, ".zst": _open_zstd}


_MARK = b"\xef\xbb\xbf"  # of byte order, as Windows writes it


def numbered(stream: Iterable[bytes], file: str = "", first: int = 1) -> Iterator[Line]:
    """The lines of a stream with their numbers, from that of the `first`; empty ones are no cases. A stream that
    breaks off ends in an error."""
    number = first - 1
    try:
        for number, data in enumerate(stream, first):
            if number == 1:
                data = data.removeprefix(_MARK)
                if data.lstrip().startswith(b"["):
                    yield Line(
                        1, b"", file, "a list, where each case stands on a line of its own (jq -c '.[]' makes it so)"
                    )
                    continue
            if data and not data.isspace():
                yield Line(number, data, file)
    except Exception as broken:  # OSError, EOFError, ValueError, or what the zstd package has of its own
        yield Line(number + 1, b"", file, f"the input breaks off here: {broken}")


def records_of(inputs: list[str], stack: ExitStack) -> Iterator[bytes]:
    """The verdict records of these files, as lines of JSON."""
    return (record for path in inputs for record in _records(path, stack))


def _records(path: str, stack: ExitStack) -> Iterator[bytes]:
    if Path(path).is_dir():  # of parts
        for part in files_in(Path(path), TABLES):
            yield from _records(str(part), stack)
        return
    if Path(path).suffix != ".parquet":
        yield from sys.stdin.buffer if path == "-" else stack.enter_context(open_lines(path))
        return
    from .outputs import rows_of

    for row in rows_of(path):
        parts = {key: msgspec.Raw(row[key].encode()) for key in ("answer", "expect") if row.get(key)}
        keys = ("id", "result", "error", "kind", "line", "file")
        rest = {key: row[key] for key in keys if row.get(key) is not None}
        yield msgspec.json.encode({**rest, **parts})


# --- Parquet --------------------------------------------------------------------------------------------------------

# Columns of a case that hold JSON in text, or structures.
_OF_CASE = ("id", "situation", "query", "expect", "source", "note", "rule", "sure")


def of_parquet(path: str, file: str, source: IO[bytes] | None = None, start: int = 0) -> Iterator[Line]:
    """A case for each row: the column `case` with its JSON, or a column for each of its keys; others are remarks."""
    from .outputs import rows_of

    number = start
    try:
        for number, row in enumerate(rows_of(path, source, start), start + 1):
            yield _of_row(number, row, file)
    except Exception as broken:  # a damaged file raises whatever pyarrow likes
        yield Line(number + 1, b"", file, f"the input breaks off here: {broken}")


def _of_row(number: int, row: dict[str, Any], file: str) -> Line:
    whole = row.get("case")
    try:
        if isinstance(whole, str | bytes):
            return Line(number, whole.encode() if isinstance(whole, str) else whole, file)
        parts = whole if isinstance(whole, dict) else {key: row[key] for key in _OF_CASE if key in row}
        case = {key: _part(key, value) for key, value in parts.items() if value is not None}
        return Line(number, msgspec.json.encode(case), file)
    except (msgspec.DecodeError, TypeError, UnicodeError) as bad:
        return Line(number, b"", file, f"a row that is no case: {bad}")


def _part(key: str, value: Any) -> Any:
    if key in ("situation", "query", "expect") and isinstance(value, str):
        return msgspec.json.decode(value)
    return _without_nulls(value)


def _without_nulls(value: Any) -> Any:
    """Structures of Parquet have every key in every row; where one has no value it was not written. Only of the
    priority can that not be told, since nobody may have it."""
    if isinstance(value, dict):
        if "step" in value and value.get("priority", "") is None:
            raise TypeError("turn.priority is null: whether nobody has priority can only be told in JSON text")
        return {key: _without_nulls(part) for key, part in value.items() if part is not None}
    return [_without_nulls(part) for part in value] if isinstance(value, list) else value


# --- folders of documents -------------------------------------------------------------------------------------------


def files_in(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The files of these kinds below a folder, in the order of their paths."""
    found = sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p.is_file())
    return [p for p in found if p.suffix in DOCUMENTS or not _is_of_the_folder(p.relative_to(folder))]


def _is_of_the_folder(path: Path) -> bool:
    return any(part[0] in "._" for part in path.parts)


def of_folder(folder: Path) -> Iterator[Line]:
    """A case for each question of each document, and each case of each file of lines or rows."""
    for path in files_in(folder, (*DOCUMENTS, *TABLES)):
        if path.suffix in DOCUMENTS:
            yield from of_document(path, str(path.relative_to(folder)), str(path))
        elif path.suffix == ".parquet":
            yield from of_parquet(str(path), str(path))
        else:
            with open_lines(str(path)) as stream:
                yield from numbered(stream, str(path))


def of_document(path: Path, name: str, file: str) -> Iterator[Line]:
    """The id of a case is that of the document, or the document's path; with several questions, their number too."""
    try:
        document = load(path.read_text("utf-8"), name)[0]
        if not isinstance(document, dict) or not isinstance(document.get("queries", []), list):
            raise FormatError("a mapping with situation and query is needed", name)
        rest = {key: part for key, part in document.items() if key not in ("query", "queries")}
        whole = {"id": name, **(rest if "situation" in rest else {"situation": rest})}
        queries = document.get("queries") or [document.get("query")]
        for number, query in enumerate(queries, 1):
            id_ = f"{whole['id']}#{number}" if "queries" in document else whole["id"]
            yield Line(number, msgspec.json.encode({**whole, "id": id_, "query": query}), file)
    except (FormatError, OSError, UnicodeDecodeError) as bad:
        yield Line(1, b"", file, str(bad))
