"""The command: options, and an exit code of 1 if any law was broken."""

from __future__ import annotations

import argparse
import random
import sys

from ._parts import PARTS
from ._run import replay, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, help="default: a fresh one, which is printed")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--replay", metavar="SEED:PART:CASE", help="check one case again, and shrink it")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    return run(options.only or list(PARTS), seed, 60 * options.minutes)


if __name__ == "__main__":
    sys.exit(main())
