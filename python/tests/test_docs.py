"""The examples of the documentation run, page by page, and so do those of the docstrings."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import pathlib
import pkgutil
import re
import shutil
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import orrery
from conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "python").glob("*.md"))]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
# Shown numbers come from another processor, which rounds differently: training makes it more.
TOLERANCE = 0.1

# What a newcomer asks help() about has an example there.
WITH_EXAMPLES = [
    "orrery", "orrery.benchmarks", "orrery.models",
    "orrery._dataset.Dataset", "orrery._dataset.Dataset.check", "orrery._dataset.Dataset.facts",
    "orrery._dataset.Dataset.ids", "orrery._dataset.Dataset.split",
    "orrery._dataset.Dataset.write",
    "orrery._training.train", "orrery._training.tune",
    "orrery._search.compare", "orrery._search.mix", "orrery._search.sweep",
    "orrery._model.Model", "orrery._model.Model.add", "orrery._model.Model.audit",
    "orrery._model.Model.evaluate", "orrery._model.Model.explain", "orrery._model.Model.export",
    "orrery._model.Model.neighbours", "orrery._asked._Asked.predict", "orrery._model.Model.save",
    "orrery._model.Model.serve", "orrery._asked._Asked.when", "orrery._model.Model.with_facts",
    "orrery._answers.Answers", "orrery._answers.ManyAnswers",
    "orrery._bridges.from_graphiti", "orrery._bridges.to_networkx",
    "orrery._embeddings.Embeddings", "orrery._errors.Error", "orrery._record.Record",
    "orrery._results.Evaluation.by", "orrery._table.Table",
    "orrery.sklearn", "orrery._sklearn_split.TimeSplit",
]  # fmt: skip


class Block(NamedTuple):
    line: int
    text: str
    needs: str  # a package beyond those of the tests
    not_run: str  # why not, even where all packages are there

    def runs(self) -> bool:
        return not self.not_run and not absent(self.needs)


def blocks(page: pathlib.Path) -> list[Block]:
    """The blocks of Python. The comment before one says what it needs, or why it is not run."""
    found = []
    marks = {"needs": "", "not run": ""}
    first, inside = 0, None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if inside is not None and line == "```":
            found.append(Block(first, "\n".join(inside) + "\n", marks["needs"], marks["not run"]))
            inside, marks = None, {"needs": "", "not run": ""}
        elif inside is not None:
            inside.append(line)
        elif mark := re.fullmatch(r"<!-- (needs|not run): (.+) -->", line):
            marks[mark[1]] = mark[2]
        elif line == "```python":
            first, inside = number + 1, []
    return found


class Checker(doctest.OutputChecker):
    """Fractions may differ a little; all else may not."""

    number = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])")

    def check_output(self, want: str, got: str, flags: int) -> bool:
        if super().check_output(want, got, flags):
            return True
        wanted, given = self.number.findall(want), self.number.findall(got)
        if len(wanted) != len(given) or not wanted:
            return False
        near = all(abs(float(w) - float(g)) <= TOLERANCE * max(1, abs(float(w)))
                   for w, g in zip(wanted, given))
        plain_want, plain_got = self.number.sub("#", want), self.number.sub("#", got)
        return near and super().check_output(plain_want, plain_got, flags)


def run_examples(test: doctest.DocTest) -> None:
    report = io.StringIO()
    runner = doctest.DocTestRunner(Checker(), verbose=False, optionflags=FLAGS)
    found = runner.run(test, out=report.write, clear_globs=False)
    assert found.failed == 0, report.getvalue()


@pytest.fixture
def desk(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[pathlib.Path]:
    """A folder with the files that pages name; the demo world stands for a benchmark set."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for file in orrery.Dataset.demo().write(tmp_path / "data" / "icews14"):
        pathlib.Path(file).rename(pathlib.Path(file).with_suffix(".txt"))
    with contextlib.suppress(ImportError):
        import matplotlib

        matplotlib.use("agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield tmp_path


def absent(package: str) -> bool:
    return bool(package) and importlib.util.find_spec(package) is None


def missing_extra(page: pathlib.Path) -> str:
    """The first package of the tests that a page uses and that is not installed."""
    used = set(re.findall(r"^(?:>>> )?(?:import|from) (\w+)", page.read_text(), re.M))
    known = {"pandas", "polars", "pyarrow", "sklearn", "matplotlib", "networkx"}
    return next((name for name in sorted(used & known) if absent(name)), "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: pathlib.Path, desk: pathlib.Path) -> None:
    if package := missing_extra(page):
        pytest.skip(f"{package} is not installed")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = page.relative_to(ROOT)
    for block in blocks(page):
        place = f"{shown}:{block.line}"
        if block.text.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(
                block.text, namespace, place, str(page), block.line - 1)
            assert test.examples, place
            if block.runs():
                run_examples(test)
                namespace.update(test.globs)
            continue
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        if block.runs():
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, namespace)


def test_pages_have_examples() -> None:
    """A page without examples is none of ours; examples that the tests cannot run are few."""
    counted = {page.stem: blocks(page) for page in PAGES}
    assert len(counted) >= 14
    assert [name for name, found in counted.items() if not found] == ["installing"]
    everything = [block for found in counted.values() for block in found]
    assert len(everything) >= 60
    assert sum(bool(block.needs or block.not_run) for block in everything) <= 10
    outputs = [block for block in everything if block.text.startswith(">>>")]
    assert len(outputs) >= 20


def docstrings() -> dict[str, doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=False)
    found = {}
    inside = [f"orrery.{info.name}" for info in pkgutil.iter_modules(orrery.__path__)]
    for name in ["orrery", *inside]:
        if name == "orrery._engine" or ("sklearn" in name and absent("sklearn")):
            continue
        module = importlib.import_module(name)
        for test in finder.find(module, name):
            if test.name.startswith(name):
                found[test.name] = test
    return found


@pytest.fixture(scope="session")
def trained() -> dict[str, Any]:
    """What the docstring of Model makes, for those of its methods."""
    facts = orrery.Dataset.demo()
    model = orrery.train(facts, dim=32, epochs=5, progress=False)
    return {"orrery": orrery, "facts": facts, "model": model}


def test_docstrings(trained: dict[str, Any], desk: pathlib.Path) -> None:
    found = docstrings()
    named = [name for name in WITH_EXAMPLES if "sklearn" not in name or not absent("sklearn")]
    assert not [name for name in named if name not in found or not found[name].examples]
    for name, test in found.items():
        used = re.findall(r">>> import (\w+)", test.docstring or "")
        if any(absent(package) for package in used):
            continue
        test.globs.update(trained)
        run_examples(test)


def test_every_public_name_has_a_docstring() -> None:
    for name in orrery.__all__:
        thing = getattr(orrery, name)
        assert thing.__doc__, name
        members = vars(thing).items() if isinstance(thing, type) else []
        bare = [f"{name}.{member}" for member, value in members
                if not member.startswith("_") and (callable(value) or isinstance(value, property))
                and not getattr(value, "__doc__", None)]
        assert not bare


def test_a_wrong_example_is_seen() -> None:
    """The tests above can fail: wrong texts, numbers and errors in an example are faults."""
    for wrong in (">>> 1 + 1\n3\n", ">>> 0.5\n0.7\n", ">>> nothing\n", ">>> 'a 1.0'\n'b 1.0'\n"):
        test = doctest.DocTestParser().get_doctest(wrong, {}, "wrong", "wrong", 0)
        with pytest.raises(AssertionError):
            run_examples(test)
    right = doctest.DocTestParser().get_doctest(">>> 'a', 0.512\n('a', 0.5)\n", {}, "", "", 0)
    run_examples(right)
