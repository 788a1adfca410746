"""Answers about single actions and about things as they are: legal, max_hand_size, state_based, characteristics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..model import actions
from ..model.abilities import Card, MaxHandSize, Permission, Prohibit
from ..model.actions import Cause, Ruling
from ..model.cards.names import key_of
from ..model.characteristics import View, view_of
from ..model.game import Game, Obj, Unknown
from ..model.hand_size import max_hand_size as maximum_of
from ..model.state_based import StateBased, state_based_actions
from ..model.timing import Refusal, land_refusals
from ..model.untap import untap_step
from .answer import Answer, Reason
from .unread import Test, hedged, unread_lines_of
from .untapping import is_about_untapping, is_legal_choice

# --- legal ----------------------------------------------------------------------------------------------------------


def legal(game: Game, question: Any, explain: bool = True) -> Answer:
    """Whether an action is legal."""
    action = question.action
    player = action.who or game.you
    verb = action.verb
    if verb in _DELEGATED:
        return _DELEGATED[verb](game, action, player, explain)
    rule, subjects, rests_on = _RULINGS[verb]
    ruling = rule(view_of(game), action, player)
    answer = Answer("yes" if ruling.legal else "no", because=tuple(_reason(fact) for fact in ruling.facts))
    return answer if ruling.certain else hedged(answer, game, subjects, rests_on(action))


def _reason(fact: Refusal) -> Reason:
    return Reason(fact.code, fact.rule, fact.objects, fact.text)


def _cause(view: View, action: Any) -> Cause:
    source = action.source
    if source is not None and source not in view.game.players:
        source = _object(view.game, source).id
    return Cause(action.cause, source)


def _object(game: Game, name: str) -> Obj:
    """The object with that id; else the only one of that name."""
    if name in game.objects:
        return game.objects[name]
    named = [o for o in game.objects.values() if _is_named(o, name)]
    if len(named) != 1:
        raise Unknown(f"{name} is not here, or could mean several objects", objects=tuple(o.id for o in named))
    return named[0]


def _is_named(o: Obj, name: str) -> bool:
    key = key_of(name)
    return key in (key_of(o.id), key_of(o.card.name), *(key_of(face.name) for face in o.card.faces))


def _named_in(game: Game, name: Any, zone: str, player: str | None) -> list[Obj]:
    """The cards of that name (or that id) in a zone, the one with the id first."""
    text = name if isinstance(name, str) else name.name
    there = [o for o in game.in_zone(zone, player) if o.id == text or _is_named(o, text)]
    return sorted(there, key=lambda o: o.id != text)


def _card(game: Game, name: Any, zones: Iterable[str], player: str | None = None) -> Obj:
    """A card in the first of these zones that has it, of that player; the first of several that are alike."""
    for zone in zones:
        if there := _named_in(game, name, zone, player):
            return there[0]
    raise Unknown(f"{name if isinstance(name, str) else name.name} is in none of these zones: {', '.join(zones)}")


def _missing(game: Game, name: Any, player: str) -> bool:
    """Whether a player's hand is known and has no such card."""
    return game.players[player].hand_known and not _named_in(game, name, "hand", player)


def _play_land(view: View, action: Any, player: str) -> Ruling:
    zones = (action.zone,) if action.zone else ("hand", "graveyard", "exile", "library", "command")
    rulings = [
        _play(view, o, player) for zone in zones for o in _named_in(view.game, action.play_land, zone, player)[:1]
    ]
    if rulings:
        return next((r for r in rulings if r.legal), rulings[0])
    if view.game.players[player].hand_known:
        return actions.no("rule", "305.1", (), f"{player} has no such card to play")
    raise Unknown(f"whether {player} has that card is not stated")


def _play(view: View, card: Obj, player: str) -> Ruling:
    if not any("Land" in face.types for face in card.card.faces):
        for face in card.card.faces:
            actions.demand_types(card, face)
    refusals = land_refusals(_as_land(view, card), player, card.id)
    if refusals:
        return Ruling(False, refusals, certain=any(r.rule == "305.3" for r in refusals))
    return actions.yes("305.1", (card.id,), f"{player} may play {card.id}")


def _as_land(view: View, card: Obj) -> View:
    """A modal double-faced card is judged as the land that it would be played as (712.12), wherever it is played
    from: an effect that lets lands be played lets its land face be."""
    if card.card.layout != "modal_dfc" or "Land" in view.of(card.id).types:
        return view
    lands = [face for face in card.card.faces if "Land" in face.types]
    if not lands:
        return view
    alone = Card(name=lands[0].name, faces=(lands[0],), identity=card.card.identity)
    return view_of(view.game.put(card.but(card=alone, face=0)))


def _tap(view: View, action: Any, player: str) -> Ruling:
    return actions.tap(view, player, _object(view.game, action.tap).id, _cause(view, action))


def _untap(view: View, action: Any, player: str) -> Ruling:
    return actions.untap(view, player, _object(view.game, action.untap).id, _cause(view, action))


def _sacrifice(view: View, action: Any, player: str) -> Ruling:
    return actions.sacrifice(view, player, _object(view.game, action.sacrifice).id, _cause(view, action))


def _discard(view: View, action: Any, player: str) -> Ruling:
    if _missing(view.game, action.discard, player):
        return actions.never("rule", "701.9a", (), f"{player} holds no such card")
    card = _card(view.game, action.discard, ("hand",), player)
    return actions.discard(view, player, card.id, _cause(view, action))


def _pay_life(view: View, action: Any, player: str) -> Ruling:
    return actions.pay_life(view, player, action.pay_life, _cause(view, action))


def _transform(view: View, action: Any, player: str) -> Ruling:
    return actions.transform(view, _object(view.game, action.transform).id)


def _put_onto_battlefield(view: View, action: Any, player: str) -> Ruling:
    zones = (action.zone,) if action.zone else ("hand", "graveyard", "exile", "library", "command", "stack")
    try:
        card = _card(view.game, action.put_onto_battlefield, zones, player)
    except Unknown:
        card = _card(view.game, action.put_onto_battlefield, zones)
    return actions.put_onto_battlefield(view, player, card.id, action.transformed)


def _untap_step(view: View, action: Any, player: str) -> Ruling:
    turn = view.game.turn
    if turn.step != "untap" or turn.active != player:
        return actions.never("timing", "502.3", (), f"it is not {player}'s untap step")
    step = untap_step(view.game, player)
    chosen = [_object(view.game, name).id for name in action.untap_step]
    if step.skipped_by is not None:
        text = f"the step is skipped because of {step.skipped_by}"
        return actions.no("rule", "614.10", (step.skipped_by,), text) if chosen else actions.yes("614.10", (), text)
    if is_legal_choice(step, chosen):
        return actions.yes("502.3", chosen, f"{player} may untap exactly these")
    text = f"{player} must untap as much as the effects allow, and no more: this is no such choice"
    return actions.no("rule", "502.3", chosen, text)


def _prohibits(*kinds: str) -> Callable[[Any], Test]:
    """Card text that forbids such an action; what is forbidden as a cost only does not matter to effects."""

    def rests_on(action: Any) -> Test:
        effect = action.cause == "effect"
        return lambda node: isinstance(node, Prohibit) and node.action in kinds and not (effect and node.as_cost)

    return rests_on


def _untapping(_: Any) -> Test:
    return is_about_untapping


def _land_plays(_: Any) -> Test:
    return lambda node: isinstance(node, Permission) or (isinstance(node, Prohibit) and node.action == "play_land")


# Each action with its rule, the subjects of card text that could turn the verdict, and the structures of card text
# without which it does not matter what types and abilities other things have.
_RULINGS: dict[str, tuple[Callable[[View, Any, str], Ruling], tuple[str, ...], Callable[[Any], Test]]] = {
    "play_land": (_play_land, ("permission", "types"), _land_plays),
    "tap": (_tap, ("permission", "untap", "types"), _prohibits("tap")),
    "untap": (_untap, ("permission", "untap", "types"), _prohibits("untap")),
    "sacrifice": (_sacrifice, ("sacrifice", "types"), _prohibits("sacrifice")),
    "discard": (_discard, ("sacrifice", "hand_size", "types"), _prohibits("discard")),
    "pay_life": (_pay_life, ("permission", "cost", "types"), _prohibits("pay_life", "lose_life")),
    "transform": (_transform, ("permission", "types"), _prohibits("transform")),
    "put_onto_battlefield": (_put_onto_battlefield, ("permission", "types"), _prohibits("enter")),
    "untap_step": (_untap_step, ("untap", "types"), _untapping),
}


def _cast(game: Game, action: Any, player: str, explain: bool) -> Answer:
    from ..model.questions import CanCast
    from .queries import answer

    question = CanCast(
        card=action.cast,
        zone=action.zone or "hand",
        x=action.x,
        using=action.using,
        targets=action.targets,
        player=player,
    )
    return answer(game, question, explain=explain)


def _activate(game: Game, action: Any, player: str, explain: bool) -> Answer:
    from ..model.questions import CanActivate
    from .queries import answer

    outside = action.zone not in (None, "battlefield")
    question = CanActivate(
        permanent=None if outside else action.activate,
        card=action.activate if outside else None,
        zone=action.zone if outside else None,
        ability=action.ability,
        x=action.x,
        targets=action.targets,
        player=player,
    )
    return answer(game, question, explain=explain)


def _attack(game: Game, action: Any, player: str, explain: bool) -> Answer:
    from .fighting import attack

    declared = {_object(game, a).id: _defender(game, d) for a, d in action.attack.items()}
    return hedged(attack(game, player, declared), game, ("combat", "types"))


def _block(game: Game, action: Any, player: str, explain: bool) -> Answer:
    from .fighting import block, pairs_of

    pairs = pairs_of(action.block)
    declared = {_object(game, b).id: tuple(_object(game, a).id for a in d) for b, d in pairs.items()}
    return hedged(block(game, player, declared), game, ("combat", "types"))


def _defender(game: Game, name: str) -> str:
    return name if name in game.players else _object(game, name).id


_DELEGATED: dict[str, Callable[[Game, Any, str, bool], Answer]] = {
    "cast": _cast,
    "activate": _activate,
    "attack": _attack,
    "block": _block,
}


# --- maximum hand size ----------------------------------------------------------------------------------------------


def max_hand_size(game: Game, question: Any, explain: bool = True) -> Answer:
    """The maximum hand size of a player, effect by effect in timestamp order."""
    player = question.player or game.you
    found = maximum_of(game, player)
    reasons = [Reason("rule", "402.2", (), "the maximum hand size is normally seven")]
    for step in found.steps:
        now = "no maximum" if step.size is None else str(step.size)
        reasons.append(Reason("applies", "613.11", (step.source,), f"{step.source} ({step.how} {step.n}): now {now}"))
    answer = Answer("known", {"size": "none" if found.size is None else found.size}, tuple(reasons))
    return hedged(answer, game, ("hand_size", "types"), lambda node: isinstance(node, MaxHandSize))


# --- state-based actions --------------------------------------------------------------------------------------------


def state_based(game: Game, question: Any, explain: bool = True) -> Answer:
    """The state-based actions that are performed at once, the next time a player would get priority."""
    found = state_based_actions(game)
    reasons = [Reason("state_based", a.rule, a.objects, a.why) for a in found]
    if not found:
        reasons.append(Reason("rule", "704.3", (), "no state-based action applies"))
    answer = Answer("known", {"actions": [_wire(a) for a in found]}, tuple(reasons))
    return hedged(answer, game, ("state_based", "types"))


def _wire(action: StateBased) -> dict[str, Any]:
    if action.kind == "keep_one":
        return {"keep_one": list(action.objects)}
    if action.kind == "remove_counters":
        return {"remove_counters": action.objects[0], "counters": dict(action.counters)}
    return {action.kind: action.objects[0]}


# --- characteristics ------------------------------------------------------------------------------------------------


def characteristics(game: Game, question: Any, explain: bool = True) -> Answer:
    """What an object is now, in whatever zone it is."""
    o = _asked(game, question.object, question.zone)
    now = view_of(game).of(o.id)
    for unknown in now.unsure.values():
        raise unknown
    values: dict[str, Any] = {
        "name": now.name,
        "types": list(now.types),
        "subtypes": list(now.subtypes),
        "supertypes": list(now.supertypes),
        "colors": list(now.colors),
        "mana_value": now.mana_value,
        "power": now.power,
        "toughness": now.toughness,
        "loyalty": now.loyalty,
        "color_identity": list(o.card.identity),
        "abilities": list(_abilities(view_of(game), o)),
    }
    answer = Answer("known", values, (Reason("rule", "613.1", (o.id,), f"{o.id} after all layers"),))
    return hedged(answer, game, ("types",))


def _asked(game: Game, name: str, zone: str | None) -> Obj:
    if zone is not None:
        return _card(game, name, (zone,))
    return _object(game, name)


def _abilities(view: View, o: Obj) -> Iterator[dict[str, Any]]:
    """The abilities that it has now, in words made from our structures; unread lines by their number."""
    from ..model.cards.render import ability_text

    for has in view.abilities(o.id):
        yield {"line": has.line, "text": ability_text(has.ability), "modelled": True}
    for line in unread_lines_of(view.game, o):
        yield {"line": line.n, "text": "", "modelled": False}
