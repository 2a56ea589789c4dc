"""Application of a slice's edits to source text. The remaining text keeps its line numbers, so that
locations in the slice are locations in the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from volition.diagnostics import Source, Span
from volition.languages.common.dependencies import Edit, ListSpan

__all__ = ["apply_edits"]


def apply_edits(
    sources: Sequence[Source], edits: Iterable[Edit], comment: str
) -> list[tuple[Source, Source]]:
    """Return the sources that change, each as a pair of the original and the edited source.

    Removed text that occupies whole lines is kept as a comment, which starts with ``comment``. If
    one edit lies inside another, only the outer one is applied.
    """
    changes = _expand_list_items(edits)
    result: list[tuple[Source, Source]] = []
    for source in sources:
        mine = _outermost([each for each in changes if each.span.source is source])
        if mine:
            result.append((source, Source(source.name, _text(source, mine, comment))))
    return result


def _expand_list_items(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits with each removal of a list item converted to a plain removal of text. The
    removed text includes a comma, so that the commas between the remaining items are correct.

    If all items of a nested list are removed, the nested list itself is removed as an item of the
    list that contains it.
    """
    plain: list[Edit] = []
    items: dict[ListSpan, list[Span]] = {}
    for edit in edits:
        if edit.items is None:
            plain.append(edit)
        else:
            items.setdefault(edit.items, []).append(edit.span)
    waiting = list(items)
    for where in waiting:
        if (
            where.parent is not None
            and where.whole is not None
            and set(where.spans) <= set(items[where])
        ):
            waiting += [where.parent] if where.parent not in items else []
            items.setdefault(where.parent, []).append(where.whole)
    for where, gone in items.items():
        if where.parent is None or not set(where.spans) <= set(gone):
            plain += [Edit(span) for span in _item_deletions(where, gone)]
    return plain


def _item_deletions(items: ListSpan, gone: Sequence[Span]) -> list[Span]:
    """Return the spans to delete so that a valid list remains without the items in ``gone``. Each
    item is deleted with the comma before it; items at the beginning of the list are deleted with
    the comma after them."""
    kept = [span for span in items.spans if span not in gone]
    if not kept:
        first, last = items.spans[0], items.spans[-1]
        return [items.whole or first.source.span(first.start, last.end)]
    found = []
    for before, span in pairwise(items.spans):
        if span in gone and before.start >= kept[0].start:
            found.append(span.source.span(before.end, span.end))
    first = items.spans[0]
    if first.start < kept[0].start:
        found.append(first.source.span(first.start, kept[0].start))
    return found


def _outermost(edits: list[Edit]) -> list[Edit]:
    """Return the edits in text order, without those that lie inside another edit."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.span.start, -each.span.end)):
        if not found or edit.span.start >= found[-1].span.end:
            found.append(edit)
    return found


def _text(source: Source, edits: list[Edit], comment: str) -> str:
    pieces: list[str] = []
    end = 0
    for edit in edits:
        pieces += [source.text[end : edit.span.start], _replacement(edit, comment)]
        end = edit.span.end
    return "".join([*pieces, source.text[end:]])


def _replacement(edit: Edit, comment: str) -> str:
    lines = edit.span.text.count("\n") - edit.text.count("\n")
    if edit.text:
        is_last = not edit.span.source.text[edit.span.end :].strip()
        return edit.text + ("" if is_last else "\n" * max(lines, 0))
    if _has_lines_of_its_own(edit.span):
        return (
            re.sub(r"(?m)^(?=.*\S)", f"{comment} ", edit.span.text)
            if lines
            else f"{comment} {edit.span.text}"
        )
    return "\n" * lines


def _has_lines_of_its_own(span: Span) -> bool:
    text = span.source.text
    before, after = text[: span.start].rpartition("\n")[2], text[span.end :].partition("\n")[0]
    return not before.strip() and (not after.strip() or after.strip().startswith("//"))
