"""``A |&| B`` and ``A ||| B``: one intention for each branch, over the same stack.

``|&|`` goes on when the last branch has ended, ``|||`` when the first has, which drops the others.  The values that count then are those of
the branch that goes on.  A branch that is dropped from outside never ends, and so ``|&|`` never goes on.
"""

from __future__ import annotations

from volition.languages.jason.attitudes import all_intentions, drop_branches, is_branch
from volition.languages.jason.intentions import with_body
from volition.languages.jason.rests import Join
from volition.languages.jason.running import Outcome, Run
from volition.languages.jason.state import Branch
from volition.languages.jason.syntax import Fork

__all__ = ["fork", "join"]


def fork(step: Fork, run: Run) -> list[Outcome]:
    """Each branch runs in an intention of its own, to the end of which the rest of the body belongs."""
    mind, intention = run.mind, run.intention
    used = {branch.number for each in all_intentions(mind) for branch in each.branches}
    number = next(number for number in range(1, len(used) + 2) if number not in used)
    mark = Branch(number, step.join, len(intention.stack))
    for body in step.branches:
        rest = run.rest.before((*body, Join(step, number)))
        branch = intention.with_top(with_body(intention.top, rest, run.bindings))
        mind.run(branch._replace(branches=(*intention.branches, mark)))
    return run.left(f"does {len(step.branches)} things at a time")


def join(step: Join, run: Run) -> list[Outcome]:
    """A branch has ended."""
    if step.fork.join == "|||":
        drop_branches(run.mind, step.number)
        return run.done("goes on, as one branch has ended")
    if any(each.alone for each in run.intention.branches if each.number == step.number):
        return run.left("ends a branch, and others were dropped")
    if any(is_branch(each, step.number) for each in all_intentions(run.mind) if each is not run.intention):
        return run.left("ends a branch, and others go on")
    left = tuple(each for each in run.intention.branches if each.number != step.number)
    return [Outcome(run.mind, run.intention._replace(branches=left), "done", "goes on, as all branches have ended", run.bindings)]
