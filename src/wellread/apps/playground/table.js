/* Tables of records, and the same records as CSV. */

import { el, saveFile } from "./dom.js";

/** The places in a cell where text begins that a spreadsheet would run: some part cells at semicolons, tabs and line breaks, too. */
const FORMULA = /(?:^|(?<=[;\t\r\n\v\f\x85\u2028\u2029]))(?=[ \x00-\x08\x0e-\x1f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]*[-=+@\uff1d\uff0b\uff20\uff0d])(?![+-][\d.,]{1,40}(?:[;\t\r\n\v\f\x85\u2028\u2029]|$))/g;

/** Return a table in a box that scrolls sideways. A cell is text or a node; a heading of a row is its first cell. */
export function table(label, columns, rows) {
  const head = columns.length ? el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col" }, column)))) : null;
  const body = el("tbody", {}, rows.map((cells) => row(cells)));
  return el("div", { class: "grid", tabindex: "0", role: "group", "aria-label": label }, el("table", {}, head, body));
}

/** Return one row. */
export function row(cells) {
  return el("tr", {}, cells.map((cell) => el("td", {}, cell)));
}

/** Return rows as CSV (RFC 4180). An apostrophe is set before text that a spreadsheet would run as a formula. */
export function csv(rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    const safe = text.replace(FORMULA, "'");
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** Save rows as a CSV file. */
export function saveCsv(name, rows) {
  saveFile(name, new Blob([csv(rows)], { type: "text/csv" }));
}

/** Save a value as a JSON file. */
export function saveJson(name, value) {
  saveFile(name, new Blob([JSON.stringify(value, null, 2) + "\n"], { type: "application/json" }));
}
