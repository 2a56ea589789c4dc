"""The same answers as Storm's, on systems without probabilities.

There a strategy is a run: ``E [path]`` holds if and only if the maximal probability of the path
formula is 1, and ``A [path]`` if and only if the minimal one is.  Nested, ``A [path]`` is ``P>=1
[path]`` (under all strategies) and ``E [path]`` is not ``P<=0 [path]``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import stormpy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.checking.small_systems import (
    NAMES,
    SmallSystem,
    ctl_formulas,
    ltl_formulas,
    small_systems,
)
from volition.logic.syntax import (
    And,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    PathQuantifier,
    Proposition,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

stormpy.developer.set_log_level(stormpy.developer.LogLevel.OFF)


def storm_model(system: SmallSystem) -> stormpy.models.SparseMdp:
    """The system as a PRISM program, built by Storm."""
    commands = "\n".join(
        f"[] s={state} -> (s'={target});"
        for state in range(len(system.edges))
        for target in system.successors(state)
    )
    labels = "\n".join(
        (
            f'label "{name}" = '
            f"{' | '.join(f's={state}' for state, held in enumerate(system.labels) if name in held) or 'false'};"  # noqa: E501
        )
        for name in NAMES
    )
    text = (
        f"mdp\nmodule m\ns : [0..{max(1, len(system.edges) - 1)}] init "
        f"0;\n{commands}\nendmodule\n{labels}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.prism"
        path.write_text(text)
        program = stormpy.parse_prism_program(path)
    options = stormpy.BuilderOptions(build_full=True)
    return stormpy.build_model(program, options=options)


def storm_text(formula: Formula) -> str:
    """The formula in Storm's language, with only the operators that it shares with ours."""
    match formula:
        case Proposition():
            return f'"{formula.name}"'
        case Not():
            return f"!({storm_text(formula.operand)})"
        case And() | Or():
            return (
                f"({storm_text(formula.left)} {'&' if isinstance(formula, And) else '|'} "
                f"{storm_text(formula.right)})"
            )
        case Implies():
            return storm_text(Or(Not(formula.left), formula.right))
        case Iff():
            return storm_text(
                Or(And(formula.left, formula.right), And(Not(formula.left), Not(formula.right)))
            )
        case Next():
            return f"(X {storm_text(formula.operand)})"
        case Finally():
            return f"(F{storm_bound(formula.bound)} {storm_text(formula.operand)})"
        case Globally():
            return storm_text(Not(Finally(Not(formula.operand), formula.bound)))
        case Until():
            return (
                f"({storm_text(formula.left)} U{storm_bound(formula.bound)} "
                f"{storm_text(formula.right)})"
            )
        case Release():
            return storm_text(Not(Until(Not(formula.left), Not(formula.right), formula.bound)))
        case WeakUntil():
            left, right = formula.left, formula.right
            return storm_text(
                Not(Until(And(left, Not(right)), And(Not(left), Not(right)), formula.bound))
            )
        case PathQuantifier():
            return storm_quantified(formula)
        case _:
            raise TypeError(formula)


def storm_bound(bound: StepBound | None) -> str:
    if bound is None:
        return ""
    return f"[{bound.lower},{bound.upper}]" if bound.upper is not None else f">={bound.lower}"


def storm_quantified(formula: PathQuantifier) -> str:
    """Storm has no negated path formulas below P: the dual quantifier takes the negation away."""
    path = storm_text(formula.path)
    every = formula.quantifier == "A"
    if path.startswith("!"):
        return f"(P<=0 [{path[1:]}])" if every else f"!(P>=1 [{path[1:]}])"
    return f"(P>=1 [{path}])" if every else f"!(P<=0 [{path}])"


@settings(max_examples=40, deadline=None)
@given(small_systems(states=5), st.lists(ltl_formulas(bounded=False), min_size=3, max_size=3))
def test_ltl_against_extreme_probabilities(system: SmallSystem, formulas: list[Formula]) -> None:
    model, space = storm_model(system), system.explored()
    for path in formulas:
        for quantifier, extreme in (("A", "min"), ("E", "max")):
            prop = stormpy.parse_property(f"P{extreme}=? [{storm_text(path)}]")
            probability = stormpy.model_checking(model, prop).get_value(model.initial_states[0])
            ours = on_graph(system, space, PathQuantifier(quantifier, path))  # type: ignore[arg-type]
            assert ours.holds == (probability > 0.5)


@settings(max_examples=60, deadline=None)
@given(small_systems(states=6), st.lists(ctl_formulas(bounded=False), min_size=3, max_size=3))
def test_ctl_against_nested_certainty(system: SmallSystem, formulas: list[Formula]) -> None:
    model, space = storm_model(system), system.explored()
    for formula in formulas:
        prop = stormpy.parse_property(storm_text(formula))
        theirs = (
            stormpy.model_checking(model, prop)
            .get_truth_values_vector()
            .get(model.initial_states[0])
        )
        assert on_graph(system, space, formula).holds == theirs
