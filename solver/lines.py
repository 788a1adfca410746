"""Lines of play as answers write them: steps of format.md from the referee's steps, with what each mana pays for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from ..model.mana import Mana
from ..model.paying import Paying
from ..model.production import Packet
from ..model.proposals import Proposal
from ..model.replay import Activate, PayParts, PaySymbol, Step, Units
from .payment import total_mana

# Fields of Paying by the key that a step's `with` uses.
_KEYS = {"to_hand": "return", "moved": "move"}


def wire_line(steps: Sequence[Step], purpose: str, for_: object = None) -> list[dict[str, Any]]:
    """The steps as JSON-ready mappings; `purpose` names what the final cost is for, and `for_` says it in a line that
    announces nothing."""
    return Writer(purpose, for_).write(steps)


def announced(step: dict[str, Any], proposal: Proposal) -> dict[str, Any]:
    """The step that casts or activates, with what is announced and the total cost (601.2b-f)."""
    out = {**step, "total_cost": str(proposal.mana)}
    if proposal.label:
        out["using"] = list(proposal.label)
    if proposal.x is not None:
        out["x"] = proposal.x
    if proposal.targets:
        out["targets"] = list(proposal.targets)
    return out


class Writer:
    """Follows every unit of mana from the activation that made it to what it pays for."""

    def __init__(self, purpose: str, for_: object = None) -> None:
        self.purpose = purpose
        self.for_ = for_
        # source id -> its activations' records and how much of their mana is not accounted for yet
        self._made: dict[str, deque[list[Any]]] = {}

    def write(self, steps: Sequence[Step]) -> list[dict[str, Any]]:
        out = []
        for step in steps:
            if isinstance(step, Activate):
                out.append(self._activate(step))
            elif isinstance(step, PayParts):
                out.append({"pay": "other", "with": wire_paying(step.paying)})
            else:
                out.append(self._pay(step))
        return out

    def _activate(self, step: Activate) -> dict[str, Any]:
        record: dict[str, Any] = {"activate": step.id, "ability": step.number}
        if step.x is not None:
            record["x"] = step.x
        record["produces"] = _mana(step.outcome.made)
        if step.outcome.order:
            record["order"] = list(step.outcome.order)
        if step.outcome.triggered:
            record["triggered"] = [{"source": p.source, "adds": p.mana.wire()} for p in step.outcome.triggered]
        used = wire_paying(step.paying)
        if step.mana:
            used["mana"] = wire_units(step.mana)
            self._account(step.mana, "{" + f"ability {step.number} of {step.id}" + "}", for_=step.id)
        record["with"] = used
        record["pays"] = []
        record["phase"] = "before" if step.before else "during"
        for packet in (*step.outcome.made, *step.outcome.triggered):
            self._made.setdefault(packet.source, deque()).append([record, dict(packet.mana.items())])
        return record

    def _pay(self, step: PaySymbol) -> dict[str, Any]:
        symbol = step.symbol if step.symbol != "{1}" else f"{{{step.n}}}"
        record: dict[str, Any] = {"pay": symbol if step.symbol == "{1}" else step.symbol * min(step.n, 40)}
        if step.symbol != "{1}" and step.n > 40:
            record["pay"] = step.symbol
            record["n"] = step.n
        used: dict[str, Any] = {}
        if step.by:
            used[step.by] = list(step.objects)
        if step.mana:
            used["mana"] = wire_units(step.mana)
            self._account(step.mana, step.symbol, for_=self.purpose)
        if step.life:
            used["life"] = step.life
        record["with"] = used
        if self.for_ is not None:
            record["for"] = self.for_
        return record

    def _account(self, units: Units, symbol: str, for_: str) -> None:
        for kind, n in units:
            queue = self._made.get(kind.source or "")
            while n and queue:
                entry = next((e for e in queue if e[1].get(kind.type, 0)), None)
                if entry is None:
                    break
                some = min(n, entry[1][kind.type])
                entry[1][kind.type] -= some
                n -= some
                pays = {"symbol": f"{{{kind.type}}}" if symbol.startswith("{ability") else symbol, "for": for_}
                entry[0]["pays"].extend([pays] * min(some, 40))


def wire_units(units: Units) -> list[dict[str, Any]]:
    """Mana by source, so that restricted and free mana can be told apart."""
    by_source: dict[str | None, list[tuple[Any, int]]] = {}
    for kind, n in units:
        by_source.setdefault(kind.source, []).append((kind, n))
    out = []
    for source, some in by_source.items():
        entry: dict[str, Any] = {"mana": total_mana(tuple(some)).wire()}
        if source is not None:
            entry["from"] = source
        out.append(entry)
    return out


def wire_paying(paying: Paying) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for field in paying.__struct_fields__:
        value = getattr(paying, field)
        if not value:
            continue
        out[_KEYS.get(field, field)] = value if isinstance(value, int) else msgspec.to_builtins(value)
    return out


def _mana(packets: Sequence[Packet]) -> str | dict[str, int]:
    total = Mana()
    for packet in packets:
        total = total.plus(packet.mana)
    return total.wire()
