"""Nothing is tracked that belongs to one machine, to one author's desk, or to a build."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a git working tree"
)
HOSTS = {
    "github.com",
    "doi.org",
    "www.stormchecker.org",
    "adl.github.io",
    "no-color.org",
    "semver.org",
    "www.w3.org",
    "zenoh.io",
    "distributed.dask.org",
}
HOSTS |= {
    "example.org",
    "purl.org",
    "creativecommons.org",
}  # which tests of pages look for, and Matplotlib names in pictures

# Spelled so that this file does not contain what it looks for.
HOME_FOLDERS = re.compile("/(" + "|".join(["work", "farm", "root", "home", "Users", "tmp"]) + ")/")
LEFTOVERS = re.compile(
    "|".join(
        [
            "TO" + "DO",
            "FIX" + "ME",
            "X" * 3 + r"\b",
            "breakpoint" + r"\(\)",
            "<<<" + "<<<<",
            r"[Ss]eeds? ?00\d",
        ]
    )
)


def tracked() -> list[Path]:
    """The tracked files of the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def hits(pattern: re.Pattern[str]) -> list[str]:
    """Each place in a tracked text where the pattern stands."""
    found = []
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content:
            found += [
                f"{path.relative_to(ROOT)}: {match[0]}"
                for match in pattern.finditer(content.decode(errors="replace"))
            ]
    return found


def test_no_path_of_one_machine() -> None:
    assert not hits(HOME_FOLDERS)


def test_no_leftovers() -> None:
    assert not hits(LEFTOVERS)


def test_only_known_hosts_are_named() -> None:
    strange = [
        hit for hit in hits(re.compile(r"https?://[\w.-]+")) if hit.rsplit("//", 1)[1] not in HOSTS
    ]
    assert not strange


def test_nothing_built_is_tracked() -> None:
    built = {".so", ".pyc", ".o", ".a", ".whl", ".egg-info", ".log"}
    assert not [
        str(path) for path in tracked() if path.suffix in built or "__pycache__" in path.parts
    ]
