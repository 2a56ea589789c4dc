"""Dependencies between the rules, actions and goals of a Dribble program. Slicing uses them to
remove parts that cannot influence the checked formulas.

Rules and plans are kept. An effect on an atom that is never read is removed from its action, which
still takes the same step. A goal that no guard and no formula depends on is removed. Atoms that
occur together in formulas of the belief base are treated like a single atom.
``docs/explanation/slicing.md`` has the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from volition.diagnostics import Source, Span
from volition.languages.common.dependencies import (
    Dependencies,
    Edit,
    EntryPoint,
    ListSpan,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    Write,
    symbol,
)
from volition.languages.common.dependencies import UnitStep as DependencyStep
from volition.languages.dribble.atoms import (
    BelsAtom,
    DoesAtom,
    GoalsAtom,
    PlanAtom,
    PlanBoundLabel,
    StalledLabel,
    parse_atom,
)
from volition.languages.dribble.conditions import Believes, Condition, Desires, formulas_in
from volition.languages.dribble.propositional import Dnf, entails
from volition.languages.dribble.semantics import Semantics
from volition.languages.dribble.syntax import (
    AbstractPlan,
    Action,
    AgentProgram,
    BasicAction,
    Conditional,
    Effect,
    GoalRule,
    Plan,
    RevisionRule,
    steps_within,
)
from volition.logic.syntax import Formula
from volition.logic.traversal import atomic_formulas

__all__ = ["dependencies_of"]

_LITERAL = re.compile(r"(?:(?:~|!|¬|not\b)\s*)*(?!(?:and|if|not)\b)[^\W\d]\w*'*")
"""Pattern of a literal in the text of an effect. It is used to find the literals of the effect,
which come before the effect's condition."""


def dependencies_of(
    agent: AgentProgram,
    source: Source,
    goals: Mapping[Dnf, Span],
    lists: Sequence[Span],
    properties: Span | None,
    formulas: Sequence[Formula],
) -> Dependencies:
    """Return the dependencies between the parts of a program, including the beliefs, goals and
    actions that ``formulas`` query.

    ``goals`` has the position of each goal in the source. ``lists`` are the positions of the lists
    of goals. ``properties`` is the position of the section of properties, or None.
    """
    builder = _DependencyBuilder(agent, source, goals, lists, formulas)
    return Dependencies(
        parts=tuple(builder.parts()),
        roots=tuple(builder.roots()),
        queried=tuple(dict.fromkeys(builder.queried_symbols())),
        properties=() if properties is None else (properties,),
        heading=(source, "properties:"),
    )


class _DependencyBuilder:
    def __init__(
        self,
        agent: AgentProgram,
        source: Source,
        goals: Mapping[Dnf, Span],
        lists: Sequence[Span],
        formulas: Sequence[Formula],
    ) -> None:
        self._agent = agent
        self._source = source
        self._goals = goals
        self._lists = lists
        self._atoms = [
            (atom, atom.span.text if atom.span else "")
            for formula in formulas
            for atom in atomic_formulas(formula)
        ]
        self._home = Semantics(agent).beliefs.parts.slot_of_atom

    # --- symbols of beliefs, goals and formulas ---------------------------------------------------

    def _belief(self, atom: str) -> SymbolPattern:
        """Return the symbol that stands for the beliefs about an atom in the dependency analysis.
        Atoms that are connected through formulas of the belief base share one symbol."""
        return symbol("belief", str(self._home[atom]).removeprefix("belief "))

    def _beliefs(self, formula: Dnf) -> tuple[SymbolPattern, ...]:
        return tuple(
            dict.fromkeys(
                self._belief(atom) for atom in sorted(formula.atoms) if atom in self._home
            )
        )

    def _goals_entailing(self, formula: Dnf) -> tuple[SymbolPattern, ...]:
        """Return the symbols that stand for the agent's goals in the dependency analysis, for all
        goals that entail a formula."""
        return tuple(
            symbol("goal", str(goal))
            for goal in self._agent.goals
            if entails(frozenset([goal]), formula)
        )

    def _reads(self, condition: Condition) -> tuple[SymbolPattern, ...]:
        return tuple(
            dict.fromkeys(name for each in formulas_in(condition) for name in self._of_atom(each))
        )

    def _of_atom(self, atom: Believes | Desires) -> tuple[SymbolPattern, ...]:
        return (
            self._beliefs(atom.formula)
            if isinstance(atom, Believes)
            else self._goals_entailing(atom.formula)
        )

    def queried_symbols(self) -> Iterator[QueriedSymbol]:
        for atomic, text in self._atoms:
            parsed_atom = parse_atom(self._agent, atomic)
            match parsed_atom:
                case Believes(formula):
                    yield from (QueriedSymbol(name, text) for name in self._beliefs(formula))
                case Desires(formula):
                    yield from (
                        QueriedSymbol(name, text) for name in self._goals_entailing(formula)
                    )
                case BelsAtom():
                    yield from (
                        QueriedSymbol(self._belief(atom), text) for atom in sorted(self._home)
                    )
                case GoalsAtom():
                    yield from (
                        QueriedSymbol(symbol("goal", str(goal)), text)
                        for goal in sorted(self._agent.goals, key=str)
                    )
                case DoesAtom(action):
                    yield QueriedSymbol(symbol("action", action), text)
                case PlanAtom() | StalledLabel() | PlanBoundLabel():
                    pass
                case _:
                    assert_never(parsed_atom)

    # --- dependencies of rules, actions and goals -------------------------------------------------

    def parts(self) -> Iterator[ProgramUnit]:
        for rule in self._agent.goal_rules:
            yield ProgramUnit(
                f"goal rule {rule.name}",
                rule.span,
                _goal_rule_trigger(rule),
                self._reads(rule.guard),
                self._steps(rule.body),
            )
        for revision in self._agent.revision_rules:
            reads = self._reads(revision.guard)
            yield ProgramUnit(
                f"revision rule {revision.name}",
                revision.span,
                _revision_trigger(revision),
                reads,
                self._steps(revision.body),
            )
        for action in self._agent.actions.values():
            yield self._action(action)
        for goal in sorted(self._agent.goals, key=str):
            dropped = Write(
                symbol("goal", str(goal)),
                f"drop {goal}",
                self._goals.get(goal),
                self._beliefs(goal),
            )
            label = f"goal {goal}"
            step = DependencyStep(dropped.text, dropped.span, updates=(dropped,))
            yield ProgramUnit(
                label,
                dropped.span,
                symbol("event", label),
                self._beliefs(goal),
                (step,),
                edits=(),
                is_plan=False,
            )

    def roots(self) -> Iterator[EntryPoint]:
        yield from (
            EntryPoint(f"goal rule {rule.name}", _goal_rule_trigger(rule))
            for rule in self._agent.goal_rules
        )
        yield from (
            EntryPoint(f"revision rule {rule.name}", _revision_trigger(rule))
            for rule in self._agent.revision_rules
        )
        for goal in sorted(self._agent.goals, key=str):
            yield EntryPoint(
                f"goal {goal}", symbol("event", f"goal {goal}"), self._without_goal(goal)
            )

    def _steps(self, plan: Plan) -> tuple[DependencyStep, ...]:
        return tuple(self._step(each) for each in steps_within(plan))

    def _step(self, step: BasicAction | AbstractPlan | Conditional) -> DependencyStep:
        match step:
            case BasicAction(name):
                return DependencyStep(name, None, posts=(symbol("action", name),))
            case AbstractPlan(name):
                return DependencyStep(name, None, posts=(symbol("event", name),))
            case Conditional(test):
                return DependencyStep("if ...", None, reads=self._reads(test))
            case _:
                assert_never(step)

    def _action(self, action: Action) -> ProgramUnit:
        items = self._effects(action)
        steps = tuple(self._effect(each, items) for each in action.effects)
        trigger, reads = symbol("action", action.name), self._reads(action.precondition)
        return ProgramUnit(
            f"action {action.name}",
            action.span,
            trigger,
            reads,
            steps,
            is_plan=False,
            steps_are_alternatives=True,
        )

    def _effects(self, action: Action) -> ListSpan | None:
        """Return the position of the list of an action's effects in the source, or None if the
        action has no effects. The whole list begins with the arrow ``=>`` and includes a trailing
        comma."""
        spans = tuple(each.span for each in action.effects)
        arrow = self._source.text.rfind("=>", action.span.start, spans[0].start) if spans else -1
        if arrow < 0:
            return None
        return ListSpan(spans, whole=self._source.span(arrow, self._end(spans[-1])))

    def _end(self, last: Span) -> int:
        """Return the position after a list that ends with the item ``last``. A trailing comma
        belongs to the list."""
        comma = re.compile(r"\s*,").match(self._source.text, last.end)
        return comma.end() if comma else last.end

    def _effect(self, effect: Effect, items: ListSpan | None) -> DependencyStep:
        text = " ".join(effect.span.text.split())
        reads = self._reads(effect.condition)
        spans = [
            self._source.span(*found.span())
            for found in _LITERAL.finditer(self._source.text, effect.span.start, effect.span.end)
        ]
        literals = ListSpan(tuple(spans[: len(effect.literals)]), whole=effect.span, parent=items)
        updates = []
        for literal, span in zip(effect.literals, literals.spans, strict=True):
            is_kept = literal.atom in self._declared_by_effects or items is None
            reason = "this effect is the only declaration of the atom" if is_kept else None
            edits = None if is_kept else (Edit(span, items=literals),)
            updates.append(
                Write(self._belief(literal.atom), str(literal), span, reads, edits, reason)
            )
        return DependencyStep(text, effect.span, updates=tuple(updates))

    def _without_goal(self, goal: Dnf) -> tuple[Edit, ...] | None:
        """Return the edits that remove a goal from its list in the source, or None if the goal must
        stay because it is the only declaration of an atom."""
        span = self._goals.get(goal)
        whole = next(
            (
                each
                for each in self._lists
                if span is not None and each.start <= span.start and span.end <= each.end
            ),
            None,
        )
        if span is None or whole is None or goal.atoms & self._mentioned - self._declared:
            return None
        inside = [
            each
            for each in self._goals.values()
            if whole.start <= each.start and each.end <= whole.end
        ]
        spans = tuple(sorted(inside, key=lambda each: each.start))
        return (
            Edit(
                span,
                items=ListSpan(
                    spans, whole=self._source.span(spans[0].start, self._end(spans[-1]))
                ),
            ),
        )

    # --- declared atoms ---------------------------------------------------------------------------

    @cached_property
    def _declared(self) -> frozenset[str]:
        return frozenset[str]().union(*(formula.atoms for formula in self._agent.beliefs))

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """Return the atoms that occur in conditions of the program or in the checked formulas."""
        agent = self._agent
        conditions = [rule.guard for rule in agent.rules]
        conditions += [
            step.test
            for rule in agent.rules
            for step in steps_within(rule.body)
            if isinstance(step, Conditional)
        ]
        heads = [step for rule in agent.revision_rules for step in steps_within(rule.head)]
        conditions += [step.test for step in heads if isinstance(step, Conditional)]
        for action in agent.actions.values():
            conditions += [action.precondition, *(effect.condition for effect in action.effects)]
        found = {
            atom
            for condition in conditions
            for each in formulas_in(condition)
            for atom in each.formula.atoms
        }
        words = {word for _, text in self._atoms for word in re.findall(r"[^\W\d]\w*'*", text)}
        return frozenset(found | words)

    @cached_property
    def _declared_by_effects(self) -> frozenset[str]:
        """Return the atoms that conditions or formulas mention but no initial belief declares.
        Effects on these atoms are kept, because an effect may be their only declaration."""
        return self._mentioned - self._declared


def _goal_rule_trigger(rule: GoalRule) -> SymbolPattern:
    return symbol("event", f"no plan, {rule.name}")


def _revision_trigger(rule: RevisionRule) -> SymbolPattern:
    match rule.head[0]:
        case BasicAction(name):
            return symbol("action", name)
        case AbstractPlan(name):
            return symbol("event", name)
        case Conditional():
            pass
        case _ as unreachable:
            assert_never(unreachable)
    return symbol("event", str(rule.head[0]))
