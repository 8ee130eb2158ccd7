"""Tables that are sequences by themselves, and data frames where those are installed."""

from __future__ import annotations

import collections
import html
from collections.abc import Iterator, Sequence
from typing import Any, Mapping, Optional, Union, overload

_SHOWN_ROWS = 20


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Table(Sequence[Any]):
    """Rows with named columns.

    ``table[0]`` is a row with its columns as attributes, ``table["name"]`` a column as a list,
    ``table[:5]`` a shorter table. ``to_pandas()``, ``to_polars()`` and ``to_arrow()`` make data
    frames of it.

    >>> table = orrery.Table({"name": ["Ada", "Bo"], "score": [0.5, 0.25]})
    >>> table[0].name, table["score"], len(table[1:])
    ('Ada', [0.5, 0.25], 1)
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], title: str = "Row") -> None:
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise ValueError("the columns differ in length")
        self._columns = {name: column for name, column in columns.items()}
        self._length = lengths.pop() if lengths else 0
        self._title = title
        self._row: Any = collections.namedtuple(  # type: ignore[misc]
            title, list(self._columns), rename=True
        )

    @property
    def columns(self) -> list[str]:
        """Their names, in order."""
        return list(self._columns)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, key: int) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> "Table": ...
    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    def __getitem__(self, key: Union[int, slice, str]) -> Any:
        if isinstance(key, str):
            if key not in self._columns:
                raise KeyError(f"there is no column {key!r}; there are {', '.join(self.columns)}")
            return list(self._columns[key])
        if isinstance(key, slice):
            parts = {name: column[key] for name, column in self._columns.items()}
            return Table(parts, self._title)
        if not -self._length <= key < self._length:
            raise IndexError(f"there are {self._length} rows, and no {key}")
        return self._row(*(column[key] for column in self._columns.values()))

    def __iter__(self) -> Iterator[Any]:
        return map(self._row._make, zip(*self._columns.values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.columns == other.columns and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists."""
        return {name: list(column) for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        import polars

        return polars.DataFrame(self.to_dict(), strict=False)

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        import pyarrow

        return pyarrow.table(self.to_dict())

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[object, ...]:
        return (Table, (self.to_dict(), self._title))

    def _cells(self) -> list[list[str]]:
        return [[_text(value) for value in row] for row in self[:_SHOWN_ROWS]]

    def __repr__(self) -> str:
        cells = [self.columns, *self._cells()]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
            for row in cells
        ]
        if self._length > _SHOWN_ROWS:
            lines.append(f"… {self._length - _SHOWN_ROWS:,} more rows")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def row(tag: str, texts: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(t)}</{tag}>" for t in texts) + "</tr>"

        rows = [row("td", texts) for texts in self._cells()]
        more = self._length - _SHOWN_ROWS
        caption = f"<caption>{more:,} more rows</caption>" if more > 0 else ""
        return f"<table>{caption}{row('th', self.columns)}{''.join(rows)}</table>"
