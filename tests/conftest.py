"""Hypothesis without deadlines: machines are shared, and speed is the business of benchmarks/."""

from hypothesis import settings

settings.register_profile("treebound", deadline=None, print_blob=True)
settings.load_profile("treebound")
