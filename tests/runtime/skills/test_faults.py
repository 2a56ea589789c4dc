"""The executive under faults: a skill that crashes, hangs, floods, sends nonsense, comes back.

The run goes on, and the record says what happened.
"""

from __future__ import annotations

import io
import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.languages.lisa.projects import action, reasoning
from volition import InputError, run

ANY_TIME = "{[],[0.5,1,0],[0.5,1,0]}"
MAIN = reasoning(
    beliefs="Wanted.",
    percepts=f"Warm. {ANY_TIME}\nWorker lost. {ANY_TIME}\nMonitor the following messages:\nHello. "
    f"{ANY_TIME}",
    plans="If ^[Wanted] while true then\n-^[Wanted]\n[Work.]\n+^[Worked].\n\nIf ^[Worker lost] "
    "while true then\n+^[Alarmed].",
)


def lines(folder: Path, skill: str, *, cycles: int = 8, run_file: str = "") -> list[dict[str, Any]]:
    """The record of a run whose action is done by this skill."""
    (folder / "agent.sej").write_text(MAIN)
    (folder / "work.sep").write_text(action("work", "Done[1,2,1], Failed[0,2,1]", sentence="Work."))
    source = (
        "import threading, time as clock\nfrom volition.runtime.skills import Input, Output, Skill\n\n"  # noqa: E501
        + textwrap.dedent(skill)
    )
    (folder / "skills.py").write_text(source)
    (folder / "agent.run").write_text(
        f"world = python\nskill Work = skills.py:Worker\n{run_file}\n"
    )
    stream = io.StringIO()
    run(folder, cycles=cycles, record=stream, trust=True)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def of(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [line for line in found if line.get("kind") == kind]


def held(found: list[dict[str, Any]], belief: str) -> list[int]:
    """The cycles after which a belief is held."""
    value, cycles = 0, []
    for line in of(found, "cycle"):
        value = line["beliefs"].get(belief, value)
        cycles += [line["cycle"]] if value == 1 else []
    return cycles


def test_a_skill_that_replaces_its_step_by_a_number(tmp_path: Path) -> None:
    """Looking up the method is part of the supervised call: the skill fails, the run goes on."""
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def start(self, call):
                self.step = 2
        """,
    )
    assert any("not callable" in line["text"] for line in of(found, "lost"))
    assert of(found, "cycle")[-1]["cycle"] == 7


def test_a_skill_that_works(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            rate = 4
            def start(self, call):
                self.left = 6
            def step(self, time):
                self.left -= 1
                return "Done" if self.left == 0 else None
        """,
    )
    # Called at the end of cycle 1; six steps at 4 Hz are over 1.25 s later, before cycle 3.
    assert held(found, "done") == [3]
    assert not of(found, "lost")
    assert not of(found, "surprise")


def test_a_skill_that_crashes_is_lost_and_its_action_fails(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def start(self, call):
                raise RuntimeError("no fuel")
        """,
        run_file="failure Work = Failed\nlost Work = Worker lost",
    )
    (lost,) = of(found, "lost")
    assert "RuntimeError: no fuel" in lost["text"]
    assert held(found, "worker_lost")[0] == lost["cycle"]
    assert held(found, "alarmed")
    assert held(found, "failed") == [4]  # called in cycle 1, due by 3 cycles later
    assert of(found, "end")[0]["reason"] == "cycles"


def test_a_skill_that_always_runs_may_crash_before_the_first_cycle(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def step(self, time):
                return "Done"

        class Radio(Skill):
            def start(self, call):
                raise OSError("no antenna")
        """,
        run_file="skill = skills.py:Radio",
    )
    assert [(line["cycle"], line["name"]) for line in of(found, "lost")] == [(0, "Radio")]
    assert "no antenna" in of(found, "lost")[0]["text"]


def test_a_skill_that_comes_back(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            tries = 0
            def step(self, time):
                self.tries += 1
                if self.tries < 3:
                    raise KeyError("sensor")
                return "Done"
        """,
        run_file="lost Work = Worker lost",
    )
    assert [line["kind"] for line in found if line.get("kind") in ("lost", "back")] == [
        "lost",
        "back",
    ]
    assert held(found, "done")
    lost, back = of(found, "lost")[0]["cycle"], of(found, "back")[0]["cycle"]
    assert held(found, "worker_lost") == list(range(lost, back))


def test_a_skill_that_hangs_is_lost_until_it_answers(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        gate = threading.Event()

        class Worker(Skill):
            def start(self, call):
                gate.wait(30)

        class Opener(Skill):
            def step(self, time):
                if time >= 4:
                    gate.set()
                    clock.sleep(0.2)
        """,
        run_file="skill = skills.py:Opener",
    )
    (lost,) = of(found, "lost")
    assert "did not answer within" in lost["text"]
    assert [line["name"] for line in of(found, "back")] == ["work"]
    assert of(found, "end")[0]["cycle"] == 8


def test_a_skill_that_ends_the_process_ends_nothing(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def start(self, call):
                raise SystemExit(3)
        """,
    )
    assert "SystemExit" in of(found, "lost")[0]["text"]
    assert of(found, "end")[0]["cycle"] == 8


def test_a_skill_that_floods_is_told_to_be_quiet_once_per_cycle(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def step(self, time):
                for number in range(5000):
                    self.report_percept("Warm", number % 2 == 0)
                    self.send_message("Hello")
        """,
        cycles=5,
    )
    floods = [
        line for line in of(found, "refused") if "messages exceeded the limit" in line["text"]
    ]
    assert {line["name"] for line in floods} == {"percept/warm", "message"}
    assert len(floods) <= 2 * 5
    assert of(found, "end")[0]["cycle"] == 5


def test_nonsense_is_refused_with_a_reason(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            def step(self, time):
                self.report_percept("Warm", "very")
                self.report_percept("Cold", True)
                self.publish("percept/warm", {"value": None})
                self.publish("percept/warm", 7)
                self.publish("feedback/work", {"id": "one", "feedback": "Done"})
                self.publish("feedback/work", {"id": True, "feedback": "Done"})
                self.publish("feedback/work", {"id": 999, "feedback": "Done"})
                self.publish("feedback/sleep", {"id": 1, "feedback": "Done"})
                self.publish("message", {"text": 5})
                return "Nothing of the kind"
        """,
        cycles=4,
    )
    texts = "\n".join(line["text"] for line in of(found, "refused"))
    for part in (
        "'value' is not true or false, but 'very'",
        "no percept 'cold'",
        "but 7",
        "'id' is not the number of a call, but 'one'",
        "'id' is not the number of a call, but True",
        "call 999 of 'Work' is not open",
        "there is no action 'sleep'",
        "are not texts",
        "'nothing_of_the_kind' is not a feedback of 'Work'",
    ):
        assert part in texts
    assert held(found, "warm") == []
    assert held(found, "done") == []


def test_what_does_not_fit_a_port_is_found_where_it_is_written(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Worker(Skill):
            speed = Output(float)
            def step(self, time):
                self.speed = "fast"
        """,
        cycles=4,
    )
    assert "PortError: 'speed' is float, not 'fast'" in of(found, "lost")[0]["text"]


def test_skills_are_connected_by_their_ports_in_the_order_of_the_subsystems(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
        class Sensor(Skill):
            subsystem = "sensing"
            temperature = Output(float)
            def step(self, time):
                self.temperature = 15.0 + 5 * time

        class Judge(Skill):
            subsystem = "abstraction"
            temperature = Input(float)
            def step(self, time):
                self.report_percept("Warm", self.temperature > 20, degrees=self.temperature)

        class Worker(Skill):
            def start(self, call):
                return "Done"
        """,
        run_file="skill = skills.py:Judge\nskill = skills.py:Sensor",
    )
    assert held(found, "warm")[0] == 3  # 25 degrees at 2 s, believed at the next tick
    assert of(found, "cycle")[3]["why"] == {"warm": {"degrees": 25.0}}
    assert not of(found, "lost")


def test_skills_run_only_after_a_yes(tmp_path: Path) -> None:
    (tmp_path / "agent.sej").write_text(MAIN)
    (tmp_path / "work.sep").write_text(action("work", "Done[1,2,1]", sentence="Work."))
    (tmp_path / "skills.py").write_text("raise SystemExit")
    (tmp_path / "agent.run").write_text("world = python\nskill Work = skills.py:Worker\n")
    with pytest.raises(InputError) as refused:
        run(tmp_path)
    assert [each.code for each in refused.value.diagnostics] == ["LNG020"]
    with pytest.raises(InputError) as failed:
        run(tmp_path, trust=True)
    assert [each.code for each in failed.value.diagnostics] == ["RUN007"]


@pytest.mark.parametrize(
    "line",
    ["rate = 0", "rate = -1", "rate = 'fast'", "rate = float('nan')", "subsystem = 'kitchen'"],
)
def test_a_skill_that_cannot_be_scheduled_is_a_mistake(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError) as refused:
        lines(tmp_path, f"class Worker(Skill):\n    {line}\n")
    assert [each.code for each in refused.value.diagnostics] == ["RUN014"]
