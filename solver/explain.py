"""Why not: an irreducible set of facts that rules something out, and the words for it.

The facts of a board (facts.py) are dropped in blocks, then one by one, as long as the answer stays a no; those that
cannot be dropped are left. So each of them is needed: without it (and without those that do not matter) the answer is
a yes, and with all of them it is a no, whatever the others are. Every try is answered by the rooms that answer
questions; nothing is derived from the text of a reason.

Then the set is told: what is needed, who could make it, what stops each, each fact with its rule.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..model.abilities import Activated, AddMana, AnyMana, Card, Face, Line, TapSelf
from ..model.characteristics import view_of
from ..model.game import Game, Obj, Unknown
from ..model.mana import TYPES, Cost, ways_to_pay
from ..model.spending import Purpose, may_spend
from .answer import Reason
from .facts import Fact, facts_of, names
from .mana_net import Net, compile_net, with_pool
from .work import work_done

# More tries than this are not made, and none after so much work (in deterministic time, so that a question is explained
# alike on every machine); the answer then stands without such a set.
MOST_TRIES = 120
MOST_WORK = 5.0

# Whether it can be done in this game; None: not known.
Possible = Callable[[Game], bool | None]


class Core(NamedTuple):
    """An irreducible set: with these facts it is a no even if none of the `others` held, and with any one of them
    gone as well it is a yes."""

    facts: tuple[Fact, ...]
    others: tuple[Fact, ...]
    tries: int

    def of(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.facts if fact.kind in kinds]

    @property
    def absent(self) -> str:
        return "".join(fact.type for fact in self.facts if fact.kind == "absence")


class _GaveUp(Exception):
    pass


def without(game: Game, facts: Iterable[Fact]) -> Game:
    """The game in which none of these facts holds."""
    return Boards(game).without(facts)


class Boards:
    """Games in which some facts do not hold. Those that differ in nothing but the mana in the pool have the very same
    objects, which tells whoever compiles them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[frozenset[int], Game] = {}

    def without(self, facts: Iterable[Fact]) -> Game:
        some = list(facts)
        key = frozenset(id(fact) for fact in some if fact.kind != "absence")
        game = self.known.get(key)
        if game is None:
            game = self.game
            for fact in some:
                game = fact.drop(game) if fact.kind != "absence" else game
            self.known[key] = game
        for fact in some:
            game = fact.drop(game) if fact.kind == "absence" else game
        return game


class Nets:
    """Mana nets of boards, compiled once for those that differ only in the pool."""

    def __init__(self, player: str, before: bool) -> None:
        self.player, self.before = player, before
        self.known: dict[int, Net] = {}

    def of(self, game: Game) -> Net:
        net = self.known.get(id(game.objects))
        if net is not None and net.game.objects is game.objects and self._but_for_the_pool(net, game):
            return with_pool(net, game)
        net = compile_net(game, self.player, before=self.before)
        if not any(t.doubles for t in net.transitions):
            self.known[id(game.objects)] = net  # which keeps the objects, so that the id stays theirs
        return net

    def _but_for_the_pool(self, net: Net, game: Game) -> bool:
        now, then = game.players[self.player].but(pool=()), net.game.players[self.player].but(pool=())
        return now == then and game.turn == net.game.turn and game.stack == net.game.stack


def irreducible(facts: Sequence[Fact], possible: Callable[[Sequence[Fact]], bool | None]) -> Core | None:
    """The facts that rule it out, none of them superfluous; None where dropping all of them does not help, or where
    too much is unknown. `possible` says whether it could be done without some facts. What stands first is dropped
    first."""
    return _Shrinking(facts, possible).run()


class _Shrinking:
    def __init__(self, facts: Sequence[Fact], possible: Callable[[Sequence[Fact]], bool | None]) -> None:
        self.facts = facts
        self.possible = possible
        self.tries = 0
        self.until = work_done() + MOST_WORK
        self.dropped: list[Fact] = []
        self.kept: list[Fact] = []

    def run(self) -> Core | None:
        try:
            if self._would_be(self.facts) is not True:
                return None
            self._shrink(list(self.facts))
            if any(fact.both_ways for fact in self.facts):
                self._check()
        except _GaveUp:
            return None
        return Core(tuple(self.kept), tuple(self.dropped), self.tries)

    def _check(self) -> None:
        """What was needed may not be so any more when something that cuts both ways was dropped later."""
        for fact in list(self.kept):
            found = self._would_be([*self.dropped, fact])
            if found is None:
                raise _GaveUp
            if found is False:
                self.kept.remove(fact)
                self.dropped.append(fact)
                self._check()
                return

    def _would_be(self, facts: Sequence[Fact]) -> bool | None:
        """Whether it could be done without these facts. Those that cut both ways may hold or not."""
        found = self._try(facts)
        plain = [fact for fact in facts if not fact.both_ways]
        if found is not True and len(plain) < len(facts):
            also = self._try(plain)
            found = True if also else None if also is None else found
        return found

    def _try(self, facts: Sequence[Fact]) -> bool | None:
        self.tries += 1
        if self.tries > MOST_TRIES or work_done() > self.until:
            raise _GaveUp
        try:
            return self.possible(facts)
        except Unknown:
            return None

    def _shrink(self, block: list[Fact]) -> None:
        """Drops what can be dropped of the block: all of it at once, else half after half."""
        if not block:
            return
        found = self._would_be([*self.dropped, *block])
        if found is False:
            self.dropped += block
        elif len(block) > 1:
            half = len(block) // 2
            self._shrink(block[:half])
            self._shrink(block[half:])
        elif found is None:
            raise _GaveUp  # without this fact it is neither a yes nor a no
        else:
            self.kept += block


# --- the reasons of a no ----------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """What could not be done: the cost to pay (None: it may not even be proposed) and its purpose, the card or
    permanent that it is about, and what is done: pay, cast, activate."""

    player: str
    possible: Possible
    cost: Cost | None
    purpose: Purpose = Purpose()
    about: str | None = None
    action: str = "pay"
    before: bool = True


def why_not(game: Game, asked: Asked) -> tuple[Reason, ...] | None:
    """The reasons of a no: the whole in one sentence, then each fact of an irreducible set. None without one; a fault
    on the way is no reason to lose the answer, which stands by itself."""
    try:
        core = core_of(game, asked)
        return told(game, asked, core) if core is not None and core.facts else None
    except Unknown:
        return None
    except Exception as fault:
        # Not silently: a fault that only costs an explanation is seen nowhere else.
        logging.getLogger("lawmage").warning("a fault of the explanation, please report it: %r", fault)
        return None


def core_of(game: Game, asked: Asked) -> Core | None:
    """An irreducible set of the facts that rule out what is asked."""
    view = view_of(game)
    snow = asked.cost is not None and "{S}" in asked.cost.symbols
    facts = facts_of(view, asked.player, asked.about, asked.action, snow)
    boards = Boards(game)
    return irreducible(ordered(facts), lambda some: asked.possible(boards.without(some)))


_LAST = ("effect", "sick", "tapped", "absence", "timing")


def ordered(facts: Sequence[Fact]) -> list[Fact]:
    """What is told least gladly first: it is dropped first. An effect that forbids goes after all absences."""

    def place(fact: Fact) -> int:
        if fact.reason.code == "prohibited":
            return len(_LAST)
        return _LAST.index(fact.kind) if fact.kind in _LAST else -1

    return sorted(facts, key=place)


def told(game: Game, asked: Asked, core: Core) -> tuple[Reason, ...]:
    """The sentence, then the facts."""
    others = [fact.reason for fact in core.facts if fact.kind != "absence"]
    if not core.absent:
        if len(others) == 1:
            return tuple(others)
        code, rule = ("not_payable", "118.3") if asked.cost is not None else ("prohibited", "601.3")
        text = "; ".join(reason.text for reason in others)
        return (Reason(code, rule, _objects(asked), text), *others)
    telling = Telling(game, asked, core)
    absence, sentence = telling.absence(), telling.sentence()
    if not others:
        return (Reason(absence.code, absence.rule, absence.objects or _objects(asked), sentence),)
    return (Reason("not_payable", "118.3", _objects(asked), sentence), *others, absence)


def _objects(asked: Asked) -> tuple[str, ...]:
    return (asked.about,) if asked.about is not None and asked.action != "pay" else ()


class Telling:
    """The words for one set of facts in which mana is missing."""

    def __init__(self, game: Game, asked: Asked, core: Core) -> None:
        self.game = game
        self.asked = asked
        self.core = core
        self.absent = core.absent
        self.everything = set(TYPES) <= set(self.absent)
        self.cost = asked.cost if asked.cost is not None else Cost()
        self.needed = self._needed()
        self.types = self._types_needed()
        blockers = [fact for fact in core.facts if fact.kind != "absence"]
        self.net = _net(game, asked)
        self.could = _net(without(game, blockers), asked) if blockers else self.net

    def _needed(self) -> str:
        """The symbols of the cost that only the missing types can pay."""
        if self.everything:
            return str(self.cost)
        found = []
        for symbol in self.cost.symbols:
            fit = (way.n and not way.life and set(way.types) <= set(self.absent) for way in ways_to_pay(symbol))
            if all(fit) or (symbol == "{S}" and "S" in self.absent):
                found.append(symbol)
        return "".join(found)

    def _types_needed(self) -> str:
        if self.everything:
            return TYPES
        letters = {c for c in self.needed if c in TYPES} or set(self.absent) - {"S"}
        return "".join(t for t in TYPES if t in letters) or TYPES

    def sentence(self) -> str:
        """`{U} is needed; only Mystic Gate could make it, but it needs {W} or {U} first, and Forest gives only {G}`"""
        added = [fact.clause for fact in self.core.of("effect") if fact.reason.code == "sum"]
        start = f"{' and '.join(added)}; " if added else ""
        return start + (self._too_little() if self.everything else self._missing())

    def _too_little(self) -> str:
        n = self.cost.least_mana
        head = f"{self.cost} takes {n} mana"
        blocked = self._blocked(self.could, all_types=True)
        if blocked:
            return f"{head}; {blocked}, and what else is here is not enough"
        here = makers(self.net, self.asked.purpose, TYPES)
        pool = any(self.net.pool)
        if not here and not pool:
            return f"{head}, and nothing here makes mana"
        short = self.short()
        rest = "can be made here" if here else "is in the pool"
        return f"{head}, {f'{short} ' if short else ''}more than {rest}"

    def _missing(self) -> str:
        needed = self.needed or _or(self.types)
        head = f"{needed} {'is' if needed.count('{') == 1 or not self.needed else 'are'} needed"
        them = makers(self.could, self.asked.purpose, self.types)
        it = "it" if needed.count("{") == 1 or not self.needed else "them"
        pooled = [k for k, n in zip(self.net.kinds, self.net.pool, strict=True) if n and k.type in self.types]
        if pooled and not them:
            short = self.short()
            return f"{head}, {f'{short} ' if short else ''}more than is in the pool{self._fuel(them)}"
        if not them or self.needed == "{S}":
            blocked = self._blocked(self.could)
            also = f"; {blocked}" if blocked else ""
            return f"{head}, and nothing here makes {self._what()}{self._idle()}{self._fuel(them)}{also}"
        blocked = self._blocked(self.could)
        if blocked:
            usable = [oid for oid in makers(self.net, self.asked.purpose, self.types) if oid not in self._named()]
            rest = f" ({names(usable)} {'does' if len(usable) == 1 else 'do'} not suffice)" if usable else ""
            return f"{head}; only {names(them)} could make {it}, but {blocked}{rest}{self._fuel(them)}"
        short = self.short()
        few = f", which is {short} too few" if short else ", which is not enough"
        make = "makes" if len(them) == 1 else "make"
        return f"{head}; only {names(them)} {make} {_or(self.types)}{few}{self._idle()}{self._fuel(them)}"

    def _what(self) -> str:
        return "snow mana" if self.absent == "S" else _or(self.types)

    def _idle(self) -> str:
        """Permanents that could make it but for something that does not matter, as they would not be enough."""
        idle = [fact for fact in self.core.others if fact.kind in ("tapped", "sick")]
        if not idle:
            return ""
        more = makers(_net(without(self.game, idle), self.asked), self.asked.purpose, self.types)
        now = set(makers(self.net, self.asked.purpose, self.types))
        ids = [oid for fact in idle for oid in fact.objects if oid in more and oid not in now]
        return f" ({names(ids)} would not be enough, were {'it' if len(ids) == 1 else 'they'} ready)" if ids else ""

    def _named(self) -> set[str]:
        return {oid for fact in self.core.facts for oid in fact.objects}

    def _blocked(self, could: Net, all_types: bool = False) -> str:
        """What stops those that could make it, in one clause."""
        them = makers(could, self.asked.purpose, TYPES if all_types else self.types)
        said: dict[str, list[str]] = {}  # clause -> what it is said of; nothing where it names its own subject
        for fact in self.core.facts:
            if fact.kind == "absence" or fact.reason.code == "sum":
                continue
            own = fact.kind in ("tapped", "sick", "used", "own_cost", "condition", "restricted", "amount", "counters")
            said.setdefault(fact.clause or fact.reason.text, []).extend(fact.objects if own else ())
        clauses = [_clause(clause, ids, [] if all_types else them) for clause, ids in said.items()]
        return " and ".join(clauses) if len(clauses) < 3 else f"{', '.join(clauses[:-1])} and {clauses[-1]}"

    def _fuel(self, them: Sequence[str]) -> str:
        """What the others make instead, where mana is missing for an ability's own cost."""
        if set(self.absent) <= {*self.types, "S"}:
            return ""
        others = [oid for oid in makers(self.net, self.asked.purpose, TYPES, free=True) if oid not in them]
        if not others:
            return ", and nothing else makes mana"
        gives = types_of(self.net, others)
        return f", and {names(others)} {'gives' if len(others) == 1 else 'give'} only {_or(gives)}"

    def absence(self) -> Reason:
        """All that is missing as one fact."""
        if self.everything:
            return Reason("too_little_mana", "118.3", (), "nothing else here makes mana")
        others = makers(self.could, self.asked.purpose, self.types)
        code = "color_missing" if others else "nothing_makes"
        what = "snow mana" if self.absent == "S" else _or(self.absent.replace("S", ""))
        rule = next(f.reason.rule for f in self.core.facts if f.kind == "absence")
        return Reason(code, rule, tuple(others), f"nothing{' else' if others else ''} here makes {what}")

    def short(self) -> int | None:
        """How many more mana of the missing types would do; None beyond a few dozen, or where that is not known."""
        if self.absent == "S":
            return None
        low, high = 0, 1
        while self.asked.possible(with_sources(self.game, self.asked.player, high, self.absent)) is not True:
            low, high = high, high * 2
            if high > 64:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.asked.possible(with_sources(self.game, self.asked.player, middle, self.absent))
            low, high = (low, middle) if enough else (middle, high)
        return high


def _clause(clause: str, ids: Sequence[str], them: Sequence[str]) -> str:
    """What is said of these objects; where they are all that is spoken of, they are not named again."""
    if not ids:
        return clause
    each = "" if len(ids) == 1 or clause.startswith("are ") else "each "
    pronoun = "it" if len(ids) == 1 else "" if each else "they"
    subject = pronoun if set(ids) == set(them) else names(ids)
    return f"{subject} {each}{clause}".strip()


def _net(game: Game, asked: Asked) -> Net:
    return compile_net(game, asked.player, before=asked.before)


def makers(net: Net, purpose: Purpose, types: str, free: bool = False) -> list[str]:
    """The permanents and cards here whose abilities make mana of these types that may be spent on the purpose;
    `free`: whose ability costs no mana."""
    found: dict[str, None] = {}
    order = {oid: n for n, oid in enumerate(net.game.objects)}
    renewed = {p for t in net.transitions for p in t.gives}
    for t in net.transitions:
        if free and t.demand >= 0:
            continue
        if any(net.marking[p] < n and p not in renewed for p, n in t.takes.items()):
            continue  # nothing here can be tapped or taken for it
        kinds = [net.kinds[k] for k in (*t.makes, *(k for _, some in t.free for k in some))]
        if any(k.type in types and may_spend(k.only, purpose, net.view, net.player) for k in kinds):
            found.update(dict.fromkeys(t.cls.ids))
    return sorted(found, key=lambda oid: order.get(oid, 0))


def types_of(net: Net, ids: Sequence[str]) -> str:
    """The types of mana that these make."""
    found = {
        net.kinds[k].type
        for t in net.transitions
        if t.demand < 0 and t.cls.ids[0] in ids
        for k in (*t.makes, *(k for _, some in t.free for k in some))
    }
    return "".join(t for t in TYPES if t in found)


def _or(types: str) -> str:
    shown = [f"{{{t}}}" for t in types]
    return " or ".join(shown) if len(shown) < 3 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def with_sources(game: Game, player: str, n: int, types: str) -> Game:
    """The game with `n` more permanents that each tap for one mana of any of these types, and are nothing else."""
    types = types.replace("S", "")
    ability = Activated((TapSelf(),), (AddMana(AnyMana(types)),))
    card = Card("(another source)", (Face("(another source)", lines=(Line(1, "modelled", (ability,)),)),))
    more = [
        Obj(id=f"(another source)#{i}", card=card, zone="battlefield", controller=player, owner=player)
        for i in range(n)
    ]
    return game.put(*more)
