"""Mutants of saved state spaces with valid checksums: only checks of the content can refuse them.

``python -m tests.fuzz.saved_spaces --count 2000 --native build/sanitized/_native.so`` tries them
with a native module that was built with sanitizers (``make sanitize``).  A mutant passes if every
command refuses it with exit code 2 and a message, or answers in time, and the process stays alive.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import multiprocessing
import os
import random
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "SPECIMENS",
    "Content",
    "Mutant",
    "SpaceSpecimen",
    "complaint_about",
    "content_in",
    "mutant",
    "saved_content",
]

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST_TRIAL = 120.0
"""Seconds after which the commands on one mutant are taken to hang."""

Arrays = dict[str, npt.NDArray[Any]]
Header = dict[str, Any]


# --- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Content:
    """The header and the arrays of a file; ``sections`` in the header is written anew."""

    header: Header
    arrays: Arrays

    def written(
        self, spoil: Callable[[list[dict[str, Any]]], None] | None = None, filler: int = 0
    ) -> bytes:
        """Return the file with checksums that are right; ``spoil`` may change the table of
        sections, ``filler`` lengthens the header."""
        sections, body = [], b""
        for name, array in self.arrays.items():
            data = array.tobytes()
            kind = array.dtype.str.replace("|", "<")
            checksum = hashlib.sha256(data).hexdigest()
            sections.append(
                {
                    "name": name,
                    "type": kind,
                    "count": len(array),
                    "offset": len(body),
                    "sha256": checksum,
                }
            )
            body += data + b"\0" * (-len(data) % 64)
        if spoil is not None:
            spoil(sections)
        text = json.dumps({**self.header, "sections": sections}).encode("ascii")
        text += b" " * (-len(text) % 64 + filler)
        return (
            struct.pack(
                "<16sIIQ32s", b"volition space\r\n", 2, 0, len(text), hashlib.sha256(text).digest()
            )
            + text
            + body
        )


def content_in(file: bytes) -> Content:
    """Return the content of a file that is as it was written."""
    _, _, _, length, _ = struct.unpack("<16sIIQ32s", file[:64])
    header = json.loads(file[64 : 64 + length])
    arrays = {}
    for section in header.pop("sections"):
        dtype, begin = np.dtype(section["type"]), 64 + length + section["offset"]
        arrays[section["name"]] = np.frombuffer(file, dtype, section["count"], begin).copy()
    return Content(header, arrays)


# --- mutations ------------------------------------------------------------------------------------

Mutation = Callable[[random.Random, Content], str]

STRANGE: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        7,
        64,
        255,
        2**31,
        2**32 - 1,
        2**32,
        2**63 - 1,
        2**63,
        2**64,
        2**70,
        10**400,
    ),
    *(-1, -(2**63), 0.0, 1.0, 0.5, 1e308, float("nan"), float("inf"), float("-inf")),
    *(
        "",
        "0",
        "many",
        "../x",
        "/etc/passwd",
        "\0",
        "\x1b[2J",
        "\ud800",
        "x" * 5000,
        "!" * 30000 + "x",
        "(" * 30000,
    ),
    *(
        [],
        {},
        [None],
        [[]],
        {"": {}},
        [0] * 100,
        {"reason": "states", "text": "x"},
        {"reason": "stop_condition", "text": ""},
        ["!" * 30000 + "x"],
    ),
)
TYPES = (
    "<u1",
    "<u2",
    "<u4",
    "<u8",
    "<i1",
    "<i4",
    "<i8",
    "<f4",
    "<f8",
    ">u4",
    "<u16",
    "O",
    "V8",
    "|S4",
    "<U2",
    "",
    "u4,u4",
    "<M8[s]",
)


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(data, dict):
        for key in data:
            yield from _places(data[key], (*path, key))
    elif isinstance(data, list):
        for index in range(min(len(data), 4)):
            yield from _places(data[index], (*path, index))


def change_header(chance: random.Random, content: Content) -> str:
    """Put something else in some place of the header, or remove that place."""
    header = content.header
    path = chance.choice(
        list(
            _places(
                {
                    key: header[key]
                    for key in chance.sample(sorted(header), 3)
                    if key != "slot_values"
                }
                or header
            )
        )
    )
    inside: Any = header
    for key in path[:-1]:
        inside = inside[key]
    old, key = inside[path[-1]], path[-1]
    if chance.random() < 0.15:
        del inside[key]
        return f"header {path}: removed"
    if type(old) is int and chance.random() < 0.6:
        inside[key] = chance.choice((old + 1, old - 1, old * 2, old // 2, -old, old + 2**32))
    elif isinstance(old, list) and old and chance.random() < 0.6:
        inside[key] = chance.choice((old[:-1], [*old, old[-1]], old[::-1], old * 2, old[1:]))
    elif isinstance(old, str) and old and chance.random() < 0.5:
        index = chance.randrange(len(old))
        inside[key] = (
            old[:index] + chance.choice(("", "x", "~", "9", "(", "\n", old)) + old[index + 1 :]
        )
    else:
        inside[key] = copy.deepcopy(chance.choice(STRANGE))
    if path[0] == "program" and path[-1] != "sha256":
        _sign_program(header)
    return f"header {path}: {str(inside[key])[:40]!r}"


def _sign_program(header: Header) -> None:
    """Make the checksum of the program right again, as far as the program has a shape."""
    try:
        digest = hashlib.sha256()
        for path, text in sorted(
            (each["path"], each["text"]) for each in header["program"]["files"]
        ):
            for part in (path, text):
                digest.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
        header["program"]["sha256"] = digest.hexdigest()
    except (TypeError, KeyError, AttributeError):
        return


COUNTS: Mapping[str, Sequence[str]] = {
    "targets": ["transitions"],
    "choice_signatures": ["choices"],
    "states": ["states"],
    "first_choice": ["expanded"],
    "first_transition": ["expanded"],
}
"""Counts in the header that go with the length of an array."""


def change_length(chance: random.Random, content: Content) -> str:
    """Drop an array, or make it shorter or longer; the header may go along with it."""
    header, arrays = content.header, content.arrays
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    size = len(array)
    length = chance.choice(
        (0, 1, size - 1, size - 1, size + 1, size + 1, size // 2, 2 * size, size + 64)
    )
    if chance.random() < 0.1:
        del arrays[name]
        return f"{name}: removed"
    arrays[name] = (
        np.resize(array, max(0, length)) if size else np.zeros(max(0, length), array.dtype)
    )
    if chance.random() < 0.5:
        for count in COUNTS.get(name, ()):
            if isinstance(header.get(count), int):
                header[count] += length - size
    return f"{name}: {length} instead of {size} numbers"


def change_family(chance: random.Random, content: Content) -> str:
    """Shorten, or empty, all arrays that have an element for each slot, kind or state."""
    header, arrays = content.header, content.arrays
    family = chance.choice(
        ("slot_", "signature_", "first_choice", "first_transition", "first_", "signature_labels")
    )
    keep = chance.choice((0.0, 0.5, 0.9))
    for name in [each for each in arrays if each.startswith(family)]:
        arrays[name] = arrays[name][: int(len(arrays[name]) * keep)]
    if family == "slot_" and chance.random() < 0.5:
        header["words_per_state"] = chance.choice((0, 1, 2))
        header["slots"] = [] if keep == 0.0 else header.get("slots")
    return f"{family}*: {keep:.0%} of the numbers"


def change_type(chance: random.Random, content: Content) -> str:
    """Give an array another type: the same numbers, or the same bytes."""
    header, arrays = content.header, content.arrays
    name = chance.choice(sorted(arrays))
    dtype = np.dtype(chance.choice(("<u1", "<u2", "<u4", "<u8", "<i4", "<i8", "<f4", "<f8")))
    array = arrays[name]
    with np.errstate(all="ignore"):
        if chance.random() < 0.5:
            arrays[name] = array.astype(dtype)
        else:
            arrays[name] = np.frombuffer(
                array.tobytes() + b"\0" * (-array.nbytes % dtype.itemsize), dtype
            ).copy()
    if chance.random() < 0.3:
        for count in COUNTS.get(name, ()):
            header[count] = len(arrays[name])
    return f"{name}: {array.dtype} becomes {dtype}"


def change_numbers(chance: random.Random, content: Content) -> str:
    """Change a few numbers of an array."""
    arrays = content.arrays
    name = chance.choice(sorted(each for each in arrays if len(arrays[each])) or [""])
    if not name:
        return "nothing"
    array = arrays[name] = arrays[name].copy()
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        index = chance.choice((0, len(array) - 1, chance.randrange(len(array))))
        other = int(array[chance.randrange(len(array))]) if array.dtype.kind == "u" else 1
        number = chance.choice(
            (
                0,
                1,
                other,
                int(array.max()) + 1,
                2**31,
                2**32 - 1,
                2**63,
                2**64 - 1,
                chance.getrandbits(64),
                other + 1,
            )
        )
        array[index] = (
            np.uint64(number).astype(array.dtype)
            if array.dtype.kind != "u"
            else number % 2 ** (8 * array.itemsize)
        )
    return f"{name}: other numbers"


def change_order(chance: random.Random, content: Content) -> str:
    """Sort, reverse, shuffle, rotate or repeat the numbers of an array, or make all of them the
    same."""
    arrays = content.arrays
    name = chance.choice(sorted(arrays))
    array = arrays[name]
    how = chance.choice(("sort", "reverse", "shuffle", "rotate", "constant", "swap"))
    match how:
        case "sort":
            arrays[name] = np.sort(array)
        case "reverse":
            arrays[name] = array[::-1].copy()
        case "shuffle":
            arrays[name] = np.random.default_rng(chance.getrandbits(32)).permutation(array)
        case "rotate":
            arrays[name] = np.roll(array, chance.choice((1, -1, 64)))
        case "constant":
            arrays[name] = np.full_like(
                array, array[chance.randrange(len(array))] if len(array) else 0
            )
        case _:
            arrays[name] = array.copy()
            if len(array) > 1:
                index = chance.randrange(len(array) - 1)
                arrays[name][[index, index + 1]] = array[[index + 1, index]]
    return f"{name}: {how}"


def change_plausibly(chance: random.Random, content: Content) -> str:
    """Put a number of an array in the place of another, or give an array a wider type: many of
    these files are accepted."""
    names = (
        "signature_labels",
        "signature_rewards",
        "signature_components",
        "signature_weights",
        "choice_signatures",
        "targets",
        "states",
        "keys",
    )
    name = chance.choice([each for each in names if len(content.arrays.get(each, ()))] or [""])
    if not name:
        return "nothing"
    array = content.arrays[name] = content.arrays[name].copy()
    for _ in range(chance.choice((1, 3, 20))):
        array[chance.randrange(len(array))] = array[chance.randrange(len(array))]
    if name == "choice_signatures" and chance.random() < 0.5:
        content.arrays[name] = array.astype(chance.choice(("<u2", "<u4")))
    return f"{name}: plausible numbers"


def make_cycles(chance: random.Random, content: Content) -> str:
    """Let transitions lead in circles, or to states that come later."""
    arrays = content.arrays
    targets = arrays.get("targets")
    if targets is None or len(targets) == 0 or targets.dtype.kind != "u":
        return "nothing"
    states = max(2, int(targets.max()) + 1)
    arrays["targets"] = np.asarray(
        chance.choice(((targets + 1) % states, (states - 1 - targets), targets ^ 1, targets % 2)),
        dtype=targets.dtype,
    )
    return "targets: circles"


def mix_parts(chance: random.Random, content: Content) -> str:
    """Exchange two arrays, or add one that does not belong there."""
    arrays = content.arrays
    one, other = chance.choice(sorted(arrays)), chance.choice(sorted(arrays))
    if chance.random() < 0.3:
        arrays[f"{one}_too"] = arrays[one]
        return f"{one}: twice"
    arrays[one], arrays[other] = arrays[other], arrays[one]
    return f"{one} and {other}: exchanged"


def double_in_replay_log(chance: random.Random, content: Content) -> str:
    """Let the replay log combine earlier results repeatedly."""
    header, arrays = content.header, content.arrays
    replay_log = arrays.get("replay_log")
    if replay_log is None or replay_log.dtype != np.dtype("<u4"):
        return "nothing"
    how, count = chance.randrange(5), chance.choice((1, 5, 60))
    known = header.get({0: "labels", 3: "rewards"}.get(how, "weights"))
    first = len(known) if isinstance(known, list) else 1
    entries = [(2**31 + how, 1, first - 1 + step, first - 1 + step) for step in range(count)]
    arrays["replay_log"] = np.concatenate([replay_log, np.array(entries, dtype="<u4").reshape(-1)])
    return f"replay_log: {count} combinations more"


MUTATIONS: tuple[Mutation, ...] = (
    *(
        change_header,
        change_header,
        change_length,
        change_length,
        change_family,
        change_type,
        change_numbers,
        change_numbers,
    ),
    *(
        change_numbers,
        change_order,
        change_order,
        change_plausibly,
        change_plausibly,
        change_plausibly,
        make_cycles,
        mix_parts,
        double_in_replay_log,
    ),
)


def _spoil_sections(chance: random.Random, sections: list[dict[str, Any]]) -> None:
    """Change the table that says where the arrays are."""
    section = chance.choice(sections)
    key = chance.choice(sorted(section))
    old = section[key]
    if key == "type" and chance.random() < 0.8:
        section[key] = chance.choice(TYPES)
    elif isinstance(old, int) and chance.random() < 0.7:
        section[key] = chance.choice(
            (0, old + 1, old - 1, old + 64, 2 * old, -64, 2**63, 2**64, 10**30)
        )
    else:
        section[key] = copy.deepcopy(chance.choice(STRANGE))


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file, and how it differs from the one that it was made of."""

    what: str
    file: bytes


def mutant(content: Content, seed: int | str) -> Mutant:
    """Return the mutant of a seed: one to three changes, and checksums that are right."""
    chance = random.Random(seed)
    changed = Content(copy.deepcopy(content.header), dict(content.arrays))
    if chance.random() < 0.08:
        if chance.random() < 0.3:
            return Mutant(
                "the header has another length", changed.written(filler=chance.choice((1, 4, 32)))
            )
        return Mutant(
            "the table of the sections",
            changed.written(lambda sections: _spoil_sections(chance, sections)),
        )
    said = [
        chance.choice(MUTATIONS)(chance, changed) for _ in range(chance.choice((1, 1, 1, 2, 3)))
    ]
    return Mutant("; ".join(said), changed.written())


# --- specimens ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpaceSpecimen:
    """A program whose states are saved, and a formula about runs and one about probabilities to
    check on mutants of the file."""

    program: str
    graph: str
    number: str
    options: tuple[str, ...] = ()

    def commands(self, file: str) -> tuple[tuple[str, ...], ...]:
        """Return everything that uses a space: graph and numbers, going on, strategies, runs."""
        return (
            ("explore", file, "--resume", "--max-states", "3000", "--timeout", "20", "--json"),
            (
                "check",
                file,
                "-p",
                self.graph,
                "-p",
                "A [ F false ]",
                "-p",
                self.number,
                "--float",
                "--timeout",
                "20",
                "--json",
            ),
            ("check", file, "-p", self.number, "--exact", "--timeout", "20", "--json"),
            ("strategy", file, "-p", self.number, "--timeout", "20", "--json"),
            (
                "simulate",
                file,
                "-p",
                self.number,
                "--runs",
                "10",
                "--num-schedulers",
                "2",
                "--jobs",
                "1",
                "--timeout",
                "20",
                "--json",
            ),
        )


SPECIMENS = (
    SpaceSpecimen("can/rescue.can", "A [ F Bel(rescued) ]", "Pmax=? [ F Bel(rescued) ]"),
    SpaceSpecimen("can/rover.can", "A [ F SS1 ]", 'R{"distance"}min=? [ F (SS1 & SS2) ]'),
    SpaceSpecimen(
        "can/rover.can", "A [ F SS1 ]", "Pmax=? [ F (SS1 & SS2) ]", ("--max-states", "100")
    ),
    SpaceSpecimen(
        "dribble/vacuum.dribble", "A [ F (B(c1) & B(c2)) ]", "Pmax=? [ F (B(c1) & B(c2)) ]"
    ),
    SpaceSpecimen(
        "agentspeak/contract_net",
        "[]!done(paint,bert)",
        "Pmin=? [ F done(paint,anna) ]",
        ("--max-states", "200"),
    ),
    SpaceSpecimen(
        "gwendolen/lucky_dip", "E [ F Bel(child, happy) ]", "Pmin=? [ F Bel(child, happy) ]"
    ),
    SpaceSpecimen(
        "jason/courier",
        "F (Bel(courier, signed(miller)) | Bel(courier, done))",
        "Pmax=? [ F Bel(courier, done) ]",
    ),
    SpaceSpecimen(
        "lisa/ferry", "A [ F lost = 1 ]", "Pmax=? [ F<=14 lost = 1 ]", ("--max-states", "150")
    ),
)


def saved_content(specimen: SpaceSpecimen, folder: Path) -> Content:
    """Explore the program of a specimen and return what its file holds."""
    from tests.fuzz.trials import Trial, run

    outcome = run(
        Trial(
            {},
            (
                "explore",
                str(EXAMPLES / specimen.program),
                "--save",
                "good.vsp",
                "--force",
                *specimen.options,
            ),
        ),
        folder,
    )
    if outcome.exit_code not in (0, 3):
        raise ValueError(f"{specimen.program}: {outcome.errors}")
    return content_in((folder / "good.vsp").read_bytes())


def complaint_about(
    specimen: SpaceSpecimen, file: bytes, folder: Path, commands: slice = slice(None)
) -> tuple[str | None, str]:
    """Return what is wrong with the way in which commands take a file, if anything, and whether
    they refused it."""
    from tests.fuzz.trials import Trial, complaint, run

    codes = []
    for arguments in specimen.commands("mutant.vsp")[commands]:
        trial = Trial({"mutant.vsp": file}, arguments)
        with tempfile.TemporaryDirectory(
            dir=folder
        ) as fresh:  # a file that may still be mapped is not written again
            outcome = run(trial, Path(fresh))
        said = complaint(trial, outcome)
        if said is not None:
            return f"{arguments[0]}: {said}", "finding"
        codes.append(outcome.exit_code)
        if outcome.exit_code == 2 and len(codes) == 1 and "SPC0" in outcome.output + outcome.errors:
            break  # the others open it in the same way
    return None, "refused" if all(code == 2 for code in codes) else "answered"


# --- with another native module -------------------------------------------------------------------


class _Instead(importlib.abc.MetaPathFinder):
    """Finds the native module in a file of its own."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        return (
            importlib.util.spec_from_file_location(name, self._file)
            if name == "volition.kernel._native"
            else None
        )


def _work(
    native: str | None, seed: int, first: int, count: int, reports: multiprocessing.Queue[Any]
) -> None:
    """Try mutants one after the other, and report each before and after."""
    os.environ.pop("LD_PRELOAD", None)  # Storm runs without sanitizers
    if native is not None:
        sys.meta_path.insert(0, _Instead(Path(native)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contents = [saved_content(each, folder) for each in SPECIMENS]
        assert native in (None, sys.modules["volition.kernel._native"].__file__)
        for number in range(first, count):
            index = number % len(SPECIMENS)
            made = mutant(contents[index], f"{seed}:{number}")
            reports.put(("begin", number, SPECIMENS[index].program, made))
            said, how = complaint_about(SPECIMENS[index], made.file, folder)
            reports.put(("end", number, said, how))


def _try_all(native: str | None, seed: int, count: int, output: Path) -> Counter[str]:
    """Try mutants in a process that is started again where one of them ends it."""
    counts: Counter[str] = Counter()
    context = multiprocessing.get_context("spawn")
    begun: tuple[int, str, Mutant] | None = None
    number = 0

    def keep(said: str) -> None:
        assert begun is not None
        counts["findings"] += 1
        folder = output / f"{seed}-{begun[0]}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mutant.vsp").write_bytes(begun[2].file)
        (folder / "finding.txt").write_text(
            f"{said}\n{begun[1]}: {begun[2].what}\n", encoding="utf-8", errors="replace"
        )
        print(f"finding {begun[0]}: {said}\n  {begun[1]}: {begun[2].what!r}", flush=True)

    while number < count:
        reports: multiprocessing.Queue[Any] = context.Queue()
        worker = context.Process(
            target=_work, args=(native, seed, number, count, reports), daemon=False
        )
        worker.start()
        last = time.monotonic()
        while True:
            try:
                report = reports.get(timeout=1.0)
            except Empty:
                if not worker.is_alive():
                    break
                if time.monotonic() - last > LONGEST_TRIAL:
                    worker.kill()
                    break
                continue
            last = time.monotonic()
            if report[0] == "begin":
                begun = report[1:]
                continue
            counts[report[3]] += report[2] is None
            if report[2] is not None:
                keep(report[2])
            number, begun = report[1] + 1, None
            if number % 200 == 0:
                print(f"{number:>7,} mutants: {dict(counts)}", flush=True)
        worker.join()
        if begun is not None:
            keep(
                "the commands do not end"
                if worker.exitcode == -9
                else f"the process ended with {worker.exitcode}"
            )
            number, begun = begun[0] + 1, None
        elif worker.exitcode:
            raise SystemExit(f"no mutant can be tried: the process ended with {worker.exitcode}")
    return counts


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.saved_spaces", description=__doc__)
    options.add_argument("--count", type=int, default=2000, help="how many mutants (default: 2000)")
    options.add_argument(
        "--seed", type=int, default=1, help="the same seed tries the same mutants (default: 1)"
    )
    options.add_argument(
        "--native", help="the native module to try them with (default: the installed one)"
    )
    options.add_argument(
        "--output", type=Path, default=Path("fuzz-findings/saved-spaces"), help="where findings go"
    )
    given = options.parse_args()
    native = None if given.native is None else str(Path(given.native).resolve())
    counts = _try_all(native, given.seed, given.count, given.output)
    print(
        f"{sum(counts.values()):,} mutants of {len(SPECIMENS)} saved spaces, seed {given.seed}: "
        + ", ".join(f"{counts[each]:,} {each}" for each in ("refused", "answered", "findings"))
    )
    return 1 if counts["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
