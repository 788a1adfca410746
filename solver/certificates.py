"""A no without a solver, where the numbers alone show it: Hall's condition over the subsets of the six types.

For every set of types there is a bound on how much mana of these types there can ever be: what is in the pool, and for
every untapped permanent the most that one activation of it makes of them, as if its mana cost nothing. Symbols that
only such mana pays, and which are more than that, cannot be paid. The bound holds where every activation taps its own
permanent and nothing untaps one; elsewhere no certificate is given. It proves a no and never a yes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model.mana import TYPES
from .final_cost import Payable
from .mana_net import Net, Transition

_BIT = {t: 1 << i for i, t in enumerate(TYPES)}
_SUBSETS = 1 << len(TYPES)


def plainly_too_little(net: Net, finals: Sequence[Payable]) -> bool:
    """Whether the final costs together ask for more mana of some types than there can ever be."""
    wanted: dict[int, int] = {}
    for final in finals:
        if final.stand_ins:
            return False  # what pays in place of mana is no mana
        for s, slot in enumerate(final.demand.slots):
            if any(way.life or not way.n for way in slot.ways):
                continue
            kinds = (k for w in range(len(slot.ways)) for k in final.payers[s, w])
            types = _types(net, kinds)
            wanted[types] = wanted.get(types, 0) + slot.n * min(way.n for way in slot.ways)
    supply = _supply(net) if wanted else None
    if supply is None:
        return False
    # A smallest violating set is a union of such types: others only add to the supply.
    unions = {0}
    for types in wanted:
        unions |= {types | union for union in unions}
    return any(sum(n for types, n in wanted.items() if types | union == union) > supply[union] for union in unions)


def _types(net: Net, kinds) -> int:
    found = 0
    for k in kinds:
        found |= _BIT[net.kinds[k].type]
    return found


def _supply(net: Net) -> list[int] | None:
    """The bound for every set of types; None where activations are not bounded by tapping. Kept with the net."""
    if net.supply is None:
        net.supply = (_bounds(net) if _is_bounded_by_tapping(net) else None,)
    return net.supply[0]


def _is_bounded_by_tapping(net: Net) -> bool:
    untapped = {cls.u for cls in net.classes}
    return all(
        t.taps_itself and t.takes.get(t.cls.u, 0) >= 1 and not t.doubles and untapped.isdisjoint(t.gives)
        for t in net.transitions
    )


def _bounds(net: Net) -> list[int]:
    by_class: dict[int, list[Transition]] = {}
    for t in net.transitions:
        by_class.setdefault(t.cls.index, []).append(t)
    supply = []
    for subset in range(_SUBSETS):
        total = sum(n for kind, n in zip(net.kinds, net.pool, strict=True) if _BIT[kind.type] & subset)
        for transitions in by_class.values():
            untapped = net.marking[transitions[0].cls.u]
            total += untapped * max(_made(net, t, subset) for t in transitions)
        supply.append(total)
    return supply


def _made(net: Net, t: Transition, subset: int) -> int:
    fixed = sum(n for k, n in t.makes.items() if _BIT[net.kinds[k].type] & subset)
    return fixed + sum(n for n, kinds in t.free if _types(net, kinds) & subset)
