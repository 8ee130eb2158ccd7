// The date: a text that the server reads, and a slider over the model's times.
import { Axis } from "./axis.js";
import { byId, debounced, show } from "./dom.js";

export class TimeField {
  // `chosen(time, sliding)`: sliding is true while the slider still moves.
  constructor(chosen) {
    this.input = byId("time");
    this.slider = byId("time-slider");
    this.axis = new Axis([]);
    const tell = (passing) => {
      if (this.input.value === this.told && passing) return;
      this.told = this.input.value;
      chosen(this.told, passing);
    };
    const live = debounced(60, () => tell(true));
    this.slider.addEventListener("input", () => {
      this.input.value = this.axis.names[this.slider.valueAsNumber];
      this.#tell();
      live();
    });
    this.slider.addEventListener("change", () => tell(false));
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  // A model whose answers do not depend on time has no times.
  serve(axis) {
    this.axis = axis;
    this.slider.max = Math.max(0, axis.size - 1);
    byId("first-time").textContent = axis.label(0);
    byId("last-time").textContent = axis.end;
    show(byId("slider"), axis.size > 1);
    show(this.input.closest(".field"), axis.size > 0);
    this.input.closest(".fields").classList.toggle("timeless", axis.size === 0);
  }

  settle(text) {
    this.input.value = this.told = text;
    const place = this.axis.place(text);
    if (place !== undefined) this.slider.value = Math.round(place);
    byId("slider").classList.toggle("unset", !text);
    this.#tell();
  }

  #tell() {
    const time = this.input.value || "not set";
    this.slider.setAttribute("aria-valuetext", time);
    const share = this.slider.valueAsNumber / Math.max(1, this.axis.size - 1);
    this.slider.style.setProperty("--share", `${100 * share}%`);
  }

  // Arrow keys step from a time of the model to the next.
  #key(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || !this.axis.size) return;
    event.preventDefault();
    const to = this.slider.valueAsNumber + (this.input.value ? step : 0);
    this.slider.value = to;
    this.slider.dispatchEvent(new Event("input"));
  }
}
