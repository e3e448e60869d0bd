/* A citation in its place: the page is read, and the cited characters are marked, if it still is the cited snapshot. */

import { call } from "./api.js";
import { count, el, link, show, units } from "./dom.js";
import { markdown } from "./markdown.js";
import { skeleton } from "./states.js";

const PIECE = 200_000;
const MAX_PIECES = 10;

/** Return a function that shows a passage in its page, read with `profile`, beside the result. */
export function sheet() {
  const place = el("div", { class: "sheet-body", tabindex: "0", role: "group", "aria-label": "The page" });
  const head = el("div", { class: "sheet-head" });
  const close = el("button", { type: "button", class: "small", click: () => dialog.close() }, "Close");
  const dialog = el("dialog", { class: "sheet", "aria-label": "The passage in its page" }, el("div", { class: "sheet-bar" }, head, close), place);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  let controller = null;
  dialog.addEventListener("close", () => controller?.abort());
  return async (passage, profile) => {
    controller?.abort();
    controller = new AbortController();
    const { signal } = controller;
    heading(head, passage, "Reading the page…", "");
    show(place, skeleton(10));
    dialog.showModal();
    try {
      const located = await find(passage, profile, signal);
      heading(head, passage, ...located.words);
      show(place, el("div", { class: "text" }, markdown(located.text, { mark: located.mark, top: 3 })));
      place.querySelector("mark")?.scrollIntoView({ block: "center" });
    } catch (error) {
      if (error.name === "AbortError") return;
      heading(head, passage, `${error.fields?.code ?? "error"}: ${error.message} ${error.fields?.hint ?? ""}`, "bad");
      show(place, el("p", { class: "card" }, passage.text));
    }
  };
}

function heading(head, passage, words, kind) {
  show(
    head,
    el("h2", {}, passage.title || passage.url),
    el("p", { class: "place" }, link(passage.url, {}, passage.url)),
    el("p", { class: `verdict ${kind}`, role: "status" }, words),
  );
}

/** Return the piece of the page with the passage in it, where to mark it, and whether the citation holds. */
async function find(passage, profile, signal) {
  const options = { url: passage.url, max_length: PIECE, ...(profile ? { profile } : {}) };
  let page = await call("/v1/read", options, signal);
  for (let pieces = 1; pieces < MAX_PIECES && page.cursor && passage.start >= page.start + [...page.text].length; pieces += 1) {
    page = await call("/v1/read", { ...options, cursor: page.cursor }, signal);
  }
  const { text } = page;
  if (page.snapshot_id === passage.snapshot_id && passage.start >= page.start) {
    const from = units(text, passage.start - page.start);
    const to = units(text, passage.end - page.start);
    if (text.slice(from, to) === passage.text) {
      return { text, mark: [from, to], words: [`The citation is verified: characters ${count(passage.start)} to ${count(passage.end)} of the snapshot.`, "good"] };
    }
  }
  const again = text.indexOf(passage.text);
  if (again < 0) return { text, mark: null, words: ["The page has changed: these words are no longer in this place.", "bad"] };
  return { text, mark: [again, again + passage.text.length], words: ["The page has changed since it was cited; the words are still there.", "warn"] };
}
