"""Canonical forms: what is the same has one form, what could differ never does, and no answer depends on it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawmage.model.cards import default_library
from lawmage.model.situation import build_game, read_query, read_situation, resolve_question
from lawmage.solver.answer import Answer, Reason
from lawmage.solver.ask import ask
from lawmage.solver.audit import Distinct
from lawmage.solver.cache import Store
from lawmage.solver.canonical import Form, canonical_form
from lawmage.solver.memo import Memo

CAN_PAY = {"kind": "can_pay", "cost": "{G}{G}"}


def form_of(players: dict[str, Any], query: dict[str, Any], **more: Any) -> Form | None:
    library = default_library()
    game = build_game(read_situation({"players": players, **more}), library)
    return canonical_form(game, resolve_question(read_query(query), game, library))


def key(players: dict[str, Any], query: dict[str, Any] = CAN_PAY, **more: Any) -> bytes | None:
    form = form_of(players, query, **more)
    return None if form is None else form.key


def board(*battlefield: Any, bob: Any = (), **more: Any) -> dict[str, Any]:
    return {"alice": {"battlefield": list(battlefield), **more}, "bob": {"battlefield": list(bob)}}


FOREST_A = {"card": "Forest", "id": "a"}
SAME = {
    "names of ids": (
        board({"card": "Forest", "id": "land 7"}, "Gaea's Cradle"),
        board("Forest", {"card": "Gaea's Cradle", "id": "the cradle"}),
    ),
    "names of players": (
        board("Forest", "Wall of Roots"),
        {"me": {"battlefield": ["Forest", "Wall of Roots"]}, "them": {}},
    ),
    "the order of what has no continuous effects": (
        board("Forest", "Wall of Roots", "Island"),
        board("Island", "Forest", "Wall of Roots"),
    ),
    "timestamps": (
        board({"card": "Blood Moon", "timestamp": 7}, {"card": "Taiga", "timestamp": 3}),
        board({"card": "Taiga", "timestamp": 1.5}, {"card": "Blood Moon", "timestamp": 2}),
    ),
    "what a plain board cannot see": (
        board("Forest", "Forest", "Serra Angel", bob=["Island"], life=3, hand=["Opt"], graveyard=["Ponder"]),
        board("2 Forest", bob=["Grizzly Bears"]),
    ),
    "which of two the Aura is on": (
        board({"card": "Forest", "id": "a"}, "Forest", {"card": "Utopia Sprawl", "attached_to": "a"}),
        board("Forest", {"card": "Forest", "id": "b"}, {"card": "Utopia Sprawl", "attached_to": "b"}),
    ),
}
DIFFERENT = {
    "tapped": (board("Forest"), board({"card": "Forest", "tapped": True})),
    "one more": (board("Forest"), board("2 Forest")),
    "whose": (board("Forest", "Exotic Orchard"), board("Exotic Orchard", bob=["Forest"])),
    "the order of two effects in one layer": (
        board("Forest", {"card": "Blood Moon"}, {"card": "Conversion"}),
        board("Forest", {"card": "Conversion"}, {"card": "Blood Moon"}),
    ),
    "what the Aura is on": (
        board({"card": "Forest", "id": "a"}, "Wall of Roots", {"card": "Utopia Sprawl", "attached_to": "a"}),
        board("Forest", {"card": "Taiga", "id": "a"}, {"card": "Utopia Sprawl", "attached_to": "a"}),
    ),
    "which of two that differ it is on": (
        board({"card": "Forest", "id": "a", "tapped": True}, "Forest", {"card": "Fertile Ground", "attached_to": "a"}),
        board({"card": "Forest", "tapped": True}, FOREST_A, {"card": "Fertile Ground", "attached_to": "a"}),
    ),
    "life, where something could look at it": (board("City of Brass", life=3), board("City of Brass", life=4)),
    "a choice not stated and none made": (
        board({"card": "Coldsteel Heart"}),
        board({"card": "Coldsteel Heart", "chosen": {"color": None}}),
    ),
    "cards that function in the hand": (board("Forest", hand=["Elvish Spirit Guide"]), board("Forest")),
    "the order of a graveyard": (
        board("Gaea's Cradle", graveyard=["Opt", "Ponder"]),
        board("Gaea's Cradle", graveyard=["Ponder", "Opt"]),
    ),
    "what came after a resolved effect": (
        board("Forest", {"card": "Grizzly Bears", "timestamp": 9}),
        board("Forest", {"card": "Grizzly Bears", "timestamp": 3}),
    ),
}  # fmt: skip
AN_EFFECT = [{"card": "Giant Growth", "targets": ["Grizzly Bears"], "timestamp": 5}]


@pytest.mark.parametrize("what", SAME)
def test_what_is_the_same_has_one_form(what: str) -> None:
    one, other = SAME[what]
    assert key(one) == key(other) is not None


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_could_differ_has_two_forms(what: str) -> None:
    one, other = DIFFERENT[what]
    more = {"effects": AN_EFFECT} if what.startswith("what came") else {}
    assert key(one, **more) != key(other, **more)


HAND = ["Opt", "Opt", "Wear // Tear"]
ONE, OTHER = {"card": "Forest", "id": "a"}, {"card": "Forest", "id": "the other"}
SAME_QUESTION: dict[str, tuple[Any, Any]] = {
    "an action": (
        (board(ONE, "Island"), {"kind": "legal", "action": {"tap": "a", "cause": "cost", "source": "Island"}}),
        (
            board("Island", OTHER),
            {"kind": "legal", "action": {"tap": "the other", "cause": "cost", "source": "Island"}},
        ),
    ),
    "attackers": (
        (board(ONE, "Grizzly Bears"), {"kind": "legal", "action": {"attack": {"Grizzly Bears": "bob"}}}),
        (
            board({"card": "Grizzly Bears", "id": "b"}, OTHER),
            {"kind": "legal", "action": {"attack": {"b": "bob"}}},
        ),
    ),
    "cards by their names": (
        (board(ONE, hand=HAND), {"kind": "can_cast_all", "cards": ["Opt", "Wear", "Opt"]}),
        (board(OTHER, hand=HAND[::-1]), {"kind": "can_cast_all", "cards": ["Opt#2", "Wear", "Opt"]}),
    ),
    "a face": (
        (board(ONE, "Island", hand=HAND), {"kind": "can_cast", "card": "Tear"}),
        (board("Island", OTHER, hand=HAND), {"kind": "can_cast", "card": "Tear"}),
    ),
    "a card that is not here": (
        (board(ONE), {"kind": "can_cast", "card": "Opt"}),
        (board(OTHER), {"kind": "can_cast", "card": "Opt"}),
    ),
    "an ability in words": (
        (board(ONE), {"kind": "can_activate", "permanent": "a", "ability": "{T}: Add {G}."}),
        (board(OTHER), {"kind": "can_activate", "permanent": "the other", "ability": "{T}: Add {G}."}),
    ),
    "edits that turn an answer around": (
        (board(ONE, "Island"), {**CAN_PAY, "flip": {"allow": [{"untap": "a"}, {"add": "Forest", "to": "alice"}]}}),
        (
            board(OTHER, "Island"),
            {**CAN_PAY, "flip": {"allow": [{"untap": "the other"}, {"add": "Forest", "to": "alice"}]}},
        ),
    ),
}


@pytest.mark.parametrize("what", SAME_QUESTION)
def test_the_same_question_has_one_form(what: str) -> None:
    (one, asked), (other, asked_again) = SAME_QUESTION[what]
    assert key(one, asked) == key(other, asked_again) is not None
    changed = {**one["alice"], "battlefield": [*one["alice"]["battlefield"], {"card": "Island", "tapped": True}]}
    assert key(one, asked) != key({**one, "alice": changed}, asked)


TWO_OPTS = [{"card": "Opt", "id": "x"}, {"card": "Opt", "id": "y", "noted": "seen"}]


@pytest.mark.parametrize(
    ("players", "query"),
    [
        (board("Forest"), {"kind": "check", "line": [{"activate": "Forest"}]}),
        (board("Forest"), {**CAN_PAY, "flip": {"allow": [{"set": {"tapped": True}, "id": "Forest"}]}}),
        (board("Forest"), {**CAN_PAY, "flip": {"allow": [{"add": {"card": "Forest", "tapped": True}}]}}),
        (board({"card": "Forest", "id": "f"}), {**CAN_PAY, "flip": {"allow": [{"tap": "Forest"}]}}),
        (board({"card": "Forest", "noted": "bob"}), CAN_PAY),
        (board("Forest", hand=TWO_OPTS), {"kind": "can_pay", "cost": "{U}", "for": {"cast": {"name": "Opt"}}}),
    ],
)
def test_what_is_doubtful_has_no_form(players: dict[str, Any], query: dict[str, Any]) -> None:
    assert key(players, query) is None


def test_objects_that_a_text_names_are_those_objects() -> None:
    """What the text of an effect calls by name has its name there; all others may be called anything."""

    def form(*battlefield: Any, text: str = "Mountain is an Island.") -> bytes | None:
        return key(board(*battlefield), effects=[{"text": text, "controller": "alice"}])

    named, tapped = {"card": "Forest", "id": "Mountain"}, {"card": "Forest", "id": "Mountain", "tapped": True}
    one = form(named, {"card": "Plains", "id": "b"}, {"card": "Forest", "id": "c", "tapped": True})
    assert one == form(named, "Plains", {"card": "Forest", "id": "d", "tapped": True}) is not None
    assert one != form(tapped, {"card": "Forest", "id": "c"}, "Plains")


def written(answer: Answer) -> bytes:
    return msgspec.json.encode(answer)


def test_words_are_found_again_under_other_names() -> None:
    """Nothing but names may differ where words tell of things."""
    memo = Memo(default_library())
    query = read_query({"kind": "can_pay", "cost": "{G}{G}"})
    texts = []
    for first, second in (("land 1", "land 2"), ("one", "two")):
        permanents = [{"card": "Forest", "id": first}, {"card": "Forest", "id": second}, "Serra Angel"]
        situation = read_situation({"players": board(*permanents)})
        answer = memo.ask(situation, query, True)
        assert written(answer) == written(ask(build_game(situation, memo.library), query, memo.library))
        texts.append([reason.text for reason in answer.because])
    assert texts[0] != texts[1]
    assert len(memo.forms.values) == 1


def test_answers_speak_of_the_names_that_were_asked_about() -> None:
    memo = Memo(default_library())
    query = read_query({"kind": "can_pay", "cost": "{G}"})
    taps = []
    for name in ('the "first"', "the second\n"):
        situation = read_situation({"players": board({"card": "Forest", "id": name})})
        taps.append(memo.ask(situation, query, False).values["plan"][0]["activate"])
    assert taps == ['the "first"', "the second\n"]
    assert len(memo.forms.values) == 1


# --- an answer is the same with and without --------------------------------------------------------------------------

CARDS = (
    "Forest", "Island", "Mystic Gate", "Reflecting Pool", "Exotic Orchard", "Wall of Roots", "Ashnod's Altar",
    "Blood Moon", "Urborg, Tomb of Yawgmoth", "Llanowar Elves", "Mana Reflection", "Springleaf Drum", "Taiga",
    "City of Brass", "Gaea's Cradle", "Cabal Coffers", "Grizzly Bears", "Priest of Titania", "Phyrexian Altar",
    "Elvish Spirit Guide", "Serra Angel", "Chromatic Lantern", "Yavimaya, Cradle of Growth",
)  # fmt: skip
IN_HAND = (*CARDS, "Wear // Tear", "Opt", "Snakeskin Veil")
FLIP = {"allow": [{"tap": "p0"}, {"remove": "p0"}, {"add": "Forest", "to": "alice"}, {"add": "Blood Moon"}], "most": 2}
QUERIES = (
    {"kind": "mana"},
    {"kind": "can_pay", "cost": "{1}{G}"},
    {"kind": "can_pay", "cost": "{W}{U/P}"},
    {"kind": "can_pay", "cost": "{1}{G}", "flip": FLIP},
    {"kind": "could_produce", "permanent": "p0"},
    {"kind": "outcomes", "permanent": "p0"},
    {"kind": "characteristics", "object": "p0"},
    {"kind": "untaps"},
    {"kind": "state_based"},
    {"kind": "legal", "action": {"tap": "p0", "cause": "cost", "source": "p10"}},
    {"kind": "legal", "action": {"sacrifice": "p0", "cause": "effect", "source": "bob"}},
    {"kind": "legal", "action": {"cast": "Wear"}},
    {"kind": "can_cast", "card": "Tear"},
    {"kind": "can_cast", "card": "Opt", "flip": FLIP},
    {"kind": "can_cast_all", "cards": ["Snakeskin Veil", "Opt"]},
    {"kind": "can_activate", "permanent": "p0", "ability": "{T}: Add {G}."},
    {"kind": "usable", "cost": "{1}{G}"},
)
EFFECTS = ((), ("p0 is an Island.",), ("Forests are Swamps.",), ('p0 has "{T}: Add {W}."', "p10 is a Swamp."))
# Values that are lists without order, and those that several best plans share.
COMPARED = (
    "types", "outcomes", "maximal", "must", "may", "stays", "actions", "spent", "power", "subtypes", "colors", "flips",
    "usable", "total_cost",
)  # fmt: skip


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    def permanents(start: int) -> list[dict[str, Any]]:
        cards = draw(st.lists(st.tuples(st.sampled_from(CARDS), st.booleans()), min_size=1, max_size=4))
        return [{"card": card, "id": f"p{start + n}", "tapped": tapped} for n, (card, tapped) in enumerate(cards)]

    hand = draw(st.lists(st.sampled_from(IN_HAND), max_size=3))
    life = draw(st.integers(1, 20))
    players = {
        "alice": {"battlefield": permanents(0), "hand": hand, "life": life, "graveyard": draw(st.just(hand))},
        "bob": {"battlefield": permanents(10)},
    }
    effects = [{"text": text, "controller": "alice", "timestamp": 90} for text in draw(st.sampled_from(EFFECTS))]
    return {"players": players, "effects": effects}


def values(answer: Answer) -> dict[str, Any]:
    wire = msgspec.json.decode(msgspec.json.encode(answer.wire()))
    return {"verdict": wire["verdict"], **{key: _sorted(wire[key]) for key in COMPARED if key in wire}}


def _sorted(value: Any) -> Any:
    """The value without the order of its lists."""
    if isinstance(value, dict):
        return {key: _sorted(part) for key, part in value.items()}
    return sorted(map(_sorted, value), key=repr) if isinstance(value, list) else value


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(boards(), st.sampled_from(QUERIES))
def test_an_answer_in_canonical_form_is_the_answer(whole: dict[str, Any], query: dict[str, Any]) -> None:
    library = default_library()
    situation, question = read_situation(whole), read_query(query)
    direct = ask(build_game(situation, library), question, library, explain=False)
    assert values(Memo(library).ask(situation, question, False)) == values(direct)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(boards(), st.sampled_from(QUERIES))
def test_words_in_canonical_form_are_the_words(whole: dict[str, Any], query: dict[str, Any]) -> None:
    library = default_library()
    situation, question = read_situation(whole), read_query(query)
    direct = ask(build_game(situation, library), question, library, explain=True)
    assert written(Memo(library).ask(situation, question, True)) == written(direct)


REMEMBERS: list[Memo] = []


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(boards(), st.sampled_from(QUERIES), st.integers(0, 10_000))
def test_an_answer_of_another_that_looks_the_same_is_the_answer(
    whole: dict[str, Any], query: dict[str, Any], seed: int
) -> None:
    """Permanents of one board in another order, with other names: whether they share a form or not, the answers are
    those that are found without one."""
    library = default_library()
    if not REMEMBERS:
        REMEMBERS.append(Memo(library))
    chance = random.Random(seed)
    players = whole["players"]
    for p in players.values():
        stamps = list(range(1 + 20 * (p is players["bob"]), 50))
        for n, permanent in enumerate(p["battlefield"]):
            permanent["timestamp"] = stamps[n]
        chance.shuffle(p["battlefield"])
    for _ in range(2):
        situation, question = read_situation(whole), read_query(query)
        direct = ask(build_game(situation, library), question, library, explain=False)
        assert values(REMEMBERS[0].ask(situation, question, False)) == values(direct)
        # the stamps of two permanents change places, and two of a kind their names
        permanents = players["alice"]["battlefield"]
        one, other = chance.choice(permanents), chance.choice(permanents)
        one["timestamp"], other["timestamp"] = other["timestamp"], one["timestamp"]
        chance.shuffle(players["alice"]["hand"])


# --- the file of answers --------------------------------------------------------------------------------------------


def ask_with(store: Store, cost: str = "{G}") -> tuple[Memo, Answer]:
    memo = Memo(default_library(), store)
    situation = read_situation({"players": board("Forest", "Wall of Roots")})
    return memo, memo.ask(situation, read_query({"kind": "can_pay", "cost": cost}), False)


def test_answers_outlast_a_run_of_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask_with(Store(tmp_path / "answers", b"this program"))[1]
    monkeypatch.setattr("lawmage.solver.ask.ask", lambda *_, **__: Answer("no"))
    assert ask_with(Store(tmp_path / "answers", b"this program"))[1] == first
    assert ask_with(Store(tmp_path / "answers", b"another"))[1] == Answer("no")
    assert ask_with(Store(tmp_path / "answers", b"this program"))[1] == Answer("no")


@pytest.mark.parametrize("code", ["time_limit", "internal"])
def test_what_may_come_out_otherwise_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr("lawmage.solver.ask.ask", lambda *_, **__: Answer("unknown", because=(Reason(code),)))
    memo, _ = ask_with(Store(tmp_path / "answers", b""))
    assert not memo.forms.values
    monkeypatch.setattr("lawmage.solver.ask.ask", lambda *_, **__: Answer("yes"))
    assert ask_with(Store(tmp_path / "answers", b""))[1].verdict == "yes"


def test_a_damaged_file_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "answers").write_bytes(b"this is no database" * 100)
    assert ask_with(Store(tmp_path / "answers", b""))[1].verdict == "yes"
    assert ask_with(Store(tmp_path / "no such folder" / "answers", b""))[1].verdict == "yes"
    store = Store(tmp_path / "other", b"")
    store.put(b"key", b"answer")
    assert store.get(b"key") == b"answer"
    assert store.database is not None
    store.database.execute("UPDATE answers SET answer = x'00112233445566778899'")
    assert store.get(b"key") is None


def test_distinct_ones_are_counted_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Distinct, "MOST", 1000)
    chance, few, many = random.Random(1), Distinct(), Distinct()
    for _ in range(1500):
        few.add(chance.randrange(100))
        many.add(chance.getrandbits(64))
    assert (few.count(), few.exact) == (100, True)
    for _ in range(50_000):
        many.add(chance.getrandbits(64))
    assert not many.exact
    assert len(many.kept) < 2000
    assert abs(many.count() / 51_500 - 1) < 0.1
