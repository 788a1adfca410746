"""Reports of audits: counted by what matters, worst first, and a page that needs nothing else."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from lawmage import report
from lawmage.cli import run
from lawmage.report import Summary, summed_up, to_html


def record(id_: str | None, result: str, **more: Any) -> bytes:
    answer = {"verdict": "yes", "because": [], "rules": []} | more.pop("answer", {})
    return json.dumps({"id": id_, "result": result, "answer": answer, "kind": "can_pay", **more}).encode() + b"\n"


def unread(card: str) -> dict[str, Any]:
    because = [{"code": "not_understood", "objects": [f"{card}#2"], "text": f"not understood: line 1 of '{card}'"}]
    return {"verdict": "unknown", "because": because, "unread": [{"card": card, "line": 1, "subjects": ["mana"]}]}


RECORDS = [
    *(record(f"right {n}", "right", answer={"rules": ["118.3"]}) for n in range(6)),
    record("w1", "wrong", expect={"verdict": "no", "spent": {"taps": 1}}, answer={"rules": ["118.3", "106.7"]}),
    record("m1", "wrong", kind="mana", expect={"count": 3}, answer={"verdict": "known", "count": 4}),
    record("m2", "unknown", kind="mana", expect={"count": 3}, answer=unread("Strange <Card>")),
    record("m3", "unknown", kind="mana", expect={"count": 3}, answer=unread("Other Card")),
    record("m4", "unknown", kind="mana", expect={"count": 3}, answer=unread("Other Card")),
    b'{"id": null, "result": "error", "error": "line 12: unknown card \'Fire\'", "line": 12}\n',
    b'{"id": "e", "result": "error", "error": "a.jsonl:13: unknown card \'Ice\'", "line": 13, "kind": "outcomes"}\n',
    b"no record\n",
    b'{"result": "fine"}\n',
    b"\n",
]


def names(summary: Summary, table: str) -> list[str]:
    return [row.name for row in summary.tables[table].worst_first()]


def test_records_are_counted_worst_first() -> None:
    summary = summed_up(RECORDS)
    assert summary.cases == 13
    assert summary.broken == 2
    assert dict(summary.results) == {"right": 6, "wrong": 2, "unknown": 3, "error": 2}
    assert names(summary, "by_kind") == ["mana", "can_pay", "(kind not written)", "outcomes"]
    assert names(summary, "by_verdict") == ["yes in place of no", "known", "none: error", "unknown", "yes"]
    reasons = summary.tables["by_reason"].worst_first()
    assert [row.name for row in reasons] == [
        "wrong count",
        "wrong spent",
        "wrong verdict",
        "unknown card …",
        "not_understood: not understood: line … of …",
    ]
    assert reasons[3].counts["error"] == 2
    assert reasons[3].examples == ("line 12", "e")
    assert names(summary, "by_card") == ["Other Card", "Strange <Card>"]
    assert names(summary, "by_rule") == ["CR 118.3", "CR 106.7"]


def test_a_quote_within_a_word_is_an_apostrophe() -> None:
    text = "line 3: not understood: Ashnod's Altar and 'Urza's Saga', 2 lines"
    assert report._shape(text) == "not understood: Ashnod's Altar and …, … lines"


def answer(verdict: str, **values: Any) -> dict[str, Any]:
    return {"verdict": verdict, "because": [], "rules": [], **values}


EARLIER = [
    record("same", "right", answer=answer("yes", plan=[1], spent={"taps": 2})),
    record("mended", "wrong", answer=answer("no")),
    record("lost", "right", answer=answer("yes")),
    record("twice", "right", answer=answer("yes")),
    record("twice", "right", answer=answer("no")),
    record("types", "unchecked", answer=answer("known", types=["G", "W"])),
    record("other types", "unchecked", answer=answer("known", types=["G", "W"])),
    record(None, "error", line=7),
    record("gone", "unknown", answer=answer("unknown")),
]
LATER = [
    record("twice", "right", answer=answer("yes")),
    record("twice", "right", answer=answer("yes")),
    record("same", "right", answer=answer("yes", plan=[2], spent={"taps": 2})),
    record("mended", "right", answer=answer("yes")),
    record("lost", "wrong", answer=answer("no")),
    record("types", "unchecked", answer=answer("known", types=["W", "G"])),
    record("other types", "unchecked", answer=answer("known", types=["W", "U"])),
    record(None, "error", line=7),
    record("new", "right", answer=answer("yes")),
]


def test_what_has_changed_since_an_earlier_audit() -> None:
    summary = summed_up(LATER, EARLIER)

    def rows(table: str) -> dict[str, tuple[int, tuple[str, ...]]]:
        return {row.name: (row.cases, row.examples) for row in summary.tables[table].worst_first()}

    assert rows("by_change") == {
        "right → wrong": (1, ("lost",)),
        "wrong → right": (1, ("mended",)),
        "new: right": (1, ("new",)),
        "gone: unknown": (1, ()),
    }
    assert rows("by_answer") == {
        "yes → no": (1, ("lost",)),
        "no → yes": (2, ("twice", "mended")),
        "known, with other values": (1, ("other types",)),
    }
    assert next(iter(summary.wire())) == "cases"
    assert "by_change" not in summed_up(LATER).tables


def test_that_nothing_has_changed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "now.jsonl").write_bytes(b"".join(LATER))
    (tmp_path / "then.jsonl").write_bytes(b"".join(LATER))
    assert run(["audit-report", str(tmp_path / "now.jsonl"), "--compare", str(tmp_path / "then.jsonl")]) == 0
    assert capsys.readouterr().out.startswith("Nothing has changed")


def test_an_audit_is_compared_with_a_folder_of_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "now.jsonl").write_bytes(b"".join(LATER))
    (tmp_path / "then").mkdir()
    for n in range(3):
        (tmp_path / "then" / f"part-{n:06}.jsonl").write_bytes(b"".join(EARLIER[3 * n : 3 * n + 3]))
    page = str(tmp_path / "page.html")
    assert run(["audit-report", str(tmp_path / "now.jsonl"), "--compare", str(tmp_path / "then"), "--html", page]) == 0
    assert "right → wrong" in capsys.readouterr().out
    assert "no → yes" in Path(page).read_text("utf-8")
    assert run(["audit-report", str(tmp_path / "then"), "--compare", page, "--html", page]) == 2


def test_tables_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOST_ROWS", 3)
    summary = summed_up(record(str(n), "unknown", answer=unread(f"Card {chr(65 + n)}")) for n in range(10))
    assert {row.name: row.cases for row in summary.tables["by_card"].worst_first()} == {
        "(others)": 7,
        "Card A": 1,
        "Card B": 1,
        "Card C": 1,
    }


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    page = to_html(summed_up(RECORDS), "Audit of <this>", 50)
    assert "Audit of &lt;this&gt;" in page
    assert "Strange &lt;Card&gt;" in page
    outside = [link for link in re.findall(r'(?:https?:)?//[^\s"<]+', page) if "www.w3.org/2000/svg" not in link]
    assert not outside
    assert "<script" not in page
    bars = re.findall(r"<svg.*?</svg>", page)
    assert len(bars) > 10
    for bar in bars:
        parts = ET.fromstring(bar)
        assert sum(float(part.attrib["width"]) for part in parts) <= 100.01


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts, page = tmp_path / "verdicts.jsonl", tmp_path / "report.html"
    verdicts.write_bytes(b"".join(RECORDS))
    assert run(["audit-report", str(verdicts), "--html", str(page), "--most", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[-1].startswith("cases 13 · wrong 2 · error 2 · unknown 3 ")
    assert "outcomes" not in shown
    assert "outcomes" in page.read_text()
    assert run(["audit-report", str(verdicts), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["by_kind"][0]["examples"] == ["m1", "m2", "m3"]
    assert run(["audit-report", str(verdicts), "--html", str(verdicts)]) == 2


def test_what_an_audit_wrote_is_reported_from_lines_and_parquet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    situation = {"players": {"a": {"battlefield": ["Forest"]}, "b": {}}}
    costs = ("{G}", "{U}", "{Z}")
    cases = [{"id": c, "situation": situation, "query": {"kind": "can_pay", "cost": c}} for c in costs]
    (tmp_path / "cases.jsonl").write_text("\n".join(json.dumps(c | {"expect": {"verdict": "yes"}}) for c in cases))
    found = []
    for name in ("verdicts.jsonl", "verdicts.parquet"):
        run(["audit", str(tmp_path / "cases.jsonl"), "--output", str(tmp_path / name)])
        capsys.readouterr()
        assert run(["audit-report", str(tmp_path / name), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert (found[0]["right"], found[0]["wrong"], found[0]["error"]) == (1, 1, 1)
    assert [row["name"] for row in found[0]["by_kind"]] == ["can_pay"]
