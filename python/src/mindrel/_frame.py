"""Tables of any library as columns of numbers and codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column: numbers and booleans as ``float64`` with NaN if missing, categories as codes with -1 if missing."""

    name: str
    kind: str
    values: np.ndarray
    levels: Optional[list[str]] = None
    raw_levels: Optional[list[Any]] = None
    dtype: Any = None

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.kind})"


@dataclass(frozen=True)
class Frame:
    """The columns of a table. ``make`` is the library it came from: pandas, arrow or numpy."""

    columns: list[Column]
    n_rows: int
    make: str

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def __repr__(self) -> str:
        return f"Frame({self.n_rows} rows of {len(self.columns)} columns)"


def frame_of(table: Any, names: Optional[list[str]] = None) -> Frame:
    """The columns of a table: pandas, polars or anything that supports Arrow, or a two-dimensional numpy array.

    The columns of an array are named ``names``, or x0, x1 and so on.
    """
    if isinstance(table, Frame):
        return table
    if type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        return _pandas(table)
    if hasattr(table, "__arrow_c_stream__") and hasattr(table, "columns"):
        return _arrow(table)
    if type(table).__module__.partition(".")[0] == "scipy":
        raise TypeError("sparse matrices are not taken; give X.toarray()")
    return _numpy(np.asarray(table), names)


def python_value(value: Any) -> Any:
    """A numpy scalar as a Python value; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def level_name(value: Any) -> str:
    """The name of a level: whole numbers without a decimal point, everything else as it is written."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _unsuitable(name: str, kind: Any) -> TypeError:
    return TypeError(f"column `{name}` is of type {kind}; make it numbers, booleans, texts or categories")


def _category(name: str, codes: np.ndarray, levels: list[Any], dtype: Any = None) -> Column:
    """A category, or the booleans it turns out to be."""
    levels = [python_value(level) for level in levels]
    if levels and all(isinstance(level, bool) for level in levels):
        values = np.array([float(level) for level in levels] + [np.nan])[codes]
        return Column(name, "boolean", values, dtype=dtype)
    if not all(isinstance(level, (str, bool, int, float)) for level in levels):
        raise _unsuitable(name, "object that holds something else than texts and numbers")
    return Column(name, "category", codes, [level_name(level) for level in levels], levels, dtype)


def _pandas(table: Any) -> Frame:
    import pandas

    def column(name: str, series: Any) -> Column:
        kind = series.dtype
        if isinstance(kind, pandas.CategoricalDtype):
            return _category(name, np.asarray(series.cat.codes), list(series.cat.categories), kind)
        if pandas.api.types.is_bool_dtype(kind):
            return Column(name, "boolean", series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=kind)
        if pandas.api.types.is_complex_dtype(kind):
            raise _unsuitable(name, kind)
        if pandas.api.types.is_numeric_dtype(kind):
            return Column(name, "number", series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=kind)
        if pandas.api.types.is_object_dtype(kind) or pandas.api.types.is_string_dtype(kind):
            codes, levels = pandas.factorize(series)
            return _objects(name, codes, list(levels), kind)
        raise _unsuitable(name, kind)

    if table.columns.has_duplicates:
        raise ValueError("two columns have the same name; name each column once")
    columns = [column(str(name), table[name]) for name in table.columns]
    return Frame(columns, len(table), "pandas")


def _objects(name: str, codes: np.ndarray, levels: list[Any], dtype: Any) -> Column:
    """A column of objects: numbers if all of them are numbers, otherwise levels."""
    if levels and all(isinstance(level, (int, float, np.number)) and not isinstance(level, bool) for level in levels):
        return Column(name, "number", np.array([*map(float, levels), np.nan])[codes], dtype=dtype)
    return _category(name, codes, levels, dtype)


def _arrow(table: Any) -> Frame:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError as error:
        raise ImportError("tables that speak Arrow, such as polars', need pyarrow; pip install pyarrow") from error
    table = pyarrow.table(table)
    types = pyarrow.types

    def column(name: str, values: Any) -> Column:
        kind = values.type
        if types.is_boolean(kind):
            return Column(name, "boolean", _arrow_numbers(values.cast(pyarrow.uint8())), dtype=str(kind))
        if types.is_integer(kind) or types.is_floating(kind):
            return Column(name, "number", _arrow_numbers(values), dtype=str(kind))
        if types.is_decimal(kind):
            return Column(name, "number", _arrow_numbers(values.cast(pyarrow.float64())), dtype=str(kind))
        is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
        if types.is_dictionary(kind) or is_text:
            if is_text:
                values = values.cast(pyarrow.large_string()).dictionary_encode()
            values = values.unify_dictionaries().combine_chunks()
            if isinstance(values, pyarrow.ChunkedArray):
                values = values.chunk(0)
            codes = values.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
            return _category(name, codes, values.dictionary.to_pylist(), str(kind))
        raise _unsuitable(name, kind)

    def _arrow_numbers(values: Any) -> np.ndarray:
        return values.to_numpy().astype(np.float64, copy=False)

    columns = [column(name, table.column(place)) for place, name in enumerate(table.column_names)]
    return Frame(columns, table.num_rows, "arrow")


def _numpy(array: np.ndarray, names: Optional[list[str]]) -> Frame:
    if array.ndim != 2:
        raise ValueError(f"X has {array.ndim} dimensions; give a table of two, one row for each person")
    names = names or [f"x{place}" for place in range(array.shape[1])]
    if len(names) != array.shape[1]:
        raise ValueError(f"X has {array.shape[1]} columns, but {len(names)} are expected: {', '.join(names)}")
    if array.dtype.kind in "fiu":
        numbers = array.astype(np.float64, copy=False)
        columns = [Column(name, "number", numbers[:, place], dtype=array.dtype) for place, name in enumerate(names)]
    elif array.dtype.kind == "b":
        numbers = array.astype(np.float64)
        columns = [Column(name, "boolean", numbers[:, place], dtype=array.dtype) for place, name in enumerate(names)]
    elif array.dtype.kind in "OUT":
        columns = [_loose(name, array[:, place]) for place, name in enumerate(names)]
    else:
        raise _unsuitable(names[0] if names else "x0", array.dtype)
    return Frame(columns, len(array), "numpy")


def _loose(name: str, values: np.ndarray) -> Column:
    """A column of an array of objects."""
    places: dict[Any, int] = {}
    codes = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values.tolist()):
        missing = value is None or value != value
        try:
            codes[row] = -1 if missing else places.setdefault(value, len(places))
        except TypeError:
            raise _unsuitable(name, type(value).__name__) from None
    return _objects(name, codes, list(places), values.dtype)
