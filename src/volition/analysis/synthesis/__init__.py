"""Strategy synthesis: compute strategies, minimise their tables, draw them, and write them as code
and as programs."""
