"""Answers to `can_cast` and `can_activate`, and what a cost is for.

model/casting.py and model/activating.py propose: every complete set of announcements with its total cost (601.2a-f).
Here each proposal is paid (601.2g-h), and the best payment of any of them is the answer. When nothing can be paid with
mana abilities activated while paying, lines are tried in which some are activated before, while the player has
priority: they may change the total cost, and some abilities may only be activated then (605.3a).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from ..model.abilities import Activated, CostChange, LeastCost, Static
from ..model.activating import proposals_activate
from ..model.casting import proposals_cast
from ..model.characteristics import View, view_of
from ..model.evaluate import Context, matches
from ..model.game import Game, Unknown
from ..model.paying import kept_out
from ..model.proposals import Limit, Proposal, Proposals
from ..model.replay import Activate, Bill, Spent, Step
from ..model.spending import Purpose
from ..model.timing import Refusal
from .answer import Answer, Reason
from .assist import Help, helped, may_be_helped, split
from .before import fuel, lines_before
from .endless import SHOWN, endless
from .lines import Writer, announced
from .mana_net import Net, compile_net, net_of
from .payment import Decision, decide, rank
from .x_value import greatest_x

Propose = Callable[[View], Proposals]


class Attempt(NamedTuple):
    """A payment found for one proposal, after the steps that were taken before proposing."""

    proposal: Proposal
    decision: Decision
    before: tuple[Activate, ...] = ()
    help: Help | None = None


class Outcome(NamedTuple):
    """The best attempt, or why there is none."""

    attempt: Attempt | None
    refusals: tuple[Refusal, ...] = ()
    unknown: Unknown | None = None
    proposals: tuple[Proposal, ...] = ()


def can_cast(game: Game, question: Any, explain: bool) -> Answer:
    """May this card be cast now, and how is it paid best."""
    player = question.player or game.you

    def propose(view: View) -> Proposals:
        using = question.using or ()
        return proposals_cast(view, player, question.card, zone=question.zone, using=using, targets=question.targets)

    return _answer(game, player, question, propose, {"cast": question.card}, explain)


def can_activate(game: Game, question: Any, explain: bool) -> Answer:
    """May this ability be activated now, and how is it paid best."""
    player = question.player or game.you
    oid = question.permanent or question.card
    number = question.ability
    if isinstance(number, str):
        number = number_of_text(game, oid, number)
        if number is None:
            text = f"{oid} does not have that ability now"
            return Answer("no", {}, (Reason("cannot_activate", "602.1", (oid,), text),))

    def propose(view: View) -> Proposals:
        return proposals_activate(view, player, oid, number, targets=question.targets)

    return _answer(game, player, question, propose, {"activate": oid, "ability": number}, explain)


def number_of_text(game: Game, oid: str, text: str) -> int | None:
    """The number of the object's activated ability with this text, compared by structure; None when it has none."""
    from ..model.oracle import compile_text

    view = view_of(game)
    asked = [a for line in compile_text(text, (view.of(oid).name,)) for a in line.abilities if isinstance(a, Activated)]
    if not asked:
        raise Unknown(f"not understood as an activated ability: {text}", "not_understood", (oid,))
    for has in view.abilities(oid):
        if isinstance(has.ability, Activated) and has.ability == asked[0]:
            return has.number
    return None


def _answer(
    game: Game, player: str, question: Any, propose: Propose, step: dict[str, Any], explain: bool = False
) -> Answer:
    view = view_of(game)
    x = question.x
    if x == "max" and _without_bound(view, player, question, propose):
        found = attempt_all(game, view, player, question, propose, SHOWN)
        x = SHOWN
        shown = answer_from(found, question, step, x)
        if shown.verdict == "yes":
            return msgspec.structs.replace(shown, values={**shown.values, "x": "unbounded"})
    elif x == "max":
        x, found = _with_greatest_x(game, view, player, question, propose)
    else:
        found = attempt_all(game, view, player, question, propose, x)
    answer = answer_from(found, question, step, x)
    if answer.verdict == "no" and explain:
        reasons = _why_not(game, player, question, propose, step, x, found)
        return Answer("no", answer.values, reasons or answer.because)
    if answer.verdict == "yes" and explain:
        from .telling import how

        line = how(view, player, answer.values["plan"])
        return Answer("yes", answer.values, (*answer.because, *line), answer.unread)
    return answer


def _why_not(
    game: Game, player: str, question: Any, propose: Propose, step: dict[str, Any], x: int | None, found: Outcome
) -> tuple[Reason, ...] | None:
    """The facts that rule it out."""
    from .explain import Asked, why_not

    def possible(other: Game) -> bool | None:
        tried = attempt_all(other, view_of(other), player, question, propose, x, best=False)
        return True if tried.attempt is not None else None if tried.unknown is not None else False

    cheapest = min(found.proposals, key=lambda p: p.mana.mana_value, default=None)
    action = "cast" if "cast" in step else "activate"
    about = step.get("cast") or step["activate"]
    purpose = cheapest.purpose if cheapest is not None else Purpose()
    cost = cheapest.mana if cheapest is not None else None
    return why_not(game, Asked(player, possible, cost, purpose, about, action, before=False))


def _without_bound(view: View, player: str, question: Any, propose: Propose) -> bool:
    """Whether there is a way to pay for every X. An X that asks for more than mana has a bound, and so may one that
    changes anything else of the proposal."""
    proposals = propose(view)
    if not proposals.has_x or proposals.x_most is not None:
        return False
    made = [proposals.with_x(x) for x in (0, 1, 2, 3)]
    kept = list(_keep(question))
    for alike in zip(*made, strict=False):
        first = alike[0]
        same = all((p.label, p.targets, p.parts) == (first.label, first.targets, first.parts) for p in alike)
        steps = {b.mana.generic - a.mana.generic for a, b in pairwise(alike)}
        if not same or len(steps) > 1 or steps <= {0}:
            continue
        if endless(_net(proposals, player, alike), lambda x, alike=alike: [bill_of(alike[x]), *kept]):
            return True
    return False


def _with_greatest_x(game: Game, view: View, player: str, question: Any, propose: Propose) -> tuple[int, Outcome]:
    proposals = propose(view)
    most = proposals.x_most

    def ask(x: int, best: bool) -> Decision | None:
        if most is not None and x > most:
            return Decision("no")
        found = attempt_all(game, view, player, question, propose, x, best=best)
        if found.attempt is not None:
            return found.attempt.decision
        if found.unknown is not None:
            return Decision("unknown", why=found.unknown)
        return Decision("no") if found.proposals else None

    x, decision = greatest_x(ask, _numbers(view) if proposals.x_compares else ())
    if decision.verdict == "unknown":
        return x, Outcome(None, unknown=decision.why)
    return x, attempt_all(game, view, player, question, propose, x)


def _numbers(view: View) -> set[int]:
    """What an X could be compared with: the numbers of all objects."""
    seen = [view.of(oid) for oid in view.game.objects]
    numbers = ((one.mana_value, one.power, one.toughness, one.loyalty) for one in seen)
    return {n for of_one in numbers for n in of_one if n is not None}


def attempt_all(
    game: Game, view: View, player: str, question: Any, propose: Propose, x: int | None, *, best: bool = True
) -> Outcome:
    """The best attempt with this X (None: any X that works), activating before proposing where that is needed."""
    first = _attempt(view, player, question, propose, x, best)
    if first.attempt is not None:
        return first
    unknown = first.unknown
    try:
        fed = _fed(view, player, question, propose, x)
        if not _during(game):
            during = [_net(propose(view), player, first.proposals)] if first.proposals else []
            suggest = partial(_paid_before, view, player, question, first.proposals)
            signature = partial(_signature, propose, player, x, fed=bool(fed))
            for line, later in lines_before(game, player, signature, during, suggest):
                found = _attempt(view_of(later), player, question, propose, x, best)
                if found.attempt is not None:
                    return Outcome(found.attempt._replace(before=line))
                unknown = unknown or found.unknown
        if fed:
            unknown = unknown or fed_doubt(fed)
    except Unknown as why:
        unknown = unknown or why
    return first._replace(unknown=unknown)


def _fed(view: View, player: str, question: Any, propose: Propose, x: int | None) -> tuple[str, ...]:
    """Cards that mana abilities put into the graveyard, where they could pay for the rest; none of them, where it would
    not do to have them all there."""
    fed, there = fuelled(view, player)
    if not fed:
        return ()
    found = _attempt(view_of(there), player, question, propose, x, False)
    return fed if found.attempt is not None and burns(found.attempt.proposal) else ()


def fuelled(view: View, player: str) -> tuple[tuple[str, ...], Game]:
    """Cards that mana abilities put into the graveyard, where they could pay for more (delve, escape), as costs are
    paid after mana abilities are activated (601.2g-h); and a game in which they are there as well."""
    game = view.game
    possible = fuel(net_of(game, player, before=not _during(game), view=view))
    out = kept_out(game, possible, doubtful=False)
    fed = tuple(i for i in possible if i not in out)
    there = {f"{i} in the graveyard": game.objects[i] for i in fed}
    copies = (o.but(id=i, zone="graveyard", controller=player, attached_to=None) for i, o in there.items())
    return fed, game.put(*copies) if fed else game


def fed_doubt(fed: tuple[str, ...]) -> Unknown:
    """Why a no is doubtful where these could pay from the graveyard."""
    text = "a card that is put into the graveyard to make mana could pay another part of the cost"
    return Unknown(text, "not_modelled", fed)


def burns(proposal: Proposal) -> bool:
    """Whether cards in a graveyard pay for a part of the cost."""
    taken = (*(s.what for s in proposal.substitutes), *(getattr(part, "what", None) for part in proposal.parts))
    return any(what is not None and what.zone == "graveyard" for what in taken)


def _paid_before(
    view: View, player: str, question: Any, made: Sequence[Proposal]
) -> list[tuple[Activate, ...]] | None:
    """Lines of mana abilities, as they are with priority, that make the mana for one of the proposals; None if all of
    them together can't."""
    if not made:
        return None
    net = _net_for(view, player, made, before=True)
    keep = list(_keep(question))
    decisions = [decide(net, [bill_of(p), *keep], best=False) for p in made]
    if all(d.verdict == "no" for d in decisions) and not any(may_be_helped(p) for p in made):
        return None
    payments = [d.payment for d in decisions if d.payment is not None]
    steps = [[s for s in payment.steps if isinstance(s, Activate)] for payment in payments]
    return [tuple(msgspec.structs.replace(s, before=True) for s in line) for line in steps if line]


def _signature(propose: Propose, player: str, x: int | None, view: View, *, fed: bool) -> object:
    """What is proposed and what it costs, to be compared between two boards; `fed`: with the graveyard that pays."""
    proposals = propose(view)
    made = proposals.with_x(proposals.x_default if x is None else x)
    costs = tuple(sorted(repr((p.mana, p.parts, p.substitutes, p.limits, p.label, p.targets)) for p in made))
    cards = sum(o.owner == player for o in view.game.in_zone("graveyard")) if fed else 0
    return costs, bool(proposals.refusals), cards


def _attempt(view: View, player: str, question: Any, propose: Propose, x: int | None, best: bool) -> Outcome:
    proposals = propose(view)
    made: tuple[Proposal, ...] = ()
    unknown: Unknown | None = None
    found: list[Attempt] = []
    for value in _values_of_x(proposals, x):
        made = proposals.with_x(value)
        net = _net(proposals, player, made)
        for proposal in made:
            try:
                decision, help_ = _pay(net, proposal, question, best)
            except Unknown as why:
                unknown = why
                continue
            if decision.verdict == "yes":
                found.append(Attempt(proposal, decision, help=help_))
            elif decision.verdict == "unknown":
                unknown = decision.why
        if found:
            break
    if found:
        return Outcome(min(found, key=_rank))
    # A way of casting that could not be judged may be the one that works.
    unknown = unknown or next(iter(proposals.doubts), None)
    return Outcome(None, proposals.refusals, unknown, made)


def _pay(net: Net, proposal: Proposal, question: Any, best: bool) -> tuple[Decision, Help | None]:
    """How a proposal is paid, with another player's help where that is allowed and needed."""
    keep = list(_keep(question))

    def pays(bill: Bill, best: bool) -> Decision:
        return decide(net, [bill, *keep], best=best)

    bill = bill_of(proposal)
    decision = pays(bill, best)
    if decision.verdict == "yes" or not may_be_helped(proposal):
        return decision, None
    return helped(proposal, bill, pays, best)


def _rank(attempt: Attempt) -> tuple[int, ...]:
    assert attempt.decision.payment is not None
    return rank(attempt.decision.payment.spent)


def _values_of_x(proposals: Proposals, x: int | None) -> Sequence[int | None]:
    """X = 0 costs least; a spell that may be cast with any X may be cast with that, unless something forbids it."""
    if x is not None or not proposals.has_x:
        return (x,)
    most = proposals.x_most
    tried = range(min(8, 8 if most is None else most) + 1)
    if not proposals.x_compares:
        return tried
    return sorted({*tried, *(n for n in _numbers(proposals.view) if n >= 0 and (most is None or n <= most))})


def _net(proposals: Proposals, player: str, made: Sequence[Proposal]) -> Net:
    return _net_for(proposals.view, player, made, before=False)


def _net_for(view: View, player: str, made: Sequence[Proposal], *, before: bool) -> Net:
    alone = {p.source for p in made} & set(view.game.objects)
    filters = [limit for p in made for limit in p.limits if limit.limit.source is not None]
    if filters:
        tags = tagger(view, player, filters)
        return compile_net(view.game, player, before=before, view=view, alone=alone, tags=tags)
    return net_of(view.game, player, before=before, view=view, alone=alone)


def tagger(view: View, player: str, limits: Sequence[Limit]) -> Callable[[str], str | None]:
    """Tags mana by its source where a limit tells sources apart: sources that fit the same limits share the name of
    the first of them, those that fit none have no tag."""
    first: dict[tuple[bool, ...], str] = {}

    def tag(source: str) -> str | None:
        fits = tuple(_comes_from(view, player, limit, source) for limit in limits)
        return first.setdefault(fits, source) if any(fits) else None

    return tag


def _comes_from(view: View, player: str, limit: Limit, source: str) -> bool:
    what = limit.limit.source
    if what is None or source not in view.game.objects:
        return False
    return matches(what, source, Context(view, source=limit.source, you=player))


def price_may_change(proposal: Proposal) -> bool:
    """Whether anything changes what the spell costs, or its own text could."""
    own = proposal.spell.seen.abilities if proposal.spell is not None else ()
    statics = (h.ability for h in own if isinstance(h.ability, Static))
    return bool(proposal.notes) or any(isinstance(e, CostChange | LeastCost) for s in statics for e in s.effects)


def bill_of(proposal: Proposal) -> Bill:
    return Bill(
        proposal.mana,
        proposal.purpose,
        proposal.source,
        proposal.parts,
        proposal.substitutes,
        proposal.limits,
        proposal.x,
        proposal.x_mana,
    )


def _keep(question: Any) -> Iterator[Bill]:
    from ..model.mana import parse_cost

    if question.keep:
        yield Bill(parse_cost(question.keep), Purpose())


def _during(game: Game) -> bool:
    return game.turn.during_cast is not None or game.turn.during_activate is not None


# --- the answer -------------------------------------------------------------------------------------------------------


def answer_from(found: Outcome, question: Any, step: dict[str, Any], x: int | None) -> Answer:
    attempt = found.attempt
    if attempt is None:
        return _refusal(found)
    payment = attempt.decision.payment
    assert payment is not None
    proposal = attempt.proposal
    spent = _add_before(payment.spent, attempt.before)
    values: dict[str, Any] = {}
    if proposal.x is not None:
        values["x"] = proposal.x
    values["total_cost"] = str(proposal.mana)
    values["plan"] = plan(attempt.before, step, proposal, payment.steps, attempt.help)
    values["spent"] = spent.wire()
    text = f"the total cost {proposal.mana} can be paid"
    notes = [Reason(r.code, r.rule, r.objects, r.text) for r in proposal.notes]
    return Answer("yes", values, (*notes, Reason("payable", "601.2h", (proposal.source,), text)))


def _refusal(found: Outcome) -> Answer:
    if found.unknown is not None:
        why = found.unknown
        return Answer("unknown", {}, (Reason(why.code, objects=why.objects, text=why.text),))
    if not found.proposals:
        refusals = found.refusals
        return Answer("no", {}, tuple(Reason(r.code, r.rule, r.objects, r.text) for r in refusals))
    cheapest = min(found.proposals, key=lambda p: p.mana.mana_value)
    values = {"total_cost": str(cheapest.mana)}
    text = f"no way to pay the total cost {cheapest.mana}"
    notes = tuple(Reason(r.code, r.rule, r.objects, r.text) for r in cheapest.notes)
    return Answer("no", values, (*notes, Reason("not_payable", "118.3", (cheapest.source,), text)))


def plan(
    before: Sequence[Activate],
    step: dict[str, Any],
    proposal: Proposal,
    steps: Sequence[Step],
    help_: Help | None = None,
) -> list[dict[str, Any]]:
    """Activations before, the announcement with its total cost, activations and payments; another player's are marked
    with `who`."""
    writer = Writer(step.get("cast") or step["activate"])
    written = [*writer.write(before), announced(step, proposal)]
    if help_ is None:
        return [*written, *writer.write(steps)]
    activations, payments = split(steps)
    written += writer.write(activations)
    written += [{**one, "who": help_.player} for one in writer.write(help_.activations)]
    written += writer.write(payments)
    return [*written, *({**one, "who": help_.player} for one in writer.write(help_.payments))]


def _add_before(spent: Spent, before: Sequence[Activate]) -> Spent:
    for step in before:
        paying = step.paying
        lost = len(paying.sacrifice) + len(paying.exile) + len(paying.to_hand)
        spent = spent._replace(
            taps=spent.taps + len(paying.tap),
            permanents_lost=spent.permanents_lost + lost,
            cards_lost=spent.cards_lost + len(paying.discard),
            life=spent.life + paying.life,
        )
    return spent


# --- what a cost is for -----------------------------------------------------------------------------------------------


def purpose_of(view: View, player: str, asked: Any, bare: Purpose) -> Purpose:
    """What a cost is paid for, as `for` states it: casting that card, or activating that ability."""
    if asked.cast is not UNSET:
        return bare._replace(kind="spell", spell=view.spell(asked.cast, controller=player))
    if asked.activate is not UNSET:
        has = next((h for h in view.abilities(asked.activate) if h.number == asked.ability), None)
        keyword = getattr(has.ability, "keyword", "") if has is not None else ""
        return bare._replace(kind="ability", source=asked.activate, keyword=keyword)
    return bare


