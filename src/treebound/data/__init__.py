"""From a table to a Dataset: names and labels go into a Schema, cells become small integers."""

from treebound.data._absent import (
    AbsentColumnWarning,
    OnAbsent,
    absent_columns,
    absent_message,
    check_absent,
)
from treebound.data._arrays import plain_value
from treebound.data._bin_values import BinValues
from treebound.data._clean import with_point
from treebound.data._codes import checked_codes
from treebound.data._dataset import Codes, Dataset, code_type, layout_bytes
from treebound.data._date_parts import PARTS as DATE_PARTS
from treebound.data._discretise import DEFAULT_BINS, KEEP, BinMethod, Discretise, Rule, Rules
from treebound.data._domain import domain_of
from treebound.data._encode import Rows, Unseen, encode_opened, encode_rows, open_rows
from treebound.data._fill import Fills, columns_like, filled, filled_columns, frame_library
from treebound.data._fill_cells import Fill
from treebound.data._fingerprint import BLOCK_ROWS, Fingerprint, block_digests
from treebound.data._frames import table_of_row_groups
from treebound.data._infer_schema import infer_schema
from treebound.data._inspect import (
    INSPECTED_HEADINGS,
    InspectedColumn,
    Inspection,
    inspect,
    inspected_cells,
)
from treebound.data._load import (
    LOADING,
    choices_of,
    load,
    load_schema,
    open_table,
    opened_of,
)
from treebound.data._numbers import parse_number
from treebound.data._options import LoadingOptions, ReadingOptions, with_options
from treebound.data._pandas_rows import is_pandas
from treebound.data._preparation import ColumnNote, Preparation
from treebound.data._prepare import Choices, complete_part, complete_rows
from treebound.data._problems import DataError, Problem, nearest, not_found
from treebound.data._schema import Schema
from treebound.data._summary import TableSummary, schema_of, summarise
from treebound.data._table import Column, ColumnError, Table
from treebound.data._variable import MAX_STATES, Value, Variable, label_of
from treebound.data.files.folder import FolderFile, files_of_folder
from treebound.data.files.save import TABLE_ENDINGS, check_table_path, save_columns, save_table, write_columns
from treebound.data.files.splice import can_splice, save_spliced

__all__ = [
    "BLOCK_ROWS",
    "DATE_PARTS",
    "DEFAULT_BINS",
    "INSPECTED_HEADINGS",
    "KEEP",
    "LOADING",
    "MAX_STATES",
    "TABLE_ENDINGS",
    "AbsentColumnWarning",
    "BinMethod",
    "BinValues",
    "Choices",
    "Codes",
    "Column",
    "ColumnError",
    "ColumnNote",
    "DataError",
    "Dataset",
    "Discretise",
    "Fill",
    "Fills",
    "Fingerprint",
    "FolderFile",
    "InspectedColumn",
    "Inspection",
    "LoadingOptions",
    "OnAbsent",
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
    "absent_columns",
    "absent_message",
    "block_digests",
    "can_splice",
    "check_absent",
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
    "files_of_folder",
    "filled",
    "filled_columns",
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
    "save_spliced",
    "save_table",
    "schema_of",
    "summarise",
    "table_of_row_groups",
    "with_options",
    "with_point",
    "write_columns",
]
