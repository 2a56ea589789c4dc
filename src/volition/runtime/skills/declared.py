"""What a run file declares about actions and skills, resolved against the program."""

from __future__ import annotations

from collections.abc import Sequence

from volition.diagnostics import Diagnostic, Diagnostics, InputError, did_you_mean
from volition.languages.lisa.agent import Action, Agent
from volition.languages.lisa.names import name_of
from volition.runtime.bridge import Bridge, InProcessBridge
from volition.runtime.bridge.zenoh import ADDRESS, ZenohBridge
from volition.runtime.run_file import Named, RunFile
from volition.runtime.skills.host import Hosted, SkillHost
from volition.runtime.skills.loading import SkillFiles
from volition.runtime.worlds.connected import ConnectedWorld
from volition.runtime.worlds.outside import Outside
from volition.runtime.worlds.partners import Partners

__all__ = ["bridged_outside", "bridged_world", "failures_of", "losses_of", "python_world", "the_one_agent"]


def python_world(agent: Agent, file: RunFile, doubts: Diagnostics) -> ConnectedWorld:
    """The world of the skills that a project brings in Python; what is doubtful goes to ``doubts``."""
    mistakes = Diagnostics()
    files = SkillFiles(file.folder, mistakes)
    hosted = [each for entry in file.skills if (each := _hosted(agent, files, entry, mistakes)) is not None]
    if not file.skills:
        mistakes.error("RUN006", "the run file declares no skills", hint="write skill ACTION = skills.py:ClassName")
    lost = losses_of(agent, file, mistakes)
    for action in agent.actions:
        if not any(each.action == action.name for each in hosted) and not mistakes.errors:
            mistakes.warning("RUN008", f"no skill is declared for the action '{action.text}'")
    mistakes.raise_errors()
    doubts.extend(mistakes.warnings)
    bridge = InProcessBridge()
    return ConnectedWorld("python", agent.name, bridge, [SkillHost(bridge, hosted, patience=max(1.0, file.cycle))], lost=lost)


def bridged_world(agent: Agent, file: RunFile, *, real_time: bool) -> ConnectedWorld:
    """The world of other processes, which a bridge connects; in real time nobody waits for them."""
    mistakes = Diagnostics()
    lost = losses_of(agent, file, mistakes)
    mistakes.raise_errors()
    bridge, partners = _bridge(agent.name, file, real_time)
    return ConnectedWorld("bridge", agent.name, bridge, lost=lost, partners=partners)


def bridged_outside(name: str, file: RunFile, *, real_time: bool) -> Outside:
    """The same for programs whose agents act in a world of their own language."""
    bridge, partners = _bridge(name, file, real_time)
    return Outside(bridge, partners=partners)


def _bridge(name: str, file: RunFile, real_time: bool) -> tuple[Bridge, Partners]:
    bridge = ZenohBridge(file.run or name, listen=file.bridge or ADDRESS)
    return bridge, Partners(bridge, [each.value for each in file.partners], waits=not real_time)


def _hosted(agent: Agent, files: SkillFiles, entry: Named, mistakes: Diagnostics) -> Hosted | None:
    action = _action(agent, entry, mistakes) if entry.about else None
    skill = files.skill(entry.value, entry.span)
    if skill is None or (entry.about and action is None):
        return None
    name = action.name if action else type(skill).__name__
    return Hosted(name, skill, action.name if action else None, repeated=action is None or action.repeated)


def the_one_agent(agents: Sequence[Agent], world: str) -> Agent:
    """The agent of a project that has one; raises :class:`InputError` where it has several."""
    if len(agents) != 1:
        hint = "several agents run in the simulated world"
        raise InputError([Diagnostic("RUN005", f"the world '{world}' has room for one agent, and there are {len(agents)}", hint=hint)])
    return agents[0]


def failures_of(agents: Sequence[Agent], file: RunFile) -> dict[str, dict[str, str]]:
    """Agent ▶ action ▶ the feedback by which it fails, all by their names."""
    mistakes = Diagnostics()
    found: dict[str, dict[str, str]] = {}
    for entry in file.failures:
        agent = next((each for each in agents if any(action.name == name_of(entry.about) for action in each.actions)), agents[0])
        action = _action(agent, entry, mistakes)
        if action is None:
            continue
        if name_of(entry.value) not in (feedback.name for feedback in action.feedbacks):
            known = ", ".join(feedback.text for feedback in action.feedbacks) or "none"
            mistakes.error("RUN004", f"'{entry.value}' is not a feedback of '{action.text}'", entry.span, hint=f"it has {known}")
        found.setdefault(agent.name, {})[action.name] = name_of(entry.value)
    mistakes.raise_errors()
    return found


def losses_of(agent: Agent, file: RunFile, mistakes: Diagnostics) -> dict[str, str]:
    """Skill ▶ the percept that it is lost, both by their names; skills are called as their actions, or as their classes."""
    found = {}
    percepts = {percept.name: percept.text for percept in agent.percepts}
    for entry in file.lost:
        if name_of(entry.value) not in percepts:
            hint = did_you_mean(entry.value, percepts.values()) or "declare it as a percept"
            mistakes.error("RUN004", f"unknown percept '{entry.value}'", entry.span, hint=hint)
        action = next((each.name for each in agent.actions if each.name == name_of(entry.about)), entry.about)
        found[action] = name_of(entry.value)
    return found


def _action(agent: Agent, entry: Named, mistakes: Diagnostics) -> Action | None:
    found = next((action for action in agent.actions if action.name == name_of(entry.about)), None)
    if found is None:
        known = [action.text for action in agent.actions]
        hint = did_you_mean(entry.about, known) or f"expected one of {', '.join(known)}"
        mistakes.error("RUN004", f"unknown action '{entry.about}'", entry.span, hint=hint)
    return found
