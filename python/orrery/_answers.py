"""Answers to questions."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional, Union, overload

from orrery._table import Table


class Answer(NamedTuple):
    """One answer.

    ``probability`` is the softmax over all candidates; ``calibrated`` how often such an answer is
    true, fitted on validation (None: the model has no such fit). ``known``: where and when it is a
    fact already, or None. ``seen``: train has it with this relation on that side; None: not looked
    up.
    """

    name: str
    score: float
    probability: float
    calibrated: Optional[float]
    known: Optional[dict[str, Any]]
    seen: Optional[bool]


class _Kept:
    """What the engine answered, in a pickle."""

    def __init__(
        self, asked: str, time: str, note: str, rows: Any, curve: Any, interval: Any, fields: Any
    ) -> None:
        self.asked, self.time, self.note = asked, time, note
        self.fields = fields
        self._rows, self._curve, self._interval = rows, curve, interval

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> Any:
        return self._rows

    def curve(self) -> Any:
        return self._curve

    def interval(self) -> Any:
        return self._interval


class _KeptBatch:
    """The same of many questions."""

    def __init__(self, answers: list[Answers], columns: dict[str, list[Any]]) -> None:
        self._answers, self._columns = answers, columns

    def __len__(self) -> int:
        return len(self._answers)

    def at(self, i: int) -> Any:
        return self._answers[i]._core

    def columns(self) -> dict[str, list[Any]]:
        return self._columns


class Answers(Sequence[Answer]):
    """The answers to one question, the best first; a table as well.

    ``asked``: what was missing (subject, relation, object, time, or fact: nothing). ``time``: the
    model's time that was used. ``note``: set where the date is no time of training. ``curve``:
    asked "time", the scores of all times. ``interval``: of interval facts, the likely start and
    end.

    >>> answers = model.predict("Taresse", "threatens", time="2022-01-03", top=2)
    >>> answers.asked, answers.time, [answer.name for answer in answers]
    ('object', '2022-01-03', ['Quororia', 'Kesesse'])
    """

    __slots__ = ("_core", "_question", "_rows")

    def __init__(self, core: Any, question: tuple[str, str, str, str]) -> None:
        self._core = core
        self._question = question
        self._rows: Optional[list[Answer]] = None

    def _answers(self) -> list[Answer]:
        if self._rows is None:
            self._rows = [Answer(*row) for row in self._core.rows()]
        return self._rows

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, key: int) -> Answer: ...
    @overload
    def __getitem__(self, key: slice) -> list[Answer]: ...
    def __getitem__(self, key: Union[int, slice]) -> Any:
        return self._answers()[key]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers())

    @property
    def asked(self) -> str:
        """What was missing: subject, relation, object or time; ``"fact"``: nothing."""
        return str(self._core.asked)

    @property
    def time(self) -> Optional[str]:
        """The model's time that was asked for."""
        return self._core.time or None

    @property
    def note(self) -> Optional[str]:
        """Set where the date is no time of training: what was answered for instead."""
        return self._core.note or None

    @property
    def curve(self) -> Table:
        """Asked for the time, the score and probability of every time."""
        times, scores, probabilities = _turned(self._core.curve(), 3)
        return Table({"time": times, "score": scores, "probability": probabilities}, "TimeScore")

    @property
    def interval(self) -> Optional[tuple[str, str]]:
        """Asked for the time of an interval fact, the likely start and end."""
        return self._core.interval()  # type: ignore[no-any-return]

    def to_table(self) -> Table:
        """A row an answer, with ``known`` as a dict."""
        names = Answer._fields
        return Table(dict(zip(names, _turned(self._answers(), len(names)))), "Answer")

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        return self._flat().to_pandas()

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        return self._flat().to_polars()

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        return self._flat().to_arrow()

    def to_dict(self) -> Any:
        """With the fields of the JSON of the command line and the server."""
        if isinstance(self._core, _Kept):
            return copy.deepcopy(self._core.fields)
        import json

        from orrery import _engine

        return json.loads(_engine.answers_json(*self._question, self._core))

    def _flat(self) -> Table:
        columns = self.to_table().to_dict()
        columns["known"] = [None if k is None else k["split"] for k in columns["known"]]
        return Table(columns, "Answer")

    def plot(self, ax: Any = None) -> Any:
        """The curve over time, or the answers as bars, with matplotlib."""
        from orrery import _plot

        return _plot.answers(self, ax)

    def __reduce__(self) -> tuple[object, ...]:
        core = self._core
        kept = _Kept(
            core.asked, core.time, core.note, core.rows(), core.curve(), core.interval(),
            self.to_dict(),
        )  # fmt: skip
        return (Answers, (kept, self._question))

    def __repr__(self) -> str:
        head = f"{self.asked}?" + (f" ({self.note})" if self.note else "")
        return f"{head}\n{self._flat()!r}"

    def _repr_html_(self) -> str:
        import html

        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        return f"<p><b>{html.escape(self.asked)}?</b></p>{note}{self._flat()._repr_html_()}"


class ManyAnswers(Sequence[Answers]):
    """The answers to many questions: one ``Answers`` each, or one table of all.

    >>> many = model.predict(["Taresse", "Velavia"], "threatens", time="2022-01-03", top=2)
    >>> many[0][0].name, many.to_table()["question"]
    ('Quororia', [0, 0, 1, 1])
    """

    def __init__(self, core: Any, questions: list[tuple[str, str, str, str]]) -> None:
        self._core = core
        self._questions = questions

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, key: int) -> Answers: ...
    @overload
    def __getitem__(self, key: slice) -> list[Answers]: ...
    def __getitem__(self, key: Union[int, slice]) -> Any:
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        i = key + len(self) if key < 0 else key
        if not 0 <= i < len(self):
            raise IndexError(f"there are {len(self)} questions, and no {key}")
        return Answers(self._core.at(i), self._questions[i])

    def to_table(self) -> Table:
        """A row an answer: question (from 0), rank, name, score, probability, …"""
        return Table(self._core.columns(), "Answer")

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        return self.to_table().to_polars()

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        return self.to_table().to_arrow()

    def __reduce__(self) -> tuple[object, ...]:
        return (ManyAnswers, (_KeptBatch(list(self), self._core.columns()), self._questions))

    def __repr__(self) -> str:
        return f"{len(self):,} questions\n{self.to_table()!r}"

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()


def _turned(rows: Sequence[Sequence[Any]], columns: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows)] if rows else [[] for _ in range(columns)]
