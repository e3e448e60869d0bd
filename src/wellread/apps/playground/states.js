/* What stands where a result will be: nothing yet, work under way, or why there is none. */

import { count, duration, el, show } from "./dom.js";
import { Problem } from "./api.js";

/** Return what is shown before anything was asked; each example is a button that asks it: a text, alone or with options. */
export function empty(text, examples, run) {
  const buttons = examples.map((example) => {
    const { text: words, options } = typeof example === "string" ? { text: example } : example;
    return el("button", { type: "button", class: "chip", click: () => run(words, undefined, options) }, words);
  });
  return el("div", { class: "empty" }, el("p", {}, text), el("div", { class: "chips" }, buttons));
}

/** Return bars where text will be. */
export function skeleton(lines = 6) {
  const bars = Array.from({ length: lines }, (_, index) => el("div", { class: `bar-${index % 3}` }));
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
    el("h2", {}, "This did not work: ", el("code", {}, String(code ?? "error"))),
    el("p", {}, String(detail ?? "")),
    hint ? el("p", { class: "hint" }, el("strong", {}, "Hint: "), String(hint)) : null,
    needsKey || problem.fields.retryable ? el("div", { class: "row" }, button) : null,
    request ? el("p", { class: "faint" }, `request ${request}`) : null,
  );
}

/**
 * Do `work()`. Show a Problem in `place`, with a button for `again`, and return it.
 *
 * Returns null if the work ends well or is stopped.
 */
export async function attempt(work, again, place, enterKey) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!(error instanceof Problem)) throw error;
    show(place, failure(error, again, enterKey));
    return error;
  }
  return null;
}

/** Return warnings in words, for the place below a text; null where there are none. */
export function warnings(title, notices) {
  if (!notices?.length) return null;
  const lines = notices.map((notice) => el("li", {}, el("span", {}, sentence(notice.detail), notice.count > 1 && !/\d/.test(notice.detail) ? ` (${count(notice.count)} times)` : ""), " ", el("code", {}, notice.code)));
  return el("section", { class: "warned" }, el("h3", {}, title), el("ul", {}, lines));
}

function sentence(text) {
  const words = String(text ?? "");
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?:]$/.test(words) ? "" : ".");
}

/** Does one thing at a time: a run takes the place of the one before, and its time is shown in `status`. */
export class Runner {
  constructor({ submit, status, place, enterKey }) {
    Object.assign(this, { submit, status, place, enterKey, controller: null, label: submit.textContent });
  }

  get busy() {
    return this.controller !== null;
  }

  cancel() {
    this.controller?.abort();
  }

  /** Name the button, for as long as nothing runs. */
  name(label) {
    this.label = label;
    if (!this.busy) this.submit.textContent = label;
  }

  /** Run `work(signal)`; `busyText` says what is being done, and `again` is what trying again means. */
  async run(busyText, work, again) {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    this.submit.textContent = "Stop";
    this.submit.classList.add("stops");
    this.place.setAttribute("aria-busy", "true");
    this.status.textContent = `${busyText}…`;
    const startTime = performance.now();
    const isCurrent = () => this.controller === controller;
    try {
      const summary = await work(controller.signal);
      if (isCurrent()) this.status.textContent = `${summary} · ${duration(performance.now() - startTime)}`;
    } catch (error) {
      if (isCurrent()) this.fail(error, again);
    } finally {
      if (isCurrent()) {
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
      for (const bars of this.place.querySelectorAll(".skeleton")) bars.remove();
      return;
    }
    if (!(error instanceof Problem)) throw error;
    this.status.textContent = "";
    show(this.place, failure(error, again, this.enterKey));
  }
}
