"""Records: what is written is read again, wherever it was cut off, and what is damaged is said with
its line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.simulated import as_record, loaded, record_text
from volition import load
from volition.diagnostics import InputError, Source
from volition.runtime.record import Header, Recorder, digest, is_record, read_record

HEADER = Header("CAN", "a.can", "0" * 64, ("a",), {"x": 0}, seed=3)
LINES = [
    ("message", {"cycle": 0, "text": "ä\u2028"}),
    ("end", {"cycle": 1, "t": 1.0, "reason": "cycles"}),
]


def written(lines: list[tuple[str, dict[str, object]]] | None = None) -> str:
    stream = io.StringIO()
    recorder = Recorder(stream)
    recorder.begin(HEADER)
    for kind, fields in LINES if lines is None else lines:
        recorder.write(kind, **fields)
    return stream.getvalue()


def codes_and_lines(text: str) -> list[tuple[str, int | None]]:
    with pytest.raises(InputError) as caught:
        as_record(text)
    return [(each.code, each.span.line if each.span else None) for each in caught.value.diagnostics]


def test_what_is_written_is_read_again() -> None:
    record = as_record(written())
    assert record.header == HEADER
    assert [
        (line.kind, {k: v for k, v in line.fields.items() if k != "kind"}) for line in record.lines
    ] == LINES
    assert record.ended
    assert not record.warnings


def test_a_record_is_recognized_however_its_json_is_written() -> None:
    other = "\n".join(
        json.dumps(json.loads(line), indent=None, sort_keys=True)
        for line in written().split("\n")
        if line
    )
    assert as_record(other).header == HEADER
    assert all(is_record(Source("run.jsonl", text)) for text in (written(), other, "\n" + other))
    assert not any(
        is_record(Source("run.jsonl", text))
        for text in ("", "[1]", '{"format": "trace"}', "[" * 100_000)
    )


def test_long_blank_lines_are_skipped() -> None:
    """Each character is looked at once: a time that grows with the square of the length would be
    hours here."""
    assert as_record((" " * 1_000_000 + "\n") + written()).header == HEADER


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_record_that_is_cut_off_anywhere_is_readable_up_to_there(data: st.DataObject) -> None:
    text = written([("message", {"cycle": n, "text": "x" * n}) for n in range(6)])
    first = text.index("\n") + 1
    record = as_record(text[: data.draw(st.integers(first, len(text)))])
    kept = text[:first].count("\n") + len(record.lines)
    assert [line["cycle"] for line in record.lines] == list(range(len(record.lines)))
    rest = text.splitlines()[kept:]
    assert bool(record.warnings) <= bool(rest)
    assert all(each.code == "REC003" for each in record.warnings)


def test_damaged_lines_are_named_all_at_once() -> None:
    lines = written().splitlines()
    lines[1] = lines[1][:-3]
    lines[2] = json.dumps({"kind": "end", "cycle": "one", "t": 0, "reason": "x"})
    assert codes_and_lines(
        "\n".join([*lines, "[1]", '{"cycle":1}', '{"kind":"end","cycle":NaN}']) + "\n"
    ) == [
        ("REC004", 2),
        ("REC004", 3),
        ("REC004", 4),
        ("REC004", 5),
        ("REC004", 6),
    ]


def test_other_files_are_not_records() -> None:
    assert codes_and_lines("") == [("REC002", None)]
    assert codes_and_lines('{"format": "volition-trace"}\n') == [("REC002", 1)]
    assert codes_and_lines(written().replace('"version":2', '"version":3')) == [("REC007", 1)]
    assert codes_and_lines("x = 1\n") == [("REC004", 1)]
    assert codes_and_lines(written().replace('"agents":["a"]', '"agents":"a"')) == [("REC004", 1)]


def test_a_file_with_thousands_of_mistakes_is_refused_with_the_first() -> None:
    assert len(codes_and_lines(written() + "nonsense\n" * 5000)) == 21


def test_lines_of_an_unknown_kind_are_left_out_with_one_warning() -> None:
    record = as_record(written() + '{"kind":"sonar","cycle":1}\n' * 3)
    assert [each.code for each in record.warnings] == ["REC005"]
    assert len(record.lines) == len(LINES)


def test_kinds_and_numbers_that_no_record_has_are_refused() -> None:
    with pytest.raises(ValueError, match="sonar"):
        written([("sonar", {})])
    with pytest.raises(ValueError, match="not JSON compliant"):
        written([("pose", {"t": float("nan")})])


def test_an_existing_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("mine")
    with pytest.raises(InputError) as caught:
        Recorder(path)
    assert [each.code for each in caught.value.diagnostics] == ["REC006"]
    assert path.read_text() == "mine"
    with Recorder(path, overwrite=True) as recorder:
        recorder.begin(HEADER)
        assert read_record(path).header == HEADER  # on the disk before the record is closed


def test_the_same_run_gives_the_same_bytes() -> None:
    program = loaded("can/courier.can")
    assert record_text(program, steps=30, seed=4) == record_text(program, steps=30, seed=4)


def test_a_digest_is_that_of_the_texts_and_not_of_their_folder(tmp_path: Path) -> None:
    text = Path(loaded("can/courier.can").sources[0].name).read_text()
    digests = []
    for name, content in (("one", text), ("two", text), ("three", "// another\n" + text)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "courier.can").write_text(content)
        digests.append(digest(load(tmp_path / name / "courier.can")))
    assert digests[0] == digests[1] != digests[2]
