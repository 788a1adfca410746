"""What a spell or ability leaves behind once it has resolved unanswered: permanents, mana, counters, effects.

Only what can matter to further mana and further spells is carried out. What else happens is named in `doubts`: with
`adds` what might help the player, with `takes` what might hurt. Choices are as the player likes (format.md,
can_cast_all), so optional actions hurt nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from .abilities import (
    Activated,
    AddMana,
    Become,
    CostPart,
    Damage,
    Do,
    Effect,
    EntersWith,
    Keyword,
    LinkedCount,
    LoseLife,
    ManaPart,
    PayLife,
    Prohibit,
    Reveal,
    SpellAbility,
    Static,
    TapSelf,
    ThisTurn,
    Triggered,
    Unread,
    UntapSelf,
    is_mana_ability,
)
from .characteristics import View, view_of
from .damage import life_taken
from .evaluate import Context, SpellInfo, amount, holds, matches, matches_spell, players_of
from .forms import EffectForm
from .game import Chosen, Game, Has, Obj, Unknown
from .paying import leave
from .proposals import Proposal
from .pseudo import modelled, pseudo_card
from .replay import Units, kinds_of
from .state_based import state_based_actions
from .structures import mentions, parts_of, refers_to
from .timing import life_refusal

PERMANENTS = frozenset(["Artifact", "Creature", "Enchantment", "Planeswalker", "Battle", "Land"])
# What an action might do for further spells, by its word: more to pay with, or less. Other actions do neither.
_MAKES = frozenset(["create", "copy", "investigate", "manifest", "cloak", "amass", "incubate", "populate", "conjure"])
_ADDS = _MAKES | {"untap", "return", "search", "transform", "counters", "put", "lasting", "choose", "add"}
_ADDS |= {"proliferate", "double", "exchange", "roll", "flip", "venture"}
_HELPS = _MAKES | {"untap", "return", "search", "lasting", "add", "proliferate", "double", "exchange", "venture"}
_TAKES = frozenset(
    ["sacrifice", "discard", "tap", "exile", "destroy", "lasting", "return", "gets", "get", "transform", "counter"]
)
_LOSES = frozenset(["sacrifice", "return", "discard"])  # what the next spell may need is gone


# Events of which no more is known than their kind, with the words of the actions that can bring them about; "paid":
# mana abilities and costs can. Those that are not here (attacks, blocks, steps) happen to no spell that resolves.
_KINDS: dict[str, frozenset[str]] = {
    "cast_other": frozenset(["cast"]),
    "enters_other": _MAKES | {"enters", "return", "put", "search", "lasting", "choose", "other"},
    "target": frozenset(["target"]),
    "draws": frozenset(["draw", "lasting", "other"]),
    "discard": frozenset(["discard", "lasting", "other", "paid"]),
    "sacrifice": frozenset(["sacrifice", "lasting", "other", "paid"]),
    "damage": frozenset(["deal", "damage", "fight", "lasting", "other", "paid"]),
    "life": frozenset(["gain", "lose", "damage", "deal", "lasting", "other", "paid"]),
    "transforms": frozenset(["transform", "lasting", "other"]),
    "face_up": frozenset(["lasting", "other"]),
}
_DYING = frozenset(
    ["deal", "damage", "destroy", "sacrifice", "get", "fight", "exile", "return", "lasting", "choose", "other", "paid"]
)
_KINDS |= dict.fromkeys(["dies", "dies_other", "leaves_battlefield"], _DYING)

# What actions may be written on in the history of the turn, by its key in situations.
_REMEMBERED: dict[str, frozenset[str]] = {
    "life_lost": frozenset(["deal", "damage", "lose", "lasting", "other", "paid"]),
    "opponents_damaged": frozenset(["deal", "damage", "other"]),
    "life_gained": frozenset(["gain", "lasting", "other"]),
    "creatures_died": _DYING,
    "crimes": frozenset(["target", *_DYING, "counter", "tap", "discard", "mill", "lose"]),
    "descended": frozenset(["discard", "mill", "surveil", "put", *_DYING]),
    "discarded": frozenset(["discard", "lasting", "other", "paid"]),
    "drawn": frozenset(["draw", "lasting", "other", "paid"]),
    "sacrificed": frozenset(["sacrifice", "lasting", "other", "paid"]),
    "searched": frozenset(["search", "other"]),
}


class Doubt(NamedTuple):
    """Something of a resolution that is not carried out, and which way it could change what comes."""

    text: str
    objects: tuple[str, ...]
    adds: bool
    takes: bool
    life: bool = False  # the player may gain life, and nothing else


class Resolved(NamedTuple):
    """The game after the spell has resolved, the mana that casting and resolving it made, and what is in doubt."""

    game: Game
    mana: Units = ()
    doubts: tuple[Doubt, ...] = ()


def with_cast(proposal: Proposal, paid: Game) -> Game:
    """The game in which the spell counts as cast (601.2i)."""
    card = paid.objects[proposal.source].card
    if len(card.faces) > 1 and card.layout not in ("transform", "flip"):
        card = msgspec.structs.replace(card, faces=(card.faces[proposal.face],), layout="normal")
    who = paid.players[proposal.player]
    return paid.put_player(who.but(cast_this_turn=(*who.cast_this_turn, card)))


def resolved(game: Game, proposal: Proposal, paid: Game) -> list[Resolved]:
    """The games after the spell that was proposed in `game` resolves, one for each choice that makes other mana.
    `paid`: the game once its cost was paid and it counts as cast, the spell on the stack."""
    resolving = _Resolving(proposal, paid)
    resolving.resolve(game)
    return resolving.results()


def on_stack(proposal: Proposal, paid: Game) -> Game:
    """The game in which the activated ability is on the stack (602.2a), its costs paid."""
    from .cards.render import words

    ability = _ability_of(proposal)
    oid = next(i for i in ("ability", *(f"ability#{n}" for n in range(2, 999))) if i not in paid.objects)
    obj = Obj(
        id=oid,
        card=pseudo_card(words(ability), "ability", ()),
        zone="stack",
        controller=proposal.player,
        owner=proposal.player,
        source=proposal.source,
        targets=proposal.targets,
        modes=proposal.modes,
        x=proposal.x,
    )
    game = paid.put(obj)
    return Game(game.you, game.players, game.objects, game.turn, (*game.stack, oid), game.written)


def resolved_ability(proposal: Proposal, paid: Game) -> list[Resolved]:
    """The games after the activated ability on top of the stack resolves, as `resolved` for a spell."""
    resolving = _ResolvingAbility(proposal, paid)
    resolving.resolve(paid)
    return resolving.results()


def _ability_of(proposal: Proposal) -> Activated:
    found = (h.ability for h in proposal.view.abilities(proposal.source) if h.number == proposal.number)
    ability = next(found)
    assert isinstance(ability, Activated)
    return ability


def entering_rules(view: View, entering: str) -> Iterator[tuple[str, str, EntersWith]]:
    """What other objects say of how objects enter: (source, you, how)."""
    for zone in ("battlefield", "command", "effect"):
        for i in view.zone_ids(zone):
            if i == entering or (zone == "command" and view.game.objects[i].card.faces[0].types):
                continue
            seen = view.seen(i)
            for has in seen.abilities:
                if isinstance(has.ability, EntersWith) and has.ability.what is not None:
                    yield i, seen.controller, has.ability


class _Resolving:
    def __init__(self, proposal: Proposal, paid: Game) -> None:
        self.proposal, self.player, self.id = proposal, proposal.player, proposal.source
        self.game = paid
        self.doubts: list[Doubt] = []
        self.choices: list[list[Units]] = []
        self.done = {"cast"}  # words of what happened

    @property
    def spell(self) -> SpellInfo:
        assert self.proposal.spell is not None
        return self.proposal.spell

    @property
    def name(self) -> str:
        return self.spell.seen.name or self.id

    def doubt(self, text: str, *, adds: bool = True, takes: bool = True) -> None:
        self.doubts.append(Doubt(text, (self.id,), adds, takes))

    def results(self) -> list[Resolved]:
        found = []
        for units in product(*self.choices):
            mana = tuple(unit for some in units for unit in some)
            who = self.game.players[self.player]
            for kind, n in mana:
                who = who.add_mana(kind, n)
            found.append(Resolved(self.game.put_player(who), mana, tuple(self.doubts)))
        return found

    def resolve(self, before: Game) -> None:
        self._trigger("cast", self._triggers_on_cast())
        if self.proposal.targets:
            self.done.add("target")
        if self.proposal.parts or _pays_otherwise(self.proposal):
            self.done.add("paid")
        watching = view_of(self.game)
        self._leave_stack()
        if PERMANENTS & set(self.spell.seen.types):
            self._enter(before)
        else:
            self._do_as_spell(before)
        self._state_based()
        self._other_triggers(watching)
        self._history()

    def _history(self) -> None:
        """What may have happened this turn by now (spectacle, morbid …), where a card asks for it: lines keep no
        record of it, except of the spells that were cast."""
        cards = {id(o.card): o.card for o in self.game.objects.values()}
        asked = {
            p.what for c in cards.values() if mentions(c, ThisTurn) for p in parts_of(c) if isinstance(p, ThisTurn)
        }
        for what in sorted(asked):
            if self.done & _REMEMBERED.get(what, frozenset()):
                self.doubt(f"what {self.name} adds to the history of this turn ({what})", takes=False)

    def _state_based(self) -> None:
        """What is performed before any player gets priority again (704.3)."""
        for _ in range(10):
            try:
                actions = [a for a in state_based_actions(self.game) if a.kind not in ("set_speed", "remove_counters")]
            except Unknown as unknown:
                self.doubt(unknown.text)
                return
            if not actions:
                return
            leaving = {i for a in actions if a.kind in ("destroy", "to_graveyard", "sacrifice") for i in a.objects}
            for action in actions:
                if not set(action.objects) <= leaving:
                    self.doubt(f"{action.why} ({action.kind})")
            if not leaving:
                return
            self.game = leave(self.game, sacrificed=sorted(i for i in leaving if i in self.game.objects))

    def _leave_stack(self) -> None:
        game = self.game
        stack = tuple(i for i in game.stack if i != self.id)
        self.game = Game(game.you, game.players, game.objects, game.turn, stack, game.written)

    def _triggers_on_cast(self) -> Iterator[tuple[str, str, Triggered]]:
        view = view_of(self.game)
        for source, you, trigger, _ in view.triggers():
            if trigger.event != "cast":
                continue
            ctx = Context(view, source=source, you=you, spell=self.spell)
            fits = self.player in players_of(trigger.who, ctx) and (
                trigger.what is None or matches_spell(trigger.what, self.spell, ctx)
            )
            if fits and (trigger.condition is None or self._may_hold(trigger, source, ctx)):
                yield source, you, trigger
        for has in self.spell.seen.abilities:
            if isinstance(has.ability, Triggered) and has.ability.event == "cast_this":
                yield self.id, self.player, has.ability

    def _may_hold(self, trigger: Triggered, source: str, ctx: Context) -> bool:
        """An intervening if (603.4): in doubt, nothing is done, but it may have been."""
        assert trigger.condition is not None
        try:
            return holds(trigger.condition, ctx)
        except Unknown:
            self._may_do(source, ctx.you, trigger)
            return False

    def _other_triggers(self, watching: View) -> None:
        """Triggers on events that are known by their kind only: whether they happened is in doubt."""
        for view in (watching, view_of(self.game)):
            for source, you, trigger, _ in view.triggers():
                if self.done & _KINDS.get(trigger.event, frozenset()):
                    self._may_do(source, you, trigger)
        self.doubts = list(dict.fromkeys(self.doubts))

    def _may_do(self, source: str, you: str, trigger: Triggered) -> None:
        """What a trigger might do: as doubts."""
        mine = you == self.player
        words = [e.what for e in trigger.effects if isinstance(e, Do)]
        adds = any(isinstance(e, AddMana) and (mine or e.to in ("that", "any")) for e in trigger.effects)
        adds = adds or any(isinstance(e, Become | Unread) for e in trigger.effects)
        adds = adds or (mine and any(w in _HELPS for w in words))
        takes = not (mine and trigger.optional) and any(w in _TAKES for w in words)
        # An own one hurts where it has to, and is known to trigger.
        own_loss = trigger.event == "cast_other" and not trigger.targets and any(w in _LOSES for w in words)
        if adds or takes:
            self.doubt(f"a triggered ability of {source}", adds=adds, takes=takes and (own_loss or not mine))

    # triggered abilities

    def _trigger(self, event: str, found: Iterator[tuple[str, str, Triggered]]) -> None:
        try:
            triggers = list(found)
        except Unknown as unknown:
            self.doubt(f"what triggers as it is {event}: {unknown.text}")
            return
        for source, you, trigger in triggers:
            if trigger.targets:
                self.doubt(f"a triggered ability of {source} has a target", takes=not trigger.optional)
                continue
            ctx = Context(view_of(self.game), source=source, you=you, that=self.id)
            self._do(trigger.effects, ctx, optional=trigger.optional or (you == self.player and _harmless(trigger)))

    # entering the battlefield (608.3)

    def _enter(self, before: Game) -> None:
        game, spell = self.game, self.spell
        old = before.objects[self.id]
        newest = max((o.timestamp for o in game.objects.values()), default=0)
        obj = Obj(
            id=self.id,
            card=old.card,
            zone="battlefield",
            controller=self.player,
            owner=old.owner,
            face=self.proposal.face if spell.obj.card is old.card else 0,
            face_down=spell.obj.face_down,
            timestamp=newest + 1,
            sick=True,
            entered_this_turn=True,
            commander=old.commander,
            casts=old.casts + (old.commander and old.zone == "command"),
            x=self.proposal.x,
            attached_to=self.proposal.targets[0] if "Aura" in spell.seen.subtypes and self.proposal.targets else None,
        )
        self.game = game.put(obj)
        self.done.add("enters")
        for has in view_of(self.game).of(self.id).abilities:
            if isinstance(has.ability, EntersWith):
                self._enter_with(has.ability)
        for source, you, how in entering_rules(view_of(self.game), self.id):
            self._enter_by(how, Context(view_of(self.game), source=source, you=you))
        self._loyalty()
        self._trigger("put onto the battlefield", self._triggers_on_entering())

    def _enter_with(self, how: EntersWith) -> None:
        if how.what is not None:
            return
        if how.choose and how.copy_of is None and not how.unread and self._only_forbids():
            # The player chooses what hurts nobody here, which is as good as no choice.
            chosen = Chosen(**dict.fromkeys(Chosen.__struct_fields__))
            self.game = self.game.put(self.game.objects[self.id].but(chosen=chosen))
            return
        if how.unread or how.copy_of is not None or how.choose:
            self.doubt(f"how {self.id} enters is a matter of choice", takes=how.unread)
            return
        ctx = Context(view_of(self.game), source=self.id, you=self.player, x=self.proposal.x)
        if how.condition is not None and not holds(how.condition, ctx):
            return
        if how.unless:
            self.doubt(f"{self.id} enters untapped only at a cost")
        obj = self.game.objects[self.id]
        if how.counters:
            obj = obj.with_counters(how.counters, amount(how.n, ctx))
        self.game = self.game.put(obj.but(tapped=obj.tapped or how.tapped))

    def _enter_by(self, how: EntersWith, ctx: Context) -> None:
        """What another permanent says of how this one enters (614.1d, 614.12)."""
        assert how.what is not None
        try:
            if not matches(how.what, self.id, ctx) or (how.condition is not None and not holds(how.condition, ctx)):
                return
        except Unknown as unknown:
            self.doubt(f"how {self.id} enters: {unknown.text}")
            return
        if how.tapped and not how.counters and not how.unless:
            self.game = self.game.put(self.game.objects[self.id].but(tapped=True))
        else:
            self.doubt(f"how {self.id} enters is up to {ctx.source}")

    def _only_forbids(self) -> bool:
        """Whether all that a choice can do is to forbid something."""
        for has in view_of(self.game).of(self.id).abilities:
            ability = has.ability
            if isinstance(ability, Static) and all(isinstance(e, Prohibit) for e in ability.effects):
                continue
            if not isinstance(ability, EntersWith | Keyword):
                return False
        return True

    def _loyalty(self) -> None:
        seen = view_of(self.game).of(self.id)
        if "Planeswalker" in seen.types and seen.loyalty:
            obj = self.game.objects[self.id]
            self.game = self.game.put(obj.with_counters("loyalty", seen.loyalty - obj.count("loyalty")))

    def _triggers_on_entering(self) -> Iterator[tuple[str, str, Triggered]]:
        view = view_of(self.game)
        for source, you, trigger, _ in view.triggers():
            if trigger.event != "enters" and not trigger.event.startswith("enters_or_"):
                continue
            ctx = Context(view, source=source, you=you)
            fits = trigger.what is None or matches(trigger.what, self.id, ctx)
            if fits and (trigger.condition is None or holds(trigger.condition, ctx)):
                yield source, you, trigger

    # resolving as an instant or a sorcery (608.2)

    def _do_as_spell(self, before: Game) -> None:
        spell, view = self.spell, self.proposal.view
        ctx = Context(
            view.after(self.game), source=self.id, you=self.player, x=spell.x, targets=spell.targets, spell=spell
        )
        for has in spell.seen.abilities:
            if isinstance(has.ability, SpellAbility):
                self._do(_chosen_effects(has, self.proposal.modes), ctx, optional=False)
        old = before.objects[self.id]
        gone = Obj(
            id=self.id,
            card=old.card,
            zone="exile" if _is_exiled(self.proposal) else "graveyard",
            controller=old.owner,
            owner=old.owner,
            timestamp=old.timestamp,
            commander=old.commander,
            casts=old.casts,
        )
        self.game = self.game.put(gone)

    def _do(self, effects: Sequence[Effect], ctx: Context, *, optional: bool) -> None:
        adding = tuple(e for e in effects if isinstance(e, AddMana))
        if adding:
            self._add(adding, ctx)
        for effect in effects:
            self.done.add(effect.what.removesuffix("s") if isinstance(effect, Do) else "damage")
            match effect:
                case AddMana():
                    pass
                case Damage() | LoseLife():
                    self._lose(effect, ctx)
                case Become(abilities):
                    self._last(abilities, ctx)
                case Do("counters", objects) if objects is not None and effect.detail:
                    self._counters(effect, ctx)
                case Do("player_counters") if effect.detail and ctx.you == self.player:
                    who = self.game.players[self.player]
                    have = dict(who.counters)
                    have[effect.detail] = have.get(effect.detail, 0) + amount(effect.n, ctx)
                    self.game = self.game.put_player(who.but(counters=tuple(sorted(have.items()))))
                case Do("gain" | "gains"):
                    self.doubts.append(Doubt(f"{ctx.source}: gain", (self.id,), False, False, life=True))
                case Do("draw" | "draws") if self._known_library():
                    self.doubt(f"{ctx.source}: draw", takes=False)
                case Do(what):
                    adds = what in _ADDS or (what == "exile" and _uses_what_is_put_aside(ctx))
                    if adds or what in _TAKES:
                        takes = what in _TAKES and not (optional or effect.optional)
                        self.doubt(f"{ctx.source}: {what}", adds=adds, takes=takes)
                case _:
                    self.doubt(f"a part of what {ctx.source} does was not understood")

    def _add(self, effects: tuple[AddMana, ...], ctx: Context) -> None:
        from .production import Reflection, activation_outcomes

        if any(e.to not in ("you", "controller") for e in effects):
            self.doubt(f"{ctx.source} adds mana for another player", takes=False)
            return
        if ctx.you != self.player:
            return
        view = ctx.view
        assert isinstance(view, View)
        try:
            found = activation_outcomes(view, ctx.source or "", Activated((), effects), ctx, Reflection(view).look)
        except Unknown as unknown:
            self.doubt(unknown.text, takes=False)
            return
        options = {tuple(u for p in outcome.made for u in kinds_of(view, p)): None for outcome in found}
        self.choices.append(list(options))

    def _lose(self, effect: Damage | LoseLife, ctx: Context) -> None:
        mine = ctx.you == self.player
        # Of a trigger, "that player" casts the spell, and "its controller" controls what enters.
        caster = ctx.that == self.id and effect.to in ("controller", "that")
        if caster or effect.to in ("any", "controller" if mine else "", "you" if mine else "opponents"):
            who = self.game.players[self.player]
            view = view_of(self.game)
            self.game = self.game.put_player(who.but(life=who.life - life_taken(effect, view, self.player, ctx)))

    def _last(self, abilities: tuple, ctx: Context) -> None:
        """An effect with no permanent, until the end of the turn at least (611.2)."""
        names = set(self.game.objects)
        name = self.name
        oid = next(i for i in (f"{name} effect", *(f"{name} effect#{n}" for n in range(2, 99))) if i not in names)
        newest = max((o.timestamp for o in self.game.objects.values()), default=0)
        effect = Obj(
            id=oid,
            card=pseudo_card(name, "effect", [modelled(abilities)]),
            zone="effect",
            controller=ctx.you,
            owner=ctx.you,
            timestamp=newest + 1,
            targets=ctx.targets,
            x=ctx.x,
        )
        game = self.game.put(effect)
        written = {**game.written, oid: EffectForm(card=name)}
        self.game = Game(game.you, game.players, game.objects, game.turn, game.stack, written)

    def _known_library(self) -> bool:
        return any(o.owner == self.player for o in self.game.in_zone("library"))

    def _counters(self, effect: Do, ctx: Context) -> None:
        source = ctx.source or ""
        obj = self.game.objects.get(source)
        if effect.objects is None or not effect.objects.me or obj is None:
            self.doubt(f"{source} puts counters on something")
            return
        self.game = self.game.put(obj.with_counters(effect.detail, amount(effect.n, ctx)))


class _ResolvingAbility(_Resolving):
    """An activated ability: no permanent enters, and nothing of it goes to a graveyard."""

    @property
    def name(self) -> str:
        obj = self.proposal.view.game.objects[self.id]
        return obj.card.faces[obj.face].name

    def resolve(self, before: Game) -> None:
        self.done = {"activate"}
        if self.proposal.targets:
            self.done.add("target")
        if self.proposal.parts:
            self.done.add("paid")
        watching = self.proposal.view
        ability = _ability_of(self.proposal)
        top = self.game.stack[-1]
        self.game = self.game.without([top])
        self.game = Game(
            self.game.you, self.game.players, self.game.objects, self.game.turn, before.stack[:-1], self.game.written
        )
        view = view_of(self.game)
        ctx = Context(view, source=self.id, you=self.player, x=self.proposal.x, targets=self.proposal.targets)
        modes = [ability.modes[n - 1] for n in self.proposal.modes if n <= len(ability.modes)]
        self._do((*ability.effects, *(e for mode in modes for e in mode.effects)), ctx, optional=False)
        self._state_based()
        self._other_triggers(watching)


def landed(before: Game, played: Game, player: str, land: str) -> list[Resolved]:
    """The games after a land has entered as it was played, and what triggered on that has resolved, for each choice.
    `before`: without it on the battlefield; `played`: with it there, as though it entered in no special way."""
    found: list[Resolved] = []
    for pays in (False, True):
        landing = _Landing(before, played, player, land, pays)
        if landing.enter():
            found += landing.results()
    return found


class _Landing(_Resolving):
    """A land that is played (305.1): it uses no stack; what says how it enters is looked at as it would be on the
    battlefield, conditions as the board is without it (614.12)."""

    def __init__(self, before: Game, played: Game, player: str, land: str, pays: bool) -> None:
        self.before, self.game, self.player, self.id, self.pays = before, played, player, land, pays
        self.doubts: list[Doubt] = []
        self.choices: list[list[Units]] = []
        self.done = {"enters"}

    @property
    def name(self) -> str:
        obj = self.game.objects[self.id]
        return obj.card.faces[obj.face].name

    def enter(self) -> bool:
        """Whether it may enter so: with what its text asks for paid, or not."""
        seen = view_of(self.game).of(self.id)
        ways = [h.ability for h in seen.abilities if isinstance(h.ability, EntersWith) and h.ability.what is None]
        if self.pays and not any(how.unless for how in ways):
            return False
        if "Saga" in seen.subtypes:
            self.doubt(f"the chapters of {self.id} are not carried out")
        for how in ways:
            if how.unread or how.copy_of is not None or how.choose:
                self.doubt(f"how {self.id} enters is a matter of choice", takes=how.unread)
            if not self._enters_so(how):
                return False
        for source, you, how in entering_rules(view_of(self.game), self.id):
            self._enter_by(how, Context(view_of(self.game), source=source, you=you))
        watching = view_of(self.game)
        self._trigger("put onto the battlefield", self._triggers_on_entering())
        self._state_based()
        self._other_triggers(watching)
        return True

    def _enters_so(self, how: EntersWith) -> bool:
        ctx = Context(view_of(self.before), source=self.id, you=self.player)
        try:
            if how.condition is not None and not holds(how.condition, ctx):
                return True
            n = amount(how.n, ctx) if how.counters else 0
        except Unknown as unknown:
            self.doubt(f"how {self.id} enters: {unknown.text}")
            return True
        obj = self.game.objects[self.id]
        if how.counters:
            obj = obj.with_counters(how.counters, n)
        if how.unless and self.pays:
            self.game = self.game.put(obj)
            return all(self._pay(part) for part in how.unless)
        self.game = self.game.put(obj.but(tapped=obj.tapped or how.tapped))
        return True

    def _pay(self, part: CostPart) -> bool:
        """A cost that is asked for as it enters (118.12): life, or a card that is shown."""
        view = view_of(self.before)
        if isinstance(part, PayLife) and isinstance(part.n, int):
            who = self.game.players[self.player]
            self.game = self.game.put_player(who.but(life=who.life - part.n))
            return who.life >= part.n and life_refusal(view, self.player, spell_or_ability=False) is None
        if isinstance(part, Reveal):
            ctx = Context(view, source=self.id, you=self.player)
            mine = (i for i in view.zone_ids("hand") if i != self.id and self.before.objects[i].owner == self.player)
            return any(matches(part.what, i, ctx) for i in mine)
        self.doubt(f"{self.id} enters untapped only at a cost")
        return False


def _pays_otherwise(proposal: Proposal) -> bool:
    """Whether a mana ability of the player's asks for more than mana and {T}."""
    view = proposal.view
    return any(
        isinstance(has.ability, Activated)
        and is_mana_ability(has.ability)
        and not all(
            isinstance(part, ManaPart | TapSelf | UntapSelf | AddMana)
            for part in (*has.ability.cost, *has.ability.effects)
        )
        for i in view.zone_ids("battlefield")
        if view.seen(i).controller == proposal.player
        for has in view.seen(i).abilities
    )


def _uses_what_is_put_aside(ctx: Context) -> bool:
    """607.2a: whether other abilities of the source speak of the cards that one of them exiles."""
    view = ctx.view
    assert isinstance(view, View)
    source = ctx.source
    if source is None or source not in view.game.objects:
        return False
    return any(refers_to(h.ability, "linked") or mentions(h.ability, LinkedCount) for h in view.of(source).abilities)


def _harmless(trigger: Triggered) -> bool:
    return not any(isinstance(e, Do) and e.what in _TAKES for e in trigger.effects)


def _chosen_effects(has: Has, modes: tuple[int, ...]) -> tuple[Effect, ...]:
    ability = has.ability
    assert isinstance(ability, SpellAbility)
    chosen = [ability.modes[n - 1] for n in modes if n <= len(ability.modes)]
    return (*ability.effects, *(e for mode in chosen for e in mode.effects))


def _is_exiled(proposal: Proposal) -> bool:
    """702.34a and kin: what was cast from a graveyard by such an ability is exiled as it leaves the stack."""
    return proposal.purpose.keyword in ("flashback", "jump-start", "aftermath", "harmonize")
