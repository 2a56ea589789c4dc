"""Parsers for formulas, property files and expected results."""
