// A probability over all times: a line with its best times, and a cursor for mouse and keys.
import { byId, draw, drawnToFit, make, replace } from "./dom.js";
import { percent } from "./numbers.js";

const height = 220, left = 52, right = 12, top = 26, bottom = 30;
const floor = height - bottom;

// A round upper end for the axis, and how many lines divide it.
function ceiling(highest) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(highest, 1e-9)));
  const step = [0.2, 0.5, 1, 2, 2.5, 5].map((one) => one * unit).find((one) => highest <= 4 * one);
  const size = step ?? 5 * unit;
  return { end: Math.min(1, size * Math.ceil(highest / size - 1e-9)), step: size };
}

// As many labels as have room, evenly among the times.
function labelled(count, width) {
  const wanted = Math.min(count, Math.max(2, Math.min(6, Math.floor(width / 115))));
  return Array.from({ length: wanted }, (_, i) =>
    wanted < 2 ? 0 : Math.round((i * (count - 1)) / (wanted - 1)));
}

const rounded = (value) => Math.round(value * 10) / 10;

export class Curve {
  // `chosen(time)`: a time was clicked, or Enter pressed on it.
  constructor(chosen) {
    this.chosen = chosen;
    this.place = byId("curve");
  }

  // `points` {time, probability} of every time; `best` are names of times; `now` is the time asked.
  show(points, axis, marks) {
    this.points = points;
    this.axis = axis;
    this.at = undefined;
    drawnToFit(this.place, (width) => this.#paint(width, marks));
  }

  #paint(width, { best = [], now = "", interval = null, label = "" }) {
    const points = this.points;
    const focused = document.activeElement === this.svg && this.svg;
    this.width = width;
    const axis = ceiling(Math.max(...points.map((point) => point.probability)));
    this.x = (i) => left + ((width - left - right) * (points.length < 2 ? 0.5 : i / (points.length - 1)));
    this.y = (share) => floor - ((floor - top) * share) / axis.end;
    const line = points.map((p, i) => `${rounded(this.x(i))} ${rounded(this.y(p.probability))}`).join("L");
    this.cursor = draw("g", { class: "cursor", visibility: "hidden" },
      draw("line", { y1: top, y2: floor }), draw("circle", { r: 4.5 }), draw("text", { y: 14 }));
    this.svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "plot", tabindex: 0,
        role: "slider", "aria-label": `Probability over time: ${label}`,
        "aria-valuemin": 0, "aria-valuemax": points.length - 1 },
      this.#band(interval), this.#axes(axis), this.#nowLine(now),
      draw("path", { class: "area", d: `M${this.x(0)} ${floor}L${line}L${this.x(points.length - 1)} ${floor}Z` }),
      draw("path", { class: "line", d: `M${line}` }),
      best.map((time) => this.#bestMark(time)),
      this.cursor);
    this.svg.addEventListener("pointermove", (event) => this.#move(this.#under(event), true));
    this.svg.addEventListener("pointerleave", () => this.#hide());
    this.svg.addEventListener("blur", () => this.#hide());
    this.svg.addEventListener("focus", () => this.#move(this.at, true));
    this.svg.addEventListener("click", (event) => this.chosen(points[this.#under(event)].time));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.#move(this.at ?? Math.round(this.axis.place(now) ?? this.axis.place(best[0]) ?? 0), false);
    replace(this.place, this.svg);
    if (focused) this.svg.focus();
  }

  #axes(axis) {
    const lines = [];
    const digits = [0, 1, 2].find((count) => Math.abs((axis.step * 100 * 10 ** count) % 1) < 1e-6) ?? 3;
    for (let share = 0; share <= axis.end + 1e-12; share += axis.step) {
      const y = this.y(share);
      lines.push(draw("line", { class: "grid", x1: left, x2: this.width - right, y1: y, y2: y }),
        draw("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, `${(100 * share).toFixed(digits)} %`));
    }
    const labels = labelled(this.points.length, this.width).map((i, at, all) =>
      draw("text", { x: this.x(i), y: height - 8,
        "text-anchor": at === 0 ? "start" : at === all.length - 1 ? "end" : "middle" }, this.axis.label(i)));
    return draw("g", { class: "axes" }, lines, labels);
  }

  #band(interval) {
    if (!interval) return null;
    const from = this.x(this.axis.place(interval.start) ?? 0);
    const to = this.x(this.axis.place(interval.end) ?? this.points.length - 1);
    return draw("g", { class: "band" },
      draw("rect", { x: from, y: top, width: Math.max(2, to - from), height: floor - top }),
      draw("line", { x1: from, x2: from, y1: top, y2: floor }),
      draw("line", { x1: to, x2: to, y1: top, y2: floor }));
  }

  #nowLine(now) {
    const place = this.axis.place(now);
    if (place === undefined) return null;
    const x = this.x(place);
    return draw("line", { class: "now", x1: x, x2: x, y1: top, y2: floor });
  }

  #bestMark(time) {
    const i = this.axis.index.get(time);
    return draw("circle", { class: "best", r: 4, cx: this.x(i), cy: this.y(this.points[i].probability) });
  }

  #under(event) {
    const box = this.svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * this.width - left) / (this.width - left - right);
    return Math.round(Math.min(1, Math.max(0, share)) * (this.points.length - 1));
  }

  #hide() {
    if (document.activeElement !== this.svg) this.cursor.setAttribute("visibility", "hidden");
  }

  #move(to, visible) {
    this.at = Math.min(this.points.length - 1, Math.max(0, to));
    const point = this.points[this.at];
    const words = `${point.time} · ${percent(point.probability)}`;
    this.svg.setAttribute("aria-valuenow", this.at);
    this.svg.setAttribute("aria-valuetext", words);
    if (!visible) return;
    const x = this.x(this.at);
    const [line, dot, text] = this.cursor.children;
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", this.y(point.probability));
    text.textContent = words;
    text.setAttribute("x", Math.min(this.width - right - 80, Math.max(left + 80, x)));
    this.cursor.setAttribute("visibility", "visible");
  }

  #key(event) {
    const page = Math.max(1, Math.round(this.points.length / 12));
    const to = { ArrowLeft: this.at - 1, ArrowDown: this.at - 1, ArrowRight: this.at + 1,
      ArrowUp: this.at + 1, PageDown: this.at - page, PageUp: this.at + page,
      Home: 0, End: this.points.length - 1 }[event.key];
    if (to !== undefined) this.#move(to, true);
    else if (event.key === "Enter") this.chosen(this.points[this.at].time);
    else return;
    event.preventDefault();
  }
}

// The best times in words, and the likely interval.
export function bestTimes(result) {
  const lines = [];
  if (result.interval) {
    const { start, end } = result.interval;
    lines.push(make("p", {}, make("span", { class: "swatch", "aria-hidden": "true" }),
      "Likely from ", make("b", {}, start ?? "before the data"), " to ", make("b", {}, end ?? "after the data"), "."));
  }
  const best = result.answers.slice(0, 3).map((answer) => `${answer.name} (${percent(answer.probability)})`);
  if (best.length)
    lines.push(make("p", {}, make("span", { class: "dot", "aria-hidden": "true" }),
      `Best: ${best.join(", ")}; softmax over all times.`));
  return lines;
}
