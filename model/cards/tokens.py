"""Predefined tokens (111.10) and other tokens that make mana: cards too, when they are asked for by name.

Their texts are the game's own short templates; they are compiled like any card's.
"""

from __future__ import annotations

_ARTIFACT = "Artifact — {}"
_SACRIFICE = "Sacrifice this token: Add "


def _token(name: str, text: str, type_line: str = "", **more: str) -> dict[str, str]:
    line = type_line or _ARTIFACT.format(name)
    return {"name": name, "type_line": line, "oracle_text": text, "layout": "token", "mana_cost": "", **more}


PREDEFINED_TOKENS: tuple[dict[str, str], ...] = (
    _token("Treasure", "{T}, Sacrifice this token: Add one mana of any color."),
    _token("Gold", _SACRIFICE + "one mana of any color."),
    _token("Powerstone", "{T}: Add {C}. This mana can't be spent to cast a nonartifact spell."),
    _token("Clue", "{2}, Sacrifice this token: Draw a card."),
    _token("Food", "{2}, {T}, Sacrifice this token: You gain 3 life."),
    _token("Blood", "{1}, {T}, Discard a card, Sacrifice this token: Draw a card."),
    _token(
        "Map",
        "{1}, {T}, Sacrifice this token: Target creature you control explores. Activate only as a sorcery.",
    ),
    _token(
        "Junk",
        "{T}, Sacrifice this token: Exile the top card of your library. You may play that card this turn. "
        "Activate only as a sorcery.",
    ),
    _token(
        "Lander",
        "{2}, {T}, Sacrifice this token: Search your library for a basic land card, put it onto the battlefield "
        "tapped, then shuffle.",
    ),
    _token(
        "Mutagen",
        "{1}, {T}, Sacrifice this token: Put a +1/+1 counter on target creature. Activate only as a sorcery.",
    ),
    _token("Shard", "{2}, Sacrifice this token: Scry 1, then draw a card.", "Enchantment — Shard"),
    _token("Eldrazi Spawn", _SACRIFICE + "{C}.", "Creature — Eldrazi Spawn", power="0", toughness="1", colors=""),
    _token("Eldrazi Scion", _SACRIFICE + "{C}.", "Creature — Eldrazi Scion", power="1", toughness="1", colors=""),
    _token("Etherium Cell", "{T}, Sacrifice this token: Add one mana of any color.", "Artifact"),
    _token("Replicated Ring", "{T}: Add one mana of any color.", "Snow Artifact"),
    _token("Wood", "", "Artifact — Wood"),
    _token("Servo", "", "Artifact Creature — Servo", power="1", toughness="1"),
    _token("Thopter", "Flying", "Artifact Creature — Thopter", power="1", toughness="1"),
    _token("Myr", "", "Artifact Creature — Myr", power="1", toughness="1"),
    _token("Saproling", "", "Creature — Saproling", power="1", toughness="1", colors="G"),
    _token("Elf Warrior", "", "Creature — Elf Warrior", power="1", toughness="1", colors="G"),
)
