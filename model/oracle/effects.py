"""Effects: what an ability or spell does as it resolves, and the restrictions on activating it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..abilities import (
    AddMana,
    AlternativeCost,
    AnyOf,
    Become,
    Compare,
    Condition,
    Damage,
    Do,
    Effect,
    Filter,
    HandSize,
    Is,
    LoseLife,
    ManaLimit,
    Not,
    NotStated,
    Paid,
    Permission,
    SetTypes,
    Static,
    Status,
    Target,
    Triggered,
    Turn,
    Unread,
    X,
)
from .amounts import known
from .conditions import NOT_STATED, pick_condition
from .engine import NotUnderstood, match_prefix, meaning, parse, parse_one, pick, pick_all
from .mana_effects import Adds
from .nouns import Patch, Text, but, merge
from .subjects import understood_words


class Lasts(msgspec.Struct, frozen=True):
    """An effect that lasts, with the targets that it names."""

    effect: Effect
    targets: tuple[Target, ...] = ()


class Other(str):
    """A sentence that is no effect which rules rooms interpret."""


class Subject(msgspec.Struct, frozen=True):
    """What an effect that lasts is about."""

    what: Filter
    target: Target | None = None


@meaning("that_lasting")
def that_lasting(text: str, __: list[Any]) -> Subject:
    return Subject(Filter(ref="that" if text.startswith("it") else "target"))


@meaning("lasting_subject")
def lasting_subject(text: str, values: list[Any]) -> Subject:
    value = values[0]
    if isinstance(value, Subject):
        return value
    if isinstance(value, Target):
        if value.what is None or value.most != 1:
            raise NotUnderstood("several targets")
        return Subject(Filter(ref="target"), value)
    if value.ref == "that":
        if text.startswith("those"):
            raise NotUnderstood(text)
        return Subject(Filter(ref="target"))
    return Subject(value)


class Piece(msgspec.Struct, frozen=True):
    """Abilities that a lasting effect consists of, and its targets."""

    abilities: tuple[Any, ...]
    targets: tuple[Target, ...] = ()
    types: bool = False


@meaning("lasting_predicates", "lasting_type")
def lasting_predicates(_: str, values: list[Any]) -> Piece:
    from .statics import Makes, about

    subject, made = pick(values, Subject), pick(values, Makes)
    assert subject is not None and made is not None
    effects = still(made.effects) if pick(values, Still) is not None else made.effects
    targets = () if subject.target is None else (subject.target,)
    return Piece((Static(tuple(about(effects, subject.what))),), targets)


class Still(str):
    """ "It's still a land": the types that it had stay."""


@meaning("still_land")
def still_land(text: str, _: list[Any]) -> Still:
    return Still(text)


def still(effects: tuple[Any, ...]) -> tuple[Any, ...]:
    """205.1b: with "still a land" the new types are added to the old ones."""
    return tuple(
        msgspec.structs.replace(e, keep=True, keep_types=False) if isinstance(e, SetTypes) else e for e in effects
    )


@meaning("lasting_production")
def lasting_production(_: str, values: list[Any]) -> Piece:
    value = values[0]
    if isinstance(value, Static):
        return Piece((value,))
    return Piece((Static(value.effects),), (value.target,))


@meaning("mana_trigger_lasting")
def mana_trigger_lasting(_: str, values: list[Any]) -> Piece:
    from .triggers import Event, May

    event = pick(values, Event)
    assert event is not None
    adds = tuple(e for v in values for e in (v if isinstance(v, Adds) else (v,)) if isinstance(e, AddMana))
    trigger = Triggered(
        event.name,
        event.what,
        event.who,  # type: ignore[arg-type]
        event.of_type,
        event.condition,
        adds,
        optional=pick(values, May) is not None,
    )
    return Piece((trigger,))


@meaning("lasting_what")
def lasting_what(text: str, values: list[Any]) -> Piece:
    from .statics import Effects

    value = values[0]
    if isinstance(value, Piece):
        return value
    if isinstance(value, Effects):
        return Piece((Static(tuple(value)),))
    raise NotUnderstood(text)


class Until(str):
    """How long: the word of Become."""


@meaning("duration")
def duration(text: str, _: list[Any]) -> Until:
    fixed = {"until end of turn": "end_of_turn", "this turn": "end_of_turn", "until your next turn": "your_next_turn"}
    return Until(fixed.get(text, "forever"))


# "Creatures target opponent controls": the player is the target (115.1), not what that player controls.
_OF_TARGET = re.compile(r"\btarget (player|opponent)(?:s? controls?\b|'s?\b)")


def player_of(text: str) -> tuple[Target, ...]:
    """The player whose objects a sentence speaks of, where that player is its target."""
    found = _OF_TARGET.search(re.sub(r'"[^"]*"', "", text))
    return () if found is None else (Target(players="opponents" if found[1] == "opponent" else "any"),)


@meaning("lasting")
def lasting(text: str, values: list[Any]) -> Lasts:
    pieces = pick_all(values, Piece)
    until = str(pick(values, Until) or "forever")
    abilities = tuple(a for p in pieces for a in p.abilities)
    if pick(values, Still) is not None:
        abilities = tuple(
            msgspec.structs.replace(a, effects=still(a.effects)) if isinstance(a, Static) else a for a in abilities
        )
    targets = tuple(t for p in pieces for t in p.targets) or player_of(text)
    return Lasts(Become(abilities, until), targets)  # type: ignore[arg-type]


class Parts(tuple[Any, ...]):
    """The effects of one sentence, in order."""


@meaning("gain_life")
def gain_life(_: str, values: list[Any]) -> Do:
    return Do("gain", n=known(values[0]))


@meaning("compound")
def compound(text: str, values: list[Any]) -> Parts:
    parts = tuple(e for v in values for e in (v if isinstance(v, Adds) else (v,)))
    if not all(isinstance(e, (AddMana, Damage, LoseLife, Do)) for e in parts):
        raise NotUnderstood(text)
    return Parts(parts)


@meaning("if_you_do")
def if_you_do(_: str, values: list[Any]) -> Parts:
    """What follows an action that the player chose to perform as the ability resolved."""
    done_so = Paid("if_you_do")
    added = tuple(e for v in values for e in (v if isinstance(v, Adds) else (v,)) if isinstance(e, AddMana))
    return Parts(msgspec.structs.replace(e, only_if=done_so) for e in added)


@meaning("if_spent")
def if_spent(_: str, values: list[Any]) -> Parts:
    """How much mana was spent on a spell that is cast already is not stated."""
    added = tuple(e for v in values for e in (v if isinstance(v, Adds) else (v,)) if isinstance(e, AddMana))
    return Parts(msgspec.structs.replace(e, only_if=NOT_STATED) for e in added)


@meaning("delayed_after")
def delayed_after(_: str, values: list[Any]) -> AddMana:
    from .triggers import trigger_adds

    return trigger_adds("", values)


@meaning("delayed_main", "delayed_other")
def delayed(text: str, values: list[Any]) -> Do:
    """603.7: a delayed triggered ability, which waits on the stack when its time has come."""
    added = tuple(e for v in values for e in (v if isinstance(v, Adds) else (v,)) if isinstance(e, AddMana))
    event = "dies" if " dies " in text else "other"
    if "next main phase" in text or "next first main phase" in text:
        event = "main"
    return Do("delayed", abilities=(Triggered(event, who="you" if event == "main" else "any", effects=added),))


@meaning("number_is")
def number_is(text: str, values: list[Any]) -> Lasts:
    """What was counted a moment before, and that it was odd or even."""
    from .lines import conditional

    lasts = pick(values, Lasts)
    if lasts is None or not isinstance(lasts.effect, Become):
        raise NotUnderstood(text)
    condition = Status("number_counted_odd" if " odd," in text else "number_counted_even")
    abilities = tuple(conditional(a, condition) for a in lasts.effect.abilities)
    return Lasts(msgspec.structs.replace(lasts.effect, abilities=abilities), lasts.targets)


@meaning("cast_from_exile")
def cast_from_exile(_: str, __: list[Any]) -> Lasts:
    permission = Permission(spells=Filter(zone="stack", me=True), zones=("exile",))
    return Lasts(Become((Static((permission,)),), "forever"))


@meaning("created_abilities")
def created_abilities(_: str, values: list[Any]) -> Created:
    return Created(a for v in values for a in v)


class Created(tuple[Any, ...]):
    """Abilities that created tokens have."""


@meaning("emblem")
def emblem(_: str, values: list[Any]) -> Do:
    return Do("emblem", abilities=tuple(a for v in pick_all(values, Created) for a in v))


@meaning("creates")
def creates(text: str, values: list[Any]) -> Lasts:
    targets = targets_of(text)
    if targets is None or not understood_words(text):
        raise NotUnderstood(text)
    made = Do("create", abilities=tuple(a for v in pick_all(values, Created) for a in v))
    return Lasts(made, tuple(targets))


class Limit(dict[str, Any]):
    """Fields of an Activated that restrict its activation."""


class Read(msgspec.Struct, frozen=True):
    """Effects of a text, its targets, and the restrictions on activating that it states."""

    effects: tuple[Effect, ...] = ()
    targets: tuple[Target, ...] = ()
    limit: dict[str, Any] = {}
    others: tuple[str, ...] = ()

    @property
    def understood(self) -> bool:
        return not any(isinstance(e, Unread) for e in self.effects)


@meaning("other_sentence")
def other_sentence(text: str, _: list[Any]) -> Other:
    return Other(text)


@meaning("damage_to")
def damage_to(text: str, values: list[Any]) -> Damage:
    whom = text.rsplit(" damage to ", 1)[1]
    if isinstance(values[0], str):
        raise NotUnderstood(text)  # "that much" is an amount of another sentence
    return Damage(known(values[0]), _WHOM[whom])  # type: ignore[arg-type]


_WHOM = {
    "the player": "that",
    "you": "you",
    "each player": "any",
    "that player": "that",
    "its controller": "controller",
}


@meaning("lose_life")
def lose_life(text: str, values: list[Any]) -> LoseLife:
    return LoseLife(known(values[0]), "that" if text.startswith("that") else "you")


@meaning("limit_timing")
def limit_timing(text: str, _: list[Any]) -> Limit:
    return Limit(timing="sorcery" if text.endswith("sorcery") else "instant")


@meaning("limit_count", "no_more_than")
def limit_count(text: str, _: list[Any]) -> Limit:
    counts = {"once": 1, "twice": 2, "three times": 3, "four times": 4}
    return Limit(limit=next(n for word, n in counts.items() if word in text))


@meaning("own_mana")
def own_mana(text: str, values: list[Any]) -> Limit:
    """Which mana may be spent on the ability (602.2b)."""
    color = pick(values, Patch)
    if color is None:
        return Limit(only=ManaLimit(chosen=True))
    return Limit(only=ManaLimit(types=color["colors"], on_x=text.endswith(" on X")))


@meaning("limit_once")
def limit_once(_: str, __: list[Any]) -> Limit:
    return Limit(once=True)


@meaning("limit_condition")
def limit_condition(_: str, values: list[Any]) -> Limit:
    return Limit(conditions=(pick_condition(values),))


_BEFORE_ATTACKERS = ("untap", "upkeep", "draw", "main1", "combat_begin")
_COMBAT = ("combat_begin", "attackers", "blockers", "damage", "combat_end")
_STEPS: dict[str, Condition] = {
    "during your turn": Turn("you"),
    "during your upkeep": Turn("you", ("upkeep",)),
    "during your draw step": Turn("you", ("draw",)),
    "during your end step": Turn("you", ("end",)),
    "during any upkeep": Turn("any", ("upkeep",)),
    "during any upkeep step": Turn("any", ("upkeep",)),
    "during the end of combat step": Turn("any", ("combat_end",)),
    "during any player's upkeep step": Turn("any", ("upkeep",)),
    "during an opponent's upkeep": Turn("opponents", ("upkeep",)),
    "during an opponent's turn": Turn("opponents"),
    "during combat": Turn("any", _COMBAT),
    "during the declare blockers step": Turn("any", ("blockers",)),
    "during the declare attackers step": Turn("any", ("attackers",)),
    "before attackers are declared": Turn("any", _BEFORE_ATTACKERS),
    "during your turn, before attackers are declared": Turn("you", _BEFORE_ATTACKERS),
    "before the combat damage step": Turn("any", (*_BEFORE_ATTACKERS, "attackers", "blockers")),
    "before combat": Turn("any", ("untap", "upkeep", "draw", "main1")),
}


@meaning("limit_on_stack")
def limit_on_stack(_: str, __: list[Any]) -> Limit:
    return Limit(zone="stack")


@meaning("limit_either_zone")
def limit_either_zone(_: str, __: list[Any]) -> Limit:
    there = tuple(Is("self", Filter(zone=zone)) for zone in ("battlefield", "graveyard"))
    return Limit(zone="any", conditions=(AnyOf(there),))


@meaning("only_player")
def only_player(text: str, _: list[Any]) -> Limit:
    """Some player of whom no situation says who it is."""
    if not understood_words(text):
        raise NotUnderstood(text)
    return Limit(who="any", conditions=(NOT_STATED,))


@meaning("limit_open", "limit_other", "limit_until", "limit_defender")
def limit_open(text: str, _: list[Any]) -> Limit:
    if not understood_words(text):
        raise NotUnderstood(text)
    return Limit(conditions=(NOT_STATED,))


@meaning("limit_not")
def limit_not(_: str, __: list[Any]) -> Limit:
    return Limit(conditions=(Not(Turn("any", _COMBAT)),))


@meaning("limit_steps")
def limit_steps(text: str, _: list[Any]) -> Limit:
    return Limit(conditions=(_STEPS[text],))


@meaning("any_player")
def any_player(text: str, values: list[Any]) -> Limit:
    return joined([Limit(who="any" if text.startswith("any player") else "opponents"), *pick_all(values, Limit)])


@meaning("activate_only")
def activate_only(_: str, values: list[Any]) -> Limit:
    return joined(pick_all(values, Limit))


def joined(limits: tuple[Limit, ...] | list[Limit]) -> Limit:
    out = Limit()
    for limit in limits:
        for key, value in limit.items():
            if key in out and not isinstance(value, tuple):
                raise NotUnderstood("two restrictions of one kind")
            out[key] = out.get(key, ()) + value if isinstance(value, tuple) else value
    return out


def read_effects(text: str) -> Read:
    """Effects of a text, sentence by sentence. A sentence of which some word is not known gives Unread."""
    text = text if text.endswith(".") else text + "."
    values = parse("effects", text)
    if values is not None:
        return read_values(values)
    # Some sentence fits the grammar without making sense: read each by itself, and that one as any other sentence.
    parts: list[Any] = []
    for sentence in sentences(text):
        read = parse("effects", sentence)
        parts.extend((Other(sentence.rstrip(".")),) if read is None else read)
    return read_values(tuple(parts))


def sentences(text: str) -> list[str]:
    """The sentences of a text; full stops inside quotation marks end none."""
    return [s.strip() for s in re.findall(r"(?:[^.\"]|\"[^\"]*\"?)+(?:\.|$)", text) if s.strip()]


def own_words(sentence: str) -> str:
    """The words whose targets are chosen with the ability: what a delayed or reflexive trigger does has targets of its
    own, chosen as that triggers (603.7, 603.12)."""
    return sentence.split(", ", 1)[0] if re.match(r"(?:when|whenever|at) ", sentence) else sentence


def apart(target: Target) -> Target:
    """ "Another target" after a target is another than that one, rather than another than the source."""
    if target.what is None or target.what.me is not False:
        return target
    return msgspec.structs.replace(target, what=but(target.what, me=None), apart=True)


def read_values(values: tuple[Any, ...]) -> Read:
    """The values of the rule `effects` put together."""
    effects: list[Effect] = []
    targets: list[Target] = []
    others: list[str] = []
    for value in values:
        if isinstance(value, Limit):
            continue
        if isinstance(value, Other):
            others.append(str(value))
            found = conditional(targets_of(own_words(value)), value)
            effect = done(value, found)
            effects.append(Do("lasting") if speaks_of_new_object(effect, effects, targets) else effect)
            if isinstance(effect, Do) and effect.what != "lasting":
                effects.extend(Do(word) for word in also_done(value) if word != effect.what)
            if found and " instead" in value and (paid := found[0].when) is not None:
                # The sentence before it, with its targets, is what does not happen then.
                targets = [msgspec.structs.replace(t, when=Not(paid)) for t in targets]
            targets.extend(found or ())
        elif isinstance(value, Lasts) and speaks_of_new_object(value.effect, effects, targets):
            effects.append(Do("lasting"))
        elif isinstance(value, Lasts):
            effects.append(value.effect)
            targets.extend(value.targets)
        elif isinstance(value, (Adds, Parts)):
            effects.extend(value)
        else:
            effects.append(value)
    if any(isinstance(e, AddMana) and e.amount == HandSize("target") for e in effects):
        targets.append(Target(players="opponents"))
    try:
        limit = joined(pick_all(values, Limit))
    except NotUnderstood:
        return Read(effects=(*effects, Unread()), targets=tuple(targets), others=tuple(others))
    if targets:
        effects = [it_is(e, Filter(ref="target")) if isinstance(e, Become) else e for e in effects]
    targets = [apart(t) if n else t for n, t in enumerate(targets)]
    if len(targets) > 1:
        # Which of several targets is spoken of is not told apart.
        effects = [Do("lasting") if isinstance(e, Become) and speaks_of_target(e) else e for e in effects]
    if any("this way" in other for other in others):
        # What is said of the spells that are cast by a permission belongs to it.
        effects = [Do("lasting") if isinstance(e, Become) and _lets_play(e) else e for e in effects]
    if Do("lasting") in effects:
        # Part of what lasts is not understood: then no part of it may pass for the whole.
        effects = [Do("lasting") if isinstance(e, Become) else e for e in effects]
    return Read(tuple(effects), tuple(targets), dict(limit), tuple(others))


def _lets_play(effect: Become) -> bool:
    statics = (a for a in effect.abilities if isinstance(a, Static))
    return any(isinstance(e, Permission | AlternativeCost) for a in statics for e in a.effects)


# Words of effects that go on after the ability has resolved, or that change how mana may be spent.
_LASTS = re.compile(
    r"\buntil\b|\bthis turn\b|for as long as|\bgains?\b(?! (?:\w+ )*life)|\bbecomes?\b|\bgets?\b|"
    r"\bloses? (?!\w+ life|life|the game)|can't|"
    r"doesn't untap|\bnext\b|for the re(?:st|mainder)|\bcontrol of\b|\bmana\b(?! (?:value|cost))|\bspend\b|"
    r"\bis an?\b|\bare\b"
)


def done(sentence: str, targets: list[Target] | None) -> Effect:
    """A sentence that no rule reads: an action by its word; "lasting" where it may go on applying afterwards;
    Unread where a word or a target is not understood."""
    if targets is None or not understood_words(sentence):
        return Unread()
    lasts = lasts_by_rules(sentence) if _LASTS.search(sentence) else None
    if lasts is not None:
        return lasts
    if "can't be regenerated" in sentence:
        return Do("regenerate")
    if (put := _COUNTERS.match(sentence)) is not None:
        return Do("counters", Filter(me=True), n=_NUMBERS[put[1]], detail=put[2])
    if (got := _YOU_GET.match(sentence)) is not None:
        n, kind, energy = got.groups()
        return Do("player_counters", n=energy.count("{E}") if energy else _NUMBERS[n], detail=kind or "energy")
    return Do("lasting" if _LASTS.search(sentence) and not _SHIELDED.match(sentence) else verb_of(sentence))


# Damage that a permanent is not dealt is nothing that any question asks about.
_SHIELDED = re.compile(
    r"^prevent all (?:(?:combat|noncombat) )?damage that would be dealt to "
    r"(?:him|her|it|them|~|that creature) this turn$"
)
_YOU_GET = re.compile(r"^you get (?:(a|an|one|two|three|four) (experience|rad|poison) counters?|((?:\{E\} ?)+))$")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_COUNTERS = re.compile(
    r"^put (a|an|one|two|three|four) ([+-]\d/[+-]\d|[a-z]+) counters? on ~"
    r"(?: and (?:~|it) deals \d+ damage to each opponent| and you gain \d+ life| and draw a card)?$"
)


_WHILE = (
    (re.compile(r"^until end of turn, (.*)$"), "end_of_turn"),
    (re.compile(r"^until your next turn, (.*)$"), "your_next_turn"),
    (re.compile(r"^(.*) until end of turn$"), "end_of_turn"),
    (re.compile(r"^(.*) until your next turn$"), "your_next_turn"),
    (re.compile(r"^(.*) this turn$"), "end_of_turn"),
    (re.compile(r"^(.*) this turn( as though .*)$"), "end_of_turn"),
)


def lasts_by_rules(sentence: str) -> Become | None:
    """A sentence that would be a static ability if it did not say how long it applies (611.2)."""
    from .lines import read_sentence

    found = next(((m, until) for pattern, until in _WHILE if (m := pattern.match(sentence))), None)
    if found is None or re.search(r" if [^,]* this turn$", sentence):
        return None  # "if … was cast this turn" says no duration
    words = "".join(found[0].groups())
    if re.match(r"(?:they|those|these)\b", words):
        return None  # they were spoken of before, and are never the object itself
    at = words.find("target ")
    if at >= 0:
        phrase = match_prefix("target_phrase", words, at)
        if phrase is None or (at > 0 and words[at - 1] != " "):
            return None
        words = f"{words[:at]}⟨\0target⟩{words[phrase[1] :]}"
        if "target " in words:
            return None
    abilities = read_sentence(words)
    if not abilities or not all(isinstance(a, Static) for a in abilities):
        return None
    if words.startswith("if "):
        abilities = tuple(_as_it_resolved(a) for a in abilities)
    return Become(tuple(at_target(a) for a in abilities), found[1])  # type: ignore[arg-type]


def _as_it_resolved(ability: Any) -> Any:
    """608.2c: whether it was so as the effect began. Where it is not so now, it may have been so then."""
    condition = ability.condition
    settled = isinstance(condition, Paid) or (isinstance(condition, Compare) and condition.left == X())
    if condition is None or condition == NOT_STATED or settled:
        return ability
    return msgspec.structs.replace(ability, condition=AnyOf((condition, NOT_STATED)))


def it_is(node: Any, what: Filter) -> Any:
    """The structure with what "it" stands for."""
    if isinstance(node, tuple):
        return tuple(it_is(n, what) for n in node)
    if not isinstance(node, msgspec.Struct):
        return node
    if node == Filter(ref="that"):
        return what
    return msgspec.structs.replace(node, **{f: it_is(getattr(node, f), what) for f in node.__struct_fields__})


# Actions that bring objects into the text, which "it" in the next sentence then is.
_BRINGS = frozenset(
    ["put", "return", "search", "reveal", "exile", "conjure", "manifest", "copy", "cast", "choose", "look"]
)


def speaks_of_new_object(effect: Effect, before: list[Effect], targets: list[Target]) -> bool:
    """Whether "it" is what the sentence before created or brought into play, rather than the object itself."""
    last = before[-1] if before else None
    if not isinstance(last, Do) or not isinstance(effect, Become) or it_is(effect, Filter()) == effect:
        return False
    return last.what == "create" or (last.what in _BRINGS and not targets)


def speaks_of_target(node: Any) -> bool:
    if isinstance(node, tuple):
        return any(speaks_of_target(n) for n in node)
    if not isinstance(node, msgspec.Struct):
        return False
    if isinstance(node, Filter) and node.ref == "target":
        return True
    return any(speaks_of_target(getattr(node, f)) for f in node.__struct_fields__)


def without_missing_target(effects: tuple[Effect, ...], targets: tuple[Target, ...]) -> tuple[Effect, ...]:
    """Effects that last on "that creature" where nothing was targeted are about something else that was chosen."""
    if targets:
        return effects
    return tuple(Do("lasting") if isinstance(e, Become) and speaks_of_target(e) else e for e in effects)


def at_target(node: Any) -> Any:
    """The structure with the stand-in for the target made a reference to it."""
    if isinstance(node, tuple):
        return tuple(at_target(n) for n in node)
    if not isinstance(node, msgspec.Struct):
        return node
    if isinstance(node, Filter) and node.names == ("\0target",):
        return Filter(ref="target")
    changed = {f: at_target(getattr(node, f)) for f in node.__struct_fields__}
    return msgspec.structs.replace(node, **changed)


_VERB = re.compile(r"[a-z]+")
_VERBS = frozenset(
    [
        "draw",
        "gain",
        "lose",
        "gains",
        "loses",
        "destroy",
        "exile",
        "counter",
        "create",
        "put",
        "puts",
        "return",
        "tap",
        "untap",
        "sacrifice",
        "discard",
        "search",
        "scry",
        "surveil",
        "mill",
        "reveal",
        "look",
        "copy",
        "regenerate",
        "transform",
        "attach",
        "choose",
        "fight",
        "add",
        "prevent",
        "deals",
        "deal",
        "gets",
        "get",
        "shuffle",
        "proliferate",
        "investigate",
        "amass",
        "incubate",
        "populate",
        "cloak",
        "conjure",
        "venture",
        "explore",
        "connive",
        "double",
        "goad",
        "manifest",
        "cast",
        "play",
        "roll",
        "flip",
        "exchange",
    ]
)


def verb_of(sentence: str) -> str:
    """The word for the action of a sentence, for readers of the library."""
    if re.search(r"\bgive [^.]*\bcounters?\b", sentence):
        return "counters"
    found = next((w for w in _VERB.findall(sentence) if w in _VERBS), "other")
    return found.removesuffix("s") if found in ("gains", "loses", "deals", "gets", "puts") else found


# Further actions of a sentence that can matter to what is cast later, where they are said of you or of every player.
_ALSO = re.compile(
    r"(?:^|, |\b(?:and|then|may|you|(?<!that )(?<!chosen )(?<!defending )players?) )(?:each |either )?"
    r"(create|untap|return|search|copy|transform|sacrifice|discard|destroy|tap|add|investigate|manifest|cloak|amass|"
    r"incubate|populate|proliferate|conjure|"
    r"exile(?= (?:target|all|each|an? (?!card))))"
    r"(?:s|es)?\b"
)
_BY_OTHERS = re.compile(
    r"(?:(?:then|instead|(?:if|when) [^,]*), |then )*"
    r"(?:up to \w+ )?(?:each|target|that|those|its|their|an|any|defending|the chosen|another)\b"
)
_BY_YOU = re.compile(r"\byou\b(?! (?:control|own|don't))")
_HAND_GOES = re.compile(
    r"\b(?:discards?|exiles?|shuffles?|puts?|returns?) (?:(?:all )?(?:the )?cards (?:in|from) )?"
    r"(?:your|their|his or her) hands?\b"
)
_DRAWS_FIRST = re.compile(r"\bdraws? (\w+) cards?,? (?:and|then) (?:discards?|puts?) (\w+) cards?\b")
_UP_TO_SEVEN = ("a", "two", "three", "four", "five", "six", "seven")


def also_done(sentence: str) -> list[str]:
    """The further actions of a sentence, by their words: of "draw two cards and create a Treasure token", the second.
    What others do is left out, and so is a discard of no more cards than were drawn for it."""
    bare = re.sub(r'"[^"]*"', '""', sentence)
    if sentence.startswith("as an additional cost"):
        return []
    anybody = "target player " in bare  # who may be you, if you like
    if (others := _BY_OTHERS.match(bare)) and not bare[others.start() :].startswith("each player") and not anybody:
        found = _BY_YOU.search(bare)
        bare = bare[found.start() :] if found is not None else ""
    words = dict.fromkeys(_ALSO.findall(bare))
    drawn = _DRAWS_FIRST.search(bare)
    if drawn is not None and "at random" not in bare and all(n in _UP_TO_SEVEN for n in drawn.groups()):
        n, m = (_UP_TO_SEVEN.index(n) for n in drawn.groups())
        if m <= n:
            words.pop("discard", None)
    if _HAND_GOES.search(bare):
        words["discard"] = None
    if "onto the battlefield" in bare:
        words["put"] = None
    return [w for w in words if not anybody or w not in ("sacrifice", "discard", "destroy", "tap", "exile")]


# What may follow a description of a target without belonging to it.
_AFTER = re.compile(
    r"$|[.,;:\"]|'s?\b| 's\b| (?:takes?|activates?|owns?|gets?|gains?|has|have|loses?|becomes?|"
    r"can't|cannot|to|onto|into|from|deals?|and|"
    r"or(?= (?:up to|another|two|target|any|tap|untap|put|remove|exile|destroy|return|counter|each|its|"
    r"his|her|the|that|to|your|you|draw|it|a player)\b)|unless|until|is|are|"
    r"doesn't|don't|fights?|if|this|at|for|under|on|where|by|you|their|its|his|attacks?|blocks?|equal|except|"
    r"would|draws?|discards?|sacrifices?|mills?|reveals?|exiles?|creates?|puts?|adds?|chooses?|shuffles?|skips?|faces?|face|"
    r"onto|back|"
    r"for|when|as|in|instead|phases?|perpetually|explores?|connives?|can|may|returns?|searches|lose|was|were|"
    r"then|cast|taps?|untaps?|before|after|simultaneously|separately|any|each|twice|among|enters?|controls?|no|isn't|"
    r"aren't|target|up|another)\b"
)


_IF_PAID = re.compile(
    r"if (?:~|it|this spell) was (kicked with|kicked|bargained)\b|if evidence was collected|"
    r"if the gift was promised|if ~ was cast using teamwork|if (?:this spell|~)'s additional cost was paid"
)
_PAID_NAMES = {"kicked": "kicker", "bargained": "bargain"}


# So many further targets as a cost was paid times: how many there have to be is not modelled.
_REPEATED = re.compile(r"\banother target\b.*\bfor each\b|\bfor each (?:additional|time)\b.*\banother target\b")


def conditional(targets: list[Target] | None, sentence: str) -> list[Target] | None:
    """Targets that are chosen only if an optional cost is paid (601.2c)."""
    if targets and _REPEATED.search(sentence):
        if len(targets) < 2 or not sentence.endswith("for each time ~ was kicked"):
            return None
        many = msgspec.structs.replace(targets[-1], when=Paid("multikicker"), least=NotStated(), most=NotStated())
        return [*targets[:-1], many]
    found = _IF_PAID.match(sentence)
    if not targets or found is None:
        return targets
    words = found.group()
    if "additional cost" in words or words.endswith(" with"):
        return None  # which cost that is stands on another line
    name = _PAID_NAMES.get(found.group(1) or "") or (
        "collect evidence" if "evidence" in words else "gift" if "gift" in words else "teamwork"
    )
    return [msgspec.structs.replace(t, when=Paid(name)) for t in targets]


# "Target creature's owner": the ending is no part of the description. Other possessives are.
_POSSESSIVE = re.compile(
    r"(?<!~)(?<!that)(?<!it)(?<!there)(?<!opponent)(?<!player)(?<!owner)(?<!controller)(?<=\w)'s\b"
)


def targets_of(sentence: str) -> list[Target] | None:
    """The targets that a sentence asks for, in order; None where a description of one is not understood."""
    out: list[Target] = []
    bare = _POSSESSIVE.sub(" 's", re.sub(r'"[^"]*"', '""', sentence))
    for pattern, plain in _PLAINER:
        bare = pattern.sub(plain, bare)
    # What an effect does to others as well is no part of what is targeted.
    bare = re.sub(r" and (?=(?:all|each) (?:other )?[a-z])", "; and ", bare)
    several = len(re.findall(r"\btarget ", bare)) > 1 or "; and all other cards" in bare
    if several and (where := _WHOSE_GRAVEYARD.search(bare)) is not None:
        # "Up to one target creature card and up to one target land card from your graveyard": all are there.
        bare = _CARD_NOWHERE.sub(rf"\1{where.group()}", bare)
    for found in re.finditer(r"\btarget", bare):
        if not _is_target(bare, found.start()):
            continue
        start = _phrase_start(bare, found.start())
        target = _target_at(bare, start)
        if target is None:
            return None
        if bare.startswith("for each ") and target.least == 0:
            target = msgspec.structs.replace(target, most=99)  # up to one for each of several players
        out.append(target)
    return out


# Other ways to say the same, as the grammar knows it.
_PLAINER = (
    (re.compile(r"(?<=target players)'(?= )"), " 's"),
    (re.compile(r"\b(cards?|creatures?|permanents?) each with\b"), r"\1 with"),
    (re.compile(r"\btarget (face-up )?exiled card( with flashback)?( you own)?"), r"target \1card\2\3 in exile"),
    (
        re.compile(
            r"\btarget ([a-z]+) card and/or (.*?target [a-z]+ card) from your graveyard each "
            r"(with [^.,;]*? or less)(?= without)"
        ),
        r"target \1 card \3 from your graveyard and/or \2 \3 from your graveyard,",
    ),
    (
        re.compile(
            r"^return from your graveyard (to (?:the battlefield|your hand)) "
            r"([a-z ]*?target [a-z ]*?cards?) that each have a different (mana value X or less)"
        ),
        r"return \2 with \3 from your graveyard that have different mana values \1",
    ),
    (
        re.compile(r"^return from your graveyard (to (?:the battlefield|your hand)) ([a-z ]*?target [a-z ]*?cards?)\b"),
        r"return \2 from your graveyard \1",
    ),
    (
        re.compile(r"\btarget ([a-z]+) a player controls and target ([a-z]+) card in that player's graveyard"),
        r"target \1 and target \2 card from that player's graveyard",
    ),
)


def _target_at(text: str, start: int) -> Target | None:
    """The target whose phrase starts here; one that is described further than can be read may be any or none of those
    that the words before that fit."""
    matched = match_prefix("target_phrase", text, start)
    if matched is None:
        return _less_an_adjective(text, start)
    values, end = matched
    target = pick(values, Target)
    if target is None:
        return None
    if _AFTER.match(text, end) or (target.players and _DOES.match(text, end)):
        return target
    return narrowed(target, text[end:])


def narrowed(target: Target, rest: str) -> Target | None:
    """The target with words behind it that are not read, of which none may add another kind."""
    clause = re.split(r"[.,;:\"]", rest)[0]
    if re.search(r"\bor\b|\btargets?\b", clause) or not rest.startswith(" ") or not understood_words(clause):
        return None
    if target.what is None or target.players is not None:
        return None if target.what is not None else msgspec.structs.replace(target, unstated=True)
    return msgspec.structs.replace(target, what=but(target.what, unstated=True))


# Words before the kind of a target that situations do not state.
_ADJECTIVE = re.compile(
    r"((?:up to (?:one|two|three|X) |another |other |(?:one|two|three|X) )?targets? )"
    r"((?:[0-9]/[0-9]|nonattacking|nonblocking|blocked|unblocked|transformed|nontransformed|goaded|suspected|stickered|"
    r"exiled|tapped|untapped|attacking|blocking|enchanted|face-up|revealed|foretold|suspended|monstrous|saddled|"
    r"prepared|paired)(?:, or |, | or | )?)+"
)


def _less_an_adjective(text: str, start: int) -> Target | None:
    found = _ADJECTIVE.match(text, start)
    if found is None:
        return None
    bare = found.group(1) + text[found.end() :]
    target = _target_at(bare, 0) if not _ADJECTIVE.match(bare) else None
    if target is None or target.what is None:
        return None
    return msgspec.structs.replace(target, what=but(target.what, unstated=True))


_WHOSE_GRAVEYARD = re.compile(r" from (?:your|a) graveyard\b")
_CARD_NOWHERE = re.compile(r"(\btarget [A-Za-z -]*?\bcards?)(?=;? and |, and |, | and/or )")

# After "target player" comes what that player does, unless the player is described further.
_DOES = re.compile(r" (?!who|whose|other|with|dealt|chosen|that|you|in|on)[a-z]+\b")
_COUNT_WORDS = re.compile(
    r"(?:up to (?:one|two|three|four|five|six|seven|ten|twenty|X|that many) |any number of |"
    r"(?:one or two|one, two, or three|one or more|two or more|"
    r"one|two|three|four|five|six|X) )?(?:other |another |a third )?$"
)


def _phrase_start(text: str, at: int) -> int:
    if text[max(0, at - 4) : at] == "any ":
        return at - 4
    if text[max(0, at - 10) : at] == "any other ":
        return at - 10
    best = at
    for start in range(max(0, at - 32), at):
        if (start == 0 or text[start - 1] in ' "(') and _COUNT_WORDS.fullmatch(text, start, at):
            best = start
            break
    return best


def _is_target(text: str, at: int) -> bool:
    """Whether the word asks for a target: not "that targets", "new targets", "becomes the target of"."""
    before = text[:at]
    after = text[at:]
    if before.endswith("'s "):
        return False  # what a spell targets already
    if after.startswith("targets ") and re.search(r"\b(?:spell|ability|copy|it|that) $", before):
        return False  # what it does, not what it asks for
    if re.match(r"targets?(?:'|ed|ing)", after) and not after.startswith("targets'"):
        return False
    if before.endswith(
        (
            "the ",
            "new ",
            "that ",
            "could ",
            "can't ",
            "only ",
            "only one ",
            "a single ",
            "its ",
            "those ",
            "same ",
            "with one or more ",
            "and ",
        )
    ):
        return after.startswith("target ") and not before.endswith(
            ("the ", "new ", "that ", "could ", "can't ", "a single ", "only ", "only one ")
        )
    return re.match(r"targets?(?!\w| of\b| for\b(?! each time))", after) is not None


@meaning("any_target")
def any_target(_: str, __: list[Any]) -> Target:
    return Target(any_target=True)


@meaning("target_player")
def target_player(text: str, _: list[Any]) -> Target:
    whose = text.endswith("whose turn it is")
    return Target(players="opponents" if "opponent" in text else "any", unstated=whose)


class Person(str):
    """A player as one of several kinds of targets."""


@meaning("target_person")
def target_person(text: str, _: list[Any]) -> Person:
    return Person("opponents" if "opponent" in text else "any")


@meaning("target_kind")
def target_kind(text: str, values: list[Any]) -> Patch:
    return values[0] if values else Patch()


@meaning("target_kinds")
def target_kinds(text: str, values: list[Any]) -> Filter:
    kinds = tuple(merge([p]) for p in pick_all(values, Patch))
    if text == "permanent":
        return Filter()
    if "permanent" in text:
        raise NotUnderstood(text)
    if all(k == Filter(types=k.types) for k in kinds):
        return Filter(types=tuple(t for k in kinds for t in k.types))
    return Filter(any_of=kinds) if len(kinds) > 1 else kinds[0]


@meaning("target_mixed")
def target_mixed(_: str, values: list[Any]) -> Target:
    """ "Target player or planeswalker", "target creature, planeswalker, or player"."""
    return Target(what=pick(values, Filter), players=str(pick(values, Person)))  # type: ignore[arg-type]


@meaning("target_object")
def target_object(text: str, values: list[Any]) -> Target:
    what = pick(values, Filter)
    if what is None or what.me or what.ref is not None:
        raise NotUnderstood("target")
    zone = next((f.from_zone for f in (what, *what.any_of) if f.from_zone is not None), None)
    if zone is not None:
        # "A Dragon creature card or Ugin planeswalker card from your graveyard": where it is said of all of them.
        theirs = re.search(r" from (?:an opponent's|your opponents') ", text)
        whose = "opponents" if theirs else "you" if " from your " in text else "any"
        either = tuple(but(f, from_zone=None, zone="any") for f in what.any_of)
        owner = whose if what.owner == "any" else what.owner
        what = but(what, from_zone=None, zone=zone, owner=owner, any_of=either)
    if "that" in (what.owner, what.controller):
        # The player whom another part of the text names.
        what = but(
            what,
            owner="any" if what.owner == "that" else what.owner,
            controller="any" if what.controller == "that" else what.controller,
            unstated=True,
        )
    if "exiled with " in text:
        # Such cards may be stated with the object that exiled them alone.
        return Target(Filter(zone="any", unstated=True))
    if what.zone == "any" and not (what.any_of and all(f.zone != "any" for f in what.any_of)):
        if " graveyard" not in text:
            raise NotUnderstood("a card of no zone")
        what = but(what, zone="graveyard")
    return Target(what=what)


@meaning("exiled_card")
def exiled_card(text: str, _: list[Any]) -> Filter:
    """702.62b: a suspended card has a time counter; and a suspend ability, which nothing states where it was given."""
    owner = "you" if text.endswith("you own") else "any"
    if text.startswith("suspended"):
        return Filter(zone="exile", owner=owner, counter="time", unstated=True)
    return Filter(zone="exile", owner=owner, keyword="flashback", unstated=True)


@meaning("target_or_card")
def target_or_card(text: str, values: list[Any]) -> Target:
    there, card = pick(values, Text), pick(values, Filter)
    first = parse_one("target_object", str(there))
    if not isinstance(first, Target) or first.what is None or card is None:
        raise NotUnderstood(text)
    return Target(Filter(zone="any", any_of=(first.what, card)))


@meaning("target_first")
def target_first(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("ability_tail")
def ability_tail(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("target_ability")
def target_ability(text: str, values: list[Any]) -> Target:
    if re.match(r"target spells? (?:and/)?or abilit", text):
        tail = pick(values, Text)
        about = parse_one("nouns", f"spell {tail.strip()}") if tail is not None else None
        if isinstance(about, Filter) and not about.unstated:
            return Target(msgspec.structs.replace(about, ability="too"))
        return Target(Filter(zone="stack", ability="too", unstated=True if pick(values, Text) is not None else None))
    spells = " spell" in text or text.startswith("target spell")
    return Target(Filter(zone="stack", ability="too" if spells else "only", unstated=True))


class TargetCount(tuple[Any, ...]):
    """Least and most targets."""


@meaning("target_count")
def target_count(text: str, values: list[Any]) -> TargetCount:
    if text.startswith("any number"):
        return TargetCount((0, 99))
    if text.startswith("up to"):
        return TargetCount((0, values[0]))
    if text.startswith(("one or two",)):
        return TargetCount((1, 2))
    if text.startswith("one, two"):
        return TargetCount((1, 3))
    if " or more" in text:
        return TargetCount((values[0], 99))
    return TargetCount((values[0], values[-1]))


@meaning("target_phrase")
def target_phrase(text: str, values: list[Any]) -> Target:
    target = pick(values, Target)
    count = pick(values, TargetCount)
    assert target is not None
    if re.search(r"\b(?:an)?other target|\bthird target", text):
        if target.what is None:
            # "Any other target" is never the first.
            target = msgspec.structs.replace(target, apart=True)
        else:
            target = msgspec.structs.replace(target, what=but(target.what, me=False))
    if count is not None:
        target = msgspec.structs.replace(target, least=count[0], most=count[1])
    return target


def adds_mana(read: Read) -> bool:
    return any(isinstance(e, AddMana) for e in read.effects)
