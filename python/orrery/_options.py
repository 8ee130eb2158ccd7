"""Keyword arguments: the options of the command line, from the engine's table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Mapping, TypeVar

from orrery import _engine
from orrery._errors import OptionError, UnknownOptionError, keyword

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Options that are arguments of their own here.
_ELSEWHERE = {"data"}


@functools.lru_cache(maxsize=None)
def table() -> dict[str, dict[str, Any]]:
    """Every option by its keyword: name, sentence, about, type, default, bounds, values."""
    return {
        keyword(option["name"]): option
        for option in _engine.option_table()
        if option["name"] not in _ELSEWHERE
    }


def of_reading() -> list[str]:
    return [name for name, option in table().items() if option["about"] == "data"]


def of_training() -> list[str]:
    return [name for name, option in table().items() if option["about"] != "data"]


def engine_names(given: Mapping[str, Any], allowed: list[str], caller: str) -> dict[str, Any]:
    """The options that were given, by the engine's names; None is as if it were not given."""
    result = {}
    for name, value in given.items():
        if name not in allowed:
            raise _unknown(name, allowed, caller)
        if value is not None:
            _require_width(name, value)
            result[table()[name]["name"]] = value
    return result


def _require_width(name: str, value: Any) -> None:
    """The engine's numbers have 64 bits."""
    least = 0 if name == "seed" else -(2**63)
    if isinstance(value, int) and not least <= value < 2**64 + least:
        raise OptionError(
            f"{name} is {value}, but must be from {least} to {2**64 + least - 1}", option=name
        )


def _unknown(name: str, allowed: list[str], caller: str) -> UnknownOptionError:
    near = _engine.nearest_name(name, allowed)
    if near:
        advice = f"did you mean {near}?"
    elif name in table():
        advice = "it is an argument of Dataset" if name in of_reading() else "it is one of train()"
    else:
        advice = f"help(orrery.{caller}) lists them"
    return UnknownOptionError(
        f"{caller}() has no argument {name}", option=name, advice=advice
    )


def describe(names: list[str]) -> str:
    """Lines for a docstring, an option each."""
    lines = []
    for name in names:
        option = table()[name]
        default = option["default"]
        lines.append(f"    {name}: {option['sentence']} (default {default!r})")
    return "\n".join(lines)


def with_options(names: Callable[[], list[str]]) -> Callable[[_Function], _Function]:
    """Adds the options to a function's docstring and signature."""

    def decorate(function: _Function) -> _Function:
        import inspect

        options = names()
        signature = inspect.signature(function)
        fixed = [
            p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        taken = {p.name for p in fixed}
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for name in options
            if name not in taken
        ]
        shown = signature.replace(parameters=fixed + added)
        setattr(function, "__signature__", shown)
        function.__doc__ = f"{function.__doc__ or ''}\n\nOptions:\n\n{describe(options)}\n"
        return function

    return decorate
