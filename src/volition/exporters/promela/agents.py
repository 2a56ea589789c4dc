"""Translation of one AgentSpeak(F) agent to Promela: its plans become inlines, its reasoning cycle
a process of four atomic stages (Bordini et al., Sect. 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from volition.exporters.promela.bodies import (
    BodyWriter,
    comparison,
    computation,
    given,
    stored_variables,
    unification,
)
from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.common import inline
from volition.exporters.promela.matching import (
    Bound,
    Channel,
    Lines,
    Matcher,
    indented,
    option,
    printf,
    when,
)
from volition.exporters.promela.names import NIL, UNBOUND, PromelaNames
from volition.exporters.promela.selection import enqueue, take
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.syntax import (
    AgentProgram,
    BeliefCondition,
    Compare,
    Compute,
    Condition,
    NegatedBeliefCondition,
    Plan,
    Trigger,
    Unify,
)
from volition.languages.world.terms import Variable, variables

__all__ = ["AgentWriter"]


@dataclass(frozen=True)
class AgentWriter:
    """Writer of the Promela inlines and the process of one agent."""

    name: str
    program: AgentProgram
    settings: Settings
    names: PromelaNames
    sizes: ChannelBounds
    matcher: Matcher

    @cached_property
    def _me(self) -> int:
        return self.names.index(self.name)

    @cached_property
    def _bodies(self) -> BodyWriter:
        return BodyWriter(
            self.name, self._me, self.program, self.settings, self.names, self.sizes, self.matcher
        )

    def lines(self) -> Lines:
        """Return all Promela lines for the agent."""
        lines = [f"/* ---- agent {self.name} ---- */", ""]
        lines += self._bodies.failure()
        for plan in self.program.plans:
            lines += self._bodies.plan(plan)
        lines += inline(f"HandleEvent_{self.name}", "", self._handle_event())
        lines += inline(f"RunIntention_{self.name}", "", self._run_intention())
        return lines + self._process()

    # --- stage that handles an event --------------------------------------------------------------

    def _handle_event(self) -> Lines:
        """Return Promela code that selects an event and tries the plans in their order. The first
        plan that is relevant and applicable is added to the intentions as an intended means."""
        fields = self.names.fields("_e_").split(",")
        numbered = list(enumerate(self.program.plans, 1))
        stores = [
            line
            for number, plan in numbered
            for line in option(f"(_plan == {number})", self._store(plan))
        ]
        intend = [
            f"FindFreeSpace({self._me});",
            f"_d[{self._me}].i_data[_idx].plan = _plan;",
            f"_d[{self._me}].i_data[_idx].parent = _x;",
            "if",
            *stores,
            "fi;",
            *enqueue(self._me, self.settings.select_intention, "_idx"),
        ]
        ranks = [
            f"(_r3 == {self.names.macro(name)})" for name in self.settings.select_event.priorities
        ]
        handle = [
            *take(
                f"_e[{self._me}]",
                ["_x", "_sign", "_kind", *fields],
                self.settings.select_event,
                ranks,
            ),
            "_plan = 0;",
            *(line for number, plan in numbered for line in self._attempt(number, plan)),
            *(
                when("(_plan > 0)", intend, self._give_up(fields))
                if numbered
                else self._give_up(fields)
            ),
        ]
        return when(f"(len(_e[{self._me}]) > 0)", handle)

    def _attempt(self, number: int, plan: Plan) -> Lines:
        """Return Promela code that tries one plan for the selected event. The plan is relevant if
        the event matches its trigger. It is applicable if its context has a solution. Solutions are
        searched by nested loops over the beliefs, one for each condition of the context from left
        to right."""
        head = " ".join(f"{plan.trigger} : {' & '.join(map(str, plan.context)) or 'true'}".split())
        if plan.trigger.kind == "test":
            return [f"/* {plan.name}  {head}: test goals post no events */"]
        conditions, bindings, bound = self._relevance(plan.trigger)
        context = self._context(plan.context, bound, [f"_plan = {number};"])
        return [
            f"/* {plan.name}  {head} */",
            *when(f"(_plan == 0 && {' && '.join(conditions)})", [*bindings, *context]),
        ]

    def _relevance(self, trigger: Trigger) -> tuple[Lines, Lines, Bound]:
        """Return, for matching an event with the trigger of a plan: conditions on the fields of the
        event, assignments to the variables of the trigger, and the names of these variables."""
        conditions = [
            f"_sign == {'_ADD' if trigger.sign == '+' else '_DEL'}",
            f"_kind == {'_BELIEF' if trigger.kind == 'belief' else '_GOAL'}",
            f"_e_0 == {self.names.macro(trigger.atom.functor)}",
        ]
        bindings: Lines = []
        seen: dict[str, str] = {}
        for position, argument in enumerate(trigger.pattern.arguments, 1):
            field = f"_e_{position}"
            if not isinstance(argument, Variable):
                conditions.append(f"{field} == {self.names.constant(argument, trigger.span)}")
            elif argument.name in seen:
                conditions.append(f"{field} == {seen[argument.name]}")
            elif argument.name == "_":
                conditions.append(f"{field} != {NIL}")
            else:
                seen[argument.name] = field
                conditions.append(f"{field} != {NIL}")
                bindings.append(f"{self.names.variable(argument.name)} = {field};")
        conditions += [
            f"_e_{position} == {NIL}"
            for position in range(len(trigger.atom.arguments) + 1, self.names.terms + 1)
        ]
        return conditions, bindings, frozenset(seen)

    def _context(self, context: Sequence[Condition], bound: Bound, then: Lines) -> Lines:
        if not context:
            return then
        first, rest = context[0], context[1:]
        beliefs = Channel(f"_b[{self._me}]", sourced=True)
        match first:
            case BeliefCondition(atom) if not rest:
                return self.matcher.first(beliefs, atom, bound, first.span, then, [])
            case BeliefCondition(atom):
                return self.matcher.every(
                    beliefs,
                    atom,
                    bound,
                    first.span,
                    lambda more: self._context(rest, more, then),
                    unless="(_plan > 0)",
                )
            case NegatedBeliefCondition(atom):
                prelude, believed = self.matcher.exists(beliefs, atom, bound, first.span)
                return [*prelude, *when(f"(!({believed}))", self._context(rest, bound, then))]
            case Compare():
                return when(comparison(first, self.names), self._context(rest, bound, then))
            case Unify(left, right):
                known = bound.union(variables(left), variables(right))
                return unification(first, self.names, bound, self._context(rest, known, then), [])
            case Compute(result=result):
                return computation(
                    first,
                    self.names,
                    bound,
                    self._context(rest, bound.union(variables(result)), then),
                    [],
                )
            case _:
                assert_never(first)

    def _store(self, plan: Plan) -> Lines:
        """Return Promela code that stores the values of a plan's variables in the new intended
        means (a plan instance in the array ``i_data``). Variables that only the body binds are
        stored as unbound."""
        known, lines = given(plan), []
        for position, name in enumerate(stored_variables(plan)):
            value = self.names.variable(name) if name in known else UNBOUND
            lines.append(f"_d[{self._me}].i_data[_idx].v[{position}] = {value};")
        return lines

    def _give_up(self, fields: Sequence[str]) -> Lines:
        """Return Promela code for an event without an applicable plan.

        With ``on_failure = drop`` the event is discarded, and the intention that posted it waits
        forever. Otherwise, if the event is about a goal, the goal fails.
        """
        if self.settings.on_failure == "drop":
            return [f"_Lose({self._me});"]
        again = [f"_Post({self._me}, _x, _DEL, _GOAL, {', '.join(fields)})"]
        return [
            "if",
            *option("(_kind == _GOAL && _sign == _ADD)", again),
            *option("(_kind == _GOAL && _sign == _DEL)", [f"_Fail_{self.name}()"]),
            ":: else -> skip",
            "fi;",
        ]

    # --- stage that runs an intention -------------------------------------------------------------

    def _run_intention(self) -> Lines:
        """Return Promela code that selects an intention and runs the next body formula of the plan
        on top of it."""
        plans = list(enumerate(self.program.plans, 1))
        if not plans:
            return ["skip"]
        selection = self.settings.select_intention
        pursuing = {
            name: [
                f"_d[{self._me}].i_data[_r0].plan == {number}"
                for number, plan in plans
                if plan.trigger.atom.functor == name
            ]
            for name in selection.priorities
        }
        ranks = [f"({' || '.join(conditions) or '0'})" for conditions in pursuing.values()]
        runs = [
            line
            for number, plan in plans
            for line in option(f"(_plan == {number})", [f"{self._bodies.inline_name(plan)}()"])
        ]
        run = [
            *take(f"_i[{self._me}]", ["_idx"], selection, ranks),
            f"_plan = _d[{self._me}].i_data[_idx].plan;",
            "if",
            *runs,
            "fi;",
        ]
        return when(f"(len(_i[{self._me}]) > 0)", run)

    # --- Promela process of the agent -------------------------------------------------------------

    def _process(self) -> Lines:
        me = self._me
        starts = "1"
        if self.settings.idle == "block":
            starts = (
                f"(len(_m[{me}]) > 0 || len(_e[{me}]) > 0 || len(_i[{me}]) > 0 || _changed[{me}])"
            )
        look = [f"_LookAround({me});"] if self.settings.idle == "block" else []
        free = self.settings.select_event.policy == "nondeterministic"
        event = (
            [f"_Select(_pos, len(_e[{me}]));"] if free else [],
            [f"HandleEvent_{self.name}();", *self._report_choice("_pos" if free else "0")],
        )
        return [
            f"proctype Agent_{self.name}() {{",
            "    do",
            *indented(
                _atomic_step(
                    ":: ",
                    [],
                    [f"{starts} ->", f"CheckMail({me});", *look, *self._report_choice("0")],
                ),
                1,
            ),
            *indented(_atomic_step("   ", [], [f"BRF({me});", *self._report_choice("0")]), 1),
            *indented(_atomic_step("   ", *event), 1),
            *indented(
                _atomic_step(
                    "   ",
                    self._bodies.choices(),
                    [
                        f"RunIntention_{self.name}();",
                        *look,
                        *self._report_choice(self._bodies.choice),
                    ],
                ),
                1,
            ),
            "    od",
            "}",
            "",
        ]

    def _report_choice(self, index: str) -> Lines:
        """Return Promela code that prints ``index``, the number of the choice that the agent made
        in this step, so that the trail can be replayed. It then resets the variables that hold the
        choice."""
        forget = [] if index == "0" else ["_pos = 0; _choice = 0; _options = 0; _before = 0;"]
        return [printf(f"@ {self.name}|%d", index), *forget]


def _atomic_step(lead: str, choose: Sequence[str], steps: Sequence[str]) -> Lines:
    """Return Promela code that executes ``choose`` and then ``steps`` as one atomic step.
    ``choose`` is nondeterministic, so it precedes the ``d_step`` block, which must be
    deterministic. ``lead`` is put before the first line."""
    block = ["d_step {", *indented(steps), "}"]
    if choose:
        block = ["atomic {", *indented([*choose, *block]), "}"]
    return [f"{lead}{block[0]}", *(f"   {line}" for line in block[1:-1]), f"   {block[-1]};"]
