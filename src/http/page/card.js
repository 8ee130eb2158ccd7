// The model's card: what it is, what it was trained on, how well it did, with which options.
import { make } from "./dom.js";
import { grouped } from "./numbers.js";

const written = (value) =>
  typeof value === "number" ? (Number.isInteger(value) ? grouped(value) : String(value)) : String(value);

function figures(entries) {
  return make("dl", { class: "figures" }, entries.map(([term, value]) =>
    make("div", {}, make("dt", {}, term), make("dd", {}, written(value)))));
}

function folded(title, entries) {
  if (!entries.length) return null;
  return make("details", {}, make("summary", {}, title),
    make("dl", { class: "options" }, entries.flatMap(([name, value]) =>
      [make("dt", {}, name), make("dd", {}, written(value))])));
}

const percents = (scores) =>
  Object.entries(scores ?? {}).filter(([, value]) => typeof value === "number");

export function cardOf(model) {
  const counts = ["entities", "relations", "times", "parameters"]
    .filter((name) => typeof model[name] === "number").map((name) => [name, model[name]]);
  return [
    make("p", {}, make("b", {}, model.name), model.formula ? make("span", { class: "formula" }, model.formula) : null),
    figures(counts),
    folded("Scores", percents(model.scores)),
    folded("Options", Object.entries(model.options ?? {})),
  ].filter(Boolean);
}
