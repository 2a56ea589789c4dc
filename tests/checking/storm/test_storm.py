"""The engine as a guest: slow, crashing or interrupted, it leaves the caller with a readable answer
and a working engine."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from volition.checking.mdp.mdp import Mdp, RewardArrays, Rewards
from volition.checking.mdp.rewards import simplest_fraction
from volition.checking.storm import client as storm
from volition.checking.storm.client import EngineError, EngineStopped, StormModel
from volition.checking.storm.umb import write_umb
from volition.kernel.arrays import Mask


def walk(size: int) -> tuple[Mdp, Mask]:
    """A random walk with two kinds of steps between two walls; the far end takes about size² steps
    to reach."""
    here = np.arange(size)
    left, right = np.maximum(here - 1, 0), np.minimum(here + 1, size - 1)
    mdp = Mdp(
        first_choice=2 * np.arange(size + 1),
        first_transition=2 * np.arange(2 * size + 1),
        targets=np.stack([left, right, left, right], axis=1).ravel().astype(np.uint32),
        weight_ids=np.tile(np.array([1, 1, 2, 3], dtype=np.uint32), size),
        weights=[1, Fraction(1, 2), Fraction(2, 5), Fraction(3, 5)],
        rewards=Rewards(["steps"], lambda _: RewardArrays(np.zeros(size), np.ones(2 * size))),
        frontier=np.zeros(size, dtype=np.bool_),
    )
    return mdp, here == size - 1


def test_the_walk_ends() -> None:
    """By hand: with steps to the right of probability 3/5 alone, three states take 1/(3/5) + (1 +
    (2/5)/(3/5)) / (3/5)... steps."""
    mdp, end = walk(3)
    model = StormModel(mdp, exact=True)
    answer = model.check(f'R{{"steps"}}min=? [F {model.label(end)}]', strategy=True)
    # x0 = 1 + 2/5 x0 + 3/5 x1, x1 = 1 + 2/5 x0: x0 = 40/9.
    assert answer.values[0] == Fraction(40, 9)
    assert answer.choices is not None
    assert answer.choices[:2].tolist() == [1, 3]


@pytest.mark.parametrize("exact", [True, False])
def test_the_initial_state_alone(exact: bool) -> None:
    """With a strategy or without: the value is the one that it has among all states."""
    mdp, end = walk(3)
    model = StormModel(mdp, exact=exact)
    prop = f'R{{"steps"}}min=? [F {model.label(end)}]'
    everywhere = model.check(prop, strategy=True)
    alone, with_strategy = (
        model.check(prop, strategy=strategy, everywhere=False) for strategy in (False, True)
    )
    assert len(everywhere.values) == mdp.num_states
    value = pytest.approx(everywhere.values[:1].astype(float), rel=1e-9)
    assert alone.values.astype(float) == value
    assert with_strategy.values.astype(float) == value
    assert alone.choices is None
    assert with_strategy.choices is not None
    assert everywhere.choices is not None
    assert with_strategy.choices.tolist() == everywhere.choices.tolist()


def test_a_slow_question_is_stopped_and_the_next_one_answered() -> None:
    mdp, end = walk(30_000)
    model = StormModel(mdp, exact=False)
    prop = f'R{{"steps"}}max=? [F {model.label(end)}]'
    with pytest.raises(EngineStopped, match=r"stopped after 0\.5 seconds"):
        model.check(prop, seconds=0.5)
    assert model.check(f"Pmax=? [F {model.label(end)}]").values[0] == 1.0


def test_the_time_to_hand_a_model_over_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands an hour later when the model is written."""
    passed = 0.0

    def slowly(path: Path, mdp: Mdp, *, exact: bool) -> None:
        nonlocal passed
        passed = 3600.0
        write_umb(path, mdp, exact=exact)

    clock = time.perf_counter
    monkeypatch.setattr(storm, "write_umb", slowly)
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + passed)
    mdp, end = walk(3)
    model = StormModel(mdp, exact=True)
    with pytest.raises(EngineStopped, match="stopped after 1800 seconds"):
        model.check(f"Pmax=? [F {model.label(end)}]", seconds=1800)


def test_ctrl_c_is_ctrl_c() -> None:
    mdp, end = walk(30_000)
    model = StormModel(mdp, exact=False)
    prop = f'R{{"steps"}}max=? [F {model.label(end)}]'
    model.check(f"Pmax=? [F {model.label(end)}]")
    previous = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            model.check(prop)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert model.check(f"Pmax=? [F {model.label(end)}]").values[0] == 1.0


def test_a_crash_is_an_answer() -> None:
    mdp, end = walk(30_000)
    model = StormModel(mdp, exact=False)
    prop = f"Pmax=? [F {model.label(end)}]"
    model.check(prop)
    process = storm._engine._process
    assert process is not None
    os.kill(process.pid, signal.SIGSEGV)
    with pytest.raises(EngineStopped, match="SIGSEGV"):
        model.check(prop)
    assert model.check(prop).values[0] == 1.0


@pytest.mark.parametrize(
    "prop", ['Pmax=? [F "nowhere"]', "this is no question", 'R{"gold"}max=? [C]']
)
def test_what_storm_says_stays_behind(prop: str, caplog: pytest.LogCaptureFixture) -> None:
    mdp, _ = walk(3)
    with caplog.at_level("DEBUG"), pytest.raises(EngineError) as caught:
        StormModel(mdp, exact=True).check(prop)
    assert str(caught.value) == "Storm could not solve this formula"
    assert caught.value.raw_output is not None
    assert caught.value.raw_output in caplog.text


def test_a_reason_that_users_can_do_something_about() -> None:
    mdp, _ = walk(3)
    losing = RewardArrays(np.full(mdp.num_states, -1.0), np.zeros(mdp.num_choices))
    with pytest.raises(
        EngineError, match=r"^Storm does not support negative rewards for this formula$"
    ):
        StormModel(mdp.with_rewards({"gold": losing}), exact=True).check('R{"gold"}max=? [C]')


def test_models_are_forgotten() -> None:
    mdp, end = walk(3)
    numbers = set()
    for _ in range(3):
        model = StormModel(mdp, exact=True)
        model.check(f"Pmax=? [F {model.label(end)}]")
        numbers.add(model._number)
        del model
        gc.collect()
    assert len(numbers) < 3, "the place of a forgotten model is used again"


def test_archives_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mdp, end = walk(3)
    model = StormModel(mdp, exact=True)
    model.check(f"Pmax=? [F {model.label(end)}]")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
def test_labels_have_the_right_bits(size: int) -> None:
    mdp, _ = walk(size)
    marked: Mask = np.random.default_rng(size).random(size) < 0.5
    model = StormModel(mdp, exact=False)
    assert (model.holds(model.label(marked)) == marked).all()


def test_storm_reads_labels_from_an_archive(tmp_path: Path) -> None:
    """The archive stands alone: another tool finds labels, rewards and wide fractions in it."""
    import stormpy

    mdp, end = walk(70)
    big = Fraction(10**30 + 1, 3 * 10**30)
    mdp = mdp.with_weights([1, Fraction(1, 2), 1 - big, big])
    write_umb(tmp_path / "walk.umb", mdp, labels={"end": end}, exact=True)
    options = stormpy.io.UmbImportOptions()
    options.value_type = stormpy.io.UmbImportValueType.RATIONAL
    model = stormpy.build_model_from_umb(tmp_path / "walk.umb", options=options)
    assert (model.nr_states, model.nr_choices, model.nr_transitions) == (70, 140, 280)
    assert list(model.labeling.get_states("end")) == [69]
    assert sorted(model.reward_models) == ["steps"]
    assert [Fraction(str(entry.value)) for entry in model.transition_matrix.get_row(3)] == [
        1 - big,
        big,
    ]


@pytest.mark.parametrize(
    ("number", "fraction"),
    [(0.1, "1/10"), (1 / 3, "1/3"), (2.5, "5/2"), (12.0, "12"), (-0.75, "-3/4"), (0.0, "0")],
)
def test_simplest_fractions(number: float, fraction: str) -> None:
    assert simplest_fraction(number) == Fraction(fraction)


def test_simplest_fractions_round_back() -> None:
    for number in np.random.default_rng(0).random(200).tolist():
        assert float(simplest_fraction(number)) == number
