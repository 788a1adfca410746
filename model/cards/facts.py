"""What abilities say, boiled down to facts: cost kinds and numbers, products, amounts, descriptions as words.

`check.py` reads the same facts from truth files; two abilities agree when their facts are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from typing import Any

import msgspec

from .. import abilities as a
from ..mana import COLORS, TYPES, ManaError, parse_cost, parse_mana
from ..structures import parts_of
from .records import BASIC_LAND_TYPES
from .render import COLOR_WORDS

Facts = dict[str, Any]

# The most outcomes of one ability that are listed one by one.
MOST_OUTCOMES = 2_000


def has_unread(structure: Any) -> bool:
    """Whether a part of it was not understood."""
    return any(isinstance(n, a.Unread) for n in parts_of(structure))


def placed(face: a.Face, *kinds: type) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Every structure of these kinds on a face, with the structures that hold it, outermost first."""
    for ability in a.abilities_of(face.lines):
        yield from _placed(ability, kinds, ())


def _placed(structure: Any, kinds: tuple[type, ...], holders: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    if isinstance(structure, kinds):
        yield structure, holders
    if isinstance(structure, msgspec.Struct):
        for name in structure.__struct_fields__:
            yield from _placed(getattr(structure, name), kinds, (*holders, structure))
    elif isinstance(structure, tuple):
        for item in structure:
            yield from _placed(item, kinds, holders)


# --- products -------------------------------------------------------------------------------------------------------


def fixed_outcomes(symbols: str, times: int = 1) -> frozenset[str]:
    return frozenset({_sorted(symbols, times)})


def _sorted(symbols: str, times: int = 1) -> str:
    try:
        return str(parse_mana(symbols).times(times))
    except ManaError:
        return symbols * times


def one_of(options: Iterable[str], times: int = 1) -> frozenset[str]:
    return frozenset(_sorted(o, times) for o in options)


def free_outcomes(types: str, n: int, different: bool = False) -> frozenset[str]:
    """Every way to choose `n` mana out of these types, each freely."""
    ways = combinations if different else combinations_with_replacement
    order = [t for t in TYPES if t in types]
    return frozenset(_sorted("".join(f"{{{t}}}" for t in way)) for way in ways(order, n))


def amount_fact(amount: Any) -> Any:
    """A number, or "X", or "counted"."""
    if isinstance(amount, int):
        return amount
    return "X" if any(isinstance(n, a.X) for n in parts_of(amount)) else "counted"


def mana_facts(what: Any, amount: Any) -> tuple[Any, Any]:
    """The product and the amount of one AddMana. With a number the product is the set of all outcomes (so that "two
    {C}" and "{C}{C}" are the same); otherwise it is that of one."""
    fact = amount_fact(amount)
    times = fact if isinstance(fact, int) else 1
    match what:
        case a.Fixed(mana=symbols):
            product: Any = fixed_outcomes(symbols, times)
        case a.OneOfMana(options=options):
            product = one_of(options, times)
        case a.AnyMana(types=types, how="one"):
            product = one_of((f"{{{t}}}" for t in types), times)
        case a.AnyMana(types=types, how=how):
            product = free_outcomes(types, times, how == "different")
            if not isinstance(fact, int):
                product = ("free", product)
        case a.ChosenColor(also=also):
            product = ("chosen", also.strip("{}"), times)
        case a.CommanderColors():
            product = ("commander", times)
        case a.CouldProduce(what=of, domain=domain):
            product = ("could produce", domain, words_of(of) & SIDES, times)
        case a.Produced(domain=domain):
            product = ("produced", times)
        case a.ColorsAmong(what=of, how=how):
            product = ("among", how, words_of(of) & SIDES, times)
        case a.ColorsOf(ref=ref, how="one"):
            product = ("colors of", ref, times)
        case a.ColorsOf(ref=ref):
            product = ("colors of, freely", times)
        case a.NotedMana():
            product = ("noted", times)
        case a.OfCost(ref=ref, whole=whole):
            product = ("of cost", ref, whole)
            fact = "counted" if whole else fact
        case a.SameAsLost():
            product = ("doubled",)
        case _:
            product = ("unread",)
    return product, 1 if isinstance(fact, int) else fact


def added(effects: Iterable[Any]) -> list[a.AddMana]:
    return [e for e in effects if isinstance(e, a.AddMana)]


def product_facts(effects: Iterable[Any]) -> Facts:
    """Product, amount and restriction of what an ability's effects add."""
    adds = added(effects)
    if not adds:
        return {"produces": None, "amount": None, "restricted": False}
    parts, amounts = [], []
    for add in adds:
        product, amount = mana_facts(add.what, add.amount)
        if add.instead_if:
            others = tuple(_instead(add.what, i) for i in add.instead_if)
            product = ("instead", product, others)
        parts.append(product)
        amounts.append(amount)
    restricted = any(add.only is not None for add in adds)
    amount = next((x for x in amounts if x != 1), 1)
    if amount != 1:  # "add {G}, then add {G} for each …" is a variable amount of {G}
        parts = list(dict.fromkeys(parts))
    product = _together(parts)
    if product is None:
        product = parts[0] if len(parts) == 1 else tuple(parts)
    return {"produces": product, "amount": amount, "restricted": restricted}


def _instead(base: Any, other: a.Instead) -> Any:
    what = base if isinstance(other.what, a.Produced) else other.what  # "three mana of that type instead"
    product, amount = mana_facts(what, other.amount)
    return product if amount == 1 else (product, amount)


def _together(parts: list[Any]) -> frozenset[str] | None:
    """Several effects that each add something, as one set of outcomes, where they are all plain."""
    if not all(isinstance(p, frozenset) for p in parts):
        return None
    together = {""}
    for part in parts:
        together = {_sorted(x + y) for x in together for y in part}
        if len(together) > MOST_OUTCOMES:
            return None
    return frozenset(together)


# --- costs ----------------------------------------------------------------------------------------------------------


def cost_facts(parts: Iterable[Any]) -> frozenset[Any]:
    """The kinds of a cost with their numbers; all mana in it is one part."""
    out: list[Any] = []
    mana = ""
    for part in parts:
        if isinstance(part, a.ManaPart) and part.repeat == 1:
            mana += part.cost
        else:
            out.append(_cost_fact(part))
    if mana:
        out.append(mana_cost_fact(mana))
    return frozenset(out)


def mana_cost_fact(symbols: str) -> tuple[str, str]:
    try:
        return ("mana", str(parse_cost(symbols)))
    except ManaError:
        return ("mana", symbols)


def _number(amount: Any) -> Any:
    return amount if isinstance(amount, int) else "X"


def _cost_fact(part: Any) -> Any:
    match part:
        case a.ManaPart(own=True):
            return ("mana", "its own", "X")
        case a.ManaPart(cost=cost):
            return ("mana", cost, "X")
        case a.TapSelf():
            return ("tap",)
        case a.UntapSelf():
            return ("untap",)
        case a.Sacrifice(what=what, n=n):
            return ("sac", _number(n), cost_words(what))
        case a.PayLife(n=n):
            return ("life", _number(n))
        case a.PayPlayerCounters(kind=kind, n=n):
            return (kind, _number(n))
        case a.RemoveCounters(kind=kind, n=n):
            return ("remove counter", _number(n), kind)
        case a.PutCounters(kind=kind, n=n):
            return ("put counter", _number(n), kind)
        case a.TapOthers(what=what, n=n):
            return ("tap other", _number(n), cost_words(what))
        case a.UntapOthers(what=what, n=n):
            return ("untap other", _number(n), cost_words(what))
        case a.Discard(whole_hand=True):
            return ("discard", "hand")
        case a.Discard(what=what, n=n):
            return ("discard", _number(n), cost_words(what))
        case a.ExileCost(what=what, total_mana_value=total) if total is not None:
            return ("collect evidence", _number(total))
        case a.ExileCost(what=what, n=n):
            place = what.zone if what.zone in ("hand", "graveyard", "library") else "battlefield"
            return ("exile", place, _number(n), cost_words(what))
        case a.ReturnToHand(what=what, n=n):
            return ("return", _number(n), cost_words(what))
        case a.Mill(n=n):
            return ("mill", _number(n))
        case a.Reveal(n=n):
            return ("reveal", _number(n))
        case a.Exert():
            return ("exert",)
        case a.Loyalty(n=n, x=x):
            return ("loyalty", "X" if x else n)
        case a.OneOf(options=options):
            return ("one of", frozenset(cost_facts(o) for o in options))
    return (type(part).__name__.lower(),)


def cost_words(f: a.Filter) -> frozenset[str]:
    """A description in a cost; that it is the payer's own, untapped, and a permanent or card goes without saying."""
    controller, owner = ("any" if who == "you" else who for who in (f.controller, f.owner))
    found = words_of(msgspec.structs.replace(f, tapped=None, controller=controller, owner=owner))
    if "self" in found:
        return frozenset({"self"})
    return found - {"graveyard", "hand", "library", "permanent", "card"}


# --- descriptions as words ------------------------------------------------------------------------------------------

SIDES = frozenset({"you", "opponent", "self", "host", "target", "linked", "that", "any"})
_REF_WORDS = {"self": "self", "host": "host", "target": "target", "linked": "linked", "that": "that", "spell": "spell"}
_PLAYER_WORDS = {"opponents": "opponent", "any": ""}
_FLAGS = ("attacking", "blocking", "token", "commander", "face_down", "historic", "modified", "kicked", "tapped")


def words_of(f: a.Filter | None) -> frozenset[str]:
    """A description as a set of lower-case words: {"creature", "red", "you"}; alternatives are thrown together."""
    if f is None:
        return frozenset()
    found: set[str] = set()
    found.update(w.lower() for w in (*f.types, *f.all_types, *f.subtypes, *f.supertypes))
    found.update("non" + w.lower() for w in (*f.not_types, *f.not_subtypes, *f.not_supertypes))
    found.update(COLOR_WORDS[c] for c in f.colors)
    found.update("non" + COLOR_WORDS[c] for c in f.not_colors)
    if f.color_count:
        found.add(f.color_count)
    if f.zone in ("graveyard", "hand", "exile", "library"):
        found.add(f.zone)
    found.update(n.lower() for n in f.names)
    for who in (f.controller, f.owner):
        found.add(_PLAYER_WORDS.get(who, who))
    if f.me is not None:
        found.add("self" if f.me else "other")
    if f.ref is not None:
        found.add(_REF_WORDS[f.ref])
    for flag in _FLAGS:
        value = getattr(f, flag)
        if value is not None:
            found.add(flag if value else ("untapped" if flag == "tapped" else "non" + flag))
    found.update(
        w for w in (f.keyword, f.not_keyword and "non" + f.not_keyword, f.counter and f.counter + " counter") if w
    )
    found.update(f"{b.stat}{b.op}{amount_fact(b.value)}" for b in f.bounds)
    if f.chosen or f.not_chosen:
        found.add("chosen")
    if f.shares:
        found.update({"exiled"} if f.shares_with == "linked" else {"shares " + s for s in f.shares})
    for other in f.any_of:
        found |= words_of(other)
    for other in f.none_of:
        found.update("non" + w for w in words_of(other))
    return frozenset(found) - {""}


# --- abilities of a face --------------------------------------------------------------------------------------------


def intrinsic(face: a.Face) -> list[a.Activated]:
    """305.6: the mana abilities of basic land types, in the order of their colors."""
    made = zip(BASIC_LAND_TYPES, COLORS, strict=True)
    return [
        a.Activated(cost=(a.TapSelf(),), effects=(a.AddMana(a.Fixed(f"{{{c}}}")),))
        for land, c in made
        if land in face.subtypes
    ]


def mana_abilities(face: a.Face) -> list[a.Activated]:
    """Every activated mana ability that a face has by itself (605.1a)."""
    printed = [x for x in a.abilities_of(face.lines) if isinstance(x, a.Activated) and a.is_mana_ability(x)]
    return printed + intrinsic(face)


def own_grants(face: a.Face) -> list[a.Activated]:
    """Activated mana abilities that a face gives itself (level symbols, stations, "as long as …, it has …")."""
    found = []
    for ability in a.abilities_of(face.lines):
        if isinstance(ability, a.Static):
            for effect in ability.effects:
                if isinstance(effect, a.GrantAbilities) and "self" in words_of(effect.what):
                    found += [x for x in effect.abilities if isinstance(x, a.Activated) and a.is_mana_ability(x)]
    return found


def leaves_open(face: a.Face) -> bool:
    """Whether an effect of this face starts something that may last, or offers modes, and was not read."""
    return any(isinstance(n, a.Do) and n.what in ("lasting", "choose") for n in parts_of(a.abilities_of(face.lines)))


def touched_by_unread(face: a.Face, *subjects: str) -> bool:
    """Whether a line of this face that was not understood could touch one of these subjects."""
    if face.missing:
        return True
    return any(
        line.status == "unread" and any(s.lstrip("+-") in subjects for s in line.subjects) for line in face.lines
    )


# --- replacements, triggers, cost changes, grants -------------------------------------------------------------------


def replacement_facts(face: a.Face) -> list[Facts]:
    """Every production replacement of a face."""
    return [_replacement(e, holders) for e, holders in placed(face, a.ProductionReplacement)]


def _replacement(e: a.ProductionReplacement, holders: tuple[Any, ...]) -> Facts:
    if e.makes is None:
        kind = "same"
    elif isinstance(e.makes, a.Fixed):
        kind = e.makes.mana
    else:
        kind = {a.AnyMana: "any_color_choice", a.ChosenColor: "chosen color"}.get(type(e.makes), "other")
    amount = f"x{e.factor}" if e.factor != 1 else "same" if e.amount is None else str(e.amount)
    conditions = [h.condition for h in holders if isinstance(h, a.Static | a.Triggered)] + [e.condition]
    return {
        "event": e.event,
        "subject": (words_of(e.what) | _target_words(e.what, holders)) - {"you"},
        "tapper": e.tapper,
        "type": kind,
        "amount": amount,
        "duration": duration_of(holders),
        "source": source_of(holders),
        "condition": e.least > 1 or any(c is not None for c in conditions),
        "touches": "" if not e.only_types else "color" if e.only_types == COLORS else e.only_types,
    }


def _target_words(what: a.Filter, holders: tuple[Any, ...]) -> frozenset[str]:
    """What the target that a description points at has to be."""
    if what.ref != "target":
        return frozenset()
    return frozenset(w for h in holders for t in getattr(h, "targets", ()) for w in words_of(t.what))


def duration_of(holders: tuple[Any, ...]) -> str:
    """How long it lasts, in the words of truth files; "" for as long as its source is there."""
    for holder in holders:
        if isinstance(holder, a.Become):
            return {"end_of_turn": "until_eot", "forever": "indefinite"}.get(holder.until, holder.until)
    return ""


def source_of(holders: tuple[Any, ...]) -> str:
    """What kind of ability starts it; "" for a static one."""
    if not any(isinstance(h, a.Become) for h in holders):
        return ""
    kinds = {a.Activated: "activated", a.Triggered: "triggered", a.SpellAbility: "spell"}
    return next((kinds[type(h)] for h in holders if type(h) in kinds), "")


def trigger_facts(face: a.Face) -> list[Facts]:
    """Every trigger on mana, and every trigger that adds mana."""
    found = []
    for t, holders in placed(face, a.Triggered):
        if t.event in MANA_EVENTS or added(t.effects):
            one = _trigger(t, holders, face)
            found.append(one)
            # What a trigger sets up for later may be told as that trigger's own.
            for outer in holders:
                if isinstance(outer, a.Triggered):
                    event = event_class(outer.event)
                    found.append({**one, "trigger": "other", "event": event, "mana ability": False})
    return found


EVENTS = ("main", "upkeep", "enter", "die", "attack", "cast", "discard", "sacrific", "damage", "transform", "face")


def event_class(text: str) -> str:
    """Which kind of event a text, or the name of an event, speaks of."""
    low = text.lower()
    if "dies" in low:
        return "die"
    return next((word for word in EVENTS if word in low), low)


MANA_EVENTS = ("tapped_for_mana", "mana_added", "mana_ability_activated")


_HOSTS = {"Aura": "enchanted", "Equipment": "equipped", "Fortification": "fortified"}


def _trigger(t: a.Triggered, holders: tuple[Any, ...], face: a.Face) -> Facts:
    adds = added(t.effects)
    on_mana = t.event in MANA_EVENTS
    words = set(words_of(t.what)) - {"tapped"}
    words.add("" if t.who in ("any", "controller") else {"opponents": "opponent"}.get(t.who, t.who))
    if t.of_type:
        words.add("chosen" if t.of_type == "chosen" else f"{{{t.of_type.lower()}}}")
    for condition in (t.condition, *(h.condition for h in holders if isinstance(h, a.Static))):
        if isinstance(condition, a.Status):
            words.add(condition.what)
    if "host" in words:
        words.remove("host")
        words.add(next((word for kind, word in _HOSTS.items() if kind in face.subtypes), "enchanted"))
    products = product_facts(t.effects)
    return {
        "trigger": "tapped_for_mana" if on_mana else "other",
        "event": frozenset(words) - {""} if on_mana else event_class(t.event),
        "mana ability": a.is_mana_ability(t),
        "produces": products["produces"],
        "amount": _counted(products["amount"]),
        # The rows have words for two recipients; whoever else it is, they say "you".
        "recipient": {"chosen": "you", "active": "you"}.get(adds[0].to, adds[0].to) if adds else None,
        "restricted": "forbidden" if any(e.only and e.only.forbid for e in adds) else products["restricted"],
        "keeps": any(e.keeps for e in adds),
    }


def _counted(amount: Any) -> Any:
    """Nobody announces an X for a trigger: whatever is no number is counted."""
    return "counted" if amount == "X" else amount


def cost_change_facts(face: a.Face) -> list[Facts]:
    """Every cost change of a face; one of spells and abilities alike is two."""
    found = []
    for e, _ in placed(face, a.LeastCost):
        found.append({**_NO_CHANGE, "mode": "set", "what": "spell", "valid": words_of(e.spells), "amount": str(e.n)})
    for e, _ in placed(face, a.AdditionalCost):
        if e.reduces and e.spells.me:  # "this spell costs {2} less to cast for each creature sacrificed this way"
            less = "counted" if e.many else mana_cost_fact(e.reduces)[1].strip("{}")
            found.append({**_NO_CHANGE, "mode": "reduce", "what": "spell", "valid": words_of(e.spells), "amount": less})
    for e, holders in placed(face, a.CostChange):
        common = {
            **_NO_CHANGE,
            "mode": "reduce" if e.how == "less" else "raise",
            "amount": _change(e),
            "who": {"opponent": "opponents"}.get(e.who, e.who),
            "keyword": e.keyword,
        }
        if e.keyword:
            what = e.spells if e.abilities is None else e.abilities
            mana = {"mana abilities": not e.no_mana_abilities}
            found.append({**common, **_of("keyword", what, e.targets, holders), **mana})
            continue
        if e.spells is not None:
            found.append({**common, **_of("spell", e.spells, e.targets, holders)})
        if e.abilities is not None:
            found.append(
                {**common, **_of("ability", e.abilities, e.targets, holders), "mana abilities": not e.no_mana_abilities}
            )
    return found


_NO_CHANGE: Facts = {"who": "any", "keyword": "", "targets": frozenset(), "mana abilities": True}


def _of(kind: str, what: a.Filter | None, targets: a.Filter | None, holders: tuple[Any, ...]) -> Facts:
    aims = words_of(targets) | (frozenset() if what is None else _aims(what))
    conditions = [h.condition for h in holders if isinstance(h, a.Static) and h.condition is not None]
    aims = aims.union(*(words_of(n.like) for c in conditions for n in parts_of(c) if isinstance(n, a.Targets)))
    granted = [h.what for h in holders if isinstance(h, a.GrantAbilities)]
    if granted and "self" in aims:  # "creatures you control have “spells that target this creature cost …”"
        aims = aims - {"self"} | words_of(granted[-1])
    return {"what": kind, "valid": words_of(what), "targets": aims}


def _aims(f: a.Filter) -> frozenset[str]:
    """What spells like these target."""
    player = {f.targets_player} - {""}
    return words_of(f.targets).union(player, *(_aims(other) for other in f.any_of))


def _change(e: a.CostChange) -> Any:
    if not isinstance(e.times, int) or e.per_target:
        return "counted"
    symbols = mana_cost_fact(e.amount * e.times)[1]
    inner = symbols[1:-1]
    return inner if inner.isdigit() else symbols


def grant_facts(face: a.Face) -> list[Facts]:
    """Every mana ability that a face gives to something, or that a token it makes has."""
    found = []
    for x, holders in placed(face, a.Activated):
        if holders and a.is_mana_ability(x):
            grants = [h for h in holders if isinstance(h, a.GrantAbilities)]
            found.append(
                {
                    "kind": "grant" if grants else "token",
                    "to": words_of(grants[-1].what) if grants else frozenset(),
                    "emblem": any(isinstance(h, a.Emblem) for h in holders),
                    "cost": cost_facts(x.cost),
                    **product_facts(x.effects),
                    "duration": "until_eot" if duration_of(holders) == "until_eot" else "static",
                }
            )
    return found
