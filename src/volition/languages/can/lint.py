"""Static checks for warnings about CAN programs. The program can be executed, but perhaps does not
do what its author intended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.can.conditions import (
    BeliefAtom,
    Comparison,
    Condition,
    Expression,
    NumericBelief,
    Parameters,
    SyntaxNode,
    Valuation,
    holds,
    nodes,
    value,
)
from volition.languages.can.printing import condition_text
from volition.languages.can.sections import NAME
from volition.languages.can.step_names import raised_events
from volition.languages.can.syntax import (
    Act,
    AddBelief,
    AgentProgram,
    Assign,
    Plan,
    RemoveBelief,
    changes,
    conditions,
    parts,
)
from volition.languages.can.vocabulary import RESERVED_LABELS, Vocabulary
from volition.languages.common.duplicates import duplicates, warn_similar_names
from volition.logic.parsing.operands import OPERATORS

__all__ = ["can_hold", "lint"]

_MAX_CASES = 4096
_NAME = re.compile(NAME)


def lint(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    """Report warnings about a program without errors."""
    _lint_beliefs_never_true(agent, vocabulary, diagnostics)
    _lint_conditions_never_true(agent, vocabulary, parameters, diagnostics)
    _lint_events_without_plan(agent, diagnostics)
    _lint_plans_that_never_apply(agent, vocabulary, parameters, diagnostics)
    _lint_unused_plans_and_actions(agent, diagnostics)
    _lint_recursion(agent, diagnostics)
    _lint_hidden_labels(vocabulary, diagnostics)
    _lint_unused_names(agent, vocabulary, diagnostics)
    _lint_duplicates(agent, diagnostics)
    _lint_outcomes(agent, diagnostics)
    warn_similar_names("reward", [(each.name, each.span) for each in agent.rewards], diagnostics)
    warn_similar_names(
        "belief", (*vocabulary.beliefs.items(), *vocabulary.quantities.items()), diagnostics
    )


def _lint_beliefs_never_true(
    agent: AgentProgram, vocabulary: Vocabulary, diagnostics: Diagnostics
) -> None:
    atom = (
        node
        for condition in conditions(agent)
        for node in nodes(condition)
        if isinstance(node, BeliefAtom)
    )
    reported: set[str] = set()
    for belief in atom:
        if belief.name not in vocabulary.possibly_true and belief.name not in reported:
            reported.add(belief.name)
            hint = did_you_mean(belief.name, vocabulary.possibly_true)
            diagnostics.warning(
                "CAN040",
                f"the belief '{belief.name}' never holds: it is neither initial nor added later",
                belief.span,
                hint=hint,
            )
    for change in changes(agent):
        if (
            isinstance(change, RemoveBelief)
            and change.name not in vocabulary.possibly_true
            and change.name not in reported
        ):
            reported.add(change.name)
            hint = did_you_mean(change.name, vocabulary.possibly_true)
            message = f"the belief '{change.name}' never holds, so there is nothing to delete"
            diagnostics.warning("CAN040", message, change.span, hint=hint)


def _lint_events_without_plan(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    handled = {plan.event for plan in agent.plans}
    for event in agent.events:
        if event.name not in handled:
            hint = did_you_mean(event.name, handled)
            diagnostics.warning(
                "CAN041",
                f"event '{event.name}' has no plan, so its intention blocks",
                event.span,
                hint=hint,
            )
    if not agent.events:
        diagnostics.warning(
            "CAN046",
            "there are no external events, so the agent does nothing",
            hint="list them under '// External events'",
        )


def _lint_unused_plans_and_actions(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    raised = raised_events(agent)
    reached: set[str] = set()
    found = [event.name for event in agent.events]
    while found:
        event = found.pop()
        if event not in reached:
            reached.add(event)
            found += raised.get(event, ())
    for plan in agent.plans:
        if plan.event not in reached:
            diagnostics.warning(
                "CAN043",
                f"plan {plan.number} is never used: nothing raises event '{plan.event}'",
                plan.span,
            )
    acted = {
        part.name for plan in agent.plans for part in parts(plan.body) if isinstance(part, Act)
    }
    for action in agent.actions:
        if action.name not in acted:
            diagnostics.warning("CAN044", f"the action '{action.name}' is never used", action.span)


def _lint_recursion(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    first: dict[str, Plan] = {}
    for plan in agent.plans:
        first.setdefault(plan.event, plan)
    reported: set[str] = set()
    for cycle in _cycles(raised_events(agent)):
        if reported.isdisjoint(cycle):
            reported.update(cycle)
            # Start the cycle at the event whose first plan comes first in the program.
            start = min(range(len(cycle)), key=lambda i: first[cycle[i]].number)
            event = cycle[start]
            path = " to ".join([*cycle[start:], *cycle[:start], event])
            message = (
                f"event '{event}' can raise itself ({path}): its intention, and so the state "
                "space, may be unbounded"
            )
            diagnostics.warning(
                "CAN045", message, first[event].span, hint="use a declarative goal for repetition"
            )


def _lint_hidden_labels(vocabulary: Vocabulary, diagnostics: Diagnostics) -> None:
    for name in RESERVED_LABELS:
        if name in vocabulary.beliefs:
            diagnostics.warning(
                "CAN047",
                f"the belief '{name}' hides the built-in label of the same name",
                vocabulary.beliefs[name],
            )
    for name, label in vocabulary.labels.items():
        if name in OPERATORS or name in ("true", "false", "not", "and", "or"):
            kind = "a constant" if name in ("true", "false") else "an operator"
            message = (
                f"the label '{name}' cannot be used in formulas without quotation marks: there, "
                f"{name} is {kind}"
            )
            diagnostics.warning(
                "CAN047",
                message,
                label.span,
                hint=f'rename it, or write "{name}" in quotation marks',
            )


def _lint_unused_names(
    agent: AgentProgram, vocabulary: Vocabulary, diagnostics: Diagnostics
) -> None:
    """Warn about initial beliefs and parameters that neither the program nor its properties use."""
    queried = {name for stated in agent.properties for name in _NAME.findall(stated.text)}
    for belief in (belief for base in agent.bases for belief in base.beliefs):
        if belief.name not in vocabulary.names_used and belief.name not in queried:
            hint = did_you_mean(belief.name, vocabulary.names_used)
            diagnostics.warning(
                "CAN048",
                f"the initial belief '{belief.name}' is never used",
                belief.span,
                hint=hint,
            )
    _lint_beliefs_never_read(agent, queried, diagnostics)
    used = vocabulary.used_parameters | queried
    for parameter in agent.parameters:
        if parameter.name not in used:
            diagnostics.warning(
                "CAN048", f"the parameter '{parameter.name}' is never used", parameter.span
            )


def _lint_beliefs_never_read(
    agent: AgentProgram, queried: set[str], diagnostics: Diagnostics
) -> None:
    """Warn about beliefs that are added or changed but never read.

    If the file has no properties, properties on the command line may read a belief. Then a belief
    is reported only if its name resembles that of a belief that is read.
    """
    numbers: list[tuple[str, Expression]] = [
        (each.name, each.expression) for each in changes(agent) if isinstance(each, Assign)
    ]
    numbers += [("", item.amount) for reward in agent.rewards for item in reward.items]
    numbers += [
        ("", outcome.probability) for action in agent.actions for outcome in action.outcomes
    ]
    read = {
        node.name
        for condition in conditions(agent)
        for node in nodes(condition)
        if isinstance(node, BeliefAtom | NumericBelief)
    } | queried
    read |= {
        node.name
        for own, number in numbers
        for node in nodes(number)
        if isinstance(node, NumericBelief) and node.name != own
    }
    reported: set[str] = set()
    for change in changes(agent):
        if isinstance(change, AddBelief | Assign) and change.name not in read | reported:
            reported.add(change.name)
            hint = did_you_mean(change.name, read)
            if hint is not None or agent.properties:
                how = "added" if isinstance(change, AddBelief) else "changed"
                diagnostics.warning(
                    "CAN056",
                    f"the belief '{change.name}' is {how}, but neither the program nor its own "
                    "properties read it",
                    change.span,
                    hint=hint,
                )


def _lint_duplicates(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    """Warn about identical plans, background changes and decisions."""
    sections: Mapping[str, Sequence[SyntaxNode]] = {
        "plan": agent.plans,
        "background change": agent.background,
        "decision": agent.decisions,
    }
    for kind, written in sections.items():
        first: dict[SyntaxNode, SyntaxNode] = {}
        for each in written:
            same = replace(each, number=0) if isinstance(each, Plan) else each
            before = first.setdefault(same, each)
            if before is not each:
                where = f", first in line {before.span.line}" if before.span else ""
                diagnostics.warning("CAN049", f"duplicate {kind}{where}", each.span)


def _lint_outcomes(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    """Warn about two equal outcomes of one action, and about atoms that one outcome both deletes
    and adds."""
    for action in agent.actions:
        for outcome, before in duplicates(
            [((each.deleted, each.added), each) for each in action.outcomes]
        ):
            where = f", first in line {before.span.line}" if before.span else ""
            diagnostics.warning(
                "CAN049",
                f"duplicate outcome{where}",
                outcome.span,
                hint="merge them and add up their probabilities",
            )
        for outcome in action.outcomes:
            added = {change.name for change in outcome.added}
            for change in (change for change in outcome.deleted if change.name in added):
                message = (
                    f"the belief '{change.name}' is both deleted and added by this outcome, so it "
                    "holds afterwards"
                )
                diagnostics.warning("CAN052", message, change.span, hint="remove one of them")


def _cycles(raised: dict[str, list[str]]) -> Iterator[list[str]]:
    """Yield cycles of events in which each event raises the next one and the last raises the first.

    ``raised`` maps each event to the events that its plans may raise. Not all cycles are found, but
    at least one in every set of events that raise each other.
    """
    done: set[str] = set()
    for root in raised:
        path: dict[str, Iterator[str]] = {} if root in done else {root: iter(raised[root])}
        while path:
            event, following = next(reversed(path.items()))
            raises = next(following, None)
            if raises is None:
                del path[event]
                done.add(event)
            elif raises in path:
                under_way = list(path)
                yield under_way[under_way.index(raises) :]
            elif raises not in done:
                path[raises] = iter(raised.get(raises, ()))


# --- conditions that are never true ---------------------------------------------------------------


def _lint_plans_that_never_apply(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    for plan in agent.plans:
        if not can_hold(plan.context, agent, vocabulary, parameters):
            message = (
                f"plan {plan.number} for '{plan.event}' can never apply: "
                f"{condition_text(plan.context)} is never true"
            )
            diagnostics.warning("CAN042", message, plan.context.span)


def _lint_conditions_never_true(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    queried: list[tuple[str, Condition]] = [
        *(
            (f"the action '{action.name}' can never be executed", action.precondition)
            for action in agent.actions
        ),
        *(("this change never happens", background.condition) for background in agent.background),
    ]
    for what, condition in queried:
        if not can_hold(condition, agent, vocabulary, parameters):
            diagnostics.warning(
                "CAN042", f"{what}: {condition_text(condition)} is never true", condition.span
            )


def can_hold(
    condition: Condition, agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters
) -> bool:
    """Return whether a condition may become true: it holds for some combination of the values that
    its beliefs may take.

    The result is also True if this cannot be decided: if there are too many combinations, or if a
    numeric belief is compared with something that is not constant.
    """
    thresholds: dict[str, set[Fraction]] = {}
    for node in nodes(condition):
        if isinstance(node, Comparison):
            compared = _against_constant(node.left, node.right, parameters) or _against_constant(
                node.right, node.left, parameters
            )
            if compared is None:
                return True
            thresholds.setdefault(compared[0], set()).add(compared[1])
    cases: dict[str, Sequence[bool | Fraction]] = {}
    for name in {node.name for node in nodes(condition) if isinstance(node, BeliefAtom)}:
        cases[name] = vocabulary.possible_truth_values(name)
    for name, numbers in thresholds.items():
        cases[name] = list(_numbers(name, numbers, agent, vocabulary, parameters))
    if prod(len(each) for each in cases.values()) > _MAX_CASES:
        return True
    trials = (dict(zip(cases, values, strict=True)) for values in product(*cases.values()))
    return any(holds(condition, Valuation(trial, parameters)) for trial in trials)


def _against_constant(
    left: Expression, right: Expression, parameters: Parameters
) -> tuple[str, Fraction] | None:
    if isinstance(left, NumericBelief) and not any(
        isinstance(node, NumericBelief) for node in nodes(right)
    ):
        return left.name, value(right, Valuation({}, parameters))
    return None


def _numbers(
    name: str,
    thresholds: set[Fraction],
    agent: AgentProgram,
    vocabulary: Vocabulary,
    parameters: Parameters,
) -> Iterator[Fraction]:
    """Yield the values of the numeric belief ``name`` that :func:`can_hold` has to try. Together
    they produce every possible result of the comparisons of the belief with ``thresholds``.

    If the program never assigns the belief, these are its initial values. Otherwise they are the
    thresholds, one value between every two neighbours, and one value beyond each end.
    """
    if name not in vocabulary.assigned:
        for belief in (belief for base in agent.bases for belief in base.beliefs):
            if belief.name == name and belief.expression is not None:
                yield value(belief.expression, Valuation({}, parameters))
        return
    ordered = sorted(thresholds)
    yield from (ordered[0] - 1, *ordered, ordered[-1] + 1)
    yield from ((low + high) / 2 for low, high in pairwise(ordered))
