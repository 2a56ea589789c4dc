"""Random tests draw new examples at home and the same ones in continuous integration, where a failure must be one's own.

No test fails because a machine is slow.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")
