"""Storm, which runs in a process of its own: the client, the worker, and the archive that transfers
a model."""
