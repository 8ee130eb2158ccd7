// Facts on a time line: one row for each kind of link, a circle for each fact, as large as its
// influence; full where it supports, hollow where it speaks against.
import { draw } from "./dom.js";
import { pull } from "./numbers.js";

const right = 20, row = 34, head = 26;

export const sentenceOf = (fact) =>
  `${fact.subject} ${fact.relation} ${fact.object}` +
  (fact.time ? ` · ${fact.time}${fact.end ? ` to ${fact.end}` : ""}` : "");

// Facts without a date have no place on it.
export function drawTimeline(width, all, links, asked, axis) {
  const facts = all.filter((fact) => axis.place(fact.time) !== undefined);
  const left = width < 480 ? 116 : 150;
  const rows = links.filter((link) => facts.some((fact) => fact.link === link.name));
  const height = head + rows.length * row + 30;
  const floor = height - 28;
  const x = (time) => left + ((width - left - right) * (axis.place(time) ?? 0)) / Math.max(1, axis.size - 1);
  const most = Math.max(...facts.map((fact) => Math.abs(fact.influence)), 1e-12);
  const size = (fact) => 3.5 + 8.5 * Math.sqrt(Math.abs(fact.influence) / most);
  const target = { x: x(asked.time), y: head - 10 };

  const guides = rows.map((link, i) => {
    const y = head + (i + 0.5) * row;
    return draw("g", {}, draw("line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }),
      draw("text", { x: left - 14, y: y + 4, "text-anchor": "end" }, link.title));
  });
  const threads = [], circles = [];
  for (const [number, fact] of facts.entries()) {
    const y = head + (rows.findIndex((link) => link.name === fact.link) + 0.5) * row;
    const at = x(fact.time);
    if (number < 5)
      threads.push(draw("path", { class: "thread",
        d: `M${at} ${y}C${at} ${(y + target.y) / 2} ${target.x} ${(y + target.y) / 2} ${target.x} ${target.y}` }));
    circles.push(draw("circle", { class: fact.influence > 0 ? "for" : "against", cx: at, cy: y, r: size(fact) },
      draw("title", {}, `${sentenceOf(fact)} (${pull(fact.influence)})`)));
  }
  const ends = draw("g", { class: "axes" },
    draw("text", { x: left, y: height - 8 }, axis.label(0)),
    draw("text", { x: width - right, y: height - 8, "text-anchor": "end" }, axis.end));
  const star = draw("g", { class: "asked" },
    draw("line", { x1: target.x, x2: target.x, y1: target.y, y2: floor }),
    draw("path", { d: `M${target.x} ${target.y - 8}l8 8-8 8-8-8Z` }));
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "plot timeline", role: "img",
      "aria-label": `${facts.length} training facts over time, listed below` },
    draw("g", { class: "axes" }, guides), threads, star, circles, ends);
}
