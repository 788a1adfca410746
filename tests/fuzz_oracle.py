"""Mutated card text for the compiler: whatever the text, it answers, and soon; a word that it does not know is never
understood.

    python tests/fuzz_oracle.py [OPTIONS]           # coverage-guided, with atheris; OPTIONS are those of libFuzzer
    LAWMAGE_CARD_DATA=FILE… pytest -m long tests/test_oracle_fuzz.py

Texts start from templates, or from the lines of the card data that LAWMAGE_CARD_DATA names (separated by colons).
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any

from lawmage.model.abilities import SUBJECTS, Line
from lawmage.model.oracle import compile_lines, compile_text

TYPE_LINES = ("Artifact", "Instant", "Legendary Creature — Elf", "Land — Forest", "Enchantment — Aura", "Planeswalker")
TEMPLATES = (
    "{T}: Add {G}.",
    "{1}, {T}: Add {W}{U}.",
    "{T}: Add one mana of any color. Activate only if you control an artifact.",
    "{T}, Sacrifice a Goblin: Add {C}{C}. Spend this mana only to cast Wall spells.",
    "Lands you control are Plains in addition to their other types.",
    "Other Elves you control get +1/+1 and have haste.",
    "As long as you control exactly one Golem, this creature gets +X/+0, where X is the number of Forests you control.",
    "Flying, protection from red, kicker {2}{R}",
    "Enchant creature",
    "When this creature enters, draw a card.",
    "Whenever you tap a Forest for mana, add an additional {R}.",
    "{7}: This creature gets +2/+3 until end of turn.",
    "Destroy target Golem with power 9 or less.",
    "If a land is tapped for mana, it produces {U} instead of any other type.",
    "Creature spells you cast cost {6} less to cast for each Swamp you control.",
    "Goblins can't attack or block unless their controller pays {2} for each of those creatures.",
    "As this land enters, choose a color.",
    "You have no maximum hand size.",
    'Enchanted creature has "{T}: Add {B}{B}."',
    "Choose one —\n• Draw a card.\n• Untap target land.",
    "If an Elf would die, exile it instead.",
    "Players can't untap more than nine artifacts during their untap steps.",
    "You may cast Golem spells from your graveyard as though they had flash.",
    "[+1]: Create a 1/1 green Elf creature token.",
    "I, II — Add {R}.",
)
UNKNOWN = ("zorblax", "frumious", "quuxify", "Snarkle", "bandersnatch's", "vorpal-ly")
PIECES = (
    "(",
    ")",
    '"',
    "«",
    ".",
    ",",
    "—",
    "•",
    "{X}",
    "{",
    "}",
    "~",
    "\n",
    "X",
    "it",
    "and",
    "or",
    "unless",
    "if",
    "0",
)
SECONDS = 20  # for one text; the slowest honest ones take less than one


class Source:
    """Choices for one text: made by a random generator, or read from a fuzzer's bytes."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        self.below = pick

    def of(self, things: Any) -> Any:
        return things[self.below(len(things))]


@lru_cache(maxsize=1)
def texts() -> tuple[tuple[str, str], ...]:
    """Type line and text of what is mutated."""
    files = [f for f in os.environ.get("LAWMAGE_CARD_DATA", "").split(":") if f]
    if not files:
        return tuple((type_line, text) for type_line in TYPE_LINES for text in TEMPLATES)
    from lawmage.model.cards import records

    found = records.merge([records.read_source(f) for f in files])
    return tuple((face.type_line, face.text) for r in found for face in r.faces if not face.missing and face.text)


def mutated(source: Source) -> tuple[str, str]:
    """A type line and a text out of pieces of texts."""
    type_line, text = source.of(texts())
    words = text.split(" ")
    for _ in range(source.below(6)):
        at = source.below(len(words) + 1)
        match source.below(6):
            case 0:
                del words[at : at + 1 + source.below(4)]
            case 1:
                words.insert(at, source.of(PIECES))
            case 2:
                other = source.of(texts())[1].split(" ")
                words[at:at] = other[source.below(len(other)) :]
            case 3:
                words[at:at] = words[max(0, at - 1 - source.below(5)) : at]
            case 4:
                words = words[:at] + [w.swapcase() for w in words[at : at + 2]] + words[at + 2 :]
            case _:
                words.insert(at, source.of(UNKNOWN))
    return type_line, " ".join(words)[:4000]


def with_unknown_word(source: Source) -> tuple[str, str, int]:
    """A text to which a word is added that no card uses, and the number of its line."""
    type_line, text = source.of(texts())
    lines = text.split("\n")
    n = source.below(len(lines))
    places = [m.end() for m in re.finditer(r"(?<=[\w,.}]) ", lines[n])]
    places = [at for at in places if not _says_nothing(lines[n], at)]
    if not places:
        return type_line, text, 0
    at = source.of(places)
    lines[n] = f"{lines[n][:at]}{source.of(UNKNOWN)} {lines[n][at:]}"
    return type_line, "\n".join(lines), n + 1


def _says_nothing(line: str, at: int) -> bool:
    """Whether this is a place in reminder text (207.2a) or in the words before a dash (ability words, 207.2c)."""
    in_reminder = line[:at].count("(") > line[:at].count(")")
    named = re.match(r"(?:[^:\"(]{0,60} )?— ", line[at:]) and not re.search(r"\bchooses?\b", line[:at], re.IGNORECASE)
    return in_reminder or bool(named)


def check_any(type_line: str, text: str) -> None:
    """The compiler answers, with statuses and subjects that there are."""
    with _soon(text):
        lines = compile_lines("Test Object", type_line, text)
        compile_text(text, ("Forest", "Test Object"))
    for line in lines:
        assert line.status in ("modelled", "irrelevant", "unread"), text
        assert {s.lstrip("+-") for s in line.subjects} <= set(SUBJECTS), text
        assert bool(line.subjects) is (line.status == "unread"), text


def check_unknown(type_line: str, text: str, number: int) -> None:
    """A line with a word that is not known is not understood; of a mode, the line that it belongs to may say so."""
    with _soon(text):
        lines = compile_lines("Test Object", type_line, text)
    if number:
        assert any(line.status == "unread" for line in _group(lines, text, number)), (number, text)


def _group(lines: tuple[Line, ...], text: str, number: int) -> tuple[Line, ...]:
    raw = text.split("\n")
    first = number
    while first > 1 and raw[first - 1].lstrip().startswith(("•", "+")):
        first -= 1
    return tuple(line for line in lines if line.n in (first, number))


@contextmanager
def _soon(text: str) -> Iterator[None]:
    """Fails where a text takes long."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds for {text!r}")

    if not hasattr(signal, "SIGALRM"):  # Windows
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def one(source: Source) -> None:
    """One text, of either kind."""
    if source.below(2):
        check_any(*mutated(source))
    else:
        check_unknown(*with_unknown_word(source))


def at_random(seed: int) -> None:
    """One text of this seed."""
    one(Source(random.Random(seed).randrange))


def main() -> None:
    try:
        atheris: Any = import_module("atheris")
    except ImportError:
        sys.exit("atheris is not installed; pytest -m long tests/test_oracle_fuzz.py mutates without coverage")

    compile_lines("Test Object", "Artifact", "{T}: Add {G}.")  # loads what is to be instrumented
    atheris.instrument_all()

    def fuzz(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        one(Source(lambda n: provider.ConsumeIntInRange(0, n - 1)))

    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
