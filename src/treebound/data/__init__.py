"""From a table to a Dataset: names and labels go into a Schema, cells become small integers."""

from treebound.data._dataset import Dataset
from treebound.data._discretise import Discretise
from treebound.data._encode import encode_rows
from treebound.data._fingerprint import Fingerprint
from treebound.data._load import load, load_schema
from treebound.data._problems import DataError, Problem
from treebound.data._schema import Schema
from treebound.data._variable import Variable

__all__ = [
    "DataError",
    "Dataset",
    "Discretise",
    "Fingerprint",
    "Problem",
    "Schema",
    "Variable",
    "encode_rows",
    "load",
    "load_schema",
]
