"""Modules that all agent languages share: for reading programs, for models, and for slicing."""
