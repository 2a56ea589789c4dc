"""What this machine has, for limits that nobody stated."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["memory_for_states"]

CONTAINER = Path("/sys/fs/cgroup/memory.max")


def memory_for_states() -> int | None:
    """Half of the memory, in bytes: checking needs some beside the states; None where the system does not tell how much there is."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    try:
        allowed = int(CONTAINER.read_text(encoding="ascii"))
    except (OSError, ValueError):
        allowed = memory
    return min(memory, allowed) // 2
