"""The worlds that agents run in: drawn by the model's own chances, or connected."""
