"""The strategy behind an extreme value, in a form that a person can follow and an agent can execute.

A strategy answers two kinds of questions.  Where several components of the system could move (intentions of a CAN agent, agents of
an AgentSpeak system): *who goes on?*  Where the one that goes on could do several things: *by which step?*  Each question
gets a tree of findings in the agent's words (:mod:`volition.analysis.decision_table`); everything else (tables, JSON, pictures,
Python code, the rulings that a language turns into a program) is read off these trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from volition.analysis.decision_table import findings_text, rows, rows_from_the_top
from volition.analysis.occasions import Occasion, Question, occasions, questions
from volition.analysis.ties import with_shorter_strategy
from volition.checking.check import Answer, check
from volition.checking.quantitative import Settings, path_strategy
from volition.checking.reductions import is_about_a_goal
from volition.checking.remembering import Memory, RememberingStrategy
from volition.checking.storm import EngineError
from volition.checking.verdict import Strategy
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, Progress
from volition.languages.model import Model, Program, Ruling, StatedProperty, Table
from volition.logic import parse
from volition.logic.printing import show
from volition.logic.syntax import Formula, Probability, Reward, SteadyState

__all__ = ["ANY_CHOICE", "Question", "Synthesis", "opposite_query", "synthesise"]

Asked = Probability | Reward | SteadyState

ANY_CHOICE = "any choice attains the value"


@dataclass(frozen=True)
class Synthesis:
    """The answer to a query with the strategy that attains it; ``any_choice`` says that every strategy does."""

    answer: Answer
    occasions: tuple[Occasion, ...]
    questions: tuple[Question, ...]
    any_choice: bool

    @property
    def model(self) -> Model:
        return self.answer.exploration.model

    @property
    def strategy(self) -> Strategy | RememberingStrategy | None:
        return self.answer.verdict.strategy or self.answer.verdict.remembering

    @property
    def memory(self) -> Memory | None:
        """What the strategy remembers, and how that changes; None where the state says all that it needs."""
        return self.strategy.memory if isinstance(self.strategy, RememberingStrategy) else None

    def tables(self) -> list[Table]:
        """A table for each kind of question: who goes on, and by which step.  The first row that fits counts."""
        kinds = {"Who goes on": [each for each in self.questions if each.mover is None]}
        kinds["By which step"] = [each for each in self.questions if each.mover is not None]
        return [_table(title, questions) for title, questions in kinds.items() if questions]

    def markdown(self) -> str:
        """The tables as Markdown."""
        return "\n".join(_markdown(table) for table in self.tables()) or f"{ANY_CHOICE}\n"

    def depends_on(self) -> tuple[str, ...]:
        """Every item that matters for some choice."""
        return tuple(dict.fromkeys(item for question in self.questions for item in question.depends_on))

    def rulings(self) -> list[Ruling]:
        """The rows of all tables, as a language takes them."""
        rulings = []
        for question in self.questions:
            for row in rows_from_the_top(question.tree):
                mover, step = (row.answer, None) if question.mover is None else (question.mover, row.answer)
                rulings.append(Ruling(row.findings, mover, step))
        return rulings

    def as_json(self) -> dict[str, Any]:
        """The compact tables, and what they say in each state that the strategy reaches."""
        return {
            "any_choice": self.any_choice,
            **({} if self.memory is None else {"memory": self.memory.as_json()}),
            "depends_on": list(self.depends_on()),
            "questions": [_question_json(each) for each in self.questions],
            "states": [
                {
                    "state": each.state,
                    **({} if each.memory is None else {"memory": each.memory}),
                    "situation": {section: dict(items) for section, items in each.situation.items()},
                    "options": {mover: list(steps) for mover, steps in each.options.items()},
                    "mover": each.mover,
                    "step": each.step,
                }
                for each in self.occasions
            ],
        }


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
    report = check(program, [formula, opposite_query(asked)], limits=limits, exact=exact, progress=progress)
    answer, opposite = report.answers
    value, other = answer.verdict.value, opposite.verdict.value
    space = answer.exploration.space
    any_choice = (value is not None and value == other) or space.num_choices == space.num_states
    settings = Settings(exact=exact, seconds=None if limits is None else limits.seconds)
    if not any_choice and isinstance(asked, Probability):
        answer = _with_strategy(answer, asked, settings)
    if answer.verdict.unknown is not None:
        return Synthesis(answer, (), (), any_choice=False)
    if not any_choice:
        answer = with_shorter_strategy(answer, asked, settings)
    strategy = answer.verdict.strategy or answer.verdict.remembering
    if strategy is None and not any_choice:
        raise InputError([_untold(asked)])
    decided = () if any_choice or strategy is None else tuple(occasions(answer.exploration.model, strategy))
    return Synthesis(answer, decided, tuple(questions(space, decided)), any_choice or not decided)


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
    if not isinstance(asked, Asked) or asked.optimum is None or asked.relation is not None:
        hint = 'ask for an extreme value, such as Pmax=? [ F done ] or R{"cost"}min=? [ F done ]'
        raise InputError([Diagnostic("CHK082", f"'{show(asked)}' has no strategy to it", asked.span, hint)])
    return asked


def opposite_query(asked: Asked) -> Formula:
    """The same query with the other optimum: if both have one value, choices do not matter."""
    return replace(asked, optimum="min" if asked.optimum == "max" else "max")


# --- how it is told --------------------------------------------------------------------------------------------------------


def _table(title: str, questions: Sequence[Question]) -> Table:
    cells = []
    for question in questions:
        cases = list(rows_from_the_top(question.tree))
        for row in cases:
            when = findings_text(row.findings) or ("otherwise" if len(cases) > 1 else "always")
            rather = [option for option in question.options if option != row.answer]
            cells.append([when, row.answer, "; ".join(rather), str(row.situations)])
    return Table(title, ["when", "choose", "rather than", "states"], cells)


def _markdown(table: Table) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    lines = [f"## {table.title}", "", *(f"| {' | '.join(row)} |" for row in (table.columns, ["---"] * len(table.columns), *cells)), ""]
    return "\n".join(lines)


def _question_json(question: Question) -> dict[str, Any]:
    return {
        "question": question.text,
        "mover": question.mover,
        "options": list(question.options),
        "depends_on": list(question.depends_on),
        "rows": [
            {
                "when": [
                    {"section": each.section, "item": each.item, "relation": each.relation, "value": each.value, "found": each.found}
                    for each in row.findings
                ],
                "text": findings_text(row.findings) or "always",
                "choose": row.answer,
                "states": row.situations,
            }
            for row in rows(question.tree)
        ],
    }
