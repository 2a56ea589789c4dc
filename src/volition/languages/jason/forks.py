"""``A |&| B`` and ``A ||| B``: one intention for each branch, over the same stack.

``|&|`` goes on when the last branch has ended, ``|||`` when the first has, which drops the others.
The values that count then are those of the branch that goes on.  A branch that is dropped from
outside never ends, and so ``|&|`` never goes on.

An intention knows the last fork alone that it has come to.  So a branch that forks again is no
longer dropped with the others, and what was a quirk of an earlier ``|||`` is over.
"""

from __future__ import annotations

from dataclasses import replace

from volition.languages.jason.continuations import BranchEnd, Continuation
from volition.languages.jason.goal_queries import all_intentions, change_intentions, drop_branches
from volition.languages.jason.intentions import with_continuation
from volition.languages.jason.state import Branch, Intention
from volition.languages.jason.step_execution import StepContext, StepResult
from volition.languages.jason.syntax import Fork

__all__ = ["fork", "join"]


def fork(step: Fork, run: StepContext) -> list[StepResult]:
    """Each branch runs in an intention of its own, to the end of which the rest of the body
    belongs."""
    mind, intention = run.mind, run.intention
    used = {number for each in all_intentions(mind) for number in _numbers(each)}
    number = next(number for number in range(1, len(used) + 2) if number not in used)
    mark = Branch(number, step.join, len(intention.stack))
    for body in step.branches:
        rest = run.rest.prepend((*body, BranchEnd(step, number, len(step.branches))))
        branch = intention.with_top(with_continuation(intention.top, rest, run.bindings))
        mind.run(branch._replace(branch=mark))
    return run.detached(f"does {len(step.branches)} things at a time")


def _numbers(intention: Intention) -> set[int]:
    """Return the numbers of the forks whose branches an intention has to do with."""
    ends = {
        step.number
        for means in intention.stack
        for step in means.body
        if isinstance(step, BranchEnd)
    }
    return ends if intention.branch is None else ends | {intention.branch.number}


def join(step: BranchEnd, run: StepContext) -> list[StepResult]:
    """A branch has ended."""
    if step.fork.join == "|||":
        drop_branches(run.mind, step.number)
        return _go_on(step, run, "goes on, as one branch has ended")
    if step.missing == 1:
        return _go_on(step, run, "goes on, as all branches have ended")
    change_intentions(run.mind, lambda each: _with_fewer(each, step))
    return run.detached("ends a branch")


def _go_on(step: BranchEnd, run: StepContext, text: str) -> list[StepResult]:
    """The fork is over; an intention that has not come to another one since keeps a mark of it."""
    mark = run.intention.branch
    if mark is not None and mark.number == step.number:
        mark = mark._replace(number=0, spent=step.fork.join == "|&|")
    return [StepResult(run.mind, run.intention._replace(branch=mark), "done", text, run.bindings)]


def _with_fewer(intention: Intention, ended: BranchEnd) -> Intention:
    """Return an intention that knows that one branch more of a fork has ended."""

    def fewer(body: Continuation) -> Continuation:
        steps = [
            replace(each, missing=ended.missing - 1) if each == ended else each for each in body
        ]
        return (
            body
            if all(new is old for new, old in zip(steps, body, strict=True))
            else Continuation(steps)
        )

    return intention._replace(
        stack=tuple(means._replace(body=fewer(means.body)) for means in intention.stack)
    )
