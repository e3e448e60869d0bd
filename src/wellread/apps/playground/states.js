/* What stands where an answer will be: nothing yet, work under way, or why there is none. */

import { duration, el, show } from "./dom.js";
import { Problem } from "./api.js";

/** Return what is shown before anything was asked; each example is a button that asks it. */
export function empty(words, examples, take) {
  const buttons = examples.map((each) => el("button", { type: "button", class: "chip", click: () => take(each) }, each));
  return el("div", { class: "empty" }, el("p", {}, words), el("div", { class: "chips" }, buttons));
}

/** Return bars where text will be. */
export function skeleton(lines = 6) {
  const bars = Array.from({ length: lines }, (_, at) => el("div", { class: `bar-${at % 3}` }));
  return el("div", { class: "skeleton", "aria-hidden": "true" }, bars);
}

/** Return a failure with what would help; `again` asks once more, `enterKey` asks for a key first. */
export function failure(problem, again, enterKey) {
  const { code, detail, hint, request_id: request, retry_after: wait } = problem.fields;
  const needsKey = code === "unauthorized";
  const button = needsKey
    ? el("button", { type: "button", class: "primary", click: () => enterKey(again) }, "Enter a key")
    : el("button", { type: "button", click: again }, wait ? `Try again (the server asks to wait ${wait} s)` : "Try again");
  return el(
    "section",
    { class: "card problem", role: "alert" },
    el("h2", {}, el("code", {}, String(code ?? "error")), " "),
    el("p", {}, String(detail ?? "")),
    hint ? el("p", { class: "hint" }, el("strong", {}, "Hint: "), String(hint)) : null,
    el("div", { class: "row" }, needsKey || problem.fields.retryable ? button : null),
    request ? el("p", { class: "faint" }, `request ${request}`) : null,
  );
}

/** Do one thing at a time: a run takes the place of the one before, and tells its time in `status`. */
export class Runner {
  constructor({ submit, status, place, enterKey }) {
    Object.assign(this, { submit, status, place, enterKey, controller: null });
    this.label = submit.textContent;
  }

  get busy() {
    return this.controller !== null;
  }

  cancel() {
    this.controller?.abort();
  }

  /** Run `work(signal)`; `words` says what is being done, and `again` is what trying again means. */
  async run(words, work, again) {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    this.submit.textContent = "Stop";
    this.submit.classList.add("stops");
    this.place.setAttribute("aria-busy", "true");
    this.status.textContent = `${words}…`;
    const began = performance.now();
    const mine = () => this.controller === controller;
    try {
      const said = await work(controller.signal);
      if (mine()) this.status.textContent = `${said} · ${duration(performance.now() - began)}`;
    } catch (error) {
      if (mine()) this.fail(error, again);
    } finally {
      if (mine()) {
        this.controller = null;
        this.submit.textContent = this.label;
        this.submit.classList.remove("stops");
        this.place.removeAttribute("aria-busy");
      }
    }
  }

  fail(error, again) {
    if (error.name === "AbortError") {
      this.status.textContent = "Stopped.";
      for (const each of this.place.querySelectorAll(".skeleton")) each.remove();
      return;
    }
    if (!(error instanceof Problem)) throw error;
    this.status.textContent = "";
    show(this.place, failure(error, again, this.enterKey));
  }
}
