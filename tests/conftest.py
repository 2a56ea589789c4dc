"""Random tests draw new examples at home and the same ones in continuous integration, where a
failure must be one's own.

No test fails because a machine is slow.  Ctrl-C interrupts even where the tests were started in the
background by a shell that lets such processes ignore it: tests that press it would go on for ever.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")
signal.signal(signal.SIGINT, signal.default_int_handler)
