"""The function ``walk``: execution of a program step by step, under the control of the caller."""

from __future__ import annotations

from collections.abc import Mapping

from volition.analysis.walking import Walk
from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, load_subject, require_none, whole_number
from volition.api.property_input import Formulas, parse_with_warnings
from volition.checking.explored_model import collect_observed_atoms, exploration_of
from volition.diagnostics import Diagnostics
from volition.kernel import LazyStateGraph

__all__ = ["walk"]


def walk(
    program: Subject,
    formulas: Formulas = (),
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    seed: int = 1,
) -> Walk:
    """Return a walk: a run of a program that starts in its initial state, and that the caller
    extends step by step.

    States are explored on demand, so the program may be arbitrarily large. If you pass a state
    space from :func:`explore`, the walk uses it and can show values of queries. States have history
    variables for the atoms of ``formulas`` (``Does``). Random outcomes are determined by ``seed``.
    """
    given = load_subject(program, settings=settings, labels=labels)
    seed = whole_number("seed", seed)
    if given.space is not None:
        require_none(
            bool(formulas),
            "the history variables of states are fixed at the start of an exploration: give the "
            "program, not a state space",
        )
        require_none(
            given.space.reduction is not None,
            "a reduced state space omits steps that a walk would need: explore the program",
        )
        explored = exploration_of(given.space)
        return Walk(
            given.program,
            explored.model,
            given.space,
            observed=explored.observed,
            explored=explored,
            seed=seed,
        )
    queries = (
        [each.formula for each in parse_with_warnings(given.program, formulas, Diagnostics())]
        if formulas
        else []
    )
    observed = collect_observed_atoms(queries, given.program.model().agents)
    model = given.program.model(observed)
    return Walk(given.program, model, LazyStateGraph(model.system), observed=observed, seed=seed)
