"""State-based actions, all that apply at once (704.5)."""

from __future__ import annotations

from lawmage.model.abilities import (
    Ability,
    Card,
    Face,
    Filter,
    GameRule,
    Keyword,
    Line,
    PowerToughness,
    Prohibit,
    Static,
    Triggered,
)
from lawmage.model.game import Game, Obj, Player, TurnState
from lawmage.model.state_based import StateBased, state_based_actions


def card(name: str, *types: str, abilities: tuple[Ability, ...] = (), **face: object) -> Card:
    line = Line(n=1, status="modelled", abilities=abilities)
    stats = {"power": "2", "toughness": "2"} if "Creature" in types else {}
    return Card(name=name, faces=(Face(**{"name": name, "types": types, "lines": (line,), **stats, **face}),))  # type: ignore[arg-type]


def permanent(c: Card, id: str = "", who: str = "alice", **more: object) -> Obj:
    return Obj(**{"id": id or c.name, "card": c, "zone": "battlefield", "controller": who, "owner": who, **more})  # type: ignore[arg-type]


BEARS = card("Bears", "Creature")


def actions(*objects: Obj, alice: Player | None = None) -> set[tuple[str, tuple[str, ...]]]:
    return {(a.kind, a.objects) for a in performed(*objects, alice=alice)}


def performed(*objects: Obj, alice: Player | None = None, stack: tuple[str, ...] = ()) -> tuple[StateBased, ...]:
    players = {"alice": alice or Player(name="alice"), "bob": Player(name="bob")}
    return state_based_actions(Game("alice", players, {o.id: o for o in objects}, TurnState(active="alice"), stack))


def test_nothing_happens_to_healthy_things() -> None:
    assert actions(permanent(BEARS)) == set()


def test_damage_toughness_and_deathtouch() -> None:
    board = (
        permanent(BEARS, "hurt", damage=2),
        permanent(BEARS, "scratched", damage=1),
        permanent(BEARS, "small", counters=(("-1/-1", 2),)),
        permanent(BEARS, "poisoned", damage=1, noted=("deathtouch",)),
    )
    assert actions(*board) == {("destroy", ("hurt",)), ("to_graveyard", ("small",)), ("destroy", ("poisoned",))}


def test_indestructible_survives_damage_but_not_zero_toughness() -> None:
    god = card("God", "Creature", abilities=(Keyword("indestructible"),))
    assert actions(permanent(god, damage=9)) == set()
    assert actions(permanent(god, counters=(("-1/-1", 2),))) == {("to_graveyard", ("God",))}


def test_a_shield_counter_goes_instead() -> None:
    (action,) = performed(permanent(BEARS, damage=2, counters=(("shield", 1),)))
    assert (action.kind, action.counters) == ("remove_counters", (("shield", 1),))


def test_toughness_after_all_layers() -> None:
    weakness = card(
        "Weakness", "Enchantment", abilities=(Static((PowerToughness(Filter(types=("Creature",)), "modify", 0, -2),)),)
    )
    assert actions(permanent(BEARS), permanent(weakness)) == {("to_graveyard", ("Bears",))}


def test_loyalty_and_defense() -> None:
    walker = card("Walker", "Planeswalker")
    siege = card("Siege", "Battle")
    assert actions(permanent(walker), permanent(siege)) == {("to_graveyard", ("Walker",)), ("to_graveyard", ("Siege",))}
    assert actions(permanent(walker, counters=(("loyalty", 1),)), permanent(siege, counters=(("defense", 1),))) == set()


def test_the_legend_rule() -> None:
    hero = card("Hero", "Creature", supertypes=("Legendary",))
    assert actions(permanent(hero, "h1"), permanent(hero, "h2")) == {("keep_one", ("h1", "h2"))}
    assert actions(permanent(hero, "h1"), permanent(hero, "h2", "bob")) == set()
    twins = permanent(hero, "h1"), permanent(hero, "h2")
    gallery = card("Gallery", "Artifact", abilities=(Static((GameRule("no_legend_rule", "any"),)),))
    assert actions(*twins, permanent(gallery, who="bob")) == set()
    sakashima = card("Sakashima", "Creature", abilities=(Static((GameRule("no_legend_rule", "you"),)),))
    assert actions(*twins, permanent(sakashima)) == set()
    assert actions(*twins, permanent(sakashima, who="bob")) == {("keep_one", ("h1", "h2"))}


def test_the_world_rule() -> None:
    world = card("World", "Enchantment", supertypes=("World",))
    old, new = permanent(world, "old", timestamp=1), permanent(world, "new", "bob", timestamp=2)
    assert actions(old, new) == {("to_graveyard", ("old",))}
    assert actions(old.but(timestamp=2), new) == {("to_graveyard", ("old",)), ("to_graveyard", ("new",))}


def test_auras() -> None:
    enchant = Keyword("enchant", what=Filter(types=("Creature",)))
    aura = card("Aura", "Enchantment", subtypes=("Aura",), abilities=(enchant,))
    land = card("Land", "Land")
    assert actions(permanent(aura)) == {("to_graveyard", ("Aura",))}
    assert actions(permanent(aura, attached_to="Bears"), permanent(BEARS)) == set()
    assert actions(permanent(aura, attached_to="Land"), permanent(land)) == {("to_graveyard", ("Aura",))}
    curse = card("Curse", "Enchantment", subtypes=("Aura",), abilities=(Keyword("enchant", what=Filter(zone="any")),))
    assert actions(permanent(curse, attached_to="bob")) == set()
    assert actions(permanent(aura, attached_to="bob")) == {("to_graveyard", ("Aura",))}
    from_red = Keyword("protection", what=Filter(zone="any", colors="R"))
    knight = card("Knight", "Creature", abilities=(from_red,))
    red = card("Aura", "Enchantment", subtypes=("Aura",), abilities=(enchant,), colors="R")
    assert actions(permanent(red, attached_to="Knight"), permanent(knight)) == {("to_graveyard", ("Aura",))}


def test_equipment_comes_loose() -> None:
    sword = card("Sword", "Artifact", subtypes=("Equipment",))
    land = card("Land", "Land")
    assert actions(permanent(sword, attached_to="Land"), permanent(land)) == {("unattach", ("Sword",))}
    assert actions(permanent(sword, attached_to="Bears"), permanent(BEARS)) == set()
    assert actions(permanent(sword)) == set()


def test_counters_annihilate() -> None:
    (action,) = performed(permanent(BEARS, counters=(("+1/+1", 3), ("-1/-1", 1))))
    assert (action.kind, action.counters) == ("remove_counters", (("+1/+1", 1), ("-1/-1", 1)))


def test_sagas() -> None:
    chapters = tuple(Triggered("chapter", least=n) for n in (1, 2, 3))
    saga = card("Saga", "Enchantment", subtypes=("Saga",), abilities=chapters)
    assert actions(permanent(saga, counters=(("lore", 2),))) == set()
    assert actions(permanent(saga, counters=(("lore", 3),))) == {("sacrifice", ("Saga",))}
    waiting = Obj(id="III", card=card("III"), zone="stack", controller="alice", owner="alice", source="Saga")
    assert performed(permanent(saga, counters=(("lore", 3),)), waiting, stack=("III",)) == ()


def test_tokens_off_the_battlefield_cease_to_exist() -> None:
    assert actions(permanent(BEARS, zone="graveyard", token=True)) == {("ceases", ("Bears",))}


def test_players_lose() -> None:
    poisoned = Player(name="alice", counters=(("poison", 10),))
    assert actions(alice=Player(name="alice", life=0)) == {("loses", ("alice",))}
    assert actions(alice=poisoned) == {("loses", ("alice",))}
    angel = card("Angel", "Creature", abilities=(Static((Prohibit("lose_game", who="you"),)),))
    assert actions(permanent(angel), alice=poisoned) == set()
    lich = card("Lich", "Enchantment", abilities=(Static((GameRule("no_loss_for_life"),)),))
    assert actions(permanent(lich), alice=Player(name="alice", life=-3)) == set()
    assert actions(permanent(lich), alice=poisoned) == {("loses", ("alice",))}
