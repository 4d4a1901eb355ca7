"""Beyond one machine: a Dask cluster for ``learn``, ``score`` and ``fit``, and for the use of networks."""

from treebound.distributed._by_variable import VariableScoring
from treebound.distributed._client import ClusterError
from treebound.distributed._cluster import Cluster
from treebound.distributed._frames import anomaly_scores, impute, predict, sample, score_samples
from treebound.distributed._further import FurtherFamilies
from treebound.distributed._merge import part_of
from treebound.distributed._packed import PackedRows
from treebound.distributed._partitioned import PartitionedTable
from treebound.distributed._runs import executor
from treebound.distributed._shards import Shard, ShardResult
from treebound.distributed._tasks import ClusterLost

__all__ = [
    "Cluster",
    "ClusterError",
    "ClusterLost",
    "FurtherFamilies",
    "PackedRows",
    "PartitionedTable",
    "Shard",
    "ShardResult",
    "VariableScoring",
    "anomaly_scores",
    "executor",
    "impute",
    "part_of",
    "predict",
    "sample",
    "score_samples",
]
