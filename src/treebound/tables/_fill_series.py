"""What a column of a frame with cells filled in looks like: of its own type, widened only where it must be.

A column that holds nothing and whose type does not fit is made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treebound.tables._columns_of_series import column_of_series
from treebound.tables._fill_column import TIMES, Fill, filled_array, kind_of, objects_of
from treebound.tables.files.arrow import import_pyarrow

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


def filled_series(series: nw.Series[Any], fill: Fill) -> nw.Series[Any]:
    """A copy of a column of a frame with cells filled in."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    is_pandas = series.implementation.is_pandas_like()
    if is_pandas and isinstance(native.dtype, np.dtype) and native.dtype.kind in "biufO":
        made = filled_array(native.to_numpy(), fill)
        # Without a type, pandas looks for one: right for a column made anew, but not next to known objects.
        dtype = None if len(fill.rows) == len(made) else made.dtype
        return _like(series, type(native)(made, dtype=dtype))
    kind = _kind_of_series(series)
    series = _with_categories(series, fill, kind)
    new = _in_type_of(series, fill, kind)
    is_wider = new is None
    if new is None:
        cells = objects_of(fill, kind if kind is float else None)
        new = nw.new_series(series.name, cells, backend=series.implementation)
    if len(new) == len(series):
        return _like(series, new.to_native())
    if is_wider and not (series.dtype.is_numeric() and new.dtype.is_numeric()):
        raise ValueError(
            f"column {series.name!r} is of type {series.dtype} and cannot hold {fill.labels[0]!r} next to "
            "its observed cells; change its type first."
        )
    return _like(series, _joined(series, new, fill.rows))


def _kind_of_series(series: nw.Series[Any]) -> type | None:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        kind = kind_of(series.cat.get_categories().to_list())
        return str if kind is None and not series.implementation.is_pandas_like() else kind
    if isinstance(dtype, nw.String):
        return str
    if dtype.is_numeric() or isinstance(dtype, nw.Boolean):
        return float if dtype.is_numeric() else bool
    if series.implementation.is_pandas_like():
        return str  # which pandas reads dates, periods and time spans from
    return TIMES.get(type(dtype).__name__)


def _with_categories(series: nw.Series[Any], fill: Fill, kind: type | None) -> nw.Series[Any]:
    """The column with the missing categories; those of polars and arrow come by themselves."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    is_pandas = series.implementation.is_pandas_like() and isinstance(series.dtype, nw.Categorical | nw.Enum)
    if not is_pandas and not isinstance(series.dtype, nw.Enum):
        return series
    known = series.cat.get_categories().to_list()
    unknown = [cell for cell in dict.fromkeys(objects_of(fill, kind)) if cell not in known]
    if not unknown:
        return series
    if is_pandas:
        return _like(series, native.cat.add_categories(unknown))
    return series.cast(nw.Enum([*known, *unknown]))


def _like(series: nw.Series[Any], native: Any) -> nw.Series[Any]:
    """A column in the place of another."""
    import narwhals.stable.v2 as nw

    if series.implementation.is_pandas_like():
        native.index, native.name = series.to_native().index, series.name
    made: nw.Series[Any] = nw.from_native(native, series_only=True)
    return made if made.name == series.name else made.alias(series.name)


def _in_type_of(series: nw.Series[Any], fill: Fill, kind: type | None) -> nw.Series[Any] | None:
    """The new cells as a column of the same type, None if that cannot hold them."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    try:
        cells = fill.cells(kind).tolist()
        if series.implementation.is_pandas_like():
            made = type(native)(cells).astype(native.dtype)
        elif series.implementation.is_pyarrow():
            made = import_pyarrow().chunked_array([import_pyarrow().array(cells, native.type)])
        else:
            made = type(native)(series.name, cells, dtype=native.dtype)
        new = nw.from_native(made, series_only=True)
        return new if fill.is_read_from(column_of_series(new)) else None
    except Exception:  # every library has errors of its own for cells that do not fit
        return None


def _joined(series: nw.Series[Any], new: nw.Series[Any], rows: NDArray[np.intp]) -> Any:
    """The known cells and the new ones in their places, in a type that holds both."""
    import narwhals.stable.v2 as nw

    known, added = series.to_native(), new.to_native()
    library = nw.get_native_namespace(series)
    if series.implementation.is_pandas_like():
        dtype = known.dtype
        if added.dtype != dtype:
            dtype = library.concat([known, added], ignore_index=True).dtype
        cells = known.astype(dtype).array.copy()
        cells[rows] = added.astype(dtype).array
        return type(known)(cells)
    if series.implementation.is_pyarrow():
        places = np.arange(len(series))
        places[rows] = np.arange(len(series), len(series) + len(rows))
        tables = [library.table([part], names=["cells"]) for part in (known, added)]
        both = library.concat_tables(tables, promote_options="permissive").column(0)
        return both.unify_dictionaries().take(library.array(places))
    if added.dtype != known.dtype:
        parts = [part.alias("cells").to_frame() for part in (known, added)]
        dtype = library.concat(parts, how="vertical_relaxed").to_series().dtype
        known, added = known.cast(dtype), added.cast(dtype)
    return known.clone().scatter(rows, added)
