"""What evaluations, explanations, audits and comparisons give."""

from __future__ import annotations

import json
from typing import Any

from orrery._errors import Error
from orrery._record import Record
from orrery._reports import Scores
from orrery._table import Table

# Of a trial the searched ones; a compared model has them all.
_MANY_OPTIONS = 20


class Evaluation(Scores):
    """Filtered ranks of each fact's object and subject: ``mrr``, ``hits1``, ``hits3``, ``hits10``.

    ``by("relation")`` (or entity, time, history) is a table of the same scores by part. ``ranks``
    are those of every query.
    """

    split: str
    protocol: str
    realistic: Scores
    optimistic: Scores
    object: Scores
    subject: Scores
    unseen: Record

    _inside = {side: Scores for side in ("realistic", "optimistic", "object", "subject")}

    def __init__(self, fields: Any, core: Any = None) -> None:
        super().__init__(fields)
        self.__dict__["_core"] = core

    def _ranked(self) -> Any:
        core = self.__dict__["_core"]
        if core is None:
            raise Error("an evaluation from a pickle has its scores, and no ranks of its queries")
        return core

    def by(self, part: str) -> Table:
        """The scores by relation, entity, time or history, those with most queries first.

        >>> model.evaluate(facts, progress=False).by("history")[0].history
        'answer known at another time'
        """
        rows = json.loads(self._ranked().by(part))
        return Table({name: [row[name] for row in rows] for name in rows[0]}, "Part")

    @property
    def ranks(self) -> Any:
        """1 is the best; of equal scores the worst place. The object of fact 0, its subject, …"""
        return 1 + self._ranked().ranks().sum(axis=1)

    @property
    def warnings(self) -> list[str]:
        """What a reader of the scores must know."""
        return list(self._ranked().warnings)

    def __str__(self) -> str:
        core = self.__dict__["_core"]
        return repr(self) if core is None else str(core.table())

    def __repr__(self) -> str:
        return (
            f"Evaluation(split={self['split']!r}, mrr={self['mrr']:.4f}, "
            f"hits1={self['hits1']:.4f}, hits10={self['hits10']:.4f}, queries={self['queries']:,})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (Evaluation, (self.to_dict(),))

    def plot(self, ax: Any = None) -> Any:
        """How the ranks are spread, with matplotlib."""
        from orrery import _plot

        return _plot.ranks(self, ax)


class Explanation(Record):
    """Why a model gives a fact its score; fields as in ``orrery explain --json``."""

    subject: str
    relation: str
    object: str
    time: str
    time_row: str
    sides: list[Record]
    curve: list[Record]
    supporting: list[Record]
    opposing: list[Record]

    def plot(self, ax: Any = None) -> Any:
        """The fact's curve over time, with matplotlib."""
        from orrery import _plot

        return _plot.curve(self["curve"], ax)


class Audit(Record):
    """Facts that a model finds implausible, the most doubtful first in ``facts``."""

    judged: int
    folds: int
    calibrated: bool
    interrupted: bool
    notes: list[str]
    facts: list[Record]

    def to_table(self) -> Table:
        """A row a fact."""
        rows = self.to_dict()["facts"]
        names = [name for name in (rows[0] if rows else {}) if name != "likelier"]
        columns = {name: [row.get(name) for row in rows] for name in names}
        likelier = [row.get("likelier") or [{}] for row in rows]
        columns["likelier"] = [answers[0].get("name") for answers in likelier]
        return Table(columns, "AuditedFact")

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        return self.to_table().to_polars()

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        return self.to_table().to_arrow()

    def __repr__(self) -> str:
        return repr(self.to_table())

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()


class _Rows(Record):
    """A result that is a table."""

    _field = ""

    def to_table(self) -> Table:
        """A row a model or trial, the best first."""
        rows = [_flattened(row) for row in self.to_dict()[self._field]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return Table({name: [row.get(name) for row in rows] for name in names}, "Row")

    def to_pandas(self) -> Any:
        """As a pandas DataFrame."""
        return self.to_table().to_pandas()

    def to_polars(self) -> Any:
        """As a polars DataFrame."""
        return self.to_table().to_polars()

    def to_arrow(self) -> Any:
        """As a pyarrow Table."""
        return self.to_table().to_arrow()

    def __repr__(self) -> str:
        return repr(self.to_table())

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()

    def plot(self, ax: Any = None) -> Any:
        """MRR as bars, with matplotlib."""
        from orrery import _plot

        return _plot.bars(self.to_table(), ax)


class Comparison(_Rows):
    """Models trained and evaluated on one data set under one budget, best MRR first.

    Where any has history, the table has ``mrr_without_history``, and its deviation.
    """

    complete: bool
    models: list[Record]

    _field = "models"


class Sweep(_Rows):
    """Trials of a search, best validation MRR first."""

    complete: bool
    best: Record
    trials: list[Record]

    _field = "trials"


def _flattened(row: dict[str, Any]) -> dict[str, Any]:
    """Scores out of their groups; lists of runs, and options that all rows share, stay away."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            if name == "options" and len(value) > _MANY_OPTIONS:
                continue
            if name == "without_history":  # scores in groups of their own
                flat["mrr_without_history"] = value["mean"]["mrr"]
                flat["deviation_mrr_without_history"] = value["deviation"]["mrr"]
                continue
            prefix = f"{name}_" if name == "deviation" else ""
            flat.update({prefix + inner: one for inner, one in value.items()})
        elif not isinstance(value, list):
            flat[name] = value
    return flat
