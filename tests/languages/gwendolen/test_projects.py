"""Systems of Gwendolen agents: project files of ours, files of the public tool, programs alone, and
settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import InputError, load
from volition.languages.gwendolen import GwendolenProgram
from volition.languages.gwendolen.options import Settings
from volition.languages.world import EmptyWorld

BLOCK = ":name: {name}\n:Initial Beliefs:\np\n:Initial Goals:\n:Plans:\n+p : {{True}} <- +q;\n"
ONE = "GWENDOLEN\n" + BLOCK.format(name="one")
TWO = "GWENDOLEN\n" + BLOCK.format(name="one") + BLOCK.format(name="two")
WORLD = "parameter top = 3\nvariable n = 0\npercept p\naction count do n := top; add p\n"
JAVA = "env = some.package.ItsEnvironment\n"


def write(folder: Path, **files: str) -> Path:
    """The files, by their names with two underscores for the dot; the path of the first."""
    paths = [folder / name.replace("__", ".") for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    return paths[0]


def read(path: Path, **settings: str) -> GwendolenProgram:
    program = load(path, settings)
    assert isinstance(program, GwendolenProgram)
    return program


def codes(path: Path, **settings: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(path, settings)
    return [each.code for each in caught.value.diagnostics]


# --- programs alone -------------------------------------------------------------------------------


def test_a_program_alone_has_no_world_and_the_usual_options(tmp_path: Path) -> None:
    program = read(write(tmp_path, two__gwen=TWO))
    assert (program.language, list(program.agents), program.options) == (
        "Gwendolen",
        ["one", "two"],
        Settings(),
    )
    assert isinstance(program.world, EmptyWorld)


def test_the_world_of_the_same_name_is_its_world(tmp_path: Path) -> None:
    path = write(tmp_path, one__gwen=ONE, one__world=WORLD, other__world=WORLD.replace("3", "7"))
    assert read(path).world.parameters == {"top": 3}
    assert read(path, top="5").world.parameters == {"top": 5}
    assert read(path, world="other.world").world.parameters == {"top": 7}
    assert isinstance(read(path, world="none").world, EmptyWorld)
    assert read(path).parameters == {"top": 3}


def test_settings(tmp_path: Path) -> None:
    path = write(tmp_path, one__gwen=ONE)
    options = read(
        path,
        cycle="eass",
        scheduler="round_robin",
        turns="2",
        redraw="acted",
        longest_queue="7",
        store_sent="false",
        does="last",
    ).options
    assert options == Settings("eass", "round_robin", 2, "acted", 7, False, "last")
    assert codes(path, cycle="jason", turns="0", store_sent="maybe") == ["GWN070"] * 3
    assert codes(path, sheduler="action") == ["GWN085"]
    assert codes(path, world="missing.world") == ["GWN080"]
    assert codes(write(tmp_path, two__gwen=TWO), scheduler="single") == ["GWN086"]
    assert codes(path, top="at(X)") == ["GWN070"]


# --- projects of ours -----------------------------------------------------------------------------


def test_a_project(tmp_path: Path) -> None:
    text = """// two robots
agents = two.gwen
agent three = one.gwen
world = it.world
parameter top = 1/2
scheduler = n_actions
turns = 3
store_sent = false
properties = asked.psl
properties
// RESULT: true
"mine": Bel(one, p)
"""
    write(
        tmp_path,
        it__gwendolen=text,
        two__gwen=TWO,
        one__gwen=ONE,
        it__world=WORLD,
        asked__psl="1: []B(two, q)\n",
    )
    program = read(tmp_path)
    assert list(program.agents) == ["one", "two", "three"]
    assert [name == agent.name for name, agent in program.agents.items()] == [True] * 3
    assert program.options == Settings(scheduler="n_actions", turns=3, store_sent=False)
    assert program.parameters["top"] * 2 == 1
    stated = [(each.name, each.text, each.expected) for each in program.properties]
    assert stated == [("mine", "Bel(one, p)", "true"), ("1", "A [ G Bel(two, q) ]", None)]
    assert read(tmp_path, turns="9").options.turns == 9


def test_one_agent_of_several(tmp_path: Path) -> None:
    path = write(tmp_path, it__gwendolen="agent two = two.gwen\n", two__gwen=TWO)
    assert list(read(path).agents) == ["two"]
    path.write_text("agent three = two.gwen\n")
    assert codes(path) == ["GWN082"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["GWN072"]),
        ("agents = missing.gwen", ["GWN080"]),
        ("agents = two.gwen, one.gwen", ["GWN081"]),
        (
            "agents = two.gwen\nturns = 0\nworld = missing.world\nredraw = often",
            ["GWN070", "GWN080", "GWN070"],
        ),
        ("agents = two.gwen\nturns = 1\nturns = 2", ["GWN071"]),
        ("agents = two.gwen\nwrold = it.world", ["GWN073"]),
        ("agents = two.gwen\nparameter top = 3", ["GWN085"]),
        ("agents = two.gwen\nproperties = broken.psl", ["GWN051"]),
    ],
)
def test_mistakes_in_a_project(tmp_path: Path, text: str, expected: list[str]) -> None:
    path = write(
        tmp_path, it__gwendolen=text, two__gwen=TWO, one__gwen=ONE, broken__psl="1: [](B(one, p)\n"
    )
    assert codes(path) == expected


def test_a_world_in_python_needs_trust(tmp_path: Path) -> None:
    python = """from volition.languages.world import World
class Empty(World):
    slots = {}
    def percepts(self, state, agent): return ()
    def execute(self, state, agent, action): return ()
"""
    path = write(
        tmp_path,
        it__gwendolen="agents = one.gwen\nworld = it.py:Empty\n",
        one__gwen=ONE,
        it__py=python,
    )
    assert codes(path) == ["LNG020"]
    assert load(path, trust=True).sources[0].name == str(path)


def test_files_outside_the_folder_need_trust(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = write(tmp_path / "in", it__gwendolen="agents = ../one.gwen\n")
    write(tmp_path, one__gwen=ONE)
    assert codes(path) == ["LNG021"]
    assert load(path, trust=True).language == "Gwendolen"


def test_a_file_that_is_named_nearly_right_is_told(tmp_path: Path) -> None:
    write(tmp_path, it__gwendolen="agents = one.gwen\n", one__gwen=ONE, two__gwne=TWO)
    assert "LNG007" in [each.code for each in read(tmp_path).warnings]


# --- files of the public tool ---------------------------------------------------------------------


def test_a_configuration_with_one_file(tmp_path: Path) -> None:
    agents = (
        "mas.file = /src/examples/gwendolen/two.gwen\nmas.builder = gwendolen.GwendolenMASBuilder\n"
    )
    rest = (
        "// remark\n# another\nlog.format = brief\nenv = "
        "ail.mas.DefaultEnvironment\nail.store_sent_messages = false\n"
    )
    path = write(tmp_path, it__ail=agents + rest, two__gwen=TWO)
    program = read(path)
    assert (list(program.agents), program.options.store_sent) == (["one", "two"], False)
    assert [each.code for each in program.warnings] == []


def test_of_a_key_that_is_given_twice_the_last_line_counts(tmp_path: Path) -> None:
    path = write(tmp_path, it__ail="mas.file = none.gwen\nmas.file = two.gwen\n", two__gwen=TWO)
    program = read(path)
    assert (list(program.agents), [each.code for each in program.warnings]) == (
        ["one", "two"],
        ["GWN079"],
    )


@pytest.mark.parametrize(
    ("text", "stored", "warned"),
    [
        ("true", True, []),
        ("false", False, []),
        ("false;", False, ["GWN078"]),
        ("yes", False, ["GWN078"]),
    ],
)
def test_only_the_text_true_stores_sent_messages(
    tmp_path: Path, text: str, stored: bool, warned: list[str]
) -> None:
    path = write(
        tmp_path, it__ail=f"mas.file = two.gwen\nail.store_sent_messages = {text}\n", two__gwen=TWO
    )
    program = read(path)
    assert program.options.store_sent is stored
    assert [each.code for each in program.warnings if each.code == "GWN078"] == warned


@pytest.mark.parametrize("style", ["byte order mark", "carriage returns"])
def test_a_configuration_of_another_editor(tmp_path: Path, style: str) -> None:
    path = write(
        tmp_path, it__ail="mas.file = two.gwen\nail.store_sent_messages = false\n", two__gwen=TWO
    )
    content = path.read_bytes()
    path.write_bytes(
        b"\xef\xbb\xbf" + content if style == "byte order mark" else content.replace(b"\n", b"\r\n")
    )
    program = read(path)
    assert (list(program.agents), program.options.store_sent) == (["one", "two"], False)


def test_a_configuration_with_names(tmp_path: Path) -> None:
    agents = [("car.eass", "fast"), ("engine.eass", "abstraction_fast"), ("car.eass", "slow")]
    lines = [
        line
        for number, (file, name) in enumerate(agents, 1)
        for line in (
            f"mas.agent.{number}.file = examples/{file}",
            f"mas.agent.{number}.builder = eass.EASSAgentBuilder",
            f"mas.agent.{number}.name = {name}",
        )
    ]
    engine = BLOCK.format(name="car").replace(":name:", ":abstraction:")
    path = write(
        tmp_path, it__ail="\n".join(lines), car__eass=BLOCK.format(name="car"), engine__eass=engine
    )
    program = read(path)
    assert program.language == "EASS"
    assert [(name, agent.abstracts) for name, agent in program.agents.items()] == [
        ("fast", None),
        ("abstraction_fast", "fast"),
        ("slow", None),
    ]


def test_an_environment_in_java_needs_a_world_in_its_place(tmp_path: Path) -> None:
    path = write(tmp_path, it__ail=f"{JAVA}mas.file = one.gwen\nspeed = 3\n", one__gwen=ONE)
    assert codes(path) == ["GWN083"]
    assert isinstance(read(path, world="none").world, EmptyWorld)
    write(tmp_path, it__world=WORLD)
    program = read(path)
    assert program.world.parameters == {"top": 3}
    assert [(each.code, each.message) for each in program.warnings] == [
        ("GWN077", "unknown keys, which have no effect: speed")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["GWN072"]),
        ("mas.file = missing.gwen", ["GWN080"]),
        ("mas.file = one.gwen\nmas.builder = goal.GOALMASBuilder", ["GWN075"]),
        ("mas.agent.1.name = a", ["GWN076"]),
        ("mas.file = one.gwen\nnonsense", ["GWN073"]),
    ],
)
def test_mistakes_in_a_configuration(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(write(tmp_path, it__ail=text, one__gwen=ONE)) == expected


def test_steps_of_several_cycles_are_not_supported(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        it__ail="mas.file = one.gwen\najpf.transition_every_reasoning_cycle = false\n",
        one__gwen=ONE,
    )
    assert [each.code for each in read(path).warnings] == ["GWN074"]
