"""Declaring attackers and blockers (508.1, 509.1), also against every declaration tried one by one."""

from __future__ import annotations

import random
from itertools import chain, combinations

import pytest

from lawmage.model.abilities import Ability, AttackRule, Card, Face, Filter, Keyword, Line, ManaPart, Static
from lawmage.model.combat import Combat, Limit, Pair, Requirement, Taxed
from lawmage.model.game import Game, Obj, Player, TurnState
from lawmage.model.questions import Action, Legal
from lawmage.solver.fighting import judge
from lawmage.solver.queries import answer

ANY = Filter(types=("Creature",))
ME = Filter(me=True)


def creature(name: str, *abilities: Ability, types: tuple[str, ...] = ("Creature",), **face: object) -> Card:
    line = Line(n=1, status="modelled", abilities=abilities)
    return Card(
        name=name,
        faces=(Face(**{"name": name, "types": types, "power": "2", "toughness": "2", "lines": (line,), **face}),),
    )  # type: ignore[arg-type]


def rule(kind: str, what: Filter = ME, **more: object) -> Static:
    return Static((AttackRule(kind, what, **more),))  # type: ignore[arg-type]


def thing(c: Card, id: str = "", who: str = "alice", **more: object) -> Obj:
    return Obj(**{"id": id or c.name, "card": c, "zone": "battlefield", "controller": who, "owner": who, **more})  # type: ignore[arg-type]


def attacks(*objects: Obj, players: tuple[str, ...] = ("alice", "bob"), **declared: str) -> str:
    turn = TurnState(active="alice", step="attackers", priority="alice")
    game = Game("alice", {p: Player(name=p) for p in players}, {o.id: o for o in objects}, turn)
    return answer(game, Legal(action=Action(attack=declared))).verdict


def blocks(*objects: Obj, **declared: str | tuple[str, ...]) -> str:
    turn = TurnState(active="bob", step="blockers", priority="alice")
    players = {p: Player(name=p) for p in ("alice", "bob")}
    return answer(
        Game("alice", players, {o.id: o for o in objects}, turn), Legal(action=Action(block=declared))
    ).verdict


BEARS = creature("Bears")


# --- attacking ------------------------------------------------------------------------------------------------------


def test_who_can_attack() -> None:
    assert attacks(thing(BEARS), Bears="bob") == "yes"
    assert attacks(thing(BEARS)) == "yes"
    assert attacks(thing(BEARS, tapped=True), Bears="bob") == "no"
    assert attacks(thing(BEARS, sick=True), Bears="bob") == "no"
    assert attacks(thing(creature("Raider", Keyword("haste")), sick=True), Raider="bob") == "yes"
    assert attacks(thing(creature("Wall", Keyword("defender"))), Wall="bob") == "no"
    assert attacks(thing(creature("Walker", types=("Planeswalker",)), counters=(("loyalty", 2),)), Walker="bob") == "no"
    assert attacks(thing(BEARS, who="bob"), Bears="alice") == "no"


def test_requirements() -> None:
    juggernaut = thing(creature("Juggernaut", rule("must_attack")))
    assert attacks(juggernaut) == "no"
    assert attacks(juggernaut, Juggernaut="bob") == "yes"
    assert attacks(juggernaut.but(tapped=True)) == "yes"


def test_one_may_attack_and_one_must() -> None:
    goblin = thing(creature("Goblin", rule("must_attack")))
    arbiter = thing(creature("Arbiter", rule("most_attackers", ANY, n=1)), who="bob")
    assert attacks(goblin, thing(BEARS), arbiter, Bears="bob") == "no"
    assert attacks(goblin, thing(BEARS), arbiter, Goblin="bob") == "yes"
    assert attacks(goblin, thing(BEARS), arbiter, Goblin="bob", Bears="bob") == "no"


def test_nobody_has_to_pay() -> None:
    juggernaut = thing(creature("Juggernaut", rule("must_attack")))
    prison = thing(creature("Prison", rule("attack_tax", ANY, who="you", cost=(ManaPart("{2}"),))), who="bob")
    walker = thing(creature("Walker", types=("Planeswalker",)), who="bob", counters=(("loyalty", 2),))
    assert attacks(juggernaut, prison) == "yes"
    assert attacks(juggernaut, prison, walker) == "no"
    assert attacks(juggernaut, prison, walker, Juggernaut="Walker") == "yes"
    assert attacks(juggernaut, prison, players=("alice", "bob", "carol")) == "no"


def test_alone() -> None:
    flunky = creature("Flunky", rule("cant_attack_alone"))
    assert attacks(thing(flunky, "f1"), thing(flunky, "f2"), f1="bob") == "no"
    assert attacks(thing(flunky, "f1"), thing(flunky, "f2"), f1="bob", f2="bob") == "yes"
    master = creature("Master", rule("only_alone"))
    assert attacks(thing(master), thing(BEARS), Master="bob", Bears="bob") == "no"
    assert attacks(thing(master), thing(BEARS), Master="bob") == "yes"


def test_goad() -> None:
    goaded = thing(BEARS, goaded_by=("bob",))
    three = ("alice", "bob", "carol")
    assert attacks(goaded, players=three) == "no"
    assert attacks(goaded, players=three, Bears="bob") == "no"
    assert attacks(goaded, players=three, Bears="carol") == "yes"
    assert attacks(goaded, Bears="bob") == "yes"


# --- blocking -------------------------------------------------------------------------------------------------------


def test_lure_takes_every_able_creature() -> None:
    lured = thing(creature("Lured", rule("lure")), who="bob", attacking="alice")
    raider = thing(creature("Raider", rule("cant_block")))
    assert blocks(lured, thing(BEARS, "b1"), thing(BEARS, "b2"), b1="Lured") == "no"
    assert blocks(lured, thing(BEARS, "b1"), thing(BEARS, "b2"), b1="Lured", b2="Lured") == "yes"
    assert blocks(lured, thing(BEARS), raider, Bears="Lured") == "yes"
    assert blocks(lured, thing(BEARS), raider, Bears="Lured", Raider="Lured") == "no"
    assert blocks(lured, thing(BEARS), raider) == "no"


def test_menace() -> None:
    hound = thing(creature("Hound", Keyword("menace")), who="bob", attacking="alice")
    arbiter = thing(creature("Arbiter", rule("most_blockers", ANY, n=1)))
    assert blocks(hound, thing(BEARS, "b1"), b1="Hound") == "no"
    assert blocks(hound, thing(BEARS, "b1"), thing(BEARS, "b2"), b1="Hound", b2="Hound") == "yes"
    assert blocks(hound, thing(BEARS), arbiter, Bears="Hound", Arbiter="Hound") == "no"
    willing = thing(creature("Willing", rule("must_block")))
    assert blocks(hound, thing(BEARS), willing) == "no"
    assert blocks(hound, thing(BEARS), willing, Bears="Hound", Willing="Hound") == "yes"


def test_evasion() -> None:
    bird = thing(creature("Bird", Keyword("flying")), who="bob", attacking="alice")
    assert blocks(bird, thing(BEARS), Bears="Bird") == "no"
    assert blocks(bird, thing(creature("Spider", Keyword("reach"))), Spider="Bird") == "yes"
    nightmare = thing(creature("Nightmare", Keyword("fear")), who="bob", attacking="alice")
    assert blocks(nightmare, thing(BEARS), Bears="Nightmare") == "no"
    assert blocks(nightmare, thing(creature("Golem", types=("Artifact", "Creature"))), Golem="Nightmare") == "yes"


def test_one_creature_blocks_one_attacker() -> None:
    two = thing(BEARS, "a1", "bob", attacking="alice"), thing(BEARS, "a2", "bob", attacking="alice")
    assert blocks(*two, thing(BEARS), Bears=("a1", "a2")) == "no"
    giant = thing(creature("Giant", rule("block_more")))
    assert blocks(*two, giant, Giant=("a1", "a2")) == "yes"


# --- against brute force --------------------------------------------------------------------------------------------


def legal_declarations(facts: Combat) -> set[frozenset[Pair]]:
    taxed = frozenset().union(*(t.pairs for t in facts.taxes))
    all_sets = [
        frozenset(s)
        for s in chain.from_iterable(combinations(sorted(facts.pairs), n) for n in range(len(facts.pairs) + 1))
        if _restrictions_hold(facts, frozenset(s))
    ]
    most = max(_obeyed(facts, s) for s in all_sets if not s & taxed)
    return {s for s in all_sets if _obeyed(facts, s) >= most}


def _restrictions_hold(facts: Combat, pairs: frozenset[Pair]) -> bool:
    for creature_, most in facts.most_each.items():
        if sum(p[0] == creature_ for p in pairs) > most:
            return False
    for limit in facts.limits:
        n = len({p[0] for p in pairs & limit.pairs})
        if (not limit.when or limit.when & pairs) and (n < limit.least or (limit.most is not None and n > limit.most)):
            return False
    return True


def _obeyed(facts: Combat, pairs: frozenset[Pair]) -> int:
    return sum(bool(q.pairs & pairs) for q in facts.requirements)


def random_facts(rng: random.Random) -> Combat:
    creatures, others = ("a", "b", "c"), ("x", "y")
    pairs = [(c, o) for c in creatures for o in others if rng.random() < 0.8]

    def some() -> frozenset[Pair]:
        return frozenset(p for p in pairs if rng.random() < 0.5)

    limits = []
    for _ in range(rng.randint(0, 3)):
        low = rng.randint(0, 2)
        when = some()
        if low and not when:
            continue
        limits.append(Limit(some(), low, rng.choice((None, low, low + 1)), when))
    requirements = tuple(Requirement(some(), "q", "q") for _ in range(rng.randint(0, 4)))
    taxes = tuple(Taxed(some(), (), "t") for _ in range(rng.randint(0, 1)))
    most_each = {c: rng.choice((1, 1, 2)) for c in creatures}
    return Combat(frozenset(pairs), {}, most_each, tuple(limits), requirements, taxes)


@pytest.mark.parametrize("seed", range(40))
def test_against_every_declaration(seed: int) -> None:
    facts = random_facts(random.Random(seed))
    legal = legal_declarations(facts)
    every = chain.from_iterable(combinations(sorted(facts.pairs), n) for n in range(len(facts.pairs) + 1))
    assert {s for s in map(frozenset, every) if judge(facts, s).verdict == "yes"} == legal
