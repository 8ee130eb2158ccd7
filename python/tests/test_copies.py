"""Pickles and copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import orrery
from conftest import SMALL, small_rows


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def worlds(facts: orrery.Dataset, terms: orrery.Dataset) -> dict[str, orrery.Dataset]:
    rows = small_rows()
    start = [(*row[:3], row[3], None if i % 3 else "2024-03-01") for i, row in enumerate(rows)]
    return {
        "points": facts,
        "terms": terms,
        "train alone": orrery.Dataset(rows, split="100/0/0"),
        "no test": orrery.Dataset(rows[:200], valid=rows[200:]),
        "no valid": orrery.Dataset(rows[:200], test=rows[200:]),
        "cut": orrery.Dataset(rows, split="70/20/10", split_by="last", seed=4),
        "weeks": orrery.Dataset(rows, granularity="week"),
        "hours": orrery.Dataset([(*r[:3], f"{r[3]}T{i % 24:02}:15") for i, r in enumerate(rows)],
                                granularity="hour"),
        "terms in days": orrery.Dataset(start, granularity="day"),
        "ends": orrery.Dataset(
            [(*r[:3], str(1950 + i % 50), str(1960 + i % 50)) for i, r in enumerate(rows)],
            intervals="ends", min_facts=20,
        ),
        "antique": orrery.Dataset([(*r[:3], str(-400 + i % 9)) for i, r in enumerate(rows)]),
        "undated": orrery.Dataset([(*r[:3], r[3] if i % 5 else "") for i, r in enumerate(rows)],
                                  undated="always"),
        "demo": orrery.Dataset.demo(),
        "horizon": orrery.Dataset(start, granularity="day", horizon="2024-04-01"),
    }


def test_a_data_set_in_a_pickle(facts: orrery.Dataset, terms: orrery.Dataset) -> None:
    for what, data in worlds(facts, terms).items():
        made = again(data)
        assert made.fingerprint == data.fingerprint, what
        assert made.time_names == data.time_names and made.granularity == data.granularity, what
        assert made.intervals == data.intervals and repr(made) == repr(data), what
        assert [len(made.facts(s)) for s in ("train", "valid", "test")] == [
            len(data.facts(s)) for s in ("train", "valid", "test")
        ], what


def test_a_model_of_pickled_facts_has_the_same_bytes(
    facts: orrery.Dataset, terms: orrery.Dataset
) -> None:
    for data in (facts, terms):
        one, two = orrery.train(data, **SMALL), orrery.train(again(data), **SMALL)
        assert (one.embeddings["entity"] == two.embeddings["entity"]).all()


def test_a_model_in_a_pickle(model: orrery.Model, term_model: orrery.Model) -> None:
    for one, relation in ((model, "calls"), (term_model, "leads")):
        two = again(one)
        assert isinstance(two, orrery.Model) and repr(two) == repr(one)
        date = one.time_names[2]
        assert list(two.predict("Ada", relation, time=date)) == list(
            one.predict("Ada", relation, time=date)
        )
        assert two.facts == one.facts and two.options["dim"] == one.options["dim"] == 8
        assert two.evaluate(progress=False).mrr == one.evaluate(progress=False).mrr


def test_a_mixture_in_a_pickle(facts: orrery.Dataset, model: orrery.Model) -> None:
    other = orrery.train(facts, **{**SMALL, "model": "tcomplex"})
    mixed = orrery.mix([model, other])
    two = again(mixed)
    assert two.card.model == "mixture" and repr(two) == repr(mixed)
    assert list(two.predict("Ada", "calls", time="2024-02-03")) == list(
        mixed.predict("Ada", "calls", time="2024-02-03")
    )


def test_answers_in_a_pickle(model: orrery.Model, term_model: orrery.Model) -> None:
    for answers in (
        model.predict("Ada", "calls", time="2024-02-03", top=3),
        model.predict("Ada", "calls", time="2034-02-03", top=3),
        term_model.when("Ada", "leads", "Bo"),
    ):
        made = again(answers)
        assert isinstance(made, orrery.Answers) and list(made) == list(answers)
        assert made.to_dict() == answers.to_dict() and repr(made) == repr(answers)
        assert made.curve == answers.curve and made.interval == answers.interval
        assert again(made).note == answers.note
        assert list(copy.deepcopy(answers)) == list(answers)
    many = model.predict(["Ada", "Bo"], "calls", time="2024-02-03", top=3)
    made = again(many)
    assert isinstance(made, orrery.ManyAnswers) and made.to_table() == many.to_table()
    assert made[1].to_dict() == many[1].to_dict() and repr(made) == repr(many)


def test_results_in_a_pickle(model: orrery.Model, facts: orrery.Dataset) -> None:
    scores = model.evaluate(progress=False)
    made = again(scores)
    assert isinstance(made, orrery.Evaluation) and made.mrr == scores.mrr
    assert repr(made) == repr(scores) and made.to_dict() == scores.to_dict()
    with pytest.raises(orrery.Error, match="pickle"):
        made.by("relation")
    check = facts.check()
    assert str(again(check)) == str(check) and again(check)._repr_html_() == check._repr_html_()
    assert again(facts.train) == facts.train and again(model.history) == model.history
    assert again(model.card) == model.card
    explanation = model.explain("Ada", "calls", "Bo", "2024-02-03")
    assert again(explanation).to_dict() == explanation.to_dict()


def test_copies_are_the_same_thing(model: orrery.Model, facts: orrery.Dataset) -> None:
    for thing in (model, facts):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing
    card: Any = copy.deepcopy(model.card)
    assert card == model.card and card.dim == 8
    nested = copy.deepcopy({"model": model, "list": [facts]})
    assert nested["model"] is model
