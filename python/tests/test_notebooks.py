"""The notebooks of examples/notebooks run from first to last cell, and show what they claim."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
from typing import Any

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
MOST_BYTES = 600_000

# Each ends with a cell of assertions, whose last line says what holds.
CLAIMS = {
    "agent_memory": "lies are among the first 20 of 600 facts",
    "benchmark_and_compare": "models that know time are ahead of the one that does not",
    "embeddings_sklearn": "kinds can be read off the embeddings",
    "own_data": "the answers follow the rule",
    "time_curve": "the curve changes where the fact does",
}


def needs(*modules: str) -> None:
    for module in modules:
        pytest.importorskip(module, reason=f"{module} is not installed")


def outputs(notebook: Any) -> list[dict[str, Any]]:
    return [output for cell in notebook["cells"] if cell["cell_type"] == "code"
            for output in cell["outputs"]]


def kinds(notebook: Any) -> set[str]:
    return {kind for output in outputs(notebook) for kind in output.get("data", {})}


def last_text(notebook: Any) -> str:
    text = notebook["cells"][-1]["outputs"][-1]["data"]["text/plain"]
    return "".join(text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    needs("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib", "sklearn")
    import nbformat
    from nbclient import NotebookClient

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    notebook: Any = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    folder = str(tmp_path / "examples" / "notebooks")
    client = NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": folder}})
    client.execute()  # a cell that fails is an exception, and so is an assertion
    assert {"text/html", "image/png"} <= kinds(notebook)
    assert not [o for o in outputs(notebook) if o.get("name") == "stderr"]
    assert CLAIMS[path.stem] in last_text(notebook)


def test_notebooks_are_kept_with_their_outputs() -> None:
    """As a reader finds them: run in order, with tables and a picture, small, without a path."""
    assert {path.stem for path in NOTEBOOKS} == set(CLAIMS)
    assert sum(path.stat().st_size for path in NOTEBOOKS) < MOST_BYTES
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text())
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1)), path
        assert {"text/html", "image/png"} <= kinds(notebook), path
        assert all(output["output_type"] != "error" for output in outputs(notebook)), path
        assert "assert " in "".join(code[-1]["source"]) and CLAIMS[path.stem] in last_text(notebook)
        texts = json.dumps([output.get("text", output.get("data", {}).get("text/html"))
                            for output in outputs(notebook)])
        assert not re.search(r"[\s>:]/\w+/\w", texts), path
