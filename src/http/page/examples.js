// A few questions to begin with, from facts of the data: so their names are real.
import * as api from "./api.js";
import { make, named } from "./dom.js";
import { empty, toAddress } from "./state.js";

const kinds = [
  { part: "object", words: "Whom?" },
  { part: "subject", words: "Who?" },
  { part: "relation", words: "How?" },
  { part: "time", words: "When?" },
];

export async function examplesOf(model, timed) {
  const names = await api.entities(model, "", undefined);
  const around = await Promise.all(names.slice(0, kinds.length).map((name) => api.neighbours(model, name)));
  const facts = around.map(({ facts = [] }) => facts[Math.floor(facts.length / 2)]).filter(Boolean);
  return kinds.filter(({ part }) => timed || part !== "time").flatMap(({ part, words }, at) => {
    const fact = facts[at % facts.length];
    if (!fact) return [];
    const time = timed ? fact.time : "";
    const question = { ...empty(), model, subject: fact.subject, relation: fact.relation, object: fact.object, time };
    question[part] = "";
    const told = ["subject", "relation", "object", "time"].filter((one) => one === part || question[one]);
    return make("li", {}, make("a", { href: toAddress(question), "data-internal": true },
      make("span", { class: "words" }, words),
      told.map((one) => make("span", { class: `part ${one}` },
        question[one] ? named(question[one]) : make("span", { class: "asked-for" }, "?")))));
  });
}
