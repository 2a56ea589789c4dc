"""Somebody outside of a run, by the topics of ``docs/guides/bridge.md`` and nothing of Volition:
does what agents ask for, and says what they see.

``python -m tests.runtime.bridge.outside ADDRESS RUN WORLD``.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import zenoh

NAME = "outside"

WORLDS: dict[str, dict[str, list[str]]] = {
    "factory": {
        "load(1)": ["loaded(1)"],
        "stamp(1)": ["result(1,good)"],
        "load(2)": ["loaded(2)"],
        "stamp(2)": ["result(2,good)"],
    },
    "car": {"": ["safe"]},
    "courier": {"road": [], "shortcut": ["delivered"]},
    "vacuum": {},
}
"""What is seen after each action, and under no name what is seen at first; where nothing is said,
what was seen before."""
AGENTS = {"factory": "press", "car": "car", "courier": "courier", "vacuum": ""}


def opened(address: str) -> Any:
    """A session, as soon as the run listens."""
    config = zenoh.Config()
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("mode", '"client"')
    config.insert_json5("connect/endpoints", json.dumps([address]))
    config.insert_json5("connect/timeout_ms", "500")
    while True:
        try:
            return zenoh.open(config)
        except zenoh.ZError:
            time.sleep(0.1)


def main(address: str, run: str, world: str) -> None:
    over = threading.Event()
    with opened(address) as session:

        def say(topic: str, data: dict[str, Any]) -> None:
            session.put(f"volition/{run}/{topic}", json.dumps(data))

        def show(action: str) -> None:
            if action in WORLDS[world]:
                say(f"percepts/{AGENTS[world]}", {"percepts": WORLDS[world][action]})

        def answer(sample: Any) -> None:
            call = json.loads(bytes(sample.payload))
            show(call["action"])
            say(f"feedback/{call['action'].partition('(')[0]}", {"id": call["id"]})

        def tick(sample: Any) -> None:
            data = json.loads(bytes(sample.payload))
            over.set() if data["step"] == "end" else say(f"done/{NAME}", {"cycle": data["cycle"]})

        kept = [
            session.declare_subscriber(f"volition/{run}/call/*", answer),
            session.declare_subscriber(f"volition/{run}/clock", tick),
        ]
        show("")
        kept.append(session.liveliness().declare_token(f"volition/{run}/@alive/{NAME}"))
        over.wait(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
