"""``volition view``: what is no record is refused, and leaves no page behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Volition


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "LNG001"), ("", "REC002"), ('{"format":"volition-run","version":1', "REC004")],
)
def test_the_command_refuses_what_is_no_record(
    volition: Volition, tmp_path: Path, content: str | None, code: str
) -> None:
    record = tmp_path / "run.jsonl"
    if content is not None:
        record.write_text(content)
    ended = volition("view", record)
    assert ended.exit_code == 2
    assert f"error[{code}]" in ended.err
    assert not record.with_suffix(".html").exists()


def test_the_command_refuses_a_folder_without_a_name(volition: Volition) -> None:
    ended = volition("view", "")
    assert ended.exit_code == 2
    assert "error[LNG008]" in ended.err
