/* The tab of the local index: search it, add pages, and see what is in it. */

import { call } from "./api.js";
import { counted, el, link, shortAddress, show, smallButton } from "./dom.js";
import { examples } from "./examples.js";
import { number } from "./options.js";
import { panel } from "./panel.js";
import { showHits } from "./search.js";
import { attempt } from "./states.js";
import { table } from "./table.js";

/** Return the tab; `read(url)` reads a page in its tab. */
export function localIndex({ enterKey, remember, read }) {
  const pages = el("section", { class: "section" });
  const list = (cursor = null) => attempt(async () => {
    const answer = await call("/v1/index/list", { limit: 50, ...(cursor ? { cursor } : {}) });
    show(pages, pageList(answer));
  }, () => list(cursor), pages, enterKey);
  const remove = (url) => attempt(async () => {
    await call("/v1/index/remove", { url });
    await list();
  }, () => remove(url), pages, enterKey);
  const pageList = (answer) => {
    if (!answer.total) return el("p", { class: "notice" }, "The index is empty. Choose “Add a page” above.");
    const rows = answer.urls.map((url) => [
      el("button", { type: "button", class: "jump", click: () => read(url) }, shortAddress(url)),
      link(url, {}, "Open"),
      smallButton("Remove", () => remove(url), { "aria-label": `Remove ${url}` }),
    ]);
    const more = answer.cursor ? smallButton("Next pages", () => list(answer.cursor)) : null;
    return [el("h2", {}, `${counted(answer.total, "page")} in the index`), table("Pages of the index", ["Page", "Original", "Remove"], rows), more];
  };
  const tab = panel({
    tab: "index",
    label: "Words to find, or an address to add",
    field: { name: "query", placeholder: "a few words", maxlength: 8000 },
    modes: [
      {
        name: "search",
        label: "Search",
        operation: "web_search",
        path: "/v1/search",
        options: [number("Results", "count", 1, 50, "10")],
        submit: "Search",
        busyText: "Searching the index",
        body: (lines, chosen) => ({ query: lines.join(" "), provider: "local", ...chosen }),
        ask: (body, place, signal) => showHits(body, place, signal, read),
      },
      {
        name: "add",
        label: "Add a page",
        operation: "index_add",
        path: "/v1/index/add",
        options: [],
        submit: "Add",
        busyText: "Reading and adding",
        single: true,
        body: (lines) => ({ url: lines[0] ?? "" }),
        ask: async (body, place, signal) => {
          const { url, outcome } = await call("/v1/index/add", body, signal);
          show(place, el("p", { class: "notice" }, `${outcome === "indexed" ? "Added" : "Already there, unchanged"}: `, link(url, {}, shortAddress(url))));
          list();
          return outcome;
        },
      },
    ],
    intro: "A full-text index of pages on this server. Searches and answers use it, and it needs no search service.",
    examples: examples.index,
    enterKey,
    remember,
  });
  tab.element.append(pages);
  return { ...tab, opened: () => { tab.opened(); list(); } };
}
