"""Comparing models and searching options."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from orrery import _engine, _options
from orrery._dataset import Dataset
from orrery._model import Model
from orrery._progress import TrainingProgress
from orrery._results import Comparison, Sweep

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from orrery._keywords import TrainKeywords

Path = Union[str, "os.PathLike[str]"]


@contextlib.contextmanager
def _folder(out: Optional[Path]) -> Iterator[str]:
    if out is not None:
        yield os.fspath(out)
        return
    with tempfile.TemporaryDirectory(prefix="orrery-") as made:
        yield made


def _budget_text(budget: Union[str, int, None]) -> str:
    return "" if budget is None else str(budget)


@_options.with_options(_options.of_training)
def compare(
    facts: Any,
    models: Sequence[str],
    *,
    budget: Union[str, int, None] = None,
    seeds: int = 1,
    out: Optional[Path] = None,
    progress: bool = True,
    **options: "Unpack[TrainKeywords]",
) -> Comparison:
    """Trains and evaluates several models on one data set, best MRR first.

    ``models``: names, with choices ``"bsca:attention=none"``. ``budget``: parameters ("2M"); each
    model gets the largest dim that fits. ``seeds``: runs of each. ``out``: a directory that keeps
    the runs, so that the same call continues an interrupted comparison.

    >>> found = compare(facts, ["bsca", "complex"], budget="20k", epochs=1, progress=False)
    >>> sorted(found.to_table()["model"])
    ['bsca', 'complex']
    """
    if isinstance(models, str):
        raise TypeError("models is a list of names, not one text")
    data = facts if isinstance(facts, Dataset) else Dataset(facts, progress=progress)
    given = _options.engine_names(options, _options.of_training(), "compare")
    with _folder(out) as folder, TrainingProgress(progress, [], "train") as listener:
        found = _engine.compare(
            data._core,
            list(models),
            given,
            _budget_text(budget),
            seeds,
            out is not None,
            os.path.join(folder, "compare") if out is None else folder,
            listener,
        )
    return Comparison(json.loads(found))


@_options.with_options(_options.of_training)
def sweep(
    facts: Any,
    searched: dict[str, Any],
    *,
    search: str = "grid",
    trials: Optional[int] = None,
    seeds: int = 1,
    out: Optional[Path] = None,
    progress: bool = True,
    **options: "Unpack[TrainKeywords]",
) -> Sweep:
    """Searches options by validation MRR.

    ``searched``: values to try, ``{"lr": [0.05, 0.1]}``, or a range to draw from, ``(0.01, 0.3)``
    or ``(0.01, 0.3, "log")``. ``search``: grid, random or halving (with ``trials``). ``out``: a
    directory that keeps the best run; the same call continues an interrupted sweep.

    >>> found = sweep(facts, {"lr": [0.03, 0.1]}, dim=16, epochs=1, eval_every=1, progress=False)
    >>> found.best.options.lr
    0.1
    """
    data = facts if isinstance(facts, Dataset) else Dataset(facts, progress=progress)
    given = _options.engine_names(options, _options.of_training(), "sweep")
    ranges = {name: _values(name, values) for name, values in searched.items()}
    wanted = _options.engine_names(ranges, _options.of_training(), "sweep")
    with _folder(out) as folder, TrainingProgress(progress, [], "train") as listener:
        found = _engine.sweep(
            data._core,
            wanted,
            given,
            search,
            trials,
            seeds,
            os.path.join(folder, "sweep") if out is None else folder,
            listener,
        )
    return Sweep(json.loads(found))


def _values(name: str, values: Any) -> Any:
    if isinstance(values, tuple):
        logarithmic = len(values) == 3 and values[2] == "log"
        if len(values) not in (2, 3) or (len(values) == 3 and not logarithmic):
            raise ValueError(f"a range of {name} is (from, to) or (from, to, 'log')")
        return (float(values[0]), float(values[1]), logarithmic)
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} needs a list of values or a range (from, to)")
    return list(values)


def mix(models: Sequence[Model], facts: Optional[Dataset] = None) -> Model:
    """Several trained models as one, with weights chosen on the validation facts.

    >>> other = orrery.train(facts, model="tcomplex", dim=32, epochs=5, progress=False)
    >>> [part.model for part in mix([model, other], facts).card.mixture.parts]
    ['bsca', 'tcomplex']
    """
    if not models:
        raise ValueError("there are no models to mix")
    data = models[0]._needed_facts(facts, "mix")
    return Model(_engine.mix([model._core for model in models], data._core), data)
