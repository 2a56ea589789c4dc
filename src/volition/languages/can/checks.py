"""Static checks for errors in CAN programs. A program that passes them can be executed. Each
function checks for one kind of error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.can.conditions import (
    Arithmetic,
    Condition,
    EventPhase,
    Expression,
    NumericBelief,
    Parameter,
    Parameters,
    SyntaxNode,
    Valuation,
    nodes,
    value,
)
from volition.languages.can.printing import number_text, target_text
from volition.languages.can.rules import AGENT_RULES, RULE_NAMES
from volition.languages.can.step_names import check_step_names
from volition.languages.can.syntax import (
    Action,
    AgentProgram,
    Assign,
    EventGoal,
    Label,
    Nil,
    Reward,
    RuleTarget,
    Sequence,
    changes,
    conditions,
    parts,
)
from volition.languages.can.vocabulary import RESERVED_LABELS, Vocabulary

__all__ = ["check", "check_divisors", "constant", "parameter_values"]


def check(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    """Report every error in a program to ``diagnostics``. ``parameters`` are the values of its
    parameters."""
    vocabulary.check_roles(diagnostics)
    _check_declared_once(agent, diagnostics)
    _check_calls(agent, vocabulary, diagnostics)
    _check_nil(agent, diagnostics)
    _check_numeric_beliefs(agent, vocabulary, parameters, diagnostics)
    _check_divisions(agent, parameters, diagnostics)
    _check_outcomes(agent, parameters, diagnostics)
    _check_rewards(agent, vocabulary, parameters, diagnostics)
    _check_phases(agent, diagnostics)
    _check_unique_values(agent, diagnostics)
    _check_built_in_names(agent, diagnostics)
    check_step_names(agent, diagnostics)


# --- values of constant expressions ---------------------------------------------------------------


def parameter_values(
    agent: AgentProgram, given: Mapping[str, Fraction], diagnostics: Diagnostics
) -> dict[str, Fraction]:
    """Return the value of each parameter of a program: the value in ``given`` or, if there is none,
    the declared one. A declaration may use the parameters declared before it."""
    values: dict[str, Fraction] = {}
    for declared in agent.parameters:
        if declared.name in given:
            values[declared.name] = given[declared.name]
        else:
            number = constant(
                declared.expression,
                values,
                f"the value of parameter '{declared.name}'",
                diagnostics,
            )
            values[declared.name] = Fraction(0) if number is None else number
    return values


def constant(
    expression: Expression, parameters: Parameters, what: str, diagnostics: Diagnostics
) -> Fraction | None:
    """Return the value of an expression that must be constant. If it is not, report an error that
    names ``what``, and return None."""
    for node in nodes(expression):
        if isinstance(node, NumericBelief) or (
            isinstance(node, Parameter) and node.name not in parameters
        ):
            hint = (
                did_you_mean(node.name, parameters)
                or "only numbers and parameters declared earlier are allowed"
            )
            diagnostics.error(
                "CAN025", f"{what} cannot depend on '{node.name}'", node.span, hint=hint
            )
            return None
    try:
        return value(expression, Valuation({}, parameters))
    except ZeroDivisionError:
        diagnostics.error("CAN026", f"{what} divides by zero", expression.span)
        return None


# --- checks of names ------------------------------------------------------------------------------


def _check_declared_once(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    kinds: Mapping[str, Iterable[Action | Label | Reward]] = {
        "action": agent.actions,
        "label": agent.labels,
        "reward": agent.rewards,
    }
    for kind, declarations in kinds.items():
        seen: dict[str, int] = {}
        for declaration in declarations:
            line = declaration.span.line if declaration.span else 0
            if declaration.name in seen:
                message = (
                    f"the {kind} '{declaration.name}' is declared twice, first in line "
                    f"{seen[declaration.name]}"
                )
                diagnostics.error("CAN024", message, declaration.span)
            seen.setdefault(declaration.name, line)


def _check_unique_values(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    """Report an error for each name that gets two values in one belief base, outcome, background
    change or reward."""
    for base in agent.bases:
        _report_second_value(
            [(belief.name, belief) for belief in base.beliefs],
            "already has an initial value",
            diagnostics,
        )
    for outcome in (outcome for action in agent.actions for outcome in action.outcomes):
        _report_second_value(
            [(change.name, change) for change in outcome.deleted], "is already deleted", diagnostics
        )
        _report_second_value(
            [(change.name, change) for change in outcome.added],
            "already gets a value in this outcome",
            diagnostics,
        )
    for background in agent.background:
        _report_second_value(
            [(change.name, change) for change in background.changes],
            "already changes in this statement",
            diagnostics,
        )
    for reward in agent.rewards:
        _report_second_value(
            [(target_text(each.target), each) for each in reward.items],
            f"already earns '{reward.name}'",
            diagnostics,
        )


def _report_second_value(
    named: Iterable[tuple[str, SyntaxNode]], problem: str, diagnostics: Diagnostics
) -> None:
    first: dict[str, SyntaxNode] = {}
    for name, node in named:
        if first.setdefault(name, node) is not node:
            diagnostics.error("CAN034", f"'{name}' {problem}", node.span, hint="remove one of them")


def _check_built_in_names(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    """Report an error for each label with the name of a built-in label, because it would change the
    meaning of formulas."""
    for label in agent.labels:
        if label.name in RESERVED_LABELS:
            message = f"a label cannot be called '{label.name}': this is a built-in label"
            diagnostics.error("CAN035", message, label.span, hint="rename it")


def _check_calls(agent: AgentProgram, vocabulary: Vocabulary, diagnostics: Diagnostics) -> None:
    """Report an error for each name in a plan body that is neither an action nor an event."""
    for plan in agent.plans:
        for part in parts(plan.body):
            if isinstance(part, EventGoal) and part.name not in vocabulary.events:
                hint = did_you_mean(part.name, [*vocabulary.actions, *vocabulary.events])
                hint = hint or "describe it as an action, or write a plan for it"
                diagnostics.error(
                    "CAN021",
                    f"'{part.name}' is neither an action nor an event that has a plan",
                    part.span,
                    hint=hint,
                )


def _check_nil(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    for plan in agent.plans:
        for part in parts(plan.body):
            if isinstance(part, Sequence):
                for side in (part.first, part.second):
                    if isinstance(side, Nil):
                        diagnostics.error(
                            "CAN029",
                            "'nil' is not allowed in a sequence",
                            side.span,
                            hint="remove it",
                        )


def _check_phases(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    known = {event.name for event in agent.events} | {str(event.number) for event in agent.events}
    phases = [
        node
        for each in (*agent.labels, *agent.decisions)
        for node in nodes(each.condition)
        if isinstance(node, EventPhase)
    ]
    for named in (*phases, *agent.decisions):
        if named.event is not None and named.event not in known:
            hint = did_you_mean(named.event, known)
            diagnostics.error(
                "CAN031", f"'{named.event}' is not an external event", named.span, hint=hint
            )


# --- checks of numeric beliefs, outcomes and rewards ----------------------------------------------


def _check_numeric_beliefs(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    """Report errors about numeric beliefs: a belief that is read but that nothing assigns a value,
    an initial value that is not constant, and a belief base without an initial value for a belief.
    """
    valued = {
        each.name for base in agent.bases for each in base.beliefs if each.expression is not None
    }
    valued |= {change.name for change in changes(agent) if isinstance(change, Assign)}
    for name, span in vocabulary.quantities.items():
        if name not in valued:
            hint = did_you_mean(name, [*valued, *vocabulary.parameters])
            if "-" in name:
                hint = "this is one name; write spaces around '-' to subtract"
            diagnostics.error(
                "CAN022", f"the numeric belief '{name}' is never assigned", span, hint=hint
            )
    for belief in (belief for base in agent.bases for belief in base.beliefs):
        if belief.expression is not None:
            constant(
                belief.expression, parameters, f"the initial value of '{belief.name}'", diagnostics
            )
    for base in agent.bases:
        missing = valued - {each.name for each in base.beliefs}
        for name in sorted(missing):
            which = f" in belief base {base.number}" if len(agent.bases) > 1 else ""
            hint = f"add '{name} = 0', or another number, to the initial beliefs"
            diagnostics.error(
                "CAN023",
                f"the numeric belief '{name}' has no initial value{which}",
                vocabulary.quantities.get(name),
                hint=hint,
            )


def _check_divisions(agent: AgentProgram, parameters: Parameters, diagnostics: Diagnostics) -> None:
    expressions = (change.expression for change in changes(agent) if isinstance(change, Assign))
    for root in (*expressions, *conditions(agent)):
        check_divisors(root, parameters, diagnostics)


def check_divisors(
    root: Condition | Expression, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    """Report an error for each divisor in a condition or expression that is 0 or not constant."""
    for node in nodes(root):
        if isinstance(node, Arithmetic) and node.operator == "/":
            divisor = constant(node.right, parameters, "a divisor", diagnostics)
            if divisor == 0:
                diagnostics.error("CAN026", "division by zero", node.span)


def _check_outcomes(agent: AgentProgram, parameters: Parameters, diagnostics: Diagnostics) -> None:
    """Report an error for each action whose outcomes are not a probability distribution."""
    for action in agent.actions:
        probabilities = [
            constant(outcome.probability, parameters, "the probability of an outcome", diagnostics)
            for outcome in action.outcomes
        ]
        for outcome, probability in zip(action.outcomes, probabilities, strict=True):
            if probability is not None and not 0 <= probability <= 1:
                message, hint = (
                    f"{number_text(probability)} is not a probability",
                    "probabilities are between 0 and 1",
                )
                diagnostics.error("CAN028", message, outcome.probability.span, hint=hint)
        total = sum((probability or Fraction(0) for probability in probabilities), Fraction(0))
        if None not in probabilities and total != 1:
            hint = "the probabilities of all outcomes must sum to 1"
            diagnostics.error(
                "CAN027",
                f"the probabilities of '{action.name}' sum to {number_text(total)}, not 1",
                action.span,
                hint=hint,
            )


def _check_rewards(
    agent: AgentProgram, vocabulary: Vocabulary, parameters: Parameters, diagnostics: Diagnostics
) -> None:
    """Report an error for each reward that is assigned to an unknown action or rule."""
    events = {each.name for each in agent.events} | {str(each.number) for each in agent.events}
    arguments: dict[str, Iterable[str]] = dict.fromkeys(AGENT_RULES, events)
    arguments["select"] = {str(plan.number) for plan in agent.plans}
    for item in (each for reward in agent.rewards for each in reward.items):
        constant(item.amount, parameters, "a reward", diagnostics)
        target = item.target
        if not isinstance(target, RuleTarget):
            continue
        if target.name not in (*vocabulary.actions, *RULE_NAMES):
            hint = did_you_mean(target.name, [*vocabulary.actions, *RULE_NAMES])
            diagnostics.error(
                "CAN030", f"'{target.name}' is neither an action nor a rule", target.span, hint=hint
            )
        elif target.argument is not None and target.argument not in arguments.get(target.name, ()):
            hint = did_you_mean(target.argument, arguments.get(target.name, ()))
            diagnostics.error(
                "CAN030", f"unknown rule '{target.name}({target.argument})'", target.span, hint=hint
            )
