"""The random comparisons of the test suite, over and over with fresh seeds: every test that draws
its examples."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

__all__ = ["compare"]

TESTS = Path(__file__).parents[1]
_EXAMPLES = re.compile(r"(\d+) passing(?: examples)?, (\d+) failing")
_NOTHING_RAN = 5  # pytest's exit code where no test was selected


def compare(seed: int, seconds: float, folder: Path) -> Counter[str]:
    """Runs the drawing tests, file by file, until the time is over; returns what was drawn, and
    writes failures into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    deadline = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    files = [
        path
        for path in sorted(TESTS.rglob("test_*.py"))
        if "hypothesis" in path.read_text(encoding="utf-8")
    ]
    while time.monotonic() < deadline:
        chance.shuffle(files)
        for path in files:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            _run(path, chance.randrange(2**32), left, folder, counts)
        counts["rounds"] += 1
    return counts


def _run(path: Path, seed: int, seconds: float, folder: Path, counts: Counter[str]) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(path),
        "-m",
        "hypothesis",
        f"--hypothesis-seed={seed}",
        "--hypothesis-show-statistics",
    ]
    name = str(path.relative_to(TESTS.parent))
    # In continuous integration examples are always the same; here they must not be.
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    try:
        done = subprocess.run(
            command,
            cwd=TESTS.parent,
            capture_output=True,
            text=True,
            timeout=seconds + 30,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        counts["not finished in time"] += 1
        return
    for passing, failing in _EXAMPLES.findall(done.stdout):
        counts["examples"] += int(passing) + int(failing)
        counts[f"examples of {name}"] += int(passing) + int(failing)
    if done.returncode not in (0, _NOTHING_RAN):
        counts["findings"] += 1
        (folder / f"{path.stem}-{seed}.txt").write_text(
            f"{' '.join(command[1:])}\n\n{done.stdout}\n{done.stderr}", encoding="utf-8"
        )
