"""Storm as an independent judge of exported PRISM programs: it builds the model itself and answers
questions about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import stormpy

__all__ = ["Built", "build"]


@dataclass(frozen=True)
class Built:
    """The size of the model that Storm built, and the values of the questions in its initial
    state."""

    states: int
    choices: int
    transitions: int
    values: Sequence[float]


def build(text: str, queries: Sequence[str] = ()) -> Built:
    """What Storm makes of a PRISM program, with sound methods."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.prism"
        path.write_text(text)
        program = stormpy.parse_prism_program(str(path))
    properties = [stormpy.parse_property(prop, program) for prop in queries]
    model = stormpy.build_model(program, properties) if properties else stormpy.build_model(program)
    environment = stormpy.environments.default(model)
    for solver in (environment.solver().min_max(), environment.solver().native()):
        solver.precision = stormpy.Rational("1/1000000000")
    start = model.initial_states[0]
    answers = [
        stormpy.model_checking(model, each, environment=environment)[start] for each in properties
    ]
    return Built(model.nr_states, model.nr_choices, model.nr_transitions, answers)
