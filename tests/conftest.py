"""How hypothesis searches: without deadlines, since machines differ; the same examples each time where CI is set."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
