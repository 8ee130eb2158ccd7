// Why the model gives a fact its score: what it rests on, how it looks at it, who is near.
import { draw, drawnToFit, make, named, replace } from "./dom.js";
import { counted, fixed, grouped, percent, pull } from "./numbers.js";
import { drawTimeline } from "./timeline.js";

const links = [
  { name: "fact", title: "the fact itself" },
  { name: "pair", title: "the same pair" },
  { name: "inverse", title: "the pair reversed" },
  { name: "subject and relation", title: "subject, relation" },
  { name: "object and relation", title: "object, relation" },
  { name: "subject", title: "the subject" },
  { name: "object", title: "the object" },
];

const few = 5;  // facts that are listed at once

const key = (kind, words) =>
  make("span", {}, make("span", { class: `key ${kind}`, "aria-hidden": "true" }), words);

function rankLine(side) {
  const others = side.known_others
    ? `, and number ${grouped(side.filtered_rank)} once ` +
      `${counted(side.known_others, "other known answer is", "other known answers are")} left out`
    : "";
  return make("li", {}, `Asked “which ${side.asked}?”, it is `, make("b", {}, `number ${grouped(side.rank)}`),
    ` of ${grouped(side.entities)}${others}; softmax ${percent(side.probability)}.`,
    (side.history ?? []).map((term) => make("span", { class: "history" }, `History: ${term.sentence}.`)));
}

function factRow(fact, most, addressOf) {
  const bar = make("span", { class: fact.influence > 0 ? "pull for" : "pull against", "aria-hidden": "true" });
  bar.style.setProperty("inline-size", `${(100 * Math.abs(fact.influence)) / most}%`);
  return make("li", {},
    make("a", { href: addressOf(fact), "data-internal": true },
      named(fact.subject), " ", make("span", { class: "verb" }, named(fact.relation)), " ", named(fact.object)),
    make("span", { class: "when" }, fact.end ? `${fact.time} to ${fact.end}` : fact.time),
    make("span", { class: "track" }, bar),
    make("span", { class: "influence" }, pull(fact.influence)));
}

function factList(title, facts, most, addressOf) {
  if (!facts.length) return null;
  const rows = facts.map((fact) => factRow(fact, most, addressOf));
  const rest = rows.slice(few);
  return make("div", {}, make("h3", {}, title), make("ol", { class: "facts" }, rows.slice(0, few)),
    rest.length ? make("details", {}, make("summary", {}, `${rest.length} more`),
      make("ol", { class: "facts", start: few + 1 }, rest)) : null);
}

function attentionRow(weight) {
  const size = (100 * weight.weight).toFixed(0);
  return make("li", {}, make("span", {}, [weight.view, weight.part, weight.event].filter(Boolean).join(", ")),
    draw("svg", { viewBox: "0 0 100 8", class: "weight", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { width: 100, height: 8, class: "ground" }), draw("rect", { width: size, height: 8 })),
    make("span", { class: "number" }, `${size} %`));
}

function attention(side) {
  if (!side?.attention?.length) return null;
  return make("div", {}, make("h3", {}, "Attention"),
    make("p", { class: "quiet" }, `How much each view of the given entity weighs in “which ${side.asked}?”.`),
    make("ul", { class: "weights" }, side.attention.map(attentionRow)));
}

function near(title, names, addressOf) {
  if (!names?.length) return null;
  return make("div", {}, make("h3", {}, title),
    make("ul", { class: "near" }, names.map((one) =>
      make("li", {}, make("a", { href: addressOf(one.name), "data-internal": true }, named(one.name)),
        make("span", { class: "number" }, fixed(one.similarity))))));
}

// `addressOf` {fact(fact), subject(name), object(name)} make links.
export function explanationOf(found, asked, axis, addressOf) {
  const facts = [...found.supporting, ...found.opposing].sort(
    (a, b) => Math.abs(b.influence) - Math.abs(a.influence));
  const most = Math.max(...facts.map((fact) => Math.abs(fact.influence)), 1e-12);
  const parts = [make("ul", { class: "ranks" }, found.sides.map(rankLine))];
  if (facts.length && axis.size) {
    const place = make("div", { class: "drawing" });
    drawnToFit(place, (width) => replace(place, drawTimeline(width, facts, links, asked, axis)));
    parts.push(place, make("p", { class: "legend" },
      key("asked", "the fact asked"), key("for", "supports it"),
      key("against", "speaks against it"), make("span", {}, "Larger is stronger.")));
  }
  if (found.influence_note) parts.push(make("p", { class: "quiet" }, found.influence_note));
  parts.push(make("div", { class: "pair" },
    factList("Training facts that support it", found.supporting, most, addressOf.fact),
    factList("Training facts against it", found.opposing, most, addressOf.fact)));
  parts.push(make("div", { class: "trio" }, attention(found.sides[0]),
    near("Near the subject", found.neighbours.subject, addressOf.subject),
    near("Near the object", found.neighbours.object, addressOf.object)));
  return parts.filter(Boolean);
}
