"""Random small tables for several parts: columns that depend on each other, states that never occur."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple


class Table(NamedTuple):
    """Codes, one tuple for each variable, and the number of states of each."""

    columns: tuple[tuple[int, ...], ...]
    cards: tuple[int, ...]

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])


def random_table(
    random: Random, max_variables: int = 6, max_states: int = 4, max_rows: int = 150, min_rows: int = 1
) -> Table:
    """Each column is a noisy function of up to two earlier ones, or noise."""
    n = random.randint(1, max_variables)
    num_rows = random.choice([min_rows, 2, 3, random.randint(2, 20), random.randint(2, max_rows)])
    noise = random.choice([0.0, 0.05, 0.3, 1.0])
    cards, columns = [], []
    for v in range(n):
        card = random.randint(1, max_states)
        sources = random.sample(columns, min(v, random.randint(0, 2)))
        column = []
        for row in range(num_rows):
            state = sum(source[row] for source in sources) % card
            is_noise = not sources or random.random() < noise
            column.append(random.randrange(card) if is_noise else state)
        cards.append(card)
        columns.append(tuple(column))
    return Table(tuple(columns), tuple(cards))


def smaller_tables(table: Table, min_rows: int = 1) -> Iterator[Table]:
    """The table without a column, with half its rows, or without one of them."""
    n, rows = len(table.columns), table.num_rows
    if n > 1:
        for v in range(n):
            yield table._replace(columns=_without(table.columns, v), cards=_without(table.cards, v))
    for first, last in [(0, rows // 2), (rows // 2, rows), *((row, row + 1) for row in range(min(rows, 40)))]:
        kept = [row for row in range(rows) if not first <= row < last]
        if min_rows <= len(kept) < rows:
            yield table._replace(
                columns=tuple(tuple(column[row] for row in kept) for column in table.columns)
            )


def _without(items: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    return items[:place] + items[place + 1 :]


def dataset_of(table: Table) -> Any:
    """The table as the package holds it."""
    import numpy as np

    import treebound

    variables = [
        treebound.Variable(f"v{v}", tuple(f"s{state}" for state in range(card)))
        for v, card in enumerate(table.cards)
    ]
    return treebound.Dataset(treebound.Schema(tuple(variables)), np.array(table.columns))
