"""A strategy as Python code: one module without imports from here that a running agent can call.

The module has a function ``decide(state, options)``.  ``state`` is a portrait, what the agent
believes, pursues and does, as
:meth:`volition.languages.protocols.Model.portray` gives it; ``options`` are those who can move,
    each with the steps that it can make.

Where the strategy remembers something, ``decide`` gets the ``memory`` as well, a number: ``START``
in the initial state, and after each step what the function ``remember`` makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

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
"""Section ("beliefs", "intentions", ...) to item to its value, which is "" where being there is all."""


{memory}def decide(state: State, options: Mapping[str, Sequence[str]]{argument}) -> tuple[str, str]:
    """Who goes on, and by which step; ``options`` are those who can move, each with the steps that it can make.

    In situations that the strategy never gets into, it is some option.
    """
{recalled}    mover = next(iter(options))
    if len(options) > 1 and (chosen := who_goes_on(state, options)) in options:
        mover = chosen
    steps = options[mover]
    if len(steps) > 1 and mover in HOW and (step := HOW[mover](state, steps)) in steps:
        return mover, step
    return mover, steps[0]
'''  # noqa: E501

_STEPS_LEFT = '''\
START = {start}
"""The memory in the initial state: the number of steps left."""


def remember(memory: int) -> int:
    """The memory after a step."""
    return max(memory - 1, 0)


def recalled(memory: int) -> Mapping[str, str]:
    """The memory as a section of the state."""
    return {{"steps left": str(memory)}}


'''

_MODES = '''\
START = {start}
"""The memory in the initial state: the number of a mode."""

OBSERVED = {observed}
"""What must be watched: state formulas."""

MODES: Sequence[Mapping[str, str]] = [
{modes}
]
"""What each mode means."""

NEXT: Sequence[Mapping[frozenset[str], int]] = [
{after}
]
"""For each mode the next one, by what is seen; where nothing is said it stays."""


def remember(memory: int, seen: Collection[str]) -> int:
    """The memory after a step into a state in which those of OBSERVED hold that are in ``seen``."""
    return NEXT[memory].get(frozenset(seen).intersection(OBSERVED), memory)


def recalled(memory: int) -> Mapping[str, str]:
    """The memory as a section of the state."""
    return MODES[memory]


'''

_ABOUT_NOBODY = '''

def who_goes_on(state: State, possible: Collection[str]) -> str:
    """There is never more than one who could move, or it does not matter."""
    return ""
'''

_PRELUDE = {
    "is_there(": '''

def is_there(state: State, section: str, item: str) -> bool:
    """Whether an item is there, whatever its value."""
    return item in state.get(section, {})
''',
    "is_equal(": '''

def is_equal(state: State, section: str, item: str, value: str) -> bool:
    """Whether an item has this value."""
    return state.get(section, {}).get(item) == value
''',
    "is_at_least(": '''

def is_at_least(state: State, section: str, item: str, bound: str) -> bool:
    """Whether an item is a number, and at least this one."""
    try:
        return Fraction(state[section][item]) >= Fraction(bound)
    except (KeyError, ValueError):
        return False
''',
}
"""What the code of trees calls, by how that begins."""


def python_code(synthesis: Synthesis) -> str:
    """The text of a module that decides as the strategy does."""
    answer = synthesis.answer
    attained = answer.verdict.value
    number = exact_text(attained) if isinstance(attained, Fraction) else attained
    value = f"Attains {number}." + (" Any choice does." if synthesis.choices_irrelevant else "")
    turns = [each for each in synthesis.decision_tables if each.component is None]
    steps = [each for each in synthesis.decision_tables if each.component is not None]
    functions = [_function("who_goes_on", each) for each in turns] or [_ABOUT_NOBODY]
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
        recalled=""
        if memory is None
        else f"    state = {{**state, {MEMORY!r}: recalled(memory)}}\n",
    )
    return head + prelude + body + "\n\n" + "\n".join(_dispatch(names, steps)) + "\n"


def _memory(memory: Memory) -> str:
    """How the memory begins, changes and is told."""
    if isinstance(memory, StepCounterMemory):
        return _STEPS_LEFT.format(start=memory.start)
    assert isinstance(memory, AutomatonMemory), "strategies for one question remember nothing else"
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
    """The table that finds the function for the one that goes on."""
    yield "HOW: Mapping[str, Callable[[State, Collection[str]], str]] = {"
    for name, decision in zip(names, steps, strict=True):
        yield f"    {decision.component!r}: {name},"
    yield "}"


def _function_names(steps: list[DecisionTable]) -> list[str]:
    names = [re.sub(r"\W+", "_", f"how {each.component} goes on").lower() for each in steps]
    return [
        name if names.count(name) == 1 else f"{name}_{index}"
        for index, name in enumerate(names, start=1)
    ]


def _function(name: str, decision: DecisionTable) -> str:
    depends = ", ".join(decision.depends_on) or "nothing: the answer is always the same"
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


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"""')
