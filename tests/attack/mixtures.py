"""Mixtures and densities: every query is the weighted sum of the components', in exact fractions."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from . import inference, truth
from ._laws import expect
from ._tables import Table, dataset_of, random_table, smaller_tables

SECONDS = 60.0
MEMORY_MB = 6000

_LEAST_ROWS = 10  # of a density
_SUMS = 1e-6


class Case(NamedTuple):
    """Networks over the same variables, their weights, a row (-1: not known); and a table for a density."""

    networks: tuple[inference.Case, ...]
    weights: tuple[int, ...]
    row: tuple[int, ...]
    is_nested: bool
    table: Table
    steps: int  # of training; 0: no density is learned
    seed: int


def make(random: Random) -> Case:
    """Draw up to three networks; a density is learned in one case of ten."""
    first = inference.make(random)
    networks = [first]
    for _ in range(random.randint(0, 2)):
        other = inference.make(random)
        while other.cards != first.cards:
            other = _tables_for(random, first)
        networks.append(other)
    return Case(
        tuple(networks),
        (1, *(random.choice([0, 1, 1, 3]) for _ in networks[1:])),
        tuple(random.choice([-1, *range(card)]) for card in first.cards),
        random.random() < 0.3,
        random_table(random, max_variables=3, max_states=3, max_rows=40, min_rows=_LEAST_ROWS),
        random.choice([1, 3]) if random.random() < 0.1 else 0,
        random.randrange(2**32),
    )


def _tables_for(random: Random, case: inference.Case) -> inference.Case:
    """The network with probabilities drawn anew."""
    tables = []
    for card, flat in zip(case.cards, case.tables, strict=True):
        rows = [[random.randint(1, 5) for _ in range(card)] for _ in range(len(flat) // card)]
        tables.append(tuple(number / sum(row) for row in rows for number in row))
    return case._replace(tables=tuple(tables))


def check(case: Case) -> None:
    """Query the mixture, save it and load it; learn a density."""
    import treebound

    model = mixture_of(case)
    check_queries(case, model)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        treebound.save_model(model, path)
        expect(treebound.load_model(path) == model, "a saved mixture comes back", model)
    if case.steps and case.table.num_rows >= _LEAST_ROWS:
        check_density(case)


def mixture_of(case: Case) -> Any:
    """The mixture as the package holds it, one of mixtures if it is nested."""
    from treebound.network import Mixture

    components = [inference.network_of(one) for one in case.networks]
    weights = [weight / sum(case.weights) for weight in case.weights]
    if case.is_nested:
        components = [Mixture([one, one], [0.25, 0.75]) for one in components]
    return Mixture(components, weights)


def check_queries(case: Case, model: Any) -> None:
    """Log-likelihood, posteriors and the most probable completion of a row."""
    cards = case.networks[0].cards
    joint: dict[tuple[int, ...], Fraction] = {}
    for one, weight in zip(case.networks, case.weights, strict=True):
        for states, probability in truth.joint(one.parents, one.tables, cards).items():
            share = Fraction(weight, sum(case.weights)) * probability
            joint[states] = joint.get(states, Fraction(0)) + share
    given = truth.given_row(joint, case.row)
    total = sum(given.values())
    evidence = {f"v{v}": f"s{code}" for v, code in enumerate(case.row) if code >= 0}
    inference.near_log("log-probability of evidence", model.log_probability(evidence), total)
    if total == 0:
        return
    for v in range(len(cards)):
        found = model.posterior(f"v{v}", evidence).array
        inference.near_distribution("posterior of a mixture", found, given, [v], cards)
    best = model.most_probable(evidence)
    states = tuple(int(best[f"v{v}"][1:]) for v in range(len(cards)))
    kept = all(code in (-1, state) for code, state in zip(case.row, states, strict=True))
    expect(kept, "the most probable states agree with the evidence", states)
    expect(given.get(states, 0) > 0, "the most probable states are possible", states)


def check_density(case: Case) -> None:
    """A density is a distribution over all rows, and missing cells are summed out."""
    import numpy as np

    import treebound

    data = dataset_of(case.table)
    budget = treebound.Budget(steps=case.steps)
    model = treebound.learn_density(data, budget=budget, seed=case.seed, threads=1).model
    rows = list(itertools.product(*map(range, case.table.cards)))
    every = treebound.Dataset(data.schema, np.array(rows).T)
    logs = model.score_samples(every)
    expect(abs(math.fsum(map(math.exp, logs)) - 1) <= _SUMS, "a density sums to one", logs)
    first = np.array([[0], *([-1] for _ in case.table.cards[1:])])
    summed = float(model.score_samples(treebound.Dataset(data.schema, first))[0])
    expected = math.log(math.fsum(math.exp(log) for log, row in zip(logs, rows, strict=True) if row[0] == 0))
    expect(abs(summed - expected) <= _SUMS, "missing cells are summed out", (summed, expected))


def shrink(case: Case) -> Iterator[Case]:
    """No density, fewer components, a plain mixture."""
    if case.steps:
        yield case._replace(steps=0)
        for table in smaller_tables(case.table, min_rows=_LEAST_ROWS):
            yield case._replace(table=table)
    if len(case.networks) > 1:
        yield case._replace(networks=case.networks[1:], weights=case.weights[1:])
    if case.is_nested:
        yield case._replace(is_nested=False)
