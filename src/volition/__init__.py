"""Volition verifies agents that believe, desire and intend.

The whole road in four lines::

    import volition

    program = volition.load("examples/can/smart_manufacturing.can")
    report = volition.check(program, ["Pmax=? [ F Bel(success1) & Bel(success2) ]"])

Names are imported when they are first used, so that ``import volition`` costs nothing.  ``python -m volition`` begins here with the
current folder on the path: nothing is imported that is not there already, not even ``__future__``.
"""

import importlib

TYPE_CHECKING = False  # as in typing, which takes longer to import than all the rest of this file
if TYPE_CHECKING:
    from typing import Any

    from volition.checking.check import Report, check
    from volition.checking.strategy import Strategy
    from volition.checking.verdict import Run, Verdict
    from volition.diagnostics import Diagnostic, InputError, render
    from volition.kernel import Choice, Component, Limits, Reaction, StateSpace, Stop, System, explore
    from volition.languages import load
    from volition.languages.model import Model, Program
    from volition.logic import parse

__all__ = [
    "Choice", "Component", "Diagnostic", "InputError", "Limits", "Model", "Program", "Reaction", "Report", "Run", "StateSpace", "Stop",
    "Strategy", "System", "Verdict", "check", "explore", "load", "parse", "render",
]  # fmt: skip

_HOMES = {
    "volition.checking.check": ("Report", "check"),
    "volition.checking.strategy": ("Strategy",),
    "volition.checking.verdict": ("Run", "Verdict"),
    "volition.diagnostics": ("Diagnostic", "InputError", "render"),
    "volition.kernel": ("Choice", "Component", "Limits", "Reaction", "StateSpace", "Stop", "System", "explore"),
    "volition.languages": ("load",),
    "volition.languages.model": ("Model", "Program"),
    "volition.logic": ("parse",),
}


def __getattr__(name: str) -> "Any":
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'volition' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
