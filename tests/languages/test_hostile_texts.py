"""Readers take linear time on long runs of one character or word, where regular expressions once
took quadratic time or worse.

A process of its own reads all texts.  It takes seconds of processor time; the system ends it where
a reader takes much longer.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import resource
import sys
from pathlib import Path
from volition import InputError, load
from volition.diagnostics import Source
from volition.languages.common.properties import read_property_file
from volition.logic.parsing.expected_results import looks_like_result, read_result, stated_result
from volition.logic.parsing.property_file import read_properties

resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
folder = Path(sys.argv[1])
LENGTH = 20_000
OTHER_LENGTHS = {" ": 300_000, "1": 60_000, ".": 4_000}  # each full stop is a mistake by itself
PUMPS = [" ", "a", "1", ".", "a ", "! ", "/*", "//", "(", ": ", "= ", "~", '"', "a,"]
BEGINNINGS = {
    "can": ["", "// Plans\\n", "// Actions\\na", "// Initial beliefs\\n"],
    "dribble": ["", "a", "actions:\\n  a"],
    "gwen": ["", "GWENDOLEN\\n:name: a\\n:Initial Beliefs:\\n", "GWENDOLEN\\n:name: a\\n:Plans:\\n"],
    "ail": ["", "env", "mas.file = "],
    "gwendolen": ["", "agents", "agent a = "],
    "asl": ["", "!g.\\n+!g : p"],
    "results": ["", "RESULT", "RESULT: ", "result", "expected", "Result is"],
}


def read(kind, text):
    if kind == "results":
        looks_like_result(text)
        stated_result(text)
        read_properties(Source("p", "// " + text + "\\ntrue\\n"))
    else:
        path = folder / f"it.{kind}"
        path.write_text(text)
        load(path)


for kind, beginnings in BEGINNINGS.items():
    for beginning in beginnings:
        for pump in PUMPS:
            print(kind, repr(beginning), repr(pump), file=sys.stderr, flush=True)
            try:
                read(kind, beginning + pump * (OTHER_LENGTHS.get(pump, LENGTH) // len(pump)) + "\\x01")
            except InputError:
                pass
"""  # noqa: E501


def test_long_runs_of_one_word_are_read_in_linear_time(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr.splitlines()[-1]
