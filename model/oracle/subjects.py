"""What a line that was not parsed could touch, and whether all of its words are known.

A line may be called irrelevant only when every word of it is known and no pattern says that it touches a subject. A
subject is written "+mana" when the line can only add possibilities, "-mana" when it can only take some away.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from ..abilities import SUBJECTS
from . import words

_TOKEN = re.compile(r"\{[^}]*\}|[A-Za-z][A-Za-z'-]*|⟦[a-z]+⟧|⟨[^⟩]*⟩|~(?:'s)?|[^\sA-Za-z~{⟨⟦]+")
_PLAIN = re.compile(
    r"^(?:\{(?:[WUBRGCSXTQEP]|\d+|[WUBRGC\d]/[WUBRGCP](?:/P)?|TK|CHAOS|HW|HR)\}|"
    r"~(?:'s)?|⟦granter⟧|⟦cost⟧|⟨[^⟩]*⟩|[\d.,;:!?()\"'«»/+*\[\]—•|-]+|X)$"
)


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Words that card texts use, lower case."""
    text = (files(__package__ or "") / "vocabulary.txt").read_text("utf-8")
    return frozenset(text.split())


@lru_cache(maxsize=100_000)
def known_word(token: str) -> bool:
    if _PLAIN.match(token):
        return True
    word = token.lower().strip("'")
    return word in vocabulary() or word.removesuffix("'s") in vocabulary() or words.subtype(token) is not None


def understood_words(text: str) -> bool:
    """Whether every word of a text is one that card texts use."""
    return all(known_word(t) for t in _TOKEN.findall(text))


# What a continuous effect or a rule-changing sentence could touch, by its words.
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("mana", r"\bmana\b(?! values?\b)|tapped for|\badd \{|\badds? (?:an? |one |two |three |X |that )"),
    ("cost", r"\bbargain any\b|\bcosts?\b|\bpays?\b|\bspend|\bspent\b|without paying|\breduce"),
    (
        "permission",
        r"may (?:cast|play|activate)|ignore this effect|can't (?:be )?(?:cast|play|activat)|"
        r"can't be (?:cast|played|activated)|\bflash\b|"
        r"as though|additional land|\bactivated?\b|\bplay\b|\bcan't\b|\bcast\b|\bonly\b|skip|"
        r"\bprotection\b|\bhexproof\b|\bshroud\b",
    ),
    (
        "types",
        r"\b(?:gets?|gains?|has|have|loses?|is|are|isn't|aren't|becomes?|copy|copies|type|types|color|colors|power|toughness|named?|"
        r"control|legendary|basic|nonbasic|abilities|ability)\b",
    ),
    ("untap", r"untap|\btapped\b|\btap\b|\bskips?\b"),
    ("sacrifice", r"sacrific|discard"),
    ("hand_size", r"hand size"),
    ("combat", r"attack|\bblock|\bcombat\b|goad|unblock|menace|flying|evasion|defender"),
    (
        "state_based",
        r"lose the game|loses the game|legend rule|win the game|\btoughness\b|0 or less life|counters?\b|"
        r"indestructible",
    ),
)
_COMPILED = tuple((subject, re.compile(pattern)) for subject, pattern in _PATTERNS)

_ONLY_ADDS = re.compile(r"\bmay\b|as though|\bless to\b|additional land|can be\b")
_ONLY_TAKES = re.compile(r"can't|don't|doesn't|\bmore to\b|\bonly\b|\bskip")


# Sentences about events that no question asks about, whatever else stands in them.
_NO_SUBJECT = tuple(
    re.compile(pattern)
    for pattern in (
        # Damage, life, cards drawn, tokens made, dying: events that paying and permission do not contain (614, 615).
        r"^(?:if [^,]+, )?(?:until [^,]+, )?prevent (?:all|the next|half|\d+|X|that)\b[^\"]*$",
        r"^if (?!.*\b(?:mana|pay|sacrific|discard|counters?\b|cast|untap|tapped for|activate|loses? life|"
        r"loses? the game|enter\b))[^\"]*\bwould\b[^\"]*$",
        r"^(?:all )?damage (?:can't be prevented|isn't removed|that would be)[^\"]*$",
        r"^(?:as long as [^,\"]+, )?prevent (?:all|the next|half|\d+|X|that)\b[^\"]*$",
        r"^double all damage [^\"]*$",
        r"^(?:as long as [^,\"]+, )?if (?:a|an|one or more) [^,\"]*would deal [^,\"]*damage [^,\"]*,"
        r" (?:it|that|they) deals? [^\"]*$",
        r"^(?:as long as [^,\"]+, )?all (?:combat |noncombat )?damage that would[^\"]*$",
        r"^as long as [^,\"]+, (?:if|the first time) (?!.*\b(?:mana|pay|sacrific|discard|cast|untap|tapped for|"
        r"activate|loses? life|lose the game|enter|counters? would|would put|would get)\b)[^\"]*\bwould\b[^\"]*$",
        r"^as long as [^,\"]+, if (?!.*\bmana\b)[^\"]*(?:triggers? an additional time|that ability triggers)[^\"]*$",
        r"^the first time you would create one or more tokens [^\"]*$",
        r"^if [^,\"]*would deal (?:combat|noncombat) damage to [^,\"]+, (?:instead )?(?:put|that player) [^\"]*$",
        r"^as long as [^,\"]+, (?:it|~|equipped creature|enchanted creature) assigns combat damage equal to its "
        r"toughness rather than its power$",
        r"^rather than the attacking player, you assign the combat damage of [^\"]*$",
        r"^(?:if ~ is unblocked, )?you may (?:have it|have ~) assign its combat damage [^\"]*$",
        r"^you may assign ~'s combat damage divided as you choose [^\"]*$",
        r"^you gain life rather than lose life from radiation$",
        r"^as you cascade, you may put a land card from among the exiled cards onto the battlefield tapped$",
        r"^you control your opponents while they're searching their libraries$",
        r"^[^\".]* entering(?: the battlefield)? don't cause (?:backup )?abilities (?:of permanents [^\".]*)?"
        r"to trigger$",
        r"^after you roll a die, [^\"]*$",
        r"^you may tap [^\"]* to (?:have any player reroll a die|increase the result of a die) [^\"]*$",
        r"^this ability doesn't affect its color identity$",
        r"^[^\".]* are colorless sources of damage$",
        r"^if damage would be dealt to ~, instead create [^\"]* token and move a counter from ~ onto it\. [^\"]*$",
        r"^while voting, you get an additional vote$",
        r"^if damage would be dealt to ~, sacrifice that many permanents instead$",
        r"^if you would draw a card while your library has no cards in it, instead put [^\"]* counters on ~$",
        r"^(?:you may )?reveal the first card you draw each turn(?: as you draw it)?\. whenever you reveal [^\"]* "
        r"this way, [^\"]*$",
        r"^if ~ is in a graveyard, effects from spells named [^\"]* count it as a card named [^\"]*$",
        r"^for each 1 damage that would be dealt to ~, [^\"]* remove a \+1/\+1 counter from it and prevent "
        r"that 1 damage$",
        r"^combat damage (?:that would be dealt by [^\",]+ )?can't be prevented$",
        r"^(?:as long as ~ is attacking, )?(?:for each [^,\"]+, )?(?:you|[^\",.]*controller) may have [^\",.]+ assign "
        r"(?:its|his|her|their) combat damage as though (?:it|he|she|they) weren't blocked$",
        r"^(?:as long as you have \d+ or more life, )?damage that would reduce your life total to less than \d+ "
        r"reduces it to \d+ instead$",
        r"^(?:as long as you have 0 or less life, )?all damage is dealt (?:to you )?as though its source had "
        r"(?:wither|infect)$",
        r"^you may pay \{\d+\} rather than pay the echo cost for permanents you control$",
        r"^if (?:a nontoken creature|~) would enter and it wasn't cast(?: or no mana was spent to cast it)?, "
        r"exile it instead$",
        r"^if a spell or ability you control would counter a spell, [^\"]*$",
        r"^if a modular triggered ability would put [^\"]*$",
        r"^if a cycling ability of [^\",]* would cause you to draw a card, [^\"]*$",
        r"^if you would begin your turn [^\"]*$",
        r"^if a player would draw a card, (?:they reveal it instead|instead they draw a card and reveal it)\. [^\"]*$",
        r"^~ escapes with \"when(?:ever)? [^\"]*\"$",
        # Drafts and what is done before the game.
        r"^(?:reveal ~ as you draft it|as you draft an? |before you shuffle your deck to start the game|"
        r"draft ~ face up|immediately after the draft|each player passes the last card)[^\"]*$",
        r"^you may begin the game with [^\"]*$",
        r"^any time you could mulligan [^\"]*$",
        r"^[Rr]oom abilities of [^\"]* trigger an additional time$",
        r"^spells(?: and abilities)? can't be countered$",
        r"^if damage would be dealt to [^,\"]+, put that many [^\"]* counters on [^\"]* instead$",
        r"^if you would draw a card, you may put an? [a-z]+ counter on ~ instead$",
        r"^counters remain on ~ as it moves[^\"]*$",
        r"^if (?:an effect would create|you would create|one or more tokens would)[^\"]*$",
        # Triggers that are not on mana wait on the stack, however often they trigger.
        r"^if (?!.*\bmana\b)[^\"]*(?:triggers? an additional time|that ability triggers)[^\"]*$",
        r"^[^\".]* don't cause abilities (?:of permanents [^\".]*)?to trigger(?: this turn)?$",
        r"^if [^,]* causes you to discard (?:~, |a card, )[^\"]*\bon top of your library [^\"]*$",
        r"^if [^,]* causes you to discard ~, [^\"]*$",
        r"^this effect doesn't remove [^\"]*$",
        # The rows of a table of results, and the task of a Case, belong to abilities that wait on the stack.
        r"^\d+(?:—\d+|\+)? \| (?!.*\badds? ).*$",
        r"^to solve — [^\"]*$",
        # What is looked at or revealed.
        r"^you may look at (?:the top card of your library|face-down)(?!.* you may )[^\"]*$",
        r"^(?:players )?play with [^\"]*revealed[^\"]*$",
        # Before the game, and how decks are built.
        r"^if ~ is in your opening hand[^\"]*$",
        r"^(?:before|as) (?:the|this) game begins, [^\"]*\bsecretly [^\"]*$",
        r"^if ~ is your commander, (?:your (?:starting )?deck can|you may include|your minimum deck size) [^\"]*$",
        r"^as long as ~ is your commander, [^\"]* in your deck have \"your deck [^\"]*\"$",
        r"^you may reveal ~ from your opening hand\b[^\"]*$",
        r"^a deck can have[^\"]*$",
        r"^~ can be your commander[^\"]*$",
        # Which damage is assigned how.
        r"^(?!.*\b(?:gets?|gains?|can't|loses?|becomes?|have|is|are) )[^\"]*"
        r"\bassigns? (?:combat damage|lethal|its combat damage)[^\"]*$",
        r"^you may have ~ assign its combat damage[^\"]*$",
        r"^you may have [^\"]* assign their combat damage[^\"]*$",
        r"^(?:~|[^\".]* spells(?: you (?:control|cast))?) can't be countered(?: by [^\".]*)?$",
        # Exerting happens as attackers are declared.
        r"^(?:if ~ hasn't been exerted this turn, )?you may exert (?:~|it) as (?:it|he|she) attacks[^\"]*$",
        r"^if it's neither day nor night, it becomes day as ~ enters$",
        r"^(?:a |an |each )?[^\".]* can't be regenerated[^\"]*$",
    )
)


# Replacements of putting counters: mana abilities put counters, as costs and as effects, and count them.
_COUNTERS = re.compile(r"\bwould (?:put|get)\b[^\"]*\bcounters?\b|\bcounters? would be (?:put|removed)\b")
# Replacements of dying: a state-based action may then do something else (704.5f-h, 614).
_LEAVES = re.compile(
    r"^(?:as long as [^,\"]+, )?if [^\"]*\bwould (?:die|be destroyed|"
    r"be put into (?:a|your|an opponent's|its owner's) graveyard)"
)


def touched(text: str) -> tuple[str, ...]:
    """The subjects that a continuous effect with these words could touch; all where a word is not known."""
    if understood_words(text) and any(p.match(text.rstrip(".")) for p in _NO_SUBJECT):
        return ("state_based",) if _LEAVES.search(text) else ()
    found = tuple(subject for subject, pattern in _COMPILED if pattern.search(text))
    if _COUNTERS.search(text) and "mana" not in found:
        found = ("+mana" if "+1/+1 counters" in text else "mana", *found)
    if found:
        return signed(found, text)
    return () if understood_words(text) else SUBJECTS


def signed(subjects: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The subjects with the direction in which the words can push, where there is only one."""
    if not understood_words(text):
        return subjects
    adds = bool(_ONLY_ADDS.search(text))
    takes = bool(_ONLY_TAKES.search(text))
    if adds == takes:
        return subjects
    directed = ("cost", "permission", "mana")
    sign = "+" if adds else "-"
    return tuple(sign + s if s in directed else s for s in subjects)  # one that has its sign already keeps it
