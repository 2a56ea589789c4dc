"""All agents and their world: the steps of each, and the graph of all states."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.languages.jason.reference.choices import Choose, ways
from tests.languages.jason.reference.internals import declared
from tests.languages.jason.reference.state import Directory, Due, Mind, Timer, Waiting
from tests.languages.jason.reference.steps import Steps
from tests.languages.jason.reference.terms import Unspecified
from volition.languages.jason.syntax import AgentProgram
from volition.languages.jason.terms import Literal, Term, Text
from volition.languages.world.interface import World, split_failure
from volition.languages.world.terms import Structure
from volition.languages.world.terms import Text as WorldText

__all__ = ["STOPPING", "Graph", "State", "System", "TooManyStates"]

State = tuple[tuple[tuple[Any, ...], ...], tuple[tuple[str, Any], ...], Directory]
"""The frozen minds of all agents, the slots of the world, and the yellow pages."""


STOPPING = ".stopMAS"
"""A slot beside those of the world, once ``.stopMAS`` was called: the run may end at any moment
then."""

MAX_ACTIONS = 4
"""As many are worked on at a time, in no fixed order."""


class TooManyStates(Exception):
    pass


@dataclass
class Graph:
    """The states, the first one initial, and the successors of each; what happened on the way to a
    successor is its name."""

    states: list[State]
    successors: list[list[tuple[str, int]]]


class System:
    """``world`` is None where every action fails."""

    def __init__(
        self,
        programs: Mapping[str, AgentProgram],
        world: World | None,
        *,
        is_time_free: bool,
        options: Sequence[str] = (),
    ) -> None:
        """``options`` are lines of the file beside the project, and what it says of its agents."""
        self.names = list(programs)
        self.agents = [Steps(name, program, self.names) for name, program in programs.items()]
        for each in self.agents:
            each.is_time_free = is_time_free
            each.internals = declared(options)
            each.requeues = "events=requeue" in options
            each.has_new_focus = "intBels=newFocus" in options
        self._results_are_late = "results = after perception" not in options
        self._percepts_have_order = "percept_order = any" not in options
        self.world = world
        self.is_time_free = is_time_free
        self._deliberated: dict[Any, list[tuple[Any, ...]]] = {}
        """What comes of a mind in Deliberate, which looks at nothing else."""

    def explore(self, maximum: int) -> Graph:
        start = self.initial()
        numbers = {start: 0}
        graph = Graph([start], [])
        waiting = deque([start])
        while waiting:
            successors = []
            for name, state in self.steps(waiting.popleft()):
                if state not in numbers:
                    if len(numbers) == maximum:
                        raise TooManyStates
                    numbers[state] = len(numbers)
                    graph.states.append(state)
                    waiting.append(state)
                successors.append((name, numbers[state]))
            graph.successors.append(successors)
        return graph

    def initial(self) -> State:
        slots = self.world.slots if self.world is not None else {}
        return (
            tuple(each.start().frozen() for each in self.agents),
            tuple(sorted(slots.items())),
            (frozenset(), frozenset()),
        )

    def steps(self, state: State) -> Iterator[tuple[str, State]]:
        stopping = dict(state[1]).get(STOPPING)
        if stopping == "over":
            return iter(())
        moves = [
            *self._agents(state),
            *self._actions(state),
            *self._world(state),
            *self._timers(state),
        ]
        end = [("the system stops", _with_slot(state, STOPPING, "over"))] if stopping else []
        return iter([*(moves or list(self._passing(state))), *end])

    def thawed(self, state: State) -> list[Mind]:
        return [Mind.thawed(name, mind) for name, mind in zip(self.names, state[0], strict=True)]

    # --- agents -----------------------------------------------------------------------------------

    def _agents(self, state: State) -> Iterator[tuple[str, State]]:
        for number, agent in enumerate(self.agents):
            mind = Mind.thawed(agent.name, state[0][number])
            yield from getattr(self, f"_{mind.part.lower()}")(state, number, agent, mind)

    def _perceive(
        self, state: State, number: int, agent: Steps, mind: Mind
    ) -> Iterator[tuple[str, State]]:
        percepts = self.percepts(state, agent.name)
        for order in self._orders(percepts, mind):
            each = Mind.thawed(agent.name, state[0][number])
            if self._differ(percepts, each):
                agent.perceive(each, order)
            for acting in each.FA:
                acting.seen = True
            each.part = "Deliberate"
            yield f"{agent.name}: Perceive", self._with(state, number, each)

    def _orders(self, percepts: list[Literal], mind: Mind) -> Iterator[Sequence[Literal]]:
        """What is new may become known in any order, if that is wished."""
        if self._percepts_have_order:
            return iter([percepts])
        new = [each for each in percepts if str(each) not in mind.seen]
        old = [each for each in percepts if str(each) in mind.seen]
        return ([*old, *some] for some in permutations(new))

    def _asleep(
        self, state: State, number: int, agent: Steps, mind: Mind
    ) -> Iterator[tuple[str, State]]:
        """It wakes by mail, a result, a timer or a change; in the first three cases it may have
        perceived just before a change."""
        woken = bool(
            mind.MB or agent.results(mind) or mind.tasks or any(not each.seen for each in mind.FA)
        )
        differ = self._differ(self.percepts(state, agent.name), mind)
        if woken and differ:
            yield from self._deliberate(
                state, number, agent, Mind.thawed(agent.name, state[0][number])
            )
        if woken or differ:
            yield from self._perceive(state, number, agent, mind)

    def _differ(self, percepts: list[Literal], mind: Mind) -> bool:
        """Whether something has changed since the agent perceived."""
        return frozenset(map(str, percepts)) != mind.seen

    def _deliberate(
        self, state: State, number: int, agent: Steps, _mind: Mind
    ) -> Iterator[tuple[str, State]]:
        before = agent.name, state[0][number]
        if before not in self._deliberated:
            self._deliberated[before] = list(
                ways(lambda choose: self._after_deliberating(agent, state, number, choose))
            )
        minds, slots, directory = state
        for after in self._deliberated[before]:
            yield (
                f"{agent.name}: Deliberate",
                ((*minds[:number], after, *minds[number + 1 :]), slots, directory),
            )

    def _after_deliberating(
        self, agent: Steps, state: State, number: int, choose: Choose
    ) -> tuple[Any, ...]:
        mind = Mind.thawed(agent.name, state[0][number])
        mind.part, mind.choose = "Act", choose
        agent.deliberate(mind)
        return mind.frozen()

    def _act(
        self, state: State, number: int, agent: Steps, _mind: Mind
    ) -> Iterator[tuple[str, State]]:
        for after in ways(lambda choose: self._after_acting(agent, state, number, choose)):
            yield f"{agent.name}: Act", after

    def _after_acting(self, agent: Steps, state: State, number: int, choose: Choose) -> State:
        mind = Mind.thawed(agent.name, state[0][number])
        mind.choose, mind.directory = choose, state[2]
        agent.process_result(mind)
        agent.select_intention(mind)
        agent.execute(mind, lambda: self._new_ask(state, agent.name))
        has_to_look = any(not each.seen for each in mind.FA)
        idle = not (
            has_to_look
            or mind.MB
            or agent.results(mind)
            or mind.tasks
            or agent.is_kept_awake(mind)
            or agent.can_select_intention(mind)
        )
        mind.part = (
            "asleep"
            if idle and not self._differ(self.percepts(state, agent.name), mind)
            else "Perceive"
        )
        minds = self.thawed(state)
        minds[number] = mind
        for receiver, message in mind.sent:
            minds[self.names.index(receiver)].MB.append(message)
        after = tuple(each.frozen() for each in minds), state[1], mind.directory
        return _with_slot(after, STOPPING, "asked for") if mind.stops else after

    def _new_ask(self, state: State, name: str) -> Literal:
        """The first that is not spoken of anywhere."""
        number = 1
        while _mentions(state, ask := Literal("ask", (Literal(name), number))):
            number += 1
        return ask

    def _with(self, state: State, number: int, mind: Mind) -> State:
        return (*state[0][:number], mind.frozen(), *state[0][number + 1 :]), *state[1:]

    def percepts(self, state: State, agent: str) -> list[Literal]:
        return (
            [_literal(each) for each in self.world.percepts(dict(state[1]), agent)]
            if self.world is not None
            else []
        )

    # --- world and time ---------------------------------------------------------------------------

    def _actions(self, state: State) -> Iterator[tuple[str, State]]:
        """The effect of any outstanding action and, later, its result."""
        if sum(len(each.PA) for each in self.thawed(state)) > MAX_ACTIONS:
            raise Unspecified("which of many actions the environment works on")
        is_looking = self._somebody_has_to_look(state)
        for number, name in enumerate(self.names):
            for index, acting in enumerate(Mind.thawed(name, state[0][number]).PA):
                if acting.status == "asked":
                    if is_looking:
                        continue
                    for writes, failed in self._effects(state, name, acting.action):
                        mind = Mind.thawed(name, state[0][number])
                        mind.PA[index].status = "failed" if failed else "done"
                        slots = tuple(sorted({**dict(state[1]), **writes}.items()))
                        changed = (state[0], slots, state[2])
                        mind.PA[index].seen = self._results_are_late
                        if acting.intention is None:
                            del mind.PA[index]
                        elif not self._results_are_late:
                            mind.FA.append(mind.PA.pop(index))
                        yield f"{name} does {acting.action}", self._with(changed, number, mind)
                else:
                    mind = Mind.thawed(name, state[0][number])
                    mind.FA.append(mind.PA.pop(index))
                    yield f"{name} is told of {acting.action}", self._with(state, number, mind)

    def _effects(
        self, state: State, name: str, action: Literal
    ) -> Iterator[tuple[Mapping[str, Any], bool]]:
        if self.world is None:
            yield {}, True
            return
        structure = _structure(action)
        assert isinstance(structure, Structure)
        for move in self.world.execute(dict(state[1]), name, structure):
            for _, writes in move.outcomes:
                yield split_failure(writes)

    def _world(self, state: State) -> Iterator[tuple[str, State]]:
        if self.world is not None and not self._somebody_has_to_look(state):
            for move in (
                *self.world.spontaneous_transitions(dict(state[1])),
                *self.world.free_percept_changes(dict(state[1])),
            ):
                for _, writes in move.outcomes:
                    yield (
                        f"world: {move.name}",
                        (state[0], tuple(sorted({**dict(state[1]), **writes}.items())), state[2]),
                    )

    def _somebody_has_to_look(self, state: State) -> bool:
        """Whether some agent has yet to perceive what it did, which is waited for if results come
        after perception."""
        return any(not acting.seen for mind in self.thawed(state) for acting in mind.FA)

    def _timers(self, state: State) -> Iterator[tuple[str, State]]:
        """A timer that is due ends; where time is free, each is."""
        for number, name in enumerate(self.names):
            for index, waiting in enumerate(Mind.thawed(name, state[0][number]).PI):
                if waiting.time == 0:
                    mind = Mind.thawed(name, state[0][number])
                    ended = mind.PI[index]
                    ended.time, ended.is_over = None, True
                    mind.tasks.append(Due("done" if ended.reason == "timer" else "timeout", ended))
                    yield f"{name}: a timer ends", self._with(state, number, mind)
            for index, timer in enumerate(Mind.thawed(name, state[0][number]).timers):
                if timer.time == 0:
                    mind = Mind.thawed(name, state[0][number])
                    del mind.timers[index]
                    mind.tasks.append(Due(timer.reason, timer.event))
                    yield f"{name}: a timer ends", self._with(state, number, mind)

    def _passing(self, state: State) -> Iterator[tuple[str, State]]:
        """Nothing else can move: time jumps to the next deadline."""
        minds = self.thawed(state)
        clocks: list[Timer | Waiting] = [each for mind in minds for each in mind.PI]
        clocks += [each for mind in minds for each in mind.timers]
        running = [each for each in clocks if each.time is not None]
        if running:
            passed = min(each.time or 0 for each in running)
            for each in running:
                each.time = (each.time or 0) - passed
            for mind in minds:
                for waiting in mind.PI:
                    if (
                        waiting.reason in ("query", "event")
                        and not waiting.is_over
                        and _is_timed(waiting)
                    ):
                        waiting.took += passed
            yield "time passes", (tuple(each.frozen() for each in minds), *state[1:])


def _with_slot(state: State, slot: str, value: str) -> State:
    minds, slots, directory = state
    return minds, tuple(sorted({**dict(slots), slot: value}.items())), directory


def _is_timed(waiting: Waiting) -> bool:
    """Whether somebody asks how long a wait took."""
    return len(waiting.intention[-1].body[0].action.arguments) > 2


def _mentions(node: Any, requested: Literal) -> bool:
    if node == requested:
        return True
    if isinstance(node, tuple):
        return any(_mentions(each, requested) for each in node)
    return isinstance(node, Literal) and _mentions(node.arguments, requested)


def _literal(term: Any) -> Any:
    if isinstance(term, Structure):
        name = term.functor.removeprefix("~")
        return Literal(
            name, tuple(_literal(each) for each in term.arguments), negated=name != term.functor
        )
    if isinstance(term, WorldText):
        return Text(term.value)
    return float(term) if isinstance(term, Fraction) else term


def _structure(term: Term) -> Any:
    match term:
        case Literal(functor, arguments):
            return Structure(functor, tuple(_structure(each) for each in arguments))
        case Text(value):
            return WorldText(value)
    return term
