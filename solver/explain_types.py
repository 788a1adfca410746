"""Could produce, told: how each type of mana comes about, and what stops each of the others (106.7).

For a type that is there: the ability, what it looks at, and the replacement effects in their order. For one that is
not: an irreducible set of facts, as in explain.py; the question that is tried is "could it produce this type".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..model.abilities import Activated, AddMana, AnyMana, CouldProduce, TapSelf, Triggered
from ..model.characteristics import View, view_of
from ..model.evaluate import Context, objects_like
from ..model.game import Game, Has
from ..model.mana import TYPES, Mana, mana_of
from ..model.production import Packet, Reflection, events, imagined_contexts, sum_mana
from ..model.replacement_graph import changes, start_of
from .answer import Reason
from .explain import irreducible, without
from .facts import CHANGES_ABILITIES, CHOICES, Fact, amounts, effects, names, with_ability
from .telling import order_in_words


class Witness(NamedTuple):
    """One imagined resolution that makes mana of a type: the ability, the mana, the order of replacement effects, and
    for a looker what could produce that type."""

    has: Has
    ctx: Context
    event: tuple[Packet, ...]
    order: tuple[str, ...]
    through: tuple[str, ...]


def witnesses(view: View, oid: str, reflection: Reflection) -> dict[str, Witness]:
    """A witness for each type that the object could produce; one without replacement effects where there is one."""
    reflection.of(oid)  # settles everything that is looked at
    found: dict[str, Witness] = {}
    for one in _imagined(view, oid, reflection):
        for t in types_in(one.event):
            if t not in found or len(one.order) < len(found[t].order):
                found[t] = one._replace(through=_through(view, oid, one, t, reflection))
    return {t: found[t] for t in TYPES if t in found}


def types_in(event: Sequence[Packet]) -> str:
    have = {t for p in event for t in p.mana.types() + (p.types if p.free else "")}
    return "".join(t for t in TYPES if t in have)


def _imagined(view: View, oid: str, reflection: Reflection) -> Iterator[Witness]:
    """As production.imagined_events, with the ability of each."""
    controller = view.of(oid).controller
    for has in view.abilities(oid):
        ability = has.ability
        if not isinstance(ability, Activated | Triggered) or getattr(ability, "zone", "battlefield") != "battlefield":
            continue
        if not any(isinstance(e, AddMana) for e in ability.effects):
            continue
        for ctx in imagined_contexts(view, oid, ability, controller):
            for event, order in events(view, oid, ability, ctx, reflection.look, listed=False).items():
                yield Witness(has, ctx, event, order, ())


def _through(view: View, oid: str, one: Witness, t: str, reflection: Reflection) -> tuple[str, ...]:
    """What a looker sees that could produce the type: others before itself, plain sources before lookers."""
    ability = one.has.ability
    assert isinstance(ability, Activated | Triggered)
    looked = [e.what for e in ability.effects if isinstance(e, AddMana) and isinstance(e.what, CouldProduce)]
    seen = [i for what in looked for i in objects_like(what.what, one.ctx) if t in reflection.of(i)]
    others = [i for i in dict.fromkeys(seen) if i != oid]
    plain = [i for i in others if not _looks(view, i)]
    return tuple(plain or others or seen)[:3]


def _looks(view: View, oid: str) -> bool:
    added = (e for h in view.abilities(oid) if isinstance(h.ability, Activated) for e in h.ability.effects)
    return any(isinstance(e, AddMana) and isinstance(e.what, CouldProduce) for e in added)


def wire_witness(oid: str, t: str, one: Witness) -> dict[str, Any]:
    step: dict[str, Any] = {"resolve": oid, "produces": _example(one.event, t), "order": list(one.order)}
    return step | ({"through": list(one.through)} if one.through else {})


def _example(event: Sequence[Packet], t: str) -> str | dict[str, int]:
    freely = (mana_of(t if t in p.types else p.types[0], p.free) for p in event if p.free)
    return sum_mana([*(p.mana for p in event), *freely]).wire()


# --- words ------------------------------------------------------------------------------------------------------------


def produced_reasons(view: View, oid: str, found: dict[str, Witness]) -> Iterator[Reason]:
    """Types that come about in the same way are told together."""
    alike: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}
    for t, one in found.items():
        key = (_which(view, oid, one.has), one.through, one.order)
        alike[key] = alike.get(key, "") + t
    for (which, through, _), types in alike.items():
        one = found[types[0]]
        it = _or(types)
        text = f"{it}: {which} could add {'it' if len(types) == 1 else 'one of these'}"
        if through:
            text += f", as {names(through)} could produce {'it' if len(types) == 1 else 'them'}"
        if one.order:
            text = f"{it}: from {which}, {'such as: ' if len(types) > 1 else ''}{_order(view, oid, one)}"
        yield Reason("produces", "106.7", tuple(dict.fromkeys((oid, *through, *one.order))), text)


def _which(view: View, oid: str, has: Has) -> str:
    if has.origin == "land":
        return "its basic land type"
    if has.origin != "printed":
        return f"the ability that {has.origin} gives it"
    if not has.number:
        return "its triggered ability"
    several = sum(1 for h in view.abilities(oid) if h.number) > 1
    return f"ability {has.number}" if several else "its ability"


def _order(view: View, oid: str, one: Witness) -> str:
    ability = one.has.ability
    if isinstance(ability, Activated):
        done = changes(start_of(view, oid, ability, one.ctx), one.order, _made(one.event))
        if done:
            return order_in_words(done)
    return f"changed by {', then by '.join(one.order)}"


def _made(event: Sequence[Packet]) -> Mana:
    return sum_mana(p.mana for p in event)


# --- what stops the other types ---------------------------------------------------------------------------------------


def missing_reasons(game: Game, view: View, oid: str, missing: str) -> Iterator[Reason]:
    """For each type that it could not produce, what stops it; types that the same facts stop are told together."""
    facts = [
        *amounts(view, [i for i in view.zone_ids("battlefield") if i != oid], choices=()),
        *amounts(view, [oid], choices=CHOICES),
        *effects(view, CHANGES_ABILITIES),
        _no_ability(view, oid, missing),
    ]
    known: dict[frozenset[int], str] = {}

    def types_without(some: Sequence[Fact]) -> str:
        key = frozenset(map(id, some))
        if key not in known:
            known[key] = Reflection(view_of(without(game, some))).of(oid)
        return known[key]

    told: dict[tuple[Fact, ...], str] = {}
    for t in missing:
        core = irreducible(facts, lambda some, t=t: t in types_without(some))
        if core is not None:
            told[core.facts] = told.get(core.facts, "") + t
    for core_facts, types in told.items():
        yield from _told(view, oid, types, core_facts)


def _no_ability(view: View, oid: str, missing: str) -> Fact:
    """No ability of the object adds these types: without the fact, one does."""
    reason = Reason("nothing_makes", "106.7", (oid,), "")
    ability = Activated((TapSelf(),), (AddMana(AnyMana(missing)),))
    return Fact("absence", reason, with_ability(oid, ability), type=missing)


def _told(view: View, oid: str, types: str, core: Sequence[Fact]) -> Iterator[Reason]:
    what = _or(types)
    others = [fact for fact in core if fact.kind != "absence"]
    if len(others) < len(core):
        it = "it" if len(types) == 1 else "one of these"
        looker = _looks(view, oid)
        text = f"nothing that {oid} looks at could produce {it}" if looker else f"no ability of {oid} adds {it}"
        text = f"not {what}: {text}"
        yield Reason("nothing_makes", "106.7", (oid,), text)
    for fact in others:
        yield Reason(fact.reason.code, fact.reason.rule, fact.objects, f"not {what}: {_clause(fact)}")


def _clause(fact: Fact) -> str:
    return f"{fact.objects[0]} {fact.clause}" if fact.kind == "amount" else fact.reason.text


def _or(types: str) -> str:
    shown = [f"{{{t}}}" for t in types]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
