"""What formulas can ask of a configuration (Sect. 3.1), and how wrong questions are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.properties import on_graph
from tests.languages.dribble.comparing import explored
from volition.diagnostics import InputError
from volition.kernel import StateSpace, explore
from volition.languages.dribble import DribbleModel, load
from volition.logic import modal_atoms, parse
from volition.logic.syntax import Atom, Proposition

Explored = tuple[DribbleModel, StateSpace]
STATION = Path(__file__).parents[3] / "examples" / "dribble" / "pumping_station.dribble"


@pytest.fixture(scope="module")
def station() -> Explored:
    return explored(load(STATION, {}))


@pytest.mark.parametrize(
    ("prop", "answer"),
    [
        ("Bel(leak1 | leak2)", True),
        ("Bel(leak1)", False),
        ("Bel(~leak1)", False),
        ("Bel(pump & (leak1 | leak2) & hall)", True),
        ("Bel(leak1 | ~leak1)", True),
        ("Bel(pumping_station, pump)", True),
        ("forall x. Bel(x, pump)", True),
        ("Goal(pump)", True),
        ("Goal(pump | kit)", True),
        ("Goal(kit)", False),
        ("Bels{leak2 | leak1, hall & ~store, ~kit & pump}", True),
        ("Bels{leak1 | leak2, hall, ~store, ~kit, pump}", False),
        ("Bels{}", False),
        ("Goals{pump & ~leak2 & ~leak1}", True),
        ("Goals{}", False),
        ("Plan(empty)", True),
        ("Plan(Mend; Restart)", False),
        ("stalled", False),
        ("withheld", False),
    ],
)
def test_answers_in_the_initial_state(station: Explored, prop: str, answer: bool) -> None:
    model, space = station
    assert on_graph(model, space, parse(prop)).holds is answer


@pytest.mark.parametrize(
    ("prop", "code", "position", "hint"),
    [
        ("A [ G Bel(leek1) ]", "DRB013", "leek1", "did you mean 'leak1'?"),
        ("A [ G Bel(leak1 leak2) ]", "DRB001", "leak2", None),
        ("A [ G Bel(Goal(kit)) ]", "DRB011", "Goal(kit", None),
        ("A [ G stuck ]", "DRB050", "stuck", None),
        ("A [ G staled ]", "DRB050", "staled", "did you mean 'stalled'?"),
        ("A [ G pump = 3 ]", "DRB050", "pump", None),
        ("A [ G Bpump ]", "DRB050", "Bpump", "Bel(pump)"),
        ("A [ G Does(seel1) ]", "DRB051", "seel1", "did you mean 'seal1'?"),
        ("A [ G Does(Mend) ]", "DRB051", "Mend", "the basic actions are"),
        ("A [ G Des(pump) ]", "DRB052", "Des(pump)", "the atoms are"),
        ("A [ G Plan(Mend; Restat) ]", "DRB022", "Restat", "did you mean 'Restart'?"),
        ("A [ G Plan(Mend; pi) ]", "DRB020", "pi", None),
    ],
)
def test_wrong_questions(
    station: Explored, prop: str, code: str, position: str, hint: str | None
) -> None:
    model, space = station
    with pytest.raises(InputError) as raised:
        on_graph(model, space, parse(prop))
    (error,) = raised.value.diagnostics
    assert error.code == code
    assert error.span is not None
    assert error.span.text.startswith(position)
    assert hint is None or hint in (error.hint or "")


def test_atoms_made_by_a_program_have_places_too(station: Explored) -> None:
    model, space = station
    assert space.holds(model.resolve(Atom("Bel", "pump")))[0]
    assert not space.holds(model.resolve(Proposition("stalled")))[0]
    with pytest.raises(InputError, match="leek1"):
        model.resolve(Atom("Bel", "leek1"))


def test_portraits_tell_the_whole_configuration(station: Explored) -> None:
    model, space = station
    assert model.describe(space.values(1)) == {
        "beliefs": {
            "hall": "true",
            "kit": "false",
            "pump": "true",
            "store": "false",
            "leak1 | leak2": "",
        },
        "goals": {"~leak1 & ~leak2 & pump": ""},
        "plan": {"steps": "Mend; Restart"},
    }


@pytest.mark.parametrize("name", ["vacuum", "vacuum_repaired", "pumping_station"])
def test_examples_are_their_own_oracle(name: str) -> None:
    """Each property of an example has the result that the file states."""
    program = load(STATION.with_name(f"{name}.dribble"), {})
    for stated in program.properties:
        formula = parse(stated.text)
        model = program.model(modal_atoms(formula))
        assert (
            str(on_graph(model, explore(model.system), formula).holds).lower() == stated.expected
        ), stated.text
