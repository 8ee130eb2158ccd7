// Questions as sentences, and refusals as sentences beside the field they are about.
import { byId, make, named } from "./dom.js";
import { parts } from "./state.js";

// The question with its asked part as a question mark.
export function sentence(state, timed) {
  const shown = parts.filter((part) => timed || part !== "time");
  return shown.map((part) =>
    make("span", { class: `part ${part}` },
      state[part] ? named(state[part]) : make("span", { class: "asked-for", "aria-label": `which ${part}?` }, "?")));
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const ended = (text) => (/[.?!]$/.test(text) ? text : `${text}.`);

export function clearFaults() {
  for (const place of document.querySelectorAll(".fault")) place.textContent = "";
  for (const part of parts) byId(part).removeAttribute("aria-invalid");
  byId("hint").classList.remove("urgent");
}

export function tellFault(error) {
  const text = [error.message, error.advice].filter(Boolean).map((one) => ended(capital(one))).join(" ");
  const part = parts.includes(error.field) ? error.field : undefined;
  byId(part ? `${part}-error` : "question-error").textContent = text;
  byId("said").textContent = text;
  if (part) byId(part).setAttribute("aria-invalid", "true");
}
