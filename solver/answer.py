"""What an answer is: a verdict, its values, the reasons with their rules, and the card text that was not understood."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Verdict = Literal["yes", "no", "known", "unknown"]


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact that the verdict rests on: a code from the closed list `CODES`, the rule, the objects, the words."""

    code: str
    rule: str = ""
    objects: tuple[str, ...] = ()
    text: str = ""


class UnreadLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a card in the situation that was not understood and could bear on the question."""

    card: str
    line: int
    subjects: tuple[str, ...]
    text: str = ""


class Answer(msgspec.Struct, frozen=True):
    """`values` are the keys beside the verdict that format.md lists for the kind of question (types, plan, spent …)."""

    verdict: Verdict
    values: dict[str, Any] = {}
    because: tuple[Reason, ...] = ()
    unread: tuple[UnreadLine, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(r.rule for r in self.because if r.rule))

    def wire(self) -> dict[str, Any]:
        """The answer as JSON-ready data, in the order of format.md."""
        out: dict[str, Any] = {"verdict": self.verdict, **self.values}
        out["because"] = [msgspec.to_builtins(r) for r in self.because]
        out["rules"] = list(self.rules)
        if self.unread:
            out["unread"] = [msgspec.to_builtins(u) for u in self.unread]
        return out


# The closed list of codes, each with what it says.
CODES: dict[str, str] = {
    "payable": "the cost can be paid, by the plan",
    "step": "a step of the line of play",
    "ordered": "the order in which replacement effects are applied to the mana",
    "not_payable": "no way of paying covers the cost",
    "too_little_mana": "even all mana together is less than the cost",
    "color_missing": "a color or type of mana cannot be made in the amount needed",
    "nothing_makes": "nothing here makes that type of mana",
    "tapped": "the permanent is tapped",
    "sick": "the creature is summoning sick",
    "cannot_activate": "the ability cannot be activated",
    "cost_unpayable": "a cost cannot be paid",
    "no_life": "the life total is too low",
    "produces": "the permanent could produce this type of mana",
    "produces_nothing": "no mana would be produced",
    "replaced": "a replacement effect changes the mana",
    "restricted": "the mana may not be spent on this",
    "prohibited": "an effect forbids it",
    "timing": "it may not be done at this time",
    "permitted": "it may be done now",
    "no_target": "there is no legal target",
    "no_mana_cost": "an object without a mana cost cannot be paid for",
    "sum": "the total cost",
    "counted": "what was counted",
    "applies": "an effect that applies",
    "untaps": "the permanent untaps",
    "stays_tapped": "the permanent stays tapped",
    "rule": "what the rules say",
    "state_based": "a state-based action is performed",
    "not_supported": "this kind of question is not answered yet",
    "not_stated": "the situation does not state something that the answer rests on",
    "not_understood": "card text that was not understood could change the answer",
    "not_modelled": "something here is outside of the model",
    "time_limit": "the solver did not finish within its limit",
    "internal": "a fault of lawmage itself: please report it",
}
