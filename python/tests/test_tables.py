"""Tables are sequences by themselves."""

from __future__ import annotations

import pytest

import orrery


def made() -> orrery.Table:
    return orrery.Table({"name": ["a", "b", "c"], "score": [1.0, None, 2.5]}, "Thing")


def test_rows_and_columns() -> None:
    table = made()
    assert len(table) == 3 and table.columns == ["name", "score"]
    assert table[0].name == "a" and table[-1] == ("c", 2.5) and table["score"] == [1.0, None, 2.5]
    assert table[1:]["name"] == ["b", "c"] and isinstance(table[1:], orrery.Table)
    assert [row.name for row in table] == ["a", "b", "c"] and ("b", None) in table
    assert table == made() and table != table[1:] and table != 3
    with pytest.raises(KeyError, match="there are name, score"):
        table["rank"]
    with pytest.raises(IndexError, match="3 rows"):
        table[3]
    with pytest.raises(ValueError, match="differ in length"):
        orrery.Table({"a": [1], "b": []})
    with pytest.raises(TypeError):
        hash(table)


def test_odd_tables() -> None:
    empty = orrery.Table({"name": []})
    assert len(empty) == 0 and list(empty) == [] and repr(empty) == "name"
    assert orrery.Table({"class": [1], "a b": [2]})[0] == (1, 2)
    assert len(orrery.Table({})) == 0 and repr(orrery.Table({})) == ""
    long = orrery.Table({"n": list(range(100))})
    assert "80 more rows" in repr(long) and "80 more rows" in long._repr_html_()
    assert orrery.Table({"n": ["<b>"]})._repr_html_().count("<b>") == 0


def test_data_frames() -> None:
    table = made()
    pandas = pytest.importorskip("pandas")
    assert table.to_pandas().equals(pandas.DataFrame(table.to_dict()))
    polars = pytest.importorskip("polars")
    assert table.to_polars()["score"].to_list() == [1.0, None, 2.5]
    pyarrow = pytest.importorskip("pyarrow")
    assert table.to_arrow().to_pydict() == table.to_dict() == pyarrow.table(table).to_pydict()
    assert polars.DataFrame(table).height == 3


def test_records() -> None:
    record = orrery.Record({"a": 1, "b": {"c": [1, {"d": 2}]}, "values": 3})
    assert record.a == 1 and record.b.c[1].d == 2 and record["values"] == 3
    assert dict(record)["a"] == 1 and record.to_dict()["b"] == {"c": [1, {"d": 2}]}
    assert "a" in record and len(record) == 3 and "b" in dir(record)
    with pytest.raises(AttributeError, match="cannot be changed"):
        record.a = 2
    with pytest.raises(KeyError):
        record["z"]
    assert not hasattr(record, "_repr_html_") and not hasattr(record, "z")
