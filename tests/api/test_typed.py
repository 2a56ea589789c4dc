"""A user's script with every call and every type, which the strict type checker reads with the rest
of the tests, and which runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import volition
from volition.logic.syntax import Formula

EXAMPLES = Path(__file__).parents[2] / "examples"
ROVER = EXAMPLES / "can" / "rover.can"
BEST = "Pmax=? [ F (PS1 & PS2) ]"


def script(folder: Path) -> None:
    """Each result has the type that is written here; a call that gave Any, or took what it should
    not, would not pass."""
    program: volition.Program = volition.load(
        EXAMPLES / "can" / "smart_manufacturing.can", {"pe": 0.1, "pc": Fraction(3, 10)}
    )
    overview: volition.ProgramOverview = volition.show(program)
    table: volition.Table = overview[0]
    space: volition.StateSpace = volition.explore(program, max_states=100)
    volition.save_space(space, folder / "part.vsp", overwrite=True)
    again: volition.StateSpace = volition.load_space(folder / "part.vsp")
    stop: volition.ExplorationStop | None = again.stopped
    whole: volition.StateSpace = volition.explore(space, timeout=60)
    covered: volition.Coverage = volition.coverage(whole)
    formula: Formula = volition.parse("A [ F PS1 ]")
    report: volition.Report = volition.check(
        program, [formula, f"{BEST} // RESULT: 0.6561"], max_memory=2**30, fair="weak", exact=True
    )
    answer: volition.Answer = report[0]
    verdict: volition.Verdict = answer.verdict
    run: volition.Run | None = verdict.run
    annotated: volition.AnnotatedRun | None = volition.annotated_run(answer)
    recorded: dict[str, Any] | None = volition.trace(answer)
    assert stop is not None
    assert run is not None
    assert annotated is not None
    assert recorded is not None
    replayed: volition.Replay = volition.replay(recorded, program)
    behind: volition.Strategy | None = report[1].verdict.strategy
    in_words: volition.StrategyTable | volition.Diagnostic | None = volition.strategy_of(report[1])
    found: volition.Synthesis = volition.strategy(program, BEST)
    code: str = volition.render_strategy(found, "python")
    simulated: volition.Simulation = volition.simulate_strategy(found, runs=100, seed=2)
    estimated: volition.Estimate = volition.simulate(
        program, BEST, runs=100, num_schedulers=2, jobs=1
    )
    front: volition.ParetoResult = volition.pareto(program, [BEST, "Pmax=? [ F Pch1 ]"])
    swept: volition.SweepResult = volition.sweep(program, {"pe": [0, 0.5]}, BEST, processes=1)
    form: volition.ClosedForm = volition.closed_form(program, "pe=0:1:0.5", BEST, processes=1)
    mission: volition.MissionResult = volition.mission(
        EXAMPLES / "can" / "rescue.can", "Pmax=? [ F Bel(rescued) ]", budget=2.5
    )
    exported: volition.ExportResult = volition.export(program, "dot", max_states=10)
    sliced: volition.SliceResult = volition.slice(
        EXAMPLES / "gwendolen" / "cruise_control", method="sound"
    )
    from_each: Mapping[str, volition.Program] = volition.initial_belief_bases(program)
    tested: Iterator[volition.ProgramTestResult] = volition.test(
        EXAMPLES / "dribble", max_states=10_000
    )
    volition.save_plot(front, folder / "front.svg")
    assert all(
        [
            table.rows,
            covered.used,
            code,
            simulated.runs,
            len(form),
            len(mission),
            exported.target,
            len(from_each),
            behind,
            in_words,
        ]
    )
    assert sliced.text
    assert estimated.runs == 100
    assert replayed.possible
    assert len(swept) == 2
    assert all(each.passed for each in tested)


def a_system_of_ones_own() -> None:
    """With labels, a reaction, and everything that can go wrong."""

    def door(state: volition.SlotView) -> Sequence[volition.Choice]:
        return [] if state["open"] else [volition.Choice("open", [(1, {"open": True})])]

    def clock(state: volition.SlotView) -> Mapping[str, int]:
        return {"time": min(state["time"] + 1, 3)}

    component, reaction = volition.Component("door", door), volition.Reaction("clock", clock)
    system = volition.System({"open": False, "time": 0}, [component], reactions=[reaction])
    report = volition.check(
        system, "A [ F open & late ]", labels={"late": lambda state: state["time"] >= 1}
    )
    assert report[0].verdict.holds
    model: volition.Model = report[0].exploration.model
    assert model.agents == ["door"]
    reported = ""
    try:
        volition.check(system, "A [ F nothing ]")
    except volition.InputError as error:
        reported = volition.render(error.diagnostics[0])
    except (volition.EngineError, volition.KernelError) as error:
        reported = str(error)
    assert "unknown label or slot 'nothing'" in reported


class Sceptic:
    """An engine."""

    name = "a sceptic"

    def unsupported_reason(self, program: volition.Program, formula: Formula) -> str | None:  # noqa: ARG002
        return "it believes nothing"

    def check(
        self,
        program: volition.Program,  # noqa: ARG002
        formula: Formula,
        *,
        seconds: float | None = None,  # noqa: ARG002
    ) -> volition.Verdict:
        return volition.Verdict(formula, "doubt", 0.0, unknown="who knows")


def registered() -> None:
    """Not called: what is registered would stay so."""
    engine: volition.ExternalEngine = Sceptic()
    volition.register_engine("sceptic", lambda: engine)
    volition.register_language(volition.Language("Mine", "mine", ".mine"))


def records(folder: Path) -> None:
    """A program that runs, and what its record says."""
    record = folder / "run.jsonl"
    ran: volition.RunResult = volition.run(ROVER, record=record, cycles=20)
    conformance: volition.Conformance = volition.conform(record, ROVER)[0]
    learned: volition.LearningResult = volition.learn(record, ROVER)
    assert ran.cycles <= 20
    assert conformance
    assert learned
    assert volition.view(record).startswith("<!doctype html>")


def walks() -> None:
    """What can be asked of a program, and a way through it."""
    assert "labels" in volition.vocabulary(ROVER)
    assert not volition.lint_formulas(ROVER, 'Pmax=? [ F "SS1" ]')
    walk: volition.Walk = volition.walk(ROVER, seed=2)
    walk.random_steps()
    assert len(walk.states) == 2


def untried() -> tuple[object, ...]:
    """Not called: they need a project with a run file, or numbers that were learned."""
    return (
        volition.with_derived_beliefs,
        volition.value_ranges,
        volition.ValueRange,
        volition.ParameterUpdates,
    )


def test_the_script_runs(tmp_path: Path) -> None:
    script(tmp_path)
    records(tmp_path)
    walks()
    a_system_of_ones_own()


def test_it_has_every_public_name() -> None:
    tree = ast.parse(Path(__file__).read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "volition"
    }
    assert set(volition.__all__) <= used
