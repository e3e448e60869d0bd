/* The tab that searches the web, and the one that searches the local index: hits with the words marked. */

import { call } from "./api.js";
import { counted, duration, el, host, link, show, smallButton, units } from "./dom.js";
import { examples } from "./examples.js";
import { choice, number, text } from "./options.js";
import { oneField, panel } from "./panel.js";
import { skeleton } from "./states.js";

/** Return the tab; `read(url)` reads a hit in its tab. */
export function search({ enterKey, remember, read }) {
  return panel({
    tab: "search",
    label: "Search the web",
    field: { name: "query", placeholder: "a few words", maxlength: 1000 },
    modes: [
      {
        name: "search",
        label: "Search",
        operation: "web_search",
        path: "/v1/search",
        options: [
          number("Results", "count", 1, 50, "10"),
          choice("Not older than", "freshness", [["", "any age"], ["day", "a day"], ["week", "a week"], ["month", "a month"], ["year", "a year"]]),
          text("Country", "region", { pattern: "[A-Za-z]{2}", maxlength: 2, placeholder: "US", title: "two letters" }),
        ],
        submit: "Search",
        busyText: "Searching",
        body: oneField("query"),
        ask: (body, place, signal) => showHits(body, place, signal, read),
      },
    ],
    intro: "Hits of the configured search services, and how each service ended.",
    examples: examples.search,
    enterKey,
    remember,
  });
}

/** Search, show the hits in `place`, and return their number in words. */
export async function showHits(body, place, signal, read) {
  show(place, skeleton(8));
  const result = await call("/v1/search", body, signal);
  show(place, outcomes(result), ignored(result), hits(result.hits, read));
  return counted(result.hits.length, "hit");
}

/** Return how each service ended, as a line of marks. */
export function outcomes(result) {
  const kinds = { ok: "good", no_results: "" };
  return el(
    "ul",
    { class: "outcomes", "aria-label": "Search services" },
    result.outcomes.map((outcome) =>
      el(
        "li",
        { class: kinds[outcome.code] ?? "bad" },
        el("strong", {}, outcome.provider),
        ` ${outcome.code.replaceAll("_", " ")} · ${counted(outcome.count, "hit")} · ${duration(outcome.elapsed_ms)}`,
        outcome.detail ? el("span", { class: "faint" }, ` ${outcome.detail}`) : null,
      ),
    ),
  );
}

function ignored(result) {
  if (!result.ignored_filters?.length) return null;
  return el("p", { class: "notice" }, `Not supported by these services: ${result.ignored_filters.join(", ")}.`);
}

function hits(all, read) {
  if (!all.length) return el("p", { class: "notice" }, "No hits. The line above shows how each service ended.");
  return el("ol", { class: "hits" }, all.map((hit) => el("li", {}, hitView(hit, read))));
}

function hitView(hit, read) {
  const title = hit.title || hit.url;
  return el(
    "article",
    {},
    el("p", { class: "place" }, host(hit.url), hit.published_date ? ` · ${hit.published_date.slice(0, 10)}` : "", hit.source ? ` · ${hit.source}` : ""),
    el("h2", {}, link(hit.url, {}, title)),
    el("p", {}, marked(hit.snippet ?? "", hit.marks ?? [])),
    smallButton("Read here", () => read(hit.url), { "aria-label": `Read here: ${title}` }),
  );
}

function marked(snippet, marks) {
  const nodes = [];
  let offset = 0;
  for (const [start, end] of marks) {
    const from = units(snippet, start);
    const to = units(snippet, end);
    if (from < offset || to > snippet.length) continue;
    nodes.push(snippet.slice(offset, from), el("mark", {}, snippet.slice(from, to)));
    offset = to;
  }
  return [...nodes, snippet.slice(offset)];
}
