"""Spin as an engine: its tools, and its trails walked again in our own system."""
