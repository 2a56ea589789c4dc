"""What depends on what in a LISA program, as :mod:`volition.languages.kit.dependencies` has it.

An agent is a synchronous system: in every half-step all modules move at once, and each reads only what it asks for.  So a module that
nobody reads can be left out without any other noticing: a group of plans, a percept, a rule, a feedback that is awaited.  A mental note
that nobody reads is not taken in plans that stay, by another note that never holds.  A plan that goes leaves one in its place that never
starts, so that plans keep their numbers.  ``docs/slicing.md`` has the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volition.diagnostics import Source, Span
from volition.languages.kit.dependencies import Asked, Dependencies, Edit, Name, Part, Root, Step, Update, named
from volition.languages.lisa.agent import Agent, At, Percept, Plan, PlanGroup
from volition.languages.lisa.names import name_of
from volition.languages.lisa.project import Project
from volition.languages.lisa.questions import Believed, Desired, Executed, Intended, Question, Variable, read_question
from volition.languages.lisa.syntax import Call, Condition, MentalAct, PlanEntry, beliefs_in
from volition.logic.syntax import Formula, Reward
from volition.logic.tree import leaves, subformulas

__all__ = ["dependencies_of"]

_MENTAL_ACT = re.compile(r"[-+]\s*\^\s*\[[^\[\]]*\]")
_REST_OF_STEP = re.compile(r"[ \t]*(?:\{[^{}]*\})?[ \t]*\.?")


def dependencies_of(
    agent: Agent, project: Project, properties: Sequence[Source], variables: Sequence[str], formulas: Sequence[Formula]
) -> Dependencies:
    """The program for the sake of some formulas; ``variables`` are those of its model, ``properties`` the files that state some."""
    modules = _Modules(agent, project, [read_question(agent, leaf, variables=variables) for each in formulas for leaf in leaves(each)])
    return Dependencies(
        parts=tuple(modules.parts()),
        roots=tuple(modules.roots()),
        asked=tuple(dict.fromkeys(_asked(agent, variables, formulas))),
        properties=tuple(each.span(0, len(each.text)) for each in properties),
    )


# --- what is asked -------------------------------------------------------------------------------------------------------


def _asked(agent: Agent, variables: Sequence[str], formulas: Sequence[Formula]) -> Iterator[Asked]:
    for formula in formulas:
        for leaf in leaves(formula):
            text = leaf.span.text if leaf.span else ""
            yield from (Asked(name, text) for name in _names(agent, read_question(agent, leaf, variables=variables)))
        for part in subformulas(formula):
            if isinstance(part, Reward):
                yield from _earning(agent, part)


def _names(agent: Agent, question: Question) -> Iterator[Name]:
    match question:
        case Variable(name):
            known = {plan.name for plan in agent.plans}
            if name in agent.beliefs:
                yield named("belief", name)
            elif name in known:
                yield named("plan", name)
            elif name != "x":  # a counter or a memory, which is numbered or kept by what others there are
                yield from (named("belief", each) for each in agent.beliefs)
                yield from (named("plan", each) for each in known)
        case Believed(condition):
            yield from _reads(condition)
        case Desired(plan) | Intended(plan):
            yield named("plan", plan.name)
        case Executed(action):
            yield from (named("plan", plan.name) for plan in agent.plans if any(step.is_called(action) for step in plan.steps))


def _earning(agent: Agent, asked: Reward) -> Iterator[Asked]:
    for reward, items in agent.rewards.items():
        if asked.name in (None, reward):
            for item in items:
                name = named("plan", item.where.plan) if isinstance(item.where, At) else named("belief", item.where.belief)
                yield Asked(name, f'R{{"{reward}"}}')


def _reads(*conditions: Condition) -> tuple[Name, ...]:
    found = (sentence.name for condition in conditions for sentence in beliefs_in(condition))
    return tuple(dict.fromkeys(named("belief", name) for name in found))


# --- modules -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Modules:
    agent: Agent
    project: Project
    questions: Sequence[Question]

    def parts(self) -> Iterator[Part]:
        for group in self.agent.groups:
            yield from (self._plan(group, plan) for plan in group.plans)
        for action in self.agent.actions:
            called = tuple(dict.fromkeys(named("plan", place.plan) for place in action.called_at))
            updates = tuple(Update(named("belief", each.name), f"^[{each.text}]", action.span, called) for each in action.feedbacks)
            if updates:
                yield _module(f"feedback of [{action.text}.]", action.name, action.span, updates)
        for percept in self.agent.percepts:
            update = Update(named("belief", percept.name), f"^[{percept.text}]", percept.span, _reads(percept.condition))
            yield _module(f"percept ^[{percept.text}]", percept.name, percept.span, (update,))
        for number, rule in enumerate(self.project.reasoning.rules, start=1):
            text = f"{'' if rule.adds else '~'}^[{rule.belief.text}]"
            update = Update(named("belief", rule.belief.name), text, rule.span, _reads(rule.condition))
            yield _module(f"rule {number}", f"rule {number}", rule.span, (update,))

    def roots(self) -> Iterator[Root]:
        for group in self.agent.groups:
            label = f"plan{'s' if len(group.plans) > 1 else ''} {', '.join(str(plan.number) for plan in group.plans)}"
            yield Root(label, _moving(group.name), tuple(self._stub(plan) for plan in group.plans))
        for action in self.agent.actions:
            if action.feedbacks:
                yield Root(f"feedback of [{action.text}.]", _moving(action.name), tuple(self._initial_calls(action.name)))
        for percept in self.agent.percepts:
            yield Root(f"percept ^[{percept.text}]", _moving(percept.name), (Edit(self._line_of(percept)),))
        for number, rule in enumerate(self.project.reasoning.rules, start=1):
            yield Root(f"rule {number}", _moving(f"rule {number}"), (Edit(rule.span),))

    # --- plans ---------------------------------------------------------------------------------------------------------------

    def _plan(self, group: PlanGroup, plan: Plan) -> Part:
        reads = (named("belief", plan.event.belief.name), *_reads(plan.context))
        steps = []
        for written, step in zip(self._entry(plan).steps, plan.steps, strict=True):
            place = Update(named("plan", plan.name), step.text, step.span)
            awaited = tuple(named("belief", each) for each in step.feedbacks)
            updates = (place, self._note(written)) if isinstance(written, MentalAct) else (place,)
            steps.append(Step(step.text, step.span, awaited, updates))
        return Part(f"plan {plan.number}", plan.span, _moving(group.name), tuple(dict.fromkeys(reads)), tuple(steps), edits=())

    def _note(self, act: MentalAct) -> Update:
        written = _MENTAL_ACT.search(act.span.text)
        asked = any(isinstance(each, Executed) for each in self.questions)
        if written is None or asked:
            return Update(
                named("belief", act.belief.name), str(act), act.span, why_kept="the property asks what is done" if asked else None
            )
        place = act.span.source.span(act.span.start + written.start(), act.span.start + written.end())
        return Update(named("belief", act.belief.name), str(act), act.span, edits=(Edit(place, f"-^[{self._unused}]"),))

    def _stub(self, plan: Plan) -> Edit:
        """A plan that is never triggered, as no other sentence is the one that triggers it; what it was stays below as a comment."""
        entry = self._entry(plan)
        source, start = entry.span.source, entry.span.start
        last = entry.steps[-1].span.end if entry.steps else entry.span.end
        rest = _REST_OF_STEP.match(source.text, last)
        whole = source.span(start, rest.end() if rest else last)
        sentence = f"{self._unused} {plan.number}"
        comment = re.sub(r"(?m)^", "// ", whole.text)
        return Edit(whole, f"If ^[{sentence}] while true then -^[{sentence}]. {comment}")

    def _entry(self, plan: Plan) -> PlanEntry:
        return next(each for each in self.project.reasoning.plans if each.number == plan.number)

    @property
    def _unused(self) -> str:
        """A sentence that nobody says."""
        said = {name.partition("_")[0] for name in self.agent.beliefs}
        return next(word for word in ("Skip", "Skipped", "Nothing", "Never") if name_of(word) not in said)

    # --- the rest ------------------------------------------------------------------------------------------------------------

    def _line_of(self, percept: Percept) -> Span:
        return next(each.span for each in self.project.reasoning.percepts if each.sentence.name == percept.name)

    def _initial_calls(self, action: str) -> Iterator[Edit]:
        """Calls before the first cycle, whose feedback nobody awaits."""
        found = next(each for each in self.agent.actions if each.name == action)
        if not found.called_initially:
            return
        file = next(each for each in self.project.actions if each.sentences[0].name == action)
        names = {each.name for each in file.sentences}
        for step in self.project.reasoning.initial_actions:
            if isinstance(step, Call) and step.sentence.name in names:
                line = re.compile(r"[^\n]*").match(step.span.source.text, step.span.end)
                yield Edit(step.span.source.span(step.span.start, line.end() if line else step.span.end))


def _moving(module: str) -> Name:
    return named("event", f"the module {module}")


def _module(label: str, name: str, span: Span, updates: tuple[Update, ...]) -> Part:
    reads = tuple(dict.fromkeys(each for update in updates for each in update.reads))
    step = Step(", ".join(each.text for each in updates), span, updates=updates)
    return Part(label, span, _moving(name), reads, (step,), is_plan=False)
