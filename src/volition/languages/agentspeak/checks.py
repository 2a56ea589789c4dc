"""Static checks of the agents of an AgentSpeak(F) system, for errors and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import assert_never

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean
from volition.languages.agentspeak.plans import ORDER, rename_free_variables
from volition.languages.agentspeak.possible_predicates import PossiblePredicates
from volition.languages.agentspeak.settings import BOUNDS, Settings
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Broadcast,
    Compare,
    Compute,
    Condition,
    Formula,
    NegatedBeliefCondition,
    Plan,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Test,
    Unify,
)
from volition.languages.agentspeak.value_flow import ValueFlow
from volition.languages.common.duplicates import DiagnosticDeduplicator, duplicates
from volition.languages.world.interface import World, spelling_hint
from volition.languages.world.names import count_words, misspelt_name, place_in
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import OutputAssignment, all_effects
from volition.languages.world.terms import (
    TOO_LARGE,
    Structure,
    Term,
    Text,
    is_ground,
    is_too_large,
    predicate,
    show,
    unify,
    variables,
)

__all__ = ["check_agents", "check_constants", "check_priorities"]


def check_agents(
    agents: Mapping[str, AgentProgram],
    settings: Mapping[str, Settings],
    world: World,
    diagnostics: Diagnostics,
) -> None:
    """Report all errors and warnings about the agents of a system. Agents without errors can be
    explored.

    A program that several agents run is checked for each of them. Each error or warning in it is
    reported once, although its text may name one of the agents.
    """
    possible, values = PossiblePredicates(agents, world), ValueFlow(agents, world)
    _check_actions(world, agents, diagnostics)
    _check_answers(world, diagnostics)
    deduplicator = DiagnosticDeduplicator(diagnostics)
    for name, program in agents.items():
        found = Diagnostics()
        _AgentCheck(name, program, settings[name], world, agents, possible, values, found).program()
        deduplicator.add(found)


def check_constants(
    agents: Mapping[str, AgentProgram], sources: Iterable[Source], diagnostics: Diagnostics
) -> None:
    """Warn about constants that occur only once in the whole project and resemble another name."""
    words = count_words(sources)
    stated: list[tuple[Term, Span]] = [
        each for program in agents.values() for each in (*program.beliefs, *program.goals)
    ]
    stated += [
        (term, plan.span)
        for program in agents.values()
        for plan in program.plans
        for term in plan.terms
    ]
    reported: set[str] = set()
    for term, span in stated:
        for name in _constants_in(term):
            if (
                words[name] == 1
                and name not in reported
                and (meant := misspelt_name(name, words.keys() - {name}))
            ):
                reported.add(name)
                hint = f"did you mean '{meant}'?"
                diagnostics.warning(
                    "ASP048", f"the name '{name}' occurs only here", place_in(span, name), hint=hint
                )


def _constants_in(term: Term) -> Iterator[str]:
    """Yield the constants (names without arguments) inside an atom."""
    for each in term.arguments if isinstance(term, Structure) else ():
        if isinstance(each, Structure) and not each.arguments:
            yield each.functor
        yield from _constants_in(each)


def check_priorities(
    agents: Mapping[str, AgentProgram],
    names: Sequence[str],
    span: Span | None,
    diagnostics: Diagnostics,
) -> None:
    """Warn about priorities for names that trigger no plan. They have no effect and are probably
    misspelt."""
    known = {plan.trigger.atom.functor for program in agents.values() for plan in program.plans}
    for name in names:
        if name not in known:
            diagnostics.warning(
                "ASP038",
                f"the priority of '{name}' has no effect: no plan has this name in its trigger",
                span,
                hint=did_you_mean(name, known),
            )


def _check_actions(
    world: World, agents: Mapping[str, AgentProgram], diagnostics: Diagnostics
) -> None:
    """Warn about actions of the world that no agent executes. They are superfluous or misspelt."""
    formulas = [each for program in agents.values() for plan in program.plans for each in plan.body]
    done = {predicate(each.atom) for each in formulas if isinstance(each, Act)}
    rules = (
        {predicate(each.action): each for each in reversed(world.tree.actions)}
        if isinstance(world, DeclaredWorld)
        else {}
    )
    for name, rule in reversed(rules.items()):
        if name not in done:
            diagnostics.warning(
                "ASP037",
                f"no agent ever executes the action {name}",
                rule.span,
                hint=spelling_hint(rule.action, done - rules.keys()),
            )


def _check_answers(world: World, diagnostics: Diagnostics) -> None:
    """Report an error for each action with an output variable. Actions are executed with all
    arguments ground, so an output would never reach the agent."""
    for rule in world.tree.actions if isinstance(world, DeclaredWorld) else ():
        for effect in all_effects(rule.effects):
            if isinstance(effect, OutputAssignment):
                hint = (
                    "let the action add a percept instead, which the agent believes in its next "
                    "cycle"
                )
                diagnostics.error(
                    "ASP047",
                    "actions of AgentSpeak(F) return no values, so the variable "
                    f"{effect.variable} cannot get a value here",
                    effect.span,
                    hint=hint,
                )


_MAX_HINTS = 20


class _AgentCheck:
    def __init__(
        self,
        name: str,
        program: AgentProgram,
        settings: Settings,
        world: World,
        agents: Mapping[str, AgentProgram],
        possible: PossiblePredicates,
        values: ValueFlow,
        diagnostics: Diagnostics,
    ) -> None:
        self._name, self._program, self._settings, self._world, self._agents = (
            name,
            program,
            settings,
            world,
            agents,
        )
        self._possible, self._values = possible, values
        self._hints = 0
        self._error, self._warning = diagnostics.error, diagnostics.warning

    def program(self) -> None:
        for atom, span in (*self._program.beliefs, *self._program.goals):
            if not is_ground(atom):
                self._error(
                    "ASP003",
                    f"initial beliefs and goals must be ground, but '{atom}' contains a variable",
                    span,
                )
            self._bound("M_Term", len(atom.arguments), span)
            self._finite((atom,), span)
        self._initial_bounds()
        for goal, span in self._program.goals:
            self._has_plan(goal, self._name, span)
        names: dict[str, Span] = {}
        self._lint_unused()
        for plan in self._program.plans:
            if plan.name in names:
                self._error(
                    "ASP004",
                    f"duplicate plan name '{plan.name}'",
                    plan.span,
                    hint=f"the first is at line {names[plan.name].line}",
                )
            names.setdefault(plan.name, plan.span)
            self._plan(plan)

    def _lint_unused(self) -> None:
        """Warn about duplicates, and about initial beliefs that no plan uses. Agents without plans
        are exempt from the second warning, because they may be written only to be observed."""
        used = self._possible.beliefs_used(self._name)
        for atom, span in dict(self._program.beliefs).items() if self._program.plans else ():
            if predicate(atom) not in used:
                self._warning(
                    "ASP007",
                    f"the initial belief {predicate(atom)} is never used",
                    span,
                    hint=self._spelling_hint(atom, used),
                )
        stated: list[tuple[Hashable, tuple[str, Span]]] = [
            ((kind, atom), (f"{kind} {atom}", span)) for kind, atom, span in self._initially()
        ]
        stated += [
            ((plan.trigger, plan.context, plan.body), ("plan", plan.span))
            for plan in self._program.plans
        ]
        for (what, span), (_, before) in duplicates(stated):
            self._warning("ASP008", f"duplicate {what}", span, hint=f"first at line {before.line}")

    def _initially(self) -> Iterator[tuple[str, Structure, Span]]:
        yield from (("initial belief", atom, span) for atom, span in self._program.beliefs)
        yield from (("initial goal", atom, span) for atom, span in self._program.goals)

    def _initial_bounds(self) -> None:
        """Report an error if the initial beliefs or goals exceed a bound."""
        beliefs = dict(self._program.beliefs)
        instances: dict[str, list[Span]] = {}
        for atom, span in beliefs.items():
            instances.setdefault(predicate(atom), []).append(span)
        counted = [
            ("M_Bel", list(beliefs.values())),
            ("M_Ev", [span for _, span in self._program.goals]),
        ]
        for name, spans in (*counted, *(("M_Inst", each) for each in instances.values())):
            if spans:
                self._bound(name, len(spans), spans[-1])

    def _bound(self, name: str, needed: int, span: Span | None) -> None:
        limit = self._settings.bounds.explicit.get(name)
        if limit is not None and needed > limit:
            self._error(
                "ASP005",
                f"{needed} {BOUNDS[name]} exceed the bound {name} = {limit}",
                span,
                hint=f"set {name} = {needed} in the project",
            )

    def _finite(self, terms: Iterable[Term], span: Span) -> None:
        if any(map(is_too_large, terms)):
            self._error("ASP006", f"a term here {TOO_LARGE}", span)

    # --- checks of plans --------------------------------------------------------------------------

    def _plan(self, plan: Plan) -> None:
        self._bound("M_Conj", len(plan.context), plan.span)
        self._bound("M_Var", len(plan.variables), plan.span)
        self._bound("M_Term", len(plan.trigger.atom.arguments), plan.trigger.span)
        self._finite(plan.terms, plan.span)
        self._triggered(plan)
        self._variables(plan)
        bound = set(variables(plan.trigger.atom))
        for condition in plan.context:
            self._condition(condition, bound, plan)
        for formula in plan.body:
            self._formula(formula, bound)

    def _variables(self, plan: Plan) -> None:
        """Warn about variables that occur only once in a plan and resemble another variable of the
        plan: they are probably misspelt."""
        count = Counter(
            name for term in plan.terms for name in variables(term) if not name.startswith("_")
        )
        for name in count:
            if count[name] == 1 and (meant := misspelt_name(name, count.keys() - {name})):
                hint = f"did you mean '{meant}'?"
                self._warning(
                    "ASP049",
                    f"the variable {name} occurs only once in this plan",
                    place_in(plan.span, name),
                    hint=hint,
                )

    def _spelling_hint(self, atom: Structure, known: Iterable[str]) -> str | None:
        """Return a hint at a name in ``known`` that is similar to the atom's, or None. After the
        first ``_MAX_HINTS`` diagnostics of a program the result is always None, because the search
        for similar names is slow."""
        self._hints += 1
        return spelling_hint(atom, known) if self._hints <= _MAX_HINTS else None

    def _triggered(self, plan: Plan) -> None:
        trigger = plan.trigger
        if trigger.kind == "test":
            self._warning(
                "ASP031", f"event {trigger} never occurs: test goals post no events", trigger.span
            )
        elif (
            trigger.kind == "achieve"
            and trigger.sign == "-"
            and self._settings.on_failure != "event"
        ):
            message = f"event {trigger} never occurs: failed plans post no events"
            self._warning(
                "ASP031", message, trigger.span, hint="set on_failure = event in the project"
            )
        else:
            known = self._union_over_agents(
                lambda agent: self._possible.posted(agent, trigger.sign, trigger.kind)
            )
            if known is not None and predicate(trigger.atom) not in known:
                self._warning(
                    "ASP031",
                    f"event {trigger} never occurs",
                    trigger.span,
                    hint=self._spelling_hint(trigger.atom, known),
                )
            elif impossible := self._values.find_impossible_argument(
                "goal" if trigger.kind == "achieve" else "belief", trigger.atom
            ):
                self._warning(
                    "ASP031",
                    f"event {trigger} never occurs: {impossible.text}",
                    trigger.span,
                    hint=impossible.hint,
                )

    def _union_over_agents(self, known: Callable[[str], set[str] | None]) -> set[str] | None:
        """Return the names that ``known`` returns for at least one of the agents that run this
        program. Return None if ``known`` returns None, which means any name, for one of these
        agents.

        A name in the program is therefore reported as unknown only if it is unknown for all these
        agents.
        """
        found = [
            known(name)
            for name, program in self._agents.items()
            if program.source is self._program.source
        ]
        return None if None in found else set().union(*(names for names in found if names))

    def _condition(self, condition: Condition, bound: set[str], plan: Plan) -> None:
        if isinstance(condition, BeliefCondition | NegatedBeliefCondition):
            self._bound("M_Term", len(condition.atom.arguments), condition.span)
        match condition:
            case BeliefCondition(atom):
                self._may_be_believed(atom, condition.span)
                bound |= set(variables(atom))
            case NegatedBeliefCondition(atom):
                self._may_be_believed(atom, condition.span, ", so this always holds")
                self._negation(atom, condition.span, bound, plan)
            case Compare(relation, left, right):
                self._has_value((left, right), bound, condition.span)
                self._numbers((left, right) if relation in ORDER else (), condition.span)
            case Unify(left, right):
                self._equation(left, right, bound, condition.span)
            case Compute(_, left, right, result):
                self._has_value((left, right), bound, condition.span)
                self._numbers((left, right), condition.span)
                bound |= set(variables(result))
            case _:
                assert_never(condition)

    def _negation(self, atom: Structure, span: Span, bound: set[str], plan: Plan) -> None:
        """Warn about a variable in a negated condition that gets its value only from a later
        condition of the context. The author probably expected the variable to have this value
        already."""
        behind = [
            each
            for each in plan.context
            if isinstance(each, BeliefCondition) and each.span.start > span.start
        ]
        later = {name for each in behind for name in variables(each.atom)}
        for name in dict.fromkeys(variables(atom)):
            if name not in bound and name in later:
                hint = f"move this condition after the literal that binds {name}"
                self._warning(
                    "ASP032",
                    f"the variable {name} has no value yet, so this condition means that no {atom} "
                    f"is believed, whatever {name} is",
                    span,
                    hint=hint,
                )

    def _formula(self, formula: Formula, bound: set[str]) -> None:
        if isinstance(formula, Act | Achieve | Test | AddBelief | RemoveBelief):
            self._bound("M_Term", len(formula.atom.arguments), formula.span)
        elif isinstance(formula, Send | Broadcast):
            self._bound("M_Term", len(formula.content.arguments), formula.span)
        match formula:
            case Act(atom):
                self._has_value((atom,), bound, formula.span)
                self._known_action(atom, formula.span)
            case Achieve(atom):
                self._has_plan(atom, self._name, formula.span)
                bound |= set(variables(atom))
            case Test(atom):
                self._may_be_believed(atom, formula.span)
                bound |= set(variables(atom))
            case AddBelief(atom):
                self._has_value((atom,), bound, formula.span)
            case RemoveBelief(atom):
                self._may_be_believed(atom, formula.span, ", so there is nothing to remove")
            case Send(receiver, _, content):
                self._has_value((receiver, content), bound, formula.span)
                self._message(formula)
            case Broadcast(_, content):
                self._has_value((content,), bound, formula.span)
            case Print(items):
                self._has_value(items, bound, formula.span)
            case Compare(relation, left, right):
                self._has_value((left, right), bound, formula.span)
                self._numbers((left, right) if relation in ORDER else (), formula.span)
            case Unify(left, right):
                self._equation(left, right, bound, formula.span)
            case Compute(_, left, right, result) | RandomNumber(left, right, result):
                self._has_value((left, right), bound, formula.span)
                self._numbers((left, right), formula.span)
                bound |= set(variables(result))
            case RandomItem(items, result):
                self._has_value((items,), bound, formula.span)
                bound |= set(variables(result))
            case _:
                assert_never(formula)

    def _numbers(self, terms: Iterable[Term], span: Span) -> None:
        """Warn about a constant in a comparison or computation that needs numbers. It is probably a
        variable written in lower case."""
        for each in terms:
            if isinstance(each, Structure | Text):
                name = show(each)
                hint = (
                    f"a variable starts with a capital letter: {name[:1].upper()}{name[1:]}"
                    if name.isidentifier()
                    else None
                )
                self._warning(
                    "ASP039",
                    f"'{name}' is not a number, so this condition is never true",
                    span,
                    hint=hint,
                )

    def _equation(self, left: Term, right: Term, bound: set[str], span: Span) -> None:
        """Check ``left = right``, which binds the variables of one side if those of the other side
        have values."""
        if not any(set(variables(side)) <= bound - {"_"} for side in (left, right)):
            hint = "bind the variables of one side first, then the others get their values here"
            self._error(
                "ASP030",
                f"neither {show(left)} nor {show(right)} has a value here",
                span,
                hint=hint,
            )
        bound |= {*variables(left), *variables(right)}

    def _has_value(self, terms: Iterable[Term], bound: set[str], span: Span) -> None:
        for name in dict.fromkeys(name for term in terms for name in variables(term)):
            if name == "_" or name not in bound:
                hint = (
                    "bind it in the trigger, the context or an earlier formula"
                    if name != "_"
                    else "'_' never has a value"
                )
                self._error("ASP030", f"the variable {name} has no value here", span, hint=hint)

    def _message(self, formula: Send) -> None:
        if not is_ground(formula.receiver):
            planned = {goal for goals in self._goals_with_plans.values() for goal in goals}
            if formula.force == "achieve" and predicate(formula.content) not in planned:
                message = f"no plan of any agent handles the goal !{predicate(formula.content)}"
                self._warning(
                    "ASP033",
                    message,
                    formula.span,
                    hint=self._spelling_hint(formula.content, planned),
                )
            return
        name = show(formula.receiver)
        if name not in self._agents:
            hint = did_you_mean(name, self._agents) or f"known agents: {', '.join(self._agents)}"
            self._error("ASP034", f"unknown agent '{name}'", formula.span, hint=hint)
        elif formula.force == "achieve":
            self._has_plan(formula.content, name, formula.span)

    def _has_plan(self, goal: Structure, agent: str, span: Span) -> None:
        planned = self._goals_with_plans[agent]
        whose = "" if agent == self._name else f" of {agent}"
        if predicate(goal) not in planned:
            self._warning(
                "ASP033",
                f"no plan{whose} handles the goal !{predicate(goal)}",
                span,
                hint=self._spelling_hint(goal, planned),
            )
        elif all(
            unify(rename_free_variables(goal), trigger, {}) is None
            for trigger in planned[predicate(goal)]
        ):
            hint = (
                "there are plans for "
                f"{', '.join(f'!{each}' for each in planned[predicate(goal)][:5])}"
            )
            self._warning("ASP033", f"no plan{whose} handles the goal !{goal}", span, hint=hint)

    @cached_property
    def _goals_with_plans(self) -> Mapping[str, Mapping[str, Sequence[Structure]]]:
        """Goals for which each agent has plans: agent -> predicate -> goals in the triggers of its
        plans."""
        found: dict[str, dict[str, list[Structure]]] = {agent: {} for agent in self._agents}
        for agent, program in self._agents.items():
            for plan in program.plans:
                if plan.trigger.kind == "achieve":
                    found[agent].setdefault(predicate(plan.trigger.atom), []).append(
                        plan.trigger.atom
                    )
        return found

    def _may_be_believed(self, atom: Structure, span: Span, consequence: str = "") -> None:
        known = self._union_over_agents(self._possible.believed)
        if known is not None and predicate(atom) not in known:
            self._warning(
                "ASP035",
                f"the agent never believes {predicate(atom)}{consequence}",
                span,
                hint=self._spelling_hint(atom, known),
            )
        elif impossible := self._values.find_impossible_argument("belief", atom):
            self._warning(
                "ASP035",
                f"the agent never believes {atom}{consequence}: {impossible.text}",
                span,
                hint=impossible.hint,
            )

    def _known_action(self, atom: Structure, span: Span) -> None:
        actions = self._world.actions
        if actions is not None and predicate(atom) not in map(predicate, actions):
            self._error(
                "ASP036",
                f"the world does not define the action {predicate(atom)}",
                span,
                hint=self._spelling_hint(atom, map(predicate, actions)),
            )
