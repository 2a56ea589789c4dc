"""What depends on what in a Dribble program, as :mod:`volition.languages.common.dependencies` has
it.

Rules and plans stay as they are.  An effect on an atom that nobody reads is left out of its action,
which takes the same step; a goal that no guard and no formula can ask for is not there.  Atoms that
formulas of the belief base connect go together.  ``docs/explanation/slicing.md`` has the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

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
from volition.languages.common.dependencies import UnitStep as Taken
from volition.languages.dribble.atoms import BelsAtom, DoesAtom, GoalsAtom, parse_atom
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
"""The literals of an effect, which stand before its condition."""


def dependencies_of(
    agent: AgentProgram,
    source: Source,
    goals: Mapping[Dnf, Span],
    lists: Sequence[Span],
    properties: Span | None,
    formulas: Sequence[Formula],
) -> Dependencies:
    """The program for the sake of some formulas; ``goals`` has the places of goals, ``lists`` those
    of the lists that they stand in."""
    reading = _DependencyBuilder(agent, source, goals, lists, formulas)
    return Dependencies(
        parts=tuple(reading.parts()),
        roots=tuple(reading.roots()),
        queried=tuple(dict.fromkeys(reading.asked())),
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
        self._leaves = [
            (atom, atom.span.text if atom.span else "")
            for formula in formulas
            for atom in atomic_formulas(formula)
        ]
        self._home = Semantics(agent).beliefs.parts.slot_of_atom

    # --- names ------------------------------------------------------------------------------------

    def _belief(self, atom: str) -> SymbolPattern:
        """Atoms that are kept in the same formulas have one name."""
        return symbol("belief", str(self._home[atom]).removeprefix("belief "))

    def _beliefs(self, formula: Dnf) -> tuple[SymbolPattern, ...]:
        return tuple(
            dict.fromkeys(
                self._belief(atom) for atom in sorted(formula.atoms) if atom in self._home
            )
        )

    def _wanted(self, formula: Dnf) -> tuple[SymbolPattern, ...]:
        """The goals by which a formula is desired."""
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
            else self._wanted(atom.formula)
        )

    def asked(self) -> Iterator[QueriedSymbol]:
        for atomic, text in self._leaves:
            parsed_atom = parse_atom(self._agent, atomic)
            match parsed_atom:
                case Believes(formula):
                    yield from (QueriedSymbol(name, text) for name in self._beliefs(formula))
                case Desires(formula):
                    yield from (QueriedSymbol(name, text) for name in self._wanted(formula))
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

    # --- parts ------------------------------------------------------------------------------------

    def parts(self) -> Iterator[ProgramUnit]:
        for rule in self._agent.goal_rules:
            yield ProgramUnit(
                f"goal rule {rule.name}",
                rule.span,
                _adopting(rule),
                self._reads(rule.guard),
                self._steps(rule.body),
            )
        for revision in self._agent.revision_rules:
            reads = self._reads(revision.guard)
            yield ProgramUnit(
                f"revision rule {revision.name}",
                revision.span,
                _revised(revision),
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
            step = Taken(dropped.text, dropped.span, updates=(dropped,))
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
            EntryPoint(f"goal rule {rule.name}", _adopting(rule)) for rule in self._agent.goal_rules
        )
        yield from (
            EntryPoint(f"revision rule {rule.name}", _revised(rule))
            for rule in self._agent.revision_rules
        )
        for goal in sorted(self._agent.goals, key=str):
            yield EntryPoint(
                f"goal {goal}", symbol("event", f"goal {goal}"), self._without_goal(goal)
            )

    def _steps(self, plan: Plan) -> tuple[Taken, ...]:
        return tuple(self._step(each) for each in steps_within(plan))

    def _step(self, step: BasicAction | AbstractPlan | Conditional) -> Taken:
        match step:
            case BasicAction(name):
                return Taken(name, None, posts=(symbol("action", name),))
            case AbstractPlan(name):
                return Taken(name, None, posts=(symbol("event", name),))
            case Conditional(test):
                return Taken("if ...", None, reads=self._reads(test))

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
        """The effects of an action, with the arrow before them and the comma that may stand
        behind."""
        spans = tuple(each.span for each in action.effects)
        arrow = self._source.text.rfind("=>", action.span.start, spans[0].start) if spans else -1
        if arrow < 0:
            return None
        return ListSpan(spans, whole=self._source.span(arrow, self._end(spans[-1])))

    def _end(self, last: Span) -> int:
        """Where a list ends, with the comma that may stand behind its last item."""
        comma = re.compile(r"\s*,").match(self._source.text, last.end)
        return comma.end() if comma else last.end

    def _effect(self, effect: Effect, items: ListSpan | None) -> Taken:
        text = " ".join(effect.span.text.split())
        reads = self._reads(effect.condition)
        spans = [
            self._source.span(*found.span())
            for found in _LITERAL.finditer(self._source.text, effect.span.start, effect.span.end)
        ]
        literals = ListSpan(tuple(spans[: len(effect.literals)]), whole=effect.span, parent=items)
        updates = []
        for literal, span in zip(effect.literals, literals.spans, strict=True):
            stays = literal.atom in self._only_here or items is None
            why = "nothing else says that this is an atom" if stays else None
            edits = None if stays else (Edit(span, items=literals),)
            updates.append(Write(self._belief(literal.atom), str(literal), span, reads, edits, why))
        return Taken(text, effect.span, updates=tuple(updates))

    def _without_goal(self, goal: Dnf) -> tuple[Edit, ...] | None:
        """How a goal leaves the list that it stands in; None if only it says that some atom is
        one."""
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

    # --- which atoms there are: those of beliefs, goals and effects -------------------------------

    @cached_property
    def _declared(self) -> frozenset[str]:
        return frozenset[str]().union(*(formula.atoms for formula in self._agent.beliefs))

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """Atoms in conditions of the program, and in the formulas."""
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
        words = {word for _, text in self._leaves for word in re.findall(r"[^\W\d]\w*'*", text)}
        return frozenset(found | words)

    @cached_property
    def _only_here(self) -> frozenset[str]:
        """Atoms that are mentioned, though perhaps not read, and that no belief declares: their
        effects stay."""
        return self._mentioned - self._declared


def _adopting(rule: GoalRule) -> SymbolPattern:
    return symbol("event", f"no plan, {rule.name}")


def _revised(rule: RevisionRule) -> SymbolPattern:
    match rule.head[0]:
        case BasicAction(name):
            return symbol("action", name)
        case AbstractPlan(name):
            return symbol("event", name)
    return symbol("event", str(rule.head[0]))
