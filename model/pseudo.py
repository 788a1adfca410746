"""Pseudo-cards: what holds the abilities of emblems, of effects with no permanent, and of restrictions on mana.

Rooms treat them like cards. What was not understood stands in them as an unread line, so that it stays visible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import msgspec

from .abilities import (
    SUBJECTS,
    Ability,
    Activated,
    AddMana,
    Become,
    Card,
    Do,
    Effect,
    Emblem,
    Face,
    Filter,
    Line,
    SpellAbility,
    SpendOnly,
    Target,
    Triggered,
    Unread,
    abilities_of,
)
from .forms import FormatError
from .lookup import Found
from .structures import rebuilt

# The layouts of pseudo-cards: emblem, effect, ability (on the stack), restriction.
PSEUDO_LAYOUTS = ("emblem", "effect", "ability", "restriction")
# The purpose of mana whose restriction was not understood: it meets no purpose (106.6), and an unread line says so.
NOT_UNDERSTOOD = "not understood"

T = TypeVar("T")


def pseudo_card(name: str, layout: str, lines: Sequence[Line]) -> Card:
    """What holds the abilities of an emblem or of an effect with no permanent: no types, no cost, no colors."""
    return Card(name=name, faces=(Face(name=name, lines=tuple(lines)),), layout=layout)


def modelled(abilities: Sequence[Ability]) -> Line:
    return Line(n=1, status="modelled", abilities=tuple(abilities))


def unread(subjects: Sequence[str] = SUBJECTS) -> Line:
    return Line(n=1, status="unread", subjects=tuple(subjects))


def _unread_subjects(card: Card) -> tuple[str, ...]:
    found = dict.fromkeys(s for f in card.faces for ln in f.lines if ln.status == "unread" for s in ln.subjects)
    return tuple(found) or SUBJECTS


def emblem_card(card: Card) -> Card:
    """The emblem that a card makes (114); unread where the card's text about it was not understood."""
    emblems = set(_emblems([a for face in card.faces for a in abilities_of(face.lines)]))
    lines = [modelled(emblems.pop())] if len(emblems) == 1 else [unread(_unread_subjects(card))]
    return pseudo_card(f"{card.name} emblem", "emblem", lines)


def _emblems(abilities: Iterable[Ability]) -> Iterator[tuple[Ability, ...]]:
    """The abilities of every emblem that these abilities make."""
    for ability in abilities:
        if isinstance(ability, Emblem):
            yield ability.abilities
        for effect in _effects(ability):
            if isinstance(effect, Become):
                yield from _emblems(effect.abilities)
            elif isinstance(effect, Do) and effect.what == "emblem" and effect.abilities:
                yield effect.abilities


def _effects(ability: Ability) -> tuple[Effect, ...]:
    if isinstance(ability, SpellAbility | Activated):
        return ability.effects + tuple(e for mode in ability.modes for e in mode.effects)
    return ability.effects if isinstance(ability, Triggered) else ()


class Left(NamedTuple):
    """What a spell or ability leaves behind: a pseudo-card, and what it had to target."""

    card: Card
    targets: tuple[Target, ...]


def effect_card(found: Found, number: int | None, mode: int | None) -> Left:
    """What a card's spell or ability leaves behind when it has resolved (611.2): the abilities of its Become."""
    face = found.card.faces[found.face]
    meant = _starting(abilities_of(face.lines), number, mode)
    effects = [e for a in meant for e in _of_mode(a, mode)]
    abilities = tuple(a for e in effects if isinstance(e, Become) for a in e.abilities)
    lines = [modelled(abilities)] if abilities else [unread(_unread_subjects(found.card))]
    if abilities:
        # What else of that card was not understood may belong to the effect as well.
        lines += [line for line in face.lines if line.status == "unread"]
        lines += [unread()] if any(_may_last(e) for e in effects) else []
    targets = tuple(t for a in meant for t in _targets(a, mode))
    lines = [_aimed_at(line, targets) for line in lines]
    return Left(pseudo_card(face.name, "effect", lines), targets)


def _aimed_at(line: Line, targets: Sequence[Target]) -> Line:
    """What is said of "that card" is said of a card where the target is: "target card in your graveyard gains …"."""
    zones = {t.what.zone for t in targets if t.what is not None}
    if len(zones) != 1 or zones == {"battlefield"}:
        return line
    return msgspec.structs.replace(line, abilities=_in_zone_of_target(line.abilities, zones.pop()))


def _in_zone_of_target(node: Any, zone: str) -> Any:
    def there(part: Any) -> Any:
        aimed = isinstance(part, Filter) and part.ref == "target"
        return msgspec.structs.replace(part, zone=zone) if aimed else part

    return rebuilt(node, there)


def with_unread(card: Card) -> Card:
    """The pseudo-card with one more line, which could mean anything."""
    (face,) = card.faces
    return msgspec.structs.replace(card, faces=(msgspec.structs.replace(face, lines=(*face.lines, unread())),))


def _targets(ability: Ability, mode: int | None) -> tuple[Target, ...]:
    if not isinstance(ability, SpellAbility | Activated | Triggered):
        return ()
    modes = getattr(ability, "modes", ())
    return ability.targets + (modes[mode - 1].targets if mode is not None and modes else ())


def _may_last(effect: Effect) -> bool:
    """Whether something of the resolution may go on applying that no rules room interprets."""
    return isinstance(effect, Unread) or (isinstance(effect, Do) and effect.what == "lasting")


def _starting(abilities: Sequence[Ability], number: int | None, mode: int | None) -> list[Ability]:
    """The ability that is meant: the numbered activated one, else the spell's, else the only one that
    starts something."""
    if number is not None:
        activated = [a for a in abilities if isinstance(a, Activated)]
        if number > len(activated):
            raise FormatError(f"the card has {len(activated)} activated abilities, not {number}", path=("ability",))
        return [activated[number - 1]]
    starting = [a for a in abilities if any(isinstance(e, Become) for e in _of_mode(a, mode))]
    spells = [a for a in starting if isinstance(a, SpellAbility)]
    chosen: list[Ability] = list(spells) or starting
    if not spells and len(chosen) > 1:
        activated = [n for n, a in enumerate((a for a in abilities if isinstance(a, Activated)), 1) if a in chosen]
        if len(activated) > 1:
            numbers = ", ".join(map(str, activated))
            raise FormatError(f"several abilities of the card leave an effect: say which with ability ({numbers})")
    return chosen


def _of_mode(ability: Ability, mode: int | None) -> tuple[Effect, ...]:
    """The effects of the mode that was chosen (700.2); something unread where the situation does not state it."""
    if not isinstance(ability, SpellAbility | Activated) or not ability.modes:
        return _effects(ability)
    if mode is None:
        lasting = any(isinstance(e, Become) or _may_last(e) for m in ability.modes for e in m.effects)
        return (*ability.effects, Unread()) if lasting else _effects(ability)
    if not 1 <= mode <= len(ability.modes):
        raise FormatError(f"there are {len(ability.modes)} modes, not {mode}", path=("chosen", "mode"))
    return ability.effects + ability.modes[mode - 1].effects


def text_card(text: str, names: Sequence[str], ids: Sequence[str], elsewhere: Collection[str] = ()) -> Card:
    """An effect that is written as text. A name means the permanent with that id, else every permanent of it, else
    (`elsewhere`) the cards of that name in other zones."""
    from .oracle import compile_text

    known = frozenset(ids)
    lines = [_anywhere(_with_ids(_lasting(line), known), frozenset(elsewhere)) for line in compile_text(text, names)]
    return pseudo_card(text, "effect", lines or [unread()])


def _lasting(line: Line) -> Line:
    """The line with what lasts in place of the spell ability that would start it: the effect applies already."""
    if line.status != "modelled":
        return line
    abilities: list[Ability] = []
    for ability in line.abilities:
        if not isinstance(ability, SpellAbility):
            abilities.append(ability)
            continue
        effects = _effects(ability)
        if not effects or not all(isinstance(e, Become) for e in effects):
            return msgspec.structs.replace(line, status="unread", subjects=SUBJECTS)
        abilities += [a for e in effects if isinstance(e, Become) for a in e.abilities]
    return msgspec.structs.replace(line, abilities=tuple(abilities))


def _anywhere(node: T, names: frozenset[str]) -> T:
    """The structure with descriptions by these names, of which there is no permanent, made good for every zone."""

    def anywhere(part: Any) -> Any:
        named = isinstance(part, Filter) and part.zone == "battlefield" and part.names
        return msgspec.structs.replace(part, zone="any") if named and names.issuperset(part.names) else part

    return rebuilt(node, anywhere)


def _with_ids(node: T, ids: frozenset[str]) -> T:
    """The structure with every name that is an id made that id."""

    def meant(part: Any) -> Any:
        changes = _meant(part, ids) if isinstance(part, Filter) else {}
        return msgspec.structs.replace(part, **changes) if changes else part

    return rebuilt(node, meant)


def _meant(described: Filter, ids: frozenset[str]) -> dict[str, object]:
    """What changes in a description whose names are ids, all of them or some."""
    exact = tuple(name for name in described.names if name in ids)
    if not exact or (len(exact) < len(described.names) and described.any_of):
        return {}
    if len(exact) == len(described.names):
        return {"ids": described.ids + exact, "names": ()}
    rest = tuple(name for name in described.names if name not in ids)
    return {"names": (), "any_of": (Filter(zone=described.zone, ids=exact), Filter(zone=described.zone, names=rest))}


@lru_cache(maxsize=1024)
def spend_only(text: str) -> SpendOnly:
    """A restriction on mana (106.6), compiled from words such as "creature spells"; one that is not understood allows
    no purpose and says so."""
    for sentence in (f"to cast {text}", text, f"to {text}", f"to cast {text}s", f"on {text}"):
        only = _restriction(sentence)
        if only is not None:
            return only
    return SpendOnly(purposes=(NOT_UNDERSTOOD,))


def _restriction(words: str) -> SpendOnly | None:
    """What the compiler makes of the restriction on an ability that adds mana."""
    from .oracle import compile_lines

    lines = compile_lines("Source", "Artifact", f"{{T}}: Add {{C}}. Spend this mana only {words.strip().rstrip('.')}.")
    if len(lines) != 1 or lines[0].status != "modelled":
        return None
    effects = [e for a in lines[0].abilities for e in _effects(a)]
    return effects[0].only if len(effects) == 1 and isinstance(effects[0], AddMana) else None
