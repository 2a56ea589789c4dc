"""Formulas that are well formed: drawn from the words of a project, in every shape that the logic
has."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.fuzz.projects import Project

__all__ = ["formula", "goal", "objective", "property_file", "query", "state_formula", "truth"]

BOUNDS = ("<=3", "<=0", "<5", ">=2", "=4", "[1,3]", "[0,0]", "<=12")
THRESHOLDS = ("0", "1", "0.5", "1/3", "0.9", "1/1000000", "0.999999999")
AMOUNTS = ("0", "1", "3", "5/2", "0.25", "100")


def formula(chance: random.Random, project: Project) -> str:
    """A property or a query about a project."""
    if project.formulas and chance.random() < 0.15:
        return chance.choice(project.formulas)
    if chance.random() < 0.5:
        return query(chance, project)
    return _quantified(chance, project, 2)


def query(chance: random.Random, project: Project) -> str:
    """A question about probabilities or rewards: a value, or a threshold."""
    shape = chance.random()
    if shape < 0.08:
        return f"multi({objective(chance, project)}, {objective(chance, project)})"
    if shape < 0.18:
        return f"S{_asked(chance, THRESHOLDS)} [ {state_formula(chance, project, 2)} ]"
    if shape < 0.45 and (project.rewards or shape < 0.2):
        return (
            f"R{_reward(chance, project)}{_asked(chance, AMOUNTS)} [ "
            f"{_reward_path(chance, project)} ]"
        )
    return (
        f"P{_asked(chance, THRESHOLDS)} [ {_path(chance, project, chance.choice((1, 1, 2, 3)))} ]"
    )


def truth(chance: random.Random, project: Project) -> str:
    """A property about runs, without numbers."""
    while "P" in (query := _quantified(chance, project, 2)).split(" [", 1)[0] or any(
        f"P{sign}" in query for sign in "<>"
    ):
        pass
    return query


def goal(chance: random.Random, project: Project) -> str:
    """The optimal probability of reaching a goal."""
    return f"P{chance.choice(('max=?', 'min=?'))} [ F ({state_formula(chance, project, 1)}) ]"


def objective(chance: random.Random, project: Project) -> str:
    """An optimal value, or a bound on one, as trade-offs and strategies take it."""
    best = chance.choice(
        ("max=?", "min=?", f">={chance.choice(THRESHOLDS)}", f"<={chance.choice(THRESHOLDS)}")
    )
    if project.rewards and chance.random() < 0.3:
        return (
            f"R{_reward(chance, project)}{chance.choice(('max=?', 'min=?', '<=5'))} [ "
            f"{_reward_path(chance, project)} ]"
        )
    return f"P{best} [ {_path(chance, project, chance.choice((1, 1, 1, 2)))} ]"


def property_file(chance: random.Random, project: Project) -> str:
    """A property file: names, comments, expected results, formulas over one line or several."""
    lines = ["// drawn at random", ""]
    for number in range(chance.randint(1, 4)):
        query = formula(chance, project)
        if chance.random() < 0.4:
            lines.append(
                "// RESULT: "
                f"{chance.choice(('true', 'false', '0.5', '1/3', '~0.1', 'inf', '0', '1'))}"
            )
        name = f'"p{number}": ' if chance.random() < 0.5 else ""
        end = chance.choice(("", ";", " // why not"))
        lines += [
            name + (query.replace(" [ ", " [\n   ", 1) if chance.random() < 0.2 else query) + end,
            "",
        ]
    return "\n".join(lines)


def state_formula(chance: random.Random, project: Project, depth: int) -> str:
    """A formula about one state."""
    if depth <= 0 or chance.random() < 0.5:
        return (
            chance.choice(project.atoms)
            if project.atoms and chance.random() < 0.85
            else chance.choice(('"deadlock"', "true", "false"))
        )
    return _combined(chance, lambda: state_formula(chance, project, depth - 1))


def _combined(chance: random.Random, draw: Callable[[], str]) -> str:
    operator = chance.choice(("!", "&", "|", "->", "<->"))
    return f"!({draw()})" if operator == "!" else f"(({draw()}) {operator} ({draw()}))"


def _path(chance: random.Random, project: Project, depth: int) -> str:
    if depth <= 0:
        return state_formula(chance, project, 1)
    shape, bound = chance.random(), chance.choice(BOUNDS) if chance.random() < 0.25 else ""
    if shape < 0.5:
        operator = chance.choice(("F", "G", "X", "F", "G"))
        return f"{operator}{'' if operator == 'X' else bound} ({_path(chance, project, depth - 1)})"
    if shape < 0.75:
        operator = chance.choice(("U", "W", "R", "U"))
        return (
            f"({_path(chance, project, depth - 1)}) {operator}{bound} "
            f"({_path(chance, project, depth - 1)})"
        )
    if shape < 0.82:
        return _quantified(chance, project, depth - 1)
    return _combined(chance, lambda: _path(chance, project, depth - 1))


def _quantified(chance: random.Random, project: Project, depth: int) -> str:
    shape = chance.random()
    if shape < 0.15:
        return (
            f"P{chance.choice(('>=', '>', '<', '<='))}{chance.choice(THRESHOLDS)} [ "
            f"{_path(chance, project, 1)} ]"
        )
    if shape < 0.35:
        return f"{chance.choice('AE')}{chance.choice('XFG')} ({state_formula(chance, project, 1)})"
    return f"{chance.choice('AE')} [ {_path(chance, project, depth)} ]"


def _reward(chance: random.Random, project: Project) -> str:
    return f"{{{chance.choice(project.rewards)}}}" if project.rewards else ""


def _reward_path(chance: random.Random, project: Project) -> str:
    if chance.random() < 0.5:
        return f"F ({state_formula(chance, project, 1)})"
    return chance.choice(("C", "C<=5", "C<=0", "I=0", "I=3", "S", "LRA"))


def _asked(chance: random.Random, numbers: tuple[str, ...]) -> str:
    if chance.random() < 0.65:
        return chance.choice(("max=?", "min=?", "max=?", "min=?", "=?"))
    return (
        chance.choice(("", "max", "min", ""))
        + chance.choice((">=", ">", "<", "<="))
        + chance.choice(numbers)
    )
