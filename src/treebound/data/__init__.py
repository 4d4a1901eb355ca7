"""Schemas and encoded rows: names and labels in a Schema, cells as small integers in a Dataset."""

from treebound.data._bin_values import BinValues, bin_values
from treebound.data._code_lookup import Finder
from treebound.data._codes import MISSING, Codes, code_type
from treebound.data._dataset import Dataset, checked_weights, layout_bytes
from treebound.data._date_order import DateOrder, check_date_order, date_in_order, possible_orders
from treebound.data._dates import day_of, is_zoned, written_date
from treebound.data._discretise import DEFAULT_BINS, KEEP, BinMethod, Discretise, Plan, Rule, Rules
from treebound.data._domain import Domain, domain_of
from treebound.data._fingerprint import BLOCK_ROWS, Fingerprint, block_digests
from treebound.data._fix_hints import FIXES
from treebound.data._hidden import (
    Hidden,
    StatesCriterion,
    check_hidden,
    check_not_a_column,
    hidden_variable,
    schema_with_hidden,
    with_hidden,
    with_hidden_states,
)
from treebound.data._numbers import is_plain_integer, parse_number, parse_numbers
from treebound.data._preparation import ColumnNote, Preparation, rows_in_words
from treebound.data._problems import MAX_LISTED, DataError, Problem, closest, nearest, not_found
from treebound.data._reading import Missing, Reading, check_missing
from treebound.data._schema import Schema
from treebound.data._variable import MAX_STATES, MISSING_STATE, Value, Variable, label_of

__all__ = [
    "BLOCK_ROWS",
    "DEFAULT_BINS",
    "FIXES",
    "KEEP",
    "MAX_LISTED",
    "MAX_STATES",
    "MISSING",
    "MISSING_STATE",
    "BinMethod",
    "BinValues",
    "Codes",
    "ColumnNote",
    "DataError",
    "Dataset",
    "DateOrder",
    "Discretise",
    "Domain",
    "Finder",
    "Fingerprint",
    "Hidden",
    "Missing",
    "Plan",
    "Preparation",
    "Problem",
    "Reading",
    "Rule",
    "Rules",
    "Schema",
    "StatesCriterion",
    "Value",
    "Variable",
    "bin_values",
    "block_digests",
    "check_date_order",
    "check_hidden",
    "check_missing",
    "check_not_a_column",
    "checked_weights",
    "closest",
    "code_type",
    "date_in_order",
    "day_of",
    "domain_of",
    "hidden_variable",
    "is_plain_integer",
    "is_zoned",
    "label_of",
    "layout_bytes",
    "nearest",
    "not_found",
    "parse_number",
    "parse_numbers",
    "possible_orders",
    "rows_in_words",
    "schema_with_hidden",
    "with_hidden",
    "with_hidden_states",
    "written_date",
]
