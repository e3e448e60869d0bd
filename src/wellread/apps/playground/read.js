/* The tab that reads one page, or many: each result as it comes. */

import { call, events } from "./api.js";
import { count, counted, el, host, shortAddress, show, withoutAddress } from "./dom.js";
import { examples } from "./examples.js";
import { choice, number, profile, text, toggle } from "./options.js";
import { pageView } from "./page_view.js";
import { panel } from "./panel.js";
import { attempt, failure, skeleton } from "./states.js";

/** Return the tab; `start` stands where the result will be, before anything was read. */
export function read({ enterKey, remember, start }) {
  const options = [
    choice("Format", "format", [["markdown", "markdown"], ["text", "plain text"], ["html", "clean HTML"], ["links", "links only"], ["raw", "source"]]),
    choice("Links in the text", "links", [["inline", "inline"], ["reference", "numbered, at the end"], ["none", "none"]]),
    choice("What to keep", "mode", [["balanced", "balanced"], ["precision", "article only"], ["recall", "also doubtful text"]]),
    choice("Render in a browser", "render", [["auto", "if needed"], ["always", "always"], ["never", "never"]]),
    choice("Scroll", "scroll", [["auto", "as far as needed"], ["all", "to the end (slow)"]]),
    number("Maximum tokens", "max_tokens", 1, 100000, "7,000"),
    text("Only this CSS selector", "selector", { maxlength: 1000, placeholder: "main article" }),
    text("Wait for", "wait", { maxlength: 1000, placeholder: "networkidle" }),
    { ...text("File in an archive", "member", { maxlength: 1000, placeholder: "docs/report.pdf" }), single: true },
    profile(),
    toggle("Images as links", "images"),
    toggle("All links of the page", "include", ["all_links"]),
    toggle("Fetch again", "fresh"),
    toggle("All notices", "all_notices"),
  ];
  return panel({
    tab: "read",
    label: "Addresses of pages, PDFs or feeds",
    field: { name: "url", placeholder: "https://example.com/page", maxlength: 8000, inputmode: "url", autocapitalize: "none", multiline: true },
    modes: [
      {
        name: "read",
        label: "Read",
        operation: "web_read",
        called: (urls) => (urls.length > 1 ? "web_read_many" : "web_read"),
        path: "/v1/read",
        options,
        submit: "Read",
        busyText: "Reading",
        body: (urls, chosen) => (urls.length > 1 ? { urls, ...chosen } : { url: urls[0] ?? "", ...chosen }),
        ask: (body, place, signal) => (body.urls ? readMany(body, place, signal, enterKey) : readOne(body, place, signal)),
      },
    ],
    intro: "Any page as clean text, with its metadata, the confidence of the reading, and warnings where text is missing.",
    examples: examples.read,
    start,
    enterKey,
    remember,
  });
}

async function readOne(body, place, signal) {
  show(place, el("div", { class: "page" }, skeleton(12)));
  const page = await call("/v1/read", body, signal);
  show(place, pageView(page, body));
  return `${counted(page.word_count, "word")}${page.truncated ? ", more follow" : ""}`;
}

async function readMany(body, place, signal, enterKey) {
  const list = el("ol", { class: "pages", "aria-label": "Pages" });
  const waiting = skeleton(4);
  show(place, list, waiting);
  for await (const [name, result] of events("/v1/read", body, signal)) {
    if (name === "result") list.append(el("li", {}, pageEntry(result, body, enterKey)));
    else if (name === "done") {
      waiting.remove();
      return `${counted(result.count - result.failed, "page")}${result.failed ? `, ${count(result.failed)} failed` : ""}`;
    }
  }
}

/** Return a page that opens when its line is chosen, or why there is none. */
function pageEntry({ url, page, error }, body, enterKey) {
  if (!page) {
    const box = el("details", { class: "card entry bad" }, el("summary", {}, el("strong", {}, shortAddress(url)), el("span", { class: "faint" }, `${withoutAddress(error.message, url)} (${error.code})`)));
    const place = el("div");
    const again = () => attempt(async () => {
      const { urls, ...shared } = body;
      const next = await call("/v1/read", { url, ...shared });
      box.parentElement.replaceChildren(pageEntry({ url, page: next, error: null }, body, enterKey));
    }, again, place, enterKey);
    show(place, failure({ fields: { ...error, detail: error.message } }, again, enterKey));
    box.append(place);
    return box;
  }
  const state = page.complete ? "complete" : counted(page.notices.length, "warning");
  const box = el("details", { class: "card entry" }, el("summary", {}, el("strong", {}, page.title || url), el("span", { class: "faint" }, `${host(page.final_url)} · ${counted(page.word_count, "word")} · ${state}`)));
  box.addEventListener("toggle", () => box.append(pageView(page, body)), { once: true });
  return box;
}
