"""A network that is ready for exact queries."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound import _core
from treebound._arguments import check_integer, check_rows, check_seed
from treebound._budget import resolve_threads
from treebound._memory import half_of_memory
from treebound._run import complete, new_run
from treebound.data import Dataset
from treebound.inference._contradiction import contradiction
from treebound.inference._errors import ImpossibleEvidence, InferenceError
from treebound.inference._evidence import Evidence, Findings, code_of, findings_of, names_of, positions_of
from treebound.inference._forks import renew_after_fork
from treebound.inference._memory import bytes_of, check_tables, check_tree
from treebound.inference._parameter_sensitivity import ParameterSensitivity, functions_of
from treebound.inference._results import Marginals, MostProbable, Posterior
from treebound.inference._row_queries import RowQueries
from treebound.inference._tables import FlatTables, TabledNetwork, offsets, row_sums
from treebound.inference._trees import FEW_CELLS, best_tree
from treebound.inference._value_of_information import (
    InformationValue,
    information_by_others,
    information_by_target,
)

_Result = TypeVar("_Result")
# More rows than this fit into no memory, and their bytes into no index.
MAX_ROWS = 2**40
# Fewer cells are drawn in less time than it takes to start a thread that reacts to Ctrl-C.
_MANY_CELLS = 1 << 13


class JunctionTree(RowQueries):
    """Prepare a network for exact queries given evidence.

    Evidence is a mapping from names to findings: a label, or likelihoods of all states (a sequence in the
    order of the states, or a mapping from labels). Messages are reused, so a query after a small change of
    evidence is cheap.

    ``max_bytes`` limits the memory for messages and for the tables of single queries; ``None`` means half of
    the machine's memory. If the messages do not fit, only rows with at most one missing cell can be queried.
    Rows of CPTs that do not quite sum to one are rescaled.
    """

    def __init__(self, network: TabledNetwork, *, max_bytes: int | None = None) -> None:
        if not hasattr(network, "flat_tables"):
            raise TypeError(f"network must be a BayesianNetwork, got {type(network).__name__}.")
        flat = network.flat_tables
        self.network = network
        most = half_of_memory() if max_bytes is None else max_bytes
        self.max_bytes = check_integer("max_bytes", most, 0)
        in_core = _in_core(flat)
        self._shape = best_tree(in_core, network.elimination_order)
        self._needed_bytes = bytes_of(self._shape, len(flat.tables))
        self._tree = _core.JunctionTree(in_core, self._shape, FEW_CELLS)
        self._lock = threading.Lock()
        self._starts = tuple(offsets(flat.cardinalities).tolist())
        renew_after_fork(self)

    def _renew_if_in_use(self) -> _core.JunctionTree | None:
        """Forget all messages if a query is running, which a forked child never ends; return their holder."""
        # Not locked(), which is still false where a thread has the lock and waits to run on.
        if self._lock.acquire(blocking=False):
            self._lock.release()
            return None
        before = self._tree
        self._tree = _core.JunctionTree(_in_core(self.network.flat_tables), self._shape, FEW_CELLS)
        self._lock = threading.Lock()
        return before

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.network, self.max_bytes)

    def __repr__(self) -> str:
        shape = f"{self._shape.num_cliques} cliques, {self._shape.all_cliques:.4g} cells"
        return f"<JunctionTree: width {self.width}, {shape}>"

    @property
    def width(self) -> int:
        """Variables in the largest clique, less one."""
        return self._shape.width

    @property
    def num_cells(self) -> float:
        """Joint states of all cliques: what a pass over the tree looks at, without evidence."""
        return self._shape.all_cliques

    @property
    def num_bytes(self) -> float:
        """Bytes for the tables and all messages of the calibrated tree."""
        return self._needed_bytes

    @contextmanager
    def _given(self, findings: Findings, *, must_be_possible: bool = True) -> Iterator[float]:
        """Hold the core with these findings set; yields the logarithm of their probability."""
        check_tree(self._shape, self._needed_bytes, self.max_bytes)
        with self._lock:
            log_probability = self._log_probability(findings)
            if must_be_possible and log_probability == -math.inf:
                raise self._contradiction(findings)
            yield log_probability

    def _log_probability(self, findings: Findings) -> float:
        def work(run: _core.Run) -> float:
            self._tree.set_findings(*findings.flat())
            return self._tree.log_probability(run)

        return _run_query(self.num_cells, work)

    def _findings(self, evidence: Evidence | None) -> Findings:
        return findings_of(evidence, self.network.schema)

    def _contradiction(self, findings: Findings) -> ImpossibleEvidence:
        def are_possible(variables: Sequence[int]) -> bool:
            return self._log_probability(findings.only(variables)) > -math.inf

        return contradiction(findings, self.network.schema, are_possible)

    def log_probability(self, evidence: Evidence | None = None) -> float:
        """Logarithm of the probability of the evidence; minus infinity if it is impossible.

        With likelihoods, the expected value of their product takes the place of the probability.
        """
        with self._given(self._findings(evidence), must_be_possible=False) as log_probability:
            return log_probability

    def marginals(self, evidence: Evidence | None = None) -> Marginals:
        """The posterior of every variable, by name."""
        findings, schema = self._findings(evidence), self.network.schema
        return Marginals(schema, self._starts, self._flat_marginals(findings), findings.describe(schema))

    def posterior(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Posterior:
        """The posterior of a variable, or the joint posterior of several, wherever they are."""
        schema = self.network.schema
        positions = positions_of(names_of(variables), schema)
        findings = self._findings(evidence)
        array = self._joint(positions, findings)
        return Posterior(tuple(schema[v] for v in positions), array, findings.describe(schema))

    def _joint(self, positions: Sequence[int], findings: Findings) -> NDArray[np.float64]:
        """The joint posterior; variables with hard findings have all of it in one state."""
        return self._joints([positions], findings)[0]

    def _joints(self, groups: Iterable[Sequence[int]], findings: Findings) -> list[NDArray[np.float64]]:
        """The joint posterior of each group."""
        with self._given(findings):
            return [self._joint_now(positions, findings) for positions in groups]

    def _joint_now(self, positions: Sequence[int], findings: Findings) -> NDArray[np.float64]:
        if len(positions) == 1:
            return _run_query(self.num_cells, lambda run: self._tree.marginal(positions[0], run))
        free = [v for v in positions if findings.codes[v] < 0]
        cards = self.network.schema.cardinalities
        # Checks the size, so it comes before the array is made.
        joint = self._free_joint(free)
        array = np.zeros([cards[v] for v in positions])
        known = tuple(slice(None) if findings.codes[v] < 0 else findings.codes[v] for v in positions)
        array[known] = joint.reshape([cards[v] for v in free])
        return array

    def _free_joint(self, positions: Sequence[int]) -> NDArray[np.float64]:
        if not positions:
            return np.ones(1)
        wanted = np.array(positions, dtype=np.uint32)
        total, _ = self._tree.joint_size(wanted)
        check_tables(total, f"The joint posterior of {len(positions)} variables", self.max_bytes)
        return _run_query(total + self.num_cells, lambda run: self._tree.joint(wanted, run))

    def joint_distributions(self, groups: Iterable[Sequence[int]]) -> list[NDArray[np.float64]]:
        """The joint distribution of each group of variables, given by index, without evidence.

        Each is flat, the last variable of the group running fastest.
        """
        last = len(self.network.schema) - 1
        rows = check_rows("groups", groups)
        checked = [[check_integer("a variable", v, 0, last) for v in row] for row in rows]
        with self._given(self._findings(None)):
            return [self._free_joint(group) for group in checked]

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """The most probable joint state of all variables that have no hard finding."""
        return self._most_probable(range(len(self.network.schema)), self._findings(evidence))

    def most_probable_of(
        self, variables: str | Sequence[str], evidence: Evidence | None = None
    ) -> MostProbable:
        """The most probable joint state of some variables, all others summed out (marginal MAP).

        Sums come before maxima, whatever order of elimination would be best, so the tables may be far larger
        than those of the junction tree; their size is checked first.
        """
        positions = positions_of(names_of(variables), self.network.schema)
        return self._most_probable(positions, self._findings(evidence))

    def _most_probable(self, positions: Sequence[int], findings: Findings) -> MostProbable:
        free = np.array([v for v in positions if findings.codes[v] < 0], dtype=np.uint32)
        with self._given(findings) as log_evidence:
            total, _ = self._tree.most_probable_size(free)
            check_tables(total, f"The most probable state of {len(free)} variables", self.max_bytes)
            states, log_joint = _run_query(total, lambda run: self._tree.most_probable(free, run))
        schema = self.network.schema
        chosen = {schema.names[v]: schema[v].states[states[v]] for v in positions}
        return MostProbable(chosen, log_joint, log_joint - log_evidence, findings.describe(schema))

    def sample(
        self, num_rows: int, seed: int = 0, evidence: Evidence | None = None, *, threads: int | None = None
    ) -> Dataset:
        """Draw rows given the evidence. Equal seeds give equal rows, for any number of threads."""
        num_rows, seed = check_integer("num_rows", num_rows, 0, MAX_ROWS), check_seed(seed)
        run = new_run(None, resolve_threads(threads))
        schema = self.network.schema
        codes = np.empty((len(schema), num_rows), dtype=np.int32)
        with self._given(self._findings(evidence)):
            is_long = codes.size > _MANY_CELLS or self.num_cells > FEW_CELLS
            complete("drawing rows", run, lambda: self._tree.sample(seed, run, codes), is_long=is_long)
        return Dataset(schema, codes, drawn_with=seed)

    def entropy(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> float:
        """Entropy of the joint posterior of some variables, in nats."""
        return _entropy(self.posterior(variables, evidence).array)

    def mutual_information(self, a: str, b: str, evidence: Evidence | None = None) -> float:
        """Mutual information of two variables given the evidence, in nats."""
        joint = self.posterior((a, b), evidence).array
        return max(0.0, _entropy(joint.sum(axis=1)) + _entropy(joint.sum(axis=0)) - _entropy(joint))

    def value_of_information(
        self, target: str, evidence: Evidence | None = None, *, most: int | None = 20
    ) -> list[InformationValue]:
        """What to observe next to learn about a target: exact mutual information, the largest first.

        The ``most`` best variables without a hard finding are returned (None: all). It takes a pass over the
        tree for each state of the target, or for each state of the others if those are fewer.
        """
        most = None if most is None else check_integer("most", most, 1)
        findings, schema = self._findings(evidence), self.network.schema
        (position,) = positions_of((target,), schema)
        before = self._flat_marginals(findings)
        free = [v for v in range(len(schema)) if v != position and findings.codes[v] < 0]
        if schema[position].cardinality <= sum(schema[v].cardinality for v in free):
            found = information_by_target(
                position, before, self._starts, lambda known: self._flat_marginals(findings.and_hard(*known))
            )
        else:
            found = information_by_others(
                position,
                free,
                before,
                self._starts,
                lambda known: self._joint([position], findings.and_hard(*known)),
            )
        entropy = max(_entropy(before[self._starts[position] : self._starts[position + 1]]), 1e-300)
        best = sorted(free, key=lambda v: -found[v])[:most]
        return [InformationValue(schema.names[v], found[v], found[v] / entropy) for v in best]

    def _flat_marginals(self, findings: Findings) -> NDArray[np.float64]:
        with self._given(findings):
            return _run_query(self.num_cells, self._tree.marginals)

    def parameter_sensitivity(
        self, target: str, state: Any, evidence: Evidence | None = None, *, most: int | None = 20
    ) -> list[ParameterSensitivity]:
        """How the posterior of a state of the target depends on the numbers in the tables of the network.

        The ``most`` numbers at which it changes fastest are returned, the fastest first (None: all). Numbers
        that are 0 or 1 are dropped: other tables would then be possible or not.
        """
        most = None if most is None else check_integer("most", most, 1)
        findings, schema = self._findings(evidence), self.network.schema
        (position,) = positions_of((target,), schema)
        if findings.codes[position] >= 0:
            raise InferenceError(f"The target {target!r} must not be part of the evidence.")
        code = code_of(state, schema[position])
        share = float(self._joint([position], findings)[code])
        if share == 0:
            return []  # it stays zero, whatever the numbers between 0 and 1 are
        with_state = findings.and_hard(position, code)
        flat = self.network.flat_tables
        families = [(*parents, child) for child, parents in enumerate(flat.parents_of())]
        joints = (self._joints(families, known) for known in (findings, with_state))
        found: list[ParameterSensitivity] = []
        for family, table, joint, joint_with in zip(families, flat.tables_of(), *joints, strict=True):
            members = [schema[v] for v in family]
            found += functions_of(members, table, joint, joint_with, share, most)
        return sorted(found, key=lambda one: -abs(one.derivative))[:most]


def _run_query(num_cells: float, query: Callable[[_core.Run], _Result]) -> _Result:
    """The result of a query that may look at so many cells. Ctrl-C ends one that takes long."""
    run = new_run(None, 1)
    return complete("a query", run, lambda: query(run), is_long=num_cells > FEW_CELLS)


def _in_core(flat: FlatTables) -> _core.InferenceNetwork:
    """The tables as the core takes them, their rows scaled to sum to one."""
    return _core.InferenceNetwork(
        flat.cardinalities,
        flat.topological_order,
        flat.parent_offsets,
        flat.parents,
        flat.table_offsets,
        flat.tables / np.repeat(*row_sums(flat)),
    )


def _rebuilt(network: TabledNetwork, max_bytes: int) -> JunctionTree:
    return JunctionTree(network, max_bytes=max_bytes)


def _entropy(array: NDArray[np.float64]) -> float:
    positive = array[array > 0]
    return float(-np.sum(positive * np.log(positive)))
