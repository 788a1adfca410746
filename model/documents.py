"""Documents: a situation with its questions, out of YAML or JSON; cases, one JSON object a line; their JSON Schema.

    text -> plain data (yaml_core.py, or msgspec for JSON) -> strict structures (strict.py) -> checks -> Document

Every error is a FormatError: one clear line with the file, the line in it and the path of the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

import msgspec
from msgspec import UNSET

from .forms import DEEPEST, ZONES_OF_PLAYERS, FormatError, Lines, Path, Situation
from .game import Game
from .lookup import Library, did_you_mean, is_known, joined_name
from .questions import EXPECT_KEYS, AnswerForm, Case, Question
from .setup import build_game
from .strict import CARD_LISTS, describe, strict

# Keys of a document that holds a situation; beside `players` (a bare situation) the questions alone may stand.
DOCUMENT_KEYS = ("situation", "query", "queries", "id", "expect", "source", "note", "rule", "sure")
SITUATION_KEYS = Situation.__struct_fields__
# Larger JSON is not read a second time for the sake of a line number.
LARGEST_TO_LOCATE = 1_000_000

_KEY_END = re.compile(rb'"\s*:')


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A situation and the questions about it, with where they were read."""

    situation: Situation
    queries: tuple[Question, ...] = ()
    single: bool = True  # one `query`, not a list of `queries`
    id: str | None = None
    expect: dict[str, Any] | None = None
    source: str | None = None
    note: str | None = None
    where: str = ""
    lines: Mapping[Path, int] = {}
    prefix: Path = ()  # where the situation stands in the document
    in_brackets: tuple[tuple[Path, tuple[str, ...]], ...] = ()  # list items that an unquoted comma may have split

    def game(self, library: Library) -> Game:
        """The game; errors carry the place in the document."""
        self._check_commas(library)
        try:
            return build_game(self.situation, library)
        except FormatError as error:
            raise located(error, self.where, self.lines, self.prefix) from None

    def _check_commas(self, library: Library) -> None:
        """Unquoted items in brackets that make one card's name with their neighbours: most likely a comma in it."""
        for path, items in self.in_brackets:
            whole = joined_name(items[0], items, lambda name: is_known(library, name))
            if whole is not None:
                hint = f'{whole!r} is one card: quote it, "{whole}"; two cards are written {{card: {items[0]}}}'
                raise located(FormatError(hint, path=path), self.where, self.lines)

    def question(self, n: int, game: Game, library: Library) -> Question:
        """The question with that index fitted to the game; errors carry the place in the document."""
        from .asking import resolve_question

        try:
            return resolve_question(self.queries[n], game, library)
        except FormatError as error:
            prefix: Path = ("query",) if self.single else ("queries", n)
            raise located(error, self.where, self.lines, prefix) from None


def read_document(text: str | bytes, where: str = "") -> Document:
    """Reads YAML or JSON: a mapping with `situation`, or a situation itself, and `query` or `queries` beside it."""
    text = decoded(text, where)
    data, lines = load(text, where)
    try:
        document = document_from(data, where, lines)
        return document if lines or document is None else msgspec.structs.replace(document, lines=_Later(text))
    except FormatError as error:
        raise located(error, where, lines or _lines_of_json(text)) from None


def check_document(data: Any, where: str = "") -> Document:
    """The same from plain data (a mapping as JSON would give it)."""
    return document_from(_plain(data), where, Lines())


def read_situation(data: Any, where: str = "") -> Situation:
    """A situation from plain data, or from the text of YAML or JSON."""
    if isinstance(data, str | bytes):
        return read_document(data, where).situation
    return situation_from(_plain(data), ())


def read_query(data: Any) -> Question:
    """A question from plain data."""
    return strict(_plain(data), Question, ())  # type: ignore[arg-type]


def read_case(line: str | bytes, where: str = "") -> Case:
    """One case: a line of JSON."""
    raw = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    try:
        return case_from(load_json(raw))
    except FormatError as error:
        raise error.placed(where, None) from None


# --- plain data becomes structures ----------------------------------------------------------------------------------


def document_from(data: Any, where: str, lines: Lines) -> Document:
    if not isinstance(data, Mapping):
        raise FormatError(_not_a_document(data), where)
    bare = "players" in data and "situation" not in data
    beside = {k: v for k, v in data.items() if not bare or k not in SITUATION_KEYS}
    for key in beside:
        if key not in DOCUMENT_KEYS or (bare and key == "situation"):
            known = (*DOCUMENT_KEYS, *(SITUATION_KEYS if bare or "situation" not in data else ()))
            otherwise = f"; possible: {', '.join(known)}"
            raise FormatError(f"unknown key {key!r}{did_you_mean(key, known, otherwise)}", path=(key,))
    if bare:
        prefix: Path = ()
        situation = situation_from({k: v for k, v in data.items() if k in SITUATION_KEYS}, ())
    elif "situation" in data:
        prefix = ("situation",)
        situation = situation_from(data["situation"], prefix)
    else:
        raise FormatError("there is no situation: write players at the top, or a situation with players")
    queries, single = _queries(data)
    return Document(
        situation=situation,
        queries=queries,
        single=single,
        id=_text(data, "id"),
        expect=_expect(data),
        source=_text(data, "source"),
        note=_text(data, "note"),
        where=where,
        lines=lines,
        prefix=prefix,
        in_brackets=tuple(_in_brackets(data, lines)),
    )


def _in_brackets(data: Any, lines: Lines) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Each unquoted item of a list of cards in brackets, with up to two unquoted ones that follow it."""
    unquoted: set[Path] = getattr(lines, "unquoted", set())
    for path in sorted(unquoted, key=str):
        *parent, n = path
        if not parent or parent[-1] not in CARD_LISTS or not isinstance(n, int):
            continue
        items = data
        for key in parent:
            items = items[key]
        after = [(*parent, at) in unquoted for at in range(n, n + 3)]
        run = items[n : n + (after.index(False) if False in after else 3)]
        if len(run) > 1 and all(isinstance(item, str) for item in run):
            yield path, tuple(run)


def _not_a_document(data: Any) -> str:
    if data is None:
        return "the document is empty"
    return f"expected a mapping with situation and query, got {describe(data)}"


def _queries(data: Mapping[str, Any]) -> tuple[tuple[Question, ...], bool]:
    if "query" in data and "queries" in data:
        raise FormatError("query and queries exclude each other", path=("queries",))
    if "query" in data:
        return (strict(data["query"], Question, ("query",)),), True  # type: ignore[arg-type]
    if "queries" in data:
        if not isinstance(data["queries"], list | tuple):
            raise FormatError(f"expected a list of questions, got {describe(data['queries'])}", path=("queries",))
        return tuple(strict(q, Question, ("queries", n)) for n, q in enumerate(data["queries"])), False  # type: ignore[arg-type]
    return (), False


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and key == "id":
        return str(value)
    raise FormatError(f"expected text, got {describe(value)}", path=(key,))


def _expect(data: Mapping[str, Any]) -> dict[str, Any] | None:
    value = data.get("expect")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise FormatError(f"expected a mapping, got {describe(value)}", path=("expect",))
    for key in value:
        if key not in EXPECT_KEYS:
            raise FormatError(f"unknown key {key!r}{did_you_mean(key, EXPECT_KEYS)}", path=("expect", key))
    return value


def situation_from(data: Any, path: Path) -> Situation:
    situation = strict(data, Situation, path)
    _note_order(situation, data)
    return situation


def case_from(data: Any) -> Case:
    try:
        case = msgspec.convert(data, Case)
    except msgspec.ValidationError:
        case = strict(data, Case, ())
    _note_order(case.situation, data["situation"])
    if case.expect is not UNSET:
        _expect(data)
    return case


def _note_order(situation: Situation, data: Mapping[str, Any]) -> None:
    """Keeps the order in which a player's zones were written: default ids are numbered in written order."""
    for name, player in data["players"].items():
        written = tuple(key for key in player if key in ZONES_OF_PLAYERS)
        if written != tuple(zone for zone in ZONES_OF_PLAYERS if zone in player):
            rest = tuple(zone for zone in ZONES_OF_PLAYERS if zone not in player)
            vars(situation.players[name])["zones_as_written"] = written + rest


def _plain(data: Any, path: Path = ()) -> Any:
    """The data, if it is such as JSON gives: mappings with text keys, lists, text, numbers, true, false, null."""
    if len(path) > DEEPEST:
        raise FormatError(f"nested more than {DEEPEST} deep", path=path[:2])
    if isinstance(data, Mapping):
        for key, value in data.items():
            if not isinstance(key, str):
                raise FormatError(f"a key must be text, not {key!r}", path=path)
            _plain(value, (*path, key))
    elif isinstance(data, list | tuple):
        for n, value in enumerate(data):
            _plain(value, (*path, n))
    elif not (data is None or isinstance(data, str | int) or (isinstance(data, float) and isfinite(data))):
        raise FormatError(f"expected plain data, got {data!r}"[:200], path=path)
    return data


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(DEEPEST):
        level = (
            [
                inner
                for outer in level
                for inner in (outer.values() if isinstance(outer, Mapping) else outer)
                if isinstance(inner, Mapping | list | tuple)
            ]
            if isinstance(level[0] if level else None, Mapping | list | tuple)
            else []
        )
        if not level:
            return
    raise FormatError(f"nested more than {DEEPEST} deep")


# --- text becomes plain data ----------------------------------------------------------------------------------------


def decoded(text: str | bytes, where: str = "") -> str:
    """The text, which must be UTF-8."""
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            reason = f"not UTF-8 text: the byte 0x{text[error.start]:02x} at {error.start}"
            raise FormatError(reason, where, line) from None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise FormatError(f"not UTF-8 text: the character {text[error.start]!r}", where, line) from None
    return text.removeprefix("\ufeff")


def load(text: str, where: str = "") -> tuple[Any, Lines]:
    """Plain data of a YAML or JSON text; the lines are empty for JSON."""
    start = text.lstrip()[:1]
    if where.endswith((".json", ".jsonl")):
        return load_json(text.encode(), where), Lines()
    if start in ("{", "["):
        try:
            return load_json(text.encode(), where), Lines()
        except NotJSON:
            pass  # YAML may begin with a brace too
    from .yaml_core import load_yaml  # YAML is loaded when it is met

    return load_yaml(text, where)


class NotJSON(FormatError):
    """Text that is no JSON at all."""


def load_json(raw: bytes, where: str = "") -> Any:
    """Plain data of a JSON text. A duplicate key is an error, and so is what JSON does not have (NaN, comments)."""
    try:
        data = msgspec.json.decode(raw)
    except RecursionError:
        raise FormatError(f"nested more than {DEEPEST} deep", where) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotJSON(*_json_error(str(error), raw, where)) from None
    if not _no_key_was_lost(raw, data):
        _check_keys(raw, where)
    if raw.count(b"[") + raw.count(b"{") > DEEPEST:
        _check_depth(data)
    return data


def _no_key_was_lost(raw: bytes, data: Any) -> bool:
    """Whether there are as many keys in the text as in the data: then none stood twice.

    Keys are counted by the quote and colon that end them, in the text and in the data written again. Text that
    happens to look like that is in both, unless its characters are escaped: then the slow way decides.
    """
    if b"\\u00" in raw:
        return False
    return len(_KEY_END.findall(raw)) == len(_KEY_END.findall(msgspec.json.encode(data)))


def _check_keys(raw: bytes, where: str) -> None:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(items)
        if len(out) != len(items):
            keys = [key for key, _ in items]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise FormatError(f"the key {twice!r} stands twice in one mapping", where)
        return out

    try:
        json.loads(raw, object_pairs_hook=pairs)
    except RecursionError:
        raise FormatError(f"nested more than {DEEPEST} deep", where) from None


def _json_error(message: str, raw: bytes, where: str) -> tuple[str, str, int | None]:
    match = re.search(r"\(byte (\d+)\)", message)
    line = raw.count(b"\n", 0, int(match[1])) + 1 if match and b"\n" in raw.strip() else None
    reason = message.removeprefix("JSON is malformed: ")
    return f"not JSON: {reason}", where, line


# --- places ---------------------------------------------------------------------------------------------------------


def located(error: FormatError, where: str, lines: Mapping[Path, int], prefix: Path = ()) -> FormatError:
    """The error with the line of the nearest key that has one."""
    path = prefix + error.path
    line = error.line
    at = path
    while line is None:
        line = lines.get(at)
        if not at:
            break
        at = at[:-1]
    return FormatError(error.text, error.where or where, line, path)


class _Later(Lines):
    """Lines of a JSON text, found when an error asks for them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: str | None = text

    def get(self, key: Path, default: Any = None) -> Any:  # type: ignore[override]
        if self.text is not None:
            text, self.text = self.text, None
            self.update(_lines_of_json(text))
        return super().get(key, default)


def _lines_of_json(text: str) -> Lines:
    """The lines of a JSON text, read as YAML (of which JSON is a part)."""
    if len(text) > LARGEST_TO_LOCATE:
        return Lines()
    from .yaml_core import load_yaml

    try:
        return load_yaml(text)[1]
    except FormatError:
        return Lines()


# --- the schema -----------------------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """One JSON Schema of documents: a situation, a question, a case, an answer."""
    types = (Situation, Question, Case, AnswerForm)
    parts, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    definitions["Question"] = parts[1]
    definitions["Document"] = _document_schema(definitions["Situation"], bare=False)
    definitions["BareDocument"] = _document_schema(definitions["Situation"], bare=True)
    _exactly_one(definitions)
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lawmage: situations, questions, cases, answers",
        "anyOf": [
            {"$ref": f"#/$defs/{name}"} for name in ("Document", "BareDocument", "Question", "Case", "AnswerForm")
        ],
        "$defs": definitions,
    }
    return msgspec.json.decode(msgspec.json.encode(whole))


def _document_schema(situation: Mapping[str, Any], bare: bool) -> dict[str, Any]:
    """A file: a situation with its questions beside it, or (bare) the keys of a situation and the questions."""
    question = {"$ref": "#/$defs/Question"}
    beside = {
        "query": question,
        "queries": {"type": "array", "items": question},
        "id": {"type": "string"},
        "expect": {"type": "object"},
        **{key: {"type": "string"} for key in ("source", "note", "rule", "sure")},
    }
    own = situation["properties"] if bare else {"situation": {"$ref": "#/$defs/Situation"}}
    return {
        "title": "BareDocument" if bare else "Document",
        "description": "A situation with its questions, as files hold it.",
        "type": "object",
        "properties": {**own, **beside},
        "required": ["players" if bare else "situation"],
        "additionalProperties": False,
    }


def _exactly_one(definitions: dict[str, Any]) -> None:
    """Structures of which exactly one verb must stand say so."""
    from .forms import EDIT_VERBS
    from .questions import ACTION_VERBS, STEP_VERBS

    for name, verbs in (("Edit", EDIT_VERBS), ("Action", ACTION_VERBS), ("StepForm", STEP_VERBS)):
        definitions[name]["oneOf"] = [{"required": [verb]} for verb in verbs]
