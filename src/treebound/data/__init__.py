"""From a table to a Dataset: names and labels go into a Schema, cells become small integers."""

from treebound.data._arrays import plain_value
from treebound.data._clean import with_point
from treebound.data._codes import checked_codes
from treebound.data._dataset import Codes, Dataset, code_type, layout_bytes
from treebound.data._discretise import DEFAULT_BINS, KEEP, BinMethod, Discretise, Rule, Rules
from treebound.data._domain import domain_of
from treebound.data._encode import Rows, Unseen, encode_opened, encode_rows, open_rows
from treebound.data._fill import columns_like, filled, frame_library
from treebound.data._fill_cells import Fill
from treebound.data._fingerprint import BLOCK_ROWS, Fingerprint, block_digests
from treebound.data._frames import table_of_row_groups
from treebound.data._infer_schema import infer_schema
from treebound.data._inspect import InspectedColumn, Inspection, inspect, inspected_cells
from treebound.data._load import (
    LoadingOptions,
    ReadingOptions,
    choices_of,
    load,
    load_schema,
    open_table,
    opened_of,
)
from treebound.data._numbers import parse_number
from treebound.data._pandas_rows import is_pandas
from treebound.data._preparation import ColumnNote, Preparation
from treebound.data._prepare import Choices, complete_part, complete_rows
from treebound.data._problems import DataError, Problem, nearest, not_found
from treebound.data._schema import Schema
from treebound.data._summary import TableSummary, schema_of, summarise
from treebound.data._table import Column, ColumnError, Table
from treebound.data._variable import MAX_STATES, Value, Variable, label_of
from treebound.data.files.save import TABLE_ENDINGS, check_table_path, save_columns, save_table, write_columns

__all__ = [
    "BLOCK_ROWS",
    "DEFAULT_BINS",
    "KEEP",
    "MAX_STATES",
    "TABLE_ENDINGS",
    "BinMethod",
    "Choices",
    "Codes",
    "Column",
    "ColumnError",
    "ColumnNote",
    "DataError",
    "Dataset",
    "Discretise",
    "Fill",
    "Fingerprint",
    "InspectedColumn",
    "Inspection",
    "LoadingOptions",
    "Preparation",
    "Problem",
    "ReadingOptions",
    "Rows",
    "Rule",
    "Rules",
    "Schema",
    "Table",
    "TableSummary",
    "Unseen",
    "Value",
    "Variable",
    "block_digests",
    "check_table_path",
    "checked_codes",
    "choices_of",
    "code_type",
    "columns_like",
    "complete_part",
    "complete_rows",
    "domain_of",
    "encode_opened",
    "encode_rows",
    "filled",
    "frame_library",
    "infer_schema",
    "inspect",
    "inspected_cells",
    "is_pandas",
    "label_of",
    "layout_bytes",
    "load",
    "load_schema",
    "nearest",
    "not_found",
    "open_rows",
    "open_table",
    "opened_of",
    "parse_number",
    "plain_value",
    "save_columns",
    "save_table",
    "schema_of",
    "summarise",
    "table_of_row_groups",
    "with_point",
    "write_columns",
]
