"""Random networks: the test beds of the paper's experiments.

``random_network`` follows BNGenerator as the paper used it for its data sets of 2,000, 4,000 and 10,000
variables (2 to 4 states, 0 to 6 parents), and can be kept within a treewidth. ``random_inverted_tree`` makes
the networks that the paper's own searches cannot reach (section "Learning inverted trees").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treebound._arguments import check_integer, check_number, check_seed
from treebound._core import STRUCTURE_STREAM, RandomStream, draw_tables
from treebound.data import MAX_STATES, Schema, Variable
from treebound.inference import MAX_TABLE_CELLS, offsets, table_sizes
from treebound.network._bayesian_network import BayesianNetwork
from treebound.network._random_choices import between, distinct_below, shuffled

# Far beyond what can be learned, and of a size that memory holds.
MAX_VARIABLES = 10_000_000


def random_network(
    num_variables: int,
    *,
    min_states: int = 2,
    max_states: int = 4,
    min_parents: int = 0,
    max_parents: int = 6,
    max_treewidth: int | None = None,
    concentration: float = 1.0,
    seed: int = 0,
) -> BayesianNetwork:
    """Draw a random network.

    The numbers of states and parents are uniform in their ranges, except that the first variables of the
    random order have no more parents than predecessors. Rows of tables come from a symmetric Dirichlet
    distribution.

    Parameters
    ----------
    num_variables : int
        Number of variables.
    min_states, max_states : int
        Range of the number of states, both ends included.
    min_parents, max_parents : int
        Range of the number of parents, both ends included.
    max_treewidth : int, optional
        Draw a random k-tree and take parents from its cliques. Its ``elimination_order`` is the witness.
    concentration : float
        Of the Dirichlet distribution. With 1 all distributions are equally likely; with less, variables
        depend more strongly on their parents.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    ValueError
        If a range is empty or ``max_treewidth`` is less than ``min_parents``.

    Examples
    --------
    >>> import treebound as tb
    >>> network = tb.random_network(20, max_treewidth=2, seed=1)
    >>> network.num_variables, network.structure.treewidth <= 2
    (20, True)
    """
    _check_sizes(num_variables, min_states, max_states, min_parents, max_parents)
    if max_treewidth is not None:
        max_treewidth = check_integer("max_treewidth", max_treewidth, 1)
        if max_treewidth < min_parents:
            raise ValueError(
                f"max_treewidth must be at least min_parents ({min_parents}), got {max_treewidth}."
            )
    stream = RandomStream(check_seed(seed), STRUCTURE_STREAM)
    cardinalities = [between(stream, min_states, max_states) for _ in range(num_variables)]
    insertion_order = shuffled(stream, num_variables)
    if max_treewidth is None:
        candidates = _predecessors(insertion_order)
    else:
        candidates = _separators(insertion_order, max_treewidth, stream)
    parents: list[tuple[int, ...]] = [()] * num_variables
    for v, available in zip(insertion_order, candidates, strict=True):
        count = between(stream, min_parents, min(max_parents, max_treewidth or max_parents))
        chosen = distinct_below(stream, len(available), min(count, len(available)))
        parents[v] = tuple(sorted(available[i] for i in chosen))
    witness = None if max_treewidth is None else tuple(reversed(insertion_order))
    return _with_random_tables(cardinalities, parents, witness, concentration, seed)


def random_inverted_tree(num_variables: int, num_parents: int, *, seed: int = 0) -> BayesianNetwork:
    """Draw a tree of binary variables whose arcs all point to its root, as in the paper's experiment.

    Starting from one variable, a random variable without parents gets ``num_parents`` new variables as its
    parents, until there are ``num_variables``. If they do not come out even, the last variable to get parents
    has fewer: of 100 variables with 4 parents, 24 have 4 and one has 3. Every variable has at most one child,
    and the treewidth is the largest number of parents, which ``elimination_order`` proves.
    Probabilities are drawn from Beta(1,1).

    Parameters
    ----------
    num_variables : int
        Number of variables.
    num_parents : int
        Number of parents of each variable that has some.
    seed : int
        Random seed.

    Returns
    -------
    BayesianNetwork
    """
    check_integer("num_variables", num_variables, 1, MAX_VARIABLES)
    check_integer("num_parents", num_parents, 1)
    stream = RandomStream(check_seed(seed), STRUCTURE_STREAM)
    insertion_order = shuffled(stream, num_variables)
    parents: list[tuple[int, ...]] = [()] * num_variables
    parentless = insertion_order[:1]
    for first in range(1, num_variables, num_parents):
        child = parentless.pop(stream.below(len(parentless)))
        added = insertion_order[first : first + num_parents]
        parents[child] = tuple(sorted(added))
        parentless += added
    witness = tuple(reversed(insertion_order))
    return _with_random_tables([2] * num_variables, parents, witness, 1.0, seed)


def _check_sizes(
    num_variables: int, min_states: int, max_states: int, min_parents: int, max_parents: int
) -> None:
    check_integer("num_variables", num_variables, 1, MAX_VARIABLES)
    check_integer("min_states", min_states, 0)
    check_integer("max_states", max_states, 0)
    check_integer("min_parents", min_parents, 0)
    check_integer("max_parents", max_parents, 0, MAX_VARIABLES)
    if not 2 <= min_states <= max_states <= MAX_STATES:
        raise ValueError(
            f"min_states and max_states must satisfy 2 <= min_states <= max_states <= {MAX_STATES}, "
            f"got {min_states} and {max_states}."
        )
    if not 0 <= min_parents <= max_parents:
        raise ValueError(
            f"min_parents and max_parents must satisfy 0 <= min_parents <= max_parents, "
            f"got {min_parents} and {max_parents}."
        )


def _predecessors(insertion_order: list[int]) -> Iterator[list[int]]:
    """For each variable in the order, all variables before it."""
    return (insertion_order[:i] for i in range(len(insertion_order)))


def _separators(insertion_order: list[int], width: int, stream: RandomStream) -> Iterator[list[int]]:
    """For each variable in the order, the clique that it joins in a random k-tree.

    The first k + 1 variables form the root clique; any later one joins a random clique of size k.
    """
    for i in range(min(width + 1, len(insertion_order))):
        yield insertion_order[:i]
    # Newest member last. The root holds k + 1 cliques of size k; each later clique adds the k of them that
    # hold its newest member.
    cliques = [insertion_order[: width + 1]]
    for v in insertion_order[width + 1 :]:
        choice = stream.below(width * len(cliques) + 1)
        host, left_out = divmod(choice, width) if choice < width * len(cliques) else (0, width)
        joined = cliques[host][:left_out] + cliques[host][left_out + 1 :]
        cliques.append([*joined, v])
        yield joined


def _with_random_tables(
    cardinalities: Sequence[int],
    parents: Sequence[tuple[int, ...]],
    elimination_order: tuple[int, ...] | None,
    concentration: float,
    seed: int,
) -> BayesianNetwork:
    concentration = check_number("concentration", concentration, positive=True)
    sizes = table_sizes(parents, cardinalities)
    if sum(sizes) > MAX_TABLE_CELLS:
        raise ValueError(
            f"Expected tables of {MAX_TABLE_CELLS} numbers at most, got a network that needs {sum(sizes)}; "
            "allow fewer states or parents."
        )
    starts = offsets(sizes)
    tables = draw_tables(np.array(cardinalities, dtype=np.uint32), starts, concentration, seed)
    return BayesianNetwork.from_indices(
        _schema(cardinalities), parents, np.split(tables, starts[1:-1]), elimination_order
    )


def _schema(cardinalities: Sequence[int]) -> Schema:
    """Variables X0, X1, ... with whole numbers for states, as they are found again in a file."""
    return Schema(
        tuple(
            Variable(f"X{v}", tuple(map(str, range(num_states))), kind="integer", ordered=True)
            for v, num_states in enumerate(cardinalities)
        )
    )
