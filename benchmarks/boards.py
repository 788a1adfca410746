"""Boards as the benchmarks need them: games built from the public format, and questions on them."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from lawmage.model.cards import default_library
from lawmage.model.game import Game
from lawmage.model.mana import parse_cost
from lawmage.model.replay import Bill
from lawmage.model.situation import build_game, check_document, resolve_question
from lawmage.model.spending import Purpose
from lawmage.solver.mana_net import Net, compile_net
from lawmage.solver.payment import Decision, decide
from lawmage.solver.queries import answer

YOU = "you"
BASICS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
DUALS = (
    "Tundra",
    "Underground Sea",
    "Badlands",
    "Taiga",
    "Savannah",
    "Scrubland",
    "Volcanic Island",
    "Bayou",
    "Plateau",
    "Tropical Island",
)


class Board(NamedTuple):
    """Permanents, oldest first, and a hand."""

    permanents: tuple[Any, ...]
    hand: tuple[Any, ...] = ()

    def document(self, query: dict[str, Any] | None = None) -> dict[str, Any]:
        players = {YOU: {"battlefield": list(self.permanents), "hand": list(self.hand)}, "opponent": {}}
        return {"situation": {"players": players}, "query": query or {"kind": "can_pay", "cost": "{1}"}}


def board(*permanents: Any, hand: tuple[Any, ...] = ()) -> Board:
    return Board(permanents, hand)


def game_of(some: Board) -> Game:
    return build_game(check_document(some.document()).situation, default_library())


def anew(game: Game) -> Game:
    """The same game as another object: nothing that was found out about the board is known any more."""
    return msgspec.structs.replace(game, objects=dict(game.objects))


def net_of(game: Game) -> Net:
    return compile_net(game, YOU)


def pay(net: Net, cost: str, *, best: bool = False) -> Decision:
    return decide(net, [Bill(parse_cost(cost), Purpose())], best=best)


def can_pay(game: Game, cost: str, *, best: bool = False) -> str:
    """The verdict on a board from the game on: what objects are, the net, the decision, the referee."""
    return pay(net_of(anew(game)), cost, best=best).verdict


def ask_on(some: Board, game: Game, query: dict[str, Any], *, explain: bool = False) -> Any:
    """The whole answer to a question about this very game, of which something may be known."""
    question = check_document(some.document(query)).queries[0]
    return answer(game, resolve_question(question, game, default_library()), explain=explain)


def ask(some: Board, game: Game, query: dict[str, Any], *, explain: bool = False) -> Any:
    """The whole answer to a question, as the public face gives it."""
    question = check_document(some.document(query)).queries[0]
    return answer(anew(game), resolve_question(question, game, default_library()), explain=explain)


def symbols(**mana: int) -> str:
    return "".join(f"{{{t}}}" * n for t, n in mana.items())
