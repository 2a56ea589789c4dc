"""The function ``save_plot``, which writes pictures of results to files, like the option
``--plot``."""

from __future__ import annotations

import os
from pathlib import Path

from volition.analysis.sweeps.plots import PlotStyle, save_sweep_plot
from volition.analysis.sweeps.result import SweepResult
from volition.analysis.synthesis.synthesise import Synthesis
from volition.analysis.synthesis.tree_plot import save_strategy_picture
from volition.analysis.tradeoffs.pareto import ParetoResult
from volition.analysis.tradeoffs.plots import save_pareto_plot
from volition.diagnostics import Diagnostic, InputError

__all__ = ["save_plot"]


def save_plot(
    result: ParetoResult | SweepResult | Synthesis,
    path: str | os.PathLike[str],
    *,
    style: PlotStyle | None = None,
) -> None:
    """Draw a Pareto front, a sweep or a strategy into a file, in the format of its suffix:
    ``.svg``, ``.png``, ``.pdf``.

    ``style`` selects how a sweep over two parameters is drawn. Raise :class:`InputError` if the
    result cannot be drawn.
    """
    file = Path(path)
    if isinstance(result, ParetoResult):
        save_pareto_plot(result, file)
    elif isinstance(result, SweepResult):
        save_sweep_plot(result, file, style)
    elif isinstance(result, Synthesis):
        save_strategy_picture(result, file)
    else:
        hint = "Pareto fronts, sweeps and strategies can be drawn"
        raise InputError(
            [Diagnostic("API012", f"{type(result).__name__} objects cannot be drawn", hint=hint)]
        )
