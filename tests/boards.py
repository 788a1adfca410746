"""Small games for tests, out of cards written down by hand.

`card("Forest", "Basic Land — Forest")` makes a card; `game({"alice": ["Forest", {"card": elf, "tapped": True}]})`
makes a game with these permanents, oldest first. A name stands for a card of `CARDS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lawmage.model.abilities import (
    Ability,
    Activated,
    AddMana,
    AnyMana,
    Card,
    Face,
    Fixed,
    GrantAbilities,
    Line,
    ManaPart,
    OneOfMana,
    PayLife,
    Sacrifice,
    SpellAbility,
    Static,
    StaticEffect,
    TapSelf,
)
from lawmage.model.abilities import Filter as F
from lawmage.model.game import Chosen, Game, Obj, Player, TurnState
from lawmage.model.mana import parse_cost

SUPERTYPES = ("Basic", "Legendary", "Snow", "World")


def face(
    name: str,
    type_line: str = "Artifact",
    *abilities: Ability,
    cost: str | None = None,
    pt: str = "",
    colors: str | None = None,
    loyalty: str = "",
) -> Face:
    """A face with one line for each ability; colors are those of its cost unless they are given."""
    words, _, subtypes = type_line.partition(" — ")
    power, _, toughness = pt.partition("/")
    return Face(
        name=name,
        mana_cost=cost,
        supertypes=tuple(w for w in words.split() if w in SUPERTYPES),
        types=tuple(w for w in words.split() if w not in SUPERTYPES),
        subtypes=tuple(subtypes.split()),
        colors=colors if colors is not None else parse_cost(cost).colors if cost else "",
        power=power,
        toughness=toughness,
        loyalty=loyalty,
        lines=tuple(Line(n, "modelled", (a,)) for n, a in enumerate(abilities, 1)),
    )


def card(
    name: str,
    type_line: str = "Artifact",
    *abilities: Ability,
    cost: str | None = None,
    pt: str = "",
    colors: str | None = None,
    loyalty: str = "",
    identity: str = "",
) -> Card:
    """A card with one face."""
    front = face(name, type_line, *abilities, cost=cost, pt=pt, colors=colors, loyalty=loyalty)
    return Card(name, (front,), identity=identity or front.colors)


def faces(name: str, layout: str, *sides: Face) -> Card:
    """A card with several faces or halves."""
    return Card(name, sides, layout=layout)


def tap(*mana: str, life: int = 0, sacrifice: bool = False, cost: str = "") -> Activated:
    """An ability with {T} that adds one of these: `tap("{G}")`, `tap("{W}", "{U}")`, `tap("any", life=1)`."""
    parts: list[Any] = [ManaPart(cost)] if cost else []
    parts.append(TapSelf())
    if life:
        parts.append(PayLife(life))
    if sacrifice:
        parts.append(Sacrifice(F(me=True)))
    what = AnyMana() if mana == ("any",) else Fixed(mana[0]) if len(mana) == 1 else OneOfMana(mana)
    return Activated(tuple(parts), (AddMana(what),))


def static(*effects: StaticEffect, **more: Any) -> Static:
    return Static(effects, **more)


def grant(what: F, *abilities: Ability, keywords: tuple[str, ...] = ()) -> Static:
    return Static((GrantAbilities(what, abilities, keywords),))


CARDS: dict[str, Card] = {
    c.name: c
    for c in (
        card("Plains", "Basic Land — Plains", identity="W"),
        card("Island", "Basic Land — Island", identity="U"),
        card("Swamp", "Basic Land — Swamp", identity="B"),
        card("Mountain", "Basic Land — Mountain", identity="R"),
        card("Forest", "Basic Land — Forest", identity="G"),
        card("Wastes", "Basic Land", tap("{C}")),
        card("Snow-Covered Forest", "Basic Snow Land — Forest", identity="G"),
        card("Tundra", "Land — Plains Island", identity="WU"),
        card("Bayou", "Land — Swamp Forest", identity="BG"),
        card("Adarkar Wastes", "Land", tap("{C}"), tap("{W}", "{U}"), identity="WU"),
        card("City of Brass", "Land", tap("any")),
        card("Mana Confluence", "Land", tap("any", life=1)),
        card("Sol Ring", "Artifact", tap("{C}{C}"), cost="{1}"),
        card("Treasure", "Artifact — Treasure", tap("any", sacrifice=True)),
        card("Dimir Signet", "Artifact", tap("{U}{B}", cost="{1}"), cost="{2}"),
        card("Gruul Signet", "Artifact", tap("{R}{G}", cost="{1}"), cost="{2}"),
        card("Llanowar Elves", "Creature — Elf Druid", tap("{G}"), cost="{G}", pt="1/1"),
        card("Grizzly Bears", "Creature — Bear", cost="{1}{G}", pt="2/2"),
        card("Serra Angel", "Creature — Angel", cost="{3}{W}{W}", pt="4/4"),
        card("Ornithopter", "Artifact Creature — Thopter", cost="{0}", pt="0/2"),
        card("Darksteel Ingot", "Artifact", tap("any"), cost="{3}"),
        card("Opt", "Instant", SpellAbility(), cost="{U}"),
        card("Ponder", "Sorcery", SpellAbility(), cost="{U}"),
    )
}

Written = str | Card | Mapping[str, Any]


def game(
    battlefield: Mapping[str, Iterable[Written]],
    *,
    hand: Mapping[str, Iterable[Written]] | None = None,
    graveyard: Mapping[str, Iterable[Written]] | None = None,
    exile: Mapping[str, Iterable[Written]] | None = None,
    command: Mapping[str, Iterable[Written]] | None = None,
    effects: Mapping[str, Iterable[Written]] | None = None,
    players: Mapping[str, Mapping[str, Any]] | None = None,
    you: str = "",
    active: str = "",
    step: str = "main1",
    cards: Mapping[str, Card] | None = None,
) -> Game:
    """A game of the players that `battlefield` names (and bob, if it names one only). Ids are names, then
    `Name#2`, `Name#3`; mappings may give `id` and fields of Obj; `players` gives fields of Player."""
    names = list(battlefield)
    if len(names) == 1:
        names.append("bob")
    known = {**CARDS, **(cards or {})}
    zones = {
        "battlefield": battlefield,
        "hand": hand,
        "graveyard": graveyard,
        "exile": exile,
        "command": command,
        "effect": effects,
    }
    objects: dict[str, Obj] = {}
    for zone, content in zones.items():
        for player, written in (content or {}).items():
            for w in written:
                o = _object(w, player, zone, objects, known)
                objects[o.id] = o
    you = you or names[0]
    return Game(
        you=you,
        players={
            n: Player(**{"name": n, "hand_known": n == you or n in (hand or {}), **(players or {}).get(n, {})})
            for n in names
        },
        objects=objects,
        turn=TurnState(active or you, step, you),
    )


def _object(w: Written, player: str, zone: Any, objects: Mapping[str, Obj], known: Mapping[str, Card]) -> Obj:
    fields: dict[str, Any] = dict(w) if isinstance(w, Mapping) else {"card": w}
    what = fields.pop("card")
    made = known[what] if isinstance(what, str) else what
    if isinstance(fields.get("counters"), Mapping):
        fields["counters"] = tuple(sorted(fields["counters"].items()))
    if isinstance(fields.get("chosen"), Mapping):
        fields["chosen"] = Chosen(**fields["chosen"])
    fields.setdefault("id", _free_id(made.name, objects))
    fields.setdefault("timestamp", float(len(objects)))
    return Obj(**{"card": made, "zone": zone, "controller": player, "owner": player, **fields})


def _free_id(name: str, taken: Mapping[str, Obj]) -> str:
    n = 1
    while (wanted := name if n == 1 else f"{name}#{n}") in taken:
        n += 1
    return wanted
