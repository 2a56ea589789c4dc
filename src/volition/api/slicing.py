"""The function ``slice``, which returns the part of a program that is relevant to formulas."""

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
"""Slice of a program, as the slicer of its language returns it."""


@dataclass(frozen=True, slots=True, repr=False)
class SliceResult(HtmlDisplay):
    """Slice: the part of a program that is relevant to formulas. If the slicing method may change a
    verdict, ``warnings`` say why."""

    sliced: Slice
    proved_by_guards: tuple[GuardedAction, ...] = ()
    """Conjuncts of the formulas that follow from the guards of plans, without exploration."""
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def program(self) -> Program:
        """Slice as a program, which can be checked; the kept parts have their original line
        numbers."""
        return self.sliced.program

    @property
    def method(self) -> Method:
        """Slicing method that was used: ``sound``, ``bordini`` or ``winikoff``."""
        return self.sliced.method if isinstance(self.sliced, SlicedProgram) else "sound"

    @property
    def text(self) -> str:
        """Source text of the slice, in which the removed parts are comments; if the program has
        several files, their texts are concatenated."""
        return (
            text_of_slice(self.sliced)
            if isinstance(self.sliced, SlicedProgram)
            else self.sliced.text
        )

    @property
    def texts(self) -> Mapping[str, str]:
        """Source text of each file of the slice, by file name; a Gwendolen slice has one text with
        the name ``""``."""
        return {"": self.text} if isinstance(self.sliced, SlicedProgram) else self.sliced.texts

    @property
    def explanation(self) -> tuple[str, ...]:
        """Lines of text that say for each plan and step why it is kept (its dependency path to the
        property) or why it is irrelevant."""
        return tuple(
            explanation(self.sliced)
            if isinstance(self.sliced, SlicedProgram)
            else self.sliced.explanation()
        )

    def draw(self, suffix: str = ".svg") -> str:
        """Return a picture of the dependency graph in which the slice is marked, as SVG (``.svg``)
        or as input for Graphviz (``.dot``)."""
        if suffix not in PICTURES:
            require_plottable(Path(f"picture{suffix}"))
        query = "; ".join(map(formula_text, self.sliced.formulas))
        return PICTURES[suffix](self.sliced.graph, self.sliced.status, f"{query}: {self.summary()}")

    def summary(self) -> str:
        """Return one line that says how much of the program was removed."""
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
    """Raise :class:`InputError` if a picture of a slice cannot be written in the format that the
    suffix of this file name requires."""
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
    ``winikoff`` are the methods of Bordini et al. and of Winikoff et al. for Gwendolen. These two
    may change a verdict; if they may for this program, a warning names the code pattern that causes
    it. Raise :class:`InputError` if the language or a formula does not support slicing.
    """
    if method not in get_args(Method):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'method' cannot be {method!r}",
                    hint=f"use {', '.join(get_args(Method))}",
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
    """Raise :class:`InputError` with all names in the formulas that the program does not define.
    This is checked on the whole program, because a slice, or a proof by guards, may not detect such
    a name."""
    agents = program.model().agents
    errors = Diagnostics()
    for formula in (expand_agents(each, agents) for each in formulas):
        try:
            resolve_atoms(program.model(modal_atoms(formula)), formula)
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()


class Slices:
    """Cache of the sound slices of one program. Formulas that observe the same things share a
    slice."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._agents = program.model().agents
        self._made: dict[Hashable, Slice] = {}

    def slice_for(self, formulas: Sequence[Formula]) -> Slice:
        """Return the sound slice of the program for these formulas, from the cache if possible;
        raise :class:`InputError` if the program cannot be sliced for them."""
        query = slice_key([expand_agents(each, self._agents) for each in formulas])
        if query not in self._made:
            self._made[query] = sliced_for(self._program, formulas)
        return self._made[query]


def sliced_for(program: Program, formulas: Sequence[Formula], method: Method = "sound") -> Slice:
    """Return the slice of a program for these formulas, made by the given slicing method; raise
    :class:`InputError` if the program cannot be sliced for them."""
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
