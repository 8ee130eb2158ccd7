"""Ctrl-C is answered soon, and leaves what can go on."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import orrery

# The signal comes when the work is well under way; what comes out is told as JSON.
PROGRAM = """
import json, os, signal, sys, threading, time
import orrery
what, world, out = sys.argv[1:4]
facts = orrery.Dataset(world)
options = dict(dim=256, epochs=100000, batch=64, threads=1, progress=False)
small = orrery.train(facts, dim=8, epochs=1, threads=1, progress=False)
audited = orrery.train(facts, **{**options, "epochs": 100}) if what == "audit" else None
sent = []

def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

works = {
    "train": lambda: orrery.train(facts, **options),
    "run": lambda: orrery.train(facts, run=out, **options),
    "compare": lambda: orrery.compare(facts, ["bsca", "tcomplex"], out=out, **options),
    "sweep": lambda: orrery.sweep(facts, {"lr": [0.1, 0.2]}, eval_every=1000, out=out, **options),
    "tune": lambda: orrery.tune(facts, time="5m", threads=1, progress=False),
    "audit": lambda: audited.audit(progress=False),
    "add": lambda: small.add([("Zoe", "calls", "Ada", "2024-02-13")], epochs=10**7, progress=False),
    "evaluate": lambda: [small.evaluate(facts, progress=False) for _ in range(10**6)],
    "predict": lambda: [small.predict("Ada", "calls", time="2024-02-03") for _ in range(10**7)],
}
timer = threading.Timer(float(sys.argv[4]), send)
timer.start()
told = {}
try:
    works[what]()
except KeyboardInterrupt as error:
    told["seconds"] = time.monotonic() - sent[0]
    told["type"] = type(error).__name__
    model = getattr(error, "model", None)
    told["answers"] = None if model is None else len(
        model.predict("Ada", "calls", time="2024-02-03"))
told["still"] = len(small.predict("Ada", "calls", time="2024-02-03"))
print(json.dumps(told))
"""


def interrupted(what: str, folder: pathlib.Path, out: pathlib.Path, after: float = 0.5) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, what, str(folder), str(out), str(after)],
        capture_output=True, text=True, timeout=300, check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["still"] == 10
    # Within a second; five of a machine on which all tests run at once.
    assert told["seconds"] < 5, told
    return told


@pytest.mark.parametrize(
    "what", ["compare", "sweep", "tune", "audit", "add", "evaluate", "predict"]
)
def test_an_interrupt(what: str, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert interrupted(what, folder, tmp_path / "out")["type"] == "KeyboardInterrupt"


def test_a_training_in_memory_gives_its_model(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    told = interrupted("train", folder, tmp_path / "out")
    assert told["type"] == "Interrupted" and told["answers"] == 10


def test_a_run_can_be_resumed(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "run"
    assert interrupted("run", folder, out)["type"] == "KeyboardInterrupt"
    facts = orrery.Dataset(folder)
    stop = {"epochs": 100_000, "dim": 256, "batch": 64, "threads": 1, "progress": False}
    heard: list[int] = []

    def two_more(epoch: Any) -> bool:
        heard.append(epoch.epoch)
        return len(heard) == 2

    model = orrery.train(facts, run=out, callbacks=[two_more], **stop)
    assert heard[0] > 1 and model.summary.epochs_done == heard[1]
    cut = {**stop, "callbacks": [lambda epoch: epoch.epoch == heard[1]]}
    whole = orrery.train(facts, **cut)
    whole.save(tmp_path / "whole")
    model.save(tmp_path / "resumed")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()


def test_a_second_handler_is_asked(folder: pathlib.Path) -> None:
    """Signals with handlers of their own are delivered while the engine works."""
    program = """
import os, signal, sys, threading, orrery
heard = []
signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
orrery.train(orrery.Dataset(sys.argv[1]), dim=64, epochs=100000, threads=1, progress=False,
             callbacks=[lambda epoch: bool(heard)])
print(len(heard))
"""
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True,
                          text=True, timeout=120, check=True)
    assert done.stdout.strip() == "1"
