"""An audit's inputs cut into blocks, which any machine of a cluster can read by itself.

    inputs -> parts to survey -> how many lines each has -> blocks, in the order of the input

A file of lines is cut at places that nobody has to look at: a block has the lines that begin in it. What cannot be
entered in the middle (compressed lines, rows of Parquet) is cut by numbers, and read up to where the block begins.
Addresses such as s3://bucket/cases.jsonl are read by pyarrow.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from ..model.situation import FormatError
from .inputs import DOCUMENTS, TABLES, WHOLE, Line, files_in, numbered, of_document, of_parquet, open_lines
from .outputs import count_rows, pyarrow_for

# The largest blocks: what is lost with a node is judged again, and a finished block is what an audit goes on behind.
MOST_BYTES = 1 << 20
LEAST_BYTES = 1 << 14
MOST_LINES, LEAST_LINES = 5_000, 100
MOST_BLOCKS_BY_NUMBER = 100  # of one file: each is read up to the block's beginning
MOST_DOCUMENTS = 100


Kind = Literal["bytes", "lines", "rows", "documents"]


class Block(msgspec.Struct, frozen=True):
    """Some cases: lines that begin in these bytes, or those with these numbers (from 0), or whole documents."""

    kind: Kind
    paths: tuple[str, ...]
    file: str = ""  # what places call it
    start: int = 0
    stop: int | None = None  # None: to the end
    line: int = 1  # of bytes: the number of the line in which they start
    number: int = 0  # among all blocks

    @property
    def path(self) -> str:
        return self.paths[0]


# --- places ---------------------------------------------------------------------------------------------------------


def is_address(path: str) -> bool:
    return "://" in path


def file_system(address: str) -> tuple[Any, str]:
    """The file system of an address and the path in it. Raises FormatError."""
    pyarrow_for(address)
    import pyarrow.fs as fs

    try:
        return fs.FileSystem.from_uri(address)
    except (ValueError, OSError) as bad:
        raise FormatError(str(bad), address) from None


def open_bytes(path: str) -> IO[bytes]:
    """A file, or what is at an address. The caller closes it."""
    if not is_address(path):
        return open(path, "rb")
    system, inner = file_system(path)
    return io.BufferedReader(system.open_input_file(inner), 1 << 20)


def looks_of(path: str) -> list[Any]:
    """A file by its place, size and date."""
    if not is_address(path):
        found = os.stat(path)
        return [str(Path(path).resolve()), found.st_size, found.st_mtime_ns]
    system, inner = file_system(path)
    about = system.get_file_info(inner)
    if not about.is_file:
        raise FormatError("no such file", path)
    return [path, about.size, about.mtime_ns]


# --- cutting --------------------------------------------------------------------------------------------------------


def surveys(inputs: Sequence[str], spread: int) -> list[Block]:
    """Parts of the inputs whose lines are to be counted. `spread`: over how many processors they are spread."""
    files = [block for path in inputs for block in _files(path, len(inputs) > 1)]
    sizes = {block.path: looks_of(block.path)[1] for block in files if block.kind != "documents"}
    each = min(MOST_BYTES, max(LEAST_BYTES, sum(sizes.values()) // (8 * spread)))
    found: list[Block] = []
    for block in files:
        if block.kind == "bytes":
            found += _cut(block, sizes[block.path], each)
        elif found and _goes_with(found[-1], block):
            found[-1] = msgspec.structs.replace(found[-1], paths=(*found[-1].paths, block.path))
        else:
            found.append(block)
    return found


def _goes_with(last: Block, block: Block) -> bool:
    return last.kind == block.kind == "documents" and last.file == block.file and len(last.paths) < MOST_DOCUMENTS


def _cut(block: Block, size: int, each: int) -> Iterator[Block]:
    n = -(-size // each)
    cuts = [size * k // n for k in range(n + 1)] if n else []
    for start, stop in pairwise(cuts):
        yield msgspec.structs.replace(block, start=start, stop=stop)


def _files(path: str, several: bool) -> Iterator[Block]:
    """Each file with what places call it; of a document its folder, which its id leaves out."""
    if is_address(path):
        yield Block(_kind(path), (path,), path if several else "")
    elif Path(path).is_dir():
        for inner in files_in(folder := Path(path).resolve(), (*DOCUMENTS, *TABLES)):
            if inner.suffix in DOCUMENTS:
                yield Block("documents", (str(inner),), path)
            else:
                yield Block(_kind(str(inner)), (str(inner),), str(Path(path) / inner.relative_to(folder)))
    elif Path(path).suffix in WHOLE:
        yield Block("documents", (str(Path(path).resolve()),), str(Path(path).parent))
    else:
        yield Block(_kind(path), (str(Path(path).resolve()),), path if several else "")


_KINDS: dict[str, Kind] = {".parquet": "rows", ".gz": "lines", ".zst": "lines"}


def _kind(path: str) -> Kind:
    return _KINDS.get(Path(path).suffix, "bytes")


def lines_in(block: Block) -> int:
    """How many lines begin here; of what breaks off, how many can be read."""
    if block.kind == "bytes":
        return sum(piece.count(b"\n") for piece in _bytes(block))
    if block.kind == "documents":
        return len(block.paths)
    n = 0
    with suppress(Exception), ExitStack() as stack:  # where it is judged, what breaks off ends in an error
        file = stack.enter_context(open_bytes(block.path))
        if block.kind == "rows":
            return count_rows(block.path, file)
        for n, _ in enumerate(stack.enter_context(open_lines(block.path, file)), 1):  # noqa: B007
            pass
    return n


def _bytes(block: Block) -> Iterator[bytes]:
    assert block.stop is not None
    with open_bytes(block.path) as file:
        file.seek(block.start)
        left = block.stop - block.start
        while left and (piece := file.read(min(left, 1 << 20))):
            left -= len(piece)
            yield piece


def blocks(surveyed: Sequence[Block], counts: Iterable[int], spread: int) -> list[Block]:
    """The blocks of an audit in the order of its input."""
    found: list[Block] = []
    path, line = "", 1
    for block, count in zip(surveyed, counts, strict=True):
        if block.kind == "bytes":
            line = line if block.path == path else 1
            path = block.path
            found.append(msgspec.structs.replace(block, line=line))
            line += count
        elif block.kind == "documents":
            found.append(block)
        else:
            found += _by_number(block, count, spread)
    return [msgspec.structs.replace(block, number=n) for n, block in enumerate(found)]


def _by_number(block: Block, count: int, spread: int) -> Iterator[Block]:
    each = max(min(count // (4 * spread), MOST_LINES), LEAST_LINES, count // MOST_BLOCKS_BY_NUMBER)
    starts = range(0, max(count, 1), each)
    for at in starts:
        yield msgspec.structs.replace(block, start=at, stop=at + each if at != starts[-1] else None)


# --- reading --------------------------------------------------------------------------------------------------------


def lines_of_block(block: Block) -> Iterator[Line]:
    """The cases of a block, with the numbers and places that they have in the whole input."""
    if block.kind == "documents":
        for path in block.paths:
            name = str(Path(path).relative_to(Path(block.file).resolve()))
            yield from of_document(Path(path), name, str(Path(block.file) / name))
        return
    with ExitStack() as stack:
        file = stack.enter_context(open_bytes(block.path))
        if block.kind == "bytes":
            yield from _lines_that_begin(file, block)
            return
        if block.kind == "rows":
            lines = of_parquet(block.path, block.file, file, block.start)
        else:
            lines = numbered(stack.enter_context(open_lines(block.path, file)), block.file)
        for line in lines:
            if block.stop is not None and line.number > block.stop:
                return
            if line.number > block.start:
                yield line


def _lines_that_begin(file: IO[bytes], block: Block) -> Iterator[Line]:
    at, number = block.start, block.line
    if at:  # the line that began before is another block's
        file.seek(at - 1)
        before = file.readline()
        at += len(before) - 1
        number += before.endswith(b"\n") and at > block.start
    assert block.stop is not None
    yield from numbered(_until(file, at, block.stop), block.file, number)


def _until(file: IO[bytes], at: int, stop: int) -> Iterator[bytes]:
    while at < stop and (data := file.readline()):
        at += len(data)
        yield data
