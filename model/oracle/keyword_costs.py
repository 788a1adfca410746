"""Keyword abilities that cost, pay or permit, as structures (CR 702): one builder for each keyword.

A builder takes the parts that are printed after the keyword (its cost, number or quality) and returns the abilities
that the keyword stands for, as far as costs, timing, zones and targets go. What such a spell or ability then does is
of no concern here, so effects are words for actions at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ..abilities import (
    Ability,
    Activated,
    AdditionalCost,
    AddMana,
    AlternativeCost,
    Amount,
    Bound,
    Compare,
    Condition,
    CostChange,
    CostPart,
    Count,
    Discard,
    Do,
    ExileCost,
    Filter,
    Fixed,
    Is,
    Keyword,
    ManaPart,
    OneOf,
    Permission,
    PlayerCount,
    Prohibit,
    ReturnToHand,
    Reveal,
    Sacrifice,
    SetTypes,
    Static,
    StaticEffect,
    Status,
    TapOthers,
    TapSelf,
    Target,
    ThisTurn,
    Triggered,
    Turn,
    Zone,
)

Costs = tuple[CostPart, ...]
Abilities = tuple[Ability, ...]

SPELL = Filter(zone="stack", me=True)
YOUR_CREATURE = Filter(types=("Creature",), controller="you")
OTHER_CREATURE = Filter(types=("Creature",), controller="you", me=False)
THIS_IN_HAND = Filter(zone="hand", me=True)
THIS_IN_GRAVEYARD = Filter(zone="graveyard", me=True)
UNBLOCKED = Filter(types=("Creature",), controller="you", unblocked=True)


class Printed(NamedTuple):
    """What stands after a keyword on the card. `onto`: what splice names; `size`: power and toughness (prototype)."""

    cost: Costs = ()
    n: Amount = 1
    what: Filter | None = None


# What is discarded to specialize: a card of the chosen color, or of the basic land type that goes with it.
COLORED_OR_BASIC = Filter(
    zone="hand",
    any_of=(
        Filter(zone="any", colors="WUBRG"),
        Filter(zone="any", subtypes=("Plains", "Island", "Swamp", "Mountain", "Forest")),
    ),
)


Builder = Callable[[Printed], Abilities]


def on_stack(*effects: StaticEffect) -> Abilities:
    """A static ability that says what this spell costs, or how it may be paid for: it works on the stack (113.6d)."""
    return (Static(effects, zone="stack"),)


def alternative(
    name: str,
    *,
    zones: tuple[Zone, ...] = ("hand",),
    condition: Condition | None = None,
    extra: Costs = (),
    **fields: object,
) -> Builder:
    """702: "you may cast this for its <name> cost rather than its mana cost", from `zones` and with `extra` to pay."""

    def build(printed: Printed) -> Abilities:
        cost = printed.cost + extra
        return on_stack(AlternativeCost(cost, SPELL, "you", name, zones, condition, **fields))  # type: ignore[arg-type]

    return build


def additional(name: str, cost: Costs | None = None, *, many: bool = False) -> Builder:
    """An optional additional cost: the printed one, or the one that the keyword itself names."""

    def build(printed: Printed) -> Abilities:
        paid = printed.cost if cost is None else cost
        return on_stack(AdditionalCost(paid, optional=True, many=many, name=name))

    return build


def activated(
    name: str,
    *,
    extra: Costs = (),
    zone: Zone = "battlefield",
    sorcery: bool = False,
    targets: tuple[Target, ...] = (),
    does: str = "",
    conditions: tuple[Condition, ...] = (),
) -> Builder:
    """An activated ability whose cost is the printed one and `extra`."""

    def build(printed: Printed) -> Abilities:
        ability = Activated(
            printed.cost + extra,
            (Do(does or name),),
            targets,
            timing="sorcery" if sorcery else "",
            conditions=conditions,
            zone=zone,
            keyword=name,
        )
        return (ability,)

    return build


def named(name: str) -> Builder:
    """A keyword that rules rooms know by its name, with what is printed after it."""

    def build(printed: Printed) -> Abilities:
        n = None if printed.n == 1 and not printed.cost else printed.n
        return (Keyword(name, n, printed.cost, printed.what),)

    return build


# --- one by one -----------------------------------------------------------------------------------------------------


def affinity(printed: Printed) -> Abilities:
    """702.41: costs {1} less for each such permanent that its caster controls."""
    what = printed.what or Filter(types=("Artifact",))
    if what.controller == "any":
        what = _but(what, controller="you")
    return on_stack(CostChange("less", "{1}", Count(what), SPELL))


def undaunted(_: Printed) -> Abilities:
    """702.125."""
    return on_stack(CostChange("less", "{1}", PlayerCount("opponents"), SPELL))


def bargain(_: Printed) -> Abilities:
    """702.166: an artifact, enchantment or token may be sacrificed."""
    either = Filter(any_of=(Filter(types=("Artifact", "Enchantment")), Filter(token=True)))
    return on_stack(AdditionalCost((Sacrifice(either),), optional=True, name="bargain"))


def casualty(printed: Printed) -> Abilities:
    """702.153: a creature with power N or greater may be sacrificed."""
    strong = Filter(types=("Creature",), bounds=(Bound("power", ">=", printed.n),))
    return on_stack(AdditionalCost((Sacrifice(strong),), optional=True, name="casualty"))


def conspire(_: Printed) -> Abilities:
    """702.78: two untapped creatures that share a color with the spell may be tapped."""
    alike = _but(YOUR_CREATURE, shares=("color",), shares_with="spell")
    return on_stack(AdditionalCost((TapOthers(alike, 2),), optional=True, name="conspire"))


def teamwork(printed: Printed) -> Abilities:
    """Creatures with that total power may be tapped."""
    assert isinstance(printed.n, int)
    return on_stack(
        AdditionalCost((TapOthers(YOUR_CREATURE, 0, total_power=printed.n),), optional=True, name="teamwork")
    )


def splice(printed: Printed) -> Abilities:
    """702.47: from hand, an additional cost of spells of the named kind."""
    spells = _but(printed.what or Filter(subtypes=("Arcane",)), zone="stack")
    cost = (Reveal(THIS_IN_HAND), *printed.cost)
    return (Static((AdditionalCost(cost, spells, "you", optional=True, name="splice"),), zone="hand"),)


def offering(printed: Printed) -> Abilities:
    """702.48: such a permanent may be sacrificed; the cost goes down by its mana cost, and timing is an instant's."""
    victim = printed.what or Filter()
    cost = (Sacrifice(victim),)
    return on_stack(AdditionalCost(cost, optional=True, name="offering", reduces="victim", timing="flash"))


def emerge(printed: Printed) -> Abilities:
    """702.119: sacrifice a creature (or what is named); generic mana goes down by its mana value."""
    victim = printed.what or Filter(types=("Creature",))
    cost = (*printed.cost, Sacrifice(victim))
    return on_stack(AlternativeCost(cost, name="emerge", reduce_by="victim_mana_value"))


def from_graveyard(name: str, extra: Costs) -> Builder:
    """Jump-start (702.133) and retrace (702.81): the usual costs and more let it be cast from the graveyard."""

    def build(_: Printed) -> Abilities:
        return on_stack(Permission(SPELL, zones=("graveyard",), also_pay=extra, name=name))

    return build


def aftermath(_: Printed) -> Abilities:
    """702.127: this half is cast from a graveyard, and from nowhere else."""
    elsewhere = _but(SPELL, not_from_zone="graveyard")
    return on_stack(Permission(SPELL, zones=("graveyard",), name="aftermath"), Prohibit("cast", elsewhere))


def set_aside(name: str, timing: str = "", free: bool = False) -> Builder:
    """Foretell, plot (702.143, 702.170): a special action exiles the card, which is then cast from exile."""

    def build(printed: Printed) -> Abilities:
        aside = _but(SPELL, foretold=True) if name == "foretell" else _but(SPELL, noted="plotted")
        action_cost = (ManaPart("{2}"),) if name == "foretell" else printed.cost
        later = AlternativeCost(
            () if free else printed.cost,
            aside,
            name=name,
            zones=("exile",),
            timing=timing,  # type: ignore[arg-type]
        )
        return (Keyword(name, None, action_cost), Static((later,), zone="stack"))

    return build


def morph(name: str) -> Builder:
    """702.37, 702.168: cast face down for {3}; the printed cost turns it face up, which is a special action."""

    def build(printed: Printed) -> Abilities:
        face_down = AlternativeCost((ManaPart("{3}"),), name=name, face_down=True)
        return (Static((face_down,), zone="stack"), Keyword(name, None, printed.cost))

    return build


def suspend(printed: Printed) -> Abilities:
    """702.62: a special action from hand, taken whenever the card could be cast; and free, as its time is up."""
    return (Keyword("suspend", printed.n, printed.cost),)


def ninjutsu(printed: Printed) -> Abilities:
    """702.49: from hand, revealed, for the return of an unblocked attacker."""
    return (_ninjutsu(printed.cost, "hand"),)


def commander_ninjutsu(printed: Printed) -> Abilities:
    """702.49d: one ability, from the command zone too."""
    here = Filter(any_of=(Filter(zone="hand"), Filter(zone="command")), zone="any")
    return (_ninjutsu(printed.cost, "any", (Is("self", here),)),)


def _ninjutsu(cost: Costs, zone: Zone, conditions: tuple[Condition, ...] = ()) -> Ability:
    paid = (*cost, ReturnToHand(UNBLOCKED))
    return Activated(paid, (Do("put_onto_battlefield"),), zone=zone, keyword="ninjutsu", conditions=conditions)


def firebending(printed: Printed) -> Abilities:
    """702.189: a triggered ability that adds red mana; it triggers on no mana, so it waits on the stack."""
    adds = AddMana(Fixed("{R}"), printed.n)
    return (Keyword("firebending", printed.n), Triggered("attacks", Filter(me=True), effects=(adds,)))


def sneak(printed: Printed) -> Abilities:
    """For that cost and the return of an unblocked attacker, in the declare blockers step."""
    paid = (*printed.cost, ReturnToHand(UNBLOCKED))
    step = Turn(steps=("blockers",))
    return on_stack(AlternativeCost(paid, name="sneak", condition=step, timing="flash"))


def equip(printed: Printed) -> Abilities:
    """702.6."""
    return _attach("equip", printed.cost, printed.what or Filter(types=("Creature",)))


def fortify(printed: Printed) -> Abilities:
    """702.67."""
    return _attach("fortify", printed.cost, Filter(types=("Land",)))


def _attach(name: str, cost: Costs, to: Filter) -> Abilities:
    target = Target(_but(to, controller="you"))
    return (Activated(cost, (Do("attach"),), (target,), timing="sorcery", keyword=name),)


def reconfigure(printed: Printed) -> Abilities:
    """702.151: two activated abilities, and no creature while it is attached."""
    attach = Activated(
        printed.cost, (Do("attach"),), (Target(OTHER_CREATURE),), timing="sorcery", keyword="reconfigure"
    )
    attached = Is("host", Filter())
    unattach = Activated(
        printed.cost, (Do("unattach"),), timing="sorcery", conditions=(attached,), keyword="reconfigure"
    )
    no_creature = SetTypes(Filter(me=True), lose_types=("Creature",))
    return (attach, unattach, Static((no_creature,), attached))


def crew(printed: Printed) -> Abilities:
    """702.122: other untapped creatures with total power N or greater."""
    return (Activated((_total_power(printed, "crew"),), (Do("crew"),), keyword="crew"),)


def saddle(printed: Printed) -> Abilities:
    """702.171."""
    return (Activated((_total_power(printed, "saddle"),), (Do("saddle"),), timing="sorcery", keyword="saddle"),)


def _total_power(printed: Printed, deed: Literal["crew", "saddle"]) -> CostPart:
    assert isinstance(printed.n, int)
    return TapOthers(OTHER_CREATURE, 0, total_power=printed.n, deed=deed)


def station(_: Printed) -> Abilities:
    """702.184: another untapped creature."""
    return (Activated((TapOthers(OTHER_CREATURE),), (Do("counters"),), timing="sorcery", keyword="station"),)


def craft(printed: Printed) -> Abilities:
    """702.167: this permanent and the materials, permanents of its controller or cards in their graveyard."""
    what = printed.what or Filter()
    material = Filter(
        zone="any",
        any_of=(
            _but(what, zone="battlefield", controller="you", me=False),
            _but(what, zone="graveyard", owner="you"),
        ),
    )
    cost = (*printed.cost, ExileCost(Filter(me=True)), ExileCost(material, printed.n))
    return (Activated(cost, (Do("transform"),), timing="sorcery", keyword="craft"),)


def companion(printed: Printed) -> Abilities:
    """702.139: a special action for {3}, at sorcery timing."""
    return (Keyword("companion", None, (ManaPart("{3}"),)),)


def web_slinging(printed: Printed) -> Abilities:
    """For that cost and the return of a tapped creature."""
    paid = (*printed.cost, ReturnToHand(_but(YOUR_CREATURE, tapped=True)))
    return on_stack(AlternativeCost(paid, name="web-slinging"))


def mayhem(printed: Printed) -> Abilities:
    """From the graveyard, if it was discarded this turn."""
    spells = _but(SPELL, noted="discarded this turn")
    return on_stack(AlternativeCost(printed.cost, spells, name="mayhem", zones=("graveyard",)))


def _but(what: Filter, **fields: object) -> Filter:
    import msgspec

    return msgspec.structs.replace(what, **fields)


# 702.173: any one of these ways to forage.
FORAGE: CostPart = OneOf(
    (
        (ExileCost(Filter(zone="graveyard", owner="you"), 3),),
        (Sacrifice(Filter(subtypes=("Food",))),),
    )
)


def happened(what: str, least: int = 1, who: str = "you") -> Condition:
    """Something happened this turn, by the key that situations use for it."""
    return Compare(ThisTurn(what, who), ">=", least)  # type: ignore[arg-type]


_GRAVEYARD: tuple[Zone, ...] = ("graveyard",)
_EXILE_THIS: Costs = (ExileCost(THIS_IN_GRAVEYARD),)
_DISCARD_THIS: Costs = (Discard(THIS_IN_HAND),)

BUILDERS: dict[str, Builder] = {
    # additional costs
    "kicker": additional("kicker"),
    "multikicker": additional("multikicker", many=True),
    "buyback": additional("buyback"),
    "entwine": additional("entwine"),
    "escalate": additional("escalate", many=True),
    "offspring": additional("offspring"),
    "squad": additional("squad", many=True),
    "replicate": additional("replicate", many=True),
    "gift": additional("gift", ()),
    "bargain": bargain,
    "casualty": casualty,
    "conspire": conspire,
    "teamwork": teamwork,
    "splice": splice,
    "offering": offering,
    # reductions
    "affinity": affinity,
    "undaunted": undaunted,
    # alternative costs, from the hand
    "overload": alternative("overload"),
    "evoke": alternative("evoke"),
    "dash": alternative("dash"),
    "blitz": alternative("blitz"),
    "bestow": alternative("bestow"),
    "mutate": alternative("mutate"),
    "cleave": alternative("cleave"),
    "warp": alternative("warp"),
    "awaken": alternative("awaken"),
    "impending": alternative("impending"),
    "prototype": alternative("prototype"),
    "spectacle": alternative("spectacle", condition=happened("life_lost", who="opponent")),
    "surge": alternative("surge", condition=happened("spells_cast")),
    "prowl": alternative("prowl", condition=happened("combat_damage_by_shared_type")),
    "freerunning": alternative("freerunning", condition=happened("combat_damage_by_assassin_or_commander")),
    "miracle": alternative("miracle", condition=Status("miracle"), timing="flash"),
    "more than meets the eye": alternative("more than meets the eye", back_face=True),
    "web-slinging": web_slinging,
    "sneak": sneak,
    "emerge": emerge,
    "morph": morph("morph"),
    "megamorph": morph("megamorph"),
    "disguise": morph("disguise"),
    # alternative costs and permissions, from elsewhere
    "flashback": alternative("flashback", zones=_GRAVEYARD),
    "escape": alternative("escape", zones=_GRAVEYARD),
    "disturb": alternative("disturb", zones=_GRAVEYARD, back_face=True),
    "harmonize": alternative("harmonize", zones=_GRAVEYARD, reduce_by="tapped_power"),
    "mayhem": mayhem,
    "madness": alternative("madness", zones=("exile",), condition=Status("madness"), timing="flash"),
    "jump-start": from_graveyard("jump-start", (Discard(),)),
    "retrace": from_graveyard("retrace", (Discard(Filter(zone="hand", types=("Land",))),)),
    "aftermath": aftermath,
    "foretell": set_aside("foretell"),
    "plot": set_aside("plot", timing="sorcery", free=True),
    "suspend": suspend,
    "companion": companion,
    # activated abilities, on the battlefield
    "equip": equip,
    "fortify": fortify,
    "reconfigure": reconfigure,
    "crew": crew,
    "saddle": saddle,
    "station": station,
    "craft": craft,
    "level up": activated("level up", sorcery=True, does="counters"),
    "outlast": activated("outlast", extra=(TapSelf(),), sorcery=True, does="counters"),
    "specialize": activated("specialize", extra=(Discard(COLORED_OR_BASIC),), sorcery=True, does="specialize"),
    "aura swap": activated("aura swap", does="exchange"),
    "transfigure": activated("transfigure", extra=(Sacrifice(Filter(me=True)),), sorcery=True, does="search"),
    # activated abilities, elsewhere
    "cycling": activated("cycling", extra=_DISCARD_THIS, zone="hand", does="draw"),
    "typecycling": activated("cycling", extra=_DISCARD_THIS, zone="hand", does="search"),
    "transmute": activated("transmute", extra=_DISCARD_THIS, zone="hand", sorcery=True, does="search"),
    "reinforce": activated(
        "reinforce",
        extra=_DISCARD_THIS,
        zone="hand",
        targets=(Target(Filter(types=("Creature",))),),
        does="counters",
    ),
    "unearth": activated("unearth", zone="graveyard", sorcery=True, does="return"),
    "embalm": activated("embalm", extra=_EXILE_THIS, zone="graveyard", sorcery=True, does="create"),
    "eternalize": activated("eternalize", extra=_EXILE_THIS, zone="graveyard", sorcery=True, does="create"),
    "encore": activated("encore", extra=_EXILE_THIS, zone="graveyard", sorcery=True, does="create"),
    "scavenge": activated(
        "scavenge",
        extra=_EXILE_THIS,
        zone="graveyard",
        sorcery=True,
        targets=(Target(Filter(types=("Creature",))),),
        does="counters",
    ),
    "ninjutsu": ninjutsu,
    "commander ninjutsu": commander_ninjutsu,
    # known by name
    "ward": named("ward"),
    "echo": named("echo"),
    "cumulative upkeep": named("cumulative upkeep"),
    "recover": named("recover"),
    "extort": named("extort"),
    "firebending": firebending,
}

# Keywords with nothing after them that rules rooms know by name, beyond the evergreen ones.
BARE = (
    "convoke",
    "delve",
    "improvise",
    "assist",
    "devoid",
    "changeling",
    "split second",
    "storm",
    "cascade",
    "rebound",
    "sunburst",
    "fuse",
    "demonstrate",
    "gravestorm",
    "epic",
    "compleated",
    "spree",
    "tiered",
)


def build(name: str, printed: Printed = Printed()) -> Abilities:  # noqa: B008 (immutable)
    """The abilities that this keyword stands for. Raises KeyError for a keyword that is not in the table.

    >>> [a.keyword for a in build("cycling", Printed((ManaPart("{2}"),)))]
    ['cycling']
    """
    return BUILDERS[name](printed) if name in BUILDERS else (Keyword(_bare(name)),)


def _bare(name: str) -> str:
    if name not in BARE:
        raise KeyError(name)
    return name
