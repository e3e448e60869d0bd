/* Passages with their citations, and the numbers in a text that lead to them. */

import { count, el, host, link, smallButton } from "./dom.js";
import { markdown } from "./markdown.js";

/** Return a passage with its citation; `open(passage)` shows it in its page. */
export function passageView(passage, number, open) {
  const path = (passage.headings ?? []).filter((heading) => heading !== passage.title).join(" › ");
  return [
    el("header", {}, el("span", { class: "number", "aria-hidden": "true" }, String(number)), el("div", {}, el("h2", {}, passage.title || passage.url), el("p", { class: "place" }, host(passage.url), path ? ` · ${path}` : ""))),
    el("blockquote", { class: "text" }, markdown(passage.text, { top: 3 })),
    el(
      "div",
      { class: "row" },
      link(passage.fragment_url, { class: "button small", "aria-label": `Open highlighted: passage ${number}` }, "Open highlighted"),
      smallButton("Show in the text", () => open(passage), { "aria-label": `Show in the text: passage ${number}` }),
      el("span", { class: "faint cite" }, `characters ${count(passage.start)}–${count(passage.end)}${passage.cut ? `, cut at its ${passage.cut}` : ""}`),
    ),
  ];
}

/** The numbered citations of a text: their list, and sentences whose numbers lead into it. */
export class Citations {
  constructor(passages, open) {
    this.elements = passages.map((passage, index) => el("li", { class: "passage", tabindex: "-1" }, passageView(passage, index + 1, open)));
    this.numbers = new Map(passages.map((passage, index) => [identity(passage), index + 1]));
  }

  /** Return whether every passage of a sentence is in the list. */
  has(claim) {
    return claim.passages.every((passage) => this.numbers.has(identity(passage)));
  }

  /** Return the nodes of a sentence with the numbers of its citations. */
  sentence(claim) {
    const marks = claim.passages.map((passage) => this.numbers.get(identity(passage))).filter(Boolean).map((number) => this.mark(number));
    const lastWord = claim.text.lastIndexOf(" ") + 1; // the marks stay on the line of the word before them
    return [claim.text.slice(0, lastWord), el("span", { class: "cited" }, claim.text.slice(lastWord), marks)];
  }

  mark(number) {
    const jump = () => {
      const element = this.elements[number - 1];
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
    };
    return el("button", { type: "button", class: "citation", "aria-label": `Citation ${number}`, click: jump }, String(number));
  }

  /** Return the section with the list. */
  section() {
    return el("section", { class: "section" }, el("h3", {}, "Citations"), el("ol", { class: "passages" }, this.elements));
  }
}

function identity(passage) {
  return `${passage.snapshot_id} ${passage.start} ${passage.end} ${passage.url}`;
}
