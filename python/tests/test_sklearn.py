"""The estimator and the splitter of orrery.sklearn."""

import pickle
import warnings

import numpy
import pytest

import orrery

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.utils.estimator_checks import check_estimator

from orrery.sklearn import EXPECTED_FAILED_CHECKS, TemporalLinkPredictor, TimeSplit

SMALL = {"dim": 8, "epochs": 4, "batch": 64, "threads": 1}


@pytest.fixture(scope="module")
def rows(splits):
    return numpy.array(sorted(row for part in splits.values() for row in part), dtype=object)


@pytest.fixture(scope="module")
def fitted(rows):
    return TemporalLinkPredictor(**{**SMALL, "epochs": 12}).fit(rows[::2])


def test_scikit_learns_own_checks_pass_but_for_those_that_cannot_apply():
    estimator = TemporalLinkPredictor(**{**SMALL, "epochs": 1}, undated="always")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = check_estimator(
            estimator, expected_failed_checks=EXPECTED_FAILED_CHECKS, on_skip=None, on_fail=None
        )
    status = {}
    for check in done:
        status.setdefault(check["status"], {})[check["check_name"]] = check["exception"]
    assert "failed" not in status, status["failed"]
    # What is listed does fail: the list excuses nothing that passes.
    assert set(status["xfail"]) == set(EXPECTED_FAILED_CHECKS)
    assert len(status["passed"]) >= 24
    assert set(status.get("skipped", {})) <= {"check_array_api_input"}


def test_every_option_of_training_is_a_parameter(fitted):
    from orrery import _options

    parameters = TemporalLinkPredictor(lr=0.05, from_="runs/a").get_params()
    assert set(_options.of_training()) < set(parameters)
    assert parameters["lr"] == 0.05 and parameters["from_"] == "runs/a"
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params() and not hasattr(copy, "model_")
    assert copy.set_params(dim=16).dim == 16
    assert repr(TemporalLinkPredictor(dim=8)) == "TemporalLinkPredictor(dim=8)"
    with pytest.raises(TypeError, match="no parameter dimm"):
        TemporalLinkPredictor(dimm=8)
    with pytest.raises(ValueError, match="dimm"):
        copy.set_params(dimm=8)


def test_it_is_the_model_that_train_gives(rows):
    """The same facts, split and seed: the same embeddings."""
    estimator = TemporalLinkPredictor(**SMALL, validation_fraction=0.2, seed=3).fit(rows)
    facts = orrery.Dataset(rows, split="80/20/0", seed=3)
    model = orrery.train(facts, **SMALL, seed=3, progress=False)
    assert estimator.facts_ == facts
    assert numpy.array_equal(estimator.model_.embeddings["entity"], model.embeddings["entity"])


def test_it_fits_as_a_pipeline_wants(fitted, rows):
    assert fitted.n_features_in_ == 4
    with pytest.raises(NotFittedError):
        TemporalLinkPredictor().predict(rows)
    with pytest.raises(ValueError, match="4 features"):
        fitted.predict(rows[:, :3])
    with pytest.raises(ValueError, match="2 feature"):
        TemporalLinkPredictor().fit(rows[:, :2])
    with pytest.raises(ValueError, match="validation_fraction"):
        TemporalLinkPredictor(validation_fraction=1.5).fit(rows)
    with pytest.raises(orrery.OptionError, match="dim"):
        TemporalLinkPredictor(dim=0).fit(rows)


def test_predict_names_the_best_objects(fitted, rows):
    found = fitted.predict(rows[:20])
    for (subject, relation, _, time), name in zip(rows[:20], found):
        answers = fitted.model_.predict(subject, relation, time=time, top=1, known="show")
        assert name == answers[0].name
    asked = rows[:20].copy()
    asked[:, 2] = None
    assert list(fitted.predict(asked)) == list(found)
    assert list(fitted.predict(asked.tolist())) == list(found)
    asked[3, 0], asked[5, 1] = "Nobody", "greets"
    assert [i for i, name in enumerate(fitted.predict(asked)) if name is None] == [3, 5]


def test_plausibility_is_that_of_the_model():
    rows = [tuple(row) for row in orrery.Dataset.demo().train[:2000]]
    estimator = TemporalLinkPredictor(**SMALL).fit(rows)
    found = estimator.score_samples(rows[:20])
    assert estimator.model_.card.calibrated
    for fact, value in zip(rows[:20], found):
        answer = estimator.model_.predict(*fact)[0]
        assert value == pytest.approx(answer.calibrated, abs=1e-5)
    unknown = numpy.array(rows[:3], dtype=object)
    unknown[1, 2] = "Nobody"
    again = estimator.score_samples(unknown)
    assert numpy.isnan(again[1])
    assert again[[0, 2]] == pytest.approx(found[[0, 2]], rel=1e-5)
    assert numpy.isnan(estimator.score_samples(unknown[1:2])).all()


def test_ranks_are_those_of_evaluate(fitted, rows):
    asked = rows[1::2]
    facts = fitted.facts_
    both = orrery.Dataset(
        [*facts.train, *facts.valid], test=[tuple(row) for row in asked], granularity="day"
    )
    evaluation = fitted.model_.evaluate(both, progress=False)
    assert fitted.score(asked) == pytest.approx(evaluation.mrr)
    ranks = fitted.rank(asked)
    assert ranks.shape == (len(asked), 2)
    assert ranks.ravel().tolist() == evaluation.ranks.tolist()
    asked = asked.copy()
    asked[0, 0] = "Nobody"
    last = fitted.model_.card.entities + 1
    assert fitted.rank(asked)[0].tolist() == [last, last]
    assert (fitted.rank(asked)[1:] <= last - 1).all()


def test_rows_alone_and_together_have_the_same_answers(fitted, rows):
    """What check_methods_subset_invariance asks, without subtracting names."""
    order = numpy.random.default_rng(0).permutation(len(rows))
    names, plausible = fitted.predict(rows), fitted.score_samples(rows)
    assert list(fitted.predict(rows[order])) == list(names[order])
    assert fitted.score_samples(rows[order]) == pytest.approx(plausible[order], rel=1e-5)
    alone = [rows[i : i + 1] for i in range(5)]
    assert [fitted.predict(row)[0] for row in alone] == list(names[:5])
    assert [fitted.score_samples(row)[0] for row in alone] == pytest.approx(plausible[:5], rel=1e-5)


def test_it_pickles_and_fits_again_to_the_same(fitted, rows):
    other = pickle.loads(pickle.dumps(fitted))
    assert list(other.predict(rows)) == list(fitted.predict(rows))
    assert other.score(rows[1::2]) == fitted.score(rows[1::2])
    again = clone(fitted).fit(rows[::2])
    assert again.score(rows[1::2]) == fitted.score(rows[1::2])


def test_frames_are_read_by_their_titles(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["who", "what", "whom", "day"])
    frame = frame[["day", "who", "what", "whom"]]
    frame["day"] = pandas.to_datetime(frame["day"])
    columns = {"subject": "who", "relation": "what", "object": "whom", "time": "day"}
    by_title = TemporalLinkPredictor(**SMALL, columns=columns).fit(frame)
    by_place = TemporalLinkPredictor(**SMALL).fit(rows)
    assert list(by_title.feature_names_in_) == ["day", "who", "what", "whom"]
    assert list(by_title.predict(frame)) == list(by_place.predict(rows))
    assert by_title.score(frame) == by_place.score(rows)
    frame["whom"] = None
    assert list(by_title.predict(frame)) == list(by_place.predict(rows))
    with pytest.raises(ValueError, match="feature names"):
        by_title.predict(frame.rename(columns={"who": "name"}))


def test_facts_with_intervals(interval_rows):
    rows = numpy.array([[cell or None for cell in row] for row in interval_rows], dtype=object)
    estimator = TemporalLinkPredictor(**SMALL).fit(rows)
    assert estimator.facts_.intervals
    assert 0 < estimator.score(rows[:40]) <= 1
    plausible = estimator.score_samples(rows[:40])
    assert ((plausible >= 0) & (plausible <= 1)).all()
    assert set(estimator.predict(rows[:40])) <= set(estimator.model_.entity_names)


def test_it_is_cross_validated_in_the_order_of_time(rows):
    estimator = TemporalLinkPredictor(**SMALL)
    done = cross_validate(estimator, rows, cv=TimeSplit(2), return_train_score=True)
    assert done["test_score"].shape == (2,)
    assert ((done["test_score"] > 0) & (done["test_score"] < 1)).all()
    assert (done["train_score"] > done["test_score"]).all()


def test_a_grid_is_searched(rows):
    search = GridSearchCV(
        TemporalLinkPredictor(**SMALL), {"lr": [1e-6, 0.2], "model": ["complex", "bsca"]},
        cv=TimeSplit(1), error_score="raise",
    ).fit(rows)
    scores = search.cv_results_["mean_test_score"]
    assert len(scores) == 4 and len(set(scores)) > 1
    assert search.best_params_ == search.cv_results_["params"][int(numpy.argmax(scores))]
    assert search.best_estimator_.model_.options["lr"] == search.best_params_["lr"]
    assert search.best_estimator_.model_.card.model == search.best_params_["model"]
    assert len(search.predict(rows[:5])) == 5


@pytest.mark.parametrize(
    "splits_wanted, gap, most", [(1, 0, None), (3, 0, None), (3, 1, 2), (11, 0, None)]
)
def test_training_is_always_before_the_test(rows, splits_wanted, gap, most):
    mixed = numpy.random.default_rng(1).permutation(rows)
    splitter = TimeSplit(splits_wanted, gap=gap, max_train_dates=most)
    tested = []
    parts = list(splitter.split(mixed))
    assert len(parts) == splitter.get_n_splits(mixed) == splits_wanted
    dates = sorted(set(mixed[:, 3]))
    for train, test in parts:
        assert len(train) and len(test)
        assert max(mixed[train, 3]) < min(mixed[test, 3])
        between = dates.index(min(mixed[test, 3])) - dates.index(max(mixed[train, 3]))
        assert between == 1 + gap
        if most:
            assert len(set(mixed[train, 3])) <= most
        tested.extend(test)
    assert len(set(tested)) == len(tested), "no fact is tested twice"
    first = min(mixed[parts[0][1], 3])
    assert sorted(tested) == [i for i, row in enumerate(mixed) if row[3] >= first]


def test_parts_have_about_as_many_facts():
    rows = [("a", "r", "b", f"2024-01-{day:02}") for day in range(1, 31) for _ in range(day)]
    sizes = [len(test) for _, test in TimeSplit(4, granularity="day").split(rows)]
    assert max(sizes) - min(sizes) <= 30


def test_what_a_splitter_refuses_and_how_it_reads_dates(interval_rows):
    rows = [("a", "r", "b", f"2024-{month:02}-0{day}") for month in (1, 2) for day in (1, 2, 3)]
    with pytest.raises(ValueError, match="6 dates cannot be cut into 9 parts"):
        list(TimeSplit(8).split(rows))
    with pytest.raises(ValueError, match="2 dates cannot be cut into 3"):
        list(TimeSplit(2, granularity="month").split(rows))
    with pytest.raises(ValueError, match="gap=1"):
        list(TimeSplit(5, gap=1).split(rows))
    for wrong in ({"n_splits": 0}, {"gap": -1}, {"max_train_dates": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            TimeSplit(**wrong)
    train, test = next(TimeSplit(1, granularity="month").split(rows))
    assert train.tolist() == [0, 1, 2] and test.tolist() == [3, 4, 5]
    assert repr(TimeSplit(2, gap=1)).startswith("TimeSplit(")
    undated = [*rows, ("a", "r", "b", None)]
    assert all(6 in train and 6 not in test for train, test in TimeSplit(3).split(undated))
    for train, test in TimeSplit(2).split(interval_rows):
        when = [row[3] or row[4] for row in interval_rows]
        assert max(when[i] for i in train) < min(when[i] for i in test)
        assert not set(train) & set(test)
