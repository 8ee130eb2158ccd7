"""New facts into a model, and models as bytes."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Optional

from orrery import _columns, _engine
from orrery._dataset import Dataset
from orrery._errors import UnknownOptionError
from orrery._progress import TrainingProgress

if TYPE_CHECKING:
    from orrery._model import Model

_OPTIONS = {
    "touched": bool,
    "epochs": int,
    "batch": int,
    "lr": float,
    "seed": int,
    "rehearse": int,
    "threads": int,
    "memory": str,
}


def new_facts(model: "Model", facts: Any) -> Dataset:
    """Facts from elsewhere, read as the model's own were, at its granularity."""
    if isinstance(facts, Dataset):
        return facts
    if isinstance(facts, (str, os.PathLike)):
        return Dataset._of(_engine.read_new_facts(model._core, os.fspath(facts)))
    options = {
        name: value
        for name, value in model._core.options().items()
        if name in ("intervals", "min-facts", "horizon", "undated") and value not in ("", None)
    }
    card = model._core.card()
    options["granularity"] = card["granularity"]
    options["split"] = "100/0/0"
    table = _columns.table_of(facts, "facts")
    return Dataset._of(_columns.dataset_of([table, None, None], options))


def grown(model: "Model", facts: Any, progress: bool, given: dict[str, Any]) -> "Model":
    from orrery._model import Model

    for name, value in given.items():
        if name not in _OPTIONS:
            near = _engine.nearest_name(name, list(_OPTIONS))
            raise UnknownOptionError(
                f"add() has no argument {name}",
                option=name,
                advice=f"did you mean {near}?" if near else f"it has {', '.join(_OPTIONS)}",
            )
        wanted = _OPTIONS[name]
        if not isinstance(value, (wanted, int) if wanted is float else wanted):
            raise TypeError(f"{name} must be {wanted.__name__}, not {type(value).__name__}")
    new = new_facts(model, facts)
    known: Optional[Dataset] = model.facts
    with TrainingProgress(progress, [], "add") as listener:
        core, raised = _engine.add(
            model._core, new._core, known._core if known is not None else None, given, listener
        )
    if raised is not None:
        raise raised
    return Model(core, known)


def file_bytes(model: "Model") -> dict[str, bytes]:
    """What save() writes, by the name of the file."""
    with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
        mixed = bool(model._core.card()["mixture"])
        path = os.path.join(folder, "mixture" if mixed else "model.safetensors")
        model.save(path)
        if not mixed:
            with open(path, "rb") as file:
                return {"model.safetensors": file.read()}
        found = {}
        for name in os.listdir(path):
            with open(os.path.join(path, name), "rb") as file:
                found[name] = file.read()
        return found


def restored(files: dict[str, bytes], facts: Optional[Dataset]) -> "Model":
    from orrery._model import Model

    with tempfile.TemporaryDirectory(prefix="orrery-") as folder:
        for name, content in files.items():
            with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                file.write(content)
        alone = list(files) == ["model.safetensors"]
        path = os.path.join(folder, "model.safetensors") if alone else folder
        return Model(_engine.Model.open(path), facts)
