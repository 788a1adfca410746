"""A situation becomes a Game: cards are found, names become ids, what is not stated stays visibly unknown.

`build_game` is the only way in. Every error is a FormatError with the path of the key that is wrong; documents.py adds
the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any

import msgspec
from msgspec import UNSET

from .abilities import SUBJECTS, Card, SpendOnly
from .cards.names import key_of
from .forms import (
    HISTORY,
    CardForm,
    CardName,
    Choices,
    EffectForm,
    FormatError,
    InlineCard,
    Path,
    PermanentForm,
    PlayerForm,
    PoolForm,
    Situation,
    StackForm,
    TurnForm,
)
from .game import MOST_APART, NO_CHOICES, Chosen, Game, ManaKind, Obj, Player, TurnState
from .lookup import (
    Found,
    Library,
    did_you_mean,
    is_known,
    joined_name,
    look_up,
    nearest,
    resolve,
    similar,
    split_count,
    unknown_card,
)
from .mana import COLORS, ManaError, parse_mana
from .pseudo import (
    NOT_UNDERSTOOD,
    PSEUDO_LAYOUTS,
    Left,
    effect_card,
    emblem_card,
    pseudo_card,
    spend_only,
    text_card,
    unread,
    with_unread,
)

# A situation of more objects than this is a mistake (or an attack): it is refused before it is built.
MOST_OBJECTS = 100_000

COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}
# Steps in which no player gets priority (502.4, 514.3).
NO_PRIORITY = ("untap", "cleanup")
# Zones in which the timestamps of objects matter (613.7).
TIMED = ("battlefield", "command", "effect")

# In Game.written, beside object ids: inline cards by name, and the words of restrictions by what they compile to.
WRITTEN_CARDS, WRITTEN_ONLY = "//cards", "//only"
# … and what marks an object that stands for something unclear elsewhere in the situation.
UNCLEAR = "//unclear"


def build_game(situation: Situation, library: Library) -> Game:
    """The game that a situation describes. Raises FormatError."""
    return Builder(situation, library).game()


# --- the builder ----------------------------------------------------------------------------------------------------


class _Place:
    """While it is entered, the builder is at a deeper place of the document; errors get that place's path."""

    __slots__ = ("before", "builder", "path")

    def __init__(self, builder: Builder, path: Path) -> None:
        self.builder = builder
        self.before = builder.path
        self.path = builder.path + path

    def __enter__(self) -> None:
        self.builder.path = self.path

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.builder.path = self.before
        if isinstance(error, FormatError) and error.path[: len(self.path)] != self.path:
            raise FormatError(error.text, error.where, error.line, self.path + error.path) from None


class Builder:
    """Builds one game; `path` is where in the document it is, for errors."""

    def __init__(self, situation: Situation, library: Library) -> None:
        self.situation = situation
        self.library = library
        self.you = situation.asker
        self.objects: dict[str, Obj] = {}
        self.taken: set[str] = set()
        self.named: Counter[str] = Counter()
        self.clock = 0
        self.path: tuple[str | int, ...] = ()
        self.cache: dict[str, Found | None] = {}
        self.paths: dict[str, tuple[str | int, ...]] = {}
        self.unclear: list[tuple[str, str, tuple[str, ...]]] = []
        self.written: dict[str, Any] = {}
        self.lots: dict[object, list[str]] = {}  # ids by what makes objects alike, see Game.lots
        self.apart: list[str] = []

    @classmethod
    def going_on(cls, game: Game, library: Library) -> Builder:
        """A builder that adds to a game which stands already."""
        builder = cls(Situation(players={name: PlayerForm() for name in game.players}, you=game.you), library)
        builder.objects = dict(game.objects)
        builder.taken = set(game.objects)
        builder.clock = int(max((o.timestamp for o in game.objects.values()), default=0))
        builder.written = dict(game.written)
        return builder

    def game(self) -> Game:
        s = self.situation
        if "" in s.players:
            raise self.error("a player needs a name", "players", "")
        self.reserve_ids()
        if s.you is not None:
            self.player(s.you, "you")
        players = {}
        for name, form in s.players.items():
            with self.at("players", name):
                players[name] = self.build_player(name, form)
        stack = tuple(self.stack_item(n, item) for n, item in enumerate(s.stack))
        for n, form in enumerate(s.effects):
            with self.at("effects", n):
                self.effect(form)
        self.show_what_is_unclear()
        self.check_references()
        turn = self.turn(s.turn)
        lots = tuple(map(tuple, self.lots.values())) if len(self.apart) <= MOST_APART else ()
        return Game(self.you, players, self.objects, turn, stack, self.written, lots, tuple(self.apart) if lots else ())

    # errors and places

    def at(self, *path: str | int) -> _Place:
        return _Place(self, path)

    def error(self, text: str, *path: str | int) -> FormatError:
        return FormatError(text, path=self.path + path)

    # names

    def find(self, name: str) -> Found | None:
        if name not in self.cache:
            self.cache[name] = look_up(self.library, name)
        return self.cache[name]

    def card(self, name: CardName, *path: str | int, neighbours: Sequence[Any] = ()) -> Found:
        """The card of a name, or one that is written out."""
        if isinstance(name, InlineCard):
            found = self.inline(name, *path)
            self.written.setdefault(WRITTEN_CARDS, {})[found.card.name] = name
            return found
        try:
            found = self.find(name)
        except FormatError as error:
            raise self.error(error.text, *path) from None
        if found is None:
            joined = joined_name(name, neighbours, self.is_card)
            if joined:
                raise self.error(f'{joined!r} is one card: quote it, "{joined}"', *path)
            raise self.error(unknown_card(self.library, name), *path)
        return found

    def inline(self, form: InlineCard, *path: str | int) -> Found:
        from .cards.records import RecordError

        try:
            return Found(_inline_card(msgspec.json.encode(form)), 0)
        except (RecordError, ManaError) as error:
            raise self.error(str(error), *path) from None

    def is_card(self, name: str) -> bool:
        return is_known(self.library, name)

    def counted(self, text: str, *path: str | int) -> tuple[int, str]:
        try:
            n, name = split_count(text, self.is_card)
        except FormatError as error:
            raise self.error(error.text, *path) from None
        if n > MOST_OBJECTS or len(self.objects) + n > MOST_OBJECTS:
            raise self.error(f"{n} {name}: a situation has at most {MOST_OBJECTS:,} objects", *path)
        return n, name

    def player(self, name: str, *path: str | int) -> str:
        if name not in self.situation.players:
            players = list(self.situation.players)
            known = f"; the players are {', '.join(players)}"
            raise self.error(f"unknown player {name!r}{did_you_mean(name, players, known)}", *path)
        return name

    # ids

    def reserve_ids(self) -> None:
        """Explicit ids are known before any default one is given: they win."""
        s = self.situation
        for name, form in s.players.items():
            for zone in form.zones:
                items = getattr(form, zone)
                for n, item in enumerate(items if isinstance(items, tuple) else ()):
                    self.reserve(getattr(item, "id", None), "players", name, zone, n, "id")
        for key in ("stack", "effects"):
            for n, item in enumerate(getattr(s, key)):
                self.reserve(getattr(item, "id", None), key, n, "id")

    def reserve(self, id_: str | None, *path: str | int) -> None:
        if id_ is None:
            return
        if not id_:
            raise self.error("an id may not be empty", *path)
        if id_ in self.taken:
            raise self.error(f"two objects have the id {id_!r}", *path)
        if id_ in self.situation.players:
            raise self.error(f"{id_!r} is the name of a player already", *path)
        self.taken.add(id_)

    def new_id(self, name: str) -> str:
        while True:
            self.named[name] += 1
            n = self.named[name]
            id_ = name if n == 1 else f"{name}#{n}"
            if id_ not in self.taken and id_ not in self.situation.players:
                self.taken.add(id_)
                return id_

    def tick(self, zone: str, stated: float | None = None) -> float:
        """The next timestamp, in written order; a stated one beats it."""
        if stated is not None and not isfinite(stated):
            raise self.error("a timestamp is a finite number", "timestamp")
        if zone in TIMED:
            self.clock += 1
        return stated if stated is not None else (self.clock if zone in TIMED else 0)

    def add(self, o: Obj, written: Any = None, lot: object = None) -> Obj:
        """Adds an object. Those of one `lot` differ in id and timestamp alone."""
        if len(self.objects) >= MOST_OBJECTS:
            raise self.error(f"a situation has at most {MOST_OBJECTS:,} objects")
        self.objects[o.id] = o
        self.paths[o.id] = self.path
        self.lots.setdefault(o.id if lot is None else lot, []).append(o.id)
        if written is not None:
            self.written[o.id] = written
        return o

    # players

    def build_player(self, name: str, form: PlayerForm) -> Player:
        for zone in form.zones:
            items = getattr(form, zone)
            if not isinstance(items, tuple):
                continue
            for n, item in enumerate(items):
                with self.at(zone, n):
                    self.zone_item(name, zone, item, items)
        self.check_history(name, form)
        stated_hand = form.hand
        return Player(
            name=name,
            life=form.life,
            pool=self.pool(name, form),
            lands_played=form.lands_played,
            cast_this_turn=tuple(self.cards(form.cast_this_turn, "cast_this_turn")),
            this_turn=_sorted_counts(form.this_turn),
            counters=_sorted_counts(form.counters),
            library_size=form.library if isinstance(form.library, int) else None,
            hand_known=name == self.you if stated_hand is None else isinstance(stated_hand, tuple),
            hand_size=stated_hand if isinstance(stated_hand, int) else None,
            starting_life=form.starting_life,
        )

    def cards(self, names: Sequence[CardName], *path: str | int) -> Iterator[Card]:
        for n, name in enumerate(names):
            if isinstance(name, str):
                count, name = self.counted(name, *path, n)
                yield from [self.card(name, *path, n, neighbours=names).card] * count
            else:
                yield self.card(name, *path, n).card

    def zone_item(self, player: str, zone: str, item: str | CardForm | PermanentForm, items: Sequence[Any]) -> None:
        if isinstance(item, str):
            count, name = self.counted(item)
            found = self.card(name, neighbours=items)
            lot = (player, zone, id(found.card), found.face)
            for _ in range(count):
                self.add(self.plain(player, zone, found, _name_of(found, name)), lot=lot)
        elif isinstance(item, PermanentForm):
            self.permanent(player, item, items)
        else:
            self.other_card(player, zone, item, items)

    def plain(self, player: str, zone: str, found: Found, name: str) -> Obj:
        return Obj(
            id=self.new_id(name),
            card=found.card,
            zone=zone,  # type: ignore[arg-type]
            controller=player,
            owner=player,
            face=found.face,
            timestamp=self.tick(zone),
        )

    def copies(self, card: CardName, id_: str | None, items: Sequence[Any]) -> tuple[int, Found, str]:
        if isinstance(card, InlineCard):
            found = self.card(card, "card")
            return 1, found, found.card.name
        count, name = self.counted(card, "card")
        if count != 1 and id_ is not None:
            raise self.error(f"{count} permanents cannot share the id {id_!r}", "id")
        found = self.card(name, "card", neighbours=items)
        return count, found, _name_of(found, name)

    def permanent(self, player: str, form: PermanentForm, items: Sequence[Any]) -> None:
        count, found, name = self.copies(form.card, form.id, items)
        face = self.face_of(found, form.face)
        copied = self.card(form.copy_of, "copy_of") if form.copy_of is not None else None
        common: dict[str, Any] = dict(
            card=found.card,
            zone="battlefield",
            controller=player,
            owner=self.player(form.owner, "owner") if form.owner is not None else player,
            face=face,
            tapped=form.tapped,
            sick=form.sick,
            counters=_sorted_counts(form.counters),
            attached_to=form.attached_to,
            attacking=form.attacking,
            blocking=(form.blocking,) if isinstance(form.blocking, str) else form.blocking,
            damage=form.damage,
            chosen=self.chosen(form.chosen),
            imprinted=tuple(self.cards(form.imprinted, "imprinted")),
            noted=_noted(form.noted),
            face_down=form.face_down,
            phased_out=form.phased_out,
            copy_of=copied.card if copied else None,
            copy_face=copied.face if copied else 0,
            entered_this_turn=form.entered is not None,
            goaded_by=tuple(self.player(p, "goaded_by", n) for n, p in enumerate(form.goaded_by)),
            activated=form.activated,
            token=form.token,
            x=form.x,
            commander=form.commander,
            casts=form.casts,
        )
        lot = self.path
        for _ in range(count):
            id_ = form.id or self.new_id(name)
            stamp = self.tick("battlefield", form.timestamp)
            self.add(Obj(id=id_, timestamp=stamp, **common), _inline_part(form.card), lot)

    def other_card(self, player: str, zone: str, form: CardForm, items: Sequence[Any]) -> None:
        if (form.card is UNSET) == (form.emblem is UNSET):
            raise self.error("say either card or emblem")
        if form.emblem is not UNSET:
            self.emblem(player, zone, form)
            return
        count, found, name = self.copies(form.card, form.id, items)  # type: ignore[arg-type]
        face = self.face_of(found, form.face)
        common: dict[str, Any] = dict(
            card=found.card,
            zone=zone,
            controller=player,
            owner=self.player(form.owner, "owner") if form.owner is not None else player,
            face=face,
            counters=_sorted_counts(form.counters),
            chosen=self.chosen(form.chosen),
            imprinted=tuple(self.cards(form.imprinted, "imprinted")),
            noted=_noted(form.noted),
            face_down=form.face_down,
            commander=form.commander,
            casts=form.casts,
            entered_this_turn=form.entered is not None,
        )
        lot = self.path
        for _ in range(count):
            id_ = form.id or self.new_id(name)
            self.add(Obj(id=id_, timestamp=self.tick(zone, form.timestamp), **common), _inline_part(form.card), lot)

    def emblem(self, player: str, zone: str, form: CardForm) -> None:
        if zone != "command":
            raise self.error(f"an emblem is in the command zone, not in {zone}", "emblem")
        assert isinstance(form.emblem, str)
        card = emblem_card(self.card(form.emblem, "emblem").card)
        self.add(
            Obj(
                id=form.id or self.new_id(card.name),
                card=card,
                zone="command",
                controller=player,
                owner=player,
                timestamp=self.tick("command", form.timestamp),
                chosen=self.chosen(form.chosen),
            ),
            CardForm(emblem=form.emblem),
        )

    def face_of(self, found: Found, face: str | None) -> int:
        faces = found.card.faces
        if face is None:
            return found.face
        if face == "front":
            return 0
        if face == "back":
            if len(faces) < 2:
                raise self.error(f"{found.card.name!r} has no back face", "face")
            return 1
        keys = [key_of(f.name) for f in faces]
        if key_of(face) in keys:
            return keys.index(key_of(face))
        names = ["front", "back", *(f.name for f in faces)]
        known = f"; the faces are {', '.join(f.name for f in faces)}"
        raise self.error(f"{found.card.name!r} has no face {face!r}{did_you_mean(face, names, known)}", "face")

    def chosen(self, form: Choices) -> Chosen:
        if form == Choices():
            return NO_CHOICES
        mode = form.mode
        return Chosen(
            color=self.color(form.color) if isinstance(form.color, str) else form.color,
            type=_type_word(form.type) if isinstance(form.type, str) else form.type,
            name=self.card_name(form.name) if isinstance(form.name, str) else form.name,
            number=form.number,
            player=self.player(form.player, "chosen", "player") if isinstance(form.player, str) else form.player,
            mode=str(mode) if isinstance(mode, int) else mode,
        )

    def color(self, word: str) -> str:
        letter = COLOR_WORDS.get(word.casefold(), word.upper().strip("{}"))
        if letter not in COLORS or len(letter) != 1:
            near = did_you_mean(word, COLOR_WORDS, "; a color is white, blue, black, red or green")
            raise self.error(f"{word!r} is no color{near}", "chosen", "color")
        return letter

    def card_name(self, name: str) -> str:
        """A chosen name, spelled as the card spells it. It may be that of a card that only the situation describes."""
        found = self.find(name)
        if found is not None:
            return found.card.faces[found.face].name
        if any(key_of(name) == key_of(n) for n in self.inline_names()):
            return name
        raise self.error(unknown_card(self.library, name), "chosen", "name")

    def inline_names(self) -> Iterator[str]:
        for form in self.situation.players.values():
            for zone in form.zones:
                items = getattr(form, zone)
                for item in items if isinstance(items, tuple) else ():
                    card = getattr(item, "card", None)
                    if isinstance(card, InlineCard):
                        yield card.name

    # mana pools

    def pool(self, player: str, form: PlayerForm) -> tuple[tuple[ManaKind, int], ...]:
        amounts: Counter[ManaKind] = Counter()
        written = form.mana_pool
        if not isinstance(written, tuple):
            self.pour(amounts, PoolForm(mana=written), "mana_pool")
        else:
            for n, part in enumerate(written):
                self.pour(amounts, part, "mana_pool", n, "mana")
                if isinstance(part.only, str):
                    self.written.setdefault(WRITTEN_ONLY, {})[repr(spend_only(part.only))] = part.only
                    if spend_only(part.only).purposes == (NOT_UNDERSTOOD,):
                        self.unclear.append((player, f"mana only for {part.only}", ("+mana",)))
        return tuple(sorted(((kind, n) for kind, n in amounts.items() if n), key=repr))

    def pour(self, amounts: Counter[ManaKind], part: PoolForm, *path: str | int) -> None:
        try:
            mana = parse_mana(part.mana)
        except ManaError as error:
            raise self.error(str(error), *path) from None
        only = self.restriction(part.only, *path[:-1], "only") if part.only is not None else None
        for type_, n in mana.items():
            amounts[ManaKind(type_, only, part.snow, part.source, part.riders)] += n

    def restriction(self, only: str | dict[str, Any], *path: str | int) -> SpendOnly:
        if isinstance(only, str):
            return spend_only(only)
        try:
            return msgspec.convert(only, SpendOnly)
        except msgspec.ValidationError as error:
            raise self.error(str(error), *path) from None

    def check_history(self, name: str, form: PlayerForm) -> None:
        """Keys of `this_turn` that no room knows are not ignored: they stand in the game as something unread."""
        for key in form.this_turn:
            if key in HISTORY:
                continue
            near = nearest(key, HISTORY)
            if near and similar(key, near):
                raise self.error(f"unknown key {key!r}; did you mean {near!r}?", "this_turn", key)
            self.unclear.append((name, f"this_turn: {key}", SUBJECTS))

    def show_what_is_unclear(self) -> None:
        """What was stated but not understood stands in the game as an effect with an unread line."""
        for player, text, subjects in dict.fromkeys(self.unclear):
            card = pseudo_card(text, "restriction", [unread(subjects)])
            o = Obj(id=self.new_id(text), card=card, zone="effect", controller=player, owner=player)
            self.add(o, UNCLEAR)

    # stack and effects

    def stack_item(self, n: int, item: StackForm | str) -> str:
        with self.at("stack", n):
            form = StackForm(card=item) if isinstance(item, str) else item
            if (form.card is UNSET) == (form.ability is UNSET):
                raise self.error("say either card or ability")
            controller = self.player(form.controller, "controller") if form.controller is not None else self.you
            if form.ability is not UNSET:
                found = Found(pseudo_card(str(form.ability), "ability", ()), 0)
                name = "ability"
            else:
                found = self.card(form.card, "card")  # type: ignore[arg-type]
                name = _name_of(found, form.card)  # type: ignore[arg-type]
            choices = _stack_choices(self, form)
            o = Obj(
                id=form.id or self.new_id(name),
                card=found.card,
                zone="stack",
                controller=controller,
                owner=self.player(form.owner, "owner") if form.owner is not None else controller,
                face=self.face_of(found, form.face),
                x=form.x,
                source=form.source,
                from_zone=form.from_zone,
                **choices,
            )
            ability = None if form.ability is UNSET else StackForm(ability=form.ability)
            return self.add(o, ability or _inline_part(form.card)).id

    def effect(self, form: EffectForm) -> None:
        if (form.card is UNSET) == (form.text is UNSET):
            raise self.error("say either card or text")
        controller = self.player(form.controller, "controller") if form.controller is not None else self.you
        if form.text is not UNSET:
            cards = [o.card for o in self.objects.values() if o.card.layout not in PSEUDO_LAYOUTS]
            names = dict.fromkeys(face.name for card in cards for face in card.faces)
            ids = [o.id for o in self.objects.values() if o.zone == "battlefield"]
            there = {face.name for i in ids for face in self.objects[i].card.faces} | set(ids)
            card = text_card(str(form.text), [*names, *ids], ids, set(names) - there)
            id_ = "effect"
            targets = form.targets
        else:
            mode = form.chosen.mode
            number = int(mode) if isinstance(mode, int) or (isinstance(mode, str) and mode.isdigit()) else None
            left = effect_card(self.card(form.card, "card"), form.ability, number)  # type: ignore[arg-type]
            id_ = left.card.name
            card, targets = self.aimed(left, controller, form.targets)
        self.add(
            Obj(
                id=form.id or self.new_id(id_),
                card=card,
                zone="effect",
                controller=controller,
                owner=controller,
                timestamp=self.tick("effect", form.timestamp),
                chosen=self.chosen(form.chosen),
                targets=targets,
                x=form.x,
            ),
            EffectForm(card=form.card, text=form.text, ability=form.ability),
        )

    def aimed(self, left: Left, controller: str, stated: tuple[str, ...]) -> tuple[Card, tuple[str, ...]]:
        """The effect with its targets; where they are not stated, with the only ones that there can be, or unread."""
        if stated or not left.targets:
            return left.card, stated
        others = [name for name in self.situation.players if name != controller]
        only_opponent = all(t.players in ("opponent", "opponents") and t.what is None for t in left.targets)
        if only_opponent and len(others) == 1:
            return left.card, tuple(others * len(left.targets))
        return with_unread(left.card), ()

    # turn

    def turn(self, form: TurnForm) -> TurnState:
        with self.at("turn"):
            active = self.player(form.active, "active") if form.active is not None else self.you
            return TurnState(
                active=active,
                step=form.step,
                priority=self.priority(form),
                number=form.number,
                during_cast=self.during_cast(form),
                during_activate=self.during_activate(form),
            )

    def priority(self, form: TurnForm) -> str | None:
        """Nobody gets priority in the untap step (502.4); in the cleanup step only if the situation says so."""
        if form.priority is UNSET:
            return None if form.step in NO_PRIORITY else self.you
        if form.priority is None:
            return None
        if form.step == "untap":
            raise self.error("no player has priority in the untap step (502.4)", "priority")
        return self.player(str(form.priority), "priority")

    def during_cast(self, form: TurnForm) -> str | None:
        if form.during is None:
            return None
        if (form.during.cast is UNSET) == (form.during.activate is UNSET):
            raise self.error("say either cast or activate", "during")
        if form.during.cast is UNSET:
            return None
        pool = [o for o in self.objects.values() if o.zone not in ("battlefield", "effect")]
        return self.object(str(form.during.cast), pool, "during", "cast").id

    def during_activate(self, form: TurnForm) -> tuple[str, int] | None:
        if form.during is None or form.during.activate is UNSET:
            return None
        pool = list(self.objects.values())
        return self.object(str(form.during.activate), pool, "during", "activate").id, form.during.ability

    # references between objects

    def object(self, ref: str, among: Sequence[Obj], *path: str | int) -> Obj:
        found = resolve(ref, among)
        if found is None:
            near = did_you_mean(ref, [o.id for o in among])
            raise self.error(f"nothing here has the id {ref!r}{near}", *path)
        return found

    def check_references(self) -> None:
        """Ids that objects name must exist; what is attached is attached to something, and not in a circle."""
        permanents = [o for o in self.objects.values() if o.zone == "battlefield"]
        for o in list(self.objects.values()):
            if o.zone in ("battlefield", "stack", "effect"):
                with self.at(*self.paths.get(o.id, ())):
                    self.check_object(o, permanents)
        self.check_circles()

    def check_object(self, o: Obj, permanents: Sequence[Obj]) -> None:
        changes: dict[str, Any] = {}
        if o.attached_to is not None:
            changes["attached_to"] = self.thing(o.attached_to, permanents, "attached_to")
        if o.attacking is not None:
            changes["attacking"] = self.thing(o.attacking, permanents, "attacking")
        if o.blocking:
            changes["blocking"] = tuple(self.object(b, permanents, "blocking").id for b in o.blocking)
        if o.targets:
            everything = list(self.objects.values())
            changes["targets"] = tuple(self.thing(t, everything, "targets", n) for n, t in enumerate(o.targets))
        if o.source is not None:
            changes["source"] = self.object(o.source, list(self.objects.values()), "source").id
        if changes:
            self.objects[o.id] = o.but(**changes)
            self.apart.append(o.id)

    def thing(self, ref: str, among: Sequence[Obj], *path: str | int) -> str:
        """The id of an object, or a player's name."""
        if ref in self.situation.players and ref not in self.objects:
            return ref
        found = resolve(ref, among)
        if found is None:
            near = did_you_mean(ref, [*(o.id for o in among), *self.situation.players])
            what = "attached to nothing: " if path[0] == "attached_to" else ""
            raise self.error(f"{what}nothing here has the id {ref!r}{near}", *path)
        return found.id

    def check_circles(self) -> None:
        for o in self.objects.values():
            seen = [o.id]
            at = o
            while at.attached_to is not None and at.attached_to in self.objects:
                at = self.objects[at.attached_to]
                if at.id == o.id:
                    chain = " -> ".join([*seen, o.id])
                    raise FormatError(f"attached in a circle: {chain}", path=(*self.paths[o.id], "attached_to"))
                if at.id in seen:
                    break
                seen.append(at.id)


@lru_cache(maxsize=4096)
def _inline_card(form: bytes) -> Card:
    """The card that is written out; its text is compiled once however often it stands there."""
    from .cards import card_from_fields

    return card_from_fields(msgspec.json.decode(form))


def _inline_part(card: Any) -> InlineCard | None:
    """What is to be kept for writing a card again: nothing, where its name is enough."""
    return card if isinstance(card, InlineCard) else None


def _name_of(found: Found, written: CardName) -> str:
    """The name under which a card stands here: the whole one or a face's, whichever was written."""
    if written == found.card.name or isinstance(written, InlineCard) or key_of(written) == key_of(found.card.name):
        return found.card.name
    return found.card.faces[found.face].name


def _sorted_counts(counts: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((kind, int(n)) for kind, n in counts.items() if n))


def _noted(noted: str | int | tuple[str, ...]) -> tuple[str, ...]:
    return noted if isinstance(noted, tuple) else (str(noted),)


def _type_word(word: str) -> str:
    return word[:1].upper() + word[1:]


_STACK_CHOICES = ("targets", "modes", "mode", "color", "type", "name", "number", "player")


def _stack_choices(builder: Builder, form: StackForm) -> dict[str, Any]:
    """`choices` of a spell or ability on the stack: targets, modes (numbers), and what objects may have chosen."""
    choices = dict(form.choices)
    for key in choices:
        if key not in _STACK_CHOICES:
            near = did_you_mean(key, _STACK_CHOICES, f"; the keys are {', '.join(_STACK_CHOICES)}")
            raise builder.error(f"unknown key {key!r}{near}", "choices")
    targets = choices.pop("targets", ())
    modes = choices.pop("modes", ())
    try:
        chosen = msgspec.convert(choices, Choices)
        targets = msgspec.convert(targets, str | tuple[str, ...])
        modes = msgspec.convert(modes, int | tuple[int, ...])
    except msgspec.ValidationError as error:
        raise builder.error(str(error), "choices") from None
    return {
        "targets": form.targets + ((targets,) if isinstance(targets, str) else targets),
        "modes": (modes,) if isinstance(modes, int) else modes,
        "chosen": builder.chosen(chosen),
    }
