"""The function ``simulate``: statistical model checking by random runs."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import get_args

from volition.analysis.smc import simulate as sampling
from volition.analysis.smc.estimate import Estimate
from volition.analysis.smc.run_pool import Progress
from volition.analysis.smc.simulate import Scheduling, SimulationSettings
from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, as_program, seconds, whole_number
from volition.api.property_input import PropertyLike, single_property
from volition.checking.properties import parse_properties
from volition.diagnostics import Diagnostic, Diagnostics, InputError

__all__ = ["simulate"]


def simulate(
    program: Subject,
    formula: PropertyLike,
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    confidence: float = 0.99,
    error: float = 0.01,
    runs: int | None = None,
    max_steps: int = 10_000,
    seed: int = 1,
    scheduler: Scheduling = "search",
    num_schedulers: int = 256,
    jobs: int | None = None,
    cluster: str | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate the value of a formula by random runs, without exploring the state space: ``volition
    simulate``.

    By default, the number of runs follows from ``confidence`` and from the ``error``, which is
    absolute for a probability and relative for a reward; ``runs`` sets the number directly. Each
    run has at most ``max_steps`` steps. If a state has several choices, ``scheduler`` resolves
    them: ``search`` uses the best of ``num_schedulers`` candidates, ``uniform`` draws each choice
    with equal probability. The runs are computed by ``jobs`` processes, by default one per core, or
    by the workers of the Dask scheduler at ``cluster``; the estimate does not depend on this. After
    Ctrl-C or ``timeout`` seconds, the estimate is based on the runs that are complete.
    """
    if scheduler not in get_args(Scheduling):
        hint = f"use {' or '.join(get_args(Scheduling))}"
        raise InputError([Diagnostic("API011", f"'scheduler' cannot be {scheduler!r}", hint=hint)])
    effort = SimulationSettings(
        confidence=_share("confidence", confidence, 1.0),
        error=_share("error", error, 0.5),
        runs=None if runs is None else whole_number("runs", runs, minimum=1),
        max_steps=whole_number("max_steps", max_steps, minimum=1),
        seed=whole_number("seed", seed),
        scheduler=scheduler,
        num_schedulers=whole_number("num_schedulers", num_schedulers, minimum=1),
        jobs=None if jobs is None else whole_number("jobs", jobs, minimum=1),
        cluster=cluster,
        seconds=None if timeout is None else seconds("timeout", timeout),
    )
    loaded = as_program(program, settings=settings, labels=labels)
    (prop,) = parse_properties([single_property(loaded, formula, Diagnostics())], Diagnostics())
    return sampling.estimate(loaded, prop, effort, progress=progress)


def _share(option: str, given: float, maximum: float) -> float:
    """Return the value of an option that must be above 0 and below ``maximum``; raise
    :class:`InputError` otherwise."""
    if not isinstance(given, Real) or isinstance(given, bool) or not 0 < given < maximum:
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'{option}' cannot be {given!r}",
                    hint=f"give it a number between 0 and {maximum:g}",
                )
            ]
        )
    return float(given)
