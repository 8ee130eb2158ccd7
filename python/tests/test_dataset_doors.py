"""The same facts by every door are the same facts."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, NamedTuple

import numpy
import pytest

import orrery


class Meeting(NamedTuple):
    subject: str
    relation: str
    object: str
    time: str


@dataclasses.dataclass
class Met:
    subject: str
    relation: str
    object: str
    time: str


def as_tuples(rows: list[Any]) -> Any:
    return rows


def as_lists(rows: list[Any]) -> Any:
    return [list(row) for row in rows]


def as_named(rows: list[Any]) -> Any:
    return [Meeting(*row) for row in rows]


def as_data_classes(rows: list[Any]) -> Any:
    return [Met(*row) for row in rows]


def as_dicts(rows: list[Any]) -> Any:
    return [Meeting(*row)._asdict() for row in rows]


def as_columns(rows: list[Any]) -> Any:
    return {title: list(column) for title, column in zip(Meeting._fields, zip(*rows))}


def as_arrays(rows: list[Any]) -> Any:
    return {title: numpy.array(column) for title, column in as_columns(rows).items()}


def as_generator(rows: list[Any]) -> Any:
    return (row for row in rows)


def as_text_array(rows: list[Any]) -> Any:
    return numpy.array(rows)


def as_object_array(rows: list[Any]) -> Any:
    return numpy.array(rows, dtype=object)


def as_pandas(rows: list[Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(as_columns(rows))


def as_polars(rows: list[Any]) -> Any:
    return pytest.importorskip("polars").DataFrame(as_columns(rows))


def as_arrow(rows: list[Any]) -> Any:
    return pytest.importorskip("pyarrow").table(as_columns(rows))


def as_own_table(rows: list[Any]) -> Any:
    return orrery.Table(as_columns(rows), "Fact")


def as_duckdb(rows: list[Any]) -> Any:
    duckdb = pytest.importorskip("duckdb")
    table = as_arrow(rows)
    return duckdb.connect().from_arrow(table)


DOORS = [value for name, value in sorted(globals().items()) if name.startswith("as_")]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_door_leads_to_the_same_facts(
    door: Any, facts: orrery.Dataset, splits: dict[str, list[Any]]
) -> None:
    made = orrery.Dataset(
        door(splits["train"]), valid=door(splits["valid"]), test=door(splits["test"])
    )
    assert made.fingerprint == facts.fingerprint
    assert made == facts and hash(made) == hash(facts)
    assert made.entity_names == facts.entity_names
    assert sorted(made.train) == sorted(facts.train)
    assert made.source is None and facts.source is not None


def test_ids_with_names(facts: orrery.Dataset) -> None:
    names = {
        "entity": facts.entity_names,
        "relation": facts.relation_names,
        "time": facts.time_names,
    }
    parts = [
        numpy.column_stack([facts.ids(split), facts.time_ids(split)[:, 0]])
        for split in ("train", "valid", "test")
    ]
    made = orrery.Dataset(parts[0], valid=parts[1], test=parts[2], names=names)
    assert made.fingerprint == facts.fingerprint
    narrow = [part.astype(numpy.uint8) for part in parts]
    assert orrery.Dataset(narrow[0], valid=narrow[1], test=narrow[2], names=names) == made
    lists = {what: list(which) for what, which in names.items()}
    assert orrery.Dataset(parts[0][::-1], valid=parts[1], test=parts[2], names=lists) == made


def test_ids_without_names_are_their_own_names() -> None:
    ids = numpy.array([[0, 0, 1, 2001], [1, 0, 2, 2002], [2, 0, 0, 2003]], numpy.int64)
    made = orrery.Dataset(ids, split="100/0/0")
    assert made.entity_names == ("0", "1", "2")
    assert made.time_names == ("2001", "2002", "2003")


def test_ids_beyond_the_names_are_refused() -> None:
    names = {"entity": ["a", "b"], "relation": ["r"]}
    with pytest.raises(ValueError, match="ids of object go from 0 to 7, and there are 2 names"):
        orrery.Dataset(numpy.array([[0, 0, 7, 2001], [1, 0, 0, 2002]]), names=names)
    with pytest.raises(TypeError, match="ids of subject must be integers, not float64"):
        orrery.Dataset(numpy.array([[0.5, 0, 1, 2001]]), names=names)
    with pytest.raises(ValueError, match="there is no 'entities'"):
        orrery.Dataset(numpy.array([[0, 0, 1, 2001]]), names={"entities": ["a", "b"]})
    with pytest.raises(TypeError, match="names are for an array of ids"):
        orrery.Dataset([("a", "r", "b", "2001")], names=names)


def test_intervals_with_open_ends(
    terms: orrery.Dataset, interval_folder: pathlib.Path, columns_of: Any
) -> None:
    from conftest import file_rows

    parts = [columns_of(file_rows(interval_folder, s)) for s in ("train", "valid", "test")]
    made = orrery.Dataset(parts[0], valid=parts[1], test=parts[2])
    assert made.intervals and made.fingerprint == terms.fingerprint
    gaps = [
        {title: [text or None for text in column] for title, column in part.items()}
        for part in parts
    ]
    again = orrery.Dataset(gaps[0], valid=gaps[1], test=gaps[2])
    assert again.fingerprint == terms.fingerprint
    open_ended = [fact for fact in again.train if not fact.end or "#" in fact.end]
    assert len(open_ended) == sum(end is None for end in gaps[0]["end"])
    numbers = [
        {
            title: [float(text) if text else float("nan") for text in column]
            if title in ("start", "end")
            else column
            for title, column in part.items()
        }
        for part in parts
    ]
    assert orrery.Dataset(numbers[0], valid=numbers[1], test=numbers[2]) == terms


def test_columns_as_dict_and_as_text(splits: dict[str, list[Any]], facts: orrery.Dataset) -> None:
    rows = [row for split in splits.values() for row in split]
    odd = {
        "who": [r[0] for r in rows],
        "does": [r[1] for r in rows],
        "whom": [r[2] for r in rows],
        "noted on": [r[3] for r in rows],
        "remark": ["", None] * (len(rows) // 2),
    }
    roles = {"subject": "who", "relation": "does", "object": "whom", "time": "noted on"}
    by_dict = orrery.Dataset(odd, columns=roles, split="100/0/0")
    by_text = orrery.Dataset(
        odd, columns="subject=who,relation=does,object=whom,time=noted on", split="100/0/0"
    )
    assert len(by_dict) == len(rows) and by_dict == by_text
    assert "who" in by_dict.understood["columns"]
    with pytest.raises(orrery.OptionError) as caught:
        orrery.Dataset(odd, columns={**roles, "subject": "nobody"})
    assert caught.value.option == "columns" and "nobody" in str(caught.value)
    with pytest.raises(orrery.OptionError, match="rename it"):
        orrery.Dataset({**odd, "a,b": odd["who"]}, columns={**roles, "subject": "a,b"})


def test_split_options(splits: dict[str, list[Any]]) -> None:
    rows = [row for split in splits.values() for row in split]
    cut = orrery.Dataset(rows, split="60/20/20", split_by="time")
    assert len(cut) == len(rows) and abs(len(cut.train) - 144) < 9  # no time is cut in two
    assert max(cut.train["time"]) <= min(cut.test["time"])
    one, two = (orrery.Dataset(rows, split="80/10/10", seed=seed) for seed in (1, 2))
    assert one != two and one == orrery.Dataset(rows, split="80/10/10", seed=1)
    again = one.split("50/25/25", by="time")
    assert len(again) == len(rows) and len(again.train) < len(one.train)


def test_a_file_and_its_path(tmp_path: pathlib.Path, splits: dict[str, list[Any]]) -> None:
    rows = [row for split in splits.values() for row in split]
    path = tmp_path / "facts.csv"
    path.write_text("subject,relation,object,time\n" + "".join(",".join(r) + "\n" for r in rows))
    by_file = orrery.Dataset(path, seed=1)
    assert by_file == orrery.Dataset(str(path), seed=1) == orrery.Dataset(rows, seed=1)
    assert by_file.source == str(path)


def test_a_written_data_set_reads_back(
    tmp_path: pathlib.Path, facts: orrery.Dataset, terms: orrery.Dataset
) -> None:
    for number, data in enumerate((facts, terms)):
        files = data.write(tmp_path / str(number))
        assert files and all(pathlib.Path(file).exists() for file in files)
        assert orrery.Dataset(tmp_path / str(number)) == data


def test_a_benchmark_by_name(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are not what the catalogue says are never taken for the set."""
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")  # a folder of that name here would be the data
    (tmp_path / "icews14").mkdir()
    (tmp_path / "icews14" / "train.txt").write_text("Ada\tcalls\tBo\t2014-01-01\n")
    with pytest.raises(orrery.Error) as caught:
        orrery.Dataset("icews14", progress=False)
    assert "icews14" in str(caught.value)
    with pytest.raises(orrery.Error, match="icews14"):
        orrery.Dataset("icews41", progress=False)


def test_columns_of_every_kind_in_a_dict(splits: dict[str, list[Any]]) -> None:
    rows = splits["train"]
    plain = as_columns(rows)
    wanted = orrery.Dataset(plain, split="100/0/0")
    for unit in ("D", "h", "s", "ms", "us", "ns"):
        times = numpy.array(plain["time"], dtype=f"datetime64[{unit}]")
        assert orrery.Dataset({**plain, "time": times}, split="100/0/0") == wanted, unit
        objects = [numpy.datetime64(time, unit) for time in plain["time"]]
        assert orrery.Dataset({**plain, "time": objects}, split="100/0/0") == wanted, unit
    pandas = pytest.importorskip("pandas")
    mixed = {
        "subject": pandas.Series(plain["subject"], dtype="category", index=range(5, 197)),
        "relation": pytest.importorskip("polars").Series(plain["relation"]),
        "object": pytest.importorskip("pyarrow").array(plain["object"]),
        "time": pandas.DatetimeIndex(plain["time"]),
    }
    assert orrery.Dataset(mixed, split="100/0/0") == wanted


def test_ids_are_views(facts: orrery.Dataset) -> None:
    one, two = facts.ids("train"), facts.ids("train")
    assert one.ctypes.data == two.ctypes.data
    with pytest.raises(ValueError):
        one[0, 0] = 3
    first = facts.train[0]
    assert facts.entity_names[one[0, 0]] == first.subject
    assert facts.time_names[facts.time_ids("train")[0, 0]] == first.time
