"""Lines of mana abilities that a player may activate with priority, before a spell or ability is proposed.

They matter where an ability may be activated only with priority (605.3a), where one makes more while the card that is
cast is still where it was (Metalworker counts cards in hand, 601.2a), or where what is proposed, or its total cost,
depends on something that an activation removes (Ghoultree counts creature cards in the graveyard; the cost is locked
in as the spell is proposed, 601.2f). Such lines are found by a bounded search over the referee, a class at a
time. When the search had to leave some out, a no is not proven, and the search says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ..model.characteristics import View, view_of
from ..model.evaluate import Context, holds, matches
from ..model.game import Game, Obj, Unknown
from ..model.paying import CannotPay, Paying, carry_out, with_objects
from ..model.production import Outcome
from ..model.pseudo import pseudo_card
from ..model.replay import Activate, Illegal, run
from ..model.state_based import state_based_actions
from .mana_net import Net, Transition, by_member, net_of, sample_payment

MOST_STEPS = 8
MOST_LINES = 150

# What is proposed on a board, as something that can be compared.
Signature = Callable[[View], object]
Suggest = Callable[[], Sequence[tuple[Activate, ...]] | None]


def lines_before(
    game: Game, player: str, proposed: Signature, during: Sequence[Net], suggest: Suggest
) -> Iterator[tuple[tuple[Activate, ...], Game]]:
    """Lines of activations with the games that they lead to, shorter lines first; each game once. `during`: the nets
    while what is proposed is paid for; `suggest`: lines by which all abilities together, as they are with priority, pay
    for what is proposed now, or None if they can't. Raises Unknown at the end when lines that could matter were left
    out."""
    net = net_of(game, player, before=True)
    more = _making_more(net, during)
    suggested: Sequence[tuple[Activate, ...]] = ()
    if not changes_proposal(net, proposed):
        if not more and not any(t.before for t in net.transitions):
            return
        found = suggest()
        if found is None:
            return
        suggested = found
    at_first = set(state_based_actions(game))
    for line in suggested:
        try:
            later = run(game, player, line).game
        except (Illegal, Unknown):
            continue
        triggers = _triggering(game, later)
        if triggers is not None and at_first.issuperset(state_based_actions(later)):
            yield line, _with_waiting(later, triggers) if triggers else later
    queue: deque[tuple[tuple[Activate, ...], Game]] = deque([((), game)])
    seen: set[object] = set()
    left_out = False
    while queue:
        line, now = queue.popleft()
        net = net_of(now, player, before=True) if line else net
        for transition in net.transitions:
            if transition.world or not (_changes_more(transition) or more & _made(transition)):
                continue
            if any(net.marking[place] < n for place, n in transition.takes.items()):
                continue  # it can't be activated now
            if transition.demand >= 0 or transition.free or len(line) >= MOST_STEPS or len(seen) >= MOST_LINES:
                left_out = True
                continue
            step = _step(net, transition)
            try:
                later = run(now, player, [step]).game
            except (Illegal, Unknown):
                left_out = True
                continue
            key = _key(later)
            if key in seen:
                continue
            seen.add(key)
            triggers = _triggering(now, later)
            if triggers is None or not at_first.issuperset(state_based_actions(later)):
                left_out = True
                continue
            if triggers:
                later = _with_waiting(later, triggers)
            yield (*line, step), later
            queue.append(((*line, step), later))
    if left_out:
        raise Unknown("not all mana abilities that could be activated before proposing were tried", "not_modelled")


def changes_proposal(net: Net, proposed: Signature) -> bool:
    """Whether the proposal changes when one of the objects that activations remove is gone, or all of them."""
    payments = [sample_payment(net, t.moves, t.cls.ids[0], t.taps_itself, net.game) for t in net.transitions]
    removals = {p for paid in payments if (p := _removal(paid)) != Paying()}
    if not removals:
        return False
    now = proposed(net.view)
    everything = with_objects(
        {f: dict.fromkeys(i for p in removals for i in getattr(p, f)) for f in ("sacrifice", "discard")}
    )
    return any(_after(net, removal, proposed) != now for removal in (*removals, everything))


def fuel(net: Net) -> list[str]:
    """The cards that costs of these abilities put into the player's graveyard; for what they mill, their sources."""
    found: dict[str, None] = {}
    for t in net.transitions:
        if t.paying.mill:
            found |= dict.fromkeys(t.cls.ids)  # in place of a card that nobody knows yet
        fields = {m.field for m in t.moves} & {"sacrifice", "discard"}
        if not fields:
            continue
        paid = sample_payment(net, t.moves, t.cls.ids[0], t.taps_itself, net.game)
        gone = {i for f in fields for i in getattr(paid, f)}
        zones = {"sacrifice": "battlefield", "discard": "hand"}
        wide = [o.id for f in fields for o in net.game.in_zone(zones[f]) if o.owner == o.controller == net.player]
        found |= dict.fromkeys(t.cls.ids if gone <= set(t.cls.ids) else wide)
    return [i for i in found if not net.game.objects[i].token]


def _removal(paid: Paying) -> Paying:
    return with_objects({f: getattr(paid, f) for f in ("sacrifice", "discard", "exile", "to_hand", "moved")})


def _after(net: Net, removal: Paying, proposed: Signature) -> object:
    try:
        return proposed(view_of(carry_out(net.game, net.player, removal)))
    except (CannotPay, Unknown, KeyError):
        return None  # it can't be told: that is a difference too


def _made(t: Transition) -> set[object]:
    """What each of its objects makes by it."""
    return {(oid, t.number, t.x, t.outcome.made) for oid in t.cls.ids}


def _making_more(net: Net, during: Sequence[Net]) -> set[object]:
    """What abilities make with priority and no longer once the card that is cast is on the stack."""
    if not during:
        return set()
    cast = {oid for other in during for oid in other.alone}
    same = {made for other in during for t in other.transitions for made in _made(t)}
    return {made for t in net.transitions if cast.isdisjoint(t.cls.ids) for made in _made(t)} - same


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


def _triggering(before: Game, after: Game) -> tuple[tuple[str, str], ...] | None:
    """The (source, controller) of abilities that have triggered on what left, which wait on the stack as the player
    gets priority again (603.3) and end sorcery timing; None where that can't be told."""
    gone = [o for i, o in before.objects.items() if i not in after.objects or after.objects[i].zone != o.zone]
    if not gone:
        return ()
    died = [o.id for o in gone if o.zone == "battlefield" and _is_in_graveyard(after, o.id)]
    view = view_of(before)
    found: list[tuple[str, str]] = []
    for source, you, trigger, _ in view.triggers():
        if trigger.event == "dies" and trigger.what is not None:
            ctx = Context(view, source=source, you=you)
            try:
                times = sum(matches(trigger.what, oid, ctx) for oid in died)
                if times and (trigger.condition is None or holds(trigger.condition, ctx)):
                    if any(target.players is None and target.least != 0 for target in trigger.targets):
                        return None  # without a legal target it is not there
                    found += [(source, you)] * times
            except Unknown:
                return None
        elif any(word in trigger.event for word in _LEAVING):
            return None
    return tuple(found)


def _is_in_graveyard(game: Game, oid: str) -> bool:
    """What left the battlefield as a token, or as a card that is in a graveyard now."""
    return oid not in game.objects or game.objects[oid].zone == "graveyard"


def _with_waiting(game: Game, triggers: Sequence[tuple[str, str]]) -> Game:
    """The game with these triggered abilities on the stack."""
    stack = list(game.stack)
    for source, you in triggers:
        oid = next(i for i in (f"a triggered ability#{n}" for n in range(1, 999)) if i not in game.objects)
        card = pseudo_card("a triggered ability", "ability", ())
        game = game.put(Obj(id=oid, card=card, zone="stack", controller=you, owner=you, source=source))
        stack.append(oid)
    return Game(game.you, game.players, game.objects, game.turn, tuple(stack), game.written)
