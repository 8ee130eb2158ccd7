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

const said = { mrr: "MRR", hits1: "Hits@1", hits3: "Hits@3", hits10: "Hits@10", queries: "queries" };

// Scores are fractions, and told in percent as everywhere in this field.
const scoresOf = (split, scores) =>
  Object.entries(scores).filter(([name, value]) => said[name] && typeof value === "number").map(
    ([name, value]) => [`${split} ${said[name]}`, name === "queries" ? value : (100 * value).toFixed(2)]);

export function cardOf(model) {
  const counts = ["entities", "relations", "times", "parameters"]
    .filter((name) => typeof model[name] === "number").map((name) => [name, model[name]]);
  const facts = Object.entries(model.facts ?? {}).map(([split, count]) => [`facts to ${split}`, count]);
  const scores = Object.entries(model.scores ?? {}).flatMap(([split, one]) => scoresOf(split, one));
  const main = scores.filter(([name]) => name.endsWith("MRR"));
  const rest = [["trained for", `${model.epoch} epochs`], ["times", model.granularity],
    ["from", model.first_time], ["to", model.last_time], ["fingerprint of the data", model.data_fingerprint],
    ["written by", `Orrery ${model.version}`]].filter(([, value]) => value);
  return [
    make("p", { class: "model-name" }, make("b", {}, model.model), ` · ${model.dim} dimensions`),
    model.formula ? make("p", { class: "formula" }, model.formula) : null,
    figures([...counts, ...main]),
    folded("Data", [...facts, ...rest]),
    folded("Scores on held-out facts, in percent", scores),
    folded("Options", Object.entries(model.options ?? {}).filter(([, value]) => value !== "")),
  ].filter(Boolean);
}
