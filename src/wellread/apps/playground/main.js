/* Joins the page: its tabs, the theme, the key, the keyboard. A new tab is one more entry in `tabs`. */

import { answer } from "./answer.js";
import { key, useKey } from "./api.js";
import { browse } from "./browse.js";
import { crawl } from "./crawl.js";
import { el, icon } from "./dom.js";
import { facts } from "./facts.js";
import { history as historyTab, remember } from "./history.js";
import { localIndex } from "./local_index.js";
import { read } from "./read.js";
import { research } from "./research.js";
import { search } from "./search.js";
import { sheet } from "./sheet.js";
import { start } from "./start.js";
import { watch } from "./watch.js";

const open = sheet();
const shared = { enterKey, remember };
/** Read a page in its tab, with the options of its form, but with those of `chosen`. */
const readHere = (url, chosen = {}) => {
  choose("read");
  reader.take(url, "read", chosen);
};
const reader = read({ ...shared, start: start((task) => choose(task.tab).take(task.text, task.mode)) });
const tabs = [
  { name: "read", title: "Read", path: "M4 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H4zM20 5h-6a2 2 0 0 0-2 2v13a2 2 0 0 1 2-2h6z", ...reader },
  { name: "search", title: "Search", path: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20.5 20.5 16 16", ...search({ ...shared, read: readHere }) },
  { name: "answer", title: "Answer", path: "M4 5h16v11h-9l-5 4v-4H4zM8 9h8M8 12h5", ...answer({ ...shared, open, read: readHere }) },
  { name: "research", title: "Research", path: "M5 4h10l4 4v12H5zM15 4v4h4M8 12h8M8 16h5", ...research({ ...shared, open, read: readHere }) },
  { name: "crawl", title: "Crawl", path: "M10 3h4v4h-4zM3 17h4v4H3zM17 17h4v4h-4zM12 7v5M5 17v-5h14v5", ...crawl({ ...shared, read: readHere }) },
  { name: "facts", title: "Facts", path: "M4 5h16v14H4zM4 10h16M10 10v9", ...facts(shared) },
  { name: "browse", title: "Browse", path: "M3 5h18v14H3zM3 9h18M6 7h.01M9 7h.01", ...browse(shared) },
  { name: "index", title: "Index", path: "M4 7l8-4 8 4-8 4zM4 12l8 4 8-4M4 17l8 4 8-4", ...localIndex({ ...shared, read: readHere }) },
  { name: "watch", title: "Watch", path: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z", ...watch(shared) },
  { name: "history", title: "History", path: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2", ...historyTab({ open: (entry) => { const tab = choose(entry.tab); tab.fill?.(entry); tab.focus(); } }) },
];

const main = document.getElementById("panels");
const list = document.querySelector("[role=tablist]");
for (const [index, tab] of tabs.entries()) {
  tab.button = el("button", { type: "button", role: "tab", id: `tab-${tab.name}`, "aria-controls": `panel-${tab.name}`, "aria-keyshortcuts": `Alt+${(index + 1) % 10}`, click: () => choose(tab.name) }, icon(tab.path), el("span", {}, tab.title));
  tab.panel = el("section", { role: "tabpanel", id: `panel-${tab.name}`, "aria-labelledby": `tab-${tab.name}` }, el("h1", {}, tab.title), tab.element);
  list.append(tab.button);
  main.append(tab.panel);
}
// The tabs stand side by side where the window is narrow.
const narrow = matchMedia("(max-width: 60rem)");
const orient = () => list.setAttribute("aria-orientation", narrow.matches ? "horizontal" : "vertical");
narrow.addEventListener("change", orient);
orient();

/** Show one tab; the address names it, and never starts anything. */
function choose(name, { focus = false } = {}) {
  const chosen = tabs.find((tab) => tab.name === name) ?? tabs[0];
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.button.setAttribute("aria-selected", String(isChosen));
    tab.button.tabIndex = isChosen ? 0 : -1;
    tab.panel.hidden = !isChosen;
  }
  document.title = `${chosen.title} · wellread`;
  if (location.hash !== `#${chosen.name}`) history.pushState(null, "", `#${chosen.name}`);
  chosen.button.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (focus) chosen.button.focus();
  chosen.opened();
  return chosen;
}

function shownTab() {
  return tabs.find((tab) => !tab.panel.hidden);
}

list.addEventListener("keydown", (event) => {
  const current = tabs.findIndex((tab) => tab.button === document.activeElement);
  const next = { ArrowRight: current + 1, ArrowDown: current + 1, ArrowLeft: current - 1, ArrowUp: current - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  choose(tabs[(next + tabs.length) % tabs.length].name, { focus: true });
});
addEventListener("popstate", () => {
  const name = location.hash.slice(1);
  if (tabs.some((tab) => tab.name === name)) choose(name);
});
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey) return;
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  if (event.altKey && digit) {
    event.preventDefault();
    choose(tabs[(Number(digit) + 9) % 10].name, { focus: true });
    return;
  }
  const isWriting = /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || isWriting || event.altKey) return;
  event.preventDefault();
  shownTab().focus();
});

const theme = document.getElementById("theme");
const themes = ["auto", "light", "dark"];
function useTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = `Theme: ${name}`;
}
useTheme(document.documentElement.dataset.theme ?? "auto");
theme.addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % themes.length];
  useTheme(next);
  try {
    localStorage.setItem("wellread.theme", next);
  } catch {
    // storage is forbidden: the theme lasts as long as the page
  }
});

const keyButton = document.getElementById("key");
const keyInput = el("input", { type: "password", name: "key", autocomplete: "off", spellcheck: "false", placeholder: "wr_…" });
let afterwards = null;
const keyForm = el(
  "form",
  { method: "dialog", submit: () => { useKey(keyInput.value); showKey(); shownTab().opened(); afterwards?.(); } },
  el("h2", {}, "Key of this server"),
  el("p", {}, "Needed only if the server requires a key. The key is stored until this tab is closed, and is sent only to this server."),
  el("label", { class: "field" }, el("span", { class: "label" }, "Key"), keyInput),
  el("div", { class: "row" }, el("button", { type: "submit", class: "primary" }, "Use it"), el("button", { type: "button", click: () => { keyInput.value = ""; useKey(""); showKey(); keyDialog.close(); } }, "Forget it")),
);
const keyDialog = el("dialog", { class: "small-dialog", "aria-label": "Key of this server" }, keyForm);
document.body.append(keyDialog);

function showKey() {
  keyButton.textContent = key() ? "API key: set" : "API key";
  for (const tab of tabs) tab.refresh();
}
function enterKey(then) {
  afterwards = then ?? null;
  keyInput.value = key();
  keyDialog.showModal();
}
keyButton.addEventListener("click", () => enterKey(null));
history.replaceState(null, "", `#${choose(location.hash.slice(1)).name}`);
showKey();
