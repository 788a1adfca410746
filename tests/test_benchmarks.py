"""The benchmarks run, their counts agree, and what they write can be read. No timing is asserted."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb
from pathlib import Path

import msgspec
import pytest

from benchmarks import karsten, xmage
from benchmarks.__main__ import measure
from benchmarks.boards import Board, anew, game_of
from benchmarks.counts import cases, counts_of
from benchmarks.measure import Figure, Meter, exponent, spread
from benchmarks.page import page
from benchmarks.peers import PEERS, CannotSay, Missing, TooSlow, question_of
from benchmarks.report import Run, compared, load, marks, save, table, wrong
from benchmarks.scaling import FAMILIES, work_of
from benchmarks.watch import STAGES, watching
from lawmage.solver import payment

SMALL = [(name, case) for name, case in cases() if (case.pools or 0) <= 12]
FEW_POOLS = [case for case in xmage.cases() if len(case.pools) <= 10]


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
    for wanted, question in (("yes", feasible), ("no", infeasible)):
        game, work = work_of(some, question)
        assert work(anew(game)) == wanted


def test_stages_and_boards_run_and_are_right(meter: Meter) -> None:
    run = measure(["stages"], True, meter=meter)
    assert not wrong(run)
    assert all(f.ratio is not None for f in run.figures)


def test_a_watch_leaves_everything_as_it_was() -> None:
    before = payment.decide
    some, feasible, _ = FAMILIES[0].make(4)
    game, work = work_of(some, feasible)
    with watching() as watch:
        assert payment.decide is not before
        spent = watch.stages_of(game, work)
    assert payment.decide is before
    assert tuple(spent) == STAGES
    assert min(spent.values()) >= 0


@pytest.mark.parametrize("who", list(PEERS))
def test_peers_agree(who: str) -> None:
    yes = question_of(("3 Tundra", "Bayou"), "{W}{U}{B}")
    no = question_of(("3 Tundra", "Bayou"), "{W}{B}{G}")
    try:
        assert (PEERS[who](yes), PEERS[who](no)) == (True, False)
    except (Missing, TooSlow) as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize("who", [who for who in PEERS if who != "python-mtg"])  # to it, filter lands are dual lands
def test_peers_agree_on_filter_lands(who: str) -> None:
    yes = question_of(("2 Mystic Gate", "Island"), "{W}{W}{U}")
    no = question_of(("2 Mystic Gate", "Island"), "{W}{W}{W}{W}")
    dry = question_of(("2 Mystic Gate",), "{W}")
    try:
        assert (PEERS[who](yes), PEERS[who](no), PEERS[who](dry)) == (True, False, False)
    except (Missing, TooSlow, CannotSay) as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize("case", FEW_POOLS, ids=[case.name for case in FEW_POOLS])
def test_boards_of_xmage(case: xmage.Case) -> None:
    game = xmage.game_of(case)
    _, note = xmage.answered(case, game)
    assert not note
    for cost in xmage.costs_of(case)[:6]:
        assert xmage.can_pay(game, cost.text) == cost.verdict, cost


@pytest.mark.parametrize("written", ["C", "1C", "CC", "1CC", "2CC", "CCC"])
@pytest.mark.parametrize("size", [60, 99])
def test_sources_as_published(written: str, size: int) -> None:
    published = karsten.TABLE[written][karsten.SIZES.index(size)]
    found, _ = karsten.needed(written, size, published, karsten.Payments((karsten.OTHER, karsten.SOURCE)))
    assert found == published


def test_chances_are_those_of_the_hypergeometric_distribution() -> None:
    # One land of a color among the seven cards of a hand that is kept whatever it is.
    deck = karsten.Deck((10, 14), 36, ((0,), (1,)))
    hands = karsten.draws_of((10, 14, 36), 7)
    assert sum(ways for _, ways in hands) == comb(60, 7)
    found = karsten.chances_of(deck, 1, lambda lands: lands[1] >= 1, lambda lands: True)
    kept = [(hand, ways) for hand, ways in hands if 2 <= hand[0] + hand[1] <= 5]
    of_seven = Fraction(sum(ways for hand, ways in kept if hand[1]), sum(ways for _, ways in kept))
    assert abs(found.pays - of_seven) < Fraction(1, 50)  # mulligans change it a little
    assert found.by_color == 1


def test_a_dual_land_is_not_counted_twice() -> None:
    gold = karsten.two("{W}{U}", 3)
    payments = karsten.Payments(tuple(name for name, _ in gold.kinds))
    assert gold.by_color((1, 0, 0, 1))
    assert not payments.can((1, 0, 0, 1), gold.cost)
    found = gold.chances(payments, 9)
    assert found.pays < found.by_color


def figure(case: str, ratio: float | None, n: int | None = None, **more: str) -> Figure:
    more = {"suite": "scaling", "who": "whole"} | more
    if ratio is None:
        return Figure(case=case, n=n, **more)  # type: ignore[arg-type]
    return Figure(case=case, n=n, ratio=ratio, low=0.9 * ratio, high=1.1 * ratio, runs=5, **more)  # type: ignore[arg-type]


FIGURES = (
    figure("lands: yes", 10.0, 10, says="yes"),
    figure("lands: yes", 12.0, 20, says="yes"),
    figure("lands: no", 3.0, 10, says="no"),
    figure("lands: yes", None, suite="growth", who="whole", says="n^0.26", note="alike"),
    figure("lands: yes", None, suite="growth", who="compile and solve", says="n^0.12", note="alike"),
    figure("lands & <more>: yes", 5.0, 10, suite="peers", who="lawmage", says="yes"),
    figure("lands & <more>: yes", 7.0, 10, suite="peers", who="a peer", says="no", note="wrong, yes is right"),
    figure("lands & <more>: yes", None, 20, suite="peers", who="a peer", says="gives up"),
    figure("whole: a verdict on a new board", 19.0, 20, suite="stages", who="lawmage"),
    figure("whole: a verdict on a new board", 76.0, 200, suite="stages", who="lawmage"),
    figure("parts of a verdict on a new board", 9.0, 20, suite="stages", who="compile", says="90 %"),
    figure("parts of a verdict on a new board", 1.0, 20, suite="stages", who="rest", says="10 %"),
    figure("10 Reflecting Pools with a Forest", 23.0, suite="freezes", who="lawmage"),
    figure("60 cards, 25 lands: 1CC", None, 3, suite="karsten", who="lawmage", says="18 sources, 92.49 %",
           note="as published"),
)  # fmt: skip
RUN = Run(version="1", quick=True, unit_seconds=5e-5, figures=FIGURES)


def test_what_is_saved_can_be_read_and_compared(tmp_path: Path) -> None:
    save(RUN, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == RUN
    slower = msgspec.structs.replace(FIGURES[0], ratio=30.0, low=29.0, high=31.0)
    assert "3.00 of what it was" in compared(msgspec.structs.replace(RUN, figures=(slower,)), RUN)
    assert "nothing" in compared(RUN, RUN)


def test_the_table_for_the_terminal() -> None:
    text = table(RUN)
    assert "10.0x" in text
    assert "n^0.26" in text and "MORE than 0.1" in text
    assert "MISSED" in text


def test_marks() -> None:
    assert [(m.wanted, round(m.got, 2), m.met) for m in marks(RUN)] == [
        (20, 19.0, True),
        (3, 4.0, False),
        (30, 23.0, True),
        (0.1, 0.12, False),
    ]


def test_the_page_stands_alone() -> None:
    html = page(RUN)
    assert html.count("<svg") == 4  # scaling, peers, stages, boards
    assert html.count("multiples of an empty solve</text>") == 4  # every plot says what its axis is
    assert "prefers-color-scheme: dark" in html
    assert "lands &amp; &lt;more&gt;" in html and "<more>" not in html
    assert not re.search(r"<(script|link|img|iframe)|https?://|@import|url\(", html)


def test_the_page_of_nothing() -> None:
    assert "</html>" in page(Run(version="1", quick=True, unit_seconds=0.0, figures=()))


def test_exponents_and_spreads() -> None:
    fitted = exponent([(n, 3 * n**1.5) for n in (1, 10, 100)])
    assert fitted is not None and abs(fitted - 1.5) < 1e-9
    assert exponent([(1, 1), (2, 2)]) is None
    assert spread([1, 2, 3, 4, 5]) == (2, 4)
