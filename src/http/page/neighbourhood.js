// Who an entity has dealt with: the most frequent ones on orbits around it, and its facts.
import { draw, make, named, shortened } from "./dom.js";
import { counted } from "./numbers.js";

const width = 360, height = 300, middle = { x: width / 2, y: height / 2 };
const orbit = { x: 76, y: 122 };  // narrow: names stand on both sides
const shown = 10;

// The other side of each fact, most facts first.
function partners(entity, facts) {
  const found = new Map();
  for (const fact of facts) {
    const name = fact.subject === entity ? fact.object : fact.subject;
    const one = found.get(name) ?? { name, facts: 0, relations: new Set() };
    one.facts += 1;
    one.relations.add(fact.relation);
    found.set(name, one);
  }
  return [...found.values()].sort((a, b) => b.facts - a.facts);
}

function planet(one, at, count, most, addressOf) {
  const angle = (2 * Math.PI * (at + 0.5)) / count - Math.PI / 2;
  const x = middle.x + orbit.x * Math.cos(angle);
  const y = middle.y + orbit.y * Math.sin(angle);
  const to_right = x >= middle.x;
  const size = 4 + 5 * Math.sqrt(one.facts / most);
  return {
    line: draw("line", { class: "thread", x1: middle.x, y1: middle.y, x2: x, y2: y }),
    mark: draw("a", { href: addressOf(one.name), "data-internal": true, class: "planet" },
      draw("title", {}, `${one.name}: ${counted(one.facts, "fact", "facts")} (${[...one.relations].join(", ")})`),
      draw("circle", { cx: x, cy: y, r: size }),
      draw("text", { x: x + (to_right ? size + 4 : -size - 4), y: y + 4,
        "text-anchor": to_right ? "start" : "end" }, shortened(one.name, 15))),
  };
}

function orrery(entity, around, addressOf) {
  const most = Math.max(...around.map((one) => one.facts));
  const planets = around.map((one, at) => planet(one, at, around.length, most, addressOf));
  const orbits = [1, 0.62].map((size) =>
    draw("ellipse", { class: "orbit", cx: middle.x, cy: middle.y, rx: orbit.x * size, ry: orbit.y * size }));
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot sky", role: "group",
      "aria-label": `Neighbours of ${entity}` },
    orbits, planets.map((one) => one.line), planets.map((one) => one.mark),
    draw("circle", { class: "sun", cx: middle.x, cy: middle.y, r: 11 }),
    draw("text", { class: "sun-name", x: middle.x, y: middle.y + 28, "text-anchor": "middle" },
      shortened(entity, 22)));
}

function factLine(fact, addressOf) {
  return make("li", {},
    make("a", { href: addressOf(fact), "data-internal": true },
      named(fact.subject), " ", make("span", { class: "verb" }, named(fact.relation)), " ", named(fact.object)),
    make("span", { class: "when" }, fact.end ? `${fact.time} to ${fact.end}` : fact.time));
}

// `addressOf` {entity(name), fact(fact)} make links.
export function neighbourhoodOf(found, addressOf) {
  const { entity, facts = [] } = found;
  const around = partners(entity, facts).slice(0, shown);
  const parts = [];
  if (around.length) parts.push(make("div", { class: "drawing" }, orrery(entity, around, addressOf.entity)));
  if (facts.length)
    parts.push(make("details", {},
      make("summary", {}, `Facts (${facts.length < found.total ? `${facts.length} of ` : ""}${found.total ?? facts.length})`),
      make("ul", { class: "plain facts" }, facts.map((fact) => factLine(fact, addressOf.fact)))));
  return parts.length ? parts : [make("p", { class: "quiet" }, "No fact of it is known here.")];
}
