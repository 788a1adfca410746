"""What cards say, as data: descriptions of objects, amounts, conditions, costs, effects and abilities.

Nothing here knows a situation. The Oracle compiler makes these structures, the card library stores them, the rules
rooms interpret them. Names are those of the Comprehensive Rules. Every structure is frozen, and defaults are left out
when it is stored, so a short line of a card stays a short record.

Letters of colors and types of mana are in the order W U B R G C. Card types, supertypes and subtypes are written as
type lines write them ("Artifact", "Snow", "Forest"). A *reference* (`Ref`) names an object that a text points at:

    self     the object that has the ability ("this creature", its own name)
    host     what that object is attached to ("enchanted land", "equipped creature")
    that     the object of the triggering event ("that permanent"), or of a cost ("the sacrificed creature")
    spell    the spell being cast, in cost changes and restrictions
    target   the (first) target
    linked   a card that a linked ability of this object put aside ("the exiled card", imprinted)
    latest   the spell most recently cast this turn

and a *player reference* (`Who`): you, opponent (any one), opponents (each), any (each player), active, nonactive,
controller (of the object spoken of), owner (of it), that (player of the triggering event), target, chosen, host (the
enchanted player), of_host (the controller of what the object is attached to), nobody.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import msgspec

Ref: TypeAlias = Literal["self", "host", "that", "spell", "target", "linked", "latest"]
Who: TypeAlias = Literal[
    "you",
    "opponent",
    "opponents",
    "any",
    "active",
    "nonactive",
    "controller",
    "owner",
    "that",
    "target",
    "chosen",
    "host",
    "of_host",
    "nobody",
]
Op: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
Zone: TypeAlias = Literal["battlefield", "stack", "hand", "graveyard", "exile", "library", "command", "any"]


class Node(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, repr_omit_defaults=True):
    """Base of all structures: immutable, compared by value, stored with a tag and without its defaults."""


# --- descriptions of objects ----------------------------------------------------------------------------------------


class Bound(Node):
    """A comparison of one number of the object with an amount: "power 4 or greater" is Bound("power", ">=", 4)."""

    stat: Literal["power", "toughness", "mana_value", "loyalty", "colors", "power+toughness"]
    op: Op
    value: Amount


class Filter(Node):
    """A description such as "another untapped artifact creature you control". Every field that is set must hold;
    an empty Filter is any object in `zone`. `any_of` are alternatives, one of which must hold as well ("artifact
    creature or Vehicle", where the parts differ in more than one word)."""

    zone: Zone = "battlefield"
    types: tuple[str, ...] = ()  # has at least one of these card types
    all_types: tuple[str, ...] = ()  # has all of these ("artifact creature")
    not_types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()  # at least one
    not_subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()  # all
    not_supertypes: tuple[str, ...] = ()
    colors: str = ""  # at least one of these colors
    not_colors: str = ""
    color_count: Literal["", "colorless", "colored", "monocolored", "multicolored", "all"] = ""
    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()  # exactly these objects (situations: a name in `text` means the permanent with that id)
    not_names: tuple[str, ...] = ()
    controller: Who = "any"
    owner: Who = "any"
    me: bool | None = None  # True: the object with the ability itself; False: another object
    ref: Ref | None = None  # the object this reference points at
    tapped: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    unblocked: bool | None = None  # an attacking creature that no creature blocked (509.1h)
    token: bool | None = None
    commander: bool | None = None
    face_down: bool | None = None
    attached: bool | None = None  # enchanted, equipped or fortified by something ("enchanted creature you control")
    attached_by: tuple[Literal["Aura", "Equipment", "Fortification"], ...] = ()  # by one of these: "equipped"
    attacked: Who = "any"  # attacking this player ("attacking you")
    attached_to: Ref | None = None  # it is attached to the object that this names
    modified: bool | None = None  # has a counter, an Aura its controller controls, or an Equipment (700.9)
    historic: bool | None = None  # artifact, legendary or Saga (700.6)
    counter: str = ""  # has a counter of this kind; "any": of some kind
    keyword: str = ""  # has this keyword ("flying")
    not_keyword: str = ""
    has_mana_ability: bool | None = None
    has_x: bool | None = None  # a mana cost containing {X}
    parity: Literal["", "even", "odd"] = ""  # of the mana value; zero is even
    entered_this_turn: bool | None = None
    adventure: bool | None = None  # has an Adventure
    ability: Literal["", "only", "too"] = ""  # on the stack: abilities rather than spells, or both
    unstated: bool | None = None  # and something that no situation states: nobody can tell of one that fits otherwise
    linked: bool | None = None  # exiled with the object that has the ability (607)
    chosen: tuple[Literal["type", "color", "name", "card_type", "player"], ...] = ()  # "of the chosen type"
    not_chosen: tuple[Literal["type", "color", "name", "card_type"], ...] = ()
    shares: tuple[Literal["type", "color", "name", "creature_type", "mana_value", "land_type"], ...] = ()
    # shares …: with the object that `shares_with` names
    shares_with: Ref = "self"
    from_zone: Zone | None = None  # of a spell: cast from this zone
    not_from_zone: Zone | None = None
    foretold: bool | None = None
    kicked: bool | None = None
    noted: str = ""  # the situation notes this of it ("plotted", "discarded this turn", …)
    targets: Filter | None = None  # of a spell: it targets something like this
    one_target: bool | None = None  # of a spell or ability: it has just one target
    targets_player: Literal["", "any", "you", "opponents", "host"] = ""  # or this player; "host": the enchanted one
    bounds: tuple[Bound, ...] = ()
    any_of: tuple[Filter, ...] = ()
    none_of: tuple[Filter, ...] = ()


# --- amounts --------------------------------------------------------------------------------------------------------


class X(Node):
    """The announced value of {X} (107.3a)."""


class Count(Node):
    """How many objects like this there are."""

    of: Filter


class Devotion(Node):
    """Devotion to one or more colors (700.5); "" with `chosen`: to the chosen color."""

    colors: str = ""
    chosen: bool = False


class Counters(Node):
    """Counters of a kind ("" for all kinds) on an object, or on all objects like `among`."""

    kind: str
    on: Ref = "self"
    among: Filter | None = None


class PlayerCounters(Node):
    """Counters of a player: energy, experience, poison …"""

    kind: str
    who: Who = "you"


class Stat(Node):
    """A number of one object; of an object that is gone, as it last was (608.2h)."""

    stat: Literal["power", "toughness", "mana_value", "loyalty", "colors"]
    of: Ref = "self"


class Among(Node):
    """Over all objects like `of`: the greatest or the total of a number, or how many different things there are.
    The "greatest" of names, types or creature types is how many of the objects have the same one at most."""

    how: Literal["greatest", "least", "total", "different"]
    what: Literal["power", "toughness", "mana_value", "colors", "names", "types", "creature_types", "basic_land_types"]
    of: Filter


class Life(Node):
    who: Who = "you"
    what: Literal["total", "starting"] = "total"


class HandSize(Node):
    who: Who = "you"


class ThisTurn(Node):
    """A number out of the history of this turn, by the key that situations use in `this_turn` (life_lost,
    life_gained, drawn, creatures_died, spells_cast, lands_played, discarded, …)."""

    what: str
    who: Who = "you"
    of: Filter | None = None  # spells cast like this


class ChosenNumber(Node):
    """The number chosen for this object, or noted for it."""


class PlayerCount(Node):
    """How many players there are: "for each opponent"."""

    who: Who = "opponents"


class OfPlayers(Node):
    """The greatest or least of an amount over players, each of whom is "you" in it: "an opponent has two or more cards
    in their graveyard"; or how many of them have any."""

    how: Literal["greatest", "least", "how_many"]
    of: Amount
    who: Who = "opponents"


class NotStated(Node):
    """A number that no situation states, such as what happened before this turn."""


class Party(Node):
    """Creatures in your party (700.8)."""


class LinkedCount(Node):
    """How many cards a linked ability of this object put aside (607): "cards exiled with this land"."""


class UpTo(Node):
    """Any number from 0 up to this, as the player chooses while the effect happens."""

    most: Amount


class PoolTotal(Node):
    """Unspent mana of a player ("" for all types)."""

    types: str = ""


class Targets(Node):
    """How many targets like this (None: of any kind) the spell or ability has that is being cast or activated."""

    like: Filter | None = None


class Calc(Node):
    """An operation on amounts. `half_up` and `half_down` take one."""

    op: Literal["+", "-", "*", "max", "min", "half_up", "half_down"]
    args: tuple[Amount, ...]


Amount: TypeAlias = Union[  # noqa: UP007 (msgspec resolves the forward references of a Union)
    int,
    X,
    Count,
    Devotion,
    Counters,
    PlayerCounters,
    Stat,
    Among,
    Life,
    HandSize,
    ThisTurn,
    ChosenNumber,
    PlayerCount,
    OfPlayers,
    NotStated,
    Party,
    PoolTotal,
    LinkedCount,
    UpTo,
    Targets,
    Calc,
]


# --- conditions -----------------------------------------------------------------------------------------------------


class Compare(Node):
    """Two amounts compared: "if you control three or more artifacts"."""

    left: Amount
    op: Op
    right: Amount


class Is(Node):
    """An object is like this: "as long as this creature is attacking", "if enchanted land is a Forest"."""

    ref: Ref
    like: Filter


class Turn(Node):
    """Whose turn it is ("you", "opponents": not yours), in which steps; empty `steps` is any step.

    Steps are those of situations: untap upkeep draw main1 combat_begin attackers blockers damage combat_end main2
    end cleanup. "During combat" lists the five of it. `early`: one of the first so many of that player's turns.
    """

    whose: Who = "any"
    steps: tuple[str, ...] = ()
    early: int = 0


class Chosen(Node):
    """What was chosen for this object, or for its mode, is this: "as long as the chosen mode is …"."""

    what: Literal["color", "type", "mode", "name", "number"]
    value: str


class Status(Node):
    """A status of a player that situations write in `this_turn` or counters: monarch, initiative, citys_blessing,
    max_speed, day, night, delirium (graveyard) …; `of`: whose."""

    what: str
    of: Who = "you"


class Paid(Node):
    """An optional cost of the spell was paid: "if it was kicked"."""

    what: str


class Not(Node):
    of: Condition


class AllOf(Node):
    of: tuple[Condition, ...]


class AnyOf(Node):
    of: tuple[Condition, ...]


Condition: TypeAlias = Union[Compare, Is, Turn, Chosen, Status, Paid, Not, AllOf, AnyOf]  # noqa: UP007


# --- costs (118) ----------------------------------------------------------------------------------------------------


class ManaPart(Node):
    """Mana in a cost, as symbols ("{2}{W}"). `repeat`: that many times ("{1} for each …"). `own`: the mana cost of the
    card itself, whatever it is ("its flashback cost is equal to its mana cost")."""

    cost: str
    repeat: Amount = 1
    waterbend: bool = False  # tapped artifacts and creatures may help to pay this part only (701.67)
    own: bool = False
    minus: str = ""  # of `own`: reduced by so much


class TapSelf(Node):
    """{T} (107.5)."""


class UntapSelf(Node):
    """{Q} (107.6)."""


class Sacrifice(Node):
    """Sacrifice `n` permanents like this (701.21); they are always the payer's own."""

    what: Filter
    n: Amount = 1


class PayLife(Node):
    n: Amount


class PayPlayerCounters(Node):
    """{E} and the like: counters of the player are removed."""

    kind: str
    n: Amount


class RemoveCounters(Node):
    """Remove `n` counters of a kind ("": any kinds) from one object like `from_`, or spread over several."""

    kind: str
    n: Amount = 1
    from_: Filter = Filter(me=True)
    spread: bool = False


class PutCounters(Node):
    """Put counters on an object as a cost (-1/-1 counters of Devoted Druid and Wall of Roots)."""

    kind: str
    n: Amount = 1
    on: Filter = Filter(me=True)


class TapOthers(Node):
    """Tap `n` untapped objects like this: no {T}, so summoning sickness does not matter (302.6)."""

    what: Filter
    n: Amount = 1
    total_power: int | None = None  # crew: any number with total power N or more
    deed: Literal["", "crew", "saddle"] = ""  # what it is done for


class UntapOthers(Node):
    what: Filter
    n: Amount = 1


class Discard(Node):
    """Discard cards like this from hand; `what` with me=True: this card itself (cycling)."""

    what: Filter = Filter(zone="hand")
    n: Amount = 1
    random: bool = False
    whole_hand: bool = False


class ExileCost(Node):
    """Exile objects like this, from the zone that the filter names."""

    what: Filter
    n: Amount = 1
    total_mana_value: Amount | None = None  # collect evidence: any number with that total mana value or more
    distinct: str = ""  # "types": with that many card types among them


class ReturnToHand(Node):
    what: Filter
    n: Amount = 1


class MoveCost(Node):
    """Another move of an object as a cost: into the library, the graveyard …"""

    what: Filter
    to: Zone
    n: Amount = 1


class Mill(Node):
    n: Amount


class Reveal(Node):
    what: Filter
    n: Amount = 1


class Loyalty(Node):
    """A loyalty symbol (606.4): +n, 0 or -n; `x`: -X."""

    n: int = 0
    x: bool = False


class Exert(Node):
    """Exert this permanent (701.43)."""


class Unread(Node):
    """In place of a cost part or effect that was not understood, so that the ability keeps its number and the rest
    of it stays visible. Whatever rests on it is unknown. Its line is unread."""


class OneOf(Node):
    """One of several costs, as the payer likes: "pay {3} or discard a card"."""

    options: tuple[tuple[CostPart, ...], ...]


CostPart: TypeAlias = Union[  # noqa: UP007
    ManaPart,
    TapSelf,
    UntapSelf,
    Sacrifice,
    PayLife,
    PayPlayerCounters,
    RemoveCounters,
    PutCounters,
    TapOthers,
    UntapOthers,
    Discard,
    ExileCost,
    ReturnToHand,
    MoveCost,
    Mill,
    Reveal,
    Loyalty,
    Exert,
    OneOf,
    Unread,
]


# --- mana that an effect adds ---------------------------------------------------------------------------------------


class Fixed(Node):
    """These symbols, `amount` times over: "{C}{C}", "{G} for each …"."""

    mana: str


class OneOfMana(Node):
    """One of these: "{W} or {U}", "{W}{W}, {W}{U}, or {U}{U}". The amount repeats the one that was chosen."""

    options: tuple[str, ...]


class AnyMana(Node):
    """`amount` mana out of `types`: all of "one" chosen type, each unit freely ("each"), or all "different"."""

    types: str = "WUBRG"
    how: Literal["one", "each", "different"] = "one"


class ChosenColor(Node):
    """Mana of the color that was chosen for this object (or of one of `also` instead: "{U} or one mana of …")."""

    also: str = ""


class CommanderColors(Node):
    """One color in the identity of your commander (903.4f: undefined without one)."""

    how: Literal["one", "each"] = "one"


class CouldProduce(Node):
    """A type or color that something like `what` could produce (106.7)."""

    what: Filter
    domain: Literal["type", "color"] = "type"
    how: Literal["one", "each"] = "one"


class Produced(Node):
    """Of a triggered mana ability: a type, or the color(s), that the tapped permanent just produced (106.12a)."""

    domain: Literal["type", "color"] = "type"


class ColorsAmong(Node):
    """A color among objects like `what` ("one": choose one; "each": one mana of every such color)."""

    what: Filter
    how: Literal["one", "each"] = "one"


class ColorsOf(Node):
    """One of the colors of the object that the reference names ("the exiled card's colors"), or each freely."""

    ref: Ref
    how: Literal["one", "each"] = "one"


class NotedMana(Node):
    """The type that was noted for this object (Jeweled Amulet, Ice Cauldron)."""


class OfCost(Node):
    """Mana of each colored symbol in the mana cost of an object ("whole": of every symbol)."""

    ref: Ref
    whole: bool = False


class SameAsLost(Node):
    """As much mana of the same types as the player's pool holds: Doubling Cube (106.6)."""


ManaSpec: TypeAlias = Union[  # noqa: UP007
    Fixed,
    OneOfMana,
    AnyMana,
    ChosenColor,
    CommanderColors,
    CouldProduce,
    Produced,
    ColorsAmong,
    ColorsOf,
    NotedMana,
    OfCost,
    SameAsLost,
]


class SpendOnly(Node):
    """What mana may be spent on (106.6): on spells like one of `spells`, on abilities of objects like one of
    `abilities`, or on one of the special `purposes` ("x": a cost that contains {X}; "c": one that contains {C};
    "cumulative upkeep"; "equip", "cycling", "morph", "unlock", … : a keyword's cost; "ability": any ability).

    `forbid` turns it round: on anything but these ("can't be spent to cast a nonartifact spell" is a forbidden
    spell; abilities and costs on resolution are then free). `not_generic`: can't pay a generic cost.
    """

    spells: tuple[Filter, ...] = ()
    abilities: tuple[Filter, ...] = ()
    purposes: tuple[str, ...] = ()
    forbid: bool = False
    not_generic: bool = False


# --- effects of abilities -------------------------------------------------------------------------------------------


class AddMana(Node):
    """Add `amount` of `what` (106.3). `instead_if`: alternatives that replace it under a condition inside the
    effect (a self-replacement, 614.15: "if you control … add … instead"), the first that holds being used."""

    what: ManaSpec
    amount: Amount = 1
    to: Who = "you"
    only: SpendOnly | None = None
    riders: tuple[str, ...] = ()  # what else comes with spending it: "uncounterable", "scry", "haste" …
    keeps: bool = False  # it is not lost as steps and phases end
    only_if: Condition | None = None  # "add … if …" inside the effect (608.2a)
    instead_if: tuple[Instead, ...] = ()
    unless: tuple[CostPart, ...] = ()  # no mana if any player pays this as it resolves


class Instead(Node):
    condition: Condition
    what: ManaSpec
    amount: Amount = 1


class Damage(Node):
    """The source deals damage to its controller (or another player) as it makes mana."""

    n: Amount
    to: Who = "you"


class LoseLife(Node):
    n: Amount
    to: Who = "you"


class Become(Node):
    """What a resolution starts that lasts: static and triggered abilities that belong to no permanent (611.2,
    603.7). Their filters name targets with ref="target", and "you" is whoever controlled the spell or ability."""

    abilities: tuple[Ability, ...]
    until: Literal["end_of_turn", "your_next_turn", "forever", "combat", "next_untap_step"] = "end_of_turn"


class Do(Node):
    """Something else that the effect does, by the word for the action ("draw", "gain_life", "untap", "sacrifice",
    "discard", "destroy", "create", "counters", "search", …): data for questions that ask what an ability does.
    "lasting": it may go on applying after the ability has resolved, in a way that is not modelled."""

    what: str
    objects: Filter | None = None
    n: Amount = 1
    who: Who = "you"
    optional: bool = False
    detail: str = ""
    abilities: tuple[Ability, ...] = ()  # of what is created


Effect: TypeAlias = Union[AddMana, Damage, LoseLife, Become, Do, Unread]  # noqa: UP007


class Target(Node):
    """One or more targets (115): objects like `what`, or players."""

    what: Filter | None = None
    players: Who | None = None
    least: Amount = 1
    most: Amount = 1
    any_target: bool = False  # a creature, player, planeswalker or battle
    when: Condition | None = None  # chosen only if this is so as it is announced: "if this spell was kicked, target …"
    apart: bool = False  # another one than the targets before it
    unstated: bool = False  # a player of whom something is asked that no situation states


class Mode(Node):
    """One mode of a modal spell or ability (700.2)."""

    effects: tuple[Effect, ...] = ()
    targets: tuple[Target, ...] = ()
    cost: tuple[CostPart, ...] = ()  # its own additional cost (spree, tiered)


# --- static effects -------------------------------------------------------------------------------------------------


class Copy(Node):
    """Layer 1: these objects are copies of that one."""

    what: Filter
    of: Ref


class Control(Node):
    """Layer 2: `who` controls these objects."""

    what: Filter
    who: Who = "you"


class ChangeText(Node):
    """Layer 3: one land type or color word is replaced by another."""

    what: Filter
    old: str
    new: str


class SetTypes(Node):
    """Layer 4. Card types (`types`), creature types and the like (`subtypes`); `keep`: in addition to its others.
    `lose_types`: card types that it loses ("isn't a creature"). `supertypes` are added, `lose_supertypes` lost."""

    what: Filter
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    keep: bool = True
    keep_types: bool = False  # keeps card types although subtypes are set ("is a Nightmare in addition to …")
    lose_types: tuple[str, ...] = ()
    lose_supertypes: tuple[str, ...] = ()
    lose_subtypes: bool = False
    lose_creature_types: bool = False
    all_creature_types: bool = False
    chosen_type: bool = False
    name: str = ""  # and its name is this


class LandTypes(Node):
    """Layer 4: basic land types (305.6-7). Setting takes old land types and the abilities from rules text;
    `keep` adds. `types` may be empty with `chosen` ("the chosen type") or `every` (every basic land type)."""

    what: Filter
    types: tuple[str, ...] = ()
    keep: bool = False
    every: bool = False
    chosen: bool = False


class SetColors(Node):
    """Layer 5: colors are set, or added with `keep`; "" is colorless; `chosen`: the chosen color."""

    what: Filter
    colors: str = ""
    keep: bool = False
    chosen: bool = False


class GrantAbilities(Node):
    """Layer 6."""

    what: Filter
    abilities: tuple[Ability, ...] = ()
    keywords: tuple[str, ...] = ()


class GainAbilities(Node):
    """Layer 6: these have all activated abilities of all objects like `of` (and the triggered ones). `but`: all but
    "mana" abilities, or all but "loyalty" abilities. `limit`: each of them only so often each turn. A description of
    the library means its top card."""

    what: Filter
    of: Filter
    triggered: bool = False
    but: Literal["", "mana", "loyalty"] = ""
    limit: int = 0


class LoseAbilities(Node):
    """Layer 6: all abilities, all but mana abilities, or only these keywords."""

    what: Filter
    but_mana: bool = False
    keywords: tuple[str, ...] = ()
    cant_have: bool = False  # and can't have or gain them (613.1f with 101.2)


class PowerToughness(Node):
    """Layer 7: `how` is "define" (7a), "set" (7b), "modify" (7c) or "switch" (7d). None leaves a number alone."""

    what: Filter
    how: Literal["define", "set", "modify", "switch"] = "modify"
    power: Amount | None = None
    toughness: Amount | None = None


class Unsettled(Node):
    """Something about these objects is changed in a way that nothing here says: these aspects of them ("types",
    "subtypes", "colors", "names", "abilities", "power", "toughness") are unknown; "keywords": they may have further
    keyword abilities, which are neither activated nor mana abilities. There are no static abilities among what they may
    have by this."""

    what: Filter
    aspects: tuple[str, ...]


class CostChange(Node):
    """601.2f: spells like `spells` (cast by `who`), or activations of abilities of objects like `abilities`, cost
    more or less. `amount` is symbols ("{1}", "{W}{U}"), `times` repeats it. `floor`: can't reduce the mana in the cost
    below this. `colored_only`: reduces just colored mana. `optional`: the payer may choose to pay `pay` for it.
    `keyword`: only for that keyword's abilities or costs ("equip", "cycling"; "loyalty"). `per_target`: times the
    targets beyond the first. `no_mana_abilities`: mana abilities excepted. `targets`: just for abilities that target
    something like this (spells: `spells.targets`)."""

    how: Literal["more", "less"]
    amount: str
    times: Amount = 1
    spells: Filter | None = None
    abilities: Filter | None = None
    who: Who = "any"
    keyword: str = ""
    floor: int = 0
    colored_only: bool = False
    first_each_turn: bool = False
    per_target: bool = False
    no_mana_abilities: bool = False
    only_mana_abilities: bool = False
    also: tuple[CostPart, ...] = ()  # more that is not mana: "and an additional 2 life"
    pay: tuple[CostPart, ...] = ()
    targets: Filter | None = None
    condition: Condition | None = None  # of an ability's own `changes`: only while this holds


class LeastCost(Node):
    """Trinisphere: a total cost below this many mana becomes this many, for spells like these."""

    n: int
    spells: Filter = Filter(zone="stack")
    while_untapped: bool = False


class AdditionalCost(Node):
    """601.2b: an additional cost of spells like these, or of this spell (`spells` with me=True); `optional` ones are
    announced, `many`: any number of times (multikicker, replicate); `name`: what `using` calls it (kicker …)."""

    cost: tuple[CostPart, ...]
    spells: Filter = Filter(zone="stack", me=True)
    who: Who = "any"
    optional: bool = False
    many: bool = False
    name: str = ""
    reduces: str = ""  # what paying it takes off the cost (Defilers, offering: "victim")
    timing: Literal["", "flash"] = ""  # paying it lets the spell be cast any time an instant could be
    instead_of_types: str = ""
    per_target: bool = False  # strive: once for each target beyond the first
    least_x: int = 0  # "X can't be 0"


class AlternativeCost(Node):
    """118.9: spells like these may be cast for `cost` in place of the mana cost; () is without paying it. `name` is
    the keyword or, for a permission of another card, that card's. `zones`: from where."""

    cost: tuple[CostPart, ...]
    spells: Filter = Filter(zone="stack", me=True)
    who: Who = "you"
    name: str = ""
    zones: tuple[Zone, ...] = ("hand",)
    condition: Condition | None = None
    timing: Literal["", "flash", "sorcery"] = ""
    reduce_by: Literal["", "victim_mana_value", "victim_mana_cost", "tapped_power"] = ""
    once_each_turn: bool = False
    back_face: bool = False  # cast transformed or converted (disturb, More Than Meets the Eye)
    face_down: bool = False  # cast face down as a 2/2 creature spell (morph, disguise)
    only: ManaLimit | None = None  # what mana may pay it
    least_x: int = 0  # "X can't be 0"


class Permission(Node):
    """What may be done that the rules do not let: cast spells like these, or play lands like these, from a zone; or
    cast them as though they had flash (`flash`). `extra_land_drops`: that many more land plays each turn."""

    spells: Filter | None = None
    lands: Filter | None = None
    zones: tuple[Zone, ...] = ()
    who: Who = "you"
    flash: bool = False
    top_of_library: bool = False
    once_each_turn: bool = False
    your_turn_only: bool = False
    extra_land_drops: int = 0
    also_pay: tuple[CostPart, ...] = ()
    name: str = ""  # the keyword it comes from, as `using` calls it (retrace, jump-start, aftermath)
    only_for: str = ""  # just for the alternative cost of this keyword ("using its blitz ability")


class AbilityAlternative(Node):
    """118.9, 602.2b: abilities of this `keyword` of objects like these may be activated for `cost` in place of the
    keyword's cost (of a cycling ability, the discarding stays). `first_each_turn`: only the first that is activated."""

    cost: tuple[CostPart, ...]
    keyword: str
    abilities: Filter = Filter(zone="any")
    who: Who = "you"
    first_each_turn: bool = False


class AbilityTiming(Node):
    """602.5: activated abilities of this `keyword` ("": of any) that are activated only as a sorcery may be activated
    at instant speed, of objects like these."""

    keyword: str = ""
    abilities: Filter = Filter(zone="any")
    who: Who = "you"


class MoreActivations(Node):
    """602.5b: abilities of this `keyword`, which may be activated only so often, may be so many times more."""

    keyword: str
    extra: int
    abilities: Filter = Filter(zone="any")
    who: Who = "you"


class ManaLimit(Node):
    """601.2h: only such mana may be spent on spells like these (of an activated ability or an alternative cost that
    holds it: on that): mana of these `types`, or `chosen`: of the chosen color; or from such a `source`. `no_mana`:
    none at all (Hogaak). `on_x`: just for the part that {X} asks for."""

    spells: Filter = Filter(zone="stack", me=True)
    types: str = "WUBRGC"
    chosen: bool = False
    source: Filter | None = None
    no_mana: bool = False
    on_x: bool = False


class Prohibit(Node):
    """What `who` can't do: "cast" spells, "activate" abilities of objects, "play_land", "pay_life", "sacrifice",
    "untap", "tap", "attack", "block", "be_blocked", "gain_life", "lose_life", "put_counters", "search", "draw",
    "discard", "lose_game", "target", "be_countered", "enter", "leave_graveyard"; of objects like `what`.

    `unless`: a tax that lets it happen after all. `mana_abilities`: whether those are stopped too. `limit`: at most
    this many each turn (0: not at all). `as_cost`: only as a cost of casting spells and activating abilities
    (`as_cost_of_nonmana`: mana abilities excepted). `caused_by`: only if a spell or ability of these players would
    cause it (Tamiyo, Sigarda). `timing`: only at other times than this ("sorcery": they may only act when they
    could cast a sorcery).
    """

    action: str
    what: Filter = Filter(zone="any")
    who: Who = "any"
    mana_abilities: bool = True
    limit: int = 0
    unless: tuple[CostPart, ...] = ()
    as_cost: bool = False
    mana_ability_costs: bool = True
    caused_by: Who | None = None
    timing: Literal["", "sorcery"] = ""
    keyword: str = ""
    counter: str = ""  # "put_counters": only counters of this kind
    but_loyalty: bool = False  # "activate": loyalty abilities excepted
    tap_symbol: bool = False  # "activate": only abilities with {T} in their costs
    by: Filter | None = None  # "target", "be_enchanted": only by spells, abilities of sources, Auras … like this
    by_kind: Literal["", "spells", "abilities"] = ""


class MustTarget(Node):
    """As `who` choose targets of spells and abilities, at least one must be like this, if able."""

    what: Filter
    who: Who = "opponents"


class SpendAs(Node):
    """118.14, 609.4b: `who` may spend mana like `types` as though it were of `as_types` ("WUBRG": any color; with C:
    any type), to pay for spells like these or abilities of objects like these (None: not for those), or for
    anything. `life_for`: a symbol that 2 life may pay ({B} with K'rrik). `colorless_only`: other mana may be spent
    only as though it were colorless (Celestial Dawn)."""

    as_types: str = "WUBRG"
    types: str = "WUBRGC"
    who: Who = "you"
    spells: Filter | None = None
    abilities: Filter | None = None
    anything: bool = False
    life_for: str = ""
    others_colorless: bool = False
    snow: bool = False


class HasteLike(Node):
    """Abilities of these may be activated as though the creatures had haste (302.6)."""

    what: Filter


class DontUntap(Node):
    """502.3: these don't untap during their controllers' untap steps (of `who`); `optional`: may choose not to. For
    "would untap during its controller's untap step, … instead" as well: it stays tapped. For "during its controller's
    next untap step" inside Become(until="next_untap_step")."""

    what: Filter
    who: Who = "any"
    optional: bool = False


class UntapCap(Node):
    """No more than `n` objects like these can be untapped in an untap step."""

    what: Filter
    n: int
    who: Who = "any"


class UntapChosen(Node):
    """Storage Matrix: in their untap step, `who` chooses one of these card types and can untap nothing else."""

    types: tuple[str, ...]
    who: Who = "any"


class AlsoUntaps(Node):
    """These untap during each other player's untap step (Seedborn Muse)."""

    what: Filter
    during: Who = "opponents"


class SkipStep(Node):
    step: str
    who: Who = "any"


class MaxHandSize(Node):
    """Maximum hand size of `who`: "set", "none" (no maximum), "plus" or "minus" (402.2, 613.11)."""

    how: Literal["set", "none", "plus", "minus"]
    n: Amount = 0
    who: Who = "you"


class LoyaltyRule(Node):
    """606.3 changed for planeswalkers like these: activations each turn, at instant speed, cost adjustment."""

    what: Filter
    per_turn: int = 1
    extra: int = 0
    instant: bool = False
    cost: int = 0


class ProductionReplacement(Node):
    """614, 106.12b: mana that a permanent like `what` would produce as `tapper` taps it is changed.

    `least`: only if that many mana or more would be produced; `only_type`: only mana of these types is touched
    (others stay); `colored_only`: only mana of some color. `makes`: what each touched mana becomes (None: stays);
    `amount`: "same", a number (that many in all), or a factor as ("times", k).
    `event`: only mana from tapping, or any mana that a player's effects would add.
    """

    what: Filter = Filter(types=("Land",))
    tapper: Who = "any"
    event: Literal["tapped_for_mana", "would_add_mana"] = "tapped_for_mana"
    least: int = 1
    only_types: str = ""
    makes: ManaSpec | None = None
    factor: int = 1
    amount: int | None = None
    condition: Condition | None = None
    optional: bool = False
    self_replacement: bool = False
    everyone: bool = False  # every player adds what one would add


class CounterReplacement(Node):
    """614.1a: an effect that would put counters of a kind ("": any) on a permanent like this puts `factor` times as
    many, or `plus` more, or half of them. `costs`: costs that put counters are changed as well, not just effects.
    `who`: only counters that these players put."""

    what: Filter
    counter: str = ""
    factor: int = 1
    plus: int = 0
    half: bool = False
    costs: bool = False
    who: Who = "any"


class TriggersAgain(Node):
    """603.2d: triggered abilities of objects like this trigger one more time, mana abilities too."""

    what: Filter


class AttackRule(Node):
    """508, 509: one rule about attacking or blocking. `what` are the creatures that the rule speaks of.

    Attacking (`who`: whom it is about attacking, "any" for anybody; `planeswalkers`: those that the player controls are
    meant too): "must_attack" (attacks `who` each combat if able), "must_attack_other" (a player other than `who`, if
    able: goad's second half), "cant_attack", "attack_tax" (`cost` for each such attacker), "most_attackers" (no more
    than `n` such creatures attack each combat), "cant_attack_alone", "only_alone" (can attack only alone),
    "no_defender" (can attack as though it did not have defender), "as_haste" (as though it had haste).

    Blocking: "must_block" (blocks each combat if able), "cant_block" (creatures like `by`, or any: None; "can block
    only creatures with flying" is cant_block with `by` turned round), "block_tax" (`cost` each), "most_blockers" (no
    more than `n` such creatures block each combat), "cant_block_alone", "block_more" (`n` additional creatures, 99:
    any number).

    Being blocked, `what` are attackers: "cant_be_blocked" (by creatures like `by`, or at all; "except by artifact
    creatures" is `by` turned round), "min_blockers" (except by `n` or more creatures: menace is 2), "max_blockers" (by
    more than `n` creatures), "lure" (all creatures able to block it, or those like `by`, do so), "must_be_blocked" (if
    able; by one like `by`).

    "attack_along": these attack if one like `by` attacks; "someone_attacks": at least one of these attacks;
    "tapped_block": these can block although they are tapped; "unclear_attack" and "unclear_block": whom these must
    attack, and how these block or are blocked, is told in words that no structure has; "despite": creatures like `by`
    can block these as though these did not have the `keyword` ("landwalk": any landwalk). A "block_tax" is for blocking
    creatures like `by`. `defended`: only attacks on permanents like this. `times`: `n` is said so many times.

    "attacks_along", "blocks_along": these can do it only if `n` others like `by` do. "blocked_by_all": only all
    creatures of the defending player together can block these.

    `unless_they`: the rule holds unless this is so, "that" player being the defending player (of "cant_block": the
    attacking player). `if_defender`, `unless_defender`: the rule holds only if, or only unless, the defending player
    controls something like this.
    """

    kind: str
    what: Filter
    by: Filter | None = None
    who: Who = "any"
    n: int = 1
    cost: tuple[CostPart, ...] = ()
    planeswalkers: bool = False
    if_defender: Filter | None = None
    unless_defender: Filter | None = None
    defended: Filter | None = None
    times: Amount = 1
    keyword: str = ""
    unless_they: Condition | None = None


class CrewPower(Node):
    """Creatures like these crew Vehicles, saddle Mounts or station permanents (`deeds`) as though their power were
    `plus` greater, or with their toughness in place of it."""

    what: Filter
    deeds: tuple[str, ...]
    plus: int = 0
    toughness: bool = False


class KeepMana(Node):
    """Mana of these types is not lost as steps and phases end (Upwelling, Omnath)."""

    types: str = "WUBRGC"
    who: Who = "you"


class GameRule(Node):
    """Another change of a rule that questions ask about, by name: "no_legend_rule" (704.5j does not apply to objects
    like `like`), "no_loss_for_life" (`who` does not lose for having 0 or less life), "no_loss_for_poison",
    "toughness_for_damage" (lethal damage …), "damage_no_loss" (damage does not make `who` lose life),
    "loses_otherwise" (something else happens as `who` would lose), "dies_otherwise" (something else happens as objects
    like `like` would die), "goes_elsewhere" (what dies is put somewhere else). "Can't lose the game" is
    Prohibit("lose_game")."""

    what: str
    who: Who = "you"
    like: Filter | None = None


StaticEffect: TypeAlias = Union[  # noqa: UP007
    Copy,
    Control,
    ChangeText,
    SetTypes,
    LandTypes,
    SetColors,
    GrantAbilities,
    GainAbilities,
    LoseAbilities,
    PowerToughness,
    Unsettled,
    CostChange,
    LeastCost,
    AdditionalCost,
    AlternativeCost,
    Permission,
    AbilityAlternative,
    AbilityTiming,
    MoreActivations,
    ManaLimit,
    Prohibit,
    MustTarget,
    SpendAs,
    HasteLike,
    DontUntap,
    UntapCap,
    UntapChosen,
    AlsoUntaps,
    SkipStep,
    MaxHandSize,
    LoyaltyRule,
    ProductionReplacement,
    CounterReplacement,
    TriggersAgain,
    AttackRule,
    CrewPower,
    KeepMana,
    GameRule,
]


# --- abilities ------------------------------------------------------------------------------------------------------


class XRange(Node):
    """What X may be as it is announced (107.3): at least `least`, at most `most`."""

    least: int = 0
    most: Amount | None = None


class Activated(Node):
    """602. A mana ability when it has no target, no loyalty cost, and could add mana (605.1a): `is_mana_ability`.

    `timing`: "" , "sorcery", "instant" (with priority only); `limit`: activations each turn (0: any number);
    `once`: only once while it is this object (exhaust); `conditions`: "activate only if …". `who` may activate it.
    `zone`: where it functions. `keyword`: the keyword it comes from (cycling, equip …).
    """

    cost: tuple[CostPart, ...]
    effects: tuple[Effect, ...] = ()
    targets: tuple[Target, ...] = ()
    modes: tuple[Mode, ...] = ()
    timing: Literal["", "sorcery", "instant"] = ""
    limit: int = 0
    once: bool = False
    conditions: tuple[Condition, ...] = ()
    who: Who = "you"
    zone: Zone = "battlefield"
    keyword: str = ""
    only: ManaLimit | None = None  # "spend only … mana to activate this ability"
    changes: tuple[CostChange, ...] = ()  # "this ability costs … less": of this ability alone
    announced: XRange | None = None


class Triggered(Node):
    """603. `event`: "tapped_for_mana" (106.12a), "mana_added", "enters", "dies", "upkeep", "mana_spent", … and
    `what`/`who` describe its object and player; `of_type`: for tapped_for_mana, only if mana of these types was
    produced ("chosen": of the chosen color). A triggered mana ability (605.1b) when it triggers on mana, has no
    target and adds mana."""

    event: str
    what: Filter | None = None
    who: Who = "any"
    of_type: str = ""
    condition: Condition | None = None
    effects: tuple[Effect, ...] = ()
    targets: tuple[Target, ...] = ()
    optional: bool = False
    least: int = 1


class Static(Node):
    """604. Static effects while the condition holds, from the zone where the ability functions (113.6)."""

    effects: tuple[StaticEffect, ...]
    condition: Condition | None = None
    zone: Zone = "battlefield"
    defining: bool = False  # a characteristic-defining ability (604.3): works in all zones, applies first
    off_battlefield: bool = False  # says what the card is in every zone but the battlefield


class SpellAbility(Node):
    """What a spell does as it resolves: what its targets must be, and what a resolved effect leaves behind."""

    effects: tuple[Effect, ...] = ()
    targets: tuple[Target, ...] = ()
    modes: tuple[Mode, ...] = ()
    choose: tuple[int, int] = (1, 1)  # how many modes
    timing: Condition | None = None  # "cast this spell only …"
    announced: XRange | None = None


class Keyword(Node):
    """A keyword ability that rules rooms know by name: flying, haste, flash, defender, convoke, delve, improvise,
    devoid, split second … `n` or `cost` or `what` as the keyword has them. Keywords that are costs or activated
    abilities are compiled to those structures instead (kicker, flashback, cycling, equip …)."""

    name: str
    n: Amount | None = None
    cost: tuple[CostPart, ...] = ()
    what: Filter | None = None


class EntersWith(Node):
    """As it enters: tapped, with counters, a choice to be made (`choose`: "color", "type", …), or a copy."""

    tapped: bool = False
    counters: str = ""
    n: Amount = 0
    choose: tuple[str, ...] = ()
    copy_of: Filter | None = None
    unless: tuple[CostPart, ...] = ()
    condition: Condition | None = None
    what: Filter | None = None  # other objects that enter like this, rather than the object itself
    unread: bool = False  # it enters in a way that is not understood
    excepted: tuple[str, ...] = ()  # what a copy may differ in from what it copies ("except it's …"), unread


class Emblem(Node):
    """The abilities of the emblem that this card makes (114)."""

    abilities: tuple[Ability, ...]


Ability: TypeAlias = Union[  # noqa: UP007
    Activated, Triggered, Static, SpellAbility, Keyword, EntersWith, Emblem
]


# --- cards ----------------------------------------------------------------------------------------------------------

# What an unread line might touch. "+mana" may add a possibility, "-mana" may take one away, "mana" may do both.
SUBJECTS = ("mana", "cost", "permission", "types", "untap", "sacrifice", "hand_size", "combat", "state_based")


class Line(Node):
    """One line of a card: how it was understood. `n` counts the printed lines from 1.

    `status`: "modelled" (the abilities say all that matters), "irrelevant" (it touches none of our subjects; an
    irrelevant line may still have an ability, for numbering) or "unread" (`subjects` says what it could touch).
    """

    n: int
    status: Literal["modelled", "irrelevant", "unread"]
    abilities: tuple[Ability, ...] = ()
    subjects: tuple[str, ...] = ()


class Face(Node):
    """One face of a card, or one half (CR 712, 709): what is printed on it."""

    name: str
    mana_cost: str | None = None  # None: no mana cost (202.1b); lands, and cards such as Ancestral Vision
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    colors: str = ""  # from the mana cost or the color indicator
    power: str = ""  # as printed: "2", "*", "1+*"; "" for none
    toughness: str = ""
    loyalty: str = ""
    defense: str = ""
    lines: tuple[Line, ...] = ()
    missing: bool = False  # the data has just the name of this face: everything else about it is unknown


class Card(Node):
    """A card of the library: one face for most; `layout` in Scryfall's words (normal, transform, modal_dfc, split,
    adventure, flip, meld, …). `identity`: color identity (903.4)."""

    name: str
    faces: tuple[Face, ...]
    layout: str = "normal"
    identity: str = ""


def is_mana_ability(ability: Activated | Triggered) -> bool:
    """605.1: no target, not a loyalty ability, could add mana to a pool; a trigger also has to trigger on mana."""
    if ability.targets or not any(isinstance(e, AddMana) for e in ability.effects):
        return False
    if isinstance(ability, Triggered):
        return ability.event in ("tapped_for_mana", "mana_added", "mana_ability_activated")
    return not any(isinstance(part, Loyalty) for part in ability.cost)


def abilities_of(lines: tuple[Line, ...]) -> tuple[Ability, ...]:
    """All abilities of a face, in printed order."""
    return tuple(a for line in lines for a in line.abilities)
