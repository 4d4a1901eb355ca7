"""Counts of sets of variables over all parts of a table.

Sets are counted in batches, each in every part; the counts of a batch are added up in a tree on the workers.
They are the same integers as if all rows were in one place.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from treebound.data import Schema
from treebound.distributed._client import in_background, version_here
from treebound.distributed._counting import add_counts, count_part
from treebound.distributed._sources import tree
from treebound.distributed._tasks import Shared, Tasks
from treebound.distributed._worker import forget

if TYPE_CHECKING:
    from distributed import Client, Future

Sets: TypeAlias = NDArray[np.uint32]  # a row of ascending variables for each
Counts: TypeAlias = NDArray[np.int64]
Tick: TypeAlias = Callable[[], None]
_Used = TypeVar("_Used")
# Counts of a batch: 16 MB from every part.
CELLS_PER_BATCH = 1 << 21
_BATCHES_AT_ONCE = 2
# Joint states of one family.
MAX_CELLS = 1 << 24


class RowCounts:
    """What is counted in the parts for one job; workers keep rows laid out from one batch to the next."""

    def __init__(
        self,
        client: Client,
        parts: Sequence[Future],
        schema: Schema,
        cardinalities: Sequence[int] | None = None,
    ) -> None:
        self.client, self.parts, self.schema = client, parts, schema
        self.job, self.version = uuid.uuid4().hex, version_here()
        #: Those of the codes, which may have a state for missing values.
        self.cardinalities = np.array(cardinalities or schema.cardinalities, dtype=np.uint32)

    def forget(self) -> None:
        """Make workers forget what they keep for the job."""
        if self.client.status == "running":
            in_background(lambda: self.client.run(forget, self.job, on_error="ignore"))

    def num_cells(self, sets: Sets) -> NDArray[np.float64]:
        """Joint states of each set."""
        cells: NDArray[np.float64] = self.cardinalities.astype(np.float64)[sets].prod(axis=1)
        return cells

    def counts(self, sets: Sets, tick: Tick) -> Counts:
        """How often the joint states of sets occur, one set after the other, the last variable fastest."""
        return np.concatenate(self.in_batches(sets, tick, lambda batch, counts: counts))

    def tables(self, parents: Sequence[Sequence[int]], tick: Tick) -> list[Counts]:
        """Of one family per variable: counts of shape (joint states of its parents, own states).

        Families of all sizes are counted together: each batch may mean that all rows are laid out again.
        """
        children = sorted(range(len(parents)), key=lambda v: len(parents[v]))
        families = [sorted([v, *parents[v]]) for v in children]
        groups = [np.array(list(some), dtype=np.uint32) for _, some in groupby(families, key=len)]
        counts = np.concatenate(self._counted(groups, tick, lambda batch, counts: counts))
        cells = np.concatenate([self.num_cells(sets) for sets in groups]).astype(np.int64)
        tables = np.split(counts, np.cumsum(cells)[:-1])
        found: dict[int, Counts] = {}
        for v, members, table in zip(children, families, tables, strict=True):
            shape = self.cardinalities[members].tolist()
            order = [members.index(u) for u in (*parents[v], v)]
            found[v] = table.reshape(shape).transpose(order).reshape(-1, self.cardinalities[v])
        return [found[v] for v in range(len(parents))]

    def in_batches(self, sets: Sets, tick: Tick, use: Callable[[Sets, Counts], _Used]) -> list[_Used]:
        """What is made of the counts of each batch, when they arrive; a few are under way at a time."""
        return self._counted([sets], tick, lambda batch, counts: use(batch[0], counts))

    def _counted(
        self, groups: list[Sets], tick: Tick, use: Callable[[list[Sets], Counts], _Used]
    ) -> list[_Used]:
        """The same for groups of sets, each with sets of one size; a batch may have several."""
        batches = self._batches(groups)
        found: dict[int, _Used] = {}
        tasks: Tasks[int] = Tasks(self.client, lambda number: self._submit(batches[number]))
        waiting = iter(range(len(batches)))
        try:
            while len(found) < len(batches):
                for number in islice(waiting, _BATCHES_AT_ONCE - len(tasks)):
                    tasks.add(number)
                number, counts = tasks.next(tick)
                found[number] = use(batches[number], counts)
        finally:
            tasks.give_up()
        return [found[number] for number in range(len(batches))]

    def _batches(self, groups: list[Sets]) -> list[list[Sets]]:
        """The sets in their order, cut where there are cells enough."""
        for sets in groups:
            self._check_cells(sets)
        cells = np.concatenate([self.num_cells(sets) for sets in groups])
        batch_of_set = ((np.cumsum(cells) - 1) // CELLS_PER_BATCH).astype(np.int64)
        batches: dict[int, list[Sets]] = {}
        for sets in groups:
            here, batch_of_set = batch_of_set[: len(sets)], batch_of_set[len(sets) :]
            cuts = np.flatnonzero(np.diff(here)) + 1
            for number, piece in zip(here[[0, *cuts]].tolist(), np.split(sets, cuts), strict=True):
                batches.setdefault(number, []).append(np.ascontiguousarray(piece))
        return list(batches.values())

    def _check_cells(self, sets: Sets) -> None:
        """Reject sets with more joint states than are counted."""
        cells = self.num_cells(sets)
        if len(cells) and cells.max() > MAX_CELLS:
            names = ", ".join(repr(self.schema.names[v]) for v in sets[cells.argmax()])
            raise ValueError(
                f"The columns {names} have {cells.max():,.0f} joint states, more than {MAX_CELLS:,} that are "
                "counted in parts; use fewer bins or parents, or drop one of them."
            )

    def _submit(self, batch: list[Sets]) -> Future:
        shared = Shared(self.client, batch).future
        counts = [
            self.client.submit(count_part, part, shared, self.job, self.version, pure=False)
            for part in self.parts
        ]
        return tree(self.client, add_counts, counts)
