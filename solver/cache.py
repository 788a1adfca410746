"""Answers that outlast a run: a file of answers by the canonical form of their questions.

An answer counts only for the library and the program that found it: both are part of every key, and answers of others
are thrown away. Nothing that goes wrong with the file can do more than make questions be solved again.
"""

from __future__ import annotations

import sqlite3
from functools import cache
from hashlib import blake2b
from pathlib import Path

_CHECK = 8  # bytes of an answer's own print, which tell when the file is damaged
_PROGRAM = ("*.py", "*.peg", "*.txt")


class Store:
    """A file of answers, which several processes may use at once. `about` is what all of them rest on."""

    def __init__(self, path: Path | str, about: bytes) -> None:
        self.about = about
        self.database: sqlite3.Connection | None = None
        try:
            self.database = sqlite3.connect(path, timeout=10, isolation_level=None)
            self._prepare(self.database)
        except sqlite3.Error:
            self.close()

    def _prepare(self, database: sqlite3.Connection) -> None:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID")
        database.execute("CREATE TABLE IF NOT EXISTS about (one INTEGER PRIMARY KEY, about BLOB)")
        database.execute("BEGIN IMMEDIATE")
        if database.execute("SELECT about FROM about").fetchone() != (self.about,):
            database.execute("DELETE FROM answers")
            database.execute("INSERT OR REPLACE INTO about VALUES (1, ?)", (self.about,))
        database.execute("COMMIT")

    def get(self, key: bytes) -> bytes | None:
        """The answer of that key, as it was put."""
        if self.database is None:
            return None
        try:
            row = self.database.execute("SELECT answer FROM answers WHERE key = ?", (self._whole(key),)).fetchone()
        except sqlite3.Error:
            self.close()
            return None
        if row is None or not isinstance(row[0], bytes):
            return None
        check, answer = row[0][:_CHECK], row[0][_CHECK:]
        return answer if check == _short_print(answer) else None

    def put(self, key: bytes, answer: bytes) -> None:
        if self.database is None:
            return
        try:
            row = (self._whole(key), _short_print(answer) + answer)
            self.database.execute("INSERT OR IGNORE INTO answers VALUES (?, ?)", row)
        except sqlite3.Error:  # a full disk, or a file that somebody else has damaged
            self.close()

    def _whole(self, key: bytes) -> bytes:
        return blake2b(key, key=self.about, digest_size=16).digest()

    def close(self) -> None:
        if self.database is not None:
            self.database.close()
            self.database = None


def _short_print(answer: bytes) -> bytes:
    return blake2b(answer, digest_size=_CHECK).digest()


@cache
def program_print() -> bytes:
    """What tells this program and the card library in use from all others: the bytes of both."""
    from ..model.cards import library_path

    versions = " ".join(_version(package) for package in ("lawmage", "ortools"))
    found = blake2b(versions.encode(), digest_size=32)
    for file in [library_path(), *_program_files()]:
        found.update(f"{file.name} {file.stat().st_size}".encode())
        found.update(file.read_bytes())
    return found.digest()


def _program_files() -> list[Path]:
    """The files of the two rooms that answers come from."""
    solver = Path(__file__).resolve().parent
    from .. import model

    rooms = [solver, Path(str(model.__file__)).resolve().parent]
    return sorted({file for room in rooms for pattern in _PROGRAM for file in room.rglob(pattern)})


def _version(package: str) -> str:
    """The version of the program, and of the solver, whose best plans may differ from one to the next."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
