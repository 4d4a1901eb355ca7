"""Slow twins of the compiled core in plain Python."""
