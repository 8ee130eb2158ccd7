"""Tables of pyarrow, polars and DuckDB."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import orrery

pyarrow = pytest.importorskip("pyarrow")

ROWS = [
    ("Ada", "calls", "Bo", "2024-01-02"),
    ("Bo Bobson, the thirteenth of his name", "visits", "Cy", "2024-01-03"),
    ("Cy", "calls", "Ada", "2024-01-04"),
    ("Ada", "calls", "Cy", "2024-01-05"),
    ("Ünal Ö", "visits", "Bo", "2024-01-05"),
]
DAYS = [datetime.date.fromisoformat(row[3]) for row in ROWS]
TITLES = ["subject", "relation", "object", "time"]


def read(data: Any, **options: Any) -> orrery.Dataset:
    return orrery.Dataset(data, split="100/0/0", granularity="day", **options)


def table(**columns: Any) -> Any:
    plain = {title: list(column) for title, column in zip(TITLES, zip(*ROWS))}
    return pyarrow.table({**plain, **columns})


@pytest.fixture(scope="module")
def plain() -> orrery.Dataset:
    return read(ROWS)


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_texts_of_every_layout(kind: str, plain: orrery.Dataset) -> None:
    made = table()
    for i, title in enumerate(TITLES):
        column = made[title]
        cast = (
            column.dictionary_encode()
            if kind == "dictionary"
            else column.cast(getattr(pyarrow, kind)())
        )
        made = made.set_column(i, title, cast)
    assert read(made) == plain


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_slices_and_chunks(kind: str, plain: orrery.Dataset) -> None:
    def typed(values: list[Any]) -> Any:
        if kind == "dictionary":
            return pyarrow.array(values, pyarrow.string()).dictionary_encode()
        return pyarrow.array(values, getattr(pyarrow, kind)())

    columns = {}
    for title, column in zip(TITLES, zip(*ROWS)):
        padded = typed(["before", None, *column[:3], "after"])
        rest = typed([None, *column[3:], None, "after"])
        columns[title] = pyarrow.chunked_array(
            [padded.slice(2, 3), padded.slice(0, 0), rest.slice(1, 2)]
        )
    made = pyarrow.table(columns)
    assert made.num_rows == 5 and read(made) == plain
    assert read(made.slice(1, 3)) == read(ROWS[1:4])
    batches = pyarrow.RecordBatchReader.from_batches(made.schema, made.to_batches())
    assert read(batches) == plain
    if kind != "dictionary":
        assert read(made.to_batches()[0]) == read(ROWS[:3])


@pytest.mark.parametrize("code", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
def test_codes_of_every_width(code: str, plain: orrery.Dataset) -> None:
    kind = pyarrow.dictionary(getattr(pyarrow, code)(), pyarrow.string())
    subjects = pyarrow.array([row[0] for row in ROWS]).cast(kind)
    assert read(table(subject=subjects)) == plain


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
def test_moments_of_every_unit(unit: str, zone: Any, plain: orrery.Dataset) -> None:
    at = datetime.datetime.min.time()
    moments = [datetime.datetime.combine(day, at) for day in DAYS]
    column = pyarrow.array(moments, pyarrow.timestamp(unit, zone))
    made = read(table(time=column))
    assert made == plain
    seconds = [moment + datetime.timedelta(hours=3, seconds=5) for moment in moments]
    later = pyarrow.array(seconds, pyarrow.timestamp(unit, zone))
    exact = orrery.Dataset(table(time=later), split="100/0/0", granularity="second")
    assert exact.time_names[0] == "2024-01-02T03:00:05"


@pytest.mark.parametrize("kind", ["date32", "date64"])
def test_dates(kind: str, plain: orrery.Dataset) -> None:
    assert read(table(time=pyarrow.array(DAYS, getattr(pyarrow, kind)()))) == plain


def test_dates_before_christ_and_the_epoch() -> None:
    days = pyarrow.array([-1, 0, -800_000, 5, 40_000], pyarrow.int32()).cast(pyarrow.date32())
    made = read(table(time=days))
    assert made.time_names == ("-221-09-04", "1969-12-31", "1970-01-01", "1970-01-06",
                               "2079-07-08")


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_numbers_as_names(kind: str) -> None:
    numbers = pyarrow.array([1, 2, 3, 1, 5], getattr(pyarrow, kind)())
    assert read(table(subject=numbers)).entity_names[:2] == ("1", "2")


def test_nulls_are_gaps() -> None:
    with pytest.raises(orrery.Error) as caught:
        read(table(subject=["Ada", None, "Cy", "Ada", "Bo"]))
    assert caught.value.place == "facts:2"
    nothing = pyarrow.nulls(5)
    with pytest.raises(orrery.Error):
        read(table(object=nothing))
    made = table().drop_columns(["time"]).append_column("start", table()["time"])
    terms = read(made.append_column("end", nothing))
    assert terms.intervals and (terms.time_ids("train")[:, 1] == -1).all()


def test_columns_that_are_no_part_of_facts(plain: orrery.Dataset) -> None:
    nested = pyarrow.array([[1], [], None, [2, 3], [4]])
    assert read(table(numbers=nested, flag=[True, False, None, True, True])) == plain
    weights = pyarrow.array([0.5, 2.0, None, 1.25, float("inf")])
    assert read(table(weight=weights)) == plain
    with pytest.raises(orrery.Error, match=r"'subject' holds values of the Arrow type '\+l'"):
        read(table(subject=nested))
    with pytest.raises(orrery.Error, match="'subject' holds the number 0.5"):
        read(table(subject=weights))


def test_titles_and_sizes() -> None:
    with pytest.raises((ValueError, orrery.Error)):
        read(table().slice(0, 0))
    with pytest.raises(orrery.Error, match="subject"):
        read(table().append_column("subject", table()["subject"]))


def test_polars(plain: orrery.Dataset) -> None:
    polars = pytest.importorskip("polars")
    data = polars.DataFrame({t: list(c) for t, c in zip(TITLES, zip(*ROWS))})
    assert read(data) == plain
    names = sorted(set(data["subject"]))
    typed = data.with_columns(
        polars.col("subject").cast(polars.Enum(names)),
        polars.col("relation").cast(polars.Categorical),
        polars.col("time").str.to_date(),
    )
    assert read(typed) == plain
    for unit in ("ms", "us", "ns"):
        moments = typed.with_columns(polars.col("time").cast(polars.Datetime(unit)))
        assert read(moments) == plain
        zoned = moments.with_columns(polars.col("time").dt.replace_time_zone("Asia/Tokyo"))
        assert read(zoned).time_names[0] == "2024-01-01"
    assert read(polars.concat([data[:2], data[2:]], rechunk=False)) == plain
    assert read(data[1:4]) == read(ROWS[1:4])
    with pytest.raises(orrery.Error) as caught:
        read(data.with_columns(relation=polars.lit(None)))
    assert caught.value.place == "facts:1"


def test_a_lazy_frame_is_refused() -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"collect\(\)"):
        read(polars.DataFrame({"subject": ["a"]}).lazy())


def test_duckdb(plain: orrery.Dataset) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("create table f (subject text, relation text, object text, time date)")
    connection.executemany("insert into f values (?, ?, ?, ?)", ROWS)
    assert read(connection.sql("select * from f")) == plain
    late = connection.sql("select * from f where time > date '2024-01-02'")
    assert read(late) == read(ROWS[1:])
