"""Objects that were written alike are looked at once; that changes the work and never the answer."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lawmage.model.alike import likeness
from lawmage.model.cards import default_library
from lawmage.model.characteristics import View, view_of
from lawmage.model.game import MOST_APART, Game
from lawmage.model.situation import build_game, check_document, resolve_question
from lawmage.solver.queries import answer

CARDS = ("Forest", "Island", "Reflecting Pool", "Elvish Archdruid", "Llanowar Elves", "Urborg, Tomb of Yawgmoth")
CARDS += ("Wild Growth", "Darksteel Ingot", "Crypt Ghast", "Nyxbloom Ancient", "Lotus Petal", "Tarmogoyf")


def game_of(*permanents: Any, query: dict[str, Any] | None = None) -> tuple[Game, Any]:
    document = {
        "situation": {"players": {"you": {"battlefield": list(permanents), "graveyard": ["3 Shock"]}, "they": {}}},
        "query": query or {"kind": "can_pay", "cost": "{1}"},
    }
    checked = check_document(document)
    game = build_game(checked.situation, default_library())
    return game, resolve_question(checked.queries[0], game, default_library())


def test_what_is_written_alike_is_one_lot() -> None:
    game, _ = game_of("3 Forest", {"card": "Forest", "tapped": True}, "Forest", {"card": "2 Island", "tapped": True})
    lots = [len(lot) for lot in view_of(game).lots()]
    assert sorted(lots) == [1, 2, 3, 4]
    assert sorted(i for lot in view_of(game).lots() for i in lot) == sorted(game.objects)


def test_a_changed_object_is_apart() -> None:
    game, _ = game_of("4 Forest")
    changed = game.put(game.objects["Forest#2"].but(tapped=True)).without(["Forest#4"])
    assert sorted(view_of(changed).lots())[:2] == [("Forest", "Forest#3"), ("Forest#2",)]
    for _ in range(MOST_APART):
        changed = changed.put(changed.objects["Forest#2"].but(tapped=True))
    assert ("Forest",) in view_of(changed).lots()
    assert sorted(i for lot in view_of(changed).lots() for i in lot) == sorted(changed.objects)


def test_what_another_object_names_is_alone() -> None:
    game, _ = game_of("3 Forest", {"card": "Wild Growth", "attached_to": "Forest#2"})
    assert ("Forest#2",) in view_of(game).lots()


@pytest.mark.parametrize("seed", range(40))
def test_members_of_a_lot_are_alike_and_answers_do_not_rest_on_lots(seed: int) -> None:
    rng = random.Random(seed)
    items: list[Any] = [f"{rng.randint(1, 3)} {card}" for card in rng.choices(CARDS, k=4) if card != "Wild Growth"]
    items += ["2 Forest", {"card": "Wild Growth", "attached_to": "Forest"}]
    rng.shuffle(items)
    cost = rng.choice(("{G}{G}{G}", "{4}{G}{U}", "{B}{B}", "{9}"))
    could = {"kind": "could_produce", "permanent": "Forest"}
    for query in ({"kind": "can_pay", "cost": cost}, {"kind": "mana"}, could):
        game, question = game_of(*items, query=query)
        view = View(game)
        for lot in view.lots():
            assert len({repr(likeness(view, game.objects[i])) for i in lot}) == 1
        unknown = Game(game.you, game.players, game.objects, game.turn, game.stack, game.written)
        assert all(len(lot) == 1 for lot in View(unknown).lots())
        one, other = answer(game, question, explain=False).wire(), answer(unknown, question, explain=False).wire()
        assert {k: one.get(k) for k in ("verdict", "maximal", "types", "spent")} == {
            k: other.get(k) for k in ("verdict", "maximal", "types", "spent")
        }
