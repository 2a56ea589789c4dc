"""Smart manufacturing (Archibald et al., Sect. 4.2) with n products: the number of Python calls
depends on the size of the program, not on the number of states.

Product i has the deadline 6 + 4i, so that two products give the program of the paper (784 states).
With each product the state space grows by an order of magnitude, but the number of Python calls
grows only by a constant.

Run with ``python -m benchmarks.manufacturing [MAX_PRODUCTS]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from volition.diagnostics import Source
from volition.kernel import Limits, Stats, explore
from volition.languages.can import parse

__all__ = ["main", "manufacturing"]

PRODUCTS = range(2, 7)
MAX_STATES = 10_000_000


def manufacturing(products: int, *, first: int = 6, apart: int = 4) -> str:
    """Return the program for this number of products, as the text of a ``.can`` file. Product i has
    the deadline ``first`` + i * ``apart``."""
    numbers = range(1, products + 1)
    lines = [
        "// Initial belief bases",
        ", ".join(f"deadline{i} = {first + apart * i}" for i in numbers),
    ]
    lines += ["// External events", ", ".join(f"product{i}" for i in numbers)]
    for section in (_plans, _actions, _background):
        lines += [f"// {section.__doc__}", *(line for i in numbers for line in section(i))]
    return "\n".join(lines)


def _plans(i: int) -> Iterator[str]:
    """Plan library"""
    yield f"product{i} : true <- goal(success{i}, process_product{i}, failure{i})."
    yield f"process_product{i} : deadline{i} >= 3 <- wrap_standard{i}; move_product_standard{i}."
    yield f"process_product{i} : deadline{i} >= 0 <- wrap_premium{i}; move_product_premium{i}."


def _actions(i: int) -> Iterator[str]:
    """Actions description"""
    yield (
        f"wrap_standard{i} : true <- 0.7: <{{}},{{wrapped{i}, cheap{i}}}> + 0.3: "
        f"<{{}},{{failure{i}, cheap{i}}}>"
    )
    yield f"wrap_premium{i} : true <- 0.9: <{{}},{{wrapped{i}}}> + 0.1: <{{}},{{failure{i}}}>"
    yield (
        f"move_product_standard{i} : true <- 0.7: <{{}},{{success{i}}}> + 0.3: "
        f"<{{}},{{failure{i}}}>"
    )
    yield (
        f"move_product_premium{i} : true <- 0.9: <{{}},{{success{i}}}> + 0.1: <{{}},{{failure{i}}}>"
    )


def _background(i: int) -> Iterator[str]:
    """Background"""
    yield f"deadline{i} := max(deadline{i} - 1, -1)."
    yield f"deadline{i} = 0 & !wrapped{i} <- +failure{i}."


def measure(products: int) -> tuple[Stats, bool]:
    """Return the statistics of the exploration, and whether it is complete."""
    program = parse(Source("manufacturing", manufacturing(products)), "manufacturing", {})
    space = explore(program.model().system, limits=Limits(states=MAX_STATES))
    return space.stats, space.complete


def main(max_products: int = PRODUCTS[-1]) -> None:
    """Print one line for each number of products."""
    print(
        f"{'products':>8} {'states':>12} {'choices':>12} {'transitions':>12} {'states/s':>12} "
        f"{'Python calls':>13} {'per state':>10}"
    )
    for products in PRODUCTS:
        if products > max_products:
            break
        stats, complete = measure(products)
        rate = stats.states / stats.seconds["exploration"]
        share = stats.python_calls / stats.states
        note = "" if complete else f"  stopped at {MAX_STATES:,} states"
        print(
            f"{products:>8} {stats.states:>12,} {stats.choices:>12,} {stats.transitions:>12,} {rate:>12,.0f} {stats.python_calls:>13,} "  # noqa: E501
            f"{share:>10.4%}{note}"
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
