"""What workers hold at a time while they work by rows, and what they keep of the memory that they free."""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import sys
import time
import weakref

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from dask.sizeof import sizeof

from clusters import cluster_of
from treebound import Budget, score
from treebound.distributed import Cluster, _by_variable, _counting, _memory
from treebound.distributed._by_variable import VariableScoring
from treebound.distributed._client import version_here
from treebound.distributed._counting import Edges, EncodedPart, count_part
from treebound.distributed._packed import PackedRows
from treebound.distributed._shards import score_shard
from treebound.distributed._sources import ParquetPart, list_parts, tree
from treebound.distributed._worker import forget
from treebound.tables import FolderFile, table_of_row_groups


def part(num_rows=80_000):
    codes = np.zeros((2, num_rows), dtype=np.uint8)
    return EncodedPart(0, PackedRows.of(codes, (2, 4)), Edges(codes[:, :10], (b"x" * 32,), codes[:, :5]))


def test_dask_is_told_what_a_part_takes():
    assert part().rows.nbytes == 30_000
    assert 30_000 < sizeof(part().rows) < 31_000
    assert 30_000 < sizeof(part()) < 32_000


def write(path, num_rows=100, row_group_size=10):
    table = pa.table({"a": np.arange(num_rows) % 3, "b": np.arange(num_rows) % 2})
    pa.parquet.write_table(table, path, row_group_size=row_group_size)
    return table


def test_some_row_groups_of_a_file_are_a_table(tmp_path):
    table = write(tmp_path / "rows.parquet")
    found = table_of_row_groups(FolderFile(str(tmp_path / "rows.parquet")), (2, 3, 7), cells_at_once=30)
    assert (found.names, found.num_rows) == (("a", "b"), 30)
    rows = [*range(20, 40), *range(70, 80)]
    for index, name in enumerate(found.names):
        column = found.column(index)
        assert [column.values[code] for code in column.codes] == table[name].take(rows).to_pylist()


def test_few_cells_are_read_at_a_time(tmp_path, monkeypatch):
    write(tmp_path / "rows.parquet")
    read, asked = pa.parquet.ParquetFile.iter_batches, []

    def watched(file, *arguments, columns, **options):
        asked.append(columns)
        return read(file, *arguments, columns=columns, **options)

    monkeypatch.setattr(pa.parquet.ParquetFile, "iter_batches", watched)
    found = table_of_row_groups(FolderFile(str(tmp_path / "rows.parquet")), (0,), cells_at_once=10)
    assert [len(found.column(index).codes) for index in (0, 1)] == [10, 10]
    assert asked == [["a"], ["b"]]


def test_parts_have_few_cells(tmp_path, monkeypatch):
    write(tmp_path / "rows.parquet")
    monkeypatch.setattr("treebound.distributed._sources._CELLS_PER_PART", 70)
    file = FolderFile(str(tmp_path / "rows.parquet"))
    groups = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9,)]
    assert list_parts(str(tmp_path)) == [ParquetPart(file, some) for some in groups]


@pytest.mark.parametrize(("room", "kept"), [(True, 1), (False, 0)])
def test_rows_stay_laid_out_where_there_is_room(room, kept, monkeypatch):
    monkeypatch.setattr(_counting, "has_room", lambda num_bytes, share: room)
    made = []
    lay_out = PackedRows.in_core
    monkeypatch.setattr(PackedRows, "in_core", lambda rows, how: made.append(1) or lay_out(rows, how))
    sets = np.array([[0, 1]], dtype=np.uint32)
    for _ in range(2):
        counts = count_part(part(), [sets], "job", version_here())
        assert counts.tolist() == [80_000, *[0] * 7]
    forget("job")
    assert len(made) == 2 - kept


def test_there_is_room_below_a_share_of_the_limit():
    with cluster_of(1, memory_limit="4GiB") as client:
        asked = [client.submit(_memory.has_room, size, 0.5).result() for size in (0, 1 << 32)]
    assert asked == [True, False]


class Recorder:
    """A client that remembers which sums it was asked for, and with what priority."""

    def __init__(self):
        self.asked = []

    def submit(self, add, group, *, pure, priority):
        self.asked.append((group, priority))
        return "+".join(group)


def test_sums_go_before_what_is_yet_to_be_added():
    client = Recorder()
    assert tree(client, sum, list("abcde"), fan_in=2) == "a+b+c+d+e"
    assert client.asked == [
        (["a", "b"], 1),
        (["c", "d"], 1),
        (["e"], 1),
        (["a+b", "c+d"], 2),
        (["e"], 2),
        (["a+b+c+d", "e"], 3),
    ]


def slow(rows, pairs, method, shard):
    time.sleep(0.5)
    return score_shard(rows, pairs, method, shard)


def test_all_is_freed_with_the_end_of_a_job(monkeypatch):
    """Also where it was waited for, without the collector of cycles."""
    held, begin = [], VariableScoring.__init__

    def watched(job, *arguments):
        held.append(weakref.ref(job))
        begin(job, *arguments)

    monkeypatch.setattr(VariableScoring, "__init__", watched)
    monkeypatch.setattr(_by_variable, "score_shard", slow)
    table = {"a": ["x", "y"] * 20, "b": ["x", "x", "y", "y"] * 10}
    gc.disable()
    try:
        with cluster_of(1) as client:
            held.append(weakref.ref(score(table, where=Cluster(client), budget=Budget(steps=10)).cache))
            for _ in range(50):  # a thread that tells the workers has the job
                time.sleep(0.1)
                if not any(one() for one in held):
                    break
            assert [one() for one in held] == [None, None]
    finally:
        gc.enable()


FAULTS = """
import resource
import numpy as np
from treebound.distributed._allocator import keep_freed_memory, return_freed_memory

def faults_of_blocks():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        np.ones(1 << 17)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

found = [faults_of_blocks()]
keep_freed_memory()
faults_of_blocks()
found.append(faults_of_blocks())
return_freed_memory()
found.append(faults_of_blocks())
print(*found)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries are not asked")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="the memory is that of a sanitizer")
@pytest.mark.parametrize("chosen", [{}, {"MALLOC_MMAP_THRESHOLD_": "131072"}], ids=["of dask", "chosen"])
def test_freed_memory_is_kept_while_a_job_lasts(chosen):
    """Pages are taken anew for each block, not for any, and for each again."""
    environment = os.environ | {"MALLOC_TRIM_THRESHOLD_": "65536"} | chosen
    done = subprocess.run([sys.executable, "-c", FAULTS], env=environment, capture_output=True, check=True)
    before, meanwhile, after = map(int, done.stdout.split())
    pages = 50 * 2**20 // os.sysconf("SC_PAGESIZE")
    assert min(before, after) > 0.9 * pages
    assert meanwhile > 0.9 * pages if chosen else meanwhile < 0.1 * pages
