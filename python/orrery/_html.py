"""Models in notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orrery._model import Model


def _curve(values: list[float], width: int = 220, height: int = 48) -> str:
    """A line without axes, drawn here: no library is needed."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    spread = high - low or 1.0
    points = " ".join(
        f"{i * width / (len(values) - 1):.1f},{height - (v - low) / spread * height:.1f}"
        for i, v in enumerate(values)
    )
    return (
        f'<svg width="{width}" height="{height}" viewBox="-2 -2 {width + 4} {height + 4}">'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>'
    )


def card(model: "Model") -> str:
    """What a model is, and how its training went."""
    facts = model.card
    rows = [
        ("model", facts.model if facts.mixture else f"{facts.model}, dim {facts.dim:,}"),
        ("formula", facts.formula),
        ("parameters", f"{facts.parameters:,}"),
        ("entities", f"{facts.entities:,}"),
        ("relations", f"{facts.relations:,}"),
        ("times", f"{facts.times:,} ({facts.first_time} … {facts.last_time})"),
        ("epoch", f"{facts.epoch}"),
    ]
    summary = model.summary
    if summary.best_valid is not None:
        rows.append(("validation MRR", f"{summary.best_valid.mrr:.4f}"))
    body = "".join(
        f"<tr><th>{name}</th><td>{html.escape(str(text))}</td></tr>" for name, text in rows if text
    )
    losses = [epoch.loss for epoch in model.history]
    curve = f"<tr><th>loss</th><td>{_curve(losses)}</td></tr>" if len(losses) > 1 else ""
    return f"<table>{body}{curve}</table>"
