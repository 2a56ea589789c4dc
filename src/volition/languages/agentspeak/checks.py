"""What can be wrong with the agents of a system before anything runs, and what looks wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.agentspeak.settings import BOUNDS, Settings
from volition.languages.agentspeak.supply import Supply
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    Believes,
    Broadcast,
    Compare,
    Compute,
    Condition,
    Formula,
    NotBelieves,
    Plan,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Test,
)
from volition.languages.world.interface import World
from volition.languages.world.terms import TOO_LARGE, Structure, Term, is_ground, is_too_large, predicate, show, variables

__all__ = ["check_agents"]


def check_agents(agents: Mapping[str, AgentProgram], settings: Mapping[str, Settings], world: World, diagnostics: Diagnostics) -> None:
    """Adds every mistake and warning to the diagnostics; agents without errors can be explored.

    A program that several agents run is checked for each of them, and a mistake in it is reported once.
    """
    reported = {(each.code, each.message, each.span) for each in diagnostics}
    supply = Supply(agents, world)
    for name, program in agents.items():
        found = Diagnostics()
        _AgentCheck(name, program, settings[name], world, tuple(agents), supply, found).program()
        diagnostics.extend(each for each in found if (each.code, each.message, each.span) not in reported)
        reported |= {(each.code, each.message, each.span) for each in found}


class _AgentCheck:
    def __init__(
        self,
        name: str,
        program: AgentProgram,
        settings: Settings,
        world: World,
        agents: Sequence[str],
        supply: Supply,
        diagnostics: Diagnostics,
    ) -> None:
        self._name, self._program, self._settings, self._world, self._agents, self._supply = name, program, settings, world, agents, supply
        self._error, self._warning = diagnostics.error, diagnostics.warning

    def program(self) -> None:
        for atom, span in (*self._program.beliefs, *self._program.goals):
            if not is_ground(atom):
                self._error("ASP003", f"'{atom}' has a variable, and what holds initially must be known", span)
            self._bound("M_Term", len(atom.arguments), span)
            self._finite((atom,), span)
        self._initial_bounds()
        names: dict[str, Span] = {}
        for plan in self._program.plans:
            if plan.name in names:
                self._error(
                    "ASP004", f"two plans are called '{plan.name}'", plan.span, hint=f"the first is at line {names[plan.name].line}"
                )
            names.setdefault(plan.name, plan.span)
            self._plan(plan)

    def _initial_bounds(self) -> None:
        """What there is room for at the beginning."""
        beliefs = dict(self._program.beliefs)
        alike: dict[str, list[Span]] = {}
        for atom, span in beliefs.items():
            alike.setdefault(predicate(atom), []).append(span)
        counted = [("M_Bel", list(beliefs.values())), ("M_Ev", [span for _, span in self._program.goals])]
        for name, spans in (*counted, *(("M_Inst", each) for each in alike.values())):
            if spans:
                self._bound(name, len(spans), spans[-1])

    def _bound(self, name: str, needed: int, span: Span | None) -> None:
        limit = self._settings.bounds.stated.get(name)
        if limit is not None and needed > limit:
            self._error(
                "ASP005", f"{needed} {BOUNDS[name]} exceed the bound {name} = {limit}", span, hint=f"set {name} = {needed} in the project"
            )

    def _finite(self, terms: Iterable[Term], span: Span) -> None:
        if any(map(is_too_large, terms)):
            self._error("ASP006", f"a term here {TOO_LARGE}", span)

    # --- plans -------------------------------------------------------------------------------------------------------------

    def _plan(self, plan: Plan) -> None:
        self._bound("M_Conj", len(plan.context), plan.span)
        self._bound("M_Var", len(plan.variables), plan.span)
        self._bound("M_Term", len(plan.trigger.atom.arguments), plan.trigger.span)
        self._finite(plan.terms, plan.span)
        self._triggered(plan)
        bound = set(variables(plan.trigger.atom))
        for condition in plan.context:
            self._condition(condition, bound, plan)
        for formula in plan.body:
            self._formula(formula, bound)

    def _triggered(self, plan: Plan) -> None:
        trigger = plan.trigger
        if trigger.kind == "test":
            self._warning("ASP031", f"no event {trigger} ever happens: test goals post no events", trigger.span)
        elif trigger.kind == "achieve" and trigger.sign == "-":
            if self._settings.on_failure != "event":
                message = f"no event {trigger} ever happens: failed plans post no events"
                self._warning("ASP031", message, trigger.span, hint="set on_failure = event in the project")
        else:
            known = self._supply.posted(self._name, trigger.sign, trigger.kind)
            if known is not None and predicate(trigger.atom) not in known:
                hint = did_you_mean(trigger.atom.functor, _functors(known))
                self._warning("ASP031", f"no event {trigger} ever happens", trigger.span, hint=hint)

    def _condition(self, condition: Condition, bound: set[str], plan: Plan) -> None:
        match condition:
            case Believes(atom):
                self._may_be_believed(atom, condition.span)
                bound |= set(variables(atom))
            case NotBelieves(atom):
                self._negation(atom, condition.span, bound, plan)
            case Compare(_, left, right):
                self._has_value((left, right), bound, condition.span)

    def _negation(self, atom: Structure, span: Span, bound: set[str], plan: Plan) -> None:
        """A variable that gets its value only behind the negation was probably meant to have it there."""
        behind = [each for each in plan.context if isinstance(each, Believes) and each.span.start > span.start]
        later = {name for each in behind for name in variables(each.atom)}
        for name in dict.fromkeys(variables(atom)):
            if name not in bound and name in later:
                hint = "move it behind the literal that gives the variable its value"
                self._warning("ASP032", f"{name} has no value yet: this means that no {atom} at all is believed", span, hint=hint)

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
                if predicate(atom) not in {predicate(each.trigger.atom) for each in self._program.plans if each.trigger.kind == "achieve"}:
                    goals = {each.trigger.atom.functor for each in self._program.plans if each.trigger.kind == "achieve"}
                    self._warning(
                        "ASP033", f"no plan is for the goal !{predicate(atom)}", formula.span, hint=did_you_mean(atom.functor, goals)
                    )
                bound |= set(variables(atom))
            case Test(atom):
                self._may_be_believed(atom, formula.span)
                bound |= set(variables(atom))
            case AddBelief(atom):
                self._has_value((atom,), bound, formula.span)
            case Send(receiver, _, content):
                self._has_value((receiver, content), bound, formula.span)
                if is_ground(receiver) and show(receiver) not in self._agents:
                    hint = did_you_mean(show(receiver), self._agents)
                    self._error("ASP034", f"there is no agent '{show(receiver)}'", formula.span, hint=hint)
            case Broadcast(_, content):
                self._has_value((content,), bound, formula.span)
            case Print(items):
                self._has_value(items, bound, formula.span)
            case Compare(_, left, right):
                self._has_value((left, right), bound, formula.span)
            case Compute(_, left, right, result) | RandomNumber(left, right, result):
                self._has_value((left, right), bound, formula.span)
                bound |= set(variables(result))
            case RandomItem(items, result):
                self._has_value((items,), bound, formula.span)
                bound |= set(variables(result))

    def _has_value(self, terms: Iterable[Term], bound: set[str], span: Span) -> None:
        for name in dict.fromkeys(name for term in terms for name in variables(term)):
            if name == "_" or name not in bound:
                hint = "the trigger, the context or a formula before must give it one" if name != "_" else "'_' never has a value"
                self._error("ASP030", f"{name} has no value here", span, hint=hint)

    def _has_plan(self, goal: Structure, span: Span) -> None:
        planned = {predicate(each.trigger.atom) for each in self._program.plans if each.trigger.kind == "achieve"}
        if predicate(goal) not in planned:
            hint = did_you_mean(goal.functor, _functors(planned))
            self._warning("ASP033", f"no plan is for the goal !{predicate(goal)}", span, hint=hint)

    def _may_be_believed(self, atom: Structure, span: Span) -> None:
        known = self._supply.believed(self._name)
        if known is not None and predicate(atom) not in known:
            self._warning(
                "ASP035", f"nothing ever makes the agent believe {predicate(atom)}", span, hint=did_you_mean(atom.functor, _functors(known))
            )

    def _known_action(self, atom: Structure, span: Span) -> None:
        actions = self._world.actions
        if actions is None or predicate(atom) in map(predicate, actions):
            return
        same_name = [predicate(each) for each in actions if each.functor == atom.functor]
        hint = f"it is {' or '.join(same_name)}" if same_name else did_you_mean(atom.functor, [each.functor for each in actions])
        self._error("ASP036", f"the world has no action {predicate(atom)}", span, hint=hint)


def _functors(predicates: Iterable[str]) -> set[str]:
    return {each.split("/")[0] for each in predicates}
