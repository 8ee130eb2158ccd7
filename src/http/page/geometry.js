// What a relation does to the embeddings of entities: its numbers drawn, in words, and what is like it.
import { draw, drawnToFit, make, named, replace } from "./dom.js";
import { fixed } from "./numbers.js";

const width = 380, height = 236, middle = 190, floor = 192, reach = 150;
const most_dots = 600;

const sum = (values) => values.reduce((all, one) => all + one, 0);

// What each of three ways to treat a number has of the whole, in percent.
function shares(numbers) {
  const all = sum(numbers.map((one) => one.alike ** 2 + one.reversed ** 2)) || 1;
  const percent = (part) => Math.round((100 * sum(part)) / all);
  const kept = percent(numbers.map((one) => (one.alike > 0 ? one.alike ** 2 : 0)));
  const turned = percent(numbers.map((one) => one.reversed ** 2));
  return { kept, turned, mirrored: Math.max(0, 100 - kept - turned) };
}

// A round number of at most `value`.
function round(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * [5, 2, 1].find((one) => one * unit <= value * (1 + 1e-9));
}

function ring(size, scale, name) {
  const r = size * scale;
  return [draw("path", { class: name, d: `M${middle - r} ${floor}A${r} ${r} 0 0 1 ${middle + r} ${floor}` }),
    draw("text", { class: "tick", x: middle + r, y: floor + 15, "text-anchor": "middle" }, String(Number(size.toPrecision(2))))];
}

const spoke = (degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return draw("line", { class: "spoke", x1: middle, y1: floor,
    x2: middle + reach * Math.cos(angle), y2: floor - reach * Math.sin(angle) });
};

function protractor(found) {
  const { numbers } = found;
  const share = shares(numbers);
  const farthest = Math.max(...numbers.map((one) => Math.hypot(one.alike, one.reversed)), 1e-12);
  const scale = reach / farthest;
  const outer = round(farthest);
  const every = Math.ceil(numbers.length / most_dots);
  const dots = numbers.filter((_, i) => i % every === 0).map((one) =>
    draw("circle", { cx: middle + scale * one.alike, cy: floor - scale * one.reversed, r: 4.5 }));
  const label = `${numbers.length} numbers of an embedding: ${share.kept} % is kept, ` +
    `${share.turned} % turned round, ${share.mirrored} % mirrored`;
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot protractor", role: "img", "aria-label": label },
    draw("path", { class: "disc", d: `M${middle - reach - 8} ${floor}a${reach + 8} ${reach + 8} 0 0 1 ${2 * reach + 16} 0Z` }),
    spoke(45), spoke(135), ring(outer, scale, "ring"), ring(outer / 2, scale, "ring"),
    draw("line", { class: "ground", x1: middle - reach - 8, x2: middle + reach + 8, y1: floor, y2: floor }),
    draw("g", { class: "dots" }, dots),
    draw("text", { class: "way", x: middle, y: 22, "text-anchor": "middle" }, `turned round ${share.turned} %`),
    draw("text", { class: "way", x: middle + reach + 8, y: floor + 36, "text-anchor": "end" }, `kept ${share.kept} %`),
    draw("text", { class: "way", x: middle - reach - 8, y: floor + 36 }, `mirrored ${share.mirrored} %`));
}

function likeRow(one, addressOf) {
  const bar = make("span", { class: one.likeness < 0 ? "pull against" : "pull for", "aria-hidden": "true" });
  bar.style.setProperty("inline-size", `${100 * Math.abs(one.likeness)}%`);
  return make("li", {}, make("a", { href: addressOf(one.name), "data-internal": true }, named(one.name)),
    make("span", { class: "track" }, bar), make("span", { class: "number" }, fixed(one.likeness)));
}

function likeList(title, words, relations, addressOf) {
  if (!relations.length) return null;
  return make("div", {}, make("h3", {}, title), make("p", { class: "quiet" }, words),
    make("ol", { class: "like" }, relations.map((one) => likeRow(one, addressOf))));
}

// Its likeness to itself at the other times, from −1 to 1.
function drawDrift(space, found, axis, now) {
  const left = 34, right = 12, top = 10, bottom = 108;
  const x = (time) => left + ((space - left - right) * (axis.place(time) ?? 0)) / Math.max(1, axis.size - 1);
  const y = (likeness) => top + ((bottom - top) * (1 - likeness)) / 2;
  const points = found.over_time.map((at) => `${x(at.time).toFixed(1)} ${y(at.likeness).toFixed(1)}`);
  const guides = [1, 0, -1].map((value) => [
    draw("line", { class: "grid", x1: left, x2: space - right, y1: y(value), y2: y(value) }),
    draw("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, fixed(value, 0))]);
  const least = Math.min(...found.over_time.map((at) => at.likeness));
  return draw("svg", { viewBox: `0 0 ${space} 132`, width: space, height: 132, class: "plot", role: "img",
      "aria-label": `Likeness to itself at other times, ${fixed(least)} at the least` },
    guides.flat(), draw("path", { class: "line", d: `M${points.join("L")}` }),
    draw("circle", { class: "best", cx: x(now), cy: y(1), r: 4.5 }),
    draw("text", { x: left, y: 128 }, axis.label(0)),
    draw("text", { x: space - right, y: 128, "text-anchor": "end" }, axis.end));
}

function drift(found, axis) {
  if (found.over_time.length < 2 || !axis.size) return null;
  const place = make("div", { class: "drawing drift" });
  drawnToFit(place, (space) => replace(place, drawDrift(space, found, axis, found.time_row)));
  return make("div", {}, make("h3", {}, "At other times"),
    make("p", { class: "quiet" }, `How like it is to itself at ${found.time_row}.`), place);
}

// `addressOf(relation)` makes a link.
export function geometryOf(found, axis, addressOf) {
  return [
    found.note ? make("p", { class: "note" }, found.note) : null,
    make("div", { class: "geometry" },
      make("figure", {}, protractor(found),
        make("figcaption", { class: "quiet" }, "A dot is one number of an entity’s embedding: to the right where " +
          "the relation keeps it, to the left where it mirrors it, and up where the other direction does the " +
          "opposite. Further out is stronger.")),
      make("ul", { class: "ranks" }, found.sentences.map((one) => make("li", {}, one)))),
    make("div", { class: "trio" },
      likeList("Relations like it", "1 is the same, 0 is unrelated.", found.nearest, addressOf),
      likeList("Relations like its reverse", "The same from object to subject.", found.inverse, addressOf),
      drift(found, axis)),
  ].filter(Boolean);
}
