"""Answers about acting become unknown where card text that was not understood could change them, and only there."""

from __future__ import annotations

from lawmage.model.abilities import Card, Face, Filter, Line, LoseAbilities, MaxHandSize, Static
from lawmage.model.game import Game, Obj, Player, TurnState
from lawmage.model.questions import Action, CharacteristicsOf, HandSizeOf, Legal, Query, Untaps
from lawmage.solver.answer import Answer
from lawmage.solver.queries import answer


def card(name: str, *lines: Line, types: tuple[str, ...] = ("Artifact",)) -> Card:
    return Card(name=name, faces=(Face(name=name, types=types, lines=lines),))


def unread(*subjects: str) -> Line:
    return Line(n=1, status="unread", subjects=subjects)


def permanent(c: Card, **more: object) -> Obj:
    fields = {"id": c.name, "card": c, "zone": "battlefield", "controller": "alice", "owner": "alice"}
    return Obj(**{**fields, **more})  # type: ignore[arg-type]


def ask(query: Query, *objects: Obj) -> Answer:
    players = {name: Player(name=name) for name in ("alice", "bob")}
    turn = TurnState(active="alice", priority="alice")
    return answer(Game("alice", players, {o.id: o for o in objects}, turn), query)


TOWER = permanent(card("Tower", unread("hand_size")))
VESSEL = permanent(card("Vessel", Line(n=1, status="modelled", abilities=(Static((MaxHandSize("none"),)),))))
BLANKET = permanent(
    card("Blanket", Line(n=1, status="modelled", abilities=(Static((LoseAbilities(Filter(me=False)),)),))), timestamp=9
)


def test_an_unread_line_of_the_subject_makes_it_unknown() -> None:
    found = ask(HandSizeOf(), TOWER)
    assert found.verdict == "unknown"
    assert [(u.card, u.line) for u in found.unread] == [("Tower", 1)]
    assert ask(Untaps(), TOWER).verdict == "known"


def test_a_line_that_is_lost_does_not() -> None:
    assert ask(HandSizeOf(), TOWER, BLANKET).values == {"size": 7}
    assert ask(CharacteristicsOf(object="Tower"), TOWER, BLANKET).values["abilities"] == []
    assert ask(CharacteristicsOf(object="Tower"), TOWER).values["abilities"] == [
        {"line": 1, "text": "", "modelled": False}
    ]


def test_types_matter_only_where_something_rests_on_them() -> None:
    odd = permanent(card("Odd", unread("types")))
    assert ask(HandSizeOf(), odd).values == {"size": 7}
    assert ask(HandSizeOf(), odd, VESSEL).verdict == "unknown"


def test_lines_of_attached_permanents_may_change_control() -> None:
    odd = permanent(card("Odd", unread("types"), types=("Enchantment",)), attached_to="Vessel")
    assert ask(HandSizeOf(), odd, permanent(card("Vessel"))).verdict == "unknown"


def test_the_sign_of_a_subject_says_which_verdict_it_could_turn() -> None:
    forest = permanent(card("Forest", types=("Land",)), zone="hand")
    play = Legal(action=Action(play_land="Forest"))
    assert ask(play, forest, permanent(card("Gate", unread("+permission")))).verdict == "yes"
    assert ask(play, forest, permanent(card("Gate", unread("-permission")))).verdict == "unknown"


def test_what_no_text_could_change_stays_certain() -> None:
    tap = Legal(action=Action(tap="Gate"))
    assert ask(tap, permanent(card("Gate", unread("permission")), tapped=True)).verdict == "no"
    assert ask(tap, permanent(card("Gate", unread("permission")))).verdict == "unknown"
