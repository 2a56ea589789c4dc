"""Random tests draw new examples at home and the same ones in continuous integration, where a failure must be one's own."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
