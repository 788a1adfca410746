"""Noun phrases to Filters: each word or phrase is a patch of fields, and patches of one phrase hold together."""

from __future__ import annotations

import re
from typing import Any, get_args

import msgspec

from ..abilities import Bound, Calc, Filter, Stat, Zone
from ..mana import COLORS
from . import words
from .engine import NotUnderstood, meaning, pick, pick_all, scanner
from .subjects import understood_words

_ZONES = {"graveyard": "graveyard", "hand": "hand", "librarie": "library", "library": "library"}
assert set(_ZONES.values()) <= set(get_args(Zone))
OUTLAWS = ("Assassin", "Mercenary", "Pirate", "Rogue", "Warlock")  # 700.12
# Fields whose parts all hold although their meaning is "at least one of": two patches of these are an `any_of`.
_ALTERNATIVES = ("types", "subtypes", "names")


class Patch(dict[str, Any]):
    """Fields of a Filter that a part of a noun phrase sets."""


class Text(str):
    """A word that another meaning needs as it stands."""


class Not(Patch):
    """What a phrase says an object is not."""


def merge(patches: tuple[Patch, ...] | list[Patch]) -> Filter:
    """One Filter of which every patch holds."""
    fields: dict[str, Any] = {}
    extra: list[tuple[Filter, ...]] = []
    for patch in patches:
        for key, value in patch.items():
            if key == "any_of":
                extra.append(value)
            elif key in _ALTERNATIVES and key in fields:
                extra.append((Filter(zone="any", **{key: value}),))
            elif key == "colors" and key in fields:
                extra.append((Filter(zone="any", colors=value),))
            elif key == "not_colors" and key in fields:
                fields[key] = words.in_color_order(fields[key] + value)
            elif isinstance(value, tuple) and key in fields:
                fields[key] = fields[key] + value
            elif key in fields and fields[key] != value and key not in ("zone",):
                raise NotUnderstood(f"{key} twice")
            else:
                fields[key] = value
    return with_alternatives(Filter(**fields), extra)


def with_alternatives(what: Filter, extra: list[tuple[Filter, ...]]) -> Filter:
    """`what`, and one of each group of alternatives besides: later groups go inside the first."""
    if not extra:
        return what
    first, *rest = extra
    inner = tuple(with_alternatives(f, rest) if not f.any_of else both(f, rest) for f in first)
    if what.any_of:
        inner = tuple(with_alternatives(f, [what.any_of]) for f in inner)
    return msgspec.structs.replace(what, any_of=inner)


def both(what: Filter, rest: list[tuple[Filter, ...]]) -> Filter:
    return with_alternatives(msgspec.structs.replace(what, any_of=()), [what.any_of, *rest]) if rest else what


def referring(node: Any, to: str) -> Any:
    """The structure with what "it" stands for ("that") made the reference `to`."""
    if isinstance(node, tuple):
        return tuple(referring(n, to) for n in node)
    if not isinstance(node, msgspec.Struct) or (isinstance(node, Bound) and of_one_object(node)):
        return node
    changes = {f: referring(value, to) for f in node.__struct_fields__ if (value := getattr(node, f))}
    for field in ("ref", "on", "of", "attached_to", "shares_with"):
        if changes.get(field) == "that":
            changes[field] = to
    return msgspec.structs.replace(node, **changes)


def of_one_object(bound: Bound) -> bool:
    """Whether it compares two numbers of one object, as "toughness greater than its power" does."""
    value = bound.value
    return isinstance(value, Stat) and value.of == "that" and {bound.stat, value.stat} == {"power", "toughness"}


def but(what: Filter, **changes: Any) -> Filter:
    return msgspec.structs.replace(what, **changes)


@scanner("subtype")
def subtype_at(text: str, at: int) -> int | None:
    return words.subtype_at(text, at)


@meaning("nouns")
def nouns(_: str, values: list[Any]) -> Any:
    return values[0]


@meaning("noun_list")
def noun_list(_: str, values: list[Any]) -> Filter:
    """Alternatives, each a whole description. A controller written only after the last one holds for all of them."""
    parts = pick_all(values, Filter)
    last = parts[-1]
    if last.controller != "any":
        parts = tuple(but(p, controller=last.controller) if _bare(p) else p for p in parts)
    return Filter(zone=common_zone(parts), any_of=parts)


def _bare(f: Filter) -> bool:
    return f.controller == "any" and f.owner == "any" and f.me is None and f.ref is None and f.zone == "battlefield"


def common_zone(parts: tuple[Filter, ...]) -> Zone:
    zone: Zone = parts[0].zone
    return zone if all(p.zone == zone for p in parts) else "any"


@meaning("name_token")
def name_token(text: str, _: list[Any]) -> Filter:
    return Filter(names=(text[1:-1],))


@meaning("self")
def self_(_: str, __: list[Any]) -> Filter:
    return Filter(me=True)


@meaning("host")
def host(_: str, __: list[Any]) -> Filter:
    return Filter(ref="host")


@meaning("that_object")
def that_object(text: str, values: list[Any]) -> Filter:
    return Filter(zone="any", ref="linked" if text.startswith("the exiled") else "that")


@meaning("plain_noun")
def plain_noun(text: str, values: list[Any]) -> Filter:
    return of_creatures(merge(pick_all(values, Patch)))


def of_creatures(what: Filter) -> Filter:
    """ "Artifact, enchantment, or creature with flying": what only creatures have is said of the creatures alone."""
    sized = any(b.stat in ("power", "toughness", "power+toughness") for b in what.bounds)
    what = _each_its_color(what)
    _demand_clear_adjectives(what)
    if what.any_of and not what.types and (what.keyword or what.not_keyword or sized):
        return _of_the_creatures(what)
    if len(what.types) < 2 or "Creature" not in what.types or not (what.keyword or what.not_keyword or sized):
        return what
    if what.any_of:
        raise NotUnderstood("alternatives of alternatives")
    bare = but(what, types=(), keyword="", not_keyword="", bounds=())
    creatures = Filter("any", ("Creature",), keyword=what.keyword, not_keyword=what.not_keyword, bounds=what.bounds)
    rest = Filter("any", tuple(t for t in what.types if t != "Creature"))
    return but(bare, any_of=(rest, creatures))


def _each_its_color(what: Filter) -> Filter:
    """ "Green creatures and white creatures": where each alternative has a color of its own, the first color is that of
    the first alternative alone."""
    if not what.colors or len(what.any_of) < 2 or not all(p.colors for p in what.any_of[1:]) or what.any_of[0].colors:
        return what
    first = but(what.any_of[0], colors=what.colors)
    return but(what, colors="", any_of=(first, *what.any_of[1:]))


def _demand_clear_adjectives(what: Filter) -> None:
    """ "Green creatures and white creatures": an adjective of the first alternative is not one of the others."""
    if not (what.colors or what.supertypes or what.attached is not None or what.attached_by):
        return
    if any(p.colors or p.supertypes or p.all_types for p in what.any_of[1:]):
        raise NotUnderstood("whose adjective")


def _of_the_creatures(what: Filter) -> Filter:
    """ "Walls and/or creatures with flying": only the alternative that says creatures is meant."""
    creatures = [p for p in what.any_of if p.types == ("Creature",)]
    if len(creatures) != 1 or what.any_of[-1] != creatures[0]:
        return what
    last = but(creatures[0], keyword=what.keyword, not_keyword=what.not_keyword, bounds=what.bounds)
    return but(what, keyword="", not_keyword="", bounds=(), any_of=(*what.any_of[:-1], last))


@meaning("determiner")
def determiner(text: str, _: list[Any]) -> Patch | None:
    return Patch(me=False) if "other" in text else None


@meaning("other")
def other(_: str, __: list[Any]) -> Patch:
    return Patch(me=False)


@meaning("status", "status_after")
def status(text: str, _: list[Any]) -> Patch:
    fixed: dict[str, Patch] = {
        "tapped": Patch(tapped=True),
        "untapped": Patch(tapped=False),
        "attacking": Patch(attacking=True),
        "blocking": Patch(blocking=True),
        "face-down": Patch(face_down=True),
        "face down": Patch(face_down=True),
        "face-up": Patch(face_down=False),
        "token": Patch(token=True),
        "nontoken": Patch(token=False),
        "commander": Patch(commander=True),
        "noncommander": Patch(commander=False),
        "enchanted": Patch(attached_by=("Aura",)),
        "enchanted or equipped": Patch(attached_by=("Aura", "Equipment")),
        "equipped or enchanted": Patch(attached_by=("Aura", "Equipment")),
        "equipped": Patch(attached_by=("Equipment",)),
        "legendary": Patch(supertypes=("Legendary",)),
    }
    if text in fixed:
        return fixed[text]
    if text == "attacking or tapped":
        return Patch(any_of=(Filter(zone="any", attacking=True), Filter(zone="any", tapped=True)))
    return Patch(any_of=(Filter(zone="any", attacking=True), Filter(zone="any", blocking=True)))


@meaning("supertype", "run_supertype")
def supertype(text: str, _: list[Any]) -> Patch:
    if text.startswith("non"):
        return Patch(not_supertypes=(text[3:].capitalize(),))
    return Patch(supertypes=(text.capitalize(),))


@meaning("non_outlaw")
def non_outlaw(_: str, __: list[Any]) -> Patch:
    return Patch(not_subtypes=OUTLAWS)


@meaning("with_hidden_size")
def with_hidden_size(_: str, __: list[Any]) -> Patch:
    return Patch(unstated=True)


@meaning("with_adventure")
def with_adventure(_: str, __: list[Any]) -> Patch:
    return Patch(adventure=True)


@meaning("negation", "run_negation")
def negation(_: str, values: list[Any]) -> Patch:
    inner = pick(values, Patch)
    assert inner is not None
    if "not_subtypes" in inner:
        return inner
    return negated(inner)


def negated(patch: Patch) -> Patch:
    out = Patch()
    for key, value in patch.items():
        if key == "all_types":
            out["not_types"] = value
        elif key in ("types", "subtypes", "supertypes", "colors"):
            out[f"not_{key}"] = value
        else:
            raise NotUnderstood(f"not {key}")
    return out


@meaning("plain_color")
def plain_color(text: str, _: list[Any]) -> Patch:
    return Patch(colors=words.COLOR_WORDS[text])


@meaning("color_words")
def color_words(_: str, values: list[Any]) -> Patch:
    return Patch(colors=words.in_color_order("".join(p["colors"] for p in pick_all(values, Patch))))


@meaning("run_color")
def run_color(text: str, _: list[Any]) -> Patch:
    return Patch(colors=words.COLOR_WORDS[text]) if text in words.COLOR_WORDS else Patch(color_count=text)


@meaning("color_count")
def color_count(text: str, _: list[Any]) -> Patch:
    if text in ("historic", "nonhistoric"):
        return Patch(historic=text == "historic")
    if text in ("modified", "unmodified"):
        return Patch(modified=text == "modified")
    if text in ("kicked", "foretold"):
        return Patch(**{text: True})
    if text == "suspected":
        return Patch(noted=text)
    return Patch(color_count="colored" if text == "noncolorless" else text)


@meaning("attachment")
def attachment(text: str, _: list[Any]) -> Patch:
    kinds = {"enchanted": "Aura", "equipped": "Equipment", "fortified": "Fortification"}
    return Patch(attached_by=(kinds[text],))


@meaning("color_count_head", "role_word")
def outlaw(text: str, _: list[Any]) -> Patch:
    if "party" in text:
        raise NotUnderstood(text)
    return Patch(subtypes=OUTLAWS)


@meaning("card_type_word")
def card_type_word(text: str, _: list[Any]) -> Patch:
    found = words.card_type(text)
    if found is None:
        raise NotUnderstood(text)
    return Patch(types=(found,))


@meaning("subtype_word")
def subtype_word(text: str, _: list[Any]) -> Patch:
    found = words.subtype(text)
    if found is None:
        raise NotUnderstood(text)
    return Patch(subtypes=(found,))


@meaning("type_run")
def type_run(_: str, values: list[Any]) -> Patch:
    """Words that all hold: "artifact creature", "legendary Elf", "nonbasic land"."""
    patches = pick_all(values, Patch)
    types = tuple(t for p in patches for t in p.get("types", ()))
    subtypes = tuple(t for p in patches for t in p.get("subtypes", ()))
    out = Patch()
    if len(types) == 1:
        out["types"] = types
    elif types:
        out["all_types"] = types
    if subtypes:
        out["subtypes"] = subtypes[:1]
    if len(subtypes) > 1:
        rest: tuple[Filter, ...] = (Filter(zone="any", subtypes=subtypes[-1:]),)
        for s in reversed(subtypes[1:-1]):
            rest = (Filter(zone="any", subtypes=(s,), any_of=rest),)
        out["any_of"] = rest
    for p in patches:
        for key, value in p.items():
            if key not in ("types", "subtypes"):
                out[key] = out.get(key, value[:0] if isinstance(value, (tuple, str)) else value)
                out[key] = out[key] + value if isinstance(value, (tuple, str)) else value
    return out


@meaning("type_set")
def type_set(_: str, values: list[Any]) -> Patch:
    """One run, or alternatives: one list of types where each is a single type, else descriptions of their own."""
    runs = pick_all(values, Patch)
    if len(runs) == 1:
        return runs[0]
    # "nonland or basic" style words before the first type belong to it alone, as in "basic land or Gate".
    for key in ("types", "subtypes"):
        if all(set(r) == {key} for r in runs):
            return Patch({key: tuple(t for r in runs for t in r[key])})
    # "noncreature, nonland" words in front hold for each alternative that they can hold for; keep each as written.
    return Patch(any_of=tuple(merge([Patch(zone="any"), r]) for r in runs))


@meaning("object_word")
def object_word(text: str, _: list[Any]) -> Patch:
    word = text.rstrip("s")
    fixed: dict[str, Patch] = {
        "permanent": Patch(),
        "spell": Patch(zone="stack"),
        "spell or ability": Patch(zone="stack", ability="too"),
        "card": Patch(zone="any"),
        "token": Patch(token=True),
        "source": Patch(zone="any"),
        "object": Patch(zone="any"),
        "commander": Patch(commander=True),
    }
    if word in fixed:
        return fixed[word]
    zone: Zone = "stack" if "spell" in word else "any"
    return Patch(zone=zone, types=("Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker"))


_CONTROLLERS: dict[str, Patch] = {
    "defending player controls": Patch(unstated=True),
    "you own or control": Patch(any_of=(Filter(zone="any", owner="you"), Filter(zone="any", controller="you"))),
    "you control": Patch(controller="you"),
    "you don't control": Patch(none_of=(Filter(zone="any", controller="you"),)),
    "your opponents control": Patch(controller="opponents"),
    "opponents control": Patch(controller="opponents"),
    "an opponent controls": Patch(controller="opponents"),
    "your opponent controls": Patch(controller="opponents"),
    "each opponent controls": Patch(controller="opponents"),
    "a player controls": Patch(),
    "players control": Patch(),
    "they control": Patch(controller="that"),
    "he or she controls": Patch(controller="that"),
    "that player controls": Patch(controller="that"),
    "its controller controls": Patch(controller="controller"),
    "target player controls": Patch(controller="target"),
    "target opponent controls": Patch(controller="target"),
    "the active player controls": Patch(controller="active"),
    "the chosen player controls": Patch(controller="chosen"),
}


@meaning("controlled")
def controlled(text: str, values: list[Any]) -> Patch:
    if (said := pick(values, Patch)) is not None:
        return said
    if text not in _CONTROLLERS:
        raise NotUnderstood(text)
    return _CONTROLLERS[text]


@meaning("owned")
def owned(text: str, _: list[Any]) -> Patch:
    if text.endswith("you don't own"):
        return Patch(owner="opponents")
    return Patch(owner="you" if text == "you own" else "opponents")


@meaning("cast_by")
def cast_by(text: str, _: list[Any]) -> Patch:
    if text in ("players cast", "a player casts"):
        return Patch()
    if text.endswith("don't own"):
        return Patch(controller="you", owner="opponents")
    if text == "you cast":
        return Patch(controller="you")
    if text in ("that player casts", "they cast"):
        return Patch(controller="that")
    if "enchanted" in text:
        return Patch(controller="host")
    return Patch(controller="opponents")


@meaning("zone_word")
def zone_word(text: str, _: list[Any]) -> Text:
    return Text(_ZONES[text.rstrip("s")])


@meaning("in_zone")
def in_zone(text: str, values: list[Any]) -> Patch:
    zone = pick(values, Text)
    if text == "in exile":
        return Patch(zone="exile")
    if text == "you own in exile and in your graveyard":
        places = (Filter(zone="exile", owner="you"), Filter(zone="graveyard", owner="you"))
        return Patch(zone="any", any_of=places)
    if text == "you own in exile":
        return Patch(zone="exile", owner="you")
    if text == "on the battlefield":
        return Patch(zone="battlefield")
    if text == "in the command zone":
        return Patch(zone="command")
    if text in ("in all graveyards", "total in all graveyards", "in graveyards", "in each graveyard"):
        return Patch(zone="graveyard")
    whose = {"in your opponents'": "opponents", "in an opponent's": "opponents", "in your": "you"}
    whose |= {"in that player's": "that", "in target player's": "target", "in their": "that", "in its owner's": "owner"}
    for start, who in whose.items():
        if text.startswith(start + " "):
            return Patch(zone=str(zone), owner=who)
    return Patch(zone=str(zone))


@meaning("from_zone")
def from_zone(text: str, values: list[Any]) -> Patch:
    zone = pick(values, Text)
    if text.startswith("from anywhere other than"):
        return Patch(not_from_zone="hand")
    if text == "from exile":
        return Patch(from_zone="exile")
    if text == "from the command zone":
        return Patch(from_zone="command")
    if text.startswith(("from target player's", "from that player's")):
        return Patch(from_zone=str(zone), unstated=True)  # whose it is, another part of the text says
    return Patch(from_zone=str(zone))


@meaning("stat_word")
def stat_word(text: str, _: list[Any]) -> Text:
    return Text(text)


class Comparison(tuple[Any, ...]):
    """An operator and an amount."""


@meaning("bound_more")
def bound_more(_: str, values: list[Any]) -> Comparison:
    return Comparison((">=", values[0]))


@meaning("bound_less")
def bound_less(_: str, values: list[Any]) -> Comparison:
    return Comparison(("<=", values[0]))


@meaning("bound_equal")
def bound_equal(_: str, values: list[Any]) -> Comparison:
    return Comparison(("==", values[0] if len(values) == 1 else Calc("+", tuple(values))))


@meaning("bound_than")
def bound_than(text: str, values: list[Any]) -> Comparison:
    op = "==" if text.startswith("equal") else ">" if text.startswith("greater") else "<"
    if "than or equal" in text:
        op += "="
    value = values[-1]
    if isinstance(value, Calc) and value.op == "half_up" and "rounded" not in text and op in ("<=", ">"):
        # A half that nobody rounds, compared with a whole number.
        value = Calc("half_down", value.args)
    return Comparison((op, value))


@meaning("with_number_bound")
def with_number_bound(_: str, values: list[Any]) -> Patch:
    stat = pick(values, Text)
    bound = pick(values, Comparison)
    assert stat is not None and bound is not None
    op, value = bound
    if stat == "power or toughness":
        power, toughness = (Filter(zone="any", bounds=(Bound(s, op, value),)) for s in ("power", "toughness"))
        return Patch(any_of=(power, toughness))
    if stat == "power and toughness each":
        return Patch(bounds=(Bound("power", op, value), Bound("toughness", op, value)))
    names = {"total power and toughness": "power+toughness", "mana value": "mana_value"}
    return Patch(bounds=(Bound(names.get(stat, str(stat)), op, value),))  # type: ignore[arg-type]


@meaning("with_number_list")
def with_number_list(text: str, values: list[Any]) -> Patch:
    stat = str(pick(values, Text))
    names = {"power": "power", "toughness": "toughness", "mana value": "mana_value"}
    if stat not in names:
        raise NotUnderstood(text)
    bounds = (Bound(names[stat], "==", n) for n in pick_all(values, int))  # type: ignore[arg-type]
    return Patch(any_of=tuple(Filter(zone="any", bounds=(b,)) for b in bounds))


@meaning("keyword_name")
def keyword_name(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("with_keyword")
def with_keyword(text: str, values: list[Any]) -> Patch:
    names = pick_all(values, Text)
    if text.startswith("without "):
        if len(names) > 1:
            return Patch(none_of=tuple(Filter(zone="any", keyword=str(n)) for n in names))
        return Patch(not_keyword=str(names[0]))
    if len(names) > 1:
        return Patch(any_of=tuple(Filter(zone="any", keyword=str(n)) for n in names))
    return Patch(keyword=str(names[0]))


@meaning("counter_kind")
def counter_kind(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("with_counter")
def with_counter(_: str, values: list[Any]) -> Patch:
    many = pick(values, Patch)
    if many is not None:
        return many
    return Patch(counter=str(pick(values, Text) or "any"))


@meaning("with_x")
def with_x(text: str, _: list[Any]) -> Patch:
    if "one or more colors" in text:
        return Patch(color_count="colored", has_x=False) if "without" in text else Patch(color_count="colored")
    return Patch(has_x=True)


@meaning("with_mana_ability")
def with_mana_ability(_: str, __: list[Any]) -> Patch:
    return Patch(has_mana_ability=True)


@meaning("of_chosen")
def of_chosen(text: str, _: list[Any]) -> Patch:
    if "type and color" in text:
        return Patch(chosen=("type", "color"))
    if text.startswith(("that aren't", "that isn't")):
        return Patch(not_chosen=("type",))
    if "name" in text:
        return Patch(chosen=("name",))
    return Patch(chosen=("color" if text.endswith("color") else "type",))


@meaning("card_name")
def card_name(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("mixed_adjective")
def mixed_adjective(_: str, values: list[Any]) -> Patch:
    return Patch(any_of=tuple(merge([Patch(zone="any"), p]) for p in pick_all(values, Patch)))


@meaning("not_named")
def not_named(_: str, values: list[Any]) -> Patch:
    name = str(pick(values, Text))
    if name == "~":
        return Patch(none_of=(Filter(zone="any", shares=("name",)),))
    return Patch(not_names=(name,))


@meaning("named")
def named(_: str, values: list[Any]) -> Patch:
    name = str(pick(values, Text))
    if name == "~":
        return Patch(shares=("name",))
    return pick(values, Patch) or Patch(names=(name,))


@meaning("that_is_not")
def that_is_not(_: str, __: list[Any]) -> Not:
    return Not()


@meaning("color_after")
def color_after(text: str, values: list[Any]) -> Patch:
    colors = pick_all(values, Patch)
    if colors:
        return Patch(colors=words.in_color_order("".join(c["colors"] for c in colors)))
    return Patch(color_count=text)


@meaning("that_is")
def that_is(_: str, values: list[Any]) -> Patch:
    said = next(v for v in values if isinstance(v, Patch) and not isinstance(v, Not))
    if pick(values, Not) is None:
        return said
    return Patch(none_of=(merge([Patch(zone="any"), said]),))


@meaning("other_than_self")
def other_than_self(text: str, _: list[Any]) -> Patch:
    if "enchanted" in text:
        return Patch(none_of=(Filter(ref="host"),))
    return Patch(me=False)


@meaning("shared_thing", "shared_with")
def shared(text: str, _: list[Any]) -> Text:
    return Text(text)


@meaning("sharing")
def sharing(_: str, values: list[Any]) -> Patch:
    thing, whom = (str(t) for t in pick_all(values, Text))
    what = next(w for w in ("creature type", "land type", "color", "card type", "mana value", "name") if w in thing)
    key = {"card type": "type"}.get(what, what.replace(" ", "_"))
    refs = {"~": "self", "it": "that", "enchanted creature": "host", "equipped creature": "host", "that spell": "spell"}
    refs |= {"that creature": "that", "the exiled card": "linked"}
    if whom not in refs:
        raise NotUnderstood(whom)
    return Patch(shares=(key,), shares_with=refs[whom])


@meaning("attached_to_self")
def attached_to_self(text: str, _: list[Any]) -> Patch:
    if text.endswith("you control"):
        return Patch(unstated=True)
    return Patch(attached_to="host" if text.endswith("creature") else "that" if text.endswith("it") else "self")


@meaning("single_target")
def single_target(_: str, __: list[Any]) -> Patch:
    return Patch(one_target=True)


@meaning("targeting_player")
def targeting_player(text: str, values: list[Any]) -> Patch:
    if " you or " in text:
        thing = Filter(zone="any", targets=pick(values, Filter))
        return Patch(any_of=(thing, Filter(zone="any", targets_player="you")))
    words_of = {"enchanted player": "host", "a player": "any", "an opponent": "opponents", "you": "you"}
    return Patch(targets_player=next(who for words, who in words_of.items() if text.endswith(words)))


@meaning("targeting")
def targeting(text: str, values: list[Any]) -> Patch:
    if "only" in text.split(" ")[:3]:
        raise NotUnderstood(text)
    return Patch(targets=pick(values, Filter))


@meaning("unstated_adjective")
def unstated_adjective(text: str, _: list[Any]) -> Patch:
    if text in ("blocked", "unblocked"):
        return Patch(attacking=True, unstated=True)
    return Patch(unstated=True)


@meaning("granter")
def granter(_: str, __: list[Any]) -> Filter:
    """What gives an object the ability that speaks of it: something attached to it, whose name is not kept."""
    return Filter(attached_to="self", unstated=True)


@meaning("enchanted_controls")
def enchanted_controls(text: str, _: list[Any]) -> Patch:
    if text.startswith("you"):
        return Patch(controller="you", owner="opponents") if "own" in text else Patch(unstated=True)
    return Patch(controller="host")


@meaning("that_one_of")
def that_one_of(_: str, values: list[Any]) -> Patch:
    return Patch(any_of=tuple(merge([Patch(zone="any"), p]) for p in pick_all(values, Patch)))


@meaning("without_counter")
def without_counter(_: str, values: list[Any]) -> Patch:
    return Patch(none_of=(Filter(zone="any", counter=str(pick(values, Text))),))


@meaning("off_battlefield")
def off_battlefield(_: str, __: list[Any]) -> Patch:
    return Patch(zone="any", none_of=(Filter(),))


@meaning("exactly_colors")
def exactly_colors(text: str, _: list[Any]) -> Patch:
    n = next(n for word, n in (("one", 1), ("two", 2), ("three", 3)) if f" {word} " in text)
    return Patch(bounds=(Bound("colors", "==", n),))


@meaning("attacks_you")
def attacks_you(text: str, _: list[Any]) -> Patch:
    you = Filter(zone="any", attacked="you")
    if "planeswalker" not in text:
        return Patch(attacking=True, attacked="you")
    # Whose planeswalker it is that another one attacks is not asked.
    return Patch(attacking=True, any_of=(you, Filter(zone="any", controller="opponents", unstated=True)))


@meaning("enchanted_by_yours")
def enchanted_by_yours(_: str, __: list[Any]) -> Patch:
    """Which Auras it has is there to be seen; that one of them is yours is not asked of each."""
    return Patch(attached_by=("Aura",), unstated=True)


@meaning("snow_or")
def snow_or(_: str, values: list[Any]) -> Patch:
    kind = pick(values, Patch)
    assert kind is not None
    return Patch(any_of=(Filter(zone="any", supertypes=("Snow",)), merge([Patch(zone="any"), kind])))


@meaning("counter_many")
def counter_many(text: str, values: list[Any]) -> Patch:
    """Several counters of a kind: one of them there has to be."""
    return Patch(counter=text, unstated=True)


@meaning("unstated")
def unstated(text: str, _: list[Any]) -> Patch:
    if not understood_words(text):
        raise NotUnderstood(text)
    if text.endswith(("this turn", "this combat")):
        return Patch(unstated=True)
    if re.fullmatch(r"that (?:doesn't|don't) have the same name as ~", text):
        return Patch(none_of=(Filter(zone="any", shares=("name",)),))
    bare = re.sub(r"^(?:that's|that are) ", "", text)
    if bare.startswith(("blocking or", "blocked by or", "being blocked")):
        return Patch(unstated=True, any_of=(Filter(zone="any", attacking=True), Filter(zone="any", blocking=True)))
    if bare.startswith(("blocked by", "attacking")):
        return Patch(unstated=True, attacking=True)
    if text.startswith("played by"):
        return Patch(unstated=True, controller="opponents")
    return Patch(unstated=True, blocking=True) if bare.startswith("blocking") else Patch(unstated=True)


@meaning("entered")
def entered(_: str, __: list[Any]) -> Patch:
    return Patch(entered_this_turn=True)


ALL_COLORS = COLORS
