"""The command: python -m tests.core_api --operations 1000000 --seed 1."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from core_api.episodes import main

parser = argparse.ArgumentParser(prog="python -m tests.core_api", description="Random tester of the core.")
parser.add_argument("--operations", type=int, default=1_000_000, help="how many operations (%(default)s)")
parser.add_argument("--seed", type=int, default=1, help="seed of all episodes (%(default)s)")
parser.add_argument("--episode", type=int, default=None, help="replay this episode only")
arguments = parser.parse_args()
main(arguments.operations, arguments.seed, arguments.episode)
