"""The parts of the page: each builds its elements for a session and listens to what changes."""
