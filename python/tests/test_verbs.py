"""The verbs beside train and predict."""

from __future__ import annotations

import datetime
import json
import pathlib
import subprocess
import urllib.error
import urllib.request
from typing import Any

import numpy
import pytest

import orrery
from conftest import SMALL


def test_evaluate(
    model: orrery.Model, facts: orrery.Dataset, program: str, folder: pathlib.Path,
    tmp_path: pathlib.Path,
) -> None:
    scores = model.evaluate(facts, progress=False)
    ranks = scores.ranks
    assert len(ranks) == scores.queries == 48 and ranks.min() >= 1
    assert scores.mrr == pytest.approx(float(numpy.mean(1 / ranks)))
    assert scores["hits10"] == pytest.approx(float((ranks <= 10).mean()))
    assert scores.mrr == model.evaluate(progress=False).mrr
    assert model.evaluate(facts, split="valid", progress=False).split == "valid"
    for part in ("relation", "entity", "time", "history"):
        table = model.evaluate(facts, by=part, progress=False)
        assert len(table) > 0 and "mrr" in table.columns
    assert "MRR" in str(scores) and "mrr=" in repr(scores) and isinstance(scores.warnings, list)
    model.save(tmp_path / "model.safetensors")
    told = subprocess.run(
        [program, "evaluate", tmp_path / "model.safetensors", "--data", folder, "--json"],
        capture_output=True, text=True, check=True,
    )
    same = json.loads(told.stdout)
    assert scores.mrr == same["mrr"] and scores.hits1 == same["hits1"]
    with pytest.raises(orrery.Error):
        model.evaluate(facts, split="tset", progress=False)
    with pytest.raises(orrery.Error):
        scores.by("colour")
    with pytest.raises(AttributeError, match="there is no 'mmr'"):
        scores.mmr
    bare = orrery.Model.open(tmp_path / "model.safetensors")
    with pytest.raises(orrery.Error, match="evaluate"):
        bare.evaluate()
    assert bare.evaluate(folder, progress=False).mrr == scores.mrr
    assert bare.with_facts(facts).evaluate(progress=False).mrr == scores.mrr


def test_calibration(model: orrery.Model) -> None:
    found = model.calibration(split="valid")
    assert isinstance(found, orrery.Record) and len(found) > 0


def test_evaluate_when(model: orrery.Model, term_model: orrery.Model) -> None:
    found = model.evaluate_when(split="valid", most=5)
    assert found.facts == 5 and found.times == 12 and 1 <= found.model.mean_rank <= 12
    with pytest.raises(orrery.Error, match="intervals"):
        term_model.evaluate_when()


def test_compare(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    found = orrery.compare(
        facts, ["complex", "tcomplex", "bsca:attention=none"], budget="2k", seeds=2,
        epochs=2, threads=1, progress=False,
    )
    table = found.to_table()
    assert len(table) == 3 and table["mrr"] == sorted(table["mrr"], reverse=True)
    assert all(count <= 2000 for count in table["parameters"])
    assert len(found.to_pandas()) == len(found.to_polars()) == 3
    out = tmp_path / "compared"
    kept = orrery.compare(facts, ["complex"], out=out, **{**SMALL, "dim": 4})
    assert out.exists() and any(out.rglob("model.safetensors"))
    again = orrery.compare(facts, ["complex"], out=out, **{**SMALL, "dim": 4})
    assert again.to_table()["mrr"] == kept.to_table()["mrr"]
    with pytest.raises(TypeError, match="list of names"):
        orrery.compare(facts, "complex")
    with pytest.raises(orrery.Error, match="complex"):
        orrery.compare(facts, ["complx"], **SMALL)
    with pytest.raises(orrery.Error) as caught:
        orrery.compare(facts, ["complex"], budget="lots", **SMALL)
    assert "lots" in str(caught.value)


def test_compare_shows_what_history_adds(facts: orrery.Dataset) -> None:
    with_history = orrery.compare(
        facts, ["complex"], history="relation", history_from="train", **SMALL
    )
    (row,) = with_history.to_table()
    inside = with_history.models[0].without_history
    assert row.mrr_without_history == inside.mean.mrr != row.mrr
    assert row.deviation_mrr_without_history == inside.deviation.mrr
    assert all(not isinstance(value, dict) for value in row)
    plain = orrery.compare(facts, ["complex"], history="none", **SMALL).to_table()
    assert "mrr_without_history" not in plain.columns


def test_sweep(facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    grid = orrery.sweep(facts, {"lr": [0.05, 0.1], "dim": [8, 16]},
                        epochs=2, eval_every=1, threads=1, batch=64, progress=False)
    table = grid.to_table()
    assert len(table) == 4 and {"lr", "dim", "mrr"} <= set(table.columns)
    assert table["mrr"] == sorted(table["mrr"], reverse=True)
    drawn = orrery.sweep(
        facts, {"lr": (0.01, 0.3, "log"), "lambda_n3": (0.0, 0.1), "model": ["complex", "bsca"]},
        search="random", trials=3, out=tmp_path / "sweep", eval_every=2, **SMALL,
    )
    values = drawn.to_table()
    assert len(values) == 3 and all(0.01 <= float(lr) <= 0.3 for lr in values["lr"])
    again = orrery.sweep(
        facts, {"lr": (0.01, 0.3, "log"), "lambda_n3": (0.0, 0.1), "model": ["complex", "bsca"]},
        search="random", trials=3, out=tmp_path / "sweep", eval_every=2, **SMALL,
    )
    assert again.to_table() == values
    for wrong in ({"lr": 0.1}, {"lr": "0.1"}):
        with pytest.raises(TypeError, match="lr needs a list"):
            orrery.sweep(facts, wrong, **SMALL)
    with pytest.raises(ValueError, match="range of lr"):
        orrery.sweep(facts, {"lr": (1, 2, 3)}, **SMALL)
    with pytest.raises(TypeError, match="lr must be float"):
        orrery.sweep(facts, {"lr": ["fast"]}, **SMALL)
    with pytest.raises(TypeError, match="did you mean"):
        orrery.sweep(facts, {"lrr": [0.1]}, **SMALL)
    with pytest.raises(orrery.Error):
        orrery.sweep(facts, {"lr": [0.1]}, search="luck", **SMALL)


def test_tune(facts: orrery.Dataset) -> None:
    found = orrery.tune(facts, time="2s", dim=8, threads=1, progress=False)
    assert found["dim"] == 8
    assert orrery.train(facts, progress=False, **{**found, "epochs": 2}).card.dim == 8
    with pytest.raises(orrery.Error):
        orrery.tune(facts, time="soon", progress=False)


def test_mix(facts: orrery.Dataset, model: orrery.Model, tmp_path: pathlib.Path) -> None:
    other = orrery.train(facts, **{**SMALL, "model": "tcomplex"})
    mixed = orrery.mix([model, other], facts)
    assert mixed.card.model == "mixture" and len(mixed.card.mixture.parts) == 2
    assert mixed.predict("Ada", "calls", time="2024-02-03")
    assert "mixture" in repr(mixed) and "mixture" in mixed._repr_html_()
    mixed.save(tmp_path / "mixed")
    opened = orrery.Model.open(tmp_path / "mixed")
    assert opened.evaluate(facts, progress=False).mrr == mixed.evaluate(progress=False).mrr
    with pytest.raises(ValueError, match="no models"):
        orrery.mix([])


def test_audit(model: orrery.Model, facts: orrery.Dataset) -> None:
    found = model.audit(folds=2, progress=False)
    table = found.to_table()
    assert len(table) == len(facts.train) and {"subject", "likelier"} <= set(table.columns)
    assert len(found.to_pandas()) == len(table) and "<table>" in found._repr_html_()
    new = [("Ada", "calls", "Bo", "2024-02-03"), ("Cy", "visits", "Cy", "2024-02-05")]
    judged = model.audit(new)
    assert len(judged.facts) == 2
    with pytest.raises(orrery.Error):
        model.audit(folds=1, progress=False)


def test_add(model: orrery.Model, facts: orrery.Dataset, tmp_path: pathlib.Path) -> None:
    new = [("Zoe", "calls", "Ada", "2024-02-13"), ("Ada", "calls", "Zoe", "2024-02-13")]
    before = model.predict("Ada", "calls", time="2024-02-03").to_dict()
    grown = model.add(new, epochs=3, progress=False)
    assert "Zoe" in grown.entity_names and "Zoe" not in model.entity_names
    assert grown.predict("Zoe", "calls", time="2024-02-13")
    assert model.predict("Ada", "calls", time="2024-02-03").to_dict() == before
    path = tmp_path / "new.csv"
    path.write_text("subject,relation,object,time\n" + "".join(",".join(r) + "\n" for r in new))
    by_file = model.add(path, epochs=3, progress=False)
    grown.save(tmp_path / "a")
    by_file.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again = grown.add([("Yan", "calls", "Zoe", "2024-02-14")], epochs=2, progress=False)
    assert {"Yan", "Zoe"} <= set(again.entity_names) and len(again.card.additions) == 2
    with pytest.raises(TypeError, match="did you mean epochs?"):
        model.add(new, epoch=2)
    with pytest.raises(TypeError, match="epochs must be int, not str"):
        model.add(new, epochs="2")
    with pytest.raises(orrery.Error, match="epochs"):
        model.add(new, epochs=-3, progress=False)


def test_add_to_intervals(term_model: orrery.Model) -> None:
    new = [("Zoe", "leads", "Ada", 2001, 2003), ("Zoe", "leads", "Bo", 2004, None)]
    grown = term_model.add(new, epochs=2, progress=False)
    assert grown.when("Zoe", "leads", "Ada").interval is not None


def test_explain(model: orrery.Model, facts: orrery.Dataset) -> None:
    fact = facts.test[0]
    why = model.explain(*fact, top=4, neighbours=2)
    assert isinstance(why, orrery.Explanation) and why.to_dict()
    with pytest.raises(TypeError, match="one fact"):
        model.explain(["Ada", "Bo"], "calls", "Cy", "2024-02-03")  # type: ignore[arg-type]
    with pytest.raises(orrery.Error, match="Adda"):
        model.explain("Adda", "calls", "Bo", "2024-02-03")


def test_export(model: orrery.Model, tmp_path: pathlib.Path) -> None:
    for format in ("npy", "csv", "projector"):
        files = model.export(tmp_path / format, format=format)
        assert files and all(pathlib.Path(file).stat().st_size for file in files)
    table = numpy.load(next(f for f in model.export(tmp_path / "one", tables=["entity"])
                            if f.endswith(".npy")))
    assert numpy.array_equal(table, model.embeddings["entity"])
    with pytest.raises(orrery.Error, match="nobody"):
        model.export(tmp_path / "none", tables=["nobody"])
    with pytest.raises(orrery.Error, match="xlsx"):
        model.export(tmp_path / "none", format="xlsx")


def _get(url: str, body: Any = None, **headers: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def test_serve(model: orrery.Model) -> None:
    question = {"subject": "Ada", "relation": "calls", "time": "2024-02-03", "top": 3}
    with model.serve() as server:
        assert server.url.startswith("http://127.0.0.1:") and server.url in repr(server)
        found = json.loads(_get(server.url.rstrip("/") + "/api/predict", question))
        assert found.pop("model") == "bsca"
        assert found == model.predict(**question).to_dict()
        assert "<html" in _get(server.url).lower() and server.url in server._repr_html_()
        with pytest.raises(urllib.error.HTTPError) as caught:
            _get(server.url.rstrip("/") + "/api/predict", {**question, "subject": "Adda"})
        assert caught.value.code // 100 == 4 and "Adda" in caught.value.read().decode()
    server.stop()  # a second time is no harm
    with pytest.raises(OSError):
        _get(server.url)
    with pytest.raises(orrery.Error, match="16"):
        model.serve(token="secret")
    secret = "sixteen-characters-or-more"
    with model.serve(token=secret) as guarded:
        url = guarded.url.rstrip("/") + "/api/predict"
        with pytest.raises(urllib.error.HTTPError):
            _get(url, question)
        answered = json.loads(_get(url, question, Authorization=f"Bearer {secret}"))
        assert answered["asked"] == "object"
    with pytest.raises((ValueError, orrery.Error)):
        model.serve(port=99999)


def test_neighbours(model: orrery.Model) -> None:
    near = model.neighbours("Ada", top=4)
    assert len(near) == 4 and near.columns == ["name", "similarity"] and near[0].name != "Ada"
    assert near["similarity"] == sorted(near["similarity"], reverse=True)
    with pytest.raises(orrery.Error, match="Adda"):
        model.neighbours("Adda")


def test_facts_of(model: orrery.Model, facts: orrery.Dataset) -> None:
    found = model.facts_of("Ada", top=3)
    assert len(found) == 3 and all("Ada" in (row.subject, row.object) for row in found)
    assert found["time"] == sorted(found["time"], reverse=True)
    every = model.facts_of("Ada", top=10_000)
    wanted = sum("Ada" in (f[0], f[2]) for f in (*facts.train, *facts.valid, *facts.test))
    assert len(every) == wanted
    with pytest.raises(orrery.Error, match="Adda"):
        model.facts_of("Adda")


def test_geometry(model: orrery.Model) -> None:
    shape = model.geometry("calls", "2024-02-03", top=1)
    assert -1 <= shape.symmetry <= 1 and len(shape.nearest) == 1 and shape.sentences
    assert shape == model.geometry("calls", datetime.date(2024, 2, 3), top=1)
    with pytest.raises(orrery.Error, match="cals"):
        model.geometry("cals", "2024-02-03")
    with pytest.raises(ValueError, match="event"):
        model.geometry("calls", "2024-02-03", event="middle")  # type: ignore[arg-type]


def test_check(facts: orrery.Dataset) -> None:
    check = facts.check()
    assert isinstance(check, orrery.DataCheck) and len(check) > 0 and str(check)
    page = check._repr_html_()
    assert page.startswith("<iframe") and "&lt;html" in page


def test_catalogues() -> None:
    models = orrery.models()
    assert "bsca" in models["name"] and len(models) >= 22 and all(models["formula"])
    sets = orrery.benchmarks()
    assert "icews14" in sets["name"] and all(count > 0 for count in sets["train"])
    assert orrery.__version__.count(".") == 2


def test_devices(model: orrery.Model) -> None:
    two = model.on("cpu", threads=2)
    one = model.predict("Ada", "calls", time="2024-02-03")
    assert list(two.predict("Ada", "calls", time="2024-02-03")) == list(one)
    with pytest.raises(orrery.Error):
        model.on("abacus")


def test_pictures(model: orrery.Model) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    for thing in (model, model.predict("Ada", "calls", time="2024-02-03"),
                  model.when("Ada", "calls", "Bo"), model.evaluate(progress=False),
                  model.explain("Ada", "calls", "Bo", "2024-02-03")):
        axes = thing.plot()
        assert axes.lines or axes.patches
        assert thing.plot(axes) is axes
    pyplot.close("all")
