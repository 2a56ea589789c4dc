"""Docstrings and comments that use words the style guide avoids.

``python -m tests.source.plain_english`` lists them all; ``--sample 100 --seed 7`` prints random
docstrings, flagged or not, to be read without the code beside them.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PATTERNS", "Docstring", "docstrings", "flagged", "main"]

ROOT = Path(__file__).parents[2]
PATTERNS = {
    "vague person": r"\b(?:nobody|somebody|anybody|whoever|everybody|someone|no one)\b",
    "relative clause without a noun": r"(?<!\w )\b[Ww]ho "
    r"(?:would|asks?|wants?|goes|looks?|comes|has|is|are|may|can)\b",
    "dialect": r"\b(?:told|tells?|telling|portraits?|portrays?|leapt|leaps?|diary|stand-ins?|stillness|doubts?|politely|beginnings)\b",  # noqa: E501
    "old-fashioned": r"\b(?:for ever|any more|without a word|be it|of ours|as it stands|in "
    r"words|thereof|whereof|lest)\b",
    "first line begins with What": r"\A\s*What\b",
    "negation by no": r"\b(?:is|are|was|were) no (?!longer|more|less|fewer|such)[a-z]+",
    "question as a noun": r"\bwhat is asked\b|\basked (?:for|about)\b",
    "he or his": r"\b(?:he|him|his)\b",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}


@dataclass(frozen=True, slots=True)
class Docstring:
    """Docstring of a module, class or function, or leading comment of a C++ declaration."""

    path: Path
    line: int
    name: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} {self.name}"

    def patterns(self) -> list[str]:
        """Return the names of the patterns that the text matches; code in backticks does not
        count."""
        prose = re.sub(r"``?[^`]+``?", "code", self.text)
        return [name for name, pattern in _COMPILED.items() if pattern.search(prose)]


def docstrings() -> Iterator[Docstring]:
    """Yield every docstring of ``src`` and every block of comment lines of ``native``."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        yield from _of_python(path)
    for path in sorted([*(ROOT / "native").rglob("*.hpp"), *(ROOT / "native").rglob("*.cpp")]):
        yield from _of_cpp(path)


def flagged() -> list[Docstring]:
    """Return the docstrings that match at least one pattern."""
    return [each for each in docstrings() if each.patterns()]


def _of_python(path: Path) -> Iterator[Docstring]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and (text := ast.get_docstring(node)):
            yield Docstring(path, getattr(node, "lineno", 1), getattr(node, "name", "module"), text)


def _of_cpp(path: Path) -> Iterator[Docstring]:
    """Yield the comments at the beginning of the file and above declarations. Like ``#`` comments
    of Python, comments inside functions are read together with the code."""
    deepest = 2 if path.suffix == ".hpp" else 0
    block: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        comment = re.match(rf"[ ]{{0,{deepest}}}//+ ?(.*)", line)
        if comment:
            block.append(comment[1])
        elif block:
            yield Docstring(
                path, number - len(block), line.strip()[:60] or "file", "\n".join(block)
            )
            block = []


def main() -> None:
    """List the flagged docstrings, or print a random sample of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="print this many random docstrings instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--under", default="", help="only files below this folder, such as src/volition/kernel"
    )
    options = parser.parse_args()
    everything = [
        each for each in docstrings() if str(each.path.relative_to(ROOT)).startswith(options.under)
    ]
    if options.sample:
        for each in random.Random(options.seed).sample(
            everything, min(options.sample, len(everything))
        ):
            print(f"{each.where}\n{each.text}\n")
        return
    found = [each for each in everything if each.patterns()]
    for each in found:
        print(f"{each.where}: {', '.join(each.patterns())}\n    {each.text.splitlines()[0]}")
    print(f"{len(found)} of {len(everything)} docstrings")


if __name__ == "__main__":
    main()
