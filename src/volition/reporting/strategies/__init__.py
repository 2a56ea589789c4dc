"""A strategy in the agent's words: on which occasions it decides, by what, and the table of it."""
