"""Beyond one machine: scoring, search and the use of networks on a Dask cluster."""

from treebound.distributed._client import ClusterError, connected
from treebound.distributed._fit import fit
from treebound.distributed._frames import anomaly_scores, impute, predict, sample, score_samples
from treebound.distributed._learn import learn
from treebound.distributed._partitioned import PartitionedTable
from treebound.distributed._runs import executor
from treebound.distributed._score import score
from treebound.distributed._tasks import ClusterLost

__all__ = [
    "ClusterError",
    "ClusterLost",
    "PartitionedTable",
    "anomaly_scores",
    "connected",
    "executor",
    "fit",
    "impute",
    "learn",
    "predict",
    "sample",
    "score",
    "score_samples",
]
