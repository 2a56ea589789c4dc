"""``A |&| B`` and ``A ||| B``: one intention for each branch, over the same stack."""

from __future__ import annotations

from typing import NamedTuple

from tests.languages.jason.reference.intentions import drop, ready, without_step
from tests.languages.jason.reference.state import Branch, Intention, Mind
from tests.languages.jason.reference.terms import Unspecified
from volition.languages.jason.syntax import Fork

__all__ = ["Join", "drop_others", "first_to_end", "is_given_up", "joined", "marked", "split"]


class Join(NamedTuple):
    """The end of a branch: a step of its own."""

    fork: int
    number: int
    sort: str


def split(mind: Mind, intention: Intention, fork: Fork) -> None:
    """The step of a fork; the branches run one after the other."""
    if any(each.atomic for each in intention):
        raise Unspecified("a fork in an atomic intention")
    name = next(number for number in range(len(mind.forks) + 1) if number not in mind.forks)
    mind.forks[name] = len(fork.branches)
    *below, top = without_step(intention)
    for number, body in enumerate(fork.branches):
        means = top._replace(body=(*body, Join(name, number, fork.join), *top.body))
        ready(mind, marked((*below, means), Branch(fork.join, len(intention), name, number)))


def marked(intention: Intention, branch: Branch | None) -> Intention:
    """An intention is of the class of its last fork, and knows nothing of those before."""
    return (intention[0]._replace(branch=branch), *intention[1:])


def joined(mind: Mind, intention: Intention, join: Join) -> Intention | None:
    """A branch has ended: the intention that goes on, if it does."""
    branch = intention[0].branch
    assert branch is not None
    mind.forks[join.fork] -= 1
    if join.sort == "|||":
        if branch.fork == join.fork:
            drop_others(mind, branch)
        else:
            drop(
                mind,
                lambda other: other[0].branch is not None and other[0].branch.fork == join.fork,
            )
    elif mind.forks[join.fork]:
        return None
    if branch.fork == join.fork:
        intention = marked(intention, branch._replace(fork=None, left=mind.forks[join.fork]))
    return intention


def drop_others(mind: Mind, branch: Branch) -> None:
    """Drops the intentions that run other branches of the same fork."""

    def runs_another(intention: Intention) -> bool:
        other = intention[0].branch
        return other is not None and other.fork == branch.fork and other.number != branch.number

    if branch.fork is not None:
        drop(mind, runs_another)


def is_given_up(mind: Mind, branch: Branch | None, height: int) -> bool:
    """What becomes of a fork if a failure is handled at some height of the stack, or nowhere (0):
    whether the branch just vanishes."""
    if branch is None or height > branch.depth:
        return False
    if branch.join == "|||":
        return True
    drop_others(mind, branch)
    return False


def first_to_end(mind: Mind, intention: Intention, index: int) -> tuple[bool, Branch | None]:
    """A goal ends: if that is below the fork, one branch goes on below, unless none is missing;
    with what it knows of the fork then."""
    branch = intention[0].branch
    if branch is None or index >= branch.depth:
        return True, branch
    left = branch.left if branch.fork is None else mind.forks[branch.fork]
    if branch.fork is not None:
        mind.forks[branch.fork] = 0
    return left > 0, branch._replace(fork=None, left=0)
