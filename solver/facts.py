"""Facts of a board that may rule something out, each with the game in which it is not so.

A *fact* is true of the game at hand ("this land is tapped", "nothing else makes {U}", "Contamination changes the
mana"); `drop` gives the game as it would be without it, and everything else is left to the rooms that answer
questions. So an explanation is tried on real boards by the same rules as the answer, and a reader can try it again
with `what_if`.

What an ability or effect says is dropped by taking it out of the text of its card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from ..model import abilities as ab
from ..model.abilities import Activated, Card, is_mana_ability
from ..model.characteristics import View
from ..model.evaluate import Context, amount
from ..model.game import Game, Has, ManaKind, Obj, TurnState, Unknown
from ..model.mana import TYPES
from ..model.production import refers_to
from ..model.timing import has_tap_symbol, instant_refusal, sorcery_refusal
from .answer import Reason

FactKind = Literal[
    "absence",
    "tapped",
    "sick",
    "used",
    "condition",
    "own_cost",
    "restricted",
    "amount",
    "counters",
    "effect",
    "life",
    "timing",
]

# So much mana of a type, or life, is more than any question here asks for.
PLENTY = 1000


class Fact(NamedTuple):
    """One fact: the reason that states it, the game without it, and what it is about. `both_ways`: dropping it may also
    take possibilities away, so the board with it counts as well."""

    kind: FactKind
    reason: Reason
    drop: Callable[[Game], Game]
    clause: str = ""  # the same as a predicate: "is tapped", "needs {W} or {U} first"
    type: str = ""  # of an absence: the type of mana, S for snow mana
    both_ways: bool = False

    @property
    def objects(self) -> tuple[str, ...]:
        return self.reason.objects


def facts_of(view: View, player: str, about: str | None = None, action: str = "pay", snow: bool = False) -> list[Fact]:
    """The facts of this board that could stand in the way. `about`: the card or permanent that is cast or whose ability
    is activated; `action`: pay, cast or activate; `snow`: whether snow mana is asked for."""
    found = [
        *_own_costs(view, player, about if action == "activate" else None),
        *_restrictions(view, player),
        *amounts(view, [obj.id for obj in _mine(view, player)]),
        *_conditions(view, player),
        *_used(view, player),
        *_counters(view, player),
        *_life(view, player),
        *effects(view),
        *(_own_rules(view, about) if action == "cast" and about else ()),
        *_states(view, player),
        *_absences(player, snow),
    ]
    if action != "pay":
        found += _timing(view, player)
    return found


# --- absences ---------------------------------------------------------------------------------------------------------


def _absences(player: str, snow: bool) -> Iterator[Fact]:
    """Nothing else makes this type of mana: without the fact, there is plenty of it."""
    for type_ in (*reversed(TYPES), *("S" if snow else "")):
        name = "snow" if type_ == "S" else f"{{{type_}}}"
        rule = "107.4h" if type_ == "S" else "107.4c" if type_ == "C" else "107.4a"
        reason = Reason("nothing_makes", rule, (), f"nothing else here makes {name}{' mana' if type_ == 'S' else ''}")
        yield Fact("absence", reason, _with_mana(player, type_), type=type_)


def _with_mana(player: str, type_: str) -> Callable[[Game], Game]:
    kind = ManaKind("C", None, True) if type_ == "S" else ManaKind(type_)
    return lambda game: game.put_player(game.players[player].add_mana(kind, PLENTY))


# --- how permanents are -----------------------------------------------------------------------------------------------


def _mine(view: View, player: str) -> Iterator[Obj]:
    for oid in view.zone_ids("battlefield"):
        if view.seen(oid).controller == player:
            yield view.game.objects[oid]


def _activated(view: View, oid: str) -> list[tuple[Has, Activated]]:
    return [(h, h.ability) for h in view.seen(oid).abilities if isinstance(h.ability, Activated)]


def _mana_abilities(view: View, oid: str) -> list[tuple[Has, Activated]]:
    return [(h, a) for h, a in _activated(view, oid) if is_mana_ability(a)]


def _states(view: View, player: str) -> Iterator[Fact]:
    """Summoning sickness, then being tapped; permanents of one name are one fact."""
    sick: dict[str, list[str]] = {}
    tapped: dict[str, list[str]] = {}
    for obj in _mine(view, player):
        chars = view.seen(obj.id)
        taps = any(has_tap_symbol(a.cost) for _, a in _activated(view, obj.id))
        if obj.tapped and (taps or {"Creature", "Artifact"} & set(chars.types)):
            tapped.setdefault(chars.name, []).append(obj.id)
        if obj.sick and "Creature" in chars.types and "haste" not in chars.keywords and taps:
            sick.setdefault(chars.name, []).append(obj.id)
    for ids in sick.values():
        text = f"{names(ids)} came under {player_s(player)} control this turn"
        yield Fact(
            "sick", Reason("sick", "302.6", tuple(ids), text), _changing(ids, sick=False), f"{are(ids)} summoning sick"
        )
    for ids in tapped.values():
        text = f"{names(ids)} {are(ids)} tapped"
        drop = _changing(ids, tapped=False)
        yield Fact("tapped", Reason("tapped", "107.5", tuple(ids), text), drop, f"{are(ids)} tapped")


def _changing(ids: Sequence[str], **changes: object) -> Callable[[Game], Game]:
    return lambda game: game.put(*(game.objects[i].but(**changes) for i in ids if i in game.objects))


def _used(view: View, player: str) -> Iterator[Fact]:
    for obj in _mine(view, player):
        for has, ability in _activated(view, obj.id):
            if (ability.once or ability.limit) and has.number in obj.activated:
                text = f"ability {has.number} of {obj.id} was activated already"
                reason = Reason("cannot_activate", "602.5b", (obj.id,), text)
                yield Fact("used", reason, _changing((obj.id,), activated=()), "was activated already")


def _life(view: View, player: str) -> Iterator[Fact]:
    life = view.game.players[player].life
    reason = Reason("no_life", "119.4", (), f"{player} {'have' if player == 'you' else 'has'} {life} life")
    yield Fact("life", reason, lambda game: game.put_player(game.players[player].but(life=life + PLENTY)))


def _timing(view: View, player: str) -> Iterator[Fact]:
    refusal = sorcery_refusal(view, player) or instant_refusal(view, player)
    if refusal is None:
        return
    number = view.game.turn.number
    turn = TurnState(player, "main1", player, number)
    reason = Reason(refusal.code, refusal.rule, refusal.objects, refusal.text)
    yield Fact("timing", reason, lambda game: msgspec.structs.replace(game, turn=turn, stack=()), both_ways=True)


# --- what abilities say -----------------------------------------------------------------------------------------------


def _own_costs(view: View, player: str, about: str | None) -> Iterator[Fact]:
    """What mana abilities cost beside {T}; of what is activated, what it costs beside mana."""
    alike: dict[tuple[str, int, Activated], list[str]] = {}
    for obj in _mine(view, player):
        for has, ability in _mana_abilities(view, obj.id):
            if has.origin == "printed" and any(not isinstance(p, ab.TapSelf) for p in ability.cost):
                alike.setdefault((view.seen(obj.id).name, has.number, ability), []).append(obj.id)
    for (_, number, ability), ids in alike.items():
        rest = tuple(p for p in ability.cost if not isinstance(p, ab.TapSelf) and not _own_counters(p))
        if not rest:
            continue
        kept = tuple(p for p in ability.cost if p not in rest)
        free = _changed(Activated, "cost", ability.cost, cost=kept)
        text = f"{which(view, ids, number)} costs{_cost(rest)}"
        reason = Reason("cost_unpayable", "602.2b", tuple(ids), text)
        # An effect that speaks of what was paid with has nothing to speak of where nothing is paid.
        speaks = any(refers_to(ability.effects, ref) for ref in ("that", "linked"))
        yield Fact("own_cost", reason, _rewriting(ids, free), _needs(rest), both_ways=speaks)
    if about is not None and about in view.game.objects:
        for has, ability in _activated(view, about):
            rest = tuple(
                p for p in ability.cost if not isinstance(p, ab.TapSelf | ab.ManaPart) and not _own_counters(p)
            )
            if rest and not is_mana_ability(ability):
                kept = tuple(p for p in ability.cost if p not in rest)
                text = f"{which(view, (about,), has.number)} costs{_cost(rest)}, which cannot be paid now"
                reason = Reason("cost_unpayable", "602.2b", (about,), text)
                drop = _rewriting((about,), _changed(Activated, "cost", ability.cost, cost=kept))
                yield Fact("own_cost", reason, drop, _needs(rest))


def _own_counters(part: ab.CostPart) -> str | None:
    """The kind of counters that the part takes from the object itself ("" for any)."""
    if isinstance(part, ab.Loyalty):
        return "loyalty" if part.n < 0 or part.x else None
    return part.kind if isinstance(part, ab.RemoveCounters) and part.from_.me else None


def _counters(view: View, player: str) -> Iterator[Fact]:
    """How many counters there are to be removed for a cost."""
    for obj in _mine(view, player):
        parts = (part for _, ability in _activated(view, obj.id) for part in ability.cost)
        for kind in dict.fromkeys(k for part in parts if (k := _own_counters(part))):
            n = obj.count(kind)
            text = f"{obj.id} has {n or 'no'} {kind} counter{'' if n == 1 else 's'}"
            drop = _changing((obj.id,), counters=obj.with_counters(kind, PLENTY).counters)
            clause = text.removeprefix(f"{obj.id} ")
            yield Fact("counters", Reason("cost_unpayable", "118.3", (obj.id,), text), drop, clause)


def _needs(cost: Sequence[ab.CostPart]) -> str:
    """`needs {W} or {U} first`, or what the cost asks for in words."""
    from ..model.cards.render import cost_text

    if all(isinstance(part, ab.ManaPart) for part in cost):
        return f"needs {cost_text(cost).replace('/', '} or {')} first"
    return f'has the cost "{cost_text(cost)}"'


def _cost(cost: Sequence[ab.CostPart]) -> str:
    """` {2}, {Q}` or `: sacrifice a creature`, for a sentence to go on with."""
    from ..model.cards.render import cost_text

    text = cost_text(cost)
    return f" {text}" if text.startswith("{") else f": {text}"


def which(view: View, ids: Sequence[str], number: int) -> str:
    """The ability of objects that are alike, by its number where they have several."""
    several = len(_activated(view, ids[0])) > 1
    return f"ability {number} of {names(ids)}" if several else f"the ability of {names(ids)}"


def _changed(node_type: type, field: str, old: object, **changes: object) -> Callable[[object], object]:
    """Changes every such structure in which the field is as it was: other facts may have changed other fields."""

    def change(node: object) -> object:
        if isinstance(node, node_type) and getattr(node, field) == old:
            return msgspec.structs.replace(node, **changes)  # type: ignore[type-var]
        return node

    return change


def _conditions(view: View, player: str) -> Iterator[Fact]:
    from ..model.cards.render import words

    for obj in _mine(view, player):
        for has, ability in _activated(view, obj.id):
            if ability.conditions and has.origin == "printed":
                only_if = f"only if {' and '.join(map(words, ability.conditions))}"
                text = f"{which(view, (obj.id,), has.number)} can be activated {only_if}"
                reason = Reason("cannot_activate", "602.5b", (obj.id,), text)
                drop = _rewriting((obj.id,), _changed(Activated, "conditions", ability.conditions, conditions=()))
                yield Fact("condition", reason, drop, f"works {only_if}")


def _restrictions(view: View, player: str) -> Iterator[Fact]:
    """What mana may be spent on (106.6)."""
    from ..model.cards.render import words

    for obj in _mine(view, player):
        found = {
            e.only: None
            for has, ability in _mana_abilities(view, obj.id)
            for e in ability.effects
            if isinstance(e, ab.AddMana) and e.only is not None and has.origin == "printed"
        }
        for only in found:
            text = f"mana of {obj.id}: {words(only)}"
            reason = Reason("restricted", "106.6", (obj.id,), text)
            said = words(only)
            clause = said.replace("spend it only", "makes mana only").replace("it can't", "makes mana that can't")
            yield Fact(
                "restricted", reason, _rewriting((obj.id,), _changed(ab.AddMana, "only", only, only=None)), clause
            )


# What mana may be follows from something else that is on the board, or that was chosen.
LOOKS = (ab.CouldProduce,)
CHOICES = (ab.ChosenColor, ab.CommanderColors, ab.ColorsAmong, ab.ColorsOf, ab.NotedMana)


def amounts(view: View, ids: Sequence[str], choices: tuple[type, ...] = (*LOOKS, *CHOICES)) -> Iterator[Fact]:
    """How much there is to count, and (for these `choices`) what there is to choose from, now."""
    from ..model.cards.render import words

    for obj in (view.game.objects[oid] for oid in ids):
        for has, ability in _mana_abilities(view, obj.id):
            for effect in ability.effects:
                if not isinstance(effect, ab.AddMana) or has.origin != "printed":
                    continue
                what = f"{obj.id} adds {words(effect).removeprefix('add ')}"
                if not isinstance(effect.amount, int | ab.X | ab.UpTo):
                    more = _changed(ab.AddMana, "amount", effect.amount, amount=PLENTY, instead_if=(), only_if=None)
                    reason = Reason("counted", "107.3", (obj.id,), f"{what}, as things are now")
                    clause = f"counts {words(effect.amount)}{_value(view, obj.id, effect.amount)}"
                    yield Fact("amount", reason, _rewriting((obj.id,), more), clause)
                if isinstance(effect.what, choices):
                    free = _changed(
                        ab.AddMana, "what", effect.what, what=ab.AnyMana(TYPES), instead_if=(), only_if=None
                    )
                    reason = Reason("counted", "106.5", (obj.id,), f"{what}, as things are now")
                    kinds = words(effect.what).removeprefix("mana of ").replace("any ", "a ", 1)
                    clause = f"makes only mana of {kinds}"
                    yield Fact("amount", reason, _rewriting((obj.id,), free), clause)


def _value(view: View, oid: str, what: Any) -> str:
    try:
        return f" ({amount(what, Context(view, source=oid, you=view.of(oid).controller))})"
    except Unknown:
        return ""


def _exchanged(old: object, new: object) -> Callable[[object], object]:
    return lambda node: new if node == old else node


# --- effects of other things ------------------------------------------------------------------------------------------

_FORBIDDEN = ("cast", "activate", "pay_life", "lose_life", "sacrifice", "tap", "untap", "discard", "put_counters")
_CODES: tuple[tuple[tuple[type, ...], str, str], ...] = (
    ((ab.CostChange, ab.LeastCost, ab.AdditionalCost), "sum", "601.2f"),
    ((ab.Prohibit,), "prohibited", "101.2"),
    ((ab.ProductionReplacement,), "replaced", "106.12b"),
    ((ab.LandTypes,), "applies", "305.7"),
    ((ab.SetTypes,), "applies", "613.1d"),
    ((ab.LoseAbilities,), "applies", "613.1f"),
    ((ab.ManaLimit,), "restricted", "601.2h"),
    ((ab.SpendAs,), "applies", "609.4b"),
    ((ab.GameRule,), "rule", "119.8"),
)
CHANGES_ABILITIES = (ab.LandTypes, ab.SetTypes, ab.LoseAbilities, ab.ProductionReplacement)


def effects_in_force(view: View) -> Iterator[tuple[str, ab.StaticEffect]]:
    """(source, effect) for everything static that applies now, in the layers or outside of them."""
    seen: set[tuple[str, ab.StaticEffect]] = set()
    layered = [(a.source, a.effect) for a in view.layers.applied] if view.layers is not None else []
    for one in (*layered, *((a.source, a.effect) for a in view.statics(object))):
        if one not in seen:
            seen.add(one)
            yield one


def _stands_in_the_way(effect: object) -> bool:
    match effect:
        case ab.CostChange():
            return effect.how == "more"
        case ab.AdditionalCost():
            return not effect.optional
        case ab.Prohibit():
            return effect.action in _FORBIDDEN
        case ab.ProductionReplacement():
            return effect.makes is not None or effect.amount is not None
        case ab.LandTypes():
            return not effect.keep
        case ab.SetTypes():
            return True
        case ab.LoseAbilities():
            return not effect.keywords
        case ab.SpendAs():
            return effect.others_colorless
        case ab.GameRule():
            return effect.what in ("life_total_cant_change", "life_cant_change")
    return isinstance(effect, ab.LeastCost | ab.ManaLimit)


def effects(view: View, kinds: type | tuple[type, ...] = object) -> Iterator[Fact]:
    """The effects of these kinds that apply now and could stand in the way."""
    for source, effect in effects_in_force(view):
        if not isinstance(effect, kinds) or not _stands_in_the_way(effect):
            continue
        code, rule = next((code, rule) for kinds, code, rule in _CODES if isinstance(effect, kinds))
        drop = without_effect(source, effect)
        if drop(view.game).objects[source] == view.game.objects[source]:
            continue  # given to it by something else: that is another fact
        reason = Reason(code, rule, (source,), effect_text(source, effect))
        clause = _effect_clause(source, effect)
        yield Fact("effect", reason, drop, clause, both_ways=isinstance(effect, CHANGES_ABILITIES))


def _effect_clause(source: str, effect: object) -> str:
    from ..model.cards.render import words

    match effect:
        case ab.CostChange(amount=added, times=1):
            return f"{source} adds {added}"
        case ab.LeastCost(n=n):
            return f"{source} makes it cost {n}"
        case ab.ProductionReplacement(makes=ab.Fixed(mana=mana)):
            return f"{source} turns mana into {mana}"
        case ab.LandTypes(types=types) if types:
            return f"{source} makes lands {' '.join(types)}"
    return f"{source}: {words(effect)}"


def effect_text(source: str, effect: object) -> str:
    """`Contamination: if a land is tapped for mana, …`"""
    from ..model.cards.render import words

    return f"{source}: {words(effect)}"


def _own_rules(view: View, about: str) -> Iterator[Fact]:
    """By the card's own text: what casting it costs beside mana, and what mana alone may be spent (601.2b, 601.2h)."""
    if about not in view.game.objects:
        return
    for active in view.statics_of(about, (ab.AdditionalCost, ab.AlternativeCost, ab.Permission, ab.ManaLimit), "stack"):
        effect = active.effect
        text = effect_text(about, effect)
        if isinstance(effect, ab.ManaLimit):
            reason = Reason("restricted", "601.2h", (about,), text)
            yield Fact("effect", reason, without_effect(about, effect))
        elif isinstance(effect, ab.AdditionalCost):
            if not effect.optional:
                reason = Reason("cost_unpayable", "601.2b", (about,), text)
                yield Fact("effect", reason, without_effect(about, effect))
        elif isinstance(effect, ab.AlternativeCost | ab.Permission):
            field = "cost" if isinstance(effect, ab.AlternativeCost) else "also_pay"
            cost = getattr(effect, field)
            kept = tuple(part for part in cost if isinstance(part, ab.ManaPart))
            if kept != cost:
                changed = msgspec.structs.replace(effect, **{field: kept})
                reason = Reason("cost_unpayable", "601.2b", (about,), text)
                yield Fact("effect", reason, _rewriting((about,), _exchanged(effect, changed)))


# --- taking something out of a card -----------------------------------------------------------------------------------


def without_effect(source: str, effect: object) -> Callable[[Game], Game]:
    """The game in which the text of the object does not have this static effect."""
    return _rewriting((source,), lambda node: _GONE if node == effect else node)


def with_ability(oid: str, ability: ab.Ability) -> Callable[[Game], Game]:
    """The game in which the object's text has this ability, too."""
    line = ab.Line(0, "modelled", (ability,))

    def drop(game: Game) -> Game:
        obj = game.objects[oid]
        card = obj.copy_of if obj.copy_of is not None else obj.card
        more = msgspec.structs.replace(
            card, faces=tuple(msgspec.structs.replace(face, lines=(*face.lines, line)) for face in card.faces)
        )
        return game.put(obj.but(copy_of=more) if obj.copy_of is not None else obj.but(card=more))

    return drop


_GONE: Any = object()


def _rewriting(ids: Iterable[str], change: Callable[[object], object]) -> Callable[[Game], Game]:
    """The game in which the cards of these objects are changed, structure by structure."""
    wanted = tuple(ids)

    def drop(game: Game) -> Game:
        return game.put(*(_rewritten(game.objects[i], change) for i in wanted if i in game.objects))

    return drop


def _rewritten(obj: Obj, change: Callable[[object], object]) -> Obj:
    card = rewrite(obj.card, change)
    copied = rewrite(obj.copy_of, change) if obj.copy_of is not None else None
    return obj.but(card=card, copy_of=copied)


def rewrite(card: Card, change: Callable[[object], object]) -> Card:
    """The card with `change` made to every structure of its lines; `_GONE` takes one out of its tuple."""
    return msgspec.structs.replace(card, faces=tuple(_rewrite(face, change) for face in card.faces))


def _rewrite(node: Any, change: Callable[[object], object]) -> Any:
    if isinstance(node, tuple):
        kept = tuple(new for new in (_rewrite(one, change) for one in node) if new is not _GONE)
        return node if len(kept) == len(node) and all(a is b for a, b in zip(kept, node, strict=True)) else kept
    if not isinstance(node, msgspec.Struct):
        return node
    changed = change(node)
    if changed is not node:
        return changed
    fields = {f: getattr(node, f) for f in node.__struct_fields__}
    new = {f: v for f, value in fields.items() if (v := _rewrite(value, change)) is not value}
    return msgspec.structs.replace(node, **new) if new else node


# --- words ------------------------------------------------------------------------------------------------------------


def names(ids: Sequence[str], word: str = "and") -> str:
    """`Island`, `Island and Forest`, `3 Islands` where they are many of one name."""
    groups: dict[str, list[str]] = {}
    for oid in ids:
        groups.setdefault(oid.partition("#")[0], []).append(oid)
    said = []
    for name, group in groups.items():
        said += [f"{len(group)} {name}"] if len(group) > 2 else group
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} {word} {said[-1]}" if said else ""


def player_s(player: str) -> str:
    return "your" if player == "you" else f"{player}'s"


def are(ids: Sequence[str]) -> str:
    return "is" if len(ids) == 1 else "are"
