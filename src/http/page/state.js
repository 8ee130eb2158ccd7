// The question as it stands, and its address: what the page shows follows from its URL alone.

export const parts = ["subject", "relation", "object", "time"];

const defaults = { model: "", top: "10", known: "mark", type: "any", pick: "" };

export const empty = () => ({ subject: "", relation: "", object: "", time: "", ...defaults });

export function fromAddress(search) {
  const words = new URLSearchParams(search);
  const state = empty();
  for (const name of Object.keys(state)) state[name] = words.get(name) ?? state[name];
  return state;
}

export function toAddress(state) {
  const words = new URLSearchParams();
  for (const name of [...parts, ...Object.keys(defaults)])
    if (state[name] && state[name] !== defaults[name]) words.set(name, state[name]);
  const text = words.toString();
  return text ? `?${text}` : location.pathname;
}

// Which parts are empty. A model without time has three parts.
export const missing = (state, timed) =>
  parts.filter((part) => !state[part] && (timed || part !== "time"));

// Can be asked: one part at most is empty.
export const complete = (state, timed) => missing(state, timed).length <= 1;

// The question as the server takes it.
export function asked(state) {
  const question = {};
  for (const part of parts) if (state[part]) question[part] = state[part];
  if (state.model) question.model = state.model;
  return question;
}

// The fact that an answer makes of its question.
export const filledIn = (state, part, name) =>
  part === "fact" ? { ...state } : { ...state, [part]: name, pick: "" };

// How it is to be answered; what is not said is as the server has it.
export function wishes(state) {
  const said = { top: Number(state.top) || 10 };
  for (const name of ["known", "type"]) if (state[name] !== defaults[name]) said[name] = state[name];
  return said;
}
