"""Strategies as Python code: a stand-alone module that a running agent can call.

The module has a function ``decide(state, options)``. ``state`` is a state view, as
:meth:`volition.languages.protocols.Model.describe` returns it. ``options`` are the components that
can move, each with the actions that it can take.

If the strategy has memory, ``decide`` has a further parameter ``memory``, a number. It is ``START``
in the initial state, and the function ``update_memory`` computes it after each step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from volition.analysis.synthesis.synthesise import DecisionTable, Synthesis
from volition.checking.strategy import AutomatonMemory, Memory, StepCounterMemory
from volition.languages.protocols import ViewPredicate
from volition.logic.numbers import exact_text
from volition.reporting.strategies.decision_tree import MEMORY, OPTIONS, Tree, TreeLeaf

__all__ = ["python_code"]

_HEAD = '''\
"""{title}

{value}
"""

from collections.abc import Callable, Collection, Mapping, Sequence
{imports}
State = Mapping[str, Mapping[str, str]]
"""Mapping from sections ("beliefs", "intentions", ...) to items to values; "" if an item has no value."""


{memory}def decide(state: State, options: Mapping[str, Sequence[str]]{argument}) -> tuple[str, str]:
    """Return the component that moves and its action; ``options`` has the possible actions of each component.

    In a state that the strategy never reaches, this is an arbitrary option.
    """
{memory_section}    component = next(iter(options))
    if len(options) > 1 and (chosen := choose_component(state, options)) in options:
        component = chosen
    actions = options[component]
    choose = CHOOSE_ACTION.get(component)
    if len(actions) > 1 and choose is not None and (action := choose(state, actions)) in actions:
        return component, action
    return component, actions[0]
'''  # noqa: E501

_STEPS_LEFT = '''\
START = {start}
"""Memory in the initial state: the number of remaining steps."""


def update_memory(memory: int) -> int:
    """Return the memory after a step."""
    return max(memory - 1, 0)


def memory_section(memory: int) -> Mapping[str, str]:
    """Return the memory as a section of the state."""
    return {{"steps left": str(memory)}}


'''

_MODES = '''\
START = {start}
"""Memory in the initial state: the number of a mode."""

OBSERVED = {observed}
"""State formulas whose truth values update the memory."""

MODES: Sequence[Mapping[str, str]] = [
{modes}
]
"""Description of each mode."""

NEXT: Sequence[Mapping[frozenset[str], int]] = [
{after}
]
"""Next mode for each mode and set of true formulas; the mode stays the same if the set is
missing."""


def update_memory(memory: int, seen: Collection[str]) -> int:
    """Return the memory after a step into a state in which those formulas of OBSERVED hold that
    are in ``seen``."""
    return NEXT[memory].get(frozenset(seen).intersection(OBSERVED), memory)


def memory_section(memory: int) -> Mapping[str, str]:
    """Return the memory as a section of the state."""
    return MODES[memory]


'''

_NO_COMPONENT_CHOICE = '''

def choose_component(state: State, possible: Collection[str]) -> str:
    """Return "": at most one component can move, or it does not matter which one moves."""
    return ""
'''

_PRELUDE = {
    "is_there(": '''

def is_there(state: State, section: str, item: str) -> bool:
    """Return whether an item is present, with any value."""
    return item in state.get(section, {})
''',
    "is_equal(": '''

def is_equal(state: State, section: str, item: str, value: str) -> bool:
    """Return whether an item has this value."""
    return state.get(section, {}).get(item) == value
''',
    "is_at_least(": '''

def is_at_least(state: State, section: str, item: str, bound: str) -> bool:
    """Return whether an item is a number that is at least ``bound``."""
    try:
        return Fraction(state[section][item]) >= Fraction(bound)
    except (KeyError, ValueError):
        return False
''',
}
"""Source texts of helper functions for the generated code. The key of a function is the text with
which calls of it begin; the function is included if the generated code contains this text."""


def python_code(synthesis: Synthesis) -> str:
    """Return the source text of a Python module that makes the decisions of the strategy."""
    answer = synthesis.answer
    attained = answer.verdict.value
    number = exact_text(attained) if isinstance(attained, Fraction) else attained
    value = f"Attains {number}." + (" Any choice does." if synthesis.choices_irrelevant else "")
    turns = [each for each in synthesis.decision_tables if each.component is None]
    steps = [each for each in synthesis.decision_tables if each.component is not None]
    functions = [_function("choose_component", each) for each in turns] or [_NO_COMPONENT_CHOICE]
    names = _function_names(steps)
    functions += [_function(name, each) for name, each in zip(names, steps, strict=True)]
    body = "".join(functions)
    prelude = "".join(text for call, text in _PRELUDE.items() if call in body)
    imports = "from fractions import Fraction\n" if "Fraction" in prelude else ""
    memory = synthesis.memory
    head = _HEAD.format(
        title=_in_docstring(f"The strategy for {answer.prop.text}"),
        value=value,
        imports=imports,
        memory="" if memory is None else _memory(memory),
        argument="" if memory is None else ", memory: int",
        memory_section=""
        if memory is None
        else f"    state = {{**state, {MEMORY!r}: memory_section(memory)}}\n",
    )
    return head + prelude + body + "\n\n" + "\n".join(_dispatch(names, steps)) + "\n"


def _memory(memory: Memory) -> str:
    """Return the generated code for the memory of a strategy: its initial value, a function that
    updates it after a step, and a function that returns it as a section of the state view."""
    if isinstance(memory, StepCounterMemory):
        return _STEPS_LEFT.format(start=memory.start)
    assert isinstance(memory, AutomatonMemory), "strategies for one property have no other memory"
    modes = [f"    {dict(items)!r}," for items in memory.modes]
    after = []
    for mode, following in enumerate(memory.after):
        moves = [
            f"frozenset({memory.seen(letter)!r}): {to}"
            for letter, to in enumerate(following)
            if to != mode
        ]
        after.append(f"    {{{', '.join(moves)}}},")
    return _MODES.format(
        start=memory.start,
        observed=repr(memory.observed),
        modes="\n".join(modes),
        after="\n".join(after),
    )


def _dispatch(names: list[str], steps: list[DecisionTable]) -> Iterator[str]:
    """Yield the code lines of the dictionary ``CHOOSE_ACTION``, which maps each component to the
    function that chooses its action."""
    yield "CHOOSE_ACTION: Mapping[str, Callable[[State, Collection[str]], str]] = {"
    for name, decision in zip(names, steps, strict=True):
        yield f"    {decision.component!r}: {name},"
    yield "}"


def _function_names(steps: list[DecisionTable]) -> list[str]:
    names = [re.sub(r"\W+", "_", f"choose action of {each.component}").lower() for each in steps]
    return [
        name if names.count(name) == 1 else f"{name}_{index}"
        for index, name in enumerate(names, start=1)
    ]


def _function(name: str, decision: DecisionTable) -> str:
    depends = ", ".join(decision.depends_on) or "nothing: the choice is always the same"
    about = f"{decision.text[0].upper()}{decision.text[1:]}: {' or '.join(decision.options)}."
    lines = [
        f"def {name}(state: State, possible: Collection[str]) -> str:",
        f'    """{_in_docstring(about)}',
        "",
        f"    Depends on {_in_docstring(depends)}.",
        '    """',
    ]
    return "\n\n" + "\n".join([*lines, *_statements(decision.tree, "    ")]) + "\n"


def _statements(tree: Tree, indent: str) -> Iterator[str]:
    if isinstance(tree, TreeLeaf):
        yield f"{indent}return {tree.answer!r}"
        return
    yield f"{indent}if {_expression(tree.test)}:"
    yield from _statements(tree.yes, indent + "    ")
    yield from _statements(tree.no, indent)


def _expression(predicate: ViewPredicate) -> str:
    if predicate.section == OPTIONS:
        return f"{predicate.item!r} in possible"
    match predicate.relation:
        case "there":
            return f"is_there(state, {predicate.section!r}, {predicate.item!r})"
        case "is":
            return (
                f"is_equal(state, {predicate.section!r}, {predicate.item!r}, {predicate.value!r})"
            )
        case "at least":
            return (
                f"is_at_least(state, {predicate.section!r}, {predicate.item!r}, "
                f"{predicate.value!r})"
            )
        case _:
            assert_never(predicate.relation)


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"""')
