"""Parsers for formulas, properties and expected results."""
