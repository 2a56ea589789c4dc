"""Reader of the section ``[verification]`` in a run file.

The keys ``objective``, ``second`` and ``safety`` are the queries of plan selection. ``later``
determines how choices after the current one are made, and ``default`` which plan to take in states
without values. ``belief`` derives a belief from a query (Izzo, Sect. 4.5), and ``show`` logs the
value of a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, assert_never

from volition.checking.graph.propositions import resolve_atoms
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span, did_you_mean
from volition.languages.common.settings import (
    EnumSetting,
    IntegerSetting,
    RationalSetting,
    read_value,
    report_duplicate,
    report_unknown,
)
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.names import name_of
from volition.languages.protocols import Model
from volition.logic.parsing.parser import parse
from volition.logic.printing import as_typed
from volition.logic.syntax import Cumulative, Finally, Formula, Optimum, Probability, Reward, Total
from volition.logic.traversal import expand_agents, modal_atoms
from volition.runtime.run_file import LINE

__all__ = [
    "ContinuationPolicy",
    "DerivedBelief",
    "Query",
    "SafetyConstraint",
    "VerificationSection",
    "read_declared",
    "step_bound",
]

ContinuationPolicy = Literal["best", "uniform", "worst"]
"""How the choices after the current one are made when a query is evaluated: so that its value is
best, uniformly at random, or so that its value is worst."""

_LATER: EnumSetting[ContinuationPolicy] = EnumSetting[ContinuationPolicy](
    {"best": "best", "uniform": "uniform", "worst": "worst"}
)

MAX_STATES = 5_000_000
"""The largest number of states of a model that is explored for a run, unless the run file sets
another limit."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query for a probability or reward in a state, and whether large or small values are better.
    ``name`` is its name in the record."""

    name: str
    formula: Probability | Reward
    best: Optimum

    def better(self, one: float, other: float) -> float:
        """Return by how much the value ``one`` of this query is better than the value ``other``."""
        return one - other if self.best == "max" else other - one


@dataclass(frozen=True, slots=True)
class SafetyConstraint:
    """A query with a threshold. Choices whose value is worse than the threshold are not taken if
    another choice meets it."""

    query: Query
    threshold: Fraction

    def is_met(self, value: float, tolerance: float) -> bool:
        return self.query.better(value, float(self.threshold)) >= -tolerance


@dataclass(frozen=True, slots=True)
class DerivedBelief:
    """A belief that is derived from a query. It is added if the value of the query is at least
    ``on``, and removed if the value is at most ``off``. Between the two thresholds it does not
    change."""

    name: str
    query: Query
    on: Fraction
    off: Fraction

    def after(self, held: bool, value: float) -> bool:
        """Return whether the belief is held when the query has the value ``value``, given whether
        it was held before."""
        return value > self.off if held else value >= self.on


@dataclass(frozen=True, slots=True)
class VerificationSection:
    """Parsed section ``[verification]`` of a run file: the queries that select plans, derive
    beliefs or are logged."""

    objective: Query | None = None
    tie_breaker: Query | None = None
    safety: tuple[SafetyConstraint, ...] = ()
    continuation_policy: ContinuationPolicy = "best"
    defaults: tuple[str, ...] = ()
    beliefs: tuple[DerivedBelief, ...] = ()
    monitored: tuple[Query, ...] = ()
    """Queries whose value is logged in every cycle, with any selector."""
    states: int = MAX_STATES

    @property
    def chooses(self) -> bool:
        """Whether the section has queries that choose plans: an objective or safety queries."""
        return self.objective is not None or bool(self.safety)

    @property
    def selection_queries(self) -> tuple[Query, ...]:
        """The queries that choose plans: the safety queries, the objective and the second
        objective."""
        return (
            *(each.query for each in self.safety),
            *(each for each in (self.objective, self.tie_breaker) if each is not None),
        )


def step_bound(query: Query) -> int | None:
    """Return the number of steps after which the value of a query is decided, or None if the query
    has no step bound."""
    match query.formula:
        case Probability(path=path):
            prop = normalise_path(path).prop
            bound = prop.bound if isinstance(prop, UntilProblem) else None
            return None if bound is None else bound.upper
        case Reward(reward_path=Cumulative(steps=steps)):
            return steps
        case Reward():
            pass
        case _:
            assert_never(query.formula)
    return None


def read_declared(
    lines: Sequence[Span], model: Model, diagnostics: Diagnostics
) -> VerificationSection:
    """Parse the lines of the section ``[verification]`` of a run file for the model of a program.
    Errors go to ``diagnostics``."""
    reader = _Reader(model, diagnostics)
    for line in lines:
        reader.read(line)
    report_duplicate(reader.once, diagnostics)
    if not reader.found.chooses and not diagnostics.errors:
        reader.warn_unused(lines)
    return reader.found


@dataclass
class _Reader:
    model: Model
    diagnostics: Diagnostics
    found: VerificationSection = field(default_factory=VerificationSection)
    once: list[tuple[str, Span | str]] = field(default_factory=list)
    """The occurrences of keys that a section may have only once: pairs of a key and its line."""

    def read(self, line: Span) -> None:
        match = LINE.fullmatch(line.text)
        if match is None:
            hint = "such as objective = Pmax=? [ F mission_complete = 1 ]"
            self.diagnostics.error("RUN201", "expected 'key = value'", line, hint=hint)
            return
        key, about = match["key"], (match["about"] or "").strip()
        span = line.source.span(line.start + match.start("value"), line.start + match.end("value"))
        known: dict[str, Callable[[str, Span], None]] = {
            "objective": self._objective,
            "second": self._second,
            "safety": self._safety,
            "later": self._later,
            "default": self._default,
            "belief": self._belief,
            "show": self._show,
            "states": self._states,
        }
        if key not in known:
            report_unknown("RUN202", f"unknown key '{key}'", key, known, self.diagnostics, line)
            return
        if key == "belief" and not about:
            hint = "write 'belief Fuel may run out = R{\"fuel\"}max=? [ F done ] on 100 off 90'"
            self.diagnostics.error(
                "RUN201", "expected the name of a belief after 'belief'", line, hint=hint
            )
            return
        if about and key not in ("safety", "belief", "show"):
            self.diagnostics.error(
                "RUN201",
                f"unexpected '{about}' after '{key}'",
                line,
                hint=f"write '{key} = {span.text}'",
            )
            return
        if key in ("objective", "second", "later", "states"):
            self.once.append((key, line))
        known[key](about, span)

    def warn_unused(self, lines: Sequence[Span]) -> None:
        """Warn about lines ``second`` and ``default``, which have no effect if no query chooses
        plans."""
        for line in lines:
            match = LINE.fullmatch(line.text)
            if match is not None and match["key"] in ("second", "default"):
                hint = (
                    "state an objective, such as objective = Pmax=? [ F done ], or leave the "
                    "line out"
                )
                self.diagnostics.warning(
                    "RUN218",
                    f"'{match['key']}' has no effect: no query chooses plans",
                    line,
                    hint=hint,
                )

    # --- keys for queries: objective, second, safety, show ----------------------------------------

    def _objective(self, about: str, span: Span) -> None:
        del about
        if (query := self._query("objective", span)) is not None:
            self.found = replace(self.found, objective=query)

    def _second(self, about: str, span: Span) -> None:
        del about
        if (query := self._query("second", span)) is not None:
            self.found = replace(self.found, tie_breaker=query)

    def _safety(self, about: str, span: Span) -> None:
        formula = self._formula(span)
        if formula is None:
            return
        if (
            formula.relation not in (">=", ">", "<=", "<")
            or formula.threshold is None
            or formula.optimum is not None
        ):
            hint = (
                "such as P>=0.99 [ G lost = 0 ]: 'later' determines whether the minimum or the "
                "maximum is meant"
            )
            self.diagnostics.error(
                "RUN203",
                "a safety query needs a threshold and must not have min or max",
                span,
                hint=hint,
            )
            return
        best: Optimum = "max" if formula.relation in (">=", ">") else "min"
        query = replace(formula, relation=None, threshold=None, optimum=best)
        safety = SafetyConstraint(Query(about or span.text, query, best), formula.threshold)
        self.found = replace(self.found, safety=(*self.found.safety, safety))

    def _show(self, about: str, span: Span) -> None:
        query = self._query(about or span.text, span)
        if query is not None and query.name in (each.name for each in self.found.monitored):
            self.diagnostics.error(
                "RUN219",
                f"two 'show' lines have the same name '{query.name}'",
                span,
                hint="give one of them another name",
            )
        elif query is not None:
            self.found = replace(self.found, monitored=(*self.found.monitored, query))

    def _query(self, name: str, span: Span) -> Query | None:
        formula = self._formula(span)
        if formula is None:
            return None
        if formula.relation is not None or formula.optimum is None:
            hint = (
                'use a query such as Pmax=? [ F mission_complete = 1 ] or R{"fuel"}min=? [ F '
                "mission_complete = 1 ]"
            )
            self.diagnostics.error(
                "RUN203", f"'{span.text}' does not ask for a minimum or maximum", span, hint=hint
            )
            return None
        return Query(name, formula, formula.optimum)

    def _formula(self, span: Span) -> Probability | Reward | None:
        """Return the query in a span of the text: it asks for a probability or a reward. The query
        is evaluated again and again during a run, so its value must depend only on the current
        state. Report an error and return None for other formulas."""
        try:
            formula = parse(
                source=span.source, start=span.start, end=span.end, diagnostics=self.diagnostics
            )
            formula = expand_agents(formula, self.model.agents)
            resolve_atoms(self._running_model(formula), formula)
        except InputError as error:
            self.diagnostics.extend(error.diagnostics)
            return None
        if not isinstance(formula, Probability | Reward):
            hint = "use a query such as Pmax=? [ F mission_complete = 1 ]"
            self.diagnostics.error(
                "RUN203",
                f"'{as_typed(formula)}' is not a query for a probability or a reward",
                span,
                hint=hint,
            )
            return None
        if objection := _objection(formula):
            hint = (
                "use F, U or G, optionally with a step bound, or a reward until a goal, in total, "
                "or within a number of steps"
            )
            self.diagnostics.error("RUN204", objection, span, hint=hint)
            return None
        return formula

    def _running_model(self, formula: Formula) -> Model:
        """Return the model of the running program, on which a formula is evaluated. Raise
        :class:`InputError` if the formula contains ``Does``, because a running agent does not store
        its last action."""
        for atom in modal_atoms(formula):
            if atom.modality == "Does":
                message = (
                    "'Does' is not available: a running agent does not remember its last action"
                )
                raise InputError([Diagnostic("RUN205", message, atom.span, "use beliefs")])
        return self.model

    # --- other keys: later, states, default, belief -----------------------------------------------

    def _later(self, about: str, span: Span) -> None:
        del about
        later: ContinuationPolicy | None = read_value(
            "RUN206",
            f"invalid value '{span.text}' for the option 'later'",
            span.text,
            _LATER,
            self.diagnostics,
            span,
        )
        if later is not None:
            self.found = replace(self.found, continuation_policy=later)

    def _states(self, about: str, span: Span) -> None:
        del about
        states = read_value(
            "RUN206",
            f"invalid value '{span.text}' for the option 'states'",
            span.text,
            IntegerSetting(1, 10**12),
            self.diagnostics,
            span,
        )
        if states is not None:
            self.found = replace(self.found, states=states)

    def _default(self, about: str, span: Span) -> None:
        del about
        name = span.text
        if isinstance(self.model, LisaModel):
            plans = dict.fromkeys(
                plan.name for agent in self.model.understood for plan in agent.plans
            )
            name = f"plan_{name}" if name.isdecimal() else name_of(name)
            if name not in plans:
                hint = did_you_mean(name, plans) or f"the plans are {', '.join(plans)}"
                self.diagnostics.error("RUN207", f"unknown plan '{span.text}'", span, hint=hint)
                return
        self.found = replace(self.found, defaults=(*self.found.defaults, name))

    def _belief(self, about: str, span: Span) -> None:
        name = self._percept(about, span)
        match = re.fullmatch(
            r"(?P<query>.*\S)\s+on\s+(?P<on>\S+)\s+off\s+(?P<off>\S+)", span.text, re.DOTALL
        )
        if match is None:
            hint = f"write 'belief {about} = R{{\"fuel\"}}max=? [ F done ] on 100 off 90'"
            self.diagnostics.error(
                "RUN208",
                "a derived belief needs a query and the thresholds 'on' and 'off'",
                span,
                hint=hint,
            )
            return
        query = self._query(about, span.source.span(span.start, span.start + match.end("query")))
        on, off = (
            read_value(
                "RUN208",
                f"'{match[part]}' is not a number",
                match[part],
                RationalSetting(),
                self.diagnostics,
                span.source.span(span.start + match.start(part), span.start + match.end(part)),
            )
            for part in ("on", "off")
        )
        if on is not None and off is not None and off >= on:
            message = (
                f"the threshold 'on' ({match['on']}) must be greater than the threshold 'off' "
                f"({match['off']})"
            )
            self.diagnostics.error("RUN208", message, span, hint="raise 'on' or lower 'off'")
        elif name is not None and query is not None and on is not None and off is not None:
            self.found = replace(
                self.found, beliefs=(*self.found.beliefs, DerivedBelief(name, query, on, off))
            )

    def _percept(self, sentence: str, span: Span) -> str | None:
        agents = self.model.understood if isinstance(self.model, LisaModel) else ()
        alone = len(agents) == 1
        percepts = {each.name: each.text for each in agents[0].percepts} if alone else {}
        name = name_of(sentence)
        if name not in percepts:
            hint = (
                "declare it below 'Monitor the following booleans'"
                if alone
                else "derived beliefs need a LISA project with one agent"
            )
            self.diagnostics.error(
                "RUN209",
                f"'{sentence}' is not a percept of the program",
                span,
                hint=did_you_mean(name, percepts) or hint,
            )
            return None
        if name in (each.name for each in self.found.beliefs):
            self.diagnostics.error(
                "RUN219",
                f"the belief '{sentence}' is derived from two queries",
                span,
                hint="remove one of them",
            )
            return None
        return name


def _objection(formula: Probability | Reward) -> str | None:
    """Return the reason if the value of a formula in the middle of a run is not determined by the
    current state, else None."""
    match formula:
        case Probability(path=path):
            prop = normalise_path(path).prop
            if not isinstance(prop, UntilProblem):
                return f"'{as_typed(path)}' depends on more than the current state"
            if prop.bound is not None and prop.bound.lower > 0:
                return "a query with a lower step bound depends on more than the current state"
        case Reward(reward_path=Finally(bound=None) | Cumulative() | Total()):
            return None
        case Reward():
            return f"'{as_typed(formula)}' is not a reward until a goal or within a number of steps"
        case _:
            assert_never(formula)
    return None
