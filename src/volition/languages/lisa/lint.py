"""Warnings about a LISA project without errors: duplicates, conditions that are never true, and
unused declarations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from volition.diagnostics import Diagnostics, Span
from volition.languages.common.duplicates import duplicates, warn_similar_names
from volition.languages.lisa.names import name_of
from volition.languages.lisa.plan_groups import satisfiable, triggering_condition
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.syntax import (
    ActionCall,
    And,
    BeliefAtom,
    BooleanLiteral,
    ClassUse,
    Condition,
    MentalAction,
    Not,
    Or,
    PerceptEntry,
    PlanEntry,
    PlanStep,
    ReasoningRule,
    SendMessage,
    Sentence,
    Trigger,
    WithdrawPlan,
    beliefs_in,
)
from volition.logic.parsing.property_file import UnparsedProperty

__all__ = ["lint_project"]

Key = tuple[object, ...]


def lint_project(
    project: AgentFiles, properties: Sequence[UnparsedProperty], diagnostics: Diagnostics
) -> None:
    """Warn about statements of a project that the author is unlikely to have intended. The project
    must have no errors."""
    for what, span in _duplicates(project):
        diagnostics.warning("LIS075", f"{what} appears twice", span, hint="remove one of them")
    for what, span in _unsatisfiable(project):
        diagnostics.warning("LIS076", f"{what} is never true", span)
    queried = [f"_{name_of(each.text)}_" for each in properties]
    for sentence in _unused(project):
        if not any(f"_{sentence.name}_" in text for text in queried):
            message = f"the initial belief '{sentence.text}' is never used"
            diagnostics.warning(
                "LIS077",
                message,
                sentence.span,
                hint="no plan, rule, percept or property mentions it",
            )
    for use in _unused_objects(project):
        message = f"the object '{use.object_name.text}' is never used"
        diagnostics.warning(
            "LIS079",
            message,
            use.object_name.span,
            hint="no sentence of a plan or initial action mentions it",
        )
    earning: list[PerceptEntry | PlanStep] = [*project.reasoning.percepts, *_steps(project)]
    warn_similar_names(
        "reward", [(name, item.span) for item in earning for name in item.rewards], diagnostics
    )


def _duplicates(project: AgentFiles) -> Iterator[tuple[str, Span]]:
    """Return the description and span of each statement that repeats an earlier one of the same
    section."""
    return (
        item
        for item, _ in duplicates(
            [((section, *key), (what, span)) for section, key, what, span in _statements(project)]
        )
    )


def _statements(project: AgentFiles) -> Iterator[tuple[object, Key, str, Span]]:
    """Yield each statement of a project as a tuple: its section, a :data:`Key` that is equal for
    equal statements, a description for messages, and its span."""
    file = project.reasoning
    for belief in file.initial_beliefs:
        yield "initial beliefs", (belief.name,), f"the initial belief '{belief.text}'", belief.span
    for step in file.initial_actions:
        yield "initial actions", _step(step), f"the initial action '{step}'", step.span
    for entry in file.percepts:
        for condition in entry.conditions:
            yield entry.span, _condition(condition), f"the condition '{condition}'", entry.span
    for rule in file.rules:
        yield "rules", _rule(rule), f"the rule for '{rule.belief.text}'", rule.span
    for plan in file.plans:
        yield "plans", _plan(plan), f"plan {plan.number}", plan.span
    for action in project.actions:
        for sentence in action.sentences:
            yield action.span, (sentence.name,), f"the sentence '{sentence.text}'", sentence.span


def _unsatisfiable(project: AgentFiles) -> Iterator[tuple[str, Span]]:
    """Return a description and the span of each condition that is never true, whatever the beliefs
    are."""
    file = project.reasoning
    conditions: list[tuple[str, Condition, Span]] = [
        *(
            (f"the condition of '{each.sentence.text}'", And(each.conditions), each.span)
            for each in file.percepts
            if each.conditions
        ),
        *(("the condition of this rule", each.condition, each.span) for each in file.rules),
        *(
            (
                f"the triggering condition of plan {each.number}",
                triggering_condition(each),
                each.span,
            )
            for each in file.plans
        ),
    ]
    return ((what, span) for what, condition, span in conditions if not satisfiable([condition]))


def _unused(project: AgentFiles) -> Iterator[Sentence]:
    """Return the initial beliefs that the program mentions nowhere else."""
    file = project.reasoning
    mentioned = {
        sentence.name
        for plan in file.plans
        for sentence in (plan.event.belief, *beliefs_in(plan.context))
    }
    mentioned |= {
        sentence.name
        for rule in file.rules
        for sentence in (rule.belief, *beliefs_in(rule.condition))
    }
    mentioned |= {
        sentence.name
        for entry in file.percepts
        for sentence in (entry.sentence, *beliefs_in(And(entry.conditions)))
    }
    mentioned |= {each.sentence.name for action in project.actions for each in action.feedbacks}
    mentioned |= {step.belief.name for step in _steps(project) if isinstance(step, MentalAction)}
    return (sentence for sentence in file.initial_beliefs if sentence.name not in mentioned)


def _unused_objects(project: AgentFiles) -> Iterator[ClassUse]:
    """Return the declared objects (arguments of actions) that no call of an action mentions."""
    file = project.reasoning
    words = {
        word
        for step in _steps(project)
        if isinstance(step, ActionCall)
        for word in step.sentence.text.split()
    }
    return (use for use in file.objects if use.object_name.text not in words)


def _steps(project: AgentFiles) -> list[PlanStep]:
    file = project.reasoning
    return [*file.initial_actions, *(step for plan in file.plans for step in plan.steps)]


# --- keys that are equal for statements with the same meaning -------------------------------------


def _condition(condition: Condition) -> Key:
    match condition:
        case BeliefAtom(sentence):
            return ("belief", sentence.name)
        case Not(operand):
            return ("not", _condition(operand))
        case And(operands):
            return ("and", *map(_condition, operands))
        case BooleanLiteral() | Or():
            return (type(condition).__name__, str(condition).lower())
        case _:
            assert_never(condition)


def _step(step: PlanStep) -> Key:
    rewards = tuple(step.rewards.items())
    match step:
        case ActionCall():
            return ("call", step.sentence.name, rewards)
        case MentalAction():
            return (step.adds, step.belief.name, rewards)
        case SendMessage():
            return ("send", step.message.name, *(each.name for each in step.receivers), rewards)
        case WithdrawPlan():
            return ("withdraw", step.number, rewards)
        case _:
            assert_never(step)


def _event(event: Trigger) -> Key:
    return (event.kind, event.belief.name)


def _rule(rule: ReasoningRule) -> Key:
    return (_condition(rule.condition), rule.adds, rule.belief.name)


def _plan(plan: PlanEntry) -> Key:
    return (_event(plan.event), _condition(plan.context), *map(_step, plan.steps))
