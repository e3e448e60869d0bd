/* Markdown, as wellread prints it, to nodes. Each text node knows where it stands in the source, so that a cited
   passage can be marked by its offsets. No markup of the page's own is ever parsed as markup. */

import { el } from "./dom.js";
import { inline } from "./inline.js";

const DEEPEST = 30;
const BULLET = /^([-*]) (?=\S)/;
const NUMBER = /^(\d{1,9})[.)] (?=\S)/;
const NOTE = /^\[\^([^\]\s]{1,60})\]: /;
const RULE = /^\|(?: --- \|)+$/;

/** Return the nodes of `source`; what stands in `mark`, [from, to) in UTF-16 units, is marked; headings begin at `top`. */
export function markdown(source, { mark = null, top = 2 } = {}) {
  const lines = [];
  let at = 0;
  for (const text of source.split("\n")) {
    lines.push({ text, at });
    at += text.length + 1;
  }
  const place = document.createDocumentFragment();
  blocks(place, lines, { mark, depth: 0, top, last: { level: top - 1 } });
  return place;
}

function blocks(place, lines, told) {
  let at = 0;
  while (at < lines.length) {
    const text = lines[at].text;
    if (!text.trim()) at += 1;
    else if (text.startsWith("```")) at = fenced(place, lines, at, told);
    else if (/^#{1,6} /.test(text)) at = heading(place, lines, at, told);
    else if (text === "---") at = place.append(el("hr")) ?? at + 1;
    else if (told.depth < DEEPEST && text.startsWith(">")) at = quote(place, lines, at, told);
    else if (told.depth < DEEPEST && item(text)) at = list(place, lines, at, told);
    else if (NOTE.test(text)) at = note(place, lines, at, told);
    else if (text.startsWith("| ") && RULE.test(lines[at + 1]?.text ?? "")) at = table(place, lines, at, told);
    else at = paragraph(place, lines, at, told);
  }
}

function item(text) {
  return BULLET.exec(text) ?? NUMBER.exec(text);
}

function begins(lines, at, told) {
  const text = lines[at].text;
  const inside = told.depth < DEEPEST && (text.startsWith(">") || item(text));
  return /^(?:```|#{1,6} )/.test(text) || text === "---" || inside || (text.startsWith("| ") && RULE.test(lines[at + 1]?.text ?? ""));
}

/** Return `line` without its first `length` characters. */
function cut(line, length) {
  return { text: line.text.slice(length), at: line.at + length };
}

function paragraph(place, lines, at, told) {
  let end = at + 1;
  while (end < lines.length && lines[end].text.trim() && !begins(lines, end, told)) end += 1;
  const made = el("p");
  words(made, lines.slice(at, end), told);
  place.append(made);
  return end;
}

function heading(place, lines, at, told) {
  const level = lines[at].text.indexOf(" ");
  // Pages skip levels; what a screen reader is told does not.
  const shown = Math.min(level + told.top - 1, told.last.level + 1, 6);
  told.last.level = shown;
  const made = el(`h${shown}`, { "data-level": String(level), tabindex: "-1" });
  words(made, [cut(lines[at], level + 1)], told);
  place.append(made);
  return at + 1;
}

function fenced(place, lines, at, told) {
  const fence = /^`+/.exec(lines[at].text)[0];
  let end = at + 1;
  while (end < lines.length && lines[end].text !== fence) end += 1;
  const code = el("code");
  for (const line of lines.slice(at + 1, end)) code.append(...painted(line.text, line.at, told.mark), "\n");
  const language = lines[at].text.slice(fence.length).slice(0, 30);
  place.append(el("pre", { tabindex: "0", role: "group", "aria-label": `Code ${language}`.trim() }, code));
  return end + 1;
}

function quote(place, lines, at, told) {
  let end = at;
  while (end < lines.length && lines[end].text.startsWith(">")) end += 1;
  const made = el("blockquote");
  const inside = lines.slice(at, end).map((line) => cut(line, line.text[1] === " " ? 2 : 1));
  blocks(made, inside, { ...told, depth: told.depth + 1 });
  place.append(made);
  return end;
}

function list(place, lines, at, told) {
  const bullet = BULLET.exec(lines[at].text);
  const same = bullet ? BULLET : NUMBER;
  const made = bullet ? el("ul") : el("ol", { start: NUMBER.exec(lines[at].text)[1] });
  while (at < lines.length) {
    const found = same.exec(lines[at].text);
    if (!found || (bullet && found[1] !== bullet[1])) break;
    const width = found[0].length;
    const inside = [cut(lines[at], width)];
    at = indented(lines, at + 1, width, inside);
    const entry = el("li");
    blocks(entry, inside, { ...told, depth: told.depth + 1 });
    if (entry.firstElementChild?.tagName === "P") entry.firstElementChild.replaceWith(...entry.firstElementChild.childNodes);
    made.append(entry);
  }
  place.append(made);
  return at;
}

/** Add to `inside` the lines from `at` on that stand `width` further right, and return where they end. */
function indented(lines, at, width, inside) {
  const margin = " ".repeat(width);
  let end = at;
  for (let next = at; next < lines.length; next += 1) {
    const text = lines[next].text;
    if (text.trim() && !text.startsWith(margin)) break;
    if (text.trim()) end = next + 1;
  }
  for (const line of lines.slice(at, end)) inside.push(cut(line, Math.min(width, line.text.length)));
  while (end < lines.length && !lines[end].text.trim()) end += 1;
  return end;
}

function note(place, lines, at, told) {
  const found = NOTE.exec(lines[at].text);
  const inside = [cut(lines[at], found[0].length)];
  const end = indented(lines, at + 1, 4, inside);
  const made = el("div", { class: "note" }, el("sup", {}, found[1]));
  blocks(made, inside, { ...told, depth: told.depth + 1 });
  place.append(made);
  return end;
}

function table(place, lines, at, told) {
  let end = at + 2;
  while (end < lines.length && lines[end].text.startsWith("| ")) end += 1;
  const head = el("thead", {}, row(lines[at], "th", told));
  const body = el("tbody", {}, lines.slice(at + 2, end).map((line) => row(line, "td", told)));
  place.append(el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", {}, head, body)));
  return end;
}

function row(line, tag, told) {
  const made = el("tr");
  let from = 2;
  for (let at = 2; at < line.text.length; at += 1) {
    if (line.text[at] === "\\") at += 1;
    else if (line.text[at] === "|") {
      const cell = el(tag, tag === "th" ? { scope: "col" } : {});
      words(cell, [{ text: line.text.slice(from, at - 1), at: line.at + from }], told);
      made.append(cell);
      from = at + 2;
    }
  }
  return made;
}

/** Append the words of some lines, which are read as one. */
function words(place, lines, told) {
  const starts = [];
  let joined = "";
  for (const line of lines) {
    const text = line.text.replace(/ {2}$/, "");
    starts.push([joined.length, line.at]);
    joined += (starts.length > 1 ? "\n" : "") + text;
    if (starts.length > 1) starts[starts.length - 1][0] += 1;
  }
  let current = 0;
  inline(place, joined, (text, at) => {
    while (current + 1 < starts.length && starts[current + 1][0] <= at) current += 1;
    return painted(text, at - starts[current][0] + starts[current][1], told.mark);
  });
}

/** Return text that stands at `at` in the source as nodes, what is marked apart from the rest. */
function painted(text, at, mark) {
  if (!text) return [];
  if (!mark || at >= mark[1] || at + text.length <= mark[0]) return [text];
  const from = Math.max(mark[0] - at, 0);
  const to = Math.min(mark[1] - at, text.length);
  return [text.slice(0, from), el("mark", {}, text.slice(from, to)), text.slice(to)].filter(Boolean);
}
