"""Who answers: our own graph algorithms, Storm, or another model checker; or all that can,
compared.

Left alone (``auto``), formulas about runs are answered by our own algorithms (``native``) and
numbers by Storm (``storm``).  Other model checkers stand in the registry :data:`ENGINES`; ``cross``
asks all that can answer, which must agree.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Protocol

from volition.checking.task import CheckSettings
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.languages.protocols import Program
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, PathQuantifier
from volition.logic.traversal import is_quantitative, subformulas

__all__ = [
    "BUILTIN_ENGINES",
    "ENGINES",
    "ExternalEngine",
    "cross_check",
    "external_engine",
    "external_engines",
    "register_engine",
    "require_supported",
]

BUILTIN_ENGINES = ("auto", "native", "storm", "cross")
"""The engines that work on the states that we explored, and the ways to combine them."""


class ExternalEngine(Protocol):
    """A model checker that reads the program itself, through a translation of it, and not the
    states that we explored."""

    @property
    def name(self) -> str:
        """Its name for people, such as ``Spin``."""

    def unsupported_reason(self, program: Program, formula: Formula) -> str | None:
        """Why it cannot answer this, in words (another language, another logic, not installed);
        None if it can."""

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:
        """Its answer; unknown where it did not come to one."""


ENGINES: dict[str, str | Callable[[], ExternalEngine]] = {
    "spin": "volition.exporters.promela.engine:spin"
}
"""Engines beyond our own by their names: a function that makes one, or where to import it from.

A translation of programs stands above all checkers (``docs/explanation/architecture.md``), so that
an engine that needs one is named here, and imported when it is first asked for.
"""


def register_engine(name: str, make: Callable[[], ExternalEngine]) -> None:
    """Makes another model checker known: ``engine=name`` asks it, and ``cross`` compares it with
    the others.

    Raises :class:`ValueError` where the name is taken.
    """
    if name in BUILTIN_ENGINES or ENGINES.get(name, make) != make:
        raise ValueError(f"there is an engine '{name}' already")
    ENGINES[name] = make


def external_engines() -> list[ExternalEngine]:
    """One of each registered engine."""
    return [_instantiate(each) for each in ENGINES.values()]


def external_engine(name: str, program: Program, formula: Formula) -> ExternalEngine:
    """The engine of that name; raises :class:`InputError` where it is not there or cannot
    answer."""
    if name not in ENGINES:
        hint = (
            did_you_mean(name, [*BUILTIN_ENGINES, *ENGINES])
            or f"expected one of {', '.join([*BUILTIN_ENGINES, *ENGINES])}"
        )
        raise InputError([Diagnostic("CHK096", f"there is no engine '{name}'", formula.span, hint)])
    engine = _instantiate(ENGINES[name])
    why_not = engine.unsupported_reason(program, formula)
    if why_not is not None:
        message = f"'{as_typed(formula)}' cannot be answered by {name}: {why_not}"
        raise InputError(
            [Diagnostic("CHK092", message, formula.span, "the engine 'auto' answers everything")]
        )
    return engine


def _instantiate(engine: str | Callable[[], ExternalEngine]) -> ExternalEngine:
    if not isinstance(engine, str):
        return engine()
    module, _, name = engine.partition(":")
    made: ExternalEngine = getattr(importlib.import_module(module), name)()
    return made


def require_supported(settings: CheckSettings, formula: Formula) -> None:
    """Raise :class:`InputError` where the engine cannot answer such a formula, or not on the runs
    that the settings restrict it to."""
    engine, restricted = settings.engine, settings.restricts_runs
    if engine == "native" and is_quantitative(formula):
        hint = "the engine 'storm' computes probabilities and rewards, and 'auto' chooses for you"
        raise InputError(
            [
                Diagnostic(
                    "CHK090",
                    f"the native engine cannot compute '{as_typed(formula)}'",
                    formula.span,
                    hint,
                )
            ]
        )
    if restricted and not is_quantitative(formula) and engine not in ("auto", "native", "cross"):
        hint = "the engine 'native' respects them"
        raise InputError(
            [
                Diagnostic(
                    "CHK091",
                    "fairness and assumptions are only supported by the native engine",
                    formula.span,
                    hint,
                )
            ]
        )
    if (
        restricted
        and is_quantitative(formula)
        and any(isinstance(part, PathQuantifier) for part in subformulas(formula))
    ):
        # The sets of states that A and E describe are found without the restriction where numbers
        # are asked for as well.
        message = (
            "fairness and assumptions are not supported in formulas that mix path "
            "quantifiers and probabilities"
        )
        raise InputError(
            [Diagnostic("CHK095", message, formula.span, "check the two parts separately")]
        )


# --- several at once ------------------------------------------------------------------------------


def cross_check(own: Verdict, others: Sequence[tuple[str, Verdict]]) -> Verdict:
    """Our own answer, with a note of who gave it too; raises :class:`InputError` where another
    engine disagrees."""
    known = [(name, verdict) for name, verdict in others if verdict.unknown is None]
    if own.unknown is None:
        wrong = [
            f"{name} says it {_describe(verdict)}"
            for name, verdict in known
            if verdict.holds != own.holds
        ]
        if wrong:
            message = (
                f"the engines disagree about '{as_typed(own.formula)}': native says it "
                f"{_describe(own)}, {', '.join(wrong)}"
            )
            raise InputError(
                [
                    Diagnostic(
                        "CHK093",
                        message,
                        own.formula.span,
                        "this is a bug: please report it together with the program",
                    )
                ]
            )
    silent = [
        f"{name} does not know: {verdict.unknown}"
        for name, verdict in others
        if verdict.unknown is not None
    ]
    agreeing = [f"{name} agrees" for name, _ in known] if own.unknown is None else []
    alone = [] if others else ["no other engine can answer this"]
    return own.with_notes(*agreeing, *silent, *alone)


def _describe(verdict: Verdict) -> str:
    return "holds" if verdict.holds else "is violated"
