"""The printed run: what it says of beliefs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from tests.runtime.simulated import EXAMPLES
from volition import load, run
from volition.languages import find_programs
from volition.languages.lisa.model import LisaModel
from volition.languages.protocols import Program
from volition.reporting.annotated_runs import TraceRow


def expect_beliefs_to_begin_before_they_end(
    program: Program, *, seed: int, cycles: int = 60
) -> None:
    """In every printed run "- b" comes only where b is held, initially or after "+ b", and "+ b"
    only where it is not."""
    model, rows = program.model(), list[TraceRow]()
    run(program, report=rows.append, seed=seed, cycles=cycles, world="simulated")
    if isinstance(model, LisaModel):
        agents = model.understood
        held = {
            (agent.name if len(agents) > 1 else "", sentence)
            for agent in agents
            for name, sentence in agent.beliefs.items()
            if model.system.slots[agent.prefix + name] == 1
        }
    else:
        held = {("", item) for item in model.describe(model.system.slots).get("beliefs", {})}
    for row in rows:
        for piece in row.text.split("; "):
            belief = (row.agent, piece[2:].partition(" (")[0])
            if piece.startswith("+ "):
                assert belief not in held, (row, held)
                held.add(belief)
            elif piece.startswith("- "):
                assert belief in held, (row, held)
                held.remove(belief)


@pytest.mark.parametrize(
    "path", find_programs(EXAMPLES), ids=lambda path: str(path.relative_to(EXAMPLES))
)
def test_examples(path: object) -> None:
    expect_beliefs_to_begin_before_they_end(load(str(path)), seed=4)


@given(projects(), st.integers(0, 100))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_projects(texts: tuple[str, dict[str, str]], seed: int) -> None:
    expect_beliefs_to_begin_before_they_end(project(*texts), seed=seed)
