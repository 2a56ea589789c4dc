"""The record of a run: JSON lines, first a header, then one object for each event of the run,
written during the run (``docs/reference/record_format.md``)."""

from volition.runtime.record.format import FORMAT, KINDS, VERSION, Header, digest
from volition.runtime.record.reader import Line, Record, is_record, parse_record, read_record
from volition.runtime.record.writer import Recorder

__all__ = [
    "FORMAT",
    "KINDS",
    "VERSION",
    "Header",
    "Line",
    "Record",
    "Recorder",
    "digest",
    "is_record",
    "parse_record",
    "read_record",
]
