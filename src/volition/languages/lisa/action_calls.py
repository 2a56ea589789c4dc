"""Lookup of the action that a sentence of a plan calls, and checks of its arguments (Izzo, Sect.
2.1.2 and 3.3.1). The arguments are objects, and each object has a class of the ontology.

The model does not contain the values of objects: ``[Go to location A.]`` and ``[Go to location
B.]`` call the same action.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.lisa.ontology import Ontology
from volition.languages.lisa.syntax import ActionFile, ClassUse, Sentence

__all__ = ["CallTable", "FoundCall"]

_WITHDRAW = re.compile(r"withdraw[\s_]+plan[\s_]+\w+", re.IGNORECASE)
_STOP = re.compile(r"stop\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundCall:
    """Result of looking up a sentence of a plan: the action that the sentence calls, or stops if
    ``stops`` is true.

    ``objects`` are the arguments of the call. It maps each local name (parameter) of the action
    file to the object in its place.
    """

    action: ActionFile
    stops: bool
    objects: dict[str, Sentence]


class CallTable:
    """Actions of an agent, with a pattern for each sentence that calls one of them. It finds the
    action that a sentence of a plan calls."""

    def __init__(
        self, actions: Sequence[ActionFile], ontology: Ontology | None, diagnostics: Diagnostics
    ) -> None:
        self._actions = actions
        self._ontology = ontology
        self._diagnostics = diagnostics
        patterns = [
            (_pattern(sentence, action), action)
            for action in actions
            for sentence in action.sentences
        ]
        self._patterns = sorted(patterns, key=lambda each: each[0].groups)
        """Pairs of a regular expression and an action, one for each sentence of an action file.
        Sentences without local names (parameters) come first, because they can also match the
        pattern of a sentence with local names."""
        for action in actions:
            self._check_declaration(action)
        self._check_sentences()

    def find(self, sentence: Sentence) -> FoundCall | None:
        """Return the action that a sentence calls or stops. If there is none, report the error
        LIS041 (unknown action) and return None."""
        if found := self._match(sentence, sentence.text):
            return found
        stop = _STOP.match(sentence.text)
        if stop and (stopped := self._match(sentence, sentence.text[stop.end() :])):
            if not stopped.action.repeated:
                message = (
                    f"the action '{stopped.action.sentences[0].text}' runs once and cannot be "
                    "stopped"
                )
                self._diagnostics.error(
                    "LIS042",
                    message,
                    sentence.span,
                    hint="only actions with the repeat mode runRepeated can",
                )
            return FoundCall(stopped.action, True, stopped.objects)
        known = [each.text for action in self._actions for each in action.sentences]
        hint = (
            did_you_mean(sentence.text, known)
            or "every external action needs an action file (.sep) that contains its sentence"
        )
        self._diagnostics.error(
            "LIS041", f"unknown action '{sentence.text}'", sentence.span, hint=hint
        )
        return None

    def check_objects(self, calls: Iterable[FoundCall], declared: Iterable[ClassUse]) -> None:
        """Report each input of a call that is not an object of the class that the action requires.

        An object gets its class from a declaration or from the output of another call.
        """
        calls, declared = list(calls), list(declared)
        self._report_duplicates(declared)
        if self._ontology is None:
            return
        classes = {use.object_name.text: use.class_name for use in declared}
        for use in declared:
            self._check_class(use.class_name)
        for call in calls:
            for output in () if call.stops else call.action.outputs:
                if (given := call.objects.get(output.object_name.text)) is not None:
                    self._check_output(
                        given, classes.setdefault(given.text, output.class_name), output.class_name
                    )
        for call in calls:
            for requested in call.action.inputs:
                if (given := call.objects.get(requested.object_name.text)) is not None:
                    self._check_object(given, classes, requested.class_name)

    def _match(self, sentence: Sentence, text: str) -> FoundCall | None:
        for pattern, action in self._patterns:
            if match := pattern.fullmatch(text):
                return FoundCall(
                    action,
                    False,
                    {
                        name: Sentence(value, sentence.span)
                        for name, value in match.groupdict().items()
                    },
                )
        return None

    def _check_sentences(self) -> None:
        """Report each sentence that calls two actions, and each sentence that already has a meaning
        in the language (``Withdraw plan N``).

        Sentences that differ only in their local names (parameters) count as the same sentence.
        """
        owners: dict[str, ActionFile] = {}
        for action in self._actions:
            for sentence in action.sentences:
                if _WITHDRAW.fullmatch(sentence.text):
                    message = (
                        f"the sentence '{sentence.text}' is reserved for the built-in action that "
                        "withdraws a plan"
                    )
                    self._diagnostics.error(
                        "LIS029", message, sentence.span, hint="use another sentence"
                    )
                form = " ".join(
                    "" if is_local else word.lower() for word, is_local in _words(sentence, action)
                )
                if (owner := owners.setdefault(form, action)) is not action:
                    message = (
                        f"the action '{owner.procedure.text}' already has the sentence "
                        f"'{sentence.text}'"
                    )
                    self._diagnostics.error("LIS056", message, sentence.span)

    def _check_declaration(self, action: ActionFile) -> None:
        self._report_duplicates(action.inputs)
        self._report_duplicates(action.outputs)
        for use in (*action.inputs, *action.outputs):
            self._check_class(use.class_name)
            if not any(
                use.object_name.text in sentence.text.split() for sentence in action.sentences
            ):
                message = (
                    f"the object '{use.object_name.text}' is declared, but no sentence of the "
                    "action mentions it"
                )
                self._diagnostics.error(
                    "LIS051",
                    message,
                    use.object_name.span,
                    hint=f"the sentence of the action is '{action.sentences[0].text}'",
                )

    def _report_duplicates(self, uses: Iterable[ClassUse]) -> None:
        """Report each object that is declared more than once. An object has exactly one class."""
        owners: dict[str, ClassUse] = {}
        for use in uses:
            if owners.setdefault(use.object_name.text, use) is not use:
                message = f"the object '{use.object_name.text}' is declared twice"
                self._diagnostics.error(
                    "LIS058", message, use.object_name.span, hint="remove one of them"
                )

    def _check_class(self, class_name: Sentence) -> None:
        if self._ontology is not None and not self._ontology.knows(class_name.name):
            hint = did_you_mean(class_name.text, self._ontology.names())
            self._diagnostics.error(
                "LIS050", f"unknown class '{class_name.text}'", class_name.span, hint=hint
            )

    def _check_object(
        self, given: Sentence, classes: dict[str, Sentence], requested: Sentence
    ) -> None:
        assert self._ontology is not None
        if given.text not in classes:
            hint = did_you_mean(given.text, classes) or (
                f"write '{requested.text} [{given.text}].' below 'Monitor the following objects:'"
            )
            self._diagnostics.error(
                "LIS052", f"undeclared object '{given.text}'", given.span, hint=hint
            )
        elif not self._ontology.is_a(classes[given.text].name, requested.name):
            message = (
                f"'{given.text}' is of class '{classes[given.text].text}', but the action "
                f"expects '{requested.text}'"
            )
            self._diagnostics.error("LIS053", message, given.span)

    def _check_output(self, given: Sentence, known: Sentence, made: Sentence) -> None:
        """Report an error if a call assigns its output to an object of the wrong class. ``given``
        is the object, ``known`` its class, and ``made`` the class of the output. ``known`` must be
        the class ``made`` or a superclass of it."""
        assert self._ontology is not None
        if not self._ontology.is_a(made.name, known.name):
            self._diagnostics.error(
                "LIS053",
                f"'{given.text}' is of class '{known.text}', but the action returns '{made.text}'",
                given.span,
            )


def _pattern(sentence: Sentence, action: ActionFile) -> re.Pattern[str]:
    """Return the regular expression that matches every call of an action by one of its sentences.
    It matches the words in upper or lower case, with any object in place of each local name
    (parameter) of the action."""
    words = (
        rf"(?P<{word}>\w+)" if is_local else re.escape(word)
        for word, is_local in _words(sentence, action)
    )
    return re.compile(r"[\s_]+".join(words), re.IGNORECASE)


def _words(sentence: Sentence, action: ActionFile) -> Iterator[tuple[str, bool]]:
    """Yield the words of an action's sentence, each with whether it is a local name (parameter) of
    the action.

    If a local name occurs twice, only its first occurrence counts as a local name.
    """
    local = {
        use.object_name.text
        for use in (*action.inputs, *action.outputs)
        if use.object_name.text.isidentifier()
    }
    for word in re.split(r"[\s_]+", sentence.text):
        yield word, word in local
        local.discard(word)
