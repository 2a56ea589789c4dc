"""Bridges, which carry messages between skills and the executive, within a process or between
processes. Participants publish, subscribe to topics, and watch which others are present."""

from volition.runtime.bridge.in_process import InProcessBridge
from volition.runtime.bridge.interface import Bridge, matches
from volition.runtime.bridge.scoped import ScopedBridge

__all__ = ["Bridge", "InProcessBridge", "ScopedBridge", "matches"]
