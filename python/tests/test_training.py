"""The same seed gives the same bytes, by Python as by the command line."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from typing import Any

import pytest

import orrery
from conftest import SMALL

OPTIONS: dict[str, Any] = {**SMALL, "model": "tcomplex", "lr": 0.07, "lambda_n3": 0.003, "seed": 5}


def command_line(program: str, *words: Any) -> str:
    done = subprocess.run(
        [program, *map(str, words)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def flags(options: dict[str, Any]) -> list[str]:
    return [
        word
        for name, value in options.items()
        if name != "progress"
        for word in (f"--{name.replace('_', '-')}", str(value))
    ]


def saved(model: orrery.Model, path: pathlib.Path) -> bytes:
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"epochs": 2, "progress": False},
        OPTIONS,
        {**SMALL, "history": "near", "eval_every": 1, "patience": 2},
    ],
    ids=["defaults", "given", "history"],
)
def test_the_bytes_of_the_command_line(
    options: dict[str, Any], program: str, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    run = tmp_path / "cli"
    command_line(program, "train", "--data", folder, "--out", run, *flags(options))
    wanted = (run / "model.safetensors").read_bytes()
    assert saved(orrery.train(folder, **options), tmp_path / "a.safetensors") == wanted
    facts = orrery.Dataset(folder)
    assert saved(orrery.train(facts, run=tmp_path / "run", **options), tmp_path / "b") == wanted
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == wanted


def test_intervals_and_tables_in_memory_too(
    program: str, interval_folder: pathlib.Path, tmp_path: pathlib.Path, columns_of: Any
) -> None:
    from conftest import file_rows

    run = tmp_path / "cli"
    command_line(program, "train", "--data", interval_folder, "--out", run, *flags(SMALL))
    wanted = (run / "model.safetensors").read_bytes()
    parts = [columns_of(file_rows(interval_folder, s)) for s in ("train", "valid", "test")]
    facts = orrery.Dataset(parts[0], valid=parts[1], test=parts[2])
    assert saved(orrery.train(facts, **SMALL), tmp_path / "a.safetensors") == wanted


def test_seeds(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    one = saved(orrery.train(facts, **OPTIONS), tmp_path / "1")
    assert saved(orrery.train(facts, **OPTIONS), tmp_path / "2") == one
    assert saved(orrery.train(facts, **{**OPTIONS, "threads": 2}), tmp_path / "3") == one
    assert saved(orrery.train(facts, **{**OPTIONS, "seed": 6}), tmp_path / "4") != one


def test_none_is_as_if_it_were_not_given(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    given = orrery.train(facts, lr=None, model=None, **SMALL)
    assert saved(given, tmp_path / "1") == saved(orrery.train(facts, **SMALL), tmp_path / "2")


def test_a_stopped_run_goes_on_to_the_same_bytes(
    facts: orrery.Dataset, tmp_path: pathlib.Path
) -> None:
    options = {**OPTIONS, "epochs": 6, "eval_every": 2}
    whole = orrery.train(facts, run=tmp_path / "whole", **options)
    stopped = orrery.train(
        facts, run=tmp_path / "cut", callbacks=[lambda epoch: epoch.epoch == 3], **options
    )
    assert stopped.summary.ending == "interrupted" and stopped.summary.epochs_done == 3
    assert stopped.predict("Ada", "calls", time="2024-02-02")
    in_memory = orrery.train(facts, callbacks=[lambda epoch: epoch.epoch == 3], **options)
    assert saved(stopped, tmp_path / "c") == saved(in_memory, tmp_path / "d")
    resumed = orrery.train(facts, run=tmp_path / "cut", **options)
    assert resumed.summary.ending == "finished"
    wanted = (tmp_path / "whole" / "model.safetensors").read_bytes()
    assert (tmp_path / "cut" / "model.safetensors").read_bytes() == wanted
    again = orrery.train(facts, run=tmp_path / "cut", **options)  # a finished run is read
    assert saved(again, tmp_path / "a") == wanted == saved(whole, tmp_path / "b")
    longer = orrery.train(facts, run=tmp_path / "cut", **{**options, "epochs": 8})
    assert longer.summary.epochs_done == 8
    with pytest.raises(orrery.Error, match="dim"):
        orrery.train(facts, run=tmp_path / "cut", **{**options, "dim": 16})


def test_a_run_that_is_stopped_before_its_first_validation(
    facts: orrery.Dataset, tmp_path: pathlib.Path
) -> None:
    model = orrery.train(
        facts, run=tmp_path / "run", callbacks=[lambda epoch: True], **{**OPTIONS, "eval_every": 4}
    )
    assert model.predict("Ada", "calls", time="2024-02-02")
    assert model.summary.epochs_done == 1
    finished = orrery.train(facts, run=tmp_path / "run", **{**OPTIONS, "eval_every": 4})
    assert finished.summary.ending == "finished" and finished.summary.epochs_done == 4


def test_callbacks_hear_of_every_epoch(facts: orrery.Dataset) -> None:
    heard: list[Any] = []
    model = orrery.train(facts, callbacks=[heard.append], eval_every=2, **SMALL)
    assert [epoch.epoch for epoch in heard] == [1, 2, 3, 4]
    assert [epoch.valid is not None for epoch in heard] == [False, True, False, True]
    assert heard[1].valid.mrr == model.history[1].valid_mrr
    assert model.history["loss"] == [epoch.loss for epoch in heard]
    assert model.summary.epochs_done == 4 and model.summary.ending == "finished"


def test_numbers_for_loggers(facts: orrery.Dataset) -> None:
    heard: list[dict[str, float]] = []
    orrery.train(facts, **SMALL, eval_every=2, callbacks=[lambda r: heard.append(r.numbers())])
    assert [numbers["epoch"] for numbers in heard] == [1, 2, 3, 4]
    assert all(type(value) in (int, float) for numbers in heard for value in numbers.values())
    assert "valid_mrr" not in heard[0] and 0 < heard[1]["valid_mrr"] <= 1
    assert heard[0]["loss"] > heard[3]["loss"]


def test_callbacks_that_stop(facts: orrery.Dataset) -> None:
    called = []

    def late(epoch: Any) -> bool:
        called.append(epoch.epoch)
        return False

    model = orrery.train(facts, callbacks=[lambda epoch: epoch.epoch == 2, late], **SMALL)
    assert called == [1, 2] and model.summary.epochs_done == 2
    one = orrery.train(facts, callbacks=lambda epoch: True, **SMALL)  # type: ignore[arg-type]
    assert one.summary.epochs_done == 1


def test_an_exception_inside_a_callback(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    def breaks(epoch: Any) -> None:
        if epoch.epoch == 2:
            raise LookupError("no disk")

    with pytest.raises(LookupError, match="no disk"):
        orrery.train(facts, callbacks=[breaks], **SMALL)
    with pytest.raises(LookupError, match="no disk"):
        orrery.train(facts, run=tmp_path / "run", callbacks=[breaks], **SMALL)
    resumed = orrery.train(facts, run=tmp_path / "run", **SMALL)
    whole = orrery.train(facts, **SMALL)
    assert saved(resumed, tmp_path / "a") == saved(whole, tmp_path / "b")


def test_a_callback_that_uses_the_package(facts: orrery.Dataset, model: orrery.Model) -> None:
    found = []

    def asks(epoch: Any) -> None:
        found.append(model.predict("Ada", "calls", time="2024-02-02", top=1)[0].name)
        found.append(model.evaluate(facts, progress=False).mrr)
        found.append(orrery.train(facts, **{**SMALL, "epochs": 1}).card.dim)

    orrery.train(facts, callbacks=[asks], **{**SMALL, "threads": 2})
    assert len(found) == 12 and found[:3] == found[3:6]


def test_a_truth_that_raises(facts: orrery.Dataset) -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match="ambiguous"):
        orrery.train(facts, callbacks=[lambda epoch: numpy.zeros(2)], **SMALL)


PROGRESS = """
import sys, orrery
facts = orrery.Dataset(sys.argv[1])
model = orrery.train(facts, dim=8, epochs=40, threads=1, progress=sys.argv[2] == "yes")
model.evaluate(facts, progress=sys.argv[2] == "yes")
"""


def test_progress_on_a_pipe(folder: pathlib.Path) -> None:
    for show in ("no", "yes"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRESS, str(folder), show],
            capture_output=True, text=True, check=True, timeout=300,
        )
        assert done.stdout == ""
        if show == "no":
            assert done.stderr == ""
        elif "tqdm" in sys.modules or _installed("tqdm"):
            assert "epoch" in done.stderr


def _installed(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


def test_starting_from_a_model(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    orrery.train(facts, **SMALL).save(tmp_path / "first.safetensors")
    second = orrery.train(facts, from_=str(tmp_path / "first.safetensors"), epochs=2,
                          threads=1, progress=False)
    assert second.card.dim == 8
    by_path = orrery.train(facts, from_=tmp_path / "first.safetensors", epochs=2,  # type: ignore
                           threads=1, progress=False)
    assert saved(by_path, tmp_path / "a") == saved(second, tmp_path / "b")


def test_every_model_trains(facts: orrery.Dataset) -> None:
    for row in orrery.models():
        made = orrery.train(facts, model=row.name, **{**SMALL, "epochs": 1})
        assert made.card.model == row.name and made.card.formula == row.formula


def test_warnings_point_to_the_caller() -> None:
    rows = [("Ada", "calls", "Bo", "2024-01-02"), ("Bo", "calls", "Ada", "2024-01-03")]
    with pytest.warns(UserWarning, match="valid split") as caught:
        orrery.train(orrery.Dataset(rows, split="100/0/0"), **SMALL)
    assert caught[0].filename == __file__
