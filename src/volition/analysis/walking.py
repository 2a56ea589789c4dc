"""Interactive simulation: build a run step by step, by hand, at random or by a strategy, and undo
steps.

A walk moves through an explored state space, or explores states on demand, so it works for programs
of any size. The values of a query in a state or for an option require an explored state space.
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
from volition.reporting.replay import OutcomeEffect, best_fit, matches_step
from volition.reporting.trace_format import trace_to_json

__all__ = ["Walk", "WalkOption", "WalkOutcome"]


@dataclass(frozen=True, slots=True)
class WalkOutcome:
    """Possible outcome of an option of a walk: the target state, its probability, and the changes
    to the state view."""

    state: int
    probability: Any
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class WalkOption:
    """Option for the next step of a walk. ``choice`` is the number of the option's choice in the
    state space; ``text`` is unique among the options of a state."""

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
        """Whether the option is a stutter step, because no component can move."""
        return not self.origins


class Walk:
    """Run that starts in the initial state and is extended step by step: ``take``,
    ``random_steps``, ``follow``, ``back``.

    ``states`` are the numbers of its states in the state space ``space``; ``choices`` are the
    numbers of the choices between them.
    """

    loop: int | None = None
    """Index of the state to which a run returns from its last state; always None, because a walk is
    finite."""

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
        """Explored state space of the walk; None if states are explored on demand."""
        self.states: list[int] = [0]
        self.choices: list[int] = []
        self._chance = random.Random(seed)
        self._options: dict[int, tuple[WalkOption, ...]] = {}
        self._views: dict[int, StateView] = {}
        self._values: dict[Formula, ChoiceValues] = {}
        self._satisfactions: dict[Formula, Satisfaction] = {}

    def __len__(self) -> int:
        """Return the number of steps of the walk."""
        return len(self.choices)

    def __bool__(self) -> bool:
        return True  # a walk without steps is not false

    def __repr__(self) -> str:
        count, can = len(self.choices), len(self.options)
        return f"<Walk: {count} {plural(count, 'step')}, {can} {plural(can, 'option')} here>"

    # --- current state ----------------------------------------------------------------------------

    @property
    def state(self) -> int:
        """Number of the current state in the state space."""
        return self.states[-1]

    @property
    def state_view(self) -> StateView:
        """Readable view of the current state."""
        return self.view_of(self.state)

    def view_of(self, state: int) -> StateView:
        """Return the readable view of the state with this number."""
        if state not in self._views:
            self._views[state] = self.model.describe(self.space.values(state))
        return self._views[state]

    @property
    def options(self) -> tuple[WalkOption, ...]:
        """Options for the next step in the current state. A deadlock state has one option, the
        stutter step; an unexplored state has none."""
        return self.options_of(self.state)

    def options_of(self, state: int) -> tuple[WalkOption, ...]:
        """Return the options for a step from the state with this number."""
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
        before = self.view_of(state)
        reached = zip(
            self.space.targets_of(choice).tolist(), self.space.weights_of(choice), strict=True
        )
        return tuple(
            WalkOutcome(target, weight, tuple(changes_between(before, self.view_of(target))))
            for target, weight in reached
        )

    # --- steps ------------------------------------------------------------------------------------

    def take(self, option: int, outcome: int | None = None) -> Walk:
        """Take an option and one of its outcomes, both given by number. Without ``outcome``, draw
        the outcome by the probabilities."""
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
        """Take ``steps`` steps by random options, all equally likely; stop early at a deadlock or
        an unexplored state."""
        for _ in range(steps):
            if self._is_at_an_end():
                break
            self.take(self._chance.randrange(len(self.options)))
        return self

    def follow(self, query: Formula, steps: int = 1) -> Walk:
        """Take ``steps`` steps by the options of an optimal strategy for a query, with random
        outcomes; stop early at a deadlock or an unexplored state. Raise :class:`InputError` if no
        memoryless optimal strategy is known for the query."""
        best = self.values(query).optimal_choices
        for _ in range(steps):
            if self._is_at_an_end():
                break
            first, *others = self.options
            if others and best is None:
                hint = "use P with F, G or U and without a step bound, or a reward until F"
                raise InputError(
                    [
                        Diagnostic(
                            "API018",
                            f"no memoryless optimal strategy is known for '{as_typed(query)}'",
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
        """Undo the last ``steps`` steps, at most back to the initial state."""
        remaining = max(0, len(self.choices) - steps)
        del self.choices[remaining:], self.states[remaining + 1 :]
        return self

    def retrace(self, other: Walk) -> Walk:
        """Go back to the initial state and repeat the steps of another walk through the same
        program.

        The other walk may belong to another state space of the program, with other history
        variables in its states.
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

    def follow_path(self, path: Sequence[GraphEdge]) -> Walk:
        """Take the steps of a path from the current state through the state space, such as a path
        returned by :meth:`volition.analysis.neighbourhoods.Neighbourhood.path_to`."""
        for edge in path:
            option = edge.choice - self.options[0].choice
            reached = self._numbered(self.options, option, "option").outcomes
            self.take(option, [each.state for each in reached].index(edge.target))
        return self

    def replay_trace(self, trace: Mapping[str, Any], steps: int | None = None) -> Walk:
        """Go back to the initial state and take the first ``steps`` steps (None: all) of a run in
        the public trace format.

        Raise :class:`InputError` if a step of the run is not possible in the program.
        """
        self.back(len(self))
        for recorded in trace["steps"][:steps]:
            self.take(*self._recorded(recorded))
        return self

    def _recorded(self, step: Mapping[str, Any]) -> tuple[int, int]:
        """Return the numbers of the option and of the outcome in the current state that match a
        step of a recorded run."""
        matches = [
            OutcomeEffect((option.number, index), outcome.changes, self.space.values(outcome.state))
            for option in self.options
            for index, outcome in enumerate(option.outcomes)
            if matches_step(
                step, origins_of_transition(self.space, option.choice, self.state, outcome.state)
            )
        ]
        if not matches:
            message = (
                f"step {step['step']} of the run, '{step['text']}', is not possible in this state"
            )
            raise InputError(
                [Diagnostic("API017", message, hint="the run was recorded with another program")]
            )
        return best_fit(step, self.space.values(self.state), matches).of

    @staticmethod
    def _numbered(among: Sequence[Any], number: int, what: str) -> Any:
        if not 0 <= number < len(among):
            hint = f"there are {len(among)}, numbered from 0"
            raise InputError([Diagnostic("API013", f"there is no {what} {number}", hint=hint)])
        return among[number]

    # --- the walk as a run or trace ---------------------------------------------------------------

    def annotated_run(self) -> AnnotatedRun:
        """Return the walk, up to the current state, as an annotated run."""
        return annotate_run(self, self.model)

    def trace(self) -> dict[str, Any]:
        """Return the walk, up to the current state, in the public trace format, which
        :func:`volition.replay` reads."""
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

    # --- formulas and queries ---------------------------------------------------------------------

    def holds(self, formula: Formula, state: int | None = None) -> bool | None:
        """Return whether a state formula holds in the current state, or in the state with the
        number ``state``; None if that is unknown.

        A formula with temporal operators needs an explored state space; raise :class:`InputError`
        if there is none.
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
        """Return the value of a query such as ``Pmax=? [ F done ]`` in every state and for every
        choice.

        Raise :class:`InputError` if the formula is not a query, or if the state space is not fully
        explored.
        """
        if query not in self._values:
            explored = self._expect_explored(query)
            if explored.space.stopped is not None:
                message = (
                    f"'{as_typed(query)}' needs the complete state space, but the exploration "
                    f"{explored.space.stopped.text}"
                )
                raise InputError(
                    [Diagnostic("API016", message, query.span, "explore with larger limits")]
                )
            task = CheckTask(explored.model, query)
            if (
                not isinstance(task.formula, QuantitativeFormula)
                or task.formula.relation is not None
            ):
                hint = 'use a query such as Pmax=? [ F done ] or R{"cost"}min=? [ F done ]'
                raise InputError(
                    [
                        Diagnostic(
                            "API015",
                            f"the formula '{as_typed(query)}' does not ask for a value",
                            query.span,
                            hint,
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
                f"'{as_typed(formula)}' needs the complete state space, but this walk explores "
                "states on demand"
            )
            raise InputError(
                [
                    Diagnostic(
                        "API016",
                        message,
                        formula.span,
                        "walk through an explored state space: walk(explore(program))",
                    )
                ]
            )
        return self.explored


def _text(origins: Sequence[Origin]) -> str:
    return "; ".join(origin.text for origin in origins) if origins else STAYS
