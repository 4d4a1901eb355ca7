"""The experiments of the paper, rerun by one command: ``python -m benchmarks.paper run``."""
