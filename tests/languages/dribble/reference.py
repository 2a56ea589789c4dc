"""Dribble programs as plain tuples, their text, and a naive interpreter written from Trang et al.
alone.

Nothing of the package is used here: entailment is a truth table, a configuration is three values,
the transition rules of Sect. 2.4 are spelled out on them.  What the package computes is compared
with this.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

Literal = tuple[str, bool]
Formula = frozenset[frozenset[Literal]]
Condition = tuple[Any, ...]
"""``("true",)``, ``("B", formula)``, ``("G", formula)``, ``("not", c)``, ``("and", c, d)``,
``("or", c, d)``."""
Step = tuple[Any, ...]
"""``("basic", name)``, ``("abstract", name)``, ``("if", condition, plan, plan)``."""
Plan = tuple[Step, ...]
Base = frozenset[Formula]
Configuration = tuple[Base, Base, Plan]


@dataclass(frozen=True)
class PlainAction:
    """An action; each effect is some literals and a condition."""

    name: str
    precondition: Condition
    effects: tuple[tuple[tuple[Literal, ...], Condition], ...]


@dataclass(frozen=True)
class PlainProgram:
    """An agent; goal rules are pairs (guard, plan), revision rules triples (head, guard, body)."""

    beliefs: Base
    goals: Base
    actions: tuple[PlainAction, ...]
    abstract_plans: tuple[str, ...]
    goal_rules: tuple[tuple[Condition, Plan], ...]
    revision_rules: tuple[tuple[Plan, Condition, Plan], ...]
    len_max: int


# --- the text of a program ------------------------------------------------------------------------


def text_of_literal(literal: Literal) -> str:
    return literal[0] if literal[1] else "~" + literal[0]


def text_of_formula(formula: Formula) -> str:
    return " | ".join(
        sorted(" & ".join(sorted(map(text_of_literal, clause))) for clause in formula)
    )


def text_of_condition(condition: Condition) -> str:
    match condition:
        case ("true",):
            return "true"
        case ("B" | "G" as modality, formula):
            return f"{modality}({text_of_formula(formula)})"
        case ("not", inner):
            return f"~({text_of_condition(inner)})"
        case ("and", left, right):
            return f"({text_of_condition(left)}) & ({text_of_condition(right)})"
        case ("or", left, right):
            return f"({text_of_condition(left)}) | ({text_of_condition(right)})"
    raise AssertionError(condition)


def text_of_plan(plan: Plan) -> str:
    return "; ".join(map(text_of_step, plan)) or "empty"


def text_of_step(step: Step) -> str:
    if step[0] == "if":
        _, test, then, otherwise = step
        return (
            f"if {text_of_condition(test)} then {{{text_of_plan(then)}}} else "
            f"{{{text_of_plan(otherwise)}}}"
        )
    return str(step[1])


def text_of_action(action: PlainAction) -> str:
    effects = [
        f"{' & '.join(map(text_of_literal, literals))} if {text_of_condition(test)}"
        for literals, test in action.effects
    ]
    return f"{action.name} : {text_of_condition(action.precondition)}" + (
        " => " + ", ".join(effects) if effects else ""
    )


def text_of_program(program: PlainProgram) -> str:
    sections = {
        "beliefs": sorted(text_of_formula(formula) for formula in program.beliefs),
        "goals": sorted(text_of_formula(formula) for formula in program.goals),
        "actions": [text_of_action(action) for action in program.actions],
        "abstract plans": list(program.abstract_plans),
        "goal rules": [
            f"{text_of_condition(guard)} -> {text_of_plan(body)}"
            for guard, body in program.goal_rules
        ],
        "revision rules": [
            (
                f"{text_of_plan(head)}; pi | {text_of_condition(guard)} -> "
                f"{text_of_plan(body) + '; pi' if body else 'pi'}"
            )
            for head, guard, body in program.revision_rules
        ],
    }
    lines = [f"len_max: {program.len_max}"]
    for section, statements in sections.items():
        lines += [f"{section}:", *(f"  {statement}" for statement in statements)]
    return "\n".join(lines) + "\n"


# --- Sect. 2.1: propositional logic by truth tables -----------------------------------------------


def is_true(formula: Formula, world: dict[str, bool]) -> bool:
    return any(all(world[atom] == sign for atom, sign in clause) for clause in formula)


def worlds(formulas: list[Formula]) -> list[dict[str, bool]]:
    atoms = sorted({atom for formula in formulas for clause in formula for atom, _ in clause})
    return [
        dict(zip(atoms, signs, strict=True)) for signs in product([False, True], repeat=len(atoms))
    ]


def entails(base: Base, formula: Formula) -> bool:
    return all(
        is_true(formula, world)
        for world in worlds([*base, formula])
        if all(is_true(each, world) for each in base)
    )


def is_consistent(base: Base) -> bool:
    return any(all(is_true(each, world) for each in base) for world in worlds(list(base)))


def satisfies(beliefs: Base, goals: Base, condition: Condition) -> bool:
    match condition:
        case ("true",):
            return True
        case ("B", formula):
            return entails(beliefs, formula)
        case ("G", formula):
            return any(entails(frozenset([goal]), formula) for goal in goals)
        case ("not", inner):
            return not satisfies(beliefs, goals, inner)
        case ("and", left, right):
            return satisfies(beliefs, goals, left) and satisfies(beliefs, goals, right)
        case ("or", left, right):
            return satisfies(beliefs, goals, left) or satisfies(beliefs, goals, right)
    raise AssertionError(condition)


# --- Sect. 2.2 and 2.4: plans and transitions -----------------------------------------------------


def length(plan: Plan) -> int:
    return sum(length(step[2]) + length(step[3]) + 4 if step[0] == "if" else 1 for step in plan)


def update(action: PlainAction, beliefs: Base) -> Base:
    """T(b, δ): first the replacement of literals in disjuncts (Sect. 4.3), then what the base did
    not speak of."""
    made_true = [
        literal
        for literals, test in action.effects
        if satisfies(beliefs, frozenset(), test)
        for literal in literals
    ]
    result = beliefs
    for atom, sign in made_true:
        result = frozenset(
            frozenset(
                frozenset((name, sign if name == atom else value) for name, value in clause)
                for clause in formula
            )
            for formula in result
        )
    added = [frozenset([frozenset([literal])]) for literal in made_true]
    return result | {each for each in added if not entails(result, each)}


def successors(program: PlainProgram, configuration: Configuration) -> set[Configuration]:
    """The children of a configuration in the computation tree of a program (Sect. 2.4)."""
    beliefs, goals, plan = configuration
    children: set[Configuration] = set()
    if not plan:
        children |= {
            (beliefs, goals, body)
            for guard, body in program.goal_rules
            if satisfies(beliefs, goals, guard)
        }
    for head, guard, body in program.revision_rules:
        rest = plan[len(head) :]
        if (
            plan[: len(head)] == head
            and length(body + rest) <= program.len_max
            and satisfies(beliefs, goals, guard)
        ):
            children.add((beliefs, goals, body + rest))
    if plan and plan[0][0] == "if":
        _, test, then, otherwise = plan[0]
        children.add(
            (beliefs, goals, (then if satisfies(beliefs, goals, test) else otherwise) + plan[1:])
        )
    if plan and plan[0][0] == "basic":
        action = next(each for each in program.actions if each.name == plan[0][1])
        if satisfies(beliefs, goals, action.precondition):
            updated = update(action, beliefs)
            children.add(
                (updated, frozenset(goal for goal in goals if not entails(updated, goal)), plan[1:])
            )
    return children or {configuration}


def transitions(
    program: PlainProgram, maximum: int
) -> dict[Configuration, set[Configuration]] | None:
    """Every configuration that the program reaches with its children; None if there are more than
    ``most``."""
    waiting: list[Configuration] = [(program.beliefs, program.goals, ())]
    graph: dict[Configuration, set[Configuration]] = {}
    while waiting:
        configuration = waiting.pop()
        if configuration in graph:
            continue
        if len(graph) == maximum:
            return None
        graph[configuration] = successors(program, configuration)
        waiting.extend(graph[configuration])
    return graph
