"""What a step of a line says about its payment, and every payment that it could mean, likeliest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..model.characteristics import View
from ..model.game import ManaKind, Unknown
from ..model.mana import TYPES, Mana, ManaError, Way, parse_cost, parse_mana
from ..model.paying import Paying
from ..model.proposals import SUBSTITUTES
from ..model.questions import StepForm
from ..model.replay import Bill, Illegal, PaySymbol, Units, covers
from ..model.spending import Purpose, Slot, Spending, may_spend, spending

# More ways to pay the parts of one cost than this are not tried.
MOST_WAYS = 2000
MOST_SYMBOLS = 100_000
# Among more kinds of mana than this only the likeliest choice is tried.
MOST_KINDS = 100
_FIELDS = {"return": "to_hand", "move": "moved"}
_NUMBERS = ("life", "mill")
_SYMBOL = re.compile(r"\{[^{}]+\}")

# How much mana of a type from a source (None: from anything) a step says that it takes.
Said = Counter[tuple[str, str | None]]


class Words(NamedTuple):
    """A step's payment as it says it: `mana` (None: not said), everything that is not mana, what stands in for mana
    (`by`, with its objects); of `pay` steps also the symbols, or that they pay the `other` parts."""

    mana: Said | None = None
    paying: Paying = Paying()
    by: str = ""
    objects: tuple[str, ...] = ()
    symbols: tuple[tuple[str, int], ...] = ()
    other: bool = False


def words_of(step: StepForm) -> Words:
    """Raises Illegal where the step says something that means nothing."""
    mana, by, objects = None, "", ()
    fields: dict[str, Any] = {}
    for key, value in step.with_.items():
        if key == "mana":
            mana = _said(value)
        elif key in SUBSTITUTES:
            by, objects = key, _ids(key, value)
        else:
            field = _FIELDS.get(key, key)
            if field not in Paying.__struct_fields__:
                raise Illegal(f"a payment has no {key}", "601.2h", "cost_unpayable")
            fields[field] = _field(field, key, value)
    symbols, other = (), False
    if step.verb == "pay":
        other = step.pay == "other"
        symbols = () if other else _symbols(str(step.pay), step.n)
    return Words(mana, Paying(**fields), by, objects, symbols, other)


def mana_said(value: object) -> Mana:
    """Mana as a step writes it, in symbols or by type."""
    try:
        if isinstance(value, str):
            return parse_mana(value)
        if isinstance(value, dict) and all(t in TYPES and isinstance(n, int) and n >= 0 for t, n in value.items()):
            return Mana(**value)
    except ManaError as error:
        raise Illegal(str(error), "106.1", "rule") from None
    raise Illegal(f"{value!r} is no mana", "106.1", "rule")


def mana_text(value: object) -> str:
    return str(value) if value else "that mana"


def _said(value: object) -> Said:
    found: Said = Counter()
    for entry in value if isinstance(value, list | tuple) else [value]:
        source, mana = None, entry
        if isinstance(entry, dict) and "mana" in entry:
            if set(entry) - {"mana", "from"}:
                raise Illegal("mana is said by `mana` and `from`", "106.1", "rule")
            source, mana = entry.get("from"), entry["mana"]
        if source is not None and not isinstance(source, str):
            raise Illegal("`from` is an id", "106.1", "rule")
        for type_, n in mana_said(mana).items():
            if n:
                found[type_, source] += n
    return found


def _ids(key: str, value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple) else (value,)
    if not all(isinstance(v, str) for v in values):
        raise Illegal(f"{key} is a list of ids", "601.2h", "cost_unpayable")
    return tuple(values)  # type: ignore[arg-type]


def _field(field: str, key: str, value: object) -> object:
    if field in _NUMBERS:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise Illegal(f"{key} is a number", "601.2h", "cost_unpayable")
        return value
    width = {"counters_removed": 3, "counters_put": 3, "player_counters": 2}.get(field)
    if width is None:
        return _ids(key, value)
    rows = value if isinstance(value, list | tuple) else ()
    if not all(isinstance(r, list | tuple) and len(r) == width and _is_row(r) for r in rows) or not rows:
        raise Illegal(f"{key} is a list of ids, kinds and numbers", "601.2h", "cost_unpayable")
    return tuple(tuple(r) for r in rows)


def _is_row(row: Sequence[object]) -> bool:
    number = row[-1]
    return all(isinstance(r, str) for r in row[:-1]) and isinstance(number, int) and number >= 0


def _symbols(text: str, times: int) -> tuple[tuple[str, int], ...]:
    """The symbols of what is paid, each with how often; a numeral is so many times {1}."""
    try:
        parse_cost(text)
    except ManaError as error:
        raise Illegal(str(error), "601.2h", "rule") from None
    found: Counter[str] = Counter()
    for symbol in _SYMBOL.findall(text):
        number = symbol[1:-1]
        found["{1}" if number.isdigit() else symbol] += int(number) if number.isdigit() else 1
    if any(n * times > MOST_SYMBOLS for symbol, n in found.items() if symbol != "{1}"):
        raise Illegal(f"more than {MOST_SYMBOLS:,} equal symbols", "601.2h")
    return tuple((symbol, n * times) for symbol, n in found.items() if n)


# --- mana from the pool -----------------------------------------------------------------------------------------------


class Pool:
    """Mana that a step may take: what is in the pool, as far as the step says which."""

    def __init__(
        self, view: View, player: str, purpose: Purpose, said: Said | None, used: Units = (), apart: bool = False
    ) -> None:
        have: Counter[ManaKind] = Counter(dict(view.game.players[player].pool))
        for kind, n in used:
            have[kind] -= n
        self.said = said
        self.apart = apart  # a limit on the cost tells sources apart
        self.kinds = sorted((k for k, n in have.items() if n > 0 and self.asked(k, said)), key=_dearer)
        self.have = have
        self.usable = {k for k in self.kinds if may_spend(k.only, purpose, view, player)}

    @staticmethod
    def asked(kind: ManaKind, said: Said | None) -> bool:
        return said is None or bool(said[kind.type, kind.source] + said[kind.type, None])

    def most(self, kind: ManaKind, taken: Counter[ManaKind]) -> int:
        """How much more of the kind may be taken."""
        left = self.have[kind] - taken[kind]
        if self.said is None:
            return left
        own = self.said[kind.type, kind.source] if kind.source is not None else 0
        of_source = sum(n for k, n in taken.items() if k.source == kind.source and k.type == kind.type) if own else 0
        return min(left, max(0, own - of_source) + self._unnamed_left(kind.type, taken))

    def total(self) -> int:
        return sum(n for n in self.have.values() if n > 0)

    def _unnamed_left(self, type_: str, taken: Counter[ManaKind]) -> int:
        assert self.said is not None
        if not self.said[type_, None]:
            return 0
        by_source: Counter[str | None] = Counter()
        for kind, n in taken.items():
            if kind.type == type_:
                by_source[kind.source] += n
        named = {s: n for (t, s), n in self.said.items() if t == type_ and s is not None}
        beyond = sum(max(0, n - named.get(s or "", 0)) for s, n in by_source.items())
        return max(0, self.said[type_, None] - beyond)

    def all_taken(self, taken: Counter[ManaKind]) -> bool:
        """Whether what was taken is all that the step says."""
        return self.said is None or sum(taken.values()) == sum(self.said.values())

    def take(self, n: int, fits: Callable[[ManaKind], bool], taken: Counter[ManaKind]) -> Iterator[Counter[ManaKind]]:
        """Every way to take `n` more mana that fits, what is least useful elsewhere first."""
        kinds = [kind for kind in self.kinds if fits(kind) and self.have[kind] > taken[kind]]
        first = self._first(n, kinds, taken)
        if first is None:
            return
        yield first
        groups = self._groups(kinds)
        if len(groups) < 2 or not n:
            return
        if len(groups) > MOST_KINDS:
            if self.said is not None and not any(source is None for _, source in self.said):
                return  # it is said unit by unit
            raise Unknown("which of very many kinds of mana pays is not said", "time_limit")
        yield from (other for other in self._ways(n, groups, taken, 0) if other != first)

    def _groups(self, kinds: Sequence[ManaKind]) -> list[list[ManaKind]]:
        """Kinds between which the step makes no difference: where it names no source, all of one type."""
        named = self.apart or (self.said is not None and any(source is not None for _, source in self.said))
        found: dict[object, list[ManaKind]] = {}
        for kind in kinds:
            found.setdefault(kind if named else kind._replace(source=None), []).append(kind)
        return list(found.values())

    def _first(self, n: int, kinds: Sequence[ManaKind], taken: Counter[ManaKind]) -> Counter[ManaKind] | None:
        """As much as possible of each kind in turn; None when all together is too little."""
        now, found = Counter(taken), Counter[ManaKind]()
        for kind in kinds:
            some = min(n, self.most(kind, now)) if n else 0
            if some:
                now[kind] += some
                found[kind] = some
                n -= some
        return None if n else found

    def _ways(
        self, n: int, groups: Sequence[list[ManaKind]], taken: Counter[ManaKind], at: int
    ) -> Iterator[Counter[ManaKind]]:
        if n == 0:
            yield Counter()
            return
        if at == len(groups):
            return
        here = sum(self.have[k] - taken[k] for k in groups[at])
        others = sum(self.have[k] - taken[k] for group in groups[at + 1 :] for k in group)
        for many in range(min(n, here), max(0, n - others) - 1, -1):
            some = self._first(many, groups[at], taken)
            if some is None:
                continue
            for rest in self._ways(n - many, groups, taken + some, at + 1):
                yield rest + some


def _dearer(kind: ManaKind) -> tuple[bool, bool, str]:
    """Restricted mana is spent first, snow mana last."""
    return kind.only is None, kind.snow, repr(kind)


def units_that_cover(
    view: View, player: str, purpose: Purpose, wanted: Sequence[Slot], how: Spending, said: Said | None
) -> Iterator[Units]:
    """Mana in the pool that pays these symbols exactly, by the words of the step."""
    pool = Pool(view, player, purpose, said)
    least = sum(min(way.n for way in slot.ways) * slot.n for slot in wanted)
    most = sum(max(way.n for way in slot.ways) * slot.n for slot in wanted)
    for n in range(least, most + 1):
        for taken in pool.take(n, pool.usable.__contains__, Counter()):
            units = tuple(taken.items())
            if pool.all_taken(taken) and covers(tuple(wanted), units, how) is not None:
                yield units


# --- payments of symbols ----------------------------------------------------------------------------------------------


class _Left(NamedTuple):
    """What of a step's words is not dealt out yet."""

    taken: Counter[ManaKind]
    objects: tuple[str, ...]
    life: int


def payments_of(
    view: View,
    player: str,
    purpose: Purpose,
    how: Spending,
    due: Sequence[Slot],
    words: Words,
    used: Units = (),
    apart: bool = False,
) -> Iterator[tuple[PaySymbol, ...]]:
    """What a `pay` step could mean. Raises Illegal where a symbol is not in the cost."""
    by_symbol = {slot.symbol: slot for slot in due}
    groups: list[tuple[Slot, int]] = []
    for symbol, n in words.symbols:
        if symbol not in by_symbol:
            raise Illegal(f"{symbol} is not in the cost", "601.2h")
        groups.append((by_symbol[symbol], n))
    beside = Paying(**{f: v for f in Paying.__struct_fields__ if f != "life" and (v := getattr(words.paying, f))})
    if beside != Paying():
        raise Illegal("what is not mana is paid in a step {pay: other}", "601.2h", "cost_unpayable")
    pool = Pool(view, player, purpose, words.mana, used, apart)
    start = _Left(Counter(), words.objects, words.paying.life)
    some = False
    for strict in (True, False):
        for payments in _groups(groups, pool, how, words, start, strict):
            some = True
            yield payments
            if not strict:
                return  # one is enough for the referee to say what is wrong with it
        if some:
            return
    text = "".join(symbol * min(n, 40) for symbol, n in words.symbols)
    raise Illegal(f"what is there does not pay {text} like that", "118.3", "not_payable")


def _groups(
    groups: Sequence[tuple[Slot, int]], pool: Pool, how: Spending, words: Words, left: _Left, strict: bool
) -> Iterator[tuple[PaySymbol, ...]]:
    if not groups:
        said_all = pool.all_taken(left.taken) and not left.objects and (not words.paying.life or not left.life)
        if said_all:
            yield ()
        return
    (slot, n), rest = groups[0], groups[1:]
    for payments, now in _one_group(slot, n, 0, pool, how, words, left, strict):
        for more in _groups(rest, pool, how, words, now, strict):
            yield (*payments, *more)


def _one_group(
    slot: Slot, n: int, w: int, pool: Pool, how: Spending, words: Words, left: _Left, strict: bool
) -> Iterator[tuple[tuple[PaySymbol, ...], _Left]]:
    """`n` equal symbols, dealt out to the ways of paying one from the w-th on."""
    if n == 0:
        yield (), left
        return
    if w == len(slot.ways):
        return
    way = slot.ways[w]
    most = n if not way.n else min(n, (pool.total() + len(left.objects)) // way.n)
    least = n if w == len(slot.ways) - 1 else 0
    for some in range(most, least - 1, -1):
        for payments, now in _by_way(slot, w, way, some, pool, how, words, left, strict):
            for more, then in _one_group(slot, n - some, w + 1, pool, how, words, now, strict):
                yield (*payments, *more), then


def _by_way(
    slot: Slot, w: int, way: Way, n: int, pool: Pool, how: Spending, words: Words, left: _Left, strict: bool
) -> Iterator[tuple[tuple[PaySymbol, ...], _Left]]:
    """`n` symbols in one way: with life, with objects that stand in for mana, with mana."""
    if n == 0:
        yield (), left
        return
    if not way.n:
        life = way.life * n
        if words.paying.life and life > left.life:
            return
        if words.mana is not None and not words.paying.life:
            return  # it says what pays, and life is not said
        paid = PaySymbol(symbol=slot.symbol, n=n, way=w, life=life)
        yield (paid,), left._replace(life=max(0, left.life - life))
        return
    most = min(n, len(left.objects) // way.n) if words.by else 0
    for stood in range(most, -1, -1):
        payments: tuple[PaySymbol, ...] = ()
        ids = left.objects[: stood * way.n]
        if stood:
            payments = (PaySymbol(symbol=slot.symbol, n=stood, way=w, by=words.by, objects=ids),)
        generic = slot.is_generic(way)

        def fits(kind: ManaKind, generic: bool = generic) -> bool:
            return not strict or (kind in pool.usable and how.pays(kind, way, generic))

        for taken in pool.take((n - stood) * way.n, fits, left.taken):
            paid = payments
            if n - stood:
                mana = tuple(taken.items())
                paid = (
                    *payments,
                    PaySymbol(symbol=slot.symbol, n=n - stood, way=w, mana=mana, life=way.life * (n - stood)),
                )
            yield paid, left._replace(taken=left.taken + taken, objects=left.objects[len(ids) :])


def from_pool(view: View, player: str, bill: Bill) -> Iterator[tuple[PaySymbol, ...]]:
    """Every payment of a whole cost out of the pool, where the line does not say how it is paid."""
    how = spending(view, player, bill.purpose)
    due = bill.slots(how)
    symbols = tuple((slot.symbol, slot.n) for slot in due)
    yield from payments_of(view, player, bill.purpose, how, due, Words(symbols=symbols), apart=bool(bill.limits))


# --- everything else --------------------------------------------------------------------------------------------------


def matching_ways(ways: Iterable[Paying], said: Paying) -> Iterator[Paying]:
    """Those of these ways that are as the step says, as far as it says it."""
    for count, way in enumerate(ways):
        if count >= MOST_WAYS:
            raise Unknown("which of very many objects pay is not said", "time_limit")
        if _contains(way, said):
            yield way


def _contains(whole: Paying, part: Paying) -> bool:
    for field in Paying.__struct_fields__:
        have, some = getattr(whole, field), getattr(part, field)
        if isinstance(some, int):
            if some and some != have:
                return False
        elif Counter(some) - Counter(have):
            return False
    return True
