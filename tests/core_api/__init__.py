"""A random tester of the core's interface, in the manner of CaDiCaL's mobical.

An *episode* makes an object of the core and its slow twin (tests/reference) from a seed, applies random
operations to both, and compares. An operation is a name and a few random integers that are taken modulo what
is possible at that moment: any sequence is legal, so a failing one can be shrunk by leaving operations out.

``python -m tests.core_api --operations 1000000 --seed 1`` runs many episodes, in processes of their own, so
that an assert that ends one is a failure like any other; ``--episode 17`` replays one of them. Best on a core
with all asserts: ``PYTHONPATH=build/assert/site``.
"""
