"""How fast audits are, in ratios that hold on any machine: `python benchmarks/audits.py` (a minute or two).

repeated   a repeated case, against decoding and encoding its record and one hash of it: at most 3
processes  two processes on all cases, against two runs on half of them each (processor time): at least 0.9
memory     the greatest resident size on many cases, against that on few: about 1
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

import msgspec

from lawmage.solver import audit
from lawmage.solver.inputs import Line

CARDS = (
    "Forest", "Island", "Mystic Gate", "Plains", "Reflecting Pool", "Swamp", "Taiga", "Llanowar Elves", "Gruul Signet",
    "Ashnod's Altar", "Grizzly Bears", "City of Brass", "Wall of Roots",
)  # fmt: skip


def cases(n: int, seed: int, different: int) -> list[str]:
    chance = random.Random(seed)
    boards = [[chance.choice(CARDS) for _ in range(chance.randint(4, 9))] for _ in range(different)]
    costs = ["".join(chance.choices(("{G}", "{U}", "{W}", "{2}", "{R}"), k=chance.randint(1, 4))) for _ in boards]
    out = []
    for k in range(n):
        at = k if k < different else chance.randrange(different)
        situation = {"players": {"a": {"battlefield": boards[at]}, "b": {}}}
        query = {"kind": "can_pay", "cost": costs[at]}
        out.append(json.dumps({"id": f"{seed}-{k}", "situation": situation, "query": query}))
    return out


def repeated() -> float:
    lines = [Line(n, text.encode()) for n, text in enumerate(cases(200, 1, 200))]
    records = [audit.judge(line).record for line in lines]

    def least() -> None:
        for line, record in zip(lines, records, strict=True):
            msgspec.json.decode(line.data)
            msgspec.json.encode(msgspec.json.decode(record))
            blake2b(line.data, digest_size=16).digest()

    return _best(lambda: [audit.judge(line) for line in lines]) / _best(least)


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(20):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)


def processes(folder: Path) -> float:
    halves = [_write(folder / f"half{n}.jsonl", cases(600, n, 600)) for n in (1, 2)]
    whole = _write(folder / "whole.jsonl", [text for half in halves for text in half.read_text().splitlines()])
    apart = sum(_run(half, "--processes", "1")[0] for half in halves)
    return apart / _run(whole, "--processes", "2")[0]


def memory(folder: Path) -> float:
    few = _write(folder / "few.jsonl", cases(2_000, 3, 500))
    many = _write(folder / "many.jsonl", cases(100_000, 3, 500))
    return _run(many, "--output", str(folder / "out.jsonl"))[1] / _run(few, "--output", str(folder / "out.jsonl"))[1]


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def _run(path: Path, *more: str) -> tuple[float, float]:
    """The processor time of an audit with all its workers, and its greatest resident size."""
    command = [sys.executable, "-m", "lawmage", "audit", str(path), *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(f"repeated   {repeated():.2f}")
        print(f"processes  {processes(Path(name)):.2f}")
        print(f"memory     {memory(Path(name)):.2f}")
