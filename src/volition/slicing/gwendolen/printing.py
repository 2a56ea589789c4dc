"""Text of a Gwendolen slice, as a program that can be parsed, with the removed parts as comments."""

from __future__ import annotations

from collections.abc import Iterator

from volition.languages.gwendolen.printing import (
    text_of_deed,
    text_of_plan,
    text_of_rule,
    text_of_term,
)
from volition.languages.gwendolen.syntax import AgentProgram
from volition.logic.printing import formula_text
from volition.slicing.gwendolen.decisions import AgentSlice, PlanDecision
from volition.slicing.gwendolen.slice import SlicedProgram

__all__ = ["explanation", "text_of_slice"]


def text_of_slice(sliced: SlicedProgram) -> str:
    """Return the text of a slice as the content of one file: its agents one after the other."""
    properties = "; ".join(map(formula_text, sliced.formulas))
    lines = [
        f"// The part that matters to {properties}",
        f"// by the method '{sliced.method}': {summary(sliced)}.",
    ]
    lines += [f"// {each.message}" for each in sliced.warnings]
    for fate in sliced.fates.values():
        lines += ["", *_agent(fate, sliced)]
    return "\n".join(lines) + "\n"


def summary(sliced: SlicedProgram) -> str:
    """Return a sentence for users that says how much of the program was removed."""
    plans, deeds = sliced.removed_plans, sliced.removed_writes
    of_others = (
        f"{deeds} {'step' if deeds == 1 else 'steps'} of other plans"
        if deeds
        else "no step of other plans"
    )
    return f"{plans} of {sliced.plans} plans and {of_others} were removed"


def _agent(fate: AgentSlice, sliced: SlicedProgram) -> Iterator[str]:
    agent = fate.program
    yield "EASS" if agent.cycle == "eass" else "GWENDOLEN"
    yield f":abstraction: {agent.abstracts}" if agent.abstracts else f":name: {agent.name}"
    yield from ("", ":Initial Beliefs:", *(text_of_term(atom) for atom, _ in agent.beliefs))
    if agent.rules:
        yield from ("", ":Reasoning Rules:", *(f"{text_of_rule(rule)};" for rule in agent.rules))
    yield from (
        "",
        ":Initial Goals:",
        *(f"{text_of_term(goal.atom)} [{goal.type}]" for goal, _ in agent.goals),
    )
    yield from _capabilities(agent)
    yield from ("", ":Plans:")
    for each in fate.plans:
        yield from _plan(each, sliced)


def _capabilities(agent: AgentProgram) -> Iterator[str]:
    if agent.capabilities:
        yield from ("", ":Capabilities:")
    for each in agent.capabilities:
        before, after = (", ".join(map(text_of_term, terms)) for terms in (each.before, each.after))
        yield f"{{{before}}} {text_of_term(each.name)} {{{after}}}"


def _plan(fate: PlanDecision, sliced: SlicedProgram) -> Iterator[str]:
    if not fate.kept:
        yield f"// removed: {text_of_plan(fate.plan)}"
        return
    gone = [text_of_deed(each.deed) for each in fate.deeds if each.fate == "removed"]
    idle = [text_of_deed(each.deed) for each in fate.deeds if each.fate == "no-op"]
    notes = [f"without {', '.join(gone)}"] if gone else []
    notes += [f"{sliced.no_op} has no effect and replaces {', '.join(idle)}"] if idle else []
    yield f"{text_of_plan(fate.sliced(sliced.no_op))}{'  // ' if notes else ''}{'; '.join(notes)}"


def explanation(sliced: SlicedProgram) -> Iterator[str]:
    """Yield a line for users about each plan and each deed of the program: why it is kept and its
    path to the property, or why it cannot influence the property."""
    part = 0
    for name, fate in sliced.fates.items():
        of_agent = f" of {name}" if len(sliced.fates) > 1 else ""
        for each in fate.plans:
            path = _path(sliced, sliced.graph.guards[part]) if each.kept else ""
            yield (
                f"plan {each.plan.name}{of_agent} is {'kept' if each.kept else 'removed'}: "
                f"{each.why}{path}"
            )
            for deed, node in zip(each.deeds, sliced.graph.steps[part], strict=False):
                path = _path(sliced, node) if deed.fate == "kept" else ""
                yield f"  {text_of_deed(deed.deed)} {_WORDS[deed.fate]}: {deed.why}{path}"
            part += 1


def _path(sliced: SlicedProgram, node: int) -> str:
    reported = sliced.graph.explain_path(node)
    return "" if reported is None else f"; {reported}"


_WORDS = {"kept": "is kept", "no-op": "becomes a no-op", "removed": "is removed"}
