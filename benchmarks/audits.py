"""How fast audits are, in ratios that hold on any machine, each against what was promised.

repeated   a repeated case, against decoding and encoding its record and one hash of it: at most 3
processes  two processes on all cases, against two runs on half of them each (processor time): at least 0.9
memory     the greatest resident size on many cases, against that on few: at most 1.1
cost       the processor time of different cases, without that of starting
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

import msgspec

from lawmage.solver import audit
from lawmage.solver.inputs import Line

from .measure import Figure, Meter

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


def processes(folder: Path, n: int, rounds: int) -> tuple[float, float]:
    """The ratio, and what one more case costs in seconds. The best of some rounds: others use the machine, too."""
    halves = [_write(folder / f"half{k}.jsonl", cases(n, k, n)) for k in (1, 2)]
    whole = _write(folder / "whole.jsonl", [text for half in halves for text in half.read_text().splitlines()])
    alone: list[list[float]] = [[], []]
    together: list[float] = []
    for _ in range(rounds):
        for half, times in zip(halves, alone, strict=True):
            times.append(_run(half, "--processes", "1")[0])
        together.append(_run(whole, "--processes", "2")[0])
    one, other = map(min, alone)
    started = _run(_write(folder / "one.jsonl", cases(1, 1, 1)), "--processes", "1")[0]
    return (one + other) / min(together), max(0.0, (one + other) / 2 - started) / n


def memory(folder: Path, many: int) -> tuple[float, float]:
    """The ratio, and the greatest size in bytes."""
    sizes = []
    for n in (2_000, many):
        path = _write(folder / f"{n}.jsonl", cases(n, 3, 500))
        sizes.append(_run(path, "--output", str(folder / "out.jsonl"))[1] * 1024)
    return sizes[1] / sizes[0], sizes[1]


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


# A process is told to have had the size of the one that started it, so a small one starts it.
_STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def _run(path: Path, *more: str) -> tuple[float, float]:
    """The processor time of an audit with all its workers, and its greatest resident size."""
    command = [sys.executable, "-m", "lawmage", "audit", str(path), *more]
    told = subprocess.run([sys.executable, "-c", _STARTER, *command], capture_output=True, check=True, text=True)
    seconds, size = map(float, told.stdout.split())
    return seconds, size


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        share = repeated()
        yield _figure("a repeated case", f"{share:.2f} of decoding, encoding and one hash", "at most 3", share <= 3)
        share, each = processes(folder, 100 if quick else 600, 1 if quick else 3)
        yield _figure("two processes", f"{share:.2f} of two runs", "at least 0.9", share >= 0.9)
        yield _figure("a million different cases", f"{1e6 * each / 60:.0f} processor minutes", "", True, each)
        share, size = memory(folder, 10_000 if quick else 100_000)
        says = f"{share:.2f} of what few need, {size / 1e6:.0f} MB"
        yield _figure("memory for many", says, "at most 1.1", share <= 1.1)


def _figure(case: str, says: str, promised: str, kept: bool, seconds: float | None = None) -> Figure:
    """What others do on the machine can break a promise, so that is said and is no wrong answer."""
    note = promised if kept else f"NOT KEPT: {promised}"
    return Figure(suite="audits", case=case, says=says, note=note, runs=1, seconds=seconds)
