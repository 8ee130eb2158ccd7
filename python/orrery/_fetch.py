"""Benchmark sets from the network, by Python's own library: the wheel brings no other.

The engine, which knows every file's hash, takes them from here and checks every byte.
"""

from __future__ import annotations

import http.client
import os
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Optional

from orrery import _engine
from orrery._errors import Error

Progress = Callable[[str, int, int], object]  # a file's name, its bytes here, its bytes in all or 0

_PATIENCE = 30  # seconds without a byte
_CHUNK = 1 << 16
_SPLITS = ("train", "valid", "test")


_PASSING = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


class _Refused(Exception):
    """Another attempt would end the same way."""


def _attempt(url: str, path: str, most_bytes: int, progress: Optional[Progress]) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "orrery"})
    with urllib.request.urlopen(request, timeout=_PATIENCE) as answer, open(path, "wb") as file:
        total = int(answer.headers.get("Content-Length") or 0)
        if total > most_bytes:
            raise _Refused(f"the server announces {total} bytes, and the file has {most_bytes}")
        done = 0
        while chunk := answer.read(_CHUNK):
            done += len(chunk)
            if done > most_bytes:
                raise _Refused(f"the server goes on sending, and the file has {most_bytes} bytes")
            file.write(chunk)
            if progress is not None:
                progress(os.path.basename(path), done, total)
        if done < total:
            raise http.client.IncompleteRead(b"", total - done)


def download(
    url: str,
    path: str,
    most_bytes: int,
    progress: Optional[Progress] = None,
    *,
    attempts: int = 4,
    pause: float = 0.5,
) -> None:
    """Fetches ``url`` into ``path``; what does not arrive whole is an Error and leaves nothing."""
    try:
        for made in range(1, attempts + 1):
            try:
                return _attempt(url, path, most_bytes, progress)
            except urllib.error.HTTPError as problem:
                if made == attempts or (problem.code < 500 and problem.code not in (408, 429)):
                    raise
            except _PASSING:
                if made == attempts:
                    raise
            time.sleep(pause * 2 ** (made - 1))
    except BaseException as problem:
        if os.path.exists(path):
            os.remove(path)
        if not isinstance(problem, (_Refused, *_PASSING)):
            raise
        raise Error(
            f"it could not be fetched ({problem})",
            place=url,
            advice="check the connection, or download the files and open their directory",
        ) from problem


def fetch_benchmark(name: str, progress: Optional[Progress] = None) -> str:
    """The folder of a benchmark set, fetched into the cache where it is not there yet."""
    folder: str = _engine.benchmark_folder(name)
    if all(os.path.exists(os.path.join(folder, f"{split}.txt")) for split in _SPLITS):
        return folder
    home, files = _engine.benchmark_files(name)
    with tempfile.TemporaryDirectory(prefix="orrery-") as stage:
        for file, most_bytes in files:
            download(f"{home.rstrip('/')}/{file}", os.path.join(stage, file), most_bytes, progress)
        _engine.fetch_benchmark(name, folder, stage)
    return folder
