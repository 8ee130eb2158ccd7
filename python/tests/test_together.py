"""Several processes under mpirun share a training by mpi4py."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any, Optional

import pytest

import orrery
from conftest import ROOT, small_rows, write_rows

pytest.importorskip("mpi4py")
if shutil.which("mpirun") is None:
    pytest.skip("there is no mpirun", allow_module_level=True)

# mpirun refuses root and more processes than cores unless it is told otherwise.
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    # How long those that are left have to end; it waits all of that time. A second is little on a
    # busy machine.
    "OMPI_MCA_odls_base_sigkill_timeout": "5",
}
SETTINGS = "dim=8, epochs=6, batch=64, threads=1, device='cpu', precision='fp32', progress=False"
LONGEST_END = 20  # seconds, on a busy machine


class Cluster:
    """Programs that run in several processes, in a folder of their own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        write_rows(folder / "data", small_rows())

    def start(self, processes: int, body: str) -> "subprocess.Popen[str]":
        program = self.folder / f"program{len(list(self.folder.glob('*.py')))}.py"
        head = "import json, os, sys, time\nimport orrery\n"
        program.write_text(head + textwrap.dedent(body))
        return subprocess.Popen(
            ["mpirun", "-n", str(processes), sys.executable, str(program)],
            cwd=self.folder, env=ENVIRONMENT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def run(self, processes: int, body: str, code: Optional[int] = 0) -> str:
        """What it printed. ``code``: how it ends; None: with anything but success."""
        child = self.start(processes, body)
        said = child.communicate(timeout=120)[0]
        assert (child.returncode != 0) if code is None else (child.returncode == code), said
        return said

    def start_a_long_run(self) -> "subprocess.Popen[str]":
        """Two processes that train, and have told their numbers in files."""
        child = self.start(2, f"""
            with orrery.together() as processes:
                with open(f"pid-{{processes.rank}}", "w") as file:
                    json.dump(os.getpid(), file)
                orrery.train("data", run="run", {SETTINGS.replace("epochs=6", "epochs=100000")})
        """)  # fmt: skip
        epochs = self.folder / "run" / "metrics.jsonl"
        give_up = time.monotonic() + 60
        while not (epochs.exists() and epochs.stat().st_size) and time.monotonic() < give_up:
            time.sleep(0.05)
        return child

    def written(self, name: str) -> list[Any]:
        """By rank, what the processes have written as JSON."""
        return [json.loads(path.read_text()) for path in sorted(self.folder.glob(f"{name}-*"))]


@pytest.fixture
def cluster(tmp_path: pathlib.Path) -> Cluster:
    return Cluster(tmp_path)


def losses(run: pathlib.Path) -> list[float]:
    return [json.loads(line)["loss"] for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_several_processes_learn_what_one_does(cluster: Cluster) -> None:
    alone = orrery.train(cluster.folder / "data", dim=8, epochs=6, batch=64, threads=1,
                         device="cpu", precision="fp32", progress=False)  # fmt: skip
    for processes in (2, 3):
        cluster.run(processes, f"""
            with orrery.together() as processes:
                model = orrery.train("data", {SETTINGS})
            answers = model.predict(subject="Ada", relation="calls", time="2024-02-03", top=4)
            found = [processes.rank, processes.size, processes.leads,
                     model.summary.loss, [answer.score for answer in answers]]
            with open(f"found{{processes.size}}-{{processes.rank}}", "w") as file:
                json.dump(found, file)
        """)  # fmt: skip
        found = cluster.written(f"found{processes}")
        assert [each[:3] for each in found] == [[r, processes, r == 0] for r in range(processes)]
        assert all(each[3:] == found[0][3:] for each in found)
        assert found[0][3] == pytest.approx(alone.summary.loss, rel=1e-3)
        scores = [a.score for a in alone.predict(subject="Ada", relation="calls",
                                                 time="2024-02-03", top=4)]  # fmt: skip
        assert found[0][4] == pytest.approx(scores, rel=0.02, abs=0.02)


def test_a_run_is_resumed_by_another_number(cluster: Cluster) -> None:
    once = f"orrery.train('data', run='{{run}}', {SETTINGS})"
    whole = cluster.folder / "whole"
    orrery.train(cluster.folder / "data", run=whole, dim=8, epochs=6, batch=64, threads=1,
                 device="cpu", precision="fp32", progress=False)  # fmt: skip
    cluster.run(3, f"""
        with orrery.together():
            {once.format(run='shared').replace('epochs=6', 'epochs=3')}
    """)  # fmt: skip
    cluster.run(2, f"""
        with orrery.together():
            {once.format(run='shared')}
    """)  # fmt: skip
    assert losses(cluster.folder / "shared") == pytest.approx(losses(whole), rel=1e-3)
    assert sorted(os.listdir(cluster.folder / "shared")) == sorted(os.listdir(whole))


def test_the_program_of_the_guide_runs(cluster: Cluster) -> None:
    page = (ROOT / "docs" / "python" / "train.md").read_text().split("## Several processes")[1]
    program = page.split("```python\n")[1].split("```")[0]
    (cluster.folder / "data").rename(cluster.folder / "icews14")
    (cluster.folder / "data").mkdir()
    (cluster.folder / "icews14").rename(cluster.folder / "data" / "icews14")
    said = cluster.run(2, program)
    # Amid progress, where tqdm is installed, whose figures have at most four digits.
    assert len(re.findall(r"0\.\d{6,}", said)) == 1, said


def test_groups_train_apart(cluster: Cluster) -> None:
    cluster.run(4, f"""
        from mpi4py import MPI
        world = MPI.COMM_WORLD
        group = world.Get_rank() % 2
        with orrery.together(world.Split(group)) as processes:
            assert processes.size == 2
            model = orrery.train("data", seed=1 + group, {SETTINGS})
        with open(f"loss-{{group}}{{processes.rank}}", "w") as file:
            json.dump(model.summary.loss, file)
    """)  # fmt: skip
    first, same_as_first, second, same_as_second = cluster.written("loss")
    assert first == same_as_first != second == same_as_second


def test_one_process_shares_nothing(cluster: Cluster) -> None:
    said = cluster.run(1, f"""
        with orrery.together() as processes:
            model = orrery.train("data", {SETTINGS})
        print(processes, model.summary.epochs_done)
    """)  # fmt: skip
    assert "Together(rank=0, size=1) 6" in said


def test_what_all_refuse_is_an_exception_of_all(cluster: Cluster) -> None:
    cluster.run(2, f"""
        with orrery.together() as processes:
            pass
        for wrong in ({{"dropout": 2}}, {{"batch": 64 + processes.rank}}):
            try:
                with orrery.together():
                    orrery.train("data", **{{**dict({SETTINGS}), **wrong}})
            except orrery.Error as error:
                with open(f"error-{{processes.rank}}{{list(wrong)[0]}}", "w") as file:
                    json.dump(str(error), file)
        with orrery.together():
            orrery.train("data", {SETTINGS})
    """)  # fmt: skip
    batch, dropout, other_batch, other_dropout = cluster.written("error")
    assert dropout == other_dropout and "dropout" in dropout
    assert batch == other_batch
    assert "rank 1 of 2 was started with batch = 65, and the leader with 64" in batch


def test_other_facts_are_refused_by_rank(cluster: Cluster) -> None:
    write_rows(cluster.folder / "other", small_rows(seed=8))
    said = cluster.run(2, f"""
        with orrery.together() as processes:
            orrery.train("data" if processes.leads else "other", {SETTINGS})
    """, code=None)  # fmt: skip
    assert "rank 1 of 2 has another data set" in said


def test_a_search_works_in_one_process(cluster: Cluster) -> None:
    said = cluster.run(2, """
        with orrery.together():
            orrery.tune("data", time="1s", progress=False)
    """, code=None)  # fmt: skip
    assert "tune works in one process" in said


def test_one_that_fails_alone_ends_the_others(cluster: Cluster) -> None:
    started = time.monotonic()
    said = cluster.run(3, """
        with orrery.together() as processes:
            if processes.rank == 1:
                raise FileNotFoundError("no such facts")
            orrery.train("data", dim=8, epochs=100000, progress=False)
    """, code=None)  # fmt: skip
    assert time.monotonic() - started < LONGEST_END
    assert "rank 1 of 3 ends all processes: FileNotFoundError: no such facts" in said
    assert "Traceback" in said


def test_one_that_fails_in_the_end_ends_the_others(cluster: Cluster) -> None:
    for error in ("ValueError('wrong in the end')", "ValueError('\\\\udc80 is no text')"):
        said = cluster.run(2, f"""
            with orrery.together() as processes:
                if processes.rank == 1:
                    raise {error}
        """, code=None)  # fmt: skip
        assert "rank 1 of 2 ends all processes: ValueError" in said


def test_calls_that_differ_are_refused(cluster: Cluster) -> None:
    for body in (f"if processes.leads: orrery.train('data', {SETTINGS})",
                 f"if not processes.leads: orrery.train('data', run='run', {SETTINGS})",
                 f"orrery.train('data', run='run' if processes.leads else None, {SETTINGS})"):
        said = cluster.run(2, f"""
            with orrery.together() as processes:
                {body}
        """, code=None)  # fmt: skip
        assert "rank 1 of 2" in said and "another call" in said


def test_blocks_are_not_nested(cluster: Cluster) -> None:
    said = cluster.run(2, """
        with orrery.together():
            with orrery.together():
                pass
    """, code=None)  # fmt: skip
    assert "a shared training is in another one" in said


def test_facts_in_another_order_are_refused(cluster: Cluster) -> None:
    shutil.copytree(cluster.folder / "data", cluster.folder / "other")
    lines = (cluster.folder / "data" / "valid.txt").read_text().splitlines(True)
    (cluster.folder / "other" / "valid.txt").write_text("".join(reversed(lines)))
    said = cluster.run(2, f"""
        with orrery.together() as processes:
            orrery.train("data" if processes.leads else "other", {SETTINGS})
    """, code=None)  # fmt: skip
    assert "rank 1 of 2 has another order of facts" in said


def test_a_run_that_one_does_not_see_is_refused(cluster: Cluster) -> None:
    said = cluster.run(2, f"""
        with orrery.together() as processes:
            os.makedirs(f"own{{processes.rank}}")
            run = os.path.join(f"own{{processes.rank}}", "run")
            orrery.train("data", run=run, {SETTINGS})
    """, code=None)  # fmt: skip
    assert "does not see the model that the first one has saved" in said


def test_a_killed_process_ends_the_others_by_name(cluster: Cluster) -> None:
    child = cluster.start_a_long_run()
    os.kill(cluster.written("pid")[1], signal.SIGKILL)
    killed = time.monotonic()
    said = child.communicate(timeout=60)[0]
    assert time.monotonic() - killed < LONGEST_END
    assert child.returncode != 0
    assert "rank 1 of 2" in said and "has ended unexpectedly" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_any_process_saves(cluster: Cluster, number: int) -> None:
    child = cluster.start_a_long_run()
    os.kill(cluster.written("pid")[1], number)
    said = child.communicate(timeout=60)[0]
    assert child.returncode != 0
    assert "KeyboardInterrupt" in said
    summary = json.loads((cluster.folder / "run" / "summary.json").read_text())
    assert summary["ending"] == "interrupted"
    epochs = summary["epochs_done"] + 2
    orrery.train(cluster.folder / "data", run=cluster.folder / "run", epochs=epochs,
                 progress=False)  # fmt: skip
    assert len(losses(cluster.folder / "run")) == epochs
