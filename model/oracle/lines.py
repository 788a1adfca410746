"""One printed line to its abilities: which kind of ability it is, then the grammar (112, 113, 602-604)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, get_args

import msgspec

from ..abilities import (
    SUBJECTS,
    Ability,
    Activated,
    AddMana,
    AllOf,
    AlternativeCost,
    Amount,
    AnyOf,
    Become,
    Compare,
    Condition,
    CostChange,
    CostPart,
    Count,
    Counters,
    Do,
    Emblem,
    EntersWith,
    Filter,
    GrantAbilities,
    HandSize,
    Is,
    Keyword,
    Line,
    Loyalty,
    ManaPart,
    Not,
    NotStated,
    OfPlayers,
    Paid,
    Permission,
    SpellAbility,
    Static,
    Status,
    Triggered,
    TriggersAgain,
    Turn,
    Unread,
    X,
    XRange,
    is_mana_ability,
)
from .conditions import pick_condition
from .costs import each_with_its_verb
from .effects import Read, read_effects, sentences, without_missing_target
from .engine import grammar, parse, parse_one
from .keyword_costs import BUILDERS
from .nouns import referring
from .subjects import signed, touched, understood_words
from .text import small_starts

# Rules for whole sentences that are static abilities or the like; each leaves abilities as its values.
# Each with words of which every sentence of that kind has one: a look that is cheaper than the grammar.
SENTENCE_RULES = {
    rule: re.compile(words)
    for rule, words in (
        (
            "rule_sentence",
            r"untap|skip|hand|loyalty|legend|hexproof|shroud|cascade|storm|ripple|demonstrate|game|lethal|transform|"
            r"lose life|would (?:die|be )|counters",
        ),
        ("own_flash", r"~ has flash\b"),
        ("static_sentence", r""),
        ("production_sentence", r"mana|produce|tapped"),
        ("cost_sentence", r"cost|pay|spend|the next "),
        ("prohibition_sentence", r"can't|\bcan cast\b"),
        ("permission_sentence", r"\bmay\b|^cast ~|\bflash\b"),
        (
            "ward_sentence",
            r"protection|hexproof|can't|attached|can be|the first |any time|as you cast|same is true|unspent|skip|"
            r"rather|exhaust|has |searching",
        ),
        ("combat_sentence", r"attack|block|goaded|sacrificed|untap|activated"),
        ("fight_sentence", r"attack|block"),
    )
}

_ABILITIES = (Activated, Triggered, Static, SpellAbility, Keyword, EntersWith, Emblem)


class Found(msgspec.Struct, frozen=True):
    """A line read: its abilities, and the subjects that what was not understood of it could touch."""

    abilities: tuple[Ability, ...] = ()
    unread: tuple[str, ...] = ()
    irrelevant: bool = False


class Kind(msgspec.Struct, frozen=True):
    """What matters of the object that a line is printed on."""

    spell: bool = False  # an instant or sorcery: its sentences happen as it resolves (113.3a)
    zone: Literal["battlefield"] = "battlefield"


PERMANENT = Kind()


def as_line(n: int, found: Found) -> Line:
    if found.unread:
        return Line(n, "unread", found.abilities, found.unread)
    if found.irrelevant:
        return Line(n, "irrelevant", found.abilities)
    return Line(n, "modelled", found.abilities)


@lru_cache(maxsize=100_000)
def read_line(text: str, kind: Kind = PERMANENT) -> Found:
    """A normalised line. A word that is not known may change anything, wherever it stands."""
    found = read_known(text, kind)
    if not found.unread and not understood_words(text):
        return msgspec.structs.replace(found, unread=SUBJECTS, irrelevant=False)
    return found


def read_known(text: str, kind: Kind) -> Found:
    """A line by its words: every way of reading is tried in the order that its first words suggest."""
    if not text or text == "." or (text.startswith("cumulative upkeep—") and understood_words(text)):
        # 702.24: a trigger in the upkeep, whatever the cost is.
        return Found(irrelevant=True)
    if (warded := _WARD.match(text)) is not None and understood_words(text):
        # 702.21: a trigger, whatever the cost is that is asked for as it resolves.
        found = read_keywords(text, kind)
        return found if found is not None and not found.unread else Found((Keyword(warded.group(1)),))
    found = read_conditional(text, kind)
    if found is not None:
        return found
    for reader in (read_keywords, read_activated, read_triggered, read_statics):
        found = reader(text, kind)
        if found is not None:
            return found
    if kind.spell:
        return read_spell(text)
    return classified(text)


_WARD = re.compile(r"^(?:~ has )?(ward|echo)(?:—[^\".]+| \{X\}, where X is [^\".]+)\.?$")
_STATION = re.compile(r"^(\d+)\+ \| (.+)$")


def read_conditional(text: str, kind: Kind) -> Found | None:
    """Abilities that the object has only at max speed (702.179), or with enough charge counters (721.2)."""
    station = _STATION.match(text)
    if station is not None:
        n, rest = station.groups()
        return under(read_line(small_starts(rest), kind), Compare(Counters("charge"), ">=", int(n)))
    if text.startswith("max speed — "):
        return under(read_line(small_starts(text.removeprefix("max speed — ")), kind), Status("max_speed"))
    return None


def under(found: Found, condition: Condition) -> Found:
    """The same abilities, only while a condition holds."""
    return msgspec.structs.replace(found, abilities=tuple(conditional(a, condition) for a in found.abilities))


def conditional(ability: Ability, condition: Condition) -> Ability:
    if isinstance(ability, Activated) and ability.zone != "battlefield":
        return msgspec.structs.replace(ability, conditions=(*ability.conditions, condition))
    if isinstance(ability, (Static, Triggered)):
        both = condition if ability.condition is None else AllOf((condition, ability.condition))
        return msgspec.structs.replace(ability, condition=both)
    if isinstance(ability, Keyword) and ability == Keyword(ability.name):
        return Static((GrantAbilities(Filter(me=True), keywords=(ability.name,)),), condition)
    return Static((GrantAbilities(Filter(me=True), (ability,)),), condition)


def classified(text: str) -> Found:
    """A line that no rule reads: irrelevant where all words are known and none touches a subject."""
    subjects = touched(text)
    if subjects:
        return Found(unread=subjects)
    if not re.search(r"[.:\"—]", text) and not _SILENT.match(text):
        # No sentence: a keyword that is not known, and may mean anything.
        return Found(unread=SUBJECTS)
    return Found(irrelevant=True)


# --- keywords ---------------------------------------------------------------------------------------------------------


# Letters outside of mana symbols.
_LETTERS = re.compile(r"(?<![{/])\b[A-Z][a-z]+\b")
# Keyword lines and the like that say nothing by themselves.
_SILENT = re.compile(r"^(?:partner|champion|augment|craft|choose a background|[^ ]+ —$)", re.IGNORECASE)


def read_keywords(text: str, kind: Kind) -> Found | None:
    if '"' in text and not text.startswith("companion"):
        return None
    if text.startswith("enchant "):
        # 702.5: what may be enchanted may be a list, whose words look like further keywords.
        what = parse_one("nouns", text.removeprefix("enchant "))
        if isinstance(what, Filter) and what.zone != "any":
            return Found((Keyword("enchant", what=what),))
    values = parse("keyword_line", text.rstrip("."))
    if values is None and "." not in text:
        values = parse("keyword_line", _LETTERS.sub(lambda m: m.group().lower(), text))
    return None if values is None else Found(abilities_in(values))


def abilities_in(values: tuple[Any, ...]) -> tuple[Ability, ...]:
    """All abilities among the values of a rule, whatever they are wrapped in."""
    out: list[Ability] = []
    for value in values:
        if isinstance(value, _ABILITIES):
            out.append(value)
        elif isinstance(value, tuple):
            out.extend(abilities_in(value))
    return tuple(out)


# --- activated abilities (602) ----------------------------------------------------------------------------------------

_COST_START = re.compile(
    r"^(?:\{|\[|[+-]?(?:\d+|X): |(?:pay|sacrifice|discard|tap|untap|remove|exile|return|put|mill|reveal|exert|collect|"
    r"blight|forage|behold|waterbend|unattach|~|boast|exhaust|power-up|forecast|channel|renew|max speed|solved)\b)"
)
# 602.1: words before a colon are a cost, whatever they say; sentences of other kinds have none there.
_ODD_COST = re.compile(
    r"^(?!when|whenever|at |if |as |for |each |all |until |during |choose |you )[a-z][^\":.«]{0,80}: \S"
)
_COLON = re.compile(r"^([^\":.«]*(?:\([^)]*\))?[^\":.]*): (.*)$")
# 702.142a: it attacked this turn; a situation says so of one that is out of combat again.
ATTACKED = AnyOf((Is("self", Filter(zone="any", attacking=True)), Is("self", Filter(zone="any", noted="attacked"))))
_PREFIXES: dict[str, dict[str, Any]] = {
    "boast": {"limit": 1, "conditions": (ATTACKED,)},
    "exhaust": {"once": True},
    "channel": {"zone": "hand"},
    "forecast": {"zone": "hand", "limit": 1, "conditions": (Turn("you", ("upkeep",)),)},
    "renew": {"zone": "graveyard", "timing": "sorcery"},
    "power-up": {"once": True},
    "waterbend": {},
}


def read_activated(text: str, kind: Kind) -> Found | None:
    if not _COST_START.match(text) and not _ODD_COST.match(text):
        return None
    found = _COLON.match(text)
    if found is None:
        return None
    cost_text, effect_text = found.groups()
    fields: dict[str, Any] = {}
    prefix = re.match(r"^([a-z-]+(?: speed)?)\s*[—-] ", cost_text)
    if prefix is not None:
        word = prefix.group(1)
        if word not in _PREFIXES:
            return None
        fields = dict(_PREFIXES[word], keyword=word)
        cost_text = cost_text[prefix.end() :]
    return activated(cost_text, effect_text, fields)


# A restriction on activating that no rule reads (602.5b): the ability may be forbidden.
_RESTRICTS = re.compile(
    r"^activate\b|\bmay activate (?:this|~'s) abilit|^this ability can't be activated|^you can't activate"
)
# What a sentence says of the costs of the ability that it stands with.
_OWN_COST = re.compile(r"\bthis ability costs\b|\bspend only\b|\bless to activate\b|\bmore to activate\b")


# A sentence that says what X may not be (107.3).
_X_RANGE = re.compile(r"\bX can't be (?:0|greater than ([^.\"]*))", re.IGNORECASE)


def announced(text: str) -> XRange | None:
    """What the text allows to be announced for X; None where it says nothing. A limit that is not understood is not
    stated."""
    said = _X_RANGE.search(re.sub(r'"[^"]*"', "", text))
    if said is None:
        return None
    if said.group(1) is None:
        return XRange(least=1)
    amount = parse_one("quantity", said.group(1))
    return XRange(most=amount if isinstance(amount, get_args(Amount)) and not _has_x(amount) else NotStated())


# A sentence that says what the X of the cost is (107.3c), not "where X is", which is about the effect.
_DEFINED_X = re.compile(r"(?:^|[.\n] ?)x (?:is|equals) ([^.\"]*)", re.IGNORECASE)
_UNATTACH = re.compile(r"(?:^|, )unattach (~|⟦granter⟧|an Equipment from ~)$")
_EQUIPMENT_ON_IT = Compare(Count(Filter(subtypes=("Equipment",), attached_to="self")), ">=", 1)


def with_defined_x(cost: tuple[CostPart, ...], said: str) -> tuple[CostPart, ...]:
    """107.3c: the text says what X is, so it is not announced; what no amount says of it is not stated."""
    if any(_has_x(p) and not isinstance(p, ManaPart) for p in cost) or not understood_words(said):
        return (*cost, Unread())
    amount = parse_one("quantity", said)
    if said.strip() == "the number of cards in an opponent's hand":
        amount = OfPlayers("least", HandSize())  # whichever opponent is chosen as it is activated
    elif not isinstance(amount, get_args(Amount)) or _has_x(amount) or _speaks_of_another(amount):
        amount = NotStated()
    elif re.search(r"\ban opponent\b", said):
        amount = NotStated()  # of one opponent, not of all of them
    parts: list[CostPart] = []
    for part in cost:
        count = part.cost.count("{X}") if isinstance(part, ManaPart) else 0
        if not isinstance(part, ManaPart) or not count:
            parts.append(part)
            continue
        rest = part.cost.replace("{X}", "")
        parts.append(ManaPart(f"{{{count}}}", repeat=amount))
        if rest:
            parts.append(msgspec.structs.replace(part, cost=rest))
    return tuple(parts)


def _has_x(node: Any) -> bool:
    if isinstance(node, ManaPart):
        return "{X}" in node.cost
    if isinstance(node, tuple):
        return any(_has_x(n) for n in node)
    return isinstance(node, X) or (
        isinstance(node, msgspec.Struct) and any(_has_x(getattr(node, f)) for f in node.__struct_fields__)
    )


def _speaks_of_another(amount: Any) -> bool:
    """Whether the amount belongs to an object that the effect speaks of, such as "that card"."""
    return any(f'"{ref}"' in msgspec.json.encode(amount).decode() for ref in ("that", "target", "spell", "linked"))


# 113.6j: an ability that says from where alone it can be activated functions there.
_ELSEWHERE = re.compile(r" ?activate only if ~ is (?:in your (graveyard|hand)|suspended)\.?$")


def activated(cost_text: str, effect_text: str, fields: dict[str, Any]) -> Found:
    """An activated ability; what it does may stay unread without the line being unread, unless it could add mana:
    anything else resolves from the stack and cannot act while a cost is paid."""
    if (unattached := _UNATTACH.search(cost_text)) is not None:
        # Only what is attached can be unattached (701.3d); what gives the ability to what it is attached to always is.
        cost_text = cost_text[: unattached.start()]
        attached = {"~": (Is("host", Filter()),), "⟦granter⟧": ()}.get(unattached.group(1), (_EQUIPMENT_ON_IT,))
        fields = {**fields, "conditions": (*fields.get("conditions", ()), *attached)}
    if (elsewhere := _ELSEWHERE.search(effect_text)) is not None:
        effect_text = effect_text.replace(elsewhere.group(), "")
        fields = {**fields, "zone": elsewhere.group(1) or "exile"}
        if elsewhere.group(1) is None:  # 702.62b: a suspended card is in exile with time counters
            fields["conditions"] = (*fields.get("conditions", ()), Compare(Counters("time"), ">=", 1))
    cost = read_cost(cost_text) if cost_text or unattached is None else ()
    if "{X}" in cost_text and (defined := _DEFINED_X.search(effect_text)) is not None:
        cost = with_defined_x(cost, defined.group(1))
    read = read_effects(effect_text)
    merged = {**fields, **read.limit}
    if "conditions" in fields:
        merged["conditions"] = (*fields["conditions"], *read.limit.get("conditions", ()))
    if "conditions" in merged:
        merged["conditions"] = referring(merged["conditions"], "self")  # "activate only if it has no counters on it"
    merged.setdefault("zone", _zone_of(cost, effect_text))
    effects = read.effects
    if not read.targets and (_SPOKEN_OF.search(effect_text) or not any(concerns_others(p) for p in cost)):
        # Nothing else was spoken of last: "it" is the object itself.
        effects = of_itself(referring(effects, "self"))
    effects = without_missing_target(effects, read.targets)
    ability = Activated(cost=cost, effects=effects, targets=read.targets, announced=announced(effect_text), **merged)
    if not understood_words(f"{cost_text} {effect_text}"):
        return Found((ability,), SUBJECTS)
    if Unread() in cost:
        return Found((ability,), signed_for_activation(effect_text))
    if fields.get("keyword") == "power-up":
        # It costs less by its own mana cost in the turn it enters: by how much is not modelled.
        entered = Is("self", Filter(zone="any", entered_this_turn=True))
        less = CostChange("less", "{1}", condition=AllOf((entered, Status("not_stated"))))
        ability = msgspec.structs.replace(ability, changes=(*ability.changes, less))
    if any(_RESTRICTS.search(t) for t in read.others):
        return Found((ability,), ("-permission", "-mana") if is_mana_ability(ability) else ("-permission",))
    if any(_OWN_COST.search(t) for t in read.others):
        return Found((ability,), ("mana", "cost") if could_add_mana(read) or is_mana_ability(ability) else ("cost",))
    uses_stack = bool(ability.targets) or any(isinstance(p, Loyalty) for p in cost)
    if not is_mana_ability(ability) and (uses_stack or not could_add_mana(read)):
        # A target that is not understood may not exist, and then the ability can't be activated (602.2b, 601.2c).
        unread = ("-permission",) if Unread() in read.effects else ()
        return Found((ability, *emblems(read)), unread, irrelevant=not_lasting(read))
    if read.understood and is_mana_ability(ability) and not doubtful(read.others):
        return Found((ability,))
    return Found((ability,), ("mana",))


# Words by which a sentence could change what a mana ability makes or when it may be activated.
_DOUBTFUL = re.compile(r"\bmana\b(?! values?\b)|\bspend|\bactivat|\binstead\b|\bunless\b|\bcosts?\b|\badds?\b")


_LATER = re.compile(r"^(?:when|whenever|at) |at the beginning of the next|at the beginning of your next")


# A sentence that begins with "it" after one about the object itself.
_SPOKEN_OF = re.compile(r"~[^.]*\. it ", re.IGNORECASE)


def doubtful(others: tuple[str, ...]) -> bool:
    """Whether a sentence could change the mana; what a delayed trigger brings (603.7) comes too late for that."""
    for sentence in others:
        if _LATER.search(sentence):
            return False
        if _DOUBTFUL.search(sentence):
            return True
    return False


def of_itself(node: Any) -> Any:
    """ "It becomes …" without a target is the object itself."""
    if isinstance(node, tuple):
        return tuple(of_itself(n) for n in node)
    if not isinstance(node, msgspec.Struct):
        return node
    if node in (Filter(ref="self"), Filter(zone="any", ref="self")):
        return Filter(me=True)
    return msgspec.structs.replace(node, **{f: of_itself(getattr(node, f)) for f in node.__struct_fields__})


def concerns_others(part: CostPart) -> bool:
    what = getattr(part, "what", None)
    return isinstance(what, Filter) and not what.me


def not_lasting(read: Read) -> bool:
    return not any(isinstance(e, (AddMana, Become)) for e in read.effects)


def emblems(read: Read) -> tuple[Emblem, ...]:
    """114.1: what an emblem that the ability makes has."""
    return tuple(Emblem(e.abilities) for e in read.effects if isinstance(e, Do) and e.what == "emblem")


def could_add_mana(read: Read) -> bool:
    """Whether a sentence that was not understood could make this a mana ability."""
    words = re.compile(r"\badds?\b(?! an? (?:\w+ )?counter)|\bunspent mana\b|\btap\b[^.]*\bfor mana\b")
    others = [re.sub(r'"[^"]*"', "", t) for t in read.others]
    unread = any(isinstance(e, Unread) for e in read.effects)
    return any(words.search(t) for t in others) or (unread and any(not understood_words(t) for t in others))


def signed_for_activation(effect_text: str) -> tuple[str, ...]:
    mana = ("mana",) if re.search(r"\badds?\b", effect_text) else ()
    return (*mana, "permission")


@lru_cache(maxsize=20_000)
def read_cost(text: str) -> tuple[CostPart, ...]:
    values = parse("costs", each_with_its_verb(text))
    return (Unread(),) if not values else values[0]


_MOVES_ITSELF = re.compile(
    r"(?:(?:return|put|exile|reveal|cast|play) ~(?: onto the battlefield)?|return ~ and [^.]*? cards?)"
    r" from (?:your |the )?(graveyard|hand|exile|command)\b"
)


def _zone_of(cost: tuple[CostPart, ...], effect_text: str) -> str:
    """Where an ability functions whose cost or effect moves its own card out of a zone (113.6m)."""
    from ..abilities import Discard, ExileCost, Reveal

    for part in cost:
        if isinstance(part, (Discard, ExileCost, Reveal)) and part.what.me:
            return part.what.zone
    # Words in quotation marks are about some other ability.
    bare = re.sub(r'"[^"]*"', "", effect_text)
    moved = _MOVES_ITSELF.search(bare)
    if moved is None and re.search(r"\b[Aa]ctivate only if ~ is in your graveyard\b", bare):
        return "graveyard"
    return moved.group(1) if moved else "battlefield"


# --- triggered abilities (603) ----------------------------------------------------------------------------------------

_CHAPTER = re.compile(r"^[IVX]+(?:, [IVX]+)* — ")
_TRIGGER = re.compile(r"^(?:when|whenever|at)\b")
_VISIT = re.compile(r"^(?:visit|prize) — ")  # 702.159a, 717.5: whenever you roll to visit, or claim the prize


# What a spell sets up as it resolves is no ability of the spell (603.7).
_DELAYED = re.compile(r"when you next |whenever [^\",]* this turn, ")


def read_triggered(text: str, kind: Kind) -> Found | None:
    chapter = _CHAPTER.match(text)
    if chapter is not None:
        read = read_effects(small_starts(text[chapter.end() :]))
        ability = Triggered("chapter", Filter(me=True), effects=read.effects, targets=read.targets)
        return Found((ability,), () if understood_words(text) else SUBJECTS, irrelevant=True)
    if (visit := _VISIT.match(text)) is not None:
        read = read_effects(small_starts(text[visit.end() :]))
        found = (Triggered("other", effects=read.effects, targets=read.targets),)
        return Found(found, () if understood_words(text) else SUBJECTS, irrelevant=True)
    if not _TRIGGER.match(text):
        return None
    if "trigger_line" in grammar():
        values = parse("trigger_line", text if text.endswith(".") else text + ".")
        abilities = abilities_in(values or ())
        if abilities and (_is_on_mana(abilities) or not re.search(r"^[^,]*\bfor mana\b", text)):
            if kind.spell and _DELAYED.match(text):
                return set_up(triggered(abilities))
            return triggered(abilities)
    if re.search(r"for mana\b", text):
        return Found(unread=("mana",))
    return Found(irrelevant=True) if understood_words(text) else Found(unread=SUBJECTS)


def set_up(found: Found) -> Found:
    """A delayed trigger that a spell sets up (603.7)."""
    whole = not any(isinstance(a, Triggered) and Unread() in a.effects for a in found.abilities)
    effect = Become(found.abilities) if whole else Do("lasting")
    return msgspec.structs.replace(found, abilities=(SpellAbility((effect,)),))


def _is_on_mana(abilities: tuple[Ability, ...]) -> bool:
    return any(isinstance(a, Triggered) and a.event in ("tapped_for_mana", "mana_added") for a in abilities)


def triggered(abilities: tuple[Ability, ...]) -> Found:
    unread = any(isinstance(a, Triggered) and Unread() in a.effects for a in abilities)
    on_mana = _is_on_mana(abilities)
    if on_mana and unread:
        return Found(abilities, ("mana",))
    return Found(abilities, irrelevant=not on_mana)


# --- static abilities (604) and spells --------------------------------------------------------------------------------


def read_sentence(text: str) -> tuple[Ability, ...] | None:
    bare = text.rstrip(".")
    for rule, needs in SENTENCE_RULES.items():
        if needs.search(bare):
            values = parse(rule, bare)
            if values is not None and (abilities := abilities_in(values)):
                return abilities
    if _ENTERS.match(bare) and understood_words(bare):
        return (EntersWith(unread=True),)
    if _UNCAST.match(bare):
        # What is put onto the battlefield rather than cast, and is known to be, are lands that are played.
        return (EntersWith(what=Filter(all_types=("Creature", "Land"), token=False), unread=True),)
    return None


# How the object itself enters, in words that some rule fits without making sense of them.
_ENTERS = re.compile(
    r"^~ enters with [^\"]+$|^if ~ would enter and it wasn't cast or no mana was spent to cast it, exile it instead$"
)
_UNCAST = re.compile(r"^if a nontoken creature would enter and it wasn't cast, exile it instead$")


_GIVEN_FORETELL = Filter(zone="stack", foretold=True, owner="you", not_keyword="foretell")


def foretold_before(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """702.143: a card that was foretold by an ability that only cards in hand are given is cast from exile, where it
    does not have that ability any more. A card with foretell of its own was not given it."""
    return tuple(
        Static((msgspec.structs.replace(cost, spells=_GIVEN_FORETELL),))
        for ability in abilities
        if isinstance(ability, Static)
        for effect in ability.effects
        if isinstance(effect, GrantAbilities) and effect.what.zone == "hand"
        for granted in effect.abilities
        if isinstance(granted, Static)
        for cost in granted.effects
        if isinstance(cost, AlternativeCost) and cost.name == "foretell"
    )


def lets_cast(ability: Ability) -> bool:
    """Whether it lets other spells be cast, from the battlefield."""
    return (
        isinstance(ability, Static)
        and ability.zone == "battlefield"
        and any(isinstance(e, Permission | AlternativeCost) for e in ability.effects)
    )


_AGAIN = re.compile(
    r"^(?:as long as (?P<when>[^,]+), )?if an? (?:triggered )?ability of (?!.*\b(?:spell|while)\b)(?P<what>.+?) "
    r"triggers, (?:that ability|it) triggers an additional time\.?$"
)


def read_again(text: str) -> Found | None:
    """603.2d: abilities that trigger an additional time, whatever they triggered on."""
    said = _AGAIN.match(text)
    if said is None:
        # Where only some events are meant, none of them is that mana is made.
        unsure = re.match(r"^(?:as long as [^,]+, )?if an? (?:triggered )?ability of .* an additional time\b", text)
        return Found(unread=("+mana",)) if unsure else None
    # "An Equipment attached to it": which of two objects "it" is, is plain where one of them is the object itself.
    described = re.sub(r"^(~ or an? [A-Z][a-z]+ attached to) it$", r"\1 ~", said["what"])
    what = parse_one("nouns", described)
    condition = pick_condition(parse("conditions", said["when"]) or ()) if said["when"] else None
    if not isinstance(what, Filter) or (said["when"] and condition is None):
        return Found(unread=("+mana",))
    return Found((Static((TriggersAgain(what),), condition),))


def read_statics(text: str, kind: Kind) -> Found | None:
    if (again := read_again(text)) is not None:
        return again
    if kind.spell and text.startswith("the next "):
        return None  # what resolves, not what is printed on a permanent
    whole = read_sentence(text)
    if whole is not None and kind.spell and any(lets_cast(a) for a in whole):
        return None  # what a spell lets its controller do as it resolves
    if whole is not None:
        # How it entered is past for everything that is there already.
        whole = (*whole, *foretold_before(whole))
        return Found(whole, irrelevant=all(isinstance(a, EntersWith) and a.unread for a in whole))
    if kind.spell:
        return None
    if (both := read_halves(text)) is not None:
        return Found(both)
    parts = sentences(text)
    if len(parts) < 2:
        return None
    abilities: list[Ability] = []
    unread: list[str] = []
    for part in parts:
        read = read_sentence(part)
        if read is None:
            found = classified(part)
            unread.extend(found.unread)
        else:
            abilities.extend(read)
    if not abilities:
        return None
    return Found(tuple(abilities), tuple(dict.fromkeys(unread)))


_BEFORE_HALVES = re.compile(r"^(?:during your turn|during turns other than yours), ")
# What could be about both halves, or about something that the other half names.
_OF_BOTH = re.compile(
    r"^(?:as long as|if|when|while|once|each|during|until|unless)|"
    r"\b(?:as long as|if|unless|where|for each|it|its|that|those|they|their|them|this way|except|instead|enters?|"
    r"only)\b"
)


def read_halves(text: str) -> tuple[Ability, ...] | None:
    """Two whole sentences that "and" joins, of which each is read for itself."""
    when = _BEFORE_HALVES.match(text)
    before, rest = (when.group(), text[when.end() :]) if when is not None else ("", text)
    if _OF_BOTH.search(rest) or '"' in rest or ". " in rest:
        return None
    for found in re.finditer(r",? and ", rest):
        halves = [read_sentence(before + half) for half in (rest[: found.start()] + ".", rest[found.end() :])]
        if all(half is not None for half in halves):
            return tuple(a for half in halves if half is not None for a in half)
    return None


# What a sentence of a spell says about casting it, wherever it stands in the line.
_OF_CASTING = re.compile(
    r"^as an additional cost|~ costs |rather than pay ~'s|"
    r"\bcast ~ (?:only|from|without|as though|for|if|unless|by)\b|can't cast ~|"
    r"^cast ~|^~ (?:can't|has)|^spend only|spells that target it cost|cost \{X\} less to cast|^the next [^.]* costs"
)
# A line of a spell that begins with a keyword which changes its cost is no effect, however much of it is not read.
_KEYWORD_FIRST = re.compile(r"(?:" + "|".join(sorted(map(re.escape, BUILDERS), key=len, reverse=True)) + r")(?:[ —]|$)")


_BRACKETS = re.compile(r" ?\[[^\[\]]+\]")


def cleaved(text: str) -> Found | None:
    """702.148: with its brackets, and without the words in them where it is cast for its cleave cost."""
    whole = read_spell(re.sub(r"[\[\]]", "", text))
    short = read_spell(_BRACKETS.sub("", text).strip())
    if whole.unread or short.unread or len(whole.abilities) != 1 or len(short.abilities) != 1:
        return None
    (usual,), (other,) = whole.abilities, short.abilities
    if not isinstance(usual, SpellAbility) or not isinstance(other, SpellAbility):
        return None
    if usual.targets == other.targets:
        return whole
    paid = Paid("cleave")
    if any(t.when is not None for t in (*usual.targets, *other.targets)):
        return None
    targets = tuple(msgspec.structs.replace(t, when=Not(paid)) for t in usual.targets)
    targets += tuple(msgspec.structs.replace(t, when=paid) for t in other.targets)
    return Found((msgspec.structs.replace(usual, targets=targets),), irrelevant=whole.irrelevant and short.irrelevant)


def read_spell(text: str) -> Found:
    """A line of an instant or sorcery: what happens as it resolves, which bears on nothing before that."""
    if _BRACKETS.search(text) and (found := cleaved(text)) is not None:
        return found
    read = read_effects(text.removeprefix("• "))
    effects = without_missing_target(read.effects, read.targets)
    ability = SpellAbility(effects=effects, targets=read.targets, announced=announced(text))
    if read.limit:
        return Found(unread=("permission",))
    if _OF_CASTING.search(text):
        return Found(unread=signed(("cost", "permission"), text))
    if not understood_words(text):
        return Found((ability,), ("permission",))
    if _KEYWORD_FIRST.match(text):
        return Found(unread=("cost", "permission"))
    if Unread() in read.effects:
        return Found((ability,), ("-permission",))
    return Found((ability,), irrelevant=not_lasting(read) and ability.announced is None)
