"""Message bridge between processes and machines over zenoh, a publish-subscribe protocol. Zenoh
needs no broker, is available in many languages, and has gateways to ROS 2 and MQTT.

The topic ``percept/x`` of the run ``r`` is the key ``volition/r/percept/x``; a message is one JSON
object in UTF-8. There is no discovery on the network: one side listens, by default on the loopback
address, and the others connect. A new subscriber queries each publisher for the last message of
each topic.

All messages of a sender must arrive in the order of sending, also across topics. For example, a
process first publishes its percepts and then the message that it is done with the clock tick. Zenoh
would call each subscriber in its own thread, so that messages on different topics could overtake
each other. Zenoh's thread therefore only puts incoming messages into one queue. A single thread
delivers them from there.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from volition.diagnostics import Diagnostic, InputError
from volition.runtime.bridge.in_process import MAX_KEPT
from volition.runtime.bridge.interface import Receive

__all__ = ["ADDRESS", "ZenohBridge"]

ADDRESS = "tcp/127.0.0.1:7447"
"""The network address on which the message bridge of a run listens by default."""

_REPLAY_TIMEOUT = 2.0
"""The time in seconds that a new subscriber waits for the last messages of other participants."""

CONNECT_TIMEOUT = 5.0
"""The time in seconds after which a connection attempt fails if no process listens at the address.
"""


class ZenohBridge:
    """A :class:`~volition.runtime.bridge.interface.Bridge` over zenoh. Give it an address to
    ``listen`` on, or one to ``connect`` to.

    Messages are delivered in one thread, in the order in which their sender published them across
    all topics.
    """

    def __init__(self, run: str, *, listen: str | None = None, connect: str | None = None) -> None:
        self._root = f"volition/{_quoted(run)}"
        self._session = _open_session(listen, connect)
        self._lock = threading.RLock()
        self._last: OrderedDict[str, bytes] = OrderedDict()
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._deliver, daemon=True, name="volition bridge").start()
        self._declared: list[Any] = [
            self._session.declare_queryable(f"{self._root}/**", self._replay_last)
        ]

    def publish(self, topic: str, data: Mapping[str, Any]) -> None:
        payload = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
        key = f"{self._root}/{_key(topic)}"
        with self._lock:
            self._last[key] = payload
            self._last.move_to_end(key)
            if len(self._last) > MAX_KEPT:
                self._last.popitem(last=False)
        self._session.put(key, payload)

    def subscribe(self, pattern: str, receive: Receive) -> Callable[[], None]:
        received: set[str] | None = (
            set()
        )  # topics with a message since the query for last messages began
        key = f"{self._root}/{_key(pattern)}"

        def deliver(sample: Any, *, is_replay: bool = False) -> None:
            name = str(sample.key_expr)
            with self._lock:
                if received is not None:
                    if is_replay and name in received:
                        return  # a newer message has arrived
                    received.add(name)
                receive(
                    unquote(name.removeprefix(f"{self._root}/")), _message(bytes(sample.payload))
                )

        subscriber = self._session.declare_subscriber(key, self._enqueueing(deliver))
        for reply in self._session.get(key, timeout=_REPLAY_TIMEOUT):
            if reply.ok is not None:
                deliver(reply.ok, is_replay=True)
        received = None
        return self._keep_declared(subscriber)

    def announce_presence(self, name: str) -> Callable[[], None]:
        token = self._session.liveliness().declare_token(f"{self._root}/@alive/{_quoted(name)}")
        return self._keep_declared(token)

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        import zenoh

        def deliver(sample: Any) -> None:
            with self._lock:
                receive(
                    unquote(str(sample.key_expr).rsplit("/", 1)[1]),
                    sample.kind == zenoh.SampleKind.PUT,
                )

        watcher = self._session.liveliness().declare_subscriber(
            f"{self._root}/@alive/*", self._enqueueing(deliver), history=True
        )
        return self._keep_declared(watcher)

    def close(self) -> None:
        self._session.close()
        self._queue.put(None)

    def _enqueueing(self, deliver: Callable[[Any], None]) -> Any:
        """Return a handler that zenoh calls in its receiving thread. The handler only puts a call
        of ``deliver`` into the queue of this bridge."""
        import zenoh

        return zenoh.handlers.Callback(
            lambda sample: self._queue.put(partial(deliver, sample)), indirect=False
        )

    def _deliver(self) -> None:
        while (receive := self._queue.get()) is not None:
            try:
                receive()
            except Exception:  # an error of one receiver must not affect the others
                logging.getLogger(__name__).exception("a message could not be received")

    def _keep_declared(self, declared: Any) -> Callable[[], None]:
        """Keep a reference to a zenoh declaration, which would otherwise end when it is
        garbage-collected. The returned function ends the declaration."""
        self._declared.append(declared)

        def end() -> None:
            if declared in self._declared:
                self._declared.remove(declared)
                declared.undeclare()

        return end

    def _replay_last(self, query: Any) -> None:
        """Reply to the query of a new subscriber with the last message of each topic that it
        subscribes to."""
        import zenoh

        with self._lock:
            kept = list(self._last.items())
        with query:
            for key, payload in kept:
                if query.key_expr.intersects(zenoh.KeyExpr(key)):
                    query.reply(key, payload)


def _open_session(listen: str | None, connect: str | None) -> Any:
    try:
        import zenoh
    except ImportError:
        hint = "pip install 'volition[bridge]'"
        raise InputError(
            [
                Diagnostic(
                    "RUN101",
                    "the bridge to other processes needs the package eclipse-zenoh",
                    hint=hint,
                )
            ]
        ) from None
    config = zenoh.Config()
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("scouting/gossip/enabled", "false")
    # By default a client waits indefinitely for a listener.
    config.insert_json5("connect/timeout_ms", str(round(1000 * CONNECT_TIMEOUT)))
    config.insert_json5("connect/exit_on_failure", "true")
    try:
        config.insert_json5("listen/endpoints", json.dumps([] if listen is None else [listen]))
        config.insert_json5("connect/endpoints", json.dumps([] if connect is None else [connect]))
        return zenoh.open(config)
    except zenoh.ZError as error:
        what = f"listen on {listen}" if connect is None else f"connect to {connect}"
        hint = f"an address looks like {ADDRESS}; one side listens, the others connect"
        why = re.split(r"[.!]? at /", str(error).splitlines()[0], maxsplit=1)[
            0
        ]  # without the position in zenoh's own source
        raise InputError([Diagnostic("RUN102", f"cannot {what}: {why[:200]}", hint=hint)]) from None


def _message(payload: bytes) -> Mapping[str, Any]:
    """Return the JSON object of a message. A payload that is not a JSON object becomes
    ``{"malformed": ...}``, which no topic accepts."""
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError):
        data = None
    return (
        data if isinstance(data, Mapping) else {"malformed": payload[:200].decode(errors="replace")}
    )


def _key(topic: str) -> str:
    """Return a topic or a pattern as a zenoh key expression, with special characters
    percent-encoded."""
    return "/".join(part if part in ("*", "**") else _quoted(part) for part in topic.split("/"))


def _quoted(name: str) -> str:
    return quote(name, safe=" ") or "%"
