"""How many questions a second, in one process: random small boards, each judged from its JSON line on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time

import msgspec

from lawmage.solver.audit import judge
from lawmage.solver.inputs import Line

from .boards import BASICS, DUALS, Board
from .measure import Figure, Meter

CARDS = (*BASICS, *DUALS, "Mystic Gate", "Reflecting Pool", "Sol Ring", "Birds of Paradise", "Gruul Signet")


def line(number: int, random: Random) -> Line:
    permanents = tuple(random.choices(CARDS, k=random.randint(3, 10)))
    cost = "".join(f"{{{random.choice('WUBRG1')}}}" for _ in range(random.randint(1, 6)))
    query = {"kind": "can_pay", "cost": cost.replace("{1}", "") + f"{{{cost.count('{1}')}}}"}
    return Line(number, msgspec.json.encode({"id": str(number), **Board(permanents).document(query)}))


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    random = Random(1)
    lines = [line(n, random) for n in range(200 if quick else 2_000)]
    judge(lines[0])
    unit = meter.unit()
    start = process_time()
    verdicts = Counter(msgspec.json.decode(judge(one).record)["answer"]["verdict"] for one in lines)
    each = (process_time() - start) / len(lines)
    says = f"{1 / each:.0f} a second"
    note = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
    yield Figure(
        suite="bulk", case="random small boards, each new", n=len(lines), says=says, ratio=each / unit, low=each / unit,
        high=each / unit, runs=1, seconds=each, note=note,
    )  # fmt: skip
