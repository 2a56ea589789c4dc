"""From text to formulas, properties and expected results."""
