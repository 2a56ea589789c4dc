"""A plain interpreter of AgentSpeak(F), written from Sect. 4.1 without the kernel and without the
package's matching.

States are nested tuples, terms are strings and numbers, and everything is recomputed in every
state.  It knows no trust functions; of the package it uses the parsed programs and the world.  An
intended means is a plan, a formula counter, the means that waits for it, the values of its
variables, and the goal in the event that triggered it (None where that is no goal).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from volition.languages.agentspeak import AgentSpeakProgram
from volition.languages.agentspeak import syntax as tree
from volition.languages.agentspeak.settings import SelectionFunction
from volition.languages.world.terms import Structure, Term, Variable, list_items, show

Flat = tuple[Any, ...]
"""``p(X,1)`` as ``("p", "?X", 1)``; a variable starts with a question mark."""


def flat(atom: Structure) -> Flat:
    return (atom.functor, *(_flat_term(each) for each in atom.arguments))


def _flat_term(term: Term) -> Any:
    if isinstance(term, Variable):
        return "?" + term.name
    return term if isinstance(term, int) else show(term)


def as_text(atom: Flat) -> str:
    """``("p", "?X", 1)`` as ``p(X,1)``."""
    arguments = ",".join(str(each).removeprefix("?") for each in atom[1:])
    return f"{atom[0]}({arguments})" if arguments else str(atom[0])


def _with_source_other(beliefs: Any, fact: Any) -> Any:
    """Beliefs after a fact that is believed is told or added: only a percept gets another
    source."""
    return tuple(
        (each, "other") if (each, source) == (fact, "percept") else (each, source)
        for each, source in beliefs
    )


def _match(pattern: Flat, fact: Flat, bindings: dict[str, Any]) -> dict[str, Any] | None:
    if len(pattern) != len(fact) or pattern[0] != fact[0]:
        return None
    extended = dict(bindings)
    for mine, yours in zip(pattern[1:], fact[1:], strict=True):
        if mine == "?_":
            continue
        if isinstance(mine, str) and mine.startswith("?"):
            if extended.setdefault(mine, yours) != yours:
                return None
        elif mine != yours:
            return None
    return extended


def _fill(pattern: Flat, bindings: dict[str, Any]) -> Flat:
    return tuple(bindings.get(each, each) for each in pattern)


def _value(term: Term, bindings: dict[str, Any]) -> Any:
    return bindings.get(_flat_term(term), _flat_term(term))


def _computed(node: tree.Compute, bindings: dict[str, Any]) -> dict[str, Any] | None:
    left, right = _value(node.left, bindings), _value(node.right, bindings)
    total = {"+": left + right, "-": left - right, "*": left * right}[node.function]
    return _match(("sum", _flat_term(node.result)), ("sum", total), bindings)


def _unified(node: tree.Unify, bindings: dict[str, Any]) -> dict[str, Any] | None:
    left, right = _value(node.left, bindings), _value(node.right, bindings)
    pattern, known = (right, left) if str(right).startswith("?") else (left, right)
    return _match(("same", pattern), ("same", known), bindings)


def _holds(relation: str, left: Any, right: Any) -> bool:
    if relation in ("=", "!="):
        return bool((left == right) == (relation == "="))
    return bool(eval(f"left {relation} right"))


class Reference:
    """The system of a program; :meth:`explore` gives its states and the number of choices in
    them."""

    def __init__(self, program: AgentSpeakProgram) -> None:
        self._programs = program.agents
        self._names = list(program.agents)
        self._world = program.world
        settings = program.settings[self._names[0]]
        self._cycles, self._fails = settings.idle == "cycle", settings.on_failure == "event"
        self._select_event, self._select_intention = (
            settings.select_event,
            settings.select_intention,
        )

    def explore(self, maximum: int) -> tuple[set[Any], int]:
        start = self._initial()
        seen = {start}
        waiting = deque([start])
        choices = 0
        while waiting and len(seen) <= maximum:
            state = waiting.popleft()
            for outcomes in self._choices(state):
                choices += 1
                for successor in outcomes:
                    if successor not in seen:
                        seen.add(successor)
                        waiting.append(successor)
        return seen, choices

    def _initial(self) -> Any:
        minds = []
        for program in self._programs.values():
            beliefs = tuple(dict.fromkeys((flat(atom), "initial") for atom, _ in program.beliefs))
            events = tuple(("+", "achieve", flat(goal), None) for goal, _ in program.goals)
            minds.append((0, beliefs, (), events, (), ()))
        return tuple(minds), tuple(sorted(self._world.slots.items())), ()

    def _choices(self, state: Any) -> Iterator[list[Any]]:
        """The states to which each choice may lead: several where chance decides."""
        for number in range(len(self._names)):
            for successor in self._agent(state, number):
                yield [successor]
        minds, world, actions = state
        slots = dict(world)
        for move in self._world.spontaneous_transitions(slots):
            yield [
                (minds, tuple(sorted({**slots, **writes}.items())), actions)
                for _, writes in move.outcomes
            ]
        if actions:
            agent, action = actions[0]
            arguments = tuple(
                Structure(each) if isinstance(each, str) else each for each in action[1:]
            )
            for move in self._world.execute(slots, agent, Structure(action[0], arguments)):
                yield [
                    (minds, tuple(sorted({**slots, **writes}.items())), actions[1:])
                    for _, writes in move.outcomes
                ]

    # --- one agent --------------------------------------------------------------------------------

    def _agent(self, state: Any, number: int) -> Iterator[Any]:
        minds, world, actions = state
        name = self._names[number]
        part, beliefs, mail, events, ready, means = minds[number]
        percepts = [flat(each) for each in self._world.percepts(dict(world), name)]
        facts = [fact for fact, _ in beliefs]
        new = [each for each in percepts if each not in facts]
        gone = [fact for fact, source in beliefs if source == "percept" and fact not in percepts]

        def result(
            beliefs: Any,
            mail: Any,
            events: Any,
            ready: Any,
            means: Any,
            actions: Any,
            sent: Sequence[tuple[int, Any]] = (),
        ) -> Any:
            after = list(minds)
            after[number] = ((part + 1) % 4, beliefs, mail, events, ready, _trim(means))
            for to, message in sent:
                mind = after[to]
                after[to] = (*mind[:2], (*mind[2], message), *mind[3:])
            return tuple(after), world, actions

        if part == 0:
            if not self._cycles and not (mail or events or ready or new or gone):
                return
            if mail:
                (force, content), mail = mail[0], mail[1:]
                if force == "tell" and content in facts:
                    beliefs = _with_source_other(beliefs, content)
                elif force == "tell":
                    beliefs, events = (
                        (*beliefs, (content, "other")),
                        (*events, ("+", "belief", content, None)),
                    )
                elif force == "untell" and content in facts:
                    beliefs = tuple(each for each in beliefs if each[0] != content)
                    events = (*events, ("-", "belief", content, None))
                elif force == "achieve":
                    events = (*events, ("+", "achieve", content, None))
            yield result(beliefs, mail, events, ready, means, actions)
        elif part == 1:
            beliefs = tuple(
                each
                for each in (*beliefs, *((fact, "percept") for fact in new))
                if each[0] not in gone
            )
            events = (
                *events,
                *(("+", "belief", fact, None) for fact in new),
                *(("-", "belief", fact, None) for fact in gone),
            )
            yield result(beliefs, mail, events, ready, means, actions)
        elif part == 2:
            if not events:
                yield result(beliefs, mail, events, ready, means, actions)
            for event, others in _selected(
                self._select_event, events, [atom[0] for _, _, atom, _ in events]
            ):
                yield result(
                    beliefs, mail, *self._handled(name, event, others, facts, ready, means), actions
                )
        elif not ready:
            yield result(beliefs, mail, events, ready, means, actions)
        else:
            functors = [
                self._programs[name].plans[means[each][0]].trigger.atom.functor for each in ready
            ]
            for index, others in _selected(self._select_intention, ready, functors):
                yield from self._run(
                    name, beliefs, mail, events, index, others, means, actions, result
                )

    def _handled(
        self, name: str, event: Any, events: Any, facts: list[Flat], ready: Any, means: Any
    ) -> tuple[Any, Any, Any]:
        """Events, ready intentions and means after a selected event; ``events`` are the others."""
        found = self._plan_for(name, event, facts)
        if found is not None:
            plan, bindings = found
            entries = [*means, None]
            free = entries.index(None)
            entries[free] = (
                plan,
                0,
                event[3],
                _stored(bindings),
                event[2] if event[:2] == ("+", "achieve") else None,
            )
            return events, self._ordered((*ready, free)), tuple(entries)
        if self._fails and event[:2] == ("+", "achieve"):
            return (*events, ("-", *event[1:])), ready, means
        if self._fails and event[:2] == ("-", "achieve"):
            events, means = _failed(event[3], events, means)
        return events, ready, means

    def _ordered(self, ready: Any) -> Any:
        """Where any intention may be next, those that are ready are a set."""
        return (
            tuple(sorted(ready)) if self._select_intention.policy == "nondeterministic" else ready
        )

    def _plan_for(
        self, name: str, event: Any, facts: list[Flat]
    ) -> tuple[int, dict[str, Any]] | None:
        for number, plan in enumerate(self._programs[name].plans):
            if (plan.trigger.sign, plan.trigger.kind) == event[:2]:
                bindings = _match(flat(plan.trigger.atom), event[2], {})
                if bindings is not None:
                    for found in self._solutions(list(plan.context), facts, bindings):
                        return number, found
        return None

    def _solutions(
        self, context: list[tree.Condition], facts: list[Flat], bindings: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        if not context:
            yield bindings
            return
        first, rest = context[0], context[1:]
        if isinstance(first, tree.Compare):
            if _holds(first.relation, _value(first.left, bindings), _value(first.right, bindings)):
                yield from self._solutions(rest, facts, bindings)
            return
        if isinstance(first, tree.Compute):
            found = _computed(first, bindings)
            if found is not None:
                yield from self._solutions(rest, facts, found)
            return
        if isinstance(first, tree.Unify):
            found = _unified(first, bindings)
            if found is not None:
                yield from self._solutions(rest, facts, found)
            return
        matches = [
            found
            for fact in facts
            if (found := _match(flat(first.atom), fact, bindings)) is not None
        ]
        if isinstance(first, tree.NegatedBeliefCondition):
            if not matches:
                yield from self._solutions(rest, facts, bindings)
            return
        for found in matches:
            yield from self._solutions(rest, facts, found)

    def _run(
        self,
        name: str,
        beliefs: Any,
        mail: Any,
        events: Any,
        index: int,
        ready: Any,
        means: Any,
        actions: Any,
        result: Any,
    ) -> Iterator[Any]:
        plan, counter, parent, stored, goal = means[index]
        body = self._programs[name].plans[plan].body
        bindings = dict(stored)
        facts = [fact for fact, _ in beliefs]
        sent: list[tuple[int, Any]] = []
        outcomes: list[dict[str, Any] | None] = [bindings]
        suspended = False

        def send(to: str, force: str, content: Structure) -> None:
            sent.append((self._names.index(to), (force, _fill(flat(content), bindings))))

        if counter < len(body):
            formula = body[counter]
            match formula:
                case tree.Act(atom):
                    actions = (*actions, (name, _fill(flat(atom), bindings)))
                case tree.Achieve(atom):
                    events = (*events, ("+", "achieve", _fill(flat(atom), bindings), index))
                    suspended = True
                case tree.Test(atom):
                    outcomes = [
                        next(
                            (
                                m
                                for fact in facts
                                if (m := _match(flat(atom), fact, bindings)) is not None
                            ),
                            None,
                        )
                    ]
                case tree.AddBelief(atom):
                    fact = _fill(flat(atom), bindings)
                    if fact in facts:
                        beliefs = _with_source_other(beliefs, fact)
                    else:
                        beliefs, events = (
                            (*beliefs, (fact, "other")),
                            (*events, ("+", "belief", fact, None)),
                        )
                case tree.RemoveBelief(atom):
                    found = next(
                        (fact for fact in facts if _match(flat(atom), fact, bindings) is not None),
                        None,
                    )
                    if found is not None:
                        beliefs = tuple(each for each in beliefs if each[0] != found)
                        events = (*events, ("-", "belief", found, None))
                case tree.Send(receiver, force, content):
                    send(str(_value(receiver, bindings)), force, content)
                case tree.Broadcast(force, content):
                    for other in self._names:
                        if other != name:
                            send(other, force, content)
                case tree.Compare(relation, left, right):
                    if not _holds(relation, _value(left, bindings), _value(right, bindings)):
                        outcomes = [None]
                case tree.Unify():
                    outcomes = [_unified(formula, bindings)]
                case tree.Compute():
                    outcomes = [_computed(formula, bindings)]
                case tree.RandomItem(items, target):
                    drawn = [("item", _flat_term(each)) for each in list_items(items) or ()]
                    outcomes = [
                        m
                        for item in drawn
                        if (m := _match(("item", _flat_term(target)), item, bindings)) is not None
                    ] or [None]
        for outcome in outcomes:
            entries, again = list(means), None
            if outcome is None and self._fails:
                after, left = _failed(index, events, means)
                yield result(beliefs, mail, after, ready, left, actions, sent)
                continue
            if outcome is not None and not suspended:
                if counter + 1 >= len(body):
                    entries[index] = None
                    if parent is not None:
                        below = entries[parent]
                        entries[parent] = (below[0], below[1] + 1, *below[2:])
                        again = parent
                else:
                    entries[index] = (plan, counter + 1, parent, _stored(outcome), goal)
                    again = index
            queue = ready if again is None else self._put_back(ready, again)
            yield result(beliefs, mail, events, queue, tuple(entries), actions, sent)

    def _put_back(self, ready: Any, index: int) -> Any:
        """``fifo`` goes on with the intention that ran until it ends or waits."""
        return (
            (index, *ready)
            if self._select_intention.policy == "fifo"
            else self._ordered((*ready, index))
        )


def _selected(
    selection: SelectionFunction, waiting: Sequence[Any], functors: Sequence[str]
) -> Iterator[tuple[Any, Any]]:
    """What may come next of what waits, and the others; ``functors`` are what priorities name."""
    if not waiting:
        return
    indices = list(range(len(waiting)))
    if selection.policy == "lifo":
        indices = indices[-1:]
    elif selection.policy == "priority":
        urgent = [
            index for name in selection.priorities for index in indices if functors[index] == name
        ]
        indices = (urgent or indices)[:1]
    elif selection.policy != "nondeterministic":
        indices = indices[:1]
    for position in indices:
        yield waiting[position], (*waiting[:position], *waiting[position + 1 :])


def _failed(index: int | None, events: Any, means: Any) -> tuple[Any, Any]:
    """Events and means after the failure of a means: down to one that pursues a goal, which has
    failed for who waits for it."""
    entries = list(means)
    while index is not None:
        (*_, parent, _, goal), entries[index] = entries[index], None
        if goal is not None:
            return (*events, ("-", "achieve", goal, parent)), tuple(entries)
        index = parent
    return events, tuple(entries)


def holds(modality: str, mind: Any, query: Flat) -> bool:
    """``Bel``, ``Des`` and ``Int`` of Sect. 4.2: of beliefs, of goals in events and intentions, of
    goals in intentions."""
    _, beliefs, _, events, ready, means = mind
    if modality == "Bel":
        return any(_match(query, fact, {}) is not None for fact, _ in beliefs)
    goals = (
        [goal for sign, kind, goal, _ in events if (sign, kind) == ("+", "achieve")]
        if modality == "Des"
        else []
    )
    for top in (*ready, *(intention for *_, intention in events)):
        while top is not None:
            (*_, top, _, goal) = means[top]
            goals += [] if goal is None else [goal]
    return any(_match(query, goal, {}) is not None for goal in goals)


def _stored(bindings: dict[str, Any]) -> Flat:
    return tuple(sorted(bindings.items()))


def _trim(means: Any) -> Any:
    entries = list(means)
    while entries and entries[-1] is None:
        entries.pop()
    return tuple(entries)
