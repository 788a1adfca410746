"""XMage's init notation, one line for each card and player: `battlefield:Human:Forest:2`.

Lines before the first group (`[name]`) and the group that is asked for are read. The player named first is the asker,
unless one is called Human.
"""

from __future__ import annotations

import re
from typing import Any

from ..model.cards import Library
from .common import Imported, Notes, bad, counted, known_name, mana_of, unclear_effect, unknown_card

ZONES = {
    "battlefield": "battlefield", "permanent": "battlefield", "hand": "hand", "graveyard": "graveyard",
    "library": "library", "exile": "exile", "exiled": "exile", "command": "command", "commander": "command",
    "token": "battlefield", "emblem": "command",
}  # fmt: skip
_GROUP = re.compile(r"\[(.+)\]")
_SET_FIRST = re.compile(r"[A-Z0-9]{2,6}-(?=\S)")  # a printing before the name: `AER-Aether Hub`
_TAPPED = re.compile(r":\s*tapped\s*$", re.IGNORECASE)  # behind the amount
_IDLE = ("sleeve", "avatar")
MOST = 10_000
_MARK = re.compile(r"\s*[({|\[]\s*tapped\s*[)}\]]?$", re.IGNORECASE)


def read_xmage(text: str, library: Library, where: str = "", group: str = "") -> Imported:
    """The situation of an init file. Raises FormatError where a line is none."""
    reader = _Reader(library, where)
    inside = True
    groups = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(("#", "//", "@")):
            if line.startswith("@"):
                reader.notes.add(f"the command {line}")
            continue
        if found := _GROUP.fullmatch(line):
            groups.append(found[1])
            inside = found[1] == group or (not group and len(groups) == 1)
        elif inside:
            reader.line(number, line)
    if group and group not in groups:
        raise bad(where, 1, f"there is no group {group!r}; the groups are {', '.join(groups) or 'none'}")
    if len(groups) > 1 and not group:
        reader.notes.add(f"the groups {', '.join(groups[1:])}: say which with --group")
    return reader.imported()


class _Reader:
    def __init__(self, library: Library, where: str) -> None:
        self.library = library
        self.where = where
        self.notes = Notes()
        self.players: dict[str, dict[str, Any]] = {}
        self.effects: list[dict[str, Any]] = []

    def line(self, number: int, line: str) -> None:
        zone, player, name, amount = self.parts(number, line)
        holder = self.players.setdefault(player, {})
        word = zone.lower()
        if word in ("life", "player") and name.lstrip("-").isdigit():
            holder["life"] = int(name)
        elif word in ("manapool", "mana"):
            try:
                holder["mana_pool"] = holder.get("mana_pool", "") + mana_of(name) * amount
            except ValueError as wrong:
                raise bad(self.where, number, str(wrong)) from None
        elif word in ZONES:
            holder.setdefault(ZONES[word], []).extend([self.card(word, name)] * amount)
        elif word in _IDLE:
            self.notes.add(line)
        else:  # such as plane or loyalty: it could change answers, in a way that is not known
            self.notes.add(line)
            self.effects.append(unclear_effect(line, player))

    def parts(self, number: int, line: str) -> tuple[str, str, str, int]:
        """A name may have colons in it; the amount is what stands behind the last one, if that is a number."""
        zone, _, rest = line.partition(":")
        player, colon, name = rest.partition(":")
        if not colon or not player.strip() or not name.strip():
            raise bad(self.where, number, f"expected zone:player:card:amount, got {line!r}")
        if zone.strip().lower() in ("life", "player"):
            return zone.strip(), player.strip(), name.strip(), 1
        name, tapped = _TAPPED.sub("", name), _TAPPED.search(name) is not None
        whole, colon, amount = name.rpartition(":")
        whole += " (tapped)" if tapped else ""
        if colon and amount.strip().isdigit():
            if int(amount) > MOST:
                raise bad(self.where, number, f"{amount.strip()} of one card are too many")
            return zone.strip(), player.strip(), whole.strip(), int(amount)
        return zone.strip(), player.strip(), name.strip(), 1

    def card(self, zone: str, written: str) -> Any:
        name = _MARK.sub("", written)
        out: dict[str, Any] = {"tapped": True} if name != written else {}
        if known_name(self.library, name) is None and (plain := _SET_FIRST.sub("", name, count=1)) != name:
            self.notes.add("which printing a card is")
            name = plain
        known = known_name(self.library, name)
        if known is None:
            self.notes.add(f"the library has no card {name!r}: its text is not known")
        if zone == "emblem" and known is not None:
            return {"emblem": known}
        out["card"] = known if known is not None else unknown_card(name)
        if zone == "token":
            out["token"] = True
        if zone == "commander":
            out["commander"] = True
        return out["card"] if list(out) == ["card"] and known is not None else out

    def imported(self) -> Imported:
        if not self.players:
            raise bad(self.where, 1, "there is no line such as battlefield:Human:Forest:2")
        players = {
            name: {key: counted(part) if isinstance(part, list) else part for key, part in held.items()}
            for name, held in self.players.items()
        }
        situation: dict[str, Any] = {"players": players}
        human = next((name for name in players if name.lower() in ("human", "player", "playera")), None)
        if human is not None and human != next(iter(players)):
            situation["you"] = human
        if self.effects:
            situation["effects"] = self.effects
        return Imported(situation, left_out=self.notes.texts())
