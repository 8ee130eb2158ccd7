"""A small world that trains in a blink, and where the command line is."""

from __future__ import annotations

import os
import pathlib
import random
from collections.abc import Callable
from typing import Any

import pytest

import orrery

# The documentation shows what fp32 gives. Where a processor has AMX, the automatic precision is
# bf16, and its last digits are others.
os.environ.setdefault("DNNL_MAX_CPU_ISA", "AVX512_CORE")

Row = tuple[str, str, str, str]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PEOPLE = ["Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jun"]
RELATIONS = ["calls", "visits", "praises"]
SMALL: dict[str, Any] = {"dim": 8, "epochs": 4, "batch": 64, "threads": 1, "progress": False}


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "slow: over twenty seconds; left out unless ORRERY_SLOW=1")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    if os.environ.get("ORRERY_SLOW") == "1":
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: set ORRERY_SLOW=1"))


def small_rows(count: int = 240, seed: int = 7) -> list[Row]:
    """Facts with a rule: whom one meets follows from the day."""
    draw = random.Random(seed)
    rows = set()
    while len(rows) < count:
        subject, relation, day = draw.randrange(10), draw.randrange(3), draw.randrange(12)
        whom = (subject * 3 + relation + day // 3) % 10
        rows.add((PEOPLE[subject], RELATIONS[relation], PEOPLE[whom], f"2024-02-{day + 1:02}"))
        if draw.random() < 0.2:
            rows.add((PEOPLE[subject], RELATIONS[relation], PEOPLE[draw.randrange(10)],
                      f"2024-02-{day + 1:02}"))
    return sorted(rows)[:count]


def write_rows(folder: pathlib.Path, rows: list[Any]) -> pathlib.Path:
    """A directory with train, valid and test: 80, 10 and 10 of a hundred."""
    folder.mkdir(parents=True, exist_ok=True)
    mixed = random.Random(1).sample(rows, len(rows))
    cuts = [0, len(rows) * 8 // 10, len(rows) * 9 // 10, len(rows)]
    for name, first, last in zip(("train", "valid", "test"), cuts, cuts[1:]):
        text = "".join("\t".join(row) + "\n" for row in mixed[first:last])
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def file_rows(folder: pathlib.Path, split: str) -> list[Any]:
    lines = (folder / f"{split}.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return write_rows(tmp_path_factory.mktemp("world"), small_rows())


@pytest.fixture(scope="session")
def splits(folder: pathlib.Path) -> dict[str, list[Row]]:
    return {split: file_rows(folder, split) for split in ("train", "valid", "test")}


@pytest.fixture(scope="session")
def facts(folder: pathlib.Path) -> orrery.Dataset:
    return orrery.Dataset(folder)


@pytest.fixture(scope="session")
def model(facts: orrery.Dataset) -> orrery.Model:
    return orrery.train(facts, **{**SMALL, "epochs": 12})


@pytest.fixture(scope="session")
def interval_rows() -> list[Any]:
    draw = random.Random(3)
    rows = set()
    while len(rows) < 160:
        subject, start = draw.randrange(10), 1990 + draw.randrange(20)
        end = "" if draw.random() < 0.2 else str(start + draw.randrange(8))
        first = "" if end and draw.random() < 0.1 else str(start)
        rows.add((PEOPLE[subject], "leads", PEOPLE[(subject + start) % 10], first, end))
    return sorted(rows)


@pytest.fixture(scope="session")
def interval_folder(
    tmp_path_factory: pytest.TempPathFactory, interval_rows: list[Any]
) -> pathlib.Path:
    return write_rows(tmp_path_factory.mktemp("terms"), interval_rows)


@pytest.fixture(scope="session")
def terms(interval_folder: pathlib.Path) -> orrery.Dataset:
    return orrery.Dataset(interval_folder)


@pytest.fixture(scope="session")
def term_model(terms: orrery.Dataset) -> orrery.Model:
    return orrery.train(terms, **SMALL)


@pytest.fixture(scope="session")
def program() -> str:
    """The command line of the same engine."""
    path = os.environ.get("ORRERY_PROGRAM") or str(ROOT / "build" / "release" / "bin" / "orrery")
    if not os.access(path, os.X_OK):
        pytest.skip(f"the command line is not built: {path}")
    return path


@pytest.fixture
def columns_of() -> Callable[[list[Any]], dict[str, list[Any]]]:
    """Rows as columns."""

    def turned(rows: list[Any]) -> dict[str, list[Any]]:
        titles = ["subject", "relation", "object", "time"]
        if len(rows[0]) == 5:
            titles = ["subject", "relation", "object", "start", "end"]
        return {title: list(column) for title, column in zip(titles, zip(*rows))}

    return turned
