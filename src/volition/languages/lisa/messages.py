"""Messages between the agents of a project: senders and receivers (Izzo, Sect. 3.3.1 and 7.3).

An agent declares a message that it receives as a percept.

- If an agent of the project sends the message, the sender's plans determine when it is held, and it
  needs no probabilities.
- If no agent of the project sends the message, it comes from outside, with its declared
  probabilities.
- If the receiver does not declare a message, it receives *Unknown message received* instead,
  provided that it declares that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.resolved import MessageSource, PlanPosition
from volition.languages.lisa.syntax import PerceptEntry, SendMessage, Sentence

__all__ = ["ALL_AGENTS", "UNKNOWN", "deliver"]

ALL_AGENTS = "all"
"""Keyword in the receivers of a message that stands for all other agents."""

UNKNOWN = "unknown_message_received"
"""Name of the message that stands for all undeclared messages (Izzo, Sect. 3.3.1)."""


def deliver(
    projects: Sequence[AgentFiles], names: Collection[str], diagnostics: Diagnostics
) -> tuple[AgentFiles, ...]:
    """Return the files of each agent, with the messages that other agents send to it added as
    ``mail``. If the agent declares probabilities for such a message, they are removed.

    ``projects`` are the files of the loaded agents. ``names`` are all agents of the project folder.
    Messages to agents that are not loaded are dropped.
    """
    mail: dict[str, dict[str, list[MessageSource]]] = {project.name: {} for project in projects}
    known = {project.name: project for project in projects}
    for project in projects:
        for sending, position in _sendings(project):
            sent = MessageSource(project.name, project.prefix, position)
            for receiver in _receivers(project.name, sending, names, diagnostics):
                if receiver in known:
                    name = _as_received(known[receiver], sending.message, diagnostics)
                    mail[receiver].setdefault(name, []).append(sent)
    return tuple(
        _with_mail(
            project, {name: tuple(sent) for name, sent in mail[project.name].items()}, diagnostics
        )
        for project in projects
    )


def _sendings(project: AgentFiles) -> Iterator[tuple[SendMessage, PlanPosition | None]]:
    for step in project.reasoning.initial_actions:
        if isinstance(step, SendMessage):
            yield step, None
    for plan in project.reasoning.plans:
        for index, step in enumerate(plan.steps, 1):
            if isinstance(step, SendMessage):
                yield step, PlanPosition(f"plan_{plan.number}", index, step.span)


def _receivers(
    sender: str, sending: SendMessage, names: Collection[str], diagnostics: Diagnostics
) -> list[str]:
    """Return the names of the agents that a message is for, each once."""
    others = {name.lower(): name for name in names if name != sender}
    found: list[str] = []
    for receiver in sending.receivers:
        name = receiver.text.lower()
        if name == ALL_AGENTS:
            found += others.values()
        elif name in others:
            found.append(others[name])
        elif name == sender.lower():
            hint = f"+^[{sending.message.text}] adds a mental note"
            diagnostics.error(
                "LIS066", "an agent cannot send a message to itself", receiver.span, hint=hint
            )
        else:
            hint = did_you_mean(receiver.text, others.values()) or _agents_hint(others.values())
            diagnostics.error(
                "LIS059", f"unknown agent '{receiver.text}'", receiver.span, hint=hint
            )
    return list(dict.fromkeys(found))


def _agents_hint(others: Collection[str]) -> str:
    if others:
        return f"the other agents are {', '.join(others)}"
    return (
        "the project has no other agent; an action with an action file (.sep) can send "
        "something to the outside"
    )


def _as_received(receiver: AgentFiles, message: Sentence, diagnostics: Diagnostics) -> str:
    """Return the name of the belief under which an agent perceives a message. Warn if the agent
    does not perceive the message."""
    declared = {
        entry.sentence.name: entry for entry in receiver.reasoning.percepts if entry.is_message
    }
    if message.name in declared or UNKNOWN in declared:
        return message.name if message.name in declared else UNKNOWN
    if any(entry.sentence.name == message.name for entry in receiver.reasoning.percepts):
        hint: str | None = (
            f"move it below 'Monitor the following messages:' in the program of '{receiver.name}'"
        )
    else:
        hint = did_you_mean(message.text, [entry.sentence.text for entry in declared.values()])
    hint = hint or (
        f"write '{message.text}.' below 'Monitor the following messages:' in the program of "
        f"'{receiver.name}'"
    )
    diagnostics.warning(
        "LIS081",
        f"'{receiver.name}' does not perceive the message '{message.text}'",
        message.span,
        hint=hint,
    )
    return message.name


def _with_mail(
    project: AgentFiles, mail: dict[str, tuple[MessageSource, ...]], diagnostics: Diagnostics
) -> AgentFiles:
    entries = tuple(_entry(entry, mail, diagnostics) for entry in project.reasoning.percepts)
    return replace(project, reasoning=replace(project.reasoning, percepts=entries), mail=mail)


def _entry(
    entry: PerceptEntry, mail: dict[str, tuple[MessageSource, ...]], diagnostics: Diagnostics
) -> PerceptEntry:
    """Return the declaration of a percept. If it is a message that an agent of the project sends,
    the declaration is returned without its probabilities, with a warning if it has any."""
    sent = mail.get(entry.sentence.name, ()) if entry.is_message else ()
    if sent and entry.distributions:
        message = (
            f"the probabilities of the message '{entry.sentence.text}' are not used: "
            f"'{sent[0].sender}' sends it"
        )
        diagnostics.warning(
            "LIS082",
            message,
            entry.sentence.span,
            hint="remove them, or use another sentence for the message from outside",
        )
        return replace(entry, conditions=(), distributions=None)
    return entry
