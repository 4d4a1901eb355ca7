"""Where the rows of a table lie that no machine holds: a Dask frame, or a folder of Parquet files.

A part is a partition of the frame, or some row groups of a file. It is read where a worker asks for it, and
again whenever it is asked for again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from treebound._arguments import shown
from treebound.distributed._client import ClusterError, require_dask
from treebound.tables import FolderFile, Table, files_of_folder, table_of_row_groups

if TYPE_CHECKING:
    from distributed import Client, Future

# Cells of a part: few enough for their codes, of a byte each, in the memory of a worker.
_CELLS_PER_PART = 1 << 26
# Cells that are read at once: 32 MB where they are numbers of eight bytes.
_CELLS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class ParquetPart:
    """Some row groups of a Parquet file."""

    file: FolderFile
    groups: tuple[int, ...]

    def table(self) -> Table:
        """The rows, on the machine that asks; they are read a few columns at a time."""
        check_there(self.file.path)
        return table_of_row_groups(self.file, self.groups, _CELLS_AT_ONCE)


Part: TypeAlias = Any  # a ParquetPart, or the delayed partition of a frame


def is_partitioned(source: Any) -> bool:
    """Whether a source is a Dask frame or a folder."""
    if isinstance(source, str | os.PathLike):
        return Path(source).expanduser().is_dir()
    return type(source).__module__.partition(".")[0] in ("dask", "dask_expr") and hasattr(
        source, "to_delayed"
    )


def parts_of(client: Client, source: Any) -> list[Part]:
    """The parts of a source, in the order of its rows."""
    if not isinstance(source, str | os.PathLike):
        return list(source.to_delayed())
    folder = str(Path(source).expanduser().resolve())
    return list(client.submit(list_parts, folder, pure=False).result())


def list_parts(folder: str) -> list[ParquetPart]:
    """The parts of a folder, by the names of its files; asked of a worker."""
    check_there(folder)
    return [part for file in files_of_folder(Path(folder)) for part in _parts_of_file(file)]


def _parts_of_file(file: FolderFile) -> list[ParquetPart]:
    num_columns, sizes = file.row_groups()
    most = _CELLS_PER_PART // max(1, num_columns)
    parts: list[ParquetPart] = []
    groups: list[int] = []
    num_rows = 0
    for group, more in enumerate(sizes):
        if groups and num_rows + more > most:
            parts.append(ParquetPart(file, tuple(groups)))
            groups, num_rows = [], 0
        groups.append(group)
        num_rows += more
    return [*parts, ParquetPart(file, tuple(groups))]


def submit_on_each(
    client: Client, function: Callable[..., Any], parts: Sequence[Part], *arguments: Sequence[Any]
) -> list[Future]:
    """Call a function on workers with each part and the arguments that stand in its place.

    The partitions of a frame go to the scheduler in one graph: each knows the graph of the whole frame.
    """
    calls = list(zip(parts, *arguments, strict=True))
    if any(isinstance(part, ParquetPart) for part in parts):
        return [client.submit(function, *call, pure=False) for call in calls]
    delayed = require_dask("dask").delayed(function, pure=False)
    return list(client.compute([delayed(*call) for call in calls]))


def name_of(source: Any) -> str:
    """What messages call a source."""
    return str(source) if isinstance(source, str | os.PathLike) else f"the Dask frame {shown(source)[:60]}"


def tree(
    client: Client, add: Callable[[Sequence[Any]], Any], futures: Sequence[Future], fan_in: int = 8
) -> Future:
    """Add up results on the workers, some at a time, in their order.

    Sums go before what is yet to be added, and later sums before earlier ones, so few results are held
    at a time.
    """
    level, height = list(futures), 0
    while len(level) > 1:
        height += 1
        groups = [level[i : i + fan_in] for i in range(0, len(level), fan_in)]
        level = [client.submit(add, group, pure=False, priority=height) for group in groups]
    return level[0]


def check_there(path: str) -> None:
    """Say which file is missing on which machine."""
    if not os.path.exists(path):
        raise ClusterError(
            f"{path} is not there on {os.uname().nodename}; every worker has to see the table under this "
            "path."
        )
