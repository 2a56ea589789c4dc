"""What every bridge must do, whoever carries the messages; one suite for all of them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from volition import InputError
from volition.runtime.bridge import Bridge, InProcessBridge
from volition.runtime.bridge.zenoh import ZenohBridge

PATIENCE = 10.0


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp/127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture(params=["in process", "zenoh"])
def ends(request: pytest.FixtureRequest) -> Iterator[tuple[Bridge, Bridge]]:
    """Two ends of a bridge."""
    if request.param == "in process":
        bridge = InProcessBridge()
        yield bridge, bridge
        bridge.close()
        return
    pytest.importorskip("zenoh")
    address = free_address()
    one = ZenohBridge("a run", listen=address)
    other = ZenohBridge("a run", connect=address)
    yield one, other
    other.close()
    one.close()


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes true before patience ends."""
    deadline = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()


def test_messages_arrive_in_their_order(ends: tuple[Bridge, Bridge]) -> None:
    one, other = ends
    received: list[tuple[str, Any]] = []
    other.subscribe("percept/*", lambda topic, data: received.append((topic, data["n"])))
    time.sleep(0.2)
    for number in range(200):
        one.publish("percept/sea is high", {"n": number})
    one.publish("feedback/x", {"n": -1})
    assert eventually(lambda: len(received) >= 200)
    assert received == [("percept/sea is high", number) for number in range(200)]


def test_messages_of_several_topics_arrive_in_their_order(ends: tuple[Bridge, Bridge]) -> None:
    """Who says that he is done with a tick has said before what he saw in it."""
    one, other = ends
    received: list[tuple[str, Any]] = []
    for topic in ("percept/*", "feedback/*", "done/*"):
        other.subscribe(topic, lambda topic, data: received.append((topic, data["n"])))
    time.sleep(0.2)
    said = [
        (topic, number)
        for number in range(300)
        for topic in ("percept/dark", "feedback/open", "done/door")
    ]
    for topic, number in said:
        one.publish(topic, {"n": number})
    assert eventually(lambda: len(received) >= len(said))
    assert received == said


def test_who_comes_later_hears_the_last_message(ends: tuple[Bridge, Bridge]) -> None:
    one, other = ends
    before: list[Any] = []
    other.subscribe("state/vessel", lambda _, data: before.append(data["value"]))
    for value in (1, 2, 3):
        one.publish("state/vessel", {"value": value})
    assert eventually(lambda: before[-1:] == [3])  # so that none is still on its way
    received: list[Any] = []
    other.subscribe("state/**", lambda _, data: received.append(data["value"]))
    assert eventually(lambda: bool(received))
    assert received == [3]


def test_a_subscription_ends(ends: tuple[Bridge, Bridge]) -> None:
    one, other = ends
    received: list[Any] = []
    end = other.subscribe("message", lambda _, data: received.append(data))
    end()
    one.publish("message", {"text": "too late"})
    time.sleep(0.2)
    assert not received


def test_who_is_there_and_who_is_gone(ends: tuple[Bridge, Bridge]) -> None:
    one, other = ends
    progress: list[tuple[str, bool]] = []
    gone = other.announce_presence("path planner")
    one.watch_presence(lambda name, present: progress.append((name, present)))
    assert eventually(lambda: ("path planner", True) in progress)
    gone()
    assert eventually(lambda: ("path planner", False) in progress)
    other.announce_presence("path planner")
    assert eventually(lambda: progress[-1] == ("path planner", True))


def test_an_end_that_closes_is_gone() -> None:
    pytest.importorskip("zenoh")
    address = free_address()
    one, other = ZenohBridge("a run", listen=address), ZenohBridge("a run", connect=address)
    progress: list[tuple[str, bool]] = []
    one.watch_presence(lambda name, present: progress.append((name, present)))
    other.announce_presence("camera")
    assert eventually(lambda: ("camera", True) in progress)
    other.close()
    assert eventually(lambda: ("camera", False) in progress)
    one.close()


def test_what_is_no_message_is_told_as_such() -> None:
    zenoh = pytest.importorskip("zenoh")
    address = free_address()
    one = ZenohBridge("a run", listen=address)
    received: list[Any] = []
    one.subscribe("percept/*", lambda _, data: received.append(dict(data)))
    config = zenoh.Config()
    config.insert_json5("connect/endpoints", f'["{address}"]')
    with zenoh.open(config) as stranger:
        for payload in (b"\xff\xfe", b"[1, 2]", b"[" * 100_000, b'{"value": true}'):
            stranger.put("volition/a run/percept/x", payload)
        assert eventually(lambda: len(received) == 4)
    assert [set(each) for each in received] == [
        {"malformed"},
        {"malformed"},
        {"malformed"},
        {"value"},
    ]
    one.close()


def test_runs_do_not_hear_each_other() -> None:
    pytest.importorskip("zenoh")
    address = free_address()
    one, other = ZenohBridge("one", listen=address), ZenohBridge("other", connect=address)
    received: list[Any] = []
    other.subscribe("**", lambda topic, _: received.append(topic))
    one.publish("percept/x", {"value": True})
    other.publish("percept/y", {"value": True})
    assert eventually(lambda: bool(received))
    time.sleep(0.2)
    assert received == ["percept/y"]
    other.close()
    one.close()


@pytest.mark.parametrize(
    "where", [{"listen": "nonsense"}, {"listen": "tcp/256.0.0.1:1"}, {"connect": "tcp/127.0.0.1:1"}]
)
def test_an_address_that_is_none(where: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zenoh")
    monkeypatch.setattr("volition.runtime.bridge.zenoh.CONNECT_TIMEOUT", 0.2)
    with pytest.raises(InputError, match=r"cannot (listen|connect)"):
        ZenohBridge("a run", **where)
