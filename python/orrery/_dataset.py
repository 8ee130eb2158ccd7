"""Facts with their names, dates and splits."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from orrery import _columns, _engine, _options
from orrery._errors import Error, OptionError
from orrery._fetch import fetch_benchmark
from orrery._progress import fetching
from orrery._record import Record
from orrery._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from orrery._keywords import ReadingKeywords

_SPLITS = ("train", "valid", "test")


class DataCheck(Record):
    """A data set looked over: counts, dates, relations, leaks, what is suspicious."""

    def __init__(self, fields: Any, text: str = "", page: str = "") -> None:
        super().__init__(fields)
        self.__dict__["_text"], self.__dict__["_page"] = text, page

    def __reduce__(self) -> tuple[object, ...]:
        return (DataCheck, (self.to_dict(), self.__dict__["_text"], self.__dict__["_page"]))

    def __str__(self) -> str:
        return str(self.__dict__["_text"])

    def _repr_html_(self) -> str:
        import html

        page = html.escape(self.__dict__["_page"], quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="600" frameborder="0"></iframe>'


class Dataset:
    """Facts: (subject, relation, object, time), or with a start and an end.

    ``facts`` is a path (a directory with train, valid and test, or one file), the name of a
    benchmark set, a DataFrame of pandas, anything with ``__arrow_c_stream__`` (polars, pyarrow,
    DuckDB), a list of tuples or dicts, a dict of columns, or an array of ids with their ``names``
    (``{"entity": […], "relation": […], "time": […]}``). Columns are found by their titles;
    ``columns`` says which is which: ``{"subject": "source", "start": "valid_at"}``. With ``valid``
    and ``test`` these are the splits; without them facts are cut as ``split`` says.

    >>> import orrery
    >>> facts = orrery.Dataset([("Ada", "visits", "Bo", "2024-01-02"),
    ...                         ("Bo", "calls", "Cy", "2024-01-03")])
    >>> facts.entity_names
    ('Ada', 'Bo', 'Cy')
    """

    _core: Any

    @_options.with_options(_options.of_reading)
    def __init__(
        self,
        facts: Any,
        *,
        valid: Any = None,
        test: Any = None,
        columns: Any = None,
        names: Optional[dict[str, Sequence[str]]] = None,
        seed: Optional[int] = None,
        progress: bool = True,
        **reading: "Unpack[ReadingKeywords]",
    ) -> None:
        given: dict[str, Any] = {**reading, "columns": _columns_text(columns), "seed": seed}
        options = _options.engine_names(given, [*_options.of_reading(), "seed"], "Dataset")
        if isinstance(facts, (str, os.PathLike)):
            if valid is not None or test is not None:
                raise ValueError("a path brings its own splits: give valid and test with tables")
            _require_source(facts)
            source = os.fspath(facts)
            with fetching(progress) as report:
                if _engine.names_benchmark(source):
                    fetch_benchmark(source, report)
                self._core = _engine.Dataset.open(source, options, report)
        elif isinstance(facts, Dataset):
            if options or valid is not None or test is not None:
                raise ValueError("a Dataset is read already; split() cuts it anew")
            self._core = facts._core
        else:
            tables = [
                None if part is None else _columns.table_of(part, name, names)
                for part, name in ((valid, "valid"), (test, "test"))
            ]
            first = _columns.table_of(facts, "facts", names)
            self._core = _columns.dataset_of([first, *tables], options)

    @classmethod
    def _of(cls, core: Any) -> "Dataset":
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def demo(cls, seed: int = 1) -> "Dataset":
        """The built-in world, whose rules and best reachable scores are known."""
        return cls._of(_engine.Dataset.demo(seed))

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return int(self._core.entities)

    @property
    def relations(self) -> int:
        """How many relations there are."""
        return int(self._core.relations)

    @property
    def times(self) -> int:
        """How many embeddings of time a model of these facts has."""
        return int(self._core.times)

    @property
    def intervals(self) -> bool:
        """Whether facts have a start and an end."""
        return bool(self._core.intervals)

    @property
    def granularity(self) -> str:
        """Of time: second, minute, hour, day, …"""
        return str(self._core.granularity)

    @property
    def entity_names(self) -> tuple[str, ...]:
        """By id."""
        return self._names("entity_names")

    @property
    def relation_names(self) -> tuple[str, ...]:
        """By id."""
        return self._names("relation_names")

    @property
    def time_names(self) -> tuple[str, ...]:
        """By id, in the order of time."""
        return self._names("time_names")

    def _names(self, what: str) -> tuple[str, ...]:
        kept = self.__dict__.setdefault("_kept", {})
        if what not in kept:
            kept[what] = tuple(getattr(self._core, what)())
        return kept[what]  # type: ignore[no-any-return]

    @property
    def source(self) -> Optional[str]:
        """The path it was read from; None: from memory."""
        return self._core.source or None

    @property
    def understood(self) -> dict[str, str]:
        """What was made of the columns and dates, in sentences."""
        return dict(self._core.understood())

    @property
    def bad_lines(self) -> int:
        """How many were left out by ``skip_bad``."""
        return int(self._core.bad_lines)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the facts, whatever their order."""
        return str(self._core.fingerprint())

    @property
    def train(self) -> Table:
        """The facts to train on."""
        return self.facts("train")

    @property
    def valid(self) -> Table:
        """The facts to validate with."""
        return self.facts("valid")

    @property
    def test(self) -> Table:
        """The facts to test with."""
        return self.facts("test")

    def facts(self, split: str) -> Table:
        """The facts of a split, with names and dates as in the file.

        >>> facts.facts("train")[0]
        Fact(subject='Taresse', relation='threatens', object='Quororia', time='2022-01-03')
        """
        ids = self._core.facts(split)
        entities, relations = self.entity_names, self.relation_names
        dates = self._core.fact_dates(split)
        columns: dict[str, Sequence[Any]] = {
            "subject": [entities[i] for i in ids[:, 0]],
            "relation": [relations[i] for i in ids[:, 1]],
            "object": [entities[i] for i in ids[:, 2]],
        }
        if self.intervals:
            columns["start"] = [date.split("\t")[0] for date in dates]
            columns["end"] = [date.split("\t")[1] for date in dates]
        else:
            columns["time"] = dates
        return Table(columns, "Fact")

    def ids(self, split: str = "train") -> Any:
        """Subject, relation and object of each fact by id: a read-only array, not copied.

        >>> facts.ids("test").shape
        (2708, 3)
        """
        return self._core.facts(split)[:, :3]

    def time_ids(self, split: str = "train") -> Any:
        """The ids of each fact's start and end; -1: open."""
        return self._core.fact_times(split)

    def split(self, shares: str = "80/10/10", by: str = "random", seed: int = 1) -> "Dataset":
        """All facts, split again: at random, by time, or by the last of each subject.

        >>> later = facts.split("80/10/10", by="time")
        >>> max(later.train["time"]) < min(later.test["time"])
        True
        """
        return Dataset._of(self._core.split(shares, by, seed))

    def check(self) -> DataCheck:
        """Counts, duplicates, leaks, suspicious facts; a page in a notebook.

        >>> facts.check().splits.train.facts
        20937
        """
        core = self._core
        return DataCheck(json.loads(core.check_json()), core.check_text(), core.check_html())

    def write(self, directory: "str | os.PathLike[str]") -> list[str]:
        """Writes the splits as files that read back as this data set.

        >>> facts.write("world")
        ['world/train.tsv', 'world/valid.tsv', 'world/test.tsv']
        >>> orrery.Dataset("world") == facts
        True
        """
        return [str(path) for path in self._core.write(os.fspath(directory))]

    def __len__(self) -> int:
        return sum(self._core.count(split) for split in _SPLITS)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self._core is other._core or self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __copy__(self) -> "Dataset":
        return self

    def __deepcopy__(self, memo: object) -> "Dataset":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        tables = [self.facts(split).to_dict() for split in _SPLITS]
        return (_restored, (tables, self._core.reading(), self.granularity))

    def __repr__(self) -> str:
        counts = ", ".join(f"{self._core.count(split):,} {split}" for split in _SPLITS)
        first_last = f"{self.time_names[0]} … {self.time_names[-1]}" if self.times else "no time"
        return (
            f"Dataset({counts}; {self.entities:,} entities, {self.relations:,} relations, "
            f"{self.times:,} times, {first_last})"
        )

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><th>{html.escape(about)}</th><td>{html.escape(sentence)}</td></tr>"
            for about, sentence in self.understood.items()
        )
        facts = self.facts("train")[:5]._repr_html_()
        return f"<p><b>{html.escape(repr(self))}</b></p><table>{rows}</table>{facts}"


def _require_source(facts: Any) -> None:
    """A word that is neither a path nor a benchmark set is most likely one of these, misspelt."""
    if not isinstance(facts, str) or not facts.replace("-", "").isalnum() or os.path.exists(facts):
        return
    known = [str(row["name"]) for row in _engine.benchmarks()]
    if facts not in known:
        near = _engine.nearest_name(facts, known)
        raise Error(
            f"there is neither a file nor a benchmark set {facts!r}",
            advice=f"did you mean {near}?" if near else f"the sets are {', '.join(known)}",
        )


def _columns_text(columns: Any) -> Any:
    if not isinstance(columns, dict):
        return columns
    for title in columns.values():
        if isinstance(title, str) and any(mark in title for mark in ",="):
            raise OptionError(
                f"the column {title!r} has a comma or '=' in its title",
                option="columns",
                advice="rename it",
            )
    return ",".join(f"{role}={title}" for role, title in columns.items())


def _restored(tables: list[dict[str, Any]], reading: dict[str, Any], granularity: str) -> Dataset:
    keep = ("min-facts", "intervals", "horizon", "undated", "coarse-dates", "dates")
    options = {name: reading[name] for name in keep if reading.get(name) not in (None, "")}
    if not (reading.get("intervals") == "ends" and "end" in tables[0]):
        options["granularity"] = granularity
    train, *others = tables
    valid, test = [
        _columns.table_of(table, name) if table["subject"] else None
        for table, name in zip(others, _SPLITS[1:])
    ]
    if valid is None and test is None:
        options["split"] = "100/0/0"
    first = _columns.table_of(train, "train")
    return Dataset._of(_columns.dataset_of([first, valid, test], options))
