"""Compares the implementation with the reference on random systems, and its merged cycle with its
three parts.

``python -m tests.languages.jason.compare --programs 100 --first 0`` says how far it is and which
systems differ; ``--what verdicts`` asks random formulas of the merged cycle and of the three parts,
and ``--what behaviour`` looks for any formula that tells them apart.
"""

from __future__ import annotations

import argparse
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import volition
from tests.languages.jason.labels import label_of_ours, label_of_reference
from tests.languages.jason.random_programs import RandomSystem, random_system
from tests.languages.jason.random_texts import KINDS
from tests.languages.jason.reference import Graph, System, TooManyStates, Unspecified
from tests.languages.jason.shrinking import shrunk
from tests.languages.jason.stuttering import are_stutter_bisimilar
from volition.checking.check import Answer, check
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.propositions import satisfying_states
from volition.diagnostics import Diagnostics, InputError, Source
from volition.kernel import Limits, StateSpace, explore
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.protocols import Program
from volition.languages.world import load_world
from volition.logic import parse
from volition.logic.syntax import Atom

__all__ = [
    "MAX_STATES",
    "Difference",
    "reference_of",
    "same_behaviour",
    "same_states",
    "same_verdicts",
    "seen",
    "successors",
    "whole_is_found",
]

MAX_STATES = 1500


class Difference(Exception):
    """The two do not agree; the text says where they part."""


def reference_of(system: RandomSystem) -> System:
    diagnostics = Diagnostics()
    programs = {
        name: read_agent(Source(f"{name}.asl", text), diagnostics)
        for name, text in system.plain_agents.items()
    }
    world = (
        None
        if system.world is None
        else load_world(Source("small.world", system.world), list(system.agents), {}, diagnostics)
    )
    diagnostics.raise_errors()
    return System(
        programs,
        world,
        is_time_free=system.time == "free",
        options=(*system.options, *system.settings),
    )


def same_states(system: RandomSystem, maximum: int = MAX_STATES) -> int:
    """The number of states, which are the same in both; raises :class:`Difference`, and what the
    reference raises."""
    reference = reference_of(system)
    graph = reference.explore(maximum)
    with TemporaryDirectory() as folder:
        program = volition.load(system.write(Path(folder), "parts"))
    space = explore(program.model().system, limits=Limits(states=4 * maximum))
    if not space.complete:
        raise Difference(
            f"{len(graph.states)} states in the reference, and more than {4 * maximum}"
        )
    world = [slot for slot, _ in graph.states[0][1]]
    ours = [
        label_of_ours(reference.agents, world, space.values(state))
        for state in range(space.num_states)
    ]
    theirs = [label_of_reference(reference, state) for state in graph.states]
    _expect_bisimilar(successors(space), ours, graph, theirs)
    return len(graph.states)


# --- the merged cycle -----------------------------------------------------------------------------

ATOMS = (
    "Bel({0}, p(1))",
    "Bel({0}, q(2))",
    "Bel({0}, r)",
    "Bel({0}, p(_)[source(self)])",
    "Int({0}, g(1))",
    "Int({0}, h)",
    "Des({0}, g(_))",
    "Des({0}, h)",
    "Does({0}, turn(1))",
    "Does({0}, fill)",
    "Bel({0}, on(1))",
    "Bel({0}, got(_))",
    "Int({0}, k(_))",
    "Bel({0}, full)",
    "Bel({0}, n::p(_))",
)


BOUND, UNKNOWN = "JSN050", "JSN044"
"""Codes of bounds that are exceeded, and of atoms about what no agent speaks of."""


def same_verdicts(system: RandomSystem, maximum: int = MAX_STATES, properties: int = 6) -> int:
    """How many formulas have the same answer in the merged cycle as in the three parts, with
    fairness and without."""
    random = Random(system.seed)
    formulas = [_formula(random, list(system.agents)) for _ in range(properties)]
    with TemporaryDirectory() as folder:
        parts, merged = (
            volition.load(system.write(Path(folder), cycle)) for cycle in ("parts", "exact")
        )
    query = 0
    fairness: Fairness | None
    for fairness in (None, "weak"):
        expected = _verdicts(parts, formulas, fairness, 4 * maximum)
        for formula, verdict in expected.items():
            answer = _verdicts(merged, [formula], fairness, 4 * maximum)[formula]
            if answer != verdict:
                raise Difference(
                    f"{formula} ({fairness or 'no'} fairness): {verdict} in three parts, {answer} "
                    "in the merged cycle"
                )
            query += 1
    return query


def same_behaviour(system: RandomSystem, maximum: int = MAX_STATES, times: int = 3) -> int:
    """How often the merged cycle and the three parts cannot be told apart by any formula of CTL*
    without next over some atoms."""
    random = Random(system.seed)
    with TemporaryDirectory() as folder:
        programs = [
            volition.load(system.write(Path(folder), cycle)) for cycle in ("parts", "exact")
        ]
    for _ in range(times):
        atoms = [
            each.format(random.choice(list(system.agents)))
            for each in random.sample(ATOMS, random.choice([1, 2, 3]))
        ]
        (parts, seen_in_parts), (merged, seen_in_merged) = (
            seen(each, atoms, 4 * maximum) for each in programs
        )
        if not are_stutter_bisimilar(parts, seen_in_parts, merged, seen_in_merged):
            raise Difference(
                f"{', '.join(atoms)}: {len(parts)} states in three parts, {len(merged)} in the "
                "merged cycle"
            )
    return times


def whole_is_found(system: RandomSystem, maximum: int = MAX_STATES) -> int:
    """How many steps of whole cycles lead where the steps of the merged cycle lead too."""
    with TemporaryDirectory() as folder:
        programs = [
            volition.load(system.write(Path(folder), cycle)) for cycle in ("exact", "whole")
        ]
    exact, whole = (_explored(each.model(()).system, maximum) for each in programs)
    indices = {_key(exact, state): state for state in range(exact.num_states)}
    following = successors(exact)
    steps = 0
    for state, targets in enumerate(successors(whole)):
        if not targets:
            continue
        if _key(whole, state) not in indices:
            raise Difference(
                f"state {state} of whole cycles is no state of the merged cycle: "
                f"{whole.values(state)}"
            )
        reached = _reached(following, indices[_key(whole, state)])
        for target in targets:
            if indices.get(_key(whole, target)) not in reached:
                raise Difference(
                    "a step of a whole cycle that the merged cycle does not have: "
                    f"{whole.values(state)} ▶ {whole.values(target)}"
                )
            steps += 1
    return steps


def _explored(system: Any, maximum: int) -> StateSpace:
    """The whole graph, unless it is too large."""
    try:
        space = explore(system, limits=Limits(states=maximum))
    except InputError as error:
        if [each.code for each in error.diagnostics] != [BOUND]:
            raise
        raise TooManyStates from error
    if not space.complete:
        raise TooManyStates
    return space


def _key(space: StateSpace, state: int) -> Hashable:
    return repr(sorted(space.values(state).items()))


def _reached(following: Sequence[Sequence[int]], start: int) -> set[int]:
    reached, waiting = {start}, [start]
    while waiting:
        for target in following[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def seen(
    program: Program, atoms: Sequence[str], maximum: int
) -> tuple[list[list[int]], list[tuple[bool, ...]]]:
    """The graph of a program that is asked about some atoms, and which of them hold in each state;
    what nobody speaks of is left out."""
    known = [
        formula
        for formula in map(parse, atoms)
        if isinstance(formula, Atom) and _is_known(program, formula)
    ]
    model = program.model(known)
    space = _explored(model.system, maximum)
    columns = [satisfying_states(model, space, formula).tolist() for formula in known]
    return successors(space), [
        tuple(column[state] for column in columns) for state in range(space.num_states)
    ]


def _is_known(program: Program, atom: Atom) -> bool:
    try:
        program.model([atom]).resolve(atom)
    except InputError as error:
        if [each.code for each in error.diagnostics] != [UNKNOWN]:
            raise
        return False
    return True


def _verdicts(
    program: Program, formulas: Sequence[str], fairness: Fairness | None, maximum: int
) -> dict[str, bool]:
    """The answers; what nobody speaks of is no question."""
    errors = Diagnostics()
    report: Iterable[Answer] = ()
    try:
        report = check(
            program,
            formulas,
            limits=Limits(states=maximum),
            fairness=fairness,
            reduce="off",
            errors=errors,
        )
    except InputError as error:
        errors.extend(error.diagnostics)
    codes = {each.code for each in errors.errors}
    if BOUND in codes or any(each.verdict.unknown is not None for each in report):
        raise TooManyStates
    assert codes <= {UNKNOWN}, codes
    return {each.prop.text: bool(each.verdict.holds) for each in report}


def _formula(random: Random, agents: Sequence[str]) -> str:
    """Of CTL* or LTL without next."""
    quantifiers = random.random() < 0.4

    def path(depth: int) -> str:
        kind = random.randrange(9 if quantifiers else 8) if depth else 0
        if kind <= 1:
            return random.choice(["", "", "!"]) + random.choice(ATOMS).format(random.choice(agents))
        if kind == 2:
            return f"({path(depth - 1)} {random.choice(['&', '|', '->'])} {path(depth - 1)})"
        if kind == 3:
            return f"({path(depth - 1)} U {path(depth - 1)})"
        if kind == 8:
            return f"{random.choice('AE')} [ {path(depth - 1)} ]"
        return f"{random.choice('FG')} ({path(depth - 1)})"

    return f"{random.choice('AE')} [ {random.choice('FG')} ({path(2)}) ]"


# --- graphs ---------------------------------------------------------------------------------------


def successors(space: StateSpace) -> list[list[int]]:
    """Stuttering in the end states is not a step of the system."""
    following: list[list[int]] = [[] for _ in range(space.num_states)]
    for choice, target in zip(
        space.transition_choices.tolist(), space.targets.tolist(), strict=True
    ):
        state = int(space.choice_states[choice])
        if not (space.terminal[state] and target == state):
            following[state].append(target)
    return following


def _expect_bisimilar(
    ours: Sequence[Sequence[int]],
    our_labels: Sequence[Any],
    graph: Graph,
    their_labels: Sequence[Any],
) -> None:
    """Partition refinement on both graphs side by side, from what can be seen; state 0 is the
    initial one of each."""
    shift = len(ours)
    successors = [list(each) for each in ours] + [
        [shift + target for _, target in each] for each in graph.successors
    ]
    keys: list[Hashable] = [repr(each) for each in (*our_labels, *their_labels)]
    amount = 0
    while True:
        numbers: dict[Hashable, int] = {}
        blocks = [numbers.setdefault(each, len(numbers)) for each in keys]
        if len(numbers) == amount:
            break
        amount = len(numbers)
        keys = [
            (blocks[state], frozenset(blocks[target] for target in each))
            for state, each in enumerate(successors)
        ]
    if blocks[0] != blocks[shift]:
        raise Difference(_where(ours, our_labels, graph, their_labels, blocks))


def _where(
    ours: Sequence[Sequence[int]],
    our_labels: Sequence[Any],
    graph: Graph,
    their_labels: Sequence[Any],
    blocks: list[int],
) -> str:
    """A shortest way to two states that look alike whose successors do not."""
    shift = len(ours)
    if our_labels[0] != their_labels[0]:
        return "the initial states differ\n" + _contrast(our_labels[0], their_labels[0])
    waiting: deque[tuple[int, int, tuple[str, ...]]] = deque([(0, 0, ())])
    seen = {(0, 0)}
    while waiting:
        mine, yours, path = waiting.popleft()
        my_labels = {repr(our_labels[each]): each for each in ours[mine]}
        your_labels = {
            repr(their_labels[each]): (name, each) for name, each in graph.successors[yours]
        }
        if set(my_labels) != set(your_labels):
            return _parting(
                path, our_labels, their_labels, my_labels, your_labels, our_labels[mine]
            )
        for label, target in my_labels.items():
            name, other = your_labels[label]
            if blocks[target] != blocks[shift + other] and (target, other) not in seen:
                seen.add((target, other))
                waiting.append((target, other, (*path, name)))
    return "some states that look alike do not behave alike"


def _parting(
    path: Any, our_labels: Any, their_labels: Any, mine: Any, yours: Any, before: Any
) -> str:
    lines = ["after " + ", ".join(path)]
    only_yours = [
        (yours[label][0], their_labels[yours[label][1]]) for label in yours if label not in mine
    ]
    only_mine = [our_labels[mine[label]] for label in mine if label not in yours]
    for name, label in only_yours:
        lines += [f"the reference: {name}", _contrast(before, label)]
    for label in only_mine:
        lines += ["the implementation:", _contrast(before, label)]
    return "\n".join(lines)


def _contrast(before: Any, after: Any) -> str:
    """What changes from one label to another."""
    lines = []
    for number, (old, new) in enumerate(zip(before[0], after[0], strict=True)):
        for key in old:
            if old[key] != new[key]:
                lines.append(f"    agent {number}, {key}: {old[key]} ▶ {new[key]}")
    if before[1] != after[1]:
        lines.append(f"    world: {before[1]} ▶ {after[1]}")
    return "\n".join(lines) or "    nothing changes"


COMPARISONS: dict[str, tuple[Callable[[RandomSystem, int], int], str]] = {
    "states": (same_states, "states"),
    "verdicts": (same_verdicts, "answers"),
    "behaviour": (same_behaviour, "sets of atoms"),
    "whole": (whole_is_found, "steps"),
}
"""What can be compared, and what is counted."""


def _differs(
    compare: Callable[[RandomSystem, int], int],
    maximum: int,
    kind: type[Exception],
    system: RandomSystem,
) -> bool:
    """Whether what is compared ends in an exception of a certain kind."""
    try:
        compare(system, maximum)
    except (TooManyStates, Unspecified):
        return False
    except Exception as error:
        return type(error) is kind
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--most",
        type=int,
        default=MAX_STATES,
        help="states of the reference; larger systems are left aside",
    )
    parser.add_argument("--what", choices=list(COMPARISONS), default="states")
    parser.add_argument(
        "--kind", choices=list(KINDS), default="plain", help="what the programs are about"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="show the smallest system that still differs"
    )
    parser.add_argument("--quiet", action="store_true", help="say only which differ")
    arguments = parser.parse_args()
    outcomes: Counter[str] = Counter()
    aside: Counter[str] = Counter()
    compare, what = COMPARISONS[arguments.what]
    count = 0
    begin = monotonic()
    for seed in range(arguments.first, arguments.first + arguments.programs):
        system = random_system(seed, arguments.kind)
        try:
            count += compare(system, arguments.most)
            outcomes["agree"] += 1
        except (TooManyStates, Unspecified) as error:
            outcomes["too large" if isinstance(error, TooManyStates) else "not specified"] += 1
            if isinstance(error, Unspecified):
                aside[str(error)] += 1
        except Exception as error:  # whatever goes wrong is told, and the next one is compared
            outcomes["differ"] += 1
            if arguments.shrink:
                system = shrunk(system, partial(_differs, compare, arguments.most, type(error)))
                try:
                    compare(system, arguments.most)
                except Exception as shorter:
                    error = shorter
            print(f"--- seed {seed}: {type(error).__name__}: {str(error)[:3000]}", flush=True)
            if not arguments.quiet:
                print(system, flush=True)
        if (seed + 1) % 50 == 0:
            print(
                f"{seed + 1 - arguments.first} programs, {dict(outcomes)}, {count} {what}, "
                f"{monotonic() - begin:.0f} s",
                flush=True,
            )
    print(
        f"{arguments.programs} programs from seed {arguments.first}: {dict(outcomes)}, {count} "
        f"{what}"
    )
    for reason, times in aside.most_common():
        print(f"  left aside {times} times: {reason}")
    return 1 if outcomes["differ"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
