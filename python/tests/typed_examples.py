"""What people write, as type checkers see it; test_types.py has it read by mypy and pyright.

A line marked ``type: ignore`` must be refused: both checkers complain of a mark without need.
"""

from __future__ import annotations

import datetime

import numpy
import orrery
import pandas
from typing_extensions import assert_type


def reading(frame: pandas.DataFrame) -> orrery.Dataset:
    facts = orrery.Dataset("icews14", granularity="day", split_by="time")
    assert_type(facts.entity_names, tuple[str, ...])
    assert_type(facts.train, orrery.Table)
    assert_type(facts.check(), orrery.DataCheck)
    orrery.Dataset(frame, columns={"subject": "source", "start": "valid_at"}, horizon="2024")
    orrery.Dataset([("Ada", "visits", "Bo", "2024-01-02")], split="100/0/0")
    orrery.Dataset(frame, granularity="fortnight")  # type: ignore[arg-type]
    orrery.Dataset(frame, granularitty="day")  # type: ignore[call-arg]
    return facts


def stop_when_good(report: orrery.EpochReport) -> bool:
    assert_type(report.loss, float)
    return report.valid is not None and report.valid.mrr > 0.9


def training(facts: orrery.Dataset) -> orrery.Model:
    model = orrery.train(
        facts,
        model="bsca",
        dim=256,
        epochs=30,
        lr=0.1,
        without=["gate"],
        callbacks=[stop_when_good],
        run="runs/a",
    )
    assert_type(model, orrery.Model)
    assert_type(model.card.dim, int)
    assert_type(model.summary.seconds, float)
    orrery.train(facts, dim="256")  # type: ignore[arg-type]
    orrery.train(facts, epoch=30)  # type: ignore[call-arg]
    orrery.train(facts, norm="euclidean")  # type: ignore[arg-type]
    return model


def asking(model: orrery.Model, frame: pandas.DataFrame) -> None:
    one = model.predict(subject="Ada", relation="visits", time="2024-01-02", top=5)
    assert_type(one, orrery.Answers)
    assert_type(one[0], orrery.Answer)
    assert_type(one[0].probability, float)
    assert_type(one.interval, "tuple[str, str] | None")
    assert_type(model.predict("Ada", "visits", time=datetime.date(2024, 1, 2)), orrery.Answers)
    model.predict("Ada", "visits", time=numpy.datetime64("2024-01"))
    many = model.predict(["Ada", "Bo"], "visits", time="2024-01-02")
    assert_type(many, orrery.ManyAnswers)
    assert_type(many[1], orrery.Answers)
    assert_type(model.predict(frame["who"], "visits", time=frame["when"]), orrery.ManyAnswers)
    assert_type(model.predict(questions=frame, known="hide"), orrery.ManyAnswers)
    assert_type(model.when("Ada", "visits", "Bo"), orrery.Answers)
    assert_type(model.when(["Ada", "Bo"], "visits", "Cy"), orrery.ManyAnswers)
    assert_type(model.explain("Ada", "visits", "Bo", "2024").sides, list[orrery.Record])
    model.predict("Ada", "visits", known="maybe")  # type: ignore[call-overload]


def judging(model: orrery.Model, facts: orrery.Dataset) -> float:
    scores = model.evaluate(facts)
    assert_type(scores, orrery.Evaluation)
    assert_type(scores.mrr, float)
    assert_type(scores.queries, int)
    assert_type(scores.object.hits1, float)
    assert_type(model.evaluate(facts, split="valid", by="relation"), orrery.Table)
    assert_type(model.audit(facts).facts, list[orrery.Record])
    assert_type(orrery.compare(facts, ["bsca", "teast"], budget="2M", seeds=3), orrery.Comparison)
    assert_type(orrery.sweep(facts, {"lr": (0.01, 0.3, "log")}, trials=9).complete, bool)
    model.evaluate(facts, by="colour")  # type: ignore[call-overload]
    return scores.mrr


def growing(model: orrery.Model) -> orrery.Model:
    try:
        grown = model.add([("Ada", "visits", "Di", "2024-03-01")], epochs=5)
    except orrery.Error as error:
        assert_type(error.option, "str | None")
        raise
    assert_type(model.neighbours("Ada"), orrery.Table)
    assert_type(tuple(model.embeddings), tuple[str, ...])
    with grown.serve(port=8080) as server:
        assert_type(server.url, str)
    assert_type(orrery.mix([model, grown]), orrery.Model)
    return grown
