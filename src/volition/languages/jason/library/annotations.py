"""Internal actions about the annotations ``source(..)`` of literals. Jason's default plans for
messages use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from volition.languages.jason.library.arguments import Action, gives
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.queries import ActionError, QueryContext, solutions
from volition.languages.jason.terms import SELF, Bindings, List, Literal, Term, Variable, source
from volition.languages.jason.unification import apply

__all__ = ["SOURCES", "from_sender"]


def from_sender(content: Literal, sender: str) -> Literal:
    """Return the content of a message with its sender as the source. Sources that the literal
    already has are nested in the new one."""
    nested = [each for each in content.known_annotations if _is_source(each)]
    others = [each for each in content.known_annotations if not _is_source(each)]
    from_whom = replace(source(sender), annotations=annotation_set(nested))
    return replace(content, annotations=annotation_set((*others, from_whom)))


def _is_source(annotation: Term) -> bool:
    return isinstance(annotation, Literal) and annotation.functor == "source"


def add_nested_source(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.add_nested_source(Content, Sender, Result)``: Result is Content with the source
    Sender, in which the previous sources are nested. If Content is a list, this applies to each
    element."""
    content, sender = (apply(each, bindings, knowledge) for each in arguments[:2])
    if not isinstance(sender, Literal):
        raise ActionError(f"{sender} is not an agent")
    yield from gives(arguments[2], _sourced(content, sender.functor), bindings)


def _sourced(content: Term, sender: str) -> Term:
    if isinstance(content, List):
        return List(tuple(_sourced(each, sender) for each in content.items), content.tail)
    return from_sender(content, sender) if isinstance(content, Literal) else content


def remove_source_annot(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.remove_source_annot(Literal, Result)``: Result is the literal without its
    annotations ``source(..)``."""
    content = apply(arguments[0], bindings, knowledge)
    if isinstance(content, Literal):
        content = replace(
            content,
            annotations=annotation_set(
                [each for each in content.known_annotations if not _is_source(each)]
            ),
        )
    yield from gives(arguments[1], content, bindings)


def answer(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.answer(Query, Answer)``, an action of the default plans: Answer is each believed
    instance of the query in turn, with all annotations except ``source(self)``."""
    prop = apply(arguments[0], bindings, knowledge)
    if not isinstance(prop, Literal):
        return
    query = replace(prop, annotations=List(prop.known_annotations, Variable(_OTHERS)))
    for found in solutions(query, bindings, knowledge):
        believed = apply(query, found, knowledge)
        if isinstance(believed, Literal):
            reported = replace(
                believed,
                annotations=annotation_set(
                    [each for each in believed.known_annotations if each != SELF]
                ),
            )
            yield from gives(arguments[1], reported, bindings)


_OTHERS = "?others"


SOURCES: Mapping[str, Action] = {
    ".add_nested_source": add_nested_source,
    ".answer": answer,
    ".remove_source_annot": remove_source_annot,
}
