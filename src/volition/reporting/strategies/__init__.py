"""Explanation of strategies in terms of the program: decision points, decision trees over state
views, and strategy tables."""
