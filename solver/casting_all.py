"""Answers to `can_cast_all`: can all of these be cast this step, in some order, and by which one line of play.

Every order is a *scenario*: what is proposed for each spell, given those before it, and what each leaves behind once it
has resolved unanswered (model/resolving.py). A scenario is one net in stages. Stage by stage mana abilities are
activated, a total cost is paid, and what the spell leaves enters: its permanent gets its token, its mana is added. The
transitions of a stage are compiled on the board of that stage. As for one cost, the relaxation proves a no and levels
prove a yes, which the referee replays with the total costs of the game as it really is by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

from ..model.abilities import Damage, LoseLife, SpellAbility, Triggered, abilities_of
from ..model.asking import PLAYED_FROM
from ..model.casting import find_card, proposals_cast
from ..model.characteristics import view_of
from ..model.damage import life_taken
from ..model.evaluate import Context
from ..model.game import Game, Obj, Unknown
from ..model.mana import Cost
from ..model.proposals import Limit, Proposal
from ..model.replay import Activate, Illegal, PayParts, PaySymbol, Spent, Units, run
from ..model.resolving import Resolved, resolved, with_cast
from ..model.state_based import loses_without_life
from ..model.timing import Refusal
from .answer import Answer, Reason
from .assist import may_be_helped
from .casting import bill_of, burns, fed_doubt, fuelled, price_may_change, tagger
from .cpsat import Linear, Model, Solved
from .final_cost import Payable, payables
from .levels import UNBOUNDED_FIRINGS, UNBOUNDED_IN_ALL, Levels, cap_of, firings_left, moving_places
from .lines import Writer, announced
from .mana_net import MOST_WORLDS, Net, World, classify, compile_net, compile_world, removable, watched_groups
from .payment import Line, rank

# More orders, with what may be proposed in them, than this are not tried.
MOST_SCENARIOS = 200
MOST_LEVELS = 16
LIMIT = 10.0
MUCH_LIFE = 10_000


class Stage(NamedTuple):
    """One spell of a scenario: the game in which it is proposed (costs unpaid), and what its resolution leaves."""

    game: Game
    proposal: Proposal
    result: Resolved


class Played(NamedTuple):
    """A scenario that the referee has run: for each stage the steps before announcing, and those after it."""

    stages: tuple[tuple[Proposal, tuple[Activate, ...], tuple[Any, ...]], ...]
    spent: Spent


def can_cast_all(game: Game, question: Any, explain: bool) -> Answer:
    """Answers with one plan for all of the cards, or with why there is none."""
    player = question.player or game.you
    search = Search(game, player)
    best: Played | None = None
    cost: Cost | None = None
    for scenario in search.scenarios([str(card) for card in question.cards]):
        whole = Cost()
        for stage in scenario:
            whole = whole.plus(stage.proposal.mana)
        cost = whole if cost is None or whole.mana_value < cost.mana_value else cost
        found = search.play(scenario)
        if found is not None and (best is None or rank(found.spent) < rank(best.spent)):
            best = found
    if best is not None:
        return _with_line(game, player, _yes(best)) if explain else _yes(best)
    if not search.doubts:
        search.doubts += _fed(game, player, [str(card) for card in question.cards])
    if search.doubts:
        why = search.doubts[0]
        return Answer("unknown", {}, (Reason(why.code, objects=why.objects, text=why.text),))
    reasons = _why_not(game, question, player, cost) if explain else None
    if reasons is not None:
        return Answer("no", {}, reasons)
    if search.tried:
        return Answer("no", {}, (Reason("not_payable", "118.3", (), "no order in which all costs can be paid"),))
    return Answer("no", {}, tuple(Reason(r.code, r.rule, r.objects, r.text) for r in search.refusals))


def _fed(game: Game, player: str, cards: Sequence[str]) -> Iterator[Unknown]:
    """A doubt where cards that mana abilities put into the graveyard could pay for one of the spells."""
    fed, there = fuelled(view_of(game), player)
    if not fed:
        return
    search = Search(there, player)
    for scenario in search.scenarios(cards):
        if any(burns(stage.proposal) for stage in scenario) and search.play(scenario) is not None:
            yield fed_doubt(fed)
            return


def _with_line(game: Game, player: str, found: Answer) -> Answer:
    """The plan in words as well."""
    from .telling import how

    line = how(view_of(game), player, found.values["plan"])
    return Answer(found.verdict, found.values, (*found.because, *line), found.unread)


def _why_not(game: Game, question: Any, player: str, cost: Cost | None) -> tuple[Reason, ...] | None:
    """The facts that rule it out; `cost`: of all of them together."""
    from .explain import Asked, why_not

    def possible(other: Game) -> bool | None:
        verdict = can_cast_all(other, question, explain=False).verdict
        return None if verdict == "unknown" else verdict == "yes"

    return why_not(game, Asked(player, possible, cost, action="cast", before=False))


def _yes(played: Played) -> Answer:
    writer = Writer("")
    plan: list[dict[str, Any]] = []
    for proposal, before, steps in played.stages:
        writer.purpose = proposal.source
        plan += writer.write(before)
        plan.append(announced({"cast": proposal.source}, proposal))
        plan += writer.write(steps)
    order = ", then ".join(proposal.source for proposal, _, _ in played.stages)
    values = {"plan": plan, "spent": played.spent.wire()}
    return Answer("yes", values, (Reason("payable", "601.2h", (), f"all of them can be cast: {order}"),))


class Search:
    """All orders for one question. `doubts`: why a no could be wrong."""

    def __init__(self, game: Game, player: str) -> None:
        self.game, self.player = game, player
        self.doubts: list[Unknown] = []
        self.refusals: dict[Refusal, None] = {}
        self.cards: tuple[str, ...] = ()
        self.tried = 0

    # scenarios

    def scenarios(self, cards: Sequence[str]) -> Iterator[list[Stage]]:
        """What may be proposed, order by order; spells that are alike are not exchanged."""
        self.cards = tuple(cards)
        for count, scenario in enumerate(self._continued(self.game, self.cards, [], ())):
            if count >= MOST_SCENARIOS:
                self.doubts.append(Unknown("there are too many orders to try", "not_modelled"))
                return
            yield scenario

    def _continued(
        self, game: Game, cards: tuple[str, ...], so_far: list[Stage], in_doubt: tuple[Any, ...]
    ) -> Iterator[list[Stage]]:
        if not cards:
            yield so_far
            return
        # What an earlier spell did that is not carried out bears on the spells after it, if it could be cast at all.
        takes = any(d.takes for d in in_doubt)
        doubts = [Unknown(d.text, "not_modelled", d.objects) for d in in_doubt if d.adds or takes]
        if doubts and self._possible(so_far):
            self.doubts += doubts
        if takes:
            return
        tried: set[object] = set()
        for n, card in enumerate(cards):
            found = _find(game, self.player, card)
            if found is None:
                self.refusals[Refusal("prohibited", "601.3", (), f"{card} is not a card that could be cast")] = None
                continue
            obj, named = found
            alike = obj.but(id="", timestamp=0)
            if alike in tried:
                continue
            tried.add(alike)
            rest = cards[:n] + cards[n + 1 :]
            for proposal in self._proposals(game, named, obj.zone):
                for result in resolved(game, proposal, with_cast(proposal, proposal.view.game)):
                    stage = Stage(game, proposal, result)
                    yield from self._continued(result.game, rest, [*so_far, stage], result.doubts)

    def _proposals(self, game: Game, card: str, zone: str) -> tuple[Proposal, ...]:
        try:
            proposals = proposals_cast(view_of(game), self.player, card, zone=zone)
            made = proposals.with_x(proposals.x_default)
        except Unknown as unknown:
            self.doubts.append(unknown)
            return ()
        self.refusals.update(dict.fromkeys(proposals.refusals))
        self.doubts += [
            Unknown(f"{oid}, which forbids it, could leave before", "not_modelled", (oid,))
            for refusal in proposals.refusals
            if refusal.code == "prohibited"
            for oid in refusal.objects
            if (obj := self.game.objects.get(oid)) and obj.zone == "battlefield" and self._could_leave(obj)
        ]
        self.doubts += proposals.doubts
        if not made and len(self.cards) > 1 and _targets_spells(game, card):
            self.doubts.append(Unknown(f"{card} could be cast while another one is on the stack", "not_modelled"))
        return made

    def _could_leave(self, obj: Obj) -> bool:
        """Whether a mana ability here could take a permanent of the player away."""
        if obj.controller != self.player:
            return False
        net = compile_net(self.game, self.player)
        return net.class_of[obj.id] in removable(net)

    # one scenario

    def _possible(self, scenario: list[Stage]) -> bool:
        """Whether these spells could be paid for at all, by the relaxation that proves a no."""
        try:
            staged = Staged(self.game, self.player, scenario)
            bills = [list(payables(staged.net, s.proposal.view, bill_of(s.proposal))) for s in scenario]
        except Unknown:
            return True
        if staged.doubts():
            return True
        tries = (StagedLevels(staged, finals, 1, relaxed=True, life=staged.life) for finals in product(*bills))
        return any(tried.solve(best=False, limit=LIMIT).status != "infeasible" for tried in tries)

    def play(self, scenario: list[Stage]) -> Played | None:
        """The best line for a scenario; a doubt where it could not be decided."""
        self.tried += 1
        try:
            staged = Staged(self.game, self.player, scenario)
            bills = [list(payables(staged.net, s.proposal.view, bill_of(s.proposal))) for s in scenario]
        except Unknown as unknown:
            self.doubts.append(unknown)
            return None
        best: Played | None = None
        for finals in product(*bills):
            found = self._decide(staged, finals)
            if found is not None and (best is None or rank(found.spent) < rank(best.spent)):
                best = found
        return best

    def _decide(self, staged: Staged, finals: Sequence[Payable]) -> Played | None:
        relaxed = StagedLevels(staged, finals, 1, relaxed=True, life=staged.life).solve(best=False, limit=LIMIT)
        if relaxed.status == "infeasible":
            self.doubts += staged.doubts()
            return None
        exact = firings_left(staged.net)
        levels = 1
        while True:
            model = StagedLevels(staged, finals, levels)
            solved = model.solve(best=True, limit=LIMIT)
            if solved.status == "unknown":
                self.doubts.append(Unknown("the solver did not finish within its limit", "time_limit"))
                return None
            if solved.found:
                try:
                    played = Replay(staged, model, solved).played()
                    stung = _may_die_of_taps(self.game, self.player, played)
                except (Illegal, Unknown) as refused:
                    text = f"a line that the referee refuses: {refused.text}"
                    self.doubts.append(Unknown(text, "not_modelled", refused.objects))
                    return None
                if stung and any(m is not False for m in staged.mortal):
                    self.doubts.append(Unknown("whether damage that tapping triggers leaves any life", "not_modelled"))
                    return None
                return played
            if exact is not None and levels >= exact:
                self.doubts += staged.doubts()
                if None in staged.mortal:
                    self.doubts.append(Unknown("whether having no life would matter", "not_modelled"))
                if staged.life > staged.net.life:
                    self.doubts.append(Unknown("life that is gained on the way could matter", "not_modelled"))
                return None
            if levels >= MOST_LEVELS:
                self.doubts.append(Unknown("a longer line might pay for all of them", "time_limit"))
                return None
            levels *= 2


def _may_die_of_taps(game: Game, player: str, played: Played) -> bool:
    """Whether triggers of what is tapped before the last spell is announced could take the last life: they resolve
    before it can be cast (603.3, 704.5a), and the net knows nothing of their damage."""
    *earlier, (_, before, _) = played.stages
    steps = [step for _, *lists in earlier for some in lists for step in some] + list(before)
    taken = damage_of_taps(game, player, [step.id for step in steps if isinstance(step, Activate)])
    return taken > 0 and taken >= game.players[player].life - played.spent.life - played.spent.damage


def damage_of_taps(game: Game, player: str, taps: Sequence[str]) -> int:
    """What triggers of tapping these permanents for mana take from the player's life, once they resolve."""
    view, taken = view_of(game), 0
    for obj in game.in_zone("battlefield"):
        for has in view.of(obj.id).abilities:
            ability = has.ability
            if not isinstance(ability, Triggered) or ability.event not in ("other", "tapped_for_mana"):
                continue
            own = ability.what is not None and ability.what.me
            if not own and ability.event == "other":
                continue
            controller = view.of(obj.id).controller
            ctx = Context(view, source=obj.id, you=controller)
            who = ("that", "you", "controller") if controller == player else ("that",)
            hits = [e for e in ability.effects if isinstance(e, Damage | LoseLife) and e.to in who]
            taken += sum(life_taken(e, view, player, ctx) for e in hits) * (taps.count(obj.id) if own else len(taps))
    return taken


def _targets_spells(game: Game, card: str) -> bool:
    """Whether the card could want a target on the stack."""
    obj = game.objects.get(card)
    if obj is None:
        return True
    abilities = [a for face in obj.card.faces for a in abilities_of(face.lines) if isinstance(a, SpellAbility)]
    targets = [t for a in abilities for t in (*a.targets, *(t for m in a.modes for t in m.targets))]
    return any(t.what is not None and t.what.zone in ("stack", "any") for t in targets)


def _find(game: Game, player: str, card: str) -> tuple[Obj, str] | None:
    """The object that is to be cast, and the name by which it is proposed (an id, or that of a face)."""
    for zone in PLAYED_FROM:
        found = find_card(game, player, card, zone)
        if found is not None:
            return found[0], card
    return None


# --- one net in stages ------------------------------------------------------------------------------------------------


class Staged:
    """A scenario as one net: the board after everything has resolved, whose new objects get their tokens later."""

    def __init__(self, game: Game, player: str, scenario: Sequence[Stage]) -> None:
        self.game, self.player, self.scenario = game, player, tuple(scenario)
        who = game.players[player]
        last = scenario[-1].result.game
        union = last.put_player(last.players[player].but(pool=who.pool, life=who.life))
        self.cast = tuple(stage.proposal.source for stage in scenario)
        net = self.net = Net(union, player, view_of(union), before=True, alone=frozenset(self.cast))
        limits = [limit for s in scenario for limit in s.proposal.limits if limit.limit.source is not None]
        if limits:
            net.tags = tagger(net.view, player, tuple(Limit(*limit) for limit in limits))
        for kind, n in who.pool:
            net.pool[net.kind(kind.type, kind.only, kind.snow, kind.source)] += n
        classify(net)
        self.worlds: list[set[int]] = []
        self._compile(())
        groups = watched_groups(net, removable(net))
        if groups:
            self._split(groups)
        self.mana = [self._kinds(stage.result.mana) for stage in scenario]
        # Life that may be gained on the way is not counted: a no has to hold with any amount of it.
        gains = any(d.life for stage in scenario[:-1] for d in stage.result.doubts)
        self.life = net.life + MUCH_LIFE * gains
        lives = [who.life, *(stage.result.game.players[player].life for stage in scenario)]
        self.lost = [before - after for before, after in pairwise(lives)]
        self.mortal = [_would_lose(stage.result.game, player) for stage in scenario[:-1]]

    def _kinds(self, units: Units) -> dict[int, int]:
        found: dict[int, int] = {}
        for kind, n in units:
            k = self.net.kind(kind.type, kind.only, kind.snow, kind.source)
            found[k] = found.get(k, 0) + n
        return found

    def _compile(self, groups: Sequence[tuple[Any, ...]]) -> None:
        """The transitions of every stage, for every number of watched permanents that may be left."""
        net, union = self.net, self.net.view
        net.worlds, net.transitions, net.watched = [], [], tuple(groups)
        self.worlds = []
        sizes = [sum(c.size for c in group) for group in groups]
        for stage in self.scenario:
            here: set[int] = set()
            for left in product(*(range(size, -1, -1) for size in sizes)):
                gone = [
                    i
                    for group, keep in zip(groups, left, strict=True)
                    for i in [i for c in group for i in c.ids][keep:]
                ]
                world = len(net.worlds)
                net.worlds.append(World(left))
                here.add(world)
                view = stage.proposal.view
                net.view = view_of(view.game.without(gone)) if gone else view
                compile_world(net, net.view, world)
            self.worlds.append(here)
        net.view = union

    def _split(self, groups: Sequence[tuple[Any, ...]]) -> None:
        count = len(self.scenario)
        for group in groups:
            count *= sum(c.size for c in group) + 1
        if count > MOST_WORLDS:
            self.net.doubts.append(Unknown("too many things could change while paying", "not_modelled"))
        else:
            self._compile(groups)

    def entering(self, stage: int) -> list[int]:
        """The places that get a token when the spell of the stage has resolved."""
        oid = self.cast[stage]
        if oid not in self.net.class_of:
            return []
        cls = self.net.class_of[oid]
        return [cls.t if cls.tapped else cls.u]

    def doubts(self) -> list[Unknown]:
        """What makes a no of this scenario doubtful."""
        found = list(self.net.doubts)
        if any(t.doubles for t in self.net.transitions):
            found.append(Unknown("abilities that read the pool, between several spells", "not_modelled"))
        if any(may_be_helped(s.proposal) for s in self.scenario):
            found.append(Unknown("another player's help with several spells", "not_modelled"))
        losing = any(t.permanents or t.cards for t in self.net.transitions)
        if losing and any(price_may_change(s.proposal) for s in self.scenario):
            found.append(Unknown("what leaves while mana is made could change a cost", "not_modelled"))
        return found


def _would_lose(game: Game, player: str) -> bool | None:
    """Whether the player would lose with 0 life before the next spell is cast (704.5a); None where that is unknown."""
    try:
        return loses_without_life(game, player)
    except Unknown:
        return None


class StagedLevels(Levels):
    """The model of a scenario: so many levels in every stage, then its cost, then what its spell leaves."""

    def __init__(
        self,
        staged: Staged,
        finals: Sequence[Payable],
        levels: int,
        *,
        relaxed: bool = False,
        life: int | None = None,
    ) -> None:
        net = staged.net
        self.net = net
        self.model = Model()
        self.relaxed = relaxed
        self.places = [Linear(n) for n in net.marking]
        self.mana = [Linear(n) for n in net.pool]
        self.life = Linear(net.life if life is None else life)
        self.levels = []
        self.finals = []
        unbounded = UNBOUNDED_IN_ALL if relaxed else UNBOUNDED_FIRINGS
        # What enters counts in the marking of the net, so that it bounds firings; here it is not there yet.
        self._caps = [0 if t.doubles else cap_of(net, t, unbounded) for t in net.transitions]
        self._payers = [net.payers(d) for d in net.demands]
        self._moving = moving_places(net)
        self._class_of_place = {p: c for c in net.classes for p in (c.u, c.t) if p >= 0}
        for stage in range(len(finals)):
            for p in staged.entering(stage):
                self.places[p] = Linear(0)
        self.ends: list[int] = []
        for stage, final in enumerate(finals):
            self.worlds = staged.worlds[stage]
            for _ in range(levels):
                self.add_level()
            self.ends.append(len(self.levels))
            self._pay([final])
            if stage < len(staged.mortal):
                self.life = self.life.copy().add(-staged.lost[stage])
                if staged.mortal[stage] or (staged.mortal[stage] is None and not relaxed):
                    self.model.between(self.life.copy(), 1, None)
            for p in staged.entering(stage):
                self.places[p] = self.places[p].copy().add(1)
            for k, n in staged.mana[stage].items():
                self.mana[k] = self.mana[k].copy().add(n)
        self.terms = self._terms()

    def usable(self, i: int) -> bool:
        return self.net.transitions[i].world in self.worlds


# --- the line of a solution -------------------------------------------------------------------------------------------


class Replay:
    """Deals a solution out stage by stage and runs it: every cost is proposed again in the game as it is by then."""

    def __init__(self, staged: Staged, model: StagedLevels, solved: Solved) -> None:
        self.staged, self.model = staged, model
        self.line = Line(staged.net, model, solved)

    def played(self) -> Played:
        """The line, run by the referee. Raises Illegal, or Unknown."""
        game, spent, start = self.staged.game, Spent(), 0
        stages = []
        for n, stage in enumerate(self.staged.scenario):
            end = self.model.ends[n]
            self.line.levels = self.model.levels[start:end]
            activations = self.line.activations()
            payments = self.line.pay(self.model.finals[n])
            start = end
            before = tuple(s for s in activations if s.before)
            steps = (*(s for s in activations if not s.before), *payments)
            game, proposal, more = self._stage(game, stage, before, steps)
            spent = add_spent(spent, more)
            stages.append((proposal, before, steps))
            for kind, amount in stage.result.mana:
                k = self.staged.net.kind(kind.type, kind.only, kind.snow, kind.source)
                self.line.units.setdefault(k, _queue()).append([kind, amount])
        return Played(tuple(stages), spent)

    def _stage(
        self, game: Game, stage: Stage, before: Sequence[Activate], steps: Sequence[Activate | PaySymbol | PayParts]
    ) -> tuple[Game, Proposal, Spent]:
        player = self.staged.player
        first = run(game, player, before)
        wanted = stage.proposal
        obj = first.game.objects[wanted.source]
        proposals = proposals_cast(
            view_of(first.game), player, wanted.source, zone=obj.zone, targets=wanted.targets or None, face=wanted.face
        )
        made = proposals.with_x(wanted.x)
        found = next((p for p in made if same_cost(p, wanted)), None)
        if found is None:
            text = f"{wanted.source} does not cost {wanted.mana} by then"
            raise Illegal(text, "601.2f", "sum", (wanted.source,))
        second = run(found.view.game, player, steps, bill_of(found))
        results = resolved(first.game, found, with_cast(found, second.game))
        result = next((r for r in results if r.mana == stage.result.mana), None)
        if result is None:
            raise Illegal(f"{wanted.source} does not make that mana by then", "608.2")
        return result.game, found, add_spent(first.spent, second.spent)


def _queue():
    from collections import deque

    return deque()


def same_cost(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals ask for the same payment."""
    mine = (one.mana, one.parts, one.substitutes, one.label, one.face, one.x, one.x_mana, one.modes)
    return mine == (
        other.mana,
        other.parts,
        other.substitutes,
        other.label,
        other.face,
        other.x,
        other.x_mana,
        other.modes,
    )


def add_spent(one: Spent, other: Spent) -> Spent:
    """Both together; what floats is what floats in the end."""
    both = {name: getattr(one, name) + getattr(other, name) for name in Spent._fields if name != "floating"}
    return other._replace(**both)
