"""Execution of skills in their own process. They follow the clock of a run over a bridge, and
report when they are done with a tick.

A process in another programming language can do the same without this module: it subscribes to
``call/*``, ``stop/*`` and ``clock``, and publishes ``percept/*``, ``feedback/*`` and ``done/NAME``
(``docs/guides/bridge.md``).
"""

from __future__ import annotations

import queue
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from volition.languages.lisa.names import name_of
from volition.runtime.bridge import Bridge, ScopedBridge
from volition.runtime.skills.host import HostedSkill, SkillHost
from volition.runtime.skills.skill import Skill

__all__ = ["serve"]


def serve(
    bridge: Bridge,
    name: str,
    *,
    actions: Mapping[str, Skill] | None = None,
    repeated: Collection[str] = (),
    always: Sequence[Skill] = (),
    agent: str | None = None,
    patience: float = 1.0,
) -> None:
    """Execute skills for the run at the other end of a bridge, until the run ends.

    ``name`` is the name of this process in the run. ``actions`` maps action sentences of the
    program to the skills that execute them; ``repeated`` are the sentences of the actions that
    continue until they are stopped. The skills in ``always`` run from the beginning. If the run has
    several agents, ``agent`` is the one that has these skills. ``patience`` is the time that a
    skill has for one step, in seconds.
    """
    repeated_actions = {name_of(each) for each in repeated}
    hosted = [
        HostedSkill(key, skill, key, repeated=key in repeated_actions)
        for text, skill in (actions or {}).items()
        for key in (name_of(text),)
    ]
    hosted += [HostedSkill(f"{name}: {type(skill).__name__}", skill, None) for skill in always]
    ticks: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
    host = SkillHost(
        bridge if agent is None else ScopedBridge(bridge, agent), hosted, patience=patience
    )
    try:
        bridge.subscribe("clock", lambda _, data: ticks.put(data))
        bridge.announce_presence(name)
        host.start()
        while (tick := ticks.get()).get("step") != "end":
            host.advance(float(tick["t"]), float(tick["t"]) + float(tick["seconds"]))
            bridge.publish(f"done/{name}", {"cycle": tick["cycle"]})
    finally:
        host.close()
        bridge.close()
