"""The function ``export``: programs and state spaces as input for other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from volition.api.custom_systems import Label
from volition.api.inputs import LoadedSubject, Settings, Subject, limits_of, load_subject
from volition.api.property_input import PropertyLike
from volition.checking.explored_model import explore_for, rebuild_model
from volition.checking.properties import parse_properties
from volition.checking.storm.archive import umb_archive
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay
from volition.exporters.dot import to_dot
from volition.exporters.targets import translate, translate_with_properties
from volition.kernel import ExplorationStop, Limits, Progress, explore
from volition.logic.automata.hoa import to_hoa
from volition.logic.automata.translation import translate as to_automaton
from volition.logic.printing import as_typed, formula_text
from volition.logic.syntax import Formula, PathQuantifier
from volition.logic.traversal import is_ltl

__all__ = ["ExportResult", "Target", "export"]

Target = Literal["prism", "promela", "dot", "umb", "hoa"]

MAX_DRAWN = 1000
"""Default maximum number of states in an exported drawing of a state space; a larger drawing is not
readable."""


@dataclass(frozen=True, slots=True, repr=False)
class ExportResult(HtmlDisplay):
    """Input for another tool that was made from a program: text, or the bytes of an archive; and
    the translated formulas, if the tool reads them from a separate file.

    ``states`` and ``stopped`` describe the exploration, if there was one. ``warnings`` say what was
    left out of the export and why.
    """

    target: Target
    model: str | bytes
    properties: str | None = None
    states: int | None = None
    stopped: ExplorationStop | None = None
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the export contains all states."""
        return self.stopped is None

    def summary(self) -> str:
        """Return one line with the name of the format and the size of the export."""
        return (
            f"Exported to {self.target}: {len(self.model):,} "
            f"{'characters' if isinstance(self.model, str) else 'bytes'}"
        )

    def __str__(self) -> str:
        return self.model if isinstance(self.model, str) else repr(self)

    def __repr__(self) -> str:
        return f"<{self.summary()}>"


def export(
    program: Subject,
    to: Target,
    formulas: PropertyLike
    | Mapping[str, PropertyLike]
    | list[PropertyLike]
    | tuple[PropertyLike, ...] = (),
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ExportResult:
    """Return a program as input for another tool: ``volition export``.

    ``to`` is the format. ``prism`` and ``promela`` translate the program, together with
    ``formulas`` or, by default, its own properties. ``dot`` and ``umb`` write its state space; for
    ``umb``, formulas name sets of states. ``hoa`` writes the automata of the formulas. The keys of
    a mapping name its formulas; otherwise they are named ``p1``, ``p2``, ...
    """
    given = load_subject(program, settings=settings, labels=labels)
    exported = given.program
    warnings = Diagnostics()
    named = {name: _formula(each, warnings) for name, each in _named(formulas).items()}
    limits = limits_of(max_states, max_memory, timeout, jobs)
    match to:
        case "umb":
            found = _archive(given, named, limits, progress)
        case "dot":
            found = _graph(given, named, limits, progress)
        case "hoa":
            found = ExportResult("hoa", _automata(named))
        case "prism" | "promela":
            translation, left_out = (
                (translate(exported, to, named), [])
                if named
                else translate_with_properties(exported, to)
            )
            found = ExportResult(
                to, translation.model, translation.properties, warnings=tuple(left_out)
            )
        case _:
            hint = "use prism, promela, dot, umb or hoa"
            raise InputError([Diagnostic("API007", f"unknown export format '{to}'", hint=hint)])
    return replace(found, warnings=(*warnings.warnings, *found.warnings))


def _named(
    formulas: PropertyLike
    | Mapping[str, PropertyLike]
    | list[PropertyLike]
    | tuple[PropertyLike, ...],
) -> Mapping[str, PropertyLike]:
    if isinstance(formulas, Mapping):
        return formulas
    several = list(formulas) if isinstance(formulas, list | tuple) else [formulas]
    return {f"p{number}": each for number, each in enumerate(several, start=1)}


def _formula(given: PropertyLike, warnings: Diagnostics) -> Formula:
    (prop,) = parse_properties([given], warnings)
    return prop.formula


def _graph(
    given: LoadedSubject,
    named: Mapping[str, Formula],
    limits: Limits,
    progress: Callable[[Progress], None] | None,
) -> ExportResult:
    if named:
        raise InputError(
            [
                Diagnostic(
                    "CLI013", "a state graph cannot contain formulas", hint="leave the formulas out"
                )
            ]
        )
    maximum = limits.states or MAX_DRAWN
    if given.space is None:
        model = given.program.model()
        space = explore(model.system, limits=replace(limits, states=maximum), progress=progress)
    else:
        model, space = rebuild_model(given.space), given.space
        if space.num_states > maximum:
            hint = "export the program instead, to draw a part of it, or allow more states"
            raise InputError(
                [
                    Diagnostic(
                        "EXP013",
                        f"a graph of {space.num_states:,} states is too large to be drawn",
                        hint=hint,
                    )
                ]
            )
    return ExportResult("dot", to_dot(space, model), states=space.num_states, stopped=space.stopped)


def _archive(
    given: LoadedSubject,
    named: Mapping[str, Formula],
    limits: Limits,
    progress: Callable[[Progress], None] | None,
) -> ExportResult:
    exploration, sets = explore_for(
        given.program, named.values(), space=given.space, limits=limits, progress=progress
    )
    space = exploration.space
    archive = umb_archive(exploration.model, space, dict(zip(named, sets, strict=True)))
    return ExportResult("umb", archive, states=space.num_states, stopped=space.stopped)


def _automata(named: Mapping[str, Formula]) -> str:
    if not named:
        raise InputError(
            [
                Diagnostic(
                    "CLI008", "no formula given to translate into an automaton", hint="give one"
                )
            ]
        )
    paths = [
        formula.path if isinstance(formula, PathQuantifier) else formula
        for formula in named.values()
    ]
    others = [path for path in paths if not is_ltl(path)]
    if others:
        raise InputError(
            [
                Diagnostic("CLI010", f"'{as_typed(path)}' is not an LTL formula", path.span)
                for path in others
            ]
        )
    return "".join(to_hoa(to_automaton(path), name=formula_text(path)) for path in paths)
