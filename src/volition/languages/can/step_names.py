"""Check that the steps and programs which a program quotes can occur in its runs. Decisions quote
steps, and ``left(...)`` quotes remaining programs.

A decision or label with a text that no run can contain would have no effect. Therefore every quoted
text is compared with the steps of the program. Steps have the names given in
:mod:`volition.languages.can.semantics` and :mod:`volition.languages.can.agent`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import assert_never

from volition.diagnostics import Diagnostics, InputError, Source, did_you_mean
from volition.languages.can.conditions import EventPhase, nodes
from volition.languages.can.printing import body_text, condition_text
from volition.languages.can.reader import read_body
from volition.languages.can.rules import RULE_NAMES
from volition.languages.can.sections import NAME
from volition.languages.can.syntax import (
    Act,
    ActionDecision,
    AddBelief,
    AgentProgram,
    Assign,
    Body,
    DeclarativeGoal,
    EventGoal,
    Nil,
    Parallel,
    Plan,
    Recovery,
    RemoveBelief,
    Sequence,
    SplitParallel,
    Test,
    UntriedPlans,
    parts,
)

__all__ = ["check_step_names", "raised_events"]

_RULES = re.compile(r" \[(?P<rules>[^\[\]]*)\]$")
_FAILED = re.compile(r", as (?P<what>.*?) failed$")
_FAILED_PLAN = re.compile(r"plan (?P<number>[0-9]+)")
_SELECTED = re.compile(r"select plan (?P<plans>[0-9]+(?: or plan [0-9]+)+) for (?P<event>.*)")
_OPTIONS = re.compile(rf"(?P<event>{NAME}):\((?P<plans>[0-9, ]*)\)")
_AS_IN_RUNS = "write it as runs print it"
_SHARE = re.compile(r"[0-9./]+:?")
"""Pattern of a probability in the list of a step's rules. If one of several alternatives is taken
at random, the list contains the rules of all alternatives, and the probability of each alternative
precedes its rules."""

_WORDS = frozenset(["goal", "nil", "true", "false", "min", "max"])
_NAME = re.compile(NAME)


def raised_events(agent: AgentProgram) -> dict[str, list[str]]:
    """Return, for each event, the names of the events that its plans raise."""
    raised: dict[str, list[str]] = {}
    for plan in agent.plans:
        raised.setdefault(plan.event, []).extend(
            part.name for part in parts(plan.body) if isinstance(part, EventGoal)
        )
    return raised


def check_step_names(agent: AgentProgram, diagnostics: Diagnostics) -> None:
    """Report an error for each step or remaining program that a decision or label quotes but that
    cannot occur in a run of the program."""
    checker = _StepNameChecker(agent, diagnostics)
    for decision in agent.decisions:
        if isinstance(decision, ActionDecision):
            checker.check_step(decision)
    for each in (*agent.labels, *agent.decisions):
        for node in nodes(each.condition):
            if isinstance(node, EventPhase) and node.phase == "left":
                checker.check_remaining(node)


class _StepNameChecker:
    def __init__(self, agent: AgentProgram, diagnostics: Diagnostics) -> None:
        self._agent = agent
        self._diagnostics = diagnostics
        self._raised = raised_events(agent)
        self._by_event: dict[str | None, tuple[Plan, ...]] = {}

    # --- check of the steps in decisions ----------------------------------------------------------

    def check_step(self, decision: ActionDecision) -> None:
        plans = self._plans(decision.event)
        text, rules = decision.text, list[str]()
        if found := _RULES.search(text):
            text, rules = text[: found.start()], found["rules"].split()
        known = [*self._agent_steps(decision.event), *_steps(plans)]
        wrong = [part for part in self._alternatives(text) if not self._is_step(part, known, plans)]
        if wrong:
            hint = (
                did_you_mean(_strip_failure_suffix(wrong[0]), known)
                or "use the names that steps have in runs"
            )
            self._diagnostics.error(
                "CAN036",
                f"unknown step{_of(decision.event)}: '{wrong[0]}'",
                decision.span,
                hint=hint,
            )
        for rule in rules:
            if rule.partition("(")[0] not in RULE_NAMES and not _SHARE.fullmatch(rule):
                near = did_you_mean(rule, RULE_NAMES)
                self._diagnostics.error(
                    "CAN036", f"unknown rule '{rule}'", decision.span, hint=near
                )

    def _alternatives(self, text: str) -> list[str]:
        """Return the names of steps in the text of a decision. This is usually one name. With a
        probabilistic policy for intentions, the text may contain several names, joined by "or"."""
        chance = any(
            policy.selection == "intentions" and policy.kind == "probabilities"
            for policy in self._agent.policies
        )
        return text.split(" or ") if chance and not _SELECTED.search(text) else [text]

    def _is_step(self, text: str, known: Collection[str], plans: Collection[Plan]) -> bool:
        while failed := _FAILED.search(text):
            text = text[: failed.start()]
            if (number := _FAILED_PLAN.fullmatch(failed["what"])) and number[
                "number"
            ] not in _numbers(plans):
                return False
        if selected := _SELECTED.fullmatch(text):
            return set(selected["plans"].split(" or plan ")) <= _numbers(plans, selected["event"])
        return text in known

    def _agent_steps(self, event: str | None) -> Iterator[str]:
        for each in self._agent.events:
            if event in (None, each.name, str(each.number)):
                yield f"adopt event {each.name}"
                yield f"remove finished intention {each.name}"
                yield f"drop blocked intention {each.name}"
                yield f"look for plans for {each.name}"

    # --- check of the remaining programs in left(...) ---------------------------------------------

    def check_remaining(self, phase: EventPhase) -> None:
        plans = self._plans(phase.event)
        if not self._knows_numbers(phase, plans):
            return
        text = _OPTIONS.sub(lambda options: options["event"], phase.text)
        known = (
            _names(plans)
            | {each.name for each in self._agent.events}
            | {parameter.name for parameter in self._agent.parameters}
        )
        names: list[str] = _NAME.findall(text)
        for name in names:
            if name not in known and name not in _WORDS:
                hint = did_you_mean(name, known)
                message = f"'{name}' cannot occur in the remaining program{_of(phase.event)}"
                self._diagnostics.error("CAN036", message, phase.span, hint=hint)
                return
        try:
            normal = body_text(
                read_body(Source("left", text), {action.name for action in self._agent.actions})
            )
        except InputError:
            normal = None
        if normal != text:
            hint = _AS_IN_RUNS if normal is None else f"write '{normal}'"
            self._diagnostics.error(
                "CAN036",
                f"'{phase.text}' is not written as runs show a remaining program",
                phase.span,
                hint=hint,
            )

    def _knows_numbers(self, phase: EventPhase, plans: Collection[Plan]) -> bool:
        for options in _OPTIONS.finditer(phase.text):
            of_event = _numbers(plans, options["event"])
            if set(re.findall("[0-9]+", options["plans"])) - of_event or (
                not of_event and options["event"] not in {each.name for each in self._agent.events}
            ):
                message = f"no intention{_of(phase.event)} can have the plans '{options[0]}' left"
                self._diagnostics.error(
                    "CAN036",
                    message,
                    phase.span,
                    hint="the brackets list the plans for the event that have not been tried yet",
                )
                return False
        return True

    # --- texts that the program can produce -------------------------------------------------------

    def _plans(self, event: str | None) -> tuple[Plan, ...]:
        """Return the plans that an external event (None means any) may lead to, directly or through
        other events."""
        if event not in self._by_event:
            reached: set[str] = set()
            found = [
                each.name
                for each in self._agent.events
                if event in (None, each.name, str(each.number))
            ]
            while found:
                name = found.pop()
                if name not in reached:
                    reached.add(name)
                    found += self._raised.get(name, ())
            self._by_event[event] = tuple(
                plan for plan in self._agent.plans if plan.event in reached
            )
        return self._by_event[event]


def _steps(plans: Iterable[Plan]) -> Iterator[str]:
    """Yield the names of the steps that the given plans may make. In a run, a name may be followed
    by ", as ... failed"; this suffix is left out."""
    yield from ("go on, no recovery needed", "go on, both sides are done")
    for plan in plans:
        yield f"select plan {plan.number} for {plan.event}"
        yield f"complete plan {plan.number}"
        for part in parts(plan.body):
            yield from _steps_of(part)


def _steps_of(part: Body) -> Iterator[str]:
    match part:
        case Act(name):
            yield f"act {name}"
        case AddBelief(name):
            yield f"believe {name}"
        case RemoveBelief(name):
            yield f"no longer believe {name}"
        case Assign():
            yield f"set {body_text(part)}"
        case Test(condition):
            yield f"find that {condition_text(condition)}"
        case EventGoal(name):
            yield f"look for plans for {name}"
        case DeclarativeGoal(success):
            goal = condition_text(success)
            yield from (
                f"{verb} goal {goal}" for verb in ("achieve", "give up", "pursue", "try again for")
            )
        case Nil() | Sequence() | Recovery() | Parallel() | UntriedPlans() | SplitParallel():
            pass
        case _:
            assert_never(part)


def _numbers(plans: Iterable[Plan], event: str | None = None) -> set[str]:
    """Return the numbers, as strings, of those of ``plans`` that are for ``event`` (None means
    any)."""
    return {str(plan.number) for plan in plans if event in (None, plan.event)}


def _strip_failure_suffix(text: str) -> str:
    while failed := _FAILED.search(text):
        text = text[: failed.start()]
    return text


def _names(plans: Iterable[Plan]) -> set[str]:
    return {name for plan in plans for name in (plan.event, *_NAME.findall(body_text(plan.body)))}


def _of(event: str | None) -> str:
    return f" of '{event}'" if event is not None else ""
