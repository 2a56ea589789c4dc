"""A bridge inside of one process."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from volition.runtime.bridge import InProcessBridge, matches
from volition.runtime.bridge.in_process import MAX_KEPT

Received = list[tuple[str, Mapping[str, Any]]]


@pytest.mark.parametrize(
    ("pattern", "topic", "fits"),
    [
        ("percept/*", "percept/warm", True),
        ("percept/*", "percept/a/b", False),
        ("percept/*", "feedback/warm", False),
        ("**", "a/b/c", True),
        ("a/**", "a", True),
        ("a/**/z", "a/b/c/z", True),
        ("a/**/z", "a/b", False),
        ("message", "message", True),
        ("message", "messages", False),
    ],
)
def test_patterns(pattern: str, topic: str, fits: bool) -> None:
    assert matches(pattern, topic) is fits


def test_messages_come_in_their_order_and_the_last_one_on_subscribing() -> None:
    bridge, early, late = InProcessBridge(), Received(), Received()
    bridge.subscribe("percept/*", lambda *message: early.append(message))
    for number in range(3):
        bridge.publish("percept/warm", {"value": number})
    bridge.publish("message", {"text": "not for them"})
    end = bridge.subscribe("percept/*", lambda *message: late.append(message))
    assert [data["value"] for _, data in early] == [0, 1, 2]
    assert late == [("percept/warm", {"value": 2})]
    end()
    bridge.publish("percept/warm", {"value": 3})
    assert len(late) == 1
    assert len(early) == 4


def test_who_is_there_and_who_is_gone() -> None:
    bridge, seen = InProcessBridge(), list[tuple[str, bool]]()
    gone = bridge.announce_presence("planner")
    bridge.watch_presence(lambda *progress: seen.append(progress))
    gone()
    bridge.announce_presence("planner")
    assert seen == [("planner", True), ("planner", False), ("planner", True)]


def test_what_is_kept_does_not_grow_without_end() -> None:
    bridge, last = InProcessBridge(), Received()
    for number in range(MAX_KEPT + 5):
        bridge.publish(f"percept/{number}", {})
    bridge.subscribe("**", lambda *message: last.append(message))
    assert len(last) == MAX_KEPT


def test_several_threads_lose_nothing() -> None:
    bridge, received = InProcessBridge(), Received()
    bridge.subscribe("**", lambda *message: received.append(message))

    def publish(name: str) -> None:
        for number in range(300):
            bridge.publish(name, {"n": number})

    threads = [threading.Thread(target=publish, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in "abc":
        assert [data["n"] for topic, data in received if topic == name] == list(range(300))
