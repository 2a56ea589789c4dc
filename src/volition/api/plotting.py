"""Pictures of results in files: ``--plot`` and ``--picture`` as a call."""

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
    """Draw a front, a sweep or a strategy into a file, whose suffix says what it becomes: ``.svg``,
    ``.png``, ``.pdf``.

    ``style`` says how a sweep over two parameters is drawn.  Raises :class:`InputError` where that
    cannot be done.
    """
    file = Path(path)
    if isinstance(result, ParetoResult):
        save_pareto_plot(result, file)
    elif isinstance(result, SweepResult):
        save_sweep_plot(result, file, style)
    elif isinstance(result, Synthesis):
        save_strategy_picture(result, file)
    else:
        hint = "fronts, sweeps and strategies have one"
        raise InputError(
            [
                Diagnostic(
                    "API012", f"there is no picture of {type(result).__name__} objects", hint=hint
                )
            ]
        )
