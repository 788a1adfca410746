"""YAML by its 1.2 core schema, with the line of every value, and without the traps of older YAML.

`yes`, `no`, `on` and `off` are strings; a duplicate key is an error; so are tags, several documents in one file, and
nesting that no situation needs. The events of the parser are read one by one, so that nothing deep is ever built.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import yaml

from .forms import DEEPEST, FormatError, Lines, Path

MOST_ALIASED = 200_000  # values that aliases may repeat in all

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SYMBOLS = re.compile(r"(?:\{(?:[WUBRGCSXTQEP]|\d+)(?:/[WUBRGCP])*\})+", re.IGNORECASE)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|(?:^|\s)#.*")
_TWO_COLONS = re.compile(r"\w: [^,{}\[\]:]+: ")
_HALF_QUOTED = re.compile(r"[^\"]*[-:\[,] *\"[^\"]*\" +\w")
_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)  # libyaml's parser where PyYAML has it


def load_yaml(text: str, where: str = "") -> tuple[Any, Lines]:
    """The value of a YAML document and the line of each of its paths. Raises FormatError."""
    composer = _Composer(where)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            composer.take(event)
    except yaml.YAMLError as error:
        raise _not_yaml(error, text, where) from None
    return composer.value, composer.lines


class YamlLines(Lines):
    """The line of every path; and the list items in brackets without quotes, which a comma may have split."""

    def __init__(self) -> None:
        super().__init__()
        self.unquoted: set[Path] = set()


class _Open:
    """A list or mapping that is being filled; `flow`: written in brackets."""

    __slots__ = ("anchor", "container", "flow", "key", "path", "size")

    def __init__(self, container: Any, path: Path, anchor: str | None, flow: bool) -> None:
        self.flow = flow
        self.container = container
        self.path = path
        self.anchor = anchor
        self.key: str | None = None
        self.size = 1


class _Anchored(NamedTuple):
    value: Any
    size: int


class _Composer:
    def __init__(self, where: str) -> None:
        self.where = where
        self.value: Any = None
        self.lines = YamlLines()
        self.open: list[_Open] = []
        self.anchors: dict[str, _Anchored | None] = {}
        self.aliased = 0
        self.documents = 0
        self.line = 1

    def error(self, text: str, path: Path = ()) -> FormatError:
        return FormatError(text, self.where, self.line, path)

    def take(self, event: Any) -> None:
        if event.start_mark is not None:
            self.line = event.start_mark.line + 1
        match event:
            case yaml.ScalarEvent():
                self.scalar(event)
            case yaml.SequenceStartEvent():
                self.start([], event)
            case yaml.MappingStartEvent():
                self.start({}, event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self.end()
            case yaml.AliasEvent():
                self.alias(event.anchor)
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise self.error("a second document begins here: one file holds one document")

    def scalar(self, event: Any) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.container, dict) and top.key is None:
            self.take_key(top, event.value)
            return
        value = self.scalar_value(event)
        if top is not None and top.flow and not event.style and isinstance(top.container, list):
            self.lines.unquoted.add(self.here())
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, 1)
        self.put(value, 1)

    def take_key(self, top: _Open, key: str) -> None:
        if key in top.container:
            raise self.error(f"the key {key!r} stands twice in one mapping", top.path)
        top.key = key
        self.lines[(*top.path, key)] = self.line

    def scalar_value(self, event: Any) -> Any:
        if event.tag is not None:
            if event.tag in ("!", "tag:yaml.org,2002:str"):
                return event.value
            raise self.error(f"tags such as {event.tag} are not used here", self.here())
        if event.style:
            return event.value
        return self.plain(event.value)

    def plain(self, text: str) -> Any:
        """A plain scalar by the core schema; infinities and NaN stay text, since nothing here is one."""
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INT.fullmatch(text):
            if len(text) > 1000:
                raise self.error(f"{text[:12]}… is a number of {len(text)} digits", self.here())
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            number = float(text)
            if math.isfinite(number):
                return number
            raise self.error(f"{text[:30]} is too large a number", self.here())
        return text

    def here(self) -> Path:
        """The path of the value that comes next."""
        if not self.open:
            return ()
        top = self.open[-1]
        return (*top.path, len(top.container) if isinstance(top.container, list) else top.key or "")

    def start(self, container: Any, event: Any) -> None:
        if self.open and isinstance(self.open[-1].container, dict) and self.open[-1].key is None:
            hint = " (quote text that begins with a brace or bracket)"
            raise self.error(f"a key must be text, not a list or mapping{hint}", self.open[-1].path)
        if event.tag is not None and event.tag not in ("!", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"):
            raise self.error(f"tags such as {event.tag} are not used here", self.here())
        if len(self.open) >= DEEPEST:
            raise self.error(f"nested more than {DEEPEST} deep", self.open[2].path)
        path = self.here()
        self.lines.setdefault(path, self.line)
        if event.anchor:
            self.anchors[event.anchor] = None
        self.open.append(_Open(container, path, event.anchor, bool(event.flow_style)))

    def end(self) -> None:
        done = self.open.pop()
        if done.anchor:
            self.anchors[done.anchor] = _Anchored(done.container, done.size)
        self.put(done.container, done.size)

    def alias(self, anchor: str) -> None:
        if anchor not in self.anchors:
            raise self.error(f"*{anchor} refers to nothing", self.here())
        anchored = self.anchors[anchor]
        if anchored is None:
            raise self.error(f"*{anchor} contains itself", self.here())
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.container, dict) and top.key is None:
            self.take_key(top, str(anchored.value))
            return
        self.aliased += anchored.size
        if self.aliased > MOST_ALIASED:
            raise self.error("aliases repeat too much", self.here())
        self.put(anchored.value, anchored.size)

    def put(self, value: Any, size: int) -> None:
        if not self.open:
            self.value = value
            return
        top = self.open[-1]
        top.size += size
        if isinstance(top.container, list):
            self.lines.setdefault((*top.path, len(top.container)), self.line)
            top.container.append(value)
        else:
            top.container[top.key] = value
            top.key = None


def _not_yaml(error: yaml.YAMLError, text: str, where: str) -> FormatError:
    """One line about a text that is not YAML, with the hint for the commonest causes."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return FormatError(f"not YAML: {' '.join(str(error).split())}", where, _line_of_character(error, text))
    problem = getattr(error, "problem", None) or "cannot be read"
    lines = [line[:1000] for line in text.splitlines()]
    context = getattr(error, "context_mark", None)
    numbers = dict.fromkeys(n for m in (mark, context) if m for n in (m.line, m.line - 1) if 0 <= n < len(lines))
    for n in numbers:
        unquoted = _QUOTED.sub(" ", lines[n])
        if found := _SYMBOLS.search(unquoted):
            hint = f'{found[0]} needs quotes: "{found[0]}"'
            return FormatError(f"not YAML: {hint}", where, n + 1)
    hint = ""
    two_colons = any(_TWO_COLONS.search(_QUOTED.sub(" ", lines[n])) for n in numbers)
    if two_colons or "mapping values are not allowed" in problem:
        hint = "; text with a colon in it needs quotes"
    elif any(_HALF_QUOTED.match(lines[n]) for n in numbers):
        hint = "; a name that begins with a quote needs other quotes around it"
    elif "cannot start any token" in problem:
        hint = "; indent with spaces, and quote text that begins with a special character"
    return FormatError(f"not YAML: {problem}{hint}", where, mark.line + 1)


def _line_of_character(error: yaml.YAMLError, text: str) -> int | None:
    position = getattr(error, "position", None)
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else None
