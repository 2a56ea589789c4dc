"""Forks ``A |&| B`` and ``A ||| B`` in plan bodies: one intention is started for each branch, with
a copy of the same stack below.

``|&|`` continues after the last branch has ended. ``|||`` continues after the first branch has
ended and drops the other branches. The bindings are those of the branch that continues. If a branch
of ``|&|`` is dropped, for example by ``.drop_intention``, it never ends, and so the steps after the
fork are never executed.

An intention stores only its last fork. If a branch forks again, this has two consequences. The
branch is no longer dropped together with its siblings of the earlier fork. When a goal fails, only
the last fork determines whether the failure is handled or the branch is dropped.
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
    """Execute a fork: start an intention for each branch. After its own steps, each branch
    continues with the rest of the plan body."""
    mind, intention = run.mind, run.intention
    used = {number for each in all_intentions(mind) for number in _numbers(each)}
    number = next(number for number in range(1, len(used) + 2) if number not in used)
    mark = Branch(number, step.join, len(intention.stack))
    for body in step.branches:
        rest = run.rest.prepend((*body, BranchEnd(step, number, len(step.branches))))
        branch = intention.with_top(with_continuation(intention.top, rest, run.bindings))
        mind.run(branch._replace(branch=mark))
    return run.detached(f"starts {len(step.branches)} branches")


def _numbers(intention: Intention) -> set[int]:
    """Return the identifying numbers of all forks of which an intention is a branch."""
    ends = {
        step.number
        for means in intention.stack
        for step in means.body
        if isinstance(step, BranchEnd)
    }
    return ends if intention.branch is None else ends | {intention.branch.number}


def join(step: BranchEnd, run: StepContext) -> list[StepResult]:
    """Execute the end of a branch. Continue after the fork if this was the first branch of ``|||``
    or the last branch of ``|&|`` to end."""
    if step.fork.join == "|||":
        drop_branches(run.mind, step.number)
        return _continue_after(step, run, "continues, because one branch has ended")
    if step.missing == 1:
        return _continue_after(step, run, "continues, because all branches have ended")
    change_intentions(run.mind, lambda each: _with_one_branch_fewer(each, step))
    return run.detached("ends a branch")


def _continue_after(step: BranchEnd, run: StepContext, text: str) -> list[StepResult]:
    """Continue with the steps after a fork that has ended. If the fork is the one that the
    intention stores (its last fork), its stored number becomes 0."""
    mark = run.intention.branch
    if mark is not None and mark.number == step.number:
        mark = mark._replace(number=0, spent=step.fork.join == "|&|")
    return [StepResult(run.mind, run.intention._replace(branch=mark), "done", text, run.bindings)]


def _with_one_branch_fewer(intention: Intention, ended: BranchEnd) -> Intention:
    """Return an intention in which the fork of ``ended`` waits for one branch fewer. Intentions
    that are not branches of this fork stay unchanged."""

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
