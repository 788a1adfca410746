"""What second faces are, for card data that has just their names: a table of facts.

Costs, types, sizes and abilities, in the structures of `model.abilities`. A line that touches no subject of any
question is irrelevant; a spell says its targets all the same, since without them it can't be cast (601.2c), and the
words for what it does, since those can bring other abilities about. A row is read like this:

    adventure(cost, kind, *lines)       an instant or sorcery of an adventurer card (715); `omen`: of an omen card (720)
    face(cost, type_line, *lines, …)    a half of a split card (709), a prepared spell, a face of a modal card (712)
    flipped(type_line, *lines, …)       what a permanent becomes as it flips; mana cost and colors stay (710.1c)
    land(colors, …)                     a land face that makes one of these colors

    does("draw", "discard", at=target)  a spell's line: what it does is no question's subject
    spell(effect, …, at=target)         a spell's line whose effects are modelled
    this_turn(effect, …)                continuous effects until end of turn
    modelled, irrelevant                any other line, with its abilities
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from ..abilities import (
    Ability,
    Activated,
    AdditionalCost,
    AddMana,
    Amount,
    AnyMana,
    AttackRule,
    Become,
    Bound,
    CostChange,
    Count,
    Discard,
    Do,
    DontUntap,
    Effect,
    Emblem,
    EntersWith,
    ExileCost,
    Filter,
    Fixed,
    GrantAbilities,
    Is,
    Keyword,
    Line,
    LoseAbilities,
    Loyalty,
    ManaPart,
    OneOfMana,
    PayLife,
    Permission,
    PowerToughness,
    Produced,
    Prohibit,
    RemoveCounters,
    Sacrifice,
    SetColors,
    SetTypes,
    SpellAbility,
    SpendAs,
    SpendOnly,
    Static,
    StaticEffect,
    TapOthers,
    TapSelf,
    Target,
    Triggered,
    X,
)


class Facts(NamedTuple):
    """What is printed on one face."""

    mana_cost: str | None
    type_line: str
    lines: tuple[Line, ...]
    power: str = ""
    toughness: str = ""
    loyalty: str = ""


Rows = Mapping[str, Facts]

# --- descriptions ---------------------------------------------------------------------------------------------------

TAP = TapSelf()
IT = Filter(ref="target")
SELF = Filter(me=True)
HOST = Filter(ref="host")
CREATURES = Filter(types=("Creature",))
YOUR_CREATURES = Filter(types=("Creature",), controller="you")
OPPOSING_CREATURES = Filter(types=("Creature",), controller="opponents")
PERMANENT_TYPES = ("Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker")

# --- faces ----------------------------------------------------------------------------------------------------------


def face(cost: str | None, type_line: str, *lines: Line, size: str = "", loyalty: str = "") -> Facts:
    """A face with its lines in printed order; `size` is power/toughness."""
    power, _, toughness = size.partition("/")
    numbered = tuple(msgspec.structs.replace(line, n=n) for n, line in enumerate(lines, start=1))
    return Facts(cost, type_line, numbered, power, toughness, loyalty)


def adventure(cost: str, kind: str, *lines: Line) -> Facts:
    return face(cost, f"{kind} — Adventure", *lines)


def omen(cost: str, kind: str, *lines: Line) -> Facts:
    return face(cost, f"{kind} — Omen", *lines)


def flipped(type_line: str, *lines: Line, size: str = "") -> Facts:
    return face(None, type_line, *lines, size=size)


def land(colors: str, *lines: Line) -> Facts:
    """A land that makes one of these colors; `lines` are those above that."""
    symbols = tuple(f"{{{c}}}" for c in colors)
    mana = OneOfMana(symbols) if len(symbols) > 1 else Fixed(symbols[0])
    return face(None, "Land", *lines, modelled(Activated((TAP,), (AddMana(mana),))))


# --- lines ----------------------------------------------------------------------------------------------------------


def modelled(*abilities: Ability) -> Line:
    return Line(0, "modelled", abilities)


def irrelevant(*abilities: Ability) -> Line:
    return Line(0, "irrelevant", abilities)


def keywords(*names: str) -> Line:
    return modelled(*(Keyword(name) for name in names))


def does(*effects: str | Do, at: Target | tuple[Target, ...] = ()) -> Line:
    done = tuple(Do(e) if isinstance(e, str) else e for e in effects)
    return irrelevant(SpellAbility(done, _targets(at)))


def spell(*effects: Effect, at: Target | tuple[Target, ...] = ()) -> Line:
    return modelled(SpellAbility(effects, _targets(at)))


def _targets(at: Target | tuple[Target, ...]) -> tuple[Target, ...]:
    return (at,) if isinstance(at, Target) else at


# --- effects --------------------------------------------------------------------------------------------------------


def this_turn(*effects: StaticEffect) -> Become:
    return Become((Static(effects),))


def until_your_next_turn(*effects: StaticEffect) -> Become:
    return Become((Static(effects),), until="your_next_turn")


def token(*abilities: str | Ability) -> Do:
    """Tokens with these abilities are created."""
    return Do("create", abilities=tuple(Keyword(a) if isinstance(a, str) else a for a in abilities))


def gets(power: int, toughness: int, what: Filter = IT) -> PowerToughness:
    return PowerToughness(what, power=power, toughness=toughness)


def gains(keyword: str, what: Filter = IT) -> GrantAbilities:
    return GrantAbilities(what, keywords=(keyword,))


def equip(cost: str) -> Line:
    attaches = Activated(
        (ManaPart(cost),), (Do("attach"),), targets=(YOUR_CREATURE,), timing="sorcery", keyword="equip"
    )
    return modelled(attaches)


# --- targets --------------------------------------------------------------------------------------------------------


def permanent(*types: str) -> Target:
    return Target(Filter(types=types))


def card_of_yours(*types: str) -> Target:
    """A card of one of these types in your graveyard."""
    return Target(Filter(zone="graveyard", types=types, owner="you"))


def up_to(most: Amount, target: Target) -> Target:
    return msgspec.structs.replace(target, least=0, most=most)


def any_number(target: Target) -> Target:
    return up_to(99, target)


CREATURE = permanent("Creature")
YOUR_CREATURE = Target(YOUR_CREATURES)
ANY_TARGET = Target(any_target=True)
PLAYER = Target(players="any")
OPPONENT = Target(players="opponents")
SPELL = Target(Filter(zone="stack"))
# An ability on the stack, of which nothing says that it is of the kind that is asked for.
SOME_ABILITY = Target(Filter(zone="stack", ability="only", unstated=True))
SOME_ABILITY_OF_YOURS = Target(Filter(zone="stack", controller="you", ability="only", unstated=True))

# They don't untap during their controllers' next untap steps (502.3).
STAYS_TAPPED = Become((Static((DontUntap(IT),)),), until="next_untap_step")
LUKKAS_EMBLEM = Triggered("enters", what=YOUR_CREATURES, effects=(Do("deal"),), targets=(ANY_TARGET,))
# Cast only from a graveyard (702.127a).
AFTERMATH = modelled(
    Static(
        (
            Permission(spells=Filter(zone="stack", me=True), zones=("graveyard",), name="aftermath"),
            Prohibit("cast", Filter(zone="stack", me=True, not_from_zone="graveyard")),
        ),
        zone="stack",
    )
)
ENTERS_TAPPED = modelled(EntersWith(tapped=True))
TAPPED_UNLESS_3_LIFE = modelled(EntersWith(tapped=True, unless=(PayLife(3),)))
CHEAPER_INSTANTS_AND_SORCERIES = modelled(
    Static((CostChange("less", "{1}", spells=Filter(zone="stack", types=("Instant", "Sorcery")), who="you"),))
)

# --- land faces of modal double-faced cards (712) -------------------------------------------------------------------

_LANDS: Rows = {
    "Boulderloft Pathway": land("W"),
    "Grimclimb Pathway": land("B"),
    "Lavaglide Pathway": land("R"),
    "Mistgate Pathway": land("U"),
    "Murkwater Pathway": land("B"),
    "Pillarverge Pathway": land("W"),
    "Searstep Pathway": land("R"),
    "Slitherbore Pathway": land("G"),
    "Tidechannel Pathway": land("U"),
    "Timbercrown Pathway": land("G"),
    "Age-Graced Chapel": land("WB", ENTERS_TAPPED),
    "Akoum Teeth": land("R", ENTERS_TAPPED),
    "Bala Ged Sanctuary": land("G", ENTERS_TAPPED),
    "Beyeen Coast": land("U", ENTERS_TAPPED),
    "Blackbloom Bog": land("B", ENTERS_TAPPED),
    "Burnwillow Clearing": land("RG", ENTERS_TAPPED),
    "Crackling Falls": land("UR", ENTERS_TAPPED),
    "Drowned Jungle": land("GU", ENTERS_TAPPED),
    "Glasspool Shore": land("U", ENTERS_TAPPED),
    "Hagra Broodpit": land("B", ENTERS_TAPPED),
    "Haven of the Harvest": land("GW", ENTERS_TAPPED),
    "Inundated Archive": land("UB", ENTERS_TAPPED),
    "Jwari Ruins": land("U", ENTERS_TAPPED),
    "Kabira Plateau": land("W", ENTERS_TAPPED),
    "Kazandu Valley": land("G", ENTERS_TAPPED),
    "Kazuul's Cliffs": land("R", ENTERS_TAPPED),
    "Khalni Territory": land("G", ENTERS_TAPPED),
    "Legion Stronghold": land("RW", ENTERS_TAPPED),
    "Makindi Mesas": land("W", ENTERS_TAPPED),
    "Malakir Mire": land("B", ENTERS_TAPPED),
    "Old-Growth Grove": land("BG", ENTERS_TAPPED),
    "Ondu Skyruins": land("W", ENTERS_TAPPED),
    "Orderly Plaza": land("WU", ENTERS_TAPPED),
    "Pelakka Caverns": land("B", ENTERS_TAPPED),
    "Sanguine Morass": land("BR", ENTERS_TAPPED),
    "Sejiri Glacier": land("W", ENTERS_TAPPED),
    "Silundi Isle": land("U", ENTERS_TAPPED),
    "Skyclave Basilica": land("W", ENTERS_TAPPED),
    "Song-Mad Ruins": land("R", ENTERS_TAPPED),
    "Spikefield Cave": land("R", ENTERS_TAPPED),
    "Tangled Vale": land("G", ENTERS_TAPPED),
    "Umara Skyfalls": land("U", ENTERS_TAPPED),
    "Valakut Stoneforge": land("R", ENTERS_TAPPED),
    "Vastwood Thicket": land("G", ENTERS_TAPPED),
    "Zof Bloodbog": land("B", ENTERS_TAPPED),
    "Agadeem, the Undercrypt": land("B", TAPPED_UNLESS_3_LIFE),
    "Boggart Bog": land("B", TAPPED_UNLESS_3_LIFE),
    "Emeria, Shattered Skyclave": land("W", TAPPED_UNLESS_3_LIFE),
    "Fell Mire": land("B", TAPPED_UNLESS_3_LIFE),
    "Garden of Freyalise": land("G", TAPPED_UNLESS_3_LIFE),
    "Hydroelectric Laboratory": land("U", TAPPED_UNLESS_3_LIFE),
    "Mystic Peak": land("R", TAPPED_UNLESS_3_LIFE),
    "Razorgrass Field": land("W", TAPPED_UNLESS_3_LIFE),
    "Sea Gate, Reborn": land("U", TAPPED_UNLESS_3_LIFE),
    "Shatterskull, the Hammer Pass": land("R", TAPPED_UNLESS_3_LIFE),
    "Soporific Springs": land("U", TAPPED_UNLESS_3_LIFE),
    "Tanglespan Bridgeworks": land("G", TAPPED_UNLESS_3_LIFE),
    "Turntimber, Serpentine Wood": land("G", TAPPED_UNLESS_3_LIFE),
    "Volcanic Fissure": land("R", TAPPED_UNLESS_3_LIFE),
    "Witch-Blessed Meadow": land("W", TAPPED_UNLESS_3_LIFE),
}

# --- the other faces of modal double-faced cards ----------------------------------------------------------------------


def _hakka(size: str) -> Facts:
    """The card, and its digital version."""
    returns = Triggered("combat_damage", what=SELF, effects=(Do("return"), Do("scry")))
    return face("{1}{U}", "Legendary Creature — Bird", keywords("flying"), irrelevant(returns), size=size)


def _will(last: int, loyalty: str) -> Facts:
    """The card, and its digital version: what the last ability costs, and the loyalty at first."""
    shrinks = until_your_next_turn(PowerToughness(IT, "set", power=0, toughness=2))
    exiles = (Do("exile"), Do("other"))
    return face(
        "{4}{U}",
        "Legendary Planeswalker — Will",
        CHEAPER_INSTANTS_AND_SORCERIES,
        modelled(Activated((Loyalty(1),), (shrinks,), targets=(up_to(1, CREATURE),))),
        irrelevant(Activated((Loyalty(-3),), (Do("draw"),))),
        irrelevant(Activated((Loyalty(-last),), exiles, targets=(up_to(5, Target(Filter())),))),
        loyalty=loyalty,
    )


_MODAL: Rows = {
    "A-Hakka, Whispering Raven": _hakka("3/3"),
    "A-Will, Scholar of Frost": _will(8, "5"),
    "Augusta, Dean of Order": face(
        "{2}{W}",
        "Legendary Creature — Human Cleric",
        modelled(Static((gets(+1, +0, Filter(types=("Creature",), controller="you", me=False, tapped=True)),))),
        modelled(Static((gets(+0, +1, Filter(types=("Creature",), controller="you", me=False, tapped=False)),))),
        irrelevant(Triggered("attacks_other", effects=(Do("untap"), Do("tap")))),
        size="1/3",
    ),
    "Awaken the Blood Avatar": face(
        "{6}{B}{R}",
        "Sorcery",
        modelled(
            Static(
                (AdditionalCost((Sacrifice(CREATURES),), optional=True, many=True, name="sacrifice", reduces="{2}"),),
                zone="stack",
            )
        ),
        does("other", token("haste", Triggered("attacks", what=SELF, effects=(Do("deal"),)))),
    ),
    "Deadly Vanity": face("{5}{B}{B}{B}", "Sorcery", does("choose", "destroy")),
    "Echoing Equation": face("{3}{U}{U}", "Sorcery", does("choose", "lasting", at=YOUR_CREATURE)),
    "Embrose, Dean of Shadow": face(
        "{2}{B}{B}",
        "Legendary Creature — Human Warlock",
        irrelevant(
            Activated((TAP,), (Do("put"), Do("deal")), targets=(Target(Filter(types=("Creature",), me=False)),))
        ),
        irrelevant(
            Triggered(
                "dies", what=Filter(types=("Creature",), controller="you", counter="+1/+1"), effects=(Do("draw"),)
            )
        ),
        size="4/4",
    ),
    "Explore the Vastlands": face("{3}", "Sorcery", does("reveal", "put", "gain")),
    "Flamethrower Sonata": face("{1}{R}", "Sorcery", does("discard", "draw", "deal")),
    "Hakka, Whispering Raven": _hakka("2/3"),
    "Harnfel, Horn of Bounty": face(
        "{4}{R}", "Legendary Artifact", irrelevant(Activated((Discard(),), (Do("exile"), Do("lasting"))))
    ),
    "Imbraham, Dean of Theory": face(
        "{2}{U}{U}",
        "Legendary Creature — Bird Wizard",
        keywords("flying"),
        irrelevant(Activated((ManaPart("{X}{U}{U}"), TAP), (Do("exile"), Do("put")))),
        size="3/3",
    ),
    "Journey to the Oracle": face("{2}{G}{G}", "Sorcery", does("put", "discard", "return")),
    "Kaldring, the Rimestaff": face(
        "{1}{U}{B}",
        "Legendary Snow Artifact",
        modelled(
            Activated(
                (TAP,),
                (
                    this_turn(
                        Permission(spells=IT, zones=("exile", "graveyard")),
                        Permission(lands=IT, zones=("exile", "graveyard")),
                    ),
                    Do("other"),
                ),
                targets=(Target(Filter(zone="graveyard", types=PERMANENT_TYPES, supertypes=("Snow",), owner="you")),),
            )
        ),
    ),
    "Lisette, Dean of the Root": face(
        "{2}{G}{G}",
        "Legendary Creature — Human Druid",
        irrelevant(Triggered("life", effects=(Do("put"), Do("lasting")), optional=True)),
        size="4/4",
    ),
    "Lukka, Wayward Bonder": face(
        "{4}{R}{R}",
        "Legendary Planeswalker — Lukka",
        irrelevant(Activated((Loyalty(1),), (Do("discard"), Do("draw")))),
        irrelevant(Activated((Loyalty(-2),), (Do("return"), Do("lasting")), targets=(card_of_yours("Creature"),))),
        irrelevant(Activated((Loyalty(-7),), (Do("emblem", abilities=(LUKKAS_EMBLEM,)),)), Emblem((LUKKAS_EMBLEM,))),
        loyalty="5",
    ),
    "Nassari, Dean of Expression": face(
        "{3}{R}{R}",
        "Legendary Creature — Efreet Shaman",
        irrelevant(Triggered("upkeep", who="you", effects=(Do("exile"), Do("lasting")))),
        irrelevant(
            Triggered(
                "cast",
                what=Filter(zone="stack", from_zone="exile"),
                who="you",
                effects=(Do("counters", objects=SELF, detail="+1/+1"),),
            )
        ),
        size="4/4",
    ),
    "Restorative Burst": face(
        "{3}{G}{G}",
        "Sorcery",
        does("return", "gain", "exile", at=up_to(2, card_of_yours("Creature", "Land", "Planeswalker"))),
    ),
    "Revel in Silence": face("{W}{W}", "Instant", does("lasting"), does("exile")),
    "Search for Blex": face("{2}{B}{B}", "Sorcery", does("look", "put", "lose")),
    "Sword of the Realms": face(
        "{1}{W}",
        "Legendary Artifact — Equipment",
        modelled(Static((gets(+2, +0, HOST), gains("vigilance", HOST)))),
        irrelevant(Triggered("dies", what=HOST, effects=(Do("return"),))),
        equip("{1}{W}"),
    ),
    "Tergrid's Lantern": face(
        "{3}{B}",
        "Legendary Artifact",
        irrelevant(Activated((TAP,), (Do("lose"),), targets=(PLAYER,))),
        irrelevant(Activated((ManaPart("{3}{B}"),), (Do("untap"),))),
    ),
    "The Omenkeel": face(
        "{1}{U}",
        "Legendary Artifact — Vehicle",
        irrelevant(Triggered("combat_damage", effects=(Do("other"), Do("lasting")))),
        modelled(
            Activated(
                (
                    TapOthers(
                        what=Filter(types=("Creature",), controller="you", me=False), n=0, total_power=1, deed="crew"
                    ),
                ),
                (Do("crew"),),
                keyword="crew",
            )
        ),
        size="3/3",
    ),
    "The Prismatic Bridge": face(
        "{W}{U}{B}{R}{G}",
        "Legendary Enchantment",
        irrelevant(Triggered("upkeep", who="you", effects=(Do("reveal"), Do("put")))),
    ),
    "The Ringhart Crest": face(
        "{1}{G}",
        "Legendary Artifact",
        modelled(EntersWith(choose=("type",))),
        modelled(
            Activated(
                (TAP,),
                (
                    AddMana(
                        Fixed("{G}"),
                        only=SpendOnly(
                            spells=(
                                Filter(
                                    zone="stack",
                                    any_of=(
                                        Filter(zone="stack", types=("Creature",), chosen=("type",)),
                                        Filter(zone="stack", types=("Creature",), supertypes=("Legendary",)),
                                    ),
                                ),
                            )
                        ),
                    ),
                ),
            )
        ),
    ),
    "Throne of Death": face(
        "{B}",
        "Legendary Artifact",
        irrelevant(Triggered("upkeep", who="you", effects=(Do("mill"),))),
        irrelevant(
            Activated(
                (ManaPart("{2}{B}"), TAP, ExileCost(what=Filter(zone="graveyard", types=("Creature",), owner="you"))),
                (Do("draw"),),
            )
        ),
    ),
    "Tibalt, Cosmic Impostor": face(
        "{5}{B}{R}",
        "Legendary Planeswalker — Tibalt",
        modelled(
            Emblem(
                abilities=(
                    Static(
                        (
                            Permission(
                                spells=Filter(zone="stack", unstated=True),
                                lands=Filter(zone="any", types=("Land",), unstated=True),
                                zones=("exile",),
                            ),
                            SpendAs(spells=Filter(zone="stack", unstated=True, from_zone="exile")),
                        )
                    ),
                )
            )
        ),
        irrelevant(Activated((Loyalty(2),), (Do("exile"),))),
        irrelevant(Activated((Loyalty(-3),), (Do("exile"),), targets=(permanent("Artifact", "Creature"),))),
        modelled(Activated((Loyalty(-8),), (Do("exile"), AddMana(Fixed("{R}{R}{R}"))))),
        loyalty="5",
    ),
    "Toralf's Hammer": face(
        "{1}{R}",
        "Legendary Artifact — Equipment",
        modelled(
            Static(
                (
                    GrantAbilities(
                        HOST,
                        abilities=(
                            Activated((ManaPart("{1}{R}"), TAP), (Do("deal"), Do("return")), targets=(ANY_TARGET,)),
                        ),
                    ),
                )
            )
        ),
        modelled(
            Static((gets(+3, +0, HOST),), condition=Is(ref="host", like=Filter(zone="any", supertypes=("Legendary",))))
        ),
        equip("{1}{R}"),
    ),
    "Valkmira, Protector's Shield": face(
        "{3}{W}", "Legendary Artifact", irrelevant(), irrelevant(Triggered("target", effects=(Do("counter"),)))
    ),
    "Will, Scholar of Frost": _will(7, "4"),
}

# --- adventures and omens (715, 720) ----------------------------------------------------------------------------------

_ADVENTURES: Rows = {
    "A-Bathe in Gold": adventure("{1}{R}", "Instant", does("create")),
    "A-Dissonant Wave": adventure("{2}{G}", "Instant", does("counter", at=SOME_ABILITY)),
    "A-Sand Augury": adventure("{1}{U}", "Sorcery", does("scry", "draw")),
    "A-Tyr's Blessing": adventure("{1}{W}", "Instant", spell(this_turn(gains("indestructible")), at=CREATURE)),
    "Allure of Power": adventure(
        "{1}{B}", "Instant", modelled(Static((AdditionalCost((Sacrifice(CREATURES),)),), zone="stack")), does("draw")
    ),
    "Alter Fate": adventure("{1}{B}", "Sorcery", does("return", at=card_of_yours("Creature"))),
    "Amphibian Accident": adventure(
        "{1}{U}",
        "Instant",
        spell(
            this_turn(
                LoseAbilities(IT),
                SetTypes(IT, subtypes=("Frog",), keep=False, keep_types=True),
                SetColors(IT, colors="U"),
                PowerToughness(IT, "set", power=1, toughness=1),
            ),
            at=CREATURE,
        ),
    ),
    "Aquatic Ingress": adventure("{2}{U}", "Instant", does("lasting", at=up_to(2, CREATURE))),
    "Ardenvale Fealty": adventure("{1}{W}", "Instant", does(token("vigilance"))),
    "At the Door": adventure("{X}{2}{W}", "Sorcery", does("create")),
    "Bakery Raid": adventure("{G}", "Sorcery", does("create")),
    "Banishing Coils": adventure("{2}{W}", "Instant", does("exile", at=permanent("Artifact", "Enchantment"))),
    "Bathe in Gold": adventure("{1}{R}", "Instant", does("create")),
    "Battle Display": adventure("{R}", "Sorcery", does("destroy", at=permanent("Artifact"))),
    "Bear Down": adventure("{1}{G}", "Sorcery", does("destroy", at=permanent("Artifact", "Enchantment"))),
    "Beat a Path": adventure("{2}{R}", "Sorcery", does("lasting", at=up_to(2, CREATURE))),
    "Betroth the Beast": adventure("{W}", "Sorcery", does("create", at=YOUR_CREATURE)),
    "Bind Spirit": adventure("{1}{B}", "Instant", does("return", at=card_of_yours("Creature"))),
    "Birthright Boon": adventure("{1}{W}", "Sorcery", does("search")),
    "Blow Off Steam": adventure("{R}", "Instant", does("deal", at=ANY_TARGET)),
    "Bone Offering": adventure("{2}{B}", "Sorcery", does(token("menace"))),
    "Boulder Rush": adventure("{R}", "Instant", spell(this_turn(gets(+2, +0)), at=CREATURE)),
    "Bring Back": adventure("{G/W}{G/W}{G/W}{G/W}", "Sorcery", does("create")),
    "Bring to Life": adventure(
        "{2}{U}",
        "Sorcery",
        spell(
            Become(
                (
                    Static(
                        (
                            SetTypes(IT, types=("Artifact", "Creature"), keep=False, keep_types=True),
                            PowerToughness(IT, "set", power=0, toughness=0),
                        )
                    ),
                ),
                until="forever",
            ),
            Do("put"),
            at=Target(Filter(types=("Artifact",), not_types=("Creature",), controller="you")),
        ),
    ),
    "Bubble Up": adventure("{2}{U}", "Sorcery", does("put", at=card_of_yours("Instant", "Sorcery"))),
    "Burglar's Plot": adventure(
        "{4}{U}", "Sorcery", does("lasting", at=Target(Filter(not_types=("Land",), unstated=True), least=2, most=2))
    ),
    "Burn Together": adventure(
        "{R}", "Sorcery", does("deal", "sacrifice", at=(YOUR_CREATURE, Target(any_target=True, apart=True)))
    ),
    "Can't Wake Up": adventure("{1}{U}", "Sorcery", does("other", at=PLAYER)),
    "Capsizing Wave": adventure("{1}{U}", "Instant", does("return", at=CREATURE)),
    "Chop Down": adventure(
        "{2}{W}", "Instant", does("destroy", at=Target(Filter(types=("Creature",), bounds=(Bound("power", ">=", 4),))))
    ),
    "Cleave Shadows": adventure("{1}{B}", "Sorcery", spell(this_turn(gets(-1, -1, OPPOSING_CREATURES)))),
    "Croaking Curse": adventure("{1}{U}", "Sorcery", does("tap", "create", at=CREATURE)),
    "Curry Favor": adventure("{B}", "Sorcery", does("gain", "lose")),
    "Deathly Ride": adventure("{1}{B}", "Sorcery", does("return", at=card_of_yours("Creature"))),
    "Demonic Stench": adventure(
        "{B}", "Instant", spell(this_turn(gets(-1, -1, Filter(types=("Creature",), unstated=True))))
    ),
    "Desperate Parry": adventure("{1}{U}", "Instant", spell(this_turn(gets(-4, +0)), at=CREATURE)),
    "Dig Deep": adventure("{1}{G}", "Sorcery", does("choose", "mill", "put", at=CREATURE)),
    "Dissonant Wave": adventure("{2}{G}", "Instant", does("counter", at=SOME_ABILITY)),
    "Divining Dive": omen("{1}{U}", "Instant", does("choose", "other")),
    "Dizzying Swoop": adventure("{1}{W}", "Instant", does("tap", at=up_to(2, CREATURE))),
    "Dread Whispers": adventure("{1}{B}", "Sorcery", does("draw", "lose")),
    "Embereth Blaze": adventure("{1}{R}", "Instant", does("deal", at=ANY_TARGET)),
    "Entropic Cloud": adventure("{1}{B}", "Instant", spell(this_turn(gains("deathtouch", YOUR_CREATURES)))),
    "Entropic Decay": adventure("{1}{B}", "Sorcery", does("mill")),
    "Entry Denied": adventure(
        "{1}{U}",
        "Sorcery",
        does(
            "return",
            at=Target(
                Filter(
                    types=("Creature",),
                    bounds=(Bound("mana_value", "<=", 3),),
                    none_of=(Filter(zone="any", controller="you"),),
                )
            ),
        ),
    ),
    "Expensive Taste": adventure("{2}{B}", "Instant", does("exile", "lasting", at=OPPONENT)),
    "Explosive Crystal": adventure("{4}{R}", "Sorcery", does("deal", at=up_to(4, ANY_TARGET))),
    "Faith & Grief": adventure(
        "{3}{W}{W}", "Sorcery", does("return", at=up_to(2, card_of_yours("Artifact", "Enchantment")))
    ),
    "Fetch Quest": adventure("{5}{G}{G}", "Sorcery", does("mill", "put")),
    "Follow Him": adventure("{X}{U}{U}", "Instant", does("investigate")),
    "Forktail Sweep": adventure("{1}{R}", "Sorcery", does("deal")),
    "Foul Rebirth": adventure("{2}{B}", "Sorcery", does("sacrifice", token("flying"))),
    "Free the Fae": adventure("{1}{U}", "Instant", does("mill", "put")),
    "Garenbrig Growth": adventure("{G}", "Sorcery", does("return", at=card_of_yours("Creature", "Land"))),
    "Gentleman's Rise": adventure("{2}{B}", "Instant", does("create")),
    "Giant Secrets": adventure("{X}{U}{U}", "Instant", does("other")),
    "Gift of the Fae": adventure("{1}{W}", "Sorcery", spell(this_turn(gets(+2, +1), gains("flying")), at=CREATURE)),
    "Go Hog Wild": adventure("{1}{G}", "Instant", spell(this_turn(gets(+2, +2)), at=CREATURE)),
    "Granted": adventure("{3}{U}", "Sorcery", does("reveal", "put")),
    "Grove's Bounty": adventure("{X}{G}", "Sorcery", does("other", at=up_to(X(), YOUR_CREATURE))),
    "Guard Change": adventure("{1}{G}", "Instant", does("create", at=YOUR_CREATURE)),
    "Haggle": adventure("{R}", "Instant", does("discard", "draw")),
    "Hare Raising": adventure("{G}", "Sorcery", does("lasting", at=YOUR_CREATURE)),
    "Harried Dash": adventure("{R}", "Sorcery", does("create", "lasting")),
    "Harvest Fear": adventure("{3}{B}", "Sorcery", does("other", at=OPPONENT)),
    "Have for Dinner": adventure("{1}{W}", "Instant", does("create")),
    "Heart's Desire": adventure("{G}", "Sorcery", does("create")),
    "Heartflame Slash": adventure("{2}{R}", "Instant", does("deal", at=ANY_TARGET)),
    "Join the Group": adventure("{2}{R}", "Sorcery", does("put", "other")),
    "Journey On": adventure("{G}", "Sorcery", does("create")),
    "Lagoon Breach": adventure(
        "{1}{U}",
        "Instant",
        does(
            "put",
            at=Target(Filter(types=("Creature",), attacking=True, none_of=(Filter(zone="any", controller="you"),))),
        ),
    ),
    "Lasting Fayth": adventure("{4}{G}{G}", "Sorcery", does("create", "put")),
    "Lend a Ham": adventure("{2}{B}", "Instant", does("exile", "gain", at=CREATURE)),
    "Locthwain Scorn": adventure("{1}{B}", "Sorcery", spell(this_turn(gets(-3, -3)), Do("gain"), at=CREATURE)),
    "Lupari Shield": adventure(
        "{1}{G}",
        "Sorcery",
        spell(until_your_next_turn(gains("indestructible", Filter(subtypes=("Human",), controller="you")))),
    ),
    "Mage Siege": adventure(
        "{2}{R}",
        "Instant",
        does(
            token(
                Triggered("cast", what=Filter(zone="stack", not_types=("Creature",)), who="you", effects=(Do("deal"),))
            )
        ),
    ),
    "Mend the Wilds": adventure("{G}", "Instant", does("put", at=card_of_yours(*PERMANENT_TYPES))),
    "Mesmeric Glare": adventure(
        "{2}{U}", "Instant", does("counter", at=Target(Filter(zone="stack", bounds=(Bound("mana_value", "<=", 3),))))
    ),
    "Nesting Instinct": omen("{2}{G}", "Sorcery", does("put")),
    "Oaken Boon": adventure("{3}{G}", "Sorcery", does("put", at=CREATURE)),
    "On Alert": adventure("{2}{W}", "Instant", spell(this_turn(gets(+2, +2)), Do("untap"), at=CREATURE)),
    "Overture": adventure("{4}{U}{U}", "Sorcery", does("other", at=OPPONENT)),
    "Pest Problem": adventure("{2}{R}", "Instant", does(token(Static((AttackRule("cant_block", SELF),))))),
    "Petty Theft": adventure(
        "{1}{U}", "Instant", does("return", at=Target(Filter(not_types=("Land",), controller="opponents")))
    ),
    "Pixie Dust": adventure("{1}{U}", "Instant", does("lasting", at=up_to(3, CREATURE))),
    "Plant Beans": adventure("{1}{G}", "Sorcery", spell(this_turn(Permission(extra_land_drops=1)))),
    "Plant Tadpoles": adventure(
        "{X}{U}{U}", "Sorcery", spell(Do("tap"), STAYS_TAPPED, at=Target(CREATURES, least=X(), most=X()))
    ),
    "Price of Beauty": adventure("{B}", "Sorcery", does("create", at=YOUR_CREATURE)),
    "Profane Insight": adventure("{2}{B}", "Instant", does("draw", "lose")),
    "Psionic Pulse": adventure(
        "{2}{U}", "Instant", does("counter", at=Target(Filter(zone="stack", not_types=("Creature",))))
    ),
    "Puny Snack": adventure("{2}{B}", "Instant", spell(this_turn(gets(-2, -2)), at=CREATURE)),
    "Rage of Winter": adventure("{1}{U}", "Sorcery", spell(Do("tap"), STAYS_TAPPED, at=CREATURE)),
    "Reactor Raid": adventure("{2}{B}", "Sorcery", does("sacrifice", "draw")),
    "Rescue the Foal": adventure("{1}{W}", "Instant", does("exile", "return", at=YOUR_CREATURE)),
    "Retrieve Prey": adventure("{1}{G}", "Sorcery", does("exile", "lasting", at=card_of_yours("Creature"))),
    "Ride the Rails": adventure("{1}{R}", "Instant", spell(this_turn(gets(+2, +1)), at=CREATURE)),
    "Rider in Need": adventure("{2}{W}", "Sorcery", does(token("vigilance"))),
    "Rip the Seams": adventure(
        "{2}{W}", "Instant", does("destroy", at=Target(Filter(types=("Creature",), tapped=True)))
    ),
    "Rob the Hoard": adventure(
        "{1}{W}",
        "Sorcery",
        does(
            "return",
            at=Target(
                Filter(
                    zone="graveyard",
                    owner="you",
                    any_of=(
                        Filter(zone="any", types=("Artifact", "Enchantment")),
                        Filter(zone="any", supertypes=("Legendary",)),
                    ),
                )
            ),
        ),
    ),
    "Sand Augury": adventure("{1}{U}", "Sorcery", does("scry", "draw")),
    "Scale Deflection": adventure("{3}{G}", "Instant", spell(Do("put"), this_turn(gains("hexproof")), at=CREATURE)),
    "Scan the Clouds": adventure("{1}{U}", "Instant", does("draw", "discard")),
    "Seasonal Ritual": adventure("{G}", "Sorcery", spell(AddMana(AnyMana()))),
    "Seek Thrills": adventure("{2}{G}{U}{R}", "Instant", does("mill", "put")),
    "Seek the Beast": adventure("{1}{R}", "Instant", does("exile", "lasting")),
    "Seek the Heart": adventure("{2}{W}", "Sorcery", does("search")),
    "Shield's Might": adventure("{1}{G}", "Instant", spell(this_turn(gets(+2, +2)), at=CREATURE)),
    "Squeak By": adventure(
        "{W}",
        "Sorcery",
        spell(
            this_turn(gets(+1, +1)),
            this_turn(
                AttackRule("cant_be_blocked", IT, by=Filter(types=("Creature",), bounds=(Bound("power", ">=", 3),)))
            ),
            at=YOUR_CREATURE,
        ),
    ),
    "Steam Clean": adventure("{1}{U}", "Sorcery", does("return", at=Target(Filter(not_types=("Land",))))),
    "Stoke Genius": adventure("{1}{R}", "Sorcery", does("discard", "draw")),
    "Stolen Goodies": adventure("{3}{G}", "Sorcery", does("other", at=up_to(3, YOUR_CREATURE))),
    "Stomp": adventure("{1}{R}", "Instant", does("lasting", "deal", at=ANY_TARGET)),
    "Storm Reading": adventure("{5}{U}{U}", "Instant", does("draw", "discard")),
    "Sweeping Cleave": adventure("{1}{R}", "Instant", spell(this_turn(gains("double strike")), at=YOUR_CREATURE)),
    "Swift Spiral": adventure(
        "{1}{W}", "Instant", does("exile", "lasting", at=Target(Filter(types=("Creature",), token=False)))
    ),
    "Tail the Suspect": adventure(
        "{G}{U}", "Sorcery", spell(Do("investigate"), this_turn(Permission(extra_land_drops=1)))
    ),
    "Take It Back": adventure("{2}{U}", "Instant", does("return", at=SPELL)),
    "Tempt with Treats": adventure("{B}", "Instant", does("create")),
    "That's Mine": adventure("{1}{R}", "Instant", does("create")),
    "Throw a Line": adventure("{W}{B}", "Sorcery", does("other", at=Target(CREATURES, most=2))),
    "Train Troops": adventure("{4}{W}", "Sorcery", does(token("vigilance"))),
    "Treats to Share": adventure("{G}", "Sorcery", does("create")),
    "Twice the Rage": adventure("{1}{R}", "Instant", spell(this_turn(gains("double strike")), at=CREATURE)),
    "Tyr's Blessing": adventure("{W}", "Instant", spell(this_turn(gains("indestructible")), at=CREATURE)),
    "Unlikely Meeting": adventure("{2}{U}", "Sorcery", does("search")),
    "Usher to Safety": adventure("{W}", "Instant", does("return", at=Target(Filter(controller="you")))),
    "Vantress Visions": adventure("{1}{U}", "Instant", does("copy", "choose", at=SOME_ABILITY_OF_YOURS)),
    "Venture Deeper": adventure("{U}", "Sorcery", does("other", at=PLAYER)),
    "Warning Tremor": omen("{2}{R}", "Sorcery", does("deal", at=ANY_TARGET), does("lasting")),
    "Web Shot": adventure(
        "{2}{G}", "Instant", does("destroy", at=Target(Filter(types=("Creature",), keyword="flying")))
    ),
    "Welcome Home": adventure("{5}{G}{G}", "Sorcery", does("create")),
    "Wild Goose Chase": adventure("{G}{U}", "Instant", does("draw", "discard", "create")),
    "Ysgard's Call": adventure("{X}{W}{W}", "Sorcery", does("create")),
    "Zoological Study": adventure("{2}{G}", "Sorcery", does("mill", "return")),
}

# --- flip cards (710) -------------------------------------------------------------------------------------------------

_FLIPPED: Rows = {
    "Autumn-Tail, Kitsune Sage": flipped(
        "Legendary Creature — Fox Wizard",
        irrelevant(
            Activated((ManaPart("{1}"),), (Do("attach"),), targets=(Target(Filter(subtypes=("Aura",), unstated=True)),))
        ),
        size="4/5",
    ),
    "Azamuki, Treachery Incarnate": flipped(
        "Legendary Creature — Spirit",
        irrelevant(Activated((RemoveCounters("ki"),), (Do("lasting"),), targets=(CREATURE,))),
        size="5/2",
    ),
    "Dokai, Weaver of Life": flipped(
        "Legendary Creature — Human Monk",
        irrelevant(Activated((ManaPart("{4}{G}{G}"), TAP), (Do("create"),))),
        size="3/3",
    ),
    "Erayo's Essence": flipped("Legendary Enchantment", irrelevant(Triggered("cast_other", effects=(Do("counter"),)))),
    "Goka the Unjust": flipped(
        "Legendary Creature — Ogre Shaman",
        irrelevant(Activated((TAP,), (Do("deal"),), targets=(Target(Filter(types=("Creature",), unstated=True)),))),
        size="4/4",
    ),
    "Homura's Essence": flipped(
        "Legendary Enchantment",
        modelled(
            Static(
                (
                    gets(+2, +2, YOUR_CREATURES),
                    GrantAbilities(
                        YOUR_CREATURES,
                        abilities=(Activated((ManaPart("{R}"),), (this_turn(gets(+1, +0, SELF)),)),),
                        keywords=("flying",),
                    ),
                )
            )
        ),
    ),
    "Ichiga, Who Topples Oaks": flipped(
        "Legendary Creature — Spirit",
        keywords("trample"),
        modelled(Activated((RemoveCounters("ki"),), (this_turn(gets(+2, +2)),), targets=(CREATURE,))),
        size="4/3",
    ),
    "Jaraku the Interloper": flipped(
        "Legendary Creature — Spirit",
        irrelevant(Activated((RemoveCounters("ki"),), (Do("counter"),), targets=(SPELL,))),
        size="3/4",
    ),
    "Kaiso, Memory of Loyalty": flipped(
        "Legendary Creature — Spirit",
        keywords("flying"),
        irrelevant(Activated((RemoveCounters("ki"),), (Do("lasting"),), targets=(CREATURE,))),
        size="3/4",
    ),
    "Kenzo the Hardhearted": flipped(
        "Legendary Creature — Human Samurai", modelled(Keyword("double strike"), Keyword("bushido", n=2)), size="3/4"
    ),
    "Kuon's Essence": flipped("Legendary Enchantment", irrelevant(Triggered("upkeep", effects=(Do("other"),)))),
    "Nighteyes the Desecrator": flipped(
        "Legendary Creature — Rat Wizard",
        irrelevant(
            Activated(
                (ManaPart("{4}{B}"),), (Do("put"),), targets=(Target(Filter(zone="graveyard", types=("Creature",))),)
            )
        ),
        size="4/2",
    ),
    "Rune-Tail's Essence": flipped("Legendary Enchantment", irrelevant()),
    "Sasaya's Essence": flipped(
        "Legendary Enchantment",
        modelled(
            Triggered(
                "tapped_for_mana",
                what=Filter(types=("Land",), controller="you"),
                effects=(
                    AddMana(
                        Produced(),
                        amount=Count(
                            Filter(
                                types=("Land",),
                                controller="you",
                                shares=("name",),
                                shares_with="that",
                                none_of=(Filter(zone="any", ref="that"),),
                            )
                        ),
                    ),
                ),
            )
        ),
    ),
    "Scarmaker": flipped(
        "Legendary Creature — Spirit",
        modelled(Activated((RemoveCounters("ki"),), (this_turn(gains("fear")),), targets=(CREATURE,))),
        size="4/4",
    ),
    "Shidako, Broodmistress": flipped(
        "Legendary Creature — Snake Shaman",
        modelled(Activated((ManaPart("{G}"), Sacrifice(CREATURES)), (this_turn(gets(+3, +3)),), targets=(CREATURE,))),
        size="3/3",
    ),
    "Stabwhisker the Odious": flipped(
        "Legendary Creature — Rat Shaman",
        irrelevant(Triggered("upkeep", who="opponents", effects=(Do("lose"),))),
        size="3/3",
    ),
    "Tobita, Master of Winds": flipped(
        "Legendary Creature — Human Wizard", modelled(Static((gains("flying", YOUR_CREATURES),))), size="3/3"
    ),
    "Tok-Tok, Volcano Born": flipped(
        "Legendary Creature — Goblin Shaman",
        modelled(Keyword("protection", what=Filter(zone="any", colors="R"))),
        irrelevant(),
        size="2/2",
    ),
    "Tomoya the Revealer": flipped(
        "Legendary Creature — Human Wizard",
        irrelevant(Activated((ManaPart("{3}{U}{U}"), TAP), (Do("other"),), targets=(PLAYER,))),
        size="2/3",
    ),
}

# --- prepared spells --------------------------------------------------------------------------------------------------

_PREPARED: Rows = {
    "Ancestral Craving": face("{B}", "Instant", does("other", "lose", at=PLAYER)),
    "Corvid Squall": face("{1}{U}", "Sorcery", does("create"), keywords("storm")),
    "Maestro's Gift": face("{3}{U}{R}", "Sorcery", does("create", "lasting", at=YOUR_CREATURE)),
    "Restore Relic": face("{2}{R}{W}", "Sorcery", does("exile", "create", at=card_of_yours("Artifact", "Creature"))),
    "Run the Play": face("{X}{G}{U}", "Sorcery", does("put", "lasting", "draw", at=up_to(X(), CREATURE))),
    "Turn Stones": face("{B}{G}", "Sorcery", does(token(Triggered("dies", what=SELF, effects=(Do("gain"),))))),
    "Vandal's Edit": face("{1}{W}{B}", "Instant", does("draw", "lose")),
}

# --- split cards (709) ------------------------------------------------------------------------------------------------

_HALVES: Rows = {
    "Bother": face("{4}{W/U}{W/U}", "Sorcery", does(token("flying"), "surveil")),
    "Bustle": face(
        "{4}{R/G}{R/G}",
        "Sorcery",
        spell(this_turn(gets(+2, +2, YOUR_CREATURES), gains("trample", YOUR_CREATURES)), Do("other")),
    ),
    "Demand": face("{1}{W}{U}", "Sorcery", does("search")),
    "Desist": face("{4}{G/W}{G/W}", "Sorcery", does("destroy")),
    "Determined": face(
        "{G}{U}",
        "Instant",
        spell(this_turn(Prohibit("be_countered", Filter(zone="stack", controller="you", me=False)))),
        does("draw"),
    ),
    "Development": face("{3}{U}{R}", "Instant", does("create", "draw")),
    "Done": face("{3}{U}", "Instant", spell(Do("tap"), STAYS_TAPPED, at=up_to(2, CREATURE))),
    "Endless Corridor": face(
        "{1}{W}", "Enchantment — Room", irrelevant(Triggered("other", effects=(Do("other"), Do("lasting"))))
    ),
    "Ends": face("{3}{R}{W}", "Instant", does("other", at=PLAYER)),
    "Error": face("{U}{B}", "Instant", does("counter", at=Target(Filter(zone="stack", color_count="multicolored")))),
    "Fall": face("{B}{R}", "Sorcery", does("other", at=PLAYER)),
    "Flying Kick": face(
        "{1}{R}", "Instant", does("deal", at=(YOUR_CREATURE, Target(OPPOSING_CREATURES))), keywords("fuse")
    ),
    "Furious": face("{3}{R}{R}", "Sorcery", does("deal")),
    "Jetsam": face("{4}{U/B}{U/B}", "Instant", does("other", "cast")),
    "Killer": face("{2}{R}{R}", "Sorcery", does("deal", at=CREATURE)),
    "No More": face("{2}{W}", "Instant", does("other", at=any_number(YOUR_CREATURE)), keywords("fuse")),
    "Pull": face(
        "{4}{B/R}{B/R}",
        "Sorcery",
        does("put", "lasting", "lasting", at=up_to(2, Target(Filter(zone="graveyard", types=("Creature",))))),
    ),
    "Punishment": face("{X}{B}{G}", "Sorcery", does("destroy")),
    "Run": face("{3}{R}{G}", "Instant", does("lasting")),
    "Seek": face("{W}{B}", "Instant", does("search", "exile", "gain", at=OPPONENT)),
    "Simple": face("{1}{G}{W}", "Sorcery", does("destroy")),
    "Unsavory Kitchen": face(
        "{2}{R}", "Enchantment — Room", irrelevant(Triggered("damage", effects=(Do("choose"), Do("lasting"))))
    ),
}

# --- split cards with aftermath (702.127) -----------------------------------------------------------------------------

_AFTERMATHS: Rows = {
    "Excess": face("{1}{R}", "Sorcery", AFTERMATH, does("create")),
    "Ruin": face("{1}{R}{R}", "Sorcery", AFTERMATH, does("deal", at=CREATURE)),
}

# The faces by layout and name.
FACTS: Mapping[str, Rows] = {
    "modal_dfc": {**_LANDS, **_MODAL},
    "adventure": _ADVENTURES,
    "flip": _FLIPPED,
    "prepare": _PREPARED,
    "split": _HALVES,
    "aftermath": _AFTERMATHS,
}

# Faces that are what the card or half of that name is, which the sources have: famous spells on new cards.
NAMESAKES = frozenset(
    (
        "Boltwave",
        "Braingeyser",
        "Channel",
        "Exsanguinate",
        "Fire",
        "Liberate",
        "Replenish",
        "Wheel of Fortune",
    )
)
