"""The mine-hunting vessel of Izzo's thesis in a simulated sea (Sect. 6.5, App. A.1), see docs/vessel.md; needs ``volition[vessel]``."""

from volition.diagnostics import Diagnostic, InputError

try:
    import shapely as _
except ImportError:
    raise InputError([Diagnostic("VES005", "the vessel needs shapely", hint="pip install 'volition[vessel]'")]) from None
