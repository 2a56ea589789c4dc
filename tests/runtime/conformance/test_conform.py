"""Recorded runs are runs of the model, at three levels; falsified ones are refused at the right
step."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.simulated import as_record, loaded, record_text
from volition import load, run
from volition.diagnostics import InputError
from volition.kernel import Limits, explore
from volition.languages.protocols import Program
from volition.reporting.replay import replay
from volition.runtime.conformance import Conformance, conform, record_as_trace

EXAMPLES = [
    "lisa/pipeline_drone",
    "lisa/vessel_mdp",
    "can/smart_manufacturing.can",
    "can/breakfast.can",
    "dribble/vacuum.dribble",
    "agentspeak/factory",
    "gwendolen/lucky_dip",
]

program_of = cache(loaded)


@cache
def text_of(name: str, steps: int = 80, seed: int = 2) -> str:
    return record_text(program_of(name), steps=steps, seed=seed)


def conformance_of(text: str, program: Program) -> Conformance:
    return conform(as_record(text), program)


@pytest.mark.parametrize("name", EXAMPLES)
def test_runs_of_every_language_conform(name: str) -> None:
    found = conformance_of(text_of(name), program_of(name))
    assert found.conforms
    assert found.logic is None
    assert not found.unmodelled
    assert found.followed == found.recorded > 0


@pytest.mark.parametrize(
    "name", ["can/smart_manufacturing.can", "agentspeak/factory", "gwendolen/lucky_dip"]
)
def test_the_likelihood_is_that_of_the_probabilities_in_the_record(name: str) -> None:
    text = text_of(name)
    chances = [
        Fraction(line["probability"])
        for line in map(json.loads, text.splitlines())
        if "probability" in line
    ]
    found = conformance_of(text, program_of(name))
    assert found.log_likelihood == pytest.approx(sum(math.log(chance) for chance in chances))
    assert found.draws > 0


def test_the_likelihood_is_that_of_the_path_in_the_explored_space() -> None:
    program = program_of("lisa/pipeline_drone")
    space = explore(program.model().system)
    state, expected = dict(program.model().system.slots), 0.0
    here = 0
    for line in map(json.loads, text_of("lisa/pipeline_drone").splitlines()):
        for half in ("beliefs", "plans") if line.get("kind") == "cycle" else ():
            state = {**state, **line[half]}
            transitions = [
                (target, weight)
                for choice in space.choices_of(here)
                for target, weight in zip(
                    space.targets_of(choice).tolist(), space.weights_of(choice), strict=True
                )
                if {k: v for k, v in space.values(target).items() if k != "x"}
                == {k: v for k, v in state.items() if k != "x"}
            ]
            here, weight = transitions[0]
            expected += math.log(float(weight))
    found = conform(as_record(text_of("lisa/pipeline_drone")), program, limits=Limits())
    assert found.log_likelihood == pytest.approx(expected)
    assert found.visits is not None
    assert found.visits.states == space.num_states
    assert found.visits.outside is None


def test_a_space_that_is_not_explored_far_enough_leaves_it_open() -> None:
    name = "can/smart_manufacturing.can"
    found = conform(as_record(text_of(name)), program_of(name), limits=Limits(states=5))
    assert found.conforms is None


# --- falsified records ----------------------------------------------------------------------------

Falsify = Callable[[dict[str, Any], st.DataObject], bool]


def falsified_belief(line: dict[str, Any], data: st.DataObject) -> bool:
    return _other_value(line["beliefs"], data)


def falsified_plan(line: dict[str, Any], data: st.DataObject) -> bool:
    return _other_value(line["plans"], data)


def falsified_percept(line: dict[str, Any], _: st.DataObject) -> bool:
    percepts = line["inbox"]["percepts"]
    name = "wind_is_strong"
    percepts[name] = not percepts[name] if name in percepts else not line["before"][name]
    return True


def lost_feedback(line: dict[str, Any], _: st.DataObject) -> bool:
    return bool(line["inbox"]["feedbacks"]) and bool(line["inbox"]["feedbacks"].pop())


def _other_value(slots: dict[str, Any], data: st.DataObject) -> bool:
    texts = {
        slot: value for slot, value in slots.items() if slot != "x"
    }  # which half-step it is, the field says
    if not texts:
        return False
    slot = data.draw(st.sampled_from(sorted(texts)))
    slots[slot] += data.draw(st.sampled_from([1, 7]))
    return True


@pytest.mark.parametrize(
    ("falsify", "half"),
    [(falsified_belief, 1), (falsified_plan, 2), (falsified_percept, 1), (lost_feedback, 1)],
    ids=lambda each: getattr(each, "__name__", ""),
)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_falsified_cycle_is_refused_at_its_half_step(
    falsify: Falsify, half: int, data: st.DataObject
) -> None:
    lines = [json.loads(line) for line in text_of("lisa/pipeline_drone").splitlines()]
    cycles = [line for line in lines if line.get("kind") == "cycle"]
    state = dict(lines[0]["initial"])
    for line in cycles:
        line["before"] = dict(state)
        state |= line["beliefs"] | line["plans"]
    start = data.draw(st.integers(0, len(cycles) - 1))
    # The first line from there on in which there is something to falsify.
    index = next(
        (n for n in (*range(start, len(cycles)), *range(start)) if falsify(cycles[n], data)), None
    )
    assert index is not None
    for line in cycles:
        del line["before"]
    found = conformance_of(
        "\n".join(map(json.dumps, lines)) + "\n", program_of("lisa/pipeline_drone")
    )
    assert found.conforms is False
    assert found.logic is not None
    assert found.logic.step == 2 * index + half


@pytest.mark.parametrize(
    "name",
    [
        "can/smart_manufacturing.can",
        "agentspeak/factory",
        "gwendolen/lucky_dip",
        "dribble/vacuum.dribble",
    ],
)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_falsified_step_is_refused_at_its_place(name: str, data: st.DataObject) -> None:
    lines = [json.loads(line) for line in text_of(name).splitlines()]
    steps = [line for line in lines if line.get("kind") == "step"]
    index = data.draw(st.integers(0, len(steps) - 1))
    line = steps[index]
    field = data.draw(
        st.sampled_from(
            ["choice", "outcome", "component", "text", "rules", "slots", "changes", "step"]
        )
    )
    match field:
        case "choice" | "outcome" | "step":
            line[field] += data.draw(st.sampled_from([-1, 1, 5]))
        case "component" | "text":
            line[field] += "x"
        case "rules":
            line[field] = [*line[field], "nobody"]
        case "slots":
            line[field] = {**line[field], "nobody": 1}
        case "changes":
            line[field] = [
                *line[field],
                {"section": "beliefs", "item": "nobody", "before": None, "after": ""},
            ]
    found = conformance_of("\n".join(map(json.dumps, lines)) + "\n", program_of(name))
    assert found.conforms is False
    assert [each.step for each in found.deviations] == [index + 1]
    assert found.followed == index


def test_a_missing_line_is_noticed() -> None:
    lines = text_of("agentspeak/factory").splitlines()
    found = conformance_of(
        "\n".join(lines[:10] + lines[11:]) + "\n", program_of("agentspeak/factory")
    )
    assert found.logic is not None
    assert found.logic.step == 10
    assert "missing" in found.logic.recorded


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (lambda cycles: cycles[:5] + cycles[6:], "cycle 5 is missing"),
        (lambda cycles: cycles[1:], "cycle 0 is missing"),
        (
            lambda cycles: [*cycles[:6], cycles[5], *cycles[6:]],
            "cycle 5 of 'drone' is recorded 2 times",
        ),
    ],
)
def test_a_cycle_that_is_missing_or_told_twice_is_noticed(
    damage: Callable[[list[str]], list[str]], text: str
) -> None:
    """Also where nothing happened in it."""
    header, *lines = text_of("lisa/pipeline_drone").splitlines()
    cycles = [line for line in lines if '"kind":"cycle"' in line]
    found = conformance_of(
        "\n".join([header, *damage(cycles)]) + "\n", program_of("lisa/pipeline_drone")
    )
    assert found.logic is not None
    assert text in found.logic.recorded


@pytest.mark.parametrize("name", ["lisa/pipeline_drone", "can/smart_manufacturing.can"])
def test_a_record_whose_steps_are_gone_is_no_run(name: str) -> None:
    """Lines of a kind that nobody knows say nothing; the end of the run says how many there
    were."""
    stream = io.StringIO()
    run(program_of(name), record=stream, cycles=20, seed=2)
    header, *lines = stream.getvalue().splitlines()
    odd = [
        line.replace('"kind":"cycle"', '"kind":"circle"').replace('"kind":"step"', '"kind":"stop"')
        for line in lines
    ]
    found = conformance_of("\n".join([header, *odd]) + "\n", program_of(name))
    assert found.conforms is False
    assert found.logic is not None
    assert "but 0 are recorded" in found.logic.recorded
    with pytest.raises(InputError, match="contains no steps"):
        conformance_of("\n".join([header, *odd[:-1]]) + "\n", program_of(name))


def test_another_choice_than_the_recorded_decision_is_refused() -> None:
    lines = [json.loads(line) for line in text_of("lisa/vessel_mdp", 400, 1).splitlines()]
    decisions = [line for line in lines if line.get("kind") == "choice"]
    assert decisions
    last = decisions[-1]
    last["chosen"] = next(
        option["plan"] for option in last["options"] if option["plan"] != last["chosen"]
    )
    found = conformance_of("\n".join(map(json.dumps, lines)) + "\n", program_of("lisa/vessel_mdp"))
    assert found.logic is not None
    assert found.logic.cycle == last["cycle"]
    assert found.logic.half == "plans half-step"


# --- other numbers, other programs ----------------------------------------------------------------


def test_a_world_that_is_faster_than_the_file_says_leaves_the_model_at_half_step_7() -> None:
    """Drive mode after 2 cycles, where the file says exactly 5: a surprise, and no mistake of the
    executive."""
    faster = loaded("lisa/vessel_mdp", activate_drive_mode__mu=2)
    found = conformance_of(record_text(faster, steps=60, seed=1), program_of("lisa/vessel_mdp"))
    assert found.logic is None
    assert found.followed == found.recorded == 60
    first = found.unmodelled[0]
    assert first.step == 7
    assert first.cycle == 3
    assert "Drive mode" in first.recorded
    assert "probability 0" in first.recorded
    assert first.position is not None
    assert first.position.source.name.endswith("activate_drive_mode.sep")
    assert [each.code for each in found.remarks] == ["CNF003"]
    assert conformance_of(record_text(faster, steps=60, seed=1), faster).conforms


def test_runs_conform_to_every_model_that_has_support_for_them() -> None:
    """With a try in every cycle and a wide window any run has support, whatever counters it was
    recorded with."""
    recorded = text_of("lisa/pipeline_drone")
    tried = {
        f"{percept}__{process}__{part}": value
        for percept in ("wind_is_strong", "leak_in_view", "return_to_base")
        for process in ("activation", "deactivation")
        for part, value in (("p", "0.5"), ("mu", 1), ("sigma", 0))
    }
    found = conformance_of(recorded, loaded("lisa/pipeline_drone", **tried))
    assert found.logic is None
    assert found.conforms


def test_a_changed_program_is_said_and_followed_as_far_as_it_goes(tmp_path: Any) -> None:
    text = program_of("can/smart_manufacturing.can").sources[0].text
    (tmp_path / "smart_manufacturing.can").write_text("// a remark\n" + text)
    found = conformance_of(
        text_of("can/smart_manufacturing.can"), load(tmp_path / "smart_manufacturing.can")
    )
    assert found.conforms
    assert [each.code for each in found.remarks] == ["CNF002"]


def test_a_record_of_another_language_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        conformance_of(text_of("can/smart_manufacturing.can"), program_of("lisa/vessel_mdp"))
    assert [each.code for each in caught.value.diagnostics] == ["CNF001"]


def test_a_record_of_another_program_begins_elsewhere() -> None:
    found = conformance_of(text_of("can/smart_manufacturing.can"), loaded("can/courier.can"))
    assert found.conforms is False
    assert found.logic is not None
    assert found.logic.step == 0


@pytest.mark.parametrize(
    "name", ["lisa/pipeline_drone", "can/smart_manufacturing.can", "agentspeak/factory"]
)
def test_a_record_converts_to_a_trace_that_can_be_replayed(name: str) -> None:
    trace = record_as_trace(as_record(text_of(name, 40)), program_of(name))
    replayed = replay(trace, program_of(name))
    assert replayed.possible
    assert len(replayed) > 0
