"""Reading of properties: those stated in a program, and those given in a file or a text.

A language may also accept sentences in natural language; this module translates them to formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, did_you_mean
from volition.languages.common.deadline import in_time
from volition.languages.common.trust import read_source
from volition.languages.protocols import HasPropertyFiles, HasSentenceProperties, Program
from volition.logic.parsing.property_file import UnparsedProperty, read_properties, reject_results

__all__ = [
    "SentenceTranslator",
    "read_property_file",
    "read_property_texts",
    "stated_properties",
    "translate_sentences",
]

SentenceTranslator = Callable[[UnparsedProperty, Diagnostics], UnparsedProperty | None]
"""Function that translates a property written as an English sentence to a formula; see
:meth:`volition.languages.protocols.HasSentenceProperties.translate_sentence`."""


def stated_properties(
    source: Source,
    indices: Iterable[tuple[int, int]],
    diagnostics: Diagnostics,
    *,
    indented: bool = False,
    wording: SentenceTranslator | None = None,
) -> tuple[UnparsedProperty, ...]:
    """Return the properties stated in a program's text, in order.

    - ``indices`` are the ranges of the text that contain properties: pairs of a start and an end
      position. An expected result (the annotation of a property) outside these ranges is an error.
    - With ``indented``, a line that starts with a space continues the property above it.
    - ``wording`` translates properties written as English sentences, for languages that have them.
    """
    properties: list[UnparsedProperty] = []
    last = 0
    for start, end in indices:
        reject_results(source, diagnostics, start=last, end=start)
        properties += read_properties(
            source, start=start, end=end, indented=indented, diagnostics=diagnostics
        )
        last = end
    reject_results(source, diagnostics, start=last)
    return translate_sentences(properties, wording, diagnostics)


def translate_sentences(
    stated: Iterable[UnparsedProperty], wording: SentenceTranslator | None, diagnostics: Diagnostics
) -> tuple[UnparsedProperty, ...]:
    """Return the properties, with those written as English sentences translated into formulas by
    ``wording``. If ``wording`` is None, the properties are returned unchanged.

    A sentence that the language does not support is reported to ``diagnostics`` and left out.
    """
    if wording is None:
        return tuple(stated)
    return tuple(formula for each in stated if (formula := wording(each, diagnostics)) is not None)


def read_property_file(
    path: Path, program: Program, warnings: Diagnostics | None = None
) -> list[UnparsedProperty]:
    """Return the properties of a file as formulas about a program. The path ``file:name`` selects
    the properties with that name.

    Raise :class:`InputError` with all errors found. Add warnings to ``warnings``.
    """
    path, name = _file_and_name(path)
    found = Diagnostics()
    source = read_source(path)
    with in_time(f"reading '{path}'"):
        properties = _properties(source, name, program, found)
    if not properties and not found.errors:
        if name is None:
            raise InputError([Diagnostic("LNG006", f"no properties in '{path}'")])
        names = [
            each.name
            for each in _properties(source, None, program, Diagnostics())
            if each.name is not None
        ]
        raise InputError(
            [
                Diagnostic(
                    "LNG012", f"no property '{name}' in '{path}'", hint=did_you_mean(name, names)
                )
            ]
        )
    _raise_errors(found, warnings)
    return properties


def _file_and_name(path: Path) -> tuple[Path, str | None]:
    """Split a path ``file:name`` into the path of a property file and the name of a property.

    If a file with the whole path exists, or ``file`` is not a file, return the whole path and None.
    """
    file, _, name = str(path).rpartition(":")
    return (Path(file), name) if not path.exists() and Path(file).is_file() else (path, None)


def _properties(
    source: Source, name: str | None, program: Program, found: Diagnostics
) -> list[UnparsedProperty]:
    if (
        isinstance(program, HasPropertyFiles)
        and (own := program.read_property_file(source, name, found)) is not None
    ):
        return list(own)
    stated = [
        each for each in read_properties(source, diagnostics=found) if name in (None, each.name)
    ]
    return list(translate_sentences(stated, _wording(program), found))


def read_property_texts(
    texts: Iterable[str], program: Program, warnings: Diagnostics | None = None
) -> list[UnparsedProperty]:
    """Return the properties in texts that have the syntax of property files.

    Raise :class:`InputError` with all errors found. Add warnings to ``warnings``.
    """
    properties: list[UnparsedProperty] = []
    found = Diagnostics()
    for text in texts:
        source, in_text = Source("<formula>", text), Diagnostics()
        stated = read_properties(source, diagnostics=in_text)
        if not stated and not in_text.errors:
            # For an empty text, the formula parser reports what is missing.
            stated = (UnparsedProperty(text, source.span(0, len(text))),)
        found.extend(in_text)
        properties += translate_sentences(stated, _wording(program), found)
    _raise_errors(found, warnings)
    return properties


def _raise_errors(found: Diagnostics, warnings: Diagnostics | None) -> None:
    found.raise_errors()
    if warnings is not None:
        warnings.extend(found.warnings)


def _wording(program: Program) -> SentenceTranslator | None:
    return program.translate_sentence if isinstance(program, HasSentenceProperties) else None
