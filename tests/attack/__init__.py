"""Attacks on the package at random, until the time is out: ``python -m tests.attack --minutes 10 --seed 1``.

Each part is a file with three functions: ``make(random)`` draws a case (plain data, so that it prints),
``check(case)`` raises if the package breaks a law on it, ``shrink(case)`` yields smaller cases. What is true
is worked out here from definitions (``truth``), never by the package. Checks run in a child process, so that
a crash, a hang or a hunger for memory is a finding like any other.
"""
