"""A library of a few cards that tests make themselves: names and types, and text only as structures."""

from __future__ import annotations

from lawmage.model.abilities import (
    Activated,
    AddMana,
    Become,
    Card,
    Do,
    Emblem,
    Face,
    Fixed,
    Line,
    MaxHandSize,
    Mode,
    SpellAbility,
    Static,
    TapSelf,
    Target,
    Triggered,
)
from lawmage.model.cards.names import key_of
from lawmage.model.lookup import Found


def card(
    name: str, *types: str, abilities: tuple = (), subtypes: tuple[str, ...] = (), cost: str | None = None
) -> Card:
    lines = tuple(Line(n, "modelled", (a,)) for n, a in enumerate(abilities, 1))
    return Card(name, (Face(name, mana_cost=cost, types=types, subtypes=subtypes, lines=lines),))


def land(name: str, subtype: str = "", mana: str = "{C}") -> Card:
    tap = Activated((TapSelf(),), (AddMana(Fixed(mana)),))
    return card(name, "Land", abilities=() if subtype else (tap,), subtypes=(subtype,) if subtype else ())


NO_MAXIMUM = Static((MaxHandSize("none"),))
EXTRA = Triggered("tapped_for_mana", effects=(AddMana(Fixed("{U}")),))

CARDS = [
    land("Forest", "Forest"),
    land("Island", "Island"),
    land("Plains", "Plains"),
    land("Urborg"),
    land("Urborg, Tomb of Yawgmoth"),
    land("Gemstone Mine"),
    land("Tomb"),
    land("Urborg, Tomb"),
    card("Llanowar Elves", "Creature", subtypes=("Elf", "Druid"), cost="{G}"),
    card("Grizzly Bears", "Creature", subtypes=("Bear",), cost="{1}{G}"),
    card("1996 World Champion", "Creature"),
    card("Circle of Protection: Red", "Enchantment"),
    card("Circle of Protection: Blue", "Enchantment"),
    card("Wild Growth", "Enchantment", subtypes=("Aura",)),
    card("Loxodon Warhammer", "Artifact", subtypes=("Equipment",)),
    card("Jötun Grunt", "Creature"),
    card("High Tide", "Instant", abilities=(SpellAbility((Become((EXTRA,)),)),)),
    card(
        "Opponent's Curse",
        "Sorcery",
        abilities=(SpellAbility((Become((NO_MAXIMUM,)),), (Target(players="opponents"),)),),
    ),
    card(
        "Charm",
        "Instant",
        abilities=(SpellAbility(modes=(Mode((Do("draw"),)), Mode((Become((NO_MAXIMUM,)),)))),),
    ),
    card("Divination", "Sorcery", abilities=(SpellAbility((Do("draw", n=2),)),), cost="{2}{U}"),
    card(
        "Two Tricks",
        "Artifact",
        abilities=(
            Activated((TapSelf(),), (AddMana(Fixed("{C}")),)),
            Activated((TapSelf(),), (Become((EXTRA,)),)),
            Activated((TapSelf(),), (Become((NO_MAXIMUM,)),)),
        ),
    ),
    card(
        "Emblem Maker", "Planeswalker", abilities=(Activated((), (Become((Emblem((NO_MAXIMUM, EXTRA)),), "forever"),)),)
    ),
    Card(
        "Young Scholar // Old Scholar",
        (
            Face("Young Scholar", mana_cost="{U}", types=("Creature",), colors="U"),
            Face("Old Scholar", types=("Planeswalker",), colors="U", loyalty="2"),
        ),
        layout="transform",
    ),
    Card(
        "Hot // Cold",
        (Face("Hot", mana_cost="{R}", types=("Instant",)), Face("Cold", mana_cost="{U}", types=("Instant",))),
        layout="split",
    ),
]


class SmallLibrary:
    """Finds cards by whole name or face, without case and accents."""

    def __init__(self) -> None:
        self.known: dict[str, Found] = {}
        for c in CARDS:
            self.known[key_of(c.name)] = Found(c, 0)
            for n, face in enumerate(c.faces):
                self.known.setdefault(key_of(face.name), Found(c, n))

    def find(self, name: str) -> Found | None:
        return self.known.get(key_of(name))

    def suggestions(self, name: str) -> list[str]:
        from lawmage.model.lookup import nearest

        near = nearest(name, [c.name for c in CARDS])
        return [near] if near else []


LIBRARY = SmallLibrary()
