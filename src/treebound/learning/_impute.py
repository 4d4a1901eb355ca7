"""Imputation in one call: learn a network from an incomplete table, and fill in its missing values."""

from __future__ import annotations

from typing import Any

import numpy as np

from treebound._arguments import check_integer, check_seed
from treebound._budget import Budget
from treebound._progress import Observer, ProgressOption
from treebound._where import HERE, Local
from treebound.data import Dataset
from treebound.learning._learn import learn
from treebound.network import BayesianNetwork, EmRun, ImputeStrategy, check_strategy
from treebound.tables import load


def impute(
    table: Any,
    max_treewidth: int | None = None,
    *,
    strategy: ImputeStrategy = "most_probable",
    copies: int = 5,
    budget: Budget | float | None = None,
    seed: int = 0,
    where: Local = HERE,
    progress: ProgressOption | Observer = None,
) -> Any:
    """Fill in the missing values of a table by a network that is learned from it.

    Parameters
    ----------
    table : anything that ``load`` takes
        The table. It is prepared by ``load(auto=True)``; columns that this drops, such as IDs, stay as they
        are.
    max_treewidth : int, optional
        Treewidth limit, as in :func:`treebound.learn`.
    strategy : {"most_probable", "draw", "multiple"}
        The most probable completion of each row; one drawn given its observed cells; or several completed
        tables, for multiple imputation. Each of these comes from CPTs fitted to rows that are drawn with
        replacement, so that the tables differ as much as the data leave open.
    copies : int
        Number of completed tables with ``strategy="multiple"``.
    budget : Budget or float, optional
        Limit on learning, in seconds or steps (default: 60 seconds).
    seed : int
        Random seed.
    where : Local
        Threads and memory.
    progress : bool, callable or Observer, optional
        As in :func:`treebound.learn`.

    Returns
    -------
    table
        The completed table, of the library of the given one; a list of tables for ``"multiple"``.

    Examples
    --------
    >>> import treebound as tb
    >>> table = {"rain": ["no", "yes", None, "yes"] * 9, "wet": ["no", "yes", "yes", "yes"] * 9}
    >>> tb.learning.impute(table, budget=tb.Budget(steps=10))["rain"][:4]
    ['no', 'yes', 'yes', 'yes']
    """
    check_strategy(strategy)
    check_seed(seed)
    data = table if isinstance(table, Dataset) else load(table, auto=True, missing="keep")
    given = data.to_dict() if isinstance(table, Dataset) else table
    result = learn(
        data, max_treewidth, budget=budget, missing="em", seed=seed, where=where, progress=progress
    )
    threads = where.num_threads
    if strategy != "multiple":
        return result.network.impute(given, strategy=strategy, seed=seed, threads=threads, on_absent="ignore")
    return [
        network.impute(given, strategy="draw", seed=seed + number, threads=threads, on_absent="ignore")
        for number, network in enumerate(refitted(result.network, data, copies, seed, threads))
    ]


def refitted(
    network: BayesianNetwork, data: Dataset, copies: int, seed: int, threads: int | None = None
) -> list[BayesianNetwork]:
    """Return networks of the same structure, each fitted to rows that are drawn with replacement.

    Imputations from these differ by what the rows leave open about CPTs, too (Honaker and King 2010).
    """
    number = check_integer("copies", copies, 1, 1_000)
    rng, run = np.random.default_rng(seed), EmRun(network.structure, threads=threads)
    drawn = (data.take(rng.integers(data.num_rows, size=data.num_rows)) for _ in range(number))
    return [run.fitted(rows, network.flat_tables.tables) for rows in drawn]
