"""State-based actions: everything that is performed at once, the next time a player would get priority (704)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .abilities import AlternativeCost, Filter, GameRule, Keyword, Prohibit, Static, Triggered
from .characteristics import View, view_of
from .evaluate import Context, matches
from .game import Active, Characteristics, Game, Obj, Unknown
from .parties import context_about, effects, in_force, is_player

LETHAL_POISON = 10


class StateBased(NamedTuple):
    """One action. `kind` is the key that answers use: destroy, to_graveyard, keep_one, loses, unattach,
    remove_counters, sacrifice, ceases, set_speed. `counters` belong to remove_counters."""

    kind: str
    objects: tuple[str, ...]
    rule: str
    why: str
    counters: tuple[tuple[str, int], ...] = ()


def state_based_actions(game: Game) -> tuple[StateBased, ...]:
    """All state-based actions that apply now, performed as one event (704.3)."""
    view = view_of(game)
    permanents = tuple(game.in_zone("battlefield"))
    found = [
        *_losses(view),
        *_ceasing(game),
        *(action for o in permanents for action in _creature(view, o)),
        *(action for o in permanents for action in _loyalty_and_defense(view, o)),
        *_legend_rule(view, permanents),
        *_world_rule(view, permanents),
        *(action for o in permanents for action in _attachment(view, o)),
        *(action for o in permanents for action in _counters(o)),
        *(action for o in permanents for action in _saga(view, o)),
        *_roles(view, permanents),
        *_speed(view, permanents),
    ]
    for action in found:
        _demand_known_way(view, action)
    return _once(found)


_LEAVING = ("destroy", "to_graveyard", "keep_one", "sacrifice")


def _demand_known_way(view: View, action: StateBased) -> None:
    """614: what would die or be destroyed may be told to do something else, which is not modelled."""
    if action.kind not in _LEAVING:
        return
    for oid in action.objects:
        o = view.game.objects[oid]
        if action.kind == "destroy" and any(_is_umbra(view, i) for i in view.attached(oid)):
            raise Unknown(f"an Aura on {oid} has umbra armor (702.89)", "not_modelled", (oid,))
        if _has_rule_about(view, "dies_otherwise", o):
            raise Unknown(f"what happens as {oid} would die is not modelled", "not_modelled", (oid,))


def _is_umbra(view: View, oid: str) -> bool:
    return not view.of(oid).keywords.isdisjoint(("umbra armor", "totem armor"))


def _once(actions: Iterable[StateBased]) -> tuple[StateBased, ...]:
    """The same result for two reasons is one action (704.7): the first reason is told."""
    seen: dict[tuple[str, tuple[str, ...]], StateBased] = {}
    for action in actions:
        seen.setdefault((action.kind, action.objects), action)
    return tuple(seen.values())


# --- players --------------------------------------------------------------------------------------------------------


def loses_without_life(game: Game, player: str) -> bool:
    """Whether damage and payments that leave the player 0 life lose them the game (704.5a). Raises Unknown."""
    if _has_rule(view_of(game), "damage_otherwise", player):
        raise Unknown(f"how much damage {player} is dealt is not modelled", "not_modelled")
    none = view_of(game.put_player(game.players[player].but(life=0)))
    return any(player in action.objects for action in _losses(none))


def _losses(view: View) -> Iterator[StateBased]:
    for player in view.game.players.values():
        reason = _loss(view, player.name)
        if reason is not None and not _cant_lose(view, player.name):
            rule, why = reason
            if _has_rule(view, "loses_otherwise", player.name):
                raise Unknown(f"what happens as {player.name} would lose is not modelled", "not_modelled")
            yield StateBased("loses", (player.name,), rule, why)


def _loss(view: View, name: str) -> tuple[str, str] | None:
    player = view.game.players[name]
    if player.life <= 0 and not _has_rule(view, "no_loss_for_life", name):
        if _has_rule(view, "damage_no_loss", name):
            raise Unknown(f"how much of {name}'s life was lost by damage is not stated")
        return "704.5a", f"{name} has {player.life} life"
    if player.history("drew_from_empty") and not _has_rule(view, "no_loss_for_drawing", name):
        return "704.5b", f"{name} attempted to draw from an empty library"
    if player.count("poison") >= LETHAL_POISON and not _has_rule(view, "no_loss_for_poison", name):
        return "704.5c", f"{name} has {player.count('poison')} poison counters"
    return None


def _cant_lose(view: View, player: str) -> bool:
    return any(
        e.action == "lose_game" and is_player(e.who, player, context) and in_force(active, context)
        for active, e, context in effects(view, Prohibit)
    )


def _rules(view: View, what: str) -> Iterator[tuple[Active, GameRule, Context]]:
    """The effects that change the rule of this name."""
    return (found for found in effects(view, GameRule) if found[1].what == what)


def _has_rule(view: View, what: str, player: str) -> bool:
    return any(is_player(e.who, player, context) and in_force(a, context) for a, e, context in _rules(view, what))


def _has_rule_about(view: View, what: str, o: Obj) -> bool:
    """Whether the changed rule is about this object: one of a player that it speaks of, and like its description."""
    controller = view.of(o.id).controller
    return any(
        is_player(e.who, controller, context)
        and (e.like is None or matches(e.like, o.id, context))
        and in_force(active, context, o.id)
        for active, e, context in _rules(view, what)
    )


# --- objects in zones where they cannot be --------------------------------------------------------------------------


def _ceasing(game: Game) -> Iterator[StateBased]:
    """Tokens off the battlefield and copies off the stack cease to exist; a token on the stack is such a copy."""
    for o in game.objects.values():
        if o.token and o.zone not in ("battlefield", "stack", "command", "effect"):
            yield StateBased("ceases", (o.id,), "704.5d", f"{o.id} is a token in the zone {o.zone}")


# --- creatures ------------------------------------------------------------------------------------------------------


def _creature(view: View, o: Obj) -> Iterator[StateBased]:
    now = view.of(o.id)
    if "Creature" not in now.types:
        return
    toughness = view.stat(o.id, "toughness") or 0
    if toughness <= 0:
        yield StateBased("to_graveyard", (o.id,), "704.5f", f"{o.id} has toughness {toughness}")
        return
    why = _destroyed(view, o, toughness)
    if why is None or "indestructible" in now.keywords:
        return
    rule, text = why
    if o.count("shield"):
        yield StateBased("remove_counters", (o.id,), "122.1c", f"{text}: a shield counter goes", (("shield", 1),))
    else:
        yield StateBased("destroy", (o.id,), rule, text)


def _destroyed(view: View, o: Obj, toughness: int) -> tuple[str, str] | None:
    if o.damage > 0 and o.damage >= _lethal(view, o, toughness):
        return "704.5g", f"{o.id} has {o.damage} damage and toughness {toughness}"
    if "deathtouch" in o.noted:
        return "704.5h", f"{o.id} was dealt damage by a source with deathtouch"
    return None


def _lethal(view: View, o: Obj, toughness: int) -> int:
    """Lethal damage is judged by power where an effect says so (Zilortha)."""
    return view.stat(o.id, "power") or 0 if _has_rule_about(view, "lethal_by_power", o) else toughness


def _loyalty_and_defense(view: View, o: Obj) -> Iterator[StateBased]:
    now = view.of(o.id)
    if "Planeswalker" in now.types and o.count("loyalty") == 0:
        yield StateBased("to_graveyard", (o.id,), "704.5i", f"{o.id} has loyalty 0")
    if "Battle" in now.types and o.count("defense") == 0 and not _has_trigger_on_stack(view.game, o):
        yield StateBased("to_graveyard", (o.id,), "704.5v", f"{o.id} has defense 0")


def _has_trigger_on_stack(game: Game, o: Obj) -> bool:
    return any(game.objects[i].source == o.id for i in game.stack)


# --- legends and worlds ---------------------------------------------------------------------------------------------


def _legend_rule(view: View, permanents: tuple[Obj, ...]) -> Iterator[StateBased]:
    groups: dict[tuple[str, str], list[str]] = {}
    for o in permanents:
        now = view.of(o.id)
        if "Legendary" in now.supertypes and now.name and not _has_rule_about(view, "no_legend_rule", o):
            groups.setdefault((now.controller, now.name), []).append(o.id)
    for (controller, name), ids in groups.items():
        if len(ids) > 1:
            yield StateBased("keep_one", tuple(ids), "704.5j", f"{controller} controls {len(ids)} legends named {name}")


def _world_rule(view: View, permanents: tuple[Obj, ...]) -> Iterator[StateBased]:
    worlds = [o for o in permanents if "World" in view.of(o.id).supertypes]
    if len(worlds) < 2:
        return
    latest = max(o.timestamp for o in worlds)
    newest = [o for o in worlds if o.timestamp == latest]
    for o in worlds:
        if len(newest) > 1 or o.timestamp != latest:
            yield StateBased("to_graveyard", (o.id,), "704.5k", f"{o.id} is not the only newest world")


# --- attachments ----------------------------------------------------------------------------------------------------


def _attachment(view: View, o: Obj) -> Iterator[StateBased]:
    now = view.of(o.id)
    if any(_is_bestow(has.ability) for has in view.abilities(o.id)):
        return  # an Aura while it is attached to a creature, and a creature as soon as it is not (702.103f)
    if o.attached_to is not None and ("Aura" not in now.subtypes or "Creature" in now.types):
        why = _comes_loose(view, o, now)
        if why is not None:
            rule, text = why
            yield StateBased("unattach", (o.id,), rule, text)
    elif "Aura" in now.subtypes:
        why_not = _aura_falls_off(view, o)
        if why_not is not None:
            yield StateBased("to_graveyard", (o.id,), "704.5m", why_not)


def _aura_falls_off(view: View, o: Obj) -> str | None:
    """Why an Aura is not attached to something that it may enchant."""
    if o.attached_to is None or not _exists(view.game, o.attached_to):
        return f"{o.id} is not attached to anything"
    if not may_be_attached(view, o, o.attached_to):
        return f"{o.id} is attached to {o.attached_to}, which it cannot enchant"
    return None


def _is_bestow(ability: object) -> bool:
    effects_of = ability.effects if isinstance(ability, Static) else ()
    return any(isinstance(e, AlternativeCost) and e.name == "bestow" for e in effects_of)


def _exists(game: Game, target: str) -> bool:
    if target in game.players:
        return True
    host = game.objects.get(target)
    return host is not None and ((host.zone == "battlefield" and not host.phased_out) or host.zone == "graveyard")


def may_be_attached(view: View, o: Obj, target: str) -> bool:
    """Whether an Aura may enchant that object or player: its enchant abilities and protection (303.4c, 702.16c)."""
    for has in view.abilities(o.id):
        ability = has.ability
        if isinstance(ability, Keyword) and ability.name == "enchant":
            return _enchantable(view, o, ability, target)
    raise Unknown(f"what {o.id} may enchant was not understood", "not_understood", (o.id,))


def _enchantable(view: View, o: Obj, enchant: Keyword, target: str) -> bool:
    """Enchant player is a description in no zone, whose controller says which players."""
    context = context_about(view, o)
    what = enchant.what
    if what is None:
        raise Unknown(f"what {o.id} may enchant was not understood", "not_understood", (o.id,))
    if what == Filter(zone="any", controller=what.controller):
        return target in view.game.players and is_player(what.controller, target, context)
    if target in view.game.players:
        return False
    host = view.game.objects[target]
    if what.zone == "graveyard" and host.zone == "battlefield":
        # Animate Dead and its like enchant something else once they have brought it back.
        raise Unknown(f"what {o.id} enchants now is not modelled", "not_modelled", (o.id,))
    return matches(what, host.id, context) and not _protected(view, host, o) and not _refused(view, host, o)


def _refused(view: View, host: Obj, attached: Obj) -> bool:
    """Whether an effect says that this can't be attached to that (303.4i, 301.5c)."""
    deed = "be_enchanted" if "Aura" in view.of(attached.id).subtypes else "be_equipped"
    for active, effect, ctx in effects(view, Prohibit):
        if effect.action != deed or (effect.by is not None and not matches(effect.by, attached.id, ctx)):
            continue
        if matches(effect.what, host.id, ctx) and in_force(active, ctx):
            return True
    return False


def _protected(view: View, host: Obj, aura: Obj) -> bool:
    """702.16: protection from a quality that the Aura has."""
    for has in view.abilities(host.id):
        ability = has.ability
        if isinstance(ability, Keyword) and ability.name == "protection":
            if ability.what is None:
                raise Unknown(f"what {host.id} has protection from was not understood", "not_understood", (host.id,))
            if matches(ability.what, aura.id, context_about(view, host)):
                return True
    return False


def _comes_loose(view: View, o: Obj, now: Characteristics) -> tuple[str, str] | None:
    host = view.game.objects.get(o.attached_to or "")
    if "Creature" in now.types or "Battle" in now.types:
        return "704.5p", f"{o.id} is attached although it is a creature or battle"
    wanted = {"Equipment": "Creature", "Fortification": "Land"}
    kinds = [k for k in wanted if k in now.subtypes]
    if not kinds:
        return "704.5p", f"{o.id} is attached although it is no Aura, Equipment or Fortification"
    legal = host is not None and host.zone == "battlefield" and not host.phased_out
    if not legal or not any(wanted[k] in view.of(host.id).types for k in kinds):  # type: ignore[union-attr]
        return "704.5n", f"{o.id} is attached to {o.attached_to}, which it cannot equip or fortify"
    if host is not None and _protected(view, host, o):
        return "704.5n", f"{host.id} has protection from {o.id}"
    if host is not None and _refused(view, host, o):
        return "704.5n", f"{o.id} can't be attached to {host.id}"
    return None


# --- counters, Sagas, Roles, speed ----------------------------------------------------------------------------------


def _counters(o: Obj) -> Iterator[StateBased]:
    n = min(o.count("+1/+1"), o.count("-1/-1"))
    if n:
        both = (("+1/+1", n), ("-1/-1", n))
        yield StateBased("remove_counters", (o.id,), "704.5q", f"{o.id} has +1/+1 and -1/-1 counters", both)


def _saga(view: View, o: Obj) -> Iterator[StateBased]:
    """714.4: a Saga whose last chapter is reached is sacrificed once its chapter ability has left the stack."""
    now = view.of(o.id)
    lore = o.count("lore")
    if "Saga" not in now.subtypes or not lore:
        return
    chapters = [a.ability for a in view.abilities(o.id) if _is_chapter(a.ability)]
    if not chapters:
        return
    last = max(chapter.least for chapter in chapters if isinstance(chapter, Triggered))
    if not last:
        raise Unknown(f"the last chapter of {o.id} was not understood", "not_understood", (o.id,))
    if lore >= last and not _has_trigger_on_stack(view.game, o):
        yield StateBased("sacrifice", (o.id,), "704.5s", f"{o.id} has {lore} lore counters and {last} chapters")


def _is_chapter(ability: object) -> bool:
    return isinstance(ability, Triggered) and ability.event == "chapter"


def _roles(view: View, permanents: tuple[Obj, ...]) -> Iterator[StateBased]:
    groups: dict[tuple[str, str], list[Obj]] = {}
    for o in permanents:
        now = view.of(o.id)
        if "Role" in now.subtypes and o.attached_to is not None:
            groups.setdefault((o.attached_to, now.controller), []).append(o)
    for roles in groups.values():
        for o in sorted(roles, key=lambda r: r.timestamp)[:-1]:
            yield StateBased(
                "to_graveyard", (o.id,), "704.5y", f"{o.id} is not the newest Role of its controller there"
            )


def _speed(view: View, permanents: tuple[Obj, ...]) -> Iterator[StateBased]:
    starters = {view.of(o.id).controller for o in permanents if "start your engines!" in view.of(o.id).keywords}
    for name in view.game.players:
        player = view.game.players[name]
        if name in starters and not player.count("speed") and not player.history("speed"):
            yield StateBased("set_speed", (name,), "704.5z", f"{name} has no speed")
