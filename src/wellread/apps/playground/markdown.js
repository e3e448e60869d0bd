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

function blocks(place, lines, options) {
  let at = 0;
  while (at < lines.length) {
    const text = lines[at].text;
    if (!text.trim()) at += 1;
    else if (text.startsWith("```")) at = fenced(place, lines, at, options);
    else if (/^#{1,6} /.test(text)) at = heading(place, lines, at, options);
    else if (text === "---") at = place.append(el("hr")) ?? at + 1;
    else if (options.depth < DEEPEST && text.startsWith(">")) at = quote(place, lines, at, options);
    else if (options.depth < DEEPEST && item(text)) at = list(place, lines, at, options);
    else if (NOTE.test(text)) at = note(place, lines, at, options);
    else if (text.startsWith("| ") && RULE.test(lines[at + 1]?.text ?? "")) at = table(place, lines, at, options);
    else at = paragraph(place, lines, at, options);
  }
}

function item(text) {
  return BULLET.exec(text) ?? NUMBER.exec(text);
}

function begins(lines, at, options) {
  const text = lines[at].text;
  const inside = options.depth < DEEPEST && (text.startsWith(">") || item(text));
  return /^(?:```|#{1,6} )/.test(text) || text === "---" || inside || (text.startsWith("| ") && RULE.test(lines[at + 1]?.text ?? ""));
}

/** Return `line` without its first `length` characters. */
function cut(line, length) {
  return { text: line.text.slice(length), at: line.at + length };
}

function paragraph(place, lines, at, options) {
  let end = at + 1;
  while (end < lines.length && lines[end].text.trim() && !begins(lines, end, options)) end += 1;
  const element = el("p");
  words(element, lines.slice(at, end), options);
  place.append(element);
  return end;
}

function heading(place, lines, at, options) {
  const level = lines[at].text.indexOf(" ");
  // Pages skip levels; what a screen reader announces does not.
  const shown = Math.min(level + options.top - 1, options.last.level + 1, 6);
  options.last.level = shown;
  const element = el(`h${shown}`, { "data-level": String(level), tabindex: "-1" });
  words(element, [cut(lines[at], level + 1)], options);
  place.append(element);
  return at + 1;
}

function fenced(place, lines, at, options) {
  const fence = /^`+/.exec(lines[at].text)[0];
  let end = at + 1;
  while (end < lines.length && lines[end].text !== fence) end += 1;
  const code = el("code");
  for (const line of lines.slice(at + 1, end)) code.append(...painted(line.text, line.at, options.mark), "\n");
  const language = lines[at].text.slice(fence.length).slice(0, 30);
  place.append(el("pre", { tabindex: "0", role: "group", "aria-label": `Code ${language}`.trim() }, code));
  return end + 1;
}

function quote(place, lines, at, options) {
  let end = at;
  while (end < lines.length && lines[end].text.startsWith(">")) end += 1;
  const element = el("blockquote");
  const inside = lines.slice(at, end).map((line) => cut(line, line.text[1] === " " ? 2 : 1));
  blocks(element, inside, { ...options, depth: options.depth + 1 });
  place.append(element);
  return end;
}

function list(place, lines, at, options) {
  const bullet = BULLET.exec(lines[at].text);
  const same = bullet ? BULLET : NUMBER;
  const element = bullet ? el("ul") : el("ol", { start: NUMBER.exec(lines[at].text)[1] });
  while (at < lines.length) {
    const match = same.exec(lines[at].text);
    if (!match || (bullet && match[1] !== bullet[1])) break;
    const width = match[0].length;
    const inside = [cut(lines[at], width)];
    at = indented(lines, at + 1, width, inside);
    const entry = el("li");
    blocks(entry, inside, { ...options, depth: options.depth + 1 });
    if (entry.firstElementChild?.tagName === "P") entry.firstElementChild.replaceWith(...entry.firstElementChild.childNodes);
    element.append(entry);
  }
  place.append(element);
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

function note(place, lines, at, options) {
  const match = NOTE.exec(lines[at].text);
  const inside = [cut(lines[at], match[0].length)];
  const end = indented(lines, at + 1, 4, inside);
  const element = el("div", { class: "note" }, el("sup", {}, match[1]));
  blocks(element, inside, { ...options, depth: options.depth + 1 });
  place.append(element);
  return end;
}

function table(place, lines, at, options) {
  let end = at + 2;
  while (end < lines.length && lines[end].text.startsWith("| ")) end += 1;
  const head = el("thead", {}, row(lines[at], "th", options));
  const body = el("tbody", {}, lines.slice(at + 2, end).map((line) => row(line, "td", options)));
  place.append(el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Table" }, el("table", {}, head, body)));
  return end;
}

function row(line, tag, options) {
  const element = el("tr");
  let from = 2;
  for (let at = 2; at < line.text.length; at += 1) {
    if (line.text[at] === "\\") at += 1;
    else if (line.text[at] === "|") {
      const cell = el(tag, tag === "th" ? { scope: "col" } : {});
      words(cell, [{ text: line.text.slice(from, at - 1), at: line.at + from }], options);
      element.append(cell);
      from = at + 2;
    }
  }
  return element;
}

/** Append the words of some lines, which are read as one. */
function words(place, lines, options) {
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
    return painted(text, at - starts[current][0] + starts[current][1], options.mark);
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
