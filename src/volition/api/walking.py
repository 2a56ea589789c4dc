"""``walk`` as a call: a program step by step."""

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
    """A walk through a program from its initial state, one step after the other.

    States are explored as the walk gets there, so that a program may be as large as it likes; given
    a space that :func:`explore` made, the walk goes through that, and knows the values of queries
    in it.  States remember what ``formulas`` ask for (``Does``).  Where chance decides, it follows
    from the ``seed``.
    """
    given = load_subject(program, settings=settings, labels=labels)
    seed = whole_number("seed", seed)
    if given.space is not None:
        require_none(
            bool(formulas),
            "what states remember is settled at the start of an exploration: give the program, not "
            "its states",
        )
        require_none(
            given.space.reduction is not None,
            "a reduced space leaves steps out, and so would a walk through it: explore the program",
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
