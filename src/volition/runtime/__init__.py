"""Execution of agent programs: the executive, records of runs, conformance of a record to the
model, and estimation of parameters from records.

An agent runs with the same component functions that are verified (Izzo, Sect. 3.2 to 3.4). This
package does not implement the semantics of any language.
"""
