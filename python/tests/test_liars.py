"""Objects that are not what they say: refused with a sentence, never read beyond their end."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
import pytest

import orrery

ROWS = [("Ada", "calls", "Bo", "2024-01-02"), ("Bo", "calls", "Cy", "2024-01-03")]


class Liar(list):  # type: ignore[type-arg]
    """A list with another length than it says."""

    def __init__(self, values: Any, says: int) -> None:
        super().__init__(values)
        self._says = says

    def __len__(self) -> int:
        return self._says


class Breaks:
    """Has a length and no values."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, key: object) -> Any:
        raise RuntimeError("the page is torn")


def test_a_wrong_length_of_rows() -> None:
    for says in (0, 1, 7):
        assert len(orrery.Dataset(Liar(ROWS, says), split="100/0/0")) == 2
    with pytest.raises(ValueError, match="fact 2 has 3 parts, and the first 4"):
        orrery.Dataset([ROWS[0], ROWS[1][:3]])


def test_a_wrong_length_of_a_column(columns_of: Any) -> None:
    columns = columns_of(ROWS)
    assert len(orrery.Dataset({**columns, "object": Liar(["Bo", "Cy"], 9)}, split="100/0/0")) == 2
    with pytest.raises((ValueError, orrery.Error), match="length|rows"):
        orrery.Dataset({**columns, "object": ["Bo"]})
    with pytest.raises((ValueError, orrery.Error), match="length|rows"):
        orrery.Dataset({**columns, "object": Liar(["Bo", "Cy", "Dee"], 2)})


def test_values_that_raise(columns_of: Any, model: orrery.Model) -> None:
    with pytest.raises(RuntimeError, match="torn"):
        orrery.Dataset({**columns_of(ROWS), "object": Breaks()})
    with pytest.raises(TypeError, match="Breaks"):
        orrery.Dataset(Breaks())
    with pytest.raises(RuntimeError, match="torn"):
        model.predict(subject=Breaks(), relation="calls", time="2024-02-02")
    with pytest.raises(ValueError, match="says it has 2 values, and has 1"):
        model.predict(subject=Liar(["Ada"], 2), relation="calls", time="2024-02-02")


def test_names_that_raise() -> None:
    class Odd:
        def __str__(self) -> str:
            raise RuntimeError("no text")

        def __hash__(self) -> int:
            return 1

    with pytest.raises(RuntimeError, match="no text"):
        orrery.Dataset([(Odd(), "calls", "Bo", "2024-01-02")])


def test_what_holds_no_facts() -> None:
    for nothing in (3, 2.5, object(), b"bytes", True):
        with pytest.raises(TypeError, match="facts cannot be made of"):
            orrery.Dataset(nothing)
    for empty in ([], {}, (), numpy.empty((0, 4), int)):
        with pytest.raises((ValueError, orrery.Error)):
            orrery.Dataset(empty)
    for rows in (["Ada"], [1, 2], [("Ada", "calls")], [("Ada", "calls", "Bo", 1, 2, 3)]):
        with pytest.raises((TypeError, ValueError)):
            orrery.Dataset(rows)
    with pytest.raises(TypeError, match="fact 2 .* has no 'subject'"):
        orrery.Dataset([orrery.Table({"subject": ["a"], "relation": ["r"]})[0], 5])
    with pytest.raises(ValueError, match="shape"):
        orrery.Dataset(numpy.zeros(8, int))


def test_texts_that_are_no_utf8() -> None:
    with pytest.raises((ValueError, orrery.Error)):
        orrery.Dataset([("A\udc80", "calls", "Bo", "2024-01-02")])


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))


class LyingTable:
    """A table of pyarrow whose chunks are changed before they are handed over."""

    def __init__(self, table: Any, change: Any) -> None:
        self._table, self._change = table, change

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        capsule = self._table.__arrow_c_stream__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        stream = ctypes.cast(pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(Stream))[0]
        honest = GetNext(stream.get_next)

        def changed(one: Any, out: Any) -> int:
            status = honest(one, out)
            if status == 0 and out[0].release:
                status = self._change(out[0]) or 0
            return int(status)

        self._kept = GetNext(changed)
        stream.get_next = ctypes.cast(self._kept, ctypes.c_void_p).value
        return capsule


def _child(chunk: Any, place: int = 0) -> Any:
    return chunk.children[place][0]


def _shorter_column(chunk: Any) -> None:
    _child(chunk).length = 1


def _longer_column(chunk: Any) -> None:
    _child(chunk).length = 1_000_000


def _negative(chunk: Any) -> None:
    chunk.length = _child(chunk).length = -5
    for place in range(4):
        _child(chunk, place).length = -5


def _negative_offset(chunk: Any) -> None:
    _child(chunk).offset = -1


def _fewer_columns(chunk: Any) -> None:
    chunk.n_children = 2


def _backwards(chunk: Any) -> None:
    offsets = ctypes.cast(_child(chunk).buffers[1], ctypes.POINTER(ctypes.c_int32))
    offsets[1] = 99


def _no_buffers(chunk: Any) -> None:
    _child(chunk).n_buffers = 1


def _no_data(chunk: Any) -> None:
    _child(chunk).buffers[1] = None


def _fails(chunk: Any) -> int:
    return 5


@pytest.mark.parametrize(
    "lie",
    [_shorter_column, _longer_column, _negative, _negative_offset, _fewer_columns, _backwards,
     _no_buffers, _no_data, _fails],
)
def test_an_arrow_stream_that_lies(lie: Any, columns_of: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns_of(ROWS))
    table = table.set_column(0, "subject", pyarrow.array(bytearray_texts(["Ada", "Bo"])))
    with pytest.raises(ValueError, match="Arrow"):
        orrery.Dataset(LyingTable(table, lie))


def bytearray_texts(texts: list[str]) -> list[str]:
    """Texts of their own, so that a lie changes no other table."""
    return [str(bytearray(text, "utf-8"), "utf-8") for text in texts]


def test_a_code_that_the_dictionary_lacks(columns_of: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns_of(ROWS))
    table = table.set_column(0, "subject", table["subject"].dictionary_encode())

    def lie(chunk: Any) -> None:
        ctypes.cast(_child(chunk).buffers[1], ctypes.POINTER(ctypes.c_int32))[1] = 2

    with pytest.raises(ValueError, match="a code that its dictionary lacks"):
        orrery.Dataset(LyingTable(table, lie))


def test_a_stream_that_is_none(columns_of: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")

    class NoCapsule:
        def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
            return "a capsule"

    with pytest.raises((TypeError, ValueError)):
        orrery.Dataset(NoCapsule())
    reader = pyarrow.table(columns_of(ROWS)).to_reader()
    assert len(orrery.Dataset(reader, split="100/0/0")) == 2
    with pytest.raises((ValueError, pyarrow.ArrowInvalid, orrery.Error)):
        orrery.Dataset(reader)
    numbers = pyarrow.chunked_array([[1, 2, 3]])
    with pytest.raises(ValueError, match="of a table"):
        orrery.Dataset(numbers)
