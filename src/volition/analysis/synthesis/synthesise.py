"""The strategy behind an extreme value, in a form that a person can follow and an agent can execute.

A strategy answers two kinds of questions.  Where several components of the system could move (intentions of a CAN agent, agents of
an AgentSpeak system): *who goes on?*  Where the one that goes on could do several things: *by which step?*  Each question
gets a tree of findings in the agent's words (:mod:`volition.telling.strategies.decision_table`); everything else (tables, JSON, pictures,
Python code, the rulings that a language turns into a program) is read off these trees, see :mod:`volition.telling.strategies.table`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from volition.analysis.synthesis.shorter_strategies import with_shorter_strategy
from volition.checking.check import Answer, check
from volition.checking.numbers.path_questions import is_about_a_goal
from volition.checking.numbers.quantitative import Settings, check_quantitative, path_strategy
from volition.checking.storm.client import EngineError
from volition.checking.strategy import RememberingStrategy, Strategy
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, Progress
from volition.languages.model import Model, Program, StatedProperty
from volition.logic import parse
from volition.logic.printing import show
from volition.logic.syntax import Formula, Probability, Reward, SteadyState
from volition.telling.strategies.decision_points import Question
from volition.telling.strategies.table import StrategyTable, tabulated

__all__ = ["Asked", "Question", "Synthesis", "is_extreme_value", "opposite_query", "synthesise", "told"]

Asked = Probability | Reward | SteadyState


@dataclass(frozen=True)
class Synthesis(StrategyTable):
    """The answer to a query with the strategy that attains it; ``any_choice`` says that every strategy does."""

    answer: Answer
    any_choice: bool

    @property
    def model(self) -> Model:
        return self.answer.exploration.model

    @property
    def strategy(self) -> Strategy | RememberingStrategy | None:
        return self.answer.verdict.strategy or self.answer.verdict.remembering

    def as_json(self) -> dict[str, Any]:
        """Whether any choice will do, and the tables."""
        return {"any_choice": self.any_choice, **super().as_json()}


def synthesise(
    program: Program,
    formula: str | Formula | StatedProperty,
    *,
    limits: Limits | None = None,
    exact: bool | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Synthesis:
    """Answer a query such as ``Pmax=? [ F done ]`` and tell the strategy that attains the value.

    The strategy may remember how many steps are left, or what of a formula about whole runs is still due.  Raises :class:`InputError`
    where the formula is no such query, or needs another memory.
    """
    asked = _query(formula)
    report = check(program, [formula], limits=limits, exact=exact, progress=progress)
    (answer,) = report.answers
    found = told(answer, asked, Settings(exact=exact, seconds=None if limits is None else limits.seconds))
    if isinstance(found, Diagnostic):
        raise InputError([found])
    return found


def told(answer: Answer, asked: Asked, settings: Settings) -> Synthesis | Diagnostic:
    """The strategy behind the answer to a query for an extreme value, or why there is none to tell."""
    model, space = answer.exploration.model, answer.exploration.space
    value = answer.verdict.value
    other = check_quantitative(model, space, opposite_query(asked), replace(settings, evidenced=False)).value
    any_choice = (value is not None and value == other) or space.num_choices == space.num_states
    if not any_choice and isinstance(asked, Probability):
        answer = _with_strategy(answer, asked, settings)
    if answer.verdict.unknown is not None:
        return Synthesis((), (), None, answer, any_choice=False)
    if any_choice:
        return Synthesis((), (), None, answer, any_choice=True)
    answer = with_shorter_strategy(answer, asked, settings)
    strategy = answer.verdict.strategy or answer.verdict.remembering
    if strategy is None:
        return _untold(asked)
    table = tabulated(model, strategy)
    return Synthesis(table.occasions, table.questions, table.memory, answer, any_choice=not table.occasions)


def _untold(asked: Asked) -> Diagnostic:
    """Why there is no strategy to tell."""
    if isinstance(asked, Probability) and is_about_a_goal(asked.path):
        message = f"the best choices for '{show(asked)}' depend on the steps left, and there are too many states for so many steps"
        return Diagnostic("CHK087", message, asked.span, "ask with a smaller bound, or without one")
    hint = "ask for P with F, G or U, with Boolean combinations of these, of G F p and of F G p, or for a reward until F"
    message = f"the best choices for '{show(asked)}' depend on more than the state and a memory that we could tell"
    return Diagnostic("CHK081", message, asked.span, hint)


def _with_strategy(answer: Answer, asked: Probability, settings: Settings) -> Answer:
    """The answer with its strategy, also where a verdict leaves it out: for formulas about more than a goal within some steps."""
    verdict, exploration = answer.verdict, answer.exploration
    if verdict.unknown is not None or is_about_a_goal(asked.path):
        return answer
    try:
        found = path_strategy(exploration.model, exploration.space, asked, settings)
    except EngineError as error:
        return replace(answer, verdict=replace(verdict, unknown=str(error)))
    plain = None if found is None else found.without_memory
    return replace(answer, verdict=replace(verdict, strategy=plain, remembering=found if plain is None else None))


# --- what is asked ---------------------------------------------------------------------------------------------------------


def _query(formula: str | Formula | StatedProperty) -> Asked:
    text = formula.text if isinstance(formula, StatedProperty) else formula
    asked = parse(text) if isinstance(text, str) else text
    if not isinstance(asked, Asked) or not is_extreme_value(asked):
        hint = 'ask for an extreme value, such as Pmax=? [ F done ] or R{"cost"}min=? [ F done ]'
        raise InputError([Diagnostic("CHK082", f"'{show(asked)}' has no strategy to it", asked.span, hint)])
    return asked


def is_extreme_value(formula: Formula) -> bool:
    """Whether a formula asks for the largest or smallest of something, which some strategy attains."""
    return isinstance(formula, Asked) and formula.optimum is not None and formula.relation is None


def opposite_query(asked: Asked) -> Formula:
    """The same query with the other optimum: if both have one value, choices do not matter."""
    return replace(asked, optimum="min" if asked.optimum == "max" else "max")
