"""How numbers are to be computed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How numbers are computed.

    ``exact`` asks for fractions instead of floating point; None means: where that is cheap.  ``precision`` is the relative
    error of floating point answers, ``seconds`` how long one question may take.  ``evidenced`` asks for the strategy
    and the run behind an extreme value; without ``strategies`` those are left out that must be computed for their own sake.
    """

    exact: bool | None = None
    precision: float = 1e-10
    seconds: float | None = None
    evidenced: bool = True
    strategies: bool = True
