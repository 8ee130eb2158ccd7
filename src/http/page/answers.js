// Ranked answers with bars and marks, and the verdict on a whole fact.
import { byId, draw, make, named, replace } from "./dom.js";
import { fixed, percent } from "./numbers.js";

const shape = (path, full) =>
  draw("svg", { viewBox: "0 0 12 12", class: full ? "shape full" : "shape", "aria-hidden": "true" },
    draw("path", { d: path }));
const diamond = "M6 1 11 6 6 11 1 6Z";
const ring = "M6 1.5a4.5 4.5 0 1 0 .01 0ZM3 9 9 3";

// In words and shape: filled where it is known at this time, hollow where at another one.
function knownMark(known) {
  const words = known.now ? "known · " : "known at another time · ";
  const where = known.time ? `${known.split} · ${known.time}` : known.split;
  return make("span", { class: "mark" }, shape(diamond, known.now),
    make("span", {}, words, make("span", { class: "whole" }, where)));
}

const unseenMark = (asked) =>
  make("span", { class: "mark" }, shape(ring, false),
    asked === "relation" ? "never seen between these two" : "never seen with this relation");

export function marks(answer, asked) {
  const found = [];
  if (answer.known) found.push(knownMark(answer.known));
  if (answer.seen === false) found.push(unseenMark(asked));
  return found.length ? make("span", { class: "marks" }, found) : null;
}

// What bars show: how often such an answer is true where the model knows, else its share of softmax.
export const chance = (answer) => answer.calibrated ?? answer.probability;

export function kindOf(result) {
  const best = result.answers[0];
  if (!best) return "";
  if (best.calibrated !== undefined && best.calibrated !== null)
    return "Bars: calibrated probability, how often such an answer is true on held-out facts.";
  const over = { relation: "relations", time: "times" }[result.asked] ?? "entities";
  return `Bars: softmax probability over all ${over}. It is not calibrated.`;
}

function bar(share) {
  const filled = make("span", { class: "filled" });
  filled.style.setProperty("inline-size", `${100 * Math.min(1, Math.max(0, share))}%`);
  return make("span", { class: "bar", "aria-hidden": "true" }, filled);
}

function row(answer, rank, asked, address, chosen) {
  return make("li", {},
    make("a", { class: "answer", href: address, "data-name": answer.name,
        "aria-current": chosen ? "true" : undefined },
      make("span", { class: "rank", "aria-hidden": "true" }, rank),
      make("span", { class: "who" }, named(answer.name, { class: "name" }), marks(answer, asked)),
      bar(chance(answer)),
      make("span", { class: "chance" }, percent(chance(answer))),
      make("span", { class: "score" }, make("span", { class: "unseen" }, "score "), fixed(answer.score))));
}

// `addressOf(name)` is where an answer leads; `picked(name)` is told of a click or Enter on it.
export function showAnswers(result, chosen, addressOf, picked) {
  const list = byId("answers");
  const rows = result.answers.map((answer, index) =>
    row(answer, index + 1, result.asked, addressOf(answer.name), answer.name === chosen));
  replace(list, rows.length ? rows : make("li", { class: "none" }, "No answer is left."));
  list.onclick = (event) => {
    const link = event.target.closest("a.answer");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    picked(link.dataset.name);
  };
  list.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...list.querySelectorAll("a.answer")];
    const next = links[links.indexOf(document.activeElement) + step];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  };
}

export function markChosen(name) {
  for (const link of byId("answers").querySelectorAll("a.answer"))
    if (link.dataset.name === name) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}

// As many grey rows as will come, so that nothing moves when they do.
export function showSkeleton(count) {
  const grey = () =>
    make("li", { class: "skeleton", "aria-hidden": "true" },
      make("span", { class: "answer" }, make("span", { class: "who" }), make("span", { class: "bar" })));
  replace(byId("answers"), Array.from({ length: count }, grey));
}

function figure(term, value) {
  return make("div", {}, make("dt", {}, term), make("dd", {}, value));
}

// Nothing was missing: how likely the fact is.
export function showVerdict(answer) {
  const calibrated = answer.calibrated !== undefined && answer.calibrated !== null;
  replace(byId("verdict"),
    make("p", { class: "verdict" },
      make("strong", {}, percent(chance(answer))),
      make("span", {}, calibrated ? "likely to be true (calibrated)" : "of the softmax over all objects")),
    bar(chance(answer)),
    make("dl", { class: "figures" },
      figure("score", fixed(answer.score)),
      figure("softmax over objects", percent(answer.probability)),
      figure("calibrated", calibrated ? percent(answer.calibrated) : "not fitted")),
    make("p", { class: "found" },
      marks(answer, "fact") ?? (answer.known === null ? "Not among the known facts." : "")));
}
