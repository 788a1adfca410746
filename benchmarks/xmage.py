"""The boards of XMage's own test of its mana options, each answered whole and compared with the right answer.

The file benchmarks/xmage.jsonl holds the boards as cases (`lawmage audit` reads them, too). The right answers are the
options that the test expects, {Any} written out and smaller options left out. In two places they are not: with
Crystal Quarry and three Fetid Heaths the test misses five pools, and of 88 pools it names two; both boards were
enumerated by hand-written searches of all states. What Charmed Pendant makes is unknown as long as the library is.

The maximal pools are then asked as costs: each can be paid, and none can with one more mana of any type. That
question another engine can be asked, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from lawmage.model.cards import default_library
from lawmage.model.game import Game
from lawmage.model.mana import TYPES, parse_mana
from lawmage.model.situation import build_game, check_document, resolve_question
from lawmage.solver.queries import answer

from .boards import YOU, anew, can_pay
from .measure import Figure, Meter
from .peers import Missing, asked_of_python_mtg

FILE = Path(__file__).parent / "xmage.jsonl"
MOST_QUICK = 30  # boards with more pools are left out of a quick run
MOST_COSTS = 24  # of one board


class Case(msgspec.Struct, frozen=True):
    """One line of the file."""

    id: str
    situation: dict[str, Any]
    query: dict[str, Any]
    expect: dict[str, Any]
    source: str

    @property
    def name(self) -> str:
        return self.id.split("/")[2]

    @property
    def pools(self) -> tuple[str, ...]:
        return tuple(self.expect.get("maximal", ()))


class Cost(NamedTuple):
    text: str
    verdict: str


def cases() -> list[Case]:
    return [msgspec.json.decode(line, type=Case) for line in FILE.read_bytes().splitlines()]


def game_of(case: Case) -> Game:
    return build_game(check_document(_document(case)).situation, default_library())


def _document(case: Case) -> dict[str, Any]:
    return {"situation": case.situation, "query": case.query}


def answered(case: Case, game: Game) -> tuple[str, str]:
    """What the answer says, and a note where it is not the right one."""
    question = check_document(_document(case)).queries[0]
    found = answer(anew(game), resolve_question(question, game, default_library()), explain=False)
    if found.verdict == "unknown":
        code = found.because[0].code if found.because else "?"
        return f"unknown: {code}", "" if case.expect.get("verdict") == "unknown" else f"{len(case.pools)} pools"
    pools = found.values["maximal"]
    says = f"{len(pools)} {'pool' if len(pools) == 1 else 'pools'}"
    right = {parse_mana(p) for p in pools} == {parse_mana(p) for p in case.pools}
    return says, "" if right else f"WRONG: {len(case.pools)} are right"


def costs_of(case: Case) -> list[Cost]:
    """Pools as costs that can be paid, and with one mana more as costs that cannot; some of them if there are many."""
    yes = [Cost(pool, "yes") for pool in case.pools]
    no = [Cost(f"{pool}{{{t}}}", "no") for pool in case.pools for t in TYPES]
    every = [*yes, *no]
    return every[:: -(-len(every) // MOST_COSTS)] if every else []


def names_of(case: Case) -> tuple[str, ...]:
    """The permanents by name; nothing where one of them has more to it than its name."""
    items = case.situation["players"][YOU]["battlefield"]
    if any(not isinstance(item, str) for item in items):
        return ()
    counted = (item.split(" ", 1) if item[0].isdigit() else ("1", item) for item in items)
    return tuple(name for count, name in counted for _ in range(int(count)))


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    asked: list[tuple[Case, Game, Cost]] = []
    for case in cases():
        game = game_of(case)
        asked += [(case, game, cost) for cost in costs_of(case)]
        if quick and len(case.pools) > MOST_QUICK:
            continue
        says, note = answered(case, game)
        yield meter.figure(partial(answered, case, game), suite="xmage", case=case.name, says=says, note=note)
    yield from _as_costs(meter, asked[::4] if quick else asked)


Asked = Sequence[tuple[Case, Game, Cost]]


def _as_costs(meter: Meter, asked: Asked) -> Iterator[Figure]:
    about: dict[str, Any] = {"suite": "xmage", "case": "the pools as costs"}
    yield _right(meter, asked, lambda case, game, cost: can_pay(game, cost), about | {"who": "lawmage"})
    said = [one for one in asked if names_of(one[0])]
    try:
        yield _right(meter, said, _by_python_mtg, about | {"who": "python-mtg"})
    except Missing as absent:
        yield Figure(**about, who="python-mtg", note=f"not asked: {absent} is not installed")


def _by_python_mtg(case: Case, game: Game, cost: str) -> str:
    return "yes" if asked_of_python_mtg(names_of(case), cost) else "no"


def _right(meter: Meter, asked: Asked, peer: Callable[[Case, Game, str], str], about: dict[str, Any]) -> Figure:
    """How many answers are right, and what a question takes."""
    says = [peer(case, game, cost.text) for case, game, cost in asked]
    right = sum(said == cost.verdict for said, (_, _, cost) in zip(says, asked, strict=True))
    note = f"{right} of {len(asked)} right"
    if about["who"] == "lawmage" and right < len(asked):
        note = f"WRONG: {note}"
    works = [partial(peer, case, game, cost.text) for case, game, cost in asked]
    return meter.each(works, **about, n=len(asked), says=note)
