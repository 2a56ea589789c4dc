"""Values over parameters: grids of them, who computes their points, and closed forms."""
