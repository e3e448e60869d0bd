/* The tab that searches: hits with the words that were asked for, and how each service ended. */

import { call } from "./api.js";
import { count, duration, el, host, link, show, units } from "./dom.js";
import { examples } from "./examples.js";
import { choice, number, panel, word } from "./panel.js";
import { skeleton } from "./states.js";

/** Return the tab; `read(url)` reads a hit in the other one. */
export function search({ enterKey, read }) {
  return panel({
    operation: "web_search",
    path: "/v1/search",
    field: { name: "query", label: "Search the web for", attributes: { type: "search", placeholder: "a few words", maxlength: 1000 } },
    options: [
      number("Results", "count", 1, 50, "10"),
      choice("Not older than", "freshness", [["", "any age"], ["day", "a day"], ["week", "a week"], ["month", "a month"], ["year", "a year"]]),
      word("Country", "region", { pattern: "[A-Za-z]{2}", maxlength: 2, placeholder: "US", size: 3, title: "two letters" }),
    ],
    submit: "Search",
    doing: "Searching",
    words: "Hits of the configured services, and the outcome of each service.",
    examples: examples.search,
    enterKey,
    ask: async (given, place, signal) => {
      show(place, skeleton(8));
      const found = await call("/v1/search", given, signal);
      show(place, outcomes(found), ignored(found), hits(found.hits, read));
      return `${count(found.hits.length)} ${found.hits.length === 1 ? "hit" : "hits"}`;
    },
  });
}

/** Return how each service ended, as a line of marks. */
export function outcomes(found) {
  return el(
    "ul",
    { class: "outcomes", "aria-label": "Search services" },
    found.outcomes.map((each) =>
      el(
        "li",
        { class: each.code === "ok" ? "good" : each.code === "no_results" ? "" : "bad" },
        el("strong", {}, each.provider),
        ` ${each.code.replaceAll("_", " ")} · ${count(each.count)} · ${duration(each.elapsed_ms)}`,
        each.detail ? el("span", { class: "faint" }, ` ${each.detail}`) : null,
      ),
    ),
  );
}

function ignored(found) {
  if (!found.ignored_filters?.length) return null;
  return el("p", { class: "notice" }, `Not supported by these services: ${found.ignored_filters.join(", ")}.`);
}

function hits(all, read) {
  if (!all.length) return el("p", { class: "notice" }, "No hits. The outcomes above show why.");
  return el("ol", { class: "hits" }, all.map((hit) => el("li", { class: "card" }, one(hit, read))));
}

function one(hit, read) {
  return el(
    "article",
    {},
    el("p", { class: "place" }, host(hit.url), hit.published_date ? ` · ${hit.published_date.slice(0, 10)}` : "", hit.source ? ` · ${hit.source}` : ""),
    el("h2", {}, link(hit.url, {}, hit.title || hit.url)),
    el("p", {}, marked(hit.snippet ?? "", hit.marks ?? [])),
    el("button", { type: "button", class: "small", "aria-label": `Read here: ${hit.title || hit.url}`, click: () => read(hit.url) }, "Read here"),
  );
}

function marked(text, marks) {
  const told = [];
  let at = 0;
  for (const [start, end] of marks) {
    const from = units(text, start);
    const to = units(text, end);
    if (from < at || to > text.length) continue;
    told.push(text.slice(at, from), el("mark", {}, text.slice(from, to)));
    at = to;
  }
  return [...told, text.slice(at)];
}
