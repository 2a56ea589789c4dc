"""Random questions about random processes, answered in floating point, with fractions and by Storm.

Run it with ``python -m tests.checking.compare_values``. Bounds in floating point must enclose the
exact value, thresholds must be decided as it says, Storm's own numbers must be near it.  An oracle
that enumerates strategies gives the exact value where it can, and so checks the fractions as well.
"""

from __future__ import annotations

import argparse
import operator
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tests.checking.properties import by_numbers
from tests.checking.random_mdps import (
    INFINITY,
    Number,
    Row,
    SmallMdp,
    long_run,
    until,
    until_reward,
)
from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.client import EngineError, StormModel
from volition.checking.verdict import Verdict
from volition.kernel import StateSpace
from volition.logic import parse

OPTIMA: dict[str, Callable[..., Any]] = {"min": min, "max": max}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
SPLITS: list[tuple[Fraction, ...]] = [
    (Fraction(1),),
    *((Fraction(1, each), 1 - Fraction(1, each)) for each in (2, 2, 3, 3, 10, 7, 10**6)),
]
AMOUNTS: list[int | Fraction] = [
    0,
    0,
    1,
    2,
    Fraction(1, 3),
    Fraction(1, 10),
    1 + Fraction(1, 10**20),
]
QUESTIONS = [
    "P{}~ [ a U b ]",
    "P{}~ [ F b ]",
    "P{}~ [ G a ]",
    "P{}~ [ X b ]",
    "P{}~ [ G F b ]",
    "P{}~ [ a U<={k} b ]",
    "P{}~ [ F<={k} b ]",
    "P{}~ [ G<={k} a ]",
    "R{}~ [ F b ]",
    "R{}~ [ C ]",
    "R{}~ [ C<={k} ]",
    "R{}~ [ I={k} ]",
    "R{}~ [ I=0 ]",
    "R{}~ [ S ]",
    "S{}~ [ b ]",
]


def random_mdp(dice: random.Random) -> SmallMdp:
    """Draw a process of a few states, or one whose runs go around a ring."""
    size = dice.randint(1, 5) if dice.random() < 0.7 else dice.randint(6, 12)

    def row(state: int) -> Row:
        split = dice.choice(SPLITS)
        targets = dice.sample(range(size), min(len(split), size))
        if size > 5:
            targets[0] = (state + 1) % size
        chances: dict[int, Fraction] = {}
        for target, p in zip(targets, split, strict=False):
            chances[target] = chances.get(target, Fraction(0)) + p
        chances[targets[0]] += 1 - sum(chances.values())
        return chances, dice.choice(AMOUNTS)

    maximum = 2 if size <= 5 else 1
    rows = tuple(
        tuple(row(state) for _ in range(dice.randint(0 if size <= 5 else 1, maximum)))
        for state in range(size)
    )
    labels = tuple(frozenset(label for label in "ab" if dice.random() < 0.4) for _ in range(size))
    return SmallMdp(rows, labels, tuple(dice.choice(AMOUNTS) for _ in range(size)))


def by_oracle(mdp: SmallMdp, prop: str, optimum: str) -> Number | None:
    """Return the value by enumeration of strategies; None for questions that need more than
    that."""
    a, b = ({s for s in range(mdp.size) if name in mdp.labels[s]} for name in ("a", "b"))
    everywhere = set(range(mdp.size))
    best, other = OPTIMA[optimum], OPTIMA["max" if optimum == "min" else "min"]
    found: dict[str, Callable[[], Number]] = {
        "P [ a U b ]": lambda: best(until(chain, a, b)[0] for chain in mdp.chains()),
        "P [ F b ]": lambda: best(until(chain, everywhere, b)[0] for chain in mdp.chains()),
        "P [ G a ]": lambda: (
            1 - other(until(chain, everywhere, everywhere - a)[0] for chain in mdp.chains())
        ),
        "R [ F b ]": lambda: best(until_reward(chain, mdp.earned_in, b) for chain in mdp.chains()),
        "R [ S ]": lambda: best(
            long_run(chain, _gains(mdp, chain).__getitem__) for chain in mdp.chains()
        ),
        "S [ b ]": lambda: best(
            long_run(chain, lambda s: Fraction(int(s in b))) for chain in mdp.chains()
        ),
    }
    query = f"{prop[0]} {prop.split('~ ')[1]}"
    return found[query]() if query in found else None


def _gains(mdp: SmallMdp, chain: list[Row]) -> list[Fraction]:
    return [Fraction(mdp.earned_in[state] + chain[state][1]) for state in range(mdp.size)]


def by_storm(mdp: SmallMdp, space: StateSpace, prop: str) -> float | None:
    """Return Storm's own floating point number; None where it has none in time."""
    storm = StormModel(Mdp.from_space(space), exact=False)
    a, b = (
        [name in mdp.labels[space.value(state, "at")] for state in range(space.num_states)]
        for name in ("a", "b")
    )
    words = (
        prop.replace("S", "LRA", 1) if prop.startswith("S") else prop.replace("[ S ]", "[ LRA ]")
    )
    words = words.replace(" a ", f" {storm.label(np.array(a))} ").replace(
        " b ", f" {storm.label(np.array(b))} "
    )
    words = words.replace("R=", 'R{"gain"}=').replace("Rm", 'R{"gain"}m')
    try:
        return float(storm.check(words, everywhere=False, seconds=2).values[0])
    except EngineError:
        return None


def compare(dice: random.Random, counts: Counter[str]) -> list[str]:
    """Ask one question in every way; return what is wrong."""
    mdp, optimum = random_mdp(dice), dice.choice(["min", "max"])
    space = mdp.explored()
    best = "" if Mdp.from_space(space).is_markov_chain else optimum
    prop = dice.choice(QUESTIONS).replace("{k}", str(dice.randint(1, 200))).format(best)
    query = prop.replace("~", "=?")

    def ask(formula: str, exact: bool) -> Verdict:
        return by_numbers(mdp, space, parse(formula), exact=exact, seconds=60)

    exact, rounded = ask(query, exact=True), ask(query, exact=False)
    counts["questions"] += 1
    truth = exact.value
    if truth is None or rounded.unknown is not None:
        counts["unknown exactly" if truth is None else "unknown in floating point"] += 1
        return [f"{query}: {exact.unknown or rounded.unknown}"]
    wrong = []
    expected = by_oracle(mdp, prop, optimum)
    if expected is not None:
        counts["checked by the oracle"] += 1
        wrong += [f"{query}: {truth} instead of {expected}"] if truth != expected else []
    if rounded.lower is not None and rounded.upper is not None:
        counts["enclosures"] += 1
        wrong += (
            [f"{query}: {truth} not in {rounded.lower, rounded.upper}"]
            if not rounded.lower <= truth <= rounded.upper
            else []
        )
    storm = by_storm(mdp, space, query)
    if storm is not None:
        counts["answered by Storm in floating point"] += 1
        far = (
            storm != truth
            if truth == INFINITY
            else abs(storm - float(truth)) > 1e-5 * max(1.0, abs(float(truth)))
        )
        wrong += [f"{query}: Storm says {storm}, the value is {float(truth)}"] if far else []
    relation = dice.choice(list(RELATIONS))
    near = Fraction(10**6) if truth == INFINITY else Fraction(truth).limit_denominator(10**50)
    threshold = dice.choice([Fraction(0), Fraction(1, 3), Fraction(1), near])
    queried = prop.replace("~", f"{relation}{threshold.numerator}/{threshold.denominator}")
    if not prop.startswith("R") and threshold > 1:
        return wrong
    holds = RELATIONS[relation](truth, threshold)
    counts["thresholds"] += 1
    if ask(queried, exact=True).holds is not holds:
        wrong.append(f"{queried}: {ask(queried, exact=True)}, the value is {truth}")
    found = ask(queried, exact=False).holds
    if (
        found is None
        and truth != INFINITY
        and abs(float(truth - threshold)) <= 1e-6 * max(1.0, float(threshold))
    ):
        counts["thresholds at the value, undecided in floating point"] += 1
    elif found is not holds:
        wrong.append(f"{queried}: {found} in floating point, the value is {truth}")
    return wrong


def main() -> None:
    """Compare, and print what is wrong and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first question")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    for seed in range(given.first, given.first + given.questions):
        for text in compare(random.Random(seed), counts):
            counts["wrong"] += 1
            print(f"{seed}: {text}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
