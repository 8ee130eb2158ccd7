"""A server of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orrery import _engine

if TYPE_CHECKING:
    from orrery._model import Model


class Server:
    """Answers over HTTP until ``stop()``; a context manager as well. ``url`` is its page."""

    def __init__(self, model: "Model", host: str, port: int, token: str) -> None:
        facts = model.facts
        name = model._core.card()["model"]
        self._core: Any = _engine.serve(
            name, model._core, facts._core if facts is not None else None, host, port, token
        )

    @property
    def url(self) -> str:
        return str(self._core.url)

    def stop(self) -> None:
        """Answers what is in flight, and ends."""
        if self._core is not None:
            self._core.stop()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Server({self.url})"

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" width="100%" height="700" frameborder="0"></iframe>'
