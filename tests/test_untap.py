"""The untap step: what must, may and cannot untap (502), also against every choice tried one by one."""

from __future__ import annotations

import random
from itertools import chain, combinations, product

import pytest

from lawmage.model.abilities import (
    Ability,
    AlsoUntaps,
    Card,
    DontUntap,
    Face,
    Filter,
    Is,
    Keyword,
    Line,
    SkipStep,
    Static,
    UntapCap,
    UntapChosen,
)
from lawmage.model.game import Game, Obj, Player, TurnState
from lawmage.model.untap import Cap, Stays, TypeChoice, UntapStep, untap_step
from lawmage.solver.untapping import Untapping, is_legal_choice, partition

UNTAPPED = Is("self", Filter(tapped=False))


def card(name: str, *types: str, abilities: tuple[Ability, ...] = (), subtypes: tuple[str, ...] = ()) -> Card:
    line = Line(n=1, status="modelled", abilities=abilities)
    size = "2" if "Creature" in types else ""
    face = Face(name=name, types=types, subtypes=subtypes, lines=(line,), power=size, toughness=size)
    return Card(name=name, faces=(face,))


FOREST = card("Forest", "Land")
BEARS = card("Bears", "Creature")
ORB = card("Orb", "Artifact", abilities=(Static((UntapCap(Filter(types=("Land",)), 1),), condition=UNTAPPED),))


def permanent(c: Card, id: str = "", who: str = "alice", tapped: bool = True, **more: object) -> Obj:
    return Obj(id=id or c.name, card=c, zone="battlefield", controller=who, owner=who, tapped=tapped, **more)  # type: ignore[arg-type]


def game(*objects: Obj, active: str = "alice") -> Game:
    players = {name: Player(name=name) for name in ("alice", "bob")}
    return Game("alice", players, {o.id: o for o in objects}, TurnState(active=active, step="untap"))


def untapping(*objects: Obj, player: str = "alice") -> Untapping:
    return partition(untap_step(game(*objects), player))


def test_everything_untaps_unless_something_says_otherwise() -> None:
    assert untapping(permanent(FOREST), permanent(BEARS), permanent(ORB, tapped=False)) == (("Forest", "Bears"), (), ())


def test_other_players_permanents_do_not_count() -> None:
    assert untapping(permanent(FOREST, who="bob")) == ((), (), ())


def test_a_cap_leaves_a_choice_only_above_its_number() -> None:
    lands = [permanent(FOREST, f"f{n}") for n in range(3)]
    orb = permanent(ORB, tapped=False)
    assert untapping(orb, *lands, permanent(BEARS)) == (("Bears",), ("f0", "f1", "f2"), ())
    assert untapping(orb, lands[0], permanent(BEARS)) == (("f0", "Bears"), (), ())


def test_a_tapped_orb_caps_nothing_and_untaps() -> None:
    assert untapping(permanent(ORB), permanent(FOREST, "f0"), permanent(FOREST, "f1")).must == ("Orb", "f0", "f1")


def test_stun_counters_are_removed_instead() -> None:
    assert untapping(permanent(BEARS, counters=(("stun", 2),))) == ((), (), ("Bears",))


def test_dont_untap_and_may_choose_not_to() -> None:
    me = Filter(me=True)
    vault = card("Vault", "Artifact", abilities=(Static((DontUntap(me, who="you"),)),))
    lyre = card("Lyre", "Artifact", abilities=(Static((DontUntap(me, who="you", optional=True),)),))
    assert untapping(permanent(vault), permanent(lyre)) == ((), ("Lyre",), ("Vault",))


def test_dont_untap_is_about_the_controllers_untap_step() -> None:
    vault = card("Vault", "Artifact", abilities=(Static((DontUntap(Filter(me=True), who="you"),)),))
    muse = card("Muse", "Creature", abilities=(Static((AlsoUntaps(Filter(controller="you")),)),))
    board = permanent(vault), permanent(muse, tapped=False), permanent(FOREST), permanent(FOREST, "theirs", "bob")
    assert untapping(*board, player="bob") == (("theirs", "Vault", "Forest"), (), ())
    assert untapping(*board) == (("Forest",), (), ("Vault",))


def test_caps_do_not_bind_what_others_untap_in_the_step() -> None:
    muse = card("Muse", "Creature", abilities=(Static((AlsoUntaps(Filter(controller="you")),)),))
    lands = [permanent(FOREST, f"f{n}") for n in range(2)]
    board = permanent(ORB, tapped=False), permanent(muse, tapped=False), *lands
    assert untapping(*board, player="bob").must == ("f0", "f1")


def test_a_skipped_step_untaps_nothing() -> None:
    stasis = card("Stasis", "Enchantment", abilities=(Static((SkipStep("untap"),)),))
    found = untapping(permanent(stasis, who="bob", tapped=False), permanent(FOREST))
    assert found == ((), (), ("Forest",))


def test_a_resolved_effect_keeps_the_targets_permanents_tapped() -> None:
    what = Filter(types=("Creature", "Land"), controller="target")
    effect = card("Tiredness", abilities=(Static((DontUntap(what),)),))
    tiredness = Obj(id="Tiredness", card=effect, zone="effect", controller="bob", owner="bob")
    assert untapping(tiredness, permanent(FOREST), permanent(ORB)) == (("Orb",), (), ("Forest",))


def test_phasing_comes_before_untapping() -> None:
    phasing = card("Sandbar", "Creature", abilities=(Keyword("phasing"),))
    assert untapping(permanent(phasing)) == ((), (), ())
    assert untapping(permanent(phasing, phased_out=True)) == (("Sandbar",), (), ())
    orb = permanent(ORB, tapped=False, phased_out=True)
    assert untapping(orb, permanent(FOREST, "f0"), permanent(FOREST, "f1")).may == ("f0", "f1")


def test_a_chosen_type() -> None:
    matrix = card("Matrix", "Artifact", abilities=(Static((UntapChosen(("Artifact", "Creature", "Land")),)),))
    golem = card("Golem", "Artifact", "Creature", "Land")
    aura = card("Aura", "Enchantment")
    found = untapping(permanent(matrix, tapped=False), permanent(FOREST), permanent(golem), permanent(aura))
    assert found == (("Golem",), ("Forest",), ("Aura",))


# --- caps that overlap, against brute force -------------------------------------------------------------------------


def test_overlapping_caps() -> None:
    """One land and one artifact may untap; an artifact land uses up both."""
    step = UntapStep(
        "alice",
        candidates=("land", "both", "artifact", "bears"),
        caps=(Cap("orb", 1, frozenset({"land", "both"})), Cap("field", 1, frozenset({"both", "artifact"}))),
    )
    assert partition(step) == (("bears",), ("land", "both", "artifact"), ())
    assert is_legal_choice(step, ["both", "bears"])
    assert is_legal_choice(step, ["land", "artifact", "bears"])
    assert not is_legal_choice(step, ["land", "bears"])
    assert not is_legal_choice(step, ["land", "both", "bears"])
    assert not is_legal_choice(step, ["both"])


def legal_sets(step: UntapStep) -> set[frozenset[str]]:
    """What untaps, for every legal choice: all subsets tried, by the definition."""
    found = set()
    subsets = chain.from_iterable(combinations(step.candidates, n) for n in range(len(step.candidates) + 1))
    choices = [[members for _, members in c.options] for c in step.choices]
    for subset, picked in product(map(set, subsets), product(*choices)):
        if _obeys(step, subset, picked) and not any(
            _obeys(step, subset | {i}, picked) for i in set(step.candidates) - subset - step.optional
        ):
            found.add(frozenset(subset - step.stunned))
    return found


def _obeys(step: UntapStep, subset: set[str], picked: tuple[frozenset[str], ...]) -> bool:
    return all(len(subset & c.members) <= c.n for c in step.caps) and all(subset <= members for members in picked)


def random_step(rng: random.Random) -> UntapStep:
    ids = tuple(f"p{n}" for n in range(rng.randint(1, 6)))

    def some() -> frozenset[str]:
        return frozenset(i for i in ids if rng.random() < 0.5)

    caps = tuple(Cap(f"cap{k}", rng.randint(0, 2), some()) for k in range(rng.randint(0, 3)))
    choices = tuple(TypeChoice(f"choice{k}", (("A", some()), ("B", some()))) for k in range(rng.choice((0, 0, 1, 2))))
    few = frozenset(i for i in ids if rng.random() < 0.2)
    stunned = frozenset(i for i in ids if rng.random() < 0.2)
    return UntapStep("alice", candidates=ids, optional=few, stunned=stunned, caps=caps, choices=choices)


@pytest.mark.parametrize("seed", range(60))
def test_against_every_choice(seed: int) -> None:
    step = random_step(random.Random(seed))
    sets = legal_sets(step)
    found = partition(step)
    assert set(found.must) == frozenset.intersection(*sets)
    assert set(found.must) | set(found.may) == frozenset.union(*sets)
    subsets = chain.from_iterable(combinations(step.candidates, n) for n in range(len(step.candidates) + 1))
    assert {frozenset(s) for s in subsets if is_legal_choice(step, s)} == sets


def test_reasons_name_the_effects() -> None:
    step = untap_step(
        game(permanent(card("Vault", "Artifact", abilities=(Static((DontUntap(Filter(me=True)),)),)))), "alice"
    )
    assert step.stays == (Stays("Vault", "Vault", "effect"),)
