"""Pictures with matplotlib, where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orrery._answers import Answers
    from orrery._model import Model
    from orrery._results import Evaluation
    from orrery._table import Table


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install orrery[plot]") from None
    return pyplot.subplots(figsize=(7, 3.2), layout="constrained")[1]


def _few_ticks(ax: Any, labels: list[str], most: int = 8) -> None:
    step = max(1, len(labels) // most)
    ax.set_xticks(range(0, len(labels), step), labels[::step], rotation=30, ha="right")


def training(model: "Model", ax: Any = None) -> Any:
    history = model.history
    if not history:
        raise ValueError("its training is not known: the model was read from a file")
    ax = _axes(ax)
    ax.plot(history["epoch"], history["loss"], label="loss")
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss")
    validated = [(e.epoch, e.valid_mrr) for e in history if e.valid_mrr is not None]
    if validated:
        other = ax.twinx()
        other.plot(*zip(*validated), "o-", color="C1")
        other.set_ylabel("validation MRR")
    return ax


def curve(points: Any, ax: Any = None) -> Any:
    ax = _axes(ax)
    times = [point["time"] if isinstance(point, dict) else point.time for point in points]
    scores = [point["score"] if isinstance(point, dict) else point.score for point in points]
    ax.plot(range(len(times)), scores)
    ax.set_ylabel("score")
    _few_ticks(ax, times)
    return ax


def answers(found: "Answers", ax: Any = None) -> Any:
    if found.asked == "time":
        return curve(found.curve, ax)
    ax = _axes(ax)
    names = [answer.name for answer in found][::-1]
    ax.barh(range(len(names)), [answer.probability for answer in found][::-1])
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("probability")
    return ax


def ranks(found: "Evaluation", ax: Any = None) -> Any:
    ax = _axes(ax)
    places = sorted(found.ranks)
    ax.plot(places, [(i + 1) / len(places) for i in range(len(places))])
    ax.set_xscale("log")
    ax.set_xlabel("rank")
    ax.set_ylabel("share of queries at or above")
    return ax


def bars(table: "Table", ax: Any = None) -> Any:
    ax = _axes(ax)
    label = "name" if "name" in table.columns else table.columns[0]
    names = [str(name) for name in table[label]][::-1]
    ax.barh(range(len(names)), table["mrr"][::-1])
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("MRR")
    return ax
