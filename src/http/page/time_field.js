// The date: a text that the server reads, and a slider over the model's times.
import { byId, debounced, show } from "./dom.js";

export class TimeField {
  // `chosen(time, sliding)`: sliding is true while the slider still moves.
  constructor(chosen) {
    this.input = byId("time");
    this.slider = byId("time-slider");
    this.times = [];
    const live = debounced(60, () => chosen(this.input.value, true));
    this.slider.addEventListener("input", () => {
      this.input.value = this.times[this.slider.valueAsNumber];
      this.#tell();
      live();
    });
    this.slider.addEventListener("change", () => chosen(this.input.value, false));
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  // A model whose answers do not depend on time has no times.
  serve(times) {
    this.times = times;
    this.slider.max = Math.max(0, times.length - 1);
    byId("first-time").textContent = times[0] ?? "";
    byId("last-time").textContent = times.at(-1) ?? "";
    show(byId("slider"), times.length > 1);
    show(this.input.closest(".field"), times.length > 0);
    this.input.closest(".fields").classList.toggle("timeless", times.length === 0);
  }

  // `row` is the time of the model that answers for `text`.
  settle(text, row = text) {
    this.input.value = text;
    const index = this.times.indexOf(row);
    if (index >= 0) this.slider.value = index;
    byId("slider").classList.toggle("unset", !text);
    this.#tell();
  }

  #tell() {
    const time = this.input.value || "not set";
    this.slider.setAttribute("aria-valuetext", time);
    const share = this.slider.valueAsNumber / Math.max(1, this.times.length - 1);
    this.slider.style.setProperty("--share", `${100 * share}%`);
  }

  // Arrow keys step from a time of the model to the next.
  #key(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || !this.times.length) return;
    event.preventDefault();
    const to = this.slider.valueAsNumber + (this.input.value ? step : 0);
    this.slider.value = to;
    this.slider.dispatchEvent(new Event("input"));
  }
}
