"""Tables of embeddings are views."""

from __future__ import annotations

import gc
import pickle
import resource
from typing import Any

import numpy
import pytest

import orrery
from conftest import SMALL


def test_views_are_views(model: orrery.Model) -> None:
    one, two = model.embeddings["entity"], model.embeddings["entity"]
    assert one.ctypes.data == two.ctypes.data and numpy.shares_memory(one, two)
    assert one.shape[0] == 10 and one.dtype == numpy.float32 and not one.flags.owndata
    assert one.names == model.entity_names and two[3].tolist() == one[3].tolist()


def test_memory_does_not_grow() -> None:
    rows = [(f"e{i}", "r", f"e{i * 7 % 20_000}", f"2024-01-0{i % 5 + 1}") for i in range(20_000)]
    model = orrery.train(orrery.Dataset(rows, split="100/0/0"), **{
        **SMALL, "dim": 64, "epochs": 1, "batch": 2000, "eval_every": 0, "model": "complex",
    })
    size = model.embeddings["entity"].nbytes
    assert size > 5e6
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held = [numpy.asarray(model._core.embeddings("entity")) for _ in range(200)]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * 1024 < size and len({table.ctypes.data for table in held}) == 1


def test_they_are_read_only(model: orrery.Model) -> None:
    table = model.embeddings["entity"]
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1
    with pytest.raises(ValueError):
        table.flags.writeable = True
    with pytest.raises(ValueError):
        numpy.asarray(table)[0, 0] = 1
    with pytest.raises(ValueError):
        table += 1
    copy = table.copy()
    copy[0, 0] = 5
    assert copy[0, 0] == 5 and table[0, 0] != 5


def test_they_outlive_the_model(facts: orrery.Dataset) -> None:
    model = orrery.train(facts, **SMALL)
    table = model.embeddings["entity"]
    kept = table.tolist()
    del model
    gc.collect()
    [orrery.train(facts, **{**SMALL, "epochs": 1, "seed": s}) for s in range(3)]
    assert table.tolist() == kept


def test_arithmetic(model: orrery.Model) -> None:
    table = model.embeddings["entity"]
    norms = numpy.linalg.norm(table, axis=1)
    unit = table / norms[:, None]
    assert numpy.allclose((numpy.asarray(unit) ** 2).sum(axis=1), 1, atol=1e-5)
    cosines = unit @ unit.T
    near = model.neighbours("Ada", top=3)
    order = numpy.argsort(-numpy.asarray(cosines)[model.entity_names.index("Ada")])
    assert [n.name for n in near] == [model.entity_names[i] for i in order[1:4]]
    assert float(table.mean()) == pytest.approx(float(numpy.asarray(table).mean()))
    assert numpy.exp(table).shape == table.shape and numpy.vstack([table, table]).shape[0] == 20


def test_names_stay_with_the_whole_table_only(model: orrery.Model) -> None:
    table = model.embeddings["entity"]
    for changed in (table[::-1], table[[1, 0, *range(2, 10)]], numpy.sort(table, axis=0), table[:3],
                    table + 1, table.T, table[0]):
        assert changed.names == ()


def test_they_are_a_mapping(model: orrery.Model) -> None:
    tables = model.embeddings
    assert set(tables) == {info["name"] for info in model._core.card()["embeddings"]}
    assert len(tables) == len(list(tables)) and "entity" in tables and "nobody" not in tables
    with pytest.raises(KeyError, match="there are entity"):
        tables["nobody"]
    assert "entity: 10 × " in repr(tables)
    sizes = sum(table.size for table in tables.values())
    assert sizes == model.card.parameters


def test_pickles_of_tables(model: orrery.Model) -> None:
    table = model.embeddings["entity"]
    again = pickle.loads(pickle.dumps(table))
    assert numpy.array_equal(again, table) and again.dtype == table.dtype
    assert again.names == table.names


def test_dlpack(model: orrery.Model) -> None:
    table = model.embeddings["entity"]
    assert numpy.array_equal(numpy.from_dlpack(table), table)
    torch = pytest.importorskip("torch")
    tensor = torch.from_dlpack(table)
    assert tensor.shape == table.shape and tensor[0].tolist() == table[0].tolist()
    tensor[0, 0] += 1  # a copy: the model stays as it is
    assert model.embeddings["entity"][0, 0] != tensor[0, 0]


def test_interval_and_mixed_models(term_model: orrery.Model) -> None:
    tables: Any = term_model.embeddings
    assert all(table.shape[0] == len(table.names) for table in tables.values())
