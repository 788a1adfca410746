"""Answers about making mana: what a permanent could produce (106.7), and what an ability's mana could be."""

from __future__ import annotations

from typing import Any

from ..model.abilities import Activated, AddMana, SameAsLost
from ..model.characteristics import View, view_of
from ..model.evaluate import Context
from ..model.game import Game, Has
from ..model.mana import NO_MANA, TYPES, Mana
from ..model.production import (
    Reflection,
    activated_mana_abilities,
    events,
    imagined_contexts,
    may_add_nothing,
    sum_mana,
)
from ..model.replay import take_mana
from .answer import Answer, Reason
from .pool import payments_from_pool

RULE_COULD_PRODUCE = "106.7"


def could_produce(game: Game, question: Any, explain: bool) -> Answer:
    """Every type of mana that the permanent could produce, with a witness for each."""
    view = view_of(game)
    reflection = Reflection(view)
    types = reflection.of(question.permanent)
    if not explain:
        return Answer("known", {"types": list(types), "witnesses": {}})
    try:
        return _with_reasons(game, view, question.permanent, types, reflection)
    except Exception:  # an explanation that fails takes no answer with it
        return Answer("known", {"types": list(types), "witnesses": {}})


def _with_reasons(game: Game, view: View, oid: str, types: str, reflection: Reflection) -> Answer:
    """How each type comes about, and what stops the others."""
    from .explain_types import missing_reasons, produced_reasons, wire_witness, witnesses

    found = witnesses(view, oid, reflection)
    values = {"types": list(types), "witnesses": {t: [wire_witness(oid, t, one)] for t, one in found.items()}}
    because = list(produced_reasons(view, oid, found))
    if not types:
        text = f"no ability of {oid} would add mana if it resolved now"
        because.append(Reason("produces_nothing", RULE_COULD_PRODUCE, (oid,), text))
    missing = "".join(t for t in TYPES if t not in types)
    because += missing_reasons(game, view, oid, missing)
    return Answer("known", values, tuple(because))


def outcomes(game: Game, question: Any, explain: bool) -> Answer:
    """Everything that the mana of the ability (or of every mana ability) could be, as if its costs had been paid."""
    view = view_of(game)
    oid = question.permanent
    reflection = Reflection(view)
    found: dict[Mana, dict[str, Any]] = {}
    for has in _asked(view, oid, question.ability):
        some = dict(_outcomes_of(view, oid, has, reflection))
        # An ability whose mana is undefined or none still resolves (106.5): its outcome is no mana.
        nothing = {NO_MANA: {"activate": oid, "ability": has.number, "produces": "", "order": []}}
        found = {**(some or nothing), **found}
    ordered = sorted(found, key=lambda m: (m.total, [-n for n in m]))
    values = {
        "outcomes": [m.wire() for m in ordered],
        "how": {str(m.wire()): found[m] for m in ordered} if explain else {},
    }
    because: tuple[Reason, ...] = ()
    if not any(m.total for m in found):
        because = (Reason("produces_nothing", "106.5", (oid,), f"{oid} would add no mana"),)
    return Answer("known", values, because)


def _asked(view: View, oid: str, number: int | None) -> list[Has]:
    if number is None:
        return activated_mana_abilities(view, oid)
    return [h for h in view.abilities(oid) if h.number == number and isinstance(h.ability, Activated)]


def _outcomes_of(view: View, oid: str, has: Has, reflection: Reflection):
    ability = has.ability
    assert isinstance(ability, Activated)
    if not any(isinstance(e, AddMana) for e in ability.effects):
        return
    controller = view.of(oid).controller
    for imagined in imagined_contexts(view, oid, ability, controller):
        paid = _cost_paid_from_pool(view, oid, has, imagined, controller)
        for ctx in paid:
            assert isinstance(ctx.view, View)
            for event, order in events(ctx.view, oid, ability, ctx, reflection.look, restricted=False).items():
                mana = sum_mana(p.mana for p in event)
                step = {"activate": oid, "ability": has.number, "produces": mana.wire(), "order": list(order)}
                yield mana, step
            if may_add_nothing(ability.effects, ctx):
                yield NO_MANA, {"activate": oid, "ability": has.number, "produces": "", "order": []}


def _cost_paid_from_pool(view: View, oid: str, has: Has, ctx: Context, player: str) -> list[Context]:
    """Where the effect reads the pool (Doubling Cube), its own mana cost is paid from the pool as it stands, in every
    way; otherwise costs do not matter here."""
    ability = has.ability
    assert isinstance(ability, Activated)
    if not any(isinstance(e, AddMana) and isinstance(e.what, SameAsLost) for e in ability.effects):
        return [ctx]
    return [
        ctx.but(view=view.after(take_mana(view.game, player, units)))
        for units in payments_from_pool(view, player, oid, has)
    ]
