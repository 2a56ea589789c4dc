"""Simulation of the mine-hunting vessel of Izzo's thesis in waves (Sect. 6.5, App. A.1). It is
described in docs/explanation/vessel.md and needs ``volition[vessel]``."""

from volition.diagnostics import Diagnostic, InputError

try:
    from volition.vessel.mission import Mission
    from volition.vessel.mission_file import load_mission, read_mission
    from volition.vessel.vessel import Pose, Vessel, VesselEvent
except ModuleNotFoundError as error:
    if error.name is None or error.name.split(".")[0] != "shapely":
        raise
    raise InputError(
        [
            Diagnostic(
                "VES005",
                "the simulated vessel needs the library shapely",
                hint="pip install 'volition[vessel]'",
            )
        ]
    ) from None

__all__ = ["Mission", "Pose", "Vessel", "VesselEvent", "load_mission", "read_mission"]
