// Asks the page's own server, and nobody else.

const token_key = "orrery-token";

export const gone = (error) => error.name === "AbortError";

export class Refused extends Error {
  constructor(status, error) {
    super(error?.message ?? `the server answered with status ${status}`);
    this.status = status;
    this.field = error?.field;
    this.advice = error?.advice;
  }
}

export function useToken(token) {
  sessionStorage.setItem(token_key, token);
}

async function ask(path, options = {}) {
  const headers = { Accept: "application/json", ...options.headers };
  const token = sessionStorage.getItem(token_key);
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    const response = await fetch(path, { ...options, headers });
    const body = await response.json();
    if (response.ok) return body;
    throw new Refused(response.status, body.error);
  } catch (error) {
    if (gone(error) || error instanceof Refused) throw error;
    throw new Refused(0, { message: "the server does not answer", advice: "is it still running?" });
  }
}

const query = (path, words) => {
  const given = Object.entries(words).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
};

const post = (path, body, signal) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });

export const info = () => ask("api/info");
// The paths of this server: what it cannot answer is not asked.
export const offered = () => ask("openapi.json").then((found) => new Set(Object.keys(found.paths)));
export const times = (model) => ask(query("api/times", { model })).then((found) => found.times);
const names = (what) => (model, text, signal) =>
  ask(query(`api/${what}`, { model, query: text, top: 30 }), { signal }).then((found) =>
    found[what].map((one) => one.name),
  );
export const entities = names("entities");
export const relations = names("relations");
export const neighbours = (model, entity, signal) =>
  ask(query("api/neighbours", { model, entity, top: 200 }), { signal });
export const geometry = (model, relation, time, signal) =>
  ask(query("api/geometry", { model, relation, time }), { signal });
export const predict = (question, signal) => post("api/predict", question, signal);
export const explain = (fact, signal) => post("api/explain", fact, signal);

