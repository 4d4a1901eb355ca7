"""Hypothesis without deadlines: machines are shared, and speed is the business of benchmarks/."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "treebound", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("treebound")
