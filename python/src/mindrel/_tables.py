"""Tables that come piece by piece, or are only planned, as whole tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def whole_table(table: Any) -> Any:
    """The whole of a table: a polars LazyFrame is collected, a reader of record batches read, and chunks are joined.

    Chunks are tables of one type from an iterator, such as that of ``pandas.read_csv(..., chunksize=...)``.
    """
    library = type(table).__module__.partition(".")[0]
    if library == "polars" and hasattr(table, "collect"):
        return table.collect()
    if library == "pyarrow" and hasattr(table, "read_all"):
        return table.read_all()
    if not isinstance(table, Iterator):
        # Anything else that streams Arrow, such as a DuckDB relation's reader.
        streams = hasattr(table, "__arrow_c_stream__") and not hasattr(table, "columns")
        return _arrow().table(table) if streams else table
    chunks = [whole_table(chunk) for chunk in table]
    if not chunks:
        raise ValueError("X has no chunks; give at least one")
    return _joined(chunks)


def _joined(chunks: list[Any]) -> Any:
    first = chunks[0]
    library = type(first).__module__.partition(".")[0]
    if library == "pandas":
        import pandas

        return pandas.concat(chunks, ignore_index=True)
    if library == "polars":
        import polars

        return polars.concat(chunks)
    if hasattr(first, "__arrow_c_array__") or hasattr(first, "__arrow_c_stream__"):
        pyarrow = _arrow()
        return pyarrow.concat_tables([pyarrow.table(chunk) for chunk in chunks])
    import numpy

    return numpy.concatenate([numpy.asarray(chunk) for chunk in chunks])


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("tables that speak Arrow need pyarrow; pip install pyarrow") from error
    return pyarrow
