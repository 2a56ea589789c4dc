"""Translation of AgentSpeak(F) systems to Promela, the language of Spin, following Bordini et al.,
Sect. 4.1. In the modules of this package, "the paper" and section numbers refer to Bordini et al.

In the Promela model, identifiers are macros. Beliefs, percepts, mail, events, intentions and
actions are channels. Plan bodies are inlines, each stage of the interpretation cycle is one atomic
step, the environment is a process, bounds are assertions, and the properties are ``ltl`` blocks.
Probabilities become nondeterministic choices.

The states are those of Volition's semantics, plus the one before ``init`` has run. Three variables
are computed from the others, so they do not add states: ``_changed`` (whether the percepts of an
agent differ from its perceived beliefs), ``_count`` (how many ways a rule of the world can apply)
and ``lost`` (whether an intention waits forever).

Every step prints lines that start with ``@``, so that Volition can replay Spin's trail. They
contain the component, and either the number of its choice or its action (``@+`` continues the line)
and the number of its probabilistic outcome (``@=``).
"""

from __future__ import annotations

from collections.abc import Mapping

from volition.diagnostics import Diagnostic, InputError
from volition.exporters.deadlock import refuse_deadlock
from volition.exporters.promela.agents import AgentWriter
from volition.exporters.promela.bodies import stored_variables
from volition.exporters.promela.bounds import (
    ChannelBounds,
    bounds_from_project,
    bounds_from_space,
    enlarge,
)
from volition.exporters.promela.common import channels, identifiers, inline, inlines
from volition.exporters.promela.conditions import ConditionWriter
from volition.exporters.promela.environment import EnvironmentWriter
from volition.exporters.promela.matching import Lines, Matcher, indented
from volition.exporters.promela.names import PromelaNames, unsupported
from volition.exporters.promela.properties import PropertyWriter
from volition.languages.agentspeak.atom_variables import parse_atom
from volition.languages.agentspeak.program import AgentSpeakProgram
from volition.languages.agentspeak.settings import DEFAULT_BOUND
from volition.languages.protocols import Program
from volition.languages.world import EmptyWorld
from volition.logic.syntax import Formula
from volition.logic.traversal import atomic_formulas, expand_agents

__all__ = [
    "ChannelBounds",
    "bounds_from_project",
    "bounds_from_space",
    "model_for_spin",
    "to_promela",
]


def to_promela(
    program: AgentSpeakProgram,
    formulas: Mapping[str, Formula] | None = None,
    sizes: ChannelBounds | None = None,
) -> str:
    """Return the Promela model of an AgentSpeak(F) system, with an ``ltl`` block for each named
    formula.

    ``sizes`` are the capacities of channels, by default the bounds stated in the project. Raise
    :class:`InputError` for anything that has no translation: structured terms, goals that return
    values, worlds written in Python, the next operator.
    """
    if not isinstance(program.world, EmptyWorld) and PromelaNames(program).world is None:
        raise unsupported("a world written in Python", None, "declare the world in a world file")
    return (
        "\n".join(
            _Model(program, dict(formulas or {}), sizes or bounds_from_project(program)).lines()
        )
        + "\n"
    )


def model_for_spin(program: Program, formula: Formula, room: Mapping[str, int]) -> str:
    """Return the Promela model of a program, with one formula as ``ltl`` block, for
    :class:`volition.checking.spin.engine.Spin`.

    ``room`` maps the name of a bound, such as ``M_Ev``, to the minimum capacity of its channels.
    Raise :class:`InputError` if a bound that the project states, or the default bound, is too
    small.
    """
    if not isinstance(program, AgentSpeakProgram):
        raise unsupported(f"a program in {program.language}", None)
    sizes = bounds_from_project(program)
    for bound, needed in room.items():
        agent, _, name = bound.rpartition(".")
        if agent:
            raise _exceeded(agent, name, sizes.own[name][agent])
        stated = bound in sizes.stated
        limit = sizes.bounds[bound] if stated else DEFAULT_BOUND
        # The engine doubles a capacity that was too small and requests the model again. If it
        # requests at least twice the default bound, the default bound itself was too small.
        if bound in sizes.bounds and (stated or needed >= 2 * limit):
            raise _exceeded("an agent", bound, limit)
    return to_promela(program, {"specification": formula}, enlarge(sizes, room))


def _exceeded(owner: str, bound: str, limit: int) -> InputError:
    hint = f"set {bound} higher in the project, if the system really needs more"
    return InputError(
        [
            Diagnostic(
                "ASP050",
                f"{owner} exceeds the bound {bound} = {limit} in the Promela model",
                hint=hint,
            )
        ]
    )


class _Model:
    """Promela model of a system, written section by section in the order of the text."""

    def __init__(
        self, program: AgentSpeakProgram, formulas: Mapping[str, Formula], sizes: ChannelBounds
    ) -> None:
        self._program = program
        self._sizes = sizes
        self._model = program.model()
        self._formulas = {
            name: expand_agents(formula, self._model.agents) for name, formula in formulas.items()
        }
        for formula in self._formulas.values():
            refuse_deadlock(self._model, formula, "Promela")
        queried = [
            parse_atom(atomic, self._model)
            for formula in self._formulas.values()
            for atomic in atomic_formulas(formula)
        ]
        self._names = PromelaNames(program, [atom for atom in queried if atom is not None])
        self._matcher = Matcher(self._names)

    def lines(self) -> Lines:
        names, sizes = self._names, self._sizes
        world = (
            None
            if names.world is None
            else EnvironmentWriter(names, names.world, sizes, self._matcher)
        )
        shared = inlines(names, sizes)
        if world is None:
            shared += inline("_Recount", "", ["skip"])
        else:
            shared += world.inlines()
        agents = [
            line
            for name, agent in self._program.agents.items()
            for line in AgentWriter(
                name, agent, self._program.settings[name], names, sizes, self._matcher
            ).lines()
        ]
        processes = world.processes() if world else []
        conditions = (
            None if names.world is None else ConditionWriter(names, names.world, self._matcher)
        )
        properties = PropertyWriter(names, sizes, self._model, conditions)
        blocks = [
            line
            for name, formula in self._formulas.items()
            for line in properties.ltl(name, formula)
        ]
        max_variables = max(
            (
                len(stored_variables(plan))
                for agent in self._program.agents.values()
                for plan in agent.plans
            ),
            default=1,
        )
        return [
            f"/* {self._program.name}: AgentSpeak(F) as Promela. */",
            "",
            *identifiers(names, sizes, max_variables),
            *channels(names, sizes),
            *(world.declarations() if world else []),
            *self._temporaries(),
            *shared,
            *agents,
            *processes,
            *self._init(world),
            *properties.definitions(),
            *blocks,
        ]

    def _temporaries(self) -> Lines:
        """Return the declarations of variables that hold a value only within a step. They are
        hidden, so that they are not part of Spin's state."""
        names = self._names
        spare = max(names.terms + 1, 4 + names.terms)
        groups = [
            names.fields("_t"),
            names.fields("_e_"),
            ",".join(f"_r{number}" for number in range(spare)),
            ",".join(f"_k{number}" for number in range(max(2, self._matcher.counters + 1))),
            "_s,_x,_y,_n,_want,_found,_plan,_idx,_sender,_force,_sign,_kind,_rank,_best",
            ",".join(f"Q{number}__" for number in range(1, self._matcher.flags + 1)),
            ",".join(names.plan_variables),
        ]
        return [
            "/* Values within a step. */",
            *(f"hidden short {group};" for group in groups if group),
            "",
        ]

    def _init(self, world: EnvironmentWriter | None) -> Lines:
        """Return the Promela process ``init``, which builds the initial state and starts the
        environment and the agents."""
        names = self._names
        fill: Lines = []
        for index, agent in enumerate(self._program.agents.values()):
            beliefs = dict.fromkeys(atom for atom, _ in agent.beliefs)
            fill += [f"_b[{index}]!{names.message(atom, None)},_INITIAL;" for atom in beliefs]
            fill += [
                f"_e[{index}]!0,_ADD,_GOAL,{names.message(goal, None)};" for goal, _ in agent.goals
            ]
        if world is not None:
            fill += [*world.initial(), "_Settle();"]
        runs = [f"run Agent_{name}();" for name in self._program.agents]
        if world is not None:
            runs = [
                "run Environment();",
                *(["run Nature();"] if world.world.free_percepts else []),
                *runs,
            ]
        filled = ["d_step {", *indented(fill), "};"] if fill else []
        return [
            "init {",
            "    atomic {",
            *indented([*filled, *runs, "_started = 1"], 2),
            "    }",
            "}",
            "",
        ]
