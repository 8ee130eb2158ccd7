"""Questions and answers."""

from __future__ import annotations

import datetime
import html
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy
import pytest

import orrery
from conftest import SMALL

ASKED = ("Ada", "calls", None, "2024-02-03")


def test_one_question(model: orrery.Model) -> None:
    answers = model.predict("Ada", "calls", time="2024-02-03", top=3)
    assert answers.asked == "object" and answers.time == "2024-02-03" and answers.note is None
    assert len(answers) == 3 and [a.score for a in answers] == sorted(
        (a.score for a in answers), reverse=True
    )
    best = answers[0]
    assert best.name in model.entity_names and 0 < best.probability <= 1
    assert best == answers[:1][0] == list(answers)[0] == next(iter(answers)) and best in answers
    assert answers[-1] == list(answers)[-1] and list(reversed(answers))[0] == answers[-1]
    with pytest.raises(IndexError):
        answers[3]
    assert answers.interval is None and len(answers.curve) == 0


@pytest.mark.parametrize("missing", ["subject", "relation", "object", "time", "fact"])
def test_any_part_may_be_missing(
    missing: str, model: orrery.Model, program: str, folder: Path, tmp_path: Path
) -> None:
    fact = {"subject": "Ada", "relation": "calls", "object": "Bo", "time": "2024-02-03"}
    fact.pop(missing, None)
    answers = model.predict(**fact, top=4)
    assert answers.asked == missing
    found = answers.to_dict()
    model.save(tmp_path / "model.safetensors")
    told = subprocess.run(
        [program, "predict", tmp_path / "model.safetensors", "--data", folder, "--json", "--top",
         "4", *(word for name, value in fact.items() for word in (f"--{name}", value))],
        capture_output=True, text=True, check=True,
    )
    same = json.loads(told.stdout)
    assert found == (same[0] if isinstance(same, list) else same)
    assert [a["name"] for a in found["answers"]] == [a.name for a in answers]


def test_many_questions_are_the_same_as_one_by_one(model: orrery.Model) -> None:
    subjects = list(model.entity_names)
    times = ["2024-02-03", "2024-02-04"] * 5
    many = model.predict(subjects, "calls", time=times, top=3)
    assert len(many) == 10
    for i, answers in enumerate(many):
        alone = model.predict(subjects[i], "calls", time=times[i], top=3)
        assert [a.name for a in answers] == [a.name for a in alone]
        assert numpy.allclose([a.score for a in answers], [a.score for a in alone], rtol=1e-5)
        assert answers.to_dict()["subject"] == subjects[i]
    table = many.to_table()
    assert len(table) == 30 and table["question"][:4] == [0, 0, 0, 1] and table[0].rank == 1
    assert [a.time for a in many[2:4]] == [many[2].time, many[3].time] and len(many[-1]) == 3
    with pytest.raises(IndexError):
        many[10]
    assert "10 questions" in repr(many) and many._repr_html_().startswith("<table>")


def test_questions_in_every_shape(model: orrery.Model) -> None:
    rows = [("Ada", "calls", None, "2024-02-03"), (None, "visits", "Bo", "2024-02-04")]
    titles = ("subject", "relation", "object", "time")
    dicts = [{k: v for k, v in zip(titles, row) if v is not None} for row in rows]
    wanted = [a.to_dict() for a in model.predict(questions=rows, top=2)]
    assert [w["asked"] for w in wanted] == ["object", "subject"]
    assert [a.to_dict() for a in model.predict(questions=dicts, top=2)] == wanted
    columns = {title: list(column) for title, column in zip(titles, zip(*rows))}
    for maker in ("pandas", "polars"):
        library = pytest.importorskip(maker)
        frame = library.DataFrame(columns)
        assert [a.to_dict() for a in model.predict(questions=frame, top=2)] == wanted
    arrow = pytest.importorskip("pyarrow").table(columns)
    assert [a.to_dict() for a in model.predict(questions=arrow, top=2)] == wanted
    typed = pytest.importorskip("pyarrow").table({**columns, "time": [
        datetime.date.fromisoformat(text) for text in columns["time"]]})
    assert [a.to_dict() for a in model.predict(questions=typed, top=2)] == wanted
    assert [a.to_dict() for a in model.predict(questions=columns, top=2)] == wanted
    assert [a.to_dict() for a in model.predict(questions=orrery.Table(columns), top=2)] == wanted
    assert len(model.predict(questions=[])) == 0
    with pytest.raises(TypeError, match="give questions, or"):
        model.predict("Ada", questions=rows)
    with pytest.raises(ValueError, match="no 'verb'"):
        model.predict(questions=[{"verb": "calls"}])
    with pytest.raises(ValueError, match="question 1"):
        model.predict(questions=[("Ada", "calls")])


DATES = [
    "2024-02-03",
    datetime.date(2024, 2, 3),
    datetime.datetime(2024, 2, 3, 0, 0),
    datetime.datetime(2024, 2, 3, 11, 30),
    datetime.datetime(2024, 2, 4, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=9))),
    numpy.datetime64("2024-02-03"),
    numpy.datetime64("2024-02-03T10:00", "ns"),
]


@pytest.mark.parametrize("date", DATES, ids=lambda date: f"{type(date).__name__} {date}")
def test_dates_of_every_type(date: Any, model: orrery.Model) -> None:
    assert model.predict("Ada", "calls", time=date).time == "2024-02-03"
    assert model.predict(["Ada"], "calls", time=[date])[0].time == "2024-02-03"
    assert model.predict(["Ada"], "calls", time=date)[0].time == "2024-02-03"


def test_dates_of_pandas(model: orrery.Model) -> None:
    pandas = pytest.importorskip("pandas")
    for date in (pandas.Timestamp("2024-02-03 12:00"), pandas.Period("2024-02-03", "D"),
                 pandas.Timestamp("2024-02-04 01:00", tz="Asia/Tokyo")):
        assert model.predict("Ada", "calls", time=date).time == "2024-02-03"
    times = pandas.to_datetime(["2024-02-03", "2024-02-04"])
    for column in (times, pandas.Series(times), times.to_numpy(), times.to_period("D")):
        found = model.predict("Ada", "calls", time=column)
        assert [a.time for a in found] == ["2024-02-03", "2024-02-04"]
    some = pandas.Series([times[0], pandas.NaT])[[1, 0]]
    gaps = model.predict("Ada", "calls", ["Bo", None], some)
    assert [a.asked for a in gaps] == ["time", "object"]


def test_years_as_numbers(term_model: orrery.Model) -> None:
    assert term_model.predict("Ada", "leads", time=1999).time == term_model.predict(
        "Ada", "leads", time="1999"
    ).time


def test_notes_of_dates_that_are_no_times_of_training(model: orrery.Model) -> None:
    late = model.predict("Ada", "calls", time="2031-01-01")
    assert late.note and late.time == "2024-02-12" and late.note in repr(late)
    assert html.escape(late.note) in late._repr_html_()


def test_known_answers(model: orrery.Model, facts: orrery.Dataset) -> None:
    fact = facts.train[0]
    asked = {"subject": fact.subject, "relation": fact.relation, "time": fact.time, "top": 10}
    marked = model.predict(**asked)
    known = {a.name for a in marked if a.known and a.known["now"]}
    assert fact.object in known
    split = next(a.known["split"] for a in marked if a.name == fact.object)
    assert split == "train"
    hidden = model.predict(**asked, known="hide")
    assert not known & {a.name for a in hidden} and len(hidden) == 10 - len(known)
    shown = model.predict(**asked, known="show")
    assert [a.name for a in shown] == [a.name for a in marked]
    assert all(a.known is None and a.seen is None for a in shown)


def test_candidates(model: orrery.Model, facts: orrery.Dataset) -> None:
    asked = {"subject": "Ada", "relation": "calls", "time": "2024-02-03"}
    only = model.predict(**asked, only=["Bo", "Cy"])
    assert {a.name for a in only} == {"Bo", "Cy"}
    assert model.predict(**asked, only=numpy.array(["Bo", "Cy"])).to_dict() == only.to_dict()
    without = model.predict(**asked, without=("Bo",))
    assert "Bo" not in {a.name for a in without} and len(without) == 9
    seen = model.predict(**asked, type="seen")
    objects = {f.object for f in facts.train if f.relation == "calls"}
    assert {a.name for a in seen} <= objects and all(a.seen for a in seen)
    with pytest.raises(orrery.Error, match="Bob"):
        model.predict(**asked, only=["Bob"])


def test_names_without_a_training_fact(splits: dict[str, list[Any]]) -> None:
    extra = [*splits["test"], ("Zoe", "calls", "Ada", "2024-02-03")]
    data = orrery.Dataset(splits["train"], valid=splits["valid"], test=extra)
    model = orrery.train(data, **SMALL)
    with pytest.raises(orrery.Error, match="Zoe"):
        model.predict("Zoe", "calls", time="2024-02-03")
    assert len(model.predict("Zoe", "calls", time="2024-02-03", untrained=True)) == 10


def test_when(model: orrery.Model, term_model: orrery.Model) -> None:
    when = model.when("Ada", "calls", "Bo")
    assert when.asked == "time" and when[0].name in model.time_names
    curve = when.curve
    assert curve["time"] == list(model.time_names)
    assert sum(curve["probability"]) == pytest.approx(1, abs=1e-4)
    assert max(curve, key=lambda point: point.score).time == when[0].name
    assert when.interval is None
    term = term_model.when("Ada", "leads", "Bo", top=3)
    assert len(term) == 3 and term.interval is not None
    start, end = term.interval
    assert start <= end
    many = term_model.when(["Ada", "Bo"], "leads", ["Bo", "Cy"])
    assert [len(a.curve) for a in many] == [len(term_model.time_names)] * 2


def test_answers_as_tables(model: orrery.Model) -> None:
    answers = model.predict("Ada", "calls", time="2024-02-03", top=4)
    assert answers.to_table()["name"] == [a.name for a in answers]
    pandas = pytest.importorskip("pandas")
    frame = answers.to_pandas()
    assert list(frame.columns) == list(orrery.Answer._fields) and len(frame) == 4
    assert isinstance(frame, pandas.DataFrame) and frame.score.dtype == float
    assert pytest.importorskip("polars") and answers.to_polars().shape == (4, 6)
    assert answers.to_arrow().num_rows == 4
    many = model.predict(["Ada", "Bo"], "calls", time="2024-02-03", top=4)
    assert len(many.to_pandas()) == many.to_polars().height == many.to_arrow().num_rows == 8
    assert len(model.when("Ada", "calls", "Bo").curve.to_pandas()) == len(model.time_names)


def test_names_that_are_markup() -> None:
    odd = "<script>alert('Ö & ü')</script>"
    rows = [
        (odd, f"re<b>{r}</b>", name, f"2024-01-0{day}")
        for r in range(2) for day in range(1, 6) for name in ("<i>x</i>", "y\"'>", odd)
    ]
    data = orrery.Dataset(rows, seed=1)
    model = orrery.train(data, **SMALL)
    answers = model.predict(odd, "re<b>0</b>", time="2024-01-02")
    explained = model.explain(odd, "re<b>0</b>", "<i>x</i>", "2024-01-02")
    pages = [answers._repr_html_(), model._repr_html_(), data._repr_html_(),
             data.train._repr_html_(), model.evaluate(progress=False).by("relation")._repr_html_(),
             data.check()._repr_html_(), model.predict([odd], "re<b>0</b>",
                                                        time="2024-01-02")._repr_html_()]
    for page in pages:
        assert "<script>alert" not in page and "<i>x" not in page and "<b>0" not in page
    assert "&lt;script&gt;" in pages[0] and odd in repr(answers)
    assert explained.to_dict()


def test_repr(model: orrery.Model, facts: orrery.Dataset) -> None:
    assert repr(model).startswith("Model(bsca, dim 8, ")
    assert repr(facts).startswith("Dataset(192 train, 24 valid, 24 test; 10 entities")
    answers = model.predict("Ada", "calls", time="2024-02-03", top=2)
    assert repr(answers).splitlines()[0] == "object?" and len(repr(answers).splitlines()) == 4
    assert "validation MRR" not in model._repr_html_() or model.summary.best_valid
    assert "<svg" in model._repr_html_() and "bsca" in model._repr_html_()
