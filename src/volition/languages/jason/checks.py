"""Static checks of the agents of a system: errors and warnings that can be reported before the
states are explored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import assert_never

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.common.duplicates import DiagnosticDeduplicator, duplicates
from volition.languages.jason.environment import from_world
from volition.languages.jason.library import (
    NONDETERMINISTIC_ACTIONS,
    PURE_ACTIONS,
    communication,
    intentions,
    timing,
)
from volition.languages.jason.percept_order import check_percept_order
from volition.languages.jason.possible_predicates import (
    ANYTHING,
    Names,
    PossiblePredicates,
    spelling_hint,
)
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefRule,
    Constraint,
    For,
    Fork,
    If,
    InternalAction,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    Trigger,
    VariableStep,
    While,
)
from volition.languages.jason.term_checks import TermCheck, span_of_name
from volition.languages.jason.terms import (
    List,
    Literal,
    Term,
    Text,
    Variable,
    indicator,
)
from volition.languages.jason.traversal import all_steps, contexts_in, proved_literals, terms_of
from volition.languages.jason.vocabulary import (
    GOAL_STATES,
    NOT_IN_QUERIES,
    OWN_EVENTS,
    PERFORMATIVES,
    UNSUPPORTED_PERFORMATIVES,
)
from volition.languages.world.interface import EmptyWorld, World
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import OutputAssignment, all_effects

__all__ = ["check_agents"]

_Known = Callable[[str], Names]
_STATEFUL_ACTIONS = {
    *communication.STATEFUL_ACTIONS,
    *intentions.STATEFUL_ACTIONS,
    *timing.STATEFUL_ACTIONS,
}
"""Names of the internal actions with side effects."""


def check_agents(
    agents: Mapping[str, AgentProgram],
    settings: Mapping[str, Settings],
    world: World,
    diagnostics: Diagnostics,
) -> None:
    """Add all errors and warnings about the agents to ``diagnostics``. A system without errors can
    be explored.

    A program that several agents run is checked for each of them, but each error or warning in it
    is reported only once. The reported text may mention one of these agents.
    """
    possible = PossiblePredicates(agents, world)
    _check_world(world, possible, agents, diagnostics)
    check_percept_order(agents, settings, world, diagnostics)
    once, undeclared = DiagnosticDeduplicator(diagnostics), set[str]()
    for name, program in agents.items():
        found = Diagnostics()
        terms = TermCheck(program, settings[name], found, undeclared)
        _AgentCheck(name, program, settings[name], world, agents, possible, terms, found).program()
        once.add(found)


def _check_world(
    world: World,
    possible: PossiblePredicates,
    agents: Mapping[str, AgentProgram],
    diagnostics: Diagnostics,
) -> None:
    """Warn about actions of the world (the model of the environment) that no agent executes: they
    are superfluous or misspelt. Report an error for actions with outputs, because actions in Jason
    return no values."""
    if not isinstance(world, DeclaredWorld):
        return
    steps = [
        step for program in agents.values() for plan in program.plans for step in all_steps(plan)
    ]
    done = {indicator(step.action) for step in steps if isinstance(step, Act)}
    known = [(from_world(rule.action), rule) for rule in world.tree.actions]
    names = {indicator(action) for action, _ in known if isinstance(action, Literal)}
    for action, rule in known:
        if (
            isinstance(action, Literal)
            and indicator(action) not in done
            and ANYTHING not in possible.actions()
        ):
            hint = spelling_hint(action, done - names)
            diagnostics.warning(
                "JSN037",
                f"no agent ever executes the action {indicator(action)}",
                rule.span,
                hint=hint,
            )
        for effect in all_effects(rule.effects):
            if isinstance(effect, OutputAssignment):
                hint = "let the action add a percept, which the agent reads in its next cycle"
                message = f"actions in Jason return no values, so {effect.variable} has no value"
                diagnostics.error("JSN047", message, effect.span, hint=hint)


class _AgentCheck:
    def __init__(
        self,
        name: str,
        program: AgentProgram,
        settings: Settings,
        world: World,
        agents: Mapping[str, AgentProgram],
        possible: PossiblePredicates,
        terms: TermCheck,
        diagnostics: Diagnostics,
    ) -> None:
        self._name, self._program, self._settings, self._world = name, program, settings, world
        self._agents, self._possible, self._terms = agents, possible, terms
        self._error, self._warning = diagnostics.error, diagnostics.warning

    def program(self) -> None:
        for each in (*self._program.beliefs, *self._program.project_beliefs):
            terms = (each.head, each.body) if isinstance(each, BeliefRule) else (each.literal,)
            for term in terms:
                self._terms.check(term, each.span)
            if isinstance(each, BeliefRule):
                self._query(each.body, each.span, allow_choices=True)
        for goal in (*self._program.goals, *self._program.project_goals):
            self._terms.check(goal.literal, goal.span)
            self._has_plan(goal.literal, self._name, goal.span)
        for plan in self._program.plans:
            self._plan(plan)
        self._terms.functions()
        self._duplicate_plans()

    def _duplicate_plans(self) -> None:
        plans = [
            ((plan.trigger, plan.context, plan.body), plan.span) for plan in self._program.plans
        ]
        for span, before in duplicates(plans):
            self._warning(
                "JSN038",
                "this plan is written twice",
                span,
                hint=f"first at line {before.line}: the second is never selected",
            )

    # --- checks of plans --------------------------------------------------------------------------

    def _plan(self, plan: Plan) -> None:
        for annotation in plan.annotations:
            if isinstance(annotation, Literal) and annotation.functor == "priority":
                hint = "write the plans in the order in which they are to be tried"
                self._error(
                    "JSN003",
                    "plan priorities cannot be verified, because Volition does not support them",
                    plan.span,
                    hint=hint,
                )
        self._terms.check(plan.trigger.literal, plan.trigger.span)
        self._trigger(plan.trigger)
        context, span = next(contexts_in(plan))
        self._query(context, span, allow_choices=True)
        self._terms.check(context, span)
        for step in all_steps(plan):
            for term in terms_of(step):
                self._terms.check(term, step.span)
            self._step(step)

    def _step(self, step: Step) -> None:
        match step:
            case Act(action):
                self._known_action(action, step.span)
            case Achieve(Literal() as goal):
                self._has_plan(goal, self._name, step.span)
            case RemoveBelief(Literal() as belief):
                self._may_be_believed(belief, step.span, ", so there is nothing to remove")
            case InternalAction(action):
                self._message(action, step.span)
                self._proved(islice(proved_literals(action), 1, None), step.span)
            case Test(query) | Constraint(query) | If(query):
                self._query(query, step.span, allow_choices=True)
            case For(query) | While(query):
                self._query(query, step.span)
            case (
                Achieve() | AddBelief() | RemoveBelief() | ReplaceBelief() | Fork() | VariableStep()
            ):
                pass
            case _:
                assert_never(step)

    def _trigger(self, trigger: Trigger) -> None:
        if isinstance(trigger.literal, Variable):
            return
        if trigger.kind == "belief" and trigger.literal.functor in OWN_EVENTS:
            hint = "remove the plan, or trigger it by a message"
            message = (
                f"events about the interpreter ({trigger.literal.functor}) cannot be verified, "
                "because Jason's threads determine when they occur"
            )
            self._error("JSN003", message, trigger.span, hint=hint)
            return
        operator = "+" if trigger.operator == "^" else trigger.operator
        known = self._union_over_agents(
            lambda agent: self._possible.posted(agent, operator, trigger.kind)
        )
        if not _is_among(trigger.literal, known):
            self._warning(
                "JSN031",
                f"event {trigger} never occurs",
                trigger.span,
                hint=spelling_hint(trigger.literal, known),
            )
        elif trigger.operator == "^" and (
            states := set(_states_in(trigger.literal)) - set(GOAL_STATES)
        ):
            hint = (
                did_you_mean(min(states), GOAL_STATES)
                or f"the states of a goal are {', '.join(GOAL_STATES)}"
            )
            self._warning("JSN031", f"event {trigger} never occurs", trigger.span, hint=hint)

    def _union_over_agents(self, known: _Known) -> Names:
        """Return the union of the sets of names ``known(agent)`` over all agents that run this
        program. A name is reported as unknown only if it is unknown for all of them, because one of
        the agents that share a program need not use all its plans."""
        sharing = [
            name for name, program in self._agents.items() if program.source is self._program.source
        ]
        return frozenset().union(*(known(name) for name in sharing))

    def _has_plan(self, goal: Literal, agent: str, span: Span) -> None:
        planned = self._planned[agent]
        if not _is_among(goal, planned):
            owner = "" if agent == self._name else f" of {agent}"
            self._warning(
                "JSN033",
                f"no plan{owner} handles the goal !{indicator(goal)}",
                span,
                hint=spelling_hint(goal, planned),
            )

    @cached_property
    def _planned(self) -> Mapping[str, Names]:
        """Map from each agent to the name and arity of the achievement goals for which it has
        plans."""
        return {
            agent: frozenset(
                ANYTHING
                if isinstance(plan.trigger.literal, Variable)
                else indicator(plan.trigger.literal)
                for plan in program.plans
                if (plan.trigger.operator, plan.trigger.kind) == ("+", "achieve")
            )
            for agent, program in self._agents.items()
        }

    def _known_action(self, action: Literal, span: Span) -> None:
        if isinstance(self._world, EmptyWorld):
            message = f"there is no world, so the action {indicator(action)} always fails"
            self._warning("JSN046", message, span, hint="write world = .. in the .volition file")
            return
        actions = self._world.actions
        known = (
            None
            if actions is None
            else frozenset(
                indicator(each) for each in map(from_world, actions) if isinstance(each, Literal)
            )
        )
        if known is not None and indicator(action) not in known:
            self._error(
                "JSN036",
                f"the world does not define the action {indicator(action)}",
                span,
                hint=spelling_hint(action, known),
            )

    # --- checks of messages -----------------------------------------------------------------------

    def _message(self, call: Literal, span: Span) -> None:
        if call.functor == ".send" and len(call.arguments) > 2:
            receiver, force, content = call.arguments[:3]
            receivers = list(_names_in(receiver))
        elif call.functor == ".broadcast" and len(call.arguments) == 2:
            force, content = call.arguments
            receivers = [each for each in self._agents if each != self._name]
        else:
            return
        for name in receivers:
            if name not in (*self._agents, "self"):
                hint = (
                    did_you_mean(name, self._agents) or f"known agents: {', '.join(self._agents)}"
                )
                message = f"unknown agent '{name}', so this step fails"
                self._warning("JSN035", message, span, hint=hint)
        if isinstance(force, Literal):
            known = [each for each in receivers if each in self._agents]
            self._performative(
                force.functor, content, known, span, is_receiver_unknown=not receivers
            )

    def _performative(
        self,
        force: str,
        content: Term,
        receivers: Iterable[str],
        span: Span,
        *,
        is_receiver_unknown: bool,
    ) -> None:
        """Check the performative ``force`` and the content of a message. ``receivers`` are the
        known receivers. ``is_receiver_unknown`` means that the receiver is determined only at run
        time."""
        if force in UNSUPPORTED_PERFORMATIVES:
            message = (
                "plans and rules that change at run time cannot be verified, because the program "
                "itself would be part of the state"
            )
            hint = "write the plans and rules in the programs of the agents that need them"
            self._error("JSN003", message, span, hint=hint)
        elif force not in PERFORMATIVES:
            owners = [
                f"{name} has no"
                for name in receivers
                if not self._handles_performative(name, force)
            ]
            if is_receiver_unknown and not any(
                self._handles_performative(name, force) for name in self._agents
            ):
                owners = ["no agent has a"]
            for owner in owners:
                hint = (
                    did_you_mean(force, PERFORMATIVES)
                    or f"known performatives: {', '.join(PERFORMATIVES)}"
                )
                self._warning(
                    "JSN027", f"{owner} plan for the performative '{force}'", span, hint=hint
                )
        elif force == "achieve" and isinstance(content, Literal):
            for name in receivers:
                self._has_plan(content, name, span)

    def _handles_performative(self, agent: str, force: str) -> bool:
        """Return whether an agent has a plan for messages with the custom performative ``force``,
        or a plan whose trigger matches any goal."""
        return any(
            (plan.trigger.operator, plan.trigger.kind) == ("+", "achieve")
            and _is_for_message(plan.trigger.literal, force)
            for plan in self._agents[agent].plans
        )

    # --- checks of queries ------------------------------------------------------------------------

    def _query(self, query: Term, span: Span, *, allow_choices: bool = False) -> None:
        """Check the literals of a query. ``allow_choices`` means that the query may contain
        nondeterministic internal actions. All their solutions are explored then."""
        self._proved(proved_literals(query), span, allow_choices=allow_choices)

    def _proved(
        self, literals: Iterable[Literal], span: Span, *, allow_choices: bool = False
    ) -> None:
        for literal in literals:
            name = literal.functor
            source_span = span_of_name(name, span)
            if not literal.is_internal:
                self._may_be_believed(literal, source_span)
            elif name in NOT_IN_QUERIES or (name in _STATEFUL_ACTIONS and name not in PURE_ACTIONS):
                self._error(
                    "JSN032",
                    f"{name} cannot be used in a context, a rule or a test",
                    source_span,
                    hint="write it as a step of the body",
                )
            if not allow_choices and (
                self._is_nondeterministic(literal)
                or indicator(literal) in self._nondeterministic_predicates
            ):
                hint = "test it with ?q in the body, and continue with a goal for each case"
                self._error(
                    "JSN028",
                    f"{name} is nondeterministic, so it cannot be used in the query of a loop or "
                    "inside another internal action",
                    source_span,
                    hint=hint,
                )

    def _is_nondeterministic(self, literal: Literal) -> bool:
        name, internal = literal.functor, self._settings.internal
        return name in NONDETERMINISTIC_ACTIONS or (name in internal and internal[name].is_choice)

    @cached_property
    def _nondeterministic_predicates(self) -> set[str]:
        """Predicates defined by rules that use a nondeterministic internal action, directly or
        through other rules."""
        rules = [
            each
            for each in (*self._program.beliefs, *self._program.project_beliefs)
            if isinstance(each, BeliefRule)
        ]
        found: set[str] = set()
        while True:
            more = {
                indicator(rule.head)
                for rule in rules
                if any(
                    self._is_nondeterministic(each) or indicator(each) in found
                    for each in proved_literals(rule.body)
                )
            }
            if more <= found:
                return found
            found |= more

    def _may_be_believed(self, literal: Literal, span: Span, consequence: str = "") -> None:
        known = self._union_over_agents(self._believed_or_planned)
        if literal.functor not in ("true", "false") and not _is_among(literal, known):
            self._warning(
                "JSN034",
                f"the agent never believes {indicator(literal)}{consequence}",
                span,
                hint=spelling_hint(literal, known),
            )

    def _believed_or_planned(self, agent: str) -> Names:
        """Return the predicates that an agent may believe, or for which it has a plan with the
        trigger ``+?q``."""
        planned = [
            plan.trigger for plan in self._agents[agent].plans if plan.trigger.kind == "test"
        ]
        named = {
            ANYTHING if isinstance(each.literal, Variable) else indicator(each.literal)
            for each in planned
        }
        return self._possible.believed(agent) | named


def _names_in(receiver: Term) -> Iterator[str]:
    match receiver:
        case Literal(name) | Text(name):
            yield name
        case List(items):
            for each in items:
                yield from _names_in(each)
        case _:
            pass


def _states_in(event: Literal) -> Iterator[str]:
    """Yield the names of the goal states in the trigger ``^!g[state(name)]`` of a plan."""
    annotations = (
        event.annotations if isinstance(event.annotations, tuple) else event.annotations.items
    )
    for each in annotations:
        match each:
            case Literal("state", (Literal(name, ()),)):
                yield name
            case _:
                pass


def _is_among(literal: Literal, known: Names) -> bool:
    return ANYTHING in known or indicator(literal) in known


def _is_for_message(goal: Literal | Variable, force: str) -> bool:
    """Return whether a plan for ``goal`` may handle messages with the performative ``force``."""
    match goal:
        case Literal("kqml_received", (_, Literal(functor), _, _)):
            return functor == force
        case Literal():
            return indicator(goal) == "kqml_received/4"
        case Variable():
            pass
        case _:
            assert_never(goal)
    return True
