"""The final cost in terms of a mana net: which places pay its parts, and which may stand in for its mana."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from ..model import abilities as ab
from ..model.abilities import Filter
from ..model.characteristics import View
from ..model.crewing import contribution
from ..model.evaluate import Context, amount, objects_like
from ..model.game import Unknown
from ..model.paying import FIELD_OF_PART, Paying
from ..model.production import counters_put
from ..model.replay import Bill, stands_in, within_limits
from ..model.spending import spending
from ..model.timing import cost_part_refusal, payers
from .mana_net import Demand, Net, places_for


class Share(NamedTuple):
    """One part of the cost that is paid with objects: from each of these places, with the weight that one of it has
    (power for crew, mana value for evidence, else 1), so that the weights are `n`, or at least `n`."""

    field: str
    sources: tuple[tuple[int, int], ...]  # (place, weight)
    n: int
    at_least: bool = False


class StandIn(NamedTuple):
    """Objects that may each pay one unit of mana: (place, slot, way) -> allowed; at most `most`."""

    kind: str
    field: str  # tap or exile
    uses: tuple[tuple[int, int, int], ...]  # (place, slot, way)
    most: int | None


class Payable(NamedTuple):
    """A final cost: its mana as a demand, the kinds that may pay each way, and everything beside mana."""

    bill: Bill
    demand: Demand
    payers: dict[tuple[int, int], tuple[int, ...]]
    shares: tuple[Share, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    life: int = 0
    fixed: Paying = Paying()  # counters put and the like, which take nothing from places


def payables(net: Net, view: View, bill: Bill) -> Iterator[Payable]:
    """The bill for each choice among its alternatives ("pay {3} or discard a card"); none when a part can't be paid."""
    for parts in product(*(_options(part) for part in bill.parts)):
        chosen = [part for option in parts for part in option]
        found = _payable(net, view, bill._replace(parts=tuple(chosen)))
        if found is not None:
            yield found


def _options(part: ab.CostPart) -> Sequence[tuple[ab.CostPart, ...]]:
    return part.options if isinstance(part, ab.OneOf) else ((part,),)


def _payable(net: Net, view: View, bill: Bill) -> Payable | None:
    how = spending(view, net.player, bill.purpose)
    demand = Demand(bill.cost, bill.purpose, how, bill.slots(how))
    shares: list[Share] = []
    life, fixed = 0, Paying()
    for part in bill.parts:
        if isinstance(part, ab.ManaPart):
            raise Unknown("mana in a part of the cost that is no mana", "internal")
        mana = bill.purpose.for_mana
        if cost_part_refusal(view, net.player, part, bill.source or "", mana_ability=mana, x=bill.x) is not None:
            return None
        if isinstance(part, ab.PayLife):
            life += amount(part.n, _context(net, view, bill))
        else:
            share, also = _share(net, view, bill, part)
            shares.extend(share)
            fixed = fixed.plus(also)
    return Payable(
        bill, demand, _payers(net, view, bill, demand), tuple(shares), _stand_ins(net, view, bill, demand), life, fixed
    )


def _context(net: Net, view: View, bill: Bill) -> Context:
    return Context(view, source=bill.source, you=net.player, x=bill.x, spell=bill.purpose.spell)


def _payers(net: Net, view: View, bill: Bill, demand: Demand) -> dict[tuple[int, int], tuple[int, ...]]:
    """Which kinds may pay, limits on the cost's mana considered. A limit on the source reads the kind's `tag`."""
    found = net.payers(demand)
    if not bill.limits:
        return found
    out = {}
    for (s, w), kinds in found.items():
        slot = demand.slots[s]
        out[s, w] = tuple(
            k for k in kinds if within_limits(view, net.player, bill, slot, net.kinds[k].type, net.kinds[k].tag)
        )
    return out


def _share(net: Net, view: View, bill: Bill, part: ab.CostPart) -> tuple[list[Share], Paying]:
    """The places that pay one part, and what of it takes nothing from places."""
    source = bill.source or ""
    ctx = _context(net, view, bill)
    match part:
        case ab.TapSelf():
            return [Share("tap", ((net.class_of[source].u, 1),), 1)], Paying()
        case ab.UntapSelf():
            return [Share("untap", ((net.class_of[source].t, 1),), 1)], Paying()
        case ab.Loyalty(n, _x):
            return _loyalty(net, source, n)
        case ab.RemoveCounters(kind, n, from_, spread):
            return [_counters(net, kind, amount(n, ctx), objects_like(from_, ctx), spread)], Paying()
        case ab.PutCounters(kind, n, on):
            targets = objects_like(on, ctx)
            if not targets:
                return [Share("tap", (), 1)], Paying()
            put = counters_put(view, targets[0], kind, amount(n, ctx), cost=True)
            return [], Paying(counters_put=((targets[0], kind, put),) if put else ())
        case ab.PayPlayerCounters(kind, n):
            place = net.place("player", kind, start=net.game.players[net.player].count(kind))
            return [Share("player_counters", ((place, 1),), amount(n, ctx))], Paying()
        case ab.Mill(n):
            size = net.game.players[net.player].library_size
            if size is None:
                raise Unknown("how many cards are in the library is not stated")
            place = net.place("library", start=size)
            return [Share("mill", ((place, 1),), amount(n, ctx))], Paying()
        case ab.Exert():
            return [], Paying()
        case ab.Unread():
            raise Unknown("a part of the cost was not understood", "not_understood", (source,))
        case _:
            return [_objects(net, view, bill, part, ctx)], Paying()


def _loyalty(net: Net, source: str, n: int) -> tuple[list[Share], Paying]:
    """606.4: counters are put on or removed."""
    if n >= 0:
        return [], Paying(counters_put=((source, "loyalty", n),) if n else ())
    place = net.place("counters", source, "loyalty", start=net.game.objects[source].count("loyalty"))
    return [Share("counters", ((place, 1),), -n)], Paying()


def _counters(net: Net, kind: str, n: int, targets: Sequence[str], spread: bool) -> Share:
    sources = []
    for target in targets:
        obj = net.game.objects[target]
        for k in [kind] if kind else [k for k, _ in obj.counters]:
            have = obj.count(k)
            if spread or have >= n:
                sources.append((net.place("counters", target, k, start=have), 1))
    if not spread and len(sources) > 1:
        # All from one object: the one that has the most is as good as any (nothing else here reads counters).
        sources = sources[:1]
    return Share("counters", tuple(sources), n)


def _objects(net: Net, view: View, bill: Bill, part: ab.CostPart, ctx: Context) -> Share:
    field = FIELD_OF_PART[type(part)]
    source = bill.source or ""
    what: Filter = part.what  # type: ignore[attr-defined]
    # As in the net, whether an object is tapped by then is a matter of places.
    anyhow = msgspec.structs.replace(part, what=msgspec.structs.replace(what, tapped=None))
    usable = [i for i in _candidates(net, view, anyhow, source, bill, field) if i in net.class_of]
    if what.me:
        usable = [i for i in usable if i == source]
    if isinstance(part, ab.ExileCost) and part.distinct:
        raise Unknown("exiling cards of different types is not modelled", "not_modelled", (source,))
    classes = list({net.class_of[i].index: net.class_of[i] for i in usable}.values())
    total_power = getattr(part, "total_power", None)
    evidence = getattr(part, "total_mana_value", None)
    sources = []
    for cls in classes:
        weight = 1
        if total_power is not None:
            weight = contribution(view, cls.ids[0], getattr(part, "deed", ""))
        elif evidence is not None:
            weight = view.of(cls.ids[0]).mana_value
        sources += [(place, weight) for place in places_for(field, cls, what)]
    if total_power is not None:
        return Share(field, tuple(sources), total_power, at_least=True)
    if evidence is not None:
        return Share(field, tuple(sources), amount(evidence, ctx), at_least=True)
    n = len(usable) if getattr(part, "whole_hand", False) else amount(part.n, ctx)  # type: ignore[attr-defined]
    return Share(field, tuple(sources), n)


def _candidates(net: Net, view: View, part: ab.CostPart, source: str, bill: Bill, field: str) -> list[str]:
    """The objects that may pay the part, whether they are tapped now or not."""
    mana = bill.purpose.for_mana
    if field not in ("tap", "untap"):
        return list(payers(view, net.player, part, source, mana_ability=mana, x=bill.x))
    flipped = [
        o.but(tapped=field == "untap") for o in view.game.objects.values() if o.zone == "battlefield"
    ]
    return list(payers(view.after(view.game.put(*flipped)), net.player, part, source, mana_ability=mana, x=bill.x))


def _stand_ins(net: Net, view: View, bill: Bill, demand: Demand) -> tuple[StandIn, ...]:
    found = []
    for substitute in bill.substitutes:
        if substitute.what is None:
            continue  # assist: see the casting room
        ctx = _context(net, view, bill)
        what = msgspec.structs.replace(substitute.what, tapped=None)
        ids = [i for i in objects_like(what, ctx) if i in net.class_of]
        classes = {net.class_of[i].index: net.class_of[i] for i in ids}
        field = "exile" if substitute.kind == "delve" else "tap"
        uses = [
            (cls.u, s, w)
            for cls in classes.values()
            for s, slot in enumerate(demand.slots)
            for w, way in enumerate(slot.ways)
            if stands_in(substitute, way, view.of(cls.ids[0]).colors)
        ]
        found.append(StandIn(substitute.kind, field, tuple(uses), substitute.most))
    return tuple(found)
