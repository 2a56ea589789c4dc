"""Readers take linear time on long runs of one character or word, where regular expressions once took quadratic time or worse.

Each text is so long that quadratic time would be hours.  A process of its own reads all texts, so that a slow reader fails the test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path
from volition import InputError, load
from volition.diagnostics import Source
from volition.languages.kit.properties import properties_in
from volition.logic.reading.expected_results import looks_like_result, read_result, stated_result
from volition.logic.reading.property_file import read_properties

kind, folder = sys.argv[1], Path(sys.argv[2])
LENGTH = 60_000
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


def read(text):
    if kind == "results":
        looks_like_result(text)
        stated_result(text)
        read_properties(Source("p", "// " + text + "\\ntrue\\n"))
    else:
        path = folder / f"it.{kind}"
        path.write_text(text)
        load(path)


for beginning in BEGINNINGS[kind]:
    for pump in PUMPS:
        try:
            read(beginning + pump * (LENGTH // len(pump)) + "\\x01")
        except InputError:
            pass
"""


@pytest.mark.parametrize("kind", ["can", "dribble", "gwen", "ail", "gwendolen", "asl", "results"])
def test_long_runs_of_one_word_are_read_in_linear_time(tmp_path: Path, kind: str) -> None:
    subprocess.run([sys.executable, "-c", SCRIPT, kind, str(tmp_path)], check=True, timeout=300, cwd=Path(__file__).parents[2])
