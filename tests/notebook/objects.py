"""One object of each kind that a notebook shows; and a system that calls everything by names that
want to be more than text."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import volition
from volition import Choice, Component, SweepResult, System
from volition.analysis.sweeps.grid import Axis
from volition.analysis.sweeps.result import SweepRow
from volition.kernel import SlotView

__all__ = ["HOSTILE", "hostile_objects", "objects"]

EXAMPLES = Path(__file__).parents[2] / "examples"
BEST, CHEAP = "Pmax=? [ F (PS1 & PS2) ]", "Pmax=? [ F (Pch1 | Pch2) ]"
HOSTILE = (
    "<img src='http://example.org/x.png' "
    "onerror='document.title=1'><script>document.title=2</script></style></svg>"
)


@cache
def objects() -> dict[str, object]:
    """Each object by what it is."""
    manufacturing = volition.load(EXAMPLES / "can" / "smart_manufacturing.can")
    vacuum = volition.load(EXAMPLES / "dribble" / "vacuum.dribble")
    report, violated = (
        volition.check(manufacturing),
        volition.check(vacuum, "A [ F (B(c1) & B(c2)) ]"),
    )
    trace = volition.trace(violated[0])
    assert trace is not None
    found = volition.strategy(manufacturing, BEST)
    return {
        "program": manufacturing,
        "overview": volition.show(manufacturing),
        "table": volition.show(manufacturing)[3],
        "exported": volition.export(vacuum, "dot"),
        "sliced": volition.slice(EXAMPLES / "gwendolen" / "cruise_control", method="winikoff"),
        "space": volition.explore(manufacturing),
        "part of a space": volition.explore(manufacturing, max_states=50),
        "coverage": volition.coverage(volition.explore(vacuum)),
        "report": report,
        "violated": violated,
        "answer": violated[0],
        "verdict": violated[0].verdict,
        "run": violated[0].verdict.run,
        "telling": volition.annotated_run(violated[0]),
        "strategy": found,
        "bare strategy": report[1].verdict.strategy,
        "simulation": volition.simulate_strategy(found, runs=1000),
        "estimate": volition.simulate(manufacturing, BEST, runs=100, num_schedulers=2, jobs=1),
        "front": volition.pareto(manufacturing, [BEST, CHEAP]),
        "mission": volition.mission(
            EXAMPLES / "can" / "rescue.can", "Pmax=? [ F Bel(rescued) ]", budget=12
        ),
        "sweep": volition.sweep(
            manufacturing, {"pc": "0:1:0.25", "pe": [0, 0.5, 1]}, BEST, processes=1
        ),
        "line": volition.sweep(manufacturing, "pe=0:1:0.25", BEST, processes=1),
        "closed form": volition.closed_form(manufacturing, "pe=0:1:0.5", BEST, processes=1),
        "replay": volition.replay(trace, EXAMPLES / "dribble" / "vacuum_repaired.dribble"),
    }


@cache
def hostile_objects() -> dict[str, object]:
    """The same kinds about a system in which every name is hostile."""

    def step(state: SlotView) -> list[Choice]:
        if state[HOSTILE] != "begun":
            return []
        risky = Choice(
            HOSTILE,
            [(Fraction(1, 2), {HOSTILE: HOSTILE}), (Fraction(1, 2), {HOSTILE: "lost"})],
            rewards={"cost": 1},
        )
        return [risky, Choice(f"{HOSTILE} slowly", [(1, {HOSTILE: HOSTILE})], rewards={"cost": 3})]

    system = System({HOSTILE: "begun"}, [Component(HOSTILE, step)])
    labels = {
        HOSTILE: lambda state: state[HOSTILE] == HOSTILE,
        "lost": lambda state: state[HOSTILE] == "lost",
    }
    goal = f'"{HOSTILE}"'
    best, cheap = f"Pmax=? [ F {goal} ]", f'R{{"cost"}}min=? [ F ("lost" | {goal}) ]'
    report = volition.check(system, [f"A [ F {goal} ]", best], labels=labels)
    points = (SweepRow({HOSTILE: Fraction(0)}, (0.5,)), SweepRow({HOSTILE: Fraction(1)}, (1.0,)))
    return {
        "program": report.program,
        "space": volition.explore(system),
        "report": report,
        "run": report[0].verdict.run,
        "strategy": volition.strategy(system, best, labels=labels),
        "front": volition.pareto(system, [best, cheap], labels=labels),
        "mission": volition.mission(system, best, budget=4, labels=labels),
        "sweep": SweepResult(
            (Axis(HOSTILE, (Fraction(0), Fraction(1))),),
            (HOSTILE,),
            points,
            1,
            (HOSTILE,),
            0.1,
            (HOSTILE,),
        ),
    }
