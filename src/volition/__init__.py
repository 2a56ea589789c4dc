"""Model checker and runtime for BDI (belief-desire-intention) agent programs.

A first example::

    import volition

    report = volition.check("examples/can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")

Public names are imported on first use, so ``import volition`` takes almost no time.

``python -m volition`` executes this module while the current folder is still on ``sys.path``. A
file in the current folder could then be imported in place of a module with the same name. This
module therefore imports only modules that the interpreter has loaded already, and not even
``__future__``.
"""

import importlib

TYPE_CHECKING = (
    False  # a copy of typing.TYPE_CHECKING: importing typing takes longer than this file
)
if TYPE_CHECKING:
    from volition.analysis.smc.estimate import Estimate
    from volition.analysis.strategy_simulation import Simulation
    from volition.analysis.sweeps.closed_forms import ClosedForm
    from volition.analysis.sweeps.result import SweepResult
    from volition.analysis.synthesis.synthesise import Synthesis
    from volition.analysis.tradeoffs.missions import MissionResult
    from volition.analysis.tradeoffs.pareto import ParetoResult
    from volition.analysis.walking import Walk
    from volition.api.checks import (
        ProgramOverview,
        ProgramTestResult,
        annotated_run,
        check,
        coverage,
        explore,
        replay,
        show,
        strategy_of,
        test,
        trace,
    )
    from volition.api.exporting import ExportResult, export
    from volition.api.inputs import initial_belief_bases
    from volition.api.plotting import save_plot
    from volition.api.recorded_runs import conform, learn, value_ranges
    from volition.api.running import run
    from volition.api.simulation import simulate
    from volition.api.slicing import SliceResult, slice
    from volition.api.spaces import load_space, save_space
    from volition.api.strategies import (
        mission,
        pareto,
        render_strategy,
        simulate_strategy,
        strategy,
    )
    from volition.api.sweeps import closed_form, sweep
    from volition.api.verification import with_derived_beliefs
    from volition.api.viewing import view
    from volition.api.vocabulary import lint_formulas, vocabulary
    from volition.api.walking import walk
    from volition.checking.check import Answer, Report
    from volition.checking.engines import ExternalEngine, register_engine
    from volition.checking.storm.client import EngineError
    from volition.checking.strategy import Strategy
    from volition.checking.verdict import Run, Verdict
    from volition.diagnostics import Diagnostic, InputError, render
    from volition.kernel import (
        Choice,
        Component,
        ExplorationStop,
        KernelError,
        Reaction,
        SlotView,
        StateSpace,
        System,
    )
    from volition.languages import Language, load, register_language
    from volition.languages.protocols import Model, Program, Table
    from volition.logic import parse
    from volition.reporting.annotated_runs import AnnotatedRun
    from volition.reporting.coverage import Coverage
    from volition.reporting.replay import Replay
    from volition.reporting.strategies.strategy_table import StrategyTable
    from volition.runtime.conformance import Conformance
    from volition.runtime.executive import RunResult
    from volition.runtime.learning import LearningResult, ValueRange
    from volition.runtime.verification.parameter_updates import ParameterUpdates

    __version__: str

__all__ = [
    "AnnotatedRun",
    "Answer",
    "Choice",
    "ClosedForm",
    "Component",
    "Conformance",
    "Coverage",
    "Diagnostic",
    "EngineError",
    "Estimate",
    "ExplorationStop",
    "ExportResult",
    "ExternalEngine",
    "InputError",
    "KernelError",
    "Language",
    "LearningResult",
    "MissionResult",
    "Model",
    "ParameterUpdates",
    "ParetoResult",
    "Program",
    "ProgramOverview",
    "ProgramTestResult",
    "Reaction",
    "Replay",
    "Report",
    "Run",
    "RunResult",
    "Simulation",
    "SliceResult",
    "SlotView",
    "StateSpace",
    "Strategy",
    "StrategyTable",
    "SweepResult",
    "Synthesis",
    "System",
    "Table",
    "ValueRange",
    "Verdict",
    "Walk",
    "annotated_run",
    "check",
    "closed_form",
    "conform",
    "coverage",
    "explore",
    "export",
    "initial_belief_bases",
    "learn",
    "lint_formulas",
    "load",
    "load_space",
    "mission",
    "pareto",
    "parse",
    "register_engine",
    "register_language",
    "render",
    "render_strategy",
    "replay",
    "run",
    "save_plot",
    "save_space",
    "show",
    "simulate",
    "simulate_strategy",
    "slice",
    "strategy",
    "strategy_of",
    "sweep",
    "test",
    "trace",
    "value_ranges",
    "view",
    "vocabulary",
    "walk",
    "with_derived_beliefs",
]  # fmt: skip

_HOMES = {
    "volition.analysis.strategy_simulation": ("Simulation",),
    "volition.analysis.smc.estimate": ("Estimate",),
    "volition.analysis.sweeps.closed_forms": ("ClosedForm",),
    "volition.analysis.sweeps.result": ("SweepResult",),
    "volition.analysis.synthesis.synthesise": ("Synthesis",),
    "volition.analysis.tradeoffs.missions": ("MissionResult",),
    "volition.analysis.tradeoffs.pareto": ("ParetoResult",),
    "volition.analysis.walking": ("Walk",),
    "volition.api.checks": (
        "ProgramOverview",
        "ProgramTestResult",
        "check",
        "coverage",
        "explore",
        "replay",
        "show",
        "strategy_of",
        "annotated_run",
        "test",
        "trace",
    ),
    "volition.api.strategies": (
        "mission",
        "pareto",
        "simulate_strategy",
        "strategy",
        "render_strategy",
    ),
    "volition.api.exporting": ("ExportResult", "export"),
    "volition.api.sweeps": ("closed_form", "sweep"),
    "volition.api.plotting": ("save_plot",),
    "volition.api.recorded_runs": ("conform", "learn", "value_ranges"),
    "volition.api.running": ("run",),
    "volition.api.simulation": ("simulate",),
    "volition.api.slicing": ("SliceResult", "slice"),
    "volition.api.spaces": ("load_space", "save_space"),
    "volition.api.inputs": ("initial_belief_bases",),
    "volition.api.viewing": ("view",),
    "volition.api.vocabulary": ("lint_formulas", "vocabulary"),
    "volition.api.walking": ("walk",),
    "volition.api.verification": ("with_derived_beliefs",),
    "volition.checking.check": ("Answer", "Report"),
    "volition.checking.engines": ("ExternalEngine", "register_engine"),
    "volition.checking.storm.client": ("EngineError",),
    "volition.checking.strategy": ("Strategy",),
    "volition.checking.verdict": ("Run", "Verdict"),
    "volition.diagnostics": ("Diagnostic", "InputError", "render"),
    "volition.kernel": (
        "Choice",
        "Component",
        "KernelError",
        "Reaction",
        "StateSpace",
        "ExplorationStop",
        "System",
        "SlotView",
    ),
    "volition.languages": ("Language", "load", "register_language"),
    "volition.languages.protocols": ("Model", "Program", "Table"),
    "volition.logic": ("parse",),
    "volition.runtime.conformance": ("Conformance",),
    "volition.runtime.executive": ("RunResult",),
    "volition.runtime.learning": ("LearningResult", "ValueRange"),
    "volition.runtime.verification.parameter_updates": ("ParameterUpdates",),
    "volition.reporting.coverage": ("Coverage",),
    "volition.reporting.replay": ("Replay",),
    "volition.reporting.annotated_runs": ("AnnotatedRun",),
    "volition.reporting.strategies.strategy_table": ("StrategyTable",),
}


if not TYPE_CHECKING:  # hidden from type checkers, so that they report unknown names

    def __getattr__(name):
        if name == "__version__":
            return _version()
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(home), name)
        raise AttributeError(f"module 'volition' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def _version() -> str:
    """Return the version of the installed package, or ``unknown`` if it runs from its sources
    without being installed."""
    metadata = importlib.import_module("importlib.metadata")
    try:
        return str(metadata.version("volition"))
    except metadata.PackageNotFoundError:
        return "unknown"
