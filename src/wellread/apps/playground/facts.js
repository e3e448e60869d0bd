/* The tab with the facts of pages: what they declare, their tables, and records filled by selectors or a schema. */

import { Problem, call } from "./api.js";
import { count, counted, el, link, saveFile, shortAddress, show, smallButton, web, withoutAddress } from "./dom.js";
import { examples } from "./examples.js";
import { choice, profile, structure, toggle } from "./options.js";
import { panel } from "./panel.js";
import { skeleton, warnings } from "./states.js";
import { saveCsv, saveJson, table } from "./table.js";

const AT_ONCE = 4;
const MAX_COLUMNS = 12;
const ORIGINS = { declared: "declared by the page", table: "a table of the page", selector: "the selector", model: "the language model, cited" };

/** Return the tab. */
export function facts({ enterKey, remember }) {
  const shared = [
    choice("Render in a browser", "render", [["auto", "if needed"], ["always", "always"], ["never", "never"]]),
    profile(),
    toggle("Fetch again", "fresh"),
    toggle("All notices", "all_notices"),
  ];
  const mode = (name, label, options, rest = {}) => ({
    name,
    label,
    operation: "web_facts",
    called: (urls) => (urls.length > 1 ? "web_facts_many" : "web_facts"),
    path: "/v1/facts",
    options: [...options, ...shared],
    submit: "Find facts",
    busyText: "Reading what the page declares",
    body: (urls, chosen) => (urls.length > 1 ? { urls, ...chosen } : { url: urls[0] ?? "", ...chosen }),
    ask: (body, place, signal) => (body.urls ? factsOfMany(body, place, signal) : factsOfOne(body, place, signal)),
    ...rest,
  });
  return panel({
    tab: "facts",
    label: "Addresses of pages",
    field: { name: "url", placeholder: "https://example.com/product", maxlength: 8000, inputmode: "url", autocapitalize: "none", multiline: true },
    modes: [
      mode("all", "Everything", []),
      mode("selectors", "By selectors", [structure("Fields and their CSS selectors", "selectors", "price: .price\nlinks: a@href", parsedLines, printedLines)], { opensOptions: true }),
      mode("schema", "By schema", [structure("Fields and their types, or a JSON Schema", "schema", "name: string\nprice: number", parsedSchema, printedSchema)], { opensOptions: true }),
    ],
    intro: "What a page declares for machines (products, recipes, events, jobs, articles) and its tables, as records to look at or to download. Several pages become one table.",
    examples: examples.facts,
    enterKey,
    remember,
  });
}

async function factsOfOne(body, place, signal) {
  show(place, skeleton(8));
  const result = await call("/v1/facts", body, signal);
  show(place, factsView(result));
  return summary(result);
}

/** Show the facts of several pages as one table that grows, and return the summary. */
async function factsOfMany({ urls, ...shared }, place, signal) {
  const entries = urls.map((url) => ({ url, facts: null, error: null }));
  const waiting = [...entries];
  const work = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      try {
        entry.facts = await call("/v1/facts", { url: entry.url, ...shared }, signal);
      } catch (error) {
        if (!(error instanceof Problem) || error.fields.code === "unauthorized") throw error;
        entry.error = error.fields;
      }
      show(place, tableOfMany(entries));
    }
  };
  show(place, skeleton(8));
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const failures = entries.filter((entry) => entry.error).length;
  return `${counted(urls.length - failures, "page")}${failures ? `, ${count(failures)} failed` : ""}`;
}

function tableOfMany(entries) {
  const rows = entries.filter((entry) => entry.facts).flatMap(({ url, facts }) => factRows(facts).map((cells) => ({ url, title: facts.title, cells: new Map(cells) })));
  const columns = commonColumns(rows);
  const shown = columns.slice(0, MAX_COLUMNS);
  const saveTable = () => saveCsv("facts.csv", [["source", ...columns], ...rows.map(({ url, cells }) => [url, ...columns.map((name) => cells.get(name))])]);
  const saveLines = () => saveFile("facts.jsonl", new Blob(entries.filter((entry) => entry.facts ?? entry.error).map(jsonLine), { type: "application/x-ndjson" }));
  const failures = entries.filter((entry) => entry.error).map(({ url, error }) => el("li", {}, el("span", {}, `${shortAddress(url)}: ${withoutAddress(error.detail, url)} `), el("code", {}, error.code)));
  const progress = `${count(entries.filter((entry) => entry.facts ?? entry.error).length)} of ${counted(entries.length, "page")}`;
  const more = columns.length > shown.length ? ` · ${counted(columns.length - shown.length, "more column")} in the file` : "";
  return el(
    "section",
    { class: "facts" },
    el("header", { class: "bar-head" }, el("div", {}, el("h2", {}, counted(rows.length, "row")), el("p", { class: "faint" }, progress, more)), el("div", { class: "row" }, smallButton("Download CSV", saveTable), smallButton("Download JSONL", saveLines))),
    table("Facts of the pages", ["Page", ...shown], rows.map(({ url, title, cells }) => [pageCell(url, title), ...shown.map((name) => cells.get(name) ?? "")])),
    failures.length ? el("section", { class: "warned" }, el("h3", {}, "Could not be read"), el("ul", {}, failures)) : null,
  );
}

function pageCell(url, title) {
  return [link(url, {}, title || shortAddress(url)), el("span", { class: "faint" }, shortAddress(url))];
}

/** Return the rows of one page as lists of [column, text]: its record, or what it declares. */
function factRows(facts) {
  if (facts.record) return [[...flat(facts.record), ["missing", facts.missing.join(", ")]]];
  if (!facts.items.length) return [[["type", "declares nothing"]]];
  return facts.items.map((item) => [["type", item.type || item.syntax], ...itemRows(item)]);
}

/** Return the columns that have a text in a row, those of most rows first, and `missing` last. */
function commonColumns(rows) {
  const counts = new Map();
  for (const { cells } of rows) for (const [name, text] of cells) if (text) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.has("missing")) counts.set("missing", 0);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function jsonLine({ url, facts, error }) {
  return `${JSON.stringify({ source: url, ...(facts ?? { error: { code: error.code, message: error.detail } }) })}\n`;
}

function summary(result) {
  if (!result.record) return `${counted(result.items.length, "declared item")}, ${counted(result.tables.length, "table")}`;
  return `${counted(Object.keys(result.record).length, "field")} filled${result.missing.length ? `, ${result.missing.length} not found` : ""}`;
}

/** Return lines of `name: text` as an object; JSON stays what it is. */
function parsedLines(source) {
  if (source.trim().startsWith("{")) return JSON.parse(source);
  const fields = {};
  for (const line of source.split("\n").filter((text) => text.trim())) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error("write one field a line, as name: text");
    fields[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return fields;
}

function parsedSchema(source) {
  const fields = parsedLines(source);
  if (source.trim().startsWith("{")) return fields;
  return { properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])) };
}

/** Return fields as lines of `name: text`; as JSON, `source`, where lines would be read as other fields. */
function printedLines(fields, source = fields) {
  const entries = Object.entries(fields);
  const areLines = entries.length && entries.every(([name, text]) => typeof text === "string" && !name.includes(":") && !/\n/.test(name + text));
  return areLines ? entries.map(([name, text]) => `${name}: ${text}`).join("\n") : JSON.stringify(source, null, 2);
}

function printedSchema(schema) {
  const { properties, ...others } = schema;
  if (!properties || Object.keys(others).length) return JSON.stringify(schema, null, 2);
  const types = Object.entries(properties).map(([name, field]) => [name, Object.keys(field ?? {}).length === 1 ? field.type : null]);
  return printedLines(Object.fromEntries(types), schema);
}

function factsView(result) {
  const records = result.record ? recordRows(result).map(([name, value, source]) => [name, value, source?.detail ?? ""]) : result.items.flatMap((item) => itemRows(item).map(([name, value]) => [item.type || item.syntax, name, value]));
  const header = result.record ? ["field", "value", "source"] : ["item", "field", "value"];
  const empty = !result.record && !result.items.length && !result.tables.length;
  return el(
    "section",
    { class: "facts" },
    el(
      "header",
      { class: "bar-head" },
      el("div", {}, el("h2", {}, result.title || "Untitled"), el("p", { class: "place" }, link(result.url, {}, result.url))),
      el("div", { class: "row" }, smallButton("Download CSV", () => saveCsv("facts.csv", [header, ...records])), smallButton("Download JSON", () => saveJson("facts.json", result))),
    ),
    empty ? el("p", { class: "notice" }, "The page declares nothing for machines, and has no tables.") : null,
    result.record ? recordView(result) : result.items.map(itemView),
    result.tables.map(tableView),
    result.missing.length ? el("section", { class: "warned" }, el("h3", {}, "Not found on the page"), el("ul", {}, result.missing.map((name) => el("li", {}, name)))) : null,
    warnings("Notes on these facts", result.notices),
  );
}

function recordView(result) {
  const rows = recordRows(result).map(([name, value, source]) => [el("strong", {}, name), value, sourceView(source)]);
  return table("The record", ["Field", "Value", "Source"], rows);
}

/** Return the fields of a record as [path, text, source]. */
function recordRows(result) {
  const sources = new Map(result.sources.map((source) => [source.field, source]));
  return flat(result.record).map(([name, value]) => [name, value, sources.get(name)]);
}

function sourceView(source) {
  if (!source) return "";
  const words = ORIGINS[source.origin] ?? source.origin;
  return [source.passage ? link(source.passage.fragment_url, {}, words) : words, el("span", { class: "faint" }, source.detail)];
}

function itemView(item) {
  const rows = itemRows(item).map(([name, value]) => [el("strong", {}, name), web(value) ? link(value, {}, value) : value]);
  return el("section", { class: "section" }, el("h3", {}, item.type || "Item", " ", el("span", { class: "badge calm" }, item.syntax.replaceAll("_", " "))), table(item.type || "Item", ["Field", "Value"], rows));
}

function itemRows(item) {
  return flat(item.properties);
}

/** Return the members of a value as [path, text], nested ones by dots. */
function flat(value, path = "") {
  if (value === null || typeof value !== "object") return [[path, String(value ?? "")]];
  if (Array.isArray(value) && value.every((member) => member === null || typeof member !== "object")) return [[path, value.join(", ")]];
  const name = (key) => (path ? `${path}.${key}` : key);
  return Object.entries(value).flatMap(([key, member]) => (key === "@type" ? [] : flat(member, name(key))));
}

function tableView(facts, index) {
  const save = () => saveCsv(`table-${index + 1}.csv`, [...(facts.columns.length ? [facts.columns] : []), ...facts.rows]);
  const name = `Table ${index + 1}${facts.caption ? `: ${facts.caption}` : ""}`;
  return el("section", { class: "section" }, el("header", { class: "bar-head" }, el("h3", {}, name), smallButton("Download CSV", save, { "aria-label": `Download CSV: ${name}` })), table(name, facts.columns, facts.rows));
}
