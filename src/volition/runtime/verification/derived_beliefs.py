"""Beliefs that run-time verification derives from the values of queries (Izzo, Sect. 4.5, method 1
and Fig. 4.9). Such a belief is held while the value of its query is high.

The values of the queries are computed on a model that itself contains these beliefs. To avoid a
circular definition there are two models:

- In *M0* the derived beliefs are unconstrained: each may change in every cycle by a
  nondeterministic choice. The values of the queries are computed on M0, over all these choices;
  each query states whether its minimum or its maximum is meant.
- *M1* is the same model, except that each derived belief is computed from the values in M0. M1 is
  the agent that runs, and the model on which its properties are checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from volition.kernel.system import SlotView
from volition.languages.lisa.program import LisaProgram
from volition.logic.printing import formula_text
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State
from volition.runtime.verification.section import DerivedBelief, VerificationSection
from volition.runtime.verification.tabulate import TableRequest
from volition.runtime.verification.values import KnownValues, ValueStore
from volition.runtime.verification.worker import TableBuilder

__all__ = ["GeneratedBeliefs"]


@dataclass(frozen=True, slots=True)
class UnconstrainedBelief:
    """Rule for a derived belief that may change in every state by a nondeterministic choice. It is
    used in the model on which queries are evaluated (M0 in the docstring of this module)."""

    def after(self, held: bool, state: SlotView) -> Sequence[bool]:
        del state
        return (held, not held)


@dataclass(frozen=True, slots=True)
class QueryDrivenBelief:
    """Rule for a derived belief that follows the value of a query in the current state. If the
    value is unknown, the belief does not change. It is used in the model of the running agent (M1
    in the docstring of this module)."""

    belief: DerivedBelief
    known: KnownValues

    def after(self, held: bool, state: SlotView) -> Sequence[bool]:
        value = self.known.value(self.belief.query, state)
        return (held if value is None else self.belief.after(held, value),)


class GeneratedBeliefs:
    """The beliefs of a running agent that are derived from queries."""

    def __init__(
        self, program: LisaProgram, declared: VerificationSection, worker: TableBuilder
    ) -> None:
        self._beliefs = declared.beliefs
        unknown = program.with_determined(
            {belief.name: UnconstrainedBelief() for belief in declared.beliefs}
        )
        queries = tuple(belief.query for belief in declared.beliefs)
        # Queries are evaluated for the best later choices, whatever the run file sets for
        # ``later``: each query states whether its minimum or its maximum over all choices is meant.
        order = TableRequest(
            unknown, queries, replace(declared, continuation_policy="best"), all_states=True
        )
        self.values = ValueStore(order, worker)
        self.program = program.with_determined(
            {
                belief.name: QueryDrivenBelief(belief, self.values.known)
                for belief in declared.beliefs
            }
        )
        """The program that runs: its derived beliefs are computed from the values of queries (model
        M1 in the docstring of this module)."""

    def log_changes(
        self, journal: RunLog, agent: str, before: State, after: State, cycle: int
    ) -> None:
        """Log which derived beliefs changed in a reasoning cycle, with the values that caused the
        changes. If no values are known for the state, log a surprise and request the exploration of
        the state."""
        self.values.collect_ready()
        for belief in self._beliefs:
            value = self.values.known.value(belief.query, before)
            if value is None:
                self.values.request_missing(before)
                text = (
                    f"'{belief.query.name}' does not change: the explored model does not contain "
                    "this state"
                )
                journal.write(
                    "surprise",
                    cycle=cycle,
                    agent=agent,
                    what="state",
                    name=belief.name,
                    observed=None,
                    text=text,
                )
            elif before[belief.name] != after[belief.name]:
                query, held = formula_text(belief.query.formula), after[belief.name] == 1
                text = (
                    f"'{belief.query.name}' is {'believed' if held else 'no longer believed'}: "
                    f"{query} is {value:.4g}"
                )
                texts = {
                    "belief": belief.name,
                    "query": query,
                    "value": value,
                    "held": held,
                    "text": text,
                }
                journal.write("generated", cycle=cycle, agent=agent, **texts)
