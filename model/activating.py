"""What may be proposed for an activated ability, and what it then costs (602.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .abilities import Activated, CostChange, CostPart, Target, is_mana_ability
from .characteristics import View
from .evaluate import Context, SpellInfo, amount
from .game import Has, Unknown
from .proposals import (
    WATERBEND,
    Limit,
    Proposal,
    Proposals,
    Refused,
    Substitute,
    Way,
    check_range,
    compares_with_x,
    has_x,
    has_x_symbol,
    sees_targets,
    x_bound,
    x_bound_of_targets,
)
from .spending import Purpose
from .targeting import assigned, choices_of_targets
from .timing import Refusal, activation_refusals, cost_part_refusal
from .total_cost import Settled, activation_costs


def ability_number(view: View, oid: str, number: int) -> Has | None:
    """The activated ability with this number that the object has now (format.md)."""
    return next((h for h in view.of(oid).abilities if h.number == number), None)


def proposals_activate(
    view: View, player: str, oid: str, number: int, *, targets: Sequence[str] | None = None
) -> Proposals:
    """What `player` may propose for activating the ability now (602.2)."""
    has = ability_number(view, oid, number)
    if has is None:
        return Proposals(
            view, (), (Refusal("cannot_activate", "602.1", (oid,), f"{oid} has no activated ability {number} now"),)
        )
    return Proposals(view, (Activation(view, player, oid, has, tuple(targets) if targets else None),))


class Activation(Way):
    def __init__(self, view: View, player: str, oid: str, has: Has, targets: tuple[str, ...] | None) -> None:
        super().__init__()
        assert isinstance(has.ability, Activated)
        self.view, self.player, self.oid, self.has, self.targets = view, player, oid, has, targets
        self.ability = has.ability
        self.has_x = any(has_x(part) for part in self.ability.cost)

    def _info(self, x: int | None, targets: tuple[str, ...] = ()) -> SpellInfo:
        obj, seen = self.view.game.objects[self.oid], self.view.of(self.oid)
        return SpellInfo(obj=obj, seen=seen, x=x, targets=targets, ability=self.ability)

    def _ctx(self, info: SpellInfo) -> Context:
        return Context(self.view, source=self.oid, you=self.player, x=info.x, targets=info.targets, spell=info)

    def x_most(self) -> int | None:
        info = self._info(0)
        bounds = [x_bound(self.view, self.player, p, self.oid) for p in self.ability.cost if has_x(p)]
        bounds.append(x_bound_of_targets(self.view, self.player, info, self.ability.targets, self._ctx(info)))
        announced = self.ability.announced
        if announced is not None and announced.most is not None:
            bounds.append(amount(announced.most, self._ctx(info)))
        known = [b for b in bounds if b is not None]
        return min(known) if known else None

    def x_least(self) -> int:
        return self.ability.announced.least if self.ability.announced is not None else 0

    def x_compares(self) -> bool:
        return compares_with_x(self.ability)

    def proposals(self, x: int | None) -> list[Proposal]:
        if x and not self.has_x:
            raise Refused(Refusal("rule", "107.3", (self.oid,), "there is no X to announce in this cost"))
        if self.has_x and x is None:
            x = self.x_least()
        if self.has_x:
            check_range((self.ability.announced,), x, self._ctx(self._info(x)))
        turn = self.view.game.turn
        during = turn.during_cast is not None or turn.during_activate not in (None, (self.oid, self.has.number))
        begun = turn.during_activate == (self.oid, self.has.number)
        if not begun:
            refusals = activation_refusals(self.view, self.player, self.oid, self.has, during_payment=during, x=x)
            if refusals:
                raise Refused(*refusals)
        found: list[Proposal] = []
        failed: dict[Refusal, None] = {}
        for modes, wanted, costs in self._modes():
            try:
                for targets in self._choices(self._info(x), wanted):
                    found += self._priced(self._info(x, targets), costs, modes, failed)
            except Refused as refused:
                failed.update(dict.fromkeys(refused.refusals))
        if not found:
            raise Refused(*failed)
        return found

    def _modes(self) -> Iterator[tuple[tuple[int, ...], tuple[Target, ...], tuple[CostPart, ...]]]:
        if not self.ability.modes:
            yield (), self.ability.targets, ()
        for n, mode in enumerate(self.ability.modes, start=1):
            yield (n,), (*self.ability.targets, *mode.targets), mode.cost

    def _choices(self, info: SpellInfo, wanted: tuple[Target, ...]) -> Iterator[tuple[str, ...]]:
        ctx = self._ctx(info)
        if self.targets is not None:
            if not assigned(self.view, self.player, info, wanted, self.targets, ctx):
                raise Refused(Refusal("no_target", "602.2b", self.targets, "these are not legal targets for it"))
            yield self.targets
            return
        effects = [active.effect for active in self.view.statics(CostChange)]
        sees = any(sees_targets(one) for one in (*effects, *self.ability.changes))
        sign = self._signature(info) if sees else None
        some = False
        for targets in choices_of_targets(self.view, self.player, info, wanted, ctx, sign):
            some = True
            yield targets
        if not some:
            raise Refused(Refusal("no_target", "602.2b", (self.oid,), f"there is no legal target for {self.oid}"))

    def _signature(self, info: SpellInfo):
        def sign(target: str) -> object:
            return activation_costs(self.view, self.player, self.oid, self.has, info.x, (target,), self.doubts)

        return sign

    def _priced(
        self, info: SpellInfo, costs: tuple[CostPart, ...], modes: tuple[int, ...], failed: dict[Refusal, None]
    ) -> list[Proposal]:
        if costs:
            raise Unknown("costs of an ability's modes", "not_modelled", (self.oid,))
        found: list[Proposal] = []
        known = activation_costs(self.view, self.player, self.oid, self.has, info.x, info.targets, self.doubts)
        for total in known:
            stops = [self._refusal(part, info.x) for part in total.parts]
            if any(stops):
                failed.update(dict.fromkeys(r for r in stops if r is not None))
                continue
            found.append(self._proposal(info, total, modes))
        return found

    def _refusal(self, part: CostPart, x: int | None) -> Refusal | None:
        return cost_part_refusal(
            self.view, self.player, part, self.oid, mana_ability=is_mana_ability(self.ability), x=x
        )

    def _proposal(self, info: SpellInfo, total: Settled, modes: tuple[int, ...]) -> Proposal:
        purpose = Purpose(
            "ability",
            spell=None,
            source=self.oid,
            keyword=self.ability.keyword,
            has_x=any(has_x_symbol(p) for p in self.ability.cost),
            has_c=any("C" in s for s in total.mana.symbols),
            for_mana=is_mana_ability(self.ability),
        )
        substitutes = (Substitute("waterbend", WATERBEND, most=total.waterbend),) if total.waterbend else ()
        limits = (Limit(self.ability.only, self.oid),) if self.ability.only is not None else ()
        return Proposal(
            view=self.view,
            player=self.player,
            source=self.oid,
            mana=total.mana,
            parts=total.parts,
            substitutes=substitutes,
            limits=limits,
            purpose=purpose,
            x=info.x,
            x_mana=total.x_mana,
            targets=info.targets,
            modes=modes,
            number=self.has.number,
        )
