// Asks the page's own server, and nobody else.

const token_key = "orrery-token";

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
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { message: "the server does not answer", advice: "is it still running?" });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, body.error);
  return body;
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
export const times = (model) => ask(query("api/times", { model })).then((found) => found.times);
export const relations = (model) =>
  ask(query("api/relations", { model })).then((found) => found.relations.map((one) => one.name));
export const entities = (model, text, signal) =>
  ask(query("api/entities", { model, query: text, top: 20 }), { signal }).then((found) =>
    found.entities.map((one) => one.name),
  );
export const neighbours = (model, entity, signal) =>
  ask(query("api/neighbours", { model, entity, top: 60 }), { signal });
export const predict = (question, signal) => post("api/predict", question, signal);
export const explain = (fact, signal) => post("api/explain", fact, signal);

export const gone = (error) => error.name === "AbortError";
export const absent = (error) => error instanceof Refused && [404, 405, 501].includes(error.status);
