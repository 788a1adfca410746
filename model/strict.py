"""Plain data becomes strict structures; what does not fit is said in one clear line.

msgspec converts and refuses quickly. Only when it refuses is the data walked here, type by type, to say where and why:
its own messages leave out which player or key they are about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from .forms import CardForm, FormatError, Path, PermanentForm
from .lookup import did_you_mean

T = TypeVar("T")

# Lists whose items may be names of cards.
CARD_LISTS = frozenset(
    ["battlefield", "hand", "graveyard", "exile", "command", "library", "imprinted", "cast_this_turn", "cards", "stack"]
)
_CARD_KEYS = (
    frozenset(PermanentForm.__struct_fields__)
    | frozenset(CardForm.__struct_fields__)
    | {
        "ability",
        "controller",
        "name",
    }
)
_MANA_INSIDE = re.compile(r"(?:[WUBRGCSXTQEP]|\d+)(?:/[WUBRGCP])*", re.IGNORECASE)


def strict(data: Any, type_: type[T], path: Path = ()) -> T:
    """The structure that the data describes. Raises FormatError with the path of what is wrong."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        first = error
    joined = join_names(data)
    if joined != data:
        try:
            return msgspec.convert(joined, type_)
        except msgspec.ValidationError as error:
            first = error
    for problem in _problems(joined, _type_of(type_), path):
        raise problem
    raise FormatError(str(first), path=path)


# --- names that YAML split ------------------------------------------------------------------------------------------


def join_names(data: Any, key: str = "") -> Any:
    """The data with every one-key mapping that is a card's name split at its colon made that name again."""
    if isinstance(data, list):
        items = [join_names(item) for item in data]
        return [_joined(item) for item in items] if key in CARD_LISTS else items
    if isinstance(data, dict):
        out = {k: join_names(v, k) for k, v in data.items()}
        if "card" in out:
            out["card"] = _joined(out["card"])
        return out
    return data


def _joined(item: Any) -> Any:
    """Names begin with a capital or have several words; a single small word is a key that somebody mistyped."""
    if isinstance(item, dict) and len(item) == 1:
        ((key, value),) = item.items()
        like_a_name = isinstance(key, str) and (key[:1].isupper() or " " in key) and key not in _CARD_KEYS
        if like_a_name and isinstance(value, str | int) and not isinstance(value, bool):
            return f"{key}: {value}"
    return item


# --- saying what is wrong -------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _type_of(type_: type[Any]) -> inspect.Type:
    return inspect.type_info(type_)


def _problems(data: Any, type_: inspect.Type, path: Path) -> Iterator[FormatError]:
    """Everything about the data that does not fit the type, the first problem first."""
    if isinstance(type_, inspect.Metadata):
        yield from _problems(data, type_.type, path)
    elif isinstance(type_, inspect.AnyType):
        return
    elif isinstance(type_, inspect.UnionType):
        yield from _union_problems(data, type_, path)
    elif isinstance(type_, inspect.StructType):
        yield from _struct_problems(data, type_, path)
    elif isinstance(type_, inspect.DictType) and isinstance(data, Mapping):
        if type_.min_length and len(data) < type_.min_length:
            yield FormatError("at least one is needed", path=path)
        for key, value in data.items():
            yield from _problems(value, type_.value_type, (*path, key))
    elif isinstance(type_, inspect.VarTupleType | inspect.ListType) and isinstance(data, list | tuple):
        for n, item in enumerate(data):
            yield from _problems(item, type_.item_type, (*path, n))
    elif not _fits(data, type_):
        yield _wrong_type(data, [type_], path)


def _union_problems(data: Any, union: inspect.UnionType, path: Path) -> Iterator[FormatError]:
    options = [o.type if isinstance(o, inspect.Metadata) else o for o in union.types]
    options = [o for o in options if not isinstance(o, inspect.CustomType)]
    if any(_fits(data, o) for o in options):
        return
    structs = [o for o in options if isinstance(o, inspect.StructType)]
    if isinstance(data, Mapping) and len(structs) > 1:
        yield from _tagged_problems(data, structs, path)
        return
    same_shape = [o for o in options if _shape(o) is _shape_of_data(data)]
    if not same_shape:
        yield _wrong_type(data, options, path)
    for option in same_shape[:1]:
        yield from _problems(data, option, path)


def _tagged_problems(data: Mapping[str, Any], structs: list[inspect.StructType], path: Path) -> Iterator[FormatError]:
    field = structs[0].tag_field or "kind"
    tags = {str(s.tag): s for s in structs}
    if field not in data:
        yield FormatError(f"{field} is missing: {', '.join(tags)}", path=path)
    elif not isinstance(data[field], str) or data[field] not in tags:
        near = _near(str(data[field]), list(tags))
        yield FormatError(f"unknown {field} {_quote(data[field])}{near}", path=(*path, field))
    else:
        yield from _problems(data, tags[data[field]], path)


def _struct_problems(data: Any, type_: inspect.StructType, path: Path) -> Iterator[FormatError]:
    if not isinstance(data, Mapping):
        yield _wrong_type(data, [type_], path)
        return
    fields = {f.encode_name: f for f in type_.fields}
    for key in data:
        if key not in fields and key != type_.tag_field:
            hint = _symbol_hint(data) or _near(str(key), list(fields))
            yield FormatError(f"unknown key {_quote(key)}{hint}", path=(*path, key))
    for name, field in fields.items():
        if field.required and name not in data:
            yield FormatError(f"{name} is missing", path=path)
    found = False
    for key, value in data.items():
        if key in fields:
            for problem in _problems(value, fields[key].type, (*path, key)):
                found = True
                yield problem
    if not found:
        yield from _own_check(data, type_, path)


def _own_check(data: Mapping[str, Any], type_: inspect.StructType, path: Path) -> Iterator[FormatError]:
    """What the structure itself refuses, such as two verbs in one action."""
    try:
        msgspec.convert(data, type_.cls)
    except msgspec.ValidationError as error:
        cause = error.__cause__
        if isinstance(cause, FormatError):
            yield FormatError(cause.text, path=path + cause.path)


def _fits(data: Any, type_: inspect.Type) -> bool:
    """Whether plain data is of a plain type."""
    match type_:
        case inspect.StrType():
            return isinstance(data, str)
        case inspect.BoolType():
            return isinstance(data, bool)
        case inspect.NoneType():
            return data is None
        case inspect.IntType():
            whole = isinstance(data, int) and not isinstance(data, bool)
            return whole and (type_.ge is None or data >= type_.ge) and (type_.le is None or data <= type_.le)
        case inspect.FloatType():
            return isinstance(data, int | float) and not isinstance(data, bool)
        case inspect.LiteralType():
            return data in type_.values
        case inspect.AnyType():
            return True
    return False


def _shape(type_: inspect.Type) -> Any:
    match type_:
        case inspect.StructType() | inspect.DictType():
            return dict
        case inspect.VarTupleType() | inspect.ListType():
            return list
        case inspect.StrType():
            return str
        case inspect.LiteralType():
            return str
        case inspect.IntType():
            return int
    return None


def _shape_of_data(data: Any) -> Any:
    for shape in (bool, dict, list, str, int):
        if isinstance(data, shape):
            return shape
    return list if isinstance(data, tuple) else object


def _wrong_type(data: Any, options: list[inspect.Type], path: Path) -> FormatError:
    expected = _or([_describe(o) for o in options if not isinstance(o, inspect.NoneType)])
    if len(options) == 1 and isinstance(options[0], inspect.LiteralType) and isinstance(data, str):
        values = [str(v) for v in options[0].values]
        return FormatError(f"{_quote(data)} is not possible here{_near(data, values)}", path=path)
    hint = _symbol_hint(data)
    if data is None and "players" in path[:-1]:
        hint = "; an empty one is written {}"
    if isinstance(data, str) and data.casefold() in ("yes", "no", "on", "off"):
        hint = "; only true and false are truth values in YAML 1.2" if "true or false" in expected else ""
    if isinstance(data, int | float) and not isinstance(data, bool) and expected.startswith("text"):
        hint = f'; quote it: "{data}"'
    return FormatError(f"expected {expected}, got {describe(data)}{hint}", path=path)


def _describe(type_: inspect.Type) -> str:
    match type_:
        case inspect.Metadata():
            return _describe(type_.type)
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            low = f" of at least {type_.ge}" if type_.ge else (" that is not negative" if type_.ge == 0 else "")
            return f"a whole number{low}" + (f", at most {type_.le:,}" if type_.le is not None else "")
        case inspect.FloatType():
            return "a number"
        case inspect.LiteralType():
            return _or([_quote(v) for v in type_.values])
        case inspect.VarTupleType() | inspect.ListType():
            return "a list"
        case inspect.StructType() | inspect.DictType():
            return "a mapping"
    return "something else"


def describe(data: Any) -> str:
    """What a value is, in words, and short."""
    match data:
        case None:
            return "nothing"
        case bool():
            return str(data).lower()
        case str():
            return f"the text {_quote(data)}"
        case int() | float():
            shown = str(data) if abs(data) < 10**30 else "a huge one"
            return f"the number {shown}"
        case dict():
            return f"a mapping with {_quote(next(iter(data)))}" if data else "an empty mapping"
        case list() | tuple():
            return "a list" if data else "an empty list"
    return type(data).__name__


def _symbol_hint(data: Any) -> str:
    """The hint about `{U}` without quotes, which YAML reads as a mapping."""
    if isinstance(data, Mapping) and len(data) == 1:
        ((key, value),) = data.items()
        if value is None and isinstance(key, str) and _MANA_INSIDE.fullmatch(key):
            return f'; quote mana: "{{{key}}}"'
    return ""


def _quote(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 70 else text[:60] + "…" + text[-1]


def _or(words: list[str]) -> str:
    words = list(dict.fromkeys(words))
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _near(word: str, known: list[str]) -> str:
    return did_you_mean(word, known, f"; possible here: {', '.join(known)}" if known else "")
