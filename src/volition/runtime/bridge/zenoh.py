"""A bridge between processes and machines: zenoh, which needs no broker, speaks many languages, and
has bridges to ROS 2 and MQTT.

A topic ``percept/x`` of the run ``r`` is the key ``volition/r/percept/x``; a message is one JSON
object in UTF-8.  Nothing is looked for on the network: one side listens, on the loopback address
unless it is told another one, the others connect.  What was said last on each topic is asked from
whoever said it.

Zenoh keeps the order of what one side says, but would call every subscriber in a thread of its own.
In lock-step a percept must not be overtaken by the word that its sender is done, so what arrives is
put into one queue, by zenoh's own thread, and received from there.
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
"""Where a run listens unless it is told otherwise."""

_REPLAY_TIMEOUT = 2.0
"""Seconds for others to say what they said last."""

CONNECT_TIMEOUT = 5.0
"""Seconds in which somebody must listen where this connects to."""


class ZenohBridge:
    """A :class:`~volition.runtime.bridge.interface.Bridge` over zenoh; give it an address to
    ``listen`` on, or one to ``connect`` to.

    Messages are received in one thread, in the order in which their sender published them, whatever
    their topics.
    """

    def __init__(self, run: str, *, listen: str | None = None, connect: str | None = None) -> None:
        self._root = f"volition/{_part(run)}"
        self._session = _opened(listen, connect)
        self._lock = threading.RLock()
        self._last: OrderedDict[str, bytes] = OrderedDict()
        self._arrived: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
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
        )  # topics of which something has come while it is asked what was said last
        key = f"{self._root}/{_key(pattern)}"

        def hear(sample: Any, *, again: bool = False) -> None:
            name = str(sample.key_expr)
            with self._lock:
                if received is not None:
                    if again and name in received:
                        return  # something newer has come meanwhile
                    received.add(name)
                receive(
                    unquote(name.removeprefix(f"{self._root}/")), _message(bytes(sample.payload))
                )

        subscriber = self._session.declare_subscriber(key, self._enqueueing(hear))
        for reply in self._session.get(key, timeout=_REPLAY_TIMEOUT):
            if reply.ok is not None:
                hear(reply.ok, again=True)
        received = None
        return self._hold(subscriber)

    def announce_presence(self, name: str) -> Callable[[], None]:
        token = self._session.liveliness().declare_token(f"{self._root}/@alive/{_part(name)}")
        return self._hold(token)

    def watch_presence(self, receive: Callable[[str, bool], None]) -> Callable[[], None]:
        import zenoh

        def hear(sample: Any) -> None:
            with self._lock:
                receive(
                    unquote(str(sample.key_expr).rsplit("/", 1)[1]),
                    sample.kind == zenoh.SampleKind.PUT,
                )

        watcher = self._session.liveliness().declare_subscriber(
            f"{self._root}/@alive/*", self._enqueueing(hear), history=True
        )
        return self._hold(watcher)

    def close(self) -> None:
        self._session.close()
        self._arrived.put(None)

    def _enqueueing(self, hear: Callable[[Any], None]) -> Any:
        """A handler that zenoh calls in the thread in which samples arrive: it only puts them into
        the queue."""
        import zenoh

        return zenoh.handlers.Callback(
            lambda sample: self._arrived.put(partial(hear, sample)), indirect=False
        )

    def _deliver(self) -> None:
        while (receive := self._arrived.get()) is not None:
            try:
                receive()
            except Exception:  # of who listens: the others go on hearing
                logging.getLogger(__name__).exception("a message could not be received")

    def _hold(self, declared: Any) -> Callable[[], None]:
        """Keeps what was declared, which would end with the last reference to it; what is returned
        ends it."""
        self._declared.append(declared)

        def end() -> None:
            if declared in self._declared:
                self._declared.remove(declared)
                declared.undeclare()

        return end

    def _replay_last(self, query: Any) -> None:
        """Somebody came later and asks what was said last."""
        import zenoh

        with self._lock:
            kept = list(self._last.items())
        with query:
            for key, payload in kept:
                if query.key_expr.intersects(zenoh.KeyExpr(key)):
                    query.reply(key, payload)


def _opened(listen: str | None, connect: str | None) -> Any:
    try:
        import zenoh
    except ImportError:
        hint = "install volition with its extra 'bridge'"
        raise InputError(
            [
                Diagnostic(
                    "RUN101",
                    "talking to other processes needs the package eclipse-zenoh",
                    hint=hint,
                )
            ]
        ) from None
    config = zenoh.Config()
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("scouting/gossip/enabled", "false")
    # A client that waits for a listener to come would wait for ever by default.
    config.insert_json5("connect/timeout_ms", str(round(1000 * CONNECT_TIMEOUT)))
    config.insert_json5("connect/exit_on_failure", "true")
    try:
        config.insert_json5("listen/endpoints", json.dumps([] if listen is None else [listen]))
        config.insert_json5("connect/endpoints", json.dumps([] if connect is None else [connect]))
        return zenoh.open(config)
    except zenoh.ZError as error:
        what = f"listen on {listen}" if connect is None else f"connect to {connect}"
        hint = f"an address is like {ADDRESS}; one side listens, the others connect"
        why = re.split(r"[.!]? at /", str(error).splitlines()[0], maxsplit=1)[
            0
        ]  # zenoh adds where in its own source it says so
        raise InputError([Diagnostic("RUN102", f"cannot {what}: {why[:200]}", hint=hint)]) from None


def _message(payload: bytes) -> Mapping[str, Any]:
    """The object of a message; what is none is told as such, and fits no topic's schema."""
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError):
        data = None
    return (
        data if isinstance(data, Mapping) else {"malformed": payload[:200].decode(errors="replace")}
    )


def _key(topic: str) -> str:
    """A topic or a pattern as a key of zenoh, where some characters mean something else."""
    return "/".join(part if part in ("*", "**") else _part(part) for part in topic.split("/"))


def _part(name: str) -> str:
    return quote(name, safe=" ") or "%"
