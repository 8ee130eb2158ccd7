"""The types of the package, read by mypy and pyright, and the keywords against the option table."""

import importlib.util
import inspect
import json
import os
import pathlib
import subprocess
import sys

import orrery
import pytest
from conftest import SMALL
from orrery import _keywords, _options

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
EXAMPLES = HERE / "typed_examples.py"


def needs(*modules):
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


def run(*command, **more):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, **more)


def test_mypy_finds_nothing_in_the_package_and_the_examples():
    needs("mypy", "pandas", "pandas-stubs", "typing_extensions")
    # The cache outlives the run: reading the stubs of numpy and pandas is most of the work.
    done = run("-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"),
               "--cache-dir", str(ROOT / "build" / "mypy"), "-p", "orrery", "-m", EXAMPLES.stem,
               env={**os.environ, "MYPYPATH": str(HERE)})
    assert done.returncode == 0, done.stdout + done.stderr


def pyright(folder, program):
    """What pyright says of a program, as it says it to other programs."""
    (folder / "program.py").write_text(program)
    (folder / "pyrightconfig.json").write_text(json.dumps({
        "include": ["program.py"],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "pythonVersion": "3.10",
        "extraPaths": [str(pathlib.Path(orrery.__file__).parent.parent)],
    }))
    done = run("-m", "pyright", "-p", str(folder), "--pythonpath", sys.executable, "--outputjson")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["summary"]["filesAnalyzed"] == 1
    return [fault["message"] for fault in told["generalDiagnostics"]]


def test_pyright_finds_nothing_in_the_examples(tmp_path):
    needs("pyright", "pandas", "typing_extensions")
    # The program behind the package is fetched when first used; offline there is none.
    ready = run("-m", "pyright", "--version")
    if ready.returncode != 0:
        pytest.skip(f"pyright does not start: {(ready.stdout + ready.stderr).strip()[-200:]}")
    assert pyright(tmp_path, EXAMPLES.read_text()) == []
    wrong = "import orrery\nscore: str = orrery.Model.open('m').evaluate().mrr\n"
    assert any('"float"' in fault for fault in pyright(tmp_path, wrong))


def test_the_package_says_that_it_is_typed():
    package = pathlib.Path(orrery.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_engine.pyi").exists()


def test_keywords_are_those_of_the_option_table():
    done = run(str(ROOT / "python" / "tools" / "write_keywords"), "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("function", ["train", "tune", "compare", "sweep"])
def test_every_option_is_in_signature_and_docstring(function):
    called = getattr(orrery, function)
    parameters = inspect.signature(called).parameters
    text = inspect.getdoc(called)
    for name in _options.of_training():
        option = _options.table()[name]
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"{name}: {option['sentence']}" in text
        assert name in _keywords.TrainKeywords.__annotations__


def test_every_option_of_reading_is_a_keyword_of_dataset():
    known = set(_keywords.ReadingKeywords.__annotations__) | {"columns"}
    assert set(_options.of_reading()) == known
    text = inspect.getdoc(orrery.Dataset.__init__)
    for name in _options.of_reading():
        assert f"{name}: {_options.table()[name]['sentence']}" in text


def test_results_have_the_fields_that_their_types_promise(model, facts):
    scores = model.evaluate(facts, progress=False)
    reports = []
    orrery.train(facts, **{**SMALL, "epochs": 1}, callbacks=[reports.append])
    found = model.predict(*facts.test[0][:3])
    explained = model.explain(*facts.test[0])
    audited = model.audit([tuple(fact) for fact in facts.test[:2]])
    assert found.asked == "time"
    results = (scores, scores.object, model.card, model.summary, reports[0], explained, audited)
    for result in results:
        for cls in type(result).__mro__:
            if issubclass(cls, orrery.Record) and cls is not orrery.Record:
                missing = [name for name in inspect.get_annotations(cls)
                           if not name.startswith("_") and name not in result]
                assert not missing, (cls, missing)
    assert isinstance(scores.object, type(model.summary.best_valid))
    assert isinstance(reports[0], orrery.EpochReport)
