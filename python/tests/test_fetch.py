"""Files from a server of one's own: what arrives, what is refused, and what stays behind."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import orrery
from orrery import _engine, _fetch

BODY = b"a fact\n" * 1000


class Server(http.server.BaseHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self) -> None:
        Server.asked.append(self.path)
        if self.path == "/missing":
            return self.send_error(404)
        if self.path == "/busy" and len(Server.asked) == 1:
            return self.send_error(503)
        self.send_response(200)
        if self.path != "/endless":
            announced = len(BODY) + (self.path == "/short")
            self.send_header("Content-Length", str(announced))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def home() -> Iterator[str]:
    Server.asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def get(url: str, path: Path, most_bytes: int = len(BODY) + 1) -> None:
    _fetch.download(url, str(path), most_bytes, attempts=2, pause=0)


def test_a_file_arrives_and_progress_is_told(home: str, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    path = tmp_path / "train.txt"
    _fetch.download(f"{home}/file", str(path), len(BODY), lambda *seen: told.append(seen))
    assert path.read_bytes() == BODY
    assert told[-1] == ("train.txt", len(BODY), len(BODY))


def test_a_busy_server_is_asked_again(home: str, tmp_path: Path) -> None:
    get(f"{home}/busy", tmp_path / "file")
    assert Server.asked == ["/busy", "/busy"]


@pytest.mark.parametrize("name, asked", [("missing", 1), ("short", 2)])
def test_what_does_not_come_whole_leaves_nothing(
    home: str, tmp_path: Path, name: str, asked: int
) -> None:
    with pytest.raises(orrery.Error) as caught:
        get(f"{home}/{name}", tmp_path / "file")
    assert caught.value.place == f"{home}/{name}"
    assert caught.value.advice is not None
    assert len(Server.asked) == asked
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("name", ["file", "endless"])
def test_a_server_that_sends_too_much_is_refused(home: str, tmp_path: Path, name: str) -> None:
    with pytest.raises(orrery.Error, match="the file has 100"):
        get(f"{home}/{name}", tmp_path / "file", 100)
    assert len(Server.asked) == 1
    assert not (tmp_path / "file").exists()


def test_an_exception_of_progress_ends_it(home: str, tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _fetch.download(f"{home}/file", str(tmp_path / "file"), len(BODY), stop)
    assert not (tmp_path / "file").exists()


def test_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(orrery.Error, match="could not be fetched"):
        get("http://127.0.0.1:9/file", tmp_path / "file")


def test_the_engine_refuses_other_files_than_the_sets(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    files = _engine.benchmark_files("icews14")[1]
    monkeypatch.setattr(_engine, "benchmark_files", lambda name: (home, files))
    with pytest.raises(orrery.Error, match="not what icews14 is made of"):
        orrery.Dataset("icews14", progress=False)
    assert len(Server.asked) == 3
    assert not list(tmp_path.rglob("train*"))


def test_a_wrong_set_in_the_cache_is_refused_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "icews14"
    folder.mkdir()
    for split in ("train", "valid", "test"):
        (folder / f"{split}.txt").write_text("Ada\tvisits\tBo\t2024-01-02\n")
    monkeypatch.setenv("ORRERY_DATA", str(tmp_path))
    with pytest.raises(orrery.Error):
        orrery.Dataset("icews14", progress=False)
