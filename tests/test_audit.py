"""The audit: answers against expectations, one record for each case, whatever is wrong with some of them."""

from __future__ import annotations

import gzip
import io
import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from lawmage.cli import run
from lawmage.solver import audit
from lawmage.solver.answer import Answer, Reason
from lawmage.solver.compare import ExpectError, mismatches
from lawmage.solver.inputs import Line, numbered
from lawmage.solver.memo import Recent

BOARD = {"players": {"alice": {"battlefield": ["Forest"]}, "bob": {}}}


def case(name: str, query: dict[str, Any] | None = None, **more: Any) -> str:
    query = query or {"kind": "can_pay", "cost": "{G}"}
    return json.dumps({"id": name, "situation": BOARD, "query": query, **more})


# --- comparing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expect", "values"),
    [
        ({"verdict": "yes"}, {}),
        ({"types": ["G", "W"]}, {"types": ["W", "G"]}),
        ({"outcomes": ["{G}{W}", ""]}, {"outcomes": ["", "{W}{G}"]}),
        ({"maximal": [{"G": 2}]}, {"maximal": ["{G}{G}"]}),
        ({"maximal": ["{G}" * 41]}, {"maximal": [{"G": 41}]}),
        ({"total_cost": "{R}{2}{W/U}"}, {"total_cost": "{2}{W/U}{R}"}),
        ({"x": "unbounded"}, {"x": "unbounded"}),
        ({"spent": {"taps": 2, "life": 0}}, {"spent": {"taps": 2, "floating": "{G}"}}),
        ({"spent": {"floating": "{G}{W}"}}, {"spent": {"floating": "{W}{G}"}}),
        ({"unbounded": True}, {"unbounded": {"types": ["G"], "stem": [], "loop": []}}),
        ({"unbounded": {"types": ["G", "W"]}}, {"unbounded": {"types": ["W", "G"], "stem": [], "loop": []}}),
        ({"unbounded": False}, {}),
        (
            {"actions": [{"destroy": "a"}, {"keep_one": ["b", "c"]}]},
            {"actions": [{"keep_one": ["c", "b"]}, {"destroy": "a"}]},
        ),
        (
            {"flips": [[{"tap": "a"}, {"remove": "b"}]]},
            {"flips": [[{"remove": "b"}, {"tap": "a"}]]},
        ),
        ({"must": [], "stays": ["a"]}, {"must": [], "stays": ["a"], "may": ["b"]}),
        ({"power": 3, "color_identity": ["G", "U"]}, {"power": 3, "color_identity": ["U", "G"]}),
    ],
)
def test_equal_in_meaning_is_met(expect: dict[str, Any], values: dict[str, Any]) -> None:
    assert mismatches(expect, Answer("yes", values)) == []


@pytest.mark.parametrize(
    ("expect", "values"),
    [
        ({"verdict": "no"}, {}),
        ({"types": []}, {"types": ["G"]}),
        ({"types": []}, {}),
        ({"outcomes": ["{G}"]}, {"outcomes": ["{G}{G}"]}),
        ({"maximal": ["{G}"]}, {"maximal": []}),
        ({"total_cost": "{2}"}, {"total_cost": "{1}{C}"}),
        ({"x": 1}, {"x": True}),
        ({"size": 7}, {"size": "none"}),
        ({"spent": {"taps": 2}}, {"spent": {"taps": 3}}),
        ({"spent": {"taps": 0}}, {}),
        ({"unbounded": True}, {}),
        ({"unbounded": False}, {"unbounded": {"types": ["G"]}}),
        ({"flips": [[{"tap": "a"}]]}, {"flips": [[{"tap": "a"}], [{"tap": "b"}]]}),
        ({"at": 2}, {"at": 1}),
    ],
)
def test_different_in_meaning_is_a_mismatch(expect: dict[str, Any], values: dict[str, Any]) -> None:
    found = mismatches(expect, Answer("yes", values))
    assert [m.key for m in found] == list(expect)


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ({"tipes": ["G"]}, "did you mean 'types'"),
        ({"types": "G"}, "a list is needed"),
        ({"outcomes": ["{Q}"]}, "{Q}"),
        ({"spent": {"tabs": 1}}, "tabs"),
    ],
)
def test_an_expectation_that_cannot_be_compared_is_an_error(expect: dict[str, Any], says: str) -> None:
    values = {"types": ["G"], "outcomes": ["{G}"], "spent": {}}
    with pytest.raises(ExpectError, match=says):
        mismatches(expect, Answer("known", values))


# --- judging, with answers made up here -----------------------------------------------------------------------------


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], Answer]], None]:
    """Replaces the oracle: `answers(function)` answers each question about a cost by that function of the cost."""

    def replace(function: Callable[[str], Answer]) -> None:
        monkeypatch.setattr(audit, "ask", lambda situation, query, *, explain: function(query.cost))

    return replace


def judge(*lines: str, processes: int = 1) -> list[audit.Judged]:
    stream = io.BytesIO("\n".join(lines).encode())
    return list(audit.judge_all(numbered(stream), processes=processes))


def records(judged: list[audit.Judged]) -> list[dict[str, Any]]:
    return [json.loads(j.record) for j in judged]


def test_each_result(answers: Any) -> None:
    unknown = Answer("unknown", because=(Reason("time_limit"),))
    answers(lambda cost: unknown if cost == "{U}" else Answer("yes"))
    judged = judge(
        case("a", expect={"verdict": "yes"}),
        case("b", expect={"verdict": "no"}),
        case("c", {"kind": "can_pay", "cost": "{U}"}, expect={"verdict": "no"}),
        case("d", {"kind": "can_pay", "cost": "{U}"}, expect={"verdict": "unknown"}),
        case("e"),
    )
    assert [(j.id, j.result) for j in judged] == [
        ("a", "right"),
        ("b", "wrong"),
        ("c", "unknown"),
        ("d", "right"),
        ("e", "unchecked"),
    ]
    assert judged[1].details[0] == 'verdict: expected "no", got "yes"'
    assert judged[2].codes == ("time_limit",)
    record = records(judged)[1]
    assert record["expect"] == {"verdict": "no"}
    assert record["answer"]["verdict"] == "yes"


def test_a_broken_record_is_an_error_with_its_line_and_the_rest_get_verdicts(answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    judged = judge(
        case("a", expect={"verdict": "yes"}),
        "",
        '{"id": "torn", "situation": {"pla',
        case("typo", expects={"verdict": "yes"}),
        case("bad expectation", expect={"vedrict": "yes"}),
        "7",
        "\xff\xfe",
        case("deep", {"kind": "can_pay", "cost": "{G}"}, note="x") + "[" * 100_000,
        case("b", expect={"verdict": "yes"}),
    )
    assert [j.result for j in judged] == ["right", *["error"] * 6, "right"]
    errors = [r for r in records(judged) if r["result"] == "error"]
    assert [r["line"] for r in errors] == [3, 4, 5, 6, 7, 8]
    assert errors[1]["id"] == "typo"
    assert "expects" in errors[1]["error"]
    assert all(r["error"].startswith(f"line {r['line']}: ") for r in errors)
    assert all("\n" not in r["error"] for r in errors)


def test_a_fault_of_ours_is_an_error_of_that_case_alone(answers: Any) -> None:
    def break_on_blue(cost: str) -> Answer:
        if cost == "{U}":
            raise KeyError("lost")
        return Answer("yes")

    answers(break_on_blue)
    judged = judge(case("a", {"kind": "can_pay", "cost": "{U}"}, expect={"verdict": "no"}), case("b"))
    assert [j.result for j in judged] == ["error", "unchecked"]
    assert "KeyError" in records(judged)[0]["error"]


def test_a_pool_gives_what_one_process_gives_in_the_same_order(answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    lines = [case(str(n), expect={"verdict": "yes" if n % 7 else "no"}) for n in range(200)]
    lines[50] = "broken"
    alone, pooled = ([j._replace(seconds=0) for j in judge(*lines, processes=processes)] for processes in (1, 2))
    assert alone == pooled
    assert len(pooled) == 200


def test_a_worker_that_dies_takes_only_its_case_with_it(answers: Any) -> None:
    parent = os.getpid()

    def die_on_blue(cost: str) -> Answer:
        if cost == "{U}" and os.getpid() != parent:
            os._exit(1)
        return Answer("yes")

    answers(die_on_blue)
    lines = [case(str(n), expect={"verdict": "yes"}) for n in range(60)]
    lines[31] = case("deadly", {"kind": "can_pay", "cost": "{U}"}, expect={"verdict": "no"})
    judged = judge(*lines, processes=2)
    assert [j.id for j in judged if j.result != "right"] == ["deadly"]
    assert "died" in records(judged)[31]["error"]


def test_input_is_read_no_faster_than_it_is_judged(answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    read = 0

    def endless() -> Any:
        nonlocal read
        while True:
            read += 1
            yield Line(read, case(str(read)).encode())

    judged = audit.judge_all(endless(), processes=1)
    for _ in range(500):
        next(judged)
    assert read < 500 + 2 * audit.LARGEST_CHUNK


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_mismatches_and_counts_and_exits_with_1(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any
) -> None:
    answers(lambda cost: Answer("yes"))
    cases = tmp_path / "cases.jsonl"
    verdicts = tmp_path / "verdicts.jsonl"
    cases.write_text("\n".join([case("a", expect={"verdict": "yes"}), case("b", expect={"verdict": "no"}), "{"]))
    assert run(["audit", str(cases), "--output", str(verdicts), "--by-kind", "--processes", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "wrong b (can_pay, line 2)" in lines
    assert '  verdict: expected "no", got "yes"' in lines
    assert lines[-1] == "cases 3 · right 1 · wrong 1 · unknown 0 · errors 1"
    assert any(line.startswith("can_pay ") and " 50 " in line for line in lines)
    written = [json.loads(line) for line in verdicts.read_text().splitlines()]
    assert [r["result"] for r in written] == ["right", "wrong", "error"]


def test_the_command_exits_with_0_when_all_is_right(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any
) -> None:
    answers(lambda cost: Answer("yes"))
    cases = tmp_path / "cases.jsonl"
    cases.write_text(case("a", expect={"verdict": "yes"}) + "\n")
    assert run(["audit", str(cases), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["right"] == 1


def test_the_slowest_cases_are_listed(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    def slow_on_blue(cost: str) -> Answer:
        time.sleep(0.05 if cost == "{U}" else 0)
        return Answer("yes")

    answers(slow_on_blue)
    cases = tmp_path / "cases.jsonl"
    slow = case("slow", {"kind": "can_pay", "cost": "{U}"})
    cases.write_text("\n".join([case("a"), case("b"), slow, case("c")]))
    assert run(["audit", str(cases), "--slowest", "1"]) == 0
    listed = [line for line in capsys.readouterr().out.splitlines() if " s  " in line]
    assert [line.split(" s  ")[1] for line in listed] == ["slow (can_pay)"]


def test_disputed_cases_are_counted_apart(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    cases, disputed = tmp_path / "cases.jsonl", tmp_path / "disputed.yaml"
    cases.write_text("\n".join([case("a", expect={"verdict": "yes"}), case("b", expect={"verdict": "no"})]))
    disputed.write_text("- {id: b, rule: 106.10, reason: no such thing}\n")
    assert run(["audit", str(cases), "--disputed", str(disputed)]) == 0
    out = capsys.readouterr().out
    assert "b: wrong (CR 106.10: no such thing)" in out
    assert out.splitlines()[-1] == "cases 2 · right 1 · wrong 0 · unknown 0 · errors 0"


@pytest.mark.parametrize("text", ["a: b", "- {id: a}", "- [", "- {id: a, rule: b, reason: c, why: d}"])
def test_a_bad_list_of_disputed_cases_is_one_line(tmp_path: Any, capsys: pytest.CaptureFixture[str], text: str) -> None:
    cases, disputed = tmp_path / "cases.jsonl", tmp_path / "disputed.yaml"
    cases.write_text("")
    disputed.write_text(text)
    assert run(["audit", str(cases), "--disputed", str(disputed)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "disputed.yaml" in error


def test_several_files_are_told_apart(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    for name in ("one", "two"):
        (tmp_path / name).write_text(case(name, expect={"verdict": "no" if name == "two" else "yes"}))
    assert run(["audit", str(tmp_path / "one"), str(tmp_path / "two")]) == 1
    assert f"{tmp_path / 'two'}:1" in capsys.readouterr().out


def test_an_input_that_is_not_there_is_one_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(tmp_path / "nothing.jsonl")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "nothing.jsonl" in error


def test_the_output_may_not_be_the_input(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(case("a"))
    assert run(["audit", str(cases), "--output", str(cases)]) == 2
    assert cases.read_text() == case("a")


# --- other inputs ---------------------------------------------------------------------------------------------------


def results(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["audit", *arguments])
    return code, capsys.readouterr().out


def test_a_compressed_file_is_read(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    text = "\n".join(case(str(n), expect={"verdict": "yes"}) for n in range(100)).encode()
    (tmp_path / "cases.jsonl.gz").write_bytes(gzip.compress(text))
    assert results(capsys, str(tmp_path / "cases.jsonl.gz"))[1].startswith("cases 100 · right 100 ")


def test_a_damaged_file_ends_in_an_error(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    text = "\n".join(case(str(n), expect={"verdict": "yes"}) for n in range(100)).encode()
    (tmp_path / "torn.gz").write_bytes(gzip.compress(text, 0)[:-400])
    code, out = results(capsys, str(tmp_path / "torn.gz"))
    assert code == 1
    assert "breaks off" in out
    assert "errors 1" in out


def test_a_folder_of_documents_is_read(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    (tmp_path / "more").mkdir()
    (tmp_path / "a.yaml").write_text(
        "situation: {players: {a: {}}}\nquery: {kind: can_pay, cost: '{G}'}\nexpect: {verdict: yes}\n"
    )
    (tmp_path / "more" / "b.yml").write_text(
        "players: {a: {}}\nqueries: [{kind: can_pay, cost: '{G}'}, {kind: can_pay, cost: '{U}'}]\n"
    )
    (tmp_path / "c.json").write_text(case("given id", expect={"verdict": "no"}))
    (tmp_path / "d.yaml").write_text("situation: {players: [}\n")
    (tmp_path / "e.txt").write_text("no document")
    (tmp_path / "f.yaml").write_text("situation: {players: {a: {}}}\n")
    verdicts = tmp_path / "verdicts.jsonl"
    code, out = results(capsys, str(tmp_path), "--output", str(verdicts))
    assert code == 1
    assert out.splitlines()[-1] == "cases 6 · right 1 · wrong 1 · unknown 0 · errors 2"
    found = {r["id"]: r["result"] for r in map(json.loads, verdicts.read_text().splitlines())}
    assert found == {
        "a.yaml": "right",
        "given id": "wrong",
        None: "error",
        "f.yaml": "error",
        "more/b.yml#1": "unchecked",
        "more/b.yml#2": "unchecked",
    }


def test_marks_of_windows_are_none_of_the_first_case(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any
) -> None:
    answers(lambda cost: Answer("yes"))
    text = "\ufeff" + "\r\n".join(case(str(n), expect={"verdict": "yes"}) for n in range(3)) + "\r\n"
    (tmp_path / "cases.jsonl").write_bytes(text.encode())
    assert results(capsys, str(tmp_path / "cases.jsonl"))[1].startswith("cases 3 · right 3 ")


def test_of_a_list_it_is_said_what_to_do(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    (tmp_path / "cases.json").write_text("[\n" + ",\n".join(case(str(n)) for n in range(3)) + "\n]\n")
    code, out = results(capsys, str(tmp_path / "cases.json"))
    assert code == 1
    assert "on a line of its own" in out
    assert out.splitlines()[0].startswith("error (no id) (unreadable, line 1)")


def test_a_document_is_read_by_itself(tmp_path: Any, capsys: pytest.CaptureFixture[str], answers: Any) -> None:
    answers(lambda cost: Answer("yes"))
    (tmp_path / "a.yaml").write_text("players: {a: {}}\nqueries: [{kind: can_pay, cost: '{G}'}]\n")
    assert results(capsys, str(tmp_path / "a.yaml"))[1].startswith("unchecked 1 ")


# --- what was asked before ------------------------------------------------------------------------------------------


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty memory, and the costs of the questions that were really solved."""
    costs: list[str] = []

    def solve(game: Any, question: Any, library: Any, *, explain: bool) -> Answer:
        costs.append(question.cost)
        return Answer("unknown", because=(Reason("time_limit"),)) if question.cost == "{U}" else Answer("yes")

    monkeypatch.setattr("lawmage.solver.ask.ask", solve)
    audit.memo.cache_clear()
    return costs


def test_a_question_is_solved_once_however_it_is_written(solved: list[str]) -> None:
    written = [
        case("a", expect={"verdict": "yes"}),
        case("b", expect={"verdict": "no"}, note="another id, another expectation"),
        '{"query": {"cost": "{G}", "kind": "can_pay", "explain": true}, "id": "c", "situation": '
        '{"players": {"alice": {"life": 20, "battlefield": ["Forest"]}, "bob": {}}}}',
    ]
    assert [j.result for j in judge(*written)] == ["right", "wrong", "unchecked"]
    assert solved == ["{G}"]


def test_another_question_or_board_is_solved_again(solved: list[str]) -> None:
    boards = [
        {"alice": {"battlefield": ["Forest"], "hand": ["Opt"]}, "bob": {}},
        {"alice": {"battlefield": ["Forest", "Forest"]}, "bob": {}},
        {"bob": {}, "alice": {"battlefield": ["Forest"], "hand": ["Opt"]}},
    ]
    query = {"kind": "can_pay", "cost": "{G}"}
    judge(*(json.dumps({"id": "a", "situation": {"players": board}, "query": query}) for board in boards))
    judge(case("a", {"kind": "can_pay", "cost": "{G}{G}"}), case("b", {**query, "x": 1}))
    assert len(solved) == 5


def test_what_ran_out_of_time_is_tried_again(solved: list[str]) -> None:
    query = {"kind": "can_pay", "cost": "{U}"}
    judge(case("a", query), case("b", query))
    assert solved == ["{U}", "{U}"]


def test_memory_is_bounded() -> None:
    recent: Recent[int] = Recent(2)
    for key in (b"a", b"b", b"a", b"c"):
        recent.get(key, lambda key=key: key[0])
    assert list(recent.values) == [b"a", b"c"]


def test_a_case_that_differs_in_its_id_alone_has_the_same_record() -> None:
    audit.memo.cache_clear()
    ids = ["a", "b", "ü", "with a \\u0022quote\\u0022", "a"]
    lines = [case("ID", expect={"verdict": "yes"}).replace("ID", name) for name in ids]
    found = [audit.judge(Line(n, line.encode())) for n, line in enumerate(lines)]
    whole = [audit._judge(Line(n, line.encode()), False) for n, line in enumerate(lines)]
    assert [j.record for j in found] == [j.record for j in whole]
    assert [j.id for j in found] == ["a", "b", "ü", 'with a "quote"', "a"]
    assert len(audit.memo("").repeats.values) == 1
    assert b"UTF-8" in audit.judge(Line(1, lines[0].encode().replace(b'"a"', b'"\xff"'))).record
    twice = lines[0].replace('"query"', '"id": "c", "query"')
    assert [audit.judge(Line(n, twice.encode())).result for n in range(2)] == ["error", "error"]
