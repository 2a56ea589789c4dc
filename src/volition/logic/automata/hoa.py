"""Automata in the Hanoi Omega-Automata format (HOA v1), to use another LTL translator or to pass
automata to other tools.

Babiak et al., "The Hanoi Omega-Automata Format" (CAV 2015), https://adl.github.io/hoaf/. This
module writes transition-based generalised Büchi or Streett acceptance.
:mod:`volition.logic.automata.hoa_reader` documents which automata can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volition.diagnostics import Diagnostic, InputError
from volition.logic.automata.automaton import Automaton, Cube, bits
from volition.logic.automata.hoa_reader import from_hoa
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula, Not, Proposition
from volition.logic.traversal import is_state_formula, map_children
from volition.subprocesses import run_subprocess

__all__ = ["external_translator", "from_hoa", "to_hoa"]


def to_hoa(automaton: Automaton, *, name: str | None = None) -> str:
    """Return the automaton as HOA text. The name of each proposition is the text of its formula."""
    clauses = [f"Inf({mark})" for mark in bits(automaton.inf_marks)]
    clauses += [
        " | ".join([f"Fin({when})", *(f"Inf({then})" for then in bits(thens))])
        for whens, thens in automaton.streett_pairs
        for when in bits(whens)
    ]
    acceptance = " & ".join(f"({clause})" if "|" in clause else clause for clause in clauses) or "t"
    lines = ["HOA: v1"]
    if name is not None:
        lines.append(f"name: {_quoted(name)}")
    lines += [
        f"States: {automaton.num_states}",
        *(f"Start: {state}" for state in automaton.initial),
    ]
    lines.append(
        " ".join(
            [
                f"AP: {len(automaton.propositions)}",
                *(_quoted(formula_text(each)) for each in automaton.propositions),
            ]
        )
    )
    if not automaton.streett_pairs:
        lines.append(
            f"acc-name: generalized-Buchi {automaton.num_marks}"
            if automaton.inf_marks
            else "acc-name: all"
        )
    lines += [
        f"Acceptance: {automaton.num_marks} {acceptance}",
        "properties: trans-labels explicit-labels trans-acc",
        "--BODY--",
    ]
    for state, outgoing in enumerate(automaton.edges):
        lines.append(f"State: {state}")
        for edge in outgoing:
            marks = f" {{{' '.join(map(str, bits(edge.marks)))}}}" if edge.marks else ""
            lines.append(f"[{_label(edge.guard)}] {edge.target}{marks}")
    return "\n".join([*lines, "--END--", ""])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _label(guard: Cube) -> str:
    return (
        " & ".join(
            [
                *(str(each) for each in bits(guard.positive)),
                *(f"!{each}" for each in bits(guard.negative)),
            ]
        )
        or "t"
    )


def external_translator(command: Sequence[str]) -> Callable[[Formula], Automaton]:
    """Return a function that translates a path formula by running an external command such as
    ``["ltl2tgba", "-H", "-f", "%f"]``. ``%f`` is replaced by the formula.

    In the formula that the command receives, state formulas are replaced by propositions ``p0``,
    ``p1``, ... The command must print an automaton in HOA format.
    """

    def translate(path: Formula) -> Automaton:
        names: dict[Formula, str] = {}

        def renamed(part: Formula) -> Formula:
            if isinstance(part, Not) or not is_state_formula(part):
                result: Formula = map_children(part, renamed)
                return result
            return Proposition(names.setdefault(part, f"p{len(names)}"))

        text = formula_text(renamed(path))
        program = [word.replace("%f", text) for word in command]
        try:
            done = run_subprocess(program)
        except OSError as error:
            raise InputError(
                [Diagnostic("LOG014", f"cannot run the LTL translator: {error}", path.span)]
            ) from None
        if done.returncode != 0:
            said = done.stderr.strip() or f"exit code {done.returncode}"
            raise InputError(
                [
                    Diagnostic(
                        "LOG014",
                        f"the formula {text} could not be translated to an automaton: {said}",
                        path.span,
                    )
                ]
            )
        return from_hoa(
            done.stdout, {name: formula for formula, name in names.items()}, name=program[0]
        )

    return translate
