"""Static checks of a Dribble agent: errors, and warnings about suspicious constructs.

The conditions on the initial belief base and goal base, and the bound on plans, are those of Trang
et al., Sect. 2.3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.dribble.conditions import And, Desires, can_hold, formulas_in
from volition.languages.dribble.propositional import Dnf, consistent, entails
from volition.languages.dribble.reader import ParsedProgram
from volition.languages.dribble.syntax import (
    AbstractPlan,
    Action,
    AgentProgram,
    BasicAction,
    Conditional,
    GoalRule,
    RevisionRule,
    Step,
    length,
    steps_within,
)
from volition.logic.parsing.property_file import UnparsedProperty

__all__ = ["check"]


def check(draft: ParsedProgram, properties: Sequence[UnparsedProperty], found: Diagnostics) -> None:
    """Report all errors of an agent, and warn about parts that have no effect or are unused."""
    _check_initial_bases(draft, found)
    _check_lengths(draft.agent, found)
    for action in draft.agent.actions.values():
        _check_effects(action, found)
    _warn_of_guards(draft.agent, found)
    _warn_of_steps(draft, found)
    _warn_of_repetitions(draft.agent, found)
    _warn_of_unused_beliefs(draft, properties, found)


def _check_initial_bases(draft: ParsedProgram, found: Diagnostics) -> None:
    beliefs = draft.agent.beliefs
    if not consistent(beliefs):
        formula = _first_contradiction(draft)
        if consistent([formula]):
            hint = "this formula contradicts those before it"
            found.error(
                "DRB031",
                "the initial beliefs contradict each other",
                draft.beliefs[formula],
                hint=hint,
            )
        else:
            found.error("DRB031", "this belief contradicts itself", draft.beliefs[formula])
    for goal, span in draft.goals.items():
        if not consistent([goal]):
            found.error("DRB033", "this goal contradicts itself", span)
        elif consistent(beliefs) and entails(beliefs, goal):
            found.error(
                "DRB032",
                "this cannot be an initial goal: the agent already believes it",
                span,
                hint="an agent cannot have a goal that it believes to be achieved",
            )


def _first_contradiction(draft: ParsedProgram) -> Dnf:
    """Return the first initial belief, in program order, that contradicts the beliefs before it."""
    read = list(draft.beliefs)
    return next(formula for count, formula in enumerate(read, 1) if not consistent(read[:count]))


def _check_lengths(agent: AgentProgram, found: Diagnostics) -> None:
    for rule in agent.rules:
        if length(rule.body) > agent.len_max:
            message = (
                f"the plan of this rule has length {length(rule.body)}, more than len_max = "
                f"{agent.len_max}"
            )
            found.error(
                "DRB034",
                message,
                rule.span,
                hint="a conditional has the length of its branches plus 4",
            )


def _check_effects(action: Action, found: Diagnostics) -> None:
    """Report effects of an action that make an atom both true and false: the belief update must be
    a function."""
    for effect in action.effects:
        for literal in effect.literals:
            if literal.positive and literal.complement in effect.literals:
                found.error(
                    "DRB035",
                    f"this effect makes '{literal.atom}' true and false at once",
                    effect.span,
                )
    for one, other in combinations(action.effects, 2):
        clash = sorted(
            {literal.atom for literal in one.literals if literal.complement in other.literals}
        )
        if clash and can_hold(And((action.precondition, one.condition, other.condition))):
            hint = f"give it a condition that excludes the one at {one.span}"
            found.error(
                "DRB035",
                f"action '{action.name}' can make '{clash[0]}' true and false at once",
                other.span,
                hint=hint,
            )


def _warn_of_guards(agent: AgentProgram, found: Diagnostics) -> None:
    for rule in agent.goal_rules:
        for part in formulas_in(rule.guard):
            if isinstance(part, Desires) and not any(
                entails(frozenset([goal]), part.formula) for goal in agent.goals
            ):
                hint = "goals are never added later; a guard without B and G is read as one goal"
                found.warning(
                    "DRB040",
                    f"no goal of the agent entails {part.formula}: {part} never holds",
                    rule.span,
                    hint=hint,
                )
    for revision in agent.revision_rules:
        if not can_hold(revision.guard):
            found.warning("DRB041", "the guard of this rule is never true", revision.span)
    for action in agent.actions.values():
        if not can_hold(action.precondition):
            found.warning(
                "DRB041", f"the precondition of '{action.name}' is never true", action.span
            )


def _warn_of_repetitions(agent: AgentProgram, found: Diagnostics) -> None:
    """Warn about rules that differ only in their names, and about duplicate effects."""
    first: dict[GoalRule | RevisionRule, GoalRule | RevisionRule] = {}
    for rule in agent.rules:
        before = first.setdefault(replace(rule, name=""), rule)
        if before is not rule:
            found.warning(
                "DRB046", f"rule '{rule.name}' duplicates rule '{before.name}'", rule.span
            )
    for action in agent.actions.values():
        effects = list(action.effects)
        for index, effect in enumerate(effects):
            if effect in effects[:index] or len(set(effect.literals)) < len(effect.literals):
                found.warning("DRB046", f"duplicate effect in action '{action.name}'", effect.span)


def _warn_of_unused_beliefs(
    draft: ParsedProgram, properties: Sequence[UnparsedProperty], found: Diagnostics
) -> None:
    """Warn about initial beliefs whose atoms do not occur elsewhere, and about effects on atoms
    that are never read.

    If the file has no properties, an effect is reported only if its atom resembles another atom, so
    that it is probably misspelt. A property on the command line may read the other atoms.
    """
    agent = draft.agent
    steps = [step for rule in agent.rules for step in steps_within(rule.body)]
    conditions = [rule.guard for rule in agent.rules] + [
        step.test for step in steps if isinstance(step, Conditional)
    ]
    conditions += [action.precondition for action in agent.actions.values()]
    effects = [effect for action in agent.actions.values() for effect in action.effects]
    conditions += [effect.condition for effect in effects]
    read = {
        atom
        for condition in conditions
        for part in formulas_in(condition)
        for atom in part.formula.atoms
    }
    read.update(
        *(goal.atoms for goal in agent.goals),
        *(re.findall(r"[^\W\d]\w*'*", stated.text) for stated in properties),
    )
    used = read | {literal.atom for effect in effects for literal in effect.literals}
    for formula, span in draft.beliefs.items():
        if formula.atoms and formula.atoms.isdisjoint(used):
            found.warning(
                "DRB047",
                f"the initial belief '{span.text}' is never used",
                span,
                hint=did_you_mean(span.text, used),
            )
    known = read | {
        atom for formula in draft.beliefs if len(formula.clauses) > 1 for atom in formula.atoms
    }
    changed = {literal.atom: effect for effect in reversed(effects) for literal in effect.literals}
    for atom, effect in reversed(changed.items()):
        hint = did_you_mean(atom, read)
        if atom not in known and (hint is not None or properties):
            found.warning(
                "DRB048", f"the belief '{atom}' is changed but never read", effect.span, hint=hint
            )


def _warn_of_steps(draft: ParsedProgram, found: Diagnostics) -> None:
    agent = draft.agent
    reached = _steps_in_plans(agent)
    for rule in agent.revision_rules:
        missing = next((step for step in rule.head if step not in reached), None)
        if missing is not None:
            hint = "plans come from goal rules and their revisions"
            found.warning(
                "DRB042",
                f"rule '{rule.name}' never applies: no plan contains {missing}",
                rule.span,
                hint=hint,
            )
    for name, span in draft.abstract_plans.items():
        if AbstractPlan(name) not in reached:
            found.warning("DRB043", f"the abstract plan '{name}' is never used", span)
        elif not any(rule.head[0] == AbstractPlan(name) for rule in agent.revision_rules):
            found.warning(
                "DRB044",
                f"no revision rule starts with '{name}': an agent that reaches it stalls",
                span,
            )
    for name, action in agent.actions.items():
        if BasicAction(name) not in reached:
            found.warning("DRB043", f"the action '{name}' is never used", action.span)


def _steps_in_plans(agent: AgentProgram) -> set[Step]:
    """Return every step that a plan of the agent may contain: the steps of goal rules, and those of
    revision rules whose head can occur in a plan."""
    reached = {step for rule in agent.goal_rules for step in steps_within(rule.body)}
    waiting = list(agent.revision_rules)
    while ready := [rule for rule in waiting if reached.issuperset(rule.head)]:
        waiting = [rule for rule in waiting if rule not in ready]
        reached |= {step for rule in ready for step in steps_within(rule.body)}
    return reached
