"""Mana types, symbols, amounts of mana and mana costs (CR 106, 107.4, 202).

A *type* of mana is one of the six letters of `TYPES`; a *color* is one of `COLORS` (106.1: colorless is a type, not
a color). Everything here is plain data: what may pay for what is decided where a cost is paid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import add, sub
from typing import NamedTuple

TYPES = "WUBRGC"
COLORS = "WUBRG"
# Written mana longer than this is answered as a mapping such as {"G": 531441}.
LONGEST_WRITTEN = 40

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_HALVES = re.compile(r"(?:\d+|[WUBRGC])(?:/(?:[WUBRGC]|P))*")


class ManaError(ValueError):
    """A mana string that cannot be read; the message quotes it and says what was expected."""


class Mana(NamedTuple):
    """An amount of mana of each type, in the order W U B R G C. Amounts are Python integers of any size."""

    W: int = 0
    U: int = 0
    B: int = 0
    R: int = 0
    G: int = 0
    C: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: Mana) -> Mana:
        return Mana(*map(add, self, other))

    def minus(self, other: Mana) -> Mana:
        return Mana(*map(sub, self, other))

    def times(self, factor: int) -> Mana:
        return self if factor == 1 else Mana(*(a * factor for a in self))

    def covers(self, other: Mana) -> bool:
        """Whether there is at least as much of every type as in `other`."""
        return all(a >= b for a, b in zip(self, other, strict=True))

    def types(self) -> str:
        """The types of which there is some, in the order WUBRGC."""
        return "".join(t for t, n in zip(TYPES, self, strict=True) if n)

    def items(self) -> Iterator[tuple[str, int]]:
        return ((t, n) for t, n in zip(TYPES, self, strict=True) if n)

    def __str__(self) -> str:
        return "".join(f"{{{t}}}" * n for t, n in self.items())

    def wire(self) -> str | dict[str, int]:
        """As answers write it: symbols, or a mapping above 40 of them; no mana is the empty string."""
        return str(self) if self.total <= LONGEST_WRITTEN else dict(self.items())


NO_MANA = Mana()


def mana_of(type_: str, n: int = 1) -> Mana:
    """`n` mana of one type."""
    return _ONE[type_] if n == 1 else _ONE[type_].times(n)


_ONE = {t: Mana(**{t: 1}) for t in TYPES}


def parse_mana(text: str | dict[str, int]) -> Mana:
    """Mana as a situation or a card writes it: `"{R}{G}"`, `"RG"` is refused, `{"G": 531441}` is read.

    Raises ManaError. A snow symbol is not a type (107.4h), so it is no mana either.
    """
    if not isinstance(text, dict):
        return _parse_symbols(text)
    for key, n in text.items():
        if key not in TYPES or len(key) != 1:
            raise ManaError(f"{key!r} is no type of mana; the types are W U B R G C")
        if not isinstance(n, int) or isinstance(n, bool) or n < 0:
            raise ManaError(f"the amount of {key} must be a whole number, not {n!r}")
    return Mana(**text)


@lru_cache(maxsize=4096)
def _parse_symbols(text: str) -> Mana:
    counts = dict.fromkeys(TYPES, 0)
    for symbol in split_symbols(text):
        letter = symbol[1:-1]
        if letter not in counts:
            raise ManaError(f"{symbol} in {text!r} is no mana; mana is written {{W}} {{U}} {{B}} {{R}} {{G}} {{C}}")
        counts[letter] += 1
    return Mana(**counts)


def split_symbols(text: str) -> list[str]:
    """The `{…}` symbols of a string, upper-cased; anything between them is an error."""
    rest = _SYMBOL.sub("", text).strip()
    if rest:
        raise ManaError(f"cannot read {rest!r} in {text!r}; write every symbol in braces, such as {{U}} or {{2}}")
    return ["{" + inner.upper().strip() + "}" for inner in _SYMBOL.findall(text)]


class Cost(NamedTuple):
    """A mana cost: an amount of generic mana, a number of {X}, and the other symbols in written order (107.4).

    `{0}` is `Cost()`: nothing, but still a payment (118.5). An object without a mana cost has None in place of a
    Cost, which cannot be paid (118.6).
    """

    generic: int = 0
    x: int = 0
    symbols: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = "{X}" * self.x
        if self.generic or not (self.x or self.symbols):
            parts += f"{{{self.generic}}}"
        return parts + "".join(self.symbols)

    def plus(self, other: Cost) -> Cost:
        return Cost(self.generic + other.generic, self.x + other.x, order_symbols(self.symbols + other.symbols))

    def with_x(self, value: int) -> Cost:
        """The cost with its announced X (107.3a)."""
        return Cost(self.generic + self.x * value, 0, self.symbols)

    @property
    def mana_value(self) -> int:
        """202.3, with X as 0; a hybrid symbol counts its larger half (202.3f)."""
        return self.generic + sum(symbol_value(s) for s in self.symbols)

    @property
    def colors(self) -> str:
        """Colors of the symbols, hybrid and Phyrexian ones counting each of theirs (105.2)."""
        return "".join(c for c in COLORS if any(c in s for s in self.symbols))

    @property
    def least_mana(self) -> int:
        """The least number of mana that can pay this, before life or anything else stands in for mana."""
        return self.generic + sum(0 if "P" in s else 1 for s in self.symbols)


FREE = Cost()


@lru_cache(maxsize=4096)
def parse_cost(text: str) -> Cost:
    """Reads a cost such as `{2}{W/U}{G/W/P}{X}`; raises ManaError with the symbol that is wrong."""
    generic = x = 0
    symbols: list[str] = []
    for symbol in split_symbols(text):
        inner = symbol[1:-1]
        if inner.isdigit():
            generic += int(inner)
        elif inner == "X":
            x += 1
        elif inner in ("Y", "Z"):
            raise ManaError(f"{symbol} in {text!r}: only X is supported as a variable amount")
        elif inner == "S" or _good_symbol(inner):
            symbols.append(symbol)
        else:
            raise ManaError(f"{symbol} in {text!r} is no mana symbol")
    return Cost(generic, x, order_symbols(symbols))


def _good_symbol(inner: str) -> bool:
    if not _HALVES.fullmatch(inner):
        return False
    halves = inner.split("/")
    letters = [h for h in halves if h in TYPES]
    numbers_first = all(not h.isdigit() or i == 0 for i, h in enumerate(halves))
    return bool(letters) and len(set(halves)) == len(halves) and numbers_first


def order_symbols(symbols: Iterable[str]) -> tuple[str, ...]:
    """Hybrid symbols first, then snow, then W U B R G C: one order for equal costs, so that they compare equal."""
    return tuple(sorted(symbols, key=_symbol_order))


def _symbol_order(symbol: str) -> tuple[int, str | int]:
    inner = symbol[1:-1]
    if len(inner) == 1:
        return (1, 0) if inner == "S" else (2, TYPES.index(inner))
    return (0, symbol)


def symbol_value(symbol: str) -> int:
    """What one symbol adds to the mana value (202.3f)."""
    inner = symbol[1:-1]
    if inner == "X":
        return 0
    return max((int(h) for h in inner.split("/") if h.isdigit()), default=1)


class Way(NamedTuple):
    """One way to pay one symbol: `n` mana, each of a type in `types`, or `life`; `snow` as in 107.4h."""

    types: str
    n: int = 1
    life: int = 0
    snow: bool = False


@lru_cache(maxsize=1024)
def ways_to_pay(symbol: str) -> tuple[Way, ...]:
    """The announced alternatives of one symbol (107.4, 118.13): `{2/W}` is two of any type or one W."""
    inner = symbol[1:-1]
    if inner.isdigit():
        return (Way(TYPES, int(inner)),)
    if inner == "S":
        return (Way(TYPES, snow=True),)
    ways = []
    for half in inner.split("/"):
        if half == "P":
            ways.append(Way("", 0, life=2))
        elif half.isdigit():
            ways.append(Way(TYPES, int(half)))
        else:
            ways.append(Way(half))
    return tuple(ways)
