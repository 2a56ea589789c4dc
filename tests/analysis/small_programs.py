"""Random small processes as programs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tests.checking.random_mdps import SmallMdp
from volition.diagnostics import Diagnostic, Source
from volition.languages.protocols import Model, Table, UnparsedProperty
from volition.logic.syntax import Atom


@dataclass(frozen=True)
class SmallProgram:
    """A process that implements :class:`volition.languages.protocols.Program`."""

    mdp: SmallMdp
    language: str = "small"
    sources: Sequence[Source] = ()
    warnings: Sequence[Diagnostic] = ()
    properties: Sequence[UnparsedProperty] = ()

    def tables(self) -> Sequence[Table]:
        return ()

    def model(self, observed: Collection[Atom] = ()) -> Model:
        del observed
        return self.mdp
