"""Translation of a Dribble agent to a PRISM program, following Trang et al., Sect. 4.2.

Beliefs and goals are Boolean variables. The plan is an array of integer variables that hold one
token per step. Each rule of the agent is a command. The first token of the array is ``plan_0``. A
conditional is a token, followed by the tokens of its *then* branch and those of its *else* branch.
The array in the paper has one cell more than ``len_max``; that cell is always empty, so it is left
out. In the paper, a separate part of the model drops achieved goals when beliefs change. In the
PRISM program, the command of each action does this itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from volition.diagnostics import Diagnostic, InputError, Span
from volition.exporters.prism.dribble_beliefs import Beliefs, BeliefVariables
from volition.exporters.prism.language import (
    FALSE,
    TRUE,
    BooleanLiteral,
    BoolVariable,
    Command,
    Comment,
    ConstantDeclaration,
    Expression,
    Formula,
    Identifiers,
    IntVariable,
    LabelDeclaration,
    Module,
    NumberLiteral,
    Operation,
    PrismFiles,
    PrismProgram,
    Reference,
    Update,
    arithmetic,
    compare,
    conjunction,
    disjunction,
    equals,
    negation,
    render,
)
from volition.exporters.prism.properties import prism_property
from volition.languages.dribble.atoms import (
    BelsAtom,
    DoesAtom,
    GoalsAtom,
    ParsedAtom,
    PlanAtom,
    PlanBoundLabel,
    StalledLabel,
    parse_atom,
)
from volition.languages.dribble.conditions import And, Believes, Condition, Desires, Not, Or
from volition.languages.dribble.conditions import BooleanLiteral as Always
from volition.languages.dribble.propositional import entails
from volition.languages.dribble.semantics import Semantics
from volition.languages.dribble.syntax import (
    Action,
    AgentProgram,
    BasicAction,
    Conditional,
    GoalRule,
    Plan,
    RevisionRule,
    Step,
    length,
    steps_within,
)
from volition.logic import syntax as logic
from volition.logic.printing import formula_text
from volition.logic.traversal import atomic_formulas, expand_agents

__all__ = ["dribble_to_prism"]

LONGEST_PLAN = 1000
"""Largest ``len_max`` of a Dribble agent that is translated to PRISM. Each step of the longest plan
is a variable."""
Assignments = list[tuple[str, Expression]]


def dribble_to_prism(agent: AgentProgram, formulas: Sequence[logic.Formula] = ()) -> PrismFiles:
    """Return a PRISM program with the same states and transitions as the model of a Dribble agent,
    and the formulas as PRISM properties.

    Each atom of a formula becomes a label of the program.
    """
    if agent.len_max > LONGEST_PLAN:
        hint = "set a smaller len_max; the label 'withheld' shows whether it is large enough"
        raise InputError(
            [
                Diagnostic(
                    "EXP002",
                    f"len_max = {agent.len_max} is too large for PRISM; "
                    f"the maximum is {LONGEST_PLAN}",
                    hint=hint,
                )
            ]
        )
    formulas = [expand_agents(formula, [agent.name]) for formula in formulas]
    queries = dict.fromkeys(atom for formula in formulas for atom in atomic_formulas(formula))
    texts = {
        atomic: formula_text(atomic) if isinstance(atomic, logic.Atom) else atomic.name
        for atomic in queries
    }
    translation = _DribbleTranslation(
        agent, {text: parse_atom(agent, atom) for atom, text in texts.items()}
    )
    properties = (
        prism_property(formula, lambda atom: f'"{translation.label(texts[atom])}"')
        for formula in formulas
    )
    return PrismFiles(render(translation.program()), tuple(properties))


class _DribbleTranslation:
    """Translation of one Dribble agent to PRISM. Each atom of a formula becomes a label that is
    named after the text of the atom."""

    def __init__(self, agent: AgentProgram, queried: Mapping[str, ParsedAtom]) -> None:
        self._agent = agent
        self._queried = queried
        self._labels = Identifiers()
        self._actions = Identifiers()
        names = Identifiers()
        semantics = Semantics(agent)
        self._beliefs = BeliefVariables(agent, semantics.beliefs.parts, names)
        self._now = self._beliefs.now()
        self._goals = {goal: names.of(slot) for goal, slot in semantics.goals.items()}
        self._watched = {
            each.action: names.of(f"did {each.action}")
            for each in queried.values()
            if isinstance(each, DoesAtom)
        }
        self._cells = [names.of(f"plan {number}") for number in range(agent.len_max)]
        self._length = names.of("plan length")
        self._tokens = {step: names.of(name) for step, name in _token_names(agent).items()}
        self._stalled = names.fresh("stalled")

    def label(self, text: str) -> str:
        """Return the name of the PRISM label for the atom with this text."""
        return self._labels.of(text)

    def program(self) -> PrismProgram:
        """Return the PRISM program. It has one module, because an agent executes one step at a
        time."""
        body = list(self._body())
        stalled = negation(disjunction(*(part.guard for part in body if isinstance(part, Command))))
        body += [
            Comment("nothing else is possible"),
            self._command("stall", Reference(self._stalled), []),
        ]
        return PrismProgram(
            "mdp",
            (
                f"The Dribble agent '{self._agent.name}'.",
                "plan_0 is the next step of the plan, or 0 if there is none; the branches of a "
                "conditional follow its token.",
            ),
            (Module("agent", tuple(self._variables()), tuple(body), tuple(self._beliefs.remarks)),),
            labels=tuple(
                LabelDeclaration(self.label(text), self._atom_expression(atom), text)
                for text, atom in self._queried.items()
            ),
            constants=tuple(
                ConstantDeclaration(name, number)
                for number, name in enumerate(self._tokens.values(), 1)
            ),
            formulas=(Formula(self._stalled, stalled),),
        )

    def _body(self) -> Iterator[Command | Comment]:
        """Yield the PRISM commands of all transition rules except ``stall``, each after a comment
        with the source text that it translates."""
        for rule in self._agent.goal_rules:
            yield from _commented_command(rule.span, self._goal_rule(rule))
        for revision in self._agent.revision_rules:
            yield from _commented_command(revision.span, self._revision_rule(revision))
        for action in self._agent.actions.values():
            if BasicAction(action.name) in self._tokens:
                yield from _commented_command(action.span, self._basic_action(action))
        for step, token in self._tokens.items():
            if isinstance(step, Conditional):
                yield Comment(f"{token}: {step}")
                yield from (
                    command for command in self._conditional(step) if command.guard != FALSE
                )

    def _variables(self) -> Iterator[IntVariable | BoolVariable]:
        yield from self._beliefs.flags
        yield from (BoolVariable(name, True) for name in self._goals.values())
        yield from (BoolVariable(name, False) for name in self._watched.values())
        yield from (IntVariable(cell, 0, len(self._tokens), 0) for cell in self._cells)
        yield IntVariable(self._length, 0, self._agent.len_max, 0)

    # --- commands: the transition rules of Sect. 2.4 ----------------------------------------------

    def _goal_rule(self, rule: GoalRule) -> Command:
        guard = conjunction(equals(self._length, 0), self._condition(rule.guard))
        adopted = [
            *zip(self._cells, self._written(rule.body), strict=False),
            (self._length, _number(length(rule.body))),
        ]
        return self._command(f"apply {rule.name}", guard, adopted)

    def _revision_rule(self, rule: RevisionRule) -> Command:
        guard = conjunction(
            self._begins_with(rule.head), self._fits_in_array(rule), self._condition(rule.guard)
        )
        revised = self._replace_prefix(
            len(_tokens(rule.head)), self._written(rule.body), length(rule.body) - length(rule.head)
        )
        return self._command(f"apply {rule.name}", guard, revised)

    def _basic_action(self, action: Action) -> Command:
        guard = conjunction(
            self._is_next(BasicAction(action.name)), self._condition(action.precondition)
        )
        after = self._beliefs.after(action, self._condition)
        touched = set(self._beliefs.slots_written_by(action))
        goals = (
            (name, conjunction(Reference(name), negation(after.entail(goal))))
            for goal, name in self._goals.items()
            if touched.intersection(self._beliefs.slots.slots_of(goal.atoms))
        )
        dropped = [(name, value) for name, value in goals if value != Reference(name)]
        writes = [
            *self._beliefs.assignments(action, after),
            *dropped,
            *self._replace_prefix(1, [], -1),
        ]
        return self._command(f"execute {action.name}", guard, writes, executed=action.name)

    def _conditional(self, step: Conditional) -> list[Command]:
        """Return the two PRISM commands that execute a conditional, one for each outcome of its
        test.

        In the plan array, the token of the conditional is followed by the tokens of its *then*
        branch and those of its *else* branch. Each command keeps the tokens of one branch and those
        after both branches.
        """
        u, v = len(_tokens(step.then)), len(_tokens(step.otherwise))
        is_next, test = self._is_next(step), self._condition(step.test)
        then = self._replace_prefix(
            1 + u + v,
            [Reference(cell) for cell in self._cells[1 : 1 + u]],
            -4 - length(step.otherwise),
        )
        otherwise = self._replace_prefix(1 + u, [], -4 - length(step.then))
        return [
            self._command("if", conjunction(is_next, test), then),
            self._command("if", conjunction(is_next, negation(test)), otherwise),
        ]

    def _command(
        self, label: str, guard: Expression, writes: Assignments, executed: str | None = None
    ) -> Command:
        watched = [
            (name, BooleanLiteral(action == executed)) for action, name in self._watched.items()
        ]
        return Command(self._actions.of(label), guard, (Update((*writes, *watched)),))

    # --- plan -------------------------------------------------------------------------------------

    def _replace_prefix(self, prefix: int, by: Sequence[Expression], longer: int) -> Assignments:
        """Return the assignments that replace the first ``prefix`` tokens of the plan array by the
        tokens ``by``. The variable for the plan length is increased by ``longer``, which may be
        negative; Trang et al. define the length of a plan."""
        moved = [*by, *map(Reference, self._cells[prefix:]), *[_number(0)] * len(self._cells)]
        cells = [
            (cell, value)
            for cell, value in zip(self._cells, moved, strict=False)
            if value != Reference(cell)
        ]
        return (
            cells
            if longer == 0
            else [
                *cells,
                (
                    self._length,
                    arithmetic("+" if longer > 0 else "-", Reference(self._length), abs(longer)),
                ),
            ]
        )

    def _written(self, plan: Plan) -> list[Expression]:
        return [Reference(self._tokens[step]) for step in _tokens(plan)]

    def _is_next(self, step: Step) -> Expression:
        return _same(self._cells[0], self._tokens[step]) if self._cells else FALSE

    def _begins_with(self, plan: Plan) -> Expression:
        steps = _tokens(plan)
        if len(steps) > len(self._cells) or not self._tokens.keys() >= set(steps):
            return FALSE
        return conjunction(
            *(
                _same(cell, self._tokens[step])
                for cell, step in zip(self._cells, steps, strict=False)
            )
        )

    def _fits_in_array(self, rule: RevisionRule) -> Expression:
        """Return the condition that the plan does not exceed ``len_max`` after a plan revision rule
        is applied."""
        longer = length(rule.body) - length(rule.head)
        return compare(self._length, "<=", self._agent.len_max - longer) if longer > 0 else TRUE

    # --- conditions and atoms ---------------------------------------------------------------------

    def _condition(self, condition: Condition, beliefs: Beliefs | None = None) -> Expression:
        """Translate a condition of the agent to a PRISM expression, evaluated on ``beliefs``, by
        default those of the current state."""
        match condition:
            case Always(value):
                return TRUE if value else FALSE
            case Believes(formula):
                return (beliefs or self._now).entail(formula)
            case Desires(formula):
                return disjunction(
                    *(
                        Reference(name)
                        for goal, name in self._goals.items()
                        if entails(frozenset([goal]), formula)
                    )
                )
            case Not(operand):
                return negation(self._condition(operand, beliefs))
            case And(parts):
                return conjunction(*(self._condition(part, beliefs) for part in parts))
            case Or(parts):
                return disjunction(*(self._condition(part, beliefs) for part in parts))
            case _:
                assert_never(condition)

    def _atom_expression(self, atom: ParsedAtom) -> Expression:
        match atom:
            case Believes() | Desires():
                return self._condition(atom)
            case BelsAtom(formulas):
                return self._now.equal(formulas)
            case GoalsAtom(formulas):
                kept = (
                    Reference(name) if goal in formulas else negation(Reference(name))
                    for goal, name in self._goals.items()
                )
                return conjunction(*kept) if formulas <= self._goals.keys() else FALSE
            case PlanAtom(plan):
                return conjunction(self._begins_with(plan), equals(self._length, length(plan)))
            case DoesAtom(action):
                return Reference(self._watched[action])
            case StalledLabel():
                return Reference(self._stalled)
            case PlanBoundLabel():
                rules = self._agent.revision_rules
                return disjunction(
                    *(
                        conjunction(
                            self._begins_with(rule.head),
                            negation(self._fits_in_array(rule)),
                            self._condition(rule.guard),
                        )
                        for rule in rules
                    )
                )
            case _:
                assert_never(atom)


def _token_names(agent: AgentProgram) -> dict[Step, str]:
    """Return the name of the PRISM constant for every step in the plans of an agent: actions and
    abstract plans first, then conditionals."""
    plans = [*(rule.body for rule in agent.rules), *(rule.head for rule in agent.revision_rules)]
    steps = dict.fromkeys(step for plan in plans for step in steps_within(plan))
    conditionals = [step for step in steps if isinstance(step, Conditional)]
    names: dict[Step, str] = {
        step: f"do {step}" for step in steps if not isinstance(step, Conditional)
    }
    return names | {step: f"if {number}" for number, step in enumerate(conditionals, 1)}


def _commented_command(span: Span, command: Command) -> Iterator[Command | Comment]:
    """Yield a comment with the source text on one line, then the command. A command that can never
    be executed is replaced by a comment that says so."""
    yield Comment(" ".join(span.text.split()))
    yield Comment("is never possible") if command.guard == FALSE else command


def _tokens(plan: Plan) -> list[Step]:
    """Return the steps of a plan in the order in which the PRISM array stores them: a conditional
    is followed by its branches."""
    return list(steps_within(plan))


def _same(variable: str, constant: str) -> Expression:
    return Operation("=", (Reference(variable), Reference(constant)))


def _number(value: int) -> NumberLiteral:
    return NumberLiteral(Fraction(value))
