"""Data frames, lists and arrays as columns that the engine reads."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional

from orrery import _engine
from orrery._errors import Error

_TITLES = {
    3: ["subject", "relation", "object"],
    4: ["subject", "relation", "object", "time"],
    5: ["subject", "relation", "object", "start", "end"],
}


def table_of(facts: Any, name: str, names: Optional[dict[str, Sequence[str]]] = None) -> Any:
    """An engine's table of anything that holds facts."""
    table = _engine.Table(name)
    if names is not None:
        _require_names(facts, names)
    if _is_pandas(facts):
        _add_frame(table, facts)
    elif hasattr(facts, "__arrow_c_stream__"):
        table.add_arrow(facts.__arrow_c_stream__())
    elif _is_array(facts):
        _add_array(table, facts, names)
    elif isinstance(facts, dict):
        for title, column in facts.items():
            _add_column(table, str(title), column)
    elif isinstance(facts, Iterable) and not isinstance(facts, (str, bytes)):
        _add_rows(table, list(facts))
    elif hasattr(facts, "collect"):
        raise TypeError(f"a {type(facts).__name__} holds no facts yet: give its collect()")
    else:
        raise TypeError(
            f"facts cannot be made of {type(facts).__name__}: give a path, a benchmark set's name, "
            "a DataFrame, an Arrow table, a list of tuples, a dict of columns or an array of ids"
        )
    return table


def dataset_of(tables: Sequence[Any], options: dict[str, Any]) -> Any:
    """The engine's data set of train, valid and test; an error names the columns left unread."""
    try:
        return _engine.Dataset.of_tables(tables[0], tables[1], tables[2], options)
    except Error as error:
        unread = [reason for table in tables if table is not None for reason in table.unread]
        if not unread:
            raise
        raise type(error)(
            error.message,
            option=error.option,
            place=error.place,
            advice="; ".join([*unread, error.advice or "give another column"]),
            kind=error.kind,
        ) from None


def _require_names(facts: Any, names: dict[str, Sequence[str]]) -> None:
    if not _is_array(facts):
        raise TypeError(f"names are for an array of ids, not for {type(facts).__name__}")
    for role in names:
        if role not in ("entity", "relation", "time"):
            raise ValueError(f"names are of entity, relation and time; there is no {role!r}")


def text_of_time(value: Any) -> str:
    """A date as the engine reads it."""
    if isinstance(value, str):
        return value
    try:
        text = _texts([value])[0]
    except _NoName:
        text = None
    if text is None:
        raise TypeError(f"{value!r} is not a date")
    return text


def _is_pandas(facts: Any) -> bool:
    module = type(facts).__module__
    return module.split(".")[0] == "pandas" and hasattr(facts, "columns")


def _is_array(facts: Any) -> bool:
    return type(facts).__module__ == "numpy" and hasattr(facts, "dtype")


def listed(column: Any) -> list[Any]:
    """The values of a list, an array, a Series, … as Python's; moments of numpy stay its own."""
    if _is_array(column) and column.dtype.kind != "M":
        return list(column.tolist())
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def _add_column(table: Any, title: str, column: Any) -> None:
    if type(column).__module__.split(".")[0] == "pandas":
        import pandas

        _add_series(table, title, pandas.Series(column))
    elif _is_array(column) and column.dtype.kind == "M" and column.ndim == 1:
        _add_moments(table, title, column)
    else:
        _add_values(table, title, listed(column))


def _add_frame(table: Any, frame: Any) -> None:
    import numpy

    titles: list[Any] = list(frame.columns)
    if all(isinstance(title, (int, numpy.integer)) for title in titles):
        titles = _untitled(len(titles))
    for position, title in enumerate(titles):
        series = frame.iloc[:, position]
        if not isinstance(title, str):
            title = str(title)
        _add_series(table, title, series)


def _add_series(table: Any, title: str, series: Any) -> None:
    import numpy
    import pandas

    kind = series.dtype
    if isinstance(kind, pandas.DatetimeTZDtype):
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        kind = series.dtype
    if isinstance(kind, numpy.dtype) and kind.kind == "M":
        times = series.to_numpy()
        _add_moments(table, title, times)
        return
    if isinstance(kind, pandas.CategoricalDtype):
        codes, values = series.cat.codes.to_numpy(), series.cat.categories
    else:
        try:
            codes, values = pandas.factorize(series, use_na_sentinel=True)
        except TypeError:  # it holds lists, dicts, …
            _add_values(table, title, series.tolist())
            return
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    _add_coded(table, title, numpy.ascontiguousarray(codes, numpy.int32), listed)


def _add_moments(table: Any, title: str, times: Any) -> None:
    import numpy

    unit = numpy.datetime_data(times.dtype)[0]
    if unit not in ("D", "s", "ms", "us", "ns"):
        unit = "s" if unit in ("h", "m") else "D"
        times = times.astype(f"datetime64[{unit}]")
    table.add_times(title, numpy.ascontiguousarray(times).view(numpy.int64), unit)


def _add_array(table: Any, facts: Any, names: Optional[dict[str, Sequence[str]]]) -> None:
    import numpy

    if facts.ndim != 2 or facts.shape[1] not in _TITLES:
        raise ValueError(
            "an array of facts has a row a fact and 4 columns (subject, relation, object, time) or "
            f"5 (…, start, end); this one has the shape {facts.shape}"
        )
    roles = {"subject": "entity", "object": "entity", "relation": "relation"}
    for position, title in enumerate(_TITLES[facts.shape[1]]):
        column = facts[:, position]
        role = roles.get(title, "time")
        if names is not None and role in names:
            codes = _codes(column, title, role, len(names[role]))
            _add_coded(table, title, codes, list(names[role]))
        else:
            _add_values(table, title, column.tolist())


def _codes(column: Any, title: str, role: str, count: int) -> Any:
    """Ids as the engine's codes; -1 is a missing value."""
    import numpy

    if column.dtype.kind not in "iu":
        raise TypeError(f"the ids of {title} must be integers, not {column.dtype}")
    if column.size and not -1 <= int(column.min()) <= int(column.max()) < count:
        raise ValueError(
            f"the ids of {title} go from {column.min()} to {column.max()}, and there are "
            f"{count} names of {role}"
        )
    return numpy.ascontiguousarray(column, numpy.int32)


def _untitled(count: int) -> list[str]:
    if count not in _TITLES:
        raise ValueError(
            "facts without titles have 4 columns (subject, relation, object, time) or 5 (…, start, "
            f"end); these have {count}: name the columns"
        )
    return _TITLES[count]


def _add_rows(table: Any, rows: list[Any]) -> None:
    if not rows:
        raise ValueError("there are no facts")
    titles = _titles_of(rows[0])
    if titles is not None:
        if isinstance(rows[0], Mapping):
            titles = list(dict.fromkeys(title for row in rows for title in row))
        for title in titles:
            values = [_part(row, title, number) for number, row in enumerate(rows, 1)]
            _add_values(table, str(title), values)
        return
    for number, row in enumerate(rows, 1):
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence):
            raise TypeError(f"fact {number} is {row!r}, and not a tuple of its parts")
        if len(row) != len(rows[0]):
            raise ValueError(f"fact {number} has {len(row)} parts, and the first {len(rows[0])}")
    for title, column in zip(_untitled(len(rows[0])), zip(*rows)):
        _add_values(table, title, list(column))


def _titles_of(row: Any) -> Optional[list[Any]]:
    """Of dicts, named tuples and data classes; None: a plain tuple."""
    if isinstance(row, Mapping):
        return list(row)
    if hasattr(row, "__dataclass_fields__"):
        return list(row.__dataclass_fields__)
    return list(row._fields) if isinstance(row, tuple) and hasattr(row, "_fields") else None


def _part(row: Any, title: Any, number: int) -> Any:
    if isinstance(row, Mapping):
        return row.get(title)
    try:
        return getattr(row, title)
    except (AttributeError, TypeError):
        raise TypeError(f"fact {number} is {row!r}, and has no {title!r}, as the first") from None


def _add_values(table: Any, title: str, values: list[Any]) -> None:
    import numpy

    code_of: dict[Any, int] = {}
    codes = numpy.empty(len(values), numpy.int32)
    for i, value in enumerate(values):
        try:
            codes[i] = -1 if _is_missing(value) else code_of.setdefault(value, len(code_of))
        except TypeError:
            table.add_unread(title, len(values), _no_name(title, value))
            return
    _add_coded(table, title, codes, list(code_of))


def _add_coded(table: Any, title: str, codes: Any, values: list[Any]) -> None:
    try:
        texts = _texts(values)
    except _NoName as odd:
        table.add_unread(title, len(codes), _no_name(title, odd.args[0]))
    else:
        table.add_codes(title, codes, texts)


class _NoName(TypeError):
    """A value that is neither a name nor a date."""


def _no_name(title: str, value: Any) -> str:
    return f"the column {title!r} holds {value!r}, neither a name nor a date"


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA is neither equal nor unequal; arrays are both
        return type(value).__name__ == "NAType"


def _texts(values: list[Any]) -> list[Optional[str]]:
    """Distinct values as texts; where all moments are midnights they are dates."""
    if all(type(value) is str for value in values):
        return values
    values = [_moment(value) if type(value).__name__ == "datetime64" else value for value in values]
    moments = [value for value in values if isinstance(value, datetime.datetime)]
    midnights = all(_in_utc(moment).time() == datetime.time() for moment in moments)
    return [_text(value, midnights) for value in values]


def _moment(value: Any) -> Any:
    """numpy's moment as Python's; those of other millennia have no such, and are dates."""
    moment = value.astype("datetime64[us]").item()
    return moment if isinstance(moment, datetime.datetime) else str(value.astype("datetime64[D]"))


def _in_utc(moment: datetime.datetime) -> datetime.datetime:
    if moment.tzinfo is None:
        return moment
    return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _text(value: Any, midnights: bool) -> Optional[str]:
    if isinstance(value, str):
        return str(value)
    if _is_missing(value):
        return None
    if isinstance(value, datetime.datetime):
        moment = _in_utc(value)
        return moment.date().isoformat() if midnights else moment.isoformat(timespec="seconds")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bool) or isinstance(value, (bytes, list, tuple, dict, set)):
        raise _NoName(value)
    if hasattr(value, "__index__"):
        return str(int(value))
    if isinstance(value, float):
        if value.is_integer():
            return str(int(value))
        raise _NoName(value)
    return str(value)
