"""Second faces that data lacks: the table of facts, and libraries that are filled from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lawmage.document import read
from lawmage.model.abilities import Bound, Face, Filter, SpellAbility, Target, X, abilities_of
from lawmage.model.cards import Library, default_library
from lawmage.model.cards import build as building
from lawmage.model.cards.records import CARD_TYPES, order_colors, split_type_line
from lawmage.model.cards.second_face_facts import FACTS, NAMESAKES, Facts
from lawmage.model.cards.second_faces import filled
from lawmage.model.mana import parse_cost
from lawmage.solver.ask import ask


def facts_of(name: str) -> Facts:
    (found,) = (rows[name] for rows in FACTS.values() if name in rows)
    return found


def targets_of(name: str) -> tuple[Target, ...]:
    return tuple(t for a in abilities_of(facts_of(name).lines) if isinstance(a, SpellAbility) for t in a.targets)


# --- the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", FACTS)
def test_every_row_is_a_face(layout: str) -> None:
    unflipped = Face("Front", mana_cost="{1}{G}", colors="G", types=("Creature",))
    for name, facts in FACTS[layout].items():
        face = filled(Face(name, missing=True), layout, unflipped)
        assert not face.missing, name
        assert msgspec.msgpack.Decoder(Face).decode(msgspec.msgpack.encode(face)) == face, name
        _, types, _ = split_type_line(facts.type_line)
        assert types and set(types) <= CARD_TYPES, name
        assert [line.n for line in face.lines] == list(range(1, len(face.lines) + 1)), name
        assert bool(face.power) == bool(face.toughness) == ("Creature" in types or "Vehicle" in face.subtypes), name
        assert bool(face.loyalty) == ("Planeswalker" in types), name
        if facts.mana_cost is None:
            assert layout == "flip" or types == ("Land",), name
        else:
            assert face.colors == order_colors(parse_cost(facts.mana_cost).colors), name


@pytest.mark.parametrize("layout", FACTS)
def test_spells_say_what_they_target(layout: str) -> None:
    """Whatever is cast to resolve has a spell ability, whether or not that is any question's subject."""
    for name, facts in FACTS[layout].items():
        is_spell = facts.type_line.split()[0] in ("Instant", "Sorcery")
        assert any(isinstance(a, SpellAbility) for a in abilities_of(facts.lines)) == is_spell, name


def words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from words(part)


def test_no_line_is_text() -> None:
    """Every string of a line is one word of a vocabulary, a keyword or a cost, and no sentence."""
    lines = [msgspec.to_builtins(facts.lines) for rows in FACTS.values() for facts in rows.values()]
    for word in words(lines):
        assert len(word.split()) <= 2
        assert not word.endswith(".")


@pytest.mark.parametrize("layout", FACTS)
def test_every_row_is_the_second_face_of_a_card_of_its_colors(layout: str) -> None:
    """The identity of the card (903.4) is stated by the sources also where its second face is not."""
    for name in FACTS[layout]:
        found = default_library().find(name)
        assert (found.card.layout, found.face) == (layout, 1), name
        unflipped = found.card.faces[0]
        face = filled(Face(name, missing=True), layout, unflipped)
        symbols = {c for word in words(msgspec.to_builtins(face.lines)) if "{" in word for c in word} & set("WUBRG")
        assert set(face.colors) | symbols <= set(found.card.identity), name


def test_names_are_in_one_place() -> None:
    names = [name for rows in FACTS.values() for name in rows]
    assert len(set(names)) == len(names)
    assert not NAMESAKES & set(names)


YOUR_GRAVEYARD = Filter(zone="graveyard", owner="you")


@pytest.mark.parametrize(
    ("name", "cost", "targets"),
    [
        ("Stomp", "{1}{R}", (Target(any_target=True),)),
        ("Petty Theft", "{1}{U}", (Target(Filter(not_types=("Land",), controller="opponents")),)),
        ("Chop Down", "{2}{W}", (Target(Filter(types=("Creature",), bounds=(Bound("power", ">=", 4),))),)),
        ("Seasonal Ritual", "{G}", ()),
        (
            "Garenbrig Growth",
            "{G}",
            (Target(msgspec.structs.replace(YOUR_GRAVEYARD, types=("Creature", "Land"))),),
        ),
        ("Plant Tadpoles", "{X}{U}{U}", (Target(Filter(types=("Creature",)), least=X(), most=X()),)),
        ("Bring Back", "{G/W}{G/W}{G/W}{G/W}", ()),
        ("Ruin", "{1}{R}{R}", (Target(Filter(types=("Creature",))),)),
        ("Jetsam", "{4}{U/B}{U/B}", ()),
        ("Error", "{U}{B}", (Target(Filter(zone="stack", color_count="multicolored")),)),
        ("The Prismatic Bridge", "{W}{U}{B}{R}{G}", ()),
        ("Tibalt, Cosmic Impostor", "{5}{B}{R}", ()),
        ("Explore the Vastlands", "{3}", ()),
        ("Sea Gate, Reborn", None, ()),
    ],
)
def test_costs_and_targets(name: str, cost: str | None, targets: tuple[Target, ...]) -> None:
    assert facts_of(name).mana_cost == cost
    assert targets_of(name) == targets


# --- libraries ------------------------------------------------------------------------------------------------------


def front(name: str, cost: str | None, type_line: str, layout: str, identity: str = "", text: str = "") -> dict:
    return {
        "name": name,
        "manaCost": cost,
        "type": type_line,
        "text": text,
        "layout": layout,
        "colorIdentity": list(identity),
    }


ONLY_FRONTS = [
    front("Sasaya, Orochi Ascendant // Sasaya's Essence", "{1}{G}{G}", "Legendary Creature — Snake Monk", "flip", "G"),
    front("Bonecrusher Giant // Stomp", "{2}{R}", "Creature — Giant", "adventure", "R"),
    front("Valki, God of Lies // Tibalt, Cosmic Impostor", "{1}{B}", "Legendary Creature — God", "modal_dfc", "BR"),
    front("Crystal Dragon // Rob the Hoard", "{4}{W}{W}", "Creature — Dragon", "adventure", "W"),
    front("Kabira Takedown // Kabira Plateau", "{1}{W}", "Instant", "modal_dfc", "W"),
    front("Dirgur Focusmage // Braingeyser", "{2}{U}", "Creature — Djinn Monk", "prepare", "U"),
    front("Braingeyser", "{X}{U}{U}", "Sorcery", "normal", "U"),
    front("Nobody // Stomp", "{W}", "Instant", "split", "W"),
    front("Lightning Bolt", "{R}", "Instant", "normal", "R"),
    front("Sol Ring", "{1}", "Artifact", "normal", text="{T}: Add {C}{C}."),
    *(
        front(name, None, f"Basic Land — {name}", "normal", color)
        for name, color in (("Plains", "W"), ("Swamp", "B"), ("Mountain", "R"), ("Forest", "G"))
    ),
]


@pytest.fixture(scope="module")
def fronts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cards") / "corpus.json"
    path.write_text(json.dumps(ONLY_FRONTS))
    return path


@pytest.fixture(scope="module")
def library(fronts: Path) -> Library:
    return Library(building.build([fronts]).data)


def face_of(library: Library, name: str) -> Face:
    found = library.find(name)
    return found.card.faces[found.face]


def test_a_missing_face_is_filled(library: Library) -> None:
    stomp = library.find("Bonecrusher Giant // Stomp").card.faces[1]
    assert (stomp.mana_cost, stomp.types, stomp.subtypes, stomp.colors) == ("{1}{R}", ("Instant",), ("Adventure",), "R")
    assert face_of(library, "Tibalt, Cosmic Impostor").colors == "BR"
    assert face_of(library, "Kabira Plateau").types == ("Land",)


def test_a_flipped_face_has_the_cost_of_its_front(library: Library) -> None:
    essence = face_of(library, "Sasaya's Essence")
    assert (essence.mana_cost, essence.colors, essence.types) == ("{1}{G}{G}", "G", ("Enchantment",))


def test_a_famous_spell_on_another_card_is_the_card_of_that_name(library: Library) -> None:
    inset = library.find("Dirgur Focusmage").card.faces[1]
    assert (inset.mana_cost, inset.types, inset.missing) == ("{X}{U}{U}", ("Sorcery",), False)


def test_a_face_of_another_layout_is_not_filled(library: Library) -> None:
    assert library.find("Nobody").card.faces[1].missing


def test_a_source_that_has_the_face_wins(fronts: Path, tmp_path: Path) -> None:
    giant, stomp = (
        {"name": name, "mana_cost": cost, "type_line": kind, "oracle_text": ""}
        for name, cost, kind in (("Bonecrusher Giant", "{2}{R}", "Creature"), ("Stomp", "{R}", "Instant"))
    )
    card = {
        "oracle_id": "1",
        "name": "Bonecrusher Giant // Stomp",
        "layout": "adventure",
        "released_at": "2019-10-04",
        "card_faces": [giant, stomp],
    }
    newer = tmp_path / "scryfall.json"
    newer.write_text(json.dumps([card]))
    library = Library(building.build([fronts, newer]).data)
    assert library.find("Bonecrusher Giant").card.faces[1].mana_cost == "{R}"


def test_a_filled_library_is_reproducible(fronts: Path) -> None:
    assert building.build([fronts]).data == building.build([fronts]).data


# --- questions ------------------------------------------------------------------------------------------------------


def answer(library: Library, query: dict[str, Any], **mine: Any) -> Any:
    situation = {"players": {"me": mine, "other": {}}, "you": "me", "turn": {"active": "me", "step": "main1"}}
    document = read({"situation": situation, "query": query})
    return ask(document.game(library), document.queries[0], library)


ESSENCE = {"card": "Sasaya, Orochi Ascendant", "face": "back"}


def test_sasayas_essence_makes_more_of_what_a_land_made(library: Library) -> None:
    """One more mana for each other land of that name that its controller has, tapped or not."""
    forests = ["Forest", {"card": "Forest", "tapped": True}, {"card": "Forest", "tapped": True}]
    assert answer(library, {"kind": "mana"}, battlefield=[ESSENCE, *forests]).values["maximal"] == ["{G}{G}{G}"]
    other = answer(library, {"kind": "mana"}, battlefield=[ESSENCE, *forests, "Mountain"])
    assert other.values["maximal"] == ["{R}{G}{G}{G}"]


def verdict(library: Library, card: str, **mine: Any) -> str:
    return answer(library, {"kind": "can_cast", "card": card}, **mine).verdict


def test_a_filled_face_is_cast_for_its_own_cost(library: Library) -> None:
    hand = ["Valki, God of Lies"]
    assert verdict(library, "Tibalt, Cosmic Impostor", hand=hand, battlefield=["6 Swamp", "Mountain"]) == "yes"
    assert verdict(library, "Tibalt, Cosmic Impostor", hand=hand, battlefield=["7 Swamp"]) == "no"
    assert verdict(library, "Stomp", hand=["Bonecrusher Giant"], battlefield=["2 Mountain"]) == "yes"
    assert verdict(library, "Stomp", hand=["Bonecrusher Giant"], battlefield=["Mountain"]) == "no"


@pytest.mark.parametrize(
    ("graveyard", "expected"),
    [(["Sol Ring"], "yes"), (["Valki, God of Lies"], "yes"), (["Lightning Bolt"], "no"), ([], "no")],
)
def test_a_filled_face_without_a_target_cannot_be_cast(library: Library, graveyard: list[str], expected: str) -> None:
    mine = {"hand": ["Crystal Dragon"], "battlefield": ["2 Plains"], "graveyard": graveyard}
    assert verdict(library, "Rob the Hoard", **mine) == expected


def test_what_an_emblem_lets_be_played_is_unknown_where_nothing_says_it(library: Library) -> None:
    """Which cards were exiled with Tibalt is not stated; those in hand have nothing to do with it."""
    emblem = [{"emblem": "Tibalt, Cosmic Impostor"}]
    exiled = answer(
        library,
        {"kind": "can_cast", "card": "Lightning Bolt", "zone": "exile"},
        command=emblem,
        exile=["Lightning Bolt"],
        battlefield=["Mountain"],
    )
    assert exiled.verdict == "unknown"
    assert verdict(library, "Lightning Bolt", command=emblem, hand=["Lightning Bolt"], battlefield=["Forest"]) == "no"
