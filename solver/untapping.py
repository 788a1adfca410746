"""What must, may and cannot untap in an untap step (502.3), and whether one choice of permanents is legal.

The player chooses a set that obeys every cap and that nothing could be added to: no rule lets a player decline to
untap. One small CP-SAT model finds what such sets have in common. Permanents that are alike in every respect that
matters here are one class with a count:

    n[c]          how many of class c untap               0 <= n[c] <= size of c
    full[k]       cap k is used up                        full[k] => sum of its classes = its number
    pick[m, t]    type t is chosen for type choice m      exactly one t for each m
    for every class that nobody may leave tapped:  n[c] = its size, or one of its caps is full, or a chosen type
    excludes it

A class must untap when no solution leaves some of it tapped, and may when some solution untaps some of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..model.abilities import AlsoUntaps, DontUntap, Node, Prohibit, SkipStep, UntapCap, UntapChosen
from ..model.game import Game, Unknown
from ..model.untap import Stays, UntapStep, untap_step
from .answer import Answer, Reason
from .unread import hedged


class Untapping(NamedTuple):
    """The permanents of one untap step by what can become of them, each in the order of the situation."""

    must: tuple[str, ...]
    may: tuple[str, ...]
    stays: tuple[str, ...]


class Signature(NamedTuple):
    """What matters about a candidate: its caps, the types of each choice that it has, and how it untaps."""

    caps: tuple[int, ...]
    types: tuple[tuple[bool, ...], ...]
    optional: bool
    stunned: bool


def untaps(game: Game, question: Any, explain: bool = True) -> Answer:
    """The answer to a question of kind `untaps`."""
    step = untap_step(game, question.player or game.you)
    found = partition(step)
    order = list(game.objects)
    values = {
        "must": sorted(found.must, key=order.index),
        "may": sorted(found.may, key=order.index),
        "stays": sorted(found.stays, key=order.index),
    }
    return hedged(Answer("known", values, tuple(_reasons(step, found))), game, ("untap", "types"), is_about_untapping)


def is_about_untapping(node: Node) -> bool:
    """Whether a structure of card text can change what untaps in an untap step."""
    if isinstance(node, Prohibit):
        return node.action == "untap"
    return isinstance(node, (DontUntap, UntapCap, UntapChosen, AlsoUntaps, SkipStep))


def partition(step: UntapStep) -> Untapping:
    """What must untap, what may, what stays tapped."""
    classes = _classes(step)
    must, may = _together(step, classes) if _entangled(step, classes) else _apart(step, classes)
    can = {i for s in must | may for i in classes[s]}
    stays = (*(s.id for s in step.stays), *(i for i in step.candidates if i not in can))
    return Untapping(_of(step, must, classes), _of(step, may, classes), stays)


def is_legal_choice(step: UntapStep, chosen: Iterable[str]) -> bool:
    """Whether exactly these permanents may be what untaps in the step."""
    wanted = set(chosen)
    classes = _classes(step)
    can_untap = {i for s, ids in classes.items() if not s.stunned for i in ids}
    if not wanted <= can_untap:
        return False
    fixed = {s: len(wanted & set(ids)) for s, ids in classes.items() if not s.stunned}
    return _possible(step, classes, {s: (n, n) for s, n in fixed.items()})


def _classes(step: UntapStep) -> dict[Signature, tuple[str, ...]]:
    classes: dict[Signature, list[str]] = {}
    for i in step.candidates:
        caps = tuple(k for k, cap in enumerate(step.caps) if i in cap.members)
        free = any(i == other for other, _ in step.helped)  # a choice binds only what the active player untaps
        types = tuple(tuple(free or i in members for _, members in choice.options) for choice in step.choices)
        signature = Signature(caps, types, i in step.optional, i in step.stunned)
        classes.setdefault(signature, []).append(i)
    return {s: tuple(ids) for s, ids in classes.items()}


def _of(step: UntapStep, chosen: set[Signature], classes: Mapping[Signature, tuple[str, ...]]) -> tuple[str, ...]:
    ids = {i for s in chosen for i in classes[s]}
    return tuple(i for i in step.candidates if i in ids)


def _entangled(step: UntapStep, classes: Mapping[Signature, tuple[str, ...]]) -> bool:
    """Whether a permanent is under two caps, or a type is chosen: then the caps must be looked at together."""
    return bool(step.choices) or any(len(s.caps) > 1 for s in classes)


def _apart(step: UntapStep, classes: Mapping[Signature, tuple[str, ...]]) -> tuple[set[Signature], set[Signature]]:
    """Caps that share nothing: each leaves a choice exactly when more than its number would untap."""
    must, may = set(), set()
    for s in classes:
        if s.stunned:
            continue
        caps = [step.caps[k] for k in s.caps]
        if all(len(cap.members) <= cap.n for cap in caps) and not s.optional:
            must.add(s)
        elif all(cap.n > 0 for cap in caps):
            may.add(s)
    return must, may


def _together(step: UntapStep, classes: Mapping[Signature, tuple[str, ...]]) -> tuple[set[Signature], set[Signature]]:
    must, may = set(), set()
    for s, ids in classes.items():
        if s.stunned:
            continue
        if not _possible(step, classes, {s: (0, len(ids) - 1)}):
            must.add(s)
        elif _possible(step, classes, {s: (1, len(ids))}):
            may.add(s)
    return must, may


def _possible(
    step: UntapStep, classes: Mapping[Signature, tuple[str, ...]], bounds: Mapping[Signature, tuple[int, int]]
) -> bool:
    """Whether the player may choose in some way that untaps a number within `bounds` of those classes."""
    from .cpsat import Linear, Model, solve

    model = Model()
    sizes = {s: len(ids) for s, ids in classes.items()}
    n = {s: model.var(*bounds.get(s, (0, size))) for s, size in sizes.items()}
    full = [model.var(0, 1) for _ in step.caps]
    for k, cap in enumerate(step.caps):
        members = Linear(terms={v: 1 for s, v in n.items() if k in s.caps})
        model.between(members, None, cap.n)
        model.between(members, cap.n, None, when=(full[k],))
    picks = [[model.var(0, 1) for _ in choice.options] for choice in step.choices]
    for pick in picks:
        model.between(Linear(terms=dict.fromkeys(pick, 1)), 1, 1)
    for s, v in n.items():
        others = [p for pick, has in zip(picks, s.types, strict=True) for p, h in zip(pick, has, strict=True) if not h]
        for p in others:
            model.between(Linear(terms={v: 1}), 0, 0, when=(p,))
        if not s.optional:
            all_of_it = model.var(0, 1)
            model.between(Linear(terms={v: 1}), sizes[s], None, when=(all_of_it,))
            model.any_of((all_of_it, *(full[k] for k in s.caps), *others))
    found = solve(model)
    if found.status == "unknown":
        raise Unknown("the solver did not finish within its limit", "time_limit")
    return found.found


# --- the words ------------------------------------------------------------------------------------------------------

_WHY = {
    "effect": "does not untap in the untap step, because of",
    "cant": "can't be untapped, because of",
    "skipped": "stays tapped, since the step is skipped because of",
}


def _reasons(step: UntapStep, found: Untapping) -> Iterator[Reason]:
    if step.skipped_by is not None:
        text = f"{step.player} skips the untap step because of {step.skipped_by}"
        yield Reason("applies", "614.10", (step.skipped_by,), text)
    for stays in step.stays:
        yield _staying(stays)
    for i in step.candidates:
        if i in step.stunned:
            yield Reason("stays_tapped", "122.1d", (i,), f"a stun counter is removed from {i} instead of untapping it")
    for i, source in step.helped:
        yield Reason("untaps", "502.3", (i, source), f"{i} untaps in {step.player}'s untap step because of {source}")
    for cap in step.caps:
        if len(cap.members) > cap.n:
            text = f"{cap.source} lets {step.player} untap {cap.n} of {len(cap.members)} here"
            yield Reason("applies", "502.3", (cap.source, *sorted(cap.members)), text)
    for choice in step.choices:
        text = f"{choice.source} makes {step.player} choose one of {', '.join(t for t, _ in choice.options)}"
        yield Reason("applies", "502.3", (choice.source,), text)
    for i in step.candidates:
        if i in step.optional:
            yield Reason("untaps", "502.3", (i,), f"{step.player} may choose not to untap {i}")
    if found.must:
        yield Reason("untaps", "502.3", found.must, f"untapping: {', '.join(found.must)}")


def _staying(stays: Stays) -> Reason:
    text = f"{stays.id} {_WHY[stays.why]} {stays.source}"
    return Reason("stays_tapped", "614.10" if stays.why == "skipped" else "502.3", (stays.id, stays.source), text)
