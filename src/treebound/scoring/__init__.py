"""Scoring: from a dataset to the candidate parent sets of every variable."""
