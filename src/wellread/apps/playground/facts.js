/* The tab with the facts of a page: what it declares, its tables, and records filled by selectors or a schema. */

import { call } from "./api.js";
import { counted, el, link, show, smallButton, web } from "./dom.js";
import { examples } from "./examples.js";
import { profile, structure, toggle } from "./options.js";
import { oneField, panel } from "./panel.js";
import { skeleton, warnings } from "./states.js";
import { saveCsv, saveJson, table } from "./table.js";

const ORIGINS = { declared: "declared by the page", table: "a table of the page", selector: "the selector", model: "the language model, cited" };

/** Return the tab. */
export function facts({ enterKey, remember }) {
  const shared = [profile(), toggle("All notices", "all_notices")];
  const mode = (name, label, options, rest = {}) => ({
    name,
    label,
    operation: "web_facts",
    path: "/v1/facts",
    single: true,
    options: [...options, ...shared],
    submit: "Find facts",
    busyText: "Reading what the page declares",
    body: oneField("url"),
    ask: async (body, place, signal) => {
      show(place, skeleton(8));
      const result = await call("/v1/facts", body, signal);
      show(place, factsView(result));
      return summary(result);
    },
    ...rest,
  });
  return panel({
    tab: "facts",
    label: "Address of a page",
    field: { name: "url", placeholder: "https://example.com/product", maxlength: 8000, inputmode: "url", autocapitalize: "none" },
    modes: [
      mode("all", "Everything", []),
      mode("selectors", "By selectors", [structure("Fields and their CSS selectors", "selectors", "price: .price\nlinks: a@href", parsedLines, printedLines)], { opensOptions: true }),
      mode("schema", "By schema", [structure("Fields and their types, or a JSON Schema", "schema", "name: string\nprice: number", parsedSchema, printedSchema)], { opensOptions: true }),
    ],
    intro: "What a page declares for machines (products, recipes, events, jobs, articles) and its tables, as records to look at or to download.",
    examples: examples.facts,
    enterKey,
    remember,
  });
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
  const name = `Table ${index + 1}`;
  return el("section", { class: "section" }, el("header", { class: "bar-head" }, el("h3", {}, name), smallButton("Download CSV", save, { "aria-label": `Download CSV: ${name}` })), table(name, facts.columns, facts.rows));
}
