"""Second faces that card data lacks: filled from a table of facts, or from the card that has the same name.

Some data has just the names of second faces. A source that has a face is always used in place of this.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..abilities import Face
from .records import RawFace, Record, order_colors, split_type_line
from .second_face_facts import FACTS, NAMESAKES, Facts


def filled(face: Face, layout: str, front: Face) -> Face:
    """The face with what the table knows of it, or as it is; `front` is the first face of its card."""
    facts = FACTS.get(layout, {}).get(face.name)
    if facts is None or not face.missing:
        return face
    if layout == "flip":  # flipping changes neither mana cost nor color (710.1c)
        return _face(face.name, facts, front.mana_cost, front.colors)
    return _face(face.name, facts, facts.mana_cost, order_colors(facts.mana_cost or ""))


def _face(name: str, facts: Facts, cost: str | None, colors: str) -> Face:
    supertypes, types, subtypes = split_type_line(facts.type_line)
    return Face(
        name=name,
        mana_cost=cost,
        supertypes=supertypes,
        types=types,
        subtypes=subtypes,
        colors=colors,
        power=facts.power,
        toughness=facts.toughness,
        loyalty=facts.loyalty,
        lines=facts.lines,
    )


def with_namesakes(records: list[Record]) -> list[Record]:
    """The records with those faces filled that are, word for word, the one other face of that name."""
    known = _namesakes(records)
    return [
        msgspec.structs.replace(r, faces=tuple(known.get(f.name, f) if f.missing else f for f in r.faces))
        for r in records
    ]


def _namesakes(records: Iterable[Record]) -> dict[str, RawFace]:
    found: dict[str, list[RawFace]] = {name: [] for name in NAMESAKES}
    for record in records:
        for face in record.faces:
            if face.name in found and not face.missing:
                found[face.name].append(face)
    return {name: faces[0] for name, faces in found.items() if faces}
