"""The nodes of a program's tree: each knows where it was written, and is equal to another that says
the same elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from volition.diagnostics import Span

__all__ = ["SyntaxNode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxNode:
    """As a text it is what was written, in one line."""

    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return " ".join(self.span.text.split())
