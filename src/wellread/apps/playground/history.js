/* The history of this browser: the forms that were sent, newest first. The key of the server is never part of it. */

import { el, show, smallButton } from "./dom.js";

const NAME = "wellread.history";
const MAX_ENTRIES = 100;

/** Return the entries, newest first. */
function stored() {
  try {
    const entries = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(entries) ? entries : [];
  } catch {
    return []; // storage is forbidden, or something else wrote there
  }
}

function store(entries) {
  try {
    if (entries.length) localStorage.setItem(NAME, JSON.stringify(entries.slice(0, MAX_ENTRIES)));
    else localStorage.removeItem(NAME);
  } catch {
    // storage is forbidden or full: there is no history
  }
}

function isSame(a, b) {
  return a.tab === b.tab && a.mode === b.mode && a.text === b.text && JSON.stringify(a.options) === JSON.stringify(b.options);
}

/** Add a form that was sent; the same form is there once. */
export function remember(entry) {
  store([{ ...entry, time: Date.now() }, ...stored().filter((other) => !isSame(other, entry))]);
}

/** Return the tab; `open(entry)` fills the form of an entry in again. */
export function history({ open }) {
  const place = el("div", { class: "history" });
  const draw = () => {
    const entries = stored();
    if (!entries.length) {
      show(place, el("p", { class: "notice" }, "Nothing yet. What you ask for is listed here, in this browser only."));
      return;
    }
    const clear = smallButton("Clear the history", () => {
      store([]);
      draw();
    });
    show(
      place,
      el("header", { class: "bar-head" }, el("p", { class: "faint" }, "Stored in this browser only. An entry fills its form in again; send it to see the result."), clear),
      days(entries).map(([day, ofDay]) => el("section", { class: "section" }, el("h2", {}, day), el("ol", { class: "entries" }, ofDay.map((entry) => el("li", {}, line(entry)))))),
    );
  };
  const line = (entry) => [
    el("button", { type: "button", class: "jump", click: () => open(entry) }, String(entry.text)),
    el("span", { class: "badge calm" }, String(entry.name ?? entry.tab)),
    el("span", { class: "faint" }, new Date(entry.time).toLocaleTimeString("en", { timeStyle: "short" })),
    el("button", { type: "button", class: "quiet", "aria-label": `Remove from the history: ${entry.text}`, click: () => { store(stored().filter((other) => !isSame(other, entry))); draw(); } }, "Remove"),
  ];
  draw();
  return { element: el("div", { class: "tab-body" }, place), opened: draw, refresh: () => {}, focus: () => {} };
}

/** Group entries by the day of their time. */
function days(entries) {
  const groups = new Map();
  for (const entry of entries) {
    const day = new Date(entry.time).toLocaleDateString("en", { dateStyle: "full" });
    groups.set(day, [...(groups.get(day) ?? []), entry]);
  }
  return [...groups];
}
