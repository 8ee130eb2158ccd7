#!/usr/bin/env python3
"""explorer_test.py PROGRAM: the page of `orrery serve`, asked and looked at in a real browser.

What is on the screen is held against what the server answers.
"""
import subprocess
import sys
import unittest
from pathlib import Path

from explorer_fixture import HOSTILE, RENAMED, SCRIPT, Explorer, Server, Stage
from webdriver import missing_browser

MEMORY = Path(__file__).resolve().parents[2] / "examples" / "memory.csv"  # its facts have intervals
TOKEN = "a-token-of-more-than-sixteen"


class Questions(Explorer):
    def test_which_object_by_keys_alone(self):
        self.open()
        self.wait_until("document.getElementById('last-time').textContent === '2023-12-25'")
        self.browser.run("document.activeElement.blur()")
        while self.focused() != "subject":
            self.browser.press("Tab")
        self.choose("Tares")
        self.browser.press("Tab", "Tab")
        self.assertEqual(self.focused(), "relation")
        self.choose("threat")
        self.browser.press("Tab", "Tab", "Tab")
        self.assertEqual(self.focused(), "time")
        self.browser.press("2022-01-03", "Enter")
        answers = self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03")
        self.assertEqual(answers[0]["name"], HOSTILE)
        self.assertEqual(self.browser.text("#answers-title"), "Which object?")
        self.assertIn("First: " + HOSTILE, self.browser.run("return document.getElementById('said').textContent"))
        self.browser.run("document.querySelector('#answers a').focus()")
        self.browser.press("Down", "Enter")
        self.wait_until("document.querySelectorAll('#answers a')[1].getAttribute('aria-current') === 'true'")

    def test_chances_and_what_they_are(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03", top=5)
        answers = self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03", top=5)
        shares = [100 * answer.get("calibrated", answer["probability"]) for answer in answers]
        spoken = [f"{share:.1f} %" if 0.1 <= share <= 99.9 else "< 0.1 %" if share < 50 else "> 99.9 %"
                  for share in shares]
        self.assertEqual(self.browser.texts("#answers .chance"), spoken)
        kind = "calibrated probability" if "calibrated" in answers[0] else "softmax probability over all entities"
        self.assertIn(kind, self.browser.text("#kind"))
        bars = self.browser.run("return [...document.querySelectorAll('#answers .bar')].map((bar) =>"
                                "100 * bar.firstChild.getBoundingClientRect().width / bar.clientWidth)")
        self.assertLess(abs(bars[0] - shares[0]), 2)

    def test_known_answers_are_marked_and_left_out(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03")
        self.assertIn("known · train · 2022-01-03", self.browser.texts("#answers .mark"))
        self.browser.click("#hide-known")
        left = self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03", known="hide")
        self.assertNotIn(HOSTILE, [answer["name"] for answer in left])
        self.assertIn("known=hide", self.browser.address())
        self.browser.click("#only-seen")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03", known="hide", type="seen")
        self.assertNotIn("never seen with this relation", self.browser.texts("#answers .mark"))

    def test_which_relation(self):
        self.open(subject="Taresse", object=HOSTILE, time="2022-01-03")
        answers = self.expect_answers(subject="Taresse", object=HOSTILE, time="2022-01-03")
        self.assertIn("threatens", [answer["name"] for answer in answers])
        self.assertIn("known · train · 2022-01-03", self.browser.text("#answers [data-name=threatens]"))

    def test_when_with_its_curve(self):
        self.open(subject="Taresse", relation="threatens", object=HOSTILE)
        answers = self.expect_answers(subject="Taresse", relation="threatens", object=HOSTILE)
        self.wait_until("document.querySelector('#curve svg')")
        points = self.browser.run("return document.querySelector('#curve .line').getAttribute('d').split('L').length")
        self.assertEqual(points, 104)
        self.assertIn(answers[0]["name"], self.browser.text("#curve-best"))
        self.browser.run("document.querySelector('#curve svg').focus()")
        self.browser.press("Home", "Right")
        told = self.browser.run("return document.activeElement.getAttribute('aria-valuetext')")
        self.assertTrue(told.startswith("2022-01-10 · "), told)
        self.assertEqual(self.browser.run("return document.querySelector('.cursor text').textContent"), told)
        self.browser.press("Enter")
        self.wait_until("document.getElementById('verdict').checkVisibility()")
        self.assertIn("time=2022-01-10", self.browser.address())

    def test_a_fact_is_scored(self):
        fact = {"subject": "Taresse", "relation": "threatens", "object": HOSTILE, "time": "2022-01-03"}
        self.open(**fact)
        self.wait_until("document.querySelector('#verdict strong')")
        answer = self.api("/api/predict", fact)["answers"][0]
        self.assertIn(f"{answer['score']:.2f}", self.browser.text("#verdict"))
        self.assertIn("known · train · 2022-01-03", self.browser.text("#verdict"))

    def test_going_on_from_an_answer(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03")
        self.browser.click("[data-ask=subject]")  # the best object is filled in
        self.expect_answers(relation="threatens", object=HOSTILE, time="2022-01-03")
        self.assertEqual(self.browser.run("return document.getElementById('object').value"), HOSTILE)
        self.assertEqual(self.focused(), "subject")

    def test_the_slider_asks_on_its_way(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03")
        self.browser.run("document.getElementById('time-slider').focus()")
        self.browser.press("Right")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-10")
        self.assertEqual(self.browser.run("return document.getElementById('time').value"), "2022-01-10")
        self.browser.press("Right", "Right", "Right")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-31")
        self.assertIn("time=2022-01-31", self.browser.address())

    def test_a_date_outside_is_noted(self):
        self.open(subject="Taresse", relation="threatens", time="2031-01-01")
        self.wait_until("document.getElementById('note').checkVisibility()")
        self.assertIn("2023-12-25", self.browser.text("#note"))


class Page(Explorer):
    def test_the_address_is_the_question(self):
        self.open(relation="threatens", object=HOSTILE, time="2022-01-03", top=5)
        first = [one["name"] for one in self.expect_answers(
            relation="threatens", object=HOSTILE, time="2022-01-03", top=5)]
        self.browser.click("#answers li:nth-child(3) a")
        self.wait_until("location.search.includes('pick=')")
        self.browser.reload()
        self.expect_names(first)
        self.wait_until("document.querySelector('#answers li:nth-child(3) a').hasAttribute('aria-current')")
        self.browser.click("[data-ask=relation]")
        self.expect_answers(subject=first[2], object=HOSTILE, time="2022-01-03", top=5)
        self.browser.back()
        self.expect_names(first)

    def test_names_do_not_become_markup(self):
        for name in RENAMED.values():
            self.open(subject=name, relation="lies in", time="2022-01-03")
            self.expect_answers(subject=name, relation="lies in", time="2022-01-03")
            self.wait_until("document.getElementById('subject').value === arguments[0]", name)
            self.assertIn(name, self.browser.run("return document.getElementById('sentence').textContent"))
        self.open(subject="Taresse", relation="threatens", time="2022-01-03", top=100)
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03", top=100)
        self.browser.run("document.getElementById('object').focus()")
        self.browser.press("<b id")
        self.wait_until("document.querySelector('#object-list [role=option]')?.textContent === arguments[0]", HOSTILE)
        self.open(subject="Taresse", relation=SCRIPT, time="2022-01-03")
        self.wait_until("document.getElementById('geometry-of').textContent.startsWith(arguments[0])", SCRIPT)
        self.assertNotEqual(self.browser.run("return document.title"), "broken")
        self.assertFalse(self.browser.run("return Boolean(document.querySelector('#broken, [onclick], main script, main b b'))"))

    def test_escape_closes_the_suggestions(self):
        self.open()
        self.wait_until("document.getElementById('last-time').textContent")
        self.browser.click("#relation")
        self.wait_until("document.querySelectorAll('#relation-list [role=option]').length === 16")
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-expanded')"), "true")
        self.browser.press("Escape")
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-expanded')"), "false")
        self.assertFalse(self.browser.run("return document.getElementById('relation-list').checkVisibility()"))

    def test_refusals_stand_beside_their_field(self):
        self.refusals = True
        self.open(subject="Taress", relation="threatens", time="2022-01-03")
        self.wait_until("document.getElementById('subject-error').textContent")
        self.assertIn("Taresse", self.browser.text("#subject-error"))
        self.assertEqual(self.browser.run("return document.querySelectorAll('[aria-invalid]').length"), 1)
        self.open(subject="Taresse", relation="threatens", time="soon")
        self.wait_until("document.getElementById('time-error').textContent")
        self.assertEqual(self.browser.text("#subject-error"), "")

    def test_who_and_why_around_it(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        self.wait_until("document.querySelectorAll('#neighbours .planet').length > 3")
        if "/api/explain" in self.api("/openapi.json")["paths"]:
            self.wait_until("document.querySelectorAll('#explain .facts li').length > 3")
            self.wait_until("document.querySelectorAll('#explain .timeline circle').length > 3")
        else:
            self.assertFalse(self.browser.run("return document.getElementById('explain-card').checkVisibility()"))
        self.browser.click("#neighbours .planet")
        self.wait_until("document.getElementById('answers-title').textContent === 'Which relation?'")

    def test_what_the_relation_does(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        found = self.api("/api/geometry?relation=threatens&time=2022-01-03")
        self.wait_until("document.querySelector('#geometry .protractor')")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#geometry .dots circle').length"),
                         len(found["numbers"]))
        self.assertEqual(self.browser.texts("#geometry .ranks li"), found["sentences"])
        like = [one["name"] for one in found["nearest"] + found["inverse"]]
        self.assertEqual(self.browser.texts("#geometry .like a"), like)
        drawn = self.browser.run("return document.querySelector('#geometry .drift .line').getAttribute('d')")
        self.assertEqual(len(drawn.split("L")), len(found["over_time"]))
        self.browser.run("document.querySelector('#geometry .like a').focus()")
        self.browser.press("Enter")
        self.wait_until("document.getElementById('relation').value === arguments[0]", like[0])
        self.wait_until("document.getElementById('geometry-of').textContent.startsWith(arguments[0])", like[0])

    def test_models_without_times_and_without_geometry(self):
        runs = []
        for model in ("complex", "boxte"):
            runs.append(self.stage.folder / model)
            subprocess.run([self.stage.program, "train", "--data", self.stage.folder / "data", "--out", runs[-1],
                            "--model", model, "--dim", "16", "--epochs", "1", "--history", "none", "--device", "cpu",
                            "--quiet"], check=True, capture_output=True)
        server = Server(self.stage.program, runs, self.stage.folder / "odd.log")
        self.addCleanup(server.stop)
        self.url = self.browser.wait_for(server.address)
        self.origins = [self.url]
        self.refusals = True
        self.assertEqual([one["timed"] for one in self.api("/api/info")["models"]], [False, True])
        self.open(subject="Taresse", relation="threatens")
        self.expect_answers(subject="Taresse", relation="threatens")
        self.wait_until("document.querySelector('#geometry .protractor')")
        for hidden in ("slider", "time", "curve-card"):
            self.assertFalse(self.browser.run(f"return document.getElementById('{hidden}').checkVisibility()"), hidden)
        self.open(model="boxte", subject="Taresse", relation="threatens", time="2022-01-03")
        self.expect_answers(model="boxte", subject="Taresse", relation="threatens", time="2022-01-03")
        self.wait_until("document.getElementById('geometry').textContent.includes('distances from boxes')")

    def test_the_model_s_card(self):
        self.open()
        self.wait_until("document.getElementById('model-card').checkVisibility()")
        self.assertIn("entities\n244", self.browser.text("#card"))
        self.browser.click("#card details:last-child summary")
        self.assertIn("lambda-n3", self.browser.text("#card"))

    def test_a_server_with_a_token(self):
        self.refusals = True
        guarded = Server(self.stage.program, [self.stage.run], self.stage.folder / "guarded.log", TOKEN)
        self.addCleanup(guarded.stop)
        self.origins = [self.browser.wait_for(guarded.address)]
        self.browser.open(f"{self.origins[0]}/?subject=Taresse&relation=threatens&time=2022-01-03")
        self.wait_until("document.getElementById('token-card').checkVisibility()")
        self.browser.press(TOKEN, "Enter")
        self.browser.wait_for(lambda: len(self.names()) == 10)
        self.assertEqual(len(self.names()), 10)


    def test_several_models_and_intervals(self):
        memory = self.stage.folder / "memory"
        subprocess.run([self.stage.program, "train", "--data", MEMORY, "--out", memory, "--dim", "16",
                        "--epochs", "5", "--device", "cpu", "--quiet"], check=True, capture_output=True)
        several = Server(self.stage.program, [self.stage.run, memory], self.stage.folder / "several.log")
        self.addCleanup(several.stop)
        self.url = self.browser.wait_for(several.address)
        self.origins = [self.url]
        self.open()
        self.wait_until("document.getElementById('chooser').checkVisibility()")
        self.browser.run("document.getElementById('model').focus()")
        self.browser.press("memory", "Enter")
        first = self.api("/api/times?model=memory")["times"][0].split("..")[0]
        self.wait_until("document.getElementById('first-time').textContent === arguments[0]", first)
        self.assertIn("model=memory", self.browser.address())
        self.open(model="memory", subject="Ada", relation="works for", object="Acme")
        self.expect_answers(model="memory", subject="Ada", relation="works for", object="Acme")
        self.wait_until("document.querySelector('#curve .band rect')?.getBoundingClientRect().width > 1")
        interval = self.api("/api/predict", {
            "model": "memory", "subject": "Ada", "relation": "works for", "object": "Acme"})["interval"]
        self.assertIn(f"Likely from {interval['start']} to {interval['end']}.", self.browser.text("#curve-best"))


class Looks(Explorer):
    # The lightness of what is painted, as WCAG counts it.
    CONTRAST = """
      const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
      const ground = (one) => {
        const colour = numbers(getComputedStyle(one).backgroundColor);
        return colour.length === 4 && colour[3] === 0 ? ground(one.parentElement) : colour;
      };
      return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility()).map((one) => {
        const [a, b] = [light(numbers(getComputedStyle(one).color)), light(ground(one))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      });"""

    def answered(self):
        self.open(subject="Taresse", relation="threatens", time="2022-01-03")
        self.expect_answers(subject="Taresse", relation="threatens", time="2022-01-03")
        self.wait_until("document.getElementById('answers-card').getAttribute('aria-busy') === null")
        self.wait_until("document.querySelector('#geometry .protractor')")

    def test_every_width_and_both_schemes(self):
        grounds = {}
        for scheme in ("light", "dark"):
            for width in (360, 768, 1440):
                self.browser.look(width, scheme=scheme)
                self.answered()
                # A phone shows more than its width where something does not fit.
                self.assertEqual(self.browser.run("return innerWidth"), width)
                self.assertLessEqual(
                    self.browser.run("return document.documentElement.scrollWidth - innerWidth"), 0, width)
                ratios = self.browser.run(self.CONTRAST, "p, label, dt, dd, h2, a, button, .name, .mark, .chance,"
                                          ".score, .rank, .asked-for, summary, select, input[type=text]")
                self.assertGreater(len(ratios), 40)
                self.assertGreaterEqual(min(ratios), 4.5, (scheme, width))
            grounds[scheme] = self.browser.run("return getComputedStyle(document.body).backgroundColor")
        self.assertNotEqual(grounds["light"], grounds["dark"])

    def test_nothing_jumps(self):
        self.answered()
        shift = self.browser.ask("POST", "/execute/async", {"args": [], "script": """
          const done = arguments[0];
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(sum), 500);"""})
        self.assertLess(shift, 0.1)

    def test_everything_has_a_name_for_screen_readers(self):
        self.answered()
        nodes = self.browser.command("Accessibility.getFullAXTree")["nodes"]
        asked = {"combobox", "textbox", "button", "link", "slider", "checkbox", "listbox", "image", "DisclosureTriangle"}
        found = [node for node in nodes if not node["ignored"] and node["role"]["value"] in asked]
        self.assertGreater(len(found), 20)
        nameless = [node["role"]["value"] for node in found if not node.get("name", {}).get("value")]
        self.assertEqual(nameless, [])


def setUpModule():
    Explorer.stage = Stage(sys.argv[1])


def tearDownModule():
    Explorer.stage.close()


if __name__ == "__main__":
    reason = missing_browser()
    if reason:
        print(f"explorer: skipped, since {reason}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
