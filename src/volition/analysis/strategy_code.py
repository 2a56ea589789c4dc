"""A strategy as Python code: one module without imports from here that a running agent can call.

The module has a function ``decide(state, options)``.  ``state`` is a portrait, what the agent believes, pursues and does, as
:meth:`volition.languages.model.Model.portray` gives it; ``options`` are those who can move, each with the steps that it can make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from volition.analysis.decision_table import Leaf, Tree, rows
from volition.analysis.strategy import Question, Synthesis
from volition.languages.model import Finding

__all__ = ["python_code"]

_HEAD = '''\
"""{title}

{value}
"""

from collections.abc import Callable, Mapping, Sequence
{imports}
State = Mapping[str, Mapping[str, str]]
"""Section ("beliefs", "intentions", ...) to item to its value, which is "" where being there is all."""


def decide(state: State, options: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Who goes on, and by which step; ``options`` are those who can move, each with the steps that it can make.

    In situations that the strategy never gets into the first option is taken.
    """
    mover = next(iter(options))
    if len(options) > 1 and (chosen := who_goes_on(state)) in options:
        mover = chosen
    steps = options[mover]
    if len(steps) > 1 and (how := HOW.get((mover, *sorted(steps)))) is not None:
        return mover, how(state)
    return mover, steps[0]
'''

_ABOUT_NOBODY = '''

def who_goes_on(state: State) -> str:
    """Never asked: there is never more than one who could move, or it does not matter."""
    return ""
'''

_NUMBER = '''

def number(state: State, section: str, item: str) -> Fraction:
    """The value of a numeric item."""
    return Fraction(state[section][item])
'''


def python_code(synthesis: Synthesis) -> str:
    """The text of a module that decides as the strategy does."""
    answer = synthesis.answer
    value = f"Attains {answer.verdict.value}." + (" Any choice does." if synthesis.any_choice else "")
    turns = [each for each in synthesis.questions if each.mover is None]
    steps = [each for each in synthesis.questions if each.mover is not None]
    functions = [_function("who_goes_on", each) for each in turns] or [_ABOUT_NOBODY]
    names = _function_names(steps)
    functions += [_function(name, each) for name, each in zip(names, steps, strict=True)]
    body = "".join(functions)
    compares = any(finding.relation == "at least" for each in synthesis.questions for row in rows(each.tree) for finding in row.findings)
    imports = "from fractions import Fraction\n" if compares else ""
    head = _HEAD.format(title=_in_docstring(f"The strategy for {answer.question.text}"), value=value, imports=imports)
    return head + (_NUMBER if compares else "") + body + "\n\n" + "\n".join(_dispatch(names, steps)) + "\n"


def _dispatch(names: list[str], steps: list[Question]) -> Iterator[str]:
    """The table that finds the function for the one that goes on and the steps that it could make."""
    yield "HOW: Mapping[tuple[str, ...], Callable[[State], str]] = {"
    for name, question in zip(names, steps, strict=True):
        yield f"    {(question.mover, *question.options)!r}: {name},"
    yield "}"


def _function_names(steps: list[Question]) -> list[str]:
    names = [re.sub(r"\W+", "_", f"how {each.mover} goes on").lower() for each in steps]
    return [name if names.count(name) == 1 else f"{name}_{place}" for place, name in enumerate(names, start=1)]


def _function(name: str, question: Question) -> str:
    depends = ", ".join(question.depends_on) or "nothing: the answer is always the same"
    about = f"{question.text[0].upper()}{question.text[1:]}: {' or '.join(question.options)}."
    lines = [
        f"def {name}(state: State) -> str:",
        f'    """{_in_docstring(about)}',
        "",
        f"    Depends on {_in_docstring(depends)}.",
        '    """',
    ]
    return "\n\n" + "\n".join([*lines, *_statements(question.tree, "    ")]) + "\n"


def _statements(tree: Tree, indent: str) -> Iterator[str]:
    if isinstance(tree, Leaf):
        yield f"{indent}return {tree.answer!r}"
        return
    yield f"{indent}if {_expression(tree.finding)}:"
    yield from _statements(tree.yes, indent + "    ")
    yield from _statements(tree.no, indent)


def _expression(finding: Finding) -> str:
    match finding.relation:
        case "there":
            return f"{finding.item!r} in state[{finding.section!r}]"
        case "is":
            return f"state[{finding.section!r}].get({finding.item!r}) == {finding.value!r}"
        case "at least":
            return f"number(state, {finding.section!r}, {finding.item!r}) >= Fraction({finding.value!r})"


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"""')
