"""From a program and formulas to a report: what is explored, who answers, what was expected."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from volition.checking.check import Answer, check
from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.kernel import Choice, Component, Limits, SlotView, System
from volition.languages.protocols import Model, StateView, Table, UnparsedProperty
from volition.logic import read_properties
from volition.logic.syntax import Atom, AtomicFormula, Identifier


@dataclass(frozen=True)
class Counter:
    """A program that counts up to ``end`` and tosses a coin at the end; ``Does`` needs memory, as
    in every language.

    It implements :class:`volition.languages.protocols.Program`.  Without an end it counts for ever,
    also while it remembers ``Does(rest)``.
    """

    end: int | None = 5
    stated: str = ""
    language: str = "counting"
    sources: Sequence[Source] = ()
    warnings: Sequence[Diagnostic] = ()
    steps: list[int] = field(default_factory=list)

    @property
    def properties(self) -> Sequence[UnparsedProperty]:
        return read_properties(Source("counter", self.stated))

    def tables(self) -> Sequence[Table]:
        return ()

    def model(self, observed: Collection[Atom] = ()) -> Model:
        return CounterModel(
            self, frozenset(atom.text for atom in observed if atom.modality == "Does")
        )


@dataclass(frozen=True)
class CounterModel:
    program: Counter
    remembered: frozenset[str]
    agents: Sequence[str] = ("counter",)

    @property
    def system(self) -> System:
        memory = {f"did {action}": False for action in sorted(self.remembered)}
        end = None if "rest" in self.remembered else self.program.end

        def step(state: SlotView) -> list[Choice]:
            n = state["n"]
            self.program.steps.append(n)
            if n == end:
                heads: dict[str, Any] = {"n": n + 1, **self._writes("toss")}
                return [
                    Choice(
                        "toss",
                        [
                            (Fraction(1, 2), heads),
                            (Fraction(1, 2), {"n": n + 2, **self._writes("toss")}),
                        ],
                    )
                ]
            if end is not None and n > end:
                return []
            return [Choice("count", [(1, {"n": n + 1, **self._writes("count")})], {"steps": 1})]

        return System({"n": 0, **memory}, [Component("counter", step)])

    def _writes(self, action: str) -> dict[str, bool]:
        return {f"did {each}": each == action for each in self.remembered}

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if isinstance(atom, Identifier) and atom.name == "n":
            return lambda view: view["n"]
        if isinstance(atom, Atom) and atom.modality == "Does" and atom.text in self.remembered:
            return lambda view: view[f"did {atom.text}"]
        name = atom.text if isinstance(atom, Atom) else atom.name
        raise InputError([Diagnostic("TST001", f"unknown {name}", atom.span)])

    def describe(self, state: SlotView) -> StateView:
        return {"beliefs": {"n": str(state["n"])}}


def test_formulas_share_one_exploration() -> None:
    program = Counter()
    report = check(
        program, ["P=? [ F n = 6 ]", "A [ G n <= 7 ]", "E [ F n = 3 ]", "P>=0.5 [ F n = 7 ]"]
    )
    assert [
        answer.verdict.value if answer.verdict.holds is None else answer.verdict.holds
        for answer in report.answers
    ] == [
        Fraction(1, 2),
        True,
        True,
        True,
    ]
    assert len(report.explorations) == 1
    assert report.explorations[0].space.num_states == 8


def test_memory_is_added_where_it_is_asked_for() -> None:
    """The plain model keeps its figures; ``Does`` gets a model that remembers."""
    program = Counter()
    report = check(
        program, ["P=? [ F n = 6 ]", "P=? [ F Does(toss) ]", "P=? [ F (Does(toss) & Does(count)) ]"]
    )
    assert [answer.verdict.value for answer in report.answers] == [Fraction(1, 2), 1, 0]
    plain, remembering = report.explorations
    assert plain.observed == ()
    assert {atom.text for atom in remembering.observed} == {"toss", "count"}
    assert report.answers[1].exploration is report.answers[2].exploration is remembering


def test_exploration_stops_as_soon_as_an_invariant_breaks() -> None:
    report = check(Counter(end=None), ["A [ G n < 100 ]"])
    answer = report.answers[0]
    assert answer.verdict.holds is False
    assert answer.verdict.run is not None
    assert len(answer.verdict.run.choices) == 100


def test_limits_give_unknown() -> None:
    report = check(
        Counter(end=None),
        ["A [ G n >= 0 ]", "P=? [ F n = 1000 ]", "P=? [ F n = 3 ]"],
        limits=Limits(states=50),
    )
    holds, far, near = (answer.verdict for answer in report.answers)
    assert holds.unknown is not None
    assert far.unknown is not None
    assert (far.lower, far.upper) == (0, 1)
    assert near.value == 1


STATED = """
// RESULT: 1/2
"heads": P=? [ F n = 6 ]
// RESULT: 4
R{"steps"}=? [ F n = 5 ]
// RESULT: true
A [ F n = 5 ]
P=? [ F n = 7 ]
"""


def test_a_program_carries_its_properties() -> None:
    report = check(Counter(stated=STATED))
    assert [answer.as_expected for answer in report.answers] == [True, False, True, None]
    assert not report.as_expected
    heads, steps, *_ = report.answers
    assert heads.prop.name == "heads"
    assert heads.prop.expected == "1/2"
    assert steps.verdict.value == 5


def test_all_mistakes_at_once_before_anything_is_explored() -> None:
    program = Counter(end=None)
    with pytest.raises(InputError) as caught:
        check(program, ["P=? [ F", "A [ G n < ]", "P=? [ F n = 3 ]"])
    assert len(caught.value.diagnostics) == 2
    with pytest.raises(InputError) as caught:
        check(program, ["P=? [ F nowhere ]", "A [ G x < 3 ]"])
    assert [each.message for each in caught.value.diagnostics] == ["unknown nowhere", "unknown x"]
    assert program.steps == []


def test_an_expected_result_that_is_none() -> None:
    with pytest.raises(InputError, match="CHK020"):
        check(Counter(stated="// RESULT: perhaps\nA [ F n = 5 ]"))


def test_answers_come_one_by_one() -> None:
    seen: list[Answer] = []
    report = check(Counter(), ["P=? [ F n = 6 ]", "A [ F n = 5 ]"], answered=seen.append)
    assert seen == list(report.answers)


def test_ctrl_c_keeps_the_answers_so_far() -> None:
    """The first question is answered; Ctrl-C comes during the second, which counts for ever; the
    third is not asked."""
    previous = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    formulas = ["P=? [ F n = 6 ]", "A [ G !Does(rest) ]", "P=? [ F n = 2 ]"]
    # hypothesis watches collections, and Python drops a Ctrl-C that comes inside such a watcher
    gc.disable()
    try:
        report = check(
            Counter(),
            formulas,
            answered=lambda _: signal.setitimer(signal.ITIMER_REAL, 0.1) and None,
        )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        gc.enable()
    assert report.interrupted
    first, second, third = (answer.verdict for answer in report.answers)
    assert first.value == Fraction(1, 2)
    assert second.unknown is not None
    assert third.unknown is not None


def test_what_is_wrong_with_one_property_does_not_keep_the_others_from_an_answer() -> None:
    errors = Diagnostics()
    formulas = ["E [ F n = 3 ]", "E [ F nonsense ]", "E [ F ", "A [ G n <= 7 ]"]
    program = Counter()
    report = check(program, formulas, errors=errors)
    assert [answer.prop.text for answer in report.answers] == [formulas[0], formulas[3]]
    assert [answer.verdict.holds for answer in report.answers] == [True, True]
    assert len(errors.errors) == 2
    with pytest.raises(InputError) as raised:
        check(program, formulas)
    assert raised.value.diagnostics
    with pytest.raises(InputError):
        check(program, formulas[1:3], errors=Diagnostics())
