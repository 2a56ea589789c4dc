"""Bad input gets messages, never a traceback."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.languages.lisa.projects import EXAMPLES, project
from volition.diagnostics import InputError, render

FOLDER = EXAMPLES / "pipeline_drone"
MAIN = (FOLDER / "drone.sej").read_text(encoding="utf-8")
ONTOLOGY = (FOLDER / "drone.ont").read_text(encoding="utf-8")
ACTIONS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "actions").glob("*.sep"))}

pieces = st.sampled_from(
    ["[", "]", "{", "}", "^", "~", "+", ".", ",", "(", ")", "::", "//", "\n", "If ", "then", "while", ">", "@", "0.5", "", "é", '"']
)


def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with a few spans replaced by something else."""
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        text = text[:start] + draw(pieces) + text[end:]
    return text


@st.composite
def damaged_projects(draw: st.DrawFn) -> tuple[str, dict[str, str], str]:
    return damaged(draw, MAIN), {name: damaged(draw, text) for name, text in ACTIONS.items()}, damaged(draw, ONTOLOGY)


@settings(max_examples=150, deadline=None)
@given(damaged_projects())
def test_damaged_projects(files: tuple[str, dict[str, str], str]) -> None:
    main, actions, ontology = files
    try:
        program = project(main, actions, ontology=ontology)
    except InputError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.code.startswith("LIS")
            assert render(diagnostic)
    else:
        assert program.model().system.slots
        assert program.tables()
