"""Questions from Python's values."""

from __future__ import annotations

import atexit
import datetime
import functools
from typing import TYPE_CHECKING, Any, Optional, Protocol, Union

from orrery import _columns, _engine

if TYPE_CHECKING:
    import numpy

Question = tuple[str, str, str, str]
Name = Union[str, int, None]
Time = Union[str, int, datetime.date, "numpy.datetime64", None]


class Many(Protocol):
    """A list, a Series, an array: a question for each of its values."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: Any, /) -> Any: ...


_PARTS = ("subject", "relation", "object", "time")


def asking(
    top: int, known: str, type: str, only: Any, without: Any, untrained: bool
) -> Any:
    """The engine's options of a question."""
    if type not in ("any", "seen"):
        raise ValueError(f"type must be 'any' or 'seen', not {type!r}")
    if not hasattr(top, "__index__") or isinstance(top, bool):
        raise TypeError(f"top must be int, not {top.__class__.__name__}")
    if top < 1:
        raise ValueError(f"top must be at least 1, not {top}")
    return _asking(
        int(top), known, type, _names("only", only), _names("without", without), bool(untrained)
    )


def _names(what: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise TypeError(f"{what} is a list of names, not {names!r}")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{what} is a list of names, and {name!r} is none")
    return listed


@functools.lru_cache(maxsize=64)
def _asking(
    top: int,
    known: str,
    type: str,
    only: tuple[str, ...],
    without: tuple[str, ...],
    untrained: bool,
) -> Any:
    return _engine.Asking(top, known, type == "seen", list(only), list(without), untrained)


# typing keeps overloaded functions, and with them this cache, past the engine's end.
atexit.register(_asking.cache_clear)


def _is_many(value: Any) -> bool:
    if value is None or isinstance(value, str):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def one_question(subject: Any, relation: Any, object: Any, time: Any) -> Optional[Question]:
    """The parts as texts, empty where left out; None: one of them is a list."""
    if _is_many(subject) or _is_many(relation) or _is_many(object) or _is_many(time):
        return None
    if time is not None and not isinstance(time, str):
        time = _columns.text_of_time(time)
    return (_part(subject, 0), _part(relation, 1), _part(object, 2), time or "")


def _part(value: Any, place: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return str(int(value))
    raise TypeError(f"{_PARTS[place]} must be a name, not {type(value).__name__}")


def _times(values: list[Any]) -> list[str]:
    if all(isinstance(value, str) for value in values):
        return values
    return ["" if value is None or value != value else _columns.text_of_time(value)
            for value in values]


def many_questions(questions: Any, *parts: Any) -> list[list[str]]:
    """Four columns of texts."""
    if questions is not None:
        if any(part is not None for part in parts):
            raise TypeError("give questions, or subject, relation, object and time")
        parts = _of_table(questions)
    lengths = {len(part) for part in parts if _is_many(part)}
    if len(lengths) > 1:
        raise ValueError(f"the lists of a question differ in length: {sorted(lengths)}")
    count = lengths.pop() if lengths else 1
    columns = []
    for place, part in enumerate(parts):
        values = _columns.listed(part) if _is_many(part) else [part] * count
        if len(values) != count:
            raise ValueError(f"{_PARTS[place]} says it has {count} values, and has {len(values)}")
        columns.append(
            _times(values)
            if place == 3
            else [_part(None if v is None or v != v else v, place) for v in values]
        )
    return columns


def _of_table(questions: Any) -> tuple[Any, ...]:
    titles = _titles(questions)
    if titles is not None:
        found = tuple(questions[name] if name in titles else None for name in _PARTS)
        if all(part is None for part in found):
            raise ValueError(f"questions have the columns {', '.join(_PARTS)}, not {titles}")
        return found
    rows = list(questions)
    if rows and isinstance(rows[0], dict):
        for row in rows:
            for name in row:
                if name not in _PARTS:
                    raise ValueError(f"a question has no {name!r}; it has {', '.join(_PARTS)}")
        return tuple([row.get(name) for row in rows] for name in _PARTS)
    for number, row in enumerate(rows, 1):
        if isinstance(row, str) or len(row) != 4:
            raise ValueError(f"question {number} is no (subject, relation, object, time)")
    return tuple([row[i] for row in rows] for i in range(4))


def _titles(questions: Any) -> Optional[list[Any]]:
    """Of a table or a dict of columns; None: it is a list of questions."""
    if isinstance(questions, dict):
        return list(questions)
    if not hasattr(questions, "__getitem__") or not hasattr(questions, "columns"):
        return None
    return list(getattr(questions, "column_names", questions.columns))
