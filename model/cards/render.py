"""Structures of card text as words: what lawmage understood, said in short sentences of its own.

`ability_text` is the door. Each kind of structure has one function here; a structure that has none is written as its
name and fields, so nothing is ever left out silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec

from .. import abilities as a

COLOR_WORDS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green", "C": "colorless"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_WAYS: dict[type, Callable[[Any], str]] = {}


def _renders(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    def register(function: Callable[[Any], str]) -> Callable[[Any], str]:
        _WAYS[kind] = function
        return function

    return register


def words(node: Any) -> str:
    """Any structure in words."""
    way = _WAYS.get(type(node))
    if way:
        return way(node) + _rest(node, _UNSAID.get(type(node), ()))
    if isinstance(node, msgspec.Struct):
        return _plainly(node)
    if isinstance(node, tuple):
        return ", ".join(words(n) for n in node)
    return str(node)


# Fields that the functions below do not put into their sentences; they are said behind them.
_UNSAID: dict[type, tuple[str, ...]] = {
    a.ExileCost: ("distinct",),
    a.AddMana: ("unless",),
    a.Target: ("when",),
    a.CostChange: ("condition", "only_mana_abilities"),
    a.AdditionalCost: ("timing", "instead_of_types", "least_x"),
    a.AlternativeCost: ("reduce_by", "once_each_turn", "back_face", "face_down", "only", "least_x"),
    a.Permission: ("name", "only_for"),
    a.Prohibit: ("mana_ability_costs", "counter", "but_loyalty", "tap_symbol", "by", "by_kind"),
    a.ProductionReplacement: ("optional", "self_replacement", "everyone"),
    a.AttackRule: (
        "who",
        "planeswalkers",
        "if_defender",
        "unless_defender",
        "unless_they",
        "defended",
        "times",
        "keyword",
    ),
    a.Activated: ("only", "changes", "announced"),
    a.Triggered: ("least",),
    a.SpellAbility: ("choose", "announced"),
    a.EntersWith: ("what", "unread", "excepted"),
    a.GameRule: ("who", "like"),
    a.Filter: ("attached_to", "parity", "targets_player", "one_target"),
    a.SetTypes: ("keep_types",),
    a.Static: ("defining", "off_battlefield"),
    a.Do: ("abilities",),
}


def _rest(node: msgspec.Struct, names: tuple[str, ...]) -> str:
    """The fields of these names that are not at their defaults, in parentheses."""
    said = "; ".join(_fields(node, names))
    return f" ({said})" if said else ""


def _fields(node: msgspec.Struct, names: tuple[str, ...]) -> list[str]:
    shown = []
    for field in _fields_of(type(node)):
        value = getattr(node, field.name)
        if field.name in names and (field.required or value != field.default):
            name = field.name.rstrip("_").replace("_", " ")
            shown.append(name if value is True else f"{name} {words(value)}".strip())
    return shown


@cache
def _fields_of(cls: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(cls)  # it resolves all annotations each time


def _plainly(node: msgspec.Struct) -> str:
    """The name of the structure with those fields that are not at their defaults."""
    name = "".join(" " + c.lower() if c.isupper() else c for c in type(node).__name__).strip()
    return name + _rest(node, node.__struct_fields__)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    if not text:
        return ""
    first = text[0].upper() + text[1:]
    return first if first[-1] in '."' else first + "."


def _list(items: Iterable[str], last: str = "and") -> str:
    found = [i for i in items if i]
    if len(found) < 3:
        return f" {last} ".join(found)
    return ", ".join(found[:-1]) + f", {last} {found[-1]}"


def _named(color: str) -> str:
    return COLOR_WORDS.get(color, color)


def number(amount: Any) -> str:
    """An amount as a number word or a phrase."""
    if isinstance(amount, int):
        return NUMBERS[amount] if 0 <= amount < len(NUMBERS) else str(amount)
    return words(amount)


def plural(word: str, amount: Any) -> str:
    if amount == 1 or word.endswith("s"):
        return word
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


# --- references -----------------------------------------------------------------------------------------------------

_REFS = {
    "self": "this object",
    "host": "the object that this is attached to",
    "that": "that object",
    "spell": "that spell",
    "target": "the target",
    "linked": "the card put aside",
}
_PLAYERS = {
    "you": "you",
    "opponent": "an opponent",
    "opponents": "each opponent",
    "any": "any player",
    "active": "the active player",
    "controller": "its controller",
    "owner": "its owner",
    "that": "that player",
    "target": "target player",
    "chosen": "the chosen player",
    "nobody": "nobody",
}
_ZONES = {"battlefield": "", "stack": "", "hand": "in hand", "graveyard": "in the graveyard", "exile": "in exile"}
_ZONES |= {"library": "in the library", "command": "in the command zone", "any": ""}


def _player(who: str) -> str:
    return _PLAYERS.get(who, who)


def _whose(who: str) -> str:
    return {"you": "your", "opponent": "an opponent's", "opponents": "your opponents'", "any": "each player's"}.get(
        who, _player(who) + "'s"
    )


# --- descriptions ---------------------------------------------------------------------------------------------------


@_renders(a.Filter)
def _filter(f: a.Filter) -> str:
    if f.ref is not None and f == a.Filter(zone=f.zone, ref=f.ref):
        return _REFS.get(f.ref, f.ref)
    if f.me is True and f in (a.Filter(zone=f.zone, me=True),):
        return "this spell" if f.zone == "stack" else "this object"
    before = _adjectives(f)
    after = _clauses(f)
    noun = _noun(f)
    return " ".join(w for w in (*before, noun, *after) if w)


_FLAGS = {
    "tapped": ("tapped", "untapped"),
    "attacking": ("attacking", "not attacking"),
    "blocking": ("blocking", "not blocking"),
    "unblocked": ("unblocked", "blocked"),
    "token": ("token", "nontoken"),
    "commander": ("commander", "noncommander"),
    "face_down": ("face-down", "face-up"),
    "attached": ("enchanted or equipped", "unattached"),
    "modified": ("modified", "unmodified"),
    "historic": ("historic", "nonhistoric"),
    "kicked": ("kicked", "unkicked"),
    "foretold": ("foretold", "not foretold"),
}


_ATTACHED = {"Aura": "enchanted", "Equipment": "equipped", "Fortification": "fortified"}


def _adjectives(f: a.Filter) -> list[str]:
    out = []
    if f.me is False:
        out.append("other")
    for field, (yes, no) in _FLAGS.items():
        value = getattr(f, field, None)
        if value is not None:
            out.append(yes if value else no)
    if f.attached_by:
        out.append(_list([_ATTACHED[kind] for kind in f.attached_by], "or"))
    out += [w.lower() for w in f.supertypes]
    out += ["non" + w.lower() for w in f.not_supertypes]
    if f.color_count:
        out.append({"all": "all-color"}.get(f.color_count, f.color_count))
    if f.colors:
        out.append(_list([_named(c) for c in f.colors], "or"))
    out += ["non" + _named(c) for c in f.not_colors]
    out += ["non" + w.lower() for w in f.not_types]
    out += ["non-" + w for w in f.not_subtypes]
    return out


def _noun(f: a.Filter) -> str:
    kinds = [w.lower() for w in f.all_types]
    if f.any_of:
        inner = _list([_filter(o) for o in f.any_of], "or")
        rest = " ".join([*kinds, _list([t.lower() for t in f.types], "or"), _list(f.subtypes, "or")]).strip()
        return f"{rest} that is {inner}" if rest else inner
    if f.types:
        kinds.append(_list([t.lower() for t in f.types], "or"))
    if f.subtypes:
        kinds.insert(0, _list(f.subtypes, "or"))
    base = {"stack": "spell", "battlefield": "permanent", "any": "object"}.get(f.zone, "card")
    if f.me is True:
        base = "this " + base
    if f.zone in ("battlefield", "any") and kinds:
        return " ".join(kinds) + (" (this one)" if f.me is True else "")
    return " ".join([*kinds, base])


def _clauses(f: a.Filter) -> list[str]:
    out = [_ZONES.get(f.zone, "")]
    if f.controller != "any":
        out.append(f"{_player(f.controller)} control" + ("" if f.controller == "you" else "s"))
    if f.owner != "any":
        out.append(f"{_player(f.owner)} own" + ("" if f.owner == "you" else "s"))
    if f.attacked != "any":
        out.append(f"attacking {_player(f.attacked)}")
    if f.names:
        out.append("named " + _list(f.names, "or"))
    if f.ids:
        out.append("(" + _list(f.ids, "or") + ")")
    if f.not_names:
        out.append("not named " + _list(f.not_names, "or"))
    if f.ref is not None:
        out.append(f"that is {_REFS.get(f.ref, f.ref)}")
    if f.keyword:
        out.append(f"with {f.keyword}")
    if f.not_keyword:
        out.append(f"without {f.not_keyword}")
    if f.counter:
        out.append("with a counter on it" if f.counter == "any" else f"with a {f.counter} counter on it")
    out += [_bound(b) for b in f.bounds]
    if f.chosen:
        out.append("of the chosen " + _list([c.replace("_", " ") for c in f.chosen]))
    if f.not_chosen:
        out.append("not of the chosen " + _list([c.replace("_", " ") for c in f.not_chosen]))
    if f.shares:
        shared = _list([s.replace("_", " ") for s in f.shares], "or")
        out.append(f"that shares a {shared} with {_REFS.get(f.shares_with, f.shares_with)}")
    if f.has_mana_ability is not None:
        out.append("with a mana ability" if f.has_mana_ability else "without a mana ability")
    if f.has_x is not None:
        out.append("with {X} in its mana cost" if f.has_x else "without {X} in its mana cost")
    if f.entered_this_turn is not None:
        out.append("that entered this turn" if f.entered_this_turn else "that did not enter this turn")
    if f.adventure is not None:
        out.append("with an Adventure" if f.adventure else "without an Adventure")
    if f.ability:
        out.append("that is an ability" if f.ability == "only" else "or an ability")
    if f.linked is not None:
        out.append("exiled with it" if f.linked else "not exiled with it")
    if f.unstated:
        out.append("of which situations do not state whether it is meant")
    if f.from_zone:
        out.append(f"cast from {f.from_zone}")
    if f.not_from_zone:
        out.append(f"not cast from {f.not_from_zone}")
    if f.targets is not None:
        out.append(f"that targets {_filter(f.targets)}")
    if getattr(f, "noted", ""):
        out.append(f"({f.noted})")
    out += [f"that is not {_filter(n)}" for n in f.none_of]
    return out


_OPS = {"==": "equal to", "!=": "other than", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}


@_renders(a.Bound)
def _bound(b: a.Bound) -> str:
    stat = b.stat.replace("_", " ").replace("+", " plus ")
    return f"with {stat} {'' if b.op == '==' else _OPS[b.op] + ' '}{words(b.value)}"


# --- amounts --------------------------------------------------------------------------------------------------------

_renders(a.X)(lambda _: "X")
_renders(a.Count)(lambda n: f"the number of {_many(n.of)}")
_renders(a.ChosenNumber)(lambda _: "the chosen number")
_renders(a.Party)(lambda _: "the number of creatures in your party")
_renders(a.HandSize)(lambda n: f"the number of cards in {_whose(n.who)} hand")


def _many(f: a.Filter) -> str:
    """ "Forests you control", "red creatures"."""
    what = _filter(f)
    if what.startswith(_DEFINITE) or f.any_of or f.me is True:
        return what
    noun = _noun(f)
    before, found, after = what.partition(noun)
    return before + _plural_noun(noun) + after if found else what


_PLURALS = {"Elf": "Elves", "Dwarf": "Dwarves", "Wolf": "Wolves", "Plains": "Plains", "Locus": "Loci"}


def _plural_noun(noun: str) -> str:
    """Of alternatives each: "artifacts or creatures"."""
    parts = [part.split(" ") for part in noun.split(" or ")]
    return " or ".join(" ".join((*words[:-1], _PLURALS.get(words[-1]) or plural(words[-1], 2))) for words in parts)


@_renders(a.Devotion)
def _devotion(d: a.Devotion) -> str:
    return "your devotion to " + ("the chosen color" if d.chosen else _list([_named(c) for c in d.colors]))


@_renders(a.Counters)
def _counters(c: a.Counters) -> str:
    kind = f"{c.kind} counters" if c.kind else "counters"
    return f"the number of {kind} on " + (_filter(c.among) if c.among else _REFS.get(c.on, c.on))


@_renders(a.PlayerCounters)
def _player_counters(c: a.PlayerCounters) -> str:
    return f"the number of {c.kind} counters that {_player(c.who)} has"


@_renders(a.Stat)
def _stat(s: a.Stat) -> str:
    return f"the {s.stat.replace('_', ' ')} of {_REFS.get(s.of, s.of)}"


@_renders(a.Among)
def _among(s: a.Among) -> str:
    how = {"total": "total", "greatest": "greatest", "least": "least", "different": "number of different"}[s.how]
    return f"the {how} {s.what.replace('_', ' ')} among {_many(s.of)}"


@_renders(a.Life)
def _life(n: a.Life) -> str:
    return f"{_whose(n.who)} {'starting ' if n.what == 'starting' else ''}life total"


@_renders(a.ThisTurn)
def _this_turn(n: a.ThisTurn) -> str:
    like = f" ({_filter(n.of)})" if n.of else ""
    return f"the {n.what.replace('_', ' ')} this turn of {_player(n.who)}{like}"


@_renders(a.PlayerCount)
def _player_count(n: a.PlayerCount) -> str:
    return {"opponents": "the number of your opponents", "any": "the number of players"}.get(n.who, "one")


_renders(a.NotStated)(lambda _: "a number that situations do not state")


@_renders(a.OfPlayers)
def _of_players(n: a.OfPlayers) -> str:
    return f"the {n.how} among {_player(n.who)} of {words(n.of)}"


@_renders(a.PoolTotal)
def _pool_total(n: a.PoolTotal) -> str:
    kinds = _list([_named(t) for t in n.types], "or")
    return f"the amount of unspent {kinds + ' ' if kinds else ''}mana you have"


@_renders(a.LinkedCount)
def _linked_count(n: a.LinkedCount) -> str:
    return "the number of cards put aside with it"


@_renders(a.UpTo)
def _up_to(n: a.UpTo) -> str:
    return f"any number up to {words(n.most)}"


@_renders(a.Calc)
def _calc(c: a.Calc) -> str:
    args = [words(x) for x in c.args]
    if c.op in ("half_up", "half_down"):
        return f"half {args[0]}, rounded {c.op[5:]}"
    if c.op in ("max", "min"):
        return f"the {'greater' if c.op == 'max' else 'lesser'} of {_list(args)}"
    return {"+": " plus ", "-": " minus ", "*": " times "}[c.op].join(args)


# --- conditions -----------------------------------------------------------------------------------------------------


@_renders(a.Compare)
def _compare(c: a.Compare) -> str:
    if isinstance(c.left, a.Count) and c.op == ">=" and isinstance(c.right, int):
        of = c.left.of
        return f"there is {_one(of)}" if c.right == 1 else f"there are {number(c.right)} or more {_many(of)}"
    if isinstance(c.left, a.Count) and c.op == "==" and c.right == 0:
        return f"there is no {_filter(c.left.of)}"
    return f"{words(c.left)} is {_OPS[c.op]} {words(c.right)}"


@_renders(a.Is)
def _is(c: a.Is) -> str:
    what = _filter(c.like)
    for noun in (" object", " permanent"):  # "is untapped", not "is untapped permanent"
        what = what.removesuffix(noun)
    return f"{_REFS.get(c.ref, c.ref)} is {what}"


@_renders(a.Turn)
def _turn(c: a.Turn) -> str:
    whose = {"any": "", "you": "it is your turn", "opponents": "it is not your turn"}.get(
        c.whose, f"it is {_whose(c.whose)} turn"
    )
    steps = f"it is {_list(c.steps, 'or')}" if c.steps else ""
    early = f"it is one of that player's first {c.early} turns" if c.early else ""
    return " and ".join(x for x in (whose, steps, early) if x) or "at any time"


@_renders(a.Status)
def _status(c: a.Status) -> str:
    if c.what == "chapters_resolved":
        return "its chapters have resolved"
    return f"{_player(c.of)}: {c.what.replace('_', ' ')}"


_renders(a.Chosen)(lambda c: f"the chosen {c.what} is {c.value}")
_renders(a.Paid)(lambda c: f"{c.what} was paid")
_renders(a.Not)(lambda c: f"not: {words(c.of)}")
_renders(a.AllOf)(lambda c: _list([words(x) for x in c.of]))
_renders(a.AnyOf)(lambda c: _list([words(x) for x in c.of], "or"))


# --- costs ----------------------------------------------------------------------------------------------------------


def cost_text(parts: Iterable[Any]) -> str:
    """A whole cost: "{2}, {T}, sacrifice this object"."""
    return ", ".join(words(p) for p in parts)


def _some(n: Any, f: a.Filter) -> str:
    what = _filter(f)
    if n == 1:
        return what if what.startswith(("this", "the ", "that")) else _article(what)
    return f"{number(n)} {_many(f)}"


def _article(what: str) -> str:
    return ("an " if what[:1].lower() in "aeiou" else "a ") + what


_DEFINITE = ("this ", "that ", "the ", "any ", "each ", "another ", "enchanted ")


def _one(f: a.Filter) -> str:
    """ "a Forest you control", "this object"."""
    what = _filter(f)
    return what if what.startswith(_DEFINITE) else _article(what)


def _each(f: a.Filter) -> str:
    """ "each Forest you control", "this object"."""
    what = _filter(f)
    return what if what.startswith(_DEFINITE) else "each " + what


@_renders(a.ManaPart)
def _mana_part(p: a.ManaPart) -> str:
    times = "" if p.repeat == 1 else f" times {words(p.repeat)}"
    return ("waterbend " if p.waterbend else "") + ("its mana cost" if p.own else p.cost) + times


_renders(a.TapSelf)(lambda _: "{T}")
_renders(a.UntapSelf)(lambda _: "{Q}")
_renders(a.Sacrifice)(lambda p: f"sacrifice {_some(p.n, p.what)}")
_renders(a.PayLife)(lambda p: f"pay {words(p.n)} life")
_renders(a.PayPlayerCounters)(lambda p: f"pay {words(p.n)} {p.kind}")
_renders(a.UntapOthers)(lambda p: f"untap {_some(p.n, p.what)}")
_renders(a.ReturnToHand)(lambda p: f"return {_some(p.n, p.what)} to its owner's hand")
_renders(a.MoveCost)(lambda p: f"put {_some(p.n, p.what)} into the {p.to}")
_renders(a.Mill)(lambda p: f"mill {number(p.n)}")
_renders(a.Reveal)(lambda p: f"reveal {_some(p.n, p.what)}")
_renders(a.Exert)(lambda _: "exert this object")
_renders(a.Unread)(lambda _: "(not understood)")
_renders(a.OneOf)(lambda p: _list([cost_text(o) for o in p.options], "or"))


@_renders(a.RemoveCounters)
def _remove_counters(p: a.RemoveCounters) -> str:
    kind = f"{p.kind} " if p.kind else ""
    spread = " in all" if p.spread else ""
    return f"remove {number(p.n)} {kind}{plural('counter', p.n)}{spread} from {_filter(p.from_)}"


@_renders(a.PutCounters)
def _put_counters(p: a.PutCounters) -> str:
    return f"put {number(p.n)} {p.kind} {plural('counter', p.n)} on {_filter(p.on)}"


@_renders(a.TapOthers)
def _tap_others(p: a.TapOthers) -> str:
    if p.total_power is not None:
        return f"tap any number of untapped {_filter(p.what)} with total power {p.total_power} or greater"
    what = _filter(p.what) if p.what.tapped is not None else "untapped " + _filter(p.what)
    return f"tap {_article(what) if p.n == 1 else f'{number(p.n)} {what}'}"


@_renders(a.Discard)
def _discard(p: a.Discard) -> str:
    if p.whole_hand:
        return "discard your hand"
    if p.what.me is True:
        return "discard this card"
    what = _filter(msgspec.structs.replace(p.what, zone="any")) if p.what.zone == "hand" else _filter(p.what)
    what = "card" if what == "object" else what if what.endswith("card") else what + " card"
    return f"discard {_article(what) if p.n == 1 else f'{number(p.n)} {plural(what, 2)}'}" + (
        " at random" if p.random else ""
    )


@_renders(a.ExileCost)
def _exile_cost(p: a.ExileCost) -> str:
    total = f" with total mana value at least {words(p.total_mana_value)}" if p.total_mana_value is not None else ""
    return f"exile {_some(p.n, p.what)}{total}"


@_renders(a.Loyalty)
def _loyalty(p: a.Loyalty) -> str:
    if p.x:
        return "[-X]"
    return f"[{'+' if p.n > 0 else ''}{p.n}]"


# --- mana -----------------------------------------------------------------------------------------------------------

_renders(a.Fixed)(lambda m: m.mana or "no mana")
_renders(a.OneOfMana)(lambda m: _list(m.options, "or"))
_renders(a.OfCost)(lambda m: f"mana of the symbols in the mana cost of {_REFS.get(m.ref, m.ref)}")
_renders(a.NotedMana)(lambda _: "mana of the noted type")
_renders(a.SameAsLost)(lambda _: "as much mana of each type as you have")
_renders(a.ColorsOf)(lambda m: f"one mana of any of the colors of {_REFS.get(m.ref, m.ref)}")


@_renders(a.AnyMana)
def _any_mana(m: a.AnyMana) -> str:
    return f"mana of {_kinds(m.types)}"


def _kinds(types: str) -> str:
    if types == "WUBRG":
        return "any color"
    if types == "WUBRGC":
        return "any type"
    return _list([f"{{{t}}}" for t in types], "or")


@_renders(a.ChosenColor)
def _chosen_color(m: a.ChosenColor) -> str:
    also = "".join(f"{{{c}}}" for c in m.also.strip("{}"))
    return f"{also} or mana of the chosen color" if also else "mana of the chosen color"


@_renders(a.CommanderColors)
def _commander_colors(m: a.CommanderColors) -> str:
    each = "each color" if m.how == "each" else "any color"
    return f"mana of {each} in your commander's color identity"


@_renders(a.CouldProduce)
def _could_produce(m: a.CouldProduce) -> str:
    return f"mana of {'each' if m.how == 'each' else 'any'} {m.domain} that {_article(_filter(m.what))} could produce"


@_renders(a.Produced)
def _produced(m: a.Produced) -> str:
    return f"mana of any {m.domain} that was produced"


@_renders(a.ColorsAmong)
def _colors_among(m: a.ColorsAmong) -> str:
    return f"mana of {'each' if m.how == 'each' else 'any'} color among {_filter(m.what)}"


def mana_text(what: Any, amount: Any) -> str:
    """What is added, with its amount."""
    plain = words(what)
    if isinstance(what, a.Fixed | a.OneOfMana | a.SameAsLost):
        return plain if amount == 1 else f"{plain} times {words(amount)}"
    how = {"one": " (one choice)", "different": " (all different)"}.get(getattr(what, "how", ""), "")
    if amount == 1:
        return f"one {plain}" if plain.startswith("mana") else plain
    if isinstance(amount, int):
        return f"{number(amount)} {plain}{how if isinstance(what, a.AnyMana) else ''}"
    return f"an amount of {plain}{how if isinstance(what, a.AnyMana) else ''} equal to {words(amount)}"


@_renders(a.SpendOnly)
def _spend_only(s: a.SpendOnly) -> str:
    uses = [f"cast {_article(_filter(f))}" for f in s.spells]
    uses += [f"activate an ability of {_article(_filter(f))}" for f in s.abilities]
    uses += [f"pay for {p}" for p in s.purposes]
    if s.not_generic:
        return "it can't pay generic costs"
    return ("it can't be spent to " if s.forbid else "spend it only to ") + _list(uses, "or")


# --- effects --------------------------------------------------------------------------------------------------------


@_renders(a.AddMana)
def _add_mana(e: a.AddMana) -> str:
    who = "" if e.to == "you" else f"{_player(e.to)} adds "
    text = (who or "add ") + mana_text(e.what, e.amount)
    if e.only_if is not None:
        text = f"if {words(e.only_if)}, {text}"
    for instead in e.instead_if:
        text += f"; instead {mana_text(instead.what, instead.amount)} if {words(instead.condition)}"
    if e.only is not None:
        text += f"; {words(e.only)}"
    if e.riders:
        text += f"; with it comes: {_list([r.replace('_', ' ') for r in e.riders])}"
    if e.keeps:
        text += "; it is not lost as steps and phases end"
    return text


_renders(a.Damage)(lambda e: f"this object deals {words(e.n)} damage to {_player(e.to)}")
_renders(a.LoseLife)(lambda e: f"{_player(e.to)} lose{'' if e.to == 'you' else 's'} {words(e.n)} life")


@_renders(a.Become)
def _become(e: a.Become) -> str:
    until = {"forever": "from now on", "combat": "this combat"}.get(e.until, "until " + e.until.replace("_", " "))
    return f"{until}: {' '.join(ability_text(x) for x in e.abilities)}"


@_renders(a.Do)
def _do(e: a.Do) -> str:
    who = "" if e.who == "you" else _player(e.who) + " does: "
    many = "" if e.n == 1 else " " + words(e.n)
    what = f" ({_filter(e.objects)})" if e.objects is not None else ""
    detail = f" [{e.detail}]" if e.detail else ""
    return f"{'may ' if e.optional else ''}{who}{e.what.replace('_', ' ')}{many}{what}{detail}"


@_renders(a.Target)
def _target(t: a.Target) -> str:
    if t.any_target:
        return "any other target" if t.apart else "any target"
    what = _filter(t.what) if t.what is not None else _player(t.players or "any")
    what = f"other {what}" if t.apart else what
    what += " of whom something is asked that situations do not state" if t.unstated else ""
    return "target " + what if t.least == t.most == 1 else f"{words(t.least)} to {words(t.most)} target {what}"


def _effects(effects: tuple[Any, ...], targets: tuple[Any, ...], modes: tuple[Any, ...] = ()) -> str:
    said = [words(e) for e in effects]
    if targets:
        said.insert(0, "(" + _list([_target(t) for t in targets]) + ")")
    if modes:
        said.append("choose: " + " • ".join(_mode(m) for m in modes))
    return "; ".join(said)


def _mode(m: a.Mode) -> str:
    cost = f"({cost_text(m.cost)}) " if m.cost else ""
    return cost + (_effects(m.effects, m.targets) or "something outside of the model")


# --- static effects -------------------------------------------------------------------------------------------------

_renders(a.Copy)(lambda e: f"{_each(e.what)} is a copy of {_REFS.get(e.of, e.of)}")
_renders(a.Control)(lambda e: f"{_player(e.who)} control{'' if e.who == 'you' else 's'} {_each(e.what)}")
_renders(a.MustTarget)(
    lambda e: f"{_player(e.who)} must choose {_one(e.what)} as one of the targets of each spell and ability, if able"
)
_renders(a.Unsettled)(lambda e: f"{_each(e.what)} is changed in a way that is not modelled: {_list(e.aspects)}")


@_renders(a.CrewPower)
def _crew_power(e: a.CrewPower) -> str:
    how = "its toughness rather than its power" if e.toughness else f"its power as though it were {e.plus} greater"
    return f"{_each(e.what)} {_list([f'{d}s' for d in e.deeds])} with {how}"


_renders(a.HasteLike)(lambda e: f"abilities of {_each(e.what)} may be activated as though it had haste")
_renders(a.SkipStep)(lambda e: f"{_player(e.who)} skips the {e.step} step")


@_renders(a.SetTypes)
def _set_types(e: a.SetTypes) -> str:
    gains = [w.lower() for w in (*e.supertypes, *e.types)] + list(e.subtypes)
    if e.all_creature_types:
        gains.append("every creature type")
    if e.chosen_type:
        gains.append("of the chosen type")
    parts = []
    if gains:
        parts.append("is " + " ".join(gains) + (" in addition to its other types" if e.keep else ""))
    if e.lose_types or e.lose_supertypes:
        parts.append("is no longer " + _list([w.lower() for w in (*e.lose_types, *e.lose_supertypes)], "or"))
    if e.lose_subtypes:
        parts.append("loses its other subtypes")
    if e.lose_creature_types:
        parts.append("loses all creature types")
    if e.name:
        parts.append(f"is named {e.name}")
    return f"{_each(e.what)} {_list(parts)}"


@_renders(a.LandTypes)
def _land_types(e: a.LandTypes) -> str:
    kinds = "every basic land type" if e.every else "the chosen type" if e.chosen else _list(e.types)
    if not kinds:
        return f"{_each(e.what)} loses all land types"
    return f"{_each(e.what)} is {_article(kinds) if len(e.types) == 1 else kinds}" + (
        " in addition to its other types" if e.keep else ""
    )


@_renders(a.SetColors)
def _set_colors(e: a.SetColors) -> str:
    colors = "the chosen color" if e.chosen else _list([_named(c) for c in e.colors]) or "colorless"
    return f"{_each(e.what)} is {colors}" + (" in addition to its other colors" if e.keep else "")


@_renders(a.GrantAbilities)
def _grant(e: a.GrantAbilities) -> str:
    has = [*e.keywords, *(f'"{ability_text(x)}"' for x in e.abilities)]
    return f"{_each(e.what)} has {_list(has)}"


@_renders(a.GainAbilities)
def _gain(e: a.GainAbilities) -> str:
    kind = "activated and triggered" if e.triggered else "activated"
    but = f", except for {e.but} abilities" if e.but else ""
    limit = f" (each only {_times_a_turn(e.limit)})" if e.limit else ""
    return f"{_each(e.what)} has all {kind} abilities of {_each(e.of)}{but}{limit}"


def _times_a_turn(n: int) -> str:
    return "once each turn" if n == 1 else f"{number(n)} times each turn"


@_renders(a.AbilityAlternative)
def _ability_alternative(e: a.AbilityAlternative) -> str:
    first = "the first of the " if e.first_each_turn else ""
    each = "" if e.abilities == a.Filter(zone="any") else f" of {_each(e.abilities)}"
    turn = " each turn" if e.first_each_turn else ""
    return f"{_player(e.who)} may pay {first}{e.keyword} costs{each}{turn} like this instead: {cost_text(e.cost)}"


@_renders(a.AbilityTiming)
def _ability_timing(e: a.AbilityTiming) -> str:
    kind = f"{e.keyword} " if e.keyword else ""
    each = "" if e.abilities == a.Filter(zone="any") else f" of {_each(e.abilities)}"
    return f"{_player(e.who)} may activate {kind}abilities{each} at instant speed"


@_renders(a.MoreActivations)
def _more_activations(e: a.MoreActivations) -> str:
    each = "" if e.abilities == a.Filter(zone="any") else f" of {_each(e.abilities)}"
    times = "one more time" if e.extra == 1 else f"{number(e.extra)} more times"
    return f"{_player(e.who)} may activate each {e.keyword} ability{each} {times} than it says"


@_renders(a.LoseAbilities)
def _lose(e: a.LoseAbilities) -> str:
    what = _list(e.keywords) or ("all abilities but mana abilities" if e.but_mana else "all abilities")
    return f"{_each(e.what)} loses {what}" + (" and can't have or gain them" if e.cant_have else "")


@_renders(a.PowerToughness)
def _power_toughness(e: a.PowerToughness) -> str:
    if e.how == "switch":
        return f"{_each(e.what)} has its power and toughness switched"
    if e.how == "modify":
        return f"{_each(e.what)} gets {_signed(e.power)}/{_signed(e.toughness)}"
    numbers = "/".join("-" if x is None else words(x) for x in (e.power, e.toughness))
    return f"{_each(e.what)} has {'base ' if e.how == 'set' else ''}power and toughness {numbers}"


def _signed(n: Any) -> str:
    if n is None:
        return "+0"
    return f"{n:+d}" if isinstance(n, int) else f"+{words(n)}"


@_renders(a.CostChange)
def _cost_change(e: a.CostChange) -> str:
    what = []
    who = "" if e.who == "any" else f" that {_player(e.who)} cast{'' if e.who == 'you' else 's'}"
    if e.spells is not None:
        what.append(_each(e.spells) + ("" if e.spells.me is True else who))
    if e.abilities is not None:
        keyword = f"{e.keyword} " if e.keyword else ""
        what.append(f"{keyword}abilities of {_each(e.abilities)}{who.replace('cast', 'activate')}")
    elif e.keyword:
        what.append(f"{e.keyword} costs")
    times = "" if e.times == 1 else f" times {words(e.times)}"
    text = f"{_list(what, 'or') or 'this'} costs {e.amount}{times} {e.how}"
    extras = {
        f"not less than {number(e.floor)} mana": e.floor,
        "colored mana only": e.colored_only,
        "the first each turn": e.first_each_turn,
        "for each target beyond the first": e.per_target,
        "mana abilities excepted": e.no_mana_abilities,
    }
    said = [k for k, v in extras.items() if v]
    if e.targets is not None:
        said.append(f"where the target is {_one(e.targets)}")
    if e.also:
        said.append("and " + cost_text(e.also))
    if e.pay:
        said.append("for " + cost_text(e.pay))
    return text + (f" ({'; '.join(said)})" if said else "")


@_renders(a.LeastCost)
def _least_cost(e: a.LeastCost) -> str:
    when = "as long as this object is untapped, " if e.while_untapped else ""
    return f"{when}{_each(e.spells)} that would cost less than {number(e.n)} mana costs {number(e.n)} mana"


@_renders(a.AdditionalCost)
def _additional_cost(e: a.AdditionalCost) -> str:
    may = f"{_player(e.who) if e.who != 'any' else 'you'} may " if e.optional else ""
    name = f"{e.name}: " if e.name else ""
    many = ", any number of times" if e.many else ", for each target beyond the first" if e.per_target else ""
    less = f" (which reduces the cost: {e.reduces})" if e.reduces else ""
    return f"{name}as an additional cost of {_each(e.spells)}, {may}{cost_text(e.cost)}{many}{less}"


@_renders(a.AlternativeCost)
def _alternative_cost(e: a.AlternativeCost) -> str:
    cost = cost_text(e.cost) or "nothing"
    name = f"{e.name}: " if e.name else ""
    zones = "" if e.zones == ("hand",) else " from " + _list(e.zones, "or")
    when = f" if {words(e.condition)}" if e.condition is not None else ""
    timing = {"flash": " at any time an instant could be cast", "sorcery": " only as a sorcery"}.get(e.timing, "")
    only_mana = all(isinstance(part, a.ManaPart) for part in e.cost)
    price = f"for {cost}" if only_mana else f"at this cost: {cost}"
    return f"{name}{_player(e.who)} may cast {_one(e.spells)}{zones}{timing}{when} {price}"


@_renders(a.Permission)
def _permission(e: a.Permission) -> str:
    can = []
    zones = f" from {_list(e.zones, 'or')}" if e.zones else ""
    top = " (the top card)" if e.top_of_library else ""
    if e.extra_land_drops:
        can.append(f"play {number(e.extra_land_drops)} more land each turn")
    if e.spells is not None:
        flash = " as though it had flash" if e.flash else ""
        can.append(f"cast {_one(e.spells)}{zones}{top}{flash}")
    if e.lands is not None:
        can.append(f"play {_one(e.lands)}{zones}{top}")
    limits = [w for w, on in (("once each turn", e.once_each_turn), ("on your turn", e.your_turn_only)) if on]
    if e.also_pay:
        limits.append("for " + cost_text(e.also_pay) + " more")
    return f"{_player(e.who)} may {_list(can)}" + (f" ({', '.join(limits)})" if limits else "")


_PASSIVE = ("be_countered", "be_blocked", "enter", "leave_graveyard", "attack", "block", "untap", "tap")


@_renders(a.Prohibit)
def _prohibit(e: a.Prohibit) -> str:
    action = e.action.replace("_", " ")
    what = "" if e.what == a.Filter(zone="any") else f": {_one(e.what)}"
    limits = []
    if e.action == "activate":
        what = f" abilities of {_each(e.what)}"
        if e.keyword:
            what = f" {e.keyword}{what}"
        if not e.mana_abilities:
            limits.append("mana abilities excepted")
    if e.limit:
        limits.append(f"more than {number(e.limit)} each turn")
    if e.unless:
        limits.append("unless they pay " + cost_text(e.unless))
    if e.as_cost:
        limits.append("as a cost")
    if e.caused_by:
        limits.append(f"because of spells and abilities of {_player(e.caused_by)}")
    if e.timing:
        limits.append("but when they could cast a sorcery")
    if e.action in _PASSIVE:
        text = f"{_each(e.what)} can't {action}"
        return text + (f" ({'; '.join(limits)})" if limits else "")
    who = {"any": "players", "opponents": "opponents"}.get(e.who, _player(e.who))
    return f"{who} can't {action}{what}" + (f" ({'; '.join(limits)})" if limits else "")


@_renders(a.ManaLimit)
def _mana_limit(e: a.ManaLimit) -> str:
    if e.no_mana:
        return "no mana can be spent to pay for it"
    kinds = "mana of the chosen color" if e.chosen else f"{_kinds(e.types)} mana" if e.types != "WUBRGC" else "mana"
    source = f" from {_many(e.source)}" if e.source is not None else ""
    return f"only {kinds}{source} can be spent on {'{X}' if e.on_x else 'it'}"


@_renders(a.SpendAs)
def _spend_as(e: a.SpendAs) -> str:
    if e.life_for:
        return f"{_player(e.who)} may pay 2 life for each {e.life_for}"
    on = [f"cast {_filter(e.spells)}"] if e.spells is not None else []
    if e.abilities is not None:
        on.append(f"activate abilities of {_each(e.abilities)}")
    purpose = " to " + _list(on, "or") if on and not e.anything else ""
    kinds = "any" if e.types == "WUBRGC" else _kinds(e.types)
    rest = ", and other mana only as though it were colorless" if e.others_colorless else ""
    snow = " from snow sources" if e.snow else ""
    return (
        f"{_player(e.who)} may spend {kinds} mana{snow} as though it were mana of {_kinds(e.as_types)}{purpose}{rest}"
    )


@_renders(a.DontUntap)
def _dont_untap(e: a.DontUntap) -> str:
    verb = "may be kept from untapping" if e.optional else "doesn't untap"
    whose = "its controller's" if e.who == "any" else _whose(e.who)
    return f"{_each(e.what)} {verb} during {whose} untap step"


@_renders(a.UntapCap)
def _untap_cap(e: a.UntapCap) -> str:
    who = {"any": "players", "opponents": "opponents"}.get(e.who, _player(e.who))
    return f"{who} can't untap more than {number(e.n)} {_filter(e.what)} in an untap step"


@_renders(a.AlsoUntaps)
def _also_untaps(e: a.AlsoUntaps) -> str:
    return f"{_each(e.what)} untaps during {_whose(e.during)} untap step as well"


@_renders(a.MaxHandSize)
def _max_hand_size(e: a.MaxHandSize) -> str:
    how = {
        "none": "no maximum hand size",
        "set": f"a maximum hand size of {words(e.n)}",
        "plus": f"a maximum hand size greater by {words(e.n)}",
        "minus": f"a maximum hand size less by {words(e.n)}",
    }[e.how]
    return f"{_player(e.who)} {'have' if e.who == 'you' else 'has'} {how}"


@_renders(a.ProductionReplacement)
def _production_replacement(e: a.ProductionReplacement) -> str:
    if e.event == "tapped_for_mana":
        tapper = "" if e.tapper == "any" else f" by {_player(e.tapper)}"
        start = f"if {_one(e.what)} is tapped for mana{tapper}"
    else:
        start = f"if {_one(e.what)} would add mana"
    if e.least > 1:
        start += f" and {number(e.least)} or more would be produced"
    touched = f" of its {_list([_named(t) for t in e.only_types])} mana" if e.only_types else ""
    makes = words(e.makes) if e.makes is not None else "the same mana"
    amount = "one " if e.amount == 1 else "" if e.amount is None else f"{number(e.amount)} "
    factor = f"{number(e.factor)} times as much of " if e.factor != 1 else ""
    when = f", as long as {words(e.condition)}" if e.condition is not None else ""
    return f"{start}, it produces {factor}{amount}{makes} instead{touched}{when}"


@_renders(a.AttackRule)
def _attack_rule(e: a.AttackRule) -> str:
    by = f" by {_filter(e.by)}" if e.by is not None else ""
    n = "" if e.n == 1 else f" ({e.n})"
    cost = f" for {cost_text(e.cost)}" if e.cost else ""
    return f"{_filter(e.what)}: {e.kind.replace('_', ' ')}{n}{by}{cost}"


@_renders(a.KeepMana)
def _keep_mana(e: a.KeepMana) -> str:
    kind = "unspent" if e.types == "WUBRGC" else "unspent " + _list([_named(t) for t in e.types])
    return f"{_whose(e.who)} {kind} mana is not lost as steps and phases end"


_renders(a.GameRule)(lambda e: f"rule changed: {e.what.replace('_', ' ')}")


# --- abilities ------------------------------------------------------------------------------------------------------


def ability_text(ability: Any) -> str:
    """One ability as a sentence or two."""
    return sentence(words(ability))


@_renders(a.Activated)
def _activated(x: a.Activated) -> str:
    limits = []
    if x.timing:
        limits.append(f"activate only as {_article(x.timing)}")
    if x.limit:
        limits.append("activate only " + ("once" if x.limit == 1 else f"{number(x.limit)} times") + " each turn")
    if x.once:
        limits.append("activate only once")
    limits += [f"activate only if {words(c)}" for c in x.conditions]
    if x.who != "you":
        limits.append(f"{_player(x.who)} may activate this")
    if x.zone != "battlefield":
        limits.append(f"from the {x.zone}")
    effect = _effects(x.effects, x.targets, x.modes) or "something outside of the model"
    name = f"{x.keyword}: " if x.keyword else ""
    text = f"{name}{cost_text(x.cost) or '{0}'}: {sentence(effect)}"
    return " ".join([text, *(sentence(limit) for limit in limits)])


_EVENTS = {
    "tapped_for_mana": "{} is tapped for mana",
    "enters": "{} enters",
    "dies": "{} dies",
    "attacks": "{} attacks",
    "mana_added": "mana is added by {}",
}


@_renders(a.Triggered)
def _triggered(x: a.Triggered) -> str:
    what = _one(x.what) if x.what is not None else "something"
    pattern = _EVENTS.get(x.event)
    event = pattern.format(what) if pattern else x.event.replace("_", " ") + (f" ({what})" if x.what else "")
    if x.who != "any":
        event += f" ({_player(x.who)})"
    if x.of_type:
        kind = "the chosen color" if x.of_type == "chosen" else _list([_named(t) for t in x.of_type], "or")
        event += f" for {kind}"
    when = f", if {words(x.condition)}" if x.condition is not None else ""
    may = "you may: " if x.optional else ""
    effect = _effects(x.effects, x.targets) or "something outside of the model"
    return f"whenever {event}{when}: {may}{effect}"


@_renders(a.Static)
def _static(x: a.Static) -> str:
    when = f"as long as {words(x.condition)}: " if x.condition is not None else ""
    zone = f" (from the {x.zone})" if x.zone not in ("battlefield", "any", "stack") else ""
    return when + "; ".join(words(e) for e in x.effects) + zone


@_renders(a.SpellAbility)
def _spell_ability(x: a.SpellAbility) -> str:
    text = _effects(x.effects, x.targets, x.modes) or "something outside of the model"
    if x.timing is not None:
        text += f"; cast this only if {words(x.timing)}"
    return text


@_renders(a.Keyword)
def _keyword(x: a.Keyword) -> str:
    parts = [x.name]
    if x.n is not None:
        parts.append(words(x.n))
    if x.cost:
        parts.append(cost_text(x.cost))
    if x.what is not None:
        parts.append(("from " if x.name == "protection" else "") + _filter(x.what))
    return " ".join(parts)


@_renders(a.EntersWith)
def _enters_with(x: a.EntersWith) -> str:
    what = ["tapped"] if x.tapped else []
    if x.counters:
        what.append(f"with {number(x.n)} {x.counters} {plural('counter', x.n)}")
    if x.copy_of is not None:
        what.append(f"as a copy of {_one(x.copy_of)}")
    unless = f" unless you {cost_text(x.unless)}" if x.unless else ""
    when = f" if {words(x.condition)}" if x.condition is not None else ""
    chosen = f"as this object enters, a {_list([c.replace('_', ' ') for c in x.choose])} is chosen" if x.choose else ""
    enters = f"this object enters {_list(what)}{unless}{when}" if what else ""
    return "; ".join(w for w in (chosen, enters) if w) or "this object enters in some way"


@_renders(a.Emblem)
def _emblem(x: a.Emblem) -> str:
    return "emblem: " + " ".join(f'"{ability_text(y)}"' for y in x.abilities)
