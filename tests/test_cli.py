"""The command line: what it prints, its exit codes, and one clear line for whatever cannot be read."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lawmage.cli import run

BOARD = "situation: {players: {alice: {battlefield: [%s]}, bob: {}}}\n"
QUERY = 'query: {kind: can_pay, cost: "{G}"}\n'


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `lawmage ask` on a text; gives the exit code, standard output and standard error."""

    def asked(text: str | bytes, *options: str, name: str = "board.yaml") -> tuple[int, str, str]:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        code = run(["ask", str(path), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return asked


# --- bad input ------------------------------------------------------------------------------------------------------

BAD = {
    "unknown card": (BOARD % "Forrest" + QUERY, ["Forrest", "did you mean", "Forest"]),
    "unknown key": (BOARD % "{card: Forest, taped: true}" + QUERY, ["taped", "tapped"]),
    "unknown key of the question": (BOARD % "Forest" + "query: {kind: can_pay, cots: '{G}'}", ["cots", "cost"]),
    "unknown kind": (BOARD % "Forest" + "query: {kind: can_play, cost: '{G}'}", ["can_play", "can_pay"]),
    "wrong type": (BOARD % "{card: Forest, tapped: 3}" + QUERY, ["tapped"]),
    "yes is a string": (BOARD % "{card: Forest, tapped: yes}" + QUERY, ["tapped", "yes"]),
    "bad symbol": (BOARD % "Forest" + "query: {kind: can_pay, cost: '{Q}'}", ["{Q}"]),
    "bad symbol in a pool": ("situation: {players: {a: {mana_pool: '{Z}'}}}\n" + QUERY, ["{Z}"]),
    "attached to nothing": (BOARD % "{card: Wild Growth, attached_to: nothing}" + QUERY, ["nothing"]),
    "one id twice": (BOARD % "{card: Forest, id: a}, {card: Island, id: a}" + QUERY, ["'a'"]),
    "cycle of attachments": (
        BOARD % "{card: Bonesplitter, id: a, attached_to: b}, {card: Bonesplitter, id: b, attached_to: a}" + QUERY,
        ["attach"],
    ),
    "not YAML": ("situation: [\n}", []),
    "not text": (b"\xff\xfe\x00\x01", []),
    "a tab": ("situation:\n\tplayers: {}\n", []),
    "duplicate key": ("situation: {players: {a: {}}, players: {b: {}}}\n" + QUERY, ["players"]),
    "name split at its comma": (BOARD % "Urborg, Tomb of Yawgmoth" + QUERY, ["quote", "Urborg, Tomb of Yawgmoth"]),
    "unquoted symbol": (BOARD % "Forest" + "query: {kind: can_pay, cost: {U}}", ["quote", "{U}"]),
    "no situation": (QUERY, ["situation"]),
    "no question": (BOARD % "Forest", ["query"]),
    "no players": ("situation: {players: {}}\n" + QUERY, ["players"]),
    "empty": ("", ["empty"]),
    "a list": ("- 1\n", ["mapping"]),
    "unknown step": ("situation: {players: {a: {}}, turn: {step: main}}\n" + QUERY, ["main"]),
    "unknown player": ("situation: {players: {a: {}}, you: b}\n" + QUERY, ["'b'"]),
    "deep nesting": ("[" * 10_000_000, ["nested"]),
    "deep nesting of mappings": ("{a: " * 100_000, ["nested"]),
    "deep nesting by indentation": ("\n".join(" " * n + "a:" for n in range(3000)), ["nested"]),
    "anchors that explode": (
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        [],
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_line(name: str, ask: Any) -> None:
    text, says = BAD[name]
    code, out, error = ask(text)
    assert (code, out) == (2, "")
    assert error.startswith("lawmage: ")
    assert error.endswith("\n") and error.count("\n") == 1
    assert len(error) < 600
    for words in says:
        assert words in error


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ask", "nowhere.yaml"], "nowhere.yaml: No such file"),
        (["ask", "."], "."),
        (["can-pay", "{Q}", "--you", "Forest"], "{Q}"),
        (["can-pay", "G", "--you", "Forest"], "{U}"),
        (["can-pay", "{G}", "--you", "Forrest"], "did you mean 'Forest'"),
        (["can-pay", "{G}", "--you", "Mystic"], "could be"),
        (["can-pay", "{G}", "--you", "Forest (asleep)"], "asleep"),
        (["can-pay", "{G}", "--pool", "{Z}"], "{Z}"),
        (["can-pay", "{G}", "--life", "many"], "--life"),
        (["can-pay", "{G}", "--x", "lots"], "lots"),
        (["could-produce", "Sol Ring", "--you", "Forest"], "Sol Ring"),
        (["cards", "show", "Forrest"], "did you mean 'Forest'"),
        (["cards", "build", "nothing.json"], "nothing.json"),
        (["cards", "check", "nothing.jsonl"], "nothing.jsonl"),
        (["can-pay"], "COST"),
        (["can-pey"], "can-pey"),
        (["can-pay", "{G}", "--yuo", "Forest"], "--you"),
    ],
)
def test_bad_arguments_are_one_clear_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("lawmage: ") and captured.err.count("\n") == 1
    assert says in captured.err


# --- good input -----------------------------------------------------------------------------------------------------


def test_a_board_in_a_file_is_answered(ask: Any) -> None:
    code, out, error = ask(BOARD % "Forest" + QUERY)
    assert (code, error) == (0, "")
    assert out.startswith("Yes: {G} can be paid")
    assert "  1. " in out
    assert "[CR " in out


def test_the_exit_code_is_0_whatever_the_verdict(ask: Any) -> None:
    code, out, _ = ask(BOARD % "Island" + QUERY)
    assert code == 0
    assert out.startswith("No: {G} cannot be paid")
    assert "because" in out


def test_several_questions_are_answered_in_order(ask: Any) -> None:
    queries = 'queries: [{kind: can_pay, cost: "{G}"}, {kind: could_produce, permanent: Forest}]'
    _, out, _ = ask(BOARD % "Forest" + queries)
    yes, produce = out.split("\n\n")
    assert yes.startswith("Yes: ")
    assert produce.startswith("Forest could produce {G}.")
    _, out, _ = ask(BOARD % "Forest" + queries, "--json")
    assert [answer["verdict"] for answer in json.loads(out)] == ["yes", "known"]


def test_json_is_the_answer_of_the_format(ask: Any) -> None:
    code, out, _ = ask(BOARD % "Forest" + QUERY, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["verdict"] == "yes"
    assert {"plan", "spent", "because", "rules"} <= answer.keys()


def test_json_files_are_read_as_well(ask: Any) -> None:
    document = {"situation": {"players": {"a": {"battlefield": ["Forest"]}}}, "query": {"kind": "can_pay", "cost": ""}}
    document["query"]["cost"] = "{G}"
    code, out, _ = ask(json.dumps(document), name="board.json")
    assert (code, out[:4]) == (0, "Yes:")


def test_the_plan_can_be_given_back_as_a_line(ask: Any) -> None:
    _, out, _ = ask(BOARD % "Island, 2 Mystic Gate" + 'query: {kind: can_pay, cost: "{W}{W}"}', "--json")
    line = json.dumps({"kind": "check", "line": json.loads(out)["plan"]})
    _, out, _ = ask(BOARD % "Island, 2 Mystic Gate" + f"query: {line}", "--json")
    assert json.loads(out)["verdict"] in ("yes", "unknown")


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["could-produce", "Refl", "--you", "reflecting p, Forest", "--opponent", "Exotic Orchard"],
            ["You: Reflecting Pool, Forest", "Opponent: Exotic Orchard", "Reflecting Pool could produce {G}."],
        ),
        (
            ["can-pay", "{U}{U}", "--you", "Forest; 2 Mystic Gate"],
            ["You: Forest, 2 Mystic Gate", "No: {U}{U} cannot be paid."],
        ),
        (
            ["can-pay", "{B}{B}{B}", "--you", "Urborg, Tomb of Yawgmoth, 2 Forest (tapped), Island"],
            [
                "You: Urborg, Tomb of Yawgmoth, 2 Forest (tapped), Island",
                "No: {B}{B}{B} cannot be paid.",
            ],
        ),
        (["can-pay", "{R}", "--pool", "{R}"], ["Yes: {R} can be paid."]),
        (
            ["can-pay", "{G}", "--you", "2 Urborg, Tomb of Yaw, Reflecting P (tapped), Forest"],
            ["You: 2 Urborg, Tomb of Yawgmoth, Reflecting Pool (tapped), Forest", "Yes: {G} can be paid."],
        ),
        (
            ["can-pay", "{R}", "--you", "Gemstone Mine (2 mining), Llanowar Elves (tapped sick), Forest (tapped)"],
            ["You: Gemstone Mine (2 mining), Llanowar Elves (tapped sick), Forest (tapped)", "Yes: {R} can be paid."],
        ),
        (
            [
                "could-produce",
                "Exotic Orchard",
                "--you",
                "Exotic Orchard",
                "--opponent",
                "Swamp",
                "--opponent",
                "Plains",
            ],
            ["Opponent: Swamp", "Opponent 2: Plains", "Exotic Orchard could produce {W} or {B}."],
        ),
    ],
)
def test_one_liners(arguments: list[str], lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    out = capsys.readouterr().out.splitlines()
    for line in lines:
        assert line in out


def test_json_of_a_one_liner_says_what_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["could-produce", "refl", "--you", "reflecting p, forest", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["types"] == ["G"]
    assert answer["asked"]["query"]["permanent"] == "Reflecting Pool"
    assert answer["asked"]["situation"]["players"]["you"]["battlefield"] == ["Reflecting Pool", "Forest"]


def test_the_schema_is_json_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"].startswith("https://json-schema.org/")


def test_a_card_is_shown_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "show", "mystic gate"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Mystic Gate\nLand\n")
    assert run(["cards", "show", "Mystic Gate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Mystic Gate"


ELF = {
    "name": "Test Elf",
    "layout": "normal",
    "manaCost": "{G}",
    "type": "Creature — Elf",
    "text": "{T}: Add {G}.",
    "power": "1",
    "toughness": "1",
}


def test_a_library_is_built_and_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, library = tmp_path / "atomic.json", tmp_path / "some.lib"
    drawing = {**ELF, "name": "Test Sage", "text": "When this creature enters, draw a card."}
    data.write_text(json.dumps({"meta": {"date": "2026-01-01"}, "data": {"Test Elf": [ELF], "Test Sage": [drawing]}}))
    assert run(["cards", "build", str(data), "--output", str(library)]) == 0
    out = capsys.readouterr().out
    assert f"cards in {library}" in out
    assert f"LAWMAGE_LIBRARY={library}" in out
    monkeypatch.setenv("LAWMAGE_LIBRARY", str(library))
    assert run(["cards", "show", "test e"]) == 0
    assert "{T}: Add {G}." in capsys.readouterr().out
    assert run(["cards", "coverage", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cards"] >= 1
    assert run(["cards", "coverage", str(data), "--sample", "5"]) == 0
    assert capsys.readouterr().out == "Test Sage | 1 | When this creature enters, draw a card.\n"
    assert run(["cards", "coverage", "--sample", "5"]) == 2
    assert "card data" in capsys.readouterr().err
    assert run(["cards", "suspects", str(data)]) == 0
    assert capsys.readouterr().out == "suspects 0\n"
    assert run(["could-produce", "Test Elf", "--you", "2 Test Elf"]) == 0
    assert "Test Elf could produce {G}." in capsys.readouterr().out


def test_a_library_is_checked_against_what_cards_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = tmp_path / "truth.jsonl"
    truth.write_text("")
    assert run(["cards", "check", str(truth)]) == 0
    assert capsys.readouterr().out.startswith("rows 0")


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert run(["--help"]) == 0
    assert "could-produce" in capsys.readouterr().out
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("lawmage ")


def test_standard_input_is_read_for_a_dash() -> None:
    board = BOARD % "Forest" + QUERY
    result = lawmage("ask", "-", input=board)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Yes: ")


def test_every_error_that_has_an_exit_code_exists() -> None:
    from lawmage import cli
    from lawmage.model import forms, mana
    from lawmage.model.cards import check, library, records, update

    homes = (forms, mana, library, records, check, update)
    errors = {name: getattr(home, name) for home in homes for name in cli._CODES if hasattr(home, name)}
    assert errors.keys() == cli._CODES.keys()
    assert cli._code_of(library.UnknownCard("Forrest")) == 2
    assert cli._code_of(update.UpdateError("no answer")) == 1
    assert cli._code_of(ValueError("ours")) is None


def test_a_fault_of_ours_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawmage.document.read_file", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(["ask", "board.yaml"])


def test_a_reader_that_stops_early_is_no_error() -> None:
    script = f"{sys.executable} -m lawmage schema | head -n 1"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.stderr) == ("{\n", "")


# --- quick ----------------------------------------------------------------------------------------------------------


def lawmage(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lawmage", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "lawmage", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}


@pytest.mark.parametrize("arguments", [["--help"], ["cards", "show", "Mystic Gate"]])
def test_start_up_imports_neither_solver_nor_graphs(arguments: list[str]) -> None:
    heavy = {"ortools", "networkx", "parsimonious", "numpy", "pandas"}
    assert not heavy & {name.partition(".")[0] for name in imported_by(*arguments)}


@pytest.mark.parametrize("arguments", [["--help"], ["cards", "show", "Mystic Gate"]])
def test_start_up_is_quick(arguments: list[str]) -> None:
    """Processor time, so that a busy machine makes no difference."""
    lawmage(*arguments)  # files are warm now

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        lawmage(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.5


def test_importing_the_package_loads_nothing() -> None:
    code = "import sys, lawmage; print(sorted(m for m in sys.modules if m.startswith('lawmage')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout.strip() == "['lawmage']"
