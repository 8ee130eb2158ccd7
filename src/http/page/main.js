// The page: fields, address and panels held together. One question at a time is on the screen.
import * as api from "./api.js";
import { Axis } from "./axis.js";
import { byId, debounced, make, replace, show } from "./dom.js";
import { Combobox } from "./combobox.js";
import { TimeField } from "./time_field.js";
import { asked, complete, filledIn, fromAddress, missing, parts, toAddress, wishes } from "./state.js";
import { kindOf, markChosen, showAnswers, showSkeleton, showVerdict, chance } from "./answers.js";
import { clearFaults, sentence, tellFault } from "./words.js";
import { percent } from "./numbers.js";
import { Panels } from "./panels.js";
import { cardOf } from "./card.js";
import { examplesOf } from "./examples.js";

let state = fromAddress(location.search);
let served = [];   // the models, as /api/info has them
let axis = new Axis([]);
let offered = new Set();  // paths of the server
let result = null; // the answers on the screen
let request = null;
let sliding = false;
let shown = [];    // in the panels, or soon
const examples = { model: null };  // whose they are

const titles = { subject: "Which subject?", relation: "Which relation?", object: "Which object?",
  time: "When?", fact: "Is it true?" };
const timed = () => axis.size > 0;

const fields = {
  subject: new Combobox("subject", (text, signal) => api.entities(state.model, text, signal), take("subject")),
  relation: new Combobox("relation", (text, signal) => api.relations(state.model, text, signal), take("relation")),
  object: new Combobox("object", (text, signal) => api.entities(state.model, text, signal), take("object")),
  time: new TimeField((time, passing) => change({ time, pick: "" }, { passing, filling: true })),
};
const panels = new Panels((time) => change({ time, pick: "" }));

function take(part) {
  return (name) => change({ ...typed(), [part]: name, pick: "" }, { filling: true });
}

// What stands in the fields now.
const typed = () => Object.fromEntries(parts.map((part) => [part, byId(part).value.trim()]));

// Another question: it gets an address of its own; all that a slider passes share one. While the
// fields are being filled in one by one, it is asked when all but one are.
function change(words, { passing = false, filling = false } = {}) {
  state = { ...state, ...words };
  const address = toAddress(state);
  if (address === location.search || sliding) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  sliding = passing;
  return answer(filling);
}

function settleFields() {
  for (const part of parts) fields[part].settle(state[part]);
  byId("hide-known").checked = state.known === "hide";
  byId("only-seen").checked = state.type === "seen";
  byId("top").value = state.top;
  const empty = complete(state, timed()) ? missing(state, timed())[0] : undefined;
  for (const field of document.querySelectorAll(".field"))
    field.classList.toggle("asked", field.dataset.field === empty);
}

async function answer(filling = false) {
  settleFields();
  clearFaults();
  request?.abort();
  request = null;
  if (!complete(state, filling && timed())) return start();
  request = new AbortController();
  show(byId("start-card"), false);
  show(byId("answers-card"));
  byId("columns").classList.remove("starting");
  byId("answers-title").textContent = titles[missing(state, timed())[0] ?? "fact"];
  byId("answers-card").setAttribute("aria-busy", "true");
  replace(byId("sentence"), sentence(state, timed()));
  if (!result) showSkeleton(missing(state, timed()).length ? Math.min(Number(state.top) || 10, 20) : 1);
  const question = { ...asked(state), ...wishes(state) };
  try {
    result = await api.predict(question, request.signal);
  } catch (error) {
    if (!api.gone(error)) refuse(error);
    return;
  }
  byId("answers-card").removeAttribute("aria-busy");
  showResult();
}

function refuse(error) {
  byId("answers-card").removeAttribute("aria-busy");
  leave();
  show(byId("token-card"), error.status === 401);
  if (error.status === 401) byId("token").focus();
  else tellFault(error);
}

function showResult() {
  byId("note").textContent = result.note ?? "";
  show(byId("note"), Boolean(result.note));
  const of_fact = result.asked === "fact";
  byId("answers-title").textContent = titles[result.asked];
  const chosen = result.answers.find((one) => one.name === state.pick) ?? result.answers[0];
  byId("kind").textContent = of_fact ? "" : kindOf(result);
  show(byId("toggles"), !of_fact);
  show(byId("only-seen-label"), result.asked !== "time");
  show(byId("answers"), !of_fact);
  show(byId("verdict"), of_fact);
  if (of_fact) showVerdict(chosen);
  else showAnswers(result, chosen?.name, (name) => toAddress({ ...state, pick: name }), pick);
  byId("said").textContent = spoken(chosen, of_fact);
  document.title = `${parts.map((part) => state[part] || "?").filter((_, i) => timed() || i < 3).join(" · ")} – Orrery`;
  focusOn(chosen);
}

function spoken(first, of_fact) {
  if (!first) return "No answers.";
  if (of_fact) return `The fact has ${percent(chance(first))}.`;
  const best = result.answers[0];
  return `${result.answers.length} answers. First: ${best.name}, ${percent(chance(best))}.`;
}

// A slider on its way has answers at once, and the rest when it rests.
const rest = debounced(250, () => result && panels.show(...shown));
function showPanels(...given) {
  shown = given;
  if (sliding) rest();
  else panels.show(...given);
}

function focusOn(chosen) {
  if (!chosen) return panels.clear();
  const fact = filledIn(state, result.asked, chosen.name);
  showPanels(fact, result, axis);
}

function pick(name) {
  state = { ...state, pick: name };
  history.pushState(null, "", toAddress(state));
  markChosen(name);
  focusOn(result.answers.find((one) => one.name === name));
}

function leave() {
  result = null;
  show(byId("answers-card"), false);
  byId("columns").classList.add("starting");
  panels.clear();
}

// Nothing to ask yet: some questions to begin with.
async function start() {
  document.title = "Orrery";
  leave();
  const given = parts.some((part) => state[part]);
  byId("hint").classList.toggle("urgent", given);
  show(byId("start-card"), false);
  if (!offered.has("/api/neighbours")) return;
  if (examples.model !== state.model) {
    examples.model = state.model;
    replace(byId("examples"), await examplesOf(state.model, timed()));
  }
  show(byId("start-card"), byId("examples").hasChildNodes() && !request);
}

// The "?" beside a field asks for it; what was asked before is filled in by the chosen answer.
function askFor(part) {
  const next = { ...typed(), [part]: "", pick: "" };
  const chosen = result?.answers.find((one) => one.name === state.pick) ?? result?.answers[0];
  if (result && result.asked !== part && parts.includes(result.asked) && !next[result.asked] && chosen)
    next[result.asked] = chosen.name;
  change(next);
  byId(part).focus();
}

async function useModel() {
  const model = state.model || served[0]?.name;
  const one = served.find((entry) => entry.name === model);
  axis = new Axis(one?.timed === false ? [] : await api.times(model));
  fields.time.serve(axis);
  if (one) replace(byId("card"), cardOf(one));
  show(byId("model-card"), Boolean(one));
  byId("served").textContent = one && served.length === 1 ? one.name : "";
}

function listen() {
  byId("question").addEventListener("submit", (event) => {
    event.preventDefault();
    change({ ...typed(), pick: "" });
  });
  for (const button of document.querySelectorAll("[data-ask]"))
    button.addEventListener("click", () => askFor(button.dataset.ask));
  byId("hide-known").addEventListener("change", (event) =>
    change({ known: event.target.checked ? "hide" : "mark", pick: "" }));
  byId("only-seen").addEventListener("change", (event) =>
    change({ type: event.target.checked ? "seen" : "any", pick: "" }));
  byId("top").addEventListener("change", (event) => change({ top: event.target.value }));
  byId("model").addEventListener("change", async (event) => {
    state.model = event.target.value;
    await useModel();
    change({ pick: "" });
  });
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    api.useToken(byId("token").value);
    begin();
  });
  window.addEventListener("popstate", async () => {
    const model = state.model;
    sliding = false;
    state = fromAddress(location.search);
    if (state.model !== model) await useModel();
    answer();
  });
  // Links to other questions stay on this page.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-internal], a.brand");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const address = new URL(link.href.baseVal ?? link.href, location.href);
    change(fromAddress(address.search));
    window.scrollTo({ top: 0, behavior: "instant" });
  });
}

async function begin() {
  show(byId("token-card"), false);
  try {
    [{ models: served }, offered] = await Promise.all([api.info(), api.offered()]);
    panels.offered = offered;
    const options = served.map((one) => make("option", { value: one.name }, one.name));
    replace(byId("model"), options);
    byId("model").value = state.model || served[0]?.name;
    show(byId("chooser"), served.length > 1);
    await useModel();
    await answer();
  } catch (error) {
    refuse(error);
  }
}

replace(byId("top"), [5, 10, 20, 50, 100].map((count) => make("option", { value: count }, `${count} answers`)));
listen();
begin();
