"""For scikit-learn: an estimator of facts, and a splitter that keeps the order of time.

>>> from sklearn.model_selection import cross_validate
>>> import orrery
>>> from orrery.sklearn import TemporalLinkPredictor, TimeSplit
>>> facts = orrery.Dataset.demo().train[:3000].to_pandas()
>>> estimator = TemporalLinkPredictor(dim=16, epochs=2)
>>> len(cross_validate(estimator, facts, cv=TimeSplit(2))["test_score"])
2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data
except ImportError:
    raise ImportError(
        "orrery.sklearn needs scikit-learn 1.6 or later: pip install orrery[sklearn]"
    ) from None

from orrery import _options
from orrery._dataset import Dataset
from orrery._sklearn_checks import EXPECTED_FAILED_CHECKS
from orrery._sklearn_split import TimeSplit
from orrery._training import train

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self, Unpack

    from orrery._keywords import TrainKeywords
    from orrery._model import Model

__all__ = ["EXPECTED_FAILED_CHECKS", "TemporalLinkPredictor", "TimeSplit"]

# Of reading, what says something of tables in memory and leaves every row in its place.
_READING = ("columns", "dates", "granularity", "coarse_dates", "undated", "intervals", "horizon")


def _parameters() -> list[str]:
    return [*_READING, *_options.of_training()]


class TemporalLinkPredictor(BaseEstimator):
    """Facts in, the links that are missing out.

    ``X`` has a row a fact: an array of (subject, relation, object, time) or (…, start, end), or a
    DataFrame with columns of such titles. ``y`` is not used. Every option of ``orrery.train`` is a
    parameter, and so are those of reading; None leaves it to the engine.

    ``validation_fraction`` of the facts picks the best epoch and calibrates probabilities; they
    are drawn at random, or with ``validation_by="time"`` are the last ones. ``verbose`` shows
    progress.

    Fitted: ``model_`` (an ``orrery.Model``: everything else can be asked of it), ``facts_`` (an
    ``orrery.Dataset``), ``n_features_in_``, and ``feature_names_in_`` of a DataFrame.
    """

    @_options.with_options(_parameters)
    def __init__(
        self,
        *,
        validation_fraction: float = 0.1,
        validation_by: Literal["random", "time"] = "random",
        verbose: bool = False,
        **options: "Unpack[TrainKeywords]",
    ) -> None:
        self.validation_fraction = validation_fraction
        self.validation_by = validation_by
        self.verbose = verbose
        unknown = [name for name in options if name not in _parameters()]
        if unknown:
            raise TypeError(f"TemporalLinkPredictor has no parameter {unknown[0]}")
        for name in _parameters():
            setattr(self, name, options.get(name))

    def fit(self, X: Any, y: Any = None) -> "Self":
        """Trains a model on facts."""
        rows = self._rows(X, reset=True)
        share = self.validation_fraction
        if not 0 <= share < 1:
            raise ValueError(f"validation_fraction must be in [0, 1), not {share}")
        held = round(100 * share, 4) if len(rows) * share >= 1 else 0
        self.facts_ = Dataset(
            rows,
            split=f"{100 - held:g}/{held:g}/0",
            split_by=self.validation_by,
            seed=self._given("seed"),
            **{name: self._given(name) for name in _READING},
        )
        options = {name: self._given(name) for name in _options.of_training()}
        self.model_: Model = train(self.facts_, progress=self.verbose, **options)
        return self

    def predict(self, X: Any) -> "NDArray[Any]":
        """The most plausible object of each fact; what stands in the column of objects is not read.

        None where the subject or the relation is in no training fact. Facts with a start and an
        end are asked at their start, or at their end where the start is open.
        """
        import numpy

        check_is_fitted(self)
        data = self._read(self._without_objects(self._rows(X, reset=False)))
        known = self._known(data, objects=False)
        found = numpy.full(len(known), None, dtype=object)
        if known.any():
            columns = data.train.to_dict()
            times = columns.get("time") or [
                start or end or None for start, end in zip(columns["start"], columns["end"])
            ]
            places = numpy.flatnonzero(known)
            answers = self.model_.predict(
                subject=[columns["subject"][i] for i in places],
                relation=[columns["relation"][i] for i in places],
                time=[times[i] or self.model_.time_names[0] for i in places],
                top=1,
                known="show",
            ).to_table()
            found[places[answers["question"]]] = answers["name"]
        return found

    def score_samples(self, X: Any) -> "NDArray[Any]":
        """How plausible each fact is: the calibrated probability that it is true.

        NaN where a name is in no training fact. Without facts of validation probabilities are not
        calibrated.
        """
        import numpy

        check_is_fitted(self)
        data = self._read(self._rows(X, reset=False))
        known = self._known(data)
        found = numpy.full(len(data), numpy.nan)
        if known.any():
            judged = {
                (*(fact[part] for part in ("subject", "relation", "object", "time")),
                 fact.get("end", "")): fact["plausibility"]
                for fact in self.model_.audit(data, others=0)["facts"]
            }
            table = data.train
            for place in numpy.flatnonzero(known):
                found[place] = judged[(*table[int(place)], "")[:5]]
        return found

    def rank(self, X: Any) -> "NDArray[Any]":
        """Filtered ranks of each fact's object and subject among all entities: (n, 2), 1 is best.

        Other answers that are true at that time, in the facts of training or in X, do not compete.
        A fact with a name that is in no training fact ranks behind all entities.
        """
        import numpy

        check_is_fitted(self)
        data = self._read(self._rows(X, reset=False))
        known = self._known(data)
        found = numpy.full((len(data), 2), self.model_.card.entities + 1)
        if known.any():
            asked = {
                name: [value for value, one in zip(column, known) if one]
                for name, column in data.train.to_dict().items()
            }
            learned = [self.facts_.facts(split).to_dict() for split in ("train", "valid")]
            joined = {name: learned[0][name] + learned[1][name] for name in asked}
            both = Dataset(joined, test=asked, **self._reading())
            found[known] = self.model_.evaluate(both, progress=False).ranks.reshape(-1, 2)
        return found

    def score(self, X: Any, y: Any = None) -> float:
        """The filtered mean reciprocal rank (MRR) of the facts' objects and subjects."""
        return float((1 / self.rank(X)).mean())

    def _given(self, name: str) -> Any:
        return getattr(self, name)

    def _rows(self, X: Any, reset: bool) -> Any:
        """X looked over as scikit-learn does; data frames stay what they are."""
        if not hasattr(X, "columns"):
            X = check_array(X, dtype=None, ensure_all_finite="allow-nan", estimator=self)
            if reset and X.shape[1] not in (3, 4, 5):
                raise ValueError(
                    f"Found array with {X.shape[1]} feature(s): a fact has 4 (subject, relation, "
                    "object, time) or 5 (…, start, end)"
                )
        elif len(X) == 0:
            raise ValueError("Found array with 0 sample(s): a model needs facts")
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def _reading(self) -> dict[str, Any]:
        """How facts are read after fit: as those of training were, at their granularity."""
        options = {name: self._given(name) for name in _READING if name != "columns"}
        intervals = self.model_.options["intervals"] if self.facts_.intervals else None
        return {**options, "granularity": self.facts_.granularity, "intervals": intervals}

    def _read(self, rows: Any) -> Dataset:
        return Dataset(rows, split="100/0/0", columns=self._given("columns"), **self._reading())

    def _without_objects(self, rows: Any) -> Any:
        """With something in the column of objects, which may be empty in a question."""
        if not hasattr(rows, "columns"):
            rows = rows.astype(object)
            rows[:, 2] = "?"
            return rows
        columns = self._given("columns")
        title = columns.get("object", "object") if isinstance(columns, dict) else "object"
        return rows.assign(**{title: "?"}) if title in rows and hasattr(rows, "assign") else rows

    def _known(self, data: Dataset, objects: bool = True) -> "NDArray[Any]":
        """Which facts have names that were trained on."""
        import numpy

        learned = self.facts_.ids("train")
        entities = {self.facts_.entity_names[i] for i in numpy.unique(learned[:, [0, 2]])}
        relations = {self.facts_.relation_names[i] for i in numpy.unique(learned[:, 1])}
        entity = numpy.array([name in entities for name in data.entity_names])
        relation = numpy.array([name in relations for name in data.relation_names])
        ids = data.ids("train")
        known: NDArray[Any] = entity[ids[:, 0]] & relation[ids[:, 1]]
        return known & entity[ids[:, 2]] if objects else known

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True  # an open start or end
        tags.target_tags.required = False
        tags.non_deterministic = False
        return tags
