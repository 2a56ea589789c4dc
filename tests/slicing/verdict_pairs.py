"""Verdicts of random programs, plain, on slices and guided by counterexamples: pairs of which none
may differ.

``python -m tests.slicing.verdict_pairs Gwendolen CAN --pairs 10000`` compares until there are so
many of each kind, and says after each batch how many; for Gwendolen also how often the two methods
of the paper answer wrongly.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import volition
from tests.slicing.random_languages import PROGRAMS
from tests.slicing.random_program import LoadableProgram
from volition.api.slice_checks import check_on_slice
from volition.api.slicing import Slices
from volition.checking.check import Report, check
from volition.checking.reduction_policy import Reduce
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics
from volition.kernel import Limits
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.jason import JasonProgram
from volition.languages.protocols import Program
from volition.logic.traversal import counts_steps, is_quantitative
from volition.slicing.cegar.check import RefinementBudget, check_with_refinement
from volition.slicing.gwendolen.slice import Method, slice_program

__all__ = ["batches", "compared"]

UNIVERSAL = (
    "A [ G ({0}) ]",
    "A [ G !({0}) ]",
    "A [ G ({0} -> {1}) ]",
    "A [ F ({0}) ]",
    "A [ G ({0} -> F {1}) ]",
    "A [ {0} W {1} ]",
    "A [ !{0} U {1} ]",
    "A [ G F {0} ]",
    "A [ F G !{0} ]",
    "A [ G ({0} & !({1})) ]",
    "A [ F A [ G {0} ] ]",
    "A [ G (A [ F {0} ] | A [ G !{1} ]) ]",
    "!(E [ F ({0} & {1}) ])",
    "A [ G !{0} ] | A [ F {1} ]",
    "A [ G ((!{0} & {1}) -> (({0} | {1}) W !{1})) ]",
)
"""What an over-approximation may prove."""
COUNTING = (
    "A [ X {0} ]",
    "A [ G ({0} -> X !{1}) ]",
    "A [ F<=4 {0} ]",
    "A [ G !{0} ] & A [ G (X {1} -> {0}) ]",
)
EXISTENTIAL = (
    "E [ F ({0} & E [ G {1} ]) ]",
    "E [ !{0} U {1} ]",
    "A [ G {0} ] & E [ F {1} ]",
    "E [ G !{0} ]",
)
CHANCES = (
    "Pmax=? [ F {0} ]",
    "Pmin=? [ G {0} ]",
    "Pmax=? [ {0} U {1} ]",
    "Pmin=? [ F<=4 {0} ]",
    "P>=1 [ X {0} ]",
    "E [ X X {0} ]",
)
SHAPES = (*UNIVERSAL, *COUNTING, *UNIVERSAL, *COUNTING, *EXISTENTIAL, *CHANCES)
"""Questions about all runs twice as often."""

LIMIT = 200
MAX_ATOMS = 4
"""That are asked of one program: the fewer, the more formulas have a slice, and so an exploration,
in common."""
AT_ONCE = RefinementBudget(concrete_states=0, states=200, work_factor=5, rounds=8)
"""Nothing but the initial state is explored before the abstraction."""
PAPER: tuple[Method, ...] = ("bordini", "winikoff")

WAYS = ("sound", "guided", "paper")
"""``paper`` are its two methods, for Gwendolen."""

Verdicts = Mapping[str, Verdict]


def compared(
    language: str,
    *,
    examples: int,
    formulas: int,
    start: int,
    ways: Collection[str] = WAYS,
    known: set[str] | None = None,
) -> Counter[str]:
    """How many pairs there were of each kind; those of ``sound`` and ``guided`` may not differ,
    those of the paper only with a warning.

    Programs that are ``known`` are left out, and those that are compared become known: hypothesis
    draws the simplest ones every time.
    """
    seen: Counter[str] = Counter()
    known = set() if known is None else known

    @seed(start)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(PROGRAMS[language], st.integers(0, 2**32).map(Random))
    def compare(written: LoadableProgram, random: Random) -> None:
        if repr(written) not in known:
            _compare(written, random, formulas, ways, seen)
            known.add(repr(written))

    compare()
    return seen


def _compare(
    written: LoadableProgram,
    random: Random,
    formulas: int,
    ways: Collection[str],
    seen: Counter[str],
) -> None:
    with TemporaryDirectory() as folder:
        program = written.load(Path(folder))
    atoms = random.sample(list(written.atoms), min(MAX_ATOMS, len(written.atoms)))
    queried = dict(_random_formula(random, atoms) for _ in range(formulas))
    # names that this program does not know are mistakes; a program may need larger bounds than it
    # has
    try:
        plain = _known(
            volition.check(program, list(queried), max_states=LIMIT, errors=Diagnostics())
        )
    except (volition.InputError, BoundExceeded):
        return
    if isinstance(program, JasonProgram) and any(
        each.cycle == "exact" for each in program.settings.values()
    ):
        # Where a cycle is cut depends on all that is asked at once: so does what a formula means
        # that counts steps.
        plain = {
            text: verdict for text, verdict in plain.items() if not counts_steps(verdict.formula)
        }
    seen["programs"] += 1
    if "sound" in ways:
        _compare_sound(program, plain, seen)
    if "guided" in ways:
        _compare_guided(
            program,
            {
                text: each
                for text, each in plain.items()
                if queried[text] in (*UNIVERSAL, *COUNTING)
            },
            seen,
        )
    if "paper" in ways and isinstance(program, GwendolenProgram):
        for method in PAPER:
            _count_wrong(program, plain, method, seen)


def batches(
    language: str, *, pairs: int, first: int = 0, ways: Collection[str] = WAYS
) -> Iterator[Counter[str]]:
    """What was compared so far, after each batch, until there are so many pairs of each of the
    ways."""
    seen: Counter[str] = Counter()
    counted = [way for way in ways if way != "paper"] + (
        list(PAPER) if "paper" in ways and language == "Gwendolen" else []
    )
    known: set[str] = set()
    for start in count(first):
        seen += compared(language, examples=10, formulas=100, start=start, ways=ways, known=known)
        yield seen
        if all(seen[way] >= pairs for way in counted):
            return


def _random_formula(random: Random, atoms: Sequence[str]) -> tuple[str, str]:
    """A formula, and the shape that it has."""
    shape = random.choice(SHAPES)
    return shape.format(random.choice(atoms), random.choice(atoms)), shape


def _known(report: Report) -> Verdicts:
    """What is known: not where the program does more than the limit, nor a number too near to a
    threshold."""
    return {each.prop.text: each.verdict for each in report if each.verdict.unknown is None}


def _differing(plain: Verdicts, other: Verdicts) -> list[str]:
    return [text for text, verdict in other.items() if not _agree(plain[text], verdict)]


def _agree(one: Verdict, other: Verdict) -> bool:
    if one.value is None or other.value is None:
        return one.holds is other.holds and one.value is other.value
    return math.isclose(one.value, other.value, abs_tol=1e-6)


def _compare_sound(program: Program, plain: Verdicts, seen: Counter[str]) -> None:
    queried = [
        text
        for text, verdict in plain.items()
        if not isinstance(program, GwendolenProgram) or _may_be_sliced_for(verdict)
    ]
    if not queried:
        return
    # Where steps are leapt over, so many states may be the end of a program that grows without end.
    is_small = volition.explore(program.model().system, max_states=LIMIT).complete
    reduce: Reduce = "auto" if is_small else "off"
    found = _known(
        check_on_slice(
            check, program, queried, limits=Limits(states=LIMIT), reduce=reduce, first_look=0
        )
    )
    assert not _differing(plain, found), (_differing(plain, found), program.sources)
    seen["sound"] += len(found)
    slices = Slices(program)
    seen["sound, with something left out"] += sum(
        slices.slice_for([plain[text].formula]).is_smaller for text in found
    )


def _may_be_sliced_for(verdict: Verdict) -> bool:
    return not counts_steps(verdict.formula) and not is_quantitative(verdict.formula)


def _compare_guided(program: Program, plain: Verdicts, seen: Counter[str]) -> None:
    report = (
        check_with_refinement(
            check, program, list(plain), limits=Limits(states=LIMIT), budget=AT_ONCE
        )
        if plain
        else ()
    )
    for answer in report:
        text = answer.prop.text
        assert _agree(plain[text], answer.verdict), (text, program.sources)
        seen["guided"] += 1
        seen[_way(answer.verdict)] += 1


def _way(verdict: Verdict) -> str:
    """Which of the ways answered."""
    note = verdict.fixed_notes[-1]
    return (
        "proved"
        if note.startswith("proved on an over")
        else "confirmed"
        if note.startswith("a run found on an over")
        else "whole"
    )


def _count_wrong(
    program: GwendolenProgram, plain: Verdicts, method: Method, seen: Counter[str]
) -> None:
    """How often a method of the paper answers something else, of the pairs for which it leaves
    something out.

    Each such answer must carry a warning.
    """
    groups: dict[object, tuple[Program, list[str]]] = {}
    warnings: dict[str, Sequence[Diagnostic]] = {}
    for text, verdict in plain.items():
        if _may_be_sliced_for(verdict):
            sliced = slice_program(program, [verdict.formula], method)
            warnings[text] = sliced.warnings
            if sliced.is_smaller:
                groups.setdefault(repr(sliced.program.agents), (sliced.program, []))[1].append(text)
    for part, texts in groups.values():
        try:
            found = _known(volition.check(part, texts, max_states=LIMIT))
        except (
            volition.InputError,
            BoundExceeded,
        ):  # what was left out kept the program within its bounds
            seen[f"{method}, no answer"] += len(texts)
            continue
        seen[method] += len(found)
        wrong = _differing(plain, found)
        assert all(warnings[text] for text in wrong), (
            method,
            wrong,
            program.sources,
            program.options,
        )
        seen[f"{method}, wrong"] += len(wrong)


def main() -> None:
    """Compare, and say after each batch how far it is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("languages", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first batch")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    given = parser.parse_args()
    for language in given.languages:
        start = time.process_time()
        for seen in batches(language, pairs=given.pairs, first=given.first, ways=given.ways):
            kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(seen.items()))
            print(f"{language}, {time.process_time() - start:.0f} s: {kinds}", flush=True)


if __name__ == "__main__":
    main()
