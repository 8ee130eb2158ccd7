// A text field with suggestions, by the combobox pattern of ARIA: the focus stays in the field, arrow
// keys walk the list, Enter takes, Escape closes.
import { byId, debounced, make, replace } from "./dom.js";
import { gone } from "./api.js";

// The text with what was typed marked.
function marked(text, typed) {
  const at = typed ? text.toLowerCase().indexOf(typed.toLowerCase()) : -1;
  if (at < 0) return [text];
  const end = at + typed.length;
  return [text.slice(0, at), make("mark", {}, text.slice(at, end)), text.slice(end)];
}

export class Combobox {
  // `suggest(text, signal)` promises names; `taken(name)` is told of a choice.
  constructor(id, suggest, taken) {
    this.input = byId(id);
    this.list = byId(`${id}-list`);
    this.suggest = suggest;
    this.taken = taken;
    this.names = [];
    this.active = -1;
    this.look = debounced(90, () => this.#fetch(this.input.value.trim()));
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("click", () => this.#open());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => this.close());
    // A press on the list must not take the focus away from the field.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#take(Number(option.dataset.index));
    });
  }

  close() {
    this.request?.abort();
    this.list.hidden = true;
    this.active = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  // All names when what stands there was taken before, and not being typed.
  #open() {
    if (this.list.hidden) this.#fetch(this.input.value === this.settled ? "" : this.input.value);
  }

  // The field holds a name that was chosen or came from the address.
  settle(name) {
    this.settled = name;
    this.input.value = name;
    this.close();
  }

  async #fetch(text) {
    this.request?.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const names = await this.suggest(text, signal);
      if (!signal.aborted && document.activeElement === this.input) this.#show(names, text);
    } catch (error) {
      if (!gone(error)) this.close();
    }
  }

  #show(names, text) {
    this.names = names;
    this.active = -1;
    this.input.removeAttribute("aria-activedescendant");
    const options = names.map((name, index) =>
      make(
        "li",
        { role: "option", id: `${this.list.id}-${index}`, "data-index": index, dir: "auto",
          "aria-selected": "false" },
        ...marked(name, text),
      ),
    );
    const none = make("li", { class: "none", role: "presentation" }, "No name like this");
    replace(this.list, options.length ? options : none);
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
  }

  #move(to) {
    if (!this.names.length) return;
    const options = this.list.querySelectorAll("[role=option]");
    options[this.active]?.setAttribute("aria-selected", "false");
    this.active = (to + this.names.length) % this.names.length;
    const option = options[this.active];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  #take(index) {
    this.settle(this.names[index]);
    this.taken(this.names[index]);
  }

  #key(event) {
    const open = !this.list.hidden;
    const moves = { ArrowDown: this.active + 1, ArrowUp: this.active < 0 ? -1 : this.active - 1 };
    if (event.key in moves) {
      event.preventDefault();
      if (open) this.#move(moves[event.key]);
      else this.#open();
    } else if (event.key === "Enter" && open && this.active >= 0) {
      event.preventDefault();
      this.#take(this.active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (open) this.close();
      else this.input.value = "";
    }
  }
}
