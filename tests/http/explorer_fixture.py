"""A server of `orrery serve` on a small trained model, and a browser that looks at its page.

The model is of the demo world, in which one state has a name that would be markup, one is written from
right to left, and one is very long.
"""
import json
import os
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

from webdriver import Browser

HOSTILE = '<b id=broken onclick=alert(1)>Quororia</b> &amp; "sons"'
HEBREW = "קזריה 🪐"
LONG = "Republic of " + "Zanavia" * 30
SCRIPT = "<script>document.title = 'broken'</script>"  # a relation
RENAMED = {"Quororia": HOSTILE, "Kesesse": HEBREW, "Zanavia": LONG}


class Server:
    def __init__(self, program, runs, log, token=""):
        self.log = log
        environment = {**os.environ, "ORRERY_TOKEN": token} if token else os.environ
        with log.open("w") as said:
            self.process = subprocess.Popen([program, "serve", *runs, "--port", "0"], env=environment,
                                            stderr=said, stdout=subprocess.DEVNULL)

    def address(self):
        """Once it says so; empty before."""
        said = self.log.read_text().split(" at http://")
        return f"http://{said[1].split()[0]}" if len(said) > 1 else ""

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Stage:
    """What all tests share: a run, its server, a browser."""

    def __init__(self, program):
        self.program = program
        self.kept = tempfile.TemporaryDirectory(prefix="orrery-explorer-", ignore_cleanup_errors=True)
        self.folder = Path(self.kept.name)
        self.run = self.make_run()
        self.server = Server(program, [self.run], self.folder / "server.log")
        try:
            self.browser = Browser(self.folder)
        except BaseException:
            self.server.stop()
            raise
        self.url = self.browser.wait_for(self.server.address)

    def make_run(self):
        demo, data, run = self.folder / "demo", self.folder / "data", self.folder / "run"
        subprocess.run([self.program, "data", "demo", demo], check=True, stdout=subprocess.DEVNULL)
        data.mkdir()
        for split in ("train", "valid", "test"):
            text = (demo / f"{split}.txt").read_text(encoding="utf-8")
            for plain, odd in {**RENAMED, "lends to": SCRIPT}.items():
                text = text.replace(plain, odd)
            (data / f"{split}.txt").write_text(text, encoding="utf-8")
        subprocess.run([self.program, "train", "--data", data, "--out", run, "--dim", "32", "--epochs", "12",
                        "--device", "cpu", "--quiet"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return run

    def close(self):
        self.browser.close()
        self.server.stop()
        self.kept.cleanup()


class Explorer(unittest.TestCase):
    stage = None
    refusals = False  # whether the test provokes some, which browsers log as errors

    def setUp(self):
        self.browser, self.url = self.stage.browser, self.stage.url
        self.origins = [self.url]
        self.browser.look(1280)
        self.browser.open("about:blank")
        self.browser.complaints()
        self.browser.requested()

    def tearDown(self):
        complaints = self.browser.complaints()
        self.assertEqual([one for one in complaints if not (self.refusals and "status of 4" in one)], [])
        asked = self.browser.requested()
        self.assertTrue(asked)
        self.assertEqual([one for one in asked if not one.startswith(tuple(f"{o}/" for o in self.origins))], [])

    # --- what people do and see ---

    def api(self, path, question=None):
        data = None if question is None else json.dumps(question).encode()
        request = urllib.request.Request(self.url + path, data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def open(self, **question):
        self.browser.open(f"{self.url}/?{urllib.parse.urlencode(question)}")

    def wait_until(self, script, *given):
        self.assertTrue(self.browser.wait_for(lambda: self.browser.run(f"return {script}", *given)), script)

    def names(self):
        return self.browser.run("return [...document.querySelectorAll('#answers .name')]"
                                ".map((one) => one.textContent)")

    def expect_names(self, wanted):
        self.browser.wait_for(lambda: self.names() == wanted)
        self.assertEqual(self.names(), wanted)

    def expect_answers(self, **question):
        answers = self.api("/api/predict", question)["answers"]
        self.expect_names([answer["name"] for answer in answers])
        return answers

    def focused(self):
        return self.browser.run("return document.activeElement.id")

    def choose(self, typed):
        """The first suggestion for what is typed, by keys alone."""
        self.browser.press(typed)
        field = self.focused()
        self.wait_until("[...document.querySelectorAll(`#${arguments[0]}-list mark`)]"
                        ".some((one) => one.textContent.toLowerCase() === arguments[1])", field, typed.lower())
        self.browser.press("Down")
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-activedescendant')"),
                         f"{field}-list-0")
        self.browser.press("Enter")
