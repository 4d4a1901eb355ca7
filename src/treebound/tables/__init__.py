"""From a table in a file or a frame to a Dataset, and back: read, inspect, infer, prepare, encode, write."""

from treebound.tables._absent_columns import (
    AbsentColumnWarning,
    OnAbsent,
    absent_columns,
    absent_message,
    check_absent,
)
from treebound.tables._clean_text import (
    with_point,
)
from treebound.tables._columns_of_arrays import (
    plain_value,
)
from treebound.tables._date_parts import (
    PARTS as DATE_PARTS,
)
from treebound.tables._encode import (
    Unseen,
    encode,
    open_rows,
    read_rows,
)
from treebound.tables._fill_column import (
    Fill,
)
from treebound.tables._fill_table import (
    Fills,
    columns_like,
    filled,
    filled_columns,
    frame_library,
    written_columns,
)
from treebound.tables._formatted_numbers import formatted_number
from treebound.tables._frames import (
    table_of_row_groups,
)
from treebound.tables._infer_schema import (
    infer_schema,
)
from treebound.tables._inspect import (
    InspectedColumn,
    Inspection,
    inspect,
)
from treebound.tables._load import (
    LOADING,
    choices_of,
    load,
    opened_of,
)
from treebound.tables._open import open_table
from treebound.tables._options import (
    ColumnOptions,
    LoadingOptions,
    with_options,
)
from treebound.tables._pandas_rows import (
    is_pandas,
)
from treebound.tables._prepare import (
    Choices,
    complete_part,
)
from treebound.tables._spellings import unified
from treebound.tables._summary import (
    TableSummary,
    schema_of,
    summarise,
)
from treebound.tables._table import (
    Column,
    ColumnError,
    Table,
)
from treebound.tables.files.folder import (
    FolderFile,
    files_of_folder,
)
from treebound.tables.files.save import (
    TABLE_ENDINGS,
    check_table_path,
    save_columns,
    save_table,
    write_columns,
)
from treebound.tables.files.splice import (
    can_splice,
    save_spliced,
)

__all__ = [
    "DATE_PARTS",
    "LOADING",
    "TABLE_ENDINGS",
    "AbsentColumnWarning",
    "Choices",
    "Column",
    "ColumnError",
    "ColumnOptions",
    "Fill",
    "Fills",
    "FolderFile",
    "InspectedColumn",
    "Inspection",
    "LoadingOptions",
    "OnAbsent",
    "Table",
    "TableSummary",
    "Unseen",
    "absent_columns",
    "absent_message",
    "can_splice",
    "check_absent",
    "check_table_path",
    "choices_of",
    "columns_like",
    "complete_part",
    "encode",
    "files_of_folder",
    "filled",
    "filled_columns",
    "formatted_number",
    "frame_library",
    "infer_schema",
    "inspect",
    "is_pandas",
    "load",
    "open_rows",
    "open_table",
    "opened_of",
    "plain_value",
    "read_rows",
    "save_columns",
    "save_spliced",
    "save_table",
    "schema_of",
    "summarise",
    "table_of_row_groups",
    "unified",
    "with_options",
    "with_point",
    "write_columns",
    "written_columns",
]
