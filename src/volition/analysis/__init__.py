"""Questions beyond one verdict: strategies, trade-offs, sweeps over parameters and closed forms."""
