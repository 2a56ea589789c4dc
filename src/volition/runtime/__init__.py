"""Agents that run: the executive, the records it leaves, whether a record is a run of the model,
and what records say about its numbers.

The component functions that are verified are what runs (Izzo, Sect. 3.2 to 3.4): nothing here knows
the semantics of a language.
"""
