"""What each stage of one question costs, by itself and as a part of the whole: read, layers, graph, compile, solve,
replay, explain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from lawmage.model.characteristics import view_of
from lawmage.model.game import Game
from lawmage.model.mana import parse_cost
from lawmage.model.replay import Bill, run
from lawmage.model.situation import check_document
from lawmage.model.spending import Purpose
from lawmage.solver.final_cost import payables
from lawmage.solver.levels import Levels

from .boards import YOU, Board, anew, ask, can_pay, game_of, net_of, pay
from .freezes import TWENTY, TWO_HUNDRED
from .measure import Figure, Meter
from .watch import watching

COST = "{3}{W}{U}{U}{G}"


def seen(game: Game) -> list[Any]:
    view = view_of(game)
    return [view.seen(oid) for oid in game.objects]


def stages(some: Board, too_much: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    text = msgspec.json.encode(some.document())
    game = game_of(some)
    net = net_of(game)
    bill = Bill(parse_cost(COST), Purpose())
    final = list(payables(net, net.view, bill))
    decision = pay(net, COST, best=True)
    assert decision.payment is not None
    assert pay(net, too_much).verdict == "no"
    steps = decision.payment.steps

    def solve() -> Any:
        return Levels(net, final, 1, relaxed=True).solve(best=True, limit=10)

    yield "read: JSON to the strict structures", lambda: check_document(msgspec.json.decode(text))
    yield "read: structures to the game", lambda: game_of(some)
    yield "layers: what every object is", lambda: seen(anew(game))
    yield "graph: what every permanent could produce", _graph(game)
    yield "compile: the net", lambda: net_of(anew(game))
    yield "solve: build and solve the relaxation for the best plan", solve
    yield "replay: the referee runs the plan", lambda: run(game, YOU, steps, bill)
    yield "explain: why not", lambda: ask(some, game, {"kind": "can_pay", "cost": too_much}, explain=True)
    yield "explain: how", lambda: ask(some, game, {"kind": "can_pay", "cost": COST}, explain=True)
    yield "whole: a verdict on a new board", lambda: can_pay(game, COST)
    yield "whole: a verdict on a new board, no", lambda: can_pay(game, too_much)
    yield "whole: the best plan on a new board", lambda: can_pay(game, COST, best=True)
    yield "whole: a further question on a compiled board", lambda: pay(net, COST)
    yield "whole: a further question on a compiled board, no", lambda: pay(net, too_much)


def _graph(game: Any) -> Callable[[], Any]:
    from lawmage.model.production import Reflection

    def every() -> int:
        reflection = Reflection(view_of(anew(game)))
        return sum(len(reflection.of(oid)) for oid in game.objects)

    return every


def suite(meter: Meter, quick: bool) -> Iterator[Figure]:
    for permanents, some in ((20, Board(TWENTY)), (200, Board(TWO_HUNDRED))):
        for name, work in stages(some, "{W}" * (3 * permanents // 5)):
            yield meter.figure(work, suite="stages", case=name, n=permanents)
        yield from shares(meter, some, permanents)


def shares(meter: Meter, some: Board, permanents: int) -> Iterator[Figure]:
    """What each stage has of a whole question on a new board; the parts add up to it."""
    game = game_of(some)
    for case, best in (("parts of a verdict on a new board", False), ("parts of the best plan on a new board", True)):

        def work(game: Game, best: bool = best) -> Any:
            return pay(net_of(game), COST, best=best)

        work(anew(game))
        with watching() as watch:
            parts = meter.figures(
                lambda work=work: watch.stages_of(game, work), suite="stages", case=case, n=permanents
            )
        whole = sum(figure.ratio or 0 for figure in parts.values())
        for stage, figure in parts.items():
            yield msgspec.structs.replace(figure, who=stage, says=f"{100 * (figure.ratio or 0) / whole:.0f} %")
