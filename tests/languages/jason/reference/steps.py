"""ExecInt: what each kind of step does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.languages.jason.reference import beliefs
from tests.languages.jason.reference.calls import Calls, known_literal
from tests.languages.jason.reference.forks import Join, joined, split
from tests.languages.jason.reference.goals import fail_goal
from tests.languages.jason.reference.intentions import instantiated, ready, without_step
from tests.languages.jason.reference.loops import Loop
from tests.languages.jason.reference.queries import solutions
from tests.languages.jason.reference.state import Acting, Event, Mind, Timer
from tests.languages.jason.reference.terms import (
    Substitution,
    Unspecified,
    applied,
    is_ground,
    items_of,
    renamed,
    with_annotations,
)
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    BeliefRule,
    Constraint,
    For,
    Fork,
    If,
    InternalAction,
    RemoveBelief,
    ReplaceBelief,
    Test,
    VariableStep,
    While,
)
from volition.languages.jason.terms import And, Literal, Term, Variable, indicator

__all__ = ["Steps"]

_LISTS = (".member", ".range")


class Steps(Calls):
    """An agent that acts."""

    def execute(self, mind: Mind, new_ask: Callable[[], Literal]) -> None:
        """One step of the current intention, if there is one, and ClrInt."""
        if mind.current is None:
            return
        self.new_ask = new_ask
        body = mind.current[-1].body
        if body:
            self._step(mind, body[0])
        else:
            ready(mind, self.cleared(mind, mind.current))
        mind.current = None

    def _step(self, mind: Mind, step: Any) -> None:
        match step:
            case Act(action):
                self._act(mind, action)
            case InternalAction(action):
                self.call(mind, action)
            case Achieve(goal, own_intention):
                self._achieve(mind, goal, own_intention)
            case Test(query):
                self._test(mind, query)
            case AddBelief(belief, own_intention, last):
                self._add(mind, belief, own_intention, last)
            case RemoveBelief(belief, own_intention):
                self._remove(mind, belief, own_intention)
            case ReplaceBelief(belief):
                literal = known_literal(belief)
                event, _ = beliefs.remove(mind, beliefs.pattern(literal))
                self.external(mind, "-", "belief", event)
                self._add(mind, literal, own_intention=False, last=False)
            case Constraint(formula):
                self.first_solution(mind, formula, "constraint_failed")
            case If(condition, then, otherwise):
                found = self.solution(mind, condition)
                self.go_on_with(mind, otherwise if found is None else then, found or {})
            case For(query, body):
                self._loop(mind, Loop(query, body, self._candidates(mind, query)))
            case Loop():
                self._loop(mind, step)
            case While(condition, body):
                found = self.solution(mind, condition)
                self.go_on_with(
                    mind, () if found is None else (*renamed(applied(body, found)), step), {}
                )
            case Fork():
                split(mind, self.current(mind), step)
            case Join():
                going_on = joined(mind, self.current(mind), step)
                self.tell_dropped(mind)
                if going_on is not None:
                    ready(mind, self.cleared(mind, without_step(going_on)))
            case VariableStep(Literal() as action):
                self.call(mind, action) if action.is_internal else self._act(mind, action)
            case _:
                raise Unspecified(f"the step {step!r}")

    # --- the rows of the table --------------------------------------------------------------------

    def _act(self, mind: Mind, action: Literal) -> None:
        if not is_ground(action):
            raise Unspecified(f"an action with variables: {action}")
        self.observe_top(mind, self.current(mind), "waiting")
        mind.PA.append(Acting(with_annotations(action, ()), "asked", self.current(mind)))

    def _achieve(self, mind: Mind, goal: Literal | Variable, own_intention: bool) -> None:
        literal = known_literal(goal)
        if own_intention:
            self.external(mind, "+", "achieve", beliefs.from_self(literal))
            self.go_on(mind, {})
        else:
            self._ask_for(mind, "achieve", literal)
        self._set_deadline(mind, beliefs.from_self(literal))

    def _set_deadline(self, mind: Mind, goal: Literal) -> None:
        """``!g[hard_deadline(milliseconds)]``: the goal fails if it is still pursued then."""
        for each in items_of(goal.annotations):
            if isinstance(each, Literal) and each.functor == "hard_deadline":
                mind.timers.append(
                    Timer(
                        "deadline",
                        Event("+", "achieve", renamed(goal)),
                        self.time(each.arguments[0]),
                    )
                )

    def deadline(self, mind: Mind, goal: Literal) -> None:
        fail_goal(self, mind, goal, Literal("deadline_reached"))

    def _ask_for(self, mind: Mind, kind: str, goal: Literal) -> None:
        current = self.current(mind)
        literal, outer = renamed((beliefs.from_self(goal), current[-1].returns))
        self.internal(mind, Event("+", kind, literal, current, outer=outer))

    def _test(self, mind: Mind, query: Term) -> None:
        found = self.solution(mind, query)
        if found is not None:
            self.go_on(mind, found)
        elif (
            isinstance(query, Literal)
            and not query.is_internal
            and self.planned("+", "test", query)
        ):
            self._ask_for(mind, "test", query)
        else:
            self.fail(mind, self.current(mind), Literal("test_goal_failed"))

    def _add(self, mind: Mind, belief: Term, own_intention: bool, last: bool) -> None:
        self._changed(
            mind,
            "+",
            beliefs.add(mind, beliefs.from_self(known_literal(belief)), last=last),
            own_intention,
        )

    def _remove(self, mind: Mind, belief: Term, own_intention: bool) -> None:
        event, found = beliefs.remove(mind, beliefs.from_self(known_literal(belief)))
        mind.current = instantiated(self.current(mind), found)
        self._changed(mind, "-", event, own_intention)

    def _changed(self, mind: Mind, sign: str, literal: Literal | None, own_intention: bool) -> None:
        """The plan waits until the event has been handled, if there is one."""
        if literal is None or own_intention or self.has_new_focus:
            self.external(mind, sign, "belief", literal)
            self.go_on(mind, {})
        else:
            current = self.current(mind)
            self.internal(
                mind, Event(sign, "belief", literal, current, outer=renamed(current[-1].returns))
            )

    # --- loops ------------------------------------------------------------------------------------

    def _candidates(self, mind: Mind, query: Term) -> tuple[Any, ...]:
        first = _first(query)
        if first.is_internal:
            if first.functor not in _LISTS:
                raise Unspecified(f"a loop over {first}")
            return tuple(
                tuple(sorted(each.items())) for each in solutions(first, {}, self.query(mind))
            )
        entries = mind.BB.get(indicator(first), [])
        if any(isinstance(each, BeliefRule) for each in entries):
            raise Unspecified("a loop over what a rule says")
        return tuple(beliefs.bare(each) for each in entries)

    def _loop(self, mind: Mind, loop: Loop) -> None:
        """The next round, or the end."""
        while loop.candidates:
            held, *rest = loop.candidates
            found = self._round(mind, loop.query, held, loop.removed)
            if loop.restarts:
                rest = [beliefs.bare(each) for each in mind.BB.get(indicator(held), [])]
            loop = Loop(loop.query, loop.body, tuple(rest))
            if found is not None:
                self.go_on_with(mind, (*renamed(applied(loop.body, found)), loop), {})
                return
        self.go_on(mind, {})

    def _round(
        self, mind: Mind, query: Term, candidate: Any, removed: Literal | None
    ) -> Substitution | None:
        """The solution of a query whose first part is about a certain belief, also one that was
        ``removed``, or a value."""
        first, rest = _first(query), _rest(query)
        asker = self.query(mind)
        if isinstance(candidate, tuple):
            starts = [dict(candidate)]
        else:
            belief = removed or next(
                each for each in mind.BB[indicator(candidate)] if beliefs.bare(each) == candidate
            )
            all_ = dict(mind.BB)
            mind.BB = {**all_, indicator(candidate): [belief]}
            starts = list(solutions(first, {}, asker))
            mind.BB = all_
        found = [
            each
            for start in starts
            for each in (solutions(rest, start, asker) if rest is not None else [start])
        ]
        if len(found) > 1:
            raise Unspecified("a loop that visits a belief several times")
        return found[0] if found else None


def _first(query: Term) -> Literal:
    """The leftmost part of a conjunction."""
    return _first(query.left) if isinstance(query, And) else known_literal(query)


def _rest(query: Term) -> Term | None:
    """What is left of a conjunction without its leftmost part."""
    if not isinstance(query, And):
        return None
    rest = _rest(query.left)
    return query.right if rest is None else And(rest, query.right)
