"""Strategy synthesis: compute optimal strategies, minimise their tables, draw them as decision
trees, and write them as Python code or into an agent program."""
