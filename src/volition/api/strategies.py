"""Python functions for strategies: synthesis (``strategy``), trade-offs between objectives
(``pareto``), trade-offs between success and cost (``mission``), and simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal, assert_never

from volition.analysis import strategy_simulation as simulating
from volition.analysis.strategy_simulation import Simulation
from volition.analysis.synthesis.agent_program import embed_strategy
from volition.analysis.synthesis.python_code import python_code
from volition.analysis.synthesis.synthesise import Synthesis, synthesise
from volition.analysis.synthesis.tree_plot import dot_text, tree_text
from volition.analysis.tradeoffs import pareto as fronts
from volition.analysis.tradeoffs.missions import MissionResult, build_mission, solve_mission
from volition.analysis.tradeoffs.pareto import ParetoResult
from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, limits_of, load_subject, whole_number
from volition.api.property_input import Formulas, PropertyLike, parse_with_warnings, single_property
from volition.checking.explored_model import Recipe, explore_for
from volition.checking.properties import parse_properties
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Progress

__all__ = ["Form", "mission", "pareto", "render_strategy", "simulate_strategy", "strategy"]

Form = Literal["table", "tree", "python", "can", "dot"]
Watcher = Callable[[Progress], None]


def strategy(
    program: Subject,
    formula: PropertyLike,
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Watcher | None = None,
) -> Synthesis:
    """Return an optimal strategy for a query such as ``Pmax=? [ F done ]``, as tables: ``volition
    strategy``.

    Raise :class:`InputError` if the formula is not a query for an optimal value.
    """
    given = load_subject(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    prop = single_property(given.program, formula, warnings)
    limits = limits_of(max_states, max_memory, timeout, jobs)
    found = synthesise(
        given.program, prop, space=given.space, limits=limits, exact=exact, progress=progress
    )
    return replace(found, warnings=(*given.space_warnings, *warnings.warnings))


def render_strategy(
    found: Synthesis,
    form: Form,
    *,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
) -> str:
    """Return a strategy as text: ``volition strategy --as``.

    ``form`` is the format: ``table`` is Markdown, ``tree`` indented text, ``dot`` input for
    Graphviz, ``python`` a Python module, and ``can`` a CAN program that follows the strategy. The
    CAN program is checked against the value of the strategy, within the given limits.
    """
    match form:
        case "table":
            return found.markdown()
        case "tree":
            return tree_text(found) + "\n"
        case "python":
            return python_code(found)
        case "dot":
            return dot_text(found)
        case "can":
            recipe = found.answer.exploration.space.system_factory
            assert isinstance(recipe, Recipe), "an answer knows its program"
            limits = limits_of(max_states, max_memory, timeout, jobs)
            return embed_strategy(recipe.program, found, limits=limits, exact=exact).sources[0].text
        case _:
            assert_never(form)
    raise InputError(
        [
            Diagnostic(
                "API005",
                f"unknown strategy format '{form}'",
                hint="use table, tree, python, can or dot",
            )
        ]
    )


def simulate_strategy(
    program: Subject | Synthesis,
    formula: PropertyLike | None = None,
    *,
    runs: int = 10_000,
    seed: int = 1,
    uniform: bool = False,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Watcher | None = None,
) -> Simulation:
    """Estimate the value of a formula by many runs: ``volition strategy --simulate``.

    The runs follow an optimal strategy. Instead of a program you can pass a result of
    :func:`strategy`. With ``uniform``, all choices are random and no strategy is computed.
    """
    limits = limits_of(max_states, max_memory, timeout, jobs)
    runs, seed = whole_number("runs", runs, minimum=1), whole_number("seed", seed)
    if isinstance(program, Synthesis):
        found = program
    elif formula is None:
        raise InputError([Diagnostic("API006", "no formula given to simulate")])
    elif uniform:
        given = load_subject(program, settings=settings, labels=labels)
        (prop,) = parse_properties(
            [single_property(given.program, formula, Diagnostics())], Diagnostics()
        )
        explored, (query,) = explore_for(
            given.program, [prop.formula], space=given.space, limits=limits, progress=progress
        )
        return simulating.simulate(
            explored.model,
            explored.space,
            query,
            strategy=None,
            runs=runs,
            seed=seed,
            seconds=timeout,
        )
    else:
        found = strategy(
            program,
            formula,
            settings=settings,
            labels=labels,
            exact=exact,
            max_states=max_states,
            max_memory=max_memory,
            jobs=jobs,
            timeout=timeout,
            progress=progress,
        )
    exploration, followed = found.answer.exploration, None if uniform else found.strategy
    query = found.answer.prop.formula
    return simulating.simulate(
        exploration.model,
        exploration.space,
        query,
        strategy=followed,
        runs=runs,
        seed=seed,
        seconds=timeout,
    )


def pareto(
    program: Subject,
    formulas: Formulas,
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Watcher | None = None,
) -> ParetoResult:
    """Compute which values of two or more objectives can be attained together, and by which
    strategies: ``volition pareto``.

    Raise :class:`InputError` for invalid input, and :class:`volition.EngineError` if the engine
    finds no answer or the time limit is reached.
    """
    given = load_subject(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    properties = parse_with_warnings(given.program, formulas, warnings)
    how = CheckSettings(exact=exact, limits=limits_of(max_states, max_memory, timeout, jobs))
    return replace(
        fronts.pareto(
            given.program, properties, space=given.space, settings=how, progress=progress
        ),
        warnings=(*given.space_warnings, *warnings.warnings),
    )


def mission(
    program: Subject,
    formula: PropertyLike,
    *,
    cost: str | None = None,
    budget: Fraction | float | None = None,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    exact: bool | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Watcher | None = None,
) -> MissionResult:
    """Compute the trade-off between success and cost if success is not certain: ``volition
    mission``.

    ``cost`` names the reward to use, if the program has several. With a ``budget``, the result
    includes the probability of success within it. Raise :class:`InputError` for invalid input, and
    :class:`volition.EngineError` if the engine finds no answer or the time limit is reached.
    """
    given = load_subject(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    prop = single_property(given.program, formula, warnings)
    how = CheckSettings(exact=exact, limits=limits_of(max_states, max_memory, timeout, jobs))
    begun = build_mission(
        given.program, prop, cost, space=given.space, settings=how, progress=progress
    )
    return replace(
        solve_mission(begun, None if budget is None else _exactly(budget)),
        warnings=(*given.space_warnings, *warnings.warnings),
    )


def _exactly(budget: Fraction | float) -> Fraction:
    """Return a budget as a fraction. A float is read as its decimal text: 0.1 is one tenth."""
    try:
        return Fraction(str(budget)) if isinstance(budget, float) else Fraction(budget)
    except (ValueError, TypeError):
        raise InputError(
            [Diagnostic("API011", f"'budget' cannot be {budget!r}", hint="give it a number")]
        ) from None
