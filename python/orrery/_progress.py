"""Progress on the screen: tqdm where it is installed, else nothing but warnings."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Optional


def _bar(**arguments: Any) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(**arguments, leave=False, mininterval=0.2)


def _caller_level() -> int:
    """How far up the first function outside of the package is."""
    package = __name__.partition(".")[0]
    level, frame = 0, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    return level + 1


class TrainingProgress:
    """Hears what a training says, draws it, and asks the callbacks."""

    def __init__(self, show: bool, callbacks: list[Callable[[Any], Any]], what: str) -> None:
        self._show = show
        self._callbacks = callbacks
        self._what = what
        self._bar: Any = None
        self._outer: Any = None
        self._best = ""

    def __enter__(self) -> "TrainingProgress":
        return self

    def __exit__(self, *_: object) -> None:
        for bar in (self._bar, self._outer):
            if bar is not None:
                bar.close()

    def __call__(self, what: str, report: dict[str, Any]) -> bool:
        if what == "warning":
            warnings.warn(report["sentence"], stacklevel=_caller_level())
        elif what == "step" and self._show:
            self._step(report)
        elif what == "epoch":
            return self._epoch(report)
        elif what in ("run", "trial", "fold") and self._show:
            self._next(what, report)
        return False

    def _step(self, report: dict[str, Any]) -> None:
        if self._bar is None:
            self._bar = _bar(total=report["epochs"], desc=self._what, unit="epoch")
            self._show = self._bar is not None
        if self._bar is not None:
            done = report["epoch"] - 1 + report["step"] / max(report["steps"], 1)
            self._bar.total = report["epochs"]
            self._bar.n = min(round(done, 2), report["epochs"])
            self._bar.set_postfix_str(f"loss {report['loss']:.4f}{self._best}")

    def _epoch(self, report: dict[str, Any]) -> bool:
        from orrery._reports import EpochReport

        if report["valid"] and report["best"]:
            self._best = f", valid MRR {report['valid']['mrr']:.4f}"
        if self._bar is not None:
            self._bar.n = report["epoch"]
            self._bar.refresh()
        return any([bool(callback(EpochReport(report))) for callback in self._callbacks])

    def _next(self, what: str, report: dict[str, Any]) -> None:
        done = {"run": "number", "trial": "results_done", "fold": "fold"}[what]
        total = {"run": "of", "trial": "results", "fold": "folds"}[what]
        if self._outer is None:
            self._outer = _bar(total=report[total], desc=what, unit=what)
        if self._outer is not None:
            self._outer.n = report[done] - (0 if what == "trial" else 1)
            self._outer.refresh()
        self._best = ""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextlib.contextmanager
def fetching(show: bool) -> Iterator[Optional[Callable[[str, int, int], None]]]:
    """A listener to downloads."""
    bars: dict[str, Any] = {}

    def report(file: str, done: int, total: int) -> None:
        if file not in bars:
            bars[file] = _bar(total=total or None, desc=file, unit="B", unit_scale=True)
        if bars[file] is not None:
            bars[file].n = done
            bars[file].refresh()

    try:
        yield report if show else None
    finally:
        for bar in bars.values():
            if bar is not None:
                bar.close()


@contextlib.contextmanager
def counting(show: bool, what: str) -> Iterator[Optional[Callable[[int, int], None]]]:
    """A listener to counted work."""
    bar: list[Any] = []

    def report(done: int, total: int) -> None:
        if not bar:
            bar.append(_bar(total=total, desc=what))
        if bar[0] is not None:
            bar[0].n = done
            bar[0].refresh()

    try:
        yield report if show else None
    finally:
        if bar and bar[0] is not None:
            bar[0].close()
