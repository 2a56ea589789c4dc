"""Interface to Storm, which runs in a separate process: the client, the worker, and the archive by
which a model is transferred."""
