"""The benchmarks run, their counts agree, and what they write can be read. No timing is asserted."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.__main__ import measure
from benchmarks.boards import Board, game_of
from benchmarks.counts import cases, counts_of
from benchmarks.measure import Figure, Meter, exponent, spread
from benchmarks.peers import PEERS, Missing, TooSlow, question_of
from benchmarks.report import Run, compared, load, page, save, table, wrong
from benchmarks.scaling import FAMILIES, work_of

SMALL = [(name, case) for name, case in cases() if (case.pools or 0) <= 12]


@pytest.fixture(scope="module")
def meter() -> Meter:
    return Meter(least=1, runs=1, most=0.0)


@pytest.mark.parametrize(("name", "case"), SMALL, ids=[name for name, _ in SMALL])
def test_counts_agree(name: str, case) -> None:
    game = game_of(Board(case.board))
    for what, right, by_solver, by_reference in counts_of(case):
        assert (by_solver(game), by_reference(game)) == (right, right), what


def test_every_file_of_counts_is_read() -> None:
    assert len(list(cases())) >= 15


@pytest.mark.parametrize("family", FAMILIES, ids=[f.name for f in FAMILIES])
def test_verdicts_of_the_families(family) -> None:
    some, feasible, infeasible = family.make(family.quick[0])
    assert (work_of(some, feasible)(), work_of(some, infeasible)()) == ("yes", "no")


def test_stages_and_boards_run_and_are_right(meter: Meter) -> None:
    run = measure(["stages"], True, meter=meter)
    assert not wrong(run)
    assert all(f.ratio is not None for f in run.figures)


@pytest.mark.parametrize("who", list(PEERS))
def test_peers_agree(who: str) -> None:
    yes = question_of(("3 Tundra", "Bayou"), "{W}{U}{B}")
    no = question_of(("3 Tundra", "Bayou"), "{W}{B}{G}")
    try:
        assert (PEERS[who](yes), PEERS[who](no)) == (True, False)
    except (Missing, TooSlow) as absent:
        pytest.skip(str(absent))


def test_what_is_written(tmp_path: Path) -> None:
    figures = (
        Figure(suite="scaling", case="lands: yes", n=10, says="yes", ratio=10.0, low=9.0, high=11.0, runs=5),
        Figure(suite="scaling", case="lands: yes", n=20, says="yes", ratio=12.0, low=11.0, high=13.0, runs=5),
        Figure(suite="growth", case="lands: yes", says="n^0.26"),
    )
    run = Run(version="1", quick=True, unit_seconds=5e-5, figures=figures)
    save(run, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == run
    assert "10.0x" in table(run)
    assert "<svg" in page(run)
    slower = msgspec.structs.replace(figures[0], ratio=30.0, low=29.0, high=31.0)
    assert "3.00 of what it was" in compared(msgspec.structs.replace(run, figures=(slower,)), run)
    assert "nothing" in compared(run, run)


def test_exponents_and_spreads() -> None:
    fitted = exponent([(n, 3 * n**1.5) for n in (1, 10, 100)])
    assert fitted is not None and abs(fitted - 1.5) < 1e-9
    assert exponent([(1, 1), (2, 2)]) is None
    assert spread([1, 2, 3, 4, 5]) == (2, 4)
