"""Sweeps over AgentSpeak(F) systems: the parameters of their world."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.analysis.sweeps.test_sweep import assert_like_fresh_explorations
from tests.languages.agentspeak.systems import write_project
from volition.analysis.sweeps.closed_forms import closed_form
from volition.analysis.sweeps.sweep import sweep
from volition.diagnostics import InputError
from volition.languages import load
from volition.languages.agentspeak import AgentSpeakProgram

WORLD = """
parameter p = 1/2
parameter q = 1 - p
parameter rounds = 3
parameter colour = red

percept hit(N)
percept miss(N)
variable thrown = 0
variable score = 0

action throw(N)
    when thrown < rounds
    do thrown := thrown + 1;
       chance p / 2 { score := score + 2; add hit(N) } or p / 2 { score := score + 1; add hit(N) } or q { add miss(N) }
action throw(N) otherwise do nothing

label lucky = score >= 4
label over = thrown = rounds
"""  # noqa: E501
AGENT = """
!play(0).
+!play(N) : true <- throw(N).
+hit(N) : true <- .plus(N, 1, M); !play(M).
"""
FORMULAS = [
    "Pmax=? [ F lucky ]",
    "Pmin=? [ F over ]",
    "Pmax=? [ F<=9 score = 2 ]",
    "Pmax=? [ G !miss(0) ]",
    "Pmax>=0.5 [ F Bel(miss(0)) ]",
]


def thrower(folder: Path, old: str = "", new: str = "", options: str = "") -> AgentSpeakProgram:
    """Throws until it misses, at most ``rounds`` times; ``new`` replaces ``old`` in the world."""
    assert old in WORLD
    program = load(
        write_project(folder, {"ag": AGENT}, WORLD.replace(old, new) if old else WORLD, options)
    )
    assert isinstance(program, AgentSpeakProgram)
    return program


def test_probabilities_are_varied_with_one_exploration(tmp_path: Path) -> None:
    """``q`` follows ``p``; with p = 0 nothing is hit, with p = 1 everything."""
    program = thrower(tmp_path)
    result = sweep(program, ["p=0:1:0.25"], FORMULAS, processes=1)
    assert result.explorations == 1
    assert result.graph_parameters == ()
    assert_like_fresh_explorations(result, program, FORMULAS)
    for row in result.rows:
        half = row.point["p"] / 2
        assert (
            row.values[0] == half**2 + 5 * half**3
        )  # 2 + 2; or 1 + 2 and any hit, 2 + 1 and any hit, 1 + 1 + 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when thrown < rounds", "when thrown < rounds and p < 0.8"),
        ("variable score = 0", "variable score = 2 * p"),
        ("score := score + 2; ", "score := score + p; "),
        ("percept miss(N)", "percept miss(N)\nfact odds(X) initially odds(p)"),
        ("chance p / 2 {", "chance max(p, 0) / 2 {"),
        ("chance p / 2 {", "chance p / 2 + (p mod 1) - (p mod 1) {"),
        ("parameter colour = red", "parameter colour = pair(p, red)"),
        ("label over = thrown = rounds", "label over = thrown >= 4 * p"),
        ("do nothing", "do if p > 0.5 { score := 0 }"),
    ],
    ids=[
        "guard",
        "initial value",
        "effect",
        "fact",
        "maximum",
        "remainder",
        "part of a term",
        "label",
        "if",
    ],
)
def test_a_probability_that_decides_more_is_explored_again(
    old: str, new: str, tmp_path: Path
) -> None:
    program = thrower(tmp_path, old, new)
    result = sweep(program, ["p=0.2,0.9"], FORMULAS[:3], processes=1)
    assert result.graph_parameters == ("p",)
    assert result.explorations == 2
    assert_like_fresh_explorations(result, program, FORMULAS[:3])


def test_numbers_that_decide_what_can_happen_beside_probabilities(tmp_path: Path) -> None:
    program = thrower(tmp_path)
    result = sweep(program, ["rounds=1:4:1", "p=0,0.3,1"], FORMULAS, processes=1)
    assert result.graph_parameters == ("rounds",)
    assert result.explorations == 4
    assert_like_fresh_explorations(result, program, FORMULAS)


def test_a_question_may_depend_on_a_parameter(tmp_path: Path) -> None:
    program = thrower(tmp_path)
    result = sweep(program, ["p=0.25,1"], ["Pmax=? [ F score = 4 * p ]"], processes=1)
    assert result.graph_parameters == ("p",)
    assert_like_fresh_explorations(result, program, ["Pmax=? [ F score = 4 * p ]"])


def test_the_project_may_give_a_fraction(tmp_path: Path) -> None:
    """The world computes q from it, unless the project gives q, too."""
    program = thrower(tmp_path / "one", options="parameter p = 1/3")
    assert program.parameters == {"p": Fraction(1, 3), "q": Fraction(2, 3), "rounds": 3}
    with pytest.raises(InputError, match=r"WLD026.*sum to \(4/3\)"):
        thrower(tmp_path / "two", options="parameter p = 1/3\nparameter q = 1")
    with pytest.raises(InputError, match="ASP020"):
        thrower(tmp_path / "three", options="parameter p = 1/0")


def test_processes_give_the_same(tmp_path: Path) -> None:
    program = thrower(tmp_path)
    many = sweep(program, ["rounds=1,2", "p=0.1,0.2"], FORMULAS[:2], processes=2)
    assert many.rows == sweep(program, ["rounds=1,2", "p=0.1,0.2"], FORMULAS[:2], processes=1).rows


def test_a_closed_form(tmp_path: Path) -> None:
    """There are three throws if the first two hit."""
    form = closed_form(thrower(tmp_path), ["p=0:1:0.5"], "Pmax=? [ F over ]", processes=1)
    assert [(str(piece.function), piece.region) for piece in form.pieces] == [("p^2", "everywhere")]


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 2])
def test_a_point_without_meaning_is_refused_with_its_place(processes: int, tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=r"WLD025\]: 'p' cannot be .*'-0.5' is not a probability\n.*--> "
        r"<vary>(.|\n)*test.world:15",
    ):
        sweep(thrower(tmp_path), ["p=0.5,1.5"], FORMULAS[:1], processes=processes)


def test_probabilities_that_sum_to_one_at_one_point_only(tmp_path: Path) -> None:
    program = thrower(tmp_path, "or q {", "or 1/2 {")
    with pytest.raises(
        InputError,
        match=r"WLD026\]: .*the probabilities sum to 1.1, not 1\n.*--> <vary>(.|\n)*test.world",
    ):
        sweep(program, ["p=0.5,0.6"], FORMULAS[:1], processes=1)


def test_what_is_no_number_cannot_be_varied(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"CHK061.*unknown parameter 'colour'(.|\n)*p, q, rounds"):
        sweep(thrower(tmp_path), ["colour=1"], FORMULAS[:1])


PYTHON_WORLD = """
from fractions import Fraction
from volition.languages.world import WorldTransition, World

class Coin(World):
    def __init__(self, agents, parameters):
        super().__init__(agents, parameters)
        if not 0 <= parameters["p"] <= 1:
            raise ValueError("p is no probability")

    @property
    def slots(self):
        return {"world.heads": 0}

    def percepts(self, state, agent):
        return ()

    def execute(self, state, agent, action):
        p = Fraction(self.parameters["p"])
        return [WorldTransition("toss", "toss", ((p, {"world.heads": 1}), (1 - p, {"world.heads": -1})))]
"""  # noqa: E501


def test_a_world_in_python_is_explored_for_each_value(tmp_path: Path) -> None:
    """Nobody else knows what it does with its parameters."""
    write_project(
        tmp_path,
        {"ag": "!go.\n+!go : true <- toss."},
        options="world = coin.py:Coin\nparameter p = 1/4",
    )
    (tmp_path / "coin.py").write_text(PYTHON_WORLD)
    program = load(tmp_path, trust=True)
    result = sweep(program, ["p=0,1/3,1"], ["Pmax=? [ F heads = 1 ]"], processes=1)
    assert [row.values[0] for row in result.rows] == [0, Fraction(1, 3), 1]
    assert result.graph_parameters == ("p",)
    assert result.explorations == 3
    with pytest.raises(InputError, match=r"WLD060.*p is no probability(.|\n)*coin.py:9"):
        sweep(program, ["p=0,2"], ["Pmax=? [ F heads = 1 ]"], processes=1)
