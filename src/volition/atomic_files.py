"""Atomic file writes: a reader never finds a half-written file, even if the disk is full or the
program is killed."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["Content", "write_atomically"]


Content = bytes | Iterable[bytes | memoryview]
"""Content of a file: all bytes at once, or an iterable of chunks."""


def write_atomically(contents: Mapping[Path, Content]) -> None:
    """Write the given content to each path, for all paths or for none; raise :class:`OSError` on
    failure.

    Each file is first written under a temporary name in the folder of its path. When all are
    complete, they are renamed. If a path is a symbolic link, the link stays and its target is
    replaced. Devices and pipes are written to directly.
    """
    waiting: list[tuple[Path, Path]] = []
    try:
        for path, content in contents.items():
            target = Path(os.path.realpath(path))
            if target.exists() and not target.is_file():
                with target.open("wb") as device:
                    device.writelines(_pieces(content))
                continue
            beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
            waiting.append((beside, target))
            _write_exclusive(beside, content)
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
        while waiting:
            os.replace(*waiting[0])
            waiting.pop(0)
    finally:
        for beside, _ in waiting:
            with suppress(OSError):
                beside.unlink()


def _pieces(content: Content) -> Iterable[bytes | memoryview]:
    return [content] if isinstance(content, bytes) else content


def _write_exclusive(path: Path, content: Content) -> None:
    with path.open("xb") as file:
        file.writelines(_pieces(content))
        file.flush()
        os.fsync(file.fileno())
