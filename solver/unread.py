"""Card text that was not understood and could bear on an answer: then the answer is unknown, and says which text.

A line counts while its object functions and still has it: a land under Blood Moon has lost its unread lines with the
others. Whether it has is found by putting a mark in the place of each unread line and looking whether the marks are
still there after all layers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeAlias

import msgspec

from ..model.abilities import Card, Face, Keyword, Line, Node
from ..model.characteristics import view_of
from ..model.game import Game, Obj, Unknown
from ..model.structures import parts_of
from .answer import Answer, Reason, UnreadLine

_MARK = "unread line"
Test: TypeAlias = Callable[[Node], bool]


def hedged(answer: Answer, game: Game, subjects: Collection[str], rests_on: Test | None = None) -> Answer:
    """The answer, or unknown where a line that was not understood could change it. `rests_on` says which structures of
    card text the question is about: without one in the game, it does not matter what types and abilities things have,
    but for what lines of attached permanents and of lasting effects do to them (control above all)."""
    if answer.verdict == "unknown":
        return answer
    lines = bearing(game, subjects, answer.verdict)
    if lines and rests_on is not None and not _mentions(game, rests_on):
        plain = [s for s in subjects if s != "types"]
        clinging = game.without(o.id for o in game.objects.values() if o.zone == "battlefield" and not o.attached_to)
        both = (*bearing(game, plain, answer.verdict), *bearing(clinging, ("types",), answer.verdict))
        lines = tuple(dict.fromkeys(both))
    if not lines:
        return answer
    names = ", ".join(f"{line.card} (line {line.line})" for line in lines)
    because = (Reason("not_understood", text=f"not understood, and could change the answer: {names}"),)
    return Answer("unknown", because=because, unread=lines)


def _mentions(game: Game, test: Test) -> bool:
    """Whether the text of anything that functions has such a structure somewhere in it."""
    cards = {id(c): c for o in game.objects.values() if _functions(o) for c in (o.card, o.copy_of) if c is not None}
    return any(test(part) for card in cards.values() for part in parts_of(card.faces))


def bearing(game: Game, subjects: Collection[str], verdict: str) -> tuple[UnreadLine, ...]:
    """The unread lines that function now and could turn this verdict. "+x" can only add possibilities, so it cannot
    turn a yes; "-x" can only take some away, so it cannot turn a no."""
    wanted = set(subjects)
    if verdict != "yes":
        wanted |= {f"+{s}" for s in subjects}
    if verdict != "no":
        wanted |= {f"-{s}" for s in subjects}
    found: dict[UnreadLine, None] = {}
    for o, line in _functioning(game, wanted):
        found[UnreadLine(o.printed.name, line.n, line.subjects)] = None
    return tuple(found)


def _functioning(game: Game, wanted: Collection[str]) -> Iterator[tuple[Obj, Line]]:
    objects = [o for o in game.objects.values() if _functions(o)]
    lines = [(o, line) for o in objects for line in o.printed.lines if _touches(line, wanted)]
    if not lines:
        return
    kept = _kept(game, {o.id for o, _ in lines})
    for o, line in lines:
        if o.zone != "battlefield" or kept is None or (o.id, line.n) in kept:
            yield o, line


def _functions(o: Obj) -> bool:
    """113.6: static abilities function on the battlefield; emblems and lasting effects stand for themselves."""
    if o.zone == "battlefield":
        return not o.phased_out and not o.face_down
    return o.zone == "effect" or (o.zone == "command" and not o.printed.types)


def _touches(line: Line, wanted: Collection[str]) -> bool:
    return line.status == "unread" and any(s in wanted for s in line.subjects)


def unread_lines_of(game: Game, o: Obj) -> tuple[Line, ...]:
    """The unread lines that the object still has after all layers."""
    lines = [line for line in o.printed.lines if line.status == "unread"]
    kept = _kept(game, {o.id}) if lines and o.zone == "battlefield" else None
    return tuple(line for line in lines if kept is None or (o.id, line.n) in kept)


def _kept(game: Game, ids: Collection[str]) -> set[tuple[str, int]] | None:
    """The unread lines, as (object, line), that these objects still have; None if that is not known."""
    marked = game.put(*(_marked(game.objects[i]) for i in ids))
    try:
        view = view_of(marked)
        return {(i, has.line) for i in ids for has in view.abilities(i) if _is_mark(has.ability)}
    except Unknown:
        return None


def _is_mark(ability: object) -> bool:
    return isinstance(ability, Keyword) and ability.name == _MARK


def _marked(o: Obj) -> Obj:
    if o.copy_of is not None:
        return o.but(copy_of=_marked_card(o.copy_of, o.copy_face))
    return o.but(card=_marked_card(o.card, o.face))


def _marked_card(card: Card, face: int) -> Card:
    faces = (*card.faces[:face], _marked_face(card.faces[face]), *card.faces[face + 1 :])
    return msgspec.structs.replace(card, faces=faces)


def _marked_face(face: Face) -> Face:
    mark = Keyword(_MARK)
    lines = (
        msgspec.structs.replace(ln, abilities=(*ln.abilities, mark)) if ln.status == "unread" else ln
        for ln in face.lines
    )
    return msgspec.structs.replace(face, lines=tuple(lines))
