"""Message bridges (publish and subscribe) for a running agent program. A bridge carries messages
between the main loop of the run and the code that executes actions and senses, within one process
or between processes.

Participants can publish messages, subscribe to topics, and watch which other participants are
present.
"""

from volition.runtime.bridge.in_process import InProcessBridge
from volition.runtime.bridge.interface import Bridge, matches
from volition.runtime.bridge.scoped import ScopedBridge

__all__ = ["Bridge", "InProcessBridge", "ScopedBridge", "matches"]
