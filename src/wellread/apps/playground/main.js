/* Joins the page: its tabs, the theme, the key. A new operation is one more entry in `tabs`. */

import { key, useKey } from "./api.js";
import { browse } from "./browse.js";
import { el } from "./dom.js";
import { gather } from "./gather.js";
import { read } from "./read.js";
import { search } from "./search.js";
import { sheet } from "./sheet.js";

const open = sheet();
const reader = read({ enterKey });
const readHere = (url) => {
  choose("read");
  reader.take(url);
};
const tabs = [
  { name: "search", title: "Search", ...search({ enterKey, read: readHere }) },
  { name: "read", title: "Read", ...reader },
  { name: "gather", title: "Gather", ...gather({ enterKey, open, read: readHere }) },
  { name: "browse", title: "Browse", ...browse({ enterKey }) },
];

const main = document.getElementById("panels");
const list = document.querySelector("[role=tablist]");
for (const tab of tabs) {
  tab.button = el("button", { type: "button", role: "tab", id: `tab-${tab.name}`, "aria-controls": `panel-${tab.name}`, click: () => choose(tab.name) }, tab.title);
  tab.panel = el("section", { role: "tabpanel", id: `panel-${tab.name}`, "aria-labelledby": `tab-${tab.name}` }, tab.element);
  list.append(tab.button);
  main.append(tab.panel);
}

/** Show one tab; the address keeps which, and never starts anything. */
function choose(name, { focus = false } = {}) {
  const chosen = tabs.find((tab) => tab.name === name) ?? tabs[0];
  for (const tab of tabs) {
    const on = tab === chosen;
    tab.button.setAttribute("aria-selected", String(on));
    tab.button.tabIndex = on ? 0 : -1;
    tab.panel.hidden = !on;
  }
  document.title = `${chosen.title} · wellread playground`;
  if (location.hash !== `#${chosen.name}`) history.pushState(null, "", `#${chosen.name}`);
  if (focus) chosen.button.focus();
  return chosen;
}

list.addEventListener("keydown", (event) => {
  const at = tabs.findIndex((tab) => tab.button === document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  choose(tabs[(to + tabs.length) % tabs.length].name, { focus: true });
});
addEventListener("popstate", () => {
  const name = location.hash.slice(1);
  if (tabs.some((tab) => tab.name === name)) choose(name);
});
addEventListener("keydown", (event) => {
  const writing = /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  tabs.find((tab) => !tab.panel.hidden).focus();
});
history.replaceState(null, "", `#${choose(location.hash.slice(1)).name}`);

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
    // the theme lasts as long as the page, then
  }
});

const keyButton = document.getElementById("key");
const keyInput = el("input", { type: "password", name: "key", autocomplete: "off", spellcheck: "false", placeholder: "wr_…" });
let afterwards = null;
const keyForm = el(
  "form",
  { method: "dialog", submit: () => { useKey(keyInput.value); told(); afterwards?.(); } },
  el("h2", {}, "Key of this server"),
  el("p", {}, "Needed only if the server requires a key. The key is stored until this tab is closed, and is sent only to this server."),
  el("label", { class: "field" }, el("span", {}, "Key"), keyInput),
  el("div", { class: "row" }, el("button", { type: "submit", class: "primary" }, "Use it"), el("button", { type: "button", click: () => { keyInput.value = ""; useKey(""); told(); keyDialog.close(); } }, "Forget it")),
);
const keyDialog = el("dialog", { class: "small-dialog", "aria-label": "Key of this server" }, keyForm);
document.body.append(keyDialog);

function told() {
  keyButton.textContent = key() ? "Key: set" : "Key";
  for (const tab of tabs) tab.refresh();
}
function enterKey(then) {
  afterwards = then ?? null;
  keyInput.value = key();
  keyDialog.showModal();
}
keyButton.addEventListener("click", () => enterKey(null));
told();
