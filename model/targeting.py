"""What may be targeted, and which choices of targets a cost can tell apart (115, 601.2c, 702.11, 702.16, 702.18)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, product

from .abilities import Filter, GameRule, Keyword, MustTarget, Prohibit, Target
from .characteristics import View
from .evaluate import Context, SpellInfo, amount, matches, matches_spell, objects_like, players_of
from .game import Characteristics, Unknown
from .parties import context_of, in_force
from .subtypes import CREATURE_TYPES
from .timing import prohibitions

# Where more choices than this differ in cost, the answer would rest on a search that is not done here.
_MOST_CHOICES = 5000
_COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G"}


def legal_targets(
    view: View,
    player: str,
    info: SpellInfo,
    target: Target,
    ctx: Context,
    among: Collection[str] | None = None,
    doubts: list[Unknown] | None = None,
) -> list[str]:
    """Every object and player that this target could be (115.1), or those `among` these; ids of objects, names of
    players. With `doubts`, what nobody can tell of an object is put there, and the object left out."""
    found: list[str] = []
    objects: list[str] = []
    if target.what is not None:
        objects += objects_like(target.what, ctx)
    if target.any_target:
        objects += objects_like(Filter(types=("Creature", "Planeswalker", "Battle")), ctx)
    for oid in objects if among is None else (i for i in objects if i in among):
        try:
            if _may_target(view, player, oid, info):
                found.append(oid)
        except Unknown as unknown:
            if doubts is None:
                raise
            doubts.append(unknown)
    if target.any_target or target.players is not None:
        if target.unstated:
            raise Unknown("which players may be the target is not stated")
        found += [p for p in players_of(target.players or "any", ctx) if _may_target_player(view, player, p, info)]
    return list(dict.fromkeys(found))


def _may_target(view: View, player: str, oid: str, info: SpellInfo) -> bool:
    if oid == info.obj.id and info.ability is None:  # 115.5
        return False
    obj = view.game.objects[oid]
    for active, effect, ctx in prohibitions(view, "target", player):
        if _is_by(effect, info, ctx) and matches(effect.what, oid, ctx) and in_force(active, ctx):
            return False
    if obj.zone != "battlefield":
        return True
    now = view.of(oid)
    if "shroud" in now.keywords:
        return False
    if _has_hexproof(now, player) and _despite(view, player, "despite_hexproof", oid):
        return not any(
            _wards_off(word, now, player, info, view) for word in now.keywords if not word.startswith("hexproof")
        ) and not _wards_by_ability(view, oid, now, player, info, hexproof=False)
    if "hexproof" in now.keywords and now.controller != player:
        return False
    return not any(_wards_off(word, now, player, info, view) for word in now.keywords) and not _wards_by_ability(
        view, oid, now, player, info
    )


def _has_hexproof(now: Characteristics, player: str) -> bool:
    return now.controller != player and any(word.startswith("hexproof") for word in now.keywords)


def _despite(view: View, player: str, what: str, oid: str = "") -> bool:
    """Whether an effect lets the player's spells and abilities target as though there were no hexproof."""
    for active in view.statics(GameRule):
        rule = active.effect
        if not isinstance(rule, GameRule) or rule.what != what:
            continue
        ctx = context_of(view, active)
        if player not in players_of(rule.who, ctx) or (rule.like is not None and not matches(rule.like, oid, ctx)):
            continue
        if in_force(active, ctx):
            return True
    return False


def _is_by(effect: Prohibit, info: SpellInfo, ctx: Context) -> bool:
    """Whether the effect speaks of such a spell, or of an ability of such a source."""
    if effect.by_kind and (effect.by_kind == "spells") is not (info.ability is None):
        return False
    return effect.by is None or matches_spell(effect.by, info, ctx)


def _wards_off(word: str, now: Characteristics, player: str, info: SpellInfo, view: View) -> bool:
    """Protection from something (702.16b), or hexproof from it (702.11d), that the spell or source is."""
    if word.startswith("protection from "):
        qualities = word.removeprefix("protection from ")
    elif word.startswith("hexproof from ") and now.controller != player:
        qualities = word.removeprefix("hexproof from ")
    else:
        return False
    return any(_is_like(q.strip().removeprefix("from "), info, player, now) for q in qualities.split(" and "))


def _is_like(quality: str, info: SpellInfo, player: str, now: Characteristics) -> bool:
    """Whether the source has the quality that a protection names in words."""
    seen = info.seen
    if quality in _COLOR_WORDS:
        return _COLOR_WORDS[quality] in seen.colors
    if quality in ("everything", "each color", "all colors"):
        return quality == "everything" or bool(seen.colors)
    if quality in ("multicolored", "monocolored", "colorless"):
        return {"multicolored": len(seen.colors) > 1, "monocolored": len(seen.colors) == 1}.get(
            quality, not seen.colors
        )
    if quality in ("each of your opponents", "your opponents", "opponents"):
        return now.controller != player
    forms = _singular_forms(quality)
    if forms & {w.lower() for w in (*seen.types, *seen.subtypes, *seen.supertypes)}:
        return True
    if forms & _KNOWN_WORDS:
        return False
    raise Unknown(f"what has the quality {quality!r}", "not_modelled")


def _singular_forms(word: str) -> set[str]:
    """What the word may be the plural of: "elves" of elf, "sorceries" of sorcery."""
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    return forms | {word.removesuffix("ies") + "y", word.removesuffix("ves") + "f"}


_KNOWN_WORDS = frozenset(
    [
        *("artifact", "creature", "enchantment", "planeswalker", "instant", "sorcery", "land", "battle"),
        *("legendary", "snow"),
        *(t.lower() for t in CREATURE_TYPES),
    ]
)


def _wards_by_ability(
    view: View, oid: str, now: Characteristics, player: str, info: SpellInfo, *, hexproof: bool = True
) -> bool:
    """The same for protections that are described by a filter."""
    for has in now.abilities:
        ability = has.ability
        if not isinstance(ability, Keyword):
            continue
        if ability.what is None:
            if ability.name == "protection" and not any(w.startswith("protection from ") for w in now.keywords):
                raise Unknown(f"what {oid} has protection from is not understood", "not_understood", (oid,))
            continue
        if ability.name not in ("protection", "hexproof", "hexproof from", "protection from"):
            continue
        if ability.name.startswith("hexproof") and (now.controller == player or not hexproof):
            continue
        if ability.what.zone == "stack" and info.ability is not None:
            continue  # a quality of spells alone
        if matches_spell(ability.what, info, Context(view, source=oid, you=now.controller)):
            return True
    return False


def _may_target_player(view: View, player: str, target: str, info: SpellInfo) -> bool:
    for active in view.statics(GameRule):
        rule = active.effect
        if not isinstance(rule, GameRule) or rule.what not in _PLAYERS_WARDS:
            continue
        ctx = context_of(view, active)
        if target not in players_of(rule.who, ctx):
            continue
        if rule.what == "player_protection":
            if rule.like is None or not matches_spell(rule.like, info, ctx):
                continue
        elif rule.what != "shroud" and (target == player or _despite(view, player, "despite_player_hexproof")):
            continue
        if in_force(active, ctx):
            return False
    return True


_PLAYERS_WARDS = ("hexproof", "shroud", "player_hexproof", "player_protection")


# --- choosing -------------------------------------------------------------------------------------------------------


def choices_of_targets(
    view: View,
    player: str,
    info: SpellInfo,
    targets: Sequence[Target],
    ctx: Context,
    sign: Callable[[str], object] | None = None,
) -> Iterator[tuple[str, ...]]:
    """Legal choices of targets, one for each that `sign` tells apart: it gives what matters about one target for the
    cost. Without it, one choice is as good as any other: the first of least number."""
    if sign is not None and _demanded(view, player, info, targets, ctx):
        raise Unknown("what the targets must be, where they differ in cost", "not_modelled")
    if any(t.apart for t in targets):
        yield from _choices_apart(view, player, info, targets, ctx, sign)
        return
    slots = []
    for target in targets:
        # Where targets do not matter for the cost, those that are legal for sure are enough.
        doubts: list[Unknown] | None = [] if sign is None else None
        pool = legal_targets(view, player, info, target, ctx, doubts=doubts)
        least, most = amount(target.least, ctx), min(amount(target.most, ctx), len(pool))
        if doubts and least > most:
            raise doubts[0]
        if least > most:
            return
        slots.append(list(_selections(pool, max(0, least), most, sign)))
    for n, picks in enumerate(product(*slots)):
        if n >= _MOST_CHOICES:
            raise Unknown("too many choices of targets that differ in cost", "not_modelled")
        yield tuple(t for pick in picks for t in pick)


def _choices_apart(
    view: View,
    player: str,
    info: SpellInfo,
    targets: Sequence[Target],
    ctx: Context,
    sign: Callable[[str], object] | None,
) -> Iterator[tuple[str, ...]]:
    """The same where a target has to be another one than those before it (115.3): every choice of objects is tried,
    and only the first where they do not matter for the cost."""
    slots = []
    for target in targets:
        pool = legal_targets(view, player, info, target, ctx)
        least, most = max(0, amount(target.least, ctx)), min(amount(target.most, ctx), len(pool))
        sizes = range(least, (least if sign is None else most) + 1) if least <= most else range(0)
        slots.append([c for n in sizes for c in combinations(pool, n)])
    for n, picks in enumerate(product(*slots)):
        if n >= _MOST_CHOICES:
            raise Unknown("too many choices of targets that differ in cost", "not_modelled")
        if all(not t.apart or _is_apart(picks, at) for at, t in enumerate(targets)):
            yield tuple(t for pick in picks for t in pick)
            if sign is None:
                return


def _is_apart(picks: Sequence[tuple[str, ...]], at: int) -> bool:
    return not any(set(picks[at]) & set(before) for before in picks[:at])


def _selections(
    pool: list[str], least: int, most: int, sign: Callable[[str], object] | None
) -> Iterator[tuple[str, ...]]:
    if sign is None:
        yield tuple(pool[:least])
        return
    classes: dict[object, list[str]] = {}
    for candidate in pool:
        classes.setdefault(sign(candidate), []).append(candidate)
    groups = list(classes.values())
    counts = [range(min(len(g), most) + 1) for g in groups]
    made = 0
    for numbers in product(*counts):
        if least <= sum(numbers) <= most:
            made += 1
            if made > _MOST_CHOICES:
                raise Unknown("too many choices of targets that differ in cost", "not_modelled")
            yield tuple(t for g, n in zip(groups, numbers, strict=True) for t in g[:n])


def assigned(
    view: View,
    player: str,
    info: SpellInfo,
    targets: Sequence[Target],
    chosen: Sequence[str],
    ctx: Context,
) -> bool:
    """Whether these targets, in this order, can be what the text asks for: each slot takes a legal number of them, and
    what an effect demands as a target is among them (Flagbearers)."""
    if not _fills(view, player, info, targets, chosen, ctx):
        return False
    return all(wanted & set(chosen) for wanted in _demanded(view, player, info, targets, ctx))


def _demanded(
    view: View, player: str, info: SpellInfo, targets: Sequence[Target], ctx: Context
) -> tuple[frozenset[str], ...]:
    """For each effect that says what the player's targets must be, if able: the objects of which one must be chosen."""
    found = []
    for active in view.statics(MustTarget):
        effect = active.effect
        own = context_of(view, active)
        if not isinstance(effect, MustTarget) or player not in players_of(effect.who, own) or not in_force(active, own):
            continue
        able = (i for t in targets if amount(t.most, ctx) for i in legal_targets(view, player, info, t, ctx))
        wanted = frozenset(i for i in able if i in view.game.objects and matches(effect.what, i, own))
        if wanted:
            found.append(wanted)
    return tuple(found)


def _fills(
    view: View,
    player: str,
    info: SpellInfo,
    targets: Sequence[Target],
    chosen: Sequence[str],
    ctx: Context,
    before: Sequence[str] = (),
) -> bool:
    """Whether each slot takes a legal number of these targets; `before` are those of the slots before."""
    if not targets:
        return not chosen
    first, rest = targets[0], targets[1:]
    pool = set(legal_targets(view, player, info, first, ctx, chosen)) - set(before if first.apart else ())
    least, most = amount(first.least, ctx), amount(first.most, ctx)
    for n in range(max(0, least), min(most, len(chosen)) + 1):
        mine = chosen[:n]
        if len(set(mine)) < n or not pool.issuperset(mine):
            continue
        if _fills(view, player, info, rest, chosen[n:], ctx, (*before, *mine)):
            return True
    return False
