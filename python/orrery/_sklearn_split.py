"""Cross validation that keeps the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional

from sklearn.model_selection import BaseCrossValidator

from orrery._dataset import Dataset

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TimeSplit(BaseCrossValidator):
    """Facts are cut by their dates into ``n_splits`` + 1 parts of about equal size: the first
    split trains on the first part and tests on the second, the next trains on the first two, …

    Training facts are always earlier than test facts, and facts of one date are never on both
    sides. Facts with a start and an end go by their start, or by their end where the start is
    open; facts without a date are always trained on. ``gap``: so many dates between training and
    test are left out. ``max_train_dates``: train on no more than the last so many dates.
    ``granularity`` ("month") and ``columns`` are those of ``orrery.Dataset``.

    >>> rows = [("Ada", "calls", "Bo", f"2024-01-{day:02}") for day in range(1, 10)]
    >>> [(len(train), len(test)) for train, test in TimeSplit(2).split(rows)]
    [(3, 3), (6, 3)]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        gap: int = 0,
        max_train_dates: Optional[int] = None,
        granularity: Optional[str] = None,
        columns: Any = None,
    ) -> None:
        if n_splits < 1:
            raise ValueError(f"n_splits must be at least 1, not {n_splits}")
        if gap < 0:
            raise ValueError(f"gap must be at least 0, not {gap}")
        if max_train_dates is not None and max_train_dates < 1:
            raise ValueError(f"max_train_dates must be at least 1, not {max_train_dates}")
        self.n_splits = n_splits
        self.gap = gap
        self.max_train_dates = max_train_dates
        self.granularity = granularity
        self.columns = columns

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> "Iterator[tuple[NDArray[Any], NDArray[Any]]]":
        """Pairs of the places of training and test facts in X."""
        import numpy

        when = self._dates(X)
        dates, counts = numpy.unique(when[when >= 0], return_counts=True)
        cuts = self._cuts(counts)
        for first, last in zip(cuts, [*cuts[1:], len(dates)]):
            end = first - self.gap
            if end < 1:
                raise ValueError(f"gap={self.gap} leaves no date to train on before {first} dates")
            begin = 0 if self.max_train_dates is None else max(0, end - self.max_train_dates)
            trained = (when < 0) | ((when >= dates[begin]) & (when <= dates[end - 1]))
            tested = (when >= dates[first]) & (when <= dates[last - 1])
            yield numpy.flatnonzero(trained), numpy.flatnonzero(tested)

    def _dates(self, X: Any) -> Any:
        """The place in time of each fact; -1: it has no date."""
        import numpy

        rows = X if hasattr(X, "columns") else numpy.asarray(X, dtype=object)
        data = Dataset(
            rows,
            split="100/0/0",
            columns=self.columns,
            granularity=self.granularity,  # type: ignore[arg-type]
            undated="always",
        )
        start, end = data.time_ids("train").T
        return numpy.where(start >= 0, start, end)

    def _cuts(self, counts: Any) -> list[int]:
        """The first date of each test, so that parts have about as many facts."""
        import numpy

        parts = self.n_splits + 1
        if len(counts) < parts:
            raise ValueError(
                f"{len(counts)} dates cannot be cut into {parts} parts: take fewer n_splits, or a "
                "finer granularity"
            )
        before = numpy.concatenate([[0], numpy.cumsum(counts)])
        cuts: list[int] = []
        for part in range(1, parts):
            wanted = before[-1] * part / parts
            nearest = int(numpy.argmin(numpy.abs(before - wanted)))
            # Every part has a date at least.
            least = (cuts[-1] if cuts else 0) + 1
            cuts.append(min(max(nearest, least), len(counts) - (parts - part)))
        return cuts
