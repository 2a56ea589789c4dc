from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from volition.logic.parsing.parser import parse
from volition.logic.syntax import Probability
from volition.runtime.verification.criterion import best_joint_choice
from volition.runtime.verification.section import Query, SafetyConstraint, VerificationSection


def query(name: str, best: str) -> Query:
    formula = parse(f"P{best}=? [ F done ]")
    assert isinstance(formula, Probability)
    return Query(name, formula, "max" if best == "max" else "min")


SAFE = SafetyConstraint(query("safe", "max"), Fraction(9, 10))
CALM = SafetyConstraint(query("calm", "min"), Fraction(1, 10))
DECLARED = VerificationSection(
    objective=query("objective", "max"), tie_breaker=query("second", "min"), safety=(SAFE, CALM)
)

tenths = st.integers(0, 10).map(lambda number: number / 10)
options = st.lists(
    st.fixed_dictionaries(dict.fromkeys(("safe", "calm", "objective", "second"), tenths)),
    min_size=1,
    max_size=6,
)


@given(options)
def test_safety_before_the_objective_before_the_second_before_the_order(
    given: list[dict[str, float]],
) -> None:
    def order(number: int) -> tuple[bool, bool, float, float, int]:
        option = given[number]
        return (
            option["safe"] < 0.9,
            option["calm"] > 0.1,
            -option["objective"],
            option["second"],
            number,
        )

    assert best_joint_choice(DECLARED, given) == min(range(len(given)), key=order)


def test_values_that_differ_by_rounding_are_the_same() -> None:
    nearly = [
        {"safe": 1.0, "calm": 0.0, "objective": value, "second": second}
        for value, second in ((0.5, 2.0), (0.5 - 1e-12, 1.0))
    ]
    assert best_joint_choice(DECLARED, nearly) == 1
    assert best_joint_choice(VerificationSection(objective=DECLARED.objective), nearly) == 0
