"""601.2f: the total cost of a spell or an activated ability (602.2b).

    total = (mana cost or one alternative cost) + additional costs + increases - reductions, not below {0},
            and then the effects that set a least total (Trinisphere)

The first half of this file is arithmetic on mana costs and knows no game: what was announced for hybrid and Phyrexian
symbols (601.2b, 118.13a) comes first, because reductions and Trinisphere see the announced cost. The second half finds
the effects that apply. A payer chooses announcements and the order of reductions, so a total is a set of costs of which
none is better than another in every way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from .game import Unknown
from .mana import TYPES, Cost, order_symbols, ways_to_pay

# More announcements than this are not a real card; they would only make the answer slow.
_MOST_ANNOUNCEMENTS = 4096


class Change(NamedTuple):
    """One increase or reduction as it applies to this cost; `amount` is multiplied out already. `floor`: the
    reduction can't take the mana in the cost below that. `source`: the object whose effect it is."""

    more: bool
    amount: Cost
    floor: int = 0
    colored_only: bool = False
    source: str = ""


class Total(NamedTuple):
    """A total mana cost with the life that was announced for Phyrexian symbols."""

    mana: Cost
    life: int = 0


def totals(base: Cost, changes: Iterable[Change], least: int = 0) -> tuple[Total, ...]:
    """Every total mana cost that announcements and the best order of reductions lead to, without dominated ones.

    `base` holds the mana cost or alternative cost and all additional mana, with X announced. Symbols whose choice
    changes nothing here stay as they are: whoever pays may still choose. `least` is Trinisphere's number.
    """
    changes = tuple(changes)
    reductions = [c for c in changes if not c.more]
    raised = base
    for change in changes:
        if change.more:
            raised = raised.plus(change.amount)
    found: dict[Total, None] = {}
    for announced in announcements(raised, reductions, least):
        for amounts in _chosen_halves(reductions):
            reduced = announced.mana
            for change in amounts:
                reduced = _reduce(reduced, change)
            missing = max(0, least - _mana_in(reduced))
            found[Total(reduced._replace(generic=reduced.generic + missing), announced.life)] = None
    return _undominated(found)


def announcements(cost: Cost, reductions: Sequence[Change], least: int = 0) -> tuple[Total, ...]:
    """The cost after 601.2b: symbols that a reduction or a least total could tell apart are replaced by each of their
    alternatives in turn (118.13a); the others are kept."""
    kept: list[str] = []
    open_: Counter[str] = Counter()
    touched = _letters(reductions)
    counting = least > 0 or any(c.floor for c in reductions)
    for symbol in cost.symbols:
        if _must_announce(symbol, touched, counting):
            open_[symbol] += 1
        else:
            kept.append(symbol)
    if not open_:
        return (Total(cost),)
    choices = [list(combinations_with_replacement(_alternatives(s), n)) for s, n in open_.items()]
    found: dict[Total, None] = {}
    for n, picks in enumerate(product(*choices)):
        if n > _MOST_ANNOUNCEMENTS:
            raise Unknown("too many hybrid symbols in one cost", "not_modelled")
        generic, life, symbols = cost.generic, 0, list(kept)
        for more_generic, more_life, letter in (alternative for pick in picks for alternative in pick):
            generic, life = generic + more_generic, life + more_life
            symbols += [letter] if letter else []
        found[Total(Cost(generic, cost.x, order_symbols(symbols)), life)] = None
    return tuple(found)


def _letters(reductions: Sequence[Change]) -> str:
    """Types whose symbols the reductions could take off, and "1" when they could take off generic mana."""
    letters = "".join(t for t in TYPES if any(t in s for c in reductions for s in c.amount.symbols))
    spills = any(c.amount.generic or (c.amount.symbols and not c.colored_only) for c in reductions)
    return letters + ("1" if spills else "")


def _must_announce(symbol: str, touched: str, counting: bool) -> bool:
    inner = symbol[1:-1]
    if "/" not in inner:
        return False
    halves = inner.split("/")
    if any(h in touched for h in halves if h in TYPES):
        return True
    if any(h.isdigit() for h in halves):
        return "1" in touched or counting
    return "P" in halves and counting


def _alternatives(symbol: str) -> list[tuple[int, int, str]]:
    """(generic mana, life, symbol) of each way that a hybrid or Phyrexian symbol may be announced."""
    found = []
    for way in ways_to_pay(symbol):
        if way.life:
            found.append((0, way.life, ""))
        elif len(way.types) > 1:
            found.append((way.n, 0, ""))
        else:
            found.append((0, 0, "{" + way.types + "}"))
    return found


def _chosen_halves(reductions: Sequence[Change]) -> list[tuple[Change, ...]]:
    """The reductions in the best order, for each choice of a half of a hybrid symbol in them (118.7e).

    Reductions with a floor go first: nothing else depends on the order, and they take off most while the cost is
    high. Phyrexian symbols count as their color (118.7f), snow as generic (118.7g).
    """
    ordered = sorted(reductions, key=lambda c: -c.floor)
    options = []
    for change in ordered:
        halves = [[h for h in s[1:-1].split("/") if h != "P"] for s in change.amount.symbols]
        picks = list(dict.fromkeys(tuple(sorted(p)) for p in product(*halves)))
        options.append([_with_halves(change, pick) for pick in picks])
    return [tuple(choice) for choice in product(*options)]


def _with_halves(change: Change, halves: tuple[str, ...]) -> Change:
    generic = change.amount.generic + sum(int(h) for h in halves if h.isdigit()) + halves.count("S")
    symbols = order_symbols("{" + h + "}" for h in halves if h in TYPES)
    return change._replace(amount=Cost(generic, 0, symbols))


def _reduce(cost: Cost, change: Change) -> Cost:
    """One reduction applied (118.7): what finds no symbol of its type takes off generic mana (b-d), unless the effect
    reduces only colored mana; generic takes off generic only (a)."""
    room = _mana_in(cost) - change.floor if change.floor else _mana_in(cost)
    generic, symbols = cost.generic, list(cost.symbols)
    spill = change.amount.generic
    for symbol in change.amount.symbols:
        if symbol in symbols:
            if room > 0:
                symbols.remove(symbol)
                room -= 1
        elif not change.colored_only:
            spill += 1
    off = max(0, min(spill, generic, room))
    return Cost(generic - off, cost.x, tuple(symbols))


def _mana_in(cost: Cost) -> int:
    """How many mana there are in an announced cost."""
    return cost.generic + len(cost.symbols)


def _undominated(found: Iterable[Total]) -> tuple[Total, ...]:
    every = tuple(found)
    return tuple(t for t in every if not any(other is not t and _better(other, t) for other in every))


def _better(one: Total, other: Total) -> bool:
    """Whether `one` asks for no more than `other` in every way."""
    if one.life > other.life or one.mana.generic > other.mana.generic:
        return False
    return not (Counter(one.mana.symbols) - Counter(other.mana.symbols)) and one != other
