"""Lines of mana abilities that a player may activate with priority, before a spell or ability is proposed.

Only those matter that change more than the pool and what is tapped: they may change the total cost, what may be cast,
or may be activated only with priority. They are found by a bounded search over the referee, a class at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ..model.abilities import Triggered
from ..model.characteristics import view_of
from ..model.game import Game, Unknown
from ..model.paying import Paying
from ..model.production import Outcome
from ..model.replay import Activate, Illegal, run
from .mana_net import Net, Transition, by_member, compile_net, sample_payment

MOST_STEPS = 8
MOST_LINES = 150


def lines_before(game: Game, player: str) -> Iterator[tuple[tuple[Activate, ...], Game]]:
    """Lines of activations with the games that they lead to, shorter lines first; each game once."""
    queue: deque[tuple[tuple[Activate, ...], Game]] = deque([((), game)])
    seen: set[object] = set()
    count = 0
    while queue and count < MOST_LINES:
        line, now = queue.popleft()
        if len(line) >= MOST_STEPS:
            continue
        net = compile_net(now, player, before=True)
        for transition in net.transitions:
            if not _changes_more(transition) or transition.world or transition.demand >= 0 or transition.free:
                continue
            step = _step(net, transition)
            try:
                later = run(now, player, [step]).game
            except (Illegal, Unknown):
                continue
            key = _key(later)
            if key in seen or _something_triggers(now, later):
                continue
            seen.add(key)
            count += 1
            yield (*line, step), later
            queue.append(((*line, step), later))


def _changes_more(t: Transition) -> bool:
    return t.before or t.permanents > 0 or t.cards > 0


def _step(net: Net, t: Transition) -> Activate:
    """The transition with concrete objects, by any member of its class."""
    source = t.cls.ids[0]
    objects = sample_payment(net, t.moves, source, t.taps_itself, net.game)
    used = {i for f in ("sacrifice", "exile", "to_hand") for i in getattr(objects, f)}
    if not t.moves_itself and not t.taps_itself:
        source = next((i for i in t.cls.ids if i not in used), source)
    elif t.moves_itself:
        source = next((i for i in used if i in t.cls.ids), source)
    outcome = Outcome(
        tuple(p._replace(source=source) if p.source in t.cls.ids else p for p in t.outcome.made),
        t.outcome.order,
        tuple(p._replace(source=source) if p.source in t.cls.ids else p for p in t.outcome.triggered),
    )
    paying: Paying = objects.plus(by_member(t.paying, source))
    return Activate(id=source, number=t.number, paying=paying, outcome=outcome, x=t.x, before=True)


def _key(game: Game) -> object:
    """What tells two games apart here: where objects are and the pools."""
    zones = tuple(sorted((o.card.name, o.zone, o.tapped, o.counters) for o in game.objects.values()))
    return zones, tuple(p.pool for p in game.players.values()), tuple(p.life for p in game.players.values())


_LEAVING = ("dies", "leaves", "sacrificed", "discarded", "exiled", "sacrifice", "discard", "leaves_battlefield")


def _something_triggers(before: Game, after: Game) -> bool:
    """Whether some ability could have triggered on what left: it would wait on the stack and end sorcery timing, so
    such lines are left out (an honest loss: they prove nothing either way)."""
    if len(before.objects) == len(after.objects) and all(
        after.objects[i].zone == o.zone for i, o in before.objects.items() if i in after.objects
    ):
        return False
    view = view_of(before)
    return any(
        isinstance(t, Triggered) and any(word in t.event for word in _LEAVING) for _, _, t, _ in view.triggers()
    )
