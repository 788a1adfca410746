"""Records → cards → the library file: every distinct text compiled once, on all processors."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import msgspec

from .. import abilities
from ..abilities import SUBJECTS, Card, Face, Line
from ..mana import ManaError, parse_cost
from ..structures import parts_of
from . import records
from .library import Made, Names, short_hash, structures_print, write_library
from .records import RawFace, Record, RecordError, Source, colors_of, split_type_line
from .second_faces import filled, with_namesakes
from .tokens import PREDEFINED_TOKENS

Progress = Callable[[int, int], None]  # how many of how many are done

CHUNK = 400


class Task(NamedTuple):
    """What the compiler is given for one face."""

    name: str
    type_line: str
    text: str
    full_name: str
    layout: str
    sized: bool  # a power is printed on it


class Built(NamedTuple):
    """A built library: its bytes, the cards, and the faces whose text made the compiler fail."""

    data: bytes
    cards: list[tuple[Card, Names]]
    failed: list[str]


# --- one card -------------------------------------------------------------------------------------------------------

NOTHING_KNOWN = (Line(n=1, status="unread", subjects=SUBJECTS),)


def compile_record(record: Record) -> Card:
    """One card with its text compiled."""
    return _card(record, [compile_text(task_of(record, face)) for face in record.faces])


def task_of(record: Record, face: RawFace) -> Task:
    return Task(face.name, face.type_line, face.text, record.name, record.layout, bool(face.power))


def compile_text(task: Task) -> tuple[Line, ...]:
    """The lines of one face."""
    from ..oracle import compile_lines

    lines = compile_lines(
        task.name, task.type_line, task.text, full_name=task.full_name, layout=task.layout, sized=task.sized
    )
    return tuple(_doubted(line, text) for line, text in zip_longest(lines, task.text.splitlines()[: len(lines)]))


# A line that speaks of adding mana as something is tapped for it, in which no structure adds or replaces any.
_EXTRA_MANA = re.compile(r"\bfor mana\b.*\badds? |\bif\b.*\btapped for mana\b.*\bproduces?\b", re.IGNORECASE)
_SAYS_MANA = (abilities.AddMana, abilities.ProductionReplacement, abilities.Unread)


def _doubted(line: Line, text: str | None) -> Line:
    """A net below the compiler: such a line is unread rather than understood without its mana."""
    if line.status == "unread" or not text or not _EXTRA_MANA.search(text):
        return line
    if any(isinstance(node, _SAYS_MANA) for node in parts_of(line.abilities)):
        return line
    return msgspec.structs.replace(line, status="unread", subjects=("mana",))


def _card(record: Record, lines: list[tuple[Line, ...]]) -> Card:
    faces = [_face(face, compiled) for face, compiled in zip(record.faces, lines, strict=True)]
    known = tuple(filled(face, record.layout, faces[0]) for face in faces)
    return Card(name=record.name, faces=known, layout=record.layout, identity=record.identity)


def _face(face: RawFace, lines: tuple[Line, ...]) -> Face:
    if face.missing:
        return Face(name=face.name, lines=NOTHING_KNOWN, missing=True)
    supertypes, types, subtypes = split_type_line(face.type_line)
    cost = face.mana_cost
    if cost is not None and not _is_cost(cost):  # joke cards with half mana and the like
        cost, lines = None, (*lines, Line(n=len(lines) + 1, status="unread", subjects=("cost", "permission")))
    return Face(
        name=face.name,
        mana_cost=cost,
        supertypes=supertypes,
        types=types,
        subtypes=subtypes,
        colors=colors_of(face),
        power=face.power,
        toughness=face.toughness,
        loyalty=face.loyalty,
        defense=face.defense,
        lines=lines,
    )


def _is_cost(text: str) -> bool:
    try:
        parse_cost(text)
    except ManaError:
        return False
    return True


# --- many cards -----------------------------------------------------------------------------------------------------


def compile_all(tasks: list[Task], progress: Progress | None = None) -> Iterator[tuple[tuple[Line, ...], str]]:
    """The lines of every task, in order, with the error that the compiler failed with ("": none)."""
    chunks = [tasks[at : at + CHUNK] for at in range(0, len(tasks), CHUNK)]
    done = 0
    for results in _map_chunks(chunks):
        yield from results
        done += len(results)
        if progress:
            progress(done, len(tasks))


def _map_chunks(chunks: list[list[Task]]) -> Iterator[list[tuple[tuple[Line, ...], str]]]:
    workers = min(len(chunks), os.cpu_count() or 1)
    if workers < 2:
        yield from map(_compile_chunk, chunks)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from (_DECODE.decode(packed) for packed in pool.map(_compile_packed, chunks))


_LINES = msgspec.msgpack.Decoder(tuple[Line, ...])
_DECODE = msgspec.msgpack.Decoder(list[tuple[tuple[Line, ...], str]])


def _compile_packed(chunk: list[Task]) -> bytes:
    return msgspec.msgpack.encode(_compile_chunk(chunk))


def _compile_chunk(chunk: list[Task]) -> list[tuple[tuple[Line, ...], str]]:
    return [_compile_safely(task) for task in chunk]


def _compile_safely(task: Task) -> tuple[tuple[Line, ...], str]:
    """A text that makes the compiler fail is a fault of the compiler: it is reported, and its face is unread."""
    try:
        lines = compile_text(task)
        return _LINES.decode(msgspec.msgpack.encode(lines)), ""  # what the library could not give back is a fault too
    except Exception as error:
        count = max(1, len(task.text.splitlines()))
        unread = tuple(Line(n=n, status="unread", subjects=SUBJECTS) for n in range(1, count + 1))
        return unread, f"{task.name}: {type(error).__name__}: {error}"


def compile_records(
    found: list[Record], progress: Progress | None = None
) -> tuple[list[tuple[Card, Names]], list[str]]:
    """Every record compiled; identical texts (of reprints under other names, basic lands, …) are compiled once."""
    per_face = [task_of(r, f) for r in found for f in r.faces if not f.missing]
    distinct = list(dict.fromkeys(per_face))
    compiled: dict[Task, tuple[Line, ...]] = {}
    failed: list[str] = []
    for task, (lines, error) in zip(distinct, compile_all(distinct, progress), strict=True):
        compiled[task] = lines
        if error:
            failed.append(error)
    cards = [(_card(r, [() if f.missing else compiled[task_of(r, f)] for f in r.faces]), names_of(r)) for r in found]
    return cards, failed


def names_of(record: Record) -> Names:
    """Under which names a card is found."""
    first, *others = (f.name for f in record.faces)
    return Names(record.name, first, tuple(dict.fromkeys(n for n in (*others, record.alias) if n)))


def with_tokens(found: list[Record]) -> list[Record]:
    """The records with those predefined tokens (111.10) whose names no card has."""
    taken = {name.casefold() for r in found for name in (r.name, *(f.name for f in r.faces))}
    tokens = [records.record_from_fields(fields) for fields in PREDEFINED_TOKENS]
    return found + [t for t in tokens if t.name.casefold() not in taken]


def build(paths: Iterable[Path | str], progress: Progress | None = None) -> Built:
    """The library of these files of card data. Raises RecordError."""
    files = [Path(p) for p in paths]
    if not files:
        raise RecordError("no file of card data was given")
    return build_sources([(records.read_source(path), path) for path in files], progress)


def build_sources(sources: list[tuple[Source, Path]], progress: Progress | None = None) -> Built:
    """The library of these sources, each with the file that it was read from."""
    found = with_tokens(with_namesakes(records.merge(source for source, _ in sources)))
    cards, failed = compile_records(found, progress)
    newest_first = sorted(sources, key=lambda pair: pair[0].date, reverse=True)
    made_of = tuple(_made(source, path) for source, path in newest_first)
    data = write_library(
        cards, made_of=made_of, structures=structures_print(), grammar=grammar_print(), version=_version()
    )
    return Built(data, cards, failed)


def build_file(paths: Iterable[Path | str], target: Path | str, progress: Progress | None = None) -> Built:
    """Builds and writes a library; an existing file is replaced only when the whole of the new one is there."""
    built = build(paths, progress)
    replace_file(Path(target), built.data)
    return built


def replace_file(target: Path, data: bytes) -> None:
    """Writes a file so that it is the old one or the new one at every moment."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _made(source: Source, path: Path) -> Made:
    return Made(source.kind, source.date, len(source.records), hashlib.sha256(path.read_bytes()).hexdigest())


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lawmage")
    except PackageNotFoundError:
        return ""


def grammar_print() -> str:
    """A fingerprint of the compiler: of every file of its room."""
    folder = Path(__file__).resolve().parent.parent / "oracle"
    files = sorted(f for f in folder.rglob("*") if f.suffix in (".py", ".peg", ".lark") and f.is_file())
    return short_hash(b"\0".join(f.name.encode() + b"\0" + f.read_bytes() for f in files))
