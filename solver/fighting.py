"""Declarations of attackers and blockers: legal if every restriction is obeyed, and as many requirements as possible.

508.1c-d and 509.1b-c in two phases. First, a given declaration is checked against the restrictions by plain counting.
Then CP-SAT finds the greatest number of requirements that any declaration could obey without disobeying a restriction
and without paying anything: nobody has to pay to attack or block. The declaration is legal if it obeys that many.

    x[p]     pair p is declared                     a creature is in at most most_each of them
    y[c]     creature c is in some pair of a limit  counted by the limits
    r[q]     requirement q is obeyed                r[q] => one of its pairs is declared;  maximise the sum
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..model.abilities import CostPart, ManaPart
from ..model.characteristics import view_of
from ..model.combat import Combat, Limit, Pair, attack_facts, attacked_player, block_facts
from ..model.evaluate import Context, amount
from ..model.game import Game, Obj, Unknown
from ..model.mana import FREE, parse_cost
from .answer import Answer, Reason

# --- attacks and blocks ---------------------------------------------------------------------------------------------


def attack(game: Game, player: str, declared: Mapping[str, str]) -> Answer:
    """Whether `player` may declare these attackers: attacker -> what it attacks."""
    if (late := _wrong_time(game, player, game.turn.active == player, "attackers", "508.1")) is not None:
        return late
    facts = attack_facts(view_of(game), player)
    pairs = frozenset(declared.items())
    answer = judge(facts, pairs)
    if answer.verdict == "yes":
        tapped = [a for a in declared if "vigilance" not in view_of(game).of(a).keywords]
        return _pay(game.put(*(game.objects[a].but(tapped=True) for a in tapped)), player, facts, pairs, answer)
    return answer


def block(game: Game, player: str, declared: Mapping[str, Sequence[str]]) -> Answer:
    """Whether `player` may declare these blockers: blocker -> the attackers that it blocks. Attackers are those that
    are named, and those that the situation says attack the player or a planeswalker or battle of theirs."""
    if (late := _wrong_time(game, player, game.turn.active != player, "blockers", "509.1")) is not None:
        return late
    pairs = frozenset((b, a) for b, attackers in declared.items() for a in attackers)
    named = {a for _, a in pairs}
    attackers = [o.id for o in game.in_zone("battlefield") if o.id in named or _attacks(game, o, player)]
    facts = block_facts(view_of(game), player, attackers)
    answer = judge(facts, pairs)
    return _pay(game, player, facts, pairs, answer) if answer.verdict == "yes" else answer


def _attacks(game: Game, o: Obj, player: str) -> bool:
    return o.attacking is not None and attacked_player(view_of(game), o.attacking) == player


def _wrong_time(game: Game, player: str, is_theirs: bool, step: str, rule: str) -> Answer | None:
    if is_theirs and game.turn.step == step:
        return None
    text = f"{player} declares nothing now: it is {game.turn.active}'s turn, step {game.turn.step}"
    return Answer("no", because=(Reason("timing", rule, (), text),))


# --- restrictions and requirements ----------------------------------------------------------------------------------


def judge(facts: Combat, pairs: frozenset[Pair]) -> Answer:
    """Whether the declaration obeys the restrictions, and as many requirements as any free one could."""
    if (broken := _broken(facts, pairs)) is not None:
        return Answer("no", because=(broken,))
    obeyed = [q for q in facts.requirements if q.obeyed(pairs)]
    most, best = most_obeyed(facts)
    if len(obeyed) >= most:
        text = f"every restriction is obeyed, and {len(obeyed)} of {len(facts.requirements)} requirements"
        return Answer("yes", because=(Reason("permitted", "508.1d", (), text),))
    ignored = [q for q in facts.requirements if not q.obeyed(pairs) and q.obeyed(best)]
    reasons = [Reason("applies", "508.1d", (q.source,), q.text) for q in ignored]
    example = ", ".join(f"{a} -> {b}" for a, b in sorted(best)) or "nothing"
    text = f"{len(obeyed)} requirements are obeyed where {most} could be: {example}"
    return Answer("no", because=(*reasons, Reason("rule", "508.1d", (), text)))


def _broken(facts: Combat, pairs: frozenset[Pair]) -> Reason | None:
    """A restriction that the declaration disobeys."""
    for pair in sorted(pairs - facts.pairs):
        code, rule, objects = facts.refused.get(pair, ("rule", "506.2", pair))
        return Reason(code, rule, objects, f"{pair[0]} -> {pair[1]} is not possible")
    for creature, most in facts.most_each.items():
        if sum(1 for p in pairs if p[0] == creature) > most:
            return Reason("rule", "509.1a", (creature,), f"{creature} can block no more than {most}")
    for limit in facts.limits:
        if not _holds(limit, pairs):
            return Reason("prohibited", limit.rule, (limit.source,), limit.text)
    return None


def _holds(limit: Limit, pairs: frozenset[Pair]) -> bool:
    if limit.when and not limit.when & pairs:
        return True
    n = len({p[0] for p in limit.pairs & pairs})
    return n >= limit.least and (limit.most is None or n <= limit.most)


def most_obeyed(facts: Combat) -> tuple[int, frozenset[Pair]]:
    """The greatest number of requirements that can be obeyed without paying, and a declaration that obeys them."""
    if not facts.requirements:
        return 0, frozenset()
    from .cpsat import Linear, Model, solve

    model = Model()
    taxed = frozenset().union(*(t.pairs for t in facts.taxes))
    x = {p: model.var(0, 1) for p in sorted(facts.pairs - taxed)}
    for creature, most in facts.most_each.items():
        model.between(Linear(terms={v: 1 for p, v in x.items() if p[0] == creature}), None, most)
    for limit in facts.limits:
        _add_limit(model, x, limit)
    obeyed = Linear()
    for q in facts.requirements:
        r = model.var(0, 1)
        its = [x[p] for p in q.pairs if p in x]
        leaders = [x[p] for p in q.when if p in x]
        if q.when:
            idle = model.var(0, 1)  # none of those that it would go along with attacks
            for leader in leaders:
                model.between(Linear(terms={leader: 1}), 0, 0, when=(idle,))
            its = [*its, idle]
        model.any_of(its, when=(r,))
        obeyed.add_var(r)
    model.maximize(obeyed)
    found = solve(model)
    if found.status != "optimal":
        raise Unknown("the solver did not finish within its limit", "time_limit")
    return found.value(obeyed), frozenset(p for p, v in x.items() if found.values[v])


def _add_limit(model: Any, x: Mapping[Pair, int], limit: Limit) -> None:
    from .cpsat import Linear

    creatures = Linear()
    for creature in sorted({p[0] for p in limit.pairs if p in x}):
        mine = [x[p] for p in limit.pairs if p in x and p[0] == creature]
        y = model.var(0, 1)
        model.any_of(mine, when=(y,))
        for v in mine:
            model.implies(v, y)
        creatures.add_var(y)
    if not limit.when:
        model.between(creatures, limit.least, limit.most)
    for p in limit.when:
        if p in x:
            model.between(creatures, limit.least, limit.most, when=(x[p],))


# --- costs ----------------------------------------------------------------------------------------------------------


def _pay(game: Game, player: str, facts: Combat, pairs: frozenset[Pair], answer: Answer) -> Answer:
    """508.1h-j, 509.1d-f: the whole cost of the declaration must be payable, with the attackers tapped already."""
    cost = _total(game, player, facts, pairs)
    if cost is None:
        return answer
    from ..model.questions import CanPay
    from .queries import answer as ask

    paid = ask(game, CanPay(cost=cost, player=player, cause="effect"))
    if paid.verdict == "yes":
        return Answer("yes", paid.values, (*answer.because, *paid.because), paid.unread)
    return Answer(paid.verdict, because=(Reason("sum", "508.1h", (), f"this declaration costs {cost}"), *paid.because))


def _total(game: Game, player: str, facts: Combat, pairs: frozenset[Pair]) -> str | None:
    total = FREE
    taxed = False
    for tax in facts.taxes:
        for _ in tax.pairs & pairs:
            taxed = True
            for part in tax.cost:
                total = total.plus(_mana(game, player, part, tax.source))
    return str(total) if taxed else None


def _mana(game: Game, player: str, part: CostPart, source: str) -> Any:
    if not isinstance(part, ManaPart):
        raise Unknown(f"what {source} asks for is no mana: that is not modelled", "not_modelled", (source,))
    context = Context(view_of(game), source=source, you=view_of(game).of(source).controller)
    once = parse_cost(part.cost)
    total = FREE
    for _ in range(amount(part.repeat, context)):
        total = total.plus(once)
    return total


def pairs_of(declared: Mapping[str, str | Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """A block as actions write it: blocker -> attacker or list of attackers."""
    return {b: (a,) if isinstance(a, str) else tuple(a) for b, a in declared.items()}
