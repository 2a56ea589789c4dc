"""Numbers learned from records: the same as counted by hand, written back as settings, and what
they mean for values."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from tests.runtime.simulated import EXAMPLES, as_record, loaded, record_text
from volition import check, load
from volition.checking.properties import Property, parse_properties
from volition.diagnostics import Diagnostics, InputError
from volition.languages.common.settings import read_settings_file
from volition.runtime.conformance import conform
from volition.runtime.learning import LearningResult, learn, value_ranges
from volition.runtime.record import Record

program_of = cache(loaded)
MANUFACTURING = "can/smart_manufacturing.can"


@cache
def records_of(name: str, *, count: int, steps: int) -> tuple[Record, ...]:
    return tuple(
        as_record(record_text(program_of(name), steps=steps, seed=seed)) for seed in range(count)
    )


@cache
def learned_from(name: str, *, count: int, steps: int, timing: str = "program") -> LearningResult:
    return learn(records_of(name, count=count, steps=steps), program_of(name), timing=timing)  # type: ignore[arg-type]


def asked(text: str) -> Property:
    (prop,) = parse_properties([text], Diagnostics())
    return prop


def test_outcomes_are_counted_by_what_is_written_where() -> None:
    records = records_of(MANUFACTURING, count=40, steps=60)
    counted = Counter(
        (line["text"], line["outcome"])
        for record in records
        for line in record.of_kind("step")
        if line["probability"] != "1"
    )
    learned = learned_from(MANUFACTURING, count=40, steps=60)
    found = {
        (site.text.partition(": ")[2], each.number): each.count
        for site, outcomes in learned.outcomes.items()
        for each in outcomes
    }
    assert {key: count for key, count in found.items() if count} == dict(counted)
    assert all(site.span is not None and site.span.line > 0 for site in learned.outcomes)


def test_parameters_are_frequencies_of_all_the_steps_they_stand_in() -> None:
    learned = learned_from(MANUFACTURING, count=40, steps=60)
    records = records_of(MANUFACTURING, count=40, steps=60)
    # pe is the chance that an action of the premium line fails, pc of the standard line.
    draws = [
        line for record in records for line in record.of_kind("step") if line["probability"] != "1"
    ]
    for name, line_of in (("pe", "premium"), ("pc", "standard")):
        own = [each["outcome"] for each in draws if line_of in each["text"]]
        assert learned[name].exact == Fraction(sum(own), len(own))
        assert (learned[name].trials, learned[name].events) == (len(own), sum(own))
        assert learned[name].nominal_is_likely


def test_a_lisa_program_is_learned_from_its_own_runs() -> None:
    learned = learned_from("lisa/pipeline_drone", count=6, steps=500)
    tried = [each for each in learned.parameters if each.trials]
    assert len(tried) >= 8
    outside = [each.name for each in tried if not each.nominal_is_likely]
    assert len(outside) <= 1  # of intervals of 95 %
    assert not learned.remarks


def test_windows_that_exclude_what_was_seen_are_told_and_others_found() -> None:
    slower = loaded("lisa/pipeline_drone", take_off__mu=6, take_off__sigma=0)
    records = [as_record(record_text(slower, steps=80, seed=seed)) for seed in range(3)]
    program = program_of("lisa/pipeline_drone")
    assert "LRN004" in [each.code for each in learn(records, program).remarks]
    found = learn(records, program, timing="fit")
    assert (found["take_off.mu"].value, found["take_off.sigma"].value) == (6, 0)


def test_runs_that_are_cut_off_count_as_trials_without_event() -> None:
    record = records_of("lisa/pipeline_drone", count=1, steps=500)[0]
    cycles = [line for line in record.lines if line.kind == "cycle"]
    short = learn(
        [as_record(record.source.text[: cycles[20].span.start])],
        program_of("lisa/pipeline_drone"),
        timing="every-cycle",
    )
    number = short["wind_is_strong.activation.p"]
    assert number.trials is not None
    assert number.events is not None
    assert number.trials > 0


def test_what_was_learned_is_a_file_of_settings(tmp_path: Path) -> None:
    learned = learned_from("lisa/pipeline_drone", count=6, steps=500, timing="every-cycle")
    file = tmp_path / "learned.settings"
    file.write_text(learned.settings_text())
    settings = read_settings_file(file)
    assert settings == learned.settings
    program = load(EXAMPLES / "lisa/pipeline_drone", settings)
    for name, text in settings.items():
        assert program.parameters[name] == Fraction(text)  # type: ignore[attr-defined]
    # Runs of the old model have support in the fitted one.
    assert all(
        conform(each, program).conforms
        for each in records_of("lisa/pipeline_drone", count=6, steps=500)[:2]
    )


def test_mistakes_in_a_file_of_settings_are_told_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "bad.settings"
    file.write_text("// numbers\npe = 0.1\npc 0.2\npe = 0.3\n")
    with pytest.raises(InputError) as caught:
        read_settings_file(file)
    assert [(each.code, each.span.line) for each in caught.value.diagnostics if each.span] == [
        ("LNG023", 3),
        ("LNG010", 4),
    ]


def test_records_without_steps_teach_nothing() -> None:
    record = records_of(MANUFACTURING, count=1, steps=60)[0]
    with pytest.raises(InputError) as caught:
        learn(
            [as_record(record.source.text[: record.lines[0].span.start])], program_of(MANUFACTURING)
        )
    assert [each.code for each in caught.value.diagnostics] == ["LRN001"]


def test_records_are_used_as_far_as_the_program_follows() -> None:
    text = records_of(MANUFACTURING, count=1, steps=60)[0].source.text.splitlines()
    falsified = json.loads(text[8])
    falsified["text"] = "do something else"
    learned = learn(
        [as_record("\n".join([*text[:8], json.dumps(falsified), *text[9:]]) + "\n")],
        program_of(MANUFACTURING),
    )
    assert learned.steps == 7
    assert [each.code for each in learned.remarks] == ["LRN002"]


# --- values over the ends -------------------------------------------------------------------------


def test_the_range_of_a_value_is_that_of_its_closed_form() -> None:
    """Archibald et al., Sect. 4.2: where pe <= pc, Pmax is (1-pe)^4."""
    learned = learned_from(MANUFACTURING, count=40, steps=60)
    low, _ = learned.intervals["pe"]
    assert learned["pe"].value is not None
    (found,) = value_ranges(
        program_of(MANUFACTURING), learned, [asked("Pmax=? [ F (PS1 & PS2) ]")], processes=1
    )
    assert found.value == pytest.approx((1 - float(learned["pe"].exact or 0)) ** 4)
    assert found.maximum == pytest.approx((1 - float(low)) ** 4)
    assert found.monotone
    by_name = {each.name: each for each in found.influences}
    assert by_name["pe"].direction == "falls"
    assert found.robust is not None
    assert found.robust.lower <= found.minimum + 1e-9
    assert found.robust.upper >= found.maximum - 1e-9


def test_a_value_that_is_not_monotone_is_said() -> None:
    """To need a third try for two stamps is likeliest in between."""
    learned = learned_from("agentspeak/factory", count=6, steps=80)
    prop = asked("Pmax=? [ F (stamped = 2 & tries = 3) ]")
    (found,) = value_ranges(
        program_of("agentspeak/factory"), learned, [prop], processes=1, robust=False
    )
    ends = learned.intervals["reliability"]
    values = [_value_at(reliability) for reliability in (*ends, learned["reliability"].exact)]
    assert found.minimum == pytest.approx(min(values))
    assert found.maximum == pytest.approx(max(values))
    steps = [values[2] - values[0], values[1] - values[2]]
    assert found.monotone == (steps[0] * steps[1] >= 0)


def _value_at(reliability: Fraction | None) -> float:
    report = check(
        loaded("agentspeak/factory", reliability=reliability),
        "Pmax=? [ F (stamped = 2 & tries = 3) ]",
    )
    return float(report.answers[0].verdict.value or 0)
