"""An answer in the agent's words: runs, stories, traces, replay, coverage."""
