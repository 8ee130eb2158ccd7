"""A browser without a head, driven by chromedriver over HTTP: what a person does, and what is seen."""
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # how WebDriver writes an element in JSON
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Down": "\ue015", "Up": "\ue013",
        "Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "End": "\ue010", "Space": " "}


def missing_browser():
    """Why there is no browser; empty: there is one."""
    if not find_browser():
        return "no Chromium is installed"
    return "" if shutil.which("chromedriver") else "no chromedriver is installed"


def find_browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __init__(self, folder):
        self.port_file = folder / "chromedriver.log"
        with self.port_file.open("w") as said:
            self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=said, stderr=subprocess.STDOUT)
        self.url = f"http://127.0.0.1:{self.wait_for(self.port)}"
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run",
                     "--disable-sync", f"--user-data-dir={folder / 'profile'}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # which Chromium refuses to root
        options = {"binary": find_browser(), "args": arguments}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.session = ""
        try:
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        except BaseException:
            self.driver.terminate()
            self.driver.wait()
            raise
        self.session = f"/session/{answer['sessionId']}"

    def port(self):
        words = self.port_file.read_text().split("started successfully on port ")
        return int(words[1].split(".")[0]) if len(words) > 1 else None

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + self.session + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(json.load(error)["value"]["message"]) from None

    def wait_for(self, look, seconds=30):
        """What `look` returns, as soon as it is something."""
        until = time.monotonic() + seconds
        while True:
            found = look()
            if found or time.monotonic() > until:
                return found
            time.sleep(0.05)

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def back(self):
        self.ask("POST", "/back", {})

    def reload(self):
        self.ask("POST", "/refresh", {})

    def address(self):
        return self.ask("GET", "/url")

    def run(self, script, *given):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(given)})

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click", {})

    def press(self, *words):
        """Keys by their names, anything else letter by letter, into whatever has the focus."""
        letters = [letter for word in words for letter in ([KEYS[word]] if word in KEYS else word)]
        actions = [{"type": kind, "value": letter} for letter in letters for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def text(self, selector):
        """As it is read on the screen; empty where nothing is shown."""
        return self.run("const found = document.querySelector(arguments[0]);"
                        "return found && found.checkVisibility() ? found.innerText : ''", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])]"
                        ".filter((one) => one.checkVisibility()).map((one) => one.innerText)", selector)

    def command(self, name, **parameters):
        """Of the DevTools protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def look(self, width, height=900, scheme="light"):
        """As a window of this size, on a light or dark system."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 500)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        """What the console has said since the last call, errors and warnings."""
        logged = self.ask("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in logged if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self):
        """The addresses that were asked since the last call."""
        logged = self.ask("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in logged]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]
