"""Tables that show a parsed CAN program, for ``volition show`` and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from volition.languages.can.conditions import Parameters, SyntaxNode, Valuation, value
from volition.languages.can.printing import (
    background_text,
    body_text,
    condition_text,
    decision_text,
    initial_text,
    number_text,
    policy_text,
    target_text,
)
from volition.languages.can.syntax import (
    Action,
    AddBelief,
    AgentProgram,
    BeliefBase,
    DropPolicy,
    Policy,
    PolicyTarget,
)
from volition.languages.protocols import Table

__all__ = ["tables"]


def tables(
    agent: AgentProgram,
    base: BeliefBase,
    parameters: Parameters,
    policies: Mapping[PolicyTarget, Policy],
    update: DropPolicy,
) -> Sequence[Table]:
    """Return the tables that show a program and its settings, such as its plans and actions. Tables
    without rows are left out."""
    constant = Valuation({}, parameters)
    rewards = [
        [reward.name, target_text(earning.target), number_text(value(earning.amount, constant))]
        for reward in agent.rewards
        for earning in reward.items
    ]
    options = [[selection, policy_text(policy)] for selection, policy in policies.items()]
    options += [["update", update]] if update != "any" else []
    initial = (
        f"Initial beliefs ({base.number} of {len(agent.bases)})"
        if len(agent.bases) > 1
        else "Initial beliefs"
    )
    all_tables = [
        Table(
            "Parameters",
            ["name", "value"],
            [[name, number_text(number)] for name, number in parameters.items()],
        ),
        Table(initial, ["belief"], [[initial_text(belief)] for belief in base.beliefs]),
        Table(
            "External events",
            ["number", "event"],
            [[str(event.number), event.name] for event in agent.events],
        ),
        Table(
            "Plans",
            ["plan", "line", "event", "context", "body"],
            [
                [
                    str(plan.number),
                    _line(plan),
                    plan.event,
                    condition_text(plan.context),
                    body_text(plan.body),
                ]
                for plan in agent.plans
            ],
        ),
        Table(
            "Actions",
            ["action", "precondition", "probability", "deletes", "adds"],
            [row for action in agent.actions for row in _action_rows(action, constant)],
        ),
        Table(
            "Background",
            ["after every A_event and A_step"],
            [[background_text(each)] for each in agent.background],
        ),
        Table(
            "Labels",
            ["label", "holds when"],
            [[label.name, condition_text(label.condition)] for label in agent.labels],
        ),
        Table("Rewards", ["reward", "earned by", "amount"], rewards),
        Table("Policies", ["selects", "how"], options),
        Table("Decisions", ["decision"], [[decision_text(each)] for each in agent.decisions]),
    ]
    return [table for table in all_tables if table.rows]


def _action_rows(action: Action, constant: Valuation) -> Iterator[list[str]]:
    """Yield the rows of an action in the table of actions, one per outcome. Only the first row has
    the action's name and precondition."""
    for i, outcome in enumerate(action.outcomes):
        head = [action.name, condition_text(action.precondition)] if i == 0 else ["", ""]
        deletes = ", ".join(change.name for change in outcome.deleted)
        adds = ", ".join(
            change.name if isinstance(change, AddBelief) else body_text(change)
            for change in outcome.added
        )
        yield [*head, number_text(value(outcome.probability, constant)), deletes, adds]


def _line(node: SyntaxNode) -> str:
    return str(node.span.line) if node.span else ""
