"""What may stand below ``[verification]``, and what is said about everything else."""

from __future__ import annotations

import pytest

from tests.runtime.verification.crossing import crossing
from volition.diagnostics import Diagnostics, Source
from volition.languages.common.sections import content_lines
from volition.runtime.verification.section import VerificationSection, read_declared, step_bound

MODEL = crossing().model()


def read(text: str) -> tuple[VerificationSection, Diagnostics]:
    diagnostics, source = Diagnostics(), Source("crossing.run", text)
    return read_declared(list(content_lines(source, 0, len(text))), MODEL, diagnostics), diagnostics


def test_everything_that_can_be_said() -> None:
    declared, diagnostics = read(
        "objective = Pmax=? [ F<=60 home = 1 ]\n"
        'second = R{"res_cycles"}min=? [ F home = 1 ]\n'
        "safety keeps afloat = P>=0.9 [ G lost = 0 ]\n"
        "safety = P<=0.1 [ F battery_low = 1 ]\n"
        "later = uniform\ndefault = 2\ndefault = plan_4\nstates = 100000\n"
        "belief Storm = Pmax=? [ F lost = 1 ] on 0.5 off 1/4\n"
        "show comes home = Pmax=? [ F home = 1 ]\nshow = Pmin=? [ F home = 1 ]\n"
    )
    assert [each.name for each in declared.monitored] == ["comes home", "Pmin=? [ F home = 1 ]"]
    assert not diagnostics.errors
    assert declared.objective is not None
    assert step_bound(declared.objective) == 60
    assert [each.query.best for each in declared.safety] == ["max", "min"]
    assert [each.query.name for each in declared.safety] == [
        "keeps afloat",
        "P<=0.1 [ F battery_low = 1 ]",
    ]
    assert (declared.continuation_policy, declared.defaults, declared.states) == (
        "uniform",
        ("plan_2", "plan_4"),
        100_000,
    )
    (belief,) = declared.beliefs
    assert [belief.after(held, value) for held in (False, True) for value in (0.3, 0.5, 0.25)] == [
        False,
        True,
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "RUN201"),
        ("objective twice = Pmax=? [ F home = 1 ]", "RUN201"),
        ("belief = Pmax=? [ F home = 1 ] on 1 off 0", "RUN201"),
        ("objektive = Pmax=? [ F home = 1 ]", "RUN202"),
        ("objective = P=? [ F home = 1 ]", "RUN203"),
        ("objective = Pmax>=0.9 [ F home = 1 ]", "RUN203"),
        ("objective = A [ F home = 1 ]", "RUN203"),
        ("safety = Pmax>=0.9 [ F home = 1 ]", "RUN203"),
        ("objective = Pmax=? [ G F home = 1 ]", "RUN204"),
        ("objective = Pmax=? [ F>=3 home = 1 ]", "RUN204"),
        ('objective = R{"res_cycles"}min=? [ I=3 ]', "RUN204"),
        ('objective = Pmax=? [ F Does("Cross open water") ]', "RUN205"),
        ("later = sometimes", "RUN206"),
        ("states = few", "RUN206"),
        ("default = plan_9", "RUN207"),
        ("belief Storm = Pmax=? [ F lost = 1 ]", "RUN208"),
        ("belief Storm = Pmax=? [ F lost = 1 ] on high off low", "RUN208"),
        ("belief Storm = Pmax=? [ F lost = 1 ] on 0.1 off 0.2", "RUN208"),
        ("belief Home = Pmax=? [ F lost = 1 ] on 0.2 off 0.1", "RUN209"),
        ("objective = Pmax=? [ F hom = 1 ]", "LIS080"),
        ("later = best\nlater = worst", "LNG010"),
    ],
)
def test_mistakes_have_their_place(line: str, code: str) -> None:
    _, diagnostics = read(line)
    assert code in [each.code for each in diagnostics.errors]
    assert all(
        each.span is not None and each.hint
        for each in diagnostics.errors
        if each.code.startswith("RUN")
    )


@pytest.mark.parametrize(
    "line", ['second = R{"res_cycles"}min=? [ F home = 1 ]', "default = plan_2"]
)
def test_lines_about_choices_without_a_query_that_chooses_are_warned_of(line: str) -> None:
    assert [each.code for each in read(line)[1].warnings] == ["RUN218"]
    assert not read(f"{line}\nsafety = P>=0.9 [ G lost = 0 ]")[1].warnings
