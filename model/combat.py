"""Declaring attackers and blockers: restrictions, requirements and costs, as facts (508.1, 509.1).

A declaration is a set of pairs: a creature and what it attacks, or a blocker and the attacker that it blocks. The
facts say which pairs exist, which rules limit sets of pairs, and which pairs obey which requirement. Finding the
greatest number of requirements that can be obeyed (508.1d, 509.1c) is the solver's part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from .abilities import AttackRule, CostPart, Keyword
from .characteristics import View
from .evaluate import Context, amount, holds, matches, players_of
from .game import Active, Obj, Unknown
from .parties import context_about, demand_known, effects, in_force

Pair: TypeAlias = tuple[str, str]


class Limit(NamedTuple):
    """If one of `when` is declared (always, if `when` is empty), at least `least` and at most `most` (None: any
    number) different creatures are declared in `pairs`."""

    pairs: frozenset[Pair]
    least: int = 0
    most: int | None = None
    when: frozenset[Pair] = frozenset()
    rule: str = ""
    source: str = ""
    text: str = ""


class Requirement(NamedTuple):
    """Obeyed when one of these pairs is declared, and when none of `when` is (if there are any)."""

    pairs: frozenset[Pair]
    source: str
    text: str
    when: frozenset[Pair] = frozenset()

    def obeyed(self, declared: frozenset[Pair]) -> bool:
        return bool(self.pairs & declared) or (bool(self.when) and not self.when & declared)


class Taxed(NamedTuple):
    """These pairs cost this much each (508.1h, 509.1d)."""

    pairs: frozenset[Pair]
    cost: tuple[CostPart, ...]
    source: str


class Combat(NamedTuple):
    """The facts of one declaration. `pairs` obey every restriction on single pairs; `refused` says why others don't.
    Each creature of `most_each` is in at most that many pairs."""

    pairs: frozenset[Pair]
    refused: dict[Pair, tuple[str, str, tuple[str, ...]]]  # pair -> code, rule, objects
    most_each: dict[str, int]
    limits: tuple[Limit, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    taxes: tuple[Taxed, ...] = ()


def _rules(view: View, *kinds: str) -> Iterator[tuple[Active, AttackRule, Context]]:
    return (found for found in effects(view, AttackRule) if found[1].kind in kinds)


def _speaks_of(found: tuple[Active, AttackRule, Context], creature: str) -> bool:
    """Whether the rule is about this creature now."""
    active, effect, context = found
    for described in (effect.what, effect.by):
        if described is not None:
            demand_known(described, context, back_then=False)
    return matches(effect.what, creature, context) and in_force(active, context, creature)


def _all_known(view: View) -> None:
    """Raises Unknown for a rule about combat that is outside of the model."""
    for active, effect, _ in effects(view, AttackRule):
        if effect.kind not in KNOWN:
            raise Unknown(f"{active.source}: {effect.kind} is not modelled", "not_modelled", (active.source,))


KNOWN = frozenset(
    {"must_attack", "must_attack_other", "cant_attack", "attack_tax", "most_attackers", "cant_attack_alone"}
    | {"only_alone", "no_defender", "must_block", "cant_block", "block_tax", "most_blockers", "cant_block_alone"}
    | {"block_more", "cant_be_blocked", "min_blockers", "max_blockers", "lure", "must_be_blocked"}
    | {"attacks_along", "blocks_along", "blocked_by_all"}
    | {"attack_along", "someone_attacks", "tapped_block", "unclear_attack", "unclear_block", "despite", "as_haste"}
)


# --- attacking ------------------------------------------------------------------------------------------------------


def attack_facts(view: View, player: str) -> Combat:
    """What may attack what, as `player` declares attackers (508.1)."""
    _all_known(view)
    for rule in _rules(view, "unclear_attack"):
        its = [o.id for o in view.game.in_zone("battlefield") if view.of(o.id).controller == player]
        if any(_speaks_of(rule, i) for i in its):
            raise Unknown(f"whom creatures must attack by {rule[0].source} is not modelled", "not_modelled")
    defenders = tuple(_defenders(view, player))
    own = [o for o in view.game.in_zone("battlefield") if view.of(o.id).controller == player]
    creatures = [o for o in own if "Creature" in view.of(o.id).types]
    pairs, refused = set(), {}
    for o in creatures:
        for defender in defenders:
            why = _cant_attack(view, o, defender)
            if why is None:
                pairs.add((o.id, defender))
            else:
                refused[o.id, defender] = why
    allowed = frozenset(pairs)
    return Combat(
        pairs=allowed,
        refused=refused,
        most_each={o.id: 1 for o in creatures},
        limits=tuple(_attack_limits(view, allowed)),
        requirements=tuple(_attack_requirements(view, allowed, creatures)),
        taxes=tuple(_attack_taxes(view, allowed)),
    )


def _defenders(view: View, player: str) -> Iterator[str]:
    """506.2: opponents, the planeswalkers that they control, the battles that they protect."""
    yield from view.game.opponents(player)
    for o in view.game.in_zone("battlefield"):
        now = view.of(o.id)
        theirs = "Planeswalker" in now.types and now.controller != player
        if theirs or ("Battle" in now.types and _protector(view, o) != player):
            yield o.id


def _protector(view: View, o: Obj) -> str:
    """310.11: of a Siege, an opponent of its controller."""
    if isinstance(o.chosen.player, str):
        return o.chosen.player
    others = view.game.opponents(view.of(o.id).controller)
    if len(others) == 1:
        return others[0]
    raise Unknown(f"which player protects {o.id} is not stated", objects=(o.id,))


def attacked_player(view: View, defender: str) -> str:
    """508.5: the defending player of an attack on this player or permanent."""
    if defender in view.game.players:
        return defender
    o = view.game.objects[defender]
    return _protector(view, o) if "Battle" in view.of(defender).types else view.of(defender).controller


def _meant(view: View, effect: AttackRule, context: Context, defender: str, creature: str) -> bool:
    """Whether a rule about attacking `who` is about attacking this player or permanent."""
    if effect.defended is not None and (
        defender in view.game.players or not matches(effect.defended, defender, context)
    ):
        return False
    if effect.who == "any":
        return True
    about = context.object(creature)
    if attacked_player(view, defender) not in players_of(effect.who, context, about):
        return False
    is_planeswalker = defender not in view.game.players and "Planeswalker" in view.of(defender).types
    return defender in view.game.players or (effect.planeswalkers and is_planeswalker)


def _cant_attack(view: View, o: Obj, defender: str) -> tuple[str, str, tuple[str, ...]] | None:
    """508.1a and c, for one creature and one defender by themselves."""
    now = view.of(o.id)
    if o.tapped:
        return "tapped", "508.1a", (o.id,)
    if "Battle" in now.types:
        return "rule", "508.1a", (o.id,)
    if o.sick and "haste" not in now.keywords and not _as_haste(view, o, defender):
        return "sick", "508.1a", (o.id,)
    if "defender" in now.keywords and not _any_rule(view, "no_defender", o):
        return "rule", "702.3b", (o.id,)
    for rule in _rules(view, "cant_attack"):
        active, effect, context = rule
        if not _speaks_of(rule, o.id) or not _meant(view, effect, context, defender, o.id):
            continue
        if _defender_fits(view, effect, context, attacked_player(view, defender)):
            return "prohibited", "508.1c", (active.source, o.id)
    return None


def _as_haste(view: View, o: Obj, defender: str) -> bool:
    """Whether it can attack this as though it had haste."""
    return any(
        _speaks_of(rule, o.id) and _meant(view, rule[1], rule[2], defender, o.id) for rule in _rules(view, "as_haste")
    )


def _defender_fits(view: View, effect: AttackRule, context: Context, player: str) -> bool:
    """Whether the rule holds as far as it asks about the defending player (or the attacking one)."""
    if effect.unless_they is not None and holds(effect.unless_they, context.but(that_player=player)):
        return False
    if effect.if_defender is None and effect.unless_defender is None:
        return True
    asked = effect.if_defender or effect.unless_defender
    assert asked is not None
    theirs = [o.id for o in view.game.in_zone("battlefield") if view.of(o.id).controller == player]
    return any(matches(asked, i, context) for i in theirs) is (effect.if_defender is not None)


def _any_rule(view: View, kind: str, o: Obj) -> bool:
    return any(_speaks_of(rule, o.id) for rule in _rules(view, kind))


def _attack_limits(view: View, pairs: frozenset[Pair]) -> Iterator[Limit]:
    for rule in _rules(view, "most_attackers", "cant_attack_alone", "only_alone"):
        active, effect, context = rule
        its = frozenset(p for p in pairs if _speaks_of(rule, p[0]))
        if effect.kind == "most_attackers":
            meant = frozenset(p for p in its if _meant(view, effect, context, p[1], p[0]))
            text = f"no more than {effect.n} of these can attack because of {active.source}"
            yield Limit(meant, most=effect.n, rule="508.1c", source=active.source, text=text)
        else:
            yield from _by_company(effect.kind, its, pairs, active.source, "508.1c")
    yield from _along(view, "attacks_along", pairs, "508.1c")


def _by_company(kind: str, its: frozenset[Pair], pairs: frozenset[Pair], source: str, rule: str) -> Iterator[Limit]:
    """Creatures that can't attack or block alone, or only alone (506.5)."""
    for creature in sorted({p[0] for p in its}):
        mine = frozenset(p for p in its if p[0] == creature)
        others = frozenset(p for p in pairs if p[0] != creature)
        if kind.startswith("cant_"):
            yield Limit(others, least=1, when=mine, rule=rule, source=source, text=f"{creature} can't do it alone")
        else:
            yield Limit(others, most=0, when=mine, rule=rule, source=source, text=f"{creature} can do it only alone")


def _along(view: View, kind: str, pairs: frozenset[Pair], number: str) -> Iterator[Limit]:
    """Creatures that can attack or block only along with others (of a kind)."""
    for rule in _rules(view, kind):
        active, effect, context = rule
        for creature in sorted({p[0] for p in pairs}):
            if not _speaks_of(rule, creature):
                continue
            mine = frozenset(p for p in pairs if p[0] == creature)
            asked = context.but(that=creature)
            company = {p[0] for p in pairs - mine}
            if effect.by is not None:
                company = {c for c in company if matches(effect.by, c, asked)}
            others = frozenset(p for p in pairs if p[0] in company)
            text = f"{creature} can do it only along with others because of {active.source}"
            yield Limit(others, least=effect.n, when=mine, rule=number, source=active.source, text=text)


def _attack_requirements(view: View, pairs: frozenset[Pair], creatures: Iterable[Obj]) -> Iterator[Requirement]:
    for rule in _rules(view, "must_attack", "must_attack_other"):
        active, effect, context = rule
        for o in creatures:
            if _speaks_of(rule, o.id):
                its = frozenset(p for p in pairs if p[0] == o.id)
                if effect.kind == "must_attack":
                    obeying = frozenset(p for p in its if _meant(view, effect, context, p[1], o.id))
                    yield Requirement(obeying, active.source, f"{o.id} attacks if able because of {active.source}")
                else:
                    not_them = players_of(effect.who, context, context.object(o.id))
                    yield _another_player(view, its, o.id, not_them, active.source)
    yield from _attack_in_company(view, pairs, creatures)
    for o in creatures:
        its = frozenset(p for p in pairs if p[0] == o.id)
        for goader in o.goaded_by:
            yield Requirement(its, o.id, f"{o.id} is goaded by {goader}")
            yield _another_player(view, its, o.id, (goader,), o.id)


def _attack_in_company(view: View, pairs: frozenset[Pair], creatures: Iterable[Obj]) -> Iterator[Requirement]:
    """Creatures that attack if another one does, and players of whose creatures one has to attack."""
    for rule in _rules(view, "someone_attacks"):
        active, effect, context = rule
        its = frozenset(p for p in pairs if _speaks_of(rule, p[0]) and _meant(view, effect, context, p[1], p[0]))
        if its:
            yield Requirement(its, active.source, f"one of the creatures attacks if able because of {active.source}")
    for rule in _rules(view, "attack_along"):
        active, effect, context = rule
        first = effect.by
        assert first is not None
        leaders = frozenset(p for p in pairs if matches(first, p[0], context))
        for o in creatures:
            its = frozenset(p for p in pairs if p[0] == o.id)
            others = frozenset(p for p in leaders if p[0] != o.id)
            if its and others and _speaks_of(rule, o.id):
                if any(True for _ in (*_attack_limits(view, pairs), *_attack_taxes(view, pairs))):
                    raise Unknown(f"{active.source} and another limit on attacking", "not_modelled", (active.source,))
                text = f"{o.id} attacks if able, as another creature attacks, because of {active.source}"
                yield Requirement(its, active.source, text, others)


def _another_player(
    view: View, its: frozenset[Pair], creature: str, not_them: tuple[str, ...], source: str
) -> Requirement:
    """701.15b: it attacks a player other than that one if able; a planeswalker is no player."""
    obeying = frozenset(p for p in its if p[1] in view.game.players and p[1] not in not_them)
    return Requirement(obeying, source, f"{creature} attacks a player other than {', '.join(not_them)} if able")


def _attack_taxes(view: View, pairs: frozenset[Pair]) -> Iterator[Taxed]:
    for rule in _rules(view, "attack_tax"):
        active, effect, context = rule
        taxed = frozenset(p for p in pairs if _speaks_of(rule, p[0]) and _meant(view, effect, context, p[1], p[0]))
        if taxed:
            yield Taxed(taxed, effect.cost, active.source)


# --- blocking -------------------------------------------------------------------------------------------------------


def block_facts(view: View, player: str, attackers: Iterable[str]) -> Combat:
    """What may block what, as `player` declares blockers against these attackers (509.1)."""
    _all_known(view)
    own = [o for o in view.game.in_zone("battlefield") if view.of(o.id).controller == player]
    creatures = [o for o in own if "Creature" in view.of(o.id).types]
    attacking = [view.game.objects[a] for a in attackers]
    pairs, refused = set(), {}
    for o in creatures:
        for attacker in attacking:
            why = _cant_block(view, o, attacker)
            if why is None:
                pairs.add((o.id, attacker.id))
            else:
                refused[o.id, attacker.id] = why
    allowed = frozenset(pairs)
    return Combat(
        pairs=allowed,
        refused=refused,
        most_each={o.id: 1 + _more_blocks(view, o) for o in creatures},
        limits=tuple(_block_limits(view, allowed, attacking, len(creatures))),
        requirements=tuple(_block_requirements(view, allowed, creatures, attacking)),
        taxes=tuple(_block_taxes(view, allowed)),
    )


def _more_blocks(view: View, o: Obj) -> int:
    """How many creatures it can block beyond the first."""
    found = (rule for rule in _rules(view, "block_more") if _speaks_of(rule, o.id))
    return sum(effect.n * amount(effect.times, context.but(that=o.id)) for _, effect, context in found)


def _cant_block(view: View, o: Obj, attacker: Obj) -> tuple[str, str, tuple[str, ...]] | None:
    now = view.of(o.id)
    if any(_speaks_of(rule, i) for rule in _rules(view, "unclear_block") for i in (o.id, attacker.id)):
        raise Unknown(f"how {o.id} may block {attacker.id} is not modelled", "not_modelled", (o.id, attacker.id))
    if o.tapped and not _any_rule(view, "tapped_block", o):
        return "tapped", "509.1a", (o.id,)
    if "Battle" in now.types:
        return "rule", "509.1a", (o.id,)
    if "decayed" in now.keywords:
        return "rule", "702.147a", (o.id,)
    for rule in _rules(view, "cant_block", "cant_be_blocked"):
        active, effect, context = rule
        blocker_is_it = effect.kind == "cant_block"
        it, other = (o, attacker) if blocker_is_it else (attacker, o)
        whom = view.of(attacker.id).controller if blocker_is_it else now.controller
        if not _speaks_of(rule, it.id) or not _defender_fits(view, effect, context, whom):
            continue
        if effect.by is None or matches(effect.by, other.id, context):
            return "prohibited", "509.1b", (active.source, o.id, attacker.id)
    rule = _evaded(view, o, attacker)
    return None if rule is None else ("rule", rule, (attacker.id, o.id))


# Landwalk by its keyword: what the defending player controls (702.14).
LANDWALK = {f"{t.lower()}walk": t for t in ("Plains", "Island", "Swamp", "Mountain", "Forest", "Desert")}


def _evaded(view: View, o: Obj, attacker: Obj) -> str | None:
    """The rule of an evasion ability of the attacker that this blocker does not meet."""
    its, now = view.of(attacker.id), view.of(o.id)
    has, mine = its.keywords - _ignored(view, o, attacker), now.keywords
    if "flying" in has and not mine & {"flying", "reach"}:
        return "702.9b"
    if "shadow" in its.keywords and "shadow" not in has:
        pass  # it is blocked as though one of them were otherwise
    elif ("shadow" in has) != ("shadow" in mine):
        return "702.28b"
    if "horsemanship" in has and "horsemanship" not in mine:
        return "702.31b"
    if "fear" in has and "Artifact" not in now.types and "B" not in now.colors:
        return "702.36b"
    if "intimidate" in has and "Artifact" not in now.types and not set(now.colors) & set(its.colors):
        return "702.13b"
    if "skulk" in has and (now.power or 0) > (its.power or 0):
        return "702.118b"
    if any(k in has and _controls_land(view, now.controller, t) for k, t in LANDWALK.items()):
        return "702.14c"
    if any(k.endswith("walk") and k not in LANDWALK for k in has):
        raise Unknown(f"a landwalk ability of {attacker.id} is not modelled", "not_modelled", (attacker.id,))
    return "702.16e" if _protected(view, attacker, o) else None


def _ignored(view: View, o: Obj, attacker: Obj) -> frozenset[str]:
    """The evasion abilities that the attacker counts as not having where this creature blocks it."""
    ignored = set[str]()
    for rule in _rules(view, "despite"):
        _, effect, context = rule
        if not _speaks_of(rule, attacker.id) or (effect.by is not None and not matches(effect.by, o.id, context)):
            continue
        every = (k for k in view.of(attacker.id).keywords if k.endswith("walk"))
        ignored.update(every if effect.keyword == "landwalk" else (effect.keyword,))
    return frozenset(ignored)


def _controls_land(view: View, player: str, subtype: str) -> bool:
    return any(
        subtype in view.of(p.id).subtypes and view.of(p.id).controller == player
        for p in view.game.in_zone("battlefield")
        if "Land" in view.of(p.id).types
    )


def _protected(view: View, attacker: Obj, blocker: Obj) -> bool:
    for has in view.abilities(attacker.id):
        ability = has.ability
        if isinstance(ability, Keyword) and ability.name == "protection":
            if ability.what is None:
                raise Unknown(f"what {attacker.id} has protection from is not understood", "not_understood")
            if matches(ability.what, blocker.id, context_about(view, attacker)):
                return True
    return False


def _block_limits(view: View, pairs: frozenset[Pair], attacking: Iterable[Obj], everyone: int) -> Iterator[Limit]:
    for rule in _rules(view, "most_blockers", "cant_block_alone"):
        active, effect, _ = rule
        its = frozenset(p for p in pairs if _speaks_of(rule, p[0]))
        if effect.kind == "most_blockers":
            text = f"no more than {effect.n} of these can block because of {active.source}"
            yield Limit(its, most=effect.n, rule="509.1b", source=active.source, text=text)
        else:
            yield from _by_company(effect.kind, its, pairs, active.source, "509.1b")
    yield from _along(view, "blocks_along", pairs, "509.1b")
    for attacker in attacking:
        on_it = frozenset(p for p in pairs if p[1] == attacker.id)
        if "menace" in view.of(attacker.id).keywords:
            yield Limit(on_it, least=2, when=on_it, rule="702.111b", source=attacker.id, text="menace")
        for rule in _rules(view, "min_blockers", "max_blockers"):
            active, effect, _ = rule
            if _speaks_of(rule, attacker.id):
                low, high = (effect.n, None) if effect.kind == "min_blockers" else (0, effect.n)
                text = f"{active.source}: {effect.kind.replace('_', ' ')} {effect.n}"
                yield Limit(on_it, low, high, on_it, "509.1b", active.source, text)
        for rule in _rules(view, "blocked_by_all"):
            if _speaks_of(rule, attacker.id):
                text = f"{rule[0].source}: only all creatures of the defending player together can block it"
                yield Limit(on_it, everyone, None, on_it, "509.1b", rule[0].source, text)


def _block_requirements(
    view: View, pairs: frozenset[Pair], creatures: Iterable[Obj], attacking: Iterable[Obj]
) -> Iterator[Requirement]:
    for rule in _rules(view, "must_block"):
        active, effect, context = rule
        for o in creatures:
            if _speaks_of(rule, o.id):
                its = frozenset(p for p in pairs if p[0] == o.id)
                yield Requirement(its, active.source, f"{o.id} blocks if able")
    for rule in _rules(view, "lure", "must_be_blocked"):
        active, effect, context = rule
        for attacker in attacking:
            if not _speaks_of(rule, attacker.id):
                continue
            on_it = frozenset(p for p in pairs if p[1] == attacker.id)
            if effect.kind == "must_be_blocked":
                if effect.by is not None:
                    on_it = frozenset(p for p in on_it if matches(effect.by, p[0], context))
                yield Requirement(on_it, active.source, f"{attacker.id} must be blocked if able")
                continue
            for pair in sorted(on_it):
                if effect.by is None or matches(effect.by, pair[0], context):
                    text = f"{pair[0]} blocks {attacker.id} if able because of {active.source}"
                    yield Requirement(frozenset({pair}), active.source, text)


def _block_taxes(view: View, pairs: frozenset[Pair]) -> Iterator[Taxed]:
    for rule in _rules(view, "block_tax"):
        active, effect, context = rule
        taxed = frozenset(p for p in pairs if _speaks_of(rule, p[0]))
        if effect.by is not None:
            taxed = frozenset(p for p in taxed if matches(effect.by, p[1], context))
        if taxed:
            yield Taxed(taxed, effect.cost, active.source)
