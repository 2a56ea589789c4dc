"""``A |&| B`` and ``A ||| B``: one intention for each branch, over the same stack."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.languages.jason.reference.intentions import drop, ready, without_step
from tests.languages.jason.reference.state import Branch, Intention, Mind
from tests.languages.jason.reference.terms import Unspecified
from volition.languages.jason.syntax import Fork

__all__ = ["Join", "drop_others", "first_to_end", "is_given_up", "joined", "split"]


class Join(NamedTuple):
    """The end of a branch: a step of its own."""

    fork: int
    number: int


def split(mind: Mind, intention: Intention, fork: Fork) -> None:
    """The step of a fork; the branches run one after the other."""
    if any(each.atomic for each in intention):
        raise Unspecified("a fork in an atomic intention")
    name = next(number for number in range(len(mind.forks) + 1) if number not in mind.forks)
    mind.forks[name] = frozenset(range(len(fork.branches)))
    *below, top = without_step(intention)
    for number, body in enumerate(fork.branches):
        means = top._replace(body=(*body, Join(name, number), *top.body))
        ready(mind, _with(Branch(fork.join, len(intention), name, number), (*below, means)))


def _with(branch: Branch, intention: Intention) -> Intention:
    return _marked(intention, (*intention[0].branches, branch))


def _marked(intention: Intention, branches: tuple[Branch, ...]) -> Intention:
    return (intention[0]._replace(branches=branches), *intention[1:])


def joined(mind: Mind, intention: Intention, join: Join) -> Intention | None:
    """A branch has ended: the intention that goes on, if it does."""
    branches = intention[0].branches
    (branch,) = [each for each in branches if each.fork == join.fork]
    rest = tuple(each for each in branches if each is not branch)
    if branch.join == "|||":
        drop_others(mind, branch)
        del mind.forks[join.fork]
        return _marked(intention, (*rest, Branch("|||", branch.depth, None)))
    mind.forks[join.fork] -= {join.number}
    return None if mind.forks[join.fork] else _marked(intention, rest)


def drop_others(mind: Mind, branch: Branch) -> None:
    """Drops the intentions that run other branches of the same fork."""

    def runs_another(intention: Intention) -> bool:
        return any(each.fork == branch.fork and each.number != branch.number for each in intention[0].branches)

    if branch.fork is not None:
        drop(mind, runs_another)


def is_given_up(mind: Mind, branches: tuple[Branch, ...], height: int) -> bool:
    """What becomes of forks if a failure is handled at some height of the stack, or nowhere (0): whether the branch just vanishes."""
    for branch in reversed(branches):
        if height <= branch.depth:
            if branch.join == "|||":
                return True
            drop_others(mind, branch)
    return False


def first_to_end(ended: set[Any], intention: Intention, place: int) -> bool:
    """A goal below forks ends in all their branches: one of these goes on below."""
    forks = {each.fork for each in intention[0].branches if place < each.depth and each.fork is not None}
    is_first = not forks & ended
    ended |= forks
    return is_first
