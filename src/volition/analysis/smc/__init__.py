"""Values estimated by runs, for programs whose states no machine holds; see
docs/guides/simulation.md."""
