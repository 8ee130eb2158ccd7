"""To and from other libraries, where they are installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional

from orrery._dataset import Dataset


def to_networkx(facts: Dataset, split: Optional[str] = None) -> Any:
    """A networkx MultiDiGraph: an edge a fact, with relation, time (or start and end) and split.

    >>> import networkx
    >>> to_networkx(facts, "train").number_of_edges()
    20937
    """
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(facts.entity_names)
    for name in [split] if split else ["train", "valid", "test"]:
        for fact in facts.facts(name):
            parts = fact._asdict()
            subject, object = parts.pop("subject"), parts.pop("object")
            graph.add_edge(subject, object, key=None, split=name, **parts)
    return graph


def from_pykeen(factory: Any, *, time: Any = "2000", **reading: Any) -> Dataset:
    """A PyKEEN TriplesFactory as facts that all have one time, since its triples have none.

    ``factory``: one TriplesFactory, or (training, validation, testing). ``time``: that date.
    """
    factories = factory if isinstance(factory, (list, tuple)) else [factory]
    if not 1 <= len(factories) <= 3:
        raise ValueError("give a TriplesFactory, or training, validation and testing")
    columns = []
    for one in factories:
        labels = {i: label for label, i in one.entity_to_id.items()}
        relations = {i: label for label, i in one.relation_to_id.items()}
        triples = one.mapped_triples.tolist()
        columns.append(
            {
                "subject": [labels[s] for s, _, _ in triples],
                "relation": [relations[r] for _, r, _ in triples],
                "object": [labels[o] for _, _, o in triples],
                "time": [time] * len(triples),
            }
        )
    parts = [*columns, None, None][:3]
    return Dataset(parts[0], valid=parts[1], test=parts[2], **reading)


def to_pykeen(facts: Dataset, split: str = "train") -> Any:
    """A PyKEEN TriplesFactory of a split; its facts lose their times."""
    import numpy
    from pykeen.triples import TriplesFactory

    entity_to_id = {name: i for i, name in enumerate(facts.entity_names)}
    relation_to_id = {name: i for i, name in enumerate(facts.relation_names)}
    table = facts.facts(split)
    triples = numpy.array([(f.subject, f.relation, f.object) for f in table], dtype=str)
    return TriplesFactory.from_labeled_triples(
        triples, entity_to_id=entity_to_id, relation_to_id=relation_to_id
    )


def from_graphiti(edges: Iterable[Any], nodes: Iterable[Any] = (), **reading: Any) -> Dataset:
    """Graphiti's edges, as live objects or dicts: facts valid from ``valid_at`` to ``invalid_at``.

    ``nodes`` give the names of the edges' ends; without them these are their ids. When a fact was
    learned (``created_at``) and taken back (``expired_at``) is kept for ``as_of``.

    >>> edge = {"source_node_uuid": "Ada", "target_node_uuid": "Acme", "name": "WORKS_FOR",
    ...         "valid_at": "2017-03-01", "invalid_at": None}
    >>> from_graphiti([edge]).train[0]
    Fact(subject='Ada', relation='WORKS_FOR', object='Acme', start='2017-03-01', end='')
    """
    names = {_field(node, "uuid"): _field(node, "name") for node in nodes}
    rows = []
    for edge in edges:
        source, target = _field(edge, "source_node_uuid"), _field(edge, "target_node_uuid")
        rows.append(
            {
                "subject": names.get(source, source),
                "relation": _field(edge, "name"),
                "object": names.get(target, target),
                "start": _field(edge, "valid_at"),
                "end": _field(edge, "invalid_at"),
                "recorded": _field(edge, "created_at"),
                "expired": _field(edge, "expired_at"),
            }
        )
    return Dataset(rows, **reading)


def _field(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, dict) else getattr(thing, name, None)
