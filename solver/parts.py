"""A folder of parts, which many machines write: a part for each block, whole or not there.

Beside the parts of an unfinished audit stands a journal that says which audit is writing them, as beside a single
output (outputs.py); started again, the same audit makes the parts that are missing. A part is written under another
name and then moved, so two that make the same one at once do no harm. Parts in the order of their names are the whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import msgspec

from ..model.situation import FormatError
from .blocks import file_system, is_address
from .inputs import records_of
from .outputs import locked, pack, pyarrow_for

JOURNAL = "_unfinished.json"
LOCK = "_lock"
ASIDE = "_part-"  # parts that are being written; what is left of them goes at the end


class Folder(msgspec.Struct, frozen=True):
    """Where parts are: a folder of this machine, or an address such as s3://bucket/verdicts."""

    path: str

    @property
    def suffix(self) -> str:
        return ".parquet" if self.path.endswith(".parquet") else ".jsonl"

    def part(self, number: int) -> str:
        return f"part-{number:06}{self.suffix}"

    def names(self) -> list[str]:
        if not is_address(self.path):
            return sorted(os.listdir(self.path)) if os.path.isdir(self.path) else []
        system, inner = file_system(self.path)
        from pyarrow.fs import FileSelector

        return sorted(info.base_name for info in system.get_file_info(FileSelector(inner, allow_not_found=True)))

    def make(self) -> None:
        if is_address(self.path):
            system, inner = file_system(self.path)
            system.create_dir(inner)
        else:
            os.makedirs(self.path, exist_ok=True)

    def read(self, name: str) -> bytes | None:
        """What is in a file of the folder; None where there is no such file."""
        if not is_address(self.path):
            path = Path(self.path, name)
            return path.read_bytes() if path.exists() else None
        system, inner = file_system(self.path)
        if not system.get_file_info(f"{inner}/{name}").is_file:
            return None
        with system.open_input_stream(f"{inner}/{name}") as file:
            return file.read()

    def put(self, name: str, source: Path) -> None:
        """Puts a file into the folder, whole or not at all."""
        if not is_address(self.path):
            os.replace(source, Path(self.path, name))
            return
        system, inner = file_system(self.path)
        # Of a store of objects this is all: what is not closed is not there. A file system needs the move.
        aside = f"{inner}/_{name}.{uuid4().hex}"
        with source.open("rb") as whole, system.open_output_stream(aside) as out:
            while piece := whole.read(1 << 20):
                out.write(piece)
        system.move(aside, f"{inner}/{name}")

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            if is_address(self.path):
                system, inner = file_system(self.path)
                system.delete_file(f"{inner}/{name}")
            else:
                Path(self.path, name).unlink(missing_ok=True)


# --- one part -------------------------------------------------------------------------------------------------------


def records_in(folder: Folder, name: str) -> list[bytes] | None:
    """The records of a part; None where it is not there."""
    data = folder.read(name)
    if data is None:
        return None
    if folder.suffix == ".jsonl":
        return data.splitlines(keepends=True)
    from contextlib import ExitStack

    with TemporaryDirectory() as aside, ExitStack() as stack:
        Path(aside, name).write_bytes(data)
        return list(records_of([str(Path(aside, name))], stack))


def write_part(folder: Folder, name: str, records: Iterable[bytes]) -> None:
    """Writes records as they come, and then moves the part to where it belongs."""
    local = not is_address(folder.path)
    with TemporaryDirectory() as elsewhere:
        path = Path(folder.path, f"_{name}.{uuid4().hex}") if local else Path(elsewhere, name)
        try:
            if folder.suffix == ".parquet":
                pack(records, path)
            else:
                with path.open("wb") as file:
                    file.writelines(record + b"\n" for record in records)
                    file.flush()
                    os.fsync(file.fileno())
            folder.put(name, path)
        finally:
            path.unlink(missing_ok=True)


# --- the whole ------------------------------------------------------------------------------------------------------


class Journal(msgspec.Struct, frozen=True):
    about: Any
    spread: int  # how the blocks were cut


class Parts:
    """The folder of one audit while it runs, for the one who started it."""

    def __init__(self, path: str, about: Any, spread: int) -> None:
        self.folder = Folder(path if is_address(path) else str(Path(path).resolve()))
        if self.folder.suffix == ".parquet":
            pyarrow_for(path)
        _spare_others(self.folder, path)
        self.folder.make()
        self.lock = -1 if is_address(path) else locked(Path(self.folder.path, LOCK), path)
        before = _journal(self.folder)
        if before is not None and msgspec.json.encode(before.about) == msgspec.json.encode(about):
            self.spread = before.spread
            return
        # In this order: whenever this stops, no journal says that old parts belong to this audit.
        names = self.folder.names()
        self.folder.remove(name for name in names if name == JOURNAL)
        self.folder.remove(name for name in names if name.startswith("part-"))
        self.spread = spread
        self._write(Journal(about, spread))

    def _write(self, journal: Journal) -> None:
        with TemporaryDirectory() as aside:
            path = Path(aside, JOURNAL)
            path.write_bytes(msgspec.json.encode(journal))
            if is_address(self.folder.path):
                self.folder.put(JOURNAL, path)
            else:
                Path(self.folder.path, JOURNAL).write_bytes(path.read_bytes())

    def finish(self) -> None:
        self.folder.remove(name for name in self.folder.names() if name.startswith(ASIDE))
        self.folder.remove([JOURNAL])

    def close(self) -> None:
        if self.lock >= 0:
            with suppress(OSError):
                Path(self.folder.path, LOCK).unlink(missing_ok=True)
                os.close(self.lock)
            self.lock = -1


def _journal(folder: Folder) -> Journal | None:
    written = folder.read(JOURNAL)
    try:
        return None if written is None else msgspec.json.decode(written, type=Journal)
    except msgspec.MsgspecError:
        return None  # torn


def _spare_others(folder: Folder, path: str) -> None:
    """Beginning anew removes old parts, so nothing else may be among them."""
    if not is_address(path) and os.path.exists(path) and not os.path.isdir(path):
        raise FormatError("with --ray the output is a folder of parts, and this is a file", path)
    for name in folder.names():
        if not name.startswith(("_", ".", "part-")):
            raise FormatError(f"the folder has something else in it: {name}", path)
