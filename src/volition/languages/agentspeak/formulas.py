"""Execution of the formulas in a plan body (Bordini et al., Sect. 4.1), with one function per kind
of formula.

A function may write to the agent's state. It returns the effect on the plan instance as a
:class:`FormulaResult`. Only ``.random`` returns several results, as a nondeterministic choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

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
    """Effect of an executed formula of a plan body on the plan instance, with a readable text. The
    ``outcome`` is one of:

    - ``advance``: the instance continues with the next formula.
    - ``suspend``: the instance waits for an event that it posted.
    - ``fail``: the formula cannot be executed.
    """

    outcome: Literal["advance", "suspend", "fail"]
    bindings: Bindings
    text: str


def execute(
    formula: Formula, mind: AgentState, index: int, bindings: Bindings, agents: Sequence[str]
) -> Sequence[FormulaResult]:
    """Execute the current formula of a plan instance, given by its index in the agent's ``means``,
    and return the possible results."""
    if not all(is_ground(substitute(term, bindings)) for term in _terms_to_be_ground(formula)):
        # A variable without a value remains if the plan for an earlier goal of this plan did not
        # give a value to one of the goal's variables.
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
            text = f"checks {_infix_text(formula, bindings)}"
            return [
                FormulaResult("advance", bindings, text)
                if holds
                else FormulaResult("fail", bindings, f"{text}, which is false")
            ]
        case Unify():
            return [unification(formula, bindings)]
        case Compute():
            return [computation(formula, bindings)]
        case RandomItem() | RandomNumber():
            return random(formula, bindings)
        case _:
            assert_never(formula)


def _terms_to_be_ground(formula: Formula) -> Sequence[Term]:
    """Return the terms of a formula that must be ground when it is executed, because they are
    passed outside the plan."""
    match formula:
        case Act(atom) | AddBelief(atom):
            return (atom,)
        case Send(receiver, _, content):
            return (receiver, content)
        case Broadcast(_, content):
            return (content,)
        case (
            Achieve()
            | Test()
            | RemoveBelief()
            | Print()
            | Compare()
            | Unify()
            | Compute()
            | RandomItem()
            | RandomNumber()
        ):
            pass
        case _:
            assert_never(formula)
    return ()


def basic_action(action: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """Append a basic action to channel ``a``, the queue of requested actions. The environment
    executes it later."""
    mind.request(action)
    return FormulaResult("advance", bindings, f"requests {action}")


def achievement_goal(
    goal: Structure, mind: AgentState, index: int, bindings: Bindings
) -> FormulaResult:
    """Execute ``!at`` in a plan body: post the event ``<+!at, i>`` for the achievement goal. The
    plan instance waits at this formula until the subplan for the goal has ended."""
    mind.post(Event("+", "achieve", rename_free_variables(goal), index))
    return FormulaResult("suspend", bindings, f"wants !{goal}")


def test_goal(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """Bind the free variables of a test goal by its first matching belief, or fail if there is
    none."""
    found = first_match(atom, mind.beliefs, bindings)
    if found is None:
        return FormulaResult(
            "fail", bindings, f"tests ?{substitute(atom, bindings)}, but no belief matches"
        )
    belief, extended = found
    return FormulaResult(
        "advance", resolve_bindings(extended), f"tests ?{substitute(atom, bindings)}: {belief}"
    )


def belief_addition(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    new = mind.add_belief(atom, "other")
    return FormulaResult(
        "advance", bindings, f"adds {atom}" if new else f"adds {atom}, which it believes already"
    )


def belief_deletion(atom: Structure, mind: AgentState, bindings: Bindings) -> FormulaResult:
    """Remove the first belief that matches the atom, if any. Free variables are not bound, because
    there may be no match."""
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
    """Execute ``.send(receiver, performative, atom)``: put the message into the receiver's mailbox
    immediately."""
    name = show(receiver)
    if receiver != constant(name) or name not in agents:
        return FormulaResult(
            "fail", bindings, f"cannot send {content} to {name}, which is not an agent"
        )
    mind.send(name, formula.force, content)
    return FormulaResult("advance", bindings, f"sends {name} {formula.force} {content}")


def unification(formula: Unify, bindings: Bindings) -> FormulaResult:
    """Unify both sides of ``X = t``, which binds their free variables."""
    found = unify(formula.left, formula.right, bindings)
    if found is None:
        return FormulaResult("fail", bindings, f"cannot unify {_infix_text(formula, bindings)}")
    text = f"unifies {_infix_text(formula, bindings)}"
    return FormulaResult("advance", resolve_bindings(found), text)


def computation(formula: Compute, bindings: Bindings) -> FormulaResult:
    found = compute(formula, bindings)
    if found is None:
        return FormulaResult("fail", bindings, f"cannot compute {_infix_text(formula, bindings)}")
    text = f"computes {_infix_text(formula, found)}"
    return FormulaResult("advance", resolve_bindings(found), text)


def random(formula: RandomItem | RandomNumber, bindings: Bindings) -> Sequence[FormulaResult]:
    """Execute ``.random``: return one result per possible value of its last argument (a
    nondeterministic choice)."""
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
        FormulaResult("advance", resolve_bindings(each), f"draws {_infix_text(formula, each)}")
        for each in found
        if each is not None
    ]
    return steps or [
        FormulaResult(
            "fail", bindings, f"has nothing to choose from in {_infix_text(formula, bindings)}"
        )
    ]


def _instance(atom: Structure, bindings: Bindings) -> Structure:
    instance = substitute(atom, bindings)
    assert isinstance(instance, Structure)
    return instance


def _printed(items: Sequence[Term], bindings: Bindings) -> str:
    return "".join(
        each.value if isinstance(each, Text) else show(substitute(each, bindings)) for each in items
    )


def _infix_text(
    formula: Compare | Unify | Compute | RandomItem | RandomNumber, bindings: Bindings
) -> str:
    """Return the text of a comparison or computation in infix notation, with the values of its
    variables."""
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
        case _:
            assert_never(formula)
