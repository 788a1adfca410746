"""Forge's puzzles (`.pzl`) and the states that its developer mode saves: `humanbattlefield=Forest|Tapped;…`.

A line is `key=value`; a zone is cards after semicolons, a card is its name with properties after bars. A puzzle says
what it is about before the line `[state]`. The player at the keyboard is the asker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ..model.cards import Library
from .common import Imported, Notes, bad, counted, known_name, mana_of, unclear_effect, unknown_card, whole_number

PLAYERS = {
    "human": "human", "ai": "ai", "p0": "human", "p1": "ai", "player": "human", "computer": "ai",
    **{f"p{n}": f"p{n}" for n in range(2, 10)},
}  # fmt: skip
ZONES = {
    "battlefield": "battlefield", "play": "battlefield", "hand": "hand", "graveyard": "graveyard", "library": "library",
    "exile": "exile", "command": "command",
}  # fmt: skip
PHASES = {
    "UNTAP": "untap", "UPKEEP": "upkeep", "DRAW": "draw", "MAIN1": "main1", "COMBAT_BEGIN": "combat_begin",
    "COMBAT_DECLARE_ATTACKERS": "attackers", "COMBAT_DECLARE_BLOCKERS": "blockers",
    "COMBAT_FIRST_STRIKE_DAMAGE": "damage", "COMBAT_DAMAGE": "damage", "COMBAT_END": "combat_end", "MAIN2": "main2",
    "END_OF_TURN": "end", "CLEANUP": "cleanup",
}  # fmt: skip
_COUNTERS = re.compile(r"([PM])(\d+)([PM])(\d+)")
_KEY = re.compile(r"(human|ai|p\d)(\w+)")
# What is said of players and cards that no answer rests on.
_IDLE_KEYS = frozenset({"landsplayedlastturn"})
_IDLE_PROPERTIES = frozenset({"noetbtrigs"})
_METADATA = ("goal", "turns", "difficulty", "targets", "description", "humancontrol", "startinghandsize")


def read_forge(text: str, library: Library, where: str = "") -> Imported:
    """The situation of a puzzle or saved state. Raises FormatError where the text is neither."""
    return _Reader(library, where).read(text)


class _Reader:
    def __init__(self, library: Library, where: str) -> None:
        self.library = library
        self.where = where
        self.notes = Notes()
        self.players: dict[str, dict[str, Any]] = {"human": {}, "ai": {}}  # and others, in the order of their turns
        self.effects: list[dict[str, Any]] = []
        self.turn: dict[str, Any] = {}
        self.metadata: dict[str, str] = {}
        self.owners: dict[str, list[dict[str, Any]]] = {}  # zone items as mappings, in order, by "player zone"
        self.by_id: dict[str, dict[str, Any]] = {}
        self.later: list[tuple[dict[str, Any], str, str]] = []  # (card, property, Forge's id)

    def read(self, text: str) -> Imported:
        for number, key, value in _entries(text.removeprefix("\ufeff")):
            if not key:
                self.notes.add(f"line {number}: {value}")
                continue
            try:
                self.entry(key, value)
            except ValueError as wrong:
                raise bad(self.where, number, f"{key}: {wrong}") from None
        if not any(self.players.values()):
            raise bad(self.where, 1, "this is no state of Forge: no line says what a player has")
        self.connect()
        for place, cards in self.owners.items():
            player, zone = place.split()
            self.players[player][zone] = counted(_short(card) for card in cards) or self.empty(zone)
        situation: dict[str, Any] = {"players": self.players}
        if self.turn:
            situation["turn"] = self.turn
        if self.effects:
            situation["effects"] = self.effects
        told = "; ".join(f"{key}: {self.metadata[key]}" for key in _METADATA if key in self.metadata)
        for key in self.metadata.keys() - {"name", "url", *_METADATA}:
            self.notes.add(f"{key}: {self.metadata[key]}")
        name, source = self.metadata.get("name", ""), self.metadata.get("url", "")
        return Imported(situation, name, source, told, self.notes.texts())

    def empty(self, zone: str) -> Any:
        """A library that is stated to be empty is known; other zones are empty where nothing is written."""
        return 0 if zone == "library" else []

    def entry(self, key: str, value: str) -> None:
        if ":" in key:  # before [state]
            self.metadata[key.rstrip(":")] = value
            return
        if key in _GAME:
            _GAME[key](self, value)
            return
        match = _KEY.fullmatch(key)
        rest = match[2] if match else ""
        if match:
            self.players.setdefault(PLAYERS[match[1]], {})
        if match and rest in ZONES:
            self.zone(PLAYERS[match[1]], ZONES[rest], value)
        elif match and rest in _PLAYER:
            _PLAYER[rest](self, PLAYERS[match[1]], value)
        elif rest in _IDLE_KEYS:
            self.notes.add(f"{key}={value}")
        elif value:
            self.unclear(f"{key}={value}", PLAYERS[match[1]] if match else "human")

    # the game and the players

    def active(self, value: str) -> None:
        if value.lower() not in ("", "none"):
            self.turn["active"] = _player(value)

    def phase(self, value: str) -> None:
        if value.upper() not in ("", "NONE"):
            if value.upper() not in PHASES:
                raise ValueError(f"unknown phase {value!r}")
            self.turn["step"] = PHASES[value.upper()]

    def advance(self, value: str) -> None:
        """The phase that Forge goes on to before anybody acts."""
        if value:
            self.unclear(f"the game goes on to {value} before it begins, with all that happens on the way", "human")
            self.phase(value)

    def number(self, value: str) -> None:
        if value:
            self.turn["number"] = whole_number(value)

    def life(self, player: str, value: str) -> None:
        self.players[player]["life"] = whole_number(value)

    def lands_played(self, player: str, value: str) -> None:
        self.players[player]["lands_played"] = whole_number(value)

    def counters(self, player: str, value: str) -> None:
        if value:
            self.players[player]["counters"] = _counters(value)

    def pool(self, player: str, value: str) -> None:
        self.players[player]["mana_pool"] = mana_of(value)

    def persistent(self, player: str, value: str) -> None:
        if value:
            self.pool(player, value)
            self.notes.add(f"{player}: mana in the pool does not empty ({value})")

    def precast(self, player: str, value: str) -> None:
        """Spells that Forge lets resolve before the game begins, in its own script language."""
        for spell in _parts(value):
            self.unclear(f"before the game begins, {player} has resolved {spell}", player)

    def unclear(self, text: str, player: str) -> None:
        """What could change answers, in a way that is not known."""
        self.notes.add(text)
        self.effects.append(unclear_effect(text, player))

    # cards

    def zone(self, player: str, zone: str, value: str) -> None:
        cards = [self.card(player, zone, part) for part in _parts(value)]
        self.owners.setdefault(f"{player} {zone}", []).extend(cards)

    def card(self, player: str, zone: str, text: str) -> dict[str, Any]:
        name, *properties = (part.strip() for part in text.split("|"))
        out = self.token(name) if name.lower().startswith("t:") else {"card": self.named(name)}
        for word in properties:
            key, _, value = word.partition(":")
            if key.lower() in _PROPERTIES:
                _PROPERTIES[key.lower()](self, out, value, player)
            elif re.fullmatch(r"[A-Z0-9_]{0,5}", word):  # those are printings, as Set: is
                self.printing(out, value, player)
            elif key.lower() in _IDLE_PROPERTIES:
                self.notes.add(f"{name}: {word}")
            else:
                self.unclear(f"{name}: {word}", player)
        if zone != "battlefield":
            for key in [key for key in out if key in _PERMANENTS_ONLY]:
                self.notes.add(f"{name} in {zone}: {key}")
                del out[key]
        return out

    def named(self, name: str) -> Any:
        known = known_name(self.library, name)
        if known is None:
            self.notes.add(f"the library has no card {name!r}: its text is not known")
            return unknown_card(name)
        return known

    def token(self, text: str) -> dict[str, Any]:
        """A token by its characteristics: `t:Goblin,P:1,T:1,Cost:no cost,Color:R,Types:Creature-Goblin,Keywords:,…`."""
        name, *parts = text[2:].split(",")
        told = dict(part.split(":", 1) for part in parts if ":" in part)
        if not told and known_name(self.library, name) is not None:
            return {"card": known_name(self.library, name), "token": True}
        if not told:
            self.notes.add(f"the token {name!r} is named by its script: its text is not known")
            return {"card": unknown_card(name), "token": True}
        if known_name(self.library, name) and "P" not in told:
            return {"card": known_name(self.library, name), "token": True}
        types = told.get("Types", "").split("-")
        main = [word for word in types if word in _CARD_TYPES]
        kinds = [word for word in types if word and word not in _CARD_TYPES]
        keywords = [word for word in re.split(r"[-;]", told.get("Keywords", "")) if word]
        colors = [letter for letter in told.get("Color", "") if letter in "WUBRG"]
        card: dict[str, Any] = {"name": name, "type_line": " — ".join(filter(None, (" ".join(main), " ".join(kinds))))}
        card |= {"colors": colors, "oracle_text": "\n".join(keywords)}
        if "P" in told and "T" in told:
            card |= {"power": told["P"], "toughness": told["T"]}
        return {"card": card, "token": True}

    # properties of cards

    def printing(self, card: dict[str, Any], value: str, player: str) -> None:
        self.notes.add("which printing a card is")

    def id(self, card: dict[str, Any], value: str, player: str) -> None:
        if value in self.by_id:
            self.notes.add(f"two cards have Forge's id {value}; the later one is meant")
            self.by_id[value].pop("id", None)
        card["id"] = value
        self.by_id[value] = card

    def refer(self, key: str) -> Callable[[dict[str, Any], str, str], None]:
        def note(card: dict[str, Any], value: str, player: str) -> None:
            self.later += [(card, key, one.strip()) for one in value.split(",")]

        return note

    def attacking(self, card: dict[str, Any], value: str, player: str) -> None:
        if value:
            self.later.append((card, "attacking", value))
        else:
            card["attacking"] = "ai" if player == "human" else "human"

    def face_down(self, card: dict[str, Any], value: str, player: str) -> None:
        card["face_down"] = True
        if value:
            self.notes.add(f"a face-down card is {value.lower()}")

    def chosen_color(self, card: dict[str, Any], value: str, player: str) -> None:
        colors = [word.strip() for word in value.split(",")]
        if len(colors) == 1:
            card.setdefault("chosen", {})["color"] = colors[0].lower()
        else:
            self.notes.add(f"{_name(card)}: several chosen colors, {value}")

    def script(self, card: dict[str, Any], value: str, player: str) -> None:
        """An ability that Forge lets resolve before the game begins."""
        self.unclear(f"before the game begins, an ability of {_name(card)} has resolved ({value})", player)

    # ids become what they stand for

    def connect(self) -> None:
        exiled = {(one, id(card)) for card, key, one in self.later if key == "ExiledWith"}
        for card, key, one in self.later:
            other = self.by_id.get(one)
            if other is None:
                self.unclear(f"{_name(card)}: {key}:{one}, which no card is", "human")
            elif key in ("attached_to", "attacking"):
                card[key] = one
            elif key == "Imprinting":
                _imprint(card, other)
            elif key == "ExiledWith":
                _imprint(other, card)
            elif (card.get("id"), id(other)) not in exiled:
                self.unclear(f"{_name(card)}: {key}:{_name(other)}", "human")


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """The lines as (number, key, value), keys in lower case; those of the metadata end in a colon. A line that begins
    with a bar goes on with the card before it; one that is no line of a state has no key."""
    state = "[state]" not in text.lower()
    last: tuple[int, str, str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("|") and last is not None:
            last = (last[0], last[1], last[2] + line)
            continue
        if last is not None:
            yield last
            last = None
        if line.lower() in ("[state]", "[metadata]"):
            state = line.lower() == "[state]"
        elif line and not line.startswith("#"):
            key, sign, value = line.partition("=" if state else ":")
            if not sign:
                yield number, "", line
            else:
                last = (number, key.strip().lower() + ("" if state else ":"), value.strip())
    if last is not None:
        yield last


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split(";") if part.strip()]


def _player(word: str) -> str:
    if word.lower() not in PLAYERS:
        raise ValueError(f"unknown player {word!r}")
    return PLAYERS[word.lower()]


def _counters(text: str) -> dict[str, int]:
    out: dict[str, int] = {}
    for part in text.split(","):
        kind, _, n = part.partition("=")
        sides = _COUNTERS.fullmatch(kind.strip().upper())
        sign = {"P": "+", "M": "-"}
        name = f"{sign[sides[1]]}{sides[2]}/{sign[sides[3]]}{sides[4]}" if sides else kind.strip().lower()
        out[name.replace("_", " ")] = whole_number(n or "1")
    return out


def _name(card: dict[str, Any]) -> str:
    return card["card"] if isinstance(card["card"], str) else card["card"]["name"]


def _imprint(card: dict[str, Any], other: dict[str, Any]) -> None:
    if other["card"] not in (there := card.setdefault("imprinted", [])):
        there.append(other["card"])


def _short(card: dict[str, Any]) -> Any:
    return card["card"] if list(card) == ["card"] and isinstance(card["card"], str) else card


def _setting(key: str, value: Any = True) -> Callable[[_Reader, dict[str, Any], str, str], None]:
    def put(reader: _Reader, card: dict[str, Any], written: str, player: str) -> None:
        card[key] = value(written) if callable(value) else value

    return put


def _noting(word: str) -> Callable[[_Reader, dict[str, Any], str, str], None]:
    def put(reader: _Reader, card: dict[str, Any], written: str, player: str) -> None:
        card.setdefault("noted", []).append(word)

    return put


def _choosing(key: str) -> Callable[[_Reader, dict[str, Any], str, str], None]:
    def put(reader: _Reader, card: dict[str, Any], written: str, player: str) -> None:
        card.setdefault("chosen", {})[key] = written

    return put


def _referring(key: str) -> Callable[[_Reader, dict[str, Any], str, str], None]:
    return lambda reader, card, written, player: reader.refer(key)(card, written, player)


_PROPERTIES: dict[str, Callable[[_Reader, dict[str, Any], str, str], None]] = {
    "Set": _Reader.printing,
    "Art": _Reader.printing,
    "Foil": _Reader.printing,
    "Id": _Reader.id,
    "Tapped": _setting("tapped"),
    "SummonSick": _setting("sick"),
    "PhasedOut": _setting("phased_out"),
    "Transformed": _setting("face", "back"),
    "Flipped": _setting("face", "back"),
    "Modal": _setting("face", "back"),
    "FaceDown": _Reader.face_down,
    "Counters": _setting("counters", _counters),
    "Damage": _setting("damage", whole_number),
    "Attaching": _referring("attached_to"),
    "AttachedTo": _referring("attached_to"),
    "EnchantingPlayer": _setting("attached_to", _player),
    "Attacking": _Reader.attacking,
    "ChosenColor": _Reader.chosen_color,
    "ChosenType": _choosing("type"),
    "NamedCard": _choosing("name"),
    "Imprinting": _referring("Imprinting"),
    "ExiledWith": _referring("ExiledWith"),
    "RememberedCards": _referring("RememberedCards"),
    "ExecuteScript": _Reader.script,
    "IsCommander": _setting("commander"),
    "Renowned": _noting("renowned"),
    "Monstrous": _noting("monstrous"),
    "Owner": _setting("owner", _player),
}
_PROPERTIES = {key.lower(): read for key, read in _PROPERTIES.items()}
_PERMANENTS_ONLY = ("tapped", "sick", "phased_out", "damage", "attached_to", "attacking", "token")
_GAME: dict[str, Callable[[_Reader, str], None]] = {
    "activeplayer": _Reader.active,
    "activephase": _Reader.phase,
    "activephaseadvance": _Reader.advance,
    "turn": _Reader.number,
}
_PLAYER: dict[str, Callable[[_Reader, str, str], None]] = {
    "life": _Reader.life,
    "landsplayed": _Reader.lands_played,
    "counters": _Reader.counters,
    "manapool": _Reader.pool,
    "persistentmana": _Reader.persistent,
    "precast": _Reader.precast,
}
_CARD_TYPES = frozenset(
    {"Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker", "Legendary", "Snow", "Basic", "Tribal",
     "Kindred"}
)  # fmt: skip
