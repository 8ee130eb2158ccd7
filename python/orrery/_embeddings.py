"""A model's tables of numbers as arrays that are not copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_made: dict[str, Any] = {}


def table_class() -> Any:
    """numpy is imported when a table is asked for, not with the package."""
    if "class" in _made:
        return _made["class"]
    import numpy

    class EmbeddingTable(numpy.ndarray):
        """A read-only array, a row an embedding, with ``names`` of the rows."""

        names: tuple[str, ...] = ()

        def __array_finalize__(self, source: Any) -> None:
            self.names = ()  # its rows may be others, or in another order

        def __dlpack__(self, **arguments: Any) -> Any:
            # Consumers that know nothing of read-only memory get a copy.
            try:
                return super().__dlpack__(**arguments)
            except BufferError:
                return numpy.array(self).__dlpack__(**arguments)

        def __reduce__(self) -> Any:
            return (_restored, (numpy.array(self, subok=False), self.names))

    _made["class"] = EmbeddingTable
    return EmbeddingTable


def _restored(values: Any, names: tuple[str, ...]) -> Any:
    table = values.view(table_class())
    table.names = names
    return table


class Embeddings(Mapping[str, Any]):
    """The tables of a model by name: ``embeddings["entity"]`` is a read-only array with ``names``.

    A row holds the first components of all its numbers, then the second ones, and so on: a complex
    embedding has all real parts, then all imaginary parts.

    >>> entity = model.embeddings["entity"]
    >>> entity.shape, entity.names[0], entity.flags.writeable
    ((244, 32), 'Ada Amberly', False)
    """

    def __init__(self, core: Any) -> None:
        self._core = core
        self._info = {table["name"]: table for table in core.card()["embeddings"]}

    def __getitem__(self, name: str) -> Any:
        if name not in self._info:
            raise KeyError(f"there is no table {name!r}; there are {', '.join(self._info)}")
        table = self._core.embeddings(name).view(table_class())
        table.flags.writeable = False
        table.names = tuple(self._core.embedding_names(name))
        return table

    def __iter__(self) -> Iterator[str]:
        return iter(self._info)

    def __len__(self) -> int:
        return len(self._info)

    def __repr__(self) -> str:
        tables = (f"{n}: {t['rows']:,} × {t['dim']:,}" for n, t in self._info.items())
        return f"Embeddings({', '.join(tables)})"
