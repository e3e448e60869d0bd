/* The tab that gathers: each step as it ends, then the passages, each with its citation. */

import { events } from "./api.js";
import { count, el, host, link, show } from "./dom.js";
import { examples } from "./examples.js";
import { markdown } from "./markdown.js";
import { number, panel } from "./panel.js";
import { outcomes } from "./search.js";
import { skeleton } from "./states.js";

/** Return the tab; `open(passage)` shows a passage in its page, `read(url)` reads a page in the other tab. */
export function gather({ enterKey, open, read }) {
  return panel({
    operation: "web_gather",
    path: "/v1/gather",
    field: { name: "question", label: "Question to find evidence for", attributes: { type: "text", placeholder: "in full, as you would ask a person", maxlength: 2000 } },
    options: [number("Search results", "num_results", 1, 50, "10"), number("Pages to read", "gather_top", 1, 20, "5")],
    submit: "Gather",
    doing: "Searching and reading",
    words: "Passages that answer a question, each with a citation that can be verified. Pages that could not be read are listed.",
    examples: examples.gather,
    enterKey,
    ask: (given, place, signal) => new Gathering(place, open, read).follow(events("/v1/gather", given, signal)),
  });
}

class Gathering {
  constructor(place, open, read) {
    Object.assign(this, { open, read, numbers: new Map() });
    this.steps = el("ol", { class: "steps", "aria-label": "Pages", "aria-live": "polite" });
    this.summary = el("div");
    this.passages = el("ol", { class: "passages", "aria-label": "Passages" });
    this.waiting = skeleton(8);
    show(place, el("div", { class: "gathering" }, el("div", { class: "evidence" }, this.waiting, this.passages), el("aside", { "aria-label": "Sources" }, el("section", { class: "card" }, el("h3", {}, "Sources"), this.summary, this.steps))));
  }

  /** Take events until the last, and return what to say of them. */
  async follow(told) {
    for await (const [name, data] of told) {
      if (name === "hits") show(this.summary, outcomes(data));
      else if (name === "page") this.step("read", data.url, data.title || data.url, data.cached ? "read, kept copy" : "read");
      else if (name === "missed") this.step("missed", data.url, data.url, `${data.code}: ${data.reason}`);
      else if (name === "passage") this.passage(data);
      else if (name === "done") return this.done(data);
    }
    return "the stream ended early";
  }

  step(kind, url, title, words) {
    const name = kind === "read" ? el("button", { type: "button", class: "jump", click: () => this.read(url) }, title) : el("span", {}, title);
    this.steps.append(el("li", { class: kind }, name, el("span", { class: "faint" }, `${host(url)} · ${words}`)));
  }

  passage(told) {
    this.waiting.remove();
    const number = this.passages.children.length + 1;
    const path = (told.headings ?? []).filter((each) => each !== told.title).join(" › ");
    this.passages.append(
      el(
        "li",
        { class: "card passage" },
        el("header", {}, el("span", { class: "number", "aria-hidden": "true" }, String(number)), el("div", {}, el("h2", {}, told.title || told.url), el("p", { class: "place" }, host(told.url), path ? ` · ${path}` : ""))),
        el("blockquote", { class: "text" }, markdown(told.text, { top: 3 })),
        el(
          "div",
          { class: "row" },
          link(told.fragment_url, { class: "button small", "aria-label": `Open highlighted: passage ${number}` }, "Open highlighted"),
          el("button", { type: "button", class: "small", "aria-label": `Show in the text: passage ${number}`, click: () => this.open(told) }, "Show in the text"),
          el("span", { class: "faint cite" }, `${told.snapshot_id.slice(0, 17)}… · ${count(told.start)}–${count(told.end)}${told.cut ? ` · cut at its ${told.cut}` : ""}`),
        ),
      ),
    );
  }

  done(data) {
    this.waiting.remove();
    if (!data.passages.length) this.passages.replaceWith(el("p", { class: "notice" }, "No passage answers the question. The sources show which pages were read and which were not."));
    for (const notice of data.notices ?? []) this.steps.append(el("li", { class: "missed" }, el("code", {}, notice.code), el("span", { class: "faint" }, notice.detail)));
    if (!this.steps.children.length) this.steps.append(el("li", { class: "missed" }, el("span", { class: "faint" }, "no page was read")));
    const pages = new Set(data.passages.map((each) => each.url)).size;
    return `${count(data.passages.length)} passages from ${count(pages)} ${pages === 1 ? "page" : "pages"}, ${count(data.missed.length)} missed`;
  }
}
