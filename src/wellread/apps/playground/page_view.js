/* A page that was read: its text, the warnings below it, and beside it what is known of it. */

import { call } from "./api.js";
import { copy, count, duration, el, foldable, link, show, smallButton } from "./dom.js";
import { markdown } from "./markdown.js";
import { warnings } from "./states.js";
import { table } from "./table.js";

/** Return the view of a page; `body` are the arguments that it was read with. */
export function pageView(page, body) {
  const text = el("div", { class: "text", lang: page.language || null });
  const head = el("div", { class: "head" });
  const outline = el("nav", { class: "outline", "aria-label": "Outline" });
  const pieces = [page.text];
  const sourceButton = smallButton("Show source", () => toggleSource(), { "aria-pressed": "false" });
  const copyButton = smallButton("Copy text", () => copy(pieces.join(""), copyButton));
  let showsSource = page.format !== "markdown";
  const draw = () => {
    const begins = beginsWithTitle(page) && !showsSource;
    show(head, heading(page, begins));
    show(text, showsSource ? el("pre", { class: "raw", tabindex: "0", role: "group", "aria-label": "Source" }, pieces.join("")) : pieces.map((piece) => markdown(piece, { top: begins ? 2 : 3 })));
    show(outline, showsSource ? null : headings(text));
  };
  const toggleSource = () => {
    showsSource = !showsSource;
    sourceButton.setAttribute("aria-pressed", String(showsSource));
    draw();
  };
  draw();
  const more = el("div", { class: "more" });
  show(more, nextPiece(page, body, more, (next) => {
    pieces.push(next.text);
    draw();
  }));
  const tools = el("div", { class: "row" }, page.format === "markdown" ? sourceButton : null, copyButton);
  return el(
    "div",
    { class: "page" },
    el("article", { class: "reading" }, el("header", {}, head, tools), text, more, below(page), allLinks(page)),
    el("aside", { "aria-label": "About this page" }, about(page), outline),
  );
}

/** Return whether the text begins with the title, so that the title need not be printed twice. */
function beginsWithTitle(page) {
  return page.start === 0 && page.format === "markdown" && page.text.split("\n", 1)[0] === `# ${page.title}`;
}

function heading(page, begins) {
  const facts = [page.byline, page.published_date?.slice(0, 10), page.site_name].filter(Boolean).join(" · ");
  return [
    el("p", { class: "place" }, link(page.final_url, {}, page.final_url)),
    begins ? null : el("h2", { class: "title" }, page.title || "Untitled"),
    facts ? el("p", { class: "faint" }, facts) : null,
  ];
}

/** Return a button for the next piece, as long as there is one; the cursor is bound to the snapshot. */
function nextPiece(page, body, place, add) {
  if (!page.cursor) return null;
  const end = page.start + [...page.text].length;
  const status = el("span", { class: "faint", role: "status" }, `${count(page.total_chars - end)} of ${count(page.total_chars)} characters follow`);
  const limits = {};
  for (const name of ["max_length", "max_tokens"]) if (body[name]) limits[name] = body[name];
  const button = el("button", { type: "button", click: async () => {
    button.disabled = true;
    try {
      const next = await call("/v1/read", { url: page.url, cursor: page.cursor, ...limits, ...(body.profile ? { profile: body.profile } : {}) });
      add(next);
      show(place, nextPiece(next, body, place, add));
    } catch (error) {
      status.textContent = `${error.fields?.code ?? "error"}: ${error.message}`;
      button.disabled = false;
    }
  } }, "Read on");
  return el("div", { class: "row" }, button, status);
}

/** Return the warnings of a page, or that there are none. */
function below(page) {
  const title = page.complete ? "Notes on this text" : "Something is missing";
  return warnings(title, page.notices) ?? el("p", { class: "fine" }, "No warnings: as far as wellread can tell, the text is complete.");
}

function allLinks(page) {
  if (!page.all_links?.length) return null;
  const rows = page.all_links.map((entry) => [link(entry.url, {}, entry.text || entry.url), entry.place ?? "", (Array.isArray(entry.rel) ? entry.rel : [entry.rel]).filter(Boolean).join(" ")]);
  return el("section", { class: "section" }, el("h3", {}, `${count(rows.length)} links of the page`), table("Links of the page", ["Link", "Place", "Rel"], rows));
}

function about(page) {
  const confidence = Math.round(page.confidence * 100);
  const rows = [
    ["Kind", page.page_type],
    ["Complete", page.complete ? "yes" : "no: see the warnings below the text"],
    ["Words", count(page.word_count)],
    ["Language", page.language],
    ["Author", page.author],
    ["Published", page.published_date],
    ["Updated", page.modified_date],
    ["Description", page.description],
    ["Canonical", page.canonical_url && page.canonical_url !== page.final_url ? link(page.canonical_url, {}, page.canonical_url) : null],
    ["Media type", page.content_type],
    ["Read by", `${page.extraction_method}${page.rendered ? ", in a browser" : ""}`],
    ["Fetched", page.cached ? "earlier; this is the stored copy" : `${duration(page.fetch_time_ms)}, status ${page.status}`],
    ["Extracted", duration(page.extraction_time_ms)],
    ["Snapshot", el("code", { class: "long" }, page.snapshot_id)],
  ].filter(([, value]) => value);
  return foldable(
    72,
    { class: "card" },
    `${page.page_type}, confidence ${page.confidence.toFixed(2)}`,
    el("label", { class: "sure" }, el("span", {}, "Confidence of the reading"), el("meter", { min: 0, max: 100, low: 50, high: 70, optimum: 100, value: confidence })),
    el("dl", {}, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  );
}

function headings(text) {
  const elements = [...text.querySelectorAll("[data-level]")].slice(0, 60);
  if (elements.length < 2) return null;
  const jump = (element) => () => {
    element.scrollIntoView({ block: "start" });
    element.focus({ preventScroll: true });
  };
  return el(
    "section",
    {},
    el("h3", {}, "On this page"),
    el("ul", {}, elements.map((element) => el("li", { class: `level-${Math.min(Number(element.dataset.level), 4)}` }, el("button", { type: "button", class: "jump", click: jump(element) }, element.textContent)))),
  );
}
