"""The strategy behind an extreme value, in a form that a person can follow and an agent can execute.

A strategy answers two kinds of questions.  Where several components of the system could move (intentions of a CAN agent, agents of
an AgentSpeak system): *who goes on?*  Where the one that goes on could do several things: *by which step?*  Each question
gets a tree of findings in the agent's words (:mod:`volition.analysis.decision_table`); everything else (tables, JSON, pictures,
Python code, the rulings that a language turns into a program) is read off these trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from volition.analysis.decision_table import (
    HIDDEN,
    MEMORY,
    Tree,
    findings_text,
    item_text,
    rows,
    rows_from_the_top,
    tabulate,
)
from volition.checking.check import Answer, check
from volition.checking.quantitative import Settings, path_strategy
from volition.checking.reductions import Linear, reduce_path
from volition.checking.remembering import Memory, RememberingStrategy
from volition.checking.storm import EngineError
from volition.checking.strategies import choice_text, label_text
from volition.checking.verdict import Strategy
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, Progress, StateSpace
from volition.languages.model import Model, Portrait, Program, Ruling, StatedProperty, Table
from volition.logic import parse
from volition.logic.printing import show
from volition.logic.syntax import Formula, Probability, Reward, SteadyState

__all__ = ["ANY_CHOICE", "Occasion", "Question", "Synthesis", "occasions", "opposite_query", "synthesise"]

Asked = Probability | Reward | SteadyState

ANY_CHOICE = "any choice attains the value"


@dataclass(frozen=True, slots=True)
class Occasion:
    """A state in which the strategy decides: who could move, each by which steps, and what it chooses.

    Where the strategy has a ``memory``, the situation tells it in a section of its own.
    """

    state: int
    situation: Portrait
    options: dict[str, tuple[str, ...]]
    mover: str
    step: str
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the strategy decides again and again: who of some moves (``mover`` is None), or by which step one does."""

    mover: str | None
    options: tuple[str, ...]
    tree: Tree

    @property
    def text(self) -> str:
        return "who goes on" if self.mover is None else f"how {self.mover} goes on"

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The items that are looked at, each once."""
        findings = [finding for row in rows(self.tree) for finding in row.findings]
        return tuple(dict.fromkeys(map(item_text, findings)))


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
    if not any_choice and isinstance(asked, Probability):
        answer = _with_strategy(answer, asked, Settings(exact=exact, seconds=None if limits is None else limits.seconds))
    if answer.verdict.unknown is not None:
        return Synthesis(answer, (), (), any_choice=False)
    strategy = answer.verdict.strategy or answer.verdict.remembering
    if strategy is None and not any_choice:
        hint = "ask for P with F, G or U, with Boolean combinations of these, of G F p and of F G p, or for a reward until F"
        message = f"the best choices for '{show(asked)}' depend on more than the state and a memory that we could tell"
        raise InputError([Diagnostic("CHK081", message, asked.span, hint)])
    decided = () if any_choice or strategy is None else tuple(occasions(answer.exploration.model, strategy))
    return Synthesis(answer, decided, tuple(_questions(space, decided)), any_choice or not decided)


def _with_strategy(answer: Answer, asked: Probability, settings: Settings) -> Answer:
    """The answer with its strategy, also where a verdict leaves it out: for formulas about whole runs."""
    verdict, exploration = answer.verdict, answer.exploration
    if verdict.unknown is not None or not isinstance(reduce_path(asked.path).question, Linear):
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


# --- what is decided -------------------------------------------------------------------------------------------------------


def occasions(model: Model, strategy: Strategy | RememberingStrategy) -> Iterator[Occasion]:
    """The states that the strategy reaches and in which there is something to choose, nearest first; with each memory that it has there."""
    several = np.diff(strategy.space.first_choice) > 1
    if isinstance(strategy, Strategy):
        for state in np.flatnonzero(several & (strategy.choice >= 0)).tolist():
            yield _occasion(model, strategy.space, state, int(strategy.choice[state]))
        return
    unfolding = strategy.unfolding
    for pair in np.flatnonzero(strategy.reached & several[unfolding.states]).tolist():
        decided = _occasion(model, strategy.space, int(unfolding.states[pair]), int(strategy.taken[pair]))
        memory = int(unfolding.memory[pair])
        yield replace(decided, situation={**decided.situation, MEMORY: strategy.so_far(memory)}, memory=memory)


def _occasion(model: Model, space: StateSpace, state: int, taken: int) -> Occasion:
    choices = range(int(space.first_choice[state]), int(space.first_choice[state + 1]))
    movers = [_mover(model, space, choice) for choice in choices]
    steps = _told_apart(_texts(space, choices), movers, [_rules(space, choice) for choice in choices])
    options: dict[str, tuple[str, ...]] = {}
    for mover, step in zip(movers, steps, strict=True):
        options[mover] = (*options.get(mover, ()), step)
    place = choices.index(taken)
    return Occasion(state, model.portray(space.values(state)), options, movers[place], steps[place])


def _mover(model: Model, space: StateSpace, choice: int) -> str:
    """Who makes a choice: a component by its name, or all of them together."""
    components = space.system.components
    number = int(space.component_ids[choice])
    return components[number].name if space.system.mode == "interleaved" and number < len(components) else " and ".join(model.agents)


def _texts(space: StateSpace, choices: Sequence[int]) -> list[str]:
    """What each choice does, without what components that move together do whatever is chosen."""
    labels = [space.label(choice) for choice in choices]
    if not all(isinstance(label, tuple) for label in labels):
        return [choice_text(space, choice) for choice in choices]
    common = frozenset.intersection(*(frozenset(label) for label in labels if isinstance(label, tuple)))
    return [label_text(tuple(each for each in label if each not in common)) for label in labels if isinstance(label, tuple)]


def _rules(space: StateSpace, choice: int) -> str:
    return " ".join(getattr(space.label(choice), "rules", ()))


def _told_apart(texts: Sequence[str], movers: Sequence[str], rules: Sequence[str]) -> list[str]:
    """The texts of the choices, with the rules behind it where one component has two choices of the same text."""
    named = list(zip(movers, texts, strict=True))
    return [text if named.count(name) == 1 else f"{text} [{how}]" for name, text, how in zip(named, texts, rules, strict=True)]


def _questions(space: StateSpace, decided: Sequence[Occasion]) -> Iterator[Question]:
    turns = [each for each in decided if len(each.options) > 1]
    if turns:
        movers = tuple(dict.fromkeys(mover for each in turns for mover in each.options))
        yield Question(None, movers, _tree(space, turns, lambda each: each.mover))
    steps: dict[tuple[str, tuple[str, ...]], list[Occasion]] = {}
    for each in decided:
        if len(each.options[each.mover]) > 1:
            steps.setdefault((each.mover, tuple(sorted(each.options[each.mover]))), []).append(each)
    for (mover, options), cases in steps.items():
        yield Question(mover, options, _tree(space, cases, lambda each: each.step))


def _tree(space: StateSpace, cases: Sequence[Occasion], answer: Callable[[Occasion], str]) -> Tree:
    """The tree for some occasions; where what people see does not decide, the rest of the state is looked at as well."""
    situations = [each.situation for each in cases]
    seen: dict[frozenset[tuple[str, str, str]], str] = {}
    if any(seen.setdefault(_contents(each.situation), answer(each)) != answer(each) for each in cases):
        situations = [{**each.situation, HIDDEN: {slot: str(value) for slot, value in space.values(each.state).items()}} for each in cases]
    return tabulate([(situation, answer(each)) for situation, each in zip(situations, cases, strict=True)])


def _contents(portrait: Portrait) -> frozenset[tuple[str, str, str]]:
    """A portrait as a set: in which order it tells things does not matter."""
    return frozenset((section, item, value) for section, items in portrait.items() for item, value in items.items())


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
