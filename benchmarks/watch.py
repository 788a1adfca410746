"""What the stages of one question take, each by itself, while the question is answered as it always is.

Functions at the borders of the stages are wrapped for as long as there is a watch. The clock of a stage stands still
while a stage inside of it runs, so the parts add up to the whole.

layers     the view of the board: effects, gathered and put in order
compile    the mana net of the board; what an object is, is found out here when it is first asked
solve      the decision: certificates, shares of plain sources, the models and their solving
plan       the solution dealt out to permanents as a line of activations, and the referee's run of that line
rest       everything else: timing, total costs, the answer
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from time import process_time
from types import FunctionType
from typing import Any

from lawmage.model.characteristics import view_of
from lawmage.model.game import Game

from .boards import anew

STAGES = ("layers", "compile", "solve", "plan", "rest")
BORDERS = {
    "compile": ("lawmage.solver.mana_net.compile_net",),
    "solve": ("lawmage.solver.payment.decide", "lawmage.solver.plain_flow.plain_payment"),
    "plan": (
        "lawmage.solver.payment._realised",
        "lawmage.solver.payment._plainly",
        "lawmage.solver.payment.run_solution",
        "lawmage.model.replay.run",
    ),
}


def _nothing() -> dict[str, float]:
    return {stage: 0.0 for stage in STAGES}


class Watch:
    """One clock for each stage, of which only the innermost runs."""

    def __init__(self) -> None:
        self._spent = _nothing()
        self._open: list[str] = []
        self._since = 0.0

    def enter(self, stage: str) -> None:
        self._book()
        self._open.append(stage)

    def leave(self) -> None:
        self._book()
        self._open.pop()

    def _book(self) -> None:
        now = process_time()
        if self._open:
            self._spent[self._open[-1]] += now - self._since
        self._since = now

    def stages_of(self, game: Game, work: Callable[[Game], Any]) -> dict[str, float]:
        """What each stage of some work takes on a board of which nothing is known yet."""
        self._spent = _nothing()
        self.enter("rest")
        new = anew(game)
        self.enter("layers")
        view_of(new)
        self.leave()
        work(new)
        self.leave()
        return self._spent


@contextmanager
def watching() -> Iterator[Watch]:
    """A watch to which the functions at the borders tell when they begin and end."""
    watch = Watch()
    wrapped = {f: _wrapped(watch, f, stage) for f, stage in _borders()}
    _replace(wrapped)
    try:
        yield watch
    finally:
        # Looked for anew: a module that was imported in the meantime knows the wrapped ones only.
        _replace({new: old for old, new in wrapped.items()})


def _borders() -> Iterator[tuple[Callable[..., Any], str]]:
    for stage, names in BORDERS.items():
        for name in names:
            module, _, last = name.rpartition(".")
            yield getattr(import_module(module), last), stage


def _replace(functions: dict[Callable[..., Any], Callable[..., Any]]) -> None:
    """Under every name by which a module, of ours or of the benchmarks, knows one of these functions."""
    for module in [m for name, m in sys.modules.items() if name.startswith(("lawmage.", "benchmarks."))]:
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value in functions:
                setattr(module, name, functions[value])


def _wrapped(watch: Watch, function: Callable[..., Any], stage: str) -> Callable[..., Any]:
    @wraps(function)
    def wrapped(*args: Any, **more: Any) -> Any:
        watch.enter(stage)
        try:
            return function(*args, **more)
        finally:
            watch.leave()

    return wrapped
