"""How skills and the executive talk to each other, in this process or across processes: publish,
subscribe, liveliness."""

from volition.runtime.bridge.in_process import InProcessBridge
from volition.runtime.bridge.interface import Bridge, matches
from volition.runtime.bridge.scoped import ScopedBridge

__all__ = ["Bridge", "InProcessBridge", "ScopedBridge", "matches"]
