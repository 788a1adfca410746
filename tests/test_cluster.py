"""Audits by blocks: cut anywhere they have every line once, and a cluster that loses a machine loses nothing."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lawmage.cli import run
from lawmage.solver import blocks
from lawmage.solver.audit import Pool, Work, judge
from lawmage.solver.blocks import Block, lines_in, lines_of_block, surveys
from lawmage.solver.inputs import Line, lines_of
from lawmage.solver.parts import JOURNAL, Folder, Parts, records_in, write_part

LANDS = ("Forest", "Island", "Mystic Gate", "Plains", "Reflecting Pool", "Swamp", "Taiga")


def case(n: int) -> dict[str, Any]:
    """One of many different questions."""
    lands = [LANDS[n % 7], LANDS[n // 7 % 7], LANDS[n // 49 % 7], "Forest"]
    board = {"alice": {"battlefield": lands, "life": 1 + n}, "bob": {"life": 20}}
    query = {"kind": "can_pay", "cost": "{G}{W}" if n % 2 else "{U}{U}"}
    return {"id": f"case {n}", "situation": {"players": board}, "query": query, "expect": {"verdict": "yes"}}


def write_cases(path: Path, most: int) -> None:
    lines = [json.dumps(case(n)) for n in range(most)]
    lines[most // 2] = '{"id": "broken"'
    path.write_text("\n".join(lines) + "\n")


# --- blocks ---------------------------------------------------------------------------------------------------------


def cut(inputs: list[str], spread: int) -> list[Block]:
    parts = surveys(inputs, spread)
    return blocks.blocks(parts, [lines_in(part) for part in parts], spread)


def whole(inputs: list[str]) -> list[Line]:
    with ExitStack() as stack:
        return list(lines_of(inputs, stack))


def same_lines(inputs: list[str], spread: int) -> int:
    """The blocks have the lines of the whole, each once, in order, under the same numbers and places."""
    found = cut(inputs, spread)
    assert [block.number for block in found] == list(range(len(found)))
    assert [line for block in found for line in lines_of_block(block)] == whole(inputs)
    return len(found)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LEAST_BYTES", 1), ("LEAST_LINES", 1), ("MOST_DOCUMENTS", 2)):
        monkeypatch.setattr(blocks, name, value)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("seed", range(30))
def test_lines_are_cut_anywhere(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = b"".join(chance.choice([b"x" * chance.randint(0, 40), b"\r\n", b"\n", b" ", b"\n["]) for _ in range(200))
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "empty.jsonl"]
    for file, part in zip(files, (data, data[50:], b""), strict=True):
        file.write_bytes(part)
    several = same_lines([str(file) for file in files], chance.randint(1, 20))
    assert several > 2
    assert same_lines([str(files[0])], chance.randint(1, 300)) > 1


@pytest.mark.usefixtures("small_blocks")
def test_compressed_lines_are_cut_by_number(tmp_path: Path) -> None:
    text = b"\n".join(b"line %d" % n for n in range(1000))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(text[:4000]) + gzip.compress(text[4000:]))
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(text, 0)[:-400])
    assert same_lines([str(tmp_path / "a.jsonl.gz")], 3) >= 12
    assert same_lines([str(tmp_path / "torn.jsonl.gz")], 3) >= 12
    assert whole([str(tmp_path / "torn.jsonl.gz")])[-1].error


@pytest.mark.usefixtures("small_blocks")
def test_rows_are_cut_by_number(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    table = arrow.Table.from_pylist([{"case": json.dumps(case(n))} for n in range(300)])
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=70)
    (tmp_path / "torn.parquet").write_bytes((tmp_path / "a.parquet").read_bytes()[:-100])
    assert same_lines([str(tmp_path / "a.parquet")], 5) >= 20
    assert same_lines([str(tmp_path / "torn.parquet")], 5) == 1


@pytest.mark.usefixtures("small_blocks")
def test_a_folder_is_cut_file_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "_unfinished").mkdir()
    for name in ("a.yaml", "b.yaml", "c.yaml", "more/d.yml"):
        (tmp_path / name).write_text("players: {a: {}}\nqueries: [{kind: mana}, {kind: untaps}]\n")
    (tmp_path / "b.jsonl").write_text("one\ntwo\n")
    (tmp_path / "_unfinished" / "c.jsonl").write_text("not yet\n")
    (tmp_path / "_d.jsonl").write_text("not yet\n")
    assert same_lines([str(tmp_path)], 2) > 3
    assert len(whole([str(tmp_path)])) == 10
    monkeypatch.chdir(tmp_path.parent)
    assert same_lines([tmp_path.name], 2) > 3
    monkeypatch.chdir(tmp_path)
    assert same_lines(["a.yaml", "more/d.yml", "b.jsonl"], 2) > 2


def test_an_address_is_read_and_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    write_cases(tmp_path / "cases.jsonl", 50)
    found = cut([f"file://{tmp_path}/cases.jsonl"], 2)
    assert [line.data for block in found for line in lines_of_block(block)] == [
        line.data for line in whole([str(tmp_path / "cases.jsonl")])
    ]
    parts = Parts(f"file://{tmp_path}/out", {"of": 1}, 2)
    write_part(parts.folder, parts.folder.part(0), [b"{}", b"[]"])
    assert records_in(parts.folder, parts.folder.part(0)) == [b"{}\n", b"[]\n"]
    assert records_in(parts.folder, parts.folder.part(1)) is None
    assert Parts(f"file://{tmp_path}/out", {"of": 1}, 7).spread == 2
    assert Parts(f"file://{tmp_path}/out", {"of": 2}, 7).folder.names() == [JOURNAL]


# --- parts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out", "out.parquet"])
def test_a_part_is_there_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    folder = Folder(str(tmp_path / name))
    folder.make()
    records = [judge(Line(n, json.dumps(case(n)).encode())).record for n in range(3)]

    def broken() -> Iterator[bytes]:
        yield records[0]
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_part(folder, folder.part(7), broken())
    assert folder.names() == []
    write_part(folder, folder.part(7), records)
    found = records_in(folder, folder.part(7))
    assert found is not None
    assert [json.loads(record) for record in found] == [json.loads(record) for record in records]


def test_only_the_same_audit_goes_on_with_parts(tmp_path: Path) -> None:
    about = {"of": "a", "work": Work()}  # a tuple
    first = Parts(str(tmp_path / "out"), about, 2)
    write_part(first.folder, first.folder.part(0), [b"{}"])
    (tmp_path / "out" / "_part-000001.jsonl.torn").write_text("{")
    first.close()
    again = Parts(str(tmp_path / "out"), about, 5)
    assert (again.spread, again.folder.part(0) in again.folder.names()) == (2, True)
    again.finish()
    again.close()
    assert os.listdir(tmp_path / "out") == ["part-000000.jsonl"]
    other = Parts(str(tmp_path / "out"), about, 5)
    assert (other.spread, other.folder.part(0) in other.folder.names()) == (5, False)
    other.close()


def test_parts_are_written_into_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("precious")
    with pytest.raises(ValueError, match=r"notes\.txt"):
        Parts(str(tmp_path), {}, 1)
    with pytest.raises(ValueError, match="this is a file"):
        Parts(str(tmp_path / "notes.txt"), {}, 1)


def test_parts_are_reported_like_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_cases(tmp_path / "cases.jsonl", 60)
    run(["audit", str(tmp_path / "cases.jsonl"), "--output", str(tmp_path / "verdicts.jsonl")])
    records = (tmp_path / "verdicts.jsonl").read_bytes().splitlines()
    folder = Folder(str(tmp_path / "parts"))
    folder.make()
    for n in range(3):
        write_part(folder, folder.part(n), records[20 * n : 20 * n + 20])
    found = []
    for verdicts in ("verdicts.jsonl", "parts"):
        capsys.readouterr()
        assert run(["audit-report", str(tmp_path / verdicts), "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert found[0]["cases"] == 60


class Deadly(bytes):
    """Ends the process that it is sent to."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_a_process_that_is_not_forked_takes_only_its_case_with_it() -> None:
    lines = [Line(n, json.dumps(case(n)).encode()) for n in range(20)]
    lines[7] = lines[7]._replace(data=Deadly(lines[7].data))
    pool = Pool(1, Work(), "forkserver")
    try:
        judged = list(pool.judge(lines))
        again = list(pool.judge(lines[:5]))
    finally:
        pool.close()
    assert [j.id for j in judged if j.result == "error"] == ["case 7"]
    assert len(judged) == 20
    assert [j.record for j in again] == [j.record for j in judged[:5]]


def test_such_a_process_does_not_outlive_its_owner_either() -> None:
    """The server that it comes from waits for it, and would go on for ever with it."""
    code = (
        "from lawmage.solver.audit import Pool, Work; import os, time; pool = Pool(1, Work(), 'forkserver')\n"
        "if __name__ == '__main__':\n print(pool.executor.submit(os.getpid).result(), flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    worker = int(owner.stdout.readline())
    owner.kill()
    end = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    owner.wait()
    owner.stdout.close()


# --- a cluster ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes on this machine, with a processor each."""
    pytest.importorskip("ray.data")
    from ray.cluster_utils import Cluster  # pyright: ignore[reportMissingImports]

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found.add_node(num_cpus=1)
    found.wait_for_nodes()
    yield found
    found.shutdown()


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "lawmage", "audit", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_parts(process: subprocess.Popen[bytes], folder: Path, n: int) -> list[Path]:
    end = time.monotonic() + 120
    while len(parts := sorted(folder.glob("part-*"))) < n:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end
        time.sleep(0.02)
    return parts


def joined(folder: Path) -> bytes:
    assert not [path for path in folder.iterdir() if not path.name.startswith("part-")]
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def alone(source: Path) -> tuple[bytes, bytes]:
    """What an audit on this machine writes and says."""
    output = source.with_name("alone.jsonl")
    out, _ = start(str(source), "--output", str(output)).communicate(timeout=300)
    return output.read_bytes(), out


def test_a_cluster_finds_what_one_machine_finds(cluster: Any, tmp_path: Path) -> None:
    """A node is killed in the middle, then the whole audit, which is started again."""
    source, folder, report = tmp_path / "cases.jsonl", tmp_path / "parts", tmp_path / "report.xml"
    write_cases(source, 1500)
    wanted, says = alone(source)
    arguments = (str(source), "--output", str(folder), "--ray", cluster.address, "--junit", str(report))
    process = start(*arguments)
    made = {path: path.stat().st_ino for path in wait_for_parts(process, folder, 3)}
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    wait_for_parts(process, folder, 6)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    cluster.add_node(num_cpus=1)
    process = start(*arguments)
    out, error = process.communicate(timeout=300)
    assert process.returncode == 1, error
    assert error == b"", "a terminal alone sees progress"
    assert joined(folder) == wanted
    assert out.splitlines()[-1] == says.splitlines()[-1]
    assert report.read_bytes().count(b"<testcase") == 1500
    assert all(path.stat().st_ino == node for path, node in made.items()), "finished parts are taken as they are"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_cluster_loses_a_node_at_any_moment(cluster: Any, tmp_path: Path, seed: int) -> None:
    source, folder = tmp_path / "cases.jsonl", tmp_path / "parts"
    write_cases(source, 6000)
    wanted, _ = alone(source)
    process = start(str(source), "--output", str(folder), "--ray", cluster.address)
    wait_for_parts(process, folder, 1 + 5 * seed)
    time.sleep(random.Random(seed).uniform(0, 1))
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    _, error = process.communicate(timeout=600)
    cluster.add_node(num_cpus=1)
    assert process.returncode == 1, error
    assert joined(folder) == wanted


@pytest.mark.long
def test_a_cluster_reads_and_writes_parquet(cluster: Any, tmp_path: Path) -> None:
    import pyarrow as arrow  # pyright: ignore[reportMissingImports]
    import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]

    table = arrow.Table.from_pylist([{"case": json.dumps(case(n))} for n in range(500)])
    parquet.write_table(table, tmp_path / "cases.parquet", row_group_size=120)
    for output, more in (("alone.parquet", ()), ("parts.parquet", ("--ray", cluster.address))):
        start(str(tmp_path / "cases.parquet"), "--output", str(tmp_path / output), *more).communicate(timeout=300)
    parts = sorted((tmp_path / "parts.parquet").iterdir())
    assert len(parts) > 2
    rows = [row for part in parts for row in parquet.read_table(part).to_pylist()]
    assert rows == parquet.read_table(tmp_path / "alone.parquet").to_pylist()
    assert parquet.read_table(tmp_path / "parts.parquet").num_rows == 500


@pytest.mark.long
def test_another_library_on_a_machine_is_said(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lawmage.model.cards import library_path

    write_cases(tmp_path / "cases.jsonl", 50)
    (tmp_path / "other.lib").write_bytes(library_path().read_bytes())
    monkeypatch.setenv("LAWMAGE_LIBRARY", str(tmp_path / "other.lib"))
    process = start(str(tmp_path / "cases.jsonl"), "--ray", cluster.address)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 2
    assert error.startswith(b"lawmage: a machine of the cluster has another")
