"""How many questions a second, in one process: random small boards, each judged from its JSON line on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random

import msgspec
from msgspec.structs import replace

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


CHUNK = 25  # as short as one stretch of the same load on the machine


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    random = Random(1)
    lines = [line(n, random) for n in range(300 if quick else 2_000)]
    judge(lines[0])
    for case, some in (("each new", lines), ("each asked again", lines[:100] * (len(lines) // 100))):
        verdicts: Counter[str] = Counter()

        def chunk(at: int, some: list[Line] = some, verdicts: Counter[str] = verdicts) -> None:
            verdicts.update(
                msgspec.json.decode(judge(one).record)["answer"]["verdict"] for one in some[at : at + CHUNK]
            )

        works = [partial(chunk, at) for at in range(0, len(some), CHUNK)]
        figure = meter.each(works, suite="bulk", case=f"random small boards, {case}", n=len(some))
        yield per_question(figure, verdicts)


def per_question(chunks: Figure, verdicts: Counter[str]) -> Figure:
    assert chunks.ratio is not None and chunks.low is not None and chunks.high is not None and chunks.seconds
    return replace(
        chunks,
        ratio=chunks.ratio / CHUNK,
        low=chunks.low / CHUNK,
        high=chunks.high / CHUNK,
        seconds=chunks.seconds / CHUNK,
        says=f"{CHUNK / chunks.seconds:.0f} a second",
        note=", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())),
    )
