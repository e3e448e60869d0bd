/* The tab that browses: a page worked by hand, as text with numbers to act on, beside a picture of it. */

import { Problem, call, leave, picture } from "./api.js";
import { count, el, link, show } from "./dom.js";
import { examples } from "./examples.js";
import { panel } from "./panel.js";
import { failure, skeleton } from "./states.js";

const WAYS = {
  click: { words: "Click", path: "/click" },
  type: { words: "Type", path: "/type", text: "text" },
  submit: { words: "Type, then Enter", path: "/type", text: "text", more: { submit: true } },
  select: { words: "Choose", path: "/select", text: "option" },
  hover: { words: "Point at", path: "/hover" },
};
const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox"]);
const CHOSEN = new Set(["select", "listbox"]);
/** What is written before an element, and what only looks like it. */
const MARKS = /(\\\[|\[\d{1,7}\])/;

/** Return the tab. Its session ends when it is closed, or with the page. */
export function browse({ enterKey }) {
  const work = new Session(enterKey);
  addEventListener("pagehide", () => work.leave());
  return panel({
    operation: "browse_url",
    path: "/v1/browse",
    field: { name: "url", label: "Address of a page to operate", attributes: { type: "text", placeholder: "https://", maxlength: 8000, inputmode: "url", autocapitalize: "none" } },
    submit: "Open",
    doing: "Opening the page in a browser",
    words: "A page in a real browser of the server: what it shows as text, with a number before everything that can be worked.",
    examples: examples.browse,
    enterKey,
    ask: (given, place, signal) => work.open(given, place, signal),
  });
}

class Session {
  constructor(enterKey) {
    Object.assign(this, { enterKey, handle: null, shown: null, drawing: null });
  }

  async open(given, place, signal) {
    if (!this.handle) show(place, el("div", { class: "browsing" }, skeleton(10)));
    const asked = { ...given, include: ["elements"], ...(this.handle ? { session: this.handle } : {}) };
    let told;
    try {
      told = await call("/v1/browse", asked, signal);
    } catch (error) {
      if (error.fields?.code === "gone") this.handle = null;
      throw error;
    }
    this.handle = told.session;
    show(place, this.frame());
    this.tell(told);
    return `${count(told.elements.length + told.more)} elements`;
  }

  /** Build what stays while the page changes: the bar, the form that acts, and places for the rest. */
  frame() {
    this.status = el("p", { class: "status", role: "status" });
    this.trouble = el("div");
    this.head = el("div", { class: "head" });
    this.text = el("div", { class: "snap", tabindex: "0", role: "group", "aria-label": "What the page shows" });
    this.further = el("div", { class: "row" });
    this.canvas = el("canvas", { class: "picture", role: "img", "aria-label": "A picture of the page", width: "16", height: "10" });
    this.news = el("div", { class: "news" });
    this.index = el("input", { type: "number", min: 1, required: true, inputmode: "numeric", name: "index", placeholder: "3" });
    this.way = el("select", { name: "way", change: () => this.wants() }, Object.entries(WAYS).map(([name, { words }]) => el("option", { value: name }, words)));
    this.words = el("input", { type: "text", name: "words", autocomplete: "off" });
    const act = el(
      "form",
      { class: "act", submit: (event) => { event.preventDefault(); this.act(); } },
      el("label", { class: "option" }, el("span", {}, "Element"), this.index),
      el("label", { class: "option" }, el("span", {}, "Do"), this.way),
      (this.wording = el("label", { class: "option" }, el("span", {}, "With"), this.words)),
      el("button", { type: "submit", class: "small" }, "Go"),
    );
    this.wants();
    const button = (words, ...step) => el("button", { type: "button", class: "small", click: () => this.step(words, ...step) }, words);
    const bar = el(
      "div",
      { class: "row", role: "group", "aria-label": "Actions on the page" },
      button("Back", "/back"),
      button("Scroll down", "/scroll", { direction: "down" }),
      button("Scroll up", "/scroll", { direction: "up" }),
      button("Press Enter", "/press", { key: "Enter" }),
      button("New snapshot", "/read"),
      el("button", { type: "button", class: "small", click: () => this.close() }, "Close the session"),
    );
    this.view = el(
      "div",
      { class: "browsing" },
      el("article", { class: "reading" }, this.head, bar, act, this.status, this.trouble, this.text, this.further),
      el("aside", { "aria-label": "The page in the browser" }, this.canvas, this.news),
    );
    return this.view;
  }

  /** Show the field for words only where the way of acting takes some. */
  wants() {
    const { text } = WAYS[this.way.value];
    this.wording.hidden = !text;
    this.words.required = text === "option";
  }

  /** Act on the element with this number: at once where a click is all it takes, else by the form. */
  choose(each) {
    this.index.value = each.index;
    this.way.value = TYPED.has(each.role) ? "type" : CHOSEN.has(each.role) ? "select" : "click";
    this.wants();
    if (this.way.value === "click") this.act();
    else this.words.focus();
  }

  act() {
    const { words, path, text, more } = WAYS[this.way.value];
    const index = Number(this.index.value);
    return this.step(`${words} ${index}`, path, { index, ...(text ? { [text]: this.words.value } : {}), ...more });
  }

  /** Do one step, and show what came of it; one at a time. */
  async step(words, path, body = {}) {
    if (!this.handle || this.view.hasAttribute("aria-busy")) return;
    this.view.setAttribute("aria-busy", "true");
    this.status.textContent = `${words}…`;
    this.trouble.replaceChildren();
    try {
      this.tell(await call(`/v1/browse${path}`, { session: this.handle, include: ["elements"], ...body }));
      this.words.value = "";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.status.textContent = "";
      if (error.fields.code === "gone") this.handle = null;
      show(this.trouble, failure(error, () => this.step(words, path, body), this.enterKey));
    } finally {
      this.view.removeAttribute("aria-busy");
    }
  }

  tell(told) {
    this.shown = told;
    const known = new Map(told.elements.map((each) => [each.index, each]));
    this.index.max = Math.max(1, ...known.keys());
    show(this.head, el("h2", { class: "title" }, told.title || "Untitled"), el("p", { class: "place" }, link(told.url, {}, told.url)));
    this.text.replaceChildren(...numbered(told.content, known, (each) => this.choose(each)));
    const page = (number, words) => el("button", { type: "button", class: "small", click: () => this.step(words, "/read", { page: number }) }, words);
    show(
      this.further,
      told.page > 1 ? page(told.page - 1, "Previous part") : null,
      told.page < told.pages ? page(told.page + 1, `Next part (${count(told.more)} more elements)`) : null,
    );
    this.status.textContent = told.changes.length ? `Changed: ${told.changes.slice(0, 3).join("; ")}` : "";
    show(this.news, ["dialogs", "tabs", "downloads"].map((name) => list(name, told[name])), list("notices", told.notices.map((each) => `${each.code}: ${each.detail}`)));
    this.draw();
  }

  /** Draw the page as it looks; a picture that comes late, or never, stops nothing. */
  async draw() {
    this.drawing?.abort();
    const { signal } = (this.drawing = new AbortController());
    try {
      const bitmap = await createImageBitmap(await picture("/v1/browse/screenshot", { session: this.handle }, signal));
      if (signal.aborted) return;
      Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
      this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
      this.canvas.setAttribute("aria-label", `A picture of ${this.shown.title || "the page"}`);
      this.canvas.dataset.drawn = "";
    } catch (error) {
      if (error.name === "AbortError") return;
      this.canvas.setAttribute("aria-label", `No picture: ${error.message}`);
    }
  }

  close() {
    this.drawing?.abort();
    this.leave();
    show(this.view, el("p", { class: "notice" }, "The session is closed. Open a page to start another."));
  }

  leave() {
    if (this.handle) leave("/v1/browse/close", { session: this.handle });
    this.handle = null;
  }
}

/** Return the text of a snapshot as nodes, its numbers as buttons. */
function numbered(content, known, choose) {
  return content.split(MARKS).map((part) => {
    const each = known.get(Number(/^\[(\d+)\]$/.exec(part)?.[1]));
    if (each) return el("button", { type: "button", class: "mark", "aria-label": `${each.index}: ${each.role} ${each.name}`.trim(), click: () => choose(each) }, String(each.index));
    return part === "\\[" ? "[" : part;
  });
}

function list(name, lines) {
  if (!lines?.length) return null;
  return el("section", { class: "card" }, el("h3", {}, name[0].toUpperCase() + name.slice(1)), el("ul", {}, lines.map((line) => el("li", {}, line))));
}
