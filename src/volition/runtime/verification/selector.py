"""Plan selection by verification (Izzo, Sect. 4.5, method 2). The value of a choice is its reward
plus the expected value of its successors, and the choice with the best value is taken.

If an objective is the only query, and later choices are also the best ones (``later = best``), the
agent follows an optimal strategy of its model. Design-time results about optimal choices then hold
for the running agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from volition.diagnostics import InputError
from volition.kernel.system import Choice, System
from volition.languages.protocols import Model
from volition.logic.syntax import Reward
from volition.reporting.annotated_runs import origins_of
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import DEFAULT, DecisionRequest, DecisionResult
from volition.runtime.verification.criterion import best_joint_choice
from volition.runtime.verification.joint_choices import JointChoice, options_of
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.verification.section import Query, VerificationSection, step_bound
from volition.runtime.verification.values import ValueStore

__all__ = ["VerifiedSelector"]


class VerifiedSelector:
    """Selector that takes the choices with the best values of the declared queries. If the values
    are unknown, it takes the default that the run file declares."""

    name = "verified"

    def __init__(
        self,
        model: Model,
        declared: VerificationSection,
        values: ValueStore,
        journal: RunLog,
        changes: ParameterUpdates,
    ) -> None:
        self._system: System = model.system
        self._agent = model.agents[0] if model.agents else ""
        self._declared = declared
        self._values = values
        self._journal = journal
        self._changes = changes
        self._bounds = {query.name: step_bound(query) for query in declared.selection_queries}

    def select(self, decision: DecisionRequest) -> DecisionResult:
        self._apply_updates(decision.cycle)
        options = options_of(self._system, decision)
        value = [self._option_values(option, decision.step) for option in options]
        known = [each for each in value if each is not None]
        if len(known) < len(value):
            return self._by_default(decision)
        best = best_joint_choice(self._declared, known)
        return DecisionResult(
            options[best].chosen,
            self.name,
            _values_by_choice(decision, options, known, options[best].chosen),
        )

    def _apply_updates(self, cycle: int) -> None:
        """Start to recompute the values of queries if parameters have changed since the last
        decision, and switch to recomputed values that are ready."""
        try:
            if given := self._changes.drain():
                self._values.update_parameters(given)
                self._journal.write(
                    "parameters",
                    cycle=cycle,
                    agent=self._agent,
                    set=dict(given),
                    text="values are being recomputed",
                )
            if self._values.collect_ready():
                self._journal.write(
                    "parameters",
                    cycle=cycle,
                    agent=self._agent,
                    set={},
                    text="the new values apply from now on",
                )
        except InputError as error:
            for each in error.diagnostics:
                self._journal.write(
                    "refused", cycle=cycle, agent=self._agent, what="values", text=each.message
                )

    def _option_values(self, option: JointChoice, step: int) -> dict[str, float] | None:
        """Return the value of each query if the option is taken now: the reward of the step plus
        the expected value of the successor states. Return None if the value of a successor is not
        known. ``step`` is the number of steps before this one."""
        indices = [(chance, self._values.known.find(state)) for chance, state in option.follows]
        value = {}
        for query in self._declared.selection_queries:
            bound = self._bounds[query.name]
            total = _earned(query, option)
            for chance, found in indices:
                if found is None:
                    return None
                total += chance * found[0].value(
                    query.name, found[1], None if bound is None else bound - step - 1
                )
            value[query.name] = total
        return value

    def _by_default(self, decision: DecisionRequest) -> DecisionResult:
        self._values.request_missing(decision.state)
        text = (
            "the explored model does not contain the current state; the default is used, and "
            "exploration continues from the state"
        )
        self._journal.write(
            "surprise",
            cycle=decision.cycle,
            agent=self._agent,
            what="state",
            name="",
            observed=None,
            text=text,
        )
        return DecisionResult(
            {group: self._default(choices) for group, choices in decision.choices_by_group.items()},
            DEFAULT,
            {},
        )

    def _default(self, choices: Sequence[Choice]) -> int:
        for requested in self._declared.defaults:
            for number, choice in enumerate(choices):
                if any(
                    requested in (origin.plan, origin.text) for origin in origins_of(choice.label)
                ):
                    return number
        return 0


def _earned(query: Query, option: JointChoice) -> float:
    """Return the reward of a step for the reward structure of a query, or 0 if the query is for a
    probability."""
    if not isinstance(query.formula, Reward):
        return 0.0
    name = query.formula.name or next(iter(option.earned), "")
    return option.earned.get(name, 0.0)


def _values_by_choice(
    decision: DecisionRequest,
    options: Sequence[JointChoice],
    option_values: Sequence[Mapping[str, float]],
    chosen: Mapping[str, int],
) -> dict[str, list[Mapping[str, float | None]]]:
    """Return the query values of the single choices of a decision, for the record.

    A decision may be about several sets of alternatives at once (groups), and queries are evaluated
    for combinations with one choice from each group. The values of a choice are therefore those of
    the combination in which all other groups take their ``chosen`` choice.

    The result maps each group to a list with one mapping per choice, from the name of a query to
    its value. An infinite value is None.
    """
    finite = [
        {name: value if isfinite(value) else None for name, value in each.items()}
        for each in option_values
    ]
    by_choice = {
        tuple(option.chosen.items()): each for option, each in zip(options, finite, strict=True)
    }
    return {
        group: [
            by_choice[tuple({**chosen, group: number}.items())] for number in range(len(choices))
        ]
        for group, choices in decision.choices_by_group.items()
    }
