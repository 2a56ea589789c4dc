"""Spin as an engine: its tools, and the replay of its trails in our own system."""
