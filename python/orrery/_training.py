"""Training."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from orrery import _engine, _options
from orrery._dataset import Dataset
from orrery._errors import Error, Interrupted
from orrery._model import Model
from orrery._progress import TrainingProgress
from orrery._reports import EpochReport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from orrery._keywords import TrainKeywords

Callback = Callable[[EpochReport], Any]
Path = Union[str, "os.PathLike[str]"]


@_options.with_options(_options.of_training)
def train(
    facts: Any,
    *,
    run: Optional[Path] = None,
    progress: bool = True,
    callbacks: Sequence[Callback] = (),
    **options: "Unpack[TrainKeywords]",
) -> Model:
    """Trains a model on facts: a Dataset, or anything a Dataset can be made of.

    Options that are not given fit the data, as on the command line. With ``run``, a directory, the
    training is resumable: the same call continues an interrupted run, and a finished one is read.
    Ctrl-C stops it within a second: a run keeps its state, a training in memory raises
    ``Interrupted`` with the model so far. ``callbacks`` are called after each epoch with a record
    (``epoch``, ``loss``, ``valid`` where validated, …); one that returns something true ends the
    training.

    >>> import orrery
    >>> model = orrery.train(orrery.Dataset.demo(), dim=32, epochs=2, progress=False)
    >>> model.card.dim
    32
    """
    data = facts if isinstance(facts, Dataset) else Dataset(facts, progress=progress)
    given = _options.engine_names(options, _options.of_training(), "train")
    if not isinstance(callbacks, Sequence):
        callbacks = [callbacks]
    with TrainingProgress(progress, list(callbacks), "train") as listener:
        if run is None:
            core, raised = _engine.train(data._core, given, listener)
        else:
            core, raised = _in_run(os.fspath(run), data, given, listener)
        raised = _raised_by_any(raised)
    model = None if core is None else Model(core, data)
    if isinstance(raised, KeyboardInterrupt) and run is None:
        interrupted = Interrupted("the training was interrupted; .model is what it has learned")
        interrupted.model = model
        raise interrupted from None
    if raised is not None:
        raise raised
    if model is None:
        raise RuntimeError(f"the run was stopped before it had a model; train(run={run!r}) goes on")
    return model


def _raised_by_any(raised: Any) -> Any:
    """Where several processes share a training, Ctrl-C in one of them is Ctrl-C in all."""
    interrupted = _engine.any_together(isinstance(raised, KeyboardInterrupt))
    return KeyboardInterrupt() if interrupted and raised is None else raised


def _in_run(
    run: str, data: Dataset, given: dict[str, Any], listener: TrainingProgress
) -> tuple[Any, Any]:
    resume = _engine.told_together("resume" if _engine.run_begun(run) else "begin") == "resume"
    core, raised = _engine.train_in_run(run, data._core, given, resume, listener)
    _require_the_leaders_model(run)
    return core, raised


def _require_the_leaders_model(run: str) -> None:
    """Where several processes share a training, all must see the directory of its run."""
    own = _last_bytes(os.path.join(run, "model.safetensors"))
    if _engine.told_together(own) != own:
        raise Error(
            f"this process does not see the model that the first one has saved in {run}",
            advice="name a directory that all processes see by the same path",
        )


def _last_bytes(path: str) -> str:
    """Checksums of all of the file; empty where there is none."""
    try:
        with open(path, "rb") as file:
            file.seek(-64, os.SEEK_END)
            return file.read().hex()
    except OSError:
        return ""


@_options.with_options(_options.of_training)
def tune(
    facts: Any, *, time: str = "5m", progress: bool = True, **options: "Unpack[TrainKeywords]"
) -> dict[str, Any]:
    """A small search for about ``time`` ("90s", "5m"): the best options, to be given to train().

    Options that are given stay.

    >>> options = tune(facts, time="1s", dim=16, progress=False)
    >>> options["dim"]
    16
    """
    from orrery._errors import keyword

    data = facts if isinstance(facts, Dataset) else Dataset(facts, progress=progress)
    given = _options.engine_names(options, _options.of_training(), "tune")
    found, raised = _engine.tune(data._core, given, time, None)
    if raised is not None:
        raise raised
    allowed = _options.of_training()
    chosen = {keyword(name): value for name, value in found.items()}
    return {n: value for n, value in chosen.items() if n in allowed and value not in ("", [])}
