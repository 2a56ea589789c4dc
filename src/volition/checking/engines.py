"""Selection of the engine that checks a formula: Volition's own algorithms, Storm, or an external
model checker such as Spin.

``auto`` checks qualitative formulas with Volition's own algorithms (``native``) and quantitative
ones with Storm (``storm``). External model checkers are in the registry :data:`ENGINES`. ``cross``
runs every engine that supports the formula and requires them to agree.
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
"""Names of the engines that work on the explored state space (``native`` and ``storm``), and of the
two modes that combine them (``auto`` and ``cross``)."""


class ExternalEngine(Protocol):
    """Interface of a model checker that reads a translation of the program instead of the explored
    state space."""

    @property
    def name(self) -> str:
        """Display name of the engine, such as ``Spin``."""

    def unsupported_reason(self, program: Program, formula: Formula) -> str | None:
        """Return why the engine cannot check this formula (unsupported language or logic, or not
        installed); None if it can."""

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:
        """Return the verdict on a formula. It is unknown if the engine does not reach a result, for
        example within ``seconds``."""


ENGINES: dict[str, str | Callable[[], ExternalEngine]] = {
    "spin": "volition.exporters.promela.engine:spin"
}
"""Registry of external engines by name: a function that creates the engine, or the text
``module:function`` from which to import this function.

Exporters are in a higher layer than checkers (``docs/explanation/architecture.md``). An engine that
needs an exporter is therefore registered as text and imported on first use.
"""


def register_engine(name: str, make: Callable[[], ExternalEngine]) -> None:
    """Register an external model checker: ``engine=name`` then selects it, and ``cross`` compares
    it with the other engines. ``make`` creates the engine.

    Raise :class:`ValueError` if the name is taken.
    """
    if name in BUILTIN_ENGINES or ENGINES.get(name, make) != make:
        raise ValueError(f"the engine '{name}' is already registered")
    ENGINES[name] = make


def external_engines() -> list[ExternalEngine]:
    """Return a new instance of each registered external engine."""
    return [_instantiate(each) for each in ENGINES.values()]


def external_engine(name: str, program: Program, formula: Formula) -> ExternalEngine:
    """Return the registered external engine with this name.

    Raise :class:`InputError` if there is no such engine, or if it does not support the formula.
    """
    if name not in ENGINES:
        hint = (
            did_you_mean(name, [*BUILTIN_ENGINES, *ENGINES])
            or f"expected one of {', '.join([*BUILTIN_ENGINES, *ENGINES])}"
        )
        raise InputError([Diagnostic("CHK096", f"unknown engine '{name}'", formula.span, hint)])
    engine = _instantiate(ENGINES[name])
    why_not = engine.unsupported_reason(program, formula)
    if why_not is not None:
        message = f"{name} cannot check '{as_typed(formula)}': {why_not}"
        raise InputError(
            [
                Diagnostic(
                    "CHK092", message, formula.span, "the engine 'auto' supports every formula"
                )
            ]
        )
    return engine


def _instantiate(engine: str | Callable[[], ExternalEngine]) -> ExternalEngine:
    if not isinstance(engine, str):
        return engine()
    module, _, name = engine.partition(":")
    made: ExternalEngine = getattr(importlib.import_module(module), name)()
    return made


def require_supported(settings: CheckSettings, formula: Formula) -> None:
    """Raise :class:`InputError` if the engine of the settings does not support the formula, or does
    not support it together with fairness or an assumption."""
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
        hint = "use the engine 'native'"
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
        # Inside a quantitative formula, the states that satisfy A [..] or E [..] are computed over
        # all runs. Fairness and assumptions would have no effect on them.
        message = (
            "fairness and assumptions are not supported in formulas that mix path "
            "quantifiers and probabilities"
        )
        raise InputError(
            [Diagnostic("CHK095", message, formula.span, "check the two parts separately")]
        )


# --- comparison of engines ------------------------------------------------------------------------


def cross_check(own: Verdict, others: Sequence[tuple[str, Verdict]]) -> Verdict:
    """Compare the verdicts of several engines on one formula. Return the native verdict ``own``
    with a note for each other engine: that it agrees, or why it has no verdict.

    Raise :class:`InputError` if an engine disagrees.
    """
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
        f"{name} has no result: {verdict.unknown}"
        for name, verdict in others
        if verdict.unknown is not None
    ]
    agreeing = [f"{name} agrees" for name, _ in known] if own.unknown is None else []
    alone = [] if others else ["no other engine supports this formula"]
    return own.with_notes(*agreeing, *silent, *alone)


def _describe(verdict: Verdict) -> str:
    return "holds" if verdict.holds else "is violated"
