/* The tab that browses: a page worked by hand, by clicks on its picture, or by the numbers in its text. */

import { call, file, leave } from "./api.js";
import { count, el, link, show, smallButton } from "./dom.js";
import { examples } from "./examples.js";
import { choice, profile, toggle } from "./options.js";
import { oneField, panel } from "./panel.js";
import { attempt, skeleton, warnings } from "./states.js";

const ACTIONS = {
  click: { label: "Click", path: "/click" },
  type: { label: "Type", path: "/type", text: "text" },
  submit: { label: "Type, then Enter", path: "/type", text: "text", more: { submit: true } },
  select: { label: "Choose", path: "/select", text: "option" },
  hover: { label: "Point at", path: "/hover" },
};
const TYPED = new Set(["textbox", "searchbox", "spinbutton", "combobox", "password"]);
const CHOSEN = new Set(["select", "listbox"]);
/** The mark before an element, and what only looks like one. */
const MARKS = /(\\\[|\[\d{1,7}\])/;

/** Return the tab. Its session ends when it is closed, or with the page. */
export function browse({ enterKey, remember }) {
  const session = new BrowserSession(enterKey);
  const mobile = toggle("As on a phone", "mobile");
  mobile.set(matchMedia("(max-width: 40rem)").matches); // the picture of a wide window would be too small to click
  addEventListener("pagehide", () => session.leave());
  return panel({
    tab: "browse",
    label: "Address of a page to operate",
    field: { name: "url", placeholder: "https://example.com/", maxlength: 8000, inputmode: "url", autocapitalize: "none" },
    modes: [
      {
        name: "browse",
        label: "Browse",
        single: true,
        operation: "browse_url",
        path: "/v1/browse",
        options: [
          choice("Colours", "color_scheme", [["", "the browser's own"], ["light", "light"], ["dark", "dark"]]),
          profile(),
          mobile,
        ],
        submit: "Open",
        busyText: "Opening the page in a browser",
        body: oneField("url"),
        ask: (body, place, signal) => session.open(body, place, signal),
      },
    ],
    intro: "A page in a real browser of the server. Click on its picture, or act on the numbers in its text, as an agent does.",
    examples: examples.browse,
    enterKey,
    remember,
  });
}

class BrowserSession {
  constructor(enterKey) {
    Object.assign(this, { enterKey, handle: null, snapshot: null, drawing: null, options: null });
  }

  async open(body, place, signal) {
    const { url, ...options } = body;
    if (this.handle && JSON.stringify(options) !== this.options) this.leave(); // the device of a session cannot change
    if (!this.handle) show(place, el("div", { class: "browsing" }, skeleton(10)));
    this.options = JSON.stringify(options);
    const request = { url, include: ["elements"], ...(this.handle ? { session: this.handle } : options) };
    let snapshot;
    try {
      snapshot = await call("/v1/browse", request, signal);
    } catch (error) {
      if (error.fields?.code === "gone") this.handle = null;
      throw error;
    }
    this.handle = snapshot.session;
    show(place, this.frame());
    this.take(snapshot);
    return `${count(snapshot.elements.length + snapshot.more)} elements`;
  }

  /** Build what stays while the page changes: the bar, the picture, the form that acts, and places for the rest. */
  frame() {
    this.status = el("p", { class: "status", role: "status" });
    this.trouble = el("div");
    this.head = el("div", { class: "head" });
    this.text = el("div", { class: "snap", tabindex: "0", role: "group", "aria-label": "Text of the page" });
    this.parts = el("div", { class: "row" });
    this.canvas = el("canvas", { class: "picture", role: "img", "aria-label": "A picture of the page", width: "16", height: "10", click: (event) => this.clickPoint(event) });
    this.news = el("div", { class: "news" });
    this.index = el("input", { type: "number", min: 1, required: true, inputmode: "numeric", name: "index", placeholder: "3", input: () => this.changeElement() });
    this.action = el("select", { name: "action", change: () => this.showWords() }, Object.entries(ACTIONS).map(([name, { label }]) => el("option", { value: name }, label)));
    this.words = el("input", { type: "text", name: "words", autocomplete: "off" });
    this.wordsField = el("label", { class: "option" }, el("span", {}, "With"), this.words);
    const act = el(
      "form",
      { class: "act", submit: (event) => { event.preventDefault(); this.act(); } },
      el("label", { class: "option" }, el("span", {}, "Element"), this.index),
      el("label", { class: "option" }, el("span", {}, "Do"), this.action),
      this.wordsField,
      el("button", { type: "submit", class: "small" }, "Go"),
    );
    this.showWords();
    const button = (text, ...step) => smallButton(text, () => this.step(text, ...step));
    const bar = el(
      "div",
      { class: "row", role: "group", "aria-label": "Actions on the page" },
      button("Back", "/back"),
      button("Scroll down", "/scroll", { direction: "down" }),
      button("Scroll up", "/scroll", { direction: "up" }),
      button("Press Enter", "/press", { key: "Enter" }),
      button("New snapshot", "/read"),
      smallButton("Close the session", () => this.close()),
    );
    this.view = el(
      "div",
      { class: "browsing" },
      el("div", { class: "screen" }, this.head, bar, this.status, this.trouble, this.canvas, act, el("p", { class: "fine" }, "Click on the picture to click on the page. A field that you click can be typed into at once.")),
      el("div", { class: "work" }, this.text, this.parts, this.news),
    );
    return this.view;
  }

  /** Show the field for words only where the action takes some. */
  showWords() {
    const { text } = ACTIONS[this.action.value];
    this.wordsField.hidden = !text;
    this.words.required = text === "option";
  }

  /** Choose an element: a click is done at once, other actions wait for their words. */
  choose(element) {
    this.prepare(element);
    if (this.action.value === "click") this.act();
    else this.words.focus();
  }

  prepare(element) {
    if (element.index !== Number(this.index.value)) this.words.value = "";
    this.index.value = element.index;
    this.action.value = actionOn(element);
    this.setType(element);
    this.words.placeholder = element.name;
    this.showWords();
  }

  /** Follow a number that was changed by hand. */
  changeElement() {
    this.words.value = "";
    this.setType(this.snapshot?.elements.find((element) => element.index === Number(this.index.value)));
  }

  /** Hide the words for a password. Words for another type are deleted, so that no password becomes readable. */
  setType(element) {
    const type = element?.role === "password" ? "password" : "text";
    if (this.words.type !== type) this.words.value = "";
    this.words.type = type;
  }

  act() {
    const { label, path, text, more } = ACTIONS[this.action.value];
    const index = Number(this.index.value);
    return this.step(`${label} ${index}`, path, { index, ...(text ? { [text]: this.words.value } : {}), ...more });
  }

  /** Click the page where its picture was clicked; a field that has the focus then can be typed into. */
  async clickPoint(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.round(((event.clientX - box.left) / box.width) * this.canvas.width);
    const y = Math.round(((event.clientY - box.top) / box.height) * this.canvas.height);
    await this.step(`Click at ${x}, ${y}`, "/click", { point: [x, y] });
    const focused = this.snapshot?.elements.find((element) => element.state.includes("focused"));
    if (!focused || actionOn(focused) === "click") {
      this.leaveField();
      return;
    }
    this.prepare(focused);
    this.words.focus();
  }

  /** Empty the form, so that nothing is typed into the field before. */
  leaveField() {
    this.index.value = "";
    this.action.value = "click";
    this.words.blur();
    this.changeElement();
    this.showWords();
  }

  /** Do one step, and show what came of it; one at a time. */
  async step(words, path, body = {}) {
    if (!this.handle || this.view.hasAttribute("aria-busy")) return;
    this.view.setAttribute("aria-busy", "true");
    this.status.textContent = `${words}…`;
    this.trouble.replaceChildren();
    try {
      const problem = await attempt(async () => {
        const snapshot = await call(`/v1/browse${path}`, { session: this.handle, include: ["elements"], ...body });
        this.take(snapshot);
        this.status.textContent = snapshot.changes.length ? `Changed: ${snapshot.changes.slice(0, 3).join("; ")}` : `${words}: nothing changed.`;
        this.words.value = "";
      }, () => this.step(words, path, body), this.trouble, this.enterKey);
      if (problem) this.status.textContent = "";
      if (problem?.fields.code === "gone") this.handle = null;
    } finally {
      this.view.removeAttribute("aria-busy");
    }
  }

  take(snapshot) {
    this.snapshot = snapshot;
    const elements = new Map(snapshot.elements.map((element) => [element.index, element]));
    this.index.max = Math.max(1, ...elements.keys());
    this.setType(elements.get(Number(this.index.value)));
    show(this.head, el("h2", { class: "title" }, snapshot.title || "Untitled"), el("p", { class: "place" }, link(snapshot.url, {}, snapshot.url)));
    this.text.replaceChildren(...numbered(snapshot.content, elements, (element) => this.choose(element)));
    const part = (number, words) => smallButton(words, () => this.step(words, "/read", { page: number }));
    show(
      this.parts,
      snapshot.page > 1 ? part(snapshot.page - 1, "Previous part") : null,
      snapshot.page < snapshot.pages ? part(snapshot.page + 1, `Next part (${count(snapshot.more)} more elements)`) : null,
    );
    show(this.news, ["dialogs", "tabs", "downloads"].map((name) => list(name, snapshot[name])), warnings("Notes on this page", snapshot.notices));
    this.draw();
  }

  /** Draw the page as it looks; a picture that comes late, or never, stops nothing. */
  async draw() {
    this.drawing?.abort();
    const { signal } = (this.drawing = new AbortController());
    try {
      const bitmap = await createImageBitmap(await file("/v1/browse/screenshot", { session: this.handle }, signal));
      if (signal.aborted) return;
      Object.assign(this.canvas, { width: bitmap.width, height: bitmap.height });
      this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
      this.canvas.setAttribute("aria-label", `A picture of ${this.snapshot.title || "the page"}`);
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

/** Return the action that most people want on an element. */
function actionOn({ role }) {
  if (TYPED.has(role)) return "type";
  return CHOSEN.has(role) ? "select" : "click";
}

/** Return the text of a snapshot as nodes, its numbers as buttons. */
function numbered(content, elements, choose) {
  return content.split(MARKS).map((part) => {
    const element = elements.get(Number(/^\[(\d+)\]$/.exec(part)?.[1]));
    if (element) return el("button", { type: "button", class: "mark", "aria-label": `${element.index}: ${element.role} ${element.name}`.trim(), click: () => choose(element) }, String(element.index));
    return part === "\\[" ? "[" : part;
  });
}

function list(name, lines) {
  if (!lines?.length) return null;
  return el("section", {}, el("h3", {}, name[0].toUpperCase() + name.slice(1)), el("ul", {}, lines.map((line) => el("li", {}, line))));
}
