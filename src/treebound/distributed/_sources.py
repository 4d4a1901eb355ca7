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

from treebound._arguments import told
from treebound.distributed._client import ClusterError, require_dask

if TYPE_CHECKING:
    from distributed import Client, Future

# Rows of a part: few enough for several in the memory of a worker while they are encoded.
_ROWS_PER_PART = 1 << 20


@dataclass(frozen=True)
class ParquetPart:
    """Some row groups of a Parquet file."""

    path: str
    groups: tuple[int, ...]

    def read(self) -> Any:
        """The rows as a pyarrow table, on the machine that asks."""
        check_there(self.path)
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(self.path) as file:
            return file.read_row_groups(list(self.groups))


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
    import pyarrow.parquet

    paths = sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in (".parquet", ".pq"))
    if not paths:
        raise ValueError(f"{folder}: expected a folder of .parquet files, found none in it.")
    parts = []
    for path in paths:
        sizes = pyarrow.parquet.read_metadata(path)
        groups: list[int] = []
        num_rows = 0
        for group in range(sizes.num_row_groups):
            more = sizes.row_group(group).num_rows
            if groups and num_rows + more > _ROWS_PER_PART:
                parts.append(ParquetPart(str(path), tuple(groups)))
                groups, num_rows = [], 0
            groups.append(group)
            num_rows += more
        parts.append(ParquetPart(str(path), tuple(groups)))
    return parts


def submit_on(client: Client, function: Callable[..., Any], part: Part, *arguments: Any) -> Future:
    """Call a function with a part and more arguments on a worker."""
    if isinstance(part, ParquetPart):
        return client.submit(function, part, *arguments, pure=False)
    delayed = require_dask("dask").delayed
    return client.compute(delayed(function, pure=False)(part, *arguments))


def frame_of(part: Any) -> Any:
    """The rows of a part, as a worker gets it."""
    return part.read() if isinstance(part, ParquetPart) else part


def name_of(source: Any) -> str:
    """What messages call a source."""
    return str(source) if isinstance(source, str | os.PathLike) else f"the Dask frame {told(source)[:60]}"


def tree(
    client: Client, add: Callable[[Sequence[Any]], Any], futures: Sequence[Future], fan_in: int = 8
) -> Future:
    """Add up results on the workers, some at a time, in their order."""
    level = list(futures)
    while len(level) > 1:
        groups = [level[i : i + fan_in] for i in range(0, len(level), fan_in)]
        level = [client.submit(add, group, pure=False) for group in groups]
    return level[0]


def check_there(path: str) -> None:
    """Say which file is missing on which machine."""
    if not os.path.exists(path):
        raise ClusterError(
            f"{path} is not there on {os.uname().nodename}; every worker has to see the table under this "
            "path."
        )
