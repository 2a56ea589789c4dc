"""``python -m tests.fuzz --seconds 3600 --seed 1``: damaged input and random comparisons side by
side, until the time is over."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.fuzz.campaign import try_mutants
from tests.fuzz.comparisons import compare

Route = Callable[[int, float, Path], Counter[str]]


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument(
        "--seconds", type=float, default=600.0, help="how long to go on (default: 600)"
    )
    options.add_argument(
        "--seed",
        type=int,
        default=None,
        help="the same seed tries the same things (default: the time)",
    )
    options.add_argument(
        "--output",
        type=Path,
        default=Path("fuzz-findings"),
        help="where findings go (default: fuzz-findings)",
    )
    options.add_argument("--only", choices=["mutants", "comparisons"], help="only one of the two")
    options.add_argument(
        "--kind",
        action="append",
        help="change only input of this kind, such as can, record or formula; may be repeated",
    )
    given = options.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    print(f"seed {seed}, {given.seconds:.0f} s, findings go to {given.output}/", flush=True)
    routes: dict[str, Route] = {
        "mutants": partial(try_mutants, kinds=given.kind),
        "comparisons": compare,
    }
    with ThreadPoolExecutor() as pool:
        running = {
            name: pool.submit(route, seed, given.seconds, given.output / name)
            for name, route in routes.items()
            if given.only in (None, name)
        }
        found = {name: each.result() for name, each in running.items()}
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "counts.json").write_text(
        json.dumps(found, indent=2, sort_keys=True), encoding="utf-8"
    )
    for name, counts in found.items():
        print(f"{name}:")
        print("\n".join(_table(counts) if name == "mutants" else _list(counts)))
    findings = sum(counts["findings"] for counts in found.values())
    print(f"{findings} findings" if findings else "nothing found")
    return 1 if findings else 0


def _list(counts: Counter[str]) -> Iterator[str]:
    for what, count in sorted(counts.items()):
        yield f"  {count:>9,}  {what}"


def _table(counts: Counter[str]) -> Iterator[str]:
    """How many inputs of each kind were tried, refused and accepted."""
    yield f"  {'kind':<12}{'tried':>9}{'refused':>9}{'accepted':>9}"
    for kind in [*sorted({each.partition(":")[0] for each in counts if ":" in each}), "all"]:
        refused, accepted = (
            sum(
                count
                for each, count in counts.items()
                if each.endswith(f": {how}") and kind in ("all", each.partition(":")[0])
            )
            for how in ("refused", "accepted")
        )
        yield f"  {kind:<12}{refused + accepted:>9,}{refused:>9,}{accepted:>9,}"


if __name__ == "__main__":
    sys.exit(main())
