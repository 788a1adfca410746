"""Situations become games, games are written as situations again, and edits and questions are fitted to them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.model.abilities import Filter
from lawmage.model.forms import Edit
from lawmage.model.game import NO_CHOICES, Game, ManaKind, Obj
from lawmage.model.mana import Mana
from lawmage.model.pseudo import _with_ids
from lawmage.model.setup import UNCLEAR
from lawmage.model.situation import (
    FormatError,
    apply_edits,
    build_game,
    check_edits,
    read_query,
    read_situation,
    resolve_question,
    write_situation,
)
from tests.small_library import LIBRARY, NO_MAXIMUM


def game(ann: dict[str, Any] | None = None, bob: dict[str, Any] | None = None, **rest: Any) -> Game:
    return build_game(read_situation({"players": {"ann": ann or {}, "bob": bob or {}}, **rest}), LIBRARY)


def again(g: Game) -> Game:
    return build_game(read_situation(json.loads(msgspec.json.encode(write_situation(g)))), LIBRARY)


def permanent(**keys: Any) -> Obj:
    g = game({"battlefield": ["Forest", {"card": "Llanowar Elves", **keys}]})
    return list(g.objects.values())[-1]


# --- objects --------------------------------------------------------------------------------------------------------


def test_default_ids_are_numbered_over_the_whole_game() -> None:
    g = game(
        {"battlefield": ["Forest", "2 Forest", {"card": "Forest", "id": "mine"}], "hand": ["Forest"]},
        {"battlefield": ["Forest", {"card": "Island", "id": "Forest#2"}]},
    )
    assert list(g.objects) == ["Forest", "Forest#3", "Forest#4", "mine", "Forest#5", "Forest#6", "Forest#2"]
    assert g.objects["Forest#6"].controller == "bob"


def test_default_ids_follow_the_written_order_of_zones() -> None:
    g = game({"hand": ["Forest"], "battlefield": ["Forest"]})
    assert g.objects["Forest"].zone == "hand"
    assert g.objects["Forest#2"].zone == "battlefield"
    assert again(g) == g


def test_an_exact_name_beats_a_count() -> None:
    g = game({"hand": ["1996 World Champion", "2 1996 World Champion", "3 Island"]})
    assert [o.card.name for o in g.objects.values()] == ["1996 World Champion"] * 3 + ["Island"] * 3


def test_names_without_case_and_accents() -> None:
    assert list(game({"battlefield": ["jotun GRUNT", "llanowar elves"]}).objects) == ["Jötun Grunt", "Llanowar Elves"]


def test_timestamps_are_as_written_then_effects() -> None:
    g = game(
        {"hand": ["Forest"], "battlefield": ["Forest", {"card": "Island", "timestamp": 9}, "Plains"]},
        {"battlefield": ["Island"], "command": [{"emblem": "Emblem Maker", "timestamp": 2.5}]},
        effects=[{"card": "High Tide", "controller": "bob"}],
    )
    assert [o.timestamp for o in g.objects.values()] == [0, 1, 9, 3, 4, 2.5, 6]


def test_every_key_of_a_permanent() -> None:
    o = permanent(
        id="elf",
        tapped=True,
        sick=True,
        counters={"stun": 1, "charge": 0},
        attached_to="Forest",
        attacking="bob",
        blocking=["Forest"],
        damage=2,
        chosen={"color": "blue", "type": "elf", "name": "forest", "number": 3, "player": "bob", "mode": 2},
        imprinted=["Forest", "2 Island"],
        noted="{G}",
        face_down=True,
        owner="bob",
        copy_of="Old Scholar",
        timestamp=7,
        entered="this_turn",
        goaded_by=["bob"],
        activated=[1, 1],
        token=True,
        x=4,
        commander=True,
        casts=2,
    )
    assert (o.id, o.tapped, o.sick, o.counters, o.attached_to) == ("elf", True, True, (("stun", 1),), "Forest")
    assert (o.attacking, o.blocking, o.damage, o.face_down, o.owner) == ("bob", ("Forest",), 2, True, "bob")
    assert (o.chosen.color, o.chosen.type, o.chosen.name) == ("U", "Elf", "Forest")
    assert (o.chosen.number, o.chosen.player, o.chosen.mode) == (3, "bob", "2")
    assert [c.name for c in o.imprinted] == ["Forest", "Island", "Island"]
    assert o.printed.name == "Old Scholar"
    assert (o.timestamp, o.entered_this_turn, o.goaded_by, o.activated) == (7, True, ("bob",), (1, 1))
    assert (o.noted, o.token, o.x, o.commander, o.casts) == (("{G}",), True, 4, True, 2)


@pytest.mark.parametrize(("written", "letter"), [("blue", "U"), ("U", "U"), ("u", "U"), ("{U}", "U"), ("Green", "G")])
def test_colors_in_words_or_letters(written: str, letter: str) -> None:
    assert permanent(chosen={"color": written}).chosen.color == letter


def test_a_choice_not_stated_is_unknown_and_null_is_none() -> None:
    assert permanent().chosen is NO_CHOICES
    assert permanent().chosen.color is msgspec.UNSET
    assert permanent(chosen={"color": None}).chosen.color is None


@pytest.mark.parametrize(
    ("item", "face", "id_"),
    [
        ("Young Scholar // Old Scholar", 0, "Young Scholar // Old Scholar"),
        ("Old Scholar", 1, "Old Scholar"),
        ("young scholar", 0, "Young Scholar"),
        ({"card": "Young Scholar // Old Scholar", "face": "back"}, 1, "Young Scholar // Old Scholar"),
        ({"card": "Old Scholar", "face": "front"}, 0, "Old Scholar"),
        ({"card": "Young Scholar", "face": "old scholar"}, 1, "Young Scholar"),
    ],
)
def test_faces(item: Any, face: int, id_: str) -> None:
    g = game({"battlefield": [item]})
    assert g.objects[id_].face == face
    assert again(g) == g


def test_an_inline_card() -> None:
    pytest.importorskip("lawmage.model.oracle.faces")
    treasure = {
        "name": "Treasure",
        "type_line": "Token Artifact — Treasure",
        "oracle_text": "{T}, Sacrifice this artifact: Add one mana of any color.",
        "colors": [],
    }
    g = game({"battlefield": [{"card": treasure, "token": True}, {"card": treasure, "token": True}]})
    assert list(g.objects) == ["Treasure", "Treasure#2"]
    assert g.objects["Treasure"].card.faces[0].subtypes == ("Treasure",)
    assert again(g) == g
    with pytest.raises(FormatError, match=r"players.ann.battlefield\[1\].card: .*type_line"):
        game({"battlefield": [{"card": {"name": "Nothing"}}]})


def test_emblems_hold_their_abilities() -> None:
    g = game({"command": [{"emblem": "Emblem Maker"}, {"emblem": "Forest"}]})
    emblem, unread = g.objects.values()
    assert (emblem.zone, emblem.printed.lines[0].abilities[0]) == ("command", NO_MAXIMUM)
    assert emblem.id == "Emblem Maker emblem"
    assert unread.printed.lines[0].status == "unread"


def test_attached_to_a_player() -> None:
    assert permanent(attached_to="bob").attached_to == "bob"


# --- players --------------------------------------------------------------------------------------------------------


def test_defaults_of_players() -> None:
    g = game()
    ann, bob = g.players.values()
    assert (g.you, ann.life, ann.pool, ann.lands_played, ann.starting_life) == ("ann", 20, (), 0, 20)
    assert (ann.hand_known, bob.hand_known) == (True, False)
    assert (ann.library_size, bob.library_size) == (None, None)


def test_known_and_unknown_hands_and_libraries() -> None:
    g = game({"hand": 3, "library": 40}, {"hand": [], "library": ["Forest", "Island"]})
    assert (g.players["ann"].hand_known, g.players["ann"].hand_size, g.players["ann"].library_size) == (False, 3, 40)
    assert (g.players["bob"].hand_known, g.players["bob"].library_size) == (True, None)
    assert [o.card.name for o in g.in_zone("library", "bob")] == ["Forest", "Island"]


def test_another_asker() -> None:
    g = game(you="bob")
    assert (g.you, g.turn.active, g.turn.priority) == ("bob", "bob", "bob")
    assert (g.players["ann"].hand_known, g.players["bob"].hand_known) == (False, True)


@pytest.mark.parametrize(
    ("written", "amounts"),
    [("{R}{G}{G}", "{R}{G}{G}"), ({"G": 531441}, {"G": 531441}), ([{"mana": "{C}"}, {"mana": {"C": 2}}], "{C}{C}{C}")],
)
def test_pools(written: Any, amounts: Any) -> None:
    pool = game({"mana_pool": written}).players["ann"].pool
    assert {kind.only for kind, _ in pool} == {None}
    total = Mana(**{kind.type: n for kind, n in pool})
    assert total.wire() == amounts


def test_a_pool_with_what_matters_about_it() -> None:
    parts = [{"mana": "{C}{C}", "snow": True, "source": "Forest"}, {"mana": "{G}", "only": "creature spells"}]
    g = game({"battlefield": ["Forest"], "mana_pool": parts})
    pool = dict(g.players["ann"].pool)
    assert pool[ManaKind("C", None, True, "Forest")] == 2
    (restricted,) = [kind for kind in pool if kind.only is not None]
    assert restricted.type == "G"
    assert restricted.only is not None and restricted.only.spells[0].types == ("Creature",)
    assert write_situation(g)["players"]["ann"]["mana_pool"][1]["only"] == "creature spells"


def test_a_restriction_that_is_not_understood_stays_visible() -> None:
    g = game({"mana_pool": [{"mana": "{G}", "only": "blorf spells on Tuesdays"}]})
    ((kind, _),) = g.players["ann"].pool
    assert kind.only is not None and kind.only.purposes == ("not understood",)
    (unread,) = g.in_zone("effect")
    assert unread.printed.lines[0].status == "unread"
    assert unread.printed.lines[0].subjects == ("+mana",)
    assert again(g) == g


def test_the_history_of_the_turn() -> None:
    g = game(
        {"cast_this_turn": ["2 High Tide"], "this_turn": {"life_lost": 2, "monarch": True}, "counters": {"energy": 3}}
    )
    ann = g.players["ann"]
    assert [c.name for c in ann.cast_this_turn] == ["High Tide"] * 2
    assert (ann.history("life_lost"), ann.history("monarch"), ann.history("drawn")) == (2, 1, 0)
    assert ann.count("energy") == 3


def test_history_that_nobody_knows_stays_visible() -> None:
    with pytest.raises(FormatError, match=r"this_turn\.life_lsot: .*did you mean 'life_lost'"):
        game({"this_turn": {"life_lsot": 2}})
    g = game({"this_turn": {"somersaults": 2}})
    assert [o.printed.lines[0].status for o in g.in_zone("effect")] == ["unread"]
    assert again(g) == g
    assert edited(g, {"set": {"life": 3}, "id": "ann"}).objects == g.objects
    assert not list(edited(g, {"set": {"this_turn": {}}, "id": "ann"}).in_zone("effect"))


# --- turn, stack, effects -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "priority"),
    [
        ({}, "ann"),
        ({"active": "bob"}, "ann"),
        ({"step": "untap"}, None),
        ({"step": "cleanup"}, None),
        ({"step": "cleanup", "priority": "bob"}, "bob"),
        ({"priority": None}, None),
        ({"priority": "bob"}, "bob"),
    ],
)
def test_priority(turn: dict[str, Any], priority: str | None) -> None:
    g = game(turn=turn)
    assert g.turn.priority == priority
    assert g.turn.step == turn.get("step", "main1")


def test_during() -> None:
    g = game({"hand": ["Divination"], "battlefield": ["Two Tricks"]}, turn={"during": {"cast": "divination"}})
    assert g.turn.during_cast == "Divination"
    g = game({"battlefield": ["Two Tricks"]}, turn={"during": {"activate": "Two Tricks", "ability": 2}})
    assert g.turn.during_activate == ("Two Tricks", 2)
    with pytest.raises(FormatError, match=r"turn\.during: say either cast or activate"):
        game(turn={"during": {}})


def test_the_stack() -> None:
    g = game(
        {"battlefield": ["Llanowar Elves"]},
        stack=[
            {"card": "Divination", "controller": "bob", "x": 3, "choices": {"modes": [2], "color": "red"}},
            {"ability": "Draw a card.", "controller": "ann", "targets": ["Llanowar Elves"], "source": "Llanowar Elves"},
            "High Tide",
        ],
    )
    spell, ability, last = (g.objects[i] for i in g.stack)
    assert (spell.controller, spell.x, spell.modes, spell.chosen.color) == ("bob", 3, (2,), "R")
    assert (ability.id, ability.targets, ability.source) == ("ability", ("Llanowar Elves",), "Llanowar Elves")
    assert last.controller == "ann"
    with pytest.raises(FormatError, match=r"stack\[1\].choices: unknown key 'mods'; did you mean 'modes'"):
        game(stack=[{"card": "Divination", "choices": {"mods": [2]}}])


def effect_of(**keys: Any) -> Obj:
    return next(iter(game(effects=[{"controller": "bob", **keys}]).in_zone("effect")))


def test_an_effect_of_a_spell() -> None:
    o = effect_of(card="High Tide", chosen={"color": "red"})
    assert (o.controller, o.chosen.color, o.printed.lines[0].status) == ("bob", "R", "modelled")
    assert len(o.printed.lines[0].abilities) == 1


def test_an_effect_of_an_activated_ability() -> None:
    assert effect_of(card="Two Tricks", ability=3).printed.lines[0].abilities == (NO_MAXIMUM,)
    with pytest.raises(FormatError, match=r"effects\[1\]: .* say which with ability \(2, 3\)"):
        effect_of(card="Two Tricks")
    with pytest.raises(FormatError, match=r"effects\[1\].ability: the card has 3 activated abilities, not 4"):
        effect_of(card="Two Tricks", ability=4)


def test_an_effect_of_a_card_that_leaves_none_is_unread() -> None:
    assert effect_of(card="Divination").printed.lines[0].status == "unread"
    assert effect_of(card="Two Tricks", ability=1).printed.lines[0].status == "unread"


def test_targets_of_an_effect() -> None:
    def lines(g: Game) -> list[str]:
        (o,) = g.in_zone("effect")
        return [line.status for line in o.printed.lines]

    two = game(effects=[{"card": "Opponent's Curse", "controller": "bob"}])
    assert two.objects["Opponent's Curse"].targets == ("ann",)
    assert lines(two) == ["modelled"]
    three = read_situation({"players": {"ann": {}, "bob": {}, "cy": {}}, "effects": [{"card": "Opponent's Curse"}]})
    assert lines(build_game(three, LIBRARY)) == ["modelled", "unread"]
    stated = {"card": "Opponent's Curse", "targets": ["cy"]}
    three = read_situation({"players": {"ann": {}, "bob": {}, "cy": {}}, "effects": [stated]})
    assert lines(build_game(three, LIBRARY)) == ["modelled"]


def test_the_mode_of_an_effect() -> None:
    assert effect_of(card="Charm", chosen={"mode": 2}).printed.lines[0].abilities == (NO_MAXIMUM,)
    assert [line.status for line in effect_of(card="Charm").printed.lines] == ["unread"]
    with pytest.raises(FormatError, match="there are 2 modes, not 3"):
        effect_of(card="Charm", chosen={"mode": 3})


def test_an_effect_in_words() -> None:
    text = "If Plains is tapped for mana, it produces colorless mana instead of white mana."
    g = game({"battlefield": ["Plains", "Plains"]}, effects=[{"text": text, "controller": "bob"}])
    (line,) = g.objects["effect"].printed.lines
    if line.status == "modelled":
        (replacement,) = line.abilities[0].effects
        assert replacement.what.ids == ("Plains",)
    assert again(g) == g
    twice = game(effects=[{"text": "Blorf the frobnicator."}, {"text": "Blorf the frobnicator."}])
    assert {o.printed.lines for o in twice.in_zone("effect")} == {twice.objects["effect"].printed.lines}
    (unread,) = effect_of(text="Blorf the frobnicator of every player.").printed.lines
    assert unread.status != "modelled"


def test_names_in_words_mean_ids_first() -> None:
    ids = frozenset({"Forest", "mine"})
    assert _with_ids(Filter(names=("Forest",)), ids) == Filter(ids=("Forest",))
    assert _with_ids(Filter(names=("Island",)), ids) == Filter(names=("Island",))
    both = _with_ids(Filter(names=("mine", "Island"), tapped=True), ids)
    assert both == Filter(tapped=True, any_of=(Filter(ids=("mine",)), Filter(names=("Island",))))


# --- writing and reading again --------------------------------------------------------------------------------------

NAMES = st.sampled_from(["Forest", "Island", "Llanowar Elves", "1996 World Champion", "Old Scholar", "Young Scholar"])
COUNTERS = st.dictionaries(st.sampled_from(["stun", "charge", "loyalty"]), st.integers(0, 3), max_size=2)
CHOSEN = st.fixed_dictionaries(
    {},
    optional={
        "color": st.sampled_from(["red", "G", None]),
        "type": st.sampled_from(["Elf", None]),
        "number": st.none() | st.integers(0, 9),
        "player": st.sampled_from(["ann", "bob", None]),
        "mode": st.sampled_from(["1", 2, None]),
    },
)
PERMANENTS = st.fixed_dictionaries(
    {"card": NAMES},
    optional={
        "tapped": st.booleans(),
        "sick": st.booleans(),
        "counters": COUNTERS,
        "attached_to": st.sampled_from(["anchor", "ann"]),
        "attacking": st.just("bob"),
        "blocking": st.just(["anchor"]),
        "damage": st.integers(0, 3),
        "face": st.just("front"),
        "chosen": CHOSEN,
        "imprinted": st.lists(NAMES, max_size=2),
        "noted": st.sampled_from(["{G}", ["a", "b"]]),
        "face_down": st.booleans(),
        "phased_out": st.booleans(),
        "owner": st.sampled_from(["ann", "bob"]),
        "copy_of": NAMES,
        "timestamp": st.integers(-2, 9) | st.just(2.5),
        "entered": st.just("this_turn"),
        "goaded_by": st.just(["bob"]),
        "activated": st.just([1, 1]),
        "token": st.booleans(),
        "x": st.integers(0, 9),
        "commander": st.booleans(),
        "casts": st.integers(0, 2),
    },
)
CARDS = st.fixed_dictionaries(
    {"card": NAMES | st.just("Hot // Cold")},
    optional={"counters": COUNTERS, "face_down": st.booleans(), "commander": st.booleans(), "chosen": CHOSEN},
)
COUNTED = st.builds(lambda n, name: f"{n} {name}", st.integers(1, 3), NAMES)
POOLS = st.one_of(
    st.sampled_from(["", "{R}{G}", {"G": 50}]),
    st.lists(
        st.fixed_dictionaries(
            {"mana": st.sampled_from(["{C}", "{U}{U}", {"B": 60}])},
            optional={
                "snow": st.booleans(),
                "source": st.just("anchor"),
                "only": st.sampled_from(["creature spells", "blorf spells", {"purposes": ["x"], "type": "SpendOnly"}]),
                "riders": st.just(["scry"]),
            },
        ),
        max_size=3,
    ),
)
PLAYERS = st.fixed_dictionaries(
    {},
    optional={
        "life": st.integers(-5, 40),
        "battlefield": st.lists(NAMES | COUNTED | PERMANENTS, max_size=4),
        "hand": st.integers(0, 7) | st.lists(NAMES | COUNTED | CARDS, max_size=3),
        "graveyard": st.lists(NAMES | CARDS, max_size=3),
        "exile": st.lists(NAMES | CARDS, max_size=2),
        "command": st.lists(CARDS | st.just({"emblem": "Emblem Maker"}), max_size=2),
        "library": st.integers(0, 60) | st.lists(NAMES | CARDS, max_size=3),
        "mana_pool": POOLS,
        "lands_played": st.integers(0, 2),
        "cast_this_turn": st.lists(NAMES, max_size=2),
        "this_turn": st.dictionaries(st.sampled_from(["life_lost", "drawn"]), st.integers(0, 3)),
        "counters": COUNTERS,
        "starting_life": st.sampled_from([20, 40]),
    },
)
SITUATIONS = st.fixed_dictionaries(
    {"players": st.fixed_dictionaries({"ann": PLAYERS, "bob": PLAYERS, "cy": st.just({"battlefield": [
        {"card": "Forest", "id": "anchor"}]})})},
    optional={
        "you": st.sampled_from(["ann", "bob", "cy"]),
        "turn": st.fixed_dictionaries(
            {},
            optional={
                "active": st.sampled_from(["ann", "bob"]),
                "step": st.sampled_from(["upkeep", "main1", "attackers", "cleanup"]),
                "priority": st.sampled_from(["ann", "bob", None]),
                "number": st.integers(1, 9),
                "during": st.just({"activate": "anchor", "ability": 2}),
            },
        ),
        "stack": st.lists(
            st.fixed_dictionaries(
                {"card": NAMES},
                optional={
                    "controller": st.sampled_from(["ann", "bob"]),
                    "x": st.integers(0, 3),
                    "targets": st.just(["anchor"]),
                    "choices": st.sampled_from([{"modes": [1]}, {"color": "red"}, {"targets": "ann"}]),
                },
            )
            | st.just({"ability": "Draw a card.", "controller": "bob"}),
            max_size=2,
        ),
        "effects": st.lists(
            st.sampled_from(
                [
                    {"card": "High Tide", "controller": "ann"},
                    {"card": "Two Tricks", "controller": "bob", "ability": 3, "timestamp": 1},
                    {"text": "Blorf.", "controller": "bob", "targets": ["anchor"]},
                ]
            ),
            max_size=2,
        ),
    },
)  # fmt: skip


@given(SITUATIONS)
@settings(max_examples=250, deadline=None)
def test_what_is_written_reads_back_to_an_equal_game(data: dict[str, Any]) -> None:
    g = build_game(read_situation(data), LIBRARY)
    back = again(g)
    assert back == g
    assert write_situation(back) == write_situation(g)


@given(SITUATIONS)
@settings(max_examples=100, deadline=None)
def test_any_object_can_be_removed_and_the_rest_written(data: dict[str, Any]) -> None:
    g = build_game(read_situation(data), LIBRARY)
    for o in list(g.objects.values())[:3]:
        if g.turn.during_activate and o.id == g.turn.during_activate[0]:
            continue
        left = apply_edits(g, (Edit(remove=o.id),), LIBRARY)
        assert o.id not in left.objects
        if g.written.get(o.id) != UNCLEAR:
            assert again(left) == left


def test_short_situations_stay_short() -> None:
    data = {
        "players": {
            "ann": {"battlefield": ["Forest", "3 Island"], "hand": ["Divination"], "mana_pool": "{U}"},
            "bob": {},
        },
        "turn": {"active": "ann", "step": "main1", "priority": "ann"},
    }
    assert write_situation(build_game(read_situation(data), LIBRARY)) == data


# --- edits ----------------------------------------------------------------------------------------------------------


def edited(g: Game, *edits: dict[str, Any]) -> Game:
    return apply_edits(g, msgspec.convert(list(edits), tuple[Edit, ...]), LIBRARY)


def test_removing_keeps_other_ids_and_takes_auras_along() -> None:
    g = game(
        {
            "battlefield": [
                "Forest",
                "Forest",
                {"card": "Wild Growth", "attached_to": "Forest"},
                {"card": "Loxodon Warhammer", "attached_to": "Forest"},
            ]
        }
    )
    left = edited(g, {"remove": "Forest"})
    assert list(left.objects) == ["Forest#2", "Loxodon Warhammer"]
    assert left.objects["Loxodon Warhammer"].attached_to is None
    assert again(left) == left


def test_adding() -> None:
    g = game({"battlefield": ["Forest"]}, {"battlefield": ["Island"]})
    more = edited(g, {"add": "2 Forest"}, {"add": {"card": "Llanowar Elves", "sick": True}, "to": "bob"})
    assert list(more.objects) == ["Forest", "Island", "Forest#2", "Forest#3", "Llanowar Elves"]
    assert more.objects["Llanowar Elves"].controller == "bob"
    assert more.objects["Forest#2"].timestamp == 3
    in_hand = edited(g, {"add": "Divination", "zone": "hand"})
    assert in_hand.objects["Divination"].zone == "hand"
    assert again(in_hand) == in_hand


def test_tapping_untapping_and_setting() -> None:
    g = game({"battlefield": ["Forest", {"card": "Gemstone Mine", "counters": {"mining": 2}}]})
    g = edited(g, {"tap": "Forest"}, {"set": {"counters": {"mining": 5}, "sick": True}, "id": "Gemstone Mine"})
    assert g.objects["Forest"].tapped
    assert g.objects["Gemstone Mine"].counters == (("mining", 5),)
    assert g.objects["Gemstone Mine"].timestamp == 2
    assert list(g.objects) == ["Forest", "Gemstone Mine"]
    assert not edited(g, {"untap": "Forest"}).objects["Forest"].tapped


def test_setting_a_player() -> None:
    g = game({"battlefield": ["Forest"], "mana_pool": "{R}"}, {"library": 7})
    g = edited(g, {"set": {"life": 1, "mana_pool": "{G}"}, "id": "ann"}, {"set": {"life": 9}, "id": "bob"})
    assert (g.players["ann"].life, g.players["ann"].pool) == (1, ((ManaKind("G"), 1),))
    assert (g.players["bob"].life, g.players["bob"].library_size, g.players["bob"].hand_known) == (9, 7, False)
    assert list(g.objects) == ["Forest"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"remove": "Forrest"}, r"what_if\[1\].remove: .*did you mean 'Forest'"),
        ({"tap": "Divination"}, r"what_if\[1\].tap"),
        ({"set": {"taped": True}, "id": "Forest"}, r"what_if\[1\].set.taped: .*did you mean 'tapped'"),
        ({"set": {"id": "x"}, "id": "Forest"}, "an id cannot be changed"),
        ({"set": {"hand": ["Forest"]}, "id": "ann"}, "add and remove"),
        ({"add": "Forrest"}, r"what_if\[1\].add: unknown card 'Forrest'"),
        ({"add": {"card": "Forest", "id": "Forest"}}, "two objects have the id 'Forest'"),
        ({"add": "Forest", "to": "an"}, "unknown player 'an'; did you mean 'ann'"),
    ],
)
def test_edits_that_cannot_be_made(edit: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        edited(game({"battlefield": ["Forest"], "hand": ["Divination"]}), edit)


def test_edits_that_are_allowed_are_checked_one_by_one() -> None:
    g = game({"battlefield": ["Forest"]})
    allowed = msgspec.convert([{"remove": "Forest"}, {"tap": "Forest"}, {"tap": "Frest"}], tuple[Edit, ...])
    check_edits(g, allowed[:2], LIBRARY)
    with pytest.raises(FormatError, match=r"flip.allow\[3\].tap: .*did you mean 'Forest'"):
        check_edits(g, allowed, LIBRARY)


# --- questions ------------------------------------------------------------------------------------------------------

BOARD = {
    "battlefield": ["Forest", {"card": "Old Scholar", "id": "scholar"}, "2 Llanowar Elves"],
    "hand": ["Divination", "Divination", "Forest", "Hot // Cold"],
    "graveyard": ["Divination"],
}


def fitted(query: dict[str, Any]) -> Any:
    return resolve_question(read_query(query), game(BOARD, {"battlefield": ["Grizzly Bears"]}), LIBRARY)


def test_defaults_and_ids_of_questions() -> None:
    assert fitted({"kind": "mana"}).player == "ann"
    assert fitted({"kind": "could_produce", "permanent": "old scholar"}).permanent == "scholar"
    assert fitted({"kind": "could_produce", "permanent": "Forest"}).permanent == "Forest"
    assert fitted({"kind": "can_cast", "card": "Divination"}).card == "Divination"
    assert fitted({"kind": "can_cast", "card": "divination", "zone": "graveyard"}).card == "Divination#3"
    assert fitted({"kind": "can_cast_all", "cards": ["Divination", "Divination"]}).cards == (
        "Divination",
        "Divination#2",
    )
    assert fitted({"kind": "can_cast", "card": "High Tide"}).card == "High Tide"
    assert fitted({"kind": "can_cast", "card": "cold"}).card == "Cold"
    assert fitted({"kind": "can_cast", "card": "hot // cold"}).card == "Hot // Cold"
    assert fitted({"kind": "characteristics", "object": "Divination", "zone": "graveyard"}).object == "Divination#3"


def test_a_purpose() -> None:
    query = {"kind": "can_pay", "cost": "{1}", "for": {"activate": "Old Scholar", "ability": 2}}
    assert fitted(query).for_.activate == "scholar"
    query = {"kind": "usable", "cost": "{1}", "for": {"cast": "Divination"}}
    assert fitted(query).for_.cast == "Divination"


@pytest.mark.parametrize(
    ("action", "key", "value"),
    [
        ({"tap": "old scholar"}, "tap", "scholar"),
        ({"sacrifice": "Forest", "source": "bob"}, "source", "bob"),
        ({"discard": "Forest"}, "discard", "Forest#2"),
        ({"play_land": "Forest"}, "play_land", "Forest#2"),
        ({"attack": {"Old Scholar": "bob"}}, "attack", {"scholar": "bob"}),
        ({"block": {"Forest": "Grizzly Bears"}}, "block", {"Forest": ("Grizzly Bears",)}),
        ({"block": {}}, "block", {}),
        ({"untap_step": ["old scholar"]}, "untap_step", ("scholar",)),
        ({"pay_life": 0}, "pay_life", 0),
    ],
)
def test_actions(action: dict[str, Any], key: str, value: Any) -> None:
    found = fitted({"kind": "legal", "action": action}).action
    assert getattr(found, key) == value
    assert found.who == "ann"


def test_steps_of_a_line() -> None:
    line = [
        {"activate": "Forest", "ability": 1, "produces": "{G}", "phase": "before"},
        {"cast": "Divination", "pays": [{"symbol": "{U}", "for": "Divination"}], "with": {"life": 2}},
        {"pay": "{1}"},
        {"play_land": "Forest"},
    ]
    steps = fitted({"kind": "check", "line": line}).line
    assert [s.verb for s in steps] == ["activate", "cast", "pay", "play_land"]
    assert steps[3].play_land == "Forest#2"
    assert json.loads(msgspec.json.encode(steps[1]))["with"] == {"life": 2}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"kind": "could_produce", "permanent": "Divination"}, "permanent: no permanent 'Divination' is here"),
        ({"kind": "could_produce", "permanent": "Elvs"}, "permanent: no permanent"),
        ({"kind": "mana", "player": "anne"}, "player: unknown player 'anne'; did you mean 'ann'"),
        ({"kind": "can_cast", "card": "Divination", "targets": ["bop"]}, r"targets\[1\]: .*did you mean 'bob'"),
        ({"kind": "can_cast", "card": "Dvination"}, "card: unknown card 'Dvination'; did you mean 'Divination'"),
        ({"kind": "can_cast", "card": "Hot", "using": [{"alternative": "Nobody"}]}, r"using\[1\].alternative"),
        ({"kind": "characteristics", "object": "Nothing"}, "object: no object 'Nothing'"),
        ({"kind": "legal", "action": {"attack": {"Bears": "bob"}}}, "action.attack.Bears: .*'Grizzly Bears'"),
        ({"kind": "legal", "action": {"tap": "x"}}, "action.tap"),
    ],
)
def test_questions_about_what_is_not_there(query: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        fitted(query)
