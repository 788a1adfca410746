"""Audits of many cases: interrupted at any moment they go on where they were, and nothing takes the rest with it."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from lawmage.cli import run
from lawmage.solver import audit
from lawmage.solver.answer import Answer
from lawmage.solver.audit import Limits, Work
from lawmage.solver.inputs import Line
from lawmage.solver.outputs import UNFINISHED, open_output

LANDS = ("Forest", "Island", "Mystic Gate", "Plains", "Reflecting Pool", "Swamp", "Taiga")


def case(n: int, **more: Any) -> str:
    """One of many different boards and costs."""
    lands = [LANDS[n % 7], LANDS[n // 7 % 7], LANDS[n // 49 % 7], "Forest"]
    board = {"alice": {"battlefield": lands, "life": 1 + n}, "bob": {"life": 20}}
    query = {"kind": "can_pay", "cost": "{G}{W}" if n % 2 else "{U}{U}"}
    return json.dumps({"id": f"case {n}", "situation": {"players": board}, "query": query, **more})


def write_cases(path: Path, most: int) -> list[str]:
    lines = [case(n, expect={"verdict": "yes"}) for n in range(most)]
    lines[most // 2] = '{"id": "broken"'
    path.write_text("\n".join(lines) + "\n")
    return [f"case {n}" if n != most // 2 else "" for n in range(most)]


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "lawmage", "audit", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def ids_of(output: Path) -> list[str]:
    return [json.loads(line)["id"] or "" for line in output.read_text().splitlines()]


# --- interrupted ----------------------------------------------------------------------------------------------------


def kill_and_go_on(tmp_path: Path, *, kills: int, cases: int, how: int, seed: int) -> None:
    chance = random.Random(seed)
    source, output = tmp_path / "cases.jsonl", tmp_path / "verdicts.jsonl"
    wanted = write_cases(source, cases)
    arguments = (str(source), "--output", str(output), "--processes", "2")
    seen = 0
    for _ in range(kills):
        process = start(*arguments)
        end = time.monotonic() + chance.uniform(0.05, 1.2)
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(how)
        process.communicate(timeout=60)
        now = output.read_bytes().count(b"\n") if output.exists() else 0
        finished = process.returncode == 1
        assert finished or now >= seen, "what was judged is lost"
        seen = 0 if finished else now
    process = start(*arguments)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 1, "one case is broken"
    assert ids_of(output) == wanted
    assert not (tmp_path / f"verdicts.jsonl{UNFINISHED}").exists()
    assert f"cases {cases} ".encode() in out
    assert b"errors 1" in out


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_audit_goes_on_and_has_each_case_once(tmp_path: Path, how: int) -> None:
    kill_and_go_on(tmp_path, kills=3, cases=500, how=how, seed=how)


@pytest.mark.long
def test_an_audit_may_be_killed_fifty_times(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path, kills=50, cases=20_000, how=signal.SIGKILL, seed=1)


def test_a_full_disk_is_said_and_the_audit_goes_on_when_there_is_room(tmp_path: Path) -> None:
    import resource

    source, output = tmp_path / "cases.jsonl", tmp_path / "verdicts.jsonl"
    wanted = write_cases(source, 60)
    arguments = (str(source), "--output", str(output))

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    process = start(*arguments, preexec_fn=little_room)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert error.startswith(b"lawmage: ")
    assert output.stat().st_size == 5000
    process = start(*arguments)
    process.communicate(timeout=60)
    assert ids_of(output) == wanted


def test_workers_do_not_outlive_a_killed_audit(tmp_path: Path) -> None:
    source = tmp_path / "cases.jsonl"
    write_cases(source, 5000)
    process = start(str(source), "--output", str(tmp_path / "verdicts.jsonl"))
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("this system does not say which processes a process has")
    while not (workers := children.read_text().split()):
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=60)
    end = time.monotonic() + 20
    while any(_runs(worker) for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.05)


def _runs(pid: str) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def records_of(path: Path, about: Any, *new: bytes, finish: bool = False) -> list[bytes]:
    output = open_output(str(path), about)
    before = list(output.before())
    for record in new:
        output.write(record)
    if finish:
        output.finish()
    output.close()
    return before


def test_only_the_same_audit_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("of an audit long ago\n")
    assert records_of(path, {"of": "a"}, b"1", b"2") == []
    assert records_of(path, {"of": "a"}, b"3") == [b"1\n", b"2\n"]
    assert records_of(path, {"of": "a, and more"}, b"4") == []
    assert records_of(path, {"of": "a, and more"}, finish=True) == [b"4\n"]
    assert path.read_bytes() == b"4\n"
    assert records_of(path, {"of": "a, and more"}) == []


def test_a_torn_record_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    records_of(path, 1, b"1", b"x" * 200_000)
    with path.open("ab") as file:
        file.write(b"y" * 150_000)
    assert [len(record) for record in records_of(path, 1, b"2")] == [2, 200_001]
    os.truncate(path, 100_000)
    assert records_of(path, 1, b"3", finish=True) == [b"1\n"]
    assert path.read_bytes() == b"1\n3\n"


def test_two_audits_do_not_write_one_output(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = str(tmp_path / "out.jsonl")
    hold = f"from lawmage.solver.outputs import open_output; o = open_output({path!r}, 1); print(flush=True); input()"
    other = subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    with pytest.raises(ValueError, match="another audit"):
        open_output(path, 1)
    other.kill()
    other.communicate()
    open_output(path, 1).close()


def test_an_output_of_another_standard_input_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io

    from lawmage.cli_audit import _about

    output = tmp_path / "out.jsonl"
    about = _about(["-"], Work(False, Limits(60.0, 0)))
    records_of(output, about, b'{"id":"other","result":"unchecked","answer":{"verdict":"yes","because":[]}}')
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(case(1).encode())))
    assert run(["audit", "-", "--output", str(output)]) == 2
    assert "not that of this input" in capsys.readouterr().err
    assert len(output.read_text().splitlines()) == 1


# --- progress -------------------------------------------------------------------------------------------------------


def seen_on_a_terminal(*arguments: str, output: Any) -> str:
    """What an audit shows on a terminal, which standard error is."""
    pty = pytest.importorskip("pty")
    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "lawmage", "audit", *arguments]
    process = subprocess.Popen(command, stdout=inner if output is None else output, stderr=inner)
    os.close(inner)
    seen = b""
    try:
        while data := os.read(outer, 65_536):
            seen += data
    except OSError:  # how Linux says that the other end is closed
        pass
    process.wait(timeout=60)
    os.close(outer)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())


def test_a_terminal_sees_progress_and_a_file_does_not(tmp_path: Path) -> None:
    source = tmp_path / "cases.jsonl"
    write_cases(source, 400)
    _, error = start(str(source)).communicate(timeout=60)
    assert error == b""
    with (tmp_path / "out").open("wb") as out:
        seen = seen_on_a_terminal(str(source), output=out)
    assert re.search(r"\d+ cases, [\d,]+/s", seen)
    assert re.search(r"0:00:\d\d left", seen)
    assert "wrong" not in seen
    assert (tmp_path / "out").read_text().endswith("errors 1\n")
    both = seen_on_a_terminal(str(source), output=None)
    told = [line for line in both.replace("\r", "\n").splitlines() if "wrong case" in line]
    assert told
    assert all(line.startswith("wrong case") for line in told), "the bar is out of the way"


# --- limits ---------------------------------------------------------------------------------------------------------


def judged_with(monkeypatch: pytest.MonkeyPatch, do: Any, limits: Limits, cases: int = 30) -> list[Any]:
    def answer(situation: Any, query: Any, *, explain: bool) -> Answer:
        if situation.players["alice"].life == 8:
            do()
        return Answer("yes")

    monkeypatch.setattr(audit, "ask", answer)
    lines = [Line(n, case(n).encode()) for n in range(cases)]
    return list(audit.judge_all(lines, processes=2, work=Work(limits=limits), isolated=True))


def work_on() -> None:
    end = time.process_time() + 30
    while time.process_time() < end:
        pass


@pytest.mark.parametrize("do", [lambda: time.sleep(30), work_on], ids=["waiting", "working"])
def test_what_takes_too_long_is_unknown(monkeypatch: pytest.MonkeyPatch, do: Any) -> None:
    judged = judged_with(monkeypatch, do, Limits(seconds=0.2))
    verdicts = [json.loads(j.record)["answer"]["verdict"] for j in judged]
    assert verdicts == ["unknown" if n == 7 else "yes" for n in range(30)]
    assert "time_limit" in judged[7].record.decode()


def test_a_limit_of_work_is_the_same_again_and_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver's limit counts work, so nothing but the question decides whether it is met."""
    from lawmage.solver import cpsat

    board = {"alice": {"battlefield": ["Island", "2 Mystic Gate", "2 Gruul Signet", "Wall of Roots"]}, "bob": {}}
    query = {"kind": "can_pay", "cost": "{W}{R}{G}{G}{U}"}
    line = Line(1, json.dumps({"id": "a", "situation": {"players": board}, "query": query}).encode())
    found = []
    with monkeypatch.context() as patched:
        patched.setattr(cpsat, "_status", lambda status: "unknown")  # as when the limit is met
        audit.memo.cache_clear()
        found = [json.loads(audit.judge(line).record)["answer"] for _ in range(2)]
    assert found[0] == found[1]
    assert (found[0]["verdict"], found[0]["because"][0]["code"]) == ("unknown", "time_limit")
    assert json.loads(audit.judge(line).record)["answer"]["verdict"] in ("yes", "no")


def test_what_needs_too_much_memory_is_an_error_of_that_case(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    judged = judged_with(monkeypatch, lambda: bytearray(10**11), Limits(memory=8 * 10**9))
    assert [j.result for j in judged] == ["error" if n == 7 else "unchecked" for n in range(30)]
    assert b"MemoryError" in judged[7].record


def test_a_process_without_any_memory_is_an_error_of_its_cases(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    write_cases(tmp_path / "cases.jsonl", 6)
    process = start(str(tmp_path / "cases.jsonl"), "--memory", "30", "--processes", "1")
    out, error = process.communicate(timeout=120)
    assert process.returncode == 1
    assert out.splitlines()[-1].endswith(b"errors 6")
    assert b"Traceback" not in error


# --- other forms ----------------------------------------------------------------------------------------------------


def test_parquet_is_read_and_written(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    cases = [json.loads(case(n, expect={"verdict": "yes"})) for n in range(20)]
    as_text = [{k: v if k == "id" else json.dumps(v) for k, v in c.items()} for c in cases]
    rows = {"text.parquet": as_text, "whole.parquet": [{"case": json.dumps(c)} for c in cases], "parts.parquet": cases}
    found = {}
    for name, table in rows.items():
        parquet.write_table(arrow.Table.from_pylist(table), tmp_path / name)
        output = tmp_path / f"verdicts-{name}"
        run(["audit", str(tmp_path / name), "--output", str(output)])
        found[name] = parquet.read_table(output).to_pylist()
    assert [row["id"] for row in found["text.parquet"]] == [c["id"] for c in cases]
    assert {row["result"] for row in found["text.parquet"]} == {"right", "wrong"}
    assert found["text.parquet"] == found["whole.parquet"] == found["parts.parquet"]
    assert not list(tmp_path.glob(f"*{UNFINISHED}*"))


def test_a_row_that_cannot_be_told_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    rows = [json.loads(case(n)) for n in range(2)]
    rows[0]["situation"]["turn"] = {"step": "cleanup", "priority": "alice"}
    rows[1]["situation"]["turn"] = {"step": "main1", "priority": None}
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "cases.parquet")
    assert run(["audit", str(tmp_path / "cases.parquet")]) == 1
    assert "nobody has priority" in capsys.readouterr().out


def test_zstandard_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = "\n".join(case(n) for n in range(30)).encode()
    halves = (text[:1000], text[1000:])
    (tmp_path / "cases.jsonl.zst").write_bytes(b"".join(zstandard.ZstdCompressor().compress(half) for half in halves))
    assert run(["audit", str(tmp_path / "cases.jsonl.zst")]) == 0
    assert "cases 30 " in capsys.readouterr().out


def test_a_junit_report_has_every_case(tmp_path: Path) -> None:
    source, report = tmp_path / "cases.jsonl", tmp_path / "report.xml"
    write_cases(source, 20)
    run(["audit", str(source), "--junit", str(report)])
    suites = ET.parse(report).getroot()
    cases = suites.findall("./testsuite/testcase")
    assert len(cases) == 20 == int(suites.attrib["tests"])
    assert len(suites.findall(".//failure")) == int(suites.attrib["failures"]) > 0
    assert len(suites.findall(".//error")) == int(suites.attrib["errors"]) == 1
    assert cases[10].attrib["name"] == "line 11"
    assert "expected" in (suites.find(".//failure").text or "")  # pyright: ignore[reportOptionalMemberAccess]


# --- lines ----------------------------------------------------------------------------------------------------------


def test_a_log_of_lines_is_refereed(tmp_path: Path) -> None:
    """Our own plans are legal; a line that taps something twice is not, and the record says where."""
    situation = {"players": {"me": {"battlefield": ["Island", "Mystic Gate", "Forest"]}, "them": {}}}
    asked = {"id": "plan", "situation": situation, "query": {"kind": "can_pay", "cost": "{W}{W}{G}"}}
    plan = json.loads(audit.judge(Line(1, json.dumps(asked).encode())).record)["answer"]["plan"]
    twice = [{"activate": "Forest", "ability": 1}, {"activate": "Forest", "ability": 1}]
    cases = [
        {"id": name, "situation": situation, "query": {"kind": "check", "line": line}, "expect": {"verdict": "yes"}}
        for name, line in (("ours", plan), ("theirs", twice))
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, cases)))
    assert run(["audit", str(tmp_path / "log.jsonl"), "--output", str(tmp_path / "verdicts.jsonl")]) == 1
    found = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    assert [r["result"] for r in found] == ["right", "wrong"]
    assert found[1]["answer"]["at"] == 2
