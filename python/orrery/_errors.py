"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from orrery import _engine

if TYPE_CHECKING:
    from orrery._model import Model


class Error(Exception):
    """What the library refuses or fails at: what, where, and what to do.

    ``option``: the keyword argument to blame, or None. ``place``: where, as ``"file:line"``, or
    None. ``advice``: what to do about it, or None. ``kind``: ``"request"`` where the caller can
    correct it, ``"model"`` where one model failed (it diverged, or does not fit into memory),
    ``"broken"`` for faults of the system or of the library.

    >>> try:
    ...     orrery.Dataset([("Ada", "visits", "Bo", "03/04/2024")])
    ... except orrery.Error as error:
    ...     error.option, error.place, error.kind
    ('dates', 'facts:1', 'request')
    """

    def __init__(
        self,
        message: str,
        *,
        option: Optional[str] = None,
        place: Optional[str] = None,
        advice: Optional[str] = None,
        kind: str = "request",
    ) -> None:
        text = f"{place}: {message}" if place else message
        super().__init__(f"{text}; {advice}" if advice else text)
        self.message = message
        self.option = option
        self.place = place
        self.advice = advice
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        return (
            _restored,
            (type(self), self.message, self.option, self.place, self.advice, self.kind),
        )


class OptionError(Error, ValueError):
    """A keyword argument has a wrong value."""


class UnknownOptionError(Error, TypeError):
    """There is no such keyword argument."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a training in memory: ``model`` is what was trained so far, or None."""

    model: Optional["Model"] = None


def _restored(
    cls: type[Error],
    message: str,
    option: Optional[str],
    place: Optional[str],
    advice: Optional[str],
    kind: str,
) -> Error:
    return cls(message, option=option, place=place, advice=advice, kind=kind)


def keyword(option: str) -> str:
    """The keyword argument of an option: ``lambda_n3`` of ``lambda-n3``, ``from_`` of ``from``."""
    return {"from": "from_", "data": "facts"}.get(option) or option.replace("-", "_")


def _made(kind: str, message: str, option: str, file: str, line: int, advice: str) -> Error:
    place = f"{file}:{line}" if file and line else file
    cls = OptionError if option and kind == "request" else Error
    return cls(
        message,
        option=keyword(option) or None,
        place=place or None,
        advice=advice or None,
        kind=kind,
    )


_engine.set_exception_maker(_made)
