"""Base class of the syntax tree nodes of all languages."""

from __future__ import annotations

from dataclasses import dataclass, field

from volition.diagnostics import Span

__all__ = ["SyntaxNode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxNode:
    """Node of a syntax tree with its span. Equality ignores the span; ``str`` gives the source text
    of the node on one line."""

    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return " ".join(self.span.text.split())
