"""Temporal knowledge graph completion: facts in; a trained model, scores and answers out.

>>> import orrery
>>> facts = orrery.Dataset.demo()
>>> model = orrery.train(facts, dim=32, epochs=3, progress=False)
>>> answers = model.predict(relation=facts.relation_names[0], subject=facts.entity_names[0],
...                         time=facts.time_names[0], top=3)
>>> len(answers)
3
"""

from __future__ import annotations

from typing import Any

from orrery import _engine
from orrery._answers import Answer, Answers, ManyAnswers
from orrery._bridges import from_graphiti, from_pykeen, to_networkx, to_pykeen
from orrery._dataset import DataCheck, Dataset
from orrery._embeddings import Embeddings
from orrery._errors import Error, Interrupted, OptionError, UnknownOptionError
from orrery._model import Model
from orrery._record import Record
from orrery._reports import Card, EpochReport, Scores, Summary
from orrery._results import Audit, Comparison, Evaluation, Explanation, Sweep
from orrery._search import compare, mix, sweep
from orrery._table import Table
from orrery._together import together
from orrery._training import train, tune

__version__: str = _engine.version()

__all__ = [
    "Answer",
    "Answers",
    "Audit",
    "Card",
    "Comparison",
    "DataCheck",
    "Dataset",
    "Embeddings",
    "EpochReport",
    "Error",
    "Evaluation",
    "Explanation",
    "Interrupted",
    "ManyAnswers",
    "Model",
    "OptionError",
    "Record",
    "Scores",
    "Summary",
    "Sweep",
    "Table",
    "UnknownOptionError",
    "benchmarks",
    "compare",
    "from_graphiti",
    "from_pykeen",
    "mix",
    "models",
    "sweep",
    "to_networkx",
    "to_pykeen",
    "together",
    "train",
    "tune",
]


def models() -> Table:
    """The models that train() knows, with their formulas and choices.

    >>> "bsca" in models()["name"]
    True
    """
    return _table_of(_engine.models())


def benchmarks() -> Table:
    """The benchmark sets that Dataset() knows by name.

    >>> benchmarks()["name"]
    ['icews14', 'icews05-15', 'gdelt', 'yago11k', 'wikidata12k']
    """
    return _table_of(_engine.benchmarks())


def _table_of(rows: list[dict[str, Any]]) -> Table:
    return Table({name: [row[name] for row in rows] for name in rows[0]}, "Row")
