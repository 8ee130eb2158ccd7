"""Threads, forks and processes."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

import orrery
from conftest import SMALL

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def asked(model: orrery.Model, number: int) -> list[Any]:
    name = model.entity_names[number % 10]
    one = list(model.predict(name, "calls", time="2024-02-03", top=5))
    many = model.predict([name, "Bo"], "visits", time="2024-02-04", top=3).to_table()
    return [one, list(many), model.neighbours(name, 3)["name"]]


def test_eight_threads_on_one_model(facts: orrery.Dataset) -> None:
    model = orrery.train(facts, **SMALL)  # fresh: what is made when first asked is made in threads
    begin = threading.Barrier(8)

    def ask(number: int) -> list[Any]:
        begin.wait()
        return [asked(model, number + i) for i in range(20)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    for number, answers in enumerate(found):
        assert answers == [asked(model, number + i) for i in range(20)]


def test_trainings_at_once(facts: orrery.Dataset) -> None:
    def train(seed: int) -> Any:
        return orrery.train(facts, **{**SMALL, "seed": seed, "threads": 2}).embeddings["entity"]

    alone = [train(seed).tolist() for seed in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        together = [table.tolist() for table in pool.map(train, range(4))]
    assert together == alone


def test_training_lets_other_threads_work(facts: orrery.Dataset) -> None:
    """A thread that only counts goes on while the engine trains."""
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    orrery.train(facts, **{**SMALL, "epochs": 60, "dim": 64})
    during = counted[0] - before
    stop.set()
    thread.join()
    assert during > 1000


def in_child(work: Any) -> int:
    """The exit code of a forked child that does the work; 99: it hung."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:  # noqa: BLE001
            os._exit(2)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        threading.Event().wait(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 99


AFTER_IMPORT = """
import os, sys, orrery
child = os.fork()
if child == 0:
    model = orrery.train(orrery.Dataset(sys.argv[1]), dim=8, epochs=2, progress=False)
    os._exit(0 if len(model.predict("Ada", "calls", time="2024-02-03")) == 10 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_fork_after_import(folder: pathlib.Path) -> None:
    subprocess.run([sys.executable, "-c", AFTER_IMPORT, str(folder)], check=True, timeout=120)


def test_a_fork_after_training(facts: orrery.Dataset) -> None:
    options = {**SMALL, "threads": 2}
    model = orrery.train(facts, **options)
    wanted = asked(model, 3)
    mrr = model.evaluate(progress=False).mrr

    def work() -> bool:
        trained = orrery.train(facts, **options)
        return (
            asked(model, 3) == wanted
            and model.evaluate(progress=False).mrr == mrr
            and (trained.embeddings["entity"] == model.embeddings["entity"]).all()
        )

    assert in_child(work) == 0
    assert asked(model, 3) == wanted  # and the parent goes on


def score(model: orrery.Model) -> float:
    return float(model.evaluate(progress=False).mrr)


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_with_pickled_models(way: str, model: orrery.Model) -> None:
    with multiprocessing.get_context(way).Pool(2) as pool:
        found = pool.map_async(score, [model, model]).get(timeout=120)
    assert found == [score(model)] * 2


def test_errors_come_back_from_processes(model: orrery.Model) -> None:
    with concurrent.futures.ProcessPoolExecutor(
        1, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        with pytest.raises(orrery.Error) as caught:
            pool.submit(model.predict, "Adda", "calls", time="2024-02-03").result(timeout=120)
    assert "Ada" in str(caught.value)


LEAKS = """
import resource, sys, orrery
facts = orrery.Dataset(sys.argv[1])
many = int(sys.argv[2])

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def work(seed):
    model = orrery.train(facts, dim=8, epochs=1, batch=64, threads=1, seed=seed, progress=False,
                         callbacks=[lambda epoch: None])
    model.predict("Ada", "calls", time="2024-02-03").to_table()
    model.embeddings["entity"].sum()
    model.evaluate(progress=False)
    orrery.Dataset([("a", "r", "b", "2024-01-01"), ("b", "r", "a", "2024-01-02")])
    try:
        model.predict("Adda", "calls", time="2024-02-03")
    except orrery.Error:
        pass

for seed in range(many // 4):
    work(seed)
before = memory()
for seed in range(many):
    work(seed)
grown = memory() - before
print(grown)
"""


def _grown(folder: pathlib.Path, many: int) -> int:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LEAKS, str(folder), str(many)],
        capture_output=True, text=True, check=True, timeout=600,
    )
    assert done.stderr == ""  # nanobind tells here of what was not given back at exit
    return int(done.stdout)


def test_no_leak(folder: pathlib.Path) -> None:
    assert _grown(folder, 100) < 2_000_000


@pytest.mark.slow
def test_no_leak_over_a_thousand_trainings(folder: pathlib.Path) -> None:
    assert _grown(folder, 1000) < 2_000_000


HELD = """
import orrery
facts = orrery.Dataset([("a", "r", "b", f"2024-01-0{day}") for day in range(1, 9)])
model = orrery.train(facts, dim=8, epochs=2, progress=False)
model.me = [model, facts, model.embeddings["entity"], model.history]
kept = model.predict("a", "r", time="2024-01-02")
try:
    model.predict("x", "r", time="2024-01-02")
except orrery.Error as error:
    error.held = [error, model]
    raised = error
"""


def test_nothing_is_told_at_exit() -> None:
    """Neither of what a module holds at exit, nor of what holds itself."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HELD], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_import_is_light() -> None:
    """No library that is not asked for is loaded with the package."""
    program = "import sys, orrery; print(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(done.stdout.split())
    heavy = {"numpy", "pandas", "polars", "pyarrow", "sklearn", "matplotlib", "tqdm", "networkx"}
    assert not loaded & heavy
