/* The tab that answers a question: a short answer with citations, or the passages, each step as it ends. */

import { events } from "./api.js";
import { Citations, passageView } from "./citations.js";
import { count, counted, el, host, show } from "./dom.js";
import { examples } from "./examples.js";
import { number, profile, texts, toggle } from "./options.js";
import { oneField, panel } from "./panel.js";
import { outcomes } from "./search.js";
import { skeleton, warnings } from "./states.js";

/** Return the tab; `open(passage, profile)` shows a passage in its page, `read(url, options)` reads a page in its tab. */
export function answer({ enterKey, remember, open, read }) {
  const options = [
    number("Search results", "num_results", 1, 50, "10"),
    number("Pages to read", "gather_top", 1, 20, "5"),
    texts("Only these sites", "sites", { placeholder: "docs.python.org" }),
    texts("Not these sites", "exclude_sites", { placeholder: "example.com" }),
    texts("Only these pages", "urls", { placeholder: "https://" }),
    profile(),
    toggle("All notices", "all_notices"),
  ];
  // The pages of a run with a profile open with that profile, too.
  const evidenceView = (place, { profile: name = null }) => new EvidenceView(place, (passage) => open(passage, name), (url) => read(url, { profile: name }));
  return panel({
    tab: "answer",
    label: "Ask a question",
    field: { name: "question", placeholder: "in full, as you would ask a person", maxlength: 2000 },
    modes: [
      {
        name: "answer",
        label: "Answer",
        operation: "web_answer",
        path: "/v1/answer",
        options,
        submit: "Answer",
        busyText: "Searching, reading and checking each sentence",
        body: oneField("question"),
        ask: (body, place, signal) => evidenceView(place, body).answer(events("/v1/answer", body, signal)),
      },
      {
        name: "gather",
        label: "Passages",
        operation: "web_gather",
        path: "/v1/gather",
        options,
        submit: "Gather",
        busyText: "Searching and reading",
        body: oneField("question"),
        ask: (body, place, signal) => evidenceView(place, body).gather(events("/v1/gather", body, signal)),
      },
    ],
    intro: "A short answer whose sentences all cite verified passages, or the passages themselves. Pages that could not be read are listed.",
    examples: examples.answer,
    enterKey,
    remember,
  });
}

function answerView(result, open, pageCount) {
  if (!result.claims.length) {
    const reason = pageCount ? "No passage of the pages answers this question. Try other words, or more pages to read." : "No page was read, so there is no answer. The sources show why.";
    return el("div", {}, el("p", { class: "notice" }, reason), leftOut(result), warnings("Notes on this answer", result.notices));
  }
  const citations = new Citations(result.citations, open);
  const author = result.is_by_model ? "Written by the language model; each sentence was checked against its passages." : "The best sentences, list items and table rows of the pages.";
  return el(
    "div",
    { class: "answered" },
    el("h2", { class: "unseen" }, "The answer"),
    el("article", { class: "card text lead" }, el("p", {}, result.claims.map((claim) => [citations.sentence(claim), " "]))),
    el("p", { class: "fine" }, author),
    leftOut(result),
    warnings("Notes on this answer", result.notices),
    citations.section(),
  );
}

function leftOut(result) {
  if (!result.dropped?.length) return null;
  const lines = result.dropped.map((claim) => el("li", {}, el("span", {}, claim.text), claim.unsupported.length ? el("span", { class: "faint" }, ` Not in its passages: ${claim.unsupported.join(", ")}.`) : null));
  return el("section", { class: "warned" }, el("h3", {}, "Left out: the passages do not support this"), el("ul", {}, lines));
}

/** Shows an answer or a gather as its events come: the sources stand beside the result. */
class EvidenceView {
  constructor(place, open, read) {
    Object.assign(this, { open, read, pageCount: 0 });
    this.steps = el("ol", { class: "steps", "aria-label": "Pages", "aria-live": "polite" });
    this.services = el("div");
    this.passages = el("ol", { class: "passages", "aria-label": "Passages" });
    this.waiting = skeleton(8);
    this.evidence = el("div", { class: "evidence" }, this.waiting);
    show(place, el("div", { class: "gathering" }, this.evidence, el("aside", { "aria-label": "Sources" }, el("h3", {}, "Sources"), this.services, this.steps)));
  }

  /** Show the steps, and the passages until the answer comes, and return the summary. */
  async answer(stream) {
    this.evidence.append(this.passages); // a model may take its time
    const result = await this.follow(stream);
    show(this.evidence, answerView(result, this.open, this.pageCount));
    return `${counted(result.claims.length, "sentence")}, ${counted(result.citations.length, "citation")}`;
  }

  /** Show the steps and each passage, and return the summary. */
  async gather(stream) {
    this.evidence.append(this.passages);
    const result = await this.follow(stream);
    if (!result.passages.length) this.passages.replaceWith(el("p", { class: "notice" }, "No passage answers the question. The sources show which pages were read and which were not."));
    this.evidence.append(...[warnings("Notes on these passages", result.notices)].filter(Boolean));
    const pages = new Set(result.passages.map((passage) => passage.url)).size;
    return `${counted(result.passages.length, "passage")} of ${counted(pages, "page")}${result.missed.length ? `, ${count(result.missed.length)} missed` : ""}`;
  }

  /** Take events until the last, which `events` demands, and return the result. */
  async follow(stream) {
    for await (const [name, fields] of stream) {
      if (name === "hits") show(this.services, outcomes(fields));
      else if (name === "page") this.step("read", fields.url, fields.title || fields.url, fields.cached ? "read, stored copy" : "read");
      else if (name === "missed") this.step("missed", fields.url, fields.url, `${fields.code}: ${fields.reason}`);
      else if (name === "passage") this.passage(fields);
      else if (name === "done") {
        this.waiting.remove();
        if (!this.steps.children.length) this.steps.append(el("li", { class: "missed" }, el("span", { class: "faint" }, "no page was read")));
        return fields;
      }
    }
  }

  step(kind, url, title, text) {
    if (kind === "read") this.pageCount += 1;
    const name = kind === "read" ? el("button", { type: "button", class: "jump", click: () => this.read(url) }, title) : el("span", {}, title);
    this.steps.append(el("li", { class: kind }, name, el("span", { class: "faint" }, `${host(url)} · ${text}`)));
  }

  passage(passage) {
    this.waiting.remove();
    this.passages.append(el("li", { class: "passage" }, passageView(passage, this.passages.children.length + 1, this.open)));
  }
}
