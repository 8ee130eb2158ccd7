"""Results with the fields of the JSON of the command line and of the server."""

from __future__ import annotations

from typing import Any, ClassVar, Iterator, Mapping


class Record(Mapping[str, Any]):
    """A result: its fields are attributes and keys, those inside of it as well.

    >>> card = model.card
    >>> card.dim, card["dim"], card.to_dict()["dim"]
    (32, 32, 32)
    """

    # What fields that are results themselves are made of, where it is not a plain Record.
    _inside: ClassVar[Mapping[str, "type[Record]"]] = {}

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__["_fields"] = {
            name: _wrapped(value, self._inside.get(name, Record)) for name, value in fields.items()
        }

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._fields[name]
        except KeyError:
            known = ", ".join(self._fields)
            raise AttributeError(f"there is no {name!r}; there are {known}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("results cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.to_dict(),))

    def to_dict(self) -> dict[str, Any]:
        """As plain dictionaries and lists."""
        return {name: _plain(value) for name, value in self._fields.items()}

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_short(value)}" for name, value in self._fields.items())
        return f"{type(self).__name__}({fields})"


def _wrapped(value: Any, kind: type[Record]) -> Any:
    if isinstance(value, Record):
        return value
    if isinstance(value, Mapping):
        return kind(value)
    if isinstance(value, (list, tuple)):
        return [_wrapped(one, kind) for one in value]
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Record):
        return "…"
    if isinstance(value, list) and len(value) > 3:
        return f"[{len(value)} of them]"
    return repr(value)
