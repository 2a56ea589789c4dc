"""Spin as an engine: its tools, and the replay of its trails in Volition's model of the program."""
