"""Strategies: computed, made shorter, drawn, written as code and as programs."""
