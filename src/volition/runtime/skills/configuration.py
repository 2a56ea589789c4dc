"""Interpretation of the lines of a run file that are about actions and skills of a program's
agents.

In a project with several agents, such a line names the agent of its action, ``skill drone: Take off
= ...``, unless only one agent has the action.
"""

from __future__ import annotations

from collections.abc import Sequence

from volition.diagnostics import Diagnostic, Diagnostics, InputError, did_you_mean
from volition.languages.lisa.names import name_of
from volition.languages.lisa.resolved import Action, ResolvedAgent
from volition.runtime.bridge import Bridge, InProcessBridge, ScopedBridge
from volition.runtime.run_file import RunFile, RunFileEntry
from volition.runtime.skills.host import HostedSkill, SkillHost
from volition.runtime.skills.loading import SkillFiles
from volition.runtime.worlds.agent_inbox import AgentInbox
from volition.runtime.worlds.connected import ConnectedWorld, DisconnectPercepts
from volition.runtime.worlds.external import ExternalWorld
from volition.runtime.worlds.peers import Peers

__all__ = [
    "bridged_outside",
    "bridged_world",
    "disconnect_percepts",
    "failure_feedbacks",
    "python_world",
    "single_agent",
]


def python_world(
    agents: Sequence[ResolvedAgent], file: RunFile, warnings: Diagnostics
) -> ConnectedWorld:
    """Return a world in which the Python skills of a project execute the actions of its agents.
    Warnings go to ``warnings``. Raise :class:`InputError` if the run file has errors."""
    errors = Diagnostics()
    files = SkillFiles(file.folder, errors)
    hosted: dict[str, list[HostedSkill]] = {agent.name: [] for agent in agents}
    for entry in file.skills:
        if (found := _hosted(agents, files, entry, errors)) is not None:
            hosted[found[0].name].append(found[1])
    if not file.skills:
        errors.error(
            "RUN013",
            "the run file declares no skills",
            hint="write skill ACTION = skills.py:ClassName",
        )
    lost = disconnect_percepts(agents, file, errors)
    for agent in agents:
        for action in agent.actions:
            if (
                not any(each.action == action.name for each in hosted[agent.name])
                and not errors.errors
            ):
                errors.warning("RUN008", f"no skill is declared for the action '{action.text}'")
    errors.raise_errors()
    warnings.extend(errors.warnings)
    bridge = InProcessBridge()
    doorways = _agent_inboxes(agents, bridge)
    hosts = [
        SkillHost(each.bridge, hosted[each.agent], patience=max(1.0, file.cycle))
        for each in doorways
    ]
    return ConnectedWorld("python", bridge, doorways, hosts, lost=lost)


def bridged_world(
    agents: Sequence[ResolvedAgent], file: RunFile, bridge: Bridge, *, real_time: bool
) -> ConnectedWorld:
    """Return a world in which other processes, connected by a bridge, execute the actions of LISA
    agents. In real time, the run does not wait for these processes."""
    errors = Diagnostics()
    lost = disconnect_percepts(agents, file, errors)
    errors.raise_errors()
    return ConnectedWorld(
        "bridge",
        bridge,
        _agent_inboxes(agents, bridge),
        lost=lost,
        partners=_partners(file, bridge, real_time),
    )


def bridged_outside(file: RunFile, bridge: Bridge, *, real_time: bool) -> ExternalWorld:
    """Return a world in which other processes, connected by a bridge, execute the actions of agents
    in languages other than LISA. In real time, the run does not wait for these processes."""
    return ExternalWorld(bridge, partners=_partners(file, bridge, real_time))


def _partners(file: RunFile, bridge: Bridge, real_time: bool) -> Peers:
    return Peers(bridge, [each.value for each in file.peers], waits=not real_time)


def _agent_inboxes(agents: Sequence[ResolvedAgent], bridge: Bridge) -> list[AgentInbox]:
    """Return an inbox for each agent. If there is only one agent, its inbox receives from the whole
    bridge; each of several agents receives the topics below its name."""
    return [
        AgentInbox(agent.name, bridge if len(agents) == 1 else ScopedBridge(bridge, agent.name))
        for agent in agents
    ]


def _hosted(
    agents: Sequence[ResolvedAgent], files: SkillFiles, entry: RunFileEntry, errors: Diagnostics
) -> tuple[ResolvedAgent, HostedSkill] | None:
    """Return the skill that a line of the run file declares, with its agent, or None after
    reporting an error.

    If there are several agents, a skill without an action belongs to the agent that the line names.
    """
    agent = next(
        (each for each in agents if each.name == entry.about),
        agents[0] if not entry.about and len(agents) == 1 else None,
    )
    action = None
    if agent is None:
        if not entry.about:
            hint = f"write 'skill {agents[0].name} = {entry.value}'"
            errors.error(
                "RUN012", "this line does not name the agent of the skill", entry.span, hint=hint
            )
            return None
        if (found := _action(agents, entry, errors)) is None:
            return None
        agent, action = found
    skill = files.skill(entry.value, entry.span)
    if skill is None:
        return None
    name = action.name if action else type(skill).__name__
    return agent, HostedSkill(
        name, skill, action.name if action else None, repeated=action is None or action.repeated
    )


def single_agent(agents: Sequence[ResolvedAgent], world: str) -> ResolvedAgent:
    """Return the only agent of a project. Raise :class:`InputError` if the project has several
    agents, which ``world`` does not support."""
    if len(agents) != 1:
        hint = "several agents run in the worlds 'simulated', 'python' and 'bridge'"
        raise InputError(
            [
                Diagnostic(
                    "RUN005",
                    f"the world '{world}' supports one agent, but the project has {len(agents)}",
                    hint=hint,
                )
            ]
        )
    return agents[0]


def failure_feedbacks(agents: Sequence[ResolvedAgent], file: RunFile) -> dict[str, dict[str, str]]:
    """Return the failure feedbacks that a run file declares: for each agent, a mapping from actions
    to feedbacks, all by name."""
    errors = Diagnostics()
    found: dict[str, dict[str, str]] = {}
    for entry in file.failures:
        if (meant := _action(agents, entry, errors)) is None:
            continue
        agent, action = meant
        if name_of(entry.value) not in (feedback.name for feedback in action.feedbacks):
            known = ", ".join(feedback.text for feedback in action.feedbacks)
            errors.error(
                "RUN004",
                f"'{entry.value}' is not a feedback of '{action.text}'",
                entry.span,
                hint=f"its feedbacks are {known}" if known else "it has no feedbacks",
            )
        found.setdefault(agent.name, {})[action.name] = name_of(entry.value)
    errors.raise_errors()
    return found


def disconnect_percepts(
    agents: Sequence[ResolvedAgent], file: RunFile, errors: Diagnostics
) -> DisconnectPercepts:
    """Return the percepts that become true when a skill or another process is lost, as the lines
    ``lost`` of the run file declare them. The keys are the names of skills and processes on the
    bridge.

    A skill has the name of its action or its class on the bridge, and another process has the name
    that it announces. Unknown percepts are reported to ``errors``.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for entry in file.on_disconnect:
        named, about = _named_agent(agents, entry)
        percept = name_of(entry.value)
        owners = [each for each in named if any(percept == own.name for own in each.percepts)]
        if not owners:
            hint = (
                did_you_mean(entry.value, [each.text for agent in named for each in agent.percepts])
                or "declare it as a percept"
            )
            errors.error("RUN004", f"unknown percept '{entry.value}'", entry.span, hint=hint)
        for agent in owners:
            action = next(
                (each.name for each in agent.actions if each.name == name_of(about)), about
            )
            for name in [action] if len(agents) == 1 else [f"{agent.name}/{action}", about]:
                found.setdefault(name, []).append((agent.name, percept))
    return found


def _named_agent(
    agents: Sequence[ResolvedAgent], entry: RunFileEntry
) -> tuple[Sequence[ResolvedAgent], str]:
    """Return the agents that a line such as ``drone: Take off`` in a run file can be about, and the
    text after the agent's name."""
    name, colon, rest = entry.about.partition(":")
    named = [agent for agent in agents if agent.name == name.strip()] if colon else []
    return (named, rest.strip()) if named else (agents, entry.about)


def _action(
    agents: Sequence[ResolvedAgent], entry: RunFileEntry, errors: Diagnostics
) -> tuple[ResolvedAgent, Action] | None:
    """Return the action that a line of the run file is about and its agent, or None after reporting
    that the action is unknown or that several agents have it."""
    named, about = _named_agent(agents, entry)
    found = [
        (agent, action)
        for agent in named
        for action in agent.actions
        if action.name == name_of(about)
    ]
    if not found:
        known = list(dict.fromkeys(action.text for agent in named for action in agent.actions))
        hint = did_you_mean(about, known) or f"expected one of {', '.join(known)}"
        errors.error("RUN004", f"unknown action '{about}'", entry.span, hint=hint)
    elif len(found) > 1:
        hint = f"write '{found[0][0].name}: {about}'"
        message = f"this line does not name its agent: '{about}' is an action of several agents"
        errors.error("RUN012", message, entry.span, hint=hint)
        return None
    return found[0] if found else None
