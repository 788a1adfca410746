"""Reading documents: YAML by its core schema, JSON, cases; and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawmage.model.situation import (
    FormatError,
    build_game,
    check_document,
    read_case,
    read_document,
    read_query,
    read_situation,
    schema,
)
from tests.small_library import LIBRARY


def ids(text: str) -> list[str]:
    return list(read_document(text).game(LIBRARY).objects)


def complaint(text: str | bytes, where: str = "board.yaml") -> str:
    with pytest.raises(FormatError) as caught:
        document = read_document(text, where)
        game = document.game(LIBRARY)
        for n in range(len(document.queries)):
            document.question(n, game, LIBRARY)
    message = str(caught.value)
    assert "\n" not in message
    return message


def board(battlefield: str) -> str:
    return f"players:\n  ann:\n    battlefield:\n      - {battlefield}\n"


# --- what can be read -----------------------------------------------------------------------------------------------


def test_a_situation_with_a_query() -> None:
    document = read_document(
        "situation: {players: {ann: {battlefield: [Forest]}}}\nquery: {kind: can_pay, cost: '{G}'}"
    )
    assert document.single
    assert [q.kind for q in document.queries] == ["can_pay"]
    assert list(document.situation.players) == ["ann"]


def test_a_bare_situation_with_queries_beside_it() -> None:
    document = read_document(
        "players: {ann: {}}\nturn: {step: end}\nqueries: [{kind: state_based}, {kind: mana}]\nid: 7\nnote: two"
    )
    assert not document.single
    assert [q.kind for q in document.queries] == ["state_based", "mana"]
    assert document.situation.turn.step == "end"
    assert (document.id, document.note) == ("7", "two")


def test_json_is_the_same_format() -> None:
    data = {
        "players": {"ann": {"battlefield": ["Forest", {"card": "Forest", "tapped": True}]}},
        "query": {"kind": "mana"},
    }
    assert read_document(json.dumps(data)).situation == check_document(data).situation
    assert read_document(json.dumps(data), "board.json").queries == check_document(data).queries


def test_yaml_core_schema_has_no_other_truth_values() -> None:
    document = read_document("players: {ann: {}, yes: {}, on: {}, 7: {}, ~: {}}")
    assert list(document.situation.players) == ["ann", "yes", "on", "7", "~"]


def test_numbers_of_the_core_schema() -> None:
    document = read_document("players: {a: {life: 0x1F, lands_played: 0o17, counters: {energy: +3}}}")
    player = document.situation.players["a"]
    assert (player.life, player.lands_played, player.counters) == (31, 15, {"energy": 3})


def test_aliases_repeat_what_they_name() -> None:
    assert ids("players: {a: {battlefield: [&f {card: Forest, tapped: true}, *f]}}") == ["Forest", "Forest#2"]


def test_a_name_split_at_its_colon_is_that_card() -> None:
    text = "players:\n  a:\n    battlefield:\n      - Circle of Protection: Red\n      - 2 Circle of Protection: Blue\n"
    assert ids(text)[0] == "Circle of Protection: Red"
    assert len(ids(text)) == 3
    assert ids('{"players": {"a": {"hand": [{"Circle of Protection": "Red"}]}}}') == ["Circle of Protection: Red"]


def test_two_cards_that_would_make_one_name() -> None:
    assert ids("players: {a: {hand: ['Urborg', Tomb]}}") == ["Urborg", "Tomb"]
    assert ids("players:\n  a:\n    hand:\n      - Urborg\n      - Tomb") == ["Urborg", "Tomb"]
    assert ids('{"players": {"a": {"hand": ["Urborg", "Tomb"]}}}') == ["Urborg", "Tomb"]
    assert ids("players: {a: {hand: [{card: Urborg}, Tomb]}}") == ["Urborg", "Tomb"]


def test_a_byte_order_mark_is_no_text() -> None:
    assert read_document(b"\xef\xbb\xbfplayers: {a: {}}").situation.asker == "a"


def test_a_case_is_a_line_of_json() -> None:
    case = read_case(
        b'{"id": "x", "situation": {"players": {"a": {}}}, "query": {"kind": "mana"}, "expect": {"maximal": []}}'
    )
    assert (case.id, case.query.kind, case.expect) == ("x", "mana", {"maximal": []})


# --- one clear line for what cannot ---------------------------------------------------------------------------------

COMPLAINTS = {
    "unquoted symbol": ("players: {a: {}}\nquery: {kind: can_pay, cost: {U}}", "board.yaml:2", '"{U}"'),
    "unquoted symbols": ("players: {a: {}}\nquery: {kind: can_pay, cost: {U}{W/U}}", "board.yaml:2", '"{U}{W/U}"'),
    "unquoted pool": ("players:\n  a:\n    mana_pool: {R}{G}", "board.yaml:3", '"{R}{G}"'),
    "unquoted comma": (
        "players:\n  a:\n    battlefield: [Urborg, Tomb of Yawgmoth]",
        "board.yaml:3",
        '"Urborg, Tomb of Yawgmoth"',
    ),
    "unquoted comma with a count": (
        "players:\n  a:\n    battlefield: [Forest, 2 Urborg, Tomb of Yawgmoth]",
        "quote it",
        '"Urborg, Tomb of Yawgmoth"',
    ),
    "unquoted comma between two cards": (
        "situation:\n  players:\n    a:\n      battlefield: [Forest, 2 Urborg, Tomb]",
        "board.yaml:4: situation.players.a.battlefield[2]",
        '"Urborg, Tomb"',
    ),
    "unquoted comma in a question": (
        "players: {a: {hand: [Urborg, Forest]}}\nquery: {kind: can_cast_all, cards: [Urborg, Tomb]}",
        "board.yaml:2: query.cards[1]",
        '"Urborg, Tomb"',
    ),
    "half quoted": ('players:\n  a:\n    hand:\n    - "Brims" Barone', "board.yaml:4", "quotes around it"),
    "unquoted colon": ("players: {a: {hand: [{card: Circle of Protection: Red}]}}", "board.yaml:1", "quotes"),
    "unknown key": (board("{card: Forest, taped: true}"), "board.yaml:4", "'taped'", "did you mean 'tapped'"),
    "unknown key alone": (board("crad: Forest"), "board.yaml:4", "did you mean 'card'"),
    "unknown key of a player": ("players:\n  a:\n    lief: 3", "board.yaml:3", "players.a.lief", "'life'"),
    "unknown key at the top": ("players: {a: {}}\nqeury: {kind: mana}", "board.yaml:2", "did you mean 'query'"),
    "unknown key of a situation": ("situation:\n  plyers: {}", "board.yaml:2", "did you mean 'players'"),
    "wrong type": ("players: {a: {life: high}}", "expected a whole number, got the text 'high'"),
    "wrong type of a list": ("players: {a: {battlefield: Forest}}", "expected a list, got the text 'Forest'"),
    "wrong type of a permanent": (board("[Forest]"), "battlefield[1]", "expected text or a mapping, got a list"),
    "yes is text": (board("{card: Forest, tapped: yes}"), "expected true or false, got the text 'yes'"),
    "a number as a name": (
        board("{card: 1996}"),
        "expected text or a mapping, got the number 1996",
        'quote it: "1996"',
    ),
    "negative counters": (board("{card: Forest, counters: {mining: -1}}"), "counters.mining", "the number -1"),
    "duplicate key": ("players:\n  a:\n    life: 1\n    life: 2", "board.yaml:4", "'life' stands twice"),
    "not YAML": ("players: {a: {hand: [Forest}}", "board.yaml:1: not YAML"),
    "a tab": ("players:\n\ta: {}", "board.yaml:2", "indent with spaces"),
    "just text": ("Forest", "expected a mapping", "'Forest'"),
    "nothing": ("", "the document is empty"),
    "a list": ("- Forest", "got a list"),
    "no situation": ("query: {kind: mana}", "no situation"),
    "no players": ("players: {}", "at least one"),
    "not a number": ("players: {a: {life: .nan}}", "expected a whole number, got the text '.nan'"),
    "too large": ("players: {a: {life: 1e999}}", "too large"),
    "a huge count": (board("999999999 Forest"), "999999999 Forest", "at most"),
    "a huger count": (board("99999999999999999999 Forest"), "too many"),
    "many small counts": ("players: {a: {hand: [60000 Forest, 60000 Forest]}}", "at most 100,000"),
    "too many digits": (f"players: {{a: {{life: {'9' * 5000}}}}}", "5000 digits"),
    "unknown card": (board("Forrest"), "board.yaml:4", "unknown card 'Forrest'; did you mean 'Forest'?"),
    "unknown kind": ("players: {a: {}}\nquery: {kind: can_play, cost: '{U}'}", "did you mean 'can_pay'"),
    "no kind": ("players: {a: {}}\nquery: {cost: '{U}'}", "kind is missing"),
    "no cost": ("players: {a: {}}\nquery: {kind: can_pay}", "board.yaml:2", "cost is missing"),
    "a bad symbol in a cost": ("players: {a: {}}\nquery: {kind: can_pay, cost: '{H}'}", "query.cost", "{H}"),
    "a bad symbol in a pool": ("players:\n  a:\n    mana_pool: '{R}{2}'", "board.yaml:3", "{2}"),
    "snow in a pool": ("players: {a: {mana_pool: '{S}'}}", "{S}"),
    "attached to nothing": (board("{card: Wild Growth, attached_to: Forest}"), "board.yaml:4", "attached to nothing"),
    "a circle": (
        board("{card: Wild Growth, id: x, attached_to: y}\n      - {card: Wild Growth, id: y, attached_to: x}"),
        "circle",
        "x -> y -> x",
    ),
    "itself": (board("{card: Wild Growth, id: x, attached_to: x}"), "circle"),
    "one id twice": (board("{card: Forest, id: x}\n      - {card: Island, id: x}"), "board.yaml:5", "'x'"),
    "an id that is a player": (board("{card: Forest, id: ann}"), "player"),
    "an id for several": (board("{card: 2 Forest, id: f}"), "share the id 'f'"),
    "an unknown player": ("players: {ann: {}}\nturn: {active: an}", "board.yaml:2", "did you mean 'ann'"),
    "an unknown step": ("players: {a: {}}\nturn: {step: main3}", "did you mean 'main1'"),
    "priority in the untap step": ("players: {a: {}}\nturn: {step: untap, priority: a}", "502.4"),
    "an unknown color": (board("{card: Forest, chosen: {color: bleu}}"), "did you mean 'blue'"),
    "an unknown face": (board("{card: Young Scholar, face: Old Scholer}"), "did you mean 'Old Scholar'"),
    "no back face": (board("{card: Forest, face: back}"), "no back face"),
    "two documents": ("players: {a: {}}\n---\nplayers: {b: {}}", "second document"),
    "a tag": ("players: !!python/object:os.system {a: {}}", "tags"),
    "an alias in itself": ("players: {a: &x {battlefield: [*x]}}", "contains itself"),
    "an alias of nothing": ("players: {a: *x}", "board.yaml:1"),
    "query and queries": ("players: {a: {}}\nquery: {kind: mana}\nqueries: []", "exclude each other"),
    "two verbs": ("players: {a: {}}\nquery: {kind: legal, action: {tap: x, untap: x}}", "exclude each other"),
    "no verb": ("players: {a: {}}\nquery: {kind: legal, action: {who: a}}", "one of cast"),
    "a key that does not go with it": (
        "players: {a: {}}\nquery: {kind: legal, action: {tap: x, transformed: true}}",
        "transformed does not go with tap",
    ),
    "two edits in one": ("players: {a: {}}\nquery: {kind: mana, what_if: [{tap: x, untap: x}]}", "exclude each other"),
    "unknown expectation": ("players: {a: {}}\nexpect: {verdcit: yes}", "expect.verdcit", "did you mean 'verdict'"),
    "a permanent that is not here": (
        board("Forest") + "query: {kind: could_produce, permanent: Forrest}",
        "board.yaml:5: query.permanent",
        "did you mean 'Forest'",
    ),
    "a player that is not here": (
        board("Forest") + "queries: [{kind: mana, player: annn}]",
        "queries[1].player",
        "'ann'",
    ),
    "a card that nobody knows": (
        board("Forest") + "query: {kind: can_cast, card: Divinaton}",
        "did you mean 'Divination'",
    ),
}


@pytest.mark.parametrize("name", COMPLAINTS)
def test_one_clear_line(name: str) -> None:
    text, *parts = COMPLAINTS[name]
    message = complaint(text)
    assert message.startswith("board.yaml"), message
    for part in parts:
        assert part in message, message


def test_bytes_that_are_not_utf_8() -> None:
    assert complaint(b"players:\n  a: \xff\xfe") == "board.yaml:2: not UTF-8 text: the byte 0xff at 14"


def test_json_errors_have_lines_too() -> None:
    text = '{"players": {\n  "a": {"life": 3,\n  "lief": 4}}}'
    assert complaint(text, "board.json").startswith("board.json:3: players.a.lief: unknown key 'lief'")
    assert complaint('{"players": {"a": {"life": NaN}}}', "board.json").startswith("board.json: not JSON")


@pytest.mark.parametrize(
    "text",
    [
        '{"players": {"a": {"life": 1, "life": 2}}}',
        '{"players": {"a": {"life" : 1, "life"\t: 2}}}',
        '{"players": {"a": {"life": 1, "li\\u0066e": 2}}}',
        '{"players": {"a": {"life": 1, "life": "\\u0022: \\u0022:"}}}',
    ],
)
def test_duplicate_keys_in_json(text: str) -> None:
    for where in ("board.json", ""):
        assert "'life' stands twice" in complaint(text, where)


@given(
    st.recursive(
        st.none() | st.integers(-9, 9) | st.text(alphabet='a": \\{}é', max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='a":\\é', max_size=3), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from([None, 1]),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_no_duplicate_key_is_seen_where_none_is(data: object, indent: int | None, ascii_: bool) -> None:
    from lawmage.model.documents import load_json

    raw = json.dumps(data, indent=indent, ensure_ascii=ascii_).encode()
    assert load_json(raw) == data


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    "data",
    [
        3,
        None,
        {1: 2},
        {"players": {1: {}}},
        {"players": {"a": {"life": float("nan")}}},
        {"players": {"a": {"battlefield": [object()]}}},
        {"players": {"a": {"battlefield": {"Forest"}}}},
        {"players": {"a": {"battlefield": ENDLESS}}},
    ],
)
def test_data_that_json_does_not_have(data: object) -> None:
    with pytest.raises(FormatError):
        check_document(data)


@pytest.mark.parametrize(
    "text", ["players: {\ud800: {}}", '{"players": {"\ud800": {}}}', '{"players": {"\\ud800": {}}}']
)
def test_half_characters_are_refused(text: str) -> None:
    assert complaint(text).isprintable()
    with pytest.raises(FormatError):
        read_case(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "not JSON"),
        (b"[]", "expected a mapping, got an empty list"),
        (b"\xff", "not JSON"),
        (b'{"id": "a"}', "situation is missing"),
        (b'{"id": "a", "situation": {"players": {"b": {}}}, "query": {"kind": "mana"}, "exspect": {}}', "'expect'"),
        (
            b'{"id": "a", "situation": {"players": {"b": {}}}, "query": {"kind": "mana"}, "expect": {"verdct": 1}}',
            "expect.verdct",
        ),
    ],
)
def test_broken_cases(line: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        read_case(line, "cases.jsonl")


MILLION = 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        b"[" * MILLION,
        b'{"a":' * (MILLION // 5),
        b"- " * (MILLION // 2),
        b"a: " + b"[" * MILLION,
        b"{a: " * (MILLION // 4),
        b"? " * (MILLION // 2),
        b"[" * (MILLION // 2) + b"]" * (MILLION // 2),
    ],
    ids=["lists", "mappings", "dashes", "flow", "flow mappings", "keys", "closed"],
)
def test_deep_nesting_is_refused_at_once(text: bytes) -> None:
    assert len(complaint(text)) < 200
    with pytest.raises(FormatError):
        read_case(text)


def test_aliases_do_not_explode() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]" for i in range(20)]
    assert "aliases repeat too much" in complaint("\n".join(lines))


@given(st.text(max_size=60) | st.text(alphabet="{}[]:,-*&!?|>'\"#%@` \n\tab1~", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for where in ("x.yaml", "x.json"):
        try:
            read_document(text, where)
        except FormatError as error:
            assert "\n" not in str(error)
    try:
        read_case(text)
    except FormatError as error:
        assert "\n" not in str(error)


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["Forest", "ann", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["card", "id", "tapped", "kind", "battlefield", "chosen", "color", "x", "cast", "players"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)
BASE = {
    "players": {"ann": {"battlefield": [{"card": "Forest", "chosen": {"color": "red"}}], "hand": ["Forest"]}},
    "turn": {"step": "main1", "during": {"cast": "Forest"}},
    "stack": [{"card": "Divination", "controller": "ann"}],
    "effects": [{"card": "High Tide", "controller": "ann"}],
    "query": {"kind": "legal", "action": {"tap": "Forest"}, "what_if": [{"tap": "Forest"}], "flip": {"allow": []}},
}


def _replaced(data: object, at: int, junk: object) -> tuple[object, int]:
    """The data with its value number `at` (in depth-first order) replaced."""
    if at == 0:
        return junk, -1
    at -= 1
    if isinstance(data, dict):
        out = {}
        for key, value in data.items():
            if at >= 0:
                value, at = _replaced(value, at, junk)
            out[key] = value
        return out, at
    if isinstance(data, list):
        new = []
        for value in data:
            if at >= 0:
                value, at = _replaced(value, at, junk)
            new.append(value)
        return new, at
    return data, at


@given(st.integers(0, 30), JUNK)
@settings(max_examples=400, deadline=None)
def test_any_data_is_read_or_refused(at: int, junk: object) -> None:
    data, _ = _replaced(BASE, at, junk)
    try:
        document = check_document(data)
        game = document.game(LIBRARY)
        for n in range(len(document.queries)):
            document.question(n, game, LIBRARY)
    except FormatError as error:
        assert "\n" not in str(error)


# --- the schema -----------------------------------------------------------------------------------------------------


def test_the_schema_covers_the_format() -> None:
    made = schema()
    definitions = made["$defs"]
    for name in ("Document", "Situation", "Question", "Case", "AnswerForm", "PermanentForm", "InlineCard"):
        assert name in definitions
    kinds = {
        definitions[ref["$ref"].rpartition("/")[2]]["properties"]["kind"]["enum"][0]
        for ref in definitions["Question"]["anyOf"]
    }
    assert {"could_produce", "can_cast", "check", "characteristics"} <= kinds
    assert definitions["PermanentForm"]["additionalProperties"] is False
    assert json.loads(msgspec.json.encode(made)) == made


def test_questions_and_situations_from_plain_data() -> None:
    assert read_query({"kind": "can_pay", "cost": "{1}", "for": {"cast": "Divination"}}).kind == "can_pay"
    assert read_situation({"players": {"a": {}}}).asker == "a"
    with pytest.raises(FormatError, match="unknown kind"):
        read_query({"kind": "nothing"})


# --- many real cases ------------------------------------------------------------------------------------------------

CASES = Path(os.environ.get("LAWMAGE_CASES", "no cases here"))


@pytest.mark.skipif(not CASES.is_dir(), reason="LAWMAGE_CASES names no directory of cases")
def test_every_case_reads_and_becomes_a_game_and_back() -> None:
    from lawmage.model.cards import default_library
    from lawmage.model.situation import resolve_question, write_situation

    library = default_library()
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            case = read_case(line, path.name)
            game = build_game(case.situation, library)
            resolve_question(case.query, game, library)
            again = read_situation(json.loads(msgspec.json.encode(write_situation(game))))
            assert build_game(again, library) == game, case.id


# --- the documentation ----------------------------------------------------------------------------------------------

FORMAT = (Path(__file__).parent.parent / "docs" / "format.md").read_text(encoding="utf-8")
EXAMPLES = [part.partition("```")[0] for part in FORMAT.split("```yaml\n")[1:]]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_of_the_documentation(example: str) -> None:
    from lawmage.model.cards import LibraryError, default_library

    document = read_document(example)
    try:
        library = default_library()
    except LibraryError:
        pytest.skip("there is no card library here")
    game = document.game(library)
    for n in range(len(document.queries)):
        document.question(n, game, library)


def test_the_documentation_names_every_key() -> None:
    from lawmage.model import forms, questions

    structs = [s for module in (forms, questions) for s in vars(module).values() if isinstance(s, type)]
    for struct in structs:
        if issubclass(struct, forms.Form):
            for key in struct.__struct_encode_fields__:
                assert re.search(rf"\b{key}\b", FORMAT), (struct, key)
    for key in forms.HISTORY:
        assert f"`{key}`" in FORMAT
    for kind in questions.QUESTIONS:
        assert f"`{kind}`" in FORMAT
