"""Data frames of pandas, with all that is found in them."""

from __future__ import annotations

import datetime
from typing import Any

import numpy
import pytest

import orrery

pandas = pytest.importorskip("pandas")


def frame(**columns: Any) -> Any:
    """Four facts, whose columns may be given otherwise."""
    plain = {
        "subject": ["Ada", "Bo", "Cy", "Ada"],
        "relation": ["calls", "visits", "calls", "calls"],
        "object": ["Bo", "Cy", "Ada", "Cy"],
        "time": ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"],
    }
    return pandas.DataFrame({**plain, **columns})


def read(data: Any, **options: Any) -> orrery.Dataset:
    return orrery.Dataset(data, split="100/0/0", granularity="day", **options)


@pytest.fixture(scope="module")
def plain() -> orrery.Dataset:
    return read([tuple(row) for row in frame().itertuples(index=False)])


DATES = ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]
TIMES = {
    "datetime64[ns]": pandas.to_datetime(DATES),
    "datetime64[s]": pandas.to_datetime(DATES).astype("datetime64[s]"),
    "datetime64[ms]": pandas.to_datetime(DATES).astype("datetime64[ms]"),
    "datetime64[us]": pandas.to_datetime(DATES).astype("datetime64[us]"),
    "UTC": pandas.to_datetime(DATES).tz_localize("UTC"),
    "zone": pandas.to_datetime([d + "T09:00" for d in DATES]).tz_localize("Asia/Tokyo"),
    "period": pandas.PeriodIndex(DATES, freq="D"),
    "date": [datetime.date.fromisoformat(d) for d in DATES],
    "datetime": pandas.Series([datetime.datetime.fromisoformat(d) for d in DATES], dtype=object),
    "Timestamp": pandas.Series([pandas.Timestamp(d) for d in DATES], dtype=object),
    "numpy": pandas.Series([numpy.datetime64(d) for d in DATES], dtype=object),
    "category of texts": pandas.Categorical(DATES),
    "category of moments": pandas.Categorical(pandas.to_datetime(DATES)),
    "string": pandas.array(DATES, dtype="string"),
    "interval's ends": pandas.Series(DATES, dtype="object"),
}


@pytest.mark.parametrize("kind", TIMES)
def test_every_kind_of_time(kind: str, plain: orrery.Dataset) -> None:
    assert read(frame(time=TIMES[kind])).fingerprint == plain.fingerprint


@pytest.mark.parametrize("dtype", ["object", "string", "category", "str"])
def test_every_kind_of_name(dtype: str, plain: orrery.Dataset) -> None:
    made = frame()
    for title in ("subject", "relation", "object"):
        made[title] = made[title].astype(dtype)
    assert read(made) == plain


def test_arrow_backed_columns(plain: orrery.Dataset) -> None:
    pytest.importorskip("pyarrow")
    assert read(frame().astype("string[pyarrow]")) == plain
    typed = frame(time=pandas.to_datetime(DATES)).convert_dtypes(dtype_backend="pyarrow")
    assert read(typed) == plain


def test_a_category_that_no_row_has(plain: orrery.Dataset) -> None:
    subject = pandas.Categorical(["Ada", "Bo", "Cy", "Ada"], categories=["Zoe", "Cy", "Bo", "Ada"])
    assert read(frame(subject=subject)).entity_names == ("Ada", "Bo", "Cy")


def test_indexes_are_no_part_of_facts(plain: orrery.Dataset) -> None:
    data = frame()
    assert read(data.set_index(pandas.Index([7, 7, 3, 1]))) == plain
    assert read(data.iloc[::-1]) == plain
    assert read(data[["time", "object", "relation", "subject"]]) == plain
    assert read(data.assign(note=[1.5, None, {}, ["x"]])) == plain
    assert read(data.assign(weight=[0.5, 1, 2, numpy.inf], flag=[True, False, True, True])) == plain


def test_names_that_are_numbers() -> None:
    whole = read(frame(subject=[1, 2, 3, 1], object=[2, 3, 1, 3]))
    assert whole.entity_names == ("1", "2", "3")
    assert read(frame(subject=[1.0, 2.0, 3.0, 1.0], object=[2, 3, 1, 3])) == whole
    nullable = pandas.array([1, 2, 3, 1], dtype="Int64")
    assert read(frame(subject=nullable, object=numpy.array([2, 3, 1, 3], numpy.int8))) == whole
    with pytest.raises(orrery.Error, match="the column 'subject' holds 1.5, neither a name nor"):
        read(frame(subject=[1.5, 2.0, 3.0, 1.0]))
    with pytest.raises(orrery.Error, match="True"):
        read(frame(subject=[True, False, True, True]))


@pytest.mark.parametrize("nothing", [None, numpy.nan, pandas.NA, pandas.NaT, ""])
@pytest.mark.parametrize("title", ["subject", "relation", "object", "time"])
def test_a_gap_is_refused_with_its_row(title: str, nothing: Any) -> None:
    column = frame()[title].tolist()
    column[2] = nothing
    data = frame(**{title: pandas.Series(column, dtype=object)})
    with pytest.raises(orrery.Error) as caught:
        read(data)
    assert caught.value.place == "facts:3" and caught.value.kind == "request"
    kept = read(data, skip_bad=True)
    assert len(kept) == 3 and kept.bad_lines == 1


def test_missing_moments_are_open_ends() -> None:
    data = frame().drop(columns="time")
    data["start"] = pandas.to_datetime(DATES)
    data["end"] = pandas.to_datetime(["2024-01-08", None, "2024-01-09", None])
    terms = read(data)
    assert terms.intervals
    assert (terms.time_ids("train")[:, 1] == -1).sum() == 2
    codes = data.assign(end=["2024-01-08", None, "2024-01-09", None])
    assert read(codes) == terms
    aware = data.assign(end=data["end"].dt.tz_localize("UTC"))
    assert read(aware) == terms


def test_years_with_gaps_come_as_reals() -> None:
    data = frame().drop(columns="time")
    data["start"] = [2001, 2002, 2003, 2004]
    data["end"] = [2005, None, 2004, None]
    assert data["end"].dtype == float
    terms = orrery.Dataset(data, split="100/0/0")
    assert sorted(terms.time_names)[:2] == ["2001", "2002"]
    assert (terms.time_ids("train")[:, 1] == -1).sum() == 2


def test_time_zones_are_moments_of_one_clock() -> None:
    moments = pandas.to_datetime([f"{date}T00:30" for date in DATES])
    tokyo = orrery.Dataset(
        frame(time=moments.tz_localize("Asia/Tokyo")), split="100/0/0", granularity="day"
    )
    assert tokyo.time_names[0] == "2024-01-01"  # half past midnight there is the day before in UTC
    mixed = [m.tz_localize(z) for m, z in zip(moments, ["UTC", "UTC", "Asia/Tokyo", "UTC"])]
    assert read(frame(time=pandas.Series(mixed, dtype=object))).times >= 3


def test_titles_given_twice_and_in_levels() -> None:
    twice = pandas.concat([frame(), frame()[["subject"]]], axis=1)
    with pytest.raises(orrery.Error, match="subject"):
        read(twice)
    levels = frame()
    levels.columns = pandas.MultiIndex.from_product([["fact"], levels.columns])
    with pytest.raises(orrery.Error):
        read(levels)
    numbered = frame()
    numbered.columns = range(4)
    assert len(read(numbered)) == 4


def test_empty_frames() -> None:
    with pytest.raises((ValueError, orrery.Error), match="no facts|no rows|empty"):
        read(frame().iloc[:0])
    with pytest.raises((ValueError, orrery.Error)):
        read(pandas.DataFrame())


def test_a_frame_of_questions_with_moments(model: orrery.Model) -> None:
    questions = pandas.DataFrame(
        {
            "subject": pandas.Categorical(["Ada", "Bo"]),
            "relation": ["calls", "visits"],
            "time": pandas.to_datetime(["2024-02-03", "2024-02-04"]),
        },
        index=[9, 4],
    )
    answers = model.predict(questions=questions, top=2)
    assert [a.time for a in answers] == ["2024-02-03", "2024-02-04"]
    assert answers[0][0] == model.predict("Ada", "calls", time="2024-02-03", top=2)[0]
