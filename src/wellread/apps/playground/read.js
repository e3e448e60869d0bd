/* The tab that reads: the page's text beside what is known of it, and what was hidden or is missing. */

import { call } from "./api.js";
import { copy, count, duration, el, foldable, link, show } from "./dom.js";
import { examples } from "./examples.js";
import { markdown } from "./markdown.js";
import { choice, number, panel, toggle } from "./panel.js";
import { skeleton } from "./states.js";

/** Return the tab. */
export function read({ enterKey }) {
  return panel({
    operation: "web_read",
    path: "/v1/read",
    field: { name: "url", label: "Address of a page, PDF or feed", attributes: { type: "text", placeholder: "https://", maxlength: 8000, inputmode: "url", autocapitalize: "none" } },
    options: [
      choice("Keep", "mode", [["", "balanced"], ["precision", "article only"], ["recall", "also doubtful text"]]),
      choice("As", "format", [["", "markdown"], ["text", "plain text"], ["html", "clean HTML"]]),
      number("Maximum characters", "max_length", 1, 200000, "20,000"),
      toggle("Fetch again", "fresh"),
      toggle("All notices", "all_notices"),
    ],
    submit: "Read",
    doing: "Reading",
    words: "Any page as clean text, with its metadata, the confidence of the reading, and the text that was hidden.",
    examples: examples.read,
    enterKey,
    ask: async (given, place, signal) => {
      show(place, el("div", { class: "page" }, skeleton(12)));
      const page = await call("/v1/read", given, signal);
      show(place, whole(page, given));
      return `${count(page.word_count)} words${page.truncated ? ", and more to come" : ""}`;
    },
  });
}

function whole(page, given) {
  const text = el("div", { class: "text", lang: page.language || null });
  const head = el("div", { class: "head" });
  const outline = el("nav", { class: "outline", "aria-label": "Outline" });
  const source = el("button", { type: "button", class: "small", "aria-pressed": "false", click: () => turn() }, "Show source");
  const copying = el("button", { type: "button", class: "small", click: () => copy(pieces.join(""), copying) }, "Copy text");
  const pieces = [page.text];
  let raw = page.format !== "markdown";
  const draw = () => {
    const named = headed(page) && !raw;
    show(head, place(page, named));
    show(text, raw ? el("pre", { class: "raw", tabindex: "0", role: "group", "aria-label": "Source" }, pieces.join("")) : pieces.map((piece) => markdown(piece, { top: named ? 2 : 3 })));
    show(outline, raw ? null : headings(text));
  };
  const turn = () => {
    raw = !raw;
    source.setAttribute("aria-pressed", String(raw));
    draw();
  };
  draw();
  const more = el("div", { class: "more" });
  show(more, onward(page, given, more, (next) => {
    pieces.push(next.text);
    draw();
  }));
  const tools = el("div", { class: "row" }, page.format === "markdown" ? source : null, copying);
  return el(
    "div",
    { class: "page" },
    el("article", { class: "reading" }, el("header", {}, head, tools), text, more),
    el("aside", { "aria-label": "About this page" }, hidden(page), about(page), outline),
  );
}

/** Tell whether the text begins with the title, so that it need not be said twice. */
function headed(page) {
  return page.start === 0 && page.format === "markdown" && page.text.split("\n", 1)[0] === `# ${page.title}`;
}

function place(page, named) {
  return [
    el("p", { class: "place" }, link(page.final_url, {}, page.final_url)),
    named ? null : el("h2", { class: "title" }, page.title || "Untitled"),
    el("p", { class: "faint" }, [page.byline, page.published_date?.slice(0, 10), page.site_name].filter(Boolean).join(" · ")),
  ];
}

/** Return a button for the next piece, as long as there is one; the cursor is bound to the snapshot. */
function onward(page, given, place, add) {
  if (!page.cursor) return null;
  const end = page.start + [...page.text].length;
  const status = el("span", { class: "faint", role: "status" }, `${count(page.total_chars - end)} of ${count(page.total_chars)} characters follow`);
  const button = el("button", { type: "button", click: async () => {
    button.disabled = true;
    try {
      const next = await call("/v1/read", { url: given.url, cursor: page.cursor, ...(given.max_length ? { max_length: given.max_length } : {}) });
      add(next);
      show(place, onward(next, given, place, add));
    } catch (error) {
      status.textContent = `${error.fields?.code ?? "error"}: ${error.message}`;
      button.disabled = false;
    }
  } }, "Read on");
  return el("div", { class: "row" }, button, status);
}

function hidden(page) {
  if (!page.notices.length) return el("section", { class: "card calm" }, el("h3", {}, "No warnings"), el("p", { class: "faint" }, "No missing text is known. Select 'All notices' to see text that was hidden or left out by design."));
  return el(
    "section",
    { class: "card warned" },
    el("h3", {}, "Hidden, missing or cut"),
    el("ul", {}, page.notices.map((each) => el("li", {}, el("code", {}, each.code), each.count > 1 ? ` ×${count(each.count)}` : "", el("span", {}, each.detail)))),
  );
}

function about(page) {
  const sure = Math.round(page.confidence * 100);
  const rows = [
    ["Kind", page.page_type],
    ["Complete", page.complete ? "yes" : "no: see the warnings"],
    ["Words", count(page.word_count)],
    ["Language", page.language],
    ["Author", page.author],
    ["Published", page.published_date],
    ["Updated", page.modified_date],
    ["Description", page.description],
    ["Canonical", page.canonical_url && page.canonical_url !== page.final_url ? link(page.canonical_url, {}, page.canonical_url) : null],
    ["Media type", page.content_type],
    ["Read by", `${page.extraction_method}${page.rendered ? ", in a browser" : ""}`],
    ["Fetched", page.cached ? "earlier; this copy was kept" : `${duration(page.fetch_time_ms)}, status ${page.status}`],
    ["Extracted", duration(page.extraction_time_ms)],
    ["Snapshot", el("code", { class: "long" }, page.snapshot_id)],
  ].filter(([, value]) => value);
  return foldable(
    60,
    { class: "card" },
    `About this page: ${page.page_type}, confidence ${page.confidence.toFixed(2)}`,
    el("label", { class: "sure" }, el("span", {}, "Confidence of the reading"), el("meter", { min: 0, max: 100, low: 50, high: 70, optimum: 100, value: sure })),
    el("dl", {}, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  );
}

function headings(text) {
  const found = [...text.querySelectorAll("[data-level]")].slice(0, 60);
  if (found.length < 2) return null;
  const jump = (heading) => () => {
    heading.scrollIntoView({ block: "start" });
    heading.focus({ preventScroll: true });
  };
  return el(
    "section",
    { class: "card" },
    el("h3", {}, "Outline"),
    el("ul", {}, found.map((heading) => el("li", { class: `level-${Math.min(Number(heading.dataset.level), 4)}` }, el("button", { type: "button", class: "jump", click: jump(heading) }, heading.textContent)))),
  );
}
