"""Jason: AgentSpeak as people write it."""
