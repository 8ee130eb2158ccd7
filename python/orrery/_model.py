"""A trained model, and what can be asked of it."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from orrery import _engine, _growth, _options
from orrery._asked import _Asked
from orrery._asking import Time, one_question
from orrery._dataset import Dataset
from orrery._embeddings import Embeddings
from orrery._errors import Error
from orrery._progress import TrainingProgress, counting
from orrery._record import Record
from orrery._reports import Card, Summary
from orrery._results import Audit, Evaluation, Explanation
from orrery._table import Table

if TYPE_CHECKING:
    from orrery._serving import Server

Path = Union[str, "os.PathLike[str]"]
Split = Literal["train", "valid", "test"]
By = Literal["relation", "entity", "time", "history"]


class Model(_Asked):
    """A trained model: immutable, and safe to use from many threads at once.

    ``orrery.train()`` makes one, and ``Model.open()`` reads one from a run or a file.

    >>> import orrery
    >>> facts = orrery.Dataset.demo()
    >>> model = orrery.train(facts, dim=32, epochs=5, progress=False)
    >>> model
    Model(bsca, dim 32, 22,272 parameters; 244 entities, 16 relations, 104 times)
    """

    def __init__(self, core: Any, facts: Optional[Dataset] = None) -> None:
        self._core = core
        self._facts = facts
        self._facts_sought = facts is not None
        self._asker: Any = None
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        device: str = "cpu",
        threads: int = 0,
        memory: str = "",
        verify: bool = True,
    ) -> "Model":
        """A run's directory, a ``model.safetensors`` file, or the directory of a mixture."""
        return cls(_engine.Model.open(os.fspath(path), device, threads, memory, verify))

    def save(self, file: Path) -> None:
        """Writes one file, whole or not at all; of a mixture a directory.

        >>> model.save("model.safetensors")
        >>> orrery.Model.open("model.safetensors")
        Model(bsca, dim 32, 22,272 parameters; 244 entities, 16 relations, 104 times)
        """
        self._core.save(os.fspath(file))

    def on(self, device: str, threads: int = 0, memory: str = "") -> "Model":
        """The same model on another device, or with other threads."""
        return Model(self._core.on(device, threads, memory), self._facts)

    @property
    def card(self) -> Card:
        """What it is: model, dim, parameters, counts, times, epoch, …"""
        return Card(self._core.card())

    @property
    def options(self) -> dict[str, Any]:
        """The options it was trained with."""
        values = self._core.options()
        return {keyword: values[option["name"]] for keyword, option in _options.table().items()}

    @property
    def history(self) -> Table:
        """Its training, epoch by epoch: loss, its parts, validation MRR, seconds."""
        epochs = self._core.record()["epochs"]
        names = ("epoch", "loss", "cross_entropy", "n3", "time", "auxiliary", "seconds", "best")
        columns = {name: [epoch[name] for epoch in epochs] for name in names}
        columns["valid_mrr"] = [e["valid"]["mrr"] if e["valid"] else None for e in epochs]
        return Table(columns, "Epoch")

    @property
    def summary(self) -> Summary:
        """How its training ended; of a model that was read from a file nothing is known."""
        return Summary(self._core.record()["summary"])

    @property
    def entity_names(self) -> tuple[str, ...]:
        """By row of the table ``entity``."""
        return tuple(self._core.entity_names())

    @property
    def relation_names(self) -> tuple[str, ...]:
        """By id."""
        return tuple(self._core.relation_names())

    @property
    def time_names(self) -> tuple[str, ...]:
        """By id, in the order of time."""
        return tuple(self._core.time_names())

    @property
    def embeddings(self) -> Embeddings:
        """Its tables of numbers, by name; arrays that are not copied."""
        return Embeddings(self._core)

    @property
    def facts(self) -> Optional[Dataset]:
        """The facts it was trained on, where they are at hand."""
        if not self._facts_sought:
            with self._lock:
                if not self._facts_sought:
                    try:
                        self._facts = Dataset._of(self._core.training_data())
                    except Error:
                        self._facts = None
                    self._facts_sought = True
        return self._facts

    def with_facts(self, facts: Dataset) -> "Model":
        """A model that knows facts: answers are marked where they are known.

        >>> model.save("bare.safetensors")
        >>> bare = orrery.Model.open("bare.safetensors")
        >>> bare.facts is None, bare.with_facts(facts).facts == facts
        (True, True)
        """
        return Model(self._core, facts)

    def _knowing(self) -> Any:
        """The engine's model with facts, made when first asked."""
        if self._asker is None:
            facts = self.facts
            with self._lock:
                if self._asker is None:
                    if facts is None or self._core.has_facts:
                        self._asker = self._core
                    else:
                        self._asker = self._core.with_facts(facts._core)
        return self._asker

    def _needed_facts(self, facts: Any, what: str) -> Dataset:
        found = facts if facts is not None else self.facts
        if found is None:
            raise Error(
                f"{what} needs the facts the model was trained on, and they are not at hand",
                advice=f"give them: {what}(facts=…), or model.with_facts(facts)",
            )
        return found if isinstance(found, Dataset) else Dataset(found)

    def explain(
        self,
        subject: str,
        relation: str,
        object: str,
        time: Time = None,
        *,
        facts: Any = None,
        top: int = 10,
        neighbours: int = 5,
        any_link: bool = False,
        untrained: bool = False,
    ) -> Explanation:
        """Why it gives a fact its score: ranks, attention, training facts by influence, …

        >>> why = model.explain("Taresse", "threatens", "Quororia", "2022-01-03")
        >>> why.sides[0].rank, why.supporting[0].link
        (1, 'fact')
        """
        question = one_question(subject, relation, object, time)
        if question is None:
            raise TypeError("explain() takes one fact, with one text for each part")
        known = self._needed_facts(facts, "explain")
        found = _engine.explain(
            self._core, known._core, *question, top, neighbours, any_link, untrained
        )
        return Explanation(json.loads(found))

    @overload
    def evaluate(
        self,
        facts: Any = None,
        *,
        split: Split = "test",
        by: None = None,
        history: bool = True,
        progress: bool = True,
    ) -> Evaluation: ...
    @overload
    def evaluate(
        self,
        facts: Any = None,
        *,
        split: Split = "test",
        by: By,
        history: bool = True,
        progress: bool = True,
    ) -> Table: ...
    def evaluate(
        self,
        facts: Any = None,
        *,
        split: str = "test",
        by: Optional[str] = None,
        history: bool = True,
        progress: bool = True,
    ) -> Union[Evaluation, Table]:
        """Filtered ranks of a split; with ``by`` a table by relation, entity, time or history.

        ``history=False`` leaves out what the history of a pair adds to scores: of ranks alone,
        ``calibration()`` and ``evaluate_when()`` are always with it.

        >>> model.evaluate(facts, progress=False)
        Evaluation(split='test', mrr=0.7004, hits1=0.6086, hits10=0.8975, queries=5,416)
        >>> model.evaluate(facts, by="relation", progress=False)[0].relation
        'comments on'
        """
        data = self._needed_facts(facts, "evaluate")
        with counting(progress, "evaluate") as report:
            core = _engine.evaluate(self._core, data._core, split, history, report)
        found = Evaluation(json.loads(core.json()), core)
        return found if by is None else found.by(by)

    def calibration(self, facts: Any = None, *, split: Split = "test") -> Record:
        """How far probabilities are from what is true, before and after the fit.

        With the model's history, which the fit was made with.
        """
        data = self._needed_facts(facts, "calibration")
        return Record(json.loads(_engine.calibration_json(self._core, data._core, split)))

    def evaluate_when(
        self, facts: Any = None, *, split: Split = "test", most: int = 1000
    ) -> Record:
        """Ranks of true times among all times, of at most ``most`` facts with one time each.

        ``model`` is by its scores alone (with its history), ``fit`` with what train tells around
        each time.
        """
        data = self._needed_facts(facts, "evaluate_when")
        found = _engine.when_json(self._core, data._core, split, most)
        return Record(json.loads(found))

    def audit(
        self,
        facts: Any = None,
        *,
        folds: int = 5,
        seed: int = 1,
        others: int = 3,
        corrupt: float = 0.0,
        progress: bool = True,
    ) -> Audit:
        """Facts it finds implausible, the most doubtful first.

        Without ``facts``, those of training, each judged by a model that was trained without it
        (``folds`` trainings). With ``facts``, those are judged by this model.

        >>> found = model.audit([("Taresse", "lies in", "Velavia", "2022-01-03")])
        >>> found.facts[0].plausibility < 0.1
        True
        """
        if facts is not None:
            new = _growth.new_facts(self, facts)
            trained = self.facts._core if self.facts is not None else None
            return Audit(json.loads(_engine.audit_facts(self._core, new._core, trained, others)))
        data = self._needed_facts(None, "audit")
        with TrainingProgress(progress, [], "fold") as listener:
            found = _engine.audit(self._core, data._core, folds, seed, others, corrupt, listener)
        return Audit(json.loads(found))

    def add(self, facts: Any, *, progress: bool = True, **options: Any) -> "Model":
        """A model with new facts, names and times, in seconds; this one stays as it is.

        Options: ``touched`` (train known names of the new facts, too), ``epochs``, ``batch``,
        ``lr``, ``seed``, ``rehearse``, ``threads``, ``memory``.

        >>> grown = model.add([("Zembla", "threatens", "Taresse", "2024-01-01")], progress=False)
        >>> "Zembla" in grown.entity_names, "Zembla" in model.entity_names
        (True, False)
        """
        return _growth.grown(self, facts, progress, options)

    def neighbours(self, entity: str, top: int = 10) -> Table:
        """The entities nearest to one, by the cosine of their embeddings.

        >>> len(model.neighbours("Taresse", top=3))
        3
        """
        found = self._core.neighbours(entity, top)
        columns = {"name": [n for n, _ in found], "similarity": [s for _, s in found]}
        return Table(columns, "Neighbour")

    def facts_of(self, entity: str, top: int = 10) -> Table:
        """The latest facts of an entity, on either side, among those that the model knows.

        >>> model.facts_of("Taresse", top=2).columns
        ['subject', 'relation', 'object', 'time', 'end', 'split']
        """
        self._needed_facts(None, "facts_of")
        rows, _ = self._knowing().facts_of(entity, top)
        names = ("subject", "relation", "object", "time", "end", "split")
        return Table({name: [row[i] for row in rows] for i, name in enumerate(names)}, "DatedFact")

    def geometry(
        self,
        relation: str,
        time: Time = None,
        *,
        event: Literal["start", "end"] = "start",
        top: int = 5,
        untrained: bool = False,
    ) -> Record:
        """What a relation does to entities at a time, and which relations are like it.

        >>> shape = model.geometry("threatens", "2022-01-03")
        >>> -1 <= shape.symmetry <= 1, len(shape.nearest)
        (True, 5)
        """
        if event not in ("start", "end"):
            raise ValueError(f'event is "start" or "end", not {event!r}')
        question = one_question(None, relation, None, time)
        if question is None:
            raise TypeError("geometry() takes one relation and one time")
        found = self._core.geometry(question[1], question[3], event == "end", top, untrained)
        return Record(json.loads(found))

    def export(self, directory: Path, *, format: str = "npy", tables: Any = ()) -> list[str]:
        """Writes embeddings with their names: npy, csv or projector.

        >>> model.export("vectors", tables=["entity"])
        ['vectors/entity.npy', 'vectors/entity.names.txt']
        """
        return list(self._core.export(os.fspath(directory), format, list(tables)))

    def serve(self, *, host: str = "127.0.0.1", port: int = 0, token: str = "") -> "Server":
        """Answers over HTTP, with a page to ask on, until ``stop()``.

        >>> with model.serve() as server:
        ...     server.url.startswith("http://127.0.0.1:")
        True
        """
        from orrery._serving import Server

        return Server(self, host, port, token)

    def plot(self, ax: Any = None) -> Any:
        """Loss and validation MRR by epoch, with matplotlib."""
        from orrery import _plot

        return _plot.training(self, ax)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: object) -> "Model":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (_growth.restored, (_growth.file_bytes(self), self._facts))

    def __repr__(self) -> str:
        card = self._core.card()
        kind = card["model"] if card["mixture"] else f"{card['model']}, dim {card['dim']:,}"
        return (
            f"Model({kind}, {card['parameters']:,} parameters; {card['entities']:,} entities, "
            f"{card['relations']:,} relations, {card['times']:,} times)"
        )

    def _repr_html_(self) -> str:
        from orrery import _html

        return _html.card(self)
