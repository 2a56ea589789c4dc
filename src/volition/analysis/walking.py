"""Walking through a program: one step after the other, chosen by hand, by chance or by a strategy,
and taken back at will.

A walk is a run that somebody is still making.  It goes through states that were explored before, or
through states that are explored as it gets there, so that no program is too large for it.  What a
query is worth in a state, and with each option, only an explored space tells.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volition.analysis.neighbourhoods import GraphEdge
from volition.checking.explored_model import Exploration
from volition.checking.graph.propositions import DEADLOCK, predicate, resolve_atoms
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.quantitative.choice_values import ChoiceValues, choice_values
from volition.checking.quantitative.context import QuantitativeFormula
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError, plural
from volition.kernel import STUTTER, StateGraph
from volition.kernel.system import identical_value
from volition.languages.protocols import Model, Program, StateView
from volition.logic.printing import as_typed
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import expand_agents, is_propositional
from volition.origin import Origin, unique_texts
from volition.reporting.annotated_runs import (
    STAYS,
    AnnotatedRun,
    Change,
    annotate_run,
    changes_between,
    origins_of,
    origins_of_transition,
)
from volition.reporting.replay import Effect, best_fit, matches_step
from volition.reporting.trace_format import trace_to_json

__all__ = ["Walk", "WalkOption", "WalkOutcome"]


@dataclass(frozen=True, slots=True)
class WalkOutcome:
    """What an option can lead to: a state, how likely, and what is different there."""

    state: int
    probability: Any
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class WalkOption:
    """One thing that can be done next: ``choice`` is its number in the space, ``text`` tells it
    from the other options."""

    number: int
    choice: int
    text: str
    origins: tuple[Origin, ...]
    outcomes: tuple[WalkOutcome, ...]

    @property
    def agent(self) -> str:
        return ", ".join(dict.fromkeys(origin.agent for origin in self.origins if origin.agent))

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for origin in self.origins for rule in origin.rules))

    @property
    def is_stutter(self) -> bool:
        """Whether this is no step: nothing can move any more."""
        return not self.origins


class Walk:
    """A run that begins in the initial state and goes on as one chooses: ``take``, ``at_random``,
    ``follow``, ``back``.

    ``states`` are the numbers of the states so far in ``space``, ``choices`` those of the choices
    between them.
    """

    loop: int | None = None
    """A walk has an end."""

    def __init__(
        self,
        program: Program,
        model: Model,
        space: StateGraph,
        *,
        observed: Sequence[Atom] = (),
        explored: Exploration | None = None,
        seed: int = 1,
    ) -> None:
        self.program = program
        self.model = model
        self.space = space
        self.observed = tuple(observed)
        self.explored = explored
        """The exploration that the walk goes through; None where states are explored as it gets
        there."""
        self.states: list[int] = [0]
        self.choices: list[int] = []
        self._chance = random.Random(seed)
        self._options: dict[int, tuple[WalkOption, ...]] = {}
        self._views: dict[int, StateView] = {}
        self._values: dict[Formula, ChoiceValues] = {}
        self._satisfactions: dict[Formula, Satisfaction] = {}

    def __len__(self) -> int:
        """How many steps it has."""
        return len(self.choices)

    def __bool__(self) -> bool:
        return True  # a walk that has not begun is a walk

    def __repr__(self) -> str:
        count, can = len(self.choices), len(self.options)
        return f"<Walk: {count} {plural(count, 'step')}, {can} {plural(can, 'option')} here>"

    # --- where it is ------------------------------------------------------------------------------

    @property
    def state(self) -> int:
        """The number of the state that it has come to."""
        return self.states[-1]

    @property
    def state_view(self) -> StateView:
        """That state, for people."""
        return self.portrait_of(self.state)

    def portrait_of(self, state: int) -> StateView:
        """A state, for people."""
        if state not in self._views:
            self._views[state] = self.model.describe(self.space.values(state))
        return self._views[state]

    @property
    def options(self) -> tuple[WalkOption, ...]:
        """What can be done next; a state in which nothing can move has one option, which stays
        there, and an unexplored one has none."""
        return self.options_of(self.state)

    def options_of(self, state: int) -> tuple[WalkOption, ...]:
        """What can be done in a state."""
        if state not in self._options:
            choices = self.space.choices_of(state)
            origins = [origins_of(self.space.label(choice)) for choice in choices]
            texts = unique_texts(
                [
                    (_text(each), [rule for origin in each for rule in origin.rules])
                    for each in origins
                ]
            )
            self._options[state] = tuple(
                WalkOption(number, choice, text, behind, self._outcomes(state, choice))
                for number, (choice, text, behind) in enumerate(
                    zip(choices, texts, origins, strict=True)
                )
            )
        return self._options[state]

    def _outcomes(self, state: int, choice: int) -> tuple[WalkOutcome, ...]:
        before = self.portrait_of(state)
        reached = zip(
            self.space.targets_of(choice).tolist(), self.space.weights_of(choice), strict=True
        )
        return tuple(
            WalkOutcome(target, weight, tuple(changes_between(before, self.portrait_of(target))))
            for target, weight in reached
        )

    # --- on and back ------------------------------------------------------------------------------

    def take(self, option: int, outcome: int | None = None) -> Walk:
        """Take an option, by its number; where chance decides, an outcome of it, by its number, or
        else as chance has it."""
        chosen = self._numbered(self.options, option, "option")
        outcomes = chosen.outcomes
        if outcome is None:
            (reached,) = self._chance.choices(
                outcomes, [float(each.probability) for each in outcomes]
            )
        else:
            reached = self._numbered(outcomes, outcome, "outcome")
        self.choices.append(chosen.choice)
        self.states.append(reached.state)
        return self

    def random_steps(self, steps: int = 1) -> Walk:
        """Let chance choose, every option as likely as every other; ends early where nothing can
        move, or nothing was explored."""
        for _ in range(steps):
            if self._is_at_an_end():
                break
            self.take(self._chance.randrange(len(self.options)))
        return self

    def follow(self, query: Formula, steps: int = 1) -> Walk:
        """Let the strategy behind a query choose, and chance the outcomes; raises
        :class:`InputError` where there is none to follow."""
        best = self.values(query).optimal_choices
        for _ in range(steps):
            if self._is_at_an_end():
                break
            first, *others = self.options
            if others and best is None:
                hint = "ask for P with F, G or U and without a bound, or for a reward until F"
                raise InputError(
                    [
                        Diagnostic(
                            "API013",
                            f"the best choices for '{as_typed(query)}' depend on more than the "
                            "state",
                            query.span,
                            hint,
                        )
                    ]
                )
            self.take(int(best[self.state]) - first.choice if others and best is not None else 0)
        return self

    def _is_at_an_end(self) -> bool:
        return not self.options or self.options[0].is_stutter

    def back(self, steps: int = 1) -> Walk:
        """Take the last steps back; further back than the beginning there is nothing."""
        kept = max(0, len(self.choices) - steps)
        del self.choices[kept:], self.states[kept + 1 :]
        return self

    def retrace(self, other: Walk) -> Walk:
        """Go the way of another walk through the same program, from the beginning, whatever space
        that goes through.

        States may remember other things there.
        """
        self.back(len(self))
        known = self.space.system.slots.keys() & other.space.system.slots.keys()
        for source, choice, target in zip(
            other.states, other.choices, other.states[1:], strict=False
        ):
            option = choice - other.space.choices_of(source)[0]
            reached = self._numbered(self.options, option, "option").outcomes
            here = [
                index
                for index, each in enumerate(reached)
                if all(
                    identical_value(
                        self.space.value(each.state, slot), other.space.value(target, slot)
                    )
                    for slot in known
                )
            ]
            self.take(option, here[0])
        return self

    def follow_path(self, way: Sequence[GraphEdge]) -> Walk:
        """Go on by the steps of a way through the space, such as one to a state in the
        neighbourhood."""
        for edge in way:
            option = edge.choice - self.options[0].choice
            reached = self._numbered(self.options, option, "option").outcomes
            self.take(option, [each.state for each in reached].index(edge.target))
        return self

    def replay_trace(self, trace: Mapping[str, Any], steps: int | None = None) -> Walk:
        """Go the first steps of a run in the public trace format, from the beginning; None: all of
        them.

        Raises :class:`InputError` where the program has no such step.
        """
        self.back(len(self))
        for recorded in trace["steps"][:steps]:
            self.take(*self._recorded(recorded))
        return self

    def _recorded(self, step: Mapping[str, Any]) -> tuple[int, int]:
        """The option and the outcome that a recorded step took."""
        fits = [
            Effect((option.number, index), outcome.changes, self.space.values(outcome.state))
            for option in self.options
            for index, outcome in enumerate(option.outcomes)
            if matches_step(
                step, origins_of_transition(self.space, option.choice, self.state, outcome.state)
            )
        ]
        if not fits:
            message = f"step {step['step']} of the run, '{step['text']}', is not possible here"
            raise InputError(
                [Diagnostic("API013", message, hint="the run was recorded with another program")]
            )
        return best_fit(step, self.space.values(self.state), fits).of

    @staticmethod
    def _numbered(among: Sequence[Any], number: int, what: str) -> Any:
        if not 0 <= number < len(among):
            hint = f"there {'is' if len(among) == 1 else 'are'} {len(among)}, counted from 0"
            raise InputError([Diagnostic("API013", f"there is no {what} {number} here", hint=hint)])
        return among[number]

    # --- what it is -------------------------------------------------------------------------------

    def annotated_run(self) -> AnnotatedRun:
        """The steps so far in the agent's words."""
        return annotate_run(self, self.model)

    def trace(self) -> dict[str, Any]:
        """The steps so far in the public trace format, which :func:`volition.replay` takes."""
        sources = self.program.sources
        name = sources[0].name if sources else ""
        return trace_to_json(
            self,
            self.model,
            language=self.program.language,
            program=name,
            formula=None,
            observed=self.observed,
        )

    # --- questions about states -------------------------------------------------------------------

    def holds(self, formula: Formula, state: int | None = None) -> bool | None:
        """Whether a state formula holds here, or in another state.

        Formulas about runs need states that were explored; raises :class:`InputError` where they
        were not.
        """
        at = self.state if state is None else state
        query = expand_agents(formula, self.model.agents)
        if is_propositional(query):
            atoms = {**resolve_atoms(self.model, query), DEADLOCK: lambda _: self._is_stuck(at)}
            return bool(predicate(query, atoms)(self.space.values(at)))
        if formula not in self._satisfactions:
            explored = self._expect_explored(formula)
            self._satisfactions[formula] = Satisfaction(
                CheckTask(explored.model, formula), explored.space
            )
        return self._satisfactions[formula].states(query).at(at)

    def values(self, query: Formula) -> ChoiceValues:
        """What a query such as ``Pmax=? [ F done ]`` is worth in every state and with every option.

        Raises :class:`InputError` for what is no query, and where the states were not explored, all
        of them.
        """
        if query not in self._values:
            explored = self._expect_explored(query)
            if explored.space.stopped is not None:
                message = (
                    f"'{as_typed(query)}' needs all states, and the exploration "
                    f"{explored.space.stopped.text}"
                )
                raise InputError(
                    [Diagnostic("API013", message, query.span, "explore with larger limits")]
                )
            task = CheckTask(explored.model, query)
            if (
                not isinstance(task.formula, QuantitativeFormula)
                or task.formula.relation is not None
            ):
                hint = 'such as Pmax=? [ F done ] or R{"cost"}min=? [ F done ]'
                raise InputError(
                    [
                        Diagnostic(
                            "API013", f"'{as_typed(query)}' asks for no number", query.span, hint
                        )
                    ]
                )
            self._values[query] = choice_values(task, explored.mdp_model)
        return self._values[query]

    def _is_stuck(self, state: int) -> bool:
        return any(self.space.label(choice) is STUTTER for choice in self.space.choices_of(state))

    def _expect_explored(self, formula: Formula) -> Exploration:
        if self.explored is None:
            message = (
                f"'{as_typed(formula)}' needs all states, and this walk explores them one by one"
            )
            raise InputError(
                [
                    Diagnostic(
                        "API013",
                        message,
                        formula.span,
                        "walk through the explored space: walk(explore(program))",
                    )
                ]
            )
        return self.explored


def _text(origins: Sequence[Origin]) -> str:
    return "; ".join(origin.text for origin in origins) if origins else STAYS
