"""What is written twice in a LISA project, can never be, or is not used: read as it stands, with a warning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from volition.diagnostics import Diagnostics, Span
from volition.languages.lisa.grouping import satisfiable, triggering_condition
from volition.languages.lisa.names import name_of
from volition.languages.lisa.project import Project
from volition.languages.lisa.syntax import (
    And,
    Belief,
    Call,
    Condition,
    Event,
    MentalAct,
    Not,
    PerceptEntry,
    PlanEntry,
    PlanStep,
    Rule,
    Sentence,
    beliefs_in,
)
from volition.logic.reading.property_file import StatedProperty

__all__ = ["check_leftovers"]

Key = tuple[object, ...]


def check_leftovers(project: Project, properties: Sequence[StatedProperty], diagnostics: Diagnostics) -> None:
    """Warn of everything in a project without mistakes that its author cannot have meant."""
    for what, span in _repeated(project):
        diagnostics.warning("LIS075", f"{what} is there twice", span, hint="leave one of the two out")
    for what, span in _impossible(project):
        diagnostics.warning("LIS076", f"{what} can never be true", span)
    asked = [f"_{name_of(each.text)}_" for each in properties]
    for sentence in _unused(project):
        if not any(f"_{sentence.name}_" in text for text in asked):
            message = f"the initial belief '{sentence.text}' is not used"
            diagnostics.warning("LIS077", message, sentence.span, hint="no plan, rule, percept or property mentions it")
    _check_rewards(project, diagnostics)


def _repeated(project: Project) -> Iterator[tuple[str, Span]]:
    """What says nothing that was not said before, in every section."""
    file = project.reasoning
    yield from _again((f"the initial belief '{each.text}'", (each.name,), each.span) for each in file.initial_beliefs)
    yield from _again((f"the initial action '{each}'", _step(each), each.span) for each in file.initial_actions)
    for entry in file.percepts:
        yield from _again((f"the condition '{each}'", _condition(each), entry.span) for each in entry.conditions)
    yield from _again((f"the rule for '{each.belief.text}'", _rule(each), each.span) for each in file.rules)
    yield from _again((f"plan {each.number}", _plan(each), each.span) for each in file.plans)
    for action in project.actions:
        yield from _again((f"the sentence '{each.text}'", (each.name,), each.span) for each in action.sentences)


def _again(items: Iterable[tuple[str, Key, Span]]) -> Iterator[tuple[str, Span]]:
    """Those that have the same key as one before."""
    seen: set[Key] = set()
    for what, key, span in items:
        if key in seen:
            yield what, span
        seen.add(key)


def _impossible(project: Project) -> Iterator[tuple[str, Span]]:
    """Conditions that no set of beliefs satisfies."""
    file = project.reasoning
    conditions: list[tuple[str, Condition, Span]] = [
        *((f"the condition of '{each.sentence.text}'", And(each.conditions), each.span) for each in file.percepts if each.conditions),
        *(("the condition of this rule", each.condition, each.span) for each in file.rules),
        *((f"the triggering condition of plan {each.number}", triggering_condition(each), each.span) for each in file.plans),
    ]
    return ((what, span) for what, condition, span in conditions if not satisfiable([condition]))


def _unused(project: Project) -> Iterator[Sentence]:
    """Initial beliefs that are mentioned nowhere else in the program."""
    file = project.reasoning
    mentioned = {sentence.name for plan in file.plans for sentence in (plan.event.belief, *beliefs_in(plan.context))}
    mentioned |= {sentence.name for rule in file.rules for sentence in (rule.belief, *beliefs_in(rule.condition))}
    mentioned |= {sentence.name for entry in file.percepts for sentence in (entry.sentence, *beliefs_in(And(entry.conditions)))}
    mentioned |= {each.sentence.name for action in project.actions for each in action.feedbacks}
    steps = (*file.initial_actions, *(step for plan in file.plans for step in plan.steps))
    mentioned |= {step.belief.name for step in steps if isinstance(step, MentalAct)}
    return (sentence for sentence in file.initial_beliefs if sentence.name not in mentioned)


def _check_rewards(project: Project, diagnostics: Diagnostics) -> None:
    """Two rewards whose names differ in case only are probably one."""
    file = project.reasoning
    earning: list[PerceptEntry | PlanStep] = [*file.percepts, *(step for plan in file.plans for step in plan.steps)]
    spelt: dict[str, str] = {}
    for item in earning:
        for name in item.rewards:
            if (before := spelt.setdefault(name.lower(), name)) != name:
                message = f"the reward '{name}' is not the reward '{before}'"
                diagnostics.warning("LIS078", message, item.span, hint="give them the same name, or names that differ by more than case")
                spelt[name.lower()] = name


# --- what is compared: the same beliefs and actions, wherever they stand ------------------------------------------------


def _condition(condition: Condition) -> Key:
    match condition:
        case Belief(sentence):
            return ("belief", sentence.name)
        case Not(operand):
            return ("not", _condition(operand))
        case And(operands):
            return ("and", *map(_condition, operands))
    return (type(condition).__name__, str(condition).lower())


def _step(step: PlanStep) -> Key:
    rewards = tuple(step.rewards.items())
    return ("call", step.sentence.name, rewards) if isinstance(step, Call) else (step.adds, step.belief.name, rewards)


def _event(event: Event) -> Key:
    return (event.kind, event.belief.name)


def _rule(rule: Rule) -> Key:
    return (_condition(rule.condition), rule.adds, rule.belief.name)


def _plan(plan: PlanEntry) -> Key:
    return (_event(plan.event), _condition(plan.context), *map(_step, plan.steps))
