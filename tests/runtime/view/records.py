"""Small records to look at: an agent that drives a vessel for a minute, and a step of another
language."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

__all__ = ["HOSTILE", "drive", "steps", "written"]

HOSTILE = "</script><img src=x onerror=alert(1)>"

_VOCABULARY = {
    "beliefs": {
        "start_mission": "Start mission",
        "drive_mode": "Drive mode",
        "sea_state_is_too_high": "Sea state is too high",
    },
    "plans": {
        "plan_1": ["[Generate set of waypoints.]", "[Activate drive mode.]"],
        "plan_2": ["-^[Start mission]"],
    },
    "awaited": {"drive_mode": {"feedbacks": "Drive mode", "earliest": 1, "latest": 3}},
}


def drive(*, storm: int = 40, name: str = "a vessel") -> list[dict[str, Any]]:
    """Sixty cycles on a straight line: plan 1 starts the engine, plan 2 ends, a storm comes."""
    lines: list[dict[str, Any]] = [
        _header(
            "LISA",
            name,
            {
                "start_mission": 1,
                "drive_mode": 0,
                "sea_state_is_too_high": 0,
                "plan_1": 0,
                "plan_2": 0,
            },
            _VOCABULARY,
        ),
        {
            "kind": "world",
            "hull": {"length": 2.0, "beam": 1.08, "draft": 0.2},
            "area": [[-30, -20], [60, -20], [60, 20], [-30, 20]],
            "obstacles": [[[20, 5], [25, 5], [25, 10]]],
            "origin": [-30, -20],
            "rows": 90,
            "columns": 40,
            "reach": 6,
            "acceptance": 4,
            "release": 8,
        },
        {
            "kind": "waves",
            "t": 0,
            "components": [[0.1, 0.4, 0.1, 2.0, 0.5], [0.05, 0.9, -0.2, 3.0, 1.5]],
        },
        {"kind": "route", "t": 0, "legs": [{"points": [[-30, 0], [55, 0]], "global": True}]},
    ]
    changes = {
        1: ({}, {"plan_1": 1}),
        3: ({}, {"plan_1": 2}),
        4: ({"drive_mode": 3}, {}),
        5: ({"drive_mode": 1}, {"plan_1": 0}),
        6: ({"drive_mode": 0}, {}),
    }
    changes[storm] = ({"sea_state_is_too_high": 1}, {})
    for cycle in range(60):
        lines.append(_pose(cycle))
        lines.append({"kind": "sea", "t": cycle, "hs": 0.3, "hs_estimated": 0.28})
        lines.append(
            {
                "kind": "values",
                "cycle": cycle,
                "t": float(cycle),
                "state": cycle,
                "values": {"comes home": cycle / 60},
            }
        )
        if cycle % 10 == 0:
            lines.append(
                {
                    "kind": "coverage",
                    "t": cycle,
                    "runs": [[row, 14, 27] for row in range(cycle, cycle + 10)],
                    "share": cycle / 90,
                }
            )
        if cycle == 20:
            options = [
                {"plan": "plan_1", "q": {"Pmax=? [ F done ]": 0.75}},
                {"plan": "plan_2", "q": {"Pmax=? [ F done ]": 0.5}},
            ]
            lines.append(
                {
                    "kind": "choice",
                    "cycle": 20,
                    "group": "plan_1_2",
                    "options": options,
                    "chosen": "plan_1",
                    "by": "verified",
                }
            )
        if cycle == 30:
            lines.append(
                {
                    "kind": "surprise",
                    "cycle": 30,
                    "what": "feedback",
                    "name": "drive_mode",
                    "text": HOSTILE,
                }
            )
        beliefs, plans = changes.get(cycle, ({}, {}))
        inbox: dict[str, Any] = {"percepts": {}, "feedbacks": [], "messages": []}
        why = {"sea_state_is_too_high": {"hs": 0.31}}
        lines.append(
            {
                "kind": "cycle",
                "agent": "vessel",
                "cycle": cycle,
                "t": float(cycle),
                "inbox": inbox,
                "beliefs": beliefs,
                "plans": plans,
                "why": why,
            }
        )
    lines.append({"kind": "end", "cycle": 60, "t": 60.0, "reason": "cycles", "totals": {}})
    return lines


def _pose(cycle: int) -> dict[str, Any]:
    eta = [-30 + 1.4 * cycle, 0.0, 0.2, 0.1 * math.sin(cycle), 0.05, 0.0]
    return {
        "kind": "pose",
        "t": float(cycle),
        "eta": eta,
        "nu": [1.4, 0, 0, 0, 0, 0],
        "thrust": 50.0,
        "rudder": 0.1,
        "anchor": None,
        "set_speed": 1.5,
    }


def steps() -> list[dict[str, Any]]:
    """Two steps of an agent without a vessel."""
    base = {
        "agent": "robot",
        "rules": ["execute(cR)"],
        "plan": "g1",
        "action": "cR",
        "file": "vacuum.dribble",
        "line": 18,
        "stutter": False,
        "slots": {},
    }
    place = {"component": "robot", "choice": 0, "outcome": 0}
    changes = [{"section": "beliefs", "item": "c1", "before": "false", "after": "true"}]
    return [
        _header("Dribble", "vacuum.dribble", {}, {})
        | {"initial_view": {"beliefs": {"c1": "false", "b": "true"}}},
        {
            "kind": "step",
            "cycle": 0,
            "t": 0.0,
            "step": 1,
            "text": "execute cR",
            "changes": changes,
            **base,
            **place,
        },
        {
            "kind": "step",
            "cycle": 1,
            "t": 1.0,
            "step": 2,
            "text": "wait",
            "changes": [],
            **base,
            **place,
        },
        {
            "kind": "end",
            "cycle": 2,
            "t": 2.0,
            "reason": "no further step is possible",
            "totals": {},
        },
    ]


def _header(
    language: str, program: str, initial: dict[str, Any], vocabulary: dict[str, Any]
) -> dict[str, Any]:
    return {
        "format": "volition-run",
        "version": 2,
        "language": language,
        "program": program,
        "program_sha256": "0",
        "agents": ["vessel"],
        "initial": initial,
        "seed": 1,
        "world": "vessel",
        "cycle_seconds": 1.0,
        "select": "verified",
        "slot_descriptions": vocabulary,
    }


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    """The lines as a file."""
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path
