// What is shown of the chosen fact: its curve over time, why, and who its entities deal with.
import * as api from "./api.js";
import { byId, make, named, replace, show } from "./dom.js";
import { Curve, bestTimes } from "./curve.js";
import { explanationOf } from "./explanation.js";
import { geometryOf } from "./geometry.js";
import { neighbourhoodOf } from "./neighbourhood.js";
import { asked, empty, toAddress } from "./state.js";
import { capital, ended, sentence } from "./words.js";

const without = (fact, part) => ({ ...fact, [part]: "", pick: "" });

export class Panels {
  // `chosen(time)`: a time of the curve was.
  constructor(chosen) {
    this.curve = new Curve(chosen);
    this.offered = new Set();
  }

  clear() {
    this.request?.abort();
    this.around = this.drawn = this.turned = "";
    for (const id of ["curve-card", "explain-card", "geometry-card", "neighbours-card"]) show(byId(id), false);
  }

  // `fact` has all its parts; `result` is the answer it came from.
  show(fact, result, axis) {
    this.request?.abort();
    this.request = new AbortController();
    this.axis = axis;
    this.#showCurve(fact, result);
    const explained = this.#showExplanation(fact);
    this.#showGeometry(fact, explained);
    this.#showNeighbours(fact, result.asked === "subject" ? fact.subject : fact.object);
  }

  // Shows what comes for a panel; where nothing does, the panel is hidden.
  async #ask(card, promise, ready) {
    const { signal } = this.request;
    byId(card).setAttribute("aria-busy", "true");
    try {
      const found = await promise;
      if (signal.aborted) return;
      show(byId(card));
      byId(card).removeAttribute("aria-busy");
      ready(found);
    } catch (error) {
      if (!api.gone(error) && !signal.aborted) show(byId(card), false);
    }
  }

  #showCurve(fact, result) {
    if (!this.axis.size) return show(byId("curve-card"), false);
    const question = { ...asked(without(fact, "time")), top: 3 };
    const key = JSON.stringify(question);
    const when = result.asked === "time" ? Promise.resolve(result)
      : key === this.drawn ? Promise.resolve(this.when) : api.predict(question, this.request.signal);
    this.#ask("curve-card", when, (found) => {
      this.drawn = key;
      this.when = found;
      if (!found.curve) return show(byId("curve-card"), false);
      replace(byId("curve-fact"), sentence(without(fact, "time"), true));
      const best = found.answers.slice(0, 3).map((one) => one.name);
      const label = `${fact.subject} ${fact.relation} ${fact.object}`;
      this.curve.show(found.curve, this.axis, { best, now: fact.time, interval: found.interval, label });
      replace(byId("curve-best"), bestTimes(found), this.#nextQuestions(fact));
    });
  }

  #nextQuestions(fact) {
    const link = (text, next) => make("a", { href: toAddress(next), "data-internal": true }, text);
    return make("p", { class: "next" }, "Ask next: ",
      link("is it true?", { ...fact, pick: "" }), " · ", link("who else?", without(fact, "subject")), " · ",
      link("which relation?", without(fact, "relation")), " · ", link("whom else?", without(fact, "object")), " · ",
      link("when?", without(fact, "time")));
  }

  #showExplanation(fact) {
    if (!this.offered.has("/api/explain")) return null;
    const explained = api.explain(asked(fact), this.request.signal);
    const address = (words) => toAddress({ ...empty(), model: fact.model, ...words });
    return this.#ask("explain-card", explained, (found) =>
      replace(byId("explain"), explanationOf(found, fact, this.axis, {
        fact: (one) => address({ subject: one.subject, relation: one.relation, object: one.object, time: one.time }),
        subject: (name) => address({ ...fact, subject: name, object: "" }),
        object: (name) => address({ ...fact, object: name, subject: "" }),
      })));
  }

  // Below the explanation, and so after it: what is read already stays where it is.
  #showGeometry(fact, explained) {
    if (!this.offered.has("/api/geometry")) return;
    const time = this.axis.size ? fact.time : "";
    const key = JSON.stringify([fact.model, fact.relation, time]);
    if (key === this.turned) return;
    const asked = api.geometry(fact.model, fact.relation, time, this.request.signal).catch((error) => {
      if (error.status !== 422) throw error;
      return { refusal: error.message };
    });
    this.#ask("geometry-card", Promise.all([asked, explained]), ([found]) => {
      this.turned = key;
      replace(byId("geometry-of"), make("span", { class: "part" }, named(fact.relation)),
        time ? make("span", { class: "part time" }, time) : "");
      const refusal = found.refusal && make("p", { class: "quiet" }, ended(capital(found.refusal)));
      replace(byId("geometry"), refusal ??
        geometryOf(found, this.axis, (relation) => toAddress({ ...fact, relation, pick: "" })));
    });
  }

  #showNeighbours(fact, entity) {
    if (!this.offered.has("/api/neighbours")) return;
    const key = JSON.stringify([fact.model, fact.subject, fact.object, entity]);
    if (key === this.around) return;
    const found = api.neighbours(fact.model, entity, this.request.signal);
    const address = (words) => toAddress({ ...empty(), model: fact.model, ...words });
    this.#ask("neighbours-card", found, (around) => {
      this.around = key;
      const tabs = [...new Set([fact.subject, fact.object])].map((name) =>
        make("button", { type: "button", "aria-pressed": String(name === entity),
          onclick: () => this.#showNeighbours(fact, name) }, named(name)));
      const focused = byId("neighbour-names").contains(document.activeElement);
      replace(byId("neighbour-names"), tabs);
      if (focused) tabs.find((tab) => tab.getAttribute("aria-pressed") === "true")?.focus();
      replace(byId("neighbours"), neighbourhoodOf(around, {
        entity: (name) => address({ subject: entity, object: name, time: fact.time }),
        fact: (one) => address({ subject: one.subject, relation: one.relation, object: one.object, time: one.time }),
      }));
    });
  }
}
