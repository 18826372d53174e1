# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by its DevTools protocol over a pipe: Python alone is enough."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time


def find():
    """Chromium's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    return None


class Chromium:
    """One browser with one page. `problems` gathers what the page writes to the console, exceptions
    that nothing caught, and requests for anything that is no file of the report."""

    def __init__(self, path):
        self.problems = []
        self.answers = {}
        self.arrived = threading.Condition()
        self.count = 0
        self.session = None
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def pipes():  # the protocol's descriptors are 3 and 4
            ends = [os.dup(to_browser), os.dup(from_browser)]
            high = [os.dup2(ends[0], 90), os.dup2(ends[1], 91)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--hide-scrollbars", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.profile.cleanup()

    def _read(self):
        rest = b""
        while data := os.read(self.into, 1 << 20):
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                self._take(json.loads(message))
        with self.arrived:
            self.answers[None] = True
            self.arrived.notify_all()

    def _take(self, message):
        if "id" in message:
            with self.arrived:
                self.answers[message["id"]] = message
                self.arrived.notify_all()
            return
        method, params = message["method"], message["params"]
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(f"console: {params['args']}")
        elif method == "Log.entryAdded":
            self.problems.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.problems.append(f"network: {url}")

    def call(self, method, **params):
        """The answer's result. Raises RuntimeError with the protocol's error."""
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        with self.arrived:
            self.arrived.wait_for(lambda: number in self.answers or None in self.answers, 60)
            if number not in self.answers:
                raise RuntimeError(f"no answer to {method}")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def js(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression, what=None, seconds=60):
        """Until the expression is true."""
        end = time.monotonic() + seconds
        while not self.js(expression):
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {what or expression}")
            time.sleep(0.02)

    def frame(self):
        """Until the page has drawn what was asked for: it draws once a frame."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def size(self, width, height, dark=False, reduced_motion=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion",
                     "value": "reduce" if reduced_motion else "no-preference"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, path):
        """Opens a file by its file: address, and waits until the page's script has run."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url="file://" + str(path))
        self.wait("document.documentElement?.dataset.loaded !== undefined", "the page")

    def key(self, key, shift=False):
        text = key if len(key) == 1 else ""
        common = {"key": key, "modifiers": 8 if shift else 0}
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                "ArrowDown": 40, "Tab": 9}.get(key, ord(key.upper()) if len(key) == 1 else 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text,
                  windowsVirtualKeyCode=code, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", windowsVirtualKeyCode=code, **common)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        """Clicks the middle of an element with the mouse."""
        box = self.js("(() => { const e = document.querySelector(%s); e.scrollIntoView("
                      "{block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + "
                      "r.width / 2, r.y + r.height / 2]; })()" % json.dumps(selector))
        self.mouse("mousePressed", *box, button="left", clickCount=1, buttons=1)
        self.mouse("mouseReleased", *box, button="left", clickCount=1)
        self.frame()

    def drag(self, start, end):
        self.mouse("mousePressed", *start, button="left", clickCount=1, buttons=1)
        self.mouse("mouseMoved", *end, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)
        self.frame()

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
