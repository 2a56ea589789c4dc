"""The function ``slice``: the part of a program that is relevant to formulas."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from volition.api.inputs import Settings, Subject, as_program
from volition.api.property_input import Formulas, properties_to_check
from volition.checking.graph.propositions import DEADLOCK, resolve_atoms
from volition.checking.properties import parse_properties
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay
from volition.languages.common.dependencies import SliceableProgram
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.protocols import Program
from volition.logic import expand_agents, modal_atoms
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula
from volition.logic.traversal import atomic_formulas
from volition.slicing.conjunctions import conjuncts
from volition.slicing.drawing import dot_of, svg_of
from volition.slicing.gwendolen.guarded_actions import GuardedAction, guarded_action
from volition.slicing.gwendolen.printing import explanation, summary, text_of_slice
from volition.slicing.gwendolen.slice import Method, SlicedProgram, slice_program
from volition.slicing.slice_key import slice_key
from volition.slicing.text_slice import TextSlice, slice_program_text

__all__ = [
    "PICTURES",
    "Slice",
    "SliceResult",
    "Slices",
    "require_known_names",
    "require_plottable",
    "slice",
    "sliced_for",
]

Slice = SlicedProgram | TextSlice
"""Slice of a program, made by the slicer of its language."""


@dataclass(frozen=True, slots=True, repr=False)
class SliceResult(HtmlDisplay):
    """Part of a program that is relevant to formulas. If the method may change a verdict,
    ``warnings`` say why."""

    sliced: Slice
    proved_by_guards: tuple[GuardedAction, ...] = ()
    """Conjuncts of the formulas that hold by the guards of plans, without exploration."""
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def program(self) -> Program:
        """Slice as a program, which can be checked; the remaining parts keep their line numbers."""
        return self.sliced.program

    @property
    def method(self) -> Method:
        """Slicing method."""
        return self.sliced.method if isinstance(self.sliced, SlicedProgram) else "sound"

    @property
    def text(self) -> str:
        """Slice as a file, with the removed parts as comments; the files of a project follow each
        other."""
        return (
            text_of_slice(self.sliced)
            if isinstance(self.sliced, SlicedProgram)
            else self.sliced.text
        )

    @property
    def texts(self) -> Mapping[str, str]:
        """Files of the slice by name."""
        return {"": self.text} if isinstance(self.sliced, SlicedProgram) else self.sliced.texts

    @property
    def explanation(self) -> tuple[str, ...]:
        """Reason for each plan and step: the dependency path to the property if it is kept, or why
        it is irrelevant."""
        return tuple(
            explanation(self.sliced)
            if isinstance(self.sliced, SlicedProgram)
            else self.sliced.explanation()
        )

    def draw(self, suffix: str = ".svg") -> str:
        """Return a picture of the dependency graph with the slice: ``.svg``, or ``.dot`` for
        Graphviz."""
        if suffix not in PICTURES:
            require_plottable(Path(f"picture{suffix}"))
        query = "; ".join(map(formula_text, self.sliced.formulas))
        return PICTURES[suffix](self.sliced.graph, self.sliced.status, f"{query}: {self.summary()}")

    def summary(self) -> str:
        """Return in one line how much was removed."""
        return (
            summary(self.sliced)
            if isinstance(self.sliced, SlicedProgram)
            else self.sliced.summary()
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<SliceResult: {self.summary()}>"


PICTURES = {".svg": svg_of, ".dot": dot_of}


def require_plottable(path: Path | None) -> None:
    """Raise :class:`InputError` if pictures cannot be written in the format of this file name."""
    if path is not None and path.suffix not in PICTURES:
        raise InputError(
            [
                Diagnostic(
                    "SLC008",
                    f"unsupported picture format '{path.name}'",
                    hint="use a file name ending in .svg or .dot",
                )
            ]
        )


def slice(
    program: Subject,
    formulas: Formulas | None = None,
    *,
    settings: Settings | None = None,
    props: str | os.PathLike[str] | None = None,
    method: Method = "sound",
) -> SliceResult:
    """Return the part of a program that is relevant to formulas: ``volition slice``.

    The formulas are ``formulas`` and those of the property file ``props``, by default the
    properties of the program. The method ``sound`` preserves every verdict. ``bordini`` and
    ``winikoff`` are the methods of Bordini et al. and of Winikoff et al. for Gwendolen; they may
    change a verdict, and then report by which pattern. Raise :class:`InputError` if the language or
    a formula does not support slicing.
    """
    if method not in get_args(Method):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"method cannot be {method!r}",
                    hint=f"it is {', '.join(get_args(Method))}",
                )
            ]
        )
    whole = as_program(program, settings=settings)
    warnings = Diagnostics()
    queries = [
        each.formula
        for each in parse_properties(
            properties_to_check(whole, formulas, warnings, props=props), warnings
        )
    ]
    require_known_names(whole, queries)
    guarded: tuple[GuardedAction, ...] = ()
    if isinstance(whole, GwendolenProgram):
        parts = [part for formula in queries for part in conjuncts(formula)]
        guarded = tuple(
            found for part in parts if (found := guarded_action(whole, part)) is not None
        )
    sliced = sliced_for(whole, queries, method)
    return SliceResult(sliced, guarded, (*warnings.warnings, *sliced.warnings))


def require_known_names(program: Program, formulas: Sequence[Formula]) -> None:
    """Raise :class:`InputError` with all names in the formulas that the program does not know. A
    slice, or an answer by guards, may not detect them."""
    agents = program.model().agents
    errors = Diagnostics()
    for formula in (expand_agents(each, agents) for each in formulas):
        try:
            resolve_atoms(program.model(modal_atoms(formula)), formula)
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()


class Slices:
    """Cache of the sound slices of a program. Formulas with the same observations share a slice."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._agents = program.model().agents
        self._made: dict[Hashable, Slice] = {}

    def slice_for(self, formulas: Sequence[Formula]) -> Slice:
        """Return the slice for formulas; raise :class:`InputError` if there is none."""
        query = slice_key([expand_agents(each, self._agents) for each in formulas])
        if query not in self._made:
            self._made[query] = sliced_for(self._program, formulas)
        return self._made[query]


def sliced_for(program: Program, formulas: Sequence[Formula], method: Method = "sound") -> Slice:
    """Return the slice for formulas; raise :class:`InputError` if there is none."""
    _refuse_deadlock(program, formulas)
    if isinstance(program, GwendolenProgram):
        return slice_program(program, formulas, method)
    if method != "sound":
        hint = "use the method 'sound', which works for every language"
        raise InputError(
            [
                Diagnostic(
                    "SLC007",
                    f"the method '{method}' is for Gwendolen and EASS, not for {program.language}",
                    hint=hint,
                )
            ]
        )
    if not isinstance(program, SliceableProgram):
        hint = "its language provides no dependency graph: see docs/explanation/slicing.md"
        raise InputError(
            [Diagnostic("SLC004", f"{program.language} programs cannot be sliced", hint=hint)]
        )
    return slice_program_text(program, formulas)


def _refuse_deadlock(program: Program, formulas: Sequence[Formula]) -> None:
    """Raise InputError if a formula uses ``deadlock``, unless the program defines an atom of that
    name. A slice may deadlock while the removed parts can still move."""
    asking = next(
        (atom for formula in formulas for atom in atomic_formulas(formula) if atom == DEADLOCK),
        None,
    )
    if asking is None:
        return
    try:
        program.model().resolve(asking)
    except InputError:
        message = (
            'slicing does not support "deadlock": a slice may deadlock where the program does not'
        )
        raise InputError(
            [Diagnostic("SLC009", message, asking.span, "check the whole program")]
        ) from None
