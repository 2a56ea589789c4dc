"""Parameter sweeps: the values of formulas for all combinations of parameter values, with as few
explorations as possible.

Archibald et al., Sect. 4.2 ("Action Outcome Analysis"), vary the failure probabilities of two
actions and plot two values over them. The program has the same transitions at all 121 points, only
with other probabilities. A sweep explores it once for all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from volition.analysis.sweeps.experiment import Experiment, PointBatch, compute, open_experiment
from volition.analysis.sweeps.grid import Axis, Grid, Point, point_text, points, read_grid
from volition.analysis.sweeps.result import SweepResult, SweepRow, Value
from volition.analysis.worker_pools import available_cores, dask_pool, local_worker, process_pool
from volition.checking.properties import Property, PropertyLike, parse_properties
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel.weights import ParameterValueNeeded
from volition.languages.protocols import ParametricProgram, Program

__all__ = ["Progress", "as_parametric", "axes_of", "sweep", "values_at"]

Progress = Callable[[int, int], None]
"""Callback that receives the number of computed points and the total number of points."""

PORTIONS_PER_WORKER = 8
"""Number of batches of points per worker. More batches balance the load better; fewer cost less
communication."""


def sweep(
    program: Program,
    grid: Sequence[str] | Grid,
    formulas: Iterable[PropertyLike],
    *,
    processes: int | None = None,
    cluster: str | None = None,
    settings: CheckSettings | None = None,
    progress: Progress | None = None,
) -> SweepResult:
    """Compute the value of each formula at each point of a grid of parameter values. The grid may
    be given as texts such as ``pc=0:1:0.1``.

    ``processes`` is the number of parallel processes, by default one per core. ``cluster`` is the
    address of a Dask scheduler whose workers compute instead. The time limit in the settings is for
    the whole sweep. At the time limit and on Ctrl-C, missing values are marked as such. Raise
    :class:`InputError` if a point is invalid, such as a probability above 1.
    """
    start = time.perf_counter()
    parametric = as_parametric(program)
    axes = axes_of(parametric, grid)
    properties = parse_properties(formulas, Diagnostics())
    if not properties:
        raise InputError([Diagnostic("CHK073", "no property given", hint="give one")])
    requested = points(axes)
    experiment = open_experiment(
        parametric, [each.formula for each in properties], requested[0], settings
    )
    while True:
        try:
            done, explorations = values_at(
                experiment, requested, processes=processes, cluster=cluster, progress=progress
            )
            break
        except ParameterValueNeeded as needed:  # at this point, another parameter must be fixed too
            experiment = experiment.with_fixed(needed.parameters)
    return SweepResult(
        axes=axes,
        formulas=tuple(prop.text for prop in properties),
        rows=tuple(
            SweepRow(point, tuple(value for value, _ in done[number]))
            for number, point in enumerate(requested)
        ),
        explorations=experiment.explorations + explorations,
        graph_parameters=tuple(
            axis.name for axis in axes if axis.name not in experiment.open_parameters
        ),
        seconds=time.perf_counter() - start,
        problems=tuple(_problems(requested, properties, done)),
    )


def as_parametric(program: Program) -> ParametricProgram:
    """Return the program unchanged; raise :class:`InputError` if its language has no parameters."""
    if not isinstance(program, ParametricProgram):
        message = f"{program.language} programs have no parameters to vary"
        raise InputError([Diagnostic("CHK077", message, hint="check the program as it is")])
    return program


def axes_of(program: ParametricProgram, grid: Sequence[str] | Grid) -> tuple[Axis, ...]:
    """Return the axes of a grid. An axis is a varied parameter with its values. Texts such as
    ``pc=0:1:0.1`` are parsed."""
    texts = [each for each in grid if isinstance(each, str)]
    return (
        read_grid(texts, program.parameters)
        if texts
        else tuple(axis for axis in grid if isinstance(axis, Axis))
    )


Found = dict[int, Sequence[tuple[Value, str | None]]]


def values_at(
    experiment: Experiment,
    requested: Sequence[Point],
    *,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> tuple[Found, int]:
    """Return the values of all formulas at the requested points (combinations of parameter values),
    and the number of explorations in other processes. The values are in a mapping whose key is the
    index of the point."""
    at_once = processes or available_cores()
    portions = list(_portions(experiment, requested, at_once))
    here = experiment.explorations
    if cluster is not None:
        workers = dask_pool(compute, experiment, cluster)
    elif at_once > 1 and len(portions) > 1:
        workers = process_pool(compute, experiment, at_once)
    else:
        workers = local_worker(compute, experiment)
        portions = [PointBatch([each]) for portion in portions for each in portion.points]
    done: Found = {}
    explorations = 0
    try:
        with workers as computed:
            for portion in computed(portions):
                done |= {
                    number: values
                    for (number, _), values in zip(portion.points, portion.values, strict=True)
                }
                explorations += portion.explorations
                if progress is not None:
                    progress(len(done), len(requested))
    except KeyboardInterrupt:  # keep the finished points and mark the others as missing
        missing = [(None, "interrupted by Ctrl-C before this point was computed")] * len(
            experiment.formulas
        )
        done |= {number: missing for number in range(len(requested)) if number not in done}
    return done, explorations - (experiment.explorations - here)


def _portions(
    experiment: Experiment, requested: Sequence[Point], workers: int
) -> Iterator[PointBatch]:
    """Yield the points of a sweep in batches. All points of a batch have the same values of the
    parameters that are not symbolic, so they need only one exploration. Batches are small enough to
    keep all workers busy."""
    size = max(1, len(requested) // (workers * PORTIONS_PER_WORKER))
    groups: dict[tuple[object, ...], list[tuple[int, Point]]] = {}
    for number, point in enumerate(requested):
        groups.setdefault(tuple(experiment.fixed_part(point).values()), []).append((number, point))
    for group in groups.values():
        for first in range(0, len(group), size):
            yield PointBatch(group[first : first + size])


def _problems(
    requested: Sequence[Point], properties: Sequence[Property], done: Found
) -> Iterator[str]:
    for number, point in enumerate(requested):
        for prop, (_, unknown) in zip(properties, done[number], strict=True):
            if unknown is not None:
                yield f"{prop.text} for {point_text(point)}: {unknown}"
