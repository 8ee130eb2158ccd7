"""What is refused, and how."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import pytest

import orrery
from conftest import SMALL


def refusal(call: Any) -> Any:
    with pytest.raises(orrery.Error) as caught:
        call()
    return caught.value


def test_an_unknown_argument_is_a_type_error_that_suggests(facts: orrery.Dataset) -> None:
    for function, words in (
        (orrery.train, {}),
        (orrery.tune, {}),
        (lambda data, **o: orrery.compare(data, ["bsca"], **o), {}),
        (lambda data, **o: orrery.sweep(data, {"lr": [0.1]}, **o), {}),
    ):
        with pytest.raises(TypeError, match="did you mean epochs?") as caught:
            function(facts, epoch=3, **words)
        assert isinstance(caught.value, orrery.UnknownOptionError)
        assert caught.value.option == "epoch" and caught.value.advice == "did you mean epochs?"
    with pytest.raises(TypeError, match="it is an argument of Dataset"):
        orrery.train(facts, granularity="day")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"it is one of train\(\)"):
        orrery.Dataset([("a", "r", "b", "2024")], epochs=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean columns?"):
        orrery.Dataset([("a", "r", "b", "2024")], colums="x")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="lambda_n3"):
        orrery.train(facts, lambda_n4=0.1)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("option", "value"),
    [("dim", "8"), ("dim", 8.0), ("dim", True), ("lr", "0.1"), ("lr", True), ("model", 3),
     ("without", [1]), ("without", 5), ("seed", 1.0), ("epochs", [3]), ("patience", "1")],
)
def test_a_wrong_type_is_named(facts: orrery.Dataset, option: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"{option} must be .*, not"):
        orrery.train(facts, **{**SMALL, option: value})


@pytest.mark.parametrize(
    ("option", "value"),
    [("dim", 0), ("dim", -8), ("dim", 2**70), ("lr", -1.0), ("lr", float("nan")),
     ("model", "bscaa"), ("attention", "most"), ("seed", -1), ("seed", 2**64), ("epochs", -1),
     ("batch", 0), ("dropout", 1.5), ("device", "gpu9"), ("memory", "lots"),
     ("precision", "fp8"), ("history", "all")],
)
def test_a_wrong_value_is_a_value_error_with_its_option(
    facts: orrery.Dataset, option: str, value: Any
) -> None:
    error = refusal(lambda: orrery.train(facts, **{**SMALL, option: value}))
    assert isinstance(error, ValueError) and error.option == option
    assert "--" not in str(error) and error.kind == "request"


def test_reading_options(tmp_path: pathlib.Path) -> None:
    rows = [("a", "r", "b", "2024-01-01")]
    for option, value in (("granularity", "fortnight"), ("split", "80/30"), ("dates", "roman"),
                          ("columns", "subject"), ("min_facts", 0), ("horizon", "late")):
        error = refusal(lambda: orrery.Dataset(rows, **{option: value}))  # noqa: B023
        assert isinstance(error, ValueError) and error.option == option, option
    with pytest.raises(TypeError, match="min_facts must be int"):
        orrery.Dataset(rows, min_facts="3")  # type: ignore[arg-type]


def test_errors_of_files_have_their_place(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("a\tr\tb\t2024-01-01\nc\tr\tb\t2024-01-02\na\tr\tb\tsoon\n")
    error = refusal(lambda: orrery.Dataset(path))
    assert error.place == f"{path}:3" and "soon" in error.message
    assert "skip_bad" in error.advice and str(error).startswith(f"{path}:3: ")
    missing = refusal(lambda: orrery.Dataset(tmp_path / "none.tsv"))
    assert missing.place == str(tmp_path / "none.tsv")
    assert refusal(lambda: orrery.Model.open(tmp_path)).kind == "request"
    assert refusal(lambda: orrery.Model.open(path)).place.startswith(str(path))
    with pytest.raises(ValueError, match="bring"):
        orrery.Dataset(path, valid=[("a", "r", "b", "2024-01-01")])


def test_a_damaged_model_is_refused(model: orrery.Model, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.safetensors"
    model.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    assert str(path) in str(refusal(lambda: orrery.Model.open(path)))
    path.write_bytes(whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:])
    assert str(path) in str(refusal(lambda: orrery.Model.open(path)))


def test_questions_that_cannot_be_asked(model: orrery.Model) -> None:
    error = refusal(lambda: model.predict("Adda", "calls", time="2024-02-02"))
    assert "Ada" in str(error) and error.kind == "request"
    refusal(lambda: model.predict("Ada", "calls"))  # two parts are missing
    refusal(lambda: model.predict("Ada", "calls", time="2024-02-02", known="perhaps"))
    many = refusal(
        lambda: model.predict(["Ada", "Adda"], "calls", time=["2024-02-02", "2024-02-03"])
    )
    assert many.place == "question:2"
    for wrong in ({"top": 0}, {"top": "5"}, {"top": 2.5}, {"type": "some"}, {"only": "Ada"},
                  {"only": [3]}, {"without": 4}):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
            model.predict("Ada", "calls", time="2024-02-02", **wrong)
    with pytest.raises(TypeError, match="subject must be a name"):
        model.predict(2.5, "calls", time="2024-02-02")
    with pytest.raises(TypeError, match="not a date"):
        model.predict("Ada", "calls", time=True)
    assert "is not a date" in str(refusal(lambda: model.predict("Ada", "calls", time=object)))
    with pytest.raises(ValueError, match="differ in length"):
        model.predict(["Ada", "Bo"], ["calls"] * 3, time="2024-02-02")


def test_errors_survive_a_pickle(model: orrery.Model, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("a\tr\tb\tsoon\n")
    calls = (
        lambda: orrery.Dataset(path),
        lambda: model.predict("Adda", "calls", time="2024-02-02"),
        lambda: orrery.train([("a", "r", "b", "2024")], dim=0),
        lambda: orrery.train([("a", "r", "b", "2024")], dimm=0),
    )
    for call in calls:
        error = refusal(call)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)
        assert vars(again) == vars(error)
    interrupted = orrery.Interrupted("so far")
    interrupted.model = model
    again = pickle.loads(pickle.dumps(interrupted))
    assert isinstance(again, orrery.Interrupted) and isinstance(again.model, orrery.Model)
