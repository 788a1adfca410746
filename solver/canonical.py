"""The canonical form of a question about a game: equal questions have equal forms, whatever things are called.

    game, question -> what cannot matter is left out -> objects in an order that their names do not decide
                   -> names replaced by tokens -> a key, and a game and a question that can be asked

The key holds the whole renamed game, so two keys are equal only where the games are the same but for names, the order
of what has no order, and timestamps that nothing compares; a poor order of objects can only fail to see that two are
the same. Whatever is doubtful has no canonical form (None) and is asked as it is written. What is left out, and which
timestamps are forgotten, rests on the lists of structures below: a structure that they do not name always matters.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from ..model import abilities as ab
from ..model.cards.names import key_of
from ..model.game import NO_CHOICES, Game, ManaKind, Obj, Player
from ..model.printed import KEYWORD_COUNTERS
from ..model.structures import parts_of

# Kinds of question whose answers name objects only as objects. The answer to `check` writes the whole situation that a
# line leads to, with its order and timestamps, so it is that of one board alone.
KINDS = frozenset(
    {
        "could_produce", "outcomes", "mana", "can_pay", "can_cast", "can_cast_all", "can_activate", "usable", "legal",
        "max_hand_size", "untaps", "state_based", "characteristics",
    }
)  # fmt: skip
# What questions say, by key. A key that is not here has no canonical form where it says something.
_NAMES = ("permanent", "object", "player", "who", "source", "activate", "tap", "untap", "sacrifice", "transform")
_LISTS = ("targets", "untap_step")
_CARDS = ("card", "cast", "play_land", "put_onto_battlefield", "discard")  # an id, the name of a card, or a whole card
_INNER = ("for", "action")
_PLAIN = frozenset(
    {
        "kind", "ability", "cause", "cost", "explain", "keep", "limit", "lucky", "pay_life", "transformed", "what_if",
        "x", "zone",
    }
)  # fmt: skip
# Zones whose order is not known to be without meaning.
_ORDERED = ("library", "graveyard", "stack", "command", "effect")
_TIMED = ("battlefield", "command", "effect")

_OPEN, _CLOSE = "\ue000", "\ue001"  # of the private use area: no card's name has them
_TOKEN = re.compile(f"{_OPEN}\\d+{_CLOSE}(?:#\\d+)?".encode())


def canonical_form(game: Game, question: Any, words: bool = False) -> Form | None:
    """The canonical form of a question that is fitted to its game, `what_if` already done; None where there is none.
    Answers in `words` tell of things as they stand there, so nothing is left out or put in order for them."""
    if question.kind not in KINDS or question.what_if:
        return None
    try:
        if words or question.flip is not None:  # edits could make matter what does not
            return Form(game, question, words)
        return Form(*_without_what_cannot_matter(game, question))
    except NoForm:
        return None


class NoForm(Exception):
    """Something here cannot be renamed with certainty."""


class Form:
    """A game and a question in canonical form: `key` tells them from all others, `ask` asks them."""

    def __init__(self, game: Game, question: Any, words: bool = False) -> None:
        _check_texts(game)
        self.game = game
        self.question = question
        self.asked = msgspec.to_builtins(question)
        self.asked.pop("explain", None)  # the one who asks has seen to it
        named = _named_by(self.asked, game)
        every = words or question.flip is not None
        self.ranks = _ranks(game, every)
        ordered = list(game.objects) if words else _in_order(game, named, self.ranks)
        self.names = [*game.players, *ordered]
        self.tokens = _tokens_for_words(game) if words else _tokens(self.names)
        self.called = {token: name for name, token in self.tokens.items()}
        if words:
            self.called |= _bases(self.tokens)
        self.times = _times(game, self.names, self.ranks)
        self.asked = _renamed_question(self.asked, self.tokens)
        self.words = words

    @cached_property
    def board(self) -> bytes:
        """What tells this game from all others."""
        players = [self.player(p) for p in self.game.players.values()]
        objects = [self.wire(self.game.objects[i]) for i in self.names[len(players) :]]
        turn = msgspec.structs.astuple(self.turn)
        return _print((self.tokens[self.game.you], players, objects, turn, self.stack))

    @cached_property
    def key(self) -> bytes:
        """What tells this question about this game from all others."""
        return _print((self.board, self.asked, self.words))

    def renamed_game(self) -> Game:
        """The game with tokens for names."""
        objects = {self.tokens[i]: self.object(self.game.objects[i]) for i in self.names if i in self.game.objects}
        players = {self.tokens[name]: self.player(p) for name, p in self.game.players.items()}
        return Game(self.tokens[self.game.you], players, objects, self.turn, self.stack)

    def renamed_question(self) -> Any:
        return msgspec.convert(self.asked, type(self.question))

    def named(self, answer: bytes) -> bytes:
        """An answer as JSON with the names of this game in the place of tokens."""
        return _TOKEN.sub(lambda match: _inner_json(self.called[match[0].decode()]), answer)

    # the parts with tokens

    def name(self, name: str | None) -> str | None:
        return name if name is None else self.tokens.get(name, name)

    def of(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.tokens.get(name, name) for name in names)

    @property
    def stack(self) -> tuple[str, ...]:
        return self.of(self.game.stack)

    @property
    def turn(self) -> Any:
        turn = self.game.turn
        active, during = turn.during_activate, turn.during_cast
        return msgspec.structs.replace(
            turn,
            active=self.name(turn.active),
            priority=self.name(turn.priority),
            during_cast=self.name(during),
            during_activate=None if active is None else (self.name(active[0]), active[1]),
        )

    def player(self, p: Player) -> Player:
        pool = {kind._replace(source=self.name(kind.source)): n for kind, n in p.pool}
        return p.but(name=self.name(p.name), pool=tuple(sorted(pool.items(), key=repr)))

    def object(self, o: Obj) -> Obj:
        chosen = o.chosen
        if isinstance(chosen.player, str):
            chosen = msgspec.structs.replace(chosen, player=self.name(chosen.player))
        return o.but(
            id=self.tokens[o.id],
            card=_card_with(o.card, self.tokens),
            controller=self.name(o.controller),
            owner=self.name(o.owner),
            timestamp=self.times[o.id],
            attached_to=self.name(o.attached_to),
            attacking=self.name(o.attacking),
            source=self.name(o.source),
            blocking=self.of(o.blocking),
            goaded_by=self.of(o.goaded_by),
            targets=self.of(o.targets),
            chosen=chosen,
        )

    def wire(self, o: Obj) -> tuple[Any, ...]:
        """All that an object is, with prints in the place of cards."""
        renamed = self.object(o)
        shown = tuple(_print_cards(field, part) for field, part in _fields(renamed) if field != "card")
        return (_about_card(o.card).print if renamed.card is o.card else _print(renamed.card), *shown)


def _tokens(names: Iterable[str]) -> dict[str, str]:
    return {name: f"{_OPEN}{n}{_CLOSE}" for n, name in enumerate(names)}


def _tokens_for_words(game: Game) -> dict[str, str]:
    """Words tell objects of one name together (`3 Forest` for Forest, Forest#2 and Forest#3), so ids that belong
    together have tokens that do; and here and there things stand in the order of their names."""
    names = [*game.players, *game.objects]
    families = {first: n for n, first in enumerate(sorted({name.partition("#")[0] for name in names}))}
    tokens = {}
    for name in names:
        first, mark, rest = name.partition("#")
        if mark and not rest.isdecimal():
            raise NoForm  # words could take it for one of a family, or not
        number = "" if name in game.players else f"#{rest or 1}"
        tokens[name] = f"{_OPEN}{families[first]:06}{_CLOSE}{number}"
    if len(set(tokens.values())) < len(names) or sorted(names) != sorted(names, key=lambda name: tokens[name]):
        raise NoForm
    return tokens


def _bases(tokens: Mapping[str, str]) -> dict[str, str]:
    """What a token without its number stands for."""
    return {token.partition("#")[0]: name.partition("#")[0] for name, token in tokens.items() if "#" in token}


def _inner_json(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]


# --- names ----------------------------------------------------------------------------------------------------------


def _check_texts(game: Game) -> None:
    """Names inside of texts are not renamed, so there may be none."""
    names = {*game.players, *game.objects}
    if len(names) < len(game.players) + len(game.objects):
        raise NoForm  # a player is called like an object
    for o in game.objects.values():
        if not names.isdisjoint(o.noted) or any(_OPEN in name for name in (o.id, o.controller)):
            raise NoForm
        if any(_about_card(card).names_ids for card in (*o.imprinted, *filter(None, [o.copy_of]))):
            raise NoForm
    for p in game.players.values():
        if any(_about(kind.only, _speaks_of_ids) for kind, _ in p.pool):
            raise NoForm


def _named_by(asked: dict[str, Any], game: Game) -> dict[str, list[int]]:
    """The ids that a question names, and which of its names they are. Raises NoForm where it is not certain what it
    names."""
    named: dict[str, list[int]] = {}
    count = itertools.count()

    def see(name: str, is_card: bool) -> str:
        if name in game.objects:
            named.setdefault(name, []).append(next(count))
        elif is_card:
            _check_name(game, name)
        elif name not in game.players:
            raise NoForm
        return name

    _question_names(asked, see)
    return named


def _renamed_question(asked: dict[str, Any], tokens: Mapping[str, str]) -> dict[str, Any]:
    return _question_names(asked, lambda name, is_card: tokens.get(name, name))


See = Callable[[str, bool], str]


def _question_names(asked: dict[str, Any], see: See) -> dict[str, Any]:
    """The question with every name in it replaced by what `see` makes of it."""
    return {key: value if value is None else _seen(key, value, see) for key, value in asked.items()}


def _seen(key: str, value: Any, see: See) -> Any:
    if key in _PLAIN:
        return value
    if key in _NAMES:
        return see(value, False)
    if key in _LISTS:
        return [see(name, False) for name in value]
    if key in _CARDS:
        return _seen_card(value, see)
    if key in _INNER:
        return _question_names(value, see)
    return _PARTS[key](value, see) if key in _PARTS else _no_form()


def _no_form() -> Any:
    raise NoForm


def _seen_card(card: Any, see: See) -> Any:
    """A card that is written out may still be looked for by its name."""
    if isinstance(card, str):
        return see(card, True)
    name = card["name"]
    if see(name, True) != name:
        raise NoForm
    return card


def _seen_ways(using: Any, see: See) -> Any:
    ways = [way if isinstance(way, str) else {"alternative": see(way["alternative"], True)} for way in using]
    return ways


def _seen_blocks(blocks: Any, see: See) -> Any:
    return {see(a, False): [see(b, False) for b in others] for a, others in blocks.items()}


def _seen_flip(flip: Any, see: See) -> Any:
    return {**flip, "allow": [_seen_edit(edit, see) for edit in flip["allow"]]}


def _seen_edit(edit: dict[str, Any], see: See) -> dict[str, Any]:
    """Edits that name one object, and additions of cards that are no more than cards."""
    if "set" in edit or not isinstance(edit.get("add", ""), str):
        raise NoForm
    return {key: see(name, False) if key in ("remove", "tap", "untap", "to") else name for key, name in edit.items()}


_PARTS: dict[str, Callable[[Any, See], Any]] = {
    "cards": lambda cards, see: [_seen_card(card, see) for card in cards],
    "using": _seen_ways,
    "attack": lambda attacks, see: {see(a, False): see(b, False) for a, b in attacks.items()},
    "block": _seen_blocks,
    "flip": _seen_flip,
}


def _check_name(game: Game, name: str) -> None:
    """A card by its name, or as one of its faces: it must not matter which of several objects is meant, nor what any
    is called. Raises NoForm."""
    key = key_of(name)
    if key.replace(" ", "").isdecimal():
        raise NoForm  # it could be a token
    called = [o for o in game.objects.values() if key in _card_keys(o)]
    if any(key == key_of(i) for i in game.objects.keys() - {o.id for o in called}):
        raise NoForm
    groups: dict[tuple[str, str, str], list[Obj]] = {}
    for o in called:
        groups.setdefault((o.zone, o.owner, o.controller), []).append(o)
    pointed_at = {other for _, _, other in _links(game)}
    for (zone, _, _), group in groups.items():
        if zone in _ORDERED or len(group) == 1:
            continue
        if any(o.id in pointed_at or o.but(id="", timestamp=0) != group[0].but(id="", timestamp=0) for o in group):
            raise NoForm


def _card_keys(o: Obj) -> set[str]:
    return {key_of(o.card.name), *(key_of(face.name) for face in o.card.faces)}


T = TypeVar("T")


def _card_with(card: ab.Card, tokens: Mapping[str, str]) -> ab.Card:
    """The card of an effect that is written as text, which may name objects."""
    return _with_tokens(card, tokens) if _about_card(card).names_ids else card


def _with_tokens(node: T, tokens: Mapping[str, str]) -> T:
    if isinstance(node, tuple):
        return tuple(_with_tokens(part, tokens) for part in node)  # type: ignore[return-value]
    if not isinstance(node, ab.Node):
        return node
    changes = {field: _with_tokens(getattr(node, field), tokens) for field in node.__struct_fields__}
    if isinstance(node, ab.Filter):
        changes["ids"] = tuple(tokens.get(i, i) for i in node.ids)
    return msgspec.structs.replace(node, **changes)


# --- the order of objects -------------------------------------------------------------------------------------------


def _in_order(game: Game, named: Mapping[str, list[int]], ranks: Mapping[str, int]) -> list[str]:
    """The ids in an order that rests on what the objects are and how they are connected, as far as that tells them
    apart; then as written, which can only matter where a look further than three connections would be needed."""
    players = {name: f"{_OPEN}{n}{_CLOSE}" for n, name in enumerate(game.players)}
    places = _places(game)
    colors: dict[str, bytes] = {}
    for i, o in game.objects.items():
        own = [_print_cards(field, part) for field, part in _fields(_bare(o))]
        held = (players[o.controller], players[o.owner])
        colors[i] = _print((own, held, places.get(i), ranks.get(i), named.get(i)))
    links = list(_links(game))
    for _ in range(3 if links else 0):
        colors = _refined(colors, links, players)
    written = {i: n for n, i in enumerate(game.objects)}
    return sorted(game.objects, key=lambda i: (game.objects[i].zone, places.get(i, 0), colors[i], written[i]))


def _places(game: Game) -> dict[str, int]:
    """The places of the objects of ordered zones, in each zone from 1."""
    last: Counter[str] = Counter()
    places = {}
    for i, o in game.objects.items():
        if o.zone in _ORDERED:
            last[o.zone] += 1
            places[i] = last[o.zone]
    return places


def _bare(o: Obj) -> Obj:
    """The object by itself, without names."""
    chosen = o.chosen
    if isinstance(chosen.player, str):
        chosen = msgspec.structs.replace(chosen, player="someone")
    none: dict[str, Any] = dict.fromkeys(("attached_to", "attacking", "source"))
    return o.but(
        id="", controller="", owner="", timestamp=0, blocking=(), goaded_by=(), targets=(), chosen=chosen, **none
    )


def _links(game: Game) -> Iterator[tuple[str, str, str]]:
    """Which object names which object or player, and as what."""
    for i, o in game.objects.items():
        for field in ("attached_to", "attacking", "source"):
            name: str | None = getattr(o, field)
            if name is not None:
                yield i, field, name
        for field in ("blocking", "goaded_by", "targets"):
            for n, other in enumerate(getattr(o, field)):
                yield i, f"{field} {n}", other
        chosen = o.chosen.player
        if isinstance(chosen, str):
            yield i, "chosen", chosen
        for n, other in enumerate(_ids_in(o.card)):
            yield i, f"says {n}", other
    for p in game.players.values():
        for n, (kind, _) in enumerate(p.pool):
            if kind.source is not None and kind.source in game.objects:
                yield kind.source, f"makes {n}", p.name


def _refined(colors: dict[str, bytes], links: list[tuple[str, str, str]], players: dict[str, str]) -> dict[str, bytes]:
    seen: dict[str, list[Any]] = {i: [] for i in colors}
    for one, how, other in links:
        seen[one].append((how, players.get(other) or colors.get(other, other)))
        if other in colors:
            seen[other].append((f"is {how}", colors[one]))
    return {i: _print((colors[i], sorted(map(_print, seen[i])))) for i in colors}


def _print(value: Any) -> bytes:
    return blake2b(msgspec.msgpack.encode(value, enc_hook=repr), digest_size=16).digest()


def _fields(o: Obj) -> Iterator[tuple[str, Any]]:
    return ((field, getattr(o, field)) for field in Obj.__struct_fields__)


def _print_cards(field: str, part: Any) -> Any:
    if field == "card":
        return _about_card(part).print
    if field == "copy_of":
        return None if part is None else _about_card(part).print
    if field == "imprinted":
        return [_about_card(card).print for card in part]
    if field == "chosen":
        # not stated (UNSET) and never made (None) are different things
        return None if part == NO_CHOICES else [repr(choice) for choice in msgspec.structs.astuple(part)]
    return part


# --- timestamps (613.7) ---------------------------------------------------------------------------------------------


def _ranks(game: Game, every: bool) -> dict[str, int]:
    """The order of the timestamps that something could compare: those of all sources of continuous effects, and all of
    them (also with `every`) where effects could come into being, or where an effect leaves alone what came after it
    (611.2c)."""
    timed = [o for o in game.objects.values() if o.zone in _TIMED or o.timestamp]
    if any(o.timestamp <= 0 for o in timed):
        raise NoForm  # older than what stands in zones without timestamps
    if not every and not _all_times_matter(game, timed):
        timed = [o for o in timed if not _has_no_effects(o)]
    stamps = {stamp: n for n, stamp in enumerate(sorted({o.timestamp for o in timed}), 1)}
    return {o.id: stamps[o.timestamp] for o in timed}


def _all_times_matter(game: Game, timed: Iterable[Obj]) -> bool:
    if any(o.zone == "effect" or o.copy_of is not None or o.imprinted for o in timed):
        return True
    return any(_about_card(o.card).makes_effects for o in game.objects.values())


def _has_no_effects(o: Obj) -> bool:
    """Whether the object is a permanent that has no continuous effects and is in none but as one of many."""
    if o.zone != "battlefield" or o.attached_to is not None or o.face_down:
        return False
    return _about_card(o.card).inert and not any(kind in KEYWORD_COUNTERS for kind, _ in o.counters)


def _times(game: Game, names: list[str], ranks: Mapping[str, int]) -> dict[str, int]:
    """New timestamps: the ranks, and behind them those that nothing compares."""
    last = max(ranks.values(), default=0)
    times = {i: ranks.get(i, 0) for i in game.objects}
    for i in names:
        if i in times and i not in ranks and game.objects[i].zone in _TIMED:
            times[i] = last = last + 1
    return times


# --- what cards are -------------------------------------------------------------------------------------------------


class _About(msgspec.Struct, frozen=True):
    """What matters here about a card, found out once."""

    print: bytes
    names_ids: bool
    inert: bool  # no static abilities, nothing unread: its timestamp is compared with none
    makes_effects: bool  # it could make or give continuous effects
    plain: bool
    sleeps: bool  # outside of the battlefield nothing of it functions
    makes_mana: bool


_known: dict[int, tuple[Any, Any]] = {}
MOST_KNOWN = 50_000


def _about(node: Any, find_out: Callable[[Any], T]) -> T:
    """What `find_out` says of a structure, remembered as long as there is room."""
    found = _known.get(id(node))
    if found is None or found[0] is not node:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        found = _known[id(node)] = (node, find_out(node))
    return found[1]


def _about_card(card: ab.Card) -> _About:
    return _about(card, _look_at)


def _look_at(card: ab.Card) -> _About:
    lines = [line for face in card.faces for line in face.lines]
    abilities = [ability for line in lines for ability in line.abilities]
    unread = any(line.status == "unread" for line in lines) or any(face.missing for face in card.faces)
    special = any("World" in face.supertypes or "Role" in face.subtypes for face in card.faces)
    parts = list(parts_of(card))
    return _About(
        print=_print(card),
        names_ids=_speaks_of_ids(card),
        inert=not unread and not special and all(isinstance(a, _NO_EFFECTS) for a in abilities),
        makes_effects=any(_makes_effects(part) for part in parts),
        plain=not unread and len(card.faces) == 1 and all(_is_plain(a) for a in abilities),
        sleeps=not unread and all(_sleeps(a) for a in abilities),
        makes_mana=any(isinstance(a, ab.Activated) for a in abilities),
    )


def _speaks_of_ids(node: Any) -> bool:
    return any(True for _ in _ids_of(node))


def _ids_of(node: Any) -> Iterator[str]:
    for part in parts_of(node):
        if isinstance(part, ab.Filter):
            yield from part.ids


def _ids_in(card: ab.Card) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_ids_of(card))) if _about_card(card).names_ids else ()


_NO_EFFECTS = (ab.Activated, ab.Triggered, ab.Keyword, ab.EntersWith)


def _makes_effects(part: ab.Node) -> bool:
    if isinstance(part, ab.GrantAbilities):
        return not all(isinstance(a, _NO_EFFECTS) for a in part.abilities)
    if isinstance(part, ab.Do):
        return bool(part.abilities) or part.what in ("lasting", "create")
    return isinstance(part, ab.Copy | ab.Become | ab.ChangeText | ab.Emblem)


def _sleeps(ability: ab.Ability) -> bool:
    if isinstance(ability, ab.Static):
        return ability.zone == "battlefield" and not ability.defining
    return not isinstance(ability, ab.Activated) or ability.zone == "battlefield"


# Keywords that touch neither mana nor anything else on the battlefield.
_HARMLESS = frozenset(
    {
        "flying", "haste", "vigilance", "trample", "reach", "first strike", "double strike", "deathtouch", "lifelink",
        "menace", "defender", "flash", "hexproof", "indestructible", "shroud", "fear", "intimidate", "prowess",
    }
)  # fmt: skip


def _is_plain(ability: ab.Ability) -> bool:
    """Whether it looks at nothing but its own permanent, and touches nothing but that and the pool."""
    if isinstance(ability, ab.Keyword):
        return ability == ab.Keyword(ability.name) and ability.name in _HARMLESS
    if isinstance(ability, ab.EntersWith):
        return ability.what is None and not ability.unread
    if not isinstance(ability, ab.Activated) or len(ability.effects) != 1:
        return False
    effect = ability.effects[0]
    if not isinstance(effect, ab.AddMana) or not isinstance(effect.what, ab.Fixed | ab.OneOfMana | ab.AnyMana):
        return False
    if not isinstance(effect.amount, int):
        return False
    simple = ab.Activated(cost=(ab.TapSelf(),), effects=(ab.AddMana(effect.what, effect.amount),))
    return ability == simple


# --- what cannot matter ---------------------------------------------------------------------------------------------


def _without_what_cannot_matter(game: Game, question: Any) -> tuple[Game, Any]:
    """The game without what a question about mana cannot rest on, where every permanent is plain: it taps for mana and
    does nothing else. Then no permanent sees another one, a zone, or anything of a player but the pool."""
    if not _is_about_mana_alone(question) or not _all_plain(game):
        return game, question
    player = getattr(question, "player", None)
    asked = getattr(question, "permanent", None)
    kept = {i: o for i, o in game.objects.items() if _could_matter(o, asked, player)}
    if any(name in game.objects and name not in kept for _, _, name in _links(game)):
        return game, question  # something that stays points at something that does not
    cost = f"{getattr(question, 'cost', '')}{getattr(question, 'keep', None) or ''}"
    players = {name: _idle(p, name == player, "P" in cost) for name, p in game.players.items()}
    turn = msgspec.structs.replace(game.turn, number=1)
    return Game(game.you, players, kept, turn, game.stack), question


def _is_about_mana_alone(question: Any) -> bool:
    if question.kind == "can_pay":
        return question.for_ is None and question.cause is None
    return question.kind in ("could_produce", "outcomes", "mana")


def _all_plain(game: Game) -> bool:
    turn = game.turn
    if game.stack or turn.during_cast is not None or turn.during_activate is not None:
        return False
    return all(_is_plain_object(o) for o in game.objects.values() if o.zone in ("battlefield", "stack", "effect"))


def _is_plain_object(o: Obj) -> bool:
    if o.zone != "battlefield" or o.copy_of is not None or o.face_down or o.phased_out or o.counters:
        return False
    return o.attached_to is None and not o.imprinted and _about_card(o.card).plain


def _could_matter(o: Obj, asked: str | None, player: str | None) -> bool:
    if o.id == asked:
        return True
    if o.zone == "battlefield":
        return asked is None and o.controller == player and _makes_mana(o)
    return o.zone == "command" or not _about_card(o.card).sleeps


def _makes_mana(o: Obj) -> bool:
    """Basic lands have their abilities from their types (305.6)."""
    return _about_card(o.card).makes_mana or "Land" in o.printed.types


def _idle(p: Player, asked: bool, pays_life: bool) -> Player:
    """The player without what only costs, conditions and other zones look at."""
    pool: tuple[tuple[ManaKind, int], ...] = p.pool if asked else ()
    life = p.life if (asked and pays_life) or p.life <= 0 else 20
    poison = tuple((kind, n) for kind, n in p.counters if kind == "poison")
    lost = tuple((key, n) for key, n in p.this_turn if key == "drew_from_empty")
    return Player(name=p.name, life=life, pool=pool, counters=poison, this_turn=lost)
