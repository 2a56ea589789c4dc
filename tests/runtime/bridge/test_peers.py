"""Partners in lock-step that die and return: the run goes on without them, and waits for them
again."""

from __future__ import annotations

from volition.runtime.bridge.in_process import InProcessBridge
from volition.runtime.run_log import RunLog
from volition.runtime.worlds.peer_monitor import PeerMonitor
from volition.runtime.worlds.peers import Peers


def test_a_partner_that_dies_and_returns_again_and_again() -> None:
    bridge = InProcessBridge()
    partners = Peers(bridge, ["door"], joining=5, patience=0.01)
    presence = PeerMonitor(bridge, partners)
    leave = bridge.announce_presence("door")
    presence.begin()
    presence.expect()
    texts: list[tuple[str, bool]] = []
    for cycle in range(0, 40, 4):
        bridge.publish("done/door", {"cycle": cycle})
        presence.wait(cycle)
        leave()
        presence.wait(cycle + 1)
        texts += presence.report_changes(RunLog(), cycle + 1)
        leave = bridge.announce_presence("door")
        presence.wait(cycle + 2)  # it has joined, and is late
        bridge.publish("done/door", {"cycle": cycle + 3})
        presence.wait(cycle + 3)
        texts += presence.report_changes(RunLog(), cycle + 3)
        assert texts[-1] == ("door", True), "it is there at the end of each round"
    assert ("door", False) in texts
    assert {name for name, _ in texts} == {"door"}
