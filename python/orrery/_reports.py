"""Results whose fields type checkers know."""

from __future__ import annotations

from typing import Any, Optional

from orrery._record import Record


class Scores(Record):
    """Of filtered ranks: ``mrr`` and ``hits1``, ``hits3``, ``hits10``, as shares of one."""

    queries: int
    mrr: float
    hits1: float
    hits3: float
    hits10: float


class Card(Record):
    """What a model is."""

    model: str
    dim: int
    formula: str
    parameters: int
    entities: int
    relations: int
    times: int
    intervals: bool
    granularity: str
    first_time: str
    last_time: str
    epoch: int
    data_fingerprint: str
    version: str
    calibrated: bool
    history_features: list[str]
    embeddings: list[Any]
    additions: list[Any]
    mixture: Any


class Summary(Record):
    """How a training ended; ``best_valid`` is None where nothing was validated."""

    ending: str
    epochs_done: int
    best_epoch: int
    best_valid: Optional[Scores]
    loss: float
    seconds: float
    peak_memory: int
    engine: str

    _inside = {"best_valid": Scores}


class EpochReport(Record):
    """What a callback is given after an epoch; ``valid`` is None where it was not validated."""

    epoch: int
    loss: float
    cross_entropy: float
    n3: float
    time: float
    auxiliary: float
    seconds: float
    examples_per_second: float
    valid: Optional[Scores]
    best: bool

    _inside = {"valid": Scores}

    def numbers(self) -> dict[str, float]:
        """Its numbers in one flat dict, as loggers take them; ``valid_mrr``, … where validated."""
        flat = {name: value for name, value in self.items() if name not in ("valid", "best")}
        if self.valid is not None:
            flat.update({f"valid_{name}": value for name, value in self.valid.items()})
        return flat
