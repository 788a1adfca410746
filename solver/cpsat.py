"""The only file that calls CP-SAT: variables, linear constraints, parameters, status.

Amounts in our models are small integers over a few hundred variables, mostly solved in a millisecond; what matters is
to build them without overhead and to be deterministic. One worker, a fixed seed and a limit in deterministic time give
the same answer on every machine; a time-out is `unknown`, never `no`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from ortools.sat.python import cp_model_helper as helper

from .work import add_work

Status = Literal["feasible", "optimal", "infeasible", "unknown"]

# CP-SAT works on 64-bit integers and wants sums to stay clear of their end.
LARGEST = 2**52


class Linear:
    """A linear expression: variable index -> coefficient, and a constant. Mutable while it is built up."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: int = 0, terms: Mapping[int, int] | None = None) -> None:
        self.constant = constant
        self.terms: dict[int, int] = dict(terms) if terms else {}

    def add(self, other: Linear | int, factor: int = 1) -> Linear:
        """Adds `factor` times the other expression (or a constant) to this one."""
        if isinstance(other, int):
            self.constant += factor * other
            return self
        self.constant += factor * other.constant
        for var, coefficient in other.terms.items():
            self.terms[var] = self.terms.get(var, 0) + factor * coefficient
        return self

    def add_var(self, var: int, coefficient: int = 1) -> Linear:
        self.terms[var] = self.terms.get(var, 0) + coefficient
        return self

    def copy(self) -> Linear:
        return Linear(self.constant, self.terms)


class Model:
    """A CP-SAT model under construction. Variables are indices; constraints take Linear expressions.

    It writes the protocol buffer directly: the expression classes of the Python layer cost more than solving does
    (`CpModel()` alone costs as much as an empty solve). `cp_model_helper` is the layer below it; the minor version of
    ortools is pinned for that, and tests/test_cpsat.py notices when it changes.
    """

    def __init__(self) -> None:
        self.proto = helper.CpModelProto()
        self._bounds: list[tuple[int, int]] = []

    def var(self, low: int, high: int) -> int:
        """A new integer variable; returns its index."""
        self.proto.variables.add().domain.extend([low, min(high, LARGEST)])
        self._bounds.append((low, min(high, LARGEST)))
        return len(self._bounds) - 1

    def between(self, expression: Linear, low: int | None, high: int | None, *, when: Iterable[int] = ()) -> None:
        """low <= expression <= high; None is no bound; `when`: only if these Booleans are true (-i-1: false)."""
        constraint = self.proto.constraints.add()
        linear = constraint.linear
        terms = [(v, c) for v, c in expression.terms.items() if c]
        linear.vars.extend([v for v, _ in terms])
        linear.coeffs.extend([c for _, c in terms])
        shift = expression.constant
        linear.domain.extend([-(2**62) if low is None else low - shift, 2**62 if high is None else high - shift])
        constraint.enforcement_literal.extend(list(when))

    def any_of(self, literals: Iterable[int], *, when: Iterable[int] = ()) -> None:
        """At least one of the Booleans is true."""
        constraint = self.proto.constraints.add()
        constraint.bool_or.literals.extend(list(literals))
        constraint.enforcement_literal.extend(list(when))

    def implies(self, literal: int, other: int) -> None:
        self.any_of((other,), when=(literal,))

    def minimize(self, expression: Linear) -> None:
        self.proto.clear_objective()
        terms = [(v, c) for v, c in expression.terms.items() if c]
        self.proto.objective.vars.extend([v for v, _ in terms])
        self.proto.objective.coeffs.extend([c for _, c in terms])
        self.proto.objective.offset = expression.constant

    def maximize(self, expression: Linear) -> None:
        self.minimize(Linear().add(expression, -1))

    def hint(self, values: Mapping[int, int]) -> None:
        self.proto.clear_solution_hint()
        self.proto.solution_hint.vars.extend(list(values.keys()))
        self.proto.solution_hint.values.extend(list(values.values()))

    def range_of(self, var: int) -> tuple[int, int]:
        return self._bounds[var]


class Solved:
    """What the solver said: the status, and the values of a solution if there is one."""

    __slots__ = ("bound", "objective", "status", "values")

    def __init__(self, status: Status, values: list[int], objective: float, bound: float) -> None:
        self.status = status
        self.values = values
        self.objective = objective
        self.bound = bound

    @property
    def found(self) -> bool:
        return self.status in ("feasible", "optimal")

    def value(self, expression: Linear) -> int:
        return expression.constant + sum(self.values[v] * c for v, c in expression.terms.items())


# Presolve costs more than it gains below about this many variables (measured; see benchmarks).
_SMALL = 150


def solve(model: Model, *, limit: float = 10.0) -> Solved:
    """Solves the model; `limit` is in units of deterministic time, roughly seconds on a slow machine."""
    wrapper = helper.SolveWrapper()  # a second solve with the same wrapper aborts the process (ortools 9.15)
    wrapper.set_parameters(_parameters(len(model.proto.variables) <= _SMALL, limit))
    response = wrapper.solve(model.proto)
    add_work(response.deterministic_time)
    status = _status(response.status)
    values = list(response.solution) if status in ("feasible", "optimal") else []
    return Solved(status, values, response.objective_value, response.best_objective_bound)


def _parameters(small: bool, limit: float) -> helper.SatParameters:
    parameters = helper.SatParameters()
    parameters.num_workers = 1
    parameters.random_seed = 1
    parameters.max_deterministic_time = limit
    # 0 is fastest on small boards and explodes on pigeonhole-like infeasible ones (measured).
    parameters.linearization_level = 1
    parameters.symmetry_level = 0
    parameters.cp_model_probing_level = 0 if small else 1
    parameters.cp_model_presolve = not small
    return parameters


def _status(status: object) -> Status:
    if status == helper.OPTIMAL:
        return "optimal"
    if status == helper.FEASIBLE:
        return "feasible"
    if status == helper.INFEASIBLE:
        return "infeasible"
    if status == helper.UNKNOWN:
        return "unknown"
    raise RuntimeError(f"the model is invalid: {status}")
