"""What each kind of formula in a plan body does when it is executed (Bordini et al., Sect. 4.1):
one function per kind.

A function may write to the agent's mind; what becomes of the plan instance is in the :class:`Step`
that it returns.  Only ``.random`` returns several, among which nobody decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from volition.languages.agentspeak.plans import (
    compare,
    compute,
    first_match,
    rename_free_variables,
    resolve_bindings,
)
from volition.languages.agentspeak.state import AgentState, Event
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    Broadcast,
    Compare,
    Compute,
    Formula,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Test,
    Unify,
)
from volition.languages.world.terms import (
    Bindings,
    Structure,
    Term,
    Text,
    constant,
    is_ground,
    list_items,
    show,
    substitute,
    unify,
)

__all__ = ["FormulaResult", "execute"]


@dataclass(frozen=True, slots=True)
class FormulaResult:
    """What executing a formula means for its plan instance, and the same in words.

    ``advance``: the formula counter goes up; ``suspend``: the instance waits for an event that it
    posted; ``fail``: it cannot be done.
    """

    outcome: Literal["advance", "suspend", "fail"]
    bindings: Bindings
    text: str


def execute(
    formula: Formula, mind: AgentState, index: int, bindings: Bindings, agents: Sequence[str]
) -> Sequence[FormulaResult]:
    """Executes the formula of the plan instance ``means[index]``."""
    if not all(is_ground(substitute(term, bindings)) for term in _needed(formula)):
        # A goal that was to give a value to a variable has given none.
        return [
            FormulaResult(
                "fail", bindings, f"cannot execute {formula}, as a variable in it has no value"
            )
        ]
    match formula:
        case Act(atom):
            return [basic_action(_instance(atom, bindings), mind, bindings)]
        case Achieve(atom):
            return [achievement_goal(_instance(atom, bindings), mind, index, bindings)]
        case Test(atom):
            return [test_goal(atom, mind, bindings)]
        case AddBelief(atom):
            return [belief_addition(_instance(atom, bindings), mind, bindings)]
        case RemoveBelief(atom):
            return [belief_deletion(atom, mind, bindings)]
        case Send(receiver, _, content):
            return [
                send(
                    formula,
                    substitute(receiver, bindings),
                    _instance(content, bindings),
                    mind,
                    bindings,
                    agents,
                )
            ]
        case Broadcast(force, content):
            message = _instance(content, bindings)
            for agent in agents:
                if agent != mind.agent:
                    mind.send(agent, force, message)
            return [FormulaResult("advance", bindings, f"broadcasts {force} {message}")]
        case Print(items):
            return [FormulaResult("advance", bindings, f"prints {_printed(items, bindings)}")]
        case Compare(relation, left, right):
            holds = compare(relation, substitute(left, bindings), substitute(right, bindings))
            return [
                FormulaResult(
                    "advance" if holds else "fail",
                    bindings,
                    f"{'finds' if holds else 'does not find'} {_told(formula, bindings)}",
                )
            ]
        case Unify():
            return [unification(formula, bindings)]
        case Compute():
            return [computation(formula, bindings)]
        case RandomItem() | RandomNumber():
            return random(formula, bindings)


def _needed(formula: Formula) -> Sequence[Term]:
    """The terms that must be known when the formula is executed: what leaves the plan."""
    match formula:
        case Act(atom) | AddBelief(atom):
            return (atom,)
        case Send(receiver, _, content):
            return (receiver, content)
        case Broadcast(_, content):
            return (content,)
    return ()


def basic_action(action: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """Appended to channel ``a``; the environment takes care of its execution."""
    mind.request(action)
    return FormulaResult("advance", bindings, f"requests {action}")


def achievement_goal(
    goal: Structure, mind: AgentState, index: int, bindings: Bindings
) -> FormulaResult:
    """Posts ``<+!at, i>``; the counter is not incremented and the instance is not enabled until its
    subplan has ended."""
    mind.post(Event("+", "achieve", rename_free_variables(goal), index))
    return FormulaResult("suspend", bindings, f"wants !{goal}")


def test_goal(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """The first belief that matches gives the values of free variables."""
    found = first_match(atom, mind.beliefs, bindings)
    if found is None:
        return FormulaResult(
            "fail", bindings, f"asks ?{substitute(atom, bindings)} and believes nothing of the kind"
        )
    belief, extended = found
    return FormulaResult(
        "advance", resolve_bindings(extended), f"asks ?{substitute(atom, bindings)}: {belief}"
    )


def belief_addition(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    new = mind.add_belief(atom, "other")
    return FormulaResult(
        "advance", bindings, f"adds {atom}" if new else f"adds {atom}, which it believes already"
    )


def belief_deletion(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """Removes the first belief that matches; without one nothing happens.  Free variables get no
    values: there may be no match."""
    found = first_match(atom, mind.beliefs, bindings)
    if found is None:
        return FormulaResult(
            "advance", bindings, f"removes {substitute(atom, bindings)}, which it does not believe"
        )
    removed, _ = found
    mind.remove_belief(removed)
    return FormulaResult("advance", bindings, f"removes {removed}")


def send(
    formula: Send,
    receiver: Term,
    content: Structure,
    mind: AgentState,
    bindings: Bindings,
    agents: Sequence[str],
) -> FormulaResult:
    """``.send(l, ilf, at)``: the message is in the receiver's mailbox at once."""
    name = show(receiver)
    if receiver != constant(name) or name not in agents:
        return FormulaResult(
            "fail", bindings, f"cannot send {content} to {name}, which is not an agent"
        )
    mind.send(name, formula.force, content)
    return FormulaResult("advance", bindings, f"sends {name} {formula.force} {content}")


def unification(formula: Unify, bindings: Bindings) -> FormulaResult:
    """Gives values to the variables that have none, so that both sides are the same."""
    found = unify(formula.left, formula.right, bindings)
    if found is None:
        return FormulaResult("fail", bindings, f"does not find {_told(formula, bindings)}")
    return FormulaResult("advance", resolve_bindings(found), f"finds {_told(formula, bindings)}")


def computation(formula: Compute, bindings: Bindings) -> FormulaResult:
    found = compute(formula, bindings)
    if found is None:
        return FormulaResult("fail", bindings, f"does not find {_told(formula, bindings)}")
    return FormulaResult("advance", resolve_bindings(found), f"computes {_told(formula, found)}")


def random(formula: RandomItem | RandomNumber, bindings: Bindings) -> Sequence[FormulaResult]:
    """A nondeterministic choice of a value for the last argument."""
    values: Sequence[Term] | None
    if isinstance(formula, RandomItem):
        values = list_items(substitute(formula.items, bindings))
    else:
        first, last = substitute(formula.first, bindings), substitute(formula.last, bindings)
        values = (
            range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else None
        )
    found = [unify(formula.result, value, bindings) for value in values or ()]
    steps = [
        FormulaResult("advance", resolve_bindings(each), f"draws {_told(formula, each)}")
        for each in found
        if each is not None
    ]
    return steps or [
        FormulaResult("fail", bindings, f"has nothing to choose from in {_told(formula, bindings)}")
    ]


def _instance(atom: Structure, bindings: Bindings) -> Structure:
    instance = substitute(atom, bindings)
    assert isinstance(instance, Structure)
    return instance


def _printed(items: Sequence[Term], bindings: Bindings) -> str:
    return "".join(
        each.value if isinstance(each, Text) else show(substitute(each, bindings)) for each in items
    )


def _told(
    formula: Compare | Unify | Compute | RandomItem | RandomNumber, bindings: Bindings
) -> str:
    """The formula with the values of its variables, in the notation of mathematics."""
    match formula:
        case Compare(relation, left, right):
            return (
                f"{show(substitute(left, bindings))} {relation} {show(substitute(right, bindings))}"
            )
        case Unify(left, right):
            return f"{show(substitute(left, bindings))} = {show(substitute(right, bindings))}"
        case Compute(function, left, right, result):
            left, right, result = (substitute(each, bindings) for each in (left, right, result))
            return f"{show(result)} = {show(left)} {function} {show(right)}"
        case RandomItem(items, result):
            return f"{show(substitute(result, bindings))} from {show(substitute(items, bindings))}"
        case RandomNumber(first, last, result):
            return (
                f"{show(substitute(result, bindings))} from {show(substitute(first, bindings))} "
                f"to {show(substitute(last, bindings))}"
            )
